"""Finds text that a page has twice side by side, once for wide windows and once for narrow ones."""

from __future__ import annotations

import re
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.css.words import word_set

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from wellread.segmentation.boxes import Box, Walked

_SIZES: Final = word_set("xs sm md lg xl xxl small medium large mobile phone tablet desktop handheld narrow wide touch")
_STATES: Final = word_set("hide hidden show visible none only block flex grid table inline invisible")
"""Classes that hide or show by the width of the window have a word of each."""
_WORD: Final = re.compile(r"\w+")
_FEWEST: Final = 6
"""Words that a table and a list of the same have in common, whatever their classes."""


def twins(walked: Walked, unseen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the leaves that repeat the box beside theirs word for word; of a table and a list, the list.

    Of two of which one is `unseen` the other stays. Both boxes are called by the width of windows, or one is a table
    and the other none.
    """
    again = np.zeros(len(walked.leaves), np.bool_)
    before = [0, *accumulate([leaf.chars for leaf in walked.leaves])]
    with_tables = any(box.tag == "table" for box in walked.boxes)
    for first, second in _neighbours(walked):
        first_chars, second_chars = before[first.end] - before[first.first], before[second.end] - before[second.first]
        if first_chars > 2 * second_chars or second_chars > 2 * first_chars:
            continue  # each pair within a pair is half of it at most
        sized = _is_sized(first) and _is_sized(second)
        if not (sized or with_tables):
            continue
        tables = _is_table(first, walked), _is_table(second, walked)
        if not sized and tables[0] == tables[1]:
            continue
        if any(unseen[box.first : box.end].all() for box in (first, second)):
            continue
        words = _words(first, walked)
        if words and words == _words(second, walked) and (sized or len(words) >= _FEWEST):
            lost = first if tables[1] and not tables[0] else second
            again[lost.first : lost.end] = True
    return again


def _neighbours(walked: Walked) -> Iterator[tuple[Box, Box]]:
    """Yield the boxes with text that follow one another in one box, with no text between them."""
    last: dict[int, Box] = {}
    for box in walked.boxes:
        parent = box.parent
        if box.first == box.end or parent is None:
            continue
        before = last.get(parent.index)
        if before is not None and before.end == box.first:
            yield before, box
        last[parent.index] = box


def _is_table(box: Box, walked: Walked) -> bool:
    """Tell whether a box is a table, or holds nothing but one."""
    while box.tag != "table":
        if box.index + 1 == len(walked.boxes):
            return False
        inner = walked.boxes[box.index + 1]
        if inner.parent is not box or (inner.first, inner.end) != (box.first, box.end):
            return False
        box = inner
    return True


def _is_sized(box: Box) -> bool:
    """Tell whether a class of a box, as `d-md-none` and `mobile-only`, names a width and whether it shows there."""
    called = box.name_words
    return not _SIZES.isdisjoint(called) and not _STATES.isdisjoint(called)


def _words(box: Box, walked: Walked) -> list[str]:
    """Return the words in a box in order, without its column headers, which a list does not repeat."""
    leaves = (leaf for leaf in walked.leaves[box.first : box.end] if leaf.box.tag != "th")
    return [word.casefold() for leaf in leaves for word in _WORD.findall(leaf.words)]
