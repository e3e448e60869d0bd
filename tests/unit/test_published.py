"""Which of the days on a page is the one on which it was published: where it stands, and what the page is like."""

from __future__ import annotations

import json
from html import escape
from typing import TYPE_CHECKING

import pytest
from selectolax.lexbor import LexborHTMLParser

import wellread
from wellread.apps.local_reading import extract_in_worker
from wellread.metadata import choose_metadata, gather_facts

if TYPE_CHECKING:
    from wellread.types import Metadata

URL = "https://www.example.com/news/story-1"


def of(head: str, body: str, *, url: str = URL) -> Metadata:
    return choose_metadata(
        gather_facts(LexborHTMLParser(f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"), url)
    )


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
def test_date_before_the_headline_separated_by_style(before: str) -> None:
    body = f"<main>{before}<h1>A story of cats</h1><p>Cats are animals.</p></main>"
    assert of("<title>A story of cats</title>", body).published_date == "2024-05-06"


def test_date_beside_a_headline_of_a_lower_level() -> None:
    menu = "<div>Welcome, guest. Log in or sign up. Est. January 2, 2003</div>" + "<p>Help, search, members.</p>" * 30
    body = f"{menu}<h2>A story of many cats</h2><p>Started by Jo, June 04, 2024</p><div>Cats are animals.</div>"
    found = of("<title>A story of many cats</title>", body, url="https://www.example.com/index.php?topic=5")
    assert found.published_date == "2024-06-04"


@pytest.mark.parametrize(
    ("body", "day"),
    [
        ('<article>{story}<footer class="entry-footer">{time}</footer></article>', "2024-05-06"),
        ('<article>{story}</article><div class="site-footer">{time}</div>', None),
        ('<main>{story}<div class="site-footer">{time}</div></main>', None),
        ('{story}<div class="elementor-related-posts">{time}</div>', None),
        ('<div class="elementor-widget elementor-widget-post-info">{time}</div>{story}', "2024-05-06"),
        ('{story}<div class="widget recent">{time}</div>', None),
    ],
)
def test_date_in_the_footer_of_an_article_or_in_builder_parts(body: str, day: str | None) -> None:
    story = "<h1>A story of cats</h1>" + "<p>Cats are animals that sleep most of the day.</p>" * 20
    shown = body.format(story=story, time='<time datetime="2024-05-06">May 6</time>')
    head = "<title>A story of cats</title>" + meta("author", "Jo Doe") + meta("og:type", "article")
    assert of(head, shown, url="https://www.example.com/a-story-of-cats").published_date == day


@pytest.mark.parametrize(
    ("dated", "day"),
    [
        ('<div class="story-date">Published on: 6 May 2024</div>', "2024-05-06"),
        ('<p class="dateline"><b>Published</b> May 6, 2024</p>', "2024-05-06"),
        ('<div class="candidate-updates">May 6, 2024</div>', None),
        ('<div class="copyright-date">May 6, 2024</div>', None),
        ('<i class="post-date">May 6, 2024</i><i class="post-date">May 7, 2024</i>', None),
        ('<div class="related-stories"><p class="post-date">May 6, 2024</p></div>', None),
        ('<div hidden><p class="post-date">May 6, 2024</p></div>', None),
    ],
)
def test_date_by_class_far_from_the_headline(dated: str, day: str | None) -> None:
    story = "<h1>How cats sleep all day long</h1>" + "<p>Cats are animals that sleep most of the day.</p>" * 20
    head = "<title>How cats sleep all day long</title>" + meta("author", "Jo Doe")
    found = of(head, story + dated, url="https://www.example.com/how-cats-sleep-all-day-long")
    assert (found.published_date, found.published_source) == (day, day and "text")


def test_declared_date_before_a_date_by_class() -> None:
    head = "<title>How cats sleep all day</title>" + meta("article:published_time", "2023-01-02")
    body = "<h1>How cats sleep all day</h1>" + "<p>Cats sleep.</p>" * 100 + '<p class="post-date">May 6, 2024</p>'
    assert of(head, body, url="https://www.example.com/how-cats-sleep-all-day").published_date == "2023-01-02"


@pytest.mark.parametrize(("author", "day"), [("Jo Doe", "2024-05-06"), ("", None)])
def test_date_of_publication_on_a_page_with_an_author(author: str, day: str | None) -> None:
    body = "<h1>Cats asleep</h1>" + "<p>Cats sleep.</p>" * 100 + '<p class="post-date">May 6, 2024</p>'
    head = "<title>Cats asleep</title>" + meta("author", author)
    assert of(head, body, url="https://www.example.com/cats-asleep").published_date == day


def test_a_vacancy_is_dated_by_the_day_it_was_posted() -> None:
    data = {"@type": "JobPosting", "title": "Keeper of the lamp", "datePosted": "2024-03-09"}
    page = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    assert of(page, "<h1>Keeper of the lamp</h1>").published_date == "2024-03-09"


def test_date_by_software_on_a_story_and_a_front_page() -> None:
    data = {"@type": "WebPage", "name": "Example", "datePublished": "2019-02-01", "dateModified": "2024-05-06"}
    page = f'<script type="application/ld+json">{json.dumps(data)}</script>'
    head = "<title>Example</title>" + page
    assert of(head, "<h1>Example</h1>", url="https://www.example.com/").published_date is None

    about = "<title>How cats sleep all day long</title>" + meta("og:type", "article") + meta("author", "Jo Doe")
    found = of(about + page, "<h1>How cats sleep</h1>", url="https://www.example.com/how-cats-sleep-all-day-long")
    assert found.published_date == "2019-02-01"


@pytest.mark.parametrize(
    ("shown", "declared", "day"),
    [
        ("05.06.2024", "", "2024-06-05"),
        ("05.06.2024", '<aside><time datetime="2024-05-06">May 6</time></aside>', "2024-05-06"),
        ("05-06-2024", "", "2024-05-06"),
        ("05-06-2024", '<aside><time datetime="2024-06-05">June 5</time></aside>', "2024-06-05"),
        (
            "05-06-2024",
            '<aside><time datetime="2024-06-05"></time><time datetime="2024-05-06"></time></aside>',
            "2024-05-06",
        ),
        ("05-06-2024", meta("article:modified_time", "2024-06-05"), "2024-06-05"),
    ],
)
def test_ambiguous_numeric_date_with_a_declared_one(shown: str, declared: str, day: str) -> None:
    body = f"<html lang=en><h1>Cats asleep</h1><p>By Jo Doe</p><p>{shown}</p>{declared}"
    assert of("<title>Cats asleep</title>", body).published_date == day


def test_an_address_may_tell_the_month_in_words() -> None:
    body = "<html lang=en><h1>Cats asleep</h1><p>05/06/2024</p><p>Cats sleep.</p>"
    found = of("<title>Cats asleep</title>", body, url="https://www.example.com/blog/2024/june/05/cats-asleep/")
    assert found.published_date == "2024-06-05"


@pytest.mark.parametrize("label", ["Joined", "Member since:", "Founded:"])
def test_the_day_on_which_a_member_joined_is_none_of_publication(label: str) -> None:
    member = f"<div>jo123</div><dl><dt>{label}</dt><dd>Nov 4, 2011</dd></dl>"
    posted = "<div>Mar 5, 2024</div><p>Cats sleep all day.</p>"
    assert of("<title>Cats asleep</title>", f"<h1>Cats asleep</h1>{member}{posted}").published_date == "2024-03-05"


@pytest.mark.parametrize("label", ["<strong>Joined:</strong> Sun", "<b>Registered</b>: Wednesday,"])
def test_weekday_of_joining_is_no_publication_date(label: str) -> None:
    member = f"<dl><dt><a href='/u/0'>ann</a></dt><dd>{label} Mar 03, 2019 9:00 am</dd></dl>"
    posted = "<p>by <b>ann</b> \u00bb <time datetime=2021-01-10T14:03:00+00:00>Jan 10, 2021</time></p>"
    topic = f"<h2>Cats asleep</h2>{f'<div class=post>{member}{posted}<div>Cats sleep.</div></div>' * 3}"
    assert of("<title>Cats asleep</title>", topic).published_date == "2021-01-10T14:03:00+00:00"


@pytest.mark.parametrize(
    "sentence",
    [
        "The deadline for all of you is March 3, 2027.",
        "We met on 3 May 2019 and have never since been apart, in all the years that came.",
        "<b>Our story</b> begins on <i>November 7, 2025</i>, at noon!",
    ],
)
def test_a_day_that_a_sentence_tells_of_is_no_day_of_publication(sentence: str) -> None:
    story = f"<p>{sentence}</p>" + "<p>Cats are animals that sleep most of the day.</p>" * 9
    assert of("<title>Cats</title>", f"<h1>Cats</h1>{story}").published_date is None
    told = of("<title>Cats</title>", f"<h1>Cats</h1><div>By Jo Doe | March 4, 2024</div>{story}")
    assert told.published_date == "2024-03-04"
    assert told.published_source == "text"


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Cats and what they do all day long while nobody sees them, told by one</h1><span>May 4, 2024</span>{0}",
        "<h1>Cats</h1><p>May 4, 2024</p>Cats are animals that sleep most of the day, and hunt all night.{0}",
    ],
)
def test_a_day_beside_a_long_line_is_a_line_of_its_own(body: str) -> None:
    story = "<p>Cats are animals that sleep most of the day.</p>" * 9
    assert of("<title>Cats</title>", body.format(story)).published_date == "2024-05-04"


def test_whom_a_sentence_tells_of_did_not_write_the_page() -> None:
    linked = '<a href="/author/jo-doe">Jo Doe</a>'
    praise = f"<p>Of all that was ever said of cats and their ways nothing comes near the books of {linked}.</p>"
    story = "<p>Cats are animals that sleep most of the day.</p>" * 9
    assert of("<title>Cats</title>", f"<h1>Cats</h1>{praise}{story}").author is None
    assert of("<title>Cats</title>", f"<h1>Cats</h1><p>By {linked}</p>{story}").author == "Jo Doe"


@pytest.mark.parametrize("told", ["<time {0}>Register by May 31</time>", "Deadline: <time {0}>May 31, 2026</time>"])
def test_the_last_day_to_do_something_is_none_of_publication(told: str) -> None:
    story = "<p>Cats are animals that sleep most of the day.</p>" * 9
    told = told.format('datetime="2026-05-31T12:00:00+00:00"')
    assert of("<title>Cats</title>", f"<h1>Cats</h1><div>{told}</div>{story}").published_date is None
    shown = '<time datetime="2026-05-01">Published May 1</time>'
    assert of("<title>Cats</title>", f"<h1>Cats</h1>{shown}<div>{told}</div>{story}").published_date == "2026-05-01"


def test_date_below_a_headline_with_a_deadline() -> None:
    body = "<h1>The call is open until July 31</h1><p>July 22, 2017</p><p>Cats are animals that sleep all day.</p>"
    assert of("<title>The call is open until July 31</title>", body).published_date == "2017-07-22"


def test_day_after_the_reading_is_refused_in_a_worker() -> None:
    text = "<h1>Tides</h1><p>" + "Low water comes at noon. " * 40 + "</p>"
    page = f"<meta property=article:published_time content=2099-05-06><main>{text}</main>"
    assert [read(page).published_date for read in (wellread.extract, extract_in_worker)] == [None, None]


ARTICLE = '<script type="application/ld+json">{"@type":"Article","datePublished":"2024-02-27T00:00:00Z"}</script>'
STORY = "<p>The kettle was filled in the morning, and it whistled until noon.</p>" * 3


def test_day_called_a_revision_beside_a_declared_day() -> None:
    body = f"<main><h1>A story of cats</h1><p itemprop=dateModified>Updated : December 04, 2025</p>{STORY}</main>"
    found = of(f"<title>A story of cats</title>{ARTICLE}", body)
    assert (found.published_date or "")[:10] == "2024-02-27"
    assert found.modified_date == "2025-12-04"


@pytest.mark.parametrize(
    ("others", "day"),
    [
        (("28/11/2025", "30/11/2025"), "2025-12-01"),
        (("11/28/2025", "11-30-2025"), "2025-01-12"),
        (("28/11/2025", "11/28/2025"), "2025-01-12"),
    ],
)
def test_order_of_day_and_month_is_that_of_the_other_dates(others: tuple[str, ...], day: str) -> None:
    answers = "".join(f"<div><b>Jo</b> <i>{other}</i>{STORY}</div>" for other in others)
    body = f"<main><h1>A story of cats</h1><p>01/12/2025</p>{STORY * 9}{answers}</main>"
    assert of("<html lang=en><title>A story of cats</title>", body).published_date == day
