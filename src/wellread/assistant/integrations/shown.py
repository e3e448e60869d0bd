"""Carries what the user was shown over to the deed: what was looked up for the question is what is done."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

T = TypeVar("T")

MOST = 50


class Shown(Generic[T]):
    """What was looked up for the latest calls, by their arguments. Right before a deed the question is put again."""

    def __init__(self, look: Callable[[Mapping[str, object]], Awaitable[T]]) -> None:
        """Take what looks it up."""
        self._look = look
        self._kept: dict[str, T] = {}

    async def see(self, given: Mapping[str, object]) -> T:
        """Look it up for a question."""
        while len(self._kept) >= MOST:
            self._kept.pop(next(iter(self._kept)))
        found = self._kept[_key(given)] = await self._look(given)
        return found

    async def take(self, given: Mapping[str, object]) -> T:
        """Return what the question was asked with, for the one deed."""
        if _key(given) not in self._kept:
            await self.see(given)
        return self._kept.pop(_key(given))


def _key(given: Mapping[str, object]) -> str:
    return json.dumps(dict(given), sort_keys=True)
