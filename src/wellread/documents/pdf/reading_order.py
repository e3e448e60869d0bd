"""Put the runs of a page into reading order: tables, then columns one after the other, with wide lines between them.

The drawing order is no evidence: some programs draw row by row across the columns, or the title last. Runs on one
baseline make a row. Rows whose words are in columns are a table (`grid`). In other rows, a strip of white is the
border of two columns if no run crosses it for several rows and if there is running text on both sides; each side is
then read by itself, and so are the rows above and below (recursive X-Y cuts, Nagy and Seth 1984).
"""

from __future__ import annotations

import math
from collections import Counter
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.documents.pdf.aligned_tables import PdfTable, with_aligned_tables
from wellread.documents.pdf.bidi import is_right_to_left
from wellread.documents.pdf.page_text import TextLine, from_left, from_top, most_common_size
from wellread.documents.pdf.ruled_tables import ruled_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from wellread.documents.pdf.page_objects import Box

MIN_COLUMN_ROWS: Final = 3
MIN_COLUMN_CHARS: Final = 15
"""On average per row; lines of narrow newspaper columns have 25, labels of forms and cells of tables fewer."""
_MIN_GUTTER: Final = 0.6
"""Of the type's height: white between columns; a space is .25 to .33."""
_ROW_SHIFT: Final = 0.4
"""Of the type's height: the largest difference between baselines of one row."""
_HEADING: Final = 1.15
_MAX_RUNS: Final = 3_000
"""Of a page whose columns are searched; pages of print have 300."""
_MAX_DEPTH: Final = 12
_PLACEHOLDER: Final = "\0table"
"""In the text of a run that is a placeholder of a table; no character of a page is a null."""
_MAX_BORDERS: Final = 12
"""Left edges of runs that are tried as borders of columns, the most frequent first."""


class _ColumnSplit(NamedTuple):
    """Two columns beside one another, and the runs above and below them."""

    above: list[TextLine]
    left: list[TextLine]
    right: list[TextLine]
    below: list[TextLine]


def arranged(runs: Sequence[TextLine], rules: Sequence[Box] = ()) -> list[TextLine | PdfTable]:
    """Return the lines and tables of a page in reading order; rotated text comes last.

    `rules` are the thin lines that the page draws: a table between them takes the place of its runs.
    """
    tables = ruled_tables([run for run in runs if run.angle == 0], rules)
    if not tables:
        return _arranged(runs)
    in_tables = {id(run) for table, _ in tables for run in table.lines}
    placeholders = {f"{_PLACEHOLDER}{number}": table for number, (table, _) in enumerate(tables)}
    others = [run for run in runs if id(run) not in in_tables]
    placeholder_runs = [
        TextLine(text, table.lines[0].size, left, right, top - table.lines[0].size)
        for (text, table), (_, (left, _, right, top)) in zip(placeholders.items(), tables, strict=True)
    ]
    pieces = list(_with_tables(_arranged([*others, *placeholder_runs]), placeholders))
    table_ids = set(map(id, placeholders.values()))
    if sum(id(piece) in table_ids for piece in pieces) < len(tables):
        return _arranged(runs)  # a placeholder is among the words of another table
    return pieces


def _with_tables(
    pieces: Sequence[TextLine | PdfTable], placeholders: Mapping[str, PdfTable]
) -> Iterator[TextLine | PdfTable]:
    """Yield the pieces with the tables in place of their placeholder runs."""
    for piece in pieces:
        if isinstance(piece, PdfTable) or _PLACEHOLDER not in piece.text:
            yield piece
            continue
        runs = piece.runs or (piece,)
        beside = [run for run in runs if run.text not in placeholders]
        if beside:
            yield _joined(beside)
        yield from (placeholders[run.text] for run in runs if run.text in placeholders)


def _arranged(runs: Sequence[TextLine]) -> list[TextLine | PdfTable]:
    angles = Counter[int]()
    for run in runs:
        angles[run.angle] += len(run.text)
    pieces: list[TextLine | PdfTable] = []
    for angle, _ in angles.most_common():
        pieces.extend(_pieces(sorted((run for run in runs if run.angle == angle), key=from_top), 0))
    return pieces


def _pieces(runs: Sequence[TextLine], depth: int) -> Iterator[TextLine | PdfTable]:
    """Yield the pieces of a region; `runs` are sorted from the top down."""
    rows = _rows(runs)
    if all(len(row) == 1 for row in rows) and _is_one_column(runs):
        yield from (row[0] for row in rows)  # one run is no row of a table
        return
    lines = [_joined(row) for row in rows]
    row_of = dict(zip(map(id, lines), rows, strict=True))
    for is_table, pieces in groupby(with_aligned_tables(lines), key=lambda piece: isinstance(piece, PdfTable)):
        if is_table:
            yield from pieces
        else:
            prose = [piece for piece in pieces if not isinstance(piece, PdfTable)]
            yield from _prose(prose, [run for line in prose for run in row_of[id(line)]], depth)


def _prose(lines: Sequence[TextLine], runs: Sequence[TextLine], depth: int) -> Iterator[TextLine | PdfTable]:
    split = None
    if depth < _MAX_DEPTH and 2 * MIN_COLUMN_ROWS <= len(runs) <= _MAX_RUNS:
        split = _border(sorted(runs, key=from_top))
    if split is None:
        yield from lines
        return
    sides = [split.left, split.right]
    if _is_right_to_left(runs):
        sides.reverse()
    for region in (split.above, *sides, split.below):
        yield from _pieces(region, depth + 1)


def _rows(runs: Sequence[TextLine]) -> list[list[TextLine]]:
    """Return the runs on each baseline, from the top down, each row from left to right."""
    rows = _unsorted_rows(runs)
    for row in rows:
        if len(row) > 1:
            row.sort(key=from_left, reverse=_is_right_to_left(row))
    return rows


def _unsorted_rows(runs: Sequence[TextLine]) -> list[list[TextLine]]:
    rows: list[list[TextLine]] = []
    first_size, first_bottom = 0.0, math.inf
    for run in runs:
        size, bottom = run.size, run.bottom
        if first_bottom - bottom <= _ROW_SHIFT * (max(size, first_size)):
            rows[-1].append(run)
        else:
            rows.append([run])
            first_size, first_bottom = size, bottom
    return rows


def _joined(row: Sequence[TextLine]) -> TextLine:
    if len(row) == 1:
        return row[0]
    return TextLine(
        " ".join([run.text for run in row]),
        most_common_size([run.size for run in row], [run.text for run in row]),
        min([run.left for run in row]),
        max([run.right for run in row]),
        row[0].bottom,
        row[0].angle,
        tuple(row),
        None,
        all(run.is_fixed for run in row),
    )


def _is_one_column(runs: Sequence[TextLine]) -> bool:
    """Tell whether no run is beside the whole of another: then there is one column."""
    return not runs or max([run.left for run in runs]) < min([run.right for run in runs])


def _is_right_to_left(runs: Sequence[TextLine]) -> bool:
    """Tell whether most letters are Hebrew or Arabic."""
    return is_right_to_left("".join([run.text[:20] for run in runs]))


def _border(runs: Sequence[TextLine]) -> _ColumnSplit | None:
    """Return the border that separates most text into columns, if there is one."""
    size = Counter([run.size for run in runs]).most_common(1)[0][0]
    lefts = np.array([run.left for run in runs])
    rights = np.array([run.right for run in runs])
    char_counts = np.array([len(run.text) for run in runs])
    best, best_chars = None, 0
    for left, count in Counter([round(run.left) for run in runs]).most_common(_MAX_BORDERS):
        if count < MIN_COLUMN_ROWS:
            break
        border_left = left - 1.0
        crosses = (lefts < border_left) & (rights > border_left - _MIN_GUTTER * size)
        for start, end in _bands(crosses):
            is_left = lefts[start:end] < border_left
            band_chars = char_counts[start:end]
            if min(band_chars[is_left].sum(), band_chars[~is_left].sum()) <= best_chars:
                continue  # headings can only make it less
            split = _cut(runs[:start], runs[start:end], runs[end:], border_left)
            chars = min(sum([len(run.text) for run in side]) for side in (split.left, split.right))
            if chars > best_chars and _are_columns(split, size):
                best, best_chars = split, chars
    return best


def _bands(crosses: NDArray[np.bool_]) -> Iterator[tuple[int, int]]:
    """Yield the stretches of runs of which none crosses a strip of white."""
    ends = [-1, *np.flatnonzero(crosses).tolist(), len(crosses)]
    for before, after in pairwise(ends):
        if after - before - 1 >= 2 * MIN_COLUMN_ROWS:
            yield before + 1, after


def _cut(above: Sequence[TextLine], band: Sequence[TextLine], below: Sequence[TextLine], border: float) -> _ColumnSplit:
    """Divide a band; headings at its top and its foot with nothing beside them belong above and below."""
    size = Counter([run.size for run in band]).most_common(1)[0][0]
    lefts = [index for index, run in enumerate(band) if run.left < border]
    rights = [index for index, run in enumerate(band) if run.left >= border]
    if not lefts or not rights:
        return _ColumnSplit([], list(band), [], [])
    first, last = max(lefts[0], rights[0]), min(lefts[-1], rights[-1])
    start, end = 0, len(band)
    for index in range(first):
        if band[index].size > _HEADING * size:
            start = index + 1
    for index in range(len(band) - 1, last, -1):
        if band[index].size > _HEADING * size:
            end = index
    inner = band[start:end]
    return _ColumnSplit(
        [*above, *band[:start]],
        [run for run in inner if run.left < border],
        [run for run in inner if run.left >= border],
        [*band[end:], *below],
    )


def _are_columns(split: _ColumnSplit, size: float) -> bool:
    """Tell whether there is running text on both sides, beside one another."""
    sides = (split.left, split.right)
    for side in sides:
        row_count = len(_unsorted_rows(side))  # the runs of justified lines may be single words
        if row_count < MIN_COLUMN_ROWS or sum([len(run.text) for run in side]) < MIN_COLUMN_CHARS * row_count:
            return False
    top = min(side[0].bottom for side in sides)
    foot = max(side[-1].bottom for side in sides)
    return top - foot >= (MIN_COLUMN_ROWS - 1) * size
