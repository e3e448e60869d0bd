"""Work beside other work: for as long as a block lasts, or later, when the call that asked for it is over."""

from __future__ import annotations

import asyncio
import weakref
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import anyio

from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
    from contextlib import AbstractAsyncContextManager

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

T = TypeVar("T")

together = asyncio.gather
"""Awaits calls at once, begun in their order, and returns their results; raises the first error as it is.

After an error the other calls go on, and nothing awaits them: only for calls that may end after the caller has gone on.
"""


@asynccontextmanager
async def run_beside(
    work: Callable[[], Coroutine[Any, Any, object]],  # Any: what a coroutine is sent
) -> AsyncGenerator[None, None]:
    """Run `work` while the block lasts; an error of the block is raised as it is, not wrapped in a group."""
    failure: Exception | None = None
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(work)
        try:
            yield
        except Exception as error:  # noqa: BLE001 - raised again below
            failure = error
        tasks.cancel_scope.cancel()
    if failure is not None:
        raise failure


def on_asyncio() -> bool:
    """Return whether the caller runs on asyncio, and not on another event loop that anyio knows."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class BackgroundResults(Generic[T]):
    """An asynchronous iterator over what a coroutine sends while it runs; closing or dropping it ends the work.

    An exception of the work is raised by the iteration, after all that was sent before it.
    """

    def __init__(
        self,
        work: Callable[[MemoryObjectSendStream[T]], Coroutine[Any, Any, None]],  # Any: what a coroutine is sent
        *,
        ahead: int,
    ) -> None:
        """Take the work, which is at most `ahead` results ahead of the iteration; nothing runs yet."""
        self._work = work
        self._ahead = ahead
        self._scope = anyio.CancelScope()
        """Ends the work. To cancel the task itself would lose the result of a thread, such as a file just opened."""
        self._task: asyncio.Task[None] | None = None
        self._receiving: MemoryObjectReceiveStream[T] | None = None

    def __aiter__(self) -> Self:
        """Return the same iterator."""
        return self

    async def __anext__(self) -> T:
        """Return the next result.

        Raises:
            ConfigError: the event loop is not asyncio's.
        """
        if self._receiving is None:
            self._receiving = self._start()
        try:
            return await self._receiving.receive()
        except anyio.EndOfStream:
            self._receiving.close()
            if self._task is not None:
                await self._task
            raise StopAsyncIteration from None

    async def aclose(self) -> None:
        """End the work, and wait until it has ended, also in a scope that is cancelled."""
        if self._receiving is None or self._task is None:
            return
        self._scope.cancel()
        with anyio.CancelScope(shield=True):
            await asyncio.wait({self._task})
        self._receiving.close()

    def _start(self) -> MemoryObjectReceiveStream[T]:
        if not on_asyncio():
            raise ConfigError("work in the background needs asyncio", hint="run on asyncio")
        sending, receiving = anyio.create_memory_object_stream[T](self._ahead)
        task = asyncio.get_running_loop().create_task(_send_all(self._work, sending, self._scope))
        weakref.finalize(self, _end_work, task, self._scope, receiving).atexit = False
        self._task = task
        return receiving


async def _send_all(
    work: Callable[[MemoryObjectSendStream[T]], Coroutine[Any, Any, None]],  # Any: what a coroutine is sent
    sending: MemoryObjectSendStream[T],
    scope: anyio.CancelScope,
) -> None:
    async with sending:
        with scope:
            await work(sending)


def _end_work(
    task: asyncio.Task[None],
    scope: anyio.CancelScope,
    receiving: MemoryObjectReceiveStream[Any],  # Any: nobody takes them
) -> None:
    # The garbage collector drops an iterator in any thread, and also while the loop stands still: what wakes or
    # cancels a task then has to come through the loop (asyncio, "Concurrency and Multithreading").
    loop = task.get_loop()
    if loop.is_closed():
        receiving.close()
    else:
        loop.call_soon_threadsafe(_close_and_cancel, scope, receiving)


def _close_and_cancel(
    scope: anyio.CancelScope,
    receiving: MemoryObjectReceiveStream[Any],  # Any: nobody takes them
) -> None:
    scope.cancel()
    receiving.close()


class DelayedTask:
    """Does one piece of work after a pause, within the running asyncio loop."""

    def __init__(self, pause_s: float, work: Callable[[], Awaitable[None]]) -> None:
        """Take the work; nothing runs yet."""
        self._pause_s = pause_s
        self._work = work
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin the pause anew."""
        self.stop()
        self._task = asyncio.get_running_loop().create_task(self._wait())

    def stop(self) -> None:
        """Call the work off; work that has begun goes on."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _wait(self) -> None:
        await asyncio.sleep(self._pause_s)
        self._task = None
        await self._work()


class SharedContext(Generic[T]):
    """Keeps a context manager open in a task of its own, so that calls in other tasks can share its value.

    A block that is entered in one task must be left in the same; calls of a server each come in a task of their own.
    """

    def __init__(self, block: AbstractAsyncContextManager[T], *, idle_s: float) -> None:
        """Take the block, which is left when it was not used for `idle_s`; nothing runs yet."""
        self._block = block
        self._idle_s = idle_s
        self._ready = anyio.Event()
        self._leave = anyio.Event()
        self._users = 0
        self._rested = 0.0
        self._task: asyncio.Task[None] | None = None
        self.value: T
        """What the block gave, once it is open."""
        self.ended = anyio.Event()
        """Set when the block has been left, whyever."""
        self.failure: Exception | None = None
        """What the block ended with, if it did not end well."""

    @property
    def idle_left_s(self) -> float:
        """How long it stays open without being used; at once after it ended."""
        if self.ended.is_set():
            return 0.0
        if self._users:
            return self._idle_s
        return max(0.0, self._rested + self._idle_s - anyio.current_time())

    async def open(self) -> T:
        """Enter the block; whoever is cancelled meanwhile leaves nothing open.

        Raises:
            Exception: what entering the block raises.
        """
        self._task = asyncio.get_running_loop().create_task(self._hold())
        try:
            await self._ready.wait()
        except BaseException:
            self._task.cancel()
            with anyio.CancelScope(shield=True):
                await self.ended.wait()
            raise
        if self.failure is not None:
            raise self.failure
        return self.value

    async def close(self) -> None:
        """Leave the block, and wait until that is done."""
        self._leave.set()
        if self._task is not None:
            await self.ended.wait()

    @asynccontextmanager
    async def use(self) -> AsyncGenerator[T, None]:
        """Keep the context open while the block lasts; the block is cancelled when the context ends.

        Raises:
            Exception: what the block ended with.
        """
        self._users += 1
        try:
            with anyio.CancelScope() as scope:
                async with run_beside(partial(self._end, scope)):
                    yield self.value
        finally:
            self._users -= 1
            self._rested = anyio.current_time()
        if scope.cancelled_caught and self.failure is not None:
            raise self.failure

    async def _end(self, scope: anyio.CancelScope) -> None:
        await self.ended.wait()
        scope.cancel()

    async def _hold(self) -> None:
        try:
            async with self._block as self.value:
                self._rested = anyio.current_time()
                self._ready.set()
                while not self._leave.is_set() and (left_s := self.idle_left_s) > 0:
                    with anyio.move_on_after(left_s):
                        await self._leave.wait()
        except Exception as error:  # noqa: BLE001 - raised to whoever opens or uses it
            self.failure = error
        finally:
            self.ended.set()
            self._ready.set()
