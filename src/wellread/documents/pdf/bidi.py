"""Reorder lines in Hebrew and Arabic into reading order, where PDFium leaves them in visual order.

PDFium reverses a line word by word, so that the words of a name in Latin letters are in reverse order. Programs that
set text with Pango write the mirrored bracket, which PDFium mirrors once more (UAX 9, rules L2 and L4).
"""

from __future__ import annotations

import re
from typing import Final

_RIGHT_TO_LEFT: Final = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_LATIN: Final = re.compile("[A-Za-z\u00c0-\u024f\u0370-\u052f]")
_MIRRORED: Final = str.maketrans("()[]{}", ")(][}{")
_MARKS_FIRST: Final = re.compile(r"\A([,.;:!?]{1,3})(.{1,500})\Z")
_MARKS_LAST: Final = re.compile(r"[,.;:!?]{1,3}\Z")
_BRACKET: Final = re.compile(r"[()\[\]{}]")


def is_right_to_left(text: str) -> bool:
    """Tell whether most letters of a text are Hebrew or Arabic."""
    if text.isascii():
        return False
    return 2 * len(_RIGHT_TO_LEFT.findall(text)) > sum(map(str.isalpha, text))


def in_logical_order(line: str) -> str:
    """Return a line with its left-to-right words and its brackets in reading order."""
    if line.isascii() or not _RIGHT_TO_LEFT.search(line):
        return line
    words = line.split(" ")
    right_to_left = list(map(bool, map(_RIGHT_TO_LEFT.search, words)))
    latin = list(map(bool, map(_LATIN.search, words)))
    if sum(right_to_left) > sum(latin):
        return _bracketed(" ".join(_with_turned(words, latin, right_to_left)))
    return " ".join(_with_turned(words, right_to_left, latin))


def _with_turned(words: list[str], is_turned: list[bool], is_border: list[bool]) -> list[str]:
    """Return the words with each phrase of the other direction reversed, from its first to its last word."""
    ordered: list[str] = []
    phrase: list[str] = []
    numbers: list[str] = []
    for word, turned, border in zip(words, is_turned, is_border, strict=True):
        if turned and not border:
            phrase += [*numbers, word]
            numbers = []
        elif phrase and not border:
            numbers.append(word)  # within the phrase, if it continues
        else:
            ordered += [*_turned(phrase), *numbers, word]
            phrase, numbers = [], []
    return [*ordered, *_turned(phrase), *numbers]


def _turned(words: list[str]) -> list[str]:
    if len(words) < 2:
        return words
    phrase = [_MARKS_FIRST.sub(r"\2\1", word) for word in reversed(words)]
    marks = _MARKS_LAST.search(phrase[0])
    if marks is not None:  # the marks after the phrase
        phrase[0] = phrase[0][: marks.start()]
        phrase[-1] += marks[0]
    return phrase


def _bracketed(line: str) -> str:
    brackets = _BRACKET.findall(line)
    opening = sum(bracket in "([{" for bracket in brackets)
    if 2 * opening == len(brackets) > 0 and brackets[0] in ")]}" and brackets[-1] in "([{":
        return line.translate(_MIRRORED)
    return line
