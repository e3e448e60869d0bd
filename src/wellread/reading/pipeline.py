"""The pipeline of the web package: search -> guard -> fetch -> extract -> score -> render fallback -> rank -> cite.

It opens no connection itself, it uses ports: tests run it over `wellread.testing.DictWeb`.
"""

from __future__ import annotations

import re
import shlex
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, TypeVar, Unpack, get_args
from urllib.parse import urlsplit

import anyio
from anyio import to_thread

from wellread.citations import cursors, verification
from wellread.documents import archive_urls
from wellread.errors import InvalidCursor, InvalidInput, Timeout, UnavailableError, WellreadError
from wellread.net import https_first
from wellread.net.downloads import DownloadRequest
from wellread.net.guard import trim_url
from wellread.net.ordered_results import OrderedResults
from wellread.output import print_document
from wellread.ports import Freshness, Query, untraced
from wellread.reading import answer_notices, render_fallback, snapshot_building
from wellread.reading.find import find
from wellread.reading.gather import GatherDependencies, GatherRequest, gathering
from wellread.reading.render_fallback import ReadResult
from wellread.reading.sandbox import ReadRequest
from wellread.reading.single_flight import SingleFlight
from wellread.reading.snapshot_lookup import SnapshotLookup, partial_place, places
from wellread.types import Format, Gathered, LinkStyle, Mode, Notice, Render, Request, header

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
    from contextlib import AbstractAsyncContextManager

    from wellread.config import Settings
    from wellread.net.downloads import Download
    from wellread.ports import CachedBody, CacheEntry, Clock, Embedder, Fetcher, Index, Searcher, SnapshotStore, Trace
    from wellread.reading.find import Matches
    from wellread.reading.render_fallback import RenderFallback
    from wellread.reading.sandbox import SandboxedReader
    from wellread.types import Found, Hit, Page, Passage, Response, Snapshot, Step, Verdict


T = TypeVar("T")

_FETCHER_LATE_S = 0.5
_PRINTING_S = 1.0  # at least, for what took nearly all of the deadline to be read
_NO_SCRIPTS = "a browser does not open members of archives"
_REGION = re.compile(r"[A-Za-z]{2}")


class ReadOptions(TypedDict, total=False):
    """The options of `read` besides the URL."""

    format: Format
    """markdown (default), text or html."""
    max_length: int | None
    """Maximum number of characters; the text is cut between blocks. None returns the rest of the document."""
    max_tokens: int | None
    """Maximum number of tokens, by an upper estimate that holds for any model; `max_length` applies, too."""
    links: LinkStyle
    """How markdown shows links: inline (default), reference (numbered, addresses at the end) or none."""
    cursor: str | None
    """The cursor of the last piece; its snapshot, format, images and links continue."""
    mode: Mode
    """balanced (default), precision (only the body of an article) or recall (also doubtful text)."""
    images: bool
    """Print the images of the content as links, with their captions; off by default."""
    fresh: bool
    """Fetch the page again instead of using the cache; the new snapshot is stored."""
    user_asked: bool
    """A person asked for this page, so robots.txt, which is for crawlers, is ignored."""
    render: Render
    """auto (default): in a browser if HTTP returns too little text; always; never."""
    member: str | None
    """The file to read in an archive (ZIP, tar), by its name in the list of the archive."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PipelineParts:
    """Everything the pipeline works with, joined in `wellread.apps.build`."""

    settings: Settings
    clock: Clock
    fetcher: Fetcher
    reader: SandboxedReader
    store: SnapshotStore
    index: Index
    searcher: Searcher
    embedder: Embedder | None = None
    """Ranks passages by meaning, too; None without an embedding service."""
    download: Callable[[DownloadRequest], Awaitable[Download]]
    cache_key: Callable[[str, Mode], str]
    second_look: RenderFallback | None = None
    trace: Trace = untraced
    """Told of each step."""


class Pipeline:
    """Reads pages and gathers evidence. Safe for concurrent use within one event loop."""

    def __init__(self, parts: PipelineParts) -> None:
        """Take the parts; nothing is opened here."""
        self.parts = parts
        self._recall = SnapshotLookup(parts.index, parts.store, parts.cache_key)
        self._flights: SingleFlight[ReadResult] = SingleFlight(WellreadError)
        self._archive_flights: SingleFlight[_ArchiveResponse] = SingleFlight(WellreadError)

    async def read(self, url: str, **options: Unpack[ReadOptions]) -> Page:
        """Return the page at `url`, or its next piece if a cursor is given.

        Raises:
            RefusedError: not a URL, not a public address, forbidden by robots.txt, or an invalid cursor.
            UnavailableError: the site or the network failed; `retryable` tells whether the same request may
                succeed later.
            UnreadableError: the page was fetched, but cannot be read.
        """
        check_options(options)
        url = _address(url, options)
        began = self.parts.clock.monotonic()
        cursor_text = options.get("cursor")
        cursor = cursors.decode(cursor_text) if cursor_text else None
        done = await self._continued(url, cursor, options) if cursor else await self._snapshot(url, options)
        cut = snapshot_building.PageSlice(
            format=cursor.format if cursor else options.get("format", "markdown"),
            start=cursor.start if cursor else 0,
            max_length=options.get("max_length"),
            max_tokens=options.get("max_tokens"),
            images=cursor.images if cursor else options.get("images", False),
            links=cursor.links if cursor else options.get("links", "inline"),
        )
        left_s = self.parts.settings.fetch.timeout_s - self._since(began) / 1000
        limit_s = self.parts.settings.fetch.timeout_s
        with _deadline(url, max(left_s, _PRINTING_S), limit_s=limit_s, stage="printing the page"):
            return await self._printed(done, cut, began)

    def read_many(
        self, urls: Iterable[str], *, concurrency: int = 8, **options: Unpack[ReadOptions]
    ) -> OrderedResults[str, Page | WellreadError]:
        """Read several pages at a time: `async for result in web.read_many(urls): ...`.

        Each result is a `Page`, or the `WellreadError` in its place, in the order of `urls`. `urls` may be
        endless: at most `4 * concurrency` pages are in memory. At most `net.per_host` pages of one host are
        read at a time; waiting for a host does not count for the deadline. Leaving the loop ends the work;
        `aclose` waits for that. The options are those of `read`.

        Raises:
            InvalidInput: a wrong option, a cursor, or a `concurrency` below 1.
        """
        check_options(options)
        if isinstance(urls, str) or options.get("cursor") is not None:
            raise InvalidInput(
                "read_many takes a list of URLs and no cursor", hint="to continue a page, use read(url, cursor=...)"
            )

        return self._ordered(urls, lambda url: self.read(url, **options), concurrency)

    def _ordered(
        self,
        urls: Iterable[str],
        work: Callable[[str], Coroutine[object, object, T]],
        concurrency: int,
    ) -> OrderedResults[str, T | WellreadError]:
        """Do `work` on several URLs at a time, on few of one host; an error is a result."""

        async def outcome(url: str) -> T | WellreadError:
            try:
                return await work(url)
            except WellreadError as error:
                error.url = error.url or url
                return error

        per_host = self.parts.settings.net.per_host
        return OrderedResults(urls, outcome, concurrency=concurrency, per_host=per_host, host=_host)

    async def search(
        self,
        query: str,
        *,
        count: int = 10,
        region: str | None = None,
        freshness: Freshness | None = None,
        provider: str | None = None,
    ) -> Found:
        """Return hits for `query`, and the outcome of every provider that was asked.

        `region` is a country code such as US, `freshness` one of day, week, month and year. `ignored_filters`
        has the filters that a provider does not support. `provider` asks only this provider of the settings;
        `local` is the local index.

        Raises:
            InvalidInput: an empty query, an invalid filter, or a provider that is not configured.
        """
        return await self.parts.searcher.search(
            replace(_checked_query(query, count, region, freshness), provider=provider)
        )

    async def gather(
        self,
        question: str,
        *,
        num_results: int | None = None,
        gather_top: int | None = None,
        provider: str | None = None,
    ) -> Gathered:
        """Search, read the best hits, and return the passages that answer the question, with citations.

        If a page fails, the next hit is read, and the page is listed in `missed`. When `gather.timeout_s` is over, the
        results so far are returned.

        Raises:
            InvalidInput: an empty question, less than one page or result, or a provider that is not configured.
            Timeout: the search itself did not end in time.
        """
        async with self.gathering(question, num_results=num_results, gather_top=gather_top, provider=provider) as steps:
            async for step in steps:
                if isinstance(step, Gathered):
                    return step
        raise AssertionError("a gather ends with its answer or is raised")

    def gathering(
        self,
        question: str,
        *,
        num_results: int | None = None,
        gather_top: int | None = None,
        provider: str | None = None,
    ) -> AbstractAsyncContextManager[AsyncIterator[Step]]:
        """Gather like `gather`, and yield each step when it ends.

        `async with web.gathering(question) as steps: async for step in steps: ...` yields `Found`, then a `Page` or
        `Missed` for each hit, and at the end `Gathered`. If the best passage is weak, a second `Found` follows. Leaving
        the block ends the work.
        """
        limits = self.parts.settings.gather
        results = limits.results if num_results is None else num_results
        pages = limits.pages if gather_top is None else gather_top
        if pages < 1:
            raise InvalidInput(f"the number of pages cannot be {pages}", hint="use at least 1")
        query = _checked_query(question, results, None, None)
        request = GatherRequest(question=query.text, results=results, pages=pages, limits=limits)
        means = GatherDependencies(
            clock=self.parts.clock,
            search=lambda count: self.search(query.text, count=count, provider=provider),
            read=self._page_of_hit,
            embedder=self.parts.embedder,
            trace=self.parts.trace,
        )
        return gathering(request, means)

    async def index(self, url: str, **options: Unpack[ReadOptions]) -> bool:
        """Read `url` and add it to the local index. Return False if the page is there and unchanged."""
        done = await self._snapshot(_address(url, options), options)
        return await to_thread.run_sync(
            lambda: self.parts.index.add(done.snapshot, snapshot_building.canonical_text(done.snapshot))
        )

    async def forget(self, url: str) -> bool:
        """Remove `url` from the local index. Return False if it was not there."""
        removed = [
            await to_thread.run_sync(self.parts.index.remove, full_url) for full_url in https_first.candidate_urls(url)
        ]
        return any(removed)

    async def indexed(self) -> tuple[str, ...]:
        """Return the URLs in the local index."""
        return await to_thread.run_sync(self.parts.index.urls)

    async def find(
        self, url: str, pattern: str, *, regex: bool = False, limit: int = 10, render: Render = "auto"
    ) -> Matches:
        """Return the places of `pattern` on the page, with the text around them; upper and lower case are equal.

        Offsets count in the canonical text, like those of passages. `render` is as for `read`.

        Raises:
            InvalidInput: an empty pattern, or a regular expression that is invalid or takes too long.
            RefusedError, UnavailableError, UnreadableError: as `read`.
        """
        options: ReadOptions = {"render": render}
        check_options(options)
        snapshot = (await self._snapshot(trim_url(url), options)).snapshot
        spots = await to_thread.run_sync(
            lambda: find(print_document(snapshot.extraction.document, "markdown"), pattern, regex=regex, limit=limit)
        )
        return replace(spots, rendered=snapshot.rendered, notices=snapshot.extraction.notices)

    async def download(
        self,
        url: str,
        *,
        to: Path | str = ".",
        sha256: str | None = None,
        skip_existing: bool = False,
        overwrite: bool = False,
    ) -> Download:
        """Save the file at `url` into the folder `to` under a safe name, or as the file `to`.

        Existing files are not replaced: a number is added to the name, unless `skip_existing` skips the download or
        `overwrite` replaces the file. A `to` that ends with a slash is a folder, which is created if needed. The next
        call continues an interrupted download if the server supports it.

        Raises:
            InvalidInput: the file cannot be written; `url` names a member of an archive; both `skip_existing` and
                `overwrite` are set.
            Upstream: the checksum is not `sha256`; the file is deleted.
            RefusedError, UnavailableError, UnreadableError: as `read`.
        """
        if skip_existing and overwrite:
            raise InvalidInput("skip_existing and overwrite exclude each other", hint="use one of them")
        archive_url, member = archive_urls.split(url)
        if member:
            hint = f"download {archive_url}, or read the member: `wellread read {shlex.quote(url)}`"
            raise InvalidInput(
                f"{url} is a member of an archive, and only whole archives can be downloaded", url=url, hint=hint
            )
        max_bytes = self.parts.settings.fetch.download_max_bytes
        order = DownloadRequest(
            url=trim_url(url), to=Path(to), folder=str(to).endswith("/"), sha256=sha256,
            max_bytes=max_bytes, limit_setting="fetch.download_max_bytes",
            skip_existing=skip_existing, overwrite=overwrite,
        )  # fmt: skip
        return await self.save(order)

    def download_many(
        self,
        urls: Iterable[str],
        *,
        to: Path | str = ".",
        skip_existing: bool = False,
        overwrite: bool = False,
        concurrency: int = 4,
    ) -> OrderedResults[str, Download | WellreadError]:
        """Save several files into the folder `to`: a `Download` or the error in its place, in the order of `urls`.

        Raises:
            InvalidInput: `concurrency` is below 1.
        """
        work = partial(self.download, to=to, skip_existing=skip_existing, overwrite=overwrite)
        return self._ordered(urls, work, concurrency)

    async def save(self, order: DownloadRequest) -> Download:
        """Save a file as `order` describes: `download` for callers with their own limits.

        Raises:
            WellreadError: as `download`.
        """
        return await https_first.try_https_first(order.url, lambda url, _: self.parts.download(replace(order, url=url)))

    async def verify(self, cited: Sequence[Passage] | Gathered, *, read_again: bool = False) -> tuple[Verdict, ...]:
        """Verify each passage, or each passage of a gather, against the snapshot that it cites.

        `read_again` reads pages whose snapshot is not stored; if a page has not changed, the snapshot is the same.
        """
        passages = cited.passages if isinstance(cited, Gathered) else cited
        if read_again:
            for url, snapshot_id in dict.fromkeys((passage.url, passage.snapshot_id) for passage in passages):
                with suppress(WellreadError):  # then the verdict says what is wrong, or that the snapshot is gone
                    if await to_thread.run_sync(self._recall.cited, url, "balanced", snapshot_id) is None:
                        await self._snapshot(url, {"fresh": True, "user_asked": True})

        def kept(passage: Passage) -> tuple[Snapshot, str] | None:
            snapshot = self._recall.cited(passage.url, "balanced", passage.snapshot_id)
            if snapshot is None:
                return None
            return (snapshot, snapshot_building.canonical_text(snapshot))

        return await to_thread.run_sync(verification.verify, passages, kept)

    # ------------------------------------------------------------------------------- one page, step by step

    async def _continued(self, url: str, cursor: cursors.Cursor, options: ReadOptions) -> ReadResult:
        for full_url in https_first.candidate_urls(url):
            mode = options.get("mode", "balanced")
            snapshot = await to_thread.run_sync(self._recall.cited, full_url, mode, cursor.snapshot_id)
            if snapshot is not None:
                return ReadResult(snapshot, cached=True)
        # Evicted, or kept by another process in memory: the page may still be the same.
        done = await self._snapshot(url, options)
        if done.snapshot.id != cursor.snapshot_id:
            raise InvalidCursor(f"the cursor belongs to another page than {url}, or to an older version of it", url=url)
        return done

    async def _snapshot(self, url: str, options: ReadOptions, *, timeout_s: float | None = None) -> ReadResult:
        async def best(full_url: str, http_s: float | None) -> ReadResult:
            return await self._best(full_url, options, timeout_s, http_s=http_s)

        limit_s = self.parts.settings.fetch.timeout_s if timeout_s is None else timeout_s
        with self.parts.trace("read") as tell:
            done = await https_first.try_https_first(url, best, timeout_s=limit_s)
            tell(cached=done.cached, rendered=done.snapshot.rendered)
            return done

    async def _best(
        self, url: str, options: ReadOptions, timeout_s: float | None, *, http_s: float | None
    ) -> ReadResult:
        """Return the best reading within `timeout_s`; the fetch without a browser takes at most `http_s`."""
        cache_key = self.parts.cache_key(url, options.get("mode", "balanced"))
        keys = places(cache_key, user_asked=options.get("user_asked", False))
        by_http = partial(self._by_http, url, options, keys, timeout_s=timeout_s if http_s is None else http_s)
        if archive_urls.split(url).url != url:
            done = await by_http()
            if options.get("render") == "always":
                return render_fallback.unrendered(done, _NO_SCRIPTS)
            return done
        if self.parts.second_look is None and options.get("render") == "always":
            return render_fallback.unrendered(await by_http(), render_fallback.SWITCHED_OFF)
        if self.parts.second_look is None or options.get("render") == "never":
            return await by_http()
        return await self.parts.second_look.read(render_fallback.render_request(url, keys, options, timeout_s), by_http)

    async def _by_http(
        self, url: str, options: ReadOptions, keys: Sequence[str], *, timeout_s: float | None
    ) -> ReadResult:
        mode = options.get("mode", "balanced")
        copies = [await to_thread.run_sync(self.parts.store.get, key) for key in keys]
        for copy in copies:
            if copy is not None and copy.fresh and not options.get("fresh", False):
                return self._kept_copy(copy.snapshot)
        key, stored = keys[0], copies[0]
        request = Request(url=url, user_asked=options.get("user_asked", False), timeout_s=timeout_s)
        fresh = options.get("fresh", False)
        # By `places`, what a person asked for never rides on, or carries, an agent's robots.txt verdict.
        return await self._flights.run(key, lambda: self._fetch_within(request, key, mode, stored, fresh=fresh))

    def _kept_copy(self, snapshot: Snapshot) -> ReadResult:
        """Return a kept reading, which says its age where the site asks not to keep it."""
        done = ReadResult(snapshot, cached=True)
        if not snapshot.is_unkeepable:
            return done
        age_s = max(self.parts.clock.now().timestamp() - snapshot.fetched_at, 0.0)
        detail = f"this cached copy is {age_s:.0f} s old, and the site disallows caching; --fresh fetches it again"
        return render_fallback.with_notice(done, Notice("kept_copy", detail))

    async def _fetch_within(
        self, request: Request, key: str, mode: Mode, stored: CacheEntry | None, *, fresh: bool
    ) -> ReadResult:
        limit_s = request.timeout_s or self.parts.settings.fetch.timeout_s
        began = self.parts.clock.monotonic()
        archive_url, member = archive_urls.split(request.url)
        read_request = ReadRequest(url=archive_urls.join(archive_url, member), mode=mode, member=member)
        # The fetcher has the same deadline, and knows what it waits for; this one stands behind it.
        with _deadline(request.url, limit_s + _FETCHER_LATE_S, limit_s=limit_s):
            await self.parts.reader.warm()
            answer = await self._answer(replace(request, url=archive_url), stored, is_member=bool(member), fresh=fresh)
        left_s = max(limit_s - self._since(began) / 1000, 0.0)
        with _deadline(request.url, left_s, limit_s=limit_s, stage="reading the page"):
            return await self._read_answer(answer, read_request, key, stored)

    async def _answer(
        self, request: Request, stored: CacheEntry | None, *, is_member: bool, fresh: bool
    ) -> _ArchiveResponse:
        """Return the answer to a request; that of an archive from the store, where it is there."""
        if is_member or archive_urls.named_like_archive(request.url):
            return await self._archive(request, stored, fresh=fresh)
        response = await self.parts.fetcher.fetch(_conditional(request, stored))
        await self._keep_archive(request, response)
        return _ArchiveResponse(response, is_stored=False)

    async def _read_answer(
        self, answer: _ArchiveResponse, read_request: ReadRequest, key: str, stored: CacheEntry | None
    ) -> ReadResult:
        parts, response = self.parts, answer.response
        if response.status == 304 and stored is not None:
            await to_thread.run_sync(parts.store.renew, key)
            return ReadResult(stored.snapshot, cached=True)
        snapshot = await parts.reader.read(response, read_request)
        # A partial body is kept by its id alone, so that its cursors work and no later read takes it for the page.
        place = key if response.partial is None else partial_place(snapshot)
        etag, modified = header(response.headers, "etag"), header(response.headers, "last-modified")
        await to_thread.run_sync(lambda: parts.store.put(place, snapshot, etag=etag, last_modified=modified))
        return ReadResult(snapshot, cached=answer.is_stored)

    async def _archive(self, request: Request, stored_member: CacheEntry | None, *, fresh: bool) -> _ArchiveResponse:
        """Return an archive, from the store where it is there: its members are read one by one, by one fetch.

        `kept` is the snapshot of the member: where the archive itself was evicted, the server may say 304.
        """
        keys = self._archive_keys(request)
        bodies = [await to_thread.run_sync(self.parts.store.body, key) for key in keys]
        for stored in bodies:
            if stored is not None and stored.fresh and not fresh:
                return _ArchiveResponse(stored.response, is_stored=True)
        key, body = keys[0], bodies[0]
        # Who has a copy may be answered 304, which is of no use to others.
        etag = stored_member.etag if body is None and stored_member is not None else None
        flight = f"{request.timeout_s}:{etag}:{key}"
        return await self._archive_flights.run(flight, lambda: self._fetch_archive(request, key, body, stored_member))

    async def _fetch_archive(
        self, request: Request, key: str, body: CachedBody | None, stored_member: CacheEntry | None
    ) -> _ArchiveResponse:
        response = await self.parts.fetcher.fetch(_conditional(request, body or stored_member))
        if response.status == 304 and body is not None:
            await to_thread.run_sync(self.parts.store.renew, key)
            return _ArchiveResponse(body.response, is_stored=True)
        await self._keep_archive(request, response)
        return _ArchiveResponse(response, is_stored=False)

    async def _keep_archive(self, request: Request, response: Response) -> None:
        """Keep the bytes of a whole archive, so that its members are read without another fetch."""
        if response.status == 200 and response.partial is None and snapshot_building.is_archive(response):
            await to_thread.run_sync(self.parts.store.put_body, self._archive_keys(request)[0], response)

    def _archive_keys(self, request: Request) -> tuple[str, ...]:
        cache_key = self.parts.cache_key(request.url, "balanced")
        return tuple(f"archive:{key}" for key in places(cache_key, user_asked=request.user_asked))

    async def _page_of_hit(self, hit: Hit) -> tuple[Snapshot, Page]:
        limits = self.parts.settings.gather
        began = self.parts.clock.monotonic()
        done = await self._of_hit(hit, limits.page_timeout_s)
        cut = snapshot_building.PageSlice(max_length=limits.page_chars)
        return done.snapshot, await self._printed(done, cut, began)

    async def _of_hit(self, hit: Hit, limit_s: float) -> ReadResult:
        if (snapshot := await to_thread.run_sync(self._recall.at_hand, hit)) is not None:
            return ReadResult(snapshot, cached=True)
        try:
            return await self._snapshot(hit.url, {}, timeout_s=limit_s)
        except UnavailableError as error:
            last_snapshot = await to_thread.run_sync(self._recall.last_known, hit)
            if last_snapshot is None:
                raise
            return render_fallback.with_notice(
                ReadResult(last_snapshot, cached=True), answer_notices.kept(last_snapshot, error)
            )

    async def _printed(self, done: ReadResult, cut: snapshot_building.PageSlice, began: float) -> Page:
        def page() -> Page:
            return snapshot_building.printed_page(
                done.snapshot, cut, cached=done.cached, total_time_ms=self._since(began)
            )

        if snapshot_building.is_quick(done.snapshot, cut):
            return page()
        return await to_thread.run_sync(page, abandon_on_cancel=True)

    def _since(self, began: float) -> int:
        return round((self.parts.clock.monotonic() - began) * 1000)


class _ArchiveResponse(NamedTuple):
    """The answer that holds an archive."""

    response: Response
    is_stored: bool
    """Whether it came from the store, without a request or after 304."""


@contextmanager
def _deadline(url: str, within_s: float, *, limit_s: float, stage: str = "") -> Iterator[None]:
    """End the block after `within_s`, and name the limit that was passed and the stage that took too long."""
    try:
        with anyio.fail_after(within_s):
            yield
    except TimeoutError as error:
        message = f"{url} was not read within {limit_s:g} s"
        message = f"{message}; the time ran out {stage}" if stage else message
        raise Timeout(message, url=url, limit_s=limit_s) from error


def check_options(options: ReadOptions) -> None:
    """Check the options of `read` at run time.

    Raises:
        InvalidInput: an option that does not exist, or a value that it cannot have.
    """
    choices = {
        "format": get_args(Format),
        "mode": get_args(Mode),
        "render": get_args(Render),
        "links": get_args(LinkStyle),
    }
    for name, value in options.items():
        if name not in ReadOptions.__annotations__:
            options_are = ", ".join(sorted(ReadOptions.__annotations__))
            raise InvalidInput(f"read has no option {name!r}", hint=f"its options are {options_are}")
        if name in choices and value not in choices[name]:
            raise InvalidInput(f"{value!r} is not a valid {name}", hint="one of " + ", ".join(choices[name]))
    member: object = options.get("member")
    if member is not None and not isinstance(member, str):
        raise InvalidInput(f"member is {member!r}", hint="use the name of a file in the archive")
    limits: dict[str, object] = {name: options.get(name) for name in ("max_length", "max_tokens")}
    for name, limit in limits.items():
        if limit is not None and (not isinstance(limit, int) or limit < 1):
            raise InvalidInput(f"{name} is {limit!r}", hint="use a whole number of at least 1, or None for no limit")
    if options.get("links", "inline") != "inline" and options.get("format") == "html":
        raise InvalidInput("`links` does not apply to HTML", hint="leave out `links`, or use the format markdown")


def _host(url: str) -> str:
    """Return the host of a URL, or an empty text where it has none."""
    try:
        return urlsplit(https_first.candidate_urls(trim_url(url))[0]).netloc.lower()
    except ValueError:
        return ""


def _address(url: str, options: ReadOptions) -> str:
    """Return the URL to read: of the page, or of the member of an archive.

    Raises:
        InvalidInput: a member is given twice, in the URL and beside it.
    """
    url = trim_url(url)
    member = options.get("member")
    if not member:
        return url
    if archive_urls.split(url).url != url:
        raise InvalidInput(f"{url} already has a member", hint="give the member in the URL or by `member`, not both")
    return archive_urls.join(url, member)


def _checked_query(text: str, count: int, region: str | None, freshness: Freshness | None) -> Query:
    if not text.strip():
        raise InvalidInput("the query is empty", hint="give the words to search for")
    if count < 1:
        raise InvalidInput(f"the number of results cannot be {count}", hint="use at least 1")
    if region is not None and not _REGION.fullmatch(region):
        raise InvalidInput(f"{region!r} is not a country code", hint="use two letters (ISO 3166-1 alpha-2), such as US")
    if freshness not in {None, *get_args(Freshness)}:
        raise InvalidInput(f"{freshness!r} is not a freshness", hint="one of " + ", ".join(get_args(Freshness)))
    return Query(text=text.strip(), count=count, region=region.upper() if region else None, freshness=freshness)


def _conditional(request: Request, stored: CacheEntry | CachedBody | None) -> Request:
    """Ask whether a stale copy still holds (RFC 9110 section 13.1)."""
    if stored is None:
        return request
    asks = (("If-None-Match", stored.etag), ("If-Modified-Since", stored.last_modified))
    headers = tuple((name, value) for name, value in asks if value)
    return replace(request, headers=request.headers + headers)
