"""Delimited text as spreadsheets and databases export it: delimiters, line breaks within fields, many rows."""

from __future__ import annotations

import pytest

from unit.served import read_served


@pytest.mark.xfail(strict=True, reason="Excel's sep= line is read as the head of the table")
@pytest.mark.parametrize("body", ["\ufeffSEP=;\r\na;b\r\n1,5;2\r\n", '"sep=\t"\r\na\tb\r\n1,5\t2\r\n'])
def test_delimiter_line_of_excel(body: str) -> None:
    assert read_served(body, "text/csv").text == "| a | b |\n| --- | --- |\n| 1,5 | 2 |"


@pytest.mark.xfail(strict=True, reason="rows beyond 2,000 are lost, and not counted")
@pytest.mark.parametrize("break_", ["\n", "\r\n"])
def test_more_than_2000_rows(break_: str) -> None:
    body = break_.join(["id,name", *(f"{number},row {number}" for number in range(5_000))])
    page = read_served(body, "text/csv")
    assert "| 4999 | row 4999 |" in page.text


@pytest.mark.xfail(strict=True, reason="a delimiter in a title line decides about the whole file")
@pytest.mark.parametrize("head", ["Sales, by region, 2024\n", "# exported, by, example\n"])
def test_title_line_with_another_delimiter(head: str) -> None:
    page = read_served(f"{head}Region;Units\nNorth;1\nSouth;2\n", "text/csv")
    assert "| South | 2 |" in page.text
