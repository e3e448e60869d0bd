"""Says when two texts are the same but for trifles: by the runs of words that they share (Broder 1997).

Measured (`benchmarks/gathering.py --pages`) over all 1.09 million pairs of 1,477 pages of WCXB: two pages that are not
the same share at most .652 of their runs of five words (one product in two sizes), the next pair .327. Of 200 copies in
which every twentieth paragraph went and as much was added, .89 are known; where every tenth went, .58.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from typing import TYPE_CHECKING, Final
from zlib import crc32

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


# ----------------------------------------------------------------------------------------------------------- signatures
# Signatures by which near duplicates are found among many texts, without comparing each with each.
#
# One permutation hashing (Li, Owen and Zhang, One Permutation Hashing, NIPS 2012): the runs of words are hashed once,
# and the smallest hash of each bin is kept. The share of equal bins estimates the Jaccard similarity of two texts, with
# a standard error of at most .045 for 128 bins.

BINS: Final = 128
MIN_EQUAL_BINS: Final = 0.85
"""Share of equal bins from which two texts are the same but for trifles: above `BOUND` by more than two
standard errors, because it is an estimate, and a page that is taken for a copy is lost."""
MIN_RUNS: Final = 50
"""A shorter text has no signature: its template alone would make it a copy."""
_ROWS: Final = 4
"""Bins of a band; texts that share a band are compared."""
_EMPTY: Final = 0xFFFFFFFF
_PACKING: Final = struct.Struct(f"<{BINS}I")


def text_signature(text: str) -> bytes:
    """Return the signature of a text, equal in every process; empty for a short text."""
    words = tokens(text[:MOST_CHARS])
    if len(words) - RUN + 1 < MIN_RUNS:
        return b""
    bins = [_EMPTY] * BINS
    for start in range(len(words) - RUN + 1):
        number = crc32(" ".join(words[start : start + RUN]).encode("utf-8", "replace"))
        position, remainder = number % BINS, number // BINS
        bins[position] = min(bins[position], remainder)
    return _PACKING.pack(*bins)


def similarity(first: bytes, other: bytes) -> float:
    """Return the share of bins that two signatures have in common, from 0 to 1; bins empty in both do not count."""
    pairs = [
        (hash_of_first, hash_of_other)
        for hash_of_first, hash_of_other in zip(_PACKING.unpack(first), _PACKING.unpack(other), strict=True)
        if hash_of_first & hash_of_other != _EMPTY
    ]
    equal_count = len([pair for pair in pairs if pair[0] == pair[1]])
    return equal_count / max(1, len(pairs))


class TextSignatures:
    """The signatures of many texts, by name."""

    def __init__(self) -> None:
        """Begin with none."""
        self._by_name: dict[str, tuple[str, bytes]] = {}
        self._by_text: dict[str, str] = {}
        self._by_band: defaultdict[tuple[int, bytes], list[tuple[str, bytes]]] = defaultdict(list)

    def add(self, name: str, text_id: str, signature: bytes) -> None:
        """Add a text by its id, which equal texts share, and its signature; it replaces the text of that name."""
        self.remove(name)
        self._by_name[name] = (text_id, signature)
        self._by_text.setdefault(text_id, name)
        for band in signature_bands(signature):
            self._by_band[band].append((name, signature))

    def remove(self, name: str) -> None:
        """Remove the text of a name, if there is one."""
        text_id, signature = self._by_name.pop(name, ("", b""))
        if self._by_text.get(text_id) == name:
            del self._by_text[text_id]
        for band in signature_bands(signature):
            self._by_band[band].remove((name, signature))

    def duplicate_of(self, text_id: str, signature: bytes) -> str | None:
        """Return the name of a text that is the same, or the same but for trifles; None where there is none."""
        if text_id in self._by_text:
            return self._by_text[text_id]
        candidates = {name: other for band in signature_bands(signature) for name, other in self._by_band.get(band, ())}
        for name, other in candidates.items():
            if similarity(signature, other) >= MIN_EQUAL_BINS:
                return name
        return None


def signature_bands(signature: bytes) -> list[tuple[int, bytes]]:
    """Return the bands of a signature, each with its position: near duplicates have one in common."""
    size = _ROWS * 4
    bands = [(start, signature[start : start + size]) for start in range(0, len(signature), size)]
    return [band for band in bands if band[1] != b"\xff" * size]
