"""Answer a request of MCP's session revisions with plain JSON where a single message is the whole answer.

The SDK opens a stream of events for each of them. Its client (2.3, as 1.x) drops the connection once it has the answer,
for the stream might go on, and dials again for the next call. Both revisions let a server choose, so the beginning of
a stream is held back until it is known: an answer alone goes as JSON, and the connection stays open; progress, or the
comment by which the SDK keeps a quiet stream alive (15 s), lets the stream go on as it came.
Source: https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#sending-messages-to-the-server
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellread.apps.http.request_guard import App, Message, Receive, Send

_MESSAGE = re.compile(rb"event: message\r\ndata: ([^\r\n]+)\r\n\r\n")
_OF_STREAMS = frozenset({b"content-type", b"connection", b"x-accel-buffering"})
"""Headers that say how a stream is to be treated."""


def answer_as_json(app: App) -> App:
    """Return `app`, with streams of a single message sent as JSON."""

    async def wrapped(scope: Message, receive: Receive, send: Send) -> None:
        await app(scope, receive, _DelayedStream(send) if scope["method"] == "POST" else send)

    return wrapped


class _DelayedStream:
    """A `send` that delays the start of a stream: its headers, and its first message where that is the answer."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._start: Message | None = None
        self._answer: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start" and _is_stream(message):
            self._start = message
        elif self._start is None:
            await self._send(message)
        elif self._answer is None and _is_answer(message):
            self._answer = message
        elif self._answer is not None and not message.get("body") and not message.get("more_body"):
            await self._whole(self._start, _MESSAGE.sub(rb"\1", self._answer["body"]))
        else:
            await self._let_go(self._start, message)

    async def _whole(self, start: Message, body: bytes) -> None:
        kept_headers = [(name, value) for name, value in start["headers"] if name.lower() not in _OF_STREAMS]
        json_headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode("ascii"))]
        self._start = None
        await self._send({**start, "headers": [*kept_headers, *json_headers]})
        await self._send({"type": "http.response.body", "body": body})

    async def _let_go(self, start: Message, message: Message) -> None:
        self._start = None
        for pending in (start, self._answer, message):
            if pending is not None:
                await self._send(pending)


def _is_stream(start: Message) -> bool:
    return any(name.lower() == b"content-type" and b"event-stream" in value for name, value in start["headers"])


def _is_answer(message: Message) -> bool:
    """Return whether a piece of a stream is one whole message that ends it with a result.

    Not with an error: one tells a client that a call was given up, and the SDK's takes that from a stream alone where
    it has gone meanwhile.
    """
    match = _MESSAGE.fullmatch(message.get("body", b""))
    return match is not None and "result" in json.loads(match[1])
