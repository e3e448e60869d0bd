"""Feeds that are files: where they are published is said by themselves, or not at all."""

from __future__ import annotations

import pytest

import wellread

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Mill</title>{links}
<entry><title>Low water</title><link href="/news/1"/>
<link rel="enclosure" href="https://cdn.example/1.mp3" type="audio/mpeg"/>
<content type="html">&lt;a href="more">More&lt;/a></content></entry></feed>"""
RSS = """<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>Mill</title>{links}
<item><title>Low water</title><link>/news/1</link>
<enclosure url="https://cdn.example/1.mp3" length="5" type="audio/mpeg"/>
</item></channel></rss>"""
JSON = """{"version": "https://jsonfeed.org/version/1.1", "title": "Mill", LINKS
"items": [{"id": "1", "title": "Low water",
"url": "/news/1", "content_text": "Low.", "attachments":
[{"url": "https://cdn.example/1.mp3", "mime_type": "audio/mpeg"}]}]}"""


@pytest.mark.parametrize(
    "feed",
    [
        ATOM.format(links='<link rel="self" href="https://mill.example/feed.xml"/>'),
        ATOM.format(links='<link href="https://mill.example/"/>'),
        ATOM.format(links="<id>https://mill.example/</id>"),
        ATOM.format(links="").replace("<feed ", '<feed xml:base="https://mill.example/" '),
        RSS.format(links="<link>https://mill.example/</link>"),
        RSS.format(links='<link>/</link><atom:link rel="self" href="https://mill.example/feed.xml"/>'),
        JSON.replace("LINKS", '"feed_url": "https://mill.example/feed.json",'),
        JSON.replace("LINKS", '"home_page_url": "https://mill.example/",'),
    ],
)
def test_relative_links_of_feed_file(feed: str) -> None:
    page = wellread.extract(feed.encode())
    assert "## [Low water](https://mill.example/news/1)" in page.text
    assert "https://cdn.example/1.mp3" in page.links
    assert "relative_links" not in {notice.code for notice in page.warnings}


@pytest.mark.parametrize("feed", [ATOM.format(links=""), RSS.format(links=""), JSON.replace("LINKS", "")])
def test_relative_links_without_any_address(feed: str) -> None:
    page = wellread.extract(feed.encode())
    assert "## Low water\n" in page.text
    assert {notice.code: notice.count for notice in page.warnings}["relative_links"] == 1


def test_url_of_caller_goes_before_own_address_of_feed() -> None:
    feed = ATOM.format(links='<link rel="self" href="https://mirror.example/feed.xml"/>')
    page = wellread.extract(feed.encode(), url="https://mill.example/feed.xml")
    assert "(https://mill.example/news/1)" in page.text


def test_episode_without_page_links_to_its_enclosure() -> None:
    feed = RSS.format(links="").replace("<link>/news/1</link>", "")
    assert "## [Low water](https://cdn.example/1.mp3)" in wellread.extract(feed.encode()).text
