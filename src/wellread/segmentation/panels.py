"""Finds what the panels of a page are called, by their tabs: those stand in a row elsewhere, and most are not read."""

from __future__ import annotations

from itertools import groupby, islice
from typing import TYPE_CHECKING, Final

from wellread.segmentation import tags
from wellread.text.characters import repaired_encoding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.css.look import Look
    from wellread.segmentation.boxes import Walked

    Sees = Callable[[LexborNode, Look], "Look | None"]
    """Returns how text looks in an element, given how it looks around that; None where nobody sees it."""

_MOST_ROWS: Final = 50
_MOST_TABS: Final = 500
_LONGEST: Final = 60
"""Characters: what says more is no label."""
_DEEPEST: Final = 5
_MOST_PIECES: Final = 200
"""Nodes of a tab that are looked at, however little they say."""
_NEAR: Final = 3
"""Elements around a row of tabs among which the panels are looked for."""
_UNREAD: Final = frozenset({"noscript", "template"})
"""What the walk leaves to others."""
_PANEL: Final = "[role=tabpanel]"


def labels(
    tree: LexborHTMLParser, source: str, seen: Walked, looks: Callable[[LexborNode], Look], sees: Sees
) -> dict[int, str]:
    """Return by the index of its box what each tab panel is called, where a person sees its tab.

    `looks` returns how text looks in an element that the walk came to.
    """
    tabs = _tabs(tree) if "tabpanel" in source else {}
    tabs |= _labelled(tree) if 'type="radio"' in source or "type=radio" in source else {}
    found = {}
    said: dict[int, str] = {}
    """By its node, the label of each tab: any number of panels may name the same one."""
    for box in seen.boxes if tabs else ():
        at = box.attributes.get
        tab = tabs.get(f"#{at('id')}") or tabs.get(f"by {at('aria-labelledby')}") if at("role") == "tabpanel" else None
        tab = tab or tabs.get(box.node)
        if box.items and tab is not None and not seen.veiled.get(tab.mem_id, True):
            if tab.mem_id not in said:
                said[tab.mem_id] = _label(_said(tab, looks(tab), sees))
            found[box.index] = said[tab.mem_id]
    return {index: words for index, words in found.items() if words}


def _tabs(tree: LexborHTMLParser) -> dict[str | int, LexborNode]:
    """Return the tabs by what they say they control, by their ids, and by the node of the panel in the same place."""
    found: dict[str | int, LexborNode] = {}
    for tab in tree.css("[role=tab]")[:_MOST_TABS]:
        at = tab.attributes.get
        if controls := at("aria-controls") or (at("href") or "").removeprefix("#"):
            found[f"#{controls}"] = tab
        if name := at("id"):
            found[f"by {name}"] = tab
    for row in tree.css("[role=tablist]")[:_MOST_ROWS]:
        around, panels = row.parent, []
        for _ in range(_NEAR):
            panels = around.css(_PANEL) if around is not None else []
            if around is None or panels:
                break
            around = around.parent
        found |= _in_order(row.css("[role=tab]"), panels)
    return found


def _labelled(tree: LexborHTMLParser) -> dict[str | int, LexborNode]:
    """Return the labels of radio buttons by the node of what stands in the same place in the next element."""
    radios = {one.attributes.get("id") for one in tree.css("input[type=radio]")[:_MOST_TABS]}
    told = (one for one in tree.css("label[for]")[:_MOST_TABS] if one.attributes["for"] in radios)
    found: dict[str | int, LexborNode] = {}
    for _, group in groupby(told, key=lambda one: one.parent.mem_id if one.parent is not None else 0):
        row = list(group)
        after = row[0].parent.next if row[0].parent is not None else None
        while after is not None and not after.is_element_node:
            after = after.next
        found |= _in_order(row, list(after.iter()) if after is not None else [])
    return found


def _in_order(tabs: Sequence[LexborNode], panels: Sequence[LexborNode]) -> dict[str | int, LexborNode]:
    if len(tabs) != len(panels):
        return {}
    return {panel.mem_id: tab for tab, panel in zip(tabs, panels, strict=True)}


def _label(pieces: Iterator[str]) -> str:
    told = ""
    for piece in islice(pieces, _MOST_PIECES):
        told += piece
        if len(told) >= 2 * _LONGEST:
            break
    words = " ".join(repaired_encoding(told[: 2 * _LONGEST]).split())
    return words if len(words) <= _LONGEST else ""


def _said(node: LexborNode, look: Look, sees: Sees, depth: int = 0) -> Iterator[str]:
    """Yield the words that are seen of a tab, a piece for each node: the walk goes into few buttons."""
    closed = node.tag == "details" and "open" not in node.attributes
    for child in node.iter(include_text=True):
        tag = child.tag or ""
        if tag == "-text":
            yield "" if closed or look.veil else child.text_content or ""
            continue
        yield " "
        skipped = tag in tags.SKIPPED or tag in _UNREAD or (closed and tag != "summary")
        inside = sees(child, look) if depth < _DEEPEST and not skipped else None
        if inside is not None:
            yield from _said(child, inside, sees, depth + 1)
