"""Remote inputs of a batch: each is copied into a temporary file before it is read, because readers have no network.

WARC files on web servers are downloaded through the HTTP client, and so are single records of them that an index names;
objects come from object storage. While one input is read, the next one is fetched.
"""

from __future__ import annotations

import gzip
import zlib
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, suppress
from functools import cached_property, partial
from itertools import count
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory, mkdtemp
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar
from urllib.parse import quote

from anyio.from_thread import start_blocking_portal

from wellread.apps.local_inputs import (
    Input,
    RecordingFile,
    RemoteCopy,
    RemoteEntry,
    RemoteSource,
    is_object_url,
    is_readable,
    is_recording_name,
    is_web_recording,
    kind,
)
from wellread.errors import Gone, InvalidInput, Timeout, Unreachable, Upstream, WellreadError, reason_line
from wellread.net import cdx
from wellread.net.downloads import DownloadRequest
from wellread.net.object_storage import ObjectStorage
from wellread.reading.snapshot_building import refuse_failures
from wellread.types import Request, header

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator
    from concurrent.futures import Future
    from types import TracebackType

    from anyio.from_thread import BlockingPortal

    from wellread.apps.build import Web
    from wellread.apps.output_files import OutputFile
    from wellread.config import Settings

T = TypeVar("T")

MAX_FILE_BYTES: Final = 20_000_000_000
"""Size of a remote WARC file; most have about 1 GB."""
MAX_SUFFIX_CHARS: Final = 40
"""File systems allow names of 255 bytes, and a character has up to 4."""
MAX_FETCHES: Final = 16
"""Records that are fetched at a time or wait to be read; `net.per_host` bounds the requests at a host."""
_COPIES_AHEAD: Final = 2
_DOWNLOAD_ATTEMPTS: Final = 3
"""A download that broke off continues where it ended."""
_WEB_SCHEMES: Final = ("http://", "https://")
_GZIP: Final = b"\x1f\x8b"


class RemoteFiles:
    """The network of a batch and its temporary folder, for code without an event loop; use it in a `with` block."""

    def __init__(self, settings: Settings) -> None:
        """Take the settings; no connection is opened before the first input needs one."""
        self._settings = settings
        self._storage = ObjectStorage(settings.objects, settings.net)
        self._closing = ExitStack()
        self._numbers = count(1)
        self._futures: set[Future[Any]] = set()  # Any: paths, names, bytes

    def __enter__(self) -> Self:
        """Create the folder."""
        self._folder = Path(self._closing.enter_context(TemporaryDirectory(prefix="wellread-")))
        self._thread = self._closing.enter_context(ThreadPoolExecutor(1))
        self._closing.callback(self._cancel)
        self._closing.callback(self._storage.close)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End what is under way, and remove the files; where an error ends the block, every request is cancelled."""
        self._closing.__exit__(kind, error, traceback)

    @cached_property
    def _portal(self) -> BlockingPortal:
        return self._closing.enter_context(start_blocking_portal())

    @cached_property
    def _web(self) -> Web:
        """The HTTP client, in a thread of its own."""
        from wellread.apps.build import Web  # objects and local files need no HTTP client

        web = self._closing.enter_context(self._portal.wrap_async_context_manager(Web(self._settings)))
        self._closing.callback(self._cancel)
        return web

    def sources(self, arguments: Iterable[str]) -> list[Path | RemoteSource]:
        """Return the arguments of a command as inputs of a batch."""
        return [self._source(argument) for argument in arguments]

    def _source(self, argument: str) -> Path | RemoteSource:
        if is_web_recording(argument):
            return WebRecording(argument, self)
        if is_object_url(argument):
            return Objects(argument, self)
        return Path(argument)

    def open_output(self, url: str) -> Path:
        """Return the path of a temporary file with what the object `url` has; there is no file if there is no object.

        Raises:
            WellreadError: the object cannot be read.
        """
        folder = self._folder / "output"
        folder.mkdir()
        path = folder / f"output{PurePosixPath(url).suffix}"  # names of objects may be longer than those of files
        with suppress(Gone):
            self._storage.download(url, path, MAX_FILE_BYTES, limit_hint="name another object with --out")
        return path

    def upload_output(self, path: Path, url: str) -> None:
        """Write the temporary file, where there is one, to its object.

        Raises:
            WellreadError: the object cannot be written; the hint names a file with the content.
        """
        if not path.exists():
            return
        try:
            self._storage.upload(path, url)
        except WellreadError as error:
            rescued_path = path.rename(Path(mkdtemp(prefix="wellread-")) / path.name)
            error.hint = f"the rows are in {rescued_path}; {error.hint}"
            raise

    def index(self, index: str, prefix: str) -> RemoteSource:
        """Return the records that an index names as an input; the WARC files are below the URL `prefix`."""
        return IndexedRecords(index, prefix, self)

    def download(self, url: str) -> Future[Path]:
        """Begin to download a file; the result is the path of the copy."""
        return self._started(self._portal.start_task_soon(_download, self._web, url, self._folder))

    def fetch_range(self, url: str, offset: int, length: int) -> Future[bytes]:
        """Begin to fetch a range of a file; the result is its bytes."""
        return self._started(self._portal.start_task_soon(_fetch_range, self._web, url, offset, length))

    def names(self, folder_url: str) -> Future[list[str]]:
        """Begin to list a folder of objects; the result is their URLs."""
        return self._started(self._thread.submit(self._storage.names, folder_url))

    def copy(self, url: str) -> Future[Path]:
        """Begin to copy an object; the result is the path of the copy, which has the suffixes of the URL."""
        suffixes = "".join(PurePosixPath(url).suffixes[-2:])[-MAX_SUFFIX_CHARS:]
        path = self._folder / f"{next(self._numbers)}{suffixes}"
        max_bytes, hint = self._settings.fetch.max_bytes, "raise fetch.max_bytes"
        if is_recording_name(url):
            max_bytes, hint = MAX_FILE_BYTES, "copy it to this machine: WARC files in folders may have any size"
        return self._started(self._thread.submit(self._storage.download, url, path, max_bytes, limit_hint=hint))

    def _started(self, future: Future[T]) -> Future[T]:
        self._futures.add(future)
        return future

    def result(self, future: Future[T]) -> T:
        """Wait for what another method began.

        Raises:
            WellreadError: it cannot be had.
        """
        try:
            return future.result()
        finally:
            if future.done():  # else the run is interrupted, and `_cancel` ends it
                self._futures.discard(future)

    def write(self, content: bytes) -> Path:
        """Write a temporary file, and return its path.

        Raises:
            InvalidInput: the disk refuses.
        """
        path = self._folder / f"record-{next(self._numbers)}.warc"
        try:
            path.write_bytes(content)
        except OSError as error:
            raise InvalidInput(f"cannot write {path}: {reason_line(error)}", hint="free some space") from error
        return path

    def _cancel(self) -> None:
        for future in self._futures:
            future.cancel()


class WebRecording:
    """A WARC file on a web server."""

    has_pages = False

    def __init__(self, url: str, files: RemoteFiles) -> None:
        """Take the URL; `prepare` or `entries` begins the download."""
        self._url = url
        self._files = files
        self._future: Future[Path] | None = None

    def __str__(self) -> str:
        """Return the URL, the source of what is wrong with the file."""
        return self._url

    def prepare(self) -> None:
        """Begin the download."""
        if self._future is None:
            self._future = self._files.download(self._url)

    def entries(self, _output: OutputFile | None, _skipped_records: Counter[str]) -> Iterator[RemoteEntry]:
        """Yield the copy of the file, or why there is none."""
        self._future = self._future or self._files.download(self._url)
        try:
            path = self._files.result(self._future)
        except WellreadError as error:
            yield self._url, error
        else:
            yield RemoteCopy(path, RecordingFile(path, self._url))


class Objects:
    """An object, or all readable objects below a URL that ends with a slash."""

    def __init__(self, url: str, files: RemoteFiles) -> None:
        """Take the URL; `prepare` or `entries` begins the transfer."""
        self._url = url
        self._files = files
        self._names: Future[list[str]] | None = None
        self.has_pages = False
        """Whether there are pages that an earlier run has written."""

    def __str__(self) -> str:
        """Return the URL."""
        return self._url

    def prepare(self) -> None:
        """Begin to list the folder; an object is copied while the one before it is read."""
        if self._url.endswith("/"):
            self._names = self._files.names(self._url)

    def entries(self, output: OutputFile | None, _skipped_records: Counter[str]) -> Iterator[RemoteEntry]:
        """Yield the copy of each object, or why there is none."""
        waiting: deque[tuple[str, Future[Path]]] = deque()
        try:
            for name in self._listed():
                if output is not None and not is_recording_name(name) and output.skip_if_done(name):
                    self.has_pages = True
                    continue
                waiting.append((name, self._files.copy(name)))
                if len(waiting) > _COPIES_AHEAD:
                    yield self._entry(*waiting.popleft())
        except WellreadError as error:
            yield self._url, error
        while waiting:
            yield self._entry(*waiting.popleft())

    def _listed(self) -> list[str]:
        if not self._url.endswith("/"):
            return [self._url]
        names = self._files.result(self._names or self._files.names(self._url))
        return [name for name in names if is_readable(PurePosixPath(name))]

    def _entry(self, name: str, copied: Future[Path]) -> RemoteEntry:
        try:
            path = self._files.result(copied)
        except WellreadError as error:
            return name, error
        is_recording = kind(path) == "recording"
        return RemoteCopy(path, RecordingFile(path, name) if is_recording else Input(name, str(path)))


class IndexedRecords:
    """Records of remote WARC files that an index names, each fetched by a range request."""

    def __init__(self, index: str, prefix: str, files: RemoteFiles) -> None:
        """Take the path or URL of the index, and the URL below which the WARC files are."""
        self._index = index
        self._prefix = prefix if prefix.endswith("/") else f"{prefix}/"
        self._files = files
        self.has_pages = False
        """Whether the index names pages."""

    def __str__(self) -> str:
        """Return the path or URL of the index."""
        return self._index

    def prepare(self) -> None:
        """Do nothing: the first records come soon after the index."""

    def entries(self, output: OutputFile | None, skipped_records: Counter[str]) -> Iterator[RemoteEntry]:
        """Yield the records in the order of the index, and the errors of lines and requests.

        A page that `output` has is not fetched; records that are no page are counted in `skipped_records`.
        """
        waiting: deque[tuple[str, Future[bytes] | WellreadError]] = deque()
        for record in self._records():
            if isinstance(record, WellreadError):
                waiting.append((self._index, record))
            elif record.skip_reason:
                skipped_records[record.skip_reason] += 1
            else:
                self.has_pages = True
                if output is None or not output.skip_if_done(record.url):
                    waiting.append((record.url, self._begun(record)))
            if len(waiting) >= MAX_FETCHES:
                yield self._entry(*waiting.popleft())
        while waiting:
            yield self._entry(*waiting.popleft())

    def _records(self) -> Iterator[cdx.IndexedRecord | WellreadError]:
        """Yield the records of the index, and the error that ends it."""
        try:
            path = Path(self._index)
            if self._index.lower().startswith(_WEB_SCHEMES):
                path = self._files.result(self._files.download(self._index))
            with path.open("rb") as file:
                is_packed = file.read(2) == _GZIP
            with gzip.open(path) if is_packed else path.open("rb") as lines:
                yield from cdx.indexed_records(iter(partial(lines.readline, cdx.MAX_LINE), b""), self._index)
        except WellreadError as error:
            yield error
        except (OSError, EOFError, zlib.error) as error:
            yield InvalidInput(f"cannot read {self._index}: {reason_line(error)}")

    def _begun(self, record: cdx.IndexedRecord) -> Future[bytes] | WellreadError:
        """Begin to fetch a record, from below the address of the archive alone."""
        if ".." in record.filename.split("/"):
            return InvalidInput(f"{record.filename} is no file of {self._prefix}", url=record.url)
        url = self._prefix + quote(record.filename.lstrip("/"))
        return self._files.fetch_range(url, record.offset, record.length)

    def _entry(self, source: str, fetched: Future[bytes] | WellreadError) -> RemoteEntry:
        if isinstance(fetched, WellreadError):
            return source, fetched
        try:
            path = self._files.write(self._files.result(fetched))
        except WellreadError as error:
            return source, error
        return RemoteCopy(path, RecordingFile(path, source))


async def _download(web: Web, url: str, folder: Path) -> Path:
    request = DownloadRequest(url=url, to=folder, max_bytes=MAX_FILE_BYTES, timeout_s=None, user_asked=True)
    for _ in range(_DOWNLOAD_ATTEMPTS - 1):
        with suppress(Unreachable, Timeout):
            return (await web.parts.download(request)).path
    return (await web.parts.download(request)).path


async def _fetch_range(web: Web, url: str, offset: int, length: int) -> bytes:
    """Return a range of a remote file (RFC 9110 section 14.4).

    Raises:
        WellreadError: there is no answer, or another one.
    """
    value = f"bytes={offset}-{offset + length - 1}"
    headers = (("Accept", "*/*"), ("Accept-Encoding", "identity"), ("Range", value))
    response = await web.parts.fetcher.fetch(Request(url=url, headers=headers, user_asked=True))
    refuse_failures(response, now=web.parts.clock.now())
    content_range = header(response.headers, "content-range") or "none"
    if response.status != 206 or not content_range.lower().startswith(f"bytes {offset}-"):
        message = f"{response.url} sent another range than {value}: {content_range[:80]}"
        raise Upstream(message, url=url, status=response.status, hint="the server must answer range requests")
    if response.partial is not None or len(response.body) != length:
        reason = response.partial or f"{len(response.body):,} of {length:,} bytes came"
        raise Unreachable(f"{response.url} broke off: {reason}", url=url)
    return response.body
