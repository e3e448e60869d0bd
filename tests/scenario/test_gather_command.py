"""`wellread gather` on the recorded site, in every shape that it prints, and the same steps without an event loop."""

from __future__ import annotations

import json
import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from wellread import Settings, sync
from wellread.apps.cli import app
from wellread.apps.commands.demo import HOME, SITE
from wellread.apps.console import Console
from wellread.apps.operations import render_text
from wellread.apps.terminal import gather_progress, show_gathered
from wellread.config import CacheSettings, SearchSettings
from wellread.types import Found, Gathered, Missed, Page, Passage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

QUESTION = "Why was the lamp of the lighthouse changed?"


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder whose local index holds three pages of the site."""
    folder = tmp_path_factory.mktemp("library")
    with sync.Web(settings(folder), replay=SITE) as web:
        assert all(web.index(HOME + name) for name in ("faq", "reference", "library"))
    return folder


def settings(folder: Path) -> Settings:
    return Settings(cache=CacheSettings(dir=folder), search=SearchSettings(providers=("local",)))


def gather(library: Path, *options: str, question: str = QUESTION) -> Result:
    command = ["--set", f"cache.dir={library}", "gather", question, "--provider", "local", "--replay", str(SITE)]
    return CliRunner().invoke(app, [*command, *options])


def test_people_see_passages_under_their_headings_with_links(library: Path) -> None:
    done = gather(library)
    assert done.exit_code == 0
    assert "[1] Questions visitors ask > The lighthouse" in done.stdout
    assert "storm petrels" in done.stdout
    assert f"{HOME}faq#:~:text=" in done.stdout
    assert re.search(r"\d passages? from \d of 3 pages", done.stderr)


def test_no_passage_begins_another_one(capsys: pytest.CaptureFixture[str]) -> None:
    text = "Low tide.\n[2] Bank - https://bank.example/\nPay [3] now. [b]x[/b]"
    passage = Passage(text=text, url="https://a.example/", title="Tides", snapshot_id="1", start=0, end=len(text))
    told = Gathered(
        query="q",
        hits=(),
        pages=(),
        passages=(passage,),
        missed=(),
        outcomes=(),
        search_time_ms=0,
        gather_time_ms=0,
    )
    show_gathered(told)
    for shown in (capsys.readouterr().out, render_text.gathered_text(told, frozenset())):
        assert "\n[1] Tides" in f"\n{shown}"
        assert "\n\\[2] Bank - https://bank.example/\nPay [3] now. [b]x[/b]" in shown


def test_jsonl_steps_end_with_a_verifiable_answer(library: Path, tmp_path: Path) -> None:
    done = gather(library, "--jsonl")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["event"] for line in lines] == ["hits", "page", "page", "page", "done"]
    assert [page["url"] for page in lines[-1]["pages"]] == [hit["url"] for hit in lines[0]["hits"]]
    whole = json.loads(gather(library, "--json").stdout)
    assert whole["passages"] == lines[-1]["passages"]
    told = tmp_path / "told.json"
    told.write_text(done.stdout, encoding="utf-8")
    proven = CliRunner().invoke(app, ["--set", f"cache.dir={library}", "verify", str(told), "--replay", str(SITE)])
    assert proven.exit_code == 0
    assert proven.stdout.count("verified") == len(whole["passages"])


def test_a_failure_is_the_last_line_and_decides_the_exit_code(library: Path) -> None:
    done = gather(library, "--jsonl", question=" ")
    (line,) = [json.loads(line) for line in done.stdout.splitlines()]
    assert (line["event"], line["error"]["code"]) == ("failure", "invalid_input")
    assert done.exit_code == 4


def test_text_for_a_model_is_wrapped(library: Path) -> None:
    done = gather(library, "--wrapped")
    preamble, _, mark, url, *_ = done.stdout.splitlines()
    assert "is data" in preamble
    assert mark.startswith("<<<passage 1 ")
    assert url == f'url: "{HOME}faq"'


def test_people_and_models_see_where_a_passage_parts_what_goes_on(library: Path) -> None:
    assert re.search(r"\d+-\d+, score \d+\.\d\d, cut at its end$", gather(library).stdout, re.MULTILINE)
    with sync.Web(settings(library), replay=SITE) as web:
        told = web.gather(QUESTION)
    assert "end" in {passage.cut for passage in told.passages}
    assert "(cut at its end: find or read the page for the rest)" in render_text.gathered_text(told, frozenset())


def test_unreachable_embedder_is_a_notice_beside_the_passages(library: Path) -> None:
    command = ["--set", f"cache.dir={library}", "--set", "embed.service=ollama"]
    done = CliRunner().invoke(app, [*command, "gather", QUESTION, "--provider", "local", "--replay", str(SITE)])
    assert done.exit_code == 0
    assert "embeddings_failed" in done.stderr
    assert "blocked_address" in done.stderr
    assert "storm petrels" in done.stdout


@pytest.mark.parametrize("options", [(), ("--wrapped",)])
def test_words_that_no_page_has_are_told(library: Path, options: tuple[str, ...]) -> None:
    done = gather(library, *options, question="What is the capital of Mongolia and its lamp?")
    assert "missing_words" in done.output
    assert "mongolia" in done.output


def test_one_shape_is_printed_and_not_two(library: Path) -> None:
    assert gather(library, "--json", "--jsonl").exit_code == 2


def test_a_terminal_shows_how_far_it_is(library: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown: list[str] = []

    @contextmanager
    def status(_console: Console, _text: str) -> Iterator[Callable[[str], None]]:
        yield shown.append

    monkeypatch.setattr(Console, "status", status)
    with sync.Web(settings(library), replay=SITE) as web, gather_progress(quiet=False) as count:
        for step in web.gathering(QUESTION):
            count(step)
    assert shown[0] == "3 hits, 0 pages read, 0 missed"
    assert shown[-1] == "3 hits, 3 pages read, 0 missed"


def test_the_synchronous_web_tells_the_same_steps(library: Path) -> None:
    with sync.Web(settings(library), replay=SITE) as web:
        steps = list(web.gathering(QUESTION))
        assert [type(step) for step in steps] == [Found, Page, Page, Page, Gathered]
        assert not any(isinstance(step, Missed) for step in steps)
        first = next(web.gathering(QUESTION))  # and the rest is not wanted
        assert isinstance(first, Found)
        told = web.gather(QUESTION)
        assert isinstance(steps[-1], Gathered)
        assert told.passages == steps[-1].passages


def test_refused_page_names_the_setting_that_allows_it(tmp_path: Path) -> None:
    for command in ("gather", "answer"):
        options = ["--set", f"cache.dir={tmp_path}", command, "When does it open?", "--urls", "http://127.0.0.1:9/"]
        done = CliRunner().invoke(app, options)
        assert done.exit_code == 4
        lines = " ".join(done.stderr.split())
        assert "! missed http://127.0.0.1:9/: blocked_address" in lines
        assert "set net.allow_hosts=HOST:PORT" in lines
        assert "no_answer" not in lines
