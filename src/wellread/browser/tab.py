"""One job's place in the browser: a page in a context of its own, behind a gate of its own."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import anyio

from wellread.browser import profiles
from wellread.browser.traffic import Traffic
from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from playwright.async_api import BrowserContext, CDPSession, Page

    from wellread.browser.launch import Running
    from wellread.net.proxy import Gate
    from wellread.ports import Fetcher
    from wellread.sections import BrowserSettings

CLOSE_S = 3.0
PERMISSIONS: Final = ("clipboard-write", "clipboard-read", "geolocation", "notifications")
_ASKED_WORKERS = """if (navigator.serviceWorker) {
  const register = async () => { register.asked = true; };
  navigator.serviceWorker.register = register;
}"""
"""Notes that a page asks for a service worker, which is blocked: as Playwright does it, and to be told."""


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
    is_answered: bool = False
    """The client answers its requests; those of service workers would pass it by."""
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
    is_answered = setting.fetcher is not None or not wish.images
    options = _context(setting.browser, gate, replace(wish, is_answered=is_answered))
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
    if wish.popups and not setting.browser.service_workers:
        await tab.context.add_init_script(_ASKED_WORKERS)
    if tab.traffic.interferes:
        await tab.context.route("**/*", tab.traffic.handle)
        await tab.context.route_web_socket("**/*", tab.traffic.refuse_socket) if setting.fetcher else None


def _dismiss(tab: Tab, page: Page) -> None:
    if page is not tab.page:
        page.once("domcontentloaded", lambda each: each.close())
        page.once("load", lambda each: each.close())


def permissions(settings: BrowserSettings) -> tuple[str, ...]:
    """Return what pages may do without asking, as the browser names it.

    Raises:
        ConfigError: there is no such permission.
    """
    for name in settings.permissions:
        if name not in PERMISSIONS:
            raise ConfigError(f"browser.permissions: there is no {name!r}", hint=f"one of {', '.join(PERMISSIONS)}")
    return settings.permissions


def position(text: str) -> dict[str, float]:
    """Read `59.9,10.7`.

    Raises:
        ConfigError: it is no latitude and longitude.
    """
    try:
        latitude, longitude = map(float, text.split(","))
    except ValueError as error:
        raise ConfigError(f"browser.geolocation: {text!r} is no place", hint="as 59.91,10.75") from error
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise ConfigError(f"browser.geolocation: {text!r} is not on the earth", hint="as 59.91,10.75")
    return {"latitude": latitude, "longitude": longitude}


def _context(settings: BrowserSettings, gate: Gate | None, wish: Wish) -> dict[str, Any]:  # Any: keyword arguments
    width, _, height = settings.viewport.partition("x")
    options: dict[str, Any] = {  # Any: keyword arguments
        "accept_downloads": wish.downloads,
        "locale": settings.locale,
        "service_workers": "allow" if settings.service_workers and not wish.is_answered else "block",
        "permissions": list(permissions(settings)),
        "viewport": {"width": int(width), "height": int(height)},
    }
    if settings.geolocation:
        options["geolocation"] = position(settings.geolocation)
    if settings.user_agent:
        options["user_agent"] = settings.user_agent
    if gate is not None:
        options["proxy"] = {"server": gate.server, "username": gate.username, "password": gate.password}
    return options
