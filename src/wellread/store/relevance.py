"""BM25 over a handful of texts in memory: the passages of a few pages, the sentences of one."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.store.words import Count

K1 = 1.2
B = 0.75
"""Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009), section 3; as in FTS5."""


def worth(asked: Mapping[str, float], texts: Sequence[Count]) -> dict[str, float]:
    """Return what each asked term tells: its weight times its inverse document frequency in `texts`.

    The frequency is smoothed so that a term stays above zero in a small collection; one that no text has tells most.
    """
    known = Counter(term for text in texts for term in text.found)
    return {
        term: weight * math.log(1 + (len(texts) - known[term] + 0.5) / (known[term] + 0.5))
        for term, weight in asked.items()
    }


def bm25(asked: Mapping[str, float], texts: Sequence[Count]) -> list[float]:
    """Return how well each text answers; `asked` maps terms to weights."""
    mean = sum(text.length for text in texts) / len(texts) if texts else 0.0
    told = worth(asked, texts)
    return [
        math.fsum(
            told[term] * often * (K1 + 1) / (often + K1 * (1 - B + B * text.length / mean))
            for term, often in text.found.items()
        )
        for text in texts
    ]
