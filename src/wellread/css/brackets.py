"""Follows brackets through CSS: where one closes, and whether they are nested deeper than anybody reads."""

from __future__ import annotations

from typing import Final

from wellread.lazy_pattern import lazy_pattern

_DEEPEST: Final = 100
"""Honest styles nest half a dozen; what takes them apart calls itself once or twice for each."""
_ROUND: Final = lazy_pattern(r"[()]")
_ANY: Final = lazy_pattern(r"[()\[\]{}]")
_PAIRS: Final = {")": "(", "]": "[", "}": "{"}


def closing(value: str, at: int) -> int:
    """Return where the round bracket closes that is open at `at`."""
    depth = 1
    for found in _ROUND.finditer(value, at):
        depth += 1 if found.group() == "(" else -1
        if not depth:
            return found.start()
    return len(value)


def is_deep(css: str) -> bool:
    """Tell whether brackets are nested too deep; none closes another kind (CSS Syntax 3, 5.4.8)."""
    if sum(map(css.count, "([{")) <= _DEEPEST:
        return False
    around: list[str] = []
    for sign in _ANY.findall(css):
        if sign not in _PAIRS:
            around.append(sign)
        elif around and around[-1] == _PAIRS[sign]:
            around.pop()
        if len(around) > _DEEPEST:
            return True
    return False
