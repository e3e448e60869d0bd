"""The commands remember, memory and knowledge: what they answer in JSON, and how they fail."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

MAIN = "from wellread.apps.cli import main; main()"


def run(*words: str, home: Path, code: str = MAIN, typed: str = "") -> tuple[int, str, str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.argv[0] = 'wellread'; {code}", *words],
        input=typed, capture_output=True, text=True, timeout=60, check=False,
        env={"HOME": str(home), "COLUMNS": "300"},
    )  # fmt: skip
    return done.returncode, done.stdout, done.stderr


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


def test_a_source_that_fails_costs_itself_alone_and_the_exit_code_tells(tmp_path: Path) -> None:
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


def test_without_its_libraries_the_memory_says_what_to_install(tmp_path: Path) -> None:
    bare = f"sys.modules |= dict.fromkeys(('sqlalchemy', 'semantic_text_splitter')); {MAIN}"
    for words in (("memory",), ("remember", "a word"), ("knowledge",)):
        code, _, err = run(*words, home=tmp_path, code=bare)
        assert (code, "pip install 'wellread[assistant]'" in err) == (3, True)
