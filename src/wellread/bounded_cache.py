"""Bounded caches of pure functions: a cached value always equals a newly made one.

A key, or the value itself, names everything that the value is made from. So no entry can be out of date, and nothing
has to be invalidated when a page changes, is evicted or is read by another process.
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
_LARGEST_SHARE = 2
"""One value takes half of the bound at most, so that no page evicts all others."""


MAX_REMEMBERED_CHARS = 1_000


def cached_calls(most: int, *, longest: int = MAX_REMEMBERED_CHARS) -> Callable[[Callable[P, V]], Callable[P, V]]:
    """Cache the results of the last `most` calls, except for texts over `longest` characters.

    What is held of a page outlives it: a few thousand names of a megabyte each would fill the memory.
    """

    def decorate(make: Callable[P, V]) -> Callable[P, V]:
        cached = cast("Callable[P, V]", lru_cache(most)(make))
        if len(signature(make).parameters) == 1:
            return cast("Callable[P, V]", _remembered_by_one(cast("Callable[[object], V]", make), cached, longest))

        @wraps(make)
        def recall(*arguments: P.args, **keywords: P.kwargs) -> V:
            for argument in arguments:  # a loop, for a generator takes as long again as what is looked up
                if isinstance(argument, str) and len(argument) > longest:
                    return make(*arguments, **keywords)
            return cached(*arguments, **keywords)

        return recall

    return decorate


def _remembered_by_one(make: Callable[[object], V], cached: Callable[..., V], longest: int) -> Callable[[object], V]:
    """Return the cached function for one argument, in half the time."""

    @wraps(make)
    def recall_by_one(argument: object) -> V:
        if isinstance(argument, str) and len(argument) > longest:
            return make(argument)
        return cached(argument)

    return recall_by_one


class WeightedCache(Generic[V]):
    """A cache of the values used last, bounded by their weight; safe for threads."""

    def __init__(self, max_bytes: int) -> None:
        """Take the bound, in bytes as the callers of `put` weigh their values."""
        self._max_bytes = max_bytes
        self._entries: OrderedDict[Hashable, tuple[V, int]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def get(self, key: Hashable) -> V | None:
        """Return the value of `key` and count it as used; None where there is none."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            self._entries.move_to_end(key)
            return entry[0]

    def pop(self, key: Hashable) -> V | None:
        """Return the value of `key` and forget it; None where there is none."""
        with self._lock:
            value, weight = self._entries.pop(key, (None, 0))
            self._bytes -= weight
            return value

    def put(self, key: Hashable, value: V, weight: int) -> None:
        """Store the value of `key`, or drop it where its `weight` in bytes is too large a share of the bound."""
        with self._lock:
            _, old_weight = self._entries.pop(key, (None, 0))
            self._bytes -= old_weight
            if weight * _LARGEST_SHARE > self._max_bytes:
                return
            self._entries[key] = (value, weight)
            self._bytes += weight
            while self._bytes > self._max_bytes:
                _, (_, dropped_weight) = self._entries.popitem(last=False)
                self._bytes -= dropped_weight


def tree_bytes(document: Document) -> int:
    """Return the approximate memory of a tree; shared parts count each time."""
    total = 0
    waiting = list(document)
    while waiting:
        _, spans, children, _, label = waiting.pop()
        total += _BLOCK_BYTES + len(label)
        for text, _, href in spans:
            total += _SPAN_BYTES + getsizeof(text) + getsizeof(href)
        waiting.extend(children)
    return total


def text_bytes(texts: tuple[str, ...]) -> int:
    """Return the memory of texts."""
    return sum(map(getsizeof, texts))
