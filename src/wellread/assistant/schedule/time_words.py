"""English words for times: numbers, units, weekdays, months, times of day."""

import re
from typing import NamedTuple

from wellread.assistant.schedule.times import DAY, HOUR, MINUTE, SECOND
from wellread.errors import InvalidInput

EXAMPLES = (
    "use a time such as: every weekday at 9, every 15 minutes, in two minutes, tomorrow at 8:30, "
    "every first Monday of the month at 10, on 3 May 2027 at 14:00, or as cron: 0 9 * * 1-5"
)

UNITS = {"second": SECOND, "minute": MINUTE, "hour": HOUR, "day": DAY, "week": 7 * DAY}
WEEKDAYS = ("sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday")
"""In cron's order: Sunday is 0."""
MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
ORDINALS = {"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5}

_NUMBERS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
)  # fmt: skip
_NUMBER_WORDS = {word: str(value) for value, word in enumerate(_NUMBERS)} | {
    "thirty": "30", "forty": "40", "forty-five": "45", "fifty": "50", "sixty": "60", "ninety": "90",
}  # fmt: skip
_REPLACED = {
    r"\bhalf an hour\b|\bhalf hour\b": "30 minutes",
    r"\bquarter of an hour\b|\bquarter hour\b": "15 minutes",
    r"\ban hour and a half\b": "90 minutes",
    r"\beach\b": "every",
    r"\bhourly\b": "every hour",
    r"\bdaily\b": "every day",
    r"\bweekly\b": "every week",
    r"\bmonthly\b": "every month",
    r"\b(?:yearly|annually)\b": "every year",
    r"\bevery business day\b|\bworkdays?\b": "weekdays",
    r"\bo'?clock\b": "",
    r"\ba\.m\.?": "am",
    r"\bp\.m\.?": "pm",
    r"\bmidday\b": "noon",
    r"\btonight\b": "today in the night",
    r"\b(every|tomorrow|today|this) (morning|afternoon|evening|night)s?\b": r"\1 day in the \2",
    r"\b(tomorrow|today) day\b": r"\1",
    r"\bthis day\b": "today",
}

_LATE_FROM = {"afternoon": 0, "evening": 0, "night": 6}
"""The first hour that a part of the day puts past noon: two in the night is 2:00, nine in the night 21:00."""
_PART = re.compile(r" ?\b(?:in the|at) (morning|afternoon|evening|night)\b")
_HOUR = r"(?:noon|midnight|(?:[01]?\d|2[0-4])(?:[:.h][0-5]\d)? ?(?:am|pm)?)"
# Without `at`, a number alone is no time of day: it needs minutes, am or pm.
_PLAIN_HOUR = r"(?:noon|midnight|(?:[01]?\d|2[0-4]):[0-5]\d ?(?:am|pm)?|(?:[01]?\d) ?(?:am|pm))"
_LIST = r"{0}(?:(?:,| and|, and) {0})*"
_TRAILING = re.compile(rf"^(?:(.*?) )?(?:at|@) ?({_LIST.format(_HOUR)})$")
_LEADING = re.compile(rf"^(?:at|@) ?({_LIST.format(_HOUR)})(?: (.+))?$")
_PLAIN = re.compile(rf"^(?:(.*?) )?({_LIST.format(_PLAIN_HOUR)})$")
_ONE_HOUR = re.compile(r"(\d{1,2})(?:[:.h](\d\d))? ?(am|pm)?")


class TimeOfDay(NamedTuple):
    """A time of day."""

    hour: int
    minute: int


def normalized(text: str) -> str:
    """Return a phrase in lower case and digits, its synonyms replaced by one form."""
    phrase = " ".join(text.lower().replace("\u2019", "'").split()).rstrip(".!")
    for pattern, replacement in _REPLACED.items():
        phrase = re.sub(pattern, replacement, phrase)  # a key of _REPLACED
    phrase = re.sub(r"[a-z-]+", lambda word: _NUMBER_WORDS.get(word[0], word[0]), phrase)
    for names in (WEEKDAYS, MONTHS):
        for name in names:
            spelling = rf"\b{name[:3]}(?:{name[3:]}|s|\.|{name[3:5]}s?)?(s?)\b"
            phrase = re.sub(spelling, rf"{name}\1", phrase)  # names of WEEKDAYS and MONTHS, no repetition
    for word, number in ORDINALS.items():
        ordinal = rf"\b{number}(?:st|nd|rd|th)\b(?= (?:{'|'.join(WEEKDAYS)}))"
        phrase = re.sub(ordinal, word, phrase)  # numbers of ORDINALS, no repetition
    return " ".join(phrase.split())


def split_times(phrase: str) -> tuple[str, tuple[TimeOfDay, ...]]:
    """Split a plain phrase into the words for the day and the times of day, if any.

    Raises:
        InvalidInput: an hour that no clock shows.
    """
    part = _PART.search(phrase)
    if part:
        phrase = (phrase[: part.start()] + phrase[part.end() :]).strip()
    late_from = _LATE_FROM.get(part[1], 12) if part else 12
    for pattern, head_group, times_group in ((_LEADING, 2, 1), (_TRAILING, 1, 2), (_PLAIN, 1, 2)):
        match = pattern.match(phrase)
        if match:
            hours = re.split(r",? and |, ?", match[times_group])
            return match[head_group] or "", tuple(sorted({_of_day(hour, late_from) for hour in hours}))
    return phrase, ()


def _of_day(text: str, late_from: int) -> TimeOfDay:
    if text == "noon":
        return TimeOfDay(12, 0)
    if text == "midnight":
        return TimeOfDay(0, 0)
    match = _ONE_HOUR.fullmatch(text.strip())
    hour, minute, half = (int(match[1]), int(match[2] or 0), match[3]) if match else (99, 0, None)
    if half and not 1 <= hour <= 12:
        raise InvalidInput(f"{text!r} is not a time of day", hint="use 1 to 12 with am or pm, or 0 to 23")
    if half:
        hour %= 12
    if half == "pm" or (not half and late_from <= hour < 12):
        hour += 12
    if hour == 24 and minute == 0:
        raise InvalidInput("24:00 is ambiguous", hint="use midnight, or 0:00 of the next day")
    if hour > 23:
        raise InvalidInput(f"{text!r} is not a time of day", hint="use hours from 0 to 23")
    return TimeOfDay(hour, minute)
