"""The assistant over HTTP: one route, answered by server-sent events; each caller has its own conversations."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response

from wellread.apps.http import problems
from wellread.apps.http.request_bodies import JSON, Arguments, Streamed, given_in, problem_answer
from wellread.apps.http.request_guard import REQUEST_ID
from wellread.apps.http.stream import EventStream
from wellread.apps.mcp import CALLER
from wellread.apps.serialize import as_json, as_plain
from wellread.assistant.outbox import OutboxWorker
from wellread.assistant.tool_types import MESSAGE_CHANNEL, TERMINAL
from wellread.assistant.users import OWNER
from wellread.errors import Gone, InvalidInput, UnavailableError
from wellread.schemas import fault

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable
    from contextlib import AbstractAsyncContextManager

    from fastapi import FastAPI

    from wellread.apps.assistant_runtime import AssistantRuntime
    from wellread.apps.http.stream import Emit
    from wellread.assistant.outbox import OutboxMessage
    from wellread.assistant.turn_events import Event
    from wellread.assistant.user_assistant import UserAssistant

PATH = "/v1/chat"
MESSAGE_CHARS = 100_000
SCHEMA: dict[str, Any] = {  # Any: JSON Schema
    "type": "object",
    "description": "A message, or the user's decision about an approval.",
    "properties": {
        "conversation": {"type": "string", "maxLength": 64, "description": "Without it, a new conversation starts."},
        "message": {"type": "string", "minLength": 1, "maxLength": MESSAGE_CHARS},
        "approval": {"type": "string", "maxLength": 64, "description": "The id of an approval."},
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
                    "last_ms": {"type": "integer", "description": "The time of the last message."},
                    "messages": {"type": "integer"},
                    "opening": {"type": "string", "description": "The beginning of the first message."},
                    "topics": {"type": "array", "items": {"type": "string"}},
                },
            },
        }
    },
}
EVENTS = "letter, heard, using, used, asked, noted, reply, failure"
HTTP_CHANNEL = "http"
"""The channel in which messages to callers wait for their next request."""


class AssistantRoutes:
    """The routes of the assistant, which is open while the server runs."""

    def __init__(self, open_assistant: Callable[[], AbstractAsyncContextManager[AssistantRuntime]]) -> None:
        """Take the function that opens the assistant."""
        self._open = open_assistant
        self._assistant: AssistantRuntime | None = None

    @asynccontextmanager
    async def held(self) -> AsyncGenerator[None, None]:
        """Keep the assistant open, with its schedules and messages, while the block lasts."""
        async with self._open() as runtime, runtime.on_duty():
            self._assistant = runtime
            yield
        self._assistant = None

    def add_to(self, app: FastAPI) -> None:
        """Add the routes to `app`."""
        events = {"schema": {"type": "string", "description": EVENTS}}
        app.add_api_route(
            PATH,
            self._endpoint,
            methods=["POST"],
            operation_id="chat",
            summary="Send a message to the assistant",
            tags=["assistant"],
            responses={200: {"description": "Events of the turn", "content": {"text/event-stream": events}}},
            openapi_extra={"requestBody": {"required": True, "content": {JSON: {"schema": SCHEMA}}}},
        )
        app.add_api_route(
            PATH,
            self._list,
            methods=["GET"],
            operation_id="conversations",
            summary="List the caller's conversations",
            tags=["assistant"],
            responses={
                200: {"description": "The most recent conversation comes first", "content": {JSON: {"schema": LIST}}}
            },
        )

    async def _list(self, request: Request) -> Response:
        try:
            assistant = await self._ready().of(_account(request))
            conversations = await assistant.conversations(_channel(request))
        except UnavailableError as error:
            return problem_answer(problems.of(error), request)
        return Response(as_json({"conversations": conversations}), media_type=JSON)

    async def _endpoint(self, request: Request) -> Response:
        arguments = await given_in(request)
        if not isinstance(arguments, Arguments):
            return problem_answer(arguments, request)
        if message := fault(arguments.value, SCHEMA):
            hint = "send `message`, or `approval` and `agreed`"
            return problem_answer(problems.of(InvalidInput(message[:200], hint=hint)), request)
        body: Any = arguments.value  # Any: JSON that fits the schema
        account, channel = _account(request), _channel(request)

        async def work(emit: Emit) -> None:
            async def tell(event: Event) -> None:
                await emit(type(event).__name__.lower(), as_plain(event))

            user_assistant = await self._ready().of(account)
            conversation = await _conversation(user_assistant, body, account, channel)
            await self._deliver(user_assistant, emit)
            MESSAGE_CHANNEL.set(TERMINAL if user_assistant.user.is_owner else HTTP_CHANNEL)
            if "message" in body:
                reply = await user_assistant.hear(conversation, body["message"], tell, author=account)
            else:
                reply = await user_assistant.decide(body["approval"], tell, agreed=body["agreed"], by=account)
            await emit("reply", as_plain(reply))

        return Streamed(EventStream(work, request.scope[REQUEST_ID]))

    def _ready(self) -> AssistantRuntime:
        if self._assistant is None:
            raise UnavailableError("the assistant is not running")
        return self._assistant

    async def _deliver(self, user_assistant: UserAssistant, emit: Emit) -> None:
        """Send a caller the messages of its schedules; the owner's go to the terminal."""

        async def send(message: OutboxMessage) -> None:
            await emit("letter", {"conversation_id": message.chat, "text": message.text})

        await OutboxWorker(user_assistant.store, user_assistant.parts.clock, {HTTP_CHANNEL: send}).deliver(HTTP_CHANNEL)


async def _conversation(
    user_assistant: UserAssistant,
    body: Any,  # Any: JSON that fits the schema
    account: str,
    channel: str,
) -> str:
    """Return the conversation of a request; another caller's is treated as one that does not exist.

    Raises:
        Gone: there is no such conversation, or no such question.
    """
    conversations = user_assistant.parts.conversations
    if "message" in body and not body.get("conversation"):
        return await user_assistant.open(channel)
    if "message" in body:
        conversation_id = body["conversation"]
    else:
        conversation_id = await conversations.asked_in(body["approval"], of=account)
    if conversation_id is None or await conversations.channel(conversation_id) != channel:
        raise Gone(
            "there is no such conversation or approval",
            hint="send a message without a conversation id to start a conversation",
        )
    conversation: str = conversation_id
    return conversation


def _channel(request: Request) -> str:
    return f"http:{request.scope.get(CALLER) or ''}"


def _account(request: Request) -> str:
    """Return the account of the caller: its key's name, or the owner where no key is required."""
    if request.scope.get(CALLER):
        return _channel(request)
    return OWNER
