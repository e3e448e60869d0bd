"""The browser's only way out: a proxy on loopback that resolves, checks and dials as the HTTP client does.

Every job has a gate of its own: a port, a credential without which nobody is served, and counts with limits. CONNECT
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

import anyio
import h11
from anyio.abc import SocketAttribute

from wellread.errors import Budget, RefusedError, Unreachable, Unrecorded, WellreadError
from wellread.net import guard
from wellread.net.background import beside
from wellread.net.dial import GuardedBackend, SystemDialler, SystemResolver
from wellread.net.upstream import through

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable, Iterator

    from anyio.abc import ByteStream, SocketStream
    from h11._headers import Headers

    from wellread.net.upstream import Upstream
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
class Allowance:
    """What one job may carry."""

    max_bytes: int = 100_000_000
    """Both ways together, as they cross the wire."""
    max_connections: int = 500


@dataclass(slots=True)
class Gate:
    """One job's way out, and what passed through it."""

    port: int
    allowance: Allowance
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
        """Say whether a Proxy-Authorization field carries this gate's credential (RFC 7617)."""
        pair = f"{self.username}:{self.password}".encode()
        return hmac.compare_digest(credential, b"Basic " + base64.b64encode(pair))

    def note(self, place: str, error: WellreadError) -> None:
        """Keep the reason why nothing went to `place`."""
        if len(self.refusals) < MAX_NOTED:
            self.refusals.setdefault(place[:300], error)

    def open_one(self) -> None:
        """Count a connection.

        Raises:
            Budget: the job has had all that it may open.
        """
        if self.connections >= self.allowance.max_connections:
            raise Budget(f"the page wants more than {self.connections:,} connections", hint="raise browser.connections")
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
            raise Budget(f"the page moves more than {limit:,} bytes", hint="raise browser.max_bytes")


class Egress:
    """Opens gates. `policy` None opens gates that lead nowhere: what a replayed page may reach."""

    def __init__(
        self,
        policy: guard.Policy | None,
        *,
        resolver: Resolver | None = None,
        dialler: Dialler | None = None,
        upstream: Upstream | None = None,
    ) -> None:
        """Take the policy; `upstream` is the user's own proxy, asked for checked addresses only."""
        self._policy = policy
        self._dialler = dialler or SystemDialler()
        self._resolver = resolver or SystemResolver()
        self._upstream = upstream

    @asynccontextmanager
    async def gate(self, allowance: Allowance | None = None) -> AsyncGenerator[Gate, None]:
        """Open a gate; leaving closes it and all that goes through it."""
        listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
        gate = Gate(
            listener.extra(SocketAttribute.local_port),  # noqa: S610 - anyio's, not Django's
            allowance or Allowance(),
        )

        async def serve(stream: SocketStream) -> None:
            async with stream:
                with suppress(*_BROKEN, Budget):  # the gate has noted what matters
                    await _Conversation(self, gate, stream).hold()

        async with listener, beside(partial(listener.serve, serve)):
            yield gate

    def target(self, url: str) -> guard.Target:
        """Decide whether a page may ask for `url`.

        Raises:
            InvalidUrl, BlockedAddress: as the guard decides.
            Unrecorded: nothing may be asked for, since a recording is made or replayed.
        """
        if self._policy is None:
            raise Unrecorded(f"{url[:200]} is not part of a recording", url=url[:200])
        return guard.target(url, self._policy)

    async def connect(self, target: guard.Target) -> ByteStream:
        """Connect to a checked address of `target`.

        Raises:
            BlockedAddress, Unreachable: as for the HTTP client.
        """
        assert self._policy is not None, "target() came first"
        backend = GuardedBackend(self._policy, self._resolver, self._dialler)
        if self._upstream is None:
            return await backend.connect(target.host, target.port)
        addresses = await backend.addresses(target.host, target.port)
        if not addresses:
            raise Unreachable(f"{target.host} has no address", url=target.url)
        return await through(self._upstream, addresses[0], target.port, self._resolver, self._dialler)


class _Conversation:
    """One connection from the browser, from its first request to its end."""

    def __init__(self, egress: Egress, gate: Gate, near: SocketStream) -> None:
        self._egress = egress
        self._gate = gate
        self._near = near
        self._server = h11.Connection(h11.SERVER, max_incomplete_event_size=MAX_HEAD_BYTES)

    async def hold(self) -> None:
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
        given = next((value for name, value in request.headers if name == b"proxy-authorization"), b"")
        if not self._gate.opens_for(given):
            await self._say(407, [(b"Proxy-Authenticate", b'Basic realm="wellread"')])
            return
        place = request.target.decode("ascii", "replace")
        tunnel = request.method == b"CONNECT"
        try:
            self._gate.open_one()
            target = self._egress.target(f"https://{place}/" if tunnel else place)
            place = f"{target.host}:{target.port}"
            far = await self._egress.connect(target)
        except WellreadError as error:
            self._gate.note(place, error)
            await self._say(403 if isinstance(error, RefusedError) else 502)
            return
        async with far:
            try:
                await (self._tunnel(far, place) if tunnel else self._exchange(request, target, far))
            except Budget as error:
                self._gate.note(place, error)
                raise

    # ---------------------------------------------------------------------------------------------- tunnels

    async def _tunnel(self, far: ByteStream, place: str) -> None:
        while not isinstance(await self._next(), h11.EndOfMessage):
            pass
        await self._near.send(self._server.send(h11.Response(status_code=200, headers=[], reason=b"Connected")) or b"")
        early, _ = self._server.trailing_data
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._pump_out, far, early, place)
            await self._pump_in(far, place)
            tasks.cancel_scope.cancel()

    async def _pump_out(self, far: ByteStream, piece: bytes, place: str) -> None:
        try:
            with suppress(*_BROKEN):
                while True:
                    self._gate.count(sent=len(piece))
                    if piece:
                        await far.send(piece)
                    piece = await self._near.receive(PIECE)
            with suppress(*_BROKEN):
                await far.send_eof()
        except Budget as error:
            self._gate.note(place, error)

    async def _pump_in(self, far: ByteStream, place: str) -> None:
        try:
            with suppress(*_BROKEN):
                while True:
                    piece = await far.receive(PIECE)
                    self._gate.count(received=len(piece))
                    await self._near.send(piece)
        except Budget as error:
            self._gate.note(place, error)

    # ------------------------------------------------------------------------------------------- plain HTTP

    async def _exchange(self, request: h11.Request, target: guard.Target, far: ByteStream) -> None:
        client = h11.Connection(h11.CLIENT, max_incomplete_event_size=MAX_HEAD_BYTES)

        async def send(event: h11.Event) -> None:
            data = client.send(event) or b""
            self._gate.count(sent=len(data))
            await far.send(data)

        headers = [(b"Host", target.authority.encode("ascii")), *_passed_on(request.headers, b"host")]
        headers += _framing(request.headers)
        path = target.path.encode("ascii")
        await send(h11.Request(method=request.method, target=path, headers=[*headers, (b"Connection", b"close")]))
        while True:
            piece = await self._next()
            await send(piece if isinstance(piece, h11.Data) else h11.EndOfMessage())
            if not isinstance(piece, h11.Data):
                break
        await self._pass_answer_back(client, far)

    async def _pass_answer_back(self, client: h11.Connection, far: ByteStream) -> None:
        while True:
            event = client.next_event()
            if event is h11.NEED_DATA:
                data = b""
                with suppress(anyio.EndOfStream):
                    data = await far.receive(PIECE)
                self._gate.count(received=len(data))
                client.receive_data(data)
            elif isinstance(event, h11.Response):
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
                data = await self._near.receive(PIECE)
            except anyio.EndOfStream:
                data = b""
            self._server.receive_data(data)
        return event

    async def _send(self, event: h11.Event) -> None:
        data = self._server.send(event)
        if data:
            await self._near.send(data)

    async def _say(self, status: int, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
        """Answer without a body: it would stand in a page of the refused site's own name."""
        await self._send(h11.Response(status_code=status, headers=[*headers, (b"Content-Length", b"0")]))
        await self._send(h11.EndOfMessage())
        while self._server.their_state is h11.SEND_BODY:
            await self._next()


def _passed_on(headers: Headers, *without: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the fields that go on to the next connection, as they were written."""
    named = [value for name, value in headers if name == b"connection"]
    gone = _HOP_BY_HOP | {part.strip().lower() for value in named for part in value.split(b",")} | set(without)
    return ((name, value) for name, value in headers.raw_items() if name.lower() not in gone)


def _framing(headers: Headers) -> list[tuple[bytes, bytes]]:
    return [(name, value) for name, value in headers if name == b"transfer-encoding"]
