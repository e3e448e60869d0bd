"""A page ready to learn from, and the fold it belongs to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

if TYPE_CHECKING:
    import numpy as np
    from labels import Labels
    from numpy.typing import NDArray

    from wellread.extraction.features import Features

FOLDS = 5


class Example(NamedTuple):
    """A page ready to learn from."""

    source: str
    """wcxb, aeb, trafeval, news, or one of those made."""
    name: str
    url: str
    domain: str
    kind: str
    features: Features
    labels: Labels | None
    """Where the truth is whole."""
    marks: list[int] | None
    """trafeval: 1 wanted, 0 unwanted, -1 unknown, per leaf."""
    sizes: list[int]
    """Words of each leaf."""
    tokens: NDArray[np.int64]
    """All words of all leaves in a row, as numbers."""
    truth: NDArray[np.int64]


def fold_of(domain: str) -> int:
    """Return the fold of a registered domain: all its pages are learned from, or none, and what is made of them."""
    return crc32(domain.encode()) % FOLDS if domain else -1
