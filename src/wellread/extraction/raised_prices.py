"""Writes prices in one line whose currency, or whose last two digits, stand raised: `$549` and a small `00`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.types import Span, Style

if TYPE_CHECKING:
    from collections.abc import Sequence

_SUP, _NOTE = int(Style.SUP), int(Style.NOTE)
_SIGNS: Final = "$\u20ac\u00a3\u00a5\u20b9"
_CURRENCY: Final = re.compile(rf"[{_SIGNS}]")
_WITH_POINT: Final = re.compile(rf"[.,]\d\d(?: ?[{_SIGNS}])?")
_DIGITS: Final = re.compile(rf"\d\d(?: ?[{_SIGNS}])?")
_PRICED: Final = re.compile(rf"[{_SIGNS}] ?\d{{1,3}}(?:[ ,.]?\d{{3}}){{0,2}}$")
"""An amount with its currency before it, at the end of a text."""
_AMOUNT: Final = re.compile(r"(?<![\d.,])\d{1,3}(?:[ ,.]?\d{3}){0,2}$")
_LONGEST_AMOUNT: Final = 20
"""Characters."""
_LONGEST_LINE: Final = 60
"""Characters of a line in which two raised digits after a price are a part of it, and no reference to a note."""


def with_lowered_prices(spans: Sequence[Span]) -> Sequence[Span]:
    """Return the spans of a line with its prices as they are read aloud."""
    if not any(span.style & _SUP for span in spans):
        return spans
    short = sum(len(span.text) for span in spans) <= _LONGEST_LINE
    lines: list[Span] = []
    for at, span in enumerate(spans):
        text = None
        if span.style & _SUP and not span.style & _NOTE and span.href is None:  # what leads somewhere is a note
            before = "".join(line.text for line in lines[-2:])[-_LONGEST_AMOUNT:]
            after = "".join(following.text for following in spans[at + 1 : at + 3])[:2]
            text = _lowered_text(span.text.strip(), before, after, short=short)
        if text is None:
            lines.append(span)
        else:
            lines.append(Span(text, span.style & ~_SUP, span.href))
    return lines


def _lowered_text(raised: str, before: str, after: str, *, short: bool) -> str | None:
    """Return a raised text as it is read in its line, or None where it is no part of a price."""
    is_currency = _CURRENCY.fullmatch(raised) and (after[:1].isdigit() or before[-1:].isdigit())
    if is_currency or (_WITH_POINT.fullmatch(raised) and _AMOUNT.search(before)):
        return raised
    if not short or not _DIGITS.fullmatch(raised):
        return None
    if priced := _PRICED.search(before):
        return f"{',' if '.' in priced[0] else '.'}{raised}"
    if (_CURRENCY.search(after) or _CURRENCY.search(raised)) and _AMOUNT.search(before):
        return f",{raised}"
    return None
