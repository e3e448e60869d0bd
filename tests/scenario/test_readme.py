"""What the README and the page of each command show is what happens: it runs here, on the recorded site."""

from __future__ import annotations

from pathlib import Path

import pytest

from scenario.shown import FENCE, check, commands, run, run_program, run_warm
from wellread.net import warc

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = sorted((ROOT / "docs" / "commands").glob("*.md"))
SHOWN = commands(README)
NOT_HERE = ("make ", "pip ", "git ", "cd ")
"""Commands that set things up, or that CI runs as such."""
EXAMPLE_COM = b"""<!doctype html><html lang="en"><head><title>Example Domain</title></head><body><div>
<h1>Example Domain</h1><p>This domain is for use in documentation examples without needing permission. Avoid use in
operations.</p><p><a href="https://iana.org/domains/example">Learn more</a></p></div></body></html>"""
"""The words of https://example.com/, which the README reads from the live web and tests from a recording."""


def record_example_com(folder: Path) -> str:
    """Write a WARC file with https://example.com/ and return its name."""
    fields = (("WARC-Type", "response"), ("WARC-Target-URI", "https://example.com/"))
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(EXAMPLE_COM)
    record = warc.record_bytes(fields, "application/http;msgtype=response", head, EXAMPLE_COM, compress=False)
    (folder / "example.warc").write_bytes(record)
    return "example.warc"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("number", range(len(SHOWN)), ids=[shown.command for shown in SHOWN])
def test_a_command_of_the_readme_prints_what_the_readme_shows(number: int, folder: Path) -> None:
    if SHOWN[number].command.startswith(NOT_HERE):
        pytest.skip("sets things up; CI runs it as such")
    if number and not (folder / "tidewater.warc.gz").exists():
        run(["wellread", "demo", "--save", "tidewater.warc.gz"], folder)
    shown = SHOWN[number]
    if "example.com" in shown.command:
        shown = shown._replace(command=f"{shown.command} --replay {record_example_com(folder)}")
    check(shown, folder, run_warm)


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
    opening = "\n".join(README.splitlines()[:10])
    assert "$ wellread read example.com\n# Example Domain\n" in opening


def test_the_readme_shows_the_demo() -> None:
    assert "$ make demo" in [line.strip() for line in README.splitlines()]
