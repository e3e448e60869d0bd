"""Waits until a rendered page meets the condition under which it is read."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import TYPE_CHECKING

import anyio

from wellread.browser.render.activity import PageActivity, PageSample
from wellread.browser.render.probe import FIND, LOOK, Probe

if TYPE_CHECKING:
    from playwright.async_api import Page, Request

    from wellread.browser.tab import BrowserTab
    from wellread.wait_condition import WaitCondition

LOOK_EVERY_S = 0.03
MAX_REQUESTS = 1_000
"""Requests of one page after which its scripts are stopped: more would drown the driver. Most pages make below 300."""


class ReadyWatcher:
    """Follows the activity of a page from before it is opened."""

    def __init__(self, tab: BrowserTab, *, quiet_s: float) -> None:
        """Begin to follow."""
        now = anyio.current_time()
        self.activity = PageActivity(quiet_s=quiet_s, began=now, changed=now)
        self.is_stopped = False
        """The page made requests without end, so its scripts were stopped."""
        self._page: Page = tab.page
        self._devtools = tab.devtools
        self._request_count = 0
        self._probe = Probe(tab)
        self._under_way: set[int] = set()
        self._moved = now
        self._page.on("request", self._began)
        self._page.on("requestfinished", self._ended)
        self._page.on("requestfailed", self._ended)
        self._page.on("websocket", lambda socket: socket.on("framereceived", lambda _: self.stirred()))

    @property
    def is_loading(self) -> bool:
        """Return whether any request is pending, polls included."""
        return bool(self._under_way)

    def stirred(self) -> None:
        """Note input to the page that it may react to."""
        self.activity.stirred(anyio.current_time())

    async def _began(self, request: Request) -> None:
        self._moved = anyio.current_time()
        self._under_way.add(id(request))
        self.activity.request(id(request), request.resource_type, request.url, self._moved)
        self._request_count += 1
        if self._request_count == MAX_REQUESTS:
            self.is_stopped = True
            from playwright.async_api import Error

            with suppress(Error):  # the page is gone
                await self._devtools.send("Emulation.setScriptExecutionDisabled", {"value": True})

    def _ended(self, request: Request) -> None:
        self._moved = anyio.current_time()
        self._under_way.discard(id(request))
        self.activity.ended(id(request), self._moved)

    async def settle(self, condition: WaitCondition, max_s: float) -> bool:
        """Wait until the page is ready; False when `max_s` passed first."""
        with anyio.move_on_after(max_s) as scope:
            if condition.kind == "adaptive":
                await self._rest()
            elif condition.kind == "networkidle":
                await self._idle(condition.idle_ms / 1000)
            elif condition.kind == "selector":
                await self._there(condition.selector)
            else:
                await self._page.wait_for_load_state(condition.kind, timeout=max_s * 1000)
        return not scope.cancelled_caught

    async def _rest(self) -> None:
        while not self.is_stopped:
            look = await self._probe.evaluate(LOOK)
            now = anyio.current_time()
            if look is not None:
                chars, useful, nodes, busy, parsed, waits = look
                sample = PageSample(chars=chars, useful=useful, nodes=nodes, busy=busy, parsed=parsed, waits=waits)
                self.activity.looked(sample, now)
                if self.activity.is_ready(now):
                    return
            await anyio.sleep(LOOK_EVERY_S)

    async def _there(self, selector: str) -> None:
        expression = FIND % json.dumps(selector)
        while True:
            if await self._probe.evaluate(expression):
                return
            await anyio.sleep(LOOK_EVERY_S)

    async def _idle(self, idle_s: float) -> None:
        while True:
            left_s = idle_s - (anyio.current_time() - self._moved)
            if left_s <= 0 and not self._under_way:
                return
            await anyio.sleep(LOOK_EVERY_S)
