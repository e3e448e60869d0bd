"""`wellread connect`, `wellread disconnect`, and what doctor and tools say of integrations, as they are typed."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from click.testing import CliRunner

from contract.integration_fakes import accounts
from contract.integration_fakes.accounts import fault
from contract.integration_fakes.browser import granting, visit
from contract.integration_fakes.services import TOKEN_KEY, Services, services
from processes import started
from wellread.apps.cli import app
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wellread.config import Settings


@pytest.fixture
def google() -> Iterator[Services]:
    with services() as made:
        yield made


def flags(settings: Settings) -> list[str]:
    said = settings.integrations
    given = {
        "cache.dir": str(settings.cache.dir),
        "integrations.keys": ",".join(f"{name}={key.reveal()}" for name, key in said.keys.items()),
        "integrations.urls": ",".join(f"{name}={url.reveal()}" for name, url in said.urls.items()),
        "integrations.token_key": TOKEN_KEY,
        "schedule.timezone": "UTC",
    }
    return [part for name, value in given.items() for part in ("--set", f"{name}={value}")]


def told(settings: Settings, *words: str) -> Any:
    return CliRunner().invoke(app, [*flags(settings), *words])


async def held(google: Services, folder: Path) -> None:
    async for made in granting(google, folder):
        await made.finish(google.accounts.consent(await made.link()))


def test_the_commands_tell_connect_and_disconnect(google: Services, tmp_path: Path) -> None:
    settings = google.settings(tmp_path)
    assert "google     not connected; run `wellread connect google`" in told(settings, "connect").stdout
    anyio.run(held, google, tmp_path)
    states = json.loads(told(settings, "connect", "--json").stdout)
    assert states == [
        {"name": "google", "ok": True, "detail": "connected"},
        {"name": "linear", "ok": True, "detail": "its key is set"},
    ]
    assert "ok   integration google, linear" in told(settings, "assistant", "doctor").stdout
    assert "google is disconnected." in told(settings, "disconnect", "google").stdout
    assert google.accounts.refresh == {}
    assert "not connected" in told(settings, "connect").stdout


def test_unconfirmed_disconnection_deletes_the_tokens(google: Services, tmp_path: Path) -> None:
    settings = google.settings(tmp_path)
    anyio.run(held, google, tmp_path)
    google.accounts.broken = fault(400, "invalid_request")
    assert json.loads(told(settings, "disconnect", "google", "--json").stdout) == {"name": "google", "revoked": False}
    assert "not connected" in told(settings, "connect").stdout


@pytest.mark.parametrize("paste", [False, True], ids=["by the browser", "by pasting"])
def test_a_command_connects(google: Services, tmp_path: Path, *, paste: bool) -> None:
    words = [*flags(google.settings(tmp_path)), "connect", "google", *(["--paste"] if paste else [])]
    command = [sys.executable, "-m", "wellread", *words]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        back = google.accounts.consent(running.stdout.readline().strip())
        if paste:
            running.stdin.write(f"{back}\n")
            running.stdin.close()
        else:
            assert anyio.run(visit, back)[0] == 200
        assert running.stdout.read() == "google is connected.\n"
        assert running.wait(60) == 0
    assert len(google.accounts.refresh) == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("connect", "fax"), 4, "unknown integration 'fax'"),
        (("connect", "linear"), 4, "linear is connected with a key"),
        (("disconnect", "linear"), 4, "linear is connected with a key"),
    ],
)
def test_what_cannot_be_connected_is_told(
    words: tuple[str, ...], code: int, said: str, google: Services, tmp_path: Path
) -> None:
    done = told(google.settings(tmp_path), *words)
    assert done.exit_code == code
    assert said in done.output


def test_half_of_the_keys_is_told(google: Services, tmp_path: Path) -> None:
    settings = google.settings(tmp_path)
    half = replace(settings.integrations, keys={"google_client_id": Secret(accounts.CLIENT_ID)})
    settings = replace(settings, integrations=half)
    assert "google lacks keys; set google_client_id and google_client_secret" in told(settings, "connect").stdout
    assert told(settings, "connect", "google").exit_code == 3


def test_doctor_names_the_page_of_what_is_not_set_up(tmp_path: Path) -> None:
    bare = ["--set", f"cache.dir={tmp_path}", "--set", "models.chat=ollama:none"]
    checked = CliRunner().invoke(app, [*bare, "assistant", "doctor"])
    assert checked.exit_code == 0
    line = "-    integration google, linear: not set up: integrations.keys has no key of NAME; docs/NAME.md"
    assert line in checked.stdout.splitlines()
    for name in ("google", "linear"):
        refused = CliRunner().invoke(app, [*bare, "connect", name])
        assert (refused.exit_code, f"docs/{name}.md" in refused.stderr) == (3, True)
    assert "docs/google.md" in CliRunner().invoke(app, [*bare, "connect"]).stdout


def test_the_tools_are_listed_once_there_are_keys(google: Services, tmp_path: Path) -> None:
    listed = told(google.settings(tmp_path), "tools").stdout
    names = {
        "google_connect", "calendar_list_events", "calendar_create_event", "calendar_update_event",
        "calendar_delete_event", "gmail_search", "gmail_read", "gmail_draft", "gmail_send", "gmail_reply",
        "linear_create_issue", "linear_list_issues", "linear_update_issue", "linear_search",
    }  # fmt: skip
    assert {name for name in names if name not in listed} == set()
