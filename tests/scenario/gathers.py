"""Pages to gather from, and a searcher that knows its hits by heart."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from wellread.config import GatherSettings
from wellread.reading.pipeline import Pipeline
from wellread.types import Found, Hit, ProviderOutcome, Step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scenario.story import Story
    from wellread.ports import Embedder, Query

QUESTION = "Why do limpets return to their scar?"
FILLER = (
    "harbour master counts boats", "ferry leaves at seven", "market sells bread on Friday", "chapel roof needs slates",
    "school choir sings in May", "bakery opens before dawn", "road is closed for repair", "council meets on Tuesday",
)  # fmt: skip


def page(topic: str, said: str = "") -> str:
    """Return a page whose every sentence is about its own topic."""
    lines = [f"In {topic} the {FILLER[(len(topic) + at) % 8]}, note {at} of {topic}." for at in range(24)]
    body = "".join(f"<p>{' '.join(lines[at : at + 4])}</p>" for at in range(0, 24, 4))
    return f"<html><head><title>{topic}</title></head><main><h1>{topic}</h1>{body}<p>{said}</p></main></html>"


ANSWER = "Limpets return to their scar because the shell fits the rock there and keeps the water in at low tide."


@dataclass
class Listed:
    """A `Searcher` that knows its hits by heart."""

    urls: Sequence[str]
    asked: list[int] = field(default_factory=list)

    async def search(self, query: Query) -> Found:
        self.asked.append(query.count)
        hits = [Hit(title=url, url=url, source="listed", rank=at) for at, url in enumerate(self.urls, 1)][: query.count]
        outcome = ProviderOutcome(provider="listed", code="ok" if hits else "no_results", count=len(hits))
        return Found(query=query.text, hits=tuple(hits), outcomes=(outcome,))


def urls(count: int) -> list[str]:
    return [f"http://p{at}.example/" for at in range(count)]


def listing(story: Story, hits: Sequence[str], embedder: Embedder | None = None, **limits: Any) -> Pipeline:
    """Return the story's pipeline with a searcher that gives `hits`, and other limits."""
    changed = replace(story.pipeline.parts.settings, gather=replace(GatherSettings(), **limits))
    return Pipeline(replace(story.pipeline.parts, settings=changed, searcher=Listed(hits), embedder=embedder))


def counts(pipeline: Pipeline) -> list[int]:
    searcher = pipeline.parts.searcher
    assert isinstance(searcher, Listed)
    return searcher.asked


async def steps_of(pipeline: Pipeline, question: str = QUESTION) -> list[Step]:
    async with pipeline.gathering(question) as steps:
        return [step async for step in steps]
