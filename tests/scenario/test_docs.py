"""The pages of docs/: they build into a site, and what they show of settings, Python and the shell is what happens."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from architecture.sources import ROOT
from processes import started
from scenario.shown import FENCE, check, commands, run, run_program, run_warm
from sites import SANDBOX, need_browser
from warm import environment
from warm import run as warm
from wellread.apps.commands.demo import HOME, SITE
from wellread.apps.commands.servers import setup

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

PAGES = sorted((ROOT / "docs").glob("*.md"))
BLOCKS = [(page.stem, *found) for page in PAGES for found in FENCE.findall(page.read_text(encoding="utf-8"))]
ELSEWHERE = re.compile(r"<(?:script|link|img|iframe)\b[^>]*\b(?:src|href)=[\"']?(?:https?:)?//")


def blocks(language: str, *pages: str) -> list[str]:
    return [text for page, spoken, text in BLOCKS if spoken == language and (not pages or page in pages)]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    (folder / "0.0").mkdir()
    run([sys.executable, str(ROOT / "docs" / "pages.py"), str(folder)], folder)
    return folder


def test_site_of_the_docs_keeps_older_versions(site: Path) -> None:
    told = json.loads((site / "versions.json").read_text(encoding="utf-8"))
    assert [each["version"] for each in told] == ["0.1", "0.0"]
    assert [each["aliases"] for each in told] == [["latest"], []]
    assert 'url=0.1/"' in (site / "index.html").read_text(encoding="utf-8")
    built = {path.parent.relative_to(site / "0.1").as_posix() for path in (site / "0.1").rglob("index.html")}
    written = {page.relative_to(ROOT).with_suffix("").as_posix() for page in (ROOT / "docs").rglob("*.md")}
    assert {name.removesuffix("/index") for name in written} <= built


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    pages = list((site / "0.1").rglob("*.html"))
    assert len(pages) > 40
    assert [path for path in pages if ELSEWHERE.search(path.read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize("code", blocks("python"))
def test_the_python_of_the_docs_runs(code: str, tmp_path: Path) -> None:
    if "tidewater.warc.gz" in code:
        run_warm(["wellread", "demo", "--save", "tidewater.warc.gz"], tmp_path)
    run_program(code, tmp_path)


def test_the_sessions_of_the_recipes_run(tmp_path: Path) -> None:
    for shown in commands((ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")):
        check(shown, tmp_path, run_warm)


@pytest.mark.parametrize("text", blocks("toml"))
def test_the_settings_that_the_docs_show_are_settings(text: str, tmp_path: Path) -> None:
    (tmp_path / "wellread.toml").write_text(text, encoding="utf-8")
    done = warm("--config", str(tmp_path / "wellread.toml"), "config", home=tmp_path)
    assert (done.code, done.err) == (0, "")
    assert "wellread.toml" in done.out


@pytest.mark.parametrize("client", ["claude-code", "claude-desktop", "vscode", "codex"])
def test_the_page_of_mcp_sets_a_client_up_as_the_command_does(client: str) -> None:
    line = setup(client, ["wellread", "mcp"])  # type: ignore[arg-type]  # a name of a client
    assert f"`{line}`" in (ROOT / "docs" / "mcp.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the recorded site, and yield the host and port."""
    home = tmp_path_factory.mktemp("served")
    sandbox = f"browser.sandbox={str(SANDBOX).lower()}"
    words = ["--set", sandbox, "--set", "server.logs=none", "serve", "--port", "0", "--replay", str(SITE)]
    command = [sys.executable, "-m", "wellread", *words]
    with started(command, stderr=subprocess.PIPE, text=True, env=environment(home), cwd=home) as server:
        assert server.stderr is not None
        yield server.stderr.readline().removeprefix("listening on http://").strip()
        server.terminate()
        assert server.wait(60) == 0


def shell(script: str, place: str, folder: Path) -> str:
    """Run lines of the docs against the server, on a page of the recording."""
    script = script.replace("localhost:8765", place).replace("https://example.com/", HOME + "faq")
    return run(["bash", "-ec", script], folder)


def test_the_first_call_of_the_api_is_answered(place: str, tmp_path: Path) -> None:
    start, _, call = blocks("sh", "http")[0].strip().partition("\n")
    assert start == "wellread serve &"
    assert json.loads(shell(call, place, tmp_path))["title"] == "Questions visitors ask"


def test_a_page_is_worked_by_the_lines_that_the_docs_show(place: str, tmp_path: Path) -> None:
    need_browser()
    ask, *lines = next(block for block in blocks("sh", "http") if block.startswith("ask()")).strip().splitlines()
    session = "tab_..."
    for line in lines:
        told = shell(f"{ask}\n{line.replace('tab_...', session)}", place, tmp_path)
        if told:
            answer = json.loads(told)
            session = answer["session"]
    assert len(lines) == 4
    assert answer["outcome"] == "closed"
    assert (tmp_path / "page.png").read_bytes().startswith(b"\x89PNG")
