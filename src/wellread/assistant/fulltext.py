"""Full text for the assistant's tables: each text carries a bag of its terms, and a question is counted in all bags.

A bag is the terms that `wellread.store.words` makes of a text, in any language alike, as sorted 32-bit hashes with
their counts. It is one column of its row. So there is one code path for SQLite and PostgreSQL, and what is
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

from wellread.store.relevance import K1, B
from wellread.store.words import RULES, terms, weights

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]
    Reals = NDArray[np.float64]

MOST_TERMS = 128
"""Of a long question, the terms that tell most: a page pasted into a message must not cost a second."""
OWN_WORDS = 0.25
"""What a text's own words count for beside those of its window. Measured on XQuAD (`benchmarks/memory.py`, sentences as
turns, 149 questions a language): the sentence with the answer comes first for .45, .47 and .48 of the questions in
English, German and Chinese without, .75, .72 and .78 with; in the first five windows it is for as many."""
_RECORD = np.dtype([("term", "<u4"), ("count", "u1")])
_MOST_COUNT = 255
_FILTER_BITS = 16


def bag(text: str) -> bytes:
    """The bag of a text: five bytes for each term, hash and count, behind five that name the rules it was made by."""
    counted = Counter(map(_hashed, terms(text)))
    rows = [(each, min(counted[each], _MOST_COUNT)) for each in sorted(counted)]
    return rules() + np.array(rows, dtype=_RECORD).tobytes()


def rules() -> bytes:
    """What every bag begins with that was made by the rules of today; any other must be made anew of its text."""
    return np.array([(zlib.crc32(RULES.encode()), 0)], dtype=_RECORD).tobytes()


class _Found(NamedTuple):
    """The asked terms in the texts."""

    worth: Reals
    """What each asked term counts for."""
    texts: Numbers
    """Where a term was found, ..."""
    asked: Numbers
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
        sizes = np.array([len(each) for each in bags], dtype=np.int64) // _RECORD.itemsize
        self._ends = np.cumsum(sizes)
        totals = np.concatenate(([0], np.cumsum(self._counts, dtype=np.int64)))
        self._lengths: Numbers = totals[self._ends] - totals[self._ends - sizes]

    def scores(self, question: str) -> Reals:
        """How well each text answers, by BM25; 0 where no term is shared."""
        return self._scores(self._found(question), [np.arange(self.size)])

    def window_scores(self, question: str, groups: Sequence[str]) -> Reals:
        """How well each text answers, alone and with the texts before and after it, where these are of its group.

        `groups` names the group of each text; the texts of a group stand together, in their order.
        """
        own = np.arange(self.size)
        same = np.array([one == other for one, other in pairwise(groups)], dtype=bool)
        before = np.where(np.concatenate(([False], same)), own - 1, -1)
        after = np.where(np.concatenate((same, [False])), own + 1, -1)
        found = self._found(question)
        return self._scores(found, [own, before, after]) + OWN_WORDS * self._scores(found, [own])

    def _scores(self, found: _Found, centres: Sequence[Numbers]) -> Reals:
        """Score the windows; `centres` says to which windows each text belongs, -1 for none."""
        worth, texts, asked, counts = found
        if not self.size or not len(worth):
            return np.zeros(self.size)
        kinds = len(worth)
        cells = np.concatenate([centre[texts] * kinds + asked for centre in centres])
        inside = np.concatenate([centre[texts] >= 0 for centre in centres])
        cell, which = np.unique(cells[inside], return_inverse=True)
        often = np.bincount(which, np.tile(counts, len(centres))[inside])
        window, term = np.divmod(cell, kinds)
        held = np.bincount(term, minlength=kinds)
        told = worth * np.log(1 + (self.size - held + 0.5) / (held + 0.5))
        lengths = self._summed(centres)
        norm = K1 * (1 - B + B * lengths / (lengths.mean() or 1.0))
        worths = told[term] * often * (K1 + 1) / (often + norm[window])
        return np.bincount(window, worths, minlength=self.size).astype(np.float64)

    def _summed(self, centres: Sequence[Numbers]) -> Reals:
        """How long each window is."""
        lengths = np.zeros(self.size)
        for centre in centres:
            member = centre >= 0
            lengths += np.bincount(centre[member], self._lengths[member], minlength=self.size)
        return lengths

    def _found(self, question: str) -> _Found:
        wanted = {_hashed(term): weight for term, weight in weights(question).items()}
        hashes = np.array(sorted(wanted), dtype=np.uint32)
        at = self._places(hashes)
        asked = np.searchsorted(hashes, self._terms[at])
        worth = np.array([wanted[int(each)] for each in hashes])
        if len(hashes) > MOST_TERMS:
            held = np.bincount(asked, minlength=len(hashes))
            rare = np.lexsort((-worth, held + (held == 0) * self.size))[:MOST_TERMS]
            place = np.full(len(hashes), -1)
            place[rare] = np.arange(len(rare))
            at, asked, worth = at[place[asked] >= 0], place[asked][place[asked] >= 0], worth[rare]
        texts = np.searchsorted(self._ends, at, side="right")
        return _Found(worth, texts, asked, self._counts[at].astype(np.float64))

    def _places(self, hashes: NDArray[np.uint32]) -> Numbers:
        """Where the asked terms stand among all; a small table sieves first, for nearly all are others."""
        mask = (1 << _FILTER_BITS) - 1
        sieve = np.zeros(mask + 1, dtype=bool)
        sieve[hashes & mask] = True
        likely = np.flatnonzero(sieve[self._terms & mask])
        return likely[np.isin(self._terms[likely], hashes)]


def best(scores: Reals, most: int) -> Iterator[int]:
    """Yield the places of the best scores above 0, best first; of equals, the later text first."""
    order = np.lexsort((-np.arange(len(scores)), -scores))[:most]
    yield from (int(at) for at in order if scores[at] > 0)


@lru_cache(maxsize=100_000)
def _hashed(term: str) -> int:
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))
