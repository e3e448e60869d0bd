"""Maps a site: its URLs from site maps, feeds and links to a depth, ranked by words."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

import anyio
from anyio import to_thread

from wellread.crawl.linked_document import linked_document
from wellread.crawl.scope import CrawlScope, origin_of, site_host
from wellread.crawl.site_files import SitemapWalk, feed_entries, site_maps
from wellread.errors import InvalidInput, Timeout, TooLarge, WellreadError
from wellread.net import https_first, schemeless_urls, sitemaps
from wellread.net.guard import trim_url
from wellread.reading.snapshot_building import refuse_failures
from wellread.search.link_ranking import link_scores
from wellread.search.url_dedup import page_key
from wellread.types import Missed, Request, SiteMap, SiteMapEntry

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wellread.crawl.linked_document import LinkedDocument
    from wellread.net.client import Client
    from wellread.ports import Clock
    from wellread.sections import CrawlSettings
    from wellread.types import Response

MAX_ENTRIES: Final = 200_000
"""URLs of one site that are held, and pages that are taken from its site maps; the others are counted."""
MAX_PAGES: Final = 200
"""Pages that are read for their links."""
MAX_FEEDS: Final = 10
MAX_LINKS: Final = 10_000
"""Links that are taken from one page."""
_CONCURRENCY: Final = 4


@dataclass(slots=True)
class SiteMapper:
    """Makes one map of a site: holds the URLs that are known so far, by their spelling key."""

    client: Client
    clock: Clock
    settings: CrawlSettings
    user_asked: bool
    scope: CrawlScope = field(default_factory=lambda: CrawlScope(frozenset()))
    entries: dict[str, SiteMapEntry] = field(default_factory=dict)
    left_out: set[int] = field(default_factory=set)
    """Hashes of keys beyond the limit."""
    left_out_entries: int = 0
    """About how many entries of site maps and feeds were not read."""
    other_hosts: set[int] = field(default_factory=set)
    unread: int = 0
    """Site maps, feeds and pages that were not read, or not yet."""
    missed: list[Missed] = field(default_factory=list)
    pages_read: int = 0
    bytes_read: int = 0
    _adding: threading.Lock = field(default_factory=threading.Lock)
    """URLs are added in threads: the keys of ten thousand links take 0.2 s."""

    async def map(
        self, url: str, *, search: str | None = None, limit: int = 5_000, depth: int = 1, subdomains: bool = False
    ) -> SiteMap:
        """Return the URLs of the site of `url`: from its site maps, its feeds, and links up to `depth` from `url`.

        Depth 0 reads no page for its links. With `search`, only URLs that have some of these words, in the URL or the
        title, are returned, best first; else those of site maps and links in the order in which they were found. URLs
        that differ only in spelling are one. A site map, feed or page that fails is listed in `missed`, and so is a
        limit of time or bytes that ended the map.

        Raises:
            InvalidInput: `limit` or `depth` is out of range, or `search` has no word.
            WellreadError: the start page cannot be read, and nothing else names a URL.
        """
        if limit < 1 or depth < 0:
            raise InvalidInput(f"limit {limit} and depth {depth}", hint="limit is at least 1, depth at least 0")
        if search is not None and not search.strip():
            raise InvalidInput("the words to search for are empty", hint="leave them out, or name some")
        failure: WellreadError | None = None
        start: Response | None = None
        url = trim_url(url)
        try:
            start = await _start_page(self.client, self.clock, url, user_asked=self.user_asked)
            url = start.url
        except WellreadError as error:
            failure = error
            url = schemeless_urls.candidate_urls(url)[0]
            self.missed.append(Missed(url, error.code, error.message))
        self.scope = CrawlScope(frozenset({site_host(url)}), subdomains=subdomains)
        max_pages = MAX_ENTRIES  # the best of all are searched for
        if search is None:
            max_pages = min(max(limit, sitemaps.MAX_ENTRIES), MAX_ENTRIES)
        await self._read_site(url, start, depth, max_pages)
        if failure is not None and not self.entries:
            raise failure
        entries = list(self.entries.values())
        if search is not None:
            entries = await to_thread.run_sync(_ranked, entries, search)
        return SiteMap(
            url=url,
            entries=tuple(entries[:limit]),
            total=len(entries) + len(self.left_out) + self.left_out_entries,
            other_hosts=len(self.other_hosts),
            unread_maps=self.unread,
            missed=tuple(self.missed),
        )

    async def _read_site(self, url: str, start: Response | None, depth: int, max_pages: int) -> None:
        """Read site maps, feeds and pages until a limit is reached, and list that limit in `missed`."""
        timeout_s, max_bytes = self.settings.map_timeout_s, self.settings.map_max_bytes
        with anyio.move_on_after(timeout_s) as deadline:
            if start is not None:
                self.bytes_read = len(start.body)
                self.add_all([SiteMapEntry(url=url, source="start", depth=0)])
            await self._read_site_maps(url, max_pages)
            if start is not None:
                await self._follow_links(start, depth)
        unread = f"{self.unread:,} site maps, feeds or pages were not read"
        if deadline.cancelled_caught:
            reason = f"the map ended after crawl.map_timeout_s = {timeout_s:g}: {unread}"
            self.missed.append(Missed(url, Timeout.code, reason))
        elif self.bytes_read >= max_bytes:
            reason = f"the map ended after crawl.map_max_bytes = {max_bytes:,}: {unread}"
            self.missed.append(Missed(url, TooLarge.code, reason))

    def add_all(self, entries: Iterable[SiteMapEntry]) -> list[str]:
        """Add URLs, or new facts about known ones, and return those that are new and of the site; blocks."""
        with self._adding:
            return [entry.url for entry in entries if self._add(entry)]

    def _add(self, entry: SiteMapEntry) -> bool:
        """Add a URL, or new facts about a known one; return whether it is new and of the site."""
        key = page_key(entry.url)
        if not self.scope.has_host(entry.url):
            self.other_hosts.add(hash(key))
            return False
        earlier = self.entries.get(key)
        if earlier is not None:
            title, modified_date = earlier.title or entry.title, earlier.modified_date or entry.modified_date
            self.entries[key] = replace(earlier, title=title, modified_date=modified_date)
            return False
        if len(self.entries) >= MAX_ENTRIES:
            self.left_out.add(hash(key))
            return False
        self.entries[key] = entry
        return True

    async def _read_site_maps(self, url: str, max_pages: int) -> None:
        """Add the pages of the site maps that robots.txt names, or else of `/sitemap.xml`."""
        origin = origin_of(url)
        try:
            rules = await self.client.robots_rules(origin)
        except WellreadError as error:
            self.missed.append(Missed(f"{origin}/robots.txt", error.code, error.message))
            return
        maps = site_maps(rules, origin)
        walk = SitemapWalk(
            self.client, self.clock, maps, user_asked=self.user_asked, max_pages=max_pages, max_bytes=self._bytes_left()
        )
        try:
            async for pages in walk.batches():
                entries = [
                    SiteMapEntry(url=page.url, modified_date=page.modified_date, source="sitemap") for page in pages
                ]
                await to_thread.run_sync(self.add_all, entries)
        finally:  # also at the deadline
            self.bytes_read += walk.bytes_read
            self.unread += walk.unread
            self.left_out_entries += walk.left_out
            # A customary site map that does not exist is no failure.
            self.missed += [
                Missed(map_url, error.code, error.message)
                for map_url, error in walk.failures
                if map_url in rules.sitemaps or map_url not in maps
            ]

    async def _follow_links(self, start: Response, depth: int) -> None:
        """Add the links of pages level by level, and the entries of the feeds of the start page."""
        document = await self._document(start)
        await to_thread.run_sync(self._add_title, start.url, document)
        await self._read_feeds(document.feeds)
        level: list[str] = []
        if depth:
            level = await to_thread.run_sync(self._add_links, document, 1)
        for next_depth in range(2, depth + 1):
            level = await self._read_level(level, next_depth)

    def _add_links(self, document: LinkedDocument, depth: int) -> list[str]:
        """Add the links of a page; return the new ones."""
        return self.add_all(
            SiteMapEntry(url=link.url, title=link.text or None, source="link", depth=depth) for link in document.links
        )

    async def _read_level(self, urls: Sequence[str], depth: int) -> list[str]:
        """Read the pages of one level, a few at a time, and return the new URLs that they link to."""
        room = max(MAX_PAGES - self.pages_read, 0)
        self.unread += len(urls)
        self.pages_read += len(urls[:room])
        next_level: list[str] = []
        limiter = anyio.CapacityLimiter(_CONCURRENCY)

        async def read(page_url: str) -> None:
            async with limiter:
                if not self._bytes_left():
                    return
                try:
                    response = await self._fetch(page_url)
                except WellreadError as error:
                    self.missed.append(Missed(page_url, error.code, error.message))
                    return
                document = await self._document(response)
                await to_thread.run_sync(self._add_title, page_url, document)
                next_level.extend(await to_thread.run_sync(self._add_links, document, depth))

        async with anyio.create_task_group() as tasks:
            for page_url in urls[:room]:
                tasks.start_soon(read, page_url)
        return next_level

    async def _read_feeds(self, feeds: Sequence[str]) -> None:
        self.unread += len(feeds)
        for feed_url in feeds[:MAX_FEEDS]:
            if not self._bytes_left():
                return
            try:
                response = await self._fetch(feed_url)
                feed = await to_thread.run_sync(feed_entries, response)
            except WellreadError as error:
                self.missed.append(Missed(feed_url, error.code, error.message))
                continue
            self.left_out_entries += len(feed[sitemaps.MAX_ENTRIES :])
            entries = [
                SiteMapEntry(url=entry.url, title=entry.title, modified_date=entry.date, source="feed")
                for entry in feed[: sitemaps.MAX_ENTRIES]
            ]
            await to_thread.run_sync(self.add_all, entries)

    async def _fetch(self, url: str) -> Response:
        """Return the answer to one of the requests that `unread` counts."""
        try:
            response = await self.client.fetch(Request(url=url, user_asked=self.user_asked))
        except WellreadError:
            self.unread -= 1  # it is listed in `missed`
            raise
        self.unread -= 1
        self.bytes_read += len(response.body)
        refuse_failures(response, now=self.clock.now())
        return response

    def _bytes_left(self) -> int:
        return max(self.settings.map_max_bytes - self.bytes_read, 0)

    @staticmethod
    async def _document(response: Response) -> LinkedDocument:
        return await to_thread.run_sync(lambda: linked_document(response, max_links=MAX_LINKS))

    def _add_title(self, url: str, document: LinkedDocument) -> None:
        """Set the title that a page gives itself, in place of the words of a link."""
        with self._adding:
            entry = self.entries.get(page_key(url))
            if entry is not None and document.title:
                self.entries[page_key(url)] = replace(entry, title=document.title)


async def _start_page(client: Client, clock: Clock, url: str, *, user_asked: bool) -> Response:
    for attempt in https_first.attempts(url):
        with attempt:
            response = await client.fetch(Request(url=attempt.url, user_asked=user_asked))
            refuse_failures(response, now=clock.now())
            return response
    raise AssertionError("the last attempt returns or raises")


def _ranked(entries: Sequence[SiteMapEntry], words: str) -> list[SiteMapEntry]:
    """Return the entries that have some of the words, best first."""
    scores = link_scores(words, [(entry.url, entry.title or "") for entry in entries])
    scored = [replace(entry, score=round(score, 4)) for entry, score in zip(entries, scores, strict=True) if score > 0]
    return sorted(scored, key=lambda entry: -(entry.score or 0))
