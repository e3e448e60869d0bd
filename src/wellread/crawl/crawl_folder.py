"""The folder of a crawl: `crawl.db` with its state, and `pages.jsonl` with a line for each URL that is done.

Where workers on several machines share a frontier in PostgreSQL, each has a folder of its own: `worker.json` with its
name and round in place of `crawl.db`, and `pages.jsonl` with the lines of the URLs that this worker has done.

A line is written before the URL is marked as done, both under one lock. What follows the last line that counts becomes
spaces when the crawl continues, so that each URL has one line, wherever the process was killed. So does the line of a
URL that is asked again. JSON allows spaces before the next line: the offsets of all other lines stay, and the
file does not end before the cursor of a client.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import sqlite3
import threading
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self
from uuid import uuid4

from wellread.crawl.frontier import UrlOutcome
from wellread.crawl.postgres_frontier import PostgresFrontier
from wellread.crawl.sqlite_frontier import SqliteFrontier
from wellread.crawl.url_targets import READ_STATES, UrlTargets
from wellread.errors import (
    Auth,
    BlockedAddress,
    ConfigError,
    Empty,
    InvalidInput,
    PluginError,
    Quota,
    Robots,
    TooLarge,
    UnavailableError,
    Unrecorded,
    reason_line,
)
from wellread.store.folder_lock import locked
from wellread.types import CrawlRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from wellread.crawl.crawl_options import CrawlOptions
    from wellread.crawl.frontier import CrawlStore, HostLease, LeasedUrl
    from wellread.ports import Clock
    from wellread.types import CrawlState, Page, Render
    from wellread.values import Address

PAGES: Final = "pages.jsonl"
STATE: Final = "crawl.db"
WORKER: Final = "worker.json"
_ENDED: Final = "ended"
_STARTS: Final = "start URLs"
_GAINED: Final = "gained scope"
_OPTIONS: Final = "options"
_TOTALS: Final = "totals"
_SHARED_OPTIONS: Final = (
    "limit", "depth", "include", "exclude", "subdomains", "sitemap", "render", "scroll", "format", "user_asked",
)  # fmt: skip
"""Options that all workers of a crawl have in common; the others are limits and outputs of one process."""
_SETTINGS_CODES: Final = frozenset(
    error.code for error in (Auth, BlockedAddress, ConfigError, PluginError, Quota, TooLarge, Unrecorded)
)
"""Failures that the owner's settings, keys or recordings cause, or that they can end."""


@dataclass(frozen=True, slots=True)
class GainedScope:
    """What the redirects of start URLs have added to the scope of a crawl."""

    hosts: frozenset[str]
    widening_keys: frozenset[str]
    """Spelling keys of URLs whose redirect may still add a site."""


@dataclass(slots=True)
class CrawlTotals:
    """What all runs of a round have met that the frontier does not count; that of one worker in a shared crawl."""

    out_of_scope: int = 0
    links_left_out: int = 0
    unread_maps: int = 0
    bytes_read: int = 0
    running_s: float = 0.0


class CrawlFolder:
    """Opens a crawl, new or begun; one process at a time works on it."""

    def __init__(
        self,
        path: Path,
        page_fields: Callable[[Page], Mapping[str, object]],
        clock: Clock,
        frontier: Address | None,
        lease_s: float,
    ) -> None:
        """Make the folder, or continue the crawl in it; `page_fields` gives the JSON of a page.

        `frontier` is the database that workers share; a worker that is silent for `lease_s` loses its hosts.

        Raises:
            InvalidInput: the folder cannot be written, another process crawls into it, or it holds another crawl.
            ConfigError, UnavailableError: as `PostgresFrontier`.
        """
        self.path = path
        self._page_fields = page_fields
        self._lock = threading.Lock()
        try:
            path.mkdir(parents=True, exist_ok=True)
            with ExitStack() as stack:
                stack.enter_context(closing(locked(path / "crawl.lock", "crawls into")))
                self._shared_frontier = None if frontier is None else _open_shared_frontier(path, frontier, lease_s)
                self.frontier: CrawlStore = self._shared_frontier or _open_state(path, clock)
                stack.callback(self.frontier.close)
                self.targets = UrlTargets(self.frontier)
                self.frontier.end_leases()
                self._file = stack.enter_context((path / PAGES).open("ab", buffering=0))
                self._end = self._discard_uncommitted()
                self._earlier = self._open_earlier()
                self._stack = stack.pop_all()
        except (OSError, sqlite3.Error) as error:
            raise InvalidInput(
                f"cannot crawl into {path}: {reason_line(error)}", hint="name another folder by --out"
            ) from error

    def __enter__(self) -> Self:
        """Return the same folder."""
        return self

    def __exit__(self, *_exc: object) -> None:
        """Close the files and let other processes in."""
        if self._earlier is not None:
            self._earlier.close()
        self._stack.close()

    def _discard_uncommitted(self) -> int:
        """Erase what follows the last line that counts, and return where the file ends.

        In a later round it is cut off, as the lines of the round before may still stand there. Clients have cursors of
        the first round alone.
        """
        path = self.path / PAGES
        size = path.stat().st_size
        self.frontier.forget_lines_after(size)  # a power cut may cost the last lines
        lines_end = self.frontier.written_bytes()
        if self.frontier.round_number():
            self._file.truncate(lines_end)
            return lines_end
        with path.open("r+b") as file:
            _erase(file, lines_end, size)
        return size

    def starts(self) -> tuple[str, ...]:
        """Return the URLs that the crawl in the folder starts from; none for a new one."""
        return tuple(json.loads(self.frontier.fact(_STARTS) or "[]"))

    def check_starts(self, urls: tuple[str, ...]) -> None:
        """Note the URLs that the crawl starts from.

        Raises:
            InvalidInput: the folder holds a crawl that starts from other URLs.
        """
        earlier = self.starts()
        if earlier not in {(), urls}:
            names = ", ".join(earlier)
            place = self.path if self._shared_frontier is None else "the frontier"
            raise InvalidInput(f"{place} holds the crawl of {names}", hint="give the same URLs, or another --out")
        self.frontier.set_fact(_STARTS, json.dumps(urls))

    def gained_scope(self) -> GainedScope | None:
        """Return what the redirects of start URLs have added to the scope; None if no start URL has redirected."""
        fact = self.frontier.fact(_GAINED)
        if fact is None:
            return None
        hosts, widening_keys = json.loads(fact)
        return GainedScope(frozenset(hosts), frozenset(widening_keys))

    def swap_gained_scope(self, earlier: GainedScope | None, gained: GainedScope) -> bool:
        """Store what the redirects of start URLs have added to the scope if it was `earlier`; return whether it was.

        Two redirects at a time, also in two workers, must not overwrite each other.
        """
        earlier_fact: str | None = None
        if earlier is not None:
            earlier_fact = _gained_fact(earlier)
        return self.frontier.swap_fact(_GAINED, earlier_fact, _gained_fact(gained))

    def store_options(self, options: CrawlOptions) -> None:
        """Store the options that other workers must share."""
        shared = {name: getattr(options, name) for name in _SHARED_OPTIONS}
        self.frontier.set_fact(_OPTIONS, json.dumps(shared))

    def shared_options(self, options: CrawlOptions) -> CrawlOptions:
        """Return the options of the crawl that the frontier holds, with those of this process alone.

        Raises:
            UnavailableError: it holds no crawl.
        """
        fact = self.frontier.fact(_OPTIONS)
        if fact is None:
            raise UnavailableError("the frontier holds no crawl", hint="start one with `wellread crawl`")
        shared = json.loads(fact)
        lists = {name: tuple(shared[name]) for name in ("include", "exclude")}
        return replace(options, **{**shared, **lists})

    def totals(self) -> CrawlTotals:
        """Return the totals of this round."""
        fact = self.frontier.fact(self._totals_name)
        if fact is None:
            return CrawlTotals()
        number, fields = json.loads(fact)
        if number != self.frontier.round_number():
            return CrawlTotals()
        return CrawlTotals(**fields)

    def store_totals(self, totals: CrawlTotals) -> None:
        """Store the totals of this round."""
        fact = json.dumps([self.frontier.round_number(), asdict(totals)])
        self.frontier.set_fact(self._totals_name, fact)

    @property
    def _totals_name(self) -> str:
        if self._shared_frontier is None:
            return _TOTALS
        return f"{_TOTALS} of {self._shared_frontier.worker}"

    def begin_round(self, *, again: bool, render: Render, user_asked: bool) -> None:
        """Go on with the last round; where it has come to its end and `again` is set, ask for all its URLs again.

        A round that goes on asks for failed URLs again, see `ask_failures_again`. The lines of the last round stay in
        `pages-1.jsonl`, `pages-2.jsonl` and so on.
        """
        self.frontier.forget_failures()
        if not again or self.frontier.fact(_ENDED) is None:
            self.frontier.drop_facts([_ENDED])
            self.ask_failures_again(render=render, user_asked=user_asked)
            return
        number = self.frontier.round_number() + 1
        _keep_lines(self.path, number)
        self.frontier.start_round(number)  # from here on the lines of `pages.jsonl` do not count
        if self._shared_frontier is not None:
            _store_worker(self.path, self._shared_frontier)
        self._file.truncate(0)
        self._end = 0
        if self._earlier is not None:
            self._earlier.close()
        self._earlier = self._open_earlier()

    def ask_failures_again(self, *, render: Render, user_asked: bool) -> None:
        """Let the failed URLs of this folder wait again if `may_succeed` holds for their errors."""
        url_ids = []
        with self._lock, (self.path / PAGES).open("rb") as file:
            for line in self.frontier.failed_lines():
                file.seek(line.start)
                text = file.read(line.end - line.start).strip(b"\0 \n")
                error = _fields_with_error(text).get("error")
                # There is no text if a run was killed before `ask_again`, or by a power cut.
                if not text or (error is not None and may_succeed(error, render=render, user_asked=user_asked)):
                    url_ids.append(line.url_id)
        self.ask_again(url_ids)

    def ask_again(self, url_ids: Sequence[int]) -> list[int]:
        """Let the URLs among `url_ids` that this folder has lines of wait again, and return them."""
        with self._lock, (self.path / PAGES).open("r+b") as file:
            lines = self.frontier.lines(url_ids)
            for line in lines:
                _erase(file, line.start, line.end)
            file.flush()
            os.fsync(file.fileno())  # a URL that waits has no line, also after a power cut
            asked_ids = [line.url_id for line in lines]
            self.frontier.ask_again(asked_ids)
        return asked_ids

    def end_round(self) -> None:
        """Note that the round has come to its end."""
        self.frontier.set_fact(_ENDED, "yes")

    def finish(
        self, lease: HostLease, record: CrawlRecord, outcome: UrlOutcome, *, next_at: float, failures: int = 0
    ) -> CrawlRecord:
        """Write the line of a URL and mark it as done; return the record, which may have become a duplicate.

        Raises:
            LeaseLost: the lease has ended; nothing is written.
        """
        with self._lock:
            if record.page is not None:
                record, outcome = self._compared(lease, record, outcome)
            if record.state not in READ_STATES and lease.url.snapshot_id is not None:
                self.frontier.release_text(record.url)  # that of the last round
            line = json.dumps(self._fields(record, lease), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
            end = self._end + len(line)
            try:
                self._write(line)
                self.frontier.finish(
                    lease,
                    replace(outcome, line=(self._end, end)),
                    next_at=next_at,
                    failures=failures,
                )
            except BaseException:
                with suppress(OSError):  # the next run cuts the line off, too
                    self._file.truncate(self._end)
                raise
            self._end = end
            return record

    def _write(self, line: bytes) -> None:
        """Write a whole line; the file may take a part of it, such as what a full disk has room for."""
        unwritten = memoryview(line)
        while unwritten:
            unwritten = unwritten[self._file.write(unwritten) :]

    def _compared(self, lease: HostLease, record: CrawlRecord, outcome: UrlOutcome) -> tuple[CrawlRecord, UrlOutcome]:
        """Turn a page into a duplicate if another URL has the same text; otherwise note its text."""
        original = self._original(lease, outcome)
        if original == record.url:
            return record, outcome
        duplicate = CrawlRecord(
            url=record.url,
            state="duplicate",
            depth=record.depth,
            parent=record.parent,
            duplicate_of=original,
            reason="text",
        )
        # Nothing counts as read, and the next round asks for all of it: the other URL may lose the text.
        return duplicate, UrlOutcome(state="duplicate", snapshot_id=lease.url.snapshot_id)

    def _original(self, lease: HostLease, outcome: UrlOutcome) -> str:
        """Return the URL of the first page with a text; one that has lost its page in this round is none.

        If that URL waits still, it may lose its text: the target of the lease's URL is stored, to be looked at again.
        """
        url = lease.url.url
        while True:
            original = self.frontier.claim_text(url, outcome.snapshot_id or "", outcome.signature)
            if original == url:
                return url
            target = self.targets.target(lease.url, original, "text")
            state = self.frontier.known_states([target.key]).get(target.key)
            if state is None:
                self.targets.store(target)
            if state is None or state in READ_STATES:
                return original
            self.frontier.release_text(original)

    def _fields(self, record: CrawlRecord, lease: HostLease) -> dict[str, object]:
        """Return the JSON of a line: the crawl's own fields, then those of the page, or the error."""
        fields = record.own_fields()
        if record.error is not None:
            return fields | {"error": record.error.fields()}
        if record.page is not None:
            return fields | {name: part for name, part in self._page_fields(record.page).items() if name != "url"}
        if record.reason == NOT_MODIFIED:
            return (self._last_fields(lease.url) or {}) | fields
        return fields

    def has_earlier_line(self, url: LeasedUrl) -> bool:
        """Return whether the line of a URL in the last round can be read, so that its text can be repeated."""
        with self._lock:
            return self._last_fields(url) is not None

    def _last_fields(self, url: LeasedUrl) -> dict[str, object] | None:
        """Return the fields of a URL's line in the last round; None where a power cut has cost the line."""
        if self._earlier is None or url.line is None:
            return None
        start, end = url.line
        self._earlier.seek(start)
        try:
            fields = json.loads(self._earlier.read(end - start))
        except ValueError:
            return None
        if isinstance(fields, dict) and fields.get("url") == url.url:
            return fields
        return None

    def _open_earlier(self) -> BinaryIO | None:
        """Open the output of the last round; None where this folder has none."""
        number = self.frontier.round_number()
        path = _round_path(self.path, number)
        if not number or not path.exists():
            return None
        return path.open("rb")


def _gained_fact(gained: GainedScope) -> str:
    return json.dumps([sorted(gained.hosts), sorted(gained.widening_keys)])


def may_succeed(error: Mapping[str, Any], *, render: Render, user_asked: bool) -> bool:  # Any: JSON
    """Return whether a URL that failed with `error` (its fields) is asked again when the crawl goes on.

    It is if the failure may pass by itself, or if the settings, a package to install, `render` or `user_asked` can end
    it. A page without text that was rendered is not: its hint does not name a browser any more.
    """
    if error["retryable"] or error["code"] in _SETTINGS_CODES:
        return True
    if error["code"] == Robots.code:
        return user_asked
    if error["code"] == Empty.code and "--render always" in error["hint"]:
        return render != "never"
    return "pip install" in error["hint"]


def stored_errors(folder: Path, state: CrawlState) -> Iterator[Mapping[str, Any]]:  # Any: JSON
    """Yield the errors of the URLs of a folder that ended in `state`, in the order of the lines."""
    with (folder / PAGES).open("rb") as file:
        for line in file:
            fields = _fields_with_error(line)
            if fields.get("state") == state:
                yield fields["error"]


def line_fields(line: bytes) -> dict[str, Any]:  # Any: JSON
    """Return the fields of a line, which may follow erased lines, or the NULs that a power cut leaves.

    Raises:
        ValueError: the line is damaged, or it is only the end of one.
    """
    fields: dict[str, Any] = json.loads(line.decode().lstrip("\0 "))  # Any: JSON
    return fields


def _erase(file: BinaryIO, start: int, end: int) -> None:
    """Overwrite a part of a file with spaces."""
    file.seek(start)
    file.write(b" " * (end - start))


def _fields_with_error(line: bytes) -> dict[str, Any]:  # Any: JSON
    """Return the fields of a line that has an error; none of another line, whose text may be long, or a damaged one."""
    if b'"error": {' not in line:
        return {}
    try:
        fields = line_fields(line)
    except ValueError:
        return {}
    if "error" not in fields:
        return {}
    return fields


def _open_state(path: Path, clock: Clock) -> SqliteFrontier:
    """Open the state of a crawl that has its folder to itself.

    Raises:
        InvalidInput: the folder belongs to a worker of a shared crawl.
    """
    if (path / WORKER).exists():
        raise InvalidInput(f"{path} holds the lines of a worker", hint="give the frontier of its crawl by --frontier")
    return SqliteFrontier(path / STATE, clock)


def _open_shared_frontier(path: Path, url: Address, lease_s: float) -> PostgresFrontier:
    """Open a shared frontier for the worker that has this folder, a new one or one that comes back.

    Raises:
        InvalidInput: the folder holds lines that are not of this crawl.
    """
    stored: dict[str, str] = {}
    if (path / WORKER).exists():
        stored = json.loads((path / WORKER).read_text(encoding="utf-8"))
    is_used = (path / STATE).exists() or ((path / PAGES).exists() and not stored)
    frontier = PostgresFrontier(url, worker=stored.get("worker", uuid4().hex), lease_s=lease_s)
    if is_used or (stored and not frontier.has_joined()):
        frontier.close()
        raise InvalidInput(f"{path} holds another crawl", hint="name another folder by --out")
    frontier.join(platform.node(), str(path.resolve()))
    number = frontier.round_number()
    if stored and int(stored["round"]) < number:
        _keep_lines(path, number)
    _store_worker(path, frontier)
    return frontier


def _store_worker(path: Path, frontier: PostgresFrontier) -> None:
    """Note which worker the folder belongs to, and of which round its lines are."""
    fields = {"worker": frontier.worker, "round": str(frontier.round_number())}
    temporary_file = (path / WORKER).with_suffix(".half")
    temporary_file.write_text(json.dumps(fields), encoding="utf-8")
    temporary_file.replace(path / WORKER)


def _round_path(path: Path, number: int) -> Path:
    return path / f"pages-{number}.jsonl"


def _keep_lines(path: Path, number: int) -> None:
    """Copy the lines of the last round before round `number` begins."""
    temporary_file = _round_path(path, number).with_suffix(".half")
    shutil.copyfile(path / PAGES, temporary_file)
    temporary_file.replace(_round_path(path, number))


NOT_MODIFIED: Final = "not modified"
"""The reason of a record whose page the server did not send again (304)."""
