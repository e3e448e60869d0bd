"""JSON Schemas of tool arguments, and readers of checked arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Schema = dict[str, object]


def arguments_schema(required: tuple[str, ...] = (), **properties: Schema) -> Schema:
    """Return the schema of an arguments object."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def string_schema(words: str = "", *, least: int | None = None, longest: int | None = None) -> Schema:
    """Return the schema of a string, bounded in characters where its consumer has no bound of its own."""
    options = {"minLength": least, "maxLength": longest, "description": words or None}
    return {"type": "string", **{name: value for name, value in options.items() if value is not None}}


def integer_schema(words: str = "", *, least: int = 0, most: int = 1_000_000) -> Schema:
    """Return the schema of an integer."""
    bounds: Schema = {"type": "integer", "minimum": least, "maximum": most}
    if words:
        bounds["description"] = words
    return bounds


def enum_schema(of: Iterable[str], words: str = "") -> Schema:
    """Return the schema of one of several strings."""
    schema: Schema = {"type": "string", "enum": list(of)}
    if words:
        schema["description"] = words
    return schema


def string_argument(arguments: Mapping[str, object], name: str, otherwise: str = "") -> str:
    """Return a string argument."""
    value = arguments.get(name, otherwise)
    assert isinstance(value, str)
    return value


def integer_argument(arguments: Mapping[str, object], name: str, otherwise: int) -> int:
    """Return an integer argument; JSON Schema takes 1.0 for one."""
    value = arguments.get(name, otherwise)
    assert isinstance(value, int | float)
    return int(value)
