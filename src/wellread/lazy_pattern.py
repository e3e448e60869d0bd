"""Regular expressions that are compiled at their first use.

A page uses one in six of the patterns of the modules that read it, and compiling all takes a seventh of the time of
`wellread extract FILE` (2026-11-27).
"""

from __future__ import annotations

import re
from typing import Any, AnyStr, Generic, cast


class _LazyPattern(Generic[AnyStr]):
    """Stands in for a compiled pattern: a method is looked up once, and is an attribute afterwards."""

    def __init__(self, pattern: AnyStr, flags: int) -> None:
        self.pattern: AnyStr = pattern
        """Known without compiling it: patterns are made of others when a module is loaded."""
        self._flags = flags

    def __getattr__(self, name: str) -> Any:  # Any: whatever a pattern has
        """Compile the pattern, and return its attribute `name`."""
        attribute = getattr(re.compile(self.pattern, self._flags), name)  # `re` has a cache of its own
        setattr(self, name, attribute)
        return attribute


def lazy_pattern(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a regular expression like `re.compile`, which is compiled when its first method is called."""
    return cast("re.Pattern[AnyStr]", _LazyPattern(pattern, flags))
