"""Cuts a printed page into passages: evidence that begins and ends at block borders, with the headings above it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from wellread.store.pieces import Piece, pieces
from wellread.types import Kind, Passage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.types import Snapshot
    from wellread.web.printer import Mark, Printed


def passages(printed: Printed, snapshot: Snapshot, *, chars: int = 500) -> list[Passage]:
    """Return passages of at most `chars` characters, in order and apart, that hold every unit of `printed`.

    `printed` is the canonical print of `snapshot`; a passage's text is exactly `printed.text[start:end]`. Neighbours
    under the same headings are joined while they fit; a longer unit is cut after a sentence. A heading goes with what
    follows it.
    """
    return [
        Passage(
            text=printed.text[piece.start : piece.end],
            url=snapshot.url,
            title=snapshot.extraction.metadata.title,
            snapshot_id=snapshot.id,
            start=piece.start,
            end=piece.end,
            headings=path,
        )
        for path, units in _sections(printed.marks)
        for piece in _filled(printed.text, units, chars)
    ]


def _sections(marks: Sequence[Mark]) -> Iterator[tuple[tuple[str, ...], list[Mark]]]:
    """Yield units that stand under the same headings, with the path of these; the first unit begins at its heading."""
    waiting: list[Mark] = []
    for (is_heading, path), group in groupby(marks, key=lambda mark: (mark.kind is Kind.HEADING, mark.path)):
        if is_heading:
            waiting += group
        else:
            first, *others = group
            yield path, [first._replace(start=waiting[0].start) if waiting else first, *others]
            waiting = []
    if waiting:
        yield waiting[-1].path, waiting


def _filled(text: str, units: Sequence[Mark], chars: int) -> Iterator[Piece]:
    """Join neighbouring units while they fit into `chars`; cut those that are longer."""
    start = end = units[0].start
    for unit in units:
        if end > start and unit.end - start > chars:
            yield from _cut(text, start, end, chars)
            start = unit.start
        end = unit.end
    yield from _cut(text, start, end, chars)


def _cut(text: str, start: int, end: int, chars: int) -> Iterator[Piece]:
    for piece in pieces(text[start:end], chars):
        words = text[start + piece.start : start + piece.end]
        if trimmed := words.strip():
            first = start + piece.start + len(words) - len(words.lstrip())
            yield Piece(first, first + len(trimmed))
