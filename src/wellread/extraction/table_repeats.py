"""Leaves out repetitions of a table for windows of another width: as cards, as a list, or turned on its side."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Final

from wellread.segmentation import boxes

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy as np
    from numpy.typing import NDArray

    from wellread.segmentation.boxes import Box, Walked

_WORD: Final = re.compile(r"\w+")
_FEWEST: Final = 6
"""Words of a table's body: fewer may be said again by chance."""
_MOST_LEAVES: Final = 3
"""Leaves for each of the table that its twin may have: a label and a value for each cell."""


def leave_table_twins(is_kept: NDArray[np.bool_], walked: Walked, tables: Iterable[Box]) -> None:
    """Leave out the blocks right after or before a kept one of the `tables` that repeat the text of its body.

    They say no more than that, but words of its header cells may label it, any number of times.
    """
    for table in tables:
        inside = slice(table.first, table.end)
        if 2 * int(is_kept[inside].sum()) <= table.items:
            continue
        header, body = _words(table, walked)
        if body.total() < _FEWEST:
            continue
        reach = _MOST_LEAVES * table.items
        after = range(table.end, min(table.end + reach, len(is_kept)))
        before = range(table.first - 1, max(table.first - reach, 0) - 1, -1)
        for places in (after, before):
            for at in _twin(places, walked, header, body):
                is_kept[at] = False


def _words(table: Box, walked: Walked) -> tuple[Counter[str], Counter[str]]:
    """Return how often each word stands in the header cells of a table, and in the others."""
    header: Counter[str] = Counter()
    body: Counter[str] = Counter()
    for leaf in walked.leaves[table.first : table.end]:
        cell = next((box for box in leaf.box.around() if boxes.is_cell(box)), None)
        part = header if cell is not None and boxes.is_header_cell(cell) else body
        part.update(_WORD.findall(leaf.words.casefold()))
    return header, body


def _twin(places: Iterable[int], walked: Walked, header: Counter[str], body: Counter[str]) -> list[int]:
    """Return the first of these leaves that together repeat the body of a table exactly; none if they do not."""
    missing_words = body.copy()
    missing = body.total()
    spare = header.total() * max(len(body), 1)
    twin_leaves: list[int] = []
    for at in places:
        twin_leaves.append(at)
        for word in _WORD.findall(walked.leaves[at].words.casefold()):
            if missing_words[word] > 0:
                missing_words[word] -= 1
                missing -= 1
            elif word not in header or spare <= 0:
                return []
            else:
                spare -= 1
        if not missing:
            return twin_leaves
    return []
