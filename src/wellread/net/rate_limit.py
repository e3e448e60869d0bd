"""Keeps requests to one host few at a time and apart."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from wellread.errors import RateLimited

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

MAX_HOSTS = 1_024
MAX_RETRY_AFTER_S = 3_600.0
"""A server that asks for a longer pause is asked again after this."""


class _HostQueue:
    """The requests to one host: how many are in flight, and when the next may start, in the event loop's time."""

    def __init__(self, at_once: int) -> None:
        self.slots = anyio.Semaphore(at_once)
        self.in_use = 0
        self.next_start = 0.0
        self.starting = anyio.Lock()
        self.earliest_start = 0.0
        """The pause after the last request that did start, which may have been later than was meant."""
        self.paused_until = 0.0
        """Until when the host has asked not to be asked again (Retry-After)."""


class RateLimiter:
    """Rate limits by host. Hosts that were idle longest are forgotten first, hosts in use never."""

    def __init__(self, per_host: int, min_interval_s: float) -> None:
        self._per_host = max(per_host, 1)
        self._min_interval_s = min_interval_s
        self._hosts: OrderedDict[str, _HostQueue] = OrderedDict()

    @asynccontextmanager
    async def turn(self, name: str, pause_s: float = 0.0) -> AsyncGenerator[None, None]:
        """Wait for a turn at the host `name`; the next one starts at least `pause_s` after this one.

        Raises:
            RateLimited: the turn would come after the deadline.
        """
        host = self._host(name)
        host.in_use += 1
        try:
            async with host.slots:
                await self._start(host, name, max(pause_s, self._min_interval_s))
                yield
        finally:
            host.in_use -= 1

    def pause(self, name: str, retry_after_s: float) -> None:
        """Ask the host `name` for nothing more within `retry_after_s`."""
        host = self._host(name)
        pause_s = min(retry_after_s, MAX_RETRY_AFTER_S)
        host.paused_until = max(host.paused_until, anyio.current_time() + pause_s)

    async def _start(self, host: _HostQueue, name: str, pause_s: float) -> None:
        now = anyio.current_time()
        if host.paused_until >= anyio.current_effective_deadline():
            wait_s = host.paused_until - now
            raise RateLimited(f"{name} has asked for a pause, which ends in {wait_s:.0f} s", retry_after_s=wait_s)
        if host.paused_until > now:
            await anyio.sleep(host.paused_until - now)
            now = anyio.current_time()
        if not pause_s:
            return
        start = max(now, host.next_start)
        if start >= anyio.current_effective_deadline():
            raise RateLimited(
                f"{name} allows one request in {pause_s:g} s, and the next one is after the deadline",
                retry_after_s=start - now,
            )
        host.next_start = start + pause_s
        await anyio.sleep(start - now)
        async with host.starting:  # the request before this one may have woken up late
            await anyio.sleep_until(host.earliest_start)
            host.earliest_start = anyio.current_time() + pause_s
            host.next_start = max(host.next_start, host.earliest_start)

    def _host(self, name: str) -> _HostQueue:
        host = self._hosts.setdefault(name, _HostQueue(self._per_host))
        self._hosts.move_to_end(name)
        if len(self._hosts) > MAX_HOSTS:
            now = anyio.current_time()
            idle = (
                name
                for name, host in self._hosts.items()
                if not host.in_use and max(host.next_start, host.paused_until) <= now
            )
            self._hosts.pop(next(idle, ""), None)
        return host
