"""The assistant over HTTP: one route, answered by server-sent events; each caller has conversations of its own."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response

from wellread.apps.http import problems
from wellread.apps.http.answers import JSON, Arguments, Streamed, given_in, problem_answer
from wellread.apps.http.gate import REQUEST_ID
from wellread.apps.http.stream import EventStream
from wellread.apps.mcp import CALLER
from wellread.apps.shapes import as_json, plain
from wellread.assistant.outbox import Courier
from wellread.assistant.ports import LETTERS, TERMINAL
from wellread.assistant.users import OWNER
from wellread.errors import Gone, InvalidInput, UnavailableError
from wellread.schemas import fault

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractAsyncContextManager

    from fastapi import FastAPI

    from wellread.apps.household import Household
    from wellread.apps.http.stream import Emit
    from wellread.assistant.events import Event
    from wellread.assistant.outbox import Letter
    from wellread.assistant.user_assistant import UserAssistant

PATH = "/v1/chat"
MESSAGE_CHARS = 100_000
SCHEMA: dict[str, Any] = {  # Any: JSON Schema
    "type": "object",
    "description": "A message, or the user's word on a question that was asked.",
    "properties": {
        "conversation": {"type": "string", "maxLength": 64, "description": "Left out, one is begun."},
        "message": {"type": "string", "minLength": 1, "maxLength": MESSAGE_CHARS},
        "approval": {"type": "string", "maxLength": 64, "description": "The id of a question."},
        "agreed": {"type": "boolean"},
    },
    "additionalProperties": False,
    "oneOf": [
        {"required": ["message"], "not": {"anyOf": [{"required": ["approval"]}, {"required": ["agreed"]}]}},
        {"required": ["approval", "agreed"], "not": {"anyOf": [{"required": ["message"]}]}},
    ],
}
LIST: dict[str, Any] = {  # Any: JSON Schema
    "type": "object",
    "properties": {
        "conversations": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "id": {"type": "string"},
                    "channel": {"type": "string"},
                    "begun_ms": {"type": "integer"},
                    "last_ms": {"type": "integer", "description": "When something was last said."},
                    "messages": {"type": "integer"},
                    "opening": {"type": "string", "description": "The first words of it."},
                    "topics": {"type": "array", "items": {"type": "string"}},
                },
            },
        }
    },
}
EVENTS = "letter, heard, using, used, asked, noted, reply, failure"
LETTER_CHANNEL = "http"
"""Where letters to callers wait for their next request."""


class Talks:
    """The assistant, while the server runs."""

    def __init__(self, open_assistant: Callable[[], AbstractAsyncContextManager[Household]]) -> None:
        """Take what opens it."""
        self._open = open_assistant
        self._assistant: Household | None = None

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[None, None]:
        """Hold it open, and let it do what is due meanwhile."""
        async with self._open() as household, household.on_duty():
            self._assistant = household
            yield
        self._assistant = None

    def add_to(self, app: FastAPI) -> None:
        """Add the route."""
        events = {"schema": {"type": "string", "description": EVENTS}}
        app.add_api_route(
            PATH,
            self._endpoint,
            methods=["POST"],
            operation_id="chat",
            summary="Talk with the assistant",
            tags=["assistant"],
            responses={200: {"description": "The turn as it goes", "content": {"text/event-stream": events}}},
            openapi_extra={"requestBody": {"required": True, "content": {JSON: {"schema": SCHEMA}}}},
        )
        app.add_api_route(
            PATH,
            self._list,
            methods=["GET"],
            operation_id="conversations",
            summary="List the caller's conversations",
            tags=["assistant"],
            responses={200: {"description": "The last to be held comes first", "content": {JSON: {"schema": LIST}}}},
        )

    async def _list(self, request: Request) -> Response:
        try:
            assistant = await self._ready().of(_account(request))
            found = await assistant.conversations(_channel(request))
        except UnavailableError as error:
            return problem_answer(problems.of(error), request)
        return Response(as_json({"conversations": found}), media_type=JSON)

    async def _endpoint(self, request: Request) -> Response:
        given = await given_in(request)
        if not isinstance(given, Arguments):
            return problem_answer(given, request)
        if wrong := fault(given.value, SCHEMA):
            hint = "send message, or approval and agreed"
            return problem_answer(problems.of(InvalidInput(wrong[:200], hint=hint)), request)
        body: Any = given.value  # Any: JSON that fits the schema
        account, channel = _account(request), _channel(request)

        async def work(emit: Emit) -> None:
            async def tell(event: Event) -> None:
                await emit(type(event).__name__.lower(), plain(event))

            ready = await self._ready().of(account)
            conversation = await _conversation(ready, body, account, channel)
            await self._deliver(ready, emit)
            LETTERS.set(TERMINAL if ready.user.is_owner else LETTER_CHANNEL)
            if "message" in body:
                reply = await ready.hear(conversation, body["message"], tell, author=account)
            else:
                reply = await ready.decide(body["approval"], tell, agreed=body["agreed"], by=account)
            await emit("reply", plain(reply))

        return Streamed(EventStream(work, request.scope[REQUEST_ID]))

    def _ready(self) -> Household:
        if self._assistant is None:
            raise UnavailableError("the assistant is not open")
        return self._assistant

    async def _deliver(self, ready: UserAssistant, emit: Emit) -> None:
        """Tell a caller what its schedules have left for it; the owner's letters go to the terminal."""

        async def send(letter: Letter) -> None:
            await emit("letter", {"conversation_id": letter.chat, "text": letter.text})

        await Courier(ready.store, ready.parts.clock, {LETTER_CHANNEL: send}).deliver(LETTER_CHANNEL)


async def _conversation(
    ready: UserAssistant,
    body: Any,  # Any: JSON that fits the schema
    account: str,
    channel: str,
) -> str:
    """Return the conversation that a request is about; one of another caller is as one that does not exist.

    Raises:
        Gone: there is no such conversation, or no such question.
    """
    book = ready.parts.book
    if "message" in body and not body.get("conversation"):
        return await ready.open(channel)
    if "message" in body:
        named = body["conversation"]
    else:
        named = await book.asked_in(body["approval"], of=account)
    if named is None or await book.channel(named) != channel:
        raise Gone("there is no such conversation or question", hint="begin a conversation with a message alone")
    found: str = named
    return found


def _channel(request: Request) -> str:
    return f"http:{request.scope.get(CALLER) or ''}"


def _account(request: Request) -> str:
    """Return the account of the caller: its key's name, or the owner where no key is asked for."""
    if request.scope.get(CALLER):
        return _channel(request)
    return OWNER
