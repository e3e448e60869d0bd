"""Writes the selectors of rules that stand in other rules or in scopes out, as if they stood alone (CSS Nesting 1)."""

from __future__ import annotations

import re
from typing import Final

from wellread.lazy_pattern import lazy_pattern

_PLAIN: Final = lazy_pattern(r"[.#]-?[a-zA-Z_][a-zA-Z0-9_-]*")
_LONGEST: Final = 2_000
_STRUCTURE: Final = lazy_pattern(r"[(),]|\[[^\]]*+(?:\]|\Z)")
UNTOLD: Final = ":untold"
"""Stands for selectors that are too long to be put into others: whether they match, nobody here knows."""
_JOINED: Final = lazy_pattern(r"&(?=[a-zA-Z0-9_\\*-]|[^\x00-\x7f])")


def members(prelude: str) -> list[str]:
    """Return the members of a list of selectors, parted by the commas that stand in no brackets."""
    found: list[str] = []
    start = depth = 0
    for sign in _STRUCTURE.finditer(prelude):
        if sign[0] == "(":
            depth += 1
        elif sign[0] == ")":
            depth -= depth > 0
        elif sign[0] == "," and not depth:
            found.append(prelude[start : sign.start()])
            start = sign.end()
    return [*found, prelude[start:]]


def nested(outer: str, inner: str) -> str:
    """Return the selector of a rule inside another (CSS Nesting 1)."""
    outer = outer.strip()
    around = outer if _PLAIN.fullmatch(outer) else f":is({outer})"
    if len(around) * (inner.count("&") + inner.count(",") + 1) > _LONGEST:
        around = UNTOLD
    pieces = []
    for one in members(inner):
        told = one.strip()
        if told[:1] in {">", "+", "~"} or (told and "&" not in told):
            told = f"& {told}"
        pieces.append(_JOINED.sub(lambda _: f":is({around})", told).replace("&", around))
    return ",".join(pieces)


def scoped(root: str, inner: str) -> str:
    """Return the selector of a rule inside `@scope (root)` (CSS Cascade 6, 2.5)."""
    if len(root) * (inner.count(",") + inner.count("&") + 2) > _LONGEST:
        root = UNTOLD
    pieces = []
    for one in members(inner):
        told = re.sub(r":scope\b|&", lambda _: f":is({root})", one.strip())
        if told[:1] in {">", "+", "~"}:
            told = f":is({root}) {told}"
        if told != one.strip():
            pieces.append(told)
        else:
            pieces += [f":where({root}) {told}", f"{told}:where({root})"]
    return ",".join(pieces)
