"""Finds days that are written in other calendars, or in other numerals, and tells them in the Gregorian one."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_HAN_NUMERALS: Final = "\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d"
_HAN_DIGITS: Final = {numeral: number for number, numeral in enumerate(_HAN_NUMERALS)} | {"\u96f6": 0}
_HAN = re.compile(
    "(?P<y>[\u3007\u96f6\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d]{4})\u5e74"
    "(?P<m>[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]{1,2})\u6708"
    "(?P<d>[\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d\u5341]{1,3})[\u65e5\u53f7\u865f]"
)
_PERSIAN_MONTHS: Final = (
    "\u0641\u0631\u0648\u0631\u062f\u06cc\u0646", "\u0627\u0631\u062f\u06cc\u0628\u0647\u0634\u062a",
    "\u062e\u0631\u062f\u0627\u062f", "\u062a\u06cc\u0631", "\u0645\u0631\u062f\u0627\u062f",
    "\u0634\u0647\u0631\u06cc\u0648\u0631", "\u0645\u0647\u0631", "\u0622\u0628\u0627\u0646", "\u0622\u0630\u0631",
    "\u062f\u06cc", "\u0628\u0647\u0645\u0646", "\u0627\u0633\u0641\u0646\u062f",
)  # fmt: skip
_PERSIAN = re.compile(
    rf"(?<!\d)(?P<d>\d\d?)\s(?P<month>{'|'.join(_PERSIAN_MONTHS)})(?:\s\u0645\u0627\u0647)?\s(?P<y>1[34]\d\d)(?!\d)"
)
_PERSIAN_NUMBERS = re.compile(r"(?<![\d/.-])(?P<y>1[34]\d\d)(?P<sep>[/-])(?P<m>\d\d?)(?P=sep)(?P<d>\d\d?)(?![\d/])")
_THAI = re.compile(
    r"(?<!\d)(?P<d>\d\d?)\s?(?P<month>"
    "\u0e21\\.?\u0e04|\u0e01\\.?\u0e1e|\u0e21\u0e35\\.?\u0e04|\u0e40\u0e21\\.?\u0e22|\u0e1e\\.?\u0e04|\u0e21\u0e34\\.?\u0e22|"
    "\u0e01\\.?\u0e04|\u0e2a\\.?\u0e04|\u0e01\\.?\u0e22|\u0e15\\.?\u0e04|\u0e1e\\.?\u0e22|\u0e18\\.?\u0e04"
    r")\.?\s?(?P<y>\d\d)(?!\d)"
)
_THAI_MONTHS: Final = (
    "\u0e21\u0e04", "\u0e01\u0e1e", "\u0e21\u0e35\u0e04", "\u0e40\u0e21\u0e22", "\u0e1e\u0e04", "\u0e21\u0e34\u0e22",
    "\u0e01\u0e04", "\u0e2a\u0e04", "\u0e01\u0e22", "\u0e15\u0e04", "\u0e1e\u0e22", "\u0e18\u0e04",
)  # fmt: skip
_THAI_CENTURY: Final = 2500 - 543
"""A year of two digits is of the Buddhist era."""
_YEAR_1400: Final = 1400
_NEW_YEAR_1400: Final = date(2021, 3, 21)
_LEAP_YEARS: Final = frozenset({1, 5, 9, 13, 17, 22, 26, 30})
"""Of 33: right for 1244 to 1472, since the astronomical rule is what they repeat."""


class CalendarDay(NamedTuple):
    """A day of the Gregorian calendar, and where it stands."""

    day: date
    start: int
    end: int


def other_calendars(text: str, language: str | None) -> Iterator[CalendarDay]:
    """Yield the days that `text`, whose digits are ASCII, names in Han numerals, Persian months or short Thai years.

    Persian years in numbers alone are read in `language` fa.
    """
    for match in _HAN.finditer(text):
        year = int("".join(str(_HAN_DIGITS[character]) for character in match["y"]))
        yield from _day(year, _han_number(match["m"]), _han_number(match["d"]), match)
    if language == "fa":
        for match in _PERSIAN_NUMBERS.finditer(text):
            yield from _persian(match, int(match["m"]))
    if text.isascii():
        return
    for match in _PERSIAN.finditer(text):
        yield from _persian(match, _PERSIAN_MONTHS.index(match["month"]) + 1)
    for match in _THAI.finditer(text):
        month = _THAI_MONTHS.index(match["month"].replace(".", "")) + 1
        yield from _day(_THAI_CENTURY + int(match["y"]), month, int(match["d"]), match)


def persian_day(year: int, month: int, day: int) -> date | None:
    """Return the Gregorian day of a day of the Solar Hijri calendar; None where it does not exist."""
    lengths = [31] * 6 + [30] * 5 + [29 + _is_leap(year)]
    if not 1 <= month <= len(lengths) or not 1 <= day <= lengths[month - 1]:
        return None
    first, last = min(year, _YEAR_1400), max(year, _YEAR_1400)
    days = sum(365 + _is_leap(between) for between in range(first, last))
    start = _NEW_YEAR_1400 + timedelta(days=days)
    if year < _YEAR_1400:
        start = _NEW_YEAR_1400 - timedelta(days=days)
    return start + timedelta(days=sum(lengths[: month - 1]) + day - 1)


def _persian(match: re.Match[str], month: int) -> Iterator[CalendarDay]:
    day = persian_day(int(match["y"]), month, int(match["d"]))
    if day is not None:
        yield CalendarDay(day, *match.span())


def _is_leap(year: int) -> bool:
    return year % 33 in _LEAP_YEARS


def _han_number(text: str) -> int:
    """Return a number up to 99 in Han numerals: ten stands for itself, or between tens and ones."""
    tens, ten, units = text.partition("\u5341")
    if not ten:
        return _HAN_DIGITS.get(text, 0)
    return 10 * _HAN_DIGITS.get(tens or "\u4e00", 0) + _HAN_DIGITS.get(units, 0)


def _day(year: int, month: int, day: int, match: re.Match[str]) -> Iterator[CalendarDay]:
    try:
        yield CalendarDay(date(year, month, day), *match.span())
    except ValueError:
        return
