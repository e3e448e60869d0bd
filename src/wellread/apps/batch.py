"""Reads many saved pages over several processes, in order, in constant memory; a hostile page costs that page alone."""

from __future__ import annotations

import json
import os
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass
from functools import cache
from typing import TYPE_CHECKING, Final

from wellread.apps import build
from wellread.apps.inputs import STDIN, Input, opened, standard_input
from wellread.apps.shapes import as_json, failure
from wellread.errors import WellreadError
from wellread.web import reading
from wellread.web.shelter import Shelter
from wellread.worker.pool import Limits, Pool

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    from wellread.config import Settings
    from wellread.errors import InvalidInput
    from wellread.types import Format, Mode

_AHEAD: Final = 4
"""Pages in work or waiting for their turn to be written, for each process: what bounds the memory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """How every page of a batch is read."""

    format: Format = "markdown"
    mode: Mode = "balanced"
    url: str | None = None
    max_bytes: int = 10_000_000


def cores() -> int:
    """Return how many processors this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def lines_here(
    found: Iterable[Input | tuple[str, InvalidInput]], job: Job, settings: Settings
) -> Generator[tuple[str, str], None, None]:
    """Yield what `lines` yields, read one by one in this process; what may choke a parser still goes to a child."""
    pool = build.children(settings.extract)
    reader = Shelter(reading.Reader(build.extractors()), build.SystemClock(), pool)
    with nullcontext() if pool is None else closing(pool):
        for each in found:
            line = as_json(failure(each[1]), indent=None) if not isinstance(each, Input) else _read(each, job, reader)
            if line:
                yield each[0], line


def lines(
    found: Iterable[Input | tuple[str, InvalidInput]], job: Job, settings: Settings, *, processes: int
) -> Generator[tuple[str, str], None, None]:
    """Yield (source, JSON of the page or of the error) in the order of `found`; closing it ends the processes.

    What is no document in a WARC file yields nothing.
    """
    limits = Limits(timeout_s=settings.extract.timeout_s, memory_bytes=settings.extract.max_memory, children=processes)
    with closing(Pool(f"{__name__}:answer", limits)) as pool, ThreadPoolExecutor(processes) as threads:
        waiting: deque[tuple[str, Future[str]]] = deque()
        try:
            for each in found:
                source = each.source if isinstance(each, Input) else each[0]
                waiting.append((source, threads.submit(_line, pool, each, job)))
                if len(waiting) >= processes * _AHEAD:
                    yield from _first(waiting)
            while waiting:
                yield from _first(waiting)
        finally:
            for _, future in waiting:
                future.cancel()


def _first(waiting: deque[tuple[str, Future[str]]]) -> Iterator[tuple[str, str]]:
    source, future = waiting.popleft()
    if line := future.result():
        yield source, line


def _line(pool: Pool, found: Input | tuple[str, InvalidInput], job: Job) -> str:
    """Return what the page's line says, less its source; empty for what is no document."""
    if not isinstance(found, Input):
        return as_json(failure(found[1]), indent=None)
    told = json.dumps({"found": found, "job": asdict(job)}).encode()
    try:
        at_hand = standard_input(job.max_bytes) if found.path == STDIN else b""
        # The child is the less trusted side: what it says stays on one line.
        return pool.run(told + b"\n" + at_hand, found.source).decode("utf-8", "replace").replace("\n", " ")
    except WellreadError as error:
        return as_json(failure(error), indent=None)


def with_source(source: str, line: str) -> str:
    """Put the source before the fields of a page."""
    return f'{{"source": {json.dumps(source, ensure_ascii=False)}, {line[1:]}'


# --------------------------------------------------------------------------------------------- in the child


def answer(task: bytes) -> bytes:
    """Read one page; return its fields, or its failure, as JSON."""
    head, _, at_hand = task.partition(b"\n")
    told = json.loads(head)
    return _read(Input(*told["found"]), Job(**told["job"]), prepare(), at_hand).encode("utf-8", "replace")


@cache
def prepare() -> Shelter:
    """Load what reads: not at the cost of the first page."""
    return Shelter(reading.Reader(build.extractors()), build.SystemClock())


def _read(found: Input, job: Job, reader: Shelter, at_hand: bytes | None = None) -> str:
    """Return the JSON of one page, or of why it cannot be read; empty for what is no document."""
    try:
        if found.path == STDIN and at_hand is None:
            at_hand = standard_input(job.max_bytes)
        response = opened(found, url=job.url, max_bytes=job.max_bytes, at_hand=at_hand or b"")
        if response is None:
            return ""
        return as_json(build.page(response, reader, format=job.format, mode=job.mode), indent=None)
    except WellreadError as error:
        return as_json(failure(error), indent=None)
