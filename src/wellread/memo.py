"""Remembers what was made last, within a bound: what it gives is always what would be made anew.

For pure work alone, named by all that it is made of. So nothing here can be out of date, and nothing has to be told
when a page changes, is evicted or read by another process.
"""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache, wraps
from inspect import signature
from sys import getsizeof
from threading import Lock
from typing import TYPE_CHECKING, Generic, ParamSpec, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from wellread.types import Document

P = ParamSpec("P")
V = TypeVar("V")

_BLOCK_BYTES = 250
_SPAN_BYTES = 100
"""What the parts of a tree take besides their texts (CPython 3.11, 64 bits)."""
_LARGEST_SHARE = 4
"""One value takes a quarter of the room at most, so that no page makes all others be forgotten."""


MAX_REMEMBERED_CHARS = 1_000


def remembered(most: int, *, longest: int = MAX_REMEMBERED_CHARS) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """Remember what a function made of its last `most` arguments, but for texts over `longest` characters.

    What is held of a page outlives it: a few thousand names of a megabyte each would fill the memory.
    """

    def decorate(make: Callable[P, V]) -> Callable[P, V]:
        held = cast("Callable[P, V]", lru_cache(most)(make))
        if len(signature(make).parameters) == 1:
            return cast("Callable[P, V]", _remembered_by_one(cast("Callable[[object], V]", make), held, longest))

        @wraps(make)
        def recall(*told: P.args, **named: P.kwargs) -> V:
            for one in told:  # a loop, for a generator takes as long again as what is looked up
                if isinstance(one, str) and len(one) > longest:
                    return make(*told, **named)
            return held(*told, **named)

        return recall

    return decorate


def _remembered_by_one(make: Callable[[object], V], held: Callable[..., V], longest: int) -> Callable[[object], V]:
    """Return what `remembered` does for a function of one argument, in half the time."""

    @wraps(make)
    def recall_by_one(argument: object) -> V:
        if isinstance(argument, str) and len(argument) > longest:
            return make(argument)
        return held(argument)

    return recall_by_one


class Memo(Generic[V]):
    """The values made last, the least recently used forgotten first; safe for threads."""

    def __init__(self, max_bytes: int) -> None:
        """Hold `max_bytes` at most, by what values are said to weigh."""
        self._max_bytes = max_bytes
        self._held: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def holds(self, key: Hashable) -> bool:
        """Tell whether `recall` would not have to make it."""
        return key in self._held

    def recall(self, key: Hashable, make: Callable[[], V], weigh: Callable[[V], int]) -> V:
        """Return what is held under `key`, or make it; what `make` raises is raised, and not remembered."""
        with self._lock:
            if (found := self._held.get(key)) is not None:
                self._held.move_to_end(key)
                return found[0]
        value = make()  # perhaps in two threads at once: either is as good
        weight = weigh(value)
        if weight * _LARGEST_SHARE <= self._max_bytes:
            with self._lock:
                self._hold(key, value, weight)
        return value

    def _hold(self, key: Hashable, value: V, weight: int) -> None:
        _, before = self._held.pop(key, (None, 0))
        self._held[key] = (value, weight)
        self._bytes += weight - before
        while self._bytes > self._max_bytes:
            _, (_, gone) = self._held.popitem(last=False)
            self._bytes -= gone


def tree_bytes(document: Document) -> int:
    """Return about how much memory a tree takes; what is shared within it counts each time."""
    total = 0
    waiting = list(document)
    while waiting:
        block = waiting.pop()
        total += _BLOCK_BYTES + len(block.label)
        for span in block.spans:
            total += _SPAN_BYTES + getsizeof(span.text) + getsizeof(span.href)
        waiting.extend(block.children)
    return total


def text_bytes(texts: tuple[str, ...]) -> int:
    """Return how much memory texts take."""
    return sum(map(getsizeof, texts))
