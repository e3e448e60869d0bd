"""Two replicas of one service, with what they share at a Redis server."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

import anyio
import pytest

from scenario.loopback import whole
from wellread.apps.build import Web
from wellread.config import CacheSettings, ExtractSettings, NetSettings, Settings
from wellread.errors import RateLimited, SharedStateFailed
from wellread.net import leases
from wellread.net.local_state import LocalState
from wellread.net.postgres import postgres_engine
from wellread.sections import RenderSettings, SharedSettings
from wellread.store.postgres_snapshots import _EVICT_EVERY, PostgresSnapshots
from wellread.testing import FakeClock
from wellread.types import Request, Response
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from anyio.abc import SocketStream

    from postgres import Postgres
    from redis_server import RedisServer
    from scenario.loopback import Server

pytestmark = pytest.mark.anyio

DELAY_S = 0.3
PAGE = "<title>Tides</title><p>" + "The tide comes in twice a day, and goes out again, as the moon has it. " * 8


@dataclass
class Visits:
    """A handler that answers slowly with a page, and notes when it was asked."""

    pause_s: float = 0.0
    times: list[float] = field(default_factory=list)

    async def __call__(self, stream: SocketStream, _: bytes) -> None:
        self.times.append(anyio.current_time())
        await anyio.sleep(self.pause_s)  # a slow server is what is tested
        await stream.send(whole(PAGE.encode(), Content_Type="text/html", Connection="close"))


@asynccontextmanager
async def replica(
    server: Server, redis: RedisServer, folder: Path, *, robots: bool = False, snapshots: str = ""
) -> AsyncIterator[Web]:
    settings = Settings(
        net=NetSettings(allow_hosts=(f"127.0.0.1:{server.port}",), robots=robots, per_host=8),
        cache=CacheSettings(dir=folder),
        extract=ExtractSettings(processes=0),
        render=RenderSettings(enabled=False),
        shared=SharedSettings(url=Address(redis.url), snapshots=Address(snapshots) if snapshots else None),
    )
    async with Web(settings) as web:
        yield web


async def test_crawl_delay_holds_over_replicas(server: Server, redis: RedisServer, tmp_path: Path) -> None:
    visits = Visits()
    server.anything = visits
    server.paths["/robots.txt"] = whole(f"User-agent: *\nCrawl-delay: {DELAY_S}\n".encode())
    async with (
        replica(server, redis, tmp_path / "a", robots=True) as first,
        replica(server, redis, tmp_path / "b", robots=True) as second,
        anyio.create_task_group() as tasks,
    ):
        for number in range(3):
            tasks.start_soon(first.parts.fetcher.fetch, Request(url=server.url(f"/a{number}")))
            tasks.start_soon(second.parts.fetcher.fetch, Request(url=server.url(f"/b{number}")))
    assert len(visits.times) == 6
    assert min(later - earlier for earlier, later in pairwise(visits.times)) >= DELAY_S


async def test_retry_after_holds_over_replicas(server: Server, redis: RedisServer, tmp_path: Path) -> None:
    server.anything = whole(b"later", "429 Too Many Requests", Retry_After="100")
    async with replica(server, redis, tmp_path / "a") as first, replica(server, redis, tmp_path / "b") as second:
        for web in (first, second):
            with pytest.raises(RateLimited):
                await web.read(server.url())
    assert len(server.requests) == 1


async def test_one_fetch_of_a_page_over_replicas(
    server: Server, redis: RedisServer, postgres_server: Postgres, tmp_path: Path
) -> None:
    visits = Visits(pause_s=0.3)
    server.anything = visits
    url, pages = server.url("/tides"), []

    async def read(web: Web) -> None:
        pages.append(await web.read(url, max_length=300))

    with postgres_server.database() as database:
        async with (
            replica(server, redis, tmp_path / "a", snapshots=database) as first,
            replica(server, redis, tmp_path / "b", snapshots=database) as second,
        ):
            async with anyio.create_task_group() as tasks:
                for web in (first, second, first, second):
                    tasks.start_soon(read, web)
            evidence = await first.gather("tide moon", urls=[url])
            following = await second.read(url, cursor=pages[0].cursor)
            verdicts = await second.verify(evidence)
            problems = (first.problem, second.problem)
    assert len(visits.times) == 1
    assert len({page.text for page in pages}) == 1
    assert following.snapshot_id == pages[0].snapshot_id
    assert verdicts
    assert all(verdict.ok for verdict in verdicts)
    assert problems == (None, None)


async def test_archive_in_shared_snapshots(postgres_server: Postgres) -> None:
    clock = FakeClock()
    with postgres_server.database() as url:
        engine = postgres_engine(url, setting="shared.snapshots", timeout_s=5)
        store = PostgresSnapshots(engine, clock=clock, ttl_s=60, max_bytes=1_000)
        assert store.body("archive") is None
        store.put_body("archive", Response(url="https://a.example/a.zip", status=200, headers=(), body=b"PK"))
        store.put_body("large", Response(url="https://a.example/b.zip", status=200, headers=(), body=b"P" * 1_001))
        clock.advance(61)
        copy = store.body("archive")
        assert copy is not None
        assert (copy.response.body, copy.fresh, store.body("large")) == (b"PK", False, None)
        for number in range(_EVICT_EVERY):
            clock.advance(1)
            store.put_body(f"{number}", Response(url="https://a.example/", status=200, headers=(), body=b"P" * 100))
        assert [store.body(f"{number}") is None for number in (0, _EVICT_EVERY - 1)] == [True, False]
        store.close()


async def test_nothing_is_requested_without_a_pace(server: Server, redis: RedisServer, tmp_path: Path) -> None:
    server.anything = Visits()
    async with replica(server, redis, tmp_path) as web:
        page = await web.read(server.url("/known"))
        redis.stop()
        try:
            with pytest.raises(SharedStateFailed, match=r"shared\.url"):
                await web.read(server.url("/new"))
            assert (await web.read(server.url("/known"))).text == page.text
        finally:
            redis.start()
    assert server.asked() == ["/known"]


async def test_lost_lease_cancels_its_holder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leases, "BEAT_S", 0.01)
    state = LocalState()

    async def work() -> None:
        async with leases.held(state, "work", wait_s=1):
            state._leases["work"] = ("another", anyio.current_time() + 100)
            await anyio.sleep_forever()

    with anyio.fail_after(5), pytest.raises(SharedStateFailed, match="lost"):
        await work()
    assert await state.acquire("work", "another", 1)


async def test_lease_of_a_dead_holder_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    state = LocalState()
    assert await state.acquire("work", "dead", 0.2)
    async with leases.held(state, "work", wait_s=5) as has_waited:
        assert has_waited
