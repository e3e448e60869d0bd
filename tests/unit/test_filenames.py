"""Names from the web: one safe component of a path, whatever a server says."""

from __future__ import annotations

import itertools
import unicodedata
from pathlib import PurePosixPath, PureWindowsPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.net.filenames import disposition_name, file_name, message_instead, numbered_names, safe_name
from wellread.types import Response

NASTY = st.text(st.sampled_from('./\\:*?"<>|\x00\n\t ~-aZ9ée\u0301\u200d\u202e\ufeff\ud800文🎉conulprtx')) | st.text()
LONG = st.builds(
    lambda name, times, end: name * times + end, NASTY, st.integers(1, 200), st.sampled_from(["", ".tar.gz"])
)


@settings(max_examples=1_000, deadline=None)
@given(
    NASTY | LONG | st.sampled_from(["con", "Aux.txt", "com¹", "lpt1.tar.gz", "..", "...", "CONIN$", "nul .txt", "-rf"])
)
def test_a_safe_name_is_one_component_everywhere(given_name: str) -> None:
    name = safe_name(given_name)
    assert safe_name(name) == name
    if not name:
        return
    assert PurePosixPath(name).parts == PureWindowsPath(name).parts == (name,)
    assert PurePosixPath("folder", name).parent == PurePosixPath("folder")
    assert not PureWindowsPath(name).is_reserved()
    assert name[0] not in ".-~ "
    assert name[-1] not in ". "
    assert len(name.encode()) <= 200
    assert not {unicodedata.category(char) for char in name} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@settings(max_examples=300, deadline=None)
@given(NASTY | st.builds('attachment; filename="{}'.format, NASTY) | st.builds("a; filename*=UTF-8''{}".format, NASTY))
def test_any_header_and_url_give_a_name(said: str) -> None:
    response = Response(url=f"https://a.example/{said}", status=200, headers=(("Content-Disposition", said),), body=b"")
    assert file_name(response)
    assert PurePosixPath(file_name(response)).name == file_name(response)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("x" * 300 + ".pdf", "x" * 196 + ".pdf"),
        ("文" * 100 + ".pdf", "文" * 65 + ".pdf"),
        ("x." + "y" * 300, "x." + "y" * 198),
        ("e\u0301.txt", "é.txt"),
        ("a\n b\t.txt", "a b .txt"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
    ],
)
def test_what_is_long_or_odd_keeps_its_sense(name: str, expected: str) -> None:
    assert safe_name(name) == expected


def test_a_number_stands_before_the_extension() -> None:
    told = {name: list(itertools.islice(numbered_names(name), 3)) for name in ("a.txt", "a.tar.gz", "a", "v1.2 notes")}
    assert told == {
        "a.txt": ["a.txt", "a (2).txt", "a (3).txt"],
        "a.tar.gz": ["a.tar.gz", "a (2).tar.gz", "a (3).tar.gz"],
        "a": ["a", "a (2)", "a (3)"],
        "v1.2 notes": ["v1.2 notes", "v1.2 notes (2)", "v1.2 notes (3)"],
    }


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ('attachment; filename="%E6%8A%A5%E5%91%8A.pdf"', "报告.pdf"),
        ('attachment; filename="100% of it.pdf"', "100% of it.pdf"),
        ("attachment; filename*=GB2312''%C4%E3%BA%C3.pdf", "你好.pdf"),
        ("attachment; filename*=rot13''nop.pdf; filename=abc.pdf", "abc.pdf"),
        ('attachment; filename*1="name.pdf"; filename*0="long-"', "long-name.pdf"),
    ],
)
def test_names_as_browsers_read_them(value: str, name: str) -> None:
    assert disposition_name(value) == name


@pytest.mark.parametrize(
    ("path", "content_type", "start", "message"),
    [
        ("/a.zip", "application/json", b'{"error":"quota"}', "a message in JSON"),
        ("/a.pdf", "application/xml", b"<Error><Code>AccessDenied</Code></Error>", "a message in XML"),
        ("/a.pdf", None, b"<!doctype html><title>Sign in</title>", "a web page (HTML)"),
        ("/a.json", "application/json", b'{"a":1}', None),
        ("/a.svg", "image/svg+xml", b"<?xml version='1.0'?>", None),
        ("/a.pdf", "application/pdf", b"%PDF-1.4", None),
        ("/a", "text/html", b"<html>", None),
    ],
)
def test_messages_in_place_of_files(path: str, content_type: str | None, start: bytes, message: str | None) -> None:
    assert message_instead(f"https://files.example{path}", content_type, start) == message


def test_raw_utf_8_in_a_header_is_read_as_such() -> None:
    assert disposition_name('attachment; filename="na\u00c3\u00afve.txt"') == "naïve.txt"
    assert disposition_name('attachment; filename="na\u00efve.txt"') == "naïve.txt"
