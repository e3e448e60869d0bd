"""Turns the names of boxes and the words of text into the numbers that the reader learned them under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.web.extract import lexicon, names

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.web.extract.boxes import Box

_HEAD_CHARS: Final = 56
_HEAD_WORDS: Final = 6
_TAIL_CHARS: Final = 24
_MOST_CACHED: Final = 20_000
NUMBER: Final = "0"
"""The word that stands for all numbers."""
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")


class Vocabulary:
    """Words in the names of boxes, and words of text, that the reader knows; 0 stands for all others."""

    def __init__(self, called: Sequence[str], words: Sequence[str]) -> None:
        self._names: Final = {name: at for at, name in enumerate(called, 1)}
        self._words: Final = {word: at for at, word in enumerate(words, 1)}
        self._number: Final = self._words.get(NUMBER, 0)
        self._called: dict[tuple[str, str | None, str | None, str | None], tuple[tuple[int, ...], int]] = {}
        self._names_in: dict[str, tuple[tuple[int, ...], int]] = {}

    def called(self, box: Box) -> tuple[tuple[int, ...], int]:
        """Return the ids of a box's tag, the words in its class and id, its role; and the bits of its categories.

        Remembered, for pages repeat themselves, and by single names, for sites repeat one another.
        """
        at = box.attributes
        key = (box.tag, at.get("class"), at.get("id"), at.get("role")) if at else (box.tag, None, None, None)
        known = self._called.get(key)
        if known is None:
            if len(self._called) > _MOST_CACHED:
                self._called.clear()
            tag, called, name, role = key
            found: set[int] = set()
            bits = lexicon.categories(tag, role)
            for one in names.listed(called, name):
                ids, own = self._names_in.get(one) or self._learn(one)
                found.update(ids)
                bits |= own
            if role and (at_role := self._names.get(f"role={role}")):
                found.add(at_role)
            known = self._called[key] = (self._names.get(f"<{tag}", 0), *sorted(found)), bits
        return known

    def _learn(self, one: str) -> tuple[tuple[int, ...], int]:
        """Take in one name of a class, or one id."""
        if len(self._names_in) > _MOST_CACHED:
            self._names_in.clear()
        words = names.words(one)
        found = tuple([at for word in words if (at := self._names.get(word))])
        known = self._names_in[one] = found, lexicon.named(words)
        return known

    def opening(self, text: str) -> list[int]:
        """Return the ids of the first words of a text and the last."""
        known = self._words
        return [known.get(word) or (self._number if word.isdigit() else 0) for word in opening(text)]


def named(box: Box) -> list[str]:
    """Return what a box is called: `<tag`, then words of class and id, then `role=`."""
    role = box.attributes.get("role") if box.attributes else None
    return [f"<{box.tag}", *sorted(names.of(box.attributes)), *([f"role={role}"] if role else [])]


def opening(text: str) -> list[str]:
    """Return the first words of a text, and `~` and the last one if it is longer; never nothing."""
    if len(text) <= _HEAD_CHARS:
        return _WORD.findall(text.lower())[:_HEAD_WORDS] or [""]
    found = _WORD.findall(text[:_HEAD_CHARS].lower())[:_HEAD_WORDS]
    last = _WORD.findall(text[-_TAIL_CHARS:].lower())
    found.extend("~" + word for word in last[-1:])
    return found or [""]
