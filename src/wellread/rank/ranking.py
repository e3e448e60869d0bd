"""Ranks passages for a question, by words and, where there is an embedder, by meaning; says when the best is weak.

Weak means that asking for more may help: by words, the best passage holds little of what the question asks for.
Measured on XQuAD (`benchmarks/gathering.py`: 300 questions each, among the paragraphs of nine articles) in English,
German and Chinese, taken for weak are .04, .05 and .05 of the questions whose answer is there; .63, .74 and .65 of
those whose paragraph is not; .90, .94 and .93 of those whose whole article is not.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from anyio import to_thread

from wellread.errors import Upstream, WellreadError
from wellread.index.relevance import reciprocal_rank_fusion
from wellread.index.search_terms import is_spaced
from wellread.rank.bm25 import score_bm25
from wellread.rank.diversify import PassageLimits, diversified
from wellread.rank.embedding import MOST_TEXTS
from wellread.rank.vectors import cosine
from wellread.text.counts import count_of
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Embedder
    from wellread.rank.bm25 import Bm25Scores
    from wellread.types import Passage

WEAK_COVERED = 0.32
WEAK_COVERED_UNSPACED = 0.21
"""Shares of the question below which the best passage is weak. Of a question in a script without spaces less is found
again, for some of its terms reach over the border of two words."""
FEW_PASSAGES = 12
FEW_PASSAGES_FACTOR = 0.75
"""Among few passages, most words of a question are in none of them, and these count most. Among the five of one XQuAD
article, .11 (English) and .20 (German) of the answered questions were taken for weak, with the factor .04 and .06."""
WEAK_COSINE = 0.35
RELEVANT_SHARE = 0.6
"""Passages below this share of the best score are left out, unless the best is weak."""
PART_SHARE = 0.17
"""Share of the question that a passage below `RELEVANT_SHARE` must cover alone to be kept: it answers another part.

Of two questions of XQuAD asked as one, the passages have both answers for 53 of 60 (English), 51 (German) and 50
(Chinese); without this rule 40, 41 and 47. A simple question gets 1.8 passages instead of 1.7 (English, German).
"""


class RankedPassages(NamedTuple):
    """The best passages with their scores, best first, and whether even the best is weak."""

    passages: list[Passage]
    weak: bool


class Ranker:
    """Ranks for one question. Vectors are asked for once per text; a failure is told in `notices`, never raised."""

    def __init__(self, question: str, *, embedder: Embedder | None = None) -> None:
        """Take the question; nothing is sent here."""
        self.notices: list[Notice] = []
        self._question = question
        self._embedder = embedder
        self._vectors: dict[str, Sequence[float]] = {}

    async def rank(self, passages: Sequence[Passage], places: PassageLimits, *, ask: bool = True) -> RankedPassages:
        """Return the best passages; with `ask` off, nothing is sent, and the vectors at hand must do."""
        bm25_scores = await to_thread.run_sync(score_bm25, self._question, passages, abandon_on_cancel=True)
        if self._embedder is not None and passages:
            if ask:
                await self._learn(self._embedder, passages, bm25_scores)
            elif not self._vectors:
                self._give_up("the time was up before they were asked for")
            else:
                self._name_unknown(passages)
        return await to_thread.run_sync(self._ranked, passages, bm25_scores, places, abandon_on_cancel=True)

    async def _learn(self, embedder: Embedder, passages: Sequence[Passage], bm25_scores: Bm25Scores) -> None:
        """Ask for the vectors of the question and of all passages, in batches, the most promising ones first."""
        texts = [self._question, *(_embedding_text(passages[at]) for at in _embedding_order(passages, bm25_scores))]
        missing_texts = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        try:
            for start in range(0, len(missing_texts), MOST_TEXTS):
                batch = missing_texts[start : start + MOST_TEXTS]
                self._vectors |= dict(zip(batch, await embedder.embed(batch), strict=True))
                if len({len(vector) for vector in self._vectors.values()}) != 1:
                    raise Upstream("the vectors have different lengths")
        except WellreadError as error:
            self._give_up(f"{error.code}, {error.message}")

    def _name_unknown(self, passages: Sequence[Passage]) -> None:
        """Name the passages whose vectors were not had in time."""
        count = sum(_embedding_text(passage) not in self._vectors for passage in passages)
        if count:
            detail = f"ranked only by words: {count_of(count, 'passage')}; the time was up before the vectors came"
            self.notices.append(Notice("embeddings_failed", detail, count))

    def _give_up(self, reason: str) -> None:
        self._embedder = None
        self._vectors.clear()
        self.notices.append(Notice("embeddings_failed", f"passages are ranked only by words: {reason}"))

    def _ranked(self, passages: Sequence[Passage], bm25_scores: Bm25Scores, places: PassageLimits) -> RankedPassages:
        return rank_passages(
            passages,
            bm25_scores,
            places,
            similar=self._similar(passages),
            bound=weak_bound(self._question, len(passages)),
            relevant_share=RELEVANT_SHARE,
        )

    def _similar(self, passages: Sequence[Passage]) -> dict[int, float]:
        question = self._vectors.get(self._question)
        if question is None:
            return {}
        vectors = {at: self._vectors.get(_embedding_text(passage)) for at, passage in enumerate(passages)}
        return {at: cosine(question, vector) for at, vector in vectors.items() if vector is not None}


def weak_bound(question: str, passage_count: int) -> float:
    """Return the share of the question below which the best of so many passages is weak."""
    bound = WEAK_COVERED
    if not is_spaced(question):
        bound = WEAK_COVERED_UNSPACED
    if passage_count < FEW_PASSAGES:
        bound *= FEW_PASSAGES_FACTOR
    return bound


def rank_passages(
    passages: Sequence[Passage],
    bm25_scores: Bm25Scores,
    places: PassageLimits,
    *,
    similar: Mapping[int, float] | None = None,
    bound: float = WEAK_COVERED,
    relevant_share: float = 0.0,
) -> RankedPassages:
    """Return the best passages by words, and by meaning where `similar` says how near they are to the question.

    By words alone, only those that share a term with the question have a place; the best is weak when it covers less
    than `bound` of it. If it is not weak, passages with less than `relevant_share` of its score are left out.
    """
    scores: Mapping[int, float] = {at: score for at, score in enumerate(bm25_scores.scores) if score > 0}
    if similar:
        scores = reciprocal_rank_fusion(enumerate(_order(ranking), 1) for ranking in (scores, similar))
    picked = diversified(passages, _order(scores), places)
    weak = not picked or bm25_scores.covered[picked[0]] < bound
    if similar:
        weak = max(similar.values()) < WEAK_COSINE
    if not weak and not similar:
        picked = _relevant(picked, bm25_scores, relevant_share)
    return RankedPassages([replace(passages[at], score=scores[at]) for at in picked], weak=weak)


def _relevant(picked: Sequence[int], bm25_scores: Bm25Scores, share: float) -> list[int]:
    """Return the passages whose score by words has `share` of the best one's, and those that cover another part.

    A question of two parts needs the passages of both.
    """
    least = share * max(bm25_scores.scores[at] for at in picked)
    relevant = {at for at in picked if bm25_scores.scores[at] >= least}
    covered_terms = set[str]().union(*(bm25_scores.terms[at] for at in relevant))
    for at in picked:
        new_terms = bm25_scores.terms[at] - covered_terms
        if at not in relevant and math.fsum(bm25_scores.term_shares[term] for term in new_terms) >= PART_SHARE:
            relevant.add(at)
            covered_terms |= new_terms
    return [at for at in picked if at in relevant]


def _order(scores: Mapping[int, float]) -> list[int]:
    """Return the items, best first; equal ones keep the order in which they were given."""
    return sorted(scores, key=lambda at: (-scores[at], at))


def _embedding_order(passages: Sequence[Passage], bm25_scores: Bm25Scores) -> list[int]:
    """Return the passages by words, best first, then the others: the first of each page before the second of any."""
    return sorted(range(len(passages)), key=lambda at: (-bm25_scores.scores[at], passages[at].start, at))


def _embedding_text(passage: Passage) -> str:
    """Return the text that stands for a passage: its words under their headings."""
    above = dict.fromkeys(part for part in (passage.title, *passage.headings) if part)
    return "\n".join((" > ".join(above), passage.text)).strip()
