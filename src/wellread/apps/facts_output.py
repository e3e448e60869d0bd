"""Turns the lines of facts into a table: CSV or Parquet, with rows of records, of declared items or of one table."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, TextIO

from wellread.apps.batch_output import new_half, require_pyarrow

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from wellread.types import FactTable

SUFFIXES: Final = frozenset({".csv", ".parquet"})
_ROWS_AT_ONCE: Final = 500
_PARTERS: Final = ";\t\r\n\v\f\x85\u2028\u2029"
_BLANKS: Final = " \x00-\x08\x0e-\x1f\xa0\u1680\u2000-\u200b\u202f\u205f\u3000\ufeff"
_FORMULA: Final = re.compile(
    f"(?:^|(?<=[{_PARTERS}]))(?=[{_BLANKS}]*[-=+@\uff1d\uff0b\uff20\uff0d])"
    f"(?!-[0-9]{{1,20}}(?:[.,][0-9]{{1,20}})?(?:[{_PARTERS}]|\\Z))"
)
"""The places in a cell where text begins that a spreadsheet would run; an apostrophe goes there. Negative numbers stay.

Spreadsheets of many languages, and imports, part cells at semicolons, tabs or line breaks too, even within quotation
marks."""

Row = dict[str, Any]  # Any: JSON


def table_csv(table: FactTable) -> str:
    """Return a table of a page as CSV, with the names of columns that a file of it has."""
    text = io.StringIO()
    names = _column_names(table.columns, table.rows)
    _write_csv(_named_rows(names, table.rows), text, names, line_end="\n")
    return text.getvalue()


def write_table(lines: Path, to: Path, *, table_number: int | None = None) -> None:
    """Write the facts in a file of JSON lines as a table, into a new file that then takes the name.

    With `table_number`, its rows are those of this table of each page, counted from 1.

    Raises:
        InvalidInput: Parquet is wanted, and its library is not installed.
    """
    is_numeric = _columns(_rows(lines, table_number))
    temporary_file = new_half(to)
    if to.suffix == ".parquet":
        _write_parquet(_rows(lines, table_number), temporary_file, is_numeric)
    else:
        with temporary_file.open("x", encoding="utf-8", errors="replace", newline="") as file:
            _write_csv(_rows(lines, table_number), file, list(is_numeric))
    temporary_file.replace(to)


def _write_csv(rows: Iterator[Row], file: TextIO, columns: Sequence[str], *, line_end: str = "\r\n") -> None:
    writer = csv.writer(file, lineterminator=line_end)
    writer.writerow(map(_csv_cell, columns))
    writer.writerows([_csv_cell(row.get(column)) for column in columns] for row in rows)


def _csv_cell(cell: object) -> str:
    text = _text(cell)
    if isinstance(cell, int | float):
        return text
    return _FORMULA.sub("'", text)


def _write_parquet(rows: Iterator[Row], to: Path, is_numeric: dict[str, bool]) -> None:
    arrow = require_pyarrow()
    types = {name: arrow.float64() if numeric else arrow.string() for name, numeric in is_numeric.items()}
    schema = arrow.schema(list(types.items()))
    with to.open("xb") as file, arrow.parquet.ParquetWriter(file, schema) as writer:
        while batch := list(islice(rows, _ROWS_AT_ONCE)):
            cells = [
                {name: _parquet_cell(row.get(name), numeric) for name, numeric in is_numeric.items()} for row in batch
            ]
            writer.write_table(arrow.Table.from_pylist(cells, schema=schema))


def _parquet_cell(cell: Any, numeric: bool) -> float | str | None:  # noqa: FBT001 - the kind of the column
    if cell is None:
        return None
    if numeric:
        return float(cell)
    return _text(cell)


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return cell
    return json.dumps(cell, ensure_ascii=False)


def _columns(rows: Iterator[Row]) -> dict[str, bool]:
    """Return the columns in the order of their first row, and whether all of their cells are numbers."""
    is_numeric: dict[str, bool] = {}
    for row in rows:
        for name, cell in row.items():
            is_number = isinstance(cell, int | float) and not isinstance(cell, bool)
            is_numeric[name] = is_numeric.get(name, True) and is_number
    return is_numeric


def _rows(lines: Path, table_number: int | None) -> Iterator[Row]:
    with lines.open("rb") as file:
        for line in file:
            yield from _rows_of(json.loads(line), table_number)


def _rows_of(facts: Row, table_number: int | None) -> Iterator[Row]:
    """Yield the rows of one page: those of one table, or its record, or its declared items."""
    source = {"source": facts["source"]}
    if "error" in facts:
        yield {**source, "error": f"{facts['error']['code']}: {facts['error']['message']}"}
    elif table_number is not None:
        for table in facts["tables"][table_number - 1 : table_number]:
            names = _column_names(table["columns"], table["rows"])
            for row in _named_rows(names, table["rows"]):
                yield {**source, **row}
    elif facts["record"] is not None:
        row = {**source, **facts["record"]}
        if facts["missing"]:
            row["missing"] = ", ".join(facts["missing"])
        yield row
    else:
        for declared in facts["items"]:
            yield {**source, **declared}


def _named_rows(names: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Row]:
    """Yield the rows of a table with the names of its columns; rows may have fewer cells."""
    for cells in rows:
        yield dict(zip(names, cells, strict=False))


def _column_names(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a name for each column of a table; equal names get their numbers, and columns without one, too.

    `source` and `error` are columns of a file of pages, so no column of a table has their names, printed or in a file.
    """
    width = max(map(len, rows), default=0)
    names: dict[str, None] = {}
    for number, title in enumerate([*header, *[""] * (width - len(header))], 1):
        name = title
        while not name or name in names or name in ("source", "error"):
            name = f"{name or 'column'} {number}"
        names[name] = None
    return list(names)
