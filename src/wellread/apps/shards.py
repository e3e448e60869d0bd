"""Divides the inputs of a batch into shards: a few files, or a range of a WARC file, for one worker process each."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.apps.local_inputs import (
    STDIN,
    Entry,
    Input,
    RecordingFile,
    RemoteCopy,
    RemoteSource,
    entries,
    recorded_pages,
    standard_input,
)
from wellread.errors import InvalidInput, WellreadError

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence

    from wellread.apps.output_files import OutputFile


FILES_PER_SHARD: Final = 8
MAX_RANGE_BYTES: Final = 4 << 20
"""Of a WARC file, as it is stored: some 200 pages. The rows of a few ranges are in memory at once."""
_MIN_RANGE_BYTES: Final = 1 << 18
_RANGES_PER_PROCESS: Final = 4


class FileShard(NamedTuple):
    """A few inputs."""

    inputs: tuple[Input, ...]
    stdin_bytes: bytes = b""


class RecordShard(NamedTuple):
    """A range of a WARC file; without an end, to the end of the file."""

    path: str
    start: int
    end: int | None
    name: str
    """What the file is called in the output."""


class FailedInput(NamedTuple):
    """An input that cannot be opened."""

    source: str
    error: WellreadError


class EndOfCopy(NamedTuple):
    """The end of a temporary copy, which is not needed any more."""

    path: Path


class EndOfSource(NamedTuple):
    """The end of one path or remote input of the caller."""

    source: Path | RemoteSource
    has_pages: bool
    """Whether the source has pages; those in `RecordShard` are not known yet."""


PlannedItem = FileShard | RecordShard | FailedInput | EndOfCopy | EndOfSource


def shards(
    sources: Sequence[Path | RemoteSource],
    output: OutputFile | None,
    skipped_records: Counter[str],
    *,
    processes: int,
    max_bytes: int,
) -> Iterator[PlannedItem]:
    """Yield the shards of all inputs in their order, without the pages that `output` has.

    While the output has pages that were not met, WARC files are walked here, to know the URLs in their order; records
    that are no page are counted in `skipped_records`. A remote source is prepared while the one before it is read.
    """
    for source, following in zip_longest(sources, sources[1:]):
        if not isinstance(following, Path | None):
            following.prepare()
        has_pages = False
        inputs: list[Input] = []
        for entry in _source_entries(source, output, skipped_records):
            has_pages = has_pages or not isinstance(entry, RecordingFile | EndOfCopy)
            if _skip_if_done(entry, output):
                continue
            is_file = isinstance(entry, Input) and entry.path != STDIN
            if inputs and (not is_file or len(inputs) == FILES_PER_SHARD):
                yield FileShard(tuple(inputs))
                inputs = []
            if isinstance(entry, Input) and is_file:
                inputs.append(entry)
            else:
                yield from _shards_of(entry, processes=processes, max_bytes=max_bytes)
        if inputs:
            yield FileShard(tuple(inputs))
        yield EndOfSource(source, has_pages or (not isinstance(source, Path) and source.has_pages))


def _shards_of(entry: Entry | EndOfCopy, *, processes: int, max_bytes: int) -> Iterator[PlannedItem]:
    """Yield the shards of an entry that is no file of a single page."""
    if isinstance(entry, RecordingFile):
        yield from _record_shards(entry, processes)
    elif isinstance(entry, Input):
        yield _standard_input(entry, max_bytes)
    elif isinstance(entry, EndOfCopy):
        yield entry
    else:
        yield FailedInput(*entry)


def _source_entries(
    source: Path | RemoteSource, output: OutputFile | None, skipped_records: Counter[str]
) -> Iterator[Entry | EndOfCopy]:
    """Yield the entries of a source, and the end of each temporary copy behind its entries."""
    for entry in entries(source) if isinstance(source, Path) else source.entries(output, skipped_records):
        if isinstance(entry, RemoteCopy):
            yield from _single_entries(entry.entry, output, skipped_records)
            yield EndOfCopy(entry.path)
        else:
            yield from _single_entries(entry, output, skipped_records)


def _single_entries(entry: Entry, output: OutputFile | None, skipped_records: Counter[str]) -> Iterator[Entry]:
    """Yield an entry; the pages of a recording one by one while the output has pages that were not met."""
    if isinstance(entry, RecordingFile) and output is not None and output.has_unmet:
        yield from recorded_pages(entry, skipped_records)
    else:
        yield entry


def _skip_if_done(entry: Entry | EndOfCopy, output: OutputFile | None) -> bool:
    if output is None or isinstance(entry, RecordingFile | EndOfCopy):
        return False
    return output.skip_if_done(entry[0])


def _record_shards(recording: RecordingFile, processes: int) -> Iterator[PlannedItem]:
    from wellread.net import warc_ranges

    path, stop = recording.path, 0
    try:
        file_bytes = path.stat().st_size
        range_bytes = min(MAX_RANGE_BYTES, max(_MIN_RANGE_BYTES, file_bytes // (processes * _RANGES_PER_PROCESS)))
        for start, end in warc_ranges.record_ranges(path, range_bytes):
            yield RecordShard(str(path), start, end, recording.name)
            if end is not None:
                stop = end
    except (OSError, InvalidInput):  # the worker process reports it, with what it reads until there
        yield RecordShard(str(path), stop, None, recording.name)


def _standard_input(page: Input, max_bytes: int) -> PlannedItem:
    try:
        return FileShard((page,), standard_input(max_bytes))
    except WellreadError as error:
        return FailedInput(page.source, error)
