"""Formulas as Excel shows them: without the prefixes of the file format, and moved from the cell of a shared formula.

A formula that several cells share is written in the first of them only (ECMA-376 part 1, 18.3.1.40). The others show
it with their own references: so a person sees it in the cell, and it names the cells that it adds up.
"""

from __future__ import annotations

import re
from typing import Final

from wellread.documents.xlsx.references import MAX_COLUMN, MAX_ROW, column_name, column_number

MAX_FORMULA_CHARS: Final = 8_192
"""As in Excel."""

_PREFIX: Final = re.compile(r"_xl(?:fn|ws|pm|udf)\.")
"""Marks functions that are younger than the file format ([MS-XLSX] 2.2.2)."""
# Text and names of sheets in quotes, text in brackets, names and functions, then references: of a cell, of whole
# columns, of whole rows. The first alternative that matches takes its text, so that nothing is matched twice.
_TOKEN: Final = re.compile(
    r'"[^"]*+"|\'[^\']*+\'|\[[^\[\]]*+\]'
    r"|(?<![\w.$])(?P<from>\$?[A-Za-z]{1,3}):(?P<to>\$?[A-Za-z]{1,3})(?![\w.(!])"
    r"|(?<![\w.$])(?P<first>\$?[0-9]{1,7}):(?P<last>\$?[0-9]{1,7})(?![\w.(!])"
    r"|(?<![\w.$])(?P<column>\$?[A-Za-z]{1,3})(?P<row>\$?[0-9]{1,7})(?![\w.(!])"
)
_LINK: Final = re.compile(r'\s{0,9}(?:_xlfn\.)?HYPERLINK\(\s{0,9}"([^"]{1,2000})"', re.IGNORECASE)


def plain(formula: str) -> str:
    """Return a formula without the prefixes that the file format gives to functions."""
    return _PREFIX.sub("", formula) if "_xl" in formula else formula


def moved(formula: str, rows: int, columns: int) -> str:
    """Return a formula with its relative references moved by these rows and columns; `#REF!` beyond the sheet."""

    def reference(match: re.Match[str]) -> str:
        column, row, first = match["column"], match["row"], match["first"]
        if column is not None:
            return _joined(_column(column, columns), _row(row, rows), "")
        if match["from"] is not None:
            return _joined(_column(match["from"], columns), _column(match["to"], columns), ":")
        if first is not None:
            return _joined(_row(first, rows), _row(match["last"], rows), ":")
        return match[0]

    return _TOKEN.sub(reference, formula)


def link(formula: str) -> str | None:
    """Return the address of a formula that begins with `HYPERLINK("...`."""
    match = _LINK.match(formula)
    if match is None:
        return None
    return match[1]


def _joined(first: str | None, second: str | None, sign: str) -> str:
    if first is None or second is None:
        return "#REF!"
    return f"{first}{sign}{second}"


def _column(reference: str, by: int) -> str | None:
    if reference.startswith("$"):
        return reference
    number = column_number(reference.upper()) + by
    if not 1 <= number <= MAX_COLUMN:
        return None
    return column_name(number)


def _row(reference: str, by: int) -> str | None:
    if reference.startswith("$"):
        return reference
    number = int(reference) + by
    if not 1 <= number <= MAX_ROW:
        return None
    return str(number)
