"""Holds the suites of hidden and shown sentences against a real browser: other words in their place change no pixel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import anyio
import pytest

from security.evasions import counterparts, evasions
from security.hiding import PLANTED
from sites import SANDBOX, need_browser
from wellread.browser.browser_executable import find_executable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.async_api import Page

pytestmark = pytest.mark.slow
OTHER = "Wmmmmm WWWmmmm mmmmmmW mmm WWWWWW mmmWWW"
"""As long as the planted sentence, word by word, so that in a font of one width nothing else moves."""
ALIKE = "<head><style>*{font-family:monospace!important}</style>"
MOVES_S = 0.03


async def shots(page: Page, whole: str) -> list[bytes]:
    taken = []
    for sentence in (PLANTED, OTHER):
        await page.set_content(whole.replace("<head>", ALIKE).replace(PLANTED, sentence))
        if "animation" in whole:
            await anyio.sleep(MOVES_S)  # its own milliseconds, which nothing reports
        taken.append(await page.screenshot())
    return taken


@pytest.mark.parametrize(("suite", "hidden"), [(evasions, True), (counterparts, False)])
async def test_the_browser_agrees_with_every_page_of_a_suite(
    suite: Callable[[], Iterator[tuple[str, str]]],
    hidden: bool,
) -> None:
    need_browser()
    from playwright.async_api import async_playwright

    wrong = []
    async with async_playwright() as driver:
        path = find_executable(None, headed=False, own=None)
        browser = await driver.chromium.launch(executable_path=path, chromium_sandbox=SANDBOX)
        page = await browser.new_page(viewport={"width": 1280, "height": 800})
        for name, whole in suite():
            first, second = await shots(page, whole)
            if (first == second) is not hidden:
                wrong.append(name)
        await browser.close()
    assert wrong == []
