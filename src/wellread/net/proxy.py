"""The browser's only way to the network: a proxy on loopback that resolves, checks and dials as the HTTP client does.

Every job has a proxy session of its own: a port, a credential without which nothing is served, and limits. CONNECT
carries https and WebSocket as they are; plain HTTP is taken apart and sent on from its checked parts, so that a kept
connection never takes a request to another host than the one it was checked for (RFC 9110 section 7.6, RFC 9112).
"""

from __future__ import annotations

import base64
import hmac
import secrets
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
import h11
from anyio.abc import SocketAttribute

from wellread.errors import Budget, RefusedError, Unrecorded, WellreadError
from wellread.net import guard
from wellread.net.background_tasks import run_beside
from wellread.net.dial import GuardedBackend, SystemDialler, SystemResolver
from wellread.net.proxy_tunnel import forwarding_failure
from wellread.net.upstream_proxy import DIRECT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Iterator

    from anyio.abc import ByteStream, SocketStream
    from h11._headers import Headers

    from wellread.net.upstream_proxy import ProxyRoutes, UpstreamProxy
    from wellread.ports import Dialler, Resolver

MAX_HEAD_BYTES = 65_536
PIECE = 65_536
MAX_NOTED = 100
IDLE_S = 60.0
"""A connection that asks for nothing for so long is closed."""

# RFC 9110 section 7.6.1: these belong to one connection and are not passed on.
_HOP_BY_HOP = frozenset(
    {b"connection", b"proxy-connection", b"proxy-authorization", b"proxy-authenticate", b"keep-alive", b"te"}
    | {b"trailer", b"transfer-encoding", b"upgrade"}
)
_BROKEN = (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError, anyio.EndOfStream, h11.ProtocolError)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLimits:
    """The limits of one job."""

    max_bytes: int = 100_000_000
    """Both ways together, as they cross the wire."""
    max_connections: int = 500


@dataclass(slots=True)
class ProxySession:
    """The proxy session of one job: its port, credential, limits and counts."""

    port: int
    allowance: SessionLimits
    routes: ProxyRoutes = DIRECT
    username: str = "wellread"
    password: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    connections: int = 0
    received: int = 0
    """Bytes that came in."""
    sent: int = 0
    """Bytes that went out."""
    refusals: dict[str, WellreadError] = field(default_factory=dict)
    """`host:port` -> why nothing went there; the first 100."""

    @property
    def server(self) -> str:
        """Return the proxy's address as browsers take it."""
        return f"http://127.0.0.1:{self.port}"

    def opens_for(self, credential: bytes) -> bool:
        """Return whether a Proxy-Authorization field carries this gate's credential (RFC 7617)."""
        pair = f"{self.username}:{self.password}".encode()
        return hmac.compare_digest(credential, b"Basic " + base64.b64encode(pair))

    def note(self, place: str, error: WellreadError) -> None:
        """Keep the reason why nothing went to `place`."""
        if len(self.refusals) < MAX_NOTED:
            self.refusals.setdefault(place[:300], error)

    def refusal(self, url: str) -> WellreadError | None:
        """Return the reason why nothing went to a URL; None where it was not refused."""
        parts = urlsplit(url)
        authority = f"{parts.hostname}:{parts.port or (443 if parts.scheme == 'https' else 80)}"
        return self.refusals.get(authority) or self.refusals.get(url)

    def open_one(self) -> None:
        """Count a connection.

        Raises:
            Budget: the job has had all that it may open.
        """
        if self.connections >= self.allowance.max_connections:
            raise Budget(f"the page opens more than {self.connections:,} connections", hint="raise browser.connections")
        self.connections += 1

    def count(self, *, received: int = 0, sent: int = 0) -> None:
        """Count bytes.

        Raises:
            Budget: the job has carried all that it may.
        """
        self.received += received
        self.sent += sent
        if self.received + self.sent > self.allowance.max_bytes:
            limit = self.allowance.max_bytes
            raise Budget(f"the page transfers more than {limit:,} bytes", hint="raise browser.max_bytes")


class EgressProxy:
    """Opens proxy sessions. With `policy` None they reach nothing, as a replayed page must."""

    def __init__(
        self,
        policy: guard.Policy | None,
        *,
        resolver: Resolver | None = None,
        dialler: Dialler | None = None,
        routes: ProxyRoutes = DIRECT,
    ) -> None:
        """Take the policy, and the proxies of the settings behind this one."""
        self._policy = policy
        self._dialler = dialler or SystemDialler()
        self._resolver = resolver or SystemResolver()
        self._routes = routes

    @asynccontextmanager
    async def gate(
        self, allowance: SessionLimits | None = None, routes: ProxyRoutes | None = None
    ) -> AsyncGenerator[ProxySession, None]:
        """Open a proxy session; leaving closes it and all its connections. `routes` replace those of the settings."""
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        gate = ProxySession(
            listener.extra(SocketAttribute.local_port),  # noqa: S610 - anyio's, not Django's
            allowance or SessionLimits(),
            routes or self._routes,
        )

        async def serve(stream: SocketStream) -> None:
            async with stream:
                with suppress(*_BROKEN, Budget):  # the session has noted the reason
                    await _ProxyConnection(self, gate, stream).serve()

        async with listener, run_beside(partial(listener.serve, serve)):
            yield gate

    def target(self, url: str) -> guard.Target:
        """Decide whether a page may ask for `url`.

        Raises:
            InvalidUrl, BlockedAddress: as the guard decides.
            Unrecorded: nothing may be asked for, since a recording is made or replayed.
        """
        if self._policy is None:
            raise Unrecorded(f"{url[:200]} cannot be replayed from a recording", url=url[:200])
        return guard.check_url(url, self._policy)

    async def connect(self, target: guard.Target, proxy: UpstreamProxy | None, *, is_tunnel: bool) -> ByteStream:
        """Connect to a checked address of `target`, or to `proxy` or through it.

        Raises:
            BlockedAddress, Unreachable: as for the HTTP client.
        """
        assert self._policy is not None, "target() came first"
        backend = GuardedBackend(self._policy, self._resolver, self._dialler)
        if proxy is not None and proxy.forwards(target.scheme) and not is_tunnel:
            return await backend.connect_to_forwarder(proxy, target.host, target.port)
        return await backend.connect(target.host, target.port, proxy)


class _ProxyConnection:
    """One connection from the browser, from its first request to its end."""

    def __init__(self, egress: EgressProxy, gate: ProxySession, browser_stream: SocketStream) -> None:
        self._egress = egress
        self._gate = gate
        self._browser_stream = browser_stream
        self._server = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)

    async def serve(self) -> None:
        """Answer requests until the browser goes, or a tunnel has closed."""
        while True:
            with anyio.fail_after(IDLE_S):
                request = await self._next()
            if not isinstance(request, h11.Request):
                return
            await self._answer(request)
            if self._server.our_state is not h11.DONE or self._server.their_state is not h11.DONE:
                return
            self._server.start_next_cycle()

    async def _answer(self, request: h11.Request) -> None:
        credential = next((value for name, value in request.headers if name == b"proxy-authorization"), b"")
        if not self._gate.opens_for(credential):
            await self._reply(407, [(b"Proxy-Authenticate", b'Basic realm="wellread"')])
            return
        authority = request.target.decode("ascii", "replace")
        is_tunnel = request.method == b"CONNECT"
        try:
            self._gate.open_one()
            target = self._egress.target(f"https://{authority}/" if is_tunnel else authority)
            authority = f"{target.host}:{target.port}"
            proxy = self._gate.routes.proxy_for(target.scheme, target.host, target.port)
            origin_stream = await self._egress.connect(target, proxy, is_tunnel=is_tunnel)
        except WellreadError as error:
            self._gate.note(authority, error)
            await self._reply(403 if isinstance(error, RefusedError) else 502)
            return
        async with origin_stream:
            try:
                if is_tunnel:
                    await self._tunnel(origin_stream, authority)
                else:
                    if proxy is not None and not proxy.forwards(target.scheme):
                        proxy = None  # the tunnel through it is open
                    await self._exchange(request, target, origin_stream, proxy)
            except Budget as error:
                self._gate.note(authority, error)
                raise

    # ---------------------------------------------------------------------------------------------- tunnels

    async def _tunnel(self, origin_stream: ByteStream, authority: str) -> None:
        while not isinstance(await self._next(), h11.EndOfMessage):
            pass
        await self._browser_stream.send(
            self._server.send(h11.Response(status_code=200, headers=[], reason=b"Connected")) or b""
        )
        early, _ = self._server.trailing_data
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._pump_out, origin_stream, early, authority)
            await self._pump_in(origin_stream, authority)
            tasks.cancel_scope.cancel()

    async def _pump_out(self, origin_stream: ByteStream, piece: bytes, authority: str) -> None:
        try:
            with suppress(*_BROKEN):
                while True:
                    self._gate.count(sent=len(piece))
                    if piece:
                        await origin_stream.send(piece)
                    piece = await self._browser_stream.receive(PIECE)
            with suppress(*_BROKEN):
                await origin_stream.send_eof()
        except Budget as error:
            self._gate.note(authority, error)

    async def _pump_in(self, origin_stream: ByteStream, authority: str) -> None:
        try:
            with suppress(*_BROKEN):
                while True:
                    piece = await origin_stream.receive(PIECE)
                    self._gate.count(received=len(piece))
                    await self._browser_stream.send(piece)
        except Budget as error:
            self._gate.note(authority, error)

    # ------------------------------------------------------------------------------------------- plain HTTP

    async def _exchange(
        self,
        request: h11.Request,
        target: guard.Target,
        origin_stream: ByteStream,
        forwarder: UpstreamProxy | None,
    ) -> None:
        """Send a plain request on; a `forwarder` at the other end gets the whole URL and its credential."""
        client = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD_BYTES)

        async def send(event: h11.Event) -> None:
            data = client.send(event) or b""
            self._gate.count(sent=len(data))
            await origin_stream.send(data)

        headers = [(b"Host", target.authority.encode("ascii")), *_passed_on(request.headers, b"host")]
        headers += _framing(request.headers)
        place = target.path
        if forwarder is not None:
            place = target.url
            headers += forwarder.authorization
        headers.append((b"Connection", b"close"))
        await send(h11.Request(method=request.method, target=place.encode("ascii"), headers=headers))
        while True:
            piece = await self._next()
            await send(piece if isinstance(piece, h11.Data) else h11.EndOfMessage())
            if not isinstance(piece, h11.Data):
                break
        await self._pass_answer_back(client, origin_stream, target, forwarder)

    async def _pass_answer_back(
        self,
        client: h11.Connection,
        origin_stream: ByteStream,
        target: guard.Target,
        forwarder: UpstreamProxy | None,
    ) -> None:
        while True:
            event = client.next_event()
            if event is h11.NEED_DATA:
                data = b""
                with suppress(anyio.EndOfStream):
                    data = await origin_stream.receive(PIECE)
                self._gate.count(received=len(data))
                client.receive_data(data)
            elif isinstance(event, h11.Response):
                failure = forwarder and forwarding_failure(forwarder, event.status_code, list(event.headers))
                if failure:
                    self._gate.note(f"{target.host}:{target.port}", failure)
                    await self._reply(502)
                    return
                headers = list(_passed_on(event.headers))
                await self._send(h11.Response(status_code=event.status_code, headers=headers, reason=event.reason))
            elif isinstance(event, h11.Data):
                await self._send(h11.Data(data=event.data))
            elif isinstance(event, h11.EndOfMessage):
                await self._send(h11.EndOfMessage())
                return
            elif not isinstance(event, h11.InformationalResponse):
                return

    # ---------------------------------------------------------------------------------- towards the browser

    async def _next(self) -> h11.Event | type[h11.NEED_DATA | h11.PAUSED]:
        while (event := self._server.next_event()) is h11.NEED_DATA:
            try:
                data = await self._browser_stream.receive(PIECE)
            except anyio.EndOfStream:
                data = b""
            self._server.receive_data(data)
        return event

    async def _send(self, event: h11.Event) -> None:
        data = self._server.send(event)
        if data:
            await self._browser_stream.send(data)

    async def _reply(self, status: int, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Answer without a body: it would stand in a page of the refused site's own name."""
        await self._send(h11.Response(status_code=status, headers=[*headers, (b"Content-Length", b"0")]))
        await self._send(h11.EndOfMessage())
        while self._server.their_state is h11.SEND_BODY:
            await self._next()


def _passed_on(headers: Headers, *without: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the fields that go on to the next connection, as they were written."""
    named = [value for name, value in headers if name == b"connection"]
    dropped = _HOP_BY_HOP | {part.strip().lower() for value in named for part in value.split(b",")} | set(without)
    return ((name, value) for name, value in headers.raw_items() if name.lower() not in dropped)


def _framing(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if name == b"transfer-encoding"]
