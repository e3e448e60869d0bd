"""Shared stores, the servers that replicas share, by the scheme of their URL: plugins of `wellread.stores`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread import plugins
from wellread.errors import ConfigError
from wellread.net.local_state import LocalState

if TYPE_CHECKING:
    from sqlalchemy import Engine

    from wellread.config import Settings
    from wellread.index.local_index import LocalIndex
    from wellread.index.shared_index import SharedIndex
    from wellread.ports import Clock, IndexLog, SharedSnapshots, SharedState, SharedStore
    from wellread.values import Address

_TIMEOUT_S: Final = 5.0
"""For one answer of a database of snapshots, and for a free connection."""


class RedisStore:
    """Paces and leases at a Redis or Valkey server: a `ports.SharedStore`."""

    def open_state(self, url: str) -> SharedState:
        """Return the paces and leases there."""
        from wellread.net.redis_state import RedisState  # most programs need none

        return RedisState(url)

    def open_snapshots(self, *_url: object, **_limits: object) -> None:
        """Return None: the server forgets what its memory has no room for."""

    def open_index_log(self, *_url: object) -> None:
        """Return None, as `open_snapshots`."""


class PostgresStore:
    """Paces, leases, snapshots and the index in a PostgreSQL database: a `ports.SharedStore`."""

    def open_state(self, url: str) -> SharedState:
        """Return the paces and leases there."""
        from wellread.net.postgres_state import PostgresState  # its libraries are an extra

        return PostgresState(url)

    def open_snapshots(
        self, url: str, setting: str, *, clock: Clock, ttl_s: float, max_bytes: int
    ) -> SharedSnapshots | None:
        """Return the snapshots there."""
        engine = _postgres_engine(url, setting)
        from wellread.store.postgres_snapshots import PostgresSnapshots  # its libraries are an extra

        return PostgresSnapshots(engine, clock=clock, ttl_s=ttl_s, max_bytes=max_bytes)

    def open_index_log(self, url: str, setting: str) -> IndexLog | None:
        """Return the log of the index there."""
        engine = _postgres_engine(url, setting)
        from wellread.index.postgres_index_log import PostgresIndexLog  # its libraries are an extra

        return PostgresIndexLog(engine)


def open_shared_state(url: Address | None) -> SharedState:
    """Return the shared state at `url`, or that of this process alone without one; nothing is connected yet.

    Raises:
        ConfigError: the URL is not valid.
        PluginError: its library is not installed.
    """
    if url is None:
        return LocalState()
    return _shared_store("shared.url", url).open_state(url.reveal())


def open_shared_snapshots(settings: Settings, clock: Clock) -> SharedSnapshots | None:
    """Return the snapshots that replicas share; None where no setting names a shared store with snapshots.

    Raises:
        ConfigError, PluginError: as `open_shared_state`.
    """
    setting, url = _snapshots_url(settings)
    if url is None:
        return None
    limits = settings.cache
    snapshots = _shared_store(setting, url).open_snapshots(
        url.reveal(), setting, clock=clock, ttl_s=limits.ttl_min * 60, max_bytes=limits.max_bytes
    )
    if snapshots is None and settings.shared.snapshots is not None:
        raise ConfigError(
            f"{setting} names a {_scheme(url)} server, which keeps no snapshots", hint="use postgresql://"
        )
    return snapshots


def open_index(settings: Settings, clock: Clock) -> LocalIndex | SharedIndex:
    """Return the index that replicas share, or that of `cache.dir` where no setting names a shared store with an index.

    Raises:
        ConfigError, PluginError: as `open_shared_state`.
    """
    # Loaded here because a read of a stored page needs no index.
    from wellread.index.local_index import LocalIndex
    from wellread.index.shared_index import FOLDER, SharedIndex

    setting, url = _snapshots_url(settings)
    folder = settings.cache.dir
    log = None
    if url is not None:
        log = _shared_store(setting, url).open_index_log(url.reveal(), setting)
    if log is None:
        return LocalIndex(folder)
    return SharedIndex(LocalIndex(folder / FOLDER), log, clock=clock)


def _snapshots_url(settings: Settings) -> tuple[str, Address | None]:
    """Return the setting that names the shared store of snapshots and of the index, and its value."""
    shared = settings.shared
    if shared.snapshots is not None:
        return "shared.snapshots", shared.snapshots
    return "shared.url", shared.url


def _shared_store(setting: str, url: Address) -> SharedStore:
    scheme = _scheme(url)
    schemes = plugins.names("stores")
    if scheme not in schemes:
        raise ConfigError(
            f"{setting} has the scheme {scheme[:20]!r}, which is not supported",
            hint=f"use {', '.join(f'{name}://' for name in schemes)}",
        )
    store: SharedStore = plugins.load("stores", scheme)()
    return store


def _scheme(url: Address) -> str:
    scheme, separator, _ = url.reveal().partition("://")
    return scheme.lower() if separator else ""  # the whole text may have a password


def _postgres_engine(url: str, setting: str) -> Engine:
    from wellread.net.postgres import postgres_engine  # its libraries are an extra

    return postgres_engine(url, setting=setting, timeout_s=_TIMEOUT_S, pool_timeout_s=_TIMEOUT_S)
