"""One browser for all jobs: started when the first comes, anew when it is worn or lost, and ended when it is idle."""

from __future__ import annotations

from contextlib import asynccontextmanager, nullcontext
from typing import TYPE_CHECKING, TypeVar

import anyio

from wellread.browser import launch
from wellread.browser.playwright_errors import browser_lost, typed_error
from wellread.browser.tab import BrowserTab, TabEnvironment, TabOptions, opened
from wellread.errors import BrowserFailed, ConfigError, InvalidInput, Timeout
from wellread.net.background_tasks import DelayedTask
from wellread.net.proxy import SessionLimits

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from pathlib import Path

    from wellread.browser.launch import Running
    from wellread.errors import WellreadError
    from wellread.net.proxy import EgressProxy
    from wellread.ports import Clock, Fetcher
    from wellread.sections import BrowserSettings

T = TypeVar("T")


class BrowserPool:
    """Lends tabs of one browser. For one event loop of asyncio, on which Playwright runs."""

    def __init__(
        self,
        settings: BrowserSettings,
        *,
        egress: EgressProxy,
        profiles: Path,
        fetcher: Fetcher | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Take the parts; nothing is started. `fetcher` answers every request while a run is recorded or replayed."""
        self._settings = settings
        self._egress = egress
        self._environment = TabEnvironment(browser=settings, profiles=profiles, fetcher=fetcher, clock=clock)
        self._places = anyio.Semaphore(settings.pages)
        self._starting = anyio.Lock()
        self._running: Running | None = None
        self._none: ConfigError | None = None
        """Why there can be no browser, however often it is tried."""
        self._idle = DelayedTask(settings.idle_s, self._close_idle)

    @property
    def load(self) -> tuple[int, int]:
        """How many browsers run now, and how many tabs of them are lent."""
        running = self._running
        return (0, 0) if running is None else (1, running.active)

    async def run(
        self,
        work: Callable[[BrowserTab], Awaitable[T]],
        *,
        wish: TabOptions | None = None,
        timeout_s: float | None = None,
    ) -> T:
        """Do `work` in a tab. When the browser is lost meanwhile, it is done once more in another.

        Raises:
            ConfigError, BrowserFailed: there is no browser, or it was lost twice.
            Timeout: `timeout_s` (default `browser.timeout_s`) passed.
            WellreadError: what `work` raises; Playwright's own errors are translated.
        """
        limit_s = timeout_s or self._settings.timeout_s
        try:
            return await self._once(work, wish or TabOptions(), limit_s)
        except BrowserFailed as error:
            if not error.is_lost:
                raise
            return await self._once(work, wish or TabOptions(), limit_s)

    @asynccontextmanager
    async def tab(self, wish: TabOptions | None = None) -> AsyncGenerator[BrowserTab, None]:
        """Lend a tab for as long as the block lasts; unless it is to be held, waits while `browser.pages` are lent.

        A tab that is lost ends the block by cancelling it, and then raises BrowserFailed.

        Raises:
            ConfigError, BrowserFailed: there is no browser, or it was lost.
        """
        slot = nullcontext() if wish is not None and wish.lasts else self._places
        async with slot, self._borrowed() as running:
            from playwright.async_api import Error  # there, since a browser is

            tab: BrowserTab | None = None
            try:
                async with self._opened(running, wish or TabOptions()) as tab:
                    yield tab
            except Error as error:
                failure = typed_error(error)
                raise (_loss(running, tab, failure) or failure) from error
            except BrowserFailed as error:
                loss = _loss(running, tab, error)
                if not error.is_lost or loss is None:
                    raise
                raise loss from error
            if tab.loss is not None:
                raise tab.loss

    async def aclose(self) -> None:
        """End the browser, if one runs."""
        self._idle.stop()
        running, self._running = self._running, None
        if running is not None:
            await running.close()

    # ------------------------------------------------------------------------------------------------- a job

    async def _once(self, work: Callable[[BrowserTab], Awaitable[T]], wish: TabOptions, limit_s: float) -> T:
        running: Running | None = None
        with anyio.move_on_after(limit_s):
            async with self.tab(wish) as tab:
                running = tab.running
                return await work(tab)
        if running is not None and not await running.answers():
            if running.active:  # it may be busy with this page alone, and other tabs go on
                running.spoilt = running.spoilt or "it hangs"
            else:
                running.kill("it hangs")
            raise browser_lost("it stopped responding")
        raise Timeout(f"the browser did not finish within {limit_s:g} s", hint="raise browser.timeout_s")

    @asynccontextmanager
    async def _opened(self, running: Running, wish: TabOptions) -> AsyncGenerator[BrowserTab, None]:
        if not running.is_ours:
            if wish.routes is not None:
                hint = "leave out the proxy, or unset browser.connect"
                raise InvalidInput("a joined browser has a network of its own, so a session has no proxy", hint=hint)
            async with opened(running, None, self._environment, wish) as tab:
                yield tab
            return
        settings = self._settings
        allowance = SessionLimits(max_bytes=settings.max_bytes, max_connections=settings.connections)
        async with (
            self._egress.gate(allowance, wish.routes) as gate,
            opened(running, gate, self._environment, wish) as tab,
        ):
            yield tab

    # --------------------------------------------------------------------------------------------- the browser

    @asynccontextmanager
    async def _borrowed(self) -> AsyncGenerator[Running, None]:
        running = await self._ready()
        running.active += 1
        running.jobs += 1
        try:
            yield running
        finally:
            running.active -= 1
            if not running.active:
                with anyio.CancelScope(shield=True):
                    await self._rest(running)

    async def _ready(self) -> Running:
        async with self._starting:
            self._idle.stop()
            current = self._running
            if current is not None and current.usable and current.jobs < self._settings.restart_after:
                return current
            if current is not None and not current.active:
                await current.close()
            if self._none is not None:
                raise self._none
            try:
                self._running = await launch.start_browser(self._settings)
            except ConfigError as error:
                self._none = error
                raise
            if current is not None and not current.active:
                await current.close()  # its last job ended while the other was started
            return self._running

    async def _rest(self, running: Running) -> None:
        """Nobody uses it: end it if it is worn or replaced, else wait for the next job for a while."""
        if running is not self._running or not running.usable:
            await running.close()
        else:
            self._idle.start()

    async def _close_idle(self) -> None:
        async with self._starting:
            running = self._running
            if running is not None and not running.active:
                self._running = None
                await running.close()


def _loss(running: Running, tab: BrowserTab | None, failure: WellreadError) -> BrowserFailed | None:
    """Return the error of a tab that was lost, also where `failure` comes before the events of its page and browser."""
    if tab is not None and tab.loss is not None:
        return tab.loss
    if not (isinstance(failure, BrowserFailed) and failure.is_lost):
        return None
    if running.kill_reason:
        return browser_lost(running.kill_reason)
    if reason := running.take_ended_page_reason():
        return BrowserFailed(reason)
    return None
