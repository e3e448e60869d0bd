"""What a batch reads, in order: files, the files in folders, the pages in WARC files, standard input."""

from __future__ import annotations

import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.errors import InvalidInput, TooLarge
from wellread.net import records
from wellread.types import Response

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

STDIN: Final = "-"
_GZIP: Final = b"\x1f\x8b"


class Input(NamedTuple):
    """Where one page is."""

    source: str
    """What it is called in the output: a path, or the URL in a WARC file."""
    path: str
    offset: int | None = None
    """Its place in a WARC file."""


def is_warc(path: Path) -> bool:
    """Tell a WARC file by its name."""
    return path.name.lower().endswith((".warc", ".warc.gz"))


def is_many(path: Path) -> bool:
    """Tell what holds more pages than one."""
    return is_warc(path) or path.is_dir()


def inputs(paths: Iterable[Path]) -> Iterator[Input | tuple[str, InvalidInput]]:
    """Yield every page, folders in the order of their names; what cannot be opened with its error."""
    for path in paths:
        try:
            if str(path) != STDIN and path.is_dir():
                yield from inputs(_entries(path))
            elif is_warc(path):
                yield from (Input(url, str(path), offset) for offset, url in records.answers(path))
            else:
                yield Input(str(path), str(path))
        except InvalidInput as error:
            yield str(path), error


def _entries(folder: Path) -> list[Path]:
    try:
        # A link to a folder may lead back here.
        found = [
            path for path in folder.iterdir() if not (path.name[:1] == "." or (path.is_symlink() and path.is_dir()))
        ]
    except OSError as error:
        raise InvalidInput(f"cannot read {folder}: {error.strerror or error}") from error
    return sorted(found)


def opened(found: Input, *, url: str | None, max_bytes: int, at_hand: bytes = b"") -> Response | None:
    """Return the page as a server would have sent it; None when a WARC file holds no document there.

    `at_hand` is what standard input gave.

    Raises:
        InvalidInput: it cannot be read.
        TooLarge: it is longer than `max_bytes`.
    """
    if found.offset is not None:
        return records.response(Path(found.path), found.offset, max_bytes=max_bytes)
    body = at_hand if found.path == STDIN else _bytes_of(Path(found.path), max_bytes)
    return Response(url=url or "about:blank", status=200, headers=(), body=body)


def standard_input(max_bytes: int) -> bytes:
    """Return all of standard input.

    Raises:
        TooLarge: it has more than `max_bytes`.
    """
    body = sys.stdin.buffer.read(max_bytes + 1)
    if len(body) > max_bytes:
        raise TooLarge(f"standard input has more than {max_bytes:,} bytes")
    return body


def _bytes_of(path: Path, max_bytes: int) -> bytes:
    try:
        with path.open("rb") as file:
            body = file.read(max_bytes + 1)
    except OSError as error:
        raise InvalidInput(f"cannot read {path}: {error.strerror or error}") from error
    if path.suffix.lower() == ".gz" and body.startswith(_GZIP):
        try:
            body = zlib.decompressobj(31).decompress(body, max_bytes + 1)
        except zlib.error as error:
            raise InvalidInput(f"cannot read {path}: {error}") from error
    if len(body) > max_bytes:
        raise TooLarge(f"{path} has more than {max_bytes:,} bytes")
    return body
