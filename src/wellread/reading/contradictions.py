"""Finds sentences of different pages that contradict each other about the same subject; pure.

Two sentences are compared only if they share most words, and if neither names a subject, season or group that the
other lacks while the other names one of its own. Then their numbers of one unit, the
dates of one event, or a negation differ.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.citations.support import numbers
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
_UNITS: Final[dict[str, tuple[str, float]]] = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), ("length", 1.0)),
    **dict.fromkeys(("km", "kilometre", "kilometres", "kilometer", "kilometers"), ("length", 1_000.0)),
    **dict.fromkeys(("cm", "centimetre", "centimetres"), ("length", 0.01)),
    **dict.fromkeys(("ft", "foot", "feet"), ("length", 0.3048)),
    **dict.fromkeys(("mile", "miles"), ("length", 1_609.344)),
    **dict.fromkeys(("kg", "kilogram", "kilograms"), ("mass", 1.0)),
    **dict.fromkeys(("t", "tonne", "tonnes"), ("mass", 1_000.0)),
    **dict.fromkeys(("lb", "pound", "pounds"), ("mass", 0.45359)),
    **dict.fromkeys(("minute", "minutes"), ("time", 60.0)),
    **dict.fromkeys(("hour", "hours"), ("time", 3_600.0)),
    **dict.fromkeys(("w", "watt", "watts"), ("power", 1.0)),
    **dict.fromkeys(("kw", "kilowatt", "kilowatts"), ("power", 1_000.0)),
    **dict.fromkeys(("eur", "euro", "euros"), ("eur", 1.0)),
    **dict.fromkeys(("usd", "dollar", "dollars"), ("usd", 1.0)),
    **dict.fromkeys(("percent",), ("percent", 1.0)),
}
_MAGNITUDES: Final = {"thousand": 1e3, "million": 1e6, "billion": 1e9}
_SIGNS: Final = {"%": " percent ", "\u20ac": " eur ", "$": " usd "}
_VALUE: Final = re.compile(r"(?<![\w.,])(\d{1,15}(?:[.,]\d{1,6}){0,4})\s{0,2}([^\W\d_]{1,20})?\s{0,2}([^\W\d_]{1,20})?")
_YEAR: Final = re.compile(r"(?<![\w.,])(1\d{3}|20\d{2})(?![\w]|[.,]\d)")
_NEGATIONS: Final = frozenset(
    [
        "not",
        "no",
        "never",
        "cannot",
        "without",
        "nobody",
        "none",
        "nicht",
        "kein",
        "keine",
        "nie",
        "pas",
        "jamais",
        "nunca",
        "non",
    ]
)
_SHORT_NEGATION: Final = re.compile(r"n['\u2019]t\b")
_HEDGES: Final = frozenset(
    ["about", "around", "nearly", "roughly", "approximately", "almost", "over", "least", "most", "circa", "some"]
)
_EVENTS: Final[dict[str, str | None]] = {
    **dict.fromkeys(["built", "constructed", "erected", "completed", "finished"], "built"),
    **dict.fromkeys(["founded", "established", "created"], "founded"),
    **dict.fromkeys(["opened", "inaugurated"], "opened"),
    **dict.fromkeys(
        [
            "born",
            "died",
            "discovered",
            "invented",
            "launched",
            "released",
            "published",
            "signed",
            "lit",
            "closed",
            "replaced",
        ]
    ),
}
"""Words of events that happen once, as one word for all that mean the same; None stands for the word itself."""
_SYNONYMS: Final[dict[str, str]] = {
    **dict.fromkeys(["high", "tall", "height"], "high"),
    **dict.fromkeys(["cost", "costs", "paid", "pays", "price", "priced"], "cost"),
    **dict.fromkeys(["weighs", "weigh", "weight"], "weight"),
    **dict.fromkeys(["inhabitants", "residents", "people", "population"], "population"),
}
_CONTRASTS: Final = tuple(
    frozenset(words.split())
    for words in (
        "adults children child adult students seniors families",
        "summer winter spring autumn",
        "weekdays weekends",
        "morning evening afternoon night",
        "north south east west northern southern eastern western",
        "old new former",
        "first second third fourth last",
        "men women boys girls",
        "high wide long deep heavy weight",
        "monday tuesday wednesday thursday friday saturday sunday",
        "january february march april may june july august september october november december",
    )
)
_VERB_LIST: Final = "is was are were has have had costs cost weighs opened stands takes holds does did do"
_VERBS: Final = frozenset(_VERB_LIST.split()) | _EVENTS.keys()
_STOP_LIST: Final = """
the a an of in on at by for to from and or it its is was were are be been has have had this that with as there do does
did stands doesn don isn wasn will can now still also than after before since during into only who which their they
"""
_STOPS: Final = frozenset(_STOP_LIST.split()) | _NEGATIONS | _HEDGES


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
    if len(shared) < 2 or len(shared) / len(union) < _MIN_SHARED:
        return False
    if first.subject - second.words and second.subject - first.words:
        return False
    return not any(
        (first.words - second.words) & group and (second.words - first.words) & group for group in _CONTRASTS
    )


def _have_other_values(first: _Statement, second: _Statement) -> bool:
    """Return whether the only values of one kind differ; several values of a kind may be a range."""
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
    sentence = sentence[:MAX_SENTENCE_CHARS]
    undated, times = _without_times(sentence)
    for sign, word in _SIGNS.items():
        undated = undated.replace(sign, word)
    listed = folded_words(undated).split()
    values, unit_words = _values(undated)
    subject: list[str] = []
    for word in listed:
        if word in _VERBS or word[:1].isdigit():
            break
        subject.append(word)
    return _Statement(
        words=_content(listed, unit_words),
        subject=_content(subject, unit_words),
        values=values,
        times=frozenset(times),
        events=frozenset(_EVENTS[word] or word for word in listed if word in _EVENTS),
        is_negated=bool(_NEGATIONS & set(listed)) or bool(_SHORT_NEGATION.search(sentence)),
        is_hedged=bool(_HEDGES & set(listed)),
    )


def _content(words: Sequence[str], unit_words: set[str]) -> frozenset[str]:
    """Return the words that say what a sentence is about, without its numbers and units."""
    return frozenset(
        _SYNONYMS.get(word, _EVENTS.get(word) or _singular(word))
        for word in words
        if word not in _STOPS and word not in unit_words and not word[0].isdigit() and len(word) > 1
    )


def _singular(word: str) -> str:
    """Return a word without the ending of an English plural or verb: what is compared is only its beginning."""
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word.removesuffix("s")


def _without_times(sentence: str) -> tuple[str, set[str]]:
    """Return a sentence without its days and years, and these."""
    times: set[str] = set()
    for span in reversed(dates.spans(sentence)):
        times.add(span.stamp[:10])
        sentence = f"{sentence[: span.start]} {sentence[span.end :]}"
    times |= set(_YEAR.findall(sentence))
    return _YEAR.sub(" ", sentence), times


def _values(text: str) -> tuple[dict[str, list[tuple[str, frozenset[float]]]], set[str]]:
    """Return the values of a text by the kind of their unit, and the words of units and magnitudes."""
    values: dict[str, list[tuple[str, frozenset[float]]]] = {}
    unit_words: set[str] = set()
    for match in _VALUE.finditer(text):
        digits, unit, following = match[1], (match[2] or "").lower(), (match[3] or "").lower()
        factor = 1.0
        if unit in _MAGNITUDES:
            factor, unit_words = _MAGNITUDES[unit], unit_words | {unit}
            unit = following
        kind, base = _UNITS.get(unit, (_SYNONYMS.get(unit, _singular(unit)), 1.0))
        if unit in _UNITS:
            unit_words.add(unit)
        if text[: match.start()].rstrip().endswith((" eur", " usd")):  # a sign of currency stands before its digits
            kind, base = text[: match.start()].rstrip()[-3:], 1.0
            unit_words.add(kind)
        readings = frozenset(number * base * factor for number in numbers(digits))
        values.setdefault(kind, []).append((unit, readings))
    return values, unit_words
