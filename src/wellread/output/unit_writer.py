"""Collect printed text with its offsets: where it may be cut, and where each unit and heading stands."""

from __future__ import annotations

from sys import getsizeof
from typing import TYPE_CHECKING, Literal, NamedTuple

from wellread.types import Heading, Kind, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.types import Block, Document, Span

# Names of this module: the look-up of a member in its class takes 25 times as long (CPython 3.11).
_HEADING, _PARAGRAPH, _CAPTION, _CODE, _BYLINE = Kind.HEADING, Kind.PARAGRAPH, Kind.CAPTION, Kind.CODE, Kind.BYLINE
_LIST, _ITEM, _QUOTE, _FOOTNOTE = Kind.LIST, Kind.ITEM, Kind.QUOTE, Kind.FOOTNOTE
_TABLE, _ROW, _CELL = Kind.TABLE, Kind.ROW, Kind.CELL
_MARK_BYTES = 300
"""Memory of a mark, its offsets and its path (CPython 3.11, 64 bits)."""
_IMAGE = int(Style.IMAGE)
_NOT_WORDS = int(Style.IMAGE | Style.NOTE)
_MAX_ALTERNATIVE_CHARS = 80
"""Readers do not see the alternative text of a picture, and the meaning of a cell of data seldom takes more."""
_KINDS_KEPT = frozenset({_CODE, _BYLINE})
"""Kinds of units that do not depend on the container."""
_KINDS_OF_CONTAINERS = frozenset({_ITEM, _QUOTE, _FOOTNOTE})


class UnitMark(NamedTuple):
    """A printed unit: `text[start:end]` is one paragraph, heading, list item, table row or code block as printed."""

    start: int
    end: int
    kind: Kind
    path: tuple[str, ...]
    """The headings above it, outermost first."""
    follows: bool = False
    """It continues the table, list or quotation of the unit before it."""


class PrintedDocument(NamedTuple):
    """A document as text, with the offsets that paging, ranking and citing need."""

    text: str
    cuts: tuple[int, ...]
    """Ascending offsets where a new unit starts; slices between them join to the whole text."""
    headings: tuple[Heading, ...]
    marks: tuple[UnitMark, ...]


def print_bytes(printed: PrintedDocument) -> int:
    """Return the approximate memory of a print in bytes."""
    return getsizeof(printed.text) + _MARK_BYTES * len(printed.marks)


WalkStep = tuple["Block", Literal["enter", "leaf", "leave"], "Kind | None"]
"""One step of the walk over a document: into a container, a leaf (a table counts as one), or out of a container; and
the kind of the sibling just before. A plain tuple, which takes a tenth of the time of a named one."""

_CONTAINERS = frozenset({_LIST, _ITEM, _QUOTE, _FOOTNOTE})


def is_picture_block(block: Block) -> bool:
    """Tell whether a block is a picture or the caption of one, so that it is printed only where pictures are."""
    kind, spans, *_ = block
    if kind is _PARAGRAPH:
        return bool(spans) and all(map(_is_picture_span, spans))
    return kind is _CAPTION


def _is_picture_span(span: Span) -> bool:
    text, style, _ = span
    return bool(style & _IMAGE) or text.isspace()


def printed_blocks(blocks: tuple[Block, ...], *, images: bool) -> Sequence[Block]:
    """Return the blocks to print: without `images`, no pictures, and no lists and items of pictures alone."""
    if images:
        return blocks
    return [block for block in blocks if not _is_of_pictures(block)]


def _is_of_pictures(block: Block) -> bool:
    kind = block[0]
    if kind is _LIST:
        return bool(block.children) and all(map(_is_picture_item, block.children))
    if kind is _ITEM:
        return _is_picture_item(block)
    return is_picture_block(block)


def _is_picture_item(block: Block) -> bool:
    is_item = block.kind is _ITEM and bool(block.children) and not block.spans
    return is_item and all(map(is_picture_block, block.children))


def walk(document: Document, *, images: bool) -> Iterator[WalkStep]:
    """Walk the printed blocks of `document` in order without recursion: a plugin may hand over any depth."""
    stack: list[tuple[Block | None, Iterator[Block], Kind | None]] = [
        (None, iter(printed_blocks(document, images=images)), None)
    ]
    while stack:
        container, blocks, after = stack.pop()
        for block in blocks:
            if block.kind in _CONTAINERS:
                yield block, "enter", after
                stack.append((container, blocks, block.kind))
                stack.append((block, iter(printed_blocks(_children(block), images=images)), None))
                break
            if block.kind is _TABLE:
                captions = (child for child in block.children if child.kind is _PARAGRAPH)
                for caption in captions:
                    yield caption, "leaf", after
            yield block, "leaf", after
            after = block.kind
        else:
            if container is not None:
                yield container, "leave", None


def _children(block: Block) -> tuple[Block, ...]:
    """Return the children of a container, its own spans first as a paragraph."""
    if not block.spans:
        return block.children
    return (block._replace(kind=_PARAGRAPH, children=()), *block.children)


def plain(spans: Sequence[Span]) -> str:
    """Return the words of spans in one line, without pictures and references to notes."""
    return " ".join("".join(span.text for span in spans if not span.style & _NOT_WORDS).split())


class UnitWriter:
    """The text of a print, written unit by unit, and the offsets in it."""

    def __init__(self) -> None:
        self.length = 0
        self._parts: list[str] = []
        self._cuts: list[int] = []
        self._headings: list[Heading] = []
        self._marks: list[UnitMark] = []
        self._open_headings: list[tuple[int, str]] = []
        """Level and title of the headings above the current place, outermost first."""
        self._path: tuple[str, ...] = ()
        """The titles of the open headings."""

    def write(self, text: str) -> None:
        """Add text that belongs to no unit."""
        if text:
            self._parts.append(text)
            self.length += len(text)

    def may_cut(self) -> None:
        """Allow a cut here, at the start of a unit."""
        if self.length and (not self._cuts or self._cuts[-1] != self.length):
            self._cuts.append(self.length)

    def unit(self, text: str, kind: Kind, *, follows: bool = False) -> None:
        """Add a unit below the current headings; `follows` is that of `UnitMark`."""
        self._marks.append(UnitMark(self.length, self.length + len(text), kind, self._path, follows))
        self.write(text)

    def heading(self, text: str, block: Block) -> None:
        """Add a heading, which then is above the next units."""
        level = heading_level(block)
        while self._open_headings and self._open_headings[-1][0] >= level:
            self._open_headings.pop()
        self._path = tuple(title for _, title in self._open_headings)
        title = plain(block.spans)
        self._headings.append(Heading(level, title, self.length))
        self.unit(text, _HEADING)
        self._open_headings.append((level, title))
        self._path = (*self._path, title)

    def printed(self) -> PrintedDocument:
        """Return the print."""
        cuts = tuple(cut for cut in self._cuts if cut < self.length)
        return PrintedDocument("".join(self._parts), cuts, tuple(self._headings), tuple(self._marks))


def heading_level(block: Block) -> int:
    """Return the level, held within 1 to 6."""
    return min(max(block.level, 1), 6)


def unit_kind(block: Block, container: Kind | None, *, first: bool) -> Kind:
    """Return the kind of a leaf's unit: that of its container, but only the first leaf of an item is the item."""
    if block.kind in _KINDS_KEPT:
        return block.kind
    if container in _KINDS_OF_CONTAINERS and (first or container is not _ITEM):
        return container
    return _PARAGRAPH


def table_rows(table: Block) -> list[tuple[Block, ...]]:
    """Return the cells of each row, padded to the same width."""
    rows = [row.children for row in table.children if row.kind is _ROW]
    width = max((len(cells) for cells in rows), default=0)
    empty_cell = table._replace(kind=_CELL, spans=(), children=(), level=0)
    return [cells + (empty_cell,) * (width - len(cells)) for cells in rows]


def cell_spans(cell: Block, *, images: bool) -> tuple[Span, ...]:
    """Return the spans of a cell and of the blocks in it, one block after another, without recursion.

    A cell of nothing but pictures that are not printed gives their alternative texts where these are short: `Yes`.
    """
    spans = list(cell.spans)
    stack = list(reversed(cell.children))
    while stack:
        block = stack.pop()
        if spans and block.spans:
            spans.append(block.spans[0]._replace(text="\n", style=0, href=None))
        spans.extend(block.spans)
        stack.extend(reversed(block.children))
    if spans and not images and all(map(_is_picture_span, spans)):
        alternative = " ".join(span.text for span in spans if span.style & _IMAGE)
        if len(alternative) >= _MAX_ALTERNATIVE_CHARS:
            return ()
        return (spans[0]._replace(text=alternative, style=0, href=None),)
    return tuple(spans)
