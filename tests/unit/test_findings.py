"""What `wellread doctor` prints of its findings: what needs an action first, one line for each healthy kind of part."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wellread.apps.doctor import Finding
from wellread.apps.terminal import say_findings

if TYPE_CHECKING:
    import pytest


def test_failures_first_and_a_line_for_each_kind(capsys: pytest.CaptureFixture[str]) -> None:
    findings = [
        Finding("python", ok=True, detail="3.13.1"),
        Finding("extractor pdf", ok=True, detail="application/pdf"),
        Finding("extractor feed", ok=True, detail="text/xml"),
        Finding("provider brave", ok=None, detail="brave needs a key; set brave in search.keys"),
        Finding("provider searxng", ok=None, detail="searxng needs an address"),
        Finding("provider exa", ok=None, detail="exa needs a key; set exa in search.keys"),
        Finding("store", ok=False, detail="/data: read-only; set cache.dir to a writable folder"),
        Finding("extra server", ok=True, detail="installed"),
        Finding("extra ocr", ok=True, detail="installed"),
    ]
    say_findings(findings, json=False)
    assert capsys.readouterr().out.splitlines() == [
        "fail store: /data: read-only; set cache.dir to a writable folder",
        "-    provider brave, exa: NAME needs a key; set NAME in search.keys",
        "-    provider searxng: searxng needs an address",
        "ok   python: 3.13.1",
        "ok   extractor pdf, feed",
        "ok   extra server, ocr: installed",
    ]
