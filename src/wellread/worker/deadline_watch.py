"""Calls functions when their time has come, all from one thread.

A `threading.Timer` for each task would be a thread for each task: its start alone waits twice for the interpreter's
lock, while the child has nothing to do.
"""

from __future__ import annotations

import math
import threading
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

from wellread.worker.after_fork import renew_after_fork

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.ports import Clock


class Alarm:
    """A call that is due later, unless it is cancelled."""

    def __init__(self, action: Callable[[], None]) -> None:
        """Take the function, which must return soon and raise nothing."""
        self._action: Callable[[], None] | None = action

    @property
    def is_cancelled(self) -> bool:
        """Whether nothing is called any more."""
        return self._action is None

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

    def __init__(self, clock: Clock) -> None:
        """Take the clock that says when an alarm is due; set no alarm yet."""
        self._clock = clock
        self.renew()
        renew_after_fork(self)

    def renew(self) -> None:
        """Forget all alarms and their thread, which are those of the other process after a fork."""
        self._alarms = _AlarmQueue(self._clock)

    def call_later(self, seconds: float, action: Callable[[], None]) -> Alarm:
        """Call `action` in `seconds`, from another thread."""
        alarm = Alarm(action)
        self._alarms.add(seconds, alarm)
        return alarm


class _AlarmQueue:
    """The alarms of one process, by the time when they ring."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        """Notified where an alarm is due before the thread wakes."""
        self._queue: list[tuple[float, int, Alarm]] = []
        self._numbers = count()
        """For alarms that are due at the same time."""
        self._wakes_at = math.inf
        self._is_watched = False

    def add(self, seconds: float, alarm: Alarm) -> None:
        """Let `alarm` ring in `seconds`."""
        due = self._clock.monotonic() + seconds
        with self._changed:
            self._drop_cancelled()
            heappush(self._queue, (due, next(self._numbers), alarm))
            if not self._is_watched:
                threading.Thread(target=self._watch, daemon=True).start()
                self._is_watched = True
            elif due < self._wakes_at:
                self._changed.notify()

    def _drop_cancelled(self) -> None:
        """Drop the cancelled alarms before the first that is not; most tasks end long before their alarm is due."""
        while self._queue and self._queue[0][2].is_cancelled:
            heappop(self._queue)

    def _watch(self) -> None:
        while True:
            self._wait_for_first().ring()

    def _wait_for_first(self) -> Alarm:
        """Wait until an alarm is due; return it."""
        with self._changed:
            while True:
                self._drop_cancelled()
                self._wakes_at = math.inf
                if self._queue:
                    self._wakes_at = self._queue[0][0]
                wait_s = self._wakes_at - self._clock.monotonic()
                if wait_s <= 0:
                    return heappop(self._queue)[2]
                self._changed.wait(min(wait_s, threading.TIMEOUT_MAX))
