"""Finds the marks of each post on a page of questions and answers: the accepted answer, and votes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.segmentation.boxes import below

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

    from wellread.extraction.selection import BlockSelection, Post
    from wellread.segmentation.boxes import Box, Walked

ACCEPTED: Final = "accepted answer"
_ITEM: Final = "acceptedAnswer"
"""The property of schema.org, in microdata."""
_CHOSEN: Final = (word_set("accepted"), word_set("best answer"), word_set("bestanswer"), word_set("solution"))
"""Class words of the boxes of accepted answers: all words of one set in one class."""
_NOT_CHOSEN: Final = word_set(
    "not no un non has have can may question button btn link mark unmark set toggle action actions hidden without count"
)
"""Words in classes of questions, and of actions on an answer."""
_CONCEALED: Final = frozenset({"d-none", "hidden", "hide", "invisible", "is-hidden"})
"""Classes of marks that stand in every answer, shown in one."""
_LABEL: Final = lazy_pattern(
    r"\W*(?:(?:accepted|best|chosen|correct|verified|top)\ (?:answer|solution|reply)|(?:accepted\ )?solution|solved"
    r"|marked\ as\ (?:the\ )?(?:answer|solution)|(?:akzeptierte|beste)\ antwort|l\u00f6sung|beste\ l\u00f6sung"
    r"|meilleure\ r\u00e9ponse|(?:r\u00e9ponse|solution)\ accept\u00e9e|mejor\ respuesta|respuesta\ aceptada"
    r"|soluci\u00f3n(?:\ aceptada)?|melhor\ resposta|resposta\ aceita|solu\u00e7\u00e3o|risposta\ accettata"
    r"|miglior\ risposta|soluzione|beste\ antwoord|oplossing|najlepsza\ odpowied\u017a|rozwi\u0105zanie"
    r"|\u043b\u0443\u0447\u0448\u0438\u0439\ \u043e\u0442\u0432\u0435\u0442|\u0440\u0435\u0448\u0435\u043d\u0438\u0435"
    r"|\u30d9\u30b9\u30c8\u30a2\u30f3\u30b5\u30fc|\u89e3\u6c7a\u6e08\u307f?|\u6700\u4f73\u7b54\u6848|\u5df2\u91c7\u7eb3"
    r"|\u63a1\u7d0d)\W*",
    re.IGNORECASE | re.VERBOSE,
)
"""The label in or above an accepted answer, in the languages of the large boards."""
_LONGEST_LABEL: Final = 60
_VOTES: Final = word_set("vote votes votecount upvote upvotes upvotecount netvote score karma points")
_COUNT: Final = lazy_pattern(r"([+\u2212-]?\d{1,7}(?:[.,]\d{1,3})?[kKmM]?)(?:\s+[^\W\d_]{1,12})?")
_LONGEST_COUNT: Final = 20
_ANSWERS: Final = word_set("answer answers question questions")
_CLOSE: Final = 3
"""Boxes around a number, of which one is called after votes."""
_OPENING: Final = 80
"""Characters of an answer by which it is found in the page's own data."""


def with_answer_marks(choice: BlockSelection, walked: Walked, declared: Collection[str]) -> tuple[Post, ...]:
    """Return the posts with their marks; `declared` are the texts that the page's own data call accepted answers.

    What marks every answer alike marks none.
    """
    posts, is_kept = choice.posts, choice.is_kept
    accepted = _accepted(posts, walked, is_kept, declared)
    if not accepted and not any(map(_is_answer, posts)):
        return tuple(posts)
    marked_posts = []
    for at, post in enumerate(posts):
        marks: list[str] = []
        mark_leaves: set[int] = set()
        if at in accepted:
            marks.append(ACCEPTED)
            mark_leaves.update(_labels(post, walked, is_kept))
        count, vote_leaves = _votes(post, walked)
        mark_leaves.update(vote_leaves)
        if count:
            marks.append(f"{count} {'vote' if count == '1' else 'votes'}")
        head_leaves = post.byline_leaves | mark_leaves - {post.opens}
        marked_posts.append(post._replace(marks=tuple(marks), byline_leaves=head_leaves))
    return tuple(marked_posts)


def _is_answer(post: Post) -> bool:
    return not _ANSWERS.isdisjoint(post.box.name_words)


def _accepted(posts: Sequence[Post], walked: Walked, is_kept: Sequence[bool], declared: Collection[str]) -> set[int]:
    """Return which posts are accepted answers, by the first kind of evidence that tells some from the others."""
    openings = {text for answer in declared if (text := _opening(answer))}
    tests: tuple[Callable[[Post], bool], ...] = (
        lambda post: _is_boxed_as_accepted(post, walked),
        lambda post: bool(openings) and _shown_text(post, walked).startswith(tuple(openings)),
        lambda post: any(True for _ in _labels(post, walked, is_kept)),
        lambda post: any(_is_mark(box) for box in below(post.box, walked)),
    )
    for test in tests:
        chosen_posts = {at for at, post in enumerate(posts) if post.box.parent is not None and test(post)}
        if chosen_posts and (len(chosen_posts) < len(posts) - 1 or len(chosen_posts) == 1):
            return chosen_posts
    return set()


def _is_boxed_as_accepted(post: Post, walked: Walked) -> bool:
    """Tell whether a box that holds the post, and no other, is called an accepted answer."""
    text = walked.leaves[post.opens].box
    return any(box.depth >= post.box.depth and _is_mark(box) for box in text.around())


def _is_mark(box: Box) -> bool:
    attributes: Mapping[str, str | None] = box.attributes
    if _ITEM in (attributes.get("itemprop") or "").split():
        return True
    called = names.listed(attributes.get("class"), attributes.get("id"))
    if not _CONCEALED.isdisjoint(called):
        return False
    return any(_is_called_accepted(name) for name in called)


def _is_called_accepted(name: str) -> bool:
    words = frozenset(names.words(name))
    return _NOT_CHOSEN.isdisjoint(words) and any(chosen <= words for chosen in _CHOSEN)


def _labels(post: Post, walked: Walked, is_kept: Sequence[bool]) -> Iterator[int]:
    """Yield the lines beside the text of a post that say that it is the accepted answer."""
    for at in range(post.box.first, post.box.end):
        leaf = walked.leaves[at]
        if is_kept[at]:
            continue
        if leaf.chars <= _LONGEST_LABEL and leaf.box.depth > post.box.depth and _LABEL.fullmatch(leaf.words):
            yield at


def _opening(text: str) -> str:
    """Return how a text begins, without its markup and blanks, which differ where it is shown."""
    words = re.sub(r"<[^<>]{0,200}>", " ", text[: _OPENING * 10])
    return "".join(words.split())[:_OPENING]


def _shown_text(post: Post, walked: Walked) -> str:
    text = "".join(leaf.words for leaf in walked.leaves[post.opens : min(post.box.end, post.opens + 10)])
    return "".join(text.split())


def _votes(post: Post, walked: Walked) -> tuple[str, list[int]]:
    """Return the votes of a post as the page shows them, and the lines that do; empty where it shows none."""
    if post.box.parent is None:
        return "", []
    for at in range(post.box.first, post.box.end):
        leaf = walked.leaves[at]
        if leaf.chars > _LONGEST_COUNT:
            continue
        count = _COUNT.fullmatch(leaf.words.strip())
        if count is not None and any(_counts_votes(box) for box in _close(leaf.box, post.box)):
            return count[1].replace("\u2212", "-"), [at]
    return "", []


def _close(box: Box, post: Box) -> list[Box]:
    return [around for around in list(box.around())[:_CLOSE] if around.depth > post.depth]


def _counts_votes(box: Box) -> bool:
    return box.attributes.get("itemprop") == "upvoteCount" or not _VOTES.isdisjoint(box.name_words)
