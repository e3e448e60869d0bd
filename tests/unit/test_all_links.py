"""All links of a page: places, words, rel, bases and bounds."""

from __future__ import annotations

from wellread.extraction.html import parse_page
from wellread.extraction.links import all_links
from wellread.types import PageLink

URL = "https://example.org/a/b?x=1"


def links(html: str, max_links: int = 100) -> list[PageLink]:
    return all_links(parse_page(html), URL, max_links=max_links)[0]


def test_links_outside_the_content_have_their_places() -> None:
    html = (
        "<header><nav><ul><li><a href=/n>Menu</a></ul></nav><a href=/h>Home</a></header>"
        "<main><p><a href=c>Near <b>it</b></a><aside><a href=/s>Side</a></aside></p></main><footer><a href=/f>Foot</a>"
    )
    assert [(link.url, link.text, link.place) for link in links(html)] == [
        ("https://example.org/n", "Menu", "nav"),
        ("https://example.org/h", "Home", "header"),
        ("https://example.org/a/c", "Near it", "main"),
        ("https://example.org/s", "Side", "aside"),
        ("https://example.org/f", "Foot", "footer"),
    ]


def test_links_of_one_url_are_one() -> None:
    html = "<a href='/x#one' rel='nofollow ugc'><img></a><a href='/x#two' rel=next>Next</a><a href=#here>h</a>"
    assert links(html) == [PageLink("https://example.org/x", "Next", ("ugc",))]


def test_links_without_text_have_their_label() -> None:
    html = "<a href=/1 aria-label='Open menu'><svg></svg></a><a href=/2><img alt='Our shop'></a><a href=/3 title=T></a>"
    assert [link.text for link in links(html)] == ["Open menu", "Our shop", "T"]


def test_links_of_other_schemes_are_left_out() -> None:
    html = "<a href='mailto:a@b.example'>m</a><a href='javascript:x()'>j</a><a href='http://['>b</a><a>none</a>"
    assert links(html) == []


def test_links_resolve_against_the_declared_base() -> None:
    assert links("<base href='/deep/'><a href=x>x</a>")[0].url == "https://example.org/deep/x"


def test_links_beyond_the_limit_are_counted() -> None:
    tree = parse_page("".join(f"<a href=/{number}>{number}</a>" for number in range(10)))
    kept, left_out = all_links(tree, URL, max_links=4)
    assert (len(kept), left_out) == (4, 6)
