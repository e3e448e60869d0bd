"""What each operation does: the library's own call, brought within the bounds that hold at a door."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import anyio

from wellread.apps.operations import gathering
from wellread.apps.operations.results import Indexed, IndexedUrls, PageResult, PageResults, ReadFailure
from wellread.apps.shapes import with_notices
from wellread.errors import InvalidInput, WellreadError
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.apps.operations import arguments as takes
    from wellread.apps.operations.gathering import Event
    from wellread.apps.operations.results import Saved
    from wellread.apps.operations.sessions import Sessions
    from wellread.apps.operations.workspace import Workspace
    from wellread.apps.profile_grants import Interface
    from wellread.types import Found, Gathered, Hit, Page
    from wellread.web.find import Spots
    from wellread.web.pipeline import Pipeline, ReadOptions

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
LIST_ITEMS = 1_000
"""Of links, images, headings and posts, each."""


HINTS = {
    "robots": "read another source; only a person at the server's own machine may pass over robots.txt",
    "blocked_address": "only public addresses are read for callers of a server",
}
"""Instead of hints that name what no caller of a server can do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Means:
    """What a deed has to work with."""

    web: Pipeline
    workspace: Workspace
    sessions: Sessions
    caller: str | None
    """The name of a key; None for whoever sits at this machine."""
    interface: Interface = "tools"
    tell: Callable[[Event], Awaitable[None]]


async def search(means: Means, asked: takes.Search) -> Found:
    """Search; snippets are cut short."""
    found = await means.web.search(
        asked.query, count=asked.count, region=asked.region, freshness=asked.freshness, provider=asked.provider
    )
    return replace(found, hits=_brief(found.hits))


async def read(means: Means, asked: takes.Read) -> Page:
    """Read a page or its next piece; without a length, as much of it as fits one answer."""

    async def piece(chars: int) -> Page:
        return await means.web.read(
            asked.url,
            format=asked.format,
            max_length=chars,
            max_tokens=asked.max_tokens,
            cursor=asked.cursor,
            mode=asked.mode,
            images=asked.images,
            links=asked.links,
            fresh=asked.fresh and chars == first,
            member=asked.member,
        )

    is_bounded = asked.max_length is not None or asked.max_tokens is not None
    first = _max_chars(asked, PIECE_CHARS)
    page = await piece(first)
    fewer = _fitting_chars(page.text, PIECE_BYTES)
    if not is_bounded and fewer is not None:
        page = await piece(fewer)
    return _listed(page)


async def read_many(means: Means, asked: takes.ReadMany) -> PageResults:
    """Read several pages at a time, in their order; without a length, as much of each as fits one answer together.

    Raises:
        InvalidInput: no URL is given.
    """
    if not asked.urls:
        raise InvalidInput("web_read_many needs urls", hint="give at least one URL")
    share = max(PIECE_CHARS // len(asked.urls), MIN_PIECE_CHARS)
    is_bounded = asked.max_length is not None or asked.max_tokens is not None
    options: ReadOptions = {
        "format": asked.format,
        "max_length": _max_chars(asked, share),
        "max_tokens": asked.max_tokens,
        "mode": asked.mode,
        "images": asked.images,
        "links": asked.links,
        "fresh": asked.fresh,
    }
    pages = means.web.read_many(asked.urls, concurrency=CONCURRENCY, **options)
    results = []
    try:
        for url in asked.urls:
            outcome = await anext(pages)
            fewer = None
            if not is_bounded and not isinstance(outcome, WellreadError):
                fewer = _fitting_chars(outcome.text, share)
            if fewer is not None:
                shorter: ReadOptions = {**options, "max_length": fewer, "fresh": False}
                outcome = await means.web.read(url, **shorter)
            result = _result(url, outcome, all_notices=asked.all_notices)
            results.append(result)
            await means.tell(result)
    finally:
        with anyio.CancelScope(shield=True):
            await pages.aclose()
    return PageResults(results=tuple(results), failed=sum(result.error is not None for result in results))


def _max_chars(asked: takes.Read | takes.ReadMany, usual: int) -> int:
    """Return how many characters a piece may have: as asked, `usual`, or many where tokens bound it."""
    if asked.max_length is not None:
        return asked.max_length
    return usual if asked.max_tokens is None else MAX_PIECE_CHARS


def _fitting_chars(text: str, max_bytes: int) -> int | None:
    """Return how many characters of a text of that kind have `max_bytes`; None where the whole has no more."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return max(1, len(text) * max_bytes // size) if size > max_bytes else None


def _result(url: str, outcome: Page | WellreadError, *, all_notices: bool) -> PageResult:
    if isinstance(outcome, WellreadError):
        outcome.hint = HINTS.get(outcome.code, outcome.hint)
        error = ReadFailure(code=outcome.code, message=outcome.message, hint=outcome.hint, retryable=outcome.retryable)
        return PageResult(url=url, page=None, error=error)
    page = with_notices(_listed(outcome), all_notices=all_notices)
    return PageResult(url=url, page=page, error=None)


async def gather(means: Means, asked: takes.Gather) -> Gathered:
    """Gather evidence; hits are told with short snippets."""
    told = await gathering.gather(
        means.web,
        asked.question,
        num_results=asked.num_results,
        gather_top=asked.gather_top,
        provider=asked.provider,
        tell=means.tell,
    )
    return replace(told, hits=_brief(told.hits))


async def find(means: Means, asked: takes.Find) -> Spots:
    """Find words on a page."""
    return await means.web.find(asked.url, asked.pattern, regex=asked.regex, limit=asked.limit)


async def download(means: Means, asked: takes.Fetch) -> Saved:
    """Save a file into the workspace, the only folder that is written to."""
    return await means.workspace.save(means.web, asked.url, sha256=asked.sha256)


async def index_add(means: Means, asked: takes.Place) -> Indexed:
    """Keep a page in the local index."""
    added = await means.web.index(asked.url)
    return Indexed(url=asked.url, outcome="indexed" if added else "unchanged")


async def index_remove(means: Means, asked: takes.Place) -> Indexed:
    """Take a page out of the local index."""
    removed = await means.web.forget(asked.url)
    return Indexed(url=asked.url, outcome="removed" if removed else "not there")


async def index_list(means: Means, asked: takes.Listing) -> IndexedUrls:
    """List a piece of the local index; the cursor is the place in the list."""
    start = int(asked.cursor or "0")
    urls = await means.web.indexed()
    end = start + asked.limit
    return IndexedUrls(urls=urls[start:end], total=len(urls), cursor=str(end) if end < len(urls) else None)


def _listed(page: Page) -> Page:
    """Cut the lists of a page, which a hostile one can make as long as its bytes allow."""
    longest = max(len(page.links), len(page.images), len(page.headings), len(page.posts))
    if longest <= LIST_ITEMS:
        return page
    notice = Notice("list_cut", f"lists end after {LIST_ITEMS:,} of up to {longest:,} items", longest - LIST_ITEMS)
    return replace(
        page,
        links=page.links[:LIST_ITEMS],
        images=page.images[:LIST_ITEMS],
        headings=page.headings[:LIST_ITEMS],
        posts=page.posts[:LIST_ITEMS],
        notices=(*page.notices, notice),
    )


def _brief(hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
    return tuple(
        replace(hit, snippet=hit.snippet[:SNIPPET_CHARS].rstrip() + "\u2026")
        if len(hit.snippet) > SNIPPET_CHARS
        else hit
        for hit in hits
    )
