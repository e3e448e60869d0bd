"""Opens SQLite files for the store: safe for many processes, migrated, and mended when a file is damaged."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wellread.errors import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

BUSY_TIMEOUT_S = 5.0
"""How long a writer waits for another one before it gives up."""

_WAL_KEPT_BYTES = 8_000_000
_MOST_VERSIONS = 1_000
"""A schema number beyond is damage in the header, not the work of a newer wellread."""
_DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})


def connect(path: Path | None, migrations: Sequence[str]) -> sqlite3.Connection:
    """Open the database at `path` (None: in memory) and bring it to the newest of `migrations`.

    The connection is in autocommit mode: write inside `transaction`. It may move between threads, one at a time.
    A damaged file is moved aside (see `set_aside`) and a fresh one begun.

    Raises:
        ConfigError: the file was written by a newer wellread.
        OSError, sqlite3.Error: the file cannot be opened or stays locked; the room above decides what that means.
    """
    if path is None:
        return _opened(None, migrations)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    before = file_id(path)
    try:
        return _opened(path, migrations)
    except UnicodeDecodeError:
        pass  # the message quotes a damaged schema, and Python cannot read it
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            raise
    set_aside(path, before)
    return _opened(path, migrations)


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Take the write lock, then keep all that the body does, or none of it."""
    # Immediate: a reader that turns writer halfway gets SQLITE_BUSY at once, whatever the busy timeout.
    connection.execute("begin immediate")
    try:
        yield
        connection.execute("commit")
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback")
        raise


def refuse_newer(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    """Raise an error where a newer wellread has migrated the file, which it may do while the file is open here.

    Raises:
        ConfigError: the schema is newer than `migrations`.
    """
    version = _version(connection)
    if version > len(migrations):
        _, _, path = connection.execute("pragma database_list").fetchone()
        raise ConfigError(
            f"{path} was written by a newer wellread (schema {version}, this one knows {len(migrations)})",
            hint="upgrade wellread, or set cache.dir to another folder",
        )


def is_damage(error: sqlite3.Error) -> bool:
    """Tell whether `error` means that the file is broken, and not merely locked, full or read-only."""
    # The lowest byte is the primary code: https://www.sqlite.org/rescode.html
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in _DAMAGE


def file_id(path: Path) -> int:
    """Return the identity of the file at `path`, which differs from that of a replacement; 0 when there is none."""
    try:
        return path.stat().st_ino
    except FileNotFoundError:
        return 0


def set_aside(path: Path, damaged: int) -> Path | None:
    """Rename the damaged file at `path` to `NAME.damaged-N`; None when another process has replaced it already.

    `damaged` is its `file_id`. Close the connection first.
    """
    with alone(path):
        if file_id(path) != damaged or not damaged:
            return None
        number = 1
        while (aside := path.with_name(f"{path.name}.damaged-{number}")).exists():
            number += 1
        # The log goes first: a fresh file must never meet the log of the damaged one.
        for suffix in ("-wal", "-shm", ""):
            part = path.with_name(path.name + suffix)
            if part.exists():
                part.rename(aside.with_name(aside.name + suffix))
        return aside


@contextmanager
def alone(path: Path) -> Iterator[None]:
    """Keep other processes out; a lock that SQLite holds works everywhere and dies with its owner."""
    lock = sqlite3.connect(path.with_name(f"{path.name}.lock"), timeout=BUSY_TIMEOUT_S, isolation_level=None)
    try:
        lock.execute("begin exclusive")
        yield
    finally:
        lock.close()


def _opened(path: Path | None, migrations: Sequence[str]) -> sqlite3.Connection:
    if path is not None and not path.exists():
        path.touch(mode=0o600)  # the log and its index take their mode from here
    connection = sqlite3.connect(
        ":memory:" if path is None else path, timeout=BUSY_TIMEOUT_S, isolation_level=None, check_same_thread=False
    )
    try:
        _prepare(connection, path, migrations)
    except BaseException:
        connection.close()
        raise
    return connection


def _prepare(connection: sqlite3.Connection, path: Path | None, migrations: Sequence[str]) -> None:
    if path is not None and _pragma(connection, "journal_mode") != "wal":
        # Two processes that switch a file to WAL at once fail without waiting, so they queue here.
        # Where WAL cannot work (network drives) SQLite stays in its old mode, which is slower and as safe.
        with alone(path):
            connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = normal")  # in WAL mode only a power cut can lose the last writes
    connection.execute(f"pragma journal_size_limit = {_WAL_KEPT_BYTES}")
    if _version(connection) != len(migrations):
        _migrate(connection, migrations)


def _migrate(connection: sqlite3.Connection, migrations: Sequence[str]) -> None:
    with transaction(connection):
        version = _version(connection)  # again, now that nobody else can change it
        if not 0 <= version <= _MOST_VERSIONS:
            damage = sqlite3.DatabaseError(f"schema {version} is none that anybody wrote")
            damage.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
            raise damage
        refuse_newer(connection, migrations)
        for script in migrations[version:]:
            for statement in _statements(script):
                connection.execute(statement)
        connection.execute(f"pragma user_version = {len(migrations)}")


def _statements(script: str) -> Iterator[str]:
    """Split `script`: sqlite3's own executescript would commit the open transaction first."""
    statement = ""
    for piece in script.split(";"):
        statement += f"{piece};"
        if sqlite3.complete_statement(statement):
            if statement.strip(" \n;"):
                yield statement
            statement = ""


def _version(connection: sqlite3.Connection) -> int:
    return int(str(_pragma(connection, "user_version")))


def _pragma(connection: sqlite3.Connection, name: str) -> object:
    return connection.execute(f"pragma {name}").fetchone()[0]
