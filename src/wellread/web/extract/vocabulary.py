"""Turns the names of boxes and the words of text into the numbers that the reader learned them under."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.web.extract import lexicon

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.web.extract.boxes import Box

_HEAD_CHARS: Final = 56
_HEAD_WORDS: Final = 6
_TAIL_CHARS: Final = 24
_MOST_CACHED: Final = 20_000
_WORD: Final = re.compile(r"[^\W\d_]+|\d+")
_BITS: Final = {category: 1 << bit for bit, category in enumerate(lexicon.CATEGORIES)}


class Vocabulary:
    """Words in the names of boxes, and words of text, that the reader knows; 0 stands for all others."""

    def __init__(self, names: Sequence[str], words: Sequence[str]) -> None:
        self._names: Final = {name: at for at, name in enumerate(names, 1)}
        self._words: Final = {word: at for at, word in enumerate(words, 1)}
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
            ids = (self._names.get(tag, 0), *sorted({at for name in rest if (at := self._names.get(name))}))
            known = self._called[key] = ids, sum(_BITS[category] for category in lexicon.categories(box))
        return known

    def opening(self, text: str) -> list[int]:
        """Return the ids of the first words of a text and the last."""
        known = self._words
        return [known.get(word, 0) for word in opening(text)]


def named(box: Box) -> list[str]:
    """Return what a box is called: `<tag`, then words of class and id, then `role=`."""
    role = box.attributes.get("role") if box.attributes else None
    return [f"<{box.tag}", *sorted(box.words), *([f"role={role}"] if role else [])]


def opening(text: str) -> list[str]:
    """Return the first words of a text, and `~` and the last one if it is longer; never nothing."""
    words = _WORD.findall(text[:_HEAD_CHARS].lower())[:_HEAD_WORDS]
    found = ["0" if word.isdigit() else word for word in words]
    if len(text) > _HEAD_CHARS:
        last = _WORD.findall(text[-_TAIL_CHARS:].lower())
        found.extend("~" + word for word in last[-1:])
    return found or [""]
