"""The frontier in PostgreSQL, which workers on many machines share.

A host is leased to one worker. A worker that is alive renews its leases; those of a dead worker end, and its hosts come
back. Until a lease is given back, the next start of its host is the host's delay after the end of the lease, so that no
request of a worker that died can be followed too early. All times are those of the server's clock.
"""

from __future__ import annotations

import json
from contextlib import closing
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, get_args

from wellread.crawl import postgres_schema
from wellread.crawl.frontier import (
    FrontierCounts,
    FrontierUrl,
    HostLease,
    LeasedUrl,
    LeaseLost,
    TrapCount,
    UrlLine,
)
from wellread.crawl.traps import key_digest
from wellread.errors import ConfigError
from wellread.net.postgres import PostgresConnection, parse_address
from wellread.rank.near_duplicate import MIN_EQUAL_BINS, signature_bands, similarity
from wellread.types import CrawlState

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.crawl.frontier import UrlOutcome
    from wellread.values import Address

SCHEMA: Final = "wellread_crawl"
"""The schema of the tables where the URL names none; one schema holds one crawl."""
_VERSION: Final = "schema version"
_ROUND: Final = "round"
_DEEP_BATCH: Final = 1_000
_PLANNER: Final = {"enable_seqscan": "off", "enable_hashjoin": "off", "enable_mergejoin": "off", "jit": "off"}
"""Each statement finds its rows by an index. Plans that were made for tables that were still empty would read whole
tables until the server analyses them: ten times its CPU for a URL (`benchmarks/crawling.py --stored-urls`)."""


class PostgresFrontier:
    """Implements `CrawlStore` for one worker of several."""

    def __init__(self, url: Address, *, worker: str, lease_s: float) -> None:
        """Connect, and make the tables where there are none.

        Raises:
            ConfigError: the URL is none, the driver is not installed, or another version of wellread made the tables.
            UnavailableError: nothing answers there, or the server refuses.
        """
        address = parse_address(url, "crawl.frontier", schema=SCHEMA)
        self.lease_s = lease_s
        self.worker = worker
        self._address = address
        self._connection = PostgresConnection(address, _PLANNER)
        if not self._run("select to_regclass(:name) is not null", name=f"{address.schema}.workers")[0][0]:
            self._connection.run_script(_script(address.schema))
        version = self.fact(_VERSION)
        if version != postgres_schema.VERSION:
            self.close()
            raise ConfigError(
                f"the frontier has version {version}, this wellread knows {postgres_schema.VERSION}",
                hint="use the wellread that began the crawl, or another schema: postgresql://...?schema=name",
            )
        self._round = self.fact(_ROUND) or "0"

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _run(self, statement: str, **parameters: object) -> list[list[Any]]:  # Any: of the columns
        return self._connection.run(statement, **parameters)

    def now(self) -> float:
        """Return the time of the server."""
        return float(self._run("select extract(epoch from clock_timestamp())::float8")[0][0])

    def add(self, urls: Sequence[FrontierUrl]) -> int:
        """Add the URLs whose keys are new, and return their number; a known one gets an in-link and the lower depth."""
        if not urls:
            return 0
        rows = [_url_fields(number, url) for number, url in enumerate(urls)]
        call = "select add_urls(:worker, (:urls)::text::jsonb)"
        return int(self._run(call, worker=self.worker, urls=json.dumps(rows))[0][0])

    def add_deep(self, urls: Sequence[FrontierUrl]) -> None:
        """Store URLs below the depth of the crawl, for a run with a larger depth."""
        nearest: dict[str, dict[str, object]] = {}
        for url in sorted(urls, key=lambda url: (-url.depth, url.key)):  # the lowest depth of a key comes last
            key = key_digest(url.key)
            nearest[key] = {"key": key, "depth": url.depth, "fields": url.to_json()}
        if nearest:
            self._run(
                """
                insert into deep_urls (key, depth, fields)
                select key, depth, fields
                    from jsonb_to_recordset((:urls)::text::jsonb) as t (key text, depth integer, fields text)
                    order by key
                on conflict (key) do update set depth = excluded.depth, fields = excluded.fields
                    where excluded.depth < deep_urls.depth
                returning key
                """,
                urls=json.dumps(list(nearest.values())),
            )

    def add_up_to_depth(self, max_depth: int) -> None:
        """Add the stored URLs whose depth is `max_depth` at most."""
        statement = "select fields from deep_urls where depth <= :depth order by depth, key limit :count"
        while rows := self._run(statement, depth=max_depth, count=_DEEP_BATCH):
            urls = [FrontierUrl.from_json(fields) for (fields,) in rows]
            self.add(urls)
            keys = [key_digest(url.key) for url in urls]
            self._run("delete from deep_urls where key = any((:keys)::text[]) returning key", keys=keys)

    def deep_count(self) -> int:
        """Return how many URLs lie below the depth of the crawl and were not added."""
        statement = """
            select count(*) from deep_urls
            where not exists (select from urls where urls.key = deep_urls.key)
        """
        return int(self._run(statement)[0][0])

    def lease(self, now: float, *, until: float, limit: int | None = None) -> HostLease | None:
        """Lease the host whose turn it is, with its first URL; None where no host may be asked now."""
        fields = self._run(
            "select lease_host(:worker, :round, :now, :until, :limit)",
            worker=self.worker,
            round=self._round,
            now=now,
            until=until,
            limit=limit,
        )[0][0]
        if fields is None:
            return None
        names = ("id", "url", "depth", "parent", "attempts", "state", "snapshot_id")
        url = LeasedUrl(**{name: fields[name] for name in names})
        if fields["worker"] == self.worker and fields["line_start"] is not None:
            # Only the worker that has the line can repeat its text: another one asks for the whole page.
            url = LeasedUrl(
                **{name: fields[name] for name in (*names, "etag", "last_modified")},
                line=(fields["line_start"], fields["line_end"]),
            )
        return HostLease(
            token=fields["token"],
            host=fields["host"],
            url=url,
            is_prepared=fields["prepared"],
            delay_s=fields["delay_s"],
            failures=fields["failures"],
        )

    def renew(self, leases: Sequence[HostLease], *, until: float) -> None:
        """Let the leases of hosts that are still being worked on end at `until`; those that were lost stay lost."""
        tokens = [lease.token for lease in leases]
        if tokens:
            self._run(
                """
                update hosts set leased_until = (:until)::float8, next_at = (:until)::float8 + delay_s
                where token = any((:tokens)::text[]) returning host
                """,
                until=until,
                tokens=tokens,
            )

    def end_leases(self) -> None:
        """Void the leases that this worker has left behind; their hosts rest as if the leases had come to their end."""
        self._run(
            """
            with ended as (
                update hosts set token = null, leased_until = 0, waiting = waiting + 1
                where token is not null and worker = :worker returning url_id
            )
            update urls set status = 'waiting' where status = 'leased' and id in (select url_id from ended)
            returning id
            """,
            worker=self.worker,
        )

    def forget_failures(self) -> None:
        """Forget that hosts have failed: they are asked again."""
        self._run("update hosts set failures = 0 where failures > 0 returning host")

    def prepare(self, lease: HostLease, *, delay_s: float, next_at: float) -> None:
        """Note that the host's robots.txt and site maps were read; should the lease end, it rests for its delay."""
        rows = self._run(
            """
            update hosts set prepared = true, delay_s = (:delay_s)::float8,
                next_at = greatest((:next_at)::float8, leased_until + (:delay_s)::float8)
            where host = :host and token = :token returning host
            """,
            delay_s=delay_s,
            next_at=next_at,
            host=lease.host,
            token=lease.token,
        )
        if not rows:
            raise LeaseLost(lease.host)

    def finish(self, lease: HostLease, outcome: UrlOutcome, *, next_at: float, failures: int = 0) -> None:
        """Note the outcome and give the host back; it may be leased again at `next_at`."""
        line_start, line_end = outcome.line or (None, None)
        fields = {
            "state": outcome.state,
            "was_asked": outcome.was_asked,
            "etag": outcome.etag,
            "last_modified": outcome.last_modified,
            "snapshot_id": outcome.snapshot_id,
            "line_start": line_start,
            "line_end": line_end,
        }
        rows = self._run(
            "select finish_lease(:worker, :token, :host, :url, :next_at, :failures, (:outcome)::text::jsonb)",
            worker=self.worker,
            token=lease.token,
            host=lease.host,
            url=lease.url.id,
            next_at=next_at,
            failures=failures,
            outcome=json.dumps(fields),
        )
        if not rows[0][0]:
            raise LeaseLost(lease.host)

    def next_start(self) -> float | None:
        """Return when the next host may be leased; None where no URL waits at a host that is free."""
        next_at = self._run("select min(next_at) from hosts where token is null and waiting > 0")[0][0]
        return None if next_at is None else float(next_at)

    def is_done(self) -> bool:
        """Return whether no URL waits and no host is leased, or another round has begun."""
        statement = """
            select current_round() <> :round or not (
                exists (select from hosts where token is not null)
                or exists (select from hosts where waiting > 0)
            )
        """
        return bool(self._run(statement, round=self._round)[0][0])

    def asked_count(self) -> int:
        """Return how many URLs all workers have done in this round by at least one request."""
        return int(self._run("select asked_count()")[0][0])

    def counts(self) -> FrontierCounts:
        """Return the number of URLs by status and state."""
        tallies = dict(map(tuple, self._run("select name, sum(tally)::bigint from tallies group by name")))
        ((hosts, leased),) = self._run("select count(*), count(token) from hosts")
        states: dict[CrawlState, int] = {state: tallies.get(state, 0) for state in get_args(CrawlState)}
        return FrontierCounts(
            waiting=tallies.get("added", 0) - sum(states.values()) - leased,
            leased=leased,
            asked_count=tallies.get("asked", 0),
            hosts=hosts,
            states=states,
        )

    def known_states(self, keys: Sequence[str]) -> dict[str, CrawlState | None]:
        """Return the states of the known URLs among `keys`: None for a URL that is not done in this round."""
        keys_by_digest = {key_digest(key): key for key in keys}
        rows = self._run(
            "select key, case status when 'done' then state end from urls where key = any((:keys)::text[])",
            keys=list(keys_by_digest),
        )
        return {keys_by_digest[digest]: state for digest, state in rows}

    def traps(self) -> Sequence[TrapCount]:
        """Return the traps with URLs that were refused, most refused first."""
        rows = self._run(
            "select name, trap_group, admitted, refused from traps where refused > 0 order by refused desc"
        )
        return [
            TrapCount(name=name, group=group, admitted=admitted, refused=refused)
            for name, group, admitted, refused in rows
        ]

    # ------------------------------------------------------------------------------------- lines, texts, facts

    def join(self, machine: str, folder: str) -> None:
        """Note where the file of this worker is."""
        self._run(
            """
            insert into workers (worker, machine, folder) values (:worker, :machine, :folder)
            on conflict (worker) do update set machine = excluded.machine, folder = excluded.folder
            returning worker
            """,
            worker=self.worker,
            machine=machine,
            folder=folder,
        )

    def has_joined(self) -> bool:
        """Return whether this worker has ever worked for the crawl."""
        return bool(self._run("select exists (select from workers where worker = :worker)", worker=self.worker)[0][0])

    def round_number(self) -> int:
        """Return the number of the round that this worker works for; the first one is 0."""
        return int(self._round)

    def start_round(self, number: int) -> None:
        """Let all URLs wait again, with their validators and states; hosts are prepared anew.

        A round that another worker has begun is joined. The statement may take longer than any other: over all rows.
        """
        connection = PostgresConnection(self._address, _PLANNER | {"statement_timeout": "0"}, timeout_s=None)
        with closing(connection):
            connection.run("select start_round(:worker, :round)::text", worker=self.worker, round=str(number))
        self._round = self.fact(_ROUND) or "0"

    def claim_text(self, url: str, text_id: str, signature: bytes) -> str:
        """Return the URL of an earlier page with the same text, or nearly; `url` itself where it is the first.

        Equal texts have one original. Nearly equal ones that two workers read in the same moment may both be kept.
        """
        bands = [_band_number(position, band) for position, band in signature_bands(signature)]
        candidates = self._run(
            """
            select url, signature from texts
            where bands && (:bands)::bigint[] and url <> :url and text_id <> :text_id
            """,
            bands=bands,
            url=url,
            text_id=text_id,
        )
        for original, other in candidates:
            if similarity(signature, other) >= MIN_EQUAL_BINS:
                return str(original)
        claim = "select claim_text(:url, :text_id, (:signature)::bytea, (:bands)::bigint[])"
        owner = None
        while owner is None:  # until no other worker has released the text between two statements of the function
            owner = self._run(claim, url=url, text_id=text_id, signature=signature, bands=bands)[0][0]
        return str(owner)

    def release_text(self, url: str) -> None:
        """Forget the text of a URL, whose page is no more there to be the first."""
        self._run("delete from texts where url = :url returning url", url=url)

    def written_bytes(self) -> int:
        """Return where the last line of this worker in this round ends."""
        statement = "select max(line_end) from urls where worker = :worker and status = 'done'"
        return self._run(statement, worker=self.worker)[0][0] or 0

    def forget_lines_after(self, size: int) -> None:
        """Let URLs wait again whose lines in the file of this worker end beyond `size`, as if they were new."""
        self._run("select forget_lines_after(:worker, :size)::text", worker=self.worker, size=size)

    def failed_lines(self) -> Sequence[UrlLine]:
        """Return the lines of this worker in this round for URLs that failed or were skipped."""
        rows = self._run(
            """
            select id, line_start, line_end from urls
            where worker = :worker and status = 'done' and state in ('failed', 'skipped') and line_end is not null
            """,
            worker=self.worker,
        )
        return [UrlLine(*row) for row in rows]

    def lines(self, url_ids: Sequence[int]) -> Sequence[UrlLine]:
        """Return the lines of this worker in this round for some URLs."""
        rows = self._run(
            """
            select id, line_start, line_end from urls
            where id = any((:ids)::bigint[]) and worker = :worker and status = 'done' and line_end is not null
            """,
            ids=list(url_ids),
            worker=self.worker,
        )
        return [UrlLine(*row) for row in rows]

    def ask_again(self, url_ids: Sequence[int]) -> None:
        """Let URLs of this worker that are done wait again; their hosts are prepared anew if no page was read there."""
        if not url_ids:
            return
        self._run(
            """
            with locked as materialized (
                select host from hosts where host in (select host from urls where id = any((:ids)::bigint[]))
                order by host for update
            ), failed as materialized (
                select id, host, state, was_asked from urls
                where host in (select host from locked) and id = any((:ids)::bigint[])
                    and worker = :worker and status = 'done' for update
            ), again as (
                update urls set status = 'waiting', was_asked = false, attempts = 0, state = null, line_start = null,
                    line_end = null where id in (select id from failed) returning id
            ), freed as (
                update hosts set waiting = waiting + failures_of_host.tally,
                    prepared = prepared and hosts.host in (
                        select host from urls where status = 'done' and snapshot_id is not null
                    )
                from (select host, count(*)::integer as tally from failed group by host) as failures_of_host
                where hosts.host = failures_of_host.host returning hosts.host
            ), fewer as (
                select state as name, count(*) as tally from failed group by state
                union all select 'asked', count(*) from failed where was_asked having count(*) > 0
            )
            select add_tally(:worker, name, -tally)::text from fewer
            """,
            ids=list(url_ids),
            worker=self.worker,
        )

    def fact(self, name: str) -> str | None:
        """Return a fact about the crawl, or None."""
        rows = self._run("select fact from facts where name = :name", name=name)
        return rows[0][0] if rows else None

    def facts(self, prefix: str) -> Mapping[str, str]:
        """Return the facts about the crawl whose names begin with `prefix`, by their names."""
        rows = self._run("select name, fact from facts where starts_with(name, :prefix) order by name", prefix=prefix)
        return dict(map(tuple, rows))

    def drop_facts(self, names: Sequence[str]) -> None:
        """Forget facts about the crawl."""
        if names:
            self._run("delete from facts where name = any((:names)::text[]) returning name", names=list(names))

    def set_fact(self, name: str, fact: str) -> None:
        """Keep a fact about the crawl, unless it is about a round that is over."""
        self._run(
            """
            insert into facts (name, fact) select :name, :fact where current_round() = :round
            on conflict (name) do update set fact = excluded.fact returning name
            """,
            name=name,
            fact=fact,
            round=self._round,
        )

    def swap_fact(self, name: str, earlier: str | None, fact: str) -> bool:
        """Keep a fact if the stored one is still `earlier`, None for no fact; return whether it was."""
        statement = """
            insert into facts (name, fact) values (:name, :fact)
            on conflict (name) do update set fact = excluded.fact where facts.fact = :earlier returning name
        """
        return bool(self._run(statement, name=name, fact=fact, earlier=earlier))


def _script(schema: str) -> str:
    """Return the statements that make the tables; the second of two workers waits for the first."""
    return f"""
        select pg_advisory_xact_lock(hashtextextended('{schema}', 0));
        create schema if not exists {schema};
        {postgres_schema.TABLES}
        {postgres_schema.FUNCTIONS}
        insert into facts values ('{_VERSION}', '{postgres_schema.VERSION}') on conflict do nothing;
    """  # noqa: S608 - the schema is a lower-case identifier, the others are constants


def _url_fields(number: int, url: FrontierUrl) -> dict[str, object]:
    fields: dict[str, object] = {
        "number": number,
        "key": key_digest(url.key),
        "url": url.url,
        "host": url.host,
        "depth": url.depth,
        "priority": url.priority,
        "parent": url.parent,
    }
    if url.trap is not None:
        fields |= {"trap_name": url.trap.name, "trap_group": url.trap.group, "trap_bound": url.trap.bound}
    return fields


def _band_number(position: int, band: bytes) -> int:
    """Return a number of 64 bits for a band at its position."""
    return int.from_bytes(blake2b(band, digest_size=8, salt=position.to_bytes(4)).digest(), signed=True)
