"""Handlers of the operations: the library's own call, within the limits of an interface."""

from __future__ import annotations

from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, TypeVar

import anyio

from wellread.apps.operations.results import (
    CrawledUrl,
    CrawledUrls,
    Indexed,
    IndexedUrls,
    PageResult,
    PageResults,
    ReadFailure,
    WatchChange,
    WatchCheck,
    Watched,
    WatchedPage,
)
from wellread.apps.operations.step_events import reported_result
from wellread.apps.profile_grants import Caller, ProfileGrants
from wellread.apps.serialize import as_json, crawl_reason, with_notices
from wellread.crawl.opened_watcher import opened_watcher
from wellread.errors import InvalidInput, WellreadError
from wellread.types import Answer, DeclaredItem, FactTable, Gathered, Notice

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wellread.apps.build import Web
    from wellread.apps.operations import arguments
    from wellread.apps.operations.browser_sessions import Sessions
    from wellread.apps.operations.results import Saved
    from wellread.apps.operations.step_events import Event
    from wellread.apps.operations.workspace import DownloadWorkspace
    from wellread.apps.profile_grants import Interface
    from wellread.crawl.crawl_options import CrawlArguments
    from wellread.crawl.watch_store import Watch
    from wellread.crawl.watcher import WatchOutcome
    from wellread.reading.gather import GatherOptions
    from wellread.reading.read_options import ReadOptions
    from wellread.types import CrawlRecord, Facts, Found, Hit, Matches, Page, SiteMap

Argument = TypeVar("Argument", int, str)

PIECE_CHARS = 20_000
PIECE_BYTES = 21_000
"""Of text in one answer when the caller names no length: about 7,000 tokens at three bytes each, in any script."""
MAX_PIECE_CHARS = 200_000
"""In one answer, whatever bound in tokens the caller names."""
SNIPPET_CHARS = 300
MIN_PIECE_CHARS = 400
"""Of each of many pages, however many there are."""
CONCURRENCY = 4
"""Pages that one call reads at a time."""
MAX_CRAWL_BYTES = 50_000_000
"""Of all pages of one small crawl."""
LIST_ITEMS = 1_000
"""Of links, images, headings and posts, each."""


HINTS = {
    "robots": "read another source; only a user of the command line on the server can ignore robots.txt",
    "proxy": "try again later; the log of the server names the proxy",
    "shared_state": "try again later; the log of the server has the cause",
    "blocked_address": "a server reads only public addresses for its callers",
}
"""Instead of hints that name what no caller of a server can do."""
OWNER_HINTS = {
    "robots": HINTS["robots"],
    "blocked_address": "to allow a private address, the user sets net.allow_hosts=HOST:PORT, a setting of wellread",
}
"""The same, where the caller works for the owner of the settings."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandlerContext:
    """The dependencies of a handler, and the caller."""

    web: Web
    workspace: DownloadWorkspace
    sessions: Sessions
    caller: str | None
    """The name of a key; None for the person at this machine."""
    interface: Interface = "tools"
    grants: ProfileGrants = field(default_factory=ProfileGrants)
    """The profiles that callers may name."""
    hints: Mapping[str, str] = field(default_factory=lambda: HINTS)
    """Code of an error -> the hint for the caller, in place of the error's own."""
    tell: Callable[[Event], Awaitable[None]]

    def granted(self, profile: str | None) -> str | None:
        """Return the name of a profile that the caller may use.

        Raises:
            InvalidInput: it is not granted to the caller.
        """
        if profile is not None:
            self.grants.check(profile, Caller(self.interface, self.caller))
        return profile


async def search(context: HandlerContext, args: arguments.SearchArguments) -> Found:
    """Search; cut the snippets short."""
    results = await context.web.search(
        args.query, count=args.count, region=args.region, freshness=args.freshness, provider=args.provider
    )
    return replace(results, hits=_with_short_snippets(results.hits))


async def read(context: HandlerContext, args: arguments.ReadArguments) -> Page:
    """Read a page or its next piece; without a length, as much of it as fits one answer."""
    profile = context.granted(args.profile)

    async def piece(chars: int) -> Page:
        return await context.web.read(
            args.url,
            format=args.format,
            max_length=chars,
            max_tokens=args.max_tokens,
            cursor=args.cursor,
            mode=args.mode,
            images=args.images,
            links=args.links,
            fresh=args.fresh and chars == first_chars,
            member=args.member,
            render=args.render,
            scroll=args.scroll,
            wait=args.wait,
            selector=args.selector,
            profile=profile,
            all_links="all_links" in args.include,
        )

    requested_chars = _requested_chars(args)
    first_chars = PIECE_CHARS if requested_chars is None else requested_chars
    page = await piece(first_chars)
    fitting_chars = _fitting_chars(page.text, PIECE_BYTES)
    if requested_chars is None and fitting_chars is not None:
        page = await piece(fitting_chars)
    return _with_short_lists(page)


async def read_many(context: HandlerContext, args: arguments.ReadManyArguments) -> PageResults:
    """Read several pages at a time, in their order; without a length, as much of each as fits one answer together.

    Raises:
        InvalidInput: no URL is given.
    """
    if not args.urls:
        raise InvalidInput("web_read_many needs urls", hint="give at least one URL")
    share = max(PIECE_CHARS // len(args.urls), MIN_PIECE_CHARS)
    requested_chars = _requested_chars(args)
    options: ReadOptions = {
        "format": args.format,
        "max_length": share,
        "max_tokens": args.max_tokens,
        "mode": args.mode,
        "images": args.images,
        "links": args.links,
        "fresh": args.fresh,
        "render": args.render,
        "scroll": args.scroll,
        "wait": args.wait,
        "selector": args.selector,
        "profile": context.granted(args.profile),
        "all_links": "all_links" in args.include,
    }
    if requested_chars is not None:
        options["max_length"] = requested_chars
    pages = context.web.read_many(args.urls, concurrency=CONCURRENCY, **options)
    results = []
    try:
        for url in args.urls:
            outcome = await anext(pages)
            fewer = None
            if requested_chars is None and not isinstance(outcome, WellreadError):
                fewer = _fitting_chars(outcome.text, share)
            if fewer is not None:
                shorter: ReadOptions = {**options, "max_length": fewer, "fresh": False}
                outcome = await context.web.read(url, **shorter)
            result = _result(url, outcome, context.hints, all_notices=args.all_notices)
            results.append(result)
            await context.tell(result)
    finally:
        with anyio.CancelScope(shield=True):
            await pages.aclose()
    return PageResults(results=tuple(results), failed=sum(result.error is not None for result in results))


def _requested_chars(args: arguments.ReadArguments | arguments.ReadManyArguments) -> int | None:
    """Return the requested maximal characters of a piece, many where tokens bound it; None for what fits the answer."""
    if args.max_length is None and args.max_tokens is not None:
        return MAX_PIECE_CHARS
    return args.max_length


def _fitting_chars(text: str, max_bytes: int) -> int | None:
    """Return how many characters of `text` fit into `max_bytes`; None where it fits as a whole."""
    size = len(text.encode("utf-8", "surrogatepass"))
    if size <= max_bytes:
        return None
    return max(1, len(text) * max_bytes // size)


def _result(url: str, outcome: Page | WellreadError, hints: Mapping[str, str], *, all_notices: bool) -> PageResult:
    if isinstance(outcome, WellreadError):
        return PageResult(url=url, page=None, error=_read_failure(outcome, hints))
    page = with_notices(_with_short_lists(outcome), all_notices=all_notices)
    return PageResult(url=url, page=page, error=None)


def _read_failure(error: WellreadError, hints: Mapping[str, str]) -> ReadFailure:
    hint = hints.get(error.code, error.hint)
    return ReadFailure(code=error.code, message=error.message, hint=hint, retryable=error.retryable)


async def gather(context: HandlerContext, args: arguments.GatherArguments) -> Gathered:
    """Gather evidence; cut the snippets of the hits short."""
    options: GatherOptions = {**_evidence_options(context, args), "order": args.order}
    async with context.web.gathering(args.question, **options) as steps:
        gathered = await reported_result(steps, Gathered, context.tell)
    return replace(gathered, hits=_with_short_snippets(gathered.hits))


async def answer(context: HandlerContext, args: arguments.AnswerArguments) -> Answer:
    """Answer a question with evidence; cut the snippets of the hits short."""
    async with context.web.answering(args.question, **_evidence_options(context, args)) as steps:
        result = await reported_result(steps, Answer, context.tell)
    gathered = replace(result.gathered, hits=_with_short_snippets(result.gathered.hits))
    return replace(result, gathered=gathered)


def _evidence_options(context: HandlerContext, args: arguments.EvidenceArguments) -> GatherOptions:
    return {
        "num_results": args.num_results,
        "gather_top": args.gather_top,
        "provider": args.provider,
        "sites": args.sites,
        "exclude_sites": args.exclude_sites,
        "urls": args.urls,
        "profile": context.granted(args.profile),
    }


async def find(context: HandlerContext, args: arguments.FindArguments) -> Matches:
    """Find words on a page."""
    profile = context.granted(args.profile)
    return await context.web.find(
        args.url, args.pattern, regex=args.regex, limit=args.limit, scroll=args.scroll, profile=profile
    )


async def facts(context: HandlerContext, args: arguments.FactsArguments) -> Facts:
    """Return the facts of a page; with a schema or selectors, only the record."""
    collected = await context.web.facts(
        args.url,
        schema=args.schema,
        selectors=args.selectors,
        render=args.render,
        fresh=args.fresh,
        profile=context.granted(args.profile),
    )
    if collected.record is None:
        return _with_fitting_facts(collected)
    return replace(collected, items=(), tables=())


def _with_fitting_facts(collected: Facts) -> Facts:
    """Return the first items and tables of a page that fit one answer, with a notice where there are more."""
    remaining_bytes = PIECE_BYTES
    fitting: list[DeclaredItem | FactTable] = []
    facts_in_order: list[DeclaredItem | FactTable] = [*collected.items, *collected.tables]
    for fact in facts_in_order:
        remaining_bytes -= len(as_json(fact, indent=None).encode("utf-8", "replace"))
        if remaining_bytes < 0:
            break
        fitting.append(fact)
    if len(fitting) == len(facts_in_order):
        return collected
    extent = f"{len(fitting)} of {len(facts_in_order)} items and tables"
    detail = f"the answer has {extent}; name the fields by a schema or selectors"
    return replace(
        collected,
        items=tuple(fact for fact in fitting if isinstance(fact, DeclaredItem)),
        tables=tuple(fact for fact in fitting if isinstance(fact, FactTable)),
        notices=(*collected.notices, Notice("facts_cut", detail)),
    )


async def map_site(context: HandlerContext, args: arguments.MapArguments) -> SiteMap:
    """List the URLs of a site."""
    return await context.web.map(
        args.url, search=args.search, limit=args.limit, depth=args.depth, subdomains=args.subdomains
    )


async def crawl(context: HandlerContext, args: arguments.SmallCrawlArguments) -> CrawledUrls:
    """Crawl a few pages of a site; they are stored, and their texts are read by web_read."""
    options: CrawlArguments = {
        "limit": args.limit,
        "depth": args.depth,
        "include": args.include,
        "exclude": args.exclude,
        "max_time_s": args.max_time_s,
        "max_bytes": MAX_CRAWL_BYTES,
        "frontier": None,  # the frontier of the settings is for a crawl of the owner
    }
    with TemporaryDirectory(prefix="wellread-crawl-", ignore_cleanup_errors=True) as folder:
        async with aclosing(context.web.crawl(args.url, out=folder, **options)) as records:
            urls = [_crawled_url(record, context.hints) async for record in records]
            progress = records.progress()
    assert progress is not None  # it has run
    bounds = {
        "limit": f"limit={args.limit}; a higher one goes further",
        "time": f"max_time_s={args.max_time_s}; a higher one goes further",
        "bytes": f"{MAX_CRAWL_BYTES:,} bytes of pages, which is fixed",
    }
    hint = ""
    if progress.stopped_by:
        hint = f"ended by {bounds[progress.stopped_by]}. For another part, give a deeper `url`, or globs (`include`)"
    return CrawledUrls(urls=tuple(urls), waiting=progress.counts.waiting, stopped_by=progress.stopped_by, hint=hint)


def _crawled_url(record: CrawlRecord, hints: Mapping[str, str]) -> CrawledUrl:
    crawled = CrawledUrl(url=record.url, state=record.state, reason=crawl_reason(record))
    if record.error is not None:
        return replace(crawled, hint=_read_failure(record.error, hints).hint)
    if record.page is None:
        return crawled
    page = record.page
    return replace(crawled, title=page.title, word_count=page.word_count, snapshot_id=page.snapshot_id)


async def watch(context: HandlerContext, args: arguments.WatchArguments) -> Watched:
    """Watch pages for the caller, who sees no watch of another one.

    Raises:
        InvalidInput: an argument is missing, or the caller has no such watch.
        WellreadError: the page to watch cannot be read.
    """
    async with opened_watcher(context.web.watcher(context.caller or "")) as watcher:
        if args.action == "list":
            watches = await anyio.to_thread.run_sync(watcher.store.watches)
            return Watched(watches=tuple(map(_watched_page, watches)))
        if args.action == "add":
            url = _required(args.url, "add needs the url of a page")
            outcome = await watcher.add(url, every_s=args.every_s, selector=args.selector, find=args.find)
            added = await anyio.to_thread.run_sync(watcher.store.watch, outcome.id)
            return Watched(watches=(_watched_page(added),), checks=(_watch_check(outcome, context.hints),))
        if args.action == "run":
            ids = () if args.id is None else (args.id,)
            outcomes = await watcher.check_due(ids, all_callers=False)
            checks = tuple([_watch_check(outcome, context.hints) for outcome in outcomes])
            return _with_fitting_diffs(Watched(checks=checks, due=await watcher.due_count()))
        watch_id = _required(args.id, f"{args.action} needs the id of a watch")
        if args.action == "remove":
            return Watched(watches=(_watched_page(await anyio.to_thread.run_sync(watcher.store.remove, watch_id)),))
        versions = await anyio.to_thread.run_sync(partial(watcher.store.changes, watch_id, limit=args.count))
        changes = tuple(
            WatchChange(
                found_at=version.found_at,
                snapshot_id=version.snapshot_id,
                earlier_snapshot_id=version.earlier_snapshot_id,
                diff=version.diff,
            )
            for version in versions
        )
        return _with_fitting_diffs(Watched(changes=changes))


def _required(argument: Argument | None, message: str) -> Argument:
    if argument is None:
        raise InvalidInput(message, hint="the action list shows the watches and their numbers")
    return argument


def _watched_page(stored: Watch) -> WatchedPage:
    return WatchedPage(
        id=stored.id,
        url=stored.url,
        every_s=stored.every_s,
        selector=stored.selector,
        find=stored.find,
        next_at=stored.next_at,
        checked_at=stored.checked_at,
        error=stored.error,
    )


def _watch_check(outcome: WatchOutcome, hints: Mapping[str, str]) -> WatchCheck:
    error = None
    if outcome.error is not None:
        error = _read_failure(outcome.error, hints)
    return WatchCheck(
        id=outcome.id,
        url=outcome.url,
        state=outcome.state,
        diff=outcome.diff,
        snapshot_id=outcome.snapshot_id,
        earlier_snapshot_id=outcome.earlier_snapshot_id,
        error=error,
    )


def _with_fitting_diffs(result: Watched) -> Watched:
    """Cut the diffs so that together they fit one answer, with a notice where one was cut."""
    remaining_bytes, cut_chars = PIECE_BYTES, 0
    diffs = []
    for diff in [*(check.diff for check in result.checks), *(change.diff for change in result.changes)]:
        fitting_chars = _fitting_chars(diff, max(remaining_bytes, 1))
        shorter = diff[:fitting_chars]
        cut_chars += len(diff) - len(shorter)
        remaining_bytes -= len(shorter.encode("utf-8", "surrogatepass"))
        diffs.append(shorter)
    if not cut_chars:
        return result
    count = len(result.checks)
    detail = f"diffs were cut by {cut_chars:,} characters; ask for fewer changes, or read the page with web_read"
    return replace(
        result,
        checks=tuple(replace(check, diff=diff) for check, diff in zip(result.checks, diffs[:count], strict=True)),
        changes=tuple(replace(change, diff=diff) for change, diff in zip(result.changes, diffs[count:], strict=True)),
        notices=(*result.notices, Notice("diff_cut", detail, cut_chars)),
    )


async def download(context: HandlerContext, args: arguments.DownloadArguments) -> Saved:
    """Save a file into the workspace, the only folder that is written to."""
    profile = context.granted(args.profile)
    return await context.workspace.save(context.web, args.url, sha256=args.sha256, profile=profile)


async def index_add(context: HandlerContext, args: arguments.IndexArguments) -> Indexed:
    """Keep a page in the local index."""
    added = await context.web.index(args.url)
    return Indexed(url=args.url, outcome="indexed" if added else "unchanged")


async def index_remove(context: HandlerContext, args: arguments.IndexArguments) -> Indexed:
    """Take a page out of the local index."""
    removed = await context.web.forget(args.url)
    return Indexed(url=args.url, outcome="removed" if removed else "not there")


async def index_list(context: HandlerContext, args: arguments.IndexListArguments) -> IndexedUrls:
    """List a piece of the local index; the cursor is the offset in the list."""
    start = int(args.cursor or "0")
    urls = await context.web.indexed()
    end = start + args.limit
    return IndexedUrls(urls=urls[start:end], total=len(urls), cursor=str(end) if end < len(urls) else None)


def _with_short_lists(page: Page) -> Page:
    """Cut the lists of a page, which a hostile page can make as long as its bytes allow."""
    longest = max(len(page.links), len(page.all_links), len(page.images), len(page.headings), len(page.posts))
    if longest <= LIST_ITEMS:
        return page
    notice = Notice("list_cut", f"lists are limited to {LIST_ITEMS:,} of up to {longest:,} items", longest - LIST_ITEMS)
    return replace(
        page,
        links=page.links[:LIST_ITEMS],
        all_links=page.all_links[:LIST_ITEMS],
        images=page.images[:LIST_ITEMS],
        headings=page.headings[:LIST_ITEMS],
        posts=page.posts[:LIST_ITEMS],
        notices=(*page.notices, notice),
    )


def _with_short_snippets(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    return tuple(replace(hit, snippet=_shortened(hit.snippet)) for hit in hits)


def _shortened(snippet: str) -> str:
    if len(snippet) <= SNIPPET_CHARS:
        return snippet
    return snippet[:SNIPPET_CHARS].rstrip() + "\u2026"
