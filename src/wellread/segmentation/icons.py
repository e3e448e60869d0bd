"""Reads pictures that are the answer: a tick or a cross alone in a table's cell, a cross before an item of a plan.

Only as two signs, by what they are called: at length, a name would be text that nobody sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.seen import names

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from selectolax.lexbor import LexborNode

    Shows = Callable[[LexborNode, str, Mapping[str, str | None]], bool]

HOLDERS: Final = frozenset({"td", "th", "li"})
TICK: Final = "\u2713"
CROSS: Final = "\u2717"
_TAGS: Final = ("svg", "use", "i", "span", "img")
_PICTURES: Final = ", ".join(_TAGS)
_MOST: Final = 6
"""Elements that draw one picture, and items on either side of one."""
_LONGEST_NAME: Final = 100
_LONGEST_LABEL: Final = 20
_YES: Final = word_set("check checkmark checked tick yes included available success true")
_NO: Final = word_set("cross times xmark x no not close cancel excluded unavailable uncheck unchecked false ban")


def told(node: LexborNode, tag: str, shows: Shows) -> str:
    """Return what the picture says that a cell is, or an item of a list begins with."""
    if tag == "li":
        return f"{CROSS} " if _is_crossed(node, shows) else ""
    return _mark(node, shows)


def _mark(cell: LexborNode, shows: Shows) -> str:
    """Return a tick or a cross, or nothing where a cell has words, or no such picture that is seen."""
    first = cell.first_child
    if first is None or (first.tag == "-text" and (first.text_content or "").strip()):
        return ""  # as nearly all
    return _drawn(cell.css(_PICTURES)[:_MOST], shows) if _is_silent(cell) else ""


def _is_crossed(item: LexborNode, shows: Shows) -> bool:
    """Tell whether an item begins with a cross, where others of its list begin with a tick: it is not to be had."""
    if _first(item, shows) != CROSS:
        return False
    before, after = item, item
    for _ in range(2 * _MOST):  # every other node is white space
        before, after = before.prev or before, after.next or after
        if TICK in {_first(one, shows) for one in (before, after) if one.tag == "li"}:
            return True
    return False


def _first(item: LexborNode, shows: Shows) -> str:
    first = item.first_child
    while first is not None and first.tag == "-text" and not (first.text_content or "").strip():
        first = first.next
    if first is None or first.tag not in _TAGS or not _is_silent(first):
        return ""
    return _drawn([first, *first.css(_PICTURES)[:_MOST]], shows)


def _is_silent(node: LexborNode) -> bool:
    """Tell whether a node has no text but the titles of drawings."""
    text = (node.text(deep=True) or "").strip()
    return not text or (len(text) <= _LONGEST_LABEL and text == "".join(one.text().strip() for one in node.css("svg")))


def _drawn(pictures: Iterable[LexborNode], shows: Shows) -> str:
    said: set[str] = set()
    for node in pictures:
        attributes = node.attributes
        if not shows(node, node.tag or "", attributes) or attributes.get("alt"):
            return ""
        link = attributes.get("href") or attributes.get("xlink:href") or attributes.get("src") or ""
        label = attributes.get("aria-label") or ""
        said.update(names.of(attributes), names.words(link.rpartition("/")[2][:_LONGEST_NAME]))
        said.update(names.words(label) if len(label) <= _LONGEST_LABEL else ())
    yes, no = not said.isdisjoint(_YES), not said.isdisjoint(_NO)
    negated = "not" in said  # `not included`
    return CROSS if no and (negated or not yes) else TICK if yes and not no else ""
