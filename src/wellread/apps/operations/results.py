"""Results of operations that the library itself lacks: saved files, and entries of the local index."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from wellread.types import CrawlState, Notice, Page  # noqa: TC001 - the schemas of tools are made from it


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """A file that was downloaded, complete, into the server's workspace."""

    name: str
    """Its name in the workspace; the folder is the server's own affair."""
    uri: str
    """Where MCP clients read it: wellread://downloads/NAME."""
    url: str
    """Where it came from in the end."""
    bytes: int
    sha256: str
    content_type: str | None
    resumed: bool
    """Its first bytes had come earlier."""
    notices: tuple[Notice, ...] = ()
    """`web_page`: a web page came where the URL names a file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadFailure:
    """The reason why a page could not be read."""

    code: str
    message: str
    hint: str
    retryable: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResult:
    """A page, or the reason why it could not be read."""

    url: str
    """As it was asked for."""
    page: Page | None
    error: ReadFailure | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageResults:
    """The results of several pages, in the order of the request."""

    results: tuple[PageResult, ...]
    failed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawledUrl:
    """The outcome of one URL of a small crawl; the page is stored, and web_read returns it without a request."""

    url: str
    state: CrawlState
    title: str | None = None
    word_count: int = 0
    snapshot_id: str | None = None
    reason: str = ""
    """Why there is no page."""
    hint: str = ""
    """What would help, where the URL failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawledUrls:
    """The outcome of a small crawl."""

    urls: tuple[CrawledUrl, ...]
    waiting: int
    """URLs that were found and not asked for."""
    stopped_by: str
    """The bound that ended it: limit, bytes or time; empty where all was read."""
    hint: str = ""
    """That bound with its number, and what continues the crawl; empty where all was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedPage:
    """A page that is watched; times are seconds since the epoch."""

    id: int
    url: str
    every_s: float
    selector: str | None
    find: str | None
    next_at: float
    checked_at: float | None
    error: str | None
    """Why the last check failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchCheck:
    """The outcome of one check of a page."""

    id: int
    url: str
    state: Literal["new", "unchanged", "changed", "failed"]
    diff: str
    snapshot_id: str | None
    earlier_snapshot_id: str | None
    error: ReadFailure | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchChange:
    """A change of a watched page that an earlier check found."""

    found_at: float
    """Seconds since the epoch."""
    snapshot_id: str
    earlier_snapshot_id: str | None
    diff: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """The result of an action of `web_watch`; lists that the action does not have are empty."""

    watches: tuple[WatchedPage, ...] = ()
    """The caller's watches (list), or the one that was added or removed."""
    checks: tuple[WatchCheck, ...] = ()
    changes: tuple[WatchChange, ...] = ()
    due: int = 0
    """Pages that are due and were not checked by this call: run again."""
    notices: tuple[Notice, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Indexed:
    """The outcome of a page for the local index."""

    url: str
    outcome: Literal["indexed", "unchanged", "removed", "not there"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedUrls:
    """A piece of the list of URLs in the local index."""

    urls: tuple[str, ...]
    total: int
    cursor: str | None
    """Continues the list; null at its end."""
