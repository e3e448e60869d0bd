"""ZIP archives (APPNOTE 6.3.10): the central directory lists the members, and one of them is unpacked in pieces.

`zipfile` reads the directory, with ZIP64 and data in front (self-extracting archives). Members are unpacked here, for
`zipfile` expands a chunk of bzip2 at once, and does not see in this version of Python that entries overlap.
"""

from __future__ import annotations

import bz2
import struct
import zipfile
import zlib
from datetime import datetime
from io import BytesIO
from typing import TYPE_CHECKING, Final

from wellread.documents.archive.members import (
    MAX_MEMBER_BYTES,
    MAX_MEMBERS,
    PIECE_BYTES,
    Member,
    UnpackedFile,
    byte_limit,
    collected,
    damaged,
    member_label,
    name_key,
    shown_name,
    too_large,
)
from wellread.errors import TooLarge, Unsupported

if TYPE_CHECKING:
    from collections.abc import Iterator

_ENTRY: Final = b"PK\x01\x02"
_END: Final = b"PK\x05\x06"
_END_BYTES: Final = 22
_ZIP64_LOCATOR: Final = b"PK\x06\x07"
_ZIP64_LOCATOR_BYTES: Final = 20
_MAX_COMMENT_BYTES: Final = 65_535
_LOCAL: Final = struct.Struct("<4s5H3I2H")
_LOCAL_SIGNATURE: Final = b"PK\x03\x04"
_ENCRYPTED: Final = 0x1
_UTF8: Final = 0x800
_UNICODE_PATH: Final = 0x7075
_LINK_MODE: Final = 0o120000
_KIND_MASK: Final = 0o170000
_UNIX: Final = 3
_NO_SLASH: Final = str.maketrans("\\", "/")
_PROBLEMS: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    NotImplementedError,
)
"""Errors of `zipfile` and the decompressors on damaged files."""


def is_zip(body: bytes) -> bool:
    """Tell whether a central directory ends the file; any bytes may precede the archive."""
    end = body.rfind(_END, max(0, len(body) - _END_BYTES - _MAX_COMMENT_BYTES))
    if end < 0 or len(body) - end < _END_BYTES:
        return False
    entry_count, directory_bytes = struct.unpack_from("<HI", body, end + 10)
    is_zip64 = body.startswith(_ZIP64_LOCATOR, max(0, end - _ZIP64_LOCATOR_BYTES))
    return entry_count == 0 or is_zip64 or body.startswith(_ENTRY, max(0, end - directory_bytes))


class ZipArchive:
    """A ZIP archive in memory."""

    def __init__(self, body: bytes, source_name: str) -> None:
        """Read the directory; `source_name` names the archive in errors.

        Raises:
            Unsupported: it is damaged.
            TooLarge: it has too many members.
        """
        if body.count(_ENTRY) > MAX_MEMBERS:
            raise TooLarge(
                f"{source_name} has more than {MAX_MEMBERS:,} members", hint="download the archive and unpack it"
            )
        try:
            with zipfile.ZipFile(BytesIO(body)) as archive:
                self._entries = archive.infolist()
                self._directory_start: int = archive.start_dir
        except _PROBLEMS as error:
            raise damaged(source_name, error) from error
        self._body = body
        self._source_name = source_name

    def members(self) -> Iterator[Member]:
        """Yield the files in the order of the directory; folders are left out."""
        for entry in self._entries:
            name = _name(entry)
            if not name.endswith("/"):
                yield Member(shown_name(name), entry.file_size, _modified(entry), _obstacle(entry))

    def read(self, member: str) -> UnpackedFile | None:
        """Return the file with this name, the last one of several; None where there is none.

        Raises:
            Unsupported: it is encrypted, a link, damaged, or packed with an unsupported method.
            TooLarge: it unpacks to more bytes than the limit of a member.
        """
        key = name_key(member.translate(_NO_SLASH))
        entries = [entry for entry in self._entries if name_key(_name(entry)) == key and _name(entry)[-1:] != "/"]
        if not entries:
            return None
        name = shown_name(_name(entries[-1]))
        try:
            return UnpackedFile(name, self._unpacked(entries[-1], name), len(entries))
        except _PROBLEMS as error:
            raise damaged(member_label(name, self._source_name), error) from error

    def _unpacked(self, entry: zipfile.ZipInfo, name: str) -> bytes:
        label = member_label(name, self._source_name)
        obstacle = _obstacle(entry)
        if obstacle == "encrypted":
            raise Unsupported(f"{label} is encrypted with a password", hint="ask for a copy without a password")
        if obstacle:
            raise Unsupported(f"{label} cannot be read: {obstacle}", hint="read the file that the link points to")
        if entry.file_size > MAX_MEMBER_BYTES:
            raise too_large(label, MAX_MEMBER_BYTES)
        packed = self._packed(entry, label)
        body = collected(_pieces(packed, entry.compress_type, label), byte_limit(len(packed), MAX_MEMBER_BYTES), label)
        if len(body) != entry.file_size or zlib.crc32(body) != entry.CRC:
            raise damaged(label, "its length or its checksum is not the one that the directory gives")
        return body

    def _packed(self, entry: zipfile.ZipInfo, label: str) -> memoryview:
        """Return the packed bytes of an entry, when no other entry shares them.

        Overlapping entries make zip bombs (https://www.bamsoftware.com/hacks/zipbomb/), and no program writes them.
        """
        fields = _LOCAL.unpack_from(self._body, entry.header_offset)
        name_bytes, extra_bytes = fields[-2:]
        name_start = entry.header_offset + _LOCAL.size
        if fields[0] != _LOCAL_SIGNATURE:
            raise damaged(label, "there is no file where the directory says")
        local_name = self._body[name_start : name_start + name_bytes]
        if local_name != _raw_name(entry):
            raise damaged(label, "the directory and the file itself give different names")
        start = name_start + name_bytes + extra_bytes
        end = start + entry.compress_size
        if end > self._directory_start or any(_overlaps(other, entry, end) for other in self._entries):
            raise damaged(label, "its bytes belong to other members, too")
        return memoryview(self._body)[start:end]


def _overlaps(other: zipfile.ZipInfo, entry: zipfile.ZipInfo, end: int) -> bool:
    """Tell whether another entry lies in the bytes from the header of `entry` to `end`, or reaches into them."""
    if other is entry:
        return False
    other_end = other.header_offset + _LOCAL.size + other.compress_size
    return entry.header_offset <= other.header_offset < end or other.header_offset <= entry.header_offset < other_end


def _pieces(packed: memoryview, method: int, label: str) -> Iterator[bytes]:
    if method == zipfile.ZIP_STORED:
        for start in range(0, len(packed), PIECE_BYTES):
            yield bytes(packed[start : start + PIECE_BYTES])
    elif method == zipfile.ZIP_DEFLATED:
        yield from _inflated(packed)
    elif method == zipfile.ZIP_BZIP2:
        yield from _bunzipped(packed)
    else:
        hint = "download the archive and unpack it with 7-Zip (`7z x FILE`)"
        raise Unsupported(f"{label} uses a compression method that is not supported (number {method})", hint=hint)


def _inflated(packed: memoryview) -> Iterator[bytes]:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    chunk: bytes = bytes(packed)
    while chunk and not inflater.eof:
        yield inflater.decompress(chunk, PIECE_BYTES)
        chunk = inflater.unconsumed_tail
    yield inflater.flush()


def _bunzipped(packed: memoryview) -> Iterator[bytes]:
    decompressor = bz2.BZ2Decompressor()
    yield decompressor.decompress(bytes(packed), PIECE_BYTES)
    while not decompressor.eof and not decompressor.needs_input:
        yield decompressor.decompress(b"", PIECE_BYTES)


def _raw_name(entry: zipfile.ZipInfo) -> bytes:
    return entry.orig_filename.encode("utf-8" if entry.flag_bits & _UTF8 else "cp437")


def _name(entry: zipfile.ZipInfo) -> str:
    """Return the name, in the encoding that its program used.

    Without the UTF-8 flag a name is in code page 437 (APPNOTE, appendix D). Programs of macOS and Linux write UTF-8
    there nevertheless, and others add the Unicode path field (0x7075).
    """
    name = entry.orig_filename
    if not entry.flag_bits & _UTF8 and not name.isascii():
        raw = _raw_name(entry)
        try:
            name = raw.decode("utf-8")
        except UnicodeDecodeError:
            name = _unicode_path(entry, raw) or name
    return name.partition("\0")[0].translate(_NO_SLASH)


def _unicode_path(entry: zipfile.ZipInfo, raw: bytes) -> str | None:
    """Return the name of the Unicode path field (APPNOTE 4.6.9), if it belongs to this name."""
    extra = entry.extra
    while len(extra) >= 4:
        kind, length = struct.unpack_from("<HH", extra)
        field, extra = extra[4 : 4 + length], extra[4 + length :]
        if kind == _UNICODE_PATH and field[:1] == b"\x01" and len(field) >= 5:
            (checksum,) = struct.unpack_from("<I", field, 1)
            return field[5:].decode("utf-8", "replace") if checksum == zlib.crc32(raw) else None
    return None


def _modified(entry: zipfile.ZipInfo) -> str:
    try:
        return datetime(*entry.date_time).strftime("%Y-%m-%d %H:%M")  # noqa: DTZ001 - the archive's own time, no zone
    except ValueError:
        return ""


def _obstacle(entry: zipfile.ZipInfo) -> str:
    if entry.flag_bits & _ENCRYPTED:
        return "encrypted"
    mode = entry.external_attr >> 16
    if entry.create_system == _UNIX and mode & _KIND_MASK == _LINK_MODE:
        return "symbolic link"
    return ""
