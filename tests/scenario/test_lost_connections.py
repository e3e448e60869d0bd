"""Shared state over connections that a PostgreSQL server, or the network, ends at any moment."""

from __future__ import annotations

from contextlib import aclosing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio
import pytest

from postgres import counted
from scenario.loopback import reset
from wellread.apps.shared_stores import open_shared_state
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from anyio.abc import SocketStream

    from wellread.net.postgres import PostgresConnection

pytestmark = pytest.mark.anyio

BLOCKED = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"


class Relay:
    """Passes connections on to the server; resets those that are marked at the next byte of the client."""

    def __init__(self, port: int) -> None:
        self.server_port = port
        self.is_reset_next: list[bool] = []
        self.url = ""

    async def serve(self, client: SocketStream) -> None:
        number = len(self.is_reset_next)
        self.is_reset_next.append(False)
        async with (
            client,
            await anyio.connect_tcp("127.0.0.1", self.server_port) as server,
            anyio.create_task_group() as tasks,
        ):
            tasks.start_soon(self.pass_on, server, client)
            async for piece in client:
                if self.is_reset_next[number]:
                    await reset(client)
                    break
                await server.send(piece)
            tasks.cancel_scope.cancel()  # what the server still sends has no reader

    async def pass_on(self, server: SocketStream, client: SocketStream) -> None:
        async for piece in server:
            await client.send(piece)


@pytest.fixture
async def relay(postgres_url: str) -> AsyncIterator[Relay]:
    parts = urlsplit(postgres_url)
    assert parts.port is not None
    relay = Relay(parts.port)
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as tasks:
        tasks.start_soon(listener.serve, relay.serve)
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        relay.url = postgres_url.replace(f":{parts.port}/", f":{port}/")
        yield relay
        tasks.cancel_scope.cancel()


async def test_idle_connection_is_reset(relay: Relay) -> None:
    async with aclosing(open_shared_state(Address(relay.url))) as state:
        assert await state.acquire("ebb", "holder", 60.0)
        for number, _ in enumerate(relay.is_reset_next):
            relay.is_reset_next[number] = True
        assert await state.renew("ebb", "holder", 60.0)
    assert len(relay.is_reset_next) == 2


async def test_connection_ends_within_a_statement(postgres_url: str, postgres_database: PostgresConnection) -> None:
    async with aclosing(open_shared_state(Address(postgres_url))) as state:
        assert await state.acquire("ebb", "holder", 60.0)
        with anyio.fail_after(20):
            async with anyio.create_task_group() as tasks:
                postgres_database.run_script("begin; lock table wellread_leases")
                tasks.start_soon(state.release, "ebb", "holder")
                await counted(postgres_database, BLOCKED, 1)
                postgres_database.run(f"select pg_terminate_backend(pid) {BLOCKED}")
                postgres_database.run_script("commit")
        assert await state.acquire("ebb", "another", 60.0)
