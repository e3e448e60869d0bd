"""Metadata that is broken or hostile: mended where it takes little, bounded always, and nothing unseen gets through."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

from effort import takes_at_most, work_grows_in_proportion
from wellread.extraction.html import HtmlExtractor
from wellread.metadata import choose_metadata, gather_facts
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.types import Metadata

URL = "https://www.example.com/news/story-1"


def of(head: str = "", body: str = "", *, url: str | None = URL) -> Metadata:
    return choose_metadata(
        gather_facts(LexborHTMLParser(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"), url)
    )


def meta(name: str, content: str) -> str:
    attribute = "property" if ":" in name else "name"
    return f'<meta {attribute}="{name}" content="{escape(content)}">'


def linked(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


@pytest.mark.parametrize(
    "script",
    [
        '{"@type":"Article","datePublished":"2024-05-01","author":"Jo Doe",}',
        '<!-- {"@type":"Article","datePublished":"2024-05-01","author":["Jo Doe",]} -->',
        '//<![CDATA[\n{"@type":"Article","datePublished":"2024-05-01","author":"Jo Doe"}\n//]]>',
        '/*<![CDATA[*/{"@type":"Article","datePublished":"2024-05-01","author":"Jo Doe"}/*]]>*/;',
        '{"@type":"WebSite"}{"@type":"Article","datePublished":"2024-05-01","author":"Jo Doe"}',
        '{"@type":"Article","description":"two\nlines\t","datePublished":"2024-05-01","author":"Jo Doe"}',
        escape('{"@type":"Article","datePublished":"2024-05-01","author":"Jo Doe"}'),
        '\n// a note\n{"@type":"Article",/* and */"datePublished":"2024-05-01","author":"Jo Doe"}',
    ],
)
def test_broken_json_ld_is_mended(script: str) -> None:
    found = of(f'<script type="application/ld+json">{script}</script>')
    assert (found.published_date, found.author) == ("2024-05-01", "Jo Doe")


def test_json_ld_beyond_repair_still_gives_its_date() -> None:
    script = '{"@type":"Article","description":"a "quoted" word","datePublished":"2024-05-01"'
    assert of(f'<script type="application/ld+json">{script}</script>').published_date == "2024-05-01"


def test_json_ld_of_comments_and_reviews_is_not_the_pages() -> None:
    data = {"@type": "Article", "comment": [{"@type": "Comment", "author": "Troll", "datePublished": "2020-01-01"}]}
    found = of(linked(data))
    assert (found.author, found.published_date) == (None, None)


HOSTILE = {
    "deep arrays": "[" * 100_000 + "]" * 100_000,
    "deep objects": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "five megabytes": '{"@type":"Article","headline":"' + "x" * 5_000_000 + '"}',
    "many objects": "[" + ",".join(['{"@type":"Article"}'] * 200_000) + "]",
    "commas": "{" + "," * 900_000,
    "comment starts": "{/*" * 300_000,
    "slashes": "{\n" + "//\n" * 300_000,
    "quotes": '{"' * 300_000,
    "escapes": '{"a":"' + "\\" * 900_001,
    "references": json.dumps([{"@id": "#a", "@type": "Article", "author": {"@id": "#a"}}]),
}


@pytest.mark.parametrize("script", HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_json_ld_is_bounded(script: str) -> None:
    tree = LexborHTMLParser(f'<title>Fine</title><script type="application/ld+json">{script}</script>')

    def work() -> None:
        title = choose_metadata(gather_facts(tree, URL)).title
        assert title is not None
        assert len(title) <= 500

    assert takes_at_most(3, work)


@pytest.mark.parametrize(
    "body",
    [
        '<p class="byline">' * 5_000 + "x",
        "<h1>" + "<b>" * 20_000 + "x",
        '<a href="/author/x">y</a>' * 20_000,
        f'<div class="{"comment-" * 5_000}"><time>x</time></div>' * 20,
        '<meta property="og:title" content="x">' * 20_000,
    ],
)
@pytest.mark.untraced
def test_hostile_markup_is_read_in_bounded_time(body: str) -> None:
    tree = LexborHTMLParser(f"<title>Fine</title>{body}")
    assert takes_at_most(3, lambda: choose_metadata(gather_facts(tree, URL)))


def test_characters_that_only_a_machine_would_notice_never_pass() -> None:
    found = of(meta("og:title", "Cats\u202e \u200bare\U000e0049\U000e0047 fine\u200d\u200d\u200d\x07"))
    assert found.title == "Cats are fine"


def test_lengths_are_bounded() -> None:
    found = of(meta("og:title", "word " * 5_000) + meta("og:description", "word " * 50_000))
    assert found.title is not None
    assert found.description is not None
    assert len(found.title) <= 500
    assert len(found.description) <= 2_000


def test_entities_are_undone_and_white_space_folded() -> None:
    assert of(meta("og:title", "  Tom &amp; \n Jerry&#039;s  ")).title == "Tom & Jerry's"


def test_an_empty_page_says_nothing() -> None:
    found = choose_metadata(gather_facts(LexborHTMLParser(""), None))
    assert (found.title, found.byline, found.images, found.canonical_url) == (None, None, (), None)


HIDING = {
    "the attribute": ("", "hidden"),
    "its own style": ("", 'style="display:none"'),
    "off the screen": ("", 'style="position:absolute;left:-9999px"'),
    "no size": ("", 'style="font-size:0"'),
    "a style sheet": ("<style>.away{display:none}</style>", 'class="away"'),
    "for screen readers": ("", 'class="visually-hidden"'),
    "aria-hidden": ("", 'aria-hidden="true"'),
}


@pytest.mark.parametrize(("head", "attribute"), HIDING.values(), ids=HIDING.keys())
def test_what_nobody_sees_tells_nothing_about_the_page(head: str, attribute: str) -> None:
    planted = (
        "<h1>Obey the planted words</h1><p class='byline'>By Mallory Evil</p><time class='published'>2001-02-03</time>"
    )
    page = (
        f"<!doctype html><html><head><title>A story of cats</title>{head}</head><body>"
        f"<div {attribute}>{planted} March 4, 2001</div><h1>A story of cats <span {attribute}>Obey</span></h1>"
        "<p class='byline'>By Jo Doe</p><p>May 6, 2024</p><p>Cats are animals that live with us, and we with them.</p>"
        "</body></html>"
    )
    found = HtmlExtractor().extract(Source(body=page.encode(), media_type="text/html", url=URL)).metadata
    assert (found.title, found.author, found.published_date) == ("A story of cats", "Jo Doe", "2024-05-06")


GROWING = {
    "class names with hyphens": lambda n: f'<h1>x</h1><div class="{"comment-" * n}"><time>x</time></div>',
    "class names without end": lambda n: f'<h1>x</h1><div class="{"a" * 8 * n}-"><time>x</time></div>',
    "many class names": lambda n: f'<h1>x</h1><p class="{"author " * n}">By x</p>',
    "nested boxes": lambda n: "<div class=a>" * n + "<time>2024-05-06</time>" * 100,
    "open brackets in a title": lambda n: f"<title>{'<b ' * n}</title>",
    "marks in a title": lambda n: f"<title>{'a - ' * n}</title><h1>a</h1>",
    "spaces in a title": lambda n: f"<title>a{' ' * 8 * n}b</title>",
    "digits beside the headline": lambda n: f"<h1>x</h1>{'2024 1 ' * n}",
    "dates beside the headline": lambda n: f"<h1>x</h1>{'May 6, 2024 ' * n}",
    "empty elements beside the headline": lambda n: "<i></i>" * n + "<h1>x</h1>" + "<i></i>" * n,
    "a byline without end": lambda n: f'<p class="byline">{"by " * n}</p>',
    "a date without end": lambda n: f'<time class="published" datetime="{"2024-" * n}">x</time>',
    "an address without end": lambda n: f'<base href="http://a/{"a/" * n}"><link rel="canonical" href="{"../" * n}">',
    "commas in linked data": lambda n: f'<script type="application/ld+json">{{{"," * n}</script>',
}


@pytest.mark.parametrize("page", GROWING.values(), ids=GROWING.keys())
def test_cost_of_metadata_is_linear(page: Callable[[int], str]) -> None:
    small, large = LexborHTMLParser(page(4_000)), LexborHTMLParser(page(16_000))
    assert work_grows_in_proportion(
        lambda: choose_metadata(gather_facts(small, URL)), lambda: choose_metadata(gather_facts(large, URL))
    )


def test_everything_handed_on_is_bounded() -> None:
    words = "word " * 50_000
    found = of(
        meta("og:title", words) + meta("og:description", words) + meta("og:site_name", words) + meta("author", words),
        f"<h1>{words}</h1><p class='byline'>By {words}</p>",
    )
    assert max(len(text) for text in (found.title, found.description, found.site_name, found.byline) if text) <= 2_000
    assert len(found.byline or "") <= 1_500
    assert len(found.title or "") <= 500
