"""Parts of a program that are made at their first use, so that a run loads only the parts that it uses."""

from __future__ import annotations

from threading import RLock
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

T = TypeVar("T")


class Deferred(Generic[T]):
    """Stands in for a part: the first use of one of its attributes makes it. Safe in several threads."""

    def __init__(self, make: Callable[[], T]) -> None:
        """Take the function that makes the part."""
        self._make = make
        self._lock = RLock()
        self._parts: list[T] = []

    @property
    def value_or_none(self) -> T | None:
        """The part, or None if nothing has used it."""
        return self._parts[0] if self._parts else None

    def resolve(self) -> T:
        """Return the part, which the first call makes.

        Raises:
            WellreadError: it cannot be made, for example because of a wrong setting.
        """
        with self._lock:
            if not self._parts:
                self._parts.append(self._make())
            return self._parts[0]

    def proxy(self) -> T:
        """Return the part if it is made, and this object in its place otherwise."""
        if self._parts:
            return self._parts[0]
        return cast("T", self)

    def __getattr__(self, name: str) -> Any:  # Any: whatever the part has
        """Return an attribute of the part; those of Python's protocols are those of this object alone."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(self.resolve(), name)
