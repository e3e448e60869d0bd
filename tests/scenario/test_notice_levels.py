"""Notices of the level `info` are shown on request only, by one option at every interface; `complete` always is."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from parts import replace_parts
from scenario.interfaces import http, settings
from wellread import Web, extract, tools
from wellread.apps.cli import app
from wellread.apps.terminal import show_page
from wellread.notice_levels import NOTICE_MEANINGS
from wellread.testing import DictWeb
from wellread.types import Notice, only_warnings

if TYPE_CHECKING:
    from pathlib import Path

URL = "http://a.example/"
SHORE = "The limpet keeps to the lower shore, where the weed is wet and the light is low at every tide. " * 30
CLOSED = f"<details><summary>Tides</summary><p>{SHORE}</p></details><div hidden><p>Nobody sees this text.</p></div>"
WHOLE = f"<title>Shore</title><main><h1>Shore</h1><p>{SHORE}</p>{CLOSED}</main>"
CUT = "name;tide\n" + "limpet;low\n" * 50
INFO = {"hidden_text"}


def codes(notices: list[dict[str, Any]]) -> set[str]:
    assert all(set(notice) == {"code", "detail", "count", "level"} for notice in notices)
    return {notice["code"] for notice in notices}


def test_page_has_notices_of_all_levels() -> None:
    page = extract(WHOLE, url=URL)
    assert {notice.code for notice in page.notices if notice.level == "info"} >= INFO
    assert only_warnings(page.notices) == ()
    assert page.complete


@pytest.mark.parametrize(
    ("code", "complete"), [(code, meaning != "missing") for code, meaning in NOTICE_MEANINGS.items()]
)
def test_page_is_complete_unless_text_is_missing(code: str, complete: bool) -> None:
    page = extract(WHOLE, url=URL)
    notice = Notice(code, "as it is")  # the table's codes
    assert replace(page, notices=(notice,)).complete is complete


def test_notice_of_a_plugin_is_a_warning() -> None:
    assert Notice("made_by_a_plugin", "something").level == "warning"


@pytest.mark.parametrize(("options", "shown"), [((), set()), (("--all-notices",), INFO)])
def test_command_shows_info_notices_on_request(options: tuple[str, ...], shown: set[str], tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text(WHOLE, encoding="utf-8")
    told = CliRunner().invoke(app, ["extract", str(file), "--json", *options])
    page = json.loads(told.stdout)
    assert codes(page["notices"]) & INFO == shown
    assert page["complete"] is True
    for_people = CliRunner().invoke(app, ["extract", str(file), *options])
    assert ("hidden_text" in for_people.output) == bool(shown)
    assert "· complete ·" in for_people.output


def web(folder: Path) -> Web:
    made = Web(settings(folder))
    replace_parts(made, fetcher=DictWeb({URL: WHOLE}))
    return made


async def test_http_api_shows_info_notices_on_request(tmp_path: Path) -> None:
    async with http(settings(tmp_path), web=web(tmp_path)) as client:
        for path, more in (("/v1/read", {}), ("/v1/find", {"pattern": "limpet"})):
            plain = (await client.post(path, json={"url": URL, **more})).json()
            whole = (await client.post(path, json={"url": URL, "all_notices": True, **more})).json()
            assert codes(plain["notices"]) == set()
            assert codes(whole["notices"]) >= INFO


async def test_tool_sets_show_info_notices_on_request(tmp_path: Path) -> None:
    async with web(tmp_path) as opened, tools.openai(opened) as kit:
        plain = await kit.call("web_read", {"url": URL})
        whole = await kit.call("web_read", {"url": URL, "all_notices": True})
    assert "hidden_text" not in plain
    assert "Info: hidden_text: " in whole
    assert "; complete." in plain


async def test_piece_of_a_page_is_not_called_complete(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with web(tmp_path) as opened, tools.openai(opened) as kit:
        plain = await kit.call("web_read", {"url": URL, "max_length": 300})
        first = await opened.read(URL, max_length=300)
        last = await opened.read(URL, cursor=first.cursor)
    assert "; a piece of the page." in plain
    for page in (first, last):
        show_page(page)
        remark = capsys.readouterr().err
        assert f"characters {page.start:,} to {page.start + len(page.text):,} of {page.total_chars:,}" in remark
        assert "complete" not in remark


def test_document_cut_short_is_not_complete(tmp_path: Path) -> None:
    file = tmp_path / "tides.csv"
    file.write_text(CUT, encoding="utf-8")
    told = CliRunner().invoke(app, ["--set", "extract.max_rows=10", "extract", str(file), "--json"])
    page = json.loads(told.stdout)
    assert page["complete"] is False
    assert [(notice["code"], notice["level"]) for notice in page["notices"]] == [("rows_cut", "warning")]
