"""Who wrote a page: what it declares, what it marks, and what a line beside the headline says."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

import wellread
from wellread.metadata import choose_metadata, gather_facts

if TYPE_CHECKING:
    from wellread.types import Metadata


def of(head: str, body: str = "") -> Metadata:
    page = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return choose_metadata(gather_facts(LexborHTMLParser(page), "https://www.example.com/news/story-1"))


def meta(name: str, content: str) -> str:
    attribute = "property" if ":" in name else "name"
    return f'<meta {attribute}="{name}" content="{escape(content)}">'


def linked(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


@pytest.mark.parametrize(
    ("head", "body", "byline", "author"),
    [
        (meta("author", "Jo Doe"), "", "Jo Doe", "Jo Doe"),
        (meta("article:author", "jodoe") + meta("author", "Jo Doe"), "", "Jo Doe", "Jo Doe"),
        (meta("article:author", "jodoe") + meta("author", "aroe"), "", "jodoe", "jodoe"),
        (meta("article:author", "Jo Doe / Journalist") + meta("author", "Jo Doe"), "", "Jo Doe", "Jo Doe"),
        (meta("article:author", "Jo Doe-Roe") + meta("author", "Jo Doe"), "", "Jo Doe-Roe", "Jo Doe-Roe"),
        (meta("author", "Example"), '<h1>Cats</h1><p class="byline">By Jo Doe</p>', "By Jo Doe", "Jo Doe"),
        (meta("author", "Example"), '<h1>Cats</h1><p class="byline">By Cats</p>', "Example", "Example"),
        ("", '<p class="byline"><b><i>Jo Doe</i> <i>Al Roe</i></b></p>', "Jo Doe, Al Roe", "Jo Doe, Al Roe"),
        (
            "",
            '<p class="byline"><i>By Jo Doe</i> <b>Senior Editor</b></p>',
            *["By Jo Doe Senior Editor", "Jo Doe Senior Editor"],
        ),
        ("", '<p class="byline">By Jo Doe, in News, Portugal</p>', "By Jo Doe, in News, Portugal", "Jo Doe"),
        ("", '<p class="byline">By Jo Doe and Al Roe, May 5, 2024</p>', "By Jo Doe and Al Roe", "Jo Doe, Al Roe"),
        ("", '<p class="byline">By <a>Jo Doe</a> Senior Editor</p>', "By Jo Doe Senior Editor", "Jo Doe"),
        ("", '<div itemprop="author"><span itemprop="name">Jo Doe</span>, staff</div>', "Jo Doe", "Jo Doe"),
        ("", '<a rel="author" href="/a">Jo Doe</a>', "Jo Doe", "Jo Doe"),
        ("", '<a href="/authors/jo-doe">Jo Doe</a>', "Jo Doe", "Jo Doe"),
        (meta("article:author", "https://facebook.com/jo"), "", None, None),
        (meta("author", "admin"), "", None, None),
        (meta("author", "Autor"), "", None, None),
        (meta("author", "#cats"), "", None, None),
        (meta("article:author", "facebook.com/jo.doe"), "", None, None),
        (meta("author", "Copyright Example Ltd"), "", None, None),
        (meta("author", "example.com"), "<h1>Cats</h1><p>Von Jo Doe, dpa</p>", "Von Jo Doe, dpa", "Jo Doe, dpa"),
        (meta("author", "example.com"), "<h1>Cats</h1><p>Von Paris nach Rom</p>", *["example.com"] * 2),
        (meta("author", "By Jo Doe") + meta("author", "Al Roe"), "", "By Jo Doe, Al Roe", "Jo Doe, Al Roe"),
        ("", '<h1>Cats</h1><p>Photo: <a href="https://example.org/licenses/by/4.0/">CC BY 4.0</a></p>', None, None),
        ("", '<p class="byline">von jo</p>', "von jo", "jo"),
        ("", '<p class="byline">Written by Us All <a>Get to know us!</a></p>', None, None),
        (meta("author", "jo@example.com"), "", None, None),
        (meta("twitter:label1", "Written by") + meta("twitter:data1", "Jo Doe"), "", "Jo Doe", "Jo Doe"),
        (linked({"@type": "Article", "author": [{"name": "Jo Doe"}, {"name": "Al Roe"}]}), "", *["Jo Doe, Al Roe"] * 2),
        ("", '<div class="comments"><a rel="author">Troll</a></div>', None, None),
        ("", '<nav><span class="byline">By Someone Else</span></nav>', None, None),
        ("", '<p class="byline" style="display:none">By Hidden Hand</p>', None, None),
        (meta("author", "Jo Doe, CFP"), "", *["Jo Doe, CFP"] * 2),
        (meta("author", "Jo Doe, Ph.D."), "", *["Jo Doe, Ph.D."] * 2),
        (meta("author", "Doe, Jo A."), "", *["Jo A. Doe"] * 2),
        (meta("author", "van den Doe, Jo"), "", *["Jo van den Doe"] * 2),
        (meta("author", "Doe, Jr."), "", *["Doe, Jr."] * 2),
        (meta("author", "Example, Inc."), "", *["Example, Inc."] * 2),
        (meta("author", "Example, Staff"), "", "Example, Staff", "Example"),
        (meta("author", "Do\u00e9, MD"), "", *["Do\u00e9, MD"] * 2),
        (meta("author", "Doe, M.D."), "", *["Doe, M.D."] * 2),
        (meta("author", "Jo Doe, PHD"), "", *["Jo Doe, PHD"] * 2),
        (meta("author", "Doe, Senior Editor"), "", *["Doe, Senior Editor"] * 2),
        ("", '<p class="byline">Text Example Doe</p>', "Text Example Doe", "Text Example Doe"),
        ("", '<p class="w-auto">Example Doe</p>', None, None),
        (meta("author", "Jo Doe, Al Roe"), "", *["Jo Doe, Al Roe"] * 2),
        (meta("author", "text: Example, design: Jo Doe"), '<p class="byline">Al Roe</p>', *["Al Roe"] * 2),
        ("", '<p class="byline">Authors: Jo Doe and Al Roe</p>', "Authors: Jo Doe and Al Roe", "Jo Doe, Al Roe"),
        ("", '<p class="byline">Von Doe</p>', "Von Doe", "Von Doe"),
        ("", '<p class="byline">Von Jo Doe</p>', "Von Jo Doe", "Jo Doe"),
        ("", '<p class="byline"><a>Post</a> by <a>jo123</a></p>', "Post by jo123", "jo123"),
        (
            "",
            '<div class="byline">By<div>Jo Doe</div><div>Chief Editor</div></div>',
            "By Jo Doe Chief Editor",
            "Jo Doe",
        ),
        (
            "",
            '<div class="byline"><div>Jo Doe</div> and <div>Al Roe</div></div>',
            "Jo Doe and Al Roe",
            "Jo Doe, Al Roe",
        ),
        ("", '<p class="byline">Articles by Jo</p>', "Articles by Jo", "Jo"),
        ("", '<p class="byline">Fact checked</p>', None, None),
        ("", "<address>1 Example Road, Exampleton 12345</address>", None, None),
        ("", "<address>City Museum<br>12 High Street<br>Exampleton</address>", None, None),
        ("", "<address>City Museum<br>Exampleton</address>", None, None),
        ("", "<address>City Museum, 12 High Street</address>", None, None),
        ("", "<address>Jo Doe<br>March 3, 2020</address>", "Jo Doe", "Jo Doe"),
        ("", "<address>By Jo Doe<br>Chief Editor</address>", "By Jo Doe Chief Editor", "Jo Doe"),
        ("", "<address>jo123</address>", "jo123", "jo123"),
        ("", "<address><a rel=author>Jo Doe</a><br>12 High Street</address>", "Jo Doe", "Jo Doe"),
        ("", '<address class="author">Jo Doe<br>Exampleton</address>', "Jo Doe Exampleton", "Jo Doe"),
    ],
)
def test_authors_are_found_and_told_apart_from_what_is_no_name(
    head: str, body: str, byline: str | None, author: str | None
) -> None:
    found = of(head, f"<main><article>{body}</article></main>")
    assert (found.byline, found.author) == (byline, author)


@pytest.mark.parametrize(
    ("beside", "author"),
    [
        ("<p>By Jo Doe</p>", "Jo Doe"),
        ("<p>Autorin: Jo Doe, MDR THÜRINGEN</p>", "Jo Doe"),
        ("<p>Autoren: Jo Doe, AFP</p>", "Jo Doe, AFP"),
        ("<p>Autoren: JO DOE, AL ROE</p>", "JO DOE, AL ROE"),
        ("<p>By Jo Doe in <a>News</a>, <a>Sport</a></p>", "Jo Doe"),
        ("<p>By TPN,\n in <a>News</a>, <a>Sport</a> · 31 Jan 2025</p>", "TPN"),
        ('<p class="byline">By TPN, in <a>News</a>, <a>Sport</a></p>', "TPN"),
        ('<p class="byline">By Jo Doe in <a>News</a>, <a>Sport</a></p>', "Jo Doe"),
        ("<p>Posted by Jo Doe in <a>Recipes</a>, <a>Cakes</a> on May 5, 2024</p>", "Jo Doe"),
        ("<p>May 6, 2024</p><p><b>Written by:</b> Jo Doe and Al Roe</p>", "Jo Doe, Al Roe"),
        ("<div>by</div><div>Jo Doe</div>", "Jo Doe"),
        ("<p>by jo123</p>", "jo123"),
        ("<p>Posted by jo</p>", "jo"),
        ("<p>By Plane</p>", None),
        ("<p>by-laws</p>", None),
        ("<span>Sort</span><div>by</div><div>Price</div>", None),
        ("<div>Posted by</div><div>Comments (3)</div>", None),
        ("<p>By using the site you agree to all our terms</p>", None),
        ("<p>By Example Lake all cats sleep, as they do elsewhere.</p>", None),
        ("<p hidden>By Jo Doe</p>", None),
    ],
)
def test_unmarked_byline_beside_the_headline(beside: str, author: str | None) -> None:
    story = "<p>Cats are animals that sleep most of the day.</p>" * 9
    assert of("<title>By the sea</title>", f"<h1>By Sea and Land</h1>{beside}{story}").author == author


def test_who_is_declared_comes_before_a_line_beside_the_headline() -> None:
    assert of(meta("author", "Al Roe"), "<h1>By the sea</h1><p>By Jo Doe</p>").author == "Al Roe"


def test_an_author_by_reference_is_followed() -> None:
    graph = {
        "@graph": [{"@type": "Article", "author": {"@id": "#jo"}}, {"@id": "#jo", "@type": "Person", "name": "Jo"}]
    }
    assert of(linked(graph)).author == "Jo"


def test_a_person_on_the_page_beats_a_publisher_declared_as_author() -> None:
    head = meta("og:site_name", "Example News") + linked({"@type": "Article", "author": {"name": "Example News"}})
    assert of(head, '<p class="byline">By Jo Doe</p>').author == "Jo Doe"
    assert of(head).author == "Example News"


def test_who_wrote_an_entry_and_when_is_not_who_wrote_the_list() -> None:
    entries = "".join(
        f"<article class=card><h3><a href=/t/{at}>A tale of the tide, number {at}, and who told it first</a></h3>"
        f"<p class=byline>By <a rel=author href=/authors/{at}>Piotr Nowak</a>, "
        f"<time datetime=2024-05-0{at}>{at} May 2024</time></p><p>What was seen on day {at}.</p>"
        "</article>"
        for at in range(1, 9)
    )
    declaration = meta("author", "Al Roe") + meta("article:published_time", "2024-06-01")
    page = f"<title>Tales</title>{{}}<h1>Tales</h1><main>{entries}</main>"
    found, declared = (
        wellread.extract(page.format(head), url="https://bay.example/tales") for head in ("", declaration)
    )
    assert found.page_type == "listing"
    assert (found.author, found.byline, found.published_date) == (None, None, None)
    assert (declared.author, declared.published_date) == ("Al Roe", "2024-06-01")
