"""Knows what is hidden only at first: panels that readers open, and what scripts show as the page loads."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from wellread.css.concealment import CLOSED, FADE, GONE, SLIDE, UNDONE, Concealment
from wellread.css.states import above
from wellread.css.words import tokens, word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.seen.fades import Fades
from wellread.seen.totals import MAIN_TAGS, Totals, totals_of
from wellread.step_counter import CHARS_PER_STEP, StepCounter
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from selectolax.lexbor import LexborHTMLParser, LexborNode

OPENED_BY_READERS: Final = word_set(
    "tab tabs tabpanel pane accordion collapse collapsed collapsible expandable expander faq toggle disclosure answer"
    " spoiler"
)
"""Names of panels that are closed at first and opened by the reader: part of the page."""

_SLIDES: Final = word_set("carousel slick slide slider swiper")
_ARIA: Final = "aria-hidden"
_HEADINGS: Final = word_set("h1 h2 h3 h4 h5 h6")
_MOST_ASKED: Final = 100
_MAIN: Final = ", ".join(sorted(MAIN_TAGS))
_MAX_SEARCHES: Final = 200
"""Elements that are searched one by one; beyond, one pass over the page tells it of all, so that hidden elements within
hidden elements cost no more than the page is long."""
_MOST: Final = 0.8
_LONG: Final = 2_000
"""Characters."""
_PLACED_AWAY: Final = frozenset({"off-screen", "clip"})
"""How a page is kept out of sight that scripts will show. What is too small or of no colour hides words of a page."""
_WAITING_DEPTH: Final = 3
"""Elements between the body and such a page."""
_SHORTEST_PAGE: Final = 200
"""Characters."""
_FEWEST_PARAGRAPHS: Final = 3
_STRUCTURE: Final = "main, article, h1, h2, [role=main]"
_TEXT: Final = "p, li, td, pre, h2, h3, dd"
_OPENED_DEPTH: Final = 3
_UNSPACED: Final = "\uff1f"
"""The question mark of those who write no spaces."""
_SLID: Final = Notice("revealed_text", "text that scripts slide or fade in was read")
_OPENED: Final = Notice(
    "closed_panels", "panels that readers can open, such as tabs and accordions, were read while closed"
)
_QUESTIONS: Final = ("?", "\u061f", "\u037e", _UNSPACED)
_FEWEST_ASKED: Final = 4
"""Words: fewer ask whether one forgot a password."""
_SHORTEST_ANSWER: Final = 40
"""Characters."""
_WINDOWS: Final = frozenset({"dialog", "alertdialog", "menu", "menubar", "listbox", "search"})
"""Roles of what buttons open beside the page."""
_TYPESETTERS: Final = lazy_pattern(r"mathjax|katex|renderMathInElement", re.IGNORECASE)
_HOLDERS: Final = 'template[id^="B:"], template[id^="P:"], [id*="ph"]'
_MOVED = lazy_pattern(r"""\$R[CRS]\(["'][BPS]:([\w-]{1,40})["']""")
_STREAMED = lazy_pattern(r"""<template id=["'][BP]:([\w-]{1,40})["']""")
_PIECES: Final = 'body > div[hidden][id^="S:"]'
_MARKO = lazy_pattern(r"\$(af\w{0,40})\((\d{1,6})\)")
_MARKO_HOLDER = lazy_pattern(r"(af\w{0,40})ph(\d{1,6})")


def shown_by_script(tree: LexborHTMLParser, html: str) -> frozenset[str]:
    """Return the ids of hidden pieces that a streaming runtime moves to their placeholders as the page loads.

    React's and Marko's are known. Where a page was saved without its scripts, React's placeholders speak for them if
    the pieces hold most of its text: else anybody could hide text from people alone.
    """
    held = set(_STREAMED.findall(html)) if "<template id=" in html else set()
    moved: set[str] = set()
    if held and tree.css_first("script") is None:
        pieces = {name: node for node in tree.css(_PIECES) if (name := (node.attributes["id"] or "")[2:]) in held}
        if tree.body is not None and 2 * sum(map(_chars, pieces.values())) >= _chars(tree.body):
            moved.update(pieces)
    elif held and "$RC" in html:  # the runtime's own name for the function that moves them
        moved.update(name for text in _scripts(tree) for name in _MOVED.findall(text))
    found = frozenset(f"S:{name}" for name in held & moved)
    if "function $af" in html:
        found |= {f"{runtime}{number}" for text in _scripts(tree) for runtime, number in _MARKO.findall(text)}
    return found


def _scripts(tree: LexborHTMLParser) -> Iterator[str]:
    """Yield the scripts that run: what has another type is data."""
    for script in tree.css("script"):
        kind = script.attributes.get("type")
        if not kind or kind.lower().endswith(("javascript", "module")):
            yield script.text() or ""


def place_streamed(tree: LexborHTMLParser, shown: Collection[str]) -> None:
    """Put the pieces called `shown` where their placeholders stand: until the runtime does, they lie at the page's end.

    Each is copied once, so that pieces within pieces cost no more than the page is long.
    """
    children = list(tree.body.iter()) if shown and tree.body is not None else []
    # Of several with one id the first is moved.
    pieces = {name: node for node in reversed(children) if (name := node.attributes.get("id") or "") in shown}
    inside = {holder.attributes["id"] for piece in pieces.values() for holder in piece.css(_HOLDERS)}
    holders = [holder for holder in tree.css(_HOLDERS) if holder.attributes["id"] not in inside] if pieces else []
    placed = []
    while holders:
        holder = holders.pop()
        piece = pieces.pop(_held(holder.attributes["id"] or ""), None)
        if piece is not None:
            placed.append(piece)
            for child in piece.iter(include_text=True):  # what is in it, as the runtimes do, and not the box itself
                holder.insert_before(child)
                if holder.prev is not None and holder.prev.is_element_node:
                    holders.extend(holder.prev.css(_HOLDERS))
    for piece in placed:
        piece.decompose()


def _held(holder: str) -> str:
    """Return the id of the piece that belongs where a placeholder stands."""
    found = _MARKO_HOLDER.fullmatch(holder)
    return found[1] + found[2] if found else f"S:{holder[2:]}"


class Later:
    """What of a page is shown later: by its scripts as it loads, or by its readers."""

    def __init__(
        self,
        tree: LexborHTMLParser,
        *,
        lenient: bool,
        withheld: int = 0,
        waits: bool = False,
        counter: StepCounter | None = None,
    ) -> None:
        """Take the page, whether its scripts show what it is about, and how much was withheld while they did not.

        Of a page that `waits` and shows nothing yet, a whole page that lies out of sight is read, too.
        """
        self.lenient: Final = lenient
        self.waits: Final = waits
        self.withheld = withheld
        """Characters of the largest element that would be read if this were lenient."""
        self.slid = 0
        """Elements that were read though they are yet to slide or fade in."""
        self.opened = 0
        """Panels that were read while they are closed."""
        self._cloaks: Final[set[str]] = set()
        """Classes of what holds the page."""
        self._tree: Final = tree
        self._counter: Final = counter or StepCounter()
        self._fades: Final = Fades(tree)
        self._scripted: Final = tree.css_first("script") is not None
        self._lengths: Final[dict[int, int]] = {}
        self._sizes: Final[dict[int, int]] = {}
        self._searches = 0
        self._asked = 0
        """Headings that were looked for in the whole page."""

    def shows(self, node: LexborNode, attributes: Mapping[str, str | None], why: Concealment) -> bool:
        """Tell whether a reader opens, or a script shows, what is hidden at first."""
        if why.kind in {CLOSED, UNDONE} and (_is_unfolded(node, attributes, why) or self._is_opened(node, attributes)):
            self.opened += 1
            return True
        if why.kind == GONE:
            return self.waits and why.reason in _PLACED_AWAY and self._is_waiting_page(node)
        if why.reason == SLIDE or (why.reason == FADE and self._fades_in(node, attributes)):
            self.slid += 1
            return True
        undone, called = why.kind == UNDONE, tokens(attributes.get("class") or "")
        if self.lenient and undone and (_is_custom(node, attributes) or not self._cloaks.isdisjoint(called)):
            return True  # what looks like the page's body, too
        if not self._holds_page(node):
            return False
        if undone:
            self._cloaks.update(called)
            self.withheld = max(self.withheld, self._chars(node))
        # An animation may start from no size at all: believed where nothing else held the page back.
        return self.lenient and (undone or not self.withheld)

    def own_reason(
        self, node: LexborNode, tag: str, attributes: Mapping[str, str | None], kind: str
    ) -> Concealment | None:
        """Return why an element is not for a person's eyes; a heading is whose words stand nowhere else."""
        why = own_reason(tag, attributes, kind)
        told = why is not None and why.reason == _ARIA and tag in _HEADINGS and self._is_said_once(node)
        return None if told else why

    def notices(self) -> Iterator[Notice]:
        """Yield what the reader should know of what was read though it is not seen yet."""
        if self.slid:
            yield _SLID._replace(count=self.slid)
        if self.opened:
            yield _OPENED._replace(count=self.opened)

    def _fades_in(self, node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
        """Tell whether what has no opacity is marked as what scripts fade in, or is most of the page."""
        if not self._fades.may_begin(attributes):
            return False
        return self._fades.begins(attributes) or (self._scripted and self._holds_most(node))

    def _is_said_once(self, heading: LexborNode) -> bool:
        """Tell whether the words of a heading stand nowhere else on the page: it is no twin of what is read."""
        said = " ".join((heading.text(deep=True) or "").split())
        self._asked += 1
        if not said or self._asked > _MOST_ASKED:
            return False
        whole, machinery = self._texts
        return whole.count(said) - machinery.count(said) == 1

    @cached_property
    def _texts(self) -> tuple[str, str]:
        """The page's text with that of its scripts, and theirs alone."""
        body = self._tree.body
        pieces = [one.text(deep=True) or "" for one in body.css("script, style")] if body is not None else []
        whole = body.text(deep=True) or "" if body is not None else ""
        return " ".join(whole.split()), " ".join("\n".join(pieces).split())

    def _is_opened(self, node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
        name = attributes.get("id")
        named = bool(name) and name in self._controlled and attributes.get("role") not in _WINDOWS
        return named or is_panel(attributes) or _has_opener(node)

    @cached_property
    def typesets(self) -> bool:
        """Whether scripts of the page make formulas of the TeX in its text."""
        said = (one.attributes.get("src") or one.text() for one in self._tree.css("script"))
        return any(_TYPESETTERS.search(text, 0, _LONG) for text in said)

    @cached_property
    def _controlled(self) -> frozenset[str]:
        """The ids of the elements that buttons of the page say they open and close."""
        buttons = self._tree.css("button[aria-controls], [role=button][aria-controls], summary[aria-controls]")
        return frozenset(name for one in buttons if (name := one.attributes.get("aria-controls")) and _is_there(one))

    @cached_property
    def _wholes(self) -> dict[int, float]:
        """The page's body and its <main>, and how many characters are most of the text of each."""
        wholes = filter(None, (self._tree.body, self._tree.css_first("main")))
        return {one.mem_id: max(_LONG, _MOST * _chars(one)) for one in wholes}

    def _holds_page(self, node: LexborNode) -> bool:
        """Tell whether an element holds what the page is about: its heading or landmark, or most of the text there."""
        self._searches += 1
        totals = self._totals.get(node.mem_id) if self._searches > _MAX_SEARCHES else None
        if totals is None:
            return node.css_first(_MAIN) is not None or self._holds_most(node)
        self._lengths[node.mem_id] = totals.length
        self._sizes[node.mem_id] = totals.length - totals.code_length
        return totals.holds_main or self._holds_most(node)

    @cached_property
    def _totals(self) -> Mapping[int, Totals]:
        """What each element holds."""
        return totals_of(self._tree)

    def _holds_most(self, node: LexborNode) -> bool:
        chars = self._chars(node) if self._length(node) >= _LONG else 0
        return chars > 0 and any(chars >= self._wholes.get(at.mem_id, chars + 1) for at in above(node))

    def _is_waiting_page(self, node: LexborNode) -> bool:
        """Tell whether an element is the page as a server made it, laid out of sight until scripts take it over.

        It holds nearly all text, in paragraphs, below its own landmark or a heading, and stands near the root: a
        line or two that are hidden from people alone are no page.
        """
        at, depth = node.parent, 0
        while at is not None and at.tag != "body":
            at, depth = at.parent, depth + 1
        body = self._tree.body
        if not self._scripted or at is None or body is None or depth > _WAITING_DEPTH:
            return False
        if self._chars(node) < max(_SHORTEST_PAGE, _MOST * self._chars(body)):
            return False
        return node.css_first(_STRUCTURE) is not None and len(node.css(_TEXT)) >= _FEWEST_PARAGRAPHS

    def _length(self, node: LexborNode) -> int:
        """Return how long the text of a node is, with that of its scripts."""
        length = self._lengths.get(node.mem_id)
        if length is None:
            length = self._lengths[node.mem_id] = len(node.text(deep=True) or "")
            self._counter.spend(1 + length // CHARS_PER_STEP)
        return length

    def _chars(self, node: LexborNode) -> int:
        """Return how much text a node holds, about, seen or not."""
        size = self._sizes.get(node.mem_id)
        if size is None:
            size = self._sizes[node.mem_id] = self._length(node) - _machinery(node)
        return size


def _is_custom(node: LexborNode, attributes: Mapping[str, str | None]) -> bool:
    """Tell whether an element, or the one that shows it in its slots, is unknown until scripts define it."""
    around = node.parent if "slot" in attributes else None
    return "-" in (node.tag or "") or (around is not None and "-" in (around.tag or ""))


def _chars(node: LexborNode) -> int:
    """Return how much text a node holds, about, seen or not."""
    return len(node.text(deep=True) or "") - _machinery(node)


def _machinery(node: LexborNode) -> int:
    """Return how long the scripts and styles in a node are."""
    return sum(len(one.text(deep=True) or "") for one in node.css("script, style"))


def own_reason(tag: str, attributes: Mapping[str, str | None], kind: str) -> Concealment | None:
    """Return why an element is not for a person's eyes, whatever its styles say; `kind` is what its class tells."""
    if tag == "dialog" and "open" not in attributes:
        return Concealment("closed dialog", GONE)
    if kind == "unseen":
        return Concealment("for screen readers only", GONE)
    if attributes.get("aria-hidden") != "true" or _is_plain_to_see(tag, attributes):
        return None
    return Concealment(_ARIA, UNDONE)


def _is_plain_to_see(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Tell whether what is `aria-hidden` is no decoration: a second link to a place, or a slide that waits."""
    return (tag == "a" and "href" in attributes) or not _SLIDES.isdisjoint(names.of(attributes))


def is_panel(attributes: Mapping[str, str | None]) -> bool:
    """Tell whether an element is a tab or accordion panel, which a reader opens with a click."""
    if attributes.get("role") == "tabpanel" or attributes.get("hidden") == "until-found":
        return True
    return not OPENED_BY_READERS.isdisjoint(names.of(attributes))


def _is_unfolded(node: LexborNode, attributes: Mapping[str, str | None], why: Concealment) -> bool:
    """Tell whether whoever opens a <details> sees what screen readers are not told of while it is closed."""
    told = attributes.get("aria-hidden") == "true" and why.reason in {_ARIA, "visibility:hidden"}
    around = node.parent if told and node.tag != "summary" else None
    return around is not None and around.tag == "details" and "open" not in around.attributes


def _is_there(opener: LexborNode) -> bool:
    """Tell whether a reader may find what opens a panel: it is not hidden itself, and holds a word or a picture."""
    return "hidden" not in opener.attributes and (opener.child is not None or "aria-label" in opener.attributes)


def asks(button: LexborNode) -> bool:
    """Tell whether a button is a question, and what follows answers it: it opens a panel, though it does not say so.

    Of 106 such buttons on WCXB's pages 51 stand in the truth, of 39 other buttons that ask 8.
    """
    words = (button.text(deep=True, separator=" ") or "").split()
    spaced = len(words) >= _FEWEST_ASKED
    if not words or not words[-1].endswith(_QUESTIONS if spaced else _UNSPACED):
        return False
    after = _next(button)
    if after is None and button.parent is not None and _before(button) is None:
        after = _next(button.parent)
    return after is not None and after.css_first("button") is None and _chars(after) >= _SHORTEST_ANSWER


def _next(node: LexborNode) -> LexborNode | None:
    """Return the element after it."""
    after = node.next
    while after is not None and not after.is_element_node:
        after = after.next
    return after


def _before(node: LexborNode) -> LexborNode | None:
    """Return the element before it."""
    before = node.prev
    while before is not None and not before.is_element_node:
        before = before.prev
    return before


def _has_opener(node: LexborNode) -> bool:
    """Tell whether the element before it, or before the boxes that it opens, says that it opens something."""
    at: LexborNode | None = node
    for _ in range(_OPENED_DEPTH):
        if at is None:
            return False
        before = _before(at)
        if before is not None:
            opener = before.css_first("[aria-expanded]")
            # The buttons of a site's head open menus.
            return opener is not None and _is_there(opener) and before.css_first("nav") is None
        at = at.parent
    return False
