"""A lock on a folder that one process at a time works in."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path


def locked(path: Path, activity: str) -> sqlite3.Connection:
    """Lock a file until the connection is closed, or the process ends.

    `activity` is what another process does to the folder then: "crawls into".

    Raises:
        InvalidInput: another process has the lock.
    """
    guard = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
    try:
        guard.execute("begin exclusive")
    except sqlite3.OperationalError as error:
        guard.close()
        raise InvalidInput(
            f"another process {activity} {path.parent}", hint="wait for its end, or name another folder"
        ) from error
    return guard
