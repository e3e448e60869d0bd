"""Turns a line of words, as people read them, into a set; and reads the words and the case of HTML and CSS."""

from __future__ import annotations

from typing import Final

from wellread.lazy_pattern import lazy_pattern

_WORDS: Final = lazy_pattern(r"[^ \t\n\f\r]+")
_LOWER: Final = {capital: capital + 32 for capital in range(ord("A"), ord("Z") + 1)}


def word_set(text: str) -> frozenset[str]:
    """Make a set of the words in `text`."""
    return frozenset(text.split())


def tokens(text: str) -> list[str]:
    """Split at ASCII white space, and no other (Infra 4.6)."""
    return text.split() if text.isascii() and text.isprintable() else _WORDS.findall(text)


def lowered(text: str) -> str:
    """Lower the letters of ASCII, and no others (Infra 4.6)."""
    return text.lower() if text.isascii() else text.translate(_LOWER)
