"""Number formats of workbooks (ECMA-376 part 1, 18.8.30 and 18.8.31): a stored number becomes the text that is shown.

Numbers are shown as in the language that format codes are written in: a comma between thousands, a point before
decimals, English months. Formats that follow the system's settings show dates and times in ISO 8601.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Context, Decimal
from enum import Enum, auto
from fractions import Fraction
from operator import attrgetter
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_CODE_CHARS: Final = 300
"""Excel takes 255 characters; a longer code is not applied."""
MAX_FRACTION_DIGITS: Final = 5
MAX_DECIMALS: Final = 30
"""As in Excel; a double has fewer."""

BUILT_IN: Final = {
    1: "0",
    2: "0.00",
    3: "#,##0",
    4: "#,##0.00",
    5: '"$"#,##0;("$"#,##0)',
    6: '"$"#,##0;[Red]("$"#,##0)',
    7: '"$"#,##0.00;("$"#,##0.00)',
    8: '"$"#,##0.00;[Red]("$"#,##0.00)',
    9: "0%",
    10: "0.00%",
    11: "0.00E+00",
    12: "# ?/?",
    13: "# ??/??",
    14: "yyyy-mm-dd",
    15: "d-mmm-yy",
    16: "d-mmm",
    17: "mmm-yy",
    18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM",
    20: "h:mm",
    21: "h:mm:ss",
    22: "yyyy-mm-dd hh:mm",
    **dict.fromkeys((*range(27, 32), 36, *range(50, 55), 57, 58), "yyyy-mm-dd"),
    **dict.fromkeys((32, 34, 55), "h:mm"),
    **dict.fromkeys((33, 35, 56), "h:mm:ss"),
    37: "#,##0;(#,##0)",
    38: "#,##0;[Red](#,##0)",
    39: "#,##0.00;(#,##0.00)",
    40: "#,##0.00;[Red](#,##0.00)",
    41: '#,##0;(#,##0);"-";@',
    42: '"$"#,##0;"$"(#,##0);"$-";@',
    43: '#,##0.00;(#,##0.00);"-";@',
    44: '"$"#,##0.00;"$"(#,##0.00);"$-";@',
    45: "mm:ss",
    46: "[h]:mm:ss",
    47: "mm:ss.0",
    48: "##0.0E+0",
    49: "@",
}
"""Ids without a code in the file (18.8.30).

14, 22 and 27 to 58 follow the language of the reader: they are ISO 8601 here.
"""

_MONTHS: Final = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
_DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_CONDITION: Final = re.compile(r"(<=|>=|<>|<|>|=)\s{0,3}(-?\d{1,15}(?:\.\d{1,15})?)")
_CURRENCY: Final = re.compile(r"\$([^-]{0,20})(?:-([0-9A-Fa-f]{1,8}))?")
_ELAPSED: Final = re.compile(r"([hH]{1,4}|[mM]{1,4}|[sS]{1,4})")
_DATE_LETTERS: Final = frozenset("ymdhsbeg")
_DAY_S: Final = 86_400
_MAX_SERIAL: Final = 2_958_466
"""The first day of the year 10000."""
_LEAP_BUG: Final = 60
"""Excel counts a 29th of February 1900, which never existed."""
_EPOCH_1900: Final = date(1899, 12, 30).toordinal()
_EPOCH_1904: Final = date(1904, 1, 1).toordinal()
_BUDDHIST: Final = 543
_EXACT: Final = 1e9
_SURE_DECIMALS: Final = 3
"""Of a number below a thousand million, a double holds three decimals and three more."""
_CONTEXT: Final = Context(prec=400)
_WHITE: Final = frozenset({"white", "color2"})


class FormatError(ValueError):
    """A code is not a number format."""


class TokenKind(Enum):
    """The kind of a token of a format code."""

    LITERAL = auto()
    DIGIT = auto()
    POINT = auto()
    COMMA = auto()
    PERCENT = auto()
    EXPONENT = auto()
    SLASH = auto()
    TEXT = auto()
    GENERAL = auto()
    DATE = auto()
    ELAPSED = auto()
    HALF_DAY = auto()
    """AM/PM or A/P."""
    SECOND_DECIMALS = auto()


class Token(NamedTuple):
    """One token of a format code, and its text."""

    part: TokenKind
    text: str


@dataclass(slots=True)
class Section:
    """One of the up to four sections of a format code."""

    tokens: list[Token]
    condition: Callable[[float], bool] | None = None
    is_white: bool = False
    is_system_date: bool = False
    is_system_time: bool = False

    @property
    def is_date(self) -> bool:
        """Tell whether the section shows a date, a time or a duration."""
        return any(token.part in {TokenKind.DATE, TokenKind.ELAPSED, TokenKind.HALF_DAY} for token in self.tokens)

    def has(self, part: TokenKind) -> bool:
        """Tell whether there is a token of a kind."""
        return any(token.part is part for token in self.tokens)


class NumberFormat:
    """A format code, ready to show values. `epoch_1904` counts days from 1904 (18.2.28)."""

    def __init__(self, code: str, *, epoch_1904: bool = False) -> None:
        """Parse a code.

        Raises:
            FormatError: it is no number format.
        """
        if len(code) > MAX_CODE_CHARS:
            raise FormatError(f"a format code of {len(code):,} characters")
        sections = [_section(source) for source in _split(code)]
        if len(sections) > 4:
            raise FormatError(f"{len(sections)} sections")
        self.length = len(code)
        """The most steps that a value takes."""
        self.shows_nothing = set(code) == {";"}
        self.is_white = sections[0].is_white
        self._text = self._take_text(sections)
        self._sections = sections
        self._renderers = [_renderer(section, epoch_1904=epoch_1904) for section in sections]
        self._only: Callable[[float], str] | None = None
        """Shows all numbers that have no sign."""
        if len(sections) == 1 and sections[0].condition is None and sections[0].tokens:
            self._only = self._renderers[0]

    @staticmethod
    def _take_text(sections: list[Section]) -> Section | None:
        """Remove the section for texts from `sections`, and return it; None where texts are shown unchanged."""
        if len(sections) == 4 or (sections[-1].has(TokenKind.TEXT) and not sections[-1].has(TokenKind.DIGIT)):
            section = sections.pop()
            if not sections:
                sections.append(Section([Token(TokenKind.GENERAL, "")]))
            if [token.part for token in section.tokens] != [TokenKind.TEXT]:
                return section
        return None

    def number(self, value: float) -> str:
        """Return `value` as it is shown; empty where the format hides it."""
        if self._only is not None and 0 <= value < _MAX_SERIAL:
            return self._only(value)
        if not math.isfinite(value):
            return general(value)
        index, shows_sign = self._choose(value)
        section = self._sections[index]
        if not section.tokens:
            return ""
        if value < 0 and section.is_date and not section.has(TokenKind.ELAPSED):
            return general(value)  # Excel shows a row of # instead
        text = self._renderers[index](abs(value))
        if value < 0 and not shows_sign:
            return f"-{text}"
        return text

    def text(self, value: str) -> str:
        """Return a text as it is shown; empty where the format hides it."""
        if self._text is None:
            return value
        return "".join(value if token.part is TokenKind.TEXT else token.text for token in self._text.tokens)

    def _choose(self, value: float) -> tuple[int, bool]:
        """Return the index of the section for `value`, and whether the section itself shows the sign."""
        count = len(self._sections)
        if any(section.condition for section in self._sections):
            return self._choose_by_condition(value)
        if count == 1 or value > 0:
            return 0, False
        if value < 0:
            return 1, True
        if count > 2:
            return 2, False
        return 0, False

    def _choose_by_condition(self, value: float) -> tuple[int, bool]:
        unconditional = len(self._sections) - 1
        for index, section in enumerate(self._sections):
            if section.condition is None:
                unconditional = index
            elif section.condition(value):
                return index, index > 0 and value < 0
        return unconditional, False


def general(value: float) -> str:
    """Return a number in the format General, with the 15 digits that a workbook keeps."""
    return f"{value:.15g}".upper()


# ------------------------------------------------------------------------------------------------ parsing


def _split(code: str) -> list[str]:
    """Return the sections of a code: semicolons in quotes, in brackets and after a backslash do not separate them."""
    sections: list[str] = []
    start = offset = 0
    while offset < len(code):
        character = code[offset]
        if character in "\\_*":
            offset += 2
        elif character == '"':
            offset = code.find('"', offset + 1) + 1 or len(code)
        elif character == "[":
            offset = code.find("]", offset + 1) + 1 or offset + 1
        elif character == ";":
            sections.append(code[start:offset])
            offset += 1
            start = offset
        else:
            offset += 1
    return [*sections, code[start:]]


def _section(source: str) -> Section:
    section = Section([])
    tokens = section.tokens
    offset = 0
    while offset < len(source):
        character = source[offset]
        if character == "\\":
            tokens.append(Token(TokenKind.LITERAL, source[offset + 1 : offset + 2]))
            offset += 2
        elif character == "_":
            tokens.append(Token(TokenKind.LITERAL, " "))
            offset += 2
        elif character == "*":
            offset += 2  # fills the width of the column
        elif character == '"':
            literal, _, _ = source[offset + 1 :].partition('"')
            tokens.append(Token(TokenKind.LITERAL, literal))
            offset += len(literal) + 2
        elif character == "[":
            end = source.find("]", offset + 1)
            if end < 0:
                raise FormatError("a bracket is not closed")
            _bracket(source[offset + 1 : end], section)
            offset = end + 1
        else:
            offset += _plain_token(source, offset, tokens)
    _name_minutes(tokens)
    return section


def _bracket(inside: str, section: Section) -> None:
    """Read the content of brackets: a colour, a condition, a currency with its language, or elapsed time."""
    condition = _CONDITION.fullmatch(inside)
    currency = _CURRENCY.fullmatch(inside)
    if condition is not None:
        section.condition = _comparison(condition[1], float(condition[2]))
    elif currency is not None:
        language = (currency[2] or "").upper()
        section.is_system_date |= language == "F800"
        section.is_system_time |= language == "F400"
        if currency[1]:
            section.tokens.append(Token(TokenKind.LITERAL, currency[1]))
    elif _ELAPSED.fullmatch(inside):
        section.tokens.append(Token(TokenKind.ELAPSED, inside.lower()))
    else:
        section.is_white |= inside.lower() in _WHITE


def _comparison(sign: str, limit: float) -> Callable[[float], bool]:
    comparisons: dict[str, Callable[[float], bool]] = {
        "<": lambda value: value < limit,
        "<=": lambda value: value <= limit,
        ">": lambda value: value > limit,
        ">=": lambda value: value >= limit,
        "=": lambda value: value == limit,
        "<>": lambda value: value != limit,
    }
    return comparisons[sign]


def _plain_token(source: str, offset: int, tokens: list[Token]) -> int:
    """Append the token at `offset`; return its length."""
    character = source[offset]
    lower = character.lower()
    if character in "0#?":
        is_decimal = len(tokens) > 1 and tokens[-1].part in {TokenKind.POINT, TokenKind.SECOND_DECIMALS}
        if character == "0" and is_decimal and _follows_seconds(tokens):
            _add_second_decimal(tokens)
        else:
            tokens.append(Token(TokenKind.DIGIT, character))
        return 1
    if lower in "ga" and (length := _append_word(source, offset, tokens)):
        return length
    if (
        lower == "e"
        and source[offset + 1 : offset + 2] in {"+", "-"}
        and any(token.part is TokenKind.DIGIT for token in tokens)
    ):
        tokens.append(Token(TokenKind.EXPONENT, source[offset + 1]))
        return 2
    if lower in _DATE_LETTERS:
        length = 1
        while source[offset + length : offset + length + 1].lower() == lower:
            length += 1
        tokens.append(Token(TokenKind.DATE, lower * length))
        return length
    signs = {
        ".": TokenKind.POINT,
        ",": TokenKind.COMMA,
        "%": TokenKind.PERCENT,
        "/": TokenKind.SLASH,
        "@": TokenKind.TEXT,
    }
    tokens.append(Token(signs.get(character, TokenKind.LITERAL), character))
    return 1


def _append_word(source: str, offset: int, tokens: list[Token]) -> int:
    """Append `General`, `AM/PM` or `A/P`; return its length, or 0 where there is none of them."""
    for word, part in (("general", TokenKind.GENERAL), ("am/pm", TokenKind.HALF_DAY), ("a/p", TokenKind.HALF_DAY)):
        if source[offset : offset + len(word)].lower() == word:
            tokens.append(Token(part, word))
            return len(word)
    return 0


def _follows_seconds(tokens: Sequence[Token]) -> bool:
    before = tokens[-2]
    return tokens[-1].part is TokenKind.SECOND_DECIMALS or (
        before.part in {TokenKind.DATE, TokenKind.ELAPSED} and before.text.startswith("s")
    )


def _add_second_decimal(tokens: list[Token]) -> None:
    """Add a digit to the decimals of the second; the first one takes the place of the decimal point."""
    last = tokens.pop()
    if last.part is not TokenKind.SECOND_DECIMALS:
        last = Token(TokenKind.SECOND_DECIMALS, "")
    tokens.append(last._replace(text=f"{last.text}0"))


def _name_minutes(tokens: list[Token]) -> None:
    """Rename m and mm after hours or before seconds: they are minutes there, and months elsewhere."""
    indices = [index for index, token in enumerate(tokens) if token.part in {TokenKind.DATE, TokenKind.ELAPSED}]
    texts = ["", *(tokens[index].text for index in indices), ""]
    for index, before, after in zip(indices, texts, texts[2:], strict=False):
        token = tokens[index]
        is_minutes = before.startswith("h") or after.startswith("s")
        if token.part is TokenKind.DATE and token.text in {"m", "mm"} and is_minutes:
            tokens[index] = Token(TokenKind.DATE, "n" * len(token.text))


# ---------------------------------------------------------------------------------------------- rendering


def _renderer(section: Section, *, epoch_1904: bool) -> Callable[[float], str]:
    """Return the function that shows non-negative numbers by a section."""
    if section.is_system_date:
        section.tokens[:] = _section("yyyy-mm-dd").tokens
    elif section.is_system_time:
        section.tokens[:] = _section("h:mm:ss").tokens
    if section.is_date:
        return _DateRenderer(section.tokens, epoch_1904=epoch_1904).render
    if section.has(TokenKind.DIGIT):
        if section.has(TokenKind.SLASH) and (fraction := _FractionRenderer.parse(section.tokens)) is not None:
            return fraction.render
        return _NumberRenderer(section.tokens).render
    return _LiteralRenderer(section.tokens).render


class _LiteralRenderer:
    """A section without digits: literal text, with or without General."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens

    def render(self, value: float) -> str:
        if any(token.part is TokenKind.PERCENT for token in self._tokens):
            value *= 100
        number = {TokenKind.GENERAL, TokenKind.TEXT}
        return "".join(general(value) if token.part in number else token.text for token in self._tokens)


class _NumberRenderer:
    """A section with digits: thousands, decimals, percent, exponents, literal text anywhere."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._exponent_at = next(
            (index for index, token in enumerate(tokens) if token.part is TokenKind.EXPONENT), len(tokens)
        )
        mantissa = tokens[: self._exponent_at]
        point = next((index for index, token in enumerate(mantissa) if token.part is TokenKind.POINT), len(mantissa))
        digits = [index for index, token in enumerate(mantissa[:point]) if token.part is TokenKind.DIGIT]
        self._tokens = tokens
        self._point = point
        self._integer_places = digits
        self._decimals = min(sum(token.part is TokenKind.DIGIT for token in mantissa[point:]), MAX_DECIMALS)
        last = digits[-1] if digits else -1
        self._groups = any(
            token.part is TokenKind.COMMA and digits and digits[0] < index < last
            for index, token in enumerate(mantissa)
        )
        scale = -3 * sum(token.part is TokenKind.COMMA and index > last for index, token in enumerate(mantissa))
        self._scale = scale + 2 * sum(token.part is TokenKind.PERCENT for token in tokens)
        self._unit = Decimal(1).scaleb(-self._decimals)
        self._simple = self._simplified()
        self._power = 10**self._decimals
        self._quick = f"{{:{',' * self._groups}.{self._decimals}f}}"

    def _simplified(self) -> tuple[str, str, str] | None:
        """Return the text before and after the digits, and Python's format of the digits; None for other sections."""
        if self._exponent_at < len(self._tokens) or not self._integer_places:
            return None
        ends = [
            index
            for index, token in enumerate(self._tokens)
            if token.part in {TokenKind.DIGIT, TokenKind.POINT, TokenKind.COMMA}
        ]
        inner = self._tokens[ends[0] : ends[-1] + 1]
        if any(token.part in {TokenKind.LITERAL, TokenKind.PERCENT} or token.text == "?" for token in inner):
            return None
        zeros = [self._tokens[index].text for index in self._integer_places].count("0")
        decimals = [token.text for token in self._tokens[self._point :] if token.part is TokenKind.DIGIT]
        if "#" in decimals or zeros != 1 or self._decimals != len(decimals):
            return None
        if self._point < self._exponent_at and not decimals:
            return None
        before = "".join(token.text for token in self._tokens[: ends[0]])
        after = "".join(token.text for token in self._tokens[ends[-1] + 1 :])
        return before, f"{{:{',' * self._groups}f}}", after

    def render(self, value: float) -> str:
        if self._simple is not None and self._is_sure(value):
            before, _, after = self._simple
            return f"{before}{self._quick.format(value)}{after}"
        number = Decimal(f"{value:.15g}")
        if self._exponent_at < len(self._tokens):
            return self._scientific(number.scaleb(self._scale, _CONTEXT))
        if self._scale:
            number = number.scaleb(self._scale, _CONTEXT)
        number = number.quantize(self._unit, ROUND_HALF_UP, _CONTEXT)
        if self._simple is not None:
            before, digit_format, after = self._simple
            return f"{before}{digit_format.format(number)}{after}"
        return self._fill(number, self._tokens)

    def _is_sure(self, value: float) -> bool:
        """Tell whether a binary number rounds like a decimal one: its omitted digits are not near to a half."""
        if self._scale or value >= _EXACT or self._decimals > _SURE_DECIMALS:
            return False
        return not 0.499 < value * self._power % 1 < 0.501

    def _fill(self, number: Decimal, tokens: Sequence[Token]) -> str:
        integer_digits, _, decimals = f"{number:f}".partition(".")
        integer_digits = integer_digits.lstrip("0")
        pieces: list[str] = []
        significant = len(decimals.rstrip("0"))
        missing = len(self._integer_places) - len(integer_digits)
        digit = decimal = 0
        for index, token in enumerate(tokens):
            if token.part is TokenKind.DIGIT and index < self._point:
                pieces.append(self._integer_piece(token.text, digit, missing, integer_digits))
                digit += 1
            elif token.part is TokenKind.DIGIT:
                if decimal < significant or token.text == "0":
                    pieces.append(decimals[decimal : decimal + 1] or "0")
                elif token.text == "?":
                    pieces.append(" ")
                decimal += 1
            elif token.part is TokenKind.POINT and index == self._point:
                if not self._integer_places:
                    pieces.append(integer_digits)
                pieces.append(".")
            elif token.part is not TokenKind.COMMA:
                pieces.append(token.text)
        return "".join(pieces)

    def _integer_piece(self, placeholder: str, digit: int, missing: int, integer_digits: str) -> str:
        """Return the text of a placeholder before the point: a digit, or all extra digits, with commas."""
        count = max(len(self._integer_places), len(integer_digits))
        if digit == 0 and missing < 0:
            digits, place_count = integer_digits[: 1 - missing], count
        elif digit >= missing:
            digits, place_count = integer_digits[digit - missing], len(self._integer_places) - digit
        else:
            digits, place_count = {"0": "0", "?": " "}.get(placeholder, ""), len(self._integer_places) - digit
        if not self._groups or not digits.strip():
            return digits
        return "".join(
            f"{character}," if (place_count - index) % 3 == 1 and place_count - index > 1 else character
            for index, character in enumerate(digits)
        )

    def _scientific(self, number: Decimal) -> str:
        step = max(len(self._integer_places), 1)
        exponent = number.adjusted() if number else 0
        exponent -= exponent % step if step > 1 else 0
        mantissa = number.scaleb(-exponent, _CONTEXT).quantize(self._unit, ROUND_HALF_UP, _CONTEXT)
        if mantissa and mantissa.adjusted() >= step:
            exponent += step
            mantissa = mantissa.scaleb(-step, _CONTEXT).quantize(self._unit, ROUND_HALF_UP, _CONTEXT)
        sign = "-" if exponent < 0 else self._tokens[self._exponent_at].text.replace("-", "")
        tail = self._tokens[self._exponent_at + 1 :]
        width = sum(token.part is TokenKind.DIGIT for token in tail)
        suffix = "".join(token.text for token in tail if token.part is not TokenKind.DIGIT)
        return f"{self._fill(mantissa, self._tokens[: self._exponent_at])}E{sign}{abs(exponent):0{width}d}{suffix}"


class _FractionRenderer(NamedTuple):
    """A section such as `# ?/?`, or `# ?/16`."""

    before: str
    has_whole: bool
    denominator: int
    """The written denominator, or 0."""
    digits: int
    """The most digits of a denominator that is chosen."""
    after: str

    @classmethod
    def parse(cls, tokens: Sequence[Token]) -> _FractionRenderer | None:
        slash = next(index for index, token in enumerate(tokens) if token.part is TokenKind.SLASH)
        numerator = slash
        while numerator and tokens[numerator - 1].part is TokenKind.DIGIT:
            numerator -= 1
        end = slash + 1
        while end < len(tokens) and (tokens[end].part is TokenKind.DIGIT or tokens[end].text.isdecimal()):
            end += 1
        below = "".join(token.text for token in tokens[slash + 1 : end])
        if numerator == slash or not below:
            return None
        fixed = int(below) if below.isascii() and below.isdecimal() and len(below) < 10 else 0
        head = tokens[:numerator]
        first = next((index for index, token in enumerate(head) if token.part is TokenKind.DIGIT), len(head))
        before = "".join(token.text for token in head[:first])
        after = "".join(token.text for token in tokens[end:])
        return cls(before, first < len(head), fixed, min(len(below), MAX_FRACTION_DIGITS), after)

    def render(self, value: float) -> str:
        integer, remainder = divmod(Fraction(Decimal(f"{value:.15g}")), 1) if self.has_whole else (0, Fraction(value))
        if self.denominator:
            numerator, denominator = math.floor(remainder * self.denominator + Fraction(1, 2)), self.denominator
        else:
            nearest = remainder.limit_denominator(10**self.digits - 1)
            numerator, denominator = nearest.numerator, nearest.denominator
        if self.has_whole and numerator >= denominator:
            integer, numerator = integer + 1, 0
        if not self.has_whole:
            text = f"{numerator}/{denominator}"
        elif not numerator:
            text = str(integer)
        elif not integer:
            text = f"{numerator}/{denominator}"
        else:
            text = f"{integer} {numerator}/{denominator}"
        return f"{self.before}{text}{self.after}"


_DAY_PARTS: Final = {"yyyy": "year", "m": "month", "mm": "month", "d": "day", "dd": "day"}


class _DateRenderer:
    """A section with parts of dates, times or durations."""

    def __init__(self, tokens: Sequence[Token], *, epoch_1904: bool) -> None:
        self._epoch_1904 = epoch_1904
        self._first_day = _EPOCH_1904 if epoch_1904 else _EPOCH_1900
        self._decimals = max(
            (len(token.text) for token in tokens if token.part is TokenKind.SECOND_DECIMALS), default=0
        )
        self._decimals = min(self._decimals, 6)
        self._ticks = _DAY_S * 10**self._decimals
        is_half_day = any(token.part is TokenKind.HALF_DAY for token in tokens)
        pieces = [_date_piece(token, is_half_day=is_half_day, decimals=self._decimals) for token in tokens]
        self._template = "".join(template for template, _ in pieces)
        self._fields = [get for _, get in pieces if get is not None]
        names = [
            _DAY_PARTS.get(token.text, "") for token in tokens if token.part not in {TokenKind.LITERAL, TokenKind.SLASH}
        ]
        self._day_parts = attrgetter(*names) if len(names) > 1 and all(names) else None
        """Of a date of several numbers, without a time: the most frequent kind."""

    def render(self, value: float) -> str:
        if value >= _MAX_SERIAL:
            return general(value)
        days = int(value)
        seconds = decimals = 0
        if days != value:
            days, ticks = divmod(round(value * self._ticks), self._ticks)
            seconds, decimals = divmod(ticks, 10**self._decimals)
        is_leap_bug = days == _LEAP_BUG and not self._epoch_1904
        ordinal = self._first_day + days
        if not self._epoch_1904:
            ordinal += (days < _LEAP_BUG) - is_leap_bug
        if self._day_parts is not None and not is_leap_bug:
            text: str = self._template % self._day_parts(date.fromordinal(ordinal))
            return text
        moment = _Moment(days, seconds, decimals, date.fromordinal(ordinal), is_leap_bug)
        return self._template % tuple([get(moment) for get in self._fields])


class _Moment(NamedTuple):
    """A point in time, or a duration, as its parts are shown."""

    days: int
    seconds: int
    """Since midnight."""
    decimals: int
    """Of the second, as many as are shown."""
    day: date
    is_leap_bug: bool
    """It is the 29th of February 1900."""


_WORDS: Final[dict[str, Callable[[_Moment], str]]] = {
    "mmm": lambda moment: _MONTHS[moment.day.month - 1][:3],
    "mmmm": lambda moment: _MONTHS[moment.day.month - 1],
    "mmmmm": lambda moment: _MONTHS[moment.day.month - 1][:1],
    "ddd": lambda moment: _DAYS[moment.day.weekday()][:3],
    "dddd": lambda moment: _DAYS[moment.day.weekday()],
    "am/pm": lambda moment: "AM" if moment.seconds < _DAY_S // 2 else "PM",
    "a/p": lambda moment: "A" if moment.seconds < _DAY_S // 2 else "P",
}
_NUMBERS: Final[dict[str, Callable[[_Moment], int]]] = {
    "yy": lambda moment: moment.day.year % 100,
    "yyyy": lambda moment: moment.day.year,
    "bb": lambda moment: (moment.day.year + _BUDDHIST) % 100,
    "bbbb": lambda moment: moment.day.year + _BUDDHIST,
    "m": lambda moment: moment.day.month,
    "d": lambda moment: 29 if moment.is_leap_bug else moment.day.day,
    "h": lambda moment: moment.seconds // 3_600,
    "half": lambda moment: moment.seconds // 3_600 % 12 or 12,
    "n": lambda moment: moment.seconds // 60 % 60,
    "s": lambda moment: moment.seconds % 60,
    "[h]": lambda moment: (moment.days * _DAY_S + moment.seconds) // 3_600,
    "[m]": lambda moment: (moment.days * _DAY_S + moment.seconds) // 60,
    "[s]": lambda moment: moment.days * _DAY_S + moment.seconds,
    "decimals": lambda moment: moment.decimals,
}


def _date_piece(token: Token, *, is_half_day: bool, decimals: int) -> tuple[str, Callable[[_Moment], int | str] | None]:
    """Return the text of a token in a %-template, and the function for its value."""
    if token.part is TokenKind.ELAPSED:
        return f"%0{len(token.text)}d", _NUMBERS[f"[{token.text[0]}]"]
    if token.part is TokenKind.HALF_DAY:
        return "%s", _WORDS[token.text]
    if token.part is TokenKind.SECOND_DECIMALS:
        return f".%0{decimals}d", _NUMBERS["decimals"]
    if token.part is TokenKind.DATE and token.text[0] != "g":
        return _calendar_piece(token.text, is_half_day=is_half_day)
    if token.part is TokenKind.DATE:
        return "", None
    return token.text.replace("%", "%%"), None


def _calendar_piece(code: str, *, is_half_day: bool) -> tuple[str, Callable[[_Moment], int | str]]:
    """Return the same for a part of a date or of a time of day."""
    letter, width = code[0], len(code)
    if letter in "yb" and width <= 2:
        return "%02d", _NUMBERS[letter * 2]
    if letter == "b":
        return "%d", _NUMBERS["bbbb"]
    if letter in "ye":
        return "%d", _NUMBERS["yyyy"]
    if width > 2 and letter in "md":
        return "%s", _WORDS.get(code, _WORDS[letter * 4])
    if letter == "h" and is_half_day:
        letter = "half"
    return f"%0{min(width, 2)}d", _NUMBERS[letter]
