"""Acts on a page with pointer and keyboard, through the browser's own input: every event is trusted."""

from __future__ import annotations

from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import anyio

from wellread.browser.browse import field_values, scripts
from wellread.browser.browse.element_index import ElementRef
from wellread.browser.browse.settle import LATE_S
from wellread.browser.browse.text_entry import MAX_TEXT_CHARS, TextEntry
from wellread.errors import InvalidInput
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Sequence
    from pathlib import Path

    from playwright.async_api import Page, ViewportSize

    from wellread.browser.browse.element_locator import ElementLocator

HOVER_S = 0.04
"""Between moving to a point, and pressing or letting go there."""
_WHEEL_S = 0.08
"""How long a page may take to follow the wheel: the offset of a list that scrolls is no change that can be seen."""
_DRAG_STEPS = 8
_BEGIN_PX = 12
_CHOOSER_MS = 2_000
_COPY = 1
"""The drag operation of files from a folder."""
_OPTIONS_S = 1.0
"""How long a select may take to load its options after it has the focus, and again after a click."""
_LOOK_S = 0.05
DEFAULT_VIEWPORT: ViewportSize = {"width": 800, "height": 600}
MODIFIERS: Final = {"control": "Control", "shift": "Shift", "alt": "Alt", "meta": "Meta"}


@dataclass(frozen=True, slots=True)
class MouseClick:
    """How an element is clicked."""

    button: str = "left"
    count: int = 1
    modifiers: tuple[str, ...] = ()


PLAIN_CLICK: Final = MouseClick()


def check_modifiers(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of keys that can be held, as the browser has them.

    Raises:
        InvalidInput: one of them is no such key.
    """
    for name in names:
        if name.lower() not in MODIFIERS:
            raise InvalidInput(f"{name[:40]!r} is not a modifier key", hint="use Control, Shift, Alt or Meta")
    return tuple(dict.fromkeys(MODIFIERS[name.lower()] for name in names))


class PageActions:
    """Acts on the elements of one page."""

    def __init__(self, page: Page, locator: ElementLocator) -> None:
        """Take the page, and the locator of its elements."""
        self._page = page
        self._locator = locator

    async def click(self, element_ref: ElementRef, press: MouseClick = PLAIN_CLICK) -> list[Notice]:
        """Move to an element, wait a moment, prove again that nothing covers it, press and release.

        Return a notice if the element is marked as disabled.

        Raises:
            InvalidInput: it is disabled, so that a click does nothing.
        """
        await self.hover(element_ref)
        point = await self._locator.point_of(element_ref)
        ends = anyio.current_time() + LATE_S  # forms enable their buttons after a check
        if point.disabled == "disabled":  # some check a field when it is left, as a person does who clicks here
            await self._locator.call(element_ref, scripts.LEAVE_FIELD)
        while point.disabled == "disabled" and anyio.current_time() < ends:
            await anyio.sleep(_LOOK_S)
            point = await self._locator.point_of(element_ref)
        if point.disabled == "disabled":
            raise InvalidInput(
                f"{element_ref.description} is disabled", hint="it was not clicked; complete the fields that enable it"
            )
        await self._press(point.x, point.y, press)
        if point.disabled:
            return [Notice("disabled", f"{element_ref.label} is marked as disabled (aria-disabled)")]
        return []

    async def click_point(self, point: tuple[float, float], scale: float, press: MouseClick) -> None:
        """Click at a point of the window, whatever is there; see `hover_point`."""
        x, y = await self.hover_point(point, scale)
        await self._press(x, y, press)

    async def hover_point(self, point: tuple[float, float], scale: float) -> tuple[float, float]:
        """Move to a point of the window's screenshot, and return it in CSS pixels.

        The screenshot has `scale` pixels for each CSS pixel.

        Raises:
            InvalidInput: it is outside the window.
        """
        size = self._page.viewport_size or DEFAULT_VIEWPORT
        x, y = point[0] / scale, point[1] / scale
        if not (0 <= x < size["width"] and 0 <= y < size["height"]):
            raise InvalidInput(
                f"the point {point[0]:g}, {point[1]:g} is outside the window",
                hint=f"its screenshot has {size['width'] * scale:g} x {size['height'] * scale:g} pixels",
            )
        await self._page.mouse.move(x, y)
        await anyio.sleep(HOVER_S)
        return x, y

    async def hover(self, element_ref: ElementRef) -> None:
        """Move the pointer onto an element, and wait until the page shows what it does with that."""
        point = await self._locator.point_of(element_ref)
        await self._page.mouse.move(point.x, point.y)
        await self._locator.next_frame(element_ref)

    async def _press(self, x: float, y: float, press: MouseClick = PLAIN_CLICK) -> None:
        # A heavy optional extra, loaded at its edge.
        from playwright.async_api import Error

        mouse, button = self._page.mouse, press.button
        if button not in {"left", "right", "middle"}:
            raise InvalidInput(f"{button!r} is not a mouse button", hint="use left, right or middle")
        try:
            async with self._held(press.modifiers):
                await mouse.click(x, y, button=button, click_count=press.count)  # type: ignore[arg-type]  # checked above
        except Error:
            if not self._page.is_closed():  # a press may close its own page before its end is reported
                raise

    @asynccontextmanager
    async def _held(self, keys: Sequence[str]) -> AsyncGenerator[None, None]:
        """Hold keys down; they are let go whatever happens."""
        keyboard = self._page.keyboard
        pressed: list[str] = []
        try:
            for key in keys:
                await keyboard.down(key)
                pressed.append(key)
            yield
        finally:
            for key in reversed(pressed):
                await keyboard.up(key)

    async def type(
        self, element_ref: ElementRef, text: str, *, clear: bool = True, submit: bool = False
    ) -> list[Notice]:
        """Put `text` into a field, replacing its value unless `clear` is false; press Enter after it with `submit`.

        Return notices where the field did not take the text, or Enter was not pressed.

        Raises:
            InvalidInput: it takes no text, or not this one.
        """
        if len(text) > MAX_TEXT_CHARS:
            raise InvalidInput(f"{len(text):,} characters are too many to type; the limit is {MAX_TEXT_CHARS:,}")
        field = await self._locator.call(element_ref, scripts.FIELD)
        field_values.check_writable(element_ref, field)
        entry = TextEntry(self._page, self._locator)
        notices: list[Notice] = []
        async with entry.begun(element_ref):
            if field["type"] in field_values.SPECIAL:
                await self._fill(entry, element_ref, field, text)
            else:
                await self.click(element_ref)
                notices = await entry.enter(element_ref, field, text, clear=clear)
        if submit:
            notices += await entry.submit(element_ref)
        return notices

    async def _fill(self, entry: TextEntry, element_ref: ElementRef, field: field_values.Field, text: str) -> None:
        """Fill a field that has parts, a scale or a palette, and check that it holds the value of `text`."""
        kind = field["type"]
        if kind == "range":
            await self._slide(element_ref, field, text)
        elif kind == "color":
            await self._mix(element_ref, text)
        else:
            for keys in field_values.key_sequences(kind, text):
                await self._locator.call(element_ref, scripts.FOCUS)
                await self._key_in(keys)
                if field_values.same(await entry.field(element_ref), text):
                    break
        current = await entry.field(element_ref)
        if not field_values.same(current, text):
            raise InvalidInput(
                f'{element_ref.description} does not take "{text[:80]}"; it holds "{current["value"]}"',
                hint=field_values.HINTS[kind],
            )

    async def _key_in(self, keys: str) -> None:
        """Type, with Tab between the parts of a field."""
        for number, part in enumerate(keys.split("\t")):
            if number:
                await self._page.keyboard.press("Tab")
            await self._page.keyboard.type(part)

    async def _slide(self, element_ref: ElementRef, field: field_values.Field, text: str) -> None:
        """Press near the value, then step to it. An ARIA slider is the thumb alone, so it only gets the keys."""
        share = field_values.share(field, text)
        if field["tag"] == "input":
            point = await self._locator.point_of(element_ref, (min(max(share, 0.02), 0.98), 0.5))
            await self._press(point.x, point.y)
        else:
            await self._locator.point_of(element_ref)
            await self._locator.call(element_ref, scripts.FOCUS)
        first_key = ""
        for _ in range(field_values.MAX_STEPS):
            current = await self._locator.call(element_ref, scripts.FIELD)
            if field_values.same(current, text):
                return
            key = "ArrowRight" if field_values.current_number(element_ref, current) < float(text) else "ArrowLeft"
            first_key = first_key or key
            if key != first_key:  # its steps pass the value over
                return
            await self._page.keyboard.press(key)
            if (await self._locator.call(element_ref, scripts.FIELD))["value"] == current["value"]:
                return

    async def _mix(self, element_ref: ElementRef, text: str) -> None:
        """Open the palette and key in red, green and blue."""
        await self.click(element_ref)
        await anyio.sleep(HOVER_S * 4)
        keyboard = self._page.keyboard
        await keyboard.press("Tab")
        if not await self._locator.call(
            element_ref, scripts.IS_FOCUSED
        ):  # keys go to an open palette, and the focus stays
            raise InvalidInput(
                f"{element_ref.description} does not open the colour palette of the browser",
                hint="click the element, and take a new snapshot",
            )
        await keyboard.press("Tab")
        await keyboard.press("Tab")
        for part in field_values.colour(text):
            await keyboard.press("ControlOrMeta+A")
            await keyboard.type(str(part))
            await keyboard.press("Tab")
        await keyboard.press("Enter")
        await anyio.sleep(HOVER_S)

    async def choose(self, element_ref: ElementRef, option: str) -> bool:
        """Choose an option of a native select; False when it is none.

        Raises:
            InvalidInput: it has no such option.
        """
        field = await self._locator.call(element_ref, scripts.FIELD)
        if field["tag"] == "input" and (suggestion := field_values.suggestion(field, option)) is not None:
            await self.type(element_ref, suggestion)
            await self._locator.call(element_ref, scripts.BLUR)  # as a choice from the list: pages hear `change`
            return True
        if field["tag"] != "select":
            return False
        field = await self._with_option(element_ref, field, option)
        option_index = field_values.option_index(element_ref, field, option)
        if field["options"][option_index]["selected"]:
            return True
        entry = TextEntry(self._page, self._locator)
        async with entry.begun(element_ref):
            await self._choose_by_keys(entry, element_ref, field, option_index)
            current = await entry.field(element_ref)
        if not current["options"][option_index]["selected"]:
            raise InvalidInput(f'{element_ref.description} did not take "{option[:80]}"')
        return True

    async def _choose_by_keys(
        self, entry: TextEntry, element_ref: ElementRef, field: field_values.Field, option_index: int
    ) -> None:
        if field["multiple"] or field["size"] > 1:
            await self._locator.call(element_ref, scripts.FOCUS)
            await self._pick(field, option_index)
        else:
            await self.click(element_ref)
            await anyio.sleep(HOVER_S)
            await self._walk(field, option_index)
            # Where the page keeps the list shut, the arrows have chosen already, and Enter would submit the form.
            walked = await entry.field(element_ref)
            if not walked["options"][option_index]["selected"]:
                await self._page.keyboard.press("Enter")

    async def _with_option(self, element_ref: ElementRef, field: field_values.Field, option: str) -> field_values.Field:
        """Wait for an option that a select lacks: some load theirs when they get the focus, or are clicked."""
        if field_values.has_option(field, option):
            return field
        await self._locator.call(element_ref, scripts.FOCUS)
        field = await self._options(element_ref, option)
        if not field_values.has_option(field, option):
            await self.click(element_ref)
            field = await self._options(element_ref, option)
            await self._page.keyboard.press("Escape")
        return field

    async def _options(self, element_ref: ElementRef, option: str) -> field_values.Field:
        for _ in range(round(_OPTIONS_S / _LOOK_S)):
            field: field_values.Field = await self._locator.call(element_ref, scripts.FIELD)
            if field_values.has_option(field, option):
                break
            await anyio.sleep(_LOOK_S)
        return field

    async def _walk(self, field: field_values.Field, option_index: int) -> None:
        """Step with the arrow keys from the first option to `option_index`; the browser skips disabled options."""
        await self._page.keyboard.press("Home")
        for option in field["options"][:option_index]:
            if not option["disabled"]:
                await self._page.keyboard.press("ArrowDown")

    async def _pick(self, field: field_values.Field, option_index: int) -> None:
        """Go to an option of an open list and choose it, beside the others where there may be several."""
        keyboard = self._page.keyboard
        await keyboard.press("ControlOrMeta+Home")
        for option in field["options"][:option_index]:
            if not option["disabled"]:
                await keyboard.press("ControlOrMeta+ArrowDown")
        await keyboard.press("ControlOrMeta+Space")

    async def drag(self, element_ref: ElementRef, to: ElementRef | tuple[float, float]) -> None:
        """Press on an element, move to another or by some pixels, and let go."""
        mouse = self._page.mouse
        await self.hover(element_ref)
        start = await self._locator.point_of(element_ref)
        await mouse.move(start.x, start.y)
        await mouse.down()
        try:
            await mouse.move(start.x + 3, start.y + 3)
            if isinstance(to, ElementRef):
                # The drag must have begun before the target is scrolled to: it begins where the pointer then is.
                await mouse.move(start.x + _BEGIN_PX, start.y + _BEGIN_PX)
                point = await self._locator.point_of(to)
                end = point.x, point.y
            else:
                end = start.x + to[0], start.y + to[1]
            await mouse.move(*end, steps=_DRAG_STEPS)
            await anyio.sleep(HOVER_S)
            await mouse.move(*end)
        finally:
            await mouse.up()

    async def scroll(self, dx: float, dy: float, element_ref: ElementRef | None = None) -> None:
        """Turn the wheel over an element, or over the middle of the window."""
        if element_ref is not None:
            await self.hover(element_ref)
        else:
            size = self._page.viewport_size or DEFAULT_VIEWPORT
            await self._page.mouse.move(size["width"] / 2, size["height"] / 2)
        await self._page.mouse.wheel(dx, dy)
        await anyio.sleep(_WHEEL_S)

    async def upload(self, element_ref: ElementRef, files: list[Path]) -> None:
        """Choose files in a file field, or in the chooser that an element opens.

        Raises:
            InvalidInput: nothing asks for files.
        """
        process, handle = await self._locator.resolve(element_ref)
        field = await process.call(handle, scripts.FIELD)
        if field["type"] == "file":
            paths = [str(file) for file in files]
            await process.devtools.send("DOM.setFileInputFiles", {"files": paths, "objectId": handle})
            return
        from playwright.async_api import TimeoutError as TooLate

        if element_ref.element.role == "drop target":
            await self.drop(element_ref, files)
            return
        try:
            async with self._page.expect_file_chooser(timeout=_CHOOSER_MS) as chooser:
                await self.click(element_ref)
            await (await chooser.value).set_files(files)
        except TooLate as error:
            if await self._dropped(element_ref, files):
                return
            raise InvalidInput(
                f"{element_ref.description} does not ask for a file", hint="choose an element of role file"
            ) from error

    async def drop(self, element_ref: ElementRef, files: list[Path]) -> None:
        """Drag files over an element, and let go.

        Raises:
            InvalidInput: nothing there takes files that are dropped.
        """
        if not await self._dropped(element_ref, files):
            raise InvalidInput(f"{element_ref.description} does not accept dropped files", hint="nothing was done")

    async def _dropped(self, element_ref: ElementRef, files: list[Path]) -> bool:
        """Drop files, where the page says on the way that it takes them."""
        point = await self._locator.point_of(element_ref)
        await self._locator.call(element_ref, scripts.WATCH_DRAG)
        paths = [str(file) for file in files]
        drag = {"items": [], "files": paths, "dragOperationsMask": _COPY}
        devtools = await self._page.context.new_cdp_session(self._page)

        async def send(kind: str) -> None:
            await devtools.send("Input.dispatchDragEvent", {"type": kind, "x": point.x, "y": point.y, "data": drag})

        try:
            await send("dragEnter")
            await send("dragOver")
            takes = await self._locator.call(element_ref, scripts.TAKES_DROP)
            await send("drop" if takes else "dragCancel")
        finally:
            await devtools.detach()
        return bool(takes)
