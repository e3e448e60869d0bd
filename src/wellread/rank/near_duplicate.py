"""Says when two texts are the same but for trifles: by the runs of words that they share (Broder 1997).

Measured (`benchmarks/gathering.py --pages`) over all 1.09 million pairs of 1,477 pages of WCXB: two pages that are not
the same share at most .652 of their runs of five words (one product in two sizes), the next pair .327. Of 200 copies in
which every twentieth paragraph went and as much was added, .89 are known; where every tenth went, .58.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.index.search_terms import tokens

if TYPE_CHECKING:
    from collections.abc import Set as AbstractSet

RUN = 5
"""Words in a run; characters, where the script does not part words."""
BOUND = 0.75
MOST_CHARS = 20_000
"""Of a text, from its start: enough to know it by."""


def shingles(text: str) -> frozenset[int]:
    """Return the runs of words of `text`, as numbers; a text shorter than a run is one run."""
    words = tokens(text[:MOST_CHARS])
    return frozenset(hash(tuple(words[at : at + RUN])) for at in range(max(1, len(words) - RUN + 1)))


def jaccard_similarity(first: AbstractSet[int], other: AbstractSet[int]) -> float:
    """Return which share of all their runs both have, from 0 to 1."""
    shared = len(first & other)
    return shared / max(1, len(first) + len(other) - shared)


def is_near_duplicate(first: AbstractSet[int], other: AbstractSet[int]) -> bool:
    """Say whether two texts are the same but for trifles."""
    return jaccard_similarity(first, other) >= BOUND
