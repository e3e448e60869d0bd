"""Paces and leases of one process, in memory."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final

import anyio

from wellread.ports import Reservation

if TYPE_CHECKING:
    from collections.abc import Callable

MAX_NAMES: Final = 2_048
"""Names of one kind whose next start is known; starts that are over are forgotten first, then the nearest.

The kind is the first word of a name: the pauses of sites push out no caller, who would begin with a full quota."""

_POLL_S: Final = 0.1
"""How often a waiting task looks at a lease, which is in memory."""


class LocalState:
    """A `ports.SharedState` that no other process sees."""

    answer_delay_s = 0.0
    outlives_holder = False

    def __init__(self, now: Callable[[], float] = anyio.current_time) -> None:
        """Take the clock, in seconds."""
        self._now = now
        self._next_starts: defaultdict[str, dict[str, float]] = defaultdict(dict)
        """Kind -> name -> time."""
        self._leases: dict[str, tuple[str, float]] = {}

    async def reserve(self, name: str, interval_s: float, *, burst: int = 1, max_wait_s: float) -> Reservation:
        """Reserve a start as `ports.Pace` says: the generic cell rate algorithm (ITU-T I.371)."""
        now = self._now()
        next_start = self._next_starts[_kind(name)].get(name, now)
        wait_s = max(next_start - (burst - 1) * interval_s - now, 0.0)
        if wait_s > max_wait_s:
            return Reservation(wait_s, is_granted=False)
        if interval_s:
            self._store(name, max(next_start, now) + interval_s)
        return Reservation(wait_s, is_granted=True)

    async def pause(self, name: str, pause_s: float) -> None:
        """Allow no start under `name` for `pause_s`."""
        self._store(name, max(self._next_starts[_kind(name)].get(name, 0.0), self._now() + pause_s))

    async def acquire(self, name: str, holder: str, duration_s: float) -> bool:
        """Give or renew a lease as `ports.Leases` says."""
        now = self._now()
        current_holder, end = self._leases.get(name, (holder, now))
        if current_holder != holder and end > now:
            return False
        self._leases[name] = (holder, now + duration_s)
        return True

    async def renew(self, name: str, holder: str, duration_s: float) -> bool:
        """Extend a lease as `ports.Leases` says."""
        return name in self._leases and await self.acquire(name, holder, duration_s)

    async def release(self, name: str, holder: str) -> None:
        """End the lease, if `holder` has it."""
        if self._leases.get(name, ("", 0.0))[0] == holder:
            del self._leases[name]

    async def wait_for_release(self, _name: str, wait_s: float) -> None:
        """Wait as `ports.Leases` says."""
        await anyio.sleep(min(wait_s, _POLL_S))

    async def aclose(self) -> None:
        """Close nothing."""

    def _store(self, name: str, next_start: float) -> None:
        starts = self._next_starts[_kind(name)]
        if name not in starts and len(starts) >= MAX_NAMES:
            now = self._now()
            for other in [other for other, start in starts.items() if start <= now]:
                del starts[other]
            if len(starts) >= MAX_NAMES:
                del starts[min(starts, key=starts.__getitem__)]
        starts[name] = next_start


def _kind(name: str) -> str:
    return name.partition(" ")[0]
