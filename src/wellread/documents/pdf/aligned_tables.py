"""Find the tables of a page: consecutive lines whose words are in columns, with nothing but white between the columns.

Prose in columns has the same geometry. Its text is the difference: its lines are long, and continue in the next line.
In doubt there is no table, and the lines stay as they are.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from wellread.documents.pdf.page_text import WIDE_GAP

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.documents.pdf.page_text import TextLine, Word

MIN_TABLE_ROWS = 3
"""Rows with wide gaps between all their cells."""
MAX_TABLE_ROWS = 200
"""Of one table; further rows make another table."""
MAX_TABLE_COLUMNS = 40
MAX_SHORT_CELL_CHARS = 18
"""Characters; the average of all columns but one is not above. Lines of narrow newspaper columns have 25."""
_MIN_COLUMN_GAP = 0.45
"""The least white between two columns, over all rows; a space is .25 to .33."""
_LEADING = 3.0
_LABEL = re.compile(r"(?:\(?(?:\d{1,3}|[A-Za-z]|[ivxIVX]{1,5})[.)]|[^\w\s])\Z")
_LEADERS = re.compile(r"(?:[.\u2026\u00b7_] ?){4}")


class PdfTable(NamedTuple):
    """A table: rows of equally many cells; an empty cell is an empty text."""

    rows: list[list[str]]
    lines: list[TextLine]
    """The lines of the rows."""


class _WordCell(NamedTuple):
    """Neighbouring words of a line."""

    left: float
    """The start of the first word."""
    right: float
    """The end of the last word."""
    text: str


class _CandidateRow(NamedTuple):
    line: TextLine
    parts: list[_WordCell]
    """Its words, cut at wide gaps; empty for a line without wide gaps."""


class _Columns(NamedTuple):
    edges: list[tuple[float, float]]
    rows: list[list[str]]
    full: int
    """The number of rows with wide gaps between all their cells."""


def with_aligned_tables(lines: Sequence[TextLine]) -> Iterator[TextLine | PdfTable]:
    """Yield the lines in their order, with a table in place of its lines."""
    rows = [_CandidateRow(line, _parts(line)) for line in lines]
    index = 0
    while index < len(rows):
        if len(rows[index].parts) < 2:
            yield lines[index]
            index += 1
            continue
        count, columns = _longest_table(rows, index)
        if columns is not None and _is_table(columns):
            yield PdfTable(columns.rows, list(lines[index : index + count]))
        else:
            yield from lines[index : index + count]
        index += count


def _parts(line: TextLine) -> list[_WordCell]:
    if not line.runs:
        return []  # one run is no row of a table
    gap = WIDE_GAP * line.size
    starts = [index for index, (last, run) in enumerate(pairwise(line.runs), start=1) if run.left - last.right >= gap]
    if not starts:
        return []
    return [_cell(line.runs[start:end]) for start, end in pairwise([0, *starts, len(line.runs)])]


def _cell(runs: Sequence[TextLine]) -> _WordCell:
    return _WordCell(runs[0].ends[0], runs[-1].ends[1], " ".join([run.text for run in runs]))


def _longest_table(rows: Sequence[_CandidateRow], start: int) -> tuple[int, _Columns | None]:
    """Return the number of lines from `start` on that share columns, and the columns."""
    count, columns = 1, _columns(rows[start : start + 1])
    while (
        start + count < len(rows) and count < MAX_TABLE_ROWS and _is_below(rows[start + count - 1], rows[start + count])
    ):
        row = rows[start + count]
        if columns is not None and len(row.parts) <= len(columns.edges):
            extended = _extended(columns, row)
        else:
            extended = _columns(rows[start : start + count + 1])
        if extended is None:
            break
        count, columns = count + 1, extended
    return count, columns


def _is_below(last: _CandidateRow, row: _CandidateRow) -> bool:
    if not (1 < len(last.parts) <= MAX_TABLE_COLUMNS and 1 < len(row.parts) <= MAX_TABLE_COLUMNS):
        return False
    same_size = abs(last.line.size - row.line.size) < 0.15 * last.line.size
    return same_size and 0 < last.line.bottom - row.line.bottom <= _LEADING * row.line.size


def _columns(rows: Sequence[_CandidateRow]) -> _Columns | None:
    """Return the columns of rows, if they share any: the row of most parts has their number."""
    widest = max(rows, key=lambda row: len(row.parts))
    columns: _Columns | None = _Columns([(part.left, part.right) for part in widest.parts], [], 0)
    for row in rows:
        columns = columns and _extended(columns, row)
    return columns


def _extended(columns: _Columns, row: _CandidateRow) -> _Columns | None:
    """Return the columns with a further row; None where it has words between them."""
    full = len(row.parts) == len(columns.edges)
    cells = row.parts if full else _in_columns(row.line.words, columns.edges)
    edges = [
        (min(left, cell.left), max(right, cell.right)) if cell is not None else (left, right)
        for (left, right), cell in zip(columns.edges, cells, strict=True)
    ]
    min_gap = _MIN_COLUMN_GAP * row.line.size
    if any(before[1] + min_gap > after[0] for before, after in pairwise(edges)):
        return None
    texts = ["" if cell is None else cell.text for cell in cells]
    return _Columns(edges, [*columns.rows, texts], columns.full + full)


def _in_columns(words: Sequence[Word], edges: Sequence[tuple[float, float]]) -> list[_WordCell | None]:
    """Put each word into its column or the column before it; the caller checks the white between columns."""
    cells: list[list[Word]] = [[] for _ in edges]
    for word in words:
        overlapped = [index for index, (left, right) in enumerate(edges) if word.left < right and word.right > left]
        before = [index for index, (left, _) in enumerate(edges) if left <= word.left]
        cells[(overlapped or before[-1:] or [0])[0]].append(word)
    return [
        _WordCell(cell[0].left, cell[-1].right, " ".join([word.text for word in cell])) if cell else None
        for cell in cells
    ]


def _is_table(columns: _Columns) -> bool:
    full_rows = [cells for cells in columns.rows if all(cells)]
    if columns.full < MIN_TABLE_ROWS or any(_LEADERS.search(cell) for cells in full_rows for cell in cells):
        return False  # the second is a table of contents
    if len(full_rows[0]) == 2 and all(_LABEL.match(cells[0]) for cells in full_rows):
        return False  # a list: its signs, and their text
    long_columns = [
        cells for cells in zip(*full_rows, strict=True) if sum(map(len, cells)) > MAX_SHORT_CELL_CHARS * len(cells)
    ]
    return not long_columns or (len(long_columns) == 1 and not _reads_on(long_columns[0]))


def _reads_on(cells: Sequence[str]) -> bool:
    """Tell whether a column continues from line to line."""
    return sum(cell[:1].islower() for cell in cells[1:]) * 4 > len(cells)
