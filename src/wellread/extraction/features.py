"""Measures a walked page for the learned reader: numbers for every leaf, and the arrays to look around it.

All of it is counted for a whole page at once, in arrays; loops in Python touch each leaf and each box once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.extraction import lexicon
from wellread.extraction.context_features import (
    BOX_NUMBERS,
    LEVELS,
    SHAPE_NUMBERS,
    ContextFeatures,
    article_shape,
    surroundings,
)
from wellread.segmentation import script_lengths
from wellread.types import Style

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from wellread.extraction.context_features import Floats, Integers
    from wellread.extraction.vocabulary import Vocabulary
    from wellread.segmentation.boxes import Box, Leaf, Walked

_PARTS: Final = frozenset({"article", "aside", "blockquote", "details", "dialog", "figure", "form", "li", "td", "th"})
"""Where they end, what their headings say of what follows ends."""
_MOST_TEXT: Final = 2_000
"""Characters of one leaf that are counted: what a paragraph looks like is plain by then."""
_IMAGE, _STRONG = int(Style.IMAGE), int(Style.STRONG)
_LINES: Final = {"": -1} | {name: at for at, name in enumerate(lexicon.LINES)}
_LINE_NUMBERS: Final = np.arange(len(lexicon.LINES))
_CATEGORY_BITS: Final = np.arange(len(lexicon.CATEGORIES), dtype=np.uint32)

_CLASSES: Final = ("0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", " \n\t", ",;:", ".!?", "$%", "|/>@#", "()[]{}=_")
_ALIKE: Final = (
    ("0", "\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59\uff10-\uff19"),
    ("A", "\u0386-\u038f\u0391-\u03ab\u0400-\u042f\u0531-\u0556\uff21-\uff3a"),
    (" ", "\u3000"),
    (",", "\u055d\u060c\u061b\u1363\u1365\u3001\uff0c\uff1a\uff1b\uff64"),
    (".", "\u0589\u061f\u06d4\u0964\u0965\u104b\u1362\u17d4\u3002\uff01\uff0e\uff1f\uff61"),
    ("|", "\uff0f\uff5c"),
    ("(", "\u300c-\u300f\u3010\u3011\uff08\uff09"),
)
"""Ranges of characters of other scripts, with one of `_CLASSES` that does the same (Unicode, `PropList.txt`)."""
_DIGITS, _CAPITALS, _SPACES, _PAUSES, _STOPS = range(5)
_SHARES: Final = 4
"""Of the classes, those whose shares of a leaf are measured."""
_OTHER: Final = 0x1_0000
"""Code points from here on count as letters."""


def _table() -> NDArray[np.uint8]:
    table = np.zeros(_OTHER + 1, np.uint8)
    for bit, characters in enumerate(_CLASSES):
        for character in characters:
            table[ord(character)] = 1 << bit
    for like, ranges in _ALIKE:
        for match in re.finditer("(.)(?:-(.))?", ranges):
            table[ord(match[1]) : ord(match[2] or match[1]) + 1] = table[ord(like)]
    return table


_TABLE: Final = _table()


class Features(NamedTuple):
    """A page as the reader's network sees it: N leaves, B boxes that hold some."""

    numbers: Floats
    """(N, F): see `_numbers`."""
    around: ContextFeatures
    words: Integers
    """Ids of the opening words of each leaf, all in one row."""
    word_starts: Integers
    """(N,): where each leaf's words start."""
    inner: Integers
    """Ids of what the inline elements in each leaf are called, all in one row."""
    inner_starts: Integers
    """(N,): where each leaf's start."""
    heading: Integers
    """(N,): the heading above each leaf, or the leaf itself when there is none."""
    origin: Integers
    """(N,): the first leaf that says just the same."""
    code: NDArray[np.bool_]
    """(N,): whether each leaf is preformatted."""
    weight: Floats
    """(N,): each leaf's share of the characters on the page."""
    sizes: Floats
    """(N,): words, about."""


def page_features(walked: Walked, vocabulary: Vocabulary, *, number_count: int | None = None) -> Features:
    """Return the features of a page that has at least one leaf.

    `number_count` bounds the numbers of each leaf: a network takes those that there were when it was trained.
    """
    leaves = walked.leaves
    texts = [leaf.words for leaf in leaves]
    script = _script(texts)
    own_measures = _Own(leaves, texts, walked.title, script)
    around = surroundings(walked, vocabulary, own_measures.chars, own_measures.linked)
    word_ids, word_counts = vocabulary.openings(texts)
    inner, inner_counts = vocabulary.inner(leaves)
    heading, ended = _headings(leaves)
    columns = [
        _numbers(own_measures, around, heading, script),
        ended,
        *_purposes(texts, heading),
        *_places(around, script),
    ]
    if number_count is None or number_count > sum(column.shape[1] for column in columns):
        kinds = around.kinds[around.own]
        columns.append(article_shape(walked, texts, own_measures.chars, own_measures.linked, kinds, own_measures.title))
    return Features(
        numbers=np.concatenate(columns, axis=1, dtype=np.float32)[:, :number_count],
        around=around,
        words=np.array(word_ids, np.intp),
        word_starts=_starts(word_counts),
        inner=np.array(inner, np.intp),
        inner_starts=_starts(inner_counts),
        heading=heading,
        origin=own_measures.origin,
        code=own_measures.code > 0,
        weight=own_measures.chars / max(1.0, float(own_measures.chars.sum())),
        sizes=_words(texts, script),
    )


def word_columns(count: int) -> slice:
    """Return the slice of the `count` columns with the purposes of lines and the categories of boxes."""
    after = 2 * len(_CLASSES) - 1 + _SHARES + LEVELS * (BOX_NUMBERS + 1) + SHAPE_NUMBERS
    end = count - after
    return slice(end - 2 * len(lexicon.LINES) - len(lexicon.CATEGORIES), end)


def _words(texts: Sequence[str], script: _Script) -> Floats:
    spaced = np.array([text.count(" ") + 1 if text else 0 for text in texts], np.float32)
    return spaced + script.unspaced * np.array([len(text) for text in texts], np.float32)


def _starts(counts: Sequence[int]) -> Integers:
    """Return where each of several runs in one row starts."""
    sizes = np.array(counts, np.intp)
    return np.cumsum(sizes) - sizes


class _Own:
    """Measures of the leaves themselves: one array for each measure."""

    def __init__(self, leaves: Sequence[Leaf], texts: Sequence[str], title: str, script: _Script) -> None:
        first: dict[str, int] = {}
        self.origin: Integers = np.array([first.setdefault(text, at) for at, text in enumerate(texts)], np.intp)
        columns = _measures(leaves)
        columns[:2] *= script.scale
        self.chars, self.linked, self.links, self.level, self.code, self.spans, self.strong, self.images = columns
        lengths = np.array([len(text) for text in texts])
        self.again = (self.origin < np.arange(len(texts))) & (lengths > 8)
        title = title.lower()
        named = [3 < len(text) < 200 and text.lower() in title for text in texts] if title else [False] * len(texts)
        self.title = np.array(named)


def _measures(leaves: Sequence[Leaf]) -> Floats:
    """Return the (8, N) columns of the leaves' own measures."""
    row: list[float] = []
    for leaf in leaves:
        spans = leaf.spans
        first = spans[0].style if spans else 0
        image = first & _IMAGE if len(spans) < 2 else any(span.style & _IMAGE for span in spans)
        row += (
            leaf.chars, leaf.link_chars, leaf.links, leaf.heading,
            leaf.preformatted, len(spans), first & _STRONG > 0, image > 0,
        )  # fmt: skip
    return np.fromiter(row, np.float32, len(row)).reshape(len(leaves), -1).T


class _Script(NamedTuple):
    """The characters that leaves are written in."""

    lengths: Floats
    counts: Floats
    """(N, 8): how many characters of each class."""
    ends: Floats
    """(N, 8): the class of the last one."""
    scale: Floats
    """(N,): how many letters a character says, see `script_lengths`."""
    unspaced: Floats
    """(N,): words that no spaces part, for each character."""


def _script(texts: Sequence[str]) -> _Script:
    clipped = [text[:_MOST_TEXT] + "\n" for text in texts]
    lengths = np.array([len(text) for text in clipped], np.intp)
    codes = np.frombuffer("".join(clipped).encode("utf-32-le", "replace"), np.uint32)
    classes = np.unpackbits(_TABLE[np.minimum(codes, _OTHER)][:, None], axis=1, bitorder="little")
    starts = np.cumsum(lengths) - lengths
    counts = np.add.reduceat(classes, starts, axis=0, dtype=np.float32)
    ends = classes[np.maximum(starts, starts + lengths - 2)].astype(np.float32)
    characters = (lengths - 1).astype(np.float32)
    measures = script_lengths.lengths(codes)
    if measures is None:
        return _Script(characters, counts, ends, np.ones(len(texts), np.float32), np.zeros(len(texts), np.float32))
    letters, words = (np.add.reduceat(column, starts, dtype=np.float32) for column in measures)
    counts[:, _SPACES] += words
    scale = ((letters - 1) / np.maximum(characters, 1)).astype(np.float32)
    return _Script(letters - 1, counts, ends, scale, (words / np.maximum(characters, 1)).astype(np.float32))


def _numbers(own_measures: _Own, around: ContextFeatures, heading: Integers, script: _Script) -> Floats:
    """Return the columns of each leaf's text, its place, the leaves of its kind, its heading, and the page."""
    chars, level, kinds = own_measures.chars, own_measures.level, around.kinds[around.own]
    count = len(chars)
    at = np.arange(count, dtype=np.float32)
    same = np.bincount(kinds).astype(np.float32)
    same_chars = np.bincount(kinds, chars)
    before = (np.cumsum(chars) - chars) / max(1.0, float(chars.sum()))
    first_heading = level == 1
    page = around.numbers[0]
    columns = [
        np.log1p(chars) / 4,
        np.log1p(script.counts[:, _SPACES]) / 3,
        own_measures.linked / np.maximum(chars, 1),
        np.log1p(own_measures.links),
        *(level == number for number in (1, 2, 3)),
        level >= 4,
        own_measures.code,
        np.log1p(own_measures.spans) / 2,
        own_measures.strong,
        own_measures.images,
        own_measures.title,
        own_measures.again,
        np.minimum(script.lengths / script.counts[:, _SPACES], 15) / 6,
        at / count,
        before,
        1 - before,
        np.minimum(at, 40) / 20,
        np.log1p(same[kinds]) / 3,
        np.log1p((same_chars / np.maximum(same, 1))[kinds]) / 4,
        (np.bincount(kinds, own_measures.linked) / np.maximum(same_chars, 1))[kinds],
        np.log1p(at - heading) / 2,
        level[heading] / 3,
        np.log1p(chars[heading]) / 4,
        own_measures.title[heading],
        *(np.full(count, value) for value in (np.log1p(count) / 4, page[3], page[4], min(3, first_heading.sum()))),
        np.cumsum(first_heading) > 0,
    ]
    return np.stack(columns, axis=1, dtype=np.float32)


def _headings(leaves: Sequence[Leaf]) -> tuple[Integers, Floats]:
    """Return the heading above each leaf, or itself where there is none, and (N, 1) whether the box of that has ended.

    A heading in an aside says nothing of what comes after.
    """
    ends_by_box: dict[int, tuple[int | None, int | None]] = {}
    heading = np.arange(len(leaves), dtype=np.intp)
    ended = np.zeros((len(leaves), 1), np.float32)
    above: list[tuple[int, int, int]] = []
    for at, leaf in enumerate(leaves):
        while above and above[-1][1] <= at:
            above.pop()
        if leaf.heading:
            nearest, part = (len(leaves) if end is None else end for end in _ends(leaf.box, ends_by_box))
            while above and above[-1][1] <= part:
                above.pop()
            above.append((at, part, nearest))
        if above:
            heading[at], ended[at] = above[-1][0], above[-1][2] <= at
    return heading, ended


def _ends(box: Box, ends_by_box: dict[int, tuple[int | None, int | None]]) -> tuple[int | None, int | None]:
    """Return where the nearest box around a place that holds several leaves ends, and where the nearest part does.

    None where there is no such box. `ends_by_box` holds the answers by the index of the box.
    """
    way: list[Box] = []
    at: Box | None = box
    while at is not None and at.index not in ends_by_box:
        way.append(at)
        at = at.parent
    nearest, part = ends_by_box[at.index] if at is not None else (None, None)
    for inner in reversed(way):
        if inner.items > 1:
            nearest = inner.end
            part = inner.end if inner.tag in _PARTS else part
        ends_by_box[inner.index] = nearest, part
    return nearest, part


def _purposes(texts: Sequence[str], heading: Integers) -> list[Floats]:
    """Return the purposes of short lines, and of the headings above."""
    lines = np.array([_LINES[lexicon.line_purpose(text)] for text in texts])
    return [(which[:, None] == _LINE_NUMBERS).astype(np.float32) for which in (lines, lines[heading])]


def _places(around: ContextFeatures, script: _Script) -> list[Floats]:
    """Return the categories a leaf stands in, how it is written, the boxes around it, and where in them it stands."""
    at = np.arange(len(around.own), dtype=np.float32)[:, None]
    first, last = around.first[around.levels], around.last[around.levels]
    bits = (around.categories[around.own][:, None] >> _CATEGORY_BITS) & 1
    telling = [number for number in range(len(_CLASSES)) if number != _SPACES]
    shares = [_DIGITS, _CAPITALS, _PAUSES, _STOPS][:_SHARES]
    return [
        bits.astype(np.float32),
        (np.log1p(script.counts[:, telling]) / 2).astype(np.float32),
        (script.counts[:, shares] / np.maximum(script.lengths, 1)[:, None] * 4).astype(np.float32),
        script.ends,
        around.numbers[around.levels].reshape(len(at), LEVELS * around.numbers.shape[1]),
        ((at - first) / (last - first)).astype(np.float32),
    ]
