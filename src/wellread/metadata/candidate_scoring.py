"""Chooses among the candidates for a fact: each one scores the sum of the weights of its marks.

A softmax over a page's candidates, trained on public pages by `benchmarks/metadata_training.py`.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class MetadataCandidate(NamedTuple):
    """A possible value, and the marks that speak for and against it."""

    value: str
    marks: frozenset[str]


def best(candidates: Sequence[MetadataCandidate], weights: Mapping[str, float]) -> MetadataCandidate:
    """Return the candidate with the highest score; the first of equals."""
    # Sets have no order that lasts from run to run, and a plain sum depends on it in its last digits.
    return max(candidates, key=lambda candidate: math.fsum(weights.get(mark, 0.0) for mark in candidate.marks))
