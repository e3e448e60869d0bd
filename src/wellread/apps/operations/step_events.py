"""The steps of long operations as events: what an interface reports before the result."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from wellread.apps.operations.results import PageResult
from wellread.types import Found, Gathered, Hit, Missed, Page, ProviderOutcome, ResearchFinding, ResearchPlan

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

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


async def last_step(
    steps: AsyncIterator[AnswerStep | ResearchStep],
    result_type: type[ResultT],
    tell: Callable[[Event], Awaitable[None]],
) -> ResultT:
    """Return the last step, which is the result, and pass each step before it to `tell`."""
    async for step in steps:
        if isinstance(step, result_type):
            return step
        await tell(_event(step))
    raise AssertionError("the steps end with the result, or an error is raised")


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
