"""Connections that ask for nothing make room: whoever connects must send a whole header soon, or goes."""

from __future__ import annotations

from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

HEADER_S = 10.0
"""From a connection, or from the answer before, until the whole header is there. uvicorn by itself waits for ever."""


class Arrival(H11Protocol):
    """One connection. Where all places are taken, the oldest that asks for nothing leaves before a new one comes in."""

    header_s = HEADER_S
    _timer: Any = None  # Any: the loop's word
    since_s = 0.0
    """When it began to wait for a header, by the loop's clock."""

    def connection_made(self, transport: Any) -> None:  # Any: as above
        """Take a place, and wait for a header."""
        if self.limit_concurrency is not None and len(self.connections) >= self.limit_concurrency - 1:
            idle = [it for it in self.connections if isinstance(it, Arrival) and it.is_idle()]
            for oldest in sorted(idle, key=lambda it: it.since_s)[:1]:
                oldest.leave()
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        """Read on; a request that has begun may take its time."""
        super().data_received(data)
        if not self.is_idle():
            self._stop()

    def on_response_complete(self) -> None:
        """Wait for the next header, unless it is there already."""
        super().on_response_complete()
        if self.is_idle():
            self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no longer."""
        self._stop()
        super().connection_lost(exc)

    def is_idle(self) -> bool:
        """Tell whether no request is under way."""
        # None before the first request, in spite of its type.
        return self.cycle is None or self.cycle.response_complete  # type: ignore[redundant-expr]  # as said

    def leave(self) -> None:
        """Give the place back; what was answered is still sent."""
        self.connections.discard(self)
        self.transport.close()

    def _wait(self) -> None:
        self._stop()
        self.since_s = self.loop.time()
        self._timer = self.loop.call_later(self.header_s, self.leave)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
