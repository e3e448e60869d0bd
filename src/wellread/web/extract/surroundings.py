"""Measures the boxes of a page that hold text: how much, of which kind, what they are called, what is around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wellread.web.extract.boxes import Box, Leaf, Walked
    from wellread.web.extract.vocabulary import Vocabulary

    Floats = NDArray[np.float32]
    Integers = NDArray[np.intp]

LEVELS: Final = 7
"""Boxes looked at around a leaf: its own, the four next that hold more, and the two outermost."""
_OUTERMOST: Final = 2
_LONGEST_RUN: Final = 24
_PROSE: Final = 120
"""Characters from which on a leaf that is no link is prose."""


class Surroundings(NamedTuple):
    """The B boxes that hold leaves, one row each, in document order: the first is the page."""

    own: Integers
    """(N,): the row of each leaf's box."""
    levels: Integers
    """(N, LEVELS): the rows of the boxes around each leaf."""
    numbers: Floats
    """(B, 9): see `_numbers`."""
    first: Integers
    """(B,): the first leaf in each box."""
    last: Integers
    """(B,): one past the last."""
    names: Integers
    """Ids of the names of each box and of the boxes around just the same leaves, all in one row."""
    name_starts: Integers
    """(B,): where each box's names start."""
    kinds: Integers
    """(B,): boxes with the same path of tags and classes share a number."""
    categories: NDArray[np.uint32]
    """(B,): bits of `lexicon.CATEGORIES`, of a box and of all around it."""


class _Climb:
    """Goes down the boxes once, each after its parent."""

    def __init__(self) -> None:
        self.rows: dict[int, int] = {}
        self.around: list[int] = []
        """The row of the next box that holds more leaves."""
        self.depth: list[int] = []
        """How many boxes around it hold more, each more than the last."""
        self.outer: list[tuple[int, int]] = []
        """The rows of the outermost boxes but the page."""
        self.runs: list[tuple[int, ...]] = []
        self.kinds: list[int] = []
        self.bits: list[int] = []
        self.paths: dict[tuple[int, str, str | None], int] = {}

    def visit(self, held: Sequence[Box], vocabulary: Vocabulary) -> None:
        rows, paths = self.rows, self.paths
        for row, box in enumerate(held):
            rows[box.index] = row
            ids, bits = vocabulary.called(box)
            attributes = box.attributes
            called = attributes.get("class") if attributes else None
            if box.parent is None:
                self._start(ids, bits)
                self.kinds.append(paths.setdefault((-1, box.tag, called), 0))
                continue
            parent = rows[box.parent.index]
            self.kinds.append(paths.setdefault((self.kinds[parent], box.tag, called), len(paths)))
            self.bits.append(bits | self.bits[parent])
            if held[parent].items == box.items:
                self._extend(parent, ids)
            else:
                self._branch(row, parent, ids)

    def _start(self, ids: tuple[int, ...], bits: int) -> None:
        self.around.append(0)
        self.depth.append(0)
        self.outer.append((0, 0))
        self.runs.append(ids)
        self.bits.append(bits)

    def _extend(self, parent: int, ids: tuple[int, ...]) -> None:
        """Take in a box that holds just what its parent holds: the two are one, with the names of both."""
        self.around.append(self.around[parent])
        self.depth.append(self.depth[parent])
        self.outer.append(self.outer[parent])
        self.runs.append((*ids, *self.runs[parent])[:_LONGEST_RUN])

    def _branch(self, row: int, parent: int, ids: tuple[int, ...]) -> None:
        depth = self.depth[parent] + 1
        outermost, second = self.outer[parent]
        self.around.append(parent)
        self.depth.append(depth)
        self.outer.append((row, row) if depth == 1 else (outermost, row) if depth == 2 else (outermost, second))
        self.runs.append(ids)


def surroundings(walked: Walked, vocabulary: Vocabulary) -> Surroundings:
    """Return the boxes around the leaves of a page that has at least one."""
    held = [box for box in walked.boxes if box.items]
    climb = _Climb()
    climb.visit(held, vocabulary)
    own = np.array([climb.rows[leaf.box.index] for leaf in walked.leaves], np.intp)
    around, outer = np.array(climb.around, np.intp), np.array(climb.outer, np.intp)
    levels = [own]
    for _ in range(LEVELS - 1 - _OUTERMOST):
        levels.append(around[levels[-1]])
    lengths = np.array([len(run) for run in climb.runs], np.intp)
    first, last = np.array([box.first for box in held], np.intp), np.array([box.last + 1 for box in held], np.intp)
    return Surroundings(
        own=own,
        levels=np.concatenate([np.stack(levels, axis=1), outer[own]], axis=1),
        numbers=_numbers(held, climb.depth, first, last, _prose(walked.leaves)),
        first=first,
        last=last,
        names=np.array([at for run in climb.runs for at in run], np.intp),
        name_starts=np.cumsum(lengths) - lengths,
        kinds=np.array(climb.kinds, np.intp),
        categories=np.array(climb.bits, np.uint32),
    )


def _prose(leaves: Sequence[Leaf]) -> Floats:
    """Return the characters of prose before each leaf, and in all."""
    prose = [leaf.chars if leaf.chars >= _PROSE and leaf.link_chars * 3 < leaf.chars else 0 for leaf in leaves]
    return np.cumsum([0, *prose], dtype=np.float32)


def _numbers(held: Sequence[Box], depth: Sequence[int], first: Integers, last: Integers, prose: Floats) -> Floats:
    items, chars, links = np.array([(box.items, box.chars, box.link_chars) for box in held], np.float32).T
    told = prose[last] - prose[first]
    return np.stack(
        [
            told / max(1.0, float(prose[-1])),
            told / np.maximum(chars, 1),
            np.log1p(items) / 4,
            np.log1p(chars) / 6,
            links / np.maximum(chars, 1),
            items / items[0],
            chars / max(1.0, float(chars[0])),
            np.minimum(np.array(depth, np.float32), 20) / 8,
            np.log1p(chars / items) / 4,
        ],
        axis=1,
        dtype=np.float32,
    )
