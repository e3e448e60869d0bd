"""Decides whether asking again may help, and when: pure, but for the waiting, which is stamina's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import stamina
from stamina.instrumentation import set_on_retry_hooks

from wellread.errors import Unreachable
from wellread.net.http_dates import retry_after_s

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from datetime import datetime

    from wellread.types import Headers

STATUSES = frozenset({408, 425, 429, 500, 502, 503, 504})
SAFE_METHODS = frozenset({"GET", "HEAD"})
WAIT_FIRST_S = 0.1
WAIT_MAX_S = 2.0
JITTER_S = 0.4

# stamina reports each retry with the error, which names an address, by whatever it finds installed; structlog, where
# nobody configured it, prints that on standard output, which may be a protocol's.
set_on_retry_hooks(())


class TryAgain(Exception):
    """This answer is worth another try, after `wait_s` or, if None, after a growing pause."""

    def __init__(self, wait_s: float | None) -> None:
        super().__init__(wait_s)
        self.wait_s = wait_s


def attempts(count: int, method: str) -> AsyncIterator[stamina.Attempt]:
    """Yield the tries for one hop; the body of the loop stands under `with attempt:`.

    TryAgain and a retryable Unreachable are met by the next try, until there is none; everything else passes.
    """
    return stamina.retry_context(
        on=_pause,
        attempts=max(count, 1) if method in SAFE_METHODS else 1,
        timeout=None,  # the deadline of the whole request cancels
        wait_initial=WAIT_FIRST_S,
        wait_max=WAIT_MAX_S,
        wait_jitter=JITTER_S,
    )


def _pause(error: Exception) -> bool | float:
    if isinstance(error, TryAgain):
        if error.wait_s is None:
            return True
        return error.wait_s
    return isinstance(error, Unreachable) and error.retryable


def retry_decision(status: int, headers: Headers, *, now: datetime, left_s: float) -> TryAgain | None:
    """Return whether an answer asks to be asked again within the time that is left; None means: take it as it is."""
    if status not in STATUSES:
        return None
    wait_s = retry_after_s(headers, now)
    if wait_s is not None and wait_s >= left_s:
        return None
    return TryAgain(wait_s)
