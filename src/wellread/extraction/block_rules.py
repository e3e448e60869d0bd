"""Mends a choice of blocks by rule: blocks that belong together stay together, blocks around a text are left out."""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left
from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.css.words import word_set
from wellread.extraction import lexicon
from wellread.seen import names
from wellread.segmentation import notes
from wellread.segmentation.boxes import chars, is_linked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats
    from wellread.segmentation.boxes import Box, Leaf, Walked
    from wellread.types import Mode, PageType

_LEAST_ROW: Final = 3
_LONGEST_LINK: Final = 25
_CLOUD: Final = 10
"""Links in one line, which are tags if they have..."""
_TAG: Final = 4
"""...so many words each at most."""
_PROSE: Final = 15
"""Words."""
_FEWEST_WORDS: Final = 4
"""Of a line that announces a list, or says something for itself."""
_LONGEST_LABEL: Final = 30
_WORDY: Final = 5
"""A link of so many words is called as a text is, not as a file or a site."""
_LONGEST_SLOGAN: Final = 40
"""Words that may follow a row of cards at the end of a page."""
_NEARLY_ALL: Final = 0.8
"""Of the words below a heading."""
_LONGEST_VALUE: Final = 30
"""Words."""
_SHORTEST_LEAD: Final = 60
"""Characters."""
_LONGEST_CODE_LABEL: Final = 40
"""Characters of what stands beside code in its box: a language, the words of a button."""
_FILE: Final = re.compile(r"(?=.{3,80}$)[\w@~./\\-]*\w\.[a-z]\w{0,8}", re.IGNORECASE)
"""The name of a file above its code."""
_LONGEST_FIELD: Final = 1_500
"""Characters that are said of one parameter."""
_BESIDE: Final = frozenset({"section", "comments"})
_CONTENTS: Final = re.compile(
    r"(?i)(?:table of contents|(?:on|in) this (?:page|article|post)|jump to|inhaltsverzeichnis|table des mati\u00e8res"
    r"|tabla de contenidos?|spis tre\u015bci|inhoudsopgave|(contents?|inhalt|sommaire|\u00edndice|contenidos?))\W*"
)
"""The heading of a table of contents; some words are one only where their box, or a list of links below, says so."""
_SEPARATOR: Final = re.compile(r"\s+[|\u00b7\u2022\u2013\u2014\u00bb:-]\s+")
"""The mark between the name of a page and that of its site."""
_SHORTEST_TITLE: Final = 10
"""Characters."""
_ICONS: Final = word_set("icon icons avatar")
_LISTED: Final = frozenset({"li", "dt", "dd", "td", "th"})
_LISTS: Final = frozenset({"ul", "ol", "menu", "dir"})
_SHORT_ITEM: Final = 3
"""Words of an item that looks like nothing by itself."""
_MOST_ITEMS: Final = 20
_MOST_LISTED: Final = 40
"""Items, and words, of a list that is kept for its heading: longer ones say enough for themselves."""
_LISTINGS: Final = frozenset({"ul", "ol", "dl", "table"})
_BESIDE_TEXT: Final = frozenset({"nav", "aside", "footer", "header", "form", "figcaption"})
_LONG_ITEM: Final = 20
"""Words of an item that belongs to its list where..."""
_MOST: Final = 2 / 3
"""...more than this share of it is kept."""
_CONTROLS: Final = frozenset({"plea", "comments", "legal", "section"})
"""Purposes of lines that ask the reader for something, or head a part beside the text."""
_MAX_PAIR: Final = 8
"""Leaves in the box of a label and its value, and of what belongs to them."""
_MAX_BARE: Final = 4
"""Headings at the end of a page, which are..."""
_BARE_SHARE: Final = 0.1
"""...this share of its text at most."""
_SHORT_CELL: Final = 12
"""Words."""
_LEAST_CELLS: Final = 6
"""Boxes side by side that are a grid, as of a table made of `div`: each short, most of them kept."""


def tidy(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats, kind: PageType, mode: Mode) -> None:
    """Keep code, leads, headings, lists and notes of kept text; leave out the blocks around an article's body."""
    worded: list[int] = np.flatnonzero(sizes).tolist()
    is_kept &= [not _is_icon_letter(leaf) for leaf in walked.leaves]
    _keep_code(is_kept, walked, worded)
    if mode != "precision":
        _keep_parameters(is_kept, walked)
    if mode == "precision" or (mode == "balanced" and kind == "article"):
        _leave_teasers(is_kept, walked, sizes)
    if mode == "precision":
        is_kept &= [_is_body(leaf) for leaf in walked.leaves]
        _leave_links(is_kept, walked, sizes, 1)
    elif mode == "balanced":
        _keep_lead(is_kept, walked)
        _keep_headings(is_kept, walked, sizes, worded, kind)
        if kind != "forum":
            _keep_like_headings(is_kept, walked, worded)
            _keep_values(is_kept, walked, sizes, worded)
            _keep_siblings(is_kept, walked, sizes)
            _keep_headed_lists(is_kept, walked, sizes, worded)
        _keep_announced(is_kept, walked, sizes, worded)
        _keep_terms(is_kept, walked, sizes, keep_values=kind != "forum")
        _keep_controls(is_kept, walked, worded)
        if kind not in {"article", "forum"}:
            _leave_bare_headings(is_kept, walked, worded, amid=kind == "product")
        if kind == "article":
            is_kept &= [not _leads_away(leaf) for leaf in walked.leaves]
            _leave_links(is_kept, walked, sizes, _LEAST_ROW)
    if mode != "precision":
        _keep_notes(is_kept, walked)
    if mode != "recall":
        _leave_contents(is_kept, walked, worded)


def _is_icon_letter(leaf: Leaf) -> bool:
    """Tell a letter that a font shows as an icon, or that stands for the picture of a person."""
    if leaf.chars != 1 or leaf.preformatted or not leaf.words.strip().isalpha():
        return False
    called = [names.of(attributes) for _, attributes in leaf.inner]
    return any(not _ICONS.isdisjoint(part) for part in (leaf.box.name_words, *called))


def _leave_contents(is_kept: NDArray[np.bool_], walked: Walked, worded: list[int]) -> None:
    """Leave out `Contents:` where the list that it heads is not kept, or was not read at all: a menu."""
    for at, after in itertools.pairwise(worded):
        label, below = walked.leaves[at], walked.leaves[after]
        if not is_kept[at] or label.box.tag in _LISTED:
            continue
        match = _CONTENTS.fullmatch(label.words.strip())
        listed = below.box.tag in _LISTED or is_linked(below) or (below.links > 0 and below.chars <= _LONGEST_LABEL)
        if match is not None and not (listed and is_kept[after]):
            is_kept[at] = match[1] is not None and not listed and "toc" not in label.box.name_words


def _keep_notes(is_kept: NDArray[np.bool_], walked: Walked) -> None:
    """Keep short notes that kept text refers to, and the list of works that it cites, with its heading."""
    for note in notes.short(walked, is_kept):
        is_kept[note.first : note.end] = True
    for works in notes.cited(walked, is_kept):
        headed = works.first > 0 and walked.leaves[works.first - 1].heading > 0
        is_kept[works.first - headed : works.end] = True


def _keep_code(is_kept: NDArray[np.bool_], walked: Walked, worded: list[int]) -> None:
    """Keep code beside text that is kept, in the same box: a few lines of it look like nothing else on a page.

    So is code amid such text, with the line right above it, which mostly says what it is for. Boxes that hold nothing
    but code and its labels are part of it, however many lie in one another.
    """
    leaves = walked.leaves
    codes = [at for at in worded if leaves[at].preformatted or leaves[at].box.is_signature]
    if not codes:
        return
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


def _holds_any(places: Sequence[int], first: int, end: int) -> bool:
    """Tell whether one of the ascending places lies from `first` to before `end`."""
    return bisect_left(places, first) < bisect_left(places, end)


def _keep_parameters(is_kept: NDArray[np.bool_], walked: Walked) -> None:
    """Keep the row that names a parameter, and its description, amid kept text: neither says much alone."""
    kept_leaves = np.flatnonzero(is_kept)
    if not len(kept_leaves):
        return
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


def _keep_lead(is_kept: NDArray[np.bool_], walked: Walked) -> None:
    """Keep the paragraph above the text that the page gives as its summary: how an article begins."""
    if not is_kept.any() or len(walked.summary) < _SHORTEST_LEAD:
        return
    for at in range(int(is_kept.argmax()) + 1):
        words = walked.leaves[at].words
        if len(words) >= _SHORTEST_LEAD and not walked.leaves[at].heading and words[:_SHORTEST_LEAD] in walked.summary:
            is_kept[at] = True
            return


def _keep_headings(
    is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats, worded: list[int], kind: PageType
) -> None:
    """Keep a heading between two blocks that are kept, and one amid the text if nearly all that it heads is kept.

    That reaches to the next heading of its level. Of those on WCXB's articles .79 stand in the truth, on other pages
    .72, in threads .36. `Archives` or `Related` head a section where prose follows them, and more sections after that.
    `told`: leaves with words.
    """
    kept_words, all_words = (np.insert(np.cumsum(words), 0, 0) for words in (sizes * is_kept, sizes))
    ends = [len(is_kept)] * 7  # by level, where the section ends that a heading here would begin
    for before, at, after in zip(worded[-3::-1], worded[-2::-1], worded[:0:-1], strict=False):
        level, end = walked.leaves[at].heading, ends[walked.leaves[at].heading]
        if not level:
            continue
        most = kept_words[end] - kept_words[at + 1] > max(_PROSE, _NEARLY_ALL * (all_words[end] - all_words[at + 1]))
        amid = kind != "forum" and kept_words[at] > 0 and kept_words[end] < kept_words[-1]
        heads_prose = most and amid and _is_prose(walked.leaves[after], sizes[after])
        if (is_kept[before] and is_kept[after] and not walked.leaves[after].heading) or (most and amid):
            is_kept[at] |= heads_prose or not lexicon.line_purpose(walked.leaves[at].words)
        ends[level:] = [at] * (7 - level)


def _leave_bare_headings(is_kept: NDArray[np.bool_], walked: Walked, worded: list[int], *, amid: bool) -> None:
    """Leave out headings at the end of the page whose sections are not kept; with `amid`, headings amid it, too.

    A link is the name of an entry, with a heading below it or without, and a film or a frame is what the heading above
    it heads. `worded`: leaves with words.
    """
    leaves, spots = walked.leaves, [at for at in worded if is_kept[at]]
    embedded = max((medium.at for medium in walked.media if not medium.is_picture), default=-1)
    end = len(spots)
    while end and leaves[spots[end - 1]].heading > 1 and not is_linked(leaves[spots[end - 1]]):
        end -= 1
    last = spots[end:]
    is_entry = end > 0 and leaves[spots[end - 1]].heading > 0
    is_small = chars(leaves[at] for at in last) <= _BARE_SHARE * chars(leaves[at] for at in spots)
    if last and not is_entry and is_small and len(last) <= _MAX_BARE and last[-1] >= embedded:
        around = leaves[last[0]].box.parent
        opens_box = around is not None and around.first == last[0]  # of a form, say, whose fields are no text
        is_kept[last] = worded[-1] == last[-1] and not opens_box
    if not amid:
        return
    for at, after in itertools.pairwise(spots):
        head, following = leaves[at], leaves[after]
        is_bare = head.heading > 1 and 0 < following.heading <= head.heading and after - at > 1
        if is_bare and not is_linked(head) and chars(leaves[at + 1 : after]):
            is_kept[at] = False


def _is_prose(leaf: Leaf, words: float) -> bool:
    return not leaf.heading and words >= _PROSE and leaf.link_chars * 2 < leaf.chars


def _keep_like_headings(is_kept: NDArray[np.bool_], walked: Walked, worded: list[int]) -> None:
    """Keep a heading right above prose that is kept, in one box, if that of a box of the same name is kept."""
    pairs = [(at, after) for at, after in itertools.pairwise(worded) if walked.leaves[at].heading]
    alike = {_shape(walked.leaves[at]) for at, _ in pairs if is_kept[at]}
    for at, after in pairs:
        head, text = walked.leaves[at], walked.leaves[after]
        if is_kept[at] or not is_kept[after] or text.heading:
            continue
        around = head.box.parent
        if around is not None and around.first <= after < around.end and text.chars > _SHORTEST_LEAD:
            is_kept[at] = _shape(head) in alike and not lexicon.line_purpose(head.words)


def _keep_values(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats, worded: list[int]) -> None:
    """Keep the short line that a kept label announces, `Developer:`, in the box that holds both and little else."""
    for at, after in itertools.pairwise(worded):
        label, line = walked.leaves[at], walked.leaves[after]
        if not is_kept[at] or is_kept[after] or label.heading or line.heading or label.chars > _LONGEST_LABEL:
            continue
        around = label.box.parent
        is_label = label.words.rstrip().endswith((":", "\uff1a")) and sizes[after] <= _SHORT_CELL
        if is_label and around is not None and around.items <= _MAX_PAIR and around.first <= after < around.end:
            is_kept[after] = True


def _shape(head: Leaf) -> tuple[int, str, str | None]:
    around = head.box.parent or head.box
    return head.heading, around.tag, around.attributes.get("class")


def _keep_siblings(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats) -> None:
    """Keep the short items of lists, and the cells of grids, whose siblings are kept: one word says too little to tell.

    An item that is alone in its list belongs to the item around it.
    """
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


def _keep_headed_lists(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats, worded: list[int]) -> None:
    """Keep the short list below a heading that is kept, where that is all of its section, amid the text.

    A heading promises what is below it; changes, ingredients or opening hours of two words each say little to tell.
    """
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
            if len(section) > _MOST_ITEMS or leaves[below].box.tag not in _LISTED:
                section = []
                break
        lost = [below for below in section if not is_kept[below]]
        doubtful = sum(is_linked(leaves[below]) or bool(lexicon.line_purpose(leaves[below].words)) for below in section)
        if text >= _PROSE and 2 * doubtful <= len(section) and sizes[section].sum() <= _MOST_LISTED:
            is_kept[lost] = True


def keep_main(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats) -> None:
    """Keep the items and cells of <main> that are not kept on a page of a few lines, where nearly all of it is.

    Menus, side boxes, forms, comments, links and lines that ask for something are no part of it, and neither is a list
    that holds any of those, or longer text that is not kept.
    """
    mains = [box for box in walked.boxes if box.tag == "main"] or [box for box in walked.boxes if box.tag == "article"]
    if len(mains) != 1:
        return
    main_leaves = [
        at for at in range(mains[0].first, mains[0].end) if sizes[at] and _is_own(walked.leaves[at], mains[0])
    ]
    if sizes[main_leaves] @ is_kept[main_leaves] >= _NEARLY_ALL * sizes[main_leaves].sum() > 0:
        is_own = np.zeros(len(is_kept), np.bool_)
        is_own[[at for at in main_leaves if is_kept[at] or walked.leaves[at].box.tag in _LISTED]] = True
        is_own |= sizes == 0
        for at in main_leaves:
            listing = next((box for box in walked.leaves[at].box.around() if box.tag in _LISTINGS), None)
            if listing is not None and is_own[listing.first : listing.end].all():
                is_kept[at] |= walked.leaves[at].box.tag in _LISTED


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


def _keep_announced(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats, worded: list[int]) -> None:
    """Keep the list below a kept line that ends in a colon: the line announces it."""
    for at, after in itertools.pairwise(worded):
        box = walked.leaves[after].box
        if is_kept[at] and box.tag == "li" and box.parent is not None and _announces(walked.leaves[at], sizes[at]):
            is_kept[box.parent.first : box.parent.end] = True


def _keep_terms(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats, *, keep_values: bool) -> None:
    """Keep the term above a description that is mostly kept: a value says nothing without its name.

    `keep_values` keeps the value of a name that is kept, too. In threads both are of users: their ranks and counts.
    """
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


def _keep_controls(is_kept: NDArray[np.bool_], walked: Walked, worded: list[int]) -> None:
    """Keep the button above the kept text of the panel that it opens: nothing else names the panel."""
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


def _announces(leaf: Leaf, size: float) -> bool:
    return size >= _FEWEST_WORDS and leaf.words.endswith(":") and not lexicon.line_purpose(leaf.words)


def _leads_away(leaf: Leaf) -> bool:
    """Tell whether a leaf is a label and a link that is called as texts are: "Read also: ...", in any language.

    By cross-validation trafilatura's set gains .003, WCXB and AEB nothing.
    """
    label, _, named = leaf.words.partition(":")
    mostly = leaf.links == 1 and leaf.chars // 2 <= leaf.link_chars < leaf.chars
    return mostly and len(label) <= _LONGEST_LABEL and named.count(" ") > _WORDY


def _is_body(leaf: Leaf) -> bool:
    """Tell captions, and lines that ask for something or say where one is, from the body of an article.

    A heading is what it seems only if it heads what stands beside an article: `Print` may be what the article is about.
    """
    line = lexicon.line_purpose(leaf.words)
    return (not line or (leaf.heading > 0 and line not in _BESIDE)) and all(
        box.tag != "figcaption" for box in leaf.box.around()
    )


def leave_side_bar(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats) -> None:
    """Leave out the headings above the line that the page is called after, with the columns that they head.

    Only where that line comes first in <title>, and most of the text stands below it.
    """
    title = _line_of_title(walked)
    if title is None or 2 * (sizes[title:] @ is_kept[title:]) < sizes @ is_kept:
        return
    for at in np.flatnonzero(is_kept[:title]).tolist():
        if not walked.leaves[at].heading or not is_kept[at]:
            continue
        column = walked.leaves[at].box
        while column.parent is not None and column.parent.end <= title:
            column = column.parent
        is_kept[column.first : column.end] = False


def _line_of_title(walked: Walked) -> int | None:
    """Return the first leaf whose text is exactly the first part of <title>."""
    lead = _SEPARATOR.split(walked.title, maxsplit=1)[0].strip()
    if lead == walked.title.strip() or len(lead) < _SHORTEST_TITLE:
        return None
    return next((at for at, leaf in enumerate(walked.leaves) if leaf.words.strip() == lead), None)


def _leave_teasers(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats) -> None:
    """Leave out the row of cards below a longer text whose titles, links all, are not kept: how other texts begin."""
    rows: dict[tuple[int, str, str | None], list[Box]] = {}
    for box in walked.boxes:
        if box.first < box.end and box.parent is not None:
            rows.setdefault((box.parent.index, box.tag, box.attributes.get("class")), []).append(box)
    words = sizes * is_kept
    before = [0.0, *np.cumsum(words).tolist()]  # rows that begin later, and are left out, are not before one
    last, slack = len(is_kept), float(_LONGEST_SLOGAN)
    for cards in sorted(rows.values(), key=lambda row: row[0].first, reverse=True):
        if len(cards) < _LEAST_ROW:
            continue
        first, end = cards[0].first, cards[-1].end
        while last and words[last - 1] <= slack:
            last -= 1
            slack -= words[last]
        shorter = 0 < before[end] - before[first] < before[first]
        inside = sum(before[card.end] - before[card.first] for card in cards)
        if end < last or not shorter or 2 * inside < before[end] - before[first]:
            continue  # or more is said between the cards than on them: they interrupt a text
        if 2 * sum(_is_teaser(card, walked.leaves, is_kept) for card in cards) > len(cards):
            slack += words[max(first, last) : end].sum()
            is_kept[first:end] = words[first:end] = False


def _is_teaser(card: Box, leaves: Sequence[Leaf], is_kept: NDArray[np.bool_]) -> bool:
    """Tell whether a link that is called as texts are is not kept of a card, nor any heading."""
    inside = [(is_kept[at], leaves[at]) for at in range(card.first, card.end)]
    return not any(keep and leaf.heading for keep, leaf in inside) and any(
        is_linked(leaf)
        and leaf.words.count(" ") > 1
        and not all((span.href or "#").startswith("#") for span in leaf.spans)
        for keep, leaf in inside
        if not keep
    )


def _leave_links(is_kept: NDArray[np.bool_], walked: Walked, sizes: Floats, least: int) -> None:
    """Leave out rows of `least` links or more before an article's first prose and after its last, with their headings.

    A cloud of tags in one line counts as a row of them. What it gains is in docs/reader.md.
    """
    linked = np.array([is_linked(leaf) for leaf in walked.leaves])
    counts = np.array([leaf.links for leaf in walked.leaves])
    clouds = linked & (counts >= _CLOUD) & (sizes <= _TAG * counts)
    links = clouds | (linked & (sizes <= _LONGEST_LINK))
    heads = np.array([leaf.heading > 0 for leaf in walked.leaves])
    prose = np.flatnonzero(is_kept & ~links & ~heads & (sizes >= _PROSE))
    if not len(prose):
        return
    for first, end in np.flatnonzero(np.diff(links, prepend=False, append=False)).reshape(-1, 2):
        announced = (
            least > 1 and first and is_kept[first - 1] and _announces(walked.leaves[first - 1], sizes[first - 1])
        )
        if (end - first >= least or clouds[first:end].any()) and not announced and not prose[0] < first < prose[-1]:
            is_kept[first:end] = False
    worded = np.flatnonzero(sizes)
    for last in worded[is_kept[worded]][::-1]:
        alone = last == worded[-1] and sizes[last] >= _FEWEST_WORDS and not links[last]  # a page may end in a slogan
        if alone or not (heads[last] or walked.leaves[last].words.endswith(":")):
            break
        is_kept[last] = False  # what it heads was left out
