"""Decides when a host may be asked again: its delay, back-off after failures, and when it is given up; pure."""

from __future__ import annotations

from typing import Final

FIRST_PAUSE_S: Final = 1.0
MAX_PAUSE_S: Final = 600.0
MAX_ATTEMPTS: Final = 3
"""Requests for one URL that fails in a way that may pass."""
MAX_HOST_FAILURES: Final = 6
"""Failures in a row after which a host is asked no more in this run: its other URLs fail without a request."""


def next_start(now: float, delay_s: float) -> float:
    """Return when a host may be asked again after a page that was read by `now`.

    The pause counts from the end, not from the start of a request: no delay on the way of one request, or of the timer,
    can make the next one come too early.
    """
    return now + delay_s


def retry_at(now: float, *, failures: int, delay_s: float, retry_after_s: float | None) -> float:
    """Return when a failing host is asked again: as it says itself, else after a pause that doubles.

    `failures` counts those in a row, this one included. The host's own delay holds in any case.
    """
    pause_s = min(FIRST_PAUSE_S * 2.0 ** max(failures - 1, 0), MAX_PAUSE_S)
    if retry_after_s is not None:
        pause_s = min(retry_after_s, MAX_PAUSE_S)
    return max(now + pause_s, next_start(now, delay_s))
