"""HTTP/2 over the guarded way to the network, against a real server on loopback."""

from __future__ import annotations

import asyncio
import ssl
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import h2.config
import h2.connection
import h2.events
import pytest

from wellread.config import NetSettings, Settings
from wellread.errors import TooLarge, Unreachable, Upstream, WellreadError
from wellread.net import guard
from wellread.net.dial import NetworkTransport, SystemDialler
from wellread.net.transport import Hop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from anyio.abc import ByteStream

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent
PUBLIC = "93.184.216.34"


@dataclass
class Server:
    """Answers by path: a page, a reset amid the body, headers without end, a status that is no number, or no frame."""

    connections: int = 0
    heard: list[dict[str, str]] = field(default_factory=list)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        config = h2.config.H2Configuration(client_side=False, validate_outbound_headers=False)
        wire = h2.connection.H2Connection(config)
        wire.initiate_connection()
        writer.write(wire.data_to_send())
        while data := await reader.read(65_536):
            for event in wire.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    writer.write(self._answer(wire, event))
            writer.write(wire.data_to_send())
            await writer.drain()
        writer.close()

    def _answer(self, wire: h2.connection.H2Connection, event: h2.events.RequestReceived) -> bytes:
        stream, asked = event.stream_id, {str(key): str(value) for key, value in _decoded(event)}
        assert stream is not None
        self.heard.append(asked)
        path = asked[":path"]
        if path == "/garbage":
            return b"\x00\x00\x08\x06\x01\x00\x00\x00\x07garbage!"  # a PING on a stream, which no server may send
        many = [(f"x-{number}", "y" * 4_000) for number in range(30)] if path == "/headers" else []
        wire.send_headers(stream, [(":status", "many" if path == "/status" else "200"), *many])
        wire.send_data(stream, b"hello", end_stream=path != "/reset")
        if path == "/reset":
            wire.reset_stream(stream)
        return wire.data_to_send()


def _decoded(event: h2.events.RequestReceived) -> list[tuple[str, str]]:
    return [(bytes(key).decode(), bytes(value).decode()) for key, value in event.headers or []]


class Public:
    async def resolve(self, host: str, port: int) -> Sequence[str]:
        return [PUBLIC]


@dataclass
class Loopback:
    port: int

    async def dial(self, address: str, port: int) -> ByteStream:
        return await SystemDialler().dial("127.0.0.1", self.port)


@asynccontextmanager
async def carrying(server: Server) -> AsyncIterator[NetworkTransport]:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(HERE / "server.pem")
    tls.set_alpn_protocols(["h2"])
    listener = await asyncio.start_server(server.handle, "127.0.0.1", 0, ssl=tls)
    settings = Settings(net=NetSettings(ca_file=HERE / "authority.pem"))
    dialler = Loopback(listener.sockets[0].getsockname()[1])
    transport = NetworkTransport(settings, policy=guard.Policy(), resolver=Public(), dialler=dialler)
    try:
        yield transport
    finally:
        await transport.aclose()
        listener.close()


async def read(transport: NetworkTransport, path: str, into: bytearray | None = None) -> tuple[str, bytes]:
    body = bytearray() if into is None else into
    hop = Hop(target=guard.check_url(f"https://www.example.com{path}", guard.Policy()), headers=(("X-Mine", "yes"),))
    async with transport.send(hop) as answer:
        async for chunk in answer.chunks:
            body += chunk
        return answer.http_version, bytes(body)


async def test_requests_to_one_origin_share_one_connection() -> None:
    server = Server()
    async with carrying(server) as transport:
        await read(transport, "/first")
        async with anyio.create_task_group() as tasks:
            for number in range(4):
                tasks.start_soon(read, transport, f"/{number}?q")
        assert await read(transport, "/last") == ("2", b"hello")
    assert server.connections == 1
    assert {":authority": "www.example.com", ":path": "/last", "x-mine": "yes"}.items() <= server.heard[-1].items()


@pytest.mark.parametrize(
    ("path", "error", "body"),
    [
        ("/reset", Unreachable, b"hello"),
        ("/garbage", Upstream, b""),
        ("/headers", TooLarge, b""),
        ("/status", Upstream, b""),
    ],
)
async def test_what_a_server_breaks_is_told_by_kind(path: str, error: type[WellreadError], body: bytes) -> None:
    got = bytearray()
    async with carrying(Server()) as transport:
        with pytest.raises(error, match=r"www\.example\.com") as caught:
            await read(transport, path, got)
    assert got == body
    assert caught.value.url == f"https://www.example.com{path}"


async def test_a_body_left_unread_does_not_spoil_the_next_request() -> None:
    server = Server()
    async with carrying(server) as transport:
        hop = Hop(target=guard.check_url("https://www.example.com/left", guard.Policy()))
        async with transport.send(hop):
            pass
        assert await read(transport, "/next") == ("2", b"hello")
