"""Collect printed text with its offsets: where it may be cut, and where each unit and heading stands."""

from __future__ import annotations

from dataclasses import dataclass
from sys import getsizeof
from typing import TYPE_CHECKING, NamedTuple

from wellread.types import Heading, Kind, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.types import Block, Document, Span

_MARK_BYTES = 300
"""Memory of a mark, its offsets and its path (CPython 3.11, 64 bits)."""
_IMAGE = int(Style.IMAGE)
_NOT_WORDS = int(Style.IMAGE | Style.NOTE)
_MAX_ALTERNATIVE_CHARS = 80
"""Readers do not see the alternative text of a picture, and the meaning of a cell of data seldom takes more."""
_KINDS_KEPT = frozenset({Kind.CODE, Kind.BYLINE})
"""Kinds of units that do not depend on the container."""
_KINDS_OF_CONTAINERS = frozenset({Kind.ITEM, Kind.QUOTE, Kind.FOOTNOTE})


class UnitMark(NamedTuple):
    """A printed unit: `text[start:end]` is one paragraph, heading, list item, table row or code block as printed."""

    start: int
    end: int
    kind: Kind
    path: tuple[str, ...]
    """The headings above it, outermost first."""
    follows: bool = False
    """It continues the table, list or quotation of the unit before it."""


@dataclass(frozen=True, slots=True)
class PrintedDocument:
    """A document as text, with the offsets that paging, ranking and citing need."""

    text: str
    cuts: tuple[int, ...]
    """Ascending offsets where a new unit starts; slices between them join to the whole text."""
    headings: tuple[Heading, ...]
    marks: tuple[UnitMark, ...]


def print_bytes(printed: PrintedDocument) -> int:
    """Return the approximate memory of a print in bytes."""
    return getsizeof(printed.text) + _MARK_BYTES * len(printed.marks)


class WalkStep(NamedTuple):
    """One step of the walk over a document: into a container, out of it, or a leaf (a table counts as one)."""

    block: Block
    entering: bool | None
    """True and False for containers, None for leaves."""
    after: Kind | None
    """The kind of the sibling just before."""


_CONTAINERS = frozenset({Kind.LIST, Kind.ITEM, Kind.QUOTE, Kind.FOOTNOTE})


def is_picture_block(block: Block) -> bool:
    """Tell whether a block is a picture or the caption of one, so that it is printed only where pictures are."""
    if block.kind is Kind.CAPTION:
        return True
    return block.kind is Kind.PARAGRAPH and bool(block.spans) and all(map(_is_picture_span, block.spans))


def _is_picture_span(span: Span) -> bool:
    return bool(span.style & _IMAGE) or span.text.isspace()


def printed_blocks(blocks: tuple[Block, ...], *, images: bool) -> tuple[Block, ...]:
    """Return the blocks to print: without `images`, no pictures, and no lists and items of pictures alone."""
    if images:
        return blocks
    return tuple(block for block in blocks if not is_picture_block(block) and not _is_gallery(block))


def _is_gallery(block: Block) -> bool:
    items = block.children if block.kind is Kind.LIST else (block,)
    return bool(items) and all(
        item.kind is Kind.ITEM and bool(item.children) and not item.spans and all(map(is_picture_block, item.children))
        for item in items
    )


def walk(document: Document, *, images: bool) -> Iterator[WalkStep]:
    """Walk the printed blocks of `document` in order without recursion: a plugin may hand over any depth."""
    stack: list[tuple[Block | None, Iterator[Block], Kind | None]] = [
        (None, iter(printed_blocks(document, images=images)), None)
    ]
    while stack:
        container, blocks, after = stack.pop()
        for block in blocks:
            if block.kind in _CONTAINERS:
                yield WalkStep(block, entering=True, after=after)
                stack.append((container, blocks, block.kind))
                stack.append((block, iter(printed_blocks(_children(block), images=images)), None))
                break
            if block.kind is Kind.TABLE:
                captions = (child for child in block.children if child.kind is Kind.PARAGRAPH)
                yield from (WalkStep(caption, entering=None, after=after) for caption in captions)
            yield WalkStep(block, entering=None, after=after)
            after = block.kind
        else:
            if container is not None:
                yield WalkStep(container, entering=False, after=None)


def _children(block: Block) -> tuple[Block, ...]:
    """Return the children of a container, its own spans first as a paragraph."""
    if not block.spans:
        return block.children
    return (block._replace(kind=Kind.PARAGRAPH, children=()), *block.children)


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
        self.unit(text, Kind.HEADING)
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
    if container in _KINDS_OF_CONTAINERS and (first or container is not Kind.ITEM):
        return container
    return Kind.PARAGRAPH


def table_rows(table: Block) -> list[tuple[Block, ...]]:
    """Return the cells of each row, padded to the same width."""
    rows = [row.children for row in table.children if row.kind is Kind.ROW]
    width = max((len(cells) for cells in rows), default=0)
    empty_cell = table._replace(kind=Kind.CELL, spans=(), children=(), level=0)
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
