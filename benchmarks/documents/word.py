"""Measures the readers of Word and RTF: which words of a text they return, and the CPU time of a file.

    PYTHONPATH=src python benchmarks/documents/word.py [--words 3000] [--keep FOLDER]

A made-up text with headings, lists, a table, links, notes and quotations is written by pandoc (docx, rtf, odt), and
that of pandoc is written again by LibreOffice (docx, rtf), where these programs are installed; `by script` is RTF in
the way of WordPad, with code pages. Recall is the share of the words of the text, each counted as often as it occurs,
that the reader returns; order is the share of neighbouring words that it returns as neighbours.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from wellread.documents.docx import DocxExtractor
from wellread.documents.rtf import RtfExtractor
from wellread.output import print_document
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Iterable

RUNS: Final = 3
_LETTERS: Final = {
    "en": ("bdklmnrst", "aeio"),
    "de": ("bdkmnrstß", "aeiäöü"),
    "ru": ("бвгдклмнрст", "аеиоуя"),
    "el": ("βγδκλμνρστ", "αεηιοω"),
    "ja": ("港東京海船", "のがはに"),
}
_WORD: Final = re.compile(r"\w+")
_TIMEOUT_S: Final = 180


def made_words(rng: random.Random, language: str, count: int) -> list[str]:
    """Return words of a language that means nothing."""
    consonants, vowels = _LETTERS[language]
    return [
        "".join(rng.choice(consonants) + rng.choice(vowels) for _ in range(rng.randint(1, 4))) for _ in range(count)
    ]


def made_text(rng: random.Random, word_count: int) -> str:
    """Return a text in Markdown: its sections hold paragraphs, lists, a table, a quotation, a link and a note."""
    sections: list[str] = []
    total = 0
    while total < word_count:
        language = rng.choice(sorted(_LETTERS))
        words = made_words(rng, language, 150)
        total += len(words)
        line = [" ".join(words[at : at + 10]) for at in range(0, 150, 10)]
        number = len(sections)
        sections.append(
            f"# {line[0]}\n\n{line[1]} **{line[2]}** {line[3]}[^{number}]. [{line[4]}](https://shore.example/{number})\n\n"
            f"1. {line[5]}\n2. {line[6]}\n    - {line[7]}\n    - {line[8]}\n\n> {line[9]}\n\n"
            f"| {words[100]} | {words[101]} |\n|---|---|\n| {words[102]} | {words[103]} |\n\n"
            f"## {line[11]}\n\n{line[12]}\n\n{line[13]}\n\n[^{number}]: {line[14]}\n"
        )
    return "\n".join(sections)


def plain_words(markdown: str) -> list[str]:
    """Return the words that a reader of the text sees: no addresses, marks of notes, numbers or signs of Markdown."""
    text = re.sub(r"\]\(\S*\)|\[\^\d+\]:?|^\s*\d+\.\s|^\|---.*$", " ", markdown, flags=re.MULTILINE)
    return _WORD.findall(text)


def by_script(markdown: str) -> bytes:
    """Return RTF in the way of WordPad: a paragraph for each line, letters beyond ASCII as Unicode escapes."""
    lines = [" ".join(plain_words(line)) for line in markdown.splitlines()]
    body = "".join(f"\\pard\\sa200\\f0\\fs22 {_escaped(line)}\\par\r\n" for line in lines if line)
    return f"{{\\rtf1\\ansi\\ansicpg1252\\deff0{{\\fonttbl{{\\f0\\fnil Calibri;}}}}\\uc1\r\n{body}}}".encode("ascii")


def _escaped(text: str) -> str:
    return "".join(_escape(char) for char in text)


def _escape(char: str) -> str:
    if char.isascii():
        return char
    if ord(char) < 0x100:
        return f"\\'{ord(char):02x}"
    return f"\\u{ord(char) - 0x10000 * (ord(char) > 0x7FFF)}?"


def files(folder: Path, markdown: str) -> dict[str, Path]:
    """Return the files that the programs at hand make of a text, by program and format."""
    source = folder / "text.md"
    source.write_text(markdown, encoding="utf-8")
    made = {"rtf by script": folder / "script.rtf"}
    made["rtf by script"].write_bytes(by_script(markdown))
    pandoc, office = shutil.which("pandoc"), shutil.which("soffice")
    if pandoc is None:
        return made
    for suffix in ("docx", "rtf", "odt"):
        target = folder / f"pandoc.{suffix}"
        subprocess.run([pandoc, "-s", str(source), "-o", str(target)], check=True, timeout=_TIMEOUT_S)
        made[f"{suffix} by pandoc"] = target
    text = made.pop("odt by pandoc")
    if office is None:
        return made
    for suffix, filter_name in (("docx", "docx:MS Word 2007 XML"), ("rtf", "rtf")):
        command = [office, "--headless", "--convert-to", filter_name, "--outdir", str(folder / "office"), str(text)]
        subprocess.run(command, check=True, timeout=_TIMEOUT_S, capture_output=True)
        made[f"{suffix} by LibreOffice"] = folder / "office" / f"pandoc.{suffix}"
    return made


def share(wanted: Iterable[object], present: Iterable[object]) -> float:
    """Return the share of things, each as often as it occurs, that are present."""
    needed, there = Counter(wanted), Counter(present)
    return (needed & there).total() / max(needed.total(), 1)


def read(path: Path) -> tuple[str, float]:
    """Return the text that the reader gives, and the CPU seconds of the fastest of three runs."""
    extractor = RtfExtractor() if path.suffix == ".rtf" else DocxExtractor()
    source = Source(body=path.read_bytes(), media_type=extractor.media_types[0])
    seconds = []
    for _ in range(RUNS):
        began = time.process_time()
        document = extractor.extract(source).document
        seconds.append(time.process_time() - began)
    return print_document(document, "text").text, min(seconds)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures the readers of Word and RTF.")
    parser.add_argument("--words", type=int, default=3_000, help="words of the text")
    parser.add_argument("--keep", type=Path, help="a folder for the files that are made")
    options = parser.parse_args()
    markdown = made_text(random.Random(7), options.words)
    wanted = plain_words(markdown)
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        print(f"{'file':22} {'bytes':>9} {'recall':>7} {'order':>7} {'ms':>7}")
        for name, path in files(folder, markdown).items():
            text, seconds = read(path)
            present = _WORD.findall(text)
            recall, order = share(wanted, present), share(pairwise(wanted), pairwise(present))
            print(f"{name:22} {path.stat().st_size:9,} {recall:7.4f} {order:7.4f} {seconds * 1_000:7.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
