"""The tab of one job: a page in a context of its own, behind a proxy session of its own."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio

from wellread.browser import profiles
from wellread.browser.call_credentials import OriginHeaders
from wellread.browser.emulation import Emulation, emulated
from wellread.browser.playwright_errors import browser_lost
from wellread.browser.process_watch import MAX_WORKERS
from wellread.browser.profile_keeper import Options, ProfileKeeper
from wellread.browser.request_routing import Traffic
from wellread.browser.sign_in import SignIn, http_credentials
from wellread.errors import BrowserFailed, ConfigError, InvalidInput
from wellread.net.background_tasks import run_beside

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from playwright.async_api import BrowserContext, CDPSession, Page

    from wellread.browser.call_credentials import CallCredentials
    from wellread.browser.launch import Running
    from wellread.net.proxy import ProxySession
    from wellread.net.upstream_proxy import ProxyRoutes
    from wellread.ports import Clock, Fetcher
    from wellread.sections import BrowserSettings

CLOSE_S = 2.0
SLOW_CLOSE_S = 0.5
"""After which the process of a page that does not close is ended."""
CRASH_S = 0.3
FLOOD_REQUESTS: Final = 1_000
FLOOD_S: Final = 20.0
"""A page that makes so many requests in so many seconds is closed. Each request is several messages of the driver,
which would be busy with them for a minute, for all tabs."""
PERMISSIONS: Final = ("clipboard-write", "clipboard-read", "geolocation", "notifications")
_ASKED_WORKERS = """if (navigator.serviceWorker) {
  const register = async () => { register.asked = true; };
  navigator.serviceWorker.register = register;
}"""
"""Notes that a page asks for a service worker, which is blocked as Playwright does it, for a notice."""


_BOUNDED_CONSOLE = """{
  const {apply} = Reflect, {preventDefault} = Event.prototype;
  for (const [name, write] of Object.entries(console)) {
    if (typeof write !== 'function') continue;
    let left = 200;
    console[name] = new Proxy(write, {__proto__: null, apply: (target, self, words) =>
      left-- > 0 ? apply(target, self, words) : undefined});
  }
  for (const type of ['error', 'unhandledrejection']) {
    let left = 200;
    addEventListener(type, (event) => { if (left-- <= 0) apply(preventDefault, event, []); }, true);
  }
}
"""
"""Drops the console messages and uncaught errors of a page that has them without end: the driver would be busy with
them long after the page is gone. An error whose event is cancelled is not reported (HTML, "Runtime script errors").
The functions are taken before the page can replace them, and its listeners can only come later."""
_BOUNDED_WORKERS: Final = """for (const name of ['Worker', 'SharedWorker']) {
  const constructor = globalThis[name];
  if (!constructor) continue;
  const clock = performance.now.bind(performance), construct = Reflect.construct, Refusal = DOMException;
  let began = 0, count = 0;
  const bounded = new Proxy(constructor, {__proto__: null, construct: (target, words, created) => {
    if (clock() - began > 2000) { began = clock(); count = 0; }
    if (count >= %d) throw new Refusal('too many workers', 'QuotaExceededError');
    count++;
    return construct(target, words, created);
  }});
  constructor.prototype.constructor = bounded;
  globalThis[name] = bounded;
}"""
"""A brake on how many workers a script starts in 2 s: the browser tells of them only when all of them are started, and
the page is to be closed before. Frames and workers pass it by, so the watch counts the threads (`MAX_THREADS`)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TabOptions:
    """The options of a tab."""

    images: bool = True
    """Load images, fonts and media."""
    downloads: bool = False
    profile: str | None = None
    """Start with the cookies and storage kept under this name, and keep them again at the end, however it ends."""
    default_context: bool = False
    """Without a profile, work in the default context of a joined browser, with its logins, instead of an empty one."""
    call_credentials: CallCredentials | None = None
    """Cookies and headers of one call. A profile beside them is used, and not saved: it would keep their cookies."""
    answers_http_auth: bool = False
    """Answer HTTP authentication with `browser.http_credentials`; those of the profile are used at any rate."""
    popups: bool = False
    """Let pages open further pages."""
    is_answered: bool = False
    """The client answers its requests, or the browser pool changes them; requests of service workers would bypass both.
    """
    routes: ProxyRoutes | None = None
    """The proxies of this job, instead of those of the settings."""
    emulation: Emulation = field(default_factory=Emulation)
    """The device and its user, as the pages are told."""
    lasts: bool = False
    """It may last, so it takes none of the places for jobs: the caller bounds the number of long-lived tabs."""


@dataclass(slots=True)
class BrowserTab:
    """A Playwright page and its context. Valid until `BrowserPool.run` or the block of `BrowserPool.tab` ends."""

    page: Page
    context: BrowserContext
    devtools: CDPSession
    """The page's own protocol session, for what scripts must not see."""
    gate: ProxySession | None
    """None in a browser that was joined: no proxy stands between the page and its network there."""
    running: Running
    scope: anyio.CancelScope
    """The scope that is cancelled when the tab is lost."""
    traffic: Traffic
    """Answers requests in place of the network, where it must."""
    sign_in: SignIn
    is_shared: bool = False
    """Its context is that of a browser that was joined: pages of others are in it, and it stays open."""
    loss: BrowserFailed | None = None
    """The error that ends its job, once the tab is of no use any more."""
    expects_crash: bool = False
    """The process of a page is being ended by us, and the job goes on."""

    def lose(self, reason: str) -> None:
        """Give the tab up because the browser is lost, and end the job in it."""
        self.end(browser_lost(reason))

    def end(self, error: BrowserFailed) -> None:
        """Give the tab up, and end the job in it with this error."""
        self.loss = self.loss or error
        self.scope.cancel()

    def on_crash(self) -> None:
        """End the job of a page whose process has ended; it is not done again if the page was at fault."""
        reason = self.running.take_ended_page_reason()
        if self.expects_crash:
            return
        if reason:
            self.end(BrowserFailed(reason))
        else:
            self.lose("the page's process crashed")

    def on_disconnect(self) -> None:
        """Give the tab up because the browser has ended, whatever page was at fault."""
        self.lose(self.running.kill_reason or "the browser ended")

    async def end_process(self) -> None:
        """End the process of the page at once: one that is busy for good can neither be navigated nor closed.

        A thread of its own answers the command there. If it does not come through and the browser is stalled, the
        driver is busy with the messages of a page, and the system ends the process of that page.
        """
        from playwright.async_api import Error

        watch = self.running.watch
        if watch is None:  # not our browser
            return
        with anyio.move_on_after(CRASH_S) as scope, suppress(Error):
            await self.devtools.send("Page.crash")
        if scope.cancelled_caught and watch.is_stalled:  # else the machine is slow, and the busiest page is innocent
            watch.end_busiest("the page did not react, so it was closed")


@dataclass
class _FloodWatch:  # without slots: the driver marks the objects whose methods it calls
    """Counts the requests and workers of a tab, and gives it up when there are too many at a time."""

    tab: BrowserTab
    began: float = 0.0
    count: int = 0

    def count_request(self, _: object) -> None:
        """Count a request. A job whose page does this is not done again in another browser."""
        now = anyio.current_time()
        if now - self.began > FLOOD_S:
            self.began, self.count = now, 0
        self.count += 1
        if self.count == FLOOD_REQUESTS:
            message = f"the page made {FLOOD_REQUESTS:,} requests within {now - self.began:.0f} s, so it was closed"
            # Jobs that run keep the browser; the next ones do not wait until its driver is done with the flood.
            self.tab.running.spoilt = self.tab.running.spoilt or message
            self.tab.end(BrowserFailed(message))

    def follow_workers(self, page: Page) -> None:
        """Count the workers of a page; those that have ended do not count."""

        def count_workers(_: object) -> None:
            if len(page.workers) == MAX_WORKERS:
                self.tab.end(BrowserFailed(f"the page started {MAX_WORKERS} workers, so it was closed"))

        page.on("worker", count_workers)


@dataclass(frozen=True, slots=True, kw_only=True)
class TabEnvironment:
    """The settings and services that all tabs of a pool share."""

    browser: BrowserSettings
    profiles: Path
    fetcher: Fetcher | None = None
    """Answers every request instead of the network, while a run is recorded or replayed."""
    clock: Clock | None = None
    """By which cookies of profiles end; without one they stay."""


@asynccontextmanager
async def opened(
    running: Running, gate: ProxySession | None, environment: TabEnvironment, wish: TabOptions
) -> AsyncGenerator[BrowserTab, None]:
    """Open a tab; leaving keeps the profile and closes the tab, whatever state it is in."""
    keeper = await _keeper(environment, wish.profile)
    shared = _shared_context(running, environment, wish)
    logins = _logins(environment.browser, keeper, wish)
    _check_call_credentials(environment, wish)
    is_answered = environment.fetcher is not None or not wish.images or wish.call_credentials is not None
    options = _options(environment.browser, gate, replace(wish, is_answered=is_answered), logins)
    options |= emulated(wish.emulation, version=running.browser.version)
    context = shared or await _new_context(running, options, keeper)
    tab_context = _TabContext(context, is_shared=shared is not None)
    tab: BrowserTab | None = None

    def lost(_: object) -> None:
        if tab is not None:
            tab.on_disconnect()

    running.browser.on("disconnected", lost)
    login_origins = [login["origin"] for login in logins]
    if wish.call_credentials is not None:
        login_origins += wish.call_credentials.login_origins
    sign_in = SignIn(context, keeper, login_origins)
    try:
        with anyio.CancelScope() as scope:
            page = await context.new_page()
            tab_context.follow(page)
            devtools = await context.new_cdp_session(page)
            traffic = Traffic(fetcher=environment.fetcher, images=wish.images)
            tab = BrowserTab(
                page, context, devtools, gate, running, scope, traffic, sign_in, is_shared=tab_context.is_shared
            )
            await _watched(tab, environment, wish)
            async with _kept(keeper if wish.call_credentials is None else None, context):
                yield tab
    finally:
        running.browser.remove_listener("disconnected", lost)
        sign_in.close()
        with anyio.CancelScope(shield=True), anyio.move_on_after(CLOSE_S) as closing:
            async with run_beside(partial(_end_when_slow, tab)):
                await tab_context.close()
        if closing.cancelled_caught:
            running.spoilt = running.spoilt or "a tab could not be closed"


async def _end_when_slow(tab: BrowserTab | None) -> None:
    await anyio.sleep(SLOW_CLOSE_S)
    if tab is not None:
        await tab.end_process()


@dataclass
class _TabContext:  # without slots: the driver marks the objects whose methods it calls
    """A context, and the pages that were opened in it by us."""

    context: BrowserContext
    is_shared: bool
    pages: list[Page] = field(default_factory=list)

    def follow(self, page: Page) -> None:
        """Remember a page, and the pages that it opens."""
        self.pages.append(page)
        if self.is_shared:
            page.on("popup", self.follow)

    async def close(self) -> None:
        """Close the context, or in one that is shared the pages that are ours."""
        from playwright.async_api import Error

        for part in self.pages if self.is_shared else [self.context]:
            with suppress(Error):  # the browser is gone, and the context with it
                await part.close()


def _shared_context(running: Running, environment: TabEnvironment, wish: TabOptions) -> BrowserContext | None:
    """Return the default context of a browser that was joined, where the job is to work in it."""
    is_requested = wish.default_context and wish.profile is None and environment.fetcher is None and not running.is_ours
    if not is_requested:
        return None
    if any(wish.emulation.values()):
        hint = "name a profile, or leave out mobile, timezone, color_scheme and locale"
        raise InvalidInput("the default context of a joined browser stays as it is", hint=hint)
    return next(iter(running.browser.contexts), None)


async def _keeper(environment: TabEnvironment, profile: str | None) -> ProfileKeeper | None:
    if profile is None:
        return None
    return await ProfileKeeper.load(profiles.profile_path(environment.profiles, profile), environment.clock)


async def _new_context(running: Running, options: Options, keeper: ProfileKeeper | None) -> BrowserContext:
    if keeper is None:
        return await running.browser.new_context(**options)
    return await keeper.new_context(running.browser, options)


@asynccontextmanager
async def _kept(keeper: ProfileKeeper | None, context: BrowserContext) -> AsyncGenerator[None, None]:
    """Save the profile when the block ends; an error of the block is raised all the same."""
    try:
        yield
    except BaseException:
        if keeper is not None:
            with anyio.CancelScope(shield=True), suppress(BrowserFailed, InvalidInput):
                await keeper.save(context)
        raise
    if keeper is not None:
        with anyio.CancelScope(shield=True):
            await keeper.save(context)


def _logins(settings: BrowserSettings, keeper: ProfileKeeper | None, wish: TabOptions) -> list[dict[str, str]]:
    """Return the HTTP credentials of a job; its profile goes before the settings."""
    logins: list[dict[str, str]] = []
    if keeper is not None:
        logins += keeper.http_credentials
    if wish.answers_http_auth:
        logins += http_credentials(settings.http_credentials)
    return logins


def _check_call_credentials(environment: TabEnvironment, wish: TabOptions) -> None:
    """Refuse headers of a call where the client answers the page's requests, and would record them."""
    if environment.fetcher is not None and wish.call_credentials is not None and wish.call_credentials.headers:
        hint = "use cookies or a profile, or read it without a recording"
        raise InvalidInput("a browser sends no headers or logins of a call in a recorded or replayed run", hint=hint)


async def _watched(tab: BrowserTab, environment: TabEnvironment, wish: TabOptions) -> None:
    tab.page.on("crash", lambda _: tab.on_crash())
    flood_watch = _FloodWatch(tab)
    (tab.page if tab.is_shared else tab.context).on("request", flood_watch.count_request)
    flood_watch.follow_workers(tab.page)
    if not tab.is_shared:
        tab.context.on("page", flood_watch.follow_workers)
    await tab.context.add_init_script(_BOUNDED_CONSOLE + _BOUNDED_WORKERS % MAX_WORKERS)
    if not wish.popups:
        tab.context.on("page", lambda page: _dismiss(tab, page))
    else:
        await tab.devtools.send("Page.enable")  # tells of windows before they are there
    if wish.popups and not environment.browser.service_workers:
        await tab.context.add_init_script(_ASKED_WORKERS)
    if tab.traffic.interferes:
        await tab.context.route("**/*", tab.traffic.handle)
        if environment.fetcher is not None:
            await tab.context.route_web_socket("**/*", tab.traffic.refuse_socket)
    if wish.call_credentials is not None:
        await wish.call_credentials.add_cookies(tab.context)
        if wish.call_credentials.headers or wish.call_credentials.cookie_host:
            await OriginHeaders(tab.devtools, wish.call_credentials).start()


def _dismiss(tab: BrowserTab, page: Page) -> None:
    if page is not tab.page:
        page.once("domcontentloaded", lambda opened_page: opened_page.close())
        page.once("load", lambda opened_page: opened_page.close())


def permissions(settings: BrowserSettings) -> tuple[str, ...]:
    """Return the permissions that pages have without asking, by the browser's names.

    Raises:
        ConfigError: there is no such permission.
    """
    for name in settings.permissions:
        if name not in PERMISSIONS:
            raise ConfigError(
                f"browser.permissions: unknown permission {name!r}", hint=f"use one of {', '.join(PERMISSIONS)}"
            )
    return settings.permissions


def position(text: str) -> dict[str, float]:
    """Return the latitude and longitude that a text like `59.9,10.7` names.

    Raises:
        ConfigError: it is no latitude and longitude.
    """
    try:
        latitude, longitude = map(float, text.split(","))
    except ValueError as error:
        raise ConfigError(
            f"browser.geolocation: {text!r} is not a position", hint="use latitude and longitude, such as 59.91,10.75"
        ) from error
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise ConfigError(
            f"browser.geolocation: {text!r} is out of range", hint="use latitude and longitude, such as 59.91,10.75"
        )
    return {"latitude": latitude, "longitude": longitude}


def _options(
    settings: BrowserSettings, gate: ProxySession | None, wish: TabOptions, logins: list[dict[str, str]]
) -> Options:
    width, _, height = settings.viewport.partition("x")
    options: Options = {
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
    if logins:  # several together need Playwright 1.62, one alone any
        options["http_credentials"] = logins if len(logins) > 1 else logins[0]
    if gate is not None:
        options["proxy"] = {"server": gate.server, "username": gate.username, "password": gate.password}
    return options
