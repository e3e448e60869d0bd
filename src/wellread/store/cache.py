"""Keeps snapshots in SQLite: by cache key for a time to live, by id until they are the least recently used.

Only snapshots fit in, so an error cannot be cached. The cache never stands in the way of reading: when the disk is
full, read-only, locked or damaged, it misses, and `last_problem` says why.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from wellread.errors import UnavailableError, reason_line
from wellread.ports import CachedBody, CacheEntry
from wellread.store import codec, db
from wellread.types import Response, header

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wellread.ports import Clock
    from wellread.types import Snapshot

T = TypeVar("T")

FILE_NAME = "cache.db"

# `used` counts uses, not seconds: it orders them even when the clock stands still or jumps. The sizes come first and
# have an index of their own, so that adding them up never reads a blob.
_MIGRATIONS = (
    """
    create table snapshots (
        id text primary key, used integer not null, size integer not null, about blob not null, document blob not null
    );
    create index snapshots_by_use on snapshots (used, size);
    create table entries (
        key text primary key, used integer not null, size integer not null, snapshot_id text not null,
        checked_at real not null, etag text, last_modified text, about blob not null
    );
    create index entries_by_use on entries (used, size);
    create index entries_by_snapshot on entries (snapshot_id);
    """,
    """
    create table bodies (
        key text primary key, used integer not null, size integer not null, checked_at real not null,
        url text not null, headers text not null, body blob not null
    );
    create index bodies_by_use on bodies (used, size);
    """,
)
_ROW_BYTES = 300
"""What a row costs besides its texts and blobs: headers, page slack and its lines in the indices."""
_LAST_USE = (
    "select max(ifnull((select max(used) from entries), 0), ifnull((select max(used) from snapshots), 0),"
    " ifnull((select max(used) from bodies), 0))"
)
_SIZES = (
    "select ifnull((select sum(size) from entries), 0) + ifnull((select sum(size) from snapshots), 0)"
    " + ifnull((select sum(size) from bodies), 0)"
)
_PENDING_USES = 32
_STEP_SHARE = 0.01
"""Share of the limit that is evicted at once, and that a process adds before it looks again at what others added. The
sum of 5,000 sizes takes 0.5 ms, which each put of a full cache took two or three times."""


class CacheStats(NamedTuple):
    """The contents of the cache: keys, snapshots, and their bytes together against the limit."""

    entries: int
    snapshots: int
    bytes: int
    max_bytes: int


def cache_key(url: str, *circumstances: str | int) -> str:
    """Return the key of `url` read under `circumstances`: mode, version of the policy, of the extractors, ..."""
    return hashlib.sha256(json.dumps([url, *circumstances], separators=(",", ":")).encode("ascii")).hexdigest()


class SnapshotCache:
    """A `ports.SnapshotStore`, safe for threads and for many processes on one folder."""

    def __init__(self, folder: Path | None, *, clock: Clock, ttl_s: float, max_bytes: int) -> None:
        """Open the cache in `folder`; None keeps it in memory, and so does a folder that cannot be used.

        Raises:
            ConfigError: the cache was written by a newer wellread.
        """
        self.last_problem: str | None = None
        self._path = None if folder is None else folder / FILE_NAME
        self._clock = clock
        self._ttl_s = ttl_s
        self._max_bytes = max_bytes
        self._lock = RLock()
        self._uses: dict[tuple[str | None, str], None] = {}
        """Keys (None: found by id) and ids used since the last write, oldest use first."""
        self._unchecked_bytes = 0
        """How much can be added before all sizes must be summed up again."""
        self._open()

    # -------------------------------------------------------------------------------------- the port

    def get(self, key: str) -> CacheEntry | None:
        """Return the entry under `key`, fresh or stale, and count it as used."""

        def find(connection: sqlite3.Connection) -> tuple[str, float, str | None, str | None, bytes, bytes] | None:
            row: tuple[str, float, str | None, str | None, bytes, bytes] | None = connection.execute(
                # The casts: in a damaged file a value can have any type.
                "select snapshot_id, cast(checked_at as real), cast(etag as text), cast(last_modified as text),"
                " e.about, document from entries e join snapshots s on s.id = e.snapshot_id where key = ?",
                (key,),
            ).fetchone()
            return row

        if (row := self._try(find, None)) is None:
            return None
        snapshot_id, checked_at, etag, last_modified, *packed = row
        snapshot = self._unpacked(snapshot_id, codec.Packed(*packed))
        if snapshot is None:
            return None
        self._used(key, snapshot_id)
        # An entry from the future (the clock was wrong once) must not stay fresh forever.
        fresh = abs(self._now() - checked_at) < self._ttl_s
        return CacheEntry(snapshot, fresh, etag, last_modified)

    def put(
        self,
        key: str,
        snapshot: Snapshot,
        *,
        identity: str = "",
        etag: str | None = None,
        last_modified: str | None = None,
    ) -> None:
        """Keep `snapshot` under `key`, evicting the least recently used beyond the size limit.

        A snapshot larger than the whole limit is not kept, nor is what it replaces. One that was read with credentials
        is found by its id only with their `identity`. Where several processes add to the cache, each may exceed the
        limit by a hundredth of it.
        """
        packed = codec.pack(snapshot)
        row_id = snapshot_row_id(snapshot.id, identity)
        size = _ROW_BYTES + len(row_id) + len(packed.about) + len(packed.document)
        entry_size = _ROW_BYTES + sum(map(_size, (key, row_id, packed.about, etag, last_modified)))

        def keep(connection: sqlite3.Connection) -> None:
            if size + entry_size > self._max_bytes:
                connection.execute("delete from entries where key = ?", (key,))
                return
            now_used = _next_use(connection)
            connection.execute(
                "insert or replace into snapshots (id, used, size, about, document) values (?, ?, ?, ?, ?)",
                (row_id, now_used, size, packed.about, packed.document),
            )
            connection.execute(
                "insert or replace into entries (key, used, size, snapshot_id, checked_at, etag, last_modified, about)"
                " values (?, ?, ?, ?, ?, ?, ?, ?)",
                (key, now_used, entry_size, row_id, self._now(), etag, last_modified, packed.about),
            )
            self._evict(connection, size + entry_size)

        self._write(keep)

    def renew(self, key: str) -> None:
        """Start the time to live anew: the server said 304 Not Modified."""

        def renew(connection: sqlite3.Connection) -> None:
            for table in ("entries", "bodies"):  # their keys differ
                connection.execute(
                    f"update {table} set checked_at = ? where key = ?",  # noqa: S608 - one of two literals
                    (self._now(), key),
                )

        self._write(renew)

    def by_id(self, snapshot_id: str, *, identity: str = "") -> Snapshot | None:
        """Return the snapshot with this id, however old, or None when it has been evicted.

        Where several pages hold the same text, the page kept last. Snapshots that were read with credentials are found
        with their `identity` alone.
        """
        return self._by_row_id(snapshot_row_id(snapshot_id, identity)) or (
            self._by_row_id(snapshot_row_id(snapshot_id, "")) if identity else None
        )

    def _by_row_id(self, row_id: str) -> Snapshot | None:

        def find(connection: sqlite3.Connection) -> tuple[bytes, bytes] | None:
            row: tuple[bytes, bytes] | None = connection.execute(
                "select about, document from snapshots where id = ?", (row_id,)
            ).fetchone()
            return row

        if (row := self._try(find, None)) is None:
            return None
        snapshot = self._unpacked(row_id, codec.Packed(*row))
        if snapshot is not None:
            self._used(None, row_id)
        return snapshot

    def body(self, key: str) -> CachedBody | None:
        """Return the answer kept under `key`, fresh or stale, and count it as used."""

        def find(connection: sqlite3.Connection) -> tuple[float, str, str, bytes] | None:
            row: tuple[float, str, str, bytes] | None = connection.execute(
                "select cast(checked_at as real), cast(url as text), cast(headers as text), cast(body as blob)"
                " from bodies where key = ?",
                (key,),
            ).fetchone()
            return row

        if (row := self._try(find, None)) is None:
            return None
        checked_at, url, packed_headers, body = row
        try:
            headers = tuple((str(name), str(text)) for name, text in json.loads(packed_headers))
        except (ValueError, TypeError) as error:
            self.last_problem = f"the headers of {url} are damaged: {error}"
            return None
        self._used(key, "")
        response = Response(url=url, status=200, headers=headers, body=body)
        fresh = abs(self._now() - checked_at) < self._ttl_s
        return CachedBody(response, fresh, header(headers, "etag"), header(headers, "last-modified"))

    def put_body(self, key: str, response: Response) -> None:
        """Keep the bytes of an answer under `key`; one that is larger than the whole limit is not kept."""
        headers = json.dumps(response.headers)
        size = _ROW_BYTES + _size(key) + _size(response.url) + _size(headers) + len(response.body)

        def keep(connection: sqlite3.Connection) -> None:
            connection.execute("delete from bodies where key = ?", (key,))
            if size > self._max_bytes:
                return
            connection.execute(
                "insert into bodies (key, used, size, checked_at, url, headers, body) values (?, ?, ?, ?, ?, ?, ?)",
                (key, _next_use(connection), size, self._now(), response.url, headers, response.body),
            )
            self._evict(connection, size)

        self._write(keep)

    # ------------------------------------------------------------------------------------ housekeeping

    def stats(self) -> CacheStats:
        """Return the number of entries and snapshots, and their bytes."""

        def count(connection: sqlite3.Connection) -> tuple[int, int, int]:
            entries, snapshots = (
                connection.execute(f"select count(*) from {table}").fetchone()[0]  # noqa: S608 - two literals
                for table in ("entries", "snapshots")
            )
            return entries, snapshots, _total(connection)

        return CacheStats(*self._try(count, (0, 0, 0)), self._max_bytes)

    def clear(self) -> int:
        """Forget everything, give the space back to the disk, and return how many snapshots there were.

        Raises:
            UnavailableError: the database is locked or cannot be written.
        """

        def forget(connection: sqlite3.Connection) -> int:
            with db.transaction(connection):
                connection.execute("delete from entries")
                connection.execute("delete from bodies")
                return connection.execute("delete from snapshots").rowcount

        def shrink(connection: sqlite3.Connection) -> None:
            connection.execute("vacuum")
            connection.execute("pragma wal_checkpoint(truncate)")

        self._uses.clear()
        gone = self._try(forget, -1)
        if gone < 0:
            raise UnavailableError(f"the cache could not be cleared: {self.last_problem}")
        self._try(shrink, None)
        return gone

    def close(self) -> None:
        """Write the recorded uses and close the database; the cache then misses."""
        with self._lock:
            if self._uses:
                self._write(lambda _: None)
            self._connection.close()

    # ---------------------------------------------------------------------------------- at the database

    def _open(self) -> None:
        try:
            self._connection = db.connect(self._path, _MIGRATIONS)
        except (OSError, sqlite3.Error) as error:
            self.last_problem = f"{self._path} cannot be used, so snapshots are kept in memory: {reason_line(error)}"
            self._path = None
            self._connection = db.connect(None, _MIGRATIONS)
        self._file_id = db.file_id(self._path) if self._path else 0

    def _try(self, work: Callable[[sqlite3.Connection], T], otherwise: T) -> T:
        with self._lock:
            try:
                return work(self._connection)
            except (sqlite3.Error, UnicodeError) as error:  # UnicodeError: half a surrogate pair
                self.last_problem = f"{self._path or 'memory'}: {error}"
                if isinstance(error, sqlite3.Error) and db.is_damage(error):
                    self._begin_afresh()
                return otherwise

    def _begin_afresh(self) -> None:
        self._connection.close()
        try:
            if self._path is not None and (aside := db.set_aside(self._path, self._file_id)):
                self.last_problem = f"{self._path} was damaged; it is {aside.name} now and a fresh cache was begun"
        except (OSError, sqlite3.Error) as error:
            self.last_problem = f"{self._path} is damaged and cannot be moved aside: {reason_line(error)}"
            self._path = None
        self._open()

    def _write(self, work: Callable[[sqlite3.Connection], object]) -> None:
        """Run `work` in one transaction, together with the uses that wait to be written."""

        def write(connection: sqlite3.Connection) -> None:
            with db.transaction(connection):
                first = _next_use(connection) if self._uses else 0
                for number, (key, snapshot_id) in enumerate(self._uses, first):
                    connection.execute("update entries set used = ? where key = ?", (number, key))
                    connection.execute("update snapshots set used = ? where id = ?", (number, snapshot_id))
                    connection.execute("update bodies set used = ? where key = ?", (number, key))
                work(connection)

        with self._lock:
            self._try(write, None)
            self._uses.clear()  # written or not: to lose an order of uses is cheaper than to wait again

    def _evict(self, connection: sqlite3.Connection, added_bytes: int) -> None:
        """Delete the least recently used rows if the cache may be over its limit, and a little more than that."""
        self._unchecked_bytes -= added_bytes
        if self._unchecked_bytes >= 0:
            return
        step = int(self._max_bytes * _STEP_SHARE)
        total = _total(connection)
        if total > self._max_bytes:
            total = _evict_to(connection, total, self._max_bytes - step)
        self._unchecked_bytes = min(self._max_bytes - total, step)

    def _used(self, key: str | None, snapshot_id: str) -> None:
        """Note a use; it is written with the next write, so that a read waits for nobody."""
        with self._lock:
            self._uses.pop((key, snapshot_id), None)
            self._uses[key, snapshot_id] = None
            if len(self._uses) >= _PENDING_USES:
                self._write(lambda _: None)

    def _unpacked(self, row_id: str, packed: codec.Packed) -> Snapshot | None:
        snapshot_id = row_id.rpartition("/")[2]
        try:
            snapshot = codec.unpack(packed)
        except ValueError as error:
            self.last_problem = f"{snapshot_id} could not be unpacked and was dropped: {error}"
        else:
            if snapshot.id == snapshot_id:
                return snapshot
            self.last_problem = f"{snapshot_id} held {snapshot.id} and was dropped"
        self._write(lambda connection: _drop(connection, row_id))
        return None

    def _now(self) -> float:
        return self._clock.now().timestamp()


def snapshot_row_id(snapshot_id: str, identity: str) -> str:
    """Return the id of a row: of a snapshot that was read with credentials, its identity and its id.

    A snapshot id has no slash, so no id of a caller names such a row.
    """
    if not identity:
        return snapshot_id.rpartition("/")[2]
    return f"{identity}/{snapshot_id}"


def _size(value: str | bytes | None) -> int:
    return len(value.encode("utf-8", "surrogatepass") if isinstance(value, str) else value or b"")


def _next_use(connection: sqlite3.Connection) -> int:
    return int(connection.execute(_LAST_USE).fetchone()[0]) + 1


def _total(connection: sqlite3.Connection) -> int:
    return int(connection.execute(_SIZES).fetchone()[0])


def _drop(connection: sqlite3.Connection, snapshot_id: str) -> int:
    """Delete a snapshot and its entries; return their bytes."""
    entry_bytes = _deleted_bytes(
        connection, "delete from entries where snapshot_id = ? returning cast(size as integer)", snapshot_id
    )
    return entry_bytes + _deleted_bytes(
        connection, "delete from snapshots where id = ? returning cast(size as integer)", snapshot_id
    )


def _deleted_bytes(connection: sqlite3.Connection, statement: str, key: str) -> int:
    # The cast: in a damaged file a size can have any type.
    return sum([size for (size,) in connection.execute(statement, (key,))])


def _evict_to(connection: sqlite3.Connection, total: int, max_bytes: int) -> int:
    """Delete the least recently used rows until the others fit, and return their bytes; `total` is that of all rows.

    A snapshot takes its entries along.
    """
    oldest = (
        "select * from (select used, 's', id from snapshots order by used limit 1) union all"
        " select * from (select used, 'e', key from entries order by used limit 1) union all"
        " select * from (select used, 'b', key from bodies order by used limit 1) order by 1, 2 desc limit 1"
    )
    while total > max_bytes and (row := connection.execute(oldest).fetchone()):
        _, table, key = row
        if table == "s":
            total -= _drop(connection, key)
        elif table == "e":
            total -= _deleted_bytes(
                connection, "delete from entries where key = ? returning cast(size as integer)", key
            )
        else:
            total -= _deleted_bytes(connection, "delete from bodies where key = ? returning cast(size as integer)", key)
    return total
