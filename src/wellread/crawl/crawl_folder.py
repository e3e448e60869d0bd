"""The folder of a crawl: `crawl.db` with its state, and `pages.jsonl` with a line for each URL that is done.

A line is written before the URL is marked as done, both under one lock. What follows the last line that counts is cut
off when the crawl continues, so that each URL has one line, wherever the process was killed.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, BinaryIO, Final, Self

from wellread.crawl.frontier import UrlOutcome
from wellread.crawl.sqlite_frontier import SqliteFrontier
from wellread.errors import InvalidInput
from wellread.store.folder_lock import locked
from wellread.types import CrawlRecord

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from wellread.crawl.frontier import HostLease
    from wellread.ports import Clock
    from wellread.types import Page

PAGES: Final = "pages.jsonl"
STATE: Final = "crawl.db"
_ENDED: Final = "ended"
_STARTS: Final = "start URLs"
_ROUND: Final = "round"
_GAINED: Final = "gained scope"


@dataclass(frozen=True, slots=True)
class GainedScope:
    """What the redirects of start URLs have added to the scope of a crawl."""

    hosts: frozenset[str]
    widening_keys: frozenset[str]
    """Spelling keys of URLs whose redirect may still add a site."""


class CrawlFolder:
    """Opens a crawl, new or begun; one process at a time works on it."""

    def __init__(self, path: Path, page_fields: Callable[[Page], Mapping[str, object]], clock: Clock) -> None:
        """Make the folder, or continue the crawl in it; `page_fields` gives the JSON of a page.

        Raises:
            InvalidInput: the folder cannot be written, or another process crawls into it.
        """
        self.path = path
        self._page_fields = page_fields
        self._lock = threading.Lock()
        try:
            path.mkdir(parents=True, exist_ok=True)
            self._guard = locked(path / "crawl.lock", "crawls into")
            self.frontier = SqliteFrontier(path / STATE, clock)
            self.frontier.end_leases()
            self._file = (path / PAGES).open("ab", buffering=0)
            self.frontier.forget_lines_after((path / PAGES).stat().st_size)  # a power cut may cost the last lines
            self._end = self.frontier.written_bytes()
            self._file.truncate(self._end)
            self._earlier = self._open_earlier()
        except (OSError, sqlite3.Error) as error:
            raise InvalidInput(f"cannot crawl into {path}: {error}", hint="name another folder by --out") from error

    def __enter__(self) -> Self:
        """Return the same folder."""
        return self

    def __exit__(self, *_exc: object) -> None:
        """Close the files and let other processes in."""
        self._file.close()
        if self._earlier is not None:
            self._earlier.close()
        self.frontier.close()
        self._guard.close()

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
            raise InvalidInput(f"{self.path} holds the crawl of {names}", hint="give the same URLs, or another folder")
        self.frontier.set_fact(_STARTS, json.dumps(urls))

    def gained_scope(self) -> GainedScope | None:
        """Return what the redirects of start URLs have added to the scope; None if no start URL has redirected."""
        fact = self.frontier.fact(_GAINED)
        if fact is None:
            return None
        hosts, widening_keys = json.loads(fact)
        return GainedScope(frozenset(hosts), frozenset(widening_keys))

    def store_gained_scope(self, gained: GainedScope) -> None:
        """Store what the redirects of start URLs have added to the scope."""
        self.frontier.set_fact(_GAINED, json.dumps([sorted(gained.hosts), sorted(gained.widening_keys)]))

    def begin_round(self, *, again: bool) -> None:
        """Go on with the last round; where it has come to its end and `again` is set, ask for all its URLs again.

        The lines of the last round stay in `pages-1.jsonl`, `pages-2.jsonl` and so on.
        """
        self.frontier.forget_failures()
        if not again or self.frontier.fact(_ENDED) is None:
            self.frontier.drop_fact(_ENDED)
            return
        number = int(self.frontier.fact(_ROUND) or "0") + 1
        temporary_file = self._round_path(number).with_suffix(".half")
        shutil.copyfile(self.path / PAGES, temporary_file)
        temporary_file.replace(self._round_path(number))
        self.frontier.start_round(number)  # from here on the lines of `pages.jsonl` do not count
        self._file.truncate(0)
        self._end = 0
        if self._earlier is not None:
            self._earlier.close()
        self._earlier = self._open_earlier()

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
                record, outcome = self._compared(record, outcome)
            line = json.dumps(self._fields(record, lease), ensure_ascii=False).encode("utf-8", "replace") + b"\n"
            self._file.write(line)
            end = self._end + len(line)
            try:
                self.frontier.finish(
                    lease,
                    UrlOutcome(
                        state=record.state,
                        was_asked=outcome.was_asked,
                        etag=outcome.etag,
                        last_modified=outcome.last_modified,
                        snapshot_id=outcome.snapshot_id,
                        signature=outcome.signature,
                        line=(self._end, end),
                    ),
                    next_at=next_at,
                    failures=failures,
                )
            except BaseException:
                self._file.truncate(self._end)
                raise
            self._end = end
            return record

    def _compared(self, record: CrawlRecord, outcome: UrlOutcome) -> tuple[CrawlRecord, UrlOutcome]:
        """Turn a page into a duplicate if another URL has the same text; otherwise note its text."""
        original = self.frontier.claim_text(record.url, outcome.snapshot_id or "", outcome.signature)
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
        return duplicate, outcome

    def _fields(self, record: CrawlRecord, lease: HostLease) -> dict[str, object]:
        """Return the JSON of a line: the crawl's own fields, then those of the page, or the error."""
        fields = record.own_fields()
        if record.error is not None:
            return fields | {"error": record.error.fields()}
        if record.page is not None:
            return fields | {name: part for name, part in self._page_fields(record.page).items() if name != "url"}
        if record.reason == NOT_MODIFIED:
            return self._last_fields(lease) | fields
        return fields

    def _last_fields(self, lease: HostLease) -> dict[str, object]:
        """Return the fields of a URL's line in the last round, for a page that has not changed."""
        if self._earlier is None or lease.url.line is None:
            return {}
        start, end = lease.url.line
        self._earlier.seek(start)
        fields: dict[str, object] = json.loads(self._earlier.read(end - start))
        return fields

    def _open_earlier(self) -> BinaryIO | None:
        """Open the output of the last round."""
        number = self.frontier.fact(_ROUND)
        if number is None:
            return None
        return self._round_path(int(number)).open("rb")

    def _round_path(self, number: int) -> Path:
        return self.path / f"pages-{number}.jsonl"


NOT_MODIFIED: Final = "not modified"
"""The reason of a record whose page the server did not send again (304)."""
