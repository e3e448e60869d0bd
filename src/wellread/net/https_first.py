"""Completes URLs whose scheme was left out, as browsers do: https is asked first, then http."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeVar

import anyio

from wellread.errors import BlockedAddress, Timeout, Unreachable, Unrecorded, WellreadError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

T = TypeVar("T")

HTTPS_SHARE = 2 / 3
"""Of the deadline: a host that drops packets to port 443 leaves a third of it for http."""
MIN_HTTP_S = 1.0

_NO_SCHEME = re.compile(
    r"(?:[^\s/?#@:\[\]\\]{1,253}\.[^\s/?#@:\[\]\\]{0,253}|localhost|\[[0-9A-Fa-f:.]{2,45}\])(?::[0-9]{1,5})?(?=[/?#]|\Z)",
    re.IGNORECASE,
)
"""A name with a dot, an address or localhost, and a port: `tel:112`, `nope` and `./notes.md` are none."""
_NO_ANSWER = (Unreachable, Timeout, BlockedAddress, Unrecorded)
"""After these http may still answer: the owner may have listed port 80 alone, or recorded that alone."""


def candidate_urls(url: str) -> tuple[str, ...]:
    """Return the URLs that `url` may stand for: itself, or that with https and that with http."""
    if url.startswith(".") or _NO_SCHEME.match(url) is None:
        return (url,)
    return (f"https://{url}", f"http://{url}")


def has_no_scheme(url: str) -> bool:
    """Return whether `url` is a host, perhaps with a path, whose scheme was left out."""
    return len(candidate_urls(url)) > 1


async def try_https_first(
    url: str, attempt: Callable[[str, float | None], Awaitable[T]], *, timeout_s: float | None = None
) -> T:
    """Return the result of `attempt` for `url`, by https or else by http where the scheme was left out.

    `attempt` takes the full URL, and the seconds that are left for it out of `timeout_s`; None where the caller's own
    limit holds.

    Raises:
        Unreachable: neither answers.
        WellreadError: as `attempt`.
    """
    if not has_no_scheme(url):
        return await attempt(url, None)
    https, http = candidate_urls(url)
    began = anyio.current_time()
    https_s: float | None = None
    if timeout_s is not None:
        https_s = timeout_s * HTTPS_SHARE
    try:
        return await attempt(https, https_s)
    except _NO_ANSWER as error:
        first = error
    http_s: float | None = None
    if timeout_s is not None:
        http_s = max(timeout_s - (anyio.current_time() - began), MIN_HTTP_S)
    try:
        return await attempt(http, http_s)
    except (Unreachable, Timeout) as second:
        raise _unanswered(url, first, second) from second


def _unanswered(url: str, https: WellreadError, http: WellreadError) -> Unreachable:
    message = f"{url} answers neither by https ({https.message}) nor by http ({http.message})"
    error = Unreachable(message, url=url)
    error.retryable = https.retryable or http.retryable
    return error
