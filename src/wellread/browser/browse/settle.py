"""Waits until a page shows the effect of a step: no relevant request is pending, and nothing changes any more."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import anyio

from wellread.browser.browse import scripts
from wellread.browser.render.activity import USEFUL_CHARS, YOUNG_S, PageActivity
from wellread.browser.render.probe import FIND, LOOK, Probe

if TYPE_CHECKING:
    from playwright.async_api import Page, Request, Response

    from wellread.browser.tab import BrowserTab

STILL_MS = 60
"""How long nothing may change."""
EARLY_MS = 20
"""After so long, a snapshot is taken that holds if the page then stays still."""
_ONCE_MS = 400
"""After so long the requests under way are counted again, whatever changes."""
_YOUNG_MS = int(YOUNG_S * 1000)
_FADES_MS = 600
"""Animations that take so long are waited for, and so often in one step."""
_MAX_FADES = 2
LATE_S = 0.5
"""How long the effect of a step may take to begin to show."""
HOVER_LATE_S = 0.8
"""The same after a hover: cards and tooltips wait up to 0.7 s (Radix) for the pointer to stay."""
_RESTLESS = 2
"""A page that has asked for nothing, and still changes after so many looks, is a clock or a ticker: it never rests."""
_NO_LOOK = (None, 0, 0, 0, 0, 0.0)
"""What `scripts.QUIET` would return of a page that is between two documents."""
_LOOK_S = 0.03
_TIMER_LATE_S = 0.5
"""How late a timer of a page may be: those of a page whose scripts were stopped never fire."""
_BODY_S = 0.15
"""How long the body of a response may take after its head."""


class SettleMonitor:
    """Follows the requests of one page, and waits for it."""

    def __init__(self, tab: BrowserTab) -> None:
        """Begin to follow."""
        self._page: Page = tab.page
        self._devtools = tab.devtools
        self._probe = Probe(tab)
        self._activity = self._anew()
        self._heads: dict[int, float] = {}
        self._count = 0
        """Changes of the document, when it was last asked."""
        self._busy_signs = self._busy_signs_before = 0
        """Spinners, skeletons and the like in the window: now, and before the step or in a new document at first."""
        self._document_began = 0.0
        self._is_restless = False
        self._page.on("request", self._began)
        self._page.on("response", self._answered)
        self._page.on("requestfinished", self._ended)
        self._page.on("requestfailed", self._ended)

    def _anew(self) -> PageActivity:
        now = anyio.current_time()
        return PageActivity(quiet_s=STILL_MS / 1000, began=now, changed=now)

    def reset(self) -> None:
        """Forget the activity so far: only requests from now on count."""
        self._activity = self._anew()
        self._busy_signs_before = self._busy_signs

    def _began(self, request: Request) -> None:
        self._activity.request(id(request), request.resource_type, request.url, anyio.current_time())

    def _answered(self, response: Response) -> None:
        self._heads[id(response.request)] = anyio.current_time()

    def _is_busy(self) -> bool:
        """Return whether a request is pending; the browser never reports the end of one whose body nobody reads."""
        now = anyio.current_time()
        for request_id in [request_id for request_id, since in self._heads.items() if now - since > _BODY_S]:
            self._activity.ended(request_id, now)
            del self._heads[request_id]
        return bool(self._activity.pending(now))

    def _ended(self, request: Request) -> None:
        self._heads.pop(id(request), None)
        self._activity.ended(id(request), anyio.current_time())

    async def settle(self, most_s: float, *, is_opening: bool = False, still_ms: int = STILL_MS) -> bool:
        """Wait until nothing has changed for `still_ms`, or the page is closed; False when `most_s` passed first.

        `is_opening`: what the page asks for is not the answer to a step, so it may be a long poll. Otherwise a sign of
        loading that the step has brought is waited for until it goes. One that does not go in time may be no sign at
        all, so the page counts as ready, and the sign is not waited for again.
        """
        restless = fades = 0
        self._is_restless = is_settled = False
        with anyio.move_on_after(most_s):
            while not self._page.is_closed():
                result = await self._evaluate(scripts.QUIET % (_FADES_MS, _YOUNG_MS, still_ms, _ONCE_MS))
                page_state, self._count, fades_ms, least_chars, self._busy_signs, document_began = result or _NO_LOOK
                if result and (document_began != self._document_began or page_state == "loading"):
                    self._document_began, self._busy_signs_before = document_began, self._busy_signs
                if page_state == "bare" and await self._laid_out_chars() >= least_chars:
                    page_state = "still"
                if fades_ms and fades < _MAX_FADES:
                    fades += 1
                    await anyio.sleep(fades_ms / 1000)
                    continue
                restless += page_state == "restless" and not self._is_busy()
                is_answering = not is_opening and self._busy_signs > self._busy_signs_before
                is_settled = (page_state == "still" or restless >= _RESTLESS) and not self._is_busy()
                if is_settled and not is_answering:
                    self._is_restless = page_state != "still"
                    return True
                if is_opening and page_state == "still" and await self._is_polling():
                    return True
                await anyio.sleep(_LOOK_S)
            return True
        if is_settled:
            self._busy_signs_before = self._busy_signs
        return is_settled

    async def is_at_rest(self) -> bool:
        """Wait until the page has been still for `STILL_MS`; return whether nothing has changed since it settled.

        A page that never rests does not come to rest by waiting.
        """
        if self._is_restless:
            return True
        is_same = False
        with anyio.move_on_after(STILL_MS / 1000 + _TIMER_LATE_S):
            is_same = bool(await self._evaluate(scripts.RESTS % STILL_MS))
        return is_same and not self._is_busy()

    async def _laid_out_chars(self) -> int:
        """Return how many characters the page lays out, in closed shadow trees too, which scripts cannot see into."""
        from playwright.async_api import Error

        try:
            snapshot = await self._devtools.send("DOMSnapshot.captureSnapshot", {"computedStyles": []})
        except Error:
            if self._page.is_closed():
                raise
            return 0
        texts = snapshot["documents"][0]["layout"]["text"]
        return sum(len(snapshot["strings"][text].strip()) for text in texts if text >= 0)

    async def _is_polling(self) -> bool:
        return self._activity.is_held(anyio.current_time()) and not await self._expects()

    async def _expects(self) -> bool:
        """Return whether the page shows that more is to come; if it does not, its pending request is a long poll."""
        look = await self._evaluate(LOOK)
        if not look:
            return True
        chars, _, _, is_busy, *_ = look
        if chars >= USEFUL_CHARS or is_busy:
            return bool(is_busy)
        return bool(await self._evaluate(scripts.EXPECTS))

    async def changes(self, most_s: float) -> bool:
        """Wait until the document changes after it has settled; False when `most_s` passed first."""
        with anyio.move_on_after(most_s + _TIMER_LATE_S):
            return bool(await self._evaluate(scripts.CHANGED % (self._count, int(most_s * 1000))))
        return False

    async def is_present(self, *, selector: str = "", text: str = "") -> bool:
        """Return whether an element or a text is in a document that the page's own document can see."""
        expression = scripts.HAS_TEXT % json.dumps(text.lower())
        if selector:
            expression = FIND % json.dumps(selector)
        return bool(await self._evaluate(expression))

    async def _evaluate(self, expression: str) -> Any:  # Any: JSON, as the expression makes it
        from playwright.async_api import Error

        try:
            return await self._probe.evaluate(expression)
        except Error:
            if self._page.is_closed():
                raise
            return None  # it moves on to another document
