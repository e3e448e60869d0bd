"""Rules that keep what belongs to kept text: titles, code, headings, lists, tables, values, notes.

`selection_rules.py` has the order in which they run.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.extraction import lexicon
from wellread.lazy_pattern import lazy_pattern
from wellread.segmentation import notes
from wellread.segmentation.boxes import chars, is_linked
from wellread.text.characters import folded_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Box, Leaf, Walked

_HEADED: Final = ("article", "forum")
"""Page types of which most truths have no headline."""
MIN_PROSE_WORDS: Final = 15
"""Words."""
MIN_SENTENCE_WORDS: Final = 4
"""Of a line that announces a list, or says something for itself."""
MAX_LABEL_CHARS: Final = 30
_NEARLY_ALL: Final = 0.8
"""Of the words below a heading."""
_LONGEST_VALUE: Final = 30
"""Words."""
_SHORTEST_LEAD: Final = 60
"""Characters."""
_LIKELY_LEAD: Final = 0.3
_LONGEST_CODE_LABEL: Final = 40
"""Characters of what stands beside code in its box: a language, the words of a button."""
_FILE: Final = lazy_pattern(r"(?=.{3,80}$)[\w@~./\\-]*\w\.[a-z]\w{0,8}", re.IGNORECASE)
"""The name of a file above its code."""
_LONGEST_FIELD: Final = 1_500
"""Characters that are said of one parameter."""
LISTED: Final = frozenset({"li", "dt", "dd", "td", "th"})
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
_SHORT_ITEM: Final = 3
"""Words of an item that looks like nothing by itself."""
_SHORT_LIST: Final = 4
"""Items of a list that is kept or left out as one: longer ones are often menus of which a line is kept by chance."""
_MOST_ITEMS: Final = 20
_MOST_LISTED: Final = 40
"""Items, and words, of a list that is kept for its heading: longer ones say enough for themselves."""
_LISTINGS: Final = frozenset({"ul", "ol", "dl", "table"})
_BESIDE_TEXT: Final = frozenset({"nav", "aside", "footer", "header", "form", "figcaption"})
_LONG_ITEM: Final = 20
"""Words of an item that belongs to its list where..."""
_MOST: Final = 2 / 3
"""...more than this share of it is kept."""
_BESIDE_LABEL: Final = frozenset({"td", "dd"})
_LONGEST_LABEL: Final = 40
_MAX_HEADING_CHARS: Final = 80
_OTHER_THINGS: Final = lazy_pattern(
    r"(?:related|similar|recommended|other|more|popular|featured) (?:products?|items?|models?|accessories)\b"
    r"|(?:you|customers?|people|others) (?:(?:may|might|will) )?(?:also|like)\b|bought together|recently viewed",
    re.IGNORECASE,
)
"""A heading above other things than that of the page, as shops write it."""
_MOST_BELOW: Final = 12
"""Leaves below a heading of which one is a fact."""
_CONTROLS: Final = frozenset({"plea", "comments", "legal", "section"})
"""Purposes of lines that ask the reader for something, or head a part beside the text."""
_REQUESTS: Final = _CONTROLS - {"section"}
_MAX_PAIR: Final = 8
"""Leaves in the box of a label and its value, and of what belongs to them."""
_SHORT_CELL: Final = 12
"""Words."""
_LEAST_CELLS: Final = 6
"""Boxes side by side that are a grid, as of a table made of `div`: each short, most of them kept."""


def keep_title(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the first-level heading of an <article> or <main>, or the one that the page is called after.

    The truths have the headlines of 18 % of articles and 9 % of threads, and those of 59 % of other pages: what is left
    out is the title of the page all the same. On articles that are not small, no heading above the text is kept unless
    the networks keep it. Where none is kept, the one that <title> has, too, is kept on small pages, in mode `recall`
    and on pages that are neither article nor thread; so is the only one of the page if it stands on the text of a small
    page or, on pages of these types, above all that is kept (F1 .0000; kept everywhere it costs .0005).
    """
    walked, is_kept, kind = page.walked, selection.is_kept, selection.page_type
    leads = kind not in _HEADED
    above = page.mode == "recall" or page.is_small or kind != "article"
    alone = page.mode == "recall" or page.is_small or leads
    is_unread = selection.is_unread
    heads = [at for at, leaf in enumerate(walked.leaves) if leaf.heading == 1 and leaf.chars and not is_unread[at]]
    start = int(is_kept.argmax())
    before = [at for at in heads if above and at <= start]
    if before and any(box.tag in {"article", "main"} for box in walked.leaves[before[-1]].box.around()):
        return selection.keep([before[-1]])
    if alone and not is_kept[heads].any():
        named = [at for at in heads if _contains_words(walked.title, walked.leaves[at].words)]
        page_headings = named or [at for at in heads if not is_linked(walked.leaves[at])]
        stands = (
            len(page_headings) == 1 and page.is_small and is_kept[page_headings[0] + 1 : page_headings[0] + 2].any()
        )
        leads = leads and len(page_headings) == 1 and page_headings[0] < start
        if stands or leads or len({folded_words(walked.leaves[at].words) for at in named}) == 1:
            return selection.keep(page_headings[:1])
    return selection


def _contains_words(text: str, part: str) -> bool:
    """Tell whether a text has the words of another in a row, whatever signs stand between them."""
    return f" {folded_words(part)} " in f" {folded_words(text)} "


def keep_tables(page: ScoredPage, selection: Selection) -> Selection:
    """Keep a table of data between two blocks that are kept: its short cells say little for themselves."""
    is_kept, sizes = selection.is_kept.copy(), page.sizes
    kept_words, worded = sizes @ is_kept, sizes.nonzero()[0]
    for table in page.tables:
        inside = slice(table.first, table.end)
        first, end = np.searchsorted(worded, (table.first, table.end))
        lost = sizes[inside] @ ~is_kept[inside]
        if (
            lost < kept_words
            and is_kept[worded[max(first - 3, 0) : first]].any()
            and is_kept[worded[end : end + 3]].any()
        ):
            is_kept[inside] = True
    return selection._replace(is_kept=is_kept)


def keep_notes(page: ScoredPage, selection: Selection) -> Selection:
    """Keep short notes that kept text refers to, and the list of works that it cites, with its heading.

    Of ten lists of works on WCXB's pages one is no part of its truth; the networks had kept a third of it: F1 -.0001.
    """
    is_kept, walked = selection.is_kept.copy(), page.walked
    for note in notes.short(walked, is_kept):
        is_kept[note.first : note.end] = True
    for works in notes.cited(walked, is_kept):
        headed = works.first > 0 and walked.leaves[works.first - 1].heading > 0
        is_kept[works.first - headed : works.end] = True
    return selection._replace(is_kept=is_kept)


def keep_code(page: ScoredPage, selection: Selection) -> Selection:
    """Keep code beside text that is kept, in the same box: a few lines of it look like nothing else on a page.

    So is code amid such text, with the line right above it, which mostly says what it is for. Boxes that hold nothing
    but code and its labels are part of it, however many lie in one another.
    """
    is_kept, walked, worded = selection.is_kept.copy(), page.walked, page.worded
    leaves = walked.leaves
    codes = [at for at in worded if leaves[at].preformatted or leaves[at].box.is_signature]
    if not codes:
        return selection
    sizes = _CodeSizes(leaves)
    kept_before = np.flatnonzero(is_kept).tolist()
    for at in (*codes, *reversed(codes)):  # what is kept beside one keeps the next
        frame = sizes.frame(leaves[at].box)
        before, after = bisect_left(worded, frame.first) - 1, bisect_left(worded, frame.end)
        beside = [worded[place] for place in (before, after) if 0 <= place < len(worded)]
        around = frame.parent
        if around is None:
            continue
        if any(is_kept[near] and around.first <= near < around.end for near in beside):
            is_kept[at] = True
        elif _holds_any(kept_before, around.first, frame.first) and _holds_any(kept_before, frame.end, around.end):
            is_kept[at] = True
            lead = worded[before] if before >= 0 else at
            introduces = leaves[lead].box.parent is around and not lexicon.line_purpose(leaves[lead].words)
            is_kept[lead] |= introduces and not leaves[lead].heading
    for before, at in itertools.pairwise(worded):
        if is_kept[at] and leaves[at].preformatted and _FILE.fullmatch(leaves[before].words):
            is_kept[before] = True
    return selection._replace(is_kept=is_kept)


def _holds_any(places: Sequence[int], first: int, end: int) -> bool:
    """Tell whether one of the ascending places lies from `first` to before `end`."""
    return bisect_left(places, first) < bisect_left(places, end)


def keep_parameters(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the row that names a parameter, and its description, amid kept text: neither says much alone."""
    is_kept, walked = selection.is_kept.copy(), page.walked
    kept_leaves = np.flatnonzero(is_kept)
    if not len(kept_leaves):
        return selection
    fields: set[int] = set()
    for at in range(int(kept_leaves[0]), int(kept_leaves[-1]) + 1):
        row = walked.leaves[at].box
        if not row.is_parameter:
            continue
        is_kept[at] = True
        field = next((box for box in row.around() if box.items > row.items), row)
        if field.index not in fields and _is_field(walked.leaves[field.first : field.end]):
            is_kept[field.first : field.end] = True
        fields.add(field.index)
    return selection._replace(is_kept=is_kept)


def _is_field(inside: Sequence[Leaf]) -> bool:
    """Return whether some leaves are one parameter and its description."""
    rows = (leaf for leaf in inside if leaf.box.is_parameter)
    is_alone = len([*itertools.islice(rows, 2)]) == 1
    return is_alone and not any(leaf.heading for leaf in inside) and chars(inside) <= _LONGEST_FIELD


class _CodeSizes:
    """The amounts of code and of other text between any two leaves."""

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        code = np.array([leaf.preformatted or leaf.box.is_signature for leaf in leaves])
        chars = np.array([leaf.chars for leaf in leaves])
        long = ~code & np.array([leaf.heading > 0 or leaf.chars > _LONGEST_CODE_LABEL for leaf in leaves])
        self._code, self._labels, self._long = (
            np.insert(np.cumsum(counts), 0, 0) for counts in (chars * code, chars * ~code, long)
        )

    def frame(self, box: Box) -> Box:
        """Return the widest box around some code that holds nothing but code and short labels."""
        while box.parent is not None and self._is_frame(box.parent):
            box = box.parent
        return box

    def _is_frame(self, box: Box) -> bool:
        code, labels, long = (int(sums[box.end] - sums[box.first]) for sums in (self._code, self._labels, self._long))
        return not long and labels <= max(_LONGEST_CODE_LABEL, code)


def keep_lead(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the paragraph above the text that is how an article begins.

    The page gives it as its summary, or it is the only prose between the last heading and the text that is kept, and
    the networks are not sure against it.
    """
    is_kept, walked = selection.is_kept.copy(), page.walked
    leaves = walked.leaves
    first = next((at for at in np.flatnonzero(is_kept).tolist() if not leaves[at].heading), None)
    if first is None:
        return selection
    summary = walked.summary
    for at in range(first + 1):
        words = leaves[at].words
        if len(words) >= _SHORTEST_LEAD and not leaves[at].heading and words[:_SHORTEST_LEAD] in summary:
            is_kept[at] = True
            return selection._replace(is_kept=is_kept)
    headline = next((at for at in range(first - 1, -1, -1) if leaves[at].heading), first)
    prose = [
        at
        for at in range(headline + 1, first)
        if _is_prose(leaves[at], page.sizes[at]) and all(box.tag != "figcaption" for box in leaves[at].box.around())
    ]
    if len(prose) == 1 and page.likely[prose[0]] >= _LIKELY_LEAD:
        is_kept[prose[0]] = True
    return selection._replace(is_kept=is_kept)


def keep_headings(page: ScoredPage, selection: Selection) -> Selection:
    """Keep a heading between two blocks that are kept, and one amid the text if nearly all that it heads is kept.

    That reaches to the next heading of its level. Of those on WCXB's articles .79 stand in the truth, on other pages
    .72, in threads .36. `Archives` or `Related` head a section where prose follows them, and more sections after that.
    A heading of an article that links to another page is the title of that page.

    F1 +.0001, F1 of headings .766 to .769.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    worded, kind = page.worded, selection.page_type
    kept_words, all_words = (np.insert(np.cumsum(words), 0, 0) for words in (sizes * is_kept, sizes))
    ends = [len(is_kept)] * 7  # by level, where the section ends that a heading here would begin
    for before, at, after in zip(worded[-3::-1], worded[-2::-1], worded[:0:-1], strict=False):
        level, end = walked.leaves[at].heading, ends[walked.leaves[at].heading]
        if not level:
            continue
        most = kept_words[end] - kept_words[at + 1] > max(
            MIN_PROSE_WORDS, _NEARLY_ALL * (all_words[end] - all_words[at + 1])
        )
        amid = kind != "forum" and kept_words[at] > 0 and kept_words[end] < kept_words[-1]
        if kind == "article" and leads_away(walked.leaves[at]):
            ends[level:] = [at] * (7 - level)
            continue
        heads_prose = most and amid and _is_prose(walked.leaves[after], sizes[after])
        if (is_kept[before] and is_kept[after] and not walked.leaves[after].heading) or (most and amid):
            is_kept[at] |= heads_prose or not lexicon.line_purpose(walked.leaves[at].words)
        ends[level:] = [at] * (7 - level)
    return selection._replace(is_kept=is_kept)


def keep_headings_of_facts(page: ScoredPage, selection: Selection) -> Selection:
    """Keep a heading such as `Related products` above facts that are kept: without it, they are those of the page.

    F1 of 745 pages of WCXB .91313 before and after.
    """
    is_kept, walked = selection.is_kept.copy(), page.walked
    above: tuple[int, int] | None = None
    for place, at in enumerate(page.worded):
        leaf = walked.leaves[at]
        if leaf.heading and (above is None or leaf.heading <= walked.leaves[above[1]].heading):
            above = (place, at) if _OTHER_THINGS.search(leaf.words[:_MAX_HEADING_CHARS]) else None
        elif above is not None and is_kept[at] and place - above[0] <= _MOST_BELOW and _is_fact(leaf):
            is_kept[above[1]] = True
    return selection._replace(is_kept=is_kept)


def _is_fact(leaf: Leaf) -> bool:
    """Return whether a leaf has a label and a text, `Weight: 900 g`, or stands beside its label."""
    label, _, text = leaf.words.partition(":")
    return leaf.box.tag in _BESIDE_LABEL or (bool(text.strip()) and len(label) <= _LONGEST_LABEL)


def leads_away(leaf: Leaf) -> bool:
    """Tell whether nearly all of a leaf links to another page."""
    return is_linked(leaf) and any(span.href and not span.href.startswith("#") for span in leaf.spans)


def _is_prose(leaf: Leaf, words: float) -> bool:
    return not leaf.heading and words >= MIN_PROSE_WORDS and leaf.link_chars * 2 < leaf.chars


def keep_like_headings(page: ScoredPage, selection: Selection) -> Selection:
    """Keep a heading right above prose that is kept, in one box, if that of a box of the same name is kept.

    17 pages of WCXB better, 9 worse.
    """
    is_kept, walked, worded = selection.is_kept.copy(), page.walked, page.worded
    pairs = [(at, after) for at, after in itertools.pairwise(worded) if walked.leaves[at].heading]
    alike = {_shape(walked.leaves[at]) for at, _ in pairs if is_kept[at]}
    for at, after in pairs:
        head, text = walked.leaves[at], walked.leaves[after]
        if is_kept[at] or not is_kept[after] or text.heading:
            continue
        around = head.box.parent
        if around is not None and around.first <= after < around.end and text.chars > _SHORTEST_LEAD:
            is_kept[at] = _shape(head) in alike and not lexicon.line_purpose(head.words)
    return selection._replace(is_kept=is_kept)


def keep_values(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the short line that a kept label announces, `Developer:`, in the box that holds both and little else.

    Shops keep `Developer:` without the developer, whose link looks like a menu to the networks. F1 .0000.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    worded = page.worded
    for at, after in itertools.pairwise(worded):
        label, line = walked.leaves[at], walked.leaves[after]
        if not is_kept[at] or is_kept[after] or label.heading or line.heading or label.chars > MAX_LABEL_CHARS:
            continue
        around = label.box.parent
        is_label = label.words.rstrip().endswith((":", "\uff1a")) and sizes[after] <= _SHORT_CELL
        if is_label and around is not None and around.items <= _MAX_PAIR and around.first <= after < around.end:
            is_kept[after] = True
    return selection._replace(is_kept=is_kept)


def _shape(head: Leaf) -> tuple[int, str, str | None]:
    around = head.box.parent or head.box
    return head.heading, around.tag, around.attributes.get("class")


def keep_siblings(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the short items of lists, and the cells of grids, whose siblings are kept: one word says too little to tell.

    An item that is alone in its list belongs to the item around it.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    words, kept_words = ([0.0, *np.cumsum(counts).tolist()] for counts in (sizes, sizes * is_kept))
    for parent, children in _siblings(walked).items():
        box = walked.boxes[parent]
        items = [child for child in children if words[child.end] > words[child.first]]
        lost = [child for child in items if kept_words[child.end] == kept_words[child.first]]
        if not lost:
            continue
        kept_count = len(items) - len(lost)
        if box.tag in _LISTS:
            longest = _LONG_ITEM if kept_count > _MOST * len(items) else _SHORT_ITEM
            linked = all(is_linked(leaf) for child in lost for leaf in walked.leaves[child.first : child.end])
            least = _NEARLY_ALL if linked else 1 / 2  # half of a menu may be kept
            belongs = kept_count > least * len(items) or _is_in_kept_item(box, is_kept)
        else:
            longest = _SHORT_CELL
            belongs = _is_kept_grid(box, items, kept_count, words, kept_words)
        if not belongs:
            continue
        for child in lost:
            if words[child.end] - words[child.first] <= longest and not _has_control(child, walked):
                is_kept[child.first : child.end] = True
    return selection._replace(is_kept=is_kept)


def keep_short_lists(page: ScoredPage, selection: Selection) -> Selection:
    """Keep all of a short list of which a part is kept, and of short paragraphs with links that stand side by side.

    Of `Next: ...` and `See also: ...` the networks pick one by chance: no reader could know that the other is missing.

    F1 by folds -.0000: 23 pages of WCXB better, 35 worse. With lists of up to 20 items it falls by .0002.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    words = [0.0, *np.cumsum(sizes).tolist()]
    for parent, children in _siblings(walked).items():
        items = [child for child in children if words[child.end] > words[child.first]]
        if walked.boxes[parent].tag in _LISTS and len(items) <= _SHORT_LIST:
            _keep_whole_list(items, words, walked, is_kept)
    for parent_index, run in itertools.groupby(page.worded, lambda at: _linked_paragraph_parent(walked.leaves[at])):
        paragraphs = [walked.leaves[at].box for at in run]
        if parent_index is not None and len(paragraphs) <= _SHORT_LIST:
            _keep_whole_list(paragraphs, words, walked, is_kept)
    is_kept &= selection.is_kept | ~selection.is_unread
    return selection._replace(is_kept=is_kept)


def _linked_paragraph_parent(leaf: Leaf) -> int | None:
    """Return the index of the box around a paragraph with a link; None for any other leaf."""
    if leaf.box.tag != "p" or not leaf.link_chars or leaf.box.parent is None:
        return None
    return leaf.box.parent.index


def _keep_whole_list(items: Sequence[Box], words: list[float], walked: Walked, is_kept: NDArray[np.bool_]) -> None:
    """Keep the items that are not kept, if others are and all are short; `words` counts them before each leaf."""
    if any(words[item.end] - words[item.first] > _SHORT_CELL for item in items):
        return
    lost = [item for item in items if not is_kept[item.first : item.end].any()]
    if len(lost) == len(items):
        return
    for item in lost:
        lines = (walked.leaves[at].words for at in range(item.first, item.end))
        if all(lexicon.line_purpose(line) not in _REQUESTS for line in lines):
            is_kept[item.first : item.end] = True


def keep_headed_lists(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the short list below a heading that is kept, where that is all of its section, amid the text.

    A heading promises what is below it; changes, ingredients or opening hours of two words each say little to tell.

    F1 on 912 pages of three folds, with `keep_main`: .89419 to .89421.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    worded = page.worded
    leaves = walked.leaves
    kept_words = np.insert(np.cumsum(sizes * is_kept), 0, 0)
    for place, at in enumerate(worded):
        level, around = leaves[at].heading, leaves[at].box.parent
        if not is_kept[at] or level < 2 or around is None or lexicon.line_purpose(leaves[at].words):
            continue
        text = kept_words[around.end] - kept_words[around.first]
        section: list[int] = []
        for index in range(place + 1, len(worded)):
            below = worded[index]
            if below >= around.end or 0 < leaves[below].heading <= level:
                break
            section.append(below)
            if len(section) > _MOST_ITEMS or leaves[below].box.tag not in LISTED:
                section = []
                break
        lost = [below for below in section if not is_kept[below]]
        doubtful = sum(is_linked(leaves[below]) or bool(lexicon.line_purpose(leaves[below].words)) for below in section)
        if text >= MIN_PROSE_WORDS and 2 * doubtful <= len(section) and sizes[section].sum() <= _MOST_LISTED:
            is_kept[lost] = True
    return selection._replace(is_kept=is_kept)


def keep_main(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the items and cells of <main> that are not kept on a page of a few lines, where nearly all of it is.

    Menus, side boxes, forms, comments, links and lines that ask for something are no part of it, and neither is a list
    that holds any of those, or longer text that is not kept.

    The last list or table of a small page was lost though all else of its <main> was kept.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    mains = [box for box in walked.boxes if box.tag == "main"] or [box for box in walked.boxes if box.tag == "article"]
    if len(mains) != 1:
        return selection
    main_leaves = [
        at for at in range(mains[0].first, mains[0].end) if sizes[at] and _is_own(walked.leaves[at], mains[0])
    ]
    if sizes[main_leaves] @ is_kept[main_leaves] >= _NEARLY_ALL * sizes[main_leaves].sum() > 0:
        is_own = np.zeros(len(is_kept), np.bool_)
        is_own[[at for at in main_leaves if is_kept[at] or walked.leaves[at].box.tag in LISTED]] = True
        is_own |= sizes == 0
        for at in main_leaves:
            listing = next((box for box in walked.leaves[at].box.around() if box.tag in _LISTINGS), None)
            if listing is not None and is_own[listing.first : listing.end].all():
                is_kept[at] |= walked.leaves[at].box.tag in LISTED
    return selection._replace(is_kept=is_kept)


def _is_own(leaf: Leaf, main: Box) -> bool:
    """Return whether a leaf of <main> is its own text, and not that of a menu, a side box or a form in it."""
    if is_linked(leaf) or lexicon.line_purpose(leaf.words):
        return False
    inside = list(itertools.takewhile(lambda box: box is not main, leaf.box.around()))
    return all(box.tag not in _BESIDE_TEXT and lexicon.BESIDE.isdisjoint(box.name_words) for box in inside)


def _siblings(walked: Walked) -> dict[int, list[Box]]:
    """Return by the index of their parent the boxes that hold text, of the parents in which nothing else does."""
    children: dict[int, list[Box]] = {}
    for box in walked.boxes:
        if box.first < box.end and box.parent is not None:
            children.setdefault(box.parent.index, []).append(box)
    return {
        parent: boxes
        for parent, boxes in children.items()
        if (len(boxes) >= _LEAST_CELLS or walked.boxes[parent].tag in _LISTS)
        and sum([box.end - box.first for box in boxes]) == walked.boxes[parent].items
    }


def _is_in_kept_item(nested: Box, is_kept: NDArray[np.bool_]) -> bool:
    """Tell whether a list stands right below text that is kept of the item, or of the list, around it."""
    around = nested.parent
    if around is None or around.tag not in _LISTS | {"li"}:
        return False
    return around.first < nested.first and bool(is_kept[nested.first - 1])


def _is_kept_grid(box: Box, cells: Sequence[Box], kept_count: int, words: list[float], kept_words: list[float]) -> bool:
    """Return whether boxes side by side are a grid of short cells, most of which are kept, amid kept text."""
    if len(cells) < _LEAST_CELLS or len({cell.tag for cell in cells}) > 1 or 2 * kept_count <= len(cells):
        return False
    if any(words[cell.end] - words[cell.first] > _SHORT_CELL for cell in cells):
        return False
    return bool(kept_words[box.first] > 0 and kept_words[box.end] < kept_words[-1])


def _has_control(box: Box, walked: Walked) -> bool:
    return any(lexicon.line_purpose(walked.leaves[at].words) in _CONTROLS for at in range(box.first, box.end))


def keep_announced(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the list below a kept line that ends in a colon: the line announces it."""
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    worded = page.worded
    for at, after in itertools.pairwise(worded):
        box = walked.leaves[after].box
        if is_kept[at] and box.tag == "li" and box.parent is not None and announces(walked.leaves[at], sizes[at]):
            is_kept[box.parent.first : box.parent.end] = True
    return selection._replace(is_kept=is_kept)


def keep_terms(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the term above a description that is mostly kept: a value says nothing without its name.

    The value of a name that is kept is kept, too, but in threads: there both are of users, their ranks and counts.
    """
    is_kept, walked = selection.is_kept.copy(), page.walked
    sizes = page.sizes
    keep_values = selection.page_type != "forum"
    term: Box | None = None
    for box in walked.boxes:
        if box.tag == "dt":
            term = box
        elif box.tag == "dd" and term is not None and term.parent is box.parent:
            name, value = slice(term.first, term.end), slice(box.first, box.end)
            if 2 * (sizes[value] @ is_kept[value]) > sizes[value].sum():
                is_kept[name] = True
            elif keep_values and term.items and is_kept[name].all() and sizes[value].sum() <= _LONGEST_VALUE:
                is_kept[value] = True
    return selection._replace(is_kept=is_kept)


def keep_controls(page: ScoredPage, selection: Selection) -> Selection:
    """Keep the button above the kept text of the panel that it opens: nothing else names the panel.

    20 buttons on WCXB's pages.
    """
    is_kept, walked, worded = selection.is_kept.copy(), page.walked, page.worded
    for at, after in itertools.pairwise(worded):
        control, opened = walked.leaves[at], walked.leaves[after]
        if (
            is_kept[at]
            or not is_kept[after]
            or not control.inner
            or control.links
            or lexicon.line_purpose(control.words)
        ):
            continue
        names = [name for _, attributes in control.inner if (name := attributes.get("aria-controls"))]
        if len(names) == 1 and control.words.casefold() != opened.words.strip().casefold():
            is_kept[at] = any(box.attributes.get("id") == names[0] for box in opened.box.around())
    return selection._replace(is_kept=is_kept)


def announces(leaf: Leaf, size: float) -> bool:
    """Tell whether a line of `size` words announces what follows it: it ends in a colon and asks for nothing."""
    return size >= MIN_SENTENCE_WORDS and leaf.words.endswith(":") and not lexicon.line_purpose(leaf.words)


def keep_rules_and_pictures(page: ScoredPage, selection: Selection) -> Selection:
    """Keep a rule or a picture where the text on both sides of it is kept, and only there: it has no words."""
    is_kept, sizes = selection.is_kept, page.sizes
    spots = np.arange(len(is_kept))
    has_words = sizes > 0
    before = np.maximum.accumulate(np.where(has_words, spots, -1))
    after = np.minimum.accumulate(np.where(has_words, spots, len(is_kept))[::-1])[::-1]
    inside = np.concatenate([is_kept, [False]])
    return selection._replace(is_kept=np.where(has_words, is_kept, inside[before] & inside[after]))
