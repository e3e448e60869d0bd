"""Brave Search API (https://api-dashboard.search.brave.com/app/documentation/web-search): an index of its own, by key.

A bad key is 422, not 401, so the code in the error envelope decides, never the status.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import json_payload, request_building, response_parsing
from wellread.types import header

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import OutcomeCode, Request, Response

BASE_URL = "https://api.search.brave.com"
LAST_OFFSET = 9
_COUNTRIES = """
AR AT AU BE BR CA CH CL CN DE DK ES FI FR GB GR HK ID IN IT JP KR MX MY NL NO NZ PH PL PT RU SA SE TR TW US ZA
"""
COUNTRIES = frozenset(_COUNTRIES.split())
"""The documented ones; any other is refused with 422."""
_FRESHNESS = {"day": "pd", "week": "pw", "month": "pm", "year": "py"}
_CODES: dict[str, OutcomeCode] = {
    "SUBSCRIPTION_TOKEN_INVALID": "auth",
    "RATE_LIMITED": "rate_limited",
    "QUOTA_LIMITED": "quota",
}


class Brave:
    """Implements `ports.SearchProvider`."""

    name = "brave"
    keyless = False
    place = 10
    filters = frozenset({"region", "freshness", "page"})
    max_count = 20
    interval_s = 1.0

    def request(self, query: Query, access: Access) -> Request:
        """Return the GET. `offset` counts pages from 0, not results, and pages may overlap."""
        parameters = {
            "q": request_building.query_text(query, chars=400, words=50),
            "count": request_building.count(query, self.max_count),
            "offset": request_building.page(query, LAST_OFFSET + 1) - 1 or None,
            "country": query.region if query.region in COUNTRIES else None,
            "freshness": _FRESHNESS.get(query.freshness or ""),
            "text_decorations": "false",
            "result_filter": "web",
        }
        # One setup behind an edge cache answered 422 without the second header; elsewhere it changes nothing.
        headers = (("X-Subscription-Token", request_building.key(access, self.name)), ("Cache-Control", "no-cache"))
        return request_building.get(f"{request_building.base(access, BASE_URL)}/res/v1/web/search", parameters, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended; `page_age` is the date, `age` is prose."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure, more=_goes_on)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    if answer.get("type") != "search":
        return None
    if "web" not in answer:  # left out when nothing matched
        return []
    return response_parsing.rows_of(
        json_payload.at(answer, "web", "results"), "url", "title", "description", "page_age|age"
    )


def _goes_on(answer: Mapping[str, object]) -> bool | None:
    more = json_payload.at(answer, "query", "more_results_available")
    if not isinstance(more, bool):
        return None
    return more


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    code = _CODES.get(json_payload.text(json_payload.at(answer, "error", "code")))
    if _lacks_key(answer):
        code = "auth"
    if code is None:
        return None
    second_s, month_s = _pair(response, "x-ratelimit-reset")
    if code == "rate_limited" and _is_spent(response, answer):
        return response_parsing.outcome("quota", response, answer, wait_s=month_s)
    return response_parsing.outcome(code, response, answer, wait_s=second_s if code == "rate_limited" else None)


def _lacks_key(answer: Mapping[str, object]) -> bool:
    """A request without the header fails validation like any other parameter."""
    errors = json_payload.objects(json_payload.at(answer, "error", "meta", "errors")) or []
    return any("subscription-token" in str(error.get("loc")).lower() for error in errors)


def _is_spent(response: Response, answer: Mapping[str, object]) -> bool:
    """RATE_LIMITED stands for the month's end as well; the figures tell which."""
    used = json_payload.number(json_payload.at(answer, "error", "meta", "quota_current"))
    limit = json_payload.number(json_payload.at(answer, "error", "meta", "quota_limit"))
    if used is not None and limit:
        return used >= limit
    return _pair(response, "x-ratelimit-remaining")[1] == 0


def _pair(response: Response, name: str) -> tuple[float | None, float | None]:
    """Read a rate header: the figure for this second, then the one for this month."""
    values = [json_payload.number(part.strip()) for part in (header(response.headers, name) or "").split(",")]
    second_figure, month_figure = (*values, None)[:2]
    return second_figure, month_figure
