"""The egress proxy over real connections: who is served, where requests go, and what is counted."""

from __future__ import annotations

import base64
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import pytest

from scenario.loopback import head, serving, then_closes, whole
from wellread.config import NetSettings
from wellread.errors import Budget
from wellread.net import guard
from wellread.net.proxy import EgressProxy, SessionLimits
from wellread.net.upstream_proxy import DIRECT, only_through, parse_proxy

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from anyio.abc import SocketStream

    from scenario.loopback import Server
    from wellread.net.proxy import ProxySession


def credential(gate: ProxySession) -> str:
    pair = base64.b64encode(f"{gate.username}:{gate.password}".encode()).decode()
    return f"Proxy-Authorization: Basic {pair}\r\n"


@asynccontextmanager
async def gate_to(
    *servers: Server, allowance: SessionLimits | None = None, via: str | None = None
) -> AsyncGenerator[ProxySession, None]:
    listed = tuple(f"127.0.0.1:{server.port}" for server in servers)
    policy = guard.read_policy(NetSettings(allow_hosts=listed))
    routes = only_through(parse_proxy(via, "browser.upstream", resolves_names=False)) if via else DIRECT
    egress = EgressProxy(policy, routes=routes)
    async with egress.gate(allowance) as gate:
        yield gate


async def said(stream: SocketStream, request: str) -> bytes:
    """Send a request and return its answer: the head, and as much of a body as it announces."""
    await stream.send(request.encode())
    told = b""
    while b"\r\n\r\n" not in told:
        told += await stream.receive()
    start, _, rest = told.partition(b"\r\n\r\n")
    lengths = [int(line.split(b":")[1]) for line in start.split(b"\r\n") if line.lower().startswith(b"content-length")]
    while lengths and len(rest) < lengths[0]:
        rest += await stream.receive()
    return start + b"\r\n\r\n" + rest


async def dialled(gate: ProxySession) -> SocketStream:
    return await anyio.connect_tcp("127.0.0.1", gate.port)


def get(server: Server, gate: ProxySession, path: str = "/", extra: str = "") -> str:
    return f"GET {server.url(path)} HTTP/1.1\r\nHost: ignored\r\n{credential(gate)}{extra}\r\n"


@pytest.mark.parametrize("given", ["", "Proxy-Authorization: Basic d2VsbHJlYWQ6Z3Vlc3M=\r\n"])
async def test_nobody_without_the_credential_is_served(given: str) -> None:
    async with serving() as server, gate_to(server) as gate, await dialled(gate) as stream:
        told = await said(stream, f"GET {server.url()} HTTP/1.1\r\nHost: x\r\n{given}\r\n")
        tunnel = await said(stream, f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\nHost: x\r\n{given}\r\n")
    assert told.startswith(b"HTTP/1.1 407")
    assert tunnel.startswith(b"HTTP/1.1 407")
    assert server.connections == 0
    assert gate.password not in repr(gate)


async def test_forwarded_request_has_no_proxy_headers() -> None:
    async with serving() as server, gate_to(server) as gate, await dialled(gate) as stream:
        server.paths["/a?b"] = whole(b"the page", X_Said="yes", Proxy_Authenticate="Basic")
        extra = "X-Mine: 1\r\nConnection: keep-alive, X-Hop\r\nX-Hop: 1\r\nUpgrade: websocket\r\n"
        told = await said(stream, get(server, gate, "/a?b", extra))
    assert told.endswith(b"\r\n\r\nthe page")
    assert b"X-Said: yes" in told
    assert b"Proxy-Authenticate" not in told
    (request,) = server.requests
    assert request.startswith(b"GET /a?b HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n" % server.port)
    assert b"X-Mine: 1" in request
    for gone in (b"Proxy-Authorization", b"X-Hop", b"Upgrade", b"ignored"):
        assert gone not in request


async def test_a_kept_connection_takes_each_request_to_its_own_host() -> None:
    async with serving() as one, serving() as two, gate_to(one, two) as gate, await dialled(gate) as stream:
        one.paths["/"], two.paths["/"] = whole(b"one"), whole(b"two")
        told = [await said(stream, get(server, gate)) for server in (one, two, one)]
    assert [answer[-3:] for answer in told] == [b"one", b"two", b"one"]
    assert (len(one.requests), len(two.requests)) == (2, 1)


async def test_a_kept_connection_does_not_lead_to_a_private_host_either() -> None:
    async with serving() as one, serving() as two, gate_to(one) as gate, await dialled(gate) as stream:
        one.paths["/"] = whole(b"one")
        assert (await said(stream, get(one, gate))).endswith(b"one")
        told = await said(stream, get(two, gate))
    assert told.startswith(b"HTTP/1.1 403")
    assert told.endswith(b"\r\n\r\n")
    assert two.connections == 0
    assert [error.code for error in gate.refusals.values()] == ["blocked_address"]


async def test_a_body_goes_up_and_an_answer_without_a_length_comes_down() -> None:
    async with serving() as server, gate_to(server) as gate, await dialled(gate) as stream:
        server.paths["/up"] = then_closes(head(Connection="close") + b"until the end")
        request = f"POST {server.url('/up')} HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n{credential(gate)}\r\nhello"
        told = await said(stream, request)
        while b"0\r\n\r\n" not in told:
            told += await stream.receive()
    assert b"until the end" in told
    assert server.requests[0].endswith(b"\r\n\r\nhello")


async def test_a_tunnel_carries_bytes_both_ways_and_they_are_counted() -> None:
    async with serving() as server, gate_to(server) as gate, await dialled(gate) as stream:
        server.paths["/in"] = whole(b"inside")
        told = await said(stream, f"CONNECT 127.0.0.1:{server.port} HTTP/1.1\r\nHost: x\r\n{credential(gate)}\r\n")
        assert told.startswith(b"HTTP/1.1 200")
        assert (await said(stream, "GET /in HTTP/1.1\r\nHost: x\r\n\r\n")).endswith(b"inside")
        assert gate.connections == 1
        assert gate.sent > 20
        assert gate.received > 20


@pytest.mark.parametrize("place", ["10.0.0.1:80", "localhost:80", "[::1]:80", "0x7f.1:80", "127.0.0.1:22"])
async def test_a_tunnel_to_what_is_not_public_is_refused(place: str) -> None:
    async with serving() as server, gate_to(server) as gate, await dialled(gate) as stream:
        told = await said(stream, f"CONNECT {place} HTTP/1.1\r\nHost: x\r\n{credential(gate)}\r\n")
    assert told.startswith(b"HTTP/1.1 403")
    assert server.connections == 0


async def test_a_job_that_moves_too_much_is_cut_off() -> None:
    async with serving() as server, gate_to(server, allowance=SessionLimits(max_bytes=20_000)) as gate:
        server.paths["/"] = whole(b"x" * 100_000)
        async with await dialled(gate) as stream:
            with pytest.raises((anyio.EndOfStream, anyio.BrokenResourceError)):
                await said(stream, get(server, gate))
    assert isinstance(next(iter(gate.refusals.values())), Budget)
    assert gate.received < 100_000


async def test_a_job_that_opens_too_much_is_refused() -> None:
    async with serving() as server, gate_to(server, allowance=SessionLimits(max_connections=1)) as gate:
        server.paths["/"] = whole(b"one")
        async with await dialled(gate) as stream:
            assert (await said(stream, get(server, gate))).startswith(b"HTTP/1.1 200")
            assert (await said(stream, get(server, gate))).startswith(b"HTTP/1.1 403")
    assert server.connections == 1


async def test_a_gate_that_leads_nowhere_refuses_everything() -> None:
    async with serving() as server, EgressProxy(None).gate() as gate, await dialled(gate) as stream:
        told = await said(stream, get(server, gate))
    assert told.startswith(b"HTTP/1.1 502")
    assert server.connections == 0


async def test_a_proxy_of_the_users_own_is_asked_for_the_checked_address() -> None:
    async def theirs(stream: SocketStream, _: bytes) -> None:
        await stream.send(b"HTTP/1.1 200 OK\r\n\r\n")
        await stream.receive()
        await stream.send(whole(b"from beyond"))

    async with serving() as server, serving() as beyond:
        beyond.paths[f"127.0.0.1:{server.port}"] = theirs
        async with (
            gate_to(server, via=f"http://me:pass@127.0.0.1:{beyond.port}") as gate,
            await dialled(gate) as stream,
        ):
            told = await said(stream, get(server, gate))
            refused = await said(stream, f"CONNECT 10.0.0.1:80 HTTP/1.1\r\nHost: x\r\n{credential(gate)}\r\n")
    assert told.endswith(b"from beyond")
    assert refused.startswith(b"HTTP/1.1 403")
    (asked,) = beyond.requests
    assert asked.startswith(f"CONNECT 127.0.0.1:{server.port} HTTP/1.1".encode())
    assert base64.b64encode(b"me:pass") in asked
    assert server.connections == 0
