"""What the papers promise is there: the files they link to, the commands and the targets they name."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from architecture.sources import ROOT, files
from wellread.apps.commands.catalog import CATALOG

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PAPERS = [path for path in files() if path.suffix == ".md"]
NAMES = [path.relative_to(ROOT).as_posix() for path in PAPERS]


def dead_links(paper: Path) -> list[str]:
    text = re.sub(r"```.*?```", "", paper.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if "://" not in link]
    return [link for link in links if link and not (paper.parent / link).exists()]


def unknown_words(text: str, leader: str, known: Iterable[str]) -> set[str]:
    """Return the words that follow `leader` in code and that nobody would understand."""
    code = "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, flags=re.DOTALL))
    return set(re.findall(rf"(?:^|[`$\s]){leader} (?!import\b)([a-z][a-z-]+)", code, re.MULTILINE)) - set(known)


def commands() -> set[str]:
    return set(CATALOG)


def targets() -> set[str]:
    return set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("paper", PAPERS, ids=NAMES)
def test_every_link_leads_to_a_file(paper: Path) -> None:
    assert dead_links(paper) == []


@pytest.mark.parametrize("paper", PAPERS, ids=NAMES)
def test_every_command_that_is_named_exists(paper: Path) -> None:
    assert unknown_words(paper.read_text(encoding="utf-8"), "wellread", commands()) == set()


@pytest.mark.parametrize("paper", PAPERS, ids=NAMES)
def test_every_make_target_that_is_named_exists(paper: Path) -> None:
    assert unknown_words(paper.read_text(encoding="utf-8"), "make", targets()) == set()


@pytest.mark.parametrize("paper", PAPERS, ids=NAMES)
def test_every_program_that_is_named_exists(paper: Path) -> None:
    text = paper.read_text(encoding="utf-8")
    programs = set(re.findall(r"(?<![\w/.-])((?:benchmarks|docs|examples|tests)/(?:\w+/)*\w+\.(?:py|sh))\b", text))
    assert {program for program in programs if "NAME" not in program and not (ROOT / program).is_file()} == set()


def test_every_command_is_named_in_the_readme() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert {name for name in commands() if f"wellread {name}" not in readme} == set()


def test_every_file_of_the_glossary_exists() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    owners = re.findall(r"\| `([\w/.]+)` \|$", text, re.MULTILINE)
    assert len(owners) >= 60
    assert [owner for owner in owners if not (ROOT / owner).is_file()] == []


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md", "docs/reader.md", "docs/model_card.md"])
def test_every_file_that_a_page_names_exists(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = [path for path in re.findall(r"`((?:\w+/)+\w+\.py)`", text) if "NAME" not in path]
    folders = (ROOT, ROOT / "src", ROOT / "src" / "wellread", ROOT / "benchmarks")
    assert len(paths) >= 10
    assert [path for path in paths if not any((folder / path).is_file() for folder in folders)] == []


def test_a_link_to_nowhere_is_seen(tmp_path: Path) -> None:
    paper = tmp_path / "paper.md"
    paper.write_text("[a](paper.md#part) [b](nowhere.md) [c](https://example.com/)\n```\n[d](code.md)\n```\n")
    assert dead_links(paper) == ["nowhere.md"]


def test_a_command_that_does_not_exist_is_seen() -> None:
    text = "wellread flies in prose; `wellread fly`\n```console\n$ wellread read URL\n$ wellread --help\n```\n"
    assert unknown_words(text, "wellread", {"read"}) == {"fly"}
