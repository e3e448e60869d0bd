"""The contract of shared state: starts are apart, callers have their number, a lease has one holder at a time.

A state at another server is one more entry of `STATES`.
"""

from __future__ import annotations

import gc
import math
import socket
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import pytest

from wellread.errors import ConfigError, SharedStateFailed
from wellread.net import postgres_state
from wellread.net.local_state import LocalState
from wellread.net.shared_state import open_shared_state
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from postgres import Postgres
    from redis_server import RedisServer
    from wellread.ports import SharedState

pytestmark = pytest.mark.anyio

STATES = ("local", "redis", "postgres")


@pytest.fixture(params=STATES)
async def replicas(request: pytest.FixtureRequest) -> AsyncIterator[tuple[SharedState, SharedState]]:
    """The state as two replicas see it; names that other tests use differ."""
    if request.param == "local":
        state = LocalState()
        yield state, state
        return
    url = request.getfixturevalue(f"{request.param}_url")
    async with opened(url) as first, opened(url) as second:
        yield first, second


@pytest.fixture
def redis_url(redis: RedisServer) -> str:
    return redis.url


@pytest.fixture
def postgres_url(postgres_server: Postgres) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


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
    with pytest.raises(ConfigError, match=r"^shared\.url is not a PostgreSQL URL$") as caught:
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
