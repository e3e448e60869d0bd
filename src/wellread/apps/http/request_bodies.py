"""Helpers that routes share: JSON bodies, problem responses, event streams."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fastapi import Request, Response

from wellread.apps.http import problems
from wellread.apps.http.request_guard import REQUEST_ID
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wellread.apps.http.problems import Problem
    from wellread.apps.http.stream import EventStream
    from wellread.apps.operations.operation_schemas import Schema

JSON = "application/json"
_INTEGER = re.compile(r"[0-9]{1,18}")


class Arguments:
    """The JSON value of a request body."""

    def __init__(self, value: object) -> None:
        self.value = value


class Streamed(Response):
    """A response that hands the connection to an event stream."""

    def __init__(self, stream: EventStream) -> None:
        super().__init__()
        self._stream = stream

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:  # Any: ASGI
        await self._stream(scope, receive, send)


async def given_in(request: Request) -> Arguments | Problem:
    """Parse the body of a request as JSON."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != JSON:
        return problems.refusal("not_json", f"the body is {media_type[:60] or 'of no type'}", hint=f"send {JSON}")
    try:
        return Arguments(json.loads(await request.body(), parse_constant=_refuse_constant))
    except (ValueError, RecursionError):
        return problems.of(InvalidInput("the body is not JSON", hint="send JSON in UTF-8"))


def arguments_in_query(parameters: Iterable[tuple[str, str]], schema: Schema) -> dict[str, object]:
    """Return the parameters of a query as the JSON values that `schema` has; text that fits none stays as it is.

    A parameter that is given several times is a list, and so is one with commas where the schema has a list.
    """
    texts: dict[str, list[str]] = {}
    for name, text in parameters:
        texts.setdefault(name, []).append(text)
    arguments: dict[str, object] = {}
    for name, field_texts in texts.items():
        field_schema = schema["properties"].get(name, {})
        kinds = {part.get("type") for part in field_schema.get("anyOf", [field_schema])}
        if "array" in kinds:
            arguments[name] = [part.strip() for text in field_texts for part in text.split(",")]
        elif len(field_texts) > 1:
            arguments[name] = field_texts
        else:
            arguments[name] = _json_value(field_texts[0], kinds)
    return arguments


def _json_value(text: str, kinds: set[str | None]) -> object:
    if "integer" in kinds and _INTEGER.fullmatch(text):
        return int(text)
    if "boolean" in kinds:
        return {"true": True, "1": True, "false": False, "0": False}.get(text.lower(), text)
    return text


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def problem_answer(problem: Problem, request: Request) -> Response:
    """Return a problem as a response."""
    request_id = request.scope[REQUEST_ID]
    return Response(
        problem.encoded(request_id), problem.status, headers=dict(problem.headers), media_type=problems.MEDIA_TYPE
    )
