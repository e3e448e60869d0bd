"""The commands `browse` and `screenshot`, as they are typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, get_args

import pytest
from click.testing import CliRunner

from sites import SANDBOX, Site, need_browser, serving
from wellread.apps.browse_script import _ACTIONS
from wellread.apps.cli import app
from wellread.apps.commands.session import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

    Run = Callable[..., Result]

PAGE = (
    "<title>Desk</title><form onsubmit=\"document.title = 'sent ' + n.value; return false\">"
    "<label>Name <input id=n></label><button>Send</button></form>"
)


def typed(site: Site, folder: Path) -> Run:
    settings = (f"net.allow_hosts=127.0.0.1:{site.port}", "net.robots=false", f"browser.sandbox={str(SANDBOX).lower()}")
    before = [part for each in (*settings, f"cache.dir={folder}") for part in ("--set", each)]

    def command(name: str, *options: str, typed: str = "") -> Result:
        return CliRunner().invoke(app, [*before, name, site.url("/"), *options], input=typed)

    return command


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    need_browser()
    site = Site(pages={"/": PAGE})
    server = serving(site)
    yield typed(site, tmp_path)
    server.shutdown()
    server.server_close()


def test_a_script_of_steps_is_done_and_what_it_led_to_is_shown(run: Run) -> None:
    told = run("browse", "--do", 'type 1 "Ann; Bo"; click 2', "--json")
    assert told.exit_code == 0
    assert json.loads(told.stdout)["title"] == "sent Ann; Bo"


def test_line_break_in_a_script_sends_nothing(run: Run) -> None:
    done = run("browse", "--do", 'type 1 "Ann\nBo\n"', "--json")
    assert done.exit_code == 0
    shown = json.loads(done.stdout)
    assert (shown["title"], shown["elements"][0]["value"]) == ("Desk", "Ann Bo")
    assert [notice["code"] for notice in shown["notices"]] == ["line_breaks_removed"]


def test_a_session_goes_on_after_a_step_that_fails(run: Run) -> None:
    told = run("browse", typed="help\nclick 9\nsubmit 1 Ann\nquit\nclick 1\n")
    assert told.exit_code == 0
    assert '[1] textbox "Name" = "Ann"' in told.stdout
    assert "there is no element [9]" in told.stderr
    assert "choose an option of element 4" in told.stderr
    assert "sent Ann" in told.stderr


def test_a_script_that_fails_ends_with_its_exit_code(run: Run) -> None:
    assert run("browse", "--do", "click 9").exit_code == 4
    assert run("browse", "--do", "fly").exit_code == 4


def test_step_that_fails_on_an_error_page_has_the_status(tmp_path: Path) -> None:
    need_browser()
    site = Site(pages={"/": (404, {"Content-Type": "text/html"}, PAGE.encode())})
    server = serving(site)
    run = typed(site, tmp_path)
    failed = run("browse", "--do", "click 9", "--json")
    shown, text = (run("browse", "--do", step) for step in ("click 2", "read"))
    server.shutdown()
    server.server_close()
    assert failed.exit_code == 4
    assert "the server answered 404" in json.loads(failed.stdout)["error"]["hint"]
    assert "the server answered 404" in shown.stderr
    assert "the server answered 404" in text.stderr


def test_steps_have_the_names_of_the_actions_of_a_session(run: Run, tmp_path: Path) -> None:
    done = run("browse", "--do", f"snapshot; screenshot {tmp_path / 'page.png'}")
    assert (done.exit_code, (tmp_path / "page.png").read_bytes()[:4]) == (0, b"\x89PNG")
    former = run("browse", "--do", f"look; shot {tmp_path / 'former.png'}")
    assert (former.exit_code, (tmp_path / "former.png").exists()) == (0, True)
    for name, hint in (("capture", "screenshot"), ("clik", "click"), ("closetab", "close-tab"), ("goto", "go")):
        refused = run("browse", "--do", f"{name} 1")
        assert (refused.exit_code, f"did you mean {hint}?" in refused.stderr) == (4, True)
    assert set(_ACTIONS) >= set(get_args(Action)) - {"open", "list", "close"}


def test_a_picture_is_saved_where_it_is_wanted(run: Run, tmp_path: Path) -> None:
    told = run("screenshot", "--to", str(tmp_path / "page.png"), "--full")
    assert told.exit_code == 0
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")


def test_a_picture_is_taken_of_a_recording_without_the_site(tmp_path: Path) -> None:
    need_browser()
    site = Site(pages={"/": PAGE})
    server = serving(site)
    run = typed(site, tmp_path)
    recorded = str(tmp_path / "run.warc.gz")
    live = run("screenshot", "--to", str(tmp_path / "live.png"), "--record", recorded)
    server.shutdown()
    server.server_close()
    asked = len(site.asked)
    again = run("screenshot", "--to", str(tmp_path / "again.png"), "--replay", recorded)
    assert (live.exit_code, again.exit_code) == (0, 0)
    assert (tmp_path / "again.png").read_bytes() == (tmp_path / "live.png").read_bytes()
    assert len(site.asked) == asked
