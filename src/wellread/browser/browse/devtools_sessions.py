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
    """One renderer process of the page, and its protocol session."""

    name: str
    """Of the frame at its root and of the document there: another one after each navigation."""
    devtools: CDPSession
    owner: tuple[str, int] | None = None
    """The process around it, and the number of the frame's element there; None for the page itself."""
    _worlds: dict[str, int] = field(default_factory=dict, repr=False, compare=False)
    """By frame."""

    async def world(self, frame: str) -> int:
        """Return the isolated world of `frame`; it ends with the document there."""
        if frame not in self._worlds:
            arguments = {"frameId": frame, "worldName": WORLD, "grantUniveralAccess": False}
            answer = await self.devtools.send("Page.createIsolatedWorld", arguments)
            self._worlds[frame] = int(answer["executionContextId"])
        return self._worlds[frame]

    async def resolve(self, number: int, frame: str) -> str:
        """Return a handle for an element, in the isolated world of its frame."""
        arguments = {"backendNodeId": number, "executionContextId": await self.world(frame), "objectGroup": WORLD}
        answer = await self.devtools.send("DOM.resolveNode", arguments)
        return str(answer["object"]["objectId"])

    async def call(self, handle: str, function: str, *arguments: object) -> Any:  # Any: JSON, as the function makes it
        """Call `function` on an element."""
        parameters = {
            "objectId": handle,
            "functionDeclaration": function,
            "arguments": [{"value": argument} for argument in arguments],
            "returnByValue": True,
            "awaitPromise": True,
        }
        answer = await self.devtools.send("Runtime.callFunctionOn", parameters)
        return answer["result"].get("value")


@dataclass(slots=True)
class DevtoolsSessions:
    """The protocol sessions of one tab."""

    page: Page
    context: BrowserContext
    devtools: CDPSession
    _sessions_by_frame: dict[Frame, CDPSession] = field(default_factory=dict)

    async def page_process(self) -> Process:
        """Return the page's own process."""
        tree = await self.devtools.send("Page.getFrameTree")
        return Process(_name(tree), self.devtools)

    async def frame_processes(self, page_process: Process) -> list[Process]:
        """Return the processes of frames that have one of their own, outer frames before inner ones."""
        from playwright.async_api import Error

        processes: list[Process] = []
        process_by_frame: dict[Frame, Process] = {self.page.main_frame: page_process}
        for frame in self.page.frames[1 : MAX_FRAMES + 1]:
            parent_process = page_process
            if frame.parent_frame:
                parent_process = process_by_frame.get(frame.parent_frame, page_process)
            process_by_frame[frame] = parent_process
            with anyio.move_on_after(_FRAME_S), suppress(Error):  # most frames are not apart, and any may go
                process_by_frame[frame] = await self._process(frame, parent_process)
                processes.append(process_by_frame[frame])
        return processes

    async def _process(self, frame: Frame, parent_process: Process) -> Process:
        devtools = self._sessions_by_frame.get(frame) or await self.context.new_cdp_session(frame)
        self._sessions_by_frame[frame] = devtools
        try:
            tree = await devtools.send("Page.getFrameTree")
        except BaseException:
            self._sessions_by_frame.pop(frame, None)
            raise
        await parent_process.devtools.send("DOM.enable")
        owner = await parent_process.devtools.send("DOM.getFrameOwner", {"frameId": tree["frameTree"]["frame"]["id"]})
        return Process(_name(tree), devtools, (parent_process.name, int(owner["backendNodeId"])))


def _name(tree: dict[str, Any]) -> str:  # Any: the protocol's own shape
    frame = tree["frameTree"]["frame"]
    return f"{frame['id']}:{frame['loaderId']}"
