"""One pass over the XML of a sheet (ECMA-376 part 1, 18.3): the visible cells with content, row by row."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents.xlsx import cell_formulas, sheet_xml
from wellread.documents.xlsx.number_format import general
from wellread.documents.xlsx.part_parser import is_true, whole_number
from wellread.documents.xlsx.references import MAX_COLUMN, Range, cell_range, column_number
from wellread.documents.xlsx.strings import one_line
from wellread.hidden_text import HiddenReason
from wellread.text.characters import without_invisible

if TYPE_CHECKING:
    from wellread.documents.xlsx.cell_styles import CellStyle, CellStyles
    from wellread.documents.xlsx.sheet_xml import Formula, RawCell
    from wellread.documents.xlsx.strings import SharedStrings

MAX_COLUMNS: Final = 100
"""Cells of one row, and columns of one table."""
MAX_PIECES: Final = 250_000
"""Rows, cells and their texts of all sheets: a worker process returns at most 300,000 pieces."""
MAX_TEXT_CHARS: Final = 8_000_000
"""Of all sheets: one shared string may be shown by every cell."""
MAX_FORMAT_CHARS: Final = 20_000_000
"""Of the number formats of all cells: showing a number takes a step for each character of its format."""
MAX_MERGED: Final = 20_000
MAX_LINKS: Final = 2_000
MAX_FORMULAS_KEPT: Final = 100_000
"""Formulas with the value 0 whose text is stored until all values are known."""

_MOVING: Final = 4
"""How many times longer it takes to move the references of a formula than to store its text."""
_MEMO_SIZE: Final = 1_000
"""Numbers of one style whose text is stored, because they are in many cells."""
_MIDNIGHT: Final = "T00:00:00"
_DATE_CHARS: Final = 40
_NUMERIC: Final = frozenset({"", "n"})
_NO_TEXT: Final = frozenset({"b", "d"})
"""Types of cells that are neither numbers nor texts."""


class SheetCell(NamedTuple):
    """A visible cell with content."""

    column: int
    """Counted from 1."""
    text: str
    style: CellStyle
    is_text: bool
    """It is not a number, date or logical value."""


class SheetRow(NamedTuple):
    """A row with visible cells."""

    number: int
    """Counted from 1."""
    position: int
    """The number without the hidden rows above: neighbours on the screen differ by 1."""
    cells: list[SheetCell]


class ZeroFormula(NamedTuple):
    """A formula whose value is 0: libraries that calculate nothing write it."""

    cells: list[SheetCell]
    """Of its row."""
    column: int
    formula: str


@dataclass(slots=True)
class WorkbookBudget:
    """The amounts that may still be stored of a workbook."""

    pieces: int = MAX_PIECES
    chars: int = MAX_TEXT_CHARS
    format_chars: int = MAX_FORMAT_CHARS

    @property
    def is_spent(self) -> bool:
        """Tell whether nothing more may be stored."""
        return self.pieces <= 0 or self.chars <= 0 or self.format_chars <= 0


@dataclass(slots=True)
class Workbook:
    """The state that the sheets of a workbook share."""

    strings: SharedStrings
    styles: CellStyles
    max_rows: int
    keeps_zero_formulas: bool
    """The values of formulas are to be calculated when the workbook is opened (18.2.2)."""
    budget: WorkbookBudget = field(default_factory=WorkbookBudget)
    hidden: Counter[str] = field(default_factory=Counter)
    """Reason -> hidden cells."""
    invisible_characters: int = 0
    formulas_without_value: int = 0
    has_calculated: bool = False
    """A formula has a value other than 0."""
    zero_formulas: list[ZeroFormula] = field(default_factory=list)
    missing_strings: int = 0
    """Cells whose string is beyond the strings that were read."""
    unread_formats: set[str] = field(default_factory=set)
    """Numbers of styles with a number format that was not applied."""


@dataclass(slots=True)
class SheetContent:
    """The visible content of a sheet."""

    rows: list[SheetRow] = field(default_factory=list)
    row_count: int = 0
    """Rows with content, those left out included."""
    widest: int = 0
    """The most cells of a row, those left out included."""
    merged: list[Range] = field(default_factory=list)
    links: dict[tuple[int, int], str] = field(default_factory=dict)
    """(row, column) -> address, of formulas."""
    linked: list[tuple[Range, str]] = field(default_factory=list)
    """Cells with a link, and the id of its relationship."""
    relation_ids: dict[str, list[str]] = field(default_factory=dict)
    """Element -> ids of the parts that it names: drawing, tablePart."""
    is_worksheet: bool = True
    is_cut: bool = False
    """Only the start of the part was read."""


def read(data: bytes, workbook: Workbook, *, is_cut: bool) -> SheetContent:
    """Read a sheet as far as the budget allows; the rows beyond are counted.

    Raises:
        ParseError: it is no well-formed XML.
    """
    sheet = SheetContent(is_cut=is_cut)
    rows = _RowReader(sheet, workbook)
    sheet_xml.read(data, outside=_OuterElements(sheet, rows).take, row=rows.take, is_cut=is_cut)
    return sheet


class _OuterElements:
    """Handles the elements before and after the cells."""

    def __init__(self, sheet: SheetContent, rows: _RowReader) -> None:
        self._sheet = sheet
        self._rows = rows

    def take(self, name: str, attributes: dict[str, str]) -> None:
        sheet = self._sheet
        if name == "sheetFormatPr":
            self._rows.hides_rows = is_true(attributes.get("zeroHeight"))
        elif name == "col" and _is_hidden(attributes, "width"):
            self._rows.hide_columns(attributes)
        elif name == "mergeCell" and len(sheet.merged) < MAX_MERGED:
            merged = cell_range(attributes.get("ref", ""))
            if merged is not None:
                sheet.merged.append(merged)
        elif name == "hyperlink" and len(sheet.linked) < MAX_LINKS:
            cells = cell_range(attributes.get("ref", ""))
            if cells is not None:
                sheet.linked.append((cells, _relation_id(attributes)))
        elif name in {"drawing", "tablePart"}:
            ids = sheet.relation_ids.setdefault(name, [])
            if len(ids) < MAX_LINKS:
                ids.append(_relation_id(attributes))
        elif name in {"chartsheet", "dialogsheet", "macrosheet"}:
            sheet.is_worksheet = False


def _relation_id(attributes: dict[str, str]) -> str:
    return next((value for key, value in attributes.items() if key.rpartition(":")[2] == "id"), "")


class _NumberStyle(NamedTuple):
    """The number format of a style, with the texts of its frequent numbers."""

    style: CellStyle
    numbers: dict[str, str]
    """Stored number -> its text."""


class _ColumnNumbers(dict[str, int]):
    """Letters -> number of the column; 0 where they are invalid."""

    def __missing__(self, letters: str) -> int:
        number = 0
        if letters.isascii() and letters.isalpha() and letters.isupper() and len(letters) <= 3:
            number = column_number(letters)
        if number > MAX_COLUMN:
            number = 0
        if len(self) <= MAX_COLUMN:
            self[letters] = number
        return number


class _RowReader:
    """Handles the rows of a sheet."""

    def __init__(self, sheet: SheetContent, workbook: Workbook) -> None:
        self.hides_rows = False
        """Rows are hidden by default."""
        self._sheet = sheet
        self._workbook = workbook
        self._strings = workbook.strings.strings
        self._columns = _ColumnNumbers()
        self._styles: dict[str, _NumberStyle] = {}
        self._hidden_columns = bytearray(MAX_COLUMN + 1)
        self._hidden_column_elements = 0
        self._hidden_rows = 0
        self._shared: dict[str, tuple[str, int, int]] = {}
        self._is_counting = False
        self._row = 0

    def hide_columns(self, attributes: dict[str, str]) -> None:
        """Hide the columns of a `col` element."""
        self._hidden_column_elements += 1
        if self._hidden_column_elements <= MAX_COLUMN:
            first = whole_number(attributes.get("min"), 1)
            last = min(whole_number(attributes.get("max"), first), MAX_COLUMN)
            self._hidden_columns[first : last + 1] = b"\x01" * max(last + 1 - first, 0)

    # ------------------------------------------------------------------------------------------------ rows

    def take(self, attributes: dict[str, str], raw_cells: list[RawCell]) -> None:
        """Handle a row."""
        self._row = whole_number(attributes.get("r"), self._row + 1)
        is_unsaid = self.hides_rows and "ht" not in attributes and "hidden" not in attributes
        if is_unsaid or _is_hidden(attributes, "ht"):
            self._hidden_rows += 1
            count = sum(bool(value) or formula is not None for *_, value, formula in raw_cells)
            if count:
                self._workbook.hidden[HiddenReason.HIDDEN_ROW] += count
            return
        sheet = self._sheet
        if self._is_counting:
            sheet.row_count += any(value or formula is not None for *_, value, formula in raw_cells)
            return
        cells = self._read(raw_cells)
        if not cells:
            return
        sheet.row_count += 1
        sheet.widest = max(sheet.widest, len(cells))
        sheet.rows.append(SheetRow(self._row, self._row - self._hidden_rows, cells))
        budget = self._workbook.budget
        budget.pieces -= 1 + 2 * len(cells)
        self._is_counting = len(sheet.rows) >= self._workbook.max_rows or budget.is_spent

    def _read(self, raw_cells: list[RawCell]) -> list[SheetCell]:
        """Return the visible cells of a row."""
        cells: list[SheetCell] = []
        columns, styles = self._columns, self._styles
        hidden_columns, has_hidden_columns = self._hidden_columns, self._hidden_column_elements > 0
        column = chars = left_out = 0
        for letters, number, kind, value, formula in raw_cells:
            column = columns[letters] or min(column + 1, MAX_COLUMN)
            if not value and formula is None:
                continue
            if len(cells) >= MAX_COLUMNS:
                left_out += 1
                continue
            shows = styles.get(number) or self._style(number)
            style = shows.style
            reason = HiddenReason.HIDDEN_COLUMN if has_hidden_columns and hidden_columns[column] else style.hides
            if reason:
                self._workbook.hidden[reason] += 1
                continue
            is_text = False
            if formula is not None and (text := self._uncalculated(formula, value, kind, column, cells)):
                is_text = True
            elif kind in _NUMERIC:
                is_shown_as_stored = style.number_format is None and value.isdigit() and _is_whole(value)
                text = value if is_shown_as_stored else shows.numbers.get(value) or self._number(value, shows)
            else:
                text = self._text(value, kind, style)
                is_text = kind not in _NO_TEXT
            if text:
                chars += len(text)
                # A third of the time of SheetCell(...).
                cells.append(tuple.__new__(SheetCell, (column, text, style, is_text)))
            elif style.number_format is not None and value.strip() not in {"", "0"}:
                self._workbook.hidden[HiddenReason.EMPTY_FORMAT] += 1
        self._workbook.budget.chars -= chars
        if left_out:
            self._sheet.widest = max(self._sheet.widest, len(cells) + left_out)
        return cells

    def _style(self, number: str) -> _NumberStyle:
        style = self._workbook.styles.style(whole_number(number, 0))
        if style.is_unread:
            self._workbook.unread_formats.add(number)
        shows = self._styles[number] = _NumberStyle(style, {})
        return shows

    # ---------------------------------------------------------------------------------------------- values

    def _number(self, value: str, shows: _NumberStyle) -> str:
        """Return a stored number as its style shows it."""
        number_format = shows.style.number_format
        try:
            stored = float(value)
        except ValueError:
            return without_invisible(one_line(value))[0]
        if number_format is None:
            shown = f"{stored:.15g}"
            if "e" in shown or "n" in shown:
                shown = general(stored)
        else:
            self._workbook.budget.format_chars -= number_format.length
            shown = number_format.number(stored).strip()
            if "  " in shown:
                shown = " ".join(shown.split())
        if len(shows.numbers) < _MEMO_SIZE:
            shows.numbers[value] = shown
        return shown

    def _text(self, value: str, kind: str, style: CellStyle) -> str:
        """Return the text of a value that is not a number."""
        if kind == "s":
            text = self._shared_string(value)
        elif kind == "b":
            return "TRUE" if is_true(value.strip()) else "FALSE"
        elif kind == "d":
            return value.strip()[:_DATE_CHARS].removesuffix(_MIDNIGHT)
        else:
            text, invisible_count = without_invisible(one_line(value))
            self._workbook.invisible_characters += invisible_count
        if style.number_format is None or not text:
            return text
        return " ".join(style.number_format.text(text).split())

    def _shared_string(self, value: str) -> str:
        strings = self._workbook.strings
        index = whole_number(value.strip(), -1)
        if not 0 <= index < len(self._strings):
            self._workbook.missing_strings += 1
            return ""
        if strings.invisible_characters:
            self._workbook.invisible_characters += strings.invisible_characters.get(index, 0)
        return self._strings[index]

    # -------------------------------------------------------------------------------------------- formulas

    def _uncalculated(self, formula: Formula, value: str, kind: str, column: int, cells: list[SheetCell]) -> str:
        """Return the formula of a cell that has no value; empty where there is a value."""
        workbook = self._workbook
        attributes = formula.attributes
        formula_text = formula.text[: cell_formulas.MAX_FORMULA_CHARS].strip()
        if attributes.get("t") == "shared" and formula_text:
            self._shared.setdefault(attributes.get("si", ""), (formula_text, self._row, column))
        address = cell_formulas.link(formula_text)
        if address and len(self._sheet.links) < MAX_LINKS:
            self._sheet.links[self._row, column] = address
        is_calculated = bool(value.strip()) or (formula.has_value and kind == "str")
        is_zero = is_calculated and kind in _NUMERIC and workbook.keeps_zero_formulas and value == "0"
        if is_calculated and not is_zero:
            workbook.has_calculated = True
            return ""
        shown_formula = one_line(cell_formulas.plain(formula_text or self._derived_formula(attributes, column)))
        shown_formula = f"={without_invisible(shown_formula)[0]}"
        workbook.budget.chars -= len(shown_formula)
        if not is_zero:
            workbook.formulas_without_value += 1
            return shown_formula
        if len(workbook.zero_formulas) < MAX_FORMULAS_KEPT:
            workbook.zero_formulas.append(ZeroFormula(cells, column, shown_formula))
        return ""

    def _derived_formula(self, attributes: dict[str, str], column: int) -> str:
        """Return the formula of a cell that has only a reference to the cell where it is written."""
        if attributes.get("t") == "dataTable":
            return f"TABLE({attributes.get('r1', '')},{attributes.get('r2', '')})"
        shared = self._shared.get(attributes.get("si", ""))
        if shared is None:
            return ""
        formula, first_row, first_column = shared
        self._workbook.budget.chars -= _MOVING * len(formula)
        return cell_formulas.moved(formula, self._row - first_row, column - first_column)


def _is_whole(digits: str) -> bool:
    """Tell whether digits are a number without a leading zero that a workbook stores exactly."""
    return digits[0] != "0" and len(digits) <= 15 and digits.isascii()


def _is_hidden(attributes: dict[str, str], size: str) -> bool:
    if is_true(attributes.get("hidden")):
        return True
    try:
        return size in attributes and float(attributes[size]) == 0
    except ValueError:
        return False
