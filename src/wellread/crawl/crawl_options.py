"""The options of a crawl, and their limits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypedDict

from wellread.crawl.scope import check_globs
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from wellread.types import Format, Render, Scroll
    from wellread.values import Address

SitemapUse = Literal["include", "only", "skip"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """The URLs that a crawl asks for, and its limits."""

    limit: int = 100
    """URLs that are asked for."""
    depth: int = 5
    """Links from a start URL."""
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    subdomains: bool = False
    sitemap: SitemapUse = "include"
    max_bytes: int | None = None
    """Of all bodies together."""
    max_time_s: float | None = None
    render: Render = "never"
    scroll: Scroll = "auto"
    """all: scroll each page in a browser to its end, as `read` does."""
    format: Format = "markdown"
    index: bool = False
    """Add each page to the local index."""
    user_asked: bool = False
    recrawl: Literal["changed"] | None = None
    concurrency: int = 8
    """Hosts that are asked at a time."""
    frontier: Address | None = None
    """The PostgreSQL database that workers on other machines share; None: a file in the folder."""


class CrawlArguments(TypedDict, total=False):
    """The options of `crawl`, as `CrawlOptions` has them with their defaults."""

    limit: int
    depth: int
    include: tuple[str, ...]
    exclude: tuple[str, ...]
    subdomains: bool
    sitemap: SitemapUse
    max_bytes: int | None
    max_time_s: float | None
    render: Render
    scroll: Scroll
    format: Format
    index: bool
    user_asked: bool
    recrawl: Literal["changed"] | None
    concurrency: int
    frontier: Address | None


def crawl_options(arguments: CrawlArguments) -> CrawlOptions:
    """Return the options of a crawl.

    Raises:
        InvalidInput: there is no option of such a name, or it is out of range.
    """
    unknown = sorted(set(arguments) - set(CrawlArguments.__annotations__))
    if unknown:
        names = ", ".join(sorted(CrawlArguments.__annotations__))
        raise InvalidInput(f"crawl has no option {unknown[0]!r}", hint=f"its options are {names}")
    options = CrawlOptions(**arguments)
    if options.limit < 1 or options.depth < 0 or options.concurrency < 1:
        raise InvalidInput(
            f"limit {options.limit}, depth {options.depth}, concurrency {options.concurrency}",
            hint="limit and concurrency are at least 1, depth at least 0",
        )
    if options.scroll == "all" and options.render == "never":
        raise InvalidInput("only a browser can scroll a page", hint="set `render` to auto or always")
    check_globs("include", options.include)
    check_globs("exclude", options.exclude)
    return options
