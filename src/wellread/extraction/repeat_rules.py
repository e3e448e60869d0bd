"""Rules for text that a page repeats: below another heading, for windows of another width, as the label of a button."""

from __future__ import annotations

from collections import Counter
from itertools import accumulate
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

import numpy as np

from wellread.css.words import word_set
from wellread.lazy_pattern import lazy_pattern
from wellread.segmentation import boxes as box_kinds
from wellread.segmentation.boxes import is_linked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Integers
    from wellread.extraction.features import Features
    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Box, Leaf, Walked
    from wellread.types import PageType

_SHORTEST_REPEAT: Final = 6
"""Words: `Add to cart` may well be said twice."""
_PARTED: Final = ("article", "documentation", "service")
"""Page types that repeat text below another heading, about something else."""
_LISTINGS: Final = ("listing", "collection")
_WORD: Final = lazy_pattern(r"\w+")
_MAX_CARD_LEAVES: Final = 16
_FEWEST_ITEMS: Final = 3
"""Items of a list, or cells of a table, enough to tell the nature of the others."""
_ROW_TAGS: Final = frozenset({"ul", "ol", "dl", "table", "tbody", "tr"})
_LEAST_TARGETS: Final = 6
"""Times: fewer may be `Download` of a few files."""
_MAX_LABEL_CHARS: Final = 24
"""Characters of a label."""
_MAX_LABEL_SPACES: Final = 3
_FILE: Final = lazy_pattern(r"\.(?!(?:html?|php|aspx?|jsp|cfm)\b)[A-Za-z]\w{1,4}$")
"""The end of the path of a file that the label may be all there is of; pages have endings, too."""
_CELL_TAGS: Final = frozenset({"td", "th"})
_FEWEST_TABLE_WORDS: Final = 6
"""Words of a table's body: fewer may be said again by chance."""
_MAX_TWIN_LEAVES: Final = 3
"""Leaves for each of the table that its twin may have: a label and a value for each cell."""
_WIDTHS: Final = word_set(
    "xs sm md lg xl xxl small medium large mobile phone tablet desktop handheld narrow wide touch"
)
_SHOWN_STATES: Final = word_set("hide hidden show visible none only block flex grid table inline invisible")
"""Classes that hide or show by the width of the window have a word of each."""
_FEWEST_TWIN_WORDS: Final = 6
"""Words that a table and a list of the same have in common, whatever their classes."""


def leave_repeats(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out text that an earlier kept block says, too: many pages are written twice, for two widths of window.

    Without this rule F1 falls by .0025. What articles, documentation and service pages say again below another heading
    stays (F1 on services .8889 to .8904), so does a fact of an entry with a name of its own on lists (.7146 to .7209),
    and an item of a list of which most is kept, but in threads (of documentation .9586 to .9603).
    """
    kind, picked = selection.page_type, selection.is_kept
    is_kept = without_repetitions(picked, page.features, page.is_heading, parted=kind in _PARTED)
    if kind != "forum":
        is_kept[_repeated_facts(is_kept, picked & ~is_kept, page.walked, page.features, kind)] = True
    return selection._replace(is_kept=is_kept)


def without_repetitions(
    is_kept: NDArray[np.bool_], page: Features, heads: NDArray[np.bool_], *, parted: bool = False
) -> NDArray[np.bool_]:
    """Return the kept blocks but those that repeat an earlier kept block.

    Of a heading and a mere link to it, as tables of contents have them, the heading stays. On a page that is `parted`
    only what stands below the same heading, or one that is called the same, is said again.
    """
    before = page.origin < np.arange(len(is_kept))
    box = page.around.levels[:, 1]
    elsewhere = box != box[page.origin]
    is_repeated: NDArray[np.bool_] = (
        before & elsewhere & is_kept[page.origin] & (page.sizes >= _SHORTEST_REPEAT) & ~page.code
    )
    if parted:
        is_repeated &= page.origin[page.heading] == page.origin[page.heading[page.origin]]
    linked = is_repeated & is_kept & heads & ~heads[page.origin]
    is_kept_once: NDArray[np.bool_] = is_kept & ~is_repeated
    is_kept_once[page.origin[linked]] = False
    is_kept_once[linked] = True
    return is_kept_once


def _repeated_facts(
    is_kept: NDArray[np.bool_], is_repeated: NDArray[np.bool_], walked: Walked, page: Features, kind: PageType
) -> list[int]:
    """Return which repeated leaves belong to something that is kept, and stand nowhere else in that.

    Two conferences in one city have the same line for it, and two lists of requirements the same first item: each says
    it of its own. A form of the list for other windows repeats the names, too.
    """
    worded = page.sizes > 0
    with_words, kept_words = (
        np.cumsum(np.insert(marks, 0, False), dtype=np.intp) for marks in (worded, worded & is_kept)
    )
    facts = []
    for at in np.flatnonzero(is_repeated & ~is_kept & (page.sizes > 0)).tolist():
        around = walked.leaves[at].box.around()
        in_list = _is_in_kept_list(
            at, next((box for box in around if box.tag in _ROW_TAGS), None), page, with_words, kept_words
        )
        if in_list or (kind in _LISTINGS and _is_of_card(at, walked, is_kept, page.origin)):
            facts.append(at)
    return facts


def _is_in_kept_list(at: int, row: Box | None, page: Features, with_words: Integers, kept_words: Integers) -> bool:
    """Tell whether most items of the list around a leaf are kept, and it is said in none of them."""
    if row is None or row.first <= page.origin[at] < row.end:
        return False
    items, kept_items = (int(counts[row.end] - counts[row.first]) for counts in (with_words, kept_words))
    return items >= _FEWEST_ITEMS and 2 * kept_items > items


def _is_of_card(at: int, walked: Walked, is_kept: NDArray[np.bool_], origin: Integers) -> bool:
    """Tell whether the smallest box around a leaf that holds other kept text has a name among it: a heading or a link.

    The name is said nowhere before, and what is said again is no name itself: a heading only below the card's own.
    """
    leaves = walked.leaves
    for box in leaves[at].box.around():
        if box.items > _MAX_CARD_LEAVES:
            return False
        others = [
            place for place in range(box.first, box.end) if place != at and is_kept[place] and leaves[place].chars
        ]
        if others:
            first = [leaves[place] for place in others if origin[place] == place]
            names = [leaf for leaf in first if leaf.heading or is_linked(leaf)]
            level = leaves[at].heading
            is_below = not level or any(0 < name.heading < level for name in names)
            return bool(names) and is_below and not box.first <= origin[at] < box.end
    return False


def leave_repeated_headings(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out a heading that repeats the heading right before it."""
    origin, heads = page.features.origin, page.is_heading
    worded = np.flatnonzero(selection.is_kept & (page.sizes > 0))
    above, below = worded[:-1], worded[1:]
    return selection.leave_out(below[heads[above] & heads[below] & (origin[above] == origin[below])])


def mark_repeated_actions(page: ScoredPage, selection: Selection) -> Selection:
    """Take for unread the lines that are nothing but a label which others have, too, each with a target of its own.

    `Reply`, `Quick view`, `Comparer`: such a label names no entry, for all entries have it, and no category, for that
    would have one target. Links to other sites and to files stay: the target is what such a line tells. Of 120 random
    pages, lists of goods and threads had such buttons of each entry in their text.
    """
    is_unread = selection.is_unread.copy()
    is_unread[_repeated_actions(page.walked.leaves, page.walked.url)] = True
    return selection._replace(is_unread=is_unread)


def _repeated_actions(leaves: Sequence[Leaf], url: str | None) -> list[int]:
    spots: dict[str, list[int]] = {}
    targets: dict[str, set[str]] = {}
    host = _host(url or "")
    for at, leaf in enumerate(leaves):
        href = _lone_target(leaf)
        if href is not None and _leads_within(href, host):
            label = leaf.words.casefold()
            spots.setdefault(label, []).append(at)
            targets.setdefault(label, set()).add(href)
    every = (
        at
        for label, leaves_with_label in spots.items()
        if len(targets[label]) >= _LEAST_TARGETS
        for at in leaves_with_label
    )
    return sorted(every)


def _lone_target(leaf: Leaf) -> str | None:
    """Return the target of a leaf that is one short link and nothing else, outside of headings and tables."""
    words = leaf.words.strip()
    if leaf.links != 1 or leaf.heading or leaf.preformatted or not 0 < len(words) <= _MAX_LABEL_CHARS:
        return None
    if leaf.box.tag in _CELL_TAGS or words.count(" ") >= _MAX_LABEL_SPACES or any(map(str.isdigit, words)):
        return None
    hrefs = {span.href for span in leaf.spans if span.text.strip()}
    if len(hrefs) > 1 or not words[0].isalpha() or any(box.tag == "a" and box.items > 1 for box in leaf.box.around()):
        return None  # a card that is one link has labels of its own: `Full-time`, `Sterling silver`
    return hrefs.pop()


def _leads_within(href: str, host: str) -> bool:
    try:
        target = urlsplit(href)
    except ValueError:
        return False
    return (target.hostname or "") in {"", host} and _FILE.search(target.path) is None


def _host(url: str) -> str:
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def leave_table_twins(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out the blocks right after or before a kept table of data that repeat the text of its body.

    They say no more than that, but words of its header cells may label it, any number of times. They are the table for
    windows of another width: as cards, as a list, or turned on its side.
    """
    is_kept, walked = selection.is_kept.copy(), page.walked
    for table in page.tables:
        inside = slice(table.first, table.end)
        if 2 * int(is_kept[inside].sum()) <= table.items:
            continue
        header, body = _table_words(table, walked)
        if body.total() < _FEWEST_TABLE_WORDS:
            continue
        reach = _MAX_TWIN_LEAVES * table.items
        after = range(table.end, min(table.end + reach, len(is_kept)))
        before = range(table.first - 1, max(table.first - reach, 0) - 1, -1)
        for places in (after, before):
            for at in _twin(places, walked, header, body):
                is_kept[at] = False
    return selection._replace(is_kept=is_kept)


def _table_words(table: Box, walked: Walked) -> tuple[Counter[str], Counter[str]]:
    """Return how often each word stands in the header cells of a table, and in the others."""
    header: Counter[str] = Counter()
    body: Counter[str] = Counter()
    for leaf in walked.leaves[table.first : table.end]:
        cell = next((box for box in leaf.box.around() if box_kinds.is_cell(box)), None)
        part = header if cell is not None and box_kinds.is_header_cell(cell) else body
        part.update(_WORD.findall(leaf.words.casefold()))
    return header, body


def _twin(places: Iterable[int], walked: Walked, header: Counter[str], body: Counter[str]) -> list[int]:
    """Return the first of these leaves that together repeat the body of a table exactly; none if they do not."""
    missing_words = body.copy()
    missing = body.total()
    spare = header.total() * max(len(body), 1)
    twin_leaves: list[int] = []
    for at in places:
        twin_leaves.append(at)
        for word in _WORD.findall(walked.leaves[at].words.casefold()):
            if missing_words[word] > 0:
                missing_words[word] -= 1
                missing -= 1
            elif word not in header or spare <= 0:
                return []
            else:
                spare -= 1
        if not missing:
            return twin_leaves
    return []


def window_twins(walked: Walked, unseen: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask of the leaves that repeat the box beside theirs word for word; of a table and a list, the list.

    Pages have such text twice: once for wide windows and once for narrow ones.

    Of two of which one is `unseen` the other stays. Both boxes are called by the width of windows, or one is a table
    and the other none.
    """
    again = np.zeros(len(walked.leaves), np.bool_)
    before = [0, *accumulate([leaf.chars for leaf in walked.leaves])]
    with_tables = any(box.tag == "table" for box in walked.boxes)
    for first, second in _neighbours(walked):
        first_chars, second_chars = before[first.end] - before[first.first], before[second.end] - before[second.first]
        if first_chars > 2 * second_chars or second_chars > 2 * first_chars:
            continue  # each pair within a pair is half of it at most
        sized = _is_sized(first) and _is_sized(second)
        if not (sized or with_tables):
            continue
        tables = _is_table(first, walked), _is_table(second, walked)
        if not sized and tables[0] == tables[1]:
            continue
        if any(unseen[box.first : box.end].all() for box in (first, second)):
            continue
        words = _box_words(first, walked)
        if words and words == _box_words(second, walked) and (sized or len(words) >= _FEWEST_TWIN_WORDS):
            lost = first if tables[1] and not tables[0] else second
            again[lost.first : lost.end] = True
    return again


def _neighbours(walked: Walked) -> Iterator[tuple[Box, Box]]:
    """Yield the boxes with text that follow one another in one box, with no text between them."""
    last: dict[int, Box] = {}
    for box in walked.boxes:
        parent = box.parent
        if box.first == box.end or parent is None:
            continue
        before = last.get(parent.index)
        if before is not None and before.end == box.first:
            yield before, box
        last[parent.index] = box


def _is_table(box: Box, walked: Walked) -> bool:
    """Tell whether a box is a table, or holds nothing but one."""
    while box.tag != "table":
        if box.index + 1 == len(walked.boxes):
            return False
        inner = walked.boxes[box.index + 1]
        if inner.parent is not box or (inner.first, inner.end) != (box.first, box.end):
            return False
        box = inner
    return True


def _is_sized(box: Box) -> bool:
    """Tell whether a class of a box, as `d-md-none` and `mobile-only`, names a width and whether it shows there."""
    called = box.name_words
    return not _WIDTHS.isdisjoint(called) and not _SHOWN_STATES.isdisjoint(called)


def _box_words(box: Box, walked: Walked) -> list[str]:
    """Return the words in a box in order, without its column headers, which a list does not repeat."""
    leaves = (leaf for leaf in walked.leaves[box.first : box.end] if leaf.box.tag != "th")
    return [word.casefold() for leaf in leaves for word in _WORD.findall(leaf.words)]
