"""Feeds (RSS, Atom, RDF, JSON Feed) and site maps; any other XML is shown as code."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wellread.documents.feed.elements import UnreadableMarkup, XmlElement, parse
from wellread.documents.feed.entries import EntryWriter, absolute, paragraph, spans_of
from wellread.documents.feed.json_feed import parse_json_feed
from wellread.documents.feed.syndication import entries, link, markup, own_address
from wellread.errors import Empty, without_quotations
from wellread.extractor_types import MEDIA_TYPES
from wellread.metadata.cleaning import line
from wellread.net.media_types import decode
from wellread.text.characters import without_invisible
from wellread.text.dates import iso
from wellread.types import Block, Document, Extraction, Kind, Metadata, Notice, Span

if TYPE_CHECKING:
    from wellread.types import Source

MAX_LOCATIONS = 5_000
_JSON_FEED = "application/feed+json"


class FeedExtractor:
    """Reads feeds and other XML; fails only on an empty document."""

    name = "feed"
    media_types = MEDIA_TYPES["feed"]

    def extract(self, source: Source) -> Extraction:
        """Read a feed into a heading and a summary per entry, a site map into its links, other XML into code.

        Raises:
            Empty: there is no character to read.
        """
        raw, _ = decode(source.body, source.charset, html=False)
        text, invisible_count = without_invisible(raw)
        if not text.strip():
            raise Empty(f"{source.url or 'the document'} has no text", url=source.url)
        read = {_JSON_FEED: _read_json}.get(source.media_type, _read_xml)
        reading = read(text, source.url)
        notices = list(reading.notices)
        if invisible_count:
            notices.insert(0, Notice("invisible_characters", "invisible characters were removed", invisible_count))
        links = [span.href for block in reading.document for span in spans_of(block) if span.href]
        return Extraction(
            document=reading.document,
            metadata=reading.metadata,
            method=self.name,
            page_type="listing",
            links=tuple(dict.fromkeys(url for url in links if url.startswith(("http:", "https:")))),
            notices=tuple(notices),
            source_chars=len(raw),
        )


class _FeedReading(NamedTuple):
    document: Document
    metadata: Metadata = Metadata()
    notices: tuple[Notice, ...] = ()


def _read_json(text: str, base: str | None) -> _FeedReading:
    feed = parse_json_feed(text, base)
    if feed is None:
        return _FeedReading((_code(text, "json"),))
    writer = EntryWriter()
    head = _head(feed.title, feed.home)
    description = (paragraph(Span(feed.metadata.description)),) if feed.metadata.description else ()
    document = (*head, *description, *writer.entries(feed.entries))
    return _FeedReading(document or (_code(text, "json"),), feed.metadata, tuple(writer.notices()))


def _read_xml(text: str, base: str | None) -> _FeedReading:
    try:
        root, repair, is_cut = parse(text, base)
        if base is None and (published_address := own_address(root)):
            root, repair, is_cut = parse(
                text, published_address
            )  # a local file names the address that it was published at
    except UnreadableMarkup as error:
        detail = f"the markup is shown as text: {without_quotations(str(error))}"
        return _FeedReading((_code(text),), notices=(Notice("unread_markup", detail),))
    if root.name in {"rss", "rdf", "feed"}:
        reading = _feed(root)
    elif root.name in {"urlset", "sitemapindex"}:
        reading = _site_map(root)
    else:
        return _FeedReading((_code(text),))
    if not reading.document:
        return _FeedReading(
            (_code(text),), notices=(Notice("unread_markup", "the markup is shown as text: no entry was found"),)
        )
    notices = list(reading.notices)
    if is_cut:
        notices.append(Notice("cut_short", "the document ends inside an element; the text before the end is shown"))
    if repair:
        notices.append(
            Notice(
                "repaired_markup",
                f"the XML is not well-formed ({without_quotations(repair)}); its structure was guessed",
            )
        )
    return reading._replace(notices=tuple(notices))


def _feed(root: XmlElement) -> _FeedReading:
    channel = root.first("channel") or root
    writer = EntryWriter()
    title = writer.line(markup(channel.first("title")))
    head = _head(title, link(channel))
    description = writer.blocks(markup(channel.first("description", "subtitle")))
    document = (*head, *description, *writer.entries(entries(root)))
    metadata = Metadata(
        title=title,
        description=line(" ".join(span.text for block in description for span in spans_of(block)), 1_000),
        site_name=title,
        modified_date=iso(channel.text("lastbuilddate", "updated", "pubdate", "date")),
        language=line(channel.text("language") or root.attributes.get("xml:lang"), 20),
    )
    return _FeedReading(document, metadata, tuple(writer.notices()))


def _site_map(root: XmlElement) -> _FeedReading:
    locations = [entry for entry in root.children if entry.name in {"url", "sitemap"}]
    urls = [url for entry in locations[:MAX_LOCATIONS] if (url := absolute(entry.text("loc"), entry.base))]
    items = tuple(Block(Kind.ITEM, children=(paragraph(Span(url, href=url)),)) for url in urls)
    notices: tuple[Notice, ...] = ()
    if len(locations) > MAX_LOCATIONS:
        detail = f"some addresses are not shown: {MAX_LOCATIONS:,} of {len(locations):,} addresses"
        notices = (Notice("cut_short", detail, len(locations) - MAX_LOCATIONS),)
    return _FeedReading((Block(Kind.LIST, children=items),) if items else (), notices=notices)


def _head(title: str | None, home: str | None) -> Document:
    return (Block(Kind.HEADING, (Span(title, href=home),), level=1),) if title else ()


def _code(text: str, language: str = "xml") -> Block:
    return Block(Kind.CODE, (Span(text.strip()),), label=language)
