"""Mojeek (https://www.mojeek.com/support/api/search/): an index of its own, by key; the key goes into the URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import json_payload, request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import OutcomeCode, Request, Response

BASE_URL = "https://api.mojeek.com"
_WORDS: tuple[tuple[str, OutcomeCode], ...] = (
    ("key", "auth"),
    ("auth", "auth"),
    ("quota", "quota"),
    ("credit", "quota"),
    ("rate", "rate_limited"),
    ("limit", "quota"),
)


class Mojeek:
    """Implements `ports.SearchProvider`."""

    name = "mojeek"
    keyless = False
    place = 90
    filters = frozenset({"region", "freshness", "page"})
    max_count = 10
    interval_s = 1.0

    def request(self, query: Query, access: Access) -> Request:
        """Return the GET. On the first page no start is sent: one there sets off its limits."""
        count = request_building.count(query, self.max_count)
        start = (request_building.page(query) - 1) * count + 1
        parameters = {
            "q": request_building.query_text(query),
            "api_key": request_building.key(access, self.name),
            "fmt": "json",
            "t": count,
            "s": start if start > 1 else None,
            "since": request_building.first_day(query, "%Y%m%d"),
            "arc": query.region,
        }
        return request_building.get(f"{request_building.base(access, BASE_URL)}/search", parameters)

    def parse(self, response: Response) -> Parsed:
        """Parse the response; a status inside the JSON gives the error."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    if json_payload.at(answer, "response", "status") != "OK":
        return None
    return response_parsing.rows_of(
        json_payload.at(answer, "response", "results"), "url", "title", "desc", "date|timestamp"
    )


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    status = json_payload.text(json_payload.at(answer, "response", "status"))
    if status in {"", "OK"} or response.status >= 500:
        return None
    code: OutcomeCode = next((code for word, code in _WORDS if word in status.lower()), "bad_request")
    return response_parsing.outcome(code, response, answer)
