"""Full text for the assistant's tables: each text carries a bag of its terms, and a question is counted in all bags.

A bag is the terms that `wellread.index.search_terms` makes of a text, in any language alike, as sorted 32-bit hashes
with their counts. It is one column of its row. So there is one code path for SQLite and PostgreSQL, and what is
deleted leaves nothing behind in an index.

Measured on one core, p50 and p95 of 40 questions of twelve words, in SQLite (an FTS5 table, a table with a row per
term and text, bags), with what the file then holds:

| texts                          | FTS5             | rows             | bags             |
|--------------------------------|------------------|------------------|------------------|
| 3,000 of 2,000 characters      | 21, 30 ms; 14 MB | 30, 40 ms; 47 MB | 26, 37 ms; 14 MB |
| 20,000 sentences               | 26, 37 ms; 7 MB  | 57, 93 ms; 25 MB | 34, 109 ms; 7 MB |

A recall over 20,000 turns, windows and all that SQLAlchemy does included, takes 0.17 s of CPU. Time grows with the
number of texts, so a table of a million texts would want another way.
"""

from __future__ import annotations

import zlib
from collections import Counter
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wellread.index.relevance import K1, B
from wellread.index.search_terms import RULES, terms, weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Reals = NDArray[np.float64]

MAX_TERMS = 128
"""Of a long question, the terms that tell most: a page pasted into a message must not cost a second."""
OWN_WORDS_WEIGHT = 0.25
"""What a text's own words count for beside those of its window. Measured on XQuAD (`benchmarks/memory.py`, sentences as
turns, 149 questions a language): the sentence with the answer comes first for .45, .47 and .48 of the questions in
English, German and Chinese without, .75, .72 and .78 with; in the first five windows it is for as many."""
_RECORD = np.dtype([("term", "<u4"), ("count", "u1")])
_MOST_COUNT = 255
_FILTER_BITS = 16


def bag(text: str) -> bytes:
    """Return the bag of a text: five bytes for each term, hash and count, behind five that name the rules of terms."""
    counts = Counter(map(_hashed, terms(text)))
    rows = [(term_hash, min(counts[term_hash], _MOST_COUNT)) for term_hash in sorted(counts)]
    return rules_mark() + np.array(rows, dtype=_RECORD).tobytes()


def rules_mark() -> bytes:
    """Return the first bytes of every bag made by the current rules; any other bag must be made anew from its text."""
    return np.array([(zlib.crc32(RULES.encode()), 0)], dtype=_RECORD).tobytes()


class _Found(NamedTuple):
    """The query's terms in the texts."""

    worth: Reals
    """What each asked term counts for."""
    texts: Numbers
    """Where a term was found, ..."""
    term_indices: Numbers
    """... which of them, ..."""
    counts: Reals
    """... and how often."""


class Bags:
    """Many texts by their bags, in an order that the caller keeps."""

    def __init__(self, bags: Sequence[bytes]) -> None:
        """Take the bags."""
        self.size = len(bags)
        records = np.frombuffer(b"".join(bags), _RECORD)
        self._terms = np.ascontiguousarray(records["term"])
        self._counts = records["count"]
        sizes = np.array([len(packed_bag) for packed_bag in bags], dtype=np.int64) // _RECORD.itemsize
        self._ends = np.cumsum(sizes)
        totals = np.concatenate(([0], np.cumsum(self._counts, dtype=np.int64)))
        self._lengths: Numbers = totals[self._ends] - totals[self._ends - sizes]

    def scores(self, question: str) -> Reals:
        """Return the BM25 score of each text; 0 where no term is shared."""
        return self._scores(self._found(question), [np.arange(self.size)])

    def window_scores(self, question: str, groups: Sequence[str]) -> Reals:
        """Return the score of each text, alone and with the texts before and after it where these are of its group.

        `groups` names the group of each text; the texts of a group stand together, in their order.
        """
        indices = np.arange(self.size)
        same = np.array([group == next_group for group, next_group in pairwise(groups)], dtype=bool)
        before = np.where(np.concatenate(([False], same)), indices - 1, -1)
        after = np.where(np.concatenate((same, [False])), indices + 1, -1)
        matches = self._found(question)
        return self._scores(matches, [indices, before, after]) + OWN_WORDS_WEIGHT * self._scores(matches, [indices])

    def _scores(self, matches: _Found, centres: Sequence[Numbers]) -> Reals:
        """Score the windows; `centres` gives the windows that each text belongs to, -1 for none."""
        term_weights, texts, term_indices, counts = matches
        if not self.size or not len(term_weights):
            return np.zeros(self.size)
        term_count = len(term_weights)
        cells = np.concatenate([centre[texts] * term_count + term_indices for centre in centres])
        inside = np.concatenate([centre[texts] >= 0 for centre in centres])
        cell, which = np.unique(cells[inside], return_inverse=True)
        frequencies = np.bincount(which, np.tile(counts, len(centres))[inside])
        window, term = np.divmod(cell, term_count)
        document_frequencies = np.bincount(term, minlength=term_count)
        idf = term_weights * np.log(1 + (self.size - document_frequencies + 0.5) / (document_frequencies + 0.5))
        lengths = self._summed(centres)
        norm = K1 * (1 - B + B * lengths / (lengths.mean() or 1.0))
        contributions = idf[term] * frequencies * (K1 + 1) / (frequencies + norm[window])
        return np.bincount(window, contributions, minlength=self.size).astype(np.float64)

    def _summed(self, centres: Sequence[Numbers]) -> Reals:
        """Return the length of each window."""
        lengths = np.zeros(self.size)
        for centre in centres:
            member = centre >= 0
            lengths += np.bincount(centre[member], self._lengths[member], minlength=self.size)
        return lengths

    def _found(self, question: str) -> _Found:
        term_weights = {_hashed(term): weight for term, weight in weights(question).items()}
        hashes = np.array(sorted(term_weights), dtype=np.uint32)
        positions = self._places(hashes)
        term_indices = np.searchsorted(hashes, self._terms[positions])
        weights_by_term = np.array([term_weights[int(term_hash)] for term_hash in hashes])
        if len(hashes) > MAX_TERMS:
            document_frequencies = np.bincount(term_indices, minlength=len(hashes))
            rarest = np.lexsort((-weights_by_term, document_frequencies + (document_frequencies == 0) * self.size))[
                :MAX_TERMS
            ]
            new_indices = np.full(len(hashes), -1)
            new_indices[rarest] = np.arange(len(rarest))
            asked_places = new_indices[term_indices]
            is_rare = asked_places >= 0
            positions, term_indices = positions[is_rare], asked_places[is_rare]
            weights_by_term = weights_by_term[rarest]
        texts = np.searchsorted(self._ends, positions, side="right")
        return _Found(weights_by_term, texts, term_indices, self._counts[positions].astype(np.float64))

    def _places(self, hashes: NDArray[np.uint32]) -> Numbers:
        """Return the positions of the query's terms among all; a small table filters first, as most are others."""
        mask = (1 << _FILTER_BITS) - 1
        sieve = np.zeros(mask + 1, dtype=bool)
        sieve[hashes & mask] = True
        likely = np.flatnonzero(sieve[self._terms & mask])
        return likely[np.isin(self._terms[likely], hashes)]


def best_indices(scores: Reals, limit: int) -> Iterator[int]:
    """Yield the indices of the best scores above 0, best first; of equals, the later text first."""
    order = np.lexsort((-np.arange(len(scores)), -scores))[:limit]
    yield from (int(index) for index in order if scores[index] > 0)


@lru_cache(maxsize=100_000)
def _hashed(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))
