"""A pipeline over a dictionary instead of the network: the whole story, no sockets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from wellread.config import Settings
from wellread.errors import Unreachable, WellreadError
from wellread.index.local_index import LocalIndex
from wellread.reading.installed_extractors import installed_extractors
from wellread.reading.pipeline import Pipeline, PipelineParts
from wellread.reading.sandbox import SandboxedReader
from wellread.reading.snapshot_building import DocumentReader
from wellread.search.local_search import LocalSearch
from wellread.store.cache import SnapshotCache, cache_key
from wellread.testing import DictWeb, FakeClock
from wellread.types import Response

if TYPE_CHECKING:
    from wellread.net.downloads import Download, DownloadRequest

Pages = dict[str, str | Response | WellreadError]


async def no_download(order: DownloadRequest) -> Download:
    raise Unreachable(f"{order.url}: nothing is downloaded in these stories")


class Story:
    """A pipeline, the web that it reads, and the clock that it lives by."""

    def __init__(self, pages: Pages) -> None:
        settings = Settings()
        self.clock = FakeClock()
        self.web = DictWeb(pages)
        self.store = SnapshotCache(None, clock=self.clock, ttl_s=3600, max_bytes=settings.cache.max_bytes)
        self.index = LocalIndex(None)
        self.pipeline = Pipeline(
            PipelineParts(
                settings=settings,
                clock=self.clock,
                fetcher=self.web,
                sandbox=SandboxedReader(DocumentReader(installed_extractors()), self.clock),
                store=self.store,
                index=self.index,
                searcher=LocalSearch(self.index, clock=self.clock),
                download=no_download,
                cache_key=lambda url, mode: cache_key(url, mode, 1, 1),
            )
        )

    def asked(self) -> list[str]:
        return [request.url for request in self.web.asked]


Tell = Callable[[Pages], Story]
