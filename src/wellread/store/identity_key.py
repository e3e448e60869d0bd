"""The key of the hashes that keep the pages of signed-in reads apart: random, one per cache, in a private file."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from pathlib import Path

FILE_NAME: Final = "identity.key"
KEY_BYTES: Final = 32


def identity_key(folder: Path | None) -> bytes:
    """Return the key of the cache in `folder`, which is made with the first use.

    Without a folder, or where it cannot be written, the key lasts as long as the process: pages of signed-in reads are
    then read again by the next one.
    """
    if folder is None:
        return os.urandom(KEY_BYTES)
    path = folder / FILE_NAME
    with suppress(OSError):
        if not path.exists():
            _write_key(path)
        key = path.read_bytes()
        if len(key) == KEY_BYTES:
            return key
    return os.urandom(KEY_BYTES)


def _write_key(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{FILE_NAME}.{os.urandom(4).hex()}")
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(os.urandom(KEY_BYTES))
    try:
        with suppress(FileExistsError):
            os.link(part, path)  # whole or not at all, and never over the key of another process
    finally:
        part.unlink()
