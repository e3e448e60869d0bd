"""Jina Search (https://jina.ai/reader/): results without their pages, by key.

Finding nothing is an error there: 422, with a status of its own inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.web.search import answers, dialect, payload

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import Request, Response

BASE_URL = "https://s.jina.ai"
_FAILED_ASSERTION = 42206
_NOTHING = "no search results"


class Jina:
    """Implements `ports.SearchProvider`."""

    name = "jina"
    keyless = False
    place = 100
    filters = frozenset({"page"})
    max_count = 10
    interval_s = 0.6

    def request(self, query: Query, access: Access) -> Request:
        """Return the GET; how many results come, it decides."""
        parameters = {"q": dialect.query_text(query), "page": dialect.page(query), "respondWith": "no-content"}
        headers = (("Authorization", f"Bearer {dialect.key(access, self.name)}"),)
        return dialect.get(f"{dialect.base(access, BASE_URL)}/", parameters, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return answers.parse_json(response, self.name, rows=_rows, failure=_failure)


def _rows(answer: Mapping[str, object]) -> Sequence[answers.ResultRow] | None:
    if answer.get("code") != 200:
        return None
    return answers.rows_of(answer.get("data"), "url", "title", "description", "date")


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    message = payload.text(answer.get("message")).lower()
    if response.status == 422 and answer.get("status") == _FAILED_ASSERTION and message.startswith(_NOTHING):
        return answers.parse_rows(response, Jina.name, ())
    if response.status == 429:
        return answers.outcome("rate_limited", response, answer, wait_s=payload.number(answer.get("retryAfter")))
    return None
