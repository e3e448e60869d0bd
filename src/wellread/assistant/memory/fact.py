"""A fact about the user, and its confidence as time goes by; pure.

A new fact has confidence 1.0; hearing it again adds 0.1, up to 1.0. For every 7 days in which it was not heard it
counts for 0.95 of that, and below 0.3 and older than 30 days it is pruned. Confidence is worked out from the day when
the fact was last heard, so it does not matter when, or how often, anybody looks.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from wellread.text.characters import on_one_line

NEW_CONFIDENCE = 1.0
REINFORCEMENT = 0.1
DECAY = 0.95
MIN_CONFIDENCE = 0.3
DAY_MS = 86_400_000
DECAY_MS = 7 * DAY_MS
MIN_LIFETIME_MS = 30 * DAY_MS
MAX_FACT_CHARS = 300
"""Of a fact: it is one sentence."""


class Category(StrEnum):
    """The subject of a fact."""

    PERSONAL = "personal"
    PREFERENCE = "preference"
    WORK = "work"
    HABIT = "habit"
    RELATIONSHIP = "relationship"
    PLAN = "plan"
    OTHER = "other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """One sentence about the user."""

    id: str
    text: str
    category: Category
    confidence: float
    """As it was when the fact was last heard."""
    first_ms: int
    seen_ms: int
    """When it was last heard."""
    tainted: bool = False
    """It comes of words of the outside world, which nobody has confirmed: never to be taken for the user's own."""
    sources: tuple[str, ...] = ()
    """Ids of the turns in which it was heard."""


def confidence(fact: Fact, now_ms: int) -> float:
    """Return the confidence of a fact at a time, from 0 to 1."""
    unseen = max(0, now_ms - fact.seen_ms) // DECAY_MS
    return float(fact.confidence * DECAY**unseen)


def reinforced(fact: Fact, now_ms: int) -> Fact:
    """Return a fact that is heard again."""
    return replace(
        fact,
        confidence=min(NEW_CONFIDENCE, confidence(fact, now_ms) + REINFORCEMENT),
        seen_ms=max(now_ms, fact.seen_ms),
    )


def is_spent(fact: Fact, now_ms: int) -> bool:
    """Tell whether a fact is to be pruned."""
    return confidence(fact, now_ms) < MIN_CONFIDENCE and now_ms - fact.first_ms > MIN_LIFETIME_MS


def fact_text(text: str) -> str:
    """Return the words of a fact on one line, without invisible characters."""
    return on_one_line(text)[:MAX_FACT_CHARS]
