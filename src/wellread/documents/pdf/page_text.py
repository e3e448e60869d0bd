"""One page of a PDF as runs of words with their places, without invisible text.

PDFium orders the characters of a page into lines; here a line is cut at a wide gap or another baseline, because the
next word may be in another column. `columns` puts the runs into reading order.
"""

from __future__ import annotations

import ctypes
from collections import Counter
from itertools import pairwise, repeat
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

import numpy as np

from wellread.documents.pdf.page_objects import NO_OBJECT, Survey
from wellread.documents.pdf.pdfium_calls import address_of, batch_call, call, pointer, result_table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from numpy.typing import NDArray

    from wellread.documents.pdf.page_objects import Box

LINE_END_HYPHEN: Final = "\x02"
"""PDFium's character for a hyphen at the end of a line; the next line follows it without a break."""
BULLET: Final = "\u2022"
"""The text for a list item sign that is drawn as a shape."""
_SIGN_GAP: Final = 2.0
"""Times the type's height: the largest gap between the sign of an item and its text."""
WIDE_GAP: Final = 0.9
"""Of the type's height: wider than the spaces of justified lines."""
_BASELINE_SHIFT: Final = 0.7
"""Of the type's height: more than the shift of subscripts and superscripts."""
_GARBLED_SAMPLE: Final = 50
_GARBLED_SHARE: Final = 0.2
"""Of the words sampled; signs of lists and symbols are fewer."""
_DOWNWARDS: Final = 270
"""The angle of text that runs from the top of the page to its foot."""
_MIN_COLUMN_CHARS: Final = 3
_COLUMN_WIDTH: Final = 1.6
"""Of the type's height: a column of letters is narrower."""
_SPACES: Final = np.array([chr(code).isspace() for code in range(0x3002)])
"""Whether each code is a space: none beyond U+3000 is."""
_Side = TypeVar("_Side", float, "NDArray[np.float64]")


class Word(NamedTuple):
    """The characters between two spaces of a line."""

    text: str
    left: float
    right: float
    start: float
    """In a font of fixed width: the start of the first letter with the white around it; else `left`."""


class Words(NamedTuple):
    """The words of a page in PDFium's order, as columns; coordinates are those of `TextLine`."""

    texts: list[str]
    lefts: list[float]
    rights: list[float]
    starts: list[float]


class TextLine(NamedTuple):
    """A line of print, or a run of it, in points from the lower left corner of the page in reading direction."""

    text: str
    size: float
    left: float
    right: float
    bottom: float
    """The baseline."""
    angle: int = 0
    """The rotation of its text on the page, in degrees counterclockwise."""
    runs: tuple[TextLine, ...] = ()
    """Its parts, if wide gaps are between them; empty where it is one run."""
    source: tuple[Words, int, int] | None = None
    """Of a run: the range of its words among those of the page."""
    is_fixed: bool = False
    """All its words are set in fonts of fixed width."""

    @property
    def ends(self) -> tuple[float, float]:
        """The start of the first word, and the end of the last one."""
        if self.runs:
            return self.runs[0].ends[0], self.runs[-1].ends[1]
        if self.source is None:
            return self.left, self.right
        words, start, end = self.source
        return words.lefts[start], words.rights[end - 1]

    @property
    def words(self) -> list[Word]:
        """The words from left to right, made when a table asks for them."""
        if self.runs:
            return [word for run in self.runs for word in run.words]
        if self.source is None:
            return [Word(self.text, self.left, self.right, self.left)]
        words, start, end = self.source
        return [Word(*columns) for columns in zip(*(column[start:end] for column in words), strict=True)]


class PdfPage:
    """One page; `hidden` counts the characters that `lines` left out."""

    def __init__(self, page: Any) -> None:  # Any: pypdfium2 is optional
        self._page = page
        self._text_page = page.get_textpage()  # kept, for closing it would take its memory away
        self._text = pointer(address_of(self._text_page.raw))
        self.chars = call("FPDFText_CountChars")(self._text)
        self.hidden = 0
        self.is_garbled = False
        """The file does not map glyphs to letters: no ToUnicode, no names of glyphs."""
        self._edges: Box = page.get_bbox()
        self.survey = Survey(address_of(page.raw), self._edges)

    def lines(self, max_chars: int) -> list[TextLine]:
        """Return the visible runs of the page in PDFium's order, from its first `max_chars` characters."""
        codes = self._without_hidden(self._codes(min(self.chars, max_chars)))
        starts, ends = _word_spans(codes)
        if not len(starts):
            return []
        self.is_garbled = self._is_garbled(starts)
        text = codes.tobytes().decode("utf-32-le").replace("\0", " ").replace(LINE_END_HYPHEN, LINE_END_HYPHEN + " ")
        runs = _runs(text.split(), self._word_places(starts, ends, _begins_line(codes, starts, ends)))
        return [*runs, *self._signs(runs)]

    @property
    def rules(self) -> list[Box]:
        """The thin lines of the page, in the coordinates of `lines`."""
        x, y = self._edges[:2]
        return [(left - x, bottom - y, right - x, top - y) for left, bottom, right, top in self.survey.rules]

    def _signs(self, runs: Sequence[TextLine]) -> Iterator[TextLine]:
        """Yield a bullet for each small shape before a run: browsers draw the signs of lists."""
        level = [run for run in runs if run.angle == 0]
        if not self.survey.marks or not level:
            return
        left, bottom = self._edges[:2]
        marks = np.array(self.survey.marks) - np.array([left, bottom, left, bottom])
        lefts, bottoms, sizes = (np.array([run[field] for run in level]) for field in (2, 4, 1))
        for mark_left, mark_bottom, mark_right, mark_top in marks.tolist():
            height, gaps = mark_top - mark_bottom, lefts - mark_right
            above = (mark_top + mark_bottom) / 2 - bottoms
            is_beside = (0.1 * sizes < gaps) & (gaps < _SIGN_GAP * sizes) & (above > 0) & (above < 0.7 * sizes)
            is_beside &= (0.15 * sizes < height) & (height < 0.7 * sizes)
            if is_beside.any():
                row = level[int(np.flatnonzero(is_beside)[gaps[is_beside].argmin()])]
                yield TextLine(BULLET, row.size, mark_left, mark_right, row.bottom)

    def _is_garbled(self, starts: NDArray[np.int64]) -> bool:
        """Sample the first letters of words for those that PDFium only guessed."""
        sample = starts[:: max(1, len(starts) // _GARBLED_SAMPLE)].tolist()
        has_error = list(map(batch_call("FPDFText_HasUnicodeMapError"), repeat(self._text), sample))
        return has_error.count(1) > _GARBLED_SHARE * len(sample)

    def _codes(self, count: int) -> NDArray[np.uint32]:
        """Return the codes of the characters, each at PDFium's index."""
        buffer = ctypes.create_string_buffer(2 * count + 2)
        length = call("FPDFText_GetText")(self._text, 0, count, ctypes.addressof(buffer)) - 1
        text = buffer.raw[: 2 * max(0, length)].decode("utf-16-le", "replace")
        if len(text) == count and "\ufffd" not in text:
            text = text.replace("\ufffe", LINE_END_HYPHEN)
        else:
            code_of = call("FPDFText_GetUnicode")  # GetText leaves out some characters: ask for each
            text = "".join(_character(code_of(self._text, index)) for index in range(count))
        return np.frombuffer(text.encode("utf-32-le"), np.uint32)

    def _without_hidden(self, codes: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """Return the codes with nulls in place of hidden characters, and count those."""
        survey = self.survey
        if not survey.may_hide_text:
            return codes
        rows = self._rows_of(range(len(codes)))
        inked = np.flatnonzero((rows != NO_OBJECT) & ~_is_space(codes))
        is_invisible, is_doubtful = survey.is_invisible(), survey.is_doubtful()
        hidden = inked[is_invisible[rows[inked]]]
        doubtful = inked[is_doubtful[rows[inked]] & ~is_invisible[rows[inked]]]
        if len(doubtful):
            covered = doubtful[~survey.is_visible(rows[doubtful], self._boxes(doubtful))]
            hidden = np.concatenate((hidden, covered))
        self.hidden += len(hidden)
        codes = codes.copy()
        codes[hidden] = 0
        return codes

    def _word_places(
        self, starts: NDArray[np.int64], ends: NDArray[np.int64], begins_line: NDArray[np.bool_]
    ) -> _WordColumns:
        """Return the place of each word, which its first and its last character give."""
        edges = self._edges
        sides = self._boxes(np.column_stack((starts, ends - 1)).ravel()).reshape(-1, 2, 4)
        boxes = np.column_stack((sides[:, :, :2].min(axis=1), sides[:, :, 2:].max(axis=1)))
        rows = self._rows_of(starts.tolist())
        objects = self.survey.text_objects
        angles = objects.angles[rows]
        is_vertical = _is_vertical(boxes, objects.sizes[rows], ends - starts) & (angles == 0)
        if is_vertical.any():
            angles[is_vertical] = _DOWNWARDS
        # All words of a text object have the baseline of the first one of a line, unless they are rotated.
        is_fixed = objects.is_fixed[rows] & (angles == 0)
        is_first = begins_line | (angles != 0) | (rows == NO_OBJECT) | is_fixed
        is_first[1:] |= rows[1:] != rows[:-1]
        firsts = np.flatnonzero(is_first)
        heights = np.where(rows == NO_OBJECT, sides[:, 0, 3] - sides[:, 0, 1], objects.sizes[rows])[firsts]
        sizes = np.array([round(height, 1) for height in heights.tolist()])
        x, y = self._origins(starts[firsts]).T
        bottoms = y - edges[1]
        lefts, rights = boxes[:, 0] - edges[0], boxes[:, 2] - edges[0]
        for angle in set(angles[firsts].tolist()) - {0}:
            is_turned = angles == angle
            left, bottom, right, top = boxes[is_turned].T
            lefts[is_turned], _, rights[is_turned], _ = in_reading_direction((left, bottom, right, top), edges, angle)
            turned = is_turned[firsts]
            bottoms[turned] = in_reading_direction((x[turned], y[turned], x[turned], y[turned]), edges, angle)[1]
        first_of = np.cumsum(is_first) - 1
        word_starts = np.where(is_fixed, (x - edges[0])[first_of], lefts)
        return _WordColumns(
            begins_line, lefts, rights, word_starts, is_fixed, bottoms[first_of], sizes[first_of], angles
        )

    def _rows_of(self, indices: Collection[int]) -> NDArray[np.int64]:
        """Return the rows of the text objects that draw characters."""
        items = list(map(batch_call("FPDFText_GetTextObject"), repeat(self._text), indices))
        return self.survey.rows_of(items)

    def _boxes(self, indices: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the boxes of characters on the page: left, bottom, right, top."""
        table = result_table("FPDFText_GetCharBox")
        return table.filled(repeat(self._text), indices.tolist(), count=len(indices))[:, [0, 2, 1, 3]]

    def _origins(self, indices: NDArray[np.int64]) -> NDArray[np.float64]:
        table = result_table("FPDFText_GetCharOrigin")
        return table.filled(repeat(self._text), indices.tolist(), count=len(indices))


class _WordColumns(NamedTuple):
    """The places of the words of a page, a column for each property; coordinates are those of `TextLine`."""

    begins_line: NDArray[np.bool_]
    """Of the lines into which PDFium orders the characters."""
    lefts: NDArray[np.float64]
    rights: NDArray[np.float64]
    starts: NDArray[np.float64]
    is_fixed: NDArray[np.bool_]
    bottoms: NDArray[np.float64]
    sizes: NDArray[np.float64]
    angles: NDArray[np.int64]


def from_top(run: TextLine) -> float:
    """Return the key that sorts lines from the top of the page down."""
    return -run.bottom


def from_left(run: TextLine) -> float:
    """Return the key that sorts lines from left to right."""
    return run.left


def in_reading_direction(
    box: tuple[_Side, _Side, _Side, _Side], edges: Box, angle: int
) -> tuple[_Side, _Side, _Side, _Side]:
    """Return a box from the lower left corner of the page in the reading direction of text with this angle."""
    left, bottom, right, top = box
    x0, y0, x1, y1 = edges
    if angle == 90:
        return bottom - y0, x1 - right, top - y0, x1 - left
    if angle == 180:
        return x1 - right, y1 - top, x1 - left, y1 - bottom
    if angle == 270:
        return y1 - top, left - x0, y1 - bottom, right - x0
    return left - x0, bottom - y0, right - x0, top - y0


def _is_vertical(
    boxes: NDArray[np.float64], sizes: NDArray[np.float64], char_counts: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Tell for each word whether its letters are below one another, as in vertical Japanese and Chinese.

    Its lines follow one another from right to left, like those of text that is rotated downwards.
    """
    is_narrow: NDArray[np.bool_] = boxes[:, 2] - boxes[:, 0] < _COLUMN_WIDTH * sizes
    heights = boxes[:, 3] - boxes[:, 1]
    is_column = is_narrow & (char_counts >= _MIN_COLUMN_CHARS) & (heights > 0.7 * char_counts * sizes)
    if 2 * char_counts[is_column].sum() > char_counts.sum():
        is_column |= is_narrow  # single letters and numbers amid the columns
    return is_column


def _is_space(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    return _SPACES[np.minimum(codes, len(_SPACES) - 1)]


def _word_spans(codes: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the start and end of each word; a hyphen at the end of a line ends a word."""
    is_gap = _is_space(codes) | (codes == 0)
    padded = np.concatenate(([True], is_gap, [True]))
    after_hyphen = np.concatenate(([False], codes == ord(LINE_END_HYPHEN), [False]))
    starts = np.flatnonzero(~padded[1:-1] & (padded[:-2] | after_hyphen[:-2]))
    ends = np.flatnonzero(~padded[1:-1] & (padded[2:] | after_hyphen[1:-1])) + 1
    return starts, ends


def _begins_line(codes: NDArray[np.uint32], starts: NDArray[np.int64], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Tell for each word whether it begins a line of PDFium."""
    breaks = np.concatenate(
        ([0], np.cumsum((codes == ord("\r")) | (codes == ord("\n")) | (codes == ord(LINE_END_HYPHEN))))
    )
    between = breaks[starts[1:]] > breaks[ends[:-1] - 1]
    is_one_space = (starts[1:] - ends[:-1] == 1) & (codes[ends[:-1]] == ord(" "))
    return np.concatenate(([True], between & ~is_one_space))


def _runs(texts: list[str], word_columns: _WordColumns) -> list[TextLine]:
    """Cut the lines of PDFium at a wide gap, another baseline or another direction."""
    words = Words(texts, word_columns.lefts.tolist(), word_columns.rights.tolist(), word_columns.starts.tolist())
    firsts = np.flatnonzero(_begins_run(word_columns))
    smallest, largest = np.minimum.reduceat(word_columns.sizes, firsts), np.maximum.reduceat(word_columns.sizes, firsts)
    run_columns = (
        [*firsts.tolist(), len(texts)],
        np.where(smallest == largest, smallest, 0.0).tolist(),
        np.minimum.reduceat(word_columns.lefts, firsts).tolist(),
        np.maximum.reduceat(word_columns.rights, firsts).tolist(),
        word_columns.bottoms[firsts].tolist(),
        word_columns.angles[firsts].tolist(),
        np.logical_and.reduceat(word_columns.is_fixed, firsts).tolist(),
    )
    runs = []
    for (start, end), size, left, right, bottom, *style in zip(pairwise(run_columns[0]), *run_columns[1:], strict=True):
        angle, is_fixed = style
        run_texts = texts[start:end]
        common_size = size or most_common_size(word_columns.sizes[start:end].tolist(), run_texts)
        source = (words, start, end)
        runs.append(TextLine(" ".join(run_texts), common_size, left, right, bottom, angle, (), source, is_fixed))
    return runs


def _begins_run(words: _WordColumns) -> NDArray[np.bool_]:
    """Tell for each word whether it does not continue from the end of the word before it."""
    sizes = np.maximum(words.sizes[1:], words.sizes[:-1])
    gaps = words.lefts[1:] - words.rights[:-1]
    # In right-to-left scripts the next word is to the left.
    gaps = np.where(gaps < -sizes, words.lefts[:-1] - words.rights[1:], gaps)
    goes_on = (
        (-sizes <= gaps)
        & (gaps < WIDE_GAP * sizes)
        & (np.abs(np.diff(words.bottoms)) <= _BASELINE_SHIFT * sizes)
        & (np.diff(words.angles) == 0)
    )
    return np.concatenate(([True], words.begins_line[1:] | ~goes_on))


def most_common_size(sizes: Sequence[float], texts: Sequence[str]) -> float:
    """Return the most frequent size of the characters of texts."""
    if sizes.count(sizes[0]) == len(sizes):
        return sizes[0]
    char_counts: Counter[float] = Counter()
    for size, text in zip(sizes, texts, strict=True):
        char_counts[size] += len(text)
    return char_counts.most_common(1)[0][0]


def _character(code: int) -> str:
    return chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else "\0"
