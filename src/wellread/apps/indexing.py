"""Keeps many pages in the local index, a few at a time; one that fails never ends the run, and each is told as it ends.

Every page is kept as soon as it is read, so a run that was broken off goes on when it is started again: what is there
already is skipped.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

import anyio

from wellread.apps.inputs import name_of
from wellread.apps.sources import jobs
from wellread.errors import WellreadError
from wellread.net import https_first

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream

    from wellread.apps.build import Web
    from wellread.apps.sources import Job, Selection

Outcome = Literal["kept", "unchanged", "failed", "removed", "not there"]


class Row(NamedTuple):
    """How one page ended."""

    url: str
    outcome: Outcome
    code: str = ""
    """Of the error that it failed with; `error` for a fault that no error stands for."""
    reason: str = ""


class Told(NamedTuple):
    """How a run ended."""

    pages: tuple[Row, ...]
    counts: dict[str, int]
    """Outcome -> how many."""
    notes: tuple[str, ...]
    """What was passed over."""


async def index(
    web: Web,
    sources: Sequence[str],
    selection: Selection,
    *,
    tell: Callable[[Row], None],
    expect: Callable[[int], None],
) -> Told:
    """Keep whatever `sources` hold.

    `tell` is called with each page as it ends, `expect` with how many are known by now.
    """
    rows: list[Row] = []

    def ended(row: Row) -> None:
        rows.append(row)
        tell(row)

    sending, receiving = anyio.create_memory_object_stream["Job"](100)
    try:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_find, web, sources, selection, sending, _Hearer(ended, expect))
            for _ in range(web.parts.settings.gather.concurrency):
                tasks.start_soon(_work, receiving.clone(), ended)
            receiving.close()
    except ExceptionGroup as group:  # only what `tell` raises comes here: an output that takes no more
        raise _first(group) from group
    return _summed(rows, selection)


def _first(error: Exception) -> Exception:
    return _first(error.exceptions[0]) if isinstance(error, ExceptionGroup) else error


async def remove(web: Web, names: Sequence[str], *, tell: Callable[[Row], None]) -> Told:
    """Forget URLs, files, and everything below folders."""
    rows: list[Row] = []
    for name in names:
        address = await anyio.to_thread.run_sync(_address, name)
        known = [url for url in await web.indexed() if url == address or url.startswith(f"{address}/")]
        below = known if address.startswith("file:") else [address]
        for url in below or [address]:
            row = Row(url, "removed" if await web.forget(url) else "not there")
            tell(row)
            rows.append(row)
    return Told(tuple(rows), dict(Counter(row.outcome for row in rows)), ())


class _Hearer(NamedTuple):
    ended: Callable[[Row], None]
    expect: Callable[[int], None]


async def _find(
    web: Web, sources: Sequence[str], selection: Selection, sending: MemoryObjectSendStream[Job], hearer: _Hearer
) -> None:
    known = 0
    async with sending:
        for source in dict.fromkeys(sources):
            try:
                async for job in jobs(web, source, selection):
                    known += 1
                    hearer.expect(known)
                    await sending.send(job)
            except WellreadError as error:
                hearer.ended(_failed(source, error))


async def _work(receiving: MemoryObjectReceiveStream[Job], ended: Callable[[Row], None]) -> None:
    async with receiving:
        async for job in receiving:
            try:
                kept = await job.keep()
            except WellreadError as error:
                ended(_failed(job.url, error))
            except Exception as error:  # noqa: BLE001 - a fault of one reader is told, and must not cost the other pages
                ended(Row(job.url, "failed", "error", f"{type(error).__name__}: {error}"))
            else:
                ended(Row(job.url, "kept" if kept else "unchanged"))


def _failed(url: str, error: WellreadError) -> Row:
    return Row(error.url or url if error.code == "invalid_url" else url, "failed", error.code, error.message)


def _summed(rows: list[Row], selection: Selection) -> Told:
    counts = {"kept": 0, "unchanged": 0, "failed": 0} | Counter(row.outcome for row in rows)
    return Told(tuple(rows), counts, tuple(selection.notes))


def _address(name: str) -> str:
    is_url = "://" in name or (https_first.has_no_scheme(name) and not Path(name).exists())
    return name if is_url else name_of(Path(name))
