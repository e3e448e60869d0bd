"""Keeps repeated text that is about something else: a fact of a card with a name of its own, an item of a list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.segmentation.boxes import is_linked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wellread.extraction.context_features import Integers
    from wellread.extraction.features import Features
    from wellread.segmentation.boxes import Box, Walked
    from wellread.types import PageType

_MAX_CARD_LEAVES: Final = 16
_FEWEST_ITEMS: Final = 3
"""Items of a list, or cells of a table, enough to tell the nature of the others."""
_ROWS: Final = frozenset({"ul", "ol", "dl", "table", "tbody", "tr"})
_LISTS: Final = ("listing", "collection")


def repeated_facts(
    is_kept: NDArray[np.bool_], is_repeated: NDArray[np.bool_], walked: Walked, page: Features, kind: PageType
) -> list[int]:
    """Return which of the leaves that are `said` before belong to something that is kept, and said nowhere else.

    Two conferences in one city have the same line for it, and two lists of requirements the same first item: each says
    it of its own. A form of the list for other windows repeats the names, too.
    """
    worded = page.sizes > 0
    with_words, kept_words = (
        np.cumsum(np.insert(marks, 0, False), dtype=np.intp) for marks in (worded, worded & is_kept)
    )
    facts = []
    for at in np.flatnonzero(is_repeated & ~is_kept & (page.sizes > 0)).tolist():
        around = walked.leaves[at].box.around()
        in_list = _is_in_kept_list(
            at, next((box for box in around if box.tag in _ROWS), None), page, with_words, kept_words
        )
        if in_list or (kind in _LISTS and _is_of_card(at, walked, is_kept, page.origin)):
            facts.append(at)
    return facts


def _is_in_kept_list(at: int, row: Box | None, page: Features, with_words: Integers, kept_words: Integers) -> bool:
    """Tell whether most items of the list around a leaf are kept, and it is said in none of them."""
    if row is None or row.first <= page.origin[at] < row.end:
        return False
    items, kept_items = (int(counts[row.end] - counts[row.first]) for counts in (with_words, kept_words))
    return items >= _FEWEST_ITEMS and 2 * kept_items > items


def _is_of_card(at: int, walked: Walked, is_kept: NDArray[np.bool_], origin: Integers) -> bool:
    """Tell whether the smallest box around a leaf that holds other kept text has a name among it: a heading or a link.

    The name is said nowhere before, and what is said again is no name itself: a heading only below the card's own.
    """
    leaves = walked.leaves
    for box in leaves[at].box.around():
        if box.items > _MAX_CARD_LEAVES:
            return False
        others = [
            place for place in range(box.first, box.end) if place != at and is_kept[place] and leaves[place].chars
        ]
        if others:
            first = [leaves[place] for place in others if origin[place] == place]
            names = [leaf for leaf in first if leaf.heading or is_linked(leaf)]
            level = leaves[at].heading
            is_below = not level or any(0 < name.heading < level for name in names)
            return bool(names) and is_below and not box.first <= origin[at] < box.end
    return False
