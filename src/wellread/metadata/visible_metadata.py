"""Reads the metadata that a person sees on a page: headings, the lines around the headline, bylines and dates.

A page shows many bylines and dates that belong to other things: teasers, comments, the sidebar. Elements inside these
are not read, nor are hidden elements.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from wellread.css.words import word_set
from wellread.hidden_text import is_hidden_by_attributes
from wellread.lazy_pattern import lazy_pattern
from wellread.metadata.cleaning import is_of_another, is_postal, is_sentence, key, line
from wellread.metadata.credits import lead_role
from wellread.seen import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from selectolax.lexbor import LexborNode


Attributes = Mapping[str, str | None]
Hides = Callable[["LexborNode", str, Attributes], bool]
"""Tells of an element, with its tag and its attributes, whether nobody sees what is in it."""

MAX_NODES = 500
MAX_HEADINGS = 5
MAX_BYLINE = 150
MAX_TEXT = 3_000
MAX_WRAPPERS = 3
"""Elements around the names of a byline, one in another."""
MAX_INSIDE = 200
MAX_FOUND = 20
MAX_CLASSED = 8
MAX_LINKS = 5
MIN_TITLE = 30
"""Characters of a link that is called as a text is; names of people and sections are shorter."""
LEDE_CHARS = 600
LEDE_NODES = 200
BEFORE_HEADLINE_CHARS = 150
MAX_ITEM = 80
"""Characters of an item that holds one author and no more."""
BEFORE_HEADLINE_NODES = 80

_CALLED = ", ".join(f"[class*={part} i]" for part in ("byline", "auth", "aute", "autor", "writer"))
WANTED = f"h1, time, [itemprop], [rel~=author], {_CALLED}, address"
"""The elements that `MetadataScene` takes."""

_NEIGHBOUR_TAGS = word_set("nav blockquote form template dialog figure figcaption")
_ASIDE_TAGS = word_set("figure figcaption blockquote dialog template")
_ASIDE_CLASSES = word_set("caption event events tweet instagram")
_EDGE_TAGS = word_set("aside footer")
"""A neighbour's, unless they are parts of the article itself."""
_OTHER_ITEM = lazy_pattern(
    r"(?:comment|review|answer|imageobject|videoobject|offer|breadcrumb|listitem|rating|event)$", re.IGNORECASE
)
_REPLIES = word_set("comment answer")  # in an <article>, too: that of a review may be what the page is about
_SKIPPED = word_set("script style noscript template svg button select textarea iframe")
_FIRST_IDEOGRAPH = "\u2e80"
"""From here on scripts of Chinese, Japanese and Korean, of which a character says what about three letters say."""
_BORDER = "\0"
"""The border between two blocks in gathered text: no text holds it."""
_LONGEST = 20_000
"""Characters of it."""
_PROSE = word_set("p li dd td blockquote")
_INLINE = word_set("a abbr b bdi bdo cite code em font i mark q s small span strong sub sup time u wbr -comment")
_LABELLED = word_set("dd td span div")
"""Elements that hold a day beside a label."""
_NO_LABELS = word_set("time h1 h2 h3 h4 h5 h6")
_TOO_WIDE = word_set("body html main article link input img ul ol section")
_NO_LINE = word_set("body article main header section")
_DATED = word_set("date dates dateline")
_OTHER_DAYS = word_set("copyright event current today start end due expiry")
_REVISED = lazy_pattern(r"updated|modified|revised|reviewed|edited", re.IGNORECASE)
_PUBLISHED = lazy_pattern(r"publish|entry-date|post-date|posted", re.IGNORECASE)
_LEADING = lazy_pattern(r"\b(?:by|from)\W*$", re.IGNORECASE)
_JOINS = word_set("and & , und et y e")
"""The words between the names of several authors."""

_HID, _OTHERS, _EDGE, _OWN, _BESIDE = 1, 2, 4, 8, 16
"""_BESIDE is what a neighbour within the page's own text holds."""


class Byline(NamedTuple):
    """A line that names authors, and the names alone where the page marks them."""

    text: str
    names: tuple[str, ...] = ()


class ShownDate(NamedTuple):
    """A date that an element shows or carries."""

    text: str
    mark: str
    """published, modified, micro (microdata) or time: how the element says that it is a date."""
    updated: bool = False
    """Words in or before the element say that it is the day of a revision."""
    declared: bool = False
    """Microdata declares it as that of a revision: `dateModified`."""


@dataclass(slots=True)
class VisibleMetadata:
    """The visible metadata of a page, in document order."""

    headings: list[str] = field(default_factory=list)
    """The text of the first `<h1>` elements that are seen."""
    dates: list[ShownDate] = field(default_factory=list)
    names: dict[str, list[str]] = field(default_factory=dict)
    """Microdata: headline, image."""
    before_headline: str = ""
    """The text right before the headline, and right behind it."""
    lede: str = ""
    linked: list[LexborNode] = field(default_factory=list)
    """Links to authors' pages in `before_headline` and `lede`."""
    nodes: list[LexborNode] = field(default_factory=list)
    """The elements of `headings`."""


def is_hidden(_node: LexborNode, _tag: str, attributes: Attributes) -> bool:
    """Return whether an element's own attributes hide it; style sheets play no part."""
    return is_hidden_by_attributes(attributes)


class MetadataScene:
    """A page as it is seen: each element on the way up is judged once."""

    def __init__(self, body: LexborNode | None, elements: Iterable[LexborNode], hides: Hides) -> None:
        """Take the page's body, its elements of interest, and the function that tells whether one is hidden."""
        self._body = body
        self._elements = [(node, node.attributes) for node in islice(elements, MAX_NODES)]
        self._hides = hides
        self._known: dict[int, int] = {}
        self._headed = _around_headings([node for node, _ in self._elements if node.tag == "h1"][:MAX_HEADINGS])
        """The elements around the first headings."""

    def look(self) -> VisibleMetadata:
        """Look at the elements for headings, dates and microdata."""
        shown = VisibleMetadata()
        for node, attributes in self._elements:
            if node.tag == "h1":
                self._heading(shown, node)
            elif "itemprop" in attributes:
                self._microdata(shown, node, attributes)
            elif node.tag == "time":
                self._time(shown, node, attributes)
        return shown

    def stamps(self) -> Iterator[str]:
        """Yield the `datetime` of all elements, also in neighbours of the page's own text."""
        return (stamp for _, attributes in self._elements if (stamp := attributes.get("datetime")))

    def around(self, shown: VisibleMetadata, title_key: str) -> None:
        """Read the text right around the headline: the first heading that `title_key` holds, else the first."""
        headings = list(zip(shown.nodes, shown.headings, strict=True)) or self._lesser(title_key)
        shown.headings = [text for _, text in headings][:MAX_HEADINGS]
        if headings:
            start, text = next((heading for heading in headings if key(heading[1]) in title_key), headings[0])
            shown.before_headline = self._before(start, shown.linked)
            shown.lede = _first_lines(
                self._follow(start, LEDE_NODES, shown.linked, beyond=True), len(text) + LEDE_CHARS
            )
        elif self._body is not None:
            start = self._body.css_first("article, main") or self._body
            if not self._place(start) & _HID:
                shown.lede = _first_lines(self._follow(start, LEDE_NODES, shown.linked), LEDE_CHARS)

    def _lesser(self, title_key: str) -> list[tuple[LexborNode, str]]:
        """Return the headings of lower ranks whose words `title_key` holds."""
        if self._body is None:
            return []
        nodes = self._body.css("h2, h3")[:MAX_FOUND]
        texts = ((node, self.words(node) or "") for node in nodes)
        named = [(node, text) for node, text in texts if " " in key(text) and key(text) in title_key]
        return [(node, text) for node, text in named if not self._place(node) & _HID]

    def classed(self) -> str:
        """Return the text of the first elements that are called a date by their class alone."""
        if self._body is None:
            return ""
        nodes = self._body.css("[class*=date i]")[:MAX_CLASSED]
        called = ((node, names.of(node.attributes)) for node in nodes)
        dated = (node for node, name in called if not _DATED.isdisjoint(name) and _OTHER_DAYS.isdisjoint(name))
        texts = (self.words(node) for node in dated if not self._place(node) & (_HID | _OTHERS | _EDGE))
        return " | ".join(text for text in texts if text and len(text) < 100)

    def bylines(self, near: Iterable[LexborNode]) -> list[Byline]:
        """Return bylines marked by microdata or rel=author first, then by class, then `near` links to authors."""
        groups: tuple[list[Byline], ...] = ([], [], [], [])
        last: tuple[int, str, int] | None = None
        explicit, classed, linked, boxed = groups
        for node, attributes in self._elements:
            if node.tag in {"h1", "time"}:
                continue
            class_words = names.of(attributes)
            role = f"{attributes.get('itemprop') or ''} {attributes.get('rel') or ''}"
            is_explicit = role != " " and not word_set(role[:200].lower()).isdisjoint(AUTHORS)
            is_signed = not class_words.isdisjoint(BY) or signs(attributes)
            if node.tag == "address" and not is_signed:
                is_signed = not is_postal(_first_lines(self._follow(node, MAX_INSIDE), MAX_BYLINE))
            is_named = is_explicit or (is_signed and node.tag not in _TOO_WIDE)
            if not is_named or (place := self._place(node)) & _HID:
                continue
            if place & (_OTHERS | _EDGE):
                if {"author", "name"} <= class_words:
                    self._byline(boxed, node)
            else:
                group = explicit if is_explicit else classed
                count = len(group)
                if is_explicit:
                    self._author(explicit, node, attributes)
                else:
                    self._byline(classed, node)
                last = _joined(group, count, node, attributes, last)
        for node in islice(near, MAX_FOUND):
            if not self._place(node) & (_HID | _OTHERS | _EDGE) and not self._is_told_of(node):
                self._byline(linked, node)
        return [*chain(*groups)]

    def _is_told_of(self, link: LexborNode) -> bool:
        """Return whether a link stands in a sentence: the person that it names need not have written the page."""
        block: LexborNode | None = link
        while block is not None and block.tag in _INLINE:
            block = block.parent
        if block is None or block.tag not in _PROSE:
            return False
        block_text = self.words(block, " ")
        return block_text is None or is_sentence(block_text)

    # ------------------------------------------------------------------------------------------ what is where

    def _place(self, node: LexborNode) -> int:
        """Return whether an element is hidden, another thing's, at the edge, or within the article."""
        way: list[LexborNode] = []
        at: LexborNode | None = node
        place = 0
        while at is not None and at.tag not in {"body", "html"}:
            known_place = self._known.get(at.mem_id)
            if known_place is not None:
                place = known_place
                break
            way.append(at)
            at = at.parent
        for at in reversed(way):
            place = self._known[at.mem_id] = self._judge(at, place)
        return place

    def _judge(self, node: LexborNode, around: int) -> int:
        tag, attributes = node.tag or "", node.attributes
        place = around
        if self._hides(node, tag, attributes):
            place |= _HID
        label = class_and_id(attributes) if attributes else ""
        if tag in _NEIGHBOUR_TAGS or is_neighbour(label):
            if place & _OWN:
                place |= _BESIDE
            return (place | _OTHERS) & ~_OWN
        item = _OTHER_ITEM.search((attributes.get("itemtype") or "")[-40:]) if attributes else None
        if item and (tag not in {"article", "main"} or item[0].lower() in _REPLIES):
            return place | _OTHERS
        if tag in {"article", "main"}:
            if place & _BESIDE and node.mem_id not in self._headed:
                return place | _OTHERS
            return (place | _OWN) & ~(_OTHERS | _EDGE)
        if not place & _OWN and (tag in _EDGE_TAGS or is_edge(label)):
            place |= _EDGE
        elif tag == "li" and node.mem_id not in self._headed and _is_entry(node):
            place |= _OTHERS
        return place

    # -------------------------------------------------------------------------------------------- single things

    def _heading(self, shown: VisibleMetadata, node: LexborNode) -> None:
        if len(shown.headings) < MAX_HEADINGS and not self._place(node) & _HID and (text := self.words(node)):
            shown.headings.append(text)
            shown.nodes.append(node)

    def _microdata(self, shown: VisibleMetadata, node: LexborNode, attributes: Attributes) -> None:
        properties = word_set((attributes.get("itemprop") or "")[:200].lower())
        value = line(attributes.get("content") or attributes.get("datetime"), 2_000)
        if properties & {"datepublished", "datemodified", "datecreated"}:
            self._date(shown, node, "modified" if "datemodified" in properties else "micro", value)
        elif properties & {"headline", "image"} and not self._place(node) & (_HID | _OTHERS):
            if "headline" in properties:
                name, text = "headline", value or self.words(node)
            else:
                name, text = "image", value or line(attributes.get("src") or attributes.get("href"), 2_000)
            if text:
                shown.names.setdefault(name, []).append(text)
        elif node.tag == "time":
            self._time(shown, node, attributes)

    def _time(self, shown: VisibleMetadata, node: LexborNode, attributes: Attributes) -> None:
        marks = attributes.get("class") or ""
        if node.parent is not None and node.parent.tag not in _NO_LINE:
            marks = f"{marks} {node.parent.attributes.get('class') or ''}"
        marks = marks[:500]
        mark = "time"
        if "pubdate" in attributes or _PUBLISHED.search(marks):
            mark = "published"
        elif _REVISED.search(marks):
            mark = "modified"
        self._date(shown, node, mark, line(attributes.get("datetime"), 100))

    def _date(self, shown: VisibleMetadata, node: LexborNode, mark: str, value: str | None = None) -> None:
        place = self._place(node)
        if place & (_HID | _OTHERS | _EDGE) or len(shown.dates) >= MAX_FOUND or _is_in_event(node):
            return
        text = value or self.words(node)
        before = _words_before(node)
        if text and len(text) < 100 and not is_of_another(before, self.words(node) or ""):
            updated = lead_role(f"{before[-60:]} {self.words(node) or ''}") == "updated"
            is_declared = "datemodified" in (node.attributes.get("itemprop") or "")[:200].lower().split()
            shown.dates.append(ShownDate(text, mark, updated, is_declared))

    def _author(self, bylines: list[Byline], node: LexborNode, attributes: Attributes) -> None:
        """Take an explicit author: the name marked within, and the line around it where that is a byline."""
        value = line(attributes.get("content"))
        full_text = value or self.words(node, " ")
        if not full_text or len(bylines) >= MAX_FOUND:
            return
        marked = node.css("[itemprop~=name], [rel~=author], .fn")[:3] if not value else ()
        inner = next((other for other in marked if other.mem_id != node.mem_id), None)
        named = (line(inner.attributes.get("content")) or self.words(inner)) if inner is not None else None
        text = named or full_text
        if len(text) < MAX_BYLINE:
            around = None if value or inner is not None else self._line(node)
            bylines.append(Byline(around or text, (text,)))

    def _line(self, node: LexborNode) -> str | None:
        """Return the byline that a marked name stands in: `By Jo Doe, Example News`."""
        at = node.parent
        for _ in range(2):
            if at is None or at.tag in _NO_LINE:
                return None
            if names.of(at.attributes) & BY or signs(at.attributes):
                text = self.words(at, " ")
                if text and len(text) < MAX_BYLINE:
                    return text
                return None
            at = at.parent
        return None

    def _byline(self, bylines: list[Byline], node: LexborNode) -> None:
        text = self.words(node, " ")
        if not text or len(text) >= MAX_BYLINE or len(bylines) >= MAX_FOUND:
            return
        links = node.css("a, [itemprop~=name], .fn")[:10]
        if not links and (elements := _only_elements(node)):
            # `<span>Jo Doe</span> <span>Al Roe</span>`: only style keeps the names apart.
            text = ", ".join(part for element in elements if (part := self.words(element, " ")))
            links = elements
        inner = [name for link in links or [node] if (name := self._named(link)) and len(name) < 60]
        bylines.append(Byline(text, tuple(dict.fromkeys(inner))))

    def _named(self, node: LexborNode) -> str | None:
        """Return the first line in an element that may be a name: `by` leads to it, an office follows it."""
        lines = _first_lines(self._follow(node, MAX_INSIDE), MAX_BYLINE).split("\n")
        if not _JOINS.isdisjoint(lines):
            return None
        return next((text_line for text_line in lines if not _LEADING.search(text_line)), None)

    # -------------------------------------------------------------------------------------------------- text

    def words(self, node: LexborNode, between: str = "") -> str | None:
        """Return the text of an element that a person sees as one clean line; None when it is too much for a line.

        `between` goes between the texts of neighbouring elements, which only style keeps apart.
        """
        pieces = list(self._follow(node, MAX_INSIDE + 1))
        text = between.join(pieces)[:MAX_TEXT].replace(_BORDER, " ")
        if len(pieces) <= MAX_INSIDE:
            return line(text)
        return None

    def _follow(
        self, start: LexborNode, most: int, linked: list[LexborNode] | None = None, *, beyond: bool = False
    ) -> Iterator[str]:
        """Yield the text that is seen from an element on, in document order, at most `most` nodes of it.

        Links to authors' pages that are met go to `linked`.
        """
        end = start.mem_id if not beyond or self._body is None else self._body.mem_id
        node, inside = start, True
        for _ in range(most):
            after = node.first_child if inside else None
            while after is None:
                if node.tag not in _INLINE and node.tag != "-text":
                    yield _BORDER
                if node.mem_id == end:
                    return
                after = node.next
                if after is None:
                    above = node.parent
                    if above is None or above.mem_id == end:
                        return
                    node = above
            node = after
            tag = node.tag or ""
            if tag == "-text":
                inside = False
                yield node.text_content or ""
                continue
            attributes = node.attributes
            skipped = tag in _SKIPPED or (beyond and _is_of_another_thing(tag, attributes))
            inside = not (skipped or self._hides(node, tag, attributes))
            if tag not in _INLINE:
                yield _BORDER
            elif linked is not None and tag == "a" and inside and is_of_author(attributes):
                linked.append(node)

    def _before(self, start: LexborNode, linked: list[LexborNode]) -> str:
        """Return the text right before an element, which is gone through backwards; menus are not looked into."""
        pieces: list[str] = []
        node, inside, chars = start, False, 0
        for _ in range(BEFORE_HEADLINE_NODES):
            other = (node.last_child if inside else None) or node.prev
            inside = False
            if other is None:
                other = node.parent
                if other is None or other.tag in {"body", "html"}:
                    break
                pieces.append("" if other.tag in _INLINE else _BORDER)
                node = other
                continue
            node = other
            tag = node.tag or ""
            if tag == "-text":
                pieces.append(node.text_content or "")
                chars += len(pieces[-1].strip())
                if chars > BEFORE_HEADLINE_CHARS:
                    break
                continue
            attributes = node.attributes
            skipped = tag in _SKIPPED or tag in _NEIGHBOUR_TAGS or (tag == "li" and _is_entry(node))
            inside = not (skipped or self._hides(node, tag, attributes))
            if tag not in _INLINE:
                pieces.append(_BORDER)
            elif tag == "a" and inside and is_of_author(attributes):
                linked.insert(0, node)
        return _lines("".join(reversed(pieces)))[-BEFORE_HEADLINE_CHARS:]


def _only_elements(node: LexborNode) -> list[LexborNode]:
    """Return the elements that a byline is made of, two or more alike, where it has no text beside them."""
    parent = node
    for _ in range(MAX_WRAPPERS):
        children = [child for child in parent.iter(include_text=True) if child.tag != "-text" or child.text().strip()]
        if any(child.tag == "-text" for child in children):
            return []
        if len(children) != 1:
            break
        parent = children[0]
    kinds = {(child.tag, child.attributes.get("class")) for child in children}
    if len(children) > 1 and len(kinds) == 1 and children[0].tag in _INLINE:
        return children[:MAX_INSIDE]
    return []


def _around_headings(headings: list[LexborNode]) -> frozenset[int]:
    """Return the identities of all elements that the headings stand in."""
    around: set[int] = set()
    for heading in headings:
        at = heading.parent
        while at is not None and at.mem_id not in around:
            around.add(at.mem_id)
            at = at.parent
    return frozenset(around)


def _before(node: LexborNode) -> LexborNode | None:
    """Return the node before a node, blanks aside."""
    beside = node.prev
    while beside is not None and beside.tag == "-text" and not (beside.text_content or "").strip():
        beside = beside.prev
    return beside


def _words_before(node: LexborNode) -> str:
    """Return the words right before an element: the text, else a short element beside it, or beside its parent."""
    beside = _before(node)
    if beside is None and node.parent is not None and node.parent.tag in _LABELLED:
        beside = _before(node.parent)
    if beside is None or beside.tag in _NO_LABELS:
        return ""
    if beside.tag == "-text":
        return beside.text_content or ""
    inner = beside.first_child
    alone = inner is not None and inner.tag == "-text" and inner.next is None
    if inner is not None and alone:
        return (inner.text_content or "")[:MAX_BYLINE]
    return ""


def _joined(
    group: list[Byline], count: int, node: LexborNode, attributes: Attributes, last: tuple[int, str, int] | None
) -> tuple[int, str, int] | None:
    """Join the byline that `node` added to `group` with that of a sibling of its kind; return the siblings' key.

    Each of several authors has an element of its own: `<span class=author>Jo Doe</span> and <span class=author>...`.
    """
    parent = node.parent
    if parent is not None and parent.tag == "li" and len(parent.text() or "") <= MAX_ITEM:
        parent = parent.parent
    if parent is None or len(group) != count + 1 or parent.tag in _NO_LINE:
        return None
    kind = f"{attributes.get('class')} {attributes.get('itemprop')} {attributes.get('rel')}"[:500]
    beside = (parent.mem_id, kind, id(group))
    if beside == last and count and len(group[-2].names) < MAX_INSIDE and group[-1].text not in group[-2].text:
        added = group.pop()
        group[-1] = Byline(f"{group[-1].text}, {added.text}"[:MAX_TEXT], (*group[-1].names, *added.names))
    return beside


def _is_entry(item: LexborNode) -> bool:
    """Tell whether a list item leads to another page by a title: its day and its author are those of that page."""
    return any(_is_title_of_another(link) for link in item.css("a[href]")[:MAX_LINKS])


def _is_title_of_another(link: LexborNode) -> bool:
    attributes = link.attributes
    if (attributes.get("href") or "#").startswith("#") or is_of_author(attributes):
        return False
    text = " ".join((link.text() or "")[:MAX_BYLINE].split())
    return len(text) + 2 * sum(character >= _FIRST_IDEOGRAPH for character in text) >= MIN_TITLE


def _is_in_event(node: LexborNode) -> bool:
    """Return whether an element, or one right around it, is called an event or a caption."""
    at: LexborNode | None = node
    for _ in range(3):
        if at is None or at.tag in _NO_LINE:
            return False
        if not _ASIDE_CLASSES.isdisjoint(names.of(at.attributes)):
            return True
        at = at.parent
    return False


def _is_of_another_thing(tag: str, attributes: Attributes) -> bool:
    """Tell whether an element is a picture with its caption, a quotation, an embedded post or an event."""
    if not attributes:
        return tag in _ASIDE_TAGS
    item = _OTHER_ITEM.search((attributes.get("itemtype") or "")[-40:])
    return tag in _ASIDE_TAGS or item is not None or not _ASIDE_CLASSES.isdisjoint(names.of(attributes))


def _first_lines(pieces: Iterator[str], most: int) -> str:
    gathered: list[str] = []
    for piece in pieces:
        gathered.append(piece)
        most -= len(piece.strip())
        if most < 0:
            break
    return _lines(" ".join(gathered))


def _lines(text: str) -> str:
    return "\n".join(text_line for block in text[:_LONGEST].split(_BORDER) if (text_line := line(block, 3_000)))


# --------------------------------------------------------------------------------------- class, id and href of elements
# Reads class, id and href: they tell bylines, and the page's own elements from neighbouring content.
#
# All of it looks at whole words, each once, so that no name costs more than its length.

MAX_LABEL = 500

AUTHORS = word_set("author creator")
"""The values of `itemprop` and `rel` for an author."""
BY = word_set("byline byauthor")
_WRITERS = word_set("author authors auteur autor writer")
_WRITER_PARTS = word_set("name names fmt link links info by line")
_NEIGHBOURS = word_set(
    "comment comments commentlist disqus reply replies related recommend recommended recommendation recommendations "
    "sidebar teaser teasers promo promos carousel slider popular trending latest recent newsletter breadcrumb "
    "breadcrumbs testimonial testimonials review reviews tweet tweets card cards timeline widget widgets"
)
_AUTHOR_BOXES = word_set("bio box card follow about desc photo img image avatar")
_HOLDERS = word_set(
    "has no with is mode wrap wrapper container contain contains layout content main enabled active open area"
)
"""Words that make of a neighbour's name the name of what it stands in: `has-comments`, `sidebar-layout`."""
_AUTHOR_PAGE = lazy_pattern(
    r"(?<!/licenses)/(?:authors?|profile|writers?|staff|contributors?|people|by)/[^/?#]|[?&]author=", re.IGNORECASE
)
_BUILDERS = frozenset({"widget", "widgets"})
"""The class of all parts in a page builder."""
_SITES = word_set("site page global posts")
"""Whose footer is no article's."""


def class_and_id(attributes: Mapping[str, str | None]) -> str:
    """Return the class and the id of an element."""
    called, name = attributes.get("class"), attributes.get("id")
    return f"{called or ''} {name or ''}"[:MAX_LABEL]


@lru_cache(maxsize=4_096)
def is_neighbour(label: str) -> bool:
    """Return whether class and id name a part of the page that is not its own: comments, teasers, a sidebar."""
    return any(
        (
            not (words - _BUILDERS if "elementor" in words else words).isdisjoint(_NEIGHBOURS)
            and words.isdisjoint(_HOLDERS)
        )
        or ("author" in words and not words.isdisjoint(_AUTHOR_BOXES))
        or ("footer" in words and not words.isdisjoint(_SITES))
        for words in map(frozenset, map(names.words, label.split()))
    )


def is_edge(label: str) -> bool:
    """Say whether class and id name a footer."""
    footers = (names.words(at) for at in label.split() if "ooter" in at)
    return any("footer" in called and _HOLDERS.isdisjoint(called) for called in footers)


def signs(attributes: Mapping[str, str | None]) -> bool:
    """Say whether the class of an element is that of an author's name."""
    called = attributes.get("class")
    return called is not None and _signs(called[:MAX_LABEL])


@lru_cache(maxsize=4_096)
def _signs(label: str) -> bool:
    """Say whether a class is that of an author's name: `author`, `post-hero__author`, `article__author-name`."""
    for name in label.split():
        words = names.split(name)
        while words and words[-1] in _WRITER_PARTS:
            words.pop()
        if words and words[-1] in _WRITERS:
            return True
    return False


def is_of_author(attributes: Mapping[str, str | None]) -> bool:
    """Say whether a link leads to an author's page."""
    return _AUTHOR_PAGE.search((attributes.get("href") or "")[:500]) is not None
