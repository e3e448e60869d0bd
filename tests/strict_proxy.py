"""A proxy on loopback, strict about the RFCs: forwarding and CONNECT (RFC 9112, RFC 9110), SOCKS5 (RFC 1928, 1929)."""

from __future__ import annotations

import base64
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
import anyio.abc

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from anyio.abc import SocketStream

_BROKEN = (anyio.EndOfStream, anyio.BrokenResourceError, anyio.ClosedResourceError)


@dataclass
class StrictProxy:
    """Leads the hosts that it knows to ports of loopback, and keeps a log."""

    hosts: dict[str, int]
    """`host:port` -> port on 127.0.0.1."""
    credential: tuple[str, str] | None = None
    port: int = 0
    log: list[str] = field(default_factory=list)
    """`FORWARD http://...`, `CONNECT host:port` and `SOCKS host:port`."""
    heads: list[bytes] = field(default_factory=list)

    def url(self, scheme: str = "http", credential: str = "") -> str:
        return f"{scheme}://{credential}127.0.0.1:{self.port}"

    async def serve(self, stream: SocketStream) -> None:
        try:
            async with stream:
                first = await stream.receive(1)
                if first == b"\x05":
                    await self._serve_socks(stream)
                else:
                    await self._serve_http(stream, first)
        except _BROKEN:
            return

    async def _serve_http(self, stream: SocketStream, received: bytes) -> None:
        while b"\r\n\r\n" not in received:
            received += await stream.receive()
        head, _, body = received.partition(b"\r\n\r\n")
        self.heads.append(head)
        lines = head.decode("latin-1").split("\r\n")
        method, target, version = lines[0].split(" ")
        fields = [(name.lower(), text.strip()) for name, _, text in (line.partition(":") for line in lines[1:])]
        names = [name for name, _ in fields]
        if version != "HTTP/1.1" or names.count("host") != 1:
            await self._answer(stream, "400 Bad Request")
            return
        if not self._is_signed_in(dict(fields).get("proxy-authorization")):
            await self._answer(stream, "407 Proxy Authentication Required", 'Proxy-Authenticate: Basic realm="strict"')
            return
        if method == "CONNECT":
            self.log.append(f"CONNECT {target}")
            if target not in self.hosts:
                await self._answer(stream, "502 Bad Gateway")
                return
            origin = await anyio.connect_tcp("127.0.0.1", self.hosts[target])
            await stream.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
            await _carry(stream, origin, body)
            return
        url = urlsplit(target)
        if url.scheme != "http" or url.netloc != dict(fields)["host"]:
            await self._answer(stream, "400 Bad Request")
            return
        self.log.append(f"FORWARD {target}")
        port = self.hosts.get(f"{url.hostname}:{url.port or 80}")
        if port is None:
            await self._answer(stream, "503 Service Unavailable", "Proxy-Status: strict; error=dns_error")
            return
        path = url._replace(scheme="", netloc="").geturl() or "/"
        kept = [f"{name}: {text}" for name, text in fields if name not in {"proxy-authorization", "connection"}]
        request = "\r\n".join([f"{method} {path} HTTP/1.1", *kept, "connection: close"]) + "\r\n\r\n"
        await _carry(stream, await anyio.connect_tcp("127.0.0.1", port), request.encode("latin-1") + body)

    async def _answer(self, stream: SocketStream, status: str, *fields: str) -> None:
        head = "\r\n".join([f"HTTP/1.1 {status}", *fields, "Content-Length: 0", "Connection: close"])
        await stream.send(head.encode() + b"\r\n\r\n")

    def _is_signed_in(self, authorization: str | None) -> bool:
        if self.credential is None:
            return True
        pair = base64.b64encode(":".join(self.credential).encode()).decode()
        return authorization == f"Basic {pair}"

    async def _serve_socks(self, stream: SocketStream) -> None:
        methods = await _exactly(stream, (await _exactly(stream, 1))[0])
        method = 0 if self.credential is None else 2
        if method not in methods:
            await stream.send(b"\x05\xff")
            return
        await stream.send(bytes([5, method]))
        if self.credential is not None:
            assert await _exactly(stream, 1) == b"\x01"
            pair = [(await _exactly(stream, (await _exactly(stream, 1))[0])).decode() for _ in range(2)]
            is_right = tuple(pair) == self.credential
            await stream.send(b"\x01\x00" if is_right else b"\x01\x01")
            if not is_right:
                return
        version, command, reserved, kind = await _exactly(stream, 4)
        assert (version, command, reserved) == (5, 1, 0)
        if kind == 3:
            host = (await _exactly(stream, (await _exactly(stream, 1))[0])).decode("ascii")
        else:
            host = str(ip_address(await _exactly(stream, {1: 4, 4: 16}[kind])))
        authority = f"{host}:{int.from_bytes(await _exactly(stream, 2))}"
        self.log.append(f"SOCKS {authority}")
        reply = 0 if authority in self.hosts else 4
        await stream.send(bytes([5, reply, 0, 1]) + bytes(6))
        if not reply:
            await _carry(stream, await anyio.connect_tcp("127.0.0.1", self.hosts[authority]), b"")


async def _exactly(stream: SocketStream, count: int) -> bytes:
    received = b""
    while len(received) < count:
        received += await stream.receive(count - len(received))
    return received


async def _carry(client: SocketStream, origin: SocketStream, first: bytes) -> None:
    async def pump(source: SocketStream, target: SocketStream) -> None:
        try:
            async for piece in source:
                await target.send(piece)
            await target.send_eof()
        except _BROKEN:
            return

    async with origin, anyio.create_task_group() as tasks:
        if first:
            await origin.send(first)
        tasks.start_soon(pump, client, origin)
        await pump(origin, client)
        tasks.cancel_scope.cancel()


@asynccontextmanager
async def proxying(
    hosts: dict[str, int], *, credential: tuple[str, str] | None = None
) -> AsyncGenerator[StrictProxy, None]:
    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    proxy = StrictProxy(hosts, credential, listener.extra(anyio.abc.SocketAttribute.local_port))
    async with listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, proxy.serve)
        yield proxy
        tasks.cancel_scope.cancel()
