"""The operations of the web: read, search, gather, find, index, download, verify.

They open no connection themselves, they use ports: tests run them over `wellread.testing.DictWeb`. The steps of one
read are in `read.py`. What only one operation needs is loaded when it is called: a program that reads a stored page
does not wait for the others.
"""

from __future__ import annotations

import json
import shlex
from contextlib import aclosing, asynccontextmanager, suppress
from dataclasses import field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, Unpack, get_args
from urllib.parse import urlsplit

from anyio import to_thread

from wellread.documents import archive_urls
from wellread.errors import Budget, Empty, InvalidInput, UnavailableError, WellreadError
from wellread.frozen import frozen
from wellread.lazy_pattern import lazy_pattern
from wellread.net import https_first, schemeless_urls
from wellread.net.guard import trim_url
from wellread.net.local_state import LocalState
from wellread.net.ordered_results import OrderedResults
from wellread.ports import Freshness, Query, untraced
from wellread.reading.document_fetch import DocumentFetcher
from wellread.reading.last_step import last_step
from wellread.reading.read import PageReader, seconds_left
from wellread.reading.read_options import check_options, full_address
from wellread.reading.sign_in_options import (
    ProfileSecrets,
    SignInOptions,
    SignInReader,
    check_same_origin,
    check_sign_in,
    is_signed_in,
    names_hosts,
)
from wellread.reading.snapshot_lookup import SnapshotLookup
from wellread.types import Answer, Gathered, Notice, PassageOrder, Request, Research, SourceView

if TYPE_CHECKING:
    from collections.abc import (
        AsyncGenerator,
        AsyncIterator,
        Awaitable,
        Callable,
        Coroutine,
        Iterable,
        Mapping,
        Sequence,
    )
    from contextlib import AbstractAsyncContextManager

    from wellread.config import Settings
    from wellread.credentials import Credentials
    from wellread.net.downloads import Download, DownloadRequest
    from wellread.ports import (
        Clock,
        Embedder,
        Fetcher,
        Index,
        Leases,
        Renderer,
        Searcher,
        SnapshotStore,
        TextModel,
        Trace,
    )
    from wellread.reading.gather import GatherOptions, GatherRequest
    from wellread.reading.read_options import ReadOptions
    from wellread.reading.read_result import ReadResult
    from wellread.reading.sandbox import SandboxedReader
    from wellread.types import (
        AnswerStep,
        Claim,
        Facts,
        Found,
        Matches,
        Mode,
        Page,
        Passage,
        Render,
        Scroll,
        Snapshot,
        Step,
        Verdict,
    )


T = TypeVar("T")

_DECLARED_FACTS = SourceView(field_selectors="{}")
_REGION = lazy_pattern(r"[A-Za-z]{2}")


@frozen
class PipelineParts:
    """Everything the pipeline works with, joined in `wellread.apps.build`."""

    settings: Settings
    clock: Clock
    fetcher: Fetcher
    sandbox: SandboxedReader
    store: SnapshotStore
    index: Index
    searcher: Searcher
    embedder: Embedder | None = None
    """Ranks passages by meaning, too; None without an embedding service."""
    download: Callable[[DownloadRequest], Awaitable[Download]]
    cache_key: Callable[[str, Mode], str]
    renderer: Renderer | None = None
    """Renders pages in a browser; None where rendering is switched off."""
    sign_in: SignInReader = field(default_factory=lambda: SignInReader(b"", _no_profile))
    """Reads the options that sign in."""
    model: TextModel | None = None
    """Answers questions about pages; None without `models.chat`."""
    leases: Leases = field(default_factory=LocalState)
    """Decide which replica fetches a page."""
    trace: Trace = untraced
    """Told of each step."""


class Pipeline:
    """Reads pages and gathers evidence. Safe for concurrent use within one event loop."""

    def __init__(self, parts: PipelineParts) -> None:
        """Take the parts; nothing is opened here."""
        self.parts = parts
        self._reader = PageReader(
            lookup=SnapshotLookup(parts.index, parts.store, parts.cache_key),
            fetcher=DocumentFetcher(parts.fetcher, parts.store, parts.cache_key),
            sandbox=parts.sandbox,
            renderer=parts.renderer,
            leases=parts.leases,
            clock=parts.clock,
            timeout_s=parts.settings.fetch.timeout_s,
            trace=parts.trace,
        )

    async def read(self, url: str, **options: Unpack[ReadOptions]) -> Page:
        """Return the page at `url`, or its next piece if a cursor is given.

        Raises:
            RefusedError: not a URL, not a public address, forbidden by robots.txt, or an invalid cursor.
            UnavailableError: the site or the network failed; `retryable` tells whether the same request may
                succeed later.
            UnreadableError: the page was fetched, but cannot be read.
        """
        return await self._reader.read(url, options, await self._credentials(url, options))

    async def _credentials(self, url: str, options: SignInOptions) -> Credentials | None:
        """Return what signs a read of `url` in.

        Raises:
            InvalidInput: an option is wrong, a file cannot be read, or there is no such profile.
        """
        check_sign_in(options)
        if not is_signed_in(options):
            return None
        return await to_thread.run_sync(self.parts.sign_in.credentials, trim_url(url), options)

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

        bound_urls, check_host = _of_one_host(urls, options)

        async def read_one(url: str) -> Page:
            check_host(url)
            return await self.read(url, **options)

        return self._ordered(bound_urls, read_one, concurrency)

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

    async def gather(self, question: str, **options: Unpack[GatherOptions]) -> Gathered:
        """Search, read the best hits, and return the passages that answer the question, with citations.

        If a page fails, the next hit is read, and the page is listed in `missed`. When `gather.timeout_s` is over, the
        results so far are returned. Passages far below the best one are left out. Options: `num_results`, `gather_top`,
        `provider`, `sites`, `exclude_sites`, `urls`, `follow`, `order`, `cookies` (a file) and `profile`.

        Raises:
            InvalidInput: an empty question, a wrong option, or a provider that is not configured.
            Timeout: the search itself did not end in time.
        """
        async with self.gathering(question, **options) as steps:
            return await last_step(steps, Gathered)

    def gathering(
        self, question: str, **options: Unpack[GatherOptions]
    ) -> AbstractAsyncContextManager[AsyncIterator[Step]]:
        """Gather like `gather`, and yield each step when it ends.

        `async with web.gathering(question) as steps: async for step in steps: ...` yields `Found`, then a `Page` or
        `Missed` for each hit, and at the end `Gathered`. A further `Found` has all hits again: with those of a second
        search if the best passage is weak, or with the links that `follow` reads. Leaving the block ends the work.
        """
        return self._gather_steps(question, options)

    @asynccontextmanager
    async def _gather_steps(self, question: str, options: GatherOptions) -> AsyncGenerator[AsyncIterator[Step]]:
        from wellread.reading.gather import GatherRun

        run = GatherRun(
            await self._gather_request(question, options),
            limits=self.parts.settings.gather,
            searcher=self.parts.searcher,
            reader=self._reader,
            embedder=self.parts.embedder,
            clock=self.parts.clock,
            trace=self.parts.trace,
        )
        async with run.steps() as steps:
            yield steps

    async def _gather_request(self, question: str, options: GatherOptions) -> GatherRequest:
        """Return the checked request of a gather.

        Raises:
            InvalidInput: an empty question, or a wrong option.
        """
        from wellread.reading.gather import MAX_PAGES, GatherRequest
        from wellread.search import site_filter

        limits = self.parts.settings.gather
        results, pages = options.get("num_results"), options.get("gather_top")
        urls = tuple(map(trim_url, options.get("urls") or ()))
        if results is None:
            results = limits.results
        if pages is None:
            pages = len(urls) or limits.pages
        if pages < 1:
            raise InvalidInput(f"the number of pages cannot be {pages}", hint="use at least 1")
        if pages > MAX_PAGES:
            raise InvalidInput(f"{pages} pages are too many for one gather", hint=f"use at most {MAX_PAGES}")
        follow = options.get("follow") or 0
        if not 0 <= follow <= MAX_PAGES:
            raise InvalidInput(f"{follow} pages cannot be followed to", hint=f"use 0 to {MAX_PAGES}")
        order = options.get("order", "score")
        if order not in get_args(PassageOrder):
            raise InvalidInput(f"{order!r} is not a valid order", hint="one of " + ", ".join(get_args(PassageOrder)))
        sign_in: SignInOptions = {"cookies": options.get("cookies"), "profile": options.get("profile")}
        check_sign_in(sign_in)
        if not names_hosts(sign_in):
            raise InvalidInput("the cookies of a gather are a file, which names their hosts", hint="use a Path")
        if follow and is_signed_in(sign_in):
            raise InvalidInput("no links are followed signed in", hint="leave out follow: a link may change something")
        query = replace(
            _checked_query(question, results, None, None, noun="question"),
            provider=options.get("provider"),
            sites=site_filter.checked_sites(options.get("sites") or ()),
            exclude_sites=site_filter.checked_sites(options.get("exclude_sites") or ()),
        )
        credentials = await to_thread.run_sync(self.parts.sign_in.credentials, None, sign_in)
        return GatherRequest(query=query, pages=pages, credentials=credentials, urls=urls, order=order, follow=follow)

    async def answer(self, question: str, **options: Unpack[GatherOptions]) -> Answer:
        """Gather evidence and answer the question with it, in a few sentences of which each cites its passages.

        If `models.chat` is set, a language model writes the sentences. One stands only if the passages that it cites
        have its numbers with their units, its dates, names and negations, and if these are in their snapshots; others
        are dropped, with the reason. Without a model, or where it does not answer, the answer is the best sentences,
        list items and table rows of the pages. Options as for `gather`.

        Raises:
            InvalidInput, Timeout: as `gather`.
            ConfigError: the settings of the model are wrong.
        """
        async with self.answering(question, **options) as steps:
            return await last_step(steps, Answer)

    def answering(
        self, question: str, **options: Unpack[GatherOptions]
    ) -> AbstractAsyncContextManager[AsyncIterator[AnswerStep]]:
        """Answer like `answer`, and yield each step when it ends: those of `gathering`, and at the end `Answer`.

        `async with web.answering(question) as steps: async for step in steps: ...`. Leaving the block ends the work.
        """
        return self._answer_steps(question, options)

    @asynccontextmanager
    async def _answer_steps(self, question: str, options: GatherOptions) -> AsyncGenerator[AsyncIterator[AnswerStep]]:
        async with self._gather_steps(question, options) as steps, aclosing(self._with_answer(steps)) as answer_steps:
            yield answer_steps

    async def _with_answer(self, steps: AsyncIterator[Step]) -> AsyncGenerator[AnswerStep]:
        async for step in steps:
            yield step
            if isinstance(step, Gathered):
                yield await self._answer_from(step)

    async def _answer_from(self, gathered: Gathered) -> Answer:
        """Answer the question of a gather with its passages."""
        from wellread.reading import answering
        from wellread.reading.best_sentences import best_claims
        from wellread.reading.list_answers import list_answer

        notices: list[Notice] = []
        dropped: list[Claim] = []
        if self.parts.model is not None and gathered.passages:
            try:
                reply = await self.parts.model.answer(
                    answering.INSTRUCTIONS,
                    answering.question_text(gathered.query, gathered),
                    max_tokens=answering.MAX_ANSWER_TOKENS,
                )
            except (Budget, UnavailableError) as error:
                detail = f"the language model did not answer, so the best sentences are shown: {error.message[:200]}"
                notices.append(Notice("model_failed", detail))
            else:
                claims, dropped = await to_thread.run_sync(answering.model_claims, reply, gathered.passages)
                claims, unproved = await self._proved(claims)
                dropped += unproved
                if claims or not dropped:
                    build_answer = partial(answering.built_answer, is_by_model=True)
                    return await to_thread.run_sync(build_answer, gathered, claims, dropped)
        sentences, list_notices = await to_thread.run_sync(list_answer, gathered)
        notices += list_notices
        if not sentences:
            sentences = await to_thread.run_sync(best_claims, gathered)
        claims, _ = await self._proved(sentences)
        return answering.built_answer(gathered, claims, dropped, is_by_model=False, notices=notices)

    async def _proved(self, claims: Sequence[Claim]) -> tuple[list[Claim], list[Claim]]:
        """Part the sentences whose citations are in their snapshots from the others."""
        from wellread.reading import answering

        verdicts = await self.verify([passage for claim in claims for passage in claim.passages])
        return answering.proved_claims(claims, [verdict.passage for verdict in verdicts if not verdict.ok])

    async def index(self, url: str, **options: Unpack[ReadOptions]) -> bool:
        """Read `url` and add it to the local index. Return False if the page is there and unchanged."""
        result = await self._reader.newest(
            Request(
                url=full_address(url, options),
                user_asked=options.get("user_asked", False),
                scroll=options.get("scroll", "auto"),
            ),
            mode=options.get("mode", "balanced"),
            render=options.get("render", "auto"),
            fresh=options.get("fresh", False),
        )
        return await to_thread.run_sync(lambda: self.parts.index.add(result.snapshot, result.canonical_text))

    async def forget(self, url: str) -> bool:
        """Remove `url` from the local index. Return False if it was not there."""
        urls = schemeless_urls.candidate_urls(url)
        removed = [await to_thread.run_sync(self.parts.index.remove, full_url) for full_url in urls]
        return any(removed)

    async def indexed(self) -> tuple[str, ...]:
        """Return the URLs in the local index."""
        return await to_thread.run_sync(self.parts.index.urls)

    async def find(
        self,
        url: str,
        pattern: str,
        *,
        regex: bool = False,
        limit: int = 10,
        render: Render = "auto",
        scroll: Scroll = "auto",
        **sign_in: Unpack[SignInOptions],
    ) -> Matches:
        """Return the places of `pattern` on the page, with the text around them; upper and lower case are equal.

        Offsets count in the canonical text, like those of passages. `render`, `scroll` and the options that sign in are
        as for `read`.

        Raises:
            InvalidInput: an empty pattern, or a regular expression that is invalid or takes too long.
            RefusedError, UnavailableError, UnreadableError: as `read`.
        """
        from wellread.reading.find import find

        check_options({"render": render, "scroll": scroll})
        credentials = await self._credentials(url, sign_in)
        request = Request(url=trim_url(url), credentials=credentials, scroll=scroll)
        result = await self._reader.newest(request, render=render)

        def find_in_page() -> Matches:
            matches = find(result.prints.canonical, pattern, regex=regex, limit=limit)
            self._reader.lookup.keep_prints(result)
            return matches

        matches = await to_thread.run_sync(find_in_page)
        return replace(matches, rendered=result.snapshot.rendered, notices=result.snapshot.extraction.notices)

    async def facts(
        self,
        url: str,
        *,
        schema: Mapping[str, Any] | type | None = None,  # Any: JSON
        selectors: Mapping[str, object] | None = None,
        render: Render = "auto",
        fresh: bool = False,
        user_asked: bool = False,
        **sign_in: Unpack[SignInOptions],
    ) -> Facts:
        """Return what the page declares for machines, its tables as rows, and a record of the fields that you name.

        `selectors` map fields to CSS selectors: `{"price": ".price", "links": ["a@href"]}`; the page is then fetched
        again. If it has scripts and lacks a selected field, it is rendered where `render` is "auto"; with a schema,
        only fields that it requires count. `schema` is a JSON schema of an object, or a pydantic model: its fields are
        filled by selectors, by what the page declares, by its tables, and then, if `models.chat` is set, by a language
        model. A value of the model is taken only if a quotation of the page proves it. `missing` lists the fields that
        were not found. A page that shows no text has the facts that it declares, and a notice.

        Raises:
            InvalidInput: the schema or a selector is not valid.
            ConfigError: a schema needs a library that is not installed.
            Unsupported: a selector takes too many steps on the page.
            RefusedError, UnavailableError, UnreadableError: as `read`.
        """
        from wellread.extraction.selected_fields import field_selectors
        from wellread.reading.fact_collection import checked_schema, collected_facts

        check_options({"render": render})
        object_schema = None if schema is None else checked_schema(schema)
        credentials = await self._credentials(url, sign_in)
        request = Request(url=trim_url(url), user_asked=user_asked, credentials=credentials)
        if selectors is None:
            result = await self._page_of_facts(request, render, fresh=fresh)
            return await collected_facts(result, selected=None, schema=object_schema, model=self.parts.model)
        names = [field.name for field in field_selectors(selectors)]
        if object_schema is None:
            required = names
        else:
            required = [name for name in names if name in object_schema.get("required", ())]
        view = SourceView(field_selectors=json.dumps(selectors, default=dict))
        result = await self._selected_page(request, required, view, render=render)
        selected = result.snapshot.extraction.selected or {}
        facts = await collected_facts(result, selected=selected, schema=object_schema, model=self.parts.model)
        unselected = tuple(name for name in names if schema is None and name not in selected)
        return replace(facts, missing=facts.missing + unselected)

    async def _page_of_facts(self, request: Request, render: Render, *, fresh: bool) -> ReadResult:
        """Return a page as `newest` does; where it shows no text, the reading of what it declares alone.

        Raises:
            RefusedError, UnavailableError, UnreadableError: as `newest`.
        """
        try:
            return await self._reader.newest(request, render=render, fresh=fresh)
        except Empty as empty:
            if render == "auto":
                render = "never"  # the browser has shown no text either, or is not there
            try:
                return await self._reader.newest(request, render=render, fresh=fresh, view=_DECLARED_FACTS)
            except Empty:
                raise empty from None

    async def _selected_page(
        self, request: Request, required: Sequence[str], view: SourceView, *, render: Render
    ) -> ReadResult:
        """Fetch a page with its selected fields; render it where it lacks a required one that scripts may add."""
        began = self.parts.clock.monotonic()
        result = await self._reader.newest(request, render=render, fresh=True, view=view)
        extraction = result.snapshot.extraction
        lacking = [name for name in required if name not in (extraction.selected or {})]
        if render != "auto" or not lacking or not extraction.has_scripts or result.snapshot.rendered:
            return result
        timeout_s = seconds_left(self.parts.settings.fetch.timeout_s, self.parts.clock.monotonic() - began)
        render_request = replace(request, timeout_s=timeout_s)
        can_render = self.parts.renderer is not None  # without one, the page that was just fetched is the result
        rendered = await self._reader.newest(render_request, render="always", fresh=can_render, view=view)
        if not rendered.snapshot.rendered:
            return rendered
        names = ", ".join(lacking)[:300]
        return rendered.with_notice(Notice("rendered_for_fields", f"the page was rendered, because it lacked: {names}"))

    def facts_many(
        self,
        urls: Iterable[str],
        *,
        schema: Mapping[str, Any] | type | None = None,  # Any: JSON
        selectors: Mapping[str, object] | None = None,
        render: Render = "auto",
        fresh: bool = False,
        concurrency: int = 8,
        **sign_in: Unpack[SignInOptions],
    ) -> OrderedResults[str, Facts | WellreadError]:
        """Return the facts of several pages: `Facts` or the error in its place, in the order of `urls`.

        Raises:
            InvalidInput: the schema or a selector is not valid, or `concurrency` is below 1.
        """
        from wellread.extraction.selected_fields import field_selectors
        from wellread.reading.fact_collection import checked_schema

        if schema is not None:
            checked_schema(schema)
        if selectors is not None:
            field_selectors(selectors)
        bound_urls, check_host = _of_one_host(urls, sign_in)

        async def facts_of_one(url: str) -> Facts:
            check_host(url)
            return await self.facts(url, schema=schema, selectors=selectors, render=render, fresh=fresh, **sign_in)

        return self._ordered(bound_urls, facts_of_one, concurrency)

    async def download(
        self,
        url: str,
        *,
        to: Path | str = ".",
        sha256: str | None = None,
        skip_existing: bool = False,
        overwrite: bool = False,
        **sign_in: Unpack[SignInOptions],
    ) -> Download:
        """Save the file at `url` into the folder `to` under a safe name, or as the file `to`.

        Existing files are not replaced: a number is added to the name, unless `skip_existing` skips the download or
        `overwrite` replaces the file. A `to` that ends with a slash is a folder, which is created if needed. The next
        call continues an interrupted download if the server supports it. The options that sign in are those of `read`.

        Raises:
            InvalidInput: the file cannot be written; `url` names a member of an archive; both `skip_existing` and
                `overwrite` are set.
            Upstream: the checksum is not `sha256`; the file is deleted.
            RefusedError, UnavailableError, UnreadableError: as `read`.
        """
        from wellread.net.downloads import DownloadRequest

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
        return await self.save(order, **sign_in)

    def download_many(
        self,
        urls: Iterable[str],
        *,
        to: Path | str = ".",
        skip_existing: bool = False,
        overwrite: bool = False,
        concurrency: int = 4,
        **sign_in: Unpack[SignInOptions],
    ) -> OrderedResults[str, Download | WellreadError]:
        """Save several files into the folder `to`: a `Download` or the error in its place, in the order of `urls`.

        Raises:
            InvalidInput: `concurrency` is below 1.
        """
        bound_urls, check_host = _of_one_host(urls, sign_in)

        async def download_one(url: str) -> Download:
            check_host(url)
            return await self.download(url, to=to, skip_existing=skip_existing, overwrite=overwrite, **sign_in)

        return self._ordered(bound_urls, download_one, concurrency)

    async def save(self, order: DownloadRequest, **sign_in: Unpack[SignInOptions]) -> Download:
        """Save a file as `order` describes: `download` for callers with their own limits.

        Raises:
            WellreadError: as `download`.
        """
        credentials = await self._credentials(order.url, sign_in)
        for attempt in https_first.attempts(order.url, only_https=credentials is not None):
            with attempt:
                return await self.parts.download(replace(order, url=attempt.url, credentials=credentials))
        raise AssertionError("the last attempt returns or raises")

    async def verify(
        self,
        cited: Sequence[Passage] | Gathered | Answer | Research,
        *,
        read_again: bool = False,
        profile: str | None = None,
    ) -> tuple[Verdict, ...]:
        """Verify each passage, those of a gather, or those that an answer or a research cites, against its snapshot.

        `read_again` reads pages whose snapshot is not stored; if a page has not changed, the snapshot is the same.
        `profile` verifies citations of pages that were read with this profile. Only the command `wellread verify`
        checks whether the passages support the sentences that cite them.

        Raises:
            InvalidInput: there is no such profile.
        """
        from wellread.citations import verification

        passages = _passages(cited)
        lookup = self._reader.lookup
        sign_in: SignInOptions = {"profile": profile}
        signed_in = {passage.url: await self._credentials(passage.url, sign_in) for passage in passages}
        identities = {url: credentials.identity if credentials else "" for url, credentials in signed_in.items()}
        if read_again:
            for url, snapshot_id in dict.fromkeys((passage.url, passage.snapshot_id) for passage in passages):
                with suppress(WellreadError):  # then the verdict says what is wrong, or that the snapshot is gone
                    find_cited = partial(lookup.cited, url, "balanced", snapshot_id, identity=identities[url])
                    if await to_thread.run_sync(find_cited) is None:
                        request = Request(url=url, user_asked=True, credentials=signed_in[url])
                        await self._reader.newest(request, fresh=True)

        def load_snapshot(passage: Passage) -> tuple[Snapshot, str] | None:
            identity = identities[passage.url]
            result = lookup.cited(passage.url, "balanced", passage.snapshot_id, identity=identity)
            if result is None:
                return None
            text = result.canonical_text
            lookup.keep_prints(result)
            return (result.snapshot, text)

        return await to_thread.run_sync(verification.verify, passages, load_snapshot)


def _no_profile(name: str) -> ProfileSecrets:
    raise InvalidInput(f"there is no profile {name[:64]!r}")


def _of_one_host(urls: Iterable[str], options: SignInOptions) -> tuple[Iterable[str], Callable[[str], None]]:
    """Return `urls`, and the check of one: secrets that are given by value are for the host of the first URL alone."""
    if not is_signed_in(options) or names_hosts(options):
        return urls, lambda _: None
    remaining = iter(urls)
    first = next(remaining, None)
    if first is None:
        return (), lambda _: None
    return chain((first,), remaining), lambda url: check_same_origin(trim_url(url), trim_url(first))


def _host(url: str) -> str:
    """Return the host of a URL, or an empty text where it has none."""
    try:
        return urlsplit(schemeless_urls.candidate_urls(trim_url(url))[0]).netloc.lower()
    except ValueError:
        return ""


def _checked_query(
    text: str, count: int, region: str | None, freshness: Freshness | None, *, noun: str = "query"
) -> Query:
    """Return the query with its text, which the message calls a `noun`, as the caller's argument is called."""
    if not text.strip():
        raise InvalidInput(f"the {noun} is empty", hint="give the words to search for")
    if count < 1:
        raise InvalidInput(f"the number of results cannot be {count}", hint="use at least 1")
    if region is not None and not _REGION.fullmatch(region):
        raise InvalidInput(f"{region!r} is not a country code", hint="use two letters (ISO 3166-1 alpha-2), such as US")
    if freshness not in {None, *get_args(Freshness)}:
        raise InvalidInput(f"{freshness!r} is not a freshness", hint="one of " + ", ".join(get_args(Freshness)))
    return Query(text=text.strip(), count=count, region=region.upper() if region else None, freshness=freshness)


def _passages(cited: Sequence[Passage] | Gathered | Answer | Research) -> Sequence[Passage]:
    if isinstance(cited, Gathered):
        return cited.passages
    if isinstance(cited, Answer | Research):
        return cited.citations
    return cited
