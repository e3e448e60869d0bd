"""Walks a parsed page once, without recursion, and cuts it into leaves of visible text and the boxes around them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final

from wellread.css.concealment import UNDONE, Concealment
from wellread.css.look import USUAL, is_plain
from wellread.css.visibility import TELLING, Judge
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.seen.actions import is_action, leads_nowhere
from wellread.seen.later import Later, asks, is_panel
from wellread.seen.unseen import Unseen
from wellread.segmentation import (
    api_reference,
    code_blocks,
    element_hints,
    formulas,
    grids,
    heads,
    icons,
    leaves,
    mathml,
    media_elements,
    notes,
    screen_reader_text,
    tags,
)
from wellread.segmentation.boxes import Box, ChoiceControl, Leaf, Medium, Walked
from wellread.segmentation.screen_reader_text import ScreenReaderTexts
from wellread.text.characters import repaired_encoding
from wellread.types import Notice, Style

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
_MOST_DOUBTED: Final = 50
_MAX_BAR_CHARS: Final = 2_000_000
"""Of elements in code that their classes call bars. Where they lie in one another, their text is gone through again."""
"""Boxes that begin like code and are looked through for something else: each may be most of the page."""
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
_READING: Final = 1 << 22
_ASIDE: Final = 1 << 23
"""Bits beside those of `Style`: text is a reading above signs, or a note amid a sentence."""
_IN_ONE_PIECE: Final = _WHOLE | _READING | _ASIDE
_MAY_BE_CODE: Final = element_hints.CODE | element_hints.STYLED
_MAY_BE_FORMULA: Final = element_hints.MATH | element_hints.TEX
_UNCOMMON: Final = _MAY_BE_FORMULA | element_hints.COMPONENT | element_hints.CHOICE | element_hints.ROLE
"""What makes more of an element than a box or inline text: few are that."""
_MAY_DECLARE: Final = element_hints.SIGNATURE | element_hints.ROW
_CITED: Final = lazy_pattern(r"(?<![^\s,])[A-Za-z][\w:./+-]{0,39}(?![^\s,])")
"""The key of a work in BibTeX."""
_MOST_CITED: Final = 10
_EXACT: Final = _WHOLE | _CODE
_LONGEST_NOTE: Final = 12
_FEW: Final = 4
"""Pieces of a heading, all blank, that may stand before its button."""
_CHOSEN_ROLES: Final = frozenset({"radio", "option"})
"""What marks an element as one of several things to choose, in the place of a radio button."""
_UNSEEN: Final = Concealment("visibility:hidden", UNDONE)
STYLES_CUT: Final = Notice(
    "styles_cut", "the styles need more work than the limit for one page; visible text may be missing"
)

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
    notices += [STYLES_CUT] if walker.judge.is_cut else []
    found = Walked(walker.leaves, walker.boxes, notices, *heads.told(tree), walker.veiled, walker.times, later.withheld)
    return found._replace(media=walker.embedded.media, controls=walker.embedded.controls)


def _meet(before: str, after: str) -> bool:
    """Tell whether two words would be one if nothing were written between them."""
    return before[-1:].isalnum() and after[:1].isalnum()


@dataclass(slots=True)
class _Embedded:
    """Pictures, embedded content and fields of choices that the walk met."""

    media: list[Medium] = field(default_factory=list)
    controls: list[ChoiceControl] = field(default_factory=list)
    unplaced: list[Medium | ChoiceControl] = field(default_factory=list)
    """What stands after text of which no leaf is made yet: it comes before the leaf that follows."""


class _Walker:
    hints: int = 0
    """What the element that was entered last may be; see `element_hints`."""
    numbered: bool = False
    """A cell of a table begins with a number, or is left out: those after it may hold the lines of some code."""
    twin: bool = False
    """Text for screen readers has just been left out: what is hidden from them beside it is its visible twin."""

    def __init__(self, sheets: StyleSheets, later: Later) -> None:
        root = Box(0, "body", None, _NOTHING, 0)
        self.boxes = [root]
        self.leaves: list[Leaf] = []
        self.sheets = sheets
        self.judge = Judge(sheets)
        self.element_hints = element_hints.ElementHints(sheets)
        self.ruled = bool(sheets)
        self.telling = {"dialog", "mark", *sheets.alarms}
        self.later = later
        self.state: State = (root, 0, None, 0, USUAL)
        self.whole: tuple[int, str] = (0, "")
        """Where the note or formula that is open starts among the parts; its link or its TeX."""
        self.drawn: tuple[int, str] = (0, "")  # what shows the formula in the hidden element before it, and its TeX
        self.parts: list[Part] = []
        self.reading: tuple[int, int] = (0, 0)
        """Where the reading that is open starts among the parts, and where the one before it ended."""
        self.aside: tuple[int, int] = (0, 0)
        """Where the note that is open amid a sentence starts among the parts, and how many there were before."""
        self.asides: list[tuple[str, list[Part]]] = []
        """Ids and parts of the notes in the sentence that is open."""
        self.shut = self.seam = -1
        """How many parts there were where an element ended, if no text followed; and where the next one began there."""
        self.inner: list[tuple[str, Mapping[str, str | None]]] = []
        """Tag and attributes of the first inline elements since the last border."""
        self.unseen = Unseen(sheets.counter)
        self.signs = icons.Signs()
        self.screen_reader_texts = ScreenReaderTexts()
        self.code = code_blocks.CodeLayout()
        """Of the block of code that is open."""
        self.veiled: dict[int, bool] = {}
        self.times: dict[int, str] = {}
        self.most_leaves = min(max(MIN_LEAVES, sheets.counter.chars // CHARS_PER_LEAF), MAX_LEAVES)
        self.entered = self.doubted = 0  # elements, and those among them that began like code and were none
        self.bar_chars = 0
        self.undrawn: dict[int, LexborNode] = {}
        """By node, the parts of formulas that nobody sees. They are removed once the walk is over: until then selectors
        may be asked of what stands beside them."""
        self.unnamed: set[int] = set()
        """Elements that begin with no name of a parameter."""
        self.embedded = _Embedded()

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
            following = node.next
            if node.is_text_node:
                self._text(node)
                node = following
                continue
            tag = node.tag or ""
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
        box, style, href, mode, look = self.state
        if look.veil:
            self.unseen.mute(text, look)
        elif self.parts or mode or not text.isspace():
            self.twin &= text.isspace()
            exact = mode >= leaves.PREFORMATTED or style & _EXACT
            text = repaired_encoding(text, exact=bool(exact))
            if mode >= leaves.PREFORMATTED:
                text = self._code_text(node, text)
                if not text:
                    return
            part = (text, style, href)
            if (box.is_parameter or box.is_signature) and self.parts and _meet(self.parts[-1][0], text):
                self._space()
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
        ended = self.state[1] & ~before[1]
        if (self.state[1] ^ before[1]) & _WHOLE:
            self._close_whole()
        elif ended & _READING:
            self._close_reading()
        elif ended & _ASIDE:
            self._close_aside()
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
        self.hints = hints = self.element_hints.of(tag, attributes)
        if self._may_be_hidden(tag, attributes) and self._is_left_out(node, tag, attributes):
            self.numbered |= tag == "td"
            return None
        self.veiled[node.mem_id] = self.state[4].veil is not None
        if self.state[3] >= leaves.PREFORMATTED:
            return self._in_code(node, tag, attributes)
        if tag == "td" and self._numbers_lines(node):
            return None
        may_be_code = hints & _MAY_BE_CODE or (tag == "td" and self.numbered)
        if may_be_code and (space := self._begins_code(node, tag, attributes)):
            return self._code_block(node, tag, attributes, space)
        return self._content(node, tag, attributes)

    def _numbers_lines(self, cell: LexborNode) -> bool:
        """Tell whether a cell holds just the numbers of lines of code; note whether it begins with a number."""
        if not code_blocks.begins_with_number(cell):
            return False
        self.numbered = True
        return code_blocks.numbers_lines(cell)

    def _content(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        hints = self.hints
        if not hints & _UNCOMMON:
            if hints & element_hints.BOX:
                return self._box(node, tag, attributes)
            return self._inline_or_box(node, tag, attributes)
        if hints & _MAY_BE_FORMULA and (tex := self._formula(node, tag, attributes)):
            if tag in tags.BOXES:
                self._box(node, tag, attributes)
            if tag in tags.PREFORMATTED:
                self.state = (*self.state[:3], 0, self.state[4])
            self.parts.append((tex, _MATH, None))
            return None
        may_embed = hints & element_hints.COMPONENT and attributes and tag != "img"
        if may_embed and (hints & element_hints.CUSTOM or node.first_child is None):
            self._component(node, tag, attributes)
        role = attributes["role"] if hints & element_hints.ROLE else None
        if hints & element_hints.CHOICE or role in _CHOSEN_ROLES:
            self._control(node)
        if hints & element_hints.BOX or role in tags.CELL_ROLES:
            return self._box(node, tag, attributes)
        return self._inline_or_box(node, tag, attributes)

    def _inline_or_box(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Take in the start of an inline element, which is a box where it holds some."""
        if tag != "d-footnote" and tags.holds_boxes(node, tag):
            self._box(node, tag, attributes)
        elif attributes and len(self.inner) < _MOST_INNER and tag != "img":
            self.inner.append((tag, attributes))
        return self._inline(node, tag, attributes)

    def _inline(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        if self.hints & element_hints.UNTOLD:
            return None
        if tag in tags.STYLES and not (tag == "cite" and tags.is_citation(node)):
            box, style, href, mode, look = self.state
            self.state = (box, style | tags.STYLES[tag], href, mode, look)
        if self.hints & element_hints.TIMED and (stamp := leaves.place_stamp(node, tag, attributes)):
            self.times.setdefault(len(self.leaves), stamp)
        if tag in self.special:
            return self.special[tag](self, node, attributes)
        if node.mem_id == self.drawn[0]:
            return self._mathematics(node, attributes)
        if self.hints & element_hints.ASIDE:
            return self._aside(node, attributes)
        if tag == "d-code":
            box, style, href, mode, look = self.state
            self.state = (box, style | _CODE, href, mode, look)
            return node.first_child
        if self.hints & element_hints.CUSTOM or tag in tags.SPACED or attributes.get("role") in tags.SPACED_ROLES:
            self._space()
        return node.first_child

    def _may_be_hidden(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Tell at a glance whether something may hide an element: nothing can hide most, and the judge is slow."""
        look = self.state[4]
        if tag in self.telling or self.hints & element_hints.HIDDEN or not (look is USUAL or is_plain(look)):
            return True
        if not (attributes and self.ruled):
            return self.sheets.nodes
        return self.sheets.alarms_place(attributes)

    def _box(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        box, style, href, mode, look = self.state
        if mode >= leaves.PREFORMATTED:
            return self._line_of_code(node)
        if mode or style & _IN_ONE_PIECE or box.is_signature or box.is_parameter:  # what is of one piece stays whole
            self._space()
            return node.first_child
        self.flush()
        if box.depth < _DEEPEST:
            box = Box(len(self.boxes), tag, box, attributes, len(self.leaves))
            box.node = node.mem_id
            self.boxes.append(box)
            self._place_in_grid(box, node)
        if tag in tags.HEADINGS:
            mode, style = tags.HEADINGS[tag], 0
        elif tag in tags.PREFORMATTED:
            mode = leaves.PREFORMATTED
            self.code = code_blocks.layout(node, code_blocks.Space.AS_WRITTEN)
        elif tag in {"dt", "summary"}:
            style |= _STRONG
        elif tag == "hr":
            self._keep(Leaf(box, (), 0), 0)
        elif self.hints & _MAY_DECLARE:
            self._declare(box, node)
        style |= _CODE if box.is_signature else 0
        self.state = (box, style, href, mode, look)
        if sign := self._sign(node, tag, attributes):
            self.parts.append((sign, 0, None))
        return node.first_child

    def _sign(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> str:
        """Return what a picture says that a cell is; nothing where text for screen readers says so in words."""
        is_cell = self.hints & element_hints.ROLE and attributes.get("role") in tags.CELL_ROLES
        if (is_cell or tag in screen_reader_text.HOLDERS) and self.screen_reader_texts.find(node, self._sees):
            return ""
        return self.signs.told(node, tag, self._shows) if tag in icons.HOLDERS else ""

    def _declare(self, box: Box, node: LexborNode) -> None:
        """Find out whether a box is what a reference declares: a signature, or the row of a parameter."""
        if self.hints & element_hints.SIGNATURE and api_reference.is_signature(node):
            box.is_signature = True
        elif self.hints & element_hints.ROW and not box.is_signature:
            box.is_parameter = api_reference.is_parameter(node, self.unnamed)

    def _place_in_grid(self, box: Box, node: LexborNode) -> None:
        if self.hints & element_hints.GRID and box.tag == "div":
            box.columns = grids.columns(node)
        if box.parent is not None and box.parent.columns:
            box.place = box.parent.cells
            box.parent.cells += 1

    def _formula(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> str:
        return "" if self.state[3] >= leaves.PREFORMATTED else formulas.stated(node, tag, attributes)

    def _begins_code(
        self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]
    ) -> code_blocks.Space | None:
        """Return how white space is meant in an element that is a block of code; None for any other."""
        box, style, _, mode, _ = self.state
        if mode or style & (_WHOLE | _CODE) or box.is_signature or tag in tags.PREFORMATTED:
            return None
        space = code_blocks.begins(node, tag, attributes)
        if space is not code_blocks.Space.BY_ELEMENTS or tag not in tags.BOXES:
            return space
        if self.doubted < _MOST_DOUBTED and not code_blocks.holds_other(node):
            return space
        self.doubted += 1
        return None

    def _in_code(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Take in the start of an element in a block of code."""
        called = attributes.get("class")
        if node.mem_id in self.code.left_out or (called and self._is_bar(node, called)):
            return None
        if sign := code_blocks.sign(tag, attributes):
            box, style, href, mode, look = self.state
            self.state = (box, style | sign, href, mode, look)
        if tag not in tags.BOXES and (node.mem_id in self.code.lines or tags.is_line(node)):
            self._line_of_code(node, boxed=node.mem_id in self.code.lines or tags.is_line_box(node))
        return self._content(node, tag, attributes)

    def _is_bar(self, node: LexborNode, called: str) -> bool:
        """Tell whether an element in a block of code is no code, while the page has asked that of little text."""
        if self.bar_chars > _MAX_BAR_CHARS or (text := code_blocks.bar_text(node, called)) is None:
            return False
        self.bar_chars += len(text)
        return code_blocks.is_bar(node, text)

    def _code_block(
        self, node: LexborNode, tag: str, attributes: Mapping[str, str | None], space: code_blocks.Space
    ) -> LexborNode | None:
        """Begin a block of code that no <pre> marks."""
        self.flush()
        box, style, href, _, look = self.state
        if box.depth < _DEEPEST:
            box = Box(len(self.boxes), tag, box, attributes, len(self.leaves))
            box.node = node.mem_id
            self.boxes.append(box)
        self.code = code_blocks.layout(node, space)
        self.state = (box, style, href, leaves.PREFORMATTED, look)
        if tag in tags.STYLES or tag not in tags.BOXES:
            self.inner.append((tag, attributes))
        return node.first_child

    def _code_text(self, node: LexborNode, text: str) -> str:
        """Return text of a block of code without what is layout of the source."""
        if node.mem_id in self.code.left_out:
            return ""
        if self.code.space is code_blocks.Space.AS_WRITTEN or "\n" not in text:
            return text
        if text.isspace():
            return ""
        after_break = bool(self.parts) and self.parts[-1][1] == leaves.BREAK
        return text.lstrip("\n") if after_break else text

    def _sees(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> Look:
        return self.judge.see(node, tag, attributes, self.state[4])

    def _shows(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> bool:
        look = self._sees(node, tag, attributes)
        return look.gone is None and look.veil is None and look.visible

    def _line_of_code(self, node: LexborNode, *, boxed: bool = True) -> LexborNode | None:
        """Begin a line of code that is an element. One that is a box ends with it, others where the next begins."""
        if boxed or tags.is_line(node.prev):
            leaves.end_line(self.parts, empty=tags.is_line(node) and tags.is_empty(node))
        if boxed:
            self.state = (*self.state[:3], self.state[3] + 1, self.state[4])
        return node.first_child

    def _space(self) -> None:
        if self.parts and self.state[3] < leaves.PREFORMATTED:
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
        if why is not None and (self.screen_reader_texts.holds(node) or self.later.shows(node, attributes, why)):
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

    def _component(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> None:
        """Note what a component, or an empty element that scripts fill, embeds."""
        if attributes.get("role") == "img":
            address = media_elements.picture_address(node, attributes)
            self._note(tag, attributes, address, is_picture=True)
        elif address := media_elements.component_address(tag, attributes):
            self._note(tag, attributes, address, is_picture=media_elements.is_picture(address))

    def _note(
        self, tag: str, attributes: Mapping[str, str | None], address: str, *, is_picture: bool, in_leaf: bool = False
    ) -> None:
        """Note a picture or embedded content in the place where the walk is."""
        if not address or len(self.embedded.media) >= media_elements.MAX_MEDIA or not self.state[4].visible:
            return
        box, _, href, _, _ = self.state
        medium = Medium(tag, attributes, address, box, href, len(self.leaves), is_picture, in_leaf)
        self.embedded.media.append(medium)
        if not in_leaf and self.parts:
            self.embedded.unplaced.append(medium)

    def _embedded(self, node: LexborNode, tag: str) -> None:
        """Note what an element embeds, if a person sees it."""
        attributes = node.attributes
        address = media_elements.embed_address(node, tag, attributes)
        kind = names.kind(attributes.get("class") or "")
        if (
            address
            and self.later.own_reason(node, tag, attributes, kind) is None
            and self._shows(node, tag, attributes)
        ):
            self._note(
                tag, attributes, address, is_picture=tag in {"object", "embed"} and media_elements.is_picture(address)
            )

    def _is_opened(self, node: LexborNode, tag: str) -> bool:
        if tag in media_elements.EMBEDS:
            self._embedded(node, tag)
            return False
        if tag == "select":
            self._control(node, is_seen=self._shows(node, tag, node.attributes))
            return False
        if tag == "footer" and self.state[0].tag == "blockquote":  # who said it
            return True
        if tag == "input":
            return self._is_tick(node)
        if tag in {"script", "textarea"}:
            return (formulas.is_tex_script if tag == "script" else code_blocks.is_read_only)(node.attributes)
        return self.later.lenient and tag in {"nav", "footer"} and node.css_first("main, article") is not None

    def _is_tick(self, node: LexborNode) -> bool:
        """Note a radio button, and tell whether a field is a tick before text."""
        if node.attributes.get("type") == "radio":
            self._control(node)
        return not self.parts and tags.is_tick(node)

    def _control(self, node: LexborNode, *, is_seen: bool = True) -> None:
        """Note a control by which a reader chooses among several things."""
        if len(self.embedded.controls) < media_elements.MAX_MEDIA:
            control = ChoiceControl(node, self.state[0], len(self.leaves), is_seen)
            self.embedded.controls.append(control)
            if self.parts:
                self.embedded.unplaced.append(control)

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

    def _script(self, _node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        """Read nothing of a formula's script that is no formula, or stands beside what it was made into."""

    def _line_break(self, _node: LexborNode, _attributes: Mapping[str, str | None]) -> None:
        self.parts.append(("\n", leaves.BREAK, self.state[2]))

    def _image(self, node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        source = leaves.source(attributes)
        if source and self.state[4].visible and node.mem_id == self.drawn[0]:
            self.parts.append((self.drawn[1], _MATH, None))
            return
        address = media_elements.picture_address(node, attributes)
        if source and self.state[4].visible and "math" not in (attributes.get("class") or ""):
            # The networks know pages with the pictures that have an address in one of three attributes. Others are
            # noted beside the leaves.
            self.parts.append((repaired_encoding(attributes.get("alt") or ""), _IMAGE, address))
            self._note("img", attributes, address, is_picture=True, in_leaf=True)
        else:
            self._note("img", attributes, address, is_picture=True)

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

    def _reading(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Begin a reading of ruby: it stands in brackets behind what it reads (HTML standard, 4.5.11)."""
        box, style, href, mode, look = self.state
        if mode >= leaves.PREFORMATTED or style & (_WHOLE | _READING):
            return node.first_child
        while self.parts and self.parts[-1][1] >= 0 and self.parts[-1][0].isspace():
            self.parts.pop()
        self.reading = (len(self.parts), self.reading[1])
        self.state = (box, style | _READING, href, mode, look)
        return node.first_child

    def _close_reading(self) -> None:
        at, before = self.reading
        text = " ".join("".join(text for text, _, _ in self.parts[at:]).split())
        style = self.state[1] & ~_READING
        del self.parts[at:]
        if text and at and at == before:
            self.parts[-1] = (f"{self.parts[-1][0][:-1]} {text})", style, self.state[2])
        elif text:
            self.parts.append((f"({text})", style, self.state[2]))
        self.reading = (0, len(self.parts))

    def _aside(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Begin a note that stands amid a sentence: it follows what is said there, as other notes do."""
        box, style, _, mode, look = self.state
        if mode or style & (_WHOLE | _ASIDE | _READING):
            return node.first_child
        self.aside = (len(self.parts), self.aside[1])
        self.state = (box, style | _ASIDE, None, mode, look)
        return node.first_child

    def _close_aside(self) -> None:
        at, count = self.aside
        parts = self.parts[at:]
        del self.parts[at:]
        if any(text.strip() for text, _, _ in parts):
            while at and self.parts[-1][0] == " ":  # before the sign of the note, which stands beside its word
                self.parts.pop()
                at -= 1
            self.aside = (at, count + 1)
            name = f"note-amid-text-{count + 1}"
            self.parts.append((str(count + 1), _NOTE, f"#{name}"))
            self.asides.append(
                (name, [(text, style & ~_ASIDE if style > 0 else style, href) for text, style, href in parts])
            )

    def _keep_asides(self) -> None:
        """Make boxes of the notes in the sentence that has just ended."""
        asides, self.asides = self.asides, []
        for name, parts in asides:
            box = Box(len(self.boxes), "div", self.state[0], {"id": name}, len(self.leaves))
            self.boxes.append(box)
            self._keep(*leaves.leaf(box, parts, 0))
            box.end = len(self.leaves)

    def _citation(self, _node: LexborNode, attributes: Mapping[str, str | None]) -> None:
        """Name the works that Distill numbers: by the keys in its bibliography."""
        keys = _CITED.findall(attributes.get("key") or attributes.get("bibtex-key") or "")
        if keys:
            self._space()
            self.parts.append((f"[{', '.join(keys[:_MOST_CITED])}]", self.state[1], None))

    def _quotation(self, node: LexborNode, _attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Put quotation marks around plain words; where there is more inside, walk it by all rules, without them."""
        _, style, href, _, look = self.state
        if look.veil or node.css_first("q > *") is not None:
            return node.first_child
        self.parts.append((f"\u201c{repaired_encoding(node.text(deep=True))}\u201d", style, href))
        return None

    def _button(self, node: LexborNode, attributes: Mapping[str, str | None]) -> LexborNode | None:
        """Read a button that is the heading of a panel, or begins one; no other has prose in it."""
        box, _, _, mode, _ = self.state
        begins = 0 < mode < leaves.PREFORMATTED and not any(text.strip() for text, *_ in self.parts[:_FEW])
        self._space()
        opens = begins or box.tag in {"dt", "summary"} or "aria-expanded" in attributes or is_panel(attributes)
        return node.first_child if opens or asks(node) or tags.names_column(node) else None

    def flush(self) -> None:
        """Make leaves of the text since the last border."""
        parts, inner = self.parts, self.inner
        self.inner = []
        if not parts:
            return
        self._make_leaves(parts, inner)
        for noted in self.embedded.unplaced:
            noted.at = len(self.leaves)
        self.embedded.unplaced = []

    def _make_leaves(self, parts: list[Part], inner: list[tuple[str, Mapping[str, str | None]]]) -> None:
        self.parts, self.seam, begun = [], -1, len(self.leaves)
        box, _, _, mode, _ = self.state
        if box.is_parameter:
            parts = leaves.named(parts)
        elif 1 < len(parts) <= api_reference.MOST_PIECES and mode < leaves.PREFORMATTED:
            parts = api_reference.spaced(parts)
        if mode >= leaves.PREFORMATTED:
            self._keep(*leaves.code(box, parts))
        elif mode or len(parts) < 3:
            self._keep(*leaves.leaf(box, parts, mode))
        else:
            for piece in leaves.paragraphs(parts):
                self._keep(*leaves.leaf(box, piece, mode))
        for made in self.leaves[begun:] if inner else ():
            made.inner = inner
        if self.asides:
            self._keep_asides()

    def _keep(self, made: Leaf | None, told: int) -> None:
        self.unseen.invisible += told
        if made is not None and len(self.leaves) < self.most_leaves:
            self.leaves.append(made)
        elif made is not None:
            self.unseen.cut_short = True

    special: ClassVar[Mapping[str, Callable[[_Walker, LexborNode, Mapping[str, str | None]], LexborNode | None]]] = {
        "-comment": _comment, "template": _template, "a": _link, "br": _line_break, "button": _button,
        "d-cite": _citation, "d-footnote": _aside, "img": _image, "input": _tick, "math": _mathematics, "q": _quotation,
        "rt": _reading, "script": _script,
    }  # fmt: skip
    """No methods of a walker: one that holds its own methods holds its whole page until the garbage collector comes."""
