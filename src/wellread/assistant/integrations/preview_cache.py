"""Keeps the preview of a change until the change is done: the action uses the state that the user was shown."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

T = TypeVar("T")

MAX_PREVIEWS = 50


class PreviewCache(Generic[T]):
    """Previews of the latest calls, by their arguments. Right before an action its preview is looked up again."""

    def __init__(self, look: Callable[[Mapping[str, object]], Awaitable[T]]) -> None:
        """Take the function that looks up a preview."""
        self._look = look
        self._kept: dict[str, T] = {}

    async def see(self, arguments: Mapping[str, object]) -> T:
        """Look up the preview of a call, and keep it."""
        while len(self._kept) >= MAX_PREVIEWS:
            self._kept.pop(next(iter(self._kept)))
        preview = self._kept[_key(arguments)] = await self._look(arguments)
        return preview

    async def take(self, arguments: Mapping[str, object]) -> T:
        """Return the kept preview of a call, once; without one it is looked up."""
        if _key(arguments) not in self._kept:
            await self.see(arguments)
        return self._kept.pop(_key(arguments))


def _key(arguments: Mapping[str, object]) -> str:
    return json.dumps(dict(arguments), sort_keys=True)
