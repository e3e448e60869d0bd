"""Merges the facts that a model extracted into the stored facts; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from wellread.assistant.memory.duplicate_facts import are_same_fact, usual_words
from wellread.assistant.memory.fact import NEW_CONFIDENCE, Fact, reinforced

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from wellread.assistant.memory.extraction import FactCandidate


class FactOrigin(NamedTuple):
    """The circumstances in which candidates were extracted."""

    sources: tuple[str, ...]
    """The turns that the model was shown."""
    at_ms: int
    tainted: bool
    recalled: AbstractSet[str]
    """Ids of the facts that the assistant had been told: finding them again says nothing."""


class FactPlan(NamedTuple):
    """The facts to write, and sentences on skipped candidates."""

    facts: tuple[Fact, ...]
    skipped: tuple[str, ...]


def plan_facts(
    candidates: Sequence[FactCandidate],
    shown: Sequence[Fact],
    known_facts: Sequence[Fact],
    origin: FactOrigin,
    name: Callable[[], str],
) -> FactPlan:
    """Decide for each candidate whether it is new, heard again, a correction, or nothing.

    `shown` are the facts that the model could refer to by number, `known_facts` all facts that exist, `name` makes ids.
    """
    current = {fact.id: fact for fact in known_facts}
    written: dict[str, Fact] = {}
    skipped: list[str] = []
    for place, candidate in enumerate(candidates, 1):
        usual = usual_words([fact.text for fact in current.values()])
        twin = next((fact for fact in current.values() if are_same_fact(fact.text, candidate.text, usual)), None)
        corrected = shown[candidate.replaces - 1] if candidate.replaces else None
        fact_or_reason = _heard_again(twin, candidate, origin) if twin else _stated(corrected, candidate, origin, name)
        if isinstance(fact_or_reason, str):
            skipped.append(f"fact {place}: {fact_or_reason}")
        else:
            current[fact_or_reason.id] = written[fact_or_reason.id] = fact_or_reason
    return FactPlan(tuple(written.values()), tuple(skipped))


def _heard_again(twin: Fact, candidate: FactCandidate, origin: FactOrigin) -> Fact | str:
    if twin.id in origin.recalled:
        return "it had been recalled, so finding it says nothing"
    if origin.tainted and not twin.tainted:
        return "words of the outside world do not confirm what the user said"
    heard = replace(reinforced(twin, origin.at_ms), sources=(*twin.sources, *origin.sources))
    if twin.tainted and not origin.tainted:  # the user's own words replace what was only read
        return replace(heard, text=candidate.text, tainted=False)
    return heard


def _stated(
    corrected: Fact | None, candidate: FactCandidate, origin: FactOrigin, name: Callable[[], str]
) -> Fact | str:
    if corrected and origin.tainted and not corrected.tainted:
        return "words of the outside world do not correct what the user said"
    if corrected:
        fact_id, first_ms, sources = corrected.id, corrected.first_ms, corrected.sources
    else:
        fact_id, first_ms, sources = name(), origin.at_ms, ()
    return Fact(
        id=fact_id,
        text=candidate.text,
        category=candidate.category,
        confidence=NEW_CONFIDENCE,
        first_ms=first_ms,
        seen_ms=origin.at_ms,
        tainted=origin.tainted,
        sources=(*sources, *origin.sources),
    )
