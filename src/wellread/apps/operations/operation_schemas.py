"""JSON Schema from frozen dataclasses, and JSON values into them: each shape is written once, as a Python type.

The dialect is JSON Schema 2020-12, kept to what every model's tool calling understands: no references, no lists of
types. Source of the words: `ArgumentInfo` beside an argument, the string under a field of a result.
"""

from __future__ import annotations

import ast
import dataclasses
import difflib
import inspect
import re
import textwrap
import types
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeGuard

from wellread.errors import InvalidInput
from wellread.types import COMPUTED_FIELDS

Schema = dict[str, Any]  # Any: JSON Schema is recursive
LeftOut = Mapping[type, frozenset[str]]

_PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", Path: "string"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ArgumentInfo:
    """The description of an argument for a caller, and its bounds."""

    text: str
    least: int | None = None
    most: int | None = None
    """Of a number."""
    longest: int | None = None
    """Of a text in characters, or of a list in items."""
    blank: bool = False
    """An empty text will do."""
    pattern: str | None = None
    """What a text must hold, as a regular expression that JSON Schema's dialect and Python's read alike."""
    example: object = None


# ------------------------------------------------------------------------------------------------ schemas


@cache
def arguments_schema(cls: type) -> Schema:
    """Return the schema of an argument class: fields without a default are required, no others are allowed."""
    hints = _hints(cls)
    fields = dataclasses.fields(cls)
    properties = {field.name: _argument(hints[field.name], field) for field in fields}
    required = [field.name for field in fields if field.default is dataclasses.MISSING]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def result_schema(hint: Any, left_out: LeftOut, *, words: bool = False) -> Schema:  # Any: type hints are arbitrary
    """Return the schema of a result; fields in `left_out` may be missing from it. `words` adds descriptions.

    Fields of bytes are no part of it: interfaces return them beside the JSON.
    """
    if _is_union(hint):
        inner = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
        return {"anyOf": [result_schema(inner, left_out, words=words), {"type": "null"}]}
    if typing.get_origin(hint) is typing.Literal:
        return {"type": "string", "enum": list(typing.get_args(hint))}
    if typing.get_origin(hint) is tuple:
        return {"type": "array", "items": result_schema(typing.get_args(hint)[0], left_out, words=words)}
    if hint in _PLAIN:
        return {"type": _PLAIN[hint]}
    if typing.get_origin(hint) is dict:
        return {"type": "object"}
    hints = {name: field_hint for name, field_hint in _result_hints(hint).items() if field_hint is not bytes}
    computed = {name: getattr(hint, name).fget for name in COMPUTED_FIELDS.get(hint, ())}
    hints |= {name: typing.get_type_hints(function)["return"] for name, function in computed.items()}
    descriptions = (
        _descriptions(hint) | {name: function.__doc__ for name, function in computed.items()} if words else {}
    )
    properties = {
        name: result_schema(field_hint, left_out, words=words)
        | ({"description": descriptions[name]} if name in descriptions else {})
        for name, field_hint in hints.items()
    }
    required = [name for name in hints if name not in left_out.get(hint, frozenset())]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


@cache
def _result_hints(cls: type) -> Mapping[str, Any]:  # Any: type hints are arbitrary objects
    """Return the types of the fields, evaluated once: most results have the same parts."""
    return typing.get_type_hints(cls)


def _descriptions(hint: type) -> dict[str, str]:
    classes = [base for base in reversed(hint.__mro__) if base is hint or dataclasses.is_dataclass(base)]
    return {name: text for base in classes for name, text in field_descriptions(base).items()}


@cache
def field_descriptions(cls: type) -> dict[str, str]:
    """Return field -> the string below it in the source (PEP 257 calls it an attribute docstring)."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    except OSError:  # a bundle without sources: the shapes hold, only the words are missing
        return {}
    body = typing.cast("ast.ClassDef", tree.body[0]).body
    return {
        field.target.id: inspect.cleandoc(words.value.value)
        for field, words in pairwise(body)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(words, ast.Expr)
        and isinstance(words.value, ast.Constant)
        and isinstance(words.value.value, str)
    }


def _argument(hint: Any, field: dataclasses.Field[Any]) -> Schema:  # Any: type hints are arbitrary objects
    hint, info = _type_and_info(hint)
    optional = _is_union(hint)
    if optional:
        hint = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
    schema = _with_bounds(result_schema(hint, {}), info)
    if optional:
        schema = {"anyOf": [schema, {"type": "null"}]}
    schema["description"] = info.text
    if field.default is not dataclasses.MISSING:
        schema["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
    if info.example is not None:
        schema["examples"] = [info.example]
    return schema


def _with_bounds(schema: Schema, info: ArgumentInfo) -> Schema:
    longest = "maxItems" if schema["type"] == "array" else "maxLength"
    bounds = {"minimum": info.least, "maximum": info.most, longest: info.longest, "pattern": info.pattern}
    if schema["type"] == "string" and "enum" not in schema and not info.blank:
        bounds["minLength"] = 1
    return schema | {name: bound for name, bound in bounds.items() if bound is not None}


def _type_and_info(hint: Any) -> tuple[Any, ArgumentInfo]:  # Any: type hints are arbitrary objects
    kind, info = typing.get_args(hint)
    return kind, typing.cast("ArgumentInfo", info)


def _is_union(hint: object) -> bool:
    return isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union


# ----------------------------------------------------------------------------------------- values into types


def parsed_arguments(cls: type, values: object, *, operation: str) -> object:
    """Return the dataclass `cls` filled from JSON: the strict reading of its schema.

    Raises:
        InvalidInput: not an object, an unknown or missing argument, or a value beyond the schema; the hint names what
            would do.
    """
    if not isinstance(values, Mapping):
        raise InvalidInput(f"{operation} takes an object of arguments", hint='such as {"url": "https://example.com"}')
    schema = arguments_schema(cls)
    properties = schema["properties"]
    for name in values:
        if name not in properties:
            matches = difflib.get_close_matches(str(name), list(properties), n=1)
            hint = f"did you mean {matches[0]}?" if matches else f"its arguments are {', '.join(properties)}"
            raise InvalidInput(f"{operation} has no argument {str(name)[:60]!r}", hint=hint)
    for name in schema["required"]:
        if name not in values:
            raise InvalidInput(f"{operation} needs {name}", hint=properties[name]["description"])
    hints = _hints(cls)
    return cls(**{name: _value(f"{operation}: {name}", value, hints[name]) for name, value in values.items()})


@cache
def _hints(cls: type) -> Mapping[str, Any]:  # Any: type hints are arbitrary objects
    """Return the types of the fields, evaluated once: annotations are strings."""
    return typing.get_type_hints(cls, include_extras=True)


def _value(where: str, value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    hint, info = _type_and_info(hint)
    if _is_union(hint):
        if value is None:
            return None
        hint = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
    converted = _converted(value, hint)
    if converted is _WRONG or not _within(converted, info, chosen=typing.get_origin(hint) is typing.Literal):
        raise InvalidInput(f"{where} cannot be {_shortened(value)}", hint=_expected(info, hint))
    return converted


_WRONG = object()
_DIGITS: Final = re.compile(r"-?[0-9]{1,18}")


def _converted(value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    if typing.get_origin(hint) is typing.Literal:
        return value if isinstance(value, str) and value in typing.get_args(hint) else _WRONG
    if typing.get_origin(hint) is tuple:
        return _converted_items(value, typing.get_args(hint)[0])
    if hint is int and _is_spelled_integer(value):
        return int(value)
    kind: Any = typing.get_origin(hint) or hint  # Any: as `hint`
    if hint is float:
        kind = int | float  # JSON Schema: 1 is a number
    if isinstance(value, bool) is not (hint is bool) or not isinstance(value, kind):
        return _WRONG
    if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
        return _WRONG  # half a character: JSON can say it, UTF-8 cannot
    return value


def _is_spelled_integer(value: object) -> TypeGuard[float | str]:
    """Return whether a value of another type is an integer: 1.0 by JSON Schema, and digits, as some models write it."""
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, str) and _DIGITS.fullmatch(value) is not None


def _converted_items(value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    if not isinstance(value, list):
        return _WRONG
    items = tuple(_converted(item, hint) for item in value)
    return _WRONG if _WRONG in items else items


def _within(value: object, info: ArgumentInfo, *, chosen: bool) -> bool:
    if isinstance(value, bool | dict) or value is None or chosen:
        return True
    if isinstance(value, int | float):
        return (info.least is None or value >= info.least) and (info.most is None or value <= info.most)
    assert isinstance(value, str | tuple)
    if info.longest is not None and len(value) > info.longest:
        return False
    if isinstance(value, tuple):
        return True
    pattern = info.pattern or ""
    return bool((value or info.blank) and re.search(pattern, value))  # a constant of the schema, on a bounded argument


def _expected(info: ArgumentInfo, hint: Any) -> str:  # Any: type hints are arbitrary objects
    if typing.get_origin(hint) is typing.Literal:
        return "one of " + ", ".join(typing.get_args(hint))
    bounds = [
        f"{words} {bound:,}"
        for words, bound in (("at least", info.least), ("at most", info.most), ("no longer than", info.longest))
        if bound is not None
    ]
    kind = _PLAIN.get(hint, "list")
    return f"{', '.join([kind, *bounds])}: {info.text}"


def _shortened(value: object) -> str:
    text = repr(value)
    if len(text) <= 80:
        return text
    return f"{text[:80]}\u2026"
