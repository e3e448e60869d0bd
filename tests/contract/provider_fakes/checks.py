"""How strict fakes look at what they are sent: every parameter known and legal, every header as documented."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from contract.provider_fakes.exchange import Asked

DAY = r"\d{4}-\d\d-\d\d"
COUNTRY = r"[A-Z]{2}"
WORDS = r"\S(.*\S)?"


def upto(most: int, least: int = 1) -> str:
    """Return a pattern for whole numbers within bounds."""
    return "|".join(str(number) for number in range(least, most + 1))


def wrong(values: Mapping[str, object], rules: Mapping[str, str], *, needed: str = "") -> str | None:
    """Return the name of the first parameter that is missing, unknown, or not what its pattern allows."""
    missing = [name for name in needed.split() if name not in values]
    if missing:
        return missing[0]
    for name, value in values.items():
        if name not in rules or not re.fullmatch(rules[name], _written(value), re.DOTALL):
            return name
    return None


def _written(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def is_get(asked: Asked, path: str) -> bool:
    """Tell whether it is a GET for JSON at `path`."""
    return asked.method == "GET" and asked.path == path and not asked.body and _wants_json(asked)


def is_post(asked: Asked, path: str) -> bool:
    """Tell whether it is a POST of JSON for JSON at `path`."""
    sent = asked.headers.get("content-type") == "application/json"
    return asked.method == "POST" and asked.path == path and not asked.query and sent and _wants_json(asked)


def _wants_json(asked: Asked) -> bool:
    return asked.headers.get("accept") == "application/json"
