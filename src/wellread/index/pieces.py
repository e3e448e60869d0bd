"""Cuts a long text where a reader would pause: after a sentence, else between words."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

_CLOSING = "\"'\u2019\u201d\u00bb)\\]*`_~"
_FULL_STOPS = "\u3002\uff01\uff1f\uff61\u0964\u0965\u06d4\u061f\u0589\u1362\u17d4\u104b"
"""After which no space need stand: CJK, Indic, Arabic, Armenian, Ethiopic, Khmer, Myanmar."""
SENTENCE = re.compile(
    # One class of characters first, so that the search skips all others; then what the character is.
    rf"[\n.!?\u2026{_FULL_STOPS}]"
    rf"(?:(?<=\n)\n*"
    # Possessive, and begun only where a run begins: a page of full stops must not be tried from every place.
    rf"|(?<=[.!?\u2026])(?<!\b\w.)(?<![.!?\u2026].)[.!?\u2026]*+[{_CLOSING}]*+\s++"
    rf"|(?<=[{_FULL_STOPS}])[{_FULL_STOPS}]*+[{_CLOSING}\u300d\u300f\uff09]*+\s*+)"
)
"""After a sentence, or a line."""
LINE = re.compile(r"\n+")
"""After a line alone, as in code."""
_SPACE = re.compile(r"\s+")


class TextPiece(NamedTuple):
    """A stretch of a text, half open."""

    start: int
    end: int


def pieces(text: str, most: int, borders: re.Pattern[str] = SENTENCE) -> list[TextPiece]:
    """Return consecutive stretches of at most `most` characters, about equally long, that join to `text`.

    They end at one of the `borders`, else between words, else between letters.
    """
    most = max(most, 1)
    if len(text) <= most:
        return [TextPiece(0, len(text))]
    ends = [border.end() for border in borders.finditer(text)]
    # What goes on in lower case ends no sentence, but a line is ended by what follows it.
    ends = [end for end in ends if text[end - 1] == "\n" or not text[end : end + 1].islower()]
    cut_pieces: list[TextPiece] = []
    start = 0
    while len(text) - start > most:
        remaining_chars = len(text) - start
        ideal = start + remaining_chars // -(-remaining_chars // most)
        end = (
            _nearest(ends, ideal, start + most // 5, start + most)
            or _nearest_space(text, ideal, start + most // 5, start + most)
            or _between_letters(text, start, ideal)
        )
        cut_pieces.append(TextPiece(start, end))
        start = end
    if start < len(text):
        cut_pieces.append(TextPiece(start, len(text)))
    return cut_pieces


def _nearest(borders: Sequence[int], ideal: int, least: int, most: int) -> int | None:
    """Return the border nearest to `ideal` that is above `least` and at most `most`."""
    allowed = borders[bisect_right(borders, least) : bisect_right(borders, most)]
    at = bisect_left(allowed, ideal)
    return min(allowed[max(0, at - 1) : at + 1], key=lambda border: abs(border - ideal), default=None)


def _nearest_space(text: str, ideal: int, least: int, most: int) -> int | None:
    """Return the end of white space that is nearest to `ideal`, above `least` and at most `most`."""
    spaces = [space.end() for space in _SPACE.finditer(text, least, most + 1)]  # a longer run ends after `most`
    return _nearest(spaces, ideal, least, most)


def _between_letters(text: str, start: int, at: int) -> int:
    """Return the last place up to `at` that parts no letter from its marks; `at` where there is none."""
    for end in range(at, start, -1):
        if unicodedata.category(text[end])[0] != "M":
            return end
    return max(at, start + 1)
