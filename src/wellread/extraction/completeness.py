"""Judges whether a page was read: a confidence by its number of words, pages without content, pages without scripts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.extraction import lexicon
from wellread.hidden_text import is_unrendered
from wellread.lazy_pattern import lazy_pattern
from wellread.segmentation.boxes import chars, is_linked
from wellread.text.word_count import count_words

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from selectolax.lexbor import LexborHTMLParser, LexborNode

    from wellread.segmentation.boxes import Leaf


# ----------------------------------------------------------------------------------------------------------- confidence
# Estimates how much of a page was read, by its words and its share of text.

# (From so many words on, confidence there), straight lines between; exactly 800 words close 300's band.
_KNOTS = ((0, 0.0), (120, 0.5), (300, 0.7), (800, 0.9), (4_000, 1.0))
_BELOW_HALF = 0.49
_RATIO_STEP = 0.1
_RICH_RATIO = 0.3
_POOR_RATIO = 0.1


def confidence_score(word_count: int, text_chars: int, source_chars: int) -> float:
    """Return how sure we are to have read the page, in [0, 1]; more words never lower it.

    Args:
        word_count: words read.
        text_chars: characters read.
        source_chars: characters of the source; 0 when unknown, and then the ratio of the two plays no part.
    """
    low, high = _band(word_count)
    scored = _base(word_count) + _ratio_bonus(text_chars, source_chars)
    return round(min(max(scored, low), high), 4)


def _band(word_count: int) -> tuple[float, float]:
    """Return the bounds that the number of words guarantees, whatever the ratio (property 7)."""
    if word_count < 120:
        return 0.0, _BELOW_HALF
    if word_count < 300:
        return 0.5, 0.7
    if word_count <= 800:
        return (0.7, 0.9)
    return (0.9, 1.0)


def _base(word_count: int) -> float:
    for (low_words, low_score), (high_words, high_score) in pairwise(_KNOTS):
        if word_count <= high_words:
            return low_score + (high_score - low_score) * (max(word_count, low_words) - low_words) / (
                high_words - low_words
            )
    return _KNOTS[-1][1]


def _ratio_bonus(text_chars: int, source_chars: int) -> float:
    if source_chars <= 0:
        return 0.0
    ratio = text_chars / source_chars
    if ratio > _RICH_RATIO:
        return _RATIO_STEP
    if ratio < _POOR_RATIO:
        return -_RATIO_STEP
    return 0.0


# ------------------------------------------------------------------------------------------------ pages without content
# Tells a page that shows nothing but its frame: menus, links to skip them, a word while it loads, a plea for scripts.
#
# By where its lines stand, not by what the networks make of them: they know few pages of so few words, and go by names
# like `alert` and `newsletter`, in which short pages say all that they have to say.

_MAX_FRAME_CHARS: Final = 400
"""Characters: what says more is no frame. Those of WCXB's pages that scripts build have 3 to 40 words."""
_MAX_PLEA_CHARS: Final = 800
_MAX_REQUEST_CHARS: Final = 200
"""For each time that a line names scripts: one that says more has something else to say."""
_MAX_WAIT_CHARS: Final = 40
"""Of a line that says that something loads."""
_DOTS: Final = ("...", "\u2026")
_NEEDS_SCRIPTS: Final = lazy_pattern(
    r"(?:enable|turn on|activate|requires?|needs?|without)\s+java\s?script"
    r"|java\s?script (?:must|has to|needs to|required|disabled|(?:is|to be) (?:not |currently |turned |switched )*"
    r"(?:disabled|off|enabled|on|required|needed|necessary|available|supported)\b)",
    re.IGNORECASE,
)
_MENUS: Final = frozenset({"nav", "footer", "navigation", "contentinfo"})
_ABOVE: Final = frozenset({"header", "aside", "banner", "complementary"})
"""Tags and roles of boxes that hold but menus, and of those in which links are one."""
_AWAITED: Final = word_set("app root next nuxt gatsby loading loader spinner preloader splash skeleton progress")
"""Class words of boxes that scripts fill."""


def is_plea(leaves: Sequence[Leaf]) -> bool:
    """Return whether half of a page's kept text, links and lines of its frame aside, asks to turn scripts on."""
    if chars(leaves) > _MAX_PLEA_CHARS:
        return False
    pleas = [leaf for leaf in leaves if 0 < leaf.chars <= _MAX_REQUEST_CHARS * len(_NEEDS_SCRIPTS.findall(leaf.words))]
    others = [
        leaf for leaf in leaves if leaf not in pleas and not (is_linked(leaf) or lexicon.line_purpose(leaf.words))
    ]
    return bool(pleas) and chars(pleas) >= chars(others)


def is_frame(leaves: Sequence[Leaf]) -> bool:
    """Tell whether all that a page shows is its frame."""
    return 0 < chars(leaves) <= _MAX_FRAME_CHARS and all(map(_is_frame, leaves))


def is_title_alone(leaves: Sequence[Leaf], title: str) -> bool:
    """Return whether a page shows only its frame and its `title`: its text is yet to come."""
    called = [bool(leaf.words) and leaf.words.strip() in title for leaf in leaves]
    others = (leaf for leaf, is_called in zip(leaves, called, strict=True) if not is_called)
    return any(called) and all(_waits(leaf) or _is_frame(leaf) for leaf in others)


def _waits(leaf: Leaf) -> bool:
    """Tell whether a line is a word while the page loads."""
    return 0 < len(leaf.words) <= _MAX_WAIT_CHARS and leaf.words.rstrip().endswith(_DOTS)


def _is_frame(leaf: Leaf) -> bool:
    if not leaf.spans:
        return True  # a rule
    boxes = tuple(leaf.box.around())
    stands = {box.tag for box in boxes} | {box.attributes.get("role") for box in boxes}
    if not leaf.words or leaf.heading:  # a picture is what a page may be about
        return not stands.isdisjoint(_MENUS | _ABOVE)
    if not stands.isdisjoint(_MENUS) or lexicon.line_purpose(leaf.words) in {"plea", "legal"}:
        return True
    if is_linked(leaf):
        within = all((span.href or "#").startswith("#") for span in leaf.spans)
        return within or not stands.isdisjoint(_ABOVE)
    return _waits(leaf) and any(not _AWAITED.isdisjoint(box.name_words) for box in boxes)


# ------------------------------------------------------------------------------------ pages that wait for their scripts
# Tells a short page that its scripts would still build from one that is complete as it came.
#
# Most short pages have scripts, for counting visits or for a menu, and are complete. A page that waits for its scripts
# shows where they will write: an element that is there to be filled and is empty, a line that says that it loads, a
# template that nobody filled in, or a script of its own that writes text. Words and names of products play no part.

MAX_CHARS: Final = 3_000
"""Characters of a page's text: a page with more is read as it is."""

_FEW_WORDS: Final = 5
"""A page, or its main element, that says no more says nothing yet."""
_MAX_SCRIPT_CHARS: Final = 200_000
"""Of the scripts within the page that are looked through."""

_RUN: Final = frozenset({"", "module", "text/javascript", "application/javascript", "text/ecmascript"})
"""Types of scripts that run (HTML standard, 4.12.1); others hold data."""
_UNREAD: Final = frozenset({"head", "script", "style", "noscript", "template", "title"})
_MEDIA: Final = frozenset(
    {"img", "picture", "video", "audio", "iframe", "object", "embed", "input", "textarea", "select", "button", "math"}
)
_AROUND: Final = frozenset({"nav", "header", "footer", "aside"})
_CONTAINERS: Final = frozenset({"main", "article", "section", "ul", "ol", "dl", "table", "tbody"})
"""Elements that stand for content, whatever they are called."""
_BLOCKS: Final = frozenset({"div", "form", "figure"})
"""Elements that scripts fill where they can find them: by an id or a data attribute."""
_NEVER: Final = frozenset({"a", "hr", "br", "svg", "canvas", "i", "ins", "body", "html", "tr", "col", "wbr", "source"})

_YEAR: Final = "getFullYear"
_STATEMENT_END: Final = lazy_pattern(r"[;{}\n]")
_MAX_STATEMENT_CHARS: Final = 200
_WRITES_PAGE: Final = lazy_pattern(
    r"document\.(?:body|documentElement)\.(?:innerHTML|append\(|prepend\(|replaceChildren|insertAdjacent)"
    r"|document\.write(?:ln)?\((?!\s{0,20}[\"'`]<(?:script|\\x3cscript|scr))"
)
_WRITES: Final = lazy_pattern(
    r"\.(?:innerHTML|innerText|textContent|outerHTML)\s{0,20}\+?=(?!=)|insertAdjacent(?:HTML|Text)"
)
_LOADS: Final = lazy_pattern(r"\bfetch\(|XMLHttpRequest|EventSource\(|WebSocket\(")
_LOADING: Final = ("fetch(", "XMLHttpRequest", "EventSource(", "WebSocket(")
"""Words of which `_LOADS` needs one: looking for words takes a tenth of the time."""
_MAKES: Final = lazy_pattern(
    r"createElement\(\s{0,20}[\"'`](?!script|style|link|img|iframe|canvas|meta|noscript|button|a[\"'`])"
)
_ANCHOR: Final = lazy_pattern(r"""href=["']?#([^"'\s>]{1,100})""")
_NAMED: Final = lazy_pattern(r"""["'`]#?([\w-]{1,100})["'`]""")
_TEMPLATE: Final = lazy_pattern(r"\{\{[^{}<>]{1,80}\}\}")


@dataclass(slots=True)
class _OpenElement:
    """An element that is looked through."""

    node: LexborNode
    in_main: bool = False
    around: bool = False
    """It stands in a menu, a header or a footer."""
    coded: bool = False
    is_filled: bool = False
    """It shows text or media, itself or by what is in it."""

    def holding(self, node: LexborNode, tag: str, attributes: Mapping[str, str | None]) -> _OpenElement:
        """Return an element that stands in this one."""
        return _OpenElement(
            node,
            in_main=self.in_main or tag in {"main", "article"} or attributes.get("role") == "main",
            around=self.around or tag in _AROUND,
            coded=self.coded or tag in {"pre", "code"},
        )


@dataclass(slots=True)
class _ShortPage:
    """The visible text of a short page."""

    words: int = 0
    main_words: int = 0
    waits: bool = False
    """A line says that something loads, or a template is not filled in."""
    unfilled: list[_OpenElement] = field(default_factory=list)


def is_unbuilt(tree: LexborHTMLParser, text: str) -> bool:
    """Return whether scripts of the page, which shows little, would probably show more; linear in the page."""
    if tree.body is None:
        return False
    scripts = [node.text() or "" for node in tree.css("script") if _runs(node)]
    if on_load := _on_load(tree):
        scripts.append(on_load)
    if not scripts:
        return False
    inline = _without_year("\n".join(scripts)[:_MAX_SCRIPT_CHARS])
    if _WRITES_PAGE.search(inline) or _MAKES.search(inline) or (_loads(inline) and _WRITES.search(inline)):
        return True
    page = _survey(tree.body)
    if page.words <= _FEW_WORDS or page.waits:
        return True
    places = [
        element.node
        for element in page.unfilled
        if (element.in_main or page.main_words <= _FEW_WORDS) and not element.around
    ]
    if not places:
        return False
    anchors, named = set(_ANCHOR.findall(text)), set(_NAMED.findall(inline))
    return any(_awaits(node, named, anchors) for node in places)


def has_scripts(tree: LexborHTMLParser) -> bool:
    """Return whether the page has an element or an attribute of its body that runs a script."""
    return tree.css_first("script") is not None or bool(_on_load(tree))


def _on_load(tree: LexborHTMLParser) -> str:
    """Return the script in `<body onload>`, which pages without a script element run, too."""
    if tree.body is None:
        return ""
    return (tree.body.attributes.get("onload") or "").strip()


def _loads(inline: str) -> bool:
    return any(word in inline for word in _LOADING) and _LOADS.search(inline) is not None


def _runs(script: LexborNode) -> bool:
    return (script.attributes.get("type") or "").strip().lower() in _RUN


def _without_year(inline: str) -> str:
    """Leave out the statements that write the year, as beside a copyright."""
    first, *others = inline.split(_YEAR)
    parts = [first]
    for part in others:
        ends = list(_STATEMENT_END.finditer(parts[-1][-_MAX_STATEMENT_CHARS:]))
        kept_chars = max(0, len(parts[-1]) - _MAX_STATEMENT_CHARS) + ends[-1].end() if ends else 0
        parts[-1] = parts[-1][:kept_chars]
        statement_end = _STATEMENT_END.search(part, 0, _MAX_STATEMENT_CHARS)
        parts.append(part[statement_end.start() :] if statement_end else "")
    return "".join(parts)


def _survey(body: LexborNode) -> _ShortPage:
    page = _ShortPage()
    opened = [_OpenElement(body)]
    node = body.first_child
    while opened:
        if node is None:
            closed = opened.pop()
            if opened:
                node = closed.node.next
                opened[-1].is_filled |= closed.is_filled or closed.around  # a menu is no place for content
                if not closed.is_filled:
                    page.unfilled.append(closed)
        else:
            node = _enter(node, page, opened)
    return page


def _enter(node: LexborNode, page: _ShortPage, opened: list[_OpenElement]) -> LexborNode | None:
    """Take in a node; return the next one: its first child where it is `opened`."""
    tag = node.tag or "-"
    if tag == "-text":
        text = node.text_content or ""
        if text and not text.isspace():
            _count(page, opened[-1], " ".join(text.split()))
        return node.next
    if tag in _MEDIA:
        opened[-1].is_filled = True
        return node.next
    if tag[0] == "-" or tag in _UNREAD:
        return node.next
    attributes = node.attributes
    if attributes and _is_hidden(attributes):
        return node.next
    page.waits |= tag == "progress" or (attributes.get("aria-busy") or "").lower() == "true"
    opened.append(opened[-1].holding(node, tag, attributes))
    return node.first_child


def _count(page: _ShortPage, parent: _OpenElement, line: str) -> None:
    if not line:
        return
    parent.is_filled = True
    count = count_words(line)
    page.words += count
    page.main_words += count * parent.in_main
    waits = len(line) <= _MAX_WAIT_CHARS and line.endswith(_DOTS) and parent.node.tag != "a"
    page.waits |= waits or (not parent.coded and "{{" in line and _TEMPLATE.search(line) is not None)


def _is_hidden(attributes: Mapping[str, str | None]) -> bool:
    return is_unrendered(attributes) or attributes.get("aria-hidden") == "true"


def _awaits(node: LexborNode, named: set[str], anchors: set[str]) -> bool:
    """Return whether an element that shows nothing is one that scripts fill."""
    tag = node.tag or ""
    name = node.attributes.get("id") or ""
    if tag in _NEVER or name in anchors:
        return False
    if tag in _CONTAINERS or "-" in tag:
        return True
    if tag in _BLOCKS:
        return bool(name) or any(attribute.startswith("data-") for attribute in node.attributes)
    return name in named
