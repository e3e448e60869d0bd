"""The painted objects of a page: pictures, coloured areas, covering boxes, and the visibility of each text object."""

from __future__ import annotations

import ctypes
import math
import re
from itertools import islice, repeat
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.documents.pdf.pdfium_calls import ANYWHERE, batch_call, call, pointer, result_table
from wellread.hidden_text import MAX_HIDDEN_FONT_POINTS, MIN_PDF_WHITE_LEVEL, MIN_WHITE_LEVEL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from wellread.documents.pdf.pdfium_calls import Pointer

_TEXT, _PATH, _IMAGE, _FORM = 1, 2, 3, 5
"""FPDF_PAGEOBJ_*"""
_FILLING_MODES: Final = frozenset({0, 4})
_INVISIBLE_MODES: Final = frozenset({3, 7})  # ISO 32000-1 table 106: neither fill nor stroke
MAX_SURVEYED: Final = 20_000
_MAX_GROUNDS: Final = 500
_MAX_DEPTH: Final = 8
"""Forms within forms."""
_BOX_SEGMENTS: Final = 6
_MAX_MARKS: Final = 500
_MARK_SIDE: Final = 12.0
"""Points; drawn signs of list items are smaller."""
_RULE_WIDTH: Final = 3.0
_RULE_LENGTH: Final = 6.0
"""Points."""
_MAX_RULES: Final = 4_000
_EVEN_ODD: Final = 1
"""FPDF_FILLMODE_ALTERNATE"""
_FIXED_PITCH: Final = 1
"""FPDFFont_GetFlags: bit 1 of the flags of a font descriptor (ISO 32000-1 table 123)."""
_FONT_NAME_BYTES: Final = 128
_FIXED_NAMES: Final = re.compile(
    rb"mono(?!type)|courier|consol|menlo|monaco|typewriter|cmtt|cmsltt|cmitt|lmtt|sftt|txtt|inconsol|fixed|terminal"
    rb"|sourcecode|firacode|cascadia|jetbrains|andale|lettergothic",
    re.IGNORECASE,
)
"""TeX and some subsetters do not set the flag."""
_RECOGNIZED: Final = re.compile(rb"glyphless", re.IGNORECASE)
"""The font of the text that Tesseract puts under a scan."""
_BATCH: Final = 4_096
"""Characters or text objects that are compared with all boxes at once."""

Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""
Matrix = tuple[float, float, float, float, float, float]
_SAME: Final[Matrix] = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
NO_OBJECT: Final = 0
"""The row of characters without a text object: PDFium adds spaces."""


class TextObjects(NamedTuple):
    """The shared properties of the characters of each text object: a column for each property."""

    sizes: NDArray[np.float64]
    """The height of the type as it is printed: the font's size scaled by its matrix, in points."""
    angles: NDArray[np.int64]
    """The direction in which the text runs, counterclockwise: 0, 90, 180 or 270 degrees."""
    is_fixed: NDArray[np.bool_]
    """All letters of the font have one width."""
    is_unpainted: NDArray[np.bool_]
    is_white: NDArray[np.bool_]
    boxes: NDArray[np.float64]
    """Left, bottom, right, top."""
    paint_order: NDArray[np.int64]
    """Their positions in painting order."""


class Survey:
    """The objects of one page; `page` is the address of its handle."""

    def __init__(self, page: int, edges: Box) -> None:
        self.edges = edges
        self.has_picture = False
        self.picture_share = 0.0
        """The share of the page that its largest picture fills."""
        self.path_count = 0
        self.marks: list[Box] = []
        """Small shapes about as wide as high: browsers draw the signs of list items so."""
        self.rules: list[Box] = []
        """Thin lines, vertical or horizontal: they separate the cells of tables. Empty where so many are a drawing."""
        self._rule_count = 0
        self._is_fixed = _FixedFonts()
        self._is_whole = True
        """Whether every object was visited."""
        self._grounds: list[Box] = []
        self._covers: list[tuple[int, Box]] = []
        self._place = 0
        self._batches = [_no_object(edges)]
        self._row_of: dict[int | None, int] = {None: NO_OBJECT}
        count = call("FPDFPage_CountObjects")(page)
        objects = map(batch_call("FPDFPage_GetObject"), repeat(pointer(page)), range(count))
        self._visit((item or 0 for item in objects), _SAME, 0)

    def _visit(self, objects: Iterator[int], matrix: Matrix, depth: int) -> None:
        items = list(islice(objects, MAX_SURVEYED - self._place if depth <= _MAX_DEPTH else 0))
        pointers = list(map(pointer, items))
        boxes = _transformed(result_table("FPDFPageObj_GetBounds").filled(pointers, count=len(items)), matrix)
        colours = result_table("FPDFPageObj_GetFillColor").filled(pointers, count=len(items))
        texts: list[int] = []
        paint_order: list[int] = []
        for index, kind in enumerate(map(batch_call("FPDFPageObj_GetType"), pointers)):
            if self._place >= MAX_SURVEYED:
                self._is_whole = False
                break
            self._place += 1
            if kind == _TEXT:
                texts.append(index)
                paint_order.append(self._place)
            elif kind == _FORM:
                self._visit_form(items[index], matrix, depth)
            else:
                can_cover = depth == 0 and kind == _PATH and _is_opaque_box(items[index], colours[index, 3])
                self._record(kind, boxes[index], colours[index, :3].min(), can_cover=can_cover)
                if kind == _PATH and self._rule_count <= _MAX_RULES:
                    self._record_rules(items[index], boxes[index])
        if next(objects, None) is not None:
            self._is_whole = False
        self._add(
            [items[index] for index in texts],
            _text_objects(
                [pointers[index] for index in texts],
                matrix,
                self._is_fixed,
                colours=colours[texts],
                boxes=boxes[texts],
                paint_order=np.array(paint_order, np.int64),
            ),
        )

    def _visit_form(self, form: int, matrix: Matrix, depth: int) -> None:
        rows = result_table("FPDFPageObj_GetMatrix").filled([pointer(form)], count=1)
        a, b, c, d, e, f = rows[0].tolist()
        get = call("FPDFFormObj_GetObject")
        objects = (get(form, index) for index in range(call("FPDFFormObj_CountObjects")(form)))
        self._visit(objects, _matrix_product((a, b, c, d, e, f), matrix), depth + 1)

    def _record(self, kind: int | None, edges: NDArray[np.float64], darkest: float, *, can_cover: bool) -> None:
        """Record pictures, coloured areas and boxes that cover earlier content.

        White text on a picture or a colour is visible; text under a scan is the scan's own.
        """
        left, bottom, right, top = edges.tolist()
        if kind == _IMAGE:
            width, height = self.edges[2] - self.edges[0], self.edges[3] - self.edges[1]
            self.has_picture = True
            share = (right - left) * (top - bottom) / (width * height) if width * height else 0.0
            self.picture_share = max(self.picture_share, share)
        self.path_count += kind == _PATH
        if kind == _PATH and len(self.marks) < _MAX_MARKS and _is_mark(right - left, top - bottom):
            self.marks.append((left, bottom, right, top))
        if len(self._grounds) < _MAX_GROUNDS and (kind != _PATH or darkest < MIN_WHITE_LEVEL):
            self._grounds.append((left, bottom, right, top))
        if len(self._covers) < _MAX_GROUNDS and can_cover:
            self._covers.append((self._place, (left, bottom, right, top)))

    def _record_rules(self, path: int, edges: NDArray[np.float64]) -> None:
        """Record a thin line, or the four sides of a frame."""
        left, bottom, right, top = edges.tolist()
        width, height = right - left, top - bottom
        if max(width, height) < _RULE_LENGTH:
            return
        if min(width, height) <= _RULE_WIDTH:
            self.rules.append((left, bottom, right, top))
        elif min(width, height) >= _RULE_LENGTH and _is_frame(path):
            self.rules += [
                (left, bottom, left, top),
                (right, bottom, right, top),
                (left, bottom, right, bottom),
                (left, top, right, top),
            ]
        self._rule_count = max(self._rule_count, len(self.rules))
        if self._rule_count > _MAX_RULES:
            self.rules = []

    # ------------------------------------------------------------------------------------------- text objects

    def _add(self, items: Sequence[int], objects: TextObjects) -> None:
        first = sum(len(batch.sizes) for batch in self._batches)
        self._row_of.update(zip(items, range(first, first + len(items)), strict=True))
        self._batches.append(objects)

    def rows_of(self, items: Sequence[int | None]) -> NDArray[np.int64]:
        """Return the rows of text objects in `text_objects`; `NO_OBJECT` for None.

        Text objects that the survey did not visit are added, with boxes that may be anywhere.
        """
        rows = list(map(self._row_of.get, items))
        if None in rows:
            unknown = [item for item in dict.fromkeys(items) if item is not None and item not in self._row_of]
            pointers = list(map(pointer, unknown))
            self._add(
                unknown,
                _text_objects(
                    pointers,
                    _SAME,
                    self._is_fixed,
                    colours=result_table("FPDFPageObj_GetFillColor").filled(pointers, count=len(unknown)),
                    boxes=np.full((len(unknown), 4), ANYWHERE),
                    paint_order=np.full(len(unknown), MAX_SURVEYED),
                ),
            )
            rows = list(map(self._row_of.get, items))
        return np.array(rows, np.int64)

    @property
    def text_objects(self) -> TextObjects:
        """The text objects that the survey visited, and those that `rows_of` added."""
        if len(self._batches) > 1:
            self._batches = [TextObjects(*map(np.concatenate, zip(*self._batches, strict=True)))]
        return self._batches[0]

    # ------------------------------------------------------------------------------------ what can be seen

    @property
    def may_hide_text(self) -> bool:
        """Whether any character of the page may be invisible."""
        return not self._is_whole or bool((self.is_invisible() | self.is_doubtful()).any())

    def is_invisible(self) -> NDArray[np.bool_]:
        """Tell for each text object whether it is invisible at any place."""
        objects = self.text_objects
        # over a scan, unpainted text is the recognised text of the picture
        is_invisible: NDArray[np.bool_] = objects.sizes < MAX_HIDDEN_FONT_POINTS
        return is_invisible if self.picture_share > 0.5 else is_invisible | objects.is_unpainted

    def is_doubtful(self) -> NDArray[np.bool_]:
        """Tell for each text object whether a part may be invisible: by its place, colour, or a box over it."""
        objects = self.text_objects
        left, bottom, right, top = objects.boxes.T
        edges = self.edges
        is_inside: NDArray[np.bool_] = (
            (left >= edges[0]) & (bottom >= edges[1]) & (right <= edges[2]) & (top <= edges[3])
        )
        return ~is_inside | objects.is_white | self._is_under(objects)

    def _is_under(self, objects: TextObjects) -> NDArray[np.bool_]:
        cover_order, covers = self._cover_columns()
        is_under = np.zeros(len(objects.paint_order), np.bool_)
        for batch in _batches(len(is_under) if len(cover_order) else 0):
            left, bottom, right, top = objects.boxes[batch].T[:, :, None]
            crosses = (covers[0] < right) & (left < covers[2]) & (covers[1] < top) & (bottom < covers[3])
            is_under[batch] = (crosses & (cover_order > objects.paint_order[batch, None])).any(axis=1)
        return is_under

    def is_visible(self, rows: NDArray[np.int64], boxes: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell for each character whether it is visible; `rows` has the text objects, `boxes` places on the page."""
        objects, edges = self.text_objects, self.edges
        left, bottom, right, _ = boxes.T
        sizes = objects.sizes[rows]
        is_visible: NDArray[np.bool_] = ~(
            (right <= edges[0]) | (left >= edges[2]) | (bottom >= edges[3]) | (bottom + sizes <= edges[1])
        )
        white = objects.is_white[rows]
        cover_order, covers = self._cover_columns()
        grounds = np.array(self._grounds).reshape(-1, 4).T
        for batch in _batches(len(rows)):
            lefts, bottoms, rights = left[batch, None], bottom[batch, None], right[batch, None]
            if white[batch].any():
                beside = (grounds[0] - 1 <= lefts) & (rights <= grounds[2] + 1)
                on_ground = (beside & (grounds[1] - 1 <= bottoms) & (bottoms <= grounds[3])).any(axis=1)
                is_visible[batch] &= ~white[batch] | on_ground
            if len(cover_order):
                middle = bottoms + sizes[batch, None] / 4
                beside = (covers[0] - 1 <= lefts) & (rights <= covers[2] + 1)
                covered = beside & (covers[1] <= middle) & (middle <= covers[3])
                is_visible[batch] &= ~(covered & (cover_order > objects.paint_order[rows[batch], None])).any(axis=1)
        return is_visible

    def _cover_columns(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return the painting positions of the covering boxes, and their sides, a row for each side."""
        paint_order = np.array([position for position, _ in self._covers], np.int64)
        return paint_order, np.array([box for _, box in self._covers]).reshape(-1, 4).T


def _no_object(edges: Box) -> TextObjects:
    """Return a row without any invisible part."""
    no, zero = np.zeros(1, np.bool_), np.zeros(1, np.int64)
    return TextObjects(np.array([math.inf]), zero, no, no, no, np.array([edges]), zero + MAX_SURVEYED)


def _is_mark(width: float, height: float) -> bool:
    return 0 < width < _MARK_SIDE and 0 < height < _MARK_SIDE and 0.7 < width / height < 1.5


def _is_frame(path: int) -> bool:
    """Tell whether a path is a box that is stroked and not filled, or the area between two boxes (even-odd rule)."""
    segment_count = call("FPDFPath_CountSegments")(path)
    if segment_count > 2 * _BOX_SEGMENTS:
        return False
    modes = (ctypes.c_int * 2)()
    address = ctypes.addressof(modes)
    call("FPDFPath_GetDrawMode")(path, address, address + 4)
    is_stroked = modes[0] == 0 and modes[1] != 0
    return (is_stroked and segment_count <= _BOX_SEGMENTS) or (modes[0] == _EVEN_ODD and segment_count > _BOX_SEGMENTS)


class _FixedFonts(dict[int | None, bool]):
    """Address of a font -> whether all its letters have one width."""

    def __missing__(self, font: int | None) -> bool:
        name = ctypes.create_string_buffer(_FONT_NAME_BYTES)
        call("FPDFFont_GetBaseFontName")(font, ctypes.addressof(name), _FONT_NAME_BYTES)
        is_named = _FIXED_NAMES.search(name.value) is not None
        is_fixed = is_named or call("FPDFFont_GetFlags")(font) & _FIXED_PITCH > 0
        self[font] = is_fixed and _RECOGNIZED.search(name.value) is None
        return self[font]


def _is_opaque_box(path: int, alpha: float) -> bool:
    """Tell whether a path is an opaque filled box."""
    if alpha != 255 or call("FPDFPath_CountSegments")(path) > _BOX_SEGMENTS:
        return False
    modes = (ctypes.c_int * 2)()
    address = ctypes.addressof(modes)
    call("FPDFPath_GetDrawMode")(path, address, address + 4)
    if not modes[0] or call("FPDFPageObj_HasTransparency")(path):
        return False
    clip = call("FPDFPageObj_GetClipPath")(path)
    return not clip or call("FPDFClipPath_CountPaths")(clip) <= 0


def _text_objects(
    pointers: Sequence[Pointer],
    matrix: Matrix,
    is_fixed: _FixedFonts,
    *,
    colours: NDArray[np.float64],
    boxes: NDArray[np.float64],
    paint_order: NDArray[np.int64],
) -> TextObjects:
    count = len(pointers)
    sizes = np.abs(result_table("FPDFTextObj_GetFontSize").filled(pointers, count=count)[:, 0])
    a, b, c, d, _, _ = result_table("FPDFPageObj_GetMatrix").filled(pointers, count=count).T
    if matrix is not _SAME:
        g, h, i, j, _, _ = matrix
        a, b, c, d = a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j
    scales, angles = np.abs(d), np.zeros(count, np.int64)
    for index in np.flatnonzero(c):
        scales[index] = math.hypot(c[index], d[index])
    for index in np.flatnonzero((b != 0) | (a <= 0)):
        angles[index] = round(math.degrees(math.atan2(b[index], a[index])) / 90) % 4 * 90
    modes = list(map(batch_call("FPDFTextObj_GetTextRenderMode"), pointers))
    is_filled = np.array([mode in _FILLING_MODES for mode in modes], np.bool_)
    is_light = (colours[:, 3] < 10) | (colours[:, :3].min(axis=1, initial=255) >= MIN_PDF_WHITE_LEVEL)
    is_unpainted = np.array([mode in _INVISIBLE_MODES for mode in modes], np.bool_)
    fonts = map(batch_call("FPDFTextObj_GetFont"), pointers)
    fixed = np.array([is_fixed[font] for font in fonts], np.bool_) & ~is_unpainted
    return TextObjects(sizes * scales, angles, fixed, is_unpainted, is_filled & is_light, boxes, paint_order)


def _transformed(boxes: NDArray[np.float64], matrix: Matrix) -> NDArray[np.float64]:
    """Return the boxes around boxes with their corners transformed by a matrix."""
    if matrix is _SAME:
        return boxes
    a, b, c, d, e, f = matrix
    left, bottom, right, top = np.where(np.isfinite(boxes), boxes, 0.0).T
    xs = np.stack([a * x + c * y + e for x in (left, right) for y in (bottom, top)])
    ys = np.stack([b * x + d * y + f for x in (left, right) for y in (bottom, top)])
    moved = np.column_stack((xs.min(axis=0), ys.min(axis=0), xs.max(axis=0), ys.max(axis=0)))
    return np.where(np.isfinite(boxes), moved, boxes)


def _matrix_product(inner: Matrix, outer: Matrix) -> Matrix:
    """Return the matrix that applies `inner` first (ISO 32000-1 section 8.3.4)."""
    if outer is _SAME:
        return inner
    a, b, c, d, e, f = inner
    g, h, i, j, k, m = outer
    return a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + m


def _batches(count: int) -> Iterator[slice]:
    return (slice(start, start + _BATCH) for start in range(0, count, _BATCH))
