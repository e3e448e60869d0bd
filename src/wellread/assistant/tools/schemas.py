"""Says what a tool takes, as JSON Schema, and reads what was given: the schema was checked before a tool is called."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Schema = dict[str, object]


def takes(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """Return the schema of an arguments object."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def text(words: str = "", *, least: int | None = None, longest: int | None = None) -> Schema:
    """Return the schema of a text, bounded in characters where what takes it has no bound of its own."""
    said = {"minLength": least, "maxLength": longest, "description": words or None}
    return {"type": "string", **{name: value for name, value in said.items() if value is not None}}


def number(words: str = "", *, least: int = 0, most: int = 1_000_000) -> Schema:
    """Return the schema of a whole number."""
    bounds = {"type": "integer", "minimum": least, "maximum": most}
    return {**bounds, **({"description": words} if words else {})}


def choice(of: Iterable[str], words: str = "") -> Schema:
    """Return the schema of one word out of some."""
    return {"type": "string", "enum": list(of), **({"description": words} if words else {})}


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
