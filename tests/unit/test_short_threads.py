"""Threads of few and short posts: every body is read, under the name of its author."""

from __future__ import annotations

import pytest

from pages import document
from wellread import Page, extract


def thread(title: str, body: str, url: str) -> Page:
    return extract(document(body, title=title), url=url)


def authors(page: Page) -> list[str]:
    return [post.author for post in page.posts]


GITLAB = (
    "<div class='detail-page-description'><div class='issuable-meta'>Issue created <time "
    "datetime='2024-02-29T09:00:00Z'>1 year ago</time> by <a class='author-link' data-username='anke' "
    "href='/anke'>anke</a></div><h1>Pump stops at noon</h1></div><div class='description'><div class='md'>"
    "<p>{}</p></div></div>"
    + "".join(
        "<li class='note timeline-entry'><div class='timeline-entry-inner'><div class='note-header'><a "
        "class='author-name-link"
        f" js-user-link' data-username='{name}' href='/{name}'><span class='note-header-author-name'>{name}</span></a> "
        f"<a href='#note_{at}'><time datetime='2024-03-0{at}T09:00:00Z'>1 year ago</time></a></div><div "
        "class='note-body'>"
        f"<div class='note-text md'><p>{text}</p></div></div><button>Reply</button></div></li>"
        for at, name, text in ((1, "osk", "Same here."), (2, "hale", "Try <code>pump --reset</code> first."))
    )
)


def test_github_issue_short_answer() -> None:
    def comment(name: str, day: str, body: str) -> str:
        return (
            "<div class='TimelineItem js-comment-container'><div class='timeline-comment'><div "
            f"class='timeline-comment-header'><h3><strong><a class='author' href='/{name}'>{name}</a></strong> "
            "commented "
            f"<a href='#c'><relative-time datetime='{day}T10:00:00Z'>{day}</relative-time></a></h3><span class='Label'>"
            f"Member</span></div><div class='comment-body markdown-body'>{body}</div><div class='comment-reactions'>"
            "<button>2</button></div></div></div>"
        )

    page = thread(
        "Pump stops at noon \u00b7 Issue #7 \u00b7 mill/pump \u00b7 GitHub",
        "<main><h1><bdi>Pump stops at noon</bdi> <span>#7</span></h1><span class='State'>Closed</span>"
        + comment("anke", "2024-02-03", "<p>It stops and hums.</p><pre>pump --status</pre>")
        + comment("bo", "2024-02-04", "<blockquote><p>and hums</p></blockquote><p>Clean the sieve.</p>")
        + "<div>Assignees</div><div>No one assigned</div></main>",
        "https://github.com/mill/pump/issues/7",
    )
    assert authors(page) == ["anke", "bo"]
    assert "It stops and hums.\n\n```\npump --status" in page.text
    assert "> and hums\n\nClean the sieve." in page.text
    assert "Member" not in page.text
    assert "No one assigned" not in page.text


def test_github_issue_page_built_by_scripts() -> None:
    def comment(name: str, day: str, text: str, link: str) -> str:
        return (
            "<div class='TimelineElement-module__wrapper--x1'><div class='IssueComment-module__box--y2' data-testid="
            "'comment-viewer-outer-box'><div class='ActivityHeader-module__header--z3' data-testid='comment-header'>"
            f"<a href='https://github.com/{name}' data-testid='avatar-link'><img alt='{name}' src='/a.png'></a>"
            f"<div><a class='prc-Link-Link--q5 ActivityHeader-module__AuthorLink--w1' data-testid='{link}' "
            f"data-hovercard-url='/users/{name}/hovercard' href='https://github.com/{name}'>{name}</a> "
            "<span>opened</span>"
            f"<a class='prc-Link-Link--q5' href='#c'><relative-time datetime='{day}T10:00:00Z'>on "
            f"{day}</relative-time></a>"
            "</div></div><div class='MarkdownBody-module__body--k9 markdown-body' data-testid='markdown-body'>"
            f"<p dir='auto'>{text}</p></div></div></div>"
        )

    page = thread(
        "Pump stops at noon \u00b7 Issue #7 \u00b7 mill/pump",
        "<main><div data-testid='issue-header'><h1><bdi data-testid='issue-title'>Pump stops at noon</bdi> <span>#7"
        "</span></h1></div><div data-testid='issue-viewer'>"
        + comment("anke", "2024-02-03", "It stops and hums.", "issue-body-header-author")
        + comment("bo", "2024-02-04", "Clean the sieve.", "comment-author")
        + "</div><div><h3>Assignees</h3><span>No one assigned</span></div></main>",
        "https://github.com/mill/pump/issues/7",
    )
    assert authors(page) == ["anke", "bo"]
    assert "It stops and hums." in page.text
    assert "Clean the sieve." in page.text
    assert "No one assigned" not in page.text


def test_gitlab_issue_notes() -> None:
    page = thread(
        "Pump stops at noon (#7) \u00b7 Issues \u00b7 mill / pump \u00b7 GitLab",
        f"<main><ul class='notes'>{GITLAB.format('It stops every day when the sun is high and the sieve is full.')}"
        "</ul></main>",
        "https://gitlab.example/mill/pump/-/issues/7",
    )
    assert "It stops every day" in page.text
    assert "Same here." in page.text
    assert "Try `pump --reset` first." in page.text
    assert authors(page)[-2:] == ["osk", "hale"]


def row(at: int, name: str, depth: int, text: str) -> str:
    return (
        f"<tr class='athing comtr' id='{at}'><td><table><tr><td class='ind'><img src='s.gif' width='{40 * depth}'></td>"
        "<td class='votelinks'><center><a href='vote?id=2'><div class='votearrow' "
        "title='upvote'></div></a></center></td>"
        f"<td class='default'><div><span class='comhead'><a href='user?id={name}' class='hnuser'>{name}</a> <span "
        f"class='age' title='2024-05-0{at}T10:00:00 1714550400'><a href='item?id={at}'>{at} days ago</a></span> <span "
        "class='navs'> | <a href='#1'>root</a> | <a href='#2'>parent</a> | <a href='#3'>next</a> <a class='togg' "
        "href='javascript:void(0)'>[\u2013]</a></span></span></div><br><div class='comment'><div class='commtext c00'>"
        f"{text}</div><div class='reply'><p><font size='1'><u><a "
        "href='reply?id=2'>reply</a></u></font></div></div></td>"
        "</tr></table></td></tr>"
    )


def test_hacker_news_question_with_short_answers() -> None:
    page = thread(
        "Ask HN: Which kettle? | Hacker News",
        "<table id='hnmain'><tr><td><a href='news'>Hacker News</a> <a href='newest'>new</a> | <a "
        "href='ask'>ask</a></td>"
        "</tr><tr><td><table class='fatitem'><tr class='athing submission'><td class='title'><span "
        "class='titleline'><a "
        "href='item?id=1'>Ask HN: Which kettle?</a></span></td></tr><tr><td class='subtext'><span "
        "class='subline'><span "
        "class='score'>12 points</span> by <a href='user?id=fenn' class='hnuser'>fenn</a> <span class='age' "
        "title='2024-05-01T08:00:00 1714550400'><a href='item?id=1'>9 days ago</a></span> | <a "
        "href='hide?id=1'>hide</a> "
        "| <a href='item?id=1'>2 comments</a></span></td></tr><tr><td><div class='toptext'>Mine broke. I drink tea all "
        "day long.</div></td></tr></table><table class='comment-tree'>"
        + row(2, "gull", 0, "A steel one.")
        + row(3, "moor", 1, "They whistle, though.<p>Enamel does not.")
        + "</table></td></tr><tr><td><a href='rules.html'>Guidelines</a> | <a href='faq'>FAQ</a></td></tr></table>",
        "https://news.ycombinator.com/item?id=1",
    )
    assert page.title == "Ask HN: Which kettle?"
    assert authors(page) == ["fenn", "gull", "moor"]
    for text in ("Mine broke. I drink tea all day long.", "A steel one.", "They whistle, though.", "Enamel does not."):
        assert text in page.text
    assert "root" not in page.text
    assert "parent" not in page.text
    assert "Guidelines" not in page.text


def test_lobsters_short_answers() -> None:
    def comment(name: str, text: str, answers: str = "") -> str:
        return (
            "<li class='comments_subtree'><div class='comment'><div class='voters'><a class='upvoter'>3</a></div><div "
            f"class='details'><div class='byline'><a href='/~{name}'><img class='avatar' src='/a.png' alt='{name} "
            "avatar'>"
            f"</a> <a href='/~{name}'>{name}</a> <time title='2024-05-01 10:00:00' datetime='2024-05-01 10:00:00'>2 "
            "hours "
            "ago</time> | <a href='/c/x1'>link</a> | <a href='/reply'>reply</a></div><div class='comment_text'>"
            f"<p>{text}</p></div></div></div><ol class='comments'>{answers}</ol></li>"
        )

    page = thread(
        "Plain text is enough | Lobsters",
        "<header><a href='/'>Lobsters</a></header><ol class='stories'><li class='story'><div class='details'><a "
        "class='u-url' href='https://fenn.example/plain'>Plain text is enough</a> <a class='tag' "
        "href='/t/text'>text</a>"
        "</div></li></ol><ol class='comments'>"
        + comment("anke", "Until you need a table.", comment("bo", "Tabs do."))
        + comment("cleo", "Agreed.")
        + "</ol>",
        "https://lobste.rs/s/x1/plain",
    )
    assert authors(page) == ["anke", "bo", "cleo"]
    assert "Until you need a table." in page.text
    assert "Tabs do." in page.text
    assert "Agreed." in page.text
    assert "reply" not in page.text


def test_old_reddit_side_bar_before_thread() -> None:
    def post(name: str, text: str, answers: str = "") -> str:
        author = (
            f"<a href='https://old.reddit.com/user/{name}' class='author'>{name}</a>" if name else "<em>[deleted]</em>"
        )
        return (
            "<div class='thing comment'><div class='midcol'></div><div class='entry'><p class='tagline'><a "
            f"href='javascript:void(0)' class='expand'>[\u2013]</a>{author} <span class='score' title='8'>8 "
            "points</span> "
            "<time datetime='2022-08-01T11:00:00+00:00'>3 years ago</time> <a href='#'>(1 child)</a></p><div "
            f"class='usertext-body'><div class='md'><p>{text}</p></div></div><ul class='flat-list buttons'><li><a "
            "href='/c/1'>permalink</a></li><li><a href='#'>embed</a></li><li><a href='#'>save</a></li><li><a "
            "href='#'>report"
            f"</a></li></ul></div><div class='child'><div class='sitetable'>{answers}</div></div></div>"
        )

    page = thread(
        "Which rope lasts? : moorings",
        "<div id='header'><a href='/r/moorings'>moorings</a></div><div class='side'><div class='titlebox'><h1 "
        "class='redditname'><a href='/r/moorings'>moorings</a></h1><p>Be kind to "
        "beginners.</p><h3>Rules</h3><ol><li>No "
        "adverts</li></ol></div></div><div class='content' role='main'><div class='thing link'><div "
        "class='midcol'><div "
        "class='score unvoted'>734</div></div><div class='entry'><p class='title'><a class='title' href='/c/1'>Which "
        "rope "
        "lasts?</a></p><p class='tagline'>submitted <time datetime='2022-08-01T10:00:00+00:00'>3 years ago</time> by "
        "<a "
        "href='https://old.reddit.com/user/fenn' class='author'>fenn</a></p><div class='usertext-body'><div class='md'>"
        "<p>Ours frays within one winter.</p></div></div></div></div><div class='commentarea'>"
        + post("bow", "Nylon.", post("fenn", "Thanks."))
        + post("", "[removed]")
        + "</div></div>",
        "https://old.reddit.com/r/moorings/comments/1/which/",
    )
    assert page.title == "Which rope lasts?"
    assert page.text.startswith("# [Which rope lasts?]")
    assert authors(page) == ["fenn", "bow", "fenn", "[deleted]"]
    assert "Ours frays" in page.text
    assert "Nylon." in page.text
    assert "Thanks." in page.text
    for scrap in ("moorings)", "734", "permalink", "embed", "adverts"):
        assert scrap not in page.text.replace("/r/moorings/", "")


def stack(number: int, text: str, votes: int, *, mark: str = "", accepted: str = "") -> str:
    return (
        f"<div id='answer-{number}' class='answer js-answer {mark}' itemscope itemtype='https://schema.org/Answer' "
        f"itemprop='{accepted or 'suggestedAnswer'}'><div class='votecell'><div class='js-vote-count' "
        f"itemprop='upvoteCount' data-value='{votes}'>{votes}</div></div><div class='answercell'><div "
        "class='js-post-body' "
        f"itemprop='text'><p>{text}</p></div><div class='user-info'><div class='user-action-time'>answered <span "
        f"title='2021-05-06 12:00:00Z' class='relativetime'>May {number}, 2021</span></div><div "
        "class='user-details'><a "
        f"href='/users/{number}/p{number}'>person{number}</a></div></div></div></div>"
    )


QUESTION = (
    "<h1>How do I open the sluice?</h1><div class='question'><div class='votecell'><div class='js-vote-count'>31</div>"
    "</div><div class='js-post-body'><p>The wheel is stuck and water rises by the hour; what do I do "
    "first?</p></div><div "
    "class='user-info'><div class='user-action-time'>asked <span title='2021-05-06 10:00:00Z'>May 6, 2021</span></div>"
    "<div class='user-details'><a href='/users/1/lena'>lena</a></div></div></div>"
)


@pytest.mark.parametrize(("mark", "accepted"), [("accepted-answer", ""), ("", "acceptedAnswer"), ("is-solution", "")])
def test_accepted_answer_is_marked(mark: str, accepted: str) -> None:
    page = thread(
        "valves - How do I open the sluice? - Mill Exchange",
        QUESTION
        + stack(11, "Drain the upper pond first.", 4)
        + stack(12, "Oil the wheel and wait an hour.", 42, mark=mark, accepted=accepted),
        "https://mill.example/questions/1/sluice",
    )
    lines = [line for line in page.text.splitlines() if line.startswith("**")]
    assert lines == [
        "**lena** \u00b7 May 6, 2021 \u00b7 31 votes",
        "**person11** \u00b7 May 11, 2021 \u00b7 4 votes",
        "**person12** \u00b7 May 12, 2021 \u00b7 accepted answer \u00b7 42 votes",
    ]


def test_accepted_answer_in_structured_data() -> None:
    """Software whose markup says nothing describes the question for search engines."""
    ld = (
        '<script type="application/ld+json">{"@context":"https://schema.org","@type":"QAPage","mainEntity":{"@type":'
        '"Question","name":"How do I open the sluice?","acceptedAnswer":{"@type":"Answer","text":"<p>Oil the wheel and '
        'wait an hour.</p>"},"suggestedAnswer":[{"@type":"Answer","text":"Drain the upper pond first."}]}}'
        "</script>"
    )
    page = thread(
        "How do I open the sluice? - Mill Exchange",
        ld + QUESTION + stack(11, "Drain the upper pond first.", 4) + stack(12, "Oil the wheel and wait an hour.", 42),
        "https://mill.example/questions/1/sluice",
    )
    assert "**person12** \u00b7 May 12, 2021 \u00b7 accepted answer" in page.text
    assert page.text.count("accepted answer") == 1


def test_accepted_answer_of_question2answer() -> None:
    def answer(name: str, text: str, *, best: bool) -> str:
        chosen = "<div class='qa-a-selection'><div class='qa-a-selected-text'>Best answer</div></div>"
        return (
            f"<div class='qa-a-list-item{' qa-a-list-item-selected' * best} hentry answer' itemprop='suggestedAnswer' "
            "itemscope><div class='qa-voting'><span class='qa-netvote-count-data'>+2</span><span "
            "class='qa-netvote-count-pad'> votes</span></div><div class='qa-a-item-main'>"
            f"{chosen if best else ''}<div class='qa-a-item-content qa-post-content'><div class='entry-content' "
            f"itemprop='text'><p>{text}</p></div></div><span class='qa-a-item-meta'><span "
            "class='qa-a-item-what'>answered"
            f"</span> <span class='qa-a-item-when'><time datetime='2023-04-0{2 + best}T09:00:00+0000'>Apr "
            f"{2 + best}, 2023"
            "</time></span> <span class='qa-a-item-who'>by <span class='qa-a-item-who-data'><a "
            f"href='../user/{name}' class='qa-user-link'>{name}</a></span></span></span></div></div>"
        )

    page = thread(
        "Which oil for a clock? - Mill Questions",
        "<h1>Which oil for a clock?</h1><div class='qa-q-view'><div class='qa-q-view-main'><div "
        "class='qa-q-view-content'>"
        "<div class='entry-content'><p>The church clock stops in frost, and olive oil has made it "
        "worse.</p></div></div>"
        "<span class='qa-q-view-meta'>asked <time datetime='2023-04-01T09:00:00+0000'>Apr 1, 2023</time> by <a "
        "href='../user/anke' class='qa-user-link'>anke</a></span></div></div><div class='qa-a-list'>"
        + answer("bo", "Whale oil, long ago.", best=False)
        + answer("cleo", "Synthetic, and only a drop of it.", best=True)
        + "</div>",
        "https://questions.example/17/which-oil-for-a-clock",
    )
    assert authors(page) == ["anke", "bo", "cleo"]
    lines = [line for line in page.text.splitlines() if line.startswith("**")]
    assert "accepted answer" not in lines[1]
    assert "accepted answer" in lines[2]


def test_mark_on_every_answer_tells_nothing() -> None:
    page = thread(
        "valves - How do I open the sluice? - Mill Exchange",
        QUESTION
        + stack(11, "Drain the upper pond first.", 4, mark="accepted")
        + stack(12, "Oil it.", 2, mark="accepted"),
        "https://mill.example/questions/1/sluice",
    )
    assert "accepted answer" not in page.text


def test_heading_of_an_answer_marks_nothing() -> None:
    page = thread(
        "valves - How do I open the sluice? - Mill Exchange",
        QUESTION
        + stack(11, "Drain the upper pond first, and look at the wheel again when the night is over.", 4)
        + stack(12, "</p><h3>Solution</h3><p>Oil the wheel and wait an hour, then turn it by hand.", 42),
        "https://mill.example/questions/1/sluice",
    )
    assert "accepted answer" not in page.text


def test_class_of_a_page_is_no_comment() -> None:
    rules = "".join(
        f"<li>Rule {at}: do not write to strangers about the price of their kettles at all.</li>" for at in range(5)
    )
    posts = "".join(
        "<div class='thing comment'><div class='entry'><p class='tagline'><a href='/user/p' class='author'>person"
        f"{at}</a> <time datetime='2022-08-0{1 + at}T11:00:00+00:00'>3 years ago</time></p><div class='md'><p>Answer "
        f"{at}: "
        "we took the lid off, and have slept through every night since then.</p></div></div></div>"
        for at in range(8)
    )
    page = thread(
        "Kettle : hearth",
        f"<div class='comments-page'><div class='side'><div class='md'><ol>{rules}</ol></div></div><div "
        "class='content'>"
        f"<p class='title'><a href='/c/1'>Kettle</a></p>{posts}</div></div>",
        "https://old.reddit.com/r/hearth/comments/1/kettle/",
    )
    assert len(page.posts) == 8
    assert "comments_left_out" not in [warning.code for warning in page.warnings]


PHPBB = "".join(
    f"<div class='post has-profile bg{at}'><div class=inner><dl class=postprofile><dt><a class=username "
    f"href='/u/{at}'>{name}</a></dt><dd class=profile-posts>Posts: 12</dd></dl><div class=postbody>"
    f"<p class=author>by <a class=username href='/u/{at}'>{name}</a> » Mar 03, 2024 1{at}:15 am</p><div class=content>"
    f"{text}</div></div></div></div>"
    for at, name, text in ((0, "osk", "Which rope?"), (1, "ada", "Hemp, 20 mm."))
)
VBULLETIN = "".join(
    f"<li class='postbit postcontainer'><span class=postdate>03-03-2024, 1{at}:15 AM</span><a class=username "
    f"href='/u/{at}'>{name}</a><div class=content><blockquote class=postcontent>{text}</blockquote></div></li>"
    for at, name, text in ((0, "osk", "Which rope?"), (1, "ada", "Hemp, 20 mm."))
)
DAY_BELOW = "".join(
    f"<div class='item answer'><div><a class=UserLink href='/people/{name}'>{name}</a></div><div class=RichContent>"
    f"{text}</div><div class=time>{led} 2024-03-03 10:15</div></div>"
    for name, text, led in (("osk", "Which rope?", "发布于"), ("ada", "Hemp, 20 mm.", "编辑于"))
)
STORY_AND_COMMENTS = (
    "<div class=story><a href='https://rope.example'>Ropes of hemp</a><div class=byline>via <a class=u-author "
    "href='/~kim'>kim</a> <time datetime='2024-03-02 10:00:00'>2 years ago</time> | 2 comments</div></div>"
) + "".join(
    f"<div class=comment><div class=byline><a href='/~{name}'>{name}</a> <time datetime='2024-03-03 1{at}:00:00'>2 "
    f"years ago</time></div><div class=comment_text><p>{text}</p></div></div>"
    for at, name, text in ((0, "osk", "Which rope?"), (1, "ada", "Hemp, 20 mm."))
)
GERMAN = "".join(
    f"<div class=comment><div class=head><a class=author href='/u/{name}'>{name}</a> <span>vor {at} Jahren</span></div>"
    f"<div class=text><p>{text}</p></div></div>"
    for at, name, text in ((2, "osk", "Which rope?"), (3, "ada", "Hemp, 20 mm."))
)


@pytest.mark.parametrize("body", [PHPBB, VBULLETIN, DAY_BELOW, STORY_AND_COMMENTS, GERMAN])
def test_posts_of_other_software(body: str) -> None:
    page = thread("Which rope", f"<main><h1>Which rope</h1>{body}</main>", "https://forum.example/t/1")
    assert authors(page)[-2:] == ["osk", "ada"]
    assert "Which rope?" in page.text
    assert "Hemp, 20 mm." in page.text
