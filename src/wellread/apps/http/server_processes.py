"""Several processes that serve at one address, started by a parent, which replaces a dead one and ends them all.

Each process is a replica: what replicas share at `shared.url` is shared. What is in the memory of one process alone
(sessions of the browser and of MCP, crawls as jobs, conversations, the metrics of all) is that of the first
process, to which the others pass such requests on.

The parent makes the sockets, and does nothing else but wait, so that connections wait for the next process where one
has died.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import anyio

from wellread.errors import ConfigError
from wellread.net import local_socket
from wellread.worker.shared_counts import SharedCounts

if TYPE_CHECKING:
    from wellread.config import Settings
    from wellread.net.server_sockets import ServerSocket
    from wellread.ports import Clock

FIRST_PROCESS_PATHS: Final = ("/mcp", "/v1/browse", "/v1/crawl", "/v1/chat", "/metrics", "/openapi.json")
"""Paths whose requests need what is in the memory of the first process; paths below them, too."""
NOT_SERVING: Final = -1
"""The connections of a process that takes none yet, or none any more."""
MAX_DELAY_S: Final = 30.0
"""The longest wait before a dead process is started again."""
SHORT_LIFE_S: Final = 60.0
"""A process that lived longer is started again at once."""
MAX_SHORT_LIVES: Final = 10
"""Short lives of one process in a row, after which the server ends."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerProcess:
    """The part of one process in a server of several."""

    index: int
    folder: Path
    """The private folder of the processes' Unix sockets."""
    sockets: tuple[ServerSocket, ...]
    """What it accepts connections from."""
    lifeline: int
    """The reading end of a pipe that nothing is written to, and whose other end only the parent has."""
    delay_s: float
    """The wait before it serves."""
    count: int
    """The number of processes."""
    is_replacement: bool
    connections: SharedCounts
    """The connections of each process; `NOT_SERVING` where it takes none."""
    running_tasks: SharedCounts
    """The tasks that the worker processes of each process have."""

    @property
    def is_first(self) -> bool:
        """Whether requests that need the memory of one process come to this one."""
        return self.index == 0

    @property
    def first_path(self) -> Path:
        """The Unix socket at which the first process takes HTTP requests of the others."""
        return first_path(self.folder)

    @property
    def announces(self) -> bool:
        """Whether this process tells the address of the server."""
        return self.is_first and not self.is_replacement

    async def wait_before_start(self) -> None:
        """Wait `delay_s`, or until the parent ends the server."""
        with anyio.move_on_after(self.delay_s):
            await anyio.wait_readable(self.lifeline)

    def is_to_end(self) -> bool:
        """Return whether the parent has ended, or ends the server."""
        try:
            return not os.read(self.lifeline, 1)
        except BlockingIOError:
            return False

    def begin_serving(self) -> None:
        """Tell the other processes that this one takes connections."""
        self.connections.set(self.index, 0)

    def end_serving(self) -> None:
        """Tell the other processes that this one takes no more connections: they leave none to it while it drains."""
        self.connections.set(self.index, NOT_SERVING)

    def tell_connections(self, count: int) -> None:
        """Tell the other processes how many connections this one has, while it takes more."""
        if self.connections.all()[self.index] != NOT_SERVING:
            self.connections.set(self.index, count)

    def connections_ahead(self) -> int:
        """Return how many connections this process has more than that which has the fewest."""
        counts = self.connections.all()
        return counts[self.index] - min((count for count in counts if count != NOT_SERVING), default=NOT_SERVING)

    def all_serve(self) -> bool:
        """Return whether every process takes connections."""
        return NOT_SERVING not in self.connections.all()

    def metrics_path(self, index: int) -> Path:
        """Return the Unix socket at which a process tells its metrics."""
        return self.folder / f"metrics-{index}"

    @property
    def metrics_paths_of_others(self) -> tuple[Path, ...]:
        """The Unix sockets at which the other processes tell their metrics; the first process alone asks them."""
        if not self.is_first:
            return ()
        return tuple(map(self.metrics_path, range(1, self.count)))

    def share_of(self, settings: Settings) -> Settings:
        """Return the settings of this process: the worker processes are shared out, at least one for each."""
        total = settings.extract.process_count
        if not total:
            return settings
        share = total // self.count + (self.index < total % self.count)
        return replace(settings, extract=replace(settings.extract, processes=max(share, 1)))


def first_path(folder: Path) -> Path:
    """Return the Unix socket at which the first process takes HTTP requests of the others."""
    return folder / "http"


def is_for_first(path: str) -> bool:
    """Return whether the first process answers requests for a path."""
    return any(path == owned or path.startswith(f"{owned}/") for owned in FIRST_PROCESS_PATHS)


def check_processes(settings: Settings) -> None:
    """Refuse several processes where they would not share what callers count on.

    Raises:
        ConfigError: the processes share nothing, or the system cannot fork.
    """
    if settings.shared.url is None:
        hint = "set shared.url to a Redis, Valkey or PostgreSQL server, which has the paces and quotas of all processes"
        raise ConfigError("server.processes above 1 needs shared.url", hint=hint)
    if not hasattr(os, "fork") or not local_socket.is_supported():
        raise ConfigError("server.processes above 1 needs a system with fork", hint="set server.processes=1")


def start_processes(settings: Settings, clock: Clock, address: ServerSocket) -> ServerProcess | int:
    """Start the processes of a server: return in each of them its part, and in the parent, at the end, the exit code.

    `address` is a socket that is bound. Call it before threads or an event loop are started.
    """
    folder = Path(tempfile.mkdtemp(prefix="wellread-"))
    parent = _Parent(settings.server.processes, folder, address, clock)
    process = parent.run()
    if isinstance(process, int):
        shutil.rmtree(folder, ignore_errors=True)
    return process


class _Parent:
    """The process that starts the others."""

    def __init__(self, count: int, folder: Path, address: ServerSocket, clock: Clock) -> None:
        self._count = count
        self._folder = folder
        self._address = address
        self._clock = clock
        self._local = local_socket.listener_at(first_path(folder))
        self._lifeline, self._lifeline_end = os.pipe()
        os.set_blocking(self._lifeline, False)
        self._running: dict[int, tuple[ServerProcess, float]] = {}
        """Process id -> the process, and when it started."""
        self._short_lives = [0] * count
        self._connections, self._running_tasks = SharedCounts(count), SharedCounts(count)
        for index in range(count):
            self._connections.set(index, NOT_SERVING)
        self._exit_code = 0
        self._is_ending = False

    def run(self) -> ServerProcess | int:
        """Start the processes, wait for their end, and replace those that die; returns in each of them, too."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: self._end())
        for index in range(self._count):
            if process := self._start(index, is_replacement=False):
                return process
        while self._running:
            process_id, status = os.wait()
            if process_id not in self._running:
                continue
            dead, started = self._running.pop(process_id)
            self._connections.set(dead.index, NOT_SERVING)
            self._running_tasks.set(dead.index, 0)
            if self._is_ending:
                continue
            exit_code, lived_s = os.waitstatus_to_exitcode(status), self._clock.monotonic() - started - dead.delay_s
            if exit_code > 0 and not dead.is_replacement and lived_s < SHORT_LIFE_S:
                self._end(exit_code)  # the server cannot start, such as for a wrong setting
            elif process := self._replace(dead.index, lived_s):
                return process
        self._address.close()
        self._local.close()
        return self._exit_code

    def _replace(self, index: int, lived_s: float) -> ServerProcess | None:
        """Start a dead process again; where it dies again and again, end the server."""
        self._short_lives[index] = self._short_lives[index] + 1 if lived_s < SHORT_LIFE_S else 0
        if self._short_lives[index] > MAX_SHORT_LIVES:
            self._end(1)
            return None
        return self._start(index, is_replacement=True)

    def _start(self, index: int, *, is_replacement: bool) -> ServerProcess | None:
        """Fork; return the part of the new process in it, and None in the parent."""
        sys.stdout.flush()
        sys.stderr.flush()
        short_lives = self._short_lives[index]
        process = ServerProcess(
            index=index,
            folder=self._folder,
            sockets=(self._address,) if index else (self._address, self._local),
            lifeline=self._lifeline,
            delay_s=min(2.0 ** (short_lives - 2), MAX_DELAY_S) if short_lives > 1 else 0.0,
            count=self._count,
            is_replacement=is_replacement,
            connections=self._connections,
            running_tasks=self._running_tasks,
        )
        process_id = os.fork()
        if process_id:
            self._running[process_id] = (process, self._clock.monotonic())
            return None
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, signal.SIG_DFL)
        with suppress(OSError):  # the parent has closed it already, where a signal came just before
            os.close(self._lifeline_end)
        if index:
            self._local.close()
        return process

    def _end(self, exit_code: int = 0) -> None:
        """Let all processes end: they see the end of the pipe, as they do where this process is killed."""
        if not self._is_ending:
            self._is_ending, self._exit_code = True, exit_code
            os.close(self._lifeline_end)
