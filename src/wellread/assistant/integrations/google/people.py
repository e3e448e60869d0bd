"""People by their mail addresses: what a tool takes, and what it was given."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.tools.schemas import Schema, text

if TYPE_CHECKING:
    from collections.abc import Mapping

PEOPLE: Schema = {"type": "array", "items": text(longest=320), "maxItems": 100}


def people(given: Mapping[str, object], name: str) -> list[str]:
    """Return the addresses that a tool was given."""
    value = given.get(name, [])
    assert isinstance(value, list)
    return [str(it) for it in value]
