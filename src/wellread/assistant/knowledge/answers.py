"""Which pieces of documents answer a question: by words, and by meaning where vectors are at hand; pure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from wellread.assistant.fulltext import Bags, best
from wellread.store.relevance import Neighbours
from wellread.web.cite import cited
from wellread.web.rank.bm25 import Scored
from wellread.web.rank.choice import Places
from wellread.web.rank.ranking import ranked

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wellread.types import Passage

    Place = tuple[str, int]

CONSIDERED = 50
"""Pieces that each ranking may put forward."""
VECTOR = np.dtype("<f4")


def worded(query: str, known: Sequence[tuple[str, int, bytes]]) -> dict[Place, float]:
    """How well the best pieces answer by their words."""
    scores = Bags([made for _, _, made in known]).scores(query)
    return {known[at][:2]: float(scores[at]) for at in best(scores, CONSIDERED)}


def packed(vector: Iterable[float]) -> bytes:
    """A vector as it is kept: 32-bit floats, little end first, of length one, so that a product is the cosine."""
    made = np.asarray(list(vector), dtype=np.float64)
    length = float(np.linalg.norm(made))
    return (made / length if length else made).astype(VECTOR).tobytes()


def near(asked: bytes, known: Sequence[tuple[str, int, bytes]]) -> dict[Place, float]:
    """How near the nearest pieces are to the question, by the cosine; those of another length are passed over."""
    able = [(document, start, vector) for document, start, vector in known if len(vector) == len(asked)]
    if not able:
        return {}
    table = np.frombuffer(b"".join(vector for _, _, vector in able), dtype=VECTOR).reshape(len(able), -1)
    cosines = table @ np.frombuffer(asked, dtype=VECTOR)
    order = np.argsort(-cosines, kind="stable")[:CONSIDERED]
    return {(able[at][0], able[at][1]): float(cosines[at]) for at in order}


def answer(
    query: str,
    found: Mapping[Place, Passage],
    words: Mapping[Place, float],
    meanings: Mapping[Place, float],
    count: int,
) -> tuple[Passage, ...]:
    """The best passages, best first; a document has at most half of the places while others wait."""
    side_by_side = Neighbours(query)
    places = list(found)
    passages = [found[place] for place in places]
    scores = [
        side_by_side.raised(words.get(place, 0.0), passage.text)
        for place, passage in zip(places, passages, strict=True)
    ]
    similar = {at: meanings[place] for at, place in enumerate(places) if place in meanings}
    told = Scored(scores, [1.0] * len(scores))  # how much they cover is asked of gathers alone
    best_ones = ranked(passages, told, Places(count, count), similar=similar).passages
    return tuple(cited(passage) if "://" in passage.url else passage for passage in best_ones)
