"""Browser sessions that callers hold by a handle: opened, found again, closed after a time without a step."""

from __future__ import annotations

import math
import re
import secrets
from collections import OrderedDict
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

import anyio

from wellread.apps.profile_grants import ProfileGrants
from wellread.browser.browse.changes import ShownPage
from wellread.errors import (
    BrowserFailed,
    ConfigError,
    Gone,
    InvalidInput,
    RateLimited,
    RefusedError,
    WellreadError,
    WrongReplica,
)
from wellread.net.background_tasks import SharedContext, on_asyncio

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator
    from contextlib import AbstractAsyncContextManager
    from pathlib import Path
    from typing import Unpack

    from wellread.apps.profile_grants import Caller
    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.browser.emulation import Emulation
    from wellread.sections import ServerSettings
    from wellread.types import PageSnapshot

    class Browse(Protocol):
        """A function that opens a page in the browser, as `Web.browse` does."""

        def __call__(
            self,
            url: str,
            /,
            *,
            profile: str | None = None,
            evidence: Path | None = None,
            **emulation: Unpack[Emulation],
        ) -> AbstractAsyncContextManager[BrowseSession]:
            """Open `url`, signed in with the data of `profile`."""


_REPLICA = re.compile(r"[A-Za-z0-9-]{1,24}")
HANDLE_BYTES = 8
"""64 random bits, which cannot be guessed over a network: OWASP Session Management Cheat Sheet."""
_HANDLE = re.compile(rf"tab_({_REPLICA.pattern})_[0-9a-f]{{{2 * HANDLE_BYTES}}}")
REMEMBERED = 1_000
"""Sessions that are over, of which it is still known why."""
_LOSS_S = 5.0
"""How long the end of a session may take whose browser was lost."""


@dataclass(slots=True, eq=False)
class _OpenSession:
    held_tab: SharedContext[BrowseSession]
    caller: str | None
    tab: BrowseSession | None = None
    text: str = ""
    """The page as it was last read, so that its further pieces fit the first."""
    shown: ShownPage = field(default_factory=ShownPage)
    turn: anyio.Lock = field(default_factory=anyio.Lock)


class _EndedSession(NamedTuple):
    caller: str | None
    why: str


class EvidenceStore(NamedTuple):
    """The folder in which callers may have their sessions recorded, each in a folder of its own."""

    folder: Path | None
    max_bytes: int

    def new_folder(self) -> Path:
        """Return the path for the evidence of one session; its name says nothing of the session's handle.

        Raises:
            RefusedError: the owner set no folder, or it is full.
        """
        if self.folder is None:
            raise RefusedError("no evidence can be recorded here", hint="set browse.evidence to a folder")
        if sum(file.lstat().st_size for file in self.folder.rglob("*")) > self.max_bytes:
            hint = "delete old sessions there, or raise browse.evidence_max_bytes"
            raise RefusedError("the folder of browse.evidence is full", hint=hint)
        return self.folder / f"session-{secrets.token_hex(8)}"


class SessionStep(NamedTuple):
    """The tab and the session of one step."""

    tab: BrowseSession
    entry: _OpenSession

    @property
    def text(self) -> str:
        """The page as it was last read."""
        return self.entry.text

    def keep(self, text: str) -> None:
        """Keep the page's text for the pieces that follow."""
        self.entry.text = text

    def show(self, snapshot: PageSnapshot) -> None:
        """Remember that the caller is shown a whole snapshot."""
        self.entry.shown.show(snapshot, self.tab)

    def changed(self, snapshot: PageSnapshot) -> PageSnapshot | None:
        """Return the snapshot after a step with the changed lines alone; None where the caller needs all of it."""
        return self.entry.shown.after_step(snapshot, self.tab)


class Sessions:
    """All sessions of a server. A handle is random, and valid only for the caller that it was given to."""

    def __init__(
        self,
        browse: Browse,
        settings: ServerSettings,
        grants: ProfileGrants | None = None,
        *,
        evidence: EvidenceStore | None = None,
        replica: str | None = None,
    ) -> None:
        """Take the function that opens a page, and the profiles that callers may name; nothing is opened.

        `evidence` keeps the evidence of sessions whose callers ask for it. Handles contain the name of the `replica`.

        Raises:
            ConfigError: `replica` is not 1 to 24 letters, digits and hyphens.
        """
        if replica is not None and not _REPLICA.fullmatch(replica):
            raise ConfigError("shared.replica is not 1 to 24 letters, digits and hyphens")
        self._replica = replica
        self._browse = browse
        self._evidence = evidence or EvidenceStore(None, 0)
        self._grants = grants or ProfileGrants()
        self._limits = settings
        self._open: dict[str, _OpenSession] = {}
        self._over: OrderedDict[str, _EndedSession] = OrderedDict()

    def count(self) -> int:
        """Return the number of open sessions."""
        self._sweep()
        return len(self._open)

    async def open(
        self,
        url: str,
        caller: Caller,
        *,
        profile: str | None = None,
        evidence: bool = False,
        **emulation: Unpack[Emulation],
    ) -> tuple[str, BrowseSession]:
        """Open `url` in a new session, signed in with `profile`; return its handle and its tab.

        Raises:
            InvalidInput: this caller may not name the profile.
            RefusedError: `evidence` is asked for, and the owner set no folder for it.
            RateLimited: as many are open as may be, in all or of this caller.
            WellreadError: as `Web.browse`.
        """
        if not on_asyncio():
            raise ConfigError("browsing needs the event loop asyncio", hint="run on asyncio")
        if profile is not None:
            self._grants.check(profile, caller)
        self._refuse(caller.key)
        place = f"{self._replica}_" if self._replica else ""
        handle = f"tab_{place}{secrets.token_hex(HANDLE_BYTES)}"
        folder = await anyio.to_thread.run_sync(self._evidence.new_folder) if evidence else None
        block = self._browse(url, profile=profile, evidence=folder, **emulation)
        entry = _OpenSession(SharedContext(block, idle_s=self._limits.session_idle_s), caller.key)
        self._open[handle] = entry
        try:
            entry.tab = await entry.held_tab.open()
        except BaseException:
            del self._open[handle]
            raise
        entry.shown.show(entry.tab.snapshot, entry.tab)
        return handle, entry.tab

    @asynccontextmanager
    async def step(
        self, handle: str, caller: str | None, *, numbered: bool = False
    ) -> AsyncGenerator[SessionStep, None]:
        """Hold a session for one step; the steps of one session run one after the other.

        `numbered`: the step names elements, by numbers that hold for the document that was shown when it was asked.

        Raises:
            Gone: the caller's session does not exist, or has ended.
            WrongReplica: it is at another replica.
            InvalidInput: a step asked before this one has led to another document.
            BrowserFailed: the browser was lost meanwhile.
        """
        entry = self._session_of(handle, caller)
        tab = entry.tab
        assert tab is not None
        document = tab.document
        async with entry.turn:
            if entry.held_tab.ended.is_set():
                raise self._gone(handle, caller)
            if numbered and tab.document != document:
                raise InvalidInput(
                    "an earlier step opened another page, where elements have other numbers",
                    hint="nothing was done; use the numbers of the new page",
                )
            async with entry.held_tab.use():
                try:
                    yield SessionStep(tab, entry)
                except InvalidInput as error:
                    error.url = error.url or tab.url  # it may repeat words of the page
                    raise
                except BrowserFailed as error:
                    if error.is_lost:  # a step may see it first; the session ends by it, and the next step says so
                        with anyio.move_on_after(_LOSS_S):
                            await entry.held_tab.ended.wait()
                    raise

    async def close(self, handle: str, caller: str | None) -> bool:
        """Close a session; return False where this caller has no session of that name.

        Raises:
            WrongReplica: it is at another replica.
        """
        self._sweep()
        entry = self._open.get(handle)
        if entry is None or entry.caller != caller:
            error = self._missing(handle, caller)
            if isinstance(error, WrongReplica):
                raise error
            return False
        await self._end(handle, "it was closed")
        return True

    async def aclose(self) -> None:
        """Close all sessions."""
        async with anyio.create_task_group() as tasks:
            for handle in list(self._open):
                tasks.start_soon(self._end, handle, "the server closed it")

    async def _end(self, handle: str, why: str) -> None:
        entry = self._open.pop(handle, None)
        if entry is not None:
            self._remember(handle, entry, why)
            await entry.held_tab.close()

    def _session_of(self, handle: str, caller: str | None) -> _OpenSession:
        self._sweep()
        entry = self._open.get(handle)
        if entry is None or entry.caller != caller or entry.tab is None:
            raise self._missing(handle, caller)
        return entry

    def _missing(self, handle: str, caller: str | None) -> Gone | WrongReplica:
        """Return the error for a session that is not open here."""
        match = _HANDLE.fullmatch(handle)
        if self._replica is None or match is None or match[1] == self._replica:
            return self._gone(handle, caller)
        hint = f"send the request to the replica {match[1]}"
        return WrongReplica(f"this browser session is at the replica {match[1]}", hint=hint, replica=match[1])

    def _gone(self, handle: str, caller: str | None) -> Gone:
        """Return the error for a missing session; another caller's is reported as one that never existed."""
        self._sweep()
        hint = "open the page again with browse_url"
        over = self._over.get(handle)
        if over is None or over.caller != caller:
            return Gone(f"there is no browser session {handle[:80]!r}", hint=hint)
        return Gone(f"this browser session has ended: {over.why}", hint=hint)

    def _sweep(self) -> None:
        """Move sessions that have ended by themselves to the ended ones."""
        for handle, entry in list(self._open.items()):
            if entry.held_tab.ended.is_set():
                del self._open[handle]
                self._remember(handle, entry, _why(entry.held_tab, self._limits.session_idle_s))

    def _remember(self, handle: str, entry: _OpenSession, why: str) -> None:
        self._over[handle] = _EndedSession(entry.caller, why)
        while len(self._over) > REMEMBERED:
            self._over.popitem(last=False)

    def _refuse(self, caller: str | None) -> None:
        self._sweep()
        limits = self._limits
        own_sessions = [entry for entry in self._open.values() if entry.caller == caller]
        if caller is not None and len(own_sessions) >= limits.key_sessions:
            raise _full(f"{caller} has {limits.key_sessions} browser sessions open", own_sessions)
        if len(self._open) >= limits.sessions:
            raise _full("all browser sessions are taken", list(self._open.values()))


def _full(message: str, entries: list[_OpenSession]) -> RateLimited:
    """Return the refusal; a place becomes free when the session that is idle longest is closed."""
    wait_s = max(1, math.ceil(min((entry.held_tab.idle_left_s for entry in entries), default=1.0)))
    hint = f"close a session with page_close, or try again in {wait_s} s"
    return RateLimited(message, hint=hint, retry_after_s=float(wait_s))


def _why(held_tab: SharedContext[BrowseSession], idle_s: float) -> str:
    failure = held_tab.failure
    if isinstance(failure, BrowserFailed):
        return failure.message
    if isinstance(failure, WellreadError):
        return f"{failure.code}, {failure.message}"
    return "it broke" if failure else f"it was closed after {idle_s:g} s without a step"
