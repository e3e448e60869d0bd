"""Writes the notices of an answer's shortcomings: no passages, weak ones, old pages.

Pure; no text of web pages enters a notice. A caller gets the passages that exist; these notices tell how much they are
worth.
"""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from wellread.ports import LOCAL
from wellread.text.counts import count_of
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.errors import UnavailableError
    from wellread.types import Found, Missed, Snapshot

WEAK: Final = "even the best passage matches the question only weakly; the passages may not answer it"
"""Said where the best passage is weak even after more had been asked for."""
_ANSWERED = frozenset({"ok", "no_results", "partial"})


def all_providers_failed(search_result: Found) -> bool:
    """Say whether nothing was found because every service that was asked failed.

    The local index is not counted: an empty local result does not mean an empty web.
    """
    services = [outcome for outcome in search_result.outcomes if outcome.provider != LOCAL]
    return not search_result.hits and bool(services) and not any(outcome.code in _ANSWERED for outcome in services)


def no_passages(search_result: Found, pages: int, missed: Sequence[Missed]) -> Notice:
    """Return the notice of an answer without a passage: why there is none, after so many `pages` that were read."""
    if pages:
        return Notice(
            "no_passages", f"no page that was read contains a word of the question ({count_of(pages, 'page')})"
        )
    if search_result.hits:
        reasons = ", ".join(
            f"{count} {code}" for code, count in Counter(outcome.code for outcome in missed).most_common()
        )
        return Notice("no_passages", f"none of the pages found could be read ({reasons})")
    ended = ", ".join(
        f"{outcome.provider}: {outcome.code}" for outcome in search_result.outcomes if outcome.provider != LOCAL
    )
    return Notice(
        "no_passages",
        f"no search service answered ({ended})" if all_providers_failed(search_result) else "the search found nothing",
    )


def missing_words(search_result: Found) -> list[Notice]:
    """Return a notice for each index that has words of the question on none of its pages."""
    remarks = [outcome.detail for outcome in search_result.outcomes if outcome.code == "ok" and outcome.detail]
    return [Notice("missing_words", remark) for remark in remarks]


def kept(snapshot: Snapshot, error: UnavailableError) -> Notice:
    """Return the notice of a page that cannot be had now, and was read from its newest snapshot."""
    day = datetime.fromtimestamp(snapshot.fetched_at, UTC).date().isoformat()
    detail = f"{snapshot.url} cannot be read now ({error.code}); the text is the snapshot of {day}"
    return Notice("kept_snapshot", detail)
