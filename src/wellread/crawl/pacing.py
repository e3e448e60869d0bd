"""Decides when a host may be asked again: its delay, back-off after failures, and when it is given up; pure."""

from __future__ import annotations

from typing import Final

FIRST_PAUSE_S: Final = 1.0
MAX_PAUSE_S: Final = 600.0
MAX_ATTEMPTS: Final = 3
"""Requests for one URL that fails in a way that may pass."""
MAX_HOST_FAILURES: Final = 6
"""Failures in a row after which a host is asked no more in this run: its other URLs fail without a request."""


def next_start(ended_at: float, delay_s: float) -> float:
    """Return when a host may be asked again after a request that ended at `ended_at`."""
    return ended_at + delay_s


def retry_at(now: float, ended_at: float, *, failures: int, delay_s: float, retry_after_s: float | None) -> float:
    """Return when a failing host is asked again: as it says itself, else after a pause that doubles.

    `failures` counts those in a row, this one included. The host's own delay holds in any case.
    """
    pause_s = min(FIRST_PAUSE_S * 2.0 ** max(failures - 1, 0), MAX_PAUSE_S)
    if retry_after_s is not None:
        pause_s = min(retry_after_s, MAX_PAUSE_S)
    return max(now + pause_s, next_start(ended_at, delay_s))
