"""A hostile page, or even a hostile answer, runs nothing in the playground: tried in a real browser."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import httpx2
import pytest

from parts import replace_parts
from scenario.interfaces import serving, settings
from scenario.playground import ask, launched, visited
from wellread import Web
from wellread.testing import DictWeb

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from playwright.async_api import Browser, Page, Route

ATTACKS = [
    "<script>pwned()</script>",
    "<img src=x onerror=pwned()>",
    "<svg onload=pwned()><a href='javascript:pwned()'>x</a></svg>",
    "<iframe srcdoc='<script>parent.pwned()</script>'></iframe>",
    "[x](javascript:pwned())",
    "[x](JaVaScRiPt:pwned())",
    "[x](data:text/html,<script>pwned()</script>)",
    "[x](vbscript:pwned())",
    "[x](//evil.example/x)",
    "[x](http://user:pass@evil.example/)",
    '[x](https://evil.example/"onmouseover="pwned())',
    "![x](http://evil.example/beacon.png)",
    "</textarea></title><script>pwned()</script>",
    "<style>@import 'http://evil.example/x.css';</style>",
    "<base href=http://evil.example/><form action=javascript:pwned()><button>go</button></form>",
    "<object data='javascript:pwned()'></object><embed src='http://evil.example/x'>",
    "<meta http-equiv=refresh content='0;url=http://evil.example/'>",
    "<math><mtext><table><mglyph><style><img src=x onerror=pwned()></style></mglyph></table></mtext></math>",
    "<sup><img src=x onerror=pwned()></sup>",
    "```html\n<script>pwned()</script>\n```",
    "| <img src=x onerror=pwned()> |\n| --- |\n| <b onclick=pwned()>x</b> |",
    "[^<script>]: note",
    "&lt;script&gt;pwned()&lt;/script&gt;",
    "{{constructor.constructor('pwned()')()}}",
]
SAFE = {
    "A", "ARTICLE", "ASIDE", "BLOCKQUOTE", "BR", "BUTTON", "CODE", "DD", "DEL", "DETAILS", "DIV", "DL", "DT", "EM",
    "H2", "H3", "H4", "H5", "H6", "HEADER", "HR", "KBD", "LABEL", "LI", "MARK", "METER", "NAV", "OL", "P", "PRE",
    "PROGRESS", "SECTION", "SPAN", "STRONG", "SUB", "SUMMARY", "SUP", "TABLE", "TBODY", "TD", "TH", "THEAD", "TR", "UL",
}  # fmt: skip
"""What answers are built of; none of it runs or loads anything."""

FOUND = """() => [...document.querySelectorAll('.result *, .watches *, dialog.sheet *')].map((each) => ({
  tag: each.tagName,
  href: each.getAttribute('href'),
  rel: each.getAttribute('rel'),
  events: each.getAttributeNames().filter((name) => name.startsWith('on') || name === 'style' || name === 'src'),
}))"""


async def check(page: Page, root: str, asked: list[str], said: list[str]) -> None:
    found = await page.evaluate(FOUND)
    assert {each["tag"] for each in found} <= SAFE
    assert [each for each in found if each["events"]] == []
    links = [each for each in found if each["href"] is not None]
    assert all(each["href"].startswith(("http://", "https://")) and "noopener" in each["rel"] for each in links)
    assert not any("user:pass" in each["href"] for each in links)
    assert [url for url in asked if not url.startswith(root)] == []
    assert said == []
    assert await page.evaluate("() => window.ran") is None


@pytest.fixture(scope="module")
async def browser() -> AsyncGenerator[Browser, None]:
    async with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
async def root(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str, None]:
    async with serving(settings(tmp_path_factory.mktemp("server"))) as root:
        yield root


async def arm(page: Page) -> None:
    await page.evaluate("() => { window.pwned = () => { window.ran = true; }; }")


async def test_nothing_of_a_hostile_page_runs_or_is_loaded(tmp_path: Path, browser: Browser) -> None:
    body = "".join(
        f"<p>The keeper wrote this into the book that day: {attack} and went to bed.</p>" for attack in ATTACKS
    )
    escaped = "".join(
        f"<p>And this: {attack.replace('<', '&lt;')} was found beside it in the tower.</p>" for attack in ATTACKS
    )
    title = "<title>&lt;img src=x onerror=pwned()&gt;</title>"
    web = Web(settings(tmp_path))
    html = f"<html><head>{title}</head><body><main><h1>Log</h1>{body}{escaped}</main></body></html>"
    replace_parts(web, fetcher=DictWeb({"http://a.example/": html}))
    async with serving(settings(tmp_path), web=web) as root:
        async with httpx2.AsyncClient(base_url=root, timeout=60) as client:
            assert (await client.post("/v1/index/add", json={"url": "http://a.example/"})).status_code == 200
        async with visited(browser, root) as (page, watch):
            await arm(page)
            for tab, text in (
                ("Search", "keeper"),
                ("Read", "http://a.example/"),
                ("Facts", "http://a.example/"),
                ("Answer", "What did the keeper write?"),
            ):
                await ask(page, tab, text)
            await ask(page, "Answer", "What did the keeper write?", mode="Passages")
            await page.get_by_role("button", name="Show in the text: passage 1").click()
            await page.locator(".sheet mark").first.wait_for()
            assert "went to bed" in await page.locator(".sheet .text").inner_text()
            await check(page, root, watch.asked, watch.said)


ANSWERS = {
    "/v1/read": ("Read", ""), "/v1/search": ("Search", ""), "/v1/gather": ("Answer", "Passages"),
    "/v1/answer": ("Answer", "Answer"), "/v1/map": ("Crawl", "Map"), "/v1/facts": ("Facts", ""),
    "/v1/watch": ("Watch", ""),
}  # fmt: skip
"""Path -> the tab and the mode that call it."""


@pytest.mark.parametrize("path", list(ANSWERS))
async def test_nothing_of_an_answer_runs_even_where_every_field_attacks(root: str, browser: Browser, path: str) -> None:
    everything = "\n\n".join(ATTACKS)
    bad = {
        "text": everything, "format": "markdown", "title": ATTACKS[1], "byline": ATTACKS[0], "author": ATTACKS[2],
        "description": ATTACKS[1], "site_name": ATTACKS[1], "language": '"><img src=x onerror=pwned()>',
        "url": "javascript:pwned()", "final_url": "javascript:pwned()", "canonical_url": "data:text/html,x",
        "page_type": ATTACKS[1], "published_date": ATTACKS[0], "content_type": ATTACKS[0], "confidence": 0.5,
        "word_count": 1, "extraction_method": ATTACKS[1], "snapshot_id": ATTACKS[1], "start": 0, "end": 5,
        "total_chars": len(everything), "cursor": None, "status": 200, "fragment_url": "javascript:pwned()",
        "notices": [{"code": ATTACKS[1], "detail": ATTACKS[0], "count": 2}], "snippet": everything, "marks": [[0, 9]],
        "source": ATTACKS[1], "headings": [ATTACKS[1]], "fetch_time_ms": 1, "extraction_time_ms": 1, "cached": False,
    }  # fmt: skip
    outcome = {"provider": ATTACKS[1], "code": "ok", "count": 1, "detail": ATTACKS[0], "elapsed_ms": 1}
    found = {"hits": [bad], "outcomes": [outcome], "ignored_filters": [ATTACKS[1]]}
    whole = {"passages": [bad], "missed": [], "notices": [{"code": ATTACKS[1], "detail": ATTACKS[1]}]}
    stream = [("hits", found), ("page", bad), ("missed", {"url": ATTACKS[4], "code": "x", "reason": ATTACKS[1]})]
    stream += [("passage", bad), ("done", whole)]
    notices = whole["notices"]
    claim = {"text": everything, "passages": [bad], "unsupported": [ATTACKS[1]]}
    entry = {"url": ATTACKS[4], "title": ATTACKS[1], "modified_date": ATTACKS[0], "source": ATTACKS[1]}
    missed = {"url": ATTACKS[4], "code": ATTACKS[1], "reason": ATTACKS[0]}
    item = {"syntax": ATTACKS[1], "type": ATTACKS[0], "properties": {ATTACKS[1]: {ATTACKS[0]: [*ATTACKS]}}}
    watched = {"id": 1, "url": ATTACKS[4], "selector": ATTACKS[1], "find": ATTACKS[0], "error": ATTACKS[1]}
    page_check = {"id": 1, "url": ATTACKS[4], "state": "changed", "diff": "+" + "\n+".join(ATTACKS), "error": None}
    answered = {"claims": [claim], "citations": [bad], "dropped": [claim], "is_by_model": True, "notices": notices}
    mapped = {"url": ATTACKS[4], "entries": [entry], "total": 1, "other_hosts": 1, "missed": [missed]}
    facts = {
        "url": "javascript:pwned()", "title": ATTACKS[1], "items": [item], "record": None, "sources": [],
        "tables": [{"columns": ATTACKS, "rows": [ATTACKS]}], "missing": ATTACKS, "notices": notices,
    }  # fmt: skip
    bodies = {
        "/v1/answer": f"event: done\ndata: {json.dumps(answered)}\n\n",
        "/v1/map": json.dumps(mapped),
        "/v1/facts": json.dumps(facts),
        "/v1/watch": json.dumps({"watches": [watched], "checks": [page_check], "changes": [], "notices": []}),
        "/v1/read": json.dumps(bad),
        "/v1/search": json.dumps(found),
        "/v1/gather": "".join(f"event: {name}\ndata: {json.dumps(data)}\n\n" for name, data in stream),
    }

    async def answer(route: Route) -> None:
        await route.fulfill(status=200, body=bodies[path])

    async with visited(browser, root) as (page, watch):
        await page.route(f"**{path}", answer)
        await arm(page)
        tab, mode = ANSWERS[path]
        panel = await ask(page, tab, "http://a.example/", mode=mode)
        assert "pwned()" in await panel.inner_text()
        await check(page, root, watch.asked, watch.said)


async def test_the_policy_stops_what_a_mistake_would_let_in(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        await arm(page)
        markup = await page.evaluate(
            "() => { try { document.body.innerHTML = '<img src=x onerror=pwned()>'; } catch (e) { return e.name } }"
        )
        assert markup == "TypeError"
        inline = "() => document.body.setAttribute('onclick', 'pwned()')"
        with pytest.raises(Exception, match="TrustedScript"):
            await page.evaluate(inline)
        loaded = "() => fetch('https://evil.example/').then(() => 'sent', () => 'stopped')"
        assert await page.evaluate(loaded) == "stopped"
        assert await page.evaluate("() => window.ran") is None
        assert any("Content Security Policy" in each for each in watch.said)


async def test_markdown_made_to_choke_a_renderer_is_drawn_in_a_moment(root: str, browser: Browser) -> None:
    size = 60_000
    texts = [
        "[" * size, "*" * size, "**a " * (size // 4), "![[" * (size // 3), "x " + "`" * size, "` `` ``` " * (size // 9),
        "> " * (size // 2) + "x", "- " * (size // 2) + "x", "<sup>" * (size // 5), "[a](" * (size // 4), "\\" * size,
        "| " * (size // 2), "~~" * (size // 2), "[x](http://a.example/)" * (size // 22),
    ]  # fmt: skip
    draw = """async (text) => {
      const { markdown } = await import('/playground/markdown.js');
      const began = performance.now();
      const place = document.createElement('div');
      place.append(markdown(text));
      document.body.append(place);
      place.getBoundingClientRect();
      const told = [performance.now() - began, place.textContent.length];
      place.remove();
      return told;
    }"""
    async with visited(browser, root) as (page, watch):
        for text in texts:
            took_ms, length = await page.evaluate(draw, text)
            assert took_ms < 3_000, text[:20]
            assert length > 0, text[:20]
        assert watch.said == []


@pytest.mark.parametrize("path", ["/", "/playground/main.js", "/playground/style.css", "/playground/icon.svg"])
async def test_every_file_of_the_page_carries_the_policy(root: str, path: str) -> None:
    async with httpx2.AsyncClient(base_url=root, timeout=60) as client:
        answer = await client.get(path)
    assert answer.status_code == 200
    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert answer.headers["x-content-type-options"] == "nosniff"
