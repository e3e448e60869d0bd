"""Chooses among ranked passages: no page takes all places, and nothing is said twice."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from wellread.index.search_terms import fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.types import Passage


class PassageLimits(NamedTuple):
    """How many passages are wanted, and from how many pages at most."""

    passages: int
    pages: int


def diversified(passages: Sequence[Passage], order: Sequence[int], places: PassageLimits) -> list[int]:
    """Return the first of `order` that may have the places, best first.

    A page has at most half of the places while passages of other pages wait; what is then left over goes to the next
    best, whatever their page. Of passages that say the same, only the best one is taken.
    """
    share = max(1, places.passages // 2)
    taken: Counter[str] = Counter()
    selected: list[int] = []
    waiting: list[int] = []
    for at in _distinct(passages, order):
        url = passages[at].url
        if len(selected) == places.passages:
            break
        if url not in taken and len(taken) == places.pages:
            continue
        if taken[url] >= share:
            waiting.append(at)
            continue
        taken[url] += 1
        selected.append(at)
    selected += waiting[: places.passages - len(selected)]
    rank = {at: number for number, at in enumerate(order)}
    return sorted(selected, key=rank.__getitem__)


def _distinct(passages: Sequence[Passage], order: Sequence[int]) -> list[int]:
    first_by_text: dict[str, int] = {}
    for at in order:
        first_by_text.setdefault(" ".join(fold(passages[at].text).split()), at)
    return list(first_by_text.values())
