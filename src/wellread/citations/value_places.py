"""Finds where quotations and values stand in the text of a page, as whole words and whole numbers; pure.

The `19` of `1989` is no 19, `12` does not stand in `1 2`, nor `99` in `1 199,00`, and `-5 mg` is no 5. The text is
collapsed once for all values, and searched by `str.find`, which is linear.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.citations.negations import is_negated
from wellread.citations.quantities import BLANKS, readings
from wellread.citations.support import is_border
from wellread.citations.unit_words import UNITS
from wellread.text import dates
from wellread.text.writing_systems import UNSPACED

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_PLACES: Final = 10_000
"""Places of a page that are looked at for all its values together."""
_AROUND: Final = 60
"""Characters on both sides of a place in which the whole number, its sign and its date are read."""
_WHOLE_NUMBER: Final = re.compile(
    rf"(?<![^\W_{UNSPACED}])(?:\d{{1,3}}(?:[{BLANKS}]\d{{3}})+(?!\d)(?:[.,]\d{{1,6}})?|\d{{1,40}}(?:[.,'\u2019]\d{{1,40}}){{0,6}})"
)
_BLANK: Final = re.compile(f"[{BLANKS}]")
_SIGN: Final = re.compile(
    rf"(?:(?:^|(?<!\d)\s|[(\[{{|,;:=~<>*_\"])(?:[-\u2212\u2013]|minus[{BLANKS}])(?:[^\w\s.,;:!?-]|[A-Z]{{3}}[{BLANKS}]?)?"
    rf"|[^\w\s.,;:!?|*_()-][-\u2212])$",
    re.IGNORECASE,
)
"""Before the digits of a negative number, with a currency on either side of the sign."""
_COMPOUND: Final = re.compile(r"[^\W\d_][-\u2010\u2011]$")
_HOURS: Final = re.compile(r"\d:$")
_MINUTES: Final = re.compile(r":\d")
_UNIT: Final = re.compile(rf"[^\W\d_{UNSPACED}]{{1,20}}")
_WORD: Final = re.compile(r"\w{1,500}")
_MAX_NUMBER: Final = 1e40
_DIGITS_OF_YEAR: Final = 4
_GROUP_CHARS: Final = 3


class WholeNumber(NamedTuple):
    """A number of a text with all its digits and separators."""

    start: int
    end: int
    text: str
    values: frozenset[float]
    """The numbers that it may be; empty where it is a part of a time, a name or a word."""


class QuotableText:
    """The text of a page in which quotations and values are looked for."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._places_left = MAX_PLACES

    def quotation(self, quote: str) -> tuple[int, int] | None:
        """Return where a quotation stands, runs of white space apart, between borders of words and numbers."""
        words = " ".join(quote.split())
        return next((place for place in self._places(words) if self._is_whole(*place)), None)

    def value(self, value: str | float, within: tuple[int, int] | None = None) -> tuple[int, int] | None:
        """Return where a value stands, perhaps within a quotation; a text does not stand where its clause denies it."""
        if not isinstance(value, str):
            return self._number(value, within)
        words = " ".join(value.split())
        places = self._places(words)
        if within is not None:
            places = self._folded_places(value, *within)
        return next((place for place in places if self._is_value(words, *place)), None)

    def _is_value(self, words: str, start: int, end: int) -> bool:
        if words.isdecimal():
            number = _whole_number(self.text, start)
            if number is None or number.text != words or min(number.values, default=-1) < 0:
                return False
            return not _is_dated(self.text, number)
        return self._is_whole(start, end) and not is_negated(self.text, start)

    def _is_whole(self, start: int, end: int) -> bool:
        """Return whether no word or number goes on across the ends of a place, and no sign stands before it."""
        if not (is_border(self.text, start) and is_border(self.text, end)):
            return False
        first = self._number_at(start)
        last = self._number_at(end - 1)
        if first is not None and (first.start < start or min(first.values, default=0) < 0):
            return False
        return last is None or last.end <= end

    def _number_at(self, place: int) -> WholeNumber | None:
        """Return the number that has a digit at `place`; None where none stands."""
        if not self.text[place].isdecimal():
            return None
        return _whole_number(self.text, place)

    def _number(self, number: float, within: tuple[int, int] | None) -> tuple[int, int] | None:
        if not -_MAX_NUMBER < number < _MAX_NUMBER:
            return None
        start, end = within or (0, len(self.text))
        for form in _forms(number):
            for place, place_end in self._exact_places(form, start, end):
                # Most places lie within longer numbers, and are told by their neighbours.
                if self.text[place - 1 : place].isdecimal() or self.text[place_end : place_end + 1].isdecimal():
                    continue
                found = _whole_number(self.text, place)
                if found is None or number not in found.values or (within is None and _is_dated(self.text, found)):
                    continue
                return found.start, found.end
        return None

    def _places(self, words: str) -> Iterator[tuple[int, int]]:
        """Yield the places of words that stand with one blank between them, and then with other white space."""
        if not words:
            return
        yield from self._exact_places(words, 0, len(self.text))
        if " " not in words:
            return
        last_word = words.rpartition(" ")[2]
        for place in self._found(self._collapsed, words, 0, len(self._collapsed)):
            start = self._offset(place)
            yield start, self._offset(place + len(words) - len(last_word)) + len(last_word)

    def _exact_places(self, words: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        return ((place, place + len(words)) for place in self._found(self.text, words, start, end))

    def _found(self, text: str, words: str, start: int, end: int) -> Iterator[int]:
        while self._places_left > 0 and (start := text.find(words, start, end)) >= 0:
            self._places_left -= 1
            yield start
            start += 1

    def _folded_places(self, value: str, start: int, end: int) -> Iterator[tuple[int, int]]:
        """Yield where the words of a value stand within a short place, upper case and the signs between them apart."""
        words = [match[0].casefold() for match in _WORD.finditer(value)]
        matches = list(_WORD.finditer(self.text, start, end))
        if not words:
            yield from self._exact_places(value.strip(), start, end)
            return
        texts = [match[0].casefold() for match in matches]
        for at in range(len(texts) - len(words) + 1):
            if texts[at : at + len(words)] == words:
                yield matches[at].start(), matches[at + len(words) - 1].end()

    @cached_property
    def _collapsed(self) -> str:
        return " ".join(self.text.split())

    @cached_property
    def _word_starts(self) -> tuple[list[int], list[int]]:
        """Where each word starts in the collapsed text, and in the text."""
        collapsed_starts, starts = [], []
        collapsed_start = end = 0
        for word in self.text.split():
            start = self.text.index(word, end)  # only white space stands before it
            collapsed_starts.append(collapsed_start)
            starts.append(start)
            collapsed_start += len(word) + 1
            end = start + len(word)
        return collapsed_starts, starts

    def _offset(self, place: int) -> int:
        """Return where a place of the collapsed text is in the text."""
        collapsed_starts, starts = self._word_starts
        at = bisect_right(collapsed_starts, place) - 1
        return starts[at] + place - collapsed_starts[at]


def _forms(number: float) -> list[str]:
    """Return how the digits before the decimals of a number may be written."""
    digits = str(int(abs(number)))
    forms = [digits]
    if len(digits) > _GROUP_CHARS:
        grouped = f"{int(digits):,}"
        forms += [grouped.replace(",", separator) for separator in (",", ".", "'", "\u2019", *BLANKS)]
    return forms


def _whole_number(text: str, at: int) -> WholeNumber | None:
    """Return the number that has a digit at an offset; None where there is none of a readable length."""
    window_start = max(0, at - _AROUND)
    window = text[window_start : at + _AROUND]
    for match in _WHOLE_NUMBER.finditer(window):
        if match.start() <= at - window_start < match.end():
            start, end = window_start + match.start(), window_start + match.end()
            return WholeNumber(start, end, match[0], _values(window, match.start(), match.end()))
    return None


def _values(window: str, start: int, end: int) -> frozenset[float]:
    before, behind = window[:start], window[end:]
    unit = _UNIT.match(behind)
    if unit is not None and unit[0].lower() not in UNITS:
        return frozenset()
    if _COMPOUND.search(before) or _MINUTES.match(behind) or _HOURS.search(before):
        return frozenset()
    numbers = readings(_BLANK.sub("", window[start:end]))
    if _SIGN.search(before):
        return frozenset(-number for number in numbers)
    return frozenset(numbers)


def _is_dated(text: str, number: WholeNumber) -> bool:
    """Return whether a number is the day or the month of a date."""
    if number.end - number.start >= _DIGITS_OF_YEAR:
        return False
    window_start = max(0, number.start - _AROUND)
    spans = dates.spans(text[window_start : number.end + _AROUND])
    return any(span.start <= number.start - window_start and number.end - window_start <= span.end for span in spans)
