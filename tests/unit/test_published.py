"""Which of the days on a page is the one on which it was published: where it stands, and what the page is like."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

from wellread.web.metadata import read

if TYPE_CHECKING:
    from wellread.types import Metadata

URL = "https://www.example.com/news/story-1"


def of(head: str, body: str, *, url: str = URL) -> Metadata:
    return read(LexborHTMLParser(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"), url)


def meta(name: str, content: str) -> str:
    attribute = "property" if ":" in name else "name"
    return f'<meta {attribute}="{name}" content="{escape(content)}">'


@pytest.mark.parametrize(
    "before",
    [
        '<a href="/all">Back to all stories</a><div><p>May 6, 2024 - 3 minutes</p></div>',
        "<div><span>May 6, 2024</span><span>Jo Doe</span></div>",
    ],
)
def test_a_date_before_the_headline_is_told_from_the_words_that_only_style_keeps_apart(before: str) -> None:
    body = f"<main>{before}<h1>A story of cats</h1><p>Cats are animals.</p></main>"
    assert of("<title>A story of cats</title>", body).published_date == "2024-05-06"


def test_a_page_whose_headline_is_of_a_lower_rank_shows_its_date_beside_it() -> None:
    menu = "<div>Welcome, guest. Log in or sign up. Est. January 2, 2003</div>" + "<p>Help, search, members.</p>" * 30
    body = f"{menu}<h2>A story of many cats</h2><p>Started by Jo, June 04, 2024</p><div>Cats are animals.</div>"
    found = of("<title>A story of many cats</title>", body, url="https://www.example.com/index.php?topic=5")
    assert found.published_date == "2024-06-04"


@pytest.mark.parametrize(
    ("body", "day"),
    [
        ('<article>{story}<footer class="entry-footer">{time}</footer></article>', "2024-05-06"),
        ('<article>{story}</article><div class="site-footer">{time}</div>', None),
        ('<div class="elementor-widget elementor-widget-post-info">{time}</div>{story}', "2024-05-06"),
        ('{story}<div class="widget recent">{time}</div>', None),
    ],
)
def test_an_articles_own_footer_is_its_own_and_a_builders_parts_are_no_sidebar(body: str, day: str | None) -> None:
    story = "<h1>A story of cats</h1>" + "<p>Cats are animals that sleep most of the day.</p>" * 20
    shown = body.format(story=story, time='<time datetime="2024-05-06">May 6</time>')
    head = "<title>A story of cats</title>" + meta("author", "Jo Doe") + meta("og:type", "article")
    assert of(head, shown, url="https://www.example.com/a-story-of-cats").published_date == day


def test_the_day_that_software_gives_every_page_is_that_of_a_story_and_not_of_a_front_page() -> None:
    data = {"@type": "WebPage", "name": "Example", "datePublished": "2019-02-01", "dateModified": "2024-05-06"}
    page = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    head = "<title>Example</title>" + page
    assert of(head, "<h1>Example</h1>", url="https://www.example.com/").published_date is None

    about = "<title>How cats sleep all day long</title>" + meta("og:type", "article") + meta("author", "Jo Doe")
    found = of(about + page, "<h1>How cats sleep</h1>", url="https://www.example.com/how-cats-sleep-all-day-long")
    assert found.published_date == "2019-02-01"
