"""Walks a parsed page once, without recursion, and cuts it into leaves of visible text and the boxes around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.types import Notice, Span, Style
from wellread.web.extract import characters, hidden, names
from wellread.web.extract.boxes import Box, Leaf, Walked
from wellread.web.extract.tags import BOXES, HEADINGS, PREFORMATTED, SKIPPED, SPACED, STYLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

_DEEPEST = 200
"""Boxes below this depth are read as part of the box above them."""
_MOST_NODES = 1_000_000
_BREAK: Final = -1
"""The style that marks a <br>."""
_PRE = 7
_TELLING = frozenset({"style", "hidden", "aria-hidden", "open"})
_NAMED = frozenset({"class", "id"})
_UNSEEN_NAMES = (
    frozenset({"sr", "only"}),
    frozenset({"visually", "hidden"}),
    frozenset({"visuallyhidden"}),
    frozenset({"screen", "reader"}),
    frozenset({"offscreen"}),
)
_NOT_CODE = frozenset(["linenos", "lineno", "linenumber", "linenumbers", "gutter", "lnt"])
_MACHINERY = frozenset({"headerlink", "editsection", "backlink"})
_ANCHOR_TEXTS = frozenset(["#", "¶", "§", "🔗", "^", "↑", "↩", "↩︎", "↵", "⏎"]) | {""}
_NOTE_TARGETS = ("#fn", "#cite_note", "#footnote", "#note", "#_ftn", "#endnote", "#ref")

State = tuple[Box, int, "str | None", int]
"""Where the walk is: box, style, link, and mode: 0, the level of a heading, or preformatted."""


def walked(tree: LexborHTMLParser, sheets: hidden.StyleSheets) -> Walked:
    """Return the visible text of `tree` as leaves and boxes."""
    title = tree.css_first("title")
    walker = _Walker(sheets)
    if tree.body is not None:
        walker.walk(tree.body)
    walker.sum_up()
    words = " ".join(title.text().split()) if title is not None else ""
    return Walked(walker.leaves, walker.boxes, walker.notices(), words)


class _Walker:
    def __init__(self, sheets: hidden.StyleSheets) -> None:
        root = Box(0, "body", None, frozenset(), {})
        self.boxes = [root]
        self.leaves: list[Leaf] = []
        self.sheets = sheets
        self.state: State = (root, 0, None, 0)
        self.parts: list[tuple[str, int, str | None]] = []
        self.unseen: dict[str, int] = {}
        self.invisible = 0
        self.cut_short = False
        self.was_unseen = False
        """The element just before was for screen readers only: its visible twin may follow."""

    # ---------------------------------------------------------------------------------------- the walk

    def walk(self, body: LexborNode) -> None:
        stack: list[tuple[LexborNode | None, State | None]] = []
        node = body.first_child
        parts = self.parts
        for _ in range(_MOST_NODES):
            if node is None:
                if not stack:
                    break
                node, before = stack.pop()
                if before is not None:
                    self._leave(before)
                    parts = self.parts
                continue
            tag = node.tag
            if tag == "-text":
                state = self.state
                parts.append((node.text_content or "", state[1], state[2]))
                node = node.next
                continue
            before = self.state
            child = None if tag in SKIPPED or tag is None else self._enter(node, tag)
            parts = self.parts
            if child is None:
                if self.state is not before:
                    self._leave(before)
                    parts = self.parts
                node = node.next
            else:
                stack.append((node.next, before if self.state is not before else None))
                node = child
        else:
            self.cut_short = True
        self.flush()

    def _leave(self, before: State) -> None:
        if before[0] is not self.state[0] or before[3] != self.state[3]:
            self.flush()
        self.state = before

    def _enter(self, node: LexborNode, tag: str) -> LexborNode | None:
        """Take in the start of an element; return its first child, or None when it is not to be read."""
        attributes = node.attributes
        if attributes and self._is_unseen(node, tag, attributes):
            return None
        if tag in BOXES:
            return self._enter_box(node, tag, attributes)
        box, style, href, mode = self.state
        if tag in STYLES:
            self.state = (box, style | STYLES[tag], href, mode)
        elif tag == "a":
            return self._enter_link(node, attributes)
        elif tag in _SPECIAL:
            return _SPECIAL[tag](self, node, attributes)
        elif "-" in tag or tag in SPACED:
            self._space()
            if tag[0] == "-" or tag[0] == "!":  # comments and the like
                return None
        if "class" in attributes and not _MACHINERY.isdisjoint(names.words(attributes["class"] or "")):
            return None
        return node.first_child

    def _enter_box(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        box, style, href, mode = self.state
        if mode:  # headings and code stay whole
            self.parts.append(("\n" if mode == _PRE else " ", 0, None))
            called = attributes.get("class") if mode == _PRE else None
            return None if called and not _NOT_CODE.isdisjoint(names.words(called)) else node.first_child
        self.flush()
        if box.depth < _DEEPEST:
            called = f"{attributes.get('class') or ''} {attributes.get('id') or ''}" if attributes else " "
            box = Box(len(self.boxes), tag, box, names.words(called), attributes)
            self.boxes.append(box)
        if tag in HEADINGS:
            mode, style = HEADINGS[tag], 0
        elif tag in PREFORMATTED:
            mode = _PRE
        elif tag in {"dt", "summary"}:
            style |= Style.STRONG
        self.state = (box, style, href, mode)
        if tag == "hr":
            self.leaves.append(Leaf(box, (), 0))
        return node.first_child

    def _enter_link(self, node: LexborNode, attributes: Mapping[str, str | None]) -> LexborNode | None:
        box, style, _, mode = self.state
        href = attributes.get("href")
        if href and href[0] == "#" and (box.tag in {"li", "p", "div", "aside"} or mode or style & Style.SUP):
            text = (node.text(deep=True) or "").strip()
            if text in _ANCHOR_TEXTS:
                return None
            if style & Style.SUP and href.startswith(_NOTE_TARGETS):
                self.parts.append((text.strip("[]() "), Style.NOTE, href))
                return None
        if self.parts and self.parts[-1][2] not in {None, href}:
            self._space()
        self.state = (box, style, href or None, mode)
        return node.first_child

    def _space(self) -> None:
        if self.parts:
            self.parts.append((" ", 0, None))

    # ----------------------------------------------------------------------------------- what is not seen

    def _is_unseen(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        reason = None if _TELLING.isdisjoint(attributes) and tag != "dialog" else _told(tag, attributes)
        if reason is None and not _NAMED.isdisjoint(attributes):
            reason = self.sheets.reason(tag, attributes) if self.sheets else None
            called = attributes.get("class")
            if reason is None and called and len(called) < 100:
                words = names.words(called)
                if any(unseen <= words for unseen in _UNSEEN_NAMES):
                    reason = "for screen readers only"
        twin, self.was_unseen = self.was_unseen, reason not in {None, "aria-hidden"}
        if reason is None or hidden.is_panel(attributes) or _holds_mathematics(attributes):
            return False
        if reason == "aria-hidden" and twin:
            return False
        if (node.text(deep=True) or "").strip():
            self.unseen[reason] = self.unseen.get(reason, 0) + 1
        return True

    def notices(self) -> list[Notice]:
        told = []
        aria = self.unseen.pop("aria-hidden", 0)
        if self.unseen:
            reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(self.unseen.items()))
            told.append(Notice("hidden_text", f"text nobody sees was left out: {reasons}", sum(self.unseen.values())))
        if aria:
            told.append(Notice("aria_hidden", "text marked aria-hidden was left out", aria))
        if self.invisible:
            told.append(Notice("invisible_characters", "invisible characters were removed", self.invisible))
        if self.cut_short:
            told.append(Notice("cut_short", f"only the first {_MOST_NODES} nodes were read"))
        return told

    # ---------------------------------------------------------------------------------------- specials

    def _line_break(self, _node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        self.parts.append(("\n", _BREAK, None))

    def _image(self, _node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        called = attributes.get("class") or ""
        source = attributes.get("src") or ""
        if source.startswith("data:") or not source:
            source = attributes.get("data-src") or attributes.get("data-original") or ""
        if source and "math" not in called:
            self.parts.append((attributes.get("alt") or "", Style.IMAGE, source))

    def _mathematics(self, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        told = node.css_first('annotation[encoding*="tex"]') or node.css_first('annotation[encoding*="TeX"]')
        tex = (told.text() if told is not None else None) or attributes.get("alttext") or node.text(separator=" ")
        self.parts.append((" ".join(tex.split()), Style.MATH, None))

    def _quotation(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        box, style, href, _ = self.state
        self.parts.append((f"\u201c{node.text(deep=True)}\u201d", style, href))

    def _button(self, node: LexborNode, attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Read a button that is the heading of a panel; no other has prose in it."""
        box, _, _, mode = self.state
        opens = mode or box.tag in {"dt", "summary"} or "aria-expanded" in attributes or hidden.is_panel(attributes)
        self._space()
        return node.first_child if opens else None

    def _nothing(self, _node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        """Ruby annotations repeat in another script what stands beside them."""

    # ------------------------------------------------------------------------------------------- leaves

    def flush(self) -> None:
        """Make a leaf of the text since the last border."""
        parts = self.parts
        if not parts:
            return
        self.parts = []
        box, _, _, mode = self.state
        if mode == _PRE:
            self._code(box, parts)
            return
        start = 0
        for at in range(1, len(parts)):
            # Two breaks in a row end a paragraph.
            if parts[at][1] == _BREAK and not mode and _is_second_break(parts, at):
                self._leaf(box, parts[start:at], mode)
                start = at
        self._leaf(box, parts[start:], mode)

    def _code(self, box: Box, parts: list[tuple[str, int, str | None]]) -> None:
        text, told = characters.cleaned(
            "".join(text for text, style, _ in parts if not style & Style.IMAGE or style < 0)
        )
        self.invisible += told
        if text.strip():
            leaf = Leaf(box, (Span(text),), _PRE)
            leaf.chars = len(text.strip())
            self.leaves.append(leaf)

    def _leaf(self, box: Box, parts: list[tuple[str, int, str | None]], mode: int) -> None:
        spans: list[Span] = []
        chars = link_chars = links = 0
        space = False
        for text, style, href in parts:
            if style == _BREAK:
                if spans and spans[-1].text != "\n":
                    spans.append(_NEWLINE)
                space = False
                continue
            if style & Style.IMAGE:
                spans.append(Span(" ".join(text.split()), style, href))
                continue
            words = text.split()
            if not words:
                space = space or bool(text)
                continue
            line = " ".join(words)
            if not (line.isascii() and line.isprintable()):
                line, told = characters.cleaned(line)
                self.invisible += told
                if not line:
                    continue
            chars += len(line)
            if href:
                link_chars += len(line)
                links += not spans or spans[-1].href != href
            if space or text[0].isspace():
                _append_space(spans)
            space = text[-1].isspace()
            last = spans[-1] if spans else None
            if last is not None and last.style == style and last.href == href and not style & Style.MATH:
                spans[-1] = Span(last.text + line, style, href)
            else:
                spans.append(Span(line, style, href))
        if spans and (chars or any(span.style & Style.IMAGE for span in spans)):
            leaf = Leaf(box, tuple(spans), mode)
            leaf.chars, leaf.link_chars, leaf.links = chars, link_chars, links
            self.leaves.append(leaf)

    def sum_up(self) -> None:
        """Add up what each box holds."""
        for index, leaf in enumerate(self.leaves):
            box = leaf.box
            box.chars += leaf.chars
            box.link_chars += leaf.link_chars
            box.items += 1
            box.first = index if box.first < 0 else box.first
            box.last = index
        for box in reversed(self.boxes):
            parent = box.parent
            if parent is not None and box.items:
                parent.chars += box.chars
                parent.link_chars += box.link_chars
                parent.items += box.items
                parent.first = box.first if parent.first < 0 else min(parent.first, box.first)
                parent.last = max(parent.last, box.last)


_NEWLINE = Span("\n")
_SPECIAL = {
    "br": _Walker._line_break,
    "img": _Walker._image,
    "math": _Walker._mathematics,
    "q": _Walker._quotation,
    "button": _Walker._button,
    "rt": _Walker._nothing,
    "rp": _Walker._nothing,
}


def _told(tag: str, attributes: Mapping[str, str | None]) -> str | None:
    """Return why an element's own attributes say that it is not seen."""
    if tag == "dialog" and "open" not in attributes:
        return "closed dialog"
    style = attributes.get("style")
    if style and (reason := hidden.concealed(style)):
        return reason
    if "hidden" in attributes:
        return "hidden attribute"
    return "aria-hidden" if attributes.get("aria-hidden") == "true" else None


def _holds_mathematics(attributes: Mapping[str, str | None]) -> bool:
    """Formulas are hidden as MathML beside a picture or a layout that shows them."""
    called = attributes.get("class") or ""
    return "mathml" in called


def _append_space(spans: list[Span]) -> None:
    """Put a space after the last span, inside it only when it has no look of its own."""
    if not spans:
        return
    last = spans[-1]
    if last.text[-1:].isspace() or last.style & Style.IMAGE:
        return
    if last.style or last.href:
        spans.append(Span(" "))
    else:
        spans[-1] = Span(last.text + " ")


def _is_second_break(parts: list[tuple[str, int, str | None]], at: int) -> bool:
    for text, style, _ in reversed(parts[:at]):
        if style == _BREAK:
            return True
        if text.strip():
            return False
    return False
