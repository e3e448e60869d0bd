"""Follows the redirects that a page announces by itself, with a delay.

The browser reports `<meta http-equiv=refresh>` and `Refresh` headers when it reads them, with their delay. It does not
announce the redirects of a script's timer.
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
"""How long a redirect that is due may take to begin."""


class Redirect(NamedTuple):
    """Where a page leads, and when, on the clock of the event loop."""

    url: str
    due: float


class ClientRedirects:
    """The redirects that one page announces. The browser reports them only after `Page.enable`."""

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
        """Return the redirect that the page announces; None without one, or for one to the page itself."""
        redirect = self._pending.get(self._main)
        if redirect is None or redirect.url.partition("#")[0] == page.url.partition("#")[0]:
            return None
        return redirect

    def notices(self, page: Page) -> Iterator[Notice]:
        """Tell of a redirect that was not followed."""
        redirect = self.pending(page)
        if redirect is not None:
            left_s = max(0.0, redirect.due - anyio.current_time())
            yield Notice("redirects_later", f"the page redirects to {redirect.url[:500]} in {left_s:.0f} s")

    async def followed(self, page: Page, within_s: float) -> bool:
        """Wait for a redirect that is due within some seconds; say whether the page has moved on."""
        redirect = self.pending(page)
        if redirect is None:
            return False
        left_s = redirect.due - anyio.current_time()
        if left_s > within_s:
            return False
        with anyio.move_on_after(max(left_s, 0.0) + _SLACK_S):
            await self._navigated.wait()
            return True
        return False
