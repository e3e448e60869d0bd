"""Rules that leave out what stands around the content, and the lines that nobody reads though nothing hides them.

`selection_rules.py` has the order in which they run.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import TYPE_CHECKING, Final

import numpy as np

from wellread.css.words import word_set
from wellread.extraction import lexicon
from wellread.extraction.block_rules import (
    LISTED,
    MAX_LABEL_CHARS,
    MIN_PROSE_WORDS,
    MIN_SENTENCE_WORDS,
    announces,
    leads_away,
)
from wellread.extraction.page_type_rules import other_states
from wellread.extraction.repeat_rules import window_twins
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import actions, names
from wellread.segmentation.boxes import chars, is_linked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats
    from wellread.extraction.features import Features
    from wellread.extraction.selection import ScoredPage, Selection
    from wellread.segmentation.boxes import Box, Leaf, Walked
    from wellread.types import PageType

_NOSCRIPT: Final = lexicon.categories("noscript", None)
_SHORT: Final = 60
"""Leaves: such a page may be no more than its dialog."""
_DIALOGS: Final = frozenset({"dialog", "alertdialog"})
_JSON: Final = ('{"', "[{", '["')
_CONTROLS: Final = frozenset({"hideme", "bbCodeBlock-expandLink", "quoteExpand", "siteSub"})
"""The classes of rustdoc, XenForo and MediaWiki for controls that open more, and for the line that names the site."""
_OPENS: Final = lazy_pattern(
    r"(?i)(?:click to )?(?:expand|show|hide|view|see)(?: (?:all|full|more|description|details?))*\W*"
)
_UUID: Final = lazy_pattern(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_MANY_UUIDS: Final = 4
_LONG_DATA: Final = 150
"""Characters."""
_SHOPS: Final = frozenset({"product", "collection", "listing"})
_RELATIONS: Final = frozenset({"next", "prev", "previous", "up", "start", "contents", "index", "home"})
"""Values of `rel` by which a page of a manual leads to the pages around it (HTML 4.01, 6.12)."""
_MAX_NAVIGATION_LEAVES: Final = 16
_FIELD_NAME: Final = lazy_pattern(r"[A-Za-z][A-Za-z0-9]*_[\w+. -]*:?")
"""An identifier with an underscore; nobody writes that for readers outside of documentation."""
_FIELD_VALUE: Final = lazy_pattern(
    r"(?:https?:/)?/\S*"  # an address or a path
    r"|\#[0-9a-fA-F]{3,8}"  # a colour
    r"|[\d\s.,;:%-]+"  # numbers
    r"|(?i:true|false|yes|no|null|none)"
    r"|(?=\S*\d)(?=\S*[A-Za-z])[\w-]+"  # a key of digits and letters
)
_MAX_FIELD_NAME_CHARS: Final = 60
"""Characters."""
_LEAST_FIELDS: Final = 4
"""Fields: fewer may be a file's name and its size."""
_NAME_TAGS: Final = frozenset({"dt", "th", "td"})
_VALUE_TAGS: Final = frozenset({"dd", "td"})
_CALLOUT: Final = lexicon.CALLOUT | word_set("quote pullquote highlight box")
_SURE: Final = 0.5
"""How likely a heading is that is part of the text, whatever stands below it, if there are more at the end."""
_LEAST_ROW: Final = 3
_LONGEST_LINK: Final = 25
_CLOUD: Final = 10
"""Links in one line, which are tags if they have..."""
_TAG: Final = 4
"""...so many words each at most."""
_WORDY: Final = 5
"""A link of so many words is called as a text is, not as a file or a site."""
_MAX_TITLE_LINKS: Final = 2
"""Links of a line: the label, and the title of another text."""
_MAX_TITLE_SHARE: Final = 0.2
"""Of the kept words: an article that has more of them is a list of them."""
_STOPS: Final = frozenset(".!\u3002\u0964")
_LONGEST_SLOGAN: Final = 40
"""Words that may follow a row of cards at the end of a page."""
_BESIDE: Final = frozenset({"section", "comments"})
_LONE_NUMBER: Final = lazy_pattern(r"[+-]?\d{1,4}")
_LEAST_NUMBERS: Final = 10
"""Lines in a run."""
_CONTENTS: Final = lazy_pattern(
    r"(?i)(?:table of contents|(?:on|in) this (?:page|article|post)|jump to|inhaltsverzeichnis|table des mati\u00e8res"
    r"|tabla de contenidos?|spis tre\u015bci|inhoudsopgave|(contents?|inhalt|sommaire|\u00edndice|contenidos?))\W*"
)
"""The heading of a table of contents; some words are one only where their box, or a list of links below, says so."""
_SEPARATOR: Final = lazy_pattern(r"\s+[|\u00b7\u2022\u2013\u2014\u00bb:-]\s+")
"""The mark between the name of a page and that of its site."""
_SHORTEST_TITLE: Final = 10
"""Characters."""
_ICONS: Final = word_set("icon icons avatar")
_MAX_BARE: Final = 4
"""Headings at the end of a page, which are..."""
_BARE_SHARE: Final = 0.1
"""...this share of its text at most."""


def unread(page: Features, walked: Walked, kind: PageType) -> NDArray[np.bool_]:
    """Return a mask of the leaves that nobody reads; empty where the page has nothing else."""
    unseen = _in_noscript(page) | _in_dialogs(walked, page.sizes)
    unseen |= [_is_for_machines(leaf) or _is_control(leaf) or _asks(leaf, walked.url) for leaf in walked.leaves]
    unseen |= _document_navigation(walked)
    again = window_twins(walked, unseen)
    unseen |= again | _hidden_twins(walked, again)
    if kind != "article":
        unseen |= other_states(walked)
    if kind in _SHOPS or walked.sells:
        unseen[_machine_fields(walked.leaves)] = True
    return unseen & bool(page.sizes @ ~unseen)


def _hidden_twins(walked: Walked, again: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which leaves stand in boxes called `hidden` and are said again elsewhere: there a person reads them.

    What is left out because it is said `again` here is not said elsewhere.

    Style sheets that are not read here hide such boxes on most pages, but not on all.
    """
    inside = np.zeros(len(walked.leaves), np.bool_)
    for box in walked.boxes:
        if "hidden" in (called := box.attributes.get("class") or "") and "hidden" in called.split():
            inside[box.first : box.end] = True
    if inside.any():
        shown = {leaf.words for leaf, hidden in zip(walked.leaves, inside | again, strict=True) if not hidden}
        inside &= [leaf.words in shown for leaf in walked.leaves]
    return inside


def _document_navigation(walked: Walked) -> NDArray[np.bool_]:
    """Tell which leaves stand in a table that leads to the pages around this one, as DocBook puts on each page.

    Each of its links, two at least, has an access key or says by `rel` which page it leads to.
    """
    inside = np.zeros(len(walked.leaves), np.bool_)
    for box in walked.boxes:
        if box.tag == "table" and 1 < box.end - box.first <= _MAX_NAVIGATION_LEAVES:
            linked = [leaf for leaf in walked.leaves[box.first : box.end] if leaf.links]
            inside[box.first : box.end] |= len(linked) > 1 and all(map(_leads_around, linked))
    return inside


def _leads_around(leaf: Leaf) -> bool:
    """Tell whether the links of a leaf lead to the pages around this one."""
    links = [attributes for tag, attributes in leaf.inner if tag == "a" and attributes.get("href")]
    return bool(links) and all(
        "accesskey" in attributes or not _RELATIONS.isdisjoint((attributes.get("rel") or "").lower().split())
        for attributes in links
    )


def _in_noscript(page: Features) -> NDArray[np.bool_]:
    """Tell which leaves stand in a <noscript> though the rest of the page says more: nobody with scripts sees them."""
    inside = (page.around.categories[page.around.own] & _NOSCRIPT) > 0
    if page.sizes @ inside <= page.sizes @ ~inside:
        return inside
    return np.zeros(len(inside), np.bool_)


def _in_dialogs(walked: Walked, sizes: Floats) -> NDArray[np.bool_]:
    """Return a mask of the leaves in dialogs on a page of many leaves: a dialog covers the page until it is answered.

    On WCXB's pages, of 1,745 lines in dialogs that are not hidden the truths have 20.
    """
    inside = np.zeros(len(sizes), np.bool_)
    for box in walked.boxes:
        if box.tag == "dialog" or box.attributes.get("role") in _DIALOGS:
            inside[box.first : box.end] = True
    covered = len(inside) > _SHORT and sizes @ inside <= sizes @ ~inside
    if covered:
        return inside
    return np.zeros(len(inside), np.bool_)


def _is_for_machines(leaf: Leaf) -> bool:
    """Tell data that the page's scripts read, and scrambled text: style sheets that are not read here hide both."""
    text = leaf.words
    if leaf.preformatted or len(text) < _LONG_DATA:
        return False
    if text[:2] in _JSON and text[-1] in "}]":
        return True
    # Each holds four hyphens: counting those is nothing beside the search.
    return text.count("-") >= 4 * _MANY_UUIDS and len(_UUID.findall(text)) >= _MANY_UUIDS


def _asks(leaf: Leaf, url: str | None) -> bool:
    """Tell whether a line is nothing but buttons: links that print or share the page, or factors of a recipe."""
    if leaf.heading or leaf.preformatted or not leaf.words:
        return False
    if not leaf.links and leaf.chars:
        return actions.multiplies(leaf.words)
    for span in leaf.spans:
        works = span.href and (actions.shares(span.href, url) or actions.prints(span.href, span.text))
        if not works and span.text.strip():
            return actions.multiplies(leaf.words)
    return True


def _is_control(leaf: Leaf) -> bool:
    """Return whether a leaf only says to open the text below, or is the line with which software names a site."""
    box = leaf.box
    if box.tag == "summary" and _OPENS.fullmatch(leaf.words):
        return True
    if leaf.chars > _LONG_DATA or not box.attributes:
        return False
    return not _CONTROLS.isdisjoint(names.listed(box.attributes.get("class"), box.attributes.get("id")))


def _machine_fields(leaves: Sequence[Leaf]) -> list[int]:
    """Return the leaves of named fields of which half have values that are no words; empty where there are few."""
    fields = [(at, [*_field_values(leaves, at)]) for at, leaf in enumerate(leaves) if _is_field_name(leaf)]
    valued = [values for _, values in fields if values]
    plain = sum(all(_FIELD_VALUE.fullmatch(leaves[at].words) for at in values) for values in valued)
    if len(valued) < _LEAST_FIELDS or 2 * plain < len(valued):
        return []
    return [spot for name, values in fields for spot in (name, *values)]


def _is_field_name(leaf: Leaf) -> bool:
    if leaf.heading or leaf.preformatted or leaf.chars > _MAX_FIELD_NAME_CHARS or "_" not in leaf.words:
        return False
    return leaf.box.tag in _NAME_TAGS and _FIELD_NAME.fullmatch(leaf.words) is not None


def _field_values(leaves: Sequence[Leaf], name: int) -> Iterator[int]:
    """Yield the leaves of the box that follows the box of a name, in the same list or row."""
    around = leaves[name].box.parent
    value = next((leaf.box for leaf in leaves[name + 1 : name + 2]), None)
    if value is not None and value.tag in _VALUE_TAGS and value.parent is around:
        yield from range(value.first, value.end)


def leave_unread(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out the lines that nobody reads, which rules may have kept with the text around them."""
    del page
    return selection._replace(is_kept=selection.is_kept & ~selection.is_unread)


def leave_landmarks(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out <header> and <aside> beside the text: on a page of a few lines there is little else to go by.

    Headings of sections stay, but in mode `precision`, and so does the page's own, wherever it stands.
    """
    is_kept, walked, is_body_alone = selection.is_kept, page.walked, page.mode == "precision"
    beside = np.array([_is_beside(leaf.box) for leaf in walked.leaves])
    heads = [at for at, leaf in enumerate(walked.leaves) if leaf.heading == 1]
    if not is_body_alone and len(heads) == 1 and walked.title.startswith(walked.leaves[heads[0]].words):
        beside[heads[0]] = False
    remaining: NDArray[np.bool_] = is_kept & ~beside
    if not remaining.any():
        remaining = is_kept
    if not is_body_alone:
        remaining = remaining | np.array([_is_section(leaf) for leaf in walked.leaves])
    return selection._replace(is_kept=remaining)


def _is_beside(box: Box) -> bool:
    boxes = tuple(box.around())
    if any(at.tag == "aside" and _CALLOUT.isdisjoint(at.name_words) for at in boxes):
        return True
    return any(at.tag == "header" for at in boxes) and all(at.tag not in {"article", "main"} for at in boxes)


def _is_section(leaf: Leaf) -> bool:
    """Return whether a leaf heads a section of an article, and not a part after the article."""
    if not leaf.heading or lexicon.line_purpose(leaf.words):
        return False
    tags = {box.tag for box in leaf.box.around()}
    return not {"article", "main"}.isdisjoint(tags) and "aside" not in tags


def leave_icon_letters(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out letters that a font shows as icons.

    The icon font of a theme made lines of single letters in the text of service pages.
    """
    return selection.leave_out([at for at, leaf in enumerate(page.walked.leaves) if _is_icon_letter(leaf)])


def _is_icon_letter(leaf: Leaf) -> bool:
    """Tell a letter that a font shows as an icon, or that stands for the picture of a person."""
    if leaf.chars != 1 or leaf.preformatted or not leaf.words.strip().isalpha():
        return False
    called = [names.of(attributes) for _, attributes in leaf.inner]
    return any(not _ICONS.isdisjoint(part) for part in (leaf.box.name_words, *called))


def leave_contents(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out `Contents:` where the list that it heads is not kept, or was not read at all: a menu."""
    is_kept, walked, worded = selection.is_kept.copy(), page.walked, page.worded
    for at, after in itertools.pairwise(worded):
        label, below = walked.leaves[at], walked.leaves[after]
        if not is_kept[at] or label.box.tag in LISTED:
            continue
        match = _CONTENTS.fullmatch(label.words.strip())
        listed = below.box.tag in LISTED or is_linked(below) or (below.links > 0 and below.chars <= MAX_LABEL_CHARS)
        if match is not None and not (listed and is_kept[after]):
            is_kept[at] = match[1] is not None and not listed and "toc" not in label.box.name_words
    return selection._replace(is_kept=is_kept)


def leave_labels_of_nothing(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out labels without what they label: `Reklama` above each advertisement, `Lue my\u00f6s:` above no link.

    The first is a heading that asks for something, and stands on the page again; the second ends in a colon, and the
    link below is not kept.
    """
    is_kept, leaves, worded = selection.is_kept, page.walked.leaves, page.worded
    pleas = [at for at in worded if leaves[at].heading and lexicon.line_purpose(leaves[at].words) == "plea"]
    counts = Counter(leaves[at].words for at in pleas)
    repeated = [at for at in pleas if counts[leaves[at].words] > 1]
    stubs = [
        at
        for at, after in itertools.pairwise(worded)
        if leaves[at].words.endswith(":")
        and not is_kept[after]
        and is_linked(leaves[after])
        and lexicon.line_purpose(leaves[at].words) == "section"
    ]
    return selection.leave_out([*repeated, *stubs])


def leave_lone_numbers(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out a run of numbers whose labels, the lines between them, are not kept.

    A league table beside a report on a match left a column of points in its text.
    """
    leaves = page.walked.leaves
    places = [place for place, at in enumerate(page.worded) if selection.is_kept[at]]
    alone = [_LONE_NUMBER.fullmatch(leaves[page.worded[place]].words) is not None for place in places]
    lines: list[int] = []
    for first, end in np.flatnonzero(np.diff(alone, prepend=False, append=False)).reshape(-1, 2):
        if end - first >= _LEAST_NUMBERS and places[end - 1] - places[first] >= 2 * (end - first) - 2:
            lines += [page.worded[place] for place in places[first:end]]
    return selection.leave_out(lines)


def leave_bare_headings(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out headings at the end of the page whose sections are not kept; on products headings amid it, too.

    A link is the name of an entry, with a heading below it or without, and a film or a frame is what the heading above
    it heads.

    F1 +.0001 for those amid it.
    """
    is_kept, walked, worded = selection.is_kept.copy(), page.walked, page.worded
    amid = selection.page_type == "product"
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
        return selection._replace(is_kept=is_kept)
    for at, after in itertools.pairwise(spots):
        head, following = leaves[at], leaves[after]
        is_bare = head.heading > 1 and 0 < following.heading <= head.heading and after - at > 1
        if is_bare and not is_linked(head) and chars(leaves[at + 1 : after]):
            is_kept[at] = False
    return selection._replace(is_kept=is_kept)


def leave_other_texts(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out lines of an article that lead to another text: "Read also: ...", in any language.

    A line that is a link as a whole, without a stop at its end, is the title of that text. By cross-validation
    trafilatura's set gains .003, WCXB and AEB nothing; by the lines that are links AEB .001 in both modes and
    trafilatura's set .0006, in mode `precision` .0025.
    """
    leaves, worded, sizes = page.walked.leaves, page.worded, page.sizes
    away = [at for at, leaf in enumerate(leaves) if _leads_away(leaf)]
    titles = [
        at
        for before, at, _ in zip(worded, worded[1:], worded[2:], strict=False)
        if sizes[at] > _WORDY and _is_title_of_another(leaves[at]) and not announces(leaves[before], sizes[before])
    ]
    kept_words = sizes @ selection.is_kept
    if sizes[titles] @ selection.is_kept[titles] > _MAX_TITLE_SHARE * kept_words:  # what the page is about
        titles = []
    return selection.leave_out([*away, *titles])


def _is_title_of_another(leaf: Leaf) -> bool:
    """Tell whether a line that is no heading and no entry of a list is a link to another page, called as texts are."""
    if leaf.heading or leaf.links > _MAX_TITLE_LINKS or leaf.box.tag in LISTED:
        return False
    return leads_away(leaf) and leaf.words.rstrip()[-1:] not in _STOPS


def _leads_away(leaf: Leaf) -> bool:
    """Tell whether a leaf is a label and a link that is called as texts are."""
    label, _, named = leaf.words.partition(":")
    mostly = leaf.links == 1 and leaf.chars // 2 <= leaf.link_chars < leaf.chars
    return mostly and len(label) <= MAX_LABEL_CHARS and named.count(" ") > _WORDY


def leave_captions_and_pleas(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out captions, and short lines that ask for something or say where one is: AEB's truths have none.

    By cross-validation AEB gains .013 in mode `precision`, with `leave_link_rows`.
    """
    return selection.leave_out([at for at, leaf in enumerate(page.walked.leaves) if not _is_body(leaf)])


def _is_body(leaf: Leaf) -> bool:
    """Tell captions, and lines that ask for something or say where one is, from the body of an article.

    A heading is what it seems only if it heads what stands beside an article: `Print` may be what the article is about.
    """
    line = lexicon.line_purpose(leaf.words)
    return (not line or (leaf.heading > 0 and line not in _BESIDE)) and all(
        box.tag != "figcaption" for box in leaf.box.around()
    )


def leave_side_bar(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out the headings above the line that the page is called after, with the columns that they head.

    Only where that line comes first in <title>, and most of the text stands below it.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    title = _line_of_title(walked)
    if title is None or 2 * (sizes[title:] @ is_kept[title:]) < sizes @ is_kept:
        return selection
    for at in np.flatnonzero(is_kept[:title]).tolist():
        if not walked.leaves[at].heading or not is_kept[at]:
            continue
        column = walked.leaves[at].box
        while column.parent is not None and column.parent.end <= title:
            column = column.parent
        is_kept[column.first : column.end] = False
    return selection._replace(is_kept=is_kept)


def _line_of_title(walked: Walked) -> int | None:
    """Return the first leaf whose text is exactly the first part of <title>."""
    lead = _SEPARATOR.split(walked.title, maxsplit=1)[0].strip()
    if lead == walked.title.strip() or len(lead) < _SHORTEST_TITLE:
        return None
    return next((at for at, leaf in enumerate(walked.leaves) if leaf.words.strip() == lead), None)


def leave_teasers(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out the row of cards below a longer text whose titles, links all, are not kept: how other texts begin.

    F1 on AEB +.005, in mode `precision` +.004; WCXB +.0003; trafilatura's set +.0007.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
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
    return selection._replace(is_kept=is_kept)


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


def leave_link_rows(page: ScoredPage, selection: Selection) -> Selection:
    """Leave out rows of links before an article's first prose and after its last, with the headings above them.

    A row has three links; in mode `precision` a single one is left out, too. A cloud of tags in one line counts as a
    row. By cross-validation AEB gains .007 and, in mode `precision`, .013; trafilatura's set .004 and .006.
    """
    is_kept, walked, sizes = selection.is_kept.copy(), page.walked, page.sizes
    least = 1 if page.mode == "precision" else _LEAST_ROW
    linked = np.array([is_linked(leaf) for leaf in walked.leaves])
    counts = np.array([leaf.links for leaf in walked.leaves])
    clouds = linked & (counts >= _CLOUD) & (sizes <= _TAG * counts)
    links = clouds | (linked & (sizes <= _LONGEST_LINK))
    heads = np.array([leaf.heading > 0 for leaf in walked.leaves])
    prose = np.flatnonzero(is_kept & ~links & ~heads & (sizes >= MIN_PROSE_WORDS))
    if not len(prose):
        return selection
    for first, end in np.flatnonzero(np.diff(links, prepend=False, append=False)).reshape(-1, 2):
        announced = least > 1 and first and is_kept[first - 1] and announces(walked.leaves[first - 1], sizes[first - 1])
        if (end - first >= least or clouds[first:end].any()) and not announced and not prose[0] < first < prose[-1]:
            is_kept[first:end] = False
    worded = np.flatnonzero(sizes)
    tail = itertools.takewhile(heads.__getitem__, worded[is_kept[worded]][::-1])
    is_list = sum(page.likely[at] >= _SURE for at in tail) >= _LEAST_ROW  # of headings, of which pictures say the rest
    for last in worded[is_kept[worded]][::-1]:
        alone = (
            last == worded[-1] and sizes[last] >= MIN_SENTENCE_WORDS and not links[last]
        )  # a page may end in a slogan
        is_entry = is_list and heads[last] and page.likely[last] >= _SURE
        if alone or is_entry or not (heads[last] or walked.leaves[last].words.endswith(":")):
            break
        is_kept[last] = False  # what it heads was left out
    return selection._replace(is_kept=is_kept)
