"""Puts text into fields: ordinary characters as keys, line breaks by insertion. Enter is never pressed here.

Chat composers send on Enter, mention lists pick on Enter and Tab. A line break in the text therefore has to arrive
without any event of a key:

- A single-line input cannot hold a line break. It gets spaces, as browsers do when text is pasted.
- A textarea gets the text by `execCommand("insertText")`: one change, followed by `input` events.
- An editor (`contenteditable`) gets the text as a paste. CKEditor 5 and ProseMirror turn a line break that is inserted
  in another way into their own Enter command; ProseMirror, Slate, Lexical, Quill, Draft.js, CodeMirror and CKEditor
  were each checked to take a paste as text. What takes no paste gets `Input.insertText`.
"""

from __future__ import annotations

import re
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final

import anyio

from wellread.browser.browse import scripts
from wellread.errors import InvalidInput
from wellread.text.counts import count_of
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from playwright.async_api import Page

    from wellread.browser.browse.devtools_sessions import Process
    from wellread.browser.browse.element_index import ElementRef
    from wellread.browser.browse.element_locator import ElementLocator
    from wellread.browser.browse.field_values import Field

MAX_KEYED_CHARS = 300
"""Characters that are typed key by key; a longer text is inserted at once, as from a clipboard."""
MAX_TEXT_CHARS = 100_000
_CHECKS: Final = 15
"""How often a field is looked at until it holds its text. Looks are counted, not seconds: each runs in the page, so a
browser on a busy machine, where one look takes longer than an editor should, has as many chances to show the text."""
_CHECK_STEP_S: Final = 0.02
_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_KEYS = re.compile(r"[ -~]")
"""Characters that have a key of their own on a keyboard."""


def normalize_line_breaks(text: str) -> str:
    """Return `text` with every CR and CRLF as LF, as the value of a textarea has them (HTML, 4.10.11)."""
    return _LINE_BREAK.sub("\n", text)


def single_line(text: str) -> str:
    """Return `text` as a single-line input takes a paste: spaces for line breaks, none at the ends."""
    return _LINE_BREAK.sub(" ", text.strip("\r\n"))


def holds_text(field: Field, text: str, *, clear: bool) -> bool:
    """Return whether a field's value is `text`, or ends with it where `text` was added to an older value.

    Editors show paragraphs with blank lines between them, or without; their blank lines are not compared.
    """
    value = str(field["value"])
    if field["editable"]:
        value, text = _filled_lines(value), _filled_lines(text)
    elif field["tag"] == "input":
        value, text = value.strip(), text.strip()
    return value == text if clear else value.endswith(text)


def _filled_lines(text: str) -> str:
    """Return the lines that are not blank, without the characters by which editors keep spaces and empty lines."""
    text = text.replace("\u00a0", " ").replace("\ufeff", "").replace("\u200b", "").replace("\u2060", "")
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


class TextEntry:
    """Puts text into the fields of one page."""

    def __init__(self, page: Page, locator: ElementLocator) -> None:
        """Take the page, and the locator of its elements."""
        self._page = page
        self._locator = locator
        self._is_complete = True

    @asynccontextmanager
    async def begun(self, element_ref: ElementRef) -> AsyncGenerator[None, None]:
        """Keep the keys of the block from everything but fields; the block clicks the field and enters the text."""
        from playwright.async_api import Error

        process, _ = await self._locator.resolve(element_ref)
        await self._locator.call(element_ref, scripts.BEGIN_ENTRY)
        try:
            yield
        finally:
            with suppress(Error):  # the document has been left
                await self._evaluate(process, element_ref.frame, scripts.END_ENTRY)

    async def enter(self, element_ref: ElementRef, field: Field, text: str, *, clear: bool) -> list[Notice]:
        """Put `text` into a field that was clicked, and return how its value differs from `text`.

        Raises:
            InvalidInput: the field cannot get the focus, so keys would go elsewhere; nothing was typed.
        """
        from playwright.async_api import Error

        notices = []
        text = normalize_line_breaks(text)
        if field["tag"] == "input":
            line_breaks = text.count("\n")
            text = single_line(text)
            if line_breaks:
                notices.append(_removed(element_ref, line_breaks))
        await self._require_focus(element_ref, field)
        await self._select_old_text(field, text, clear=clear)
        entered = 0
        if (clear and not field["value"]) or await self._has_selected(element_ref):
            entered = await self._put(element_ref, field, text)
        if entered < len(text) and await self._resume(element_ref, text, entered, clear=clear):
            entered = len(text)
        if entered < len(text):
            self._is_complete = False
            detail = f"{element_ref.label} lost the focus: {entered} of {count_of(len(text), 'character')} typed"
            with suppress(InvalidInput, Error):
                size = len(str((await self.field(element_ref))["value"]))
                detail += f", and it has {size}"
            return [*notices, Notice("text_differs", detail)]
        return [*notices, *await self._check(element_ref, field, text, clear=clear)]

    async def _resume(self, element_ref: ElementRef, text: str, entered: int, *, clear: bool) -> bool:
        """Enter the rest of the text in a field that the page has drawn again; return whether that was possible.

        Some pages draw their form again at each input, and the new field has no focus. It must hold the first
        `entered` characters. The text is inserted: no key is pressed that could go elsewhere.
        """
        from playwright.async_api import Error

        inserted = text if clear else text[entered:]
        for _ in range(_CHECKS):
            if not await self._locator.follow(element_ref, scripts.REDRAWN):
                if await self._is_there(element_ref):  # the page has moved the focus on purpose
                    return False
            else:
                with suppress(InvalidInput, Error):  # it was drawn again meanwhile
                    field = await self._locator.call(element_ref, scripts.FIELD)
                    if (clear and not entered) or holds_text(field, text[:entered], clear=clear):
                        return bool(await self._locator.call(element_ref, scripts.RESUME_ENTRY, inserted, clear))
            await anyio.sleep(_CHECK_STEP_S)
        return False

    async def _is_there(self, element_ref: ElementRef) -> bool:
        from playwright.async_api import Error

        try:
            await self._locator.resolve(element_ref)
        except (InvalidInput, Error):
            return False
        return True

    async def submit(self, element_ref: ElementRef) -> list[Notice]:
        """Press Enter once, in the field or in the one that took its place.

        Enter is not pressed where it would send a part of the text, or work another control than a field.
        """
        if not self._is_complete or not await self._regain_focus(element_ref):
            return [Notice("not_submitted", f"Enter was not pressed: {element_ref.label} lost the focus")]
        await self._page.keyboard.press("Enter")
        return []

    async def _regain_focus(self, element_ref: ElementRef) -> bool:
        from playwright.async_api import Error

        if await self.has_focus(element_ref):
            return True
        await self._locator.follow(element_ref, scripts.REDRAWN)
        try:
            await self._locator.call(element_ref, scripts.FOCUS)
        except (InvalidInput, Error):
            return False
        return await self.has_focus(element_ref)

    async def has_focus(self, element_ref: ElementRef) -> bool:
        """Return whether keys go into the field, or into another that takes text."""
        from playwright.async_api import Error

        process = self._locator.processes.get(element_ref.key.process)
        if process is None:
            return False
        try:
            focused = await self._locator.call(element_ref, scripts.FOCUSED)
        except InvalidInput:  # the element has vanished; the page may have put another in its place
            try:
                expression = f"({scripts.FOCUSED}).call(document.createElement('i'))"
                focused = await self._evaluate(process, element_ref.frame, expression)
            except Error:  # the document has been left
                return False
        except Error:
            return False
        return bool(focused and focused["takes"])

    async def _evaluate(self, process: Process, frame: str, expression: str) -> Any:  # Any: JSON
        """Return the value of an expression in the isolated world of a frame."""
        arguments = {"expression": expression, "contextId": await process.world(frame), "returnByValue": True}
        return (await process.devtools.send("Runtime.evaluate", arguments))["result"].get("value")

    async def _require_focus(self, element_ref: ElementRef, field: Field) -> None:
        if _takes_text(field) and not await self._regain_focus(element_ref):
            raise InvalidInput(
                f"{element_ref.label} cannot get the focus",
                hint="nothing was typed; take a new snapshot, or click the element",
            )

    async def _select_old_text(self, field: Field, text: str, *, clear: bool) -> None:
        keyboard = self._page.keyboard
        if not clear:
            await keyboard.press("ControlOrMeta+End")
        elif field["value"]:
            await keyboard.press("ControlOrMeta+A")
            # An editor follows the selection late, and would paste before it does.
            is_pasted = "\n" in text and field["tag"] not in {"input", "textarea"}
            if not text or (is_pasted and field["value"].strip()):
                await keyboard.press("Delete")

    async def _has_selected(self, element_ref: ElementRef) -> bool:
        """Return whether the keys that select the old text went into the field; a page may draw it again at them."""
        if await self._locator.follow(element_ref, scripts.REDRAWN):
            return False
        try:
            return not (await self._locator.call(element_ref, scripts.FOCUSED))["stopped"]
        except InvalidInput:  # it was drawn again meanwhile
            return False

    async def _put(self, element_ref: ElementRef, field: Field, text: str) -> int:
        """Put `text` where the focus is, and return how many of its characters were put there."""
        if len(text) > MAX_KEYED_CHARS and "\n" not in text:
            await self._page.keyboard.insert_text(text)
            return len(text)
        try:
            if "\n" in text:
                return await self._insert_lines(element_ref, text)
            return await self._type_keys(element_ref, field, text)
        except InvalidInput:  # it was drawn again, and nothing was put there
            if _takes_text(field):
                return 0
            raise

    async def _type_keys(self, element_ref: ElementRef, field: Field, text: str) -> int:
        """Type as on a keyboard; stop where the page takes the focus away, for then keys are shortcuts of the page."""
        from playwright.async_api import Error

        keyboard = self._page.keyboard
        process, handle = await self._locator.resolve(element_ref)
        for position, character in enumerate(text):
            if (position or field["value"]) and _takes_text(field):
                try:
                    focused = await process.call(handle, scripts.FOCUSED)
                except Error:  # the document has been left
                    return position
                if not focused["takes"] or focused["stopped"]:
                    return max(0, position - int(focused["stopped"]))
            if _KEYS.fullmatch(character):
                await keyboard.type(character)
            else:
                await keyboard.insert_text(character)
        try:
            return max(0, len(text) - int((await process.call(handle, scripts.FOCUSED))["stopped"]))
        except Error:
            return len(text)

    async def _insert_lines(self, element_ref: ElementRef, text: str) -> int:
        """Insert text of several lines where the focus is, without any key but that of its last character."""
        focused = await self._locator.call(element_ref, scripts.FOCUSED)
        keyboard = self._page.keyboard
        if focused["editable"]:
            if not await self._locator.call(element_ref, scripts.PASTE, text):
                await keyboard.insert_text(text)
        elif focused["tag"] == "textarea":
            # Counters and the like look at the value when a key is released.
            last = text[-1] if _KEYS.fullmatch(text[-1]) else ""
            inserted = text.removesuffix(last)
            if not await self._locator.call(element_ref, scripts.INSERT, inserted):
                await keyboard.insert_text(inserted)
            if last:
                if not await self.has_focus(element_ref):
                    return len(inserted)
                await keyboard.press(last)
        else:
            await keyboard.insert_text(text)
        return len(text)

    async def _check(self, element_ref: ElementRef, field: Field, text: str, *, clear: bool) -> list[Notice]:
        """Compare the value of the field with `text`, once the page has had time to show it."""
        from playwright.async_api import Error

        if not _takes_text(field):
            return []
        difference = gone = f"{element_ref.label} disappeared when the text was typed"
        for _ in range(_CHECKS):
            try:
                current = await self.field(element_ref)
            except Error:
                break  # the document has been left
            except InvalidInput:
                difference = gone
            else:
                if holds_text(current, text, clear=clear):
                    return []
                difference = _difference(element_ref, str(current["value"]), text)
            await anyio.sleep(_CHECK_STEP_S)
        return [Notice("text_differs", difference)]

    async def field(self, element_ref: ElementRef) -> Field:
        """Return the state of a field, or of the one that the page has drawn in its place.

        Raises:
            InvalidInput: it has vanished.
        """
        try:
            field: Field = await self._locator.call(element_ref, scripts.FIELD)
        except InvalidInput:
            if not await self._locator.follow(element_ref, scripts.REDRAWN):
                raise
            field = await self._locator.call(element_ref, scripts.FIELD)
        return field


def _takes_text(field: Field) -> bool:
    """Return whether an element takes text by itself; one with only the role of a text field may do so in any way."""
    return field["tag"] in {"input", "textarea"} or bool(field["editable"])


def _difference(element_ref: ElementRef, value: str, text: str) -> str:
    """Return the sizes alone: the field may hold a secret."""
    held_lines = len(_filled_lines(value).split("\n")) if value.strip() else 0
    lines = len(_filled_lines(text).split("\n")) if text.strip() else 0
    size = f"{count_of(len(value.strip()), 'character')} in {count_of(held_lines, 'line')}"
    return f"{element_ref.label} does not have the text that was typed: {size}, not {len(text.strip())} in {lines}"


def _removed(element_ref: ElementRef, count: int) -> Notice:
    breaks = count_of(count, "line break")
    return Notice("line_breaks_removed", f"{element_ref.label} holds a single line: {breaks} became spaces", count)
