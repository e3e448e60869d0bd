"""The reader's networks in numpy: how likely each leaf is main content, and what kind of page it stands on.

Two rounds of hearsay over the leaves of a page. In each, a leaf says something of itself and hears what is said beside
it, in windows around it, in the boxes it stands in, by leaves of its kind, by its heading and by the whole page.
Trained by benchmarks/reader; docs/reader.md is its card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from wellread.web.extract.features import Features
    from wellread.web.extract.surroundings import Floats, Integers

WINDOWS: Final = (4, 16)
"""Leaves on either side."""
POOLED: Final = (0, 1, 2, 3, 5)
"""The levels (see `features`) whose content is heard: the leaf's own box, three around it, the outermost."""


_ROWS: Final = 64
_TERMS: Final = 64
"""OpenBLAS shares a product of more than 64 x 64 x 64 terms among threads, and for these sizes they only wait for one
another: eight times the CPU time, measured. So products are made of pieces that small, and pages run in parallel."""


class Verdict(NamedTuple):
    """What the network makes of a page."""

    odds: Floats
    """(N,): the logarithm of the odds that a leaf is main content; surer than they should be, see `reader`."""
    kinds: Floats
    """(7,): the probability of each kind of page."""


class Network:
    """Asks networks that differ in nothing but where their training began; their mean errs less than any of them."""

    def __init__(self, weights: Mapping[str, NDArray[np.float16]]) -> None:
        """Take the weights, of all networks along the first axis of each."""
        count = len(weights["leave.bias"])
        self._members: Final = [_Member({name: value[at] for name, value in weights.items()}) for at in range(count)]

    def judge(self, page: Features, convention: int) -> Verdict:
        """Return the verdict on a page under one of the conventions that were taught."""
        around = _Around(page)
        odds, kinds = zip(*(member.judge(page, around, convention) for member in self._members), strict=True)
        return Verdict(np.mean(odds, axis=0), np.mean(kinds, axis=0))


class _Member:
    """Holds the weights of one network; pure, so safe in threads."""

    def __init__(self, weights: Mapping[str, NDArray[np.float16]]) -> None:
        self._weights = {name: np.ascontiguousarray(value, np.float32) for name, value in weights.items()}
        self._rounds = sum(name.startswith("say.weight.") for name in weights)

    def judge(self, page: Features, around: _Around, convention: int) -> Verdict:
        weights = self._weights
        called = np.add.reduceat(weights["names"][page.around.names], page.around.name_starts, axis=0)
        said = np.add.reduceat(weights["words"][page.words], page.word_starts, axis=0)
        said /= np.diff(page.word_starts, append=len(page.words))[:, None]
        count = len(page.numbers)
        entered = np.concatenate(
            [page.numbers, called[page.around.levels].reshape(count, -1), said, said[page.heading]], axis=1
        )
        state = _product(entered, weights["enter.weight"])
        state += weights["enter.bias"] + weights["convention"][convention]
        np.maximum(state, 0, out=state)
        for number in range(self._rounds):
            state += self._round(state, page, around, number)
        whole = np.concatenate([state.mean(axis=0), page.weight @ state])
        return Verdict(
            state @ weights["leave.weight"] + weights["leave.bias"][0],
            _softmax(whole @ weights["kind.weight"] + weights["kind.bias"]),
        )

    def _round(self, state: Floats, page: Features, around: _Around, number: int) -> Floats:
        weights = self._weights
        said = _product(state, weights[f"say.weight.{number}"])
        said += weights[f"say.bias.{number}"]
        np.maximum(said, 0, out=said)
        hear = weights[f"hear.weight.{number}"]
        width, told = state.shape[1], said.shape[1]
        heard = _product(state, hear[:width])
        at = width
        for piece in around.pieces(said):
            heard += _product(piece, hear[at : at + told])
            at += told
        whole = np.concatenate([said.mean(axis=0), page.weight @ said])
        heard += whole @ weights[f"page.weight.{number}"] + weights[f"hear.bias.{number}"]
        return np.maximum(heard, 0, out=heard)


class _Around:
    """Where each leaf listens; worked out once per page."""

    def __init__(self, page: Features) -> None:
        self.page = page
        count = len(page.numbers)
        spots = np.arange(count)
        self.windows = [(np.maximum(spots - reach, 0), np.minimum(spots + reach + 1, count)) for reach in WINDOWS]
        kinds = page.around.kinds[page.around.own]
        self.kinds = np.argsort(kinds, kind="stable")
        self.kind_starts = np.flatnonzero(np.diff(kinds[self.kinds], prepend=-1))
        sizes = np.diff(self.kind_starts, append=count)
        self.kind_sizes = sizes.astype(np.float32)[:, None]
        self.kind_rows: Integers = np.empty(count, np.intp)
        self.kind_rows[self.kinds] = np.repeat(np.arange(len(sizes)), sizes)

    def pieces(self, said: Floats) -> list[Floats]:
        """Return what each leaf hears, in the order of the weights."""
        page = self.page
        nothing = np.zeros((1, said.shape[1]), np.float32)
        sums = np.concatenate([nothing, said.cumsum(axis=0)])
        heard = [np.concatenate([nothing, said[:-1]]), np.concatenate([said[1:], nothing])]
        heard.extend((sums[high] - sums[low]) / (high - low).astype(np.float32)[:, None] for low, high in self.windows)
        around = page.around
        boxes = (sums[around.last] - sums[around.first]) / (around.last - around.first).astype(np.float32)[:, None]
        heard.extend(boxes[around.levels[:, level]] for level in POOLED)
        kinds = np.add.reduceat(said[self.kinds], self.kind_starts, axis=0) / self.kind_sizes
        heard.extend((kinds[self.kind_rows], said[page.heading]))
        return heard


def _product(rows: Floats, weights: Floats) -> Floats:
    count, terms = rows.shape
    found = np.zeros((count, weights.shape[1]), np.float32)
    whole = count - count % _ROWS
    for start in range(0, terms, _TERMS):
        these, piece = rows[:, start : start + _TERMS], weights[start : start + _TERMS]
        found[whole:] += these[whole:] @ piece
        if whole:
            stack = these[:whole].reshape(-1, _ROWS, these.shape[1])
            found[:whole] += (stack @ piece).reshape(whole, -1)
    return found


def _softmax(values: Floats) -> Floats:
    powers: Floats = np.exp(values - values.max())
    shares: Floats = powers / powers.sum()
    return shares
