"""Finds the posts of a thread: who wrote each, and when, as the page shows it. What it does not show is not made up."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import compress, islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.words import word_set
from wellread.seen import names
from wellread.types import Style
from wellread.web.extract.boxes import Post, chars
from wellread.web.metadata import dates

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellread.web.extract.boxes import Box, Leaf, Walked

_IMAGE: Final = int(Style.IMAGE)
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
_LONGEST_NAME: Final = 40
_LONGEST_LINE: Final = 120
"""Characters of a line that tells who and when."""
_SHORT_QUOTE: Final = 200
"""Characters of a quotation."""
_LONGEST_REST: Final = 40
"""Characters that such a line may say besides."""
_SENTENCE: Final = re.compile(r"(?:\S+\s+){4,}\S*[.!?]")
_TITLE: Final = 0.4
"""How much of <title> its thread's title is."""
_CLOSE: Final = 3
"""Boxes that may lie between a name and the box that is called after it."""
_NOT_NAMES: Final = word_set(
    "reply quote report find other share like follow login register members profile posts topics author op more "
    "offline permalink edit advertisement facebook twitter linkedin"
)
_USER: Final = re.compile(
    r"(?:/|^)(?:(?:u|users?|members?|profiles?|people|authors?)[/-]|~/?)[^/?#]|"
    r"(?:member|profile|memberlist|user)(?:\.php)?\?|[?&;](?:user|uid|u|action=profile|mode=viewprofile)[=;]",
    re.IGNORECASE,
)
_CALLED: Final = word_set("author username user poster nickname postername authorname posted")
_USERS: Final = word_set("postleft postprofile poster")
"""What lists about users are called."""
_BESIDE: Final = word_set("title rank role banner group badge avatar stats extras count posts joined location")
"""What else is said of users."""
_PROFILE: Final = word_set("extras stats joined profile registered userinfo")
"""What boxes are called that tell since when somebody is a member: no post is as old as that."""
_DATE: Final = re.compile(
    r"""(?: \d{4}-\d{2}-\d{2} | \d{1,2}[./-]\d{1,2}[./-]\d{2,4} | today | yesterday
    | (?<![^\W\d_])[^\W\d_]{3,9}\.?\ \d{1,2}(?:st|nd|rd|th)?,?\ (?:'\d\d|\d{4})
    | \d{1,2}(?:st|nd|rd|th)?\.?[\ -][^\W\d_]{3,9}\.?,?[\ -](?:'\d\d|\d{4})
    | (?:\d+|an?)\ (?:second|minute|min|hour|hr|day|week|month|year)s?\ ago )
    (?: (?:,|\ at|\ @|\ -|T|\ \u00b7)?\ ?\d{1,2}:\d{2}(?::\d{2})?(?:\ ?[ap]\.?m(?![a-z])\.?)?
    | (?!\w) | (?=\d{1,2}\ (?:yr|mo|wk|day|hr|min)))""",  # the age may touch the date
    re.IGNORECASE | re.VERBOSE,
)
_OPENS: Final = re.compile(rf"(?:{_DATE.pattern})\s*(?:[^\w\s]|$)", re.IGNORECASE | re.VERBOSE)
"""A line that opens with a date, which is no sentence."""
_QUOTE: Final = re.compile(r"(?:^|\s|code_?|[a-z]-)quote(?:box|expand)?(?=\s|$)", re.IGNORECASE)
"""What forum software calls the box of a quotation; some write whole posts as <blockquote>."""
_QUOTE_TAGS: Final = frozenset({"div", "aside", "section", "table", "fieldset"})
_WHOLE: Final = word_set("postcontent messagetext message post content signature msg")
_MEMBERSHIP: Final = re.compile(r"\b(?:join|regist|member since|since|last (?:seen|active|visit))", re.IGNORECASE)


_SIGNED: Final = re.compile(
    rf"""(?:(?:posted\ |written\ )?by\ |via\ |from\ )?(?P<name>[^\W_][^\s,:;!?|]*(?:\ [^\s,:;!?|]+){{0,3}}?)
    (?:\ |\ ?[,|\u00b7\u2022\u00bb\u2013\u2014-]\ ?)(?:(?:posted|wrote|said|replied)\ )?(?:(?:on|at)\ )?
    (?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,?\ )?(?:{_DATE.pattern}).{{0,{_LONGEST_REST}}}""",
    re.IGNORECASE | re.VERBOSE,
)
"""A line that is a name and a date."""


class _Draft(NamedTuple):
    """A post before it is told apart from what is said of its author."""

    box: Box
    inside: range
    """Its leaves."""
    author: str
    date: str
    stamp: str
    own: tuple[int, ...]
    """The leaves with the name and the date."""
    text: list[int]
    """The other leaves that are kept."""


class _Named(NamedTuple):
    """A line that tells who wrote."""

    at: int
    author: str


_Row = tuple[_Named, ...]
_Dated = tuple["int | None", str, str]
"""The line that tells a date, the date as it is worded, and in ISO 8601."""


class Rows(NamedTuple):
    """The longest rows of names on a page."""

    rows: Sequence[_Row]
    dated: dict[tuple[_Named, range], _Dated]
    """What was found beside a name within a range of leaves: it is asked for again and again."""


def named(walked: Walked, *, loose: bool) -> Rows:
    """Return the longest rows of lines that tell who wrote; `loose` takes any name beside a date for one.

    What is in a row stands equally deep, or, for answers stand deeper than what they answer, is called the same.
    """
    rows: dict[Hashable, list[_Named]] = defaultdict(list)
    for at, leaf in enumerate(walked.leaves):
        line = leaf.chars <= _LONGEST_LINE and not leaf.preformatted
        if line and (author := _linked(leaf) or _called(leaf) or (_signed(leaf) if loose else "")):
            tags = tuple(box.tag for box in islice(leaf.box.around(), 3))
            for place in ((leaf.box.depth, tags), _called_place(leaf.box)):
                rows[place, bool(leaf.links)].append(_Named(at, author))
    return Rows(sorted(set(map(tuple, rows.values())), key=lambda row: (-len(row), row[0].at))[:_MOST_ROWS], {})


def posts(walked: Walked, kept: Sequence[bool], rows: Rows) -> tuple[Post, ...]:
    """Return the posts that text is kept of, in order; none when the page shows no thread."""
    leaves = walked.leaves
    best: list[_Draft] = []
    for row in rows.rows:
        found = _drafts(row, walked, kept, rows)
        several = len(found) < _SURE or len({draft.author for draft in found}) > 1
        if len(found) >= _LEAST and several and _weight(found, leaves) > _weight(best, leaves):
            best = found
    first = _opener(best[0].box.first, walked, kept, rows) if best else []
    return tuple(post for drafts in (first, best) if drafts for post in _finished(drafts, leaves))


def _opener(end: int, walked: Walked, kept: Sequence[bool], rows: Rows) -> list[_Draft]:
    """Return the post that the others answer, which is written otherwise: what is kept above them, if it has a name."""
    text = [at for at in range(end) if kept[at] and not walked.leaves[at].heading]
    if not text:
        return []
    longest = _longest(text, walked.leaves)
    above = [one for row in rows.rows for one in row if one.at <= longest]
    found = _drafts([max(above)], walked, kept[:end], rows) if above else []
    return [draft for draft in found if draft.date]


def is_thread(walked: Walked, kept: Sequence[bool], rows: Rows) -> bool:
    """Tell whether posts by several people, nearly all with their dates, are most of what is kept and no link."""
    found = _dated_posts(walked, kept, rows)
    said = sum(leaf.chars - leaf.link_chars for leaf, keep in zip(walked.leaves, kept, strict=True) if keep)
    return bool(found) and _weight(found, walked.leaves) >= _MOST * said


def is_quote(box: Box) -> bool:
    """Tell whether a box of a thread is a quotation, by its tag or by what forum software calls it."""
    called = box.attributes.get("class") or ""
    if box.tag == "blockquote":
        return "quote" in called.lower() or _WHOLE.isdisjoint(names.words(called))
    return box.tag in _QUOTE_TAGS and _QUOTE.search(called) is not None


def keep_posts(kept: NDArray[np.bool_], walked: Walked, rows: Rows, *, whole: bool) -> None:
    """Keep the text of all posts where half of it is kept, or `whole`: nobody would read half of a thread.

    Text is what stands in boxes called like those of the posts' longest lines.
    """
    leaves = walked.leaves
    found = _dated_posts(walked, [True] * len(leaves), rows)
    longest = Counter(_called_place(leaves[_longest(one.text, leaves)].box) for one in found)
    place = max(longest, key=longest.__getitem__, default=None)
    spots = [at for at, leaf in enumerate(leaves) if _called_place(leaf.box) == place]
    told = {leaves[at].words: leaves[at].chars for at in spots if kept[at]}
    if whole or 2 * sum(told.values()) >= chars(leaves[at] for at in spots):
        inside = {at for one in found for at in one.text}.intersection(spots)
        kept[[at for at in inside if told.get(leaves[at].words, 0) <= _LONGEST_REST]] = True


def _dated_posts(walked: Walked, kept: Sequence[bool], rows: Rows) -> list[_Draft]:
    """Return the posts of the longest row in which nearly all have dates, and are by several people."""
    for row in rows.rows:
        every = [one for one in _boxed(row, walked, kept, rows) if one.text]
        found = [one for one in every if one.date]
        if len(found) >= max(_SURE, _NEARLY_ALL * len(every)) and len({one.author for one in found}) >= _LEAST:
            return found
    return []


def _longest(spots: Sequence[int], leaves: Sequence[Leaf]) -> int:
    return max(spots, key=lambda at: leaves[at].chars)


def keep_quotes(kept: NDArray[np.bool_], walked: Walked, *, whole: bool) -> None:
    """Keep short quotations in posts that are kept, or all quotations: said before, they are taken for repetitions."""
    for box in walked.boxes:
        if box.parent is not None and box.items > 1 and is_quote(box):
            # Nested quotations would be counted again and again, but none of so many leaves is short.
            short = box.items < _SHORT_QUOTE and chars(walked.leaves[box.first : box.end]) < _SHORT_QUOTE
            if (whole or short) and kept[box.parent.first : box.parent.end].any():
                kept[box.first : box.end] = True


def keep_title(kept: NDArray[np.bool_], walked: Walked, found: Sequence[Post]) -> int | None:
    """Keep the thread's title, or else its headings; leave out short lines above and below all posts: no one's."""
    title = _title(walked, found[0].opens)
    for side in (range(found[0].box.first), range(found[-1].box.end, len(kept))):
        scraps = [at for at in side if kept[at] and (title is not None or not walked.leaves[at].heading)]
        if all(walked.leaves[at].chars < _LONGEST_LINE for at in scraps):
            kept[scraps] = False
    if title is not None:
        kept[title] = True
    return title


def _title(walked: Walked, opens: int) -> int | None:
    """Return the leaf above the first post's text that <title> repeats: a heading, what it begins with, the longest."""
    title, best, most = walked.title, None, _TITLE * len(walked.title)
    for at, leaf in enumerate(walked.leaves[: opens + 1]):
        told = [text for text in (leaf.words, *(span.text for span in leaf.spans)) if text in title]
        size = max((len(text) * (1 + title.startswith(text)) for text in told), default=0) * (1 + (leaf.heading > 0))
        if size and size >= most:
            best, most = at, size
    return best


def _weight(found: Sequence[_Draft], leaves: Sequence[Leaf]) -> int:
    """Return how much text the posts hold: comments below an answer have names, too."""
    return chars(leaves[at] for draft in found for at in draft.text)


def _told_of(line: str) -> bool:
    return _SENTENCE.fullmatch(_DATE.sub("", line).strip()) is not None  # what somebody wrote of a date


def _called_place(box: Box) -> Hashable:
    """Return what a box and the one around it are called."""
    return *box.name[:2], box.parent and box.parent.name[:2]


def _linked(leaf: Leaf) -> str:
    """Return the name of the user that a line links to."""
    whole = leaf.words.strip() if leaf.links else ""
    for span in leaf.spans if whole else ():
        name = span.text.strip()
        if span.href and not span.style & _IMAGE and _USER.search(span.href) and _is_name(name):
            return name if _is_all(whole, name) and not whole.endswith(":") else ""
    return ""


def _called(leaf: Leaf) -> str:
    """Return the words of a line whose box says that it holds a name."""
    whole = leaf.words.strip() if leaf.chars <= _LONGEST_NAME and _is_called(leaf.box) else ""
    return whole if _is_name(whole) else ""


def _signed(leaf: Leaf) -> str:
    """Return the name in a line that is a name and a date."""
    found = _SIGNED.fullmatch(leaf.words.strip())
    return found["name"] if found is not None and _is_name(found["name"]) and not _told_of(leaf.words) else ""


def _is_name(text: str) -> bool:
    return (
        1 < len(text) <= _LONGEST_NAME
        and any(map(str.isalpha, text))
        and text.lower() not in _NOT_NAMES
        and _DATE.search(text) is None
        and not (text[0].isdigit() and " " in text)  # as in "88 posts"
        and not text.endswith(":")
    )


def _is_called(box: Box) -> bool:
    if box.tag == "dt" and box.parent is not None and box.parent.first == box.first:  # first in a list about a user
        return not _USERS.isdisjoint(names.of(box.parent.attributes) | names.of((box.parent.parent or box).attributes))
    for at in islice(box.around(), _CLOSE):
        called = names.of(at.attributes)
        if at.items > 1 or not _BESIDE.isdisjoint(called):
            break
        if at.attributes.get("itemprop") == "author" or not _CALLED.isdisjoint(called):
            return True
    return False


def _drafts(row: Sequence[_Named], walked: Walked, kept: Sequence[bool], rows: Rows) -> list[_Draft]:
    """Return the posts that one row of names makes: each the widest box around a name that holds no other.

    Where a post has several names, as of who edited it, each keeps the others from its text: then the last one counts.
    """
    found = list(_boxed(row, walked, kept, rows))
    meets = [next((box.depth for box in one.box.around() if two.own[0] < box.end), 0) for one, two in pairwise(found)]
    least = min(meets, default=0)
    alone = [bool(one.text) or meet == least for one, meet in zip(found, [*meets, least], strict=True)]
    if not all(alone):
        found = list(_boxed(list(compress(row, alone)), walked, kept, rows))
    return [draft for draft in found if draft.text]


def _boxed(row: Sequence[_Named], walked: Walked, kept: Sequence[bool], rows: Rows) -> Iterator[_Draft]:
    leaves = walked.leaves
    spots = [-1, *(one.at for one in row), len(kept)]
    for before, one, after in zip(spots, row, spots[2:], strict=False):
        box = leaves[one.at].box
        while box.parent is not None and before < box.parent.first and box.parent.end <= after:
            box = box.parent
        inside = range(box.first if before < box.first else one.at, min(box.end, after))  # a box may hold several
        known = rows.dated.get((one, inside))
        if known is None:
            known = rows.dated[one, inside] = _dated(one, inside, walked)
        dated, date, stamp = known
        own = (one.at,) if dated is None else (one.at, dated)
        text = [at for at in inside if kept[at] and at not in own and leaves[at].chars]
        yield _Draft(box, inside, one.author, date, stamp, own, text)


def _finished(drafts: Sequence[_Draft], leaves: Sequence[Leaf]) -> Iterator[Post]:
    """Yield the posts without what stands beside the names and dates: ranks, counts, numbers of posts.

    How far the box of a name or a date reaches is seen where the text is longest: beside a word or two it could be
    either.
    """
    sample = max(drafts, key=lambda draft: leaves[_longest(draft.text, leaves)].chars)
    longest = _longest(sample.text, leaves)
    climbs = [
        sum(not box.first <= longest < box.end for box in leaves[at].box.around()) for at in _said(sample, leaves)
    ]
    for draft in drafts:
        own = _said(draft, leaves)
        told = {*own, *(at for at in draft.text if leaves[at].words.strip().lower() in _NOT_NAMES)}
        for at, climb in zip(own, climbs, strict=False):
            told.update(_cell(at, climb, leaves, draft))
        opens = next((at for at in draft.text if at not in told), None)
        if opens is None:
            told, opens = set(draft.own), draft.text[0]
        yield Post(draft.box, draft.author, draft.date, draft.stamp, frozenset(told), opens)


def _said(draft: _Draft, leaves: Sequence[Leaf]) -> list[int]:
    """Return the lines with the name and the date, and those above the text that repeat the name."""
    above = range(draft.inside.start, _longest(draft.text, leaves))
    return [*draft.own, *(at for at in above if at not in draft.own and leaves[at].words.strip() == draft.author)]


def _cell(at: int, climb: int, leaves: Sequence[Leaf], draft: _Draft) -> range:
    """Return what stands in the box so many boxes up from a leaf, but for its post's and those with prose."""
    boxes = [box for box in leaves[at].box.around() if box.depth > draft.box.depth][:climb]
    inside = range(boxes[-1].first, boxes[-1].end) if boxes else range(0)
    return range(0) if any(leaves[spot].chars > _LONGEST_LINE for spot in inside) else inside


def _is_all(text: str, name: str) -> bool:
    """Tell whether a line says hardly more than a name and a date."""
    rest, dates_told = _DATE.subn("", text.replace(name, "", 1))
    return len(rest.strip()) <= _LONGEST_REST * (1 + (dates_told > 0))


def _dated(one: _Named, spots: range, walked: Walked) -> _Dated:
    """Return the line nearest to the name that tells a date, the date as it is worded, and in ISO 8601."""
    leaves = walked.leaves
    for at in sorted(spots, key=lambda spot: (abs(spot - one.at), spot)):
        leaf = leaves[at]
        if leaf.chars > _LONGEST_LINE or leaf.preformatted or leaf.box.tag == "dd" or _is_beside(leaf.box):
            continue
        # In markup without spaces the date touches the name.
        text = leaf.words.strip().replace(one.author, f"{one.author} ", 1)
        found, stamp = _DATE.search(text), dates.iso(walked.times.get(at)) or ""
        if not (found or stamp) or text.endswith(":") or _told_of(text):  # who is quoted, and when
            continue
        fits = (found and _OPENS.match(text)) or _is_all(text, one.author)
        if fits and not _is_membership(at, text, leaves):
            shown = found[0] if found else stamp[:10]
            return at, shown, stamp or next((day for day, _ in dates.within(shown)), "")
    return None, "", ""


def _is_beside(box: Box) -> bool:
    """Tell whether what stands in a box is said of the user, as when they joined, and not of the post."""
    return any(not _PROFILE.isdisjoint(names.of(at.attributes)) for at in islice(box.around(), _CLOSE + 1))


def _is_membership(at: int, text: str, leaves: Sequence[Leaf]) -> bool:
    """Tell whether a date is when somebody joined: the line says so, or one before it that has no date itself."""
    before = leaves[at - 1].words if at else ""
    return bool(_MEMBERSHIP.search(text) or (_MEMBERSHIP.match(before) and not _DATE.search(before)))
