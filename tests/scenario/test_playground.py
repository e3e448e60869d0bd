"""People try the operations on the server's own page: in a real browser, over the recorded site."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest

from scenario.interfaces import FAQ, LONG, QUESTION, serving, settings
from scenario.playground import ask, launched, visited
from wellread.apps import playground
from wellread.apps.commands.demo import HOME
from wellread.apps.http import api_keys

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from playwright.async_api import Browser, Download, Route

LANTERN = HOME + "shop/petrel-lantern"


@pytest.fixture(scope="module")
async def browser() -> AsyncGenerator[Browser, None]:
    async with launched() as browser:
        yield browser


@pytest.fixture(scope="module")
async def root(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[str, None]:
    """Yield the root URL of a server with two pages in its index."""
    async with serving(settings(tmp_path_factory.mktemp("server"))) as root:
        async with httpx2.AsyncClient(base_url=root, timeout=60) as client:
            for url in (FAQ, LONG):
                assert (await client.post("/v1/index/add", json={"url": url})).status_code == 200
        yield root


async def saved(download: Download) -> str:
    return await anyio.Path(await download.path()).read_text(encoding="utf-8")


async def test_hits_are_searched_and_read_in_the_other_tab(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        panel = await ask(page, "Search", "storm petrels")
        assert await panel.locator("mark").count() > 0
        assert "local ok" in await panel.locator(".outcomes").inner_text()
        await panel.get_by_role("button", name="Read here").first.click()
        assert await page.get_by_role("tab", name="Read", exact=True).get_attribute("aria-selected") == "true"
        await page.locator("#panel-read .reading").wait_for()
        assert watch.said == []
        assert {url for url in watch.asked if not url.startswith(root)} == set()


async def test_a_page_stands_above_its_warnings(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        panel = page.locator("#panel-read")
        await panel.get_by_role("button", name="Options").click()
        await panel.get_by_label("All notices").check()
        await panel.get_by_label("All links of the page").check()
        await ask(page, "Read", HOME + "hostile")
        warned = panel.locator(".warned")
        assert "hidden_text" in await warned.inner_text()
        assert await warned.evaluate("box => box.previousElementSibling.className") == "more"
        about = await panel.locator("aside").inner_text()
        assert re.search(r"article, confidence 0\.8", about)
        assert "sha256:" in about
        assert await panel.locator("meter").get_attribute("value") == "81"
        assert "links of the page" in await panel.locator(".reading .section").inner_text()
        await panel.get_by_role("button", name="Show source").click()
        assert (await panel.locator(".raw").inner_text()).startswith("# A first visit")
        assert watch.said == []


async def test_many_pages_come_one_by_one(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        panel = await ask(page, "Read", f"{FAQ}\n{HOME}no-such-page")
        entries = panel.locator(".pages > li > details")
        assert "1 page, 1 failed" in await panel.locator(".status").inner_text()
        await entries.first.locator("summary").click()
        await entries.first.locator(".reading").wait_for()
        assert "wedding photographs" in await entries.first.locator(".text").inner_text()
        assert "unrecorded" in await entries.nth(1).locator("summary").inner_text()


async def test_markdown_becomes_the_elements_that_it_means(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        text = (await ask(page, "Read", HOME + "tide-api")).locator(".text")
        assert await text.locator("table").first.locator("tbody tr").count() == 4
        assert await text.locator("ol > li > ul > li > ul > li").count() == 2
        assert '"station": "harbour"' in await text.locator("pre code").nth(1).inner_text()
        assert await text.locator("p > em").first.inner_text() == "how high is the water?"
        assert await text.locator("td code").first.inner_text() == "station"


async def test_a_long_page_goes_on_where_it_ended(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        panel = await ask(page, "Read", LONG)
        length = len(await panel.locator(".text").inner_text())
        await page.get_by_role("button", name="Read on").click()
        await page.get_by_role("button", name="Read on").wait_for(state="detached")
        assert len(await panel.locator(".text").inner_text()) > length


async def test_citations_open_the_highlighted_passage(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        panel = await ask(page, "Answer", QUESTION, mode="Passages")
        assert await panel.locator(".steps .read").count() == 2
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


async def test_sentences_of_an_answer_lead_to_their_citations(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        panel = await ask(page, "Answer", QUESTION)
        assert "14 March 2019" in await panel.locator(".lead").inner_text()
        await panel.get_by_role("button", name="Citation 1").click()
        assert await panel.locator(".passage:focus .number").inner_text() == "1"
        assert watch.said == []


async def test_a_crawl_is_watched_paused_and_downloaded(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        await page.get_by_role("tab", name="Crawl", exact=True).click()
        panel = page.locator("#panel-crawl")
        await panel.get_by_role("button", name=HOME, exact=True).click()  # the example
        await panel.get_by_role("heading", name="Done").wait_for()
        assert await panel.locator(".crawl tbody tr").count() > 15
        assert re.search(r"1\d new.* [1-3] failed", await panel.locator(".crawl").inner_text())
        async with page.expect_download() as saving:
            await panel.get_by_role("button", name="Download pages.jsonl").click()
        lines = (await saved(await saving.value)).splitlines()
        assert len(lines) == await panel.locator(".crawl tbody tr").count()
        assert json.loads(lines[0])["url"] == HOME
        await page.reload()  # the job is on the server
        await panel.get_by_role("button", name="Open the crawl of").first.click()
        await panel.get_by_role("heading", name="Done").wait_for()
        assert watch.said == []


async def test_buttons_of_a_crawl_pause_and_resume_it(root: str, browser: Browser) -> None:
    job = {
        "id": "a", "state": "running", "arguments": {"urls": [HOME], "limit": 9}, "created_at": 1.0, "progress": None,
        "error": None, "webhook_error": None,
    }  # fmt: skip
    states = {"": "running", "/pause": "paused", "/resume": "running"}
    followed = []

    async def answer(route: Route) -> None:
        action = route.request.url.partition("/v1/crawl")[2].removeprefix("/a")
        if action.startswith("/events"):
            followed.append(action)  # never answered
            return
        await route.fulfill(status=200, body=json.dumps(job | {"state": states[action], "jobs": []}))

    async with visited(browser, root) as (page, _):
        await page.route("**/v1/crawl**", answer)
        panel = await ask(page, "Crawl", HOME)
        await panel.get_by_role("button", name="Pause").click()
        await panel.get_by_role("heading", name="Paused").wait_for()
        assert not await panel.get_by_role("button", name="Pause", exact=True).is_visible()
        await panel.get_by_role("button", name="Resume").click()
        await panel.get_by_role("heading", name="Crawling").wait_for()
        assert len(followed) == 2  # it follows the events again


async def test_a_site_is_mapped_into_a_table(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        panel = await ask(page, "Crawl", HOME, mode="Map")
        assert "How Sandle Point lost its blue" in await panel.locator(".result .grid").inner_text()
        async with page.expect_download() as saving:
            await panel.get_by_role("button", name="Download CSV").click()
        text = await saved(await saving.value)
        assert text.startswith("url,title,modified_date,source")
        assert HOME + "lamp," in text


async def test_facts_are_tables_and_records(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        panel = await ask(page, "Facts", LANTERN)
        assert "HF-0214" in await panel.get_by_role("group", name="Product", exact=True).inner_text()
        async with page.expect_download() as saving:
            await panel.get_by_role("button", name="Download CSV").first.click()
        assert "Product,offers.price,89.00" in await saved(await saving.value)
        await panel.get_by_role("radio", name="By schema").check(force=True)
        await panel.locator("textarea[name=schema]").fill("name: string\nprice: number\ncolour: string")
        await ask(page, "Facts", LANTERN)
        record = await panel.get_by_role("group", name="The record").inner_text()
        assert "Petrel lantern" in record
        assert "declared by the page" in record
        assert "colour" in await panel.locator(".warned").inner_text()
        cells = "async () => (await import('/playground/table.js')).csv([['=1+1', '-5', 'a,b', '@x', 'a; =1+1']])"
        assert await page.evaluate(cells) == "'=1+1,-5,\"a,b\",'@x,a;' =1+1\r\n"
        assert watch.said == []


async def test_pages_are_added_to_the_index_and_removed(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        panel = await ask(page, "Index", HOME + "walks", mode="Add a page")
        await panel.get_by_text("3 pages in the index").wait_for()
        await ask(page, "Index", "lamp", mode="Search")
        assert await panel.locator(".hits li").count() > 0
        await panel.get_by_role("button", name=f"Remove {HOME}walks").click()
        await panel.get_by_text("2 pages in the index").wait_for()
        assert watch.said == []


async def test_pages_are_watched_and_their_changes_shown(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        panel = await ask(page, "Watch", HOME + "lamp")
        await panel.get_by_text("The text was stored.").wait_for()
        await panel.get_by_role("button", name="Check now").click()
        await panel.get_by_text("Nothing has changed.").wait_for()
        await ask(page, "Watch", HOME + "lamp")
        assert "is watched already" in await panel.get_by_role("alert").inner_text()
        changes = {"watches": [], "checks": [], "changes": [{"found_at": 1, "diff": "- --- old\n+ ++ new\n  same\n…"}]}
        await page.route("**/v1/watch", lambda route: route.fulfill(json=changes))
        await panel.get_by_role("button", name="Last changes").click()
        lines = panel.locator(".diff li")
        await lines.first.wait_for()
        assert await lines.all_text_contents() == ["Removed: --- old", "Added: ++ new", "same", "…"]
        await page.unroute("**/v1/watch")
        await panel.get_by_role("button", name="Remove").click()
        await panel.get_by_text("No page is watched yet").wait_for()
        assert [words for words in watch.said if "400" not in words] == []


async def test_history_fills_forms_in_again_and_is_cleared(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        panel = page.locator("#panel-answer")
        await page.get_by_role("tab", name="Answer", exact=True).click()
        await panel.get_by_role("button", name="Options").click()
        await panel.get_by_label("Pages to read").fill("2")
        await ask(page, "Answer", QUESTION, mode="Passages")
        await page.reload()
        await page.get_by_role("tab", name="History", exact=True).click()
        await page.get_by_role("button", name=QUESTION, exact=True).click()
        assert await panel.locator("textarea.main").input_value() == QUESTION
        assert await panel.get_by_role("radio", name="Passages").is_checked()
        assert await panel.locator("input[name=gather_top]").input_value() == "2"
        await page.get_by_role("tab", name="History", exact=True).click()
        await page.get_by_role("button", name="Clear the history").click()
        assert await page.evaluate("() => localStorage.length") == 0
        assert "Nothing yet" in await page.locator("#panel-history").inner_text()


async def test_a_wrong_option_is_shown_and_may_be_emptied(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        panel = page.locator("#panel-facts")
        await page.get_by_role("tab", name="Facts", exact=True).click()
        forms = (
            ("By selectors", "selectors", {"og:title": "title"}),
            ("By schema", "schema", {"required": ["name"]}),
        )
        for mode, name, fields in forms:
            await panel.get_by_role("radio", name=mode).check(force=True)
            area = panel.locator(f"textarea[name={name}]")
            await area.fill(json.dumps(fields))
            await ask(page, "Facts", LANTERN)
            await area.fill("no colon")
            await panel.get_by_role("button", name="Options").click()
            await panel.locator("textarea.main").press("Enter")
            await area.wait_for()  # the options are open again, with the faulty one
            await area.fill("")
            await ask(page, "Facts", LANTERN)
            assert "HF-0214" in await panel.locator(".result").inner_text()
            await page.get_by_role("tab", name="History", exact=True).click()
            await page.locator("#panel-history .entries .jump").nth(1).click()
            assert json.loads(await area.input_value()) == fields
        assert [words for words in watch.said if "400" not in words] == []


async def test_lists_that_fail_are_reported_and_asked_for_once(root: str, browser: Browser) -> None:
    problem = {"code": "unavailable", "detail": "the disk is full", "hint": "free some space", "retryable": True}
    async with visited(browser, root) as (page, watch):
        for path in ("crawl", "profiles"):
            await page.route(f"**/v1/{path}", lambda route: route.fulfill(status=503, json=problem))
        await page.get_by_role("tab", name="Crawl", exact=True).click()
        assert "the disk is full" in await page.get_by_role("alert").inner_text()
        watch.asked.clear()
        await page.get_by_role("tab", name="Facts", exact=True).click()
        await page.locator("#panel-facts").get_by_role("button", name="Options").click()
        await page.locator("#panel-facts").get_by_text("The profiles cannot be listed: the disk is full").wait_for()
        assert watch.asked == [root.rstrip("/") + "/v1/profiles"]


SLOW_MODEL = """{
const passage = {url: "URL", title: "Tides", headings: [], text: "The lamp is red.", start: 0, end: 16,
                 snapshot_id: "sha256:a", fragment_url: "URL", cut: null};
const answer = {claims: [{text: "It is red.", passages: [passage], unsupported: []}], citations: [passage], dropped: [],
                notices: [], is_by_model: true};
const event = (name, fields) => new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(fields)}\n\n`);
const ask = window.fetch;
window.fetch = (path, options) => {
  if (path === "/v1/profiles") return Promise.resolve(Response.json({profiles: ["shop"]}));
  if (path !== "/v1/answer") return ask(path, options);
  return Promise.resolve(new Response(new ReadableStream({start: (stream) => {
    stream.enqueue(event("page", passage));
    stream.enqueue(event("passage", passage));
    window.breakOff = () => stream.close();
    window.finish = () => stream.enqueue(event("done", answer));
  }})));
};
}"""


async def test_slow_answer_shows_passages_and_keeps_its_profile(root: str, browser: Browser) -> None:
    profiles: list[str] = []

    async def refuse(route: Route) -> None:
        profiles.append(json.loads(route.request.post_data or "")["profile"])
        await route.abort()

    async with visited(browser, root) as (page, _):
        await page.add_init_script(SLOW_MODEL.replace("URL", FAQ))
        await page.reload()
        await page.route("**/v1/read", refuse)
        panel = page.locator("#panel-answer")
        await page.get_by_role("tab", name="Answer", exact=True).click()
        await panel.get_by_role("button", name="Options").click()
        await panel.get_by_label("Profile").select_option("shop")
        await panel.locator("textarea.main").fill(QUESTION)
        await panel.locator("textarea.main").press("Enter")
        await panel.locator(".passage").get_by_text("The lamp is red.").wait_for()
        assert await panel.locator(".result[aria-busy]").count() == 1
        await page.evaluate("() => finish()")
        await panel.locator(".lead").get_by_text("It is red.").wait_for()
        assert await panel.locator(".passage").count() == 1
        await panel.get_by_role("button", name="Show in the text: passage 1").click()
        await page.locator(".sheet .bad").wait_for()
        await page.keyboard.press("Escape")
        await panel.get_by_role("button", name="Tides").click()
        await page.locator("#panel-read").get_by_role("alert").wait_for()
        assert profiles == ["shop", "shop"]
        await page.reload()
        await page.get_by_role("tab", name="History", exact=True).click()
        await page.get_by_role("button", name=QUESTION, exact=True).click()
        await panel.get_by_role("button", name="Options").click()
        assert await panel.get_by_label("Profile").input_value() == "shop"
        await panel.locator("textarea.main").press("Enter")
        await panel.locator(".passage").first.wait_for()
        await page.evaluate("() => breakOff()")
        await panel.get_by_text("the stream ended early").wait_for()


REPORT = """{
const passage = (start, text) => ({url: "URL", title: "Tides", headings: [], text, start, end: start + text.length,
                                   snapshot_id: "sha256:a", fragment_url: "URL#:~:text=x", cut: null});
const claim = (start, text) => ({text, passages: [passage(start, text)], unsupported: []});
const [tall, low] = [claim(0, "The lamp is 41 m high."), claim(30, "The lamp is 35 m high.")];
const lost = claim(60, "It fell.");
const finding = (query, claims) => ({query, claims, quotations: [], sources: [["URL", "sha256:a"]], pages: 2,
                                     tokens: 900, elapsed_s: 1.5, cost_usd: 0.01, notices: []});
const report = {question: "Q", text: "# The report", plan: {tokens: 100}, not_found: ["who"], left_out: ["why: late"],
                citations: [...tall.passages, ...low.passages], cost_usd: 0.0212, notices: [],
                contradictions: [{kind: "numbers", claims: [tall, low]}]};
const event = (name, fields) => new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(fields)}\n\n`);
const ask = window.fetch;
window.fetch = (path, options) => {
  if (path !== "/v1/research") return ask(path, options);
  window.budget = JSON.parse(options.body);
  return Promise.resolve(new Response(new ReadableStream({start: (stream) => {
    options.signal.addEventListener("abort", () => stream.error(options.signal.reason));
    stream.enqueue(event("plan", {queries: ["how", "who", "why"]}));
    stream.enqueue(event("finding", finding("how", [tall, low, lost])));
    window.finish = () => {
      stream.enqueue(event("finding", finding("who", [tall])));
      stream.enqueue(event("done", report));
    };
  }})));
};
}"""


async def test_research_shows_its_steps_and_a_report(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, watch):
        await page.add_init_script(REPORT.replace("URL", FAQ))
        await page.reload()
        panel = page.locator("#panel-research")
        await page.keyboard.press("Alt+Digit4")
        await panel.get_by_role("button", name="Options").click()
        await panel.get_by_label("Pages at most").fill("7")
        await panel.get_by_role("button", name="Code").click()
        await panel.get_by_role("radio", name="Python").check(force=True)
        await panel.locator("textarea.main").fill(QUESTION)
        assert "budget=ResearchBudget(pages=7))" in await panel.locator(".snippets code").inner_text()
        await panel.locator("textarea.main").press("Enter")
        await panel.get_by_text("3 sentences · 2 pages · 1.5 s").wait_for()
        assert await panel.locator(".steps .waits").all_inner_texts() == [
            "who\nwaits for its turn",
            "why\nwaits for its turn",
        ]
        await panel.get_by_role("button", name="Stop").click()
        await panel.get_by_text("Stopped.").wait_for()
        assert "It fell." in await panel.locator(".evidence").inner_text()
        await panel.locator("textarea.main").press("Enter")
        await panel.get_by_text("3 sentences").wait_for()
        await page.evaluate("() => finish()")
        await panel.get_by_text("2 citations, 1 contradiction").wait_for()
        assert await page.evaluate("() => budget") == {"question": QUESTION, "pages": 7, "include": ["contradictions"]}
        text = await panel.locator(".report").inner_text()
        assert "2 searches · 4 pages · at most 1,900 tokens · at most $0.0212" in text
        assert "It fell." not in text  # its citation was not proved
        assert text.count("41 m high") == 3  # as a finding, in the contradiction, and as the cited passage
        assert re.search(
            r"contradict each other\s+Different numbers\s.*Not found\s+who\s+Left out\s+why", text, re.DOTALL
        )
        async with page.expect_download() as download:
            await panel.get_by_role("button", name="Download Markdown").click()
        assert await saved(await download.value) == "# The report"
        await panel.get_by_role("button", name="Citation 2").first.click()
        assert await panel.locator(".passage:focus .number").inner_text() == "2"
        await panel.get_by_role("button", name="Show in the text: passage 2").click()
        await page.locator(".sheet .bad").wait_for()
        await page.keyboard.press("Escape")
        await page.keyboard.press("Alt+Digit0")
        assert await page.locator("#panel-history .entries li").count() == 1
        assert watch.said == []


async def test_facts_of_many_pages_become_one_table(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        urls = "\n".join((LANTERN, FAQ, f"{HOME}no-such-page"))
        panel = await ask(page, "Facts", urls)
        assert "2 pages, 1 failed" in await panel.locator(".status").inner_text()
        assert "unrecorded" in await panel.locator(".warned").inner_text()
        await panel.get_by_role("radio", name="By schema").check(force=True)
        await panel.locator("textarea[name=schema]").fill("name: string\nprice: number")
        await ask(page, "Facts", urls)
        cells = await panel.locator(".grid tbody tr").first.locator("td").all_inner_texts()
        assert cells[1:] == ["Petrel lantern", "89", ""]
        saved_texts = []
        for name in ("CSV", "JSONL"):
            async with page.expect_download() as download:
                await panel.get_by_role("button", name=f"Download {name}").click()
            saved_texts.append(await saved(await download.value))
        assert saved_texts[0].startswith(f"source,name,price,missing\n{LANTERN},Petrel lantern,89,\n")
        lines = [json.loads(line) for line in saved_texts[1].splitlines()]
        assert [line["source"] for line in lines] == urls.split("\n")
        assert lines[2]["error"]["code"] == "unrecorded"
        await panel.get_by_role("button", name="Code").click()
        assert (await panel.locator(".snippets code").inner_text()).count("curl") == 3


async def test_member_of_an_archive_is_offered_for_one_url(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        panel = page.locator("#panel-read")
        await panel.get_by_role("button", name="Options").click()
        await panel.get_by_label("File in an archive").fill("a.txt")
        await panel.locator("textarea.main").fill(f"{FAQ}\n{LONG}")
        assert not await panel.get_by_label("File in an archive").is_visible()
        await panel.get_by_role("button", name="Code").click()
        assert "a.txt" not in await panel.locator(".snippets code").inner_text()
        await panel.locator("textarea.main").fill(FAQ)
        assert "a.txt" in await panel.locator(".snippets code").inner_text()


@pytest.mark.parametrize("width", [1280, 390])
async def test_first_three_tasks_of_a_newcomer(root: str, browser: Browser, width: int) -> None:
    async with visited(browser, root, width=width, height=844) as (page, watch):
        tasks = page.locator(".task")
        assert await tasks.locator("strong").all_inner_texts() == [
            "Read a page", "Ask a question", "See what a site has",
        ]  # fmt: skip
        await tasks.nth(0).click()
        reading = page.locator("#panel-read .reading")
        await reading.get_by_role("heading", name="Tide API quick start").wait_for()
        assert "No warnings: as far as wellread can tell, the text is complete." in await reading.inner_text()
        await page.get_by_role("link", name="wellread").click()
        await tasks.nth(1).click()
        answer = page.locator("#panel-answer")
        await answer.get_by_role("button", name="Citation 1").first.click()
        assert "drew young storm petrels" in await answer.locator(".lead").inner_text()
        await answer.get_by_role("button", name="Show in the text: passage 1").click()
        await page.get_by_text("The citation is verified").wait_for()
        assert "For two reasons." in " ".join(await page.locator(".sheet mark").all_inner_texts())
        await page.keyboard.press("Escape")
        await page.get_by_role("link", name="wellread").click()
        await tasks.nth(2).click()
        addresses = page.get_by_role("group", name="Addresses of the site")
        await addresses.get_by_role("button", name="How Sandle Point lost its blue").first.click()
        await reading.get_by_role("heading", name="How Sandle Point lost its blue").wait_for()
        assert watch.said == []


def test_examples_are_of_the_recording_that_is_replayed() -> None:
    assert playground.replayed(()) is None
    other = playground.replayed(["http://a.example/"])
    assert other is not None
    assert (other["read"], other["browse"], other["answer"]) == (["http://a.example/"], ["http://a.example/"], [])


async def test_on_a_phone_passages_stand_before_their_sources(root: str, browser: Browser) -> None:
    async with visited(browser, root, width=390, height=844) as (page, _):
        panel = await ask(page, "Answer", QUESTION, mode="Passages")
        passages = await panel.locator(".passage").last.bounding_box()
        sources = await panel.locator("aside").bounding_box()
    assert passages
    assert sources
    assert passages["y"] < sources["y"]


async def test_a_failure_is_told_with_its_code_and_what_helps(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        await ask(page, "Read", "http://127.0.0.1/")
        alert = await page.get_by_role("alert").inner_text()
        assert "blocked_address" in alert
        assert "Hint:" in alert


async def test_key_is_requested_and_kept_for_the_tab(tmp_path: Path, browser: Browser) -> None:
    key, key_hash = api_keys.new_key("a")
    async with serving(settings(tmp_path, keys={"a": key_hash})) as root, visited(browser, root) as (page, _):
        await ask(page, "Read", FAQ)
        await page.get_by_role("button", name="Enter a key").click()
        await page.locator("input[name=key]").fill(key)
        await page.keyboard.press("Enter")
        await page.locator("#panel-read .reading").wait_for()
        await page.reload()
        await ask(page, "Read", FAQ)
        await page.locator("#panel-read .reading").wait_for()
        assert key not in await page.content()
        assert key not in await page.evaluate("() => JSON.stringify(localStorage)")


async def test_shown_python_and_mcp_calls_match_the_request(root: str, browser: Browser) -> None:
    question = """it's "$(here)" \\ `now` {0} \u202e\u2028 ü"""
    async with visited(browser, root) as (page, _):
        await page.get_by_role("tab", name="Answer", exact=True).click()
        panel = page.locator("#panel-answer")
        await panel.get_by_role("radio", name="Passages").check(force=True)
        await panel.locator("textarea.main").fill(question)
        await panel.get_by_role("button", name="Options").click()
        await panel.get_by_label("Pages to read").fill("3")
        await panel.get_by_role("button", name="Code").click()
        code = panel.locator(".snippets code")
        shell = await code.inner_text()
        await panel.get_by_label("Python").check(force=True)
        python = await code.inner_text()
        await panel.get_by_label("MCP").check(force=True)
        request = json.loads(await code.inner_text())
    arguments = {"question": question, "gather_top": 3}
    assert request["params"] == {"name": "web_gather", "arguments": arguments}
    echo = shell.replace(
        "curl", 'print_words() { for word in "$@"; do printf \'%s\\0\' "$word"; done; }; print_words', 1
    )
    words = (await anyio.run_process(["bash", "-c", echo])).stdout.decode().split("\0")
    assert json.loads(words[words.index("-d") + 1]) == arguments
    assert "\u202e" not in shell + python
    program = python.replace("from wellread.sync import Web", SPY).split("    for passage")[0]
    printed = (await anyio.run_process([sys.executable, "-c", program])).stdout
    assert json.loads(printed) == [question, {"gather_top": 3}]


async def test_python_calls_have_the_options_of_the_form(root: str, browser: Browser) -> None:
    async def python(tab: str, url: str) -> str:
        panel = page.locator(f"#panel-{tab.lower()}")
        await panel.locator("textarea.main").fill(url)
        await panel.get_by_role("button", name="Code").click()
        await panel.get_by_label("Python").check(force=True)
        return await panel.locator(".snippets code").inner_text()

    async with visited(browser, root) as (page, _):
        await page.get_by_role("tab", name="Crawl", exact=True).click()
        await page.locator("#panel-crawl").get_by_role("button", name="Options").click()
        await page.get_by_label("Only addresses like").fill("/docs/*")
        assert f'web.crawl(["{HOME}"], include=["/docs/*"], out="pages")' in await python("Crawl", HOME)
        await page.get_by_role("tab", name="Browse", exact=True).click()
        await page.locator("#panel-browse").get_by_role("button", name="Options").click()
        await page.get_by_label("Colours").select_option("dark")
        await page.get_by_label("As on a phone").check()
        call = f'with Web() as web, web.browse("{HOME}", color_scheme="dark", mobile=True) as tab:'
        assert call in await python("Browse", HOME)


SPY = """
import json
class Web:
    __enter__ = lambda self: self
    __exit__ = lambda self, *_: None
    gather = lambda self, first, **named: print(json.dumps([first, named]))
"""


async def test_it_works_by_keyboard_alone_and_remembers_the_theme(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        await page.get_by_role("tab", name="Search", exact=True).focus()
        await page.keyboard.press("ArrowDown")
        assert await page.evaluate("() => document.activeElement.id") == "tab-answer"
        await page.keyboard.press("Alt+1")
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


async def test_work_that_takes_long_can_be_stopped(root: str, browser: Browser) -> None:
    async with visited(browser, root) as (page, _):
        await page.evaluate(
            "() => { window.fetch = (path, { signal }) => new Promise((_, no) => signal.addEventListener('abort', "
            "() => no(new DOMException('stopped', 'AbortError')))); }"
        )
        await page.get_by_role("tab", name="Read", exact=True).click()
        await page.locator("#panel-read textarea.main").fill(FAQ)
        await page.keyboard.press("Enter")
        assert await page.locator("#panel-read .skeleton").is_visible()
        await page.get_by_role("button", name="Stop").click()
        await page.get_by_text("Stopped.").wait_for()
        assert await page.locator("#panel-read .skeleton").count() == 0


async def test_nothing_stands_out_of_a_window_of_any_width(root: str, browser: Browser) -> None:
    forms = (
        ("Search", "lamp", ""), ("Read", HOME + "tide-api", ""), ("Answer", QUESTION, "Passages"),
        ("Research", QUESTION, ""), ("Crawl", HOME, "Map"), ("Facts", LANTERN, ""),
        ("Facts", f"{LANTERN}\n{FAQ}", ""), ("Index", "lamp", ""),
    )  # fmt: skip
    async with visited(browser, root) as (page, _):
        for tab, text, mode in forms:
            await ask(page, tab, text, mode=mode)
            for width in (320, 390, 768, 1280, 1600):
                await page.set_viewport_size({"width": width, "height": 800})
                beyond = await page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
                assert beyond <= 0, (tab, width)


def test_everything_the_page_is_made_of_is_ours_and_named_by_it() -> None:
    files = {file.path: file.body.decode() for file in playground.pages()}
    assert "/" in files
    for text in files.values():
        assert "innerHTML" not in text
        addresses = set(re.findall(r"https://[\w.-]+", text))
        assert addresses <= {"https://en.wikipedia.org", "https://www.rfc-editor.org", "https://example.com"}
    named = " ".join(files.values())
    assert {path for path in files if path != "/" and path.rpartition("/")[2] not in named} == set()
