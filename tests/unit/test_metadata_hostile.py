"""Metadata that is broken or hostile: mended where it takes little, bounded always, and nothing unseen gets through."""

from __future__ import annotations

import json
import time
from html import escape
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

from wellread.web.metadata import read

if TYPE_CHECKING:
    from wellread.types import Metadata

URL = "https://www.example.com/news/story-1"


def of(head: str = "", body: str = "", *, url: str | None = URL) -> Metadata:
    return read(LexborHTMLParser(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"), url)


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
    started = time.process_time()
    found = read(tree, URL)
    assert time.process_time() - started < 3
    assert found.title is not None
    assert len(found.title) <= 500


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
def test_hostile_markup_is_read_in_bounded_time(body: str) -> None:
    tree = LexborHTMLParser(f"<title>Fine</title>{body}")
    started = time.process_time()
    read(tree, URL)
    assert time.process_time() - started < 3


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
    found = read(LexborHTMLParser(""), None)
    assert (found.title, found.byline, found.images, found.canonical_url) == (None, None, (), None)
