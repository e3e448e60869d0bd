"""Walks a parsed page once, without recursion, and cuts it into leaves of visible text and the boxes around them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.types import Notice, Style
from wellread.web.extract import hidden, leaves, names, tags
from wellread.web.extract.boxes import Box, Walked

if TYPE_CHECKING:
    from collections.abc import Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.web.extract.boxes import Leaf
    from wellread.web.extract.leaves import Part

_DEEPEST: Final = 200
"""Boxes below this depth are read as part of the box above them."""
_MOST_NODES: Final = 1_000_000
_MOST_NAMES: Final = 100
_TELLING: Final = frozenset({"style", "hidden", "aria-hidden"})
_SAMPLE: Final = 2_000
_MARKUP: Final = re.compile(r"<[^>]*>")
_SENTENCE: Final = re.compile(r"[^\W\d_]{2,}+(?:[\s,.;:!?'\"()-]++[\w$%&@/#*+=~]++){3,}+[\s,.;:!?'\"()-]*")
"""At least four words and nothing but words and punctuation."""
_MAIN: Final = "main, article, h1"
_NOTHING: Final[Mapping[str, str | None]] = {}
_ANCHORS: Final = names.word_set("# \u00b6 \u00a7 \U0001f517 ^ \u2191 \u21a9 \u21a9\ufe0e \u21b5 \u23ce") | {""}
"""What links to the very place they stand at are made of."""
_NOTE_TARGETS: Final = ("#fn", "#cite_note", "#footnote", "#note", "#_ftn", "#endnote")

_STRONG, _NOTE, _IMAGE, _MATH = (int(style) for style in (Style.STRONG, Style.NOTE, Style.IMAGE, Style.MATH))

State = tuple[Box, int, "str | None", int]
"""Where the walk is: box, style, link, and mode (see `leaves`)."""


def walked(tree: LexborHTMLParser, sheets: hidden.StyleSheets, *, lenient: bool = False) -> Walked:
    """Return the visible text of `tree` as leaves and boxes.

    `lenient` reads what is hidden, or called navigation, but holds the page's main heading, article or landmark:
    pages that show nothing until their scripts run, and pages that never close their <nav>.
    """
    walker = _Walker(sheets, lenient=lenient)
    if tree.body is not None:
        walker.walk(tree.body)
    _sum_up(walker.boxes, walker.leaves)
    title = tree.css_first("title")
    words = " ".join(title.text().split()) if title is not None else ""
    return Walked(walker.leaves, walker.boxes, walker.notices(), words)


class _Walker:
    def __init__(self, sheets: hidden.StyleSheets, *, lenient: bool) -> None:
        root = Box(0, "body", None, names.NONE, _NOTHING)
        self.boxes = [root]
        self.leaves: list[Leaf] = []
        self.sheets = sheets
        self.lenient = lenient
        self.state: State = (root, 0, None, 0)
        self.parts: list[Part] = []
        self.code_classes: list[str] = []
        self.unseen: dict[str, int] = {}
        self.invisible = 0
        self.cut_short = False
        self.twin = False
        """Text for screen readers has just been left out: what is hidden from them next is its visible twin."""
        self.special = {
            "-comment": self._comment,
            "a": self._link,
            "br": self._line_break,
            "button": self._button,
            "code": self._code,
            "img": self._image,
            "math": self._mathematics,
            "q": self._quotation,
            "rp": self._nothing,
            "rt": self._nothing,
            "template": self._template,
        }

    # ---------------------------------------------------------------------------------------- the walk

    def walk(self, body: LexborNode) -> None:
        """Visit every node below `body` in document order."""
        stack: list[tuple[LexborNode | None, State | None]] = []
        node = body.first_child
        for _ in range(_MOST_NODES):
            if node is None:
                if not stack:
                    break
                node, before = stack.pop()
                if before is not None:
                    self._leave(before)
                continue
            tag = node.tag or ""
            if tag == "-text":
                state = self.state
                text = node.text_content or ""
                if self.parts or not text.isspace() or state[3]:
                    self.parts.append((text, state[1], state[2]))
                node = node.next
                continue
            before = self.state
            child = self._enter(node, tag) if tag not in tags.SKIPPED or self._is_opened(node, tag) else None
            changed = before if self.state is not before else None
            if child is None:
                if changed is not None:
                    self._leave(changed)
                node = node.next
            else:
                stack.append((node.next, changed))
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
        attributes = node.attributes or _NOTHING
        if (attributes or tag == "dialog") and self._is_left_out(node, tag, attributes):
            return None
        if tag in tags.BOXES:
            return self._box(node, tag, attributes)
        if tag in tags.STYLES:
            box, style, href, mode = self.state
            self.state = (box, style | tags.STYLES[tag], href, mode)
        if tag in self.special:
            return self.special[tag](node, attributes)
        if "-" in tag or tag in tags.SPACED or attributes.get("role") in tags.SPACED_ROLES:
            self._space()
        return node.first_child

    def _box(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        box, style, href, mode = self.state
        if mode:  # headings and code stay whole
            self.parts.append(("\n" if mode == leaves.PREFORMATTED else " ", 0, None))
            return node.first_child
        self.flush()
        if box.depth < _DEEPEST:
            box = Box(len(self.boxes), tag, box, names.of(attributes) if attributes else names.NONE, attributes)
            self.boxes.append(box)
        if tag in tags.HEADINGS:
            mode, style = tags.HEADINGS[tag], 0
        elif tag in tags.PREFORMATTED:
            mode = leaves.PREFORMATTED
        elif tag in {"dt", "summary"}:
            style |= _STRONG
        elif tag == "hr":
            self.leaves.append(leaves.rule(box))
        self.state = (box, style, href, mode)
        return node.first_child

    def _space(self) -> None:
        if self.parts:
            self.parts.append((" ", 0, None))

    # ------------------------------------------------------------------------------------ what is left out

    def _is_left_out(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        called = attributes.get("class") or ""
        kind = names.kind(called) if called and len(called) < _MOST_NAMES else ""
        if kind == "machinery" or (kind == "line numbers" and (self.state[3] or tag in {"td", "pre"})):
            return True
        reason = _told(tag, attributes) if tag == "dialog" or not _TELLING.isdisjoint(attributes) else None
        if reason is None and kind == "unseen":
            reason = "for screen readers only"
        if reason is None and self.sheets:
            reason = self.sheets.reason(tag, attributes)
        if reason is None:
            return attributes.get("role") in tags.SKIPPED_ROLES
        twin, self.twin = self.twin, reason != "aria-hidden"
        if (reason == "aria-hidden" and twin) or ("mathml" in called and node.css_first("math") is not None):
            return False
        if reason in hidden.PANELS_HIDE_BY and hidden.is_panel(attributes):
            return False
        if attributes.get("id") in self.sheets.shown or (self.lenient and node.css_first(_MAIN) is not None):
            return False
        if (node.text(deep=True) or "").strip():
            self.unseen[reason] = self.unseen.get(reason, 0) + 1
        return True

    def _is_opened(self, node: LexborNode, tag: str) -> bool:
        return self.lenient and tag in {"nav", "footer"} and node.css_first("main, article") is not None

    def _comment(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        self._count_prose("comment", node.comment_content or "")

    def _template(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        self._count_prose("template", _MARKUP.sub(" ", (node.html or "")[:_SAMPLE]))

    def _count_prose(self, where: str, text: str) -> None:
        """Count what reads like sentences; most comments and templates are machinery, and no news."""
        if _SENTENCE.fullmatch(text[:_SAMPLE].strip()):
            self.unseen[where] = self.unseen.get(where, 0) + 1

    def notices(self) -> list[Notice]:
        """Tell what was left out because nobody sees it."""
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

    # ------------------------------------------------------------------------------------------- specials

    def _link(self, node: LexborNode, attributes: Mapping[str, str | None]) -> LexborNode | None:
        box, style, _, mode = self.state
        href = attributes.get("href") or None
        if href and href[0] == "#":
            text = (node.text(deep=True) or "").strip()
            if text in _ANCHORS:
                return None
            if href.startswith(_NOTE_TARGETS) and len(text) < 12:
                self.parts.append((text.strip("[]() "), _NOTE, href))
                return None
        if self.parts and self.parts[-1][2] not in {None, href}:
            self._space()  # neighbours in a row of links stand apart
        self.state = (box, style, href, mode)
        return node.first_child

    def _line_break(self, _node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        self.parts.append(("\n", leaves.BREAK, None))

    def _code(self, node: LexborNode, attributes: Mapping[str, str | None]) -> LexborNode | None:
        if self.state[3] == leaves.PREFORMATTED and (called := attributes.get("class")):
            self.code_classes.append(called)
        return node.first_child

    def _image(self, _node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        source = attributes.get("src") or ""
        if not source or source.startswith("data:"):
            source = attributes.get("data-src") or attributes.get("data-original") or ""
        if source and "math" not in (attributes.get("class") or ""):
            self.parts.append((attributes.get("alt") or "", _IMAGE, source))

    def _mathematics(self, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        told = node.css_first('annotation[encoding*="tex" i]')
        tex = (told.text() if told is not None else None) or attributes.get("alttext")
        # Without its source, a formula is words in a row; to call that TeX would make a wrong formula of it.
        words, style = (tex, _MATH) if tex else (node.text(separator=" "), 0)
        self.parts.append((" ".join(words.split()), style, None))

    def _quotation(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Put quotation marks around plain words; where there is more inside, walk it by all rules, without them."""
        if node.css_first("q > *") is not None:
            return node.first_child
        _, style, href, _ = self.state
        self.parts.append((f"\u201c{node.text(deep=True)}\u201d", style, href))
        return None

    def _button(self, node: LexborNode, attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Read a button that is the heading of a panel; no other has prose in it."""
        box, _, _, mode = self.state
        self._space()
        opens = mode or box.tag in {"dt", "summary"} or "aria-expanded" in attributes or hidden.is_panel(attributes)
        return node.first_child if opens else None

    def _nothing(self, _node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        """Leave out ruby annotations: they repeat in another script what stands beside them."""

    # ------------------------------------------------------------------------------------------- leaves

    def flush(self) -> None:
        """Make leaves of the text since the last border."""
        parts = self.parts
        if not parts:
            return
        self.parts = []
        box, _, _, mode = self.state
        if mode == leaves.PREFORMATTED:
            made, told = leaves.code(box, parts)
            if made is not None:
                made.named.extend(self.code_classes)
            self.code_classes = []
            self._keep(made, told)
        elif mode or len(parts) < 3:
            self._keep(*leaves.leaf(box, parts, mode))
        else:
            for piece in leaves.paragraphs(parts):
                self._keep(*leaves.leaf(box, piece, mode))

    def _keep(self, made: Leaf | None, told: int) -> None:
        self.invisible += told
        if made is not None:
            self.leaves.append(made)


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


def _sum_up(boxes: list[Box], found: list[Leaf]) -> None:
    """Add up what each box holds."""
    for index, leaf in enumerate(found):
        box = leaf.box
        box.chars += leaf.chars
        box.link_chars += leaf.link_chars
        box.items += 1
        box.first = index if box.first < 0 else box.first
        box.last = index
    for box in reversed(boxes):
        parent = box.parent
        if parent is not None and box.items:
            parent.chars += box.chars
            parent.link_chars += box.link_chars
            parent.items += box.items
            parent.first = box.first if parent.first < 0 else min(parent.first, box.first)
            parent.last = max(parent.last, box.last)
            parent.holds_main = parent.holds_main or box.holds_main
