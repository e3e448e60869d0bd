"""A real PostgreSQL server on loopback for tests, run by a user without privileges; or the reason why there is none."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import uuid
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.net.postgres import PostgresConnection

_DEBIAN = Path("/usr/lib/postgresql")
_MEMORY = Path("/dev/shm")
_MIN_MEMORY_BYTES = 1 << 30
"""Of the file system in memory: a server takes 150 MB there, and each worker of xdist starts one."""
_OPTIONS = (
    "fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0",
    "autovacuum=off", "max_wal_size=64MB", "min_wal_size=32MB", "listen_addresses=127.0.0.1",
    "unix_socket_directories=",
)  # fmt: skip
"""Nothing has to survive a crash of the machine."""


def binaries() -> Path | None:
    """Return the folder of initdb and pg_ctl, the newest that is installed; Debian keeps them off the PATH."""
    found = [path.parent for path in sorted(_DEBIAN.glob("*/bin/initdb"), key=lambda path: int(path.parts[4]))]
    if not found and (named := shutil.which("initdb")):
        found = [Path(named).resolve().parent]
    return found[-1] if found else None


@dataclass(frozen=True)
class Postgres:
    """A running server."""

    port: int
    folder: Path

    @contextmanager
    def database(self, *, template: str = "template1") -> Iterator[str]:
        """Make a new database, empty or a copy of `template`, yield its URL, and drop it."""
        name = f"t{uuid.uuid4().hex}"
        self._tell(f"CREATE DATABASE {name} TEMPLATE {template}")
        yield f"postgresql://wellread@127.0.0.1:{self.port}/{name}"
        self._tell(f"DROP DATABASE {name} WITH (FORCE)")

    def _tell(self, statement: str) -> None:
        found = binaries()
        assert found is not None
        server = ["-h", "127.0.0.1", "-p", str(self.port), "-U", "wellread"]
        command = [str(found / "psql"), *server, "-qc", statement, "postgres"]
        subprocess.run(command, check=True, capture_output=True, timeout=60)


@contextmanager
def serving() -> Iterator[Postgres]:
    """Start a server in a folder of its own, and stop it."""
    found = binaries()
    assert found is not None
    folder = Path(tempfile.mkdtemp(prefix="wellread-postgres-", dir=_folder_in_memory()))
    user = None
    if os.getuid() == 0:  # the server refuses to run as root
        user = "postgres" if "postgres" in {each.pw_name for each in pwd.getpwall()} else "nobody"
        shutil.chown(folder, user)
    port = _free_port()

    def run(*words: str | Path) -> None:
        subprocess.run(
            words, check=True, user=user, cwd=folder, timeout=60, env={"PATH": os.environ["PATH"], "LC_ALL": "C"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    data = folder / "data"
    run(found / "initdb", "-D", data, "-U", "wellread", "-A", "trust", "-E", "UTF8", "--no-sync")
    options = " ".join([f"-p {port}", *(f"-c {option}" for option in _OPTIONS)])
    run(found / "pg_ctl", "-D", data, "-w", "-l", folder / "log", "-o", options, "start")
    try:
        yield Postgres(port, folder)
    finally:
        run(found / "pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")
        shutil.rmtree(folder)


def _folder_in_memory() -> Path | None:
    """Return a folder in memory, where a database is made in a third of the time; None where it has little space."""
    try:
        space = os.statvfs(_MEMORY)
    except OSError:
        return None
    return _MEMORY if space.f_bavail * space.f_frsize >= _MIN_MEMORY_BYTES and os.access(_MEMORY, os.W_OK) else None


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


async def counted(database: PostgresConnection, rows: str, count: int) -> None:
    """Return when there are as many rows."""
    while database.run(f"select count(*) {rows}") != [[count]]:  # noqa: ASYNC110 - no event of ours
        await anyio.sleep(0.01)  # another process changes them
