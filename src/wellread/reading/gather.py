"""Gathers evidence: search, read the best hits a few at a time, rank their passages, search once more if all are weak.

Each step is yielded as it ends. Everything happens under one deadline; the answer is made of the steps done by then.
"""

from __future__ import annotations

import math
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import anyio
from anyio import to_thread

from wellread.citations import verification
from wellread.errors import Timeout, WellreadError
from wellread.net import credential_scope, guard
from wellread.rank.diversify import PassageLimits
from wellread.rank.near_duplicate import is_near_duplicate, shingles
from wellread.rank.passages import passages
from wellread.rank.ranking import Ranker
from wellread.reading import answer_notices, site_links
from wellread.reading.page_printing import printed_page
from wellread.search import site_filter
from wellread.search.url_dedup import page_key
from wellread.text.counts import count_of
from wellread.types import Found, Gathered, Hit, Missed, Notice, Step

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Sequence
    from pathlib import Path

    from wellread.config import GatherSettings
    from wellread.credentials import Credentials
    from wellread.ports import Clock, Embedder, Query, Searcher, Trace
    from wellread.rank.ranking import RankedPassages
    from wellread.reading.read import PageReader
    from wellread.reading.read_result import ReadResult
    from wellread.types import Page, Passage, PassageOrder, Snapshot

MAX_PAGES = 50
"""The most pages of one gather: all their passages are ranked together, within one deadline."""
FILTERED_RESULTS = 50
"""Hits that are asked for where only those of some sites are taken."""
MOST_PASSAGES = 4_000
"""Passages of one page that are ranked, about two million characters: a page must not outlast the deadline."""


class _GatheredPage(NamedTuple):
    """A page in the answer, with its passages and shingles for ranking."""

    page: Page
    snapshot: Snapshot
    passages: list[Passage]
    shingles: frozenset[int]
    notices: tuple[Notice, ...] = ()


class GatherOptions(TypedDict, total=False):
    """The options of a gather besides the question."""

    num_results: int | None
    """Search results to choose pages from; the setting `gather.results` by default."""
    gather_top: int | None
    """Number of pages to read, at most 50; `gather.pages` by default, or all `urls`."""
    provider: str | None
    """The only search service to ask; `local` is the local index."""
    sites: Sequence[str] | None
    """Take only pages on these hosts and their subdomains."""
    exclude_sites: Sequence[str] | None
    """Take no pages on these hosts and their subdomains."""
    urls: Sequence[str] | None
    """Read these pages, and search for none."""
    follow: int | None
    """Pages to read in addition, by links of the pages that have words of the question, where most hits are on one site
    or the first is in a documentation; not with `cookies` or `profile`. None by default."""
    order: PassageOrder
    """score (default): best passage first; page: the passages of each page together, in the order of its text."""
    cookies: Path | None
    """A file of cookies that signs in, each at the hosts that it names."""
    profile: str | None
    """The name of a profile of `wellread login` that signs in at its hosts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherRequest:
    """The question of a gather, and the conditions of its answer."""

    query: Query
    pages: int
    """The number of pages that the answer has at most."""
    credentials: Credentials | None = None
    """What signs in the reads of pages on hosts that it is for."""
    urls: tuple[str, ...] = ()
    """The pages to read instead of a search."""
    order: PassageOrder = "score"
    follow: int = 0
    """The number of pages that are read by links of others."""


class GatherRun:
    """One gather, from its query to its answer."""

    def __init__(
        self,
        request: GatherRequest,
        *,
        limits: GatherSettings,
        searcher: Searcher,
        reader: PageReader,
        embedder: Embedder | None,
        clock: Clock,
        trace: Trace,
    ) -> None:
        """Take the request, and the parts that do the work."""
        self._request = request
        self._query = query = request.query
        self._pages = pages = request.pages
        self._limits = limits
        self._searcher = searcher
        self._reader = reader
        self._clock = clock
        self._trace = trace
        self._target = pages
        self._ranker = Ranker(query.text, embedder=embedder)
        self._send, self._receive = anyio.create_memory_object_stream[Step](math.inf)
        self._failures: list[WellreadError] = []
        self._search_result: Found | None = None
        self._taken: dict[str, str] = {}
        """The key of the page of each hit whose turn has come -> its URL."""
        self._waiting: list[Hit] = []
        self._reading: list[Hit] = []
        self._read_pages: dict[str, _GatheredPage] = {}
        """By the URL of the hit."""
        self._missed: list[Missed] = []

    @asynccontextmanager
    async def steps(self) -> AsyncGenerator[AsyncIterator[Step]]:
        """Work while the caller iterates: `Found`, then a `Page` or `Missed` for each hit, and at last `Gathered`.

        `Found` is yielded again with all hits when links are followed, or when the search is expanded. Leaving the
        block ends the work. A failure of the search is raised by the iteration.
        """
        raised: Exception | None = None
        # The receiving end closes last: a page that comes in while the work is ended may still be sent, to nobody.
        with self._receive:
            async with aclosing(self._received()) as iterator, anyio.create_task_group() as tasks:
                tasks.start_soon(self._work)
                try:
                    yield iterator
                except Exception as error:  # noqa: BLE001 - raised below, where the task group wraps it in no group
                    raised = error
                tasks.cancel_scope.cancel()
        if raised is not None:
            raise raised

    async def _received(self) -> AsyncGenerator[Step]:
        async for step in self._receive:
            yield step
        for failure in self._failures:
            raise failure

    async def _work(self) -> None:
        with self._send:
            try:
                self._send.send_nowait(await self._gathered())
            except WellreadError as failure:
                self._failures.append(failure)

    async def _gathered(self) -> Gathered:
        """Do everything, and return the answer.

        Raises:
            Timeout: the deadline passed before the search had ended.
            WellreadError: what the search raises.
        """
        clock, limits = self._clock, self._limits
        began = clock.monotonic()
        searched_ms = 0
        best: RankedPassages | None = None
        with anyio.move_on_after(limits.timeout_s) as deadline:
            await self._search(self._query.count)
            searched_ms = round((clock.monotonic() - began) * 1000)
            await self._collect()
            if self._request.follow:
                await self._follow()
            best = await self._ranked()
            if best.weak and await self._expand():
                best = await self._ranked()
        search_result = self._search_result
        if search_result is None:
            raise Timeout(f"the search took longer than {limits.timeout_s:g} s", hint="raise gather.timeout_s")
        if deadline.cancelled_caught:
            self._name_unread()
            best = await self._ranked(ask=False)
        assert best is not None  # either ranked in time, or just now
        self._leave_out(best)
        return Gathered(
            query=self._query.text,
            hits=search_result.hits,
            pages=tuple(self._read_pages[hit.url].page for hit in self._hits()),
            passages=tuple(verification.cited(passage) for passage in _ordered(best.passages, self._request.order)),
            missed=tuple(self._missed),
            outcomes=search_result.outcomes,
            notices=self._notices(search_result, best),
            search_time_ms=searched_ms,
            gather_time_ms=round((clock.monotonic() - began) * 1000) - searched_ms,
        )

    def _notices(self, search_result: Found, best: RankedPassages) -> tuple[Notice, ...]:
        """Return the notices of the answer: of its pages, of their ranking, and of the whole."""
        notices = [notice for read in self._read_pages.values() for notice in read.notices] + self._ranker.notices
        notices += answer_notices.missing_words(search_result)
        if not best.passages:
            notices.append(answer_notices.no_passages(search_result, len(self._read_pages), self._missed))
        elif best.weak:
            notices.append(Notice("weak_passages", answer_notices.WEAK, len(best.passages)))
        return tuple(notices)

    # ---------------------------------------------------------------------------------------------- searching

    async def _search(self, count: int) -> None:
        """Search for `count` hits; new ones then wait to be read."""
        search_result = await self._found(count)
        fresh = search_result.hits
        if (before := self._search_result) is not None:
            known_keys = {page_key(hit.url) for hit in before.hits}
            others = [hit for hit in search_result.hits if page_key(hit.url) not in known_keys]
            fresh = tuple(replace(hit, rank=len(before.hits) + number) for number, hit in enumerate(others, 1))
            search_result = replace(
                search_result, hits=before.hits + fresh, outcomes=before.outcomes + search_result.outcomes
            )
        self._search_result = search_result
        self._send.send_nowait(search_result)
        self._waiting += fresh

    async def _found(self, count: int) -> Found:
        """Return the hits of a search; or the given pages, as if they had been found."""
        query = self._query
        if self._request.urls:
            hits = tuple(Hit(title="", url=url, rank=rank) for rank, url in enumerate(self._request.urls, 1))
            return Found(query=query.text, hits=hits, outcomes=())
        if not (query.sites or query.exclude_sites):
            return await self._searcher.search(replace(query, count=count))
        search_result = await self._searcher.search(replace(query, count=max(count, FILTERED_RESULTS)))
        matching = site_filter.filtered(search_result.hits, query)[:count]
        hits = tuple(replace(hit, rank=rank) for rank, hit in enumerate(matching, 1))
        return replace(search_result, hits=hits)

    async def _expand(self) -> bool:
        """Ask for more hits, once, and read as many pages again; False when there are none."""
        count = self._limits.expanded_results
        if self._request.urls:
            return False
        if self._search_result is not None and self._search_result.hits and count > self._query.count:
            await self._search(count)
        before = len(self._read_pages)
        self._target = before + self._pages
        await self._collect()
        return len(self._read_pages) > before

    # ------------------------------------------------------------------------------------------------ reading

    async def _collect(self) -> None:
        """Read waiting hits, a few at a time, until there are pages enough."""
        async with anyio.create_task_group() as tasks:
            for _ in range(min(self._limits.concurrency, self._room())):
                tasks.start_soon(self._read_hits)

    def _room(self) -> int:
        return self._target - len(self._read_pages) - len(self._reading)

    async def _follow(self) -> None:
        """Read pages by links of those that were read, if the hits agree on a site; failures are not replaced."""
        search_result = self._search_result
        assert search_result is not None  # pages were collected by it
        site = site_links.main_site([hit.url for hit in search_result.hits])
        if site is None:
            return
        snapshots = [self._read_pages[hit.url].snapshot for hit in self._hits()]
        known_keys = {page_key(hit.url) for hit in search_result.hits}
        best_links = partial(site_links.best_links, self._query.text, snapshots, site, known_keys)
        links = (await to_thread.run_sync(best_links))[: self._request.follow]
        if not links:
            return
        first_rank = len(search_result.hits) + 1
        hits = [replace(link, rank=rank) for rank, link in enumerate(links, first_rank)]
        self._search_result = replace(search_result, hits=(*search_result.hits, *hits))
        self._send.send_nowait(self._search_result)
        self._pages += len(hits)
        self._target = len(self._read_pages) + len(hits)
        unread, self._waiting = self._waiting, hits
        await self._collect()
        self._waiting += unread

    async def _read_hits(self) -> None:
        while self._waiting and self._room() > 0:
            hit = self._waiting.pop(0)
            key = page_key(hit.url)
            if key in self._taken:
                self._miss(hit, "duplicate", f"the same page as {self._taken[key]}")
                continue
            self._taken[key] = hit.url
            self._reading.append(hit)
            try:
                read = await self._read(hit)
            except WellreadError as error:
                self._reading.remove(hit)
                del self._taken[key]  # another address of the page may do better
                self._miss(hit, error.code, error.message)
                continue
            self._reading.remove(hit)
            twin = self._twin(read)
            if twin is None:
                self._read_pages[hit.url] = read
                self._send.send_nowait(read.page)
            else:
                self._miss(hit, "duplicate", f"the same text as {twin}")

    async def _read(self, hit: Hit) -> _GatheredPage:
        began = self._clock.monotonic()
        credentials = self._request.credentials
        if credentials is not None and not credential_scope.applies_to(credentials, guard.parse_url(hit.url)):
            credentials = None  # the page is the same for everybody, and so is its copy in the store
        result = await self._reader.read_hit(hit, timeout_s=self._limits.page_timeout_s, credentials=credentials)
        total_time_ms = round((self._clock.monotonic() - began) * 1000)
        print_page = partial(self._gathered_page, hit, result, total_time_ms)
        return await to_thread.run_sync(print_page, abandon_on_cancel=True)

    def _gathered_page(self, hit: Hit, result: ReadResult, total_time_ms: int) -> _GatheredPage:
        """Print a page and cut it into passages; blocks."""
        page = printed_page(result, max_length=self._limits.page_chars, total_time_ms=total_time_ms)
        canonical = result.prints.canonical
        cut = passages(canonical, result.snapshot, chars=self._limits.passage_chars)
        unranked_count = len(cut) - MOST_PASSAGES
        detail = f"{hit.url}: not ranked: {count_of(unranked_count, 'passage')} at the end of the page"
        notices = (Notice("unranked_text", detail, unranked_count),) if unranked_count > 0 else ()
        old = tuple(notice for notice in page.notices if notice.code == "kept_snapshot")
        self._reader.lookup.keep_prints(result)
        return _GatheredPage(page, result.snapshot, cut[:MOST_PASSAGES], shingles(canonical.text), old + notices)

    def _twin(self, read: _GatheredPage) -> str | None:
        """Return the URL of the page whose text this one repeats."""
        return next(
            (url for url, other in self._read_pages.items() if is_near_duplicate(read.shingles, other.shingles)), None
        )

    def _miss(self, hit: Hit, code: str, reason: str) -> None:
        missed = Missed(hit.url, code, reason)
        self._missed.append(missed)
        self._send.send_nowait(missed)

    def _name_unread(self) -> None:
        """Record as missed the pages that the deadline cut off, and the pages that would have been read next."""
        limit = f"{self._limits.timeout_s:g} s of the gather"
        wanting = self._target > len(self._read_pages)
        for hit in self._reading:
            self._miss(hit, "timeout", f"not read within the {limit}")
        for hit in self._waiting if wanting else ():
            self._miss(hit, "not_reached", f"the {limit} ended before it was read")

    # ------------------------------------------------------------------------------------------------ ranking

    async def _ranked(self, *, ask: bool = True) -> RankedPassages:
        # In the order of the hits, so that an answer does not depend on which server was quicker.
        page_passages = [passage for hit in self._hits() for passage in self._read_pages[hit.url].passages]
        with self._trace("rank", passages=len(page_passages)):
            return await self._ranker.rank(page_passages, PassageLimits(self._limits.passages, self._pages), ask=ask)

    def _hits(self) -> list[Hit]:
        """Return the hits whose pages were read, each once."""
        search_result = self._search_result.hits if self._search_result else ()
        return list({hit.url: hit for hit in search_result if hit.url in self._read_pages}.values())

    def _leave_out(self, best: RankedPassages) -> None:
        """Drop pages beyond the number asked for: the pages with the best passages stay."""
        cited = dict.fromkeys(passage.url for passage in best.passages)
        place = {url: number for number, url in enumerate(cited)}
        order = sorted(self._read_pages, key=lambda url: place.get(self._read_pages[url].page.url, len(place)))
        for url in order[self._pages :]:
            self._read_pages.pop(url)
            missed = Missed(url, "outranked", "read, but other pages answer better")
            self._missed.append(missed)
            self._send.send_nowait(missed)


def _ordered(passages: list[Passage], order: PassageOrder) -> list[Passage]:
    """Return the passages in the order that was asked for; the page with the best passage comes first."""
    if order == "score":
        return passages
    place = {url: number for number, url in enumerate(dict.fromkeys(passage.url for passage in passages))}
    return sorted(passages, key=lambda passage: (place[passage.url], passage.start))
