"""The command `session`: each call is one request to the background process that holds the page."""

from __future__ import annotations

import base64
import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import click

from wellread.apps.commands.browser import ColorSchemeOption, EvidenceOption, Locale, Mobile, Profile, Timezone
from wellread.apps.commands.options import AllNotices, Json, UserAsked, guarded, root_options, settings_of, web_url
from wellread.apps.commands.parameters import Argument, Option
from wellread.apps.console import console, escape, stderr_console
from wellread.apps.terminal import say, say_json, show_empty, without_controls
from wellread.browser.emulation import Emulation
from wellread.errors import InvalidInput, InvalidUsage, Timeout, reason_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.apps.session_client import SessionLine
    from wellread.config import Settings
    from wellread.net.local_socket import Message

Action = Literal[
    "open", "snapshot", "click", "type", "submit", "select", "press", "hover", "drag", "scroll", "wait", "go", "back",
    "tab", "page", "close-tab", "upload", "drop", "answer", "read", "find", "evaluate", "screenshot", "close", "list",
]  # fmt: skip
_EMULATION = {"mobile", "timezone", "color-scheme", "locale"}
_OPTIONS = {"open": {"profile", "user-asked", "evidence", *_EMULATION}, "screenshot": {"to", "full"}}
"""The options that say something to an action."""
_NO_WORDS = frozenset({"snapshot", "back", "read", "screenshot", "close", "list"})
_ENTERS_TEXT = frozenset({"type", "submit"})
_STDIN = "-"


def session(
    context: click.Context,
    action: Annotated[Action, Argument(help="Action to run.")] = "list",
    words: Annotated[
        list[str] | None,
        Argument(
            help="Arguments of the action. open: URL. click, type, select: the number or the words of an element, then "
            "the text or the option. type: - as text reads standard input.",
            metavar="WORDS",
        ),
    ] = None,
    *,
    name: Annotated[str, Option(help="Name of the session.", metavar="NAME")] = "default",
    profile: Profile = None,
    mobile: Mobile = False,
    timezone: Timezone = None,
    color_scheme: ColorSchemeOption = None,
    locale: Locale = None,
    evidence: EvidenceOption = None,
    user_asked: UserAsked = False,
    to: Annotated[
        Path | None, Option(help="screenshot: PNG file to write; screenshot.png by default.", metavar="FILE")
    ] = None,
    full: Annotated[bool, Option("--full", help="screenshot: the whole page.")] = False,
    all_notices: AllNotices = False,
    json: Json = False,
) -> None:
    """Operate a page in a browser by single commands: open it, run steps, close it.

    `open` starts a background process that holds the page. It ends with `close`, or after browse.idle_s without a step.
    """
    named = {"profile": profile, "user-asked": user_asked, "evidence": evidence, "to": to, "full": full}
    named |= {"mobile": mobile, "timezone": timezone, "color-scheme": color_scheme, "locale": locale}
    arguments = words or []
    guarded(partial(_check, action, arguments, {option for option, value in named.items() if value}), json=json)
    settings = guarded(lambda: settings_of(context)[0], json=json)
    if action == "list":
        _show_sessions(settings, json=json)
        return
    request: Message = {"action": action, "json": json, "all_notices": all_notices, "full": full}
    if action == "open":
        config, flags = root_options(context)
        request |= {"config": config and str(config.absolute()), "flags": flags, "user_asked": user_asked}
        request["emulation"] = Emulation(mobile=mobile, timezone=timezone, color_scheme=color_scheme, locale=locale)
        request["evidence"] = evidence and str(evidence.absolute())
        request |= {"url": guarded(partial(web_url, arguments[0]), json=json), "profile": profile}
    elif action == "close":
        request["action"] = "end"
    elif action in _ENTERS_TEXT and arguments[-1] == _STDIN:
        arguments = [*arguments[:-1], sys.stdin.read().removesuffix("\n")]
    request["words"] = arguments
    reply = guarded(partial(_ask, settings, action, name, request), json=json)
    if action == "screenshot" and not reply["exit_code"]:
        guarded(partial(_save, reply, to or Path("screenshot.png"), json=json), json=json)
    _show_reply(reply)


def _check(action: Action, arguments: Sequence[str], given_options: set[str]) -> None:
    """Check that the action takes these words and options.

    Raises:
        InvalidUsage: one is missing, or one is too many.
    """
    if unaccepted := sorted(given_options - _OPTIONS.get(action, set())):
        raise InvalidUsage(f"{action} does not take --{unaccepted[0]}", hint="run `wellread session --help`")
    if action in _NO_WORDS and arguments:
        hint = "to close a tab, use close-tab" if action == "close" else "run `wellread session --help`"
        raise InvalidUsage(f"session {action} takes no arguments", hint=hint)
    if action == "open" and len(arguments) != 1:
        raise InvalidUsage("session open takes one URL", hint="as in `wellread session open https://example.com/`")
    if action in _ENTERS_TEXT and len(arguments) < 2:
        raise InvalidUsage(
            f"session {action} takes a field and a text", hint=f"as in `wellread session {action} 2 Ann`"
        )


def _ask(settings: Settings, action: Action, name: str, request: Message) -> Message:
    from wellread.apps import session_client

    if action == "open":
        return session_client.open_session(settings, name, request)
    try:
        return session_client.ask(settings, name, request)
    except Timeout:
        if action != "close":
            raise
        session_client.kill_session(settings, name)
        return {"stdout": "", "stderr": "", "exit_code": 0}


def _save(reply: Message, path: Path, *, json: bool) -> None:
    """Write a picture in the folder of the command, which the process of the session does not know.

    Raises:
        InvalidInput: the file is no PNG file, or cannot be written.
    """
    if path.suffix.lower() != ".png":
        raise InvalidInput(f"{path} does not end with .png", hint="screenshots are PNG files")
    picture = base64.b64decode(reply["picture"])
    try:
        path.write_bytes(picture)
    except OSError as error:
        raise InvalidInput(f"{path} cannot be written: {reason_line(error)}") from error
    if json:
        say_json({"url": reply["url"], "path": path, "bytes": len(picture)})
    else:
        console.print(f"{escape(without_controls(str(path)))}  {len(picture):,} bytes")


def _show_reply(reply: Message) -> None:
    """Print what the process of the session printed, and end with its exit code."""
    if reply["stdout"]:
        say(reply["stdout"])
    stderr_console.print(reply["stderr"], end="", markup=False)
    if reply["exit_code"]:
        raise click.exceptions.Exit(reply["exit_code"])


def _show_sessions(settings: Settings, *, json: bool) -> None:
    from wellread.apps.session_client import listed

    lines: list[SessionLine] = guarded(partial(listed, settings), json=json)
    if json:
        say_json({"sessions": lines})
        return
    if not lines:
        show_empty("no session is open", "wellread session open URL")
    for line in lines:
        page = without_controls(f"{line.title or 'untitled'}  {line.url}")
        console.print(f"{line.name:<16} {page}  closes in {line.idle_left_s:,} s without a step", markup=False)
