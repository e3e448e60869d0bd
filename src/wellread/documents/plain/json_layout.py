"""Lay JSON out over lines, token by token: numbers, repeated keys and their order stay as written."""

from __future__ import annotations

import json
import re
from typing import Final

MAX_CHARS: Final = 2_000_000
MAX_GROWTH: Final = 5
"""The largest growth of JSON by layout; deep nesting would make it quadratic."""
MAX_LINE_CHARS: Final = 200
"""JSON without longer lines is laid out already."""

_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+')
_INDENT: Final = "  "


def laid_out(text: str) -> str:
    """Return JSON with one member a line; unchanged if it is laid out already, too long, or no JSON.

    Escaped characters of strings are shown as themselves.
    """
    if len(text) > MAX_CHARS or _is_laid_out(text):
        return text
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return text
    return _set_out(text) or text


def _is_laid_out(text: str) -> bool:
    lines = text.strip().split("\n")
    return len(lines) > 1 and max(map(len, lines)) <= MAX_LINE_CHARS


def _set_out(text: str) -> str | None:
    """Return the tokens of `text` over lines; None where that becomes too long."""
    pieces: list[str] = []
    budget = len(text) * MAX_GROWTH + 10_000
    depth, before = 0, ""
    for match in _TOKEN.finditer(text):
        token = match[0]
        closes = token in {"}", "]"}
        depth -= closes
        lead = _lead(before, token, depth)
        pieces += (lead, _readable(token))
        budget -= len(lead) + len(token)
        if budget < 0:
            return None
        depth += token in {"{", "["}
        before = token
    return "".join(pieces)


def _lead(before: str, token: str, depth: int) -> str:
    """Return the white space between two tokens."""
    if before == ":":
        return " "
    if before + token in {"{}", "[]"}:
        return ""
    if before in {"{", "[", ","} or (token in {"}", "]"} and before):
        return f"\n{_INDENT * depth}"
    return ""


def _readable(token: str) -> str:
    """Return a string token without escapes of readable characters; other tokens unchanged."""
    if token.startswith('"') and "\\u" in token:
        return json.dumps(json.loads(token), ensure_ascii=False)
    return token
