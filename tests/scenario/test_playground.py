"""People try the operations on the server's own page: in a real browser, over the recorded site."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import anyio
import httpx2

from scenario.doors import FAQ, LONG, QUESTION, serving, settings
from scenario.playground import ask, opened
from wellread.apps import playground
from wellread.apps.commands.demo import HOME
from wellread.apps.http import api_keys

if TYPE_CHECKING:
    from pathlib import Path


async def keep(root: str, *urls: str) -> None:
    async with httpx2.AsyncClient(base_url=root, timeout=60) as client:
        for url in urls:
            assert (await client.post("/v1/index/add", json={"url": url})).status_code == 200


async def test_hits_are_searched_and_read_in_the_other_tab(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root:
        await keep(root, FAQ)
        async with opened(root) as (page, watch):
            await ask(page, "Search", "storm petrels")
            assert await page.locator("#panel-search mark").count() > 0
            assert "local ok" in await page.locator("#panel-search .outcomes").inner_text()
            await page.get_by_role("button", name="Read here").click()
            assert await page.get_by_role("tab", name="Read").get_attribute("aria-selected") == "true"
            await page.locator("#panel-read .reading").wait_for()
            assert "wedding photographs" in await page.locator("#panel-read .text").inner_text()
        assert watch.said == []
        assert {url for url in watch.asked if not url.startswith(root)} == set()


async def test_a_page_stands_beside_what_is_known_of_it_and_what_was_hidden(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, opened(root) as (page, watch):
        await page.get_by_role("tab", name="Read").click()
        await page.locator("#panel-read input[name=all_notices]").set_checked(True, force=True)
        await ask(page, "Read", HOME + "hostile")
        about = await page.locator("#panel-read aside").inner_text()
        assert "hidden_text" in about
        assert re.search(r"article, confidence 0\.8", about)
        assert "sha256:" in about
        assert await page.locator("#panel-read meter").get_attribute("value") == "81"
        await page.get_by_role("button", name="Show source").click()
        assert (await page.locator("#panel-read .raw").inner_text()).startswith("# A first visit")
        assert watch.said == []


async def test_markdown_becomes_the_elements_that_it_means(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, opened(root) as (page, _):
        await ask(page, "Read", HOME + "tide-api")
        text = page.locator("#panel-read .text")
        assert await text.locator("table").first.locator("tbody tr").count() == 4
        assert await text.locator("ol > li > ul > li > ul > li").count() == 2
        assert '"station": "harbour"' in await text.locator("pre code").nth(1).inner_text()
        assert await text.locator("p > em").first.inner_text() == "how high is the water?"
        assert await text.locator("td code").first.inner_text() == "station"


async def test_a_long_page_goes_on_where_it_ended(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, opened(root) as (page, _):
        await ask(page, "Read", LONG)
        before = len(await page.locator("#panel-read .text").inner_text())
        await page.get_by_role("button", name="Read on").click()
        await page.get_by_role("button", name="Read on").wait_for(state="detached")
        assert len(await page.locator("#panel-read .text").inner_text()) > before


async def test_citations_open_the_highlighted_passage(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root:
        await keep(root, FAQ, LONG)
        async with opened(root) as (page, watch):
            await ask(page, "Gather", QUESTION)
            assert await page.locator("#panel-gather .steps .read").count() == 2
            first = page.get_by_role("link", name="Open highlighted: passage 1")
            assert (await first.get_attribute("href") or "").startswith(FAQ + "#:~:text=")
            assert await first.get_attribute("rel") == "noopener noreferrer nofollow"
            await page.get_by_role("button", name="Show in the text: passage 1").click()
            await page.locator(".sheet mark").first.wait_for()
            assert "The citation is verified" in await page.locator(".sheet").inner_text()
            marked = " ".join(await page.locator(".sheet mark").all_inner_texts())
            assert "warm-white LED lamp" in marked
            assert "Can I bring my dog?" not in marked
            await page.keyboard.press("Escape")
            assert not await page.locator(".sheet").is_visible()
        assert watch.said == []


async def test_what_is_offered_to_try_is_of_the_recording_that_is_replayed(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, opened(root) as (page, watch):
        await page.get_by_role("tab", name="Read").click()
        chips = page.locator("#panel-read .chip")
        assert all(chip.startswith(HOME) for chip in await chips.all_inner_texts())
        await chips.first.click()
        await page.locator("#panel-read .reading").wait_for()
        assert watch.said == []
    assert playground.replayed(()) is None
    assert playground.replayed(["http://a.example/"]) == {
        "search": [], "read": ["http://a.example/"], "gather": [], "browse": ["http://a.example/"],
    }  # fmt: skip


async def test_on_a_phone_passages_stand_before_how_they_were_found(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root:
        await keep(root, FAQ)
        async with opened(root, width=390, height=844) as (page, _):
            await ask(page, "Gather", QUESTION)
            passages = await page.locator("#panel-gather .passage").last.bounding_box()
            sources = await page.locator("#panel-gather aside").bounding_box()
    assert passages
    assert sources
    assert passages["y"] < sources["y"]


async def test_a_failure_is_told_with_its_code_and_what_helps(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, opened(root) as (page, _):
        await ask(page, "Read", "http://127.0.0.1/")
        told = await page.get_by_role("alert").inner_text()
        assert "blocked_address" in told
        assert "Hint:" in told


async def test_key_is_requested_and_kept_for_the_tab(tmp_path: Path) -> None:
    key, kept = api_keys.new_key("a")
    async with serving(settings(tmp_path, keys={"a": kept})) as root, opened(root) as (page, _):
        await ask(page, "Read", FAQ)
        await page.get_by_role("button", name="Enter a key").click()
        await page.locator("input[name=key]").fill(key)
        await page.keyboard.press("Enter")
        await page.locator("#panel-read .reading").wait_for()
        await page.reload()
        await ask(page, "Read", FAQ)
        await page.locator("#panel-read .reading").wait_for()
        assert key not in await page.content()
        assert await page.evaluate("() => localStorage.length") == 0


async def test_shown_python_and_mcp_calls_match_the_request(tmp_path: Path) -> None:
    question = """it's "$(here)" \\ `now` {0} \u202e\u2028 ü"""
    async with serving(settings(tmp_path)) as root, opened(root) as (page, _):
        await page.get_by_role("tab", name="Gather").click()
        panel = page.locator("#panel-gather")
        await panel.locator("input.main").fill(question)
        await panel.get_by_label("Pages to read").fill("3")
        await panel.locator(".snippets summary").click()
        code = panel.locator(".snippets code")
        shell = await code.inner_text()
        await panel.get_by_label("Python").check()
        python = await code.inner_text()
        await panel.get_by_label("MCP").check()
        asked = json.loads(await code.inner_text())
    given = {"question": question, "gather_top": 3}
    assert asked["params"] == {"name": "web_gather", "arguments": given}
    echo = shell.replace("curl", 'print_each() { for each in "$@"; do printf \'%s\\0\' "$each"; done; }; print_each', 1)
    words = (await anyio.run_process(["bash", "-c", echo])).stdout.decode().split("\0")
    assert json.loads(words[words.index("-d") + 1]) == given
    assert "\u202e" not in shell + python
    program = python.replace("from wellread.sync import Web", SPY).split("    for passage")[0]
    told = (await anyio.run_process([sys.executable, "-c", program])).stdout
    assert json.loads(told) == [question, {"gather_top": 3}]


SPY = """
import json
class Web:
    __enter__ = lambda self: self
    __exit__ = lambda self, *_: None
    gather = lambda self, first, **named: print(json.dumps([first, named]))
"""


async def test_it_works_by_keyboard_alone_and_remembers_the_theme(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, opened(root) as (page, _):
        await page.get_by_role("tab", name="Search").focus()
        await page.keyboard.press("ArrowRight")
        assert await page.evaluate("() => document.activeElement.id") == "tab-read"
        await page.keyboard.press("/")
        await page.keyboard.type(FAQ)
        await page.keyboard.press("Enter")
        await page.locator("#panel-read .reading").wait_for()
        paper = "() => getComputedStyle(document.body).backgroundColor"
        light = await page.evaluate(paper)
        for _ in range(2):
            await page.locator("#theme").click()
        assert await page.locator("#theme").inner_text() == "Theme: dark"
        assert await page.evaluate(paper) != light
        await page.reload()
        assert await page.locator("#theme").inner_text() == "Theme: dark"


async def test_work_that_takes_long_can_be_stopped(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root, opened(root) as (page, _):
        await page.evaluate(
            "() => { window.fetch = (path, { signal }) => new Promise((_, no) => signal.addEventListener('abort', "
            "() => no(new DOMException('stopped', 'AbortError')))); }"
        )
        await page.get_by_role("tab", name="Read").click()
        await page.locator("#panel-read input.main").fill(FAQ)
        await page.keyboard.press("Enter")
        assert await page.locator("#panel-read .skeleton").is_visible()
        await page.get_by_role("button", name="Stop").click()
        await page.get_by_text("Stopped.").wait_for()
        assert await page.locator("#panel-read .skeleton").count() == 0


async def test_nothing_stands_out_of_a_window_of_any_width(tmp_path: Path) -> None:
    async with serving(settings(tmp_path)) as root:
        await keep(root, FAQ, LONG)
        async with opened(root) as (page, _):
            for tab, text in (("Search", "lamp"), ("Read", HOME + "tide-api"), ("Gather", QUESTION)):
                await ask(page, tab, text)
                for width in (320, 390, 768, 1440):
                    await page.set_viewport_size({"width": width, "height": 800})
                    beyond = await page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
                    assert beyond <= 0, (tab, width)


def test_everything_the_page_is_made_of_is_ours_and_named_by_it() -> None:
    files = {file.path: file.body.decode() for file in playground.pages()}
    assert "/" in files
    for text in files.values():
        assert "innerHTML" not in text
        assert "https://" not in text.replace("https://en.wikipedia.org", "").replace(
            "https://www.rfc-editor.org", ""
        ) or ('placeholder: "https://"' in text)
    named = " ".join(files.values())
    assert {path for path in files if path != "/" and path.rpartition("/")[2] not in named} == set()
