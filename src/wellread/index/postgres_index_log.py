"""The log of a shared index in a PostgreSQL database: one row for each URL, with the number of its newest change.

Numbers are given under a lock that lasts until the transaction ends. Without it, a change could become visible after a
change with a larger number, and a replica that has applied the larger one would never read it.
"""

from __future__ import annotations

import hashlib
from contextlib import contextmanager
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import text
from sqlalchemy.exc import SQLAlchemyError

from wellread.net.shared_state_failure import shared_state_failure
from wellread.ports import IndexChange, IndexRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Connection, Engine, Row

# The lock, because tables that two connections create at once fail in spite of `if not exists`. The rows have hashes
# of the URLs: a key of an index may have 2,704 bytes.
_TABLES: Final = (
    "select pg_advisory_xact_lock(7361223541904420)",
    """create table if not exists wellread_index_pages (
        url_hash text primary key, url text not null, sequence bigint not null unique, snapshot_id text,
        title text, language text, published_date text, words text, mark text, about bytea, document bytea
    )""",
    "create table if not exists wellread_index_log (id text primary key)",
    "insert into wellread_index_log select :id where not exists (select 1 from wellread_index_log)",
)
_LOCK: Final = "select pg_advisory_xact_lock(7361223541904421)"
_STORED_ID: Final = "select snapshot_id from wellread_index_pages where url_hash = :url_hash"
_NEXT: Final = "(select coalesce(max(sequence), 0) + 1 from wellread_index_pages)"
_PUT: Final = f"""
insert into wellread_index_pages
    (url_hash, url, sequence, snapshot_id, title, language, published_date, words, mark, about, document)
values
    (:url_hash, :url, {_NEXT}, :snapshot_id, :title, :language, :published_date, :words, :mark, :about, :document)
on conflict (url_hash) do update set
    sequence = excluded.sequence, snapshot_id = excluded.snapshot_id, title = excluded.title,
    language = excluded.language, published_date = excluded.published_date, words = excluded.words,
    mark = excluded.mark, about = excluded.about, document = excluded.document
where wellread_index_pages.snapshot_id is distinct from excluded.snapshot_id
    or wellread_index_pages.mark is distinct from excluded.mark
"""  # noqa: S608 - a constant
_REMOVE: Final = f"""
update wellread_index_pages set
    sequence = {_NEXT}, snapshot_id = null, title = null, language = null, published_date = null, words = null,
    mark = null, about = null, document = null
where url_hash = :url_hash and snapshot_id is not null returning 1
"""  # noqa: S608 - a constant
_CHANGES: Final = """
select sequence, url, snapshot_id, title, language, published_date, words, mark, about, document
from wellread_index_pages where sequence > :after order by sequence limit :limit
"""


class PostgresIndexLog:
    """A `ports.IndexLog`, safe for threads and replicas."""

    def __init__(self, engine: Engine) -> None:
        """Take the database; nothing is connected yet."""
        # A statement after the lock must see what was committed while it waited, whatever the server's default is.
        self._engine = engine.execution_options(isolation_level="READ COMMITTED")
        self._log_id: str | None = None

    def log_id(self) -> str:
        """Return the name that this database was given."""
        if self._log_id is None:
            with self._translated_errors(), self._engine.begin() as connection:
                for statement in _TABLES:
                    connection.execute(text(statement), {"id": token_hex(16)} if ":id" in statement else {})
                self._log_id = str(connection.execute(text("select id from wellread_index_log")).scalar_one())
        return self._log_id

    def put(self, page: IndexRow) -> bool:
        """Add or change a page; return False when it is there with this snapshot."""
        row = {
            "url_hash": _hash(page.url), "url": page.url, "snapshot_id": page.snapshot_id,
            "title": _storable(page.title), "language": page.language, "published_date": page.published_date,
            "words": _storable(page.text), "mark": page.mark, "about": page.about, "document": page.document,
        }  # fmt: skip
        with self._writing() as connection:
            stored_id = connection.execute(text(_STORED_ID), {"url_hash": row["url_hash"]}).scalar()
            connection.execute(text(_PUT), row)
        return stored_id != page.snapshot_id

    def remove(self, url: str) -> bool:
        """Remove a page; return False when it was not there. Its row stays, so that every replica removes it."""
        with self._writing() as connection:
            return connection.execute(text(_REMOVE), {"url_hash": _hash(url)}).scalar() is not None

    def changes(self, after: int, limit: int) -> list[IndexChange]:
        """Return the first `limit` changes with numbers above `after`."""
        self.log_id()
        with self._translated_errors(), self._engine.begin() as connection:
            rows = connection.execute(text(_CHANGES), {"after": after, "limit": limit}).all()
        return [IndexChange(row.sequence, row.url, _page(row)) for row in rows]

    def close(self) -> None:
        """Close the connections."""
        self._engine.dispose()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        """Begin a transaction that no other replica writes beside."""
        self.log_id()
        with self._translated_errors(), self._engine.begin() as connection:
            connection.execute(text(_LOCK))
            yield connection

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, OSError) as error:  # SQLAlchemy leaves timeouts of the socket as they are
            raise shared_state_failure(error) from error


def _page(row: Row[Any]) -> IndexRow | None:  # Any: of the columns of _CHANGES
    """Return the page of a row, or None for one that was removed."""
    if row.snapshot_id is None:
        return None
    return IndexRow(
        url=row.url,
        snapshot_id=row.snapshot_id,
        title=row.title,
        language=row.language,
        published_date=row.published_date,
        text=row.words,
        mark=row.mark,
        about=bytes(row.about),
        document=bytes(row.document),
    )


def _hash(url: str) -> str:
    return hashlib.sha256(url.encode()).hexdigest()


def _storable(words: str) -> str:
    """Return text that PostgreSQL stores: it has no NUL and no half of a surrogate pair."""
    return words.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
