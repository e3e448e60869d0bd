"""OpenDocument files (ODF 1.3, ISO/IEC 26300): texts, spreadsheets, presentations and drawings, packed or as flat XML.

Spreadsheets become a heading and a table for each sheet, with the values as shown; presentations a section for each
slide.
"""

from __future__ import annotations

from dataclasses import replace
from html import escape
from typing import TYPE_CHECKING, Final
from xml.etree.ElementTree import Element, ParseError

from wellread.documents.ooxml import local_name
from wellread.documents.opendocument.forms import control_texts
from wellread.documents.opendocument.slides import SlideReader
from wellread.documents.opendocument.styles import Attributes, OdfStyles, TextProperties, TextState
from wellread.documents.opendocument.text_reader import MAX_PIECES, BodyReader
from wellread.errors import Empty, UnreadableError, Unsupported
from wellread.extraction import html_fragment, unread_parts
from wellread.extractor_types import MEDIA_TYPES
from wellread.hidden_text import HiddenReason, hidden_notices
from wellread.metadata import office_properties
from wellread.metadata.cleaning import line
from wellread.net.xml_tree import parse_xml
from wellread.net.zip_reader import ZipReader, resolve_reference
from wellread.text.counts import count_of
from wellread.types import Block, Extraction, Kind, Notice, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.types import Metadata, Source

KIND: Final = "OpenDocument file"
MAX_XML_BYTES: Final = 40_000_000
"""Of the content, and of the styles."""
MAX_ELEMENTS: Final = 400_000
MAX_FORMULA_BYTES: Final = 200_000
MAX_FORMULA_ELEMENTS: Final = 5_000
MAX_SHEETS: Final = 200

_MATH: Final = int(Style.MATH)


class OpenDocumentExtractor:
    """Reads OpenDocument texts, spreadsheets, presentations and drawings."""

    name = "opendocument"
    media_types = MEDIA_TYPES["opendocument"]

    def extract(self, source: Source) -> Extraction:
        """Read a file into blocks: headings, lists, tables, links, notes, formulas; sheets; slides.

        Raises:
            Unsupported: it is damaged, declares entities or is locked with a password.
            Empty: it has no text.
            TooLarge: it holds too many files.
        """
        source_name = source.url or "the document"
        try:
            file = _OpenDocument(source, source_name)
            blocks = file.read()
        except ParseError as error:
            raise Unsupported.damaged(source_name, KIND, error, url=source.url) from error
        if not blocks:
            raise Empty(
                f"{source_name} has no text", url=source.url, hint="the document may have only pictures of text"
            )
        metadata = file.metadata()
        if not metadata.title and file.kind != "spreadsheet":
            metadata = replace(metadata, title=_first_heading(blocks))
        return Extraction(
            document=tuple(blocks),
            metadata=metadata,
            method=self.name,
            links=tuple(dict.fromkeys(file.body.links)),
            notices=tuple(file.notices()),
            source_chars=file.source_chars,
        )


class _OpenDocument:
    """An OpenDocument file while it is read."""

    def __init__(self, source: Source, source_name: str) -> None:
        """Parse the parts of the file.

        Raises:
            Unsupported, TooLarge: as `OpenDocumentExtractor.extract`.
            ParseError: the content is no XML.
        """
        self._archive: ZipReader | None = None
        self._is_cut = False
        self.source_chars = 0
        if not source.body.startswith(b"PK"):
            self._roots = [self._parsed(source.body, is_cut=False)]
        else:
            self._archive = ZipReader(source.body, source_name, KIND)
            _refuse_locked(self._archive, source_name)
            content = self._part("content.xml")
            if content is None:
                raise ParseError("it has no content.xml")
            self._roots = [content, *filter(None, (self._part("styles.xml"), self._part("meta.xml")))]
        styles = OdfStyles(self._roots)
        self._content = _body(self._roots[0])
        self.kind = local_name(self._content.tag)
        self._sheets_left_out = 0
        self._keeps_all = source.mode == "recall"
        self.body = BodyReader(
            styles,
            formula=self._formula,
            controls=control_texts(self._content),
            keeps_all=self._keeps_all,
            max_rows=source.max_rows,
        )
        self._slides: SlideReader | None = None
        self._running_heads = 0

    def _part(self, name: str) -> Element | None:
        if self._archive is None or (file := self._archive.read(name, MAX_XML_BYTES)) is None:
            return None
        return self._parsed(file.content, is_cut=file.is_cut)

    def _parsed(self, content: bytes, *, is_cut: bool) -> Element:
        tree = parse_xml(content, max_elements=MAX_ELEMENTS, is_cut=is_cut)
        self._is_cut |= tree.is_cut or bool(tree.damage)
        self.source_chars += len(content)
        return tree.root

    def read(self) -> list[Block]:
        """Return the blocks of the file."""
        if self.kind == "spreadsheet":
            blocks = self._read_sheets(self._content)
        elif self.kind in {"presentation", "drawing"}:
            noun = "Slide" if self.kind == "presentation" else "Page"
            self._slides = SlideReader(self.body, self._master_pages(), noun)
            blocks = self._slides.blocks(part for part in self._content if local_name(part.tag) == "page")
        else:
            look = TextProperties(is_painted=self.body.styles.is_page_painted or None)
            blocks = self.body.blocks(self._content, TextState(look=look))
            blocks.extend(self._read_running_heads())
        return [*blocks, *self.body.notes]

    def _read_sheets(self, content: Element) -> list[Block]:
        blocks: list[Block] = []
        sheets = [part for part in content if local_name(part.tag) == "table"]
        self._sheets_left_out = max(len(sheets) - MAX_SHEETS, 0)
        for sheet in sheets[:MAX_SHEETS]:
            attributes = Attributes(sheet)
            if self.body.styles.is_hidden_table(attributes.get("style-name")):
                self.body.count_hidden(HiddenReason.HIDDEN_SHEET, sheet)
                continue
            table = self.body.tables.sheet(sheet, TextState())
            shapes = [shape for group in sheet if local_name(group.tag) == "shapes" for shape in group]
            floating = self.body.blocks(shapes, TextState())
            if table is not None or floating:
                name = line(attributes.get("name")) or "Sheet"
                blocks.append(Block(Kind.HEADING, (Span(name),), level=2))
                blocks.extend(block for block in (table, *floating) if block is not None)
        return blocks

    def _master_pages(self) -> dict[str, Element]:
        groups = (group for root in self._roots for group in root if local_name(group.tag) == "master-styles")
        return {Attributes(page).get("name"): page for group in groups for page in group}

    def _read_running_heads(self) -> list[Block]:
        """Count the headers and footers of pages that have text; return them in mode `recall`."""
        heads = [
            part
            for page in self._master_pages().values()
            for part in page
            if local_name(part.tag).startswith(("header", "footer")) and any(text.strip() for text in part.itertext())
        ]
        self._running_heads = len(heads)
        if not self._keeps_all:
            return []
        return [block for head in heads for block in self.body.blocks(head, TextState())]

    def _formula(self, element: Element) -> Span | None:
        """Return the formula of a `draw:object` (MathML) as TeX; None where the object is no formula."""
        math = next((part for part in element.iter() if local_name(part.tag) == "math"), None)
        href = Attributes(element).get("href")
        if math is None and href:
            math = self._formula_file(resolve_reference("", f"{href}/content.xml"))
        if math is None:
            return None
        try:
            text = html_fragment.read(f"<p>{_html(math)}</p>", None)
        except UnreadableError:
            return None
        spans = [span for block in text.document for span in block.spans]
        formula_text = "".join(span.text for span in spans)
        if any(span.style & _MATH for span in spans):
            return Span(formula_text, _MATH)
        return Span(formula_text)  # a single letter or number

    def _formula_file(self, name: str) -> Element | None:
        if self._archive is None or (file := self._archive.read(name, MAX_FORMULA_BYTES)) is None:
            return None
        try:
            root = parse_xml(file.content, max_elements=MAX_FORMULA_ELEMENTS).root
        except ParseError:
            return None
        if local_name(root.tag) != "math":
            return None
        return root

    def metadata(self) -> Metadata:
        """Return the metadata of meta.xml (ODF 1.3 part 3, section 4)."""
        fields: dict[str, str] = {}
        for root in self._roots:
            for meta in (part for part in root.iter() if local_name(part.tag) == "meta" and len(part)):
                for part in meta:
                    fields.setdefault(local_name(part.tag), part.text or "")
        properties = {
            "title": fields.get("title", ""),
            "creator": fields.get("initial-creator") or fields.get("creator", ""),
            "description": fields.get("description", ""),
            "subject": fields.get("subject", ""),
            "created": fields.get("creation-date", ""),
            "modified": fields.get("date", ""),
            "language": fields.get("language", ""),
        }
        return office_properties.read({name: text for name, text in properties.items() if text})

    def notices(self) -> Iterator[Notice]:
        """Yield the notices of omitted content."""
        body = self.body
        yield from hidden_notices(body.hidden)
        if body.invisible_count:
            yield Notice("invisible_characters", "invisible characters were removed", body.invisible_count)
        yield from unread_parts.notices(body.unread)
        note_count = body.comment_count
        if self._slides is not None:
            note_count += self._slides.note_count
        if note_count and not self._keeps_all:
            yield Notice("notes_left_out", "comments and speaker's notes are not in the text", note_count)
        if self._running_heads and not self._keeps_all:
            detail = "headers and footers of pages are not in the text"
            yield Notice("running_heads_left_out", detail, self._running_heads)
        if body.contents_count:
            yield Notice("contents_left_out", "the table of contents is not in the text", body.contents_count)
        if self._slides is not None and self._slides.pages_without_text:
            detail = "slides are pictures without text"
            yield Notice("pages_without_text", detail, self._slides.pages_without_text)
        yield from self._cuts()

    def _cuts(self) -> Iterator[Notice]:
        tables = self.body.tables
        if tables.rows_left_out or tables.columns_left_out:
            cells = count_of(tables.columns_left_out, "cell")
            detail = f"beyond the limits and not shown: {count_of(tables.rows_left_out, 'row')} and {cells}"
            yield Notice("rows_cut", detail, tables.rows_left_out + tables.columns_left_out)
        if self._sheets_left_out:
            yield Notice("rows_cut", f"only the first {MAX_SHEETS} sheets are shown", self._sheets_left_out)
        if self._is_cut or self.body.is_cut:
            limits = f"at most {MAX_ELEMENTS:,} elements and {MAX_PIECES:,} pieces are read, up to the first damage"
            yield Notice("pages_cut", f"the text ends early or has gaps: {limits}")


def _refuse_locked(archive: ZipReader, source_name: str) -> None:
    """Refuse a file that is encrypted (ODF 1.3 part 2, section 3.4), as a whole or in parts.

    Raises:
        Unsupported: it is encrypted.
    """
    file = archive.read("META-INF/manifest.xml", MAX_XML_BYTES)
    if file is None:
        return
    try:
        root = parse_xml(file.content, max_elements=MAX_ELEMENTS, is_cut=file.is_cut).root
    except ParseError:
        return
    for entry in (part for part in root.iter() if local_name(part.tag) == "file-entry"):
        is_locked = any(local_name(part.tag) == "encryption-data" for part in entry)
        if is_locked and Attributes(entry).get("full-path") in {"content.xml", "encrypted-package"}:
            hint = "ask for a copy without a password"
            raise Unsupported(f"{source_name} is an OpenDocument file locked with a password", hint=hint)


def _body(root: Element) -> Element:
    """Return the element of the content: `office:text`, `office:spreadsheet`, ...; an empty one where there is none."""
    bodies = (part for part in root if local_name(part.tag) == "body")
    return next((part for body in bodies for part in body), Element("text"))


def _html(element: Element) -> str:
    """Return MathML as HTML, without prefixes."""
    name = local_name(element.tag)
    if not name.isalnum() and name != "annotation-xml":
        return ""
    attributes = "".join(f' {local_name(key)}="{escape(text)}"' for key, text in element.items())
    inside = "".join(f"{_html(child)}{escape(child.tail or '', quote=False)}" for child in element)
    return f"<{name}{attributes}>{escape(element.text or '', quote=False)}{inside}</{name}>"


def _first_heading(blocks: list[Block]) -> str | None:
    headings = (block for block in blocks if block.kind is Kind.HEADING)
    return next((line("".join(span.text for span in heading.spans)) for heading in headings), None)
