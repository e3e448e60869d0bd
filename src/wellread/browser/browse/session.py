"""A tab that is worked step by step: each step ends with a snapshot of what the page then shows."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import anyio

from wellread.browser.browse import capture
from wellread.browser.browse.aim import Aim
from wellread.browser.browse.board import Board, covered, view
from wellread.browser.browse.hands import Hands
from wellread.browser.browse.tabs import ANSWERS, Tabs, inside
from wellread.browser.render.probe import Probe
from wellread.browser.render.renderer import await_error_page, go, of_network, of_written, seen
from wellread.browser.trouble import translated
from wellread.errors import BrowserFailed, InvalidInput, Timeout
from wellread.net import https_first
from wellread.types import Notice, Request

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable
    from pathlib import Path

    from playwright.async_api import FloatRect

    from wellread.browser.browse.board import Spot
    from wellread.browser.tab import Tab
    from wellread.config import Settings
    from wellread.types import Page, PageSnapshot

    Reader = Callable[[str, str, tuple[Notice, ...]], Page]
    Permit = Callable[[Request], Awaitable[None]]

_TRIES = 6
_AGAIN_S = 0.1
_OPTIONS = frozenset({"option", "menuitem", "menuitemradio", "treeitem", "radio", "tab", "clickable", "link", "button"})
_OPENS_NOTHING = frozenset({"link", "checkbox", "radio", "switch", "file", "option", "media"})
"""What a click on it leads away from the page or changes something, rather than opening a list."""
_SCREEN = 0.85
_PAPER: FloatRect = {"x": 0, "y": 0, "width": 4_000, "height": 8_000}
"""Most of a page that is pictured, in CSS pixels; a page can be as high as it likes."""
MAX_SCROLL = 100.0
"""Screens at a time."""


class Doors(NamedTuple):
    """What a session needs of the rest of the house."""

    permit: Permit
    """Raises for what the guard or robots.txt refuses."""
    read: Reader
    """Reads HTML, its address and what is known of it, into a page."""


@dataclass(slots=True)
class _Shown:
    snapshot: PageSnapshot | None = None


class Session:
    """One tab, from `Web.browse` until its block ends. Elements are named by the numbers of the last snapshot.

    Every step returns the snapshot after it, and raises InvalidInput where the element has vanished or is covered:
    then nothing was done. Timeout and BrowserFailed are raised as by a read.
    """

    def __init__(self, tab: Tab, settings: Settings, doors: Doors) -> None:
        """Take the tab; nothing is opened."""
        self._settings = settings
        self._doors = doors
        self._tabs = Tabs(tab, settings.browse)
        self._board = Board()
        self._aim = Aim()
        self._turn = anyio.Lock()
        """One step at a time, whoever asks."""
        self._shown = _Shown()

    @property
    def snapshot(self) -> PageSnapshot:
        """What the tab showed last.

        Raises:
            InvalidInput: nothing was opened yet.
        """
        if self._shown.snapshot is None:
            raise InvalidInput("nothing is open yet", hint="go to a page first")
        return self._shown.snapshot

    @property
    def document(self) -> str:
        """Which document the numbers belong to; another one after each navigation."""
        return self._board.document

    @property
    def url(self) -> str:
        """The address of the page in front."""
        return self._tabs.current.tab.page.url

    # ---------------------------------------------------------------------------------------------- moving

    async def go(self, url: str, *, user_asked: bool = False) -> PageSnapshot:
        """Open `url`; where its scheme was left out, by https or else by http.

        Raises:
            RefusedError, UnavailableError: as for a fetch.
        """
        is_tried = False

        async def open_url(full_url: str, _: float | None) -> None:
            nonlocal is_tried
            await self._doors.permit(Request(url=full_url, user_asked=user_asked))
            async with self._step(self._settings.render.max_wait_s):
                await self._tabs.resume()
                if is_tried:
                    await await_error_page(self._tabs.current.tab)
                is_tried = True
                await go(self._tabs.current.tab, full_url)

        await https_first.answered(url, open_url)
        return self.snapshot

    async def back(self) -> PageSnapshot:
        """Go back in the tab's history.

        Raises:
            InvalidInput: there is nothing to go back to.
        """
        async with self._step(self._settings.render.max_wait_s):
            page = self._tabs.current.tab.page
            before = page.url
            answer = await page.go_back(wait_until="commit", timeout=self._settings.browser.timeout_s * 1000)
            if answer is None and page.url == before:
                raise InvalidInput("there is nothing to go back to")
        return self.snapshot

    async def switch(self, number: int) -> PageSnapshot:
        """Show another tab, by its number in `snapshot.tabs`."""
        async with self._step():
            self._tabs.switch(number)
        return self.snapshot

    async def scroll(self, down: float = 1.0, *, right: float = 0.0, index: int | None = None) -> PageSnapshot:
        """Scroll by screens, up or left below 0; within element `index` where one is given."""
        if max(abs(down), abs(right)) > MAX_SCROLL:
            raise InvalidInput(f"at most {MAX_SCROLL:g} screens at a time")
        async with self._step():
            size = self._tabs.current.tab.page.viewport_size or {"width": 800, "height": 600}
            spot = None if index is None else self._board.spot(index)
            across, along = right * size["width"] * _SCREEN, down * size["height"] * _SCREEN
            await self._hands().scroll(across, along, spot)
        return self.snapshot

    async def wait(
        self, *, selector: str | None = None, text: str | None = None, timeout_s: float | None = None
    ) -> PageSnapshot:
        """Wait until an element or a text is there; without either, until the page has come to rest.

        Raises:
            Timeout: it did not come within `timeout_s` (default `browser.timeout_s`).
        """
        most_s = min(timeout_s or self._settings.browser.timeout_s, 60.0)
        async with self._step(extra_s=most_s):
            quiet = self._tabs.current.quiet
            wanted = selector or text
            if wanted and not await quiet.there(selector=selector or "", text=text or "", most_s=most_s):
                raise Timeout(f"{wanted[:200]!r} was not on the page within {most_s:g} s", hint="")
        return self.snapshot

    # -------------------------------------------------------------------------------------------- elements

    async def click(self, index: int, *, button: str = "left", count: int = 1) -> PageSnapshot:
        """Click element `index`; `button` is left, right or middle, `count` 2 for a double click."""
        async with self._step():
            await self._hands().click(self._board.spot(index), button=button, count=min(max(count, 1), 3))
        return self.snapshot

    async def type(self, index: int, text: str, *, submit: bool = False, clear: bool = True) -> PageSnapshot:
        """Put `text` into field `index`, in place of what it holds unless `clear` is false.

        Line breaks are inserted. Enter is pressed only with `submit`, once, after the text. The notices say when the
        field does not hold the text as given, or when Enter was not pressed.
        """
        async with self._step(extra_s=self._settings.browser.timeout_s):
            notices = await self._hands().type(self._board.spot(index), text, clear=clear, submit=submit)
        self._shown.snapshot = replace(self.snapshot, notices=(*notices, *self.snapshot.notices))
        return self.snapshot

    async def select(self, index: int, option: str) -> PageSnapshot:
        """Choose an option by its label or value, in a native select or in a list that a click opens."""
        spot = self._board.spot(index)
        async with self._step():
            chosen = await self._hands().choose(spot, option)
        if not chosen:
            await self._choose_shown(spot, option)
        return self.snapshot

    async def _choose_shown(self, spot: Spot, option: str) -> None:
        """Choose among the options that are shown, else among those that a click on the element shows."""
        found = self._other(spot, option)
        if found is None:
            if spot.element.role in _OPENS_NOTHING and "collapsed" not in spot.element.state:
                raise InvalidInput(f"{spot.told} has no options", hint="look at the snapshot, or click it")
            async with self._step():
                await self._hands().click(spot)
            found = self._other(spot, option)
        if found is None:
            raise InvalidInput(f'{spot.told} shows no option "{option[:80]}"', hint="look at the snapshot, then click")
        async with self._step():
            await self._hands().click(found)

    def _other(self, spot: Spot, option: str) -> Spot | None:
        return next((each for each in self._board.named(option, _OPTIONS) if each.number != spot.number), None)

    async def hover(self, index: int) -> PageSnapshot:
        """Move the pointer onto element `index`, as menus want that open by it."""
        async with self._step():
            await self._hands().hover(self._board.spot(index))
        return self.snapshot

    async def drag(self, index: int, to: int | None = None, *, dx: float = 0.0, dy: float = 0.0) -> PageSnapshot:
        """Drag element `index` onto element `to`, or by `dx` and `dy` pixels."""
        async with self._step():
            target = (dx, dy) if to is None else self._board.spot(to)
            await self._hands().drag(self._board.spot(index), target)
        return self.snapshot

    async def upload(self, index: int, *names: str) -> PageSnapshot:
        """Choose files of the workspace (`browse.workspace`) in file field `index`."""
        files = [inside(self._settings.browse.workspace, name) for name in names]
        async with self._step():
            await self._hands().upload(self._board.spot(index), files)
        return self.snapshot

    async def press(self, key: str) -> PageSnapshot:
        """Press a key: Enter, Escape, ArrowDown, a, or with others held: Control+A.

        Raises:
            InvalidInput: there is no such key.
        """
        from playwright.async_api import Error

        async with self._step():
            try:
                await self._tabs.current.tab.page.keyboard.press(key)
            except Error as error:
                if "Unknown key" not in str(error):
                    raise
                raise InvalidInput(f"there is no key {key[:40]!r}", hint="as Enter, Tab, Control+A") from error
        return self.snapshot

    def answer(self, how: str, *, prompt: str = "") -> None:
        """Answer questions of the page from now on: accept or dismiss. `prompt` is what prompts are told.

        Raises:
            InvalidInput: it is neither.
        """
        if how not in ANSWERS:
            raise InvalidInput(f"{how[:40]!r} is no answer", hint="accept or dismiss")
        self._tabs.answer, self._tabs.prompt = how, prompt

    # --------------------------------------------------------------------------------------------- looking

    async def look(self) -> PageSnapshot:
        """Take a new snapshot, nothing done."""
        async with self._step():
            pass
        return self.snapshot

    def more(self, page: int) -> PageSnapshot:
        """Return a further page of the last snapshot; its elements are acted on alike.

        Raises:
            InvalidInput: there is no such page.
        """
        told = self.snapshot
        leaf = self._board.snapshot(page)
        self._shown.snapshot = replace(leaf, title=told.title, tabs=told.tabs, notices=told.notices)
        return self._shown.snapshot

    async def screenshot(self, path: Path | None = None, *, full: bool = False) -> bytes:
        """Return a picture of the window, or of the page down to 8,000 pixels, as PNG; `path` keeps it too.

        Raises:
            InvalidInput: `path` is no .png, or cannot be written.
        """
        if path is not None and path.suffix.lower() != ".png":
            raise InvalidInput(f"{path} is no .png", hint="pictures are PNG")
        async with self._turn, self._guarded():
            page = self._tabs.current.tab.page
            limit_ms = self._settings.browser.timeout_s * 1000
            picture = await page.screenshot(full_page=full, clip=_PAPER if full else None, timeout=limit_ms)
        if path is not None:
            try:
                await anyio.Path(path).write_bytes(picture)
            except OSError as error:
                raise InvalidInput(f"{path} cannot be written: {error.strerror or error}") from error
        return picture

    async def read(self) -> Page:
        """Read the page as it is now, as markdown.

        Raises:
            UnreadableError: there is nothing in it that can be read.
        """
        async with self._turn, self._guarded():
            ready = await self._settled(self._settings.browse.settle_s)
            tab = self._tabs.current.tab
            written = await seen(tab, Probe(tab))
        notices = (*of_written(written), *_notices(tab, ready=ready, stopped=self._tabs.stopped))
        return await anyio.to_thread.run_sync(self._doors.read, written.html, tab.page.url, notices)

    # ---------------------------------------------------------------------------------------------- a step

    def _hands(self) -> Hands:
        return Hands(self._tabs.current.tab.page, self._aim)

    @asynccontextmanager
    async def _step(self, settle_s: float | None = None, *, extra_s: float = 0.0) -> AsyncGenerator[None, None]:
        """Do what the block does, wait until it shows, and take the snapshot."""
        async with self._turn, self._guarded(extra_s):
            self._tabs.current.quiet.stir()
            yield
            most_s = settle_s or self._settings.browse.settle_s
            ready = await self._settled(most_s)
            await self._tabs.opened()
            if self._tabs.has_followed():
                ready = await self._settled(self._settings.render.max_wait_s)
            await self._take(ready=ready)

    async def _settled(self, most_s: float) -> bool:
        """Wait until the page rests; without scripts it does, and nothing in it could tell."""
        return self._tabs.stopped or await self._tabs.current.quiet.settle(most_s)

    @asynccontextmanager
    async def _guarded(self, extra_s: float = 0.0) -> AsyncGenerator[None, None]:
        from playwright.async_api import Error

        limit_s = self._settings.browser.timeout_s + extra_s
        try:
            with anyio.fail_after(limit_s):
                yield
        except Error as error:
            raise translated(error, self._tabs.current.tab.page.url) from error
        except TimeoutError as error:
            raise Timeout(f"the step was not done within {limit_s:g} s", hint="raise browser.timeout_s") from error

    async def _take(self, *, ready: bool) -> None:
        leaf = self._tabs.current
        for _ in range(_TRIES):
            taken = await self._tried()
            if taken is not None:
                break
            await anyio.sleep(_AGAIN_S)  # it is between two documents
        else:
            raise BrowserFailed("the page keeps changing from one document to the next", url=leaf.tab.page.url)
        dialogs, downloads = self._tabs.news()
        self._shown.snapshot = replace(
            self._board.snapshot(),
            title=" ".join(taken.title.split())[:300],
            dialogs=dialogs,
            downloads=downloads,
            tabs=await self._tabs.told(),
            notices=tuple(_notices(leaf.tab, ready=ready, stopped=self._tabs.stopped)),
        )

    async def _tried(self) -> capture.Taken | None:
        from playwright.async_api import Error

        leaf = self._tabs.current
        try:
            taken = await capture.take(leaf.wire)
            own = taken.processes[0]
            found = await anyio.to_thread.run_sync(view, taken.world)
            hits = await capture.touched(own, found.points)
        except Error as error:
            if leaf.tab.page.is_closed() or "context" not in str(error).lower():
                raise
            return None
        self._aim.processes = {each.name: each for each in taken.processes}
        over = covered(found, hits, own.name)
        self._board.update(found, over, url=leaf.tab.page.url, document=own.name)
        return taken


def _notices(tab: Tab, *, ready: bool, stopped: bool) -> list[Notice]:
    found = []
    if stopped:
        found.append(Notice("scripts_stopped", "the page opened window after window, so its scripts were stopped"))
    if not ready:
        found.append(Notice("still_loading", "the page had not come to rest when it was looked at"))
    return [*found, *of_network(tab)]
