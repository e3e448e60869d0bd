"""Reads a page: lookup, fetch, extraction, render fallback, store, slice. The whole of a read, top to bottom."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

import anyio
from anyio import to_thread

from wellread.citations import cursors
from wellread.documents import archive_urls
from wellread.errors import (
    BlockedAddress,
    Challenge,
    Empty,
    InvalidCursor,
    InvalidUrl,
    RedirectLoop,
    Robots,
    Timeout,
    UnavailableError,
    WellreadError,
)
from wellread.net import https_first, schemeless_urls
from wellread.net.held_lease import held_lease
from wellread.reading import answer_notices, page_printing
from wellread.reading.read_options import check_options, full_address, source_view
from wellread.reading.read_result import MIN_CONFIDENCE, ReadResult
from wellread.reading.single_flight import SingleFlight
from wellread.reading.snapshot_lookup import partial_place, rendered_place
from wellread.types import MAIN_CONTENT, Notice, Request, header

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.credentials import Credentials
    from wellread.ports import CacheEntry, Clock, Leases, Renderer, Trace
    from wellread.reading.document_fetch import DocumentFetcher
    from wellread.reading.read_options import ReadOptions
    from wellread.reading.sandbox import SandboxedReader
    from wellread.reading.snapshot_lookup import SnapshotLookup
    from wellread.types import Hit, Mode, Page, Render, Snapshot, SourceView


_FETCHER_LATE_S = 0.5
_QUICK_CHARS = 20_000
"""A piece up to here of a document that is printed already is cut at once: a thread would take longer."""


class PageReader:
    """Reads pages. Safe for concurrent use within one event loop."""

    def __init__(
        self,
        *,
        lookup: SnapshotLookup,
        fetcher: DocumentFetcher,
        sandbox: SandboxedReader,
        renderer: Renderer | None,
        leases: Leases,
        clock: Clock,
        timeout_s: float,
        trace: Trace,
    ) -> None:
        """Take the parts; nothing is opened here. `timeout_s` bounds a read that has no limit of its own.

        Replicas that share `leases` fetch a page once for all of them.
        """
        self.lookup = lookup
        self._fetcher = fetcher
        self._sandbox = sandbox
        self._renderer = renderer
        self._store = lookup.store
        self._leases = leases
        self._clock = clock
        self._timeout_s = timeout_s
        self._trace = trace
        self._flights: SingleFlight[ReadResult] = SingleFlight(WellreadError)

    async def read(self, url: str, options: ReadOptions, credentials: Credentials | None = None) -> Page:
        """Return the page at `url`, signed in with `credentials`, or its next piece if a cursor is given.

        Raises:
            InvalidInput: a wrong option.
            InvalidCursor: the page has changed since the cursor was made, and its snapshot is not stored.
            RefusedError, UnavailableError, UnreadableError: as `newest`.
        """
        check_options(options)
        url = full_address(url, options)
        began = self._clock.monotonic()
        mode = options.get("mode", "balanced")
        cursor_text = options.get("cursor")
        place = cursors.decode(cursor_text) if cursor_text else _first_place(options)
        view = source_view(options, place.format)
        result = None
        if place.snapshot_id:
            result = await self._cited(url, mode, place.snapshot_id, _identity(credentials))
        if result is None:
            request = Request(
                url=url,
                user_asked=options.get("user_asked", False),
                credentials=credentials,
                scroll=options.get("scroll", "auto"),
                wait=view.wait,
            )
            result = await self.newest(
                request,
                mode=mode,
                render=render_of(view, options.get("render", "auto")),
                fresh=options.get("fresh", False),
                view=view,
            )
        # Where the snapshot was evicted, or another process has it in memory, the page may still be the same.
        if place.snapshot_id not in {"", result.snapshot.id}:
            raise InvalidCursor(f"the cursor belongs to another page than {url}, or to an older version of it", url=url)
        left_s = seconds_left(self._timeout_s, self._seconds_since(began))
        with _deadline(url, left_s, limit_s=self._timeout_s, stage="printing the page"):
            return await self._printed(
                result,
                place,
                max_length=options.get("max_length"),
                max_tokens=options.get("max_tokens"),
                total_time_ms=round(self._seconds_since(began) * 1000),
            )

    async def newest(
        self,
        request: Request,
        *,
        mode: Mode = "balanced",
        render: Render = "auto",
        fresh: bool = False,
        view: SourceView = MAIN_CONTENT,
    ) -> ReadResult:
        """Return the newest snapshot of the requested page: from the store while it is fresh, else from its site.

        Raises:
            RefusedError: not a URL, not public, or forbidden by robots.txt.
            UnavailableError: the site or the network failed; `retryable` says whether later may help.
            UnreadableError: reached, but there is nothing to read.
        """
        limit_s = self._timeout_s if request.timeout_s is None else request.timeout_s
        if request.scroll == "all":
            render = "always"
        with self._trace("read") as tell:
            only_https = request.credentials is not None
            for attempt in https_first.attempts(request.url, timeout_s=limit_s, only_https=only_https):
                with attempt:
                    http_s = request.timeout_s if attempt.timeout_s is None else attempt.timeout_s
                    result = await self._best(
                        replace(request, url=attempt.url),
                        mode=mode,
                        render=render,
                        fresh=fresh,
                        http_timeout_s=http_s,
                        view=view,
                    )
                    tell(cached=result.cached, rendered=result.snapshot.rendered)
                    return result
        raise AssertionError("the last attempt returns or raises")

    async def read_hit(self, hit: Hit, *, timeout_s: float, credentials: Credentials | None = None) -> ReadResult:
        """Return the page of a search hit; where it cannot be had now, its newest snapshot, with a notice.

        Raises:
            RefusedError, UnavailableError, UnreadableError: as `newest`.
        """
        local = await to_thread.run_sync(self.lookup.at_hand, hit)
        if local is not None:
            return local
        try:
            return await self.newest(Request(url=hit.url, timeout_s=timeout_s, credentials=credentials))
        except UnavailableError as error:
            find_last = partial(self.lookup.last_known, hit, identity=_identity(credentials))
            last = await to_thread.run_sync(find_last)
            if last is None:
                raise
            return last.with_notice(answer_notices.kept(last.snapshot, error))

    async def _printed(
        self,
        result: ReadResult,
        place: cursors.Cursor,
        *,
        max_length: int | None,
        max_tokens: int | None,
        total_time_ms: int,
    ) -> Page:
        """Return the piece of a page that begins at `place`; a thread prints it unless it is printed already."""

        def print_page() -> Page:
            page = page_printing.printed_page(
                result,
                format=place.format,
                start=place.start,
                max_length=max_length,
                max_tokens=max_tokens,
                images=place.images,
                links=place.links,
                total_time_ms=total_time_ms,
            )
            self.lookup.keep_prints(result, goes_on=page.truncated)
            return page

        is_printed = result.prints.has(page_printing.document_format(place.format), images=place.images)
        is_short = max_tokens is None and max_length is not None and max_length <= _QUICK_CHARS
        if is_printed and is_short and place.links == "inline":
            return print_page()
        return await to_thread.run_sync(print_page, abandon_on_cancel=True)

    async def _cited(self, url: str, mode: Mode, snapshot_id: str, identity: str) -> ReadResult | None:
        for full_url in schemeless_urls.candidate_urls(url):
            find_cited = partial(self.lookup.cited, full_url, mode, snapshot_id, identity=identity)
            result = await to_thread.run_sync(find_cited)
            if result is not None:
                return result
        return None

    # ------------------------------------------------------------------------------------ over HTTP or rendered

    async def _best(
        self,
        request: Request,
        *,
        mode: Mode,
        render: Render,
        fresh: bool,
        http_timeout_s: float | None,
        view: SourceView,
    ) -> ReadResult:
        """Return the better reading of a page, over HTTP or rendered, within `request.timeout_s`."""
        http_request = replace(request, timeout_s=http_timeout_s)
        is_member = archive_urls.split(request.url).url != request.url
        obstacle = render_obstacle(is_member=is_member, has_renderer=self._renderer is not None)
        if obstacle or render == "never":
            result = await self._by_http(http_request, mode=mode, fresh=fresh, view=view)
            if render == "always":
                return result.with_notice(not_rendered(obstacle))
            return result
        began = self._clock.monotonic()
        http: ReadResult | HttpFailure | None = None
        if render == "auto":
            http = await self._http_outcome(http_request, mode=mode, fresh=fresh, view=view)
            if not needs_rendering(http):
                return _result_or_raise(http)
        limit_s = request.timeout_s or self._timeout_s
        left_s = render_time_s(limit_s, self._seconds_since(began), is_first=http is None)
        try:
            render_request = replace(request, timeout_s=left_s)
            rendered = await self._rendered(render_request, mode=mode, fresh=fresh, view=view)
        except REFUSALS:
            raise
        except WellreadError as error:
            if http is None:
                left_s = seconds_left(limit_s, self._seconds_since(began))
                http_request = replace(http_request, timeout_s=left_s)
                with _limit_named(request.url, limit_s):
                    http = await self._http_outcome(http_request, mode=mode, fresh=fresh, view=view)
            if isinstance(http, WellreadError):
                raise unread_error(http, error, render) from error
            return http.with_notice(not_rendered(render_problem(error)))
        if isinstance(http, ReadResult) and not is_better(rendered.snapshot, http.snapshot):
            return http
        return rendered

    async def _http_outcome(
        self, request: Request, *, mode: Mode, fresh: bool, view: SourceView
    ) -> ReadResult | HttpFailure:
        """Return the reading over HTTP, or its error where a browser may do better."""
        try:
            return await self._by_http(request, mode=mode, fresh=fresh, view=view)
        except HTTP_FAILURES as error:
            return error

    # ------------------------------------------------------------------------------------ lookup, fetch, store

    async def _by_http(self, request: Request, *, mode: Mode, fresh: bool, view: SourceView) -> ReadResult:
        """Return the stored copy while it is fresh; else fetch the page, once for all callers that wait for it."""
        keys = self._keys(request, mode, view=view)
        copies = [await to_thread.run_sync(self._store.get, key) for key in keys]
        for copy in copies:
            if copy is not None and copy.fresh and not fresh:
                return self._stored_copy(copy)
        key, stored = keys[0], copies[0]
        # The key contains `user_asked`: a person's request and an agent's request never share a robots.txt verdict.
        return await self._flights.run(
            key, lambda: self._fetched_once(request, key, stored, mode=mode, fresh=fresh, view=view)
        )

    def _stored_copy(self, copy: CacheEntry) -> ReadResult:
        """Return a stored copy, which says its age where the site asks not to keep it."""
        result = self.lookup.result(copy.snapshot)
        if not copy.snapshot.is_unkeepable:
            return result
        age_s = max(self._clock.now().timestamp() - copy.snapshot.fetched_at, 0.0)
        detail = f"this cached copy is {age_s:.0f} s old, and the site disallows caching; --fresh fetches it again"
        return result.with_notice(Notice("kept_copy", detail))

    async def _fetched_once(
        self, request: Request, key: str, stored: CacheEntry | None, *, mode: Mode, fresh: bool, view: SourceView
    ) -> ReadResult:
        """Return the snapshot that another replica stores meanwhile, if one reads the page now; else fetch it."""
        limit_s = request.timeout_s or self._timeout_s
        began = self._clock.monotonic()
        async with held_lease(self._leases, f"flight {key}", wait_s=limit_s) as has_waited:
            if not has_waited:
                return await self._fetched(request, key, stored, mode=mode, fresh=fresh, view=view)
            copy = await to_thread.run_sync(self._store.get, key)
            if copy is not None and copy.fresh and not (fresh and copy == stored):
                return self.lookup.result(copy.snapshot)
            request = replace(request, timeout_s=seconds_left(limit_s, self._seconds_since(began)))
            return await self._fetched(request, key, copy, mode=mode, fresh=fresh, view=view)

    async def _fetched(
        self, request: Request, key: str, stored: CacheEntry | None, *, mode: Mode, fresh: bool, view: SourceView
    ) -> ReadResult:
        """Fetch a page, extract its content, and store the snapshot."""
        limit_s = request.timeout_s or self._timeout_s
        began = self._clock.monotonic()
        document_url, member = archive_urls.split(request.url)
        # The fetcher has the same deadline, and knows what it waits for; this one stands behind it.
        with _deadline(request.url, limit_s + _FETCHER_LATE_S, limit_s=limit_s):
            await self._sandbox.warm()
            response, is_stored = await self._fetcher.fetch(
                replace(request, url=document_url), stored, is_member=bool(member), fresh=fresh
            )
        left_s = max(limit_s - self._seconds_since(began), 0.0)
        with _deadline(request.url, left_s, limit_s=limit_s, stage="reading the page"):
            if response.status == 304 and stored is not None:
                await to_thread.run_sync(self._store.renew, key)
                return self.lookup.result(stored.snapshot)
            url = archive_urls.join(document_url, member)
            identity = _identity(request.credentials)

            def store(result: ReadResult) -> None:
                # A partial body is stored by its id alone: its cursors work, and no later read takes it for the page.
                place = key if response.partial is None else partial_place(result.snapshot)
                etag, modified = header(response.headers, "etag"), header(response.headers, "last-modified")
                self._store.put(place, result.snapshot, identity=identity, etag=etag, last_modified=modified)

            result = await self._sandbox.read(response, url=url, mode=mode, member=member, view=view, store=store)
        return result._replace(cached=is_stored)

    # ------------------------------------------------------------------------------------ rendered

    async def _rendered(self, request: Request, *, mode: Mode, fresh: bool, view: SourceView) -> ReadResult:
        """Return the rendering of a page, which is stored beside the reading over HTTP, never in its place."""
        keys = self._keys(request, mode, view=view)
        places = [rendered_place(key, scroll=request.scroll) for key in keys]
        for place in places:
            copy = await to_thread.run_sync(self._store.get, place)
            if copy is not None and copy.fresh and not fresh:
                return self.lookup.result(copy.snapshot)
        return await self._flights.run(places[0], lambda: self._rendered_once(request, places[0], mode, view=view))

    async def _rendered_once(self, request: Request, place: str, mode: Mode, *, view: SourceView) -> ReadResult:
        """Return the rendering that another replica stores meanwhile, if one renders the page now; else render it."""
        limit_s = request.timeout_s or self._timeout_s
        began = self._clock.monotonic()
        async with held_lease(self._leases, f"flight {place}", wait_s=limit_s) as has_waited:
            if not has_waited:
                return await self._render(request, place, mode, view=view)
            copy = await to_thread.run_sync(self._store.get, place)
            if copy is not None and copy.fresh:
                return self.lookup.result(copy.snapshot)
            request = replace(request, timeout_s=seconds_left(limit_s, self._seconds_since(began)))
            return await self._render(request, place, mode, view=view)

    async def _render(self, request: Request, place: str, mode: Mode, *, view: SourceView) -> ReadResult:
        assert self._renderer is not None  # else `render_obstacle` names the lack
        limit_s = request.timeout_s or self._timeout_s
        # The browser has the same deadline for each try, and may be lost and tried again; this one holds over all.
        with _deadline(request.url, limit_s + _FETCHER_LATE_S, limit_s=limit_s, stage="rendering the page"):
            rendering = await self._renderer.render(request)
            try:
                result = await self._sandbox.read(
                    rendering.response, url=request.url, mode=mode, notices=rendering.notices, view=view
                )
            except Empty as error:
                error.failed_requests = "; ".join(
                    notice.detail for notice in rendering.notices if notice.code == "requests_failed"
                )
                raise
        result = result._replace(snapshot=replace(result.snapshot, rendered=True))
        if rendering.is_provisional:
            place = partial_place(result.snapshot)
        put = partial(self._store.put, place, result.snapshot, identity=_identity(request.credentials))
        await to_thread.run_sync(put)
        return result

    def _keys(self, request: Request, mode: Mode, *, view: SourceView) -> tuple[str, ...]:
        identity = _identity(request.credentials)
        return self.lookup.keys(request.url, mode, user_asked=request.user_asked, identity=identity, view_key=view.key)

    def _seconds_since(self, began: float) -> float:
        return self._clock.monotonic() - began


def _first_place(options: ReadOptions) -> cursors.Cursor:
    """Return where the first piece of a page begins, in no snapshot yet."""
    return cursors.Cursor(
        snapshot_id="",
        format=options.get("format", "markdown"),
        start=0,
        images=options.get("images", False),
        links=options.get("links", "inline"),
    )


def _identity(credentials: Credentials | None) -> str:
    if credentials is None:
        return ""
    return credentials.identity


def _result_or_raise(outcome: ReadResult | HttpFailure) -> ReadResult:
    if isinstance(outcome, WellreadError):
        raise outcome
    return outcome


@contextmanager
def _limit_named(url: str, limit_s: float) -> Iterator[None]:
    """Name the limit of the whole read where a part of it ran out of time."""
    try:
        yield
    except Timeout as error:
        message = f"{url} was not read within {limit_s:g} s, neither in the browser nor over HTTP"
        raise Timeout(message, url=url, limit_s=limit_s) from error


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


# -------------------------------------------------------------------------------------------------- the render fallback
# The render fallback decides when a page is rendered in the browser, and which of two readings is returned; pure.
#
# `auto` renders what came out thin or empty and waits for its scripts, `always` whatever is asked for. Either falls
# back to the reading over HTTP, and says why.

HttpFailure = Empty | Challenge | RedirectLoop
HTTP_FAILURES: Final = (Empty, Challenge, RedirectLoop)
"""A browser may do better than HTTP after these: it runs scripts and bot checks, and keeps cookies."""
REFUSALS: Final = (InvalidUrl, BlockedAddress, Robots)
"""After these errors of a rendering, the page is not read over HTTP either."""

_MIN_S = 1.0
"""The least time for rendering, for HTTP after it, or for printing, where the work before has left next to none."""
_MAX_RESERVE_S = 2.0
"""Of the deadline, the most that rendering leaves to the reading over HTTP that follows when it fails."""
_RESERVE_SHARE = 0.2


def render_of(view: SourceView, render: Render) -> Render:
    """Return when a page is rendered: always where it is waited for, for the source as it came only on request."""
    if render == "auto" and view.wait:
        return "always"
    if render == "auto" and view.form == "raw":
        return "never"
    return render


def render_obstacle(*, is_member: bool, has_renderer: bool) -> str:
    """Return the reason why a page cannot be rendered at all; empty where it can."""
    if is_member:
        return "a browser does not open members of archives"
    if not has_renderer:
        return "rendering is disabled (set render.enabled=true)"
    return ""


def needs_rendering(http: ReadResult | HttpFailure) -> bool:
    """Return whether scripts probably show more than the reading over HTTP, which is thin or failed."""
    if isinstance(http, Empty):
        return http.scripted
    if isinstance(http, WellreadError):
        return True
    is_thin = any(notice.code == "thin_content" for notice in http.snapshot.extraction.notices)
    return is_thin and not http.snapshot.rendered


def seconds_left(limit_s: float, elapsed_s: float) -> float:
    """Return the seconds that are left of the deadline of a read, at least one."""
    return max(limit_s - elapsed_s, _MIN_S)


def render_time_s(limit_s: float, elapsed_s: float, *, is_first: bool) -> float:
    """Return the seconds for rendering; where it comes first, HTTP may have to follow within the deadline."""
    if is_first:
        limit_s -= min(_MAX_RESERVE_S, limit_s * _RESERVE_SHARE)
    return seconds_left(limit_s, elapsed_s)


def is_better(rendered: Snapshot, http: Snapshot) -> bool:
    """Return whether the rendered reading is the better one: it is, unless it lost text of the other."""
    return rendered.confidence >= min(http.confidence, MIN_CONFIDENCE)


def not_rendered(reason: str) -> Notice:
    """Return the notice of a page that is read over HTTP although it should have been rendered."""
    return Notice("not_rendered", f"the page was not rendered: {reason}")


def render_problem(error: WellreadError) -> str:
    """Return why a rendering failed, with the hint of its error."""
    hint = f"({error.hint})" if error.hint else ""
    if isinstance(error, Empty) and error.failed_requests:
        hint = f"({error.failed_requests})"
    return " ".join(part for part in (error.message, hint) if part)


def unread_error(http: HttpFailure, rendering: WellreadError, render: Render) -> HttpFailure:
    """Return the error of a page that neither HTTP nor the browser could read."""
    hint: str | None = f"the page was not rendered: {render_problem(rendering)}"
    if render == "auto" and isinstance(http, RedirectLoop):
        hint = http.hint  # a browser is rarely the remedy, and the lack of one is not the cause
    elif isinstance(rendering, Empty) and rendering.failed_requests:
        hint = f"a browser shows no text either: {rendering.failed_requests}"
    elif isinstance(rendering, Empty):
        hint = "read another source; a browser shows no text either"
    elif isinstance(rendering, Challenge):
        hint = f"the browser gets a bot check, too: {Challenge.default_hint}"
    return type(http)(http.message, url=http.url, hint=hint, status=http.status)
