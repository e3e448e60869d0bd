"""A rendered read says that a page goes on: endless feeds, virtual lists, buttons for more, lazy sections."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from sites import settings_for
from wellread.apps.build import Web
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.apps.system_clock import SystemClock
from wellread.errors import InvalidInput
from wellread.types import only_warnings

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Answer, Asked, Reading

WORDS = "The harbour master counts the boats at dawn and writes their names into the green ledger. "
HEAD = "<!DOCTYPE html><title>Boats</title><h1>Boats of the harbour</h1>"
LOAD = """const entry = (n) => { const e = document.createElement('article'); e.style.height = '90px';
e.innerHTML = `<h2>Boat ${n}</h2><p>It lies at berth ${n} of the outer wall.</p>`; return e };
let n = 0, busy = false; const load = async (to) => { if (busy || n >= 2000) return; busy = true;
const rows = await (await fetch('/rows?n=' + n)).json(); for (const row of rows) to.append(entry(row));
n += rows.length; busy = false; };"""
VIRTUAL = """const draw = (top, high, row) => { const from = Math.floor(top / 40); rows.replaceChildren();
for (let i = from; i < from + high / 40 + 2; i++) { const e = document.createElement('div');
e.style.cssText = `position:absolute;top:${i * 40}px;height:40px`; e.textContent = `Boat ${i} lies at berth ${i}`;
rows.append(e) } };"""

ENDLESS = {
    "feed by scroll event": f"{HEAD}<div id=list></div><script>{LOAD}load(list); addEventListener('scroll', () => "
    "{ if (innerHeight + scrollY > document.body.scrollHeight - 200) load(list) })</script>",
    "feed by observer": f"{HEAD}<main id=list></main><div id=end>.</div><script>{LOAD}new IntersectionObserver("
    "(seen) => { if (seen[0].isIntersecting) load(list) }).observe(end)</script>",
    "feed by a timer": f"{HEAD}<main id=list></main><script>{LOAD}"
    "const add = () => setTimeout(() => { for (let i = 0; i < 20; i++) list.append(entry(n++)); busy = false }, 300);"
    "add(); addEventListener('scroll', () => { if (!busy && innerHeight + scrollY > document.body.scrollHeight - 50) "
    "{ busy = true; add() } })</script>",
    "feed in a scroller": f"{HEAD}<div id=list style='height:500px;overflow-y:auto'></div><script>{LOAD}load(list);"
    "list.onscroll = () => { if (list.scrollTop + 500 > list.scrollHeight - 200) load(list) }</script>",
    "feed that throws old entries away": f"{HEAD}<main id=list></main><script>{LOAD}load(list).then(() => load(list));"
    "addEventListener('scroll', () => { if (innerHeight + scrollY > document.body.scrollHeight - 200) load(list)"
    ".then(() => { while (list.children.length > 40) list.firstChild.remove() }) })</script>",
    "virtual list in a scroller": f"{HEAD}<div id=box style='height:500px;overflow-y:scroll;position:relative'><div "
    f"id=rows style='height:80000px'></div></div><script>{VIRTUAL}draw(0, 500); box.onscroll = () => "
    "draw(box.scrollTop, 500)</script>",
    "virtual list of the window": f"{HEAD}<div id=rows style='height:80000px;position:relative'></div><script>{VIRTUAL}"
    "draw(0, 900); addEventListener('scroll', () => draw(scrollY, 900))</script>",
    "grid that declares its rows": f"{HEAD}<table role=grid aria-rowcount=5000><tr><th>Boat</th><th>Berth</th></tr>"
    + "".join(f"<tr><td>Boat {n}</td><td>berth {n}</td></tr>" for n in range(30))
    + "</table>",
    "button in German": f"{HEAD}<ul>"
    + "".join(f"<li>Boot {n} liegt an der Mauer</li>" for n in range(20))
    + "</ul><div><button type=button>Weitere Boote laden</button></div>",
    "button by its name": f"{HEAD}<div class=cards>"
    + "".join(f"<article><h2>Boat {n}</h2><p>{WORDS}</p></article>" for n in range(8))
    + "</div><button class=load-more>8 / 212</button>",
    "link without an address": f"{HEAD}<div><div class=row>Boat Ann</div><div class=row>Boat Beth</div><div class=row>"
    f"Boat Cleo</div><div class=foot><a role=button href='#'>Show more boats</a></div></div><p>{WORDS}</p>",
    "messages that come upwards": f"{HEAD}<div id=list style='height:500px;overflow-y:auto'></div><script>{LOAD}"
    "const older = () => { const high = list.scrollHeight; return load({append: (e) => list.prepend(e)}).then(() => "
    "{ list.scrollTop += list.scrollHeight - high }) }; older();"
    "list.onscroll = () => { if (list.scrollTop < 50) older() }</script>",
    "sections that wait below": HEAD
    + "".join(
        f"<section><h2>Part {n}</h2><div class=wait data-n={n} style='min-height:700px'></div></section>"
        for n in range(40)
    )
    + "<script>const seen = new IntersectionObserver((all) => all.forEach((one) => { if (one.isIntersecting) "
    f"one.target.innerHTML = `<p style='height:700px'>{WORDS * 5}</p>` }}));"
    "document.querySelectorAll('.wait').forEach((e) => seen.observe(e))</script>",
}
PARTS = "".join(f"<h2>Chapter {n}</h2><p>{WORDS * 12}</p>" for n in range(60))
ORDINARY = {
    "long article": f"{HEAD}<article>{PARTS}</article><footer><p>Ann Corrow</p></footer>",
    "long article with scripts": f"{HEAD}<nav><button>Menu</button></nav><main>{PARTS}</main><button id=up hidden>Top"
    "</button><script>addEventListener('scroll', () => { up.hidden = scrollY < 500 })</script>",
    "long table": f"{HEAD}<table>"
    + "".join(f"<tr><td>Boat {n}</td><td>berth {n}</td></tr>" for n in range(400))
    + "</table>",
    "documentation with a sidebar that scrolls": f"{HEAD}<div style='display:flex'><div style='height:600px;"
    "width:300px;overflow-y:auto;position:sticky;top:0'><ul>"
    + "".join(f"<li><a href='#c{n}'>Chapter {n} of the handbook</a></li>" for n in range(60))
    + f"</ul></div><main>{PARTS}</main></div>",
    "list with a button of another kind": f"{HEAD}<p>{WORDS}</p><ul><li>Bread</li><li>Tea with milk</li>"
    f"<li>Jam</li></ul><button>Order now</button>{PARTS}<ol><li>Ann</li><li>Beth</li><li>Cleo</li></ol>"
    "<button>Print</button>",
    "links to more": f"{HEAD}{PARTS}<ul>"
    + "".join(f"<li><a href='/boats/{n}'>Boat {n}</a></li>" for n in range(9))
    + "</ul><p><a href='/boats'>See all boats</a></p>",
    "carousel that turns": f"{HEAD}<p id=news>Boat 0 came in.</p>{PARTS}<script>let n = 0; setInterval(() => "
    "{ news.textContent = `Boat ${n++} came in.` }, 200)</script>",
    "lazy pictures and one lazy part": f"{HEAD}{PARTS}<img loading=lazy width=600 height=400 src=/p.png><div id=more>"
    "</div><script>new IntersectionObserver((seen, it) => { if (seen[0].isIntersecting) { it.disconnect();"
    f"more.innerHTML = `<h2>Comments</h2><p>{WORDS * 4}</p>` }} }}).observe(more)</script>",
}


def rows(asked: Asked) -> Answer:
    first = int(asked.path.partition("n=")[2])
    return 200, {"Content-Type": "application/json"}, json.dumps(list(range(first, first + 20))).encode()


@pytest.mark.parametrize("name", ENDLESS)
def test_page_that_goes_on_says_so(reading: Reading, name: str) -> None:
    reading.site.pages["/rows"] = rows
    # The renderer waits a bounded time for more to come, which a busy machine may exceed: the sign has to come once.
    pages = (reading.show(ENDLESS[name]) for _ in range(3))
    page = next(page for page in pages if "goes_on" in {notice.code for notice in page.notices})
    (notice,) = [notice for notice in page.notices if notice.code == "goes_on"]
    assert "screens of it were read" in notice.detail
    assert notice.level == "warning"
    assert not page.complete
    assert "Boat" in page.text or "Boot" in page.text


@pytest.mark.parametrize("name", ORDINARY)
def test_long_page_that_ends_says_nothing(reading: Reading, name: str) -> None:
    page = reading.show(ORDINARY[name])
    assert [notice.code for notice in only_warnings(page.notices)] == []
    assert page.complete


def test_first_rows_of_a_virtual_list_are_read(reading: Reading) -> None:
    page = reading.show(ENDLESS["virtual list of the window"])
    assert "Boat 0 lies at berth 0" in page.text


# ------------------------------------------------------------------------------------------------- scroll="all"

SHORT = LOAD.replace("n >= 2000", "n >= 160")
MORE = (
    f"<script>{SHORT}load(list); more.onclick = () => load(list).then(() => {{ if (n >= 160) more.remove() }})</script>"
)
WHOLE = {
    "feed by scroll event": ENDLESS["feed by scroll event"].replace(LOAD, SHORT),
    "feed in a scroller": ENDLESS["feed in a scroller"].replace(LOAD, SHORT),
    "feed in a frame of React": f"{HEAD}<div id=root></div><script>{SHORT}const list = document.createElement('ul');"
    "root.append(list); load(list); new IntersectionObserver((seen) => { if (seen[0].isIntersecting) load(list) })"
    ".observe(root.appendChild(Object.assign(document.createElement('div'), {textContent: '.'})))</script>",
    "feed that keeps its end in view": f"{HEAD}<main id=list></main><div id=end>.</div><script>{SHORT}"
    "new IntersectionObserver((seen) => { if (seen[0].isIntersecting) load(list).then(() => end.scrollIntoView()) })"
    ".observe(end)</script>",
    "button for more": f"{HEAD}<main id=list></main><button id=more>Load more boats</button>{MORE}",
    "button for more in a shell": f"{HEAD}<main><div id=list></div><div><a id=more role=button class=load-more "
    f"href='#'>{{n}} of 160</a></div></main>{MORE}",
}


@pytest.mark.parametrize("name", WHOLE)
def test_scroll_all_reads_a_feed_to_its_end(reading: Reading, name: str) -> None:
    reading.site.pages["/rows"] = rows
    page = reading.show(WHOLE[name], scroll="all")
    assert "berth 159 of" in page.text
    assert "berth 0 of" in page.text
    assert page.complete, page.notices


def test_scroll_all_reads_sections_that_wait_below(reading: Reading) -> None:
    page = reading.show(ENDLESS["sections that wait below"], scroll="all")
    assert page.text.count(WORDS.strip()) >= 40 * 4
    assert page.complete, page.notices


async def test_scroll_all_stops_in_an_endless_feed_and_says_so(reading: Reading, tmp_path: Path) -> None:
    endless = ENDLESS["feed by scroll event"].replace("n >= 2000", "n >= 1e9")
    reading.site.pages |= {"/rows": rows, "/endless": endless}
    settings = settings_for(reading.site, tmp_path)
    settings = replace(settings, fetch=replace(settings.fetch, timeout_s=12.0))
    async with Web(settings) as web:
        page = await web.read(reading.site.url("/endless"), scroll="all")
    assert "berth 100 of" in page.text
    assert [notice.code for notice in page.notices if notice.code == "goes_on"] == ["goes_on"]
    assert not page.complete


async def test_operations_scroll_a_feed_to_its_end(reading: Reading, tmp_path: Path) -> None:
    reading.site.pages |= {"/rows": rows, "/feed": WHOLE["feed by scroll event"]}
    settings = settings_for(reading.site, tmp_path)
    url = reading.site.url("/feed")
    async with Web(settings) as web:
        desk = open_dispatcher(settings, web, SystemClock())
        page = (await desk.do("web_read", {"url": url, "scroll": "all"})).data()
        matches = (await desk.do("web_find", {"url": url, "pattern": "berth 159 of", "scroll": "all"})).data()
        await desk.aclose()
    assert "berth 159 of" in page["text"]
    assert matches["total"] == 1


async def test_crawl_scrolls_each_page_to_its_end(reading: Reading, tmp_path: Path) -> None:
    reading.site.pages |= {"/rows": rows, "/feed": WHOLE["feed by scroll event"]}
    url = reading.site.url("/feed")
    async with Web(settings_for(reading.site, tmp_path)) as web:
        with pytest.raises(InvalidInput, match="only a browser can scroll"):
            web.crawl(url, out=tmp_path / "crawl", scroll="all")
        crawl = web.crawl(url, out=tmp_path / "crawl", depth=0, render="auto", scroll="all")
        pages = [record.page async for record in crawl]
    assert ["berth 159 of" in page.text for page in pages if page is not None] == [True]


def test_button_for_more_that_leads_away_is_taken_back(reading: Reading) -> None:
    away = MORE.replace("load(list).then", "(location.href = '/elsewhere', Promise.resolve()).then")
    reading.site.pages |= {"/rows": rows, "/elsewhere": "<title>Elsewhere</title><p>Another page."}
    page = reading.show(f"{HEAD}<main id=list></main><button id=more>Load more boats</button>{away}", scroll="all")
    assert page.title == "Boats of the harbour"
    assert "berth 0 of" in page.text


def test_scroll_all_needs_a_browser(reading: Reading) -> None:
    with pytest.raises(InvalidInput, match="only a browser can scroll"):
        reading.show(ENDLESS["feed by scroll event"], scroll="all", render="never")
