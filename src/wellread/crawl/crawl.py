"""A crawl as its caller has it: an iterator over the records, with the progress beside it."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Self

import anyio
from anyio import to_thread

from wellread.crawl.crawl_folder import CrawlFolder
from wellread.crawl.crawler import Crawler
from wellread.crawl.page_reader import FetchedPageReader
from wellread.errors import WellreadError
from wellread.net.background_tasks import BackgroundResults

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from anyio.streams.memory import MemoryObjectSendStream

    from wellread.crawl.crawl_options import CrawlOptions
    from wellread.crawl.crawler import CrawlProgress
    from wellread.net.client import Client
    from wellread.reading.pipeline import PipelineParts
    from wellread.types import CrawlRecord

_AHEAD = 100
"""Records on disk that wait for the caller."""


class Crawl:
    """An asynchronous iterator over the records of a crawl; closing or dropping it ends the work that is under way."""

    def __init__(
        self,
        parts: PipelineParts,
        client: Callable[[Path], Client],
        urls: tuple[str, ...],
        folder: Path,
        options: CrawlOptions,
        page_fields: Callable[[object], dict[str, object]],
    ) -> None:
        """Take the parts; nothing runs yet. `client` opens the client that records into the folder.

        Without `urls`, the crawl that the frontier holds is joined, with the options that all its workers share.
        """
        self._parts = parts
        self._client = client
        self._urls = urls
        self._path = folder
        self._options = options
        self._page_fields = page_fields
        self._crawler: Crawler | None = None
        self._progress: CrawlProgress | None = None
        self._counting = threading.Lock()
        """Keeps the folder open while another thread counts."""
        self._records = BackgroundResults(self._run, ahead=_AHEAD)

    def __aiter__(self) -> Self:
        """Return the same iterator."""
        return self

    async def __anext__(self) -> CrawlRecord:
        """Return the next record.

        Raises:
            InvalidInput: the folder cannot be used, or holds another crawl.
            InvalidUrl: a start URL is none.
            ConfigError: the frontier is no address, or holds a crawl of another version.
            UnavailableError: the frontier does not answer, or holds no crawl to join.
        """
        return await anext(self._records)

    def progress(self) -> CrawlProgress | None:
        """Return how far the crawl is, also after its end; None before it has begun. Blocks while it counts."""
        with self._counting:
            if self._crawler is not None:
                self._progress = self._crawler.progress()
            return self._progress

    async def aclose(self) -> None:
        """End the work that is under way, and wait until it has ended."""
        await self._records.aclose()

    async def _run(self, sending: MemoryObjectSendStream[CrawlRecord]) -> None:
        lease_s = self._parts.settings.crawl.lease_s
        frontier, clock = self._options.frontier, self._parts.clock
        open_folder = partial(CrawlFolder, self._path, self._page_fields, clock, frontier, lease_s)
        folder = await to_thread.run_sync(open_folder)
        try:
            await self._crawl_into(folder, sending)
        except BaseException:
            with suppress(WellreadError, OSError, sqlite3.Error):  # they follow from the first error, or say less
                await self._close(folder)
            raise
        await self._close(folder)

    async def _crawl_into(self, folder: CrawlFolder, sending: MemoryObjectSendStream[CrawlRecord]) -> None:
        options, parts = self._options, self._parts
        if not self._urls:
            options = await to_thread.run_sync(folder.shared_options, options)
        client = await to_thread.run_sync(self._client, self._path)
        reader = FetchedPageReader(parts, client, options.user_asked)
        self._crawler = Crawler(folder, client, reader, parts.clock, options)
        if self._urls:
            await self._crawler.run(self._urls, sending)
        else:
            await self._crawler.join(sending)

    async def _close(self, folder: CrawlFolder) -> None:
        """Count once more, and close the folder, in a thread: a database may take long to answer."""
        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(self._count_and_close, folder)

    def _count_and_close(self, folder: CrawlFolder) -> None:
        with self._counting, folder:
            crawler, self._crawler = self._crawler, None
            if crawler is not None:
                crawler.store_totals()
                self._progress = crawler.progress()
