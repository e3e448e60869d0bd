"""Who may begin now, who waits, and who is told to come back: decided before work takes memory."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from wellread.errors import RateLimited
from wellread.worker.child import resident_bytes

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable

    from wellread.ports import Clock
    from wellread.sections import ServerSettings

BUSY_S = 2.0
"""What a caller is told to wait when all places are taken: about one read."""


class Admission:
    """Places for operations, in all and per caller; requests per minute and caller."""

    def __init__(self, settings: ServerSettings, *, clock: Clock, memory: Callable[[], int] | None = None) -> None:
        """Take the limits; `memory` returns the size of this process in bytes."""
        self._settings = settings
        self.clock = clock
        self._memory = memory or resident_bytes
        self._places = anyio.Semaphore(settings.concurrency)
        self._by_caller: dict[str, int] = {}
        self._tokens: dict[str, tuple[float, float]] = {}
        self.running = 0
        self.waiting = 0

    @property
    def open(self) -> bool:
        """Whether the next operation would be let in."""
        return not self._full() and not self._short()

    @asynccontextmanager
    async def place(self, caller: str | None) -> AsyncGenerator[None, None]:
        """Hold a place while the work lasts; `caller` is the name of a key, None for whoever sits at this machine.

        Raises:
            RateLimited: no place, no room to wait, or too little memory; it says when to come back.
        """
        self._refuse(caller)
        held = caller or ""
        self._by_caller[held] = self._by_caller.get(held, 0) + 1
        self.waiting += 1
        begun = False
        try:
            async with self._places:
                self.waiting -= 1
                begun = True
                self.running += 1
                try:
                    yield
                finally:
                    self.running -= 1
        finally:
            self.waiting -= not begun
            self._by_caller[held] -= 1
            if not self._by_caller[held]:
                del self._by_caller[held]

    def count(self, caller: str) -> None:
        """Count one request of `caller`.

        Raises:
            RateLimited: more than `key_per_min`; a bucket of that many tokens fills evenly.
        """
        most = self._settings.key_per_min
        now = self.clock.monotonic()
        left, then = self._tokens.get(caller, (float(most), now))
        left = min(float(most), left + (now - then) * most / 60)
        self._tokens[caller] = (max(0.0, left - 1) if left >= 1 else left, now)
        if left < 1:
            wait_s = max(1.0, (1 - left) * 60 / most)
            raise RateLimited(f"{caller} may ask {most} times a minute", retry_after_s=wait_s)

    def _refuse(self, caller: str | None) -> None:
        limits = self._settings
        if self._short():
            raise RateLimited("the server is short of memory", retry_after_s=BUSY_S * 5)
        if caller is not None and self._by_caller.get(caller, 0) >= limits.key_concurrency:
            raise RateLimited(f"{caller} has {limits.key_concurrency} calls under way", retry_after_s=BUSY_S)
        if self._full():
            raise RateLimited("all places are taken", retry_after_s=BUSY_S)

    def _full(self) -> bool:
        return self.running >= self._settings.concurrency and self.waiting >= self._settings.queue

    def _short(self) -> bool:
        most = self._settings.max_memory_bytes
        return bool(most) and self._memory() > most
