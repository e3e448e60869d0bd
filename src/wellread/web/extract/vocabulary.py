"""Turns the names of boxes and the words of text into the numbers that the reader learned them under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.seen import names
from wellread.web.extract import lexicon

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wellread.web.extract.boxes import Box

_HEAD_CHARS: Final = 56
_HEAD_WORDS: Final = 6
_TAIL_CHARS: Final = 24
_LONGEST_CACHED: Final = 1_000
"""Characters: what is remembered outlives its page."""
_MOST_CACHED: Final = 20_000
NUMBER: Final = "0"
"""The word that stands for all numbers."""
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_ASCII_WORD: Final = re.compile(r"[a-z]+|[0-9]+")
"""The same in lower-case ASCII, in half the time."""
_Called = tuple[tuple[int, ...], int]
"""Ids of words, and bits of categories."""


class Vocabulary:
    """Words in the names of boxes, and words of text, that the reader knows; 0 stands for all others."""

    def __init__(self, called: Sequence[str], words: Sequence[str]) -> None:
        self._names: Final = {name: at for at, name in enumerate(called, 1)}
        self._told: Final = {
            word: ((at,) if (at := self._names.get(word)) else (), lexicon.named(word))
            for word in (*called, *lexicon.NAMES)
        }
        """What a word in a name says: its id, if it has one, and its categories."""
        self._words: Final = {word: at for at, word in enumerate(words, 1)}
        self._number: Final = self._words.get(NUMBER, 0)
        self._called: dict[tuple[str, str | None, str | None, str | None], _Called] = {}
        self._names_in: dict[str, _Called] = {}

    def called(self, box: Box) -> _Called:
        """Return the ids of a box's tag, the words in its class and id, its role; and the bits of its categories.

        Remembered, for pages repeat themselves, and by single names, for sites repeat one another.
        """
        at = box.attributes
        key = (box.tag, at.get("class"), at.get("id"), at.get("role")) if at else (box.tag, None, None, None)
        return self._called.get(key) or self._read(*key)

    def _read(self, tag: str, called: str | None, name: str | None, role: str | None) -> _Called:
        """Take in what boxes of one kind are called."""
        if len(self._called) > _MOST_CACHED:
            self._called.clear()
        found: set[int] = set()
        bits = lexicon.categories(tag, role)
        known = self._names_in
        for one in names.listed(called, name):
            ids, own = known.get(one) or self._learn(one)
            if ids:
                found.update(ids)
            bits |= own
        if role and (at_role := self._names.get(f"role={role}")):
            found.add(at_role)
        read = (self._names.get(f"<{tag}", 0), *sorted(found)), bits
        if len(tag) + len(called or "") + len(name or "") + len(role or "") <= _LONGEST_CACHED:
            self._called[tag, called, name, role] = read
        return read

    def _learn(self, one: str) -> _Called:
        """Take in one name of a class, or one id."""
        if len(self._names_in) > _MOST_CACHED:
            self._names_in.clear()
        ids: tuple[int, ...] = ()
        bits = 0
        told = self._told
        for word in names.split(one):
            if word in told:
                own, categories = told[word]
                ids += own
                bits |= categories
        known = self._names_in[one] = ids, bits
        return known

    def openings(self, texts: Iterable[str]) -> tuple[list[int], list[int]]:
        """Return the ids of the first words of each text and its last, all in one row, and how many each has."""
        known, number = self._words, self._number
        ids: list[int] = []
        counts: list[int] = []
        for text in texts:
            words = opening(text)
            counts.append(len(words))
            ids.extend([known.get(word) or (number if word.isdigit() else 0) for word in words])
        return ids, counts


def opening(text: str) -> list[str]:
    """Return the first words of a text, and `~` and the last one if it is longer; never nothing."""
    long = len(text) > _HEAD_CHARS
    head = text[:_HEAD_CHARS].lower() if long else text.lower()
    found = (_ASCII_WORD if head.isascii() else _WORD).findall(head)
    del found[_HEAD_WORDS:]
    if long:
        tail = text[-_TAIL_CHARS:].lower()
        last = (_ASCII_WORD if tail.isascii() else _WORD).findall(tail)
        if last:
            found.append("~" + last[-1])
    return found or [""]
