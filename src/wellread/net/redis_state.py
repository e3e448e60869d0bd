"""Paces and leases at a Redis or Valkey server, so that replicas keep them together. The only user of redis-py.

Each operation is one script, which the server runs without interruption and by its own clock. Keys are hashes: the
server learns no host, caller or URL.
"""

from __future__ import annotations

import hashlib
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio
from anyio import CapacityLimiter, to_thread

from wellread.errors import ConfigError, PluginError
from wellread.net.shared_state_failure import shared_state_failure
from wellread.ports import Reservation

if TYPE_CHECKING:
    from redis.commands.core import Script

MAX_CALLS: Final = 32
"""Calls that are waited for at a time, in threads of their own. A cancelled call ends later, after its timeout."""
_TIMEOUT_S: Final = 2.0
_ATTEMPTS: Final = 3
"""A server that restarts closes its connections; a start that is reserved twice costs time, and does no harm."""
_POLL_S: Final = 0.1
"""How often a waiting task asks for a lease: one call of some 0.1 ms, where a message would need a second connection
and could be lost."""
_MAX_WAIT_S: Final = 1e8
"""Some three years; infinity is no number of Lua."""

# The generic cell rate algorithm (ITU-T I.371) on microseconds; doubles are exact up to 2^53.
_RESERVE: Final = """
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst, max_wait, pause = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local next_start = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now + pause)
local wait = math.max(next_start - (burst - 1) * interval - now, 0)
if wait <= max_wait and interval + pause > 0 then
    next_start = math.max(next_start, now) + interval
    redis.call('SET', KEYS[1], string.format('%.0f', next_start), 'PX', math.ceil((next_start - now) / 1000) + 1000)
end
return wait
"""
_ACQUIRE: Final = """
local holder = redis.call('GET', KEYS[1])
if holder and holder ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""
_RENEW: Final = "return redis.call('GET', KEYS[1]) == ARGV[1] and redis.call('PEXPIRE', KEYS[1], ARGV[2]) or 0"
_RELEASE: Final = "if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end"


class RedisState:
    """A `ports.SharedState` at the server of a URL: redis, rediss, valkey or valkeys."""

    answer_delay_s = 0.02
    outlives_holder = True

    def __init__(self, url: str) -> None:
        """Take the URL; nothing is connected yet.

        Raises:
            ConfigError: the URL is not valid.
            PluginError: redis-py is not installed.
        """
        try:
            import redis
            from redis.backoff import ExponentialBackoff
            from redis.retry import Retry
        except ModuleNotFoundError as error:
            hint = "pip install 'wellread[shared]'"
            raise PluginError("shared.url needs the package redis, which is not installed", hint=hint) from error
        self._errors = redis.RedisError
        self._threads = CapacityLimiter(MAX_CALLS)
        try:
            self._client = redis.Redis.from_url(
                url.replace("valkey", "redis", 1) if url.startswith("valkey") else url,
                socket_timeout=_TIMEOUT_S,
                socket_connect_timeout=_TIMEOUT_S,
                retry=Retry(ExponentialBackoff(cap=0.5, base=0.05), _ATTEMPTS),
            )
            pool = self._client.connection_pool
            pool.connection_class(**pool.connection_kwargs)  # it alone knows which fields of the query there are
        except (TypeError, ValueError):  # an unknown field of the query; its message may repeat the URL and password
            hint = "use a URL such as redis://user:password@host:6379/0"
            raise ConfigError("shared.url is not the URL of a Redis server", hint=hint) from None
        self._reserve = self._client.register_script(_RESERVE)
        self._acquire = self._client.register_script(_ACQUIRE)
        self._renew = self._client.register_script(_RENEW)
        self._release = self._client.register_script(_RELEASE)

    async def reserve(self, name: str, interval_s: float, *, burst: int = 1, max_wait_s: float) -> Reservation:
        """Reserve a start as `ports.Pace` says."""
        max_wait_us = _microseconds(min(max_wait_s, _MAX_WAIT_S))
        wait_us = await self._run(self._reserve, name, _microseconds(interval_s), burst, max_wait_us, 0)
        return Reservation(wait_us / 1e6, is_granted=wait_us <= max_wait_us)

    async def pause(self, name: str, pause_s: float) -> None:
        """Allow no start under `name` for `pause_s`."""
        await self._run(self._reserve, name, 0, 1, _microseconds(_MAX_WAIT_S), _microseconds(pause_s))

    async def acquire(self, name: str, holder: str, duration_s: float) -> bool:
        """Give or renew a lease as `ports.Leases` says."""
        with anyio.CancelScope(shield=True):  # an abandoned call would take the lease after its release
            is_holder = await self._run(self._acquire, f"lease {name}", holder, round(duration_s * 1000))
        return bool(is_holder)

    async def renew(self, name: str, holder: str, duration_s: float) -> bool:
        """Extend a lease as `ports.Leases` says."""
        return bool(await self._run(self._renew, f"lease {name}", holder, round(duration_s * 1000)))

    async def release(self, name: str, holder: str) -> None:
        """End the lease, if `holder` has it."""
        await self._run(self._release, f"lease {name}", holder)

    async def wait_for_release(self, _name: str, wait_s: float) -> None:
        """Wait as `ports.Leases` says."""
        await anyio.sleep(min(wait_s, _POLL_S))

    async def aclose(self) -> None:
        """Close the connections."""
        await to_thread.run_sync(self._client.close)

    async def _run(self, script: Script, name: str, *arguments: str | float) -> int:
        key = f"wellread:{hashlib.sha256(name.encode()).hexdigest()}"
        # In a thread: redis-py's own asynchronous client knows asyncio alone.
        call = partial(script, keys=[key], args=list(arguments))
        try:
            return int(await to_thread.run_sync(call, abandon_on_cancel=True, limiter=self._threads) or 0)
        except self._errors as error:
            raise shared_state_failure(error) from error


def _microseconds(duration_s: float) -> int:
    return round(duration_s * 1e6)
