"""Measures how fast this machine is now, beside the one that bounds of seconds were set on."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_USUAL_S = 0.19
"""What a million steps of plain work take on the machine that the bounds were set on."""


def slowness() -> float:
    """Return how many times more CPU time than usual this machine takes now; never less than one."""
    return _slowness(time.thread_time)


def slowness_by_the_clock() -> float:
    """Return how many times longer than usual this machine takes now, with what others do on it; at least one."""
    return _slowness(time.monotonic)


def _slowness(clock: Callable[[], float]) -> float:
    began = clock()
    held: dict[int, str] = {}
    for number in range(1_000_000):
        held[number % 1_000] = str(number)
    return max(1.0, (clock() - began) / _USUAL_S)
