"""Keenable (https://keenable.ai): a web index for agents; a key only raises its limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import Request, Response

BASE_URL = "https://api.keenable.ai"


class Keenable:
    """Implements `ports.SearchProvider`."""

    name = "keenable"
    keyless = True
    place = 120
    filters: frozenset[str] = frozenset()
    max_count = 10
    interval_s = 1.0

    def request(self, query: Query, access: Access) -> Request:
        """Return the POST; how many results come, it decides."""
        base = request_building.base(access, BASE_URL)
        values = {"query": request_building.query_text(query), "mode": "pro"}
        key = (access.key or "").strip()
        if key:
            return request_building.post(f"{base}/v1/search", values, (("X-API-KEY", key),))
        return request_building.post(f"{base}/v1/search/public", values, (("X-Keenable-Title", "wellread"),))

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return response_parsing.parse_json(response, self.name, rows=_rows)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    return response_parsing.rows_of(answer.get("results"), "url", "title", "snippet|description", "published_at")
