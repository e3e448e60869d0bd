"""Tells tables of data from tables used for layout, builds their rows, and joins header tables to bodies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.segmentation import boxes
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wellread.extraction.selection import BlockSelection
    from wellread.segmentation.boxes import Box, Leaf, Walked

_LONG_CELL: Final = 1_500
_LEAST_ROWS: Final = 3
_SHORT_CELL: Final = 100
"""Rows, and characters of each cell, of a table that has but one column, below a header."""
_MOST_COLUMNS: Final = 200
_MOST_GROWTH: Final = 4
_PLACES: Final = frozenset({"td", "th", "caption"})


def kept_tables(walked: Walked, choice: BlockSelection) -> dict[int, Sequence[Leaf]]:
    """Return index -> leaves of each table of data whose text was mostly kept."""
    leaves_by_table = {}
    header_tables = []
    is_kept = choice.is_kept
    for box in data_tables(walked) if choice.tables is None else choice.tables:
        if _has_only_header_cells(box, walked):
            header_tables.append(box)
        leaves = walked.leaves[box.first : box.end]
        chars = sum(leaf.chars for leaf, keep in zip(leaves, is_kept[box.first : box.end], strict=True) if keep)
        if chars * 2 > boxes.chars(leaves):
            leaves_by_table[box.index] = leaves
    starts = {walked.boxes[at].first for at in leaves_by_table}
    for box in reversed(header_tables):
        if box.end in starts:
            leaves_by_table[box.index] = walked.leaves[box.first : box.end]
            starts.add(box.first)
    return leaves_by_table


def _has_only_header_cells(table: Box, walked: Walked) -> bool:
    """Tell whether a table has nothing but header cells: the rest of it scrolls in a table of its own."""
    return all(boxes.is_header_cell(box) for box in boxes.below(table, walked) if box.items and boxes.is_cell(box))


def merged_tables(header: Block, body: Block) -> Block | None:
    """Return the table that two make of which the first has nothing but header rows; None where they are two."""
    rows, more = ([row for row in block.children if row.kind is Kind.ROW] for block in (header, body))
    if not rows or not more or not all(cell.level for row in rows for cell in row.children):
        return None
    if len(rows[-1].children) != len(more[0].children):
        return None
    if more[: len(rows)] == rows:
        return body
    if any(cell.level for cell in more[0].children):  # the body has a header of its own
        return None
    captions = [child for part in (header, body) for child in part.children if child.kind is not Kind.ROW]
    return body._replace(children=(*captions, *rows, *more))


def data_tables(walked: Walked) -> Iterator[Box]:
    """Yield the tables of data."""
    for box in walked.boxes:
        if (box.tag == "table" or box.columns or "role" in box.attributes) and box.items and boxes.is_table(box):
            leaves = walked.leaves[box.first : box.end]
            if _is_data(box, walked, leaves):
                yield box


def _is_data(table: Box, walked: Walked, leaves: Sequence[Leaf]) -> bool:
    """Tell whether a table has rows and columns of short text."""
    rows = 0
    widest = in_row = headers = longest = 0
    for box in boxes.below(table, walked):
        holds_text = box.first < box.end
        if holds_text and (box.tag == "table" or boxes.is_table(box)):
            return False
        if boxes.begins_row(box):
            in_row, rows = 0, rows + 1
        if holds_text and boxes.is_cell(box):
            in_row += 1
            widest = max(widest, in_row)
            headers += boxes.is_header_cell(box)
            longest = max(longest, boxes.chars(walked.leaves[box.first : box.end]))
            if longest > _LONG_CELL:
                return False
    if any(leaf.preformatted or (leaf.heading and not headers and not _is_alone(leaf)) for leaf in leaves):
        return False
    if widest == 1:
        return headers == 1 and rows >= _LEAST_ROWS and longest <= _SHORT_CELL
    return widest >= 2 and rows >= (1 if headers else 2)


def _is_alone(leaf: Leaf) -> bool:
    """Tell whether a cell holds nothing but this heading: so are tables written whose author knows no <th>."""
    return leaf.box.parent is not None and leaf.box.parent.items == 1


def table(box: Box, walked: Walked, leaves: Sequence[Leaf], spans: Callable[[Leaf], tuple[Span, ...]]) -> Block | None:
    """Return the table as a block, spanned cells filled up with empty ones; never many more cells than there are."""
    inside = list(boxes.below(box, walked))
    grid = _TableGrid(_cell_texts(box, leaves, spans), sum(map(boxes.is_cell, inside)))
    for inner in inside:
        if boxes.begins_row(inner):
            grid.close_row()
        if boxes.is_cell(inner):
            grid.add(inner)
    grid.close_row()
    caption = [Block(Kind.PARAGRAPH, spans(leaf)) for leaf in leaves if _in_caption(leaf.box)]
    if not grid.rows:
        return None
    rows = tuple(grid.rows_in_room())
    titles = _title_count(rows)
    below_titles = _with_bold_header(rows[titles:])
    if titles and _is_header_row(below_titles[0]):
        caption += [Block(Kind.PARAGRAPH, cell.spans) for row in rows[:titles] for cell in row.children if cell.spans]
        return Block(Kind.TABLE, children=(*caption, *below_titles))
    return Block(Kind.TABLE, children=(*caption, *_with_bold_header(rows)))


def _title_count(rows: Sequence[Block]) -> int:
    """Return how many rows at the start have but one cell, which spans all columns; 0 where all rows have."""
    for index, row in enumerate(rows):
        if len(row.children) < 2 or any(cell.label != "left" for cell in row.children[1:]):
            return index
    return 0


def _is_header_row(row: Block) -> bool:
    """Tell whether a row names two columns or more, in nothing but header cells."""
    return all(cell.level for cell in row.children) and sum(bool(cell.spans) for cell in row.children) > 1


def _with_bold_header(rows: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return rows with the first row as header if it alone is bold and the page marks no header cell.

    Tables of word processors and mail have such rows. The text stays as it is.
    """
    if len(rows) < 2 or any(cell.level for row in rows for cell in row.children):
        return rows
    if not _is_bold(rows[0]) or _is_bold(rows[1]):
        return rows
    header = rows[0]._replace(children=tuple(cell._replace(level=1) for cell in rows[0].children))
    return (header, *rows[1:])


def _is_bold(row: Block) -> bool:
    """Tell whether each cell of a row has words, or is its empty corner, and all words are bold."""
    spans = [span for cell in row.children for span in cell.spans if span.text.strip()]
    if len(row.children) < 2 or not all(cell.spans for cell in row.children[1:]):
        return False
    return bool(spans) and all(span.style & Style.STRONG for span in spans)


def _in_caption(box: Box) -> bool:
    """Tell whether a box stands in the caption of a table, and not in a cell."""
    return next((at.tag for at in box.around() if at.tag in _PLACES), "") == "caption"


class _TableGrid:
    """The cells of a table as they are laid out."""

    def __init__(self, texts: Mapping[int, Sequence[Span]], present: int) -> None:
        self.rows: list[list[Block]] = []
        self._texts = texts
        self._room = present * _MOST_GROWTH + _MOST_COLUMNS
        """Cells that may be printed: a few hundred bytes of `rowspan` and `colspan` would make millions."""
        self._empty = self._room - present
        self._cells: list[Block] = []
        self._reach: dict[int, int] = {}
        """Column -> rows that a cell above still covers."""

    def close_row(self) -> None:
        """End the row, if one is begun; cells from above that cover columns after its last cell cover one row less."""
        for column in self._reach:
            if column >= len(self._cells):
                self._reach[column] -= 1
        if self._cells:
            self.rows.append(self._cells)
            self._cells = []

    def add(self, cell: Box) -> None:
        """Put the next cell into its columns."""
        if len(self._cells) >= _MOST_COLUMNS:
            return
        while self._reach.get(len(self._cells), 0) > 0 and len(self._cells) < _MOST_COLUMNS:
            self._reach[len(self._cells)] -= 1
            self._put_empty("above")
        is_header, down = boxes.is_header_cell(cell), _span(cell, "rowspan")
        for extra in range(_span(cell, "colspan")):
            if extra and not self._empty:
                self._reach.clear()
                break
            if down > 1:
                self._reach[len(self._cells)] = down - 1
            if extra:
                self._put_empty("left", is_header=is_header)
            else:
                self._cells.append(Block(Kind.CELL, tuple(self._texts.get(cell.index, ())), level=int(is_header)))

    def _put_empty(self, covered_by: str, *, is_header: bool = False) -> None:
        if self._empty > 0:
            self._empty -= 1
            self._cells.append(Block(Kind.CELL, level=int(is_header), label=covered_by))
        else:
            self._reach.clear()

    def rows_in_room(self) -> Iterator[Block]:
        """Yield the rows; the surplus cells of a row far wider than the others share its last cell.

        All are printed as wide as the widest, without the columns that are empty in every row.
        """
        widest = max(self._room // len(self.rows), 2)
        filled_columns = {at for cells in self.rows for at, cell in enumerate(cells) if cell.spans}
        for row in self.rows:
            cells = [cell for at, cell in enumerate(row) if at in filled_columns]
            if len(cells) > widest:
                shared_spans = [span for cell in cells[widest - 1 :] if cell.spans for span in (Span(" "), *cell.spans)]
                cells[widest - 1 :] = [cells[widest - 1]._replace(spans=tuple(shared_spans[1:]))]
            yield Block(Kind.ROW, children=tuple(cells))


def _cell_texts(
    table: Box, leaves: Sequence[Leaf], spans: Callable[[Leaf], tuple[Span, ...]]
) -> Mapping[int, list[Span]]:
    texts: dict[int, list[Span]] = {}
    for leaf in leaves:
        cell: Box | None = leaf.box
        while cell is not None and cell is not table and not boxes.is_cell(cell):
            cell = cell.parent
        if cell is not None and cell is not table and leaf.spans:
            text = texts.setdefault(cell.index, [])
            text.extend([Span("\n"), *spans(leaf)] if text else spans(leaf))
    return texts


def _span(box: Box, name: str) -> int:
    value = (box.attributes.get(name) or "1").strip()
    if value.isascii() and value.isdigit() and len(value) < 6:
        return min(max(int(value), 1), _MOST_COLUMNS)
    return 1
