"""How failures leave the house: exit code and HTTP status by error code, in one table for every door.

Exit codes: 0 done, 1 a bug, or part of the work failed, 130 an interrupt, 2 wrong usage (as every Unix tool), then one
per branch of the tree, so that a script can tell "mend the settings" (3) from "never" (4), "later" (5) and "read
elsewhere" (6).
"""

from __future__ import annotations

from typing import NamedTuple


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
