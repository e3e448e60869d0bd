"""The render fallback decides when a page is rendered in the browser, and which of two readings is returned; pure.

`auto` renders what came out thin or empty and waits for its scripts, `always` whatever is asked for. Either falls back
to the reading over HTTP, and says why.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.errors import BlockedAddress, Challenge, Empty, InvalidUrl, RedirectLoop, Robots, WellreadError
from wellread.reading.snapshot_building import MIN_CONFIDENCE
from wellread.types import Notice

if TYPE_CHECKING:
    from wellread.reading.snapshot_building import ReadResult
    from wellread.types import Render, Snapshot

HttpFailure = Empty | Challenge | RedirectLoop
HTTP_FAILURES: Final = (Empty, Challenge, RedirectLoop)
"""A browser may do better than HTTP after these: it runs scripts and bot checks, and keeps cookies."""
REFUSALS: Final = (InvalidUrl, BlockedAddress, Robots)
"""After these errors of a rendering, the page is not read over HTTP either."""

_MIN_S = 1.0
"""The least time for rendering, or for HTTP after it, where the other has left next to none."""
_MAX_RESERVE_S = 2.0
"""Of the deadline, the most that rendering leaves to the reading over HTTP that follows when it fails."""
_RESERVE_SHARE = 0.2


def obstacle(*, is_member: bool, has_renderer: bool) -> str:
    """Return the reason why a page cannot be rendered at all; empty where it can."""
    if is_member:
        return "a browser does not open members of archives"
    if not has_renderer:
        return "rendering is disabled (set render.enabled=true)"
    return ""


def needs_rendering(http: ReadResult | HttpFailure) -> bool:
    """Return whether scripts probably show more than the reading over HTTP, which is thin or failed."""
    if isinstance(http, Empty):
        return http.scripted
    if isinstance(http, WellreadError):
        return True
    is_thin = any(notice.code == "thin_content" for notice in http.snapshot.extraction.notices)
    return is_thin and not http.snapshot.rendered


def left_s(limit_s: float, elapsed_s: float) -> float:
    """Return the seconds that are left of the deadline of a read, at least one."""
    return max(limit_s - elapsed_s, _MIN_S)


def render_time_s(limit_s: float, elapsed_s: float, *, is_first: bool) -> float:
    """Return the seconds for rendering; where it comes first, HTTP may have to follow within the deadline."""
    if is_first:
        limit_s -= min(_MAX_RESERVE_S, limit_s * _RESERVE_SHARE)
    return left_s(limit_s, elapsed_s)


def is_better(rendered: Snapshot, http: Snapshot) -> bool:
    """Return whether the rendered reading is the better one: it is, unless it lost text of the other."""
    return rendered.confidence >= min(http.confidence, MIN_CONFIDENCE)


def not_rendered(reason: str) -> Notice:
    """Return the notice of a page that is read over HTTP although it should have been rendered."""
    return Notice("not_rendered", f"the page was not rendered: {reason}")


def render_problem(error: WellreadError) -> str:
    """Return why a rendering failed, with the hint of its error."""
    hint = f"({error.hint})" if error.hint else ""
    return " ".join(part for part in (error.message, hint) if part)


def unread(http: HttpFailure, rendering: WellreadError, render: Render) -> HttpFailure:
    """Return the error of a page that neither HTTP nor the browser could read."""
    hint: str | None = f"the page was not rendered: {render_problem(rendering)}"
    if render == "auto" and isinstance(http, RedirectLoop):
        hint = http.hint  # a browser is rarely the remedy, and the lack of one is not the cause
    elif isinstance(rendering, Empty):
        hint = "read another source; a browser shows no text either"
    elif isinstance(rendering, Challenge):
        hint = f"the browser gets a bot check, too: {Challenge.default_hint}"
    return type(http)(http.message, url=http.url, hint=hint, status=http.status)
