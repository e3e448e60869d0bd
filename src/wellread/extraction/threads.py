"""Finds the posts of a thread, with author and date as the page shows them. Nothing is made up."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import chain, compress, islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.css.words import word_set
from wellread.extraction import lexicon, post_bylines
from wellread.extraction.post_bylines import AuthorLine, DateLine
from wellread.extraction.selection import PAGE_TYPES, Post
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names
from wellread.segmentation.boxes import chars

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Box, Leaf, Walked

_MIN_FORUM: Final = 0.005
"""How likely a forum must be for the page's posts to decide..."""
_MIN_FILLED_FORUM: Final = 0.05
"""...and for those that are not kept to decide: so are comments on most articles."""
_MIN_LIKELY_POST: Final = 0.08
"""How likely text must be to be posts of a forum that keeps none: comments that the truths leave out are less so."""
_LEAST: Final = 2
"""Posts that make a thread."""
_MOST_ROWS: Final = 12
"""Rows of names that are looked at: each costs a look at the whole page."""
_SURE: Final = 3
"""Posts that make one of a page that is not called a forum..."""
_NEARLY_ALL: Final = 0.8
"""...if such a share of them has dates..."""
_MOST: Final = 0.7
"""...and such a share of the text is in them."""
_HALF: Final = 0.5
"""...or, on a short page whose markup calls them posts, such a share."""
_NEARLY_AS_MUCH: Final = 0.9
_MOST_NAMED: Final = 8
"""How often a post may name its author: each time the boxes beside the name are looked at."""
_MAX_QUOTED_LEAVES: Final = 500
"""Of a quotation whose first line is looked at: those in it are counted for each that it stands in."""
_CITATION: Final = lazy_pattern(r":\W*$")
_CITATION_END: Final = 6
"""Characters at the end of a line, where its colon is, and perhaps an arrow."""
_SHORT_QUOTE: Final = 200
"""Characters of a quotation."""
_TITLE: Final = 0.4
"""How much of <title> its thread's title is."""
_MAX_SHORT_LEAVES: Final = 400
"""Leaves of a page that may be a thread of two posts, whatever the networks say of its kind..."""
_BRIEF: Final = 4_000
"""...and characters of its posts: of longer ones the networks tell the texts from what stands beside them."""
_REPLIES: Final = lexicon.COMMENTS | word_set(
    "post postbit postbody postcontainer postcontent note answer question message msg discussion topic"
)
"""Class words that software gives to boxes of posts, or to parts of them."""
_SIGNED: Final = word_set("signature sig")
_BUTTON_WORDS: Final = 3
"""Words that a button, a score or a badge of a post has at most."""
_CONTROLS: Final = frozenset({"comments", "plea"})
_QUOTE: Final = lazy_pattern(r"(?:^|\s|code_?|[a-z]-)quote(?:box|expand)?(?=\s|$)", re.IGNORECASE)
"""The class of quotations in forum software; some write whole posts as <blockquote>."""
_QUOTE_TAGS: Final = frozenset({"div", "aside", "section", "table", "fieldset"})
_WHOLE: Final = word_set("postcontent message post content signature msg")
_POST: Final = "messageText"
"""The class of a whole post in XenForo 1, which lets people quote its text, and says so: `SelectQuoteContainer`."""


class _DraftPost(NamedTuple):
    """A post before the facts about its author are removed."""

    box: Box
    inside: range
    """Its leaves."""
    author: str
    date: str
    stamp: str
    byline_leaves: tuple[int, ...]
    """The leaves with the name and the date."""
    text: list[int]
    """The other leaves that are kept."""


_Row = tuple[AuthorLine, ...]


class AuthorRows(NamedTuple):
    """The longest rows of names on a page."""

    rows: Sequence[_Row]
    dated: dict[tuple[AuthorLine, range], DateLine]
    """A cache of the date beside a name within a range of leaves, which is needed again and again."""


def keep_thread(page: ScoredPage, selection: Selection) -> Selection:
    """Find the posts of a thread, with their quotations and its title, and leave out the text around it.

    What people write below a product are reviews. Half of a thread is of no use: where half of it is kept, the rest is.
    The title costs threads .003 F1. Quotations are kept short, but whole in mode `recall`: the truths leave most of a
    long one out (.008 F1 on forums).
    """
    type_odds = dict(zip(PAGE_TYPES, page.type_odds.tolist(), strict=True))
    if selection.page_type == "product" and type_odds["product"] > _HALF:
        return selection
    walked, forum = page.walked, type_odds["forum"]
    if forum < _MIN_FORUM and (len(walked.leaves) > _MAX_SHORT_LEAVES or not _calls_posts(walked)):
        return selection
    is_forum = selection.page_type == "forum"
    rows = _author_rows(walked, loose=is_forum)
    all_kept = [True] * len(walked.leaves)
    is_filled = not is_forum and forum >= _MIN_FILLED_FORUM and _is_thread(walked, all_kept, rows)
    picked = selection.is_kept.tolist()
    is_short = _is_short_thread(walked, picked, rows, article=type_odds["article"] > _HALF)
    if not (is_forum or is_filled or is_short) and (forum < _MIN_FORUM or not _is_thread(walked, picked, rows)):
        return selection
    is_kept = selection.is_kept.copy()
    hoped = page.likely >= _MIN_LIKELY_POST if is_forum else np.full(len(is_kept), is_filled)
    _keep_posts(is_kept, walked, rows, hoped, short=is_short)
    _keep_quotes(is_kept, walked, all_quotes=page.mode == "recall")
    is_kept &= ~selection.is_unread
    thread_posts = posts(walked, is_kept.tolist(), rows)
    title = _keep_thread_title(is_kept, walked, thread_posts) if thread_posts else None
    if title is not None and selection.is_unread[title]:
        is_kept[title], title = False, None
    return selection._replace(is_kept=is_kept, page_type="forum", posts=thread_posts, title=title)


def _author_rows(walked: Walked, *, loose: bool) -> AuthorRows:
    """Return the longest rows of lines that name an author; `loose` takes any name beside a date for one.

    What is in a row stands equally deep, or, for answers stand deeper than what they answer, is called the same, by
    itself or with the box around it; or nearly the same, for who is not known is not called as others are. Of rows as
    long, that comes last, and so counts, which microdata marks most of: the others may have names of editors.
    """
    rows: dict[Hashable, list[AuthorLine]] = defaultdict(list)
    for at, leaf in enumerate(walked.leaves):
        if author := post_bylines.author(leaf, loose=loose):
            tags = tuple(box.tag for box in islice(leaf.box.around(), 3))
            places: list[Hashable] = [(leaf.box.depth, tags), _place_names(leaf.box)]
            if leaf.box.name[1]:
                places.append(leaf.box.name[:2])
            for place in places:
                rows[place, bool(leaf.links)].append(AuthorLine(at, author))
            if kin := _like_key(leaf.box):  # linked or not
                rows[kin, None].append(AuthorLine(at, author))
                if post_bylines.is_marked_author(leaf):
                    rows[(kin, "author"), None].append(AuthorLine(at, author))
    _add_guests(rows, walked.leaves)
    every = dict.fromkeys(map(tuple, rows.values()))  # no set: its order differs from process to process
    marks = {
        row: sum(post_bylines.is_marked_author(walked.leaves[named_leaf.at]) for named_leaf in row) for row in every
    }
    return AuthorRows(sorted(every, key=lambda row: (-len(row), marks[row], row[0].at))[:_MOST_ROWS], {})


def _add_guests(rows: Mapping[Hashable, list[AuthorLine]], leaves: Sequence[Leaf]) -> None:
    """Add unlinked names, of guests and deleted users, to the rows of linked names in boxes called alike."""
    joined = set()
    for at, leaf in enumerate(leaves):
        place = (_place_names(leaf.box), True)
        if not leaf.box.name[1] or leaf.heading or leaf.preformatted or place not in rows:
            continue
        name = ""
        if not leaf.links:
            name = post_bylines.bare_name(leaf)
        name = name or post_bylines.deleted_user(leaf)
        if name:
            rows[place].append(AuthorLine(at, name))
            joined.add(place)
    for place in joined:
        rows[place].sort()


def posts(walked: Walked, is_kept: Sequence[bool], rows: AuthorRows) -> tuple[Post, ...]:
    """Return the posts that text is kept of, in order; none when the page shows no thread."""
    leaves = walked.leaves
    best: list[_DraftPost] = []
    for row in rows.rows:
        candidate = _drafts(row, walked, is_kept, rows)
        several = len(candidate) < _SURE or len({draft.author for draft in candidate}) > 1
        if len(candidate) >= _LEAST and several and not _outweighs(best, candidate, leaves):
            best = candidate
    if not best:
        return ()
    opener = _opener(best[0].box.first, walked, is_kept, rows)
    return tuple(post for drafts in (opener, best) if drafts for post in _finished_posts(drafts, leaves))


def _outweighs(best: Sequence[_DraftPost], drafts: Sequence[_DraftPost], leaves: Sequence[Leaf]) -> bool:
    """Tell whether the posts of a longer row hold more text; if there are more and all are named alike, nearly as much.

    Those may stand in what they answer, all of which the others would hold. Else, of two that hold as much, the shorter
    row counts: the longer has names of comments, too.
    """
    alike = len(best) > len(drafts) and len({leaves[draft.byline_leaves[0]].box.name[:2] for draft in best}) == 1
    best_chars, draft_chars = _weight(best, leaves), _weight(drafts, leaves)
    if alike:
        return best_chars >= _NEARLY_AS_MUCH * draft_chars
    return best_chars > draft_chars


def _opener(end: int, walked: Walked, is_kept: Sequence[bool], rows: AuthorRows) -> list[_DraftPost]:
    """Return the opening post, which has another markup: the kept text above the others, if it has a name."""
    text = [at for at in range(end) if is_kept[at] and not walked.leaves[at].heading]
    if not text:
        return []
    longest = _longest(text, walked.leaves)
    above = [named_leaf for row in rows.rows for named_leaf in row if named_leaf.at <= longest]
    leaves = walked.leaves
    below = [
        named_leaf
        for row in rows.rows
        for named_leaf in row
        if longest < named_leaf.at < end and leaves[named_leaf.at].links
    ]
    nearest = [*sorted(above)[-1:], *sorted(below)[:1]][:1]
    if not nearest:
        return []
    return [draft for draft in _drafts(nearest, walked, is_kept[:end], rows) if draft.date]


def _is_thread(walked: Walked, is_kept: Sequence[bool], rows: AuthorRows) -> bool:
    """Return whether posts by several people, nearly all with dates, are most of the kept text without links."""
    drafts = _dated_posts(walked, is_kept, rows)
    kept_chars = sum(leaf.chars - leaf.link_chars for leaf, keep in zip(walked.leaves, is_kept, strict=True) if keep)
    return bool(drafts) and _weight(drafts, walked.leaves) >= _MOST * kept_chars


def _calls_posts(walked: Walked) -> bool:
    """Tell whether the markup calls any box a post, as that of every short thread does."""
    return any(not _REPLIES.isdisjoint(box.name_words) for box in walked.boxes if box.attributes)


def _is_short_thread(walked: Walked, is_kept: Sequence[bool], rows: AuthorRows, *, article: bool) -> bool:
    """Tell whether a page of little text shows at least two posts that its markup calls so, and hardly anything else.

    Text that is not kept counts only in posts: buttons and menus may say as much as those. What stands beside the posts
    and their title is a side bar. What the posts answer, if its line of author and date says so, counts as much as they
    do at most. What the networks take for an `article` shows a larger share of posts: others answer articles, too.
    """
    if len(walked.leaves) > _MAX_SHORT_LEAVES:
        return False
    drafts = _brief_posts(walked, rows)
    called = sum(_is_called_post(draft, walked.leaves) for draft in drafts)
    if not drafts or 2 * called < len(drafts) or _body_class(drafts, walked.leaves) is None:
        return False
    posted = {at for draft in drafts for at in draft.inside}
    posts_chars = chars(walked.leaves[at] for draft in drafts for at in draft.text)
    if posts_chars > _BRIEF:
        return False
    title = _title(walked, drafts[0].inside.start, last=False)
    column = _column([draft.box for draft in drafts], title) if title is not None else range(len(is_kept))
    beside = [at for at in column if is_kept[at] and at not in posted and not walked.leaves[at].heading]
    others = sum(walked.leaves[at].chars - walked.leaves[at].link_chars for at in beside)
    opener = _weight(_opener(drafts[0].box.first, walked, is_kept, rows), walked.leaves)
    share = _MOST if article else _HALF
    return posts_chars + min(opener, posts_chars) >= share * (posts_chars + others)


def _column(posts: Sequence[Box], title: int | None) -> range:
    """Return the leaves of the smallest box around all posts and the title of the thread."""
    first, end = posts[0].first, posts[-1].end
    if title is not None:
        first = min(first, title)
    column = next(box for box in posts[0].around() if (box.first <= first and end <= box.end) or box.parent is None)
    return range(column.first, column.end)


def _is_called_post(draft: _DraftPost, leaves: Sequence[Leaf]) -> bool:
    """Tell whether the box of a post, or one between it and its text, is called one."""
    longest = leaves[_longest(draft.text, leaves)].box
    within = [box for box in longest.around() if box.depth >= draft.box.depth]
    return any(not _REPLIES.isdisjoint(box.name_words) for box in within)


def is_quote(box: Box) -> bool:
    """Return whether a box of a thread is a quotation, by its tag or by a class of forum software."""
    called = box.attributes.get("class") or ""
    if box.tag == "blockquote":
        if _POST in called:
            return False
        return "quote" in called.lower() or _WHOLE.isdisjoint(names.words(called))
    return box.tag in _QUOTE_TAGS and _QUOTE.search(called) is not None


def _keep_posts(
    is_kept: NDArray[np.bool_], walked: Walked, rows: AuthorRows, likely: NDArray[np.bool_], *, short: bool
) -> None:
    """Keep the text of all posts where half of it is kept, or is half of all kept text: half a thread is of no use.

    Where nothing of them is kept, because the opening post stands apart, half of it must be `likely`. The text is that
    of boxes called like the boxes of the posts' longest lines. Of a `short` thread all is kept. Buttons, scores and
    badges beside the texts are left out.
    """
    leaves = walked.leaves
    body: str | None = None
    if short:
        drafts = _brief_posts(walked, rows)
        body = _body_class(drafts, leaves)
    else:
        drafts = _dated_posts(walked, [True] * len(leaves), rows)
    spots = _leaves_in_like_boxes(drafts, leaves) if body is None else _bodies(drafts, body, leaves)
    inside = [at for draft in drafts for at in draft.text]
    kept_chars_by_words = {leaves[at].words: leaves[at].chars for at in spots if is_kept[at]}
    size = chars(leaves[at] for at in spots)
    kept_chars, likely_chars = (chars(leaves[at] for at in spots if mask[at]) for mask in (is_kept, likely))
    if (
        short
        or 2 * kept_chars >= min(size, chars(compress(leaves, is_kept)))
        or (2 * likely_chars >= size and not is_kept[inside].any())
    ):
        post_leaves = set(inside).intersection(spots)
        is_kept[
            [at for at in post_leaves if kept_chars_by_words.get(leaves[at].words, 0) <= post_bylines.LONGEST_REST]
        ] = True
        if body is not None:
            _leave_furniture(is_kept, drafts, set(spots), leaves)
            _keep_opening(is_kept, drafts, body, walked)


def _leaves_in_like_boxes(drafts: Sequence[_DraftPost], leaves: Sequence[Leaf]) -> list[int]:
    """Return the leaves whose boxes are called like most boxes of the posts' longest lines."""
    longest = Counter(_place_names(leaves[_longest(draft.text, leaves)].box) for draft in drafts)
    place = max(longest, key=longest.__getitem__, default=None)
    return [at for at, leaf in enumerate(leaves) if _place_names(leaf.box) == place]


def _body_class(drafts: Sequence[_DraftPost], leaves: Sequence[Leaf]) -> str | None:
    """Return the class of the boxes that hold most of the text of nearly all posts; None where they share none."""
    chars_in: Counter[str] = Counter()
    posts_with: Counter[str] = Counter()
    for draft in drafts:
        classes: Counter[str] = Counter()
        for at in draft.text:
            chars_here = leaves[at].chars - leaves[at].link_chars
            for name in _classes_below(leaves[at].box, draft) if chars_here > 0 else ():
                classes[name] += chars_here
        chars_in += classes
        posts_with.update(classes.keys())
    shared = [name for name in chars_in if posts_with[name] >= _NEARLY_ALL * len(drafts)]
    most = max((chars_in[name] for name in shared), default=0)
    inner = [name for name in shared if chars_in[name] >= _NEARLY_ALL * most]
    return min(inner, key=chars_in.__getitem__, default=None)  # the innermost of those that hold nearly as much


def _bodies(drafts: Sequence[_DraftPost], name: str, leaves: Sequence[Leaf]) -> list[int]:
    """Return the leaves of posts that stand in boxes of a class. Quotations and signatures are no text of a post."""
    text = (at for draft in drafts for at in draft.text if _is_in_body(leaves[at].box, draft.box.depth, name))
    return [
        at
        for at in text
        if lexicon.line_purpose(leaves[at].words) not in _CONTROLS and not post_bylines.is_date_line(leaves[at])
    ]


def _classes_below(box: Box, draft: _DraftPost) -> Iterator[str]:
    """Yield the first classes of the boxes around a place in a post that do not hold its author or date, too."""
    for around in box.around():
        if around.depth < draft.box.depth or any(around.first <= at < around.end for at in draft.byline_leaves):
            return
        yield from names.listed(around.attributes.get("class"), None)[:1]


def _is_in_body(box: Box, least_depth: int, name: str) -> bool:
    inside = False
    for around in box.around():
        if around.depth < least_depth:
            break
        called = names.listed(around.attributes.get("class"), None)
        if is_quote(around) or not _SIGNED.isdisjoint(around.name_words):
            return False
        inside |= called[:1] == [name]
    return inside


def _keep_opening(is_kept: NDArray[np.bool_], drafts: Sequence[_DraftPost], body: str, walked: Walked) -> None:
    """Keep the opening of a thread, which may name no author: text from the title to the posts, in a like box."""
    first = drafts[0].inside.start
    title = _title(walked, first, last=False)
    for at in range(first if title is None else title + 1, first):
        if walked.leaves[at].words and _is_in_body(walked.leaves[at].box, 1, body):
            is_kept[at] = True


def _leave_furniture(
    is_kept: NDArray[np.bool_], drafts: Sequence[_DraftPost], text: set[int], leaves: Sequence[Leaf]
) -> None:
    """Leave out short lines of posts beside their texts that are numbers, or stand in other posts, too."""
    beside = [[at for at in draft.text if at not in text and not leaves[at].heading] for draft in drafts]
    posts_with = Counter(words for spots in beside for words in {leaves[at].words.strip().lower() for at in spots})
    for at in chain.from_iterable(beside):
        words = leaves[at].words.strip()
        short = words.count(" ") < _BUTTON_WORDS and not leaves[at].preformatted
        if short and words and (not any(map(str.isalpha, words)) or posts_with[words.lower()] > 1):
            is_kept[at] = False


def _brief_posts(walked: Walked, rows: AuthorRows) -> list[_DraftPost]:
    """Return the posts of the row that holds most text, if there are two at least: comments on them have names, too."""
    every = (_dated_row(row, walked, [True] * len(walked.leaves), rows, _LEAST) for row in rows.rows)
    drafts = max(every, key=lambda drafts: _weight(drafts, walked.leaves), default=[])
    if len(drafts) <= _LEAST or _body_class(drafts, walked.leaves) is not None:
        return drafts
    called = [_is_called_post(draft, walked.leaves) for draft in drafts]
    if called[0] or not all(called[1:]):
        return drafts
    return drafts[1:]  # what they answer tells its author in the same way, and is no post


def _dated_posts(walked: Walked, is_kept: Sequence[bool], rows: AuthorRows) -> list[_DraftPost]:
    """Return the posts of the longest row in which nearly all have dates, and are by several people."""
    every = (_dated_row(row, walked, is_kept, rows, _SURE) for row in rows.rows)
    return next(filter(None, every), [])


def _dated_row(row: _Row, walked: Walked, is_kept: Sequence[bool], rows: AuthorRows, least: int) -> list[_DraftPost]:
    """Return the posts of a row in which nearly all have dates, and are by several people; none of any other."""
    every = [draft for draft in _boxed_drafts(row, walked, is_kept, rows) if draft.text]
    dated = [draft for draft in every if draft.date]
    several = len({draft.author for draft in dated}) >= _LEAST and not _are_entries(dated, walked.leaves)
    if several and len(dated) >= max(least, _NEARLY_ALL * len(every)):
        return dated
    return []


def _are_entries(drafts: Sequence[_DraftPost], leaves: Sequence[Leaf]) -> bool:
    """Tell a list of texts, each called by a link to it, from posts: their headings link to their place or author.

    Or else they repeat what the thread is called.
    """
    heads = {
        leaves[at].words.rpartition(": ")[2]
        for draft in drafts
        for at in draft.inside
        if leaves[at].heading and at not in draft.byline_leaves and _leads_elsewhere(leaves[at])
    }
    return 2 * len(heads) > len(drafts)


def _leads_elsewhere(head: Leaf) -> bool:
    linked = 2 * head.link_chars > head.chars and not any("#" in (span.href or "") for span in head.spans)
    return linked and not post_bylines.author(head, loose=False)


def _longest(spots: Sequence[int], leaves: Sequence[Leaf]) -> int:
    return max(spots, key=lambda at: leaves[at].chars)


def _keep_quotes(is_kept: NDArray[np.bool_], walked: Walked, *, all_quotes: bool) -> None:
    """Keep short quotations in posts that are kept, or all quotations: said before, they are taken for repetitions."""
    quotations = [box for box in walked.boxes if box.parent is not None and box.items and is_quote(box)]
    for box in quotations:
        # Nested quotations would be counted again and again, but none of so many leaves is short.
        short = box.items < _SHORT_QUOTE and chars(walked.leaves[box.first : box.end]) < _SHORT_QUOTE
        around = box.parent or box
        if (all_quotes or short) and is_kept[around.first : around.end].any():
            is_kept[box.first : box.end] = True
    for box in quotations:
        if box.items <= _MAX_QUOTED_LEAVES:
            _keep_citation(is_kept, walked, box)


def _keep_citation(is_kept: NDArray[np.bool_], walked: Walked, quotation: Box) -> None:
    """Keep the line that names the quoted author, `Ann said:`, where the quotation is kept, and only there."""
    leaves = walked.leaves
    first, *quoted_leaves = [at for at in range(quotation.first, quotation.end) if leaves[at].chars] or [
        quotation.first
    ]
    if (
        quoted_leaves
        and leaves[first].chars < post_bylines.LONGEST_LINE
        and _CITATION.search(leaves[first].words[-_CITATION_END:])
    ):
        is_kept[first] = bool(is_kept[quoted_leaves].any())


def _keep_thread_title(is_kept: NDArray[np.bool_], walked: Walked, thread_posts: Sequence[Post]) -> int | None:
    """Keep the thread's title, or else its headings; leave out short lines above and below all posts: no one's.

    What stands before the title, or beside the box of all posts and the title, is no part of the thread: a side bar.
    """
    title = _title(walked, thread_posts[0].opens)
    first = _title(walked, thread_posts[0].opens, last=False)
    if title is not None and first is not None:
        column = _column([post.box for post in thread_posts], first)
        is_kept[: max(first, column.start)] = False
        is_kept[column.stop :] = False
    for side in (range(thread_posts[0].box.first), range(thread_posts[-1].box.end, len(is_kept))):
        scraps = [at for at in side if is_kept[at] and (title is not None or not walked.leaves[at].heading)]
        if all(walked.leaves[at].chars < post_bylines.LONGEST_LINE for at in scraps):
            is_kept[scraps] = False
    if title is not None:
        is_kept[title] = True
    return title


def _title(walked: Walked, opens: int, *, last: bool = True) -> int | None:
    """Return the leaf above the first post's text that <title> repeats: a heading, its beginning, or the longest.

    Of several alike the `last` one, or the first.
    """
    title, best, most = walked.title, None, _TITLE * len(walked.title)
    for at, leaf in enumerate(walked.leaves[: opens + 1]):
        repeated_texts = [text for text in (leaf.words, *(span.text for span in leaf.spans)) if text in title]
        size = max((len(text) * (1 + title.startswith(text)) for text in repeated_texts), default=0) * (
            1 + (leaf.heading > 0)
        )
        if size > most or (size == most > 0 and (last or best is None)):
            best, most = at, size
    return best


def _weight(drafts: Sequence[_DraftPost], leaves: Sequence[Leaf]) -> int:
    """Return how much text the posts hold: comments below an answer have names, too."""
    return chars(leaves[at] for draft in drafts for at in draft.text)


def _place_names(box: Box) -> Hashable:
    """Return the names of a box and of the box around it."""
    return *box.name[:2], box.parent and box.parent.name[:2]


def _like_key(box: Box) -> tuple[Hashable, ...]:
    """Return a key for boxes whose classes only begin alike, as of known and unknown users; () without a class."""
    called = [(at.tag, *names.listed(at.attributes.get("class"), None)[:1]) for at in islice(box.around(), 2)]
    if len(called[0]) > 1:
        return tuple(called)
    return ()


def _drafts(row: Sequence[AuthorLine], walked: Walked, is_kept: Sequence[bool], rows: AuthorRows) -> list[_DraftPost]:
    """Return the posts that one row of names makes: each the widest box around a name that holds no other.

    Where a post has several names, as of who edited it, each keeps the others from its text: then the last one counts.
    """
    drafts = list(_boxed_drafts(row, walked, is_kept, rows))
    meets = [
        next((box.depth for box in draft.box.around() if following.byline_leaves[0] < box.end), 0)
        for draft, following in pairwise(drafts)
    ]
    apart = Counter(meet for draft, meet in zip(drafts, meets, strict=False) if draft.text)
    usual = max(apart, key=apart.__getitem__, default=min(meets, default=0))  # where posts that hold text part
    alone = [bool(draft.text) or meet <= usual for draft, meet in zip(drafts, [*meets, 0], strict=True)]
    if not all(alone):
        drafts = list(_boxed_drafts(list(compress(row, alone)), walked, is_kept, rows))
    return [draft for draft in drafts if draft.text]


def _boxed_drafts(
    row: Sequence[AuthorLine], walked: Walked, is_kept: Sequence[bool], rows: AuthorRows
) -> Iterator[_DraftPost]:
    leaves = walked.leaves
    spots = [-1, *(named_leaf.at for named_leaf in row), len(is_kept)]
    for before, named_leaf, after in zip(spots, row, spots[2:], strict=False):
        box = leaves[named_leaf.at].box
        while box.parent is not None and before < box.parent.first and box.parent.end <= after:
            box = box.parent
        start = box.first if before < box.first else named_leaf.at
        inside = range(start, min(box.end, after))  # a box may hold several
        if not any(is_kept[at] for at in inside if at != named_leaf.at):
            inside = range(start, max(inside.stop, _answers_start(box, before, after, leaves)))
        dated_line = rows.dated.get((named_leaf, inside))
        if dated_line is None:
            dated_line = rows.dated[named_leaf, inside] = post_bylines.nearest_date(named_leaf, inside, walked)
        dated, date, stamp = dated_line
        byline_leaves: tuple[int, ...] = (named_leaf.at,)
        if dated is not None:
            byline_leaves = (named_leaf.at, dated)
        text = [at for at in inside if is_kept[at] and at not in byline_leaves and leaves[at].chars]
        yield _DraftPost(box, inside, named_leaf.author, date, stamp, byline_leaves, text)


def _answers_start(box: Box, before: int, after: int, leaves: Sequence[Leaf]) -> int:
    """Return where answers begin that are nested in the post that they answer, of whose parts `box` has the name."""
    around = box.parent
    if around is None or around.first <= before or not around.first <= after < around.end:
        return 0
    inside = leaves[after].box
    while inside.depth > around.depth + 1 and inside.parent is not None:
        inside = inside.parent
    if inside.parent is around:
        return max(inside.first, 0)
    return after


def _finished_posts(drafts: Sequence[_DraftPost], leaves: Sequence[Leaf]) -> Iterator[Post]:
    """Yield the posts without the facts beside names and dates: ranks, counts, numbers of posts.

    How far the box of a name or a date reaches is seen where the text is longest: beside a word or two it could be
    either.
    """
    sample = max(drafts, key=lambda draft: leaves[_longest(draft.text, leaves)].chars)
    longest = _longest(sample.text, leaves)
    climbs = [
        sum(not box.first <= longest < box.end for box in leaves[at].box.around())
        for at in _byline_lines(sample, leaves)
    ]
    for draft in drafts:
        byline_leaves = _byline_lines(draft, leaves)
        about_author = {
            *byline_leaves,
            *(at for at in draft.text if leaves[at].words.strip().lower() in post_bylines.NOT_NAMES),
        }
        for at, climb in zip(byline_leaves, climbs, strict=False):
            about_author.update(_byline_box_leaves(at, climb, leaves, draft))
        opens = next((at for at in draft.text if at not in about_author), None)
        if opens is None:
            about_author, opens = set(draft.byline_leaves), draft.text[0]
        yield Post(draft.box, draft.author, draft.date, draft.stamp, frozenset(about_author), opens)


def _byline_lines(draft: _DraftPost, leaves: Sequence[Leaf]) -> list[int]:
    """Return the lines with the name and the date, and the lines above the text that repeat the name."""
    above = range(draft.inside.start, _longest(draft.text, leaves))
    again = (at for at in above if at not in draft.byline_leaves and leaves[at].words.strip() == draft.author)
    return [*draft.byline_leaves, *islice(again, _MOST_NAMED)]


def _byline_box_leaves(at: int, climb: int, leaves: Sequence[Leaf], draft: _DraftPost) -> range:
    """Return the leaves of the box `climb` boxes up from a leaf, within its post; none if the box holds prose."""
    boxes = [box for box in leaves[at].box.around() if box.depth > draft.box.depth][:climb]
    if not boxes:
        return range(0)
    inside = range(boxes[-1].first, boxes[-1].end)
    if any(leaves[spot].chars > post_bylines.LONGEST_LINE for spot in inside):
        return range(0)
    return inside
