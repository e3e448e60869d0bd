"""Answers a page's requests in place of the network where that is wanted: to leave images out, to record, to replay."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from wellread.errors import WellreadError
from wellread.types import Request

if TYPE_CHECKING:
    from playwright.async_api import Route, WebSocketRoute

    from wellread.ports import Fetcher
    from wellread.types import Headers

HEAVY = frozenset({"image", "font", "media"})
# What the client says for itself, and what an answer says of a coding or a length that is undone by then.
_OWN = frozenset(
    {"host", "connection", "content-length", "transfer-encoding", "accept-encoding", "te", "trailer", "upgrade"}
    | {"expect", "keep-alive", "proxy-authorization", "proxy-connection"}
)
_UNDONE = frozenset({"content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive"})


class Traffic:
    """What happens to the requests of one tab."""

    def __init__(self, *, fetcher: Fetcher | None, images: bool) -> None:
        """Take the client that answers instead of the network, if any."""
        self._fetcher = fetcher
        self._images = images
        self._unanswered: WellreadError | None = None

    @property
    def interferes(self) -> bool:
        """Say whether any request must be looked at."""
        return self._fetcher is not None or not self._images

    def unanswered(self) -> WellreadError | None:
        """Return why a navigation had no answer from the client, the last such since this was asked before."""
        why, self._unanswered = self._unanswered, None
        return why

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
        asked = route.request
        headers: Headers = tuple((k, v) for k, v in (await asked.all_headers()).items() if _sendable(k))
        request = Request(
            url=asked.url, method=asked.method, headers=headers, body=asked.post_data_buffer or b"", user_asked=True
        )
        try:
            response = await fetcher.fetch(request)
        except WellreadError as error:
            if asked.is_navigation_request() and asked.frame.parent_frame is None:
                self._unanswered = error
            await route.abort("failed")
            return
        shown = {name: value for name, value in response.headers if name.lower() not in _UNDONE}
        await route.fulfill(status=response.status, headers=shown, body=response.body)

    async def refuse_socket(self, socket: WebSocketRoute) -> None:
        """Close a WebSocket at once: a recording cannot hold one."""
        await socket.close()


def _sendable(name: str) -> bool:
    return name.lower() not in _OWN and not name.startswith(":")
