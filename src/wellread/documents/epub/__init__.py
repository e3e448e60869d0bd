"""Books in EPUB 2 and 3: the documents of the spine in order, each read by the rules for HTML pages.

Text that the book's own style sheets hide is left out and counted, as on a page. The table of contents gives titles
to chapters that have none, and is not repeated as text.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from wellread.documents.epub.chapter import MAX_ELEMENTS, StyleReader, read_chapter
from wellread.documents.epub.package import read_package
from wellread.errors import Empty, UnreadableError
from wellread.extraction import html_fragment
from wellread.extractor_types import MEDIA_TYPES
from wellread.metadata.cleaning import key
from wellread.net.zip_reader import ZipReader
from wellread.step_counter import time_limit
from wellread.types import Block, Extraction, Kind, Notice, Span, Style

if TYPE_CHECKING:
    import threading
    from collections.abc import Iterator, Sequence

    from wellread.documents.epub.package import BookPackage, TocEntry
    from wellread.types import Document, Source

MAX_DOCUMENTS: Final = 3_000
MAX_DOCUMENT_BYTES: Final = 3_000_000
MAX_TEXT_CHARS: Final = 6_000_000
"""Of the whole book; War and Peace has 3,200,000."""
MAX_PIECES: Final = 250_000
"""Blocks and spans of the whole book."""
_READING_SHARE: Final = 0.7
"""Of `Source.timeout_s`: the rest is for the document that is being read when the time ends."""
_FEW_WORDS: Final = 40
_LINKED_SHARE: Final = 0.6
"""Share of the characters of a contents page that are in links."""
_HEAD_BLOCKS: Final = 3
"""Blocks at the start of a chapter that are searched for its title."""
_NOTE: Final = int(Style.NOTE)


class EpubExtractor:
    """Reads books in EPUB."""

    name = "epub"
    media_types = MEDIA_TYPES["epub"]

    def extract(self, source: Source) -> Extraction:
        """Read a book into blocks: the chapters in reading order, with headings, lists, tables, links and notes.

        Raises:
            Unsupported: it is damaged, or its text is encrypted (DRM).
            Empty: it shows no text.
            TooLarge: it holds too many files.
        """
        source_name = source.url or "the EPUB file"
        archive = ZipReader(source.body, source_name, "EPUB book")
        package = read_package(archive, source_name)
        book = _BookReader(archive, package, keeps_contents=source.mode == "recall")
        with time_limit(source.timeout_s, _READING_SHARE) as time_ended:
            book.read(time_ended)
        if not book.blocks:
            pictures = "its pages are pictures" if book.picture_count else "its documents have none"
            raise Empty(
                f"{source_name} has no text: {pictures}", url=source.url, hint="run text recognition (OCR) on the file"
            )
        metadata = package.metadata
        if not metadata.title:
            metadata = replace(metadata, title=_first_heading(book.blocks))
        return Extraction(
            document=tuple(book.blocks),
            metadata=metadata,
            method=self.name,
            links=tuple(dict.fromkeys(book.links)),
            notices=tuple(book.notices()),
            source_chars=book.source_chars,
        )


class _BookReader:
    """The text of a book while it is read, and counts of omitted content."""

    def __init__(self, archive: ZipReader, package: BookPackage, *, keeps_contents: bool) -> None:
        self.blocks: list[Block] = []
        self.links: list[str] = []
        self.source_chars = 0
        self.picture_count = 0
        self._archive = archive
        self._package = package
        self._keeps_contents = keeps_contents
        self._styles = StyleReader(archive)
        self._fragment_notices: list[Notice] = []
        self._missing = self._unreadable = self._contents_pages = 0
        self._picture_pages: list[int] = []
        self._cut_documents = self._documents_left = 0
        self._cut_reason = ""
        self._text_chars = self._pieces = 0
        self._labels: dict[str, int] = {}
        """Labels of notes in the documents read so far, and how many notes have each."""

    def read(self, time_ended: threading.Event) -> None:
        """Read the documents of the spine until one of the limits is reached."""
        spine = self._package.spine
        for number, path in enumerate(spine, 1):
            self._cut_reason = self._limit(number, time_ended)
            if self._cut_reason:
                self._documents_left = len(spine) - number + 1
                return
            if path in self._package.pictures:
                self.picture_count += 1
                self._picture_pages.append(number)
            elif path:
                self._read_document(path, number)
            else:
                self._missing += 1

    def _limit(self, number: int, time_ended: threading.Event) -> str:
        if time_ended.is_set():
            return "the time for reading ended (`extract.timeout_s`)"
        if number > MAX_DOCUMENTS:
            return f"only {MAX_DOCUMENTS:,} documents of a book are read"
        if self._text_chars > MAX_TEXT_CHARS or self._pieces > MAX_PIECES:
            return f"only about {MAX_TEXT_CHARS:,} characters or {MAX_PIECES:,} pieces of a book are read"
        return ""

    def _read_document(self, path: str, number: int) -> None:
        file = self._archive.read(path, MAX_DOCUMENT_BYTES)
        if file is None:
            self._missing += 1
            return
        chapter = read_chapter(file.content, path, self._styles, is_cut=file.is_cut)
        self._cut_documents += chapter.is_cut
        self.source_chars += len(chapter.html)
        self.picture_count += chapter.picture_count
        try:
            text = html_fragment.read(chapter.html, None)
        except UnreadableError:
            self._unreadable += 1
            return
        self._fragment_notices.extend(text.notices)
        if (
            not self._keeps_contents
            and path in self._package.contents_pages
            and _is_contents(chapter.html, text.document)
        ):
            self._contents_pages += 1
            return
        if not text.document:
            if chapter.picture_count and path not in self._package.covers and number > 1:
                self._picture_pages.append(number)
            return
        document = _titled(text.document, self._package.titles.get(path))
        self.blocks.extend(self._relabelled(document))
        self.links.extend(text.links)
        pieces, chars = _size(document)
        self._pieces += pieces
        self._text_chars += chars

    def _relabelled(self, document: Document) -> Document:
        """Return a document with labels of notes that no other document of the book has."""
        labels = dict.fromkeys(block.label for block in document if block.kind is Kind.FOOTNOTE)
        renamed = {}
        for label in labels:
            count = self._labels.get(label, 0)
            new_label = label
            while count and new_label in self._labels:
                count += 1
                new_label = f"{label}-{count}"
            self._labels[label] = max(count, 1)
            self._labels.setdefault(new_label, 1)
            if new_label != label:
                renamed[label] = new_label
        return tuple(_with_labels(block, renamed) for block in document)

    def notices(self) -> Iterator[Notice]:
        """Yield the notices of omitted content."""
        for code in dict.fromkeys(notice.code for notice in self._fragment_notices):
            same = [notice for notice in self._fragment_notices if notice.code == code]
            yield same[0]._replace(count=sum(notice.count for notice in same))
        if self.picture_count:
            detail = "pictures, sound and films of a book are not read"
            yield Notice("pictures_left_out", detail, self.picture_count)
        if self._picture_pages:
            first = ", ".join(map(str, self._picture_pages[:10]))
            detail = f"documents of a book are pictures without text: {first} of {len(self._package.spine)}"
            yield Notice("pages_without_text", detail, len(self._picture_pages))
        if self._missing or self._unreadable:
            detail = "documents that a book lists are not in its file, are damaged, or take too long to read"
            yield Notice("parts_missing", detail, self._missing + self._unreadable)
        if self._contents_pages:
            yield Notice("contents_left_out", "the table of contents is not in the text", self._contents_pages)
        if self._package.is_repaired:
            detail = "the package document cannot be read; the order of the documents is that of the archive"
            yield Notice("repaired_markup", detail)
        if self._documents_left or self._cut_documents:
            reason = (
                self._cut_reason
                or f"only {MAX_DOCUMENT_BYTES:,} bytes or {MAX_ELEMENTS:,} elements of a document are read"
            )
            yield Notice("pages_cut", f"the text ends early: {reason}", self._documents_left + self._cut_documents)


def _first_heading(blocks: Sequence[Block]) -> str | None:
    return next((_block_text(block) for block in blocks if block.kind is Kind.HEADING), None)


def _block_text(block: Block) -> str:
    return "".join(span.text for span in block.spans).strip()


def _titled(document: Document, entry: TocEntry | None) -> Document:
    """Return a document with its heading from the table of contents, where it has none of its own.

    A chapter may show its title as a paragraph, or as two: its number, then its name.
    """
    if entry is None or any(block.kind is Kind.HEADING for block in document[:_HEAD_BLOCKS]):
        return document
    title = key(entry.title)
    for length in range(1, _HEAD_BLOCKS):
        for start in range(_HEAD_BLOCKS - length + 1):
            blocks = document[start : start + length]
            opening_text = " ".join(_block_text(block) for block in blocks)
            if (
                len(blocks) == length
                and all(block.kind is Kind.PARAGRAPH for block in blocks)
                and key(opening_text) == title
            ):
                heading = Block(Kind.HEADING, _joined(blocks), level=entry.level)
                return (*document[:start], heading, *document[start + length :])
    return (Block(Kind.HEADING, (Span(entry.title),), level=entry.level), *document)


def _joined(blocks: Sequence[Block]) -> tuple[Span, ...]:
    spans = [span for block in blocks for span in (Span(" "), *block.spans)]
    return tuple(spans[1:])


def _is_contents(html: str, document: Document) -> bool:
    """Tell whether a document that is named a table of contents holds hardly anything but links."""
    chars = _size(document)[1]
    linked = sum(len(piece.partition(">")[2].partition("</a>")[0]) for piece in html.split("<a ")[1:])
    return chars <= _FEW_WORDS or linked >= _LINKED_SHARE * chars


def _size(document: Document) -> tuple[int, int]:
    """Return the number of blocks and spans, and the number of characters of text."""
    pieces = chars = 0
    stack = list(document)
    while stack:
        block = stack.pop()
        pieces += 1 + len(block.spans)
        chars += sum(len(span.text) for span in block.spans)
        stack.extend(block.children)
    return pieces, chars


def _with_labels(block: Block, renamed: dict[str, str]) -> Block:
    """Return a block with other labels of notes."""
    spans = tuple(
        span._replace(text=renamed.get(span.text, span.text)) if span.style & _NOTE else span for span in block.spans
    )
    children = tuple(_with_labels(child, renamed) for child in block.children)
    label = renamed.get(block.label, block.label) if block.kind is Kind.FOOTNOTE else block.label
    return block._replace(spans=spans, children=children, label=label)
