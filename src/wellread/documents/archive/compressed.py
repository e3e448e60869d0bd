"""Files compressed as a whole (gzip, bzip2, xz, Zstandard), unpacked as a stream of bounded length."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from io import BytesIO
from typing import TYPE_CHECKING, Final, Protocol

import zstandard

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

ZSTD_WINDOW_BYTES: Final = 1 << 27
"""As the `zstd` command accepts without `--long=31`."""
PROBLEMS: Final = (
    EOFError,
    OSError,
    ValueError,
    OverflowError,
    zlib.error,
    lzma.LZMAError,
    zstandard.ZstdError,
)
"""Errors of the decompressors on damaged files."""


class Readable(Protocol):
    """A stream of unpacked bytes."""

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, none at the end."""


def _gzip(file: IO[bytes]) -> Readable:
    return gzip.GzipFile(fileobj=file)


def _bzip2(file: IO[bytes]) -> Readable:
    return bz2.BZ2File(file)


def _xz(file: IO[bytes]) -> Readable:
    return lzma.LZMAFile(file)


def _zstd(file: IO[bytes]) -> Readable:
    decompressor = zstandard.ZstdDecompressor(max_window_size=ZSTD_WINDOW_BYTES)
    return decompressor.stream_reader(file, read_across_frames=True)


_OPENERS: Final[tuple[tuple[bytes, Callable[[IO[bytes]], Readable]], ...]] = (
    (b"\x1f\x8b", _gzip),
    (b"BZh", _bzip2),
    (b"\xfd7zXZ\x00", _xz),
    (b"\x28\xb5\x2f\xfd", _zstd),
)
SUFFIXES: Final = (".gz", ".bz2", ".xz", ".zst")


class LimitReached(Exception):
    """A compressed file unpacks to more bytes than it may."""


class BoundedStream:
    """Unpacked bytes, at most `max_bytes`; then reading raises `LimitReached`."""

    def __init__(self, file: Readable, max_bytes: int) -> None:
        """Take the file to read from."""
        self._file = file
        self._left = max_bytes

    def read(self, size: int, /) -> bytes:
        """Return at most `size` bytes, none at the end.

        Raises:
            LimitReached: there are more bytes than the limit.
        """
        piece = self._file.read(size)
        self._left -= len(piece)
        if self._left < 0:
            raise LimitReached
        return piece


def is_compressed(body: bytes) -> bool:
    """Tell whether `body` is compressed as a whole with a supported method."""
    return body.startswith(tuple(magic for magic, _ in _OPENERS))


def unpacked_stream(body: bytes, max_bytes: int) -> BoundedStream:
    """Return the unpacked bytes of `body`, for which `is_compressed` is true."""
    opener = next(opener for magic, opener in _OPENERS if body.startswith(magic))
    return BoundedStream(opener(BytesIO(body)), max_bytes)


def stored_name(body: bytes) -> str:
    """Return the file name in a gzip header (RFC 1952 section 2.3.1), or an empty text."""
    if not body.startswith(b"\x1f\x8b") or len(body) < 10 or not body[3] & 0x08:
        return ""
    start = 10
    if body[3] & 0x04:
        start += 2 + int.from_bytes(body[10:12], "little")
    return body[start : start + 256].partition(b"\0")[0].decode("latin-1").rpartition("/")[2]
