"""Visits a search service as a person does: opens its page, refuses its banner, types, presses Enter, and looks.

The rules of a service are respected: the browser does not hide its identity, and a visit ends at a bot check.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import anyio

from wellread.browser.render import probe
from wellread.browser.render.probe import Probe
from wellread.browser.render.ready_wait import ReadyWatcher
from wellread.browser.render.renderer import navigate, note_main_response
from wellread.browser.tab import TabOptions
from wellread.errors import TooLarge, Unreachable
from wellread.types import Request, Response
from wellread.wait_condition import WaitCondition

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import Response as Answer

    from wellread.browser.browser_pool import BrowserPool
    from wellread.browser.tab import BrowserTab
    from wellread.ports import Visit
    from wellread.sections import RenderSettings

MAX_CHARS = 5_000_000
"""Of the markup of a page of results."""
_LEAVES_S = 2.0
"""How long a page may take to begin a navigation after Enter, or after a refusal."""
_CONSENT = "consent."
"""The start of the host names on which services ask for consent before anything else."""
_KEPT = frozenset({"cf-mitigated", "retry-after", "date", "content-type"})


class SearchVisitor:
    """Implements `ports.Visitor` over the pool."""

    def __init__(
        self, settings: RenderSettings, pool: BrowserPool, *, permit: Callable[[Request], Awaitable[None]]
    ) -> None:
        """Take the parts. `permit` raises the refusal of the guard."""
        self._settings = settings
        self._pool = pool
        self._permit = permit

    async def visit(self, visit: Visit) -> Response:
        """Return the page at which the visit ended.

        Raises:
            RefusedError, UnavailableError, ConfigError: as for a read that is rendered.
            TooLarge: the page has more than 5,000,000 characters.
        """
        await self._permit(Request(url=visit.url, user_asked=True))

        async def work(tab: BrowserTab) -> Response:
            return await self._made(tab, visit)

        return await self._pool.run(work, wish=TabOptions(images=False), timeout_s=visit.timeout_s)

    async def _made(self, tab: BrowserTab, visit: Visit) -> Response:
        latest: list[Answer] = []
        tab.page.on("response", lambda answer: note_main_response(latest, answer, tab))
        watch = ReadyWatcher(tab, quiet_s=self._settings.quiet_ms / 1000)
        await navigate(tab, visit.url)
        await self._settle(watch, visit.field)
        await self._refuse(tab, visit, watch)
        if visit.field and await tab.page.locator(visit.field).count():
            await self._ask(tab, visit, watch)
        if not latest:
            raise Unreachable(f"{visit.url} did not answer the browser", url=visit.url)
        answer = latest[-1]
        chars = await Probe(tab).evaluate("document.documentElement ? document.documentElement.outerHTML.length : 0")
        if chars and chars > MAX_CHARS:
            raise TooLarge(f"{tab.page.url} has {chars:,} characters", url=tab.page.url, hint="")
        body = (await tab.page.content()).encode("utf-8", "replace")
        headers = tuple((name, value) for name, value in answer.headers.items() if name.lower() in _KEPT)
        return Response(url=tab.page.url, status=answer.status, headers=headers, body=body)

    async def _settle(self, watch: ReadyWatcher, field: str = "") -> None:
        """Wait until the page rests, or has the search field: a page with a form alone may show next to no text."""
        async with anyio.create_task_group() as tasks:

            async def settle(how: WaitCondition) -> None:
                await watch.settle(how, self._settings.max_wait_s)
                tasks.cancel_scope.cancel()

            tasks.start_soon(settle, WaitCondition())
            if field:
                tasks.start_soon(settle, WaitCondition(kind="selector", selector=field))

    async def _refuse(self, tab: BrowserTab, visit: Visit, watch: ReadyWatcher) -> None:
        """Click the button that refuses consent: the service's own, or one of a cookie banner."""
        refuse_button = tab.page.locator(visit.refuse).first if visit.refuse else None
        if refuse_button is not None and await refuse_button.is_visible():
            await self._left(tab, refuse_button.click)
        else:
            is_consent_page = (urlsplit(tab.page.url).hostname or "").startswith(_CONSENT)
            point = await Probe(tab).evaluate(probe.REFUSE if is_consent_page else probe.REJECT)
            if point is None:
                return

            async def press() -> None:
                await tab.page.mouse.click(point[0], point[1])

            await self._left(tab, press, leaves=is_consent_page)
        watch.stirred()
        await self._settle(watch, visit.field)

    async def _ask(self, tab: BrowserTab, visit: Visit, watch: ReadyWatcher) -> None:
        await tab.page.locator(visit.field).first.click()
        await tab.page.keyboard.type(" ".join(visit.text.split()))  # a line break would press Enter too early

        async def enter() -> None:
            await tab.page.keyboard.press("Enter")

        await self._left(tab, enter)
        watch.stirred()
        await self._settle(watch)

    async def _left(self, tab: BrowserTab, do: Callable[[], Awaitable[None]], *, leaves: bool = True) -> None:
        """Do an action that may navigate, and wait until the navigation has begun."""
        from playwright.async_api import TimeoutError as TooLate

        if not leaves:
            await do()
            return
        with suppress(TooLate):  # it stays: then what it shows now is the answer
            async with tab.page.expect_navigation(wait_until="commit", timeout=_LEAVES_S * 1000):
                await do()
