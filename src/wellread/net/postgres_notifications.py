"""Waits for notifications of a PostgreSQL server (LISTEN, NOTIFY), over one connection for all that wait in a process.

The connection is opened by the first task that waits. One of the waiting tasks reads from it for all, so nothing runs
while nobody waits. A connection that breaks may have lost notifications: all tasks wake up, look for themselves, and
the next one that waits connects again.
"""

from __future__ import annotations

import logging
import socket
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import anyio
from anyio import to_thread
from sqlalchemy.exc import SQLAlchemyError

from wellread.errors import reason_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlalchemy import Engine, PoolProxiedConnection

_log = logging.getLogger(__name__)

KEEPALIVE_S: Final = 5.0
"""How long after its last answer the server is asked for one. It shows a connection that died in silence, and brings a
notification that the driver read ahead."""


class PostgresNotifications:
    """The notifications of one channel; for the tasks of one event loop."""

    def __init__(self, engine: Engine, channel: str) -> None:
        """Take the database, and an expression of SQL for the channel; nothing is connected yet."""
        self._engine = engine
        self._channel = channel
        self._waiting: dict[anyio.Event, str] = {}
        """What wakes a task, and the payload that it waits for."""
        self._connection: PoolProxiedConnection | None = None
        self._connecting = anyio.Lock()
        self._is_reading = False
        self._contact_at = 0.0
        """When the server answered last; the tasks that read take turns, and each reads for a shorter time."""
        self._was_read = anyio.Event()
        """Set when the task that reads has read, or has stopped waiting."""

    @contextmanager
    def expected(self, payload: str) -> Iterator[anyio.Event]:
        """Yield an event that is set by a notification with `payload`, and where one may have been lost."""
        event = anyio.Event()
        self._waiting[event] = payload
        try:
            yield event
        finally:
            del self._waiting[event]

    async def listen(self) -> bool:
        """Connect, unless that is done; return False where the server refuses. Later notifications are not missed."""
        async with self._connecting:
            if self._connection is None:
                self._connection = await to_thread.run_sync(self._connected)
                self._contact_at = anyio.current_time()
        return self._connection is not None

    async def wait(self, event: anyio.Event) -> None:
        """Wait until an event of `expected` is set."""
        while not event.is_set():
            if self._is_reading:
                await self._was_read.wait()
                continue
            self._is_reading = True
            try:
                await self._read()
            finally:
                self._is_reading = False
                self._was_read.set()
                self._was_read = anyio.Event()

    async def aclose(self) -> None:
        """Close the connection."""
        await to_thread.run_sync(self._disconnect)

    def _connected(self) -> PoolProxiedConnection | None:
        try:
            connection = self._engine.raw_connection()
            connection.detach()  # the pool forgets it, and may open another one
            try:
                cursor = connection.cursor()
                cursor.execute(f"select {self._channel}")
                ((channel,),) = cursor.fetchall()
                cursor.execute(f'listen "{channel}"')
                connection.commit()
            except BaseException:
                connection.close()
                raise
        except _errors() as error:
            _log.warning("notifications of a PostgreSQL server do not arrive: %s", reason_line(error))
            return None
        return connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*_errors()):  # it is broken
                connection.close()

    async def _read(self) -> None:
        """Wait for notifications, and set the events of those that have come; of all, if the connection breaks."""
        if self._connection is None:
            self._wake(None)
            return
        driver = _driver(self._connection)
        with anyio.CancelScope(deadline=self._contact_at + KEEPALIVE_S):
            await anyio.wait_readable(driver._usock)  # noqa: SLF001 - pg8000 has no way to wait for a notification
        try:
            # Reads what came before the answer. A task may stop waiting for the answer of a connection that is dead.
            await to_thread.run_sync(driver.execute_simple, "select 1", abandon_on_cancel=True)
        except anyio.get_cancelled_exc_class():
            with suppress(*_errors()):
                driver._usock.shutdown(socket.SHUT_RDWR)  # noqa: SLF001 - ends the call in the thread
            with anyio.CancelScope(shield=True):
                await to_thread.run_sync(self._disconnect)
            self._wake(None)
            raise
        except _errors() as error:
            _log.info("notifications of a PostgreSQL server may be lost: %s", reason_line(error))
            await to_thread.run_sync(self._disconnect)
            self._wake(None)
            return
        self._contact_at = anyio.current_time()
        while driver.notifications:
            _, _, payload = driver.notifications.popleft()
            self._wake(payload)

    def _wake(self, payload: str | None) -> None:
        """Wake the tasks that wait for `payload`; all of them for None."""
        for event, expected in self._waiting.items():
            if payload in {None, expected}:
                event.set()


def _driver(connection: PoolProxiedConnection) -> Any:  # Any: pg8000 has no types
    return connection.dbapi_connection


def _errors() -> tuple[type[Exception], ...]:
    """Return what SQLAlchemy, the driver and the socket raise; the driver is an extra."""
    from pg8000.exceptions import Error

    return SQLAlchemyError, Error, OSError
