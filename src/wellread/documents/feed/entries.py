"""Entries of feeds of all kinds, and their printing as blocks."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Final, NamedTuple

from ada_url import URL

from wellread.extraction import html_fragment
from wellread.metadata.cleaning import line
from wellread.types import Block, Kind, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAX_ENTRIES: Final = 300
MAX_SUMMARY: Final = 5_000
MAX_ENCLOSURES: Final = 20

# HTML that was escaped once too often, from its first character.
_ESCAPED_TAG: Final = re.compile(r"\s{0,100}&lt;(?:!\[CDATA\[|[A-Za-z][A-Za-z0-9]{0,15}(?:\s[^;]{0,300}|/)?&gt;)")
_CDATA_MARK: Final = re.compile(r"<!\[CDATA\[|\]\]>")


class FeedText(NamedTuple):
    """HTML of a feed, and the base of its relative links."""

    html: str
    base: str | None = None
    is_text: bool = False
    """It is plain text: markup in it is text as well."""


class Enclosure(NamedTuple):
    """A file that belongs to an entry: an episode, a film, a picture."""

    href: str
    media_type: str | None = None
    size_bytes: int | None = None
    duration: str | None = None
    """Seconds, or hours, minutes and seconds, in the form of the feed."""
    title: str | None = None


class Entry(NamedTuple):
    """An entry of a feed."""

    title: FeedText | None
    href: str | None
    authors: tuple[str, ...] = ()
    date: str | None = None
    """ISO 8601."""
    texts: tuple[FeedText, ...] = ()
    """The content and its summaries, the longest kind first."""
    enclosures: tuple[Enclosure, ...] = ()
    is_relative: bool = False
    """It has only a relative address, and the feed has no base for it."""


def absolute(address: str | None, base: str | None) -> str | None:
    """Return a web address made absolute; None where it is no web address."""
    if not address:
        return None
    try:
        url = URL(address.strip(), base or None)
    except (ValueError, UnicodeEncodeError):
        return None
    if url.protocol not in {"http:", "https:"}:
        return None
    return url.href


def paragraph(*spans: Span) -> Block:
    """Return a paragraph of these spans."""
    return Block(Kind.PARAGRAPH, spans)


def spans_of(block: Block) -> Iterator[Span]:
    """Yield the spans in a block and below it."""
    yield from block.spans
    for child in block.children:
        yield from spans_of(child)


class EntryWriter:
    """Converts entries to blocks with the rules for every page, and counts omitted content."""

    def __init__(self) -> None:
        self._left_out: dict[str, Notice] = {}
        self.cut: list[str] = []
        self._relative_count = 0

    def entries(self, entries: Sequence[Entry]) -> Iterator[Block]:
        """Yield the blocks of at most `MAX_ENTRIES` entries."""
        for entry in entries[:MAX_ENTRIES]:
            yield from self._entry(entry)
        if len(entries) > MAX_ENTRIES:
            self.cut.append(f"{MAX_ENTRIES} of {len(entries)} entries")

    def _entry(self, entry: Entry) -> Iterator[Block]:
        self._relative_count += entry.is_relative
        title = self.line(entry.title) or entry.href or "Untitled"
        yield Block(Kind.HEADING, (Span(title, href=entry.href),), level=2)
        byline = ", ".join(part for part in (entry.date, *entry.authors) if part)
        if byline:
            yield paragraph(Span(byline, Style.EM))
        shown_text = ""
        for markup in entry.texts:
            blocks = self.blocks(markup)
            words = " ".join(" ".join(span.text for block in blocks for span in spans_of(block)).split())
            if words.rstrip(".\u2026 ") not in shown_text:  # a summary is mostly the beginning of the content
                yield from blocks
                shown_text += f" {words}"
        unique = {enclosure.href: enclosure for enclosure in reversed(entry.enclosures)}
        enclosures = list(reversed(unique.values()))
        yield from map(_enclosure, enclosures[:MAX_ENCLOSURES])
        if len(enclosures) > MAX_ENCLOSURES:
            self.cut.append(f"{MAX_ENCLOSURES} of {len(enclosures)} enclosures")

    def line(self, markup: FeedText | None) -> str | None:
        """Return a title, which may be HTML, as one line."""
        if markup is None:
            return None
        return line(" ".join(span.text for block in self.blocks(markup) for span in spans_of(block)))

    def blocks(self, markup: FeedText | None) -> tuple[Block, ...]:
        """Return the blocks of a summary, at most `MAX_SUMMARY` characters; its headings are below the entry's."""
        if markup is None:
            return ()
        if markup.is_text:
            return tuple(self._fitting(tuple(_paragraphs(markup.html))))
        html = _unescaped(markup.html)
        if "<" not in html:
            words = line(html, MAX_SUMMARY)
            if words and len(html) > MAX_SUMMARY:
                self.cut.append(f"{MAX_SUMMARY:,} characters of a summary")
            return (paragraph(Span(words)),) if words else ()
        read = html_fragment.read(html[: MAX_SUMMARY * 10], markup.base)
        for notice in read.notices:
            before = self._left_out.get(notice.code, notice._replace(count=0))
            self._left_out[notice.code] = notice._replace(count=before.count + notice.count)
        return tuple(self._fitting(read.document))

    def notices(self) -> Iterator[Notice]:
        """Yield the notices of content that was omitted from all entries."""
        yield from self._left_out.values()
        if self._relative_count:
            detail = "entries have relative addresses, and the feed does not declare its own address; set `url`"
            yield Notice("relative_links", detail, self._relative_count)
        if self.cut:
            yield Notice("cut_short", f"parts of the entries are missing: {'; '.join(self.cut[:5])}", len(self.cut))

    def _fitting(self, blocks: tuple[Block, ...]) -> Iterator[Block]:
        remaining_chars = MAX_SUMMARY
        for block in blocks:
            text = " ".join(span.text for span in spans_of(block))
            if len(text) > remaining_chars:
                self.cut.append(f"{MAX_SUMMARY:,} characters of a summary")
                if remaining_chars == MAX_SUMMARY:
                    yield paragraph(Span(text[:remaining_chars]))
                return
            remaining_chars -= len(text)
            if block.kind is Kind.HEADING:
                block = block._replace(level=max(3, block.level))  # noqa: PLW2901 - the heading below the entry's
            yield block


def _paragraphs(text: str) -> Iterator[Block]:
    """Yield the paragraphs of plain text, separated by blank lines; line breaks stay."""
    for part in text.replace("\r\n", "\n").split("\n\n"):
        lines = [" ".join(row.split()) for row in part.split("\n") if row.strip()]
        if lines:
            yield paragraph(Span("\n".join(lines)))


def _unescaped(html: str) -> str:
    """Undo one escape too many, and remove the marks of CDATA sections that were escaped with their text."""
    if _ESCAPED_TAG.match(html):
        html = unescape(html)
    if "<![CDATA[" not in html:
        return html
    return _CDATA_MARK.sub("", html)


def _enclosure(enclosure: Enclosure) -> Block:
    """Return the link to a file, with its type, size and length in time."""
    name = line(enclosure.title) or enclosure.href.rpartition("/")[2].partition("?")[0] or enclosure.href
    size = f"{enclosure.size_bytes:,} bytes" if enclosure.size_bytes else None
    details = ", ".join(filter(None, (line(enclosure.media_type, 100), size, line(enclosure.duration, 40))))
    spans: Iterable[Span] = (Span(name, href=enclosure.href), *((Span(f" ({details})"),) if details else ()))
    return paragraph(*spans)
