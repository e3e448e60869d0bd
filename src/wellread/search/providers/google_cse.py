"""Google's Custom Search JSON API (https://developers.google.com/custom-search/v1): for owners of an old key.

It takes no new customers, and ends on 2027-01-01. The key travels in a header, as any key to Google's services may
(https://cloud.google.com/apis/docs/system-parameters), so that it does not stand in URLs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import json_payload, request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import OutcomeCode, Request, Response

BASE_URL = "https://www.googleapis.com"
LAST_RESULT = 100
_FRESHNESS = {"day": "d1", "week": "w1", "month": "m1", "year": "y1"}
_REASONS: dict[str, OutcomeCode] = {
    "keyInvalid": "auth",
    "keyExpired": "auth",
    "accessNotConfigured": "auth",
    "forbidden": "auth",
    "dailyLimitExceeded": "quota",
    "quotaExceeded": "quota",
    "rateLimitExceeded": "rate_limited",
    "userRateLimitExceeded": "rate_limited",
}
_DATES = ("article:published_time", "datepublished", "date", "dc.date", "og:updated_time", "article:modified_time")


class GoogleCSE:
    """Implements `ports.SearchProvider`."""

    name = "google_cse"
    keyless = False
    place = 80
    filters = frozenset({"region", "freshness", "page"})
    max_count = 10
    interval_s = 0.6

    def request(self, query: Query, access: Access) -> Request:
        """Return the GET; `Access.extra` is the id of the search engine, cx."""
        headers = (("X-Goog-Api-Key", request_building.key(access, self.name)),)
        number = request_building.count(query, self.max_count)
        region = {"GB": "uk"}.get(query.region or "", (query.region or "").lower())
        parameters = {
            "cx": request_building.second(access, self.name, "the id of a search engine (cx)"),
            "q": request_building.query_text(query),
            "num": number,
            "start": (request_building.page(query, LAST_RESULT // number) - 1) * number + 1,
            "gl": region or None,
            "dateRestrict": _FRESHNESS.get(query.freshness or ""),
        }
        return request_building.get(f"{request_building.base(access, BASE_URL)}/customsearch/v1", parameters, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended; the reason in the envelope says more than the status."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure, more=_goes_on)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    if answer.get("kind") != "customsearch#search":
        return None
    if "items" not in answer:  # left out when nothing matched
        return []
    items = json_payload.objects(answer["items"])
    dated = items and [{**item, "date": _date(item)} for item in items]
    return response_parsing.rows_of(dated, "link", "title", "snippet", "date")


def _goes_on(answer: Mapping[str, object]) -> bool:
    return json_payload.at(answer, "queries", "nextPage", 0) is not None  # left out on the last page


def _date(item: Mapping[str, object]) -> object:
    tags = json_payload.objects(json_payload.at(item, "pagemap", "metatags")) or []
    return next((tag[name] for name in _DATES for tag in tags if json_payload.date(tag.get(name))), None)


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    code = _REASONS.get(json_payload.text(json_payload.at(answer, "error", "errors", 0, "reason")))
    message = json_payload.text(json_payload.at(answer, "error", "message")).lower()
    if "api key" in message and response.status in {400, 403}:
        code = "auth"
    if code == "rate_limited" and "per day" in message:
        code = "quota"
    if not code:
        return None
    return response_parsing.outcome(code, response, answer)
