"""The contract of shared stores: starts are apart, a lease has one holder, snapshots and the index are those of all.

A shared store is one more entry of `URLS`, with the fixture that has the URL of a real server.
"""

from __future__ import annotations

import gc
import math
import socket
import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest

from unit.test_index import snapshot
from wellread import plugins
from wellread.apps.build import Web
from wellread.apps.shared_stores import open_shared_snapshots, open_shared_state
from wellread.config import Settings, load
from wellread.errors import ConfigError, SharedStateFailed
from wellread.index.local_index import index_row
from wellread.net import postgres_state
from wellread.net.local_state import LocalState
from wellread.sections import SharedSettings
from wellread.testing import FakeClock
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from postgres import Postgres
    from redis_server import RedisServer
    from wellread.ports import SharedState

pytestmark = pytest.mark.anyio

URLS = {"redis": "redis_url", "valkey": "valkey_url", "postgresql": "postgres_url"}
TLS = {"rediss": "redis", "valkeys": "valkey"}
"""The same shared stores by TLS, which the library does."""


@pytest.fixture(params=("local", *URLS))
async def replicas(request: pytest.FixtureRequest) -> AsyncIterator[tuple[SharedState, SharedState]]:
    """The state as two replicas see it; names that other tests use differ."""
    if request.param == "local":
        state = LocalState()
        yield state, state
        return
    url = request.getfixturevalue(URLS[request.param])
    async with opened(url) as first, opened(url) as second:
        yield first, second


@pytest.fixture
def redis_url(redis: RedisServer) -> str:
    return redis.url


@pytest.fixture
def valkey_url(redis: RedisServer) -> str:
    return redis.url.replace("redis://", "valkey://").removesuffix("0") + "1"  # a database of its own


@pytest.fixture
def postgres_url(postgres_server: Postgres) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


def test_every_shared_store_has_a_server() -> None:
    assert set(plugins.names("stores")) == {*URLS, *TLS}
    for name, plain in TLS.items():
        assert plugins.load("stores", name) is plugins.load("stores", plain)


def test_scheme_of_no_shared_store_names_the_schemes() -> None:
    with pytest.raises(ConfigError, match=r"shared\.url has the scheme 'mysql'") as caught:
        open_shared_state(Address("mysql://u:secret@h/db"))
    assert "postgresql://" in caught.value.hint
    settings = Settings(shared=SharedSettings(snapshots=Address("redis://:secret@h/0")))
    with pytest.raises(ConfigError, match=r"shared\.snapshots names a redis server, which keeps no snapshots"):
        open_shared_snapshots(settings, FakeClock())


STRANGER = """
from wellread.net.local_state import LocalState

class Tides:
    def open_state(self, url):
        self.state = LocalState()
        self.state.url = url
        return self.state

    def open_snapshots(self, url, setting, *, clock, ttl_s, max_bytes):
        return None

    def open_index_log(self, url, setting):
        return None
"""


async def test_shared_store_of_another_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "site"
    folder = home / "wellread_tides-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: wellread-tides\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[wellread.stores]\ntides = wellread_tides:Tides\n")
    (home / "wellread_tides.py").write_text(STRANGER)
    monkeypatch.syspath_prepend(str(home))
    settings = load(environ={}, flags={"shared.url": "Tides://u:hunter2@h/1", "cache.dir": str(tmp_path / "cache")})
    assert "hunter2" not in repr(settings)
    async with Web(settings) as web:
        assert vars(web.shared_state)["url"] == "Tides://u:hunter2@h/1"
        assert await web.indexed() == ()
    sys.modules.pop("wellread_tides")


@pytest.mark.parametrize("name", URLS)
def test_snapshots_of_one_replica_are_those_of_all(name: str, request: pytest.FixtureRequest) -> None:
    url, store = request.getfixturevalue(URLS[name]), plugins.load("stores", name)()
    clock = FakeClock()
    first, second = (
        store.open_snapshots(url, "shared.url", clock=clock, ttl_s=60.0, max_bytes=1_000_000) for _ in range(2)
    )
    if first is None:
        return
    page = snapshot("https://a.example/", "Whelks.")
    first.put("key", page, etag="e")
    first.put("secret", replace(page, id="sha256:secret"), identity="alice")
    entry = second.get("key")
    assert (entry.snapshot, entry.fresh, entry.etag) == (page, True, "e")
    assert (second.by_id(page.id), second.by_id("sha256:none")) == (page, None)
    assert second.by_id("sha256:secret") is None
    assert second.by_id("sha256:secret", identity="alice") is not None
    clock.advance(61)
    assert not second.get("key").fresh
    first.renew("key")
    assert second.get("key").fresh
    assert (first.last_problem, second.last_problem) == (None, None)
    first.close()
    second.close()


@pytest.mark.parametrize("name", URLS)
def test_log_of_the_index_has_the_newest_change_of_each_url(name: str, request: pytest.FixtureRequest) -> None:
    url, store = request.getfixturevalue(URLS[name]), plugins.load("stores", name)()
    first, second = (store.open_index_log(url, "shared.url") for _ in range(2))
    if first is None:
        return
    rows = [index_row(snapshot(f"https://a.example/{letter}", letter), letter, "mark") for letter in "abc"]
    assert [first.put(row) for row in rows] == [True] * 3
    assert (second.put(rows[0]), second.remove(rows[1].url), second.remove(rows[1].url)) == (False, True, False)
    assert first.log_id() == second.log_id()
    changes = first.changes(0, 9)
    assert [(change.url, change.page) for change in changes] == [
        (rows[0].url, rows[0]), (rows[2].url, rows[2]), (rows[1].url, None),
    ]  # fmt: skip
    assert [change.sequence for change in changes] == sorted({change.sequence for change in changes})
    assert first.changes(changes[0].sequence, 1) == changes[1:2]
    assert second.put(rows[1])
    assert first.changes(changes[-1].sequence, 9)[0].page == rows[1]
    first.close()
    second.close()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[SharedState]:
    state = open_shared_state(Address(url))
    try:
        yield state
    finally:
        await state.aclose()


async def test_starts_are_an_interval_apart(replicas: tuple[SharedState, SharedState]) -> None:
    first, second = replicas
    waits = [(await state.reserve("apart", 100.0, max_wait_s=math.inf)).wait_s for state in (first, second, first)]
    assert waits == pytest.approx([0, 100, 200], abs=1)


async def test_a_start_that_is_too_late_is_not_reserved(replicas: tuple[SharedState, SharedState]) -> None:
    first, second = replicas
    await first.reserve("late", 50.0, max_wait_s=0.0)
    refused = await second.reserve("late", 50.0, max_wait_s=49.0)
    granted = await first.reserve("late", 50.0, max_wait_s=51.0)
    assert (refused.is_granted, granted.is_granted) == (False, True)
    assert [refused.wait_s, granted.wait_s] == pytest.approx([50, 50], abs=1)


async def test_a_bucket_of_tokens_is_exact(replicas: tuple[SharedState, SharedState]) -> None:
    granted = [await state.reserve("bucket", 60.0, burst=5, max_wait_s=0.0) for state in replicas * 4]
    assert [reservation.is_granted for reservation in granted] == [True] * 5 + [False] * 3
    assert granted[-1].wait_s == pytest.approx(60, abs=2)


async def test_a_pause_holds_for_all_until_it_ends(replicas: tuple[SharedState, SharedState]) -> None:
    first, second = replicas
    await first.pause("pause", 1.0)
    await second.pause("pause", 0.05)
    paused = await second.reserve("pause", 0.0, max_wait_s=0.0)
    assert not paused.is_granted
    assert 0.05 < paused.wait_s <= 1.0
    await anyio.sleep(paused.wait_s)  # the server counts real time
    assert (await second.reserve("pause", 0.0, max_wait_s=0.01)).is_granted


async def test_a_lease_has_one_holder_until_its_end(replicas: tuple[SharedState, SharedState]) -> None:
    first, second = replicas
    assert await first.acquire("lease", "a", 9.0)
    assert not await second.acquire("lease", "b", 9.0)
    assert await first.acquire("lease", "a", 9.0)
    await second.release("lease", "b")
    assert not await second.acquire("lease", "b", 9.0)
    await first.release("lease", "a")
    assert await second.acquire("lease", "b", 0.05)
    await anyio.sleep(0.08)  # the server counts real time
    assert await first.acquire("lease", "a", 9.0)


async def test_renewal_takes_no_lease(replicas: tuple[SharedState, SharedState]) -> None:
    first, second = replicas
    assert not await first.renew("renewal", "a", 9.0)
    assert await first.acquire("renewal", "a", 0.5)
    assert await first.renew("renewal", "a", 9.0)
    assert not await second.renew("renewal", "b", 9.0)
    await first.release("renewal", "a")
    assert not await first.renew("renewal", "a", 9.0)
    assert await second.acquire("renewal", "b", 9.0)


async def test_wait_for_a_lease_ends_with_it(replicas: tuple[SharedState, SharedState]) -> None:
    first, second = replicas
    with anyio.fail_after(20):
        await second.wait_for_release("wait", 60.0)
        assert await first.acquire("wait", "a", 0.3)
        while not await second.acquire("wait", "b", 60.0):
            await second.wait_for_release("wait", 60.0)
        await first.wait_for_release("wait", 0.05)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(first.wait_for_release, "wait", 60.0)
            await second.release("wait", "b")


async def test_the_server_learns_no_names(redis: RedisServer) -> None:
    async with opened(redis.url) as state:
        await state.reserve("start secret.example", 100.0, max_wait_s=0.0)
        await state.acquire("lease of secret.example", "a", 100.0)
    keys = redis.command("KEYS", "*")
    assert b"wellread:" in keys
    assert b"secret" not in keys


async def test_a_server_that_is_away_is_an_error(redis: RedisServer) -> None:
    password = "hunter2"
    async with opened(redis.url.replace("//", f"//:{password}@").replace(str(redis.port), "9")) as state:
        with pytest.raises(SharedStateFailed) as caught:
            await state.reserve("away", 1.0, max_wait_s=0.0)
    assert caught.value.retryable
    assert "shared.url" in caught.value.hint
    assert password not in str(caught.value)


@pytest.mark.parametrize("url", ["postgresql://u:p@h:secret/db", "POSTGRESQL://u:p@h:secret/db"])
def test_error_of_a_wrong_database_url_does_not_repeat_it(url: str) -> None:
    with pytest.raises(ConfigError, match=r"^shared\.url is not a PostgreSQL URL(?m:$)") as caught:
        open_shared_state(Address(url))
    assert caught.value.__suppress_context__


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # pg8000 leaves the socket of a failed connection open
async def test_error_of_a_silent_database_has_no_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_state, "_TIMEOUT_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        async with opened(f"postgresql://wellread@127.0.0.1:{silent.getsockname()[1]}/name") as state:
            with pytest.raises(SharedStateFailed) as caught:
                await state.reserve("away", 1.0, max_wait_s=0.0)
    assert caught.value.message == "the server of shared.url does not answer"
    assert "timed out" in caught.value.owner_detail
    del caught
    gc.collect()


async def test_a_server_that_restarts_is_asked_again(redis: RedisServer) -> None:
    async with opened(redis.url) as state:
        await state.reserve("restart", 0.0, max_wait_s=0.0)
        redis.stop()
        redis.start()
        assert (await state.reserve("restart", 1.0, max_wait_s=0.0)).is_granted
