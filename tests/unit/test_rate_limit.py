"""The pace of requests to one host counts from the request that was sent, however late that was."""

from __future__ import annotations

from itertools import pairwise

import anyio
import pytest

from wellread.config import NetSettings
from wellread.net.rate_limit import RateLimiter

PAUSE_S = 0.05

pytestmark = pytest.mark.anyio


async def test_a_late_start_moves_the_starts_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    limiter = RateLimiter(NetSettings(per_host=8, min_interval_s=PAUSE_S))
    starts: list[float] = []
    sleep = anyio.sleep

    async def oversleep(delay_s: float) -> None:
        late_s = PAUSE_S * 2 if len(starts) == 1 else 0.0
        await sleep(delay_s + late_s)  # what is tested: a pause that the event loop ends too late

    async def send() -> None:
        async with limiter.turn("host.example"):
            starts.append(anyio.current_time())

    monkeypatch.setattr("wellread.net.rate_limit.anyio.sleep", oversleep)  # a timer that wakes late
    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(send)
    assert min(later - earlier for earlier, later in pairwise(starts)) >= PAUSE_S
