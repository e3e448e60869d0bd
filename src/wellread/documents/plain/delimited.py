"""Delimited text (RFC 4180, and the exports of spreadsheets and databases) as one table."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.types import Block, Kind, Notice, Span

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_COLUMNS: Final = 100
MAX_PIECES: Final = 250_000
"""Rows, cells and their texts: a worker process returns at most 300,000 pieces."""

_DELIMITERS: Final = (",", ";", "\t", "|")
_DELIMITER_LINE: Final = re.compile(r"\"?sep=(.)\"?[ \t]*(?:\n|\Z)", re.IGNORECASE)
"""The first line by which Excel names the delimiter."""
_SAMPLE_CHARS: Final = 50_000
_SAMPLE_ROWS: Final = 30
_NUMBER: Final = re.compile(r"[\d.,\s%+-]+")


class DelimitedTable(NamedTuple):
    """Delimited text as a block, with counts of omitted content."""

    block: Block | None
    """None where the text cannot be read as a table."""
    notices: tuple[Notice, ...]


def read_table(text: str, usual_delimiter: str, max_rows: int) -> DelimitedTable:
    """Read at most `max_rows` rows of delimited text into one table; all rows are counted."""
    delimiter_line = _DELIMITER_LINE.match(text)
    if delimiter_line:
        text = text[delimiter_line.end() :]
    delimiter = delimiter_line[1] if delimiter_line else _delimiter(text, usual_delimiter)
    try:
        rows = _collect(text, delimiter, csv.QUOTE_MINIMAL, max_rows)
        notices = []
        if rows.is_open:
            detail = "a quotation mark is not closed, so quotation marks are shown as text"
            notices.append(Notice("unread_markup", detail))
            rows = _collect(text, delimiter, csv.QUOTE_NONE, max_rows)
    except csv.Error as limit:  # a cell of more than 131,072 characters, the limit of the csv module
        return DelimitedTable(None, (Notice("unread_markup", f"the table is shown as text: {limit}"),))
    if not rows.rows:
        return DelimitedTable(None, tuple(notices))
    return DelimitedTable(_table(rows.rows), (*notices, *_left_out(rows)))


def _table(rows: list[list[str]]) -> Block:
    has_header = len(rows) > 1 and not any(_NUMBER.fullmatch(cell) for cell in rows[0])
    return Block(
        Kind.TABLE, children=tuple(_row(row, is_header=has_header and index == 0) for index, row in enumerate(rows))
    )


def _left_out(rows: _CsvRows) -> Iterator[Notice]:
    shown_count = len(rows.rows)
    if rows.row_count > shown_count:
        detail = f"{shown_count:,} of {rows.row_count:,} rows are shown; extract.max_rows is the limit"
        if rows.is_wide:
            detail = f"{shown_count:,} of {rows.row_count:,} rows are shown; larger tables are not read"
        yield Notice("rows_cut", detail, rows.row_count - shown_count)
    widest = max(map(len, rows.rows))
    if widest > MAX_COLUMNS:
        yield Notice("rows_cut", f"{MAX_COLUMNS} of {widest:,} columns are shown", widest - MAX_COLUMNS)


class _CsvRows(NamedTuple):
    rows: list[list[str]]
    row_count: int
    """All rows of the text that are not blank."""
    is_open: bool
    """A quotation mark is open at the end of the text."""
    is_wide: bool
    """The omitted rows have too many cells under any limit of rows."""


def _collect(text: str, delimiter: str, quoting: int, max_rows: int) -> _CsvRows:
    rows: list[list[str]] = []
    count = pieces = 0
    last: list[str] = []
    for row in _rows(text, delimiter, quoting):
        if not any(cell.strip() for cell in row):
            continue
        last = row
        count += 1
        pieces += 1 + sum(1 + bool(cell.strip()) for cell in row[:MAX_COLUMNS])
        if count <= max_rows and pieces <= MAX_PIECES:
            rows.append(row)
    is_open = bool(last) and "\n" in last[-1].rstrip() and not text.rstrip().endswith('"')
    return _CsvRows(rows, count, is_open, len(rows) < min(count, max_rows))


def _rows(text: str, delimiter: str, quoting: int) -> Iterator[list[str]]:
    # newline="\n" ends lines there alone; str.splitlines would also split at form feeds and at U+2028.
    return csv.reader(io.StringIO(text, newline="\n"), delimiter=delimiter, quoting=quoting)  # type: ignore[arg-type]  # an int, as csv.QUOTE_NONE is


def _delimiter(text: str, usual: str) -> str:
    """Return the delimiter that gives the first rows the most regular width; `usual` where none is better."""
    best, best_score = usual, (0.0, 0)
    for delimiter in (usual, *_DELIMITERS):
        try:
            sample = list(islice(_rows(text[:_SAMPLE_CHARS], delimiter, csv.QUOTE_MINIMAL), _SAMPLE_ROWS))
        except csv.Error:
            continue
        widths = Counter(len(row) for row in sample if len(row) > 1)
        if widths:
            width, count = widths.most_common(1)[0]
            regularity = (round(count / len(sample), 1), width)
            if regularity > best_score:
                best, best_score = delimiter, regularity
    return best


def _row(cells: list[str], *, is_header: bool) -> Block:
    return Block(Kind.ROW, children=tuple(_cell(cell, is_header=is_header) for cell in cells[:MAX_COLUMNS]))


def _cell(text: str, *, is_header: bool) -> Block:
    text = " ".join(text.split())
    return Block(Kind.CELL, (Span(text),) if text else (), level=int(is_header))
