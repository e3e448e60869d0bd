"""XML that speaks for itself: RSS, Atom and RDF feeds, site maps; any other XML is shown as it is written.

Expat reads it with every entity declaration refused, so that no document can expand itself or name a file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING
from xml.parsers import expat

from ada_url import URL

from wellread.characters import cleaned
from wellread.dates import iso
from wellread.errors import Empty
from wellread.net.content import decode
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span, Style
from wellread.web.extract import fragment
from wellread.web.metadata.clean import line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.types import Source

MAX_ENTRIES = 300
MAX_ELEMENTS = 200_000
MAX_DEPTH = 100
MAX_SUMMARY = 5_000
MAX_LOCATIONS = 5_000

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")


@dataclass(slots=True)
class _Element:
    name: str
    attributes: dict[str, str]
    content: list[str | _Element] = field(default_factory=list)
    """Text and elements, in order."""

    @property
    def children(self) -> list[_Element]:
        return [part for part in self.content if isinstance(part, _Element)]

    def first(self, *names: str) -> _Element | None:
        return next((child for name in names for child in self.children if child.name == name), None)

    def text(self, *names: str) -> str | None:
        found = self.first(*names) if names else self
        return "".join(part for part in found.content if isinstance(part, str)).strip() or None if found else None

    def markup(self) -> str:
        """Return what is inside as HTML: as it was escaped, or as elements (Atom's xhtml, RFC 4287 section 3.1.1.3)."""
        if not self.children:
            return self.text() or ""
        return "".join(escape(part) if isinstance(part, str) else part.tags() for part in self.content)

    def tags(self) -> str:
        """Return the element itself as HTML."""
        attributes = "".join(f' {name}="{escape(value)}"' for name, value in self.attributes.items())
        return f"<{self.name}{attributes}>{self.markup()}</{self.name}>"


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
        text, unseen = cleaned(raw)
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
        return _feed(root, base, notices)
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
        stack[-1].content.append(element)
        stack.append(element)

    def tell(data: str) -> None:
        stack[-1].content.append(data)

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


def _feed(root: _Element, base: str | None, notices: list[Notice]) -> tuple[tuple[Block, ...], Metadata]:
    channel = root.first("channel") or root
    entries = [child for child in [*channel.children, *root.children] if child.name in {"item", "entry"}]
    unique = list({id(entry): entry for entry in entries}.values())
    summaries = _Summaries(base)
    title = summaries.line(channel.first("title"))
    home = _link(channel, base)
    blocks = [Block(Kind.HEADING, (Span(title, href=home),), level=1)] if title else []
    described = summaries.blocks(channel.first("description", "subtitle"))
    blocks.extend(described)
    for entry in unique[:MAX_ENTRIES]:
        blocks.extend(_entry(entry, base, summaries))
    if len(unique) > MAX_ENTRIES:
        summaries.cut.append(f"{MAX_ENTRIES} of {len(unique)} entries")
    notices.extend(summaries.notices())
    metadata = Metadata(
        title=title,
        description=line(" ".join(span.text for block in described for span in _spans(block)), 1_000),
        site_name=title,
        modified_date=iso(channel.text("lastbuilddate", "updated", "pubdate", "date")),
        language=line(channel.text("language") or root.attributes.get("xml:lang"), 20),
    )
    return tuple(blocks), metadata


def _entry(entry: _Element, base: str | None, summaries: _Summaries) -> Iterator[Block]:
    href = _link(entry, base)
    title = summaries.line(entry.first("title"))
    yield Block(Kind.HEADING, (Span(title or href or "Untitled", href=href),), level=2)
    author = entry.first("author", "creator")
    name = line(author.text("name") or author.text()) if author else None
    when = iso(entry.text("pubdate", "published", "date", "updated"))
    if when or name:
        yield _paragraph(Span(", ".join(part for part in (when, name) if part), Style.EM))
    yield from summaries.blocks(entry.first("description", "summary", "encoded", "content"))


class _Summaries:
    """Reads the HTML in a feed by the rules for every page, and adds up what was left out."""

    def __init__(self, base: str | None) -> None:
        self._base = base
        self._left_out: dict[str, Notice] = {}
        self.cut: list[str] = []

    def line(self, element: _Element | None) -> str | None:
        """Return a title, which may be HTML, as one line."""
        return line(" ".join(span.text for block in self.blocks(element) for span in _spans(block)))

    def blocks(self, element: _Element | None) -> tuple[Block, ...]:
        """Return what a summary shows, at most `MAX_SUMMARY` characters of it; its headings stand below the entry's."""
        markup = element.markup() if element else ""
        if "<" not in markup:
            whole = line(markup, MAX_SUMMARY)
            return (_paragraph(Span(whole)),) if whole else ()
        read = fragment.read(markup[: MAX_SUMMARY * 10], self._base)
        for notice in read.notices:
            before = self._left_out.get(notice.code)
            count = notice.count + (before.count if before else 0)
            self._left_out[notice.code] = notice._replace(count=count)
        return tuple(self._fitting(read.document))

    def notices(self) -> Iterator[Notice]:
        """Tell what was left out of all of them."""
        yield from self._left_out.values()
        if self.cut:
            yield Notice("cut_short", f"not all is shown: {'; '.join(self.cut[:5])}", len(self.cut))

    def _fitting(self, blocks: tuple[Block, ...]) -> Iterator[Block]:
        left = MAX_SUMMARY
        for block in blocks:
            text = " ".join(span.text for span in _spans(block))
            if len(text) > left:
                self.cut.append(f"{MAX_SUMMARY:,} characters of a summary")
                if left == MAX_SUMMARY:
                    yield _paragraph(Span(text[:left]))
                return
            left -= len(text)
            yield block._replace(level=max(3, block.level)) if block.kind is Kind.HEADING else block


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


def _code(text: str) -> Block:
    return Block(Kind.CODE, (Span(text.strip()),), label="xml")


def _paragraph(span: Span) -> Block:
    return Block(Kind.PARAGRAPH, (span,))


def _spans(block: Block) -> Iterator[Span]:
    yield from block.spans
    for child in block.children:
        yield from _spans(child)
