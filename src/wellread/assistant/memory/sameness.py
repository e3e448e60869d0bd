"""Says whether two facts say the same in other words: careful, for two facts that differ in a name are two facts.

Words that both share count for nothing. Each that is left must rhyme with one that is left of the other (`coffee` and
`coffees` share half of their pieces), or be so usual among the known facts (`the`, `user`) that it tells nothing.
Numbers never rhyme. So a `not`, a name or another number always keeps two facts apart, in every language.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wellread.store.words import tokens, weights

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

_SUBJECT = frozenset({"user", "the", "a", "an", "s"})
"""What models put in front of a fact in English."""
_FEWEST_FACTS = 8
"""Among fewer, no word can be called usual."""


def usual_words(facts: Sequence[str]) -> frozenset[str]:
    """The words that stand in at least half of the known facts."""
    held = Counter(word for fact in facts for word in set(tokens(fact)))
    usual = {word for word, count in held.items() if count * 2 >= len(facts)} if len(facts) >= _FEWEST_FACTS else set()
    return _SUBJECT | usual


def same(one: str, other: str, usual: AbstractSet[str] = _SUBJECT) -> bool:
    """Say whether two facts say the same."""
    first, second = Counter(tokens(one)), Counter(tokens(other))
    if not first or not second:
        return one == other
    left = [word for word in (first - second).elements() if word not in usual]
    right = [word for word in (second - first).elements() if word not in usual]
    return len(left) == len(right) and _paired(left, right)


def _paired(left: Iterable[str], right: list[str]) -> bool:
    for word in left:
        partner = next((other for other in right if _rhyme(word, other)), None)
        if partner is None:
            return False
        right = [other for at, other in enumerate(right) if at != right.index(partner)]
    return True


def _rhyme(one: str, other: str) -> bool:
    if any(char.isnumeric() for char in one + other):
        return False
    first, second = weights(one), weights(other)
    shared = sum(weight for term, weight in first.items() if term in second)
    return shared > 0 and shared * 2 >= max(sum(first.values()), sum(second.values()))
