"""Measures a walked page for the learned reader: numbers for every leaf, and the names of the boxes it stands in.

All of it is counted for a whole page at once, in arrays; the loops in Python touch each leaf and each box once.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from wellread.types import Style
from wellread.web.extract import lexicon

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from wellread.web.extract.boxes import Box, Leaf, Walked

    Floats = NDArray[np.float32]
    Integers = NDArray[np.intp]

LEVELS: Final = 7
"""Boxes looked at around a leaf: its own, the four next that hold more, and the two outermost."""
_LONGEST_RUN: Final = 24
_HEAD_CHARS: Final = 56
_HEAD_WORDS: Final = 6
_TAIL_CHARS: Final = 24
_MOST_TEXT: Final = 2_000
"""Characters of one leaf that are counted: what a paragraph looks like is plain by then."""
_PROSE: Final = 120
_MOST_CACHED: Final = 20_000
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_BITS: Final = {category: bit for bit, category in enumerate(lexicon.CATEGORIES)}
_LINES: Final = {"": -1} | {name: at for at, name in enumerate(lexicon.LINES)}
_IMAGE, _STRONG = int(Style.IMAGE), int(Style.STRONG)

_CLASSES: Final = ("0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", " \n\t", ",;:", ".!?", "$%", "|/>@#\u00a9", "()[]{}=_")
_OTHER: Final = 128
"""Code points from here on count as letters."""


def _table() -> NDArray[np.uint8]:
    table = np.zeros(_OTHER + 1, np.uint8)
    for bit, characters in enumerate(_CLASSES):
        for character in characters:
            table[min(ord(character), _OTHER)] |= 1 << bit
    table[_OTHER] = 0
    return table


_TABLE: Final = _table()


class Vocabulary:
    """Words in the names of boxes, and words of text, that the reader knows; 0 stands for all others."""

    def __init__(self, names: Sequence[str], words: Sequence[str]) -> None:
        self.names: Final = {name: at for at, name in enumerate(names, 1)}
        self.words: Final = {word: at for at, word in enumerate(words, 1)}
        self._called: dict[tuple[str, frozenset[str], str | None], tuple[tuple[int, ...], int]] = {}

    def called(self, box: Box) -> tuple[tuple[int, ...], int]:
        """Return the ids of a box's tag, the words in its class and id, its role; and the bits of its categories.

        Remembered, for pages repeat themselves.
        """
        key = (box.tag, box.words, box.attributes.get("role") if box.attributes else None)
        known = self._called.get(key)
        if known is None:
            if len(self._called) > _MOST_CACHED:
                self._called.clear()
            tag, *rest = named(box)
            ids = (self.names.get(tag, 0), *sorted({at for name in rest if (at := self.names.get(name))}))
            known = self._called[key] = ids, sum(1 << _BITS[category] for category in lexicon.categories(box))
        return known

    def opening(self, text: str) -> list[int]:
        """Return the first words of a text and the last."""
        return [self.words.get(word, 0) for word in opening(text)]


def named(box: Box) -> list[str]:
    """Return what a box is called: `<tag`, then words of class and id, then `role=`."""
    role = box.attributes.get("role") if box.attributes else None
    return [f"<{box.tag}", *sorted(box.words), *([f"role={role}"] if role else [])]


def opening(text: str) -> list[str]:
    """Return the first words of a text, its length if short, and its last word."""
    words = _WORD.findall(text[:_HEAD_CHARS].lower())[:_HEAD_WORDS]
    found = ["0" if word.isdigit() else word for word in words]
    if len(text) > _HEAD_CHARS:
        last = _WORD.findall(text[-_TAIL_CHARS:].lower())
        found.extend("~" + word for word in last[-1:])
    return found or [""]


class Features(NamedTuple):
    """A page as the reader's network sees it: N leaves, B boxes that hold some."""

    numbers: Floats
    """(N, F): see `_numbers`."""
    levels: Integers
    """(N, LEVELS): rows of boxes."""
    first: Integers
    """(B,): the first leaf in each box."""
    last: Integers
    """(B,): one past the last."""
    names: Integers
    """Ids of the names of each box and of the boxes around just the same leaves, all in one row."""
    name_starts: Integers
    """(B,): where each box's names start."""
    words: Integers
    """Ids of the opening words of each leaf."""
    word_starts: Integers
    heading: Integers
    """(N,): the leaf that is the last heading before this one, or itself."""
    kinds: Integers
    """(N,): leaves whose boxes have the same path of tags and classes share a number."""
    weight: Floats
    """(N,): each leaf's share of the characters on the page."""
    sizes: Floats
    """(N,): words, about."""


class _Boxes(NamedTuple):
    """The boxes that hold leaves, by row."""

    rows: dict[int, int]
    """Box index -> row."""
    numbers: Floats
    """(B, 6)"""
    first: Integers
    last: Integers
    around: Integers
    """(B,): the row of the next box that holds more leaves."""
    outer: Integers
    """(B, 2): the rows of the outermost boxes but the root."""
    runs: list[tuple[int, ...]]
    kinds: list[int]
    bits: list[int]
    """The categories of each box and all around it."""


def measured(walked: Walked, vocabulary: Vocabulary) -> Features:
    """Return the features of a page that has at least one leaf."""
    texts = ["".join([span.text for span in leaf.spans if not span.style & _IMAGE]) for leaf in walked.leaves]
    boxes = _boxes(walked, vocabulary)
    own = np.array([boxes.rows[leaf.box.index] for leaf in walked.leaves], np.intp)
    levels = [own]
    for _ in range(LEVELS - 3):
        levels.append(boxes.around[levels[-1]])
    placed = np.stack([*levels, boxes.outer[own, 0], boxes.outer[own, 1]], axis=1)
    kinds = np.array(boxes.kinds, np.intp)[own]
    opened = [vocabulary.opening(text) for text in texts]
    counts = np.array([len(ids) for ids in opened], np.intp)
    lengths = np.array([len(run) for run in boxes.runs], np.intp)
    heading = _headings(walked.leaves)
    return Features(
        numbers=_numbers(walked, texts, boxes, placed, heading, kinds),
        levels=placed,
        first=boxes.first,
        last=boxes.last,
        names=np.array([at for run in boxes.runs for at in run], np.intp),
        name_starts=np.cumsum(lengths) - lengths,
        words=np.array([at for ids in opened for at in ids], np.intp),
        word_starts=np.cumsum(counts) - counts,
        heading=heading,
        kinds=kinds,
        weight=(shares := np.array([leaf.chars for leaf in walked.leaves], np.float32)) / max(1.0, float(shares.sum())),
        sizes=np.array([text.count(" ") + 1 if text else 0 for text in texts], np.float32),
    )


def _headings(leaves: Sequence[Leaf]) -> Integers:
    at = np.arange(len(leaves), dtype=np.intp)
    is_heading = np.array([leaf.heading > 0 for leaf in leaves])
    last = np.maximum.accumulate(np.where(is_heading, at, -1))
    return np.where(last < 0, at, last)


def _boxes(walked: Walked, vocabulary: Vocabulary) -> _Boxes:
    rows: dict[int, int] = {}
    held = [box for box in walked.boxes if box.items]
    around: list[int] = []
    depth: list[int] = []
    outer: list[tuple[int, int]] = []
    runs: list[tuple[int, ...]] = []
    kinds: list[int] = []
    bits: list[int] = []
    known: dict[tuple[int, str, str | None], int] = {}
    for row, box in enumerate(held):
        rows[box.index] = row
        called, mask = vocabulary.called(box)
        parent = rows[box.parent.index] if box.parent is not None else 0
        if row == 0:
            around.append(0)
            depth.append(0)
            outer.append((0, 0))
            runs.append(called)
        elif held[parent].items == box.items:
            around.append(around[parent])
            depth.append(depth[parent])
            outer.append(outer[parent])
            runs.append((*called, *runs[parent])[:_LONGEST_RUN])
        else:
            around.append(parent)
            depth.append(depth[parent] + 1)
            one, two = outer[parent]
            outer.append((row, row) if depth[row] == 1 else (one, row) if depth[row] == 2 else (one, two))
            runs.append(called)
        path = (kinds[parent] if row else -1, box.tag, box.attributes.get("class") if box.attributes else None)
        kinds.append(known.setdefault(path, len(known)))
        bits.append(mask | bits[parent] if row else mask)
    return _Boxes(
        rows,
        _box_numbers(held, depth, _prose(walked.leaves)),
        np.array([box.first for box in held], np.intp),
        np.array([box.last + 1 for box in held], np.intp),
        np.array(around, np.intp),
        np.array(outer, np.intp),
        runs,
        kinds,
        bits,
    )


def _prose(leaves: Sequence[Leaf]) -> Floats:
    """Return the characters of prose before each leaf, and in all."""
    prose = [leaf.chars if leaf.chars >= _PROSE and leaf.link_chars * 3 < leaf.chars else 0 for leaf in leaves]
    return np.cumsum([0, *prose], dtype=np.float32)


def _box_numbers(held: Sequence[Box], depth: Sequence[int], prose: Floats) -> Floats:
    items, chars, links, deep = (
        np.array(values, np.float32)
        for values in (
            [box.items for box in held],
            [box.chars for box in held],
            [box.link_chars for box in held],
            depth,
        )
    )
    told = prose[[box.last + 1 for box in held]] - prose[[box.first for box in held]]
    return np.stack(
        [
            told / max(1.0, float(prose[-1])),
            told / np.maximum(chars, 1),
            np.log1p(items) / 4,
            np.log1p(chars) / 6,
            links / np.maximum(chars, 1),
            items / items[0],
            chars / max(1.0, float(chars[0])),
            np.minimum(deep, 20) / 8,
            np.log1p(chars / items) / 4,
        ],
        axis=1,
    )


def _counts(texts: Sequence[str]) -> tuple[Floats, Floats, Floats]:
    """Return per text its length, how many characters of each class it has, and the class of its last character."""
    clipped = [text[:_MOST_TEXT] + "\n" for text in texts]
    lengths = np.array([len(text) for text in clipped], np.intp)
    codes = np.frombuffer("".join(clipped).encode("utf-32-le", "replace"), np.uint32)
    bits = _TABLE[np.minimum(codes, _OTHER)]
    starts = np.cumsum(lengths) - lengths
    per_class = np.unpackbits(bits[:, None], axis=1, bitorder="little")
    counts = np.add.reduceat(per_class, starts, axis=0, dtype=np.float32)
    last = per_class[np.maximum(starts, starts + lengths - 2)].astype(np.float32)
    return (lengths - 1).astype(np.float32), counts, last


def _numbers(
    walked: Walked, texts: Sequence[str], boxes: _Boxes, levels: Integers, heading: Integers, kinds: Integers
) -> Floats:
    leaves = walked.leaves
    count = len(leaves)
    at = np.arange(count, dtype=np.float32)
    chars, linked, links, level, code, spans, strong, images, title, again = _own(walked, texts)
    lengths, classes, last = _counts(texts)
    words = classes[:, 2:3]  # spaces, and the line feed behind each
    safe = np.maximum(lengths, 1)[:, None]
    density = linked / np.maximum(chars, 1)
    same = np.bincount(kinds).astype(np.float32)
    same_chars = np.bincount(kinds, chars) / np.maximum(same, 1)
    same_links = np.bincount(kinds, linked) / np.maximum(np.bincount(kinds, chars), 1)
    before = (np.cumsum(chars) - chars) / max(1.0, float(chars.sum()))
    total = boxes.numbers[0]
    h1 = level == 1
    own = [
        np.log1p(chars) / 4,
        np.log1p(words[:, 0]) / 3,
        density,
        np.log1p(links),
        *(level == number for number in (1, 2, 3)),
        level >= 4,
        code,
        np.log1p(spans) / 2,
        strong,
        images,
        title,
        again,
        np.minimum(lengths / words[:, 0], 15) / 6,
        at / count,
        before,
        1 - before,
        np.minimum(at, 40) / 20,
        np.log1p(same[kinds]) / 3,
        np.log1p(same_chars[kinds]) / 4,
        same_links[kinds],
        np.log1p(at - heading) / 2,
        level[heading] / 3,
        np.log1p(chars[heading]) / 4,
        title[heading],
        np.full(count, np.log1p(count) / 4),
        np.full(count, total[3]),
        np.full(count, total[4]),
        np.full(count, min(3.0, float(h1.sum()))),
        np.cumsum(h1) > 0,
    ]
    placed = [boxes.numbers[levels[:, column]] for column in range(LEVELS)]
    inside = [(at - boxes.first[row]) / (boxes.last[row] - boxes.first[row]) for row in levels.T]
    lines = np.array([_LINES[lexicon.line(text)] for text in texts])
    masks = np.array(boxes.bits, np.uint32)[levels[:, 0]]
    columns = [
        np.stack(own, axis=1),
        lines[:, None] == np.arange(len(lexicon.LINES)),
        lines[heading][:, None] == np.arange(len(lexicon.LINES)),
        (masks[:, None] >> np.arange(len(_BITS), dtype=np.uint32)) & 1,
        np.log1p(classes[:, [0, 1, 3, 4, 5, 6, 7]]) / 2,
        classes[:, [0, 1, 3, 4]] / safe * 4,
        last,
        *placed,
        np.stack(inside, axis=1),
    ]
    return np.concatenate(columns, axis=1, dtype=np.float32)


def _own(walked: Walked, texts: Sequence[str]) -> list[Floats]:
    """Return what each leaf says of itself, one array per measure."""
    title = walked.title.lower()
    seen: set[str] = set()
    told = []
    for leaf, text in zip(walked.leaves, texts, strict=True):
        spans = leaf.spans
        again = len(text) > 8 and text in seen
        seen.add(text)
        named = 3 < len(text) < 200 and bool(title) and text.lower() in title
        strong = bool(spans) and bool(spans[0].style & _STRONG)
        image = any([span.style & _IMAGE for span in spans])
        told.append(
            (leaf.chars, leaf.link_chars, leaf.links, leaf.heading, leaf.preformatted, len(spans), strong, image, named, again)
        )
    return list(np.array(told, np.float32).T)
