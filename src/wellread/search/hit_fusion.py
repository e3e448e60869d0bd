"""Makes one ranking of hits of several: reciprocal rank fusion, one hit per page."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from wellread.index.rank_fusion import reciprocal_rank_fusion
from wellread.search.url_dedup import page_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wellread.types import Hit


def fused_hits(rankings: Iterable[Sequence[Hit]], *, count: int) -> tuple[Hit, ...]:
    """Return the best `count` pages over all rankings; the order in which the rankings come does not matter.

    A page counts once in each ranking that has it, at its best rank there. Of its hits, the one ranked best is shown,
    with the longest snippet and whatever date any of them knows; `source` names all who found it.
    """
    ranks: list[list[tuple[int, str]]] = []
    hits_by_key: defaultdict[str, list[Hit]] = defaultdict(list)
    for ranking in rankings:
        best: dict[str, Hit] = {}
        for hit in sorted(ranking, key=lambda hit: hit.rank):
            best.setdefault(page_key(hit.url), hit)
        ranks.append([(hit.rank, key) for key, hit in best.items()])
        for key, hit in best.items():
            hits_by_key[key].append(hit)
    scores = reciprocal_rank_fusion(ranks)
    order = sorted(scores, key=lambda key: (-scores[key], key))
    return tuple(
        _merged(hits_by_key[key], rank=rank, score=round(scores[key], 6)) for rank, key in enumerate(order[:count], 1)
    )


def _merged(hits: Sequence[Hit], *, rank: int, score: float) -> Hit:
    ranked = sorted(hits, key=lambda hit: (hit.rank, hit.source, hit.url))
    first = ranked[0]
    longest = max(ranked, key=lambda hit: len(hit.snippet))
    return replace(
        first,
        snippet=longest.snippet,
        marks=longest.marks,
        published_date=next((hit.published_date for hit in ranked if hit.published_date), None),
        source=", ".join(sorted({hit.source for hit in ranked})),
        rank=rank,
        score=score,
    )
