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


def string_schema(description: str = "", *, min_length: int | None = None, max_length: int | None = None) -> Schema:
    """Return the schema of a string, bounded in characters where its consumer has no bound of its own."""
    options = {"minLength": min_length, "maxLength": max_length, "description": description or None}
    return {"type": "string", **{name: value for name, value in options.items() if value is not None}}


def integer_schema(description: str = "", *, minimum: int = 0, maximum: int = 1_000_000) -> Schema:
    """Return the schema of an integer."""
    bounds: Schema = {"type": "integer", "minimum": minimum, "maximum": maximum}
    if description:
        bounds["description"] = description
    return bounds


def enum_schema(choices: Iterable[str], description: str = "") -> Schema:
    """Return the schema of one of several strings."""
    schema: Schema = {"type": "string", "enum": list(choices)}
    if description:
        schema["description"] = description
    return schema


def string_argument(arguments: Mapping[str, object], name: str, default: str = "") -> str:
    """Return a string argument."""
    value = arguments.get(name, default)
    assert isinstance(value, str)
    return value


def integer_argument(arguments: Mapping[str, object], name: str, default: int) -> int:
    """Return an integer argument; JSON Schema takes 1.0 for one."""
    value = arguments.get(name, default)
    assert isinstance(value, int | float)
    return int(value)
