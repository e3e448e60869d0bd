"""Counts the pages that reading over HTTP alone would send to a browser, for `extraction.py --rendering`.

WCXB tags pages that scripts build (`_internal.spa`) and gives them no truth; of some the saved file holds what was
built, of some the scripts were taken out. A page is sent where its reading is thin or empty and it has scripts.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Protocol

from wellread.errors import Empty
from wellread.reading.read import needs_rendering
from wellread.reading.snapshot_building import build_snapshot, print_extraction
from wellread.types import Extraction, Response

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

WORDS = {
    "sent": "sent to a browser",
    "bare": "told as thin or empty; no scripts are left in the file",
    "read": "read over HTTP",
}


class Page(Protocol):
    """A page of the set."""

    @property
    def name(self) -> str: ...
    @property
    def body(self) -> bytes: ...
    @property
    def url(self) -> str | None: ...
    @property
    def spa(self) -> bool: ...


def report(extract: Callable[[str, bytes, str | None], Extraction], pages: Iterable[Page]) -> None:
    """Print how many pages are sent, of those that are tagged and of the rest."""
    ends = {True: Counter[str](), False: Counter[str]()}
    for page in pages:
        ends[page.spa][_end(extract, page)] += 1
    print("\nwhat becomes of pages where rendering is on (render=auto)")
    for tagged, count in ends.items():
        print(f"  of {count.total()} {'tagged as built by scripts' if tagged else 'others'}:")
        for end, words in WORDS.items():
            print(f"    {count[end]:5} ({count[end] / max(1, count.total()):6.1%}) {words}")


def _end(extract: Callable[[str, bytes, str | None], Extraction], page: Page) -> str:
    url = page.url or ""
    try:
        found = extract(f"wcxb/{page.name}", page.body, page.url)
        answer = Response(url=url, status=200, headers=(), body=b"")
        result = build_snapshot(print_extraction(found), answer, url=url, fetched_at=0.0, extraction_time_ms=0)
    except Empty as error:
        return "sent" if error.scripted else "bare"
    if needs_rendering(result):
        return "sent"
    return "bare" if any(notice.code == "thin_content" for notice in result.snapshot.extraction.notices) else "read"
