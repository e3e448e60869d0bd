"""The parts of a `Web` that use the network, each made and loaded at its first use."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wellread.apps.deferred import Deferred

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.apps.network_access import NetworkAccess
    from wellread.browser.browser_pool import BrowserPool
    from wellread.browser.search_visits import SearchVisitor
    from wellread.net.client import Client
    from wellread.net.downloads import Download, DownloadRequest
    from wellread.net.recording import ReplayTransport
    from wellread.net.transport import Transport
    from wellread.ports import Renderer, SharedState, Trace


class DeferredNetwork:
    """Transport, HTTP client, browsers and renderer of a `Web`."""

    def __init__(self, access: NetworkAccess, shared_state: SharedState, trace: Trace) -> None:
        """Take the settings and the services of the parts; nothing is opened here."""
        self.access = access
        self._shared_state = shared_state
        self._trace = trace
        self.transport = Deferred(self._open_transport)
        self.client = Deferred(self._open_client)
        self.browsers = Deferred(self._open_browsers)
        self.renderer = Deferred(self._open_renderer)

    @property
    def replayed(self) -> ReplayTransport | None:
        """The recording that is replayed; None without one."""
        if self.access.replay is None:
            return None
        return cast("ReplayTransport", self.transport.resolve())

    def open(self) -> None:
        """Make all parts now.

        Raises:
            ConfigError: a setting is wrong.
            InvalidInput: the recording cannot be read, or a replay is to be recorded.
        """
        self.client.resolve()
        self.browsers.resolve()
        if self.access.settings.render.enabled:
            self.renderer.resolve()

    def crawl_client(self, folder: Path) -> Client:
        """Return the client of a crawl, which records into `folder`, except in a replay."""
        from wellread.apps import network_parts

        client, transport = self.client.resolve(), self.transport.resolve()
        return network_parts.crawl_client(client, transport, folder, self.access, self._trace)

    def search_visitor(self) -> SearchVisitor | None:
        """Return the visitor of search pages; None where there is no browser, or rendering is disabled."""
        from wellread.apps import network_parts

        return network_parts.search_visitor(self.access.settings, self.browsers.resolve(), self.client.resolve())

    async def download(self, request: DownloadRequest) -> Download:
        """Save a file.

        Raises:
            WellreadError: as `wellread.net.downloads.download`.
        """
        from wellread.apps import network_parts

        return await network_parts.download(self.client.resolve(), self.access.clock, request)

    async def aclose(self) -> None:
        """Close the browsers and the client, if they were made."""
        if self.browsers.value_or_none is not None:
            await self.browsers.value_or_none.aclose()
        if self.client.value_or_none is not None:
            await self.client.value_or_none.aclose()

    def _open_transport(self) -> Transport:
        from wellread.apps import network_parts

        return network_parts.open_transport(self.access)

    def _open_client(self) -> Client:
        from wellread.apps import network_parts

        return network_parts.http_client(self.access, self.transport.resolve(), self._shared_state, self._trace)

    def _open_browsers(self) -> BrowserPool:
        from wellread.apps import network_parts

        return network_parts.browser_pool(self.access, self.client.resolve())

    def _open_renderer(self) -> Renderer:
        from wellread.apps import network_parts

        return network_parts.page_renderer(self.access, self.browsers.resolve(), self.client.resolve())
