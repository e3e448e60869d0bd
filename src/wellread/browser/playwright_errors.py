"""Translates errors of Playwright and Chromium into the typed errors, once, at the edge of this package."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wellread.errors import BrowserFailed, RedirectLoop, Timeout, Unreachable, Unsupported, WellreadError

if TYPE_CHECKING:
    from playwright.async_api import Error

_CODE = re.compile(r"net::(ERR_[A-Z0-9_]+)")
_CRASHED = re.compile(r"(?:target|page) crashed|frame was detached", re.IGNORECASE)
"""Playwright has a type for a target that was closed, but none for calls that a crash or a lost frame ends."""
_DOWNLOAD = re.compile(r"download is starting", re.IGNORECASE)
_LEFT = re.compile(r"context|frame|inspected target navigated|(?:node|object) with given id", re.IGNORECASE)
"""Chromium's words for calls whose document, frame or node was left: V8's and Blink's inspectors, 156."""
_CALL = re.compile(r"[A-Za-z]{1,30}\.[A-Za-z_]{1,40}(?=:)")
MAX_SHOWN_CHARS = 200


def is_between_documents(error: Error) -> bool:
    """Return whether a call failed because its page went on to another document meanwhile: it can be tried again."""
    return bool(_LEFT.search(str(error)))


def typed_error(error: Error, url: str | None = None) -> WellreadError:
    """Return the typed error for an error of Playwright."""
    message = str(error)
    line = message.strip().partition("\n")[0][:MAX_SHOWN_CHARS]
    call = _CALL.match(line)
    call_name = call[0] if call else "a call"
    page_name = url or "the page"
    code = _CODE.search(message)
    if type(error).__name__ == "TimeoutError":
        return Timeout(f"{page_name} was not ready in the browser in time", url=url, hint="raise browser.timeout_s")
    if type(error).__name__ == "TargetClosedError" or _CRASHED.search(message):
        return _with_detail(browser_lost(f"{call_name} ended with its page", url), line)
    if _DOWNLOAD.search(message):
        hint = "run `wellread read` for a document, `wellread download` for another file"
        return Unsupported(f"{page_name} is a file to download, not a page", url=url, hint=hint)
    if code is None:
        return _with_detail(BrowserFailed(f"the browser reported an error in {call_name}", url=url), line)
    if code[1] == "ERR_TOO_MANY_REDIRECTS":
        return RedirectLoop(f"{page_name} redirects without end", url=url)
    return Unreachable(f"{page_name} could not be loaded by the browser ({code[1]})", url=url)


def _with_detail(error: BrowserFailed, line: str) -> BrowserFailed:
    """Add the words of the browser for its owner: a page can throw errors with any text."""
    error.owner_detail = line
    return error


def browser_lost(reason: str, url: str | None = None) -> BrowserFailed:
    """Return the error of a browser that ended or hung under a job, so that another one may do better."""
    error = BrowserFailed(f"the browser was lost: {reason}", url=url)
    error.is_lost = True
    return error
