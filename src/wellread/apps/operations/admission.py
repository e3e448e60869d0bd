"""Admission control: which call may begin, which waits, and which must come back later, before it takes memory."""

from __future__ import annotations

import math
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from wellread.errors import RateLimited
from wellread.worker.child import resident_bytes

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from wellread.ports import Clock, Pace
    from wellread.sections import ServerSettings

BUSY_S = 2.0
"""The wait given to a caller when all places are taken: about one read."""
MEASURE_S = 0.1
"""How long a measure of the memory holds: each takes three system calls, and operations take theirs more slowly."""


class Admission:
    """Limits on operations, in all and per caller, and on requests per minute and caller."""

    def __init__(
        self, settings: ServerSettings, *, clock: Clock, pace: Pace, memory: Callable[[], int] | None = None
    ) -> None:
        """Take the limits; replicas that share `pace` count the requests of a caller together.

        `memory` returns the size of this process in bytes.
        """
        self._settings = settings
        self._pace = pace
        self.clock = clock
        self._memory = memory or resident_bytes
        self._places = anyio.Semaphore(settings.concurrency, fast_acquire=True)
        self._memory_bytes = 0
        self._measured_s = -math.inf
        """When the memory was measured, by the clock."""
        self._by_caller: dict[str, int] = {}
        self.running = 0
        self.waiting = 0

    @property
    def open(self) -> bool:
        """Whether the next operation would be admitted."""
        return not self._full() and not self._short()

    @asynccontextmanager
    async def place(self, caller: str | None) -> AsyncGenerator[None, None]:
        """Hold a place while the work lasts; `caller` is the name of a key, None for the person at this machine.

        Raises:
            RateLimited: no place, no room to wait, or too little memory; it says when to come back.
        """
        self._refuse(caller)
        caller_key = caller or ""
        self._by_caller[caller_key] = self._by_caller.get(caller_key, 0) + 1
        self.waiting += 1
        has_begun = False
        try:
            async with self._places:
                self.waiting -= 1
                has_begun = True
                self.running += 1
                try:
                    yield
                finally:
                    self.running -= 1
        finally:
            self.waiting -= not has_begun
            self._by_caller[caller_key] -= 1
            if not self._by_caller[caller_key]:
                del self._by_caller[caller_key]

    async def count(self, caller: str) -> None:
        """Count one request of `caller`.

        Raises:
            RateLimited: more than `key_per_min`; a bucket of that many tokens fills evenly.
            SharedStateFailed: replicas count together, and their server does not answer.
        """
        max_per_min = self._settings.key_per_min
        token = await self._pace.reserve(f"caller {caller}", 60 / max_per_min, burst=max_per_min, max_wait_s=0.0)
        if not token.is_granted:
            wait_s = max(1.0, token.wait_s)
            raise RateLimited(f"{caller} may send {max_per_min} requests a minute", retry_after_s=wait_s)

    def _refuse(self, caller: str | None) -> None:
        limits = self._settings
        if self._short():
            raise RateLimited("the server is short of memory", retry_after_s=BUSY_S * 5)
        if caller is not None and self._by_caller.get(caller, 0) >= limits.key_concurrency:
            raise RateLimited(f"{caller} has {limits.key_concurrency} calls in progress", retry_after_s=BUSY_S)
        if self._full():
            raise RateLimited("the server has too many calls in progress", retry_after_s=BUSY_S)

    def _full(self) -> bool:
        return self.running >= self._settings.concurrency and self.waiting >= self._settings.queue

    def _short(self) -> bool:
        max_bytes = self._settings.max_memory_bytes
        if not max_bytes:
            return False
        now_s = self.clock.monotonic()
        if now_s - self._measured_s >= MEASURE_S:
            self._memory_bytes, self._measured_s = self._memory(), now_s
        return self._memory_bytes > max_bytes
