"""Delimited text as spreadsheets and databases export it: delimiters, line breaks within fields, many rows."""

from __future__ import annotations

import pytest

from unit.served import read_served
from wellread.documents.plain import PlainExtractor
from wellread.types import Source


@pytest.mark.parametrize("body", ["\ufeffSEP=;\r\na;b\r\n1,5;2\r\n", '"sep=\t"\r\na\tb\r\n1,5\t2\r\n'])
def test_delimiter_line_of_excel(body: str) -> None:
    assert read_served(body, "text/csv").text == "| a | b |\n| --- | --- |\n| 1,5 | 2 |"


@pytest.mark.parametrize("break_", ["\n", "\r\n"])
def test_more_than_2000_rows(break_: str) -> None:
    body = break_.join(["id,name", *(f"{number},row {number}" for number in range(5_000))])
    page = read_served(body, "text/csv")
    assert "| 4999 | row 4999 |" in page.text


@pytest.mark.parametrize("head", ["Sales, by region, 2024\n", "# exported, by, example\n"])
def test_title_line_with_another_delimiter(head: str) -> None:
    page = read_served(f"{head}Region;Units\nNorth;1\nSouth;2\n", "text/csv")
    assert "| South | 2 |" in page.text


def test_line_break_within_a_field() -> None:
    body = 'name,address\nAnn,"1 Mill Lane\nWeir"\nBo,"2 Mill ""old"" Lane"\n'
    table = '| name | address |\n| --- | --- |\n| Ann | 1 Mill Lane Weir |\n| Bo | 2 Mill "old" Lane |'
    assert read_served(body, "text/csv").text == table


@pytest.mark.parametrize("head", ["a\0,b\n", "a,b\0\n"])
def test_zero_bytes_are_left_out(head: str) -> None:
    page = read_served(head + "1,2\n" * 20, "text/csv")
    assert page.text.startswith("| a | b |\n| --- | --- |\n| 1 | 2 |\n")


def test_line_separator_within_a_field_starts_no_row() -> None:
    assert "| 1 a | 2 |" in read_served("x,y\n1\u2028a,2\n", "text/csv").text


def test_quotation_mark_that_is_never_closed() -> None:
    page = read_served('size,name\n15",pipe\n"20,tube\n30,hose\n', "text/csv")
    assert "| 30 | hose |" in page.text
    assert [warning.code for warning in page.notices if warning.code != "thin_content"] == ["unread_markup"]


def test_rows_and_columns_left_out_are_counted() -> None:
    body = ",".join(map(str, range(120))) + "\n" + "\n".join(",".join("x" * 120) for _ in range(50))
    found = PlainExtractor().extract(Source(body=body.encode(), media_type="text/csv", max_rows=20))
    assert [(notice.code, notice.count) for notice in found.notices] == [("rows_cut", 31), ("rows_cut", 20)]


def test_wide_table_stays_below_what_a_worker_returns() -> None:
    body = "\n".join(",".join("x" * 100) for _ in range(5_000))
    page = read_served(body, "text/csv")
    (notice,) = [warning for warning in page.notices if warning.code == "rows_cut"]
    assert notice.count == 5_000 - page.text.count("\n")


def test_cell_beyond_the_limit_of_the_csv_module() -> None:
    page = read_served(f"a,b\n1,{'x' * 200_000}\n", "text/csv")
    assert "x" * 200_000 in page.text
    assert "unread_markup" in [warning.code for warning in page.notices]
