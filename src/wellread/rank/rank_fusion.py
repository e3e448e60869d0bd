"""Makes one ranking of several: reciprocal rank fusion (Cormack, Clarke and Buettcher, SIGIR 2009)."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

K = 60
"""The constant of the paper."""


def reciprocal_rank_fusion(rankings: Iterable[Sequence[int]]) -> dict[int, float]:
    """Return the score of each item: the sum of 1 / (K + rank) over the rankings that hold it, in any order."""
    scores: defaultdict[int, float] = defaultdict(float)
    for ranking in rankings:
        for rank, item in enumerate(ranking, 1):
            scores[item] += 1 / (K + rank)
    # Rounded, so that sums taken in another order do not differ in their last bit.
    return {item: round(score, 12) for item, score in scores.items()}
