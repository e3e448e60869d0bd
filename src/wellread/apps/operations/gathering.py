"""A gather that tells what it has as it goes: hits first, then each page that was read or missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.errors import WellreadError
from wellread.types import Hit, Missed, ProviderOutcome
from wellread.web.pipeline import Pipeline

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.ports import Freshness
    from wellread.types import Found, Gathered
    from wellread.web.pipeline import ReadOptions, _Read


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """The search is done."""

    hits: tuple[Hit, ...]
    outcomes: tuple[ProviderOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRead:
    """A page has been read; its passages come when all pages have been ranked."""

    url: str
    final_url: str
    title: str | None
    snapshot_id: str
    confidence: float
    cached: bool


Event = Searched | PageRead | Missed
"""What may be told before the end."""


async def gather(
    web: Pipeline,
    question: str,
    *,
    num_results: int | None,
    gather_top: int | None,
    tell: Callable[[Event], Awaitable[None]],
) -> Gathered:
    """Gather with the parts of `web`, and `tell` what comes in between."""
    telling = _Telling(web, tell)
    return await telling.gather(question, num_results=num_results, gather_top=gather_top)


class _Telling(Pipeline):
    """The same pipeline, with a word after each step."""

    def __init__(self, web: Pipeline, tell: Callable[[Event], Awaitable[None]]) -> None:
        super().__init__(web.parts)
        self._tell = tell

    async def search(
        self, query: str, *, count: int = 10, region: str | None = None, freshness: Freshness | None = None
    ) -> Found:
        """Search, then tell the hits."""
        found = await super().search(query, count=count, region=region, freshness=freshness)
        await self._tell(Searched(hits=found.hits, outcomes=found.outcomes))
        return found

    async def _snapshot(self, url: str, options: ReadOptions, *, timeout_s: float | None = None) -> _Read:
        try:
            done = await super()._snapshot(url, options, timeout_s=timeout_s)
        except WellreadError as error:
            await self._tell(Missed(url, error.code, error.message))
            raise
        kept = done.snapshot
        await self._tell(
            PageRead(
                url=url,
                final_url=kept.final_url,
                title=kept.extraction.metadata.title,
                snapshot_id=kept.id,
                confidence=kept.confidence,
                cached=done.cached,
            )
        )
        return done
