"""One page of a PDF as lines of print: read character by character, so that what no one can see is left out."""

from __future__ import annotations

import ctypes
from collections import Counter
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_INVISIBLE_MODES: Final = frozenset({3, 7})  # ISO 32000-1 table 106: neither fill nor stroke
_WHITE: Final = 250
_NEARLY_WHITE: Final = 235
"""On white paper: a contrast of 1.2 to 1, a fifteenth of black on white."""
_TINY: Final = 1.0
_MOST_SURVEYED: Final = 20_000
_MOST_GROUNDS: Final = 500
_BOX_SEGMENTS: Final = 6
LINE_END_HYPHEN: Final = "\x02"
"""What PDFium gives for a hyphen at the end of a line."""


class Word(NamedTuple):
    """What stands between two spaces of a line."""

    text: str
    left: float
    right: float


class Line(NamedTuple):
    """A line of print."""

    text: str
    size: float
    left: float
    right: float
    bottom: float
    words: tuple[Word, ...] = ()


class _Look(NamedTuple):
    """What the characters of one text object share."""

    unpainted: bool
    white: bool
    tiny: bool
    off_page: bool
    """Its first character is; the others may stand on the page."""
    place: int
    """Its turn in painting."""


class Sheet:
    """One page; `hidden` counts the characters that `lines` left out."""

    def __init__(self, page: Any) -> None:  # Any: pypdfium2 is optional
        import pypdfium2.raw as pdfium

        self.raw = pdfium
        self.page = page
        self.text = page.get_textpage()
        self.chars: int = self.text.count_chars()
        self.hidden = 0
        self.pictures = False
        self._edges: tuple[float, float, float, float] = page.get_bbox()
        self._looks: dict[int, _Look] = {}
        self._grounds: list[tuple[float, float, float, float]] = []
        self._covers: list[tuple[int, tuple[float, float, float, float]]] = []
        self._places: dict[int, int] = {}
        self._survey()

    def _survey(self) -> None:
        """Note pictures, coloured areas and boxes that cover what was painted before them.

        White on a picture or a colour can be seen; text under a scan is the scan's own.
        """
        width, height = self.page.get_size()
        for place, item in enumerate(islice(self.page.get_objects(max_depth=3), _MOST_SURVEYED)):
            if item.type == self.raw.FPDF_PAGEOBJ_TEXT:
                self._places[ctypes.addressof(item.raw.contents)] = place
                continue
            left, bottom, right, top = item.get_bounds()
            if item.type == self.raw.FPDF_PAGEOBJ_IMAGE:
                self.pictures = self.pictures or (right - left) * (top - bottom) > 0.5 * width * height
            if len(self._grounds) < _MOST_GROUNDS and (
                item.type != self.raw.FPDF_PAGEOBJ_PATH or min(self._colour(item.raw)[:3]) < _WHITE
            ):
                self._grounds.append((left, bottom, right, top))
            if len(self._covers) < _MOST_GROUNDS and item.level == 0 and self._covers_all(item):
                self._covers.append((place, (left, bottom, right, top)))

    def _covers_all(self, item: Any) -> bool:  # Any: pypdfium2 is optional
        """Say whether it is a filled box that nothing shines through."""
        if item.type != self.raw.FPDF_PAGEOBJ_PATH or self.raw.FPDFPath_CountSegments(item.raw) > _BOX_SEGMENTS:
            return False
        filled, stroked = ctypes.c_int(0), ctypes.c_int(0)
        self.raw.FPDFPath_GetDrawMode(item.raw, filled, stroked)
        clip = self.raw.FPDFPageObj_GetClipPath(item.raw)
        return bool(
            filled.value
            and self._colour(item.raw)[3] == 255
            and not self.raw.FPDFPageObj_HasTransparency(item.raw)
            and not (clip and self.raw.FPDFClipPath_CountPaths(clip) > 0)
        )

    def lines(self, most: int) -> list[Line]:
        """Return the lines of the page in reading order, of its first `most` characters those that can be seen."""
        found: list[Line] = []
        row: list[tuple[str, int]] = []
        for index in range(min(self.chars, most)):
            code = self.raw.FPDFText_GetUnicode(self.text.raw, index)
            character = chr(code) if code < 0x110000 and not 0xD800 <= code < 0xE000 else ""
            if character in "\r\n":
                self._close(row, found)
                row = []
            elif character.isspace() or self._is_seen(index):
                row.append((character, index))
                if character == LINE_END_HYPHEN:  # PDFium joins the next line to it
                    self._close(row, found)
                    row = []
            else:
                self.hidden += 1
        self._close(row, found)
        return found

    def _close(self, row: list[tuple[str, int]], found: list[Line]) -> None:
        text = "".join(character for character, _ in row)
        marks = [index for character, index in row if not character.isspace()]
        if not marks:
            return
        sizes = Counter(round(self._size(index), 1) for index in marks[:: max(1, len(marks) // 20)])
        left, right, bottom = self._box(marks[0])[0], self._box(marks[-1])[1], self._box(marks[0])[2]
        size, words = sizes.most_common(1)[0][0], tuple(self._words(row))
        found.append(Line(" ".join(text.split(" ")).strip(), size, left, right, bottom, words))

    def _words(self, row: list[tuple[str, int]]) -> Iterator[Word]:
        for blank, marks in groupby(row, key=lambda mark: mark[0].isspace()):
            if not blank:
                (_, first), *_ = word = list(marks)
                text = "".join(character for character, _ in word)
                yield Word(text, self._box(first)[0], self._box(word[-1][1])[1])

    def _is_seen(self, index: int) -> bool:
        item = self.raw.FPDFText_GetTextObject(self.text.raw, index)
        if not item:
            return True
        address = ctypes.addressof(item.contents)
        look = self._looks.get(address)
        if look is None:
            look = self._looks[address] = self._look(item, address, index)
        if look.tiny or (look.unpainted and not self.pictures):
            return False  # over a scan, unpainted text is what recognition read in the picture
        if look.off_page and self._is_off_page(index):
            return False
        return not (look.white and not self._on_ground(index)) and not (self._covers and self._is_covered(look, index))

    def _look(self, item: Any, address: int, index: int) -> _Look:  # Any: a ctypes pointer
        return _Look(
            unpainted=self.raw.FPDFTextObj_GetTextRenderMode(item) in _INVISIBLE_MODES,
            white=self._is_white(item),
            tiny=self._size(index) < _TINY,
            off_page=self._is_off_page(index),
            place=self._places.get(address, _MOST_SURVEYED),
        )

    def _is_off_page(self, index: int) -> bool:
        left, right, bottom = self._box(index)
        edges = self._edges
        return right <= edges[0] or left >= edges[2] or bottom >= edges[3] or bottom + self._size(index) <= edges[1]

    def _is_covered(self, look: _Look, index: int) -> bool:
        left, right, bottom = self._box(index)
        middle = bottom + self._size(index) / 4
        return any(
            place > look.place and box[0] - 1 <= left and right <= box[2] + 1 and box[1] <= middle <= box[3]
            for place, box in self._covers
        )

    def _is_white(self, item: Any) -> bool:  # Any: a ctypes pointer
        red, green, blue, alpha = self._colour(item)
        mode = self.raw.FPDFTextObj_GetTextRenderMode(item)
        return mode in {0, 4} and (alpha < 10 or min(red, green, blue) >= _NEARLY_WHITE)

    def _colour(self, item: Any) -> tuple[int, int, int, int]:  # Any: a ctypes pointer
        parts = [ctypes.c_uint(0) for _ in range(4)]
        if not self.raw.FPDFPageObj_GetFillColor(item, *parts):
            return 0, 0, 0, 255
        return parts[0].value, parts[1].value, parts[2].value, parts[3].value

    def _on_ground(self, index: int) -> bool:
        left, right, bottom = self._box(index)
        return any(
            ground[0] - 1 <= left and right <= ground[2] + 1 and ground[1] - 1 <= bottom <= ground[3]
            for ground in self._grounds
        )

    def _size(self, index: int) -> float:
        """Return the height of the type as it is printed: the font's size scaled by its matrix."""
        matrix = self.raw.FS_MATRIX()
        size = float(self.raw.FPDFText_GetFontSize(self.text.raw, index))
        if self.raw.FPDFText_GetMatrix(self.text.raw, index, matrix):
            size *= float((matrix.c**2 + matrix.d**2) ** 0.5)
        return abs(size)

    def _box(self, index: int) -> tuple[float, float, float]:
        left, right, bottom, top = (ctypes.c_double(0) for _ in range(4))
        self.raw.FPDFText_GetCharBox(self.text.raw, index, left, right, bottom, top)
        return left.value, right.value, bottom.value
