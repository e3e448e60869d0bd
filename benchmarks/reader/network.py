"""The reader's network in PyTorch; `wellread.extraction.learned_selector` runs the same sums in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from wellread.extraction.context_features import LEVELS
from wellread.extraction.learned_selector import POOLED, WINDOWS
from wellread.extraction.selection import PAGE_TYPES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from examples import Example
    from numpy.typing import NDArray

CONVENTIONS = ("wcxb", "aeb", "trafeval", "news")


class Batch(NamedTuple):
    """Several pages in a row; indices are into the whole batch."""

    numbers: Tensor
    levels: Tensor
    first: Tensor
    last: Tensor
    names: Tensor
    name_starts: Tensor
    inner: Tensor
    inner_starts: Tensor
    words: Tensor
    word_starts: Tensor
    heading: Tensor
    kinds: Tensor
    page: Tensor
    """(N,): which page a leaf is on."""
    begin: Tensor
    """(N,): where its page begins, and ends."""
    end: Tensor
    weight: Tensor
    """(N,): the leaf's share of its page's characters."""
    conventions: Tensor
    """(P, 4): how much each convention counts on each page."""
    addresses: Tensor
    """(P, 7): what the address of each page says of its kind."""


def batch(
    examples: Sequence[Example], conventions: Sequence[Sequence[float]], addresses: Sequence[NDArray[np.float32]]
) -> Batch:
    parts: dict[str, list[np.ndarray]] = {name: [] for name in Batch._fields}
    leaves = boxes = names = inner = words = kinds = 0
    for number, one in enumerate(examples):
        found, around = one.features, one.features.around
        count = len(found.numbers)
        values: dict[str, np.ndarray] = {
            "numbers": found.numbers,
            "levels": around.levels + boxes,
            "first": around.first + leaves,
            "last": around.last + leaves,
            "names": around.names,
            "name_starts": around.name_starts + names,
            "inner": found.inner,
            "inner_starts": found.inner_starts + inner,
            "words": found.words,
            "word_starts": found.word_starts + words,
            "heading": found.heading + leaves,
            "kinds": around.kinds[around.own] + kinds,
            "page": np.full(count, number),
            "begin": np.full(count, leaves),
            "end": np.full(count, leaves + count),
            "weight": found.weight,
        }
        for field, value in values.items():
            parts[field].append(value)
        leaves, boxes, kinds = leaves + count, boxes + len(around.first), kinds + int(around.kinds.max()) + 1
        names, inner, words = names + len(around.names), inner + len(found.inner), words + len(found.words)
    parts["conventions"] = [np.array(conventions, np.float32)]
    parts["addresses"] = [np.array(addresses, np.float32)]
    return Batch(*(torch.from_numpy(np.concatenate(parts[name])) for name in Batch._fields))


class Shape(NamedTuple):
    """Sizes of the network; the first three follow from the data."""

    numbers: int
    names: int
    words: int
    width: int = 64
    told: int = 32
    embed: int = 12
    rounds: int = 2
    dropout: float = 0.3
    forget: float = 0.4
    """The share of names and words that are not seen in training: no page may be known by its words."""


class Context(nn.Module):  # type: ignore[misc]  # PyTorch is no dependency
    """Tells each leaf what is said around it: beside it, in its boxes, by leaves of its kind, on the page."""

    def __init__(self, width: int, told: int) -> None:
        super().__init__()
        self.say = nn.Linear(width, told)
        near = 2 + len(WINDOWS) + len(POOLED) + 2
        self.hear = nn.Linear(width + near * told, width)
        self.page = nn.Linear(2 * told, width, bias=False)

    def forward(self, state: Tensor, at: Batch) -> Tensor:
        said = functional.relu(self.say(state))
        spot = torch.arange(len(said))
        pad = torch.zeros(1, said.shape[1])
        before = torch.cat([pad, said[:-1]]) * (spot > at.begin)[:, None]
        after = torch.cat([said[1:], pad]) * (spot + 1 < at.end)[:, None]
        sums = torch.cat([pad, said.cumsum(0)])
        near = [before, after]
        for reach in WINDOWS:
            low, high = torch.maximum(spot - reach, at.begin), torch.minimum(spot + reach + 1, at.end)
            near.append((_rows(sums, high) - _rows(sums, low)) / (high - low)[:, None])
        boxes = (_rows(sums, at.last) - _rows(sums, at.first)) / (at.last - at.first)[:, None]
        near.extend(_rows(boxes, at.levels[:, level]) for level in POOLED)
        near.extend((_rows(pooled(said, at.kinds), at.kinds), _rows(said, at.heading)))
        return self.hear(torch.cat([state, *near], 1)) + _rows(self.page(whole(said, at)), at.page)


def _rows(values: Tensor, at: Tensor) -> Tensor:
    """Return `values[at]`, whose gradient takes a quarter of the time this way."""
    return values.index_select(0, at)


def pooled(values: Tensor, groups: Tensor) -> Tensor:
    """Return the mean of each group."""
    count = int(groups.max()) + 1
    sums = torch.zeros(count, values.shape[1]).index_add(0, groups, values)
    return sums / torch.bincount(groups, minlength=count).clamp(min=1)[:, None]


def whole(values: Tensor, at: Batch) -> Tensor:
    """Return the mean of each page, over its leaves and over its characters."""
    weighed = torch.zeros(len(at.conventions), values.shape[1]).index_add(0, at.page, values * at.weight[:, None])
    return torch.cat([pooled(values, at.page), weighed], 1)


class Reader(nn.Module):  # type: ignore[misc]  # PyTorch is no dependency
    """Leaves in, the log-odds that each is kept out; and what kind of page it is."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.names = nn.EmbeddingBag(shape.names + 1, shape.embed, mode="sum")
        self.words = nn.EmbeddingBag(shape.words + 1, shape.embed, mode="mean")
        nn.init.normal_(self.names.weight, std=0.1)
        nn.init.normal_(self.words.weight, std=0.1)
        self.enter = nn.Linear(shape.numbers + (LEVELS + 3) * shape.embed, shape.width)
        self.convention = nn.Parameter(torch.zeros(len(CONVENTIONS), shape.width))
        self.address = nn.Parameter(torch.zeros(len(PAGE_TYPES), shape.width))
        self.rounds = nn.ModuleList(Context(shape.width, shape.told) for _ in range(shape.rounds))
        self.leave = nn.Linear(shape.width, 1)
        self.kind = nn.Linear(2 * shape.width, len(PAGE_TYPES))

    def forward(self, at: Batch) -> tuple[Tensor, Tensor]:
        called = self.names(self._forgotten(at.names), at.name_starts)
        inner = self.names(self._forgotten(at.inner), at.inner_starts)
        said = self.words(self._forgotten(at.words), at.word_starts)
        entered = torch.cat(
            [
                at.numbers,
                *(_rows(called, at.levels[:, level]) for level in range(LEVELS)),
                inner,
                said,
                _rows(said, at.heading),
            ],
            1,
        )
        entered = functional.dropout(entered, self.shape.dropout / 2, self.training)
        told = at.conventions @ self.convention + at.addresses @ self.address
        state = functional.relu(self.enter(entered) + _rows(told, at.page))
        for one in self.rounds:
            state = state + functional.relu(one(self._dropped(state), at))
        state = self._dropped(state)
        return self.leave(state)[:, 0], self.kind(whole(state, at))

    def _dropped(self, state: Tensor) -> Tensor:
        return functional.dropout(state, self.shape.dropout, self.training)

    def _forgotten(self, ids: Tensor) -> Tensor:
        return torch.where(torch.rand(len(ids)) < self.shape.forget, 0, ids) if self.training else ids
