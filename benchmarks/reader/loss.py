"""What training makes small: wrong leaves, weighed by their words, and a soft form of the metric itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch.nn import functional

from wellread.extraction.selection import PAGE_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from examples import Example
    from torch import Tensor

SHARES = {"wcxb": 1.0, "aeb": 3.0, "trafeval": 0.3, "made": 0.8, "made-body": 0.4, "news": 2.0, "made-news": 0.5}
"""What the leaves of a page count, by its set."""
KNOWN_KINDS = frozenset({"wcxb", "news"})
"""The sets that teach the kind of page."""
LEAVES = 0.5
KIND = 0.1
"""Weights of the leaves and of the kind of page; the soft F1 weighs 1."""


class Targets(NamedTuple):
    """The labels of a batch of pages; P pages, N leaves."""

    sizes: Tensor
    kept: Tensor
    matched: Tensor
    known: Tensor
    """(N,): 1 where the truth says anything of a leaf."""
    truth: Tensor
    """(P,): words in the truth; 0 where it is not whole, or the page is made up: every block of such a page counts."""
    shares: Tensor
    kinds: Tensor
    """(P,): -1 where it is not known."""


def targets(pages: Sequence[Example]) -> Targets:
    kept, matched, known = [], [], []
    for page in pages:
        if page.labels is not None:
            kept.append(np.array(page.labels.kept, np.float32))
            matched.append(np.array(page.labels.matched, np.float32))
            known.append(np.ones(len(page.sizes), np.float32))
        else:
            marks = np.array(page.marks)
            kept.append((marks == 1).astype(np.float32))
            matched.append(np.zeros(len(marks), np.float32))
            known.append((marks >= 0).astype(np.float32))
    sizes = [np.array(page.sizes, np.float32) for page in pages]
    return Targets(
        sizes=torch.from_numpy(np.concatenate(sizes)),
        kept=torch.from_numpy(np.concatenate(kept)),
        matched=torch.from_numpy(np.concatenate(matched)),
        known=torch.from_numpy(np.concatenate(known)),
        truth=torch.tensor([float(page.labels.truth) if page.labels and page.name else 0.0 for page in pages]),
        shares=torch.tensor([SHARES[page.source] for page in pages]),
        kinds=torch.tensor([PAGE_TYPES.index(page.kind) if page.source in KNOWN_KINDS else -1 for page in pages]),
    )


def loss(odds: Tensor, kinds: Tensor, wanted: Targets, page: Tensor) -> Tensor:
    """Return the mean loss over pages; `page` (N,) says which page a leaf is on."""
    count = len(wanted.truth)

    def summed(values: Tensor) -> Tensor:
        return torch.zeros(count).index_add(0, page, values)

    weight = torch.sqrt(wanted.sizes) * wanted.known
    wrong = functional.binary_cross_entropy_with_logits(odds, wanted.kept, reduction="none")
    leaves = summed(wrong * weight) / summed(weight).clamp(min=1e-6)
    likely = torch.sigmoid(odds)
    soft = 2 * summed(likely * wanted.matched) / (summed(likely * wanted.sizes) + wanted.truth + 1e-6)
    total = (LEAVES * wanted.shares * leaves + (1 - soft) * (wanted.truth > 0)).mean()
    if (wanted.kinds >= 0).any():
        total = total + KIND * functional.cross_entropy(kinds, wanted.kinds, ignore_index=-1)
    return total
