"""Reads and writes records of WARC files (ISO 28500): all of a file, one by its offset, the bytes of a new one.

Knows nothing of requests and URLs. Walking is ours, for warcio's iterator prints damage on stderr and goes on; warcio's
parts (inflating reader, writer) do the work.
"""

from __future__ import annotations

import re
import zlib
from contextlib import ExitStack, contextmanager
from io import BytesIO
from typing import TYPE_CHECKING, BinaryIO, Literal, NamedTuple, Protocol
from uuid import uuid4

from warcio.bufferedreaders import BufferedReader
from warcio.limitreader import LimitReader
from warcio.recordloader import ArcWarcRecord
from warcio.statusandheaders import StatusAndHeaders
from warcio.utils import Digester
from warcio.warcwriter import WARCWriter

from wellread.errors import InvalidInput, reason_line
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from wellread.types import Headers

PIECE = 1 << 18
MAX_LINE = 1 << 16
MAX_HEAD_LINES = 1_000
MAX_FIELD_BYTES = 1 << 18
"""Of all fields of a record. The longest have a URL of some kilobytes."""
MAX_HEAD_BYTES = 1 << 16
"""Of the HTTP head of a response, beside the limit of its body."""
_LONGEST_REQUEST = 10_000_000
"""A compressed record may claim to hold gigabytes."""
_FIRST_BYTES = 256

GZIP = b"\x1f\x8b"
_NOT_READ = "the records after this place were not read; if the file was downloaded, download it again"
_VERSION = b"WARC/"
_STATUS = re.compile(rb"HTTP/([0-9.]+)[ \t]+([0-9]{3})(?:[ \t]+(.*))?")
_CHUNK = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;.*)?\r?\n")


class Openable(Protocol):
    """A file to read: a path, or a file of another store, with its name as its string."""

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        """Open it for reading."""


class RecordSummary(NamedTuple):
    """The offset, the header fields and the first bytes of a record."""

    offset: int
    fields: Headers
    start: bytes
    """The first bytes of its block; of a request, all that any client sends."""
    is_whole: bool
    """Whether `start` is all of the block."""

    @property
    def kind(self) -> str:
        """Return the WARC-Type, as `response`."""
        return (header(self.fields, "WARC-Type") or "").lower()


class HttpHead(NamedTuple):
    """The head of an HTTP answer as it was recorded."""

    version: str
    status: int
    reason: str
    headers: Headers


class TruncatedBody(Exception):
    """A body ends before it is whole."""


# ---------------------------------------------------------------------------------------------------- reading


class RecordIterator:
    """The whole records of a file, in order. Afterwards `torn` says whether half a record follows them.

    Iterating raises InvalidInput where the file is not a WARC, or is damaged before its end.
    """

    def __init__(
        self, path: Openable, *, start: int = 0, end: int | None = None, response_bytes: int = _FIRST_BYTES
    ) -> None:
        """Take the file, and the range of it in which records begin; `start` must be the offset of a record.

        `response_bytes` limits `RecordSummary.start` of responses.
        """
        self.path = path
        self.torn = False
        self.whole_bytes = 0
        """Where half a record begins, in a file that is torn."""
        self.stop = start
        """Where the first record outside of the range begins, or the file ends."""
        self.compressed = False
        self._start = start
        self._end = end
        self._start_bytes = {"request": _LONGEST_REQUEST, "response": response_bytes}

    def __iter__(self) -> Iterator[RecordSummary]:
        """Read the range once, from its start."""
        offset = self._start
        with reading(self.path), self.path.open("rb") as file:
            reader = _reader(file, offset)
            self.compressed = reader.decompressor is not None
            line = reader.readline(MAX_LINE)
            while line and (self._end is None or offset < self._end):
                self.whole_bytes = offset
                note = self._note(reader, offset, line)
                if note is None:
                    self.torn = True
                    return
                yield note
                offset, line = self._next(file, reader)
                self.stop = offset
        if not offset:
            raise damaged(self.path, "it is empty")

    def _note(self, reader: BufferedReader, offset: int, line: bytes) -> RecordSummary | None:
        """Read one record to its end; None when the file ends first.

        Where a compressed member ends first, its Content-Length is wrong: what there is of the record is its content.
        """
        fields = _fields(self.path, offset, reader, line)
        length = _length(fields)
        if length is None:
            begun = line.upper().startswith(_VERSION) or _VERSION.startswith(line) or line == b"\r"
            if begun and not reader.read(1):
                return None
            raise damaged(self.path, f"no WARC record begins at byte {offset}", _NOT_READ)
        block = LimitReader(reader, length)
        kind = (header(fields, "WARC-Type") or "").lower()
        start = block.read(min(length, self._start_bytes.get(kind, _FIRST_BYTES)))
        while block.read(PIECE):
            pass
        if block.limit and not (reader.decompressor and reader.decompressor.eof):
            return None
        return RecordSummary(offset, fields, start, len(start) == length)

    def _next(self, file: BinaryIO, reader: BufferedReader) -> tuple[int, bytes]:
        """Return where the next record begins, and its first line; an empty line at the end of the file."""
        blank = 0
        while (line := reader.readline(MAX_LINE)) in {b"\r\n", b"\n"}:
            blank += 1
            if blank > MAX_HEAD_LINES:
                raise damaged(
                    self.path, f"{blank:,} empty lines follow the record at byte {self.whole_bytes}", _NOT_READ
                )
        inflater = reader.decompressor
        if inflater is None:
            self.torn = not line and blank < 2
            return file.tell() - reader.rem_length() - len(line), line
        if line.upper().startswith(_VERSION):
            hint = "unpack it with gunzip and replay the result"
            raise damaged(self.path, "it is compressed as a whole, not record by record", hint)
        if line:
            reason = f"the record at byte {self.whole_bytes} is longer than its Content-Length"
            raise damaged(self.path, reason, _NOT_READ)
        self.torn = not inflater.eof
        offset = file.tell() - len(inflater.unused_data)
        while not line and reader.read_next_member():
            line = reader.readline(MAX_LINE)
        return offset, line


class RecordBlock:
    """The block of one record, open for reading; close it."""

    def __init__(self, path: Openable, offset: int) -> None:
        with reading(path), ExitStack() as closing:
            self._file = closing.enter_context(path.open("rb"))
            reader = _reader(self._file, offset)
            self.fields = _fields(path, offset, reader, reader.readline(MAX_LINE))
            self.stream = LimitReader(reader, _length(self.fields) or 0)
            closing.pop_all()

    def close(self) -> None:
        """Close the file."""
        self._file.close()


@contextmanager
def reading(path: Openable) -> Iterator[None]:
    """Turn errors in reading `path` into InvalidInput."""
    try:
        yield
    except OSError as error:
        raise damaged(path, reason_line(error)) from error
    except zlib.error as error:
        raise damaged(path, f"its compressed data is broken ({error})", _NOT_READ) from error


def http_head(stream: LimitReader) -> HttpHead | None:
    """Read the head of an HTTP answer, leaving the stream at its body; None when it is none.

    Bytes become characters one to one, as on the live path: what a header field means is for others to say.
    """
    status = _STATUS.fullmatch(stream.readline(MAX_LINE).rstrip(b"\r\n"))
    if status is None:
        return None
    headers: list[tuple[str, str]] = []
    for _ in range(MAX_HEAD_LINES):
        line = stream.readline(MAX_LINE).rstrip(b"\r\n").decode("latin-1")
        if not line:
            break
        name, colon, value = line.partition(":")
        if line[0] in " \t" and headers:  # RFC 9112 section 5.2: a folded line continues the one above
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {line.strip()}")
        elif colon:
            headers.append((name.strip(), value.strip()))
    return HttpHead(status[1].decode(), int(status[2]), (status[3] or b"").decode("latin-1"), tuple(headers))


def status(start: bytes) -> int | None:
    """Return the status of the HTTP answer that begins with `start`; None when it is none."""
    match = _STATUS.match(start)
    if match is None:
        return None
    return int(match[2])


def pieces(stream: LimitReader) -> Iterator[bytes]:
    """Yield the rest of a block as it is."""
    while piece := stream.read(PIECE):
        yield piece
    if stream.limit:
        raise TruncatedBody


def dechunked(stream: LimitReader) -> Iterator[bytes]:
    """Undo the chunked coding (RFC 9112 section 7.1), unless the tool that recorded has done so and kept the header."""
    line = stream.readline(MAX_LINE)
    if line and not _CHUNK.fullmatch(line):
        yield line
        yield from pieces(stream)
    elif line:
        while bytes_left := _chunk_size(line):
            while bytes_left:
                piece = stream.read(min(bytes_left, PIECE))
                if not piece:
                    raise TruncatedBody
                bytes_left -= len(piece)
                yield piece
            stream.readline(2)
            line = stream.readline(MAX_LINE)


def damaged(path: Openable, reason: str, hint: str | None = None) -> InvalidInput:
    """Return the failure of a file that cannot be used."""
    return InvalidInput(f"{path} cannot be used as a recording: {reason}", hint=hint)


def torn(path: Openable) -> InvalidInput:
    """Return the failure of a file whose last record is not whole."""
    return damaged(
        path, "it ends in the middle of a record", "download the file again; the records before it were read"
    )


class _Inflating(BufferedReader):  # type: ignore[misc]  # warcio has no types
    """Warcio's line reader, but broken data raises: the original prints the reason and reads on."""

    def _decompress(self, data: bytes) -> bytes:
        return self.decompressor.decompress(data) if self.decompressor and data else data


def _reader(file: BinaryIO, offset: int) -> BufferedReader:
    compressed = file.read(2) == GZIP
    file.seek(offset)
    return _Inflating(file, decomp_type="gzip" if compressed else None)


def _chunk_size(line: bytes) -> int:
    size = _CHUNK.fullmatch(line)
    if size is None:
        raise TruncatedBody
    return int(size[1], 16)


def _fields(path: Openable, offset: int, reader: BufferedReader, line: bytes) -> Headers:
    """Read the fields of a record whose first line is read; none when it is not the first line of a record.

    Warcio's own parser has no limits: a packed head of half a megabyte can be fields without end.

    Raises:
        InvalidInput: the head is longer than any program writes.
    """
    if not line.upper().startswith(_VERSION):
        return ()
    fields: list[tuple[str, str]] = []
    bytes_left = MAX_FIELD_BYTES
    for _ in range(MAX_HEAD_LINES):
        line = reader.readline(MAX_LINE)
        bytes_left -= len(line)
        if bytes_left < 0 or len(line) >= MAX_LINE:
            break
        text = _decoded(line.rstrip())
        if not text:
            return tuple(fields)
        name, colon, value = text.partition(":")
        if text[0] in " \t" and fields:  # a folded line continues the one above
            fields[-1] = (fields[-1][0], f"{fields[-1][1]}{text}")
        elif colon:
            fields.append((name.rstrip(" \t"), value.lstrip()))
    limits = f"{MAX_HEAD_LINES:,} lines or {MAX_FIELD_BYTES:,} bytes, or has a line of {MAX_LINE:,} bytes"
    raise damaged(path, f"the head of the record at byte {offset} has more than {limits}", _NOT_READ)


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1")


def _length(fields: Headers) -> int | None:
    value = header(fields, "Content-Length") or ""
    if not (value.isascii() and value.isdigit() and len(value) < 19):
        return None
    return int(value)


# ---------------------------------------------------------------------------------------------------- writing


def record_id() -> str:
    """Return a new WARC-Record-ID."""
    return f"<urn:uuid:{uuid4()}>"


def timestamp(moment: datetime) -> str:
    """Return a WARC-Date: UTC with microseconds, which WARC 1.1 allows."""
    return moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def record_bytes(fields: Headers, content_type: str, head: bytes, body: bytes, *, compress: bool) -> bytes:
    """Return the bytes of one WARC 1.1 record; `head` and `body` make its block and are written as they are."""
    digests = [("WARC-Block-Digest", _digest(head, body))]
    if head:
        digests.append(("WARC-Payload-Digest", _digest(body)))
    kind = header(fields, "WARC-Type")
    block = head + body
    record = ArcWarcRecord(
        "warc",
        kind,
        StatusAndHeaders("", [*fields, *digests], protocol="WARC/1.1"),
        BytesIO(block),
        None,
        content_type,
        len(block),
    )
    out = BytesIO()
    WARCWriter(out, gzip=compress).write_record(record)
    return out.getvalue()


def _digest(*parts: bytes) -> str:
    digester = Digester("sha1")
    for part in parts:
        digester.update(part)
    return str(digester)
