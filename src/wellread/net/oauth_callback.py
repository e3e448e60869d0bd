"""Listens on loopback for the browser that returns from a service with the user's consent (RFC 8252 section 7.3)."""

from __future__ import annotations

from contextlib import asynccontextmanager
from html import escape
from typing import TYPE_CHECKING

import anyio
import anyio.abc
import h11

from wellread.errors import ConfigError, reason_line

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from anyio.abc import SocketStream

    Hear = Callable[[str], Awaitable[tuple[bool, str]]]

HOST = "127.0.0.1"
MAX_HEAD_BYTES = 16_384
VISIT_S = 60.0
"""How long one visit may take, the exchange with the service included."""
VISITORS = 8
_BROKEN = (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, h11.ProtocolError)
_HEADERS = (
    ("Content-Type", "text/html; charset=utf-8"),
    # Nothing is loaded, run, framed or sent on: the page is a sentence, and its address holds a code.
    ("Content-Security-Policy", "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("Cache-Control", "no-store"),
    ("Connection", "close"),
)


@asynccontextmanager
async def listen_for_callback(hear: Hear, path: str, port: int = 0) -> AsyncGenerator[str, None]:
    """Listen on loopback while the block lasts; yields the address to come back to: `http://127.0.0.1:PORT/PATH`.

    `hear` gets the whole address that a browser came with, and says whether that was well, and a sentence to show.

    Raises:
        ConfigError: the port is taken.
    """
    try:
        listener = await anyio.create_tcp_listener(local_host=HOST, local_port=port)
    except OSError as error:
        raise ConfigError(
            f"cannot listen on {HOST}:{port}: {reason_line(error)}",
            hint="set integrations.callback_port to a free port",
        ) from error
    bound = listener.extra(anyio.abc.SocketAttribute.local_port)  # noqa: S610 - not Django's
    listener_app = _CallbackListener(hear, f"{HOST}:{bound}", path)
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, listener_app.visit)
        yield f"http://{listener_app.authority}{path}"
        tasks.cancel_scope.cancel()


class _CallbackListener:
    def __init__(self, hear: Hear, authority: str, path: str) -> None:
        self.authority = authority
        self._hear = hear
        self._path = path
        self._visitors = 0

    async def visit(self, stream: SocketStream) -> None:
        """Answer one request, and hang up; whoever breaks off or dawdles is let go."""
        async with stream:
            if self._visitors >= VISITORS:
                return
            self._visitors += 1
            try:
                with anyio.move_on_after(VISIT_S):
                    await self._answer(stream)
            except _BROKEN:
                return
            finally:
                self._visitors -= 1

    async def _answer(self, stream: SocketStream) -> None:
        server = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)
        while (event := server.next_event()) is h11.NEED_DATA:
            server.receive_data(await stream.receive())
        if not isinstance(event, h11.Request):
            return
        status, sentence = await self._decide(event)
        body = f"<!doctype html><title>wellread</title><p>{escape(sentence)}</p>\n".encode()
        headers = [*_HEADERS, ("Content-Length", str(len(body)))]
        for part in (h11.Response(status_code=status, headers=headers), h11.Data(data=body), h11.EndOfMessage()):
            await stream.send(server.send(part) or b"")

    async def _decide(self, request: h11.Request) -> tuple[int, str]:
        target = request.target.decode("ascii", "replace")
        hosts = [value.decode("latin-1") for name, value in request.headers if name == b"host"]
        if hosts != [self.authority]:  # a name of somebody else's that was pointed here
            return 421, "This address is not the expected one."
        if target.partition("?")[0] != self._path:
            return 404, "This address does not exist."
        if request.method != b"GET":
            return 405, "This address allows only GET requests."
        well, sentence = await self._hear(f"http://{self.authority}{target}")
        return (200 if well else 400), sentence
