"""Answers a question for several things with a document list or table of a page, item by item; pure.

`list_questions` tells which questions ask for several things. The list, the table or the headings of one level
that answer it are introduced (heading, line before them, names of columns) by what is to be listed, and have most words
of the question. Words that the introduction lacks choose among the items: `sold on Sunday`.
"""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.citations import verification
from wellread.css.words import word_set
from wellread.index.plain_text import plain
from wellread.index.search_terms import fold, is_spaced
from wellread.rank.bm25 import score_bm25
from wellread.reading.best_sentences import (
    FENCE,
    QUESTION_MARKS,
    TABLE_RULE,
    passage_part,
    table_row,
    without_question_words,
)
from wellread.reading.list_questions import listed_stem
from wellread.text.characters import on_one_line
from wellread.types import Claim, Notice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wellread.types import Gathered, Page, Passage

MAX_ITEMS: Final = 30
MIN_ITEMS: Final = 2
MIN_HEADINGS: Final = 3
MAX_PAGE_CHARS: Final = 200_000
MAX_GROUPS: Final = 200
MIN_COVERED: Final = 0.35
"""The share of the question that the introduction and the items have together, at least."""
_CHOSEN_SHARE: Final = 0.75
"""Of the best item's words beyond the introduction, what another item has at least to be chosen."""
_MIN_CHOOSING_TERMS: Final = 3
"""Terms beyond the introduction that an item has at least, so that items are chosen: a word with its pieces has as
many, and two words that only begin alike have fewer."""
_MAX_INTRODUCTION_CHARS: Final = 120
"""Of the line before a list; instead of a longer one that does not end with a colon, the heading is shown."""

_ASKING_WORDS: Final = word_set(
    "list name enumerate give show me please all every each different kinds kind sorts sort there have has had this "
    "these nenne liste zahle alle gibt es offered available"
)
"""Words of such a question that no list has to have."""
_MAX_ENDING_CHARS: Final = 3
_ITEM: Final = re.compile(r"(?P<indent>[ \t]{0,20})(?:[-*+]|\d{1,4}[.)])[ \t]{1,4}\S")
_HEADING: Final = re.compile(r"(#{1,6}) +\S")
_LINE: Final = re.compile(r"[^\n]+")


class _PageLine(NamedTuple):
    """A line of a page with its offset."""

    text: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class _ItemGroup(NamedTuple):
    """The items of a list, of a table or of headings, with the line that introduces them."""

    introduction: Claim
    items: tuple[Claim, ...]
    item_texts: tuple[str, ...]
    """The words of each item; of a heading, with its section."""
    context: Passage
    """The introduction with the heading above it and the names of columns."""
    end: int
    """The offset after the last item in the text of the page."""
    may_go_on: bool = False
    """Whether the text of the page was cut there."""


class ListAnswer(NamedTuple):
    """The claims of a list that answers a question, and what it lacks."""

    claims: list[Claim]
    """The introduction of the list, and its items."""
    notices: list[Notice]


def list_answer(gathered: Gathered) -> ListAnswer:
    """Return the items of the list, table or headings that answer a question for several things; else nothing."""
    stem = listed_stem(gathered.query)
    if not stem:
        return ListAnswer([], [])
    question = _subject(gathered.query)
    groups_of_pages = (group for page in gathered.pages for group in _groups_of(page, gathered.passages))
    groups = list(itertools.islice(groups_of_pages, MAX_GROUPS))
    introduced = score_bm25(question, [group.context for group in groups]).covered
    covered = score_bm25(question, [_with_items(group) for group in groups]).covered
    scored = [
        (share_of_introduction + share, group)
        for group, share_of_introduction, share in zip(groups, introduced, covered, strict=True)
        if share >= MIN_COVERED and _introduces(group, stem)
    ]
    if not scored:
        return ListAnswer([], [])
    _, best = max(scored, key=itemgetter(0))
    items = _chosen_items(question, best)
    notices = []
    if len(items) > MAX_ITEMS:
        detail = f"the list has {len(items)} items that answer; the first {MAX_ITEMS} are shown"
        notices.append(Notice("list_cut", detail, len(items) - MAX_ITEMS))
    if best.may_go_on:
        notices.append(Notice("list_cut", "the list may go on in the part of the page that was not read"))
    return ListAnswer(_cited([best.introduction, *items[:MAX_ITEMS]]), notices)


def _subject(question: str) -> str:
    """Return the words of a question that say what is to be listed."""
    words = [word for word in without_question_words(question).split() if fold(word).strip() not in _ASKING_WORDS]
    return " ".join(words) or question


def _introduces(group: _ItemGroup, stem: str) -> bool:
    """Return whether the introduction of a group names what is to be listed."""
    words = fold(" ".join((group.context.text, *group.context.headings))).split()
    if not is_spaced(stem):
        return stem in "".join(words)
    return any(word.startswith(stem) and len(word) <= len(stem) + _MAX_ENDING_CHARS for word in words)


def _cited(claims: Sequence[Claim]) -> list[Claim]:
    return [replace(claim, passages=tuple(map(verification.cited, claim.passages))) for claim in claims]


def _with_items(group: _ItemGroup) -> Passage:
    return replace(group.context, text=" ".join([group.context.text, *group.item_texts]))


def _chosen_items(question: str, group: _ItemGroup) -> list[Claim]:
    """Return the items that have the words of the question that the introduction lacks; all if none has them."""
    documents = [
        group.context,
        *(replace(group.context, text=text, headings=(), title=None) for text in group.item_texts),
    ]
    scored = score_bm25(question, documents)
    remaining = [terms - scored.terms[0] for terms in scored.terms[1:]]
    if max(map(len, remaining), default=0) < _MIN_CHOOSING_TERMS:
        return list(group.items)
    shares = [sum(scored.term_shares[term] for term in terms) for terms in remaining]
    best = max(shares)
    return [item for item, share in zip(group.items, shares, strict=True) if share >= _CHOSEN_SHARE * best]


# --------------------------------------------------------------------------------------------------------- groups


def _groups_of(page: Page, passages: Sequence[Passage]) -> Iterator[_ItemGroup]:
    """Yield the groups of a page that has a ranked passage, and whose text is that in which citations count."""
    passage = next((passage for passage in passages if passage.snapshot_id == page.snapshot_id), None)
    if passage is None or page.text[passage.start - page.start : passage.end - page.start] != passage.text:
        return
    text = page.text[:MAX_PAGE_CHARS]
    document = replace(passage, text=text, start=page.start, end=page.start + len(text), headings=(), cut="")
    lines = list(_lines(text))
    is_cut = page.truncated or len(text) < len(page.text)
    text_end = len(text.rstrip())
    for group in itertools.chain(_heading_groups(document, lines), _block_groups(document, lines)):
        yield group._replace(may_go_on=is_cut and group.end >= text_end)


def _block_groups(document: Passage, lines: Sequence[_PageLine]) -> Iterator[_ItemGroup]:
    """Yield the lists and tables of a page."""
    above: list[_PageLine] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        if heading := _HEADING.match(line.text):
            above = [entry for entry in above if _level(entry) < len(heading[1])] + [line]
        belongs = _is_list_line
        if _is_row(line):
            belongs = _is_row
        end = at
        while end < len(lines) and belongs(lines[end]):
            end += 1
        if end > at:
            group = _group(document, lines[max(0, at - 1)], lines[at:end], above)
            if group is not None:
                yield group
        at = max(end, at + 1)


def _lines(text: str) -> Iterator[_PageLine]:
    """Yield the lines of a text that have one, without those of code."""
    is_code = False
    for match in _LINE.finditer(text):
        if match[0].lstrip().startswith(FENCE):
            is_code = not is_code
        elif not is_code:
            yield _PageLine(match[0], match.start())


def _level(heading: _PageLine) -> int:
    return len(heading.text) - len(heading.text.lstrip("#"))


def _is_row(line: _PageLine) -> bool:
    return line.text.startswith("|")


def _is_list_line(line: _PageLine) -> bool:
    """Return whether a line begins an item, or continues one."""
    return _ITEM.match(line.text) is not None or line.text.startswith("  ")


def _group(
    document: Passage, introduction: _PageLine, block: Sequence[_PageLine], above: Sequence[_PageLine]
) -> _ItemGroup | None:
    columns: Passage | None = None
    if _is_row(block[0]):
        rows = [passage_part(document, line.start, line.end) for line in block]
        if len(rows) > 2 and TABLE_RULE.fullmatch(block[1].text.strip()):
            columns = rows[0]
        items = [table_row(row, columns, document).claim for row in rows if not TABLE_RULE.fullmatch(row.text.strip())]
        items = items[columns is not None :]
    else:
        items = [_item(document, part) for part in _list_items(block)]
    if len(items) < MIN_ITEMS or introduction is block[0]:
        return None
    headings = tuple(on_one_line(plain(line.text)) for line in above[-1:])
    names = ""
    if columns is not None:
        names = plain(columns.text)
    context = replace(document, text=f"{plain(introduction.text)} {names}", headings=headings)
    if above and len(introduction.text) > _MAX_INTRODUCTION_CHARS and not introduction.text.endswith(":"):
        introduction = above[-1]
    item_texts = tuple(item.text for item in items)
    return _ItemGroup(_introduction(document, introduction), tuple(items), item_texts, context, block[-1].end)


def _list_items(block: Sequence[_PageLine]) -> Iterator[list[_PageLine]]:
    """Yield the lines of each item of the outermost list; lists in an item belong to it."""
    item: list[_PageLine] = []
    for line in block:
        match = _ITEM.match(line.text)
        if match is not None and not match["indent"] and item:
            yield item
            item = []
        item.append(line)
    yield item


def _item(document: Passage, lines: Sequence[_PageLine]) -> Claim:
    part = passage_part(document, lines[0].start, lines[-1].end)
    return Claim(text=on_one_line(plain(part.text)).lstrip("-*+ "), passages=(part,))


def _introduction(document: Passage, line: _PageLine) -> Claim:
    text = on_one_line(plain(line.text)).rstrip(".: ")
    return Claim(text=f"{text}:", passages=(passage_part(document, line.start, line.end),))


def _heading_groups(document: Passage, lines: Sequence[_PageLine]) -> Iterator[_ItemGroup]:
    """Yield the headings of one level below a heading: the entries of a page that lists things by sections."""
    headings = [line for line in lines if _HEADING.match(line.text)]
    for at, heading in enumerate(headings):
        level = _level(heading)
        after = at + 1
        while after < len(headings) and _level(headings[after]) > level:
            after += 1  # each heading has six levels above it at most
        entries = [entry for entry in headings[at + 1 : after] if _level(entry) == level + 1]
        asks = any(entry.text.rstrip().endswith(QUESTION_MARKS) for entry in entries)
        if len(entries) < MIN_HEADINGS or asks:  # questions of a page are no answers
            continue
        end = len(document.text)
        if after < len(headings):
            end = headings[after].start
        ends = [*(entry.start for entry in entries[1:]), end]
        texts = [plain(document.text[entry.start : entry_end]) for entry, entry_end in zip(entries, ends, strict=True)]
        items = tuple(_item(document, [entry]) for entry in entries)
        context = replace(document, text=plain(heading.text))
        yield _ItemGroup(_introduction(document, heading), items, tuple(texts), context, end)
