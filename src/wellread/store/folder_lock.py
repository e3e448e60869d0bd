"""Locks on folders and files that one process at a time works on."""

from __future__ import annotations

import hashlib
import os
import sqlite3
import weakref
from contextlib import suppress
from typing import TYPE_CHECKING

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

_MAX_NAME_BYTES = 255
"""Of a file, on nearly all filesystems."""
_TRIES = 10


def locked(path: Path, activity: str, *, output: Path | None = None) -> sqlite3.Connection:
    """Lock a file until the connection is closed, or the process ends.

    `activity` is what another process does then to `output`, or to the folder of the file: "crawls into".

    Raises:
        InvalidInput: another process has the lock.
        sqlite3.OperationalError: the file cannot be made.
    """
    guard = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        guard.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        guard.close()
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        raise InvalidInput(
            f"another process {activity} {output or path.parent}", hint="wait for its end, or name another output"
        ) from error
    return guard


class OutputLock:
    """A lock on an output, a file or a folder; its lock file is removed with it, also at the end of the process."""

    def __init__(self, output: Path) -> None:
        """Lock the output; where no file can be made beside it, nothing is locked.

        Raises:
            InvalidInput: another process writes to it, or a link has the name of the lock file.
        """
        path = output / ".lock" if output.is_dir() else output.with_name(_lock_name(output.name))
        if path.is_symlink():  # the user has not named this path: no link is followed
            raise InvalidInput(f"{path} is a link", hint="remove the link, or name another output")
        self.release = weakref.finalize(self, _remove, path, _acquired(path, output))
        """Removes the lock file, and lets other processes write."""


def _acquired(path: Path, output: Path) -> sqlite3.Connection | None:
    with suppress(sqlite3.OperationalError):
        for _ in range(_TRIES):
            guard = locked(path, "writes to", output=output)
            if path.exists():
                return guard
            guard.close()  # the process that had the lock has removed the file meanwhile
    return None


def _remove(path: Path, guard: sqlite3.Connection | None) -> None:
    if guard is None:
        return
    with suppress(OSError):  # some systems remove no file that is open
        path.unlink(missing_ok=True)
    guard.close()


def _lock_name(name: str) -> str:
    lock_name = f".{name}.lock"
    if len(os.fsencode(lock_name)) > _MAX_NAME_BYTES:
        return f".{hashlib.sha256(os.fsencode(name)).hexdigest()}.lock"
    return lock_name
