"""Opens watched pages without blocking the event loop."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from anyio import CancelScope, to_thread

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractContextManager

    from wellread.crawl.watcher import Watcher


@asynccontextmanager
async def opened_watcher(watcher_context: AbstractContextManager[Watcher]) -> AsyncIterator[Watcher]:
    """Enter and leave the context of a watcher in a thread: it opens a file, which another process may have locked."""
    watcher = await to_thread.run_sync(watcher_context.__enter__)
    try:
        yield watcher
    finally:
        with CancelScope(shield=True):
            await to_thread.run_sync(watcher_context.__exit__, None, None, None)
