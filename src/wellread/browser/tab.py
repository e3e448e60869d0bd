"""One job's place in the browser: a page in a context of its own, behind a gate of its own."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio

from wellread.browser import profiles
from wellread.browser.traffic import Traffic

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from playwright.async_api import BrowserContext, CDPSession, Page

    from wellread.browser.launch import Running
    from wellread.net.proxy import Gate
    from wellread.ports import Fetcher
    from wellread.sections import BrowserSettings

CLOSE_S = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What a job wants of its tab."""

    images: bool = True
    """Load images, fonts and media."""
    downloads: bool = False
    profile: str | None = None
    """Start with the cookies kept under this name, and keep them again at the end."""
    popups: bool = False
    """Let pages open further pages."""
    held: bool = False
    """It may last, so it takes none of the places for jobs: whoever holds such tabs bounds their number."""


@dataclass(slots=True)
class Tab:
    """A Playwright page, and what belongs to it. Holds from `Pool.run` or `Pool.tab` until that returns."""

    page: Page
    context: BrowserContext
    devtools: CDPSession
    """The page's own protocol session, for what scripts must not see."""
    gate: Gate | None
    """None in a browser that was joined: there no proxy stands between the page and its network."""
    running: Running
    scope: anyio.CancelScope
    """What ends the job when the tab is lost."""
    traffic: Traffic
    """What answers in place of the network, where anything does."""
    lost: str = ""
    """Why the tab is of no use any more."""

    def lose(self, why: str) -> None:
        """Give the tab up, and end the job in it."""
        self.lost = self.lost or why
        self.scope.cancel()


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all tabs of a pool share."""

    browser: BrowserSettings
    profiles: Path
    fetcher: Fetcher | None = None
    """Answers every request instead of the network, while a run is recorded or replayed."""


@asynccontextmanager
async def opened(running: Running, gate: Gate | None, setting: Setting, wish: Wish) -> AsyncGenerator[Tab, None]:
    """Open a tab; leaving closes it, whatever state it is in."""
    kept = profiles.place(setting.profiles, wish.profile) if wish.profile else None
    options = _context(setting.browser, gate, wish)
    if kept:
        options["storage_state"] = profiles.load(kept)
    context = await running.browser.new_context(**options)
    tab: Tab | None = None

    def lost(_: object) -> None:
        if tab is not None:
            tab.lose("the browser ended")

    running.browser.on("disconnected", lost)
    try:
        with anyio.CancelScope() as scope:
            page = await context.new_page()
            devtools = await context.new_cdp_session(page)
            traffic = Traffic(fetcher=setting.fetcher, images=wish.images)
            tab = Tab(page, context, devtools, gate, running, scope, traffic)
            await _watched(tab, setting, wish)
            yield tab
            if kept:
                profiles.save(kept, await context.storage_state())
    finally:
        running.browser.remove_listener("disconnected", lost)
        with anyio.CancelScope(shield=True), anyio.move_on_after(CLOSE_S) as closing:
            await _closed(context)
        if closing.cancelled_caught:
            running.spoilt = running.spoilt or "a tab could not be closed"


async def _closed(context: BrowserContext) -> None:
    from playwright.async_api import Error

    with suppress(Error):  # the browser is gone, and the context with it
        await context.close()


async def _watched(tab: Tab, setting: Setting, wish: Wish) -> None:
    tab.page.on("crash", lambda _: tab.lose("the page's process crashed"))
    if not wish.popups:
        tab.context.on("page", lambda page: _dismiss(tab, page))
    else:
        await tab.devtools.send("Page.enable")  # tells of windows before they are there
    if tab.traffic.interferes:
        await tab.context.route("**/*", tab.traffic.handle)
        await tab.context.route_web_socket("**/*", tab.traffic.refuse_socket) if setting.fetcher else None


def _dismiss(tab: Tab, page: Page) -> None:
    if page is not tab.page:
        page.once("domcontentloaded", lambda each: each.close())
        page.once("load", lambda each: each.close())


def _context(settings: BrowserSettings, gate: Gate | None, wish: Wish) -> dict[str, Any]:  # Any: keyword arguments
    width, _, height = settings.viewport.partition("x")
    options: dict[str, Any] = {  # Any: keyword arguments
        "accept_downloads": wish.downloads,
        "locale": settings.locale,
        "service_workers": "block",
        "viewport": {"width": int(width), "height": int(height)},
    }
    if settings.user_agent:
        options["user_agent"] = settings.user_agent
    if gate is not None:
        options["proxy"] = {"server": gate.server, "username": gate.username, "password": gate.password}
    return options
