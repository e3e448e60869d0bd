"""Follows what a page announces by itself: that it leads to another address after a while.

The browser tells of `<meta http-equiv=refresh>` and of `Refresh` headers when it reads them, with their delay. What a
timer of a script does is told by nobody before it is done.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

import anyio

from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from playwright.async_api import CDPSession, Page

_ANNOUNCED: Final = frozenset({"metaTagRefresh", "httpHeaderRefresh"})
MAX_REDIRECTS = 5
"""That are followed one after the other."""
_SLACK_S = 1.0
"""What a redirect that is due may take to begin."""


class Redirect(NamedTuple):
    """Where a page leads, and when, on the clock of the event loop."""

    url: str
    due: float


class ClientRedirects:
    """The redirects that one page announces. `Page.enable` must be sent for them to be told."""

    def __init__(self, devtools: CDPSession) -> None:
        """Begin to listen."""
        self._pending: dict[str, Redirect] = {}
        """By frame."""
        self._main = ""
        self._navigated = anyio.Event()
        """Set at the next navigation."""
        devtools.on("Page.frameScheduledNavigation", self._scheduled)
        devtools.on("Page.frameClearedScheduledNavigation", self._cleared)
        devtools.on("Page.frameNavigated", self._moved)

    def _scheduled(self, event: dict[str, Any]) -> None:  # Any: the protocol's own shape
        if event["reason"] in _ANNOUNCED:
            self._pending[event["frameId"]] = Redirect(event["url"], anyio.current_time() + event["delay"])

    def _cleared(self, event: dict[str, Any]) -> None:  # Any: the protocol's own shape
        self._pending.pop(event["frameId"], None)

    def _moved(self, event: dict[str, Any]) -> None:  # Any: the protocol's own shape
        frame = event["frame"]
        if not frame.get("parentId"):
            self._pending.clear()
            self._main = frame["id"]
            self._navigated.set()
            self._navigated = anyio.Event()

    def pending(self, page: Page) -> Redirect | None:
        """Return where the page leads by itself; None where that is nowhere, or to itself."""
        redirect = self._pending.get(self._main)
        is_elsewhere = redirect is not None and redirect.url.partition("#")[0] != page.url.partition("#")[0]
        return redirect if is_elsewhere else None

    def notices(self, page: Page) -> Iterator[Notice]:
        """Tell of a redirect that was not followed."""
        redirect = self.pending(page)
        if redirect is not None:
            left_s = max(0.0, redirect.due - anyio.current_time())
            yield Notice("redirects_later", f"the page leads to {redirect.url[:500]} in {left_s:.0f} s")

    async def followed(self, page: Page, within_s: float) -> bool:
        """Wait for a redirect that is due within some seconds; say whether the page has moved on."""
        redirect = self.pending(page)
        left_s = 0.0 if redirect is None else redirect.due - anyio.current_time()
        if redirect is None or left_s > within_s:
            return False
        with anyio.move_on_after(max(left_s, 0.0) + _SLACK_S):
            await self._navigated.wait()
            return True
        return False
