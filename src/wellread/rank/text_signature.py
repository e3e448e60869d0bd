"""Signatures by which near duplicates are found among many texts, without comparing each with each.

One permutation hashing (Li, Owen and Zhang, One Permutation Hashing, NIPS 2012): the runs of words are hashed once, and
the smallest hash of each bin is kept. The share of equal bins estimates the Jaccard similarity of two texts, with a
standard error of at most .045 for 128 bins.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from typing import Final
from zlib import crc32

from wellread.index.search_terms import tokens
from wellread.rank.near_duplicate import MOST_CHARS, RUN

BINS: Final = 128
BOUND: Final = 0.85
"""Share of equal bins from which two texts are the same but for trifles: above `near_duplicate.BOUND` by more than two
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
        self._by_text: dict[str, str] = {}
        self._by_band: defaultdict[tuple[int, bytes], list[tuple[str, bytes]]] = defaultdict(list)

    def add(self, name: str, text_id: str, signature: bytes) -> None:
        """Add a text by its id, which equal texts share, and its signature."""
        self._by_text.setdefault(text_id, name)
        for band in _bands(signature):
            self._by_band[band].append((name, signature))

    def duplicate_of(self, text_id: str, signature: bytes) -> str | None:
        """Return the name of a text that is the same, or the same but for trifles; None where there is none."""
        if text_id in self._by_text:
            return self._by_text[text_id]
        candidates = {name: other for band in _bands(signature) for name, other in self._by_band.get(band, ())}
        for name, other in candidates.items():
            if similarity(signature, other) >= BOUND:
                return name
        return None


def _bands(signature: bytes) -> list[tuple[int, bytes]]:
    size = _ROWS * 4
    bands = [(start, signature[start : start + size]) for start in range(0, len(signature), size)]
    return [band for band in bands if band[1] != b"\xff" * size]
