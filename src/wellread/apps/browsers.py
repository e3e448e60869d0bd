"""Build the browser pool with its egress proxy; in a recorded or replayed run, with the client in the proxy's place."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.browser.browser_pool import BrowserPool
from wellread.browser.sign_in import http_credentials
from wellread.browser.tab import TabOptions
from wellread.net import guard
from wellread.net.proxy import EgressProxy
from wellread.net.upstream_proxy import only_through, parse_proxy, read_routes, session_routes

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from pathlib import Path

    from wellread.browser.browse.browse_session import BrowseSession, SessionDependencies
    from wellread.browser.browse.evidence import SessionEvidence
    from wellread.browser.emulation import Emulation
    from wellread.config import Settings
    from wellread.net.upstream_proxy import ProxyRoutes
    from wellread.ports import Clock, Dialler, Fetcher, Resolver


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserNetwork:
    """The network that the browser may use."""

    settings: Settings
    resolver: Resolver | None = None
    dialler: Dialler | None = None
    clock: Clock | None = None
    is_live: bool = True
    """False while a run is recorded or replayed: then every request goes through the client, none past it."""


def pool(network: BrowserNetwork, client: Fetcher) -> BrowserPool:
    """Build a pool of one browser; nothing is started yet.

    Raises:
        ConfigError: browser.upstream, net.proxy, net.proxies or browser.http_credentials is not valid.
    """
    settings = network.settings
    http_credentials(settings.browser.http_credentials)  # reports a wrong value now, not at the first page
    egress = EgressProxy(
        guard.read_policy(settings.net) if network.is_live else None,
        resolver=network.resolver,
        dialler=network.dialler,
        routes=_routes(settings),
    )
    folder = profile_folder(settings)
    fetcher = None if network.is_live else client
    return BrowserPool(settings.browser, egress=egress, profiles=folder, fetcher=fetcher, clock=network.clock)


def _routes(settings: Settings) -> ProxyRoutes:
    """Return the proxies of the browser: `browser.upstream`, or else those of the section `net`."""
    address = settings.browser.upstream
    if not address:
        return read_routes(settings.net)
    net = settings.net
    proxy = parse_proxy(address.reveal(), "browser.upstream", resolves_names=False, ca_file=net.ca_file)
    return only_through(proxy)


def profile_folder(settings: Settings) -> Path:
    """Return the folder of the profiles."""
    return settings.cache.dir / "profiles"


@asynccontextmanager
async def session(
    lending_pool: BrowserPool,
    settings: Settings,
    dependencies: SessionDependencies,
    *,
    profile: str | None,
    default_context: bool,
    evidence: SessionEvidence | None,
    proxy: str | None,
    emulation: Emulation,
) -> AsyncGenerator[BrowseSession, None]:
    """Lend a tab for a browser session, signed in with the data of `profile`.

    `default_context`: without a profile, use the default context of the browser that was joined. `evidence` is
    recorded if given. `proxy`: the proxy of this session instead of those of the settings.
    """
    from wellread.browser.browse.browse_session import BrowseSession  # reads need no sessions

    request = TabOptions(
        popups=True,
        downloads=True,
        lasts=True,
        answers_http_auth=True,
        profile=profile,
        default_context=default_context,
        routes=None if proxy is None else session_routes(proxy, settings.net),
        emulation=emulation,
    )
    async with lending_pool.tab(request) as tab:
        session = BrowseSession(tab, settings, dependencies, evidence)
        try:
            yield session
        finally:
            await session.finish()
