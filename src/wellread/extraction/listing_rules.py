"""Keeps the cards of a listing together: all of them where most are kept, each with its title and its price."""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.extraction.product_rules import PRICE
from wellread.segmentation.boxes import is_linked
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats
    from wellread.extraction.features import Features
    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Box, Leaf, Walked

_CUT: Final = Notice("cards_left_out", "some entries of the page's list are not in the text; mode `recall` keeps more")
_LEAST: Final = 6
"""Cards: fewer in a row may be a banner, if any of them has no price."""
_FEWEST: Final = 2
_MOST_LEAVES: Final = 16
_MOST_CHARS: Final = 800
"""Leaves and characters that a card holds at most, on average."""
_LIKELY: Final = 0.6
"""How likely titles must be, compared with what is kept, to be kept as the page's largest group."""
_LONGEST_PRICE: Final = 60
_FEW_WORDS: Final = 2
"""Shorter texts may well appear twice."""
_LEAST_FIELDS: Final = 4
"""Cards with a field that are enough to judge by how many of them keep it."""


class CardGroup(NamedTuple):
    """Boxes of one path of tags and classes in one box."""

    boxes: Sequence[Box]
    titles: list[int]
    """The leaves with their headings, or else their longest."""
    prices: list[int]


def keep_cards(page: ScoredPage, selection: Selection) -> Selection:
    """Keep whole each group that is mostly kept, and the largest if likely; count the cards that still lacks.

    F1 on collections .7297 to .7304 with the prices, +.002 with rows of fewer than six cards that have prices.
    """
    is_kept, likely = selection.is_kept.copy(), page.likely
    groups = _groups(page.walked, page.features)
    if not groups:
        return selection
    least = _LIKELY * likely[is_kept].min()
    largest = max(groups, key=lambda group: len(group.boxes) * likely[group.titles].mean())
    for group in groups:
        # Prices alone tell nobody anything: their names belong to them.
        kept_share = max(is_kept[leaves].mean() for leaves in (group.titles, group.prices) if leaves)
        if kept_share > 1 / 2 or (group is largest and likely[group.titles].mean() >= least):
            fields = _mostly_kept_fields(is_kept, group, page.walked.leaves)
            spots = dict.fromkeys(group.titles + group.prices + fields)
            missing = np.array([at for at in spots if not is_kept[at]], np.intp)
            is_kept[missing] = True
            is_kept[_repeats(is_kept, missing, group, page.features)] = False
    lost = sum(not is_kept[box.first : box.end].any() for box in largest.boxes)
    notices = (*selection.notices, _CUT._replace(count=lost)) if lost else selection.notices
    return selection._replace(is_kept=is_kept, notices=notices)


def leave_prices(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out prices of cards with nothing else kept, where the card names its product: another product.

    F1 on collections +.0005.
    """
    is_kept, leaves = selection.is_kept.copy(), page.walked.leaves
    for at in np.flatnonzero(is_kept).tolist():
        if not _is_price(leaves[at]):
            continue
        small = itertools.takewhile(lambda box: box.items <= _MOST_LEAVES, leaves[at].box.around())
        inside = (range(box.first, box.end) for box in small)
        others = next(filter(None, ([place for place in spot if not _is_price(leaves[place])] for spot in inside)), [])
        is_kept[at] = is_kept[others].any() or not any(map(_is_name, (leaves[place] for place in others)))
    return selection._replace(is_kept=is_kept)


def _mostly_kept_fields(is_kept: NDArray[np.bool_], group: CardGroup, leaves: Sequence[Leaf]) -> list[int]:
    """Return the leaves of fields that most cards keep which have them: a list with a column half empty is wrong.

    A field is what lies in boxes of the same tags and classes below the card. What is the same in most of them is a
    button, and what has no letters a count: the reader's choice stands.
    """
    fields: dict[tuple[tuple[str, str | None], ...], list[int]] = {}
    for card in group.boxes:
        for at in range(card.first, card.end):
            within = (box for box in leaves[at].box.around() if box.depth > card.depth)
            path = tuple((box.tag, box.attributes.get("class")) for box in within)
            fields.setdefault(path, []).append(at)
    field_leaves: list[int] = []
    for spots in fields.values():
        if len(spots) < _LEAST_FIELDS or is_kept[spots].mean() <= 1 / 2:
            continue
        [(_, same)] = Counter(leaves[at].words for at in spots).most_common(1)
        if 2 * same <= len(spots):
            field_leaves.extend(at for at in spots if any(map(str.isalpha, leaves[at].words)))
    return field_leaves


def _is_price(leaf: Leaf) -> bool:
    """Return whether a leaf is a price, or a line beside one that names nothing: a picture, a discount."""
    short = leaf.chars <= _LONGEST_PRICE and not leaf.heading
    return short and (not leaf.words or "%" in leaf.words or PRICE.search(leaf.words) is not None)


def _is_name(leaf: Leaf) -> bool:
    return " " in leaf.words and (leaf.heading > 0 or is_linked(leaf))


def _repeats(is_kept: NDArray[np.bool_], added: NDArray[np.intp], group: CardGroup, page: Features) -> NDArray[np.intp]:
    """Return which of the `added` leaves repeat text: a list may appear in several forms.

    Text of an earlier card stays in a card with a price: variants of a product have one name.
    """
    card = np.full(len(is_kept), -1)
    for number, box in enumerate(group.boxes):
        card[box.first : box.end] = number
    origin_card = card[page.origin]
    is_repeated = (page.origin[added] < added) & is_kept[page.origin[added]] & (page.sizes[added] > _FEW_WORDS)
    variant = (origin_card[added] >= 0) & (origin_card[added] != card[added]) & np.isin(card[added], card[group.prices])
    repeats: NDArray[np.intp] = added[is_repeated & ~variant]
    return repeats


def _groups(walked: Walked, page: Features) -> list[CardGroup]:
    before = [0, *itertools.accumulate(leaf.chars for leaf in walked.leaves)]
    groups: list[CardGroup] = []
    end = -1
    for boxes in _rows(walked, page):
        count = len(boxes)
        items = sum(box.items for box in boxes)
        chars = sum(before[box.end] - before[box.first] for box in boxes)
        if (
            count >= _FEWEST
            and boxes[0].first > end
            and 2 * count <= items <= _MOST_LEAVES * count
            and chars <= _MOST_CHARS * count
        ):
            group = _group(boxes, walked.leaves, page.sizes)
            if count >= _LEAST or all(any(box.first <= at < box.end for at in group.prices) for box in boxes):
                end = boxes[-1].end - 1
                groups.append(group)
    return groups


def _rows(walked: Walked, page: Features) -> list[list[Box]]:
    """Return the boxes of one box that are called alike, in document order of the first of each row.

    Those of one tag are alike, too, if all of them share a class: shops give each entry classes of its own besides, as
    `product post-123 in-stock`.
    """
    children: dict[tuple[int, str], list[tuple[Box, int]]] = {}
    for box, kind in zip((box for box in walked.boxes if box.items), page.around.kinds.tolist(), strict=True):
        if box.parent is not None:
            children.setdefault((box.parent.index, box.tag), []).append((box, kind))
    rows: list[list[Box]] = []
    for siblings in children.values():
        by_kind: dict[int, list[Box]] = {}
        for box, kind in siblings:
            by_kind.setdefault(kind, []).append(box)
        if len(siblings) >= _LEAST and len(by_kind) > 1 and _share_class([box for box, _ in siblings]):
            rows.append([box for box, _ in siblings])
        else:
            rows.extend(by_kind.values())
    return sorted(rows, key=lambda row: row[0].index)


def _share_class(boxes: Sequence[Box]) -> bool:
    shared = set((boxes[0].attributes.get("class") or "").split())
    for box in boxes:
        shared.intersection_update((box.attributes.get("class") or "").split())
        if not shared:
            return False
    return True


def _group(boxes: Sequence[Box], leaves: Sequence[Leaf], sizes: Floats) -> CardGroup:
    spots = [range(box.first, box.end) for box in boxes]
    titles = [at for at in itertools.chain(*spots) if leaves[at].heading]
    every = itertools.chain(*spots)
    prices = [at for at in every if leaves[at].chars <= _LONGEST_PRICE and PRICE.search(leaves[at].words)]
    return CardGroup(boxes, titles or [max(spot, key=sizes.__getitem__) for spot in spots], prices)
