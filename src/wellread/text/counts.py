"""Counts with their nouns, in messages and results."""

from __future__ import annotations

import re

_ENDS_IN_Y = re.compile(r"[^aeiou]y$")
_HISSES = re.compile(r"(?:s|x|ch|sh)$")


def count_of(count: int, noun: str) -> str:
    """Return a number with its noun in the singular or the plural: `1 page`, `2,000 queries`, `0 matches`.

    Of a noun of several words, the last one takes the plural: `declared item`.
    """
    if count == 1:
        return f"1 {noun}"
    if _ENDS_IN_Y.search(noun):
        return f"{count:,} {noun[:-1]}ies"
    if _HISSES.search(noun):
        return f"{count:,} {noun}es"
    return f"{count:,} {noun}s"
