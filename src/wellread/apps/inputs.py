"""What is read from this machine, by every command alike: files, packed or not, folders, recordings, standard input."""

from __future__ import annotations

import gzip
import io
import re
import shlex
import sys
import zlib
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from urllib.parse import quote

from wellread.apps import mhtml
from wellread.errors import InvalidInput, InvalidUrl, TooLarge, Unsupported
from wellread.net import guard, records
from wellread.types import Response

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator

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
    """Where one page is."""

    source: str
    """What it is called in the output: a path, or the URL in a WARC file."""
    path: str
    offset: int | None = None
    """Its place in a WARC file."""


Given = Input | tuple[str, InvalidInput]
"""A page, or what cannot be opened and why; the first of either is what it is called."""


def kind(path: Path) -> Kind:
    """Tell what is there; what cannot be looked at is a file, whose reading says why."""
    if str(path) == STDIN:
        return "stdin"
    try:
        if path.is_dir():
            return "folder"
        if path.name.lower().endswith(_RECORDINGS):
            return "recording"
        if not path.is_file():  # a pipe gives its bytes once
            return "file"
        with path.open("rb") as file:
            return "recording" if file.read(5) == b"WARC/" else "file"
    except OSError:
        return "file"


def is_readable(path: Path) -> bool:
    """Tell by its name whether a file of a folder is worth trying."""
    name = path.name.lower()
    return name.endswith(_RECORDINGS) or Path(name.removesuffix(".gz")).suffix in READABLE


def below(folder: Path) -> Iterator[Path | tuple[str, InvalidInput]]:
    """Yield the files below a folder in the order of their names; hidden ones and links are passed over.

    A link may lead out of the folder, or back into it. A folder that cannot be opened is yielded with its error.
    """
    try:
        found = sorted(path for path in folder.iterdir() if path.name[:1] != "." and not path.is_symlink())
    except OSError as error:
        yield str(folder), _unread(folder, error)
        return
    for path in found:
        if path.is_dir():
            yield from below(path)
        elif path.is_file():
            yield path


def inputs(paths: Iterable[Path], passed: Counter[str]) -> Iterator[Given]:
    """Yield every page; what cannot be opened, or holds none, with its error. Counts what is no page in WARC files."""
    for path in paths:
        empty = True
        for each in _within(path, passed):
            empty = False
            yield each
        if empty:
            hint = "hidden files and links are passed over" if path.is_dir() else None
            yield str(path), InvalidInput(f"no pages in {path}", hint=hint)


def _within(path: Path, passed: Counter[str]) -> Iterator[Given]:
    try:
        found = kind(path)
        if str(path).lower().startswith(_WEB):
            yield _address(path)
        elif found == "folder":
            for each in below(path):
                yield from _within(each, passed) if isinstance(each, Path) else [each]
        elif found == "recording":
            yield from (Input(url, str(path), offset) for offset, url in records.answers(path, passed))
        else:
            yield Input(str(path), str(path))
    except InvalidInput as error:
        yield str(path), error


def address(url: str | None) -> str:
    """Return the address that a page at hand is said to have, whatever is reachable there.

    Raises:
        InvalidUrl: it is no http or https URL.
    """
    if not url:
        return "about:blank"
    guard.read(url)
    return url


def opened(found: Input, *, url: str | None, max_bytes: int, at_hand: bytes = b"") -> Response | None:
    """Return the page as a server would have sent it; None when a WARC file holds no document there.

    `at_hand` is what standard input gave.

    Raises:
        InvalidInput: it cannot be read.
        TooLarge: it is longer than `max_bytes`.
        Unsupported: it is MHTML without HTML.
    """
    if found.offset is not None:
        return records.response(Path(found.path), found.offset, max_bytes=max_bytes)
    path = Path(found.path)
    body, lost = unpacked(at_hand, found.path, max_bytes) if found.path == STDIN else _bytes_of(path, max_bytes)
    if mhtml.is_saved(body):
        return _saved(body, found.path, url, lost)
    name = re.sub(r"\.gz\Z", "", path.name, flags=re.IGNORECASE)
    headers = (*headers_of(path.name), ("content-disposition", f"attachment; filename*=UTF-8''{quote(name)}"))
    return Response(url=url or "about:blank", status=200, headers=headers, body=body, partial=lost)


def _saved(body: bytes, name: str, url: str | None, lost: str | None) -> Response:
    page = mhtml.saved(body)
    if page is None:
        raise Unsupported(f"no HTML is in {name}, which is called a page saved as one file", hint="save it as HTML")
    return Response(
        url=url or _own_address(page.location),
        status=200,
        headers=(("content-type", page.content_type),),
        body=page.body,
        partial=lost or page.lost,
    )


def _own_address(told: str) -> str:
    try:
        return address(told)
    except InvalidUrl:  # such as cid:frame
        return "about:blank"


def read(path: Path, max_bytes: int) -> Response:
    """Return a file, or standard input, as a server would have sent it under its file URL.

    Raises:
        InvalidInput, TooLarge: it cannot be read, or has more than `max_bytes` bytes.
    """
    at_hand = standard_input(max_bytes) if str(path) == STDIN else b""
    found = opened(Input(str(path), str(path)), url=name_of(path), max_bytes=max_bytes, at_hand=at_hand)
    assert found is not None  # only a recording holds what is no document
    return found


def name_of(path: Path) -> str:
    """Return what a local file is called in the index and in citations: its file URL (RFC 8089)."""
    return "file:///dev/stdin" if str(path) == STDIN else path.resolve().as_uri()


def headers_of(name: str) -> Headers:
    """Say what the name of a file alone can tell."""
    found = _TYPES.get(Path(name.lower().removesuffix(".gz")).suffix)
    return (("content-type", found),) if found else ()


def standard_input(max_bytes: int) -> bytes:
    """Return all of standard input.

    Raises:
        TooLarge: it has more than `max_bytes`.
    """
    body = sys.stdin.buffer.read(max_bytes + 1)
    if len(body) > max_bytes:
        raise TooLarge(f"standard input has more than {max_bytes:,} bytes")
    return body


def unpacked(body: bytes, name: str, max_bytes: int) -> tuple[bytes, str | None]:
    """Return what is in a body that may be packed, and why that is not all, where it is not.

    Raises:
        InvalidInput: it is packed, and damaged from its start.
        TooLarge: it has more than `max_bytes`, as it is or unpacked.
    """
    lost = None
    if body.startswith(_GZIP) and not _is_tar(body):
        out = io.BytesIO()
        with gzip.GzipFile(fileobj=io.BytesIO(body)) as file:  # which reads on where one packed part follows another
            try:
                while out.tell() <= max_bytes and (piece := file.read1(_PIECE)):
                    out.write(piece)
            except EOFError:
                lost = "the file was cut off"
            except (zlib.error, gzip.BadGzipFile) as error:
                lost = f"the file is damaged: {error}"
                if not out.tell():
                    raise InvalidInput(f"cannot read {name}: {error}") from error
        body = out.getvalue()
    if len(body) > max_bytes:
        raise TooLarge(f"{name} has more than {max_bytes:,} bytes")
    return body, lost


def _is_tar(packed: bytes) -> bool:
    """Tell a packed tar archive, which is unpacked where it is read."""
    start = b""
    with suppress(OSError, EOFError, zlib.error), gzip.GzipFile(fileobj=io.BytesIO(packed)) as file:
        start = file.read(_TAR_MAGIC_END)
    return start[-len(_TAR_MAGIC) :] == _TAR_MAGIC


def _bytes_of(path: Path, max_bytes: int) -> tuple[bytes, str | None]:
    try:
        with path.open("rb") as file:
            return unpacked(file.read(max_bytes + 1), str(path), max_bytes)
    except OSError as error:
        raise _unread(path, error) from error


def _address(path: Path) -> tuple[str, InvalidInput]:
    url = str(path).replace(":/", "://", 1)  # a path has no two slashes side by side
    return url, InvalidInput(f"{url} is an address, not a file", hint=f"`wellread read {shlex.quote(url)}` reads it")


def _unread(path: Path, error: OSError) -> InvalidInput:
    return InvalidInput(f"cannot read {path}: {error.strerror or error}")
