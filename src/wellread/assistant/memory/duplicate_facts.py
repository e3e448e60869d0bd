"""Tells whether two facts say the same in other words; two facts that differ in a name are two facts.

Words that both share count for nothing. Each that is left must rhyme with one that is left of the other (`coffee` and
`coffees` share half of their pieces), or be so usual among the known facts (`the`, `user`) that it tells nothing.
Numbers never rhyme. So a `not`, a name or another number always keeps two facts apart, in every language.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wellread.index.search_terms import tokens, weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

_SUBJECT = frozenset({"user", "the", "a", "an", "s"})
"""What models put in front of a fact in English."""
_FEWEST_FACTS = 8
"""Among fewer, no word can be called usual."""


def usual_words(facts: Sequence[str]) -> frozenset[str]:
    """Return the words that at least half of the known facts have."""
    counts = Counter(word for fact in facts for word in set(tokens(fact)))
    if len(facts) < _FEWEST_FACTS:
        return _SUBJECT
    usual = {word for word, count in counts.items() if count * 2 >= len(facts)}
    return _SUBJECT | usual


def are_same_fact(text: str, other: str, usual: AbstractSet[str] = _SUBJECT) -> bool:
    """Tell whether two facts say the same."""
    first, second = Counter(tokens(text)), Counter(tokens(other))
    if not first or not second:
        return text == other
    only_first = [word for word in (first - second).elements() if word not in usual]
    only_second = [word for word in (second - first).elements() if word not in usual]
    return len(only_first) == len(only_second) and _paired(only_first, only_second)


def _paired(words: Iterable[str], other_words: list[str]) -> bool:
    for word in words:
        partner = next((other_word for other_word in other_words if _rhyme(word, other_word)), None)
        if partner is None:
            return False
        other_words = [other_word for at, other_word in enumerate(other_words) if at != other_words.index(partner)]
    return True


def _rhyme(word: str, other: str) -> bool:
    if any(char.isnumeric() for char in word + other):
        return False
    first, second = weights(word), weights(other)
    shared = sum(weight for term, weight in first.items() if term in second)
    return shared > 0 and shared * 2 >= max(sum(first.values()), sum(second.values()))
