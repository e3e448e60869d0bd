"""Output files of results: one file, JSON Lines that a later run continues, or a folder with a file for each."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Self

from wellread.apps.batch_output import SUFFIXES, JsonLinesOutput, new_half
from wellread.errors import InvalidInput, reason_line
from wellread.lazy_pattern import lazy_pattern

if TYPE_CHECKING:
    from wellread.types import ReadFormat

SUFFIX_OF: dict[ReadFormat | str, str] = {
    "markdown": ".md",
    "text": ".txt",
    "html": ".html",
    "raw": ".html",
    "links": ".txt",
    "json": ".json",
}
_UNNAMABLE = lazy_pattern(r"[^A-Za-z0-9._-]{1,400}")
_NAME_CHARS = 80
_DIGEST_CHARS = 12


class Folder:
    """A file for each source, named after it; a source whose file exists is not requested again.

    An error makes no file, so that the next run tries the source again.
    """

    def __init__(self, path: Path, suffix: str, *, is_locked: bool) -> None:
        """Create the folder if needed; `is_locked`: until the end, no other process may write several results there.

        Raises:
            InvalidInput: it cannot be made, or another process has locked it.
        """
        # Loaded here so that a page that is printed does not wait for SQLite.
        from wellread.store.folder_lock import OutputLock

        self._path = path
        self._suffix = suffix
        self.already_written = self.retried = 0
        self.failed: Counter[str] = Counter()
        try:
            path.mkdir(parents=True, exist_ok=True)
            self.has_unmet = any(path.iterdir())
            """Whether an earlier run has written results."""
            self._lock = OutputLock(path) if is_locked else None
        except OSError as error:
            raise _unwritable(path, error) from error

    def __enter__(self) -> Self:
        """Return the same folder."""
        return self

    def __exit__(self, *_: object) -> None:
        """Let other processes write."""
        if self._lock is not None:
            self._lock.release()

    def skip_if_done(self, source: str) -> bool:
        """Return whether the file of `source` exists, and count it if so."""
        is_there = self.file(source).exists()
        self.already_written += is_there
        return is_there

    def add(self, line: str, text: str | None = None) -> None:
        """Write a result, given as JSON in `line`: as `text`, as the text of the page, or as JSON, by the suffix."""
        fields = json.loads(line)
        if "error" not in fields:
            _write(self.file(fields["source"]), _content(line, text, fields, self._suffix))

    def file(self, source: str) -> Path:
        """Return the file for the result of `source`: a readable name, made unique by a digest of the source."""
        name = _UNNAMABLE.sub("-", source.partition("://")[2] or source).strip(".-")[:_NAME_CHARS].rstrip(".-")
        digest = hashlib.sha256(source.encode("utf-8", "surrogatepass")).hexdigest()[:_DIGEST_CHARS]
        return self._path / f"{name or 'result'}-{digest}{self._suffix}"


class SingleFile:
    """One file for one result; its old content is replaced."""

    has_unmet = False

    def __init__(self, path: Path, suffix: str) -> None:
        """Take the path; nothing is written yet."""
        self._path = path
        self._suffix = suffix
        self.already_written = self.retried = 0
        self.failed: Counter[str] = Counter()

    def __enter__(self) -> Self:
        """Return the same file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave everything as it is."""

    def skip_if_done(self, _source: str) -> bool:
        """Return that the result is always requested again."""
        return False

    def add(self, line: str, text: str | None = None) -> None:
        """Write a result, as `Folder.add` does; an error leaves the file alone."""
        fields = json.loads(line)
        if "error" not in fields:
            _write(self._path, _content(line, text, fields, self._suffix))


OutputFile = JsonLinesOutput | Folder | SingleFile


def output_file(path: str, *, format: str, single: bool) -> OutputFile:
    """Return the output for `path`: a `.jsonl` or `.parquet` file, a folder (it ends with a slash), or one file.

    `format` is that of texts, or json. Only a `single` result goes into one file.

    Raises:
        InvalidInput: several results go to one file, it cannot be written, or another process writes to it.
    """
    out_path = Path(path)
    try:
        is_folder = path.endswith("/") or out_path.is_dir()
    except OSError as error:  # such as a name that is too long
        raise _unwritable(out_path, error) from error
    if is_folder:
        return Folder(out_path, SUFFIX_OF[format], is_locked=not single)
    if out_path.suffix in SUFFIXES:
        return JsonLinesOutput(out_path)
    if not single:
        hint = f"{out_path.with_suffix('.jsonl')} takes a line for each, {path}/ a file for each"
        raise InvalidInput(f"several results cannot be written to one file, {path}", hint=hint)
    return SingleFile(out_path, ".json" if out_path.suffix == ".json" else SUFFIX_OF[format])


def _content(line: str, text: str | None, fields: dict[str, str], suffix: str) -> str:
    if suffix == SUFFIX_OF["json"]:
        return line
    if text is not None:
        return text
    return fields["text"]


def _write(path: Path, text: str) -> None:
    """Write a file atomically."""
    try:
        temporary_file = new_half(path)
        with temporary_file.open("x", encoding="utf-8", errors="replace") as file:
            file.write(text.removesuffix("\n") + "\n")
        temporary_file.replace(path)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> InvalidInput:
    return InvalidInput(f"cannot write {path}: {reason_line(error)}")
