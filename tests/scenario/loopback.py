"""Loopback servers that misbehave exactly as told, and a client that may reach them."""

from __future__ import annotations

import socket
import struct
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import anyio
import anyio.abc

from streams import answering, listening, request_from
from wellread.config import FetchSettings, NetSettings, Settings
from wellread.net import guard
from wellread.net.client import Client
from wellread.net.dial import NetworkTransport
from wellread.testing import FakeClock
from wellread.types import Request, Response

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from anyio.abc import SocketStream

    Handler = Callable[[SocketStream, bytes], Awaitable[None]]

LIMIT = 100_000
FETCH = FetchSettings(timeout_s=20, idle_s=20, max_bytes=LIMIT, attempts=2)
"""Patient, as a machine that is busy elsewhere may stand still for a moment: no server here is late but on purpose."""
HASTY = replace(FETCH, idle_s=0.3)
"""For servers that fall silent on purpose."""


def head(status: str = "200 OK", **fields: str) -> bytes:
    lines = [f"HTTP/1.1 {status}", *(f"{name.replace('_', '-')}: {value}" for name, value in fields.items())]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def whole(body: bytes = b"", status: str = "200 OK", **fields: str) -> bytes:
    return head(status, Content_Length=str(len(body)), **fields) + body


def moved(place: str, status: str = "302 Found") -> bytes:
    return whole(b"moved", status, Location=place)


class Server:
    """Answers each path with bytes, with a list of answers in turn, or by a handler; notes what it was asked."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.paths: dict[str, bytes | list[bytes] | Handler] = {}
        self.anything: bytes | list[bytes] | Handler = whole(b"nothing here", "404 Not Found")
        self.requests: list[bytes] = []
        self.connections = 0

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def asked(self) -> list[str]:
        return [request.split(b" ", 2)[1].decode() for request in self.requests]

    async def serve(self, stream: SocketStream) -> None:
        self.connections += 1
        await answering(stream, partial(self._answer, stream))

    async def _answer(self, stream: SocketStream) -> bool:
        request = b"\r\n\r\n".join(await request_from(stream))
        self.requests.append(request)
        said = self.paths.get(request.split(b" ", 2)[1].decode(), self.anything)
        if isinstance(said, list):
            said = said.pop(0) if len(said) > 1 else said[0]
        if isinstance(said, bytes):
            await stream.send(said)
            if b"Content-Length" not in said:
                await stream.aclose()
        else:
            await said(stream, request)
            await stream.aclose()
        return True


async def reset(stream: SocketStream) -> None:
    raw = stream.extra(anyio.abc.SocketAttribute.raw_socket)
    raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    await anyio.aclose_forcefully(stream)


def then_resets(start: bytes) -> Handler:
    async def handler(stream: SocketStream, _: bytes) -> None:
        await stream.send(start)
        await anyio.lowlevel.checkpoint()
        await reset(stream)

    return handler


def then_closes(start: bytes) -> Handler:
    async def handler(stream: SocketStream, _: bytes) -> None:
        await stream.send(start)

    return handler


def then_silence(start: bytes) -> Handler:
    async def handler(stream: SocketStream, _: bytes) -> None:
        if start:
            await stream.send(start)
        await stream.receive()  # until the client goes

    return handler


def without_end(start: bytes, piece: bytes, pause_s: float = 0) -> Handler:
    async def handler(stream: SocketStream, _: bytes) -> None:
        await stream.send(start)
        while True:
            await stream.send(piece)
            await anyio.sleep(pause_s)  # a slow server is what is tested

    return handler


@asynccontextmanager
async def serving() -> AsyncGenerator[Server, None]:
    async with listening(Server) as server:
        yield server


@asynccontextmanager
async def client_for(
    *servers: Server, fetch: FetchSettings = FETCH, **net: bool | float
) -> AsyncGenerator[Client, None]:
    settings = Settings(net=replace(NetSettings(), **net), fetch=fetch)  # type: ignore[arg-type]  # names checked there
    settings = replace(settings, net=replace(settings.net, allow_hosts=tuple(f"127.0.0.1:{s.port}" for s in servers)))
    transport = NetworkTransport(settings, policy=guard.read_policy(settings.net))
    client = Client(settings, transport, clock=FakeClock())
    try:
        yield client
    finally:
        await client.aclose()


async def fetched(server: Server, path: str = "/", *, fetch: FetchSettings = FETCH, **request: object) -> Response:
    async with client_for(server, fetch=fetch) as client:
        asked = Request(url=server.url(path), user_asked=True)
        return await client.fetch(replace(asked, **request))  # type: ignore[arg-type]  # names checked there
