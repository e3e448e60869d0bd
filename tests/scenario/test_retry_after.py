"""Retry-After is kept per host: a later request waits for it, or is refused with the time that remains."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from scenario.loopback import client_for, whole
from wellread.errors import RateLimited
from wellread.types import Request

if TYPE_CHECKING:
    from scenario.loopback import Server

pytestmark = pytest.mark.anyio


async def test_retry_after_is_kept_for_later_requests_to_the_host(server: Server) -> None:
    server.paths["/busy"] = whole(b"later", "429 Too Many Requests", Retry_After="600")
    server.paths["/"] = whole(b"fine")
    async with client_for(server) as client:
        busy = await client.fetch(Request(url=server.url("/busy"), user_asked=True))
        assert busy.status == 429
        with pytest.raises(RateLimited, match="has asked for a pause") as caught:
            await client.fetch(Request(url=server.url(), user_asked=True))
    assert 590 < (caught.value.retry_after_s or 0) <= 600
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
