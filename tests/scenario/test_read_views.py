"""What a read can take of a page besides its main content: its source, its links, elements, and what comes late."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import httpx2
import pytest
from anyio import to_thread
from click.testing import CliRunner
from mcp import Client

from scenario.interfaces import serving as serving_interfaces
from sites import Site, need_browser, serving, settings_for
from warm import run
from wellread import Web
from wellread.apps.cli import app
from wellread.apps.http.api_keys import new_key
from wellread.errors import Empty, InvalidInput, Unsupported, WellreadError
from wellread.sections import ServerSettings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.anyio

WORDS = "The tide pools open at seven in the morning and close when the water is back at the wall. "
SHOP = f"""<!doctype html><html><head><title>Harbour</title>
<style>.aside .price:nth-child(2) {{ display: none }}</style></head>
<body><nav><a href="/tides">Tides</a> <a href="/feed" rel="nofollow">Feed</a></nav>
<article><h1>Harbour</h1><p>{WORDS * 6} <a href="/pools#x">The pools</a></p></article>
<div class="aside"><p class="price">12 crowns</p><p class="price">hidden offer</p><img src="/x.png" alt="A net"></div>
<div id="prices"><ul><li class="price">7 crowns</li><li class="price"><b>9</b> crowns</li></ul></div>
</body></html>"""
LATE = f"""<title>Late</title><article><h1>Late</h1><p>{WORDS * 6}</p></article><div id="box"></div>
<script>setTimeout(() => {{
  document.querySelector('#box').innerHTML = '<p class="late">The boat has come in at last.</p>';
}}, 400);</script>"""


@pytest.fixture(scope="module")
def site() -> Iterator[Site]:
    site = Site()
    site.pages["/shop"] = SHOP
    site.pages["/late"] = LATE
    site.pages["/too-late"] = LATE.replace("}, 400)", "}, 60_000)")
    site.pages["/file"] = (200, {"Content-Type": "application/pdf"}, b"%PDF-1.4\x00\x01\x02" * 9)
    site.pages["/plain"] = (200, {"Content-Type": "text/plain"}, b"The tide.")
    server = serving(site)
    yield site
    server.shutdown()
    server.server_close()


async def test_raw_source_in_pieces(site: Site, tmp_path: Path) -> None:
    async with Web(settings_for(site, tmp_path)) as web:
        page = await web.read(site.url("/shop"), format="raw", max_length=300)
        pieces = [page.text]
        while page.cursor:
            page = await web.read(site.url("/shop"), cursor=page.cursor, max_length=300)
            pieces.append(page.text)
        assert (page.format, page.start > 0) == ("raw", True)
        assert "".join(pieces).strip() == SHOP
        assert site.paths().count("/shop") == 1
        assert "pools open" in (await web.read(site.url("/shop"))).text  # stored apart
        with pytest.raises(Unsupported, match="no raw form"):
            await web.read(site.url("/file"), format="raw")
        with pytest.raises(InvalidInput, match="whole source"):
            await web.read(site.url("/shop"), format="raw", selector="p")


async def test_links_as_text(site: Site, tmp_path: Path) -> None:
    async with Web(settings_for(site, tmp_path)) as web:
        page = await web.read(site.url("/shop"), format="links")
        with pytest.raises(Empty):
            await web.read(site.url("/plain"), format="links")
    lines = [line.split("\t") for line in page.text.splitlines()]
    assert lines == [
        ["nav", site.url("/tides"), "", "Tides"],
        ["nav", site.url("/feed"), "nofollow", "Feed"],
        ["main", site.url("/pools"), "", "The pools"],
    ]
    assert [link.url for link in page.all_links] == [line[1] for line in lines]


async def test_selected_elements(site: Site, tmp_path: Path) -> None:
    async with Web(settings_for(site, tmp_path)) as web:
        page = await web.read(site.url("/shop"), selector=".price")
        assert page.text.replace("**", "").split("\n\n")[0] == "12 crowns"
        assert "- 7 crowns\n- **9** crowns" in page.text
        assert "pools" not in page.text
        assert "hidden offer" not in page.text  # its style is that of the whole page
        assert (page.title, page.complete) == ("Harbour", True)
        assert "A net" not in (await web.read(site.url("/shop"), selector="#prices", images=True)).text
        with pytest.raises(Empty, match=r"no element of .* matches '\.gone'"):
            await web.read(site.url("/shop"), selector=".gone")
        with pytest.raises(InvalidInput, match="not a CSS selector"):
            await web.read(site.url("/shop"), selector="p[")
        with pytest.raises(InvalidInput, match="for web pages"):
            await web.read(site.url("/plain"), selector="p")


async def test_selector_has_a_bound(site: Site, tmp_path: Path) -> None:
    site.pages["/deep"] = "<div class=z>" * 400 + "<slot>x</slot>" * 3_000
    hostile = ".z " + "div " * 14 + ".q ~ slot"
    async with Web(settings_for(site, tmp_path)) as web:
        with pytest.raises(WellreadError) as caught:
            await web.read(site.url("/deep"), selector=hostile)
    assert caught.value.code in {"empty", "unsupported"}


async def test_views_at_every_interface(site: Site, tmp_path: Path) -> None:
    given = replace(settings_for(site, tmp_path), server=ServerSettings(port=0))
    async with (
        serving_interfaces(given, web=Web(given)) as root,
        httpx2.AsyncClient(base_url=root, timeout=60) as http,
        Client(f"{root}/mcp") as mcp,
    ):
        body = {"url": site.url("/shop"), "selector": "#prices", "render": "never"}
        assert "7 crowns" in (await http.post("/v1/read", json=body)).json()["text"]
        assert "7 crowns" in str((await mcp.call_tool("web_read", body)).structured_content)
        raw = await http.post("/v1/read", json={"url": site.url("/shop"), "format": "raw"})
        assert raw.json()["text"].startswith("<!doctype html>")
        refused = await http.post("/v1/read", json={"url": site.url("/shop"), "selector": "p["})
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")
    options = ["--set", f"net.allow_hosts=127.0.0.1:{site.port}", "--set", f"cache.dir={tmp_path / 'cli'}", "read"]
    run = await to_thread.run_sync(CliRunner().invoke, app, [*options, site.url("/shop"), "--selector", ".price"])
    assert "12 crowns" in run.stdout
    run = await to_thread.run_sync(CliRunner().invoke, app, [*options, site.url("/shop"), "--format", "links"])
    assert run.stdout.splitlines()[0] == f"nav\t{site.url('/tides')}\t\tTides"


async def test_read_by_get(site: Site, tmp_path: Path) -> None:
    key, stored = new_key("ann")
    server = ServerSettings(port=0, keys={"ann": stored}, origins=("https://app.example",))
    given = replace(settings_for(site, tmp_path), server=server)
    signed_in = {"authorization": f"Bearer {key}"}
    query = {"url": site.url("/shop"), "max_length": "80", "images": "true", "include": "links,headings"}
    async with (
        serving_interfaces(given, web=Web(given)) as root,
        httpx2.AsyncClient(base_url=root, timeout=60) as http,
    ):

        async def get(**headers: str) -> httpx2.Response:
            names = {name.replace("_", "-"): text for name, text in headers.items()}
            return await http.get("/v1/read", params=query, headers=names)

        page = (await get(**signed_in)).json()
        assert len(page["text"]) <= 80
        assert page["links"] == [site.url("/pools#x")]
        following = {"url": query["url"], "cursor": page["cursor"]}
        answer = await http.get("/v1/read", params=following, headers=signed_in)
        assert answer.json()["start"] == page["end"]
        assert (await get()).status_code == 401
        assert (await get(**signed_in, origin="https://evil.example")).json()["code"] == "wrong_origin"
        assert (await get(**signed_in, sec_fetch_site="cross-site")).json()["code"] == "wrong_origin"
        allowed = await get(**signed_in, origin="https://app.example", sec_fetch_site="cross-site")
        assert allowed.headers["access-control-allow-origin"] == "https://app.example"
        query["images"] = "perhaps"
        assert (await get(**signed_in)).json()["code"] == "invalid_input"
        paths = (await http.get("/openapi.json", headers=signed_in)).json()["paths"]
        names = {parameter["name"] for parameter in paths["/v1/read"]["get"]["parameters"]}
        assert {"url", "selector", "format"} <= names


async def test_read_by_get_without_keys_over_http(site: Site, tmp_path: Path) -> None:
    given = replace(settings_for(site, tmp_path), server=ServerSettings(port=0, hosts=("wellread.lan",)))
    async with (
        serving_interfaces(given, web=Web(given)) as root,
        httpx2.AsyncClient(base_url=root, timeout=60, params={"url": site.url("/shop")}) as http,
    ):
        named = {"host": "wellread.lan"}
        refused = await http.get("/v1/read", headers=named | {"accept": "image/png"})
        assert (refused.status_code, refused.json()["code"]) == (403, "wrong_origin")
        for headers in ({}, named | {"x-request-id": "1"}, named | {"sec-fetch-site": "none"}):
            assert (await http.get("/v1/read", headers=headers)).status_code == 200
        assert (await http.post("/v1/read", json={"url": site.url("/shop")}, headers=named)).status_code == 200


async def test_element_that_comes_late(site: Site, tmp_path: Path) -> None:
    need_browser()
    async with Web(settings_for(site, tmp_path)) as web:
        page = await web.read(site.url("/late"), wait="selector:.late", selector=".late")
        assert (page.text.strip(), page.rendered) == ("The boat has come in at last.", True)
        never = await web.read(site.url("/late"), wait="selector:.never")
        assert "still_loading" in {notice.code for notice in never.notices}
        with pytest.raises(InvalidInput, match="needs a browser"):
            await web.read(site.url("/late"), wait="selector:.late", render="never")
        early = await web.read(site.url("/too-late"), wait="domcontentloaded", selector="body")
        assert "come in at last" not in early.text
        assert early.rendered
        with pytest.raises(InvalidInput, match="not a valid wait"):
            await web.read(site.url("/late"), wait="forever")


def test_a_page_from_the_cache_has_its_age(tmp_path: Path) -> None:
    site = Site()
    site.pages["/pools"] = f"<article><h1>Pools</h1><p>{WORDS * 9}</p></article>"
    server = serving(site)
    words = ["--set", f"net.allow_hosts=127.0.0.1:{site.port}", "read", site.url("/pools")]
    first, again = run(*words, home=tmp_path), run(*words, home=tmp_path)
    server.shutdown()
    server.server_close()
    assert "from the cache" not in first.err
    assert re.search(r"from the cache, \d+ s old", again.err)
