"""Console blocks of the docs: what they type, what they show, and a run that compares the two."""

from __future__ import annotations

import re
import shlex
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import warm

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
_EXIT = re.compile(r"\[exit code (\d)\]")


class Shown(NamedTuple):
    """A command, the lines under it in order, and the exit code that the last of them may tell."""

    command: str
    lines: list[str]
    code: int


def commands(text: str) -> list[Shown]:
    """Return each `$ command` of the console blocks; a line with … stands for any."""
    found = []
    for language, block in FENCE.findall(text):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:] if language == "console" else ():
            command, *lines = (line for line in part.splitlines() if line.strip())
            code = _EXIT.fullmatch(lines[-1]) if lines else None
            found.append(Shown(command, lines[:-1] if code else lines, int(code[1]) if code else 0))
    return found


def run(arguments: list[str], folder: Path, *, code: int = 0) -> str:
    done = subprocess.run(
        arguments, cwd=folder, env=warm.environment(folder), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == code, done.stderr
    return done.stdout + done.stderr


def run_warm(arguments: list[str], folder: Path, *, code: int = 0) -> str:
    """Run a command; `wellread` itself begins with its libraries loaded."""
    if arguments[0] != "wellread":
        return run(arguments, folder, code=code)
    done = warm.run(*arguments[1:], home=folder, folder=folder)
    assert done.code == code, done.err
    return done.out + done.err


def run_program(code: str, folder: Path) -> str:
    """Run Python that begins with its libraries loaded, and return what it prints."""
    done = warm.run(home=folder, folder=folder, code=code)
    assert done.code == 0, done.err
    return done.out


def check(shown: Shown, folder: Path, run: Callable[..., str] = run) -> None:
    """Run a command; what is shown of it must come in this order, its words at any distance."""
    head, _, target = shown.command.partition(" > ")
    output = run(shlex.split(head), folder, code=shown.code)
    if target:
        (folder / target).write_text(output[: output.rindex("}") + 1], encoding="utf-8")
    at, output = 0, " ".join(output.split())
    for line in shown.lines:
        for part in filter(None, (" ".join(part.split()) for part in line.split("…"))):
            assert part in output[at:], f"{part!r} is not in\n{output[at:]}"
            at = output.index(part, at) + len(part)
