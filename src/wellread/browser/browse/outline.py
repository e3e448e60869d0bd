"""Renders a page tree as text with numbered controls: layers on top first, then the window; pages instead of cuts.

A real marker is `[3]` without a backslash before it. Whatever looks like one, or like a heading of ours, in the page's
own words gets one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.browse.controls import MAX_OPTIONS, OPAQUE_ELEMENTS
from wellread.browser.browse.layers import layers
from wellread.browser.render.layout import ELEMENT
from wellread.text.characters import without_invisible

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.browser.browse.controls import Control
    from wellread.browser.browse.page_tree import PageNode, PageTree

MAX_CHARS = 5_000
MAX_ELEMENTS = 50
MAX_TEXT_CHARS = 200_000
_LINE_CHARS = 500
_HEADING_CHARS = 60
_OMITTED: Final = OPAQUE_ELEMENTS | {
    "script",
    "style",
    "head",
    "noscript",
    "template",
    "title",
    "canvas",
    "noframes",
    "datalist",
}
_LOOKALIKE = re.compile("[\\[\uff3b]\\s*((?:\\d[\ufe0e\ufe0f]?)+)\u20e3?\\s*[\\]\uff3d]")
"""Digits may be followed by what makes emoji of them."""
MARKER: Final = re.compile(r"(?<!\\)\[(\d{1,7})\]")
_SPACE = re.compile(r"\s+")
_RULE = re.compile(r"^(\s*)===")

MODAL, ON_TOP, WINDOW, BELOW, ABOVE = range(5)
_TITLES = {
    MODAL: "=== dialog on top ===",
    ON_TOP: "=== on top ===",
    WINDOW: "=== in the window ===",
    BELOW: "=== further down ===",
    ABOVE: "=== further up ===",
}
_BEHIND = {
    WINDOW: "=== covered by the dialog ===",
    BELOW: "=== covered, further down ===",
    ABOVE: "=== covered, further up ===",
}


class OutlineLine(NamedTuple):
    """A line of text, where it is, and the controls in it."""

    text: str
    layer: int
    controls: tuple[int, ...]
    """The nodes of the controls in it."""


class OutlinePage(NamedTuple):
    """One page of an outline."""

    content: str
    controls: tuple[int, ...]


class Outline(NamedTuple):
    """A whole page tree, rendered as text."""

    pages: tuple[OutlinePage, ...]
    behind: frozenset[int]
    """Controls that a dialog covers."""
    lines: tuple[str, ...]
    """All text without markers: it is compared with the next outline."""
    document_lines: tuple[str, ...]
    """All lines in document order, whether in the window or not."""


def escape(text: str) -> str:
    """Return `text` on one line, without invisible characters, and with our markers and headings escaped."""
    line = _SPACE.sub(" ", without_invisible(text)[0])
    return _RULE.sub(r"\1\\===", _LOOKALIKE.sub(r"\\[\1]", line))


def label(control: Control, index: int, state: Sequence[str]) -> str:
    """Return the text of a control: `[3] textbox "Name" = "Ann" (required)`."""
    parts = [f"[{index}] {control.role}"]
    if control.name and control.is_name_shown:
        parts.append(f'"{escape(control.name)}"')
    if control.value:
        parts.append(f'= "{escape(control.value)}"')
    if state:
        parts.append(f"({', '.join(state)})")
    if control.options:
        more = f" | … {len(control.options)} in all" if len(control.options) > MAX_OPTIONS else ""
        parts.append(f"{{{' | '.join(map(escape, control.options[:MAX_OPTIONS]))}{more}}}")
    return " ".join(parts)


def outline(
    tree: PageTree, controls_by_id: Mapping[int, Control], numbers: Mapping[int, int], covered: frozenset[int]
) -> Outline:
    """Render `tree` as text. `controls_by_id` and `numbers` are keyed by node; `covered` are controls under others."""
    writer = _OutlineWriter(tree, controls_by_id, numbers, covered)
    writer.write()
    lines = sorted(writer.lines, key=lambda line: line.layer)  # stable: document order within a layer
    behind = {node_id for line in lines if writer.has_dialog and line.layer > ON_TOP for node_id in line.controls}
    words = tuple(re.sub(r"(?<!\\)\[\d+\] ", "", line.text) for line in lines if not line.controls)
    document_lines = tuple(line.text for line in writer.lines)
    return Outline(_pages(lines, has_dialog=writer.has_dialog), frozenset(behind), words, document_lines)


def _pages(lines: Sequence[OutlineLine], *, has_dialog: bool) -> tuple[OutlinePage, ...]:
    pages: list[OutlinePage] = []
    text: list[str] = []
    control_ids: list[int] = []
    chars_left, layer = MAX_CHARS, -1
    titled = has_dialog or len({line.layer for line in lines}) > 1
    for line in lines:
        line_chars = len(line.text) + 1
        if text and (line_chars + _HEADING_CHARS > chars_left or len(control_ids) + len(line.controls) > MAX_ELEMENTS):
            pages.append(OutlinePage("\n".join(text), tuple(control_ids)))
            text, control_ids, chars_left, layer = [], [], MAX_CHARS, -1
        if line.layer != layer and titled:
            text.append((_BEHIND if has_dialog else _TITLES).get(line.layer, _TITLES[line.layer]))
            chars_left -= len(text[-1]) + 1
        layer = line.layer
        text.append(line.text)
        control_ids.extend(line.controls)
        chars_left -= line_chars
    return (*pages, OutlinePage("\n".join(text), tuple(control_ids)))


class _OutlineWriter:
    def __init__(
        self, tree: PageTree, controls_by_id: Mapping[int, Control], numbers: Mapping[int, int], covered: frozenset[int]
    ) -> None:
        self.lines: list[OutlineLine] = []
        self._tree = tree
        self._controls_by_id = controls_by_id
        self._numbers = numbers
        self._covered = covered
        self._layers = layers(tree)
        self.has_dialog = bool(self._layers.modal)
        self._parts: list[str] = []
        self._text_parts: list[str] = []
        """Text since the last marker: it is escaped as one, however many elements the page spread it over."""
        self._controls: list[int] = []
        self._layer: int | None = None
        self._prefix = ""
        self._chars_left = MAX_TEXT_CHARS

    def write(self) -> None:
        """Walk the tree once."""
        roots = [node.node_id for node in reversed(self._tree.nodes) if node.parent < 0]
        waiting: list[tuple[int, int | None]] = [(node_id, None) for node_id in roots]
        while waiting:
            node_id, top = waiting.pop()
            if node_id < 0:
                self._end_line()
                continue
            node = self._tree.nodes[node_id]
            if node_id in self._layers.modal:
                top = MODAL
            elif node_id in self._layers.on_top and top is None:
                top = ON_TOP
            if node.is_text:
                self._write_text(node, top)
            elif self._begin_element(node, top):
                if _is_block(node):
                    waiting.append((-1, None))
                waiting.extend((child, top) for child in reversed(self._tree.children[node_id]))
        self._end_line()

    def _begin_element(self, node: PageNode, top: int | None) -> bool:
        """Begin an element; False when nothing in it is to be written."""
        if node.dom.kind != ELEMENT:
            return True
        control = self._controls_by_id.get(node.node_id)
        if node.dom.name in _OMITTED and control is None:
            return False
        if node.dom.name == "br" or _is_block(node):
            self._end_line()
        if node.dom.name in {"td", "th"} and (self._parts or self._text_parts):
            self._text_parts.append(" | ")
        if len(node.dom.name) == 2 and node.dom.name[0] == "h" and node.dom.name[1].isdigit():
            self._prefix = "#" * int(node.dom.name[1]) + " "
        if control is not None:
            self._write_marker(node, control, top)
        elif (
            node.dom.name == "img"
            and not node.hidden_reason
            and (alt_text := node.dom.attributes.get("alt", "").strip())
        ):
            self._add(f" (picture: {alt_text[:200]}) ", node, top)
        return node.dom.name not in _OMITTED and (control is None or not control.is_name_complete or not control.name)

    def _write_marker(self, node: PageNode, control: Control, top: int | None) -> None:
        self._close_text()
        if len(self._controls) >= MAX_ELEMENTS or sum(map(len, self._parts)) > _LINE_CHARS:
            self._end_line()
        self._set_layer(node, top)
        state = control.state
        if node.node_id in self._covered or (self.has_dialog and top not in {MODAL, ON_TOP}):
            state = (*state, "covered")
        self._parts.append(label(control, self._numbers[node.node_id], state))
        self._controls.append(node.node_id)

    def _write_text(self, node: PageNode, top: int | None) -> None:
        text = _SPACE.sub(" ", node.dom.value)
        while text and not node.is_transparent and self._chars_left > 0:
            end = len(text)
            if end > _LINE_CHARS * 2:
                end = text.rfind(" ", _LINE_CHARS, _LINE_CHARS * 2) + 1 or _LINE_CHARS * 2
            piece, text = text[:end], text[end:]
            self._add(piece, node, top)
            if text:
                self._end_line()

    def _add(self, piece: str, node: PageNode, top: int | None) -> None:
        if sum(map(len, self._text_parts)) > _LINE_CHARS * 2:
            self._end_line()
        self._set_layer(node, top)
        self._text_parts.append(piece)
        self._chars_left -= len(piece)

    def _set_layer(self, node: PageNode, top: int | None) -> None:
        """Set the layer of the line: that of its first word."""
        if self._layer is None:
            self._layer = top
        if self._layer is None:
            self._layer = self._layer_of(node)

    def _layer_of(self, node: PageNode) -> int:
        """Return the layer of a node that is in no layer on top: by its place relative to the window."""
        if node.box is None:
            return WINDOW
        box, state = node.visible_box, self._tree.state
        if box is None:
            return BELOW
        if box.y + box.height <= 0:
            return ABOVE
        if box.y >= state.height or box.x >= state.width:
            return BELOW
        return WINDOW

    def _close_text(self) -> None:
        if self._text_parts:
            text = escape(_SPACE.sub(" ", "".join(self._text_parts)).strip())
            if text:
                self._parts.append(text)
            self._text_parts = []

    def _end_line(self) -> None:
        """End the line."""
        self._close_text()
        if self._parts and any(part.strip(" |") for part in self._parts):
            text = self._prefix + " ".join(self._parts)
            self.lines.append(OutlineLine(text, WINDOW if self._layer is None else self._layer, tuple(self._controls)))
        if self._parts:
            self._prefix = ""
        self._parts, self._controls, self._layer = [], [], None


def _is_block(node: PageNode) -> bool:
    display = node.style("display")
    return bool(display) and not display.startswith("inline") and display not in {"contents", "table-cell"}
