"""The background process of one session of `wellread session`: it holds a page, and does the steps that it is sent.

It is started with one line of JSON as its input, and writes one line: the reply with the first snapshot, or with the
error. From then on it answers at its socket, until it is closed or has had no step for `browse.idle_s`.
"""

from __future__ import annotations

import base64
import io
import json
import os
import signal
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import anyio

from wellread.apps.browse_script import StepResult, perform, step_of_words
from wellread.apps.build import Web
from wellread.apps.commands.browser import show_result
from wellread.apps.session_client import already_open, socket_path
from wellread.apps.terminal import complain
from wellread.browser.browse.changes import ShownPage
from wellread.config import explain
from wellread.errors import BrowserFailed, InvalidInput, WellreadError
from wellread.net import local_socket
from wellread.net.background_tasks import SharedContext, run_beside

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.browser.browse.browse_session import BrowseSession
    from wellread.browser.emulation import Emulation
    from wellread.config import Settings
    from wellread.net.local_socket import LocalListener, Message

_SHOW_PAGES = frozenset({"open", "snapshot", "page", "scroll", "tab"})
"""Actions that print a snapshot: what is in the window is what they are for."""
_LOSS_S = 5.0
"""How long the end of a session may take whose browser was lost."""


class SessionProcess:
    """One open page. Each request gets what a command prints: the text of both streams, and an exit code."""

    def __init__(
        self, page: SharedContext[BrowseSession], listener: LocalListener, *, shows_changes: bool = True
    ) -> None:
        """Take the page, which is open, and the listener, whose path is freed when the session is closed.

        `shows_changes`: a step prints only the lines that changed, where the page was printed before.
        """
        self._page = page
        self._shows_changes = shows_changes
        self._shown = ShownPage()
        self._listener = listener
        self._turn = anyio.Lock()
        """The streams are redirected for one request at a time."""

    async def answer(self, request: Message) -> Message:
        """Return the reply to a request."""
        if request["action"] == "list":
            snapshot = self._page.value.snapshot
            return {"url": snapshot.url, "title": snapshot.title, "idle_left_s": round(self._page.idle_left_s)}
        async with self._turn:
            return await printed(partial(self._perform, request), json=bool(request["json"]))

    async def _perform(self, request: Message) -> Message:
        action = request["action"]
        if action == "end":
            await self.close()
            return {}
        async with self._page.use() as tab:
            try:
                if action == "screenshot":
                    picture = await tab.screenshot(full=bool(request["full"]))
                    return {"picture": base64.b64encode(picture).decode(), "url": tab.url}
                result = StepResult(tab.snapshot)
                if action != "open":
                    result = await perform(tab, step_of_words(action, request["words"]))
                if not request["json"] and action != "find":
                    result = self._shortened(tab, result, is_step=action not in _SHOW_PAGES)
            except BrowserFailed:
                with anyio.move_on_after(_LOSS_S):  # the session may end by it; then its own error says why
                    await self._page.ended.wait()
                raise
        show_result(result, json=bool(request["json"]), all_notices=bool(request["all_notices"]))
        return {}

    def _shortened(self, tab: BrowseSession, result: StepResult, *, is_step: bool) -> StepResult:
        """Return the result of a step with the changed lines of a page that was printed before, if that is shorter."""
        if result.snapshot is None:
            return result
        if not (is_step and self._shows_changes):
            self._shown.show(result.snapshot, tab)
            return result
        return result._replace(snapshot=self._shown.after_step(result.snapshot, tab) or result.snapshot)

    async def close(self) -> None:
        """Close the page, and free the name of the session.

        Raises:
            WellreadError: the profile could not be saved.
        """
        await self._page.close()
        self._listener.release()
        if self._page.failure is not None:
            raise self._page.failure

    async def close_on_signal(self) -> None:
        """Close the page when the process is asked to end."""
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for _ in signals:
                await self._page.close()


async def printed(work: Callable[[], Awaitable[Message]], *, json: bool) -> Message:
    """Do `work`, and return its reply with all that it printed; an error is printed as a command prints it."""
    stdout, stderr = io.StringIO(), io.StringIO()
    exit_code, fields = 0, {}
    with redirect_stdout(stdout), redirect_stderr(stderr):
        try:
            fields = await work()
        except WellreadError as error:
            exit_code = complain(error, as_json_too=json)
    return {**fields, "stdout": stdout.getvalue(), "stderr": stderr.getvalue(), "exit_code": exit_code}


def main() -> None:
    """Hold the session that the first line of standard input asks for, until it ends."""
    first_reply = _detached()
    request: Message = json.loads(sys.stdin.readline())
    with first_reply:
        anyio.run(_hold_or_report, request, first_reply)


def _detached() -> io.TextIOWrapper:
    """Return the former standard output, and let go of the standard streams: who started us shall not wait for them."""
    first_reply = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (sys.stdout, sys.stderr):
        os.dup2(nowhere, stream.fileno())
    return first_reply


async def _hold_or_report(request: Message, first_reply: io.TextIOWrapper) -> None:
    async def held() -> Message:
        await _hold(request, first_reply)
        return {}

    reply = await printed(held, json=request["json"])
    if not first_reply.closed:
        _send(first_reply, reply)


def _send(first_reply: io.TextIOWrapper, reply: Message) -> None:
    first_reply.write(json.dumps(reply) + "\n")
    first_reply.close()


async def _hold(request: Message, first_reply: io.TextIOWrapper) -> None:
    file = Path(request["config"]) if request["config"] else None
    settings = explain(file=file, flags=request["flags"])[0]
    path = socket_path(settings, request["name"])
    try:
        with local_socket.listening(path) as listener:
            await _serve(settings, request, listener, first_reply)
    except InvalidInput as error:
        if local_socket.is_alive(path):
            raise already_open(request["name"]) from error
        raise


async def _serve(settings: Settings, request: Message, listener: LocalListener, first_reply: io.TextIOWrapper) -> None:
    async with Web(settings) as web:
        emulation: Emulation = request["emulation"]
        block = web.browse(
            request["url"],
            profile=request["profile"],
            user_asked=request["user_asked"],
            evidence=request["evidence"],
            **emulation,
        )
        page = SharedContext(block, idle_s=settings.browse.idle_s)
        await page.open()
        process = SessionProcess(page, listener, shows_changes=settings.browse.snapshots == "changes")
        reply = await process.answer(request)
        async with local_socket.answering(listener, process.answer), run_beside(process.close_on_signal):
            _send(first_reply, reply)
            await page.ended.wait()


if __name__ == "__main__":
    main()
