"""The dialect of SQLAlchemy for pg8000, which sees every connection that the server ended.

pg8000 lets the errors of its socket through while it reads, so that SQLAlchemy's own dialect neither opens a new
connection after a restart of the server nor says that a statement lost its connection.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from sqlalchemy.dialects.postgresql.pg8000 import PGDialect_pg8000

from wellread.net.postgres import ENDED_STATES, sql_state

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy.engine.interfaces import DBAPIConnection


class PostgresDialect(PGDialect_pg8000):
    """The dialect; its errors have `connection_invalidated` where the server ended the connection."""

    supports_statement_cache = True

    def do_ping(self, dbapi_connection: DBAPIConnection) -> bool:
        """Return True if the server answers."""
        with self._network_errors():
            return super().do_ping(dbapi_connection)

    def do_execute(self, cursor: object, statement: str, parameters: object, context: object = None) -> None:
        """Execute one statement."""
        with self._network_errors():
            super().do_execute(cursor, statement, parameters, context)  # type: ignore[no-untyped-call]  # of SQLAlchemy

    def do_commit(self, dbapi_connection: DBAPIConnection) -> None:
        """Commit the transaction."""
        with self._network_errors():
            super().do_commit(dbapi_connection)  # type: ignore[no-untyped-call]  # of SQLAlchemy

    def is_disconnect(self, e: Exception, connection: object, cursor: object) -> bool:
        """Return True if the connection is of no use after the error."""
        is_broken: bool = super().is_disconnect(e, connection, cursor)  # type: ignore[no-untyped-call]  # of SQLAlchemy
        return is_broken or sql_state(e)[0].startswith(ENDED_STATES)

    @contextmanager
    def _network_errors(self) -> Iterator[None]:
        """Raise an error of the socket as the one that pg8000 raises where it writes."""
        try:
            yield
        except OSError as error:
            raise self.loaded_dbapi.InterfaceError("network error") from error
