"""Downloads a file through the HTTP client: whole or not at all, and resumed where it broke off."""

from __future__ import annotations

import errno
import hashlib
import re
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from functools import partial
from typing import TYPE_CHECKING, Protocol

import anyio
from anyio import to_thread

from wellread.errors import InvalidInput, Timeout, TooLarge, Unreachable, Upstream, reason_line
from wellread.net import filenames
from wellread.net.partial_file import Part
from wellread.net.protocol_faults import shown_range
from wellread.types import Notice, Request, Response, header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from wellread.credentials import Credentials
    from wellread.net.body import Sink
    from wellread.types import Headers

    Refuse = Callable[[Response], None]

MAX_DOWNLOAD_BYTES = 500_000_000
TIMEOUT_S = 600.0

_SHA256 = re.compile(r"[0-9a-f]{64}")
# RFC 9110 section 14.4; a range of another unit or of several parts is none that was asked for.
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.IGNORECASE)
_STRONG_TAG = re.compile(r"\"[\x21\x23-\x7e\x80-\xff]*\"")
_HINTS = {
    errno.ENOSPC: "free some space, then try again",
    errno.EDQUOT: "free some space, then try again",
    errno.EACCES: "choose a writable folder",
    errno.EPERM: "choose a writable folder",
    errno.EROFS: "choose a writable folder",
}


class StreamingClient(Protocol):
    """The part of the client that is needed here."""

    async def stream(self, request: Request, sink: Sink, *, body_s: float | None = None) -> Response:
        """Send `request`, and hand the body of the final answer to `sink`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DownloadRequest:
    """A request for a download, and its conditions."""

    url: str
    to: Path
    """A folder, in which the file is named as the server says or the URL ends; or the path of the file."""
    folder: bool = False
    """`to` is a folder, which is made where there is none."""
    sha256: str | None = None
    """64 hex digits that the file must have."""
    max_bytes: int = MAX_DOWNLOAD_BYTES
    limit_setting: str = ""
    """The setting that `max_bytes` comes from, for the hint."""
    timeout_s: float | None = TIMEOUT_S
    """For the body; until it begins, `fetch.timeout_s` holds. None leaves only `fetch.idle_s`."""
    overwrite: bool = False
    """Replace a file of that name; otherwise a number is added to the name."""
    skip_existing: bool = False
    """Leave a file of that name as it is, and fetch none, unless it lacks the SHA-256 that is asked for."""
    user_asked: bool = False
    """A person asked for this very file: robots.txt does not bind."""
    credentials: Credentials | None = None
    """What signs the download in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Download:
    """A file that came, whole."""

    path: Path
    url: str
    """Where it came from in the end."""
    bytes: int
    sha256: str
    content_type: str | None
    resumed: bool
    """Its first bytes had come earlier."""
    skipped: bool = False
    """It was there, and was not fetched again."""
    notices: tuple[Notice, ...] = ()
    """`web_page`: a web page came where the URL names a file."""


async def download(client: StreamingClient, order: DownloadRequest, *, refuse: Refuse) -> Download:
    """Save `order.url` to the disk. `refuse` raises for a response that is not the file: a failing status, a bot wall.

    The file grows hidden in its folder and appears under its name when it is whole. One that broke off stays there,
    and the next download of the URL into the folder goes on with it if the server says that it is still the same.

    Raises:
        InvalidInput: no such folder, the disk refuses, or `sha256` is none.
        Unreachable, Timeout: it broke off; the message says what is kept.
        TooLarge, Upstream: beyond `max_bytes`; not the SHA-256 expected; nothing of it is left.
        WellreadError: whatever `refuse` and the client raise.
    """
    expected_digest = _digest(order.sha256)
    folder, name = await to_thread.run_sync(_destination, order)
    if order.skip_existing:
        by_url = Response(url=order.url, status=200, headers=(), body=b"")
        existing = await to_thread.run_sync(
            _existing, folder / (name or filenames.file_name(by_url)), order.url, expected_digest
        )
        if existing is not None:
            return existing
    with _disk_errors(folder), anyio.CancelScope(shield=True):  # an open part must not be lost
        part = await to_thread.run_sync(Part, folder, order.url)
    try:
        try:
            response = await _receive(client, order, part, refuse)
        except _FileExists as file_exists:
            return file_exists.file
        if expected_digest not in {None, part.digest}:
            part.discard()
            raise Upstream(
                f"{response.url} has the SHA-256 {part.digest}, not {expected_digest}",
                url=response.url,
                hint="check the checksum; the file may have changed",
            )
        with _disk_errors(folder):
            publish = partial(part.publish, name or filenames.file_name(response), overwrite=order.overwrite)
            path = await to_thread.run_sync(publish)
    finally:
        with anyio.CancelScope(shield=True), _disk_errors(folder):
            await to_thread.run_sync(part.close)
    start = await to_thread.run_sync(_start, path)
    return Download(
        notices=_web_page_notices(order, response, start),
        path=path,
        url=response.url,
        bytes=part.size,
        sha256=part.digest,
        content_type=header(response.headers, "content-type"),
        resumed=response.status == 206,
    )


class _FileExists(Exception):
    """A file of the name that the server gives is in the folder."""

    def __init__(self, file: Download) -> None:
        super().__init__(file.path)
        self.file = file


def _existing(path: Path, url: str, expected_digest: str | None) -> Download | None:
    """Return the file at `path` as a download that was not needed; None where there is none, or not the one wanted."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if expected_digest not in {None, digest}:
        return None
    return Download(
        path=path,
        url=url,
        bytes=path.stat().st_size,
        sha256=digest,
        content_type=None,
        resumed=False,
        skipped=True,
    )


def _start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(1_024)


def _web_page_notices(order: DownloadRequest, response: Response, start: bytes) -> tuple[Notice, ...]:
    """Return a notice where a login page or a message of failure came in place of a file."""
    content_type = header(response.headers, "content-type")
    messages = (filenames.message_instead(url, content_type, start) for url in (order.url, response.url))
    message = next(filter(None, messages), None)
    if message is None:
        return ()
    detail = f"{response.url} is {message}, not the file that its name promises: it may ask for a login"
    return (Notice("web_page", detail),)


async def _receive(client: StreamingClient, order: DownloadRequest, part: Part, refuse: Refuse) -> Response:
    """Fill the part, and return the head of the answer that did."""
    while True:
        sink = _PartSink(order, part, refuse)
        try:
            response = await client.stream(sink.request(), sink, body_s=order.timeout_s)
            if await sink.finish(response):
                return response
        except TooLarge as error:
            part.discard()
            if sink.head is not None:
                error.hint = f"raise {order.limit_setting}" * bool(order.limit_setting)
            raise
        except Timeout as error:
            hint = _retry_hint(part) if sink.head else error.hint
            raise Timeout(error.message, url=error.url, hint=hint, limit_s=error.limit_s) from error


class _PartSink:
    """Hands the right answer's body to the part (a `body.Sink`); one that never begins leaves the part as it was."""

    def __init__(self, order: DownloadRequest, part: Part, refuse: Refuse) -> None:
        self.head: Response | None = None
        self._order = order
        self._part = part
        self._refuse = refuse
        self._offset = part.size if part.resumable and part.size < order.max_bytes else 0
        self._start: Callable[[], None] | None = None
        self._total: int | None = None

    def request(self) -> Request:
        headers: Headers = (("Accept", "*/*"), ("Accept-Encoding", "identity"))
        if self._offset:
            headers += (("Range", f"bytes={self._offset}-"), ("If-Range", self._part.validator or ""))
        order = self._order
        return Request(url=order.url, headers=headers, user_asked=order.user_asked, credentials=order.credentials)

    async def begin(self, head: Response) -> int | None:
        if head.status not in {200, 203, 206}:
            return None
        self._refuse(head)
        if self._order.skip_existing and self._order.to.is_dir():
            path = self._part.folder / filenames.file_name(head)
            existing = await to_thread.run_sync(_existing, path, head.url, _digest(self._order.sha256))
            if existing is not None:
                raise _FileExists(existing)
        self.head = head
        if head.status == 206:
            self._total = self._check_range(head)
            self._start = partial(self._part.resume, self._offset)
            return self._order.max_bytes - self._offset
        self._total = None
        coded = header(head.headers, "content-encoding")
        self._start = partial(self._part.restart, None if coded else strong_validator(head.headers))
        return self._order.max_bytes

    async def write(self, data: bytes) -> None:
        if data:
            with _disk_errors(self._part.folder):
                await to_thread.run_sync(self._append, data)

    async def finish(self, response: Response) -> bool:
        """Return True when the part is the whole file, False when it has to be asked for from its start."""
        if self.head is None:
            if response.status == 416 and self._offset:
                with _disk_errors(self._part.folder):
                    await to_thread.run_sync(self._part.restart, None)
                return False
            self._refuse(response)
            raise Upstream(f"{response.url} answered {response.status}", url=response.url, status=response.status)
        with _disk_errors(self._part.folder):
            await to_thread.run_sync(self._append, b"")
        missing = self._total is not None and self._part.size < self._total
        if response.partial is not None or missing:
            reason = response.partial or f"only {self._part.size:,} of {self._total:,} bytes came"
            message = f"{response.url} broke off after {self._part.size:,} bytes: {reason}"
            raise Unreachable(message, url=response.url, hint=_retry_hint(self._part))
        return True

    def _append(self, data: bytes) -> None:
        start, self._start = self._start, None
        if start is not None:
            start()
        self._part.append(data)

    def _check_range(self, head: Response) -> int | None:
        """Check that the range continues the part, and return the size of the whole file, where it is given."""
        range_match = _CONTENT_RANGE.fullmatch((header(head.headers, "content-range") or "").strip())
        is_same_file = strong_validator(head.headers) in {None, self._part.validator}
        continues_part = (
            range_match is not None and self._offset > 0 and int(range_match[1]) == self._offset <= int(range_match[2])
        )
        if range_match is None or not continues_part or not is_same_file or header(head.headers, "content-encoding"):
            self._part.discard()
            content_range = shown_range(header(head.headers, "content-range"))
            raise Upstream(
                f"{head.url} sent another range than the one asked for, from byte {self._offset:,}: {content_range}",
                url=head.url,
                hint="try again; the download starts from the beginning",
                status=head.status,
            )
        if range_match[3] == "*":
            return None
        return int(range_match[3])


def strong_validator(headers: Headers) -> str | None:
    """Return the validator of a file's exact bytes: an ETag or, weaker, a date (RFC 9110 section 8.8).

    If-Range takes no weak tag, and a date only if it is at least one second older than the answer.
    """
    tag = (header(headers, "etag") or "").strip()
    if tag:
        if len(tag) > 1_000 or not _STRONG_TAG.fullmatch(tag):
            return None
        return tag
    modified = (header(headers, "last-modified") or "").strip()
    try:
        age = parsedate_to_datetime(header(headers, "date") or "") - parsedate_to_datetime(modified)
    except (TypeError, ValueError, OverflowError):
        return None
    if age.total_seconds() < 1:
        return None
    return modified


def _retry_hint(part: Part) -> str:
    if part.resumable:
        return f"try again: {part.size:,} bytes are saved, and the download continues from there"
    return "try again; the download starts from the beginning"


def _digest(checksum: str | None) -> str | None:
    if checksum is None:
        return None
    digest = checksum.strip().lower().removeprefix("sha256:")
    if not _SHA256.fullmatch(digest):
        raise InvalidInput(f"{checksum[:80]!r} is not a SHA-256 checksum", hint="use 64 hexadecimal digits")
    return digest


def _destination(order: DownloadRequest) -> tuple[Path, str | None]:
    """Return the folder and, where it is given, the name of the file."""
    to = order.to
    if "\0" in str(to):
        raise InvalidInput(f"{str(to)!r} is not a path")
    with _disk_errors(to):
        if order.folder:
            to.mkdir(parents=True, exist_ok=True)
        if to.is_dir():
            return to, None
        if to.parent.is_dir():
            return to.parent, to.name
    raise InvalidInput(f"{to.parent} is not a folder", hint="create the folder, or choose another one")


@contextmanager
def _disk_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidInput(
            f"cannot write to {path}: {reason_line(error)}",
            hint=_HINTS.get(error.errno or 0, "choose another folder"),
        ) from error
