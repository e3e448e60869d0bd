"""Answers a page's requests in place of the network where that is wanted: to leave images out, to record, to replay."""

from __future__ import annotations

import html
import json
from contextlib import suppress
from typing import TYPE_CHECKING
from urllib.parse import urljoin

from wellread.errors import RedirectLoop, Unsupported, WellreadError
from wellread.net import redirects
from wellread.types import Request

if TYPE_CHECKING:
    from playwright.async_api import Route, WebSocketRoute

    from wellread.ports import Fetcher
    from wellread.types import Headers, Response

HEAVY = frozenset({"image", "font", "media"})
# Fields that the client sets itself, and fields of a response about a coding or a length that is undone by then.
_OWN = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "trailer", "upgrade"}
    | {"expect", "keep-alive", "proxy-authorization", "proxy-connection"}
)
_UNDONE = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"})
MAX_MOVES = 20
"""Redirects in a row that are followed, as by browsers (Fetch Standard, HTTP-redirect fetch)."""
# The driver hands on no request that follows a redirect, so the browser is led on by a page; only so does it know where
# it is, and gets the cookies of each answer.
_MOVED = """<!DOCTYPE html><title>Moved</title><script>location.replace(%s)</script>
<noscript><meta http-equiv=refresh content="0; url=%s"></noscript>"""


class Traffic:
    """Handles the requests of one tab."""

    def __init__(self, *, fetcher: Fetcher | None, images: bool) -> None:
        """Take the client that answers instead of the network, if any."""
        self._fetcher = fetcher
        self._images = images
        self._unanswered: WellreadError | None = None
        self._moves = 0

    @property
    def interferes(self) -> bool:
        """Return whether any request must be looked at."""
        return self._fetcher is not None or not self._images

    def unanswered(self) -> WellreadError | None:
        """Return why the last navigation since the previous call had no response from the client."""
        error, self._unanswered = self._unanswered, None
        return error

    async def handle(self, route: Route) -> None:
        """Let a request pass, refuse it, or answer it."""
        from playwright.async_api import Error

        with suppress(Error):  # the page has moved on, and nobody waits for the answer any longer
            if not self._images and route.request.resource_type in HEAVY:
                await route.abort("blockedbyclient")
            elif self._fetcher is None:
                await route.continue_()
            else:
                await self._answer(route, self._fetcher)

    async def _answer(self, route: Route, fetcher: Fetcher) -> None:
        page_request = route.request
        headers: Headers = tuple((k, v) for k, v in (await page_request.all_headers()).items() if _sendable(k))
        is_navigation = page_request.is_navigation_request()
        body = page_request.post_data_buffer or b""
        request = Request(
            url=page_request.url,
            method=page_request.method,
            headers=headers,
            body=body,
            user_asked=True,
            follow=not is_navigation,
        )
        try:
            response = await fetcher.fetch(request)
            location = self._place(response) if is_navigation else None
        except WellreadError as error:
            if is_navigation and page_request.frame.parent_frame is None:
                self._unanswered = error
            await route.abort("failed")
            return
        if location is None:
            await route.fulfill(status=response.status, headers=_shown(response), body=response.body)
        else:
            cookie_fields = {name: value for name, value in _shown(response).items() if name == "set-cookie"}
            script = json.dumps(location).replace("<", "\\u003c")
            page = _MOVED % (script, html.escape(location))
            await route.fulfill(
                status=200, headers={**cookie_fields, "content-type": "text/html; charset=utf-8"}, body=page
            )

    def _place(self, response: Response) -> str | None:
        """Return where an answer leads, if it leads elsewhere.

        Raises:
            RedirectLoop: so did too many before it.
            Unsupported: it leads to what is no page of the web.
        """
        location = redirects.location(response.status, response.headers)
        if location is None:
            self._moves = 0
            return None
        self._moves += 1
        if self._moves > MAX_MOVES:
            self._moves = 0
            raise RedirectLoop(f"{response.url} redirects without end", url=response.url)
        target_url = urljoin(response.url, location)
        if not target_url.lower().startswith(("http://", "https://")):
            raise Unsupported(f"{response.url} leads to {target_url[:100]}, which is not a web page", url=response.url)
        return target_url

    async def refuse_socket(self, socket: WebSocketRoute) -> None:
        """Close a WebSocket at once: a recording cannot hold one."""
        await socket.close()


def _shown(response: Response) -> dict[str, str]:
    """Return the header fields for the page; repeated fields are joined, cookies by line breaks for the driver."""
    fields: dict[str, str] = {}
    for name, value in response.headers:
        key = name.lower()
        if key not in fields:
            fields[key] = value
        elif key == "set-cookie":
            fields[key] += f"\n{value}"
        else:
            fields[key] += f", {value}"
    return {name: value for name, value in fields.items() if name not in _UNDONE}


def _sendable(name: str) -> bool:
    return name.lower() not in _OWN and not name.startswith(":")
