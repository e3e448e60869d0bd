"""Relevance of texts in memory: BM25 over their terms, raised for words side by side as in the query.

Measured on words side by side: known items in 1,477 pages (six to eight words of a sentence), top 1 .855 without them
and .910 with, top 5 .925 and .950; XQuAD through the index, MRR@10 .9637 and .9647 en, .9546 and .9549 de, .9630 and
.9638 zh. Twice the weight gives .9662, .9540 and .9654.
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from wellread.index.search_terms import tokens

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.index.search_terms import TermCounts

K1 = 1.2
B = 0.75
"""Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3; as in FTS5."""


MAX_RERANKED = 50
"""Of how many texts, the best by BM25, the words are looked at side by side."""


SIDE_BY_SIDE_WEIGHT = 0.5
"""How much more a text is worth in which all words stand side by side as they are asked."""


class NeighbouringWords:
    """The words of a question that stand side by side."""

    def __init__(self, question: str) -> None:
        """Take the question."""
        self._asked = _pairs(question)

    def raised(self, score: float, text: str) -> float:
        """Return a score, raised by the share of the question's neighbouring words that `text` has side by side."""
        if not self._asked:
            return score
        return score * (1 + SIDE_BY_SIDE_WEIGHT * len(self._asked & _pairs(text)) / len(self._asked))


def _pairs(text: str) -> set[tuple[str, str]]:
    words = tokens(text)
    return set(pairwise(words))


def weigh_terms(term_weights: Mapping[str, float], texts: Sequence[TermCounts]) -> dict[str, float]:
    """Return the worth of each query term: its weight times its inverse document frequency in `texts`.

    The frequency is smoothed so that a term stays above zero in a small collection; one that no text has tells most.
    """
    document_frequencies = Counter(term for text in texts for term in text.frequencies)
    return {
        term: weight
        * math.log(1 + (len(texts) - document_frequencies[term] + 0.5) / (document_frequencies[term] + 0.5))
        for term, weight in term_weights.items()
    }


def bm25(term_weights: Mapping[str, float], texts: Sequence[TermCounts]) -> list[float]:
    """Return the BM25 score of each text; `term_weights` maps the query's terms to weights."""
    if not texts:
        return []
    mean_length = sum(text.length for text in texts) / len(texts)
    term_worth = weigh_terms(term_weights, texts)
    return [
        math.fsum(
            term_worth[term] * frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * text.length / mean_length))
            for term, frequency in text.frequencies.items()
        )
        for text in texts
    ]
