"""Writes the visible content of a rendered page as HTML, so that the ordinary extractor can read it.

Scripts, styles and the page's own claims of being hidden are left out, and so is text that cannot be seen; it is
counted. Only what is shut by `display:none` is kept under that very mark, because the extractor knows which of it are
panels that a reader opens.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.browser.render.layout import ELEMENT, TEXT
from wellread.browser.render.layout_visibility import hidden_reasons
from wellread.hidden_text import HiddenReason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wellread.browser.render.layout import Layout, Node

MAX_CHARS = 8_000_000
MAX_DEPTH = 400
MAX_FRAMES = 20
_LONGEST_ATTRIBUTE = 4_000
_LEAST_FRAME_PX = (150.0, 60.0)
_USEFUL_CHARS = 200

_OMITTED: Final = frozenset(
    {
        "style",
        "noscript",
        "noembed",
        "template",
        "svg",
        "canvas",
        "noframes",
        "frameset",
        "datalist",
    }
)
_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta", "base", "wbr", "source", "track", "area", "col"})
_GONE_ATTRIBUTES: Final = frozenset({"style", "hidden", "srcdoc", "nonce", "integrity"})
_FRAMES: Final = frozenset({"iframe", "frame"})
_EMBEDS: Final = frozenset({"video", "audio", "object", "embed"})
"""Of what they embed the reader prints the address. What is in them shows only where it is not played."""
_TEXT_TYPES: Final = frozenset(
    {"", "date", "datetime-local", "email", "month", "number", "search", "tel", "text", "time", "url", "week"}
)
"""Inputs that show their value as text."""
_LEAST_SHOWN_PX: Final = 10.0
# The parser that reads this next takes what is in some elements for raw text: those get another name.
_INSTEAD: Final = {"iframe": "section", "frame": "section", "xmp": "pre", "plaintext": "pre", "listing": "pre"}
_NAME = re.compile(r"[a-z][a-z0-9-]{0,40}")
_ATTRIBUTE = re.compile(r"[a-z_:][a-z0-9_:.-]{0,60}")


class Written(NamedTuple):
    """A page as a person sees it."""

    html: str
    chars: int
    """Characters of visible text."""
    hidden: int
    """Places whose text was left out."""
    reasons: tuple[str, ...]
    """Why, most frequent first."""
    cut: bool
    """The page was too deep or too long, and the rest is missing."""


def visible_html(
    layouts: Sequence[Layout], frames: Mapping[int, Sequence[Layout]] | None = None, *, field_values: bool = False
) -> Written:
    """Write the page `layouts[0]` with the frames in it.

    `frames` maps the browser's number of a frame's element to the layouts of a frame in another process. With
    `field_values`, the text that stands in a field is written before it, except a password.
    """
    writer = _VisibleHtmlWriter(frames or {}, field_values=field_values)
    writer.write(layouts[0], layouts)
    reasons = tuple(reason for reason, _ in writer.reasons.most_common(5))
    text = "".join(writer.parts)
    return Written("<!DOCTYPE html>" + text, writer.chars, sum(writer.reasons.values()), reasons, writer.cut)


class _VisibleHtmlWriter:
    def __init__(self, frames: Mapping[int, Sequence[Layout]], *, field_values: bool) -> None:
        self.parts: list[str] = []
        self.reasons: Counter[str] = Counter()
        self.cut = False
        self.chars = 0
        self._chars_left = MAX_CHARS
        self._frames = frames
        self._frames_left = MAX_FRAMES
        self._field_values = field_values
        self._may_keep_hidden = False
        """There is enough to read, so that what is shut may be kept under its mark."""

    def write(self, layout: Layout, family: Sequence[Layout], depth: int = 0) -> None:
        page = _VisibleDocument(layout)
        self._may_keep_hidden = self._may_keep_hidden or page.chars >= _USEFUL_CHARS
        waiting: list[tuple[int, int] | str] = [(root, depth) for root in reversed(page.children[-1])]
        while waiting:
            item = waiting.pop()
            if isinstance(item, str):
                self._write(item)
                continue
            index, level = item
            node = layout.nodes[index]
            page.enter(index)
            if node.kind == TEXT:
                self._text(node, page, index)
            elif node.kind != ELEMENT:
                waiting.extend((child, level) for child in reversed(page.children[index]))
            elif level > MAX_DEPTH or self._chars_left <= 0:
                self.cut = True
            elif self._open(node, page, index) and node.name not in _VOID:
                waiting.append(f"</{_tag(node)}>")
                children = [child for child in page.children[index] if _is_written(layout.nodes[child], node)]
                waiting.extend((child, level + 1) for child in reversed(children))
                self._inner(node, family, level)

    def _write(self, text: str) -> None:
        self._chars_left -= len(text)
        self.parts.append(text)

    def _text(self, node: Node, page: _VisibleDocument, index: int) -> None:
        reason = page.reasons[index]
        if page.nodes[node.parent].name == "script":
            self._write(node.value.replace("</", "<\\/"))  # the same JSON, and no way out of the element
        elif not node.value.strip():
            self._write(node.value[:200])
        elif not reason or (reason == HiddenReason.UNDRAWN and index in page.excused):
            self.chars += 0 if reason else len(node.value)
            self._write(escape(node.value, quote=False))
        else:
            self.reasons[reason] += 1

    def _open(self, node: Node, page: _VisibleDocument, index: int) -> bool:
        """Begin an element; False when it is left out with all that is in it."""
        if node.name in _OMITTED or (node.name == "script" and not _is_data(node)):
            return False
        is_drawn = _is_drawn(node)
        if node.name in _EMBEDS and not is_drawn:
            return False
        if node.name == "select" and is_drawn:
            page.excused.add(index)  # its options are drawn once a reader opens it
        reason = page.hides(index)
        if reason and (reason != HiddenReason.UNDRAWN or not self._may_keep_hidden):
            self.reasons[reason] += 1
            return False
        if node.name == "img" and page.reasons[index] not in {"", HiddenReason.UNDRAWN}:
            return False
        if reason:
            page.excused.add(index)
        mark = ' style="display:none"' if reason else ""
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in _kept_attributes(node))
        if node.name in _FRAMES and not is_drawn:
            attributes = ""  # nobody sees what it embeds
        if self._field_values and is_drawn and not page.reasons[index] and _has_readable_value(node):
            self.chars += len(node.field_value)
            self._write(f"<span>{escape(node.field_value, quote=False)}</span> ")
        self._write(f"<{_tag(node)}{attributes}{mark}>")
        return True

    def _inner(self, node: Node, family: Sequence[Layout], level: int) -> None:
        """Write the document of a frame that is large enough to be read in."""
        if node.name not in _FRAMES or node.drawn is None or not self._frames_left:
            return
        width, height = _LEAST_FRAME_PX
        if (
            node.drawn.style["visibility"] != "visible"
            or node.drawn.box.width < width
            or node.drawn.box.height < height
        ):
            return
        frame_layouts = family if node.inner >= 0 else self._frames.get(node.backend, ())
        document = max(node.inner, 0)
        if document < len(frame_layouts):
            self._frames_left -= 1
            self.write(frame_layouts[document], frame_layouts, level + 1)


def _has_readable_value(node: Node) -> bool:
    """Return whether a person can read the text in a field: it is no password, and no label of a button."""
    if node.drawn is None or not node.field_value.strip():
        return False
    if node.drawn.style.get("-webkit-text-security", "none") not in {"", "none"}:
        return False
    return node.name == "textarea" or node.attributes.get("type", "").lower() in _TEXT_TYPES


class _VisibleDocument:
    """A document, and the visibility of its nodes."""

    def __init__(self, layout: Layout) -> None:
        self.nodes = layout.nodes
        self.reasons = hidden_reasons(layout)
        self.excused: set[int] = set()
        """Nodes that are written though they are not drawn: an element above them says what they are."""
        self.children: dict[int, list[int]] = defaultdict(list)
        for index, node in enumerate(layout.nodes):
            self.children[node.parent].append(index)
        self.chars = sum(
            len(node.value.strip())
            for node, reason in zip(layout.nodes, self.reasons, strict=True)
            if node.kind == TEXT and not reason
        )
        self._visible = [False] * len(layout.nodes)
        self._hidden_reasons = [""] * len(layout.nodes)
        for index in range(len(layout.nodes) - 1, -1, -1):
            self._gather(index, layout.nodes[index])

    def _gather(self, index: int, node: Node) -> None:
        if node.kind == TEXT and node.value.strip():
            self._visible[index], self._hidden_reasons[index] = not self.reasons[index], self.reasons[index]
        elif node.kind == ELEMENT and (node.name == "img" or node.name in _FRAMES):
            self._visible[index] = self._visible[index] or node.drawn is not None
        if node.parent >= 0 and node.name not in _OMITTED and node.name != "script":
            self._visible[node.parent] = self._visible[node.parent] or self._visible[index]
            self._hidden_reasons[node.parent] = self._hidden_reasons[node.parent] or self._hidden_reasons[index]

    def enter(self, index: int) -> None:
        """Excuse nodes in an excused element, in the head, or in closed `details` that a click opens."""
        node = self.nodes[index]
        shut = node.name == "details" and "open" not in node.attributes
        if node.parent in self.excused or node.name == "head" or shut:
            self.excused.add(index)

    def hides(self, index: int) -> str:
        """Return why all text in an element is hidden; empty where some text is visible, or there is none."""
        if self._visible[index] or index in self.excused:
            return ""
        return self._hidden_reasons[index]


def _is_drawn(node: Node) -> bool:
    """Return whether an element takes a place that a person sees."""
    drawn = node.drawn
    if drawn is None or drawn.style["visibility"] != "visible":
        return False
    return min(drawn.box.width, drawn.box.height) >= _LEAST_SHOWN_PX or node.name in {"audio", "select"}


def _is_written(node: Node, parent: Node) -> bool:
    """Return whether a child of an element is written: of an embedding element, its `source` alone."""
    return parent.name not in _EMBEDS or node.name == "source"


def _is_data(node: Node) -> bool:
    return node.attributes.get("type", "").strip().lower() == "application/ld+json"


def _tag(node: Node) -> str:
    return _INSTEAD.get(node.name, node.name) if _NAME.fullmatch(node.name) else "span"


def _kept_attributes(node: Node) -> Iterator[tuple[str, str]]:
    for name, value in node.attributes.items():
        lower_name = name.lower()
        if lower_name in _GONE_ATTRIBUTES or lower_name.startswith("on") or len(value) > _LONGEST_ATTRIBUTE:
            continue
        if _ATTRIBUTE.fullmatch(lower_name):
            yield lower_name, value
