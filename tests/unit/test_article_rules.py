"""What stands around and amid the one article of a page: other articles, links to them, comments, a hidden rest."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np
import pytest

from unit.scored import scored_page, selection
from wellread import extract
from wellread.extraction.html import PageVisibility, parse_page
from wellread.extraction.selection_rules import apply_rules

if TYPE_CHECKING:
    from wellread.types import Mode, PageType

URL = "https://news.example/2026/05/the-tide-turns"
PROSE = "Paragraph {} tells at some length what the tide does in this bay, and who has seen it do so."
BODY = "".join(f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(6))
OTHER = "".join(f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(6, 70))
TITLE = "<title>The tide turns in the bay | Example News</title>"


def kept_text(html: str, mode: Mode = "balanced", page_type: PageType = "article", likely: float = 0.5) -> str:
    """Return the text that all rules keep of a page of which every leaf is picked."""
    walked = PageVisibility(parse_page(html), html).walked()
    odds = np.full(len(walked.leaves), likely, np.float32)
    changed = apply_rules(scored_page(walked, mode, odds), selection([True] * len(walked.leaves), page_type))
    return "\n".join(leaf.words for leaf, keep in zip(walked.leaves, changed.is_kept, strict=True) if keep)


def news(statement: object) -> str:
    return f'<script type="application/ld+json">{json.dumps(statement)}</script>'


@pytest.mark.parametrize(("mode", "is_read"), [("balanced", False), ("precision", False), ("recall", True)])
def test_further_article_below_the_article(mode: Mode, is_read: bool) -> None:
    following = f"<article><h1>A coach comes home</h1>{BODY.replace('Paragraph', 'Passage')}</article>"
    page = f"{TITLE}<main><article><h1>The tide turns in the bay</h1>{BODY}</article><div>{following}</div></main>"
    text = kept_text(page, mode)
    assert "Paragraph 5" in text
    assert ("Passage 3" in text) is is_read


def test_article_in_articles_is_kept_whole() -> None:
    parts = "".join(f"<article><h2>Part {at}</h2>{BODY}</article>" for at in range(3))
    text = kept_text(f"{TITLE}<article><h1>The tide turns in the bay</h1>{parts}</article>")
    assert "Part 2" in text


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        ("<a href=/pilots>The pilots who have never seen the tide turn</a>", False),
        ("<a href=/pilots>水先案内人が一度も見たことのない潮の変わり目とは何か</a>", False),
        ("<a href=/pilots>The pilots have never seen the tide turn in it.</a>", True),
        ("<a href=#note>The pilots who have never seen the tide turn</a>", True),
    ],
)
@pytest.mark.parametrize("mode", ["balanced", "precision"])
def test_line_amid_an_article_that_is_a_link(line: str, is_read: bool, mode: Mode) -> None:
    page = f"{TITLE}<article><h1>The tide turns in the bay</h1>{BODY}<p>{line}</p>{OTHER}"
    leaf = line.partition(">")[2].partition("<")[0]
    assert (leaf in kept_text(page, mode)) is is_read


@pytest.mark.parametrize(("address", "is_read"), [("/pilots", False), ("#pilots", True)])
def test_heading_amid_an_article_that_is_a_link(address: str, is_read: bool) -> None:
    card = f"<div class=card><a href={address}><h3>Pilots on strike</h3></a></div>"
    page = f"{TITLE}<article><h1>The tide turns in the bay</h1>{BODY}{card}{OTHER}</article>"
    walked = PageVisibility(parse_page(page), page).walked()
    picked = [not leaf.heading for leaf in walked.leaves]
    changed = apply_rules(scored_page(walked), selection(picked, "article"))
    headings = {leaf.words: keep for leaf, keep in zip(walked.leaves, changed.is_kept, strict=True) if leaf.heading}
    assert headings["Pilots on strike"] == is_read


@pytest.mark.parametrize(("count", "are_read"), [(5, True), (1, False)])
def test_headings_at_the_end_of_an_article(count: int, are_read: bool) -> None:
    entries = "".join(f"<h3>The bay, {at}</h3><figure></figure>" for at in range(count))
    text = kept_text(f"{TITLE}<article><h1>The tide turns in the bay</h1>{BODY}{entries}</article>", likely=0.7)
    assert ("The bay, 0" in text) is are_read


@pytest.mark.parametrize(("likely", "is_read"), [(0.4, True), (0.1, False)])
def test_lead_between_the_headline_and_the_text(likely: float, is_read: bool) -> None:
    lead = "Nobody has measured the tide of this bay for a hundred years, and now the school does so every morning."
    page = f"{TITLE}<h1>The tide turns in the bay</h1><p>{lead}</p><p>By Jo Doe</p><div>{BODY}</div>"
    walked = PageVisibility(parse_page(page), page).walked()
    picked = [leaf.words.startswith("Paragraph") for leaf in walked.leaves]
    odds = np.full(len(walked.leaves), likely, np.float32)
    changed = apply_rules(scored_page(walked, "balanced", odds), selection(picked, "article"))
    assert bool(changed.is_kept[[leaf.words for leaf in walked.leaves].index(lead)]) is is_read


def test_comments_below_declared_news() -> None:
    comments = "".join(
        f"<div class=comment><b>reader{at}</b><p>I live at this bay since {1950 + at}, and never saw it turn.</p></div>"
        for at in range(8)
    )
    declared = news({"@type": "NewsArticle", "headline": "The tide turns in the bay"})
    page = (
        f"<head>{TITLE}{declared}</head><article><h1>The tide turns in the bay</h1>{BODY}</article>"
        f"<section class=comments>{comments}</section>"
    )
    result = extract(page, url=URL)
    assert result.page_type == "article"
    assert "since 1953" not in result.text
    assert "comments_left_out" in [notice.code for notice in result.notices]
    assert "since 1953" in extract(page, url=URL, mode="recall").text


def hidden_rest(statement: dict[str, object]) -> str:
    body = " ".join(f"{PROSE.format(at)} {PROSE.format(at)}" for at in range(12))
    opening = f"<p>{PROSE.format(0)} {PROSE.format(0)}</p>"
    rest = "".join(f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(1, 12))
    declared = news({"@type": "NewsArticle", "articleBody": body, **statement})
    return (
        f"<head>{TITLE}<style>[data-wall]{{display:none}}</style>{declared}</head><article>"
        f"<h1>The tide turns in the bay</h1>{opening}<div data-wall hidden>{rest}</div></article>"
    )


@pytest.mark.parametrize("is_free", [True, False])
def test_hidden_rest_of_an_article_stays_hidden(is_free: bool) -> None:  # whatever the page says of it
    result = extract(hidden_rest({"isAccessibleForFree": is_free}), url=URL)
    assert "Paragraph 9" not in result.text
    assert {"hidden_text", "mostly_hidden"} & {notice.code for notice in result.notices}


@pytest.mark.parametrize(
    ("title", "day"),
    [
        ("The pilots who have never seen the tide turn", "2026-05-02"),
        ("水先案内人が一度も見たことのない潮の変わり目", "2026-05-02"),
    ],
)
def test_day_of_an_entry_that_links_to_another_page(title: str, day: str) -> None:
    entries = f"<ul><li><a href=/a/1>{title}</a> <time datetime=2019-03-04>4 March 2019</time></li></ul>"
    declared = news({"@type": "NewsArticle", "datePublished": f"{day}T10:00:00Z"})
    page = f"<head>{TITLE}{declared}</head><body>{entries}<article><h1>The tide turns in the bay</h1>{BODY}</article>"
    assert (extract(page, url=URL.replace("2026/05/", "")).published_date or "")[:10] == day
    undated = page.replace(declared, "")
    assert extract(undated, url="https://news.example/the-tide-turns").published_date is None


@pytest.mark.parametrize(
    ("line", "day"),
    [
        ("(4 March 2019)", "2019-03-04"),
        ("2019年3月4日", "2019-03-04"),
        ("Updated: 4 March 2019", None),
        ("They met there on 4 March 2019 and spoke about the tide for a long time.", None),
    ],
)
def test_day_in_the_last_line_of_an_article(line: str, day: str | None) -> None:
    page = f"{TITLE}<article><h1>The tide turns in the bay</h1>{BODY}<p>{line}</p></article>"
    result = extract(page, url="https://news.example/the-tide-turns")
    assert result.published_date == day


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("<p><b>Lê Phương</b></p>", "Lê Phương"),
        ("<p><a href=/topics/7>Lê Phương</a></p>", "Example News"),
        ("<p>To be continued.</p>", "Example News"),
    ],
)
def test_author_in_the_last_line_of_an_article(line: str, author: str) -> None:
    declared = news({"@type": "NewsArticle", "author": "Example News", "publisher": {"name": "Example News"}})
    page = f"<head>{TITLE}{declared}</head><article><h1>The tide turns in the bay</h1>{BODY}{line}</article>"
    assert extract(page, url=URL).author == author


def kept_of_picked(html: str, unpicked: str) -> str:
    """Return the text that all rules keep of an article, of which leaves with one text are not picked."""
    walked = PageVisibility(parse_page(html), html).walked()
    picked = [unpicked not in leaf.words for leaf in walked.leaves]
    changed = apply_rules(scored_page(walked), selection(picked, "article"))
    return "\n".join(leaf.words for leaf, keep in zip(walked.leaves, changed.is_kept, strict=True) if keep)


@pytest.mark.parametrize("count", [1, 2])
def test_heading_above_each_advertisement(count: int) -> None:
    page = f"{TITLE}<article>{BODY}{f'<h3>Reklama</h3>{BODY}' * count}</article>"
    assert ("Reklama" in kept_text(page)) is (count == 1)


def test_read_also_without_its_link() -> None:
    page = f"{TITLE}<article>{BODY}<p>Lue my\u00f6s:</p><p><a href=/other>A coach comes home</a></p>{BODY}</article>"
    assert "Lue" not in kept_of_picked(page, "coach")


def test_numbers_without_their_labels() -> None:
    rows = "".join(f"<p><a href=/{at}>Team of {at}</a></p><p>{at % 4 + 2}</p>" for at in range(12))
    text = kept_of_picked(f"{TITLE}<article>{BODY}</article><div>{rows}</div>", "Team")
    assert "Paragraph 5" in text
    assert not any(line.isdigit() for line in text.splitlines())
