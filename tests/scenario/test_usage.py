"""Commands that are typed wrongly: one line in our own words with what would do, or JSON for whoever asked for it."""

from __future__ import annotations

import json
import shlex
from typing import TYPE_CHECKING

import click
import pytest
from click.testing import CliRunner

from warm import run
from wellread.apps.cli import app
from wellread.apps.commands.catalog import CATALOG
from wellread.apps.commands.examples import EXAMPLES

if TYPE_CHECKING:
    from pathlib import Path

TYPED = {
    "raed": "unknown command 'raed' (did you mean read?)",
    "frobnicate": "unknown command 'frobnicate' (see `wellread --help`)",
    "--confg x": "unknown option --confg (did you mean --config?)",
    "--set": "--set needs a value (see `wellread --help`)",
    "read u --set net.http2=false": "--set must be before the command (wellread --set ... read ...)",
    "read --fromat text u": "unknown option --fromat (did you mean --format?)",
    "read --format pdf u": "--format cannot be pdf (one of markdown, text, html, raw, links, json)",
    "read --max-length -5 u": "--max-length cannot be -5 (a number, at least 1)",
    "read --max-length ten u": "--max-length cannot be ten (a whole number)",
    "read --render maybe u": "--render cannot be maybe (one of auto, always, never)",
    "read": "URL is missing (http or https URLs; without a scheme, https is tried first. - reads URLs from standard "
    "input.)",
    "find u p v": "v is an unexpected argument (see `wellread find --help`)",
    "crawl u --out d --max-pages 3": "unknown option --max-pages (did you mean --limit?)",
    "crawl u --out d --max-depth 3": "unknown option --max-depth (did you mean --depth?)",
    "crawl u --output d": "unknown option --output (did you mean --out?)",
    "download u --output d": "unknown option --output (did you mean --to?)",
    "read u --allow-hosts a:1": "unknown option --allow-hosts (wellread --set net.allow_hosts=HOST:PORT read ...)",
    "read --url u": "unknown option --url (write the URL without an option: wellread read URL)",
    "gather q --url u": "unknown option --url (did you mean --urls?)",
    "gather q http://a.example/ http://b.example/": "http://a.example/ http://b.example/ is an unexpected argument "
    "(use --urls URL for each page to take passages of)",
    "research q --url u": "unknown option --url (a research searches by itself; "
    "`wellread answer QUESTION --urls URL` takes these pages)",
    "research q --urls u": "unknown option --urls (a research searches by itself; "
    "`wellread answer QUESTION --urls URL` takes these pages)",
    "search q --url u": "unknown option --url (`wellread read URL` reads a page)",
    "session open --url u": "unknown option --url (wellread session open URL)",
    "read u --max-chars 3": "unknown option --max-chars (did you mean --max-length?)",
    "read u --no-robots": "unknown option --no-robots (did you mean --user-asked?)",
    "facts --csv u": "unknown option --csv (use --out FILE.csv)",
    "watch run --all": "unknown option --all (`wellread watch run` checks all pages that are due)",
    "config get net.http2": "get net.http2 is an unexpected argument (`wellread config` shows every setting)",
    "index list": "list is not a file, folder or URL (run `wellread index --list`)",
    "scrape u": "unknown command 'scrape' (did you mean read?)",
    "help read": "unknown command 'help' (did you mean --help?)",
    "foo": "unknown command 'foo' (see `wellread --help`)",
    "read u --x": "unknown option --x (see `wellread read --help`)",
    "download u --out d": "unknown option --out (did you mean --to?)",
    "--render auto read u": "unknown option --render (options of a command must be after it: "
    "wellread COMMAND --render ...)",
    "search --count 500 q": "--count cannot be 500 (a number, at most 100)",
    "read u --json=yes": "--json takes no value (see `wellread read --help`)",
    "read u --format": "--format needs a value (see `wellread read --help`)",
    "tasks bogus": "action cannot be bogus (one of list, add, change, open, doing, done, dropped)",
}


@pytest.mark.parametrize("typed", TYPED)
def test_what_is_typed_wrongly_is_told_in_one_line_with_what_would_do(typed: str) -> None:
    done = CliRunner().invoke(app, typed.split())
    assert done.exit_code == 2
    assert done.stderr == f"usage: {TYPED[typed]}\n"
    assert done.stdout == ""


REFUSED = {
    "--config none.toml read u": (
        3,
        (
            "config: cannot read none.toml: No such file or directory (name a TOML file that you can read, with "
            "--config or WELLREAD_CONFIG)"
        ),
    ),
    "crawl http://a.example/ --out there": (
        4,
        "invalid_input: cannot crawl into there: a file of this name exists (name another folder by --out)",
    ),
    "gather ''": (4, "invalid_input: the question is empty (give the words to search for)"),
    "search ''": (4, "invalid_input: the query is empty (give the words to search for)"),
    "session click 1": (
        4,
        "invalid_input: there is no session default (open one with `wellread session open URL --name default`)",
    ),
}


@pytest.mark.parametrize("typed", REFUSED)
def test_input_that_cannot_be_used(typed: str, tmp_path: Path) -> None:
    (tmp_path / "there").touch()
    done = run(*shlex.split(typed), home=tmp_path, folder=tmp_path)
    assert (done.code, done.out, done.err) == (REFUSED[typed][0], "", f"{REFUSED[typed][1]}\n")


JSON = (
    *("raed --json", "read --json --fromat text u", "search q --count 500 --json", "gather q --json --jsonl"),
    *("gather q --jsonl --gather-top none", "read --format json --mode maybe u", "read --format=json"),
)


@pytest.mark.parametrize("typed", JSON)
def test_whoever_asks_for_json_gets_the_error_of_every_other_failure(typed: str) -> None:
    done = CliRunner().invoke(app, typed.split())
    assert done.exit_code == 2
    told = json.loads(done.stdout)["error"]
    assert told["code"] == "usage"
    assert told["message"]
    assert told["hint"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("listing", "adding"),
    [
        ("watch list", "watch add URL"),
        ("index --list", "index URL"),
        ("profile list", "login URL --profile NAME"),
        ("session list", "session open URL"),
        ("memory list", "memory add FACT"),
        ("knowledge list", "knowledge add FILE"),
        ("schedule list", "schedule add WHEN TASK"),
        ("tasks list", "tasks add TITLE"),
        ("chat --list", "chat"),
    ],
)
def test_an_empty_list_names_the_command_that_adds(listing: str, adding: str, tmp_path: Path) -> None:
    listed = run(*listing.split(), home=tmp_path)
    assert (listed.code, listed.out) == (0, "")
    assert listed.err.endswith(f"; to add one: wellread {adding}\n")
    assert len(listed.err.splitlines()) == 1
    assert run(*listing.split(), "--json", home=tmp_path).err == ""


@pytest.mark.parametrize(
    ("variables", "has_styles"),
    [
        ({}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"TTY_COMPATIBLE": "1"}, True),
        ({"TTY_COMPATIBLE": "0", "FORCE_COLOR": "1"}, False),
        ({"TERM": "dumb"}, False),
    ],
)
def test_styles_that_variables_ask_for(variables: dict[str, str], tmp_path: Path, *, has_styles: bool) -> None:
    assert ("\x1b[" in run("session", "list", home=tmp_path, variables=variables).err) == has_styles


def test_no_colour_leaves_bold_text(tmp_path: Path) -> None:
    colours = {"FORCE_COLOR": "1"}
    assert "31m" in run("raed", home=tmp_path, variables=colours).err
    plain = run("raed", home=tmp_path, variables=colours | {"NO_COLOR": "1"}).err
    assert ("\x1b[1m" in plain, "31m" in plain) == (True, False)


def test_header_is_another_name_of_headers(tmp_path: Path) -> None:
    for words in (["--header", "no colon"], ["--header=no colon"]):
        done = run("read", "http://a.example/", *words, home=tmp_path)
        assert (done.code, done.err.partition(":")[0]) == (2, "usage"), done.err
        assert "--headers: a header has no name before a colon" in done.err
    assert "did you mean --headers" not in run("crawl", "u", "--header", "A: b", home=tmp_path).err


def test_the_command_alone_shows_its_help_and_is_no_success() -> None:
    done = CliRunner().invoke(app, [])
    assert done.exit_code == 2
    assert "doctor" in done.stderr
    shown = [CliRunner().invoke(app, ["read", name]) for name in ("--help", "-h")]
    assert ([help_text.exit_code for help_text in shown], len({help_text.stdout for help_text in shown})) == ([0, 0], 1)
    assert CliRunner().invoke(app, ["--version"]).exit_code == 0


def command_named(name: str) -> click.Command:
    command = app.get_command(click.Context(app), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", CATALOG)
def test_help_explains_every_argument_with_examples(name: str) -> None:
    command = command_named(name)
    assert [each.name for each in command.params if not getattr(each, "help", None)] == []
    told = CliRunner().invoke(app, [name, "--help"], env={"COLUMNS": "100"}).stdout
    assert f"Usage: wellread {name} [OPTIONS]" in told
    assert "{" not in told.partition("\n")[0]
    shown = [line.strip() for line in told.partition("\nExamples:\n")[2].splitlines() if line.strip()]
    assert shown == [f"wellread {example}" for example in EXAMPLES[name]]


@pytest.mark.parametrize("example", [each for examples in EXAMPLES.values() for each in examples])
def test_an_example_of_the_help_is_understood(example: str) -> None:
    words = shlex.split(example.partition(" > ")[0])
    context = app.make_context("wellread", words)
    name, command, left = app.resolve_command(context, context._protected_args + context.args)
    assert name is not None
    assert command is not None
    assert example in EXAMPLES[name]
    command.make_context(name, left, parent=context)


def test_list_of_commands_has_whole_sentences() -> None:
    told = CliRunner().invoke(app, ["--help"], env={"COLUMNS": "100"}).stdout.partition("\nCommands:\n")[2]
    assert "..." not in told
    assert "step by step or with a script" in " ".join(told.split())


@pytest.mark.parametrize("name", CATALOG)
def test_catalog_has_first_sentence_of_each_command(name: str) -> None:
    assert command_named(name).get_short_help_str(500) == CATALOG[name].summary


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("browser.upstream", "ftp://x"),
        ("net.ca_file", "/nowhere.pem"),
        ("net.ca_file", "BROKEN"),
        ("net.proxy", "ftp://x"),
        ("render.wait", "p["),
    ],
)
def test_wrong_setting_ends_a_read_of_many_pages_at_once(name: str, text: str, tmp_path: Path) -> None:
    out, broken = tmp_path / "pages.jsonl", tmp_path / "broken.pem"
    broken.write_text("-----BEGIN CERTIFICATE-----\nzzzz\n-----END CERTIFICATE-----\n", encoding="utf-8")
    setting = f"{name}={text.replace('BROKEN', str(broken))}"
    words = ["--set", setting, "read", "http://127.0.0.1:1/a", "http://127.0.0.1:1/b", "--out", str(out)]
    ended = run(*words, home=tmp_path)
    assert ended.code == 3
    assert ended.err.count("config: ") == 1
    assert not out.exists() or out.read_text(encoding="utf-8") == ""
