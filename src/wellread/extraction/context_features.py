"""Measures the boxes of a page that hold text: their amount and kind of text, their names, the boxes around them."""

from __future__ import annotations

from itertools import chain, islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wellread.extraction.vocabulary import Vocabulary
    from wellread.segmentation.boxes import Box, Leaf, Walked

    Floats = NDArray[np.float32]
    Integers = NDArray[np.intp]

LEVELS: Final = 7
"""Boxes looked at around a leaf: its own, the four next that hold more, and the two outermost."""
_OUTERMOST: Final = 2
_LONGEST_RUN: Final = 24
BOX_NUMBERS: Final = 9
"""What is measured of each box."""
PROSE_CHARS: Final = 120
"""Characters from which on a leaf that is no link is prose."""


class ContextFeatures(NamedTuple):
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
    """Goes down the boxes that hold leaves once, each after its parent: a row for each."""

    def __init__(self, page: Box, vocabulary: Vocabulary) -> None:
        ids, bits = vocabulary.called(page)
        self.first = [page.first]
        self.last = [page.end]
        self.around = [0]
        """The row of the next box that holds more leaves."""
        self.depth = [0]
        """How many boxes around it hold more, each more than the last."""
        self.outermost = [0]
        self.second = [0]
        """The rows of the two outermost boxes but the page."""
        self.runs = [ids]
        self.kinds = [0]
        self.bits = [bits]

    def visit(self, boxes: Sequence[Box], vocabulary: Vocabulary) -> list[int]:
        """Visit all boxes but the page; return the row of each; the row of a box without text has no meaning."""
        first, last, around, depth = self.first, self.last, self.around, self.depth
        outermost, second, runs, kinds, every = self.outermost, self.second, self.runs, self.kinds, self.bits
        paths: dict[tuple[int, str, str | None], int] = {}
        rows = [0] * len(boxes)
        for box in islice(boxes, 1, None):
            start, end = box.first, box.end
            if start == end or box.parent is None:
                continue
            parent = rows[box.parent.index]
            row = rows[box.index] = len(kinds)
            ids, bits = vocabulary.called(box)
            attributes = box.attributes
            path = (kinds[parent], box.tag, attributes.get("class") if attributes else None)
            kinds.append(paths.setdefault(path, len(paths) + 1))
            every.append(bits | every[parent])
            first.append(start)
            last.append(end)
            if last[parent] - first[parent] == end - start:
                # It holds just what its parent holds: the two are one, with the names of both.
                around.append(around[parent])
                depth.append(depth[parent])
                outermost.append(outermost[parent])
                second.append(second[parent])
                runs.append((*ids, *runs[parent])[:_LONGEST_RUN])
                continue
            down = depth[parent] + 1
            around.append(parent)
            depth.append(down)
            outermost.append(row if down == 1 else outermost[parent])
            second.append(row if down <= _OUTERMOST else second[parent])
            runs.append(ids)
        return rows


def surroundings(walked: Walked, vocabulary: Vocabulary, chars: Floats, linked: Floats) -> ContextFeatures:
    """Return the boxes around the leaves of a page that has at least one; `chars` and `linked` are the leaves'."""
    climb = _Climb(walked.boxes[0], vocabulary)
    rows = climb.visit(walked.boxes, vocabulary)
    leaf_rows = np.array([rows[leaf.box.index] for leaf in walked.leaves], np.intp)
    around = np.array(climb.around, np.intp)
    levels = [leaf_rows]
    for _ in range(LEVELS - 1 - _OUTERMOST):
        levels.append(around[levels[-1]])
    levels.extend(np.array(outer, np.intp)[leaf_rows] for outer in (climb.outermost, climb.second))
    lengths = np.array([len(run) for run in climb.runs], np.intp)
    first, last = np.array(climb.first, np.intp), np.array(climb.last, np.intp)
    return ContextFeatures(
        own=leaf_rows,
        levels=np.stack(levels, axis=1),
        numbers=_numbers(chars, linked, climb.depth, first, last),
        first=first,
        last=last,
        names=np.array(list(chain.from_iterable(climb.runs)), np.intp),
        name_starts=np.cumsum(lengths) - lengths,
        kinds=np.array(climb.kinds, np.intp),
        categories=np.array(climb.bits, np.uint32),
    )


def _numbers(chars: Floats, linked: Floats, depth: Sequence[int], first: Integers, last: Integers) -> Floats:
    prose = np.where((chars >= PROSE_CHARS) & (linked * 3 < chars), chars, 0)
    sums = np.zeros((3, len(chars) + 1))
    np.cumsum(np.stack([chars, linked, prose]), axis=1, dtype=np.float64, out=sums[:, 1:])
    chars, linked, prose_chars = sums[:, last] - sums[:, first]
    items = last - first
    return np.stack(
        [
            prose_chars / max(1.0, float(sums[2, -1])),
            prose_chars / np.maximum(chars, 1),
            np.log1p(items) / 4,
            np.log1p(chars) / 6,
            linked / np.maximum(chars, 1),
            items / items[0],
            chars / max(1.0, float(chars[0])),
            np.minimum(np.array(depth, np.float32), 20) / 8,
            np.log1p(chars / items) / 4,
        ],
        axis=1,
        dtype=np.float32,
    )


# ---------------------------------------------------------------------------------------------- the shape of an article
# Measures the shape of pages with one article, in every language: one long run of paragraphs, and rows of entries.
#
# Nothing here knows a word or a name. The prose of a page is its long blocks that are no links; boxes with the same
# path of tags and classes are of one kind, and the kind that holds most of the prose is that of the article's
# paragraphs.

SHAPE_NUMBERS: Final = 19
_LONGEST_DATED: Final = 60
"""Characters of a line that may tell a date."""
_DATED: Final = lazy_pattern(
    r"\b(?:19|20)\d\d\s?[./\u5e74\ub144-]\s?\d{1,2}|\d{1,2}[./]\s?\d{1,2}[./]\s?(?:19|20)\d\d|\b\d{1,2}:\d\d\b"
)
"""A date in numbers, or a time of the day."""
_MIN_SUMMARY_CHARS: Final = 30
_MAX_HREF_CHARS: Final = 300
_LONG_PART: Final = 20
"""Characters in the last part of an address from which on it is that of an article, and not of a section."""


def article_shape(
    walked: Walked, texts: Sequence[str], chars: Floats, linked: Floats, kinds: Integers, titled: NDArray[np.bool_]
) -> Floats:
    """Return (N, 19): where each leaf is in the page's prose, in its row of like leaves, and where its links lead.

    `chars` and `linked` are the lengths of the leaves and of the links in them, `kinds` the numbers of their kinds,
    `titled` tells which repeat the page's title.
    """
    columns = [
        *_prose(chars, linked, kinds),
        *_runs(kinds),
        *_titles(walked.leaves, titled),
        np.array([len(text) <= _LONGEST_DATED and _DATED.search(text) is not None for text in texts]),
        _summarized(texts, walked.summary),
        *_targets(walked.leaves),
    ]
    return np.stack(columns, axis=1, dtype=np.float32)


def _prose(chars: Floats, linked: Floats, kinds: Integers) -> list[NDArray[np.generic]]:
    """Return where each leaf is, seen from the paragraphs of the kind that holds most of the prose."""
    count = len(chars)
    at = np.arange(count)
    is_prose = (chars >= PROSE_CHARS) & (linked * 3 < chars)
    prose = np.where(is_prose, chars, 0)
    of_kind = np.bincount(kinds, prose)
    total = max(1.0, float(of_kind.sum()))
    main = is_prose & (kinds == of_kind.argmax())
    places = np.flatnonzero(main)
    if not len(places):
        nothing = np.zeros(count, np.float32)
        return [nothing] * 9
    before = np.maximum.accumulate(np.where(main, at, -1))
    after = np.minimum.accumulate(np.where(main, at, count)[::-1])[::-1]
    first, last = int(places[0]), int(places[-1])
    lengths = np.sort(chars[places])
    # Not `np.median`, which loads numpy's masked arrays.
    usual = float(lengths[(len(lengths) - 1) // 2] + lengths[len(lengths) // 2]) / 2
    return [
        of_kind[kinds] / total,
        kinds == of_kind.argmax(),
        at < first,
        at > last,
        np.where(before >= 0, 1 / (1 + at - before), 0),
        np.where(after < count, 1 / (1 + after - at), 0),
        np.log1p(np.abs(at - np.clip(at, first, last))) / 4,
        np.log1p(chars / usual),
        np.full(count, np.log1p(len(places)) / 3),
    ]


def _runs(kinds: Integers) -> list[NDArray[np.generic]]:
    """Return how many leaves of its kind stand in a row with each, and where it is among them."""
    starts = np.flatnonzero(np.diff(kinds, prepend=-1))
    lengths = np.diff(starts, append=len(kinds))
    run = np.repeat(np.arange(len(starts)), lengths)
    place = np.arange(len(kinds)) - starts[run]
    return [np.log1p(lengths[run]) / 3, np.log1p(place) / 3]


def _titles(leaves: Sequence[Leaf], titled: NDArray[np.bool_]) -> list[NDArray[np.generic]]:
    """Return how many first-level headings and repeated titles are before each leaf, and whether it is below a title.

    Sites that append the next article head it as they head the first.
    """
    heads = np.cumsum([leaf.heading == 1 for leaf in leaves])
    below = np.cumsum(titled)
    last = np.flatnonzero(titled & np.array([leaf.heading > 0 for leaf in leaves]))
    under = np.arange(len(leaves)) > last[0] if len(last) else np.zeros(len(leaves), np.bool_)
    return [np.minimum(heads, 4) / 3, np.minimum(below, 4) / 3, under]


def _summarized(texts: Sequence[str], summary: str) -> NDArray[np.bool_]:
    """Return a mask of the leaves that begin as the page's summary for search engines."""
    start = summary[:_MIN_SUMMARY_CHARS]
    if len(start) < _MIN_SUMMARY_CHARS // 2:
        return np.zeros(len(texts), np.bool_)
    return np.array([text.startswith(start) for text in texts])


def _targets(leaves: Sequence[Leaf]) -> list[NDArray[np.generic]]:
    """Tell of the first link in each leaf whether it leads within the page, names its site, and has a long end."""
    rows = [_target(leaf) if leaf.links else (0.0, 0.0, 0.0) for leaf in leaves]
    return list(np.array(rows, np.float32).T)


def _target(leaf: Leaf) -> tuple[float, float, float]:
    href = next((span.href for span in leaf.spans if span.href), "").strip()[:_MAX_HREF_CHARS]
    if href.startswith("#") or not href:
        return 1.0, 0.0, 0.0
    path = href.partition("?")[0].partition("#")[0].rstrip("/")
    end = path.rpartition("/")[2]
    long = len(end) >= _LONG_PART or sum(map(str.isdigit, end)) >= 5
    return 0.0, float("://" in href[:10]), float(long)
