"""Reads the files of a site about its pages: robots.txt, site maps, and feeds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

import anyio.lowlevel
from anyio import to_thread

from wellread.crawl.scope import site_host
from wellread.documents.feed import elements
from wellread.documents.feed.json_feed import parse_json_feed
from wellread.documents.feed.syndication import entries
from wellread.errors import Unsupported, WellreadError, without_quotations
from wellread.extraction.links import MAX_URL_CHARS
from wellread.metadata.cleaning import rich
from wellread.net import sitemaps
from wellread.net.media_types import decode
from wellread.reading.snapshot_building import refuse_failures
from wellread.types import Request, header

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from wellread.documents.feed.entries import Entry
    from wellread.net.robots import RobotsRules
    from wellread.net.sitemaps import Sitemap, SitemapPage
    from wellread.ports import Clock, Fetcher
    from wellread.types import Response

MAX_MAPS: Final = 500
"""Site maps that are read for one site."""
PAGES_PER_BATCH: Final = 1_000
"""The key of a page takes 20 microseconds, and so a batch about 20 milliseconds."""
MAX_FEED_BYTES: Final = 2_000_000
"""A larger feed is not read: these have pages and pages of text, and name as few URLs."""


def site_maps(rules: RobotsRules, origin: str) -> tuple[str, ...]:
    """Return the site maps that robots.txt names, or else the one at the customary place."""
    return rules.sitemaps or (f"{origin}/sitemap.xml",)


@dataclass(slots=True)
class SitemapWalk:
    """Follows site maps from one to the next: `async for pages in walk.batches(): ...`."""

    fetcher: Fetcher
    clock: Clock
    maps: tuple[str, ...]
    """Where it begins."""
    user_asked: bool = False
    host: str | None = None
    """Only the further site maps of this host are read, see `site_host`; None: those of any."""
    max_pages: int | None = None
    """Pages of all site maps together."""
    max_bytes: int | None = None
    """Bytes of all site maps, as they were sent, after which no further one is read."""
    bytes_read: int = 0
    page_count: int = 0
    left_out: int = 0
    """About how many pages of the site maps that were read lie beyond a limit."""
    failures: list[tuple[str, WellreadError]] = field(default_factory=list)
    """The site maps that could not be read."""
    _waiting: deque[str] = field(default_factory=deque)
    _listed: set[str] = field(default_factory=set)
    _unlisted: int = 0

    @property
    def unread(self) -> int:
        """How many of the site maps that are known were not read."""
        return len(self._waiting) + self._unlisted

    async def batches(self) -> AsyncGenerator[tuple[SitemapPage, ...]]:
        """Yield the pages of all site maps, map by map, up to `PAGES_PER_BATCH` at a time.

        A map that cannot be read is listed in `failures`. A caller that ends this early finds the others in `unread`.
        """
        self._list(self.maps)
        while self._waiting and not self._is_bound_reached():
            url = self._waiting[0]
            try:
                sitemap = await self._read(url)
            except WellreadError as error:
                self._waiting.popleft()
                self.failures.append((url, error))
                continue
            self._waiting.popleft()
            self._list(inner for inner in sitemap.maps if self.host is None or site_host(inner) == self.host)
            pages = self._within_bound(sitemap)
            for start in range(0, len(pages), PAGES_PER_BATCH):
                await anyio.lowlevel.checkpoint()
                yield pages[start : start + PAGES_PER_BATCH]

    async def _read(self, url: str) -> Sitemap:
        response = await self.fetcher.fetch(Request(url=url, user_asked=self.user_asked))
        self.bytes_read += len(response.body)
        refuse_failures(response, now=self.clock.now())
        return await to_thread.run_sync(sitemaps.parse, response.body, response.url)

    def _list(self, maps: Iterable[str]) -> None:
        """Add the maps that are not listed yet. Those beyond the limit are counted only, as often as they are named."""
        for url in maps:
            if url in self._listed:
                continue
            if len(self._listed) < MAX_MAPS:
                self._listed.add(url)
                self._waiting.append(url)
            else:
                self._unlisted += 1

    def _is_bound_reached(self) -> bool:
        has_pages = self.max_pages is not None and self.page_count >= self.max_pages
        return has_pages or (self.max_bytes is not None and self.bytes_read >= self.max_bytes)

    def _within_bound(self, sitemap: Sitemap) -> tuple[SitemapPage, ...]:
        """Return the pages of a map that `max_pages` has room for, and count the others."""
        pages = sitemap.pages
        if self.max_pages is not None:
            pages = pages[: self.max_pages - self.page_count]
        self.page_count += len(pages)
        self.left_out += len(sitemap.pages) - len(pages)
        if sitemap.maps:
            self._unlisted += sitemap.left_out
        else:
            self.left_out += sitemap.left_out
        return pages


class FeedEntry(NamedTuple):
    """A page that a feed names."""

    url: str
    title: str | None
    date: str | None
    """ISO 8601."""


def feed_entries(response: Response) -> list[FeedEntry]:
    """Return the pages that a feed names (RSS, Atom, RDF, JSON Feed); none of one that is damaged beyond repair.

    Raises:
        Unsupported: it is too large, or no feed.
    """
    if len(response.body) > MAX_FEED_BYTES:
        raise Unsupported(f"{response.url} is a feed of more than {MAX_FEED_BYTES:,} bytes", url=response.url, hint="")
    content_type = header(response.headers, "content-type") or ""
    text, _ = decode(response.body, None, html=False)
    parsed = _json_entries(text, response.url) if "json" in content_type else _xml_entries(text, response.url)
    return [
        FeedEntry(entry.href, _title(entry), entry.date)
        for entry in parsed
        if entry.href and len(entry.href) <= MAX_URL_CHARS
    ]


def _json_entries(text: str, url: str) -> list[Entry]:
    feed = parse_json_feed(text, url)
    if feed is None:
        raise Unsupported(f"{url} is no feed", url=url, hint="")
    return feed.entries


def _xml_entries(text: str, url: str) -> list[Entry]:
    try:
        return entries(elements.parse(text, url).root)
    except elements.UnreadableMarkup as error:
        raise Unsupported(f"{url} is no feed: {without_quotations(str(error))}", url=url, hint="") from error


def _title(entry: Entry) -> str | None:
    if entry.title is None:
        return None
    return rich(entry.title.html)
