"""SearXNG (https://docs.searxng.org/dev/search_api.html): a metasearch instance that the user runs or was let into.

It answers 200 with no results when all its engines are blocked, so the list of those decides; and it says 403 in HTML
unless its keeper has enabled JSON. `number_of_results` is gone from its answers, and was never right.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from wellread.search import json_payload, regions, request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import OutcomeCode, Request, Response

MAX_ENGINES = 20
_REASONS: tuple[tuple[str, OutcomeCode], ...] = (
    ("captcha", "challenge"),
    ("access denied", "challenge"),
    ("too many requests", "rate_limited"),
    ("timeout", "timeout"),
)
"""Worst first. An engine that is suspended says the same with `Suspended: ` before it."""
_NO_JSON = "HTTP 403: the instance does not allow JSON; its operator can allow it with search.formats in settings.yml"


class SearXNG:
    """Implements `ports.SearchProvider`."""

    name = "searxng"
    keyless = False  # there is no instance to ask until the user names one
    place = 60
    filters = frozenset({"region", "freshness", "page"})
    max_count = 10  # what its engines give for a page; together they give more
    interval_s = 0.0

    def request(self, query: Query, access: Access) -> Request:
        """Return the GET. A region is asked for as the main language there; how many results come, it decides."""
        language = regions.LANGUAGES.get(query.region or "")
        parameters = {
            "q": request_building.query_text(query),
            "format": "json",
            "pageno": request_building.page(query),
            "time_range": query.freshness,
            "language": f"{language}-{query.region}" if language else None,
        }
        base = request_building.address(access, self.name, "the address of an instance")
        return request_building.get(f"{base}/search", parameters)

    def parse(self, response: Response) -> Parsed:
        """Parse the response; results without some of the engines are `partial`, and name the missing engines."""
        parsed = response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure)
        if parsed.code != "ok":
            return parsed
        dead = _dead(json_payload.read(response.body))
        if dead:
            return replace(parsed, code="partial", detail=_listed(dead))
        return parsed


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    results = json_payload.objects(answer.get("results"))
    if results is None or "query" not in answer:
        return None
    # Torrents, maps and tables of facts, which have templates of their own, have null for an address.
    paged = [item for item in results if item.get("url", "") is not None or "template" not in item]
    return response_parsing.rows_of(paged, "url", "title", "content", "publishedDate", "score")


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    if response.status == 403 and not answer:
        return replace(response_parsing.outcome("auth", response), detail=_NO_JSON)
    dead = _dead(answer)
    if response.status != 200 or not dead or answer.get("results") != []:
        return None
    reasons = " ".join(reason for _, reason in dead).lower()
    code: OutcomeCode = next((code for word, code in _REASONS if word in reasons), "upstream")
    return replace(response_parsing.outcome(code, response), detail=_listed(dead))


def _dead(answer: Mapping[str, object] | None) -> list[tuple[str, str]]:
    listed = json_payload.at(answer, "unresponsive_engines")
    pairs = listed[:MAX_ENGINES] if isinstance(listed, list) else []
    return [
        (json_payload.plain(json_payload.at(pair, 0), 40), json_payload.plain(json_payload.at(pair, 1), 60))
        for pair in pairs
    ]


def _listed(dead: Sequence[tuple[str, str]]) -> str:
    return "engines without an answer: " + ", ".join(f"{engine} ({reason})" for engine, reason in dead)
