"""Finds sentences of different pages that contradict each other about the same subject; pure.

Two sentences are compared only if they share most words. They are not compared if each names a subject, a season or a
group that the other one does not name. They contradict each other if numbers of one unit differ, if dates of one event
differ, or if only one of them has a negation.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.citations.negations import NEGATED_ENDINGS, NEGATIONS
from wellread.citations.quantities import numbers
from wellread.reading.contradiction_words import (
    CONTRASTS,
    EVENTS,
    HEDGES,
    MAGNITUDES,
    PRONOUNS,
    SIGNS,
    STOPS,
    SYNONYMS,
    UNIT_KINDS,
    UNITS,
    VERBS,
    singular,
)
from wellread.text import dates
from wellread.text.characters import folded_words
from wellread.types import Contradiction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wellread.types import Claim, ContradictionKind

MAX_CLAIMS: Final = 200
MAX_CONTRADICTIONS: Final = 20
MAX_SENTENCE_CHARS: Final = 600
_MIN_SHARED: Final = 0.5
_MIN_NEGATED_SHARED: Final = 0.75
_UNIT_TOLERANCE: Final = 0.02
"""Between values in different units: they are rounded."""
_HEDGED_TOLERANCE: Final = 0.15
_VALUE: Final = re.compile(
    r"(?<![\w.,])(\d{1,3}(?:[ \u00a0\u202f]\d{3}){1,4}(?!\d)|\d{1,15}(?:[.,]\d{1,6}){0,4})"
    r"\s{0,2}([^\W\d_]{1,20})?\s{0,2}([^\W\d_]{1,20})?"
)
_YEAR: Final = re.compile(r"(?<![\w.,])(1\d{3}|20\d{2})(?![\w]|[.,]\d)(?:\s([^\W\d_]{1,20}))?")
"""With the word that follows: before a unit, it is a number."""
_HAN, _HIRAGANA, _KATAKANA = "\u3005\u4e00-\u9fff", "\u3041-\u309f", "\u30a1-\u30ff"
_SCRIPT_BORDER: Final = re.compile(
    "|".join(
        f"(?<=[{script}])(?=[^{script}\\s])|(?<=[^{script}\\s])(?=[{script}])"
        for script in (_HAN, _HIRAGANA, _KATAKANA)
    )
    + "|(?<=[\u4e07\u5104])(?=\\S)"
)
"""Where words of Japanese begin or end; magnitudes stand before their units."""
_INFLECTION: Final = re.compile(f"[{_HIRAGANA}]+")


class _Statement(NamedTuple):
    """What is compared of a sentence."""

    words: frozenset[str]
    subject: frozenset[str]
    """The words before the verb."""
    values: dict[str, list[tuple[str, frozenset[float]]]]
    """By kind of unit: each value with its unit, in every way that its digits can be read."""
    times: frozenset[str]
    """Days and years, ISO 8601."""
    events: frozenset[str]
    is_negated: bool
    is_hedged: bool
    has_pronoun: bool
    """Whether a pronoun stands for its subject."""


def contradictions(claims: Sequence[Claim]) -> list[Contradiction]:
    """Return the pairs of sentences from different pages that contradict each other."""
    statements = [(claim, _statement(claim.text)) for claim in claims[:MAX_CLAIMS]]
    pairs: list[Contradiction] = []
    for (first, first_statement), (second, second_statement) in combinations(statements, 2):
        if {passage.url for passage in first.passages} & {passage.url for passage in second.passages}:
            continue
        kind = _difference(first_statement, second_statement)
        if kind is not None:
            pairs.append(Contradiction(kind=kind, claims=(first, second)))
    return pairs[:MAX_CONTRADICTIONS]


def _difference(first: _Statement, second: _Statement) -> ContradictionKind | None:
    if not _is_about_the_same(first, second):
        return None
    have_equal_times = not first.times or not second.times or _agreeing_times(first.times, second.times)
    differs = _have_other_values(first, second)
    if differs and have_equal_times:
        return "numbers"
    if not differs and not have_equal_times and first.events & second.events:
        return "dates"
    shared = len(first.words & second.words) / min(len(first.words), len(second.words))
    if first.is_negated != second.is_negated and have_equal_times and shared >= _MIN_NEGATED_SHARED and not differs:
        return "negation"
    return None


def _is_about_the_same(first: _Statement, second: _Statement) -> bool:
    shared, union = first.words & second.words, first.words | second.words
    if len(shared) < 2 or len(shared) / len(union) < _MIN_SHARED or first.has_pronoun or second.has_pronoun:
        return False
    if first.subject - second.words and second.subject - first.words:
        return False
    return not any((first.words - second.words) & group and (second.words - first.words) & group for group in CONTRASTS)


def _have_other_values(first: _Statement, second: _Statement) -> bool:
    """Return whether the only values of one kind differ; several values of a kind may be a range.

    A value with a unit that only one of the sentences has, or several times, are conditions that the other lacks.
    """
    if (first.values.keys() ^ second.values.keys()) & UNIT_KINDS:
        return False
    if first.times != second.times and max(len(first.times), len(second.times)) > 1:
        return False
    for kind in first.values.keys() & second.values.keys():
        if len(first.values[kind]) == len(second.values[kind]) == 1:
            (first_unit, first_readings), (second_unit, second_readings) = first.values[kind][0], second.values[kind][0]
            tolerance = 0.0
            if first_unit != second_unit:
                tolerance = _UNIT_TOLERANCE
            if first.is_hedged or second.is_hedged:
                tolerance = _HEDGED_TOLERANCE
            if not any(abs(a - b) <= tolerance * max(a, b) for a in first_readings for b in second_readings):
                return True
    return False


def _agreeing_times(first: frozenset[str], second: frozenset[str]) -> bool:
    """Return whether two sentences name a common day or year; a year agrees with each of its days."""
    return any(a.startswith(b) or b.startswith(a) for a in first for b in second)


def _statement(sentence: str) -> _Statement:
    undated, times = _without_times(sentence[:MAX_SENTENCE_CHARS])
    for sign, word in SIGNS.items():
        undated = undated.replace(sign, word)
    listed = folded_words(undated).split()
    values, unit_words = _values(undated)
    subject: list[str] = []
    for word in listed:
        if word in VERBS or word[:1].isdigit():
            break
        subject.append(word)
    return _Statement(
        words=_content(listed, unit_words),
        subject=_content(subject, unit_words),
        values=values,
        times=frozenset(times),
        events=frozenset(EVENTS[word] for word in listed if word in EVENTS),
        is_negated=bool(NEGATIONS & set(listed)) or any(word.endswith(NEGATED_ENDINGS) for word in undated.split()),
        is_hedged=_is_hedged(listed),
        has_pronoun=bool(listed) and listed[0] in PRONOUNS,
    )


def _is_hedged(words: Sequence[str]) -> bool:
    """Return whether a hedging word stands at most two words before a number."""
    return any(
        word in HEDGES and any(following[0].isdigit() for following in words[place + 1 : place + 3])
        for place, word in enumerate(words)
    )


def _content(words: Sequence[str], unit_words: set[str]) -> frozenset[str]:
    """Return the words that say what a sentence is about, without its numbers and units."""
    return frozenset(
        SYNONYMS.get(word, EVENTS.get(word) or singular(word))
        for word in words
        if word not in STOPS and word not in unit_words and not word[0].isdigit() and _has_meaning(word)
    )


def _has_meaning(word: str) -> bool:
    """Return whether a word is longer than a letter, and no ending of Japanese; one character of Han is a word."""
    return not _INFLECTION.fullmatch(word) and (len(word) > 1 or not word.isascii())


def _without_times(sentence: str) -> tuple[str, set[str]]:
    """Return a sentence without its days and years, and these; words of Japanese are parted."""
    times: set[str] = set()
    for span in reversed(dates.spans(sentence)):
        times.add(span.stamp[:10])
        sentence = f"{sentence[: span.start]} {sentence[span.end :]}"
    sentence = _SCRIPT_BORDER.sub(" ", sentence)
    for match in reversed(list(_YEAR.finditer(sentence))):
        following = (match[2] or "").lower()
        if following not in UNITS and following not in SYNONYMS:
            times.add(match[1])
            sentence = f"{sentence[: match.start()]} {sentence[match.end(1) :]}"
    return sentence, times


def _values(text: str) -> tuple[dict[str, list[tuple[str, frozenset[float]]]], set[str]]:
    """Return the values of a text by the kind of their unit, and the words of units and magnitudes."""
    values: dict[str, list[tuple[str, frozenset[float]]]] = {}
    unit_words: set[str] = set()
    for match in _VALUE.finditer(text):
        digits, unit, following = match[1], (match[2] or "").lower(), (match[3] or "").lower()
        factor = 1.0
        if unit in MAGNITUDES:
            factor, unit_words = MAGNITUDES[unit], unit_words | {unit}
            unit = following
        kind, base = UNITS.get(unit, (SYNONYMS.get(unit, singular(unit)), 1.0))
        if unit in UNITS:
            unit_words.add(unit)
        before = text[: match.start()].rstrip()
        if before.endswith((" eur", " usd", " jpy")):  # a sign of currency stands before its digits
            kind, base = before[-3:], 1.0
            unit_words.add(kind)
        readings = frozenset(number * base * factor for number in numbers(digits))
        values.setdefault(kind, []).append((unit, readings))
    return values, unit_words
