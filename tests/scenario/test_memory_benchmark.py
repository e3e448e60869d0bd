"""The benchmark of the memory works on a set in the format that it describes, and on the one that it comes with."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"
SAID = [
    ("D1:1", "user", "What do you keep on the boat?"),
    ("D1:2", "assistant", "A barometer, you told me."),
    ("D2:1", "user", "My sister plays the cello in Tartu."),
    ("D2:2", "assistant", "How lovely."),
]


def printed(program: str, *words: str | Path) -> str:
    command = [sys.executable, str(BENCHMARKS / program), *map(str, words)]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def test_benchmark_of_a_set_in_the_documented_format(tmp_path: Path) -> None:
    turns = [
        {"id": name, "conversation": name.partition(":")[0], "speaker": speaker, "text": text, "at_ms": number * 60_000}
        for number, (name, speaker, text) in enumerate(SAID)
    ]
    memory = {
        "turns": turns,
        "facts": [{"text": "Has a sister who plays the cello", "category": "relationship", "turn": "D2:1"}],
        "questions": [
            {"text": "Who plays the cello?", "evidence": ["D2:1"], "group": "en"},
            {"text": "What does nobody know?", "evidence": []},
        ],
    }
    (tmp_path / "set.json").write_text(json.dumps({"about": "Four turns.", "memories": [memory]}))
    told = printed("memory.py", tmp_path / "set.json")
    assert "Four turns.\n4 turns, 1 facts" in told
    assert re.search(r"evidence recall at +5 +10 +20 +tokens injected at 5, 10, 20\n", told)
    assert re.search(r"ours: windows of three turns +1\.000 +1\.000 +1\.000 +\d+, \d+, \d+\n", told)
    assert "2 recalls" in told, "the question without evidence is left out, the other asked within two budgets"


def test_the_set_that_comes_with_it_is_in_that_format() -> None:
    (memory,) = json.loads(printed("memory_set.py"))["memories"]
    known = {turn["id"] for turn in memory["turns"]}
    assert (len(memory["turns"]), len(memory["questions"])) == (1_080, 180)
    assert all(set(asked["evidence"]) <= known for asked in memory["questions"])
    assert {asked["group"] for asked in memory["questions"]} == {"de", "en", "fr", "ja", "ru", "zh"}
