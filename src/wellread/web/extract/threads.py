"""Finds the posts of a thread: who wrote each, and when, as the page shows it. What it does not show is not made up."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import compress, islice, pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.css.words import word_set
from wellread.seen import names
from wellread.segmentation.boxes import chars
from wellread.web.extract import bylines
from wellread.web.extract.bylines import Dated, Named
from wellread.web.extract.selection import Post

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from wellread.segmentation.boxes import Box, Leaf, Walked

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
_NEARLY_AS_MUCH: Final = 0.9
_MOST_NAMED: Final = 8
"""How often a post may name its author: each time what stands beside the name is looked at."""
_SHORT_QUOTE: Final = 200
"""Characters of a quotation."""
_TITLE: Final = 0.4
"""How much of <title> its thread's title is."""
_QUOTE: Final = re.compile(r"(?:^|\s|code_?|[a-z]-)quote(?:box|expand)?(?=\s|$)", re.IGNORECASE)
"""What forum software calls the box of a quotation; some write whole posts as <blockquote>."""
_QUOTE_TAGS: Final = frozenset({"div", "aside", "section", "table", "fieldset"})
_WHOLE: Final = word_set("postcontent message post content signature msg")
_POST: Final = "messageText"
"""What XenForo 1 calls a whole post, whose text it lets people quote, and says so: `SelectQuoteContainer`."""


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


_Row = tuple[Named, ...]


class Rows(NamedTuple):
    """The longest rows of names on a page."""

    rows: Sequence[_Row]
    dated: dict[tuple[Named, range], Dated]
    """What was found beside a name within a range of leaves: it is asked for again and again."""


def named(walked: Walked, *, loose: bool) -> Rows:
    """Return the longest rows of lines that tell who wrote; `loose` takes any name beside a date for one.

    What is in a row stands equally deep, or, for answers stand deeper than what they answer, is called the same, by
    itself or with the box around it; or nearly the same, for who is not known is not called as others are. Of rows as
    long, that comes last, and so counts, which microdata marks most of: the others may have names of editors.
    """
    rows: dict[Hashable, list[Named]] = defaultdict(list)
    for at, leaf in enumerate(walked.leaves):
        if author := bylines.author(leaf, loose=loose):
            tags = tuple(box.tag for box in islice(leaf.box.around(), 3))
            own = leaf.box.name[:2] if leaf.box.name[1] else None
            kin = _kin(leaf.box)
            for place in filter(None, ((leaf.box.depth, tags), _called_place(leaf.box), own)):
                rows[place, bool(leaf.links)].append(Named(at, author))
            marked = (kin, "author") if kin and bylines.is_marked(leaf) else None
            for place in filter(None, (kin, marked)):  # linked or not
                rows[place, None].append(Named(at, author))
    _add_guests(rows, walked.leaves)
    every = dict.fromkeys(map(tuple, rows.values()))  # no set: its order differs from process to process
    marks = {row: sum(bylines.is_marked(walked.leaves[one.at]) for one in row) for row in every}
    return Rows(sorted(every, key=lambda row: (-len(row), marks[row], row[0].at))[:_MOST_ROWS], {})


def _add_guests(rows: Mapping[Hashable, list[Named]], leaves: Sequence[Leaf]) -> None:
    """Add to rows of linked names those without a link, of guests and of who has left, whose boxes are called alike."""
    joined = set()
    for at, leaf in enumerate(leaves):
        place = (_called_place(leaf.box), True)
        plain = leaf.box.name[1] and not (leaf.links or leaf.heading or leaf.preformatted)
        if plain and place in rows and (name := bylines.bare(leaf)):
            rows[place].append(Named(at, name))
            joined.add(place)
    for place in joined:
        rows[place].sort()


def posts(walked: Walked, kept: Sequence[bool], rows: Rows) -> tuple[Post, ...]:
    """Return the posts that text is kept of, in order; none when the page shows no thread."""
    leaves = walked.leaves
    best: list[_Draft] = []
    for row in rows.rows:
        found = _drafts(row, walked, kept, rows)
        several = len(found) < _SURE or len({draft.author for draft in found}) > 1
        if len(found) >= _LEAST and several and not _outweigh(best, found, leaves):
            best = found
    first = _opener(best[0].box.first, walked, kept, rows) if best else []
    return tuple(post for drafts in (first, best) if drafts for post in _finished(drafts, leaves))


def _outweigh(best: Sequence[_Draft], found: Sequence[_Draft], leaves: Sequence[Leaf]) -> bool:
    """Tell whether the posts of a longer row hold more text; if there are more and all are named alike, nearly as much.

    Those may stand in what they answer, all of which the others would hold. Else, of two that hold as much, the shorter
    row counts: the longer has names of comments, too.
    """
    alike = len(best) > len(found) and len({leaves[one.own[0]].box.name[:2] for one in best}) == 1
    most, much = _weight(best, leaves), _weight(found, leaves)
    return most >= _NEARLY_AS_MUCH * much if alike else most > much


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
        if _POST in called:
            return False
        return "quote" in called.lower() or _WHOLE.isdisjoint(names.words(called))
    return box.tag in _QUOTE_TAGS and _QUOTE.search(called) is not None


def keep_posts(kept: NDArray[np.bool_], walked: Walked, rows: Rows, likely: NDArray[np.bool_]) -> None:
    """Keep the text of all posts where half of it is kept, or is half of what is: nobody would read half of a thread.

    Where nothing of them is, for what they answer stands apart, half of it must be `likely`. Text is what stands in
    boxes called like those of the posts' longest lines.
    """
    leaves = walked.leaves
    found = _dated_posts(walked, [True] * len(leaves), rows)
    longest = Counter(_called_place(leaves[_longest(one.text, leaves)].box) for one in found)
    place = max(longest, key=longest.__getitem__, default=None)
    spots = [at for at, leaf in enumerate(leaves) if _called_place(leaf.box) == place]
    inside = [at for one in found for at in one.text]
    told = {leaves[at].words: leaves[at].chars for at in spots if kept[at]}
    size = chars(leaves[at] for at in spots)
    had, hoped = (chars(leaves[at] for at in spots if mask[at]) for mask in (kept, likely))
    if 2 * had >= min(size, chars(compress(leaves, kept))) or (2 * hoped >= size and not kept[inside].any()):
        theirs = set(inside).intersection(spots)
        kept[[at for at in theirs if told.get(leaves[at].words, 0) <= bylines.LONGEST_REST]] = True


def _dated_posts(walked: Walked, kept: Sequence[bool], rows: Rows) -> list[_Draft]:
    """Return the posts of the longest row in which nearly all have dates, and are by several people."""
    for row in rows.rows:
        every = [one for one in _boxed(row, walked, kept, rows) if one.text]
        found = [one for one in every if one.date]
        several = len({one.author for one in found}) >= _LEAST and not _are_entries(found, walked.leaves)
        if len(found) >= max(_SURE, _NEARLY_ALL * len(every)) and several:
            return found
    return []


def _are_entries(found: Sequence[_Draft], leaves: Sequence[Leaf]) -> bool:
    """Tell a list of texts, each called by a link to it, from posts: their headings link to their place or author.

    Or else they repeat what the thread is called.
    """
    heads = {
        leaves[at].words.rpartition(": ")[2]
        for one in found
        for at in one.inside
        if leaves[at].heading and at not in one.own and _leads_elsewhere(leaves[at])
    }
    return 2 * len(heads) > len(found)


def _leads_elsewhere(head: Leaf) -> bool:
    linked = 2 * head.link_chars > head.chars and not any("#" in (span.href or "") for span in head.spans)
    return linked and not bylines.author(head, loose=False)


def _longest(spots: Sequence[int], leaves: Sequence[Leaf]) -> int:
    return max(spots, key=lambda at: leaves[at].chars)


def keep_quotes(kept: NDArray[np.bool_], walked: Walked, *, whole: bool) -> None:
    """Keep short quotations in posts that are kept, or all quotations: said before, they are taken for repetitions."""
    for box in walked.boxes:
        if box.parent is not None and box.items and is_quote(box):
            # Nested quotations would be counted again and again, but none of so many leaves is short.
            short = box.items < _SHORT_QUOTE and chars(walked.leaves[box.first : box.end]) < _SHORT_QUOTE
            if (whole or short) and kept[box.parent.first : box.parent.end].any():
                kept[box.first : box.end] = True


def keep_title(kept: NDArray[np.bool_], walked: Walked, found: Sequence[Post]) -> int | None:
    """Keep the thread's title, or else its headings; leave out short lines above and below all posts: no one's."""
    title = _title(walked, found[0].opens)
    for side in (range(found[0].box.first), range(found[-1].box.end, len(kept))):
        scraps = [at for at in side if kept[at] and (title is not None or not walked.leaves[at].heading)]
        if all(walked.leaves[at].chars < bylines.LONGEST_LINE for at in scraps):
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


def _called_place(box: Box) -> Hashable:
    """Return what a box and the one around it are called."""
    return *box.name[:2], box.parent and box.parent.name[:2]


def _kin(box: Box) -> tuple[Hashable, ...]:
    """Return what boxes share whose classes only begin alike, as of who is known and who is not; () without a class."""
    called = [(at.tag, *names.listed(at.attributes.get("class"), None)[:1]) for at in islice(box.around(), 2)]
    return tuple(called) if len(called[0]) > 1 else ()


def _drafts(row: Sequence[Named], walked: Walked, kept: Sequence[bool], rows: Rows) -> list[_Draft]:
    """Return the posts that one row of names makes: each the widest box around a name that holds no other.

    Where a post has several names, as of who edited it, each keeps the others from its text: then the last one counts.
    """
    found = list(_boxed(row, walked, kept, rows))
    meets = [next((box.depth for box in one.box.around() if two.own[0] < box.end), 0) for one, two in pairwise(found)]
    apart = Counter(meet for one, meet in zip(found, meets, strict=False) if one.text)
    usual = max(apart, key=apart.__getitem__, default=min(meets, default=0))  # where posts that hold text part
    alone = [bool(one.text) or meet <= usual for one, meet in zip(found, [*meets, 0], strict=True)]
    if not all(alone):
        found = list(_boxed(list(compress(row, alone)), walked, kept, rows))
    return [draft for draft in found if draft.text]


def _boxed(row: Sequence[Named], walked: Walked, kept: Sequence[bool], rows: Rows) -> Iterator[_Draft]:
    leaves = walked.leaves
    spots = [-1, *(one.at for one in row), len(kept)]
    for before, one, after in zip(spots, row, spots[2:], strict=False):
        box = leaves[one.at].box
        while box.parent is not None and before < box.parent.first and box.parent.end <= after:
            box = box.parent
        start = box.first if before < box.first else one.at
        inside = range(start, min(box.end, after))  # a box may hold several
        if not any(kept[at] for at in inside if at != one.at):
            inside = range(start, max(inside.stop, _answered(box, before, after, leaves)))
        known = rows.dated.get((one, inside))
        if known is None:
            known = rows.dated[one, inside] = bylines.dated(one, inside, walked)
        dated, date, stamp = known
        own = (one.at,) if dated is None else (one.at, dated)
        text = [at for at in inside if kept[at] and at not in own and leaves[at].chars]
        yield _Draft(box, inside, one.author, date, stamp, own, text)


def _answered(box: Box, before: int, after: int, leaves: Sequence[Leaf]) -> int:
    """Return where the answers begin that stand in what they answer, beside its parts, of which `box` has the name."""
    around = box.parent
    if around is None or around.first <= before or not around.first <= after < around.end:
        return 0
    inside = leaves[after].box
    while inside.depth > around.depth + 1 and inside.parent is not None:
        inside = inside.parent
    return max(inside.first, 0) if inside.parent is around else after


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
        told = {*own, *(at for at in draft.text if leaves[at].words.strip().lower() in bylines.NOT_NAMES)}
        for at, climb in zip(own, climbs, strict=False):
            told.update(_cell(at, climb, leaves, draft))
        opens = next((at for at in draft.text if at not in told), None)
        if opens is None:
            told, opens = set(draft.own), draft.text[0]
        yield Post(draft.box, draft.author, draft.date, draft.stamp, frozenset(told), opens)


def _said(draft: _Draft, leaves: Sequence[Leaf]) -> list[int]:
    """Return the lines with the name and the date, and those above the text that repeat the name."""
    above = range(draft.inside.start, _longest(draft.text, leaves))
    again = (at for at in above if at not in draft.own and leaves[at].words.strip() == draft.author)
    return [*draft.own, *islice(again, _MOST_NAMED)]


def _cell(at: int, climb: int, leaves: Sequence[Leaf], draft: _Draft) -> range:
    """Return what stands in the box so many boxes up from a leaf, but for its post's and those with prose."""
    boxes = [box for box in leaves[at].box.around() if box.depth > draft.box.depth][:climb]
    inside = range(boxes[-1].first, boxes[-1].end) if boxes else range(0)
    return range(0) if any(leaves[spot].chars > bylines.LONGEST_LINE for spot in inside) else inside
