"""Dates as pages write them to ISO 8601, or nothing: a date that may mean two days is no date.

Times keep the offset the page gave; without one they stay local (ISO 8601 allows it), since a guess would be wrong.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from wellread.lazy_pattern import lazy_pattern
from wellread.text.dates.named_months import ascii_digits, is_weekday, primary_language, worded

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator


FIRST_YEAR = 1900
LAST_YEAR = 2100
_EPOCH_S = (315_532_800, 4_102_444_800)  # 1980 to 2100: what a bare 10-digit number may mean

_MONTH_WORDS = """
january jan enero ene januar janvier janv gennaio gen janeiro januari stycznia leden jänner
february feb febrero februar février févr fevr febbraio fevereiro fev februari lutego
march mar marzo märz mars março maart marca mrt
april apr abril abr avril avr aprile kwietnia
may mayo mai maggio mag maio mei maja
june jun junio juni juin giugno giu junho czerwca
july jul julio juli juillet juil luglio lug julho lipca
august aug agosto ago août aout augustus sierpnia
september sep sept septiembre septembre settembre set setembro września
october oct octubre oktober okt octobre ottobre ott outubro out października
november nov noviembre novembre novembro listopada
december dec diciembre dic dezember dez décembre déc dicembre dezembro grudnia
"""
_MONTHS = {
    word: number for number, words in enumerate(_MONTH_WORDS.strip().splitlines(), start=1) for word in words.split()
}
_MONTH = r"(?P<month>[^\W\d_]{3,12})"

_ISO = lazy_pattern(
    r"(?P<y>\d{4})-(?P<m>\d\d?)(?:-(?P<d>\d\d?))?"
    r"(?:(?:T|t|\s+|\sT)(?P<h>\d\d?):(?P<min>\d\d)(?::(?P<s>\d\d)(?:[.,](?P<f>\d{1,9}))?)?)?"
    r"\s*(?P<zone>Z|z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?"
)
_BASIC = lazy_pattern(
    r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)(?:T?(?P<h>\d\d)(?P<min>\d\d)(?P<s>\d\d)?(?P<zone>Z)?)?"
)
_SLASHED = lazy_pattern(r"(?P<y>\d{4})[/.](?P<m>\d\d?)[/.](?P<d>\d\d?)(?:[ T]\d\d?:\d\d(?::\d\d)?)?")
_WEEKDAY = r"(?:[^\W\d_]{2,10}\.?,?\s+)?"
_EITHER = lazy_pattern(
    _WEEKDAY + r"(?P<a>\d\d?)(?P<sep>[/.-])(?P<b>\d\d?)(?P=sep)(?P<y>\d{4})"
    r"(?:,?\s+(?:-\s)?\d\d?:\d\d(?::\d\d)?(?:\s*[AaPp]\.?[Mm]\.?)?)?"
)
_TAIL = (
    r"(?:,?\s*(?:-|\u2013|at|um|à|a las|\|)?\s*\d{1,2}[:.h]\d\d(?::\d\d)?\s*(?:[AaPp]\.?[Mm]\.?)?"
    r"\s*(?:[A-Z]{2,4}|[+-]\d\d:?\d\d)?)?"
)
_DAY_FIRST = lazy_pattern(
    _WEEKDAY
    + r"(?P<d>\d\d?)(?:st|nd|rd|th|\.|er|º)?\s+(?:of\s+|de\s+)?"
    + _MONTH
    + r"\.?,?\s+(?:de\s+)?(?P<y>\d{4})"
    + _TAIL
)
_MONTH_FIRST = lazy_pattern(_WEEKDAY + _MONTH + r"\.?\s+(?P<d>\d\d?)(?:st|nd|rd|th)?\s*,?\s+(?P<y>\d{4})" + _TAIL)
_DAY_MONTH_DASHED = lazy_pattern(r"(?P<d>\d\d?)-" + _MONTH + r"-(?P<y>\d{4})")
_WORDED = (_DAY_FIRST, _MONTH_FIRST, _DAY_MONTH_DASHED, lazy_pattern(r"(?P<y>\d{4}) " + _MONTH + r"\.? (?P<d>\d\d?)"))
_MAIL = lazy_pattern(
    r"(?:[A-Z][a-z]{2,8},?\s+)?\d\d?[ -][A-Z][a-z]{2}[ -]\d{4}\s+\d\d:\d\d(?::\d\d)?\s*(?:[A-Z]{1,4}|[+-]\d{4})"
)
_EAST_ASIAN = lazy_pattern(r"(?P<y>\d{4})\s*[年년]\s*(?P<m>\d\d?)\s*[月월]\s*(?P<d>\d\d?)\s*[日일號号].{0,20}")
_SPACED = lazy_pattern(r"(?P<y>\d{4})\. ?(?P<m>\d\d?)\. ?(?P<d>\d\d?)\.?(?:\s.{0,20})?")
"""Korean: `2021. 3. 23. 오전 10:15`."""
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911}
"""The year before the first of each era of Japan, and of the calendar of Taiwan."""
_ERA = lazy_pattern(
    rf"(?P<era>{'|'.join(_ERAS)})\s?(?P<y>\d{{1,3}}|元)\s?年\s?(?P<m>\d\d?)\s?月\s?(?P<d>\d\d?)\s?[日號号]"
)
_VIETNAMESE = lazy_pattern(r"(?P<d>\d\d?) (?:tháng|thg) (?P<m>\d\d?)(?:,| năm|, năm)? (?P<y>\d{4})", re.IGNORECASE)


_YEAR = lazy_pattern(r"(?:19|20|25)\d\d")
_WITHIN = lazy_pattern(
    r"(?<![0-9A-Za-z_.,/:-])(?:\d{4}\s?[-/.]\s?\d\d?\s?[-/.]\s?\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}"
    r"|\d{4}\s?[年년]\s?\d\d?\s?[月월]\s?\d\d?\s?[日일號号])(?!\d)"
)
_TIME = lazy_pattern(r"\d{1,2} ?[:.h時时시点點] ?\d\d(?: ?[:.分분] ?\d\d)?|[+-]\d\d:?\d\d")
_TIME_WORDS = frozenset(
    [
        "a",
        "al",
        "alle",
        "am",
        "at",
        "às",
        "as",
        "de",
        "h",
        "hrs",
        "kello",
        "kl",
        "klo",
        "kr",
        "la",
        "las",
        "le",
        "o",
        "ob",
        "om",
        "p",
        "pm",
        "r",
        "saat",
        "td",
        "u",
        "uhr",
        "um",
        "um:",
        "v",
        "w",
        "wib",
        "wita",
        "wit",
        "à",
        "στις",
        "ч",
        "г",
        "в",
        "о",
        "у",
        "წ",
        "ժ",
        "ժամը",
        "ص",
        "م",
        "น",
        "เวลา",
        "오전",
        "오후",
        "上午",
        "下午",
        "午前",
        "午後",
        "分",
        "분",
        "บาท",
        "gmt",
        "utc",
        "cet",
        "cest",
        "est",
        "edt",
        "bst",
        "ist",
        "pst",
        "pdt",
    ]
)


class DateSpan(NamedTuple):
    """A date in a text: its day in ISO 8601, and where it stands."""

    stamp: str
    start: int
    end: int


def spans(
    text: str, *, month_first: bool | None = None, known_days: Collection[str] = (), language: str | None = None
) -> list[DateSpan]:
    """Return the days that a text names, in order.

    05/06/2024 is whichever of its two days is in `known_days`, else in May if `month_first` says so. `language` (BCP
    47) decides what the name of a month means.
    """
    digits = ascii_digits(text)
    eras = [*_eras(digits), *_other_calendars(digits, language)]
    if _YEAR.search(digits) is None:
        return eras
    days_found = [*eras, *_numeric(digits, month_first=month_first, known_days=known_days, language=language)]
    days_found += _vietnamese(digits)
    taken = [(span.start, span.end) for span in days_found]
    for named in worded(digits, language):
        stamp = _date(str(named.year), str(named.month), str(named.day))
        if stamp and not any(start < named.end and named.start < end for start, end in taken[:50]):
            days_found.append(DateSpan(stamp, named.start, named.end))
    return sorted(days_found, key=lambda span: span.start)


def within(
    text: str, *, month_first: bool | None = None, known_days: Collection[str] = (), language: str | None = None
) -> list[tuple[str, int]]:
    """Return the days that a text names, each with where it stands; see `spans`."""
    days_found = spans(text, month_first=month_first, known_days=known_days, language=language)
    return [(span.stamp, span.start) for span in days_found]


def _eras(text: str) -> Iterator[DateSpan]:
    if "年" not in text:
        return
    for match in _ERA.finditer(text):
        year = _ERAS[match["era"]] + int(match["y"].replace("元", "1"))
        if stamp := _date(str(year), match["m"], match["d"]):
            yield DateSpan(stamp, *match.span())


def _other_calendars(text: str, language: str | None) -> Iterator[DateSpan]:
    for calendar_day in other_calendars(text, primary_language(language)):
        if FIRST_YEAR <= calendar_day.day.year <= LAST_YEAR:
            yield DateSpan(calendar_day.day.isoformat(), calendar_day.start, calendar_day.end)


def _vietnamese(text: str) -> Iterator[DateSpan]:
    for match in _VIETNAMESE.finditer(text):
        if stamp := _date(match["y"], match["m"], match["d"]):
            yield DateSpan(stamp, *match.span())


def _numeric(
    text: str, *, month_first: bool | None, known_days: Collection[str], language: str | None
) -> Iterator[DateSpan]:
    buddhist = primary_language(language) == "th"
    for match in _WITHIN.finditer(text):
        written = re.sub(r"\s?([-/.])\s?", r"\1", match[0])
        if buddhist:
            written = re.sub(r"25\d\d", lambda year: str(int(year[0]) - 543), written, count=1)
        stamp = _whole(written)
        if either := _EITHER.fullmatch(written):
            both = [_date(either["y"], either[month], either[on]) for month, on in ("ab", "ba")]
            meant = [day_read for day_read in both if day_read in known_days]
            guess = None if month_first is None else both[not month_first]
            stamp = meant[0] if len(meant) == 1 else stamp or guess
        if stamp:
            yield DateSpan(stamp, *match.span())


def iso(text: str | None, language: str | None = None) -> str | None:
    """Return a text that is one whole date, as ISO 8601 (`2024-05-01`, `2024-05-01T10:00:00+02:00`), else None.

    `language` (BCP 47) decides what the name of a month means.
    """
    if not text:
        return None
    text = " ".join(text[:200].split())
    if not any(character.isdigit() for character in text):
        return None
    text = ascii_digits(text)
    return _whole(text) or _from_any_language(text, language)


def _whole(text: str) -> str | None:
    """Return a text that is one date in numbers or in the commonest languages."""
    for read in (_from_iso, _from_numbers, _from_mail, _from_words, _from_epoch):
        days_found = read(text)
        if days_found is not None:
            return days_found
    return None


def _from_any_language(text: str, language: str | None) -> str | None:
    """Return the one day of a text that holds nothing else but a weekday and a time."""
    days_found = spans(text, language=language)
    if len(days_found) != 1:
        return None
    remainder = _TIME.sub(" ", f"{text[: days_found[0].start]} {text[days_found[0].end :]}")
    words = re.findall(r"[^\W_]+", remainder)
    others = [word for word in words if word.casefold() not in _TIME_WORDS and not is_weekday(word)]
    if others and not is_weekday(" ".join(others)):
        return None
    return days_found[0].stamp


def day(stamp: str | None) -> str | None:
    """Return the day of a date in ISO 8601 as it was where it was written, or None when it is less exact than a day."""
    return stamp[:10] if stamp and re.match(r"\d{4}-\d\d-\d\d", stamp) else None


def _from_iso(text: str) -> str | None:
    match = _ISO.fullmatch(text) or _BASIC.fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    if parts["d"] is None:
        if parts["h"] is not None:
            return None
        return _month(parts)
    if parts["h"] is None:
        return _date(parts["y"], parts["m"], parts["d"])
    return _stamp(parts)


def _month(parts: dict[str, str | None]) -> str | None:
    first_day = _date(parts["y"], parts["m"], "1")
    return first_day and first_day[:7]


def _stamp(parts: dict[str, str | None]) -> str | None:
    """Return a date with its time: seconds and their fraction as given, the offset as `+hh:mm` or `Z`."""
    on = _date(parts["y"], parts["m"], parts["d"])
    hour, minute, second = (int(parts[name] or 0) for name in ("h", "min", "s"))
    if on is None or hour > 23 or minute > 59 or second > 59:
        return on
    fraction = parts.get("f")
    zone = _zone(parts["zone"])
    if not parts["zone"] and not (hour or minute or second):
        return on  # midnight without a zone is how software writes a day
    return f"{on}T{hour:02}:{minute:02}:{second:02}{'.' + fraction if fraction else ''}{zone}"


def _zone(text: str | None) -> str:
    if not text:
        return ""
    if text[0] not in "+-":
        return "Z"
    digits = text[1:].replace(":", "").ljust(4, "0")
    hours, minutes = int(digits[:2]), int(digits[2:])
    if hours > 14 or minutes > 59:
        return ""
    return f"{text[0]}{hours:02}:{minutes:02}"


def _from_numbers(text: str) -> str | None:
    match = _SLASHED.fullmatch(text) or _EAST_ASIAN.fullmatch(text) or _SPACED.fullmatch(text)
    if match is not None:
        return _date(match["y"], match["m"], match["d"])
    match = _EITHER.fullmatch(text)
    if match is None:
        return None
    first, second = int(match["a"]), int(match["b"])
    if match["sep"] == "." or first > 12:  # dots are the European order
        return _date(match["y"], match["b"], match["a"])
    if second > 12 or first == second:
        return _date(match["y"], match["a"], match["b"])
    return None  # 05/06/2024 is May in one country and June in the next


def _from_words(text: str) -> str | None:
    match = next((days_found for shape in _WORDED if (days_found := shape.fullmatch(text))), None)
    if match is None:
        return None
    month = _MONTHS.get(match["month"].casefold())
    return _date(match["y"], str(month), match["d"]) if month else None


def _from_epoch(text: str) -> str | None:
    if not re.fullmatch(r"\d{10}(?:\d{3})?", text, re.ASCII):
        return None
    seconds = int(text[:10])
    if not _EPOCH_S[0] <= seconds < _EPOCH_S[1]:
        return None
    return (datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=seconds)).strftime("%Y-%m-%dT%H:%M:%SZ")


def _from_mail(text: str) -> str | None:
    """Read RFC 5322 dates, and the way JavaScript prints one."""
    text = re.sub(r"GMT([+-]\d{4}).*$", r"\1", text)
    text = re.sub(r"^(\w{3} )(\w{3}) (\d\d?) (\d{4} )", r"\1\3 \2 \4", text)
    if not _MAIL.fullmatch(text):
        return None
    from email.utils import parsedate_to_datetime  # here, because few pages have such a date

    try:
        stamp = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if not FIRST_YEAR <= stamp.year <= LAST_YEAR:
        return None
    if stamp.tzinfo == UTC:
        return stamp.strftime("%Y-%m-%dT%H:%M:%SZ")
    return stamp.isoformat()


def _date(year: str | None, month: str | None, of_month: str | None) -> str | None:
    try:
        days_found = date(int(year or 0), int(month or 0), int(of_month or 0))
    except (ValueError, OverflowError):
        return None
    if not FIRST_YEAR <= days_found.year <= LAST_YEAR or days_found == date(1970, 1, 1):  # the epoch is a missing value
        return None
    return days_found.isoformat()


# ------------------------------------------------------------------------------------------------------ other calendars
# Finds days that are written in other calendars, or in other numerals, and tells them in the Gregorian one.

# A word that each of these dates has is looked for first: few pages have one, and to compile a pattern takes 1 ms.

_HAN_YEAR: Final = "\u5e74"
_HAN_NUMERALS: Final = "\u3007\u4e00\u4e8c\u4e09\u56db\u4e94\u516d\u4e03\u516b\u4e5d"
_HAN_DIGITS: Final = {numeral: number for number, numeral in enumerate(_HAN_NUMERALS)} | {"\u96f6": 0}
_HAN = lazy_pattern(
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
_PERSIAN = lazy_pattern(
    rf"(?<!\d)(?P<d>\d\d?)\s(?P<month>{'|'.join(_PERSIAN_MONTHS)})(?:\s\u0645\u0627\u0647)?\s(?P<y>1[34]\d\d)(?!\d)"
)
_PERSIAN_NUMBERS = lazy_pattern(r"(?<![\d/.-])(?P<y>1[34]\d\d)(?P<sep>[/-])(?P<m>\d\d?)(?P=sep)(?P<d>\d\d?)(?![\d/])")
_THAI = lazy_pattern(
    r"(?<!\d)(?P<d>\d\d?)\s?(?P<month>"
    "\u0e21\\.?\u0e04|\u0e01\\.?\u0e1e|\u0e21\u0e35\\.?\u0e04|\u0e40\u0e21\\.?\u0e22|\u0e1e\\.?\u0e04|\u0e21\u0e34\\.?\u0e22|"
    "\u0e01\\.?\u0e04|\u0e2a\\.?\u0e04|\u0e01\\.?\u0e22|\u0e15\\.?\u0e04|\u0e1e\\.?\u0e22|\u0e18\\.?\u0e04"
    r")\.?\s?(?P<y>\d\d)(?!\d)"
)
_THAI_MONTHS: Final = (
    "\u0e21\u0e04", "\u0e01\u0e1e", "\u0e21\u0e35\u0e04", "\u0e40\u0e21\u0e22", "\u0e1e\u0e04", "\u0e21\u0e34\u0e22",
    "\u0e01\u0e04", "\u0e2a\u0e04", "\u0e01\u0e22", "\u0e15\u0e04", "\u0e1e\u0e22", "\u0e18\u0e04",
)  # fmt: skip
_THAI_ENDS: Final = ("\u0e04", "\u0e1e", "\u0e22")
"""The last letters of these months."""
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
    if _HAN_YEAR in text:
        yield from _han_days(text)
    if language == "fa":
        for match in _PERSIAN_NUMBERS.finditer(text):
            yield from _persian(match, int(match["m"]))
    if text.isascii():
        return
    if any(month in text for month in _PERSIAN_MONTHS):
        for match in _PERSIAN.finditer(text):
            yield from _persian(match, _PERSIAN_MONTHS.index(match["month"]) + 1)
    if any(letter in text for letter in _THAI_ENDS):
        yield from _thai_days(text)


def _han_days(text: str) -> Iterator[CalendarDay]:
    for match in _HAN.finditer(text):
        year = int("".join(str(_HAN_DIGITS[character]) for character in match["y"]))
        yield from _day(year, _han_number(match["m"]), _han_number(match["d"]), match)


def _thai_days(text: str) -> Iterator[CalendarDay]:
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
