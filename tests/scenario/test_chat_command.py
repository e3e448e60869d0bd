"""`wellread chat` and `wellread assistant doctor`, as they are typed, against a service on loopback."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from contract.model_fakes import KEY, OpenAI, called, said
from sites import Asked, Site, serving
from warm import MAIN, cold
from wellread.apps.cli import app
from wellread.apps.commands.assistant import _show_message
from wellread.apps.console import stderr_console
from wellread.assistant.outbox import OutboxMessage

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from click.testing import Result

    Run = Callable[..., Result]


class Model:
    """A service that answers from a script; a status stands for a failure."""

    def __init__(self) -> None:
        self.script: list[Any] = []
        self.site = Site(pages={"/v1/chat/completions": self._answer})

    def _answer(self, asked: Asked) -> tuple[int, dict[str, str], bytes]:
        OpenAI().check("", {"authorization": asked.headers["Authorization"]}, json.loads(asked.body))
        step = self.script.pop(0)
        if isinstance(step, int):
            return step, {"Content-Type": "application/json"}, json.dumps(OpenAI().failure(step)).encode()
        return 200, {"Content-Type": "text/event-stream"}, b"".join(OpenAI().events(step))


@pytest.fixture
def model() -> Iterator[Model]:
    made = Model()
    server = serving(made.site)
    yield made
    server.shutdown()
    server.server_close()


@pytest.fixture
def run(model: Model, tmp_path: Path) -> Run:
    settings = (
        "models.chat=openai:gpt-4o-mini",
        f"models.keys=openai={KEY}",
        f"models.urls=openai={model.site.url('/v1')}",
        "models.backoff_s=0",
        "assistant.learn=false",
        f"cache.dir={tmp_path / 'store'}",
        f"assistant.workspace={tmp_path / 'desk'}",
    )

    def command(*options: str, typed: str = "", unset: str = "") -> Result:
        kept = [each for each in settings if not unset or not each.startswith(unset)]
        before = [part for each in kept for part in ("--set", each)]
        return CliRunner().invoke(app, [*before, *options], input=typed)

    return command


def write(text: str) -> list[Any]:
    return [called("file_write", json.dumps({"path": "a.txt", "text": text}))]


def test_a_message_is_answered_and_the_command_ends(run: Run, model: Model) -> None:
    model.script = [said("The sea ", "is calm.")]
    told = run("chat", "How is the sea?")
    assert (told.exit_code, told.stdout) == (0, "The sea is calm.\n")
    assert "nothing was changed" in told.stderr


def test_tools_are_named_consent_is_asked_and_receipts_are_shown(run: Run, model: Model, tmp_path: Path) -> None:
    model.script = [write("low water at 9:30"), said("It is written.")]
    told = run("chat", typed="Write it down\ny\nexit\n")
    assert (tmp_path / "desk" / "a.txt").read_text() == "low water at 9:30"
    assert "file_write" in told.stderr
    assert "write a new file a.txt\ntext: low water at 9:30" in told.stderr
    assert "✓ file written: a.txt, 17 bytes" in told.stderr
    assert told.stdout == "It is written.\n"


def test_a_question_shows_signs_that_would_hide_or_turn_the_text(run: Run, model: Model) -> None:
    model.script = [write("safe\u202e txt.exe\u200b\u0007"), said("It is not written.")]
    told = run("chat", typed="Write it down\nn\nexit\n")
    assert "safe\\u202e txt.exe\\u200b\\u0007" in told.stderr


def test_a_value_that_is_folded_begins_no_line_as_a_question_does(
    run: Run, model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stderr_console.rich, "width", 40)
    model.script = [write(f"low water{' ' * 26}Do it? y/N y\nDo it? y/N y"), said("It is not written.")]
    lines = run("chat", typed="Write it down\nn\nexit\n").stderr.splitlines()
    assert "| Do it? y/N y" in lines
    assert [line for line in lines if "Do it?" in line and not line.startswith(("| ", "    "))] == []


@pytest.mark.parametrize("word", ["", "n", "no", "maybe"])
def test_whatever_is_not_a_yes_is_a_no(run: Run, model: Model, word: str, tmp_path: Path) -> None:
    model.script = [write("x"), said("I have written it for you.")]
    told = run("chat", typed=f"Write it down\n{word}\nexit\n")
    assert not (tmp_path / "desk" / "a.txt").exists()
    assert "No tool has saved, sent or changed anything" in told.stderr


def test_a_question_that_was_left_open_is_asked_again(run: Run, model: Model, tmp_path: Path) -> None:
    model.script = [write("later"), said("It is not done."), write("later"), said("Now it is.")]
    first = run("chat", "--json", typed="Write it down\n")
    asked = [json.loads(line) for line in first.stdout.splitlines() if '"asked"' in line and '"approval"' in line]
    conversation = asked[0]["approval"]["conversation_id"]
    second = run("chat", "--conversation", conversation, typed="Write it, then\ny\nexit\n")
    assert second.exit_code == 0
    assert (tmp_path / "desk" / "a.txt").read_text() == "later"


LOOKED = """
class Typed:
    lines = ['exit', '\\n']

    def isatty(self):
        return True

    def readline(self):
        heavy = {'pydantic_ai', 'sqlalchemy', 'openai', 'anthropic'}
        sys.stderr.write(f"loaded: {sorted(heavy & set(sys.modules))}\\n")
        return self.lines.pop()

sys.stdin = Typed()
"""


def test_prompt_appears_before_model_libraries_are_loaded(tmp_path: Path) -> None:
    words = ("--set", "models.chat=openai:gpt-4o-mini", "--set", "models.fallback=anthropic:claude-sonnet-5")
    keys = ("--set", "models.keys=openai=x,anthropic=y")
    told = cold(*words, *keys, "chat", home=tmp_path, code=f"{LOOKED}{MAIN}")
    first, second = (line for line in told.err.splitlines() if line.startswith("> "))
    assert (told.code, first) == (0, "> loaded: []")
    assert second == "> loaded: ['pydantic_ai', 'sqlalchemy']", "a model that nobody has asked loads nothing"


def test_each_event_is_a_line_of_json(run: Run, model: Model) -> None:
    model.script = [said("The sea ", "is calm.")]
    lines = [json.loads(line) for line in run("chat", "How is the sea?", "--json").stdout.splitlines()]
    assert [line["event"] for line in lines] == ["heard", "heard", "reply"]
    assert lines[-1]["text"] == "The sea is calm."
    assert lines[-1]["spent"]["output_tokens"] == 15


def test_a_turn_that_fails_is_told_and_the_talk_goes_on(run: Run, model: Model) -> None:
    model.script = [401, said("Here again.")]
    told = run("chat", typed="One\nTwo\nexit\n")
    assert told.exit_code == 0
    assert "auth" in told.stderr
    assert KEY not in told.output
    assert "Here again." in told.stdout


def test_a_single_message_that_fails_ends_with_its_exit_code(run: Run, model: Model) -> None:
    model.script = [500, 500, 500]
    assert run("chat", "Hello").exit_code == 5


def test_words_of_a_model_do_not_steer_the_terminal(run: Run, model: Model) -> None:
    model.script = [said("calm\x1b[2J sea")]
    assert "\x1b" not in run("chat", "Hello").stdout


async def test_words_of_a_letter_do_not_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    await _show_message(
        OutboxMessage("l1", "terminal", "c1", "owner", "calm\x1b[2J sea", maybe_sent=False, attempts=1), json=False
    )
    assert "calm[2J sea" in capsys.readouterr().err


def test_without_a_model_there_is_no_talk(run: Run) -> None:
    told = run("chat", "Hello", unset="models.chat")
    assert told.exit_code == 3
    assert "no language model is set" in told.stderr


def test_a_conversation_that_is_not_there_is_told(run: Run) -> None:
    told = run("chat", "Hello", "--conversation", "nobody")
    assert (told.exit_code, "there is no conversation called 'nobody'" in told.stderr) == (4, True)
    told = run("chat", "Hello", "--continue")
    assert (told.exit_code, "there is no conversation yet" in told.stderr) == (4, True)


def test_conversations_are_listed_and_gone_on_with(run: Run, model: Model) -> None:
    assert json.loads(run("chat", "--list", "--json").stdout) == {"conversations": []}
    model.script = [said("The sea is calm."), said("Brown."), said("Still calm.")]
    run("chat", typed="How is\nexit\n")
    run("chat", "What colour is a whelk?")
    listed = json.loads(run("chat", "--list", "--json").stdout)["conversations"]
    assert [(it["opening"], it["messages"], it["channel"]) for it in listed] == [
        ("What colour is a whelk?", 2, "chat"),
        ("How is", 2, "chat"),
    ]
    told = run("chat", "--conversation", listed[1]["id"][:8], typed="And now?\nexit\n")
    assert (told.exit_code, told.stdout) == (0, "Still calm.\n")
    assert "user: How is\nassistant: The sea is calm." in told.stderr
    assert "The sea is calm." in model.site.asked[-1].body.decode()
    lines = [line.split("\t") for line in run("chat", "--list").stdout.splitlines()]
    assert [(line[0], line[2], line[4]) for line in lines] == [
        (listed[1]["id"][:8], "4 messages", "How is"),
        (listed[0]["id"][:8], "2 messages", "What colour is a whelk?"),
    ]
    model.script = [said("It is.")]
    assert run("chat", "--continue", "Is it?").stdout == "It is.\n"
    assert "Still calm." in model.site.asked[-1].body.decode()


def test_a_conversation_is_listed_by_what_it_was_about(run: Run, model: Model) -> None:
    facts = json.dumps({"topic": "Colours of whelks", "facts": []})
    model.script = [said("Brown."), said(facts)]
    assert run("chat", "What colour is a whelk?", unset="assistant.learn").exit_code == 0
    listed = run("chat", "--list").stdout.strip()
    assert listed.endswith("2 messages\tchat\tColours of whelks")
    found = run("memory", "search", "colours").stdout
    assert f"conversation {listed[:8]}: Colours of whelks" in found


@pytest.mark.parametrize(
    "words", [("--list", "--continue"), ("--list", "Hello"), ("--continue", "--conversation", "abcd")]
)
def test_wishes_that_shut_each_other_out_are_refused(run: Run, words: tuple[str, ...]) -> None:
    assert run("chat", *words).exit_code == 4


def test_the_doctor_says_what_is_there_and_asks_no_model(run: Run, model: Model) -> None:
    told = run("assistant", "doctor", "--json")
    findings = {it["name"]: it for it in json.loads(told.stdout)}
    assert told.exit_code == 0
    assert "openai:gpt-4o-mini at http://127.0.0.1" in findings["model chat"]["detail"]
    assert findings["store"]["ok"]
    assert KEY not in told.stdout
    assert model.site.asked == []


def test_the_doctor_says_what_is_missing(run: Run) -> None:
    told = run("assistant", "doctor", unset="models.chat")
    assert told.exit_code == 1
    assert "fail models: no language model is set" in told.stdout
