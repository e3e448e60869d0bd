"""The HTTP client: takes a request through guard, robots.txt, rate limits, retries and redirects to its response.

Everything a request causes happens under its one deadline. What the bytes mean is not decided here: any status is an
answer, and the caller tells a missing page from a refused one.
"""

from __future__ import annotations

import math
import re
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import anyio

from wellread.errors import InvalidInput, Timeout, TooLarge, Unreachable, Upstream
from wellread.net import body, content_codings, credential_scope, guard, redirects, refresh, retries, robots
from wellread.net.cookies import CookieJar
from wellread.net.http_dates import retry_after_s
from wellread.net.protocol_faults import shown_range
from wellread.net.rate_limit import RateLimiter
from wellread.net.transport import Hop, is_field, is_token
from wellread.ports import untraced
from wellread.types import Request, Response, header

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from wellread.config import Settings
    from wellread.credentials import Credentials
    from wellread.net.profile_cookies import ProfileCookies
    from wellread.net.transport import HopResponse, Transport
    from wellread.ports import Clock, Trace
    from wellread.types import Headers

DEFAULT_HEADERS: Headers = (
    ("Accept", "text/html,application/xhtml+xml;q=0.9,text/plain;q=0.8,application/pdf;q=0.8,*/*;q=0.5"),
    ("Accept-Language", "en;q=0.8,*;q=0.5"),
    ("Accept-Encoding", content_codings.ACCEPTED),
)
DRAINED_BYTES = 16_384
DRAINED_S = 0.5
"""A redirect's body within these bounds is read and dropped, so that the connection can serve the next hop."""

_LONG_QUEUE = 0.2
"""Share of a deadline; a queue that took more of it is named where the time runs out later."""
_QUEUE_HINT = "other requests to the host come first; read fewer pages at a time, or raise net.per_host"

_WHOLE_RANGE = re.compile(r"bytes 0-([0-9]{1,18})/([0-9]{1,18})", re.IGNORECASE)
_METHODS_REFUSED = frozenset({"CONNECT", "TRACE", "TRACK"})
_OF_THE_CONNECTION = frozenset(
    {"host", "connection", "keep-alive", "content-length", "transfer-encoding", "te", "trailer", "upgrade", "expect"}
)


@dataclass(slots=True)
class _RequestState:
    """One request in progress. `stage` names the current wait, for the error if the deadline passes."""

    request: Request
    limits: body.BodyLimits
    max_redirects: int
    sink: body.Sink | None = None
    body_s: float = math.inf
    """How long the sink's body may take."""
    timeout_s: float = math.inf
    scope: anyio.CancelScope | None = None
    """What ends the trip after `timeout_s`."""
    stage: str = "preparing the request"
    hop_url: str = ""
    """The URL of the hop that is under way."""
    queued_since: float | None = None
    """Since when other requests to the host are waited for, on the event loop's clock."""
    queued_s: float = 0.0
    """How long they were waited for before."""
    pause_s: float = 0.0
    """What robots.txt asks for between two requests."""


class Client:
    """Implements `ports.Fetcher` over any `Transport`."""

    def __init__(
        self,
        settings: Settings,
        transport: Transport,
        *,
        clock: Clock,
        trace: Trace = untraced,
        rate_limiter: RateLimiter | None = None,
        profile_cookies: ProfileCookies | None = None,
    ) -> None:
        """Read the policy from the settings; clients that share a rate limiter keep one pace together.

        `profile_cookies` has the cookies of the profiles that reads are signed in with.

        Raises:
            ConfigError: net.allow_hosts or net.allow_ports cannot be read.
        """
        self._settings = settings
        self._transport = transport
        self._clock = clock
        self._trace = trace
        self._profile_cookies = profile_cookies
        self._policy = guard.read_policy(settings.net)
        self.rate_limiter = rate_limiter or RateLimiter(settings.net)
        self._robots = robots.RobotsTxt(self._fetch_robots, clock)

    async def fetch(self, request: Request) -> Response:
        """Return the final answer to `request`, whatever its status.

        Raises:
            InvalidInput, InvalidUrl, BlockedAddress, Robots: refused.
            Timeout, Unreachable, Upstream, RateLimited, Unrecorded: no answer was had.
            TooLarge, Unsupported, RedirectLoop: there is an answer, but not one that can be taken.
        """
        fetch = self._settings.fetch
        limits = body.BodyLimits(max_bytes=fetch.max_bytes, idle_s=fetch.idle_s)
        return await self._in_time(_RequestState(request, limits, fetch.max_redirects))

    async def stream(self, request: Request, sink: body.Sink, *, body_s: float | None = None) -> Response:
        """Like `fetch`, but hand the body to `sink`; a body that it does not want is returned, cut at the limit.

        The request's deadline holds until that body begins. From then on `body_s` holds, and where it is None only
        silence ends the body. `Response.partial` reports a body that broke off after its first byte.
        """
        fetch = self._settings.fetch
        limits = body.BodyLimits(max_bytes=fetch.max_bytes, idle_s=fetch.idle_s, cut=True)
        if body_s is None:
            body_s = math.inf
        return await self._in_time(_RequestState(request, limits, fetch.max_redirects, sink=sink, body_s=body_s))

    async def robots_rules(self, url: str) -> robots.RobotsRules:
        """Return the rules of the robots.txt for the host of `url`, fetched once for these and for its pages.

        Raises:
            InvalidUrl, BlockedAddress: refused.
            UnavailableError: robots.txt cannot be had.
        """
        target = guard.check_url(url, self._policy)
        with anyio.move_on_after(self._settings.fetch.timeout_s):
            return await self._robots.rules(f"{target.scheme}://{target.authority}")
        raise Timeout(f"the robots.txt of {target.authority} took too long", url=url)

    def obeys_robots(self, request: Request) -> bool:
        """Return whether robots.txt applies to a request."""
        return self._settings.net.robots and not request.user_asked

    async def permit(self, request: Request) -> None:
        """Ask guard and robots.txt about a page that the browser will fetch, and wait for a turn at its host.

        Raises:
            InvalidUrl, BlockedAddress, Robots: it may not be fetched.
            Timeout, Unreachable, RateLimited: its robots.txt could not be had, or its turn comes too late.
        """
        state = _RequestState(request, body.BodyLimits(max_bytes=0, idle_s=self._settings.fetch.idle_s), 0)
        state.timeout_s = self._settings.fetch.timeout_s if request.timeout_s is None else request.timeout_s
        with anyio.move_on_after(state.timeout_s):
            hop = self._first_hop(request)
            await self._ask_robots(hop, state)
            async with self._turn(hop, state):
                return
        raise _timeout(state)

    async def aclose(self) -> None:
        """Close the transport."""
        await self._transport.aclose()

    async def _in_time(self, state: _RequestState) -> Response:
        request = state.request
        state.timeout_s = self._settings.fetch.timeout_s if request.timeout_s is None else request.timeout_s
        started = self._clock.monotonic()
        with self._trace("fetch") as tell:
            with anyio.move_on_after(state.timeout_s) as state.scope:
                response = await self._follow(state)
                tell(status=response.status, bytes=len(response.body), hops=len(response.redirects) + 1)
                return replace(response, elapsed_ms=round((self._clock.monotonic() - started) * 1000))
            raise _timeout(state)

    async def _follow(self, state: _RequestState) -> Response:
        """Go from hop to hop until an answer does not redirect, with the newest cookies of the profile."""
        credentials = state.request.credentials
        if self._profile_cookies is None or credentials is None or not credentials.is_profile_alone:
            return await self._follow_with(credentials, state)
        target = guard.check_url(state.request.url, self._policy)
        state.stage = f"waiting for another read of {target.host} with the profile"
        async with self._profile_cookies.turn(credentials, target) as newest:
            return await self._follow_with(newest, state)

    async def _follow_with(self, credentials: Credentials | None, state: _RequestState) -> Response:
        with self._trace("guard"):
            first_hop = credential_scope.with_login(self._first_hop(state.request), credentials)
            jar = self._jar(first_hop, credentials)
            hops = [redirects.with_cookies(first_hop, jar)]
        while True:
            last = hops[-1]
            with self._trace("guard", host=last.target.host):
                await self._ask_robots(last, state)
            response = await self._send_with_retries(last, state)
            location = await self._next_location(response, last, state)
            if self._profile_cookies is not None and credentials is not None and credentials.is_profile_alone:
                await self._profile_cookies.keep(last, response, credentials, self._clock.now())
            if location is None:
                return replace(response, redirects=tuple(hop.target.url for hop in hops[:-1]))
            jar.store(last.target, response.headers, self._clock.now())
            hop = redirects.follow(
                hops, response.status, location, self._policy,
                jar=jar, credentials=credentials, limit=state.max_redirects, replayed=response.replayed,
            )  # fmt: skip
            hops.append(hop)

    def _jar(self, hop: Hop, credentials: Credentials | None) -> CookieJar:
        """Return the cookies that a chain begins with."""
        if credentials is None:
            return CookieJar()
        now_s = self._clock.now().timestamp()
        current = (cookie for cookie in credentials.cookies if cookie.expires is None or cookie.expires > now_s)
        return CookieJar(current, is_https=hop.target.scheme == "https")

    @staticmethod
    async def _next_location(response: Response, hop: Hop, state: _RequestState) -> str | None:
        """Return where an answer leads on to and is to be followed, or None."""
        location = redirects.location(response.status, response.headers)
        if not state.request.follow:
            if location is None or not (state.request.resend_body and redirects.sends_again(response.status, hop)):
                return None
            return location
        if location is None and state.sink is None and hop.method == "GET" and 200 <= response.status < 300:
            if header(response.headers, "refresh") is not None:
                return refresh.place(response)
            if refresh.needs_parser(response):
                return await anyio.to_thread.run_sync(refresh.place, response)
        return location

    def _first_hop(self, request: Request) -> Hop:
        _check_sendable(request)
        given_names = {name.lower() for name, _ in request.headers}
        defaults = (("User-Agent", self._settings.net.user_agent), *DEFAULT_HEADERS)
        hop = Hop(
            target=guard.check_url(request.url, self._policy),
            method=request.method.upper(),
            headers=(*(field for field in defaults if field[0].lower() not in given_names), *request.headers),
            body=request.body,
        )
        return credential_scope.with_headers(hop, request.credentials)

    async def _ask_robots(self, hop: Hop, state: _RequestState) -> None:
        is_bound = self.obeys_robots(state.request) and hop.method in retries.SAFE_METHODS
        state.stage, state.hop_url = f"reading the robots.txt of {hop.target.authority}", hop.target.url
        state.pause_s = await self._robots.check(hop.target) if is_bound else 0.0

    async def _fetch_robots(self, url: str) -> Response:
        limits = body.BodyLimits(max_bytes=robots.MAX_BYTES, idle_s=self._settings.fetch.idle_s, cut=True)
        return await self._follow(_RequestState(Request(url=url, user_asked=True), limits, robots.MAX_REDIRECTS))

    async def _send_with_retries(self, hop: Hop, state: _RequestState) -> Response:
        """Send one hop, again where that may help."""
        count = state.request.attempts or self._settings.fetch.attempts
        async for attempt in retries.attempts(count, hop.method):
            with attempt:
                return await self._send(hop, state, last=attempt.num >= count or hop.method not in retries.SAFE_METHODS)
        raise AssertionError("the last attempt returns or raises")

    async def _send(self, hop: Hop, state: _RequestState, *, last: bool) -> Response:
        async with self._turn(hop, state):
            state.stage = f"waiting for {hop.target.authority} to answer"
            headers = (("Host", hop.target.authority), *hop.headers)
            if hop.cookies is not None:
                headers = (*(field for field in headers if field[0].lower() != "cookie"), ("Cookie", hop.cookies))
            wire_hop = replace(hop, headers=headers)
            async with self._transport.send(wire_hop) as answer:
                state.stage = f"reading the body from {hop.target.authority}"
                self._check_head(answer, hop)
                await self._heed_retry_after(answer, hop.target.authority)
                if not last:
                    self._raise_if_retryable(answer)
                head = Response(
                    url=hop.target.url, status=answer.status, headers=answer.headers, body=b"", replayed=answer.replayed
                )
                content, partial = await self._content(answer, hop, head, state)
                return replace(head, body=content, partial=partial)

    @asynccontextmanager
    async def _turn(self, hop: Hop, state: _RequestState) -> AsyncGenerator[None, None]:
        """Wait until the host may be asked, and note how long that takes."""
        host = hop.target.host
        state.stage, state.queued_since = f"waiting for a turn at {host}", anyio.current_time()
        async with self.rate_limiter.turn(host, state.pause_s, authority=hop.target.authority):
            state.queued_s += anyio.current_time() - state.queued_since
            state.queued_since = None
            yield

    async def _content(
        self, answer: HopResponse, hop: Hop, head: Response, state: _RequestState
    ) -> tuple[bytes, str | None]:
        if redirects.location(answer.status, answer.headers) is not None:
            await _drain(answer)
            return b"", None
        max_bytes = None if state.sink is None else await state.sink.begin(head)
        if state.sink is None or max_bytes is None:
            content, partial = await body.read(answer, hop, state.limits)
            return content, partial or self._unrequested_part(answer, hop)
        if state.scope is not None:
            state.timeout_s = state.body_s
            state.scope.deadline = anyio.current_time() + state.body_s
        limits = body.BodyLimits(max_bytes=max_bytes, idle_s=state.limits.idle_s)
        return await body.read(answer, hop, limits, state.sink.write)

    @staticmethod
    def _unrequested_part(answer: HopResponse, hop: Hop) -> str | None:
        """Return why an answer is a part of the page although none was asked for, or None (RFC 9110 section 15.3.7)."""
        if answer.status != 206 or header(hop.headers, "range") is not None:
            return None
        content_range = header(answer.headers, "content-range")
        range_match = _WHOLE_RANGE.fullmatch(content_range or "")
        if range_match is not None and int(range_match[1]) + 1 == int(range_match[2]):
            return None
        return f"the server sent a part that was not asked for ({shown_range(content_range)})"

    def _check_head(self, answer: HopResponse, hop: Hop) -> None:
        size = sum(len(name) + len(value) + len(": \r\n") for name, value in answer.headers)
        limit = self._settings.fetch.max_header_bytes
        if size > limit:
            raise TooLarge(
                f"{hop.target.url} answers with {size:,} bytes of headers; the limit is {limit:,}",
                url=hop.target.url,
                hint="raise fetch.max_header_bytes",
                limit_bytes=limit,
            )

    async def _heed_retry_after(self, answer: HopResponse, authority: str) -> None:
        """Pause an authority that says when it may be asked again (RFC 9110 section 10.2.3, RFC 6585 section 4)."""
        if answer.replayed or answer.status not in {429, 503}:
            return
        wait_s = retry_after_s(answer.headers, self._clock.now())
        if wait_s:
            await self.rate_limiter.pause(authority, wait_s)

    def _raise_if_retryable(self, answer: HopResponse) -> None:
        left_s = anyio.current_effective_deadline() - anyio.current_time()
        retry = retries.retry_decision(answer.status, answer.headers, now=self._clock.now(), left_s=left_s)
        if retry is not None:
            raise retries.TryAgain(0.0) if answer.replayed else retry


def _timeout(state: _RequestState) -> Timeout:
    """Return the error for a deadline that passed; it names the stage that was waited for."""
    url, limit_s = state.request.url, state.timeout_s
    message = f"{url} took longer than {limit_s:g} s; the time ran out {state.stage}"
    if state.hop_url not in {"", url}:
        message = f"{message}, for {state.hop_url}, to which it leads"
    if state.queued_since is not None:
        return Timeout(message, url=url, hint=_QUEUE_HINT, limit_s=limit_s)
    hint = None
    if state.queued_s >= limit_s * _LONG_QUEUE:
        message, hint = f"{message}, after {state.queued_s:.1f} s in the queue for its host", _QUEUE_HINT
    return Timeout(message, url=url, hint=hint, limit_s=limit_s)


async def _drain(answer: HopResponse) -> None:
    """Read and drop a short body; a longer, slower or broken one costs the connection."""
    length = header(answer.headers, "content-length") or ""
    if not (length.isascii() and length.isdigit() and len(length) < 10 and int(length) <= DRAINED_BYTES):
        return
    with anyio.move_on_after(DRAINED_S):
        try:
            async for _ in answer.chunks:
                pass
        except (Unreachable, Upstream):
            return


def _check_sendable(request: Request) -> None:
    """Refuse a request that could smuggle a second one (RFC 9110 section 5.5, RFC 9112 section 11)."""
    method = request.method.upper()
    if not is_token(method) or method in _METHODS_REFUSED:
        raise InvalidInput(f"{request.method[:40]!r} is not an allowed method", url=request.url)
    headers = request.headers
    if request.credentials is not None:
        headers += request.credentials.headers
    for name, value in headers:
        if not is_field(name, value):
            raise InvalidInput(f"the header {name[:40]!r} has characters that are not allowed", url=request.url)
    _refuse_connection_fields(name for name, _ in headers)


def _refuse_connection_fields(names: Iterable[str]) -> None:
    refused = sorted(name for name in names if name.lower() in _OF_THE_CONNECTION)
    if refused:
        raise InvalidInput(f"the header {refused[0]!r} is set by the connection", hint="leave out the header")
