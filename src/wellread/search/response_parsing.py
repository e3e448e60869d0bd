"""Parses the responses of search services: into usable hits, or into a failure with its code.

A response that cannot be understood is never "no results": only one in the service's own format may say that.
"""

from __future__ import annotations

import re
from dataclasses import replace
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, NamedTuple

from wellread.metadata.site_address import resolve
from wellread.net.http_dates import retry_after_s
from wellread.ports import Parsed
from wellread.search import json_payload
from wellread.types import Hit, header

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from wellread.types import OutcomeCode, Response

    JsonObject = Mapping[str, object]

MAX_WAIT_S = 31 * 86_400.0
MAX_COMPLAINT = 200
MAX_ROWS = 200

SENTENCES: dict[OutcomeCode, str] = {
    "auth": "the key was not accepted",
    "quota": "the plan behind the key is used up",
    "rate_limited": "asked too often",
    "bad_request": "the request was refused",
    "timeout": "the service reported a timeout",
    "upstream": "the service failed",
    "challenge": "a bot check replaced the results",
    "changed_markup": "the answer has an unknown format",
}

_STATUSES: dict[int, OutcomeCode] = {
    401: "auth", 402: "quota", 403: "auth", 407: "auth", 408: "timeout", 429: "rate_limited"
}  # fmt: skip
_COMPLAINTS: tuple[tuple[str | int, ...], ...] = (
    ("error", "message"), ("error", "detail"), ("error", 0, "msg"), ("error", 0, "message"), ("error",),
    ("detail", "error"), ("detail",), ("errors", 0, "message"), ("message",), ("response", "status"),
)  # fmt: skip
"""The paths of error messages in the JSON of services."""
_WALL = re.compile(
    rb"cf-chl-|_cf_chl_opt|challenge-platform|challenge-form|cf-turnstile|just a moment\.\.\.|captcha|anomaly-modal"
    rb"|anomaly\.js|bots use duckduckgo|datadome|_incapsula_|perimeterx|awswaf|/sorry/index|unusual traffic"
    rb"|verify(?:ing)? (?:that )?you are (?:a )?human|are you a robot",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"[\w+/=~.-]{12,}")


class ResultRow(NamedTuple):
    """One result as the service words it, nothing of it trusted yet."""

    url: object
    title: object
    snippet: object = ""
    date: object = None
    score: object = None


def rows_of(value: object, *columns: str) -> list[ResultRow] | None:
    """Return a row for each object of a list, or None when it is no list of objects.

    `columns` are the names that a row's fields have there; of `a|b`, the first that says something counts.
    """
    items = json_payload.objects(value)
    names = [column.split("|") for column in columns]
    if items is None:
        return None
    return [ResultRow(*(_first(item, keys) for keys in names)) for item in items]


def _first(item: JsonObject, names: Sequence[str]) -> object:
    return next((item[name] for name in names if item.get(name) not in (None, "")), None)


def parse_json(
    response: Response,
    source: str,
    *,
    rows: Callable[[JsonObject], Sequence[ResultRow] | None],
    failure: Callable[[Response, JsonObject], Parsed | None] | None = None,
    more: Callable[[JsonObject], bool | None] | None = None,
) -> Parsed:
    """Tell how a request to a JSON service ended.

    `rows` returns the results, or None when the object is not in the service's format. `failure` knows the service's
    own ways of refusing, and is asked before the HTTP status. `more` returns whether it says that results go on.
    """
    answer = json_payload.read(response.body)
    if answer is None and is_bot_wall(response):
        return outcome("challenge", response)
    answer_object: JsonObject = answer or {}
    refused = (failure(response, answer_object) if failure else None) or http_failure(response, answer_object)
    if refused is not None:
        return refused
    if answer is None:
        return unreadable_result(response)
    results = rows(answer)
    if results is None:
        return Parsed(code="changed_markup", detail="the JSON has an unknown structure")
    parsed = parse_rows(response, source, results)
    if more:
        return replace(parsed, more=more(answer))
    return parsed


def parse_rows(response: Response, source: str, rows: Sequence[ResultRow]) -> Parsed:
    """Return the usable results, ranked; none at all is `no_results` only if the answer is whole and lists none."""
    hits = _hits(rows[:MAX_ROWS], source)
    if hits and response.partial:
        return Parsed(code="partial", hits=hits, detail=f"the answer is incomplete: {response.partial}")
    if hits:
        return Parsed(code="ok", hits=hits)
    if response.partial is not None:
        return unreadable_result(response)
    if rows:
        return Parsed(code="changed_markup", detail=f"{len(rows)} results, none of them with a usable address")
    return Parsed(code="no_results")


def _hits(rows: Iterable[ResultRow], source: str) -> tuple[Hit, ...]:
    usable = [(row, url) for row in rows if (url := resolve(json_payload.text(row.url), None))]
    return tuple(
        Hit(
            title=json_payload.plain(row.title, json_payload.MAX_TITLE) or url,
            url=url,
            snippet=json_payload.plain(row.snippet),
            published_date=json_payload.date(row.date),
            source=source,
            rank=rank,
            score=json_payload.number(row.score),
        )
        for rank, (row, url) in enumerate(usable, 1)
    )


def http_failure(response: Response, answer: JsonObject) -> Parsed | None:
    """Return the failure that the HTTP status stands for (RFC 9110 section 15), or None when it says success."""
    status = response.status
    if 200 <= status < 300:
        return None
    if status in {404, 410}:
        return Parsed(code="changed_markup", detail=f"HTTP {status}: there is nothing at this address")
    if status in _STATUSES:
        return outcome(_STATUSES[status], response, answer)
    if 400 <= status < 500:
        return outcome("bad_request", response, answer)
    return outcome("changed_markup" if 300 <= status < 400 else "upstream", response, answer)


def outcome(
    code: OutcomeCode, response: Response, answer: JsonObject | None = None, *, wait_s: float | None = None
) -> Parsed:
    """Return a failure with a sentence for it; where it is not about the key, the service's own sentence is added."""
    detail = f"HTTP {response.status}: {SENTENCES[code]}"
    if code != "auth" and answer is not None and (complaint := error_message(answer)):
        detail = f"{detail} ({complaint})"
    if code in {"rate_limited", "quota"} and wait_s is None:
        wait_s = waits_s(response)
    return Parsed(code=code, detail=detail, retry_after_s=bounded_wait_s(wait_s))


def unexplained(response: Response) -> Parsed:
    """Return the failure of a page that shows no results and does not say that there are none."""
    if response.partial is not None or not response.body.strip():
        return unreadable_result(response)
    return Parsed(code="changed_markup", detail="the page has neither results nor a statement that there are none")


def unreadable_result(response: Response) -> Parsed:
    """Return the failure of a successful status whose body says nothing."""
    if response.partial is not None:
        return Parsed(code="upstream", detail=f"the answer is incomplete: {response.partial}")
    if not response.body.strip():
        return Parsed(code="upstream", detail=f"HTTP {response.status} without a body")
    kind = json_payload.plain(header(response.headers, "content-type"), 60) or "no content type"
    return Parsed(code="changed_markup", detail=f"the answer ({kind}) is not the JSON that was asked for")


def is_bot_wall(response: Response) -> bool:
    """Tell whether a body that is not JSON is a CAPTCHA or a bot check; they come with any status."""
    if header(response.headers, "cf-mitigated") == "challenge":
        return True
    start = response.body[:100_000]
    return b"<" in start and _WALL.search(start) is not None


def error_message(answer: JsonObject) -> str:
    """Return the service's own error message; any part of it that could be a key is masked."""
    sentence = next(
        (complaint for path in _COMPLAINTS if (complaint := json_payload.text(json_payload.at(answer, *path)))), ""
    )
    return _TOKEN.sub(_covered, json_payload.plain(sentence, MAX_COMPLAINT))


def _covered(match: re.Match[str]) -> str:
    token = match[0]
    if len(token) >= 24 or any(character.isdigit() for character in token):
        return "***"
    return token


def waits_s(response: Response) -> float | None:
    """Return the seconds that Retry-After asks for; a date counts from the response's own Date, without a clock."""
    value = (header(response.headers, "retry-after") or "").strip()
    try:
        sent = parsedate_to_datetime(header(response.headers, "date") or "")
        return bounded_wait_s(retry_after_s(response.headers, sent))
    except (TypeError, ValueError, IndexError, OverflowError):
        if value.isascii() and value.isdigit():
            return bounded_wait_s(float(value[:9]))
        return None


def bounded_wait_s(seconds: float | None) -> float | None:
    """Return a wait within reason, or None when nothing usable was said."""
    if seconds is None or seconds < 0:
        return None
    return min(seconds, MAX_WAIT_S)
