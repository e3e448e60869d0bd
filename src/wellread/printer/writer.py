"""Collects printed text and keeps count: where it may be cut, where each unit and heading stands."""

from __future__ import annotations

from dataclasses import dataclass
from sys import getsizeof
from typing import TYPE_CHECKING, NamedTuple

from wellread.types import Heading, Kind, Style

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.types import Block, Document, Span

_MARK_BYTES = 300
"""What a mark takes in memory, its offsets and its path (CPython 3.11, 64 bits)."""
_IMAGE = int(Style.IMAGE)
_MATERIAL = int(Style.IMAGE | Style.NOTE)
_LONGEST_ALTERNATIVE = 80
"""Characters: nobody sees the words that stand for a picture, and few need more to say what a cell of data says."""
OWN = frozenset({Kind.CODE, Kind.BYLINE})
"""What is called by its own kind wherever it stands."""
_PLACES = frozenset({Kind.ITEM, Kind.QUOTE, Kind.FOOTNOTE})


class Mark(NamedTuple):
    """A printed unit: `text[start:end]` is one paragraph, heading, list item, table row or code block as printed."""

    start: int
    end: int
    kind: Kind
    path: tuple[str, ...]
    """The headings above it, outermost first."""
    follows: bool = False
    """It goes on with what the unit before it belongs to: a row of the same table, or the same list or quotation."""


@dataclass(frozen=True, slots=True)
class Printed:
    """A document as text, and the places in it that paging, ranking and citing need."""

    text: str
    cuts: tuple[int, ...]
    """Ascending offsets where a new unit starts; slices between them join to the whole text."""
    headings: tuple[Heading, ...]
    marks: tuple[Mark, ...]


def print_bytes(printed: Printed) -> int:
    """Return about how much memory a print takes."""
    return getsizeof(printed.text) + _MARK_BYTES * len(printed.marks)


class Step(NamedTuple):
    """One step of the walk over a document: into a container, out of it, or a leaf (a table counts as one)."""

    block: Block
    entering: bool | None
    """True and False for containers, None for leaves."""
    after: Kind | None
    """The kind of the sibling just before."""


_CONTAINERS = frozenset({Kind.LIST, Kind.ITEM, Kind.QUOTE, Kind.FOOTNOTE})


def is_picture(block: Block) -> bool:
    """Tell whether nothing of a block is printed where pictures are not: it is one, or the caption of one."""
    if block.kind is Kind.CAPTION:
        return True
    return block.kind is Kind.PARAGRAPH and bool(block.spans) and all(map(_is_picture_span, block.spans))


def _is_picture_span(span: Span) -> bool:
    return bool(span.style & _IMAGE) or span.text.isspace()


def shown(blocks: tuple[Block, ...], *, images: bool) -> tuple[Block, ...]:
    """Return the blocks of which something is printed: without pictures, and lists and items of nothing else."""
    if images:
        return blocks
    return tuple(block for block in blocks if not is_picture(block) and not _is_gallery(block))


def _is_gallery(block: Block) -> bool:
    items = block.children if block.kind is Kind.LIST else (block,)
    return bool(items) and all(
        item.kind is Kind.ITEM and bool(item.children) and not item.spans and all(map(is_picture, item.children))
        for item in items
    )


def steps(document: Document, *, images: bool) -> Iterator[Step]:
    """Walk what is printed of `document` in order without recursion: a plugin may hand over any depth."""
    stack: list[tuple[Block | None, Iterator[Block], Kind | None]] = [
        (None, iter(shown(document, images=images)), None)
    ]
    while stack:
        owner, rest, after = stack.pop()
        for block in rest:
            if block.kind in _CONTAINERS:
                yield Step(block, entering=True, after=after)
                stack.append((owner, rest, block.kind))
                stack.append((block, iter(shown(_inside(block), images=images)), None))
                break
            within = block.children if block.kind is Kind.TABLE else ()
            told_above = (child for child in within if child.kind is Kind.PARAGRAPH)  # the caption
            yield from (Step(leaf, entering=None, after=after) for leaf in (*told_above, block))
            after = block.kind
        else:
            if owner is not None:
                yield Step(owner, entering=False, after=None)


def _inside(block: Block) -> tuple[Block, ...]:
    """Read spans held by a container as its first paragraph."""
    if not block.spans:
        return block.children
    return (block._replace(kind=Kind.PARAGRAPH, children=()), *block.children)


def plain(spans: Sequence[Span]) -> str:
    """Return the words alone, in one line."""
    return " ".join("".join(span.text for span in spans if not span.style & _MATERIAL).split())


class Writer:
    """Grows the text unit by unit."""

    def __init__(self) -> None:
        self.length = 0
        self._parts: list[str] = []
        self._cuts: list[int] = []
        self._headings: list[Heading] = []
        self._marks: list[Mark] = []
        self._above: list[tuple[int, str]] = []
        self._path: tuple[str, ...] = ()
        """The titles in `_above`."""

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
        """Add a unit below the current headings; whether it `follows`, see `Mark`."""
        self._marks.append(Mark(self.length, self.length + len(text), kind, self._path, follows))
        self.write(text)

    def heading(self, text: str, block: Block) -> None:
        """Add a heading, which then stands above what follows."""
        level = heading_level(block)
        while self._above and self._above[-1][0] >= level:
            self._above.pop()
        self._path = tuple(title for _, title in self._above)
        title = plain(block.spans)
        self._headings.append(Heading(level, title, self.length))
        self.unit(text, Kind.HEADING)
        self._above.append((level, title))
        self._path = (*self._path, title)

    def printed(self) -> Printed:
        """Return what was written."""
        cuts = tuple(cut for cut in self._cuts if cut < self.length)
        return Printed("".join(self._parts), cuts, tuple(self._headings), tuple(self._marks))


def heading_level(block: Block) -> int:
    """Return the level, held within 1 to 6."""
    return min(max(block.level, 1), 6)


def place(owner: Kind | None, *, first: bool) -> Kind:
    """Name a paragraph by where it stands; only the first one of an item is the item."""
    return owner if owner in _PLACES and (first or owner is not Kind.ITEM) else Kind.PARAGRAPH


def rows(table: Block) -> list[tuple[bool, tuple[Block, ...]]]:
    """Return each row's cells, padded to the same width, and whether all of them are header cells."""
    found = [row.children for row in table.children if row.kind is Kind.ROW]
    width = max((len(cells) for cells in found), default=0)
    empty = table._replace(kind=Kind.CELL, spans=(), children=(), level=0)
    return [
        (bool(cells) and all(cell.level for cell in cells), cells + (empty,) * (width - len(cells))) for cells in found
    ]


def cell_spans(cell: Block, *, images: bool) -> tuple[Span, ...]:
    """Return a cell's spans; blocks inside a cell are told one after another, without recursion.

    Where pictures that are not printed are all that a cell says, a few words tell what they show: `Yes`, or `No`.
    """
    found = list(cell.spans)
    stack = list(reversed(cell.children))
    while stack:
        block = stack.pop()
        if found and block.spans:
            found.append(block.spans[0]._replace(text="\n", style=0, href=None))
        found.extend(block.spans)
        stack.extend(reversed(block.children))
    if found and not images and all(span.style & _IMAGE or span.text.isspace() for span in found):
        shown = " ".join(span.text for span in found if span.style & _IMAGE)
        found = [found[0]._replace(text=shown, style=0, href=None)] if len(shown) < _LONGEST_ALTERNATIVE else []
    return tuple(found)
