"""The commands `login` and `profile`."""

from __future__ import annotations

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wellread.apps.commands.browser import run_script
from wellread.apps.commands.options import Json, Url, guarded, settings_of
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import console, escape, stderr_console
from wellread.apps.terminal import say_json, show_empty, without_controls
from wellread.errors import Auth, InvalidInput
from wellread.text.counts import count_of
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.apps.browse_script import StepResult
    from wellread.browser.storage_state import StateSummary, StorageState
    from wellread.config import Settings
    from wellread.types import PageSnapshot

Action = Literal["list", "show", "delete", "import", "export"]
_OPTIONS = {"import": {"cdp", "host"}, "export": {"host"}}
"""The options that say something to an action."""


def login(
    context: click.Context,
    url: Url,
    *,
    profile: Annotated[str, Option(help="Profile to save the sign-in in.", metavar="NAME")],
    do: Annotated[
        str | None,
        Option(help="Sign in with these steps instead of a window; - reads them from standard input.", metavar="STEPS"),
    ] = None,
    http_user: Annotated[
        str | None,
        Option(help="User name for HTTP authentication; the command asks for the password.", metavar="USER"),
    ] = None,
    json: Json = False,
) -> None:
    """Sign in to a site and save the session in a profile.

    A browser window opens in which you sign in. On a machine without a display, use --do.
    """
    guarded(partial(_login, context, url, profile, do=do, http_user=http_user), json=json)
    settings = settings_of(context)[0]
    from wellread.apps.profile_files import stored
    from wellread.browser.storage_state import summary

    _show_one(profile, guarded(lambda: summary(stored(settings, profile)), json=json), json=json, brief=True)


def profile(
    context: click.Context,
    action: Annotated[Action, Argument(help="Action to run.")] = "list",
    words: Annotated[
        list[str] | None,
        Argument(
            help="Arguments of the action. show, delete: NAME. import, export: NAME FILE; with import, - "
            "reads standard input.",
            metavar="WORDS",
        ),
    ] = None,
    *,
    cdp: Annotated[
        str | None,
        Option(help="import: address of the debugging port of a running Chrome, instead of FILE.", metavar="ADDRESS"),
    ] = None,
    host: Annotated[
        list[str] | None,
        Option(
            help="import, export: only cookies and storage of this host and its subdomains. You can repeat the option.",
            metavar="HOST",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List, show, delete, import and export browser profiles.

    `show` does not print cookie values or passwords. Files have the storage state format of Playwright.
    """
    hosts = host or []
    given_options = {name for name, value in {"cdp": cdp, "host": hosts}.items() if value}
    name, file = guarded(partial(_named, action, words or [], given_options), json=json)
    settings = guarded(lambda: settings_of(context)[0], json=json)
    if action == "list":
        _show_all(settings, json=json)
        return
    state_summary = guarded(partial(_perform, settings, action, name, file, cdp=cdp, hosts=hosts), json=json)
    if state_summary is not None:
        _show_one(name, state_summary, json=json, brief=action != "show")
    elif json:
        say_json({"name": name, "deleted": True})
    else:
        console.print(f"deleted {escape(name)}")


def _named(action: Action, arguments: list[str], given_options: set[str]) -> tuple[str, str]:
    """Return the name and the file that an action needs.

    Raises:
        InvalidInput: one is missing, or one is too many.
    """
    if unaccepted := sorted(given_options - _OPTIONS.get(action, set())):
        raise InvalidInput(f"{action} does not take --{unaccepted[0]}")
    word_count = {"list": 0, "show": 1, "delete": 1, "import": 2, "export": 2}[action]
    if action == "import" and "cdp" in given_options:
        word_count = 1
    if len(arguments) != word_count:
        needs = {0: "no arguments", 1: "NAME", 2: "NAME and FILE"}[word_count]
        raise InvalidInput(f"profile {action} takes {needs}", hint="run `wellread profile --help`")
    name, file, *_ = [*arguments, "", ""]
    return name, file


def _perform(
    settings: Settings, action: Action, name: str, file: str, *, cdp: str | None, hosts: Sequence[str]
) -> StateSummary | None:
    """Run the action, and return the summary of the profile that was shown, imported or exported."""
    from wellread.apps import profile_files
    from wellread.browser.storage_state import summary

    if action == "delete":
        profile_files.delete(settings, name)
        return None
    if action == "show":
        return summary(profile_files.stored(settings, name))
    if action == "export":
        return profile_files.export_profile(settings, name, Path(file), hosts)
    state = _of_browser(settings, cdp) if cdp is not None else profile_files.read_state(file)
    return profile_files.import_profile(settings, name, state, hosts)


def _of_browser(settings: Settings, address: str) -> StorageState:
    import anyio

    from wellread.apps.profile_files import state_of_browser

    return anyio.run(state_of_browser, settings, Secret(address))


# ------------------------------------------------------------------------------------------------------ signing in


def _login(context: click.Context, url: str, name: str, *, do: str | None, http_user: str | None) -> None:
    import anyio

    by_hand = do is None and http_user is None
    settings = settings_of(context, {"browser.headed": True if by_hand else None})[0]
    if http_user is not None:
        anyio.run(_http_login, settings, url, name, http_user, _password())
    if do is not None:
        anyio.run(_by_script, settings, url, name, sys.stdin.read().replace("\n", ";") if do == "-" else do)
    if by_hand:
        anyio.run(_by_hand, settings, url, name)


def _password() -> str:
    if sys.stdin.isatty():
        return str(click.prompt("Password", hide_input=True, err=True))
    return sys.stdin.readline().rstrip("\r\n")


async def _http_login(settings: Settings, url: str, name: str, username: str, password: str) -> None:
    """Keep the login once the page is shown with it.

    Raises:
        Auth: it is not accepted; then it is not kept.
    """
    from wellread.apps.build import Web
    from wellread.apps.profile_files import drop_http_login, keep_http_login

    keep_http_login(settings, name, url, username, password)
    try:
        async with Web(settings) as web, web.browse(url, profile=name, user_asked=True) as tab:
            refusal = _http_refusal(tab.snapshot)
    except BaseException:
        drop_http_login(settings, name, url)
        raise
    if refusal is not None:
        drop_http_login(settings, name, url)
        raise Auth(refusal, url=url, hint="check the user name and the password")


async def _by_script(settings: Settings, url: str, name: str, script: str) -> None:
    """Sign in by steps.

    Raises:
        Auth: the page still asks for the sign-in after the steps.
    """
    from wellread.apps.browse_script import parse_steps
    from wellread.apps.build import Web
    from wellread.apps.profile_files import signing_in

    script_steps = parse_steps(script)
    with signing_in(settings, name):
        async with Web(settings) as web, web.browse(url, profile=name, user_asked=True) as tab:
            await run_script(tab, script_steps, _show_nothing)
            refusal = _http_refusal(tab.snapshot) or _form_refusal(tab.snapshot)
    if refusal is not None:
        raise Auth(refusal, url=url, hint="check the steps, the user name and the password")


def _http_refusal(snapshot: PageSnapshot) -> str | None:
    """Return why a page that answers 401 does so."""
    return next((notice.detail for notice in snapshot.notices if notice.code == "auth_required"), None)


def _form_refusal(snapshot: PageSnapshot) -> str | None:
    """Return why a page shows that nobody is signed in, or None: it has a field for a password."""
    if any(element.role == "password" for element in snapshot.elements):
        return f"{snapshot.url} still asks for a password after the steps"
    return None


def _show_nothing(_: StepResult) -> None:
    """Show no page that a step has read."""


async def _by_hand(settings: Settings, url: str, name: str) -> None:
    import anyio

    from wellread.apps.build import Web

    async def enter() -> None:
        # Printed here, because only now a window is open: without a display, the browser cannot be started.
        stderr_console.print(
            "Sign in in the browser window, then press Enter here. Keep the window open until then.", markup=False
        )
        await anyio.to_thread.run_sync(sys.stdin.readline, abandon_on_cancel=True)

    async with Web(settings) as web:
        is_complete = await web.sign_in(url, profile=name, done=enter)
    if not is_complete:
        stderr_console.print(
            "[yellow]![/] the browser was closed too early: cookies are saved, but other storage of "
            "the sites may be missing"
        )


# -------------------------------------------------------------------------------------------------------- showing


def _show_all(settings: Settings, *, json: bool) -> None:
    from wellread.apps.profile_files import listed

    lines = guarded(lambda: listed(settings), json=json)
    if json:
        say_json({"profiles": lines})
        return
    if not lines:
        show_empty("there is no profile", "wellread login URL --profile NAME")
    for row in lines:
        hosts = escape(without_controls(", ".join(row.hosts))) or "nothing"
        console.print(
            f"{row.name:<16} {count_of(row.cookies, 'cookie')}, storage of {count_of(row.origins, 'site')}: {hosts}"
        )


def _show_one(name: str, state_summary: StateSummary, *, json: bool, brief: bool) -> None:
    """Print the content of a profile; `brief`: in one line."""
    if json:
        say_json({"name": name, "hosts": state_summary.hosts, **_parts(state_summary)})
        return
    counts = (
        f"{count_of(len(state_summary.cookies), 'cookie')}, storage of {count_of(len(state_summary.origins), 'site')}"
    )
    console.print(
        f"[bold]{escape(name)}[/] {counts}: {escape(without_controls(', '.join(state_summary.hosts))) or 'nothing'}"
    )
    if brief:
        return
    for cookie in state_summary.cookies:
        until = cookie.expires or "with the session"
        location = without_controls(f"{cookie.host}{cookie.path}")
        console.print(f"cookie  {location}  {without_controls(cookie.name)}  until {until}", markup=False)
    for site in state_summary.origins:
        stored = ", ".join([*site.local_storage, *(f"database {database}" for database in site.databases)])
        console.print(f"storage {without_controls(site.origin)}  {without_controls(stored)}", markup=False)
    for origin in state_summary.http_credentials:
        console.print(f"login   {without_controls(origin)}", markup=False)


def _parts(state_summary: StateSummary) -> dict[str, object]:
    return {
        "cookies": state_summary.cookies,
        "origins": state_summary.origins,
        "http_credentials": state_summary.http_credentials,
    }
