"""JSON Schema out of frozen dataclasses, and values into them: each shape is written once, as a Python type.

The dialect is JSON Schema 2020-12, kept to what every model's tool calling understands: no references, no lists of
types. Source of the words: `Says` beside an argument, the string under a field of a result.
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
from typing import Any

from wellread.errors import InvalidInput
from wellread.types import COMPUTED_FIELDS

Schema = dict[str, Any]  # Any: JSON Schema is recursive
LeftOut = Mapping[type, frozenset[str]]

_PLAIN: dict[object, str] = {str: "string", int: "integer", float: "number", bool: "boolean", Path: "string"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Says:
    """What a caller is told of an argument, and its bounds."""

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
    """Return the schema of a dataclass that callers fill in: what has no default is required, nothing else fits."""
    hints = _hints(cls)
    fields = dataclasses.fields(cls)
    properties = {field.name: _argument(hints[field.name], field) for field in fields}
    required = [field.name for field in fields if field.default is dataclasses.MISSING]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def result_schema(hint: Any, left_out: LeftOut, *, words: bool = False) -> Schema:  # Any: type hints are arbitrary
    """Return the schema of a result; fields in `left_out` may be missing from it. `words` adds descriptions.

    Fields of bytes are no part of it: doors hand them on beside the JSON.
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
    hints = {name: each for name, each in typing.get_type_hints(hint).items() if each is not bytes}
    computed = {name: getattr(hint, name).fget for name in COMPUTED_FIELDS.get(hint, ())}
    hints |= {name: typing.get_type_hints(function)["return"] for name, function in computed.items()}
    said = _said(hint) | {name: function.__doc__ for name, function in computed.items()} if words else {}
    properties = {
        name: result_schema(each, left_out, words=words) | ({"description": said[name]} if name in said else {})
        for name, each in hints.items()
    }
    required = [name for name in hints if name not in left_out.get(hint, frozenset())]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _said(hint: type) -> dict[str, str]:
    family = [each for each in reversed(hint.__mro__) if each is hint or dataclasses.is_dataclass(each)]
    return {name: text for each in family for name, text in field_words(each).items()}


@cache
def field_words(cls: type) -> dict[str, str]:
    """Return field -> the string that stands under it in the source (PEP 257 calls it an attribute docstring)."""
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
    hint, says = _apart(hint)
    optional = _is_union(hint)
    if optional:
        hint = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
    schema = _bounded(result_schema(hint, {}), says)
    if optional:
        schema = {"anyOf": [schema, {"type": "null"}]}
    schema["description"] = says.text
    if field.default is not dataclasses.MISSING:
        schema["default"] = list(field.default) if isinstance(field.default, tuple) else field.default
    if says.example is not None:
        schema["examples"] = [says.example]
    return schema


def _bounded(schema: Schema, says: Says) -> Schema:
    longest = "maxItems" if schema["type"] == "array" else "maxLength"
    bounds = {"minimum": says.least, "maximum": says.most, longest: says.longest, "pattern": says.pattern}
    if schema["type"] == "string" and "enum" not in schema and not says.blank:
        bounds["minLength"] = 1
    return schema | {name: bound for name, bound in bounds.items() if bound is not None}


def _apart(hint: Any) -> tuple[Any, Says]:  # Any: type hints are arbitrary objects
    kind, says = typing.get_args(hint)
    return kind, typing.cast("Says", says)


def _is_union(hint: object) -> bool:
    return isinstance(hint, types.UnionType) or typing.get_origin(hint) is typing.Union


# ----------------------------------------------------------------------------------------- values into types


def arguments(cls: type, given: object, *, operation: str) -> object:
    """Return the dataclass `cls` filled from JSON: the strict reading of its schema.

    Raises:
        InvalidInput: not an object, an unknown or missing argument, or a value beyond the schema; the hint names what
            would do.
    """
    if not isinstance(given, Mapping):
        raise InvalidInput(f"{operation} takes an object of arguments", hint='such as {"url": "https://example.com"}')
    schema = arguments_schema(cls)
    known = schema["properties"]
    for name in given:
        if name not in known:
            near = difflib.get_close_matches(str(name), list(known), n=1)
            hint = f"did you mean {near[0]}?" if near else f"its arguments are {', '.join(known)}"
            raise InvalidInput(f"{operation} has no argument {str(name)[:60]!r}", hint=hint)
    for name in schema["required"]:
        if name not in given:
            raise InvalidInput(f"{operation} needs {name}", hint=known[name]["description"])
    hints = _hints(cls)
    return cls(**{name: _value(f"{operation}: {name}", value, hints[name]) for name, value in given.items()})


@cache
def _hints(cls: type) -> Mapping[str, Any]:  # Any: type hints are arbitrary objects
    """Return the types of the fields, read once: they are words that must be evaluated."""
    return typing.get_type_hints(cls, include_extras=True)


def _value(where: str, value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    hint, says = _apart(hint)
    if _is_union(hint):
        if value is None:
            return None
        hint = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
    made = _converted(value, hint)
    if made is _WRONG or not _within(made, says, chosen=typing.get_origin(hint) is typing.Literal):
        raise InvalidInput(f"{where} cannot be {_shortened(value)}", hint=_wanted(says, hint))
    return made


_WRONG = object()


def _converted(value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    if typing.get_origin(hint) is typing.Literal:
        return value if isinstance(value, str) and value in typing.get_args(hint) else _WRONG
    if typing.get_origin(hint) is tuple:
        parts = [_converted(part, typing.get_args(hint)[0]) for part in value] if isinstance(value, list) else [_WRONG]
        return _WRONG if _WRONG in parts else tuple(parts)
    if hint is int and isinstance(value, float) and value.is_integer():
        return int(value)  # JSON Schema: 1.0 is an integer
    if isinstance(value, bool) is not (hint is bool) or not isinstance(value, hint):
        return _WRONG
    if isinstance(value, str) and any("\ud800" <= char <= "\udfff" for char in value):
        return _WRONG  # half a character: JSON can say it, UTF-8 cannot
    return value


def _within(value: object, says: Says, *, chosen: bool) -> bool:
    if isinstance(value, bool) or value is None or chosen:
        return True
    if isinstance(value, int):
        return (says.least is None or value >= says.least) and (says.most is None or value <= says.most)
    assert isinstance(value, str | tuple)
    if says.longest is not None and len(value) > says.longest:
        return False
    if isinstance(value, tuple):
        return True
    pattern = says.pattern or ""
    return bool((value or says.blank) and re.search(pattern, value))  # a constant of the schema, on a bounded argument


def _wanted(says: Says, hint: Any) -> str:  # Any: type hints are arbitrary objects
    if typing.get_origin(hint) is typing.Literal:
        return "one of " + ", ".join(typing.get_args(hint))
    bounds = [
        f"{words} {bound:,}"
        for words, bound in (("at least", says.least), ("at most", says.most), ("no longer than", says.longest))
        if bound is not None
    ]
    kind = _PLAIN.get(hint, "list")
    return f"{kind}{', ' if bounds else ''}{', '.join(bounds)}: {says.text}"


def _shortened(value: object) -> str:
    told = repr(value)
    return told if len(told) <= 80 else f"{told[:80]}\u2026"
