"""Feeds as they are in the wild: not well-formed, cut off, relative, with enclosures, as JSON."""

from __future__ import annotations

import json
from functools import partial

import pytest

from effort import work_grows_in_proportion
from unit.served import read_served
from wellread.documents.feed import FeedExtractor
from wellread.types import Source

RSS = "application/rss+xml"
ATOM = "application/atom+xml"
BARE = """<rss version="2.0"><channel><title>R&D weekly</title>
<item><title>Caf&eacute; &amp; Bar</title><link>https://a.example/?x=1&y=2</link><description>Q&A</description></item>
</channel></rss>"""
UNQUOTED = """<?xml version="1.0"?>
<rss version=2.0><channel><title>Mill</title><item><title>Wheel</title><link>https://m.example/1</link>
<description>Turns if x < 3<br>and stops.</description></item></channel></rss>"""
CUT_RSS = """<rss version="2.0"><channel><title>Mill</title>
<item><title>One</title><description>Whole.</description></item><item><title>Two</title><description>Half of"""
CUT_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Mill</title><entry><title>One</title>
<link href="https://m.example/1"/><summary>Whole.</summary></entry><entry><title>Two</title><link href="https://m.exa"""
BASE_ENTRY = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Mill</title><entry xml:base="https://m.example/2024/">
<title>One</title><link href="one"/><summary type="html">&lt;a href="two"&gt;Two&lt;/a&gt;</summary></entry></feed>"""
BASE_NESTED = """<feed xmlns="http://www.w3.org/2005/Atom" xml:base="https://m.example/a/"><title>Mill</title>
<entry xml:base="2024/"><title>One</title><link href="one"/>
<content type="xhtml" xml:base="text/">
<div xmlns="http://www.w3.org/1999/xhtml"><a href="../two">Two</a></div></content>
</entry></feed>"""
ESCAPED = [
    "&lt;![CDATA[Low water]]&gt;",
    "<![CDATA[&lt;![CDATA[Low water]]&gt;]]>",
    "&amp;lt;p&amp;gt;Low water&amp;lt;/p&amp;gt;",
]
ENCLOSED = """<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel><title>Pod</title>
<item><title>One</title><link>https://p.example/1</link><itunes:duration>1:02:03</itunes:duration>
<enclosure url="https://p.example/1.mp3" type="audio/mpeg" length="12345678"/></item></channel></rss>"""
ENCLOSED_ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Pod</title><entry><title>One</title>
<link href="https://p.example/1"/>
<link rel="enclosure" href="1.mp3" type="audio/mpeg" length="12345678"/></entry></feed>"""


@pytest.mark.parametrize(("body", "text"), [(BARE, "Café & Bar"), (UNQUOTED, "Turns if x < 3")])
def test_feed_that_is_not_well_formed(body: str, text: str) -> None:
    page = read_served(body, RSS, format="text")
    assert text in page.text
    assert "<item>" not in page.text


@pytest.mark.parametrize(("body", "media_type"), [(CUT_RSS, RSS), (CUT_ATOM, ATOM)])
def test_feed_that_is_cut_off(body: str, media_type: str) -> None:
    page = read_served(body, media_type)
    assert "Whole." in page.text
    assert "Two" in page.text
    assert "m.exa)" not in page.text
    assert "cut_short" in [warning.code for warning in page.notices]


@pytest.mark.parametrize(
    ("body", "links"),
    [
        (BASE_ENTRY, ("https://m.example/2024/one", "https://m.example/2024/two")),
        (BASE_NESTED, ("https://m.example/a/2024/one", "https://m.example/a/2024/two")),
    ],
)
def test_feed_with_xml_base(body: str, links: tuple[str, ...]) -> None:
    assert read_served(body, ATOM).links == links


@pytest.mark.parametrize("description", ESCAPED)
def test_feed_with_html_escaped_twice(description: str) -> None:
    item = f"<item><title>One</title><description>{description}</description></item>"
    page = read_served(f"<rss><channel>{item}</channel></rss>", RSS)
    assert page.text == "## One\n\nLow water"


@pytest.mark.parametrize(("body", "media_type"), [(ENCLOSED, RSS), (ENCLOSED_ATOM, ATOM)])
def test_feed_with_enclosures(body: str, media_type: str) -> None:
    page = read_served(body, media_type)
    assert any(link.endswith("/1.mp3") for link in page.links)
    assert "audio/mpeg, 12,345,678 bytes" in page.text


@pytest.mark.parametrize("content_type", ["application/feed+json", "application/json"])
@pytest.mark.parametrize("version", ["1", "1.1"])
def test_json_feed(content_type: str, version: str) -> None:
    feed = {
        "version": f"https://jsonfeed.org/version/{version}",
        "title": "Mill",
        "items": [{"id": "1", "url": "/1", "title": "One", "content_html": "<p>Low <b>water</b></p>"}],
    }
    page = read_served(json.dumps(feed), content_type)
    assert page.text == "# Mill\n\n## [One](https://files.example/1)\n\nLow **water**"


def test_json_feed_attachments_and_authors() -> None:
    feed = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": "Pod",
        "items": [
            {
                "id": "1",
                "content_text": "<p> & more\n\nEnd.",
                "authors": [{"name": "Ann"}, {"name": "Bo"}],
                "date_published": "2024-03-05T10:00:00Z",
                "attachments": [
                    {"url": "https://p.example/1.mp3", "mime_type": "audio/mpeg", "duration_in_seconds": 3723},
                    {"url": "javascript:x", "mime_type": "audio/mpeg"},
                ],
            }
        ],
    }
    page = read_served(json.dumps(feed), "application/feed+json", format="text")
    assert page.text.split("\n\n") == [
        "Pod",
        "Untitled",
        "2024-03-05T10:00:00Z, Ann, Bo",
        "<p> & more",
        "End.",
        "1.mp3 (audio/mpeg, 1:02:03)",
    ]


def test_json_that_is_no_feed_is_shown() -> None:
    page = read_served('{"see": "https://jsonfeed.org/version/1.1", "items": 3}', "application/json")
    assert "jsonfeed.org" in page.text


def test_summary_is_shown_beside_other_content_only() -> None:
    item = (
        "<item><title>One</title><description>{}</description>"
        "<content:encoded>&lt;p&gt;Low water at nine.&lt;/p&gt;</content:encoded></item>"
    )
    same, other = (
        read_served(f"<rss><channel>{item.format(text)}</channel></rss>", RSS).text
        for text in ("Low water...", "Tides.")
    )
    assert same == "## One\n\nLow water at nine."
    assert other == "## One\n\nLow water at nine.\n\nTides."


def test_elements_of_media_rss_do_not_stand_for_the_entry() -> None:
    item = (
        '<item><media:title>Film</media:title><title>One</title><media:content url="https://m.example/1.mp4" '
        'type="video/mp4" fileSize="9"/><guid isPermaLink="false">https://m.example/no</guid></item>'
    )
    page = read_served(f"<rss><channel>{item}</channel></rss>", RSS)
    assert page.text == "## [One](https://m.example/1.mp4)\n\n[1.mp4](https://m.example/1.mp4) (video/mp4, 9 bytes)"


def test_repaired_structure_is_reported() -> None:
    assert "repaired_markup" in [warning.code for warning in read_served(UNQUOTED, RSS).notices]
    assert "repaired_markup" not in [warning.code for warning in read_served(BARE, RSS).notices]


def test_entities_are_not_expanded_by_the_repair() -> None:
    body = f'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]>{UNQUOTED}'.replace("Wheel", "&x;")
    page = read_served(body, RSS)
    assert "unread_markup" in [warning.code for warning in page.notices]


DAMAGED = ["<item><title>a & b < c", "<![CDATA[", "<!--", "<item a='", "</item>", "<b>x</b><", "&lt;p&gt;"]


@pytest.mark.parametrize("unit", DAMAGED)
@pytest.mark.untraced
def test_cost_of_repair_is_linear(unit: str) -> None:
    small, large = ("<rss a=1><channel>" + unit * repeats for repeats in (10_000, 40_000))
    assert work_grows_in_proportion(partial(read_feed, small), partial(read_feed, large))


def read_feed(text: str) -> None:
    FeedExtractor().extract(Source(body=text.encode(), media_type="text/xml"))
