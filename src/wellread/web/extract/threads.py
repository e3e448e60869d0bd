"""Finds the posts of a thread: who wrote each, and when, as the page shows it. What it does not show is not made up."""

from __future__ import annotations

import heapq
import re
from collections import defaultdict
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.css.words import word_set
from wellread.types import Style
from wellread.web.extract import names
from wellread.web.extract.boxes import Post

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from numpy.typing import NDArray

    from wellread.web.extract.boxes import Box, Leaf, Walked

_LEAST: Final = 2
"""Posts that make a thread."""
_MOST_ROWS: Final = 12
"""Rows of names that are looked at: each costs a look at the whole page."""
_SURE: Final = 3
"""Posts that make one of a page that is not called a forum..."""
_NEARLY_ALL: Final = 0.8
"""...if such a share of them has dates, and of the text is in them."""
_LONGEST_NAME: Final = 40
_LONGEST_LINE: Final = 120
"""Characters of a line that tells who and when."""
_SHORT_QUOTE: Final = 300
"""Characters of a quotation."""
_LONGEST_REST: Final = 40
"""Characters that such a line may say besides."""
_CLOSE: Final = 3
"""Boxes that may lie between a name and the box that is called after it."""
_NOT_NAMES: Final = word_set(
    "reply quote report share like follow login register members profile posts topics author op more permalink edit "
    "advertisement facebook twitter linkedin"
)
_USER: Final = re.compile(
    r"(?:/|^)(?:u|users?|members?|profiles?|people|authors?|~)[/-][^/?#]|(?:member|profile|memberlist|user)\.php\?|"
    r"[?&;](?:user|uid|u|action=profile|mode=viewprofile)[=;]",
    re.IGNORECASE,
)
_CALLED: Final = word_set("author username user poster nickname postername authorname posted")
_BESIDE: Final = word_set("title rank role banner group badge avatar stats extras count posts joined location")
"""What else is said of users."""
_PROFILE: Final = word_set("extras stats joined profile rank registered userinfo")
"""What boxes are called that tell since when somebody is a member: no post is as old as that."""
_DATE: Final = re.compile(
    r"""(?:
      \d{4}-\d{2}-\d{2}
    | \d{1,2}[./-]\d{1,2}[./-]\d{2,4}
    | (?<![^\W\d_])[^\W\d_]{3,9}\.?\ \d{1,2}(?:st|nd|rd|th)?,?\ (?:'\d\d|\d{4})
    | \d{1,2}(?:st|nd|rd|th)?\.?[\ -][^\W\d_]{3,9}\.?,?[\ -](?:'\d\d|\d{4})
    | (?:\d+|an?)\ (?:second|minute|min|hour|hr|day|week|month|year)s?\ ago
    | (?:today|yesterday)
    )(?!\w)
    (?:(?:,|\ at|\ @|\ -|T|\ \u00b7)?\ ?\d{1,2}:\d{2}(?::\d{2})?(?:\ ?[ap]\.?m(?![a-z])\.?)?)?""",
    re.IGNORECASE | re.VERBOSE,
)
_OPENS: Final = re.compile(rf"(?:{_DATE.pattern})\s*(?:[^\w\s]|$)", re.IGNORECASE | re.VERBOSE)
"""A line that opens with a date, which is no sentence."""
_QUOTE: Final = re.compile(r"(?:^|\s|code_?|[a-z]-)quote(?:box|expand)?(?=\s|$)", re.IGNORECASE)
"""What forum software calls the box of a quotation; some write whole posts as <blockquote>."""
_QUOTE_TAGS: Final = frozenset({"div", "aside", "section", "table", "fieldset"})
_WHOLE: Final = word_set("postcontent messagetext message post content signature msg")
_MEMBERSHIP: Final = re.compile(r"\b(?:join|regist|member since|since|last (?:seen|active|visit))", re.IGNORECASE)


class _Draft(NamedTuple):
    """A post before it is told apart from what is said of its author."""

    box: Box
    author: str
    date: str
    own: tuple[int, ...]
    """The leaves with the name and the date."""
    text: list[int]
    """The other leaves that are kept."""


class _Named(NamedTuple):
    """A line that tells who wrote."""

    at: int
    author: str


def posts(walked: Walked, kept: Sequence[bool]) -> tuple[Post, ...]:
    """Return the posts that text is kept of, in order; none when the page shows no thread."""
    leaves = walked.leaves
    rows: dict[Hashable, list[_Named]] = defaultdict(list)
    for at, leaf in enumerate(leaves):
        if author := _linked(leaf) or _called(leaf):
            rows[_place(leaf.box), bool(leaf.links)].append(_Named(at, author))
    best: list[_Draft] = []
    for row in heapq.nlargest(_MOST_ROWS, rows.values(), key=len):
        found = list(_drafts(row, leaves, kept))
        several = len(found) < _SURE or len({draft.author for draft in found}) > 1
        if len(found) >= _LEAST and several and _weight(found, leaves) > _weight(best, leaves):
            best = found
    return tuple(_finished(best, leaves)) if best else ()


def is_thread(found: Sequence[Post], walked: Walked, kept: NDArray[np.bool_]) -> bool:
    """Tell whether posts by several people, nearly all with their dates, are nearly all of what is kept."""
    if len(found) < _SURE or len({post.author for post in found}) < _LEAST:
        return False
    sizes = np.array([leaf.chars for leaf in walked.leaves]) * kept
    inside = sizes[found[0].box.first : found[-1].box.end].sum()
    dated = sum(post.date != "" for post in found)
    return bool(inside >= _NEARLY_ALL * sizes.sum() and dated >= _NEARLY_ALL * len(found))


def is_quote(box: Box) -> bool:
    """Tell whether a box of a thread is a quotation, by its tag or by what forum software calls it."""
    called = box.attributes.get("class") or ""
    if box.tag == "blockquote":
        return "quote" in called.lower() or _WHOLE.isdisjoint(names.words(called))
    return box.tag in _QUOTE_TAGS and _QUOTE.search(called) is not None


def keep_quotes(kept: NDArray[np.bool_], walked: Walked, *, whole: bool) -> None:
    """Keep short quotations, or all, if they are kept in part: said before, they were taken for repetitions."""
    for box in walked.boxes:
        if box.items > 1 and is_quote(box):
            inside = kept[box.first : box.end]
            if inside.any() and (whole or _chars(walked.leaves[box.first : box.end]) < _SHORT_QUOTE):
                inside[:] = True


def _chars(leaves: Sequence[Leaf]) -> int:
    return sum(leaf.chars for leaf in leaves)


def drop_beside(kept: NDArray[np.bool_], walked: Walked, found: Sequence[Post]) -> None:
    """Leave out the short lines above the first post and below the last, but for headings: they are no one's words."""
    first, last = found[0].box.first, found[-1].box.end
    for side in (range(first), range(last, len(kept))):
        scraps = [at for at in side if kept[at] and not walked.leaves[at].heading]
        if all(walked.leaves[at].chars < _LONGEST_LINE for at in scraps):
            kept[scraps] = False


def _weight(found: Sequence[_Draft], leaves: Sequence[Leaf]) -> int:
    """Return how much text the posts hold: comments below an answer have names, too."""
    return sum(leaves[at].chars for draft in found for at in draft.text)


def _place(box: Box) -> Hashable:
    """Return what the same part of all posts has in common."""
    above = list(box.above())[:2]
    return box.depth, box.tag, *(outer.tag for outer in above)


def _linked(leaf: Leaf) -> str:
    """Return the name of the user that a short line links to."""
    if leaf.links and leaf.chars <= _LONGEST_LINE and not leaf.preformatted:
        whole = _words(leaf)
        for span in leaf.spans:
            name = span.text.strip()
            if span.href and not span.style & Style.IMAGE and _USER.search(span.href) and _is_name(name):
                return name if _is_all(whole, name) and not whole.endswith(":") else ""
    return ""


def _called(leaf: Leaf) -> str:
    """Return the words of a line whose box says that it holds a name."""
    if leaf.preformatted or leaf.chars > _LONGEST_NAME or not _is_called(leaf.box):
        return ""
    whole = _words(leaf)
    return whole if _is_name(whole) else ""


def _is_name(text: str) -> bool:
    text = text.strip()
    return (
        1 < len(text) <= _LONGEST_NAME
        and any(map(str.isalpha, text))
        and text.lower() not in _NOT_NAMES
        and _DATE.search(text) is None
        and not text.endswith(":")
    )


def _is_called(box: Box) -> bool:
    at: Box | None = box
    for _ in range(_CLOSE):
        if at is None or at.items > 1:
            return False
        called = names.of(at.attributes)
        if not _BESIDE.isdisjoint(called):
            return False
        if at.attributes.get("itemprop") == "author" or not _CALLED.isdisjoint(called):
            return True
        at = at.parent
    return False


def _drafts(row: Sequence[_Named], leaves: Sequence[Leaf], kept: Sequence[bool]) -> Iterator[_Draft]:
    """Yield the posts that one row of names makes: each the widest box around a name that holds no other."""
    spots = [named.at for named in row]
    for number, named in enumerate(row):
        after = spots[number + 1] if number + 1 < len(row) else len(leaves)
        before = spots[number - 1] if number else -1
        box = leaves[named.at].box
        while box.parent is not None and before < box.parent.first and box.parent.end <= after:
            box = box.parent
        dated, date = _dated(named, range(box.first, box.end), leaves)
        own = (named.at,) if dated is None else (named.at, dated)
        text = [at for at in range(box.first, box.end) if kept[at] and at not in own and leaves[at].chars]
        if text:
            yield _Draft(box, named.author, date, own, text)


def _finished(drafts: Sequence[_Draft], leaves: Sequence[Leaf]) -> Iterator[Post]:
    """Yield the posts without what stands beside the names and dates: ranks, counts, numbers of posts.

    How far the box of a name or a date reaches is seen where the text is longest: beside a word or two it could be
    either.
    """
    sample = max(drafts, key=lambda draft: max(leaves[at].chars for at in draft.text))
    longest = max(sample.text, key=lambda at: leaves[at].chars)
    climbs = [_climb(at, longest, leaves, sample.box) for at in sample.own]
    for draft in drafts:
        told = set(draft.own)
        for at, climb in zip(draft.own, climbs, strict=False):
            told.update(_cell(at, climb, leaves, draft))
        opens = next((at for at in draft.text if at not in told), None)
        if opens is None:
            told, opens = set(draft.own), draft.text[0]
        yield Post(draft.box, draft.author, draft.date, frozenset(told), opens)


def _climb(at: int, longest: int, leaves: Sequence[Leaf], post: Box) -> int:
    """Return how many boxes around a leaf hold nothing of the text."""
    box: Box | None = leaves[at].box
    count = 0
    while box is not None and box is not post and not box.first <= longest < box.end:
        box, count = box.parent, count + 1
    return count


def _cell(at: int, climb: int, leaves: Sequence[Leaf], draft: _Draft) -> range:
    box = leaves[at].box
    for _ in range(climb - 1):
        if box.parent is None or box.parent is draft.box:
            break
        box = box.parent
    inside = range(box.first, box.end)
    prose = any(leaves[spot].chars > _LONGEST_LINE for spot in inside)
    return range(at, at + 1) if not climb or prose else inside


def _is_all(text: str, name: str) -> bool:
    """Tell whether a line says hardly more than a name and a date."""
    return len(_DATE.sub("", text.replace(name, "", 1)).strip()) <= _LONGEST_REST


def _dated(named: _Named, spots: range, leaves: Sequence[Leaf]) -> tuple[int | None, str]:
    """Return the line nearest to the name that tells a date, and the date."""
    for at in sorted(spots, key=lambda spot: (abs(spot - named.at), spot)):
        leaf = leaves[at]
        beside = leaf.box.tag == "dd" or _is_beside(leaf.box)
        text = "" if beside or leaf.preformatted or leaf.chars > _LONGEST_LINE else _words(leaf)
        text = text.replace(named.author, f"{named.author} ", 1)  # in markup without spaces the date touches the name
        if not text or text.endswith(":"):  # who is quoted, and when that was
            continue
        found = _DATE.search(text)
        opens = found is not None and _OPENS.match(text) is not None
        if found and (opens or _is_all(text, named.author)) and not _is_membership(at, text, leaves):
            return at, found[0]
    return None, ""


def _is_beside(box: Box) -> bool:
    """Tell whether what stands in a box is said of the user, as when they joined, and not of the post."""
    near = (box, *islice(box.above(), _CLOSE))
    return any(not _PROFILE.isdisjoint(names.of(at.attributes)) for at in near)


def _is_membership(at: int, text: str, leaves: Sequence[Leaf]) -> bool:
    """Tell whether a date is when somebody joined: the line says so, or one before it that has no date itself."""
    before = _words(leaves[at - 1]) if at else ""
    return bool(_MEMBERSHIP.search(text) or (_MEMBERSHIP.match(before) and not _DATE.search(before)))


def _words(leaf: Leaf) -> str:
    return "".join(span.text for span in leaf.spans if not span.style & Style.IMAGE).strip()
