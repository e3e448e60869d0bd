"""Measures what work costs, on machines that others use as well."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from wellread.errors import UnreadableError
from wellread.types import Source
from wellread.web.extract.html import HtmlExtractor

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 3
"""Neighbours on the machine make work slower, never faster: one try within a bound shows that it can be kept."""
_USUAL_S = 0.19
"""What a million steps of plain work take on the machine that the bounds were set on."""


def spent(work: Callable[[], object]) -> float:
    """Return the CPU seconds that work takes in this thread."""
    tracer = sys.gettrace()
    sys.settrace(None)  # the bound is on the work, not on what measures coverage
    try:
        began = time.thread_time()
        work()
        return time.thread_time() - began
    finally:
        sys.settrace(tracer)


def least(work: Callable[[], object]) -> float:
    """Return the CPU seconds that work takes where little comes between."""
    return min(spent(work) for _ in range(TRIES))


def takes_at_most(seconds: float, work: Callable[[], object]) -> bool:
    """Tell whether work can be done in so many CPU seconds of the usual machine."""
    return any(spent(work) < seconds * _slowness() for _ in range(TRIES))


def costs_at_most(seconds: float, page: str) -> bool:
    """Tell whether a page can be read in so many CPU seconds of the usual machine."""
    return takes_at_most(seconds, partial(_read, page))


def _read(page: str) -> None:
    with suppress(UnreadableError):  # what asks for more than it may is taken to hide, or is not read
        HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html"))


def _slowness() -> float:
    """Return how many times longer than usual this machine takes now; never less than one."""
    began = time.thread_time()
    held: dict[int, str] = {}
    for number in range(1_000_000):
        held[number % 1_000] = str(number)
    return max(1.0, (time.thread_time() - began) / _USUAL_S)


MAX_GROWTH = 6.0
"""How many times more work a page of four times the size may take."""
_NOTHING_S = 0.1
"""CPU seconds of the usual machine below which the growth of work cannot be measured, and holds nobody up."""


def grows_in_proportion(small: str, large: str) -> bool:
    """Tell whether a page of four times the size takes at most six times the work, or none to speak of."""
    most = least(partial(_read, large))
    return most < _NOTHING_S * _slowness() or most <= MAX_GROWTH * least(partial(_read, small))
