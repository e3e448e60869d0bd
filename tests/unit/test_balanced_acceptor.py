"""A socket that several processes accept from: what another process, or one connection, may not hold up."""

from __future__ import annotations

import asyncio
import socket
from contextlib import ExitStack

import anyio
import anyio.lowlevel
import pytest

from wellread.net.balanced_acceptor import MAX_AT_ONCE, BalancedAcceptor

pytestmark = pytest.mark.anyio


async def test_process_that_hangs_slows_no_other() -> None:
    looks, protocols = 0, list[asyncio.Protocol]()

    def connections_ahead() -> int:
        nonlocal looks
        looks += 1
        return 1

    def protocol() -> asyncio.Protocol:
        protocols.append(asyncio.Protocol())
        return protocols[-1]

    with ExitStack() as stack, anyio.fail_after(20):
        address = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for _ in range(2 * MAX_AT_ONCE):
            stack.enter_context(socket.create_connection(address.getsockname()))
        acceptor = BalancedAcceptor(address, connections_ahead)
        acceptor.start(protocol)
        while len(protocols) < 2 * MAX_AT_ONCE:
            await anyio.lowlevel.checkpoint()
        await acceptor.aclose()
    assert looks <= 6  # two for each wait


async def test_fault_of_one_connection_closes_it_alone() -> None:
    count = 0

    def protocol() -> asyncio.Protocol:
        nonlocal count
        count += 1
        if count == 1:
            raise OSError("no room for the connection")
        return asyncio.Protocol()

    with socket.create_server(("127.0.0.1", 0)) as address, anyio.fail_after(20):
        acceptor = BalancedAcceptor(address, lambda: 0)
        acceptor.start(protocol)
        async with await anyio.connect_tcp("127.0.0.1", address.getsockname()[1]) as first:
            with pytest.raises(anyio.EndOfStream):
                await first.receive()
        async with await anyio.connect_tcp("127.0.0.1", address.getsockname()[1]):
            while count < 2:
                await anyio.lowlevel.checkpoint()
        await acceptor.aclose()
