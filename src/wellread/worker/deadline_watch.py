"""Calls functions when their time has come, all from one thread.

A `threading.Timer` for each task would be a thread for each task: its start alone waits twice for the interpreter's
lock, while the child has nothing to do.
"""

from __future__ import annotations

import os
import sched
import threading
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
        event = self._scheduler.enter(seconds, 0, alarm.ring)
        if self._scheduler.queue[:1] == [event]:
            self._changed.set()
        with self._lock:
            if not self._is_watched:
                threading.Thread(target=self._watch, daemon=True).start()
                self._is_watched = True
        return alarm

    def _begin(self) -> None:
        self._owner = os.getpid()
        self._scheduler = sched.scheduler()
        """Alarms by the time when they ring; those that were cancelled stay until then."""
        self._changed = threading.Event()
        """Set where an alarm is due before all others."""
        self._lock = threading.Lock()
        self._is_watched = False

    def _watch(self) -> None:
        while True:
            self._changed.clear()
            wait_s = self._scheduler.run(blocking=False)
            self._changed.wait(wait_s)
