"""Exit code and HTTP status of each error code, in one table for every interface.

Exit codes: 0 done, 1 a bug, or part of the work failed, 130 an interrupt, 2 wrong usage (as every Unix tool), then one
per branch of the tree, so that a script can tell "mend the settings" (3) from "never" (4), "later" (5) and "read
elsewhere" (6).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wellread.types import Found

if TYPE_CHECKING:
    from wellread.types import Gathered


class ExitStatus(NamedTuple):
    """The exit code and the HTTP status of an error code."""

    exit_code: int
    http_status: int


STATUS_BY_CODE: dict[str, ExitStatus] = {
    "error": ExitStatus(1, 500),
    "config": ExitStatus(3, 500),
    "plugin": ExitStatus(3, 500),
    "usage": ExitStatus(2, 400),
    "refused": ExitStatus(4, 403),
    "invalid_url": ExitStatus(4, 400),
    "invalid_cursor": ExitStatus(4, 400),
    "invalid_input": ExitStatus(4, 400),
    "blocked_address": ExitStatus(4, 403),
    "robots": ExitStatus(4, 403),
    "budget": ExitStatus(4, 429),
    "consent": ExitStatus(4, 403),
    "unavailable": ExitStatus(5, 503),
    "timeout": ExitStatus(5, 504),
    "unreachable": ExitStatus(5, 502),
    "proxy": ExitStatus(5, 502),
    "rate_limited": ExitStatus(5, 429),
    "upstream": ExitStatus(5, 502),
    "auth": ExitStatus(5, 502),
    "quota": ExitStatus(5, 502),
    "browser_failed": ExitStatus(5, 503),
    "shared_state": ExitStatus(5, 503),
    "wrong_replica": ExitStatus(5, 421),
    "unrecorded": ExitStatus(5, 502),
    "unreadable": ExitStatus(6, 422),
    "too_large": ExitStatus(6, 422),
    "unsupported": ExitStatus(6, 422),
    "challenge": ExitStatus(6, 422),
    "empty": ExitStatus(6, 422),
    "gone": ExitStatus(6, 404),
    "redirect_loop": ExitStatus(6, 422),
}

_LATER, _ELSEWHERE, _NEVER = (
    STATUS_BY_CODE["unavailable"].exit_code,
    STATUS_BY_CODE["unreadable"].exit_code,
    STATUS_BY_CODE["refused"].exit_code,
)


def search_exit_code(results: Found) -> int:
    """Return the exit code of a search: "later" where nothing was found because every service failed."""
    # Loaded here so that other commands do not wait for it.
    from wellread.reading import answer_notices

    return _LATER if answer_notices.all_providers_failed(results) else 0


def gather_exit_code(result: Gathered) -> int:
    """Return the exit code of a gather: done, unless no service answered or not one page could be read.

    Of pages that ended differently the most hopeful counts: later before elsewhere before never.
    """
    if result.pages or not result.hits:
        return search_exit_code(Found(query=result.query, hits=result.hits, outcomes=result.outcomes))
    exit_codes = {
        STATUS_BY_CODE[missed.code].exit_code if missed.code in STATUS_BY_CODE else _LATER for missed in result.missed
    }
    return next((code for code in (_LATER, _ELSEWHERE, _NEVER) if code in exit_codes), _LATER)
