"""Finds text for screen readers that is all the text of a table's cell or a labelled value: `Yes` beside a tick.

People see an icon there, and its words stand in an element that styles clip away. Elsewhere such text stays unread: it
names controls, or says again what is seen.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.seen import names
from wellread.segmentation import tags

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from selectolax.lexbor import LexborNode

    from wellread.css.look import Look

    Sees = Callable[[LexborNode, str, Mapping[str, str | None]], Look]

HOLDERS: Final = frozenset({"td", "th", "dd"})
MAX_CHARS: Final = 30
"""Of one cell: `Rated 4.5 out of 5 stars` is read, no sentence that nobody sees."""
MAX_TEXTS: Final = 20
"""Different texts of one page: icons stand for few. Many short ones could hold a message for machines."""
_MAX_NODES: Final = 40
_CONTROLS: Final = word_set("a button canvas iframe input select textarea video")
"""Text for screen readers in or beside them is the name of the control."""
_CONTROLS_WITHIN: Final = ", ".join(sorted(_CONTROLS))
_CLIPPED: Final = frozenset({"clip", "off-screen"})
"""The ways to hide text from people alone."""


class ScreenReaderTexts:
    """The texts for screen readers that are read on one page."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._nodes: set[int] = set()

    def holds(self, node: LexborNode) -> bool:
        """Tell whether an element is the text of a cell."""
        return node.mem_id in self._nodes

    def find(self, cell: LexborNode, sees: Sees) -> bool:
        """Note the elements that hold all text of a cell; tell whether there are any.

        `sees` returns how an element looks.
        """
        first = cell.first_child
        if first is None or _is_words(first):
            return False  # as nearly all
        nodes = _sole_texts(cell, sees)
        text = " ".join(" ".join(node.text(deep=True, separator=" ").split()) for node in nodes)
        if not text or len(text) > MAX_CHARS or (text not in self._texts and len(self._texts) >= MAX_TEXTS):
            return False
        self._texts.add(text)
        self._nodes.update(node.mem_id for node in nodes)
        return True


def _sole_texts(cell: LexborNode, sees: Sees) -> list[LexborNode]:
    """Return the elements for screen readers in a cell without other text; none where it has some.

    What is hidden from screen readers before them is their visible twin: a price in pieces, or the ligature of an icon.
    Behind them, the walk reads the twin.
    """
    texts: list[LexborNode] = []
    stack = list(reversed(list(cell.iter(include_text=True))))
    for _ in range(_MAX_NODES):
        if not stack:
            return texts
        node = stack.pop()
        tag, attributes = node.tag or "", node.attributes
        if _is_words(node) or tag in _CONTROLS or attributes.get("alt"):
            return []
        if attributes.get("aria-hidden") == "true":
            if texts and (node.text(deep=True) or "").strip():
                return []
        elif _is_for_screen_readers(node, tag, attributes, sees):
            if node.css_first(_CONTROLS_WITHIN) is not None:
                return []
            texts.append(node)
        elif node.is_element_node and tag not in tags.SKIPPED:
            look = sees(node, tag, attributes)
            if look.gone is None and look.visible:
                stack += reversed(list(node.iter(include_text=True)))
    return []


def _is_words(node: LexborNode) -> bool:
    return node.is_text_node and bool((node.text_content or "").strip())


def _is_for_screen_readers(node: LexborNode, tag: str, attributes: Mapping[str, str | None], sees: Sees) -> bool:
    """Tell whether styles, or the name of its class, keep an element from the eyes alone."""
    if not attributes:
        return False
    look = sees(node, tag, attributes)
    if look.veil is not None or not look.visible:
        return False
    if names.kind(attributes.get("class") or "") == "unseen":
        return look.gone is None or look.gone.reason in {*_CLIPPED, "zero size"}
    return look.gone is not None and look.gone.reason in _CLIPPED
