"""Microsoft Web IQ, the successor of Bing's API: passages of pages, by key, for approved customers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import Request, Response

BASE_URL = "https://api.microsoft.ai"
PASSAGE_CHARS = 2_000


class WebIQ:
    """Implements `ports.SearchProvider`."""

    name = "web_iq"
    keyless = False
    place = 70
    filters = frozenset({"region"})
    max_count = 10
    interval_s = 0.34

    def request(self, query: Query, access: Access) -> Request:
        """Return the POST."""
        values = {
            "query": request_building.query_text(query),
            "maxResults": request_building.count(query, self.max_count),
            "contentFormat": "passage",
            "maxLength": PASSAGE_CHARS,
            "region": query.region,
        }
        headers = (("x-apikey", request_building.key(access, self.name)),)
        return request_building.post(f"{request_building.base(access, BASE_URL)}/v3/search/web", values, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended; by status alone, since its error envelope is not documented."""
        return response_parsing.parse_json(response, self.name, rows=_rows)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    return response_parsing.rows_of(answer.get("webResults"), "url", "title", "content", "lastUpdatedAt")
