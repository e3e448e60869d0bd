"""Asks a site's robots.txt (RFC 9309) whether an agent may read a page, and how fast; protego reads the rules."""

from __future__ import annotations

import codecs
import re
from collections import OrderedDict
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from protego import Protego

from wellread.errors import RedirectLoop, Robots, UnavailableError, Unrecorded
from wellread.net import charset, sitemaps
from wellread.net.robots_directives import AGENT

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from wellread.net.guard import Target
    from wellread.ports import Clock
    from wellread.types import Response

_SAMPLE_BYTES = 64
MAX_BYTES = 512_000
"""RFC 9309 section 2.5: at least 500 KiB are read."""
MAX_REDIRECTS = 5
MAX_DELAY_S = 10.0
KEPT_S = 3_600.0
"""RFC 9309 section 2.4 allows 24 hours."""
FAILURE_KEPT_S = 60.0
MAX_KEPT = 512
MAX_KEPT_CHARS = 4_000_000

_AGENT_LINE = re.compile(r"\s*user[- ]?agent\s*[:\s]\s*([^#]*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class RobotsRules:
    """The rules of one robots.txt for us. `refusal` is why all is forbidden, where the file cannot be fetched."""

    parsed: Protego | None = None
    refusal: str | None = None
    status: int | None = None
    """The failing status for which everything is forbidden."""
    delay_s: float = 0.0
    sitemaps: tuple[str, ...] = ()
    """The site maps that it names."""
    size: int = 0

    def allow(self, target: Target) -> bool:
        """Return whether the page may be read; robots.txt itself always may (RFC 9309 section 2.2.2)."""
        if target.path.partition("?")[0] == "/robots.txt":
            return True
        return self.refusal is None and (self.parsed is None or bool(self.parsed.can_fetch(target.url, AGENT)))


ALLOW_ALL = RobotsRules()


def parse(text: str, *, replayed: bool = False) -> RobotsRules:
    """Read a robots.txt. `replayed`: nobody is there to be spared a crowd."""
    ours = _anonymized(text)
    parsed = Protego.parse(ours)
    delay_s = 0.0 if replayed else min(parsed.crawl_delay(AGENT) or 0.0, MAX_DELAY_S)
    return RobotsRules(parsed=parsed, delay_s=delay_s, size=len(ours))


def _anonymized(text: str) -> str:
    """Name all strangers alike: protego's time is quadratic in the agents named (8 s for 80 KiB, measured)."""
    return "\n".join(_with_anonymous_agent(line) for line in text.removeprefix("\ufeff").splitlines())


def _with_anonymous_agent(line: str) -> str:
    match = _AGENT_LINE.match(line)
    if match is None:
        return line
    token = match[1].strip().lower().partition("/")[0]
    return f"User-agent: {token if token in {'*', AGENT} else 'stranger'}"


def rules_of_response(response: Response) -> RobotsRules:
    """Turn the answer to a request for robots.txt into rules (RFC 9309 section 2.3.1)."""
    if response.status >= 500:
        refusal = f"{response.url} answered {response.status}, which forbids everything (RFC 9309)"
        return RobotsRules(refusal=refusal, status=response.status)
    if not 200 <= response.status < 300:
        return ALLOW_ALL
    rules = parse(_text(response.body), replayed=response.replayed)
    return replace(rules, sitemaps=sitemaps.sitemaps_in_robots(response.body, response.url))


def _text(body: bytes) -> str:
    """Return the text of a file in UTF-8 (RFC 9309 section 2.3), or in UTF-16 or UTF-32.

    A byte order mark tells those, or zeros, which ASCII has there and UTF-8 nowhere.
    """
    if body.startswith((codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE)):
        return body.decode("utf-32", "replace")
    if body.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return body.decode("utf-16", "replace")
    return body.decode(charset.detect_utf16(body[:_SAMPLE_BYTES]) or "utf-8", "replace")


def _refused(rules: RobotsRules, origin: str, target: Target) -> Robots:
    if rules.refusal is None:
        return Robots(f"{origin}/robots.txt disallows {target.url}", url=target.url)
    error = Robots(rules.refusal, url=target.url, hint=f"try again later; {Robots.default_hint}", status=rules.status)
    error.retryable = True  # the failure may pass, unlike a rule
    return error


class RobotsTxt:
    """The rules of each origin, fetched once and kept for a while, in memory."""

    def __init__(self, fetch: Callable[[str], Awaitable[Response]], clock: Clock) -> None:
        """Take the function that fetches a URL through the HTTP client without asking robots.txt."""
        self._fetch = fetch
        self._clock = clock
        self._kept: OrderedDict[str, tuple[RobotsRules, float]] = OrderedDict()
        self._locks: dict[str, tuple[anyio.Lock, int]] = {}

    async def check(self, target: Target) -> float:
        """Return the seconds between two requests that the site asks for.

        Raises:
            Robots: the page is not for agents, or the server fails to say.
            UnavailableError, BlockedAddress: robots.txt cannot be had, and so nor could the page.
        """
        origin = f"{target.scheme}://{target.authority}"
        try:
            rules = await self.rules(origin)
        except UnavailableError as error:
            error.url = target.url  # what was asked for
            raise
        if not rules.allow(target):
            raise _refused(rules, origin, target)
        return rules.delay_s

    async def rules(self, origin: str) -> RobotsRules:
        """Return the rules of an origin, such as `https://example.com`.

        Raises:
            UnavailableError, BlockedAddress: robots.txt cannot be had.
        """
        async with self._lock(origin):
            rules, until = self._kept.get(origin, (None, 0.0))
            if rules is None or self._clock.monotonic() >= until:
                rules = await self._fetch_rules(origin)
                self._keep(origin, rules)
            self._kept.move_to_end(origin)
            return rules

    async def _fetch_rules(self, origin: str) -> RobotsRules:
        try:
            response = await self._fetch(f"{origin}/robots.txt")
        except (Unrecorded, RedirectLoop):  # RFC 9309 section 2.3.1.2: beyond five redirects it counts as missing
            return ALLOW_ALL
        return await anyio.to_thread.run_sync(rules_of_response, response)  # 500 KiB of rules take 0.2 s

    def _keep(self, origin: str, rules: RobotsRules) -> None:
        for_s = KEPT_S
        if rules.refusal:
            for_s = FAILURE_KEPT_S
        self._kept[origin] = rules, self._clock.monotonic() + for_s
        self._kept.move_to_end(origin)
        size = sum(rules_of_origin.size for rules_of_origin, _ in self._kept.values())
        while len(self._kept) > 1 and (len(self._kept) > MAX_KEPT or size > MAX_KEPT_CHARS):
            _, (dropped, _) = self._kept.popitem(last=False)
            size -= dropped.size

    @asynccontextmanager
    async def _lock(self, origin: str) -> AsyncGenerator[None, None]:
        """Let one task at a time ask an origin, so that several reads of one site ask once."""
        lock, users = self._locks.get(origin, (anyio.Lock(fast_acquire=True), 0))
        self._locks[origin] = lock, users + 1
        try:
            async with lock:
                yield
        finally:
            lock, users = self._locks.pop(origin)
            if users > 1:
                self._locks[origin] = lock, users - 1
