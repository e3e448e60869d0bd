"""Read tables of OpenDocument files (ODF 1.3 part 3, section 9): repeated rows and cells are bounded.

A few bytes of `table:number-rows-repeated` may declare a million rows. Only rows and columns with content are built.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from wellread.documents.ooxml import local_name
from wellread.documents.opendocument.styles import Attributes
from wellread.hidden_text import HiddenReason
from wellread.types import Block, Kind, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from xml.etree.ElementTree import Element

    from wellread.documents.opendocument.styles import OdfStyles, TextState

MAX_COLUMNS: Final = 100
MAX_LONG_CELL: Final = 1_500
"""Characters; a table with a longer cell lays out a page, as in HTML."""
MAX_REPEATED: Final = 1_100_000
"""Rows or columns; LibreOffice has 1,048,576 rows."""

_CELLS: Final = frozenset({"table-cell", "covered-table-cell"})
_ROW_GROUPS: Final = frozenset({"table-header-rows", "table-rows", "table-row-group"})
_COLUMN_GROUPS: Final = frozenset({"table-header-columns", "table-columns", "table-column-group"})


class _OdfRow(NamedTuple):
    element: Element
    is_header: bool
    is_hidden: bool


class TextReader(Protocol):
    """Reads the text of cells, and counts omitted content."""

    styles: OdfStyles
    pieces_left: int

    def blocks(self, elements: Iterable[Element], state: TextState) -> list[Block]:
        """Return the blocks of elements."""

    def plain_spans(self, element: Element, state: TextState) -> tuple[Span, ...]:
        """Return the spans of a paragraph."""

    def count_hidden(self, reason: str, element: Element) -> None:
        """Count an element that is left out, if it has text."""


class TableReader:
    """Reads tables with a text reader."""

    def __init__(self, body: TextReader, max_rows: int) -> None:
        self.rows_left_out = self.columns_left_out = 0
        self._is_sheet = False
        self._body = body
        self._max_rows = max_rows

    def blocks(self, element: Element, state: TextState) -> list[Block]:
        """Return a table of a text: as a table, or as its contents where it is a layout table."""
        contents: list[Block] = []
        rows = self._grid(element, state, contents)
        is_long = any(_char_count(cell.spans) > MAX_LONG_CELL for row in rows for cell in row)
        width = max((sum(bool(cell.spans) for cell in row) for row in rows), default=0)
        if width < 2 or is_long or any(block.kind in {Kind.TABLE, Kind.CODE} for block in contents):
            return contents
        return [Block(Kind.TABLE, children=tuple(_trimmed(rows)))]

    def sheet(self, element: Element, state: TextState) -> Block | None:
        """Return a sheet as a table; None where it is empty."""
        self._is_sheet = True
        rows = self._grid(element, state, [])
        self._is_sheet = False
        if rows and not any(cell.level for row in rows for cell in row):
            rows = _with_header(rows)
        if not rows:
            return None
        return Block(Kind.TABLE, children=tuple(_trimmed(rows)))

    def _grid(self, element: Element, state: TextState, contents: list[Block]) -> list[list[Block]]:
        """Return the rows with content; the blocks of all cells are added to `contents`."""
        hidden_columns = self._hidden_columns(element)
        rows: list[list[Block]] = []
        for row in _rows(element, is_header=False, is_hidden=False):
            if row.is_hidden or self._is_hidden(row.element, "table-row"):
                self._body.count_hidden(HiddenReason.HIDDEN_ROW, row.element)
                continue
            repeated = _repeated(row.element, "number-rows-repeated")
            room = self._max_rows - len(rows)
            if room <= 0 or self._body.pieces_left <= 0:
                self.rows_left_out += repeated * _has_content(row.element)
                continue
            cells = self._cells(row, state, hidden_columns, contents)
            if not any(cell.spans for cell in cells):
                continue
            copies = max(min(repeated, room, self._body.pieces_left // (2 * len(cells))), 1)
            self.rows_left_out += repeated - copies
            self._body.pieces_left -= copies * sum(1 + len(cell.spans) for cell in cells)
            rows.extend([cells] * copies)
        return rows

    def _cells(self, row: _OdfRow, state: TextState, hidden_columns: set[int], contents: list[Block]) -> list[Block]:
        cells: list[Block] = []
        filled = 0
        for element in row.element:
            if local_name(element.tag) not in _CELLS:
                continue
            repeated = _repeated(element, "number-columns-repeated")
            room = MAX_COLUMNS - len(cells)
            is_empty = not _has_content(element)
            if room <= 0:
                self.columns_left_out += not is_empty
                continue
            columns = range(len(cells), len(cells) + min(repeated, room))
            is_visible = any(column not in hidden_columns for column in columns)
            if not is_visible:
                self._body.count_hidden(HiddenReason.HIDDEN_COLUMN, element)
            empty = filled_cell = Block(Kind.CELL, level=int(row.is_header))
            if is_visible and not is_empty:
                filled_cell = empty._replace(spans=self._spans(element, state, contents))
            for column in columns:
                cells.append(empty if column in hidden_columns else filled_cell)
                if cells[-1].spans:
                    filled = len(cells)
        return cells[:filled]

    def _spans(self, element: Element, state: TextState, contents: list[Block]) -> tuple[Span, ...]:
        """Return the text of a cell in one line or several; a cell without text shows its value."""
        look = self._body.styles.look("table-cell", Attributes(element).get("style-name"))
        state = state._replace(look=look.over(state.look))
        if self._is_sheet and len(element) == 1 and not len(element[0]) and local_name(element[0].tag) == "p":
            return self._body.plain_spans(element[0], state)  # nearly all cells are so
        pieces = self._body.pieces_left
        blocks = self._body.blocks(element, state)
        self._body.pieces_left = pieces  # the copies of the cell are counted
        contents.extend(blocks)
        spans = _cell_spans(blocks)
        if not spans and not any(local_name(part.tag) in {"p", "h", "list", "table"} for part in element):
            text = _value(Attributes(element))
            if text:
                return (Span(text),)
        return spans

    def _is_hidden(self, element: Element, family: str) -> bool:
        attributes = Attributes(element)
        if attributes.get("visibility") in {"collapse", "filter"}:
            return True
        # Elsewhere the height of a row is a minimum, and may be zero.
        return self._is_sheet and self._body.styles.is_collapsed(family, attributes.get("style-name"))

    def _hidden_columns(self, element: Element) -> set[int]:
        """Return the columns that are hidden, counted from 0."""
        hidden: set[int] = set()
        index = 0
        for column, is_hidden_group in _columns(element, is_hidden=False):
            repeated = _repeated(column, "number-columns-repeated")
            if is_hidden_group or self._is_hidden(column, "table-column"):
                hidden.update(range(index, min(index + repeated, MAX_COLUMNS)))
            index += repeated
        return hidden


def _rows(element: Element, *, is_header: bool, is_hidden: bool) -> Iterator[_OdfRow]:
    for child in element:
        name = local_name(child.tag)
        if name == "table-row":
            yield _OdfRow(child, is_header, is_hidden)
        elif name in _ROW_GROUPS:
            hides = Attributes(child).get("display") == "false"
            yield from _rows(child, is_header=is_header or name == "table-header-rows", is_hidden=is_hidden or hides)


def _columns(element: Element, *, is_hidden: bool) -> Iterator[tuple[Element, bool]]:
    for child in element:
        name = local_name(child.tag)
        if name == "table-column":
            yield child, is_hidden
        elif name in _COLUMN_GROUPS:
            yield from _columns(child, is_hidden=is_hidden or Attributes(child).get("display") == "false")


def _repeated(element: Element, name: str) -> int:
    return min(max(Attributes(element).whole(name, 1), 1), MAX_REPEATED)


def _has_content(element: Element) -> bool:
    """Tell whether a cell, or a row, holds anything: text, a shape, a value."""
    return any(
        (part.text and part.text.strip())
        or local_name(part.tag) in {"frame", "image", "object", "control"}
        or _value(Attributes(part))
        for part in element.iter()
    )


def _value(attributes: Attributes) -> str:
    """Return the value of a cell without text."""
    for name in ("string-value", "date-value", "time-value"):
        if text := attributes.get(name):
            return text[:5_000]
    if attributes.get("value-type") == "boolean":
        return attributes.get("boolean-value").upper()
    if not attributes.get("value-type"):
        return ""
    return attributes.get("value")[:100]


def _cell_spans(blocks: Iterable[Block]) -> tuple[Span, ...]:
    """Return the text of blocks, each on a line of its own."""
    spans: list[Span] = []
    stack = list(blocks)[::-1]
    while stack:
        block = stack.pop()
        if block.spans:
            spans.extend((Span("\n"), *block.spans))
        stack.extend(reversed(block.children))
    return tuple(spans[1:])


def _char_count(spans: Iterable[Span]) -> int:
    return sum(len(span.text) for span in spans)


def _with_header(rows: Sequence[list[Block]]) -> list[list[Block]]:
    """Return the rows with the first as the header, if nothing in it is a number."""
    texts = ("".join(span.text for span in cell.spans) for cell in rows[0])
    if len(rows) < 2 or any(text[:1].isdecimal() or text[1:2].isdecimal() for text in texts):
        return [*rows]
    return [[cell._replace(level=1) for cell in rows[0]], *rows[1:]]


def _trimmed(rows: Sequence[list[Block]]) -> list[Block]:
    """Return the rows without columns that are empty in all of them, each as wide as the widest."""
    filled = sorted({index for row in rows for index, cell in enumerate(row) if cell.spans})
    trimmed = []
    for row in rows:
        cells = [row[column] for column in filled if column < len(row)]
        empty = Block(Kind.CELL, level=row[0].level)
        trimmed.append(Block(Kind.ROW, children=(*cells, *[empty] * (len(filled) - len(cells)))))
    return trimmed
