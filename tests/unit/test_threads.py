"""Threads are read post by post: who wrote, when, what was quoted; nothing that the page does not say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from effort import work_grows_in_proportion
from pages import document
from wellread import extract
from wellread.apps.serialize import as_plain
from wellread.extraction.html import HtmlExtractor
from wellread.output import print_document
from wellread.types import Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread import Page
    from wellread.types import Format

SAID = (
    "The kettle was filled before dawn, and nobody in the house had slept well, because the wind kept rising.",
    "Ours whistles whenever the wind turns north, so we took the lid off and have slept ever since, thank you.",
    "I would not take the lid off: steam in the kitchen for three winters has cost us the wallpaper and a clock.",
    "A felt ring under the lid does the same without the steam. It costs nothing if you own an old hat to cut up.",
)
PEOPLE = ("marsh_hen", "OldTom", "b.fairlie", "marsh_hen")
DATES = ("3 May 2021, 07:12", "3 May 2021, 08:40", "4 May 2021, 19:05", "5 May 2021, 06:30")


def framed(posts: str, title: str = "Kettle keeps whistling") -> str:
    return (
        f"<html><head><title>{title} | Hearth Forum</title></head><body class='forum'>"
        "<div class=navbar><a href=/>Hearth</a> <a href=/login>Log in</a> <a href=/register>Register</a></div>"
        f"<h1>{title}</h1><div class='thread posts'>{posts}</div>"
        "<div class=reply-box><a href=/login>Log in to reply</a></div></body></html>"
    )


def read(posts: str) -> tuple[str, str]:
    source = Source(body=framed(posts).encode(), media_type="text/html", url="https://hearth.example/forum/t/kettle")
    found = HtmlExtractor().extract(source)
    return print_document(found.document, "markdown").text, found.page_type


def boxed(who: str, when: str, said: str) -> str:
    return (
        f"<article class=post><div class=author><a href='/forum/u/{who}'>{who}</a><span class=rank>Keeper</span></div>"
        f"<div class=content><time>{when}</time><div class=body><p>{said}</p></div></div></article>"
    )


def in_lines(who: str, when: str, said: str) -> str:
    return (
        f"<div class=post><div class=meta><a href='/forum/u/{who}'>{who}</a> {when} #1</div>"
        f"<div class=body><p>{said}</p></div></div>"
    )


def in_a_table(who: str, when: str, said: str) -> str:
    return (
        f"<table class=post><tr><td class=userinfo><a href='/forum/u/{who}'>{who}</a><div>Posts: 88</div>"
        f"<div>Joined: 1 May 2009</div></td><td><div class=date>{when}</div><div class=body><p>{said}</p></div></td>"
        "</tr></table>"
    )


def with_a_profile(who: str, when: str, said: str) -> str:
    return (
        f"<article class=message><div class=message-user><h4><a href='/members/{who}.12/'>{who}</a></h4>"
        "<div class='message-userExtras'><span>Mar 9, 2009</span><span>1,204</span></div></div>"
        f"<div class=message-main><ul class=attribution><li>{when}</li><li>#1</li></ul><div><p>{said}</p></div></div>"
        "</article>"
    )


def in_a_list_of_facts(who: str, when: str, said: str) -> str:
    """The name is the first term of a list about the user, as FluxBB and PunBB write it."""
    return (
        f"<div class='blockpost rowodd'><h2><span>#1 <a href='viewtopic.php?pid=7#p7'>{when}</a></span></h2>"
        f"<div class=box><div class=postbody><div class=postleft><dl><dt><strong>{who}</strong></dt><dd>Keeper</dd>"
        "<dd>Registered: 2009-05-01</dd><dd>Posts: 88</dd></dl></div>"
        f"<div class=postright><div class=postmsg><p>{said}</p></div></div></div>"
        "<div class=postfoot><p>Offline</p></div></div></div>"
    )


def named_in_a_heading(who: str, when: str, said: str) -> str:
    """Flarum, as its scripts show it."""
    return (
        f"<article class='CommentPost Post'><header class=Post-header><ul><li class=item-user><div class=PostUser>"
        f"<h3 class=PostUser-name><a href='/u/{who}'><span class=username>{who}</span></a></h3></div></li>"
        f"<li class=item-meta><div class=PostMeta><a class=Dropdown-toggle><time>{when}</time></a></div></li></ul>"
        "</header>"
        f"<div class=Post-body><p>{said}</p></div></article>"
    )


def named_twice(who: str, when: str, said: str) -> str:
    """phpBB: beside the post and in the line above it."""
    user = f"<a href='./memberlist.php?mode=viewprofile&amp;u={len(who)}' class=username>{who}</a>"
    return (
        f"<div class='post bg2'><div class=inner><dl class=postprofile><dt>{user}</dt>"
        "<dd class=profile-rank>Keeper</dd><dd>Posts: 88</dd><dd>Joined: 1 May 2009</dd></dl>"
        f"<div class=postbody><p class=author>by <strong>{user}</strong> \u00bb {when}</p>"
        f"<div class=content>{said}</div></div></div></div>"
    )


def linked_twice(who: str, when: str, said: str) -> str:
    """MyBB: `Find` leads to the user's posts by an address like the user's own."""
    return (
        "<div class=post><div class=post_author><div class=author_information>"
        f"<strong><a href='user-{len(who)}.html'>{who}</a></strong></div>"
        "<div class=author_statistics>Posts: 88<br>Joined: May 2009</div></div>"
        f"<div class=post_content><div class=post_head><span class=post_date>{when}</span></div>"
        f"<div class=post_body>{said}</div></div><div class=post_controls>"
        f"<a href='search.php?action=finduser&amp;uid={len(who)}'>Find</a></div></div>"
    )


def in_a_table_with_a_head(who: str, when: str, said: str) -> str:
    """vBulletin 3: date and number above, author and text side by side, all in a box of its own."""
    return (
        f"<div id=edit7><table class=tborder><tr><td class=thead><a name=post7></a>{when}</td>"
        "<td class=thead>#<a href='showpost.php?p=7'><strong>7</strong></a></td></tr>"
        f"<tr><td class=alt2><a class=bigusername href='member.php?u={len(who)}'>{who}</a><div>Keeper</div>"
        f"<div>Posts: 88</div></td><td class=alt1><div>{said}</div></td></tr></table></div>"
    )


def without_links(who: str, when: str, said: str) -> str:
    """A name and a date in one line, and nothing that calls it so."""
    return f"<div class=post><div class=top><b>{who}</b> {when}<span>#4</span></div><div class=text>{said}</div></div>"


@pytest.mark.parametrize(
    "shape",
    [
        boxed, in_lines, in_a_table, with_a_profile, in_a_list_of_facts, named_in_a_heading, named_twice, linked_twice,
        in_a_table_with_a_head, without_links,
    ],
)  # fmt: skip
def test_bylines_and_order_of_posts(
    shape: Callable[[str, str, str], str],
) -> None:
    text, kind = read("".join(map(shape, PEOPLE, DATES, SAID)))
    expected = [f"**{who}** \u00b7 {when}\n\n{said}" for who, when, said in zip(PEOPLE, DATES, SAID, strict=True)]
    assert kind == "forum"
    assert "\n\n".join(expected) in text
    assert not any(scrap in text for scrap in ("Keeper", "Joined", "Posts: 88", "Mar 9, 2009", "Log in"))


def test_a_post_without_a_date_is_given_none() -> None:
    dates = (*DATES[:3], "")
    text, _ = read("".join(map(boxed, PEOPLE, dates, SAID)))
    assert f"**{PEOPLE[3]}**\n\n{SAID[3]}" in text


@pytest.mark.parametrize("head", ["OldTom wrote:", ""])
def test_quotation_of_an_earlier_post(head: str) -> None:
    quote = f"<div class='bbcode_quote'>{head and f'<div>{head}</div>'}<div>{SAID[1]}</div></div>"
    reply = boxed(PEOPLE[2], DATES[2], SAID[2]).replace("<p>", f"{quote}<p>")
    text, _ = read("".join([*map(boxed, PEOPLE[:2], DATES, SAID), reply, boxed(PEOPLE[3], DATES[3], SAID[3])]))
    assert (f"> {head}\n>\n" if head else "") + f"> {SAID[1]}" in text
    assert text.count(SAID[1]) == 2


@pytest.mark.parametrize("called", ["postcontent", "'messageText SelectQuoteContainer ugc'"])
def test_a_post_written_as_a_blockquote_is_no_quotation(called: str) -> None:
    posts = "".join(map(boxed, PEOPLE, DATES, SAID))
    told = posts.replace("<div class=body>", f"<blockquote class={called}>").replace(
        "</div></div></article>", "</blockquote></div></article>"
    )
    text, _ = read(told)
    assert SAID[0] in text
    assert ">" not in text


def test_a_date_that_somebody_writes_about_is_not_when_they_wrote() -> None:
    said = (*SAID[:3], "On 1 June 2020 I cut up my hat.")
    posts = "".join(boxed(who, "", text) for who, text in zip(PEOPLE, said, strict=True))
    text, _ = read(posts)
    assert "On 1 June 2020 I cut up my hat." in text
    assert "\u00b7" not in text


def test_the_shortest_post_keeps_its_words() -> None:
    said = (SAID[0], "Yes.", SAID[2], SAID[3])
    text, _ = read("".join(map(boxed, PEOPLE, DATES, said)))
    assert f"**OldTom** \u00b7 {DATES[1]}\n\nYes." in text


def test_date_with_am_or_pm_directly_after_the_name() -> None:
    glued = "".join(
        f"<div class=post><div class=meta><a href='/u/{who}'><span>{who}</span></a>"
        f"<span>April {at}, 2023, 10:11pm</span><span>{at}</span></div><div class=body><p>{said}</p></div></div>"
        for at, (who, said) in enumerate(zip(PEOPLE, SAID, strict=True), 1)
    )
    text, _ = read(glued)
    assert [line for line in text.splitlines() if line.startswith("**")] == [
        f"**{who}** \u00b7 April {at}, 2023, 10:11pm" for at, who in enumerate(PEOPLE, 1)
    ]


def extracted(body: str, title: str, url: str = "https://hearth.example/item?id=3") -> Page:
    return extract(document(body, title=title), url=url)


def lines_of_authors(page: Page) -> list[str]:
    return [line for line in page.text.splitlines() if line.startswith("**")]


BYLINES = [f"**{who}** \u00b7 {when}" for who, when in zip(PEOPLE, DATES, strict=True)]


def test_answers_in_table_rows_indented_by_images() -> None:
    """As at Hacker News, where the title is no heading either."""
    rows = "".join(
        "<tr class='athing comtr'><td><table><tr><td class=ind><img src=s.gif width=40></td><td class=votelinks>"
        f"</td><td class=default><div><span class=comhead><a href='user?id={who}' class=hnuser>{who}</a> "
        f"<span class=age title='2021-05-0{at}T07:12:00 1620025920'><a href='item?id={at}'>{at} days ago</a></span> "
        "<span class=navs>| <a href='#6'>parent</a> | <a href='#9'>next</a></span> [\u2013]</span></div>"
        f"<div class=comment><div class=commtext>{said}</div><div class=reply><u><a href='reply?id=7'>reply</a></u>"
        "</div></div></td></tr></table></td></tr>"
        for at, (who, said) in enumerate(zip(PEOPLE, SAID, strict=True), 1)
    )
    page = extracted(
        "<table id=hnmain><tr><td><a href=news>Hearth News</a> <a href=newest>new</a> | <a href=submit>submit</a></td>"
        "</tr><tr><td><table class=fatitem><tr class='athing submission'><td class=title><span class=titleline>"
        "<a href='https://kettle.example/'>My kettle keeps whistling</a> (kettle.example)</span></td></tr></table>"
        f"<table class=comment-tree>{rows}</table></td></tr></table>",
        "My kettle keeps whistling | Hearth News",
    )
    assert page.page_type == "forum"
    assert page.text.startswith("# [My kettle keeps whistling](https://kettle.example/)")
    assert lines_of_authors(page) == [f"**{who}** \u00b7 2021-05-0{at}" for at, who in enumerate(PEOPLE, 1)]
    assert [post.published_date for post in page.posts] == [f"2021-05-0{at}T07:12:00" for at in range(1, 5)]
    assert "|" not in page.text


def nested(posts: list[tuple[str, str, str]]) -> str:
    """Return answers in answers, as at Reddit, Lemmy and Slashdot."""
    if not posts:
        return ""
    (who, when, said), *rest = posts
    return (
        f"<div class='thing comment'><div class=entry><p class=tagline><a href='/user/{who}' class=author>{who}</a> "
        f"<span class=score>188 points</span> <time>{when}</time> <a href='#'>({len(rest)} children)</a></p>"
        f"<div class=md><p>{said}</p></div><ul class=buttons><li><a href='#'>permalink</a></li></ul></div>"
        f"<div class=child>{nested(rest)}</div></div>"
    )


def test_answers_nested_in_their_parents() -> None:
    page = extracted(
        "<div class=thing><p class=title><a href='/r/kettles/3'>Kettle keeps whistling</a></p>"
        f"<p class=tagline>submitted <time>2 May 2021</time> by <a href='/user/asker' class=author>asker</a></p>"
        f"<div class=md><p>{SAID[3]}</p></div></div>"
        f"<div class=commentarea>{nested(list(zip(PEOPLE, DATES, SAID[:3], strict=False)))}</div>",
        "Kettle keeps whistling : kettles",
    )
    assert page.page_type == "forum"
    assert lines_of_authors(page) == ["**asker** \u00b7 2 May 2021", *BYLINES[:3]]
    assert page.text.startswith("# [Kettle keeps whistling]")
    assert "188 points" not in page.text


def test_date_that_scripts_would_write() -> None:
    posts = "".join(
        f"<li class=post><div class=post-header><a href='/user/{who}'>{who}</a> "
        f"<span class=timeago title='2021-05-0{at}T07:12:44.084Z'>{'May 2' if at == 2 else ''}</span></div>"
        f"<div class=content><p>{said}</p></div></li>"
        for at, (who, said) in enumerate(zip(PEOPLE, SAID, strict=True), 1)
    )
    text, kind = read(f"<ul class=topic>{posts}</ul>")
    assert kind == "forum"
    assert f"**{PEOPLE[0]}** \u00b7 2021-05-01\n" in text
    assert f"**{PEOPLE[1]}** \u00b7 2021-05-02\n" in text


def test_date_in_the_title_of_a_link_to_a_journal() -> None:
    """As at Slashdot: the title of that link is when the user last wrote in the journal, not when the post was made."""
    posts = "".join(
        f"<li class=post><div class=post-header>by <a href='/user/{who}'>{who}</a> on {DATES[at]} "
        f"<small><a href='/user/{who}/journal' title='Wednesday April 05, 2017 @03:34AM'>Journal</a></small></div>"
        f"<div class=content><p>{said}</p></div></li>"
        for at, (who, said) in enumerate(zip(PEOPLE, SAID, strict=True))
    )
    page = extract(framed(f"<ul class=topic>{posts}</ul>"), url="https://hearth.example/forum/t/kettle")
    assert page.posts
    assert not [post for post in page.posts if "2017" in (post.published_date or "")]


def test_post_of_a_guest_with_a_date_in_a_title_attribute() -> None:
    """JForum: who has left the forum is named in the same box as the others, and the age is told instead of the day."""
    posts = "".join(
        f"<div class='item bg{number}'><div class=left><div class=name>{name}</div><div>Posts: 9</div></div>"
        f"<div class=right><span><span title='May {number}, 2021 17:07:45'>posted 5 years ago</span></span>"
        f"<div class=text>{said}</div></div></div>"
        for number, (name, said) in enumerate(
            zip(
                ("<a href=/u/1>Old Tom</a>", "marsh hen", "<a href=/u/3>b fairlie</a>", "marsh hen"), SAID, strict=True
            ),
            start=3,
        )
    )
    page = extract(framed(posts), url="https://hearth.example/forum/t/kettle")
    assert [(post.author, post.published_date) for post in page.posts] == [
        ("Old Tom", "2021-05-03"), ("marsh hen", "2021-05-04"),
        ("b fairlie", "2021-05-05"), ("marsh hen", "2021-05-06"),
    ]  # fmt: skip
    assert all(said in page.text for said in SAID)


def test_who_edited_a_post_did_not_write_it() -> None:
    """As at Stack Exchange, where both stand below the text."""
    card = "<div class=user-info><div>{0} {2}</div><div class=user-details><a href='/users/7/{1}'>{1}</a></div></div>"
    posts = "".join(
        f"<div class=answer><div class=post-layout><div class=prose><p>{said}</p></div><div class=signatures>"
        f"{card.format('edited', 'OldTom', '6 May 2021') if at % 2 else ''}{card.format('answered', who, when)}"
        "</div></div></div>"
        for at, (who, when, said) in enumerate(zip(PEOPLE, DATES, SAID, strict=True))
    )
    text, _ = read(posts)
    expected = [f"{line}\n\n{said}" for line, said in zip(BYLINES, SAID, strict=True)]
    assert "\n\n".join(expected) in text


def test_title_of_a_thread_above_its_posts() -> None:
    """As in old boards, where the site's name is a heading and the title is a cell of a table."""
    posts = "".join(map(linked_twice, PEOPLE, DATES, SAID))
    page = extracted(
        "<h1>Hearth Forum</h1><table class=tborder><tr><td class=thead><strong>Kettle keeps whistling</strong></td>"
        f"</tr><tr><td><div class=posts>{posts}</div></td></tr></table>",
        "Kettle keeps whistling - Hearth Forum",
        "https://hearth.example/forum/showthread.php?tid=3",
    )
    assert page.text.startswith(f"# Kettle keeps whistling\n\n{BYLINES[0]}\n\n{SAID[0]}")
    assert [heading.text for heading in page.headings] == ["Kettle keeps whistling"]


@pytest.mark.parametrize("format", ["markdown", "text", "html"])
def test_a_page_tells_who_wrote_each_post_when_and_where_it_stands(format: Format) -> None:
    posts = "".join(map(boxed, PEOPLE, (*DATES[:3], ""), SAID))
    page = extract(framed(posts), url="https://hearth.example/forum/t/kettle", format=format)
    assert [post.author for post in page.posts] == list(PEOPLE)
    assert [post.published_date for post in page.posts] == ["2021-05-03", "2021-05-03", "2021-05-04", None]
    for post, said in zip(page.posts, SAID, strict=True):
        inside = page.text[post.start : post.end]
        assert said in inside
        assert post.author in inside[:40]
        assert sum(other in inside for other in SAID) == 1
    told = as_plain(page)["posts"][3]
    assert told == {"author": "marsh_hen", "published_date": None, "start": page.posts[3].start, "end": len(page.text)}


def test_a_page_that_is_no_thread_has_no_posts() -> None:
    paragraphs = "".join(f"<p>{said}</p>" for said in SAID)
    page = extracted(f"<article><h1>On kettles</h1><p>By <a href='/u/hen'>Hen</a></p>{paragraphs}</article>", "Kettles")
    assert page.posts == ()


def entries(heading: str) -> str:
    return "".join(
        f"<div class=card><h3>{heading.format(number)}</h3><p>{said}</p>"
        f"<div class=author><a href='/u/{who}'>{who}</a></div><time>{when}</time></div>"
        for number, (who, when, said) in enumerate(zip(PEOPLE, DATES, SAID, strict=True))
    )


def test_front_page_of_dated_articles_is_no_thread() -> None:
    page = extracted(f"<main>{entries('<a href=/on/{0}>On kettles, {0}</a>')}</main>", "News")
    assert not page.posts
    assert "[On kettles, 3](https://hearth.example/on/3)" in page.text
    for heading in ("<a href=#p{0}>Kettles, {0}</a>", "<a href=/viewtopic.php?p={0}>Re: kettles</a>"):
        told = extracted(f"<main>{entries(heading)}</main>", "Kettle keeps whistling")
        assert [post.author for post in told.posts] == list(PEOPLE)


@pytest.mark.untraced
def test_cost_of_posts_without_end_tags_is_linear() -> None:
    """Below a depth of 200 all of them stand in one box."""

    def forum(count: int) -> Source:
        posts = (
            f"<div class=post><div class=author><a href='/u/{at}'>hen{at}</a></div><div class=content>"
            f"<time>{DATES[0]}</time><p>{SAID[0]}</p></div>"
            for at in range(count)
        )
        return Source(body=framed("".join(posts)).encode(), media_type="text/html", suspect=False)

    def read(source: Source) -> None:
        assert HtmlExtractor().extract(source).page_type == "forum"

    small, large = forum(500), forum(2_000)
    assert work_grows_in_proportion(lambda: read(small), lambda: read(large))
