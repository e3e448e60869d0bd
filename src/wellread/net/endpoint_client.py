"""The HTTP client for third-party SDKs (language models, MCP): it reaches only the hosts that are named.

They get our guard under their own client: names are resolved once, every address is checked, the checked one is
dialled, only proxies of the settings are used, and no redirect is followed. Trying again is done here, alike for all.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import anyio
import httpcore2
import httpx2

from wellread.errors import (
    BlockedAddress,
    ConfigError,
    InvalidUrl,
    RefusedError,
    TooLarge,
    WellreadError,
    without_password,
)
from wellread.net import guard
from wellread.net.dial import GuardedBackend, SystemDialler, SystemResolver, connection_pool
from wellread.net.http_dates import retry_after_s
from wellread.net.protocol_faults import protocol_fault
from wellread.net.retries import STATUSES
from wellread.net.upstream_proxy import read_routes
from wellread.values import Address, mask_urls

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from wellread.config import NetSettings
    from wellread.net.guard import Target
    from wellread.ports import Clock, Dialler, Resolver

EndpointClient = httpx2.AsyncClient
EndpointError = httpx2.HTTPError
"""Raised in reading a response whose connection breaks; SDKs pass it on as it is, or in errors of their own."""

MAX_BYTES = 50_000_000
"""Of one answer; the longest of any model is a fraction of it."""
MAX_WAIT_S = 60.0
"""The longest pause that a server's Retry-After gets; what asks for more is not asked again."""
MAX_CONNECTIONS = 20
OVERLOADED = 529
"""Anthropic's own status for too much traffic (docs: API errors)."""
HIDDEN_PATH_WORDS = "wellread.hidden"
"""An extension of a request: word in its path -> the secret that is sent in its place (Telegram has its token there).
What logs the URL of a request, or puts it into an error, knows the word only."""

# Its records at DEBUG spell out every header and path that is sent over HTTP/2, keys among them.
logging.getLogger("hpack").setLevel(logging.INFO)


@dataclass(frozen=True, slots=True, kw_only=True)
class EndpointTimeouts:
    """How long is waited, and how often is asked."""

    clock: Clock
    """The clock for a Retry-After that names a date."""
    attempts: int = 3
    backoff_s: float = 1.0
    idle_s: float = 60.0
    timeout_s: float = 300.0
    """The timeout of the SDKs; callers keep their own deadline over it."""


def endpoint_client(
    net: NetSettings,
    patience: EndpointTimeouts,
    *,
    public: Iterable[str],
    named: Iterable[str] = (),
    resolver: Resolver | None = None,
    dialler: Dialler | None = None,
) -> httpx2.AsyncClient:
    """Return a client that reaches the origins of these base URLs and no others.

    Those in `public` must have public addresses. Those in `named` were written into the settings by the user, so they
    may be private, as entries of `net.allow_hosts` may.

    Raises:
        ConfigError: one of them is no URL that can be asked.
    """
    named = tuple(named)
    listed = frozenset((origin.host, origin.port) for origin in map(_origin, named))
    policy = replace(guard.read_policy(net), allow_hosts=listed)
    origins = {_checked_origin(url, policy) for url in (*public, *named)}
    backend = GuardedBackend(policy, resolver or SystemResolver(), dialler or SystemDialler(), read_routes(net))
    pool = connection_pool(net, backend, max_connections=MAX_CONNECTIONS)
    return httpx2.AsyncClient(
        transport=_EndpointTransport(pool, policy, frozenset(origins), patience),
        # A body that comes as it is cannot unfold into gigabytes.
        headers={"accept-encoding": "identity"},
        timeout=patience.timeout_s,
        follow_redirects=False,
        trust_env=False,
    )


def _origin(url: str) -> Target:
    """Read a base URL whose port may be any: being named opens it."""
    try:
        return guard.parse_url(url)
    except InvalidUrl as error:
        raise _refused(url, error) from error


def _checked_origin(url: str, policy: guard.Policy) -> tuple[str, str]:
    try:
        checked_target = guard.check_url(url, policy)
    except (InvalidUrl, BlockedAddress) as error:
        raise _refused(url, error) from error
    return checked_target.scheme, checked_target.authority


def _refused(url: str, error: RefusedError) -> ConfigError:
    """Return the error for a base URL of the settings, which may have a key in its query, so it is shown masked."""
    message, hint = (
        mask_urls(text.replace(repr(without_password(url)), repr(Address(url)))) for text in (error.message, error.hint)
    )
    return ConfigError(f"the endpoint of a model or server is refused: {message}", hint=hint)


class _EndpointTransport(httpx2.AsyncBaseTransport):
    def __init__(
        self,
        pool: httpcore2.AsyncConnectionPool,
        policy: guard.Policy,
        origins: frozenset[tuple[str, str]],
        patience: EndpointTimeouts,
    ) -> None:
        self._pool = pool
        self._policy = policy
        self._origins = origins
        self._patience = patience

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Send a request, again where that may help and nothing of an answer has come."""
        body = await request.aread()
        pause_s = self._patience.backoff_s
        for tries_left in range(self._patience.attempts - 1, -1, -1):
            try:
                answer = await self._send(request, body)
            except httpx2.TransportError:
                if not tries_left:
                    raise
                wait_s: float | None = None
            else:
                wait_s = _wait_s(answer, self._patience.clock) if tries_left else None
                if not tries_left or not _is_retryable(answer.status_code) or (wait_s or 0.0) > MAX_WAIT_S:
                    return answer
                await answer.aclose()
            await anyio.sleep(pause_s if wait_s is None else wait_s)
            pause_s *= 2
        raise AssertionError("the last try returns or raises")

    async def aclose(self) -> None:
        """Close every connection."""
        await self._pool.aclose()

    async def _send(self, request: httpx2.Request, body: bytes) -> httpx2.Response:
        target = guard.check_url(str(request.url), self._policy)
        if (target.scheme, target.authority) not in self._origins:
            raise BlockedAddress(f"{target.authority} is not a host of the settings", url=target.url, hint="")
        core_request = httpcore2.Request(
            request.method,
            httpcore2.URL(scheme=target.scheme, host=target.host, port=target.port, target=_path(target, request)),
            headers=[("Host", target.authority), *((k, v) for k, v in request.headers.raw if k.lower() != b"host")],
            content=body,
        )
        try:
            with anyio.fail_after(self._patience.idle_s):
                answer = await self._pool.handle_async_request(core_request)
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException, TimeoutError) as error:
            raise httpx2.ConnectError(_error_message(error, target), request=request) from error
        except WellreadError as error:
            if error.retryable:
                raise httpx2.ConnectError(error.message, request=request) from error
            raise
        return httpx2.Response(
            status_code=answer.status,
            headers=answer.headers,
            stream=_ResponseStream(answer, target, request, self._patience.idle_s),
            extensions={"http_version": answer.extensions.get("http_version", b"HTTP/1.1")},
        )


class _ResponseStream(httpx2.AsyncByteStream):
    def __init__(self, answer: httpcore2.Response, target: Target, request: httpx2.Request, idle_s: float) -> None:
        self._answer = answer
        # One iterator for all who read: an SDK reads up to its own end mark, and then once more to drain the rest.
        self._pieces = answer.aiter_stream()
        self._taken = 0
        self._target = target
        self._request = request
        self._idle_s = idle_s

    async def __aiter__(self) -> AsyncGenerator[bytes, None]:
        """Yield the pieces as they come; silence and a broken connection are read errors."""
        while True:
            try:
                with anyio.fail_after(self._idle_s):
                    piece = await anext(self._pieces, None)
            except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException, TimeoutError) as error:
                raise httpx2.ReadError(_error_message(error, self._target), request=self._request) from error
            if piece is None:
                return
            self._taken += len(piece)
            if self._taken > MAX_BYTES:
                raise TooLarge(f"{self._target.authority} answers with more than {MAX_BYTES:,} bytes", hint="")
            yield piece

    async def aclose(self) -> None:
        """Let go of the connection, however much of the answer is left."""
        with anyio.CancelScope(shield=True):
            await self._answer.aclose()


def _path(target: Target, request: httpx2.Request) -> str:
    path = target.path
    for placeholder, secret in request.extensions.get(HIDDEN_PATH_WORDS, {}).items():
        path = path.replace(placeholder, secret)
    return path


def _is_retryable(status: int) -> bool:
    return status in STATUSES or status == OVERLOADED


def _wait_s(answer: httpx2.Response, clock: Clock) -> float | None:
    """Return the pause that the server asks for, where it asks for one."""
    if "retry-after" not in answer.headers:
        return None
    return retry_after_s(tuple(answer.headers.items()), clock.now())


def _error_message(error: Exception, target: Target) -> str:
    if isinstance(error, TimeoutError):
        return f"{target.authority} was silent for too long"
    if isinstance(error, httpcore2.ProtocolError):
        return f"the connection to {target.authority} broke: {protocol_fault(error)}"
    return f"the connection to {target.authority} broke: {error}"
