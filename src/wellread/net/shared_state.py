"""Chooses where the state of replicas is shared, by the scheme of `shared.url`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.errors import ConfigError
from wellread.net.local_state import LocalState
from wellread.net.redis_state import RedisState

if TYPE_CHECKING:
    from wellread.ports import SharedState
    from wellread.values import Address

_REDIS_SCHEMES = frozenset({"redis", "rediss", "valkey", "valkeys"})


def is_postgres(url: Address) -> bool:
    """Return whether `url`, the value of `shared.url`, is that of a PostgreSQL database."""
    return _scheme(url) == "postgresql"


def open_shared_state(url: Address | None) -> SharedState:
    """Return the shared state at `url`, or that of this process alone without one; nothing is connected yet.

    Raises:
        ConfigError: the URL is not valid.
        PluginError: its library is not installed.
    """
    if url is None:
        return LocalState()
    scheme = _scheme(url)
    if scheme in _REDIS_SCHEMES:
        return RedisState(url.reveal())
    if is_postgres(url):
        from wellread.net.postgres_state import PostgresState  # its libraries are an extra

        return PostgresState(url.reveal())
    hint = "use postgresql://, redis://, rediss://, valkey:// or valkeys://"
    raise ConfigError(f"shared.url has the scheme {scheme[:20]!r}, which is not supported", hint=hint)


def _scheme(url: Address) -> str:
    return url.reveal().partition("://")[0].lower()
