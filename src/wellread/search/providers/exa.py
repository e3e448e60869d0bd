"""Exa (https://docs.exa.ai/reference/search): search by meaning, by key; a snippet is its highlights of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.search import json_payload, request_building, response_parsing

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wellread.ports import Access, Parsed, Query
    from wellread.types import OutcomeCode, Request, Response

BASE_URL = "https://api.exa.ai"
HIGHLIGHT_CHARS = 500
_TAGS: dict[str, OutcomeCode] = {"INVALID_API_KEY": "auth", "NO_MORE_CREDITS": "quota"}


class Exa:
    """Implements `ports.SearchProvider`."""

    name = "exa"
    keyless = False
    place = 30
    filters = frozenset({"region", "freshness"})
    max_count = 100
    interval_s = 0.2

    def request(self, query: Query, access: Access) -> Request:
        """Return the POST."""
        values = {
            "query": request_building.query_text(query),
            "type": "auto",
            "numResults": request_building.count(query, self.max_count),
            "userLocation": query.region,
            "startPublishedDate": request_building.first_day(query, "%Y-%m-%dT00:00:00.000Z"),
            "contents": {"highlights": {"maxCharacters": HIGHLIGHT_CHARS}},
        }
        headers = (("x-api-key", request_building.key(access, self.name)),)
        return request_building.post(f"{request_building.base(access, BASE_URL)}/search", values, headers)

    def parse(self, response: Response) -> Parsed:
        """Tell how it ended."""
        return response_parsing.parse_json(response, self.name, rows=_rows, failure=_failure)


def _rows(answer: Mapping[str, object]) -> Sequence[response_parsing.ResultRow] | None:
    results = json_payload.objects(answer.get("results"))
    with_snippets = results and [{**item, "snippet": _snippet(item)} for item in results]
    return response_parsing.rows_of(with_snippets, "url", "title", "snippet", "publishedDate", "score")


def _snippet(item: Mapping[str, object]) -> object:
    highlights = item.get("highlights")
    texts = [text for text in highlights if isinstance(text, str)] if isinstance(highlights, list) else []
    return " \u2026 ".join(texts) or item.get("summary") or item.get("text")


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    code = _TAGS.get(json_payload.text(answer.get("tag")))
    if not code:
        return None
    return response_parsing.outcome(code, response, answer)
