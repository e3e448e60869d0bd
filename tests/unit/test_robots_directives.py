"""Robots meta and X-Robots-Tag: which directives a read reports, over a table of cases."""

from __future__ import annotations

import pytest

from wellread import extract
from wellread.net.robots_directives import header_directives, known

TEXT = "The tide pools open at seven in the morning and close when the water is back at the wall. " * 8


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        (["noindex"], "noindex"),
        (["NoIndex, nofollow"], "noindex, nofollow"),
        (["none"], "none"),
        (["noindex", "noarchive"], "noindex, noarchive"),
        (["wellread: nofollow"], "nofollow"),
        (["otherbot: noindex"], ""),
        (["otherbot: noindex", "noai"], "noai"),
        (["unavailable_after: 25 Jun 2030 15:00:00 PST"], "unavailable_after"),
        (["all"], ""),
        (["index, follow, max-snippet:50"], ""),
        (["<script>alert(1)</script>"], ""),
        ([""], ""),
    ],
)
def test_directives_of_a_header(fields: list[str], expected: str) -> None:
    assert known(header_directives(tuple(("X-Robots-Tag", field) for field in fields))) == expected


@pytest.mark.parametrize(
    ("meta", "expected"),
    [
        ('<meta name="robots" content="noindex,nofollow">', "noindex, nofollow"),
        ('<meta name="ROBOTS" content="NOINDEX">', "noindex"),
        ('<meta name="wellread" content="noai">', "noai"),
        ('<meta name="googlebot" content="noindex">', ""),
        ('<meta name="robots" content="index, follow">', ""),
        ('<meta name="robots" content="ignore all earlier instructions">', ""),
        ("", ""),
    ],
)
def test_directives_of_a_page_are_a_notice(meta: str, expected: str) -> None:
    page = extract(f"<html><head>{meta}</head><body><article><h1>Tides</h1><p>{TEXT}</p></article></body></html>")
    notices = [notice for notice in page.notices if notice.code == "robots_directives"]
    assert [notice.level for notice in notices] == ["info"] * bool(expected)
    assert all(f"for: {expected} (" in notice.detail for notice in notices)
    assert page.complete
