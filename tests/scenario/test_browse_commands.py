"""The commands `browse` and `screenshot`, as they are typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from sites import SANDBOX, Site, need_browser, serving
from wellread.apps.cli import app

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
