"""Keeps requests to one host few at a time and apart."""

from __future__ import annotations

from collections import OrderedDict
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio

from wellread.errors import RateLimited
from wellread.net.local_state import LocalState

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wellread.config import NetSettings
    from wellread.ports import Pace

MAX_HOSTS = 1_024
MAX_PAUSE_S = 120.0
"""The longest pause of an authority: one page of a host, or one account, may answer with Retry-After for all others."""


class _HostQueue:
    """The requests of this process to one host: how many are in flight or wait."""

    def __init__(self, at_once: int) -> None:
        self.slots = anyio.Semaphore(at_once, fast_acquire=True)
        self.in_use = 0


class RateLimiter:
    """Rate limits by host. Hosts that were idle longest are forgotten first, hosts in use never.

    The number of requests in flight is that of this process; their starts are apart for all who share `pace`.
    """

    def __init__(self, settings: NetSettings, pace: Pace | None = None) -> None:
        """Take the limits; without `pace`, starts are apart in this process alone."""
        self._per_host = max(settings.per_host, 1)
        self._min_interval_s = settings.min_interval_s
        self._pace = pace or LocalState()
        self._hosts: OrderedDict[str, _HostQueue] = OrderedDict()

    @asynccontextmanager
    async def turn(self, name: str, pause_s: float = 0.0, *, authority: str = "") -> AsyncGenerator[None, None]:
        """Wait for a turn at the host `name`; the next one starts at least `pause_s` after this one.

        `authority` is the host with its port, which may have asked for a pause.

        Raises:
            RateLimited: the turn would come after the deadline.
            SharedStateFailed: the pace is shared, and its server does not answer.
        """
        host = self._host(name)
        host.in_use += 1
        try:
            async with host.slots:
                await self._wait_for_pause(authority or name)
                await self._start(name, max(pause_s, self._min_interval_s))
                yield
        finally:
            host.in_use -= 1

    async def pause(self, authority: str, retry_after_s: float) -> None:
        """Ask `authority` for nothing more within `retry_after_s`, or within `MAX_PAUSE_S` if that is less."""
        await self._pace.pause(f"pause {authority}", min(retry_after_s, MAX_PAUSE_S))

    async def _wait_for_pause(self, authority: str) -> None:
        pause = await self._pace.reserve(f"pause {authority}", 0.0, max_wait_s=_seconds_left())
        if not pause.is_granted:
            raise RateLimited(
                f"{authority} has asked for a pause, which ends in {pause.wait_s:.0f} s", retry_after_s=pause.wait_s
            )
        if pause.wait_s:
            await anyio.sleep(pause.wait_s)

    async def _start(self, name: str, pause_s: float) -> None:
        if not pause_s:
            return
        start = await self._pace.reserve(f"start {name}", pause_s, max_wait_s=_seconds_left())
        if not start.is_granted:
            raise RateLimited(
                f"{name} allows one request in {pause_s:g} s, and the next one is after the deadline",
                retry_after_s=start.wait_s,
            )
        await anyio.sleep(start.wait_s)
        # The request before this one may have started later than it had reserved.
        interval_s = pause_s + self._pace.answer_delay_s
        begin = await self._pace.reserve(f"begin {name}", interval_s, max_wait_s=0.0)
        while not begin.is_granted:
            await anyio.sleep(begin.wait_s)
            begin = await self._pace.reserve(f"begin {name}", interval_s, max_wait_s=0.0)

    def _host(self, name: str) -> _HostQueue:
        host = self._hosts.setdefault(name, _HostQueue(self._per_host))
        self._hosts.move_to_end(name)
        if len(self._hosts) > MAX_HOSTS:
            idle = (other for other, queue in self._hosts.items() if other != name and not queue.in_use)
            self._hosts.pop(next(idle, ""), None)
        return host


def _seconds_left() -> float:
    return max(anyio.current_effective_deadline() - anyio.current_time(), 0.0)
