"""The protocol sessions of one browser tab: the page's own, and one for each frame in a process of its own."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import anyio

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Frame, Page

MAX_FRAMES = 20
WORLD = "hand"
_FRAME_S = 1.0


@dataclass(frozen=True, slots=True)
class Process:
    """What one process shows."""

    name: str
    """Of the frame at its root and of the document there: another one after each navigation."""
    devtools: CDPSession
    owner: tuple[str, int] | None = None
    """The process around it, and the number of the frame's element there; None for the page itself."""

    async def world(self, frame: str) -> int:
        """Return the isolated world of `frame`; the same one as long as its document stays."""
        asked = {"frameId": frame, "worldName": WORLD, "grantUniveralAccess": False}
        made: dict[str, Any] = await self.devtools.send("Page.createIsolatedWorld", asked)  # Any: the protocol's own
        return int(made["executionContextId"])

    async def hold(self, number: int, frame: str) -> str:
        """Return a handle for an element, in the isolated world of its frame."""
        asked = {"backendNodeId": number, "executionContextId": await self.world(frame), "objectGroup": WORLD}
        told = await self.devtools.send("DOM.resolveNode", asked)
        return str(told["object"]["objectId"])

    async def call(self, handle: str, function: str, *given: object) -> Any:  # Any: JSON, as the function makes it
        """Call `function` on an element."""
        asked = {
            "objectId": handle,
            "functionDeclaration": function,
            "arguments": [{"value": each} for each in given],
            "returnByValue": True,
            "awaitPromise": True,
        }
        told = await self.devtools.send("Runtime.callFunctionOn", asked)
        return told["result"].get("value")


@dataclass(slots=True)
class Wire:
    """The sessions of one tab."""

    page: Page
    context: BrowserContext
    devtools: CDPSession
    _known: dict[Frame, CDPSession] = field(default_factory=dict)

    async def own(self) -> Process:
        """Return the page's own process."""
        tree = await self.devtools.send("Page.getFrameTree")
        return Process(_name(tree), self.devtools)

    async def apart(self, own: Process) -> list[Process]:
        """Return the processes of frames that have one of their own, those around before those inside."""
        from playwright.async_api import Error

        found: list[Process] = []
        homes: dict[Frame, Process] = {self.page.main_frame: own}
        for frame in self.page.frames[1 : MAX_FRAMES + 1]:
            around = homes.get(frame.parent_frame, own) if frame.parent_frame else own
            homes[frame] = around
            with anyio.move_on_after(_FRAME_S), suppress(Error):  # most frames are not apart, and any may go
                homes[frame] = await self._process(frame, around)
                found.append(homes[frame])
        return found

    async def _process(self, frame: Frame, around: Process) -> Process:
        devtools = self._known.get(frame) or await self.context.new_cdp_session(frame)
        self._known[frame] = devtools
        try:
            tree = await devtools.send("Page.getFrameTree")
        except BaseException:
            self._known.pop(frame, None)
            raise
        await around.devtools.send("DOM.enable")
        owner = await around.devtools.send("DOM.getFrameOwner", {"frameId": tree["frameTree"]["frame"]["id"]})
        return Process(_name(tree), devtools, (around.name, int(owner["backendNodeId"])))


def _name(tree: dict[str, Any]) -> str:  # Any: the protocol's own shape
    frame = tree["frameTree"]["frame"]
    return f"{frame['id']}:{frame['loaderId']}"
