"""Asks search providers: the chosen ones first, the next when they have nothing, all within one time budget."""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    Timeout,
    Unrecorded,
    WellreadError,
)
from wellread.ports import LOCAL, Parsed, Visit
from wellread.search.hit_fusion import fused_hits
from wellread.search.provider_health import Health
from wellread.search.result_pages import ResultPages, is_past_last_page
from wellread.types import Found, ProviderOutcome, canonical_provider

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.ports import Access, Clock, Fetcher, Query, Searcher, SearchProvider, Visitor
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
    """A `Searcher` over many providers. Pace and health are kept per provider for all concurrent callers."""

    def __init__(
        self,
        sources: Sequence[ProviderSource],
        *,
        transports: ProviderTransports,
        clock: Clock,
        budget: SearchBudget,
        last: Searcher | None,
    ) -> None:
        """Take providers in order of preference, and the searcher that is asked when none of them has anything."""
        self._sources = tuple(sources)
        self._transports = transports
        self._clock = clock
        self._budget = budget
        self._last = last
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
        if health.interval_s and not health.met:
            async with self._locks[source.provider.name]:
                if not health.met:
                    return await self._ask_in_turn(source, query, deadline)
        return await self._ask_in_turn(source, query, deadline)

    async def _ask_in_turn(self, source: ProviderSource, query: Query, deadline: float) -> _ProviderAnswer:
        provider, began = source.provider, self._clock.monotonic()
        health = self._health[provider.name]
        left_s = min(deadline - began, self._budget.provider_s)
        if (skipped := _skip_outcome(health, began, left_s)) is not None:
            return _ProviderAnswer(_outcome(provider, skipped, 0))
        pages = ResultPages(provider, replace(query, today=self._clock.now().date()))
        first_query = pages.next
        parsed = await self._ask_page(source, first_query, left_s, deadline)
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
            if health.paused_s(now) > 0 or health.wait_s(now) >= left_s:
                pages.end("the time left does not allow a further request")
                return
            pages.add(await self._ask_page(source, pages.next, left_s, deadline), source.access)

    async def _ask_page(self, source: ProviderSource, query: Query, left_s: float, deadline: float) -> Parsed:
        health = self._health[source.provider.name]
        waits_s = health.reserve(self._clock.monotonic())
        await anyio.sleep(waits_s)
        parsed = await self._send(source, query, left_s - waits_s, deadline)
        health.learn(parsed.code, self._clock.monotonic(), retry_after_s=parsed.retry_after_s)
        return parsed

    async def _send(self, source: ProviderSource, query: Query, left_s: float, deadline: float) -> Parsed:
        provider = source.provider
        try:
            request = provider.request(query, source.access)
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
    return message


def _skip_outcome(health: Health, now: float, left_s: float) -> Parsed | None:
    """Return the outcome of not asking at all: it is paused, or its own pace leaves no time within the budget."""
    if (paused_s := health.paused_s(now)) > 0:
        detail = f"paused for another {paused_s:.0f} s, after it ended with {health.reason}"
        return Parsed(code=health.reason, detail=detail, retry_after_s=paused_s)
    if (wait_s := health.wait_s(now)) >= left_s:
        detail = f"its plan allows one request in {health.interval_s:g} s, and others are waiting"
        return Parsed(code="rate_limited", detail=detail, retry_after_s=wait_s)
    return None


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
