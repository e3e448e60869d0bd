"""Builds the common parts of provider requests: keys, addresses, query text, parameters, the days of a freshness."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from wellread.errors import Auth
from wellread.types import Request

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import date

    from wellread.ports import Access, Query
    from wellread.types import Headers

DAYS = {"day": 1, "week": 7, "month": 31, "year": 366}
"""The longest that each may be: a filter by date never leaves out what was asked for."""


def key(access: Access, provider: str) -> str:
    """Return the user's key.

    Raises:
        Auth: there is none.
    """
    return _required(access.key, f"{provider} needs a key (setting search.keys)", f"set {provider} in search.keys")


def second(access: Access, provider: str, what: str) -> str:
    """Return the second credential; `what` is its name in the error.

    Raises:
        Auth: there is none.
    """
    return _required(access.extra, f"{provider} needs {what} besides the key", f"set {provider}_id in search.keys")


def _required(secret: str | None, missing: str, hint: str) -> str:
    value_given = (secret or "").strip()
    if not value_given:
        raise Auth(missing, hint=hint)
    return value_given


def address(access: Access, provider: str, what: str) -> str:
    """Return the address that only the user can know.

    Raises:
        Auth: there is none.
    """
    if not access.base_url:
        raise Auth(f"{provider} needs {what}", hint=f"set {provider} in search.urls")
    return access.base_url.rstrip("/")


def base(access: Access, default_url: str) -> str:
    """Return the provider's own address, or the one that the user set instead."""
    return (access.base_url or default_url).rstrip("/")


def query_text(query: Query, *, chars: int = 600, words: int = 200) -> str:
    """Return the query's text on one line, within a service's limits, cut between words.

    Without a limit of its own it is what any server takes in a URL: 600 characters are at most 7,200 when encoded.
    """
    clean = query.text.encode("utf-8", "ignore").decode()
    query_words = clean.split()[:words]
    while len(query_words) > 1 and len(" ".join(query_words)) > chars:
        query_words.pop()
    return " ".join(query_words)[:chars]


def count(query: Query, most: int) -> int:
    """Return how many results to ask for."""
    return max(1, min(query.count, most))


def page(query: Query, most: int = 1_000) -> int:
    """Return the page to ask for, from 1."""
    return max(1, min(query.page, most))


def since(query: Query) -> date | None:
    """Return the first day that the query's freshness takes in; None without one, or without a day to count from."""
    if query.freshness is None or query.today is None:
        return None
    return query.today - timedelta(days=DAYS[query.freshness])


def first_day(query: Query, pattern: str) -> str | None:
    """Return the day of `since` in a format of `strftime`; None without one."""
    day = since(query)
    if day is None:
        return None
    return day.strftime(pattern)


def get(url: str, parameters: Mapping[str, object], headers: Headers = ()) -> Request:
    """Return a GET for JSON; parameters that are None are left out."""
    present = {name: value for name, value in parameters.items() if value is not None}
    return Request(
        url=f"{url}?{urlencode(present)}", headers=(("Accept", "application/json"), *headers), user_asked=True
    )


def post(url: str, values: Mapping[str, object], headers: Headers = ()) -> Request:
    """Return a POST of JSON for JSON; values that are None are left out."""
    present = {name: value for name, value in values.items() if value is not None}
    sent = (("Accept", "application/json"), ("Content-Type", "application/json"), *headers)
    body = json.dumps(present, ensure_ascii=False).encode()
    return Request(url=url, method="POST", headers=sent, body=body, user_asked=True)
