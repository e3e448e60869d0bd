"""Keeps one provider's pace and pauses it when it fails: pure bookkeeping on times that are handed in."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wellread.types import OutcomeCode

FAILURES_TO_PAUSE = 3
PAUSE_S = 30.0
MAX_PAUSE_S = 600.0
MEND_S = 300.0
"""A key or a plan is not mended within seconds."""
BLOCK_S = 180.0
"""SearXNG's own figure for engines that answered with a block."""

SLACK = 1.1
"""Times the interval: no two requests take equally long on their way."""

GOOD = frozenset({"ok", "no_results", "partial", "bad_request", "unrecorded"})


@dataclass(slots=True)
class Health:
    """How a provider is doing. All times are monotonic seconds."""

    interval_s: float
    met: bool = False
    """Whether a request has ended: until then one goes alone, as a connection that is being made takes its time."""
    next_free: float = 0.0
    paused_until: float = 0.0
    failures: int = 0
    reason: OutcomeCode = "upstream"

    def reserve(self, now: float) -> float:
        """Take the next free slot; return how long to wait for it."""
        start = max(now, self.next_free)
        self.next_free = start + self.interval_s * SLACK
        return start - now

    def wait_s(self, now: float) -> float:
        """Return how long a slot taken now would have to wait."""
        return max(0.0, self.next_free - now)

    def paused_s(self, now: float) -> float:
        """Return for how long it is to be left alone; 0 when it may be asked."""
        return max(0.0, self.paused_until - now)

    def learn(self, code: OutcomeCode, now: float, *, retry_after_s: float | None = None) -> None:
        """Take note of how a request ended."""
        if not self.met:
            self.met, self.next_free = True, now + self.interval_s * SLACK
        if code in GOOD:
            self.failures = 0
            return
        self.failures += 1
        self.reason = code
        self.paused_until = max(self.paused_until, now + self._pause_s(code, retry_after_s))

    def _pause_s(self, code: OutcomeCode, retry_after_s: float | None) -> float:
        if code == "rate_limited":
            return min(retry_after_s or max(self.interval_s, 1.0), MAX_PAUSE_S)
        if code in {"auth", "quota"}:
            return MEND_S
        if code in {"challenge", "changed_markup"}:
            return BLOCK_S
        beyond = self.failures - FAILURES_TO_PAUSE
        if beyond < 0:
            return 0.0
        pause_s: float = min(PAUSE_S * 2**beyond, MAX_PAUSE_S)
        return pause_s
