"""The output file of a batch: JSON Lines that a later run continues, turned into Parquet at the end on request."""

from __future__ import annotations

import hashlib
import json
import os
import types
from collections import Counter
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, Self, get_args, get_origin, get_type_hints

from wellread.errors import InvalidInput, reason_line
from wellread.lazy_pattern import lazy_pattern
from wellread.types import Page

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

_LINE: Final = lazy_pattern(rb'\{"source": ("(?:[^"\\]|\\.)*+")(, "error")?')
_START: Final = b'{"source": "'
_MAX_NAME_BYTES: Final = 255
"""Of a file, on nearly all filesystems."""
_ROWS_AT_ONCE: Final = 200
_ROW_GROUP_BYTES: Final = 1 << 26
"""Of a row group of a Parquet file, whose footer names each column of each group: ten million pages have some 5,000."""
SUFFIXES: Final = frozenset({".jsonl", ".parquet"})
_INSTALL: Final = "pip install 'wellread[parquet]', or write to a name that ends with .jsonl"


class JsonLinesOutput:
    """One line per page, appended as it comes; every complete line survives the end of the run.

    What failed in an earlier run is read again: its file may have come meanwhile, its deadline may have been raised.
    The old line stands until this run has come to its end, so that no kill costs it. Where one source has several
    pages, as a URL in a WARC file, all are read again if one failed: which of them it was, nothing tells.
    """

    def __init__(self, path: Path) -> None:
        """Open the file, or continue the existing one; an incomplete last line is dropped.

        Raises:
            InvalidInput: the name ends neither with .jsonl nor .parquet, the file cannot be written or holds something
                else, another process writes to it, or Parquet is asked for and pyarrow is not installed.
        """
        # Loaded here so that a page that is printed does not wait for SQLite.
        from wellread.store.folder_lock import OutputLock

        if path.suffix not in SUFFIXES:
            raise InvalidInput(
                f"{path} is neither .jsonl nor .parquet", hint="give --out a name that ends with .jsonl or .parquet"
            )
        self._path = path
        self._parquet: Path | None = None
        if path.suffix == ".parquet":
            self._path, self._parquet = path.with_name(f"{path.name}.jsonl"), path
        try:
            if self._parquet and self._path.is_symlink():  # the user has not named this path: no link is followed
                raise InvalidInput(f"{self._path} is a link", hint="remove the link, or give another file as --out")
            if self._path.exists() and not self._path.is_file():  # a device is endless, a pipe is never read to its end
                raise InvalidInput(f"{self._path} is not a regular file", hint="give another file as --out")
            self.done: Counter[str] = Counter()
            self.failed: Counter[str] = Counter()
            """Errors of an earlier run, by source, that this one has not tried again."""
            self.already_written = self.retried = 0
            """Pages that an earlier run has written, and errors of it that are tried again."""
            self._again: set[str] = set()
            self._lock = OutputLock(path)
            with ExitStack() as stack:
                stack.callback(self._lock.release)
                self._resume()
                self._begun = self._path.stat().st_size if self._path.exists() else 0
                self._file = self._path.open("ab", buffering=0)
                stack.pop_all()
        except OSError as error:
            raise InvalidInput(f"cannot write {path}: {reason_line(error)}") from error

    def __enter__(self) -> Self:
        """Return the same output."""
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Close the file; after a complete run, turn it into Parquet where that was asked for."""
        self._file.close()
        try:
            if self._again and kind is None:
                self._sweep()
            if self._parquet is not None and kind is None:
                to_parquet(self._path, self._parquet, {"source": str})
                self._path.unlink()
        finally:
            self._lock.release()

    def add(self, line: str, _text: str | None = None) -> None:
        """Append one line."""
        self._append(_utf8(line) + b"\n")

    def add_row(self, source: str, row: bytes) -> None:
        """Append the row of a page, whose source it lacks."""
        self._append(row_with_source(source, row) + b"\n")

    def _append(self, line: bytes) -> None:
        """Append a line; where only a part of it can be written, remove the part."""
        unwritten = memoryview(line)
        try:
            while unwritten:  # a full disk takes a part, and fails the next write
                unwritten = unwritten[self._file.write(unwritten) :]
        except OSError as error:
            part_bytes = len(line) - len(unwritten)
            self._file.truncate(os.fstat(self._file.fileno()).st_size - part_bytes)
            error.filename = str(self._path)
            raise

    def skip_if_done(self, source: str) -> bool:
        """Return whether an earlier run has written this page, and cross it off: a file may hold a source twice."""
        source = _utf8(source).decode()
        if source in self.failed:
            self.retried += self.failed.pop(source)
            self._again.add(source)
            self.done.pop(source, None)
        if source not in self.done:
            return False
        self.done[source] -= 1
        if not self.done[source]:
            del self.done[source]
        self.already_written += 1
        return True

    @property
    def has_unmet(self) -> bool:
        """Whether an earlier run has written pages or errors whose source was not asked for yet."""
        return bool(self.done or self.failed)

    def _resume(self) -> None:
        """Read the sources of the existing file."""
        if self._parquet is not None:
            require_pyarrow()
            if self._parquet.exists() and not self._path.exists():
                _from_parquet(self._parquet, self._path)
        if not self._path.exists():
            return
        complete_bytes = 0
        lacks_end = False
        with self._path.open("rb+") as file:
            for line in file:
                if not line.endswith(b"\n") and _is_cut(line):
                    break
                lacks_end = not line.endswith(b"\n")
                entry = _entry(line)
                if entry is None:
                    raise InvalidInput(
                        f"{self._path} is there and holds something else than pages", hint="name another"
                    )
                source, is_error = entry
                (self.failed if is_error else self.done)[source] += 1
                complete_bytes += len(line)
            file.truncate(complete_bytes)
            if lacks_end:
                file.seek(complete_bytes)
                file.write(b"\n")

    def _sweep(self) -> None:
        """Drop the old lines of pages that were read again, into a new file that then takes the name."""
        temporary_file = new_half(self._path)
        position = 0
        with self._path.open("rb") as file, temporary_file.open("xb") as out:
            for line in file:
                entry = _entry(line) if position < self._begun else None
                position += len(line)
                if entry is None or entry[0] not in self._again:
                    out.write(line)
        temporary_file.replace(self._path)


def row_with_source(source: str, row: bytes) -> bytes:
    """Return a row with its source as the first field."""
    return b"".join((b'{"source": ', _utf8(json.dumps(source, ensure_ascii=False)), b", ", memoryview(row)[1:]))


def _utf8(text: str) -> bytes:
    """Encode a text; a byte of a file name that is no UTF-8 becomes a question mark."""
    return text.encode("utf-8", "replace")


def new_half(path: Path) -> Path:
    """Return the temporary path of a file before it takes the name `path`; an existing one is removed, even a link.

    It is to be opened with the mode `x`, which follows no link.
    """
    name = f"{path.name}.half"
    if len(os.fsencode(name)) > _MAX_NAME_BYTES:
        name = hashlib.sha256(os.fsencode(path.name)).hexdigest() + ".half"
    temporary_file = path.with_name(name)
    temporary_file.unlink(missing_ok=True)
    return temporary_file


def _is_cut(line: bytes) -> bool:
    """Return whether a line without an end is the start of one of ours, and not complete JSON."""
    if not (line.startswith(_START) or _START.startswith(line)):
        return False
    try:
        json.loads(line)
    except ValueError:
        return True
    return False


def _entry(line: bytes) -> tuple[str, bool] | None:
    """Return the source of a complete line and whether it is an error; None for any other line.

    A line without its end must have a text or an error: others write their last line so.
    """
    match = _LINE.match(line)
    if match is None:
        return None
    try:
        if not line.endswith(b"\n") and json.loads(line).keys().isdisjoint({"text", "error"}):
            return None
        return json.loads(match[1]), match[2] is not None
    except ValueError:
        return None


# ------------------------------------------------------------------------------------------------ parquet


def require_pyarrow() -> Any:  # Any: pyarrow has no annotations
    """Return the library that writes Parquet.

    Raises:
        InvalidInput: it is not installed.
    """
    try:
        import pyarrow.parquet
    except ImportError:
        raise InvalidInput("Parquet files need a library that is not installed", hint=_INSTALL) from None
    return pyarrow


def to_parquet(lines: Path, to: Path, leading: Mapping[str, type]) -> None:
    """Write the rows, a few hundred parsed at a time, into a new file, which then takes the name.

    A row has the fields of `leading`, then those of a page, then an error.
    """
    arrow = require_pyarrow()
    schema = _schema(arrow, leading)
    temporary_file = new_half(to)
    with temporary_file.open("xb") as out, arrow.parquet.ParquetWriter(out, schema) as writer, lines.open("rb") as file:
        row_group: list[Any] = []  # Any: pyarrow has no annotations
        while rows := [_flat_row(json.loads(line)) for line in islice(file, _ROWS_AT_ONCE)]:
            row_group.append(arrow.RecordBatch.from_pylist(rows, schema=schema))
            if sum(batch.nbytes for batch in row_group) >= _ROW_GROUP_BYTES:
                writer.write_table(arrow.Table.from_batches(row_group))
                row_group.clear()
        if row_group:
            writer.write_table(arrow.Table.from_batches(row_group))
    temporary_file.replace(to)


def _flat_row(row: dict[str, Any]) -> dict[str, Any]:  # Any: JSON
    """Return a row with the properties of structured data as JSON: no two items have the same columns."""
    for declared in row.get("structured_data", ()):
        if not isinstance(declared["properties"], str):  # a file that is continued has them as JSON
            declared["properties"] = json.dumps(declared["properties"], ensure_ascii=False)
    return row


def _from_parquet(old: Path, lines: Path) -> None:
    arrow = require_pyarrow()
    temporary_file = new_half(lines)
    try:
        with arrow.parquet.ParquetFile(old) as file, temporary_file.open("xb") as out:
            for batch in file.iter_batches(_ROWS_AT_ONCE):
                for row in batch.to_pylist():
                    error = row.pop("error")
                    fields = row if error is None else {"error": error}
                    out.write(
                        json.dumps({"source": row["source"], **fields}, ensure_ascii=False).encode("utf-8", "replace")
                        + b"\n"
                    )
    except (arrow.ArrowException, KeyError) as error:
        raise InvalidInput(
            f"{old} is there and holds something else than pages: {error}", hint="name another"
        ) from error
    temporary_file.replace(lines)


def _schema(arrow: Any, leading: Mapping[str, type]) -> Any:  # Any: pyarrow has no annotations
    failure = {"code": str, "message": str, "hint": str, "url": str, "retryable": bool}
    fields = {**leading, **get_type_hints(Page), "error": failure}
    return arrow.schema([(name, _column(arrow, hint)) for name, hint in fields.items()])


def _column(arrow: Any, hint: Any) -> Any:  # Any: pyarrow has no annotations, and type hints are arbitrary objects
    """Return the column type for a field of `Page`."""
    plain = {str: arrow.string(), int: arrow.int64(), float: arrow.float64(), bool: arrow.bool_()}
    if isinstance(hint, types.UnionType):
        return _column(arrow, get_args(hint)[0])
    if get_origin(hint) is tuple:
        return arrow.list_(_column(arrow, get_args(hint)[0]))
    if isinstance(hint, type) and issubclass(hint, tuple):
        hint = get_type_hints(hint)
    if isinstance(hint, dict):
        return arrow.struct([(name, _column(arrow, inner)) for name, inner in hint.items()])
    return plain.get(hint, arrow.string())
