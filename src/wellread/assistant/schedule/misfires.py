"""Decides on due times that passed while no runner was there; pure."""

from dataclasses import dataclass
from enum import StrEnum

from wellread.assistant.schedule.times import MINUTE, Due

PUNCTUAL_MS = MINUTE
"""A run that begins this late is still on time: it waited for a slot, or for a machine that was busy."""


class Misfire(StrEnum):
    """A job's policy for due times that were missed."""

    ONCE = "once"
    """Run once, however often it was missed."""
    SKIP = "skip"
    """Do not run late."""
    WINDOW = "window"
    """Run once if the last time passed within a window, else do not."""


@dataclass(frozen=True, slots=True)
class MisfireDecision:
    """The due time to run and the due times given up; each due time is in exactly one of the two."""

    run_ms: int | None
    """The due time to run."""
    missed: Due | None
    """Those that are given up, and told as missed."""


def decide_misfire(
    due: Due, before_last_ms: int | None, now_ms: int, *, policy: Misfire, window_ms: int
) -> MisfireDecision:
    """Return which of the due times is run: the last, or none.

    `before_last_ms` is the due time before the last, None when there is but one.
    """
    allowed = {Misfire.ONCE: None, Misfire.SKIP: PUNCTUAL_MS, Misfire.WINDOW: max(window_ms, PUNCTUAL_MS)}[policy]
    if allowed is not None and now_ms - due.last_ms > allowed:
        return MisfireDecision(None, due)
    missed = None if before_last_ms is None else Due(due.first_ms, before_last_ms, due.count - 1)
    return MisfireDecision(due.last_ms, missed)
