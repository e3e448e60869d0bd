"""The command `session`: a page that single commands of a shell work on, held by a background process."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from sites import PATIENCE_S, SANDBOX, Site, need_browser, serving
from wellread.apps.browse_script import parse_step, step_of_words
from wellread.apps.cli import app
from wellread.net import local_socket

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

    Run = Callable[..., Result]

PAGE = (
    "<title>Desk</title><form onsubmit=\"document.title = 'sent ' + n.value + ' ' + c.value; return false\">"
    "<label>Full name <input id=n></label><label>Country <select id=c><option>Sweden<option>Norway</select></label>"
    "<button>Send order</button></form>"
)
SHUT = 4
"""The exit code of `gone`."""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    need_browser()
    site = Site(pages={"/": PAGE})
    server = serving(site)
    settings = (f"net.allow_hosts=127.0.0.1:{site.port}", "net.robots=false", f"browser.sandbox={str(SANDBOX).lower()}")

    def command(action: str, *words: str, typed: str = "", idle_s: float = 600) -> Result:
        before = [f"--set={part}" for part in (*settings, f"cache.dir={tmp_path}", f"browse.idle_s={idle_s}")]
        page = [site.url("/")] if action == "open" else []
        return CliRunner().invoke(app, [*before, "session", action, *page, *words], input=typed)

    yield command
    command("close")
    server.shutdown()
    server.server_close()


def test_a_form_is_filled_by_single_commands(run: Run, tmp_path: Path) -> None:
    assert '[1] textbox "Full name"' in run("open").stdout
    assert "is open already" in run("open").stderr
    assert run("type", "Full name", "-", typed="Ann; Bo\n").exit_code == 0
    chosen = run("select", "Country", "Norway").stdout
    assert chosen.startswith("=== ~ changed, ")
    assert '= "Norway"' in chosen
    assert not run("snapshot").stdout.startswith("===")
    sent = run("click", "Send", "order", "--json")
    assert json.loads(sent.stdout)["title"] == "sent Ann; Bo Norway"
    assert run("click", "99").exit_code == 4
    picture = tmp_path / "page.png"
    assert run("screenshot", "--to", str(picture)).exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert "sent Ann; Bo Norway" in run("list").stdout
    assert run("close").exit_code == 0
    ended = run("snapshot")
    assert (ended.exit_code, ended.stderr) == (
        SHUT,
        "invalid_input: there is no session default (open one with `wellread session open URL --name default`)\n",
    )


def test_a_session_ends_when_it_is_idle(run: Run, tmp_path: Path) -> None:
    assert run("open", idle_s=0.2).exit_code == 0
    with suppress(OSError), socket.socket(socket.AF_UNIX) as client:
        client.settimeout(PATIENCE_S)
        client.connect(str(tmp_path / "sessions" / "default.sock"))
        client.recv(1)  # the process closes the connection when it ends
    assert run("snapshot").exit_code == SHUT
    assert list((tmp_path / "sessions").iterdir()) == []


def test_a_page_that_cannot_be_opened_leaves_no_session(run: Run, tmp_path: Path) -> None:
    failed = run("open", "--profile", "../shop")
    assert (failed.exit_code, "cannot be the name of a profile" in failed.stderr) == (4, True)
    assert list((tmp_path / "sessions").iterdir()) == []


def test_words_and_options_that_an_action_does_not_take(run: Run) -> None:
    assert run("type", "1").exit_code == 2
    assert run("close", "2").exit_code == 2
    assert run("click", "1", "--full").exit_code == 2
    assert run("click", "1", "--name", "../x").exit_code == 4


def test_a_stale_socket_is_removed(run: Run, tmp_path: Path) -> None:
    folder = local_socket.private_folder(tmp_path / "sessions")
    with socket.socket(socket.AF_UNIX) as gone:
        gone.bind(str(folder / "default.sock"))
    assert run("list").stdout == ""
    assert list(folder.iterdir()) == []


def test_a_folder_that_others_may_enter_is_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sessions").mkdir()
    (tmp_path / "sessions").chmod(0o755)
    refused = run("list")
    assert (refused.exit_code, "chmod 700" in refused.stderr) == (3, True)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root becomes another user")
async def test_another_user_gets_no_answer(tmp_path: Path) -> None:
    import anyio

    for folder in (tmp_path, *tmp_path.parents[:-2]):
        folder.chmod(0o755)
    path = tmp_path / "shop.sock"

    async def answer(_: local_socket.Message) -> local_socket.Message:
        return {"answered": True}

    def asked_by(user: int) -> bytes:
        script = f"import os, socket; os.setuid({user}); s = socket.socket(socket.AF_UNIX); s.connect({str(path)!r}); "
        command = [sys.executable, "-c", script + "s.sendall(b'{}\\n'); print(s.recv(9))"]
        return subprocess.run(command, capture_output=True, check=False).stdout

    with local_socket.listening(path) as listener:
        path.chmod(0o666)
        async with local_socket.answering(listener, answer):
            assert await anyio.to_thread.run_sync(asked_by, 0) == b"b'{\"answere'\n"
            assert await anyio.to_thread.run_sync(asked_by, 65_534) in {b"", b"b''\n"}


@pytest.mark.parametrize(
    ("verb", "words", "script"),
    [
        ("click", ["Load", "more"], 'click "Load more"'),
        ("click", ["Load more", "double"], 'click "Load more" double'),
        ("click", ["3", "with", "Control"], "click 3 with Control"),
        ("click", ["selector", "#a b"], 'click selector "#a b"'),
        ("type", ["Full name", "Ann", "B"], 'type "Full name" "Ann B"'),
        ("type", ["1", '"quoted"'], 'type 1 ""quoted""'),
        ("drag", ["2", "by", "80", "0"], "drag 2 by 80 0"),
        ("wait", ["Order", "placed"], "wait Order placed"),
    ],
)
def test_words_of_a_shell_are_one_step(verb: str, words: list[str], script: str) -> None:
    assert step_of_words(verb, words) == parse_step(script)
