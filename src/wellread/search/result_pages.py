"""Decides which pages of results one provider is asked for, and joins them: pure, and bounded by `MAX_PAGES`.

A request brings at most `max_count` results. A query for more takes several, until it has its results, a page adds
nothing new, or the service says that there is no more. Whatever else ends it is the shortfall that a caller is told.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from wellread.search.url_dedup import page_key

if TYPE_CHECKING:
    from wellread.ports import Access, Parsed, Query, SearchProvider
    from wellread.types import Hit

MAX_PAGES = 10
"""Requests for one query to one provider."""


def is_past_last_page(provider: SearchProvider, query: Query, access: Access) -> bool:
    """Return whether the provider has no page of that number.

    Providers bring a page beyond their limits within them, so its request is then that of the page before.

    Raises:
        Auth: the provider needs a key that `access` lacks.
    """
    if query.page <= 1 or "page" not in provider.filters:
        return False
    return provider.request(query, access) == provider.request(replace(query, page=query.page - 1), access)


@dataclass(slots=True)
class ResultPages:
    """The pages of results that `query` takes at `provider`, and the hits that they brought."""

    provider: SearchProvider
    query: Query
    next: Query = field(init=False)
    """The query of the next request: a number of results, and the page of pages of that size."""
    hits: list[Hit] = field(default_factory=list, init=False)
    is_done: bool = field(default=False, init=False)
    shortfall: str = field(default="", init=False)
    """Why hits are missing; empty where nothing is known to be missing."""
    _skip: int = field(default=0, init=False)
    _last_page: int = field(default=1, init=False)
    _urls: set[str] = field(default_factory=set, init=False)

    def __post_init__(self) -> None:
        """Find the pages of the provider's size that hold the results of the query's page."""
        size, count, page = self.provider.max_count, self.query.count, self.query.page
        self.next = replace(self.query, count=min(count, size))
        if not self._takes_several:
            return
        start = (max(page, 1) - 1) * count
        first_page = start // size + 1
        self._skip = start % size
        self._last_page = MAX_PAGES
        if page > 1:  # what follows its last page belongs to the query's next one
            self._last_page = min(-(-(start + count) // size), first_page + MAX_PAGES - 1)
        self.next = replace(self.next, page=first_page)

    @property
    def _takes_several(self) -> bool:
        return self.query.count > self.provider.max_count and "page" in self.provider.filters

    def add(self, parsed: Parsed, access: Access) -> None:
        """Take the hits of the page that `next` asked for, and decide whether another is asked for.

        Raises:
            Auth: the provider needs a key that `access` lacks.
        """
        hits_before = len(self._urls)
        for hit in parsed.hits:
            key = page_key(hit.url)
            if key in self._urls and self._takes_several:
                continue
            self._urls.add(key)
            if self._skip:
                self._skip -= 1
            else:
                self.hits.append(replace(hit, rank=len(self.hits) + 1))
        if len(self.hits) >= self.query.count:
            del self.hits[self.query.count :]
            self.is_done = True
        elif not self._takes_several:
            self._end_single_page(parsed)
        elif parsed.code not in {"ok", "partial", "no_results"}:
            self.end(f"page {self.next.page} ended with {parsed.code} ({parsed.detail})")
        elif len(self._urls) == hits_before:
            self.is_done = True
        else:
            self._turn(parsed, access)

    def _end_single_page(self, parsed: Parsed) -> None:
        self.is_done = True
        is_full = len(self.hits) >= self.provider.max_count and parsed.more is not False
        if self.query.count > self.provider.max_count and (is_full or parsed.more):
            self.end("the service gives no more for one query")

    def _turn(self, parsed: Parsed, access: Access) -> None:
        following = replace(self.next, page=self.next.page + 1)
        if is_past_last_page(self.provider, following, access):
            self.end(f"the service has no page after page {self.next.page}")
        elif parsed.more is False:
            self.is_done = True
        elif following.page > self._last_page:
            self.end(f"no page after page {self.next.page} is asked for")
        else:
            self.next = following

    def end(self, reason: str) -> None:
        """Ask for no further page, and keep `reason` as the shortfall."""
        self.is_done = True
        self.shortfall = f"{len(self.hits)} of {self.query.count} results: {reason}"
