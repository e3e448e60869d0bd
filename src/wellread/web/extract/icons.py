"""Reads the one picture of a table's cell that says nothing else: a tick or a cross is the answer there.

Only by its names, as two signs: what it is called in words, nobody sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.seen import names

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from selectolax.lexbor import LexborNode

_PICTURES: Final = "svg, use, i, span, img"
_MOST: Final = 6
_LONGEST_CELL: Final = 1_000
"""Characters of markup: more is no icon but a drawing; of its names the first are enough."""
_YES: Final = word_set("check checkmark checked tick yes included success true")
_NO: Final = word_set("cross times xmark no close cancel excluded uncheck unchecked false ban minus dash")
_NEITHER: Final = word_set("checkbox square circle calendar")


def mark(cell: LexborNode, shows: Callable[[LexborNode, str, Mapping[str, str | None]], bool]) -> str:
    """Return a tick or a cross, or nothing where a cell has words, or no such picture that is seen."""
    if cell.first_child is None or (cell.text(deep=True) or "").strip():
        return ""
    said: set[str] = set()
    for node in cell.css(_PICTURES)[:_MOST]:
        attributes = node.attributes
        if not shows(node, node.tag or "", attributes) or attributes.get("alt"):
            return ""
        link = attributes.get("href") or attributes.get("xlink:href") or attributes.get("src") or ""
        said.update(names.of(attributes), names.words(link.rpartition("/")[2][:_LONGEST_CELL]))
    yes, no = not said.isdisjoint(_YES), not said.isdisjoint(_NO)
    return "" if yes is no else "\u2713" if yes else "\u2717"
