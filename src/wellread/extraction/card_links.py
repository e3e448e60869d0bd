"""Finds the titles of cards whose link stands on a button, a badge or a picture: the title carries it instead."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.extraction.product_rules import PRICE
from wellread.segmentation.boxes import is_linked
from wellread.types import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.segmentation.boxes import Box, Leaf, Walked

_LEAST: Final = 3
"""Cards side by side."""
_MOST_LEAVES: Final = 12
_MOST_CHARS: Final = 1_000
"""Of one card."""
_LONGEST_TITLE: Final = 120
"""Characters."""
_LONGEST_LINE: Final = 60
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
        if box.parent is not None and 2 <= box.end - box.first <= _MOST_LEAVES:
            rows.setdefault((box.parent.index, box.tag, box.attributes.get("class")), []).append(box)
    titles: dict[int, str] = {}
    buttons: set[int] = set()
    for cards in rows.values():
        if len(cards) < _LEAST:
            continue
        members = [card for box in cards if (card := _card(box, walked.leaves, is_kept)) is not None]
        if len(members) < max(_LEAST, len(cards) // 2 + 1) or not _are_cards(members, walked.leaves):
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
    if sum(leaves[at].chars for at in inside) > _MOST_CHARS:
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
    if any(leaves[at].chars > _LONGEST_LINE for at in linked):
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
    lines = [at for at in inside if 1 < leaves[at].chars <= _LONGEST_TITLE and leaves[at].words[:1].isalnum()]
    named = [at for at in lines if PRICE.search(leaves[at].words) is None and not leaves[at].words[0].isdigit()]
    return next(iter(headings or named), None)


def _are_cards(cards: Sequence[_Card], leaves: Sequence[Leaf]) -> bool:
    """Tell whether the cards have links and titles of their own, and their links are called alike, or are badges."""
    if len({card.href for card in cards}) < len(cards) or len({leaves[card.title].words for card in cards}) < 2:
        return False
    labels = Counter(label for card in cards for label in card.labels)
    return all(count > 1 or not any(map(str.isalpha, label)) for label, count in labels.items())
