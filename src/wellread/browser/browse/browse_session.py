"""A tab that is driven step by step: each step ends with a snapshot of the page."""

from __future__ import annotations

from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import anyio

from wellread.browser.browse import capture, evaluation, scripts
from wellread.browser.browse.element_index import (
    ElementIndex,
    build_view,
    covered_controls,
    has_text,
)
from wellread.browser.browse.element_locator import ElementLocator
from wellread.browser.browse.page_actions import DEFAULT_VIEWPORT, MouseClick, PageActions, check_modifiers
from wellread.browser.browse.selector_matching import matching
from wellread.browser.browse.settle import EARLY_MS, HOVER_LATE_S, LATE_S, STILL_MS
from wellread.browser.browse.tabs import ANSWERS, Tabs, url_file_name, workspace_file
from wellread.browser.browse.targets import StepTarget, one_target
from wellread.browser.client_redirects import MAX_REDIRECTS
from wellread.browser.playwright_errors import is_between_documents, typed_error
from wellread.browser.render.probe import Probe
from wellread.browser.render.renderer import await_error_page, content_notices, navigate, network_notices, visible_page
from wellread.errors import BrowserFailed, InvalidInput, RefusedError, Timeout, WellreadError, reason_line
from wellread.net import https_first
from wellread.net.background_tasks import run_beside
from wellread.text.characters import on_one_line
from wellread.types import Notice, Request

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
    from pathlib import Path

    from playwright.async_api import FloatRect

    from wellread.browser.browse.element_index import ElementRef
    from wellread.browser.browse.evidence import SessionEvidence
    from wellread.browser.browse.tabs import OpenTab
    from wellread.browser.tab import BrowserTab
    from wellread.config import Settings
    from wellread.types import Page, PageSnapshot

    Reader = Callable[[str, str, tuple[Notice, ...]], Page]
    Permit = Callable[[Request], Awaitable[None]]

T = TypeVar("T")

_TRIES = 6
_REMADE_TRIES = 3
"""How often in one step an element that was re-rendered is looked for."""
_DOWNLOAD_S = 1.0
"""How long a step waits for its downloads to end; longer ones go on in the background."""
_PING_S = 1.0
_FEW_CHARS = 300
"""A page with less text may wait for a service worker that it does not get."""
_LOOK_S = 0.25
"""How often the whole snapshot is searched for the awaited text or element."""
_AGAIN_S = 0.1
_MIN_SETTLE_S = 0.25
"""How long a late change may take at least to show, where a step has used up its time."""
_MAX_EARLY_S = 0.1
"""Snapshots that take longer are taken once, when the page is at rest."""
_OPTIONS = frozenset({"option", "menuitem", "menuitemradio", "treeitem", "radio", "tab", "clickable", "link", "button"})
_OPENS_NOTHING = frozenset({"link", "checkbox", "radio", "switch", "file", "option", "media"})
"""Roles of elements whose click leaves the page or changes a value, rather than opening a list."""
_SCREEN = 0.85
_PAPER: FloatRect = {"x": 0, "y": 0, "width": 4_000, "height": 8_000}
"""The largest part of a page in a screenshot, in CSS pixels; pages have no limit of height."""
MAX_SCROLL = 100.0
"""Screens at a time."""


class SessionDependencies(NamedTuple):
    """The dependencies of a session."""

    permit: Permit
    """Raises the refusal of the guard or of robots.txt."""
    read: Reader
    """Reads HTML with its address and notices into a page."""
    read_url: Callable[[str], Awaitable[Page]]
    """Reads a document by its address, in the way of every read: without the browser's cookies."""


class BrowseSession:
    """One tab, from `Web.browse` until its block ends. Elements are named by the numbers of the last snapshot.

    Every step returns the snapshot after it, and raises InvalidInput where the element has vanished or is covered:
    then nothing was done. Timeout and BrowserFailed are raised as by a read.
    """

    def __init__(
        self,
        tab: BrowserTab,
        settings: Settings,
        dependencies: SessionDependencies,
        evidence: SessionEvidence | None = None,
    ) -> None:
        """Take the tab, and the evidence to record if any; nothing is opened."""
        self._settings = settings
        self._dependencies = dependencies
        self._evidence = evidence
        self._tabs = Tabs(tab, settings.browse, evidence)
        self._element_index = ElementIndex()
        self._locator = ElementLocator()
        self._step_lock = anyio.Lock()
        """One step at a time, for all callers."""
        self._last_snapshot: PageSnapshot | None = None
        self._acted_on = ""
        """The element that the current step acts on, for the evidence."""
        self._suggesting_index = 0
        """The field whose suggestions the current step waits for; its own value is no answer of the page."""
        self._is_hung = False
        """The page did not react at the end of the last step."""
        self._is_one_tree = False
        """All changes of the page can be seen from its document, by the last snapshot."""
        self._snapshot_s = 0.0
        """How long the last snapshot took."""

    @property
    def snapshot(self) -> PageSnapshot:
        """The last snapshot of the tab.

        Raises:
            InvalidInput: nothing was opened yet.
        """
        if self._last_snapshot is None:
            raise InvalidInput("no page is open", hint="open a page first")
        return self._last_snapshot

    @property
    def document(self) -> str:
        """Which document the numbers belong to; another one after each navigation."""
        return self._element_index.document

    @property
    def lines(self) -> tuple[str, ...]:
        """All lines of the last snapshot, of all its pages, in document order."""
        return self._element_index.lines

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
        is_first = True
        for attempt in https_first.attempts(url):
            with attempt:
                await self._dependencies.permit(Request(url=attempt.url, user_asked=user_asked))
                async with self._step("open", self._settings.render.max_wait_s):
                    await self._tabs.resume()
                    if not is_first:
                        await await_error_page(self._tabs.current.tab)
                    is_first = False
                    await navigate(self._tabs.current.tab, attempt.url)
                break
        return self.snapshot

    async def back(self) -> PageSnapshot:
        """Go back in the tab's history.

        Raises:
            InvalidInput: there is nothing to go back to.
        """
        async with self._step("back", self._settings.render.max_wait_s):
            page = self._tabs.current.tab.page
            before = page.url
            answer = await page.go_back(wait_until="commit", timeout=self._settings.browser.timeout_s * 1000)
            if answer is None and page.url == before:
                raise InvalidInput("there is no earlier page")
        return self.snapshot

    async def switch(self, number: int) -> PageSnapshot:
        """Show another tab, by its number in `snapshot.tabs`."""
        async with self._step("tab"):
            self._tabs.switch(number)
        return self.snapshot

    async def close_tab(self, number: int) -> PageSnapshot:
        """Close a tab, by its number in `snapshot.tabs`.

        Raises:
            InvalidInput: there is none of that number, or it is the only one.
        """
        async with self._step("close-tab"):
            await self._tabs.close(number)
        return self.snapshot

    async def scroll(self, down: float = 1.0, *, right: float = 0.0, index: int | None = None) -> PageSnapshot:
        """Scroll by screens, up or left below 0; within element `index` where one is given."""
        if max(abs(down), abs(right)) > MAX_SCROLL:
            raise InvalidInput(f"one step scrolls at most {MAX_SCROLL:g} screens")
        async with self._step("scroll"):
            if index is None:
                await self._scroll(down, right)
            else:
                await self._act_on(StepTarget(index), lambda element_ref: self._scroll(down, right, element_ref))
        return self.snapshot

    async def _scroll(self, down: float, right: float, element_ref: ElementRef | None = None) -> None:
        size = self._tabs.current.tab.page.viewport_size or DEFAULT_VIEWPORT
        width, height = size["width"], size["height"]
        if element_ref is not None:
            box_width, box_height = await self._locator.call(element_ref, scripts.SCROLLED_BOX)
            width, height = min(width, box_width), min(height, box_height)
        await self._actions().scroll(right * width * _SCREEN, down * height * _SCREEN, element_ref)

    async def wait(
        self,
        *,
        selector: str | None = None,
        text: str | None = None,
        gone: bool = False,
        download: bool = False,
        timeout_s: float | None = None,
    ) -> PageSnapshot:
        """Wait until an element or a text is there, in any frame; with `gone`, until it is no longer.

        `download` waits until no download is under way. Without any, until the page has come to rest.

        Raises:
            Timeout: it did not come within `timeout_s` (default `browser.timeout_s`).
            InvalidInput: the selector is none.
        """
        most_s = min(timeout_s or self._settings.browser.timeout_s, 60.0)
        async with self._step("wait", extra_s=most_s):
            if selector or text:
                await self._await_words(selector or "", text or "", gone=gone, most_s=most_s)
            if download and not await self._tabs.downloaded(most_s):
                raise Timeout(f"a download did not finish within {most_s:g} s", hint="repeat the step `wait download`")
        return self.snapshot

    async def _await_words(self, selector: str, text: str, *, gone: bool, most_s: float) -> None:
        monitor = self._tabs.current.monitor
        with anyio.move_on_after(most_s):
            while True:
                if not gone and await monitor.is_present(selector=selector, text=text):
                    return
                began = anyio.current_time()
                if await self._is_shown(selector, text) != gone:
                    return
                await monitor.changes(max(_LOOK_S, 2 * (anyio.current_time() - began)))
        target = (selector or text)[:200]
        negation = "still" if gone else "not"
        raise Timeout(f"{target!r} was {negation} on the page within {most_s:g} s", hint="")

    async def _is_shown(self, selector: str, text: str) -> bool:
        """Look for an element or a text in all that a snapshot shows: frames of any origin, closed shadow trees."""
        from playwright.async_api import Error

        try:
            captured = await capture.capture_page(self._tabs.current.sessions)
            if selector:
                return bool(await matching(captured, selector))
            page_view = await anyio.to_thread.run_sync(build_view, captured.state)
        except Error as error:
            if self._tabs.current.tab.page.is_closed() or not is_between_documents(error):
                raise
            return False
        return has_text(page_view, text)

    # -------------------------------------------------------------------------------------------- elements

    async def click(
        self,
        index: int | None = None,
        *,
        button: str = "left",
        count: int = 1,
        modifiers: Sequence[str] = (),
        words: str | None = None,
        selector: str | None = None,
        point: tuple[float, float] | None = None,
    ) -> PageSnapshot:
        """Click element `index`, or the one found by its `words` or a CSS `selector`, or a `point` of the screenshot.

        `button` is left, right or middle, `count` 2 for a double click. `modifiers` are keys held meanwhile: Control,
        Shift, Alt, Meta.

        Raises:
            InvalidInput: nothing has these words or fits this selector, or several things do.
        """
        press = MouseClick(button, min(max(count, 1), 3), check_modifiers(modifiers))
        target = one_target(StepTarget(index, words, selector, point))
        notices: list[Notice] = []
        async with self._step("click", late_s=LATE_S):
            if point is not None:
                self._tabs.act()
                await self._actions().click_point(point, await self._screenshot_scale(), press)
            else:
                notices = await self._act_on(target, lambda element_ref: self._actions().click(element_ref, press))
        return self._with_notices(notices)

    async def type(
        self,
        index: int | None,
        text: str,
        *,
        submit: bool = False,
        clear: bool = True,
        words: str | None = None,
        selector: str | None = None,
    ) -> PageSnapshot:
        """Put `text` into field `index`, replacing its value unless `clear` is false.

        Without an index, the field is found by its `words` or by a CSS `selector`. Line breaks are inserted. Enter is
        pressed only with `submit`, once, after the text. The notices say when the field does not hold the text as
        given, or when Enter was not pressed.
        """
        target = one_target(StepTarget(index, words, selector))
        async with self._step("type", late_s=LATE_S, extra_s=self._settings.browser.timeout_s):
            entered = await self._act_on(
                target, lambda element_ref: self._enter(element_ref, text, clear=clear, submit=submit)
            )
        return self._with_notices(entered)

    async def _enter(self, element_ref: ElementRef, text: str, *, clear: bool, submit: bool) -> list[Notice]:
        if self._evidence is not None and element_ref.element.role == "password":
            self._evidence.mask.add(text)
        if not submit and await self._locator.call(element_ref, scripts.SUGGESTS):
            self._suggesting_index = element_ref.number
        return await self._actions().type(element_ref, text, clear=clear, submit=submit)

    def _with_notices(self, notices: Sequence[Notice]) -> PageSnapshot:
        self._last_snapshot = replace(self.snapshot, notices=(*notices, *self.snapshot.notices))
        return self.snapshot

    async def select(
        self, index: int | None, option: str, *, words: str | None = None, selector: str | None = None
    ) -> PageSnapshot:
        """Choose an option by its label or value, in a native select or in a list that a click opens.

        Without an index, the element is found by its `words` or by a CSS `selector`.
        """
        target = one_target(StepTarget(index, words, selector))
        async with self._step("select"):
            number = await self._act_on(target, lambda element_ref: self._choose_natively(element_ref, option))
        if number is not None:
            await self._choose_shown(self._element_index.element_ref(number), option)
        return self.snapshot

    async def _choose_natively(self, element_ref: ElementRef, option: str) -> int | None:
        """Choose an option in a native select; return the number of an element that is none."""
        if await self._actions().choose(element_ref, option):
            return None
        return element_ref.number

    async def _choose_shown(self, element_ref: ElementRef, option: str) -> None:
        """Choose among the options that are shown, else among the options that a click on the element shows."""
        match = self._other_element(element_ref, option)
        if match is None:
            if element_ref.element.role in _OPENS_NOTHING and "collapsed" not in element_ref.element.state:
                raise InvalidInput(
                    f"{element_ref.description} has no options", hint="check the snapshot, or click the element"
                )
            async with self._step("select", until=lambda: self._other_element(element_ref, option) is not None):
                await self._actions().click(element_ref)
            match = self._other_element(element_ref, option)
        if match is None:
            raise InvalidInput(
                f'{element_ref.description} shows no option "{option[:80]}"',
                hint="check the snapshot, then click the option",
            )
        async with self._step("select"):
            await self._actions().click(match)

    def _other_element(self, element_ref: ElementRef, option: str) -> ElementRef | None:
        return next(
            (
                candidate
                for candidate in self._element_index.by_name(option, _OPTIONS)
                if candidate.number != element_ref.number
            ),
            None,
        )

    async def hover(
        self,
        index: int | None = None,
        *,
        words: str | None = None,
        selector: str | None = None,
        point: tuple[float, float] | None = None,
    ) -> PageSnapshot:
        """Move the pointer onto element `index`, as menus want that open by it; or as `click` finds it."""
        target = one_target(StepTarget(index, words, selector, point))
        async with self._step("hover", late_s=HOVER_LATE_S):
            if point is not None:
                await self._actions().hover_point(point, await self._screenshot_scale())
            else:
                await self._act_on(target, lambda element_ref: self._actions().hover(element_ref))
        return self.snapshot

    async def drag(self, index: int, to: int | None = None, *, dx: float = 0.0, dy: float = 0.0) -> PageSnapshot:
        """Drag element `index` onto element `to`, or by `dx` and `dy` pixels."""
        async with self._step("drag"):
            target = (dx, dy) if to is None else self._element_index.element_ref(to)
            await self._act_on(StepTarget(index), lambda element_ref: self._actions().drag(element_ref, target))
        return self.snapshot

    async def upload(self, index: int, *names: str) -> PageSnapshot:
        """Choose files of the workspace (`browse.workspace`) in file field `index`, or drop them where that is a zone.

        Raises:
            InvalidInput: it asks for no file, and nothing listens there for files that are dropped.
        """
        files = [workspace_file(self._settings.browse.workspace, name) for name in names]
        async with self._step("upload"):
            await self._act_on(StepTarget(index), lambda element_ref: self._actions().upload(element_ref, files))
        return self.snapshot

    async def drop(self, index: int, *names: str) -> PageSnapshot:
        """Drop files of the workspace (`browse.workspace`) on element `index`."""
        files = [workspace_file(self._settings.browse.workspace, name) for name in names]
        async with self._step("drop"):
            await self._act_on(StepTarget(index), lambda element_ref: self._actions().drop(element_ref, files))
        return self.snapshot

    async def press(self, key: str) -> PageSnapshot:
        """Press a key: Enter, Escape, ArrowDown, a, or with others held: Control+A.

        Raises:
            InvalidInput: there is no such key.
        """
        from playwright.async_api import Error

        async with self._step("press"):
            self._tabs.act()
            try:
                await self._tabs.current.tab.page.keyboard.press(_as_typed(key))
            except Error as error:
                if "Unknown key" not in str(error):
                    raise
                raise InvalidInput(
                    f"there is no key {key[:40]!r}", hint="use names such as Enter, Tab or Control+A"
                ) from error
        return self.snapshot

    def answer(self, how: str, *, prompt: str = "") -> None:
        """Answer dialogs of the page from now on: accept or dismiss. `prompt` is the text for prompts.

        Raises:
            InvalidInput: it is neither.
        """
        if how not in ANSWERS:
            raise InvalidInput(f"{how[:40]!r} is not an answer", hint="use accept or dismiss")
        self._tabs.answer, self._tabs.prompt = how, prompt

    # --------------------------------------------------------------------------------------------- looking

    async def look(self) -> PageSnapshot:
        """Take a new snapshot, nothing done."""
        async with self._step("snapshot"):
            pass
        return self.snapshot

    async def find(self, pattern: str, *, regex: bool = False) -> PageSnapshot:
        """Return the lines of the whole page that have some words, or match a regular expression, with their elements.

        Raises:
            InvalidInput: the pattern is empty, too long, no regular expression, or one that takes too long.
        """
        await self.look()
        snapshot = self.snapshot
        matches = await anyio.to_thread.run_sync(partial(self._element_index.lines_with, pattern, regex=regex))
        return replace(matches, title=snapshot.title, tabs=snapshot.tabs, notices=snapshot.notices)

    async def evaluate(self, expression: str) -> object:
        """Run a JavaScript expression in the page that is shown, and return its value as JSON has it.

        Promises are awaited. The snapshot afterwards is in `snapshot`.

        Raises:
            RefusedError: `browser.evaluate` is off.
            InvalidInput: the expression fails, its value is too long, or the page returns no JSON.
        """
        if not self._settings.browser.evaluate:
            raise RefusedError("scripts of callers are not allowed in pages", hint="set browser.evaluate=true")
        async with self._step("evaluate"):
            self._tabs.act()
            return await evaluation.evaluated(self._tabs.current.tab.devtools, expression)

    def more(self, page: int) -> PageSnapshot:
        """Return a further page of the last snapshot; its elements are acted on alike.

        Raises:
            InvalidInput: there is no such page.
        """
        last_snapshot = self.snapshot
        page_snapshot = self._element_index.snapshot(page)
        self._last_snapshot = replace(
            page_snapshot, title=last_snapshot.title, tabs=last_snapshot.tabs, notices=last_snapshot.notices
        )
        return self._last_snapshot

    async def screenshot(self, path: Path | None = None, *, full: bool = False) -> bytes:
        """Return a picture of the window, or of the page down to 8,000 pixels, as PNG; `path` keeps it too.

        Raises:
            InvalidInput: `path` does not end with .png, or cannot be written.
        """
        if path is not None and path.suffix.lower() != ".png":
            raise InvalidInput(f"{path} does not end with .png", hint="screenshots are PNG files")
        async with self._step_lock, self._guarded():
            page = self._tabs.current.tab.page
            limit_ms = self._settings.browser.timeout_s * 1000
            picture = await page.screenshot(full_page=full, clip=_PAPER if full else None, timeout=limit_ms)
        if path is not None:
            try:
                await anyio.Path(path).write_bytes(picture)
            except OSError as error:
                raise InvalidInput(f"{path} cannot be written: {reason_line(error)}") from error
        return picture

    async def read(self) -> Page:
        """Read the page as it is now, as markdown. A PDF document is fetched and read without the browser.

        Raises:
            UnreadableError: there is nothing in it that can be read.
        """
        if pdf_url := self._tabs.pdf_url(self._tabs.current):
            return await self._dependencies.read_url(pdf_url)
        async with self._step_lock, self._guarded():
            ready = await self._settle(self._settings.browse.settle_s)
            open_tab = self._tabs.current
            tab = open_tab.tab
            written = await visible_page(tab, Probe(tab), field_values=True)
        notices = (
            *_status_notices(open_tab),
            *content_notices(written),
            *_notices(tab, ready=ready, stopped=self._tabs.stopped),
            *open_tab.failed_requests.notices(),
        )
        return await anyio.to_thread.run_sync(self._dependencies.read, written.html, tab.page.url, notices)

    # ---------------------------------------------------------------------------------------------- a step

    async def _screenshot_scale(self) -> float:
        """Return how many pixels a screenshot has for each CSS pixel of the page: 2 on a phone."""
        scale: float | None = await Probe(self._tabs.current.tab).evaluate("devicePixelRatio")
        return scale or 1.0

    def _actions(self) -> PageActions:
        return PageActions(self._tabs.current.tab.page, self._locator)

    async def finish(self) -> None:
        """Wait for downloads that are under way; called before the session is closed."""
        try:
            await self._tabs.downloaded(self._settings.browse.downloads_s)
        finally:
            if self._evidence is not None:
                self._evidence.close()

    async def _act_on(self, target: StepTarget, work: Callable[[ElementRef], Awaitable[T]]) -> T:
        """Act on a target; when the page has re-rendered it meanwhile, act on its replacement."""
        self._tabs.act()
        for _ in range(_REMADE_TRIES):
            element_ref = await self._element_ref(target)
            self._acted_on = element_ref.description
            try:
                return await work(element_ref)
            except InvalidInput as error:
                if (
                    error.element_state != "vanished"
                    or target.index is None
                    or not await self._recapture()
                    or not self._element_index.is_remade(element_ref)
                ):
                    raise
        return await work(await self._element_ref(target))

    async def _element_ref(self, target: StepTarget) -> ElementRef:
        if target.index is not None:
            return self._element_index.element_ref(target.index)
        ends = anyio.current_time() + LATE_S
        while True:
            try:
                return await self._find_now(target)
            except InvalidInput as error:
                if error.element_state != "missing" or anyio.current_time() > ends:
                    raise
            await anyio.sleep(_AGAIN_S)

    async def _find_now(self, target: StepTarget) -> ElementRef:
        captured = await self._recapture()
        if captured is None:
            raise InvalidInput("the page has loaded another document", hint="take a new snapshot first")
        if target.selector is not None:
            return self._element_index.by_selector(target.selector, await matching(captured, target.selector))
        return await anyio.to_thread.run_sync(self._element_index.by_words, target.words or "")

    async def _recapture(self) -> capture.CapturedPage | None:
        """Capture the page as it is now; None for another document, whose numbers were never shown."""
        return await self._capture(same_document=True)

    @asynccontextmanager
    async def _step(
        self,
        action: str,
        settle_s: float | None = None,
        *,
        extra_s: float = 0.0,
        late_s: float = 0.0,
        until: Callable[[], bool] | None = None,
    ) -> AsyncGenerator[None, None]:
        """Run the block, wait until the page shows its effect, and take the snapshot.

        `action` names the step in the evidence. `late_s`: look on so long where nothing but the focus has changed.
        `until`: look on until it is so.
        """
        async with self._step_lock, self._recorded(action), self._guarded(extra_s):
            self._element_index.begin()
            self._suggesting_index = 0
            self._locator.begin()
            self._tabs.current.monitor.reset()
            self._tabs.current.failed_requests.begin_step()
            yield
            began = anyio.current_time()
            if settle_s is not None:
                await self._show_effect(settle_s, is_opening=True)
            else:
                await self._show_effect_early()
            if late_s or until is not None:
                await self._await_late_changes(late_s, until, began)
            await self._tabs.current.tab.sign_in.checkpoint()

    @asynccontextmanager
    async def _recorded(self, action: str) -> AsyncGenerator[None, None]:
        """Record the step in the block as evidence, whether it fails or not."""
        evidence = self._evidence
        if evidence is None:
            yield
            return
        self._acted_on = ""
        failure: WellreadError | None = None
        try:
            yield
        except WellreadError as error:
            failure = error
        if not (isinstance(failure, BrowserFailed) and failure.is_lost):
            await evidence.record(
                self._tabs.current.tab.page,
                action,
                element=self._acted_on,
                snapshot=self._last_snapshot,
                error=failure,
                shows_secret=self._shows_secret(evidence),
            )
        if failure is not None:
            raise failure

    def _shows_secret(self, evidence: SessionEvidence) -> bool:
        """Return whether the page shows a typed secret, or the value of a field that was masked before."""
        revealed_values = self._element_index.revealed_values()
        for field_value in revealed_values:
            evidence.mask.add(field_value)
        return bool(revealed_values) or any(self._element_index.shows(text) for text in evidence.mask.secrets)

    async def _follow_redirects(self, *, ready: bool) -> bool:
        """Follow the redirects that the page announces, and wait for where they lead."""
        limit_s = self._settings.render.max_wait_s
        for _ in range(MAX_REDIRECTS):
            open_tab = self._tabs.current
            if self._tabs.stopped or not await open_tab.redirects.followed(open_tab.tab.page, limit_s):
                break
            ready = await self._settle(limit_s, is_opening=True)
        return ready

    async def _show_effect(self, most_s: float, *, is_opening: bool = False, still_ms: int = STILL_MS) -> bool:
        """Wait until the page shows the effect of a step, and take the snapshot; return whether the page was ready."""
        ready = await self._settle(most_s, is_opening=is_opening, still_ms=still_ms)
        await self._tabs.opened()
        if self._tabs.has_switched():
            ready = await self._settle(self._settings.render.max_wait_s, is_opening=True)
        ready = await self._follow_redirects(ready=ready)
        await self._tabs.downloaded(_DOWNLOAD_S)
        began = anyio.current_time()
        await self._take_snapshot(ready=ready)
        self._snapshot_s = anyio.current_time() - began
        return ready

    async def _show_effect_early(self) -> None:
        """Take the snapshot within the time that the page must be still, and again if it was not.

        Where changes cannot all be seen, or a snapshot takes long, one is taken after that time. Both together wait
        for `settle_s` at most.
        """
        left_s = self._settings.browse.settle_s
        if self._is_one_tree and self._snapshot_s <= _MAX_EARLY_S:
            ends = anyio.current_time() + left_s
            if not await self._show_effect(left_s, still_ms=EARLY_MS) or await self._is_at_rest():
                return
            left_s = ends - anyio.current_time()
        if left_s > 0:
            await self._show_effect(left_s)

    async def _is_at_rest(self) -> bool:
        """Return whether the page is as the snapshot shows it once it has been still."""
        open_tab = self._tabs.current
        if not self._is_one_tree or open_tab.redirects.pending(open_tab.tab.page) is not None:
            return False
        is_at_rest = self._tabs.stopped or await open_tab.monitor.is_at_rest()
        return is_at_rest and not self._tabs.has_news()

    async def _await_late_changes(self, late_s: float, until: Callable[[], bool] | None, began: float) -> None:
        """Take further snapshots until late changes show: delayed menus, suggestions, routes that a timer changes.

        All of them wait for what is left of `settle_s` since the step `began` to show its effect, and of the time here.
        """
        settle_s = self._settings.browse.settle_s
        most_s = late_s if until is None else settle_s
        ends = anyio.current_time() + most_s
        settled_by = began + settle_s + most_s
        while not self._tabs.stopped and not self._has_reacted(until):
            left_s = ends - anyio.current_time()
            if left_s <= 0:
                return
            await self._tabs.current.monitor.changes(left_s)
            await self._show_effect(max(_MIN_SETTLE_S, settled_by - anyio.current_time()))

    def _has_reacted(self, until: Callable[[], bool] | None) -> bool:
        snapshot = self.snapshot
        if until is not None:
            return until()
        if snapshot.dialogs or snapshot.downloads:
            return True
        return not self._element_index.is_unchanged(self._suggesting_index)

    async def _settle(self, most_s: float, *, is_opening: bool = False, still_ms: int = STILL_MS) -> bool:
        """Wait until the page rests; without scripts it does, and nothing in it could tell."""
        return self._tabs.stopped or await self._tabs.current.monitor.settle(
            most_s, is_opening=is_opening, still_ms=still_ms
        )

    @asynccontextmanager
    async def _guarded(self, extra_s: float = 0.0) -> AsyncGenerator[None, None]:
        from playwright.async_api import Error

        limit_s = self._settings.browser.timeout_s + extra_s
        try:
            with anyio.fail_after(limit_s):
                async with run_beside(partial(self._check_hang, limit_s)):
                    await self._tabs.reopen()
                    yield
        except Error as error:
            raise typed_error(error, self._tabs.current.tab.page.url) from error
        except TimeoutError as error:
            watch = self._tabs.current.tab.running.watch
            if self._is_hung and not (watch is not None and watch.is_stalled):
                await self._tabs.give_up()
                message = f"the page did not react within {limit_s:g} s, so its tab was closed; the session continues"
                raise Timeout(message, hint="open a page in the session; you stay signed in") from error
            raise Timeout(f"the step did not finish within {limit_s:g} s", hint="raise browser.timeout_s") from error

    async def _check_hang(self, limit_s: float) -> None:
        """Note at the end of the time of a step whether the page reacts, which an endless script prevents."""
        from playwright.async_api import Error

        self._is_hung = False
        await anyio.sleep(limit_s - _PING_S)
        self._is_hung = True
        with suppress(Error):
            await self._tabs.current.tab.devtools.send("Runtime.evaluate", {"expression": "1"})
        self._is_hung = False

    async def _take_snapshot(self, *, ready: bool) -> None:
        open_tab = self._tabs.current
        for _ in range(_TRIES):
            captured = await self._capture()
            if captured is not None:
                break
            await anyio.sleep(_AGAIN_S)  # it is between two documents
        else:
            raise BrowserFailed("the page loads one document after another", url=open_tab.tab.page.url)
        dialogs, downloads = self._tabs.news()
        notices = [*_session_notices(open_tab, ready=ready, stopped=self._tabs.stopped)]
        if self._element_index.is_repeated():  # the same step looks on, and each of these is reported once
            dialogs, downloads = (*self.snapshot.dialogs, *dialogs), (*self.snapshot.downloads, *downloads)
            details = {notice.detail for notice in notices}
            refusals = [notice for notice in self.snapshot.notices if notice.code == "refused_requests"]
            notices += [notice for notice in refusals if notice.detail not in details]
        self._last_snapshot = replace(
            self._element_index.snapshot(),
            title=on_one_line(captured.title)[:300],
            dialogs=dialogs,
            downloads=downloads,
            tabs=await self._tabs.listing(),
            notices=tuple(notices),
        )
        if pdf_url := self._tabs.pdf_url(open_tab):
            title = f"PDF document {url_file_name(pdf_url)}"
            self._last_snapshot = replace(self.snapshot, url=pdf_url, title=title)
            self._with_notices([Notice("pdf_document", "the tab shows a PDF document; read the page for its text")])
        if captured.wants_service_worker and len(self.snapshot.content) < _FEW_CHARS:
            detail = "the page requested a service worker, which browser.service_workers does not allow"
            self._with_notices([Notice("no_service_worker", detail)])

    async def _capture(self, *, same_document: bool = False) -> capture.CapturedPage | None:
        from playwright.async_api import Error

        open_tab = self._tabs.current
        try:
            captured = await capture.capture_page(open_tab.sessions)
            page_process = captured.processes[0]
            if same_document and page_process.name != self._element_index.document:
                return None
            current_view = await anyio.to_thread.run_sync(build_view, captured.state)
            hits = await capture.hit_elements(page_process, current_view.points)
        except Error as error:
            if open_tab.tab.page.is_closed() or not is_between_documents(error):
                raise
            return None
        self._is_one_tree = captured.is_one_tree
        self._locator.take_processes({process.name: process for process in captured.processes})
        covered_ids = covered_controls(current_view, hits, page_process.name)
        self._element_index.replace(self._locator.replacements())
        self._element_index.update(current_view, covered_ids, url=open_tab.tab.page.url, document=page_process.name)
        return captured


def _as_typed(key: str) -> str:
    """Return a combination with its letter in lower case, as a keyboard sends it while Shift is up."""
    *modifiers, last = key.split("+")
    if not modifiers or len(last) != 1 or "Shift" in modifiers:
        return key
    return "+".join([*modifiers, last.lower()])


def _status_notices(open_tab: OpenTab) -> Iterator[Notice]:
    """Yield the notice of an error page."""
    if open_tab.status >= 400 and open_tab.status != 401:  # for which `auth_required` says more
        yield Notice("http_status", f"the server answered {open_tab.status}")


def _session_notices(open_tab: OpenTab, *, ready: bool, stopped: bool) -> Iterator[Notice]:
    yield from _status_notices(open_tab)
    yield from open_tab.redirects.notices(open_tab.tab.page)
    yield from open_tab.failed_requests.step_notices()
    yield from _notices(open_tab.tab, ready=ready, stopped=stopped)


def _notices(tab: BrowserTab, *, ready: bool, stopped: bool) -> list[Notice]:
    notices = []
    if stopped:
        notices.append(Notice("scripts_stopped", "the page opened too many windows, so its scripts were stopped"))
    if not ready:
        notices.append(Notice("still_loading", "the page was still loading when the snapshot was taken"))
    return [*notices, *tab.sign_in.notices(tab.page), *network_notices(tab)]
