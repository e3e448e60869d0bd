"""Completes URLs whose scheme was left out, as browsers do: https is asked first, then http."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

import anyio

from wellread.errors import BlockedAddress, Timeout, Unreachable, Unrecorded, WellreadError
from wellread.net.schemeless_urls import candidate_urls, has_no_scheme

if TYPE_CHECKING:
    from collections.abc import Iterator

HTTPS_SHARE = 2 / 3
"""Of the deadline: a host that drops packets to port 443 leaves a third of it for http."""
MIN_HTTP_S = 1.0

_NO_ANSWER = (Unreachable, Timeout, BlockedAddress, Unrecorded)
"""After these http may still answer: the owner may have listed port 80 alone, or recorded that alone."""


class Attempt:
    """One URL to try: `with attempt:` passes over the errors after which the next attempt may do better."""

    def __init__(
        self, url: str, timeout_s: float | None = None, *, passed_over: tuple[type[WellreadError], ...] = ()
    ) -> None:
        """Take the full URL, and the seconds for it; None where the caller's own limit holds."""
        self.url = url
        self.timeout_s = timeout_s
        self.error: WellreadError | None = None
        self._passed_over = passed_over

    def __enter__(self) -> Self:
        """Begin the attempt."""
        return self

    def __exit__(self, _type: object, error: BaseException | None, _traceback: object) -> bool:
        """Keep an error that is passed over; raise any other."""
        if isinstance(error, self._passed_over):
            self.error = error
        return self.error is not None


def attempts(url: str, *, timeout_s: float | None = None, only_https: bool = False) -> Iterator[Attempt]:
    """Yield the attempts for `url`: by https, then by http where the scheme was left out and https does not answer.

    `only_https`: a URL without a scheme is tried by https alone, because credentials must not go over http.

    `for attempt in attempts(url): with attempt: return ...` ends with the first attempt that answers, or raises. The
    seconds of each attempt are its share of `timeout_s`.

    Raises:
        Unreachable: neither answers.
    """
    if not has_no_scheme(url):
        yield Attempt(url)
        return
    https_url, http_url = candidate_urls(url)
    if only_https:
        yield Attempt(https_url)
        return
    began = anyio.current_time()
    https_s: float | None = None
    if timeout_s is not None:
        https_s = timeout_s * HTTPS_SHARE
    https = Attempt(https_url, https_s, passed_over=_NO_ANSWER)
    yield https
    http_s: float | None = None
    if timeout_s is not None:
        http_s = max(timeout_s - (anyio.current_time() - began), MIN_HTTP_S)
    http = Attempt(http_url, http_s, passed_over=(Unreachable, Timeout))
    yield http
    if https.error is not None and http.error is not None:
        raise _unanswered(url, https.error, http.error) from http.error


def _unanswered(url: str, https: WellreadError, http: WellreadError) -> Unreachable:
    message = f"{url} answers neither by https ({https.message}) nor by http ({http.message})"
    error = Unreachable(message, url=url)
    error.retryable = https.retryable or http.retryable
    return error
