"""The reader's networks in numpy: how likely each leaf is main content, and the kind of page.

Two rounds of message passing over the leaves of a page. In each round, a leaf sends a message and receives the mean
message of its neighbours, of windows around it, of its boxes, of leaves of its kind, of its heading and of the page.
Trained by benchmarks/reader; docs/reader.md is its card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.extraction.context_features import LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats, Integers
    from wellread.extraction.features import Features

WINDOWS: Final = (4, 16)
"""Leaves on either side."""
POOLED: Final = (0, 1, 2, 3, 5)
"""The levels of `context_features.LEVELS` whose content is read: the leaf's own box, three around it, the outermost."""


_ROWS: Final = 64
_TERMS: Final = 64
"""OpenBLAS shares a product of more than 64 x 64 x 64 terms among threads, and for these sizes they only wait for one
another: eight times the CPU time, measured. So products are made of pieces that small, and pages run in parallel."""
_MANY: Final = 10_000
"""Leaves that all networks judge. No page of the training sets has as many; beyond it one network judges alone, because
all of them would take a quarter of the time of the whole read and 6 KB of memory for each leaf."""
_Weights = dict[str, "Floats"]


class NetworkOutput(NamedTuple):
    """The network's output for a page."""

    odds: Floats
    """(N,): the log-odds that a leaf is main content; too sure: see `trust` in `learned_selector.py`."""
    kinds: Floats
    """(7,): the probability of each kind of page."""


class ReaderNetwork:
    """Asks networks that differ in nothing but where their training began; their mean errs less than any of them.

    Holds their weights, of all along a first axis; pure, so safe in threads.
    """

    def __init__(self, weights: Mapping[str, NDArray[np.float16]]) -> None:
        """Take the weights, of all networks along the first axis of each."""
        self._all: _Weights = {name: np.ascontiguousarray(value, np.float32) for name, value in weights.items()}
        self._first = {name: value[:1] for name, value in self._all.items()}
        of_names, of_words = self._all["names"].shape[2], self._all["words"].shape[2]
        self.number_count = self._all["enter.weight"].shape[1] - (LEVELS + 1) * of_names - 2 * of_words
        """The numbers of each leaf that the networks take: see `features.page_features`."""

    def judge(self, page: Features, conventions: Sequence[float], address: Floats) -> NetworkOutput:
        """Return the verdict on a page under a mixture of the conventions of training, the first of `conventions`.

        `address` (7,) is what its address says of its kind: see `url_clues.UrlEvidence`.
        """
        around = _Neighbourhoods(page)
        weights = self._first if len(page.numbers) > _MANY else self._all
        return _mean_output(weights, around, conventions, address)


def _mean_output(
    weights: _Weights, around: _Neighbourhoods, conventions: Sequence[float], address: Floats
) -> NetworkOutput:
    """Return the mean output of the networks with these weights."""
    page = around.page
    state = _product(_inputs(weights, page), weights["enter.weight"])
    taught = np.array(conventions[: weights["convention"].shape[1]], np.float32)
    page_bias = np.tensordot(taught / taught.sum(), weights["convention"], (0, 1))
    page_bias += np.tensordot(address, weights["address"], (0, 1)) + weights["enter.bias"]
    state += page_bias[:, None]
    np.maximum(state, 0, out=state)
    for number in range(sum(name.startswith("say.weight.") for name in weights)):
        state += _message_round(weights, state, around, number)
    odds = state @ weights["leave.weight"][:, :, None]
    kinds = _page_mean(state, page)[:, None] @ weights["kind.weight"] + weights["kind.bias"][:, None]
    return NetworkOutput(
        (odds[:, :, 0] + weights["leave.bias"]).mean(axis=0), np.mean([_softmax(logits[0]) for logits in kinds], axis=0)
    )


def _inputs(weights: _Weights, page: Features) -> Floats:
    """Return (networks, N, F): the inputs of each network for each leaf."""
    name_sums = np.add.reduceat(weights["names"].take(page.around.names, axis=1), page.around.name_starts, axis=1)
    word_means = np.add.reduceat(weights["words"].take(page.words, axis=1), page.word_starts, axis=1)
    word_means /= np.diff(page.word_starts, append=len(page.words))[:, None]
    inner = np.add.reduceat(weights["names"].take(page.inner, axis=1), page.inner_starts, axis=1)
    around = name_sums.take(page.around.levels, axis=1).reshape(*word_means.shape[:2], -1)
    numbers = np.broadcast_to(page.numbers, (len(word_means), *page.numbers.shape))
    return np.concatenate([numbers, around, inner, word_means, word_means.take(page.heading, axis=1)], axis=2)


def _message_round(weights: _Weights, state: Floats, around: _Neighbourhoods, number: int) -> Floats:
    message = _product(state, weights[f"say.weight.{number}"])
    message += weights[f"say.bias.{number}"][:, None]
    np.maximum(message, 0, out=message)
    hear_weights = weights[f"hear.weight.{number}"]
    width, message_width = state.shape[2], message.shape[2]
    hidden = _product(state, hear_weights[:, :width])
    at = width
    for piece in around.pieces(message):
        hidden += _product(piece, hear_weights[:, at : at + message_width])
        at += message_width
    page_message = _page_mean(message, around.page)[:, None] @ weights[f"page.weight.{number}"]
    hidden += page_message + weights[f"hear.bias.{number}"][:, None]
    return np.maximum(hidden, 0, out=hidden)


def _page_mean(values: Floats, page: Features) -> Floats:
    """Return the mean over a page's leaves, and that over its characters."""
    return np.concatenate([values.mean(axis=1), page.weight @ values], axis=1)


class _Neighbourhoods:
    """The neighbourhoods of each leaf; computed once per page."""

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

    def pieces(self, message: Floats) -> Iterator[Floats]:
        """Yield the messages that each leaf receives, in the order of the weights."""
        page = self.page
        nothing = np.zeros((len(message), 1, message.shape[2]), np.float32)
        yield np.concatenate([nothing, message[:, :-1]], axis=1)
        yield np.concatenate([message[:, 1:], nothing], axis=1)
        sums = np.concatenate([nothing, message.cumsum(axis=1)], axis=1)
        for low, high in self.windows:
            yield _means(sums, low, high)
        boxes = _means(sums, page.around.first, page.around.last)
        for level in POOLED:
            yield boxes.take(page.around.levels[:, level], axis=1)
        kinds: Floats = np.add.reduceat(message.take(self.kinds, axis=1), self.kind_starts, axis=1)
        kinds /= self.kind_sizes
        yield kinds.take(self.kind_rows, axis=1)
        yield message.take(page.heading, axis=1)


def _means(sums: Floats, first: Integers, end: Integers) -> Floats:
    means: Floats = (sums.take(end, axis=1) - sums.take(first, axis=1)) / (end - first).astype(np.float32)[:, None]
    return means


def _product(rows: Floats, weights: Floats) -> Floats:
    """Return (networks, N, W): the product of each network's rows and weights, in small pieces."""
    networks, count, terms = rows.shape
    product = np.zeros((networks, count, weights.shape[2]), np.float32)
    whole_rows = count - count % _ROWS
    for start in range(0, terms, _TERMS):
        columns, piece = rows[:, :, start : start + _TERMS], weights[:, start : start + _TERMS]
        product[:, whole_rows:] += columns[:, whole_rows:] @ piece
        if whole_rows:
            stack = columns[:, :whole_rows].reshape(networks, -1, _ROWS, columns.shape[2])
            product[:, :whole_rows] += (stack @ piece[:, None]).reshape(networks, whole_rows, -1)
    return product


def _softmax(values: Floats) -> Floats:
    powers: Floats = np.exp(values - values.max())
    shares: Floats = powers / powers.sum()
    return shares
