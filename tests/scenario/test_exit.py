"""How the process of a command ends: with what `atexit` has, and without waiting for a thread."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from warm import environment
from wellread.apps.commands.demo import HOME, SITE

if TYPE_CHECKING:
    from pathlib import Path

PAGE = "<title>Shore</title><main><h1>Shore</h1><p>The limpet keeps to the lower shore, where the weed is thick.</p>"
PROGRAM = """
import atexit, sys, threading
from wellread.apps.cli import main
atexit.register(print, "the end")
if sys.argv.pop(1) == "busy":
    threading.Thread(target=threading.Event().wait).start()
main()
"""


def ended(home: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run a command in an interpreter of its own; a thread of a `busy` one never ends."""
    (home / "page.html").write_text(PAGE, encoding="utf-8")
    command = [sys.executable, "-c", PROGRAM, *words]
    return subprocess.run(
        command, env=environment(home), cwd=home, capture_output=True, text=True, timeout=100, check=True
    )


@pytest.mark.parametrize("words", [("read", HOME, "--replay", str(SITE)), ("extract", "page.html")])
@pytest.mark.parametrize("thread", ["idle", "busy"])
def test_command_runs_the_functions_of_atexit(words: tuple[str, ...], thread: str, tmp_path: Path) -> None:
    assert ended(tmp_path, thread, *words).stdout.endswith("the end\n")
