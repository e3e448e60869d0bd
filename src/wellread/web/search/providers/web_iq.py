"""Microsoft Web IQ, the successor of Bing's API: passages of pages, by key, for approved customers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.web.search import answers, dialect

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
            "query": dialect.query_text(query),
            "maxResults": dialect.count(query, self.max_count),
            "contentFormat": "passage",
            "maxLength": PASSAGE_CHARS,
            "region": query.region,
        }
        headers = (("x-apikey", dialect.key(access, self.name)),)
        return dialect.post(f"{dialect.base(access, BASE_URL)}/v3/search/web", values, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended; by status alone, since its error envelope is not documented."""
        return answers.parse_json(response, self.name, rows=_rows)


def _rows(answer: Mapping[str, object]) -> Sequence[answers.ResultRow] | None:
    return answers.rows_of(answer.get("webResults"), "url", "title", "content", "lastUpdatedAt")
