"""The files that results go to: one file, JSON Lines that a later run continues, or a folder with a file for each."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Self

from wellread.apps.ledger import SUFFIXES, Ledger, new_half
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from wellread.types import Format

SUFFIX_OF: dict[Format | str, str] = {"markdown": ".md", "text": ".txt", "html": ".html", "json": ".json"}
_UNNAMABLE = re.compile(r"[^A-Za-z0-9._-]{1,400}")
_NAME_CHARS = 80
_DIGEST_CHARS = 12


class Folder:
    """A file for each source, named after it; a source whose file is there is not asked for again.

    An error makes no file, so that the next run tries the source again.
    """

    def __init__(self, path: Path, suffix: str) -> None:
        """Make the folder where there is none.

        Raises:
            InvalidInput: it cannot be made.
        """
        self._path = path
        self._suffix = suffix
        self.passed = self.retried = 0
        self.failed: Counter[str] = Counter()
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unwritable(path, error) from error

    def __enter__(self) -> Self:
        """Return the same folder."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave everything as it is."""

    def is_done(self, source: str) -> bool:
        """Tell whether the file of `source` is there."""
        is_there = self.file(source).exists()
        self.passed += is_there
        return is_there

    def add(self, line: str, text: str | None = None) -> None:
        """Write a result, whose JSON is `line`: `text`, or the text of the page, or the JSON where that is wanted."""
        fields = json.loads(line)
        if "error" not in fields:
            _write(self.file(fields["source"]), _content(line, text, fields, self._suffix))

    def file(self, source: str) -> Path:
        """Return where the result of `source` is kept: legible, and told apart by a digest of the whole source."""
        name = _UNNAMABLE.sub("-", source.partition("://")[2] or source).strip(".-")[:_NAME_CHARS].rstrip(".-")
        digest = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARS]
        return self._path / f"{name or 'result'}-{digest}{self._suffix}"


class SingleFile:
    """One file for one result, in place of what it held."""

    def __init__(self, path: Path, suffix: str) -> None:
        """Take the path; nothing is written yet."""
        self._path = path
        self._suffix = suffix
        self.passed = self.retried = 0
        self.failed: Counter[str] = Counter()

    def __enter__(self) -> Self:
        """Return the same file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave everything as it is."""

    def is_done(self, _source: str) -> bool:
        """Tell that the result is wanted anew."""
        return False

    def add(self, line: str, text: str | None = None) -> None:
        """Write a result, as `Folder.add` does; an error leaves the file alone."""
        fields = json.loads(line)
        if "error" not in fields:
            _write(self._path, _content(line, text, fields, self._suffix))


OutputFile = Ledger | Folder | SingleFile


def output_file(path: str, *, format: str, single: bool) -> OutputFile:
    """Return where results go: `path` ends with `.jsonl` or `.parquet`, or with a slash, or names one file.

    `format` is that of texts, or json. Only a `single` result goes into one file.

    Raises:
        InvalidInput: several results go to one file, or it cannot be written.
    """
    place = Path(path)
    if path.endswith("/") or place.is_dir():
        return Folder(place, SUFFIX_OF[format])
    if place.suffix in SUFFIXES:
        return Ledger(place)
    if not single:
        hint = f"{place.with_suffix('.jsonl')} takes a line for each, {path}/ a file for each"
        raise InvalidInput(f"several results do not fit into the one file {path}", hint=hint)
    return SingleFile(place, ".json" if place.suffix == ".json" else SUFFIX_OF[format])


def _content(line: str, text: str | None, fields: dict[str, str], suffix: str) -> str:
    if suffix == SUFFIX_OF["json"]:
        return line
    return fields["text"] if text is None else text


def _write(path: Path, text: str) -> None:
    """Write a file that is there whole or not at all."""
    try:
        half = new_half(path)
        with half.open("x", encoding="utf-8", errors="replace") as file:
            file.write(text.removesuffix("\n") + "\n")
        half.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> InvalidInput:
    return InvalidInput(f"cannot write {path}: {error.strerror or error}")
