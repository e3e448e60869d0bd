"""Counts the steps of reading one page, and ends the reading of a page that asks for more than pages do.

Each loop whose cost depends on what a page says has bounds of its own, most of them with a way to go on. This is the
last resort, for what those bounds overlook: it needs no clock and no other process, and comes out the same everywhere.
"""

from __future__ import annotations

from typing import Final

from wellread.errors import UnreadableError

MIN_STEPS: Final = 2_000_000
STEPS_PER_CHAR: Final = 10
"""A step takes about a microsecond: an element is looked at, a rule is weighed, a selector is compared."""

CHARS_PER_STEP: Final = 50
"""Characters of text that are gone through in one step."""


class StepCounter:
    """The steps that reading one page may take."""

    __slots__ = ("_left", "_most", "chars")

    def __init__(self, chars: int = 0) -> None:
        """Take the length of the page's source in characters."""
        self.chars: Final = chars
        self._most = self._left = MIN_STEPS + STEPS_PER_CHAR * chars

    @property
    def spent(self) -> int:
        """How many steps were taken."""
        return self._most - self._left

    @property
    def most(self) -> int:
        """How many steps may be taken."""
        return self._most

    def spend(self, steps: int) -> None:
        """Take steps.

        Raises:
            UnreadableError: they are more than are left.
        """
        self._left -= steps
        if self._left < 0:
            raise UnreadableError(
                f"the page asks for more than {self._most:,} steps of work, the limit for a page of its length",
                hint="read another source",
            )
