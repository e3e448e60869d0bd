"""Reads the files of a site about its pages: robots.txt, site maps, and feeds."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from anyio import to_thread

from wellread.crawl.scope import site_host
from wellread.documents.feed import elements
from wellread.documents.feed.json_feed import parse_json_feed
from wellread.documents.feed.syndication import entries
from wellread.errors import Unsupported, WellreadError, without_quotations
from wellread.metadata.cleaning import rich
from wellread.net import sitemaps
from wellread.net.media_types import decode
from wellread.reading.snapshot_building import refuse_failures
from wellread.types import Request, header

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wellread.documents.feed.entries import Entry
    from wellread.net.robots import RobotsRules
    from wellread.net.sitemaps import Sitemap, SitemapPage
    from wellread.ports import Clock, Fetcher
    from wellread.types import Response

MAX_MAPS: Final = 500
"""Site maps that are read for one site."""
MAX_FEED_BYTES: Final = 2_000_000
"""A larger feed is not read: these have pages and pages of text, and name as few URLs."""


def site_maps(rules: RobotsRules, origin: str) -> tuple[str, ...]:
    """Return the site maps that robots.txt names, or else the one at the customary place."""
    return rules.sitemaps or (f"{origin}/sitemap.xml",)


async def read_sitemap(fetcher: Fetcher, clock: Clock, url: str, *, user_asked: bool) -> Sitemap:
    """Return one site map, or index of site maps.

    Raises:
        WellreadError: it cannot be fetched, or is no site map.
    """
    response = await fetcher.fetch(Request(url=url, user_asked=user_asked))
    refuse_failures(response, now=clock.now())
    return await to_thread.run_sync(sitemaps.parse, response.body, response.url)


@dataclass(slots=True)
class SitemapWalk:
    """Follows site maps from one to the next: `async for page in walk.pages(): ...`."""

    fetcher: Fetcher
    clock: Clock
    maps: tuple[str, ...]
    """Where it begins."""
    user_asked: bool = False
    host: str | None = None
    """Only the further site maps of this host are read, see `site_host`; None: those of any."""
    unread: int = 0
    """Site maps beyond the limit."""
    failures: list[tuple[str, WellreadError]] = field(default_factory=list)
    """The site maps that could not be read."""

    async def pages(self) -> AsyncGenerator[SitemapPage]:
        """Yield the pages of all site maps, map by map; a map that cannot be read is listed in `failures`."""
        waiting = deque(self.maps)
        listed = set(self.maps)
        maps_read = 0
        while waiting:
            url = waiting.popleft()
            if maps_read >= MAX_MAPS:
                self.unread += 1
                continue
            maps_read += 1
            try:
                sitemap = await read_sitemap(self.fetcher, self.clock, url, user_asked=self.user_asked)
            except WellreadError as error:
                self.failures.append((url, error))
                continue
            inner_maps = [inner for inner in sitemap.maps if self.host is None or site_host(inner) == self.host]
            waiting.extend(inner for inner in inner_maps if inner not in listed)
            listed.update(inner_maps)
            for page in sitemap.pages:
                yield page


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
    return [FeedEntry(entry.href, _title(entry), entry.date) for entry in parsed if entry.href]


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
