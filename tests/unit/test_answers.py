"""What others say below a page: left out and told of, or read."""

from __future__ import annotations

from pathlib import Path

import wellread

PROSE = "Paragraph {} tells at some length of the bay, its water, and the boats that cross it in any weather."


def test_a_shop_says_what_of_its_reviews_is_not_in_the_text() -> None:
    page = (Path(__file__).parents[2] / "examples" / "demo_site" / "pages" / "lantern.html").read_bytes()
    found = wellread.extract(page)
    assert found.page_type == "product"
    assert "In stock, leaves the forge within three working days" in found.text
    assert "reviews_left_out" in [warning.code for warning in found.notices]
    assert "no rust" not in found.text
    whole = wellread.extract(page, mode="recall")
    assert "no rust" in whole.text
    assert "reviews_left_out" not in [warning.code for warning in whole.notices]


def test_comments_of_an_article_are_in_mode_recall_only() -> None:
    body = "".join(f"<p>{PROSE.format(at)} {PROSE.format(at)}</p>" for at in range(12))
    comments = "".join(
        f"<li class=comment><b>Piotr {at}</b> <p>I was there on day {at}, and the water came up to the second step.</p>"
        f"<a href=?to={at}>Reply</a></li>"
        for at in range(4)
    )
    form = "<form class=comment-form><p>Your address will not be published, and all fields must be filled in</p></form>"
    below = (
        f"<div id=comments class=comments-area><h3>4 comments</h3><ol class=comment-list>{comments}</ol>{form}</div>"
    )
    page = f"<main><article><h1>The bay</h1>{body}</article>{below}</main>"
    told = {mode: wellread.extract(page, mode=mode) for mode in ("balanced", "recall", "precision")}
    assert [(warning.code, warning.count) for warning in told["balanced"].notices] == [("comments_left_out", 4)]
    assert "second step" not in told["balanced"].text
    assert told["recall"].text.count("second step") == 4
    assert "Piotr 3" in told["recall"].text
    assert "Reply" not in told["recall"].text
    assert "comments_left_out" not in {notice.code for notice in told["recall"].notices}
    assert "second step" not in told["precision"].text


def test_comments_below_answers_of_a_thread_are_reported() -> None:
    def answer(at: int) -> str:
        comments = "".join(
            f"<li class=comment><span class=comment-copy>No, {at} is wrong: the sluice has three gates, {one}.</span> "
            f"<a href=/users/9/ann>ann</a> <span title='2021-06-0{at} 07:12:00Z'>Jun {at}, 2021</span>"
            for one in "ab"
        )
        said = f"<p>{PROSE.format(at)} {PROSE.format(at)} {PROSE.format(at)}</p>"
        return (
            f"<div class=answer><div class=post-text>{said}{said}</div>"
            f"<div class=user-info>answered <span title='2021-05-0{at} 07:12:00Z'>May {at}, 2021</span> "
            f"<a href=/users/{at}/p{at}>Piotr {at}</a></div>"
            f"<div class=comments><ul class=comments-list>{comments}</ul></div></div>"
        )

    head = "<title>Why does the tide turn?</title><h1>Why does the tide turn?</h1>"
    page = f"{head}<div class=answers>{''.join(map(answer, range(1, 5)))}</div>"
    balanced, recall = (
        wellread.extract(page, url="https://q.example/questions/7", mode=mode) for mode in ("balanced", "recall")
    )
    assert balanced.page_type == recall.page_type == "forum"
    left_out = sum(notice.count for notice in balanced.notices if notice.code == "comments_left_out")
    assert left_out
    assert balanced.text.count("sluice") + left_out == recall.text.count("sluice") == 8
    assert not recall.notices
