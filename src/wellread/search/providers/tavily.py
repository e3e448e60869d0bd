"""Tavily (https://docs.tavily.com): search made for models, with a key, or within a small allowance without one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import json_payload, regions, request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import Headers, Request, Response

BASE_URL = "https://api.tavily.com"
_SPENT = {432, 433}
"""The plan's limit, and the limit set on paying as you go."""


class Tavily:
    """Implements `ports.SearchProvider`."""

    name = "tavily"
    keyless = True
    place = 20
    filters = frozenset({"region", "freshness"})
    max_count = 20
    interval_s = 0.6

    def request(self, query: Query, access: Access) -> Request:
        """Return the POST. The service knows countries by name only; a country that is not in our table is left out."""
        values = {
            "query": request_building.query_text(query),
            "search_depth": "basic",
            "topic": "general",
            "max_results": request_building.count(query, self.max_count),
            "time_range": query.freshness,
            "country": regions.NAMES.get(query.region or ""),
        }
        return request_building.post(f"{request_building.base(access, BASE_URL)}/search", values, _who(access))

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended; the allowance without a key has an error envelope of its own."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure)


def _who(access: Access) -> Headers:
    key = (access.key or "").strip()
    if key:
        return (("Authorization", f"Bearer {key}"),)
    return (("X-Tavily-Access-Mode", "keyless"), ("X-Client-Source", "wellread"))


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    return response_parsing.rows_of(answer.get("results"), "url", "title", "content", "published_date", "score")


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    wait_s = json_payload.number(json_payload.at(answer, "error", "retry_after_seconds"))
    if response.status in _SPENT:
        return response_parsing.outcome("quota", response, answer)
    if response.status == 429 or wait_s is not None:
        return response_parsing.outcome("rate_limited", response, answer, wait_s=wait_s)
    return None
