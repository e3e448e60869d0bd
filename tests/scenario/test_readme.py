"""What the README and the page of each command show is what happens: it runs here, on the recorded site."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenario.shown import FENCE, check, commands, run, run_program, run_warm

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs" / "commands").glob("*.md"))
SHOWN = commands(README)
NOT_HERE = ("make ", "pip ", "git ", "cd ")
"""Commands that set things up, or that CI runs as such."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("number", range(len(SHOWN)), ids=[shown.command for shown in SHOWN])
def test_a_command_of_the_readme_prints_what_the_readme_shows(number: int, folder: Path) -> None:
    if SHOWN[number].command.startswith(NOT_HERE):
        pytest.skip("sets things up; CI runs it as such")
    if number and not (folder / "tidewater.warc.gz").exists():
        run(["wellread", "demo", "--save", "tidewater.warc.gz"], folder)
    check(SHOWN[number], folder, run_warm)


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_the_session_on_the_page_of_a_command_is_what_happens(page: Path, tmp_path: Path) -> None:
    sessions = commands(page.read_text(encoding="utf-8"))
    assert any(page.stem in shown.command for shown in sessions)
    run_warm(["wellread", "demo", "--save", "tidewater.warc.gz"], tmp_path)
    for shown in sessions:
        check(shown, tmp_path, run_warm)


@pytest.mark.parametrize("code", [block for language, block in FENCE.findall(README) if language == "python"])
def test_the_python_of_the_readme_runs(code: str, folder: Path) -> None:
    run_warm(["wellread", "demo", "--save", "tidewater.warc.gz"], folder)
    assert run_program(code, folder)


def test_the_readme_opens_with_a_result() -> None:
    assert "$ make demo" in "\n".join(README.splitlines()[:10])
