"""Text files that servers send as text/plain: source code, data, logs and Markdown are read as what they are."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from effort import work_grows_in_proportion
from unit.served import read_served
from wellread.documents.plain import PlainExtractor
from wellread.documents.text_types import text_type
from wellread.text.characters import without_invisible
from wellread.types import Source

CHANGELOG = """# Changelog

## 2.0.0

- Drops `old_call()`; see [the guide](https://docs.example/move)

```toml
[tool]
name = "x_y"
```
"""
LLMS = """# Harbour API

> Tide tables as JSON.

## Docs

- [Quick start](https://harbour.example/start.md): first *steps*
- [Errors](https://harbour.example/errors.md)
"""
MAKEFILE = "CC ?= cc\n\nall: main.o\n\t$(CC) -o app $<  # *link*\n"
GO = 'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Println("a_b * c")\n}\n'
TOML = '[server]\nport = 80\n\n[[hosts]]\nname = "a_*"\n'
ACCESS_LOG = (
    '192.0.2.1 - - [05/Mar/2024:10:00:00 +0000] "GET /_a_ HTTP/1.1" 200 12\n'
    '192.0.2.2 - - [05/Mar/2024:10:00:01 +0000] "GET /*b* HTTP/1.1" 404 0\n'
)
SYSLOG = "Mar  5 10:00:00 host kernel: [0.0] *boot*\nMar  5 10:00:01 host sshd[12]: user __root__\n"


@pytest.mark.parametrize(("name", "text"), [("CHANGELOG.md", CHANGELOG), ("llms.txt", LLMS)])
def test_markdown_served_as_plain_text(name: str, text: str) -> None:
    page = read_served(text, "text/plain; charset=utf-8", name)
    assert page.text.rstrip() == text.rstrip()
    assert len(page.headings) == 2


@pytest.mark.parametrize(("name", "language", "text"), [("Makefile", "makefile", MAKEFILE), ("main.go", "go", GO)])
def test_source_code_served_as_plain_text(name: str, language: str, text: str) -> None:
    page = read_served(text, "text/plain", name)
    assert page.text == f"```{language}\n{text.rstrip()}\n```"


@pytest.mark.parametrize(
    ("name", "language", "text"), [("config.toml", "toml", TOML), ("x.json", "json", '{\n  "a_*": [\n    1\n  ]\n}\n')]
)
def test_data_served_as_plain_text(name: str, language: str, text: str) -> None:
    page = read_served(text, "text/plain", name)
    assert page.text == f"```{language}\n{text.rstrip()}\n```"


@pytest.mark.parametrize(("name", "text"), [("access.log", ACCESS_LOG), ("messages", SYSLOG)])
def test_log_served_as_plain_text(name: str, text: str) -> None:
    page = read_served(text, "text/plain", name)
    assert page.text == f"```log\n{text.rstrip()}\n```"


DIFF = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a_*\n+b_*\n c\n"
YAML = "version: 2\njobs:\n  build:\n    steps:\n      - run: make *all*\n"
ENV = "# settings\nHOST=localhost\nPORT=80\nNAME=a_*_b\n"
SCRIPT = "#!/usr/bin/env python3\nprint('a_*')\n"
PYTHON = 'import os\n\n\ndef run(a, *b):\n    """Run."""\n    return os.name\n'
MANUAL = '.\\" Licence\n.TH LEDGER 1 2026\n.SH NAME\nledger \\- keep *one* a_b\n.B ledger\n[\\fIfile\\fR]\n'
NDJSON = '{"a": "x_*"}\n{"a": 2}\n'
TSV = "port\tlow\nWeir\t0.4\nMill\t0.7\n"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("diff", DIFF),
        ("yaml", YAML),
        ("ini", ENV),
        ("python", SCRIPT),
        ("python", PYTHON),
        ("json", NDJSON),
        ("log", SYSLOG),
        ("go", GO),
        ("ini", TOML),
        ("roff", MANUAL),
    ],
)
def test_text_without_a_telling_name(language: str, text: str) -> None:
    assert read_served(text, "text/plain", "raw").text == f"```{language}\n{text.rstrip()}\n```"


def test_tab_separated_values_without_a_telling_name() -> None:
    assert read_served(TSV, "text/plain", "raw").text.startswith("| port | low |")


def test_feed_served_as_plain_text() -> None:
    feed = "<?xml version='1.0'?><rss><channel><title>Mill</title><item><title>One</title></item></channel></rss>"
    assert read_served(feed, "text/plain", "raw").text == "# Mill\n\n## One"


PROSE = [
    "To do:\n- buy rope\n- mend the net\n",
    "Subject: Low water\nFrom: ann@weir.example\n\nDear Bo,\n\nthe tide was low; the boats lay dry.\nYours, Ann\n",
    "2024-03-05  Ann  <ann@weir.example>\n\n\t* mill.c (turn): Stop at noon.\n",
    "Roses, red,\nViolets, blue,\nSugar, sweet,\n",
    "At 10:00:00 it began.\n10:30:00 was the end of it, and all\nwent home with what\nthey had.\n",
    "Use a * b = c; or #1 (of 3).\n\n#2 is better, see http://weir.example/[x](y).\n",
]


@pytest.mark.parametrize("text", PROSE)
def test_prose_stays_prose(text: str) -> None:
    page = read_served(text, "text/plain", "notes.txt", format="html")
    assert "<p>" in page.text or "<li>" in page.text
    assert page.text.count("<pre>") <= text.count("\t")  # an entry of GNU's change log is indented


def test_every_format_keeps_the_lines_of_code() -> None:
    assert read_served(MAKEFILE, "text/plain", "Makefile", format="text").text == MAKEFILE.rstrip()
    html = read_served(MAKEFILE, "text/plain", "Makefile", format="html").text
    assert html == f"<pre><code>{MAKEFILE.rstrip().replace('<', '&lt;')}</code></pre>"


@pytest.mark.parametrize("text", [CHANGELOG, LLMS])
def test_markdown_is_the_same_when_read_again(text: str) -> None:
    once = read_served(text, "text/plain", "README.md")
    again = read_served(once.text, "text/markdown", "README.md")
    assert (again.text, again.headings, again.links) == (once.text, once.headings, once.links)


def test_colours_for_terminals_leave_no_trace() -> None:
    log = "2024-03-05 10:00:00 \x1b[31;1mERROR\x1b[0m down\n2024-03-05 10:00:01 \x1b[32mINFO\x1b[0m up\n"
    expected = "```log\n2024-03-05 10:00:00 ERROR down\n2024-03-05 10:00:01 INFO up\n```"
    assert read_served(log, "text/plain", "run.log").text == expected


def test_numbers_and_repeated_keys_of_json_stay_as_written() -> None:
    page = read_served('{"a":1.10,"a":1e400,"b":"\\u00e9 \\\\ud"}', "application/json")
    assert page.text == '```json\n{\n  "a": 1.10,\n  "a": 1e400,\n  "b": "é \\\\ud"\n}\n```'


@settings(max_examples=100, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cc", "Cs")) | st.sampled_from("\n\t`~ "), max_size=200))
def test_code_block_keeps_every_line(text: str) -> None:
    shown = without_invisible(text.replace("\r\n", "\n").replace("\r", "\n"))[0]
    if not shown.strip():
        return
    page = read_served(text.encode(), "text/x-python; charset=utf-8")
    (block,) = [token for token in MarkdownIt("commonmark").parse(page.text) if token.type == "fence"]
    lines = [line.rstrip() for line in shown.rstrip().strip("\n").split("\n")]
    assert block.content.rstrip("\n").split("\n") == lines


LONG = [
    "x" * 1_000,
    "word " * 200,
    "a\n" * 500,
    "a\n\n" * 300,
    "# a\n\n" * 200,
    "[a](b " * 200,
    '"' * 1_000,
    "- a\n" * 300,
]


@pytest.mark.parametrize("unit", LONG)
@pytest.mark.parametrize("media_type", ["text/plain", "text/csv", "text/x-log", "application/json"])
@pytest.mark.untraced
def test_cost_of_text_is_linear(unit: str, media_type: str) -> None:
    small, large = (unit * repeats for repeats in (250, 1_000))
    assert work_grows_in_proportion(partial(read_text, small, media_type), partial(read_text, large, media_type))


def read_text(text: str, media_type: str) -> None:
    body = text.encode()
    text_type(body, media_type)
    PlainExtractor().extract(Source(body=body, media_type=media_type))
