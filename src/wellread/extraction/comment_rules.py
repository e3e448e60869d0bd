"""Rules for comments of readers and reviews of buyers below a page.

The ground truth has hardly any, so the networks leave most of them out. Mode `recall` keeps them; the other modes count
them in a notice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.css.words import word_set
from wellread.extraction import lexicon
from wellread.types import Notice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats
    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Walked
    from wellread.types import PageType

_COMMENT: Final = 1 << lexicon.CATEGORIES.index("comment")
_REVIEW: Final = 1 << lexicon.CATEGORIES.index("review")
_FORM: Final = lexicon.categories("form", None)
_LEAST: Final = 8
"""Words: fewer are names, dates, stars and buttons."""
_FEWEST: Final = 2
"""A single comment is mostly a note of the site about comments."""
_ANSWERS: Final = lexicon.COMMENTS | lexicon.REVIEWS
_BUTTONS: Final = frozenset({"plea", "comments", "section"})
"""Purposes of lines among comments that say nothing."""
_SHORTEST_NEWS: Final = 50
"""Words."""
_WHOLE: Final = 0.9
"""Share of a page's text: a box that holds so much is the page, whatever it is called."""
_BESIDE: Final = word_set(
    "rules policy guidelines menu nav navbar navigation dropdown sidebar sort sorting pager pagination"
)
"""Class words of boxes among comments that are no comments."""
_UNHEARD: Final = Notice("comments_left_out", "some comments of readers are not in the text; mode `recall` keeps them")
_UNREAD: Final = Notice("reviews_left_out", "some reviews of buyers are not in the text; mode `recall` keeps them")


def keep_comments(page: ScoredPage, selection: Selection) -> Selection:
    """Keep whole comments and reviews, with their authors and dates.

    Other modes keep those that the networks keep: to keep all likely reviews costs .005 F1 on products.
    """
    is_kept = selection.is_kept.copy()
    for inside, long, _ in _comment_groups(is_kept, page, selection.page_type):
        if long.sum() >= _FEWEST:
            spots = np.flatnonzero(inside).tolist()
            is_kept[[at for at in spots if lexicon.line_purpose(page.walked.leaves[at].words) not in _BUTTONS]] = True
    return selection._replace(is_kept=is_kept & ~selection.is_unread)


def leave_comments(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out the comments below an article that the page declares to be news: `count_comments` counts them.

    However many there are, they are not what the page is about.
    """
    if not page.walked.is_news:
        return selection
    around = page.features.around
    called = around.categories[around.own]
    inside = ((called & _COMMENT) > 0) & _comment_mask(page.walked, page.sizes)
    remaining = selection.leave_out(np.flatnonzero(inside))
    if page.sizes @ remaining.is_kept < _SHORTEST_NEWS:
        return selection
    return remaining


def count_comments(page: ScoredPage, selection: Selection) -> Selection:
    """Count the comments and reviews that are not kept in a notice: 60 of WCXB's 1,497 pages have some.

    The lines of posts that bylines stand for are not left out.
    """
    is_read = selection.is_kept.copy()
    is_read[[at for post in selection.posts for at in post.byline_leaves]] = True
    groups = _comment_groups(selection.is_kept, page, selection.page_type)
    lost = [(notice, int((long & ~is_read).sum())) for _, long, notice in groups]
    notices = (notice._replace(count=count) for notice, count in lost if count >= _FEWEST)
    return selection._replace(notices=(*selection.notices, *notices))


def _comment_groups(
    is_kept: NDArray[np.bool_], page: ScoredPage, kind: PageType
) -> Iterator[tuple[NDArray[np.bool_], NDArray[np.bool_], Notice]]:
    """Yield the leaves in boxes called comments or reviews, the long ones among them, and the notice for them.

    Boxes that hold most of the kept text, and more kept text than text left out, are not yielded: they are the page
    itself, not comments on it.
    """
    around = page.features.around
    called = around.categories[around.own]
    if not (called & (_COMMENT | _REVIEW)).any():
        return
    free = ((called & _FORM) == 0) & _comment_mask(page.walked, page.sizes)
    reviews = ((called & _REVIEW) > 0) & free & np.bool_(kind == "product")
    for inside, notice in ((((called & _COMMENT) > 0) & free & ~reviews, _UNHEARD), (reviews, _UNREAD)):
        kept_inside, kept_outside, lost_inside = (
            page.sizes @ (inside & is_kept),
            page.sizes @ (is_kept & ~inside),
            page.sizes @ (inside & ~is_kept),
        )
        if kept_inside <= max(kept_outside, lost_inside - kept_outside):
            yield inside, inside & (page.sizes >= _LEAST), notice


def _comment_mask(walked: Walked, sizes: Floats) -> NDArray[np.bool_]:
    """Return a mask of the leaves in a box of comments that is not the whole page, without the controls beside them."""
    words = [0.0, *np.cumsum(sizes).tolist()]
    least = _WHOLE * words[-1]
    answers = [False] * len(walked.boxes)
    beside = [False] * len(walked.boxes)
    for box in walked.boxes:
        around = box.parent.index if box.parent is not None else box.index
        called = box.name_words
        is_whole = box.parent is None or words[box.end] - words[box.first] >= least
        is_answer = not called.isdisjoint(_ANSWERS)
        answers[box.index] = answers[around] or (is_answer and not is_whole)
        is_beside = answers[around] and not is_answer and not called.isdisjoint(_BESIDE)
        beside[box.index] = beside[around] or is_beside
    spots = (leaf.box.index for leaf in walked.leaves)
    return np.array([answers[spot] and not beside[spot] for spot in spots], np.bool_)
