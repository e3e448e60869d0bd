"""Local inputs of every command: files, compressed or not, folders, recordings, standard input."""

from __future__ import annotations

import io
import os
import re
import shlex
import sys
import zlib
from contextlib import suppress
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO, Final, Literal, NamedTuple, Protocol
from urllib.parse import quote, urlsplit

from wellread.apps import mhtml
from wellread.errors import InvalidInput, InvalidUrl, TooLarge, Unsupported, WellreadError, reason_line
from wellread.net import guard
from wellread.types import Response

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator

    from wellread.apps.output_files import OutputFile
    from wellread.types import Headers

Kind = Literal["stdin", "folder", "recording", "file"]

STDIN: Final = "-"
READABLE = frozenset(
    {
        *(".html", ".htm", ".xhtml", ".md", ".markdown", ".txt", ".text", ".rst"),
        *(".pdf", ".docx", ".xlsx", ".xlsm", ".xltx", ".xltm", ".pptx", ".pptm", ".ppsx", ".potx", ".rtf", ".ipynb"),
        *(".mht", ".mhtml", ".csv", ".tsv", ".json", ".xml", ".rss", ".atom"),
        *(".epub", ".odt", ".ott", ".fodt", ".ods", ".ots", ".fods", ".odp", ".otp", ".fodp", ".odg", ".fodg"),
        *(".eml", ".mbox"),
    }
)
"""What a file is called that an extractor reads, packed (`.gz`) or not."""
_TYPES: Final = {
    **dict.fromkeys((".txt", ".text", ".rst"), "text/plain"),
    **dict.fromkeys((".md", ".markdown"), "text/markdown"),
    ".csv": "text/csv",
    ".tsv": "text/tab-separated-values",
    ".json": "application/json",
    ".eml": "message/rfc822",
    ".mbox": "application/mbox",
}
"""What looks like nothing else, by its name."""
_RECORDINGS = (".warc", ".warc.gz")
_WEB: Final = ("http:/", "https:/")
_GZIP: Final = b"\x1f\x8b"
_PIECE: Final = 1 << 18
_TAR_MAGIC: Final = b"ustar"
_TAR_MAGIC_END: Final = 257 + len(_TAR_MAGIC)


class Input(NamedTuple):
    """The place of one page."""

    source: str
    """What it is called in the output: a path, or the URL in a WARC file."""
    path: str
    offset: int | None = None
    """Its place in a WARC file."""


class RecordingFile(NamedTuple):
    """A WARC file, whose pages are not known yet."""

    path: Path
    name: str
    """What it is called in the output and in messages: its path, or the URL that it was copied from."""

    def __str__(self) -> str:
        """Return the name, for messages."""
        return self.name

    def open(self, mode: Literal["rb"]) -> BinaryIO:
        """Open the file."""
        return self.path.open(mode)


InputOrError = Input | tuple[str, WellreadError]
"""A page, or what cannot be opened and why; the first of either is what it is called."""


Entry = InputOrError | RecordingFile


class RemoteCopy(NamedTuple):
    """A temporary copy of a remote input, to be removed when its pages are read."""

    path: Path
    entry: Input | RecordingFile


RemoteEntry = RemoteCopy | tuple[str, WellreadError]
"""A copy, or what cannot be had and why."""


class RemoteSource(Protocol):
    """A remote input of a batch; its string is its name in the output."""

    has_pages: bool
    """Whether pages of it are known that need not be read again."""

    def prepare(self) -> None:
        """Begin to fetch it, while another input is read."""

    def entries(self, output: OutputFile | None, skipped_records: Counter[str]) -> Iterator[RemoteEntry]:
        """Yield the copies of its files in their order; blocks."""


def kind(path: Path) -> Kind:
    """Return the kind of a path; one that cannot be opened is a file, and reading it reports why."""
    if str(path) == STDIN:
        return "stdin"
    try:
        if path.is_dir():
            return "folder"
        if is_recording_name(path.name):
            return "recording"
        if not path.is_file():  # a pipe gives its bytes once
            return "file"
        with path.open("rb") as file:
            return "recording" if file.read(5) == b"WARC/" else "file"
    except OSError:
        return "file"


def is_recording_name(name: str) -> bool:
    """Return whether a file is called as WARC files are."""
    return name.lower().endswith(_RECORDINGS)


def is_web_recording(argument: str) -> bool:
    """Return whether an argument is the URL of a WARC file on a web server."""
    return argument.lower().startswith(("http://", "https://")) and is_recording_name(urlsplit(argument).path)


def is_object_url(argument: str) -> bool:
    """Return whether an argument is the URL of an object, or of a folder of objects, in object storage."""
    return argument.startswith(("s3://", "gs://", "hf://"))


def is_remote(argument: str) -> bool:
    """Return whether an argument is read from another machine."""
    return is_web_recording(argument) or is_object_url(argument)


def is_readable(path: PurePath) -> bool:
    """Return whether the name of a file in a folder is one that extractors read."""
    name = path.name.lower()
    return name.endswith(_RECORDINGS) or Path(name.removesuffix(".gz")).suffix in READABLE


def walk(folder: Path) -> Iterator[Path | tuple[str, InvalidInput]]:
    """Yield the files below a folder, sorted by name, without hidden files and links.

    A link may lead out of the folder, or back into it. A folder that cannot be opened is yielded with its error.
    """
    try:
        paths = sorted(path for path in folder.iterdir() if path.name[:1] != "." and not path.is_symlink())
    except OSError as error:
        yield str(folder), _unread(folder, error)
        return
    for path in paths:
        if path.is_dir():
            yield from walk(path)
        elif path.is_file():
            yield path


def entries(path: Path) -> Iterator[Entry]:
    """Yield the files and recordings of a path in their order, or the error of one that cannot be opened."""
    path_kind = kind(path)
    if str(path).lower().startswith(_WEB):
        yield _address(path)
    elif path_kind == "folder":
        for entry in walk(path):
            if isinstance(entry, Path):
                yield from entries(entry)
            else:
                yield entry
    elif path_kind == "recording":
        yield RecordingFile(path, str(path))
    else:
        yield Input(str(path), str(path))


def recorded_pages(recording: RecordingFile, skipped_records: Counter[str]) -> Iterator[InputOrError]:
    """Yield the pages of a WARC file, and last the error where it is damaged.

    Other records are counted in `skipped_records`.
    """
    from wellread.net import warc, warc_records

    try:
        for record, url in warc_records.page_records(warc.RecordIterator(recording), skipped_records):
            yield Input(url, str(recording.path), record.offset)
    except InvalidInput as error:
        yield recording.name, error


def no_pages(source: Path | RemoteSource) -> InvalidInput:
    """Return the error of a path or a remote input without a page."""
    hint = "hidden files and links are skipped" if isinstance(source, Path) and source.is_dir() else None
    return InvalidInput(f"no pages in {source}", hint=hint)


def address(url: str | None) -> str:
    """Return the URL to give a local page, checked only for its form.

    Raises:
        InvalidUrl: `url` is not an http or https URL.
    """
    if not url:
        return "about:blank"
    guard.parse_url(url)
    return url


def open_input(page: Input, *, url: str | None, max_bytes: int, stdin_bytes: bytes = b"") -> Response | None:
    """Return the page as a server would have sent it; None for a WARC record that is no document.

    `stdin_bytes` is the content of standard input.

    Raises:
        InvalidInput: it cannot be read.
        TooLarge: it is longer than `max_bytes`.
        Unsupported: it is MHTML without HTML.
    """
    if page.offset is not None:
        from wellread.net import warc_records

        return warc_records.read_response(Path(page.path), page.offset, max_bytes=max_bytes)
    path = Path(page.path)
    if page.path == STDIN:
        body, damage = decompressed(stdin_bytes, page.path, max_bytes)
    else:
        body, damage = _bytes_of(path, max_bytes)
    if mhtml.is_mhtml(body):
        return _saved(body, page.path, url, damage)
    name = re.sub(r"\.gz\Z", "", path.name, flags=re.IGNORECASE)
    headers = (
        *headers_of(path.name),
        ("content-disposition", f"attachment; filename*=UTF-8''{quote(os.fsencode(name))}"),
    )
    return Response(url=url or "about:blank", status=200, headers=headers, body=body, partial=damage)


def _saved(body: bytes, name: str, url: str | None, damage: str | None) -> Response:
    page = mhtml.saved(body)
    if page is None:
        raise Unsupported(f"{name} is MHTML without an HTML page", hint="save the page as HTML")
    return Response(
        url=url or _own_address(page.location),
        status=200,
        headers=(("content-type", page.content_type),),
        body=page.body,
        partial=damage or page.lost,
    )


def _own_address(location: str) -> str:
    try:
        return address(location)
    except InvalidUrl:  # such as cid:frame
        return "about:blank"


def read(path: Path, max_bytes: int) -> Response:
    """Return a file, or standard input, as a server would have sent it under its file URL.

    Raises:
        InvalidInput, TooLarge: it cannot be read, or has more than `max_bytes` bytes.
    """
    stdin_bytes = standard_input(max_bytes) if str(path) == STDIN else b""
    response = open_input(Input(str(path), str(path)), url=file_url(path), max_bytes=max_bytes, stdin_bytes=stdin_bytes)
    assert response is not None  # only a recording holds what is no document
    return response


def file_url(path: Path) -> str:
    """Return the name of a local file in the index and in citations: its file URL (RFC 8089)."""
    if str(path) == STDIN:
        return "file:///dev/stdin"
    return path.resolve().as_uri()


def headers_of(name: str) -> Headers:
    """Return the headers that the name of a file implies."""
    media_type = _TYPES.get(Path(name.lower().removesuffix(".gz")).suffix)
    if media_type is None:
        return ()
    return (("content-type", media_type),)


def standard_input(max_bytes: int) -> bytes:
    """Return all of standard input.

    Raises:
        TooLarge: it has more than `max_bytes`.
    """
    body = sys.stdin.buffer.read(max_bytes + 1)
    if len(body) > max_bytes:
        raise TooLarge(f"standard input has more than {max_bytes:,} bytes")
    return body


def decompressed(body: bytes, name: str, max_bytes: int) -> tuple[bytes, str | None]:
    """Return the body decompressed where it is gzip, and the reason why it is not complete, if so.

    Raises:
        InvalidInput: it is packed, and damaged from its start.
        TooLarge: it has more than `max_bytes`, as it is or decompressed.
    """
    damage = None
    if body.startswith(_GZIP) and not _is_tar(body):
        import gzip  # here, because few files are packed

        unpacked_body = io.BytesIO()
        with gzip.GzipFile(fileobj=io.BytesIO(body)) as file:  # which reads on where one packed part follows another
            try:
                while unpacked_body.tell() <= max_bytes and (piece := file.read1(_PIECE)):
                    unpacked_body.write(piece)
            except EOFError:
                damage = "the file was cut off"
            except (zlib.error, gzip.BadGzipFile) as error:
                damage = f"the file is damaged: {error}"
                if not unpacked_body.tell():
                    raise InvalidInput(f"cannot read {name}: {error}") from error
        body = unpacked_body.getvalue()
    if len(body) > max_bytes:
        raise TooLarge(f"{name} has more than {max_bytes:,} bytes")
    return body, damage


def _is_tar(compressed: bytes) -> bool:
    """Return whether gzip data holds a tar archive, which is decompressed where it is read."""
    import gzip  # here, for the same reason

    start = b""
    with suppress(OSError, EOFError, zlib.error), gzip.GzipFile(fileobj=io.BytesIO(compressed)) as file:
        start = file.read(_TAR_MAGIC_END)
    return start[-len(_TAR_MAGIC) :] == _TAR_MAGIC


def _bytes_of(path: Path, max_bytes: int) -> tuple[bytes, str | None]:
    try:
        with path.open("rb") as file:
            return decompressed(file.read(max_bytes + 1), str(path), max_bytes)
    except OSError as error:
        raise _unread(path, error) from error


def _address(path: Path) -> tuple[str, InvalidInput]:
    url = str(path).replace(":/", "://", 1)  # a path has no two slashes side by side
    return url, InvalidInput(f"{url} is an address, not a file", hint=f"run `wellread read {shlex.quote(url)}`")


def _unread(path: Path, error: OSError) -> InvalidInput:
    return InvalidInput(f"cannot read {path}: {reason_line(error)}")
