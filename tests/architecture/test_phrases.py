"""Documentation, help, hints and messages use plain technical English."""

from __future__ import annotations

import pytest

from architecture import phrases
from architecture.sources import ROOT, Module, files, modules

NAMES = [path.relative_to(ROOT).as_posix() for path in files() if path.suffix == ".md"]
DOCUMENTS = [name for name in NAMES if name.startswith("docs/") or name in {"README.md", "CONTRIBUTING.md"}]

NORWEGIAN = "src/wellread/extraction/line_phrases.py"
"""Words of 45 languages: `mest lest` is no archaic English."""


@pytest.mark.parametrize("name", DOCUMENTS)
def test_document_is_plain(name: str) -> None:
    findings = phrases.in_document(Module(name, (ROOT / name).read_text(encoding="utf-8")))
    assert not findings, "\n".join(findings)


def test_messages_are_plain() -> None:
    findings = [
        finding for module in modules("src") if module.path != NORWEGIAN for finding in phrases.in_messages(module)
    ]
    assert not findings, "\n".join(findings)


@pytest.mark.parametrize(
    "text",
    [
        "The rules of the house.",
        "Rooms upstairs know rooms below them.",
        "Bytes come through the one\n  door.",
        "Every door offers it.",
        "The answer is a letter to the channel.",
        "Work a page by hand.",
        "A failure is told as an error.",
        "Whoever writes the page.",
        "It is read anew.",
        "It is sniffed, for servers lie about it.",
        "`loop.py` tells the whole story.",
        "```\n net   the one door\n```\n",
    ],
)
def test_planted_phrase_is_refused(text: str) -> None:
    assert phrases.in_document(Module("docs/planted.md", text))


@pytest.mark.parametrize(
    "text",
    [
        "`letter-spacing` spreads letters, and a box without room shows none.",
        "A page that fails makes room for the next; at a desk's width.",
        "The type `House` of `the house`.",
        "```console\n$ wellread remember 'The key of the house'\n```\n",
        "A reader for it is installed.",
        "The household.example site, warehouse, lighthouse.",
    ],
)
def test_technical_meaning_is_allowed(text: str) -> None:
    assert phrases.in_document(Module("docs/planted.md", text)) == []


def test_line_of_a_finding() -> None:
    (finding,) = phrases.in_document(Module("docs/planted.md", "a\nb\nread anew\n"))
    assert finding.startswith("docs/planted.md:3 'anew'")
    assert "'again'" in finding


@pytest.mark.parametrize(
    "source",
    [
        "raise Auth('the service refused', hint='connect anew')\n",
        "Notice('partial', f'{name} is told once')\n",
        "def f(x: Annotated[str, Option(help='Every door.')]): ...\n",
    ],
)
def test_planted_message_is_refused(source: str) -> None:
    assert phrases.in_messages(Module("src/wellread/planted.py", source))


def test_docstring_counts_only_as_help() -> None:
    source = 'def f():\n    """Read it anew."""\n'
    assert phrases.in_messages(Module("src/wellread/net/planted.py", source)) == []
    assert phrases.in_messages(Module("src/wellread/apps/commands/planted.py", source))
