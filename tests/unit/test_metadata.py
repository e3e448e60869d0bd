"""What a page says about itself: where it is looked for, in which order, and what is made of hostile words."""

from __future__ import annotations

import json
from datetime import datetime
from html import escape
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from wellread.metadata import choose_metadata, gather_facts
from wellread.text.dates import iso

if TYPE_CHECKING:
    from wellread.types import Metadata

URL = "https://www.example.com/news/story-1"
WORDS = st.text(alphabet=st.sampled_from("abcdefghijklmnop"), min_size=3, max_size=12)
TITLES = st.lists(WORDS, min_size=2, max_size=6).map(" ".join)


def of(head: str = "", body: str = "", *, url: str | None = URL, html: str = "") -> Metadata:
    return choose_metadata(
        gather_facts(LexborHTMLParser(f"<!doctype html><html {html}><head>{head}</head><body>{body}"), url)
    )


def meta(name: str, content: str) -> str:
    attribute = "property" if ":" in name else "name"
    return f'<meta {attribute}="{name}" content="{escape(content)}">'


def linked(data: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(data)}</script>'


# ------------------------------------------------------------------------------------------------ properties


@settings(max_examples=150, deadline=None)
@given(TITLES, st.sampled_from(["og", "json-ld", "meta", "html"]))
def test_declared_metadata_is_found(title: str, where: str) -> None:
    """Property 3 of seed 001: metadata in any of the known forms is found."""
    pages = {
        "og": of(meta("og:title", title) + meta("article:published_time", "2024-05-01") + meta("og:image", "/a.png")),
        "json-ld": of(
            linked({"@type": "Article", "headline": title, "datePublished": "2024-05-01", "author": {"name": "Jo Doe"}})
        ),
        "meta": of(meta("title", title) + meta("date", "2024-05-01") + meta("author", "Jo Doe")),
        "html": of(
            f"<title>{title}</title>", '<a rel="author">Jo Doe</a><time class="published" datetime="2024-05-01"></time>'
        ),
    }
    found = pages[where]
    assert found.title == title
    assert found.published_date == "2024-05-01"
    assert found.author == "Jo Doe" or found.primary_image


@settings(max_examples=150, deadline=None)
@given(TITLES, TITLES, TITLES, st.permutations(range(4)))
def test_open_graph_before_other_declarations(og: str, ld: str, generic: str, order: list[int]) -> None:
    """Property 4 of seed 001: Open Graph is used before other sources."""
    parts = [
        meta("og:title", og) + meta("og:description", og),
        linked({"@type": "Article", "headline": ld, "description": ld}),
        meta("title", generic) + meta("description", generic),
        meta("dc:title", generic),
    ]
    found = of("".join(parts[at] for at in order))
    assert (found.title, found.description) == (og, og)


NESTING = st.recursive(
    st.just("@"),
    lambda inner: st.one_of(
        st.tuples(st.sampled_from(["@graph", "mainEntity", "hasPart", "mainEntityOfPage", "nested"]), inner),
        st.tuples(st.just("[]"), inner),
    ),
    max_leaves=12,
)


def nest(shape: Any, core: dict[str, object]) -> object:
    if shape == "@":
        return core
    name, inner = shape
    return [{"@type": "Thing"}, nest(inner, core)] if name == "[]" else {"@type": "Thing", name: nest(inner, core)}


@settings(max_examples=200, deadline=None)
@given(NESTING, st.dates(), st.sampled_from(["text", "object", "list"]), st.booleans())
def test_nested_json_ld(shape: Any, day: Any, how: str, typed: bool) -> None:
    """Property 16 of seed 001: JSON-LD is searched at all levels for date and author."""
    author = {"text": "Jo Doe", "object": {"@type": "Person", "name": "Jo Doe"}, "list": [{"name": "Jo Doe"}]}[how]
    stamp = f"{2000 + day.year % 50}-{day.month:02}-{day.day:02}" if day.day < 29 else "2024-05-01"
    core: dict[str, object] = {"datePublished": stamp, "author": author}
    if typed:
        core["@type"] = "NewsArticle"
    found = of(linked(nest(shape, core)))
    assert (found.published_date, found.author) == (stamp, "Jo Doe")
    assert found.published_source == "json-ld"


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=400))
def test_any_text_in_any_place_is_read_without_failing(text: str) -> None:
    found = of(
        meta("og:title", text)
        + meta("article:published_time", text)
        + meta("author", text)
        + f'<link rel="canonical" href="{escape(text)}"><title>{escape(text)}</title><base href="{escape(text)}">'
        + f'<script type="application/ld+json">{text}</script>',
        f'<h1>{escape(text)}</h1><p class="byline">{escape(text)}</p><time datetime="{escape(text)}"></time>',
        html=f'lang="{escape(text)}" dir="{escape(text)}"',
    )
    assert found.title is None or (found.title == found.title.strip() and len(found.title) <= 500)


# ----------------------------------------------------------------------------------------------------- title


@pytest.mark.parametrize(
    ("element", "h1", "site", "expected"),
    [
        ("A long story about cats | Example News", "", "Example News", "A long story about cats"),
        ("Example News: A long story", "A long story", "Example News", "A long story"),
        ("A long story about cats - example.com", "", "", "A long story about cats"),
        ("Story \u2014 Some Weekly Paper", "Story", "", "Story"),
        ("Issue 85 \u2013 Nightly News", "Issue 85", "Nightly News", "Issue 85"),
        ("Cats | Dogs | Example News", "", "Example News", "Cats | Dogs"),
        ("One title - with a dash in it", "One title - with a dash in it", "", "One title - with a dash in it"),
        ("Part 2: The return of the cats", "", "", "Part 2: The return of the cats"),
        ("Read - Write - Example", "", "example", "Read - Write"),
        ("A longer story \u00b7 Example Forums", "", "", "A longer story"),
        ("A long story about cats [Example News]", "", "Example News", "A long story about cats"),
        ("A long story about cats (in pictures)", "", "Example News", "A long story about cats (in pictures)"),
    ],
)
def test_the_sites_name_is_taken_off_the_title(element: str, h1: str, site: str, expected: str) -> None:
    head = f"<title>{element}</title>" + (meta("og:site_name", site) if site else "")
    assert of(head, f"<h1>{h1}</h1>" if h1 else "").title == expected


@pytest.mark.parametrize(
    ("told", "h1", "address", "expected"),
    [
        # The address was made of one of the two wordings.
        ("Easy checks for your car", "A plan for car care", "/plan-for-car-care", "A plan for car care"),
        ("Easy checks for your car", "A plan for car care", "/easy-car-checks", "Easy checks for your car"),
        # It knows neither: a heading in the same words is the title, one in others is not.
        (
            "Easy checks for your old car",
            "Seven easy checks for an old car",
            "/easy-car-checks",
            "Seven easy checks for an old car",
        ),
        ("Easy checks for your car", "Welcome, dear friends", "/p/1234", "Easy checks for your car"),
        ("Easy checks for your car", "Lorem", "", "Easy checks for your car"),
        # A heading that all pages of a book have is the book's name.
        (
            "What is ownership? - The Big Book of Code",
            "The Big Book of Code",
            "/what-is-ownership",
            "What is ownership?",
        ),
        # One that is the declared title with the name of its kind before it is that title.
        ("What is ownership?", "Thread: What is ownership?", "/p/1234", "What is ownership?"),
        ("Help - What is ownership?", "What is ownership?", "/what-is-ownership", "What is ownership?"),
        ("Beds for cats", "Explore all our beds for cats", "/beds-for-cats", "Beds for cats"),
        # A label before the headline is none of it, nor a day or a count beside it.
        ("Tips - How cats sleep", "Tips How cats sleep", "/cats", "Tips - How cats sleep"),
        ("How cats sleep all day", "How cats sleep all day (example.org) 139", "/cats", "How cats sleep all day"),
        # What the address tells is the title, and not the label that all pages of its kind have.
        ("README | the-book-of-cats", "README", "/the-book-of-cats", "the-book-of-cats"),
        ("Example \u2022 View topic - How cats sleep", "", "/t/5", "View topic - How cats sleep"),
        ("Home - Cats and More", "Welcome, dear friends", "/", "Home - Cats and More"),
        # What stands behind a bar is no part of a heading, nor what stands between a title and its site.
        ("Good news for cats | Opinion", "Good news for cats | Opinion", "/cats", "Good news for cats"),
        ("Build an app | Get started | Example Developers", "", "/start", "Build an app"),
    ],
)
def test_of_two_wordings_the_title_is_the_one_that_the_page_bears_out(
    told: str, h1: str, address: str, expected: str
) -> None:
    url = f"https://www.example.com{address}" if address else None
    assert of(meta("og:title", told), f"<h1>{h1}</h1>" if h1 else "", url=url).title == expected


@pytest.mark.parametrize(
    ("declared", "heading", "expected"),
    [
        ("Budget | Taxes rise again", "Budget | Taxes rise again", "Budget | Taxes rise again"),
        ("Taxes rise | Daily Example", "Taxes rise | Daily Example", "Taxes rise"),
        ("Taxes rise | Politics", "Taxes rise", "Taxes rise"),
    ],
)
def test_title_with_a_bar(declared: str, heading: str, expected: str) -> None:
    head = f'<meta property="og:title" content="{declared}"><meta property="og:site_name" content="Daily Example">'
    assert of(f"{head}<title>{declared}</title>", f"<h1>{heading}</h1>").title == expected


def test_a_headline_in_linked_data_is_told_from_the_label_before_it() -> None:
    ld = linked({"@type": "DiscussionForumPosting", "headline": "How cats sleep"})
    body = "<h1><i>Tips</i> How cats sleep</h1>"
    assert of(meta("og:title", "Tips - How cats sleep") + ld, body).title == "How cats sleep"


def test_headline_of_a_lower_level_in_the_title() -> None:
    title = "<title>Example \u2022 View topic - How cats sleep</title>"
    assert of(title, "<h2>Search</h2><h2>How cats sleep</h2><p>All day.</p>").title == "How cats sleep"


def test_a_title_declared_as_the_sites_name_is_no_name_of_the_site() -> None:
    head = "<title>How cats sleep | Example</title>" + meta("og:site_name", "How cats sleep | Example")
    assert of(head, "<h1>How cats sleep</h1>").title == "How cats sleep"


def test_a_product_has_the_name_that_is_declared_and_shown() -> None:
    head = meta("og:title", "Cat bed of wool for sale online") + linked({"@type": "Product", "name": "Cat bed of wool"})
    assert of(head, "<h1>Cat bed of wool</h1>").title == "Cat bed of wool"


def test_json_ld_headline_in_the_title_before_the_teaser() -> None:
    head = meta("og:title", "The best films") + "<title>How to watch the best films | Example</title>"
    ld = linked({"@type": "Article", "headline": "How to watch the best films"})
    assert of(head + ld, "<h1>The best films</h1>").title == "How to watch the best films"


def test_a_heading_that_is_the_sites_name_hides_no_headline_below_it() -> None:
    head = meta("og:title", "Where cats love to sleep") + meta("og:site_name", "Example")
    body = "<h1>Example</h1><h1>The best places to sleep for cats</h1>"
    assert of(head, body, url="https://example.com/best-places").title == "The best places to sleep for cats"


def test_a_product_that_is_called_after_its_site_keeps_its_name() -> None:
    head = meta("og:title", "Example Cloud | A home for all cats") + meta("og:site_name", "Example")
    assert of(head, url="https://example.com/cloud").title == "Example Cloud"
    head = meta("og:title", "Example | A home for all cats") + meta("og:site_name", "Example")
    assert of(head, url="https://example.com/home").title == "A home for all cats"


def test_a_front_page_keeps_the_sites_name() -> None:
    assert of("<title>Example: the tool for examples</title>", url="https://example.com/").title == (
        "Example: the tool for examples"
    )


def test_a_title_about_markup_keeps_its_tags() -> None:
    assert of(meta("og:title", "<video>: the video element")).title == "<video>: the video element"
    assert of(linked({"@type": "Article", "headline": "On <em>Cats</em>"})).title == "On Cats"


def test_an_icons_title_is_not_the_pages() -> None:
    assert of("", "<svg><title>arrow</title></svg><h1>Story</h1>").title == "Story"


# ----------------------------------------------------------------------------------------------------- dates


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("2024-05-01", "2024-05-01"),
        ("2024-05", "2024-05"),
        ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"),
        ("2024-05-01T10:00:00.123+0200", "2024-05-01T10:00:00.123+02:00"),
        ("2024-05-01 06:01:07", "2024-05-01T06:01:07"),
        ("20240501", "2024-05-01"),
        ("Mon, 06 May 2024 10:00:00 GMT", "2024-05-06T10:00:00Z"),
        ("May 6, 2024", "2024-05-06"),
        ("6 May 2024", "2024-05-06"),
        ("6. Mai 2024", "2024-05-06"),
        ("6 de mayo de 2024", "2024-05-06"),
        ("2024\u5e745\u67086\u65e5", "2024-05-06"),
        ("06.05.2024", "2024-05-06"),
        ("05/29/2007 09:49:00", "2007-05-29"),
        ("2024 May 6", "2024-05-06"),
        ("Thu, 05/16/2024 - 11:38", "2024-05-16"),
        ("1714989600", "2024-05-06T10:00:00Z"),
        ("05/06/2024", None),
        ("2024-13-01", None),
        ("0001-01-01T00:00:00", None),
        ("1970-01-01T00:00:00Z", None),
        ("yesterday", None),
        ("Published in 2024", None),
        ("12", None),
        ("", None),
    ],
)
def test_dates_are_normalised_and_never_guessed(given: str, expected: str | None) -> None:
    assert iso(given) == expected


@settings(max_examples=150)
@given(st.datetimes(min_value=datetime(1971, 1, 1), max_value=datetime(2099, 1, 1)))  # noqa: DTZ001 - naive on purpose
def test_a_normalised_date_stays_as_it_is(stamp: Any) -> None:
    once = iso(stamp.isoformat())
    assert once is not None
    assert iso(once) == once


def test_a_date_says_where_it_was_found() -> None:
    assert of(meta("article:published_time", "2024-05-01")).published_source == "og"
    assert of(meta("dc:date", "2024-05-01")).published_source == "meta"
    assert of("", '<time itemprop="datePublished" datetime="2024-05-01"></time>').published_source == "time"


def test_a_page_without_a_date_gets_none() -> None:
    lines = "<p>We sell all kinds of boxes, large and small, of card and of wood.</p>" * 20
    body = f"<h1>Boxes</h1><p>In 2023 we met.</p>{lines}<p>Since May 6, 2019. \u00a9 2024 Example. Updated often.</p>"
    assert of("<title>Boxes | Example</title>", body).published_date is None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("By Jo Doe, May 6, 2024", "2024-05-06"),
        ("Jo Doe &middot; 6. Mai 2024 &middot; 3 min", "2024-05-06"),
        ("<b>6 de mayo</b> de 2024", "2024-05-06"),
        ("<span>2024\u5e745\u67086\u65e5</span>", "2024-05-06"),
    ],
)
def test_the_date_beside_the_headline_is_found_in_plain_text(line: str, day: str) -> None:
    body = f"<header>Example</header><h1>A story of cats</h1><div>{line}</div><p>Cats are animals.</p>"
    found = of("<title>A story of cats</title>", body)
    assert (found.published_date, found.published_source) == (day, "text")


def test_shown_one_of_two_declared_dates() -> None:
    ld = linked({"@type": "Article", "datePublished": "2015-10-15", "dateModified": "2018-04-22"})
    told = meta("article:published_time", "2015-12-11") + ld
    found = of(told, "<h1>A story of cats</h1><p>October 15, 2015</p>")
    assert (found.published_date, found.published_source, found.modified_date) == (
        "2015-10-15",
        "json-ld",
        "2018-04-22",
    )
    assert of(told, "<h1>A story of cats</h1><p>December 11, 2015</p>").published_date == "2015-12-11"


def test_declared_title_that_extends_the_headline() -> None:
    head = (
        meta("og:title", "Twelve tools for data in 2026 | Python and SQL")
        + "<title>Twelve tools for data | Example</title>"
    )
    assert of(head, "<h1>Twelve tools for data</h1>").title == "Twelve tools for data"


# ------------------------------------------------------------------------------------------ addresses, language


@pytest.mark.parametrize(
    ("href", "expected"),
    [
        ("/news/story-1?ref=x", "https://www.example.com/news/story-1?ref=x"),
        ("https://example.com/news/story-1#top", "https://example.com/news/story-1"),
        ("https://m.example.com/s", "https://m.example.com/s"),
        ("https://evil.test/news/story-1", None),
        ("https://example.com.evil.test/", None),
        ("https://example.com/", None),
        ("javascript:alert(1)", None),
        ("https://user:pass@example.com/a", None),
        ("http://[", None),
    ],
)
def test_the_canonical_address_is_believed_only_on_the_same_site(href: str, expected: str | None) -> None:
    assert of(f'<link rel="canonical" href="{href}">').canonical_url == expected


@pytest.mark.parametrize(
    ("page", "other"),
    [
        ("https://a.github.io/x", "https://b.github.io/x"),
        ("https://a.co.uk/x", "https://b.co.uk/x"),
        ("http://192.0.2.1/x", "http://192.0.2.9/x"),
    ],
)
def test_neighbours_on_a_shared_domain_are_other_sites(page: str, other: str) -> None:
    assert of(f'<link rel="canonical" href="{other}">', url=page).canonical_url is None


def test_images_are_absolute_against_the_base() -> None:
    head = (
        '<base href="https://cdn.example.com/a/">'
        + meta("og:image", "b.png")
        + meta("twitter:image", "data:image/png,x")
    )
    found = of(head + linked({"@type": "Article", "image": {"@type": "ImageObject", "url": "//img.example.com/c.png"}}))
    assert found.images == ("https://cdn.example.com/a/b.png", "https://img.example.com/c.png")
    assert found.primary_image == found.images[0]


@pytest.mark.parametrize(
    ("html", "head", "expected"),
    [
        ('lang="en"', meta("og:locale", "fr_FR"), "en"),
        ("", meta("og:locale", "en_US"), "en-US"),
        ('lang="zh-Hant-TW"', "", "zh-Hant-TW"),
        ("", '<meta http-equiv="Content-Language" content="de_DE">', "de-DE"),
        ('lang="please obey"', "", None),
    ],
)
def test_the_language_is_a_well_formed_tag(html: str, head: str, expected: str | None) -> None:
    assert of(head, html=html).language == expected


def test_direction_and_site_name_are_told() -> None:
    ld = linked({"@type": "Article", "publisher": {"@type": "Organization", "name": "Example"}})
    found = of(meta("og:site_name", "Example - all the news") + ld, html='dir="RTL"')
    assert (found.direction, found.site_name) == ("rtl", "Example")
    assert of(meta("twitter:site", "@example")).site_name is None
