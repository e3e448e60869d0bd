"""The commands that open the interfaces: what they print, and what they refuse."""

from __future__ import annotations

import json
import shlex
import tomllib
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import TYPE_CHECKING

import pytest
import uvicorn
from fastapi import FastAPI

from architecture.sources import ROOT
from sites import Site, serving
from warm import MAIN, cold, run
from wellread import plugins
from wellread import tools as kits
from wellread.apps.commands.servers import setup
from wellread.apps.http.serve import serve_until_signal
from wellread.apps.operations.registry import OPERATIONS
from wellread.errors import ConfigError, WellreadError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_clients_of_the_shell_are_set_up_by_one_command(client: str) -> None:
    words = shlex.split(setup(client, ["/opt/my tools/wellread", "mcp"]))  # type: ignore[arg-type]  # a name of a client
    assert words[1:4] == ["mcp", "add", "wellread"]
    assert words[-2:] == ["/opt/my tools/wellread", "mcp"]


@pytest.mark.parametrize("client", ["claude-desktop", "cursor", "vscode"])
def test_setup_of_client_with_a_file(client: str) -> None:
    line = setup(client, ["wellread", "mcp"])  # type: ignore[arg-type]  # a name of a client
    told = json.loads(shlex.split(line)[-1] if client == "vscode" else line)
    entry = told if client == "vscode" else told["mcpServers"]["wellread"]
    assert (entry["command"], entry["args"]) == ("wellread", ["mcp"])
    assert "\n" not in line


def test_setup_of_a_client_keeps_the_settings(tmp_path: Path) -> None:
    (tmp_path / "my.toml").write_text("[render]\nenabled = false\n", encoding="utf-8")
    settings = ["--config", "my.toml", "--set", "net.allow_hosts=127.0.0.1:8000"]
    mcp = ["mcp", "--print-config", "cursor", "--tools", "slim"]
    printed = json.loads(run(*settings, *mcp, home=tmp_path, folder=tmp_path).out)
    kept = ["--config", str((tmp_path / "my.toml").resolve()), *settings[2:], "mcp", "--tools", "slim"]
    assert printed["mcpServers"]["wellread"]["args"] == kept
    assert run("--set", "net.alow_hosts=127.0.0.1:8000", *mcp, home=tmp_path).code == 3


def test_mcp_setup_and_tools_without_server_libraries(tmp_path: Path) -> None:
    bare = "sys.modules |= dict.fromkeys(('mcp', 'fastapi', 'uvicorn', 'prometheus_client')); "
    bare += MAIN
    code, out, err = cold("mcp", "--print-config", "claude-code", home=tmp_path, code=bare)
    assert (code, out.startswith("claude mcp add wellread -- ")) == (0, True)
    assert "pip install 'wellread[server]'" in err
    assert run("mcp", "--print-config", "claude-code", home=tmp_path)[2] == ""
    code, out, _ = cold("tools", "--format", "openai", home=tmp_path, code=bare)
    assert json.loads(out) == list(kits.openai())
    code, out, _ = run("tools", "--format", "anthropic", home=tmp_path, code=bare)
    assert json.loads(out) == list(kits.anthropic())
    code, out, _ = run("tools", "--json", home=tmp_path, code=bare)
    first = json.loads(out)[0]
    assert first["title"] == OPERATIONS[0].title
    assert first["annotations"]["readOnlyHint"] is True
    assert first["outputSchema"]["type"] == "object"
    code, _, err = cold("mcp", home=tmp_path, code=bare)
    assert code == 3
    assert "pip install 'wellread[server]'" in err
    code, _, err = cold("serve", "--port", "0", home=tmp_path, code=bare)
    assert code == 3
    assert "pip install 'wellread[server]'" in err


def test_new_key_is_shown_with_its_hash_and_no_keys_is_an_error(tmp_path: Path) -> None:
    code, out, _ = run("serve", "--new-key", "alice", "--json", home=tmp_path)
    made = json.loads(out)
    assert (code, made["name"], made["hash"].startswith("sha256:")) == (0, "alice", True)
    assert made["key"] not in made["hash"]
    code, _, err = run("serve", "--host", "0.0.0.0", home=tmp_path)
    assert code == 3
    assert "no keys are set" in err


def test_a_port_that_is_taken_is_told_as_such(tmp_path: Path) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, _, err = run("serve", "--port", port, home=tmp_path)
        bare = f"sys.modules |= dict.fromkeys(('mcp', 'fastapi', 'uvicorn')); {MAIN}"
        assert cold("serve", "--port", port, home=tmp_path, code=bare).err == err  # without loading the server
    assert code == 3
    assert "another program listens there (choose another port with --port)" in " ".join(err.split())
    assert len(err.splitlines()) == 1  # none of the library's own
    key = f"server.keys=a=sha256:{'0' * 64}"
    code, _, err = run("--set", key, "serve", "--host", "203.0.113.1", "--port", "0", home=tmp_path)
    assert code == 3
    assert "(name an address of this machine with --host)" in " ".join(err.split())


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("failure", "message"),
    [
        (ConfigError("the key of the store is wrong", hint="set store.key"), "^the key of the store is wrong"),
        (OSError("no space"), "the server could not start: no space"),
    ],
)
async def test_application_that_cannot_start_says_why(failure: Exception | None, message: str) -> None:
    @asynccontextmanager
    async def failing(_app: FastAPI) -> AsyncIterator[None]:
        if failure is not None:
            raise ExceptionGroup("", [failure])
        yield

    config = uvicorn.Config(FastAPI(lifespan=failing), port=0, log_config=None)
    with pytest.raises(WellreadError, match=message):
        await serve_until_signal(config, pytest.fail)


@pytest.mark.parametrize(
    ("setting", "choices"),
    [
        ("server.mcp_answers", "auto, both, text, structured"),
        ("server.logs", "console, json, none"),
        ("browse.dialogs", "accept, dismiss"),
    ],
)
def test_choice_setting_is_checked_first(tmp_path: Path, setting: str, choices: str) -> None:
    code, _, err = run("--set", f"{setting}=loud", "config", home=tmp_path)
    assert code == 3
    assert f"{setting} in flag: expected one of {choices}, got 'loud'" in err


def test_doctor_lists_plugins_and_extras_with_remedies(tmp_path: Path) -> None:
    code, out, _ = run("--set", "search.providers=brave,tavily", "doctor", "--offline", "--json", home=tmp_path)
    told = {finding["name"]: (finding["ok"], finding["detail"]) for finding in json.loads(out)}
    for kind in plugins.KINDS:
        label = "shared store" if kind == "stores" else kind[:-1]
        assert {name for name in told if name.startswith(f"{label} ")} == {
            f"{label} {name}" for name in plugins.names(kind)
        }
    assert code == 1
    assert told["provider brave"][0] is False
    assert "search.keys" in told["provider brave"][1]
    assert told["provider tavily"] == (True, "needs no key")
    assert told["provider serper"][0] is None
    assert told["embedder openai"] == (None, "set embed.service=openai to use it")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = {name.removeprefix("extra ") for name in told if name.startswith("extra ")}
    assert named == set(project["optional-dependencies"]) - {"all"}
    gone = "import importlib.metadata as m; found = m.distribution\n"
    gone += "def lose(name):\n    if name in ('mcp', 'uvicorn'): raise m.PackageNotFoundError(name)\n"
    gone += "    return found(name)\n"
    gone += "m.distribution = lose\n" + MAIN
    _, out, _ = run("doctor", "--offline", "--json", home=tmp_path, code=gone)
    told = {finding["name"]: (finding["ok"], finding["detail"]) for finding in json.loads(out)}
    assert told["extra server"] == (None, "pip install 'wellread[server]' (lacks mcp, uvicorn)")


@pytest.fixture
def clock_site() -> Iterator[Site]:
    site = Site()
    server = serving(site)
    yield site
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("off", "age", "ok", "said"),
    [
        (timedelta(0), "0", True, " UTC, the same as "),
        (timedelta(hours=-2), "7200", True, " UTC, the same as "),
        (timedelta(hours=-2), "0", False, "s ahead of "),
        (timedelta(hours=+2), "0", False, "s behind "),
    ],
)
def test_the_doctor_asks_for_a_page_and_compares_the_clocks(
    clock_site: Site, tmp_path: Path, off: timedelta, age: str, *, ok: bool, said: str
) -> None:
    sent = {"Date": format_datetime(datetime.now(UTC) + off, usegmt=True), "Age": age}
    clock_site.pages["/"] = (200, sent, b"here")
    allowed = f"net.allow_hosts=127.0.0.1:{clock_site.port}"
    code, out, _ = run("--set", allowed, "doctor", "--url", clock_site.url(), "--json", home=tmp_path)
    told = {finding["name"]: (finding["ok"], finding["detail"]) for finding in json.loads(out)}
    assert told["network"][0] is True
    assert clock_site.paths() == ["/"]
    assert (told["clock"][0], code) == (ok, 0 if ok else 1)
    assert said in told["clock"][1]
    assert ("timedatectl" in told["clock"][1]) is not ok


def test_doctor_checks_the_server_of_replicas(tmp_path: Path) -> None:
    settings = {"WELLREAD_SHARED_URL": "redis://:hidden@127.0.0.1:9/0"}
    code, out, _ = run("doctor", "--url", "http://127.0.0.1:9/", "--json", home=tmp_path, variables=settings)
    findings = {finding["name"]: (finding["ok"], finding["detail"]) for finding in json.loads(out)}
    is_ok, detail = findings["shared server"]
    assert (code, is_ok) == (1, False)
    assert "127.0.0.1:9/0: the server of shared.url does not answer" in detail
    assert "hidden" not in out


def test_doctor_without_a_network(tmp_path: Path) -> None:
    gone = Site()
    server = serving(gone)
    server.shutdown()
    server.server_close()
    allowed = f"net.allow_hosts=127.0.0.1:{gone.port}"
    code, out, _ = run("--set", allowed, "doctor", "--url", gone.url(), "--json", home=tmp_path)
    told = {finding["name"]: (finding["ok"], finding["detail"]) for finding in json.loads(out)}
    assert (code, told["network"][0], told["clock"][0]) == (1, False, None)
    assert "--offline" in told["network"][1]
    assert told["full-text search"][0] is True
