"""Marginalia (https://about.marginalia-search.com/article/api/): the small, old, uncommercial web, by a key or none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.web.search import answers, dialect

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
            "query": dialect.query_text(query),
            "page": dialect.page(query),
            "count": dialect.count(query, self.max_count),
        }
        headers = (("API-Key", (access.key or "").strip() or PUBLIC_KEY),)
        return dialect.get(f"{dialect.base(access, BASE_URL)}/search", parameters, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return answers.parse_json(response, self.name, rows=_rows)


def _rows(answer: Mapping[str, object]) -> Sequence[answers.ResultRow] | None:
    if "query" not in answer:
        return None
    return answers.rows_of(answer.get("results"), "url", "title", "description")
