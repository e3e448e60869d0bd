"""Text files that servers send as text/plain: source code, data, logs and Markdown are read as what they are."""

from __future__ import annotations

import pytest

from unit.served import read_served

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


@pytest.mark.xfail(strict=True, reason="text/plain is read as prose, whatever it is")
@pytest.mark.parametrize(("name", "text"), [("CHANGELOG.md", CHANGELOG), ("llms.txt", LLMS)])
def test_markdown_served_as_plain_text(name: str, text: str) -> None:
    page = read_served(text, "text/plain; charset=utf-8", name)
    assert page.text.rstrip() == text.rstrip()
    assert len(page.headings) == 2


@pytest.mark.xfail(strict=True, reason="text/plain is read as prose, whatever it is")
@pytest.mark.parametrize(("name", "language", "text"), [("Makefile", "makefile", MAKEFILE), ("main.go", "go", GO)])
def test_source_code_served_as_plain_text(name: str, language: str, text: str) -> None:
    page = read_served(text, "text/plain", name)
    assert page.text == f"```{language}\n{text.rstrip()}\n```"


@pytest.mark.xfail(strict=True, reason="text/plain is read as prose, whatever it is")
@pytest.mark.parametrize(
    ("name", "language", "text"), [("config.toml", "toml", TOML), ("x.json", "json", '{\n  "a_*": [\n    1\n  ]\n}\n')]
)
def test_data_served_as_plain_text(name: str, language: str, text: str) -> None:
    page = read_served(text, "text/plain", name)
    assert page.text == f"```{language}\n{text.rstrip()}\n```"


@pytest.mark.xfail(strict=True, reason="text/plain is read as prose, whatever it is")
@pytest.mark.parametrize(("name", "text"), [("access.log", ACCESS_LOG), ("messages", SYSLOG)])
def test_log_served_as_plain_text(name: str, text: str) -> None:
    page = read_served(text, "text/plain", name)
    assert page.text == f"```log\n{text.rstrip()}\n```"
