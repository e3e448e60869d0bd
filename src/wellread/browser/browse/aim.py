"""Finds the point where a pointer touches an element, and proves that it touches that and nothing else."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread.browser.browse import scripts
from wellread.browser.browse.board import vanished
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.browser.browse.board import Spot
    from wellread.browser.browse.wire import Process

_TRIES = 2


class Point(NamedTuple):
    """Where to touch, in the window, and how large what is touched is."""

    x: float
    y: float
    left: float
    width: float


class Aim:
    """Aims at the elements of one tab, by the processes that were last asked."""

    def __init__(self) -> None:
        """Begin without any process; `processes` is set by whoever takes the snapshots."""
        self.processes: Mapping[str, Process] = {}

    async def at(self, spot: Spot, given: tuple[float, float] | None = None) -> Point:
        """Bring an element into the window and return a point of it; `given` is a share of its box, across and down.

        Raises:
            InvalidInput: it has vanished, is not drawn, or something covers it; the message says what.
        """
        from playwright.async_api import Error

        told: dict[str, Any] = {}  # Any: JSON
        for _ in range(_TRIES):
            process, handle = await self.hold(spot)
            with suppress(Error):  # what has no box of its own, as an area, has no place to scroll to
                await process.devtools.send("DOM.scrollIntoViewIfNeeded", {"objectId": handle})
            told = await process.call(handle, scripts.AIM, list(given) if given else None) or {"gone": True}
            left, width = told.get("left", 0.0), told.get("width", 0.0)
            inner = told.get("x", 0.0)
            told = await self._outwards(spot, told)
            if "x" in told and "cover" not in told:
                return Point(told["x"], told["y"], told["x"] - inner + left, width)
            if "gone" in told:
                break
        raise _missed(spot, told)

    async def hold(self, spot: Spot) -> tuple[Process, str]:
        """Return the element's process and a handle for it.

        Raises:
            InvalidInput: it has vanished.
        """
        from playwright.async_api import Error

        process = self.processes.get(spot.key.process)
        if process is None:
            raise vanished(spot.element)
        try:
            handle = await process.hold(spot.key.number, spot.frame)
            is_there = await process.call(handle, "function() { return this.isConnected; }")
        except Error as error:
            raise vanished(spot.element) from error
        if not is_there:
            raise vanished(spot.element)
        return process, handle

    async def ask(self, spot: Spot, function: str, *given: object) -> Any:  # Any: JSON, as the function makes it
        """Call `function` on an element, in the world apart."""
        process, handle = await self.hold(spot)
        return await process.call(handle, function, *given)

    async def _outwards(self, spot: Spot, told: dict[str, Any]) -> dict[str, Any]:  # Any: JSON
        """Follow a point out through the frames around it."""
        for key, frame in spot.owners:
            if "x" not in told or "cover" in told:
                return told
            process = self.processes.get(key.process)
            if process is None:
                return {"gone": True}
            handle = await process.hold(key.number, frame)
            told = await process.call(handle, scripts.FRAME, told["x"], told["y"]) or {"gone": True}
        return told


def _missed(spot: Spot, told: Mapping[str, Any]) -> InvalidInput:  # Any: JSON
    if "gone" in told:
        return vanished(spot.element)
    if cover := told.get("cover"):
        said = f' "{cover["said"]}"' if cover["said"] else ""
        what = f"{cover['kind']}{said}"
        return InvalidInput(f"{spot.told} is covered by {what}", hint="nothing was done; close what covers it first")
    if "undrawn" in told:
        return InvalidInput(f"{spot.told} is not drawn any more", hint="something may have to be opened first")
    return InvalidInput(f"{spot.told} cannot be brought into the window", hint="scroll, or open what it is in")
