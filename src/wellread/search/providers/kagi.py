"""Kagi's Search API v1 (https://help.kagi.com/kagi/api/search.html): results without advertisements, by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import Request, Response

BASE_URL = "https://kagi.com"
LAST_PAGE = 10


class Kagi:
    """Implements `ports.SearchProvider`."""

    name = "kagi"
    keyless = False
    place = 50
    filters = frozenset({"region", "freshness", "page"})
    max_count = 20
    interval_s = 0.2

    def request(self, query: Query, access: Access) -> Request:
        """Return the POST; how many results come, it decides."""
        filters = {
            "after": request_building.first_day(query, "%Y-%m-%d"),
            "region": (query.region or "").lower() or None,
        }
        values = {
            "query": request_building.query_text(query),
            "workflow": "search",
            "page": request_building.page(query, LAST_PAGE),
            "filters": {name: value for name, value in filters.items() if value} or None,
        }
        headers = (("Authorization", f"Bearer {request_building.key(access, self.name)}"),)
        return request_building.post(f"{request_building.base(access, BASE_URL)}/api/v1/search", values, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    data = answer.get("data")
    if not isinstance(data, dict) or not isinstance(answer.get("meta"), dict):
        return None
    return response_parsing.rows_of(
        data.get("search", []), "url", "title", "snippet", "time"
    )  # left out when nothing matched


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    if response.status >= 400 and "credit" in response_parsing.error_message(answer).lower():
        return response_parsing.outcome("quota", response, answer)
    return None
