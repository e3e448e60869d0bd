"""Close idle connections: each must send a whole request header within a time limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from uvicorn.protocols.http.h11_impl import H11Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

HEADER_S = 10.0
"""From a connection, or from the answer before, until the whole header is there. uvicorn by itself waits for ever."""


class TimedConnection(H11Protocol):
    """One connection. Where all places are taken, the connection that is idle longest is closed for a new one."""

    header_s = HEADER_S
    tell_count: Callable[[int], None] | None = None
    """Told of the number of connections when that changes."""
    _timer: Any = None  # Any: a handle of the event loop
    since_s = 0.0
    """When it began to wait for a header, by the loop's clock."""

    def connection_made(self, transport: Any) -> None:  # Any: as above
        """Make room for the connection, and start the timer for its header."""
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency - 1:
            idle = [
                connection
                for connection in self.connections
                if isinstance(connection, TimedConnection) and connection.is_idle()
            ]
            for oldest in sorted(idle, key=lambda connection: connection.since_s)[:1]:
                oldest.leave()
        super().connection_made(transport)
        self._tell()
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on; a request that has begun has no timer."""
        super().data_received(data)
        if not self.is_idle():
            self._stop()

    def on_response_complete(self) -> None:
        """Start the timer for the next header, unless it is there already."""
        super().on_response_complete()
        if self.is_idle():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop()
        super().connection_lost(exc)
        self._tell()

    def is_idle(self) -> bool:
        """Return whether no request is in progress."""
        # None before the first request, in spite of its type.
        return self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]  # as said

    def leave(self) -> None:
        """Close the connection; responses written before are still sent."""
        self.connections.discard(self)
        self.transport.close()

    def _tell(self) -> None:
        if self.tell_count is not None:
            self.tell_count(len(self.connections))

    def _wait(self) -> None:
        self._stop()
        self.since_s = self.loop.time()
        self._timer = self.loop.call_later(self.header_s, self.leave)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
