"""Keeps snapshots in a PostgreSQL database, so that a cursor or citation of one replica is valid at all others.

As `store.cache`, it never stands in the way of reading: where the database does not answer, it misses, and
`last_problem` says why.
"""

from __future__ import annotations

import json
import math
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from wellread.errors import reason_line
from wellread.ports import CachedBody, CacheEntry
from wellread.store import codec
from wellread.store.cache import snapshot_row_id
from wellread.types import Response, header

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlalchemy import Connection, Engine, Row

    from wellread.ports import Clock
    from wellread.types import Snapshot

_EVICT_EVERY: Final = 64
"""Writes after which the least recently used rows are deleted; the limit is passed by so many rows at most."""
_USED_AFTER_S: Final = 60
"""A use is written if the last one is so long ago: most reads write nothing."""
_AWAY_S: Final = 5.0
"""After a failed connection: until then everything misses at once, so that reads do not wait one after another."""

# The lock, because tables that two connections create at once fail in spite of `if not exists`.
_TABLES: Final = (
    "select pg_advisory_xact_lock(7361223541904419)",
    """create table if not exists wellread_snapshots (
        id text primary key, used_s double precision not null, size bigint not null,
        about bytea not null, document bytea not null
    )""",
    """create table if not exists wellread_entries (
        key text primary key, snapshot_id text not null references wellread_snapshots on delete cascade,
        checked_s double precision not null, etag text, last_modified text, about bytea not null
    )""",
    "create index if not exists wellread_entries_by_snapshot on wellread_entries (snapshot_id)",
    """create table if not exists wellread_bodies (
        key text primary key, used_s double precision not null, size bigint not null,
        checked_s double precision not null, url text not null, headers text not null, body bytea not null
    )""",
)
_ENTRY: Final = """
select e.snapshot_id, e.checked_s, e.etag, e.last_modified, e.about, s.document, s.used_s
from wellread_entries e join wellread_snapshots s on s.id = e.snapshot_id where e.key = :key
"""
_PUT_SNAPSHOT: Final = """
insert into wellread_snapshots (id, used_s, size, about, document) values (:id, :now_s, :size, :about, :document)
on conflict (id) do update set
    used_s = excluded.used_s, size = excluded.size, about = excluded.about, document = excluded.document
"""
_PUT_ENTRY: Final = """
insert into wellread_entries (key, snapshot_id, checked_s, etag, last_modified, about)
values (:key, :id, :now_s, :etag, :last_modified, :about)
on conflict (key) do update set
    snapshot_id = excluded.snapshot_id, checked_s = excluded.checked_s, etag = excluded.etag,
    last_modified = excluded.last_modified, about = excluded.about
"""
_PUT_BODY: Final = """
insert into wellread_bodies (key, used_s, size, checked_s, url, headers, body)
values (:key, :now_s, :size, :now_s, :url, :headers, :body)
on conflict (key) do update set
    used_s = excluded.used_s, size = excluded.size, checked_s = excluded.checked_s, url = excluded.url,
    headers = excluded.headers, body = excluded.body
"""
_EVICT: Final = tuple(
    f"""delete from {table} where {key} in (select {key} from (
        select {key}, sum(size) over (order by used_s desc, {key}) as total from {table}
    ) as ranked where total > :max_bytes)"""  # noqa: S608 - literals
    for table, key in (("wellread_snapshots", "id"), ("wellread_bodies", "key"))
)


class PostgresSnapshots:
    """A `ports.SnapshotStore`, safe for threads and replicas. Snapshots and archives have `max_bytes` each."""

    def __init__(self, engine: Engine, *, clock: Clock, ttl_s: float, max_bytes: int) -> None:
        """Take the database; nothing is connected yet."""
        self.last_problem: str | None = None
        self._engine = engine
        self._clock = clock
        self._ttl_s = ttl_s
        self._max_bytes = max_bytes
        self._has_tables = False
        self._is_away_until_s = -math.inf
        self._writes = count(1)

    def get(self, key: str) -> CacheEntry | None:
        """Return the entry under `key`, fresh or stale, and count it as used."""
        row = self._row(_ENTRY, key=key)
        if row is None:
            return None
        snapshot = self._unpacked(row.snapshot_id, row.about, row.document)
        if snapshot is None:
            return None
        self._count_use("wellread_snapshots", "id", row.snapshot_id, row.used_s)
        return CacheEntry(snapshot, self._is_fresh(row.checked_s), row.etag, row.last_modified)

    def put(
        self,
        key: str,
        snapshot: Snapshot,
        *,
        identity: str = "",
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> None:
        """Keep `snapshot` under `key`; one that is larger than the limit is not kept."""
        packed = codec.pack(snapshot)
        size = len(packed.about) + len(packed.document)
        if size > self._max_bytes:
            return
        parameters = {
            "key": key, "id": snapshot_row_id(snapshot.id, identity), "now_s": self._now_s(), "size": size,
            "about": packed.about, "document": packed.document, "etag": etag, "last_modified": last_modified,
        }  # fmt: skip
        self._write((_PUT_SNAPSHOT, _PUT_ENTRY), parameters)

    def renew(self, key: str) -> None:
        """Start the time to live anew: the server said 304 Not Modified."""
        statements = tuple(
            f"update {table} set checked_s = :now_s where key = :key"  # noqa: S608 - one of two literals
            for table in ("wellread_entries", "wellread_bodies")
        )
        self._write(statements, {"key": key, "now_s": self._now_s()})

    def by_id(self, snapshot_id: str, *, identity: str = "") -> Snapshot | None:
        """Return the snapshot with this id, however old, or None when it has been evicted.

        Snapshots that were read with credentials are found with their `identity` alone.
        """
        for name in dict.fromkeys((snapshot_row_id(snapshot_id, identity), snapshot_row_id(snapshot_id, ""))):
            row = self._row("select about, document, used_s from wellread_snapshots where id = :id", id=name)
            if row is not None:
                self._count_use("wellread_snapshots", "id", name, row.used_s)
                return self._unpacked(name, row.about, row.document)
        return None

    def body(self, key: str) -> CachedBody | None:
        """Return the answer kept under `key`, fresh or stale, and count it as used."""
        row = self._row("select used_s, checked_s, url, headers, body from wellread_bodies where key = :key", key=key)
        if row is None:
            return None
        headers = tuple((str(name), str(field)) for name, field in json.loads(row.headers))
        self._count_use("wellread_bodies", "key", key, row.used_s)
        response = Response(url=row.url, status=200, headers=headers, body=bytes(row.body))
        fresh = self._is_fresh(row.checked_s)
        return CachedBody(response, fresh, header(headers, "etag"), header(headers, "last-modified"))

    def put_body(self, key: str, response: Response) -> None:
        """Keep the bytes of an answer under `key`; one that is larger than the limit is not kept."""
        if len(response.body) > self._max_bytes:
            return
        parameters = {
            "key": key, "now_s": self._now_s(), "size": len(response.body), "url": response.url,
            "headers": json.dumps(response.headers), "body": response.body,
        }  # fmt: skip
        self._write((_PUT_BODY,), parameters)

    def close(self) -> None:
        """Close the connections; the store then misses."""
        self._engine.dispose()

    def _unpacked(self, name: str, about: bytes, document: bytes) -> Snapshot | None:
        try:
            snapshot = codec.unpack(codec.Packed(bytes(about), bytes(document)))
        except ValueError as error:
            self.last_problem = f"{name} could not be unpacked: {error}"
            return None
        return snapshot if snapshot.id == name.rpartition("/")[2] else None

    def _count_use(self, table: str, key: str, name: str, used_s: float) -> None:
        if self._now_s() - used_s < _USED_AFTER_S:
            return
        statement = f"update {table} set used_s = :now_s where {key} = :name"  # noqa: S608 - literals
        self._write((statement,), {"now_s": self._now_s(), "name": name})

    def _row(self, statement: str, **parameters: str) -> Row[Any] | None:  # Any: of the columns of the statement
        if self._is_away():
            return None
        try:
            with self._transaction() as connection:
                return connection.execute(text(statement), parameters).first()
        except (SQLAlchemyError, OSError) as error:
            self._note(error)
            return None

    def _write(self, statements: tuple[str, ...], parameters: Mapping[str, object]) -> None:
        if self._is_away():
            return
        try:
            with self._transaction() as connection:
                for statement in statements:
                    connection.execute(text(statement), parameters)
                if next(self._writes) % _EVICT_EVERY == 0:
                    for statement in _EVICT:
                        connection.execute(text(statement), {"max_bytes": self._max_bytes})
        except (SQLAlchemyError, OSError) as error:
            self._note(error)

    @contextmanager
    def _transaction(self) -> Iterator[Connection]:
        """Begin a transaction on a connection, with the tables created.

        Raises:
            SQLAlchemyError: the database does not answer, or refuses.
            OSError: its socket timed out; SQLAlchemy leaves this as it is.
        """
        try:
            connection = self._engine.connect()
        except (DBAPIError, OSError):
            self._is_away_until_s = self._clock.monotonic() + _AWAY_S
            raise
        with connection:
            if not self._has_tables:
                with connection.begin():
                    for statement in _TABLES:
                        connection.execute(text(statement))
                self._has_tables = True
            with connection.begin():
                yield connection

    def _is_away(self) -> bool:
        return self._clock.monotonic() < self._is_away_until_s

    def _note(self, error: Exception) -> None:
        self.last_problem = f"the database of shared snapshots: {reason_line(error)}"

    def _is_fresh(self, checked_s: float) -> bool:
        return abs(self._now_s() - checked_s) < self._ttl_s

    def _now_s(self) -> float:
        return self._clock.now().timestamp()
