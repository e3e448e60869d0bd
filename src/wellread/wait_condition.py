"""The conditions that a rendered page must meet before it is read, as settings and callers write them."""

from __future__ import annotations

import re
import typing
from typing import Literal

from wellread.errors import InvalidInput
from wellread.frozen import frozen
from wellread.lazy_pattern import lazy_pattern

Kind = Literal["adaptive", "domcontentloaded", "load", "networkidle", "selector"]

IDLE_MS = 500
"""What `networkidle` means elsewhere too."""
_WRITTEN = lazy_pattern(r"(adaptive|domcontentloaded|load)|networkidle(?::(\d{1,5}))?|selector:(.+)", re.DOTALL)


@frozen
class WaitCondition:
    """One way of waiting."""

    kind: Kind = "adaptive"
    idle_ms: int = IDLE_MS
    selector: str = ""


def parse_wait(text: str) -> WaitCondition:
    """Read `adaptive`, `domcontentloaded`, `load`, `networkidle`, `networkidle:300` or `selector:main h1`.

    Raises:
        InvalidInput: it is none of these.
    """
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        hint = "use one of adaptive, domcontentloaded, load, networkidle, networkidle:MILLISECONDS, selector:CSS"
        raise InvalidInput(f"{text[:80]!r} is not a valid wait", hint=hint)
    kind, idle_ms, selector = match.groups()
    if kind:
        return WaitCondition(kind=typing.cast("Kind", kind))
    if selector:
        return WaitCondition(kind="selector", selector=selector)
    return WaitCondition(kind="networkidle", idle_ms=int(idle_ms or IDLE_MS))
