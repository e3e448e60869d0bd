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


def open_shared_state(url: Address | None) -> SharedState:
    """Return the shared state at `url`, or that of this process alone without one; nothing is connected yet.

    Raises:
        ConfigError: the URL is not valid.
        PluginError: its library is not installed.
    """
    if url is None:
        return LocalState()
    scheme = url.reveal().partition("://")[0].lower()
    if scheme in _REDIS_SCHEMES:
        return RedisState(url.reveal())
    if scheme == "postgresql":
        from wellread.net.postgres_state import PostgresState  # its libraries are an extra

        return PostgresState(url.reveal())
    hint = "use postgresql://, redis://, rediss://, valkey:// or valkeys://"
    raise ConfigError(f"shared.url has the scheme {scheme[:20]!r}, which is not supported", hint=hint)
