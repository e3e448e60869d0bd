"""Finds code that no <pre> marks, and in all code the lines, line numbers and changed lines that only markup tells."""

from __future__ import annotations

import re
from enum import Enum
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.bounded_cache import cached_calls
from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.segmentation import tags

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from selectolax.lexbor import LexborNode

    Attributes = Mapping[str, str | None]


class Space(Enum):
    """How the white space of a block of code is meant."""

    AS_WRITTEN = "as written"
    BY_ELEMENTS = "by elements"
    """Elements and <br> end lines; line feeds between elements are layout of the source."""


ADDED: Final = 1 << 20
REMOVED: Final = 1 << 21
"""Bits beside those of `Style`: a part of code stands in a line that was added, or removed."""
SIGNS: Final = {ADDED: "+", REMOVED: "-"}

_MOST_CACHED: Final = 5_000
_CODE_TAGS: Final = word_set("code samp kbd tt")
ALWAYS: Final = _CODE_TAGS | {"textarea"}
"""Elements that may be code whatever they are called; so may a <td> that follows a cell of numbers."""
_CANDIDATES: Final = word_set("td div table ol ul section figure span p")
_HIGHLIGHTERS: Final = word_set(
    "syntaxhighlighter highlighter codehilite crayon geshi prettyprint sourcecode codeblock codebox codemirror hljs "
    "shiki prismjs syntax"
)
"""Words in names of boxes that hold code, and nothing else."""
CODE_WORDS: Final = _HIGHLIGHTERS | word_set("code snippet highlight terminal console cm ace monaco blob diff")
"""Words in names of boxes that hold code if what is in them says so, too."""
_LINE_WORDS: Final = word_set("line pre")
"""Last words in names of the elements that lines of code are; GitHub calls them `blob-code`."""
_BARS: Final = word_set("toolbar copy clipboard button buttons btn gutter gutters nums numbers")
"""Words in names of what stands beside code: buttons, numbers of lines."""
_LONGEST_BAR: Final = 60
"""Characters."""
_PROSE: Final = word_set("pre p h1 h2 h3 h4 h5 h6 img form video iframe textarea blockquote dl dt dd article section")
_OTHER: Final = 'pre:not([class$="line" i]), p, h1, h2, h3, h4, h5, h6, img, video, iframe, form, blockquote, dl'
_BOXES: Final = "p, div, ul, ol, table, h1, h2, h3, h4, h5, h6, img, style, script, pre"
_MOST_NODES: Final = 120
"""Nodes by which a box is judged."""
_MOST_CHILDREN: Final = 20_000
_DEEPEST_FRAME: Final = 6
_DEEPEST_NUMBER: Final = 4
_LONGEST_NUMBER: Final = 8
"""Characters, with the white space around it."""
_LONGEST_GUTTER: Final = 20_000
_FIXED: Final = lazy_pattern(
    r"white-space(?:-collapse)?\s*:\s*(pre|break-spaces|preserve)(?:-(wrap|line))?\s*(?:;|!|$)", re.IGNORECASE
)
_MONOSPACED: Final = lazy_pattern(
    r"font(?:-family)?\s*:[^;]*(?:mono|consolas|courier|menlo|inconsolata|fira ?code|source code)", re.IGNORECASE
)
_BLOCK: Final = lazy_pattern(r"display\s*:\s*(?:block|table-row|grid|flex|list-item)", re.IGNORECASE)
_UNSELECTED: Final = lazy_pattern(r"user-select\s*:\s*none", re.IGNORECASE)
_LONGEST_STYLE: Final = 1_000
_TOKENS: Final = word_set("token number constant mi mf m nu0 num literal")
"""Words in names of numbers that are code."""
_SIGN_WORDS: Final = {
    **dict.fromkeys(word_set("add added addition additions ins insert inserted insertion plus diffadd"), ADDED),
    **dict.fromkeys(word_set("del delete deleted deletion rem remove removed removal minus diffremove"), REMOVED),
}
_BESIDE_SIGNS: Final = word_set(
    "diff line code block blob hl highlight highlighted marker mark inner bg row is ec vp view d2h cntx change changed "
    "inline sign token prefix"
)
"""Words that stand in one name with a word of a changed line."""


_NONE: Final[frozenset[int]] = frozenset()


class CodeLayout(NamedTuple):
    """What the elements in a block of code are."""

    space: Space = Space.AS_WRITTEN
    left_out: frozenset[int] = _NONE
    """Nodes that are no code: numbers of lines, and white space around the one element that holds all of the code."""
    lines: frozenset[int] = _NONE
    """Inline elements each of which is a line."""


def begins(node: LexborNode, tag: str, attributes: Attributes) -> Space | None:
    """Tell whether an element other than <pre> is a block of code, and how its white space is meant."""
    if tag in _CANDIDATES:
        return _box_of_code(node, tag, attributes)
    if tag in _CODE_TAGS:
        return _alone(node, attributes)
    if tag == "textarea":
        return Space.AS_WRITTEN
    return _component(node, tag, attributes) if "-" in tag else None


def _box_of_code(node: LexborNode, tag: str, attributes: Attributes) -> Space | None:
    if (style := attributes.get("style")) and (space := _styled(node, tag, style)):
        return space
    if tag == "td":
        return Space.BY_ELEMENTS if _follows_numbers(node) else None
    if tag != "span" and (called := attributes.get("class")) and (certain := calls_code(called)):
        return Space.BY_ELEMENTS if _is_lines(node, certain=certain == "certain") else None
    return None


def _styled(node: LexborNode, tag: str, style: str) -> Space | None:
    """Tell whether a style makes code of what an element holds: lines as they are written, or all signs as wide."""
    fixed = _FIXED.search(style, 0, _LONGEST_STYLE)
    monospaced = _MONOSPACED.search(style, 0, _LONGEST_STYLE) is not None
    if not (fixed or monospaced) or tag == "td" or (tag == "span" and not _fills_box(node)):
        return None
    if fixed is not None and fixed[2] != "line" and (monospaced or fixed[2] is None):
        several = "\n" in (node.text(deep=True) or "").strip() or (monospaced and node.css_first("div, br") is not None)
        return Space.AS_WRITTEN if several and node.css_first("pre, p, img, table") is None else None
    if monospaced and tag != "span" and _is_lines(node, certain=True):
        return Space.BY_ELEMENTS
    return None


def is_read_only(attributes: Attributes) -> bool:
    """Tell whether a field shows text that nobody can change."""
    return "readonly" in attributes or "disabled" in attributes


def _alone(node: LexborNode, attributes: Attributes) -> Space | None:
    """Tell whether a <code> fills its box and has several lines: then it is a block."""
    child = node.first_child
    if child is None or (
        child.next is None and child.tag == "-text" and "\n" not in (child.text_content or "").strip()
    ):
        return None
    style = attributes.get("style") or ""
    fixed = _FIXED.search(style, 0, _LONGEST_STYLE) is not None
    written = (node.text(deep=True) or "").strip()
    broken = node.css_first("br") is not None
    if not ("\n" in written or broken) or not _fills_box(node) or node.css_first(_BOXES) is not None:
        return None
    if fixed or not broken:
        return Space.AS_WRITTEN
    return Space.BY_ELEMENTS


def _fills_box(node: LexborNode) -> bool:
    """Tell whether an inline element is all that its box holds, and that box no cell."""
    at: LexborNode | None = node
    while at is not None:
        if any(_says_something(beside) for beside in _siblings(at)):
            return False
        at = at.parent
        if at is None or at.tag in tags.BOXES:
            break
    return at is not None and at.tag not in {"td", "th", "pre", "caption"}


def _siblings(node: LexborNode) -> Iterator[LexborNode]:
    """Yield the nearest two nodes on either side that are no comments: what they are decides for the others."""
    for step in ("prev", "next"):
        beside = getattr(node, step)
        for _ in range(2):
            if beside is None or beside.tag in tags.BOXES:
                break
            yield beside
            beside = getattr(beside, step)


def _says_something(node: LexborNode) -> bool:
    if node.tag == "-text":
        return bool((node.text_content or "").strip())
    return node.tag not in {"-comment", "button", "br", "wbr"} and node.first_child is not None


def _component(node: LexborNode, tag: str, attributes: Attributes) -> Space | None:
    """Tell whether a component shows its own text as a block of code: Distill's <d-code block>."""
    if "code" not in names.words(tag):
        return None
    child = node.first_child
    plain = child is not None and child.tag == "-text" and child.next is None
    several = plain and "\n" in (child.text_content or "").strip() if child is not None else False
    return Space.AS_WRITTEN if several or (plain and "block" in attributes) else None


@cached_calls(_MOST_CACHED)
def calls_code(called: str) -> str:
    """Return whether a class calls a box code: `certain`, `possible`, or not at all."""
    words = frozenset(names.words(called))
    if not _HIGHLIGHTERS.isdisjoint(words):
        return "certain"
    return "" if CODE_WORDS.isdisjoint(words) else "possible"


@cached_calls(_MOST_CACHED)
def _calls_line(called: str) -> bool:
    split = [names.words(name) for name in called.split()]
    return any(words and (words[:2] == ("blob", "code") or words[-1] in _LINE_WORDS) for words in split)


@cached_calls(_MOST_CACHED)
def _calls_bar(called: str) -> bool:
    words = names.words(called)
    return not _BARS.isdisjoint(words) and "token" not in words


def bar_text(node: LexborNode, called: str) -> str | None:
    """Return the text of an element in a block of code that its class calls a bar; None of any other."""
    if not _calls_bar(called) or (node.prev is None and node.next is None):
        return None
    return (node.text(deep=True, separator=" ") or "").strip()


def is_bar(node: LexborNode, text: str) -> bool:
    """Tell whether an element with a `bar_text` stands beside the code: a row of buttons, the numbers of all lines."""
    if text and node.tag not in tags.BOXES and _is_token(node, text):
        return False
    return len(text) <= _LONGEST_BAR or is_gutter(text)


def _is_token(node: LexborNode, text: str) -> bool:
    """Tell whether an inline element stands amid a line of code: highlighters call numbers `lang-numbers`.

    The number of a line is the first thing in it, and a button stands at an end of the code. Only what is written as
    bare text beside the element is looked at.
    """
    before, after = _bare_text(node.prev), _bare_text(node.next)
    if "\n" in text or not (before or after):
        return False
    follows_code = before[-1:] not in {"", "\n", "\r"}
    if text.isdecimal():
        return follows_code
    return follows_code and bool(before.rpartition("\n")[2].strip()) and after[:1] not in {"", "\n", "\r"}


def _bare_text(node: LexborNode | None) -> str:
    if node is None or node.tag != "-text":
        return ""
    return node.text_content or ""


def _is_lines(node: LexborNode, *, certain: bool) -> bool:
    """Tell whether what a box holds are lines of code: by its first nodes, and of one not `certain` by each text."""
    lines = texts = 0
    stack: list[tuple[LexborNode | None, bool]] = [(node.first_child, False)]
    for _ in range(_MOST_NODES):
        while stack and stack[-1][0] is None:
            stack.pop()
        if not stack:
            break
        at, inside = stack.pop()
        if at is None:
            continue
        stack.append((at.next, inside))
        tag = at.tag or ""
        if tag == "-text":
            if text := (at.text_content or "").strip():
                texts += not text.isdecimal()
                if not (inside or certain or text.isdecimal()):
                    return False
            continue
        called = at.attributes.get("class") or ""
        if (tag in _PROSE and not (tag == "pre" and called.lower().endswith("line"))) or (
            tag == "table" and node.tag == "table"
        ):
            return False
        if tag in {"button", "label", "script", "style", "th"} or (called and (_calls_bar(called) or "-num" in called)):
            continue
        is_line = tag in _CODE_TAGS or (bool(called) and _calls_line(called))
        lines += is_line or tag in {"li", "tr", "div", "br"}
        stack.append((at.first_child, inside or is_line))
    return texts > 0 and lines > 0


def holds_other(node: LexborNode) -> bool:
    """Tell whether a box that begins like lines of code holds something else, or blocks of code of their own."""
    return node.css_first(_OTHER) is not None


def _follows_numbers(cell: LexborNode) -> bool:
    """Tell whether the cell before it counts the lines that the boxes in this one are."""
    before = cell.prev
    while before is not None and before.tag == "-text":
        before = before.prev
    if before is None or before.tag != "td" or not begins_with_number(before):
        return False
    count = _counts(before.text(deep=True, separator=" ") or "")
    if count < 2 or cell.css_first("pre, p, table") is not None:
        return False
    inner = cell
    for _ in range(_DEEPEST_FRAME):
        boxes = [child for child in inner.iter() if child.tag in {"div", "li", "br"}]
        if len(boxes) in {count, count - 1}:
            return True
        if len(boxes) != 1:
            return False
        inner = boxes[0]
    return False


def numbers_lines(cell: LexborNode) -> bool:
    """Tell whether a cell that begins with a number holds just the numbers of the lines of code in the next one."""
    if not is_gutter(cell.text(deep=True, separator=" ") or ""):
        return False
    after = cell.next
    while after is not None and after.tag == "-text":
        after = after.next
    return after is not None and after.tag == "td" and (_begins_with_pre(after) or _follows_numbers(after))


def _begins_with_pre(cell: LexborNode) -> bool:
    inner = cell.first_child
    for _ in range(_DEEPEST_FRAME):
        while inner is not None and inner.tag in {"-text", "-comment"}:
            inner = inner.next
        if inner is None or inner.tag == "pre":
            return inner is not None
        inner = inner.first_child
    return False


def begins_with_number(node: LexborNode) -> bool:
    """Tell whether the first text in an element begins with a digit."""
    at = node.first_child
    for _ in range(_DEEPEST_FRAME):
        while at is not None and at.tag == "-text" and not (at.text_content or "").strip():
            at = at.next
        if at is None or at.tag == "-text":
            break
        at = at.first_child
    return at is not None and (at.text_content or "").strip()[:1].isdecimal()


def _counts(text: str) -> int:
    """Return how many numbers `text` consists of, each one more than the one before; 0 if that is not all."""
    if len(text) > _LONGEST_GUTTER:
        return 0
    words = text.split()
    if not words or not all(word.isdecimal() and len(word) < _LONGEST_NUMBER for word in words):
        return 0
    return len(words) if all(int(b) == int(a) + 1 for a, b in pairwise(words)) else 0


def is_gutter(text: str) -> bool:
    """Tell whether `text` is nothing but the numbers of two or more lines."""
    return _counts(text) > 1


@cached_calls(_MOST_CACHED)
def _sign_of(called: str) -> int:
    for name in called.split():
        words = names.split(name)
        signs = {_SIGN_WORDS[word] for word in words if word in _SIGN_WORDS}
        if len(signs) == 1 and all(word in _SIGN_WORDS or word in _BESIDE_SIGNS for word in words):
            return signs.pop()
    return 0


def sign(tag: str, attributes: Attributes) -> int:
    """Return ADDED or REMOVED if an element in code is marked as that, else 0."""
    if tag == "ins":
        return ADDED
    if tag == "del":
        return REMOVED
    if called := attributes.get("class"):
        return _sign_of(called)
    return 0


def signed(lines: Sequence[tuple[str, int]]) -> str:
    """Return lines of code as a text; those that are added or removed begin with a sign, if they do not yet."""
    marked = [(text, SIGNS[style]) for text, style in lines if style in SIGNS]
    if all(text.lstrip().startswith(sign) for text, sign in marked):
        return "\n".join(text for text, _ in lines)
    return "\n".join(SIGNS.get(style, "") + text for text, style in lines)


def layout(node: LexborNode, space: Space) -> CodeLayout:
    """Look through the outer elements of a block of code once."""
    frame, container = _framed(node)
    children = _children(container)
    return CodeLayout(space, frozenset(frame) | _numbers(children), _lines(children))


def _framed(node: LexborNode) -> tuple[list[int], LexborNode]:
    """Return the blank text around the one element that holds all the code, and that element."""
    blank: list[int] = []
    for _ in range(_DEEPEST_FRAME):
        inner: LexborNode | None = None
        beside: list[int] = []
        child = node.first_child
        while child is not None:
            if child.tag == "-text" and not (child.text_content or "").strip():
                beside.append(child.mem_id)
            elif child.tag != "-comment":
                if inner is not None or child.tag == "-text":
                    return blank, node
                inner = child
            child = child.next
        if inner is None:
            return blank, node
        blank += beside
        node = inner
    return blank, node


def _children(container: LexborNode) -> list[LexborNode]:
    children: list[LexborNode] = []
    child = container.first_child
    while child is not None and len(children) < _MOST_CHILDREN:
        if child.tag != "-comment":
            children.append(child)
        child = child.next
    if len(children) == 1 and children[0].tag in {"tbody", "thead", "table"}:
        return _children(children[0])
    return children


def _lines(children: Sequence[LexborNode]) -> frozenset[int]:
    """Return the inline elements that are lines, though no line feed parts them."""
    if len(children) < 2 or any(child.tag == "-text" for child in children):
        return _NONE
    tag = children[0].tag or ""
    if tag in tags.BOXES or any(child.tag != tag for child in children):
        return _NONE
    if any("\n" in (child.text(deep=True) or "").strip("\n") for child in children):
        return _NONE
    if tag == "code" or all(
        _BLOCK.search(child.attributes.get("style") or "", 0, _LONGEST_STYLE) for child in children
    ):
        return frozenset(child.mem_id for child in children)
    called = [frozenset((child.attributes.get("class") or "").split()) for child in children]
    shared = frozenset.intersection(*called)
    nested = any(child.child is not None and child.child.tag not in {None, "-text"} for child in children)
    if not shared or "token" in shared or not nested:
        return _NONE
    return frozenset(child.mem_id for child in children)


def _numbers(children: Sequence[LexborNode]) -> frozenset[int]:
    """Return the elements with which all lines begin and which do nothing but number them."""
    found: list[tuple[int, int]] = []
    starts = True
    """Whether a line begins here."""
    for child in children:
        text = (child.text_content if child.tag == "-text" else child.text(deep=True)) or ""
        is_box = child.tag in tags.BOXES or tags.is_line(child)
        if child.tag != "-text" and (starts or is_box):
            number = _number(child)
            if number is None and text.strip():
                return _NONE
            if number is not None:
                found.append(number)
        elif any(piece.strip() for piece in text.split("\n")[0 if starts else 1 :]):
            return _NONE
        starts = is_box or child.tag == "br" or text.rstrip(" \t").endswith("\n") or (starts and not text.strip())
    counted = len(found) > 1 and all(after == before + 1 for (_, before), (_, after) in pairwise(found))
    return frozenset(at for at, _ in found) if counted else _NONE


def _number(node: LexborNode) -> tuple[int, int] | None:
    """Return the element of the number that an element begins with, or is."""
    at: LexborNode | None = node
    for _ in range(_DEEPEST_NUMBER):
        while at is not None and at.tag in {"-text", "-comment"}:
            if (at.text_content or "").strip() and at.tag == "-text":
                return None
            at = at.next
        if at is None:
            return None
        text = at.text(deep=True) or ""
        if len(text) <= _LONGEST_NUMBER and text.strip().isdecimal():
            return (at.mem_id, int(text)) if _may_number(at) else None
        at = at.first_child
    return None


def _may_number(node: LexborNode) -> bool:
    if node.tag not in {"span", "a", "i", "td", "div", "em", "b", "code", "small", "var"}:
        return False
    words = names.words(node.attributes.get("class") or "")
    style = node.attributes.get("style") or ""
    return _TOKENS.isdisjoint(words) or "line" in words or _UNSELECTED.search(style, 0, _LONGEST_STYLE) is not None
