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

_ALIGNMENTS = ("", "", "center", "end", "start")
"""Where in the window an element is brought, one after the other, as long as something lies over it: the nearest place
first, then away from bars at the top and at the bottom."""


_UNCOVERING = {
    True: "nothing was done; close what covers it first",
    False: "nothing was done, though it was scrolled to other places too; click what covers it, or press Escape",
}
"""What helps against a cover, by whether it is a dialog."""


class Point(NamedTuple):
    """Where to touch, in the window, and how large what is touched is."""

    x: float
    y: float
    left: float
    width: float
    disabled: str = ""
    """What says that it is disabled, if anything does: `disabled`, or `aria-disabled`, which pages may ignore."""


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
        told: dict[str, Any] = {}  # Any: JSON
        for alignment in _ALIGNMENTS:
            process, handle = await self.hold(spot)
            await _bring(process, handle, alignment)
            told = await process.call(handle, scripts.AIM, list(given) if given else None) or {"gone": True}
            left, width = told.get("left", 0.0), told.get("width", 0.0)
            inner, disabled = told.get("x", 0.0), told.get("disabled", "")
            told = await self._outwards(spot, told)
            if "x" in told and "cover" not in told:
                return Point(told["x"], told["y"], told["x"] - inner + left, width, disabled)
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


async def _bring(process: Process, handle: str, alignment: str) -> None:
    """Scroll an element into the window, where it is nearest or to one of the `block` positions of `scrollIntoView`."""
    from playwright.async_api import Error

    with suppress(Error):  # what has no box of its own, as an area, has no place to scroll to
        if alignment:
            await process.call(handle, scripts.ALIGN, alignment)
        else:
            await process.devtools.send("DOM.scrollIntoViewIfNeeded", {"objectId": handle})


def _missed(spot: Spot, told: Mapping[str, Any]) -> InvalidInput:  # Any: JSON
    if "gone" in told:
        return vanished(spot.element)
    if cover := told.get("cover"):
        said = f' "{cover["said"]}"' if cover["said"] else ""
        what = f"{cover['kind']}{said}"
        return InvalidInput(f"{spot.told} is covered by {what}", hint=_UNCOVERING[bool(cover.get("closes"))])
    if "undrawn" in told:
        return InvalidInput(f"{spot.told} is not drawn any more", hint="something may have to be opened first")
    return InvalidInput(f"{spot.told} cannot be brought into the window", hint="scroll, or open what it is in")
