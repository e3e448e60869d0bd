"""People by their mail addresses: the schema of a tool's argument, and its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.tools.schemas import Schema, text

if TYPE_CHECKING:
    from collections.abc import Mapping

PEOPLE: Schema = {"type": "array", "items": text(longest=320), "maxItems": 100}


def people(arguments: Mapping[str, object], name: str) -> list[str]:
    """Return the addresses in the argument `name`."""
    value = arguments.get(name, [])
    assert isinstance(value, list)
    return [str(address) for address in value]
