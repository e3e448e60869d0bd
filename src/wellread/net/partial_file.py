"""The file in which a download grows: hidden, beside its target, kept when the download breaks off.

A part belongs to one URL in one folder and, by a lock that dies with its holder, to one download at a time; a second
one at the same time grows in a part of its own, which is never kept. Beside it lies the validator (RFC 9110 section
8.8) of what it holds, so that the rest can be asked for. Everything here blocks, and raises OSError as it comes.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import sys
from contextlib import ExitStack, suppress
from io import FileIO
from typing import TYPE_CHECKING

from wellread.net.filenames import numbered_names

if TYPE_CHECKING:
    from pathlib import Path

PIECE = 1_048_576
_VALIDATOR = re.compile(r"[\x20-\x7e\x80-\xff]{1,1000}")
_FLAGS = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)

if sys.platform == "win32":

    def _lock(_file: FileIO) -> bool:
        return False  # without a lock that dies with its holder, nothing is kept

else:
    import fcntl

    def _lock(file: FileIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:  # somebody holds it, or the filesystem has no locks
            return False
        return True


class Part:
    """An open partial file; `size` and `digest` cover the written bytes, `validator` names the file they belong to."""

    def __init__(self, folder: Path, url: str) -> None:
        """Open the part of an earlier download that broke off, or an empty one."""
        self.folder = folder
        key = hashlib.sha256(url.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        self.path = folder / f".wellread-{key}.part"
        self._validator_path = folder / f".wellread-{key}.json"
        self._file, self._is_locked = self._open()
        self.validator = self._stored_validator() if self._is_locked else None
        self.size = os.fstat(self._file.fileno()).st_size if self.validator else 0
        self._hash = hashlib.sha256()
        self._published = False

    @property
    def digest(self) -> str:
        """The SHA-256 of the written bytes, in hexadecimal."""
        return self._hash.hexdigest()

    @property
    def resumable(self) -> bool:
        """Return whether the rest can be asked for later."""
        return self.size > 0 and self.validator is not None

    def restart(self, validator: str | None) -> None:
        """Forget the written bytes; the next ones belong to the file that `validator` names, if it can be named."""
        if self._is_locked:
            self._validator_path.unlink(missing_ok=True)
        self._file.seek(0)
        self._file.truncate()
        self.size = 0
        self._hash = hashlib.sha256()
        self.validator = validator if self._is_locked else None
        if self.validator:
            with self._validator_path.open("x", encoding="utf-8") as note:  # follows no link
                json.dump({"validator": self.validator}, note)

    def resume(self, size: int) -> None:
        """Go on after the first `size` bytes."""
        self._hash = hashlib.sha256()
        self._file.seek(0)
        bytes_left = size
        while bytes_left and (piece := self._file.read(min(PIECE, bytes_left))):
            self._hash.update(piece)
            bytes_left -= len(piece)
        if bytes_left:
            raise OSError(f"{self.path} has become shorter meanwhile")
        self._file.truncate()
        self.size = size

    def append(self, data: bytes) -> None:
        """Write the next piece."""
        remaining = memoryview(data)
        while remaining:  # unbuffered: when the disk is full, what is in the file is what came
            remaining = remaining[self._file.write(remaining) :]
        self._hash.update(data)
        self.size += len(data)

    def publish(self, name: str, *, overwrite: bool) -> Path:
        """Give the file its name in one step, or the next free one; it is on the disk then. Nothing is left here."""
        os.fsync(self._file.fileno())
        if sys.platform == "win32":
            self._file.close()  # an open file cannot be renamed there
        target = self.folder / name if overwrite else reserved(self.folder, name)
        try:
            self.path.replace(target)
        except OSError:
            if not overwrite:
                target.unlink(missing_ok=True)
            raise
        self._published = True
        if self._is_locked:
            self._validator_path.unlink(missing_ok=True)
        self._sync_folder()
        return target

    def discard(self) -> None:
        """Keep nothing."""
        self.validator = None

    def close(self) -> None:
        """Let go of the file. It stays where the rest can be asked for, else it is removed."""
        try:
            if not self._published and not self.resumable:
                self.path.unlink(missing_ok=True)
                if self._is_locked:
                    self._validator_path.unlink(missing_ok=True)
        finally:
            self._file.close()

    def _open(self) -> tuple[FileIO, bool]:
        while True:
            with ExitStack() as stack:
                file = stack.enter_context(FileIO(os.open(self.path, _FLAGS, 0o666), "r+"))
                if not _lock(file):
                    break
                if self._is_current(file):
                    stack.pop_all()
                    return file, True
        self.path = self.path.with_stem(f"{self.path.stem}-{secrets.token_hex(4)}")
        return FileIO(os.open(self.path, _FLAGS | os.O_EXCL, 0o666), "r+"), False

    def _is_current(self, file: FileIO) -> bool:
        """Return whether the locked file is still in its place: its last holder may have published or removed it."""
        try:
            return os.path.samestat(os.fstat(file.fileno()), self.path.stat())
        except FileNotFoundError:
            return False

    def _stored_validator(self) -> str | None:
        try:
            note = json.loads(self._validator_path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        if not isinstance(note, dict):
            return None
        validator = note.get("validator")
        if not isinstance(validator, str) or not _VALIDATOR.fullmatch(validator):
            return None
        return validator

    def _sync_folder(self) -> None:
        if sys.platform != "win32":
            folder = os.open(self.folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)


def reserved(folder: Path, name: str) -> Path:
    """Take the first free name by an empty file, which nobody else can then take; a link is not free.

    Raises:
        OSError: the folder cannot be written.
    """
    for candidate in numbered_names(name):
        target = folder / candidate
        with suppress(FileExistsError):
            target.touch(exist_ok=False)
            return target
    raise AssertionError("there is always a next name")
