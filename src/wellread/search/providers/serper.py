"""Serper (https://serper.dev): Google's results as JSON, by key."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import json_payload, request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import Request, Response

BASE_URL = "https://google.serper.dev"


class Serper:
    """Implements `ports.SearchProvider`."""

    name = "serper"
    keyless = False
    place = 40
    filters = frozenset({"region", "freshness", "page"})
    max_count = 10
    interval_s = 0.2

    def request(self, query: Query, access: Access) -> Request:
        """Return the POST."""
        values = {
            "q": request_building.query_text(query),
            "num": request_building.count(query, self.max_count),
            "page": request_building.page(query),
            "gl": (query.region or "").lower() or None,
            "tbs": f"qdr:{query.freshness[0]}" if query.freshness else None,
        }
        headers = (("X-API-KEY", request_building.key(access, self.name)),)
        return request_building.post(f"{request_building.base(access, BASE_URL)}/search", values, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended; running out of credits is a 400."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    if not isinstance(answer.get("searchParameters"), dict):
        return None
    return response_parsing.rows_of(answer.get("organic", []), "link", "title", "snippet", "date")


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    if response.status >= 400 and "credits" in json_payload.text(answer.get("message")).lower():
        return response_parsing.outcome("quota", response, answer)
    return None
