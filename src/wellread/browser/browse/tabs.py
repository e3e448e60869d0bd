"""The pages of one session: new pages are followed, dialogs answered, downloads saved, and all of it is reported."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote, urlsplit

import anyio

from wellread.browser.browse.devtools_sessions import DevtoolsSessions
from wellread.browser.browse.settle import SettleMonitor
from wellread.browser.client_redirects import ClientRedirects
from wellread.browser.render.failed_requests import FailedRequests
from wellread.browser.render.renderer import note_main_response
from wellread.errors import InvalidInput, reason_line
from wellread.net.filenames import safe_name
from wellread.net.partial_file import reserved
from wellread.text.characters import on_one_line

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Dialog, Download, Page, Response

    from wellread.browser.browse.evidence import SessionEvidence
    from wellread.browser.tab import BrowserTab
    from wellread.sections import BrowseSettings

MAX_WINDOWS = 20
"""Windows opened between two snapshots, after which all scripts are stopped: more would drown the driver."""
MAX_UNASKED_TABS = 10
"""Tabs of a session, beyond which a page opens one for each click or key press, and none by itself."""
MAX_NEWS_LINES = 8
"""Dialogs and downloads each that one snapshot lists; further ones are counted."""
_OPENING_S = 2.0
_CLOSE_S = 1.0
_LOOK_S = 0.02
_BLANK = "about:blank"
_EMPTY = frozenset({"", _BLANK})
_PDF_SUFFIX = ".pdf"
_HTTP = ("http://", "https://")
_BLANK_MS = 700
_MESSAGE_CHARS = 300
ANSWERS: Final = ("accept", "dismiss")


class OpenTab(NamedTuple):
    """One page of the session."""

    tab: BrowserTab
    sessions: DevtoolsSessions
    monitor: SettleMonitor
    redirects: ClientRedirects
    failed_requests: FailedRequests
    documents: list[Response]
    """The answer that the page's document came with."""

    @property
    def status(self) -> int:
        """The HTTP status of the page's document; 0 where there is none."""
        if not self.documents:
            return 0
        return self.documents[-1].status


class Tabs:
    """All pages of a session; one of them is shown."""

    def __init__(self, tab: BrowserTab, settings: BrowseSettings, evidence: SessionEvidence | None = None) -> None:
        """Begin with one page. Questions are answered, and downloads kept, as the settings say."""
        self._evidence = evidence
        self.answer: str = settings.dialogs
        self.prompt = ""
        """What prompts are answered when they are accepted."""
        self._first = tab
        self._workspace = settings.workspace
        self._workspace_max_bytes = settings.workspace_max_bytes
        self._max_tabs = settings.tabs
        self._open_tabs: list[OpenTab] = []
        self._dialogs: list[str] = []
        self._downloads: list[str] = []
        self._downloading: dict[int, str] = {}
        """Names of the downloads that are under way."""
        self._reported_downloads: frozenset[int] = frozenset()
        """Those that the last snapshot lists as being under way."""
        self._pdf_urls: dict[int, str] = {}
        """By identity of the page: the PDF document that a tab was opened for, where the browser cannot show it."""
        self._latest_pdf_url = ""
        """Of the download of a PDF document since the last click or key press."""
        self._downloads_done = anyio.Event()
        """Set when the last of them has ended."""
        self._announced = 0
        """Windows that a page asked for, and that are not there yet: on a busy machine that takes its time."""
        self._opening = self._joining = 0
        self._windows = 0
        """Opened since the last snapshot."""
        self._may_open = False
        """A step clicked or pressed a key, and no tab beyond MAX_UNASKED_TABS has opened since."""
        self.stopped = False
        """Scripts were stopped, for they opened window after window."""
        self._has_switched = False
        self._add(tab)
        self.current = self._open_tabs[0]
        self._hung: OpenTab | None = None
        """A page that was given up, and is still in the list."""
        if not tab.is_shared:
            tab.context.on("page", self._on_page)
            if evidence is not None:
                evidence.follow_all(tab.context)

    # ------------------------------------------------------------------------------------------------- pages

    def _add(self, tab: BrowserTab) -> None:
        page = tab.page
        page.on("dialog", self._answer)
        page.on("download", self._save)
        page.on("close", self._on_close)
        if tab.is_shared:  # others open pages in this context, too: only those that ours open are followed
            page.on("popup", self._on_page)
            if self._evidence is not None:
                self._evidence.follow(page)
        tab.devtools.on("Page.windowOpen", self._announce)
        documents: list[Response] = []
        page.on("response", lambda response: note_main_response(documents, response, tab))
        wire = DevtoolsSessions(page, tab.context, tab.devtools)
        redirects = ClientRedirects(tab.devtools)
        self._open_tabs.append(OpenTab(tab, wire, SettleMonitor(tab), redirects, FailedRequests(tab), documents))

    def _announce(self, _: object) -> None:
        self._announced += 1

    async def _on_page(self, page: Page) -> None:
        """Follow a page that the session opened."""
        from playwright.async_api import Error

        self._announced = max(self._announced - 1, 0)
        self._opening += 1
        self._windows += 1
        with suppress(Error):  # it is gone already
            if self._windows > MAX_WINDOWS and not self.stopped:
                await self._stop()
            await self._follow(page)
        self._opening -= 1

    async def _stop(self) -> None:
        """Stop the scripts of all pages, and show the first of them again."""
        self.stopped = True
        self.current = self._open_tabs[0]
        self._has_switched = True
        for open_tab in self._open_tabs:
            await open_tab.tab.devtools.send("Emulation.setScriptExecutionDisabled", {"value": True})

    async def resume(self) -> None:
        """Leave a page whose scripts were stopped, and let the next one run its own."""
        if self.stopped:
            await self.current.tab.page.goto(_BLANK)
            await self.current.tab.devtools.send("Emulation.setScriptExecutionDisabled", {"value": False})
            self.stopped = False
            self._windows = 0

    def act(self) -> None:
        """Note that a step clicks or presses a key, which may open a tab."""
        self._may_open = True
        self._latest_pdf_url = ""

    async def _follow(self, page: Page) -> None:
        if any(open_tab.tab.page is page for open_tab in self._open_tabs):
            return
        count = len(self._open_tabs) + self._joining
        if count >= self._max_tabs or self.stopped:
            await page.close()
            line = f"a further tab was closed: {self._max_tabs} are open (browse.tabs); close tabs that you do not need"
            self._note(self._dialogs, line)
            return
        if count >= MAX_UNASKED_TABS:
            if not self._may_open:
                await page.close()
                self._note(self._dialogs, f"a tab that the page opened by itself was closed: {count} are open")
                return
            self._may_open = False
        self._joining += 1
        try:
            await self._join(page)
        finally:
            self._joining -= 1

    async def _join(self, page: Page) -> None:
        from playwright.async_api import TimeoutError as TooLate

        devtools = await page.context.new_cdp_session(page)
        await devtools.send("Page.enable")
        with suppress(TooLate):  # a window that stays empty until its opener writes into it
            await page.wait_for_url(lambda url: url != _BLANK, wait_until="commit", timeout=_BLANK_MS)
        if self.stopped:
            await page.close()
            return
        if page.url in _EMPTY and self._latest_pdf_url:
            self._pdf_urls[id(page)] = self._latest_pdf_url
        page.on("crash", lambda _: self._first.on_crash())
        self._add(replace(self._first, page=page, devtools=devtools))
        self.current = self._open_tabs[-1]
        self._has_switched = True

    async def opened(self) -> None:
        """Wait until pages that are being opened can be shown."""
        with anyio.move_on_after(_OPENING_S):
            while True:
                if not self._opening and not self._announced:
                    break
                await anyio.sleep(_LOOK_S)
        self._announced = 0  # what was blocked never comes

    def has_switched(self) -> bool:
        """Return whether another page is shown than at the last call."""
        followed, self._has_switched = self._has_switched, False
        return followed

    def _on_close(self, page: Page) -> None:
        was_shown = self.current.tab.page is page
        self._pdf_urls.pop(id(page), None)
        remaining = [open_tab for open_tab in self._open_tabs if open_tab.tab.page is not page]
        if remaining:
            self._open_tabs = remaining
            if was_shown:
                self.current = remaining[-1]
                self._has_switched = True

    def switch(self, number: int) -> None:
        """Show another page, counted from 1.

        Raises:
            InvalidInput: there is none of that number.
        """
        if not 1 <= number <= len(self._open_tabs):
            raise InvalidInput(f"there is no tab {number}; {len(self._open_tabs)} are open")
        self.current = self._open_tabs[number - 1]

    async def close(self, number: int) -> None:
        """Close a page, counted from 1; if it was shown, the last of the others is.

        Raises:
            InvalidInput: there is none of that number, or no other.
        """
        if not 1 <= number <= len(self._open_tabs):
            raise InvalidInput(f"there is no tab {number}; {len(self._open_tabs)} are open")
        if len(self._open_tabs) == 1:
            raise InvalidInput("the only tab cannot be closed", hint="close the session, or go to another page")
        page = self._open_tabs[number - 1].tab.page
        await page.close()
        self._on_close(page)

    async def give_up(self) -> None:
        """End the process of the page that is shown, which does not react; `reopen` shows another page."""
        self._first.expects_crash = True
        self._hung = self.current
        await self._hung.tab.end_process()

    async def reopen(self) -> None:
        """Show another page in place of one that was given up; cookies and logins stay."""
        hung, self._hung = self._hung, None
        if hung is None:
            return
        if len(self._open_tabs) == 1:
            await self._follow(await hung.tab.context.new_page())
        self._first.expects_crash = False
        page = hung.tab.page
        self._on_close(page)
        with anyio.move_on_after(_CLOSE_S), suppress(Exception):  # whatever it says, it is given up
            await page.close()

    def pdf_url(self, open_tab: OpenTab) -> str:
        """Return the address of the PDF document that a tab shows, or was opened for; empty if there is none."""
        page = open_tab.tab.page
        if page.url in _EMPTY:
            return self._pdf_urls.get(id(page), "")
        document = open_tab.documents[-1] if open_tab.documents else None
        if document is None or document.url != page.url.partition("#")[0]:
            return ""
        content_type = document.headers.get("content-type", "").partition(";")[0].strip().lower()
        return page.url if content_type == "application/pdf" else ""

    async def listing(self) -> tuple[str, ...]:
        """Return title and address of every page, none where there is but one."""
        from playwright.async_api import Error

        if len(self._open_tabs) < 2:
            return ()
        lines = []
        for number, open_tab in enumerate(self._open_tabs, 1):
            title = ""
            with suppress(Error), anyio.move_on_after(0.5):
                title = on_one_line(await open_tab.tab.page.title())[:100]
            url = self.pdf_url(open_tab)
            if url:
                title = f"PDF document {url_file_name(url)}"
            mark = "*" if open_tab is self.current else " "
            lines.append(f"{mark} {number} {title or 'untitled'} {(url or open_tab.tab.page.url)[:200]}")
        return tuple(lines)

    # --------------------------------------------------------------------------------- dialogs and downloads

    async def _answer(self, dialog: Dialog) -> None:
        from playwright.async_api import Error

        accepts = dialog.type in {"alert", "beforeunload"} or self.answer == "accept"
        message = on_one_line(dialog.message)[:_MESSAGE_CHARS]
        outcome = "accepted" if accepts else "dismissed"
        self._note(self._dialogs, f'{dialog.type}: "{message}" was {outcome}')
        with suppress(Error):  # the page is gone, and the dialog with it
            await (dialog.accept(self.prompt) if accepts else dialog.dismiss())

    async def _save(self, download: Download) -> None:
        name = safe_name(download.suggested_filename) or "download"
        if name.lower().endswith(_PDF_SUFFIX) and download.url.startswith(_HTTP):
            self._latest_pdf_url = download.url
        if not self._downloading:
            self._downloads_done = anyio.Event()
        self._downloading[id(download)] = name
        try:
            await self._save_to_workspace(download, name)
        finally:
            del self._downloading[id(download)]
            if not self._downloading:
                self._downloads_done.set()

    async def _save_to_workspace(self, download: Download, name: str) -> None:
        """Save a download in the workspace, and note the result."""
        from playwright.async_api import Error

        if self._workspace is None:
            with suppress(Error):
                await download.cancel()
            line = f"{name} was not saved, because browse.workspace is not set"
            if name.lower().endswith(_PDF_SUFFIX) and download.url.startswith(_HTTP):
                line += f"; read the document at {download.url[:300]}"
            self._note(self._downloads, line)
            return
        try:
            self._workspace.mkdir(parents=True, exist_ok=True)
            path = reserved(self._workspace, name)
            try:
                await download.save_as(path)
            except Error:
                path.unlink(missing_ok=True)
                raise
            size, workspace_bytes = (
                path.stat().st_size,
                sum(file.lstat().st_size for file in self._workspace.iterdir()),
            )
            if workspace_bytes > self._workspace_max_bytes:
                path.unlink()
        except (Error, OSError) as error:
            self._note(self._downloads, f"{name} could not be saved: {reason_line(error)}")
            return
        if workspace_bytes > self._workspace_max_bytes:
            self._note(self._downloads, f"{name}, {size:,} bytes, was not saved, because the workspace is full")
        else:
            self._note(self._downloads, f"{path.name}, {size:,} bytes")

    async def downloaded(self, most_s: float) -> bool:
        """Wait until no download is under way; False when `most_s` passed first."""
        with anyio.move_on_after(most_s):
            if self._downloading:
                await self._downloads_done.wait()
        return not self._downloading

    def _note(self, lines: list[str], line: str) -> None:
        # Lines beyond the limit are counted, not kept.
        lines.append(line if len(lines) < MAX_NEWS_LINES else "")

    def has_news(self) -> bool:
        """Return whether something has happened that the last snapshot does not show."""
        is_opening = bool(self._announced or self._opening or self._has_switched)
        has_lines = bool(self._dialogs or self._downloads)
        return is_opening or has_lines or not self._reported_downloads.issuperset(self._downloading)

    def news(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the dialogs and the downloads since the last call, as lines."""
        loading = [f"{name} is being downloaded" for name in self._downloading.values()]
        news = _limited_lines(self._dialogs), _limited_lines([*self._downloads, *loading])
        self._reported_downloads = frozenset(self._downloading)
        self._dialogs.clear()
        self._downloads.clear()
        self._windows = 0
        return news


def url_file_name(url: str) -> str:
    """Return the last part of the path of a URL, for a title."""
    return on_one_line(unquote(urlsplit(url).path.rpartition("/")[2]))[:100] or "document"


def _limited_lines(lines: list[str]) -> tuple[str, ...]:
    more_count = len(lines) - MAX_NEWS_LINES
    if more_count <= 0:
        return tuple(lines)
    return (*lines[:MAX_NEWS_LINES], f"and {more_count} more")


def workspace_file(workspace: Path | None, name: str) -> Path:
    """Return a file of the workspace.

    Raises:
        InvalidInput: there is no workspace, or no such file in it, or the name leads out of it.
    """
    if workspace is None:
        raise InvalidInput("file uploads are not allowed", hint="set browse.workspace to the folder of the files")
    if "\0" in name:
        raise InvalidInput("a file name cannot contain a zero character", hint="use a file in browse.workspace")
    root = workspace.resolve()
    path = (root / name).resolve()
    if not path.is_relative_to(root):
        raise InvalidInput(f"{name[:200]!r} is outside the workspace", hint="use a file in browse.workspace")
    if not path.is_file():
        raise InvalidInput(f"{name[:200]!r} is not in the workspace", hint="use a file in browse.workspace")
    return path
