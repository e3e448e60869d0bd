"""The clocks of the machine, which programs hand to all parts that need the time."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """The machine's own clocks."""

    def now(self) -> datetime:
        """Return the wall clock in UTC."""
        return datetime.fromtimestamp(time.time(), tz=UTC)

    def monotonic(self) -> float:
        """Return seconds that never run backwards."""
        return time.monotonic()

    def now_ms(self) -> int:
        """Return the wall clock in milliseconds since 1970-01-01 UTC."""
        return time.time_ns() // 1_000_000
