"""Measures the boxes of a page that hold text: how much, of which kind, what they are called, what is around them."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

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

    def visit(self, held: Sequence[Box], rows: Mapping[int, int], vocabulary: Vocabulary) -> None:
        around, depth, outer, runs = self.around, self.depth, self.outer, self.runs
        kinds, every, paths = self.kinds, self.bits, self.paths
        for row, box in enumerate(held):
            ids, bits = vocabulary.called(box)
            called = box.attributes.get("class") if box.attributes else None
            parent = rows[box.parent.index] if box.parent else -1
            kinds.append(paths.setdefault((kinds[parent] if row else -1, box.tag, called), len(paths)))
            every.append(bits | (every[parent] if row else 0))
            if not row:
                around.append(0)
                depth.append(0)
                outer.append((0, 0))
                runs.append(ids)
                continue
            above = held[parent]
            if above.end - above.first == box.end - box.first:
                # It holds just what its parent holds: the two are one, with the names of both.
                around.append(around[parent])
                depth.append(depth[parent])
                outer.append(outer[parent])
                runs.append((*ids, *runs[parent])[:_LONGEST_RUN])
            else:
                down = depth[parent] + 1
                outermost, second = outer[parent]
                around.append(parent)
                depth.append(down)
                outer.append((row, row) if down == 1 else (outermost, row) if down == 2 else (outermost, second))
                runs.append(ids)


def surroundings(walked: Walked, vocabulary: Vocabulary) -> Surroundings:
    """Return the boxes around the leaves of a page that has at least one."""
    held = [box for box in walked.boxes if box.end > box.first]
    rows = {box.index: row for row, box in enumerate(held)}
    climb = _Climb()
    climb.visit(held, rows, vocabulary)
    own = np.array([rows[leaf.box.index] for leaf in walked.leaves], np.intp)
    around, outer = np.array(climb.around, np.intp), np.array(climb.outer, np.intp)
    levels = [own]
    for _ in range(LEVELS - 1 - _OUTERMOST):
        levels.append(around[levels[-1]])
    lengths = np.array([len(run) for run in climb.runs], np.intp)
    first, last = np.array([(box.first, box.end) for box in held], np.intp).T
    return Surroundings(
        own=own,
        levels=np.concatenate([np.stack(levels, axis=1), outer[own]], axis=1),
        numbers=_numbers(walked.leaves, climb.depth, first, last),
        first=first,
        last=last,
        names=np.array(list(chain.from_iterable(climb.runs)), np.intp),
        name_starts=np.cumsum(lengths) - lengths,
        kinds=np.array(climb.kinds, np.intp),
        categories=np.array(climb.bits, np.uint32),
    )


def _numbers(leaves: Sequence[Leaf], depth: Sequence[int], first: Integers, last: Integers) -> Floats:
    held = np.array([(0, 0), *((leaf.chars, leaf.link_chars) for leaf in leaves)], np.float64)
    prose = np.where((held[:, 0] >= _PROSE) & (held[:, 1] * 3 < held[:, 0]), held[:, 0], 0)
    sums = np.cumsum(np.concatenate([held, prose[:, None]], axis=1), axis=0)
    chars, links, told = (sums[last] - sums[first]).T
    items = last - first
    return np.stack(
        [
            told / max(1.0, float(sums[-1, 2])),
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
