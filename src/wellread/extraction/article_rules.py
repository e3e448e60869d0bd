"""Rules for what stands around, and amid, the one article of a page: other articles, and links to them.

`selection_rules.py` has the order in which they run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.metadata.cleaning import key

if TYPE_CHECKING:
    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Box, Leaf

_MIN_TITLE_CHARS: Final = 10
"""Of a headline, that <title> has, too."""
_MIN_ARTICLE_WORDS: Final = 50


def leave_further_articles(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out the articles below the page's own, with headlines of their own: the page goes on without an end.

    The page's own is the first with a headline of the first level that <title> has, too.
    """
    leaves = page.walked.leaves
    title = key(page.walked.title)
    heads = [at for at, leaf in enumerate(leaves) if leaf.heading == 1]
    headline = next((at for at in heads if _is_title(leaves[at], title)), None)
    if headline is None:
        return selection
    further: list[int] = []
    for at in heads:
        if at > headline and (article := _article_apart(leaves[at], headline)) is not None:
            further.extend(range(article.first, article.end))
    remaining = selection.leave_out(further)
    if page.sizes @ remaining.is_kept < _MIN_ARTICLE_WORDS:
        return selection
    return remaining


def _is_title(leaf: Leaf, title: str) -> bool:
    words = key(leaf.words)
    return len(words) >= _MIN_TITLE_CHARS and words in title


def _article_apart(headline: Leaf, other: int) -> Box | None:
    """Return the widest <article> around a headline that does not hold the leaf `other`."""
    apart: Box | None = None
    for box in headline.box.around():
        if box.tag == "article" and not box.first <= other < box.end:
            apart = box
    return apart
