"""Knows what is hidden only at first: panels that readers open, and pieces that scripts show as the page loads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.web.extract import names

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

OPENED_BY_READERS: Final = word_set(
    "tab tabs tabpanel pane accordion collapse collapsible expandable expander faq toggle disclosure answer spoiler"
)
"""Names of panels that are closed at first and opened by the reader: part of the page."""

_HOLDERS: Final = 'template[id^="B:"], template[id^="P:"]'
_MOVED = re.compile(r"""\$R[CRS]\(["'][BPS]:([\w-]{1,40})["']""")
_STREAMED = re.compile(r"""<template id=["'][BP]:([\w-]{1,40})["']""")


def shown_by_script(tree: LexborHTMLParser, html: str) -> frozenset[str]:
    """Return the ids of hidden pieces that React's streaming runtime moves to their placeholders as the page loads."""
    if "<template id=" not in html or "$RC" not in html:  # the runtime's own name for the function that moves them
        return frozenset()
    moved = {name for script in tree.css("script") for name in _MOVED.findall(script.text() or "")}
    return frozenset(f"S:{name}" for name in _STREAMED.findall(html) if name in moved)


def place_streamed(tree: LexborHTMLParser, shown: Collection[str]) -> None:
    """Put the pieces called `shown` where their placeholders stand: until the runtime does, they lie at the page's end.

    Each is copied once, so that pieces within pieces cost no more than the page is long.
    """
    children = tree.body.iter() if shown and tree.body is not None else ()
    pieces = {name: node for node in children if (name := node.attributes.get("id") or "") in shown}
    inside = {holder.attributes["id"] for piece in pieces.values() for holder in piece.css(_HOLDERS)}
    holders = [holder for holder in tree.css(_HOLDERS) if holder.attributes["id"] not in inside] if pieces else []
    placed = []
    while holders:
        holder = holders.pop()
        piece = pieces.pop(f"S:{(holder.attributes['id'] or '')[2:]}", None)
        if piece is not None:
            holder.insert_before(piece)
            placed.append(piece)
            holders.extend(holder.prev.css(_HOLDERS) if holder.prev is not None else ())
    for piece in placed:
        piece.decompose()


def is_panel(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether an element is a tab or accordion panel, which a reader opens with a click."""
    if attributes.get("role") == "tabpanel" or attributes.get("hidden") == "until-found":
        return True
    return not OPENED_BY_READERS.isdisjoint(names.of(attributes))


def has_opener(node: LexborNode) -> bool:
    """Tell whether the element before it says that it opens something."""
    before = node.prev
    while before is not None and before.tag == "-text":
        before = before.prev
    return before is not None and before.css_first("[aria-expanded]") is not None
