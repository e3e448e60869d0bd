"""What search services send, made fit to hand on: JSON, texts, dates, waits, and sentences that may hold a key."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.search import json_payload, response_parsing
from wellread.types import Headers, Response


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("All about <b>green tea</b>.", "All about green tea."),
        ("one<br>two<br/>three", "one two three"),
        ("<p>one</p><p>two</p>", "one two"),
        ("R&amp;D &#x27;s &nbsp; x", "R&D 's x"),
        ("the &lt;b&gt; tag and &lt;/b&gt;", "the <b> tag and </b>"),
        ("if a < b and c > d", "if a < b and c > d"),
        ("a List<b> of things", "a List<b> of things"),
        ("  a\n\tb\u00a0c ", "a b c"),
        ("x" * 3_000, "x" * 1_999 + "\u2026"),
        (None, ""),
        (7, ""),
    ],
)
def test_a_snippet_loses_its_markup_and_keeps_its_words(written: object, shown: str) -> None:
    assert json_payload.plain(written) == shown


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2026-11-04T07:15:00.1234567Z", "2026-11-04T07:15:00.123456Z"),
        ("2026-11-04T07:15:00.0000000Z", "2026-11-04T07:15:00Z"),
        ("2026-11-03T00:00:00.0000000", "2026-11-03"),
        ("Tue, 03 Nov 2026 10:00:00 GMT", "2026-11-03T10:00:00Z"),
        ("November 3, 2026", "2026-11-03"),
        ("2 days ago", None),
        ("03/11/2026", None),
        (1_762_164_000, None),
    ],
)
def test_a_date_is_iso_8601_or_nothing(written: object, iso: str | None) -> None:
    assert json_payload.date(written) == iso


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b'{"a": NaN}', b'{"a": 1}x', b"\xff\xfe{\x00}\x00", b"[" * 100_000])
def test_only_a_json_object_is_read(body: bytes) -> None:
    assert json_payload.read(body) is None


def test_a_byte_order_mark_is_no_matter() -> None:
    assert json_payload.read(b'\xef\xbb\xbf{"a": 1}') == {"a": 1}


@given(st.text())
def test_a_text_once_plain_shows_no_controls(text: str) -> None:
    shown = json_payload.plain(text)
    assert shown == shown.strip()
    assert shown.encode().decode() == shown
    assert not any(character < " " or "\u202a" <= character <= "\u202e" for character in shown)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ((("Retry-After", "30"),), 30),
        ((("Retry-After", "Tue, 03 Nov 2026 10:01:00 GMT"), ("Date", "Tue, 03 Nov 2026 10:00:00 GMT")), 60),
        ((("Retry-After", "Tue, 03 Nov 2026 10:01:00 GMT"),), None),
        ((("Retry-After", "99999999999999"),), response_parsing.MAX_WAIT_S),
        ((("Retry-After", "-5"),), None),
        ((("Retry-After", "soon"),), None),
        ((), None),
    ],
)
def test_a_wait_is_counted_from_the_answers_own_date(headers: Headers, seconds: float | None) -> None:
    response = Response(url="https://s.example/", status=429, headers=headers, body=b"")
    assert response_parsing.waits_s(response) == seconds


@pytest.mark.parametrize("secret", ["tvly-dev-abc123def456", "BSAabcdefghij123", "a" * 32, "sk_live_51Habcdef"])
def test_what_could_be_a_key_is_covered_in_the_words_of_a_service(secret: str) -> None:
    sentence = response_parsing.error_message({"error": f"Parameter dateRestrict is wrong for {secret}."})
    assert secret not in sentence
    assert sentence.startswith("Parameter dateRestrict is wrong for ***")
