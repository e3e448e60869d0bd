"""Measures how fast this machine is now, beside the one that bounds of seconds were set on."""

from __future__ import annotations

import time

_USUAL_S = 0.19
"""What a million steps of plain work take on the machine that the bounds were set on."""


def slowness() -> float:
    """Return how many times longer than usual this machine takes now; never less than one."""
    began = time.thread_time()
    held: dict[int, str] = {}
    for number in range(1_000_000):
        held[number % 1_000] = str(number)
    return max(1.0, (time.thread_time() - began) / _USUAL_S)
