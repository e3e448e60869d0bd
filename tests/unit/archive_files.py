"""Builds archives as bytes, well-formed and hostile."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile
import zlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

TEXT: Final = "Low water is at half past nine, and the causeway is dry until noon. "


def zip_file(members: Mapping[str, str | bytes], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return a ZIP archive."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as archive:
        for name, body in members.items():
            archive.writestr(zipfile.ZipInfo(name, (2024, 1, 31, 12, 5, 0)), body, method)
    return out.getvalue()


def tar_file(members: Mapping[str, str | bytes], extra: Sequence[tarfile.TarInfo] = ()) -> bytes:
    """Return an uncompressed tar archive; `extra` are members without content."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as archive:
        for name, body in members.items():
            content = body.encode() if isinstance(body, str) else body
            header = tarfile.TarInfo(name)
            header.size = len(content)
            header.mtime = 1_706_702_700
            archive.addfile(header, io.BytesIO(content))
        for header in extra:
            archive.addfile(header)
    return out.getvalue()


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    """Return a link or a device."""
    header = tarfile.TarInfo(name)
    header.type = kind
    header.linkname = target
    return header


def raw_zip(entries: Sequence[RawEntry], *, prefix: bytes = b"") -> bytes:
    """Return a ZIP archive of hand-made entries."""
    body = bytearray(prefix)
    directory = bytearray()
    for entry in entries:
        offset = len(body) if entry.offset is None else entry.offset
        if entry.offset is None:
            body += entry.local()
        directory += entry.central(offset)
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, len(entries), len(entries), len(directory), len(body), 0)
    return bytes(body + directory + end)


class RawEntry:
    """An entry of a ZIP archive whose fields need not agree."""

    def __init__(
        self,
        name: bytes,
        content: bytes,
        *,
        flags: int = 0,
        method: int = 8,
        claimed_bytes: int | None = None,
        packed: bytes | None = None,
        local_name: bytes | None = None,
        offset: int | None = None,
    ) -> None:
        """Take the fields; `offset` points to the data of another entry, and none is written."""
        compressor = zlib.compressobj(9, zlib.DEFLATED, -15)
        deflated = compressor.compress(content) + compressor.flush()
        self.name = name
        self.packed = packed if packed is not None else deflated if method == 8 else content
        self.flags = flags
        self.method = method
        self.size = len(content) if claimed_bytes is None else claimed_bytes
        self.checksum = zlib.crc32(content)
        self.local_name = name if local_name is None else local_name
        self.offset = offset

    def local(self) -> bytes:
        """Return the header and the data; with flag 8 the sizes follow in a data descriptor."""
        sizes = (0, 0, 0) if self.flags & 8 else (self.checksum, len(self.packed), self.size)
        head = struct.pack("<4s5H3I2H", b"PK\x03\x04", 20, self.flags, self.method, 0, 33, *sizes, len(self.name), 0)
        trailer = b""
        if self.flags & 8:
            trailer = struct.pack("<4s3I", b"PK\x07\x08", self.checksum, len(self.packed), self.size)
        return head + self.local_name + self.packed + trailer

    def central(self, offset: int) -> bytes:
        """Return the entry of the directory."""
        fields = (20, 20, self.flags, self.method, 0, 33, self.checksum, len(self.packed), self.size)
        sizes = (len(self.name), 0, 0, 0, 0, 0, offset)
        return struct.pack("<4s6H3I5H2I", b"PK\x01\x02", *fields, *sizes) + self.name
