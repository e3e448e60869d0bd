"""Who wrote a post is told by its name: not by a rank, not by who edited it, nor by whoever wrote before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from pages import forum_thread
from unit.yard import PEOPLE, SAID
from wellread import extract

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread import Page

TITLE = "Gate swings open when it rains"
DAYS = tuple(f"2021-05-{day:02}" for day in range(3, 9))


def thread(posts: str, head: str = "", above: str = "") -> Page:
    html = forum_thread(TITLE, f"{above}<div class=posts>{posts}</div>", head=head)
    return extract(html, url="https://yard.example/forum/t/gate")


def post(at: int, user: str, more: str = "", called: str = "") -> str:
    return (
        f"<article class=post {called}><div class=author>{user}{more}</div>"
        f"<div class=main><time>{DAYS[at]}</time><p>{SAID[at]}</p></div></article>"
    )


def linked(name: str) -> str:
    return f"<h4 class=message-name><a href='/members/{name}.77/' class=username>{name}</a></h4>"


def told(page: Page) -> list[tuple[str, str | None]]:
    return [(one.author, one.published_date) for one in page.posts]


def by(people: Sequence[str]) -> list[tuple[str, str | None]]:
    return list(zip(people, DAYS, strict=False))


@pytest.mark.parametrize("user", [linked("131359"), "<h4 class=message-name><b class=username>131359</b></h4>"])
def test_a_user_whose_name_is_a_number_has_posts(user: str) -> None:
    users = [*map(linked, PEOPLE[:3]), user, *map(linked, PEOPLE[4:])]
    assert told(thread("".join(map(post, range(6), users)))) == by([*PEOPLE[:3], "131359", *PEOPLE[4:]])


def test_how_much_a_user_wrote_is_no_name_though_it_leads_to_the_user() -> None:
    counts = "<div class=count><a href='/members/{0}.77/'>1204</a></div>"
    page = thread("".join(post(at, counts.format(who) + linked(who)) for at, who in enumerate(PEOPLE)))
    assert told(page) == by(PEOPLE)


@pytest.mark.parametrize("rank", ["class=userBanner", "class=user itemprop=jobTitle"])
def test_a_rank_is_no_author_though_its_box_is_called_after_the_user(rank: str) -> None:
    ranks = [f"<div {rank}><span class=user></span><strong>{name}</strong></div>" for name in ("Keeper", "Warden")]
    page = thread("".join(post(at, linked(who), ranks[at % 2]) for at, who in enumerate(PEOPLE)))
    assert told(page) == by(PEOPLE)


@pytest.mark.parametrize("last", [True, False])
def test_author_of_a_post_by_microdata_not_its_editor(*, last: bool) -> None:
    def signed(at: int, who: str) -> str:
        edited = "<div class=signs><div class='user hover'><a href='/users/9/hinge'>hinge</a></div></div>"
        called = "user" if at == 0 else "user hover"
        own = f"<div class=signs><div class='{called}' itemprop=author><a href='/users/{at}/x'>{who}</a></div></div>"
        signs = [own, edited] if last else [edited, own]
        return (
            f"<div class=post><div class=body><p>{SAID[at]}</p></div><time>{DAYS[at]}</time>"
            f"{''.join(signs) if at == 0 else own}</div>"
        )

    page = thread("".join(signed(at, who) for at, who in enumerate(PEOPLE)))
    assert [one.author for one in page.posts] == list(PEOPLE)


def test_author_without_a_link_in_another_kind_of_box() -> None:
    def known(who: str) -> str:
        return f"<div class='name badged'><span class=username><a href='/user/{who}'>{who}</a></span></div>"

    def unknown(who: str) -> str:
        return f"<div class='name'><span class=username>{who}</span></div>"

    people = [PEOPLE[0], "Keeper in the North", *PEOPLE[2:]]
    page = thread("".join(post(at, (unknown if at == 1 else known)(who)) for at, who in enumerate(people)))
    assert told(page) == by(people)


DECLARED = "<meta name=author content=latchkey><meta property=article:published_time content=2021-05-01T08:00:00Z>"


def test_declared_author_of_the_opening_post() -> None:
    above = f"<div class=opening><p>{' '.join(SAID[:3])}</p></div>"
    page = thread("".join(post(at, linked(who)) for at, who in enumerate(PEOPLE) if at > 2), DECLARED, above)
    assert page.text.startswith(f"# {TITLE}\n\n**latchkey** \u00b7 2021-05-01\n\n{SAID[0]}")
    assert page.posts[0].author == page.byline == "latchkey"


def test_what_all_answer_has_no_author_where_the_page_tells_no_day() -> None:
    above = f"<div class=opening><p>{' '.join(SAID[:3])}</p></div>"
    head = "<meta name=author content=latchkey>"
    page = thread("".join(post(at, linked(who)) for at, who in enumerate(PEOPLE) if at > 2), head, above)
    assert page.text.startswith(f"# {TITLE}\n\n{SAID[0]}")


def test_author_of_a_thread_is_that_of_its_first_post() -> None:
    reply = "itemscope itemtype='https://schema.org/Comment'"

    def user(at: int, who: str) -> str:
        marked = linked(f"<span itemprop=name>{who}</span>").replace("/members/<span itemprop=name>", "/members/")
        return f"<div itemprop=author itemscope>{marked}</div>" if at else linked(who)

    page = thread("".join(post(at, user(at, who), called=reply) for at, who in enumerate(PEOPLE)))
    assert page.byline == page.author == page.posts[0].author == PEOPLE[0]


def test_byline_that_extends_the_name_of_the_first_author() -> None:
    line = f"<p class=byline>Started by {PEOPLE[0]}</p>"
    page = thread("".join(post(at, linked(who)) for at, who in enumerate(PEOPLE)), above=line)
    assert page.byline == page.author == PEOPLE[0]


def test_names_and_days_that_a_theme_adds_for_machines_are_not_read() -> None:
    hidden = (
        "<span class='entry-title rich-snippet-hidden'>index</span>"
        "<span class='vcard rich-snippet-hidden'><span class=fn><a rel=author href=/author/jo>Jo Doe</a></span></span>"
        "<span class='updated rich-snippet-hidden'>2026-02-16T09:27:01+00:00</span>"
    )
    said = "".join(f"<p>{text}</p>" for text in SAID)
    page = extract(f"<html><body><main><div class=post>{hidden}{said}</div></main></body></html>")
    assert page.text.startswith(SAID[0])
    assert (page.byline, page.author) == (None, None)


def test_when_a_thread_was_answered_last_is_not_when_it_began() -> None:
    posts = "".join(post(at, linked(who)) for at, who in enumerate(PEOPLE)).replace(f"<time>{DAYS[0]}</time>", "", 1)
    told_first = f"<p>6 replies, last post by tansy 2021-09-09</p><p>#1 \u00b7 {DAYS[0]}</p>"
    assert told(thread(posts.replace("<p>", f"{told_first}<p>", 1))) == by(PEOPLE)


def test_relative_date_with_a_machine_readable_one() -> None:
    posts = "".join(post(at, linked(who)) for at, who in enumerate(PEOPLE))
    for day in DAYS[1:]:
        posts = posts.replace(f"<time>{day}</time>", f"<time datetime={day}>4 years ago</time>")
    page = thread(posts.replace(f"<time>{DAYS[0]}</time>", "<span>5 years ago</span>"))
    assert f"**{PEOPLE[1]}** \u00b7 {DAYS[1]}" in page.text
    assert f"**{PEOPLE[0]}** \u00b7 5 years ago" in page.text


def test_who_is_quoted_is_named_above_the_quotation() -> None:
    quote = f"<aside class=quote><div class=title>Hollins:</div><blockquote><p>{SAID[1]}</p></blockquote></aside>"
    posts = [post(at, linked(who)) for at, who in enumerate(PEOPLE)]
    page = thread("".join([*posts[:2], posts[2].replace("<p>", f"{quote}<p>"), *posts[3:]]))
    assert f"\n\nHollins:\n\n> {SAID[1]}\n\n{SAID[2]}" in page.text


def test_author_of_a_thread_whose_byline_is_that_of_a_later_post() -> None:
    """As in phpBB: each post has its own byline, and the first one that looks like a person's is of a later post."""
    names = ("galitsyn", "hollins", "ehasis", "Marsh Hen", "tansy")
    posts = "".join(
        f"<div class=post><dl class=postprofile><dt><a href='./memberlist.php?mode=viewprofile&amp;u={at}' "
        f"class=username>{name}</a></dt></dl><div class=postbody><p class=author>by <strong><a class=username "
        f"href='./memberlist.php?mode=viewprofile&amp;u={at}'>{name}</a></strong> &raquo; "
        f"<time datetime='2021-05-1{at}T16:36:25+00:00'>1{at}. May 2021, 18:36</time></p>"
        f"<div class=content>{SAID[at]}</div></div></div>"
        for at, name in enumerate(names)
    )
    page = thread(posts)
    assert [answer.author for answer in page.posts] == list(names)
    assert (page.author, page.byline) == ("galitsyn", "galitsyn")


def test_author_of_a_link_whose_first_post_is_of_somebody_else() -> None:
    """As at Reddit: the page shows who sent the link and when; a program and others answer, and so does the sender."""
    names = ("TideBot", "hollins", "Marsh Hen", "tansy")
    above = (
        "<p class=tagline>submitted <time datetime='2021-05-09T10:00:00+00:00'>2 years ago</time> by "
        "<a class=author href='/user/tansy'>tansy</a></p>"
    )
    posts = "".join(
        f"<div class=comment><p class=tagline><a class=author href='/user/{name}'>{name}</a> "
        f"<time datetime='2021-05-09T1{at}:00:01+00:00'>2 years ago</time></p>"
        f"<div class=md><p>{SAID[at]}</p></div></div>"
        for at, name in enumerate(names)
    )
    page = thread(posts, above=above)
    assert [answer.author for answer in page.posts] == list(names)
    assert page.author == "tansy"
