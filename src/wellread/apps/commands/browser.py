"""The commands `browse` and `screenshot`."""

from __future__ import annotations

import re
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import click

from wellread.apps.browse_script import HELP, StepResult, parse_step, parse_steps, perform
from wellread.apps.commands.options import (
    AllNotices,
    Json,
    ProxyOption,
    Record,
    Replay,
    Url,
    UserAsked,
    run,
    web_url,
)
from wellread.apps.commands.parameters import Option
from wellread.apps.console import console, escape, stderr_console
from wellread.apps.serialize import with_notices
from wellread.apps.terminal import complain, say, say_json, show_notices, show_page, without_controls
from wellread.browser.emulation import ColorScheme, Emulation
from wellread.errors import WellreadError

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.apps.browse_script import BrowseStep
    from wellread.apps.build import Web
    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.types import PageSnapshot

Profile = Annotated[
    str | None,
    Option(
        help="Use the cookies and storage of this profile, and save them at the end of the session.", metavar="NAME"
    ),
]
Mobile = Annotated[bool, Option("--mobile", help="Show pages as on a phone: a small window, touch.")]
Timezone = Annotated[str | None, Option(help="Time zone of the pages, such as Europe/Oslo.", metavar="NAME")]
ColorSchemeOption = Annotated[
    ColorScheme | None, Option("--color-scheme", help="Colours that pages use, if they have both.")
]
Locale = Annotated[str | None, Option(help="Language of the pages, such as nb-NO.", metavar="TAG")]
EvidenceOption = Annotated[
    Path | None,
    Option(help="Record a picture of each step, the requests (HAR) and the console in this new folder.", metavar="DIR"),
]
_MARKER = re.compile(r"(?<!\\)(\\?)\[(\d+)\] ([\w ]+?)(?= \"| =| \(| \{|$)")
_ENDS = frozenset({"quit", "exit", "q"})


def browse(
    context: click.Context,
    url: Url,
    *,
    do: Annotated[
        str | None,
        Option(help="Run these steps and exit, for example 'click 3; type 5 hello; press Enter'.", metavar="STEPS"),
    ] = None,
    profile: Profile = None,
    mobile: Mobile = False,
    timezone: Timezone = None,
    color_scheme: ColorSchemeOption = None,
    locale: Locale = None,
    evidence: EvidenceOption = None,
    user_asked: UserAsked = False,
    all_notices: AllNotices = False,
    json: Json = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Operate a page in a browser, step by step or with a script.

    The page is shown as text with numbered elements. Type a step such as `click 3`; `help` lists the steps. With
    --json, each step prints one snapshot.
    """
    emulation = Emulation(mobile=mobile, timezone=timezone, color_scheme=color_scheme, locale=locale)

    async def work(web: Web) -> int:
        script = None if do is None else parse_steps(do)
        show = partial(show_result, json=json, all_notices=all_notices)
        async with web.browse(
            web_url(url), profile=profile, user_asked=user_asked, evidence=evidence, **emulation
        ) as tab:
            if script is None:
                return await _converse(tab, show, json=json)
            return await run_script(tab, script, show)

    code = run(context, work, json=json, proxy=proxy, record=record, replay=replay)
    if code:
        raise click.exceptions.Exit(code)


def screenshot(
    context: click.Context,
    url: Url,
    *,
    to: Annotated[Path, Option(help="PNG file to write.", metavar="FILE")] = Path("screenshot.png"),
    full: Annotated[bool, Option("--full", help="Capture the whole page instead of the visible part.")] = False,
    profile: Profile = None,
    mobile: Mobile = False,
    timezone: Timezone = None,
    color_scheme: ColorSchemeOption = None,
    locale: Locale = None,
    user_asked: UserAsked = False,
    json: Json = False,
    proxy: ProxyOption = None,
    record: Record = None,
    replay: Replay = None,
) -> None:
    """Take a screenshot of a page and save it as PNG."""
    emulation = Emulation(mobile=mobile, timezone=timezone, color_scheme=color_scheme, locale=locale)

    async def work(web: Web) -> tuple[str, int]:
        async with web.browse(web_url(url), profile=profile, user_asked=user_asked, **emulation) as tab:
            return tab.snapshot.url, len(await tab.screenshot(to, full=full))

    final, count = run(context, work, json=json, proxy=proxy, record=record, replay=replay)
    if json:
        say_json({"url": final, "path": to, "bytes": count})
    else:
        console.print(f"{escape(without_controls(str(to)))}  {count:,} bytes")


async def run_script(tab: BrowseSession, script: list[BrowseStep], show: Callable[[StepResult], None]) -> int:
    """Perform the steps; show the pages that were read, and the result of the last step."""
    result = StepResult(tab.snapshot)
    for parsed_step in script:
        if result.page is not None:
            show(result)
        try:
            result = await perform(tab, parsed_step)
        except WellreadError as error:
            error.hint = "; ".join(filter(None, [error.hint, *_failed_status(tab.snapshot)]))
            raise
    show(result)
    return 0


def _failed_status(snapshot: PageSnapshot) -> list[str]:
    """Return what the notices say of the status of the document, which no snapshot of a script shows before its end."""
    return [notice.detail for notice in snapshot.notices if notice.code == "http_status"]


async def _converse(tab: BrowseSession, show: Callable[[StepResult], None], *, json: bool) -> int:
    """Read steps from the terminal until its end. A step that fails is reported, and the next one read."""
    show(StepResult(tab.snapshot))
    while True:
        line = await anyio.to_thread.run_sync(_line, abandon_on_cancel=True)
        if line is None or line.strip().lower() in _ENDS:
            return 0
        if line.strip().lower() in {"help", "?"}:
            for usage, meaning in HELP:
                stderr_console.print(f"  [bold]{escape(usage):<26}[/] [dim]{meaning}[/]")
        elif line.strip():
            try:
                show(await perform(tab, parse_step(line)))
            except WellreadError as error:
                complain(error, as_json_too=json)


def _line() -> str | None:
    if sys.stdin.isatty():
        stderr_console.print("[bold cyan]>[/] ", end="")
    return sys.stdin.readline() or None


def show_result(result: StepResult, *, json: bool, all_notices: bool) -> None:
    """Print the result of a step."""
    snapshot = with_notices(result.snapshot, all_notices=all_notices)
    result = StepResult(snapshot, with_notices(result.page, all_notices=all_notices), *result[2:])
    if result.value is not None:
        say(result.value)
    elif json:
        say_json(next(part for part in result if part is not None))
    elif result.snapshot is not None:
        _show_snapshot(result.snapshot)
    elif result.page is not None:
        show_page(result.page)
    else:
        console.print(escape(without_controls(str(result.file))))


def _show_snapshot(snapshot: PageSnapshot) -> None:
    if console.is_terminal:
        safe = escape(without_controls(snapshot.content))
        console.print(_MARKER.sub(r"\1[bold yellow]\\[\2][/] [cyan]\3[/]", safe))
    else:
        say(snapshot.content)
    stderr_console.print(
        f"[dim]— {escape(without_controls(snapshot.title)) or 'untitled'} · {escape(without_controls(snapshot.url))}[/]"
    )
    for line in snapshot.dialogs:
        stderr_console.print(f"[magenta]! dialog[/] {escape(without_controls(line))}")
    for line in snapshot.downloads:
        stderr_console.print(f"[green]! download[/] {escape(without_controls(line))}")
    for line in snapshot.changes:
        stderr_console.print(f"[dim]~ {escape(without_controls(line))}[/]")
    for line in snapshot.tabs:
        stderr_console.print(f"[blue]{escape(without_controls(line))}[/]")
    show_notices(snapshot.notices)
