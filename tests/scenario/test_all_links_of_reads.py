"""Every link of a page, at each interface, and only where it is asked for."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from scenario.interfaces import http, settings
from wellread import Web
from wellread.apps.cli import app
from wellread.apps.commands.demo import HOME, SITE
from wellread.types import PageLink

if TYPE_CHECKING:
    from pathlib import Path

    from scenario.story import Tell

pytestmark = pytest.mark.anyio

TEXT = "The tide pools open at seven in the morning and close when the water is back at the wall. " * 8
HTML = f"""<nav><a href="/home" rel="home">Home</a></nav><main><h1>Tides</h1><p>{TEXT}<a href="/pools">pools</a></p>
</main><footer><a href="https://b.example/x" rel="nofollow">B</a></footer>"""
URL = "http://a.example/"
LINKS = (
    PageLink("http://a.example/home", "Home", ("home",), "nav"),
    PageLink("http://a.example/pools", "pools", (), "main"),
    PageLink("https://b.example/x", "B", ("nofollow",), "footer"),
)


async def test_links_of_a_read_and_of_its_stored_copy(tell: Tell) -> None:
    web = tell({URL: HTML}).pipeline
    assert (await web.read(URL)).all_links == ()
    page = await web.read(URL, all_links=True)
    assert page.all_links == LINKS
    again = await web.read(URL, all_links=True)
    assert again.cached
    assert again.all_links == LINKS
    assert again.snapshot_id == (await web.read(URL)).snapshot_id


def test_links_on_the_command_line(tmp_path: Path) -> None:
    before = ["--set", f"cache.dir={tmp_path}", "read", HOME, "--replay", str(SITE)]
    lines = CliRunner().invoke(app, [*before, "--format", "links"]).stdout.splitlines()
    listed = json.loads(CliRunner().invoke(app, [*before, "--all-links", "--json"]).stdout)["all_links"]
    assert [line.split("\t")[1] for line in lines] == [link["url"] for link in listed]
    assert {"url", "text", "rel", "place"} == set(listed[0])
    assert json.loads(CliRunner().invoke(app, [*before, "--json"]).stdout)["all_links"] == []


async def test_links_over_http(tmp_path: Path) -> None:
    async with http(settings(tmp_path)) as client:
        plain = (await client.post("/v1/read", json={"url": HOME})).json()
        full = (await client.post("/v1/read", json={"url": HOME, "include": ["all_links"]})).json()
    assert "all_links" not in plain
    async with Web(settings(tmp_path), replay=SITE) as web:
        page = await web.read(HOME, all_links=True)
    assert [link["url"] for link in full["all_links"]] == [link.url for link in page.all_links]
