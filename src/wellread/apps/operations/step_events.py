"""The steps of long operations as events: what an interface reports before the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from wellread.apps.operations.results import PageResult
from wellread.reading.last_step import last_step
from wellread.types import Found, Gathered, Hit, Missed, Page, ProviderOutcome, ResearchFinding, ResearchPlan

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable

    from wellread.types import AnswerStep, ResearchStep

ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched:
    """The end of the search."""

    hits: tuple[Hit, ...]
    outcomes: tuple[ProviderOutcome, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRead:
    """A page that was read; its passages come when all pages have been ranked."""

    url: str
    final_url: str
    title: str | None
    snapshot_id: str
    confidence: float
    cached: bool


Event = Searched | PageRead | Missed | PageResult | Gathered | ResearchPlan | ResearchFinding
"""Events before the result."""


async def reported_result(
    steps: AsyncIterator[AnswerStep | ResearchStep],
    result_type: type[ResultT],
    tell: Callable[[Event], Awaitable[None]],
) -> ResultT:
    """Pass each step before the result to `tell`, and return the result."""

    async def reported() -> AsyncGenerator[AnswerStep | ResearchStep]:
        async for step in steps:
            if not isinstance(step, result_type):
                await tell(_event(step))
            yield step

    return await last_step(reported(), result_type)


def _event(step: AnswerStep | ResearchStep) -> Event:
    if isinstance(step, Found):
        return Searched(hits=step.hits, outcomes=step.outcomes)
    if isinstance(step, Page):
        return PageRead(
            url=step.url,
            final_url=step.final_url,
            title=step.title,
            snapshot_id=step.snapshot_id,
            confidence=step.confidence,
            cached=step.cached,
        )
    assert isinstance(step, Missed | Gathered | ResearchPlan | ResearchFinding)
    return step
