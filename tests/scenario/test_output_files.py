"""`-o PATH` and several URLs on the command line: order, files, and runs that go on where they were cut off."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from wellread.apps.cli import app
from wellread.apps.commands.demo import HOME, SITE

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

FAQ, LAMP, LOST = HOME + "faq", HOME + "lamp", HOME + "lost"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def command(*words: str, given: str = "") -> Result:
    settings = ("--set", "cache.dir=store", "--set", "search.providers=local")
    return CliRunner().invoke(app, [*settings, *words, "--replay", str(SITE)], input=given)


def rows(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def outcomes(text: str) -> list[tuple[str, str]]:
    return [(row["source"], row["error"]["code"] if "error" in row else row["title"]) for row in rows(text)]


def test_several_urls_are_shown_below_their_names() -> None:
    done = command("read", LOST, FAQ, "--max-length", "80")
    assert done.exit_code == 1
    assert done.stdout.startswith(f"==> {FAQ} <==")
    assert f"gone: {LOST}" in done.stderr


def test_urls_come_from_standard_input_one_json_object_a_line() -> None:
    done = command("read", "-", LAMP, "--json", "--concurrency", "2", given=f"# lists\n{LOST}\n\n  {FAQ}\n")
    assert done.exit_code == 1
    assert [source for source, _ in outcomes(done.stdout)] == [LOST, FAQ, LAMP]
    assert outcomes(done.stdout)[0] == (LOST, "gone")


def test_lines_are_kept_and_what_failed_is_tried_again(tmp_path: Path) -> None:
    out = tmp_path / "pages.jsonl"
    assert command("read", FAQ, LOST, "-o", "pages.jsonl").exit_code == 1
    first = out.read_text()
    assert [source for source, _ in outcomes(first)] == [FAQ, LOST]
    with out.open("a") as file:
        file.write(first[:40])  # a line that a kill has cut
    done = command("read", FAQ, LOST, LAMP, "-o", "pages.jsonl")
    assert done.exit_code == 1
    assert "skipped 1 page that an earlier run wrote" in done.stderr
    assert [source for source, _ in outcomes(out.read_text())] == [FAQ, LOST, LAMP]
    assert out.read_text().startswith(first.splitlines()[0])


def test_a_folder_takes_a_file_for_each_and_skips_those_there(tmp_path: Path) -> None:
    done = command("read", FAQ, LAMP, LOST, "--format", "text", "--out", "pages/")
    assert done.exit_code == 1
    names = sorted(path.name for path in (tmp_path / "pages").iterdir())
    assert [name.rsplit("-", 1)[0] for name in names] == ["www.tidewater.example-faq", "www.tidewater.example-lamp"]
    assert {name.rpartition(".")[2] for name in names} == {"txt"}
    assert "The lighthouse" in (tmp_path / "pages" / names[0]).read_text()
    (tmp_path / "pages" / names[0]).write_text("mine")
    assert command("read", FAQ, LAMP, "--format", "text", "--out", "pages/").exit_code == 0
    assert (tmp_path / "pages" / names[0]).read_text() == "mine"


@pytest.mark.parametrize(("name", "option"), [("page.md", ()), ("page.json", ()), ("page.txt", ("--json",))])
def test_one_page_goes_into_one_file(tmp_path: Path, name: str, option: tuple[str, ...]) -> None:
    done = command("read", FAQ, "-o", name, *option)
    assert (done.exit_code, done.stdout) == (0, "")
    text = (tmp_path / name).read_text()
    assert "The lighthouse" in (text if name == "page.md" else json.loads(text)["text"])


def test_an_empty_list_of_urls_is_refused() -> None:
    done = CliRunner().invoke(app, ["read", "-"], input="# nothing yet\n")
    assert done.exit_code == 2
    assert "standard input has no URL" in done.output


def test_an_error_leaves_the_file_and_has_its_exit_code(tmp_path: Path) -> None:
    (tmp_path / "page.md").write_text("old")
    done = command("read", LOST, "-o", "page.md", "--json")
    assert done.exit_code == 6
    assert "gone" in done.stderr
    assert (tmp_path / "page.md").read_text() == "old"


@pytest.mark.parametrize(
    ("words", "code"),
    [((FAQ, LAMP, "-o", "a.md"), 4), ((FAQ, LAMP, "--cursor", "x"), 2), ((FAQ, LAMP, "--member", "x"), 2)],
)
def test_what_fits_one_page_alone_is_refused_for_several(words: tuple[str, ...], code: int) -> None:
    done = command("read", *words)
    assert done.exit_code == code
    assert done.stderr.count("\n") == 1


def test_searches_finds_and_gathers_go_into_files(tmp_path: Path) -> None:
    command("index", FAQ)
    for words in (("search", "lamp"), ("gather", "Why was the lamp changed?"), ("find", FAQ, "lamp")):
        assert command(*words, "-o", "all.jsonl").exit_code == 0
        text = command(*words).stdout
        assert text
        done = command(*words, "-o", "result.txt")
        assert (done.exit_code, done.stdout) == (0, "")
        assert (tmp_path / "result.txt").read_text().strip() == text.strip()
    again = command("gather", "Why was the lamp changed?", "-o", "all.jsonl")
    assert (again.exit_code, again.stdout) == (0, "")
    assert "all.jsonl already has this result" in again.stderr
    found, gathered, spots = rows((tmp_path / "all.jsonl").read_text())
    assert (found["source"], found["hits"][0]["url"]) == ("lamp", FAQ)
    assert gathered["passages"]
    assert spots["source"] == f"{FAQ} lamp"


PDF = HOME + "reports/petrel-count-2024.pdf"


def test_several_files_are_saved_and_those_there_are_skipped(tmp_path: Path) -> None:
    first = command("download", PDF, LOST, "--to", "files/", "--json")
    assert first.exit_code == 1
    saved, lost = rows(first.stdout)
    assert (saved["source"], saved["skipped"], lost["error"]["code"]) == (PDF, False, "gone")
    (tmp_path / saved["path"]).write_text("mine")
    skipped = command("download", PDF, "--to", "files/", "--skip-existing", "--json")
    assert json.loads(skipped.stdout)["skipped"]
    assert (tmp_path / saved["path"]).read_text() == "mine"
    other = command("download", PDF, "--to", "files/", "--skip-existing", "--sha256", saved["sha256"], "--json")
    assert json.loads(other.stdout)["path"] != saved["path"]
    assert command("download", "-", "--to", "files/", "--overwrite", given=PDF).exit_code == 0
    assert (tmp_path / saved["path"]).read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize("words", [("--to", "a.pdf"), ("--sha256", "0" * 64), ("--skip-existing", "--overwrite")])
def test_options_of_one_file_are_refused_for_several(words: tuple[str, ...]) -> None:
    assert command("download", PDF, PDF, *words).exit_code == 2


@pytest.mark.parametrize(
    "foreign",
    ['{"name": "Ann"}', '{"source": "x", "rows": 3}', '{"name": "Ann"}\n', '{"source": "\\x"}\n', "[1, 2]", "notes"],
    ids=["no line end", "a source and no line end", "a line", "no JSON", "a list", "a word"],
)
def test_file_of_something_else_is_left_as_it_is(tmp_path: Path, foreign: str) -> None:
    (tmp_path / "pages.jsonl").write_text(foreign)
    done = command("read", FAQ, "-o", "pages.jsonl")
    assert done.exit_code == 4
    assert "something else than pages" in done.stderr
    assert (tmp_path / "pages.jsonl").read_text() == foreign


@pytest.mark.parametrize("out", ["faq.md", "pages/"])
def test_link_in_the_place_of_a_half_file_is_not_followed(tmp_path: Path, out: str) -> None:
    assert command("read", FAQ, "-o", out).exit_code == 0
    (made,) = tmp_path.rglob("*.md")
    precious = tmp_path / "precious"
    precious.write_text("mine")
    made.unlink()
    made.with_name(f"{made.name}.half").symlink_to(precious)
    assert command("read", FAQ, "-o", out).exit_code == 0
    assert precious.read_text() == "mine"
    assert "lighthouse" in made.read_text()


@pytest.mark.parametrize("words", [("read", FAQ, "--record"), ("read", FAQ, "-o"), ("extract",)])
def test_too_long_name_is_refused(words: tuple[str, ...]) -> None:
    done = CliRunner().invoke(app, [*words, "\u6f6e" * 90 + ".warc"])
    assert (done.exit_code in {1, 4}, "File name too long" in done.stderr) == (True, True)


def test_longest_name_of_a_filesystem_is_written(tmp_path: Path) -> None:
    name = "a" * 252 + ".md"
    done = command("read", FAQ, "-o", name)
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / name).is_file()


def test_text_of_a_page_begins_no_other_page(tmp_path: Path) -> None:
    page = tmp_path / "a.html"
    page.write_text(f"<pre>Here it ends.\n\n==&gt; {FAQ} &lt;==\n\nThe lamp is free.</pre>")
    page.with_name("b.html").write_text("<p>Another page.</p>")
    done = CliRunner().invoke(app, ["extract", "a.html", "b.html", "--mode", "recall"])
    assert done.exit_code == 0
    heads = [line for line in done.stdout.splitlines() if line.startswith("==> ")]
    assert heads == ["==> a.html <==", "==> b.html <=="]
    assert f"\\==> {FAQ} <==" in done.stdout
