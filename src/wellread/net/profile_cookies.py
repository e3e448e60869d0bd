"""The cookies of a profile during reads: each read begins with the newest ones, and cookies that sites set are saved.

A site may replace the session cookie with each response and refuse the old one. Reads of one profile are therefore
sent to a site one after another, those of other processes included, until a whole read has shown that the site does
not replace the cookies.
"""

from __future__ import annotations

from collections import Counter
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

import anyio
from anyio import to_thread

from wellread.net import credential_scope
from wellread.net.cookies import CookieJar

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Mapping, Sequence
    from contextlib import ExitStack
    from datetime import datetime

    from wellread.credentials import Credentials, StoredCookie
    from wellread.net.guard import Target
    from wellread.net.transport import Hop
    from wellread.types import Response

TRY_S = 0.05
"""How often the turn of another process is tried for: the system has no call that waits and can be cancelled."""
SiteOfProfile = tuple[str, str]
"""A profile, and the widest domain of its cookies for a host."""


class CookieStore(Protocol):
    """The stored cookies of profiles. Its methods block."""

    def load(self, profile: str, profile_id: str) -> tuple[StoredCookie, ...] | None:
        """Return the cookies of a profile; None if it is gone, or another person has signed in since `profile_id`."""

    def try_turn(self, profile: str, domain: str) -> ExitStack | None:
        """Lock the reads of a site with a profile among processes; None while another process has the lock."""

    def save(self, profile: str, profile_id: str, rows: Sequence[Mapping[str, object]]) -> None:
        """Write cookies in Playwright's form into a profile, beside its others; not where `load` returns None."""


class ProfileCookies:
    """Gives reads the newest cookies of their profiles, and saves those that sites set."""

    def __init__(self, store: CookieStore) -> None:
        """Take the store; nothing is loaded here."""
        self._store = store
        self._locks: dict[SiteOfProfile, anyio.Lock] = {}
        self._steady: set[SiteOfProfile] = set()
        """Sites that have answered a read without replacing a cookie: they get reads in parallel."""
        self._doubts: Counter[SiteOfProfile] = Counter()
        """Responses of each site that replaced a cookie, or failed and so proved nothing."""

    @asynccontextmanager
    async def turn(self, credentials: Credentials, target: Target) -> AsyncGenerator[Credentials, None]:
        """Wait until a read of `target` may begin, and yield its credentials with the newest cookies of the profile."""
        site = _site(credentials, target)
        if site is None:
            yield credentials
            return
        if site not in self._steady:
            async with self._locks.setdefault(site, anyio.Lock()):
                if site not in self._steady:
                    doubts = self._doubts[site]
                    async with self._turn_of_process(site):
                        yield await self._with_newest_cookies(credentials)
                    if self._doubts[site] == doubts:
                        self._steady.add(site)
                    return
        yield await self._with_newest_cookies(credentials)

    @asynccontextmanager
    async def _turn_of_process(self, site: SiteOfProfile) -> AsyncGenerator[None, None]:
        """Hold the turn of this process at a site while the block lasts."""
        while True:
            with anyio.CancelScope(shield=True):  # a lock that was taken must not be lost with its thread
                lock = await to_thread.run_sync(self._store.try_turn, *site)
            if lock is not None:
                break
            await anyio.sleep(TRY_S)
        with lock:
            yield

    async def keep(self, hop: Hop, response: Response, credentials: Credentials, now: datetime) -> None:
        """Write the cookies that a site of the profile sets back to it: the site may refuse the old ones from now on.

        An error page sets none: it often begins a session that is not signed in.
        """
        site = _site(credentials, hop.target)
        if credentials.profile is None or response.replayed or not credential_scope.applies_to(credentials, hop.target):
            return
        if response.status >= 400:
            self._note_doubt(site)
            return
        jar = CookieJar()
        jar.store(hop.target, response.headers, now)
        rows = list(jar.set_cookies.values())
        if _replaces_any(rows, credentials):
            self._note_doubt(site)
        if rows:
            await to_thread.run_sync(self._store.save, credentials.profile, credentials.profile_id, rows)

    def _note_doubt(self, site: SiteOfProfile | None) -> None:
        if site is not None:
            self._doubts[site] += 1
            self._steady.discard(site)

    async def _with_newest_cookies(self, credentials: Credentials) -> Credentials:
        """Return the credentials with the cookies that the profile has now, which an earlier read may have replaced."""
        assert credentials.profile is not None
        cookies = await to_thread.run_sync(self._store.load, credentials.profile, credentials.profile_id)
        if cookies is None:
            return credentials
        return replace(credentials, cookies=cookies)


def _site(credentials: Credentials, target: Target) -> SiteOfProfile | None:
    domains = [cookie.domain for cookie in credentials.cookies if credential_scope.is_in_domain(cookie, target)]
    if not domains or credentials.profile is None:
        return None
    return credentials.profile, min(domains, key=len)


def _replaces_any(rows: Sequence[Mapping[str, object]], credentials: Credentials) -> bool:
    """Return whether one of the cookies stands in for a cookie of the credentials that has another value."""
    values = {(cookie.name, cookie.domain, cookie.path): cookie.value for cookie in credentials.cookies}
    return any(
        values.get((str(row["name"]), str(row["domain"]).lstrip("."), str(row["path"])), row["value"]) != row["value"]
        for row in rows
    )
