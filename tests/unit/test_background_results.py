"""Results of work in the background: an iterator that is dropped anywhere ends its work through the loop."""

from __future__ import annotations

import asyncio
import threading
from typing import TYPE_CHECKING

import anyio
import pytest

from wellread.net.background_tasks import BackgroundResults

if TYPE_CHECKING:
    from collections.abc import Iterator

    from anyio.streams.memory import MemoryObjectSendStream


@pytest.fixture
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    event_loop = asyncio.new_event_loop()
    yield event_loop
    event_loop.close()


class EndlessWork:
    """Counts up without end, and notes when it was cancelled."""

    def __init__(self) -> None:
        self.ended = anyio.Event()

    async def run(self, sending: MemoryObjectSendStream[int]) -> None:
        number = 0
        try:
            while True:
                await sending.send(number)
                number += 1
        finally:
            self.ended.set()


async def start(work: EndlessWork) -> list[BackgroundResults[int]]:
    results = BackgroundResults(work.run, ahead=1)
    assert await anext(results) == 0
    return [results]


def test_iterator_dropped_while_its_loop_stands_still(loop: asyncio.AbstractEventLoop) -> None:
    work = EndlessWork()
    started = loop.run_until_complete(start(work))
    started.clear()  # an error of the finalizer would be an unraisable warning, and fails the test
    loop.run_until_complete(asyncio.wait_for(work.ended.wait(), 10))


def test_iterator_dropped_in_another_thread(loop: asyncio.AbstractEventLoop) -> None:
    work = EndlessWork()

    async def drop() -> None:
        started = await start(work)
        thread = threading.Thread(target=started.clear)
        thread.start()
        await asyncio.wait_for(work.ended.wait(), 10)
        thread.join()

    loop.run_until_complete(drop())


def test_iterator_dropped_after_its_loop_is_closed() -> None:
    work = EndlessWork()
    started = asyncio.run(start(work))
    assert work.ended.is_set()
    started.clear()


def test_close_in_a_cancelled_scope_waits_for_the_end(loop: asyncio.AbstractEventLoop) -> None:
    ended: list[str] = []

    async def work(sending: MemoryObjectSendStream[int]) -> None:
        try:
            await sending.send(0)
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(ended.append, "the file is closed")

    async def close() -> None:
        results = BackgroundResults(work, ahead=1)
        await anext(results)
        with anyio.CancelScope() as scope:
            scope.cancel()
            await results.aclose()
        assert ended

    loop.run_until_complete(close())
