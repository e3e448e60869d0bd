"""Extract many saved pages in worker processes, in order, in constant memory; a hostile page costs only itself."""

from __future__ import annotations

import json
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from wellread.apps import local_reading
from wellread.apps.local_inputs import STDIN, Input, InputOrError, open_input, standard_input
from wellread.apps.serialize import as_command_json, as_json, error_json, with_notices
from wellread.apps.system_clock import SystemClock
from wellread.config import ExtractSettings
from wellread.errors import WellreadError
from wellread.reading.installed_extractors import load_extractor
from wellread.reading.sandbox import SandboxedReader
from wellread.worker.worker_pool import TaskLimits, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from wellread.config import Settings
    from wellread.types import Format, LinkStyle, Mode

_AHEAD: Final = 4
"""Pages in work or waiting for their turn to be written, for each process: what bounds the memory."""
_PAGE_SUFFIXES: Final = (".html", ".htm", ".xhtml", STDIN)
"""Names of inputs that most often are ordinary pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """Options of a batch: how every page is read."""

    format: Format = "markdown"
    mode: Mode = "balanced"
    images: bool = False
    links: LinkStyle = "inline"
    all_notices: bool = False
    """Include the notices of the level `info`."""
    url: str | None = None
    member: str = ""
    """The file to read in an archive."""
    max_bytes: int = 10_000_000
    extract: ExtractSettings = field(default_factory=ExtractSettings)


def cores() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    if affinity is not None:
        return len(affinity(0))
    return os.cpu_count() or 1


def lines(
    inputs: Iterable[InputOrError], job: BatchOptions, settings: Settings, *, processes: int
) -> Generator[tuple[str, str]]:
    """Yield (source, JSON of the page or of the error) in the order of `inputs`; closing it ends the processes.

    With no `processes` the pages are read one by one. The JSON is empty for a WARC record that is no document.
    """
    if processes:
        return _shared(inputs, job, settings, processes)
    return _one_by_one(inputs, job, settings)


def _one_by_one(inputs: Iterable[InputOrError], job: BatchOptions, settings: Settings) -> Generator[tuple[str, str]]:
    """Read one page after the other: ordinary pages in this process, documents and suspect pages in a worker process.

    A process takes longer to start than a page takes to read. Where the first file is no page by its name, the process
    starts while this one loads.
    """
    pool = local_reading.worker_pool(settings.extract)
    reader = None
    with nullcontext() if pool is None else closing(pool):
        for page in inputs:
            if reader is None:
                if pool is not None and not page[0].endswith(_PAGE_SUFFIXES):
                    pool.warm()
                local_reader = local_reading.page_reader(job.extract)
                reader = SandboxedReader(local_reader, SystemClock(), pool, suspects_only=True)
            yield page[0], _read(page, job, reader) if isinstance(page, Input) else _failed(page[1])


def _shared(
    inputs: Iterable[InputOrError], job: BatchOptions, settings: Settings, processes: int
) -> Generator[tuple[str, str]]:
    limits = TaskLimits(
        timeout_s=settings.extract.timeout_s, memory_bytes=settings.extract.max_memory, children=processes
    )
    with closing(WorkerPool(f"{__name__}:answer", limits)) as pool, ThreadPoolExecutor(processes) as threads:
        waiting: deque[tuple[str, Future[str]]] = deque()
        try:
            for page in inputs:
                waiting.append((page[0], threads.submit(_line, pool, page, job)))
                if len(waiting) >= processes * _AHEAD:
                    yield _first(waiting)
            while waiting:
                yield _first(waiting)
        finally:
            for _, future in waiting:
                future.cancel()


def _first(waiting: deque[tuple[str, Future[str]]]) -> tuple[str, str]:
    source, future = waiting.popleft()
    return source, future.result()


def _line(pool: WorkerPool, page: InputOrError, job: BatchOptions) -> str:
    """Return the JSON of one page, read in a worker process."""
    if not isinstance(page, Input):
        return _failed(page[1])
    task = json.dumps({"found": page, "job": asdict(job)}).encode()
    try:
        stdin_bytes = standard_input(job.max_bytes) if page.path == STDIN else b""
        # The child is the less trusted side: what it says stays on one line.
        return pool.run(task + b"\n" + stdin_bytes, page.source).decode("utf-8", "replace").replace("\n", " ")
    except WellreadError as error:
        return _failed(error)


def _failed(error: WellreadError) -> str:
    return as_json(error_json(error), indent=None)


# --------------------------------------------------------------------------------------------- in the child
# `worker/child.py` finds both by their names: `answer` by the one that `_shared` gives the pool, `prepare` by its own.


def answer(task: bytes) -> bytes:
    """Read one page; return its fields, or its failure, as JSON."""
    head, _, stdin_bytes = task.partition(b"\n")
    fields = json.loads(head)
    extract = fields["job"].pop("extract")
    extract["ocr_languages"] = tuple(extract["ocr_languages"])
    job = BatchOptions(**fields["job"], extract=ExtractSettings(**extract))
    return _read(Input(*fields["found"]), job, _shelter(job.extract), stdin_bytes).encode("utf-8", "replace")


def prepare() -> None:
    """Load the extractors before the first page comes."""
    load_extractor("html")


@cache
def _shelter(settings: ExtractSettings) -> SandboxedReader:
    return SandboxedReader(local_reading.page_reader(settings), SystemClock())


def _read(source: Input, job: BatchOptions, reader: SandboxedReader, stdin_bytes: bytes | None = None) -> str:
    """Return the JSON of one page or of its error; empty for a WARC record that is no document."""
    try:
        if source.path == STDIN and stdin_bytes is None:
            stdin_bytes = standard_input(job.max_bytes)
        response = open_input(source, url=job.url, max_bytes=job.max_bytes, stdin_bytes=stdin_bytes or b"")
        if response is None:
            return ""
        page = local_reading.print_page(
            response,
            reader,
            mode=job.mode,
            member=job.member,
            format=job.format,
            images=job.images,
            links=job.links,
        )
        return as_command_json(with_notices(page, all_notices=job.all_notices), indent=None)
    except WellreadError as error:
        return _failed(error)
