"""Finds the point where a click reaches an element, and proves that nothing covers the element there."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from wellread.browser.browse import scripts
from wellread.browser.browse.element_index import vanished_error
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wellread.browser.browse.devtools_sessions import Process
    from wellread.browser.browse.element_index import ElementRef

_ALIGNMENTS = ("", "", "center", "end", "start")
"""Where in the window an element is brought, one after the other, as long as something lies over it: the nearest place
first, then away from bars at the top and at the bottom."""


_UNCOVERING = {
    True: "nothing was done; close the element that covers it",
    False: "nothing was done, even after scrolling; click the element that covers it, or press Escape",
}
"""Hints against a cover, by whether it is a dialog."""


class Point(NamedTuple):
    """The point to click, in coordinates of the window, and the extent of the element."""

    x: float
    y: float
    x_min: float
    width: float
    disabled: str = ""
    """The attribute that disables it, if any: `disabled`, or `aria-disabled`, which pages may ignore."""


class ElementLocator:
    """Aims at the elements of one tab, by the processes that were last asked."""

    def __init__(self) -> None:
        """Begin without any process; `processes` is set by whoever takes the snapshots."""
        self.processes: Mapping[str, Process] = {}

    async def point_of(self, element_ref: ElementRef, share: tuple[float, float] | None = None) -> Point:
        """Bring an element into the window and return a point of it; `share` is a share of its box, across and down.

        Raises:
            InvalidInput: it has vanished, is not drawn, or something covers it; the message says what.
        """
        hit: dict[str, Any] = {}  # Any: JSON
        for alignment in _ALIGNMENTS:
            process, handle = await self.resolve(element_ref)
            await _scroll_into_view(process, handle, alignment)
            hit = await process.call(handle, scripts.AIM, list(share) if share else None) or {"gone": True}
            x_min, width = hit.get("left", 0.0), hit.get("width", 0.0)
            x_in_frame, disabled = hit.get("x", 0.0), hit.get("disabled", "")
            hit = await self._to_window(element_ref, hit)
            if "x" in hit and "cover" not in hit:
                return Point(hit["x"], hit["y"], hit["x"] - x_in_frame + x_min, width, disabled)
            if "gone" in hit:
                break
        raise _miss_error(element_ref, hit)

    async def resolve(self, element_ref: ElementRef) -> tuple[Process, str]:
        """Return the element's process and a handle for it.

        Raises:
            InvalidInput: it has vanished.
        """
        from playwright.async_api import Error

        process = self.processes.get(element_ref.key.process)
        if process is None:
            raise vanished_error(element_ref.element)
        try:
            handle = await process.resolve(element_ref.key.number, element_ref.frame)
            is_there = await process.call(handle, "function() { return this.isConnected; }")
        except Error as error:
            raise vanished_error(element_ref.element) from error
        if not is_there:
            raise vanished_error(element_ref.element)
        return process, handle

    async def call(
        self, element_ref: ElementRef, function: str, *arguments: object
    ) -> Any:  # Any: JSON, as the function makes it
        """Call `function` on an element, in the world apart."""
        process, handle = await self.resolve(element_ref)
        return await process.call(handle, function, *arguments)

    async def _to_window(self, element_ref: ElementRef, hit: dict[str, Any]) -> dict[str, Any]:  # Any: JSON
        """Follow a point out through the frames around it."""
        for key, frame in element_ref.owners:
            if "x" not in hit or "cover" in hit:
                return hit
            process = self.processes.get(key.process)
            if process is None:
                return {"gone": True}
            handle = await process.resolve(key.number, frame)
            hit = await process.call(handle, scripts.FRAME, hit["x"], hit["y"]) or {"gone": True}
        return hit


async def _scroll_into_view(process: Process, handle: str, alignment: str) -> None:
    """Scroll an element into the window, where it is nearest or to one of the `block` positions of `scrollIntoView`."""
    from playwright.async_api import Error

    with suppress(Error):  # what has no box of its own, as an area, has no place to scroll to
        if alignment:
            await process.call(handle, scripts.ALIGN, alignment)
        else:
            await process.devtools.send("DOM.scrollIntoViewIfNeeded", {"objectId": handle})


def _miss_error(element_ref: ElementRef, hit: Mapping[str, Any]) -> InvalidInput:  # Any: JSON
    if "gone" in hit:
        return vanished_error(element_ref.element)
    if cover := hit.get("cover"):
        cover_text = str(cover["kind"])
        if cover["text"]:
            cover_text += f' "{cover["text"]}"'
        return InvalidInput(
            f"{element_ref.description} is covered by {cover_text}", hint=_UNCOVERING[bool(cover.get("closes"))]
        )
    if "turned" in hit:
        return InvalidInput(
            f"{element_ref.description} is in a frame that is turned", hint="click a point of the screenshot"
        )
    if "undrawn" in hit:
        return InvalidInput(
            f"{element_ref.description} is no longer visible", hint="open the menu or the section that contains it"
        )
    return InvalidInput(
        f"{element_ref.description} cannot be scrolled into the window",
        hint="scroll, or open the section that contains it",
    )
