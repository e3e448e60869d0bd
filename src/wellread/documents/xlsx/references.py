"""References to cells: `B2`, `A1:C9` (ECMA-376 part 1, 18.18.62 and 18.18.63)."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

MAX_ROW: Final = 1_048_576
MAX_COLUMN: Final = 16_384

_CELL: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")
_RANGE: Final = re.compile(r"\$?([A-Za-z]{1,3})\$?([0-9]{1,7}):\$?([A-Za-z]{1,3})\$?([0-9]{1,7})")


class Range(NamedTuple):
    """Rows and columns of a rectangle of cells, counted from 1, the last ones included."""

    top: int
    left: int
    bottom: int
    right: int


def column_number(letters: str) -> int:
    """Return the number of a column from its capital letters: A is 1."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def column_name(number: int) -> str:
    """Return the letters of a column, counted from 1."""
    letters = ""
    while number:
        number, remainder = divmod(number - 1, 26)
        letters = chr(65 + remainder) + letters
    return letters


def cell(reference: str) -> tuple[int, int] | None:
    """Return row and column of a cell; None where `reference` is invalid."""
    match = _CELL.fullmatch(reference)
    if match is None:
        return None
    return int(match[2]), column_number(match[1].upper())


def cell_range(reference: str) -> Range | None:
    """Return a range, also of a single cell; None where `reference` is invalid."""
    match = _RANGE.fullmatch(reference)
    if match is None:
        corner = cell(reference)
        if corner is None:
            return None
        return Range(*corner, *corner)
    rows = sorted((int(match[2]), int(match[4])))
    columns = sorted((column_number(match[1].upper()), column_number(match[3].upper())))
    return Range(rows[0], columns[0], rows[1], columns[1])
