"""Dates as pages write them to ISO 8601, or nothing: a date that may mean two days is no date.

Times keep the offset the page gave; without one they stay local (ISO 8601 allows it), since a guess would be wrong.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

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

_ISO = re.compile(
    r"(?P<y>\d{4})-(?P<m>\d\d?)(?:-(?P<d>\d\d?))?"
    r"(?:(?:T|t|\s+|\sT)(?P<h>\d\d?):(?P<min>\d\d)(?::(?P<s>\d\d)(?:[.,](?P<f>\d{1,9}))?)?)?"
    r"\s*(?P<zone>Z|z|UTC|GMT|[+-]\d\d:?(?:\d\d)?)?"
)
_BASIC = re.compile(
    r"(?P<y>(?:19|20)\d\d)(?P<m>\d\d)(?P<d>\d\d)(?:T?(?P<h>\d\d)(?P<min>\d\d)(?P<s>\d\d)?(?P<zone>Z)?)?"
)
_SLASHED = re.compile(r"(?P<y>\d{4})[/.](?P<m>\d\d?)[/.](?P<d>\d\d?)(?:[ T]\d\d?:\d\d(?::\d\d)?)?")
_WEEKDAY = r"(?:[^\W\d_]{2,10}\.?,?\s+)?"
_EITHER = re.compile(
    _WEEKDAY + r"(?P<a>\d\d?)(?P<sep>[/.-])(?P<b>\d\d?)(?P=sep)(?P<y>\d{4})"
    r"(?:,?\s+(?:-\s)?\d\d?:\d\d(?::\d\d)?(?:\s*[AaPp]\.?[Mm]\.?)?)?"
)
_TAIL = (
    r"(?:,?\s*(?:-|\u2013|at|um|à|a las|\|)?\s*\d{1,2}[:.h]\d\d(?::\d\d)?\s*(?:[AaPp]\.?[Mm]\.?)?"
    r"\s*(?:[A-Z]{2,4}|[+-]\d\d:?\d\d)?)?"
)
_DAY_FIRST = re.compile(
    _WEEKDAY
    + r"(?P<d>\d\d?)(?:st|nd|rd|th|\.|er|º)?\s+(?:of\s+|de\s+)?"
    + _MONTH
    + r"\.?,?\s+(?:de\s+)?(?P<y>\d{4})"
    + _TAIL
)
_MONTH_FIRST = re.compile(_WEEKDAY + _MONTH + r"\.?\s+(?P<d>\d\d?)(?:st|nd|rd|th)?\s*,?\s+(?P<y>\d{4})" + _TAIL)
_DAY_MONTH_DASHED = re.compile(r"(?P<d>\d\d?)-" + _MONTH + r"-(?P<y>\d{4})")
_WORDED = (_DAY_FIRST, _MONTH_FIRST, _DAY_MONTH_DASHED, re.compile(r"(?P<y>\d{4}) " + _MONTH + r"\.? (?P<d>\d\d?)"))
_MAIL = re.compile(
    r"(?:[A-Z][a-z]{2,8},?\s+)?\d\d?[ -][A-Z][a-z]{2}[ -]\d{4}\s+\d\d:\d\d(?::\d\d)?\s*(?:[A-Z]{1,4}|[+-]\d{4})"
)
_EAST_ASIAN = re.compile(r"(?P<y>\d{4})\s*[年년]\s*(?P<m>\d\d?)\s*[月월]\s*(?P<d>\d\d?)\s*[日일].{0,20}")


_YEAR = re.compile(r"(?:19|20)\d\d")
_WITHIN = re.compile(
    r"(?<![\w.,/:-])(?:\d{4}\s?[-/.]\s?\d\d?\s?[-/.]\s?\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4}"
    r"|\d\d?(?:st|nd|rd|th|\.|er|º)?[ -](?:of |de )?[^\W\d_]{3,12}\.?,?[ -](?:de )?\d{4}"
    r"|[^\W\d_]{3,12}\.? \d\d?(?:st|nd|rd|th)?,? \d{4}|\d{4}\s?[年년]\s?\d\d?\s?[月월]\s?\d\d?\s?[日일])(?!\d)"
)


def within(text: str, *, month_first: bool | None = None, known: Collection[str] = ()) -> list[tuple[str, int]]:
    """Return the days that a text names, each with where it stands.

    05/06/2024 is whichever of its two days is `known`, else in May if `month_first` says so.
    """
    found: list[tuple[str, int]] = []
    if _YEAR.search(text) is None:
        return found
    for match in _WITHIN.finditer(text):
        told = match[0]
        stamp = iso(told)
        if either := _EITHER.fullmatch(told):
            both = [_date(either["y"], either[month], either[on]) for month, on in ("ab", "ba")]
            meant = [one for one in both if one in known]
            guess = None if month_first is None else both[not month_first]
            stamp = meant[0] if len(meant) == 1 else stamp or guess
        if stamp:
            found.append((stamp, match.start()))
    return found


def iso(text: str | None) -> str | None:
    """Return a text that is one whole date, as ISO 8601 (`2024-05-01`, `2024-05-01T10:00:00+02:00`), else None."""
    if not text:
        return None
    text = " ".join(text[:200].split())
    if not any(character.isdigit() for character in text):
        return None
    for read in (_from_iso, _from_numbers, _from_mail, _from_words, _from_epoch):
        found = read(text)
        if found is not None:
            return found
    return None


def day(stamp: str | None) -> str | None:
    """Return the day of a date in ISO 8601 as it was where it was written, or None when it is less exact than a day."""
    return stamp[:10] if stamp and re.match(r"\d{4}-\d\d-\d\d", stamp) else None


def _from_iso(text: str) -> str | None:
    match = _ISO.fullmatch(text) or _BASIC.fullmatch(text)
    if match is None:
        return None
    parts = match.groupdict()
    if parts["d"] is None:
        return _month(parts) if parts["h"] is None else None
    if parts["h"] is None:
        return _date(parts["y"], parts["m"], parts["d"])
    return _stamp(parts)


def _month(parts: dict[str, str | None]) -> str | None:
    whole = _date(parts["y"], parts["m"], "1")
    return whole[:7] if whole else None


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
    match = _SLASHED.fullmatch(text) or _EAST_ASIAN.fullmatch(text)
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
    match = next((found for shape in _WORDED if (found := shape.fullmatch(text))), None)
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
        found = date(int(year or 0), int(month or 0), int(of_month or 0))
    except (ValueError, OverflowError):
        return None
    if not FIRST_YEAR <= found.year <= LAST_YEAR or found == date(1970, 1, 1):  # the epoch is a missing value
        return None
    return found.isoformat()
