"""Translates errors of Playwright and Chromium into the typed errors, once, at the edge of this package."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.errors import BrowserFailed, RedirectLoop, Timeout, Unreachable, Unsupported, WellreadError

if TYPE_CHECKING:
    from playwright.async_api import Error

_CODE = re.compile(r"net::(ERR_[A-Z0-9_]+)")
_GONE = re.compile(
    r"crash|has been closed|connection closed|browser closed|session closed|target closed|not connected|disconnected"
    r"|detached",
    re.IGNORECASE,
)
_DOWNLOAD = re.compile(r"download is starting", re.IGNORECASE)
MAX_SHOWN_CHARS = 200


def typed_error(error: Error, url: str | None = None) -> WellreadError:
    """Return the typed error for an error of Playwright."""
    message = str(error)
    line = message.strip().partition("\n")[0][:MAX_SHOWN_CHARS]
    page_name = url or "the page"
    code = _CODE.search(message)
    if type(error).__name__ == "TimeoutError":
        return Timeout(f"{page_name} was not ready in the browser in time", url=url, hint="raise browser.timeout_s")
    if _GONE.search(message):
        return BrowserFailed(f"the browser was lost: {line}", url=url)
    if _DOWNLOAD.search(message):
        hint = "run `wellread read` for a document, `wellread download` for another file"
        return Unsupported(f"{page_name} is a file to download, not a page", url=url, hint=hint)
    if code is None:
        return BrowserFailed(f"the browser reported an error: {line}", url=url)
    if code[1] == "ERR_TOO_MANY_REDIRECTS":
        return RedirectLoop(f"{page_name} redirects without end", url=url)
    return Unreachable(f"{page_name} could not be loaded by the browser ({code[1]})", url=url)


def is_browser_lost(error: WellreadError) -> bool:
    """Return whether the browser itself is at fault, so that another one may do better."""
    return isinstance(error, BrowserFailed) and error.message.startswith("the browser was lost")
