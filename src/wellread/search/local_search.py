"""Searches the embedded index: the provider that needs no key and no network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from anyio import to_thread

from wellread.errors import InvalidInput
from wellread.ports import LOCAL
from wellread.text.counts import count_of
from wellread.types import Found, ProviderOutcome

if TYPE_CHECKING:
    from wellread.ports import Clock, Index, Query
    from wellread.types import Hit

EMPTY = "the local index is empty; add pages with `wellread index URL`"


class LocalSearch:
    """A `wellread.ports.Searcher` over a `wellread.ports.Index`."""

    def __init__(self, index: Index, *, clock: Clock, why: str = "") -> None:
        """Take the index, and why nothing else is asked, if that wants saying; nothing is opened here."""
        self._index = index
        self._clock = clock
        self._why = why

    def instead(self, why: str) -> LocalSearch:
        """Return the same for where it stands in for others; an answer without hits says why."""
        return LocalSearch(self._index, clock=self._clock, why=why)

    async def search(self, query: Query) -> Found:
        """Return the best pages of the index, filters ignored; the index works in a thread of its own.

        Raises:
            ConfigError, UnavailableError: the index cannot be used.
            InvalidInput: `query` names another provider.
        """
        if query.provider not in {None, LOCAL}:
            raise InvalidInput(
                f"{query.provider!r} is not available; only the local index is searched", hint=f"one of {LOCAL}"
            )
        began = self._clock.monotonic()
        hits, detail = await to_thread.run_sync(self._ask, query)
        if not hits and self._why:
            detail = f"{self._why}; {detail}"
        if self._index.last_problem:
            detail = f"{self._index.last_problem}; {detail}".removesuffix("; ")
        outcome = ProviderOutcome(
            provider=LOCAL,
            code="ok" if hits else "no_results",
            count=len(hits),
            detail=detail,
            elapsed_ms=round((self._clock.monotonic() - began) * 1000),
        )
        ignored = tuple(name for name in ("region", "freshness") if getattr(query, name) is not None)
        return Found(query=query.text, hits=tuple(hits), outcomes=(outcome,), ignored_filters=ignored)

    def _ask(self, query: Query) -> tuple[list[Hit], str]:
        """Return the hits, and which words of the query the index lacks, or why there are none."""
        before = query.count * (query.page - 1)
        hits = self._index.search(query.text, before + query.count)[before:]
        missing = ", ".join(f'"{word}"' for word in self._index.missing_words(query.text))
        if hits:
            return hits, missing and f"no page has {missing}; the hits match other words of the query, or similar words"
        page_count = self._index.count()
        if not page_count:
            return hits, EMPTY
        if before:
            return hits, f"there is no page {query.page} of results"
        pages = count_of(page_count, "page")
        return hits, f"none of the {pages} in the local index has {missing or 'these words'}, or a similar word"
