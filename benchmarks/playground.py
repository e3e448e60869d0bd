"""Looks at the playground as people do: pictures at three widths in both themes, and what axe-core finds wrong.

    npm install axe-core    # anywhere
    python benchmarks/playground.py node_modules/axe-core/axe.min.js FOLDER

Pictures go into FOLDER. Ends with exit code 1 where axe finds a violation that is serious or worse. The server answers
from the recorded site, so no network is needed; a Chromium is.
"""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from playwright.async_api import async_playwright

from wellread.apps.commands.demo import HOME, SITE
from wellread.browser.browser_executable import find_executable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

    from playwright.async_api import Browser, Page

SIZES = {"phone": (390, 844), "tablet": (768, 1024), "desktop": (1440, 900)}
GRAVE = {"serious", "critical"}
QUESTION = "Why was the lamp of the lighthouse changed?"


async def ask(page: Page, tab: str, text: str) -> None:
    """Fill the form of a tab, send it, and wait until it is done."""
    await page.get_by_role("tab", name=tab).click()
    panel = page.locator(f"#panel-{tab.lower()}")
    await panel.locator("input.main").fill(text)
    await panel.locator("form > button.primary").click()
    await panel.locator(".answer:not([aria-busy])").wait_for()


async def searched(page: Page) -> None:
    """Show hits."""
    await ask(page, "Search", "lamp petrels")


async def read(page: Page) -> None:
    """Show a page with code, tables and an outline."""
    await ask(page, "Read", HOME + "tide-api")


async def hostile(page: Page) -> None:
    """Show a page that hides something, and the call as curl."""
    await ask(page, "Read", HOME + "hostile")
    await page.locator("#panel-read .snippets summary").click()


async def gathered(page: Page) -> None:
    """Show passages."""
    await ask(page, "Gather", QUESTION)


async def cited(page: Page) -> None:
    """Show a passage in its page."""
    await gathered(page)
    await page.get_by_role("button", name="Show in the text: passage 1").click()
    await page.locator(".sheet mark").first.wait_for()


async def worked(page: Page) -> None:
    """Show a page that is worked by hand."""
    await ask(page, "Browse", HOME + "faq")
    await page.locator("#panel-browse canvas[data-drawn]").wait_for()


async def refused(page: Page) -> None:
    """Show a failure."""
    await ask(page, "Read", "http://169.254.169.254/latest/meta-data")


async def waiting(page: Page) -> None:
    """Show a read that takes long."""

    # The browser is told that the answer never comes: no handler waits here when the page closes.
    await page.evaluate("() => { window.fetch = () => new Promise(() => {}); }")
    await page.get_by_role("tab", name="Read").click()
    panel = page.locator("#panel-read")
    await panel.locator("input.main").fill(HOME)
    await panel.locator("form > button.primary").click()


async def asked_for_key(page: Page) -> None:
    """Show the dialog for the key."""
    await page.locator("#key").click()


async def nothing(_page: Page) -> None:
    """Show the page as it opens."""


SCENES: tuple[Callable[[Page], Awaitable[None]], ...] = (
    nothing, searched, read, hostile, gathered, cited, worked, refused, waiting, asked_for_key,
)  # fmt: skip


@asynccontextmanager
async def served(folder: str) -> AsyncGenerator[str, None]:
    """Serve the recorded site, two of its pages in the index, and yield the root URL."""
    command = [sys.executable, "-m", "wellread", "--set", f"cache.dir={folder}", "--set", "search.providers=local"]
    command += ["--set", f"browser.sandbox={str(os.geteuid() != 0).lower()}"]
    async with await anyio.open_process(
        [*command, "--set", "server.logs=none", "serve", "--port", "0", "--replay", str(SITE)]
    ) as process:
        assert process.stderr is not None
        root = (await process.stderr.receive()).decode().removeprefix("listening on ").strip()
        async with httpx2.AsyncClient(base_url=root, timeout=30) as client:
            for name in ("faq", "reference", "lamp"):
                (await client.post("/v1/index/add", json={"url": HOME + name})).raise_for_status()
        yield root
        process.terminate()


async def violations(page: Page, axe: str) -> list[dict[str, Any]]:  # Any: JSON of axe
    """Return what axe finds on the page as it is now."""
    await page.evaluate(axe)
    told: dict[str, Any] = await page.evaluate("async () => await axe.run()")  # Any: the same
    return list(told["violations"])


async def look(browser: Browser, root: str, axe: str, out: Path) -> int:
    """Take every picture, print what axe finds, and return how much of it is grave."""
    grave = 0
    for theme in ("light", "dark"):
        for size, (width, height) in SIZES.items():
            for scene in SCENES:
                context = await browser.new_context(
                    viewport={"width": width, "height": height},
                    color_scheme=theme,
                    reduced_motion="reduce",
                    is_mobile=size == "phone",
                    has_touch=size != "desktop",
                )
                page = await context.new_page()
                await page.goto(root)
                await scene(page)
                name = f"{scene.__name__}-{size}-{theme}"
                await page.screenshot(path=out / f"{name}.png")
                for each in await violations(page, axe):
                    grave += each["impact"] in GRAVE
                    where = [node["target"] for node in each["nodes"][:3]]
                    print(f"| {name} | {each['impact']} | {each['id']} | {where} |", flush=True)
                await context.close()
    return grave


async def main(axe: str, out: Path) -> int:
    """Serve, look, and return the exit code."""
    print("| scene | impact | rule | where |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        async with served(folder) as root, async_playwright() as driver:
            sandbox = os.geteuid() != 0
            browser = await driver.chromium.launch(
                executable_path=find_executable(None, headed=False, own=None), chromium_sandbox=sandbox
            )
            grave = await look(browser, root, axe, out)
            await browser.close()
    print(f"\n{len(SCENES) * len(SIZES) * 2} pictures; {grave} violations that are serious or worse")
    return 1 if grave else 0


if __name__ == "__main__":
    pictures = Path(sys.argv[2])
    pictures.mkdir(parents=True, exist_ok=True)
    sys.exit(anyio.run(main, Path(sys.argv[1]).read_text(encoding="utf-8"), pictures))
