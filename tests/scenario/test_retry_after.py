"""Retry-After is kept per host: a later request waits for it, or is refused with the time that remains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from scenario.loopback import client_for, whole
from wellread.config import NetSettings
from wellread.errors import RateLimited
from wellread.net.local_state import MAX_NAMES
from wellread.net.rate_limit import MAX_PAUSE_S, RateLimiter
from wellread.types import Request

if TYPE_CHECKING:
    from scenario.loopback import Server

pytestmark = pytest.mark.anyio


async def test_retry_after_is_kept_for_later_requests_to_the_host(server: Server) -> None:
    server.paths["/busy"] = whole(b"later", "429 Too Many Requests", Retry_After="100")
    server.paths["/"] = whole(b"fine")
    async with client_for(server) as client:
        busy = await client.fetch(Request(url=server.url("/busy"), user_asked=True))
        assert busy.status == 429
        with pytest.raises(RateLimited, match="has asked for a pause") as caught:
            await client.fetch(Request(url=server.url(), user_asked=True))
    assert 90 < (caught.value.retry_after_s or 0) <= 100
    assert server.asked() == ["/busy"]


async def test_short_retry_after_is_waited_for(server: Server) -> None:
    server.paths["/busy"] = whole(b"later", "503 Service Unavailable", Retry_After="1")
    server.paths["/"] = whole(b"fine")
    async with client_for(server) as client:
        await client.fetch(Request(url=server.url("/busy"), user_asked=True, attempts=1))
        began = anyio.current_time()
        response = await client.fetch(Request(url=server.url(), user_asked=True))
    assert response.body == b"fine"
    assert anyio.current_time() - began > 0.5


async def test_long_retry_after_of_a_page_ends_for_the_host(server: Server) -> None:
    server.paths["/user"] = whole(b"later", "503 Service Unavailable", Retry_After="999999999")
    async with client_for(server) as client:
        await client.fetch(Request(url=server.url("/user"), user_asked=True, attempts=1))
        with pytest.raises(RateLimited) as caught:
            await client.fetch(Request(url=server.url(), user_asked=True))
    assert (caught.value.retry_after_s or 0) <= MAX_PAUSE_S


async def test_hosts_that_ask_for_pauses_push_out_no_queue() -> None:
    limiter = RateLimiter(NetSettings(per_host=1, min_interval_s=0.0))
    for number in range(2 * MAX_NAMES):
        await limiter.pause(f"h{number}.example", 3_600.0)
    async with limiter.turn("victim.example"):
        with anyio.move_on_after(0.05) as waited:
            async with limiter.turn("victim.example"):
                pytest.fail("two requests at once")
    assert waited.cancelled_caught


async def test_latest_pauses_are_kept() -> None:
    limiter = RateLimiter(NetSettings(per_host=1, min_interval_s=0.0))
    for number in range(MAX_NAMES + 1):
        await limiter.pause(f"h{number}.example", 60.0)
    with anyio.move_on_after(0.05), pytest.raises(RateLimited):
        async with limiter.turn(f"h{MAX_NAMES}.example"):
            pytest.fail("the pause is forgotten")
