"""Does work on many items at a time, and hands the results on in the order of the items, in bounded memory."""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from wellread.errors import ConfigError, InvalidInput
from wellread.net.background_tasks import on_asyncio

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Coroutine, Iterable

S = TypeVar("S")
T = TypeVar("T")

MAX_AHEAD_PER_WORKER = 4
"""Items in work or waiting for their turn to be handed on, for each that is worked on: what bounds the memory."""


class OrderedResults(Generic[S, T]):
    """An asynchronous iterator over the results of `work`; closing or dropping it ends the work that is under way.

    An exception that `work` raises ends the iteration.
    """

    def __init__(
        self,
        items: Iterable[S],
        work: Callable[[S], Coroutine[Any, Any, T]],  # Any: what a coroutine is sent
        *,
        concurrency: int,
        per_host: int,
        host: Callable[[S], str],
    ) -> None:
        """Take the items, which are drawn as their turn comes near; nothing runs yet.

        At most `concurrency` are worked on at a time, and at most `per_host` of one `host`.

        Raises:
            InvalidInput: `concurrency` is below 1.
        """
        if concurrency < 1:
            raise InvalidInput(f"concurrency is {concurrency!r}", hint="use a whole number of at least 1")
        self._items = iter(items)
        self._work = work
        self._host = host
        self._slots = _HostSlots(concurrency, per_host)
        self._ahead = concurrency * MAX_AHEAD_PER_WORKER
        self._tasks: deque[asyncio.Task[T]] = deque()
        self._drop = weakref.finalize(self, _cancel, self._tasks)
        self._drop.atexit = False

    def __aiter__(self) -> Self:
        """Return the same iterator."""
        return self

    async def __anext__(self) -> T:
        """Return the result of the next item.

        Raises:
            ConfigError: the event loop is not asyncio's.
        """
        if not on_asyncio():
            raise ConfigError(
                "reading many pages at a time needs the event loop asyncio", hint="run your program with asyncio"
            )
        loop = asyncio.get_running_loop()
        while len(self._tasks) < self._ahead:
            try:
                item = next(self._items)
            except StopIteration:
                break
            self._tasks.append(loop.create_task(_in_slot(self._slots, self._host(item), self._work(item))))
        if not self._tasks:
            raise StopAsyncIteration
        await asyncio.wait({self._tasks[0]})  # unlike the task itself, it may be cancelled and asked for again
        try:
            return self._tasks.popleft().result()
        except BaseException:
            await self.aclose()
            raise

    async def aclose(self) -> None:
        """End the work that is under way, and wait until it has ended."""
        tasks = list(self._tasks)
        _cancel(self._tasks)
        self._items = iter(())
        if tasks:
            await asyncio.wait(tasks)


async def _in_slot(slots: _HostSlots, host: str, work: Coroutine[Any, Any, T]) -> T:  # Any: the same
    try:
        async with slots.slot(host):
            return await work
    finally:
        work.close()  # it may have been cancelled before it began


def _cancel(tasks: deque[asyncio.Task[Any]]) -> None:  # Any: results that nobody takes
    for task in tasks:
        if not task.get_loop().is_closed():
            task.cancel()
    tasks.clear()


class _HostSlots:
    """At most so many items in work at a time, and so many of one host.

    Whoever waits for its host takes no place from the others, and the wait counts against no deadline.
    """

    def __init__(self, concurrency: int, per_host: int) -> None:
        self._slots = asyncio.Semaphore(concurrency)
        self._per_host = max(per_host, 1)
        self._hosts: dict[str, tuple[asyncio.Semaphore, int]] = {}

    @asynccontextmanager
    async def slot(self, host: str) -> AsyncGenerator[None, None]:
        """Hold a place for an item of `host`."""
        slots, users = self._hosts.get(host) or (asyncio.Semaphore(self._per_host), 0)
        self._hosts[host] = (slots, users + 1)
        try:
            async with slots, self._slots:
                yield
        finally:
            slots, users = self._hosts.pop(host)
            if users > 1:
                self._hosts[host] = (slots, users - 1)
