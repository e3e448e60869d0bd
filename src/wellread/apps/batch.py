"""Reads many saved pages over several processes, in order, in constant memory; a hostile page costs that page alone."""

from __future__ import annotations

import json
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Final

from wellread.apps import build
from wellread.apps.inputs import STDIN, Given, Input, opened, standard_input
from wellread.apps.shapes import as_command_json, as_json, failure, with_notices
from wellread.config import ExtractSettings
from wellread.errors import WellreadError
from wellread.web.reading import Cut
from wellread.web.shelter import Shelter
from wellread.worker.pool import Limits, Pool

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

    from wellread.config import Settings
    from wellread.types import Format, LinkStyle, Mode

_AHEAD: Final = 4
"""Pages in work or waiting for their turn to be written, for each process: what bounds the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """How every page of a batch is read."""

    format: Format = "markdown"
    mode: Mode = "balanced"
    images: bool = False
    links: LinkStyle = "inline"
    all_notices: bool = False
    """Notices of the level `info` are told, too."""
    url: str | None = None
    member: str = ""
    """The file to read in an archive."""
    max_bytes: int = 10_000_000
    extract: ExtractSettings = field(default_factory=ExtractSettings)


def cores() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def lines(found: Iterable[Given], job: Job, settings: Settings, *, processes: int) -> Generator[tuple[str, str]]:
    """Yield (source, JSON of the page or of the error) in the order of `found`; closing it ends the processes.

    With no `processes` the pages are read one by one. The JSON of what is no document in a WARC file is empty.
    """
    return _shared(found, job, settings, processes) if processes else _one_by_one(found, job, settings)


def _one_by_one(found: Iterable[Given], job: Job, settings: Settings) -> Generator[tuple[str, str]]:
    """Read one page after the other in a worker process, which starts while this process loads."""
    pool = build.worker_pool(settings.extract)
    if pool is not None:
        pool.warm()
    reader = Shelter(build.page_reader(job.extract), build.SystemClock(), pool)
    with nullcontext() if pool is None else closing(pool):
        for each in found:
            yield each[0], _read(each, job, reader) if isinstance(each, Input) else _failed(each[1])


def _shared(found: Iterable[Given], job: Job, settings: Settings, processes: int) -> Generator[tuple[str, str]]:
    limits = Limits(timeout_s=settings.extract.timeout_s, memory_bytes=settings.extract.max_memory, children=processes)
    with closing(Pool(f"{__name__}:answer", limits)) as pool, ThreadPoolExecutor(processes) as threads:
        waiting: deque[tuple[str, Future[str]]] = deque()
        try:
            for each in found:
                waiting.append((each[0], threads.submit(_line, pool, each, job)))
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


def _line(pool: Pool, found: Given, job: Job) -> str:
    """Return what the page's line says, less its source."""
    if not isinstance(found, Input):
        return _failed(found[1])
    told = json.dumps({"found": found, "job": asdict(job)}).encode()
    try:
        at_hand = standard_input(job.max_bytes) if found.path == STDIN else b""
        # The child is the less trusted side: what it says stays on one line.
        return pool.run(told + b"\n" + at_hand, found.source).decode("utf-8", "replace").replace("\n", " ")
    except WellreadError as error:
        return _failed(error)


def _failed(error: WellreadError) -> str:
    return as_json(failure(error), indent=None)


# --------------------------------------------------------------------------------------------- in the child
# `worker/child.py` finds both by their names: `answer` by the one that `_shared` gives the pool, `prepare` by its own.


def answer(task: bytes) -> bytes:
    """Read one page; return its fields, or its failure, as JSON."""
    head, _, at_hand = task.partition(b"\n")
    told = json.loads(head)
    extract = told["job"].pop("extract")
    extract["ocr_languages"] = tuple(extract["ocr_languages"])
    job = Job(**told["job"], extract=ExtractSettings(**extract))
    return _read(Input(*told["found"]), job, _shelter(job.extract), at_hand).encode("utf-8", "replace")


def prepare() -> None:
    """Load what reads: not at the cost of the first page."""
    build.extractors()


@cache
def _shelter(settings: ExtractSettings) -> Shelter:
    return Shelter(build.page_reader(settings), build.SystemClock())


def _read(found: Input, job: Job, reader: Shelter, at_hand: bytes | None = None) -> str:
    """Return the JSON of one page, or of why it cannot be read; empty for what is no document."""
    try:
        if found.path == STDIN and at_hand is None:
            at_hand = standard_input(job.max_bytes)
        response = opened(found, url=job.url, max_bytes=job.max_bytes, at_hand=at_hand or b"")
        if response is None:
            return ""
        cut = Cut(format=job.format, images=job.images, links=job.links)
        page = build.page(response, reader, cut, mode=job.mode, member=job.member)
        return as_command_json(with_notices(page, all_notices=job.all_notices), indent=None)
    except WellreadError as error:
        return _failed(error)
