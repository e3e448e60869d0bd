"""PDF as blocks with page numbers: headings by type size, paragraphs joined across lines, invisible text left out.

PDFium is not thread-safe: one lock guards it. It is loaded here and nowhere else (`pip install 'wellread[documents]'`).
"""

from __future__ import annotations

import math
import re
import threading
from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread.documents import ocr
from wellread.documents.pdf import code_lines, item_labels, line_blocks
from wellread.documents.pdf.aligned_tables import PdfTable
from wellread.documents.pdf.annotations import read_annotations
from wellread.documents.pdf.hyphens import FileWords
from wellread.documents.pdf.page_text import PdfPage
from wellread.documents.pdf.reading_order import arranged
from wellread.documents.pdf.running_heads import running_heads
from wellread.errors import Empty, Timeout, Unsupported
from wellread.extractor_types import MEDIA_TYPES
from wellread.metadata.cleaning import line
from wellread.step_counter import time_limit
from wellread.text.characters import on_one_line, without_invisible
from wellread.text.dates import iso
from wellread.types import Block, Extraction, Kind, Metadata, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.documents.ocr import RecognizedPage
    from wellread.documents.pdf.annotations import Annotations
    from wellread.documents.pdf.page_objects import Survey
    from wellread.documents.pdf.page_text import TextLine
    from wellread.types import Source, TextRecognizer

MAX_PAGES = 1_000
MAX_CHARS = 2_000_000
_LONGEST_WAIT_S = 30.0
_READING_SHARE = 0.6
"""Of the time limit: pages are read until then; the remainder is for building the document and sending it."""
_OCR_SHARE = 0.85
"""Of the time limit: pictures of text are recognised until then."""
_OCR_DPI = 300
"""Tesseract's own advice: letters of 10 points are then 20 pixels high."""
_MAX_OCR_PIXELS = 16_000_000
"""A4 has 8.7 million at 300 dots per inch, A3 17.4 million."""
_MANY_SHAPES = 200
"""Shapes of a page without text: letters converted to outlines, not a frame or a rule."""
_SCAN_SHARE = 0.5
"""Of the page: larger pictures are scans."""
_STAMP_CHARS = 60
"""A scan with fewer characters has a stamp or a page number, not the text of its picture."""
_MAX_NAMED = 20
"""Ranges of pages in one notice."""
_MAX_FILES = 200
"""Attached files whose names are read."""
_DYNAMIC_XFA = 2
"""FORMTYPE_XFA_FULL"""
_FIELD_SIZE = 10.0
"""In points, for values on a page without text."""

_LOCK = threading.Lock()
_SOFTWARE_TITLE = re.compile(r"^(?:microsoft (?:word|powerpoint|excel)\s*-\s*|untitled\b|document\d*$)", re.IGNORECASE)


class _PageContent(NamedTuple):
    """The content of a page."""

    pieces: list[TextLine | PdfTable]
    """In reading order."""
    lines: list[TextLine]
    """With the lines of the tables."""
    notes: list[str]
    """The text of closed notes."""
    links: list[str]
    is_picture: bool
    """The page is a picture, with little or no text."""
    is_garbled: bool = False
    """The file does not map glyphs to letters."""
    recognized: RecognizedPage | None = None
    """The text of the picture, where it was recognised."""

    @property
    def has_text(self) -> bool:
        """Whether there is any text."""
        return bool(self.lines) or self.recognized is not None


_NO_PAGE = _PageContent([], [], [], [], is_picture=False)


class _UnreadContent(NamedTuple):
    """Content of the file beside the text of its pages that is not read."""

    files: tuple[str, ...] = ()
    """The names of attached files."""
    stamp_count: int = 0
    has_xfa_form: bool = False
    """Its pages come from a form in XML, and the pages in the file only ask to open it elsewhere."""


class _PdfContent(NamedTuple):
    """The content of a PDF."""

    pages: list[_PageContent]
    properties: dict[str, str]
    total: int
    hidden: int
    pictures: bool
    links: tuple[str, ...]
    cut: str
    """Why pages or text are missing; empty if none are."""
    unread: _UnreadContent
    ocr_problem: str = ""
    """Why pictures were not recognised; empty if all were."""


class PdfExtractor:
    """Reads PDF files that carry text."""

    name = "pdf"
    media_types = MEDIA_TYPES["pdf"]

    def extract(self, source: Source) -> Extraction:
        """Read a PDF into blocks.

        Raises:
            Unsupported: it is encrypted or damaged, or the extra `documents` is not installed.
            Empty: it holds pictures of text only, or nothing.
        """
        source_name = source.url or "the PDF"
        with (
            time_limit(source.timeout_s, _READING_SHARE) as time_ended,
            time_limit(source.timeout_s, _OCR_SHARE) as ocr_ended,
        ):
            if not _LOCK.acquire(timeout=_LONGEST_WAIT_S):
                raise Timeout(
                    f"{source_name} was not read, because the reading of another PDF took too long",
                    url=source.url,
                    hint="try again later",
                )
            try:
                content = _open(source, source_name, time_ended, ocr_ended)
            finally:
                _LOCK.release()
        if not any(page.has_text for page in content.pages):
            scanned = "its pages are scanned pictures without text" if content.pictures else "it has no text"
            hint = f"text recognition (OCR) found none: {content.ocr_problem or 'there may be none'}"
            if source.recognizer is None:
                hint = ocr.hint_without_recognizer(source.ocr)
            raise Empty(f"{source_name}: {scanned}", url=source.url, hint=hint)
        blocks, head_count = _document(content.pages, keep_all=source.mode == "recall")
        document = tuple(blocks)
        return Extraction(
            document=document,
            metadata=_metadata(content.properties, document),
            method=self.name,
            links=content.links,
            notices=_notices(content, head_count, source),
            source_chars=sum(map(_chars, content.pages)),
        )


def _chars(page: _PageContent) -> int:
    if page.recognized is not None:
        return page.recognized.chars
    return sum(len(printed.text) + 1 for printed in page.lines)


def _open(source: Source, source_name: str, time_ended: threading.Event, ocr_ended: threading.Event) -> _PdfContent:
    try:
        import pypdfium2
    except ImportError:
        hint = "pip install 'wellread[documents]'"
        raise Unsupported(
            f"{source_name} is a PDF, and no PDF reader is installed", url=source.url, hint=hint
        ) from None
    try:
        pdf = pypdfium2.PdfDocument(source.body)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            hint = "ask for a copy without a password"
            raise Unsupported(f"{source_name} is encrypted with a password", url=source.url, hint=hint) from error
        raise Unsupported.damaged(source_name, "PDF", error, url=source.url) from error
    try:
        content = _read(pdf, time_ended)
        if source.recognizer is None:
            return content
        return _recognized(pdf, content, source, source.recognizer, ocr_ended)
    except (pypdfium2.PdfiumError, ValueError, OverflowError, MemoryError) as error:
        raise Unsupported.damaged(source_name, "PDF", error, url=source.url) from error
    finally:
        pdf.close()


def _read(pdf: Any, time_ended: threading.Event) -> _PdfContent:  # Any: pypdfium2 is optional
    from pypdfium2 import PdfiumError

    pages: list[_PageContent] = []
    pdf.init_forms()
    form = pdf.formenv.raw if pdf.formenv else None
    hidden, chars, pictures, count = 0, 0, False, len(pdf)
    file_count, stamp_count = 0, 0
    cut = ""
    for number in range(count):
        cut = _limit(number, chars, time_ended)
        if cut:
            break
        try:
            page = pdf[number]
            sheet = PdfPage(page)
        except PdfiumError:  # one damaged page does not spoil the others
            pages.append(_NO_PAGE)
            continue
        annotations = read_annotations(page, form)
        pages.append(_arranged(sheet.lines(MAX_CHARS - chars), annotations, sheet))
        file_count += annotations.file_count
        stamp_count += annotations.unread_count
        hidden += sheet.hidden + annotations.hidden
        pictures = pictures or pages[-1].is_picture
        chars += sheet.chars
    if not cut and chars > MAX_CHARS:
        cut = _limit(0, chars, time_ended)
    links = tuple(dict.fromkeys(link for page in pages for link in page.links))
    unread = _UnreadContent(_attached_files(pdf, file_count), stamp_count, pdf.get_formtype() == _DYNAMIC_XFA)
    return _PdfContent(pages, pdf.get_metadata_dict(), count, hidden, pictures, links, cut, unread)


def _attached_files(pdf: Any, pinned_count: int) -> tuple[str, ...]:  # Any: pypdfium2 is optional
    """Return the names of the files that are attached to a PDF; those that are pinned to pages have none."""
    names = [pdf.get_attachment(number).get_name() for number in range(min(pdf.count_attachments(), _MAX_FILES))]
    return (*names, *[""] * pinned_count)


def _recognized(
    pdf: Any,  # Any: pypdfium2 is optional
    content: _PdfContent,
    source: Source,
    recognizer: TextRecognizer,
    ocr_ended: threading.Event,
) -> _PdfContent:
    """Return the content with the recognised text of the pages that are pictures."""
    pages = list(content.pages)
    problem = ""
    count = 0
    for number, page in enumerate(pages):
        if not page.is_picture and not page.is_garbled:
            continue
        if count >= source.ocr.max_pages:
            problem = f"the limit of {source.ocr.max_pages} pages (extract.ocr_max_pages)"
        elif ocr_ended.is_set():
            problem = "the time for text recognition ended (extract.timeout_s)"
        if problem:
            break
        count += 1
        recognition = recognizer.recognize(_rendered(pdf[number]), dpi=_OCR_DPI, stop=ocr_ended)
        problem = recognition.problem
        text = ocr.recognized_page(recognition.words)
        if text.blocks:
            pages[number] = page._replace(recognized=text)
    return content._replace(pages=pages, ocr_problem=problem)


def _rendered(page: Any) -> bytes:  # Any: pypdfium2 is optional
    """Render a page as a grey picture (PGM), in the form for printing."""
    width, height = page.get_size()
    scale = min(_OCR_DPI / 72, math.sqrt(_MAX_OCR_PIXELS / max(width * height, 1)))
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        samples: bytes = bitmap.to_numpy()[:, : bitmap.width].tobytes()
        return b"P5 %d %d 255\n" % (bitmap.width, bitmap.height) + samples
    finally:
        bitmap.close()


def _arranged(runs: Sequence[TextLine], annotations: Annotations, sheet: PdfPage) -> _PageContent:
    sizes = Counter(run.size for run in runs)
    size = sizes.most_common(1)[0][0] if sizes else _FIELD_SIZE
    pieces = arranged([*runs, *(run._replace(size=size) for run in annotations.runs)], sheet.rules)
    lines = []
    for piece in pieces:
        lines.extend(piece.lines if isinstance(piece, PdfTable) else [piece])
    is_picture = _is_picture(sheet.survey, sum(len(line.text) for line in lines))
    return _PageContent(pieces, lines, annotations.notes, annotations.links, is_picture, sheet.is_garbled)


def _is_picture(survey: Survey, chars: int) -> bool:
    """Tell whether a page is a scan, or text drawn as shapes: pictures without text, or with a stamp alone."""
    if chars == 0:
        return survey.has_picture or survey.path_count >= _MANY_SHAPES
    return survey.picture_share > _SCAN_SHARE and chars < _STAMP_CHARS


def _limit(page_count: int, chars: int, time_ended: threading.Event) -> str:
    """Return the limit that ends reading after this many pages, or an empty text."""
    if page_count >= MAX_PAGES:
        return f"the limit of {MAX_PAGES:,} pages"
    if chars >= MAX_CHARS:
        return f"the limit of {MAX_CHARS:,} characters"
    if page_count and time_ended.is_set():
        return "the time for reading ended (`extract.timeout_s`)"
    return ""


# --------------------------------------------------------------------------------- from lines to a document


def _document(pages: Sequence[_PageContent], *, keep_all: bool) -> tuple[Iterator[Block], int]:
    """Return the blocks of all pages, and the number of running heads and feet that were left out."""
    lines = [page.lines for page in pages]
    body, levels = line_blocks.sizes(lines)
    heads: list[set[int]] = [set() for _ in pages]
    if not keep_all:
        heads = running_heads(lines, list(map(_in_tables, pages)), body, body * line_blocks.LARGE_FACTOR)
    words = FileWords(row.text for page_lines in lines for row in page_lines)
    has_code = code_lines.has_code(row for page_lines in lines for row in page_lines)
    typesetting = line_blocks.Typesetting(body, levels, words, _labels(pages, heads, body, has_code=has_code), has_code)
    blocks = item_labels.with_lists(_blocks(pages, heads, typesetting, keep_notes=keep_all))
    return blocks, sum(map(len, heads))


def _labels(
    pages: Sequence[_PageContent], heads: Sequence[set[int]], body: float, *, has_code: bool
) -> dict[int, item_labels.ItemLabel]:
    """Return the labels of items, by the identity (`id()`) of their line."""
    lines = [
        piece
        for page, page_heads in zip(pages, heads, strict=True)
        for piece in _remaining(page, page_heads)
        if not isinstance(piece, PdfTable) and not (has_code and piece.is_fixed)
    ]
    return item_labels.labels(lines, body * line_blocks.HEADING_FACTOR)


def _remaining(page: _PageContent, page_heads: set[int]) -> list[TextLine | PdfTable]:
    """Return the pieces of a page without its running heads and feet."""
    left_out = {id(page.lines[index]) for index in page_heads}
    return [piece for piece in page.pieces if id(piece) not in left_out]


def _in_tables(page: _PageContent) -> set[int]:
    """Return the positions of the lines that became rows of tables."""
    outside_tables = {id(piece) for piece in page.pieces}
    return {index for index, row in enumerate(page.lines) if id(row) not in outside_tables}


def _blocks(
    pages: Sequence[_PageContent], heads: Sequence[set[int]], typesetting: line_blocks.Typesetting, *, keep_notes: bool
) -> Iterator[Block | item_labels.PlacedItem]:
    for number, (page, page_heads) in enumerate(zip(pages, heads, strict=True), start=1):
        remaining = _remaining(page, page_heads)
        if typesetting.has_code:
            remaining = list(code_lines.without_tables_of_code(remaining))
        if page.recognized is not None:
            remaining = []  # a stamp or a page number: it is recognised with the page
        if (remaining or page.recognized) and len(pages) > 1:
            yield Block(Kind.PARAGRAPH, (Span(f"Page {number}", Style.EM),))
        for table, pieces in groupby(remaining, key=lambda piece: isinstance(piece, PdfTable)):
            if table:
                yield from (_table(piece, typesetting) for piece in pieces if isinstance(piece, PdfTable))
            else:
                yield from line_blocks.prose(
                    [piece for piece in pieces if not isinstance(piece, PdfTable)], typesetting
                )
        if page.recognized is not None:
            yield from page.recognized.blocks
        if keep_notes:
            yield from _notes(page.notes)


def _notes(notes: Sequence[str]) -> Iterator[Block]:
    for note in notes:
        text = on_one_line(note)
        if text:
            yield Block(Kind.PARAGRAPH, (Span(f"Note: {text}"),))


def _table(table: PdfTable, typesetting: line_blocks.Typesetting) -> Block:
    cells = [[typesetting.words.joined([text]) for text in row] for row in table.rows]
    rows = ([Block(Kind.CELL, (Span(text),) if text else ()) for text in row] for row in cells)
    return Block(Kind.TABLE, children=tuple(Block(Kind.ROW, children=tuple(row)) for row in rows))


def _metadata(properties: dict[str, str], document: Sequence[Block]) -> Metadata:
    title = line(properties.get("Title"))
    if title is None or _SOFTWARE_TITLE.match(title) or re.search(r"\.\w{2,4}$", title):
        tops = (block.spans[0].text for block in document[:20] if block.kind is Kind.HEADING)
        title = line(next(tops, None)) or title
    author = line(properties.get("Author"))
    published = _date(properties.get("CreationDate"))
    return Metadata(
        title=title,
        byline=author,
        author=author,
        description=line(properties.get("Subject")),
        published_date=published,
        published_source="meta" if published else None,
        modified_date=_date(properties.get("ModDate")),
    )


def _date(stamp: str | None) -> str | None:
    """Read a PDF date (ISO 32000-1 section 7.9.4): `D:20240131120000+02'00'`."""
    match = re.match(r"(?:D:)?(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d)?(Z|[+-]\d\d)?'?(\d\d)?)?", stamp or "")
    if match is None:
        return None
    year, month, day, hour, minute, second, zone, zone_minutes = match.groups()
    timestamp = f"{year}-{month}-{day}"
    if hour:
        timestamp += f"T{hour}:{minute}:{second or '00'}{zone or ''}"
        if zone and zone != "Z":
            timestamp += f":{zone_minutes or '00'}"
    return iso(timestamp)


def _notices(content: _PdfContent, head_count: int, source: Source) -> tuple[Notice, ...]:
    notices = []
    keeps_notes = source.mode == "recall"
    if content.hidden:
        notices.append(Notice("hidden_text", "characters that the pages do not show were left out", content.hidden))
    if head_count:
        detail = "lines at the edges of the pages that repeat from page to page were left out; mode `recall` keeps them"
        notices.append(Notice("running_heads_left_out", detail, head_count))
    notices += _picture_notices(content, source)
    note_count = sum(len(page.notes) for page in content.pages)
    if note_count and not keeps_notes:
        detail = "annotations were left out; mode `recall` keeps them"
        notices.append(Notice("notes_left_out", detail, note_count))
    notices += _unread_notices(content.unread)
    unread_count = content.total - len(content.pages)
    if unread_count or content.cut:
        detail = f"the first {len(content.pages)} of {content.total} pages were read, until {content.cut}"
        notices.append(Notice("pages_cut", detail, max(1, unread_count)))
    return tuple(notices)


def _unread_notices(unread: _UnreadContent) -> Iterator[Notice]:
    if unread.files:
        names = ", ".join(filter(None, unread.files[:_MAX_NAMED]))
        detail = f"files that are attached to the PDF were not opened{': ' + names if names else ''}"
        yield Notice("attachments_left_out", without_invisible(detail)[0], len(unread.files))
    if unread.stamp_count:
        detail = "stamps with drawn words instead of text"
        yield Notice("objects_left_out", detail, unread.stamp_count)
    if unread.has_xfa_form:
        detail = "a dynamic XFA form; open it in Adobe Reader and print it to a PDF"
        yield Notice("objects_left_out", detail, 1)


def _picture_notices(content: _PdfContent, source: Source) -> Iterator[Notice]:
    """Yield the notices of recognised pages, and of pages that are still pictures."""
    recognized = {number: page.recognized for number, page in enumerate(content.pages, start=1) if page.recognized}
    if recognized:
        yield from ocr.ocr_notices(list(recognized.values()), _named_pages(list(recognized)), source.ocr)
    garbled = [number for number, page in enumerate(content.pages, start=1) if page.is_garbled and not page.recognized]
    if garbled:
        detail = f"on {_named_pages(garbled)} of {content.total} the fonts do not declare their letters"
        yield Notice("garbled_text", f"{detail}; {_ocr_hint(content, source)}", len(garbled))
    pictures = [number for number, page in enumerate(content.pages, start=1) if page.is_picture and not page.recognized]
    if not pictures:
        return
    detail = f"{_named_pages(pictures)} of {content.total} have pictures without text; {_ocr_hint(content, source)}"
    yield Notice("pages_without_text", detail, len(pictures))


def _ocr_hint(content: _PdfContent, source: Source) -> str:
    if source.recognizer is None:
        return ocr.hint_without_recognizer(source.ocr)
    return content.ocr_problem or "text recognition (OCR) found none"


def _named_pages(numbers: Sequence[int]) -> str:
    if len(numbers) > 1:
        return f"pages {_ranges(numbers)}"
    return f"page {_ranges(numbers)}"


def _ranges(numbers: Sequence[int]) -> str:
    """Return ascending numbers as text: '2-3, 5'."""
    parts: list[list[int]] = []
    for number in numbers:
        if parts and number == parts[-1][-1] + 1:
            parts[-1][1:] = [number]
        else:
            parts.append([number])
    ranges = ["-".join(map(str, part)) for part in parts[:_MAX_NAMED]]
    return ", ".join(ranges) + (", ..." if len(parts) > _MAX_NAMED else "")
