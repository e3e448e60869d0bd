"""Workbooks: a heading for each sheet, its tables, and the text of its shapes; each cell as Excel shows it.

Hidden sheets, rows, columns and cells are left out and counted. Nothing outside the file is opened, and nothing is
calculated: a formula without a stored value is shown as the formula.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple
from xml.etree.ElementTree import ParseError

from ada_url import URL

from wellread.documents import drawingml, ooxml
from wellread.documents.ooxml import local_name
from wellread.documents.xlsx import cell_annotations, sheet_tables, worksheet
from wellread.documents.xlsx.cell_styles import CellStyles
from wellread.documents.xlsx.part_parser import is_true
from wellread.documents.xlsx.references import cell_range
from wellread.documents.xlsx.sheet_tables import DeclaredTable, Region
from wellread.documents.xlsx.strings import SharedStrings
from wellread.documents.xlsx.worksheet import MAX_COLUMNS, SheetContent, Workbook
from wellread.errors import Empty, Unsupported
from wellread.extraction import unread_parts
from wellread.extractor_types import MEDIA_TYPES
from wellread.hidden_text import HiddenReason, hidden_notices
from wellread.metadata import office_properties
from wellread.text.characters import without_invisible
from wellread.types import Block, Extraction, Kind, Notice, Span

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from xml.etree.ElementTree import Element

    from wellread.documents.xlsx.cell_annotations import Comment
    from wellread.types import Mode, Source

KIND: Final = "Excel workbook"
MAX_SHEETS: Final = 100
MAX_TABLES: Final = 1_000
"""Declared tables of a sheet."""

_LINKED_CELLS: Final = 10_000
"""Cells of a sheet that get the link of a range."""


class XlsxExtractor:
    """Reads workbooks (xlsx, xlsm, xltx, xltm)."""

    name = "xlsx"
    media_types = MEDIA_TYPES["xlsx"]

    def extract(self, source: Source) -> Extraction:
        """Read a workbook into a heading and tables for each sheet.

        Raises:
            Unsupported: it is damaged, encrypted, or in the binary format (xlsb).
            Empty: no visible cell has content.
            TooLarge: it is made of too many parts.
        """
        source_name = source.url or "the workbook"
        package = ooxml.open_package(source.body, source_name, KIND)
        try:
            reader = _WorkbookReader(package, source)
            document = reader.read()
        except ParseError as error:
            raise Unsupported.damaged(source_name, KIND, error, url=source.url) from error
        if not document:
            raise Empty(f"{source_name} has no cell with a value", url=source.url, hint="")
        spans = list(_spans(document))
        return Extraction(
            document=document,
            metadata=office_properties.read(ooxml.core_properties(package)),
            method=self.name,
            links=tuple(dict.fromkeys(span.href for span in spans if span.href)),
            notices=tuple(reader.notices()),
            source_chars=sum(len(span.text) + 1 for span in spans),
        )


def _spans(blocks: Sequence[Block]) -> Iterator[Span]:
    for block in blocks:
        yield from block.spans
        for row in block.children:
            for cell in row.children:
                yield from cell.spans


class _ReadSheet(NamedTuple):
    """A visible sheet, and its part."""

    name: str
    number: int
    """Among all sheets, counted from 1: notices do not quote names."""
    part: str
    sheet: SheetContent


class _WorkbookReader:
    """A workbook while it is read."""

    def __init__(self, package: ooxml.OoxmlPackage, source: Source) -> None:
        self._package = package
        self._mode: Mode = source.mode
        self._part = _workbook_part(package, source)
        self._root = ooxml.parse_part(package.parts[self._part], part_cut=self._part in package.cut).root
        self._workbook = self._shared(source.max_rows)
        self._cut: list[str] = []
        self._rows_left_out = 0
        self._comments = self._charts = self._pictures = 0

    def _shared(self, max_rows: int) -> Workbook:
        """Read the parts that all sheets share: strings and styles."""
        package = self._package
        targets = {relation.kind: relation.target for relation in package.relations(self._part)}
        strings, styles = targets.get("sharedStrings", ""), targets.get("styles", "")
        properties = drawingml.child(self._root, "workbookPr")
        calculation = drawingml.child(self._root, "calcPr")
        return Workbook(
            strings=SharedStrings(package.parts.get(strings, b""), is_cut=strings in package.cut),
            styles=CellStyles(
                package.parts.get(styles, b""),
                is_cut=styles in package.cut,
                epoch_1904=properties is not None and is_true(properties.get("date1904")),
            ),
            max_rows=max_rows,
            keeps_zero_formulas=calculation is not None and is_true(calculation.get("fullCalcOnLoad")),
        )

    def read(self) -> tuple[Block, ...]:
        """Return the headings, tables and paragraphs."""
        sheets = list(self._sheets())
        self._uncalculated()
        return tuple(block for sheet in sheets for block in self._blocks(sheet))

    def _sheets(self) -> Iterator[_ReadSheet]:
        package = self._package
        targets = package.related(self._part)
        sheet_list = drawingml.child(self._root, "sheets")
        elements = [element for element in drawingml.children(sheet_list) if local_name(element.tag) == "sheet"]
        for number, element in enumerate(elements[:MAX_SHEETS], 1):
            part = targets.get(drawingml.attribute(element, "id"), "")
            if element.get("state", "visible") != "visible":
                self._workbook.hidden[HiddenReason.HIDDEN_SHEET] += 1
            elif part in package.parts:
                sheet = worksheet.read(package.parts[part], self._workbook, is_cut=part in package.cut)
                yield _ReadSheet(_name(element), number, part, sheet)
        if len(elements) > MAX_SHEETS:
            self._cut.append(f"{MAX_SHEETS} of {len(elements):,} sheets")

    def _uncalculated(self) -> None:
        """Show the formulas of a workbook in which all values are 0: they have never been calculated."""
        workbook = self._workbook
        if workbook.has_calculated:
            return
        for zero in workbook.zero_formulas:
            for index, cell in enumerate(zero.cells):
                if cell.column == zero.column:
                    zero.cells[index] = cell._replace(text=zero.formula, is_text=True)
                    workbook.formulas_without_value += 1

    # ---------------------------------------------------------------------------------------------- blocks

    def _blocks(self, read: _ReadSheet) -> list[Block]:
        blocks = list(self._tables(read)) if read.sheet.is_worksheet else []
        relations = self._package.related(read.part)
        ids = read.sheet.relation_ids.get("drawing", [])
        drawing = cell_annotations.drawing(self._package, (relations.get(id_, "") for id_ in ids))
        blocks.extend(_paragraph(text) for text in drawing.texts)
        blocks.extend(_paragraph(f"Chart: {title}") for title in drawing.chart_titles if title)
        self._charts += len(drawing.chart_titles)
        self._pictures += drawing.pictures
        comments = cell_annotations.comments(self._package, read.part)
        self._comments += len(comments)
        if self._mode == "recall":
            blocks.extend(_paragraph(_worded(comment)) for comment in comments)
        if not blocks:
            return []
        return [Block(Kind.HEADING, (Span(read.name),), level=2), *blocks]

    def _tables(self, read: _ReadSheet) -> Iterator[Block]:
        sheet = read.sheet
        rows, covered = sheet_tables.without_covered(sheet.rows, sheet.merged)
        if covered:
            self._workbook.hidden[HiddenReason.MERGED_CELL] += covered
        links = self._links(read)
        widest = sheet.widest
        for region in sheet_tables.regions(rows, self._declared(read)):
            widest = max(widest, _width(region))
            yield from sheet_tables.blocks(region, links)
        self._count_cut(read, widest)

    def _count_cut(self, read: _ReadSheet, widest: int) -> None:
        sheet = read.sheet
        left_out = sheet.row_count - len(sheet.rows)
        if sheet.is_cut:
            at_least = f"{sheet.row_count:,} or more" if left_out > 0 else "more"
            self._cut.append(f"{len(sheet.rows):,} of {at_least} rows of sheet {read.number}")
            self._rows_left_out += max(left_out, 1)
        elif left_out > 0:
            self._cut.append(f"{len(sheet.rows):,} of {sheet.row_count:,} rows of sheet {read.number}")
            self._rows_left_out += left_out
        if widest > MAX_COLUMNS:
            self._cut.append(f"{MAX_COLUMNS} of {widest:,} columns of sheet {read.number}")

    def _declared(self, read: _ReadSheet) -> Iterator[DeclaredTable]:
        """Yield the tables that the workbook declares."""
        targets = self._package.related(read.part)
        for id_ in read.sheet.relation_ids.get("tablePart", [])[:MAX_TABLES]:
            data = self._package.parts.get(targets.get(id_, ""))
            if data is None:
                continue
            table = ooxml.parse_part(data, most=1, part_cut=True).root
            cells = cell_range(table.get("ref", ""))
            if cells is not None:
                yield DeclaredTable(cells, table.get("headerRowCount", "1") != "0")

    def _links(self, read: _ReadSheet) -> dict[tuple[int, int], str]:
        """Return (row, column) -> address of the cells that link to the web."""
        links = {position: url for position, target in read.sheet.links.items() if (url := _web_address(target))}
        targets = self._package.related(read.part) if read.sheet.linked else {}
        budget = _LINKED_CELLS
        for cells, id_ in read.sheet.linked:
            url = _web_address(targets.get(id_))
            if url is None:
                continue
            for row in range(cells.top, min(cells.bottom, cells.top + budget) + 1):
                for column in range(cells.left, min(cells.right, cells.left + MAX_COLUMNS) + 1):
                    links[row, column] = url
                    budget -= 1
                if budget <= 0:
                    return links
        return links

    # --------------------------------------------------------------------------------------------- notices

    def notices(self) -> Iterator[Notice]:
        """Yield the notices of omitted content, and of content that text cannot show."""
        workbook = self._workbook
        yield from hidden_notices(workbook.hidden, "cells that readers cannot see were left out")
        if workbook.invisible_characters:
            detail = "invisible characters were removed"
            yield Notice("invisible_characters", detail, workbook.invisible_characters)
        if self._cut:
            detail = f"only the first are shown: {'; '.join(self._cut[:10])}; extract.max_rows is the limit of rows"
            yield Notice("rows_cut", detail, max(self._rows_left_out, 1))
        if workbook.missing_strings:
            detail = "cells are empty, because their texts are after the part of the workbook's texts that is read"
            yield Notice("cells_cut", detail, workbook.missing_strings)
        if workbook.formulas_without_value:
            detail = "formulas are shown in place of values, because the file has no calculated values"
            yield Notice("formulas_not_calculated", detail, workbook.formulas_without_value)
        if workbook.unread_formats:
            detail = "number formats could not be read, and numbers are shown without them"
            yield Notice("formats_not_applied", detail, len(workbook.unread_formats))
        yield from self._annotation_notices()

    def _annotation_notices(self) -> Iterator[Notice]:
        if self._comments and self._mode != "recall":
            detail = "comments on cells were left out; mode `recall` keeps them"
            yield Notice("comments_left_out", detail, self._comments)
        yield from unread_parts.notices({unread_parts.CHART: self._charts, unread_parts.PICTURE: self._pictures})


def _workbook_part(package: ooxml.OoxmlPackage, source: Source) -> str:
    """Return the name of the part that lists the sheets.

    Raises:
        Unsupported: there is none in XML.
    """
    targets = [relation.target for relation in package.relations("") if relation.kind == "officeDocument"]
    for part in (*targets, "xl/workbook.xml"):
        if part in package.parts:
            return part
    source_name = source.url or "the workbook"
    if any(target.endswith(".bin") for target in targets):
        message, hint = f"{source_name} is a workbook in the binary format of Excel (xlsb)", "save it as xlsx"
        raise Unsupported(message, url=source.url, hint=hint)
    raise Unsupported.damaged(source_name, KIND, "no part lists its sheets", url=source.url)


def _name(element: Element) -> str:
    name, _ = without_invisible(element.get("name", ""))
    return " ".join(name.split()) or "Sheet"


def _width(region: Region) -> int:
    return len({cell.column for row in region.rows for cell in row.cells})


def _paragraph(text: str) -> Block:
    return Block(Kind.PARAGRAPH, (Span(text),))


def _worded(comment: Comment) -> str:
    by = f" ({comment.author})" if comment.author else ""
    return f"Comment on {comment.reference or 'a cell'}{by}: {comment.text}"


def _web_address(target: str | None) -> str | None:
    """Return a web address, normalised; None for other targets."""
    try:
        url = URL(target or "")
    except ValueError:
        return None
    return url.href if url.protocol in {"http:", "https:"} else None
