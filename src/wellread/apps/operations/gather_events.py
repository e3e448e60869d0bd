"""A gather with progress: an event for the search, then for each page that was read or missed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Unpack

from wellread.apps.operations.results import PageResult
from wellread.types import Found, Gathered, Hit, Missed, ProviderOutcome

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.reading.gather import GatherOptions
    from wellread.reading.pipeline import Pipeline
    from wellread.types import Page


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


Event = Searched | PageRead | Missed | PageResult
"""Events before the result."""


async def gather(
    web: Pipeline,
    question: str,
    *,
    tell: Callable[[Event], Awaitable[None]],
    **options: Unpack[GatherOptions],
) -> Gathered:
    """Gather with `web`, and pass each event before the result to `tell`.

    Raises:
        InvalidInput: an empty question, a number that cannot be, or a provider that is not asked here.
        WellreadError: what the search raises.
    """
    async with web.gathering(question, **options) as steps:
        async for step in steps:
            if isinstance(step, Gathered):
                return step
            await tell(_event(step))
    raise AssertionError("a gather ends with its answer or is raised")


def _event(step: Found | Page | Missed) -> Event:
    if isinstance(step, Found):
        return Searched(hits=step.hits, outcomes=step.outcomes)
    if isinstance(step, Missed):
        return step
    return PageRead(
        url=step.url,
        final_url=step.final_url,
        title=step.title,
        snapshot_id=step.snapshot_id,
        confidence=step.confidence,
        cached=step.cached,
    )
