"""What a page paints: pictures, coloured areas, boxes that cover, and for each text object whether it can be seen."""

from __future__ import annotations

import ctypes
import math
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.web.documents.pdf.native import call

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_TEXT, _PATH, _IMAGE, _FORM = 1, 2, 3, 5
"""FPDF_PAGEOBJ_*"""
_FILLING_MODES: Final = frozenset({0, 4})
_INVISIBLE_MODES: Final = frozenset({3, 7})  # ISO 32000-1 table 106: neither fill nor stroke
_WHITE: Final = 250
_NEARLY_WHITE: Final = 235
"""On white paper: a contrast of 1.2 to 1, a fifteenth of black on white."""
_TINY: Final = 1.0
MAX_SURVEYED: Final = 20_000
_MAX_GROUNDS: Final = 500
_MAX_DEPTH: Final = 8
"""Forms within forms."""
_BOX_SEGMENTS: Final = 6

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Matrix = tuple[float, float, float, float, float, float]
_SAME: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class TextStyle(NamedTuple):
    """What the characters of one text object share."""

    unpainted: bool
    white: bool
    size: float
    """The height of the type as it is printed: the font's size scaled by its matrix, in points."""
    angle: int
    """The direction in which it runs, counterclockwise: 0, 90, 180 or 270 degrees."""
    box: Box
    place: int
    """Its turn in painting."""


_ANYWHERE: Final[Box] = (-math.inf, -math.inf, math.inf, math.inf)


class Survey:
    """The objects of one page; `page` is the address of its handle."""

    def __init__(self, page: int, edges: Box) -> None:
        self.looks: dict[int, TextStyle] = {}
        self.edges = edges
        self.has_picture = False
        self.picture_share = 0.0
        """The part of the page that its largest picture fills."""
        self.path_count = 0
        self.is_whole = True
        """Whether it came to every object."""
        self._grounds: list[Box] = []
        self._covers: list[tuple[int, Box]] = []
        self._place = 0
        self._floats = (ctypes.c_float * 6)()
        self._at = ctypes.addressof(self._floats)
        self._colours = (ctypes.c_uint * 4)()
        self._colours_at = ctypes.addressof(self._colours)
        self._font_size_of = call("FPDFTextObj_GetFontSize")
        self._mode_of = call("FPDFTextObj_GetTextRenderMode")
        self._matrix_of = call("FPDFPageObj_GetMatrix")
        self._bounds_of = call("FPDFPageObj_GetBounds")
        self._colour_of = call("FPDFPageObj_GetFillColor")
        get = call("FPDFPage_GetObject")
        self._visit((get(page, at) for at in range(call("FPDFPage_CountObjects")(page))), _SAME, 0)

    def _visit(self, objects: Iterable[int], matrix: Matrix, depth: int) -> None:
        kind_of = call("FPDFPageObj_GetType")
        for item in objects:
            if self._place >= MAX_SURVEYED or depth > _MAX_DEPTH:
                self.is_whole = False
                return
            self._place += 1
            kind = kind_of(item)
            if kind == _TEXT:
                self.looks[item] = self._look(item, matrix)
            elif kind == _FORM:
                inner = _times(self._matrix(item), matrix)
                get = call("FPDFFormObj_GetObject")
                count = call("FPDFFormObj_CountObjects")(item)
                self._visit((get(item, at) for at in range(count)), inner, depth + 1)
            else:
                self._note(item, kind, matrix, depth)

    def _note(self, item: int, kind: int, matrix: Matrix, depth: int) -> None:
        """Note pictures, coloured areas and boxes that cover what was painted before them.

        White on a picture or a colour can be seen; text under a scan is the scan's own.
        """
        box = self._box(item, matrix)
        if kind == _IMAGE:
            width, height = self.edges[2] - self.edges[0], self.edges[3] - self.edges[1]
            self.has_picture = True
            share = (box[2] - box[0]) * (box[3] - box[1]) / (width * height) if width * height else 0.0
            self.picture_share = max(self.picture_share, share)
        self.path_count += kind == _PATH
        if len(self._grounds) < _MAX_GROUNDS and (kind != _PATH or min(self._colour(item)[:3]) < _WHITE):
            self._grounds.append(box)
        if len(self._covers) < _MAX_GROUNDS and depth == 0 and kind == _PATH and self._covers_all(item):
            self._covers.append((self._place, box))

    def _covers_all(self, item: int) -> bool:
        """Say whether it is a filled box that nothing shines through."""
        if call("FPDFPath_CountSegments")(item) > _BOX_SEGMENTS:
            return False
        modes = (ctypes.c_int * 2)()
        at = ctypes.addressof(modes)
        call("FPDFPath_GetDrawMode")(item, at, at + 4)
        clip = call("FPDFPageObj_GetClipPath")(item)
        return bool(
            modes[0]
            and self._colour(item)[3] == 255
            and not call("FPDFPageObj_HasTransparency")(item)
            and not (clip and call("FPDFClipPath_CountPaths")(clip) > 0)
        )

    def _look(self, item: int, matrix: Matrix) -> TextStyle:
        at, floats = self._at, self._floats
        self._font_size_of(item, at)
        size = abs(floats[0])
        self._matrix_of(item, at)
        a, b, c, d = floats[:4]
        if matrix is not _SAME:
            a, b, c, d, _, _ = _times((a, b, c, d, 0.0, 0.0), matrix)
        mode = self._mode_of(item)
        red, green, blue, alpha = self._colour(item)
        return TextStyle(
            mode in _INVISIBLE_MODES,
            mode in _FILLING_MODES and (alpha < 10 or min(red, green, blue) >= _NEARLY_WHITE),
            size * (abs(d) if c == 0 else math.hypot(c, d)),
            0 if b == 0 and a > 0 else _angle(a, b),
            self._box(item, matrix),
            self._place,
        )

    def _matrix(self, item: int) -> Matrix:
        if not self._matrix_of(item, self._at):
            return _SAME
        a, b, c, d, e, f = self._floats
        return a, b, c, d, e, f

    def _box(self, item: int, matrix: Matrix) -> Box:
        at = self._at
        if not self._bounds_of(item, at, at + 4, at + 8, at + 12):
            return _ANYWHERE
        left, bottom, right, top = self._floats[:4]
        if matrix is _SAME:
            return left, bottom, right, top
        a, b, c, d, e, f = matrix
        corners = [(left, bottom), (left, top), (right, bottom), (right, top)]
        xs = [a * x + c * y + e for x, y in corners]
        ys = [b * x + d * y + f for x, y in corners]
        return min(xs), min(ys), max(xs), max(ys)

    def _colour(self, item: int) -> Sequence[int]:
        at = self._colours_at
        if not self._colour_of(item, at, at + 4, at + 8, at + 12):
            return 0, 0, 0, 255
        return tuple(self._colours)

    # ------------------------------------------------------------------------------------ what can be seen

    def look_of(self, item: int) -> TextStyle:
        """Return how a text object looks; one that the survey did not come to may stand anywhere."""
        look = self.looks.get(item)
        if look is None:
            look = self.looks[item] = self._look(item, _SAME)._replace(box=_ANYWHERE, place=MAX_SURVEYED)
        return look

    def is_unseen(self, look: TextStyle) -> bool:
        """Say whether nothing of a text object can be seen, wherever it stands."""
        # over a scan, unpainted text is what recognition read in the picture
        return look.size < _TINY or (look.unpainted and self.picture_share <= 0.5)

    def is_doubtful(self, look: TextStyle) -> bool:
        """Say whether characters of a text object may be out of sight: by their place, colour, or a box over them."""
        left, bottom, right, top = look.box
        edges = self.edges
        is_inside = left >= edges[0] and bottom >= edges[1] and right <= edges[2] and top <= edges[3]
        return look.white or not is_inside or self._is_under(look, look.box)

    def _is_under(self, look: TextStyle, box: Box) -> bool:
        return any(
            place > look.place and cover[0] < box[2] and box[0] < cover[2] and cover[1] < box[3] and box[1] < cover[3]
            for place, cover in self._covers
        )

    def is_seen(self, look: TextStyle, box: Box) -> bool:
        """Say whether a character can be seen whose box on the page is given."""
        left, bottom, right, _ = box
        edges = self.edges
        if right <= edges[0] or left >= edges[2] or bottom >= edges[3] or bottom + look.size <= edges[1]:
            return False
        if look.white and not self._is_on_ground(box):
            return False
        middle = bottom + look.size / 4
        return not any(
            place > look.place and cover[0] - 1 <= left and right <= cover[2] + 1 and cover[1] <= middle <= cover[3]
            for place, cover in self._covers
        )

    def _is_on_ground(self, box: Box) -> bool:
        left, bottom, right, _ = box
        return any(
            ground[0] - 1 <= left and right <= ground[2] + 1 and ground[1] - 1 <= bottom <= ground[3]
            for ground in self._grounds
        )


def _angle(a: float, b: float) -> int:
    return round(math.degrees(math.atan2(b, a)) / 90) % 4 * 90


def _times(inner: Matrix, outer: Matrix) -> Matrix:
    """Return the matrix that applies `inner` first (ISO 32000-1 section 8.3.4)."""
    if outer is _SAME:
        return inner
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m
