"""Cells of workbooks as Excel shows them: number formats, dates, formulas without values, comments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from unit.at_hand import extract
from unit.office import S, cells, formats, related, xlsx

if TYPE_CHECKING:
    from wellread.types import Page


def sheet(*rows: tuple[str | int | float | bool | None, ...], tail: str = "") -> str:
    return f"<sheetData>{cells(*rows)}</sheetData>{tail}"


def notice(page: Page, code: str) -> tuple[int, str]:
    (found,) = [warning for warning in page.warnings if warning.code == code]
    return found.count, found.detail


# --------------------------------------------------------------------------------- kind: excel-number-formats


def shown(code: str, value: float) -> str:
    """Return how a value is shown in a cell beside the text `value`."""
    cell = f'<c s="1"><v>{value!r}</v></c>'
    page = extract(xlsx(sheet(("item", "amount"), ("value", cell)), styles=formats(code)))
    line = next(line for line in page.text.splitlines() if line.startswith("| value |"))
    return line.removeprefix("| value |").removesuffix("|").strip().replace("\\", "")


@pytest.mark.xfail(strict=True, reason="number formats are not applied")
def test_leading_zeros_of_a_code() -> None:
    assert shown("000000", 4021) == "004021"


@pytest.mark.xfail(strict=True, reason="number formats are not applied")
def test_euros_in_an_accounting_format() -> None:
    assert shown('_-* #,##0.00 [$€-407]_-;-* #,##0.00 [$€-407]_-', 98765.4) == "98,765.40 €"


# ------------------------------------------------------------------- kind: excel-formulas-never-calculated


@pytest.mark.xfail(strict=True, reason="formulas without values are empty")
def test_formula_of_a_library_without_value() -> None:
    page = extract(xlsx(sheet(("pears", 3, "<c><f>B1+2</f></c>"))))
    assert "=B1+2" in page.text
    assert notice(page, "formulas_not_calculated")[0] == 1


@pytest.mark.xfail(strict=True, reason="formulas without values are empty")
def test_shared_formula_without_values() -> None:
    first = '<c><f t="shared" ref="C1:C3" si="0">A1+$B$1</f></c>'
    other = '<c><f t="shared" si="0"/><v/></c>'
    page = extract(xlsx(sheet((1, 2, first), (3, 4, other), (5, 6, other))))
    assert "| 3 | 4 | =A2+$B$1 |" in page.text
    assert "| 5 | 6 | =A3+$B$1 |" in page.text
    assert notice(page, "formulas_not_calculated")[0] == 3


# ---------------------------------------------------------------------------------- kind: comments-not-told


def commented(comments: str) -> dict[str, str | bytes]:
    return {
        "xl/worksheets/_rels/sheet1.xml.rels": related(("c", "comments", "../comments1.xml")),
        "xl/comments1.xml": f'<comments xmlns="{S}"><authors><author>Ines</author></authors>'
        f"<commentList>{comments}</commentList></comments>",
    }


@pytest.mark.xfail(strict=True, reason="comments are not counted")
def test_comment_in_plain_text() -> None:
    comment = '<comment ref="B1" authorId="0"><text><t>ask the harbour</t></text></comment>'
    page = extract(xlsx(sheet(("berth", 7)), more=commented(comment)))
    assert "harbour" not in page.text
    assert notice(page, "comments_left_out")[0] == 1


@pytest.mark.xfail(strict=True, reason="comments are not counted")
def test_comments_in_runs() -> None:
    runs = "<text><r><rPr><b/></rPr><t>Ines:</t></r><r><t>ask twice</t></r></text>"
    comments = "".join(f'<comment ref="A{row}" authorId="0">{runs}</comment>' for row in (1, 2, 3))
    page = extract(xlsx(sheet((1, 2), (3, 4), (5, 6)), more=commented(comments)))
    assert notice(page, "comments_left_out")[0] == 3
