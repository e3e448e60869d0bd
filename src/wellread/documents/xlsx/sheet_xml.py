"""The XML of a sheet (ECMA-376 part 1, 18.3): rows of cells as stored, and the elements around them.

expat reads any XML, but its four calls for each cell are most of the time that a sheet takes. So rows in the form
that office programs write, from the start of the cells up to the first row in another form, are read by regular
expression; expat sees the same document without them. Each cell begins at the end of the one before, so nothing is
skipped, and text in comments or CDATA sections cannot be taken for cells: expat reads everything from there on.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple
from xml.sax.saxutils import unescape

from wellread.documents.xlsx.part_parser import LocalNames, PartParser

if TYPE_CHECKING:
    from collections.abc import Callable

_CELLS: Final = "sheetData"
_START: Final = b"<sheetData>"
_ATTRIBUTE: Final = re.compile(r'([\w.:-]+)="([^"]*)"')
# A row, and a cell, as Excel, LibreOffice, openpyxl and XlsxWriter write them: attributes in one order, at most one
# formula and one value.
_ROW: Final = re.compile(r'<row((?: [\w.:-]{1,40}="[^"<>&]{0,200}")*+) ?>')
_CELL: Final = re.compile(
    r'(<c r="([A-Z]{1,3})[0-9]{1,7}"(?: s="([0-9]{1,7})")?+(?: t="([A-Za-z]{1,9})")?+ ?+(?:/>|>'
    r'(?:(<f)((?: [\w.:-]{1,40}="[^"<>&]{0,200}")*+) ?+(?:/>|>([^<]*+)</f>))?+'
    r'(?:(<v) ?+/>|(<v)>([^<]*+)</v>|<is><t(?: xml:space="preserve")?+>([^<]*+)</t></is>)?+'
    r"</c>))"
)
_ROW_END: Final = "</row>"
_ENTITY: Final = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)")
"""A reference that is left to expat."""


class Formula(NamedTuple):
    """A formula as written in a cell."""

    attributes: dict[str, str]
    text: str
    has_value: bool
    """The cell has an element for its value, which may be empty."""


RawCell = tuple[str, str, str, str, Formula | None]
"""The letters of the column, the number of the style and the type, each empty where it is not written, then the stored
value and the formula."""


def read(
    data: bytes,
    *,
    outside: Callable[[str, dict[str, str]], None],
    row: Callable[[dict[str, str], list[RawCell]], None],
    is_cut: bool,
) -> None:
    """Call `outside` for each element before and after the cells, and `row` for each row: its attributes, its cells.

    Raises:
        ParseError: it is no well-formed XML.
    """
    elements = _SheetHandler(outside, row)
    parser = PartParser(elements.start, elements.end, elements.text, is_cut=is_cut)
    head = data.find(_START) + len(_START)
    if head >= len(_START):
        parser.feed(data[:head])
        if elements.in_cells and parser.is_utf_8:
            head = _plain_rows(data, head, row)
        parser.feed(data[head:])
    else:
        parser.feed(data)
    parser.close()


def _plain_rows(data: bytes, start: int, take: Callable[[dict[str, str], list[RawCell]], None]) -> int:
    """Read the rows in the usual form at `start`; return their end."""
    try:
        text = data[start:].decode()
    except UnicodeDecodeError:
        return start
    end = 0
    while (row := _ROW.match(text, end)) is not None:
        row_end = text.find(_ROW_END, row.end())
        body = text[row.end() : row_end]
        matches = _CELL.findall(body)
        if row_end < 0 or sum([len(match[0]) for match in matches]) < len(body) or _ENTITY.search(body):
            break
        read_cell = _escaped_cell if "&" in body else _plain_cell
        take(
            dict(_ATTRIBUTE.findall(row[1])),
            [
                # The same result as read_cell, without a call for each cell.
                (match[1], match[2], match[3], match[9] or match[10], None)
                if read_cell is _plain_cell and not match[4]
                else read_cell(match)
                for match in matches
            ],
        )
        end = row_end + len(_ROW_END)
    return start + len(text[:end].encode())


def _plain_cell(match: tuple[str, ...]) -> RawCell:
    """Return the cell of a match of `_CELL`, as its groups."""
    _, letters, style, kind, formula_tag, attributes, formula, no_value, value_tag, value, inline = match
    stored_formula = None
    if formula_tag:
        stored_formula = Formula(dict(_ATTRIBUTE.findall(attributes)), formula, bool(no_value or value_tag))
    return letters, style, kind, value or inline, stored_formula


def _escaped_cell(match: tuple[str, ...]) -> RawCell:
    """Return the cell of a match that may hold references to characters."""
    letters, style, kind, value, stored_formula = _plain_cell(match)
    if stored_formula is not None:
        stored_formula = stored_formula._replace(text=_unescaped(stored_formula.text))
    return letters, style, kind, _unescaped(value), stored_formula


def _unescaped(text: str) -> str:
    return unescape(text, {"&quot;": '"', "&apos;": "'"})


class _SheetHandler:
    """Handles the elements of a sheet, one by one."""

    def __init__(
        self, outside: Callable[[str, dict[str, str]], None], row: Callable[[dict[str, str], list[RawCell]], None]
    ) -> None:
        self.in_cells = False
        self._outside = outside
        self._take_row = row
        self._names = LocalNames()
        self._row: dict[str, str] = {}
        self._cells: list[RawCell] = []
        self._cell: dict[str, str] = {}
        self._value: list[str] = []
        self._has_value = False
        self._formula: list[str] = []
        self._formula_attributes: dict[str, str] | None = None
        self._phonetic = 0
        self._target: list[str] | None = None

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        name = self._names[tag]
        if not self.in_cells:
            self.in_cells = name == _CELLS
            self._outside(name, attributes)
        elif name == "c":
            self._cell = attributes
            self._value.clear()
            self._formula.clear()
            self._formula_attributes = None
            self._has_value = False
        elif name == "v":
            self._target = self._value
            self._has_value = True
        elif name == "t":
            self._target = None if self._phonetic else self._value
        elif name == "row":
            self._row = attributes
            self._cells = []
        elif name == "f":
            self._formula_attributes = attributes
            self._target = self._formula
        elif name == "rPh":
            self._phonetic += 1

    def end(self, tag: str) -> None:
        self._target = None
        if not self.in_cells:
            return
        name = self._names[tag]
        if name == "c":
            self._end_cell()
        elif name == "row":
            self._take_row(self._row, self._cells)
        elif name == "rPh":
            self._phonetic -= 1
        elif name == _CELLS:
            self.in_cells = False

    def text(self, text: str) -> None:
        if self._target is not None:
            self._target.append(text)

    def _end_cell(self) -> None:
        stored_formula = None
        if self._formula_attributes is not None:
            stored_formula = Formula(self._formula_attributes, "".join(self._formula), self._has_value)
        get = self._cell.get
        letters = get("r", "").rstrip("0123456789")
        self._cells.append((letters, get("s", ""), get("t", ""), "".join(self._value), stored_formula))
