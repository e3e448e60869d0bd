"""Turns what a file, a variable or a flag says into the type that a setting has."""

from __future__ import annotations

import json
import math
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def convert(value: object, hint: Any) -> object:  # Any: type hints are arbitrary objects
    """Return `value` as `hint` wants it: a list, table, number, truth, path or text.

    Raises:
        TypeError, ValueError, RuntimeError: it is nothing of the kind.
    """
    if isinstance(hint, types.UnionType):
        inner = next(arg for arg in typing.get_args(hint) if arg is not types.NoneType)
        return None if value in (None, "") else convert(value, inner)
    if typing.get_origin(hint) is Mapping:
        item = typing.get_args(hint)[1]
        return types.MappingProxyType({name: convert(part, item) for name, part in as_table(value).items()})
    if typing.get_origin(hint) is tuple:
        item = typing.get_args(hint)[0]
        return tuple(convert(part, item) for part in _as_list(value))
    if hint is bool:
        return _as_bool(value)
    if hint in (int, float):
        return _as_number(value, hint)
    if not isinstance(value, str | Path):
        raise TypeError(f"expected text, got {type(value).__name__}")  # the value may be a secret
    return Path(value).expanduser() if hint is Path else hint(value)


def _as_list(value: object) -> list[object]:
    """Take a list, or text: a JSON array or comma-separated."""
    if isinstance(value, str):
        text = value.strip()
        if not text.startswith("["):
            return [part.strip() for part in text.split(",") if part.strip()]
        value = json.loads(text)
    if not isinstance(value, list | tuple):
        raise TypeError(f"expected a list, got {value!r}")
    return list(value)


def as_table(value: object) -> dict[str, object]:
    """Take a table, or text: a JSON object, or `name=value` separated by commas.

    Raises:
        TypeError, ValueError: it is neither.
    """
    if isinstance(value, str):
        text = value.strip()
        if text.startswith("{"):
            value = json.loads(text)
        else:
            pairs = [part.partition("=") for part in text.split(",") if part.strip()]
            if not all(equals for _, equals, _ in pairs):
                raise ValueError("expected name=value, separated by commas")
            return {name.strip(): part.strip() for name, _, part in pairs}
    if not isinstance(value, dict):
        raise TypeError(f"expected a table, got {type(value).__name__}")
    return value


def _as_bool(value: object) -> bool:
    words = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}
    answer = value if isinstance(value, bool) else words.get(str(value).strip().lower())
    if answer is None:
        raise ValueError(f"expected true or false, got {value!r}")
    return answer


def _as_number(value: object, kind: type[int | float]) -> int | float:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise TypeError(f"expected a number, got {value!r}")
    try:
        number = kind(value.replace("_", "") if isinstance(value, str) else value)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"expected a {'whole ' if kind is int else ''}number, got {value!r}") from error
    if kind is int and isinstance(value, float) and number != value:
        raise ValueError(f"expected a whole number, got {value!r}")
    if not 0 <= number < math.inf:  # NaN compares false
        raise ValueError(f"expected a number of at least 0, got {value!r}")
    return number
