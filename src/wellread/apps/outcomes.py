"""How failures leave the house: exit code and HTTP status by error code, in one table for every door.

Exit codes: 0 done, 1 a bug, or part of the work failed, 130 an interrupt, 2 wrong usage (as every Unix tool), then one
per branch of the tree, so that a script can tell "mend the settings" (3) from "never" (4), "later" (5) and "read
elsewhere" (6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wellread.types import Found
from wellread.web import shortfall

if TYPE_CHECKING:
    from wellread.types import Gathered


class Door(NamedTuple):
    """What one error code looks like from outside."""

    exit_code: int
    http_status: int


DOORS: dict[str, Door] = {
    "error": Door(1, 500),
    "config": Door(3, 500),
    "plugin": Door(3, 500),
    "usage": Door(2, 400),
    "refused": Door(4, 403),
    "invalid_url": Door(4, 400),
    "invalid_cursor": Door(4, 400),
    "invalid_input": Door(4, 400),
    "blocked_address": Door(4, 403),
    "robots": Door(4, 403),
    "budget": Door(4, 429),
    "consent": Door(4, 403),
    "unavailable": Door(5, 503),
    "timeout": Door(5, 504),
    "unreachable": Door(5, 502),
    "rate_limited": Door(5, 429),
    "upstream": Door(5, 502),
    "auth": Door(5, 502),
    "quota": Door(5, 502),
    "browser_failed": Door(5, 503),
    "unrecorded": Door(5, 502),
    "unreadable": Door(6, 422),
    "too_large": Door(6, 422),
    "unsupported": Door(6, 422),
    "challenge": Door(6, 422),
    "empty": Door(6, 422),
    "gone": Door(6, 404),
    "redirect_loop": Door(6, 422),
}

_LATER, _ELSEWHERE, _NEVER = DOORS["unavailable"].exit_code, DOORS["unreadable"].exit_code, DOORS["refused"].exit_code


def searched(told: Found) -> int:
    """Return the exit code of a search: that of later where nothing was found because every service failed."""
    return _LATER if shortfall.unserved(told) else 0


def gathered(told: Gathered) -> int:
    """Return the exit code of a gather: done, unless no service answered or not one page could be read.

    Of pages that ended differently the most hopeful counts: later before elsewhere before never.
    """
    if told.pages or not told.hits:
        return searched(Found(query=told.query, hits=told.hits, outcomes=told.outcomes))
    ended = {DOORS[missed.code].exit_code if missed.code in DOORS else _LATER for missed in told.missed}
    return next((code for code in (_LATER, _ELSEWHERE, _NEVER) if code in ended), _LATER)
