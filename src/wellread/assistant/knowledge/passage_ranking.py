"""Ranks the chunks of documents for a question: by words, and by vectors where there are any; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wellread.assistant.fulltext import Bags, best_indices
from wellread.citations.verification import cited
from wellread.index.relevance import NeighbouringWords
from wellread.rank.bm25 import Bm25Scores
from wellread.rank.diversify import PassageLimits
from wellread.rank.ranking import rank_passages

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wellread.types import Passage

    Place = tuple[str, int]

MAX_CANDIDATES = 50
"""Pieces that each ranking may put forward."""
VECTOR = np.dtype("<f4")


def word_scores(query: str, bags: Sequence[tuple[str, int, bytes]]) -> dict[Place, float]:
    """Return the BM25 scores of the best chunks."""
    scores = Bags([bag for _, _, bag in bags]).scores(query)
    return {bags[index][:2]: float(scores[index]) for index in best_indices(scores, MAX_CANDIDATES)}


def packed(vector: Iterable[float]) -> bytes:
    """Return a vector as it is stored: 32-bit floats, little endian, of length one, so that a product is the cosine."""
    values = np.asarray(list(vector), dtype=np.float64)
    length = float(np.linalg.norm(values))
    return (values / length if length else values).astype(VECTOR).tobytes()


def vector_scores(query_vector: bytes, vectors: Sequence[tuple[str, int, bytes]]) -> dict[Place, float]:
    """Return the cosines of the nearest chunks; vectors of another size are skipped."""
    same_size = [(document, start, vector) for document, start, vector in vectors if len(vector) == len(query_vector)]
    if not same_size:
        return {}
    table = np.frombuffer(b"".join(vector for _, _, vector in same_size), dtype=VECTOR).reshape(len(same_size), -1)
    cosines = table @ np.frombuffer(query_vector, dtype=VECTOR)
    order = np.argsort(-cosines, kind="stable")[:MAX_CANDIDATES]
    return {(same_size[index][0], same_size[index][1]): float(cosines[index]) for index in order}


def best_passages(
    query: str,
    passages_by_place: Mapping[Place, Passage],
    words: Mapping[Place, float],
    meanings: Mapping[Place, float],
    count: int,
) -> tuple[Passage, ...]:
    """Return the best passages, best first; a document gets at most half of the places while others wait."""
    side_by_side = NeighbouringWords(query)
    places = list(passages_by_place)
    passages = [passages_by_place[place] for place in places]
    scores = [
        side_by_side.raised(words.get(place, 0.0), passage.text)
        for place, passage in zip(places, passages, strict=True)
    ]
    similar = {at: meanings[place] for at, place in enumerate(places) if place in meanings}
    no_terms = [frozenset[str]()] * len(scores)  # how much of the query they cover is asked of gathers alone
    scored = Bm25Scores(scores, [1.0] * len(scores), no_terms, {})
    selected = rank_passages(passages, scored, PassageLimits(count, count), similar=similar).passages
    return tuple(cited(passage) if "://" in passage.url else passage for passage in selected)
