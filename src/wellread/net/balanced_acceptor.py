"""Accepts connections at a socket that several processes accept from, so that each has about as many.

By itself, the system wakes all processes for a connection; the fastest gets it, whatever it has already.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import anyio

if TYPE_CHECKING:
    import socket
    from collections.abc import Callable

_log = logging.getLogger(__name__)

LEFT_S: Final = 0.005
"""How long a connection is left to a process with fewer of them; one that hangs does not take it."""
MAX_AT_ONCE: Final = 16
"""Connections that are accepted after one such wait, where the others have not caught up."""
NO_FILES_S: Final = 1.0
"""The wait where this process can open no more files."""


class BalancedAcceptor:
    """Accepts connections in a task of its own."""

    def __init__(self, address: socket.socket, connections_ahead: Callable[[], int]) -> None:
        """Take a socket that listens.

        `connections_ahead` returns how many connections this process has more than that which has the fewest.
        """
        self._address = address
        self._connections_ahead = connections_ahead
        self._task: asyncio.Task[None] | None = None

    def start(self, protocol: Callable[[], asyncio.BaseProtocol]) -> None:
        """Accept connections from now on, each with a new protocol."""
        self._address.settimeout(0)
        self._task = asyncio.get_running_loop().create_task(self._accept(protocol))

    async def aclose(self) -> None:
        """Accept no more connections; the socket stays open."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _accept(self, protocol: Callable[[], asyncio.BaseProtocol]) -> None:
        while True:
            await anyio.wait_readable(self._address)
            count = 1
            if self._connections_ahead() > 0:
                await anyio.sleep(LEFT_S)
                if self._connections_ahead() > 0:  # the process with the fewest is busy, or hangs
                    count = MAX_AT_ONCE
            while count and await self._accept_one(protocol):
                count -= 1

    async def _accept_one(self, protocol: Callable[[], asyncio.BaseProtocol]) -> bool:
        """Accept a connection; return whether there was one."""
        try:
            connection, _ = self._address.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return False  # another process has it, or its caller has left
        except OSError:
            await anyio.sleep(NO_FILES_S)
            return False
        try:
            await asyncio.get_running_loop().connect_accepted_socket(protocol, connection)
        except Exception:  # noqa: BLE001 - a fault of one connection must not end the accepting of all others
            _log.warning("an accepted connection was closed", exc_info=True)
            connection.close()
        return True
