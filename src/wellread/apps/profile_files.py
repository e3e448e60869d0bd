"""Profiles for `wellread profile` and `wellread login`: list, describe, import, export, sign in."""

from __future__ import annotations

import json
import sys
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import anyio

from wellread.apps.browsers import profile_folder
from wellread.browser import launch, profiles
from wellread.browser.playwright_errors import typed_error
from wellread.browser.profile_keeper import collect_state
from wellread.browser.render.renderer import navigate
from wellread.browser.storage_state import StateSummary, is_web, limited_to_hosts, summary, validated, with_entries
from wellread.browser.tab import TabOptions
from wellread.crawl.scope import origin_of
from wellread.errors import BrowserFailed, InvalidInput, reason_line

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator, Sequence
    from pathlib import Path

    from playwright.async_api import BrowserContext, Route

    from wellread.browser.browser_pool import BrowserPool
    from wellread.browser.storage_state import StorageState
    from wellread.config import Settings
    from wellread.values import Secret

CHECKPOINT_S = 1.0
"""While a person signs in by hand, cookies are kept this often: the window may be closed at any time."""
STDIN = "-"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLine:
    """A profile in a list."""

    name: str
    hosts: tuple[str, ...]
    cookies: int
    origins: int
    http_credentials: int


def line(name: str, state_summary: StateSummary) -> ProfileLine:
    """Return the row of a profile in a list."""
    return ProfileLine(
        name=name,
        hosts=state_summary.hosts,
        cookies=len(state_summary.cookies),
        origins=len(state_summary.origins),
        http_credentials=len(state_summary.http_credentials),
    )


def listed(settings: Settings) -> list[ProfileLine]:
    """Return every profile.

    Raises:
        InvalidInput: one cannot be read.
    """
    folder = profile_folder(settings)
    return [
        line(name, summary(profiles.load(profiles.profile_path(folder, name)) or {})) for name in profiles.names(folder)
    ]


def stored(settings: Settings, name: str) -> StorageState:
    """Return the content of a profile.

    Raises:
        InvalidInput: there is no such profile, or it cannot be read.
    """
    folder = profile_folder(settings)
    state = profiles.load(profiles.profile_path(folder, name))
    if state is None:
        others = ", ".join(profiles.names(folder))
        hint = f"existing profiles: {others}" if others else "create a profile with `wellread login URL --profile NAME`"
        raise InvalidInput(f"there is no profile {name!r}", hint=hint)
    return state


def delete(settings: Settings, name: str) -> None:
    """Delete a profile.

    Raises:
        InvalidInput: there is no such profile, or its file cannot be removed.
    """
    if not profiles.delete(profile_folder(settings), name):
        stored(settings, name)


def read_state(file: str) -> StorageState:
    """Return the storage state in a file, or on standard input for `-`.

    Raises:
        InvalidInput: the file cannot be read, or holds no storage state.
    """
    if file != STDIN:
        from pathlib import Path

        state = profiles.load(Path(file))
        if state is None:
            raise InvalidInput(f"there is no file {file}")
        return state
    try:
        return validated(json.load(sys.stdin))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"standard input is not a storage state: {error}") from error


async def state_of_browser(settings: Settings, address: Secret) -> StorageState:
    """Return the storage state of a running Chrome: its cookies, and the storage of the sites open in its tabs.

    Raises:
        BrowserFailed: none answers at `address`, or it says nothing.
    """
    from playwright.async_api import Error

    running = await launch.start_browser(replace(settings.browser, connect=address))
    try:
        contexts = running.browser.contexts
        state = await _state_of_tabs(contexts[0]) if contexts else None
    except Error as error:
        raise typed_error(error) from error
    finally:
        await running.close()
    if state is None:
        raise BrowserFailed(
            "the browser has no context with cookies", hint="connect to the browser in which you are signed in"
        )
    return state


async def _state_of_tabs(context: BrowserContext) -> StorageState | None:
    """Return the storage state of a context, with the storage of the sites in its tabs.

    The driver collects the storage of sites that were opened while it was joined. So each of them is opened once more,
    in a tab of ours and as an empty page: nothing is asked of the network.
    """
    origins = dict.fromkeys(origin_of(page.url) for page in context.pages)
    page = await context.new_page()
    try:
        await page.route("**/*", _answer_empty)
        for origin in origins:
            if is_web(origin):
                await page.goto(origin, wait_until="commit")
        return await collect_state(context, {})
    finally:
        await page.close()


async def _answer_empty(route: Route) -> None:
    await route.fulfill(body="<html></html>", content_type="text/html")


def import_profile(settings: Settings, name: str, state: StorageState, hosts: Sequence[str]) -> StateSummary:
    """Import a state into a profile, or its part for `hosts`; it takes precedence over the profile's own entries.

    Raises:
        InvalidInput: the profile cannot be written, or there is nothing for these hosts.
    """
    part = limited_to_hosts(state, hosts) if hosts else state
    if not any(part.values()):
        raise InvalidInput("there is nothing to import", hint="no cookie or storage matches --host" if hosts else "")
    path = profiles.profile_path(profile_folder(settings), name)
    profiles.update(path, lambda before: with_entries(before, part), is_sign_in=True)
    return summary(part)


def export_profile(settings: Settings, name: str, file: Path, hosts: Sequence[str]) -> StateSummary:
    """Export a profile to a file in Playwright's form, without HTTP credentials, which that form lacks.

    Raises:
        InvalidInput: there is no such profile, or the file cannot be written.
    """
    state = stored(settings, name)
    if hosts:
        state = limited_to_hosts(state, hosts)
    part = {key: rows for key, rows in state.items() if key != "httpCredentials"}
    try:
        profiles.write(file, part)
    except OSError as error:
        raise InvalidInput(f"{file} cannot be written: {reason_line(error)}") from error
    return summary(part)


# ------------------------------------------------------------------------------------------------------ signing in


def keep_http_login(settings: Settings, name: str, url: str, username: str, password: str) -> None:
    """Store a user name and a password for the origin of `url` in a profile.

    Raises:
        InvalidInput: the profile cannot be written.
    """
    login = {"origin": origin_of(url), "username": username, "password": password}
    path = profiles.profile_path(profile_folder(settings), name)
    profiles.update(path, lambda before: with_entries(before, {"httpCredentials": [login]}), is_sign_in=True)


def drop_http_login(settings: Settings, name: str, url: str) -> None:
    """Remove the credentials for the origin of `url` from a profile.

    Raises:
        InvalidInput: the profile cannot be written.
    """
    origin = origin_of(url)

    def without(before: StorageState) -> StorageState:
        return before | {"httpCredentials": [row for row in before["httpCredentials"] if row["origin"] != origin]}

    profiles.update(profiles.profile_path(profile_folder(settings), name), without, is_sign_in=True)


@contextmanager
def signing_in(settings: Settings, name: str) -> Iterator[None]:
    """Give the profile another id before and after a sign-in, so that pages of the former account are not served.

    Raises:
        InvalidInput: the profile cannot be read or written.
    """
    path = profiles.profile_path(profile_folder(settings), name)
    profiles.renew_id(path)
    try:
        yield
    finally:
        profiles.renew_id(path)


async def sign_in_by_hand(pool: BrowserPool, url: str, profile: str, done: Callable[[], Awaitable[object]]) -> bool:
    """Show a page to a person for signing in, until `done` returns or its last window is closed.

    False when the browser ended before the local storage could be saved; the cookies are.

    Raises:
        BrowserFailed: there is no browser, or it ended before anything was saved.
        UnavailableError: the page cannot be opened.
    """
    saved = False
    try:
        async with pool.tab(TabOptions(popups=True, lasts=True, answers_http_auth=True, profile=profile)) as tab:
            await navigate(tab, url)
            async with anyio.create_task_group() as tasks:

                async def wait_for_word() -> None:
                    await done()
                    tasks.cancel_scope.cancel()

                tasks.start_soon(wait_for_word)
                while tab.context.pages:
                    await tab.sign_in.checkpoint()
                    saved = True
                    await anyio.sleep(CHECKPOINT_S)
                tasks.cancel_scope.cancel()
    except BrowserFailed:
        if not saved:
            raise
        return False
    return True
