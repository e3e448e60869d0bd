"""How the browser is joined to the rest: its pool, its only way out, and what a recording puts in its place."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from wellread.browser.browse.session import Doors, Session
from wellread.browser.pool import Pool
from wellread.browser.tab import Wish
from wellread.net import guard
from wellread.net.proxy import Egress
from wellread.net.upstream import upstream

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from wellread.config import Settings
    from wellread.ports import Dialler, Fetcher, Resolver


@dataclass(frozen=True, slots=True, kw_only=True)
class Network:
    """What the browser may reach, and by what."""

    settings: Settings
    resolver: Resolver | None = None
    dialler: Dialler | None = None
    open: bool = True
    """False while a run is recorded or replayed: then every request goes through the client, none past it."""


def pool(network: Network, client: Fetcher) -> Pool:
    """Join a pool of one browser; nothing is started.

    Raises:
        ConfigError: browser.upstream is no address of a proxy.
    """
    settings = network.settings
    beyond = settings.browser.upstream
    egress = Egress(
        guard.policy(settings.net) if network.open else None,
        resolver=network.resolver,
        dialler=network.dialler,
        upstream=upstream(beyond.reveal()) if beyond else None,
    )
    folder = settings.cache.dir / "profiles"
    return Pool(settings.browser, egress=egress, profiles=folder, fetcher=None if network.open else client)


@asynccontextmanager
async def session(
    lender: Pool, settings: Settings, doors: Doors, *, profile: str | None
) -> AsyncGenerator[Session, None]:
    """Lend a tab that is worked by hand, with the cookies kept under the name `profile`."""
    async with lender.tab(Wish(popups=True, downloads=True, held=True, profile=profile)) as tab:
        session = Session(tab, settings, doors)
        try:
            yield session
        finally:
            await session.finish()
