"""Works a page by hand in tests: it is served, opened in the shared browser, and steps are done on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import Page

    from sites import Reading
    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.types import PageSnapshot

T = TypeVar("T")
HEAD = "<!DOCTYPE html><title>Boats</title>"
TELL = "<script>function tell(what) { document.title += ' ' + what }</script>"


def work(reading: Reading, html: str, steps: Callable[[BrowseSession], Awaitable[T]]) -> T:
    """Serve a page and do `steps` on it."""
    path = f"/browse{len(reading.site.pages)}"
    reading.site.pages[path] = HEAD + TELL + html

    async def done() -> T:
        async with reading.web.browse(reading.site.url(path)) as tab:
            return await steps(tab)

    return reading.run(done)


def shown(reading: Reading, html: str) -> PageSnapshot:
    async def steps(tab: BrowseSession) -> PageSnapshot:
        return tab.snapshot

    return work(reading, html, steps)


def reading_page(tab: BrowseSession) -> Page:
    """The page itself, beside its scripts, for what a page would do on its own."""
    return tab._tabs.current.tab.page
