"""BM25 over a handful of texts in memory: the passages of a few pages, the sentences of one."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

K1 = 1.2
B = 0.75
"""Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3; as in FTS5."""


def bm25(asked: Mapping[str, float], texts: Sequence[Mapping[str, float]]) -> list[float]:
    """Return how well each text answers; `asked` maps terms to weights, a text maps its terms to how often they stand.

    The inverse document frequency is smoothed so that it stays above zero in a small collection.
    """
    lengths = [sum(text.values()) for text in texts]
    mean = sum(lengths) / len(texts) if texts else 0.0
    known = Counter(term for text in texts for term in text.keys() & asked.keys())
    worth = {
        term: asked[term] * math.log(1 + (len(texts) - count + 0.5) / (count + 0.5)) for term, count in known.items()
    }
    scores = []
    for text, length in zip(texts, lengths, strict=True):
        damping = K1 * (1 - B + B * length / mean) if mean else K1
        # Sorted: sums of floats depend on their order, and the order of a set on the process.
        found = sorted(worth.keys() & text.keys())
        scores.append(sum(worth[term] * text[term] * (K1 + 1) / (text[term] + damping) for term in found))
    return scores
