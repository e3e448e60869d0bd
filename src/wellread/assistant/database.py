"""The assistant's store: one SQL database (SQLite, or PostgreSQL by setting), entered one transaction at a time.

Each room declares its own tables on `Base`. Times are integers, milliseconds since 1970-01-01 UTC, named `*_ms`.
"""

import sqlite3
import uuid
from collections.abc import Callable
from typing import Self, TypeVar

import anyio.to_thread
from sqlalchemy import BigInteger, Engine, Integer, create_engine, event
from sqlalchemy.orm import DeclarativeBase, Session

T = TypeVar("T")

Number = BigInteger().with_variant(Integer, "sqlite")
"""64 bits everywhere; SQLite's are anyway, and it numbers rows by INTEGER keys only."""


class Base(DeclarativeBase):
    """The tables of the assistant."""


def new_id() -> str:
    """A key that no other row has."""
    return uuid.uuid4().hex


class Database:
    """The open store; safe for several tasks and several processes."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, url: str) -> Self:
        """The store at an SQLAlchemy URL (`sqlite:////path/assistant.db`), its tables made when missing."""
        engine = create_engine(url)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", _settle)
        Base.metadata.create_all(engine)
        return cls(engine)

    async def run(self, work: Callable[[Session], T]) -> T:
        """Do `work` in one transaction in a thread of its own; what it raises rolls everything back."""

        def transaction() -> T:
            with Session(self._engine) as session, session.begin():
                return work(session)

        return await anyio.to_thread.run_sync(transaction)

    async def wipe(self) -> bool:
        """Leave nothing in the file of what was deleted; False where an older state is still being read.

        SQLite rewrites its file and empties its log. A server keeps logs and backups of its own, so there it is False.
        """
        if self._engine.dialect.name != "sqlite":
            return False

        def rewrite() -> bool:
            connection = self._engine.raw_connection()  # outside of any transaction
            cursor = connection.cursor()
            try:
                cursor.execute("PRAGMA busy_timeout = 1000")  # somebody waits for the answer
                cursor.execute("VACUUM")
                return bool(cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0] == 0)
            except sqlite3.OperationalError:  # locked for longer than that; the next wipe does it
                return False
            finally:
                cursor.close()
                connection.invalidate()  # with its short patience

        return await anyio.to_thread.run_sync(rewrite)

    def close(self) -> None:
        """Let go of every connection."""
        self._engine.dispose()


def _settle(connection: object, _record: object) -> None:
    """WAL so that readers never wait for the writer; ten seconds of patience between writers."""
    cursor = connection.cursor()  # type: ignore[attr-defined]  # a DBAPI connection has no common type
    for pragma in ("journal_mode=WAL", "busy_timeout=10000", "foreign_keys=ON", "synchronous=NORMAL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
