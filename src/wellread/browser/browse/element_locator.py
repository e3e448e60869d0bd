"""Finds the point where a click reaches an element, and proves that nothing covers the element there."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

import anyio

from wellread.browser.browse import scripts
from wellread.browser.browse.devtools_sessions import WORLD
from wellread.browser.browse.element_index import vanished_error
from wellread.browser.browse.page_tree import NodeKey
from wellread.browser.playwright_errors import is_between_documents
from wellread.errors import InvalidInput
from wellread.net.background_tasks import together

if TYPE_CHECKING:
    from collections.abc import Awaitable, Mapping, Sequence

    from wellread.browser.browse.devtools_sessions import Process
    from wellread.browser.browse.element_index import ElementRef

_ALIGNMENTS = ("", "", "center", "end", "start")
"""Where in the window an element is brought, one after the other, as long as something lies over it: the nearest place
first, then away from bars at the top and at the bottom."""
_PARALLEL_PX = 1.0
"""By how much the sides of a parallelogram may differ."""
_FRAME_MS = 40
"""How long a frame may take to be drawn."""
_FRAME_LATE_S = 0.5
"""How long a frame is waited for: where a page's scripts were stopped, it is never announced."""

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
        """Begin without any process."""
        self.processes: Mapping[str, Process] = {}
        self._handles: dict[NodeKey, str] = {}
        """The elements that the current step has asked for."""
        self._replacements: list[tuple[NodeKey, NodeKey]] = []
        """The elements that the current step followed, each with the one that took its place."""

    def begin(self) -> None:
        """Begin a step, which has its own handles for elements."""
        self._handles.clear()
        self._replacements.clear()

    def take_processes(self, processes: Mapping[str, Process]) -> None:
        """Take the processes of a snapshot, in which elements have other handles."""
        self.processes = processes
        self._handles.clear()

    async def point_of(self, element_ref: ElementRef, share: tuple[float, float] | None = None) -> Point:
        """Bring an element into the window and return a point of it; `share` is a share of its box, across and down.

        Raises:
            InvalidInput: it has vanished, is not drawn, or something covers it; the message says what.
        """
        hit: dict[str, Any] = {}  # Any: JSON
        for alignment in _ALIGNMENTS:
            process, handle = await self._resolve(element_ref)
            # Sent together: a page answers its calls one after the other.
            _, aimed = await together(
                _scroll_into_view(process, handle, alignment),
                self._answer(element_ref, process.call(handle, scripts.AIM, list(share) if share else None)),
            )
            hit = aimed or {"gone": True}
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
        await self.call(element_ref, "function() {}")
        return await self._resolve(element_ref)

    async def _resolve(self, element_ref: ElementRef) -> tuple[Process, str]:
        """Return the process and a handle of an element, which may have been removed since this step began."""
        from playwright.async_api import Error

        process = self.processes.get(element_ref.key.process)
        if process is None:
            raise vanished_error(element_ref.element)
        try:
            return process, await self._handle(process, element_ref.key, element_ref.frame)
        except Error as error:
            raise vanished_error(element_ref.element) from error

    async def _handle(self, process: Process, key: NodeKey, frame: str) -> str:
        if key not in self._handles:
            self._handles[key] = await process.resolve(key.number, frame)
        return self._handles[key]

    async def call(
        self, element_ref: ElementRef, function: str, *arguments: object
    ) -> Any:  # Any: JSON, as the function makes it
        """Call `function` on an element, in the world apart.

        Raises:
            InvalidInput: it has vanished.
        """
        process, handle = await self._resolve(element_ref)
        results = await self._answer(
            element_ref, process.call(handle, scripts.IF_CONNECTED.format(function), *arguments)
        )
        if results is None:
            raise vanished_error(element_ref.element)
        return results[0]

    async def follow(self, element_ref: ElementRef, function: str) -> bool:
        """Take the element that `function` returns in place of the element it is called on, until the step ends.

        Return False where it returns none, or the document has been left.
        """
        from playwright.async_api import Error

        try:
            process, handle = await self._resolve(element_ref)
            found = await process.devtools.send(
                "Runtime.callFunctionOn", {"objectId": handle, "functionDeclaration": function, "objectGroup": WORLD}
            )
            new_handle = found["result"].get("objectId")
            if new_handle is None:
                return False
            node = await process.devtools.send("DOM.describeNode", {"objectId": new_handle})
        except (Error, InvalidInput):
            return False
        self._handles[element_ref.key] = new_handle
        new_key = NodeKey(element_ref.key.process, int(node["node"]["backendNodeId"]))
        if new_key != element_ref.key:
            self._replacements.append((element_ref.key, new_key))
        return True

    def replacements(self) -> Sequence[tuple[NodeKey, NodeKey]]:
        """Return the elements that the current step followed, each with the one that took its place."""
        return tuple(self._replacements)

    async def _answer(self, element_ref: ElementRef, call: Awaitable[Any]) -> Any:  # Any: JSON
        """Await a call on an element.

        Raises:
            InvalidInput: its document has been left.
        """
        from playwright.async_api import Error

        try:
            return await call
        except Error as error:
            if not is_between_documents(error):
                raise
            raise vanished_error(element_ref.element) from error

    async def next_frame(self, element_ref: ElementRef) -> None:
        """Wait until the page has drawn its next frame, with what it shows where the pointer is.

        The browser finds the process below the pointer by the frames that were drawn: then wait for all of them.
        """
        from playwright.async_api import Error

        if any(owner.process != element_ref.key.process for owner, _ in element_ref.owners):
            await anyio.sleep(_FRAME_MS / 1000)
            return
        process, handle = await self._resolve(element_ref)
        with suppress(Error), anyio.move_on_after(_FRAME_LATE_S):  # Error: the document has been left
            await process.call(handle, scripts.NEXT_FRAME % _FRAME_MS)

    async def _to_window(self, element_ref: ElementRef, hit: dict[str, Any]) -> dict[str, Any]:  # Any: JSON
        """Follow a point out through the frames around it."""
        for owner_index, (key, frame) in enumerate(element_ref.owners):
            if "x" not in hit or "cover" in hit:
                return hit
            process = self.processes.get(key.process)
            if process is None:
                return {"gone": True}
            handle = await self._handle(process, key, frame)
            point = hit["x"], hit["y"]
            hit = await process.call(handle, scripts.FRAME, *point, None) or {"gone": True}
            if "turned" in hit and owner_index == len(element_ref.owners) - 1:
                hit = await _through_turned(process, handle, hit["turned"]) or hit
        return hit


async def _through_turned(process: Process, handle: str, share: Sequence[float]) -> Any:  # Any: JSON
    """Follow a point out through a turned frame of the page itself, by the corners of its content.

    Return None where these are no parallelogram: in perspective, shares of the sides do not name a point.
    """
    across, down = share
    answer = await process.devtools.send("DOM.getContentQuads", {"objectId": handle})
    if len(answer["quads"]) != 1:
        return None
    quad = answer["quads"][0]
    first, second, third, fourth = (complex(x, y) for x, y in zip(quad[::2], quad[1::2], strict=True))
    if abs(first - second + third - fourth) > _PARALLEL_PX:
        return None
    point = first + (second - first) * across + (fourth - first) * down
    return await process.call(handle, scripts.FRAME, 0, 0, {"x": point.real, "y": point.imag})


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
            f"{element_ref.description} is in a frame that is turned in space", hint="click a point of the screenshot"
        )
    if "undrawn" in hit:
        return InvalidInput(
            f"{element_ref.description} is no longer visible", hint="open the menu or the section that contains it"
        )
    return InvalidInput(
        f"{element_ref.description} cannot be scrolled into the window",
        hint="scroll, or open the section that contains it",
    )
