"""The named sessions of `wellread session`, as a command sees them: each is a background process behind a socket."""

from __future__ import annotations

import json
import os
import re
import signal
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wellread.errors import BrowserFailed, ConfigError, Gone, InvalidInput, Timeout
from wellread.net import local_socket
from wellread.worker.background_process import start_background_process

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.config import Settings
    from wellread.net.local_socket import Message

SESSION_MODULE = "wellread.apps.session_process"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,31}")
_SUFFIX = ".sock"
_WAIT_S = 90.0
"""Beyond the deadline of the browser: the longest `wait`, and a text that is typed."""
_LIST_S = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionLine:
    """A session in a list."""

    name: str
    url: str
    title: str
    idle_left_s: int
    """Seconds until it is closed, unless a step comes."""


def socket_path(settings: Settings, name: str) -> Path:
    """Return the socket of the session `name`, in a private folder.

    Raises:
        InvalidInput: the name could mean another file.
        ConfigError: the system has no Unix sockets, or the folder is not private.
    """
    if not _NAME.fullmatch(name):
        hint = "use at most 32 letters, digits, - and _"
        raise InvalidInput(f"{name[:80]!r} cannot be the name of a session", hint=hint)
    if not local_socket.is_supported():
        raise ConfigError("this system has no Unix sockets", hint="use `wellread browse URL --do STEPS`")
    return local_socket.private_folder(settings.cache.dir / "sessions") / f"{name}{_SUFFIX}"


def open_session(settings: Settings, name: str, request: Message) -> Message:
    """Start the process of a session, and return the reply with the first snapshot.

    Raises:
        InvalidInput: the session is open already.
        BrowserFailed: the process could not be started.
    """
    path = socket_path(settings, name)
    if local_socket.is_alive(path):
        raise already_open(name)
    line = start_background_process(SESSION_MODULE, json.dumps({**request, "name": name}).encode() + b"\n")
    if not line:
        raise BrowserFailed("the process of the session ended before the page was open")
    reply: Message = json.loads(line)
    return reply


def already_open(name: str) -> InvalidInput:
    """Return the error for the name of a session that is open."""
    hint = f"go on with it, `wellread session close --name {name}`, or choose another --name"
    return InvalidInput(f"the session {name} is open already", hint=hint)


def ask(settings: Settings, name: str, request: Message) -> Message:
    """Send a request to the session `name`, and return its reply.

    Raises:
        InvalidInput: there is no such session.
        Timeout: it does not react.
        BrowserFailed: its process ended meanwhile.
    """
    limit_s = 2 * settings.browser.timeout_s + settings.browse.downloads_s + _WAIT_S
    try:
        return local_socket.ask(socket_path(settings, name), request, timeout_s=limit_s)
    except Gone as error:
        hint = f"open one with `wellread session open URL --name {name}`"
        raise InvalidInput(f"there is no session {name}", hint=hint) from error
    except Timeout as error:
        error.hint = f"end it with `wellread session close --name {name}`"
        raise


def kill_session(settings: Settings, name: str) -> None:
    """End the process of a session that does not react; its browser ends with it."""
    path = socket_path(settings, name)
    with suppress(Gone, Timeout, OSError):
        if process := local_socket.process_id(path):
            os.kill(process, signal.SIGKILL)
    path.unlink(missing_ok=True)


def listed(settings: Settings) -> list[SessionLine]:
    """Return every open session; sockets that no process listens to any more are removed."""
    folder = socket_path(settings, "any").parent
    lines: list[SessionLine] = []
    for path in sorted(folder.glob(f"*{_SUFFIX}")):
        with suppress(Gone, Timeout, BrowserFailed):
            reply: dict[str, Any] = local_socket.ask(path, {"action": "list"}, timeout_s=_LIST_S)  # Any: JSON
            lines.append(SessionLine(name=path.stem, **reply))
    return lines
