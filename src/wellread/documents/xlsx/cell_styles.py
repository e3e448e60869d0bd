"""The styles of a workbook (ECMA-376 part 1, 18.8): the number format of a cell, and the visibility of its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from wellread.documents.xlsx.number_format import BUILT_IN, MAX_CODE_CHARS, FormatError, NumberFormat
from wellread.documents.xlsx.part_parser import LocalNames, is_true, parse, whole_number
from wellread.hidden_text import HiddenReason, font_reason, is_tiny, is_white_code
from wellread.text.characters import without_invisible

MAX_STYLES: Final = 100_000
"""Excel writes at most 65,490 cell styles; number formats, fonts and fills are bounded alike."""


class CellStyle(NamedTuple):
    """The properties of a cell style."""

    number_format: NumberFormat | None
    """None for General."""
    hides: HiddenReason | None = None
    """Why text of this style is hidden, or empty."""
    is_bold: bool = False
    is_unread: bool = False
    """Its number format cannot be applied."""


PLAIN: Final = CellStyle(None)


class _CellFont(NamedTuple):
    is_white: bool = False
    is_tiny: bool = False
    is_bold: bool = False


class _CellFormat(NamedTuple):
    """A cell format (`xf`) as written: indices into other tables."""

    number_format: int
    font: int
    fill: int


@dataclass(slots=True)
class _StyleTables:
    """The tables of a style part."""

    codes: dict[int, str]
    fonts: list[_CellFont]
    fills: list[bool]
    """Whether a fill paints the cell in a colour other than white."""
    formats: list[_CellFormat]
    count: int = 0
    """All entries, including those beyond the limit."""


class CellStyles:
    """The cell styles of a workbook, each resolved at its first use."""

    def __init__(self, data: bytes, *, is_cut: bool, epoch_1904: bool) -> None:
        """Read the tables of a style part; without one, everything is General.

        Raises:
            ParseError: it is no well-formed XML.
        """
        self._tables = _StyleTables({}, [], [], [])
        self._epoch_1904 = epoch_1904
        self._styles: dict[int, CellStyle] = {}
        self._compiled: dict[int, tuple[NumberFormat | None, bool]] = {}
        if data:
            reader = _StylePartHandler(self._tables)
            parse(data, start=reader.start, end=reader.end, text=reader.text, is_cut=is_cut)
        self.is_cut = is_cut or self._tables.count > MAX_STYLES

    def style(self, number: int) -> CellStyle:
        """Return the style that a cell names by its number."""
        style = self._styles.get(number)
        if style is None:
            style = self._styles[number] = self._read(number)
        return style

    def _read(self, number: int) -> CellStyle:
        tables = self._tables
        if number >= len(tables.formats):
            return CellStyle(None, is_unread=number > 0)
        cell_format = tables.formats[number]
        number_format, is_unread = self._number_format(cell_format.number_format)
        font = tables.fonts[cell_format.font] if cell_format.font < len(tables.fonts) else _CellFont()
        is_painted = cell_format.fill < len(tables.fills) and tables.fills[cell_format.fill]
        hides = font_reason(
            tiny=font.is_tiny,
            white=font.is_white or (number_format is not None and number_format.is_white),
            painted=is_painted,
        )
        if number_format is not None and number_format.shows_nothing:
            hides = HiddenReason.EMPTY_FORMAT
        return CellStyle(number_format, hides, font.is_bold, is_unread)

    def _number_format(self, number: int) -> tuple[NumberFormat | None, bool]:
        """Return a number format, None for General; and whether it cannot be applied."""
        if number not in self._compiled:
            code = self._tables.codes.get(number, BUILT_IN.get(number, "General"))
            try:
                number_format = None
                if code.strip().lower() not in {"general", "", "standard"}:
                    number_format = NumberFormat(code, epoch_1904=self._epoch_1904)
                self._compiled[number] = (number_format, False)
            except FormatError:
                self._compiled[number] = (None, True)
        return self._compiled[number]


class _StylePartHandler:
    """Handles the elements of a style part."""

    def __init__(self, tables: _StyleTables) -> None:
        self._tables = tables
        self._names = LocalNames()
        self._path: list[str] = []
        self._font: dict[str, bool] = {}
        self._is_patterned = self._is_painted = False

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = self._names[tag]
        inside = self._path[-1] if self._path else ""
        self._path.append(name)
        if name == "numFmt" and inside == "numFmts":
            self._number_format(attributes)
        elif name == "xf" and inside == "cellXfs":
            self._tables.count += 1
            if len(self._tables.formats) < MAX_STYLES:
                ids = (whole_number(attributes.get(key), 0) for key in ("numFmtId", "fontId", "fillId"))
                self._tables.formats.append(_CellFormat(*ids))
        elif name == "font":
            self._font = {}
        elif inside == "font":
            self._font_part(name, attributes)
        elif name == "fill":
            self._is_patterned = self._is_painted = False
        elif name == "gradientFill":
            self._is_painted = True
        elif name == "patternFill":
            self._is_patterned = attributes.get("patternType", "none") != "none"
            self._is_painted = self._is_patterned and attributes.get("patternType") != "solid"
        elif name == "fgColor" and inside == "patternFill":
            self._is_painted = self._is_patterned and not _is_white_colour(attributes)

    def end(self, _: str) -> None:
        name = self._path.pop()
        inside = self._path[-1] if self._path else ""
        if name == "font" and inside == "fonts":
            self._tables.count += 1
            if len(self._tables.fonts) < MAX_STYLES:
                flags = (self._font.get(key, False) for key in ("color", "sz", "b"))
                self._tables.fonts.append(_CellFont(*flags))
        elif name == "fill" and inside == "fills":
            self._tables.count += 1
            if len(self._tables.fills) < MAX_STYLES:
                self._tables.fills.append(self._is_painted)

    def text(self, _: str) -> None:
        """Ignore text: a style part has none."""

    def _number_format(self, attributes: dict[str, str]) -> None:
        self._tables.count += 1
        codes = self._tables.codes
        if len(codes) < MAX_STYLES:
            code = attributes.get("formatCode", "")
            codes[whole_number(attributes.get("numFmtId"), -1)] = without_invisible(code[: MAX_CODE_CHARS + 1])[0]

    def _font_part(self, name: str, attributes: dict[str, str]) -> None:
        if name == "color":
            self._font["color"] = _is_white_colour(attributes)
        elif name == "sz":
            self._font["sz"] = is_tiny(_points(attributes.get("val")))
        elif name == "b":
            self._font["b"] = is_true(attributes.get("val", "1"))


def _points(size: str | None) -> float:
    try:
        return float(size) if size else 11.0
    except ValueError:
        return 11.0


def _is_white_colour(attributes: dict[str, str]) -> bool:
    """Tell whether a colour is that of the paper (18.8.3): white, or the first of the theme, its background."""
    if "rgb" in attributes:
        return is_white_code(attributes["rgb"][-6:])
    if "theme" in attributes:
        return attributes["theme"] == "0" and _points(attributes.get("tint", "0")) in {0.0, 11.0}
    return attributes.get("indexed") in {"1", "9"}
