"""What each operation on a page in the browser does: one step of a session, and what the page then shows."""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wellread.apps.operations.deeds import PIECE_BYTES, PIECE_CHARS
from wellread.apps.profile_grants import Caller
from wellread.errors import InvalidInput, TooLarge
from wellread.printer import Printed
from wellread.types import PageSnapshot
from wellread.web.paging import cut

if TYPE_CHECKING:
    from wellread.apps.operations import page_arguments as takes
    from wellread.apps.operations.deeds import Means
    from wellread.apps.operations.sessions import Turn

PICTURE_BYTES = 5_000_000
"""Most of one screenshot: what models' interfaces take of an image."""
_WAYS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}


@dataclass(frozen=True, slots=True, kw_only=True)
class Browsed(PageSnapshot):
    """What the page of a session shows after a step."""

    session: str
    """The handle that further steps name."""
    form: Literal["snapshot", "markdown"] = "snapshot"
    """What `content` is: text with numbered elements, or markdown to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """A picture of a page."""

    session: str
    url: str
    title: str
    size: int
    """Bytes of the PNG."""
    png: bytes = dataclasses.field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """What became of a session."""

    session: str
    outcome: Literal["closed", "not there", "tab closed"]


async def browse(means: Means, asked: takes.Open) -> Browsed:
    """Open a page, in a new session or in one that is open.

    Raises:
        InvalidInput: the profile is not granted, or is named for a session that is open.
    """
    if asked.session is None:
        caller = Caller(means.interface, means.caller)
        handle, tab = await means.sessions.open(asked.url, caller, profile=asked.profile)
        if asked.dialogs is not None:
            tab.answer(asked.dialogs)
        return _told(handle, tab.snapshot)
    if asked.profile is not None:
        hint = "leave `session` out to open a new one with the profile"
        raise InvalidInput("a session keeps the profile that it was opened with", hint=hint)
    async with means.sessions.step(asked.session, means.caller) as step:
        if asked.dialogs is not None:
            step.tab.answer(asked.dialogs)
        return _told(asked.session, await step.tab.go(asked.url))


async def click(means: Means, asked: takes.Click) -> Browsed:
    """Click an element."""
    async with means.sessions.step(asked.session, means.caller, numbered=True) as step:
        if asked.dialogs is not None or asked.prompt is not None:
            step.tab.answer(asked.dialogs or "accept", prompt=asked.prompt or "")
        shown = await step.tab.click(
            asked.index,
            button=asked.button,
            count=2 if asked.double else 1,
            modifiers=asked.modifiers,
            words=asked.words,
            selector=asked.selector,
            point=_point(asked.point),
        )
        return _told(asked.session, shown)


async def put(means: Means, asked: takes.Type) -> Browsed:
    """Put text into a field."""
    async with means.sessions.step(asked.session, means.caller, numbered=True) as step:
        shown = await step.tab.type(
            asked.index,
            asked.text,
            submit=asked.submit,
            clear=asked.clear,
            words=asked.words,
            selector=asked.selector,
        )
        return _told(asked.session, shown)


async def select(means: Means, asked: takes.Select) -> Browsed:
    """Choose an option."""
    async with means.sessions.step(asked.session, means.caller, numbered=True) as step:
        return _told(asked.session, await step.tab.select(asked.index, asked.option))


async def press(means: Means, asked: takes.Press) -> Browsed:
    """Press a key."""
    async with means.sessions.step(asked.session, means.caller) as step:
        return _told(asked.session, await step.tab.press(asked.key))


async def hover(means: Means, asked: takes.Hover) -> Browsed:
    """Move the pointer onto an element."""
    async with means.sessions.step(asked.session, means.caller, numbered=True) as step:
        shown = await step.tab.hover(asked.index, words=asked.words, selector=asked.selector, point=_point(asked.point))
        return _told(asked.session, shown)


def _point(given: tuple[int, ...]) -> tuple[float, float] | None:
    """Return a point of the window; None where none is named.

    Raises:
        InvalidInput: it is not x and y.
    """
    if given and len(given) != 2:
        raise InvalidInput("a point is two numbers, x and y", hint="as [120, 80]")
    return (given[0], given[1]) if given else None


async def drag(means: Means, asked: takes.Drag) -> Browsed:
    """Drag an element onto another, or by pixels.

    Raises:
        InvalidInput: neither is said.
    """
    if asked.onto is None and not (asked.dx or asked.dy):
        raise InvalidInput("page_drag needs `onto`, or `dx` and `dy`", hint="the element to drop it on, or pixels")
    async with means.sessions.step(asked.session, means.caller, numbered=True) as step:
        return _told(asked.session, await step.tab.drag(asked.index, asked.onto, dx=asked.dx, dy=asked.dy))


async def scroll(means: Means, asked: takes.Scroll) -> Browsed:
    """Scroll the page, or an element of it."""
    down, right = (way * asked.screens for way in _WAYS[asked.direction])
    async with means.sessions.step(asked.session, means.caller, numbered=asked.index is not None) as step:
        return _told(asked.session, await step.tab.scroll(down, right=right, index=asked.index))


async def back(means: Means, asked: takes.Back) -> Browsed:
    """Go back in the tab's history."""
    async with means.sessions.step(asked.session, means.caller) as step:
        return _told(asked.session, await step.tab.back())


async def wait(means: Means, asked: takes.Wait) -> Browsed:
    """Wait for words, for an element, or until the page rests."""
    async with means.sessions.step(asked.session, means.caller) as step:
        shown = await step.tab.wait(
            selector=asked.selector,
            text=asked.text,
            gone=asked.gone,
            download=asked.download,
            timeout_s=asked.most_s,
        )
        return _told(asked.session, shown)


async def upload(means: Means, asked: takes.Upload) -> Browsed:
    """Choose files of the workspace in a file field."""
    async with means.sessions.step(asked.session, means.caller, numbered=True) as step:
        put_in = step.tab.drop if asked.drop else step.tab.upload
        return _told(asked.session, await put_in(asked.index, *asked.files))


async def screenshot(means: Means, asked: takes.Shot) -> Picture:
    """Take a picture.

    Raises:
        TooLarge: it has more bytes than models take.
    """
    async with means.sessions.step(asked.session, means.caller) as step:
        png = await step.tab.screenshot(full=asked.full)
        shown = step.tab.snapshot
    if len(png) > PICTURE_BYTES:
        hint = "take the window alone, and scroll" if asked.full else "make browser.viewport smaller"
        raise TooLarge(f"the picture has {len(png):,} bytes; {PICTURE_BYTES:,} are given out", hint=hint)
    return Picture(session=asked.session, url=shown.url, title=shown.title, size=len(png), png=png)


async def look(means: Means, asked: takes.Look) -> Browsed:
    """Look again, nothing done, at a tab of the session; or at a further page of what was shown last."""
    async with means.sessions.step(asked.session, means.caller) as step:
        if asked.tab is not None:
            await step.tab.switch(asked.tab)
        if asked.form == "markdown":
            return await _read(asked, step)
        anew = asked.page == 1 and asked.tab is None
        return _told(asked.session, await step.tab.look() if anew else step.tab.more(asked.page))


async def close(means: Means, asked: takes.Close) -> Closed:
    """Close a session, or one of its tabs; one that is over already is no failure."""
    if asked.tab is not None:
        async with means.sessions.step(asked.session, means.caller) as step:
            await step.tab.close_tab(asked.tab)
        return Closed(session=asked.session, outcome="tab closed")
    done = await means.sessions.close(asked.session, means.caller)
    return Closed(session=asked.session, outcome="closed" if done else "not there")


async def _read(asked: takes.Look, step: Turn) -> Browsed:
    notices = step.tab.snapshot.notices
    if asked.page == 1:
        page = await step.tab.read()
        notices = page.notices
        step.keep(page.text)
    pieces = _pieces(step.text)
    if asked.page > len(pieces):
        hint = "page 1 reads it again"
        raise InvalidInput(f"there is no page {asked.page} of what was read; there are {len(pieces)}", hint=hint)
    shown = dataclasses.replace(
        step.tab.snapshot,
        content=pieces[asked.page - 1], elements=(), changes=(), dialogs=(), downloads=(), notices=notices,
        page=asked.page, pages=len(pieces), more=0,
    )  # fmt: skip
    return _told(asked.session, shown, form="markdown")


def _pieces(text: str) -> list[str]:
    """Cut markdown into pieces that each fit one answer and join to the whole."""
    borders = tuple(found.end() for found in re.finditer("\n\n", text))
    printed = Printed(text=text, cuts=borders, headings=(), marks=())
    pieces, start = [], 0
    while start < len(text):
        end = cut(printed, start, PIECE_CHARS)
        size = len(text[start:end].encode("utf-8", "surrogatepass"))
        if size > PIECE_BYTES:
            end = cut(printed, start, max(1, (end - start) * PIECE_BYTES // size))
        pieces.append(text[start:end])
        start = end
    return pieces


def _told(handle: str, shown: PageSnapshot, *, form: Literal["snapshot", "markdown"] = "snapshot") -> Browsed:
    fields = {field.name: getattr(shown, field.name) for field in dataclasses.fields(PageSnapshot)}
    return Browsed(session=handle, form=form, **fields)
