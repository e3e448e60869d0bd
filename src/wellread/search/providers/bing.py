"""Bing Web Search v7: retired by Microsoft on 2025-08-11, kept for endpoints that speak its dialect.

https://learn.microsoft.com/previous-versions/azure/cognitive-services/bing-web-search/. Its successor is `web_iq`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import json_payload, request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import OutcomeCode, Request, Response

RETIRED = "2025-08-11"
_FRESHNESS = {"day": "Day", "week": "Week", "month": "Month"}
_CODES: dict[str, OutcomeCode] = {
    "InvalidAuthorization": "auth",
    "InsufficientAuthorization": "auth",
    "InvalidRequest": "bad_request",
    "ServerError": "upstream",
}


class Bing:
    """Implements `ports.SearchProvider`."""

    name = "bing"
    keyless = False
    place = 110
    filters = frozenset({"region", "freshness", "page"})
    max_count = 50
    interval_s = 0.34

    def request(self, query: Query, access: Access) -> Request:
        """Return the GET. There is no word for a year, so that one is asked for as days from and to."""
        count = request_building.count(query, self.max_count)
        parameters = {
            "q": request_building.query_text(query),
            "count": count,
            "offset": (request_building.page(query) - 1) * count or None,
            "cc": query.region,
            "freshness": _freshness(query),
            "textDecorations": "false",
            "textFormat": "Raw",
            "responseFilter": "Webpages",
        }
        address = f"the address of a compatible endpoint, its own being off since {RETIRED}"
        base = request_building.address(access, self.name, address)
        headers = (("Ocp-Apim-Subscription-Key", request_building.key(access, self.name)),)
        return request_building.get(f"{base}/v7.0/search", parameters, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended; there are two error envelopes, of the service and of the gateway before it."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure)


def _freshness(query: Query) -> str | None:
    first = request_building.since(query)
    year = f"{first}..{query.today}" if first else None
    return _FRESHNESS.get(query.freshness or "", year)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    if answer.get("_type") != "SearchResponse":
        return None
    if "webPages" not in answer:  # left out when nothing matched
        return []
    return response_parsing.rows_of(
        json_payload.at(answer, "webPages", "value"), "url", "name", "snippet", "datePublished"
    )


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    reason = json_payload.text(json_payload.at(answer, "errors", 0, "code"))
    message = json_payload.text(json_payload.at(answer, "error", "message")).lower()
    if response.status == 403 and (reason == "RateLimitExceeded" or "quota" in message):
        return response_parsing.outcome("quota", response, answer)
    code = "rate_limited" if reason == "RateLimitExceeded" else _CODES.get(reason)
    if not code:
        return None
    return response_parsing.outcome(code, response, answer)
