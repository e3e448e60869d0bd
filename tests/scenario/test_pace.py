"""Ten parallel callers at a service that allows one request per interval: none is ever turned away."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import anyio
import pytest

from wellread.config import NetSettings, Settings
from wellread.net import guard
from wellread.net.client import Client
from wellread.net.dial import NetworkTransport
from wellread.net.local_state import LocalState
from wellread.ports import Access, Query
from wellread.search.engine import ProviderSource, ProviderTransports, SearchBudget, SearchEngine
from wellread.search.providers.brave import Brave
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import SocketStream

INTERVAL_S = 0.2

HIT = b'{"type":"search","query":{},"web":{"results":[{"title":"t","url":"https://a.example/","description":"d"}]}}'


class QuickBrave(Brave):
    interval_s = INTERVAL_S


class RealClock(FakeClock):
    def monotonic(self) -> float:
        return time.monotonic()


@pytest.fixture
async def service() -> AsyncIterator[tuple[int, list[int]]]:
    statuses: list[int] = []
    begun: list[float] = []

    async def answer(stream: SocketStream) -> None:
        async with stream:
            request = b""
            while b"\r\n\r\n" not in request:
                request += await stream.receive()
            begun.append(time.monotonic())
            # Counted from the first: one that a busy machine holds up on its way does not make the next one early.
            statuses.append(200 if begun[-1] >= begun[0] + INTERVAL_S * len(statuses) else 429)
            head = b"HTTP/1.1 %d X\r\nContent-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n"
            await stream.send(head % (statuses[-1], len(HIT)) + HIT)

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, answer)
        yield listener.extra(anyio.abc.SocketAttribute.local_port), statuses
        tasks.cancel_scope.cancel()
    await listener.aclose()


async def test_ten_callers_of_a_paced_service_get_no_429(service: tuple[int, list[int]]) -> None:
    port, statuses = service
    settings = Settings(net=NetSettings(allow_hosts=(f"127.0.0.1:{port}",), per_host=10))
    clock = RealClock()
    client = Client(settings, NetworkTransport(settings, policy=guard.read_policy(settings.net)), clock=clock)
    engine = SearchEngine(
        [ProviderSource(QuickBrave(), Access(key="k", base_url=f"http://127.0.0.1:{port}"))],
        transports=ProviderTransports(client),
        clock=clock,
        budget=SearchBudget(total_s=20, provider_s=20),
        last=None,
        pace=LocalState(),
    )
    ends: list[str] = []

    async def call() -> None:
        found = await engine.search(Query(text="green tea"))
        ends.extend(outcome.code for outcome in found.outcomes)

    async with anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(call)
    await client.aclose()
    assert ends == ["ok"] * 10
    assert statuses == [200] * 10
