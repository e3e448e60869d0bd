"""Makes one ranking of several: reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable

T = TypeVar("T", bound="Hashable")

K = 60
"""The constant of the paper."""


def reciprocal_rank_fusion(rankings: Iterable[Iterable[tuple[int, T]]]) -> dict[T, float]:
    """Return the score of each key: the sum of 1 / (K + rank) over the rankings that have it, in any order.

    A ranking has each key at most once, with its rank, which counts from 1.
    """
    scores: defaultdict[T, float] = defaultdict(float)
    for ranking in rankings:
        for rank, key in ranking:
            scores[key] += 1 / (K + rank)
    # Rounded, so that sums taken in another order do not differ in their last bit.
    return {key: round(score, 12) for key, score in scores.items()}
