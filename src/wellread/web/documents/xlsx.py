"""Workbooks: every sheet a heading and a table of the values it shows; openpyxl reads them row by row.

Hidden sheets, rows, columns and cells are left out and counted. openpyxl is loaded here and nowhere else
(`pip install 'wellread[documents]'`).
"""

from __future__ import annotations

import re
import warnings
from collections import Counter
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple
from xml.parsers import expat

from ada_url import URL

from wellread.characters import cleaned
from wellread.errors import Empty, TooLarge, Unsupported
from wellread.net import opc
from wellread.net.opc import is_white, local
from wellread.types import Block, Extraction, Kind, Notice, Span
from wellread.web.metadata import office

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.types import Source

MAX_SHEETS = 100
MAX_ROWS = 2_000
"""Of one sheet, as of a CSV file."""
MAX_COLUMNS = 100
MAX_CELLS = 200_000
"""Of all sheets together."""
MAX_STRINGS = 300_000
MAX_CELL_CHARS = 5_000
MAX_LINKS = 2_000

_TINY = 1.0
"""Points."""
_NUMBER = re.compile(r"[\d.,\s%+-]+")
_SHEET = re.compile(rb"\A[^<]{0,9}(?:<\?[^>]*>\s*|<!--.{0,5000}?-->\s*){0,5}<((?:[\w.-]+:)?)worksheet[\s>]", re.DOTALL)
_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")


class XlsxExtractor:
    """Reads workbooks (xlsx)."""

    name = "xlsx"
    media_types = ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",)

    def extract(self, source: Source) -> Extraction:
        """Read a workbook into one table per sheet: values, not formulas; dates in ISO 8601.

        Raises:
            Unsupported: it is damaged or encrypted, or the extra `documents` is not installed.
            Empty: no cell that can be seen holds anything.
            TooLarge: it is made of too many parts.
        """
        where = source.url or "the workbook"
        package = opc.opened(source.body, where)
        book = _Book(package)
        try:
            document = book.read()
        except TooLarge:
            raise
        except ImportError:
            hint = "pip install 'wellread[documents]'"
            raise Unsupported(
                f"{where} is a workbook, and no reader for it is installed", url=source.url, hint=hint
            ) from None
        except Exception as error:
            # openpyxl lets whatever a damaged part causes through: KeyError, TypeError, ParseError, ...
            raise Unsupported(f"{where} is damaged: {type(error).__name__} {error}", url=source.url, hint="") from error
        if not document:
            raise Empty(f"{where} shows no cell with anything in it", url=source.url, hint="")
        spans = [span for table in document for row in table.children for cell in row.children for span in cell.spans]
        return Extraction(
            document=document,
            metadata=office.read(opc.properties(package)),
            method=self.name,
            links=tuple(dict.fromkeys(span.href for span in spans if span.href)),
            notices=tuple(book.notices()),
            source_chars=sum(len(span.text) + 1 for span in spans),
        )


class _Sheet(NamedTuple):
    """What the XML of a sheet says besides the values."""

    rows: frozenset[int] = frozenset()
    """Hidden; counted from 1."""
    columns: frozenset[int] = frozenset()
    links: dict[tuple[int, int], str] = {}  # noqa: RUF012 - never written to
    """(row, column) -> URL."""
    wide: bool = False
    """It has more columns than are shown."""


class _Book:
    """One reading of a workbook."""

    def __init__(self, package: opc.Package) -> None:
        self.package = package
        self.hidden: Counter[str] = Counter()
        self.cut: list[str] = []
        self.unseen = 0
        self.left = MAX_CELLS

    def read(self) -> tuple[Block, ...]:
        """Return the headings and tables."""
        import openpyxl

        # It warns of extensions that it does not know; they are no news to whoever reads the text.
        warnings.filterwarnings("ignore", category=UserWarning, module=r"openpyxl\.")
        book = openpyxl.load_workbook(opc.packed(self._copied()), read_only=True, data_only=True)
        try:
            places = _places(self.package)
            blocks: list[Block] = []
            for sheet in book.worksheets[:MAX_SHEETS]:
                if sheet.sheet_state != "visible":
                    self.hidden["hidden sheet"] += 1
                    continue
                blocks.extend(self._sheet(sheet, places.get(sheet.title, "")))
            if len(book.worksheets) > MAX_SHEETS:
                self.cut.append(f"{MAX_SHEETS} of {len(book.worksheets)} sheets")
            return tuple(blocks)
        finally:
            book.close()

    def _copied(self) -> dict[str, bytes]:
        """Return the parts for openpyxl: sheets that were cut brought to an end, properties left out.

        Raises:
            TooLarge: there are more strings than can be read in time.
        """
        parts: dict[str, bytes] = {}
        for name, data in self.package.parts.items():
            sheet = _SHEET.search(data)
            if sheet is not None:
                parts[name] = _mended(data, sheet[1], cut=name in self.package.cut)
            elif name in self.package.cut or data.count(b"<si") + data.count(b":si>") > MAX_STRINGS:
                raise TooLarge(f"{name} of the workbook holds more than can be read", hint="export it as CSV")
            elif not name.startswith("docProps/"):
                parts[name] = data
        return parts

    def notices(self) -> Iterator[Notice]:
        """Tell what was left out."""
        if self.hidden:
            reasons = ", ".join(f"{reason} ({count})" for reason, count in sorted(self.hidden.items()))
            yield Notice("hidden_text", f"cells nobody sees were left out: {reasons}", self.hidden.total())
        if self.unseen:
            yield Notice("invisible_characters", "characters that show nothing were removed", self.unseen)
        if self.cut:
            yield Notice("rows_cut", f"only the first are shown: {'; '.join(self.cut[:10])}", len(self.cut))

    def _sheet(self, sheet: Any, place: str) -> Iterator[Block]:  # Any: openpyxl has no types
        about = _about(self.package, place)
        shut = place in self.package.cut
        position = sheet.parent.worksheets.index(sheet) + 1  # not its title: notices are not quoted
        sheet.reset_dimensions()  # what the file says of its size need not be true
        rows: list[list[Block]] = []
        for number, cells in enumerate(sheet.iter_rows(max_row=MAX_ROWS + 1, max_col=MAX_COLUMNS), 1):
            if number > MAX_ROWS or self.left <= 0:
                shut = True
                break
            rows.append(self._row(cells, about, number))
        if shut:
            self.cut.append(f"{len(rows):,} rows of sheet {position}")
        if about.wide:
            self.cut.append(f"{MAX_COLUMNS} columns of sheet {position}")
        table = _trimmed(rows)
        if table:
            name, _ = cleaned(sheet.title)
            yield Block(Kind.HEADING, (Span(name.strip() or "Sheet"),), level=2)
            yield Block(Kind.TABLE, children=tuple(table))

    def _row(self, cells: Sequence[Any], about: _Sheet, number: int) -> list[Block]:  # Any: openpyxl has no types
        row: list[Block] = []
        for column, cell in enumerate(cells, 1):
            text = "" if cell.value is None else _shown(cell)
            if text:
                self.left -= 1
                reason = _why_unseen(cell, about, number, column)
                if reason:
                    self.hidden[reason] += 1
                    text = ""
                text, unseen = cleaned(text)
                self.unseen += unseen
                text = text.strip()
            row.append(Block(Kind.CELL, (Span(text, 0, about.links.get((number, column))),) if text else ()))
        return row


def _mended(data: bytes, prefix: bytes, *, cut: bool) -> bytes:
    """Return a sheet with an end, and with a size, without which openpyxl would read all of it to find that out."""
    start = data.find(b"<" + prefix + b"sheetData")
    if cut:
        row = b"</" + prefix + b"row>"
        data = data[: data.rfind(row) + len(row)] + b"</" + prefix + b"sheetData></" + prefix + b"worksheet>"
    if b"<" + prefix + b"dimension" in data[:start]:
        return data
    return data[:start] + b"<" + prefix + b'dimension ref="A1"/>' + data[start:]


def _trimmed(rows: list[list[Block]]) -> list[Block]:
    """Return the rows and columns that hold anything; the first row is the header if nothing in it is a number."""
    filled = [at for row in rows for at, cell in enumerate(row) if cell.spans]
    if not filled:
        return []
    columns = sorted(set(filled))
    kept = [[row[at] for at in columns if at < len(row)] for row in rows]
    kept = [row for row in kept if any(cell.spans for cell in row)]
    width = max(map(len, kept))
    kept = [[*row, *[Block(Kind.CELL)] * (width - len(row))] for row in kept]
    header = len(kept) > 1 and not any(_NUMBER.fullmatch(span.text) for cell in kept[0] for span in cell.spans)
    if header:
        kept[0] = [cell._replace(level=1) for cell in kept[0]]
    return [Block(Kind.ROW, children=tuple(row)) for row in kept]


# ------------------------------------------------------------------------------------------------- cells


def _shown(cell: Any) -> str:  # Any: openpyxl has no types
    """Return a value as a person reads it: ISO 8601 for dates, 15 digits for numbers, as in a spreadsheet."""
    value = cell.value
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(timespec="seconds")
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return str(value)
    if isinstance(value, int | float):
        percent = "%" in (cell.number_format or "")
        return f"{value * 100:.12g}%" if percent else f"{value:.15g}"
    return " ".join(str(value)[:MAX_CELL_CHARS].split())


def _why_unseen(cell: Any, about: _Sheet, row: int, column: int) -> str:  # Any: openpyxl has no types
    if row in about.rows:
        return "hidden row"
    if column in about.columns:
        return "hidden column"
    if set(cell.number_format or "General") == {";"}:
        return "format that shows nothing"
    font = cell.font
    if font.sz is not None and font.sz <= _TINY:
        return "tiny font"
    return "white text" if _is_white(font.color) and not _is_painted(cell.fill) else ""


def _is_white(colour: Any) -> bool:  # Any: openpyxl has no types
    if colour is None:
        return False
    if colour.type == "theme":
        return bool(colour.theme == 0 and not colour.tint)  # the theme's background
    if colour.type == "indexed":
        return bool(colour.indexed in {1, 9})
    return is_white(str(colour.rgb)[-6:])


def _is_painted(fill: Any) -> bool:  # Any: openpyxl has no types
    if fill is None or getattr(fill, "patternType", "gradient") is None:
        return False
    return not _is_white(getattr(fill, "fgColor", None))


# ------------------------------------------------------------------------------- what openpyxl does not tell


def _places(package: opc.Package) -> dict[str, str]:
    """Return the name of each sheet and the part that holds it."""
    (book, *_) = [name for name in package.parts if re.fullmatch(r"(?:xl/)?workbook\d*\.xml", name)] or [""]
    if not book:
        return {}
    targets = package.related(book)
    return {
        each.get("name", ""): next((targets[value] for value in each.attrib.values() if value in targets), "")
        for each in opc.parsed(package.parts[book]).root.iter()
        if local(each.tag) == "sheet"
    }


class _Enough(Exception):
    """The rows that are shown have been passed."""


def _about(package: opc.Package, place: str) -> _Sheet:
    """Read what is hidden in a sheet, and its links, which stand behind the rows."""
    scan = _Scan()
    parser = expat.ParserCreate()
    parser.StartElementHandler = scan.begin
    with suppress(_Enough, expat.ExpatError):  # openpyxl tells of damage
        parser.Parse(package.parts.get(place, b""), False)  # noqa: FBT003 - expat's own signature
    targets = package.related(place) if scan.places else {}
    links = {at: url for ref, target in scan.places if (at := _cell(ref)) and (url := _web(targets.get(target)))}
    return _Sheet(frozenset(scan.rows), frozenset(scan.columns), links, scan.wide)


class _Scan:
    """Takes in the elements of a sheet."""

    def __init__(self) -> None:
        self.rows: set[int] = set()
        self.columns: set[int] = set()
        self.places: list[tuple[str, str]] = []
        """Cells with links, and the ids of these."""
        self.wide = False
        self._at = 0

    def begin(self, tag: str, attributes: dict[str, str]) -> None:
        """Take in one element.

        Raises:
            _Enough: this sheet never ends, and its links are given up.
        """
        name = tag.rpartition(":")[2]
        if name == "c" and not self.wide:
            found = _cell(attributes.get("r", ""))
            self.wide = found is not None and found[1] > MAX_COLUMNS
        elif name == "row":
            self._at = _whole(attributes.get("r"), self._at + 1)
            if _is_hidden(attributes, "ht"):
                self.rows.add(self._at)
        elif name == "col" and _is_hidden(attributes, "width"):
            first, last = _whole(attributes.get("min"), 1), _whole(attributes.get("max"), 1)
            self.columns.update(range(first, min(last, MAX_COLUMNS) + 1))
        elif name == "hyperlink":
            target = next((value for key, value in attributes.items() if key.endswith(":id")), "")
            self.places.append((attributes.get("ref", ""), target))
        if len(self.places) > MAX_LINKS or self._at > 10 * MAX_ROWS:
            raise _Enough


def _is_hidden(attributes: dict[str, str], size: str) -> bool:
    if attributes.get("hidden") in {"1", "true"}:
        return True
    return re.fullmatch(r"0(\.0*)?", attributes.get(size, "")) is not None


def _whole(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 8 else otherwise


def _cell(ref: str) -> tuple[int, int] | None:
    found = _CELL.match(ref)
    if found is None:
        return None
    column = 0
    for letter in found[1]:
        column = column * 26 + ord(letter) - 64
    return int(found[2]), column


def _web(target: str | None) -> str | None:
    try:
        url = URL(target or "")
    except ValueError:
        return None
    return url.href if url.protocol in {"http:", "https:"} else None
