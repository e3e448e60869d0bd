"""Divides a WARC file into ranges of bytes that begin with records, so that several processes read one file."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, BinaryIO, Final

from wellread.net import warc

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_GZIP_MEMBER: Final = re.compile(rb"\x1f\x8b\x08")
_PLAIN_RECORD: Final = re.compile(rb"(?<=\r\n\r\n)WARC/1\.")
_GZIP_FORMAT: Final = 31
"""The `wbits` of zlib for gzip."""
_START: Final = b"WARC/1."
_WINDOW: Final = 1 << 16
_OVERLAP: Final = 1 << 10
"""Bytes in which the first line of a compressed record shows; longer gzip headers are not met."""


def record_ranges(path: Path, range_bytes: int) -> Iterator[tuple[int, int | None]]:
    """Yield the start and the end of consecutive ranges of a file, each of about `range_bytes`; the last has no end.

    A range begins where a record seems to begin: text of a page may look like a record. Only the walk of the range
    before says for certain where the next record is (`warc.RecordIterator.stop`).

    Raises:
        InvalidInput: the file cannot be read.
    """
    with warc.reading(path), path.open("rb") as file:
        if not file.seekable():
            yield 0, None
            return
        compressed = file.read(2) == warc.GZIP
        start = 0
        while (end := _next_record(file, start + range_bytes, compressed=compressed)) is not None:
            yield start, end
            start = end
        yield start, None


def _next_record(file: BinaryIO, offset: int, *, compressed: bool) -> int | None:
    """Return where the first record at or after `offset` seems to begin; None where none follows."""
    pattern = _GZIP_MEMBER if compressed else _PLAIN_RECORD
    while True:
        file.seek(offset)
        window = file.read(_WINDOW)
        is_last = len(window) < _WINDOW
        for match in pattern.finditer(window):
            if not compressed or _begins_record(window[match.start() : match.start() + _OVERLAP]):
                return offset + match.start()
        if is_last:
            return None
        offset += _WINDOW - _OVERLAP


def _begins_record(member: bytes) -> bool:
    """Return whether a compressed member begins with a WARC record."""
    try:
        return zlib.decompressobj(_GZIP_FORMAT).decompress(member, len(_START)) == _START
    except zlib.error:
        return False
