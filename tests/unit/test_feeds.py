"""Feeds as they are in the wild: not well-formed, cut off, relative, with enclosures, as JSON."""

from __future__ import annotations

import json

import pytest

from unit.served import read_served

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


@pytest.mark.xfail(strict=True, reason="what is not well-formed is shown as written")
@pytest.mark.parametrize(("body", "text"), [(BARE, "Café & Bar"), (UNQUOTED, "Turns if x < 3")])
def test_feed_that_is_not_well_formed(body: str, text: str) -> None:
    page = read_served(body, RSS, format="text")
    assert text in page.text
    assert "<item>" not in page.text


@pytest.mark.xfail(strict=True, reason="what is not well-formed is shown as written")
@pytest.mark.parametrize(("body", "media_type"), [(CUT_RSS, RSS), (CUT_ATOM, ATOM)])
def test_feed_that_is_cut_off(body: str, media_type: str) -> None:
    page = read_served(body, media_type)
    assert "Whole." in page.text
    assert "Two" in page.text
    assert "m.exa)" not in page.text
    assert "cut_short" in [warning.code for warning in page.warnings]


@pytest.mark.xfail(strict=True, reason="xml:base is ignored")
@pytest.mark.parametrize(
    ("body", "links"),
    [
        (BASE_ENTRY, ("https://m.example/2024/one", "https://m.example/2024/two")),
        (BASE_NESTED, ("https://m.example/a/2024/one", "https://m.example/a/2024/two")),
    ],
)
def test_feed_with_xml_base(body: str, links: tuple[str, ...]) -> None:
    assert read_served(body, ATOM).links == links


@pytest.mark.xfail(strict=True, reason="what was escaped twice is lost, or shown as markup")
@pytest.mark.parametrize("description", ESCAPED)
def test_feed_with_html_escaped_twice(description: str) -> None:
    item = f"<item><title>One</title><description>{description}</description></item>"
    page = read_served(f"<rss><channel>{item}</channel></rss>", RSS)
    assert page.text == "## One\n\nLow water"


@pytest.mark.xfail(strict=True, reason="enclosures are not read")
@pytest.mark.parametrize(("body", "media_type"), [(ENCLOSED, RSS), (ENCLOSED_ATOM, ATOM)])
def test_feed_with_enclosures(body: str, media_type: str) -> None:
    page = read_served(body, media_type)
    assert any(link.endswith("/1.mp3") for link in page.links)
    assert "audio/mpeg, 12,345,678 bytes" in page.text


@pytest.mark.xfail(strict=True, reason="JSON Feed is shown as JSON")
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
