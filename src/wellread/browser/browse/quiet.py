"""Waits until what was done to a page has shown: nothing that matters is under way, and nothing changes any more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio

from wellread.browser.browse import scripts
from wellread.browser.render.activity import USEFUL_CHARS, YOUNG_S, Activity
from wellread.browser.render.probe import FIND, LOOK, Probe

if TYPE_CHECKING:
    from playwright.async_api import Page, Request, Response

    from wellread.browser.tab import Tab

STILL_MS = 60
"""How long nothing may change."""
_ONCE_MS = 400
"""After so long the requests under way are counted again, whatever changes."""
_YOUNG_MS = int(YOUNG_S * 1000)
_FADES_MS = 600
"""What fades or slides in or out is waited for so long, and so often in one step."""
_MAX_FADES = 2
LATE_S = 0.5
"""How long what a step did may take to begin to show."""
_RESTLESS = 2
"""A page that has asked for nothing, and still changes after so many looks, is a clock or a ticker: it never rests."""
_LOOK_S = 0.03
_BODY_S = 0.15
"""What the rest of an answer may take after its head."""


class Quiet:
    """Follows the requests of one page, and waits for it."""

    def __init__(self, tab: Tab) -> None:
        """Begin to follow."""
        self._page: Page = tab.page
        self._probe = Probe(tab)
        self._activity = self._anew()
        self._heads: dict[int, float] = {}
        self._count = 0
        """Changes of the document, when it was last asked."""
        self._page.on("request", self._began)
        self._page.on("response", self._answered)
        self._page.on("requestfinished", self._ended)
        self._page.on("requestfailed", self._ended)

    def _anew(self) -> Activity:
        now = anyio.current_time()
        return Activity(quiet_s=STILL_MS / 1000, began=now, changed=now)

    def stir(self) -> None:
        """Something is about to be done: only requests from now on count."""
        self._activity = self._anew()

    def _began(self, request: Request) -> None:
        self._activity.request(id(request), request.resource_type, request.url, anyio.current_time())

    def _answered(self, response: Response) -> None:
        self._heads[id(response.request)] = anyio.current_time()

    def _is_busy(self) -> bool:
        """Say whether a request is under way; one whose answer nobody reads is told never to end."""
        now = anyio.current_time()
        for each in [each for each, since in self._heads.items() if now - since > _BODY_S]:
            self._activity.ended(each, now)
            del self._heads[each]
        return bool(self._activity.pending(now))

    def _ended(self, request: Request) -> None:
        self._heads.pop(id(request), None)
        self._activity.ended(id(request), anyio.current_time())

    async def settle(self, most_s: float, *, is_opening: bool = False) -> bool:
        """Wait; False when `most_s` passed first.

        `is_opening`: what the page asks for is not the answer to a step, so it may be a long poll.
        """
        restless = fades = 0
        with anyio.move_on_after(most_s):
            while True:
                answer = await self._asked(scripts.QUIET % (_FADES_MS, _YOUNG_MS, STILL_MS, _ONCE_MS))
                how, self._count, fades_ms = answer or (None, 0, 0)
                if fades_ms and fades < _MAX_FADES:
                    fades += 1
                    await anyio.sleep(fades_ms / 1000)
                    continue
                restless += how == "restless" and not self._is_busy()
                if (how == "still" or restless >= _RESTLESS) and not self._is_busy():
                    return True
                if is_opening and how == "still" and await self._is_polling():
                    return True
                await anyio.sleep(_LOOK_S)
        return False

    async def _is_polling(self) -> bool:
        return self._activity.is_held(anyio.current_time()) and not await self._expects()

    async def _expects(self) -> bool:
        """Say whether the page shows that more is to come; if not, what it still asks for is a long poll."""
        look = await self._asked(LOOK)
        if not look:
            return True
        chars, _, _, is_busy, _ = look
        if chars >= USEFUL_CHARS or is_busy:
            return bool(is_busy)
        return bool(await self._asked(scripts.EXPECTS))

    async def changes(self, most_s: float) -> bool:
        """Wait until the document changes after it has settled; False when `most_s` passed first."""
        return bool(await self._asked(scripts.CHANGED % (self._count, int(most_s * 1000))))

    async def there(self, *, selector: str = "", text: str = "") -> bool:
        """Say whether an element or a text is where the page's own document can see it."""
        asked = FIND % json.dumps(selector) if selector else scripts.HAS_TEXT % json.dumps(text.lower())
        return bool(await self._asked(asked))

    async def _asked(self, expression: str) -> Any:  # Any: JSON, as the expression makes it
        from playwright.async_api import Error

        try:
            return await self._probe.evaluate(expression)
        except Error:
            if self._page.is_closed():
                raise
            return None  # it moves on to another document
