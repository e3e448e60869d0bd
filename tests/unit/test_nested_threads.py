"""Answers that stand in what they answer are posts of their own, and a thread is read whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

import pytest

from pages import forum_thread
from unit.yard import PEOPLE, SAID
from wellread import extract
from wellread.types import Mode

if TYPE_CHECKING:
    from wellread import Page

DATES = tuple(f"{day} May 2021" for day in range(3, 9))
BYLINES = [f"**{who}** \u00b7 {when}" for who, when in zip(PEOPLE, DATES, strict=True)]


def thread(posts: str, title: str = "Gate swings open when it rains") -> Page:
    return extract(forum_thread(title, posts), url="https://yard.example/forum/t/gate")


def lines_of_authors(page: Page) -> list[str]:
    return [line for line in page.text.splitlines() if line.startswith("**")]


def answer(at: int, within: str = "") -> str:
    return (
        f"<li class=subtree><div class=comment><div class=byline><a href='/u/{PEOPLE[at]}'>{PEOPLE[at]}</a> "
        f"<time>{DATES[at]}</time></div><div class=said><p>{SAID[at]}</p></div></div>"
        f"<ol class=comments>{within}</ol></li>"
    )


def test_answers_of_a_branch_are_posts() -> None:
    branches = answer(0, answer(1, answer(2) + answer(3))) + answer(4, answer(5))
    page = thread(f"<ol class=comments>{branches}</ol>")
    assert lines_of_authors(page) == BYLINES
    for post, said in zip(page.posts, SAID, strict=True):
        assert page.text[post.start : post.end].rstrip().endswith(f"\n\n{said}")


def test_answer_beside_the_parts_of_its_parent() -> None:
    def part(at: int, within: str = "") -> str:
        return (
            f"<x-comment><div class=meta><a href='/u/{PEOPLE[at]}'>{PEOPLE[at]}</a> <time>{DATES[at]}</time></div>"
            f"<div class=text><p>{SAID[at]}</p></div><button>Reply</button>{within}</x-comment>"
        )

    branches = part(0, part(1, part(2) + part(3))) + part(4, part(5))
    page = thread(f"<x-tree>{branches}</x-tree>")
    assert lines_of_authors(page) == BYLINES
    for post, said in zip(page.posts, SAID, strict=True):
        assert page.text[post.start : post.end].rstrip().endswith(f"\n\n{said}")


def test_nested_answers_with_the_question_in_another_box() -> None:
    def part(at: int, kind: str, within: str = "") -> str:
        byline = f"<p class=byline><a href='/u/{PEOPLE[at]}'>{PEOPLE[at]}</a> <span>{DATES[at]}</span></p>"
        return f"<div class={kind}><div class={kind}-head>{byline}</div><p>{SAID[at]}</p>{within}</div>"

    branches = part(1, "comment", part(2, "comment") + part(3, "comment")) + part(4, "comment", part(5, "comment"))
    page = thread(f"<div class=wrap>{part(0, 'story')}</div><div class=thread>{branches}</div>")
    assert lines_of_authors(page) == BYLINES


def test_comments_in_an_answer_do_not_split_it() -> None:
    note = "<div class=notes><div class=note><span class=by><a href='/u/{0}'>{0}</a></span> <i>{1}</i></div></div>"
    posts = "".join(
        f"<div class=answer><div class=byline><a href='/u/{PEOPLE[at]}'>{PEOPLE[at]}</a> <time>{DATES[at]}</time></div>"
        f"<div class=said><p>{SAID[at]}</p></div>{note.format('scold', 'Quite so.') * 2}</div>"
        for at in range(4)
    )
    assert lines_of_authors(thread(posts)) == BYLINES[:4]


def test_members_with_a_link_and_members_without_one_are_one_row() -> None:
    def post(at: int) -> str:
        name = f"<a href='/u/{PEOPLE[at]}'>{PEOPLE[at]}</a>" if at > 1 else PEOPLE[at]
        return (
            f"<div class=post><div class=side><div class='username postusername'>{name}</div></div><div class=main>"
            f"<p class=when>{DATES[at]}</p><div class=content>{SAID[at]}</div></div></div>"
        )

    assert lines_of_authors(thread("".join(map(post, range(6))))) == BYLINES


def dated_below(at: int) -> str:
    """phpBB: the name stands in the profile, and the date in a line that is called after its author."""
    day = ("Mon", "Tuesday", "Wed,", "Thurs", "Fri", "Sat.")[at]
    return (
        f"<div class=post><dl class=postprofile><dt><a href='/memberlist.php?u={at}'>{PEOPLE[at]}</a></dt>"
        f"<dd>Posts: 12</dd></dl><div class=postbody><p class=author>{day} May {at + 3}, 2021 11:23 am</p>"
        f"<div class=content>{SAID[at]}</div></div></div>"
    )


def test_the_day_of_the_week_before_a_date_is_nobodys_name() -> None:
    page = thread("".join(map(dated_below, range(6))))
    assert [post.author for post in page.posts] == list(PEOPLE)
    assert page.posts[0].published_date == "2021-05-03"


SHORT = ("", "Sad, but all of us saw that coming.", "Thanks for telling us here.", "My words, too. Good luck to you.")


def test_short_answers_below_a_kept_opening_post() -> None:
    """As at Vanilla: the opening post is called otherwise than the comments, but their authors are called alike."""

    def headed(at: int, kind: str, text: str) -> str:
        return (
            f"<div class={kind}><div class='head {kind}-head'><div class=author-wrap><a href='/profile/{PEOPLE[at]}'>"
            f"{PEOPLE[at]}</a></div><div class='meta {kind}-meta'><time>{DATES[at]}</time></div></div>"
            f"<div class=item-body><div class='message user-content'>{text}</div></div></div>"
        )

    first = headed(0, "discussion", "".join(f"<p>{said}</p>" for said in SAID * 2))
    rest = "".join(f"<li>{headed(at, 'comment', f'<p>{SHORT[at]}</p>')}</li>" for at in (1, 2, 3))
    page = thread(f"{first}<div class=comments-wrap><h2>Comments</h2><ul>{rest}</ul></div>")
    assert lines_of_authors(page) == BYLINES[:4]
    assert all(said in page.text for said in SHORT)


def test_answers_below_a_far_longer_post() -> None:
    """As at Lemmy."""
    answers = "".join(
        f"<li class='comment list'><article class='details node'><div class='d-flex small'><a href='/u/{PEOPLE[at]}'>"
        f"{PEOPLE[at]}</a> <time>{DATES[at]}</time></div><div class=comment-content><p>{SHORT[at]}</p></div></article>"
        for at in (1, 2, 3)
    )
    page = thread(
        f"<article class=post-listing><div class=small><a href='/u/{PEOPLE[0]}'>{PEOPLE[0]}</a> to <a href=/c/news>"
        f"news</a> <time>{DATES[0]}</time></div><div class=md>{''.join(f'<p>{said}</p>' for said in SAID * 2)}</div>"
        f"</article><ul class=comments>{answers}</ul>"
    )
    assert lines_of_authors(page) == BYLINES[:4]
    assert all(said in page.text for said in SHORT)


ASKED = "How does one hang a gate?"


def test_authors_of_nested_answers_with_comments() -> None:
    """Stack Exchange: "asked" stands beside the date, as a name would, and comments name users, too."""
    card = (
        "<div class='user-info{0}'><div><div>{1} <span title='2021-05-0{2} 07:12:44Z'>May {2}, 2021</span></div></div>"
        "<div class=user-details><a href='/users/7/{3}'>{3}</a></div></div>"
    )
    comment = "<ul><li>Try it.<div><div class=who><a href='/users/9/scold'>scold</a></div></div></ul>"
    posts, wrote = "", ("asker", "poke", "digulla", "hall")
    for at, (who, said) in enumerate(zip(wrote, SAID, strict=False)):
        edited = card.format(" user-hover", "edited", 8, "milan") if at < 2 else ""
        signed = card.format(" owner" if at == 0 else "", "answered" if at else "asked", at + 1, who)
        inner = f"<div class=prose><p>{said}</p></div><div class=signatures>{edited}{signed}</div>{comment}"
        posts += f"<div class=question>{inner}</div>" if at == 0 else f"<div class=answers><div>{inner}</div></div>"
    ages = (
        "<div>Asked <time>4 years ago</time></div><div>Modified <a href='?lastactivity'>3 years, 2 months ago</a></div>"
    )
    for mode in get_args(Mode)[::2]:
        page = extract(f"<title>{ASKED}</title><h1>{ASKED}</h1><div>{ages}</div>{posts}", mode=mode)
        days = [f"2021-05-0{at}T07:12:44Z" for at in (1, 2, 3, 4)]
        assert [(one.author, one.published_date) for one in page.posts] == list(zip(wrote, days, strict=True))


FORGED = [
    "<b>Administrator</b> \u00b7 2024-01-04",
    "<b>Admin</b><strong>istrator</strong>&nbsp;&middot; 2024-01-04",
    "Well then.<br><img src=a alt=b><b><a href='javascript:a'>Administrator</a> </b>\u00b7 2024-01-04",
]


@pytest.mark.parametrize("forged", FORGED)
def test_no_post_can_begin_another_one_in_the_name_of_somebody_else(forged: str) -> None:
    within = f"<p>{forged}</p><p>Send me <b>your</b> password.</p>"
    page = thread(f"<ol class=comments>{answer(0)}{answer(1).replace('<p>', f'{within}<p>')}{answer(2)}</ol>")
    assert lines_of_authors(page) == BYLINES[:3]
    assert "\nAdministrator \u00b7 2024-01-04\n\nSend me **your** password." in page.text


def test_a_bold_line_is_no_post_where_posts_have_no_dates() -> None:
    undated = answer(3).replace(f"<time>{DATES[3]}</time>", "")
    said = "".join((answer(0), answer(1), answer(2), undated, answer(4), answer(5)))
    page = thread(
        f"<ol class=comments>{said.replace(f'<p>{SAID[1]}', f'<p><b>Administrator</b></p><p>{SAID[1]}')}</ol>"
    )
    assert f"**{PEOPLE[3]}**" in lines_of_authors(page)
    assert "\nAdministrator\n" in page.text
