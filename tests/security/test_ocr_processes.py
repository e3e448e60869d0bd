"""The command that recognises text: it dies with its parent, and gets neither a shell nor the caller's environment."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from processes import started
from wellread.types import OcrOptions
from wellread.worker.tesseract import Tesseract

if TYPE_CHECKING:
    from pathlib import Path

RECOGNIZE = (
    "import sys; from wellread.types import OcrOptions; from wellread.worker.tesseract import Tesseract; "
    "Tesseract(sys.argv[1], OcrOptions()).recognize(b'P5 1 1 255 0')"
)
RELEASE_S = 20.0
"""After so long a command that survived its parent is let go, and says so."""


def command(folder: Path, script: str) -> str:
    """Write a shell script in place of Tesseract."""
    path = folder / "tesseract"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's death signal is Linux's")
def test_command_dies_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    told, gate = tmp_path / "told", tmp_path / "gate"
    os.mkfifo(told)
    os.mkfifo(gate)
    script = f"exec 3>{told}\necho begun >&3\nread line <{gate}\necho survived >&3"
    words = [sys.executable, "-c", RECOGNIZE, command(tmp_path, script)]
    with started(words, env={"PYTHONPATH": os.pathsep.join(sys.path)}) as parent, told.open() as lines:
        assert lines.readline() == "begun\n"
        parent.send_signal(signal.SIGKILL)
        release = threading.Timer(RELEASE_S, _open, (gate,))
        release.start()
        assert lines.read() == ""
        release.cancel()


def _open(gate: Path) -> None:
    os.close(os.open(gate, os.O_RDWR))


def test_command_gets_a_fixed_environment_and_no_shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WELLREAD_SEARCH_KEYS", "brave=secret")
    seen = tmp_path / "seen"
    path = command(tmp_path, f'env >{seen}; pwd >>{seen}; echo "$@" >>{seen}; cat >/dev/null')
    recognition = Tesseract(path, OcrOptions(languages=("eng; touch /tmp/x", "$(id)"))).recognize(b"P5 1 1 255 0")
    text = seen.read_text()
    assert recognition.words == ()
    assert ("OMP_THREAD_LIMIT=1" in text, "secret" in text, "PYTHONPATH" in text) == (True, False, False)
    assert "-l eng; touch /tmp/x+$(id)" in text
    assert "\n/\n" in text


def test_command_that_does_not_end_is_killed(tmp_path: Path) -> None:
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    recognition = Tesseract(command(tmp_path, "exec sleep 300"), OcrOptions()).recognize(b"P5 1 1 255 0", stop=stop)
    assert "time" in recognition.problem


def test_command_that_ends_without_reading(tmp_path: Path) -> None:
    recognition = Tesseract(command(tmp_path, "echo broken >&2; exit 3"), OcrOptions()).recognize(bytes(1_000_000))
    assert recognition.problem == "tesseract ended with 3: broken"
