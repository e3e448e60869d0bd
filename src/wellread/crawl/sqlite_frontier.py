"""The frontier in a SQLite file, which survives the end of the process at any moment (WAL)."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, get_args
from uuid import uuid4

from wellread.crawl.frontier import (
    FrontierCounts,
    FrontierUrl,
    HostLease,
    LeasedUrl,
    LeaseLost,
    TrapCount,
    UrlLine,
)
from wellread.rank.near_duplicate import TextSignatures
from wellread.store import db
from wellread.types import CrawlState

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from wellread.crawl.frontier import UrlOutcome
    from wellread.ports import Clock

MIGRATIONS: Final = (
    """
    create table hosts (
        host text primary key,
        prepared integer not null default 0,
        delay_s real not null default 0,
        next_at real not null default 0,
        token text,
        leased_until real not null default 0,
        turn integer not null default 0,
        failures integer not null default 0
    ) without rowid;
    create table urls (
        id integer primary key,
        key text not null unique,
        url text not null,
        host text not null,
        depth integer not null,
        priority real not null,
        in_links integer not null default 1,
        parent text,
        status text not null default 'waiting',
        was_asked integer not null default 0,
        attempts integer not null default 0,
        state text,
        etag text,
        last_modified text,
        snapshot_id text,
        signature blob,
        line_start integer,
        line_end integer
    );
    create index urls_in_order on urls (host, depth, priority desc, in_links desc, id) where status = 'waiting';
    create index urls_leased on urls (host) where status = 'leased';
    create table traps (
        name text not null,
        trap_group text not null,
        admitted integer not null default 0,
        refused integer not null default 0,
        primary key (name, trap_group)
    ) without rowid;
    create table facts (name text primary key, fact text not null) without rowid;
    """,
    """
    create table deep_urls (key text primary key, depth integer not null, fields text not null) without rowid;
    """,
)

_LATE_START_S: Final = 0.5
_LEASED_URL: Final = """
    select id, url, depth, parent, attempts, state, etag, last_modified, snapshot_id, line_start, line_end
    from urls where host = ? and status = 'waiting' order by depth, priority desc, in_links desc, id limit 1
"""
_NEXT_HOST: Final = """
    select host, prepared, delay_s, failures from hosts
    where token is null and next_at <= ?
        and exists (select 1 from urls where urls.host = hosts.host and status = 'waiting')
    order by turn limit 1
"""


class SqliteFrontier:
    """Implements `CrawlStore` for the tasks of one process."""

    lease_s = 3_600.0
    """A lease outlasts any page: it ends by its own work, and at the start of the next process."""

    def __init__(self, path: Path | None, clock: Clock) -> None:
        """Open the file, or a database in memory.

        Raises:
            ConfigError: a newer wellread has written the file.
            OSError, sqlite3.Error: it cannot be opened.
        """
        self._connection = db.connect(path, MIGRATIONS)
        self._clock = clock
        self._lock = threading.RLock()
        self._asked_count = self._count_asked()
        self._signatures = TextSignatures()
        for url, text_id, signature in self._texts():
            self._signatures.add(url, text_id, signature or b"")

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def now(self) -> float:
        """Return the time of this machine."""
        return self._clock.now().timestamp()

    def add(self, urls: Sequence[FrontierUrl]) -> int:
        """Add the URLs whose keys are new, and return their number; a known one gets an in-link and the lower depth."""
        with self._transaction() as connection:
            return sum([self._add(connection, url) for url in urls])

    def add_deep(self, urls: Sequence[FrontierUrl]) -> None:
        """Store URLs below the depth of the crawl, for a run with a larger depth."""
        with self._transaction() as connection:
            connection.executemany(
                """
                insert into deep_urls (key, depth, fields) values (?, ?, ?)
                on conflict (key) do update set depth = excluded.depth, fields = excluded.fields
                    where excluded.depth < deep_urls.depth
                """,
                [(url.key, url.depth, url.to_json()) for url in urls],
            )

    def add_up_to_depth(self, max_depth: int) -> None:
        """Add the stored URLs whose depth is `max_depth` at most."""
        with self._transaction() as connection:
            rows = connection.execute(
                "select fields from deep_urls where depth <= ? order by depth, key", (max_depth,)
            ).fetchall()
            for (fields,) in rows:
                self._add(connection, FrontierUrl.from_json(fields))
            connection.execute("delete from deep_urls where depth <= ?", (max_depth,))

    def deep_count(self) -> int:
        """Return how many URLs lie below the depth of the crawl and were not added."""
        with self._lock:
            (count,) = self._connection.execute(
                "select count(*) from deep_urls where key not in (select key from urls)"
            ).fetchone()
        return int(count)

    def _add(self, connection: sqlite3.Connection, url: FrontierUrl) -> bool:
        update = """
            update urls set in_links = in_links + 1, depth = min(depth, ?), priority = max(priority, ?) where key = ?
        """
        if connection.execute(update, (url.depth, url.priority, url.key)).rowcount:
            return False
        if url.trap is not None and not self._admit(connection, url):
            return False
        connection.execute("insert or ignore into hosts (host) values (?)", (url.host,))
        connection.execute(
            "insert into urls (key, url, host, depth, priority, parent) values (?, ?, ?, ?, ?, ?)",
            (url.key, url.url, url.host, url.depth, url.priority, url.parent),
        )
        return True

    @staticmethod
    def _admit(connection: sqlite3.Connection, url: FrontierUrl) -> bool:
        """Return whether the trap of a URL has room for it, and count it."""
        trap = url.trap
        if trap is None:
            return True
        connection.execute("insert or ignore into traps (name, trap_group) values (?, ?)", (trap.name, trap.group))
        where = "where name = ? and trap_group = ?"
        (admitted,) = connection.execute(f"select admitted from traps {where}", (trap.name, trap.group)).fetchone()  # noqa: S608 - a constant
        column = "admitted" if admitted < trap.bound else "refused"
        connection.execute(f"update traps set {column} = {column} + 1 {where}", (trap.name, trap.group))  # noqa: S608 - constants
        return column == "admitted"

    def lease(self, now: float, *, until: float, limit: int | None = None) -> HostLease | None:
        """Lease the host whose turn it is, with its first URL; None where no host may be asked now."""
        with self._transaction() as connection:
            self._end_leases(connection, now)
            if limit is not None:
                (leased,) = connection.execute("select count(*) from hosts where token is not null").fetchone()
                if self._asked_count + leased >= limit:
                    return None
            host_row = connection.execute(_NEXT_HOST, (now,)).fetchone()
            if host_row is None:
                return None
            host, prepared, delay_s, failures = host_row
            row = connection.execute(_LEASED_URL, (host,)).fetchone()
            token = uuid4().hex
            connection.execute(
                """
                update hosts set token = ?, leased_until = ?, next_at = ? + delay_s,
                    turn = (select max(turn) + 1 from hosts) where host = ?
                """,
                (token, until, now, host),
            )
            connection.execute("update urls set status = 'leased' where id = ?", (row[0],))
        *fields, line_start, line_end = row
        names = ("id", "url", "depth", "parent", "attempts", "state", "etag", "last_modified", "snapshot_id")
        line = None if line_start is None else (line_start, line_end)
        url = LeasedUrl(**dict(zip(names, fields, strict=True)), line=line)
        return HostLease(
            token=token, host=host, url=url, is_prepared=bool(prepared), delay_s=delay_s, failures=failures
        )

    def renew(self, leases: Sequence[HostLease], *, until: float) -> None:
        """Let the leases of hosts that are still being worked on end at `until`; those that were lost stay lost."""
        with self._transaction() as connection:
            connection.executemany(
                "update hosts set leased_until = ? where host = ? and token = ?",
                [(until, lease.host, lease.token) for lease in leases],
            )

    @staticmethod
    def _end_leases(connection: sqlite3.Connection, now: float) -> None:
        """Void the leases that have ended."""
        ended = "(select host from hosts where token is not null and leased_until <= ?)"
        connection.execute(
            f"update urls set status = 'waiting' where status = 'leased' and host in {ended}",  # noqa: S608 - a constant
            (now,),
        )
        connection.execute("update hosts set token = null where token is not null and leased_until <= ?", (now,))

    def end_leases(self) -> None:
        """Void all leases: for the one process that works on the file, when it begins."""
        with self._transaction() as connection:
            # The request under a lease may have begun a moment after it.
            connection.execute("update hosts set next_at = next_at + ? where token is not null", (_LATE_START_S,))
            self._end_leases(connection, float("inf"))

    def forget_failures(self) -> None:
        """Forget that hosts have failed: they are asked again."""
        with self._transaction() as connection:
            connection.execute("update hosts set failures = 0")

    def prepare(self, lease: HostLease, *, delay_s: float, next_at: float) -> None:
        """Note that the host's robots.txt and site maps were read; should the lease end, it rests until `next_at`."""
        with self._transaction() as connection:
            self._check(connection, lease)
            connection.execute(
                "update hosts set prepared = 1, delay_s = ?, next_at = ? where host = ?",
                (delay_s, next_at, lease.host),
            )

    def finish(self, lease: HostLease, outcome: UrlOutcome, *, next_at: float, failures: int = 0) -> None:
        """Note the outcome and give the host back; it may be leased again at `next_at`."""
        with self._transaction() as connection:
            self._check(connection, lease)
            connection.execute(
                "update hosts set token = null, leased_until = 0, next_at = ?, failures = ? where host = ?",
                (next_at, failures, lease.host),
            )
            if outcome.state is None:
                connection.execute(
                    "update urls set status = 'waiting', attempts = attempts + 1 where id = ?", (lease.url.id,)
                )
                return
            line_start, line_end = outcome.line or (None, None)
            connection.execute(
                """
                update urls set status = 'done', state = ?, was_asked = ?, etag = ?, last_modified = ?,
                    snapshot_id = ?, signature = coalesce(?, case when snapshot_id is ? then signature end),
                    line_start = ?, line_end = ? where id = ?
                """,
                (
                    outcome.state, outcome.was_asked, outcome.etag, outcome.last_modified,
                    outcome.snapshot_id, outcome.signature or None, outcome.snapshot_id,
                    line_start, line_end, lease.url.id,
                ),
            )  # fmt: skip
        self._asked_count += outcome.was_asked

    @staticmethod
    def _check(connection: sqlite3.Connection, lease: HostLease) -> None:
        row = connection.execute("select token from hosts where host = ?", (lease.host,)).fetchone()
        if row is None or row[0] != lease.token:
            raise LeaseLost(lease.host)

    def next_start(self) -> float | None:
        """Return when the next host may be leased; None where no URL waits at a host that is free."""
        with self._lock:
            (next_at,) = self._connection.execute(
                """
                select min(next_at) from hosts where token is null
                    and exists (select 1 from urls where urls.host = hosts.host and status = 'waiting')
                """
            ).fetchone()
        return None if next_at is None else float(next_at)

    def is_done(self) -> bool:
        """Return whether no URL waits and no host is leased, so that no URL can come."""
        with self._lock:
            (open_count,) = self._connection.execute(
                """
                select exists (select 1 from hosts where token is not null)
                    or exists (select 1 from urls where status = 'waiting')
                """
            ).fetchone()
        return not open_count

    def asked_count(self) -> int:
        """Return how many URLs were done in this round by at least one request."""
        return self._asked_count

    def _count_asked(self) -> int:
        with self._lock:
            (asked_count,) = self._connection.execute(
                "select count(*) from urls where status = 'done' and was_asked"
            ).fetchone()
        return int(asked_count)

    def counts(self) -> FrontierCounts:
        """Return the number of URLs by status and state."""
        with self._lock:
            statuses = dict(self._connection.execute("select status, count(*) from urls group by status").fetchall())
            states = dict(
                self._connection.execute(
                    "select state, count(*) from urls where status = 'done' group by state"
                ).fetchall()
            )
            (hosts,) = self._connection.execute("select count(*) from hosts").fetchone()
        return FrontierCounts(
            waiting=statuses.get("waiting", 0),
            leased=statuses.get("leased", 0),
            asked_count=self._asked_count,
            hosts=hosts,
            states={state: states.get(state, 0) for state in get_args(CrawlState)},
        )

    def known_states(self, keys: Sequence[str]) -> dict[str, CrawlState | None]:
        """Return the states of the known URLs among `keys`: None for a URL that is not done in this round."""
        # One statement a key: a key may have a NUL, which SQLite's JSON functions do not compare.
        statement = "select case status when 'done' then state end from urls where key = ?"
        states: dict[str, CrawlState | None] = {}
        with self._lock:
            for key in keys:
                for (state,) in self._connection.execute(statement, (key,)):
                    states[key] = state
        return states

    def traps(self) -> Sequence[TrapCount]:
        """Return the traps with URLs that were refused, most refused first."""
        with self._lock:
            rows = self._connection.execute(
                "select name, trap_group, admitted, refused from traps where refused order by refused desc"
            ).fetchall()
        return [
            TrapCount(name=name, group=group, admitted=admitted, refused=refused)
            for name, group, admitted, refused in rows
        ]

    # ----------------------------------------------------------------------------------- of one crawl on disk

    def round_number(self) -> int:
        """Return the number of the round; the first one is 0."""
        return int(self.fact("round") or "0")

    def start_round(self, number: int) -> None:
        """Let all URLs wait again, with their validators and states; hosts are prepared anew."""
        with self._transaction() as connection:
            # The file of the last round has no lines of URLs that waited when it ended.
            connection.execute(
                """
                update urls set etag = null, last_modified = null, line_start = null, line_end = null
                where status <> 'done'
                """
            )
            connection.execute("update urls set status = 'waiting', attempts = 0, was_asked = 0")
            connection.execute("update hosts set prepared = 0, failures = 0")
            connection.execute("delete from facts where name = 'ended'")
            connection.execute("insert or replace into facts (name, fact) values ('round', ?)", (str(number),))
        self._asked_count = 0

    def claim_text(self, url: str, text_id: str, signature: bytes) -> str:
        """Return the URL of an earlier page with the same text, or nearly; `url` itself where it is the first."""
        with self._lock:
            original = self._signatures.duplicate_of(text_id, signature)
            if original is not None and original != url:
                return original
            self._signatures.add(url, text_id, signature)
            return url

    def release_text(self, url: str) -> None:
        """Forget the text of a URL, whose page is no more there to be the first."""
        with self._lock:
            self._signatures.remove(url)

    def _texts(self) -> list[tuple[str, str, bytes]]:
        """Return the URL, the snapshot id and the signature of each page that is no duplicate."""
        with self._lock:
            return self._connection.execute(
                """
                select url, snapshot_id, signature from urls
                where state in ('new', 'changed', 'unchanged') and snapshot_id is not null
                order by line_start
                """
            ).fetchall()

    def written_bytes(self) -> int:
        """Return where the last line of this round ends."""
        with self._lock:
            (end,) = self._connection.execute("select max(line_end) from urls where status = 'done'").fetchone()
        return end or 0

    def forget_lines_after(self, size: int) -> None:
        """Let URLs wait again whose lines end beyond `size`, as if they were new."""
        with self._transaction() as connection:
            connection.execute(
                """
                update urls set status = 'waiting', was_asked = 0, state = null, etag = null, last_modified = null,
                    snapshot_id = null, signature = null, line_start = null, line_end = null
                where status = 'done' and line_end > ?
                """,
                (size,),
            )
        self._asked_count = self._count_asked()

    def failed_lines(self) -> Sequence[UrlLine]:
        """Return the lines of this round for URLs that failed or were skipped."""
        with self._lock:
            rows = self._connection.execute(
                """
                select id, line_start, line_end from urls
                where status = 'done' and state in ('failed', 'skipped') and line_end is not null
                """
            ).fetchall()
        return [UrlLine(*row) for row in rows]

    def lines(self, url_ids: Sequence[int]) -> Sequence[UrlLine]:
        """Return the lines of this round for some URLs."""
        with self._lock:
            rows = self._connection.execute(
                """
                select id, line_start, line_end from urls
                where id in (select value from json_each(?)) and status = 'done' and line_end is not null
                """,
                (json.dumps(list(url_ids)),),
            ).fetchall()
        return [UrlLine(*row) for row in rows]

    def ask_again(self, url_ids: Sequence[int]) -> None:
        """Let URLs that are done wait again, without lines; their hosts are prepared anew if no page was read there."""
        with self._transaction() as connection:
            connection.executemany(
                """
                update urls set status = 'waiting', was_asked = 0, attempts = 0, state = null, line_start = null,
                    line_end = null where id = ? and status = 'done'
                """,
                [(url_id,) for url_id in url_ids],
            )
            connection.execute(
                """
                update hosts set prepared = 0
                where exists (select 1 from urls where urls.host = hosts.host and status = 'waiting')
                    and host not in (select host from urls where status = 'done' and snapshot_id is not null)
                """
            )
        self._asked_count = self._count_asked()

    def fact(self, name: str) -> str | None:
        """Return a fact about the crawl, or None."""
        with self._lock:
            row = self._connection.execute("select fact from facts where name = ?", (name,)).fetchone()
        return row and str(row[0])

    def facts(self, prefix: str) -> Mapping[str, str]:
        """Return the facts about the crawl whose names begin with `prefix`, by their names."""
        with self._lock:
            rows = self._connection.execute(
                "select name, fact from facts where substr(name, 1, ?) = ? order by name", (len(prefix), prefix)
            ).fetchall()
        return dict(rows)

    def drop_facts(self, names: Sequence[str]) -> None:
        """Forget facts about the crawl."""
        with self._transaction() as connection:
            connection.executemany("delete from facts where name = ?", [(name,) for name in names])

    def set_fact(self, name: str, fact: str) -> None:
        """Keep a fact about the crawl."""
        with self._transaction() as connection:
            connection.execute("insert or replace into facts (name, fact) values (?, ?)", (name, fact))

    def swap_fact(self, name: str, earlier: str | None, fact: str) -> bool:
        """Keep a fact if the stored one is still `earlier`, None for no fact; return whether it was."""
        statement = """
            insert into facts (name, fact) values (?, ?)
            on conflict (name) do update set fact = excluded.fact where facts.fact = ? returning name
        """
        with self._transaction() as connection:
            return bool(connection.execute(statement, (name, fact, earlier)).fetchall())

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock, db.transaction(self._connection):
            yield self._connection
