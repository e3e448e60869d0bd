"""Frozen dataclasses that share one equality, one hash and one text.

`dataclasses` compiles these methods anew for each class, which takes half of the time that a class takes. The classes
that every command loads took a sixth of `wellread read` from the cache (CPython 3.11, 2026-11-28).
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from functools import cache
from reprlib import recursive_repr
from typing import Any, TypeVar, dataclass_transform

C = TypeVar("C")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def frozen(cls: type[C]) -> type[C]:
    """Return `cls` as `dataclass(frozen=True, slots=True, kw_only=True)` returns it.

    Two objects are equal if they have the same class and equal fields. A method that `cls` defines itself stays.
    """
    for name in ("__eq__", "__hash__", "__repr__"):
        if name not in vars(cls):
            setattr(cls, name, vars(_FieldMethods)[name])
    return dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)(cls)


class _FieldMethods:
    """The methods, for any dataclass."""

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        kind: Any = type(self)  # Any: a dataclass
        return all(getattr(self, name) == getattr(other, name) for name in _compared_names(kind))

    def __hash__(self) -> int:
        kind: Any = type(self)  # Any: the same
        return hash(tuple([getattr(self, name) for name in _compared_names(kind)]))

    @recursive_repr()
    def __repr__(self) -> str:
        kind: Any = type(self)  # Any: the same
        shown = ", ".join([f"{name}={getattr(self, name)!r}" for name in _shown_names(kind)])
        return f"{kind.__qualname__}({shown})"


@cache
def _compared_names(dataclass_type: Any) -> tuple[str, ...]:  # Any: a dataclass
    return tuple(column.name for column in fields(dataclass_type) if column.compare)


@cache
def _shown_names(dataclass_type: Any) -> tuple[str, ...]:  # Any: the same
    return tuple(column.name for column in fields(dataclass_type) if column.repr)
