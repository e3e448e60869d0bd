"""Tells tables of data from tables used for layout, and builds the former row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.types import Block, Kind, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wellread.web.extract.boxes import Box, Leaf, Walked

_LONG_CELL: Final = 1_500
_MOST_COLUMNS: Final = 200


def data_tables(walked: Walked, kept: Sequence[bool]) -> dict[int, list[Leaf]]:
    """Return index -> leaves of each table of data whose text was mostly kept."""
    found = {}
    for box in walked.boxes:
        if box.tag == "table" and box.items and box.attributes.get("role") not in {"presentation", "none"}:
            leaves = walked.leaves[box.first : box.last + 1]
            chars = sum(leaf.chars for leaf, keep in zip(leaves, kept[box.first : box.last + 1], strict=True) if keep)
            if chars * 2 > box.chars and _is_data(box, walked, leaves):
                found[box.index] = list(leaves)
    return found


def _is_data(table: Box, walked: Walked, leaves: Sequence[Leaf]) -> bool:
    """Tell whether a table has rows and columns of short text."""
    rows = 0
    widest = in_row = headers = 0
    for box in _below(table, walked):
        if box.tag == "table" and box.items:
            return False
        if box.tag == "tr":
            in_row, rows = 0, rows + 1
        elif box.tag in {"td", "th"} and box.items:
            in_row += 1
            widest = max(widest, in_row)
            headers += box.tag == "th"
            if box.chars > _LONG_CELL:
                return False
    if any(leaf.preformatted or (leaf.heading and not headers) for leaf in leaves):
        return False
    return widest >= 2 and rows >= (1 if headers else 2)


def _below(table: Box, walked: Walked) -> Iterator[Box]:
    """Yield the boxes inside a table; they follow it without a gap."""
    for index in range(table.index + 1, len(walked.boxes)):
        box = walked.boxes[index]
        if box.depth <= table.depth:
            return
        yield box


def table(box: Box, walked: Walked, leaves: Sequence[Leaf], spans: Callable[[Leaf], tuple[Span, ...]]) -> Block | None:
    """Return the table as a block, spanned cells filled up with empty ones."""
    texts = _cell_texts(box, leaves, spans)
    rows: list[Block] = []
    cells: list[Block] = []
    reach: dict[int, int] = {}
    """Column -> rows that a cell above still covers."""

    def close_row() -> None:
        if cells:
            rows.append(Block(Kind.ROW, children=tuple(cells)))
            cells.clear()

    for inner in _below(box, walked):
        if inner.tag == "tr":
            close_row()
        elif inner.tag in {"td", "th"} and len(cells) < _MOST_COLUMNS:
            _fill(cells, reach)
            level = int(inner.tag == "th")
            down = _span(inner, "rowspan")
            for extra in range(_span(inner, "colspan")):
                if down > 1:
                    reach[len(cells)] = down - 1
                cells.append(Block(Kind.CELL, () if extra else texts.get(inner.index, ()), level=level))
    close_row()
    caption = [Block(Kind.PARAGRAPH, spans(leaf)) for leaf in leaves if leaf.box.tag == "caption"]
    return Block(Kind.TABLE, children=(*caption, *rows)) if rows else None


def _fill(cells: list[Block], reach: dict[int, int]) -> None:
    """Put empty cells where a cell from a row above reaches down."""
    while reach.get(len(cells), 0) > 0 and len(cells) < _MOST_COLUMNS:
        reach[len(cells)] -= 1
        cells.append(Block(Kind.CELL))


def _cell_texts(
    table: Box, leaves: Sequence[Leaf], spans: Callable[[Leaf], tuple[Span, ...]]
) -> Mapping[int, tuple[Span, ...]]:
    texts: dict[int, tuple[Span, ...]] = {}
    for leaf in leaves:
        cell: Box | None = leaf.box
        while cell is not None and cell is not table and cell.tag not in {"td", "th"}:
            cell = cell.parent
        if cell is not None and cell is not table and leaf.spans:
            before = texts.get(cell.index, ())
            texts[cell.index] = (*before, Span("\n"), *spans(leaf)) if before else spans(leaf)
    return texts


def _span(box: Box, name: str) -> int:
    value = (box.attributes.get(name) or "1").strip()
    return min(max(int(value), 1), _MOST_COLUMNS) if value.isascii() and value.isdigit() and len(value) < 6 else 1
