"""Measures what work costs, on machines that others use as well."""

from __future__ import annotations

import gc
import sys
import time
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from machine import slowness
from wellread.errors import UnreadableError
from wellread.types import Source
from wellread.web.extract.html import HtmlExtractor

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 5
"""Neighbours on the machine make work slower, never faster: one try within a bound shows that it can be kept."""


def spent(work: Callable[[], object]) -> float:
    """Return the CPU seconds that work takes in this thread."""
    tracer = sys.gettrace()
    sys.settrace(None)  # the bound is on the work, not on what measures coverage
    gc.freeze()  # the objects of thousands of earlier tests would be scanned again and again, on large pages alone
    try:
        began = time.thread_time()
        work()
        return time.thread_time() - began
    finally:
        gc.unfreeze()
        sys.settrace(tracer)


def least(work: Callable[[], object]) -> float:
    """Return the CPU seconds that work takes where little comes between."""
    return min(spent(work) for _ in range(TRIES))


def takes_at_most(seconds: float, work: Callable[[], object]) -> bool:
    """Tell whether work can be done in so many CPU seconds of the usual machine."""
    return any(spent(work) < seconds * slowness() for _ in range(TRIES))


def costs_at_most(seconds: float, page: str) -> bool:
    """Tell whether a page can be read in so many CPU seconds of the usual machine."""
    return takes_at_most(seconds, partial(_read, page))


def _read(page: str) -> None:
    with suppress(UnreadableError):  # what asks for more than it may is taken to hide, or is not read
        HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html"))


MAX_GROWTH = 6.0
"""How many times more work a page of four times the size may take."""
_MAX_TURNS = 5
_NOTHING_S = 0.1
"""CPU seconds of the usual machine below which the growth of work cannot be measured, and holds nobody up."""


def grows_in_proportion(small: str, large: str) -> bool:
    """Tell whether a page of four times the size takes at most six times the work, or none to speak of."""
    read_small, read_large = partial(_read, small), partial(_read, large)
    return spent(read_large) < _NOTHING_S * slowness() or work_grows_in_proportion(read_small, read_large)


def work_grows_in_proportion(small: Callable[[], object], large: Callable[[], object]) -> bool:
    """Tell whether work on four times the input takes at most six times as long.

    The two sizes are measured in turns, so that both see the machine when it is busy and when it is idle.
    """
    small_s = large_s = float("inf")
    for _ in range(_MAX_TURNS):
        large_s = min(large_s, spent(large))
        small_s = min(small_s, spent(small))
        if large_s <= MAX_GROWTH * small_s:
            return True
    return False
