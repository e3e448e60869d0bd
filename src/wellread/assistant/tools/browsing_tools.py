"""A browser as tools: one tab at a time, opened by `browse_url`, controlled by element numbers, closed with the turn.

Opening and looking only read. A click or typed words can send, buy or sign: they are asked for first, by the name of
what would be touched.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import anyio

from wellread.assistant.tool_types import Effect, Preview, Tool, ToolResult
from wellread.assistant.tools.argument_schemas import (
    Schema,
    arguments_schema,
    enum_schema,
    integer_argument,
    integer_schema,
    string_argument,
    string_schema,
)
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import AbstractAsyncContextManager

    from anyio.abc import TaskGroup, TaskStatus

    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.types import PageSnapshot

    class OpenTab(Protocol):
        """Opens a page in the browser, as `Web.browse` does."""

        def __call__(self, url: str, /, *, profile: str | None = None) -> AbstractAsyncContextManager[BrowseSession]:
            """Open `url`, signed in by the cookies stored under `profile`."""


MAX_NAME_CHARS = 200


class HeldTabs:
    """Holds the tabs of all users open: a turn may begin in one task and end, after an approval, in another."""

    def __init__(self, open_tab: OpenTab) -> None:
        """Take the function that opens a tab at a URL."""
        self._open_tab = open_tab
        self._tasks: TaskGroup | None = None

    async def hold(self) -> None:
        """Hold tabs open, until cancelled."""
        async with anyio.create_task_group() as self._tasks:
            await anyio.sleep_forever()

    async def open(self, url: str, done: anyio.Event, profile: str | None = None) -> BrowseSession:
        """Return a tab at `url`, signed in by `profile`, which stays open until `done`."""
        assert self._tasks is not None, "nobody holds the tabs"
        tab: BrowseSession = await self._tasks.start(self._opened_at, url, done, profile)
        return tab

    async def _opened_at(
        self, url: str, done: anyio.Event, profile: str | None, *, task_status: TaskStatus[BrowseSession]
    ) -> None:
        async with self._open_tab(url, profile=profile) as tab:
            task_status.started(tab)
            await done.wait()


class Browsing:
    """The tab that one user has open, if one is."""

    def __init__(self, tabs: HeldTabs, profiles: Sequence[str] = ()) -> None:
        """Take the holder of tabs, and the profiles that this user's assistant may name."""
        self._tabs = tabs
        self._profiles = tuple(profiles)
        self._tab: BrowseSession | None = None
        self._done = anyio.Event()

    @property
    def tools(self) -> Sequence[Tool]:
        """The tools that control the tab."""
        element = integer_schema("Number of the element in the snapshot.", maximum=10_000)
        return (
            Tool(
                "browse_url",
                "Open a page in a browser; returns its text with numbered elements.",
                arguments_schema(("url",), url=string_schema(max_length=8_000), **self._profile_argument()),
                self._browse,
            ),
            Tool("page_read", "The open page as it is now.", arguments_schema(), self._read),
            Tool(
                "page_click",
                "Click an element.",
                arguments_schema(("index",), index=element),
                self._click,
                effect=Effect.WORLD,
                preview=lambda arguments: Preview("click", [("element", self._name(arguments))]),
            ),
            Tool(
                "page_type",
                "Type into a field. Line breaks are inserted; only `submit` presses Enter.",
                arguments_schema(
                    ("index", "text"), index=element, text=string_schema(max_length=10_000), submit={"type": "boolean"}
                ),
                self._type,
                effect=Effect.WORLD,
                preview=lambda arguments: Preview(
                    "type and press Enter" if arguments.get("submit") else "type",
                    [("text", string_argument(arguments, "text")), ("into", self._name(arguments))],
                ),
            ),
        )

    def _profile_argument(self) -> dict[str, Schema]:
        if not self._profiles:
            return {}
        return {
            "profile": enum_schema(
                self._profiles, "Signed in by this profile; leave it out for a page that needs none."
            )
        }

    async def put_away(self, _turn: object) -> None:
        """Close the tab of a turn that has ended."""
        await self.aclose()

    async def aclose(self) -> None:
        """Close the tab."""
        self._tab = None
        self._done.set()

    async def _browse(self, arguments: Mapping[str, object]) -> ToolResult:
        await self.aclose()
        self._done = anyio.Event()
        profile = string_argument(arguments, "profile") or None
        self._tab = await self._tabs.open(string_argument(arguments, "url"), self._done, profile)
        return _snapshot_result(self._opened().snapshot)

    async def _read(self, _arguments: Mapping[str, object]) -> ToolResult:
        return _snapshot_result(await self._opened().look())

    async def _click(self, arguments: Mapping[str, object]) -> ToolResult:
        element_name = self._name(arguments)
        return _snapshot_result(
            await self._opened().click(integer_argument(arguments, "index", 0)), f"clicked {element_name}"
        )

    async def _type(self, arguments: Mapping[str, object]) -> ToolResult:
        element_name = self._name(arguments)
        snapshot = await self._opened().type(
            integer_argument(arguments, "index", 0),
            string_argument(arguments, "text"),
            submit=bool(arguments.get("submit")),
        )
        return _snapshot_result(snapshot, f"typed into {element_name}")

    def _opened(self) -> BrowseSession:
        if self._tab is None:
            raise InvalidInput("no page is open", hint="open a page with browse_url")
        return self._tab

    def _name(self, arguments: Mapping[str, object]) -> str:
        index = integer_argument(arguments, "index", 0)
        snapshot = self._opened().snapshot
        for element in snapshot.elements:
            if element.index == index:
                return f"the {element.role} {element.name[:MAX_NAME_CHARS]!r} on {snapshot.url[:MAX_NAME_CHARS]}"
        raise InvalidInput(f"the page shows no element {index}", hint="take a new snapshot with page_read")


def _snapshot_result(snapshot: PageSnapshot, *receipts: str) -> ToolResult:
    lines = [snapshot.title, snapshot.url, *snapshot.dialogs]
    lines += [f"Warning: {notice.code}: {notice.detail}" for notice in snapshot.notices]
    lines.append(snapshot.content)
    lines += [
        f"[{element.index}] {element.role} {element.name} {element.value} {' '.join(element.state)}".rstrip()
        for element in snapshot.elements
    ]
    return ToolResult("\n".join(lines), tainted=True, receipts=receipts)
