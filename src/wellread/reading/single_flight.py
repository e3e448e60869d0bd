"""Single flight: concurrent callers with the same key share one piece of work."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar

import anyio

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.errors import WellreadError

T = TypeVar("T")


@dataclass(slots=True, eq=False, repr=False)  # each method more takes time at every start
class _Flight(Generic[T]):
    landed: anyio.Event = field(default_factory=anyio.Event)
    result: T | None = None
    failure: WellreadError | None = None


class SingleFlight(Generic[T]):
    """Runs one piece of work per key at a time; callers that arrive while it runs get its result or its failure."""

    def __init__(self, failures: type[WellreadError]) -> None:
        """Share `failures`; any other exception stays with the caller whose work raised it."""
        self._failures = failures
        self._flying: dict[str, _Flight[T]] = {}

    async def run(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        """Return the result of `work`, or of the work that runs for the same key already."""
        while (flight := self._flying.get(key)) is not None:
            await flight.landed.wait()
            if flight.failure is not None:
                raise flight.failure
            if flight.result is not None:
                return flight.result
            # Whoever flew was cancelled: take over.
        return await self._fly(key, work)

    async def _fly(self, key: str, work: Callable[[], Awaitable[T]]) -> T:
        flight = self._flying[key] = _Flight[T]()
        try:
            flight.result = await work()
        except self._failures as failure:
            flight.failure = failure
            raise
        else:
            return flight.result
        finally:
            del self._flying[key]
            flight.landed.set()
