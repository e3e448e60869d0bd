"""The watched pages and the versions of their texts, in one SQLite file beside the cache."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from wellread.crawl.traps import spelling_key
from wellread.errors import ConfigError, InvalidInput, reason_line
from wellread.net import guard, schemeless_urls
from wellread.store import db

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

FILE_NAME: Final = "watch.db"
DEFAULT_KEEP: Final = 50
MAX_WATCHES: Final = 50
"""Of one caller other than the owner."""
MAX_DUE: Final = 20
"""Watches that are claimed at once, and of one caller other than the owner the most that one call checks."""
CLAIM_S: Final = 900.0
"""How long a process may take for the watches that it has claimed; then they are due again: it may have been killed."""
MAX_UNSENT: Final = 100
"""Changes of one watch that wait for their webhook: while it fails, every change would be stored."""
MIGRATIONS: Final = (
    """
    create table watches (
        id integer primary key autoincrement,
        url text not null,
        every_s real not null,
        selector text,
        find text,
        webhook text,
        keep integer not null,
        user_asked integer not null,
        next_at real not null default 0,
        checked_at real,
        etag text,
        last_modified text,
        error text
    );
    create table versions (
        id integer primary key autoincrement,
        watch_id integer not null references watches (id),
        found_at real not null,
        snapshot_id text not null,
        earlier_snapshot_id text,
        title text,
        text text not null,
        diff text not null,
        is_sent integer not null
    );
    create index versions_of_watch on versions (watch_id, id);
    """,
    """
    alter table watches add column caller text not null default '';
    create index watches_of_caller on watches (caller, id);
    """,
    """
    alter table watches add column dropped integer not null default 0;
    """,
)
_WATCH_COLUMNS: Final = (
    "id, url, every_s, selector, find, webhook, keep, user_asked, next_at, checked_at, etag, last_modified, error, "
    "dropped"
)
_VERSION_COLUMNS: Final = "id, watch_id, found_at, snapshot_id, earlier_snapshot_id, title, text, diff"


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """A watched page. Times are seconds since the epoch."""

    id: int
    url: str
    every_s: float
    selector: str | None
    """CSS: only the text of these elements is compared."""
    find: str | None
    """Only lines with these words are compared."""
    webhook: str | None
    keep: int
    """Versions that are stored; older ones are deleted when their webhook was received."""
    user_asked: bool
    next_at: float
    checked_at: float | None
    etag: str | None
    last_modified: str | None
    error: str | None
    """Why the last check failed."""
    dropped: int
    """Changes whose webhook was given up, because more than `MAX_UNSENT` waited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchVersion:
    """One version of a watched text."""

    id: int
    watch_id: int
    found_at: float
    snapshot_id: str
    earlier_snapshot_id: str | None
    """None for the first version."""
    title: str | None
    text: str
    diff: str
    """To the version before; empty for the first one."""


class WatchStore:
    """Stores watches and their versions; safe for several processes and threads.

    A caller has its own watches. The owner is the caller without a name.
    """

    def __init__(self, folder: Path | None, *, caller: str = "") -> None:
        """Open the file in `folder`, or a database in memory, for the watches of `caller`.

        Raises:
            ConfigError: the folder cannot be written, or a newer wellread has written the file.
        """
        path = folder and folder / FILE_NAME
        try:
            self._connection = db.connect(path, MIGRATIONS)
        except (OSError, sqlite3.Error) as error:
            raise ConfigError(
                f"cannot open {path}: {reason_line(error)}", hint="cache.dir must be a folder you can write"
            ) from error
        self._lock = threading.RLock()
        self.caller = caller

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def add(
        self,
        url: str,
        *,
        every_s: float,
        selector: str | None,
        find: str | None,
        webhook: str | None,
        keep: int,
        user_asked: bool,
    ) -> Watch:
        """Add a watch that is due at once.

        Raises:
            InvalidInput: the caller watches the same part of this page, or has as many watches as it may have.
        """
        with self._transaction() as connection:
            query = "select id from watches where caller = ? and url = ? and selector is ? and find is ?"
            for (watch_id,) in connection.execute(query, (self.caller, url, selector, find)):
                raise InvalidInput(
                    f"{url} is watched already, as number {watch_id}", hint="`remove` it first to change its options"
                )
            query = "select count(*) from watches where caller = ?"
            (count,) = connection.execute(query, (self.caller,)).fetchone()
            if self.caller and count >= MAX_WATCHES:
                raise InvalidInput(f"there are {count} watches already", hint="remove one of them first")
            cursor = connection.execute(
                """
                insert into watches (url, every_s, selector, find, webhook, keep, user_asked, caller)
                values (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                (url, every_s, selector, find, webhook, keep, user_asked, self.caller),
            )
        assert cursor.lastrowid is not None
        return self.watch(cursor.lastrowid)

    def watch(self, watch_id: int) -> Watch:
        """Return a watch.

        Raises:
            InvalidInput: there is none with this number.
        """
        for watch in self._watches("where id = ? and caller = ?", watch_id, self.caller):
            return watch
        raise InvalidInput(f"there is no watch {watch_id}", hint="`list` shows their numbers")

    def watches(self) -> list[Watch]:
        """Return all watches of the caller."""
        return self._watches("where caller = ? order by id", self.caller)

    def ids_of(self, url: str) -> list[int]:
        """Return the numbers of the caller's watches of a page; `url` may lack its scheme."""
        keys = {spelling_key(candidate) for candidate in schemeless_urls.candidate_urls(guard.trim_url(url))}
        return [watch.id for watch in self.watches() if spelling_key(watch.url) in keys]

    def remove(self, watch_id: int) -> Watch:
        """Remove a watch with its versions, and return it.

        Raises:
            InvalidInput: there is none with this number.
        """
        watch = self.watch(watch_id)
        with self._transaction() as connection:
            connection.execute("delete from versions where watch_id = ?", (watch_id,))
            connection.execute("delete from watches where id = ?", (watch_id,))
        return watch

    def claim_due(self, now: float, *, due_by: float | None = None, all_callers: bool = True) -> list[Watch]:
        """Return up to `MAX_DUE` watches that are due, and claim them, so that no other process checks them, too.

        `due_by` is the time by which they are due, `now` without it. A claim ends with `note_check`, or after `CLAIM_S`
        where the process was killed before. `all_callers` has an effect for the owner alone.
        """
        clause = "where next_at <= ? and (caller = ? or ?) order by next_at, id limit ?"
        is_of_any = all_callers and not self.caller
        with self._transaction() as connection:
            due = self._watches(clause, now if due_by is None else due_by, self.caller, is_of_any, MAX_DUE)
            connection.executemany(
                "update watches set next_at = ? where id = ?", [(now + CLAIM_S, watch.id) for watch in due]
            )
        return due

    def due_count(self, now: float) -> int:
        """Return how many watches of the caller are due."""
        query = "select count(*) from watches where next_at <= ? and caller = ?"
        ((count,),) = self._rows(query, (now, self.caller))
        return int(count)

    def next_at(self) -> float | None:
        """Return when the next watch is due, for the owner that of any caller; None without a watch."""
        ((next_at,),) = self._rows(
            "select min(next_at) from watches where caller = ? or ? = ''", (self.caller, self.caller)
        )
        return next_at and float(next_at)

    def note_check(self, watch: Watch, now: float, *, error: str | None) -> None:
        """Note the end of a check."""
        with self._transaction() as connection:
            connection.execute(
                "update watches set checked_at = ?, next_at = ?, error = ? where id = ?",
                (now, now + watch.every_s, error, watch.id),
            )

    def store_validators(
        self, watch: Watch, snapshot_id: str | None, *, etag: str | None, last_modified: str | None
    ) -> None:
        """Store the validators of a response whose text is that of the version with `snapshot_id`.

        Where another check has added a version meanwhile, nothing is stored: a later 304 would hide a change.
        """
        newest = "select snapshot_id from versions where watch_id = ? order by id desc limit 1"
        with self._transaction() as connection:
            connection.execute(
                f"update watches set etag = ?, last_modified = ? where id = ? and ({newest}) = ?",  # noqa: S608 - constant
                (etag, last_modified, watch.id, watch.id, snapshot_id),
            )

    def add_version(
        self,
        watch: Watch,
        now: float,
        earlier: WatchVersion | None,
        *,
        snapshot_id: str,
        title: str | None,
        text: str,
        diff: str,
    ) -> WatchVersion | None:
        """Add the version that follows `earlier`, and delete versions beyond those that the watch keeps.

        Where another check has added one meanwhile, nothing is added, and None is returned.
        """
        earlier_snapshot_id = earlier and earlier.snapshot_id
        is_sent = watch.webhook is None or earlier is None
        with self._transaction() as connection:
            newest = next(iter(self.versions(watch.id, limit=1)), None)
            if newest is not None and (earlier is None or newest.id != earlier.id):
                return None
            connection.execute(
                """
                insert into versions (watch_id, found_at, snapshot_id, earlier_snapshot_id, title, text, diff, is_sent)
                values (?, ?, ?, ?, ?, ?, ?, ?)
                """,
                (watch.id, now, snapshot_id, earlier_snapshot_id, title, text, diff, is_sent),
            )
            _delete_old_versions(connection, watch.id)
        return self.versions(watch.id, limit=1)[0]

    def versions(self, watch_id: int, *, limit: int) -> list[WatchVersion]:
        """Return the newest versions of a watch, newest first."""
        return self._versions("where watch_id = ? order by id desc limit ?", watch_id, limit)

    def changes(self, watch_id: int, *, limit: int) -> list[WatchVersion]:
        """Return the last changes of a watch of the caller, newest first: versions that have a diff.

        Raises:
            InvalidInput: there is none with this number.
        """
        self.watch(watch_id)
        versions = self.versions(watch_id, limit=limit + 1)
        return [version for version in versions if version.diff][:limit]

    def unsent(self, watch_id: int) -> list[WatchVersion]:
        """Return the versions whose webhook has not been received yet, oldest first."""
        return self._versions("where watch_id = ? and not is_sent order by id", watch_id)

    def note_sent(self, version: WatchVersion) -> None:
        """Note that the webhook of a version was received; it is deleted if the watch has enough newer ones."""
        with self._transaction() as connection:
            connection.execute("update versions set is_sent = 1 where id = ?", (version.id,))
            _delete_old_versions(connection, version.watch_id)

    def drop_unsent(self, watch_id: int) -> int:
        """Give up the oldest webhooks beyond the `MAX_UNSENT` newest ones, and return how many."""
        with self._transaction() as connection:
            dropped = connection.execute(
                """
                update versions set is_sent = 1 where watch_id = ? and not is_sent and id not in (
                    select id from versions where watch_id = ? and not is_sent order by id desc limit ?
                )
                """,
                (watch_id, watch_id, MAX_UNSENT),
            ).rowcount
            if dropped:
                connection.execute("update watches set dropped = dropped + ? where id = ?", (dropped, watch_id))
                _delete_old_versions(connection, watch_id)
        return dropped

    def _watches(self, clause: str, *parameters: object) -> list[Watch]:
        names = _WATCH_COLUMNS.split(", ")
        rows = self._rows(f"select {_WATCH_COLUMNS} from watches {clause}", parameters)  # noqa: S608 - constants
        fields = [dict(zip(names, row, strict=True)) for row in rows]
        return [Watch(**{**columns, "user_asked": bool(columns["user_asked"])}) for columns in fields]

    def _versions(self, clause: str, *parameters: object) -> list[WatchVersion]:
        names = _VERSION_COLUMNS.split(", ")
        rows = self._rows(f"select {_VERSION_COLUMNS} from versions {clause}", parameters)  # noqa: S608 - constants
        return [WatchVersion(**dict(zip(names, row, strict=True))) for row in rows]

    def _rows(self, query: str, parameters: Sequence[object]) -> list[tuple[Any, ...]]:  # Any: columns of any type
        with self._lock:
            return self._connection.execute(query, parameters).fetchall()

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, db.transaction(self._connection):
            yield self._connection


def _delete_old_versions(connection: sqlite3.Connection, watch_id: int) -> None:
    """Delete versions beyond those that a watch keeps; a version whose webhook waits stays."""
    connection.execute(
        """
        delete from versions where watch_id = ? and is_sent and id not in (
            select id from versions where watch_id = ? order by id desc
            limit (select max(keep, 1) from watches where id = ?)
        )
        """,
        (watch_id, watch_id, watch_id),
    )
