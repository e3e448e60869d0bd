"""The reader's network in PyTorch; `wellread.web.extract.network` runs the same sums in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from wellread.web.extract.surroundings import LEVELS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dataset import Example

KINDS = 7
CONVENTIONS = ("wcxb", "aeb", "trafeval")
WINDOWS = (4, 16)
POOLED = 5
"""Of the levels around a leaf, those whose content is pooled: its own box, three around it, the outermost."""
_POOL_AT = (0, 1, 2, 3, 5)


class Batch(NamedTuple):
    """Several pages in a row; indices are into the whole batch."""

    numbers: Tensor
    levels: Tensor
    first: Tensor
    last: Tensor
    names: Tensor
    name_starts: Tensor
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
    convention: Tensor
    """(P,)"""


def batch(examples: Sequence[Example], conventions: Sequence[int]) -> Batch:
    parts: dict[str, list[np.ndarray]] = {name: [] for name in Batch._fields}
    leaves = boxes = names = words = kinds = 0
    for number, one in enumerate(examples):
        found, around = one.features, one.features.around
        count = len(found.numbers)
        values = {
            "numbers": found.numbers,
            "levels": around.levels + boxes,
            "first": around.first + leaves,
            "last": around.last + leaves,
            "names": around.names,
            "name_starts": around.name_starts + names,
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
        names, words = names + len(around.names), words + len(found.words)
    parts["convention"] = [np.array(conventions)]
    return Batch(*(torch.from_numpy(np.concatenate(parts[name])) for name in Batch._fields))


class Context(nn.Module):
    """Tells each leaf what is said around it: beside it, in its boxes, in boxes of its kind, on the page."""

    def __init__(self, width: int, told: int, gossip: float) -> None:
        super().__init__()
        self.gossip = gossip
        self.say = nn.Linear(width, told)
        near = 2 + len(WINDOWS) + POOLED + 2
        self.hear = nn.Linear(width + near * told, width)
        self.page = nn.Linear(2 * told, width, bias=False)

    def forward(self, state: Tensor, at: Batch, pages: int) -> Tensor:
        said = functional.relu(self.say(state))
        count = len(said)
        spot = torch.arange(count)
        pad = torch.zeros(1, said.shape[1])
        before = torch.cat([pad, said[:-1]]) * (spot > at.begin)[:, None]
        after = torch.cat([said[1:], pad]) * (spot + 1 < at.end)[:, None]
        sums = torch.cat([pad, said.cumsum(0)])
        near = [before, after]
        for reach in WINDOWS:
            low, high = torch.maximum(spot - reach, at.begin), torch.minimum(spot + reach + 1, at.end)
            near.append((sums[high] - sums[low]) / (high - low)[:, None])
        boxes = (sums[at.last] - sums[at.first]) / (at.last - at.first)[:, None]
        near.extend(boxes[at.levels[:, level]] for level in _POOL_AT)
        near.append(pooled(said, at.kinds)[at.kinds])
        near.append(said[at.heading])
        everything = torch.cat([pooled(said, at.page), weighed(said, at.page, at.weight, pages)], 1)
        heard = self.hear(torch.cat([state, *near], 1))
        if self.gossip >= 1:
            return heard
        return heard + self.page(functional.dropout(everything, self.gossip, self.training))[at.page]


def pooled(values: Tensor, groups: Tensor) -> Tensor:
    count = int(groups.max()) + 1
    sums = torch.zeros(count, values.shape[1]).index_add(0, groups, values)
    sizes = torch.bincount(groups, minlength=count).clamp(min=1)
    return sums / sizes[:, None]


def weighed(values: Tensor, page: Tensor, weight: Tensor, pages: int) -> Tensor:
    return torch.zeros(pages, values.shape[1]).index_add(0, page, values * weight[:, None])


class Reader(nn.Module):
    """Leaves in, the log-odds that each is kept out; and what kind of page it is."""

    def __init__(
        self,
        numbers: int,
        names: int,
        words: int,
        *,
        width: int = 64,
        told: int = 32,
        embed: int = 12,
        rounds: int = 2,
        dropout: float = 0.15,
        forget: float = 0.1,
        gossip: float = 0.0,
    ) -> None:
        super().__init__()
        self.names = nn.EmbeddingBag(names + 1, embed, mode="sum")
        self.words = nn.EmbeddingBag(words + 1, embed, mode="mean")
        nn.init.normal_(self.names.weight, std=0.1)
        nn.init.normal_(self.words.weight, std=0.1)
        self.enter = nn.Linear(numbers + LEVELS * embed + 2 * embed, width)
        self.convention = nn.Embedding(len(CONVENTIONS), width)
        nn.init.zeros_(self.convention.weight)
        self.rounds = nn.ModuleList(Context(width, told, gossip) for _ in range(rounds))
        self.leave = nn.Linear(width, 1)
        self.kind = nn.Linear(2 * width, KINDS)
        self.dropout = dropout
        self.forget = forget

    def forward(self, at: Batch) -> tuple[Tensor, Tensor]:
        pages = len(at.convention)
        name_ids, word_ids = at.names, at.words
        if self.training:
            name_ids = torch.where(torch.rand(len(name_ids)) < self.forget, 0, name_ids)
            word_ids = torch.where(torch.rand(len(word_ids)) < self.forget, 0, word_ids)
        called = self.names(name_ids, at.name_starts)
        said = self.words(word_ids, at.word_starts)
        entered = torch.cat([at.numbers, called[at.levels].flatten(1), said, said[at.heading]], 1)
        entered = functional.dropout(entered, self.dropout / 2, self.training)
        state = functional.relu(self.enter(entered) + self.convention(at.convention)[at.page])
        for one in self.rounds:
            heard = functional.dropout(state, self.dropout, self.training)
            state = state + functional.relu(one(heard, at, pages))
        state = functional.dropout(state, self.dropout, self.training)
        whole = torch.cat([pooled(state, at.page), weighed(state, at.page, at.weight, pages)], 1)
        return self.leave(state)[:, 0], self.kind(whole)
