"""Tells whether a statement is supported by text that it cites: its numbers, dates and names must stand there; pure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from wellread.index.plain_text import plain
from wellread.text import dates
from wellread.text.characters import folded_words, on_one_line
from wellread.text.writing_systems import UNSPACED

if TYPE_CHECKING:
    from wellread.types import Claim

MAX_CHARS: Final = 20_000
"""Characters of a text that are looked through."""
_NUMBER: Final = re.compile(r"\d{1,15}(?:[.,'\u2019\u00a0\u202f ]\d{1,6}){0,6}")
_PART: Final = re.compile(r"\d{1,15}")
_SEPARATOR: Final = re.compile(r"\D")
_NUMBER_INSIDE: Final = re.compile(r"\d[.,'\u2019]\d")
_UNSPACED_CHAR: Final = re.compile(f"[{UNSPACED}]")
_QUOTE_MARGIN: Final = 60
"""Characters on both sides of a quoted sentence that its numbers and dates are compared with."""
_WORD: Final = re.compile(r"[^\W\d_](?:[\w'\u2019-]{0,60}\w)?")
_SENTENCE_END: Final = re.compile(r"[.!?:]\s*[\"'\u201c\u201d\u00bb)\]]*\s*$")
_NUMBER_WORD_LIST: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
eighteen nineteen twenty
"""
_TENS: Final = {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90}
_NUMBER_WORDS: Final = {word: number for number, word in enumerate(_NUMBER_WORD_LIST.split())} | _TENS
_NO_NUMBERS: Final = frozenset({"one", "zero"})
"""Words that are rarely meant as numbers."""
_OPENING_LIST: Final = """
a after all although an and another any as at because before between both but by during each every few for from he her
here his how however i if in it its later many most no not of on one only or other our over she since so some such than
that the their then there these they this those though through to today two under until we what when where which while
who with yes you your also according der die das ein eine im la le les un une el los las il lo gli os um uma het een
"""
_OPENING: Final = frozenset(_OPENING_LIST.split())
"""Words that open a sentence and are no names."""
_MIN_STEM: Final = 4
_MIN_OVERLAP: Final = 0.5
"""Share of the longer words of a statement that the cited text must have, by their beginnings: they are inflected."""


def numbers(text: str) -> set[float]:
    """Return the numbers in a text, in every way that their separators can be read."""
    readings: set[float] = set()
    for match in _NUMBER.finditer(text[:MAX_CHARS]):
        readings |= _readings(match[0])
    for word in folded_words(text[:MAX_CHARS]).split():
        if word in _NUMBER_WORDS and word not in _NO_NUMBERS:
            readings.add(float(_NUMBER_WORDS[word]))
    return readings


def _readings(digits: str) -> set[float]:
    """Return the numbers that digits with separators may be: `1,299` is also 1.299, `1.299,00` is only 1299."""
    parts, separators = _PART.findall(digits), _SEPARATOR.findall(digits)
    if not separators:
        return {float(digits)}
    joined = float("".join(parts))
    is_grouped = len(parts[0]) <= 3 and len(parts[-1]) == 3 and all(len(part) in {2, 3} for part in parts[1:])
    has_decimals = separators[-1] in ".," and separators[-1] not in separators[:-1]
    if len(parts) == 2:
        has_decimals &= not (is_grouped and parts[1] == "000")
    readings = {joined} if is_grouped else set()
    if has_decimals:
        readings.add(float(f"{''.join(parts[:-1])}.{parts[-1]}"))
    if any(separator.isspace() for separator in separators):
        readings |= {float(part) for part in parts}
    return readings or {joined}


def unsupported_in(claim: Claim) -> tuple[str, ...]:
    """Return the numbers, dates and names of a sentence that its passages lack, and `its words` for the rest.

    Where one of the passages has the sentence word for word, only its numbers and dates are compared with this place.
    """
    texts = [plain(passage.text) for passage in claim.passages]
    statement = on_one_line(claim.text)
    for text in texts:
        if quote := _quote(statement, on_one_line(text)):
            return tuple(dict.fromkeys(_unknown_figures(statement, quote)))
    return unsupported_terms(claim.text, "\n".join(texts))


def _quote(statement: str, text: str) -> str:
    """Return the part of `text` with `statement` and what stands beside it; empty where the text does not have it.

    `100 people` does not stand in `5,100 people`, nor `$1` in `$199`.
    """
    start = text.find(statement)
    while statement and start >= 0:
        end = start + len(statement)
        if _is_border(text, start) and _is_border(text, end):
            return text[max(0, start - _QUOTE_MARGIN) : end + _QUOTE_MARGIN]
        start = text.find(statement, start + 1)
    return ""


def _is_border(text: str, at: int) -> bool:
    """Return whether no word and no number goes on across an offset; scripts without spaces have no such borders."""
    if _NUMBER_INSIDE.search(text[max(0, at - 2) : at + 2]):
        return False
    around = text[max(0, at - 1) : at + 1]
    return len(around) < 2 or not around.isalnum() or _UNSPACED_CHAR.search(around) is not None


def unsupported_terms(statement: str, evidence: str) -> tuple[str, ...]:
    """Return the numbers, dates and names of a statement that the text `evidence` lacks, and `its words` for the rest.

    A statement of which less than half of the longer words stand in the evidence is about something else.
    """
    evidence = evidence[:MAX_CHARS]
    words = folded_words(evidence)
    known_words = set(words.split())
    lacking = [*_unknown_figures(statement, evidence), *_unknown_names(statement, known_words)]
    if not lacking and not _is_about(statement, known_words):
        lacking.append("its words")
    return tuple(dict.fromkeys(lacking))


def _unknown_figures(statement: str, evidence: str) -> list[str]:
    return [*_unknown_dates(statement, evidence), *_unknown_numbers(statement, evidence)]


def _unknown_dates(statement: str, evidence: str) -> list[str]:
    days = {stamp[:10] for stamp, _ in dates.within(evidence)}
    return [span.stamp[:10] for span in dates.spans(statement[:MAX_CHARS]) if span.stamp[:10] not in days]


def _unknown_numbers(statement: str, evidence: str) -> list[str]:
    """Return the numbers outside dates of which no reading stands in the evidence."""
    evidence_numbers = numbers(evidence)
    undated = statement[:MAX_CHARS]
    for span in reversed(dates.spans(undated)):
        undated = f"{undated[: span.start]} {undated[span.end :]}"
    lacking = [match[0].strip() for match in _NUMBER.finditer(undated) if not _readings(match[0]) & evidence_numbers]
    spelled = (word for word in folded_words(undated).split() if word in _NUMBER_WORDS and word not in _NO_NUMBERS)
    return lacking + [word for word in spelled if float(_NUMBER_WORDS[word]) not in evidence_numbers]


def _unknown_names(statement: str, known_words: set[str]) -> list[str]:
    """Return the capitalised words that the evidence lacks; a common word that opens a sentence is none."""
    lacking = []
    for match in _WORD.finditer(statement[:MAX_CHARS]):
        name = match[0]
        if not name[0].isupper():
            continue
        parts = folded_words(name).split()
        opens = match.start() == 0 or _SENTENCE_END.search(statement[max(0, match.start() - 8) : match.start()])
        if opens and parts[0] in _OPENING:
            continue
        if not all(_is_known(part, known_words) for part in parts if len(part) > 1):
            lacking.append(name)
    return lacking


def _is_known(word: str, known_words: set[str]) -> bool:
    """Return whether a word stands in a text, as it is or with another ending of two letters at most."""
    if word in known_words:
        return True
    stems = {word[:-cut] for cut in (1, 2) if len(word) - cut >= _MIN_STEM}
    return bool(stems & known_words) or any(f"{word}{ending}" in known_words for ending in ("s", "es", "n", "en"))


def _is_about(statement: str, known_words: set[str]) -> bool:
    words = [word for word in folded_words(statement[:MAX_CHARS]).split() if len(word) > _MIN_STEM]
    if not words:
        return True
    stems = {word[:_MIN_STEM] for word in known_words}
    return sum(word[:_MIN_STEM] in stems for word in words) >= _MIN_OVERLAP * len(words)
