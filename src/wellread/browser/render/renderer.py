"""Renders one page: opens it in the browser, waits, refuses banners, scrolls, writes its visible content as HTML."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import anyio

from wellread.browser.call_credentials import call_credentials
from wellread.browser.client_redirects import MAX_REDIRECTS, ClientRedirects
from wellread.browser.playwright_errors import typed_error
from wellread.browser.render import page_extent, probe
from wellread.browser.render.failed_requests import FailedRequests
from wellread.browser.render.html_writer import Written, visible_html
from wellread.browser.render.layout import ARGUMENTS, Layout, layouts
from wellread.browser.render.probe import Probe
from wellread.browser.render.ready_wait import LOOK_EVERY_S, MAX_REQUESTS, ReadyWatcher
from wellread.browser.tab import TabOptions
from wellread.errors import ConfigError, Empty, InvalidInput, TooLarge, Unreachable, WellreadError
from wellread.ports import Rendering
from wellread.types import Notice, Request, Response
from wellread.wait_condition import parse_wait

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

    from playwright.async_api import CDPSession, Frame
    from playwright.async_api import Response as Answer

    from wellread.browser.browser_pool import BrowserPool
    from wellread.browser.tab import BrowserTab
    from wellread.ports import Clock
    from wellread.sections import RenderSettings
    from wellread.wait_condition import WaitCondition

MAX_NODES = 150_000
MAX_CHARS = 20_000_000
"""Of markup; the browser copies it for us, and we read the copy."""
MAX_FRAMES = 20
FRAME_S = 1.0
BANNER_S = 0.6
"""How long a refused banner may take to disappear."""
END_SCROLLS = 2
"""Times that the end is scrolled to: a page that grows twice goes on, one that grows once had lazy parts."""
SCREENS_AT_ONCE = 50
MAX_SCREENS = 1_000
MAX_PRESSES = 100
"""Of a read that scrolls the whole page."""
SCROLL_ALL_SHARE = 0.65
"""Of the time that is left of its deadline; reading a long page takes the rest."""
MAX_SCROLL_ALL_S = 120.0
LAZY_S = 1.5
"""How long content that loads on scrolling is waited for."""


ERROR_PAGE_S = 1.0
NEXT_S = 0.7
"""After its end was reached, a page that loads nothing has so long to show more."""


class _RenderedTab(NamedTuple):
    tab: BrowserTab
    watch: ReadyWatcher
    probe: Probe


class BrowserRenderer:
    """Implements `ports.Renderer` over the pool."""

    def __init__(
        self, settings: RenderSettings, pool: BrowserPool, *, permit: Callable[[Request], Awaitable[None]], clock: Clock
    ) -> None:
        """Take the parts. `permit` raises the refusal of the guard or of robots.txt.

        Raises:
            ConfigError: render.wait is no way of waiting.
        """
        self._settings = settings
        try:
            self._wait = parse_wait(settings.wait)
        except InvalidInput as error:
            raise ConfigError(f"render.wait: {error.message}", hint=error.hint) from error
        self._pool = pool
        self._permit = permit
        self._clock = clock

    async def render(self, request: Request) -> Rendering:
        """Return the page at `request.url` as a person would see it.

        Raises:
            RefusedError, UnavailableError, UnreadableError: as for a fetch.
            ConfigError, BrowserFailed: there is no browser, or it failed twice.
        """
        began = self._clock.monotonic()
        await self._permit(request)

        async def work(tab: BrowserTab) -> Rendering:
            return await self._rendered(tab, request)

        wish = TabOptions(
            images=self._settings.images,
            profile=None if request.credentials is None else request.credentials.profile,
            call_credentials=call_credentials(request.credentials, request.url, self._clock.now().timestamp()),
        )
        rendering = await self._pool.run(work, wish=wish, timeout_s=request.timeout_s)
        elapsed = round((self._clock.monotonic() - began) * 1000)
        response = rendering.response
        final = Request(url=response.url, user_asked=request.user_asked)
        if _host(response.url) != _host(request.url):
            await self._permit(final)
        return replace(rendering, response=replace(response, elapsed_ms=elapsed))

    async def _rendered(self, tab: BrowserTab, request: Request) -> Rendering:
        rendered_tab = _RenderedTab(tab, ReadyWatcher(tab, quiet_s=self._settings.quiet_ms / 1000), Probe(tab))
        latest: list[Answer] = []
        tab.page.on("response", lambda answer: note_main_response(latest, answer, tab))
        redirects = ClientRedirects(tab.devtools)
        failed_requests = FailedRequests(tab)
        await tab.devtools.send("Page.enable")  # tells of what the page announces
        await navigate(tab, request.url)
        wait = self._wait
        if request.wait:
            wait = parse_wait(request.wait)
        ready = await self._settle(rendered_tab, wait, self._settings.max_wait_s)
        for _ in range(MAX_REDIRECTS):
            if not await redirects.followed(tab.page, self._settings.max_wait_s):
                break
            ready = await self._settle(rendered_tab, wait, self._settings.max_wait_s)
        goes_on = None
        if not rendered_tab.watch.is_stopped:
            await self._refuse_banner(rendered_tab)
            goes_on = await self._scroll(rendered_tab, scrolls_all=request.scroll == "all")
        page = await visible_page(tab, rendered_tab.probe)
        if not latest:
            raise Unreachable(f"{request.url} did not answer the browser", url=request.url)
        url = tab.page.url.partition("#")[0]
        if not url.startswith(("http://", "https://")):
            raise Empty(f"{request.url} leads to {url[:100]}, which is not a web page", url=request.url)
        answer = latest[-1]
        copied_fields = {"content-language", "last-modified", "cf-mitigated", "retry-after"}
        headers = (
            ("content-type", "text/html; charset=utf-8"),
            *((name, value) for name, value in answer.headers.items() if name.lower() in copied_fields),
        )
        body = page.html.encode("utf-8", "replace")
        response = Response(url=url, status=answer.status, headers=headers, body=body)
        notices = (
            *_notices(page, tab, self._settings, ready=ready),
            *failed_requests.notices(),
            *redirects.notices(tab.page),
        )
        if goes_on is not None:
            notices = (*notices, goes_on)
        if rendered_tab.watch.is_stopped:
            detail = f"the page made {MAX_REQUESTS:,} requests and went on, so its scripts were stopped"
            notices = (*notices, Notice("scripts_stopped", detail))
        is_provisional = not ready or failed_requests.may_pass()
        return Rendering(response=response, notices=notices, is_provisional=is_provisional)

    async def _settle(self, rendered_tab: _RenderedTab, condition: WaitCondition, max_s: float) -> bool:
        """Wait for the page; a selector that never comes is no failure, for there may be something to read."""
        from playwright.async_api import TimeoutError as TooLate

        with suppress(TooLate):
            return await rendered_tab.watch.settle(condition, max_s)
        return False

    async def _refuse_banner(self, rendered_tab: _RenderedTab) -> None:
        point = await rendered_tab.probe.evaluate(probe.REJECT)
        if point is not None:
            await rendered_tab.tab.page.mouse.click(point[0], point[1])
            await self._settle(rendered_tab, self._wait, BANNER_S)

    async def _scroll(self, rendered_tab: _RenderedTab, *, scrolls_all: bool) -> Notice | None:
        """Scroll down, and further where more has come, as many screens as the settings say, or until nothing comes.

        Returns the notice of a page that goes on after that.
        """
        await rendered_tab.probe.evaluate(page_extent.MARK)
        if scrolls_all:
            return await self._scroll_all(rendered_tab)
        scrolls_left = self._settings.scrolls
        while scrolls_left > 0 and (scroll_count := await rendered_tab.probe.evaluate(probe.SCROLL % scrolls_left)):
            scrolls_left -= scroll_count
            rendered_tab.watch.stirred()
            await self._settle(rendered_tab, self._wait, LAZY_S)
        screens = self._settings.scrolls - scrolls_left
        seen_px = await rendered_tab.probe.evaluate(probe.SEEN) or 0
        extents = await self._scrolled_to_end(rendered_tab) if self._settings.scrolls else []
        stands = await rendered_tab.probe.evaluate(page_extent.STANDS % seen_px)
        await rendered_tab.probe.evaluate(page_extent.BACK)
        if screens or len(extents) > 1:
            await rendered_tab.probe.evaluate(probe.TOP)
        if any(measured.is_virtual for measured in extents):  # its first rows come back
            rendered_tab.watch.stirred()
            await self._settle(rendered_tab, self._wait, LAZY_S)
        return page_extent.goes_on_notice(extents, stands, screens=screens + 1)

    async def _scroll_all(self, rendered_tab: _RenderedTab) -> Notice | None:
        """Scroll down and press the button for more until nothing comes, or a limit is reached.

        Returns the notice of a page that goes on after that.
        """
        watch, page_probe = rendered_tab.watch, rendered_tab.probe
        now = anyio.current_time()
        left_s = min(anyio.current_effective_deadline() - now, MAX_SCROLL_ALL_S)
        ends = now + left_s * SCROLL_ALL_SHARE
        extents = [page_extent.extent(await page_probe.evaluate(page_extent.MEASURE))]
        screens = presses = 0
        is_cut = False
        while not is_cut:
            screens += await page_probe.evaluate(probe.SCROLL % SCREENS_AT_ONCE) or 0
            watch.stirred()
            await self._settle(rendered_tab, self._wait, LAZY_S)
            current = page_extent.extent(await page_probe.evaluate(page_extent.MEASURE))
            if not current.has_grown(extents[-1]) and presses < MAX_PRESSES:
                presses += 1
                pressed = await self._press_for_more(rendered_tab, extents[-1])
                current = pressed or current
            if not current.has_grown(extents[-1]) and await page_probe.evaluate(page_extent.TO_END):
                current = await self._grown(rendered_tab, extents[-1])
            has_grown = current.has_grown(extents[-1])
            extents.append(current)
            if not has_grown:
                break
            is_cut = anyio.current_time() > ends or screens > MAX_SCREENS or watch.is_stopped
        seen_px = await page_probe.evaluate(probe.SEEN) or 0
        stands = await page_probe.evaluate(page_extent.STANDS % seen_px)
        await page_probe.evaluate(page_extent.BACK)
        await page_probe.evaluate(probe.TOP)
        return page_extent.goes_on_notice(extents, stands, screens=screens + 1, is_cut=is_cut)

    async def _press_for_more(
        self, rendered_tab: _RenderedTab, previous: page_extent.Extent
    ) -> page_extent.Extent | None:
        """Press the button for more, and return how much there is then; None where nothing was pressed.

        A button that leads to another page is taken back.
        """
        page = rendered_tab.tab.page
        point = await rendered_tab.probe.evaluate(page_extent.MORE_POINT)
        if point is None:
            return None
        await page.mouse.click(point[0], point[1])
        rendered_tab.watch.stirred()
        current = await self._grown(rendered_tab, previous)
        if not await rendered_tab.probe.evaluate(page_extent.HAS_MARKS):
            await page.go_back(wait_until="commit")
            await self._settle(rendered_tab, self._wait, self._settings.max_wait_s)
            return None
        return current

    async def _scrolled_to_end(self, rendered_tab: _RenderedTab) -> list[page_extent.Extent]:
        """Scroll to the end, and again where that brought more; return how much there was each time."""
        extents = [page_extent.extent(await rendered_tab.probe.evaluate(page_extent.MEASURE))]
        for _ in range(END_SCROLLS):
            if not await rendered_tab.probe.evaluate(page_extent.TO_END):
                break
            extents.append(await self._grown(rendered_tab, extents[-1]))
            if not extents[-1].has_grown(extents[-2]):
                break
        return extents

    async def _grown(self, rendered_tab: _RenderedTab, previous: page_extent.Extent) -> page_extent.Extent:
        """Wait until the page is larger than `previous`, or does not grow any more."""
        began = anyio.current_time()
        while True:
            await anyio.sleep(LOOK_EVERY_S)
            current = page_extent.extent(await rendered_tab.probe.evaluate(page_extent.MEASURE))
            waited_s = anyio.current_time() - began
            if (
                current.has_grown(previous)
                or waited_s > LAZY_S
                or (waited_s > NEXT_S and not rendered_tab.watch.is_loading)
            ):
                return current


async def navigate(tab: BrowserTab, url: str) -> None:
    """Open `url`; raise the error of the proxy's refusal, or of a recording that lacks the page."""
    from playwright.async_api import Error

    tab.traffic.unanswered()  # whatever it was, it was not this
    try:
        answer = await tab.page.goto(url, wait_until="commit", timeout=0)
    except Error as error:
        refused = tab.traffic.unanswered() or _refusal(tab, url) or tab.sign_in.refusal(tab.page, url)
        raise (refused or typed_error(error, url)) from error
    refused = _refusal(tab, answer.url) if answer is not None and answer.status in {403, 502} else None
    if refused is not None:
        raise refused


async def await_error_page(tab: BrowserTab) -> None:
    """Wait for the browser's own page about a URL that did not load: it would interrupt the next navigation."""
    from playwright.async_api import Error

    with suppress(Error):
        await tab.page.wait_for_url("chrome-error://**", wait_until="commit", timeout=ERROR_PAGE_S * 1000)


def _refusal(tab: BrowserTab, url: str) -> WellreadError | None:
    """Return the proxy's refusal of the URL at which a navigation ended."""
    if tab.gate is None:
        return None
    refusal, refusals = tab.gate.refusal(url), tab.gate.refusals
    if refusal is None and len(refusals) == 1 and tab.page.url.startswith(("about:", "chrome-error:")):
        refusal = next(iter(refusals.values()))  # the redirect that ended the navigation
    return refusal


def note_main_response(latest: list[Answer], answer: Answer, tab: BrowserTab) -> None:
    """Keep `answer` as the only one in `latest` if it is the page's own, and no redirect."""
    request = answer.request
    if request.is_navigation_request() and request.frame == tab.page.main_frame and not 300 <= answer.status < 400:
        latest[:] = [answer]


def _host(url: str) -> str:
    return urlsplit(url).netloc


def content_notices(page: Written) -> Iterator[Notice]:
    """Yield notices of invisible text that was removed, and of parts that were not read."""
    if page.hidden:
        why = f"text that cannot be seen in the browser was removed: {', '.join(page.reasons)}"
        yield Notice("hidden_text", why, page.hidden)
    if page.cut:
        yield Notice("cut_short", "the rendered page is too deep or too long, so only a part was read")


def network_notices(tab: BrowserTab) -> Iterator[Notice]:
    """Yield notices about the network access of a tab."""
    if tab.gate is None:
        yield Notice(
            "unguarded_browser", "the browser was started elsewhere, so its requests are not checked by the proxy"
        )
    elif tab.gate.refusals:
        first = next(iter(tab.gate.refusals.values()))
        why = f"requests of the page were refused: {first.message}"
        yield Notice("refused_requests", why, len(tab.gate.refusals))
    if (unanswered := tab.traffic.unanswered()) is not None:
        yield Notice("refused_requests", f"the page leads to an address that cannot be loaded: {unanswered.message}")


def _notices(page: Written, tab: BrowserTab, settings: RenderSettings, *, ready: bool) -> tuple[Notice, ...]:
    notices = [*content_notices(page)]
    if not ready:
        notices.append(Notice("still_loading", f"the page was not ready after {settings.max_wait_s:g} s"))
    return (*notices, *network_notices(tab))


# ------------------------------------------------------------------------------------------- what is seen of it


async def visible_page(tab: BrowserTab, asking: Probe, *, field_values: bool = False) -> Written:
    """Return the visible content of the page in `tab` as HTML, with `field_values` also what stands in its fields.

    Raises:
        TooLarge: it has too many nodes, or too much markup.
    """
    metrics = await _metrics(tab.devtools)
    if metrics.get("Nodes", 0) > MAX_NODES:
        nodes = int(metrics["Nodes"])
        raise TooLarge(f"{tab.page.url} has {nodes:,} nodes; the limit is {MAX_NODES:,}", url=tab.page.url, hint="")
    chars = await asking.evaluate("document.documentElement ? document.documentElement.outerHTML.length : 0")
    if chars and chars > MAX_CHARS:
        raise TooLarge(f"{tab.page.url} has {chars:,} characters", url=tab.page.url, hint="")
    page = layouts(await tab.devtools.send("DOMSnapshot.captureSnapshot", dict(ARGUMENTS)))
    frames = await _frames(tab, {layout.frame for layout in page})
    return await anyio.to_thread.run_sync(partial(visible_html, page, frames, field_values=field_values))


async def _metrics(devtools: CDPSession) -> dict[str, float]:
    await devtools.send("Performance.enable")
    answer: dict[str, Any] = await devtools.send("Performance.getMetrics")  # Any: the protocol's own shape
    return {metric["name"]: metric["value"] for metric in answer["metrics"]}


async def _frames(tab: BrowserTab, read_frames: set[str]) -> dict[int, list[Layout]]:
    """Return the layouts of frames that live in processes of their own, by the number of the element they are in."""
    from playwright.async_api import Error

    layouts_by_element: dict[int, list[Layout]] = {}
    for frame in tab.page.frames[1 : MAX_FRAMES + 1]:
        with anyio.move_on_after(FRAME_S), suppress(Error):  # a frame may go at any time, and most are not apart
            element, frame_layouts = await _frame_layouts(tab, frame)
            if frame_layouts and frame_layouts[0].frame not in read_frames:
                layouts_by_element[element] = frame_layouts
    return layouts_by_element


async def _frame_layouts(tab: BrowserTab, frame: Frame) -> tuple[int, list[Layout]]:
    devtools = await tab.context.new_cdp_session(frame)
    try:
        frame_layouts = layouts(await devtools.send("DOMSnapshot.captureSnapshot", dict(ARGUMENTS)))
        await tab.devtools.send("DOM.enable")
        owner = await tab.devtools.send("DOM.getFrameOwner", {"frameId": frame_layouts[0].frame})
        return owner["backendNodeId"], frame_layouts
    finally:
        await devtools.detach()
