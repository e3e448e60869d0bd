"""The way to the network: what is resolved, checked, dialled, sent, and what failures become."""

from __future__ import annotations

import asyncio
import socket
import ssl
import struct
from collections import defaultdict
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest

from wellread.config import NetSettings, Settings
from wellread.errors import (
    BlockedAddress,
    ConfigError,
    InvalidInput,
    TooLarge,
    Unreachable,
    Upstream,
    WellreadError,
)
from wellread.net import dial, guard
from wellread.net.dial import GuardedBackend, NetworkTransport, SystemDialler, SystemResolver
from wellread.net.transport import Hop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Sequence

    from anyio.abc import ByteStream

    from wellread.types import Headers

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent
PUBLIC = "93.184.216.34"
OTHER = "2606:2800:220:1:248:1893:25c8:1946"
DEFAULT = guard.Policy()
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello"
TRUSTING = Settings(net=NetSettings(ca_file=HERE / "authority.pem"))


@dataclass
class Names:
    """A resolver whose answers change from one question to the next; the last one stays."""

    answers: dict[str, list[list[str]]]
    asked: list[str] = field(default_factory=list)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        answers = self.answers[host]
        return answers.pop(0) if len(answers) > 1 else answers[0]


@dataclass
class Wires:
    """A dialler that leads every address to one loopback server, but for the dead."""

    port: int
    dead: tuple[str, ...] = ()
    silent: tuple[str, ...] = ()
    dialled: list[tuple[str, int]] = field(default_factory=list)

    async def dial(self, address: str, port: int) -> ByteStream:
        self.dialled.append((address, port))
        if address in self.dead:
            raise ConnectionRefusedError(111, "refused")
        if address in self.silent:
            await anyio.sleep_forever()
        return await SystemDialler().dial("127.0.0.1", self.port)


@dataclass
class Server:
    """Answers each request with what was written for its path, and keeps the requests."""

    pages: dict[str, bytes]
    port: int = 0
    heard: list[bytes] = field(default_factory=list)
    names: list[str] = field(default_factory=list)

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.heard.append(head)
                answer = self.pages[head.split()[1].decode()]
                writer.write(answer)
                await writer.drain()
                if b"Connection: close" in answer or b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n" not in answer:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        if b"reset" in (self.heard or [b""])[-1]:
            raw = writer.get_extra_info("socket")
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.close()


@asynccontextmanager
async def listening(
    handle: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]], tls: ssl.SSLContext | None = None
) -> AsyncIterator[int]:
    server = await asyncio.start_server(handle, "127.0.0.1", 0, ssl=tls)
    try:
        yield server.sockets[0].getsockname()[1]
    finally:
        server.close()


@asynccontextmanager
async def serving(pages: dict[str, bytes], tls: ssl.SSLContext | None = None) -> AsyncIterator[Server]:
    server = Server(pages)
    if tls:
        tls.set_servername_callback(lambda _, name, __: server.names.append(name or ""))
    async with listening(server.handle, tls) as port:
        server.port = port
        yield server


def trusted() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(HERE / "server.pem")
    return context


@asynccontextmanager
async def carrying(
    wires: Wires, names: Names | None = None, settings: Settings | None = None
) -> AsyncIterator[NetworkTransport]:
    everything = Names(defaultdict(lambda: [[PUBLIC]]))
    transport = NetworkTransport(settings or Settings(), policy=DEFAULT, resolver=names or everything, dialler=wires)
    try:
        yield transport
    finally:
        await transport.aclose()


@dataclass
class Read:
    status: int
    version: str
    headers: Headers
    body: bytes


async def read(transport: NetworkTransport, url: str, *, into: bytearray | None = None) -> Read:
    body = bytearray() if into is None else into
    async with transport.send(Hop(target=guard.check_url(url, DEFAULT))) as answer:
        async for chunk in answer.chunks:
            body += chunk
        return Read(answer.status, answer.http_version, answer.headers, bytes(body))


# ----------------------------------------------------------------------------------- resolving and dialling


@pytest.mark.parametrize("answers", [[PUBLIC, "10.0.0.1"], ["10.0.0.1", PUBLIC], [OTHER, "::1"], ["::ffff:7f00:1"]])
async def test_one_private_address_of_a_name_stops_the_connection(answers: list[str]) -> None:
    """Property 1 of seed 001: an address is refused before any connection is made."""
    wires = Wires(0)
    async with carrying(wires, Names({"name.example": [answers]})) as transport:
        with pytest.raises(BlockedAddress, match="not a public address") as caught:
            await read(transport, "http://name.example/page")
    assert wires.dialled == []
    assert caught.value.url == "http://name.example/page"


async def test_name_is_resolved_once_and_the_checked_address_dialled() -> None:
    async with serving({"/a?b": OK, "/c": OK}) as server:
        wires, names = Wires(server.port), Names({"name.example": [[PUBLIC], ["127.0.0.1"]]})
        async with carrying(wires, names) as transport:
            assert (await read(transport, "http://name.example:8080/a?b#x")).body == b"hello"
            assert (await read(transport, "http://name.example:8080/c")).body == b"hello"
        assert names.asked == ["name.example"]
        assert wires.dialled == [(PUBLIC, 8080)]
        assert server.heard[0].startswith(b"GET /a?b HTTP/1.1\r\nHost: name.example:8080\r\n")


async def test_a_rebound_name_is_refused_on_its_next_connection() -> None:
    closing = OK.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n", 1)
    async with serving({"/": closing}) as server:
        wires, names = Wires(server.port), Names({"name.example": [[PUBLIC], ["127.0.0.1"]]})
        async with carrying(wires, names) as transport:
            await read(transport, "http://name.example/")
            with pytest.raises(BlockedAddress):
                await read(transport, "http://name.example/")
        assert wires.dialled == [(PUBLIC, 80)]


async def test_a_literal_address_is_never_resolved() -> None:
    async with serving({"/": OK}) as server:
        wires, names = Wires(server.port), Names({})
        async with carrying(wires, names) as transport:
            await read(transport, f"http://[{OTHER}]:8000/")
        assert (names.asked, wires.dialled) == ([], [(OTHER, 8000)])
        assert f"Host: [{OTHER}]:8000".encode() in server.heard[0]


async def test_dead_and_silent_addresses_give_way_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dial, "CONNECT_S", 0.05)
    async with serving({"/": OK}) as server:
        wires = Wires(server.port, dead=("8.8.8.8",), silent=(OTHER,))
        async with carrying(wires, Names({"name.example": [["8.8.8.8", PUBLIC, OTHER]]})) as transport:
            await read(transport, "http://name.example/")
        assert [address for address, _ in wires.dialled] == ["8.8.8.8", OTHER, PUBLIC]  # the families take turns


async def test_when_no_address_answers_each_is_named_with_its_reason() -> None:
    wires = Wires(0, dead=(PUBLIC, "8.8.8.8"))
    async with carrying(wires, Names({"name.example": [[PUBLIC, "8.8.8.8"]], "none.example": [[]]})) as transport:
        with pytest.raises(Unreachable, match=r"93\.184\.216\.34: Connection refused; 8\.8\.8\.8: Connection refused"):
            await read(transport, "http://name.example/")
        with pytest.raises(Unreachable, match="it has no address"):
            await read(transport, "http://none.example/")


async def test_of_many_addresses_only_the_first_are_tried() -> None:
    many = [f"8.8.8.{last}" for last in range(1, 100)]
    wires = Wires(0, dead=tuple(many))
    async with carrying(wires, Names({"name.example": [many]})) as transport:
        with pytest.raises(Unreachable):
            await read(transport, "http://name.example/")
    assert len(wires.dialled) == dial.MAX_ADDRESSES


async def test_the_backend_checks_hosts_again_and_knows_no_unix_sockets() -> None:
    backend = GuardedBackend(DEFAULT, Names({}), Wires(0))
    for host, port in (("127.0.0.1", 80), ("::1", 80), ("localhost", 80), ("name.example", 22), ("a@b", 80)):
        with pytest.raises(WellreadError):
            await backend.connect_tcp(host, port)
    with pytest.raises(BlockedAddress, match="UNIX socket"):
        await backend.connect_unix_socket("/var/run/docker.sock")
    await backend.sleep(0)


async def test_a_connection_that_ends_elsewhere_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = anyio.connect_tcp
    async with serving({}) as server:
        stream = await SystemDialler().dial("127.0.0.1", server.port)
        await stream.aclose()
        monkeypatch.setattr(anyio, "connect_tcp", lambda _, port: connect("127.0.0.1", port))
        with pytest.raises(BlockedAddress, match=r"127\.0\.0\.2 port \d+ was requested, but 127\.0\.0\.1"):
            await SystemDialler().dial("127.0.0.2", server.port)


async def test_the_system_resolver_tells_addresses_or_that_there_are_none() -> None:
    assert set(await SystemResolver().resolve("localhost", 80)) <= {"127.0.0.1", "::1"}
    with pytest.raises(Unreachable, match=r"the name -bad-\.invalid has no address"):
        await SystemResolver().resolve("-bad-.invalid", 80)


async def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with serving({"/": OK}) as server, carrying(Wires(server.port)) as transport:
        assert (await read(transport, "http://name.example/")).status == 200


# ------------------------------------------------------------------------------------------ what is sent


async def test_host_and_length_are_said_by_the_transport_alone() -> None:
    async with serving({"/": OK}) as server, carrying(Wires(server.port)) as transport:
        given = (("Host", "127.0.0.1"), ("Content-Length", "99"), ("Transfer-Encoding", "chunked"), ("X-Kept", "yes"))
        hop = Hop(target=guard.check_url("http://name.example/", DEFAULT), method="POST", headers=given, body=b"data")
        async with transport.send(hop) as answer:
            assert answer.reason == "OK"
        assert server.heard == [b"POST / HTTP/1.1\r\nHost: name.example\r\nX-Kept: yes\r\nContent-Length: 4\r\n\r\n"]


@pytest.mark.parametrize(
    ("method", "header"),
    [
        ("GET", ("X", "a\r\nHost: 127.0.0.1")),
        ("GET", ("X\r\nY", "a")),
        ("GET", ("X", "a\x00")),
        ("GET", ("X", "日本")),
        ("GET", ("", "a")),
        ("GET / HTTP/1.1\r\nX:", ("X", "a")),
    ],
)
async def test_nothing_can_be_smuggled_in_a_header_or_a_method(method: str, header: tuple[str, str]) -> None:
    wires = Wires(0)
    async with carrying(wires) as transport:
        hop = Hop(target=guard.check_url("http://name.example/", DEFAULT), method=method, headers=(header,))
        with pytest.raises(InvalidInput):
            async with transport.send(hop):
                pass
    assert wires.dialled == []


# ---------------------------------------------------------------------------------- failures become ours


@pytest.mark.parametrize(
    ("answer", "error", "says", "body"),
    [
        (b"", Unreachable, "closed the connection too early", b""),
        (b"HTTP/1.1 200 OK\r\nContent-Le", Unreachable, "closed the connection too early", b""),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", Unreachable, "received 5 bytes, expected 9", b"hello"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", Unreachable, "too early", b"hello"),
        (
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n",
            Upstream,
            "breaks the HTTP",
            b"hello",
        ),
        (b"\x00\x01 garbage\r\n\r\n", Upstream, "breaks the HTTP protocol", b""),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
            Upstream,
            "breaks the HTTP protocol",
            b"",
        ),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000, TooLarge, "too many headers", b""),
    ],
)
async def test_a_broken_connection_is_told_from_a_broken_protocol(
    answer: bytes, error: type[WellreadError], says: str, body: bytes
) -> None:
    got = bytearray()
    async with serving({"/": answer}) as server, carrying(Wires(server.port)) as transport:
        with pytest.raises(error, match=says) as caught:
            await read(transport, "http://name.example/", into=got)
    assert got == body
    assert caught.value.url == "http://name.example/"


async def test_a_reset_amid_the_body_is_unreachable() -> None:
    pages = {"/reset": b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello"}
    async with serving(pages) as server, carrying(Wires(server.port)) as transport:
        with pytest.raises(Unreachable, match="broke: Connection reset by peer"):
            await read(transport, "http://name.example/reset")


async def test_certificates_that_cannot_be_read_are_a_setting_to_mend(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no certificates can be read from .*missing\.pem: No such file"):
        NetworkTransport(Settings(net=NetSettings(ca_file=tmp_path / "missing.pem")), policy=DEFAULT)


async def test_only_tls_needs_the_certificates_of_the_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "missing.pem"))
    async with serving({"/": OK}) as server, carrying(Wires(server.port)) as transport:
        assert (await read(transport, "http://name.example/")).body == b"hello"
        for _ in range(2):
            with pytest.raises(ConfigError, match="no certificates can be read from the system's store: No such file"):
                await read(transport, "https://name.example/")


# ------------------------------------------------------------------------------------------------ TLS, HTTP/2


async def test_tls_asks_for_the_name_and_checks_the_certificate() -> None:
    async with serving({"/": OK}, trusted()) as server, carrying(Wires(server.port), settings=TRUSTING) as transport:
        assert (await read(transport, "https://www.example.com./")).version == "1.1"
        assert (await read(transport, "https://1.1.1.1/")).status == 200
        with pytest.raises(Unreachable, match=r"the certificate of www\.example\.edu is not trusted") as caught:
            await read(transport, "https://www.example.edu/")
        assert not caught.value.retryable
        assert server.names == ["www.example.com", "", "www.example.edu"]
        assert b"Host: www.example.com\r\n" in server.heard[0]


async def test_no_authority_but_the_given_one_is_trusted() -> None:
    async with serving({"/": OK}, trusted()) as server, carrying(Wires(server.port)) as transport:
        with pytest.raises(Unreachable, match="is not trusted"):
            await read(transport, "https://www.example.com/")


async def test_a_server_that_speaks_no_tls_is_unreachable() -> None:
    async def shout(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 400 Bad Request\r\n\r\n")
        writer.close()

    async with listening(shout) as port, carrying(Wires(port)) as transport:
        with pytest.raises(Unreachable, match=r"no TLS connection to www\.example\.com"):
            await read(transport, "https://www.example.com/")


async def test_a_cancelled_handshake_leaves_no_connection_behind() -> None:
    begun, done = anyio.Event(), anyio.Event()

    async def wait(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(1)  # of the handshake
        begun.set()
        await reader.read()
        writer.close()
        done.set()

    async with listening(wait) as port, carrying(Wires(port)) as transport:
        with anyio.fail_after(60):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(read, transport, "https://www.example.com/")
                await begun.wait()
                tasks.cancel_scope.cancel()
            await done.wait()
