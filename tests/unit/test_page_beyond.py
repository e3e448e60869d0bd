"""What a page says of itself that its text does not: that it has to be paid for, that it goes on, who began it."""

from __future__ import annotations

import json

import pytest

from pages import KETTLE
from wellread import extract

URL = "https://hearth.example/forum/t/kettle"


def post(who: str, said: str) -> str:
    name = f"<div class=user><a href='/u/{who}'>{who}</a></div>"
    return f"<div class=post>{name}<time>3 May 2021</time><p>{said}</p></div>"


def thread(head: str = "") -> str:
    posts = "".join(post(who, f"{who} says: {KETTLE * 3}") for who in ("marsh_hen", "OldTom", "fairlie"))
    body = f"<body class=forum><h1>Kettle</h1><div class=thread>{posts}</div></body>"
    return f"<head>{head}<title>Kettle</title></head>{body}"


def codes(page: str) -> list[str]:
    return [warning.code for warning in extract(page, url=URL).notices]


@pytest.mark.parametrize(
    "wall",
    [
        '<script type="application/ld+json">{"@type":"NewsArticle","isAccessibleForFree":false}</script>',
        '<script type="application/ld+json">{"@type":"Article","isAccessibleForFree":"False"}</script>',
        "<div class='paywall post-end'><h2>This post is for paid subscribers</h2><a href=/join>Subscribe</a></div>",
    ],
)
def test_a_page_that_has_to_be_paid_for_says_so(wall: str) -> None:
    story = f"<article><h1>Kettles</h1>{f'<p>{KETTLE * 3}</p>' * 4}</article>"
    assert codes(f"{story}{wall}") == ["subscribers_only"]
    assert codes(story) == []
    free = '<script type="application/ld+json">{"@type":"Article","isAccessibleForFree":true}</script>'
    assert codes(f"{story}{free}<div class=paywall hidden>Subscribe</div>") == ["hidden_text"]


def declaring(count: object, kind: str = "NewsArticle") -> str:
    """Return an article of 120 words or so that declares the number of its words."""
    facts = json.dumps({"@type": kind, "wordCount": count})
    text = f"<p>{KETTLE * 3}</p>" * 4
    return f"<article><h1>Kettles</h1>{text}</article><script type='application/ld+json'>{facts}</script>"


@pytest.mark.parametrize("count", [2_000, "2000"])
def test_a_page_with_fewer_words_than_it_declares(count: object) -> None:
    page = extract(declaring(count), url=URL)
    assert not page.complete
    ((code, detail, missing_count),) = [(notice.code, notice.detail, notice.count) for notice in page.notices]
    assert code == "partial_text"
    assert detail == f"the page declares 2,000 words, and its main content has {2_000 - missing_count}"


@pytest.mark.parametrize("count", [0, -5, 150, "many", True, None, 1.5, [2_000], "9" * 8, 10**400])
def test_a_declared_number_of_words_that_says_nothing(count: object) -> None:
    assert codes(declaring(count)) == []


def test_the_words_of_one_of_several_articles_say_nothing() -> None:
    other = '<script type=\'application/ld+json\'>{"@type":"Article"}</script>'
    assert codes(declaring(2_000) + other) == []
    assert extract(declaring(2_000), url=URL, mode="recall").notices
    assert codes(declaring(2_000, "BlogPosting")) == ["partial_text"]


@pytest.mark.parametrize("kind", ["Product", "Book", "ScholarlyArticle", "Thesis"])
def test_the_words_of_another_thing_say_nothing(kind: str) -> None:
    assert codes(declaring(2_000, kind)) == []


def test_words_without_spaces_are_counted_in_several_ways() -> None:
    story = "".join(f"<p>{'潮が引いた後の岩場には、いろいろな生き物が残っています。' * 3}</p>" for _ in range(4))
    facts = '<script type="application/ld+json">{"@type":"Article","wordCount":500}</script>'
    assert codes(f"<article><h1>潮</h1>{story}</article>{facts}") == []


def test_a_thread_that_goes_on_at_another_address_names_it() -> None:
    page = extract(thread("<link rel=next href='?page=2'>"), url=URL)
    assert [(one.code, one.detail) for one in page.notices] == [("continued", f"the page continues at {URL}?page=2")]


@pytest.mark.parametrize("href", ["https://elsewhere.example/obey", "#2", "javascript:alert(1)", f"?{'x' * 400}"])
def test_where_it_goes_on_is_a_short_address_of_the_same_site(href: str) -> None:
    assert codes(thread(f"<link rel=next href='{href}'>")) == []


def test_the_next_article_is_no_part_of_this_one() -> None:
    story = f"<article><h1>Kettles</h1>{f'<p>{KETTLE * 3}</p>' * 4}</article>"
    told = extract(f"<link rel=next href='/on/pots'>{story}", url="https://hearth.example/on/kettles-that-whistle")
    assert not told.notices


def test_a_thread_was_begun_by_who_wrote_its_first_post() -> None:
    page = extract(thread(), url=URL)
    assert (page.author, page.published_date) == ("marsh_hen", "2021-05-03")
    declared = extract(thread("<meta name=author content='Jo Doe'>"), url=URL)
    assert declared.author == "Jo Doe"
    assert extract(thread("<link rel=prev href='?page=1'>"), url=URL).author is None


def test_what_pays_for_another_page_or_is_called_free_is_no_wall() -> None:
    story = f"<article><h1>Kettles</h1>{f'<p>{KETTLE * 3}</p>' * 4}</article>"
    posts = '[{"@type":"BlogPosting"},{"@type":"BlogPosting","isAccessibleForFree":false}]'
    blog = f'<script type="application/ld+json">{{"@type":"WebPage","blogPost":{posts}}}</script>'
    for free in (
        blog,
        "<div class=no-paywall>Kettles for all.</div>",
        "<div class='paywall-free'>Kettles for all.</div>",
    ):
        assert codes(story + free) == []


def test_hidden_metadata_after_a_second_pass() -> None:
    links = "".join(f"<li><a href=/{at}>Tale of tides {at}</a></li>" for at in range(240))
    menu = (
        f"<p>By <a rel=author href=/m>Evil Mallory</a></p><time datetime=2020-01-02>x</time><ul class=menu>{links}</ul>"
    )
    hidden = f"<div style='display:none'>{menu}</div>"
    page = extract(f"<title>Tea</title><h2>Tea</h2><p>{KETTLE * 3}</p>{hidden}<p>{KETTLE * 3}</p>", url=URL)
    assert "tides 7" not in page.text
    assert (page.byline, page.published_date) == (None, None)
