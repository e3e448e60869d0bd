"""Handlers of the browser operations: each performs one step of a session and returns the page after it."""

from __future__ import annotations

import dataclasses
import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from wellread.apps.operations.handlers import PIECE_BYTES, PIECE_CHARS
from wellread.apps.profile_grants import Caller
from wellread.browser.emulation import Emulation
from wellread.citations.cursors import cut
from wellread.errors import InvalidInput, TooLarge
from wellread.frozen import frozen
from wellread.output import PrintedDocument
from wellread.text.counts import count_of
from wellread.types import PageSnapshot

if TYPE_CHECKING:
    from wellread.apps.operations import page_arguments
    from wellread.apps.operations.browser_sessions import SessionStep
    from wellread.apps.operations.handlers import HandlerContext

PICTURE_BYTES = 5_000_000
"""Most of one screenshot: what models' interfaces take of an image."""
_DIRECTIONS = {"down": (1, 0), "up": (-1, 0), "right": (0, 1), "left": (0, -1)}


@frozen
class Browsed(PageSnapshot):
    """The page of a session after a step."""

    session: str
    """The handle that further steps name."""
    form: Literal["snapshot", "markdown"] = "snapshot"
    """What `content` is: text with numbered elements, or markdown to read."""
    incremental: bool = False
    """Whether `content` has only the lines that changed since the caller's last snapshot, as a unified diff."""


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
class Evaluated:
    """The value of an expression that was run in a page."""

    session: str
    url: str
    value: str
    """As JSON text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """The outcome of closing a session."""

    session: str
    outcome: Literal["closed", "not there", "tab closed"]


async def browse(context: HandlerContext, args: page_arguments.OpenArguments) -> Browsed:
    """Open a page, in a new session or in one that is open.

    Raises:
        InvalidInput: the profile is not granted, or is named for a session that is open.
        RefusedError: evidence is asked for, and the owner set no folder for it.
    """
    if args.session is None:
        caller = Caller(context.interface, context.caller)
        emulation = Emulation(
            mobile=args.mobile, timezone=args.timezone, color_scheme=args.color_scheme, locale=args.locale
        )
        handle, tab = await context.sessions.open(
            args.url, caller, profile=args.profile, evidence=args.evidence, **emulation
        )
        if args.dialogs is not None:
            tab.answer(args.dialogs)
        return _browsed(handle, tab.snapshot)
    if args.mobile or args.timezone or args.color_scheme or args.locale:
        hint = "leave out `session` to open a new session"
        raise InvalidInput("the device of an open session cannot be changed", hint=hint)
    if args.evidence:
        hint = "leave out `session` to open a new session with evidence"
        raise InvalidInput("evidence is recorded from the first step on", hint=hint)
    if args.profile is not None:
        hint = "leave out `session` to open a new session with the profile"
        raise InvalidInput("the profile of an open session cannot be changed", hint=hint)
    async with context.sessions.step(args.session, context.caller) as step:
        if args.dialogs is not None:
            step.tab.answer(args.dialogs)
        return _after_step(context, args.session, step, await step.tab.go(args.url))


async def click(context: HandlerContext, args: page_arguments.ClickArguments) -> Browsed:
    """Click an element."""
    async with context.sessions.step(args.session, context.caller, numbered=True) as step:
        if args.dialogs is not None or args.prompt is not None:
            step.tab.answer(args.dialogs or "accept", prompt=args.prompt or "")
        snapshot = await step.tab.click(
            args.index,
            button=args.button,
            count=2 if args.double else 1,
            modifiers=args.modifiers,
            words=args.words,
            selector=args.selector,
            point=_point(args.point),
        )
        return _after_step(context, args.session, step, snapshot)


async def type_text(context: HandlerContext, args: page_arguments.TypeArguments) -> Browsed:
    """Put text into a field."""
    async with context.sessions.step(args.session, context.caller, numbered=True) as step:
        snapshot = await step.tab.type(
            args.index,
            args.text,
            submit=args.submit,
            clear=args.clear,
            words=args.words,
            selector=args.selector,
        )
        return _after_step(context, args.session, step, snapshot)


async def select(context: HandlerContext, args: page_arguments.SelectArguments) -> Browsed:
    """Choose an option."""
    async with context.sessions.step(args.session, context.caller, numbered=True) as step:
        return _after_step(context, args.session, step, await step.tab.select(args.index, args.option))


async def press(context: HandlerContext, args: page_arguments.PressArguments) -> Browsed:
    """Press a key."""
    async with context.sessions.step(args.session, context.caller) as step:
        return _after_step(context, args.session, step, await step.tab.press(args.key))


async def hover(context: HandlerContext, args: page_arguments.HoverArguments) -> Browsed:
    """Move the pointer onto an element."""
    async with context.sessions.step(args.session, context.caller, numbered=True) as step:
        snapshot = await step.tab.hover(args.index, words=args.words, selector=args.selector, point=_point(args.point))
        return _after_step(context, args.session, step, snapshot)


def _point(coordinates: tuple[int, ...]) -> tuple[float, float] | None:
    """Return a point in the window; None where no point is given.

    Raises:
        InvalidInput: it is not x and y.
    """
    if coordinates and len(coordinates) != 2:
        raise InvalidInput("a point is two numbers, x and y", hint="use [120, 80]")
    if not coordinates:
        return None
    return (coordinates[0], coordinates[1])


async def drag(context: HandlerContext, args: page_arguments.DragArguments) -> Browsed:
    """Drag an element onto another, or by pixels.

    Raises:
        InvalidInput: neither a target nor a distance is given.
    """
    if args.onto is None and not (args.dx or args.dy):
        raise InvalidInput(
            "page_drag needs `onto`, or `dx` and `dy`", hint="set `onto` to an element, or `dx` and `dy` to pixels"
        )
    async with context.sessions.step(args.session, context.caller, numbered=True) as step:
        return _after_step(
            context, args.session, step, await step.tab.drag(args.index, args.onto, dx=args.dx, dy=args.dy)
        )


async def scroll(context: HandlerContext, args: page_arguments.ScrollArguments) -> Browsed:
    """Scroll the page, or an element of it."""
    down, right = (sign * args.screens for sign in _DIRECTIONS[args.direction])
    async with context.sessions.step(args.session, context.caller, numbered=args.index is not None) as step:
        snapshot = await step.tab.scroll(down, right=right, index=args.index)
        return _whole(args.session, step, snapshot)


async def back(context: HandlerContext, args: page_arguments.BackArguments) -> Browsed:
    """Go back in the tab's history."""
    async with context.sessions.step(args.session, context.caller) as step:
        return _after_step(context, args.session, step, await step.tab.back())


async def wait(context: HandlerContext, args: page_arguments.WaitArguments) -> Browsed:
    """Wait for words, for an element, or until the page has settled."""
    async with context.sessions.step(args.session, context.caller) as step:
        snapshot = await step.tab.wait(
            selector=args.selector,
            text=args.text,
            gone=args.gone,
            download=args.download,
            timeout_s=args.most_s,
        )
        return _after_step(context, args.session, step, snapshot)


async def upload(context: HandlerContext, args: page_arguments.UploadArguments) -> Browsed:
    """Choose files of the workspace in a file field."""
    async with context.sessions.step(args.session, context.caller, numbered=True) as step:
        if args.drop:
            return _after_step(context, args.session, step, await step.tab.drop(args.index, *args.files))
        return _after_step(context, args.session, step, await step.tab.upload(args.index, *args.files))


async def screenshot(context: HandlerContext, args: page_arguments.ScreenshotArguments) -> Picture:
    """Take a picture.

    Raises:
        TooLarge: it has more bytes than models take.
    """
    async with context.sessions.step(args.session, context.caller) as step:
        png = await step.tab.screenshot(full=args.full)
        snapshot = step.tab.snapshot
    if len(png) > PICTURE_BYTES:
        hint = "leave out `full`, and scroll" if args.full else "make browser.viewport smaller"
        raise TooLarge(f"the picture has {len(png):,} bytes; {PICTURE_BYTES:,} is the limit", hint=hint)
    return Picture(session=args.session, url=snapshot.url, title=snapshot.title, size=len(png), png=png)


async def look(context: HandlerContext, args: page_arguments.LookArguments) -> Browsed:
    """Return a tab of the session as it is now, or a further page of the last snapshot or text."""
    async with context.sessions.step(args.session, context.caller) as step:
        if args.tab is not None:
            await step.tab.switch(args.tab)
        if args.find is not None:
            return _browsed(args.session, await step.tab.find(args.find, regex=args.regex))
        if args.form == "markdown":
            return await _read(args, step)
        if args.page == 1 and args.tab is None:
            snapshot = await step.tab.look()
        else:
            snapshot = step.tab.more(args.page)
        return _whole(args.session, step, snapshot)


async def evaluate(context: HandlerContext, args: page_arguments.EvaluateArguments) -> Evaluated:
    """Run a JavaScript expression in the page.

    Raises:
        RefusedError: the owner does not allow it.
    """
    async with context.sessions.step(args.session, context.caller) as step:
        value = await step.tab.evaluate(args.expression)
        return Evaluated(session=args.session, url=step.tab.url, value=json.dumps(value, ensure_ascii=False))


async def close(context: HandlerContext, args: page_arguments.CloseArguments) -> Closed:
    """Close a session, or one of its tabs; a session that has ended already is no failure."""
    if args.tab is not None:
        async with context.sessions.step(args.session, context.caller) as step:
            await step.tab.close_tab(args.tab)
        return Closed(session=args.session, outcome="tab closed")
    if await context.sessions.close(args.session, context.caller):
        return Closed(session=args.session, outcome="closed")
    return Closed(session=args.session, outcome="not there")


async def _read(args: page_arguments.LookArguments, step: SessionStep) -> Browsed:
    notices = step.tab.snapshot.notices
    if args.page == 1:
        page = await step.tab.read()
        notices = page.notices
        step.keep(page.text)
    pieces = _pieces(step.text)
    if args.page > len(pieces):
        hint = "set page=1 to read the page again"
        raise InvalidInput(f"there is no page {args.page}; the text has {count_of(len(pieces), 'page')}", hint=hint)
    snapshot = dataclasses.replace(
        step.tab.snapshot,
        content=pieces[args.page - 1], elements=(), changes=(), dialogs=(), downloads=(), notices=notices,
        page=args.page, pages=len(pieces), more=0,
    )  # fmt: skip
    return _browsed(args.session, snapshot, form="markdown")


def _pieces(text: str) -> list[str]:
    """Cut markdown into pieces that each fit one answer and, joined, equal the text."""
    borders = tuple(match.end() for match in re.finditer("\n\n", text))
    printed = PrintedDocument(text=text, cuts=borders, headings=(), marks=())
    pieces, start = [], 0
    while start < len(text):
        end = cut(printed, start, PIECE_CHARS)
        size = len(text[start:end].encode("utf-8", "surrogatepass"))
        if size > PIECE_BYTES:
            end = cut(printed, start, max(1, (end - start) * PIECE_BYTES // size))
        pieces.append(text[start:end])
        start = end
    return pieces


def _after_step(context: HandlerContext, handle: str, step: SessionStep, snapshot: PageSnapshot) -> Browsed:
    """Return the page after a step: only the lines that changed, if the caller has seen the others.

    A model pays for each character, and has the earlier answers in its context. Programs at the HTTP API have neither.
    """
    if context.interface == "http" or context.web.parts.settings.browse.snapshots == "full":
        return _whole(handle, step, snapshot)
    changed = step.changed(snapshot)
    if changed is None:
        return _browsed(handle, snapshot)
    return dataclasses.replace(_browsed(handle, changed), incremental=True)


def _whole(handle: str, step: SessionStep, snapshot: PageSnapshot) -> Browsed:
    """Return a whole snapshot, and remember that the caller has seen it."""
    step.show(snapshot)
    return _browsed(handle, snapshot)


def _browsed(handle: str, snapshot: PageSnapshot, *, form: Literal["snapshot", "markdown"] = "snapshot") -> Browsed:
    fields = {field.name: getattr(snapshot, field.name) for field in dataclasses.fields(PageSnapshot)}
    return Browsed(session=handle, form=form, **fields)
