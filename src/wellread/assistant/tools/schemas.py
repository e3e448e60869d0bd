"""Says what a tool takes, as JSON Schema, and reads what was given: the schema was checked before a tool is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Schema = dict[str, object]


def takes(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """Return the schema of an arguments object."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def text(words: str = "", *, longest: int = 10_000) -> Schema:
    """Return the schema of a text."""
    return {"type": "string", "maxLength": longest, **({"description": words} if words else {})}


def number(words: str = "", *, least: int = 0, most: int = 1_000_000) -> Schema:
    """Return the schema of a whole number."""
    bounds = {"type": "integer", "minimum": least, "maximum": most}
    return {**bounds, **({"description": words} if words else {})}


def said(arguments: Mapping[str, object], name: str, otherwise: str = "") -> str:
    """Return a text that was given."""
    value = arguments.get(name, otherwise)
    assert isinstance(value, str)
    return value


def counted(arguments: Mapping[str, object], name: str, otherwise: int) -> int:
    """Return a whole number that was given; JSON Schema takes 1.0 for one."""
    value = arguments.get(name, otherwise)
    assert isinstance(value, int | float)
    return int(value)
