"""What `wellread doctor` asks of the world: whether a page comes, and what time it is there."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from wellread.apps.checkup import Finding
from wellread.errors import WellreadError
from wellread.types import Request

if TYPE_CHECKING:
    from wellread.apps.build import Web
    from wellread.types import Response

WAIT_S = 5.0
SKEW_S = 60
"""How far a clock may be off: Date has whole seconds (RFC 9110, section 6.6.1), and answers are under way for some."""
_SET = "set this machine's time, best by NTP (`timedatectl set-ntp true`)"


async def reached(web: Web, url: str) -> list[Finding]:
    """Ask for one page, and compare the clocks; robots.txt is passed over, for a person asked for this page."""
    began = web.parts.clock.now()
    try:
        answer = await web.parts.fetcher.fetch(Request(url=url, user_asked=True, timeout_s=WAIT_S))
    except WellreadError as error:
        mend = f"; {error.hint}" if error.hint else ""
        return [
            Finding("network", ok=False, detail=f"{error.message}{mend}; to check the rest alone: --offline"),
            Finding("clock", ok=None, detail="nobody could be asked for the time"),
        ]
    told = f"{answer.url} answered {answer.status} in {answer.elapsed_ms:,} ms"
    return [Finding("network", ok=True, detail=told), _clock(answer, began, web.parts.clock.now())]


def _clock(answer: Response, began: datetime, ended: datetime) -> Finding:
    """Compare the clocks; the answer was written at some moment between the two of ours."""
    theirs = _time(answer)
    if theirs is None:
        return Finding("clock", ok=None, detail=f"{answer.url} does not tell the time")
    early, late = (theirs - ended).total_seconds(), (began - theirs).total_seconds()
    if max(early, late) <= SKEW_S:
        return Finding("clock", ok=True, detail=f"{ended:%Y-%m-%d %H:%M:%S} UTC, as {answer.url} has it")
    side = "behind" if early > late else "ahead of"
    return Finding("clock", ok=False, detail=f"{max(early, late):,.0f} s {side} {answer.url}; {_SET}")


def _time(answer: Response) -> datetime | None:
    """Return when the answer was sent, or None where it does not say so; one that a cache kept has aged since."""
    headers = {name.lower(): value for name, value in answer.headers}
    try:
        sent = parsedate_to_datetime(headers["date"])
        aged = timedelta(seconds=min(int(headers.get("age", 0)), 10**9))
        return (sent if sent.tzinfo else sent.replace(tzinfo=UTC)) + aged
    except (KeyError, ValueError, OverflowError):
        return None
