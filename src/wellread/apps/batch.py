"""Reads many saved pages in worker processes, in order, in bounded memory; a hostile page costs only itself.

The parent gives shards (`shards.py`) to its worker processes (`shard_run.py`, `shard_child.py`), and returns their rows
in the order of the inputs.
"""

from __future__ import annotations

from collections import deque
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from wellread.apps import local_reading
from wellread.apps.local_inputs import STDIN, Input, RecordingFile, entries, no_pages, recorded_pages
from wellread.apps.page_rows import BatchOptions, input_row
from wellread.apps.serialize import error_row
from wellread.apps.shard_run import WORK, PageRow, ShardRun
from wellread.apps.shards import EndOfCopy, EndOfSource, FailedInput, FileShard, RecordShard, shards
from wellread.apps.system_clock import SystemClock
from wellread.reading.sandbox import SandboxedReader
from wellread.worker.worker_pool import TaskLimits, WorkerPool

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Generator, Sequence
    from concurrent.futures import ThreadPoolExecutor

    from wellread.apps.local_inputs import RemoteSource
    from wellread.apps.output_files import OutputFile
    from wellread.config import Settings

_AHEAD: Final = 3
"""Shards in work or waiting for their turn to be written, for each process: with the limit of `shard_run.py` for each,
what bounds the memory."""
_NO_CHILD_HINT: Final = (
    "lower --jobs, or raise the memory and the processes that this program may use; files without --jobs and --out can "
    "be read in the main process, with extract.processes=0"
)
_PAGE_SUFFIXES: Final = (".html", ".htm", ".xhtml", STDIN)
"""Names of inputs that most often are ordinary pages."""


def rows(
    sources: Sequence[Path | RemoteSource],
    options: BatchOptions,
    settings: Settings,
    *,
    processes: int,
    output: OutputFile | None,
    skipped_records: Counter[str],
) -> Generator[PageRow]:
    """Yield the row of each page that `output` does not have, in the order of `sources`; closing it ends the processes.

    With no `processes` the pages of paths are read one by one, and there is no output. WARC records that are no page
    are counted in `skipped_records`, by what they are.
    """
    if processes:
        return _Batch(options, settings, processes, skipped_records).rows(sources, output)
    paths = [source for source in sources if isinstance(source, Path)]
    return _one_by_one(paths, options, settings, skipped_records)


def _one_by_one(
    paths: Sequence[Path], options: BatchOptions, settings: Settings, skipped_records: Counter[str]
) -> Generator[PageRow]:
    """Read one page after the other: ordinary pages in this process, documents and suspect pages in a worker process.

    A process takes longer to start than a page takes to read. Where a file is no page by its name, the process starts
    while this one loads.
    """
    pool = local_reading.worker_pool(settings.extract)
    with nullcontext() if pool is None else closing(pool):
        if pool is not None and not all(path.name.endswith(_PAGE_SUFFIXES) for path in paths):
            pool.warm()
        local_reader = local_reading.document_reader(options.extract)
        reader = SandboxedReader(local_reader, SystemClock(), pool, suspects_only=True)
        for path in paths:
            for entry in entries(path):
                pages = recorded_pages(entry, skipped_records) if isinstance(entry, RecordingFile) else (entry,)
                for page in pages:
                    row = input_row(page, options, reader) if isinstance(page, Input) else error_row(page[1])
                    yield PageRow(page[0], row)


class _Batch:
    """The worker processes of a batch, and the order of their rows."""

    def __init__(
        self, options: BatchOptions, settings: Settings, processes: int, skipped_records: Counter[str]
    ) -> None:
        from concurrent.futures import ThreadPoolExecutor  # here, because a few files are read without threads

        self._options = options
        self._skipped_records = skipped_records
        self._processes = processes
        limits = settings.extract
        self._pool = WorkerPool(
            WORK,
            TaskLimits(timeout_s=limits.timeout_s, memory_bytes=limits.max_memory),
            SystemClock(),
            no_child_hint=_NO_CHILD_HINT,
        )
        self._threads = ThreadPoolExecutor(processes)
        self._turn_thread = ThreadPoolExecutor(1)
        """For a range that begins anew in its turn: all other threads may wait for the end of this turn."""
        self._has_pages = False
        """Whether a shard had a page since the last end of a path."""
        self._last: ShardRun | None = None
        """The run that was written last."""
        self._unfinished: set[ShardRun] = set()

    def rows(self, sources: Sequence[Path | RemoteSource], output: OutputFile | None) -> Generator[PageRow]:
        """Yield the rows of all shards in their order."""
        waiting: deque[ShardRun | FailedInput | EndOfCopy | EndOfSource] = deque()
        planned = shards(
            sources, output, self._skipped_records, processes=self._processes, max_bytes=self._options.max_bytes
        )
        with closing(self._pool), self._threads, self._turn_thread:
            try:
                for shard in planned:
                    if isinstance(shard, FileShard | RecordShard):
                        waiting.append(self._start(shard, self._threads))
                    else:
                        waiting.append(shard)
                    if len(waiting) >= self._processes * _AHEAD:
                        yield from self._finish(waiting.popleft(), output)
                while waiting:
                    yield from self._finish(waiting.popleft(), output)
            finally:
                for run in self._unfinished:
                    run.abandon()
                self._pool.close()

    def _start(self, shard: FileShard | RecordShard, threads: ThreadPoolExecutor) -> ShardRun:
        run = ShardRun(shard, self._options, self._pool)
        self._unfinished.add(run)
        threads.submit(run.read)
        return run

    def _finish(
        self, run: ShardRun | FailedInput | EndOfCopy | EndOfSource, output: OutputFile | None
    ) -> Generator[PageRow]:
        """Yield the rows of a shard as they come."""
        if isinstance(run, FailedInput):
            self._has_pages = True
            yield PageRow(run.source, error_row(run.error))
        elif isinstance(run, EndOfCopy):
            run.path.unlink(missing_ok=True)
        elif isinstance(run, EndOfSource):
            source = str(run.source)
            is_empty = not (run.has_pages or self._has_pages)
            self._has_pages = False
            if is_empty and (output is None or not output.skip_if_done(source)):
                yield PageRow(source, error_row(no_pages(run.source)))
        elif checked_run := self._checked(run):
            for result in checked_run.results():
                if isinstance(result, PageRow):
                    self._has_pages = True
                    yield result
                else:
                    self._skipped_records.update(result)
            self._last = checked_run
            self._unfinished.discard(checked_run)

    def _checked(self, run: ShardRun) -> ShardRun | None:
        """Return the run of a shard, begun anew where its range does not begin with a record; None without a record.

        Where a range begins was guessed; where the range before it stops is certain.
        """
        shard, last = run.shard, self._last
        if not (isinstance(shard, RecordShard) and shard.start and last is not None):
            return run
        if last.stop == shard.start and not last.is_broken:
            return run
        run.abandon()
        self._unfinished.discard(run)
        if last.is_broken or (shard.end is not None and last.stop >= shard.end):
            return None
        return self._start(shard._replace(start=last.stop), self._turn_thread)
