"""Reads the JSON of search services without trusting it: strict, bounded, and never raising."""

from __future__ import annotations

import json
import math
import re
from html import unescape
from typing import TYPE_CHECKING

from wellread.text.characters import on_one_line
from wellread.text.dates import iso

if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_TITLE = 300
MAX_SNIPPET = 2_000

_INLINE = r"a|abbr|b|bdi|big|cite|code|em|font|i|mark|q|s|small|span|strong|sub|sup|u|wbr"
_BREAKING = r"br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|td|th|tr|ul"
_TAG = re.compile(rf"<(?P<close>/?)(?:(?P<inline>{_INLINE})|(?P<breaking>{_BREAKING}))(?:\s[^<>]*)?/?>", re.IGNORECASE)
_FRACTION = re.compile(r"(?<=\d)\.(\d+)")


def read(body: bytes) -> dict[str, object] | None:
    """Return the JSON object that `body` is (RFC 8259: UTF-8, no NaN), or None when it is anything else."""
    try:
        value = json.loads(body.decode("utf-8-sig"), parse_constant=_refuse)
    except (ValueError, RecursionError):  # ValueError covers bad UTF-8, bad JSON, and integers beyond reason
        return None
    if not isinstance(value, dict):
        return None
    return value


def _refuse(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def at(value: object, *path: str | int) -> object:
    """Return the value at `path` inside `value`, or None where the path leads nowhere."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and -len(value) <= step < len(value):
            value = value[step]
        else:
            return None
    return value


def objects(value: object) -> list[Mapping[str, object]] | None:
    """Return the objects of a list, or None when it is no list of objects."""
    if not isinstance(value, list):
        return None
    mappings: list[Mapping[str, object]] = [item for item in value if isinstance(item, dict)]
    if mappings or not value:
        return mappings
    return None


def number(value: object) -> float | None:
    """Return a finite number, also one written as text, or None."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        parsed = float(value)
    except (ValueError, OverflowError):
        return None
    if not math.isfinite(parsed):
        return None
    return parsed


def text(value: object) -> str:
    """Return a string as it is, or an empty one for everything else."""
    if not isinstance(value, str):
        return ""
    return value


def plain(value: object, limit: int = MAX_SNIPPET) -> str:
    """Return `value` as one line of text: markup of emphasis and layout gone, entities undone once, nothing unseen.

    Tags go before entities are undone, so that `&lt;b&gt;` stays the text it is; and only where something is closed or
    broken, so that `a List<b> of` stays too.
    """
    line = text(value)[: limit * 8]
    if "<" in line and any(match["close"] or match["breaking"] for match in _TAG.finditer(line)):
        line = _TAG.sub(lambda match: " " if match["breaking"] else "", line)
    line = on_one_line(unescape(line))
    if len(line) <= limit:
        return line
    return line[: limit - 1].rstrip() + "\u2026"


def date(value: object) -> str | None:
    """Return a date as ISO 8601, fractions of a second at most six digits; None for "2 days ago" and other guesses."""
    stamp = iso(text(value))
    if not stamp:
        return None
    return _FRACTION.sub(_fraction, stamp, count=1)


def _fraction(match: re.Match[str]) -> str:
    digits = match[1][:6].rstrip("0")
    if not digits:
        return ""
    return f".{digits}"
