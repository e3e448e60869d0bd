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
MAX_PAUSED = 1_024
"""Authorities whose pause is kept."""
MAX_PAUSE_S = 120.0
"""The longest pause of an authority: one page of a host, or one account, may answer with Retry-After for all others."""


class _HostQueue:
    """The requests to one host: how many are in flight, and when the next may start, in the event loop's time."""

    def __init__(self, at_once: int) -> None:
        self.slots = anyio.Semaphore(at_once)
        self.in_use = 0
        self.next_start = 0.0
        self.starting = anyio.Lock()
        self.earliest_start = 0.0
        """The pause after the last request that did start, which may have been later than was meant."""


class RateLimiter:
    """Rate limits by host. Hosts that were idle longest are forgotten first, hosts in use never."""

    def __init__(self, per_host: int, min_interval_s: float) -> None:
        self._per_host = max(per_host, 1)
        self._min_interval_s = min_interval_s
        self._hosts: OrderedDict[str, _HostQueue] = OrderedDict()
        self._paused_until: dict[str, float] = {}
        """Authority -> until when it has asked not to be asked again (Retry-After)."""

    @asynccontextmanager
    async def turn(self, name: str, pause_s: float = 0.0, *, authority: str = "") -> AsyncGenerator[None, None]:
        """Wait for a turn at the host `name`; the next one starts at least `pause_s` after this one.

        `authority` is the host with its port, which may have asked for a pause.

        Raises:
            RateLimited: the turn would come after the deadline.
        """
        host = self._host(name)
        host.in_use += 1
        try:
            async with host.slots:
                await self._wait_for_pause(authority or name)
                await self._start(host, name, max(pause_s, self._min_interval_s))
                yield
        finally:
            host.in_use -= 1

    def pause(self, authority: str, retry_after_s: float) -> None:
        """Ask `authority` for nothing more within `retry_after_s`, or within `MAX_PAUSE_S` if that is less."""
        now = anyio.current_time()
        until = now + min(retry_after_s, MAX_PAUSE_S)
        if len(self._paused_until) >= MAX_PAUSED and authority not in self._paused_until:
            self._paused_until = {name: end for name, end in self._paused_until.items() if end > now}
            if len(self._paused_until) >= MAX_PAUSED:
                self._paused_until.pop(min(self._paused_until, key=self._paused_until.__getitem__))
        self._paused_until[authority] = max(self._paused_until.get(authority, 0.0), until)

    async def _wait_for_pause(self, authority: str) -> None:
        until = self._paused_until.get(authority, 0.0)
        wait_s = until - anyio.current_time()
        if wait_s <= 0:
            self._paused_until.pop(authority, None)
            return
        if until >= anyio.current_effective_deadline():
            raise RateLimited(f"{authority} has asked for a pause, which ends in {wait_s:.0f} s", retry_after_s=wait_s)
        await anyio.sleep(wait_s)

    async def _start(self, host: _HostQueue, name: str, pause_s: float) -> None:
        if not pause_s:
            return
        now = anyio.current_time()
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
                other
                for other, queue in self._hosts.items()
                if other != name and not queue.in_use and queue.next_start <= now
            )
            self._hosts.pop(next(idle, ""), None)
        return host
