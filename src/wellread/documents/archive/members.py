"""Members of archives: their description, the key that compares their names, and the limits of unpacking."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.documents.archive_urls import join
from wellread.errors import TooLarge, Unsupported
from wellread.text.characters import on_one_line

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_MEMBERS: Final = 100_000
"""Members of a ZIP archive; more are refused."""
MAX_MEMBER_BYTES: Final = 50_000_000
"""Of one member, unpacked."""
MAX_STREAM_BYTES: Final = 200_000_000
"""Of a compressed tar file, unpacked; members beyond are not listed."""
FREE_BYTES: Final = 10_000_000
"""Unpacked at any ratio: small tables of few values are packed a thousandfold."""
MAX_RATIO: Final = 200
"""Unpacked to packed bytes, beyond `FREE_BYTES`. Deflate reaches 1,032, and text seldom 20."""
MAX_NAME_CHARS: Final = 1_024
"""Of a name: no file system has longer ones, and a tar header may have a name of a gigabyte (pax)."""
PIECE_BYTES: Final = 1 << 16
"""Unpacked in one step."""


class Member(NamedTuple):
    """A file of an archive, as its directory or header describes it."""

    name: str
    """With `/` between folders, without `./` in front and without invisible characters."""
    size: int
    """Bytes, unpacked, as the archive claims."""
    modified: str
    """`2024-01-31 12:00`, in the time of the archive; empty where it is not given."""
    obstacle: str = ""
    """Why it cannot be read, for example `symbolic link to a.txt`; empty for most."""


class UnpackedFile(NamedTuple):
    """The bytes of one member, or of a file that is compressed alone."""

    name: str
    body: bytes
    same_name_count: int = 1
    """Members with this name; the last one is read, because it would replace the others on a disk."""
    problem: str = ""
    """Why the bytes are not the whole file; empty if they are."""


def shown_name(name: str) -> str:
    """Return the name of a member as it is listed, at most `MAX_NAME_CHARS` of it."""
    return on_one_line(name[:MAX_NAME_CHARS]).removeprefix("./")


def name_key(name: str) -> str:
    """Return the key that is equal for spellings of a name: no leading dot or slash, composed letters (NFC)."""
    return unicodedata.normalize("NFC", shown_name(name).lstrip("/"))


def byte_limit(packed_bytes: int, max_bytes: int) -> int:
    """Return the limit of unpacked bytes for `packed_bytes`."""
    return min(max_bytes, max(FREE_BYTES, MAX_RATIO * packed_bytes))


def collected(pieces: Iterable[bytes], max_bytes: int, name: str) -> bytes:
    """Join pieces of at most `PIECE_BYTES`.

    Raises:
        TooLarge: they are more than `max_bytes`.
    """
    unpacked = bytearray()
    for piece in pieces:
        unpacked += piece
        if len(unpacked) > max_bytes:
            raise too_large(name, max_bytes)
    return bytes(unpacked)


def member_label(name: str, source_name: str) -> str:
    """Return how an error names a member: by its address where the archive has one, which encodes blanks and quotes."""
    if "://" in source_name:
        return join(source_name, name)
    return f"{name} in {source_name}"


def too_large(name: str, max_bytes: int) -> TooLarge:
    """Return the error for a member that unpacks to more than `max_bytes`."""
    hint = "download the archive and unpack it with care; it may be made to fill the memory or the disk"
    return TooLarge(f"{name} unpacks to more than {max_bytes:,} bytes", hint=hint)


def damaged(name: str, reason: object) -> Unsupported:
    """Return the error for an archive, or a member of it, that cannot be unpacked."""
    return Unsupported.damaged(name, "archive", reason)
