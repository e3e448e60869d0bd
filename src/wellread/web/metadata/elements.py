"""What the page shows about itself in its own body: headings, bylines, times, microdata; never that of its neighbours.

A page shows many bylines and dates that belong to other things: teasers, comments, the sidebar. Whatever stands inside
one of those is not looked at.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from wellread.web.metadata.clean import line

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser, LexborNode

MAX_NODES = 500
MAX_HEADINGS = 5
MAX_BYLINE = 150
MAX_TEXT = 3_000
MAX_INSIDE = 200

_WANTED = (
    "h1, time, [itemprop], [rel~=author], address, [class*=byline i], [class*=author i], [class*=auteur], "
    "[class*=autor], [class*=date i], [class*=publish i], [class*=posted], [id*=byline i], a[href*=author], "
    "a[href*='/profile/'], a[href*='/staff/'], a[href*='/contributor'], a[href*='/people/'], a[href*='/by/']"
)
_BYLINE = re.compile(
    r"(?:^|[\s_-])(?:by-?line|by-?author|written-?by|p-author)(?:$|[\s_-])"
    r"|(?:^|\s)(?:(?:article|post|entry|story|blog|news|meta|page)[_-]{0,2})?(?:authors?|auteur|autor|writer)"
    r"(?:[_-]{0,2}(?:name|fmt|link|info)s?)?(?:$|\s)",
    re.IGNORECASE,
)
_BOX_NAME = re.compile(r"author[\w-]*name(?:$|\s)", re.IGNORECASE)
_DATED = re.compile(
    r"(?:^|[\s_-])(?:published|publish-?date|pub-?date|post-?date|entry-?date|article-?date|blog-?date|date-?published"
    r"|dt-published|dateline|posted-?on|publication-?date|date|datetime|timestamp)(?:$|[\s_-])",
    re.IGNORECASE,
)
_REVISED = re.compile(r"updated|modified|revised|reviewed|last edited", re.IGNORECASE)
_AUTHOR_PAGE = re.compile(
    r"/(?:authors?|profile|writers?|staff|contributors?|people|by)/[^/?#]|[?&]author=", re.IGNORECASE
)
_NEIGHBOUR = re.compile(
    r"(?:^|\s)(?!has|no[-_]|with|is[-_])(?:[\w-]*[-_])?"
    r"(?:comments?|commentlist|disqus|repl(?:y|ies)|related|recommend(?:ed|ations?)?|sidebar|side-bar|teasers?|promos?|carousel|slider"
    r"|popular|trending|latest|recent|read-?more|newsletter|breadcrumbs?|testimonials?|reviews?|tweets?|cards?|footer|swift-box|timeline)"
    r"(?![\w-]*(?:wrap|contain|layout|content|main|enabled|active|open|area))(?:[-_][\w-]*)?(?=\s|$)"
    r"|(?:^|\s)(?:widgets?|author-?_?-?(?:bio|box|card|follow|about|desc|photo|img|image|avatar))(?=[\s_-]|$)",
    re.IGNORECASE,
)
_NEIGHBOUR_TAGS = frozenset({"nav", "blockquote", "form", "template", "dialog", "figure", "figcaption"})
_EDGE_TAGS = frozenset({"aside", "footer"})
"""A neighbour's, unless they are parts of the article itself."""
_OTHER_ITEM = re.compile(
    r"comment$|review$|answer|imageobject|videoobject|offer|breadcrumb|listitem|rating|event$", re.IGNORECASE
)
_SKIPPED = frozenset({"script", "style", "template", "svg", "button", "time"})
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)

Attributes = dict[str, str | None]


class Byline(NamedTuple):
    """A line that names authors, and the names alone where the page marks them."""

    text: str
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class Shown:
    """What was found, in document order."""

    headings: list[str] = field(default_factory=list)
    """The text of the first `<h1>` elements."""
    bylines: list[Byline] = field(default_factory=list)
    """Marked by microdata or rel=author first, then by class, by a link to an author's page, in author boxes."""
    published: list[str] = field(default_factory=list)
    """Marked as the date of publication."""
    modified: list[str] = field(default_factory=list)
    times: list[str] = field(default_factory=list)
    """Other dates that stand for themselves."""
    names: dict[str, list[str]] = field(default_factory=dict)
    """Microdata: headline, image."""


@dataclass(slots=True)
class _Ranked:
    explicit: list[Byline] = field(default_factory=list)
    classed: list[Byline] = field(default_factory=list)
    linked: list[Byline] = field(default_factory=list)
    boxed: list[Byline] = field(default_factory=list)


def scan(tree: LexborHTMLParser) -> Shown:
    """Look at every element that may say something about the page; at most `MAX_NODES` of them."""
    shown, ranked = Shown(), _Ranked()
    body = tree.body
    for node in body.css(_WANTED)[:MAX_NODES] if body is not None else ():
        attributes = node.attributes
        if node.tag == "h1":
            _heading(shown, node)
        elif "itemprop" in attributes:
            _microdata(shown, ranked, node, attributes)
        elif node.tag == "time":
            _time(shown, node, attributes)
        else:
            _marked(shown, ranked, node, attributes)
    shown.bylines.extend([*ranked.explicit, *ranked.classed, *ranked.linked, *ranked.boxed])
    return shown


def _heading(shown: Shown, node: LexborNode) -> None:
    if len(shown.headings) < MAX_HEADINGS and (text := words(node)) and not _is_hidden(node):
        shown.headings.append(text)


def _microdata(shown: Shown, ranked: _Ranked, node: LexborNode, attributes: Attributes) -> None:
    names = set((attributes.get("itemprop") or "").lower().split())
    value = attributes.get("content") or attributes.get("datetime")
    if names & {"author", "creator"}:
        if not _is_neighbour(node):
            _author(ranked, node, value)
    elif names & {"datepublished", "datemodified", "datecreated"}:
        kind = shown.modified if "datemodified" in names else shown.published
        if not _is_neighbour(node):
            _add(kind, line(value or attributes.get("title")) or words(node), 100)
    elif names & {"headline", "image"} and not _is_neighbour(node):
        text = words(node) if "headline" in names else line(attributes.get("src") or attributes.get("href"), 2_000)
        _add(
            shown.names.setdefault("headline" if "headline" in names else "image", []),
            line(value, 2_000) or text,
            2_000,
        )
    elif "name" in names:
        _marked(shown, ranked, node, attributes)


def _author(ranked: _Ranked, node: LexborNode, value: str | None) -> None:
    """Take an explicit author: its name where one is marked within, and the line around it where that is a byline."""
    whole = line(value) or words(node, " ")
    if not whole or len(ranked.explicit) >= 20:
        return
    marked = node.css("[itemprop~=name], [rel~=author], .fn")[:3] if not value else ()
    inner = next((found for found in marked if found.mem_id != node.mem_id), None)
    named = (line(inner.attributes.get("content")) or words(inner)) if inner is not None else None
    text = named or whole
    if len(text) >= MAX_BYLINE:
        return
    around = None if value or inner is not None else _around(node)
    ranked.explicit.append(Byline(around or text, (text,)))


def _around(node: LexborNode) -> str | None:
    """Return the byline that a marked name stands in: `By Jo Doe, Example News`."""
    at = node.parent
    for _ in range(2):
        if at is None or at.tag in {"body", "article", "main", "header"}:
            return None
        if _BYLINE.search(_marks(at.attributes)):
            text = words(at, " ")
            return text if text and len(text) < MAX_BYLINE else None
        at = at.parent
    return None


def _time(shown: Shown, node: LexborNode, attributes: Attributes) -> None:
    if _is_neighbour(node):
        return
    value = line(attributes.get("datetime")) or words(node)
    marks = f"{attributes.get('class') or ''} {_class_of(node.parent)} {_label(node)}"
    if _REVISED.search(marks) and "published" not in marks.lower():
        _add(shown.modified, value, 100)
    elif "pubdate" in attributes or re.search(r"publish|entry-date|post-date|posted", marks, re.IGNORECASE):
        _add(shown.published, value, 100)
    else:
        _add(shown.times, value, 100)


def _marked(shown: Shown, ranked: _Ranked, node: LexborNode, attributes: Attributes) -> None:
    """Sort an element that only its class, its id or its link marks."""
    if node.tag in {"body", "html", "main", "article", "link", "input", "img", "ul", "ol", "section"}:
        return
    marks = _marks(attributes)
    explicit = "author" in (attributes.get("rel") or "").lower().split()
    if _BOX_NAME.search(marks) and _is_neighbour(node):
        _byline(ranked.boxed, node)
    elif _is_neighbour(node):
        return
    elif explicit:
        _author(ranked, node, None)
    elif _BYLINE.search(marks) or node.tag == "address":
        _byline(ranked.classed, node)
    elif _AUTHOR_PAGE.search(attributes.get("href") or ""):
        _byline(ranked.linked, node)
    elif _DATED.search(marks) and not _REVISED.search(f"{marks} {_label(node)}"):
        _add(shown.times, words(node), 60)


def _byline(found: list[Byline], node: LexborNode) -> None:
    text = words(node, " ")
    if not text or len(text) >= MAX_BYLINE or len(found) >= 20:
        return
    inner = [name for link in node.css("a, [itemprop~=name], .fn")[:10] if (name := words(link)) and len(name) < 60]
    found.append(Byline(text, tuple(dict.fromkeys(inner))))


def _add(found: list[str], text: str | None, limit: int) -> None:
    if text and len(text) < limit and len(found) < 20:
        found.append(text)


def _is_neighbour(node: LexborNode) -> bool:
    """Say whether an element is, or stands inside, something that is not the page's own."""
    at: LexborNode | None = node
    at_edge = False
    for _ in range(40):
        if at is None or at.tag in {"body", "html"}:
            break
        if at.tag in {"article", "main"} and not _NEIGHBOUR.search(_marks(at.attributes)):
            return False
        attributes = at.attributes
        if at.tag in _NEIGHBOUR_TAGS or _NEIGHBOUR.search(_marks(attributes)) or _hides(attributes):
            return True
        if at is not node and _OTHER_ITEM.search(attributes.get("itemtype") or ""):
            return True
        at_edge = at_edge or at.tag in _EDGE_TAGS
        at = at.parent
    return at_edge


def _marks(attributes: Attributes) -> str:
    return f"{attributes.get('class') or ''} {attributes.get('id') or ''}"[:500]


def _hides(attributes: Attributes) -> bool:
    return "hidden" in attributes or bool(_HIDDEN.search(attributes.get("style") or ""))


def _is_hidden(node: LexborNode) -> bool:
    at: LexborNode | None = node
    for _ in range(40):
        if at is None or at.tag == "body":
            return False
        if _hides(at.attributes):
            return True
        at = at.parent
    return False


def _label(node: LexborNode) -> str:
    """Return the text just before a date in its own line: `Last updated:`."""
    parent = node.parent
    if parent is None or parent.tag in {"body", "article", "main", "header", "section"}:
        return ""
    text = words(parent) or ""
    return text.partition(words(node) or "\n")[0][-40:] if len(text) < 200 else ""


def _class_of(node: LexborNode | None) -> str:
    return (node.attributes.get("class") or "")[:200] if node is not None and node.tag != "body" else ""


def words(node: LexborNode, between: str = "") -> str | None:
    """Return the text of an element that a person sees, without scripts, as one clean line.

    `between` goes between the texts of neighbouring elements, which only style keeps apart. None for an element with
    too much inside to be a line.
    """
    pieces: list[str] = []
    left = MAX_TEXT
    for at, piece in enumerate(node.traverse(include_text=True)):
        if at > MAX_INSIDE:
            return None
        if piece.tag == "br":
            pieces.append(" ")
        elif piece.tag == "-text" and not _is_skipped(piece.parent, node):
            text = (piece.text_content or "")[:left]
            pieces.append(text)
            left -= len(text)
    return line(between.join(pieces), 600)


def _is_skipped(parent: LexborNode | None, node: LexborNode) -> bool:
    """Say whether text is a script's or the like; nodes compare by id, for `==` serialises both."""
    return parent is not None and parent.tag in _SKIPPED and parent.mem_id != node.mem_id
