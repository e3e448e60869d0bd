"""Let a loop sleep until work is due, and wake it early when there is new work."""

import anyio

MAX_SLEEP_S = 15.0
"""The longest sleep: how late work that another process left, or a clock that was put forward, may be noticed.

PostgreSQL could notify, but the process that leaves work mostly does it, too, and wakes its own loops; SQLite has no
notifications. Four looks a minute serve both."""


_SHORTEST_S = 0.2
"""The shortest sleep: of two that wait for one thing, the one that finds it taken does not run in circles."""


def pause_s(next_ms: int | None, now_ms: int) -> float:
    """Return how long to sleep until something is due; None is nothing that is known of."""
    return MAX_SLEEP_S if next_ms is None else max(_SHORTEST_S, (next_ms - now_ms) / 1_000)


class WakeupSignal:
    """A wake-up signal; one that comes while nobody waits is kept."""

    def __init__(self) -> None:
        self._rung = anyio.Event()

    def ring(self) -> None:
        """Wake the waiting task, or the next one that waits."""
        self._rung.set()

    async def wait(self, seconds: float) -> None:
        """Sleep for `seconds`, at most `MAX_SLEEP_S`, or until the next `ring`."""
        with anyio.move_on_after(min(max(seconds, 0), MAX_SLEEP_S)):
            await self._rung.wait()
        self._rung = anyio.Event()
