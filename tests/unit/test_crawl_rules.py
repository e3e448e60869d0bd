"""The decisions of a crawl: scope, traps, spelling of URLs, pauses, directives of pages, and near duplicates."""

from __future__ import annotations

import random

import pytest

from wellread.crawl import pacing
from wellread.crawl.crawl_options import CrawlArguments, crawl_options
from wellread.crawl.linked_document import linked_document
from wellread.crawl.scope import CrawlScope, host_of, site_host
from wellread.crawl.traps import MAX_CALENDAR, MAX_FACETS, spelling_key, trap_group
from wellread.errors import InvalidInput
from wellread.rank.near_duplicate import TextSignatures, text_signature
from wellread.types import Response

SITE = "https://a.example"


@pytest.mark.parametrize(
    ("url", "name", "bound"),
    [
        (f"{SITE}/events/2026/05", "calendar", MAX_CALENDAR),
        (f"{SITE}/events/2026-05-31", "calendar", MAX_CALENDAR),
        (f"{SITE}/events?month=5&year=2026", "calendar", MAX_CALENDAR),
        (f"{SITE}/shop?colour=red&size=4&brand=x", "facets", MAX_FACETS),
        (f"{SITE}/a/b/a/b/a/b", "repeated_segments", 0),
        (f"{SITE}/{'x' * 1_000}", "long_url", 0),
    ],
)
def test_traps_have_names_and_bounds(url: str, name: str, bound: int) -> None:
    trap = trap_group(url)
    assert trap is not None
    assert (trap.name, trap.bound) == (name, bound)


@pytest.mark.parametrize(
    "path",
    [
        "/2026/05/31/a-walk-on-the-shore",
        "/forum?f=2&t=14",
        "/item/12345678",
        "/list?start=20",
        "/1/1/1/1",
        "/news/news",
    ],
)
def test_usual_urls_are_no_traps(path: str) -> None:
    assert trap_group(SITE + path) is None


def test_pages_of_one_calendar_are_one_group() -> None:
    assert trap_group(f"{SITE}/cal/2026/05") == trap_group(f"{SITE}/cal/2031/11")
    assert trap_group(f"{SITE}/cal/2026/05") != trap_group(f"{SITE}/tides/2026/05")


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("/a?x=1&y=2#top", "/a/?y=2&x=1"),
        ("/a?PHPSESSID=d41d8cd98f00b204", "/a"),
        ("/a;jsessionid=0FB2?x=1", "/a?x=1"),
        ("/a?sid=12345678ab&x=1", "/a?x=1"),
        ("/a?utm_source=mail", "/a"),
    ],
)
def test_spellings_of_one_url_have_one_key(first: str, other: str) -> None:
    assert spelling_key(SITE + first) == spelling_key(SITE + other)


def test_a_short_sid_is_no_session() -> None:
    assert spelling_key(f"{SITE}/a?sid=7") != spelling_key(f"{SITE}/a?sid=8")


def test_scope_of_hosts_and_patterns() -> None:
    scope = CrawlScope(frozenset({"a.example"}), include=("/docs/*", "*.pdf"), exclude=("*/old/*",))
    assert scope.has_host("https://www.a.example/")
    assert not scope.has_host("https://b.a.example/")
    assert CrawlScope(frozenset({"a.example"}), subdomains=True).has_host("https://b.a.example/")
    assert not CrawlScope(frozenset({"a.example"}), subdomains=True).has_host("https://aa.example/")
    paths = ["/docs/x", "/docs/old/x", "/blog", "/blog/x.pdf", "/docs"]
    assert [path for path in paths if scope.has_path(SITE + path)] == ["/docs/x", "/blog/x.pdf"]


@pytest.mark.parametrize(
    "url", ["https://com/", "https://www.com/", "https://co.uk/", "https://www.co.uk/", "mailto:a@b"]
)
def test_no_redirect_adds_a_registry_with_subdomains(url: str) -> None:
    scope = CrawlScope(frozenset({"a.example"}), subdomains=True)
    assert not scope.may_gain(url)
    assert scope.may_gain("https://www.b.example/")
    assert scope.may_gain("http://localhost:8080/")
    assert scope.may_gain("http://[::1]:8080/")


def test_www_before_one_label_is_part_of_the_host() -> None:
    scope = CrawlScope(frozenset({site_host("https://www.com/")}), subdomains=True)
    assert scope.has_host("https://www.com/x")
    assert not scope.has_host("https://other.com/")


@pytest.mark.parametrize("globs", [("*a",) * 51, ("a" * 501,), ("*a" * 21,)])
def test_globs_of_callers_are_bounded(globs: tuple[str, ...]) -> None:
    for arguments in (CrawlArguments(include=globs), CrawlArguments(exclude=globs)):
        with pytest.raises(InvalidInput, match="glob") as refused:
            crawl_options(arguments)
        assert "at most 50 globs" in refused.value.hint
    assert crawl_options(CrawlArguments(include=("*a" * 20,) * 50)).include


def test_hosts_have_their_ports() -> None:
    urls = ["http://a.example:80/", "https://A.example./x", "http://a.example:8080/", "https://[::1"]
    assert [host_of(url) for url in urls] == ["a.example", "a.example", "a.example:8080", ""]


def test_pauses_double_and_obey_the_host() -> None:
    pauses = [pacing.retry_at(10, failures=failures, delay_s=0, retry_after_s=None) - 10 for failures in (1, 2, 3, 20)]
    assert pauses == [1, 2, 4, pacing.MAX_PAUSE_S]
    assert pacing.retry_at(10, failures=1, delay_s=0, retry_after_s=30) == 40
    assert pacing.retry_at(10, failures=1, delay_s=60, retry_after_s=0) == 70


def page(html: str, *headers: tuple[str, str]) -> Response:
    return Response(url=f"{SITE}/x/", status=200, headers=(("content-type", "text/html"), *headers), body=html.encode())


@pytest.mark.parametrize(
    ("html", "header", "expected"),
    [
        ("<meta name=robots content='noindex, NOFOLLOW'>", "", (True, True)),
        ("<meta name=wellread content=none>", "", (True, True)),
        ("<meta name=otherbot content=none>", "", (False, False)),
        ("", "noindex", (True, False)),
        ("", "wellread: nofollow", (False, True)),
        ("", "otherbot: none", (False, False)),
    ],
)
def test_directives_to_robots(html: str, header: str, expected: tuple[bool, bool]) -> None:
    document = linked_document(page(html, *[("X-Robots-Tag", header)] * bool(header)), max_links=10)
    assert (document.noindex, document.nofollow) == expected


def test_document_names_feeds_and_canonical_url() -> None:
    html = "<title>Tides</title><link rel=alternate type=application/atom+xml href=/f><link rel=canonical href=../y#z>"
    document = linked_document(page(html), max_links=10)
    assert (document.title, document.feeds, document.canonical_url) == ("Tides", (f"{SITE}/f",), f"{SITE}/y")
    plain = Response(url=SITE, status=200, headers=(("content-type", "text/plain"),), body=b"plain text")
    assert not linked_document(plain, max_links=10).is_parsed


def text(seed: int, count: int = 600) -> list[str]:
    rng = random.Random(seed)
    return [f"word{rng.randrange(2_000)}" for _ in range(count)]


def test_near_duplicates_among_many_texts() -> None:
    signatures = TextSignatures()
    for seed in range(50):
        words = " ".join(text(seed))
        signatures.add(f"page {seed}", f"id {seed}", text_signature(words))
    copy = text(7)
    copy[300] = "changed"
    assert signatures.duplicate_of("id copy", text_signature(" ".join(copy))) == "page 7"
    assert signatures.duplicate_of("id 9", b"") == "page 9"
    assert signatures.duplicate_of("id other", text_signature(" ".join(text(99)))) is None
    assert text_signature("too short a text") == b""
