"""Tar archives, compressed or not, read as a stream: headers one after the other, nothing written anywhere."""

from __future__ import annotations

import tarfile
from datetime import UTC, datetime
from io import BytesIO
from tarfile import HeaderError, ReadError, TarFile
from typing import TYPE_CHECKING, Final, Self

from wellread.documents.archive import compressed
from wellread.documents.archive.compressed import LimitReached
from wellread.documents.archive.members import (
    MAX_MEMBER_BYTES,
    MAX_STREAM_BYTES,
    Member,
    UnpackedFile,
    byte_limit,
    damaged,
    member_label,
    name_key,
    shown_name,
    too_large,
)
from wellread.errors import TooLarge, Unsupported, without_quotations

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import IO

BLOCK_BYTES: Final = 512
MAX_HEADERS: Final = 50_000
"""Members of an archive that are examined: `tarfile` takes 70 microseconds for each."""
_MAGIC: Final = b"ustar"
_MAGIC_OFFSET: Final = 257
_PROBLEMS: Final = (tarfile.TarError, *compressed.PROBLEMS)
_ENDS: Final = frozenset({"EOFHeaderError", "EmptyHeaderError"})


def is_tar(start: bytes) -> bool:
    """Tell by its first block whether a file is a tar archive: by the magic of POSIX and GNU, or by the checksum."""
    if start.startswith(_MAGIC, _MAGIC_OFFSET):
        return True
    try:
        tarfile.TarInfo.frombuf(start[:BLOCK_BYTES], "utf-8", "replace")
    except tarfile.TarError:
        return False
    return True


class _CheckedHeader(tarfile.TarInfo):
    """A header that raises an error for any damage: in the middle of an archive `tarfile` ends without an error."""

    @classmethod
    def fromtarfile(cls, tarfile: TarFile) -> Self:
        """Read the next header.

        Raises:
            ReadError: it is damaged.
        """
        try:
            return super().fromtarfile(tarfile)
        except HeaderError as error:
            if type(error).__name__ in _ENDS:
                raise
            raise ReadError(str(error)) from error


class TarArchive:
    """A tar archive in memory, compressed or not."""

    def __init__(self, body: bytes, source_name: str) -> None:
        """Take the bytes; `source_name` names the archive in errors."""
        self._body = body
        self._source_name = source_name
        self.cut = ""
        """Why the last pass has not reached the end; empty if it has."""
        self._scanned: list[Member] | None = None

    def members(self) -> list[Member]:
        """Return the files in their order; folders are left out. After `cut`, there may be more.

        Raises:
            Unsupported: it is damaged before the first member.
        """
        if self._scanned is None:
            self._scanned = [_member(header) for _, header in self._files()]
        return self._scanned

    def read(self, member: str) -> UnpackedFile | None:
        """Return the file with this name, the last one of several; None where there is none.

        Raises:
            Unsupported: it is a link or a device, or damaged.
            TooLarge: it has more bytes than a member may, or may lie beyond the limit of the archive.
        """
        key = name_key(member)
        unpacked_file: UnpackedFile | None = None
        count = 0
        scanned: list[Member] = []
        try:
            for archive, header in self._files():
                scanned.append(_member(header))
                if name_key(header.name) == key:
                    count += 1
                    unpacked_file = UnpackedFile(shown_name(header.name), self._content(archive, header), count)
        except LimitReached as error:
            raise too_large(self._source_name, self._max_bytes()) from error
        except _PROBLEMS as error:
            raise damaged(self._source_name, error) from error
        if unpacked_file is None and self.cut:
            hint = "download the archive and unpack it"
            raise TooLarge(
                f"{member_label(member[:200], self._source_name)} was not found before {self.cut}", hint=hint
            )
        self._scanned = scanned
        return unpacked_file

    def _files(self) -> Iterator[tuple[TarFile, tarfile.TarInfo]]:
        """Yield the headers of all members except folders, each with the archive that its content is read from."""
        count = 0
        self.cut = ""
        try:
            with self._opened() as archive:
                for header in archive:
                    archive.members.clear()  # type: ignore[attr-defined]  # else it keeps every header
                    count += 1
                    if count > MAX_HEADERS:
                        self.cut = f"the limit of {MAX_HEADERS:,} members"
                        return
                    if not header.isdir():
                        yield archive, header
        except LimitReached:
            self.cut = f"the limit of {self._max_bytes():,} bytes, unpacked"
        except _PROBLEMS as error:
            if not count:
                raise damaged(self._source_name, error) from error
            self.cut = f"its damage: {without_quotations(str(error))}"

    def _opened(self) -> tarfile.TarFile:
        file: IO[bytes] = BytesIO(self._body)
        if compressed.is_compressed(self._body):
            file = compressed.unpacked_stream(self._body, self._max_bytes())  # type: ignore[assignment]  # raw IO
        return tarfile.open(fileobj=file, mode="r|", tarinfo=_CheckedHeader, encoding="utf-8", errors="replace")

    def _max_bytes(self) -> int:
        return byte_limit(len(self._body), MAX_STREAM_BYTES)

    def _content(self, archive: tarfile.TarFile, header: tarfile.TarInfo) -> bytes:
        label = member_label(shown_name(header.name), self._source_name)
        obstacle = _obstacle(header)
        if obstacle:
            kind, _, target = obstacle.partition(" to ")
            if target:
                kind = f"{kind} to {member_label(target, self._source_name)}"
            raise Unsupported(f"{label} cannot be read: {kind}", hint="read the file that the link points to")
        if header.size > MAX_MEMBER_BYTES:
            raise too_large(label, MAX_MEMBER_BYTES)
        content = archive.extractfile(header)
        body = content.read(header.size) if content else b""
        if len(body) != header.size:
            raise damaged(label, "it is shorter than its header says")
        return body


def _member(header: tarfile.TarInfo) -> Member:
    return Member(shown_name(header.name), header.size, _modified(header), _obstacle(header))


def _modified(header: tarfile.TarInfo) -> str:
    try:
        return datetime.fromtimestamp(header.mtime, UTC).strftime("%Y-%m-%d %H:%M UTC") if header.mtime else ""
    except (OverflowError, OSError, ValueError):
        return ""


def _obstacle(header: tarfile.TarInfo) -> str:
    if header.issym():
        return f"symbolic link to {shown_name(header.linkname)}"
    if header.islnk():
        return f"link to {shown_name(header.linkname)}"
    if header.issparse():
        return "sparse file"
    return "" if header.isreg() else "device or pipe"
