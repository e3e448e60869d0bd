"""Loads a profile into a browser context, and saves the changes of the context back to the profile."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio

from wellread.browser import profiles
from wellread.browser.storage_state import Json, MergeVersions, merge_states, seen_by, validated, with_unknown
from wellread.errors import BrowserFailed
from wellread.types import Notice

if TYPE_CHECKING:
    from pathlib import Path

    from playwright.async_api import Browser, BrowserContext

    from wellread.browser.storage_state import StorageState
    from wellread.ports import Clock

Options = dict[str, Json]
"""Keyword arguments of the driver."""
COLLECT_S = 8.0
"""A page that answers nothing holds the collection up; then cookies alone are kept, which the browser process has."""
COOKIES_S = 3.0


class ProfileKeeper:
    """The profile of one session: its state at the start, and the state already written to the file."""

    def __init__(self, path: Path, state: StorageState, clock: Clock | None) -> None:
        """Take the file and its state; cookies expire by the clock."""
        self._path = path
        self._clock = clock
        self._loaded = state
        self._begun = state
        self.notices: list[Notice] = []

    @classmethod
    async def load(cls, path: Path, clock: Clock | None) -> ProfileKeeper:
        """Read the profile; one that does not exist yet is empty.

        Raises:
            InvalidInput: the file cannot be read.
        """
        state = await anyio.to_thread.run_sync(profiles.load, path)
        return cls(path, state or {}, clock)

    @property
    def http_credentials(self) -> list[dict[str, str]]:
        """User names and passwords for HTTP authentication, each with the origin that it is for."""
        return list(self._loaded.get("httpCredentials", []))

    async def new_context(self, browser: Browser, options: Options) -> BrowserContext:
        """Open a context with the state of the profile.

        Databases that cannot be restored are left out, with a notice, and stay in the profile as they are.
        """
        from playwright.async_api import Error

        cookies, origins = self._loaded.get("cookies", []), self._loaded.get("origins", [])
        without_databases = [{name: part for name, part in row.items() if name != "indexedDB"} for row in origins]
        state = {"storage_state": {"cookies": cookies, "origins": origins}}
        try:
            context = await browser.new_context(**options | state)
        except Error:
            if without_databases == origins or not browser.is_connected():
                raise
            state["storage_state"]["origins"] = without_databases
            context = await browser.new_context(**options | state)
            origins = without_databases
            self.notices.append(Notice("profile_incomplete", "databases of the profile could not be restored"))
        self._begun = validated({"cookies": await context.cookies(), "origins": origins})
        return context

    async def checkpoint(self, context: BrowserContext) -> None:
        """Keep the cookies, if they have changed: should the browser be lost, the sign-in is not.

        Raises:
            InvalidInput: the file cannot be written.
        """
        from playwright.async_api import Error

        with suppress(Error):  # the browser is gone; the job in it gets the error
            state = with_unknown(validated({"cookies": await context.cookies()}), self._begun, databases_only=False)
            if state["cookies"] != self._begun.get("cookies"):
                await self._keep(state)

    async def save(self, context: BrowserContext) -> None:
        """Save the state of the context, or as much of it as a context that does not answer gives.

        Raises:
            InvalidInput: the file cannot be written.
            BrowserFailed: nothing can be had.
        """
        state = await collect_state(context, self._begun)
        if state is None:
            hint = "changes since the last step are lost; sign in again if a site asks for it"
            error = BrowserFailed("the browser was lost before the profile was saved", hint=hint)
            error.is_lost = True
            raise error
        await self._keep(state)

    async def _keep(self, state: StorageState) -> None:
        versions = MergeVersions(loaded=self._loaded, begun=self._begun, mine=state, stored={})
        now_s = 0.0 if self._clock is None else self._clock.now().timestamp()

        def change(stored: StorageState) -> StorageState:
            return merge_states(replace(versions, stored=stored), now_s=now_s)

        written = await anyio.to_thread.run_sync(profiles.update, self._path, change)
        self._loaded, self._begun = seen_by(versions, written), state


async def collect_state(context: BrowserContext, before: StorageState) -> StorageState | None:
    """Return the state of a context, with the parts that it does not give taken from `before`; None without any."""
    from playwright.async_api import Error

    with anyio.move_on_after(COLLECT_S):
        with suppress(Error):
            return validated(await context.storage_state(indexed_db=True))
        with suppress(Error):  # a database holds what the driver cannot write down
            return with_unknown(validated(await context.storage_state()), before, databases_only=True)
    with anyio.move_on_after(COOKIES_S), suppress(Error):
        return with_unknown(validated({"cookies": await context.cookies()}), before, databases_only=False)
    return None
