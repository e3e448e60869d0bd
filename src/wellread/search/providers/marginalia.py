"""Marginalia (https://about.marginalia-search.com/article/api/): the small, old, uncommercial web, by a key or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import Request, Response

BASE_URL = "https://api2.marginalia-search.com"
PUBLIC_KEY = "public"
"""Its own word for everyone, who share one limit."""


class Marginalia:
    """Implements `ports.SearchProvider`."""

    name = "marginalia"
    keyless = True
    place = 140
    filters = frozenset({"page"})
    max_count = 20
    interval_s = 1.0

    def request(self, query: Query, access: Access) -> Request:
        """Return the GET."""
        parameters = {
            "query": request_building.query_text(query),
            "page": request_building.page(query),
            "count": request_building.count(query, self.max_count),
        }
        headers = (("API-Key", (access.key or "").strip() or PUBLIC_KEY),)
        return request_building.get(f"{request_building.base(access, BASE_URL)}/search", parameters, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return response_parsing.parse_json(response, self.name, rows=_rows)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    if "query" not in answer:
        return None
    return response_parsing.rows_of(answer.get("results"), "url", "title", "description")
