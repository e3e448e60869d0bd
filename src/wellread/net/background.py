"""Work beside other work: for as long as a block lasts, or later, when the call that asked for it is over."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine


@asynccontextmanager
async def beside(
    work: Callable[[], Coroutine[Any, Any, object]],  # Any: what a coroutine is sent
) -> AsyncGenerator[None, None]:
    """Do `work` while the block lasts; what the block raises leaves as it is, not wrapped in a group."""
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
    """Say whether the caller runs on asyncio, and not on another event loop that anyio knows."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class Later:
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
