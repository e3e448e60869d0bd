"""Find code: lines in a font of fixed width, in a file that is set in another font."""

from __future__ import annotations

from collections import Counter
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Final

from wellread.documents.pdf.aligned_tables import PdfTable
from wellread.documents.pdf.page_text import LINE_END_HYPHEN
from wellread.text.characters import without_invisible
from wellread.types import Block, Kind, Span, Style

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wellread.documents.pdf.page_text import TextLine

_MAX_SHARE: Final = 0.5
"""Of the characters of a file: with more in fonts of fixed width, it is typewritten, like letters and RFCs."""
_TIGHT: Final = 1.45
"""Times the type's height: the distance of the lines of one paragraph."""
_FAR: Final = 3.5
"""Times the distance of two lines: separates two listings."""
_MAX_INLINE_LINES: Final = 2
_MAX_BLANK_LINES: Final = 2
_MAX_INDENT: Final = 200
"""Blanks before a word."""
_USUAL_WIDTH: Final = 0.6
"""Of the type's height: the width of letters in Courier and most fonts for code."""
_USUAL_LEADING: Final = 1.2
_SENTENCE_ENDS: Final = frozenset(".!?:;")
_CJK: Final = "\u2e80"
"""The first of the characters for which Chinese and Japanese fonts of fixed width are made."""


def has_code(lines: Iterable[TextLine]) -> bool:
    """Tell whether lines in fonts of fixed width are code: most of the file is set in other fonts."""
    fixed = chars = 0
    for line in lines:
        chars += len(line.text)
        fixed += len(line.text) * line.is_fixed
    return 0 < fixed < _MAX_SHARE * chars


def without_tables_of_code(pieces: Sequence[TextLine | PdfTable]) -> Iterator[TextLine | PdfTable]:
    """Yield the pieces of a page, with lines in place of a table between lines of code: its columns are spaces."""
    for index, piece in enumerate(pieces):
        neighbours = [*pieces[max(0, index - 1) : index], *pieces[index + 1 : index + 2]]
        is_beside_code = any(not isinstance(other, PdfTable) and other.is_fixed for other in neighbours)
        if isinstance(piece, PdfTable) and is_beside_code and all(line.is_fixed for line in piece.lines):
            yield from piece.lines
        else:
            yield piece


def parted(lines: Sequence[TextLine], max_size: float) -> Iterator[tuple[bool, list[TextLine]]]:
    """Yield stretches of lines, and whether they are code; larger type than `max_size` is a heading."""
    stretches = [
        (is_code, list(stretch)) for is_code, stretch in groupby(lines, lambda line: _is_code_line(line, max_size))
    ]
    prose: list[TextLine] = []
    for index, (is_code, stretch) in enumerate(stretches):
        before = stretches[index - 1][1][-1] if index else None
        if not is_code or _is_prose(stretch, before):
            prose += stretch
            continue
        if prose:
            yield False, prose
            prose = []
        yield True, stretch
    if prose:
        yield False, prose


def _is_code_line(line: TextLine, max_size: float) -> bool:
    if line.is_fixed or not line.runs:
        return line.is_fixed and line.size < max_size
    number, *code = line.runs  # a listing with numbered lines
    return number.text.isdigit() and all(run.is_fixed for run in code)


def _is_prose(lines: Sequence[TextLine], before: TextLine | None) -> bool:
    """Tell whether lines of fixed width are words of the paragraph before them, or Chinese or Japanese text."""
    text = "".join(line.text for line in lines)
    if 2 * sum(character >= _CJK for character in text) > len(text):
        return True
    if len(lines) == 1 and " " not in text and (before is None or before.text[-1] != ":"):
        return True
    if before is None or len(lines) > _MAX_INLINE_LINES or before.text[-1] in _SENTENCE_ENDS:
        return False
    size = max(before.size, lines[0].size)
    is_below = 0 < before.bottom - lines[0].bottom < _TIGHT * size
    return is_below and abs(before.left - lines[0].left) < size / 2


def code_blocks(lines: Sequence[TextLine]) -> Iterator[Block]:
    """Yield listings, with their lines as on the page; a single word is code within a paragraph."""
    width = _letter_width(lines)
    leading = _leading(lines)
    group = [lines[0]]
    for before, line in pairwise(lines):
        if not -leading / 2 < before.bottom - line.bottom < _FAR * leading:
            yield _block(group, width, leading)
            group = []
        group.append(line)
    yield _block(group, width, leading)


def _block(lines: Sequence[TextLine], width: float, leading: float) -> Block:
    first = min(line.words[0].start for line in lines)
    rows = [_row(lines[0], first, width)]
    for before, line in pairwise(lines):
        blank = round((before.bottom - line.bottom) / leading) - 1
        rows += [""] * min(max(blank, 0), _MAX_BLANK_LINES)
        rows.append(_row(line, first, width))
    if len(rows) == 1 and " " not in rows[0]:
        return Block(Kind.PARAGRAPH, (Span(rows[0], Style.CODE),))
    return Block(Kind.CODE, (Span("\n".join(rows)),))


def _row(line: TextLine, first: float, width: float) -> str:
    """Return a line with as many blanks before each word as on the page."""
    row = ""
    for word in line.words:
        blanks = round((word.start - first) / width) - len(row)
        row += " " * min(max(blanks, int(bool(row))), _MAX_INDENT) + word.text
    return without_invisible(row.replace(LINE_END_HYPHEN, "-"))[0]


def _letter_width(lines: Sequence[TextLine]) -> float:
    """Return the distance between the letters of a listing: the most frequent one of words and their next words."""
    widths = Counter(
        round((after.start - word.start) / (len(word.text) + 1), 1)
        for line in lines
        for word, after in pairwise(line.words)
        if after.start > word.start
    )
    return widths.most_common(1)[0][0] if widths else _USUAL_WIDTH * lines[0].size


def _leading(lines: Sequence[TextLine]) -> float:
    """Return the distance between consecutive lines of a listing."""
    size = lines[0].size
    gaps = [before.bottom - line.bottom for before, line in pairwise(lines)]
    return min((gap for gap in gaps if gap > 0.8 * size), default=_USUAL_LEADING * size)
