"""What the README shows is what happens: its commands and its Python run here, on the recorded site."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
BLOCKS = FENCE.findall(README)
NOT_HERE = ("make ", "pip ", "git ", "cd ")
"""Commands that set things up, or that CI runs as such."""


def commands(block: str) -> list[tuple[str, list[str]]]:
    """Return each `$ command` with the lines shown under it; a line with … stands for any."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(lines[0], [line for line in lines[1:] if line.strip()]) for part in parts for lines in [part.splitlines()]]


SHOWN = [pair for language, block in BLOCKS if language == "console" for pair in commands(block)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("readme")


def run(arguments: list[str], folder: Path) -> str:
    environment = {"HOME": str(folder), "PATH": f"{Path(sys.executable).parent}:/usr/bin:/bin", "COLUMNS": "200"}
    done = subprocess.run(
        arguments, cwd=folder, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("number", range(len(SHOWN)), ids=[command for command, _ in SHOWN])
def test_a_command_of_the_readme_prints_what_the_readme_shows(number: int, folder: Path) -> None:
    command, expected = SHOWN[number]
    if command.startswith(NOT_HERE):
        pytest.skip("sets things up; CI runs it as such")
    if number and not (folder / "tidewater.warc.gz").exists():
        run(["wellread", "demo", "--save", "tidewater.warc.gz"], folder)
    head, _, target = command.partition(" > ")
    output = run(shlex.split(head), folder)
    if target:
        (folder / target).write_text(output[: output.rindex("}") + 1], encoding="utf-8")
    at = 0
    for line in expected:
        for part in filter(None, (part.strip() for part in line.split("…"))):
            assert part in output[at:], f"{part!r} is not in\n{output[at:]}"
            at = output.index(part, at) + len(part)


@pytest.mark.parametrize("code", [block for language, block in BLOCKS if language == "python"])
def test_the_python_of_the_readme_runs(code: str, folder: Path) -> None:
    run(["wellread", "demo", "--save", "tidewater.warc.gz"], folder)
    assert run([sys.executable, "-c", code], folder)


def test_the_readme_opens_with_a_result() -> None:
    assert "$ make demo" in "\n".join(README.splitlines()[:10])
