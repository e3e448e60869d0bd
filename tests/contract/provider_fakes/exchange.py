"""What a fake service is asked and what it answers: values only."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from wellread.ports import SearchProvider

KEY = "k3y-0f-the-user-1234567890"
EXTRA = "engine:42"
DATE = "Tue, 03 Nov 2026 10:00:00 GMT"


@dataclass(frozen=True)
class Asked:
    """A request as it arrived; header names in lower case, `path` without the prefix that names service and fault."""

    method: str
    path: str
    query: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def parameters(self) -> dict[str, str]:
        pairs = parse_qsl(self.query, keep_blank_values=True, strict_parsing=bool(self.query))
        assert len(dict(pairs)) == len(pairs), f"a parameter twice: {pairs}"
        return dict(pairs)

    @property
    def form(self) -> dict[str, str]:
        return dict(parse_qsl(self.body.decode(), keep_blank_values=True, strict_parsing=True))

    @property
    def json(self) -> dict[str, Any]:  # Any: JSON from the wire, which each service checks
        value = json.loads(self.body)
        assert isinstance(value, dict)
        return value


@dataclass(frozen=True)
class Reply:
    """An answer. `cut` sends only that many bytes of the body and goes; `how` is what the server does besides."""

    status: int = 200
    body: bytes = b""
    headers: tuple[tuple[str, str], ...] = (("Content-Type", "application/json"),)
    cut: int | None = None
    how: str = "answers"

    @property
    def reason(self) -> str:
        return HTTPStatus(self.status).phrase if self.status in set(HTTPStatus) else "Whatever"


def told(value: object, status: int = 200, **headers: str) -> Reply:
    """Return a JSON answer; `retry_after="30"` becomes the header Retry-After."""
    more = tuple((name.replace("_", "-"), text) for name, text in headers.items())
    return Reply(status, json.dumps(value).encode(), (("Content-Type", "application/json"), *more))


def shown(markup: str, status: int = 200, **headers: str) -> Reply:
    """Return an HTML answer."""
    more = tuple((name.replace("_", "-"), text) for name, text in headers.items())
    return Reply(status, markup.encode("utf-8", "replace"), (("Content-Type", "text/html; charset=utf-8"), *more))


@dataclass(frozen=True)
class Found:
    """A result, before a service writes it in its own form."""

    url: str
    title: str
    snippet: str
    date: str | None = "2026-11-03T10:00:00"


@dataclass(frozen=True)
class Service:
    """One search service: how it checks requests, writes results, and refuses."""

    provider: type[SearchProvider]
    check: Callable[[Asked], Reply | None]
    """Returns the refusal of a request that the real service would refuse, or None."""
    answer: Callable[[list[Found]], Reply]
    refusals: dict[str, Reply]
    """By the name of the fault; at least bad_key, quota, rate_limited, rate_limited_for_30_s and bad_request."""
    list_at: tuple[str, ...] = ()
    """Where the results stand in the JSON."""
    keyed: bool = True
    window: Callable[[Asked], tuple[int, int]] = lambda _: (0, 10)
    """Returns the index of the first result of the requested page, and the number of results per page."""
    with_more: Callable[[Reply, bool], Reply] = lambda reply, _: reply
    """Writes into a response whether more results follow, if the service says so."""
    own_faults: dict[str, tuple[Reply, str]] = field(default_factory=dict)
    """Faults of this service alone, with the outcome of each."""
