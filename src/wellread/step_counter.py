"""Count the steps of reading one page, and stop at a limit far above any normal page.

Each loop whose cost depends on what a page says has bounds of its own, most of them with a way to go on. This is the
last resort, for what those bounds overlook: it needs no clock and no other process, and comes out the same everywhere.
Documents of many parts have a clock besides (`time_limit`), so that the parts read so far come back.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from wellread.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_STEPS: Final = 2_000_000
STEPS_PER_CHAR: Final = 10
"""A step takes about a microsecond: an element is looked at, a rule is weighed, a selector is compared."""

CHARS_PER_STEP: Final = 50
"""Characters of text that are gone through in one step."""


class StepCounter:
    """A counter of the steps that reading one page may take."""

    __slots__ = ("_left", "_most", "chars")

    def __init__(self, chars: int = 0) -> None:
        """Take the length of the page's source in characters."""
        self.chars: Final = chars
        self._most = self._left = MIN_STEPS + STEPS_PER_CHAR * chars

    def spend(self, steps: int) -> None:
        """Count `steps`.

        Raises:
            UnreadableError: they are more than are left.
        """
        self._left -= steps
        if self._left < 0:
            raise UnreadableError(
                f"the page needs more than {self._most:,} processing steps, the limit for a page of its length",
                hint="read another source",
            )


@contextmanager
def time_limit(timeout_s: float | None, share: float) -> Iterator[threading.Event]:
    """Yield an event that is set when reading should end; never without a limit."""
    time_ended = threading.Event()
    if timeout_s is None:
        yield time_ended
        return
    timer = threading.Timer(timeout_s * share, time_ended.set)
    timer.daemon = True
    timer.start()
    try:
        yield time_ended
    finally:
        timer.cancel()
