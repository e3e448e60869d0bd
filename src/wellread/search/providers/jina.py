"""Jina Search (https://jina.ai/reader/): results without their pages, by key.

Finding nothing is an error there: 422, with a status of its own inside.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import json_payload, request_building, response_parsing

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
        parameters = {
            "q": request_building.query_text(query),
            "page": request_building.page(query),
            "respondWith": "no-content",
        }
        headers = (("Authorization", f"Bearer {request_building.key(access, self.name)}"),)
        return request_building.get(f"{request_building.base(access, BASE_URL)}/", parameters, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    if answer.get("code") != 200:
        return None
    return response_parsing.rows_of(answer.get("data"), "url", "title", "description", "date")


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    message = json_payload.text(answer.get("message")).lower()
    if response.status == 422 and answer.get("status") == _FAILED_ASSERTION and message.startswith(_NOTHING):
        return response_parsing.parse_rows(response, Jina.name, ())
    if response.status == 429:
        return response_parsing.outcome(
            "rate_limited", response, answer, wait_s=json_payload.number(answer.get("retryAfter"))
        )
    return None
