"""Looks at the playground as people do: pictures at two widths in both themes, and what axe-core finds wrong.

    npm install axe-core    # anywhere
    python benchmarks/playground.py node_modules/axe-core/axe.min.js FOLDER [SCENE ...]
    python benchmarks/playground.py --tasks

Pictures go into FOLDER. Ends with exit code 1 where axe finds a violation that is serious or worse. `--tasks` does the
three tasks that the page offers first, as a newcomer would, and prints the clicks and seconds of each. The server
answers from the recorded site, so no network is needed; a Chromium is.
"""

from __future__ import annotations

import os
import sys
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import anyio
from playwright.async_api import async_playwright

from wellread.apps.commands.demo import HOME
from wellread.browser.browser_executable import find_executable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

    from playwright.async_api import Browser, Page

SIZES = {"phone": (390, 844), "desktop": (1280, 900)}
THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
GRAVE = {"serious", "critical"}
QUESTION = "Why was the lamp of the lighthouse changed?"
PARTS = "How tall is the lighthouse, and when was its lamp changed?"

FIRST_TASKS = {
    "Read a page": "#panel-read .result:not([aria-busy]) .text",
    "Ask a question": "#panel-answer .result:not([aria-busy]) .lead",
    "See what a site has": "#panel-crawl .result:not([aria-busy]) [aria-label='Addresses of the site']",
}
"""The titles of the tasks that the page offers first, each with the result that it shows."""
COUNT_CLICKS = "window.clickCount = 0; addEventListener('click', (event) => { clickCount += event.isTrusted; }, true);"


async def ask(page: Page, tab: str, text: str, *, mode: str = "") -> None:
    """Fill the form of a tab, send it, and wait until it is done."""
    await page.get_by_role("tab", name=tab, exact=True).click()
    panel = page.locator(f"#panel-{tab.lower()}")
    if mode:
        await panel.get_by_role("radio", name=mode, exact=True).check(force=True)
    await panel.locator("textarea.main").fill(text)
    await panel.locator("form.ask button.primary").click()
    await panel.locator(".result:not([aria-busy])").wait_for()


async def searched(page: Page) -> None:
    """Show hits."""
    await ask(page, "Search", "lamp petrels")


async def read(page: Page) -> None:
    """Show a page with code, tables and an outline."""
    await ask(page, "Read", HOME + "tide-api")


async def many(page: Page) -> None:
    """Show several pages, one of which cannot be read."""
    await ask(page, "Read", "\n".join(HOME + name for name in ("faq", "hostile", "no-such-page")))


async def hostile(page: Page) -> None:
    """Show the end of a page that hides something, with the options and the call as curl."""
    await page.locator("#panel-read").get_by_role("button", name="Options").click()
    await page.locator("#panel-read").get_by_role("button", name="Code").click()
    await page.locator("#panel-read").get_by_label("All notices").check()
    await ask(page, "Read", HOME + "hostile")
    await page.locator("#panel-read .warned").scroll_into_view_if_needed()


async def answered(page: Page) -> None:
    """Show an answer."""
    await ask(page, "Answer", QUESTION)


async def gathered(page: Page) -> None:
    """Show passages."""
    await ask(page, "Answer", QUESTION, mode="Passages")


async def cited(page: Page) -> None:
    """Show a passage in its page."""
    await gathered(page)
    await page.get_by_role("button", name="Show in the text: passage 1").click()
    await page.locator(".sheet mark").first.wait_for()


async def researched(page: Page) -> None:
    """Show the report of a research."""
    await ask(page, "Research", PARTS)


async def crawled(page: Page) -> None:
    """Show a crawl."""
    await ask(page, "Crawl", HOME)
    await page.locator("#panel-crawl .crawl h2", has_text="Done").wait_for()


async def mapped(page: Page) -> None:
    """Show the addresses of a site."""
    await ask(page, "Crawl", HOME, mode="Map")


async def declared(page: Page) -> None:
    """Show the facts of a page."""
    await ask(page, "Facts", HOME + "shop/petrel-lantern")


async def filled(page: Page) -> None:
    """Show a record that a schema asks for."""
    panel = page.locator("#panel-facts")
    await page.get_by_role("tab", name="Facts", exact=True).click()
    await panel.get_by_role("radio", name="By schema").check(force=True)
    await panel.locator("textarea[name=schema]").fill("name: string\nprice: number\ncolour: string")
    await ask(page, "Facts", HOME + "shop/petrel-lantern")


async def tabulated(page: Page) -> None:
    """Show the facts of several pages as one table, one of which cannot be read."""
    await ask(page, "Facts", "\n".join(HOME + name for name in ("shop/petrel-lantern", "lamp", "faq", "no-such-page")))


async def worked(page: Page) -> None:
    """Show a page that is worked by hand."""
    await ask(page, "Browse", HOME + "faq")
    await page.locator("#panel-browse canvas[data-drawn]").wait_for()


async def indexed(page: Page) -> None:
    """Show the local index."""
    await ask(page, "Index", "storm petrels")
    await page.locator("#panel-index .grid").wait_for()


async def watched(page: Page) -> None:
    """Show watched pages; each size watches a page of its own, because a page is watched once."""
    size = page.viewport_size
    assert size is not None
    await ask(page, "Watch", HOME + ("lamp" if size["width"] < 600 else "faq"))
    await page.locator("#panel-watch .watches .verdict").first.wait_for()


async def remembered(page: Page) -> None:
    """Show the history."""
    await searched(page)
    await read(page)
    await page.get_by_role("tab", name="History", exact=True).click()


async def refused(page: Page) -> None:
    """Show a failure."""
    await ask(page, "Read", "http://169.254.169.254/latest/meta-data")


async def waiting(page: Page) -> None:
    """Show a read that takes long."""

    # The browser is told that the answer never comes: no handler waits here when the page closes.
    await page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
    panel = page.locator("#panel-read")
    await panel.locator("textarea.main").fill(HOME)
    await panel.locator("form.ask button.primary").click()


async def asked_for_key(page: Page) -> None:
    """Show the dialog for the key."""
    await page.locator("#key").click()


async def nothing(_page: Page) -> None:
    """Show the page as it opens."""


SCENES: tuple[Callable[[Page], Awaitable[None]], ...] = (
    nothing, searched, read, many, hostile, answered, gathered, cited, researched, crawled, mapped, declared, filled,
    tabulated, worked, indexed, watched, remembered, refused, waiting, asked_for_key,
)  # fmt: skip


@asynccontextmanager
async def served() -> AsyncGenerator[str, None]:
    """Serve the recorded site, and yield the root URL."""
    sandbox = str(os.geteuid() != 0).lower()
    command = [sys.executable, "-m", "wellread", "--set", f"browser.sandbox={sandbox}", "--set", "server.logs=none"]
    async with await anyio.open_process([*command, "demo", "--serve", "--port", "0"]) as process:
        assert process.stderr is not None
        root = (await process.stderr.receive()).decode().removeprefix("listening on ").strip()
        try:
            yield root
        finally:
            process.terminate()


async def violations(page: Page, axe: str) -> list[dict[str, Any]]:  # Any: JSON of axe
    """Return what axe finds on the page as it is now."""
    await page.evaluate(axe)
    told: dict[str, Any] = await page.evaluate("async () => await axe.run()")  # Any: the same
    return list(told["violations"])


async def look(
    browser: Browser, root: str, axe: str, out: Path, scenes: Sequence[Callable[[Page], Awaitable[None]]]
) -> int:
    """Take every picture, print what axe finds, and return how much of it is grave."""
    grave = 0
    for size, (width, height) in SIZES.items():
        for scene in scenes:
            is_phone = size == "phone"
            context = await browser.new_context(
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                is_mobile=is_phone,
                has_touch=is_phone,
            )
            page = await context.new_page()
            page.set_default_timeout(20_000)
            await page.goto(root)
            await scene(page)
            for theme in THEMES:
                await page.emulate_media(color_scheme=theme)
                name = f"{scene.__name__}-{size}-{theme}"
                await page.screenshot(path=out / f"{name}.png")
                for violation in await violations(page, axe):
                    grave += violation["impact"] in GRAVE
                    where = [node["target"] for node in violation["nodes"][:3]]
                    print(f"| {name} | {violation['impact']} | {violation['id']} | {where} |", flush=True)
            await context.close()
    return grave


@asynccontextmanager
async def launched() -> AsyncGenerator[Browser, None]:
    """Launch the browser that looks at the page."""
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(
            executable_path=find_executable(None, headed=False, own=None), chromium_sandbox=os.geteuid() != 0
        )
        yield browser
        await browser.close()


async def main(axe: str, out: Path, names: Sequence[str]) -> int:
    """Serve, look, and return the exit code."""
    scenes = [scene for scene in SCENES if not names or scene.__name__ in names]
    print("| scene | impact | rule | where |\n|---|---|---|---|")
    async with served() as root, launched() as browser:
        grave = await look(browser, root, axe, out, scenes)
    print(f"\n{len(scenes) * len(SIZES) * 2} pictures; {grave} violations that are serious or worse")
    return 1 if grave else 0


async def measure_first_tasks() -> None:
    """Print the clicks and seconds of each task that the page offers first.

    Each width has a server of its own, so that no task finds a page in the cache that the other width has read.
    """
    print("| width | task | clicks | seconds |\n|---|---|---|---|")
    async with launched() as browser:
        for width, height in SIZES.values():
            async with served() as root:
                for title, result in FIRST_TASKS.items():
                    context = await browser.new_context(viewport={"width": width, "height": height})
                    page = await context.new_page()
                    await page.add_init_script(COUNT_CLICKS)
                    await page.goto(root)
                    task = page.locator(".task", has_text=title)
                    await task.wait_for()
                    start = time.perf_counter()
                    await task.click()
                    await page.locator(result).wait_for()
                    seconds = time.perf_counter() - start
                    clicks = await page.evaluate("clickCount")
                    print(f"| {width} | {title} | {clicks} | {seconds:.1f} |", flush=True)
                    await context.close()


if __name__ == "__main__":
    if sys.argv[1:] == ["--tasks"]:
        sys.exit(anyio.run(measure_first_tasks))
    pictures = Path(sys.argv[2])
    pictures.mkdir(parents=True, exist_ok=True)
    sys.exit(anyio.run(main, Path(sys.argv[1]).read_text(encoding="utf-8"), pictures, sys.argv[3:]))
