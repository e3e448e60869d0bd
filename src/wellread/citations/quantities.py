"""Reads the quantities of a text: numbers with their magnitudes and units, in every way that they can be read; pure."""

from __future__ import annotations

import re
import unicodedata
from itertools import pairwise
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.citations.unit_words import (
    AMBIGUOUS_NUMBER_WORDS,
    CODES_BEFORE_DIGITS,
    CURRENCY_MAGNITUDES,
    GENERIC_KINDS,
    MAGNITUDES,
    NUMBER_WORDS,
    ONES,
    UNITS,
    Unit,
)
from wellread.citations.word_terms import STEM_CHARS, terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

MAX_CHARS: Final = 20_000
"""Characters of a text that are looked through."""
BLANKS: Final = "\u00a0\u2007\u2009\u202f "
"""Blanks between groups of digits; French has a narrow one."""
_DIGITS: Final = rf"\d{{1,15}}(?:[.,'\u2019{BLANKS}]\d{{1,6}}){{0,6}}"
_PART: Final = re.compile(r"\d{1,15}")
_SEPARATOR: Final = re.compile(r"\D")
_BLANK: Final = re.compile(f"[-{BLANKS}]")
_TOLERANCE: Final = 0.02
"""Between values in different units: they are rounded."""
_IS_YEAR: Final = re.compile(r"[12]\d{3}")
_LAST_SPACED: Final = "\u2e80"
"""Letters from here on are of scripts without spaces."""
_NOON: Final = 12
_HUNDRED: Final = 100
_HALVES_OF_DAY: Final = {"morning": 0, "afternoon": _NOON}
_CLOCK: Final = UNITS["uhr"]
_CURRENCIES: Final = frozenset({"dollar", "yen sign", "franc", "krone", "peso"}) | {
    units[0].kind for word, units in UNITS.items() if word in CODES_BEFORE_DIGITS
}
_CURRENCY_CHARS: Final = frozenset("$\uff04\u20ac\u00a3\uffe1\u00a5\uffe5\u20b9\u20a9\u20bd")
_HAN_DIGITS: Final = {
    char: value for value, char in enumerate("\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d", 1)
}
_HAN_TENS: Final = {"\u5341": 10, "\u767e": 100, "\u5343": 1000}
_HAN_MYRIADS: Final = {"\u4e07": 1e4, "\u842c": 1e4, "\u4ebf": 1e8, "\u5104": 1e8}
_HAN_ZEROS: Final = "\u96f6\u3007"
_TWO: Final = "\u4e24"
_HAN: Final = "".join((*_HAN_DIGITS, *_HAN_TENS, _TWO))
_WORD_MAGNITUDES: Final = ("hundred", "thousand", "million", "billion", "hundert", "tausend", "mille", "mil")
"""Magnitudes within a number in words."""


def _alternatives(words: Iterable[str]) -> str:
    """Return a pattern for words, the longest first; where one ends with a Latin letter, no other letter follows."""
    return "|".join(
        re.escape(word).replace(r"\ ", f"[-{BLANKS}]")
        + "(?![^\\W_])" * (word[-1].isalpha() and word[-1] < _LAST_SPACED)
        for word in sorted(words, key=len, reverse=True)
    )


_TENS_WORDS: Final = _alternatives(word for word, number in NUMBER_WORDS.items() if number in range(20, 100, 10))
_ONES_WORDS: Final = _alternatives([*ONES, *(word for word, number in NUMBER_WORDS.items() if number < 10)])
_BELOW_HUNDRED: Final = (
    rf"(?:(?:{_TENS_WORDS})[-{BLANKS}](?:(?:et|y)[-{BLANKS}])?(?:{_ONES_WORDS})|{_alternatives(NUMBER_WORDS)})"
)
_NUMBER_IN_WORDS: Final = (
    rf"(?:{_BELOW_HUNDRED}|(?:{_alternatives(ONES)})(?=[-{BLANKS}](?:{_alternatives([*MAGNITUDES, *UNITS])})))"
    rf"(?:(?:[-{BLANKS}](?:{_alternatives(_WORD_MAGNITUDES)})){{1,2}}[-{BLANKS}](?:and[{BLANKS}])?"
    rf"(?:{_BELOW_HUNDRED}|(?:{_alternatives(ONES)}))){{0,4}}"
)
_QUANTITY: Final = re.compile(
    rf"(?P<sign>(?<![^\s(\[{{|,;:=~<>])(?<!\d\s)(?:[-\u2212](?=\S)|minus[{BLANKS}])|\u96f6\u4e0b|\u8d1f)?"
    rf"(?:(?<![^\W\d_])(?P<before>{_alternatives(word for word in UNITS if _CURRENCY_CHARS & {*word})}"
    rf"|(?:{'|'.join(map(re.escape, CODES_BEFORE_DIGITS))})(?![^\W\d_]))[{BLANKS}]?(?P<money_sign>[-\u2212])?"
    rf"|(?P<percent>\u767e\u5206\u4e4b))?"
    rf"(?:(?<!\d)(?P<hour>\d{{1,2}}):(?P<minute>\d\d)(?!\d)|(?P<digits>{_DIGITS})"
    rf"|(?P<han>[{_HAN}][{_HAN}{_HAN_ZEROS}]{{0,7}}(?:[{''.join(_HAN_MYRIADS)}][{_HAN_ZEROS}]?[{_HAN}]"
    rf"[{_HAN}{_HAN_ZEROS}]{{0,7}}){{0,2}})"
    rf"|(?<![^\W_])(?P<word>{_NUMBER_IN_WORDS}))"
    rf"(?:[-{BLANKS}]?(?P<magnitude>{_alternatives(MAGNITUDES)}|(?(before)[mb](?![^\W_])|(?!))))?"
    rf"(?:[-{BLANKS}]{{0,2}}(?:d(?:e |['\u2019]))?\(?(?P<after>{_alternatives(UNITS)}))?"
)
_FOLLOWING_WORD: Final = re.compile(rf"[-{BLANKS}]([^\W\d_]{{3,40}})")
_BESIDE_CHARS: Final = 40
"""Characters beside a cited number where the word beside a stated one must stand."""
_LISTED: Final = re.compile(
    rf"[{BLANKS}]?(?:[-\u2013\u2014~/\u00d7,\u3001]|to|and|or|by|bis|und|oder|auf|et|ou|\u00e0|a|y|e|o|x"
    rf"|\u81f3|\u5230|\u6216|\u548c)[{BLANKS}]?"
)
"""Between quantities of which only one has the unit: `5 to 7 km`, `$5-7`."""


class Quantity(NamedTuple):
    """A number of a text with its unit."""

    text: str
    start: int
    end: int
    digits: frozenset[float]
    """The numbers that its digits may be."""
    values: frozenset[float]
    """The numbers that it may mean: 1,200,000 for `1.2 million`, 21 for `9 pm`."""
    units: tuple[Unit, ...]
    """The units that it may have; empty where no known one stands beside it."""
    factor: float = 1.0
    """The magnitude behind its digits."""
    is_doubtful: bool = False
    """Whether its word may have another meaning."""
    word_beside: str = ""
    """The sign or the beginning of the word beside it that is no known unit."""

    @property
    def is_money(self) -> bool:
        """Whether it has a currency beside it."""
        return any(unit.kind in _CURRENCIES for unit in self.units)

    @property
    def plain_numbers(self) -> frozenset[float]:
        """The numbers that a text may have in its place without a unit."""
        if self.factor != 1:
            return self.values
        return self.values | self.digits


class KnownQuantities:
    """The quantities of a text, with which those of a statement are compared."""

    def __init__(self, text: str) -> None:
        text = text[:MAX_CHARS]
        self._quantities = quantities(text)
        lowered = self._lowered = _lowered(text)
        self._mentioned_kinds = {
            unit.kind for word, units in UNITS.items() if _is_mentioned(word, lowered) for unit in units
        }
        undigited = _without(self._quantities, lowered)
        self._factors = [factor for word, factor in MAGNITUDES.items() if _is_mentioned(word, undigited)]

    def has(self, quantity: Quantity) -> bool:
        """Return whether the text has a quantity, in the same unit or in another one of its kind.

        A number without a unit may have any that the text names elsewhere: in the header of a table. So it may have a
        magnitude that stands alone: `in millions`.
        """
        return any(self._agree(quantity, cited) for cited in self._quantities)

    def _agree(self, quantity: Quantity, cited: Quantity) -> bool:
        if quantity.units and cited.units:
            return any(_agree_in_unit(quantity, unit, cited, other) for unit in quantity.units for other in cited.units)
        cited_numbers = cited.plain_numbers
        if cited.factor == 1:
            cited_numbers |= {number * factor for number in cited.digits for factor in self._factors}
        if not quantity.plain_numbers & cited_numbers:
            return False
        if quantity.word_beside and cited.units and not _is_time_of_day(cited):
            return (
                quantity.word_beside in self._lowered[max(0, cited.start - _BESIDE_CHARS) : cited.end + _BESIDE_CHARS]
            )
        return not quantity.units or any(self._may_be(unit.kind) for unit in quantity.units)

    def _may_be(self, kind: str) -> bool:
        """Return whether a number without a unit may be of a kind: a time of day needs none."""
        return kind == "clock" or any(_is_kind(kind, mentioned) for mentioned in self._mentioned_kinds)


def _is_time_of_day(quantity: Quantity) -> bool:
    return any(unit.kind == "clock" for unit in quantity.units)


def _without(cited: Sequence[Quantity], text: str) -> str:
    """Return a text without its quantities."""
    ends = [0, *(quantity.end for quantity in cited)]
    starts = [*(quantity.start for quantity in cited), len(text)]
    return " ".join(text[end:start] for end, start in zip(ends, starts, strict=True))


def _is_mentioned(word: str, lowered: str) -> bool:
    """Return whether a text has a unit as a word; one letter counts only in brackets: `Length (m)`."""
    if len(word) == 1 and "a" <= word <= "z":
        word = f"({word})"
    start = lowered.find(word)
    while start >= 0:
        around = lowered[max(0, start - 1) : start], lowered[start + len(word) : start + len(word) + 1]
        if not word[0].isalpha() or word[0] > _LAST_SPACED or not any(map(str.isalpha, around)):
            return True
        start = lowered.find(word, start + 1)
    return False


def _is_kind(kind: str, cited: str) -> bool:
    """Return whether a kind is the other, or may be: a dollar is any of them, but a text with `$` means US dollars."""
    members, _ = GENERIC_KINDS.get(kind, ((), ""))
    cited_members, usual = GENERIC_KINDS.get(cited, ((), ""))
    return kind in {cited, usual} or cited in members or (kind in cited_members and not usual)


def _agree_in_unit(quantity: Quantity, unit: Unit, cited: Quantity, cited_unit: Unit) -> bool:
    if not _is_kind(unit.kind, cited_unit.kind):
        return False
    tolerance = 0.0 if unit.size == cited_unit.size else _TOLERANCE
    return any(
        abs(value * unit.size - cited_value * cited_unit.size) <= tolerance * abs(cited_value) * cited_unit.size
        for value in quantity.values
        for cited_value in cited.values
    )


def numbers(text: str) -> set[float]:
    """Return the numbers in a text, in every way that their separators can be read, without magnitudes and units."""
    return {number for quantity in quantities(text) if not quantity.is_doubtful for number in quantity.digits}


def readings(digits: str) -> set[float]:
    """Return the numbers that digits with separators may be: `1,299` is also 1.299, `1.299,00` is only 1299."""
    parts, separators = _PART.findall(digits), _SEPARATOR.findall(digits)
    if not separators:
        return {float(digits)}
    joined = float("".join(parts))
    is_grouped = len(parts[0]) <= 3 and len(parts[-1]) == 3 and all(len(part) in {2, 3} for part in parts[1:])
    is_grouped &= not parts[0].startswith("0")
    has_decimals = separators[-1] in ".," and separators[-1] not in separators[:-1]
    if len(parts) == 2:
        has_decimals &= not (is_grouped and parts[1] == "000")
    numbers_read = {joined} if is_grouped else set()
    if has_decimals:
        numbers_read.add(float(f"{''.join(parts[:-1])}.{parts[-1]}"))
    if any(separator.isspace() for separator in separators):
        numbers_read |= {float(part) for part in parts}
    return numbers_read or {joined}


def quantities(text: str) -> list[Quantity]:
    """Return the quantities of a text in order; in a list or a range, each has the unit of the next one."""
    text = text[:MAX_CHARS]
    read_quantities = [_quantity(match) for match in _QUANTITY.finditer(_lowered(text))]
    for at, (quantity, following) in reversed(list(enumerate(pairwise(read_quantities)))):
        if _LISTED.fullmatch(text, quantity.end, following.start):
            read_quantities[at] = _with_unit(quantity, read_quantities[at + 1])
    for at, (quantity, following) in enumerate(list(pairwise(read_quantities)), 1):
        if read_quantities[at - 1].is_money and _LISTED.fullmatch(text, quantity.end, following.start):
            read_quantities[at] = _with_unit(read_quantities[at], read_quantities[at - 1])
    return read_quantities


def _lowered(text: str) -> str:
    """Return a text in lower case, each character in its place."""
    return "".join(lower if len(lower := char.lower()) == 1 else char for char in text)


def _quantity(match: re.Match[str]) -> Quantity:
    digits, is_doubtful = _digits(match)
    units = _units(match)
    factor = 1.0
    if match["magnitude"]:
        word = _BLANK.sub(" ", match["magnitude"])
        factor = MAGNITUDES.get(word) or CURRENCY_MAGNITUDES[word]
        is_doubtful &= match["word"] not in ONES
    if match["word"] and factor != 1 and any(word in match["word"] for word in _WORD_MAGNITUDES):
        digits, factor = frozenset({_number_in_words(f"{match['word']} {match['magnitude']}")}), 1.0
    is_clock = match["hour"] or any(unit.kind in {"clock", *_HALVES_OF_DAY} for unit in units)
    if (match["sign"] or match["money_sign"]) and not is_clock:
        digits = frozenset(-number for number in digits)
    values = frozenset(number * factor for number in digits)
    if match["hour"]:
        values = frozenset({int(match["hour"]) + int(match["minute"]) / 60})
    if any(unit.kind in _HALVES_OF_DAY for unit in units):
        noon = _HALVES_OF_DAY[units[0].kind]
        values = frozenset(value % _NOON + noon for value in values)
        units = _CLOCK
    elif match["hour"]:
        units = _CLOCK
    if _IS_YEAR.fullmatch(match["digits"] or "") and units and units[0].kind == "months":
        units = ()
    is_article = match["word"] in ONES.keys() - {"one"} or (match["word"] == "one" and match["after"] == "day")
    is_doubtful &= is_article or not units
    word = "" if units else _word_beside(match)
    return Quantity(match[0].strip(), match.start(), match.end(), digits, values, units, factor, is_doubtful, word)


def _word_beside(match: re.Match[str]) -> str:
    """Return the currency sign or the beginning of the word beside a number; empty where it is a function word."""
    text, end = match.string, match.end()
    around = text[max(0, match.start() - 1) : match.start()] + text[end : end + 1]
    sign = next((char for char in around if unicodedata.category(char) == "Sc"), "")
    following = _FOLLOWING_WORD.match(text, end)
    if sign or following is None or not terms(following[1]):
        return sign
    return following[1][:STEM_CHARS]


def _digits(match: re.Match[str]) -> tuple[frozenset[float], bool]:
    """Return the numbers that the digits or the word of a quantity may be, and whether the word is doubtful."""
    if match["hour"]:
        hour, minute = match["hour"], match["minute"]
        return frozenset({float(hour), float(minute), float(f"{hour}.{minute}")}), False
    if match["word"]:
        return frozenset({_number_in_words(match["word"])}), match["word"] in AMBIGUOUS_NUMBER_WORDS | ONES.keys()
    if match["han"]:
        return frozenset({_han_number(match["han"])}), True
    return frozenset(readings(match["digits"])), False


def _han_number(numeral: str) -> float:
    """Return the number of a Chinese numeral."""
    total = 0.0
    number = digit = 0
    for char in numeral.replace(_TWO, "\u4e8c"):
        if char in _HAN_MYRIADS:
            total += (number + digit) * _HAN_MYRIADS[char]
            number = digit = 0
        elif char in _HAN_TENS:
            number += max(digit, 1) * _HAN_TENS[char]
            digit = 0
        else:
            digit = digit * 10 + _HAN_DIGITS.get(char, 0)
    return total + number + digit


def _number_in_words(words: str) -> float:
    """Return the number of a run of number words and magnitudes: 2,300 for `two thousand three hundred`."""
    total = number = 0.0
    for word in re.split(rf"[-{BLANKS}]", words):
        magnitude = MAGNITUDES.get(word, 1.0)
        if magnitude > _HUNDRED:
            total += number * magnitude
            number = 0.0
        else:
            number = (number + NUMBER_WORDS.get(word, ONES.get(word, 0.0))) * magnitude
    return total + number


def _units(match: re.Match[str]) -> tuple[Unit, ...]:
    if match["percent"]:
        return UNITS["%"]
    for name in ("before", "after"):
        if match[name]:
            return UNITS.get(match[name]) or UNITS[_BLANK.sub(" ", match[name])]
    return ()


def _with_unit(quantity: Quantity, other: Quantity) -> Quantity:
    """Return a quantity with the unit of its neighbour in a list, and perhaps with its magnitude."""
    if quantity.units and other.units and quantity.units != other.units:
        return quantity
    if quantity.factor == 1:
        values = quantity.values | {value * other.factor for value in quantity.values}
        quantity = quantity._replace(values=values)
    return quantity._replace(units=quantity.units or other.units)
