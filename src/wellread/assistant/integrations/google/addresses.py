"""People by their mail addresses: the schema of a tool's argument, and its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.assistant.tools.argument_schemas import Schema, string_schema

if TYPE_CHECKING:
    from collections.abc import Mapping

ADDRESS_LIST_SCHEMA: Schema = {"type": "array", "items": string_schema(max_length=320), "maxItems": 100}


def address_list(arguments: Mapping[str, object], name: str) -> list[str]:
    """Return the addresses in the argument `name`."""
    value = arguments.get(name, [])
    assert isinstance(value, list)
    return [str(address) for address in value]
