"""Reads single files of a ZIP archive within limits, whatever their sizes are declared to be.

EPUB and OpenDocument files are such archives (OCF 3.3, section 4; ODF 1.3 part 2). Only the files that a reader asks
for are unpacked, each up to a limit, and all of them up to a limit of their own.
"""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote

from wellread.errors import TooLarge, Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_FILES: Final = 20_000
MAX_TOTAL_BYTES: Final = 100_000_000
"""Unpacked, of all files that are read together."""
MAX_NAME_CHARS: Final = 2_000

_ENTRY: Final = b"PK\x01\x02"
_COMPRESSIONS: Final = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})
_DAMAGE: Final = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError, NotImplementedError, RuntimeError)


class ZipFileContent(NamedTuple):
    """The content of one file."""

    content: bytes
    is_cut: bool
    """The file is longer than what was read of it."""


class ZipReader:
    """A ZIP archive in memory."""

    def __init__(self, body: bytes, where: str, kind: str) -> None:
        """Open the archive; `where` and `kind` name it and its format in errors.

        Raises:
            Unsupported: the archive is damaged.
            TooLarge: it has more than `MAX_FILES` files.
        """
        if body.count(_ENTRY) > MAX_FILES:
            raise TooLarge(f"{where} holds more than {MAX_FILES:,} files", hint="")
        try:
            self._archive = zipfile.ZipFile(BytesIO(body))
        except _DAMAGE as error:
            raise Unsupported.damaged(where, kind, error) from error
        self._entries: dict[str, zipfile.ZipInfo] = {}
        self._folded: dict[str, str] = {}
        for entry in self._archive.infolist():
            name = entry.filename.replace("\\", "/").lstrip("/")
            self._entries.setdefault(name, entry)
            self._folded.setdefault(name.casefold(), name)
        self._bytes_left = MAX_TOTAL_BYTES

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the files in the order of the archive."""
        return iter(self._entries)

    def find(self, name: str) -> str | None:
        """Return the name that the archive has for `name`: as it is, with percent-encoding undone, in another case."""
        if len(name) > MAX_NAME_CHARS:
            return None
        for candidate in (name, unquote(name)):
            if candidate in self._entries:
                return candidate
        return self._folded.get(unquote(name).casefold())

    def read(self, name: str, max_bytes: int) -> ZipFileContent | None:
        """Return at most `max_bytes` of a file; None where it is missing, damaged or encrypted by ZIP itself."""
        known_name = self.find(name)
        if known_name is None:
            return None
        entry = self._entries[known_name]
        if entry.flag_bits & 1 or entry.compress_type not in _COMPRESSIONS:
            return None
        limit = min(max_bytes, self._bytes_left)
        try:
            with self._archive.open(entry) as file:
                content = file.read(limit + 1)
        except _DAMAGE:
            return None
        self._bytes_left -= min(len(content), limit)
        return ZipFileContent(content[:limit], len(content) > limit)


def resolve_reference(folder: str, target: str) -> str:
    """Return the name in the archive that `target` refers to, a relative reference from a file in `folder`."""
    path = target.partition("#")[0].partition("?")[0].replace("\\", "/")
    steps = [] if path.startswith("/") or not folder else folder.split("/")
    for step in path.split("/"):
        if step == "..":
            del steps[-1:]
        elif step not in {"", "."}:
            steps.append(step)
    return "/".join(steps)
