"""Keep many pages in the local index, a few at a time; a failure never ends the run, and each page is reported.

Every page is kept as soon as it is read, so an interrupted run continues when it is started again: pages in the index
are skipped.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import anyio

from wellread.apps.index_sources import jobs
from wellread.apps.local_inputs import file_url
from wellread.errors import WellreadError, first_error
from wellread.net import schemeless_urls

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from wellread.apps.build import Web
    from wellread.apps.index_sources import IndexJob, SourceSelection

Outcome = Literal["kept", "unchanged", "failed", "removed", "not there"]


class IndexedPage(NamedTuple):
    """The outcome of one page."""

    url: str
    outcome: Outcome
    code: str = ""
    """Of the error that it failed with; `error` for a fault that no error stands for."""
    reason: str = ""


class IndexSummary(NamedTuple):
    """The outcome of a run."""

    pages: tuple[IndexedPage, ...]
    counts: dict[str, int]
    """Outcome -> how many."""
    notes: tuple[str, ...]
    """What was passed over."""


async def index(
    web: Web,
    sources: Sequence[str],
    selection: SourceSelection,
    *,
    tell: Callable[[IndexedPage], None],
    expect: Callable[[int], None],
) -> IndexSummary:
    """Keep all pages of `sources` in the index.

    `tell` is called with each page as it ends, `expect` with how many are known by now.
    """
    rows: list[IndexedPage] = []

    def report(row: IndexedPage) -> None:
        rows.append(row)
        tell(row)

    sending, receiving = anyio.create_memory_object_stream["IndexJob"](100)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_find, web, sources, selection, sending, _Callbacks(report, expect))
            for _ in range(web.parts.settings.gather.concurrency):
                tasks.start_soon(_work, receiving.clone(), report)
            receiving.close()
    except ExceptionGroup as group:  # only what `tell` raises comes here: an output that takes no more
        raise first_error(group) from group
    return _summed(rows, selection)


async def remove(web: Web, names: Sequence[str], *, tell: Callable[[IndexedPage], None]) -> IndexSummary:
    """Remove URLs, files, and everything below folders from the index."""
    rows: list[IndexedPage] = []
    for name in names:
        address = await anyio.to_thread.run_sync(_address, name)
        indexed = [url for url in await web.indexed() if url == address or url.startswith(f"{address}/")]
        removed = indexed if address.startswith("file:") else [address]
        for url in removed or [address]:
            row = IndexedPage(url, "removed" if await web.forget(url) else "not there")
            tell(row)
            rows.append(row)
    return IndexSummary(tuple(rows), dict(Counter(row.outcome for row in rows)), ())


class _Callbacks(NamedTuple):
    ended: Callable[[IndexedPage], None]
    expect: Callable[[int], None]


async def _find(
    web: Web,
    sources: Sequence[str],
    selection: SourceSelection,
    sending: MemoryObjectSendStream[IndexJob],
    callbacks: _Callbacks,
) -> None:
    job_count = 0
    async with sending:
        for source in dict.fromkeys(sources):
            try:
                async for job in jobs(web, source, selection):
                    job_count += 1
                    callbacks.expect(job_count)
                    await sending.send(job)
            except WellreadError as error:
                callbacks.ended(_failed(source, error))


async def _work(receiving: MemoryObjectReceiveStream[IndexJob], report: Callable[[IndexedPage], None]) -> None:
    async with receiving:
        async for job in receiving:
            try:
                is_new = await job.keep()
            except WellreadError as error:
                report(_failed(job.url, error))
            except Exception as error:  # noqa: BLE001 - a fault of one page is reported, and the other pages go on
                report(IndexedPage(job.url, "failed", "error", f"{type(error).__name__}: {error}"))
            else:
                report(IndexedPage(job.url, "kept" if is_new else "unchanged"))


def _failed(url: str, error: WellreadError) -> IndexedPage:
    if error.code == "invalid_url":
        url = error.url or url
    return IndexedPage(url, "failed", error.code, error.message)


def _summed(rows: list[IndexedPage], selection: SourceSelection) -> IndexSummary:
    counts = {"kept": 0, "unchanged": 0, "failed": 0} | Counter(row.outcome for row in rows)
    return IndexSummary(tuple(rows), counts, tuple(selection.notes))


def _address(name: str) -> str:
    is_url = "://" in name or (schemeless_urls.has_no_scheme(name) and not Path(name).exists())
    if is_url:
        return name
    return file_url(Path(name))
