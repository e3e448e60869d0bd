"""Annotations over the content of a page: form fields, text typed over it, closed notes and links.

ISO 32000-1, sections 12.5 (annotations) and 12.7 (forms). Visible text becomes runs at its place; a note that opens at
a click is separate.
"""

from __future__ import annotations

import ctypes
import html
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from wellread.documents.pdf.page_text import TextLine, in_reading_direction

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.documents.pdf.page_objects import Box

_LINK, _FREE_TEXT, _STAMP, _POPUP, _FILE, _WIDGET = 2, 3, 13, 16, 17, 20
"""FPDF_ANNOT_*"""
_HIDDEN: Final = 1 << 1 | 1 << 5
"""The flags Hidden and NoView."""
_CHECK_BOX, _RADIO_BUTTON, _COMBO_BOX, _LIST_BOX, _TEXT_FIELD = 2, 3, 4, 5, 6
"""FPDF_FORMFIELD_*"""
_PASSWORD: Final = 1 << 13
_URI_ACTION: Final = 3
MAX_ANNOTATIONS: Final = 5_000
"""Of one page."""
_MAX_OPTIONS: Final = 1_000
_MAX_BYTES: Final = 1 << 18
"""Of one text."""
_NORMAL_APPEARANCE: Final = 0
_DRAWN_STRING: Final = re.compile(r"\(((?:[^()\\]|\\[()\\]){1,500})\)[^()]{0,100}?T[jJ]")
"""A string in parentheses that is shown (ISO 32000-1, 9.4.3); other strings need the encoding of their font."""
_ESCAPE: Final = re.compile(r"\\([()\\])")
_TAG: Final = re.compile(r"<[^<>]{0,1000}>")
_PARAGRAPH_END: Final = re.compile(r"</p\s?>|<br\s?/?>", re.IGNORECASE)
_LINE_HEIGHT: Final = 1.15
_UNKNOWN_SIZE: Final = 10.0


class Annotations(NamedTuple):
    """The annotations of a page."""

    runs: list[TextLine]
    """Values of fields and text typed over the page, each at its place."""
    notes: list[str]
    """The text of closed notes and of marks."""
    links: list[str]
    """The addresses of http and https links, from the top down."""
    hidden: int
    """Characters of hidden fields and texts."""
    file_count: int = 0
    """Attached files that are pinned to the page."""
    unread_count: int = 0
    """Stamps and signatures whose words are not in the file as text."""


class _AnnotationReader:
    """Reads the annotations of one page; `form` is PDFium's handle of the forms of the file, if it has any."""

    def __init__(self, page: Any, form: Any) -> None:  # Any: pypdfium2 is optional
        import pypdfium2.raw as pdfium

        self._pdfium = pdfium
        self._page = page
        self._form = form
        self._edges = page.get_bbox()
        self._angle = page.get_rotation()
        self.notes: list[str] = []
        self.links: list[tuple[float, float, str]] = []
        self.hidden = 0
        self.file_count = 0
        self.unread_count = 0

    def runs(self) -> Iterator[TextLine]:
        """Yield the visible texts, and record the others."""
        for number in range(min(self._pdfium.FPDFPage_GetAnnotCount(self._page.raw), MAX_ANNOTATIONS)):
            annotation = self._pdfium.FPDFPage_GetAnnot(self._page.raw, number)
            if not annotation:
                continue
            try:
                yield from self._read(annotation)
            finally:
                self._pdfium.FPDFPage_CloseAnnot(annotation)

    def _read(self, annotation: Any) -> Iterator[TextLine]:  # Any: a ctypes pointer
        kind = self._pdfium.FPDFAnnot_GetSubtype(annotation)
        if kind == _LINK:
            self._read_link(annotation)
        elif kind == _WIDGET:
            yield from self._shown(annotation, self._value(annotation))
        elif kind == _FREE_TEXT:
            yield from self._shown(annotation, self._string(annotation, "Contents") or self._rich_text(annotation))
        elif kind == _FILE:
            self.file_count += 1
        elif kind != _POPUP:
            note = self._string(annotation, "Contents").strip()
            if note and not self._is_hidden(annotation):
                self.notes.append(note)
            if kind == _STAMP and not self._is_hidden(annotation):
                yield from self._drawn(annotation)

    def _rich_text(self, annotation: Any) -> str:  # Any: a ctypes pointer
        """Return the text of the entry RC (ISO 32000-1, 12.7.3.4), which is XHTML of a few lines."""
        paragraphs = _PARAGRAPH_END.sub("\n", self._string(annotation, "RC"))
        return html.unescape(_TAG.sub("", paragraphs)).strip()

    def _drawn(self, annotation: Any) -> Iterator[TextLine]:  # Any: a ctypes pointer
        """Yield the words that an appearance draws, where they are written as plain text; else count it."""
        pdfium = self._pdfium
        stream = _text(lambda *buffer: pdfium.FPDFAnnot_GetAP(annotation, _NORMAL_APPEARANCE, *buffer))
        words = " ".join(string for string in _DRAWN_STRING.findall(stream) if string.isascii())
        words = _ESCAPE.sub(r"\1", words)
        if any(map(str.isalnum, words)):
            yield from self._shown(annotation, words)
        else:
            self.unread_count += 1

    def _is_hidden(self, annotation: Any) -> bool:  # Any: a ctypes pointer
        return bool(self._pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN)

    def _shown(self, annotation: Any, text: str) -> Iterator[TextLine]:  # Any: a ctypes pointer
        """Yield the lines of a text from the top of its box down; the baseline of a single line is in the middle."""
        lines = [" ".join(line.split()) for line in text.splitlines()]
        lines = [line for line in lines if line]
        box = self._box(annotation)
        edges = self._edges
        outside = box is None or box[0] >= edges[2] or box[2] <= edges[0] or box[1] >= edges[3] or box[3] <= edges[1]
        if not lines or box is None or outside or self._is_hidden(annotation):
            self.hidden += sum(map(len, lines))
            return
        left, bottom, right, top = in_reading_direction(box, self._edges, self._angle)
        height = max(1.0, top - bottom)
        size = min(height / (len(lines) * _LINE_HEIGHT), _UNKNOWN_SIZE)
        first = top - size if len(lines) > 1 else (top + bottom) / 2 - 0.35 * size
        for number, line in enumerate(lines):
            yield TextLine(line, 0.0, left, right, first - number * size * _LINE_HEIGHT, self._angle)

    def _box(self, annotation: Any) -> Box | None:  # Any: a ctypes pointer
        rect = self._pdfium.FS_RECTF()
        if not self._pdfium.FPDFAnnot_GetRect(annotation, rect):
            return None
        xs, ys = sorted((rect.left, rect.right)), sorted((rect.bottom, rect.top))
        return xs[0], ys[0], xs[1], ys[1]

    # -------------------------------------------------------------------------------------------- form fields

    def _value(self, annotation: Any) -> str:  # Any: a ctypes pointer
        """Return the text of a field: its value, its choices, or its tick."""
        if self._form is None:
            return ""
        pdfium = self._pdfium
        kind = pdfium.FPDFAnnot_GetFormFieldType(self._form, annotation)
        if kind in {_CHECK_BOX, _RADIO_BUTTON}:
            return "[x]" if pdfium.FPDFAnnot_IsChecked(self._form, annotation) else "[ ]"
        if kind in {_COMBO_BOX, _LIST_BOX}:
            chosen = self._chosen(annotation)
            if chosen:
                return ", ".join(chosen)
        elif kind != _TEXT_FIELD or pdfium.FPDFAnnot_GetFormFieldFlags(self._form, annotation) & _PASSWORD:
            return ""
        return _text(lambda *buffer: pdfium.FPDFAnnot_GetFormFieldValue(self._form, annotation, *buffer))

    def _chosen(self, annotation: Any) -> list[str]:  # Any: a ctypes pointer
        pdfium, form = self._pdfium, self._form
        options = range(min(pdfium.FPDFAnnot_GetOptionCount(form, annotation), _MAX_OPTIONS))
        chosen = (option for option in options if pdfium.FPDFAnnot_IsOptionSelected(form, annotation, option))
        return [_label(pdfium, form, annotation, option) for option in chosen]

    def _string(self, annotation: Any, key: str) -> str:  # Any: a ctypes pointer
        name = key.encode()
        return _text(lambda *buffer: self._pdfium.FPDFAnnot_GetStringValue(annotation, name, *buffer))

    # ------------------------------------------------------------------------------------------------- links

    def _read_link(self, annotation: Any) -> None:  # Any: a ctypes pointer
        pdfium = self._pdfium
        link = pdfium.FPDFAnnot_GetLink(annotation)
        action = pdfium.FPDFLink_GetAction(link) if link else None
        if not action or pdfium.FPDFAction_GetType(action) != _URI_ACTION or self._is_hidden(annotation):
            return
        document = self._page.pdf.raw
        count = pdfium.FPDFAction_GetURIPath(document, action, None, 0)
        if not 1 < count <= _MAX_BYTES:
            return
        buffer = ctypes.create_string_buffer(count)
        pdfium.FPDFAction_GetURIPath(document, action, buffer, count)
        address = buffer.raw[: count - 1].decode("utf-8", "replace").strip()
        box = self._box(annotation)
        if address.lower().startswith(("http://", "https://")) and address.isprintable() and box is not None:
            left, _, _, top = in_reading_direction(box, self._edges, self._angle)
            self.links.append((-round(top), left, address))


def _label(pdfium: Any, form: Any, annotation: Any, option: int) -> str:  # Any: pypdfium2 is optional
    return _text(lambda *buffer: pdfium.FPDFAnnot_GetOptionLabel(form, annotation, option, *buffer))


def _text(get: Callable[[Any, int], int]) -> str:  # Any: a ctypes pointer
    """Return a text from PDFium: a call without a buffer returns its size in bytes, in UTF-16 with a null."""
    count = get(None, 0)
    if not 2 < count <= _MAX_BYTES:
        return ""
    buffer = (ctypes.c_ushort * (count // 2 + 1))()
    get(buffer, count)
    return bytes(buffer)[: count - 2].decode("utf-16-le", "replace")


def read_annotations(page: Any, form: Any) -> Annotations:  # Any: pypdfium2 is optional
    """Return the annotations of a page; `form` is PDFium's handle of the forms of the file, or None."""
    reader = _AnnotationReader(page, form)
    runs = list(reader.runs())
    links = [address for _, _, address in sorted(reader.links)]
    return Annotations(runs, reader.notes, links, reader.hidden, reader.file_count, reader.unread_count)
