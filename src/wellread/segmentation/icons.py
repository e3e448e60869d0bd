"""Reads pictures that are the answer: a tick or a cross alone in a table's cell, a cross before an item of a plan.

What style sheets draw counts where cells of the same table say otherwise: else its name speaks of a column.

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
_DRAWN: Final = "img, svg, input, button, select, canvas, video, iframe"
_PARTS: Final = frozenset({"tbody", "thead", "tfoot"})
_MOST: Final = 6
"""Elements that draw one picture, and items on either side of one."""
_LONGEST_NAME: Final = 100
_LONGEST_LABEL: Final = 20
_YES: Final = word_set("check checkmark checked tick yes included available success true")
_NO: Final = word_set("cross times xmark x no not close cancel excluded unavailable uncheck unchecked false ban")
_TICKED: Final = word_set("check checkmark checked tick ticked")
_CROSSED: Final = word_set("cross crossed crossmark xmark uncheck unchecked unticked not")


class Signs:
    """The signs of one page, and of which of its tables the cells differ."""

    def __init__(self) -> None:
        self._differing: dict[int, bool] = {}

    def told(self, node: LexborNode, tag: str, shows: Shows) -> str:
        """Return what the picture says that a cell is, or an item of a list begins with."""
        if tag == "li":
            return f"{CROSS} " if _is_crossed(node, shows) else ""
        first = node.first_child
        if first is not None and first.tag == "-text" and (first.text_content or "").strip():
            return ""  # as nearly all
        drawn = _drawn(node.css(_PICTURES)[:_MOST], shows) if first is not None and _is_silent(node) else ""
        return drawn or (self._styled(node, shows) if tag == "td" else "")

    def _styled(self, cell: LexborNode, shows: Shows) -> str:
        """Return the sign that style sheets draw in an empty cell, if it does not stand in all of its table."""
        sign = _called(cell)
        table = cell.parent if sign and all(shows(one, one.tag or "", one.attributes) for one in _inner(cell)) else None
        while table is not None and table.tag != "table":
            table = table.parent
        if table is None:
            return ""
        if table.mem_id not in self._differing:
            self._differing[table.mem_id] = _differs(table)
        return sign if self._differing[table.mem_id] else ""


def _differs(table: LexborNode) -> bool:
    """Tell whether cells of a table are empty or crossed where others are ticked, and none with words is called so.

    Its first row and column are no answers.
    """
    found: set[str] = set()
    rows = [row for part in table.iter() for row in (part.iter() if part.tag in _PARTS else (part,)) if row.tag == "tr"]
    for cell in (cell for row in rows[1:] for cell in list(row.iter())[1:]):
        sign = _called(cell)
        if (cell.text(deep=True) or "").strip():
            if sign:
                return False
        elif cell.css_first(_DRAWN) is None:
            found.add(sign)
    return len(found) > 1


def _called(cell: LexborNode) -> str:
    """Return the sign that a cell, or what is in it, is called by."""
    said = names.of(cell.attributes).union(*(names.of(one.attributes) for one in _inner(cell)))
    yes, no = not said.isdisjoint(_TICKED), not said.isdisjoint(_CROSSED)
    return CROSS if no and (not yes or "not" in said) else TICK if yes and not no else ""


def _inner(cell: LexborNode) -> list[LexborNode]:
    """Return the first elements that stand in one another in a cell."""
    found: list[LexborNode] = []
    first = cell.first_child
    while first is not None and len(found) < _MOST:
        if first.is_element_node:
            found.append(first)
            first = first.first_child
        else:
            first = first.next
    return found


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
