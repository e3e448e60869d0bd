"""The tables of a sheet: a sheet may hold titles, several tables below and beside each other, and single notes.

Declared tables of the workbook are used. Other cells are divided at empty rows, and at an empty column where both
sides of it are tables of their own.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents.xlsx.worksheet import MAX_COLUMNS, SheetCell, SheetRow
from wellread.types import Block, Kind, Span

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wellread.documents.xlsx.references import Range

MAX_RANGE_ROWS: Final = 500_000
"""Rows that are examined for merged cells and for declared tables, all ranges together."""
MAX_SPLITS: Final = 6
"""Divisions at empty rows and columns within one another."""

MAX_BORDERS: Final = 20
"""Empty columns at which rows are divided."""

_PROSE_CHARS: Final = 60
"""A longer cell in a single column makes the column paragraphs."""
_YEARS: Final = range(1900, 2101)
_EMPTY: Final = Block(Kind.CELL)
_EMPTY_HEADER: Final = Block(Kind.CELL, level=1)


class DeclaredTable(NamedTuple):
    """A table that the workbook declares (ECMA-376 part 1, 18.5)."""

    cells: Range
    has_header: bool


@dataclass(slots=True)
class Region:
    """Neighbouring cells, as rows; a declared table sets whether its first row is a header."""

    rows: list[SheetRow]
    has_header: bool | None = None
    columns: set[int] = field(default_factory=set)
    """Of the rows added so far."""


def without_covered(rows: list[SheetRow], merged: Iterable[Range]) -> tuple[list[SheetRow], int]:
    """Return the rows without cells that a merged cell covers, and the number of these."""
    numbers = [row.number for row in rows]
    removed = 0
    budget = MAX_RANGE_ROWS
    changed = False
    for merged_cells in merged:
        first = bisect_left(numbers, merged_cells.top)
        last = bisect_left(numbers, merged_cells.bottom + 1)
        budget -= 1 + last - first
        if budget < 0:
            break
        for row in rows[first:last]:
            shown_column = merged_cells.left if row.number == merged_cells.top else 0
            cells = [
                cell
                for cell in row.cells
                if cell.column == shown_column or not merged_cells.left <= cell.column <= merged_cells.right
            ]
            if len(cells) < len(row.cells):
                removed += len(row.cells) - len(cells)
                row.cells[:] = cells
                changed = True
    return ([row for row in rows if row.cells] if changed else rows), removed


def regions(rows: list[SheetRow], declared: Iterable[DeclaredTable]) -> list[Region]:
    """Return the parts of a sheet in reading order: from top to bottom, then from left to right."""
    parts: list[Region] = []
    budget = MAX_RANGE_ROWS
    numbers = [row.number for row in rows]
    has_declared = False
    for table in declared:
        cells = table.cells
        first, last = bisect_left(numbers, cells.top), bisect_left(numbers, cells.bottom + 1)
        budget -= 1 + last - first
        if budget < 0:
            break
        table_rows = _part(rows[first:last], cells.left, cells.right + 1)
        if table_rows:
            has_header = table.has_header and table_rows[0].number == cells.top
            parts.append(Region(table_rows, has_header))
            has_declared = True
            for row in rows[first:last]:
                row.cells[:] = [cell for cell in row.cells if not cells.left <= cell.column <= cells.right]
    if has_declared:
        rows = [row for row in rows if row.cells]
    parts.extend(_split(rows, MAX_SPLITS))
    if has_declared:
        parts.sort(key=lambda part: (part.rows[0].number, part.rows[0].cells[0].column))
    return parts


def _split(rows: list[SheetRow], splits: int) -> list[Region]:
    """Divide rows at empty rows, then at empty columns."""
    parts: list[Region] = []
    for band in _bands(rows):
        groups = _groups(band) if splits else [band]
        if len(groups) > 1:
            for group in groups:
                parts.extend(_split(group, splits - 1))
        elif parts and _continues(parts[-1], band):
            parts[-1].rows.extend(band)
        else:
            parts.append(Region(band, columns=_columns(band)))
    return parts


def _columns(rows: Iterable[SheetRow]) -> set[int]:
    return {cell.column for row in rows for cell in row.cells}


def _bands(rows: list[SheetRow]) -> Iterator[list[SheetRow]]:
    """Yield the rows between two empty ones."""
    start = 0
    for index, (before, row) in enumerate(pairwise(rows), 1):
        if row.position - before.position > 1:
            yield rows[start:index]
            start = index
    if rows:
        yield rows[start:]


def _continues(part: Region, band: list[SheetRow]) -> bool:
    """Tell whether rows below an empty one continue the table above: groups of rows are often set apart so."""
    first = band[0]
    if len(part.rows) < 2 or len(part.columns) < 2:
        return False
    if len(first.cells) == 1 and first.cells[0].is_text and len(band) == 1:
        return False  # a note
    return not _looks_like_header(band) and _columns(band) <= part.columns


def _looks_like_header(rows: Sequence[SheetRow]) -> bool:
    """Tell whether the first of `rows` names columns: all texts, set apart from the next rows."""
    first = rows[0]
    if len(rows) < 2:
        return False
    if not all(cell.is_text for cell in first.cells):
        return False
    if len(first.cells) == 1:
        return len(rows[1].cells) > 1  # a title
    is_bold = all(cell.style.is_bold for cell in first.cells)
    below = rows[1].cells
    if is_bold and not all(cell.style.is_bold for cell in below):
        return True
    columns = {cell.column for cell in first.cells}
    return any(not cell.is_text and cell.column in columns for cell in below)


def _groups(band: list[SheetRow]) -> list[list[SheetRow]]:
    """Divide a band at empty columns where both sides are tables of their own."""
    columns = sorted(_columns(band))
    borders = [next_column for column, next_column in pairwise(columns) if next_column - column > 1][:MAX_BORDERS]
    groups: list[list[SheetRow]] = []
    remaining_rows = band
    for border in borders:
        left_rows = _part(remaining_rows, 0, border)
        right_rows = _part(remaining_rows, border, columns[-1] + 1)
        if _is_table(left_rows) and _is_table(right_rows) and _extent(left_rows) != _extent(right_rows):
            groups.append(left_rows)
            remaining_rows = right_rows
    return [*groups, remaining_rows]


def _part(rows: list[SheetRow], first: int, end: int) -> list[SheetRow]:
    cut = ((row, [cell for cell in row.cells if first <= cell.column < end]) for row in rows)
    return [SheetRow(row.number, row.position, cells) for row, cells in cut if cells]


def _is_table(rows: list[SheetRow]) -> bool:
    return len(rows) > 1 and len(_columns(rows)) > 1


def _extent(rows: list[SheetRow]) -> tuple[int, int]:
    return rows[0].number, rows[-1].number


# ----------------------------------------------------------------------------------------------- to blocks


def blocks(region: Region, links: Mapping[tuple[int, int], str]) -> Iterator[Block]:
    """Yield a region as paragraphs and a table; `links` has the addresses of cells by row and column."""
    rows = region.rows
    if region.has_header is None:
        while len(rows) > 1 and len(rows[0].cells) == 1 and rows[0].cells[0].is_text and _is_title(rows):
            yield _paragraph(rows[0], links)
            rows = rows[1:]
    columns = sorted(_columns(rows))
    is_prose = len(columns) == 1 and any(len(row.cells[0].text) > _PROSE_CHARS for row in rows)
    is_single = len(rows) == 1 and len(columns) == 1
    if is_single or (is_prose and region.has_header is None):
        for row in rows:
            yield _paragraph(row, links)
        return
    positions = {column: index for index, column in enumerate(columns[:MAX_COLUMNS])}
    has_header = _has_header(rows) if region.has_header is None else region.has_header
    table_rows = [_row(row, positions, links, is_header=has_header and row is rows[0]) for row in rows]
    yield Block(Kind.TABLE, children=tuple(table_rows))


def _is_title(rows: Sequence[SheetRow]) -> bool:
    """Tell whether the single cell of the first row is above a wider row, perhaps with other single cells between."""
    following = next((row for row in rows[1:6] if len(row.cells) > 1), None)
    return following is not None


def _has_header(rows: Sequence[SheetRow]) -> bool:
    """Tell whether the first row names the columns: no numbers in it but years."""
    first = rows[0].cells
    if len(rows) < 2 or not any(cell.is_text for cell in first):
        return False
    return all(_is_name(cell) for cell in first)


def _is_name(cell: SheetCell) -> bool:
    if cell.is_text:
        return not _is_number(cell.text)
    return cell.text.isascii() and cell.text.isdigit() and len(cell.text) == 4 and int(cell.text) in _YEARS


def _is_number(text: str) -> bool:
    return all(character in "0123456789.,%+- " for character in text)


def _row(
    row: SheetRow, positions: Mapping[int, int], links: Mapping[tuple[int, int], str], *, is_header: bool
) -> Block:
    cells = [_EMPTY_HEADER if is_header else _EMPTY] * len(positions)
    level = int(is_header)
    for cell in row.cells:
        index = positions.get(cell.column)
        if index is not None:
            href = links.get((row.number, cell.column)) if links else None
            # Two thirds of the time of Span(...) and Block(...).
            span = tuple.__new__(Span, (cell.text, 0, href))
            cells[index] = tuple.__new__(Block, (Kind.CELL, (span,), (), level, ""))
    return Block(Kind.ROW, children=tuple(cells))


def _paragraph(row: SheetRow, links: Mapping[tuple[int, int], str]) -> Block:
    cell = row.cells[0]
    return Block(Kind.PARAGRAPH, (Span(cell.text, 0, links.get((row.number, cell.column))),))
