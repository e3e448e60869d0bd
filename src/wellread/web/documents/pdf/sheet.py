"""One page of a PDF as runs of words with their places: what no one can see is left out.

PDFium orders the characters of a page into lines; here a line is cut where a wide gap or another baseline begins, for
what stands beside it may be another column. `columns` puts the runs into reading order.
"""

from __future__ import annotations

import ctypes
import re
from collections import Counter
from itertools import groupby, pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from wellread.web.documents.pdf.native import address_of, call
from wellread.web.documents.pdf.survey import Survey

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.web.documents.pdf.survey import Box

LINE_END_HYPHEN: Final = "\x02"
"""What PDFium gives for a hyphen at the end of a line; the next line follows it without a break."""
WIDE_GAP: Final = 0.9
"""Of the type's height: wider than the spaces of justified lines."""
_BASELINE_SHIFT: Final = 0.7
"""Of the type's height: further than subscripts and superscripts are set off."""
_WORDS: Final = re.compile("[^\\s\0]+")
_BREAK: Final = re.compile("[\r\n\x02]")
_BROKEN_WORDS: Final = re.compile("[^\\s\0\x02]+\x02?|\x02")


class Word(NamedTuple):
    """What stands between two spaces of a line."""

    text: str
    left: float
    right: float


class Words(NamedTuple):
    """The words of a page in PDFium's order, as columns; places are those of `Line`."""

    texts: list[str]
    lefts: list[float]
    rights: list[float]
    gaps: list[float]
    """From the end of the word before; of lines that are not turned."""


class Line(NamedTuple):
    """A line of print, or a run of it. Places are in points, from the lower left corner of the page as it is read."""

    text: str
    size: float
    left: float
    right: float
    bottom: float
    """Of its baseline."""
    angle: int = 0
    """Degrees counterclockwise by which its text is turned on the page."""
    runs: tuple[Line, ...] = ()
    """What it is made of, if wide gaps are between; empty where it is one run."""
    source: tuple[Words, int, int] | None = None
    """Of a run: where its words stand among those of the page."""

    @property
    def words(self) -> list[Word]:
        """The words from left to right, made when a table asks for them."""
        if self.runs:
            return [word for run in self.runs for word in run.words]
        if self.source is None:
            return [Word(self.text, self.left, self.right)]
        words, start, end = self.source
        columns = zip(words.texts[start:end], words.lefts[start:end], words.rights[start:end], strict=True)
        return [Word(*column) for column in columns]


class Sheet:
    """One page; `hidden` counts the characters that `lines` left out."""

    def __init__(self, page: Any) -> None:  # Any: pypdfium2 is optional
        self._page = page
        self._text_page = page.get_textpage()  # kept, for closing it would take its memory away
        self._text: int = address_of(self._text_page.raw)
        self.chars = call("FPDFText_CountChars")(self._text)
        self.hidden = 0
        self._edges: Box = page.get_bbox()
        self.survey = Survey(address_of(page.raw), self._edges)
        self._doubles = (ctypes.c_double * 4)()
        self._at = ctypes.addressof(self._doubles)
        self._object_of = call("FPDFText_GetTextObject")
        self._box_of = call("FPDFText_GetCharBox")
        self._origin_of = call("FPDFText_GetCharOrigin")

    def lines(self, most: int) -> list[Line]:
        """Return the runs of the page in PDFium's order, of its first `most` characters those that can be seen."""
        text = self._seen(self._characters(min(self.chars, most)))
        pattern = _BROKEN_WORDS if LINE_END_HYPHEN in text else _WORDS
        places = [match.span() for match in pattern.finditer(text)]
        if not places:
            return []
        lines = _line_starts(text, places)
        words = Words([text[start:end] for start, end in places], *self._extents(places))
        runs: list[Line] = []
        for start, end in pairwise([*lines, len(places)]):
            runs.extend(self._runs(words, places, start, end))
        return runs

    def _characters(self, count: int) -> str:
        """Return the characters as a text in which each has the position that PDFium counts it at."""
        buffer = ctypes.create_string_buffer(2 * count + 2)
        written = call("FPDFText_GetText")(self._text, 0, count, ctypes.addressof(buffer)) - 1
        text = buffer.raw[: 2 * max(0, written)].decode("utf-16-le", "replace")
        if len(text) == count and "\ufffd" not in text:
            return text.replace("\ufffe", LINE_END_HYPHEN)
        code_of = call("FPDFText_GetUnicode")  # it leaves out some characters: ask for each
        return "".join(_character(code_of(self._text, index)) for index in range(count))

    def _seen(self, text: str) -> str:
        """Return the text with nulls in place of what cannot be seen, and count that."""
        survey = self.survey
        looks = survey.looks.values()
        if survey.is_whole and not any(survey.is_unseen(look) or survey.is_doubtful(look) for look in looks):
            return text
        unseen = {item for item, look in survey.looks.items() if survey.is_unseen(look)}
        doubtful = {item for item, look in survey.looks.items() if survey.is_doubtful(look)}
        characters = list(text)
        for index, character in enumerate(text):
            item = self._object_of(self._text, index)
            if not item or character.isspace():
                continue
            if item not in survey.looks:
                look = survey.look_of(item)
                (unseen if survey.is_unseen(look) else doubtful).add(item)
            if item in unseen or (item in doubtful and not survey.is_seen(survey.looks[item], self._box(index))):
                characters[index] = "\0"
                self.hidden += 1
        return "".join(characters)

    # ------------------------------------------------------------------------------------------ words and runs

    def _extents(self, places: Sequence[tuple[int, int]]) -> tuple[list[float], list[float], list[float]]:
        """Return how far from the left edge of the page each word begins and ends, and from the word before."""
        doubles = (ctypes.c_double * (4 * len(places) + 1))()
        at = ctypes.addressof(doubles)
        unused = at + 32 * len(places)
        box_of, text = self._box_of, self._text
        for start, end in places:
            box_of(text, start, at, at + 8, unused, unused)
            box_of(text, end - 1, at + 16, at + 24, unused, unused)
            at += 32
        boxes = np.ctypeslib.as_array(doubles)[:-1].reshape(-1, 2, 2)
        lefts, rights = boxes[:, :, 0].min(axis=1), boxes[:, :, 1].max(axis=1)
        gaps = np.concatenate(([0.0], lefts[1:] - rights[:-1]))
        return (lefts - self._edges[0]).tolist(), (rights - self._edges[0]).tolist(), gaps.tolist()

    def _runs(self, words: Words, places: Sequence[tuple[int, int]], start: int, end: int) -> Iterator[Line]:
        """Cut a line of PDFium, the words from `start` to `end`, where a wide gap or another baseline begins."""
        first = self._object_of(self._text, places[start][0])
        if not first or first != self._object_of(self._text, places[end - 1][0]):
            yield from self._runs_of_many(words, places, start, self._objects(places[start:end]))
            return
        look = self.survey.look_of(first)
        if look.angle:
            yield from self._runs_of_many(words, places, start, [first] * (end - start))
            return
        _, bottom = self._origin(places[start][0])
        size, bottom = round(look.size, 1), bottom - self._edges[1]
        gaps = words.gaps[start + 1 : end]
        if not gaps or (max(gaps) < WIDE_GAP * size and min(gaps) >= -size):
            yield _run(words, start, end, size, bottom)
            return
        begin = start
        for at in range(start + 1, end):
            if not _is_beside(words, at, size):
                yield _run(words, begin, at, size, bottom)
                begin = at
        yield _run(words, begin, end, size, bottom)

    def _runs_of_many(
        self, words: Words, places: Sequence[tuple[int, int]], start: int, objects: Sequence[int]
    ) -> Iterator[Line]:
        """Cut a line whose words differ in type, direction or baseline; words that are turned get their places."""
        stands: list[tuple[int, _WordPlace]] = []  # which word begins to stand so, and how
        first_word = start
        for item, group in groupby(objects):
            end = first_word + sum(1 for _ in group)
            place = self._placed(words, first_word, places[first_word], item)
            stands.append((first_word, place))
            if place.angle or not item:  # else all words of a text object stand as its first one does
                others = range(first_word + 1, end)
                stands += [(at, self._placed(words, at, places[at], item)) for at in others]
            first_word = end
        open_stands = stands[:1]
        for number, (at, place) in enumerate(stands):
            last = open_stands[-1][1]
            size = max(last.size, place.size)
            if at > start:
                if last.goes_on(place) and _is_beside(words, at, size):
                    open_stands.append((at, place))
                else:
                    yield _run_of_many(words, open_stands, at)
                    open_stands = [(at, place)]
            end = stands[number + 1][0] if number + 1 < len(stands) else first_word
            gaps = words.gaps[at + 1 : end]
            if not gaps or (not place.angle and max(gaps) < WIDE_GAP * place.size and min(gaps) >= -place.size):
                continue
            for inner in range(at + 1, end):
                if not _is_beside(words, inner, place.size):
                    yield _run_of_many(words, open_stands, inner)
                    open_stands = [(inner, place)]
        yield _run_of_many(words, open_stands, first_word)

    def _objects(self, places: Sequence[tuple[int, int]]) -> list[int]:
        """Return the text object of each word: the words of one object follow one another."""
        objects = [0] * len(places)
        open_ranges = [(0, len(places) - 1)]
        objects[0] = self._object_of(self._text, places[0][0])
        objects[-1] = self._object_of(self._text, places[-1][0])
        while open_ranges:
            first, last = open_ranges.pop()
            if last - first < 2:
                continue
            if objects[first] and objects[first] == objects[last]:
                objects[first + 1 : last] = [objects[first]] * (last - first - 1)
                continue
            middle = (first + last) // 2
            objects[middle] = self._object_of(self._text, places[middle][0])
            open_ranges += [(first, middle), (middle, last)]
        return objects

    def _placed(self, words: Words, at: int, place: tuple[int, int], item: int) -> _WordPlace:
        angle = 0
        if item:
            look = self.survey.look_of(item)
            size, angle = look.size, look.angle
        else:
            _, bottom, _, top = self._box(place[0])
            size = top - bottom
        x, y = self._origin(place[0])
        if angle:
            box, end = self._box(place[0]), self._box(place[1] - 1)
            whole = min(box[0], end[0]), min(box[1], end[1]), max(box[2], end[2]), max(box[3], end[3])
            words.lefts[at], _, words.rights[at], _ = framed(whole, self._edges, angle)
        return _WordPlace(framed((x, y, x, y), self._edges, angle)[1], round(size, 1), angle)

    def _box(self, index: int) -> Box:
        """Return where a character stands on the page."""
        at = self._at
        self._box_of(self._text, index, at, at + 16, at + 8, at + 24)
        left, bottom, right, top = self._doubles
        return left, bottom, right, top

    def _origin(self, index: int) -> tuple[float, float]:
        self._origin_of(self._text, index, self._at, self._at + 8)
        return self._doubles[0], self._doubles[1]


class _WordPlace(NamedTuple):
    """How a word stands."""

    bottom: float
    size: float
    angle: int

    def goes_on(self, other: _WordPlace) -> bool:
        """Say whether another word can stand in the same line."""
        shift = abs(self.bottom - other.bottom)
        return self.angle == other.angle and shift <= _BASELINE_SHIFT * max(self.size, other.size)


def framed(box: Box, edges: Box, angle: int) -> Box:
    """Return a box on a page from the lower left corner of the page as text of this angle is read."""
    left, bottom, right, top = box
    x0, y0, x1, y1 = edges
    if angle == 90:
        return bottom - y0, x1 - right, top - y0, x1 - left
    if angle == 180:
        return x1 - right, y1 - top, x1 - left, y1 - bottom
    if angle == 270:
        return y1 - top, left - x0, y1 - bottom, right - x0
    return left - x0, bottom - y0, right - x0, top - y0


def _line_starts(text: str, places: Sequence[tuple[int, int]]) -> list[int]:
    """Return which words begin a line of PDFium."""
    starts = [0]
    for at, ((_, last_end), (start, _)) in enumerate(pairwise(places), start=1):
        if (start - last_end > 1 or text[last_end] != " ") and _BREAK.search(text, last_end - 1, start):
            starts.append(at)
    return starts


def _is_beside(words: Words, at: int, size: float) -> bool:
    """Say whether a word goes on where the one before ended, and does not stand in another column."""
    gap = words.lefts[at] - words.rights[at - 1]
    if gap < -size:  # in right-to-left scripts the next word stands to the left
        gap = words.lefts[at - 1] - words.rights[at]
    return -size <= gap < WIDE_GAP * size


def _run(words: Words, start: int, end: int, size: float, bottom: float, angle: int = 0) -> Line:
    left, right = min(words.lefts[start:end]), max(words.rights[start:end])
    return Line(" ".join(words.texts[start:end]), size, left, right, bottom, angle, (), (words, start, end))


def _run_of_many(words: Words, stands: Sequence[tuple[int, _WordPlace]], end: int) -> Line:
    """Return the words up to `end` as a run, of the size that most of its characters have."""
    begin, first = stands[0]
    if len(stands) == 1:
        return _run(words, begin, end, first.size, first.bottom, first.angle)
    sizes: Counter[float] = Counter()
    for number, (at, place) in enumerate(stands):
        next_at = stands[number + 1][0] if number + 1 < len(stands) else end
        sizes[place.size] += sum(map(len, words.texts[at:next_at]))
    return _run(words, begin, end, sizes.most_common(1)[0][0], first.bottom, first.angle)


def _character(code: int) -> str:
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\0"
