"""Records HTTP traffic into WARC files, and replays WARC files of any tool in place of the network.

A recording holds the URL, the head and the body of every hop as they passed. It leaves out header fields that may carry
a secret, in requests and answers. A secret in a URL or in the body of a POST is kept: replay finds answers by these.
Replay never touches the network.
"""

from __future__ import annotations

import re
import threading
from collections import defaultdict
from contextlib import aclosing, asynccontextmanager
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread

from wellread.errors import InvalidInput, TooLarge, Unreachable, Unrecorded, reason_line
from wellread.net import warc, warc_index
from wellread.net.transport import HopResponse
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Iterator
    from pathlib import Path

    from wellread.net.transport import Hop, Transport
    from wellread.net.warc_index import Capture
    from wellread.ports import Clock
    from wellread.types import Headers

SECRET = re.compile(r"auth|cookie|token|secret|key|password|session|credential|signature", re.IGNORECASE)
"""Names of header fields that are never written."""

MAX_COMPARED = 2_000
_NOT_HINTED = "/robots.txt"
_MAX_HINTED_CHARS = 200


# -------------------------------------------------------------------------------------------------- recording


class RecordingTransport:
    """Carries hops by another transport and appends each to a WARC 1.1 file, compressed if its name ends with `.gz`.

    An existing WARC is continued. Response and request are written together when the hop ends, by a single write, so
    that hops never mix and a killed run leaves every finished hop readable. A body that broke off or was not read to
    its end is kept as far as it came, with WARC-Truncated. Until then it is held in memory; the client's
    limits bound it.
    """

    def __init__(self, inner: Transport, path: Path, clock: Clock) -> None:
        """Open the recording.

        Raises:
            InvalidInput: the file cannot be written, is no WARC, or ends in the middle of a record.
        """
        self._inner = inner
        self._path = path
        self._clock = clock
        try:
            self._compress = _compresses(path)
        except OSError as error:  # such as a name that is too long
            raise InvalidInput(f"cannot write the recording {path}: {reason_line(error)}") from error
        self._writing = threading.Lock()
        self._append(self._warcinfo())

    @asynccontextmanager
    async def send(self, hop: Hop) -> AsyncGenerator[HopResponse, None]:
        """Open the exchange; see `transport.Transport`. Leaving it writes the records.

        Raises:
            InvalidInput: the recording cannot be written any more.
        """
        date = warc.timestamp(self._clock.now())
        async with self._inner.send(hop) as answer:
            body = _RecordedBody()
            try:
                async with aclosing(_collected(answer.chunks, body)) as chunks:
                    yield replace(answer, chunks=chunks)
            except BaseException as error:
                body.cut = body.cut or _truncation_reason(error)
                raise
            finally:
                with anyio.CancelScope(shield=True):
                    await anyio.to_thread.run_sync(self._write_records, hop, answer, body, date)

    async def aclose(self) -> None:
        """Close the transport inside; the file is complete as it is."""
        await self._inner.aclose()

    def _write_records(self, hop: Hop, answer: HopResponse, body: _RecordedBody, date: str) -> None:
        url, answer_id = hop.target.url, warc.record_id()
        common = (("WARC-Target-URI", url), ("WARC-Date", date))
        content = b"".join(body.pieces)
        fields: Headers = (("WARC-Type", "response"), ("WARC-Record-ID", answer_id), *common)
        if answer.http_version == "2":
            fields += (("WARC-Protocol", "h2"),)
        cut = body.why_cut(hop, answer)
        if cut:
            fields += (("WARC-Truncated", cut),)
        # Other tools read only HTTP/1 status lines; the true version stands in WARC-Protocol.
        version = "1.1" if answer.http_version == "2" else answer.http_version
        head = _lines(f"HTTP/{version} {answer.status} {answer.reason}", _recorded_headers(hop, answer, len(content)))
        response = warc.record_bytes(
            fields, "application/http;msgtype=response", head, content, compress=self._compress
        )
        fields = (
            ("WARC-Type", "request"),
            ("WARC-Record-ID", warc.record_id()),
            *common,
            ("WARC-Concurrent-To", answer_id),
        )
        fields_sent = tuple(field for field in hop.headers if field[0].lower() not in hop.secret_fields)
        head = _lines(f"{hop.method} {hop.target.path} HTTP/{version}", fields_sent)
        request = warc.record_bytes(fields, "application/http;msgtype=request", head, hop.body, compress=self._compress)
        self._append(response + request)

    def _warcinfo(self) -> bytes:
        fields = (
            ("WARC-Type", "warcinfo"),
            ("WARC-Record-ID", warc.record_id()),
            ("WARC-Date", warc.timestamp(self._clock.now())),
            ("WARC-Filename", self._path.name),
        )
        text = b"software: wellread\r\nformat: WARC File Format 1.1\r\n"
        return warc.record_bytes(fields, "application/warc-fields", b"", text, compress=self._compress)

    def _append(self, records: bytes) -> None:
        try:
            with self._writing, self._path.open("ab") as file:
                file.write(records)
        except OSError as error:
            raise InvalidInput(f"cannot write the recording {self._path}: {reason_line(error)}") from error


class RollingRecording:
    """Carries hops by another transport and records them into files of a folder, one after the other.

    Each run begins a new file, `NAME-00001.warc.gz` and so on, and a file that has grown beyond the limit is followed
    by the next. The end of a record that a killed run has torn off is cut from the last file, so that the files can be
    joined into one (`cat`). The transport inside stays open for its owner.
    """

    def __init__(self, inner: Transport, folder: Path, clock: Clock, *, name: str, max_bytes: int) -> None:
        """Mend the last file of an earlier run; the new one is begun with the first hop.

        Raises:
            InvalidInput: a file cannot be read or written.
        """
        self._inner = inner
        self._folder = folder
        self._clock = clock
        self._name = name
        self._max_bytes = max_bytes
        earlier = sorted(folder.glob(f"{name}-*.warc.gz"))
        if earlier:
            _cut_torn_record(earlier[-1])
        self._number = max((_file_number(path) for path in earlier), default=0)
        self._recording: tuple[RecordingTransport, Path] | None = None

    @asynccontextmanager
    async def send(self, hop: Hop) -> AsyncGenerator[HopResponse, None]:
        """Open the exchange, see `Transport.send`; leaving it writes the records.

        Raises:
            InvalidInput: the recording cannot be written any more.
        """
        recording = await anyio.to_thread.run_sync(self._current)
        async with recording.send(hop) as answer:
            yield answer

    async def aclose(self) -> None:
        """Leave the transport inside open; the files are complete as they are."""

    def _current(self) -> RecordingTransport:
        if self._recording is not None and self._recording[1].stat().st_size < self._max_bytes:
            return self._recording[0]
        self._number += 1
        path = self._folder / f"{self._name}-{self._number:05}.warc.gz"
        self._recording = RecordingTransport(self._inner, path, self._clock), path
        return self._recording[0]


def _file_number(path: Path) -> int:
    digits = path.name.rpartition("-")[2].partition(".")[0]
    if not digits.isdigit():
        return 0
    return int(digits)


def _cut_torn_record(path: Path) -> None:
    """Cut half a record from the end of a file."""
    if not path.stat().st_size:
        return
    walk = warc.RecordIterator(path)
    for _ in walk:
        pass
    if walk.torn:
        with path.open("r+b") as file:
            file.truncate(walk.whole_bytes)


@dataclass(slots=True)
class _RecordedBody:
    """The received part of a body."""

    pieces: list[bytes] = field(default_factory=list)
    ended: bool = False
    cut: str = ""

    def why_cut(self, hop: Hop, answer: HopResponse) -> str:
        """Return the value of WARC-Truncated; empty for a whole body, and where there was none to read."""
        is_empty = _has_no_body(hop, answer.status) or header(answer.headers, "Content-Length") == "0"
        if self.ended or is_empty:
            return ""
        return self.cut or "unspecified"


async def _collected(chunks: AsyncIterator[bytes], body: _RecordedBody) -> AsyncGenerator[bytes, None]:
    try:
        async for chunk in chunks:
            body.pieces.append(chunk)
            yield chunk
        body.ended = True
    except GeneratorExit:
        raise
    except anyio.get_cancelled_exc_class():
        body.cut = "time"
        raise
    except BaseException:
        body.cut = "disconnect"
        raise


def _truncation_reason(error: BaseException) -> str:
    if isinstance(error, anyio.get_cancelled_exc_class()):
        return "time"
    if isinstance(error, TooLarge):
        return "length"
    return "unspecified"


def _recorded_headers(hop: Hop, answer: HopResponse, length: int) -> Headers:
    """Return the headers with the length in place of the transfer coding, which is undone."""
    if header(answer.headers, "Transfer-Encoding") is None:
        return answer.headers
    dropped = {"transfer-encoding", "content-length", "trailer"}
    other_fields = tuple((name, value) for name, value in answer.headers if name.lower() not in dropped)
    if _has_no_body(hop, answer.status):
        return other_fields
    return (*other_fields, ("Content-Length", str(length)))


def _has_no_body(hop: Hop, status: int) -> bool:
    """RFC 9112 section 6.3: these answers have no body, whatever their headers say."""
    return hop.method == "HEAD" or status in {204, 304}


def _lines(first: str, headers: Headers) -> bytes:
    field_lines = [f"{name}: {value}" for name, value in headers if not SECRET.search(name)]
    return "\r\n".join([first, *field_lines, "", ""]).encode("latin-1", "replace")


def _compresses(path: Path) -> bool:
    """Return whether to compress: by the name, or as the existing file is, which must be a WARC of whole records."""
    if not path.exists() or (path.is_file() and not path.stat().st_size):
        return path.name.lower().endswith(".gz")
    walk = warc.RecordIterator(path)
    for _ in walk:
        pass
    if walk.torn:
        raise warc.damaged(path, "it ends in the middle of a record", "record into a new file; replay reads this one")
    return walk.compressed


# ----------------------------------------------------------------------------------------------------- replay


class ReplayTransport:
    """Answers requests from a WARC file of any tool; a URL that the file lacks raises Unrecorded.

    Several answers to one request are given in the order of the file, the last one from then on.
    """

    def __init__(self, path: Path, *, newest: bool = False) -> None:
        """Read through the file once and note where every answer lies; bodies are read when asked for.

        `newest`: of the good answers to one request, the last is given, and no other.

        Raises:
            InvalidInput: the file cannot be read or is no WARC.
        """
        self._path = path
        walk = warc.RecordIterator(path)
        self._captures = warc_index.index(walk)
        self.damage = warc.torn(path) if walk.torn else None
        """The error about a file that ends in the middle of a record, which is not replayed; None for whole files."""
        if newest:
            self._captures = {
                key: successes[-1:]
                for key, captures_of_key in self._captures.items()
                if (successes := [capture for capture in captures_of_key if 200 <= capture.status < 300])
            }
        self._served: dict[tuple[warc_index.Key, bool], int] = defaultdict(int)

    @asynccontextmanager
    async def send(self, hop: Hop) -> AsyncGenerator[HopResponse, None]:
        """Answer from the recording; see `transport.Transport`.

        Raises:
            Unrecorded: the recording has no answer to this request.
            InvalidInput: the file has changed or is damaged there.
            Unreachable: in reading the body, where the recorded one is not whole.
        """
        capture = self._next_capture(hop)
        opened = await anyio.to_thread.run_sync(_OpenCapture, self._path, capture)
        try:
            async with aclosing(opened.body(hop)) as chunks:
                yield opened.answer(chunks)
        finally:
            opened.close()

    def pages(self) -> tuple[str, ...]:
        """Return the URLs that it has an answer for, robots.txt files aside."""
        urls = (url for method, url, _ in self._captures if method == "GET")
        return tuple(url for url in urls if not url.partition("?")[0].endswith(_NOT_HINTED))

    def holds(self, url: str) -> bool:
        """Return whether it has any answer of the host of `url`."""
        host = _host(url)
        return any(_host(other) == host for _, other, _ in self._captures)

    async def aclose(self) -> None:
        """Nothing stays open between two hops."""

    def _next_capture(self, hop: Hop) -> Capture:
        conditional = any(name.lower() in {"if-none-match", "if-modified-since"} for name, _ in hop.headers)
        key = warc_index.key(hop.method, hop.target.url, hop.body)
        candidates = self._captures.get(key) or []
        if not candidates and hop.method == "HEAD":  # RFC 9110 section 9.3.2: the head of GET, without its body
            candidates = self._captures.get(warc_index.key("GET", hop.target.url, b"")) or []
        candidates = [capture for capture in candidates if conditional or capture.status != 304]
        if not candidates:
            raise self._missing(hop)
        served_count = self._served[key, conditional]
        self._served[key, conditional] += 1
        return candidates[min(served_count, len(candidates) - 1)]

    def _missing(self, hop: Hop) -> Unrecorded:
        url = hop.target.url
        nearest_url = "" if hop.target.path == _NOT_HINTED else self._nearest(url)
        missing = url if hop.method == "GET" else f"the answer to {hop.method} {url}"
        return Unrecorded(
            f"{missing} is not in {self._path.name}",
            url=url,
            hint=self._hint(nearest_url),
        )

    def _hint(self, nearest_url: str) -> str | None:
        """Return what can be read instead; callers over HTTP and MCP cannot record."""
        if nearest_url:
            return f"the recording has {nearest_url}"
        recorded_url = next(iter(self.pages()), "")
        if not recorded_url:
            return None
        return (
            f"only recorded pages are read here, such as {recorded_url[:_MAX_HINTED_CHARS]}; "
            "the command `wellread read URL --record FILE` records another one"
        )

    def _nearest(self, url: str) -> str:
        """Find a URL that may have been meant: the same but for scheme, www and the last slash, else a similar one."""
        urls_by_bare = {warc_index.bare(url_recorded): url_recorded for _, url_recorded, _ in self._captures}
        bare = warc_index.bare(url)
        if bare in urls_by_bare:
            return urls_by_bare[bare]
        host = _host(url)
        same_host = [url_recorded for url_recorded in urls_by_bare if url_recorded.partition("/")[0] == host]
        candidates = same_host or list(urls_by_bare)
        matches = get_close_matches(bare, candidates[:MAX_COMPARED], n=1, cutoff=0.6 if same_host else 0.8)
        if not matches:
            return ""
        return urls_by_bare[matches[0]]


def _host(url: str) -> str:
    return warc_index.bare(url).partition("/")[0].partition("?")[0]


class _OpenCapture:
    """One capture, open for reading."""

    def __init__(self, path: Path, capture: Capture) -> None:
        self._path = path
        self._block = warc.RecordBlock(path, capture.offset)
        try:
            self._read(capture)
        except BaseException:
            self.close()
            raise

    def _read(self, capture: Capture) -> None:
        self._protocol = header(self._block.fields, "WARC-Protocol")
        self._shown = carried = self._head()
        if capture.body != capture.offset:
            self.close()
            self._block = warc.RecordBlock(self._path, capture.body)
            carried = self._head()
        self._chunked = "chunked" in (header(carried.headers, "Transfer-Encoding") or "").lower()

    def answer(self, chunks: AsyncIterator[bytes]) -> HopResponse:
        """Return the head, with `chunks` for a body."""
        head = self._shown
        http_version = "1.1"
        if head.version[0] in "23" or self._protocol in {"h2", "h3"}:
            http_version = "2"
        elif head.version == "1.0":
            http_version = "1.0"
        return HopResponse(
            status=head.status,
            reason=head.reason,
            http_version=http_version,
            headers=tuple((name, value) for name, value in head.headers if name.lower() != "transfer-encoding"),
            chunks=chunks,
            replayed=True,
        )

    def _head(self) -> warc.HttpHead:
        kind = header(self._block.fields, "Content-Type") or "application/octet-stream"
        if (header(self._block.fields, "WARC-Type") or "").lower() == "resource":
            length = str(self._block.stream.limit)
            return warc.HttpHead("1.1", 200, "OK", (("Content-Type", kind), ("Content-Length", length)))
        with warc.reading(self._path):
            head = warc.http_head(self._block.stream)
        if head is None:
            raise warc.damaged(self._path, "it has changed since it was opened")
        return head

    async def body(self, hop: Hop) -> AsyncGenerator[bytes, None]:
        """Yield the body as it came over the wire."""
        if _has_no_body(hop, self._shown.status):
            return
        received = 0
        pieces = (warc.dechunked if self._chunked else warc.pieces)(self._block.stream)
        try:
            while piece := await anyio.to_thread.run_sync(self._piece, pieces):
                received += len(piece)
                yield piece
            is_complete = header(self._block.fields, "WARC-Truncated") is None and received >= self._expected()
        except warc.TruncatedBody:
            is_complete = False
        if not is_complete:
            message = f"the body of {hop.target.url} was not recorded completely ({received:,} bytes)"
            raise Unreachable(message, url=hop.target.url, hint="record the page again")

    def _piece(self, pieces: Iterator[bytes]) -> bytes:
        with warc.reading(self._path):
            return next(pieces, b"")

    def _expected(self) -> int:
        length = header(self._shown.headers, "Content-Length") or ""
        is_number = length.isascii() and length.isdigit() and len(length) < 19
        if not is_number or self._chunked:
            return 0
        return int(length)

    def close(self) -> None:
        """Close the file."""
        self._block.close()
