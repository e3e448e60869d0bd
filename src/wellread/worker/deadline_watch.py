"""Calls functions when their time has come, all from one thread.

A `threading.Timer` for each task would be a thread for each task: its start alone waits twice for the interpreter's
lock, while the child has nothing to do.
"""

from __future__ import annotations

import heapq
import itertools
import os
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Alarm:
    """A call that is due later, unless it is cancelled."""

    def __init__(self, action: Callable[[], None]) -> None:
        """Take the function, which must return soon and raise nothing."""
        self._action: Callable[[], None] | None = action

    def cancel(self) -> None:
        """Let nothing be called; a call that has begun goes on."""
        self._action = None

    def ring(self) -> None:
        """Call the function."""
        action = self._action
        if action is not None:
            action()


class DeadlineWatch:
    """Alarms and the thread that rings them, which is started when first needed. Safe in threads."""

    def __init__(self) -> None:
        """Set no alarm yet."""
        self._is_watched = False
        self._begin()

    def call_later(self, seconds: float, action: Callable[[], None]) -> Alarm:
        """Call `action` in `seconds`, from another thread."""
        if self._owner != os.getpid():  # after a fork, the thread is that of the other process
            self._begin()
        alarm = Alarm(action)
        entry = (time.monotonic() + seconds, next(self._numbers), alarm)
        with self._changed:
            heapq.heappush(self._alarms, entry)
            if self._alarms[0] is entry:
                self._changed.notify()
            if not self._is_watched:
                threading.Thread(target=self._watch, daemon=True).start()
                self._is_watched = True
        return alarm

    def _begin(self) -> None:
        self._owner = os.getpid()
        self._changed = threading.Condition()
        self._numbers = itertools.count()
        self._alarms: list[tuple[float, int, Alarm]] = []
        """By the time when they ring; those that were cancelled stay until then."""
        self._is_watched = False

    def _watch(self) -> None:
        while True:
            self._next_due().ring()

    def _next_due(self) -> Alarm:
        """Wait until an alarm is due, and return it."""
        with self._changed:
            while True:
                wait_s = None
                if self._alarms:
                    wait_s = self._alarms[0][0] - time.monotonic()
                if wait_s is not None and wait_s <= 0:
                    return heapq.heappop(self._alarms)[2]
                self._changed.wait(wait_s)
