"""Pages made of components are read as others are, and inline elements count by what they are called."""

from __future__ import annotations

import pytest

from unit.yard import PEOPLE, SAID
from wellread import extract

DAYS = tuple(f"2021-05-0{day}T07:12:44Z" for day in range(3, 9))
TITLE = "Gate swings open when it rains"


def test_a_thread_of_components_is_read_post_by_post() -> None:
    """As at Reddit: no element but components says where an answer begins and ends."""

    def answer(at: int) -> str:
        return (
            f"<yard-comment author={PEOPLE[at]} depth=0><div slot=avatar><a href='/user/{PEOPLE[at]}/'><img src=a.png "
            f"alt='u/{PEOPLE[at]}'></a></div><div slot=meta class=flex><yard-track><a href='/user/{PEOPLE[at]}/' "
            f"class=bold>{PEOPLE[at]}</a></yard-track><span>\u2022</span><a href='/c/{at}/'><yard-ago><time datetime="
            f"'{DAYS[at]}'>2y ago</time></yard-ago></a></div><div slot=comment class=md><div><p>{SAID[at]}</p></div>"
            f"</div><yard-actions slot=row><button>Upvote</button><span>{at + 3}</span><button>Share</button>"
            "</yard-actions></yard-comment>"
        )

    page = extract(
        f"<html><head><title>{TITLE} : r/farming</title></head><body><main><yard-post author={PEOPLE[0]}><div slot=bar>"
        f"<a href='/r/farming'>r/farming</a> <span>\u2022</span> <time datetime='{DAYS[0]}'>2y ago</time> <a href="
        f"'/user/{PEOPLE[0]}/' class=author-name>{PEOPLE[0]}</a></div><h1 slot=title>{TITLE}</h1><div slot=text><div "
        f"class=md><p>{SAID[0]}</p></div></div></yard-post><yard-tree>{''.join(map(answer, range(1, 6)))}"
        "</yard-tree></main></body></html>",
        url="https://www.yard.example/r/farming/comments/1/gate_swings_open/",
    )
    assert page.page_type == "forum"
    assert [(one.author, one.published_date) for one in page.posts] == list(zip(PEOPLE, DAYS, strict=True))
    assert all(page.text.count(said) == 1 for said in SAID)


def test_author_by_name_of_link_and_date_by_datetime() -> None:
    """As at GitHub, where a user's address is a mere name."""
    posts = "".join(
        f"<div class='timeline-comment'><div class=head><a class='author link' href='/{who}'>{who}</a> commented "
        f"<relative-time datetime='{day}'>{day[8:10]} months back</relative-time></div><div class=body><p>{said}</p>"
        "</div></div>"
        for who, day, said in zip(PEOPLE, DAYS, SAID, strict=True)
    )
    html = f"<title>{TITLE} \u00b7 Issue #12</title><main><h1>{TITLE} <span>#12</span></h1>{posts}</main>"
    page = extract(html, url="https://forge.example/yard/gates/issues/12")
    assert [(one.author, one.published_date) for one in page.posts] == list(zip(PEOPLE, DAYS, strict=True))


def test_what_a_thread_says_of_itself_above_its_posts_is_no_post() -> None:
    """As at XenForo."""
    told = "".join(
        f"<article class='message message--post'><div class=user><h4><a href='/members/{at}' class=username>{who}</a>"
        f"</h4></div><header><time datetime='{DAYS[at]}'>May {at + 3}, 2021</time></header><div class=bbWrapper>"
        f"{SAID[at]}</div></article>"
        for at, who in enumerate(PEOPLE)
    )
    about = (
        f"<ul><li>Thread starter <a href='/members/0' class=username>{PEOPLE[0]}</a></li><li>Start date <time datetime="
        f"'{DAYS[0]}'>May 3, 2021</time></li></ul>"
    )
    page = extract(
        f"<title>{TITLE} | Yard</title><h1>{TITLE}</h1><div class=p-description>{about}</div>{told}",
        url="https://yard.example/threads/gate.12/",
    )
    assert [one.author for one in page.posts] == list(PEOPLE)
    assert page.byline == PEOPLE[0]


@pytest.mark.parametrize("box", ["aside", "div"])
@pytest.mark.parametrize("label", ["Related", "More from us", "Advertisement", "Newsletter"])
def test_an_article_goes_on_behind_a_box_about_something_else(label: str, box: str) -> None:
    paragraphs = [f"<p>{said} {SAID[(at + 1) % 6]} {SAID[(at + 2) % 6]}</p>" for at, said in enumerate(SAID)]
    other = f"<{box}><h3>{label}</h3><a href=/1>Flood of 1990 remembered by those who were there</a></{box}>"
    told = "".join((paragraphs[0], other, *paragraphs[1:]))
    page = extract(
        "<title>Gates of the valley - The Paper</title><header><a href=/>The Paper</a></header><article><h1>Gates of "
        f"the valley</h1>{told}</article><footer><p>All rights reserved</p></footer>"
    )
    assert page.text.count(SAID[4]) == 3
    assert "Flood of 1990" not in page.text


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("<p>Tickets are sold on board alone.</p><slot></slot>", 1),
        ("<style>p { margin: 0; color: red } a b c d { top: 0 }</style><slot></slot><button>Buy now</button>", 0),
    ],
)
def test_text_in_shadow_trees_that_was_not_read_is_told(inside: str, told: int) -> None:
    html = (
        f"<article><h1>Ferry</h1><p>{SAID[0]}</p><x-a><template shadowrootmode=open>{inside}</template></x-a></article>"
    )
    counts = {notice.code: notice.count for notice in extract(html).notices}
    assert counts.get("shadow_text", 0) == told
    assert "hidden_text" not in counts
