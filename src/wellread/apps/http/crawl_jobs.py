"""Crawls as jobs of the HTTP API: started, watched by events, read in pieces, paused, resumed and cancelled.

A job that waits or runs continues after a restart of the server; a paused one stays paused.

A job is a folder below `cache.dir`: `job.json` with its request and state, and the folder of the crawl.
"""

from __future__ import annotations

import json
import logging
import os
import shutil
import sqlite3
import threading
import traceback
from collections import Counter
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal
from uuid import uuid4

import anyio
from anyio import to_thread

from wellread.apps.operations.operation_schemas import ArgumentInfo
from wellread.apps.serialize import as_plain
from wellread.crawl import webhooks
from wellread.crawl.crawl_folder import PAGES, line_fields
from wellread.crawl.crawl_options import crawl_options
from wellread.errors import Gone, InvalidInput, RateLimited, UnavailableError, WellreadError, reason_line
from wellread.text.counts import count_of

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator

    from anyio.abc import TaskGroup

    from wellread.apps.build import Web
    from wellread.crawl.crawl import Crawl
    from wellread.crawl.crawl_options import CrawlArguments

JobState = Literal["waiting", "running", "paused", "done", "failed", "cancelled"]

FOLDER: Final = "crawls"
MAX_LIMIT: Final = 5_000
MAX_TIME_S: Final = 3_600.0
MAX_BYTES: Final = 1_000_000_000
"""Of all pages of one job."""
MAX_RUNNING: Final = 4
"""Crawls at a time; other jobs wait."""
MAX_RUNNING_OF_CALLER: Final = 2
MAX_OPEN: Final = 5
"""Jobs of one caller that wait, run or are paused."""
MAX_ENDED: Final = 20
"""Ended jobs of one caller whose pages are stored; older ones are deleted."""
MAX_PIECE_BYTES: Final = 2_000_000
"""Lines of one answer stop behind the first one that passes it."""
_FILE_PIECE_BYTES: Final = 65_536
_DISK_HINT: Final = "see the disk of cache.dir"
_log = logging.getLogger(__name__)
_ACTIVE: Final = frozenset({"waiting", "running"})
_UNENDED: Final = _ACTIVE | {"paused"}
_STORED_FIELDS: Final = ("id", "caller", "created_at", "state", "error", "webhook_error", "is_webhook_due", "counts")
_REQUIRED_FIELDS: Final = ("id", "caller", "created_at")
_TEXT_FIELDS: Final = frozenset({"error", "title", "snapshot_id", "word_count", "complete"})
"""Fields of a line, besides the crawl's own, that an event has."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlJobArguments:
    """Arguments of a crawl that runs as a job."""

    urls: Annotated[
        tuple[str, ...], ArgumentInfo(text="Where the crawl begins.", longest=100, example=["https://example.com/"])
    ]
    limit: Annotated[int, ArgumentInfo(text="Most URLs to ask for.", least=1, most=MAX_LIMIT)] = 100
    depth: Annotated[int, ArgumentInfo(text="Links to follow from a URL.", least=0, most=50)] = 5
    include: Annotated[tuple[str, ...], ArgumentInfo(text="Globs: only URLs that match.", longest=50)] = ()
    exclude: Annotated[tuple[str, ...], ArgumentInfo(text="Globs: no URLs that match.", longest=50)] = ()
    subdomains: Annotated[bool, ArgumentInfo(text="Also subdomains of the hosts.")] = False
    sitemap: Annotated[
        Literal["include", "only", "skip"], ArgumentInfo(text="Site maps beside links, alone, or not at all.")
    ] = "include"
    format: Annotated[Literal["markdown", "text", "html"], ArgumentInfo(text="The format of the text.")] = "markdown"
    webhook: Annotated[
        str | None, ArgumentInfo(text="Address that the end of the job is posted to, signed.", longest=8_000)
    ] = None


@dataclass(slots=True, kw_only=True)
class CrawlJob:
    """One crawl of a caller."""

    id: str
    caller: str
    arguments: CrawlJobArguments
    created_at: float
    state: JobState = "waiting"
    error: dict[str, object] | None = None
    webhook_error: dict[str, object] | None = None
    is_webhook_due: bool = False
    """Whether the job has ended, and its webhook was not sent yet."""
    records: Crawl | None = field(default=None, repr=False)
    counts: dict[str, object] | None = None
    """The progress at the end of the job."""
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope, repr=False)
    stop_state: Literal["paused", "cancelled"] | None = None
    """The state that a stop by the caller leads to."""
    changed: anyio.Event = field(default_factory=anyio.Event, repr=False)

    def status(self) -> dict[str, object]:
        """Return the job as JSON; blocks while it counts."""
        counts, records = self.counts, self.records
        if records is not None and (progress := records.progress()) is not None:
            counts = as_plain(progress)
        return {
            "id": self.id,
            "state": self.state,
            "arguments": as_plain(replace(self.arguments, webhook=None)),
            "created_at": self.created_at,
            "progress": counts,
            "error": self.error,
            "webhook_error": self.webhook_error,
        }

    def notify(self) -> None:
        """Wake the readers of its events."""
        changed, self.changed = self.changed, anyio.Event()
        changed.set()


class CrawlJobs:
    """The jobs of one server."""

    def __init__(self, web: Web) -> None:
        """Take the web that crawls; nothing runs before `running`."""
        self._web = web
        self._folder = Path(web.parts.settings.cache.dir) / FOLDER
        self._jobs: dict[str, CrawlJob] = {}
        self._queue: list[CrawlJob] = []
        """Jobs that wait for their turn."""
        self._queue_changed = anyio.Event()
        self._saving = threading.Lock()
        self._tasks: TaskGroup | None = None

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[None, None]:
        """Work on jobs while the block lasts, first on those that an earlier server has left."""
        async with anyio.create_task_group() as tasks:
            self._tasks = tasks
            for fields, arguments in await to_thread.run_sync(self._stored_jobs):
                job = CrawlJob(**fields, arguments=arguments)
                self._jobs[job.id] = job
                if job.state in _ACTIVE:
                    job.state = "waiting"
                    tasks.start_soon(self._run, job)
                elif job.is_webhook_due:
                    tasks.start_soon(self._send_webhook, job)
            try:
                yield
            finally:
                self._tasks = None
                tasks.cancel_scope.cancel()

    async def start(self, arguments: CrawlJobArguments, caller: str) -> CrawlJob:
        """Begin a crawl of a caller.

        Raises:
            ConfigError: there is a webhook, and no secret to sign it.
            BlockedAddress: the webhook is a host that only `net.allow_hosts` opens.
            InvalidInput: no URL is given, or an option is out of range.
            RateLimited: the caller has too many jobs, or the server is ending.
        """
        if not arguments.urls:
            raise InvalidInput("there is no URL to start from", hint="give at least one in urls")
        crawl_options(_crawl_arguments(arguments))
        if arguments.webhook is not None:
            settings = self._web.parts.settings
            webhooks.require_secret(settings.net.webhook_secret)
            webhooks.check_host(arguments.webhook, settings.net, opened_hosts=settings.server.webhook_hosts)
        open_count = sum(job.state in _UNENDED for job in self.jobs(caller))
        if self._tasks is None or open_count >= MAX_OPEN:
            raise RateLimited(
                f"this caller has {count_of(open_count, 'crawl')} that have not ended", retry_after_s=60.0
            )
        now = self._web.parts.clock.now().timestamp()
        job = CrawlJob(id=uuid4().hex, caller=caller, arguments=arguments, created_at=now)
        self._jobs[job.id] = job
        try:
            with anyio.CancelScope(shield=True):  # a caller who leaves now must not leave a job that nothing runs
                await to_thread.run_sync(self._save, job)
                await to_thread.run_sync(_delete_folders, self._forget_oldest(caller))
        except OSError as error:
            del self._jobs[job.id]
            raise UnavailableError(f"the crawl cannot be stored: {reason_line(error)}", hint=_DISK_HINT) from error
        self._tasks.start_soon(self._run, job)
        return job

    def webhook_secret(self, job: CrawlJob) -> str | None:
        """Return the key that signs the webhook of a job, which its caller needs; None for a job without one."""
        if job.arguments.webhook is None:
            return None
        secret = webhooks.require_secret(self._web.parts.settings.net.webhook_secret)
        return webhooks.secret_of_caller(secret, job.caller).reveal()

    def job(self, job_id: str, caller: str) -> CrawlJob:
        """Return a job of a caller; that of another one does not exist.

        Raises:
            Gone: there is none.
        """
        job = self._jobs.get(job_id)
        if job is None or job.caller != caller:
            raise Gone("there is no such crawl", hint="start one with POST /v1/crawl")
        return job

    def jobs(self, caller: str) -> list[CrawlJob]:
        """Return the jobs of a caller, newest first."""
        own_jobs = [job for job in self._jobs.values() if job.caller == caller]
        return sorted(own_jobs, key=lambda job: job.created_at, reverse=True)

    async def cancel(self, job: CrawlJob) -> None:
        """End a job; the pages that were read stay."""
        if job.state == "paused":
            job.state = "cancelled"
            await self._store_end(job)
            if job.is_webhook_due and self._tasks is not None:  # else the server posts it when it starts again
                self._tasks.start_soon(self._send_webhook, job)
        await self._stop(job, "cancelled")

    async def pause(self, job: CrawlJob) -> None:
        """Stop a job that waits or runs until it is resumed; a job that has ended stays as it is."""
        await self._stop(job, "paused")

    async def resume(self, job: CrawlJob) -> None:
        """Continue a paused job where it stopped; another job stays as it is.

        Raises:
            RateLimited: the server is ending.
        """
        if job.state != "paused":
            return
        if self._tasks is None:
            raise RateLimited("the server is ending", retry_after_s=60.0)
        job.state, job.stop_state, job.scope = "waiting", None, anyio.CancelScope()
        job.notify()
        self._tasks.start_soon(self._run, job)
        with anyio.CancelScope(shield=True):
            await self._store(job)  # a server that starts again before its turn must not find it paused

    async def _stop(self, job: CrawlJob, state: Literal["paused", "cancelled"]) -> None:
        if job.state in _ACTIVE:
            scope = job.scope
            job.stop_state = state
            scope.cancel()
            while job.state in _ACTIVE and job.scope is scope:  # another one: it was resumed meanwhile
                await job.changed.wait()

    async def whole_lines_size(self, job: CrawlJob) -> int:
        """Return where the last whole line of `pages.jsonl` ends now, in bytes."""
        return await to_thread.run_sync(_whole_lines_size, self._path(job) / PAGES)

    async def pages_file(self, job: CrawlJob, size: int) -> AsyncIterator[bytes]:
        """Yield the first `size` bytes of `pages.jsonl` in pieces."""
        if not size:
            return
        async with await anyio.open_file(self._path(job) / PAGES, "rb") as file:
            while size and (piece := await file.read(min(size, _FILE_PIECE_BYTES))):
                size -= len(piece)
                yield piece

    async def piece(self, job: CrawlJob, cursor: int, limit: int) -> tuple[list[dict[str, Any]], int]:  # Any: JSON
        """Return up to `limit` lines of `pages.jsonl` from the offset `cursor`, and the offset behind them."""
        return await to_thread.run_sync(_lines, self._path(job) / PAGES, cursor, limit)

    async def events(self, job: CrawlJob, cursor: int) -> AsyncIterator[dict[str, Any]]:  # Any: JSON
        """Yield each line from the offset `cursor` as it comes, without its text, until the job ends."""
        while True:
            changed, was_active = job.changed, job.state in _ACTIVE
            rows, end = await self.piece(job, cursor, 100)
            for fields in rows:
                yield _event_fields(fields)
            if rows:
                cursor = end
            elif was_active:
                await changed.wait()
            else:
                return

    # ------------------------------------------------------------------------------------------- work

    async def _run(self, job: CrawlJob) -> None:
        try:
            with job.scope:
                await self._wait_for_turn(job)
                await self._crawl(job)
        except Exception as error:  # noqa: BLE001 - a bug ends this job, and neither the other jobs nor the server
            _log_failure(job, error)
            job.state, job.error = "failed", WellreadError("internal error", hint="see the log of the server").fields()
        finally:
            self._leave_queue(job)
        if job.stop_state is not None and job.state in _ACTIVE:
            job.state = job.stop_state
        await self._store_end(job)
        if job.is_webhook_due:
            await self._send_webhook(job)

    async def _store_end(self, job: CrawlJob) -> None:
        """Store a job that has stopped, and tell its readers; its webhook is due if it has ended."""
        job.is_webhook_due = job.arguments.webhook is not None and job.state not in _UNENDED
        with anyio.CancelScope(shield=True):
            await self._store(job)
        job.notify()

    async def _wait_for_turn(self, job: CrawlJob) -> None:
        """Wait until `job` may run: the caller with the fewest crawls comes first, then the oldest job."""
        self._queue.append(job)
        while self._next_job() is not job:
            await self._queue_changed.wait()
        job.state = "running"
        self._leave_queue(job)

    def _next_job(self) -> CrawlJob | None:
        """Return the waiting job that may run now."""
        running = Counter(job.caller for job in self._jobs.values() if job.state == "running")
        ready = [job for job in self._queue if running[job.caller] < MAX_RUNNING_OF_CALLER]
        if not ready or running.total() >= MAX_RUNNING:
            return None
        return min(ready, key=lambda job: (running[job.caller], job.created_at))

    def _leave_queue(self, job: CrawlJob) -> None:
        """Take a job out of the queue, and let the others look whether it is their turn."""
        if job in self._queue:
            self._queue.remove(job)
        changed, self._queue_changed = self._queue_changed, anyio.Event()
        changed.set()

    async def _crawl(self, job: CrawlJob) -> None:
        await to_thread.run_sync(self._save, job)
        urls, options = job.arguments.urls, _crawl_arguments(job.arguments)
        try:
            async with aclosing(self._web.crawl(urls, out=self._path(job), **options)) as records:
                job.records = records
                async for _ in records:
                    job.notify()
            job.state = "done"
        except WellreadError as error:
            job.state, job.error = "failed", error.fields()
        except (OSError, sqlite3.Error) as error:
            failure = UnavailableError(f"the crawl cannot be stored: {reason_line(error)}", hint=_DISK_HINT)
            job.state, job.error = "failed", failure.fields()
        finally:
            if job.records is not None:  # it has ended, and counts no more
                job.counts, job.records = as_plain(job.records.progress()), None

    async def _send_webhook(self, job: CrawlJob) -> None:
        """Post the end of a job once; a server that ends meanwhile posts it when it starts again."""
        address = job.arguments.webhook
        if address is None:
            return
        parts = self._web.parts
        message = {"event": "crawl.ended", **await to_thread.run_sync(job.status)}
        try:
            secret = webhooks.secret_of_caller(webhooks.require_secret(parts.settings.net.webhook_secret), job.caller)
            await webhooks.send_webhook(
                parts.fetcher, parts.clock, address, message, message_id=f"msg_{job.id}", secret=secret
            )
        except WellreadError as error:
            job.webhook_error = error.fields()
        job.is_webhook_due = False
        with anyio.CancelScope(shield=True):
            await self._store(job)

    # ------------------------------------------------------------------------------------------- on disk

    def _path(self, job: CrawlJob) -> Path:
        return self._folder / job.id

    async def _store(self, job: CrawlJob) -> None:
        """Save the end of a job; a disk that fails ends no other job."""
        try:
            await to_thread.run_sync(self._save, job)
        except OSError as error:
            _log_failure(job, error)

    def _save(self, job: CrawlJob) -> None:
        path = self._path(job)
        with self._saving:  # the last of several calls stores the last state
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            fields = {name: getattr(job, name) for name in _STORED_FIELDS} | {"arguments": as_plain(job.arguments)}
            temporary_file = path / "job.json.half"
            temporary_file.write_text(json.dumps(fields), encoding="utf-8")
            temporary_file.replace(path / "job.json")

    def _stored_jobs(self) -> list[tuple[dict[str, Any], CrawlJobArguments]]:  # Any: JSON
        """Return the fields of the jobs on disk; a folder without a job that this version can read is passed over."""
        jobs: list[tuple[dict[str, Any], CrawlJobArguments]] = []  # Any: JSON
        for path in sorted(self._folder.glob("*/job.json")):
            with suppress(OSError, ValueError, TypeError, KeyError):
                stored = json.loads(path.read_text(encoding="utf-8"))
                arguments = stored["arguments"]
                fields = {name: stored[name] for name in _REQUIRED_FIELDS}
                fields |= {name: stored[name] for name in _STORED_FIELDS if name in stored}
                for name in ("urls", "include", "exclude"):
                    arguments[name] = tuple(arguments[name])
                jobs.append((fields, CrawlJobArguments(**arguments)))
        return jobs

    def _forget_oldest(self, caller: str) -> list[Path]:
        """Forget the oldest ended jobs of a caller beyond `MAX_ENDED`, and return their folders."""
        ended = [job for job in self.jobs(caller) if job.state not in _UNENDED][MAX_ENDED:]
        for job in ended:
            del self._jobs[job.id]
        return [self._path(job) for job in ended]


def _delete_folders(folders: list[Path]) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)


def _crawl_arguments(arguments: CrawlJobArguments) -> CrawlArguments:
    return {
        "limit": arguments.limit,
        "depth": arguments.depth,
        "include": arguments.include,
        "exclude": arguments.exclude,
        "subdomains": arguments.subdomains,
        "sitemap": arguments.sitemap,
        "format": arguments.format,
        "max_time_s": MAX_TIME_S,
        "max_bytes": MAX_BYTES,
        "frontier": None,  # the frontier of the settings is for a crawl of the owner
    }


def _log_failure(job: CrawlJob, error: Exception) -> None:
    """Log the kind and the place of a failure; its message may quote a URL with secrets."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    _log.error("the crawl %s failed with %s\n%s", job.id, type(error).__name__, frames)


def _lines(path: Path, cursor: int, limit: int) -> tuple[list[dict[str, Any]], int]:  # Any: JSON
    rows: list[dict[str, Any]] = []  # Any: JSON
    start = cursor
    if not path.exists():
        return rows, cursor
    with path.open("rb") as file:
        file.seek(cursor)
        while len(rows) < limit and cursor - start < MAX_PIECE_BYTES:
            line = file.readline()
            if not line.endswith(b"\n"):  # the end, or a line that is being written
                break
            cursor += len(line)
            try:
                fields = line_fields(line)
            except ValueError as error:
                if b"\0" in line:  # a power cut has damaged it
                    continue
                message = f"cursor {start} is not the beginning of a line"
                raise InvalidInput(message, hint="use `cursor` of an answer") from error
            rows.append({**fields, "cursor": cursor})
    return rows, cursor


def _whole_lines_size(path: Path) -> int:
    """Return where the last whole line ends; a job that runs may be writing one behind it."""
    if not path.exists():
        return 0
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        while end:
            start = max(0, end - _FILE_PIECE_BYTES)
            file.seek(start)
            line_end = file.read(end - start).rfind(b"\n")
            if line_end >= 0:
                return start + line_end + 1
            end = start
    return 0


def _event_fields(fields: dict[str, Any]) -> dict[str, Any]:  # Any: JSON
    own = ("url", "state", "depth", "parent", "duplicate_of", "reason", "cursor")
    return {name: fields[name] for name in fields if name in own or name in _TEXT_FIELDS}
