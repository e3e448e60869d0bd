"""Walks a parsed page once, without recursion, and cuts it into leaves of visible text and the boxes around them."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from wellread.characters import mended
from wellread.css.concealment import UNDONE, Concealment
from wellread.css.look import USUAL, is_plain
from wellread.css.visibility import TELLING, Judge
from wellread.seen import names
from wellread.seen.actions import is_action, leads_nowhere
from wellread.seen.later import Later, asks, is_panel
from wellread.seen.unseen import Unseen
from wellread.segmentation import formulas, heads, icons, leaves, mathml, notes, tags
from wellread.segmentation.boxes import Box, Leaf, Walked
from wellread.types import Style

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.css.look import Look
    from wellread.css.sheets import StyleSheets
    from wellread.segmentation.leaves import Part

_DEEPEST: Final = 200
"""Boxes below this depth are read as part of the box above them."""
_MOST_INNER: Final = 4
_MOST_NODES: Final = 1_000_000
_STEPS_PER_ELEMENT: Final = 5
_COUNTED: Final = 256
"""Elements whose steps are counted together."""
MIN_LEAVES: Final = 15_000
CHARS_PER_LEAF: Final = 12
MAX_LEAVES: Final = 100_000
"""Leaves that are kept of any page, how many characters of its source allow one more, and what is kept of no page.
Each costs those who read it further some 60 us and 3 KB. Of 1,700 pages none has more than the first, and a table of
numbers in the barest markup has 8 to 12 characters for each."""
_NOTHING: Final[Mapping[str, str | None]] = {}

_STRONG, _CODE, _NOTE, _IMAGE, _MATH = map(int, (Style.STRONG, Style.CODE, Style.NOTE, Style.IMAGE, Style.MATH))
_WHOLE: Final = _NOTE | _MATH
_EXACT: Final = _WHOLE | _CODE
_LONGEST_NOTE: Final = 12
_FEW: Final = 4
"""Pieces of a heading, all blank, that may stand before its button."""
_UNCALM: Final = TELLING | {"role"}
_UNSEEN: Final = Concealment("visibility:hidden", UNDONE)

State = tuple[Box, int, "str | None", int, "Look"]
"""Where the walk is: box, style, link, mode (see `leaves`), and how text looks."""


def walked(
    tree: LexborHTMLParser, sheets: StyleSheets, *, lenient: bool = False, withheld: int = 0, waits: bool = False
) -> Walked:
    """Return the visible text of `tree` as leaves and boxes.

    `lenient` reads what holds what the page is about though display, visibility, opacity, size or `aria-hidden` hide it
    until scripts run, or a <nav> or <footer> that is never closed holds it; place, clipping, colour and name hide as
    ever. `withheld` is what a first walk, that was not lenient, did not read. Of a page that `waits` for its scripts
    and shows nothing yet, a whole page that is placed or clipped out of sight is read, too.
    """
    later = Later(tree, lenient=lenient, withheld=withheld, waits=waits, counter=sheets.counter)
    walker = _Walker(sheets, later)
    if tree.body is not None and walker.is_open(tree.body.parent) and walker.is_open(tree.body):
        walker.walk(tree.body)
    notices = [*walker.unseen.notices(leaf.words for leaf in walker.leaves), *later.notices()]
    return Walked(walker.leaves, walker.boxes, notices, *heads.told(tree), walker.veiled, walker.times, later.withheld)


class _Walker:
    def __init__(self, sheets: StyleSheets, later: Later) -> None:
        root = Box(0, "body", None, _NOTHING, 0)
        self.boxes = [root]
        self.leaves: list[Leaf] = []
        self.sheets = sheets
        self.judge = Judge(sheets)
        self.calm: dict[str, bool] = {}
        """Values of `class` -> whether nothing about them hides."""
        self.ruled = bool(sheets)
        self.nodes = bool(sheets.nodes)
        self.telling = {"dialog", "mark", *sheets.alarms}
        self.later = later
        self.state: State = (root, 0, None, 0, USUAL)
        self.whole: tuple[int, str] = (0, "")
        """Where the note or formula that is open starts among the parts; its link or its TeX."""
        self.drawn: tuple[int, str] = (0, "")  # what shows the formula in the hidden element before it, and its TeX
        self.parts: list[Part] = []
        self.shut = self.seam = -1
        """How many parts there were where an element ended, if no text followed; and where the next one began there."""
        self.inner: list[tuple[str, Mapping[str, str | None]]] = []
        """Tag and attributes of the first inline elements since the last border."""
        self.unseen = Unseen(sheets.counter)
        self.signs = icons.Signs()
        self.veiled: dict[int, bool] = {}
        self.times: dict[int, str] = {}
        self.most_leaves = min(max(MIN_LEAVES, sheets.counter.chars // CHARS_PER_LEAF), MAX_LEAVES)
        self.entered = 0
        self.undrawn: dict[int, LexborNode] = {}
        """By node, the parts of formulas that nobody sees. They are removed once the walk is over: until then selectors
        may be asked of what stands beside them."""
        self.twin = False
        """Text for screen readers has just been left out: what is hidden from them beside it is its visible twin."""

    def walk(self, body: LexborNode) -> None:
        """Visit every node below `body` in document order."""
        stack: list[tuple[LexborNode | None, State | None]] = []
        skipped, enter = tags.SKIPPED, self._enter
        node = body.first_child
        for _ in range(_MOST_NODES):
            if node is None:
                if not stack:
                    break
                node, before = stack.pop()
                if before is not None:
                    self._leave(before)
                self.shut = len(self.parts)
                continue
            tag = node.tag or ""
            following = node.next
            if tag == "-text":
                self._text(node)
                node = following
                continue
            before = self.state
            child = enter(node, tag) if tag not in skipped or self._is_opened(node, tag) else None
            if self.state is not before:
                stack.append((following, before))
            elif child is None:
                child = following
            elif following is not None:
                stack.append((following, None))
            node = child
        else:
            self.unseen.cut_short = True
        self._finish()

    def _finish(self) -> None:
        """Close whatever is open still."""
        self.flush()
        for box in self.state[0].around():
            box.end = len(self.leaves)
        for lost in self.undrawn.values():
            lost.decompose()

    def _text(self, node: LexborNode) -> None:
        if self.undrawn and node.mem_id in self.undrawn:
            return
        text = node.text_content or ""
        _, style, href, mode, look = self.state
        if look.veil:
            self.unseen.mute(text, look)
        elif self.parts or mode or not text.isspace():
            self.twin &= text.isspace()
            exact = mode >= leaves.PREFORMATTED or style & _EXACT
            part = (text := mended(text, exact=bool(exact)), style, href)
            met = 0 < len(self.parts) == max(self.seam, self.shut) and mode < leaves.PREFORMATTED
            if met and leaves.are_apart(self.parts[-1], part, bare=self.seam < self.shut):
                self._space()
            if not (exact or href) and ("\\" in text or "$$" in text) and self.later.typesets:
                pieces = formulas.typed(text)
                self.parts.extend((told, _MATH if tex else style, None) for told, tex in pieces if told)
            else:
                self.parts.append(part)
        self.shut = -1

    def _leave(self, before: State) -> None:
        if (self.state[1] ^ before[1]) & _WHOLE:
            self._close_whole()
        box = self.state[0]
        if box is not before[0]:
            self.flush()
            box.end = len(self.leaves)
            self.twin = False
        elif before[3] >= leaves.PREFORMATTED and before[3] != self.state[3]:
            leaves.end_line(self.parts)
        elif before[3] != self.state[3]:
            self.flush()
        self.state = before

    def _enter(self, node: LexborNode, tag: str) -> LexborNode | None:
        """Take in the start of an element; return its first child, or None when it is not to be read."""
        if self.undrawn and node.mem_id in self.undrawn:
            return None
        self.entered += 1
        if not self.entered % _COUNTED:
            self.sheets.counter.spend(_COUNTED * _STEPS_PER_ELEMENT)
        if self.shut == len(self.parts) and tag != "-comment":
            self.shut, self.seam = (-1, -1) if tag == "wbr" else (self.shut, self.shut)
        attributes = node.attributes
        if not self._is_calm(node, tag, attributes) and self._is_left_out(node, tag, attributes):
            return None
        self.veiled[node.mem_id] = self.state[4].veil is not None
        if tag in tags.BOXES:
            return self._box(node, tag, attributes)
        if tags.holds_boxes(node, tag):
            self._box(node, tag, attributes)
        elif attributes and len(self.inner) < _MOST_INNER and tag != "img":
            self.inner.append((tag, attributes))
        return self._inline(node, tag, attributes)

    def _inline(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        if self.state[3] >= leaves.PREFORMATTED and attributes and tags.is_line(node):
            self._line_of_code(node, boxed=tags.is_line_box(node))
        if attributes and tags.UNTOLD.search(attributes.get("class") or ""):
            return None
        if tag in tags.STYLES and not (tag == "cite" and tags.is_citation(node)):
            box, style, href, mode, look = self.state
            self.state = (box, style | tags.STYLES[tag], href, mode, look)
        if ("title" in attributes or "datetime" in attributes) and (told := leaves.stamp(attributes)):
            self.times.setdefault(len(self.leaves), told)
        if tag in self.special:
            return self.special[tag](self, node, attributes)
        if node.mem_id == self.drawn[0]:
            return self._mathematics(node, attributes)
        if "-" in tag or tag in tags.SPACED or attributes.get("role") in tags.SPACED_ROLES:
            self._space()
        return node.first_child

    def _is_calm(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Tell at a glance that nothing can hide an element: so it is with nearly all, and the judge is slow."""
        if not _UNCALM.isdisjoint(attributes) or tag in self.telling or not is_plain(self.state[4]):
            return False
        if not attributes:
            return not self.nodes
        called = attributes.get("class") or ""
        calm = self.calm.get(called)
        if calm is None:
            calm = self.calm[called] = not names.kind(called) and not self.sheets.alarms_class(called)
        return calm and not (self.ruled and self.sheets.alarmed_otherwise(node, attributes))

    def _box(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        box, style, href, mode, look = self.state
        if mode >= leaves.PREFORMATTED:
            return self._line_of_code(node)
        if mode or style & _WHOLE or box.is_signature:  # what is of one piece stays whole
            self._space()
            return node.first_child
        self.flush()
        if box.depth < _DEEPEST:
            box = Box(len(self.boxes), tag, box, attributes, len(self.leaves))
            box.node = node.mem_id
            self.boxes.append(box)
        if tag in tags.HEADINGS:
            mode, style = tags.HEADINGS[tag], 0
        elif tag in tags.PREFORMATTED:
            mode = leaves.PREFORMATTED
        elif tag in {"dt", "summary"}:
            style |= _STRONG
        elif tag == "hr":
            self._keep(Leaf(box, (), 0), 0)
        style |= _CODE if box.is_signature else 0
        self.state = (box, style, href, mode, look)
        if tag in icons.HOLDERS and (told := self.signs.told(node, tag, self._shows)):
            self.parts.append((told, 0, None))
        return node.first_child

    def _shows(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        look = self.judge.see(node, tag, attributes, self.state[4])
        return look.gone is None and look.veil is None and look.visible

    def _line_of_code(self, node: LexborNode, *, boxed: bool = True) -> LexborNode | None:
        """Begin a line of code that is an element. One that is a box ends with it, others where the next begins."""
        if boxed or tags.is_line(node.prev):
            leaves.end_line(self.parts, empty=tags.is_line(node) and tags.is_empty(node))
        if boxed:
            self.state = (*self.state[:3], self.state[3] + 1, self.state[4])
        return node.first_child

    def _space(self) -> None:
        if self.parts:
            self.parts.append((" ", self.state[1] & _CODE, None))

    def is_open(self, node: LexborNode | None) -> bool:
        """Take in the look of the page's own root; tell whether anything on it is seen at all."""
        if node is None:
            return True
        before = self.state[4]
        seen = self.judge.see(node, node.tag or "", node.attributes or _NOTHING, before)
        undone = seen.gone.kind == UNDONE if seen.gone is not None else not seen.visible
        if self.later.lenient and undone:
            seen = self.judge.revealed(seen, before)
        self.state = (*self.state[:4], seen)
        if seen.gone is not None:
            self.unseen.count(seen.gone.reason)
        return seen.gone is None

    def _is_left_out(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        called = attributes.get("class") or ""
        kind = names.kind(called) if called else ""
        if kind == "machinery" or (kind == "line numbers" and (self.state[3] or tag in {"td", "pre"})):
            return True
        before = seen = self.state[4]
        if self.ruled or before is not USUAL or not TELLING.isdisjoint(attributes):
            seen = self.judge.see(node, tag, attributes, before)
        why = self._reason(seen, before, self.later.own_reason(node, tag, attributes, kind))
        if why is not None and "mathml" in called and (drawn := formulas.drawn(node)):
            self.drawn = drawn
            return True
        if why is not None and self.later.shows(node, attributes, why):
            why, seen = None, self.judge.revealed(seen, before)
        if why is not None and why is not _UNSEEN:
            self.unseen.leave_out(node, why.reason)
            return True
        if seen is not before:
            self.unseen.muted = None
            self.state = (*self.state[:4], seen)
        role = attributes.get("role")
        if role == "button" and tag != "button" and is_action(node.text(deep=True) or ""):
            return True
        return role in tags.SKIPPED_ROLES

    def _reason(self, seen: Look, before: Look, own: Concealment | None) -> Concealment | None:
        why = seen.gone or own
        if why is not None:
            twin, self.twin = self.twin, why.reason != "aria-hidden"
            why = None if why.reason == "aria-hidden" and twin else why
        return _UNSEEN if why is None and before.visible and not seen.visible else why

    def _is_opened(self, node: LexborNode, tag: str) -> bool:
        if tag == "footer" and self.state[0].tag == "blockquote":  # who said it
            return True
        if tag == "input":
            return not self.parts and tags.is_tick(node)
        return self.later.lenient and tag in {"nav", "footer"} and node.css_first("main, article") is not None

    def _comment(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        self.unseen.count_prose("comment", node.comment_content or "")

    def _template(self, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        self.unseen.count_template(node.html or "", shadow="shadowrootmode" in attributes)

    def _link(self, node: LexborNode, attributes: Mapping[str, str | None]) -> LexborNode | None:
        box, style, _, mode, look = self.state
        href = attributes.get("href") or None
        if href is None and attributes.get("role") == "button":
            return self._button(node, attributes)
        if leads_nowhere(attributes) and not mode and is_action(node.text(deep=True) or ""):
            return None
        if href and href[0] == "#":
            text = (node.text(deep=True) or "").strip()
            if text in tags.ANCHORS or text[0] == "\u21a9":
                return None
            if len(text) < _LONGEST_NOTE and not style & _WHOLE and notes.is_reference(href, attributes):
                style |= _NOTE
                self.whole = (len(self.parts), href)
        if self.parts and self.parts[-1][2] not in {None, href} and not style & _NOTE:
            self._space()  # neighbours in a row of links stand apart
        self.state = (box, style, href, mode, look)
        return node.first_child

    def _line_break(self, _node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        self.parts.append(("\n", leaves.BREAK, None))

    def _image(self, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        source = leaves.source(attributes)
        if source and self.state[4].visible and node.mem_id == self.drawn[0]:
            self.parts.append((self.drawn[1], _MATH, None))
        elif source and self.state[4].visible and "math" not in (attributes.get("class") or ""):
            self.parts.append((mended(attributes.get("alt") or ""), _IMAGE, source))

    def _tick(self, _node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        self.parts.append(("\u2611 " if "checked" in attributes else "\u2610 ", self.state[1], None))

    def _mathematics(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> LexborNode | None:
        box, style, href, mode, look = self.state
        if not style & _WHOLE:
            told = self.drawn[1] if node.mem_id == self.drawn[0] else formulas.tex(node)
            self.whole = (len(self.parts), told)
            self.state = (box, style | _MATH, href, mode, look)
        for lost in mathml.undrawn(node) if node.tag == "math" else ():
            self.unseen.leave_out(lost, "no token of a formula")
            self.undrawn[lost.mem_id] = lost
        return node.first_child

    def _close_whole(self) -> None:
        """Make one part of a note's label, or of a formula, from what was seen of it."""
        at, told = self.whole
        self.parts[at:] = leaves.whole(self.parts[at:], self.state[1], told)

    def _quotation(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Put quotation marks around plain words; where there is more inside, walk it by all rules, without them."""
        _, style, href, _, look = self.state
        if look.veil or node.css_first("q > *") is not None:
            return node.first_child
        self.parts.append((f"\u201c{mended(node.text(deep=True))}\u201d", style, href))
        return None

    def _button(self, node: LexborNode, attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Read a button that is the heading of a panel, or begins one; no other has prose in it."""
        box, _, _, mode, _ = self.state
        begins = 0 < mode < leaves.PREFORMATTED and not any(text.strip() for text, *_ in self.parts[:_FEW])
        self._space()
        opens = begins or box.tag in {"dt", "summary"} or "aria-expanded" in attributes or is_panel(attributes)
        return node.first_child if opens or asks(node) else None

    def flush(self) -> None:
        """Make leaves of the text since the last border."""
        parts, inner = self.parts, self.inner
        self.inner = []
        if not parts:
            return
        self.parts, self.seam, begun = [], -1, len(self.leaves)
        box, _, _, mode, _ = self.state
        if mode >= leaves.PREFORMATTED:
            self._keep(*leaves.code(box, parts))
        elif mode or len(parts) < 3:
            self._keep(*leaves.leaf(box, parts, mode))
        else:
            for piece in leaves.paragraphs(parts):
                self._keep(*leaves.leaf(box, piece, mode))
        for one in self.leaves[begun:]:
            one.inner = inner

    def _keep(self, made: Leaf | None, told: int) -> None:
        self.unseen.invisible += told
        if made is not None and len(self.leaves) < self.most_leaves:
            self.leaves.append(made)
        elif made is not None:
            self.unseen.cut_short = True

    special: ClassVar[Mapping[str, Callable[[_Walker, LexborNode, Mapping[str, str | None]], LexborNode | None]]] = {
        "-comment": _comment, "template": _template, "a": _link, "br": _line_break, "button": _button,
        "img": _image, "input": _tick, "math": _mathematics, "q": _quotation,
    }  # fmt: skip
    """No methods of a walker: one that holds its own methods holds its whole page until the garbage collector comes."""
