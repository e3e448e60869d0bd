"""The playground in a real browser: what its tests share."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from sites import SANDBOX, need_browser
from wellread.browser.browser_executable import find_executable

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from playwright.async_api import Browser, Locator, Page, Request


class Watch:
    """What a page asked for, said in its console, and threw."""

    def __init__(self, page: Page) -> None:
        """Begin to watch."""
        self.asked: list[str] = []
        self.said: list[str] = []
        page.on("request", self._request)
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", lambda dialog: self.said.append(f"dialog {dialog.message}"))

    def _request(self, request: Request) -> None:
        self.asked.append(request.url)


@asynccontextmanager
async def launched() -> AsyncGenerator[Browser, None]:
    """Launch the browser that the tests of one module share."""
    need_browser()
    from playwright.async_api import async_playwright

    async with async_playwright() as driver:
        browser = await driver.chromium.launch(
            executable_path=find_executable(None, headed=False, own=None), chromium_sandbox=SANDBOX
        )
        yield browser
        await browser.close()


@asynccontextmanager
async def visited(
    browser: Browser, root: str, *, width: int = 1280, height: int = 900
) -> AsyncGenerator[tuple[Page, Watch], None]:
    """Open the playground of the server at `root` in a context of its own."""
    context = await browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page = await context.new_page()
    page.set_default_timeout(60_000)
    watch = Watch(page)
    await page.goto(root)
    yield page, watch
    await context.close()


async def ask(page: Page, tab: str, text: str, *, mode: str = "") -> Locator:
    """Fill the form of a tab, send it by the keyboard, wait until it is done, and return the panel of the tab."""
    await page.get_by_role("tab", name=tab, exact=True).click()
    panel = page.locator(f"#panel-{tab.lower()}")
    if mode:
        await panel.get_by_role("radio", name=mode, exact=True).check(force=True)
    await panel.locator("textarea.main").fill(text)
    await panel.locator("textarea.main").press("Enter")
    await panel.locator(".result:not([aria-busy])").wait_for()
    return panel
