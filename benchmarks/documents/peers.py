"""Compares what wellread and markitdown lose of a folder of documents whose contents are known.

    PYTHONPATH=src python benchmarks/documents/peers.py FOLDER [--python PYTHON_OF_MARKITDOWN] [--details]

Beside each document `NAME.SUFFIX` of the folder lies `NAME.expect.txt`, with lines of the form `check: value`:

    must, must-re    a text, or a regular expression, that is to be found in what is read
    not, not-re      one that is not to be found
    count-re         `N REGEX`: found N times
    order            `a | b | c`: found in this order
    link             an address that is in the text, or among the links
    file             the document, where another one of the same name lies beside it

Other lines are passed over: they are about settings and warnings, which not every reader has. A document that cannot be
read loses all. markitdown is run by the Python of an environment of its own, for it pins other versions of libraries:

    python -m venv peers && peers/bin/pip install 'markitdown[all]==0.1.9'

Each reader has a process for each document, and a minute.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

TREE: Final = Path(__file__).parents[2]
TIMEOUT_S: Final = 60
_SEEN_CHARS: Final = 60
_WELLREAD: Final = """
import json, pathlib, sys, wellread
path = pathlib.Path(sys.argv[1])
page = wellread.extract(path.read_bytes(), url="https://files.example/" + path.name)
print(json.dumps({"text": page.text, "links": page.links}))
"""
_MARKITDOWN: Final = """
import json, sys, markitdown
print(json.dumps({"text": markitdown.MarkItDown().convert(sys.argv[1]).text_content, "links": []}))
"""
_VERSION: Final = "import importlib.metadata, sys; print(importlib.metadata.version(sys.argv[1]))"


class Reader(NamedTuple):
    """A program that is compared."""

    name: str
    python: str
    program: str

    def version(self) -> str:
        """Return the version that is installed."""
        done = subprocess.run([self.python, "-c", _VERSION, self.name], capture_output=True, text=True, check=False)
        return done.stdout.strip() or "of this tree"

    def read(self, path: Path) -> Reading:
        """Return what the reader makes of a document."""
        environment = {**os.environ, "PYTHONPATH": str(TREE / "src") if self.name == "wellread" else ""}
        try:
            done = subprocess.run(
                [self.python, "-c", self.program, str(path)],
                capture_output=True,
                text=True,
                check=False,
                timeout=TIMEOUT_S,
                env=environment,
            )
        except subprocess.TimeoutExpired:
            return Reading("", (), f"no answer in {TIMEOUT_S} s")
        if done.returncode:
            return Reading("", (), (done.stderr.strip() or "no text").rpartition("\n")[2][:200])
        answer = json.loads(done.stdout.rpartition("\n{")[2] if "\n{" in done.stdout.rstrip() else done.stdout)
        return Reading(answer["text"], tuple(answer["links"]), "")


class Reading(NamedTuple):
    """What a reader made of a document."""

    text: str
    links: tuple[str, ...]
    error: str


def is_kept(reading: Reading, check: str, value: str) -> bool:
    """Tell whether a check passes; of a document that could not be read, none does."""
    return not reading.error and _CHECKS[check](reading, value)


def _is_counted(reading: Reading, value: str) -> bool:
    count, _, pattern = value.partition(" ")
    return len(re.findall(pattern, reading.text, re.MULTILINE)) == int(count)


def _is_ordered(reading: Reading, value: str) -> bool:
    places = [reading.text.find(part.strip()) for part in value.split("|")]
    return -1 not in places and places == sorted(places)


_CHECKS: Final[dict[str, Callable[[Reading, str], bool]]] = {
    "must": lambda reading, value: value in reading.text,
    "must-re": lambda reading, value: re.search(value, reading.text) is not None,
    "not": lambda reading, value: value not in reading.text,
    "not-re": lambda reading, value: re.search(value, reading.text) is None,
    "link": lambda reading, value: value in reading.text or any(value in link for link in reading.links),
    "count-re": _is_counted,
    "order": _is_ordered,
}


def cases(folder: Path) -> list[tuple[Path, list[tuple[str, str]]]]:
    """Return the documents of a folder with their checks; those that are made when they are tested have none."""
    found = []
    for expect in sorted(folder.glob("*.expect.txt")):
        lines = [row.split(": ", 1) for row in expect.read_text("utf-8").splitlines() if ": " in row]
        name = expect.name.removesuffix(".expect.txt")
        named = dict(lines).get("file")
        document = (
            folder / named if named else next((path for path in folder.glob(f"{name}.*") if path != expect), None)
        )
        checks = [(check, value) for check, value in lines if check in _CHECKS]
        if document is not None and checks:
            found.append((document, checks))
    return found


def main() -> None:
    """Read every document with every reader, and print what each loses."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="documents with their expect files")
    parser.add_argument("--python", default=sys.executable, help="the Python of markitdown's environment")
    parser.add_argument("--details", action="store_true", help="print each check that fails")
    chosen = parser.parse_args()
    readers = [Reader("wellread", sys.executable, _WELLREAD), Reader("markitdown", chosen.python, _MARKITDOWN)]
    losses: dict[str, dict[str, int]] = {reader.name: defaultdict(int) for reader in readers}
    totals: dict[str, int] = defaultdict(int)
    documents: dict[str, int] = defaultdict(int)
    unread: dict[str, int] = defaultdict(int)
    for path, checks in cases(chosen.folder):
        totals[path.suffix] += len(checks)
        documents[path.suffix] += 1
        for reader in readers:
            reading = reader.read(path)
            unread[reader.name] += bool(reading.error)
            lost = [f"{check}: {value}" for check, value in checks if not is_kept(reading, check, value)]
            losses[reader.name][path.suffix] += len(lost)
            if chosen.details and lost:
                reason = reading.error or "; ".join(text[:_SEEN_CHARS] for text in lost)
                print(f"{reader.name} | {path.name} | {len(lost)} of {len(checks)} | {reason}", flush=True)
    named = {reader.name: f"{reader.name} {reader.version()}" for reader in readers}
    print(f"| suffix | documents | checks | {' | '.join(f'lost by {name}' for name in named.values())} |")
    print(f"| --- | --- | --- |{' --- |' * len(readers)}")
    for suffix in sorted(totals):
        counts = " | ".join(str(losses[reader.name][suffix]) for reader in readers)
        print(f"| {suffix} | {documents[suffix]} | {totals[suffix]} | {counts} |")
    sums = " | ".join(str(sum(losses[reader.name].values())) for reader in readers)
    print(f"| all | {sum(documents.values())} | {sum(totals.values())} | {sums} |")
    print("not read at all: " + ", ".join(f"{unread[reader.name]} by {reader.name}" for reader in readers))


if __name__ == "__main__":
    main()
