"""Cuts a printed page into passages: evidence that begins and ends at block borders, with the headings above it."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING, Literal

from wellread.index.pieces import LINE, SENTENCE, TextPiece, pieces
from wellread.types import Kind, Passage

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.output import PrintedDocument, UnitMark
    from wellread.types import Snapshot

_WORDED = {Kind.PARAGRAPH, Kind.ITEM, Kind.QUOTE}
_MOST_LEADING_CHARS = 200
# A question, or an announcement; or a line set in bold, as terms, summaries and questions of an FAQ are printed.
_LEADING = re.compile(
    r"[?:\u037e\u061f\uff1a\uff1f][\"'\u2019\u201d\u00bb)\]\\*_~]{0,8}\s*\Z|\A(?:[-*>] |\d+[.)] )?\*\*[^*\n]+\*\*\s*\Z"
)

_CUT: dict[tuple[bool, bool], Literal["", "start", "end", "start and end"]] = {
    (True, True): "", (False, True): "start", (True, False): "end", (False, False): "start and end"
}  # fmt: skip
"""Whether a passage begins where something begins, and whether the next one does -> where it was parted."""


def passages(printed: PrintedDocument, snapshot: Snapshot, *, chars: int = 500) -> list[Passage]:
    """Return passages of at most `chars` characters, in order and apart, that hold every unit of `printed`.

    `printed` is the canonical print of `snapshot`; a passage's text is exactly `printed.text[start:end]`. Neighbours
    under the same headings are joined while they fit; a longer unit is cut after a sentence, code after a line. A
    heading goes with what follows it, a table's first row with its second, and so does what asks or announces: a
    question keeps its answer, a term its definition. What was parted all the same is told in `Passage.cut`.
    """
    # Where something begins, past its indent: what starts elsewhere was parted from what stands before it.
    begins = {
        mark.end - len(printed.text[mark.start : mark.end].lstrip()) for mark in printed.marks if not mark.follows
    }
    pieces_found = [
        (path, piece) for path, units in _sections(printed.marks) for piece in _joined_units(printed.text, units, chars)
    ]
    begun = [piece.start in begins for _, piece in pieces_found] + [True]
    return [
        Passage(
            text=printed.text[piece.start : piece.end],
            url=snapshot.url,
            title=snapshot.extraction.metadata.title,
            snapshot_id=snapshot.id,
            start=piece.start,
            end=piece.end,
            headings=path,
            cut=_CUT[begun[at], begun[at + 1]],
        )
        for at, (path, piece) in enumerate(pieces_found)
    ]


def _sections(marks: Sequence[UnitMark]) -> Iterator[tuple[tuple[str, ...], list[UnitMark]]]:
    """Yield units that stand under the same headings, with the path of these; the first unit begins at its heading.

    A heading with nothing under it stands alone, under those above it: not under the next one, which is below.
    """
    waiting: list[UnitMark] = []
    for (is_heading, path), group in groupby(marks, key=lambda mark: (mark.kind is Kind.HEADING, mark.path)):
        if is_heading:
            *alone, last = group
            if waiting and len(path) <= len(waiting[-1].path):
                yield waiting[-1].path, waiting
                waiting = []
            if alone:
                yield path, [*waiting, *alone]
                waiting = []
            waiting.append(last)
        else:
            first, *others = group
            yield path, [first._replace(start=waiting[0].start) if waiting else first, *others]
            waiting = []
    if waiting:
        yield waiting[-1].path, waiting


def _joined_units(text: str, units: Sequence[UnitMark], chars: int) -> Iterator[TextPiece]:
    """Join neighbouring units while they fit into `chars`; cut longer ones."""
    start = end = units[0].start
    for unit in _bound_units(text, units, chars):
        if end > start and unit.end - start > chars:
            yield from _cut(text, start, end, chars)
            start = unit.start
        end = unit.end
    yield from _cut(text, start, end, chars)


def _bound_units(text: str, units: Sequence[UnitMark], chars: int) -> Iterator[TextPiece]:
    """Yield units, each joined with the units that lead to it; a run of leading units alone is not one piece."""
    leads = [_leads(text, unit) for unit in units]
    start = units[0].start
    for at, unit in enumerate(units):
        following = at + 1
        if following < len(units) and leads[at] and (not leads[following] or units[following].end - start <= chars):
            continue
        yield TextPiece(start, unit.end)
        start = units[following].start if following < len(units) else unit.end


def _leads(text: str, unit: UnitMark) -> bool:
    """Say whether a unit is of little use without the one that follows it."""
    last = text.rfind("\n\n", unit.start, unit.end)
    words = text[unit.start if last < 0 else last + 2 : unit.end]
    if len(words) > _MOST_LEADING_CHARS:
        return False
    return (unit.kind is Kind.ROW and not unit.follows) or (unit.kind in _WORDED and bool(_LEADING.search(words)))


def _cut(text: str, start: int, end: int, chars: int) -> Iterator[TextPiece]:
    borders = LINE if text.endswith("```", start, end) else SENTENCE  # code ends with its fence
    for piece in pieces(text[start:end], chars, borders):
        words = text[start + piece.start : start + piece.end]
        if trimmed := words.strip():
            first = start + piece.start + len(words) - len(words.lstrip())
            yield TextPiece(first, first + len(trimmed))
