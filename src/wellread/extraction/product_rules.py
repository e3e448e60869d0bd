"""Rules for the offer beside a product: its price and its availability."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.css.words import word_set
from wellread.seen import names

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Leaf, Walked

_NEAR: Final = 40
"""Blocks after the product's name."""
_LIKELY: Final = 0.8
"""How likely a line must be, compared with the kept leaves."""
_LONGEST: Final = 100
_CALLED: Final = word_set("stock availability instock delivery shipping")
_STOCK: Final = re.compile(
    r"\b(?:(?:in|out of) stock|sold out|available|back ?order|pre-?order|(?:free |fast )?(?:shipping|delivery|returns)"
    r"|ships|dispatch(?:ed)?)\b",
    re.IGNORECASE,
)
_SYMBOLS: Final = (
    r"$\u00a2\u00a3\u00a4\u00a5\u058f\u060b\u09f2\u09f3\u0af1\u0bf9\u0e3f\u17db"
    r"\u20a0-\u20c0\ufdfc\ufe69\uff04\uffe0\uffe1\uffe5\uffe6"
)
"""The characters of Unicode's category Sc that are in use."""
_CODES: Final = (
    "CNY|INR|AUD|NZD|SGD|HKD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BGN|UAH|RUB|BRL|MXN|ZAR|KRW|THB|MYR|IDR|TWD|AED|SAR|ILS"
    "|K\u010d|\u043b\u0432|\u0440\u0443\u0431|\u0433\u0440\u043d|Rs\\.?|Rp|RM"
)
"""Of ISO 4217 (those traded most), and short forms. Codes that are words, too (`CAD`, `PHP`, `TRY`), are not here."""
_SIGN: Final = (
    rf"(?:[{_SYMBOLS}\u5143\u5186\uc6d0]"
    rf"|(?<![^\W\d_])(?:USD|EUR|GBP|CHF|JPY|kr|z\u0142|(?-i:{_CODES}))(?![^\W\d_]))"
)
PRICE: Final = re.compile(rf"{_SIGN}\s?\d|\d[\d.,'\s]{{0,12}}{_SIGN}", re.IGNORECASE)
_OFFER: Final = re.compile(rf"(?:now |from |price:? )?(?:[a-z]{{1,3}} ?)?(?:{PRICE.pattern})", re.IGNORECASE)
_LONGEST_PRICE: Final = 40
_STATES: Final = (
    ("price__regular", "price--on-sale", False),
    ("price__sale", "price--on-sale", True),
    ("price__badge-sale", "price--on-sale", True),
    ("price__badge-sold-out", "price--sold-out", True),
)
"""Part of a price, the class of the state, and whether it is shown in that state or in all others."""
_PRICED: Final = frozenset(name for part, shown, _ in _STATES for name in ("price", part, shown))


def keep_offer(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the price below the product's name, and likely lines on stock and delivery.

    Most truths have no price, but who asks for a product asks for that; it costs no F1 (five folds).
    """
    is_kept, likely, leaves = selection.is_kept.copy(), page.likely, page.walked.leaves
    name = next((at for at, leaf in enumerate(leaves) if leaf.heading == 1), int(is_kept.argmax()))
    least = _LIKELY * likely[is_kept].min()
    near = range(name, min(name + _NEAR, len(leaves)))
    prices = [at for at in near if leaves[at].chars <= _LONGEST_PRICE and _OFFER.match(leaves[at].words)]
    if not any(is_kept[at] for at in prices if leaves[at].words == leaves[prices[0]].words):
        is_kept[prices[:1]] = True
    for at in near:
        if not is_kept[at] and likely[at] >= least and _is_stock(leaves[at]):
            is_kept[at] = True
    return selection._replace(is_kept=is_kept)


def other_states(walked: Walked) -> NDArray[np.bool_]:
    """Tell which leaves are prices and badges of a state that a product is not in: on sale, sold out.

    The themes that most shops of one maker use write all of them, and style sheets elsewhere show those of the state
    that the class of the box around them tells: `price price--on-sale`.
    """
    other = np.zeros(len(walked.leaves), np.bool_)
    if not any("price__" in (box.attributes.get("class") or "") for box in walked.boxes if box.items):
        return other
    # No longer than the page: a class may be around, or in, all of its lines, and be long.
    price_names = cache(lambda called: _PRICED.intersection((called or "").split()))
    around: list[tuple[frozenset[str], frozenset[str]]] = []
    """By box, the names that tell the state it is in, and those of all boxes around it."""
    for box in walked.boxes:
        box_names = price_names(box.attributes.get("class"))
        state, parts = names.NONE, names.NONE
        if box.parent:
            state, parts = around[box.parent.index]
        if "price" in box_names:
            state = box_names
        around.append((state, box_names | parts))
    for at, leaf in enumerate(walked.leaves):
        state, parts = around[leaf.box.index]
        if state:
            parts = parts.union(*(price_names(attributes.get("class")) for _, attributes in leaf.inner))
            other[at] = any(part in parts and (shown in state) is not is_shown for part, shown, is_shown in _STATES)
    return other


def _is_stock(leaf: Leaf) -> bool:
    if leaf.chars > _LONGEST or leaf.links:
        return False
    return _STOCK.search(leaf.words) is not None or not _CALLED.isdisjoint(leaf.box.name_words)
