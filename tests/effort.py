"""Measures what work costs, on machines that others use as well."""

from __future__ import annotations

import gc
import math
import sys
import time
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

from machine import slowness
from wellread.errors import UnreadableError
from wellread.extraction.html import HtmlExtractor
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

TRIES = 5
"""Neighbours on the machine make work slower, never faster: one try within a bound shows that it can be kept."""


def spent(work: Callable[[], object]) -> float:
    """Return the CPU seconds that work takes in this thread.

    Objects of earlier tests are frozen, because full collections during the work would scan them again and again. They
    stay frozen: `gc.unfreeze` would return the modules and tests of the whole process to the collector.
    """
    gc.collect()
    gc.freeze()
    with _untraced():
        began = time.thread_time()
        work()
        return time.thread_time() - began


@contextmanager
def _untraced() -> Iterator[None]:
    """Suspend the tracer of coverage, whose cost is none of the work's."""
    tracer = sys.gettrace()
    sys.settrace(None)
    try:
        yield
    finally:
        sys.settrace(tracer)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Suspend the garbage collector.

    Its full collections begin at some tens of thousands of objects. They make the larger of two sizes slower in a step,
    though their share stays bounded for all sizes above (`long_lived_pending` in CPython's gc).
    """
    is_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if is_enabled:
            gc.enable()


def takes_at_most(seconds: float, work: Callable[[], object]) -> bool:
    """Tell whether work can be done in so many CPU seconds of the usual machine."""
    return any(_is_within(seconds, spent(work)) for _ in range(TRIES))


def _is_within(seconds: float, cost_s: float) -> bool:
    """Compare with a bound; the machine is measured only where its usual speed would not be enough."""
    if cost_s < seconds:
        return True
    with _untraced():
        return cost_s < seconds * slowness()


def costs_at_most(seconds: float, page: str) -> bool:
    """Tell whether a page can be read in so many CPU seconds of the usual machine."""
    return takes_at_most(seconds, partial(_read, page))


def _read(page: str) -> None:
    with suppress(UnreadableError):  # what asks for more than it may is taken to hide, or is not read
        HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html"))


MAX_GROWTH = 6.0
"""How many times more work a page of four times the size may take."""
_MAX_TURNS = 7
_NOTHING_S = 0.1
"""CPU seconds of the usual machine that a page may take whatever its size: they hold nobody up."""
_MEASURABLE_S = 0.01
"""Work that takes less is repeated until it takes as long: below, interrupts and cold caches outweigh the work."""


def grows_in_proportion(small: str, large: str) -> bool:
    """Tell whether a page of four times the size takes at most six times the work, or none to speak of."""
    read_small, read_large = partial(_read, small), partial(_read, large)
    return _is_within(_NOTHING_S, spent(read_large)) or work_grows_in_proportion(read_small, read_large)


def work_grows_in_proportion(small: Callable[[], object], large: Callable[[], object]) -> bool:
    """Tell whether work on four times the input takes at most six times as long.

    Quick work is repeated, both sizes equally often, so that none is too quick to be measured. A first ratio beyond the
    bound is measured again, as the second lowest of several ratios: neighbours that are busy throughout made the median
    of work in proportion 6 and more, and hardly make quadratic work (16) so quick twice.
    """
    with _uncollected():
        rounds = math.ceil(_MEASURABLE_S / spent(small))
        if spent(partial(_repeat, large, rounds)) <= MAX_GROWTH * spent(partial(_repeat, small, rounds)):
            return True
        return sorted(_growth(small, large, rounds) for _ in range(_MAX_TURNS))[1] <= MAX_GROWTH


def _growth(small: Callable[[], object], large: Callable[[], object], rounds: int) -> float:
    """Return how many times more the larger input costs, both measured over about the same time.

    Neighbours slow the machine down for moments. One run of the small input often falls between two such moments, a run
    of the large input seldom, so the small one runs four times: twice before the large one, and twice after it.
    """
    small_s = spent(partial(_repeat, small, 2 * rounds))
    large_s = spent(partial(_repeat, large, rounds))
    small_s += spent(partial(_repeat, small, 2 * rounds))
    return large_s / (small_s / 4)


def _repeat(work: Callable[[], object], rounds: int) -> None:
    for _ in range(rounds):
        work()
