"""What becomes of the facts that a model found, beside those that are known; pure."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from wellread.assistant.memory.facts import NEW, Fact, reinforced
from wellread.assistant.memory.sameness import same, usual_words

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet

    from wellread.assistant.memory.extraction import Candidate


class Origin(NamedTuple):
    """In which circumstances candidates were found."""

    sources: tuple[str, ...]
    """The turns that the model was shown."""
    at_ms: int
    tainted: bool
    recalled: AbstractSet[str]
    """Ids of the facts that the assistant had been told: finding them again says nothing."""


class Planned(NamedTuple):
    """Facts to write, and what was let be, in sentences."""

    facts: tuple[Fact, ...]
    skipped: tuple[str, ...]


def planned(
    candidates: Sequence[Candidate],
    shown: Sequence[Fact],
    known: Sequence[Fact],
    origin: Origin,
    name: Callable[[], str],
) -> Planned:
    """Decide for each candidate whether it is new, heard again, a correction, or nothing.

    `shown` are the facts that the model could refer to by number, `known` all there are, `name` makes ids.
    """
    present = {fact.id: fact for fact in known}
    written: dict[str, Fact] = {}
    skipped: list[str] = []
    for place, candidate in enumerate(candidates, 1):
        usual = usual_words([fact.text for fact in present.values()])
        twin = next((fact for fact in present.values() if same(fact.text, candidate.text, usual)), None)
        corrected = shown[candidate.replaces - 1] if candidate.replaces else None
        found = _heard_again(twin, candidate, origin) if twin else _stated(corrected, candidate, origin, name)
        if isinstance(found, str):
            skipped.append(f"fact {place}: {found}")
        else:
            present[found.id] = written[found.id] = found
    return Planned(tuple(written.values()), tuple(skipped))


def _heard_again(twin: Fact, candidate: Candidate, origin: Origin) -> Fact | str:
    if twin.id in origin.recalled:
        return "it had been recalled, so finding it says nothing"
    if origin.tainted and not twin.tainted:
        return "words of the outside world do not confirm what the user said"
    again = replace(reinforced(twin, origin.at_ms), sources=(*twin.sources, *origin.sources))
    # What the user says himself takes the place of what was only read.
    return again if origin.tainted else replace(again, text=candidate.text, tainted=False) if twin.tainted else again


def _stated(corrected: Fact | None, candidate: Candidate, origin: Origin, name: Callable[[], str]) -> Fact | str:
    if corrected and origin.tainted and not corrected.tainted:
        return "words of the outside world do not correct what the user said"
    return Fact(
        id=corrected.id if corrected else name(),
        text=candidate.text,
        category=candidate.category,
        confidence=NEW,
        first_ms=corrected.first_ms if corrected else origin.at_ms,
        seen_ms=origin.at_ms,
        tainted=origin.tainted,
        sources=(*(corrected.sources if corrected else ()), *origin.sources),
    )
