"""Parse XML into a tree of elements: with expat, and where that fails, with a parser that repairs errors of feeds.

No entity is declared or expanded, and nothing outside the document is loaded: expat refuses declarations, and the
repairing parser knows no entities but those of HTML.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape, unescape
from html.entities import html5
from typing import Final, NamedTuple
from xml.parsers import expat

from ada_url import URL

MAX_ELEMENTS: Final = 200_000
MAX_DEPTH: Final = 100
MAX_TAG_CHARS: Final = 10_000

_DECLARATION: Final = re.compile(r"\A\s*<\?xml[^>]*\?>")
_REFERENCE: Final = re.compile(r"&(?:#(\d{1,7}|[xX][0-9a-fA-F]{1,6});|([A-Za-z][A-Za-z0-9]{0,31});)?")
_XML_ENTITIES: Final = {"amp", "lt", "gt", "quot", "apos"}
_TAG_NAME: Final = re.compile(r"</?([A-Za-z_][\w.:-]{0,99})")
_ATTRIBUTE: Final = re.compile(
    r"([A-Za-z_][\w.:-]{0,99})\s{0,20}=\s{0,20}(?:\"([^\"]{0,10000})\"|'([^']{0,10000})'|([^\s\"'>]{1,2000}))"
)
_ENTRY_NAMES: Final = {"item", "entry", "url", "sitemap"}
_ROOT_NAMES: Final = {"rss", "rdf", "feed", "urlset", "sitemapindex"}
_EXACT_NAMES: Final = {"link", "guid", "id", "loc", "pubdate", "published", "updated", "date", "url"}
"""Elements whose content must be exact, because a part of it is wrong: addresses and dates."""


@dataclass(slots=True)
class XmlElement:
    """An element of a document."""

    name: str
    """In lower case, without prefix."""
    attributes: dict[str, str]
    base: str | None = None
    """The base of relative links (xml:base)."""
    has_prefix: bool = False
    content: list[str | XmlElement] = field(default_factory=list)
    """Text and elements, in order."""

    @property
    def children(self) -> list[XmlElement]:
        """The elements directly within it."""
        return [part for part in self.content if isinstance(part, XmlElement)]

    def named(self, *names: str) -> list[XmlElement]:
        """Return the children of these names with content: in the order of names, those without a prefix first."""
        children = [child for name in names for child in self.children if child.name == name and child.content]
        return sorted(children, key=lambda child: (names.index(child.name), child.has_prefix))

    def first(self, *names: str) -> XmlElement | None:
        """Return the first of `named`."""
        return next(iter(self.named(*names)), None)

    def text(self, *names: str) -> str | None:
        """Return the text directly within it, or within its first child of these names."""
        element = self.first(*names) if names else self
        if element is None:
            return None
        return "".join(part for part in element.content if isinstance(part, str)).strip() or None

    def markup(self) -> str:
        """Return the content as HTML: unescaped, or as elements (Atom's xhtml, RFC 4287 section 3.1.1.3)."""
        if not self.children:
            return self.text() or ""
        return "".join(escape(part) if isinstance(part, str) else part.tags() for part in self.content)

    def tags(self) -> str:
        """Return the element itself as HTML."""
        attributes = "".join(f' {name}="{escape(text)}"' for name, text in self.attributes.items())
        return f"<{self.name}{attributes}>{self.markup()}</{self.name}>"


class UnreadableMarkup(Exception):
    """The document declares entities, is too deep or too large, or is no XML."""


class ParsedXml(NamedTuple):
    """A tree, and the repairs that it needed."""

    root: XmlElement
    repair: str | None = None
    """The first error of form, where the structure had to be guessed."""
    is_cut: bool = False
    """The document ends before its root does."""


def parse(text: str, base: str | None) -> ParsedXml:
    """Read XML into a tree; feeds and site maps that are not well-formed are repaired.

    Raises:
        UnreadableMarkup: it declares entities, is too deep or too large, or is damaged and no feed.
    """
    text = _with_valid_references(_DECLARATION.sub("", text.strip()))
    builder = _TreeBuilder(base)
    try:
        _parse_strictly(text, builder)
    except expat.ExpatError as error:
        builder = _TreeBuilder(base)
        is_cut = _parse_leniently(text, builder)
        root = next(iter(builder.top.children), None)
        if root is None or root.name not in _ROOT_NAMES:
            raise UnreadableMarkup(str(error)) from error
        return ParsedXml(root, None if is_cut else str(error), is_cut)
    return ParsedXml(builder.top.children[0])


class _TreeBuilder:
    """Puts elements into each other, within bounds."""

    def __init__(self, base: str | None) -> None:
        self.top = XmlElement("", {}, base)
        self.open = [self.top]
        self._count = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._count += 1
        if self._count > MAX_ELEMENTS or len(self.open) > MAX_DEPTH:
            raise UnreadableMarkup("too many elements, or too deep")
        parent = self.open[-1]
        base = _joined(attributes.get("xml:base"), parent.base)
        prefix, _, local = name.rpartition(":")
        element = XmlElement(local.lower(), attributes, base, bool(prefix) and prefix not in {"rdf", "atom"})
        parent.content.append(element)
        self.open.append(element)

    def text(self, text: str) -> None:
        self.open[-1].content.append(text)


def _joined(address: str | None, base: str | None) -> str | None:
    if not address:
        return base
    try:
        return URL(address, base or None).href
    except (ValueError, UnicodeEncodeError):
        return base


def _with_valid_references(text: str) -> str:
    """Return XML in which all references are characters or XML's own: HTML's are replaced, and a bare `&` is escaped.

    CDATA sections are not changed.
    """
    if "&" not in text:
        return text
    start, *sections = text.split("<![CDATA[")
    pieces = [_REFERENCE.sub(_valid_reference, start)]
    for section in sections:
        characters, closing, markup = section.partition("]]>")
        pieces += ("<![CDATA[", characters, closing, _REFERENCE.sub(_valid_reference, markup))
    return "".join(pieces)


def _valid_reference(match: re.Match[str]) -> str:
    number, name = match[1], match[2]
    if number is None:
        if name in _XML_ENTITIES:
            return match[0]
        return html5.get(f"{name};", f"&amp;{match[0][1:]}") if name else "&amp;"
    code = int(number[1:], 16) if number[0] in "xX" else int(number)
    is_character = code in {9, 10, 13} or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
    return match[0] if is_character else "\ufffd"


def _parse_strictly(text: str, builder: _TreeBuilder) -> None:
    def refuse(*_: object) -> None:
        raise UnreadableMarkup("it declares entities")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = builder.start
    parser.EndElementHandler = lambda _: builder.open.pop()
    parser.CharacterDataHandler = builder.text
    parser.EntityDeclHandler = refuse
    parser.Parse(text.encode("utf-8", "replace"), True)  # noqa: FBT003 - expat's own signature


# ------------------------------------------------------------------------------------------------- repair


def _parse_leniently(text: str, builder: _TreeBuilder) -> bool:
    """Read tags one by one: all else is text, and an end tag closes the elements that are open within it.

    Return whether the document is cut off.

    Raises:
        UnreadableMarkup: too many elements, or too deep.
    """
    if "<!ENTITY" in text:
        raise UnreadableMarkup("it declares entities")
    offset = 0
    while (start := text.find("<", offset)) >= 0:
        builder.text(unescape(text[offset:start]))
        offset = _markup_end(text, start, builder)
        if offset < 0:
            break
    else:
        builder.text(unescape(text[offset:]))
    is_cut = len(builder.open) > 1
    if is_cut and builder.open[-1].name in _EXACT_NAMES:
        builder.open[-2].content.pop()
    return is_cut


def _markup_end(text: str, start: int, builder: _TreeBuilder) -> int:
    """Handle the markup at `start` and return its end; -1 where the document ends within it."""
    for opening, closing in (("<![CDATA[", "]]>"), ("<!--", "-->"), ("<?", "?>"), ("<!", ">")):
        if text.startswith(opening, start):
            end = text.find(closing, start + len(opening))
            is_cut = end < 0
            if is_cut:
                end = len(text)
            if opening == "<![CDATA[":
                builder.text(text[start + len(opening) : end])
            return -1 if is_cut else end + len(closing)
    name = _TAG_NAME.match(text, start)
    if name is None:
        builder.text("<")
        return start + 1
    end = text.find(">", start, start + MAX_TAG_CHARS)
    is_at_end = text.find("<", start + 1, start + MAX_TAG_CHARS) < 0 and len(text) - start < MAX_TAG_CHARS
    if end < 0 and is_at_end:
        return -1
    if end < 0 or text.find("<", start + 1, end) >= 0:
        builder.text("<")  # as in "x <y and z</p>"
        return start + 1
    if text[start + 1] == "/":
        _close(builder, name[1].rpartition(":")[2].lower())
    else:
        _open(builder, name[1], text[name.end() : end])
    return end + 1


def _open(builder: _TreeBuilder, name: str, inner: str) -> None:
    if name.lower() in _ENTRY_NAMES:
        _close(builder, name.lower())  # an entry holds no other
    attributes = {key: unescape(quoted or single or bare) for key, quoted, single, bare in _ATTRIBUTE.findall(inner)}
    builder.start(name, attributes)
    if inner.endswith("/"):
        builder.open.pop()


def _close(builder: _TreeBuilder, name: str) -> None:
    names = [element.name for element in builder.open[1:]]
    if name in names:
        del builder.open[len(names) - names[::-1].index(name) :]
