"""Turns the names of boxes and the words of text into the numbers that the reader learned them under."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from wellread.extraction import lexicon
from wellread.lazy_pattern import lazy_pattern
from wellread.seen import names

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wellread.segmentation.boxes import Box, Leaf

_HEAD_CHARS: Final = 56
_HEAD_WORDS: Final = 6
_TAIL_CHARS: Final = 24
_LONGEST_CACHED: Final = 1_000
"""Characters: what is remembered outlives its page."""
_LONGEST_ALSO: Final = 100
_MOST_INNER: Final = 32
"""Ids of what the inline elements in one leaf are called."""
_MOST_CACHED: Final = 20_000
NUMBER: Final = "0"
"""The word that stands for all numbers."""
_WORD: Final = lazy_pattern(r"[^\W\d_]+|\d+")
_ASCII_WORD: Final = lazy_pattern(r"[a-z]+|[0-9]+")
"""The same in lower-case ASCII, in half the time."""
_Called = tuple[tuple[int, ...], int]
"""Ids of words, and bits of categories."""


Key = tuple[str, "str | None", "str | None", "str | None", "str | None"]
"""Tag, class, id, role, and what else says what an element is."""


def kind_key(tag: str, attributes: Mapping[str, str | None]) -> Key:
    """Return the key of elements of one kind."""
    if not attributes:
        return tag, None, None, None, None
    at = attributes.get
    also = at("itemprop"), at("data-testid"), tag if "-" in tag else None
    more = " ".join([name[:_LONGEST_ALSO] for name in also if name]) if any(also) else None
    return tag, at("class"), at("id"), at("role"), more


def element_names(of: Key) -> list[str]:
    """Return the names of elements of one kind."""
    return [*names.listed(of[1], of[2]), *(of[4].split(" ") if of[4] else ())]


class Vocabulary:
    """Words in the names of boxes, and words of text, that the reader knows; 0 stands for all others."""

    def __init__(self, called: Sequence[str], words: Sequence[str]) -> None:
        self._names: Final = {name: at for at, name in enumerate(called, 1)}
        self._words: Final = {word: at for at, word in enumerate(words, 1)}
        self._number: Final = self._words.get(NUMBER, 0)
        self._called: dict[Key, _Called] = {}
        self._names_in: dict[str, _Called] = {}

    def called(self, box: Box) -> _Called:
        """Return the ids of a box's tag, its role and the words in its names; and the bits of its categories.

        It is called by its class, id, `itemprop` and `data-testid`, and a component by its tag.
        Remembered, for pages repeat themselves, and by single names, for sites repeat one another.
        """
        return self._called_as(box.tag, box.attributes)

    def inner(self, leaves: Iterable[Leaf]) -> tuple[list[int], list[int]]:
        """Return the name ids of the inline elements in each leaf, all in one row, and how many each leaf has."""
        ids: list[int] = []
        counts: list[int] = []
        for leaf in leaves:
            before = len(ids)
            for tag, attributes in leaf.inner:
                ids += self._called_as(tag, attributes)[0]
            if len(ids) == before:
                ids.append(0)
            del ids[before + _MOST_INNER :]
            counts.append(len(ids) - before)
        return ids, counts

    def _called_as(self, tag: str, attributes: Mapping[str, str | None]) -> _Called:
        element_key = kind_key(tag, attributes)
        return self._called.get(element_key) or self._read(element_key)

    def _read(self, of: Key) -> _Called:
        """Look up and remember the names of elements of one kind."""
        if len(self._called) > _MOST_CACHED:
            self._called.clear()
        word_ids: set[int] = set()
        bits = lexicon.categories(of[0], role := of[3])
        known_names = self._names_in
        for name in element_names(of):
            ids, name_bits = known_names.get(name) or self._learn(name)
            if ids:
                word_ids.update(ids)
            bits |= name_bits
        if role and (at_role := self._names.get(f"role={role}")):
            word_ids.add(at_role)
        read = (self._names.get(f"<{of[0]}", 0), *sorted(word_ids)), bits
        if sum(map(len, filter(None, of))) <= _LONGEST_CACHED:
            self._called[of] = read
        return read

    def _learn(self, class_name: str) -> _Called:
        """Take in one name of a class, or one id."""
        if len(self._names_in) > _MOST_CACHED:
            self._names_in.clear()
        ids: tuple[int, ...] = ()
        bits = 0
        for word in names.split(class_name):
            if word_id := self._names.get(word):
                ids += (word_id,)
            bits |= lexicon.name_categories(word)
        learned = self._names_in[class_name] = ids, bits
        return learned

    def openings(self, texts: Iterable[str]) -> tuple[list[int], list[int]]:
        """Return the ids of the first words of each text and its last, all in one row, and how many each has."""
        word_ids, number = self._words, self._number
        ids: list[int] = []
        counts: list[int] = []
        for text in texts:
            words = head_and_tail_words(text)
            counts.append(len(words))
            ids.extend([word_ids.get(word) or (number if word.isdigit() else 0) for word in words])
        return ids, counts


def head_and_tail_words(text: str) -> list[str]:
    """Return the first words of a text, and `~` and the last one if it is longer; never nothing."""
    long = len(text) > _HEAD_CHARS
    head = text[:_HEAD_CHARS].lower() if long else text.lower()
    opening_words = (_ASCII_WORD if head.isascii() else _WORD).findall(head)
    del opening_words[_HEAD_WORDS:]
    if long:
        tail = text[-_TAIL_CHARS:].lower()
        last = (_ASCII_WORD if tail.isascii() else _WORD).findall(tail)
        if last:
            opening_words.append("~" + last[-1])
    return opening_words or [""]
