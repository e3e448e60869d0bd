"""Records the evidence of a session in a folder: a picture of each step, the requests (HAR) and the console.

`steps.jsonl` has a line for each step, `step-001-open.png` its picture, `network.har` the requests (HAR 1.2), and
`console.log` the messages and errors of the pages. Playwright's own HAR recorder is not used: its file has cookies and
bodies in the clear until it is rewritten, it is lost with the browser, and it does not work in a joined browser.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qsl, urlsplit

import anyio

from wellread.browser.browse.evidence_mask import EvidenceMask
from wellread.errors import InvalidInput, reason_line

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from playwright.async_api import BrowserContext, ConsoleMessage, Page, Request, Response, WebError

    from wellread.errors import WellreadError
    from wellread.ports import Clock
    from wellread.types import PageSnapshot

    Json = dict[str, Any]  # Any: what the formats have

MAX_REQUESTS: Final = 5_000
"""Requests of one session in its HAR; further ones are counted."""
MAX_CONSOLE_LINES: Final = 2_000
MAX_LINE_CHARS: Final = 2_000
MAX_PICTURE_BYTES: Final = 200_000_000
"""Of all pictures of one session; further steps have none."""
MAX_URL_CHARS: Final = 8_000
"""Of a URL in the HAR, of a header field and of a parameter."""
MAX_DIGITS: Final = 15
_PICTURE_S: Final = 3.0
_FILE_MODE: Final = 0o600


class SessionEvidence:
    """The evidence of one session. Bodies of requests and responses are never recorded."""

    def __init__(self, folder: Path, clock: Clock) -> None:
        """Take the folder, which exists."""
        self.mask = EvidenceMask()
        self._folder = folder
        self._clock = clock
        self._step_count = 0
        self._picture_bytes = 0
        self._requests: dict[int, tuple[Request, Response | None]] = {}
        """By identity, as long as a request is pending."""
        self._request_count = 0
        self._entries: list[Json] = []
        self._console: list[str] = []
        self._console_count = 0

    # --------------------------------------------------------------------------------------- pages and requests

    def follow(self, page: Page) -> None:
        """Record the requests and the console of a page."""
        page.on("pageerror", lambda error: self._log(f"error  {error}"))
        self._follow_events(page)

    def follow_all(self, context: BrowserContext) -> None:
        """Record the requests and the consoles of all pages of a context, from their first request on."""
        context.on("weberror", self._log_error)
        self._follow_events(context)

    def _follow_events(self, source: Page | BrowserContext) -> None:
        source.on("console", self._log_message)
        source.on("request", self._begin)
        source.on("response", self._answer)
        source.on("requestfinished", self._end)
        source.on("requestfailed", self._end)

    def _log_message(self, message: ConsoleMessage) -> None:
        self._log(f"{message.type}  {message.text}  {message.location.get('url', '')}")

    def _log_error(self, error: WebError) -> None:
        self._log(f"error  {error.error}")

    def _log(self, text: str) -> None:
        self._console_count += 1
        if len(self._console) < MAX_CONSOLE_LINES:
            line = " ".join(self.mask.masked(text).split())[:MAX_LINE_CHARS]
            self._console.append(f"{self._clock.now().isoformat(timespec='milliseconds')}  {line}")

    def _begin(self, request: Request) -> None:
        self._request_count += 1
        if self._request_count <= MAX_REQUESTS:
            self._requests[id(request)] = (request, None)

    def _answer(self, response: Response) -> None:
        if id(response.request) in self._requests:
            self._requests[id(response.request)] = (response.request, response)

    def _end(self, request: Request) -> None:
        pending = self._requests.pop(id(request), None)
        if pending is not None:
            self._entries.append(_entry(*pending, self._clock))

    # ------------------------------------------------------------------------------------------------- steps

    async def record(
        self,
        page: Page,
        action: str,
        *,
        element: str,
        snapshot: PageSnapshot | None,
        error: WellreadError | None,
        shows_secret: bool,
    ) -> None:
        """Record a step that has ended; `element` is the element that it acted on.

        The picture is left out if it would show a secret (`shows_secret`), or if the page does not give one.
        """
        self._step_count += 1
        line: Json = {
            "step": self._step_count,
            "time": self._clock.now().isoformat(timespec="milliseconds"),
            "action": action,
            "url": page.url,
        }
        if element:
            line["element"] = element
        if error is None and snapshot is not None:
            line |= {"title": snapshot.title, "changes": snapshot.changes, "dialogs": snapshot.dialogs}
            line |= {"downloads": snapshot.downloads}
        if error is not None:
            line["error"] = f"{error.code}: {error.message}"
        name = f"step-{self._step_count:03}-{action}.png"
        reason = "it would show a secret"
        if not shows_secret:
            reason = await self._picture(page, name)
        if reason:
            line["no_picture"] = reason
        else:
            line["picture"] = name
        text = json.dumps(_masked_values(line, self.mask), ensure_ascii=False)
        await anyio.to_thread.run_sync(_append, self._folder / "steps.jsonl", text + "\n")

    async def _picture(self, page: Page, name: str) -> str:
        """Save a picture of the window; return why there is none."""
        from playwright.async_api import Error

        if self._picture_bytes > MAX_PICTURE_BYTES:
            return "the pictures of the session have reached their limit"
        try:
            picture = await page.screenshot(timeout=_PICTURE_S * 1000)
        except Error:
            return "the page gave no picture"
        self._picture_bytes += len(picture)
        await anyio.to_thread.run_sync(_write, self._folder / name, picture)
        return ""

    # --------------------------------------------------------------------------------------------------- end

    def close(self) -> None:
        """Write the requests and the console.

        Raises:
            InvalidInput: the folder cannot be written.
        """
        entries = [*self._entries, *(_entry(*pending, self._clock) for pending in self._requests.values())]
        entries.sort(key=lambda entry: str(entry["startedDateTime"]))
        log: Json = {
            "version": "1.2",
            "creator": {"name": "wellread", "version": "1"},
            "pages": [],
            "entries": [_masked_entry(entry, self.mask) for entry in entries],
        }
        if self._request_count > MAX_REQUESTS:
            log["comment"] = f"{self._request_count - MAX_REQUESTS:,} further requests were not recorded"
        lines = [self.mask.masked(line) for line in self._console]
        if self._console_count > len(lines):
            lines.append(f"{self._console_count - len(lines):,} further messages were not recorded")
        try:
            _write(self._folder / "network.har", json.dumps({"log": log}, ensure_ascii=False, indent=1).encode())
            _write(self._folder / "console.log", "".join(f"{line}\n" for line in lines).encode())
        except OSError as error:
            raise InvalidInput(f"{self._folder} cannot be written: {reason_line(error)}") from error


async def begin_evidence(folder: Path, clock: Clock) -> SessionEvidence:
    """Make the folder, and return the evidence that is recorded there.

    Raises:
        InvalidInput: it cannot be made, or has files already.
    """

    def make() -> bool:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return any(folder.iterdir())

    try:
        has_files = await anyio.to_thread.run_sync(make)
    except OSError as error:
        raise InvalidInput(f"evidence: {folder} cannot be written: {reason_line(error)}") from error
    if has_files:
        raise InvalidInput(f"evidence: {folder} is not empty", hint="name a new folder for each session")
    return SessionEvidence(folder, clock)


def _append(path: Path, text: str) -> None:
    path.touch(mode=_FILE_MODE)
    with path.open("a", encoding="utf-8") as file:
        file.write(text)


def _write(path: Path, content: bytes) -> None:
    path.touch(mode=_FILE_MODE)
    path.write_bytes(content)


# ------------------------------------------------------------------------------------------------------- HAR


def _entry(request: Request, response: Response | None, clock: Clock) -> Json:
    """Return a request as an entry of a HAR file, without bodies and cookies, not yet masked."""
    timing = request.timing
    moment = clock.now()
    if timing["startTime"] > 0:
        moment = datetime.fromtimestamp(timing["startTime"] / 1000, UTC)
    wait_ms = max(timing["responseStart"] - max(timing["requestStart"], 0), 0)
    receive_ms = max(timing["responseEnd"] - max(timing["responseStart"], 0), 0)
    entry: Json = {
        "startedDateTime": moment.isoformat(timespec="milliseconds"),
        "time": max(timing["responseEnd"], timing["responseStart"], 0),
        "request": {
            "method": request.method,
            "url": request.url[:MAX_URL_CHARS],
            "httpVersion": "",
            "cookies": [],
            "headers": _pairs(request.headers),
            "queryString": [
                {"name": name, "value": value}
                for name, value in parse_qsl(urlsplit(request.url[:MAX_URL_CHARS]).query, keep_blank_values=True)
            ],
            "headersSize": -1,
            "bodySize": -1,
        },
        "response": _answer_entry(response),
        "cache": {},
        "timings": {"send": 0, "wait": wait_ms, "receive": receive_ms},
        "_resourceType": request.resource_type,
    }
    if response is None:
        entry["response"]["_error"] = request.failure or "no response"
    return entry


def _answer_entry(response: Response | None) -> Json:
    status, status_text, headers = 0, "", {}
    if response is not None:
        status, status_text, headers = response.status, response.status_text, response.headers
    size = headers.get("content-length", "")
    return {
        "status": status,
        "statusText": status_text,
        "httpVersion": "",
        "cookies": [],
        "headers": _pairs(headers),
        "content": {"size": _count(size), "mimeType": headers.get("content-type", "")},
        "redirectURL": headers.get("location", ""),
        "headersSize": -1,
        "bodySize": -1,
    }


def _count(digits: str) -> int:
    """Return the number of a Content-Length field; -1 where it is none."""
    if digits.isascii() and digits.isdecimal() and len(digits) <= MAX_DIGITS:
        return int(digits)
    return -1


def _pairs(headers: Mapping[str, str]) -> list[Json]:
    return [{"name": name, "value": value[:MAX_URL_CHARS]} for name, value in headers.items()]


def _masked_entry(entry: Json, mask: EvidenceMask) -> Json:
    masked: Json = _masked_values(entry, mask)
    for part, names in (("request", ("headers", "queryString")), ("response", ("headers",))):
        for name in names:
            for pair in masked[part][name]:
                pair["value"] = mask.masked_value(pair["name"], pair["value"])
    return masked


def _masked_values(part: Any, mask: EvidenceMask) -> Any:  # Any: JSON
    """Return JSON with every text masked."""
    if isinstance(part, str):
        return mask.masked(part)
    if isinstance(part, dict):
        return {name: _masked_values(inner, mask) for name, inner in part.items()}
    if isinstance(part, list | tuple):
        return [_masked_values(inner, mask) for inner in part]
    return part
