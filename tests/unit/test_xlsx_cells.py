"""Cells of workbooks as Excel shows them: number formats, dates, formulas without values, comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.at_hand import extract
from unit.office import R, S, cells, formats, related, xlsx

if TYPE_CHECKING:
    from wellread.types import Page


def sheet(*rows: tuple[str | int | float | bool | None, ...], tail: str = "") -> str:
    return f"<sheetData>{cells(*rows)}</sheetData>{tail}"


def notice(page: Page, code: str) -> tuple[int, str]:
    (found,) = [warning for warning in page.notices if warning.code == code]
    return found.count, found.detail


# --------------------------------------------------------------------------------- kind: excel-number-formats


def shown(code: str, value: float) -> str:
    """Return how a value is shown in a cell beside the text `value`."""
    cell = f'<c s="1"><v>{value!r}</v></c>'
    page = extract(xlsx(sheet(("item", "amount"), ("value", cell)), styles=formats(code)))
    line = next(line for line in page.text.splitlines() if line.startswith("| value |"))
    return line.removeprefix("| value |").removesuffix("|").strip().replace("\\", "")


def test_leading_zeros_of_a_code() -> None:
    assert shown("000000", 4021) == "004021"


def test_euros_in_an_accounting_format() -> None:
    assert shown("_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-", 98765.4) == "98,765.40 €"


@pytest.mark.parametrize(
    ("code", "value", "text"),
    [
        ("General", 0.30000000000000004, "0.3"),
        ("0.00", 1.005, "1.01"),
        ("0.00", -0.001, "-0.00"),
        ("#,##0", 1234567, "1,234,567"),
        ("#,##0,", 1234567, "1,235"),
        ('0.0,,"M"', 12345678, "12.3M"),
        ("0.###", 1.5, "1.5"),
        ("0.0%", 0.1234, "12.3%"),
        ('"$"#,##0.00', 1234.5, "$1,234.50"),
        ('#,##0.00\\ "kr"', 1234.5, "1,234.50 kr"),
        ('0" km"', 12, "12 km"),
        ("000-00-0000", 123456789, "123-45-6789"),
        ("(000) 000-0000", 5551234567, "(555) 123-4567"),
        ("0.00E+00", 12345, "1.23E+04"),
        ("##0.0E+0", 12345, "12.3E+3"),
        ("# ?/?", 1.5, "1 1/2"),
        ("# ?/16", 1.5, "1 8/16"),
        ("?/?", 1.5, "3/2"),
        ("[h]:mm:ss", 1.253472222222222, "30:05:00"),
        ("[mm]:ss", 0.5, "720:00"),
        ("h:mm AM/PM", 0.75, "6:00 PM"),
        ("mm:ss.0", 0.0007, "01:00.5"),
        ("d. mmmm yyyy", 45413, "1. May 2024"),
        ("dddd, d mmm yy", 45413, "Wednesday, 1 May 24"),
        ("yyyy-mm-dd h:mm:ss", 45414.395833333336, "2024-05-02 9:30:00"),
        ("yyyy年m月d日", 45413, "2024年5月1日"),
        ("[$-F800]dddd, mmmm dd, yyyy", 45413, "2024-05-01"),
        ("m/d/yyyy", 59, "2/28/1900"),
        ("m/d/yyyy", 60, "2/29/1900"),
        ("#,##0;(#,##0)", -1234, "(1,234)"),
        ('0;-0;"none"', 0, "none"),
        ('[>100]"many";[<=100]"few"', 150, "many"),
        ('[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', 1500, "1.5K"),
        ("[Red]-0.0", 3, "-3.0"),
        ("[", 5, "5"),
    ],
)
def test_number_as_it_is_shown(code: str, value: float, text: str) -> None:
    assert shown(code, value) == text


def test_built_in_formats_of_dates_are_iso() -> None:
    styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="22"/></cellXfs>'
    rows = sheet(("day", "moment"), ('<c s="1"><v>45413</v></c>', '<c s="2"><v>45413.5</v></c>'))
    assert "| 2024-05-01 | 2024-05-01 12:00 |" in extract(xlsx(rows, styles=styles)).text


def test_dates_that_count_from_1904() -> None:
    book = xlsx(
        sheet(("day", 1), ('<c s="1"><v>43951</v></c>', 2)),
        styles=formats("yyyy-mm-dd"),
        more={
            "xl/workbook.xml": f'<workbook xmlns="{S}" xmlns:r="{R}"><workbookPr date1904="1"/><sheets>'
            '<sheet name="Tides" sheetId="1" r:id="r1"/></sheets></workbook>'
        },
    )
    assert "| 2024-05-01 | 2 |" in extract(book).text


def test_texts_errors_and_logical_values() -> None:
    error = '<c t="e"><v>#N/A</v></c>'
    day = '<c t="d"><v>2024-05-01T00:00:00</v></c>'
    coded = '<c t="str"><v>a_x000D_\nb</v></c>'
    text = extract(xlsx(sheet((True, error, day, coded), (False, 1e21, -0.5, "x")))).text
    assert "| TRUE | #N/A | 2024-05-01 | a b |" in text
    assert "| FALSE | 1E+21 | -0.5 | x |" in text


def test_format_that_is_no_format_is_reported() -> None:
    page = extract(xlsx(sheet((1, '<c s="1"><v>2</v></c>')), styles=formats("0" * 1_000_000)))
    assert "| 1 | 2 |" in page.text
    assert notice(page, "formats_not_applied")[0] == 1


def test_runs_are_joined_and_readings_left_out() -> None:
    strings = "<si><r><t>東</t></r><r><t>京</t></r><rPh sb='0' eb='1'><t>トウ</t></rPh></si>"
    inline = '<c t="inlineStr"><is><r><t>大</t></r><r><t>阪</t></r><rPh sb="0" eb="1"><t>オオ</t></rPh></is></c>'
    text = extract(xlsx(sheet(('<c t="s"><v>0</v></c>', inline)), strings=strings)).text
    assert "| 東京 | 大阪 |" in text


# ------------------------------------------------------------------- kind: excel-formulas-never-calculated


def test_formula_of_a_library_without_value() -> None:
    page = extract(xlsx(sheet(("pears", 3, "<c><f>B1+2</f></c>"))))
    assert "=B1+2" in page.text
    assert notice(page, "formulas_not_calculated")[0] == 1


def test_shared_formula_without_values() -> None:
    first = '<c><f t="shared" ref="C1:C3" si="0">A1+$B$1</f></c>'
    other = '<c><f t="shared" si="0"/><v/></c>'
    page = extract(xlsx(sheet((1, 2, first), (3, 4, other), (5, 6, other))))
    assert "| 3 | 4 | =A2+$B$1 |" in page.text
    assert "| 5 | 6 | =A3+$B$1 |" in page.text
    assert notice(page, "formulas_not_calculated")[0] == 3


@pytest.mark.parametrize(
    ("formula", "moved"),
    [
        ("SUM(A1:A$3)*$B1", "SUM(B3:B$3)*$B3"),
        ("SUM(A:C)+SUM(1:$2)", "SUM(B:D)+SUM(3:$2)"),
        ('LOG10(A1)&amp;"A1"', 'LOG10(B3)&"A1"'),
        ("'A1 log'!C4+Data2!C4", "'A1 log'!D6+Data2!D6"),
        ("Prices[[#This Row],[A1]]+A1", "Prices[[#This Row],[A1]]+B3"),
        ("XFD1", "#REF!"),
        ("_xlfn.XLOOKUP(A1,B1:B2,C1:C2)", "XLOOKUP(B3,C3:C4,D3:D4)"),
    ],
)
def test_shared_formula_is_moved(formula: str, moved: str) -> None:
    first = f'<c><f t="shared" ref="A1:B3" si="3">{formula}</f></c>'
    rows = sheet((first, "x"), ("y", "z"), ("k", '<c><f t="shared" si="3"/></c>'))
    assert f"={moved}" in extract(xlsx(rows)).text.replace("\\", "")


def test_calculated_formulas_show_their_values() -> None:
    number, text, empty = (
        "<c><f>1+1</f><v>2</v></c>",
        '<c t="str"><f>"b"</f><v>b</v></c>',
        '<c t="str"><f>""</f><v/></c>',
    )
    page = extract(xlsx(sheet((number, text, empty, "end"))))
    assert "| 2 | b | end |" in page.text
    assert not [warning for warning in page.notices if warning.code == "formulas_not_calculated"]


ZERO = "<c><f>B1+2</f><v>0</v></c>"
CALCULATE_LATER = '<calcPr calcId="124519" fullCalcOnLoad="1"/>'


def test_zeros_of_a_library_that_calculates_nothing() -> None:
    page = extract(xlsx(sheet((1, ZERO), (0, "<c><f>B2+2</f><v>0</v></c>")), workbook=CALCULATE_LATER))
    assert "| 1 | =B1+2 |" in page.text
    assert notice(page, "formulas_not_calculated")[0] == 2


def test_zeros_beside_calculated_values() -> None:
    page = extract(xlsx(sheet((1, ZERO), (0, "<c><f>5+2</f><v>7</v></c>")), workbook=CALCULATE_LATER))
    assert "| 1 | 0 |" in page.text
    assert "| 0 | 7 |" in page.text


def test_link_of_a_formula() -> None:
    cell = '<c t="str"><f>HYPERLINK("https://shore.example/a","tide")</f><v>tide</v></c>'
    page = extract(xlsx(sheet(("table", cell))))
    assert page.links == ("https://shore.example/a",)
    assert "[tide](https://shore.example/a)" in page.text


# ---------------------------------------------------------------------------------- kind: comments-not-told


def commented(comments: str) -> dict[str, str | bytes]:
    return {
        "xl/worksheets/_rels/sheet1.xml.rels": related(("c", "comments", "../comments1.xml")),
        "xl/comments1.xml": f'<comments xmlns="{S}"><authors><author>Ines</author></authors>'
        f"<commentList>{comments}</commentList></comments>",
    }


def test_comment_in_plain_text() -> None:
    comment = '<comment ref="B1" authorId="0"><text><t>ask the harbour</t></text></comment>'
    page = extract(xlsx(sheet(("berth", 7)), more=commented(comment)))
    assert "harbour" not in page.text
    assert notice(page, "comments_left_out")[0] == 1


def test_comments_in_runs() -> None:
    runs = "<text><r><rPr><b/></rPr><t>Ines:</t></r><r><t>ask twice</t></r></text>"
    comments = "".join(f'<comment ref="A{row}" authorId="0">{runs}</comment>' for row in (1, 2, 3))
    page = extract(xlsx(sheet((1, 2), (3, 4), (5, 6)), more=commented(comments)))
    assert notice(page, "comments_left_out")[0] == 3


THREADS = "http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"


def test_thread_replaces_the_note_that_stands_for_it() -> None:
    note = '<comment ref="B1" authorId="0"><text><t>[Threaded comment] Your version of Excel...</t></text></comment>'
    parts = commented(note.replace("</comment>", "</comment>"))
    parts["xl/comments1.xml"] = str(parts["xl/comments1.xml"]).replace("Ines", "tc={1}")
    parts["xl/worksheets/_rels/sheet1.xml.rels"] = related(
        ("c", "comments", "../comments1.xml"), ("t", "threadedComment", "../threadedComments/threadedComment1.xml")
    )
    parts["xl/threadedComments/threadedComment1.xml"] = (
        f'<ThreadedComments xmlns="{THREADS}"><threadedComment ref="B1" personId="p"><text>too high?</text>'
        '</threadedComment><threadedComment ref="B1" personId="q"><text>no</text></threadedComment></ThreadedComments>'
    )
    parts["xl/persons/person.xml"] = f'<personList xmlns="{THREADS}"><person displayName="Ines" id="p"/></personList>'
    book = xlsx(sheet(("berth", 7)), more=parts)
    assert notice(extract(book), "comments_left_out")[0] == 2
    page = extract(book, mode="recall")
    assert "Comment on B1 (Ines): too high?\n\nComment on B1: no" in page.text
    assert "Threaded" not in page.text
    assert not [warning for warning in page.notices if warning.code == "comments_left_out"]
