"""The commands remember, memory and knowledge: what they answer in JSON, and how they fail."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from warm import MAIN, cold, run

if TYPE_CHECKING:
    from pathlib import Path


def test_a_fact_is_stated_corrected_and_forgotten_by_its_id(tmp_path: Path) -> None:
    code, out, _ = run("memory", "add", "I live in Bern", "--json", home=tmp_path)
    fact = json.loads(out)
    assert (code, fact["text"], fact["confidence"]) == (0, "I live in Bern", 1.0)
    code, out, _ = run("memory", "correct", fact["id"], "I live in", "Basel", home=tmp_path)
    assert (code, "1.00 other I live in Basel" in out) == (0, True)
    code, out, _ = run("memory", "forget", fact["id"], "--json", home=tmp_path)
    assert (code, json.loads(out)["wiped"]) == (0, True)
    assert json.loads(run("memory", "--json", home=tmp_path)[1]) == {"facts": []}
    code, _, err = run("memory", "correct", "x", home=tmp_path)
    assert (code, "wellread memory correct ID FACT" in err) == (4, True)


def test_failing_source_among_others_and_its_exit_code(tmp_path: Path) -> None:
    file = tmp_path / "tides.md"
    file.write_text("# Tides\n\nThe whelk keeps to the lower shore, and the limpet to the upper.")
    code, out, _ = run("knowledge", "add", "nothing.md", str(file), "http://10.0.0.1/", "--json", home=tmp_path)
    told = json.loads(out)
    assert (code, [kept["source"] for kept in told["kept"]]) == (1, [file.as_uri()])
    assert [failed["code"] for failed in told["failed"]] == ["invalid_input", "blocked_address"]
    code, out, _ = run("remember", "-", "--title", "Keys", home=tmp_path, typed="Behind the blue door.")
    assert (code, out.split("\t")[0], out.strip().endswith("Keys")) == (0, "kept", True)
    code, out, _ = run("knowledge", "search", "which shore", "--json", home=tmp_path)
    (passage,) = json.loads(out)["passages"]
    assert passage["url"] == file.as_uri()


def test_a_folder_is_taken_in_with_all_below_it_that_can_be_read(tmp_path: Path) -> None:
    folder = tmp_path / "notes"
    (folder / "old").mkdir(parents=True)
    (folder / "boat.md").write_text("The boat needs new ropes before spring.")
    (folder / "old" / "club.txt").write_text("The club's barometer is set on Mondays.")
    (folder / "old" / "empty.txt").write_text("")
    (folder / ".secret.txt").write_text("Hidden words about ropes.")
    (folder / "picture.bin").write_bytes(bytes(range(256)))
    (folder / "elsewhere.txt").symlink_to("/etc/hostname")
    code, out, _ = run("knowledge", "add", str(folder), "--json", home=tmp_path)
    told = json.loads(out)
    kept = [(folder / name).as_uri() for name in ("boat.md", "old/club.txt")]
    assert (code, [it["source"] for it in told["kept"]]) == (1, kept)
    assert [it["code"] for it in told["failed"]] == ["empty"]
    assert told["passed_over"] == [str(folder / "picture.bin")]
    listed = json.loads(run("knowledge", "--json", home=tmp_path)[1])["documents"]
    assert sorted(it["source"] for it in listed) == kept
    code, out, err = run("knowledge", "add", str(folder), home=tmp_path)
    assert (code, out.count("unchanged\t"), "skipped 1 file of other kinds" in err) == (1, 2, True)


def test_without_its_libraries_the_memory_says_what_to_install(tmp_path: Path) -> None:
    bare = f"sys.modules |= dict.fromkeys(('sqlalchemy', 'semantic_text_splitter')); {MAIN}"
    ended = [cold("memory", home=tmp_path, code=bare)]
    ended += [run(*words, home=tmp_path, code=bare) for words in (("remember", "a word"), ("knowledge",))]
    for code, _, err in ended:
        assert (code, "pip install 'wellread[assistant]'" in err) == (3, True)


def test_pieces_are_as_long_as_the_settings_say(tmp_path: Path) -> None:
    log = " ".join(f"On day {day} the whelk was seen on the lower shore." for day in range(60))
    short = ("--set", "assistant.chunk_tokens=60", "--set", "assistant.chunk_overlap=10")
    told = [json.loads(run(*sizes, "remember", log, "--json", home=tmp_path)[1]) for sizes in ((), short)]
    assert [kept["outcome"] for kept in told] == ["kept", "replaced"]
    assert 5 * told[0]["chunks"] < told[1]["chunks"]
    code, _, err = run("--set", "assistant.chunk_overlap=512", "remember", log, home=tmp_path)
    assert (code, "is not below assistant.chunk_tokens" in err) == (3, True)
