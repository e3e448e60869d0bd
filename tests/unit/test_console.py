"""The console of the command line prints the same text as rich's, with or without a terminal."""

from __future__ import annotations

import os
import re
import sys
from functools import partial
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich import markup as rich_markup
from rich.console import Console as RichConsole

from effort import work_grows_in_proportion
from wellread.apps import console as console_module
from wellread.apps.console import Console, escape, plain_text

TEXT = st.text(alphabet="a[]\\/\n#b=1 :", max_size=30)


@given(TEXT)
def test_text_is_printed_as_it_is_with_and_without_styles(text: str) -> None:
    markup = f"[dim]{escape(text)}[/] [bold red]x[/]"
    assert escape(text) == rich_markup.escape(text)
    assert plain_text(markup) == rich_markup.render(markup, emoji=False).plain


@pytest.mark.parametrize("piece", ["\\", "[a", "[a]", "\\[", "["])
def test_cost_of_brackets_and_backslashes(piece: str) -> None:
    assert work_grows_in_proportion(partial(escape, piece * 5_000), partial(escape, piece * 20_000))
    assert work_grows_in_proportion(partial(plain_text, piece * 5_000), partial(plain_text, piece * 20_000))


def test_styles_are_for_a_terminal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    console = Console()
    console.print("[green]ok[/] :wave: \\[1]")
    monkeypatch.setattr(console_module, "is_terminal_forced", lambda: True)
    styled = StringIO()
    monkeypatch.setattr(console, "rich", RichConsole(file=styled, force_terminal=True, emoji=False, highlight=False))
    console.print("[green]ok[/] :wave: \\[1]")
    assert capsys.readouterr().out == "ok :wave: [1]\n"
    assert re.sub(r"\x1b\[\d*m", "", styled.getvalue()) == "ok :wave: [1]\n"
    assert "\x1b[32mok" in styled.getvalue()


def test_streams_that_nobody_reads_change_no_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    remarks = Console(stderr=True)
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "w", encoding="utf-8") as pipe:
        monkeypatch.setattr(sys, "stderr", pipe)
        remarks.print("not found")
        remarks.print("nor this")
    monkeypatch.setattr(sys, "stderr", None)  # `2>&-`
    remarks.print("nor that")
    assert not remarks.is_terminal


def test_standard_output_that_is_closed_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdout", None)  # `>&-`
    with pytest.raises(OSError, match="closed"):
        Console().print("result")


def test_status_leaves_standard_output_that_is_a_pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    remarks, pipe = Console(stderr=True), StringIO()
    monkeypatch.setattr(console_module, "is_terminal_forced", lambda: True)
    monkeypatch.setattr(remarks, "rich", RichConsole(file=StringIO(), force_terminal=True))
    monkeypatch.setattr(sys, "stdout", pipe)
    with remarks.status("crawling") as show:
        sys.stdout.write("record\n")
        show("1 of 2")
    assert pipe.getvalue() == "record\n"


def test_captured_text_is_plain_and_not_printed(capsys: pytest.CaptureFixture[str]) -> None:
    console = Console()
    with console.capture() as captured:
        console.print("[bold]Tides[/]")
    console.print("after")
    assert (captured.getvalue(), capsys.readouterr().out) == ("Tides\n", "after\n")
