"""Paces and leases in rows of a PostgreSQL database, for replicas without a Redis server.

Each operation is one statement, which locks its row and counts by the server's clock. Names are hashed: the tables
have no host, caller or URL.
"""

from __future__ import annotations

import hashlib
from functools import partial
from itertools import count
from typing import Final

import anyio
import stamina
from anyio import CapacityLimiter, to_thread
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from wellread.net.postgres import postgres_engine
from wellread.net.postgres_notifications import PostgresNotifications
from wellread.net.shared_state_failure import shared_state_failure
from wellread.ports import Reservation

MAX_CALLS: Final = 15
"""Calls that are waited for at a time: as many as the pool of the engine has connections."""
_TIMEOUT_S: Final = 10.0
_MAX_WAIT_S: Final = 1e8
_CHECK_S: Final = 2.0
"""How late a lease may be seen as free if its notification is lost, or if a proxy such as PgBouncer passes none on."""
_SWEEP_EVERY: Final = 1_000
"""Operations after which rows that are over are deleted."""

# Unlogged: what is lost with the server's memory is over anyway. The lock, because tables that two connections create
# at once fail in spite of `if not exists`.
_TABLES: Final = (
    "select pg_advisory_xact_lock(7361223541904418)",
    """create unlogged table if not exists wellread_starts
    (name text primary key, next_start double precision not null, wait_s double precision not null)""",
    """create unlogged table if not exists wellread_leases
    (name text primary key, holder text not null, ends_at timestamptz not null)""",
    "alter table wellread_leases add column if not exists is_waited_for boolean not null default false",
)
_CLOCK: Final = "cast(extract(epoch from clock_timestamp()) as double precision)"
# The type of a parameter is that of its cast.
_PAUSE: Final = "cast(:pause_s as double precision)"
_INTERVAL: Final = "cast(:interval_s as double precision)"
_MAX_WAIT: Final = "cast(:max_wait_s as double precision)"
_BURST: Final = "cast(:burst as integer)"
# The generic cell rate algorithm (ITU-T I.371).
_RESERVE: Final = f"""
insert into wellread_starts as starts (name, next_start, wait_s)
values (:name, {_CLOCK} + {_PAUSE} + {_INTERVAL}, {_PAUSE})
on conflict (name) do update set (next_start, wait_s) = (
    select base + case when answer.wait_s <= {_MAX_WAIT} then {_INTERVAL} else 0 end, answer.wait_s
    from (select {_CLOCK} as now) as clock,
        lateral (select greatest(starts.next_start, now + {_PAUSE}) as base) as start,
        lateral (select greatest(base - {_BURST} * {_INTERVAL} + {_INTERVAL} - now, 0) as wait_s) as answer
)
returning wait_s
"""  # noqa: S608 - a constant
_PAUSE_LEFT: Final = f"select next_start - {_CLOCK} from wellread_starts where name = :name"  # noqa: S608 - a constant
_ACQUIRE: Final = """
insert into wellread_leases as leases (name, holder, ends_at)
values (:name, :holder, clock_timestamp() + make_interval(secs => cast(:duration_s as double precision)))
on conflict (name) do update set holder = excluded.holder, ends_at = excluded.ends_at
where leases.holder = excluded.holder or leases.ends_at <= clock_timestamp()
returning 1
"""
_RENEW: Final = """
update wellread_leases set ends_at = clock_timestamp() + make_interval(secs => cast(:duration_s as double precision))
where name = :name and holder = :holder returning 1
"""
_CHANNEL: Final = "'wellread_leases_' || md5(current_schema())"
"""Channels belong to a database, tables to a schema; the name of a channel has at most 63 bytes."""
# Only what is waited for is notified: transactions that notify commit one after another.
_RELEASE: Final = f"""
with ended as (delete from wellread_leases where name = :name and holder = :holder returning name, is_waited_for)
select pg_notify({_CHANNEL}, name) from ended where is_waited_for
"""  # noqa: S608 - a constant
_TIME_LEFT: Final = """
update wellread_leases set is_waited_for = true where name = :name and ends_at > clock_timestamp()
returning cast(extract(epoch from ends_at - clock_timestamp()) as double precision)
"""
_SWEEP: Final = (
    f"delete from wellread_starts where next_start < {_CLOCK} - 60",  # noqa: S608 - a constant
    "delete from wellread_leases where ends_at < clock_timestamp() - interval '1 minute'",
)


class PostgresState:
    """A `ports.SharedState` in a PostgreSQL database."""

    answer_delay_s = 0.02
    outlives_holder = True

    def __init__(self, url: str) -> None:
        """Take the URL; nothing is connected yet.

        Raises:
            ConfigError: the URL is not valid, or pg8000 is not installed.
        """
        self._engine = postgres_engine(url, setting="shared.url", timeout_s=_TIMEOUT_S)
        self._operations = count(1)
        self._releases = PostgresNotifications(self._engine, _CHANNEL)
        self._threads = CapacityLimiter(MAX_CALLS)
        self._has_tables = False

    async def reserve(self, name: str, interval_s: float, *, burst: int = 1, max_wait_s: float) -> Reservation:
        """Reserve a start as `ports.Pace` says."""
        if not interval_s:
            wait_s = max(await self._run(_PAUSE_LEFT, name) or 0.0, 0.0)
        else:
            wait_s = await self._reserve(name, interval_s, burst, min(max_wait_s, _MAX_WAIT_S))
        return Reservation(wait_s, is_granted=wait_s <= max_wait_s)

    async def pause(self, name: str, pause_s: float) -> None:
        """Allow no start under `name` for `pause_s`."""
        await self._reserve(name, 0.0, 1, _MAX_WAIT_S, pause_s)

    async def acquire(self, name: str, holder: str, duration_s: float) -> bool:
        """Give or renew a lease as `ports.Leases` says."""
        with anyio.CancelScope(shield=True):  # an abandoned call would take the lease after its release
            row = await self._run(_ACQUIRE, name, holder=holder, duration_s=duration_s)
        return row is not None

    async def renew(self, name: str, holder: str, duration_s: float) -> bool:
        """Extend a lease as `ports.Leases` says."""
        return await self._run(_RENEW, name, holder=holder, duration_s=duration_s) is not None

    async def release(self, name: str, holder: str) -> None:
        """End the lease, if `holder` has it."""
        await self._run(_RELEASE, name, holder=holder)

    async def wait_for_release(self, name: str, wait_s: float) -> None:
        """Wait as `ports.Leases` says."""
        with self._releases.expected(_hash(name)) as event:
            has_notifications = await self._releases.listen()
            left_s = await self._run(_TIME_LEFT, name)  # after `listen`: what is released from now on is notified
            if left_s is None:
                return
            with anyio.move_on_after(min(left_s, wait_s, _CHECK_S)):
                if has_notifications:
                    await self._releases.wait(event)
                else:
                    await anyio.sleep_forever()

    async def aclose(self) -> None:
        """Close the connections."""
        await self._releases.aclose()
        await to_thread.run_sync(self._engine.dispose)

    async def _reserve(
        self, name: str, interval_s: float, burst: int, max_wait_s: float, pause_s: float = 0.0
    ) -> float:
        wait_s = await self._run(
            _RESERVE, name, interval_s=interval_s, burst=burst, max_wait_s=max_wait_s, pause_s=pause_s
        )
        return float(wait_s or 0.0)

    async def _run(self, statement: str, name: str, **parameters: str | float) -> float | None:
        parameters["name"] = _hash(name)
        return await to_thread.run_sync(
            partial(self._execute, statement, parameters), abandon_on_cancel=True, limiter=self._threads
        )

    def _execute(self, statement: str, parameters: dict[str, str | float]) -> float | None:
        """Run a statement; once more if its connection ends.

        A statement that was committed without an answer may then have run twice: a start is reserved twice.
        """
        try:
            for attempt in stamina.retry_context(on=_is_disconnected, attempts=2, wait_initial=0.0, wait_jitter=0.0):
                with attempt:
                    return self._attempt(statement, parameters)
        except (SQLAlchemyError, OSError) as error:
            raise shared_state_failure(error) from error
        raise AssertionError("the last attempt returns or raises")

    def _attempt(self, statement: str, parameters: dict[str, str | float]) -> float | None:
        if not self._has_tables:
            with self._engine.begin() as connection:
                for table in _TABLES:
                    connection.execute(text(table))
            self._has_tables = True
        with self._engine.begin() as connection:
            if next(self._operations) % _SWEEP_EVERY == 0:
                for sweep in _SWEEP:
                    connection.execute(text(sweep))
            answer: float | None = connection.execute(text(statement), parameters).scalar()
            return answer


def _is_disconnected(error: Exception) -> bool:
    """Return True if the server ended the connection; False after a timeout, whose wait is not repeated."""
    return (
        isinstance(error, DBAPIError)
        and error.connection_invalidated
        and not isinstance(getattr(error.orig, "__cause__", None), TimeoutError)
    )


def _hash(name: str) -> str:
    return hashlib.sha256(name.encode()).hexdigest()
