"""Network checks of `wellread doctor`: the server of replicas, whether a page can be fetched, and the clock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from wellread.apps.doctor import Finding
from wellread.errors import WellreadError
from wellread.types import Request

if TYPE_CHECKING:
    from wellread.apps.build import Web
    from wellread.types import Response

WAIT_S = 5.0
SKEW_S = 60
"""How far a clock may be off: Date has whole seconds (RFC 9110, section 6.6.1), and answers are under way for some."""
_SET = "set the clock of this machine, for example by NTP (`timedatectl set-ntp true`)"


async def check_network(web: Web, url: str) -> list[Finding]:
    """Check `shared.url`, fetch one page, and compare the clocks.

    robots.txt is skipped, because a person asked for this page.
    """
    shared_server = await _shared_server(web)
    started = web.parts.clock.now()
    try:
        response = await web.parts.fetcher.fetch(Request(url=url, user_asked=True, timeout_s=WAIT_S))
    except WellreadError as error:
        sentences = filter(None, (error.message, error.hint, "to skip this check, use --offline"))
        return [
            *shared_server,
            Finding("network", ok=False, detail="; ".join(sentences)),
            Finding("clock", ok=None, detail="not checked: no server answered"),
        ]
    detail = f"{response.url} answered {response.status} in {response.elapsed_ms:,} ms"
    clock = _clock(response, started, web.parts.clock.now())
    return [*shared_server, Finding("network", ok=True, detail=detail), clock]


async def _shared_server(web: Web) -> list[Finding]:
    """Ask the server of `shared.url` for a pause that nobody has set; without the setting there is nothing to check."""
    address = web.parts.settings.shared.url
    if address is None:
        return []
    try:
        await web.shared_state.reserve("doctor", 0.0, max_wait_s=0.0)
    except WellreadError as error:
        return [Finding("shared server", ok=False, detail=f"{address}: {error.message}; {error.hint}")]
    return [Finding("shared server", ok=True, detail=f"{address} answers")]


def _clock(response: Response, started: datetime, finished: datetime) -> Finding:
    """Compare the clocks; the response was written at some moment between `started` and `finished`."""
    server_time = _time(response)
    if server_time is None:
        return Finding("clock", ok=None, detail=f"{response.url} does not send the time")
    behind_s, ahead_s = (server_time - finished).total_seconds(), (started - server_time).total_seconds()
    if max(behind_s, ahead_s) <= SKEW_S:
        return Finding("clock", ok=True, detail=f"{finished:%Y-%m-%d %H:%M:%S} UTC, the same as at {response.url}")
    direction = "behind" if behind_s > ahead_s else "ahead of"
    return Finding("clock", ok=False, detail=f"{max(behind_s, ahead_s):,.0f} s {direction} {response.url}; {_SET}")


def _time(response: Response) -> datetime | None:
    """Return when the response was sent, None without a Date header; the Age of a cached response is added."""
    headers = {name.lower(): value for name, value in response.headers}
    try:
        sent = parsedate_to_datetime(headers["date"])
        age = timedelta(seconds=min(int(headers.get("age", 0)), 10**9))
        if sent.tzinfo is None:
            sent = sent.replace(tzinfo=UTC)
        return sent + age
    except (KeyError, ValueError, OverflowError):
        return None
