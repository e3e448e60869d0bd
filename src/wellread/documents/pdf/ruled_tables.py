"""Find the tables with drawn rules: the text between two rules is a cell, in any form.

Rows with empty cells, cells of several lines and tables of two rows cannot be told from text by their words alone.
"""

from __future__ import annotations

from bisect import bisect
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.documents.pdf.aligned_tables import MAX_TABLE_COLUMNS, MAX_TABLE_ROWS, PdfTable
from wellread.documents.pdf.bidi import is_right_to_left
from wellread.documents.pdf.page_text import from_left, from_top

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from wellread.documents.pdf.page_objects import Box
    from wellread.documents.pdf.page_text import TextLine

MIN_RULES: Final = 5
"""Of a table of four cells with each rule drawn once: the frame and the cross."""
_SAME_RULE: Final = 3.0
"""Points between the two lines of a double rule, or the rules of two cells."""
_MIN_COVER: Final = 0.5
"""Of the height or the width of a table: rules of merged cells are shorter than it is."""
_ABOVE_BASELINE: Final = 0.3
"""Of the type's height: the middle of small letters."""
_MIN_FILLED: Final = 0.4
"""Of the cells; rules that lay out a page or a drawing have less between them."""
_MAX_MEAN_CHARS: Final = 120
_MAX_CELL_CHARS: Final = 600


class _TableBorders(NamedTuple):
    """The rules of a table: from left to right, and from the top down."""

    xs: list[float]
    ys: list[float]


def ruled_tables(runs: Sequence[TextLine], rules: Sequence[Box]) -> list[tuple[PdfTable, Box]]:
    """Return the tables of a page that are drawn with rules, and their boxes; `runs` are upright."""
    if len(rules) < MIN_RULES:
        return []
    tables = []
    for group in _groups(np.array(rules)):
        borders = _borders(group)
        grid = None if borders is None else _grid(runs, borders)
        if borders is not None and grid is not None:
            tables.append((grid, (borders.xs[0], borders.ys[-1], borders.xs[-1], borders.ys[0])))
    return tables


def _groups(rules: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
    """Yield the rules beside or near one another, from the foot of the page up."""
    ordered = rules[np.argsort(rules[:, 1])]
    tops = np.maximum.accumulate(ordered[:, 3])
    starts = np.flatnonzero(ordered[1:, 1] > tops[:-1] + _SAME_RULE) + 1
    yield from np.split(ordered, starts)


def _borders(rules: NDArray[np.float64]) -> _TableBorders | None:
    """Return the borders of a table, if the rules make one: two columns and two rows."""
    if len(rules) < MIN_RULES:
        return None
    widths, heights = rules[:, 2] - rules[:, 0], rules[:, 3] - rules[:, 1]
    upright, level = rules[heights > widths], rules[heights <= widths]
    height = rules[:, 3].max() - rules[:, 1].min()
    width = rules[:, 2].max() - rules[:, 0].min()
    xs = _places(upright[:, [0, 2, 1, 3]], _MIN_COVER * height)
    ys = _places(level[:, [1, 3, 0, 2]], _MIN_COVER * width)[::-1]
    if not 3 <= len(xs) <= MAX_TABLE_COLUMNS or not 3 <= len(ys) <= MAX_TABLE_ROWS:
        return None
    return _TableBorders(xs, ys)


def _places(rules: NDArray[np.float64], min_length: float) -> list[float]:
    """Return the places of rules, joined where they coincide, if they are long enough together.

    The columns are: where a rule begins and ends across its direction, and along it.
    """
    middles = (rules[:, 0] + rules[:, 1]) / 2
    order = np.argsort(middles)
    groups = np.split(order, np.flatnonzero(np.diff(middles[order]) > _SAME_RULE) + 1)
    return [
        float(middles[group].mean())
        for group in groups
        if len(group) and _covered(rules[group, 2:].tolist()) >= min_length
    ]


def _covered(intervals: Iterable[list[float]]) -> float:
    """Return the length that intervals cover together."""
    length, reached = 0.0, -np.inf
    for start, end in sorted(intervals):
        length += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return float(length)


def _grid(runs: Sequence[TextLine], borders: _TableBorders) -> PdfTable | None:
    """Return the table of the words between the rules; None where too few or too long cells have text."""
    inside = [run for run in runs if _is_inside(run, borders)]
    between = borders.xs[1:-1]
    depths = [-y for y in borders.ys[1:-1]]
    is_reversed = is_right_to_left("".join([run.text for run in inside]))
    cells: dict[tuple[int, int], list[str]] = {}
    for run in sorted(sorted(inside, key=from_left, reverse=is_reversed), key=from_top):
        row = bisect(depths, -run.bottom - _ABOVE_BASELINE * run.size)
        column = bisect(between, run.left)
        if bisect(between, run.right) == column:
            cells.setdefault((row, column), []).append(run.text)
            continue
        for word in run.words:
            column = bisect(between, (word.left + word.right) / 2)
            cells.setdefault((row, column), []).append(word.text)
    texts = {cell: " ".join(parts) for cell, parts in cells.items()}
    rows = sorted({row for row, _ in texts})
    columns = sorted({column for _, column in texts}, reverse=is_reversed)
    if len(rows) < 2 or len(columns) < 2 or not _are_cells(list(texts.values()), len(rows) * len(columns)):
        return None
    return PdfTable([[texts.get((row, column), "") for column in columns] for row in rows], inside)


def _is_inside(run: TextLine, borders: _TableBorders) -> bool:
    xs, ys = borders
    middle = run.bottom + _ABOVE_BASELINE * run.size
    return ys[-1] < middle < ys[0] and xs[0] - _SAME_RULE < run.left and run.right < xs[-1] + _SAME_RULE


def _are_cells(texts: Sequence[str], cell_count: int) -> bool:
    lengths = [len(text) for text in texts]
    is_short = sum(lengths) <= _MAX_MEAN_CHARS * len(lengths) and max(lengths) <= _MAX_CELL_CHARS
    return is_short and len(texts) >= _MIN_FILLED * cell_count
