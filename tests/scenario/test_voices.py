"""How commands speak: colours and progress at a terminal, nothing of it in a pipe, and JSON as the API has it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from architecture.sources import ROOT
from warm import environment, run
from wellread.apps.commands.demo import HOME, SITE
from wellread.apps.operations.registry import BY_NAME

if TYPE_CHECKING:
    from pathlib import Path

PAGES = ROOT / "examples" / "demo_site" / "pages"
REPLAY = ("--replay", str(SITE))
QUESTION = "Why was the lamp of the lighthouse changed?"
SPOKEN = {
    "read": ("read", HOME + "hostile", "--all-notices", *REPLAY),
    "gather": ("gather", QUESTION, "--provider", "local", *REPLAY),
    "index": ("index", HOME + "faq", HOME + "reference", *REPLAY),
    "extract": ("extract", str(PAGES / "faq.html"), "--jobs", "1", "--out", "pages.jsonl"),
}


def at_a_terminal(*words: str, home: Path) -> str:
    """Run a command whose output and remarks both go to a terminal, and return what that got."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-c", "from wellread.apps.cli import main; main()", *words]
    told = environment(home, columns=100) | {"TERM": "xterm-256color"}
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=told, cwd=home) as process:
        os.close(theirs)
        shown = bytearray()
        try:
            while piece := os.read(ours, 65_536):
                shown += piece
        except OSError:  # Linux's way to say that nobody has the other end any more
            pass
        assert process.wait() == 0, shown
    os.close(ours)
    return shown.decode()


@pytest.mark.parametrize("name", SPOKEN)
def test_a_pipe_gets_neither_colours_nor_progress(name: str, tmp_path: Path) -> None:
    done = run(*SPOKEN[name], home=tmp_path, folder=tmp_path)
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err
    assert "\r" not in done.out + done.err
    assert "━" not in done.out + done.err


@pytest.mark.parametrize(("name", "shown"), [("read", "\x1b[2m! hidden_text"), ("index", "━"), ("extract", "pages")])
def test_a_person_at_a_terminal_gets_colours_and_sees_long_work_go_on(name: str, shown: str, tmp_path: Path) -> None:
    told = at_a_terminal(*SPOKEN[name], home=tmp_path)
    assert "\x1b[" in told
    assert shown in told


@pytest.mark.parametrize(
    ("operation", "words"),
    {
        "web_read": ("read", HOME + "reference", "--max-length", "900"),
        "web_search": ("search", "lamp", "--provider", "local"),
        "web_gather": ("gather", QUESTION, "--provider", "local"),
        "web_find": ("find", HOME + "faq", "petrel"),
        "web_facts": ("facts", HOME + "lamp"),
        "web_answer": ("answer", QUESTION, "--provider", "local"),
        "web_research": ("research", QUESTION, "--provider", "local"),
    }.items(),
)
def test_the_json_of_a_command_is_of_the_schema_that_the_api_has(
    operation: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    assert run(*SPOKEN["index"], home=tmp_path).code == 0
    done = run(*words, "--json", *REPLAY, home=tmp_path)
    assert (done.code, done.err) == (0, "")
    schema = BY_NAME[operation].result_schema()
    result = json.loads(done.out)
    result.pop("warnings", None)  # the earlier name of `notices`, which commands alone still write
    Draft202012Validator(schema).validate(result)
    assert set(schema["required"]) <= set(result)
