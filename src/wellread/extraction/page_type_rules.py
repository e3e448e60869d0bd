"""Rules for parts that pages of one type have: cards of listings, offers of products, comments and reviews.

`selection_rules.py` has the order in which they run.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.css.words import word_set
from wellread.extraction import lexicon
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.segmentation.boxes import is_linked
from wellread.types import Notice, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats
    from wellread.extraction.features import Features
    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Box, Leaf, Walked
    from wellread.types import PageType


# ---------------------------------------------------------------------------------------------------- cards of listings
# Keeps the cards of a listing together: all of them where most are kept, each with its title and its price.

_CUT: Final = Notice("cards_left_out", "some entries of the page's list are not in the text; mode `recall` keeps more")
_MIN_CARDS: Final = 6
"""Cards: fewer in a row may be a banner, if any of them has no price."""
_MIN_PRICED_CARDS: Final = 2
_MAX_MEAN_LEAVES: Final = 16
_MAX_MEAN_CHARS: Final = 800
"""Leaves and characters that a card holds at most, on average."""
_MIN_TITLE_LIKELIHOOD: Final = 0.6
"""How likely titles must be, compared with what is kept, to be kept as the page's largest group."""
_MAX_PRICE_LINE_CHARS: Final = 60
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
    least = _MIN_TITLE_LIKELIHOOD * likely[is_kept].min()
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
        small = itertools.takewhile(lambda box: box.items <= _MAX_MEAN_LEAVES, leaves[at].box.around())
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
    short = leaf.chars <= _MAX_PRICE_LINE_CHARS and not leaf.heading
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
            count >= _MIN_PRICED_CARDS
            and boxes[0].first > end
            and 2 * count <= items <= _MAX_MEAN_LEAVES * count
            and chars <= _MAX_MEAN_CHARS * count
        ):
            group = _group(boxes, walked.leaves, page.sizes)
            if count >= _MIN_CARDS or all(any(box.first <= at < box.end for at in group.prices) for box in boxes):
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
        if len(siblings) >= _MIN_CARDS and len(by_kind) > 1 and _share_class([box for box, _ in siblings]):
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
    prices = [at for at in every if leaves[at].chars <= _MAX_PRICE_LINE_CHARS and PRICE.search(leaves[at].words)]
    return CardGroup(boxes, titles or [max(spot, key=sizes.__getitem__) for spot in spots], prices)


# ------------------------------------------------------------------------------------------------------- links of cards
# Finds the titles of cards whose link stands on a button, a badge or a picture: the title carries it instead.

_MIN_LINKED_CARDS: Final = 3
"""Cards side by side."""
_MAX_CARD_LEAVES: Final = 12
_MAX_CARD_CHARS: Final = 1_000
"""Of one card."""
_MAX_TITLE_CHARS: Final = 120
"""Characters."""
_MAX_LINK_LINE_CHARS: Final = 60
"""Characters of the line of a card in which its link stands."""
_MOST_BUTTON_WORDS: Final = 4
_IMAGE: Final = int(Style.IMAGE)


class CardLinks(NamedTuple):
    """The titles that carry the links of cards, and the buttons that they replace."""

    titles: dict[int, str]
    """By leaf: the link of its card, as it is written."""
    buttons: frozenset[int]
    """Leaves that say nothing but that link."""


def card_links(walked: Walked, is_kept: Sequence[bool]) -> CardLinks:
    """Return which kept titles carry the links of their cards, and the buttons that are told by them.

    A card is one of at least three boxes alike in one box, each with one link of its own; its words are short, and no
    part of a sentence. Where titles have links, nothing is moved.
    """
    rows: dict[tuple[int, str, str | None], list[Box]] = {}
    for box in walked.boxes:
        if box.parent is not None and 2 <= box.end - box.first <= _MAX_CARD_LEAVES:
            rows.setdefault((box.parent.index, box.tag, box.attributes.get("class")), []).append(box)
    titles: dict[int, str] = {}
    buttons: set[int] = set()
    for cards in rows.values():
        if len(cards) < _MIN_LINKED_CARDS:
            continue
        members = [card for box in cards if (card := _card(box, walked.leaves, is_kept)) is not None]
        if len(members) < max(_MIN_LINKED_CARDS, len(cards) // 2 + 1) or not _are_cards(members, walked.leaves):
            continue
        for card in members:
            titles[card.title] = card.href
            buttons.update(card.buttons)
    return CardLinks(titles, frozenset(buttons))


class _Card(NamedTuple):
    title: int
    href: str
    buttons: tuple[int, ...]
    """Leaves that are its link and nothing else."""
    labels: tuple[str, ...]
    """The labels of its link."""


def _card(box: Box, leaves: Sequence[Leaf], is_kept: Sequence[bool]) -> _Card | None:
    """Return the card that a box is, if it has one link and a title without a link."""
    inside = range(box.first, box.end)
    if sum(leaves[at].chars for at in inside) > _MAX_CARD_CHARS:
        return None
    hrefs = {span.href: at for at in inside for span in leaves[at].spans if _is_link(span.href, span.style)}
    pictures = {href: at for at in inside for href in _picture_links(leaves[at])}
    if len(hrefs.keys() | pictures.keys()) != 1:
        return None
    [href] = hrefs.keys() | pictures.keys()
    linked = [at for at in inside if leaves[at].links]
    labels = ["".join(span.text for span in leaves[at].spans if span.href).strip().lower() for at in linked]
    if href is None or any(label.count(" ") >= _MOST_BUTTON_WORDS for label in labels):
        return None
    if any(leaves[at].chars > _MAX_LINK_LINE_CHARS for at in linked):
        return None
    title = _title(box, leaves, is_kept)
    if title is None or title in linked:
        return None
    return _Card(title, href, tuple(at for at in linked if is_linked(leaves[at])), tuple(filter(None, labels)))


def _is_link(href: str | None, style: int) -> bool:
    return href is not None and not href.startswith("#") and not style & _IMAGE


def _picture_links(leaf: Leaf) -> list[str]:
    """Return the targets of links around pictures alone, in which no words stand."""
    if leaf.words:
        return []
    links = [attributes.get("href") for tag, attributes in leaf.inner if tag == "a"]
    around = next((box for box in leaf.box.around() if box.tag == "a"), None)
    if around is not None and around.items == 1:
        links.append(around.attributes.get("href"))
    return [href for href in links if href and not href.startswith("#")]


def _title(box: Box, leaves: Sequence[Leaf], is_kept: Sequence[bool]) -> int | None:
    """Return the heading of a card, or else its first line that names something."""
    inside = [at for at in range(box.first, box.end) if is_kept[at] and not leaves[at].links]
    headings = [at for at in inside if leaves[at].heading]
    lines = [at for at in inside if 1 < leaves[at].chars <= _MAX_TITLE_CHARS and leaves[at].words[:1].isalnum()]
    named = [at for at in lines if PRICE.search(leaves[at].words) is None and not leaves[at].words[0].isdigit()]
    return next(iter(headings or named), None)


def _are_cards(cards: Sequence[_Card], leaves: Sequence[Leaf]) -> bool:
    """Tell whether the cards have links and titles of their own, and their links are called alike, or are badges."""
    if len({card.href for card in cards}) < len(cards) or len({leaves[card.title].words for card in cards}) < 2:
        return False
    labels = Counter(label for card in cards for label in card.labels)
    return all(count > 1 or not any(map(str.isalpha, label)) for label, count in labels.items())


# --------------------------------------------------------------------------------------------------- offers of products
# Rules for the offer beside a product: its price and its availability.

_MAX_OFFER_DISTANCE: Final = 40
"""Blocks after the product's name."""
_MIN_OFFER_LIKELIHOOD: Final = 0.8
"""How likely a line must be, compared with the kept leaves."""
_MAX_STOCK_CHARS: Final = 100
_STOCK_NAMES: Final = word_set("stock availability instock delivery shipping")
_STOCK: Final = lazy_pattern(
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
PRICE: Final = lazy_pattern(rf"{_SIGN}\s?\d|\d[\d.,'\s]{{0,12}}{_SIGN}", re.IGNORECASE)
_OFFER: Final = lazy_pattern(rf"(?:now |from |price:? )?(?:[a-z]{{1,3}} ?)?(?:{PRICE.pattern})", re.IGNORECASE)
_MAX_PRICE_CHARS: Final = 40
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
    least = _MIN_OFFER_LIKELIHOOD * likely[is_kept].min()
    near = range(name, min(name + _MAX_OFFER_DISTANCE, len(leaves)))
    prices = [at for at in near if leaves[at].chars <= _MAX_PRICE_CHARS and _OFFER.match(leaves[at].words)]
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
    if leaf.chars > _MAX_STOCK_CHARS or leaf.links:
        return False
    return _STOCK.search(leaf.words) is not None or not _STOCK_NAMES.isdisjoint(leaf.box.name_words)


# ------------------------------------------------------------------------------------------------- comments and reviews
# Rules for comments of readers and reviews of buyers below a page.
#
# The ground truth has hardly any, so the networks leave most of them out. Mode `recall` keeps them; the other modes
# count them in a notice.

_COMMENT: Final = 1 << lexicon.CATEGORIES.index("comment")
_REVIEW: Final = 1 << lexicon.CATEGORIES.index("review")
_FORM: Final = lexicon.categories("form", None)
_MIN_COMMENT_WORDS: Final = 8
"""Words: fewer are names, dates, stars and buttons."""
_MIN_COMMENTS: Final = 2
"""A single comment is mostly a note of the site about comments."""
_ANSWERS: Final = lexicon.COMMENTS | lexicon.REVIEWS
_BUTTONS: Final = frozenset({"plea", "comments", "section"})
"""Purposes of lines among comments that say nothing."""
_MIN_NEWS_WORDS: Final = 50
_WHOLE_PAGE_SHARE: Final = 0.9
"""Share of a page's text: a box that holds so much is the page, whatever it is called."""
_NO_COMMENTS: Final = word_set(
    "rules policy guidelines menu nav navbar navigation dropdown sidebar sort sorting pager pagination"
)
"""Class words of boxes among comments that are no comments."""
_UNHEARD: Final = Notice("comments_left_out", "some comments of readers are not in the text; mode `recall` keeps them")
_UNREAD: Final = Notice("reviews_left_out", "some reviews of buyers are not in the text; mode `recall` keeps them")


def keep_comments(page: ScoredPage, selection: Selection) -> Selection:
    """Keep whole comments and reviews, with their authors and dates.

    Other modes keep those that the networks keep: to keep all likely reviews costs .005 F1 on products.
    """
    is_kept = selection.is_kept.copy()
    for inside, long, _ in _comment_groups(is_kept, page, selection.page_type):
        if long.sum() >= _MIN_COMMENTS:
            spots = np.flatnonzero(inside).tolist()
            is_kept[[at for at in spots if lexicon.line_purpose(page.walked.leaves[at].words) not in _BUTTONS]] = True
    return selection._replace(is_kept=is_kept & ~selection.is_unread)


def leave_comments(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out the comments below an article that the page declares to be news: `count_comments` counts them.

    However many there are, they are not what the page is about.
    """
    if not page.walked.is_news:
        return selection
    around = page.features.around
    called = around.categories[around.own]
    inside = ((called & _COMMENT) > 0) & _comment_mask(page.walked, page.sizes)
    remaining = selection.leave_out(np.flatnonzero(inside))
    if page.sizes @ remaining.is_kept < _MIN_NEWS_WORDS:
        return selection
    return remaining


def count_comments(page: ScoredPage, selection: Selection) -> Selection:
    """Count the comments and reviews that are not kept in a notice: 60 of WCXB's 1,497 pages have some.

    The lines of posts that bylines stand for are not left out.
    """
    is_read = selection.is_kept.copy()
    is_read[[at for post in selection.posts for at in post.byline_leaves]] = True
    groups = _comment_groups(selection.is_kept, page, selection.page_type)
    lost = [(notice, int((long & ~is_read).sum())) for _, long, notice in groups]
    notices = (notice._replace(count=count) for notice, count in lost if count >= _MIN_COMMENTS)
    return selection._replace(notices=(*selection.notices, *notices))


def _comment_groups(
    is_kept: NDArray[np.bool_], page: ScoredPage, kind: PageType
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_], Notice]]:
    """Yield the leaves in boxes called comments or reviews, the long ones among them, and the notice for them.

    Boxes that hold most of the kept text, and more kept text than text left out, are not yielded: they are the page
    itself, not comments on it.
    """
    around = page.features.around
    called = around.categories[around.own]
    if not (called & (_COMMENT | _REVIEW)).any():
        return
    free = ((called & _FORM) == 0) & _comment_mask(page.walked, page.sizes)
    reviews = ((called & _REVIEW) > 0) & free & np.bool_(kind == "product")
    for inside, notice in ((((called & _COMMENT) > 0) & free & ~reviews, _UNHEARD), (reviews, _UNREAD)):
        kept_inside, kept_outside, lost_inside = (
            page.sizes @ (inside & is_kept),
            page.sizes @ (is_kept & ~inside),
            page.sizes @ (inside & ~is_kept),
        )
        if kept_inside <= max(kept_outside, lost_inside - kept_outside):
            yield inside, inside & (page.sizes >= _MIN_COMMENT_WORDS), notice


def _comment_mask(walked: Walked, sizes: Floats) -> NDArray[np.bool_]:
    """Return a mask of the leaves in a box of comments that is not the whole page, without the controls beside them."""
    words = [0.0, *np.cumsum(sizes).tolist()]
    least = _WHOLE_PAGE_SHARE * words[-1]
    answers = [False] * len(walked.boxes)
    beside = [False] * len(walked.boxes)
    for box in walked.boxes:
        around = box.parent.index if box.parent is not None else box.index
        called = box.name_words
        is_whole = box.parent is None or words[box.end] - words[box.first] >= least
        is_answer = not called.isdisjoint(_ANSWERS)
        answers[box.index] = answers[around] or (is_answer and not is_whole)
        is_beside = answers[around] and not is_answer and not called.isdisjoint(_NO_COMMENTS)
        beside[box.index] = beside[around] or is_beside
    spots = (leaf.box.index for leaf in walked.leaves)
    return np.array([answers[spot] and not beside[spot] for spot in spots], np.bool_)
