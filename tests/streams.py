"""What servers on loopback have in common: a free port, requests that are read whole, clients that may go away."""

from __future__ import annotations

import re
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol, TypeVar

import anyio
import anyio.abc

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from anyio.abc import SocketStream


class Serves(Protocol):
    """What stands behind a port."""

    async def serve(self, stream: SocketStream) -> None: ...


S = TypeVar("S", bound=Serves)


@asynccontextmanager
async def listening(make: Callable[[int], S]) -> AsyncGenerator[S, None]:
    """Let what is made for a free port of loopback serve there while the block lasts."""
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    server = make(listener.extra(anyio.abc.SocketAttribute.local_port))
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, server.serve)
        yield server
        tasks.cancel_scope.cancel()


async def answering(stream: SocketStream, answer: Callable[[], Awaitable[bool]]) -> None:
    """Answer one request after another, for as long as the answers are True and the client is there."""
    async with stream:
        try:
            while await answer():
                pass
        except (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return


async def request_from(stream: SocketStream) -> tuple[bytes, bytes]:
    """Read one request whole; return its head and its body."""
    request = b""
    while b"\r\n\r\n" not in request:
        request += await stream.receive()
    head, _, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
    while length and len(body) < int(length[1]):
        body += await stream.receive()
    return head, body
