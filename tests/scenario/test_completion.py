"""Shells complete what is typed: the scripts are printed, and asking as they do names commands and options."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

RUN = "import sys; sys.argv[0] = 'wellread'; from wellread.apps.cli import main; main()"


def run(*words: str, **variables: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        env=os.environ | variables, capture_output=True, text=True, check=False, timeout=60,
    )  # fmt: skip
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_for_a_shell_asks_this_command(shell: str) -> None:
    script = run(_WELLREAD_COMPLETE=f"{shell}_source")
    assert f"_WELLREAD_COMPLETE={shell}_complete" in script


@pytest.mark.parametrize(
    ("typed", "offered"), [("wellread re", "read"), ("wellread read --ma", "--max-length"), ("wellread se", "serve")]
)
def test_what_is_typed_is_completed(typed: str, offered: str) -> None:
    count = str(len(typed.split()) - 1)
    completions = run(_WELLREAD_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=count).splitlines()
    assert f"plain,{offered}" in completions
