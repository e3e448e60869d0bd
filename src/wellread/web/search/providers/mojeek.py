"""Mojeek (https://www.mojeek.com/support/api/search/): an index of its own, by key; the key goes into the URL."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.web.search import answers, dialect, payload

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
        count = dialect.count(query, self.max_count)
        start = (dialect.page(query) - 1) * count + 1
        first = dialect.since(query)
        parameters = {
            "q": dialect.query_text(query),
            "api_key": dialect.key(access, self.name),
            "fmt": "json",
            "t": count,
            "s": start if start > 1 else None,
            "since": f"{first:%Y%m%d}" if first else None,
            "arc": query.region,
        }
        return dialect.get(f"{dialect.base(access, BASE_URL)}/search", parameters)

    def parse(self, response: Response) -> Parsed:
        """Parse the response; a status inside the JSON gives the error."""
        return answers.parse_json(response, self.name, rows=_rows, failure=_failure)


def _rows(answer: Mapping[str, object]) -> Sequence[answers.ResultRow] | None:
    if payload.at(answer, "response", "status") != "OK":
        return None
    return answers.rows_of(payload.at(answer, "response", "results"), "url", "title", "desc", "date|timestamp")


def _failure(response: Response, answer: Mapping[str, object]) -> Parsed | None:
    status = payload.text(payload.at(answer, "response", "status"))
    if status in {"", "OK"} or response.status >= 500:
        return None
    code: OutcomeCode = next((code for word, code in _WORDS if word in status.lower()), "bad_request")
    return answers.outcome(code, response, answer)
