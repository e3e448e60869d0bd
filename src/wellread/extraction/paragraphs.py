"""Builds the tree of blocks from a flat sequence of paragraphs and tables, as word processors store text.

A list is a run of paragraphs with labels there; which one lies within which is a matter of levels and indents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.text.characters import without_invisible
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wellread.types import Document

MAX_DEPTH: Final = 12
"""Lists within lists."""
MAX_COLUMNS: Final = 200
MAX_GROWTH: Final = 4
"""How many times as many cells as there are a table may be printed with: spans and a wide row make empty ones."""
MAX_CELL_CHARS: Final = 1_500
"""A longer cell makes a layout of a table."""
_MIN_CELLS_PER_NESTED: Final = 3
"""A table with fewer cells with text for each table within a cell arranges tables."""
_TOLERANCE: Final = 60
"""Twips (1/20 point) by which indents of one depth may differ."""
_NUMBER: Final = re.compile(r"([1-9]\d{0,8})[.)]?")
_BLANKS: Final = re.compile(r"[ \t\r\f\v\u2028\u2029]+")
_BREAK: Final = Span("\n")
_WHOLE: Final = int(Style.MATH | Style.NOTE | Style.IMAGE)


class ListItem(NamedTuple):
    """The place of a paragraph in a list."""

    list_id: str
    level: int
    label: str
    """As it is shown: `1.`, `(a)`, a bullet."""


@dataclass(frozen=True, slots=True)
class FlowParagraph:
    """A paragraph before its place in the tree is known."""

    spans: tuple[Span, ...]
    heading: int = 0
    """1 to 6, or 0."""
    quote: bool = False
    code: bool = False
    item: ListItem | None = None
    indent: int = 0
    """Of its text from the margin, in twips."""


Flow = FlowParagraph | Block
"""A paragraph, or a block that is complete: a table, a footnote."""


class TableCell(NamedTuple):
    """A cell of a table in a word processor."""

    flow: Sequence[Flow]
    columns: int = 1
    """How many it spans."""
    covered: bool = False
    """The cell above spans it."""


class TableRow(NamedTuple):
    """A row of a table in a word processor."""

    cells: Sequence[TableCell]
    header: bool = False


def joined_spans(spans: Iterable[Span], *, code: bool = False) -> tuple[tuple[Span, ...], int]:
    """Return spans joined where they look alike, without blanks at line ends; and how many hidden characters went.

    Line breaks become spans of their own. Of `code` every blank stays.
    """
    spans = list(spans)
    if len(spans) == 1 and not code and not spans[0].style & _WHOLE:
        text, style, href = spans[0]
        line = text.strip()
        if line.isascii() and line.isprintable() and "  " not in line:
            return (Span(line, style, href),) * bool(line), 0
    result: list[Span] = []
    removed = 0
    for (style, href), group in groupby(spans, key=lambda span: (span.style, span.href)):
        run = list(group)
        if style & _WHOLE:
            result += run
            continue
        text, count = without_invisible("".join(span.text for span in run))
        removed += count
        if code:
            result.append(Span(text, style, href))
            continue
        for number, line in enumerate(_BLANKS.sub(" ", text).split("\n")):
            if number:
                result.append(_BREAK)
            if line:
                result.append(Span(line, style, href))
    if code:
        return tuple(span for span in result if span.text), removed
    return tuple(_trimmed(result)), removed


def _trimmed(spans: Sequence[Span]) -> Iterator[Span]:
    """Yield spans without blanks and breaks at the ends of the paragraph."""
    first, end = 0, len(spans)
    while first < end and not spans[first].text.strip():
        first += 1
    while end > first and not spans[end - 1].text.strip():
        end -= 1
    for index in range(first, end):
        text = spans[index].text
        if index == first:
            text = text.lstrip()
        if index == end - 1:
            text = text.rstrip()
        yield spans[index]._replace(text=text)


def text_of(spans: Iterable[Span]) -> str:
    """Return the words of spans."""
    return "".join(span.text for span in spans)


def blocks(flow: Iterable[Flow]) -> Document:
    """Return the tree for a flow: lists nested, lines of code and quotations joined; empty paragraphs are left out."""
    builder = _BlockTreeBuilder()
    for part in flow:
        builder.add(part)
    return builder.document()


@dataclass(slots=True)
class _OpenList:
    """A list that may go on."""

    list_id: str
    level: int
    indent: int
    first: int
    """The first number; 0 of bullets."""
    last: int
    items: list[list[Block | _OpenList]] = field(default_factory=list)

    def block(self) -> Block:
        items = tuple(Block(Kind.ITEM, children=_closed(children)) for children in self.items)
        return Block(Kind.LIST, children=items, level=self.first)


def _closed(children: Iterable[Block | _OpenList]) -> tuple[Block, ...]:
    return tuple(_closed_block(child) for child in children)


def _closed_block(child: Block | _OpenList) -> Block:
    if isinstance(child, _OpenList):
        return child.block()
    return child


class _BlockTreeBuilder:
    def __init__(self) -> None:
        self._top: list[Block | _OpenList] = []
        self._lists: list[_OpenList] = []
        """The lists that are open, each within the last item of the one before."""
        self._code: list[str] = []
        self._quoted: list[Block] = []

    def document(self) -> Document:
        self._end_runs()
        return _closed(self._top)

    def add(self, part: Flow) -> None:
        if isinstance(part, Block):
            self._end_runs()
            self._lists.clear()
            self._top.append(part)
        elif part.code:
            self._end_quote()
            self._lists.clear()
            self._code.append(text_of(part.spans))
        elif part.spans:
            self._add_text(part)

    def _add_text(self, part: FlowParagraph) -> None:
        self._end_code()
        block = Block(Kind.PARAGRAPH, part.spans)
        if part.quote and part.item is None:
            self._lists.clear()
            self._quoted.append(block)
            return
        self._end_quote()
        if part.heading:
            self._lists.clear()
            self._top.append(Block(Kind.HEADING, labelled(part), level=min(part.heading, 6)))
        elif part.item is not None and part.item.label:
            self._add_item(part, part.item)
        else:
            self._continue_item(part.indent).append(block)

    def _end_runs(self) -> None:
        self._end_code()
        self._end_quote()

    def _end_code(self) -> None:
        if any(line.strip() for line in self._code):
            self._top.append(Block(Kind.CODE, (Span("\n".join(self._code).strip("\n")),)))
        self._code.clear()

    def _end_quote(self) -> None:
        if self._quoted:
            self._top.append(Block(Kind.QUOTE, children=tuple(self._quoted)))
        self._quoted.clear()

    def _continue_item(self, indent: int) -> list[Block | _OpenList]:
        """Return where a paragraph without a label belongs: into the item that it is indented like, or to the top."""
        while self._lists and self._lists[-1].indent > indent + _TOLERANCE:
            self._lists.pop()
        if indent <= 0 or (self._lists and self._lists[-1].indent < indent - _TOLERANCE):
            self._lists.clear()
        if self._lists:
            return self._lists[-1].items[-1]
        return self._top

    def _add_item(self, part: FlowParagraph, item: ListItem) -> None:
        self._close_deeper(item, part.indent)
        number = _ordinal(item.label)
        spans = part.spans
        if not number:
            spans = labelled(part)
        children: list[Block | _OpenList] = [Block(Kind.PARAGRAPH, spans)]
        current = self._sibling(item, part.indent)
        if current is not None and _continues(current, number):
            current.last = number
            current.items.append(children)
            return
        if current is not None:
            self._lists.pop()
        fresh = _OpenList(item.list_id, item.level, part.indent, number, number, [children])
        parent = self._top
        if self._lists:
            parent = self._lists[-1].items[-1]
        parent.append(fresh)
        self._lists.append(fresh)

    def _close_deeper(self, item: ListItem, indent: int) -> None:
        """Close the lists that this item does not lie within or go on with."""
        same = [index for index, opened in enumerate(self._lists) if opened.list_id == item.list_id]
        if same:
            del self._lists[same[-1] + 1 :]
        while self._lists and (self._is_deeper(self._lists[-1], item, indent) or len(self._lists) > MAX_DEPTH):
            self._lists.pop()

    @staticmethod
    def _is_deeper(opened: _OpenList, item: ListItem, indent: int) -> bool:
        if opened.list_id == item.list_id:
            return opened.level > item.level
        return opened.indent > indent + _TOLERANCE

    def _sibling(self, item: ListItem, indent: int) -> _OpenList | None:
        """Return the innermost list if this item is on its level."""
        if not self._lists:
            return None
        current = self._lists[-1]
        if len(self._lists) >= MAX_DEPTH:
            return current
        if current.list_id == item.list_id:
            beside = current.level == item.level
        else:
            beside = abs(current.indent - indent) <= _TOLERANCE
        if beside:
            return current
        return None


def _ordinal(label: str) -> int:
    """Return the number of a label that Markdown can show as well; 0 for a bullet or another label."""
    match = _NUMBER.fullmatch(label)
    if match is None:
        return 0
    return int(match[1])


def _continues(current: _OpenList, number: int) -> bool:
    if number:
        return current.first > 0 and number == current.last + 1
    return current.first == 0


def labelled(part: FlowParagraph) -> tuple[Span, ...]:
    """Return the spans of a paragraph after its label, if that says more than a bullet."""
    if part.item is None or not any(char.isalnum() for char in part.item.label):
        return part.spans
    label, _ = without_invisible(part.item.label)
    return (Span(f"{label.strip()} "), *part.spans)


# ------------------------------------------------------------------------------------------------------- tables


def table(rows: Sequence[TableRow]) -> list[Flow]:
    """Return a table of data as one block; of a table that only arranges text, the text cell by cell."""
    rows = [row for row in rows if row.cells]
    if not _is_data(rows):
        return [part for row in rows for cell in row.cells for part in cell.flow]
    printed = _in_room(_grid(rows))
    if not printed:
        return []
    return [Block(Kind.TABLE, children=tuple(Block(Kind.ROW, children=tuple(cells)) for cells in printed))]


def _is_data(rows: Sequence[TableRow]) -> bool:
    """Tell whether a table has rows and columns of short text; a few of its cells may hold tables."""
    headers = any(row.header for row in rows)
    cells = [cell for row in rows for cell in row.cells]
    if not all(_is_data_cell(cell, headers=headers) for cell in cells):
        return False
    nested = sum(any(isinstance(part, Block) and part.kind is Kind.TABLE for part in cell.flow) for cell in cells)
    if nested and nested * _MIN_CELLS_PER_NESTED > sum(bool(cell.flow) for cell in cells):
        return False
    enough = 1 if headers else 2
    return len(rows) >= enough and max((len(row.cells) for row in rows), default=0) >= 2


def _is_data_cell(cell: TableCell, *, headers: bool) -> bool:
    """Tell whether a cell holds short text, a list or a small table; `headers` tells whether its table has some."""
    if any(isinstance(part, Block) and part.kind not in {Kind.LIST, Kind.TABLE} for part in cell.flow):
        return False
    paragraphs = [part for part in cell.flow if isinstance(part, FlowParagraph)]
    if any(part.code or (part.heading and not headers and len(paragraphs) > 1) for part in paragraphs):
        return False
    return sum(len(span.text) for line in _cell_lines(cell.flow) for span in line) <= MAX_CELL_CHARS


def _grid(rows: Sequence[TableRow]) -> list[list[Block]]:
    """Return the cells as they are laid out, spanned places as empty cells."""
    present = sum(len(row.cells) for row in rows)
    spare = present * (MAX_GROWTH - 1) + MAX_COLUMNS
    grid = []
    for row in rows:
        cells: list[Block] = []
        level = int(row.header)
        for cell in row.cells[:MAX_COLUMNS]:
            spans: tuple[Span, ...] = ()
            if not cell.covered:
                spans = cell_spans(cell.flow)
            cells.append(Block(Kind.CELL, spans, level=level))
            padding = max(0, min(cell.columns - 1, spare, MAX_COLUMNS - len(cells)))
            spare -= padding
            cells += [Block(Kind.CELL, level=level)] * padding
        grid.append(cells)
    return grid


def _in_room(grid: list[list[Block]]) -> list[list[Block]]:
    """Return the rows without empty columns; surplus cells of a row far wider than the others share its last cell."""
    filled = sorted({index for cells in grid for index, cell in enumerate(cells) if cell.spans})
    present = sum(map(len, grid))
    widest = max((present * MAX_GROWTH + MAX_COLUMNS) // max(len(grid), 1), 2)
    rows = []
    for row in grid:
        cells = [row[index] for index in filled if index < len(row)]
        if len(cells) > widest:
            spare = [span for cell in cells[widest - 1 :] if cell.spans for span in (Span(" "), *cell.spans)]
            cells[widest - 1 :] = [cells[widest - 1]._replace(spans=tuple(spare[1:]))]
        if any(cell.spans for cell in cells):
            rows.append(cells)
    return rows


def cell_spans(flow: Iterable[Flow]) -> tuple[Span, ...]:
    """Return the paragraphs of a cell, one a line, items with their labels; of a table in it, each row on a line."""
    spans: list[Span] = []
    for line in _cell_lines(flow):
        if spans:
            spans.append(_BREAK)
        spans += line
    return tuple(spans)


def _cell_lines(flow: Iterable[Flow]) -> Iterator[tuple[Span, ...]]:
    for part in flow:
        if isinstance(part, Block):
            yield from (_row_line(row) for row in part.children if part.kind is Kind.TABLE)
        elif part.spans and part.item is not None and part.item.label:
            is_bullet = not any(char.isalnum() for char in part.item.label)
            yield (Span("\u2022 "), *part.spans) if is_bullet else labelled(part)
        elif part.spans:
            yield part.spans


def _row_line(row: Block) -> tuple[Span, ...]:
    """Return the cells of a row in one line, separated by commas."""
    spans: list[Span] = []
    for cell in row.children:
        if spans and cell.spans:
            spans.append(Span(", "))
        spans += cell.spans
    return tuple(spans)
