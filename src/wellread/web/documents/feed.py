"""XML that speaks for itself: RSS, Atom and RDF feeds, site maps; any other XML is shown as it is written.

Expat reads it with every entity declaration refused, so that no document can expand itself or name a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from xml.parsers import expat

from ada_url import URL
from selectolax.lexbor import LexborHTMLParser

from wellread.errors import Empty
from wellread.net.content import decode
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span, Style
from wellread.web.metadata.clean import line, seen
from wellread.web.metadata.dates import iso

if TYPE_CHECKING:
    from collections.abc import Iterator

    from selectolax.lexbor import LexborNode

    from wellread.types import Source

MAX_ENTRIES = 300
MAX_ELEMENTS = 200_000
MAX_DEPTH = 100
MAX_SUMMARY = 5_000
MAX_LOCATIONS = 5_000

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
_BLOCKS = frozenset({"p", "br", "li", "div", "h1", "h2", "h3", "h4", "blockquote", "tr"})
_HIDDEN = "script, style, template, noscript, [hidden], [style*='display:none'], [style*='display: none']"


@dataclass(slots=True)
class _Element:
    name: str
    attributes: dict[str, str]
    children: list[_Element] = field(default_factory=list)
    pieces: list[str] = field(default_factory=list)

    def first(self, *names: str) -> _Element | None:
        return next((child for name in names for child in self.children if child.name == name), None)

    def text(self, *names: str) -> str | None:
        found = self.first(*names) if names else self
        return "".join(found.pieces).strip() or None if found else None


class _Refused(Exception):
    """The document declares entities, or is too deep or too large."""


class FeedExtractor:
    """Reads feeds and other XML; never fails but on an empty document."""

    name = "feed"
    media_types = (
        "application/atom+xml",
        "application/rdf+xml",
        "application/rss+xml",
        "application/xml",
        "text/xml",
    )

    def extract(self, source: Source) -> Extraction:
        """Read a feed into a heading and a summary per entry, a site map into its links, other XML into code.

        Raises:
            Empty: there is no character to read.
        """
        raw, _ = decode(source.body, source.charset, html=False)
        text, unseen = seen(raw)
        if not text.strip():
            raise Empty(f"{source.url or 'the document'} holds no text", url=source.url)
        notices = (
            [Notice("invisible_characters", "characters that show nothing were removed", unseen)] if unseen else []
        )
        document, metadata = _read(text, source.url, notices)
        links = [span.href for block in document for span in _spans(block) if span.href]
        return Extraction(
            document=document,
            metadata=metadata,
            method=self.name,
            page_type="listing",
            links=tuple(dict.fromkeys(links)),
            notices=tuple(notices),
            source_chars=len(raw),
        )


def _read(text: str, base: str | None, notices: list[Notice]) -> tuple[tuple[Block, ...], Metadata]:
    try:
        root = _parse(text)
    except (expat.ExpatError, _Refused) as error:
        notices.append(Notice("unread_markup", f"shown as written: {error}"))
        return (_code(text),), Metadata()
    if root.name in {"rss", "rdf", "feed"}:
        return _feed(root, base)
    if root.name in {"urlset", "sitemapindex"}:
        found = [url for entry in root.children[:MAX_LOCATIONS] if (url := _absolute(entry.text("loc"), base))]
        items = tuple(Block(Kind.ITEM, children=(_paragraph(Span(url, href=url)),)) for url in found)
        return (Block(Kind.LIST, children=items),) if items else (_code(text),), Metadata()
    return (_code(text),), Metadata()


def _parse(text: str) -> _Element:
    """Return the tree of a document, names in lower case without prefix."""
    top = _Element("", {})
    stack, count = [top], 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        if count > MAX_ELEMENTS or len(stack) > MAX_DEPTH:
            raise _Refused("too many elements, or too deep")
        element = _Element(name.rpartition(":")[2].lower(), attributes)
        stack[-1].children.append(element)
        stack.append(element)

    def tell(data: str) -> None:
        stack[-1].pieces.append(data)

    def refuse(*_: object) -> None:
        raise _Refused("it declares entities")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _: stack.pop()
    parser.CharacterDataHandler = tell
    parser.EntityDeclHandler = refuse
    parser.Parse(_DECLARATION.sub("", text.strip()).encode("utf-8", "replace"), True)  # noqa: FBT003 - expat's own signature
    return top.children[0]


def _feed(root: _Element, base: str | None) -> tuple[tuple[Block, ...], Metadata]:
    channel = root.first("channel") or root
    entries = [child for child in [*channel.children, *root.children] if child.name in {"item", "entry"}]
    unique = list({id(entry): entry for entry in entries}.values())[:MAX_ENTRIES]
    title = line(channel.text("title"))
    home = _link(channel, base)
    blocks = [Block(Kind.HEADING, (Span(title, href=home),), level=1)] if title else []
    described = _html(channel.text("description", "subtitle"))
    blocks.extend(_paragraph(Span(text)) for text in described)
    for entry in unique:
        blocks.extend(_entry(entry, base))
    metadata = Metadata(
        title=title,
        description=line(" ".join(described), 1_000),
        site_name=title,
        modified_date=iso(channel.text("lastbuilddate", "updated", "pubdate", "date")),
        language=line(channel.text("language") or root.attributes.get("xml:lang"), 20),
    )
    return tuple(blocks), metadata


def _entry(entry: _Element, base: str | None) -> Iterator[Block]:
    title = line(entry.text("title")) or next(iter(_html(entry.text("title"))), None)
    href = _link(entry, base)
    yield Block(Kind.HEADING, (Span(title or href or "Untitled", href=href),), level=2)
    author = entry.first("author", "creator")
    name = line(author.text("name") or author.text()) if author else None
    when = iso(entry.text("pubdate", "published", "date", "updated"))
    if when or name:
        yield _paragraph(Span(", ".join(part for part in (when, name) if part), Style.EM))
    for text in _html(entry.text("description", "summary", "encoded", "content")):
        yield _paragraph(Span(text))


def _link(element: _Element, base: str | None) -> str | None:
    links = [child for child in element.children if child.name == "link"]
    chosen = next((item for item in links if item.attributes.get("rel", "alternate") == "alternate"), None)
    address = (chosen.attributes.get("href") or chosen.text()) if chosen else None
    return _absolute(address or element.text("guid"), base)


def _absolute(address: str | None, base: str | None) -> str | None:
    try:
        url = URL(address or "", base) if base else URL(address or "")
    except (ValueError, UnicodeEncodeError):
        return None
    return url.href if address and url.protocol in {"http:", "https:"} else None


def _html(text: str | None) -> list[str]:
    """Return the paragraphs of a summary, which is HTML or text, at most `MAX_SUMMARY` characters of it."""
    if not text:
        return []
    if "<" not in text:
        whole = line(text, MAX_SUMMARY)
        return [whole] if whole else []
    told = "".join(_shown(LexborHTMLParser(text[: MAX_SUMMARY * 10])))[:MAX_SUMMARY]
    return [paragraph for piece in told.split("\n\n") if (paragraph := line(piece, MAX_SUMMARY))]


def _shown(tree: LexborHTMLParser) -> Iterator[str]:
    """Yield the pieces of text that a page would show, with blank lines between blocks."""
    hidden = {node.mem_id for node in tree.css(_HIDDEN)}
    for node in tree.body.traverse(include_text=True) if tree.body else ():
        if node.tag in _BLOCKS:
            yield "\n\n"
        elif node.tag == "-text" and not any(above.mem_id in hidden for above in _above(node)):
            yield node.text_content or ""


def _above(node: LexborNode) -> Iterator[LexborNode]:
    at = node.parent
    for _ in range(MAX_DEPTH):
        if at is None:
            return
        yield at
        at = at.parent


def _code(text: str) -> Block:
    return Block(Kind.CODE, (Span(text.strip()),), label="xml")


def _paragraph(span: Span) -> Block:
    return Block(Kind.PARAGRAPH, (span,))


def _spans(block: Block) -> Iterator[Span]:
    yield from block.spans
    for child in block.children:
        yield from _spans(child)
