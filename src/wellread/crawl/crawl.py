"""A crawl as its caller has it: an iterator over the records, with the progress beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self, TypedDict

from anyio import to_thread

from wellread.crawl.crawl_folder import CrawlFolder
from wellread.crawl.crawler import Crawler, CrawlOptions
from wellread.crawl.page_reader import FetchedPageReader
from wellread.crawl.scope import check_globs
from wellread.errors import InvalidInput
from wellread.net.background_tasks import BackgroundResults

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from anyio.streams.memory import MemoryObjectSendStream

    from wellread.crawl.crawler import CrawlProgress, SitemapUse
    from wellread.net.client import Client
    from wellread.reading.pipeline import PipelineParts
    from wellread.types import CrawlRecord, Format, Render, Scroll

_AHEAD = 100
"""Records on disk that wait for the caller."""


class CrawlArguments(TypedDict, total=False):
    """The options of `crawl`, as `CrawlOptions` has them with their defaults."""

    limit: int
    depth: int
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    subdomains: bool
    sitemap: SitemapUse
    max_bytes: int | None
    max_time_s: float | None
    render: Render
    scroll: Scroll
    format: Format
    index: bool
    user_asked: bool
    recrawl: Literal["changed"] | None
    concurrency: int


def crawl_options(arguments: CrawlArguments) -> CrawlOptions:
    """Return the options of a crawl.

    Raises:
        InvalidInput: there is no option of such a name, or it is out of range.
    """
    unknown = sorted(set(arguments) - set(CrawlArguments.__annotations__))
    if unknown:
        names = ", ".join(sorted(CrawlArguments.__annotations__))
        raise InvalidInput(f"crawl has no option {unknown[0]!r}", hint=f"its options are {names}")
    options = CrawlOptions(**arguments)
    if options.limit < 1 or options.depth < 0 or options.concurrency < 1:
        raise InvalidInput(
            f"limit {options.limit}, depth {options.depth}, concurrency {options.concurrency}",
            hint="limit and concurrency are at least 1, depth at least 0",
        )
    if options.scroll == "all" and options.render == "never":
        raise InvalidInput("only a browser can scroll a page", hint="set `render` to auto or always")
    check_globs("include", options.include)
    check_globs("exclude", options.exclude)
    return options


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
        """Take the parts; nothing runs yet. `client` opens the client that records into the folder."""
        self._parts = parts
        self._client = client
        self._urls = urls
        self._path = folder
        self._options = options
        self._page_fields = page_fields
        self._crawler: Crawler | None = None
        self._last_progress: CrawlProgress | None = None
        self._records = BackgroundResults(self._run, ahead=_AHEAD)

    def __aiter__(self) -> Self:
        """Return the same iterator."""
        return self

    async def __anext__(self) -> CrawlRecord:
        """Return the next record.

        Raises:
            InvalidInput: the folder cannot be used, or holds another crawl.
            InvalidUrl: a start URL is none.
        """
        return await anext(self._records)

    def progress(self) -> CrawlProgress | None:
        """Return how far the crawl is, also after its end; None before it has begun."""
        if self._crawler is None:
            return self._last_progress
        return self._crawler.progress()

    async def aclose(self) -> None:
        """End the work that is under way, and wait until it has ended."""
        await self._records.aclose()

    async def _run(self, sending: MemoryObjectSendStream[CrawlRecord]) -> None:
        folder = await to_thread.run_sync(CrawlFolder, self._path, self._page_fields)
        with folder:
            client = await to_thread.run_sync(self._client, self._path)
            reader = FetchedPageReader(self._parts, client, self._options.user_asked)
            self._crawler = Crawler(folder, client, reader, self._parts.clock, self._options)
            try:
                await self._crawler.run(self._urls, sending)
            finally:
                self._last_progress = self._crawler.progress()
                self._crawler = None
