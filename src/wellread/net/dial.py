"""Sends requests over the network: resolves a name once, checks every address with the guard, dials the checked ones.

Sockets, TLS, the HTTP library and all their errors end in this file.
"""

from __future__ import annotations

import selectors
import socket
import threading
from concurrent.futures import Future
from contextlib import aclosing, asynccontextmanager, contextmanager, suppress
from ipaddress import ip_address
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, Any

import anyio
import anyio.from_thread
import anyio.lowlevel
import h2.exceptions
import h11
import httpcore2
from anyio.abc import SocketAttribute
from anyio.streams.tls import TLSAttribute, TLSStream

from wellread.errors import (
    BlockedAddress,
    InvalidInput,
    TooLarge,
    Unreachable,
    Upstream,
    WellreadError,
)
from wellread.net import guard
from wellread.net.protocol_faults import protocol_fault
from wellread.net.proxy_tunnel import forwarding_failure, open_tunnel, proxy_failure
from wellread.net.tls import failure_reason, tls_failure, trust
from wellread.net.transport import HopResponse, is_field, is_token
from wellread.net.upstream_proxy import DIRECT, ProxyRoutes, host_and_port, read_routes

if TYPE_CHECKING:
    import ssl
    from collections.abc import AsyncGenerator, Iterator, Sequence

    from anyio.abc import ByteStream

    from wellread.config import NetSettings, Settings
    from wellread.net.transport import Hop
    from wellread.net.upstream_proxy import UpstreamProxy
    from wellread.ports import Dialler, Resolver

CONNECT_S = 3.0
"""Patience with one address while others wait; a SYN is sent again after 1 s and after 3 s (RFC 6298 section 2)."""
MAX_ADDRESSES = 8
"""Of a name with more addresses, so many are tried."""
MAX_CONNECTIONS = 100
KEEP_ALIVE_S = 15.0
CLOSE_S = 5.0
"""For an answer that nobody reads on."""
H11_TOO_LONG = 431
BROKEN_HINT = "try again; the server or the network closed the connection"

_ProbeSelector: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)
"""Asks for one socket by one system call, and has no file of its own; `DefaultSelector` has one for each."""
_OWN_HEADERS = frozenset({"host", "connection", "content-length", "transfer-encoding"})
_BROKEN = (OSError, anyio.BrokenResourceError, anyio.ClosedResourceError)


# ----------------------------------------------------------------------------- the system's resolver and sockets


class SystemResolver:
    """Asks the operating system, hosts file included."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return every address of `host`, in the system's order (RFC 6724)."""
        try:
            return await _in_daemon_thread(host, port)
        except OSError as error:
            failure = Unreachable(f"the name {host} has no address: {failure_reason(error)}")
            failure.retryable = error.errno != socket.EAI_NONAME
            raise failure from error


async def _in_daemon_thread(host: str, port: int) -> list[str]:
    """Look up `host` in a thread that may be left behind: getaddrinfo cannot be cancelled.

    A pooled worker thread would be waited for at exit, up to half a minute where no name server answers.
    """
    token, looked_up = anyio.lowlevel.current_token(), anyio.Event()
    outcome: Future[list[str]] = Future()

    def look_up() -> None:
        try:
            records = socket.getaddrinfo(host.encode(), port, type=socket.SOCK_STREAM)
            outcome.set_result(list(dict.fromkeys(str(address[0]) for *_, address in records)))
        except Exception as error:  # noqa: BLE001 - handed to the task that waits
            outcome.set_exception(error)
        with suppress(RuntimeError):  # the loop has ended meanwhile
            anyio.from_thread.run_sync(looked_up.set, token=token)

    threading.Thread(target=look_up, name=f"resolve {host}", daemon=True).start()
    await looked_up.wait()
    return outcome.result()


class SystemDialler:
    """Opens TCP connections, and makes sure that the far end is the address that was meant."""

    async def dial(self, address: str, port: int) -> ByteStream:
        """Connect to `address`, a literal."""
        stream = await anyio.connect_tcp(ip_address(address), port)
        try:
            _check_peer(stream, address, port)
        except BaseException:
            await anyio.aclose_forcefully(stream)
            raise
        return stream


def _check_peer(stream: ByteStream, address: str, port: int) -> None:
    peer = stream.extra(SocketAttribute.remote_address)  # noqa: S610 - anyio's, not Django's
    if (ip_address(str(peer[0])), peer[1]) != (ip_address(address), port):
        raise BlockedAddress(f"{address} port {port} was requested, but {peer[0]} port {peer[1]} answers")


# ------------------------------------------------------------------------------------- under the HTTP library


class GuardedBackend(httpcore2.AsyncNetworkBackend):
    """The only way from the HTTP library to the network. Deadlines are the caller's, by cancellation."""

    def __init__(
        self, policy: guard.Policy, resolver: Resolver, dialler: Dialler, routes: ProxyRoutes = DIRECT
    ) -> None:
        self._policy = policy
        self._resolver = resolver
        self._dialler = dialler
        self.routes = routes

    async def connect_tcp(self, host: str, port: int, *_: object, **__: object) -> _Stream:
        """Connect for the HTTP library, without a proxy."""
        return _Stream(await self.connect(host, port))

    async def addresses(self, host: str, port: int) -> list[str]:
        """Resolve `host` once, and refuse all its addresses if one is not public."""
        target = self._checked(host, port)
        resolved = [host] if _is_address(host) else await self._resolver.resolve(host, port)
        return _interleaved([guard.check_address(address, target, self._policy) for address in resolved])[
            :MAX_ADDRESSES
        ]

    async def connect(self, host: str, port: int, proxy: UpstreamProxy | None = None) -> ByteStream:
        """Dial the checked addresses of `host` in turn, or open a tunnel through `proxy` to it.

        A proxy that resolves names gets the name, which is checked as text. Any other gets a checked address.
        """
        if proxy is None:
            return await self._dial_in_turn(await self.addresses(host, port), host, port)
        if proxy.resolves_names:
            endpoint = self._checked(host, port).host
        else:
            addresses = await self.addresses(host, port)
            if not addresses:
                raise Unreachable(f"there is no answer at {host_and_port(host, port)} (it has no address)")
            endpoint = addresses[0]
        return await open_tunnel(await self._dial_proxy(proxy), proxy, endpoint, port)

    async def connect_to_forwarder(self, proxy: UpstreamProxy, host: str, port: int) -> ByteStream:
        """Connect to `proxy` itself, which is to forward plain HTTP to `host`."""
        self._checked(host, port)
        return await self._dial_proxy(proxy)

    def _checked(self, host: str, port: int) -> guard.Target:
        return guard.check_url(f"http://{host_and_port(host, port)}/", self._policy)

    async def _dial_proxy(self, proxy: UpstreamProxy) -> ByteStream:
        """Connect to a proxy, which the settings name and which no guard checks."""
        try:
            addresses = await self._resolver.resolve(proxy.host, proxy.port)
            stream = await self._dial_in_turn(list(addresses)[:MAX_ADDRESSES], proxy.host, proxy.port)
        except Unreachable as error:
            raise proxy_failure(proxy, "does not answer", detail=error.message) from error
        except OSError as error:
            raise proxy_failure(proxy, "does not answer", detail=failure_reason(error)) from error
        if not proxy.uses_tls:
            return stream
        try:
            return await _with_tls(stream, trust(proxy.ca_file), proxy.host)
        except Unreachable as error:
            raise proxy_failure(proxy, "cannot be used", detail=error.message) from error

    async def _dial_in_turn(self, addresses: list[str], host: str, port: int) -> ByteStream:
        failures = [] if addresses else ["it has no address"]
        for number, address in enumerate(addresses, 1):
            is_last = number == len(addresses)
            try:
                with anyio.fail_after(None if is_last else CONNECT_S):
                    return await self._dialler.dial(address, port)
            except OSError as error:  # TimeoutError is one
                failures.append(f"{address}: {failure_reason(error)}")
        raise Unreachable(f"there is no answer at {host_and_port(host, port)} ({'; '.join(failures)})")

    async def connect_unix_socket(self, path: str, *_: object, **__: object) -> _Stream:
        """Refuse: a UNIX socket is never public."""
        raise BlockedAddress(f"{path!r} is a UNIX socket, not a public address")

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await anyio.sleep(seconds)


class _Stream(httpcore2.AsyncNetworkStream):
    """A connection as the HTTP library wants it. `ended` tells a broken connection from a broken protocol."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._probe = _SocketProbe(stream.extra(SocketAttribute.raw_socket, None))  # noqa: S610 - anyio's, not Django's
        self.ended = False

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002, ASYNC109 - theirs
        try:
            return await self._stream.receive(max_bytes)
        except anyio.EndOfStream:
            self.ended = True
            return b""
        except _BROKEN as error:
            raise httpcore2.ReadError(failure_reason(error)) from error

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109 - theirs
        try:
            await self._stream.send(buffer)
        except _BROKEN as error:
            raise httpcore2.WriteError(failure_reason(error)) from error

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109 - theirs
    ) -> _Stream:
        return _Stream(await _with_tls(self._stream, ssl_context, server_hostname))

    def get_extra_info(self, info: str) -> Any:  # Any: as the library declares it
        if info == "ssl_object":
            return self._stream.extra(TLSAttribute.ssl_object, None)  # noqa: S610 - anyio's, not Django's
        if info == "is_readable":
            return self._probe.is_readable()
        return None


async def _with_tls(stream: ByteStream, context: ssl.SSLContext, host: str | None) -> ByteStream:
    """Return `stream` under TLS; it is closed where the handshake fails."""
    try:
        return await TLSStream.wrap(stream, hostname=host, ssl_context=context, standard_compatible=False)
    except BaseException as error:
        await anyio.aclose_forcefully(stream)
        if isinstance(error, (*_BROKEN, anyio.EndOfStream, ValueError)):
            raise tls_failure(host, error) from error
        raise


class _TunnelBackend(httpcore2.AsyncNetworkBackend):
    """Connects the HTTP library through one proxy, to the same origin each time."""

    def __init__(self, backend: GuardedBackend, proxy: UpstreamProxy, *, forwards: bool) -> None:
        self._backend = backend
        self._proxy = proxy
        self._forwards = forwards

    async def connect_tcp(self, host: str, port: int, *_: object, **__: object) -> _Stream:
        if self._forwards:
            return _Stream(await self._backend.connect_to_forwarder(self._proxy, host, port))
        return _Stream(await self._backend.connect(host, port, self._proxy))

    async def connect_unix_socket(self, path: str, *_: object, **__: object) -> _Stream:
        return await self._backend.connect_unix_socket(path)

    async def sleep(self, seconds: float) -> None:
        await self._backend.sleep(seconds)


class _ForwardedConnection(httpcore2.AsyncHTTPConnection):
    """A connection to a proxy that forwards plain HTTP: the request line has the whole URL (RFC 9112 section 3.2.2)."""

    def __init__(self, backend: GuardedBackend, proxy: UpstreamProxy, origin: httpcore2.Origin) -> None:
        super().__init__(
            origin,
            keepalive_expiry=KEEP_ALIVE_S,
            network_backend=_TunnelBackend(backend, proxy, forwards=True),
        )
        self._proxy = proxy

    async def handle_async_request(self, request: httpcore2.Request) -> httpcore2.Response:
        """Send the request to the proxy, with the credential for the proxy."""
        url = request.url
        authority = next(text for name, text in request.headers if name.lower() == b"host")
        place = url.scheme + b"://" + authority + url.target
        forwarded = httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=url.scheme, host=url.host, port=url.port, target=place),
            headers=[*request.headers, *self._proxy.authorization],
            content=request.stream,
            extensions=request.extensions,
        )
        response = await super().handle_async_request(forwarded)
        failure = forwarding_failure(self._proxy, response.status, response.headers)
        if failure is not None:
            await response.aclose()
            raise failure
        return response


class _SocketProbe:
    """Tells whether an idle connection has something to say, which can only be that it has closed.

    Each request asks all idle connections for it. So the socket is looked up once, for which anyio asks the system for
    the peer's address, and is registered once.
    """

    def __init__(self, raw_socket: socket.socket | None) -> None:
        self._raw_socket = raw_socket
        self._selector = _ProbeSelector()
        if raw_socket is not None:
            self._selector.register(raw_socket, selectors.EVENT_READ)

    def is_readable(self) -> bool:
        """Return whether a read would return at once; also where the socket is closed here."""
        if self._raw_socket is None or self._raw_socket.fileno() < 0:
            return True
        return bool(self._selector.select(0))


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host))
    except ValueError:
        return False


def _interleaved(addresses: list[str]) -> list[str]:
    """Alternate the families, the resolver's first choice first (RFC 8305 section 4)."""
    preferred = [address for address in addresses if (":" in address) == (":" in addresses[0])]
    other = [address for address in addresses if address not in preferred]
    return [address for address in chain(*zip_longest(preferred, other)) if address]


# ---------------------------------------------------------------------------------------------- the transport


class NetworkTransport:
    """Carries hops over HTTP/1.1 and HTTP/2, through the proxies of the settings alone."""

    def __init__(
        self,
        settings: Settings,
        *,
        policy: guard.Policy,
        resolver: Resolver | None = None,
        dialler: Dialler | None = None,
    ) -> None:
        routes = read_routes(settings.net)
        backend = GuardedBackend(policy, resolver or SystemResolver(), dialler or SystemDialler(), routes)
        self._pool = connection_pool(settings.net, backend)

    @asynccontextmanager
    async def send(self, hop: Hop) -> AsyncGenerator[HopResponse, None]:
        """Open the exchange; see `transport.Transport`."""
        request = _request(hop)
        with _translated(hop.target):
            response = await self._pool.handle_async_request(request)
        try:
            async with aclosing(_chunks(response, hop.target)) as chunks:
                yield HopResponse(
                    status=response.status,
                    reason=response.extensions.get("reason_phrase", b"").decode("latin-1"),
                    http_version=response.extensions["http_version"].decode("ascii").removeprefix("HTTP/"),
                    headers=tuple(
                        (name.decode("latin-1"), value.decode("latin-1")) for name, value in response.headers
                    ),
                    chunks=chunks,
                )
        finally:
            with anyio.move_on_after(CLOSE_S, shield=True):  # whoever gave up must not wait for a peer that is gone
                await response.aclose()

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()


class _ConnectionPool(httpcore2.AsyncConnectionPool):
    """Chooses the proxy of each origin, and loads the system's certificates when TLS first needs them.

    That takes 30 ms of CPU, and many pools never do.
    """

    def __init__(self, backend: GuardedBackend, *, ssl_context: ssl.SSLContext | None, max_connections: int) -> None:
        super().__init__(
            ssl_context=ssl_context,
            max_connections=max_connections,
            keepalive_expiry=KEEP_ALIVE_S,
            http2=True,
            network_backend=backend,
        )
        self._backend = backend

    def create_connection(self, origin: httpcore2.Origin) -> httpcore2.AsyncConnectionInterface:
        """Return a connection to `origin` that is not open yet."""
        if self._ssl_context is None and origin.scheme == b"https":
            self._ssl_context = trust(None)
        scheme = origin.scheme.decode("ascii")
        proxy = self._backend.routes.proxy_for(scheme, origin.host.decode("ascii"), origin.port)
        if proxy is None:
            return super().create_connection(origin)
        if proxy.forwards(scheme):
            return _ForwardedConnection(self._backend, proxy, origin)
        return httpcore2.AsyncHTTPConnection(
            origin,
            ssl_context=self._ssl_context,
            keepalive_expiry=KEEP_ALIVE_S,
            http2=True,
            network_backend=_TunnelBackend(self._backend, proxy, forwards=False),
        )


def connection_pool(
    net: NetSettings, backend: GuardedBackend, *, max_connections: int = MAX_CONNECTIONS
) -> httpcore2.AsyncConnectionPool:
    """Return a pool of connections that `backend` opens.

    Raises:
        ConfigError: net.ca_file cannot be read.
    """
    ssl_context = None if net.ca_file is None else trust(net.ca_file)
    return _ConnectionPool(backend, ssl_context=ssl_context, max_connections=max_connections)


def _request(hop: Hop) -> httpcore2.Request:
    """Build the request from the parts that the guard has checked; Host and length are ours to say."""
    headers = [("Host", hop.target.authority), *((k, v) for k, v in hop.headers if k.lower() not in _OWN_HEADERS)]
    if hop.body or hop.method not in {"GET", "HEAD"}:
        headers.append(("Content-Length", str(len(hop.body))))
    for name, value in headers:
        if not is_field(name, value):
            # Its value stays out of the message: it may be a key.
            raise InvalidInput(f"the header {name!r} has characters that are not allowed", url=hop.target.url)
    if not is_token(hop.method):
        raise InvalidInput(f"{hop.method!r} is not an HTTP method", url=hop.target.url)
    return httpcore2.Request(
        hop.method,
        httpcore2.URL(scheme=hop.target.scheme, host=hop.target.host, port=hop.target.port, target=hop.target.path),
        headers=[(name.encode("ascii"), value.encode("latin-1")) for name, value in headers],
        content=hop.body,
    )


async def _chunks(response: httpcore2.Response, target: guard.Target) -> AsyncGenerator[bytes, None]:
    stream = response.extensions.get("network_stream")
    with _translated(target, stream):
        async with aclosing(response.aiter_stream()) as chunks:
            async for chunk in chunks:
                yield chunk


# ----------------------------------------------------------------------------------- foreign errors become ours


@contextmanager
def _translated(target: guard.Target, stream: _Stream | None = None) -> Iterator[None]:
    try:
        yield
    except WellreadError as error:
        error.url = target.url  # below, only host and port were known
        raise
    except (httpcore2.NetworkError, httpcore2.TimeoutException) as error:
        message = f"the connection to {target.authority} broke: {error}"
        raise Unreachable(message, url=target.url, hint=BROKEN_HINT) from error
    except (httpcore2.ProtocolError, h2.exceptions.H2Error, ValueError) as error:
        raise _bad_protocol(error, target, ended=stream is not None and stream.ended) from error


def _bad_protocol(error: Exception, target: guard.Target, *, ended: bool) -> WellreadError:
    """Return the error for a broken exchange: Unreachable for a connection that broke off, Upstream for bad HTTP."""
    # The library keeps the cause as its first argument.
    first = error.args[0] if error.args and isinstance(error, httpcore2.ProtocolError) else error
    too_long = isinstance(first, h11.RemoteProtocolError) and first.error_status_hint == H11_TOO_LONG
    if too_long or isinstance(first, h2.exceptions.DenialOfServiceError):
        hint = "read another source"
        return TooLarge(f"{target.authority} sends too many headers", url=target.url, hint=hint)
    broke_off = ended or not isinstance(first, Exception)  # a sentence of theirs, or an HTTP/2 reset
    if broke_off:
        message = f"{target.authority} closed the connection too early: {protocol_fault(first)}"
        return Unreachable(message, url=target.url, hint=BROKEN_HINT)
    return Upstream(f"{target.authority} breaks the HTTP protocol: {protocol_fault(first)}", url=target.url)
