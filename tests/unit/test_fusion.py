"""When two URLs are one page, and how rankings become one."""

from __future__ import annotations

import random  # noqa: TC003 - hypothesis reads the annotation
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.search.engine import fused_hits
from wellread.search.url_dedup import page_key
from wellread.types import Hit

SAME = [
    ("http://example.com/a", "https://example.com/a"),
    ("https://www.example.com/a/", "https://example.com/a"),
    ("https://m.example.com/a", "https://example.com/a"),
    ("https://mobile.example.com/a", "https://www.example.com/a"),
    ("https://en.m.wikipedia.org/wiki/Limpet", "https://en.wikipedia.org/wiki/Limpet"),
    ("https://example.com/a?utm_source=x&utm_medium=y", "https://example.com/a"),
    ("https://example.com/a?b=1&a=2&gclid=x", "https://example.com/a?a=2&b=1"),
    ("https://example.com/a#part", "https://example.com/a"),
    ("https://example.com/a/amp", "https://example.com/a"),
    ("https://example.com/a.amp.html", "https://example.com/a.html"),
    ("https://example.com/a?amp=1", "https://example.com/a"),
    ("https://www.google.com/amp/s/example.com/a/amp", "https://example.com/a"),
    ("https://example-com.cdn.ampproject.org/c/s/example.com/a", "https://example.com/a"),
    ("https://example.com/caf%C3%A9", "https://example.com/café"),
    ("https://EXAMPLE.com:443/a", "https://example.com/a"),
    ("https://example.com/index.html", "https://example.com/"),
]
DIFFERENT = [
    ("https://example.com/a", "https://example.com/b"),
    ("https://example.com/?id=1", "https://example.com/?id=2"),
    ("https://a.example.com/x", "https://b.example.com/x"),
    ("https://example.com/A", "https://example.com/a"),
    ("https://m.com/a", "https://www.com/a"),
    ("https://example.com:8080/a", "https://example.com/a"),
    ("https://example.com/stamp", "https://example.com/st"),
    ("https://evilgoogle.com/amp/s/example.com/a", "https://example.com/a"),
    ("https://notampproject.org/c/s/example.com/a", "https://example.com/a"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_these_urls_are_one_page(one: str, other: str) -> None:
    assert page_key(one) == page_key(other)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_these_urls_are_two_pages(one: str, other: str) -> None:
    assert page_key(one) != page_key(other)


@given(st.text(max_size=200))
@settings(max_examples=300)
def test_key_of_a_url_without_tracking_parameters(text: str) -> None:
    path = quote(text, safe="", errors="replace")
    assert page_key(f"http://www.example.com/{path}?utm_source=mail#top") == page_key(f"https://example.com/{path}")
    assert page_key(f"https://example.com/{path}") != page_key(f"https://example.com/{path}a")
    page_key(text)  # none is refused


def test_key_of_amp_caches_in_each_other() -> None:
    """No cache makes such URLs; a page of a thousand levels once ended each crawl that met it."""
    cached = "https://www.google.com/amp/s/example-com.cdn.ampproject.org/c/s/example.com/story/amp"
    assert page_key(cached) == page_key("https://example.com/story")
    nested = f"http://google.com{'/s/google.com' * 1_200}/x"
    assert page_key(nested).startswith("google.com/s/google.com/")


paths = st.lists(st.sampled_from("abcdefgh"), unique=True, max_size=8)


def ranking(source: str, names: list[str]) -> list[Hit]:
    return [
        Hit(title=name, url=f"https://example.com/{name}", snippet=f"{source} on {name}", source=source, rank=rank)
        for rank, name in enumerate(names, 1)
    ]


@given(st.lists(paths, min_size=1, max_size=5), st.randoms(use_true_random=False))
@settings(max_examples=200)
def test_fusion_does_not_depend_on_the_order_of_the_rankings(lists: list[list[str]], chance: random.Random) -> None:
    rankings = [ranking(f"p{number}", names) for number, names in enumerate(lists)]
    shuffled = rankings[:]
    chance.shuffle(shuffled)
    assert fused_hits(rankings, count=10) == fused_hits(shuffled, count=10)


@given(st.lists(paths, min_size=1, max_size=5))
@settings(max_examples=200)
def test_a_fused_ranking_holds_each_page_once_best_first(lists: list[list[str]]) -> None:
    hits = fused_hits([ranking(f"p{number}", names) for number, names in enumerate(lists)], count=100)
    assert {hit.title for hit in hits} == {name for names in lists for name in names}
    assert len({hit.url for hit in hits}) == len(hits)
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert [hit.score for hit in hits] == sorted((hit.score or 0 for hit in hits), reverse=True)


def test_page_of_two_providers_ranks_first() -> None:
    hits = fused_hits([ranking("x", ["a", "b"]), ranking("y", ["c", "b"])], count=2)
    assert [hit.title for hit in hits] == ["b", "a"]
    assert hits[0].source == "x, y"
