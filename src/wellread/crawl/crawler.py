"""Crawls sites into a folder: lease a host, ask for a page, read it, note its links, give the host back.

Each worker goes through these steps in `_work`. What is asked for, and how fast, is decided in `scope`, `traps` and
`pacing`; what has been done is on disk before the next page is asked for.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
import traceback
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio
from ada_url import URL
from anyio import to_thread

from wellread.crawl import pacing
from wellread.crawl.crawl_folder import NOT_MODIFIED, CrawlFolder, CrawlTotals, GainedScope
from wellread.crawl.frontier import FrontierUrl, LeaseLost, UrlOutcome
from wellread.crawl.linked_document import LinkedDocument, linked_document
from wellread.crawl.scope import CrawlScope, host_of, origin_of, site_host
from wellread.crawl.site_files import SitemapWalk, site_maps
from wellread.crawl.traps import MAX_CRAWLED_URL_CHARS, spelling_key, trap_group
from wellread.crawl.url_targets import READ_STATES, is_lost
from wellread.errors import (
    Gone,
    InvalidUrl,
    Robots,
    UnavailableError,
    Unreachable,
    WellreadError,
    first_error,
)
from wellread.net import guard, https_first, redirects, refresh, schemeless_urls
from wellread.net.robots import ALLOW_ALL
from wellread.rank.near_duplicate import text_signature
from wellread.reading.snapshot_building import refuse_failures
from wellread.types import CrawlRecord, PageLink, Request, header

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from anyio.streams.memory import MemoryObjectSendStream

    from wellread.crawl.crawl_options import CrawlOptions
    from wellread.crawl.frontier import FrontierCounts, HostLease, TrapCount
    from wellread.crawl.page_reader import FetchedPageReader
    from wellread.net.client import Client
    from wellread.net.sitemaps import SitemapPage
    from wellread.ports import Clock
    from wellread.types import CrawlState, Page, Response

MAX_LINKS: Final = 5_000
"""Links that are taken from one page."""
MAX_HOSTS: Final = 1_000
"""Whose links one worker takes in one run; each worker of a shared crawl, and each run, counts its own."""
MAX_SITEMAP_URLS: Final = 1_000_000
_POLL_S: Final = 0.5
"""The longest wait for a host's turn before the frontier is looked at again.

Workers that share a frontier do not notify each other: most waits end at a time that is known before. Every page of
every worker would wake all others, for several statements each, and transactions that notify commit one by one."""
_RENEWALS: Final = 3
"""Of a lease, while it lasts."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class CrawlProgress:
    """How far a crawl is."""

    counts: FrontierCounts
    traps: Sequence[TrapCount]
    out_of_scope: int
    """Links that lead outside the scope."""
    too_deep: int
    """URLs that are in scope, but more links away from the start than `depth`."""
    links_left_out: int
    """Links of pages beyond `MAX_LINKS` of a page; URLs of site maps beyond the limits of a map and of a host."""
    unread_maps: int
    """Site maps that were not read because of a limit."""
    bytes_read: int
    started_at: float
    """The start of this run."""
    stopped_by: str = ""
    """The bound that ended the crawl: limit, bytes or time; empty where nothing was left to ask."""


@dataclass(slots=True)
class _FetchedUrl:
    """The outcome of one request."""

    record: CrawlRecord
    outcome: UrlOutcome
    links: list[FrontierUrl] = field(default_factory=list)


class Crawler:
    """One run of a crawl: from the state in its folder to the end, a bound, or the caller's."""

    def __init__(
        self, folder: CrawlFolder, client: Client, reader: FetchedPageReader, clock: Clock, options: CrawlOptions
    ) -> None:
        """Take the parts; nothing is asked yet."""
        self._folder = folder
        self._frontier = folder.frontier
        self._targets = folder.targets
        self._client = client
        self._reader = reader
        self._clock = clock
        self._options = options
        self._scope = CrawlScope(frozenset())
        self._unwidened = GainedScope(frozenset(), frozenset())
        """What the start URLs alone give."""
        self._hosts: set[str] = set()
        self._leases: dict[str, HostLease] = {}
        """Those that are being worked on, by their tokens."""
        self._changed = anyio.Event()
        self._leasing = anyio.Lock()
        self._started_at = clock.now().timestamp()
        self._totals = CrawlTotals()
        self._has_totals = False
        """Whether those of the earlier runs are loaded; before, there is nothing to store."""
        self._counting = threading.Lock()
        self._stopped_by = ""

    def store_totals(self) -> None:
        """Store what counts for the bounds of the crawl, for the run that goes on; blocks."""
        if self._has_totals:
            self._folder.store_totals(self._totals_now())

    def progress(self) -> CrawlProgress:
        """Return how far the crawl is; blocks while it counts."""
        totals = self._totals
        return CrawlProgress(
            counts=self._frontier.counts(),
            traps=self._frontier.traps(),
            out_of_scope=totals.out_of_scope,
            too_deep=self._frontier.deep_count(),
            links_left_out=totals.links_left_out,
            unread_maps=totals.unread_maps,
            bytes_read=totals.bytes_read,
            started_at=self._started_at,
            stopped_by=self._stopped_by,
        )

    async def run(self, urls: tuple[str, ...], sending: MemoryObjectSendStream[CrawlRecord]) -> None:
        """Crawl from `urls`, and send each record when it is on disk.

        Raises:
            InvalidInput: the folder holds another crawl.
            InvalidUrl: a start URL is none.
            UnavailableError: the frontier does not answer.
        """
        starts = tuple(dict.fromkeys([await self._start_url(guard.trim_url(url)) for url in urls]))
        await to_thread.run_sync(self._begin, starts)
        await self._work_together(sending)

    async def join(self, sending: MemoryObjectSendStream[CrawlRecord]) -> None:
        """Work for the crawl that another worker has begun, and send each record when it is on disk.

        Raises:
            UnavailableError: the frontier does not answer.
        """
        starts = await to_thread.run_sync(self._folder.starts)
        await to_thread.run_sync(self._enter_scope, starts)
        await to_thread.run_sync(self._load_totals)
        render, user_asked = self._options.render, self._options.user_asked
        await to_thread.run_sync(partial(self._folder.ask_failures_again, render=render, user_asked=user_asked))
        await self._work_together(sending)

    async def _work_together(self, sending: MemoryObjectSendStream[CrawlRecord]) -> None:
        """Work with as many tasks as hosts are asked at a time, and note the end of the round."""
        try:
            async with anyio.create_task_group() as renewing:
                renewing.start_soon(self._renew_leases)
                async with anyio.create_task_group() as tasks:
                    for _ in range(self._options.concurrency):
                        tasks.start_soon(self._work, sending)
                renewing.cancel_scope.cancel()
        except ExceptionGroup as group:  # such as a frontier that does not answer
            raise first_error(group) from group
        if self._stopped_by in {"", "limit"}:
            await to_thread.run_sync(self._folder.end_round)

    async def _start_url(self, url: str) -> str:
        """Return a start URL with its scheme: that of an earlier run, else https, or http where https gives no answer.

        A host that does not answer at all keeps https, and its URL fails like any other.
        """
        candidates = schemeless_urls.candidate_urls(url)
        if len(candidates) == 1:
            return url
        for earlier in await to_thread.run_sync(self._folder.starts):
            if earlier in candidates:
                return earlier
        asked_url = candidates[0]
        try:
            for attempt in https_first.attempts(url):
                with attempt:
                    asked_url = attempt.url
                    request = Request(url=asked_url, user_asked=self._options.user_asked, follow=False, attempts=1)
                    await self._client.fetch(request)
                    return asked_url
        except UnavailableError:
            return candidates[0]
        except WellreadError:  # an answer of some kind, such as robots.txt
            return asked_url
        raise AssertionError("the last attempt returns or raises")

    def _begin(self, starts: tuple[str, ...]) -> None:
        self._folder.check_starts(starts)
        self._enter_scope(starts)
        options = self._options
        self._folder.begin_round(
            again=options.recrawl is not None, render=options.render, user_asked=options.user_asked
        )
        self._frontier.add([self._frontier_url(url, depth=0, parent=None) for url in starts])
        self._frontier.add_up_to_depth(options.depth)
        self._folder.store_options(self._options)
        self._load_totals()

    def _load_totals(self) -> None:
        """Go on from the totals of the earlier runs of this round."""
        self._totals = self._folder.totals()
        self._has_totals = True
        self._started_at = self._clock.now().timestamp()

    def _totals_now(self) -> CrawlTotals:
        """Return the totals with the time of this run."""
        run_s = self._clock.now().timestamp() - self._started_at
        return replace(self._totals, running_s=self._totals.running_s + run_s)

    def _enter_scope(self, starts: tuple[str, ...]) -> None:
        """Take the scope of the options, with all that redirects of start URLs have added to it."""
        options = self._options
        hosts = frozenset(map(site_host, starts))
        self._unwidened = GainedScope(hosts, frozenset(map(spelling_key, starts)))
        self._scope = CrawlScope(
            hosts,
            subdomains=options.subdomains,
            include=options.include,
            exclude=options.exclude,
            max_depth=options.depth,
        )
        self._take_over(self._folder.gained_scope())

    async def _reload_scope(self) -> None:
        """Take over what redirects of start URLs have added to the scope, in this process or another."""
        self._take_over(await to_thread.run_sync(self._folder.gained_scope))

    def _take_over(self, gained: GainedScope | None) -> None:
        if gained is not None:
            self._scope = replace(self._scope, hosts=self._scope.hosts | gained.hosts)

    async def _work(self, sending: MemoryObjectSendStream[CrawlRecord]) -> None:
        """Work for one host after the other until nothing is left to ask, or a bound is reached."""
        while (lease := await self._next_lease()) is not None:
            try:
                record = await self._crawl(lease)
            except LeaseLost:  # another worker has the host, and its record counts
                record = None
            finally:
                del self._leases[lease.token]
                changed, self._changed = self._changed, anyio.Event()
                changed.set()
            if record is not None:
                await sending.send(record)

    async def _next_lease(self) -> HostLease | None:
        """Return the next lease as soon as a host may be asked; None at the end of the crawl.

        One task asks the frontier at a time, and the others wait for it.
        """
        async with self._leasing:
            while True:
                changed = self._changed
                if await to_thread.run_sync(self._is_bound_reached):
                    is_whole = self._stopped_by == "limit" and await to_thread.run_sync(self._frontier.is_done)
                    if is_whole and await to_thread.run_sync(self._ask_lost_again):
                        continue
                    return None
                now = await self._now()
                until = now + self._frontier.lease_s
                take = partial(self._frontier.lease, now, until=until, limit=self._options.limit)
                lease = await to_thread.run_sync(take)
                if lease is not None:
                    self._leases[lease.token] = lease
                    return lease
                if await to_thread.run_sync(self._frontier.is_done):
                    if await to_thread.run_sync(self._ask_lost_again):
                        continue
                    return None
                next_start = await to_thread.run_sync(self._frontier.next_start)
                wait_s = _POLL_S
                if next_start is not None and next_start > now:  # else another worker, or the limit, is in its way
                    wait_s = min(next_start - now, _POLL_S)
                with anyio.move_on_after(wait_s):
                    await changed.wait()

    def _ask_lost_again(self) -> bool:
        """Let duplicates wait again whose other URL has turned out to have no text; return whether there are any.

        They are known when nothing waits, not before.
        """
        lost = self._targets.lost()
        asked_ids = set(self._folder.ask_again([target.url_id for target in lost]))
        for target in lost:
            if target.url_id in asked_ids:
                self._targets.store(replace(target, is_second=True))
        return bool(asked_ids)

    def _is_bound_reached(self) -> bool:
        """Return whether the crawl ends here, and note by which bound."""
        options = self._options
        self._stopped_by = ""
        if self._frontier.asked_count() >= options.limit:
            self._stopped_by = "limit"
        if options.max_bytes is not None and self._totals.bytes_read >= options.max_bytes:
            self._stopped_by = "bytes"
        if options.max_time_s is not None and self._totals_now().running_s >= options.max_time_s:
            self._stopped_by = "time"
        return bool(self._stopped_by)

    async def _renew_leases(self) -> None:
        """Renew the leases that are being worked on, so that they end only with this process."""
        lease_s = self._frontier.lease_s
        while True:
            await anyio.sleep(lease_s / _RENEWALS)
            until = await self._now() + lease_s
            renew = partial(self._frontier.renew, tuple(self._leases.values()), until=until)
            await to_thread.run_sync(renew)
            await self._reload_scope()

    # ------------------------------------------------------------------------------------------- a host

    async def _prepare(self, lease: HostLease) -> HostLease:
        """Read robots.txt and the site maps of a host.

        Raises:
            UnavailableError: robots.txt, without which no page may be asked for, cannot be had.
        """
        url = lease.url.url
        origin = origin_of(url)
        try:
            rules = await self._client.robots_rules(origin)
        except UnavailableError as error:
            if self._client.obeys_robots(Request(url=url, user_asked=self._options.user_asked)):
                error.url = url  # the URL that the crawl asks for
                raise
            rules = ALLOW_ALL
        except WellreadError:  # the page itself will say why
            rules = ALLOW_ALL
        if self._options.sitemap != "skip" and self._scope.has_host(lease.url.url):
            await self._add_site_maps(site_maps(rules, origin))
        next_at = pacing.next_start(await self._now(), rules.delay_s)
        prepare = partial(self._frontier.prepare, lease, delay_s=rules.delay_s, next_at=next_at)
        await to_thread.run_sync(prepare)
        return replace(lease, is_prepared=True, delay_s=rules.delay_s)

    async def _add_site_maps(self, maps: tuple[str, ...]) -> None:
        options, totals = self._options, self._totals
        walk = SitemapWalk(self._client, self._clock, maps, user_asked=options.user_asked, max_pages=MAX_SITEMAP_URLS)
        if options.max_bytes is not None:
            walk.max_bytes = options.max_bytes - totals.bytes_read
        time_left_s = None
        if options.max_time_s is not None:
            time_left_s = options.max_time_s - self._totals_now().running_s
        with anyio.move_on_after(time_left_s):
            async for pages in walk.batches():
                await to_thread.run_sync(self._add_pages, pages, maps[0])
        totals.bytes_read += walk.bytes_read
        totals.links_left_out += walk.left_out
        totals.unread_maps += walk.unread

    def _add_pages(self, pages: Sequence[SitemapPage], parent: str) -> None:
        urls: list[FrontierUrl] = []
        for page in pages:
            urls += self._in_scope([PageLink(page.url)], depth=1, parent=parent, priority=page.priority)
        self._frontier.add(urls)

    # ------------------------------------------------------------------------------------------- a page

    async def _crawl(self, lease: HostLease) -> CrawlRecord | None:
        """Ask for the URL of a lease and finish it; None where it is asked again later."""
        if not self._scope.has_host(lease.url.url):  # another worker has widened the scope
            await self._reload_scope()
        if lease.failures >= pacing.MAX_HOST_FAILURES:
            error = Unreachable(f"{lease.host} failed {lease.failures} times in a row", url=lease.url.url)
            fetched = self._failed(lease, error, was_asked=False)
            return await self._finish(lease, fetched, next_at=0.0, failures=lease.failures)
        try:
            if not lease.is_prepared:
                lease = await self._prepare(lease)
            fetched = await self._fetch(lease)
        except WellreadError as error:
            return await self._fail(lease, error)
        except (LeaseLost, OSError, sqlite3.Error):  # of the frontier and the folder, which every other URL needs, too
            raise
        except Exception as error:  # noqa: BLE001 - a URL that meets a bug must not end the crawl, now or when it goes on
            return await self._fail(lease, _unexpected(lease, error))
        return await self._finish(lease, fetched, next_at=pacing.next_start(await self._now(), lease.delay_s))

    async def _fail(self, lease: HostLease, error: WellreadError) -> CrawlRecord | None:
        """Finish a URL that failed, or let it wait where another try may help."""
        now, delay_s = await self._now(), lease.delay_s
        if isinstance(error, Robots):  # the host was not asked
            return await self._finish(lease, self._failed(lease, error), next_at=now)
        if not error.retryable:
            next_at = pacing.next_start(now, delay_s)
            return await self._finish(lease, self._failed(lease, error), next_at=next_at)
        failures = lease.failures + 1
        retry_after_s = error.retry_after_s if isinstance(error, UnavailableError) else None
        next_at = pacing.retry_at(now, failures=failures, delay_s=delay_s, retry_after_s=retry_after_s)
        if lease.url.attempts + 1 >= pacing.MAX_ATTEMPTS:
            return await self._finish(lease, self._failed(lease, error), next_at=next_at, failures=failures)
        again = UrlOutcome(state=None)
        await to_thread.run_sync(partial(self._frontier.finish, lease, again, next_at=next_at, failures=failures))
        return None

    async def _finish(
        self, lease: HostLease, fetched: _FetchedUrl, *, next_at: float, failures: int = 0
    ) -> CrawlRecord:
        """Add the links of a page, write its line and give the host back."""
        if fetched.links:
            await to_thread.run_sync(self._frontier.add, fetched.links)
        finish = partial(
            self._folder.finish, lease, fetched.record, fetched.outcome, next_at=next_at, failures=failures
        )
        record = await to_thread.run_sync(finish)
        await to_thread.run_sync(self.store_totals)
        return record

    async def _fetch(self, lease: HostLease) -> _FetchedUrl:
        """Ask for a page and read it.

        Raises:
            WellreadError: there is no page.
        """
        url, options = lease.url, self._options
        request = Request(
            url=url.url, headers=_validators(lease), user_asked=options.user_asked, follow=False, attempts=1
        )
        response = await self._client.fetch(request)
        if response.status == 304:
            if await to_thread.run_sync(self._folder.has_earlier_line, url):
                return self._not_modified(lease, response)
            response = await self._client.fetch(replace(request, headers=()))  # the text must be read again
        place = redirects.location(response.status, response.headers) or refresh.place(response)
        target = _redirect_target(place, response.url)
        if target is not None and await to_thread.run_sync(self._leads_back, lease, target):
            # A page that leads to itself, by http and https or with cookies, is there at the end of its redirects.
            response, target = await self._client.fetch(replace(request, follow=True)), None
        self._totals.bytes_read += len(response.body)
        if target is not None:
            return await self._redirected(lease, target)
        refuse_failures(response, now=self._clock.now())
        document = await to_thread.run_sync(lambda: linked_document(response, max_links=MAX_LINKS))
        self._totals.links_left_out += document.left_out
        duplicate = await to_thread.run_sync(self._other_page, lease, document)
        if duplicate is not None:
            return duplicate
        page = await self._reader.read(
            url.url,
            response,
            render=options.render,
            scroll=options.scroll,
            format=options.format,
            index=options.index,
        )
        links = await to_thread.run_sync(self._links, lease, document, page)
        if document.noindex and not options.user_asked:
            record = _record(lease, "skipped", reason="noindex")
            return _FetchedUrl(record, self._outcome(response, "skipped"), links)
        state = self._page_state(lease, page)
        signature = await to_thread.run_sync(text_signature, page.text)
        outcome = replace(self._outcome(response, state), snapshot_id=page.snapshot_id, signature=signature)
        return _FetchedUrl(_record(lease, state, page=page), outcome, links)

    def _page_state(self, lease: HostLease, page: Page) -> CrawlState:
        if lease.url.snapshot_id is None:
            return "new"
        return "unchanged" if lease.url.snapshot_id == page.snapshot_id else "changed"

    def _other_page(self, lease: HostLease, document: LinkedDocument) -> _FetchedUrl | None:
        """Return the outcome of a page that names another page of the crawl as its canonical one.

        None where the page must be read itself, because the other one cannot be read or leads back to it.
        """
        canonical = document.canonical_url
        if canonical is None or spelling_key(canonical) == spelling_key(lease.url.url):
            return None
        target = self._in_scope([PageLink(canonical)], depth=lease.url.depth, parent=lease.url.url)
        if not target:
            return None
        self._frontier.add(target)
        leads_to = self._targets.target(lease.url, canonical, "canonical")
        if leads_to.is_second or is_lost(leads_to, self._targets.end(leads_to)):
            return None
        self._targets.store(leads_to)
        links = self._in_scope(self._followed(document), depth=lease.url.depth + 1, parent=lease.url.url)
        record = _record(lease, "duplicate", duplicate_of=canonical, reason="canonical")
        return _FetchedUrl(record, UrlOutcome(state="duplicate", snapshot_id=lease.url.snapshot_id), links)

    def _leads_back(self, lease: HostLease, target: str) -> bool:
        """Return whether a redirect leads back to its own URL, at once or by redirects that were met before."""
        leads_to = self._targets.target(lease.url, target, "redirect")
        return is_lost(leads_to, self._targets.end(leads_to))

    async def _redirected(self, lease: HostLease, target: str) -> _FetchedUrl:
        """Return the outcome of a URL that leads to another one, which waits for its own turn."""
        self._take_over(await to_thread.run_sync(self._widen_scope, lease.url.url, target))
        find_links = partial(self._in_scope, [PageLink(target)], depth=lease.url.depth, parent=lease.url.url)
        links = await to_thread.run_sync(find_links)
        if not links:
            record = _record(lease, "skipped", duplicate_of=target, reason="redirect out of scope")
            return _FetchedUrl(record, UrlOutcome(state="skipped"))
        leads_to = await to_thread.run_sync(self._targets.target, lease.url, target, "redirect")
        await to_thread.run_sync(self._targets.store, leads_to)
        record = _record(lease, "duplicate", duplicate_of=target, reason="redirect")
        return _FetchedUrl(record, UrlOutcome(state="duplicate", snapshot_id=lease.url.snapshot_id), links)

    def _widen_scope(self, url: str, target: str) -> GainedScope | None:
        """Add the first other site that a start URL redirects to, and return all that was added; blocks.

        The crawl was sent there by its caller. The site is on disk before the outcome of the URL is, so that a later
        run does not lose it.
        """
        while True:
            earlier = self._folder.gained_scope()
            gained = self._with_target(earlier or self._unwidened, url, target)
            if gained is None:
                return earlier
            if self._folder.swap_gained_scope(earlier, gained):
                return gained

    def _with_target(self, gained: GainedScope, url: str, target: str) -> GainedScope | None:
        """Return the scope after the redirect of a URL; None where the redirect may add nothing."""
        if spelling_key(url) not in gained.widening_keys:
            return None
        hosts, widening_keys = gained.hosts, gained.widening_keys - {spelling_key(url)}
        scope = replace(self._scope, hosts=hosts)
        if scope.has_host(target):
            widening_keys |= {spelling_key(target)}
        elif scope.may_gain(target):
            hosts |= {site_host(target)}
        return GainedScope(hosts, widening_keys)

    def _not_modified(self, lease: HostLease, response: Response) -> _FetchedUrl:
        earlier = lease.url.state or "unchanged"
        state = "unchanged" if earlier in READ_STATES else earlier
        outcome = replace(self._outcome(response, state), snapshot_id=lease.url.snapshot_id)
        outcome = replace(
            outcome,
            etag=outcome.etag or lease.url.etag,
            last_modified=outcome.last_modified or lease.url.last_modified,
        )
        return _FetchedUrl(_record(lease, state, reason=NOT_MODIFIED), outcome)

    @staticmethod
    def _outcome(response: Response, state: CrawlState) -> UrlOutcome:
        return UrlOutcome(
            state=state,
            etag=header(response.headers, "etag"),
            last_modified=header(response.headers, "last-modified"),
        )

    def _failed(self, lease: HostLease, error: WellreadError, *, was_asked: bool = True) -> _FetchedUrl:
        state: CrawlState = "failed"
        if isinstance(error, Robots):
            state, was_asked = "skipped", False
        elif isinstance(error, Gone) and lease.url.snapshot_id is not None:
            state = "gone"
        record = _record(lease, state, error=error)
        return _FetchedUrl(record, UrlOutcome(state=state, was_asked=was_asked, snapshot_id=lease.url.snapshot_id))

    # ------------------------------------------------------------------------------------------- links

    def _links(self, lease: HostLease, document: LinkedDocument, page: Page) -> list[FrontierUrl]:
        """Return the links of a page to follow; links of its content, too, if the page was not parsed here."""
        links = self._followed(document)
        may_follow = self._options.user_asked or not document.nofollow
        if may_follow and (not document.is_parsed or page.rendered):
            links += [PageLink(link) for link in page.links[:MAX_LINKS]]
        return self._in_scope(links, depth=lease.url.depth + 1, parent=lease.url.url)

    def _followed(self, document: LinkedDocument) -> list[PageLink]:
        if self._options.sitemap == "only":
            return []
        if self._options.user_asked:
            return list(document.links)
        if document.nofollow:
            return []
        return [link for link in document.links if "nofollow" not in link.rel]

    def _in_scope(
        self, links: Iterable[PageLink], *, depth: int, parent: str, priority: float = 0.5
    ) -> list[FrontierUrl]:
        """Return the links that belong to the crawl, store those below its depth, and count the others.

        Thousands of links take a second, so that this runs in a thread.
        """
        urls: list[FrontierUrl] = []
        out_of_scope = 0
        for link in links:
            is_inside = self._scope.has_host(link.url) and self._scope.has_path(link.url)
            if is_inside and self._has_room(host_of(link.url)):
                urls.append(self._frontier_url(link.url, depth=depth, parent=parent, priority=priority))
            else:
                out_of_scope += 1
        with self._counting:
            self._totals.out_of_scope += out_of_scope
        if depth > self._scope.max_depth:
            self._frontier.add_deep(urls)
            return []
        return urls

    def _has_room(self, host: str) -> bool:
        """Return whether a host is one of the first that this run of this worker has met."""
        with self._counting:
            if len(self._hosts) < MAX_HOSTS:
                self._hosts.add(host)
            return host in self._hosts

    @staticmethod
    def _frontier_url(url: str, *, depth: int, parent: str | None, priority: float = 0.5) -> FrontierUrl:
        # A start URL redirects to it, or names it.
        is_long_target = parent is not None and len(url) > MAX_CRAWLED_URL_CHARS
        trap = None
        if depth or is_long_target:
            trap = trap_group(url)
        return FrontierUrl(
            url=url,
            key=spelling_key(url),
            host=host_of(url),
            depth=depth,
            priority=priority,
            parent=parent,
            trap=trap,
        )

    async def _now(self) -> float:
        return await to_thread.run_sync(self._frontier.now)


def _record(
    lease: HostLease,
    state: CrawlState,
    *,
    page: Page | None = None,
    error: WellreadError | None = None,
    duplicate_of: str | None = None,
    reason: str = "",
) -> CrawlRecord:
    url = lease.url
    return CrawlRecord(
        url=url.url, state=state, depth=url.depth, parent=url.parent,
        page=page, error=error, duplicate_of=duplicate_of, reason=reason,
    )  # fmt: skip


def _unexpected(lease: HostLease, error: Exception) -> WellreadError:
    """Return the failure of a URL by a bug, and log the frames of the bug; its message may quote a URL or a page."""
    frames = "".join(traceback.format_tb(error.__traceback__))
    name = type(error).__name__
    _log.error("a URL of %s failed because of a bug: %s\n%s", lease.host, name, frames)
    message = f"{lease.url.url} failed because of a bug: {name}"
    return WellreadError(message, url=lease.url.url, hint="report it, with the traceback in the log")


def _validators(lease: HostLease) -> tuple[tuple[str, str], ...]:
    """Return the headers that ask for a page only if it has changed (RFC 9110 section 13.1)."""
    if lease.url.state == "duplicate":  # nothing tells whether the other URL has the text still
        return ()
    fields = (("If-None-Match", lease.url.etag), ("If-Modified-Since", lease.url.last_modified))
    return tuple((name, text) for name, text in fields if text)


def _redirect_target(place: str | None, base: str) -> str | None:
    """Return the URL that `base` redirects to, without its fragment; None without a redirect.

    Raises:
        InvalidUrl: the place is no http or https URL with a host, or it is too long.
    """
    if place is None:
        return None
    if len(place) > guard.MAX_URL_CHARS:
        message = f"the page redirects to a URL of {len(place):,} characters, and {guard.MAX_URL_CHARS:,} is the limit"
        raise InvalidUrl(message, url=base, hint="")
    try:
        url = URL(place, base)
    except (ValueError, UnicodeEncodeError) as error:
        raise InvalidUrl("the page redirects to a place that is no URL", url=base) from error
    url.hash = ""
    if not host_of(url.href):
        raise InvalidUrl("the page redirects to a place that is no http or https URL", url=base)
    return url.href
