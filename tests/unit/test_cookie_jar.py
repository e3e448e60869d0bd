"""Which cookies of a chain of redirects go to which place (RFC 6265bis)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.net import guard
from wellread.net.cookies import MAX_HEADER_CHARS, CookieJar

NOW = datetime(2026, 11, 25, tzinfo=UTC)


def place(url: str) -> guard.Target:
    return guard.check_url(url, guard.Policy())


def sent(cookie: str, there: str, *, here: str = "https://www.example.com/a/b") -> str | None:
    jar = CookieJar()
    jar.store(place(here), (("Set-Cookie", cookie),), NOW)
    return jar.header(place(there))


@pytest.mark.parametrize(
    ("cookie", "there"),
    [
        ("a=1", "https://www.example.com/a/c"),
        ("a=1", "https://www.example.com/a"),
        ("a=1; Path=/", "http://www.example.com/x?y"),
        ("a=1; Domain=example.com; Path=/", "https://login.example.com/"),
        ("a=1; Domain=.EXAMPLE.com; Path=/; Secure; HttpOnly", "https://example.com/"),
        ("a=1; Domain=www.example.com; Path=/a", "https://www.example.com/a/b/c"),
        ("a=1; expires=Wed, 25 Nov 2026 00:00:01 GMT; path=/", "https://www.example.com/"),
        ("a=1; Expires=rubbish; Max-Age=rubbish; Path=/", "https://www.example.com/"),
        ("__Host-a=1; Secure; Path=/", "https://www.example.com/"),
        ("__Secure-a=1; Secure; Path=/", "https://www.example.com/"),
    ],
)
def test_cookie_is_sent_where_it_belongs(cookie: str, there: str) -> None:
    assert sent(cookie, there) == cookie.partition(";")[0]


@pytest.mark.parametrize(
    ("cookie", "there"),
    [
        ("a=1; Path=/", "https://login.example.com/"),
        ("a=1; Path=/", "https://example.com/"),
        ("a=1; Path=/", "https://evil-www.example.com/"),
        ("a=1; Path=/a", "https://www.example.com/ab"),
        ("a=1; Path=/; Secure", "http://www.example.com/"),
        ("a=1; Domain=com; Path=/", "https://www.example.com/"),
        ("a=1; Domain=other.example; Path=/", "https://www.example.com/"),
        ("a=1; Domain=deep.www.example.com; Path=/", "https://www.example.com/"),
        ("a=1; Domain=ample.com; Path=/", "https://www.example.com/"),
        ("a=1; Max-Age=0; Path=/", "https://www.example.com/"),
        ("a=1; Max-Age=-5; Expires=Wed, 25 Nov 2099 00:00:01 GMT; Path=/", "https://www.example.com/"),
        ("__Host-a=1; Secure; Path=/; Domain=www.example.com", "https://www.example.com/"),
        ("__HOST-a=1; Path=/", "https://www.example.com/"),
        ("nothing", "https://www.example.com/a/b"),
    ],
)
def test_cookie_is_not_sent_elsewhere(cookie: str, there: str) -> None:
    assert sent(cookie, there) is None


def test_no_cookie_for_all_of_a_registry() -> None:
    assert sent("a=1; Domain=co.uk; Path=/", "https://b.co.uk/", here="https://a.co.uk/") is None
    assert sent("a=1; Domain=a.co.uk; Path=/", "https://c.a.co.uk/", here="https://b.a.co.uk/") == "a=1"


def test_longer_paths_come_first() -> None:
    jar = CookieJar()
    cookies = ("a=1; Path=/", "b=2; Path=/x", "a=3; Path=/x")
    jar.store(place("https://example.com/x/y"), tuple(("set-cookie", cookie) for cookie in cookies), NOW)
    assert jar.header(place("https://example.com/x/y"), "own=0; a=9") == "own=0; b=2; a=3; a=1"


@given(st.lists(st.text(st.characters(max_codepoint=255), max_size=80), max_size=12), st.text(max_size=20))
def test_cookie_header_can_always_be_sent(cookies: list[str], own: str) -> None:
    jar = CookieJar()
    here = place("https://example.com/")
    jar.store(here, tuple(("Set-Cookie", cookie) for cookie in cookies), NOW)
    header = jar.header(here) or ""
    assert len(header) <= MAX_HEADER_CHARS
    assert not set(header) & set("\r\n\0")
    assert ";" not in header.replace("; ", "")
