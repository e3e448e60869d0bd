"""Waiting for a lease in PostgreSQL: a notification ends it, and none is lost with the connection that it comes by."""

from __future__ import annotations

import math
import os
import signal
from contextlib import aclosing, asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import pytest

from postgres import counted
from wellread.apps.shared_stores import open_shared_state
from wellread.net import held_lease, postgres_notifications, postgres_state
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from wellread.net.postgres import PostgresConnection
    from wellread.ports import SharedState

pytestmark = pytest.mark.anyio

LONG_S = 600.0
"""No test lasts so long: what ends a wait is not the time."""
WAITED_FOR = "from wellread_leases where is_waited_for"
KEPT_ALIVE = "from pg_stat_activity where datname = current_database() and query = 'select 1'"
OTHERS = "from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"


@pytest.fixture(autouse=True)
def notified_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_state, "_CHECK_S", LONG_S)
    monkeypatch.setattr(postgres_notifications, "KEEPALIVE_S", LONG_S)
    monkeypatch.setattr(held_lease, "LEASE_S", LONG_S)


@pytest.fixture
def frequent_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postgres_state, "_CHECK_S", 0.05)


@pytest.fixture
async def replicas(postgres_url: str) -> AsyncIterator[tuple[SharedState, SharedState]]:
    first, second = (open_shared_state(Address(postgres_url)) for _ in range(2))
    async with aclosing(first), aclosing(second):
        yield first, second


class Waiter:
    """A task that takes a lease as soon as it is free."""

    def __init__(self, state: SharedState, name: str) -> None:
        self.state = state
        self.name = name
        self.has_lease = anyio.Event()

    async def run(self) -> None:
        async with held_lease.held_lease(self.state, self.name, wait_s=math.inf) as has_waited:
            assert has_waited
            self.has_lease.set()


async def test_release_wakes_the_waiting_task(
    replicas: tuple[SharedState, SharedState], postgres_database: PostgresConnection
) -> None:
    first, second = replicas
    names = ("ebb", "flow", "neap")
    for name in names:
        assert await first.acquire(name, "holder", LONG_S)
    waiters = {name: Waiter(second, name) for name in names}
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for waiter in waiters.values():
                tasks.start_soon(waiter.run)
            await counted(postgres_database, WAITED_FOR, len(names))
            for name in reversed(names):  # the task that reads for all is the first one
                await first.release(name, "holder")
                await waiters[name].has_lease.wait()
    assert postgres_database.run("select count(*) from wellread_leases") == [[0]]


async def test_connection_killed_while_tasks_wait(
    replicas: tuple[SharedState, SharedState], postgres_database: PostgresConnection
) -> None:
    first, second = replicas
    for name in ("ebb", "flow"):
        assert await first.acquire(name, "holder", LONG_S)
    waiters = [Waiter(second, name) for name in ("ebb", "flow")]
    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            for waiter in waiters:
                tasks.start_soon(waiter.run)
            await counted(postgres_database, WAITED_FOR, 2)
            postgres_database.run("update wellread_leases set is_waited_for = false returning 1")
            # Both at once: nobody is notified of what is released while the connection is down.
            postgres_database.run(
                "delete from wellread_leases where name = :name returning 1", name=postgres_state._hash("ebb")
            )
            postgres_database.run(f"select count(pg_terminate_backend(pid)) {OTHERS}")
            await waiters[0].has_lease.wait()
            await counted(postgres_database, WAITED_FOR, 1)  # the other one looked, and waits again
            await first.release("flow", "holder")
            await waiters[1].has_lease.wait()


@asynccontextmanager
async def lease_waited_for(url: str) -> AsyncIterator[None]:
    """Let a task wait for a lease while the block lasts, which is released then."""
    async with aclosing(open_shared_state(Address(url))) as state:
        assert await state.acquire("ebb", "holder", LONG_S)
        waiter = Waiter(state, "ebb")
        with anyio.fail_after(20):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(waiter.run)
                yield
                await state.release("ebb", "holder")
    assert waiter.has_lease.is_set()


@pytest.mark.usefixtures("frequent_checks")
async def test_connection_dies_in_silence(
    postgres_url: str, postgres_database: PostgresConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgres_notifications, "KEEPALIVE_S", 0.2)
    monkeypatch.setattr(postgres_state, "_TIMEOUT_S", LONG_S)  # nothing ends the wait for an answer but the check
    async with lease_waited_for(postgres_url):
        await counted(postgres_database, KEPT_ALIVE, 1)
        ((process_id,),) = postgres_database.run(f"select pid {KEPT_ALIVE}")
        os.kill(process_id, signal.SIGSTOP)
        try:
            await counted(postgres_database, f"{KEPT_ALIVE} and pid <> {process_id}", 1)
        finally:
            os.kill(process_id, signal.SIGCONT)


@pytest.mark.usefixtures("frequent_checks")
async def test_refused_listener_leaves_the_slow_check(
    postgres_url: str,
    postgres_database: PostgresConnection,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setattr(postgres_state, "_CHANNEL", "1 / 0")
    async with lease_waited_for(postgres_url):
        await counted(postgres_database, WAITED_FOR, 1)
    assert "division by zero" in caplog.text


async def test_no_connection_is_left(postgres_url: str, postgres_database: PostgresConnection) -> None:
    first, second = (open_shared_state(Address(postgres_url)) for _ in range(2))
    async with aclosing(first), aclosing(second):
        assert await first.acquire("ebb", "holder", LONG_S)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(Waiter(second, "ebb").run)
            await counted(postgres_database, WAITED_FOR, 1)
            assert postgres_database.run(f"select count(*) {OTHERS}")[0][0] >= 3, "one of each, and one that listens"
            tasks.cancel_scope.cancel()
    with anyio.fail_after(10):
        await counted(postgres_database, OTHERS, 0)
