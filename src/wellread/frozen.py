"""Frozen dataclasses that share their methods.

`dataclasses` compiles seven methods anew for each class, which takes most of the time that a class takes. The classes
that every command loads took a sixth of `wellread read` from the cache (CPython 3.11, 2026-11-28).
"""

from __future__ import annotations

import inspect
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from functools import cache
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from dataclasses import Field

C = TypeVar("C")


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(field,))
def frozen(cls: type[C]) -> type[C]:
    """Return `cls` as `dataclass(frozen=True, slots=True, kw_only=True)` returns it.

    Two objects are equal if they have the same class and equal fields. A method that `cls` defines itself stays. A
    subclass with fields of its own is made by `frozen`, too: `dataclasses` does not know that `cls` is frozen.
    """
    for name, method in _SHARED_METHODS.items():
        if name not in vars(cls):
            setattr(cls, name, method)
    annotations = dict(vars(cls).get("__annotations__", {}))
    # `dataclasses` searches each annotation for ClassVar, InitVar and KW_ONLY, which takes half of its time.
    cls.__annotations__ = {name: text if _is_special(text) else object for name, text in annotations.items()}
    frozen_class = dataclass(slots=True, kw_only=True, init=False, eq=False, repr=False)(cls)
    frozen_class.__annotations__ = annotations
    for column in fields(frozen_class):  # type: ignore[arg-type]  # it is a dataclass now
        column.type = annotations.get(column.name, column.type)
    return frozen_class


def _is_special(annotation: object) -> bool:
    return not isinstance(annotation, str) or "Var" in annotation or "KW_ONLY" in annotation


class _FieldMethods:
    """The methods, for any dataclass."""

    def __init__(self, **values: Any) -> None:  # Any: of each field
        kind: Any = type(self)  # Any: a dataclass
        initial = _initial_values(kind)
        state = {**initial.defaults, **values}
        for name, factory in initial.factories.items():
            if name not in values:
                state[name] = factory()
        if state.keys() != initial.names:
            raise TypeError(_wrong_arguments(kind.__qualname__, state, initial.names))
        for name, value in state.items():
            object.__setattr__(self, name, value)
        if initial.has_post_init:
            self.__post_init__()  # type: ignore[attr-defined]  # that of the dataclass

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __getstate__(self) -> list[Any]:  # Any: of each field
        kind: Any = self  # Any: a dataclass
        return [getattr(self, column.name) for column in fields(kind)]

    def __setstate__(self, state: list[Any]) -> None:  # Any: the same
        kind: Any = self  # Any: a dataclass
        for column, value in zip(fields(kind), state, strict=True):
            object.__setattr__(self, column.name, value)

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


class _FieldSignature:
    """The signature of a class, for `help` and editors, made when it is asked for."""

    def __get__(self, instance: object, owner: type) -> Any:  # Any: an `inspect.Signature`
        kind: Any = owner  # Any: a dataclass
        parameters = [
            inspect.Parameter(
                column.name, inspect.Parameter.KEYWORD_ONLY, default=_shown_default(column), annotation=column.type
            )
            for column in fields(kind)
        ]
        return inspect.Signature(parameters)


_SHARED_METHODS = {
    **{name: method for name, method in vars(_FieldMethods).items() if callable(method)},
    "__signature__": _FieldSignature(),
}


def _shown_default(column: Field[Any]) -> object:  # Any: of each field
    if column.default is not MISSING:
        return column.default
    if column.default_factory is not MISSING:
        return ...
    return inspect.Parameter.empty


class _InitialValues(NamedTuple):
    """What an object of a class begins with."""

    names: frozenset[str]
    defaults: Mapping[str, Any]  # Any: of each field
    factories: Mapping[str, Callable[[], Any]]  # Any: the same
    has_post_init: bool


@cache
def _initial_values(dataclass_type: Any) -> _InitialValues:  # Any: a dataclass
    columns = fields(dataclass_type)
    return _InitialValues(
        names=frozenset(column.name for column in columns),
        defaults={column.name: column.default for column in columns if column.default is not MISSING},
        factories={column.name: column.default_factory for column in columns if column.default_factory is not MISSING},
        has_post_init=hasattr(dataclass_type, "__post_init__"),
    )


def _wrong_arguments(name: str, state: Mapping[str, object], names: frozenset[str]) -> str:
    unexpected = [argument for argument in state if argument not in names]
    if unexpected:
        return f"{name}.__init__() got an unexpected keyword argument {unexpected[0]!r}"
    missing = ", ".join(sorted(map(repr, names.difference(state))))
    return f"{name}.__init__() misses the keyword arguments {missing}"


@cache
def _compared_names(dataclass_type: Any) -> tuple[str, ...]:  # Any: a dataclass
    return tuple(column.name for column in fields(dataclass_type) if column.compare)


@cache
def _shown_names(dataclass_type: Any) -> tuple[str, ...]:  # Any: the same
    return tuple(column.name for column in fields(dataclass_type) if column.repr)
