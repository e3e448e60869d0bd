"""Gathers evidence: search, read the best hits a few at a time, rank their passages, search once more if all are weak.

Each step is yielded as it ends. Everything happens under one deadline; the answer is made of the steps done by then.
"""

from __future__ import annotations

import math
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import anyio
from anyio import to_thread

from wellread.citations import verification
from wellread.errors import Timeout, WellreadError
from wellread.output import print_document
from wellread.ports import untraced
from wellread.rank.diversify import PassageLimits
from wellread.rank.near_duplicate import is_near_duplicate, shingles
from wellread.rank.passages import passages
from wellread.rank.ranking import Ranker
from wellread.reading import answer_notices
from wellread.search.url_dedup import page_key
from wellread.types import Gathered, Missed, Notice, Step

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

    from anyio.streams.memory import MemoryObjectSendStream

    from wellread.config import GatherSettings
    from wellread.ports import Clock, Embedder, Trace
    from wellread.rank.ranking import RankedPassages
    from wellread.types import Found, Hit, Page, Passage, Snapshot

MOST_PASSAGES = 4_000
"""Passages of one page that are ranked, about two million characters: a page must not outlast the deadline."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherRequest:
    """The question of a gather, and its limits."""

    question: str
    results: int
    pages: int
    limits: GatherSettings


@dataclass(frozen=True, slots=True, kw_only=True)
class GatherDependencies:
    """The dependencies of a gather."""

    clock: Clock
    search: Callable[[int], Awaitable[Found]]
    """Asks for so many hits."""
    read: Callable[[Hit], Awaitable[tuple[Snapshot, Page]]]
    """Reads the page of a hit within its own time; raises WellreadError."""
    embedder: Embedder | None = None
    trace: Trace = untraced


@asynccontextmanager
async def gathering(request: GatherRequest, means: GatherDependencies) -> AsyncGenerator[AsyncIterator[Step]]:
    """Work while the caller iterates: `Found`, then a `Page` or `Missed` for each hit, and at last `Gathered`.

    Leaving the block ends the work. A failure of the search is raised by the iteration.
    """
    tell, steps = anyio.create_memory_object_stream[Step](math.inf)
    failures: list[WellreadError] = []

    async def work() -> None:
        with tell:
            try:
                tell.send_nowait(await _GatherRun(request, means, tell).done())
            except WellreadError as failure:
                failures.append(failure)

    async def told() -> AsyncGenerator[Step]:
        async for step in steps:
            yield step
        for failure in failures:
            raise failure

    raised: Exception | None = None
    # The receiving end closes last: a page that comes in while the work is ended may still be told, to nobody.
    with steps:
        async with aclosing(told()) as iterator, anyio.create_task_group() as tasks:
            tasks.start_soon(work)
            try:
                yield iterator
            except Exception as error:  # noqa: BLE001 - raised below, where the task group wraps it in no group
                raised = error
            tasks.cancel_scope.cancel()
    if raised is not None:
        raise raised


class _GatheredPage(NamedTuple):
    """A page in the answer, with its passages and shingles for ranking."""

    page: Page
    passages: list[Passage]
    shingles: frozenset[int]
    notices: tuple[Notice, ...] = ()


class _GatherRun:
    """One gather, from its question to its answer."""

    def __init__(self, request: GatherRequest, means: GatherDependencies, tell: MemoryObjectSendStream[Step]) -> None:
        self._request = request
        self._means = means
        self._tell = tell
        self._target = request.pages
        self._ranker = Ranker(request.question, embedder=means.embedder)
        self._search_result: Found | None = None
        self._taken: dict[str, str] = {}
        """The key of the page of each hit whose turn has come -> its URL."""
        self._waiting: list[Hit] = []
        self._reading: list[Hit] = []
        self._read_pages: dict[str, _GatheredPage] = {}
        """By the URL of the hit."""
        self._missed: list[Missed] = []

    async def done(self) -> Gathered:
        """Do everything, and return the answer.

        Raises:
            Timeout: the deadline passed before the search had ended.
            WellreadError: what the search raises.
        """
        clock, limits = self._means.clock, self._request.limits
        began = clock.monotonic()
        searched_ms = 0
        best: RankedPassages | None = None
        with anyio.move_on_after(limits.timeout_s) as deadline:
            await self._search(self._request.results)
            searched_ms = round((clock.monotonic() - began) * 1000)
            await self._collect()
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
            query=self._request.question,
            hits=search_result.hits,
            pages=tuple(self._read_pages[hit.url].page for hit in self._hits()),
            passages=tuple(verification.cited(passage) for passage in best.passages),
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
        search_result = await self._means.search(count)
        fresh = search_result.hits
        if (before := self._search_result) is not None:
            known_keys = {page_key(hit.url) for hit in before.hits}
            others = [hit for hit in search_result.hits if page_key(hit.url) not in known_keys]
            fresh = tuple(replace(hit, rank=len(before.hits) + number) for number, hit in enumerate(others, 1))
            search_result = replace(
                search_result, hits=before.hits + fresh, outcomes=before.outcomes + search_result.outcomes
            )
        self._search_result = search_result
        self._tell.send_nowait(search_result)
        self._waiting += fresh

    async def _expand(self) -> bool:
        """Ask for more hits, once, and read as many pages again; False when there are none."""
        count = self._request.limits.expanded_results
        if self._search_result is not None and self._search_result.hits and count > self._request.results:
            await self._search(count)
        before = len(self._read_pages)
        self._target = before + self._request.pages
        await self._collect()
        return len(self._read_pages) > before

    # ------------------------------------------------------------------------------------------------ reading

    async def _collect(self) -> None:
        """Read waiting hits, a few at a time, until there are pages enough."""
        async with anyio.create_task_group() as tasks:
            for _ in range(min(self._request.limits.concurrency, self._room())):
                tasks.start_soon(self._read_hits)

    def _room(self) -> int:
        return self._target - len(self._read_pages) - len(self._reading)

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
                self._tell.send_nowait(read.page)
            else:
                self._miss(hit, "duplicate", f"the same text as {twin}")

    async def _read(self, hit: Hit) -> _GatheredPage:
        snapshot, page = await self._means.read(hit)

        def prepared() -> _GatheredPage:
            canonical = print_document(snapshot.extraction.document, "markdown")
            cut = passages(canonical, snapshot, chars=self._request.limits.passage_chars)
            unranked_count = len(cut) - MOST_PASSAGES
            detail = f"{hit.url}: {unranked_count} passages at the end of the page were not ranked"
            notices = (Notice("unranked_text", detail, unranked_count),) if unranked_count > 0 else ()
            old = tuple(notice for notice in page.notices if notice.code == "kept_snapshot")
            return _GatheredPage(page, cut[:MOST_PASSAGES], shingles(canonical.text), old + notices)

        return await to_thread.run_sync(prepared, abandon_on_cancel=True)

    def _twin(self, read: _GatheredPage) -> str | None:
        """Return the URL of the page whose text this one repeats."""
        return next(
            (url for url, other in self._read_pages.items() if is_near_duplicate(read.shingles, other.shingles)), None
        )

    def _miss(self, hit: Hit, code: str, reason: str) -> None:
        missed = Missed(hit.url, code, reason)
        self._missed.append(missed)
        self._tell.send_nowait(missed)

    def _name_unread(self) -> None:
        """Record as missed the pages that the deadline cut off, and the pages that would have been read next."""
        limit = f"{self._request.limits.timeout_s:g} s of the gather"
        wanting = self._target > len(self._read_pages)
        for hit in self._reading:
            self._miss(hit, "timeout", f"not read within the {limit}")
        for hit in self._waiting if wanting else ():
            self._miss(hit, "not_reached", f"the {limit} ended before it was read")

    # ------------------------------------------------------------------------------------------------ ranking

    async def _ranked(self, *, ask: bool = True) -> RankedPassages:
        # In the order of the hits, so that an answer does not depend on which server was quicker.
        page_passages = [passage for hit in self._hits() for passage in self._read_pages[hit.url].passages]
        with self._means.trace("rank", passages=len(page_passages)):
            return await self._ranker.rank(
                page_passages, PassageLimits(self._request.limits.passages, self._request.pages), ask=ask
            )

    def _hits(self) -> list[Hit]:
        """Return the hits whose pages were read, each once."""
        search_result = self._search_result.hits if self._search_result else ()
        return list({hit.url: hit for hit in search_result if hit.url in self._read_pages}.values())

    def _leave_out(self, best: RankedPassages) -> None:
        """Drop pages beyond the number asked for: the pages with the best passages stay."""
        cited = dict.fromkeys(passage.url for passage in best.passages)
        place = {url: number for number, url in enumerate(cited)}
        order = sorted(self._read_pages, key=lambda url: place.get(self._read_pages[url].page.url, len(place)))
        for url in order[self._request.pages :]:
            self._read_pages.pop(url)
            missed = Missed(url, "outranked", "read, but other pages answer better")
            self._missed.append(missed)
            self._tell.send_nowait(missed)
