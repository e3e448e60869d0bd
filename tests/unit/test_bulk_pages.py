"""Pages in the workers of an engine: a row for every page, also for one that crashes its reader."""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING

import pytest

from wellread.bulk.bulk_page_reader import BulkPageReader, BulkRow
from wellread.bulk.ray import ReadPages

if TYPE_CHECKING:
    from pathlib import Path

PAGE = b"<html lang=en><title>Pool 7</title><h1>Pool 7</h1><p>The pool lies dry. <a href=/map>The map</a>"


@pytest.fixture(autouse=True)
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read pages without a child process."""
    monkeypatch.setenv("WELLREAD_EXTRACT_PROCESSES", "0")


def test_row_has_text_and_fields() -> None:
    reader: BulkPageReader = pickle.loads(pickle.dumps(BulkPageReader(format="text")))
    row = reader.row("pool-7", PAGE, url="http://pools.example/7", content_type="text/html; charset=utf-8")
    assert (row.source, row.title, row.error, row.complete) == ("pool-7", "Pool 7", "", True)
    assert "The pool lies dry." in row.text
    assert json.loads(row.page)["final_url"] == "http://pools.example/7"
    assert pickle.loads(pickle.dumps(reader)).row("again", PAGE).text == row.text


def test_page_that_cannot_be_read_is_an_error_row() -> None:
    row = BulkPageReader().row("scan.7z", b"7z\xbc\xaf\x27\x1c\0\4")
    assert (row.source, row.text, row.error) == ("scan.7z", "", "unsupported")
    assert json.loads(row.page)["error"]["message"] == row.message


def test_too_large_page_is_an_error_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("WELLREAD_FETCH_MAX_BYTES", "50")
    assert BulkPageReader().row("long", PAGE).error == "too_large"


def test_batch_of_ray_has_a_row_for_each_page() -> None:
    batch: dict[str, list[object]] = {
        "source": ["a", "b", "c", "d"],
        "body": [PAGE, b"7z\xbc\xaf\x27\x1c\0\4", None, float("nan")],
        "url": ["http://pools.example/a", None, None, None],
    }
    columns = ReadPages(format="text")(batch)
    assert list(columns) == list(BulkRow._fields)
    assert columns["source"] == ["a", "b", "c", "d"]
    assert columns["error"] == ["", "unsupported", "invalid_input", "invalid_input"]
    assert json.loads(columns["page"][0])["final_url"] == "http://pools.example/a"
