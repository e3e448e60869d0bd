"""A real Redis server on loopback for tests."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

_START_S = 10.0


def is_installed() -> bool:
    return shutil.which("redis-server") is not None


@dataclass
class RedisServer:
    """A server that can be stopped and started again, on one port."""

    port: int
    running: subprocess.Popen[Any] | None = field(default=None, repr=False)  # Any: of Popen

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = [
            "redis-server", "--bind", "127.0.0.1", "--port", str(self.port), "--save", "", "--appendonly", "no",
            "--dir", tempfile.gettempdir(),
        ]  # fmt: skip
        self.running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + _START_S
        while not self._answers():
            assert time.monotonic() < deadline, "redis-server does not start"
            time.sleep(0.02)  # until the server listens

    def stop(self) -> None:
        if self.running is not None:
            self.running.kill()
            self.running.wait(10)
            self.running = None

    def command(self, *words: str) -> bytes:
        """Send an inline command, and return the first part of the answer."""
        with socket.create_connection(("127.0.0.1", self.port), 2) as connection:
            connection.sendall(" ".join(words).encode() + b"\r\n")
            return connection.recv(65_536)

    def _answers(self) -> bool:
        try:
            return self.command("PING").startswith(b"+PONG")
        except OSError:
            return False


@contextmanager
def serving() -> Iterator[RedisServer]:
    """Start a server, and stop it."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        server = RedisServer(int(free.getsockname()[1]))
    server.start()
    try:
        yield server
    finally:
        server.stop()
