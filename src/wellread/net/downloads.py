"""Brings a file from the web to the disk through the one door: whole or not at all, and resumed where it broke off."""

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

from wellread.errors import InvalidInput, Timeout, TooLarge, Unreachable, Upstream
from wellread.net import filenames
from wellread.net.parts import Part
from wellread.types import Notice, Request, Response, header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from wellread.net.body import Sink
    from wellread.types import Headers

    Refuse = Callable[[Response], None]

MAX_BYTES = 500_000_000
TIMEOUT_S = 600.0

_SHA256 = re.compile(r"[0-9a-f]{64}")
# RFC 9110 section 14.4; a range of another unit or of several parts is none that was asked for.
_CONTENT_RANGE = re.compile(r"bytes (\d{1,18})-(\d{1,18})/(\d{1,18}|\*)", re.IGNORECASE)
_STRONG_TAG = re.compile(r"\"[\x21\x23-\x7e\x80-\xff]*\"")
_HINTS = {
    errno.ENOSPC: "free some space, then try again",
    errno.EDQUOT: "free some space, then try again",
    errno.EACCES: "choose a folder that can be written",
    errno.EPERM: "choose a folder that can be written",
    errno.EROFS: "choose a folder that can be written",
}


class Streamer(Protocol):
    """The part of the client that is needed here."""

    async def stream(self, request: Request, sink: Sink, *, body_s: float | None = None) -> Response:
        """Send `request`, and hand the body of the final answer to `sink`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """What is to be downloaded, and under which conditions."""

    url: str
    to: Path
    """A folder, in which the file is named as the server says or the URL ends; or the path of the file."""
    folder: bool = False
    """`to` is a folder, which is made where there is none."""
    sha256: str | None = None
    """64 hex digits that the file must have."""
    max_bytes: int = MAX_BYTES
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


async def download(client: Streamer, order: Order, *, refuse: Refuse) -> Download:
    """Bring `order.url` to the disk. `refuse` raises for an answer that is not the file: a failing status, a bot wall.

    The file grows hidden in its folder and appears under its name when it is whole. One that broke off stays there,
    and the next download of the URL into the folder goes on with it if the server says that it is still the same.

    Raises:
        InvalidInput: no such folder, the disk refuses, or `sha256` is none.
        Unreachable, Timeout: it broke off; the message says what is kept.
        TooLarge, Upstream: beyond `max_bytes`; not the SHA-256 expected; nothing of it is left.
        WellreadError: whatever `refuse` and the client raise.
    """
    wanted = _digest(order.sha256)
    folder, name = await to_thread.run_sync(_place, order)
    if order.skip_existing:
        by_url = Response(url=order.url, status=200, headers=(), body=b"")
        there = await to_thread.run_sync(_existing, folder / (name or filenames.named(by_url)), order.url, wanted)
        if there is not None:
            return there
    with _disk(folder), anyio.CancelScope(shield=True):  # an open part must not be lost
        part = await to_thread.run_sync(Part, folder, order.url)
    try:
        try:
            taken = await _received(client, order, part, refuse)
        except _IsThere as found:
            return found.file
        if wanted not in {None, part.digest}:
            part.discard()
            raise Upstream(
                f"{taken.url} has the SHA-256 {part.digest}, not {wanted}",
                url=taken.url,
                hint="the file has changed, or the checksum belongs to another one",
            )
        with _disk(folder):
            publish = partial(part.publish, name or filenames.named(taken), overwrite=order.overwrite)
            path = await to_thread.run_sync(publish)
    finally:
        with anyio.CancelScope(shield=True), _disk(folder):
            await to_thread.run_sync(part.close)
    start = await to_thread.run_sync(_start, path)
    return Download(
        notices=_doubts(order, taken, start),
        path=path,
        url=taken.url,
        bytes=part.size,
        sha256=part.digest,
        content_type=header(taken.headers, "content-type"),
        resumed=taken.status == 206,
    )


class _IsThere(Exception):
    """A file of the name that the server gives is in the folder."""

    def __init__(self, file: Download) -> None:
        super().__init__(file.path)
        self.file = file


def _existing(path: Path, url: str, wanted: str | None) -> Download | None:
    """Return the file at `path` as a download that was not needed; None where there is none, or not the one wanted."""
    if not path.is_file():
        return None
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    if wanted not in {None, digest}:
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


def _doubts(order: Order, taken: Response, start: bytes) -> tuple[Notice, ...]:
    """Return a notice where a login page or a message of failure came in place of a file."""
    content_type = header(taken.headers, "content-type")
    found = (filenames.message_instead(url, content_type, start) for url in (order.url, taken.url))
    message = next(filter(None, found), None)
    if message is None:
        return ()
    detail = f"{taken.url} is {message}, not the file that its name promises: it may ask for a login"
    return (Notice("web_page", detail),)


async def _received(client: Streamer, order: Order, part: Part, refuse: Refuse) -> Response:
    """Fill the part, and return the head of the answer that did."""
    while True:
        grower = _Grower(order, part, refuse)
        try:
            response = await client.stream(grower.request(), grower, body_s=order.timeout_s)
            if await grower.finish(response):
                return response
        except TooLarge as error:
            part.discard()
            if grower.head is not None:
                error.hint = f"raise {order.limit_setting}" * bool(order.limit_setting)
            raise
        except Timeout as error:
            hint = _kept(part) if grower.head else error.hint
            raise Timeout(error.message, url=error.url, hint=hint, limit_s=error.limit_s) from error


class _Grower:
    """Hands the right answer's body to the part (a `body.Sink`); one that never begins leaves the part as it was."""

    def __init__(self, order: Order, part: Part, refuse: Refuse) -> None:
        self.head: Response | None = None
        self._order = order
        self._part = part
        self._refuse = refuse
        self._asked_from = part.size if part.resumable and part.size < order.max_bytes else 0
        self._start: Callable[[], None] | None = None
        self._total: int | None = None

    def request(self) -> Request:
        headers: Headers = (("Accept", "*/*"), ("Accept-Encoding", "identity"))
        if self._asked_from:
            headers += (("Range", f"bytes={self._asked_from}-"), ("If-Range", self._part.validator or ""))
        return Request(url=self._order.url, headers=headers, user_asked=self._order.user_asked)

    async def begin(self, head: Response) -> int | None:
        if head.status not in {200, 203, 206}:
            return None
        self._refuse(head)
        if self._order.skip_existing and self._order.to.is_dir():
            path = self._part.folder / filenames.named(head)
            there = await to_thread.run_sync(_existing, path, head.url, _digest(self._order.sha256))
            if there is not None:
                raise _IsThere(there)
        self.head = head
        if head.status == 206:
            self._total = self._continued(head)
            self._start = partial(self._part.resume, self._asked_from)
            return self._order.max_bytes - self._asked_from
        self._total = None
        coded = header(head.headers, "content-encoding")
        self._start = partial(self._part.restart, None if coded else validator(head.headers))
        return self._order.max_bytes

    async def write(self, data: bytes) -> None:
        if data:
            with _disk(self._part.folder):
                await to_thread.run_sync(self._put, data)

    async def finish(self, response: Response) -> bool:
        """Return True when the part is the whole file, False when it has to be asked for from its start."""
        if self.head is None:
            if response.status == 416 and self._asked_from:
                with _disk(self._part.folder):
                    await to_thread.run_sync(self._part.restart, None)
                return False
            self._refuse(response)
            raise Upstream(f"{response.url} answered {response.status}", url=response.url, status=response.status)
        with _disk(self._part.folder):
            await to_thread.run_sync(self._put, b"")
        missing = self._total is not None and self._part.size < self._total
        if response.partial is not None or missing:
            why = response.partial or f"only {self._part.size:,} of {self._total:,} bytes came"
            message = f"{response.url} broke off after {self._part.size:,} bytes: {why}"
            raise Unreachable(message, url=response.url, hint=_kept(self._part))
        return True

    def _put(self, data: bytes) -> None:
        start, self._start = self._start, None
        if start is not None:
            start()
        self._part.append(data)

    def _continued(self, head: Response) -> int | None:
        """Check that this is the rest of what is kept, and return how many bytes the whole has, where it is told."""
        found = _CONTENT_RANGE.fullmatch((header(head.headers, "content-range") or "").strip())
        same = validator(head.headers) in {None, self._part.validator}
        fits = found is not None and self._asked_from > 0 and int(found[1]) == self._asked_from <= int(found[2])
        if found is None or not fits or not same or header(head.headers, "content-encoding"):
            self._part.discard()
            said = header(head.headers, "content-range") or "none"
            raise Upstream(
                f"{head.url} sent another range than the one asked for, from byte {self._asked_from:,}: {said[:80]}",
                url=head.url,
                hint="try again; it will start again",
                status=head.status,
            )
        return None if found[3] == "*" else int(found[3])


def validator(headers: Headers) -> str | None:
    """Return what names this very version of a file, byte for byte: an ETag or, weaker, a date (RFC 9110 section 8.8).

    If-Range takes no weak tag, and a date only if it is at least one second older than the answer.
    """
    tag = (header(headers, "etag") or "").strip()
    if tag:
        return tag if _STRONG_TAG.fullmatch(tag) and len(tag) <= 1_000 else None
    modified = (header(headers, "last-modified") or "").strip()
    try:
        age = parsedate_to_datetime(header(headers, "date") or "") - parsedate_to_datetime(modified)
    except (TypeError, ValueError, OverflowError):
        return None
    return modified if age.total_seconds() >= 1 else None


def _kept(part: Part) -> str:
    if part.resumable:
        return f"try again: {part.size:,} bytes are kept, and it goes on from there"
    return "try again; it will start again"


def _digest(given: str | None) -> str | None:
    if given is None:
        return None
    told = given.strip().lower().removeprefix("sha256:")
    if not _SHA256.fullmatch(told):
        raise InvalidInput(f"{given[:80]!r} is no SHA-256", hint="64 hex digits")
    return told


def _place(order: Order) -> tuple[Path, str | None]:
    """Return the folder and, where it is given, the name of the file."""
    to = order.to
    if "\0" in str(to):
        raise InvalidInput(f"{str(to)!r} is no path")
    with _disk(to):
        if order.folder:
            to.mkdir(parents=True, exist_ok=True)
        if to.is_dir():
            return to, None
        if to.parent.is_dir():
            return to.parent, to.name
    raise InvalidInput(f"{to.parent} is no folder", hint="make it first, or choose another one")


@contextmanager
def _disk(place: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InvalidInput(
            f"cannot write to {place}: {error.strerror or error}",
            hint=_HINTS.get(error.errno or 0, "choose another place"),
        ) from error
