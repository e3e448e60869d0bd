"""Finds what the panels of a page are called, by their tabs: those stand in a row elsewhere, and most are not read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.characters import mended
from wellread.web.extract import tags

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.web.extract.boxes import Walked

    Hides = Callable[[LexborNode, str, Mapping[str, "str | None"]], bool]

_MOST_ROWS: Final = 50
_MOST_TABS: Final = 500
_LONGEST: Final = 60
"""Characters: what says more is no label."""
_DEEPEST: Final = 5
_NEAR: Final = 3
"""Elements around a row of tabs among which the panels are looked for."""
_PANEL: Final = "[role=tabpanel]"


def labels(tree: LexborHTMLParser, seen: Walked, hides: Hides) -> dict[int, str]:
    """Return by the index of its box what each tab panel is called, where a person sees its tab."""
    boxes = [box for box in seen.boxes if box.attributes.get("role") == "tabpanel"]
    panels = [panel for panel in tree.css(_PANEL) if panel.mem_id in seen.veiled]
    if len(boxes) != len(panels):  # some are no boxes: which, the walk does not tell
        return {}
    tabs = _tabs(tree)
    found = {}
    for box, panel in zip(boxes, panels, strict=True):
        at = box.attributes.get
        tab = tabs.get(f"#{at('id')}") or tabs.get(f"by {at('aria-labelledby')}") or tabs.get(panel.mem_id)
        if box.items and tab is not None and not seen.veiled.get(tab.mem_id, True):
            words = " ".join(mended("".join(_said(tab, hides))[: 2 * _LONGEST]).split())
            found[box.index] = words if len(words) <= _LONGEST else ""
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
        tabs = row.css("[role=tab]")
        if len(panels) == len(tabs):
            found.update((panel.mem_id, tab) for panel, tab in zip(panels, tabs, strict=True))
    return found


def _said(node: LexborNode, hides: Hides, depth: int = 0) -> Iterator[str]:
    """Yield the words that are seen of a tab: the walk goes into few buttons."""
    for child in node.iter(include_text=True):
        tag = child.tag or ""
        if tag == "-text":
            yield child.text_content or ""
        elif depth < _DEEPEST and tag not in tags.SKIPPED and not hides(child, tag, child.attributes):
            yield " "
            yield from _said(child, hides, depth + 1)
