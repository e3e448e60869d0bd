"""Passes HTTP requests on to another process of this machine, which listens at a Unix socket."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, MutableMapping
from typing import TYPE_CHECKING, Any, Final

import anyio
import httpx2

from wellread.errors import InvalidInput, SharedStateFailed, WellreadError

if TYPE_CHECKING:
    from pathlib import Path

Message = MutableMapping[str, Any]  # Any: ASGI
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_LOCAL_FIELDS: Final = frozenset({b"connection", b"date", b"keep-alive", b"transfer-encoding"})
"""Fields of an answer that hold for its connection alone, and the date, which this server adds itself."""


class UnixForwarder:
    """An ASGI application that passes requests on, with their bodies and answers as they come."""

    def __init__(self, path: Path) -> None:
        """Take the path of the socket. Each request has a connection of its own: a kept one could end meanwhile."""
        limits = httpx2.Limits(max_connections=None, max_keepalive_connections=0)
        self._transport = httpx2.AsyncHTTPTransport(uds=str(path), limits=limits)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Pass on one request; where its caller leaves, the other process sees the same.

        Raises:
            InvalidInput: the request breaks the rules of HTTP, so that it cannot be passed on.
            SharedStateFailed: the other process ended before its answer began.
        """
        is_sent, has_left = anyio.Event(), anyio.Event()
        request = _request(scope, receive, is_sent)
        error: WellreadError | None = None

        async def watch() -> None:
            await is_sent.wait()
            while (await receive())["type"] != "http.disconnect":
                pass
            has_left.set()
            tasks.cancel_scope.cancel()

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(watch)
            error = await self._answer(request, send)
            tasks.cancel_scope.cancel()
        if error is not None and not has_left.is_set():
            raise error

    async def _answer(self, request: httpx2.Request, send: Send) -> WellreadError | None:
        """Send the answer to a request, or return why there is none; a broken one ends the connection."""
        try:
            response = await self._transport.handle_async_request(request)
        except httpx2.LocalProtocolError as error:
            return InvalidInput(f"the request cannot be passed on: {error}", hint="send a valid HTTP/1.1 request")
        except httpx2.TransportError:
            return SharedStateFailed("the process of this server that answers here has ended", hint="try again")
        headers = [(name, text) for name, text in response.headers.raw if name.lower() not in _LOCAL_FIELDS]
        assert isinstance(response.stream, httpx2.AsyncByteStream)
        try:
            await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
            async for chunk in response.stream:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except httpx2.TransportError:
            return None  # uvicorn closes a connection whose answer is not complete
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()
        return None


def _request(scope: Message, receive: Receive, is_sent: anyio.Event) -> httpx2.Request:
    """Return the request of an ASGI scope; `is_sent` is set when its body was read."""

    async def body() -> AsyncIterator[bytes]:
        has_more = True
        while has_more:
            message = await receive()
            yield message.get("body", b"")
            has_more = message.get("more_body", False)
        is_sent.set()

    has_body = any(name in {b"content-length", b"transfer-encoding"} for name, _ in scope["headers"])
    if not has_body:
        is_sent.set()
    target = scope["raw_path"]
    if scope["query_string"]:
        target += b"?" + scope["query_string"]
    content = body() if has_body else None
    extensions = {"target": target}  # as it came: a URL would lose its dot segments, and is limited in length
    return httpx2.Request(
        scope["method"], "http://localhost", headers=scope["headers"], content=content, extensions=extensions
    )
