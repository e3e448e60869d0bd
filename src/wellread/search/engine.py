"""Asks search providers: the chosen ones first, the next when they have nothing, all within one time budget."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote, quote_plus

import anyio

from wellread.errors import (
    Auth,
    Challenge,
    ConfigError,
    InvalidInput,
    Quota,
    RateLimited,
    SharedStateFailed,
    Timeout,
    Unrecorded,
    WellreadError,
)
from wellread.index.relevance import reciprocal_rank_fusion
from wellread.ports import LOCAL, Parsed, Visit
from wellread.search.site_filter import with_site_words
from wellread.search.url_dedup import page_key
from wellread.types import Found, ProviderOutcome, canonical_provider
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wellread.ports import Access, Clock, Fetcher, Pace, Query, Reservation, Searcher, SearchProvider, Visitor
    from wellread.types import Hit, OutcomeCode, Request, Response


class ProviderSource(NamedTuple):
    """A provider, and the user's way to it."""

    provider: SearchProvider
    access: Access


class ProviderTransports(NamedTuple):
    """How providers are asked: by the client, or by a visit in the browser where there is one."""

    fetcher: Fetcher
    visitor: Visitor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchBudget:
    """Seconds for a whole search and for one provider, and how many providers are asked at once.

    A visit in the browser may take what is left of the whole: it may have to be started, and opens two pages.
    """

    total_s: float
    provider_s: float
    fan_out: int = 1


class SearchEngine:
    """A `Searcher` over many providers. Pace and health are kept per provider for all concurrent callers.

    Replicas share the pace, and the pauses that services ask for.
    """

    def __init__(
        self,
        sources: Sequence[ProviderSource],
        *,
        transports: ProviderTransports,
        clock: Clock,
        budget: SearchBudget,
        last: Searcher | None,
        pace: Pace,
    ) -> None:
        """Take providers in order of preference, and the searcher that is asked when none of them has anything."""
        self._sources = tuple(sources)
        self._transports = transports
        self._clock = clock
        self._budget = budget
        self._last = last
        self._pace = pace
        self._health = {source.provider.name: Health(source.provider.interval_s) for source in sources}
        self._locks = {name: anyio.Lock() for name in self._health}

    async def search(self, query: Query) -> Found:
        """Return the hits of the first providers that have any; `outcomes` says how each one asked ended.

        Raises:
            InvalidInput: `query` names a provider that is not a configured search service.
        """
        query = replace(query, provider=canonical_provider(query.provider) if query.provider else None)
        if query.provider is not None and query.provider not in self._known():
            raise InvalidInput(
                f"{query.provider!r} is not a configured search service", hint=f"one of {', '.join(self._known())}"
            )
        deadline = self._clock.monotonic() + self._budget.total_s
        outcomes: list[ProviderOutcome] = []
        for wave in self._waves(query.provider):
            answers = await self._ask_all(wave, query, deadline)
            outcomes += [answer.outcome for answer in answers]
            good = [answer for answer in answers if answer.hits]
            if good:
                passed_over = {name for answer in good for name in answer.ignored}
                hits = fused_hits([answer.hits for answer in good], count=query.count)
                return _found(query, hits, outcomes, passed_over)
            if self._clock.monotonic() >= deadline:
                return _found(query, (), outcomes, set())
        if self._last is None or query.provider not in {None, LOCAL}:
            return _found(query, (), outcomes, set())
        local_result = await self._last.search(query)
        return replace(local_result, outcomes=(*outcomes, *local_result.outcomes))

    def _known(self) -> tuple[str, ...]:
        local_names = (LOCAL,) if self._last is not None else ()
        return (*(source.provider.name for source in self._sources), *local_names)

    def _waves(self, only: str | None) -> list[tuple[ProviderSource, ...]]:
        size = max(1, self._budget.fan_out)
        sources = [source for source in self._sources if only in {None, source.provider.name}]
        return [tuple(sources[at : at + size]) for at in range(0, len(sources), size)]

    async def _ask_all(self, wave: Sequence[ProviderSource], query: Query, deadline: float) -> list[_ProviderAnswer]:
        answers: dict[str, _ProviderAnswer] = {}

        async def ask(source: ProviderSource) -> None:
            answers[source.provider.name] = await self._ask(source, query, deadline)

        async with anyio.create_task_group() as tasks:
            for source in wave:
                tasks.start_soon(ask, source)
        return [answers[source.provider.name] for source in wave]

    async def _ask(self, source: ProviderSource, query: Query, deadline: float) -> _ProviderAnswer:
        health = self._health[source.provider.name]
        try:
            if health.interval_s and not health.met:
                async with self._locks[source.provider.name]:
                    if not health.met:
                        return await self._ask_in_turn(source, query, deadline)
            return await self._ask_in_turn(source, query, deadline)
        except SharedStateFailed as error:
            return _ProviderAnswer(_outcome(source.provider, Parsed(code=_code(error), detail=error.message), 0))

    async def _ask_in_turn(self, source: ProviderSource, query: Query, deadline: float) -> _ProviderAnswer:
        provider, began = source.provider, self._clock.monotonic()
        health = self._health[provider.name]
        left_s = min(deadline - began, self._budget.provider_s)
        if (paused_s := health.paused_s(began)) > 0:
            detail = f"paused for another {paused_s:.0f} s, after it ended with {health.reason}"
            return _ProviderAnswer(_outcome(provider, Parsed(code=health.reason, detail=detail), 0))
        start = await self._reserve(source, left_s)
        if not start.is_granted:
            return _ProviderAnswer(_outcome(provider, _paced_out(provider, start), 0))
        pages = ResultPages(provider, replace(query, today=self._clock.now().date()))
        first_query = pages.next
        parsed = await self._ask_page(source, first_query, left_s, start.wait_s, deadline)
        if parsed.hits:
            pages.add(parsed, source.access)
            await self._ask_further_pages(source, pages, deadline)
        elapsed_ms = round((self._clock.monotonic() - began) * 1000)
        if not pages.hits:
            return _ProviderAnswer(_outcome(provider, parsed, elapsed_ms))
        parsed = _joined(parsed, pages)
        return _ProviderAnswer(
            _outcome(provider, parsed, elapsed_ms), parsed.hits, ignored_filters(provider, first_query, source.access)
        )

    async def _ask_further_pages(self, source: ProviderSource, pages: ResultPages, deadline: float) -> None:
        """Ask for the pages that `pages` lacks; each takes a slot of the provider's pace, like any request."""
        health = self._health[source.provider.name]
        while not pages.is_done:
            now = self._clock.monotonic()
            left_s = min(deadline - now, self._budget.provider_s)
            start = None if health.paused_s(now) > 0 else await self._reserve(source, left_s)
            if start is None or not start.is_granted:
                pages.end("the time left does not allow a further request")
                return
            page = await self._ask_page(source, pages.next, left_s, start.wait_s, deadline)
            pages.add(page, source.access)

    async def _ask_page(
        self, source: ProviderSource, query: Query, left_s: float, wait_s: float, deadline: float
    ) -> Parsed:
        """Send a request at its reserved start, in `wait_s`."""
        health = self._health[source.provider.name]
        await anyio.sleep(wait_s)
        parsed = await self._send(source, query, left_s - wait_s, deadline)
        if not health.met:  # its connection was being made, so the pace counts from its end
            await self._pace.pause(_account(source), source.provider.interval_s * SLACK)
        now = self._clock.monotonic()
        health.learn(parsed.code, now, retry_after_s=parsed.retry_after_s)
        if parsed.code in {"rate_limited", "quota"}:
            await self._pace.pause(_account(source), health.paused_s(now))
        return parsed

    async def _reserve(self, source: ProviderSource, left_s: float) -> Reservation:
        return await self._pace.reserve(_account(source), source.provider.interval_s * SLACK, max_wait_s=left_s)

    async def _send(self, source: ProviderSource, query: Query, left_s: float, deadline: float) -> Parsed:
        provider = source.provider
        try:
            request = provider.request(with_site_words(query), source.access)
            if is_past_last_page(provider, query, source.access):
                return Parsed(code="bad_request", detail=f"it has no page {query.page} of {query.count} results")
            if isinstance(request, Visit):
                response = await self._visited(
                    replace(request, timeout_s=max(deadline - self._clock.monotonic(), 0.001))
                )
            else:
                response = await self._transports.fetcher.fetch(_paced(request, provider.interval_s, left_s))
            return provider.parse(response)
        except WellreadError as error:
            retry_after_s = error.retry_after_s if isinstance(error, RateLimited) else None
            return Parsed(code=_code(error), detail=_without_keys(source.access, error), retry_after_s=retry_after_s)

    async def _visited(self, visit: Visit) -> Response:
        if self._transports.visitor is None:
            raise ConfigError("the service needs a browser, and rendering is disabled", hint="set render.enabled=true")
        return await self._transports.visitor.visit(visit)


def _paced(request: Request, interval_s: float, left_s: float) -> Request:
    """Hold a request to the time that is left; where the pace is kept here, the client sends it once only."""
    return replace(request, timeout_s=max(left_s, 0.001), attempts=1 if interval_s else None)


class _ProviderAnswer(NamedTuple):
    outcome: ProviderOutcome
    hits: tuple[Hit, ...] = ()
    ignored: frozenset[str] = frozenset()


def _without_keys(access: Access, error: WellreadError) -> str:
    """Return the message without the user's keys, which some services want in the URL."""
    message = error.message
    for secret in (access.key, access.extra):
        if secret:
            message = (
                message.replace(secret, "***").replace(quote(secret, safe=""), "***").replace(quote_plus(secret), "***")
            )
    if access.base_url:
        message = message.replace(access.base_url, str(Address(access.base_url)))
    return message


def _account(source: ProviderSource) -> str:
    """Return the name of the account that a pace is kept for."""
    return f"service {source.provider.name} {source.access.base_url} {source.access.key}"


def _paced_out(provider: SearchProvider, start: Reservation) -> Parsed:
    """Return the outcome of not asking at all, because the pace leaves no time within the budget."""
    detail = f"its plan allows one request in {provider.interval_s:g} s, and others are waiting"
    if not provider.interval_s:
        detail = f"it has asked another replica for a pause of {start.wait_s:.0f} s"
    return Parsed(code="rate_limited", detail=detail)


def _outcome(provider: SearchProvider, parsed: Parsed, elapsed_ms: int) -> ProviderOutcome:
    return ProviderOutcome(
        provider=provider.name, code=parsed.code, count=len(parsed.hits), detail=parsed.detail, elapsed_ms=elapsed_ms
    )


def _joined(first: Parsed, pages: ResultPages) -> Parsed:
    """Return the hits of all pages as one answer; `partial` where some are known to be missing."""
    details = [detail for detail in (first.detail, pages.shortfall) if detail]
    code: OutcomeCode = "partial" if pages.shortfall else first.code
    return Parsed(code=code, hits=tuple(pages.hits), detail="; ".join(details))


def _code(error: WellreadError) -> OutcomeCode:
    codes: tuple[tuple[type[WellreadError], OutcomeCode], ...] = (
        (Timeout, "timeout"),
        (RateLimited, "rate_limited"),
        (Auth, "auth"),
        (Quota, "quota"),
        (Challenge, "challenge"),
        (Unrecorded, "unrecorded"),
    )
    return next((code for kind, code in codes if isinstance(error, kind)), "upstream")


def ignored_filters(provider: SearchProvider, query: Query, access: Access) -> frozenset[str]:
    """Return the names of the filters that were asked for and make no difference to the provider's request.

    The request tells it of values, too: of a country that a service does not know.

    Raises:
        Auth: the provider needs a key that `access` lacks.
    """
    request = provider.request(query, access)
    without = {
        "region": replace(query, region=None),
        "freshness": replace(query, freshness=None),
        "page": replace(query, page=1),
    }
    return frozenset(
        name for name, other in without.items() if other != query and provider.request(other, access) == request
    )


def _found(query: Query, hits: tuple[Hit, ...], outcomes: Sequence[ProviderOutcome], ignored: set[str]) -> Found:
    return Found(query=query.text, hits=hits, outcomes=tuple(outcomes), ignored_filters=tuple(sorted(ignored)))


# ----------------------------------------------------------------------------------------------------- pages of results
# Decides which pages of results one provider is asked for, and joins them: pure, and bounded by `MAX_PAGES`.
#
# A request brings at most `max_count` results. A query for more takes several, until it has its results, a page adds
# nothing new, or the service says that there is no more. Whatever else ends it is the shortfall that a caller is told.

MAX_PAGES = 10
"""Requests for one query to one provider."""


def is_past_last_page(provider: SearchProvider, query: Query, access: Access) -> bool:
    """Return whether the provider has no page of that number.

    Providers bring a page beyond their limits within them, so its request is then that of the page before.

    Raises:
        Auth: the provider needs a key that `access` lacks.
    """
    if query.page <= 1 or "page" not in provider.filters:
        return False
    return provider.request(query, access) == provider.request(replace(query, page=query.page - 1), access)


@dataclass(slots=True)
class ResultPages:
    """The pages of results that `query` takes at `provider`, and the hits that they brought."""

    provider: SearchProvider
    query: Query
    next: Query = field(init=False)
    """The query of the next request: a number of results, and the page of pages of that size."""
    hits: list[Hit] = field(default_factory=list, init=False)
    is_done: bool = field(default=False, init=False)
    shortfall: str = field(default="", init=False)
    """Why hits are missing; empty where nothing is known to be missing."""
    _skip: int = field(default=0, init=False)
    _last_page: int = field(default=1, init=False)
    _urls: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        """Find the pages of the provider's size that hold the results of the query's page."""
        size, count, page = self.provider.max_count, self.query.count, self.query.page
        self.next = replace(self.query, count=min(count, size))
        if not self._takes_several:
            return
        start = (max(page, 1) - 1) * count
        first_page = start // size + 1
        self._skip = start % size
        self._last_page = MAX_PAGES
        if page > 1:  # what follows its last page belongs to the query's next one
            self._last_page = min(-(-(start + count) // size), first_page + MAX_PAGES - 1)
        self.next = replace(self.next, page=first_page)

    @property
    def _takes_several(self) -> bool:
        return self.query.count > self.provider.max_count and "page" in self.provider.filters

    def add(self, parsed: Parsed, access: Access) -> None:
        """Take the hits of the page that `next` asked for, and decide whether another is asked for.

        Raises:
            Auth: the provider needs a key that `access` lacks.
        """
        hits_before = len(self._urls)
        for hit in parsed.hits:
            key = page_key(hit.url)
            if key in self._urls and self._takes_several:
                continue
            self._urls.add(key)
            if self._skip:
                self._skip -= 1
            else:
                self.hits.append(replace(hit, rank=len(self.hits) + 1))
        if len(self.hits) >= self.query.count:
            del self.hits[self.query.count :]
            self.is_done = True
        elif not self._takes_several:
            self._end_single_page(parsed)
        elif parsed.code not in {"ok", "partial", "no_results"}:
            self.end(f"page {self.next.page} ended with {parsed.code} ({parsed.detail})")
        elif len(self._urls) == hits_before:
            self.is_done = True
        else:
            self._turn(parsed, access)

    def _end_single_page(self, parsed: Parsed) -> None:
        self.is_done = True
        is_full = len(self.hits) >= self.provider.max_count and parsed.more is not False
        if self.query.count > self.provider.max_count and (is_full or parsed.more):
            self.end("the service gives no more for one query")

    def _turn(self, parsed: Parsed, access: Access) -> None:
        following = replace(self.next, page=self.next.page + 1)
        if is_past_last_page(self.provider, following, access):
            self.end(f"the service has no page after page {self.next.page}")
        elif parsed.more is False:
            self.is_done = True
        elif following.page > self._last_page:
            self.end(f"no page after page {self.next.page} is asked for")
        else:
            self.next = following

    def end(self, reason: str) -> None:
        """Ask for no further page, and keep `reason` as the shortfall."""
        self.is_done = True
        self.shortfall = f"{len(self.hits)} of {self.query.count} results: {reason}"


# ------------------------------------------------------------------------------------------------------- fusion of hits
# Makes one ranking of hits of several: reciprocal rank fusion, one hit per page.


def fused_hits(rankings: Iterable[Sequence[Hit]], *, count: int) -> tuple[Hit, ...]:
    """Return the best `count` pages over all rankings; the order in which the rankings come does not matter.

    A page counts once in each ranking that has it, at its best rank there. Of its hits, the one ranked best is shown,
    with the longest snippet and whatever date any of them knows; `source` names all who found it.
    """
    ranks: list[list[tuple[int, str]]] = []
    hits_by_key: defaultdict[str, list[Hit]] = defaultdict(list)
    for ranking in rankings:
        best: dict[str, Hit] = {}
        for hit in sorted(ranking, key=lambda hit: hit.rank):
            best.setdefault(page_key(hit.url), hit)
        ranks.append([(hit.rank, key) for key, hit in best.items()])
        for key, hit in best.items():
            hits_by_key[key].append(hit)
    scores = reciprocal_rank_fusion(ranks)
    order = sorted(scores, key=lambda key: (-scores[key], key))
    return tuple(
        _merged(hits_by_key[key], rank=rank, score=round(scores[key], 6)) for rank, key in enumerate(order[:count], 1)
    )


def _merged(hits: Sequence[Hit], *, rank: int, score: float) -> Hit:
    ranked = sorted(hits, key=lambda hit: (hit.rank, hit.source, hit.url))
    first = ranked[0]
    longest = max(ranked, key=lambda hit: len(hit.snippet))
    return replace(
        first,
        snippet=longest.snippet,
        marks=longest.marks,
        published_date=next((hit.published_date for hit in ranked if hit.published_date), None),
        source=", ".join(sorted({hit.source for hit in ranked})),
        rank=rank,
        score=score,
    )


# --------------------------------------------------------------------------------------------------------------- pauses
# Pauses a provider when it fails: pure bookkeeping on times that are handed in.

FAILURES_TO_PAUSE = 3
PAUSE_S = 30.0
MAX_PAUSE_S = 600.0
MEND_S = 300.0
"""A key or a plan is not mended within seconds."""
BLOCK_S = 180.0
"""SearXNG's own figure for engines that answered with a block."""

SLACK = 1.1
"""Times the interval: no two requests take equally long on their way."""

GOOD = frozenset({"ok", "no_results", "partial", "bad_request", "unrecorded"})


@dataclass(slots=True)
class Health:
    """How a provider is doing. All times are monotonic seconds."""

    interval_s: float
    met: bool = False
    """Whether a request has ended: until then one goes alone, as a connection that is being made takes its time."""
    paused_until: float = 0.0
    failures: int = 0
    reason: OutcomeCode = "upstream"

    def paused_s(self, now: float) -> float:
        """Return for how long it is to be left alone; 0 when it may be asked."""
        return max(0.0, self.paused_until - now)

    def learn(self, code: OutcomeCode, now: float, *, retry_after_s: float | None = None) -> None:
        """Take note of how a request ended."""
        self.met = True
        if code in GOOD:
            self.failures = 0
            return
        self.failures += 1
        self.reason = code
        self.paused_until = max(self.paused_until, now + self._pause_s(code, retry_after_s))

    def _pause_s(self, code: OutcomeCode, retry_after_s: float | None) -> float:
        if code == "rate_limited":
            return min(retry_after_s or max(self.interval_s, 1.0), MAX_PAUSE_S)
        if code in {"auth", "quota"}:
            return MEND_S
        if code in {"challenge", "changed_markup"}:
            return BLOCK_S
        beyond = self.failures - FAILURES_TO_PAUSE
        if beyond < 0:
            return 0.0
        pause_s: float = min(PAUSE_S * 2**beyond, MAX_PAUSE_S)
        return pause_s
