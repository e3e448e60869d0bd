"""Parses times: cron expressions, and plain English, for example `every weekday at 9`.

A phrase is never guessed at: one that is not understood whole is refused, with examples of valid phrases.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cronsim import CronSim

from wellread.assistant.schedule.time_words import (
    EXAMPLES,
    MONTHS,
    ORDINALS,
    UNITS,
    WEEKDAYS,
    TimeOfDay,
    normalized,
    split_times,
)
from wellread.assistant.schedule.times import DAY, MAX_TIME_MS, MIN_STEP_MS, Cron, Days, Every, Once, Times, cron
from wellread.assistant.schedule.zones import local_time_text, moment_ms, to_ms, wall_at, zone
from wellread.errors import InvalidInput

MAX_CHARS = 200
_NAMES = [name[:3] for name in (*WEEKDAYS, *MONTHS)]
_FIELD = rf"(?:[\d*,/#LW-]|{'|'.join(_NAMES)})+"
_CRON = re.compile(rf"(?:cron:? +)?((?:{_FIELD} +){{4}}{_FIELD}|@[a-z]+)", re.IGNORECASE)
_ZONE = re.compile(r"[ ,]+(?:in )?([A-Za-z_]+(?:/[A-Za-z0-9_+-]+)+|UTC|GMT)(?: time)?\.?", re.IGNORECASE)
_ISO = re.compile(
    r"(?:on |at )?(\d{4}-\d\d-\d\d)(?:[T ]|,? at )(\d\d?:\d\d(?::\d\d)?) ?(Z|[+-]\d\d:?\d\d)?", re.IGNORECASE
)

_DAY = "|".join(WEEKDAYS)
_MONTH = "|".join(MONTHS)
_UNIT = "|".join(UNITS)
_DAY_LIST = rf"(?:weekday|weekend|{_DAY})s?(?:(?:,| and|, and) (?:on )?(?:every )?(?:weekend|{_DAY})s?)*"
_YEARLY = r"(?P<every>every year on |every )?"
_YEAR = r"(?:,? (?P<year>\d{4}))?"
_NTH = r"\d{1,2}(?:st|nd|rd|th)?"
_OF_MONTH = r"(?: (?:day )?(?:of|in) (?:the|every|a) month| (?:of )?every month)"
_DAY_SETS = {"weekday": {1, 2, 3, 4, 5}, "weekend": {0, 6}}


@dataclass(frozen=True, slots=True)
class _TimeRequest:
    """A partly parsed phrase: the words for the day, the times of day, the zone, and now."""

    text: str
    times: tuple[TimeOfDay, ...]
    zone: str
    now_ms: int

    def minute_and_hours(self) -> tuple[int, str]:
        """Return the minute and the hours, as cron writes them."""
        if not self.times:
            raise InvalidInput(f"{self.text!r} has no time of day", hint=f"add it: {self.text} at 9:00")
        if len(minutes := {time_of_day.minute for time_of_day in self.times}) > 1:
            raise InvalidInput(
                "one schedule cannot run at different minutes of different hours",
                hint="create one schedule for each time of day",
            )
        return minutes.pop(), ",".join(str(time_of_day.hour) for time_of_day in self.times)

    def time_of_day(self) -> TimeOfDay:
        """Return the only time of day."""
        if len(self.times) > 1:
            raise InvalidInput(
                "this schedule can have only one time of day", hint="create one schedule for each time of day"
            )
        return TimeOfDay(int(self.minute_and_hours()[1]), self.minute_and_hours()[0])

    def cron(self, day: str = "*", month: str = "*", weekday: str = "*") -> Cron:
        minute, hours = self.minute_and_hours()
        return cron(f"{minute} {hours} {day} {month} {weekday}", self.zone)

    def now_wall(self) -> datetime:
        return wall_at(self.now_ms, zone(self.zone))

    def at_time(self, day: datetime) -> datetime:
        time_of_day = self.time_of_day()
        return day.replace(hour=time_of_day.hour, minute=time_of_day.minute, second=0, microsecond=0, fold=0)

    def next_day(self, days: Callable[[datetime], bool]) -> datetime:
        """Return the next day that fits, at the time of day; it lies in the future."""
        for days_ahead in range(366 * 8 + 2):
            wall = self.at_time(self.now_wall() + timedelta(days=days_ahead))
            if days(wall) and moment_ms(wall, zone(self.zone)) > self.now_ms:
                return wall
        raise InvalidInput(f"there is no such day: {self.text!r}", hint=EXAMPLES)


def parse_times(text: str, zone_name: str, now_ms: int) -> Times:
    """Return the due times that `text` names, on the clocks of a zone unless it names another: `... Asia/Tokyo`.

    Raises:
        InvalidInput: it is not understood, has passed, or comes too often.
    """
    phrase = " ".join(text.split())
    if not phrase:
        raise InvalidInput("the time is empty", hint=EXAMPLES)
    if len(phrase) > MAX_CHARS:
        raise InvalidInput("the time is too long", hint=EXAMPLES)
    if match := _CRON.fullmatch(phrase):
        return cron(match[1], zone_name)
    if (zone_match := _ZONE.search(phrase)) and zone_match.end() == len(phrase):
        return parse_times(phrase[: zone_match.start()], zone_match[1], now_ms)
    times = _iso(phrase, zone_name) or _phrase(normalized(phrase), zone_name, now_ms)
    if times is None:
        raise InvalidInput(f"cannot understand the time {phrase!r}", hint=EXAMPLES)
    if isinstance(times, Once) and times.at_ms <= now_ms:
        raise InvalidInput(f"{local_time_text(times.at_ms, zone_name)} has passed", hint="use a time in the future")
    return times


def times_text(times: Times) -> str:
    """Return due times in words, for receipts and lists."""
    if isinstance(times, Cron):
        words = CronSim(times.expression, datetime(2000, 1, 1, tzinfo=UTC)).explain()
        return f"{words[0].lower()}{words[1:]} ({times.zone})"
    if isinstance(times, Days):
        step = f"{times.step_days} days"
        if times.step_days % 7 == 0:
            step = f"{times.step_days // 7} weeks"
        return f"every {step} from {times.first:%a} {times.first.day} {times.first:%b %Y, %H:%M} ({times.zone})"
    if isinstance(times, Every):
        unit, ms = next((unit, ms) for unit, ms in reversed(UNITS.items()) if times.step_ms % ms == 0)
        steps = times.step_ms // ms
        return f"every {steps} {unit}s" if steps > 1 else f"every {unit}"
    return "once"


def _iso(phrase: str, zone_name: str) -> Once | None:
    match = _ISO.fullmatch(phrase)
    if match is None:
        return None
    try:
        clock = match[2].zfill(5)
        if match[2].count(":") == 2:
            clock = match[2].zfill(8)
        when = datetime.fromisoformat(f"{match[1]}T{clock}{(match[3] or '').upper()}")
    except ValueError as error:
        raise InvalidInput(f"there is no such day or time: {phrase!r}", hint=EXAMPLES) from error
    if when.tzinfo:
        return Once(to_ms(when))
    return Once(moment_ms(when, zone(zone_name)))


def _phrase(phrase: str, zone_name: str, now_ms: int) -> Times | None:
    if match := re.fullmatch(rf"in ((?:(?:an?|\d+) (?:{_UNIT})s?(?:,| and|, and)? ?)+)", phrase):
        return _ahead(match[1], now_ms)
    head, times = split_times(phrase)
    request = _TimeRequest(head, times, zone(zone_name).key, now_ms)
    for pattern, rule in _RULES:
        if match := re.fullmatch(pattern, head):  # a key of _RULES, on at most MAX_CHARS
            return rule(match, request)
    return None


def _ahead(parts: str, now_ms: int) -> Once:
    spans = re.findall(rf"(an?|\d+) ({_UNIT})", parts)
    at_ms = now_ms + sum((int(number) if number.isdigit() else 1) * UNITS[unit] for number, unit in spans)
    if at_ms >= MAX_TIME_MS:
        raise InvalidInput("that is beyond the year 9999", hint=EXAMPLES)
    return Once(at_ms)


def _every_step(match: re.Match[str], request: _TimeRequest) -> Times:
    step_ms = int(match[1] or 1) * UNITS[match[2]]
    if request.times:
        raise InvalidInput(f"{match[0]!r} has no time of day", hint="leave it out, or use: every day at 9")
    if not MIN_STEP_MS <= step_ms < 1_000 * 366 * DAY:
        raise InvalidInput(
            f"{match[0]!r} is out of bounds", hint=f"use an interval of at least {MIN_STEP_MS // 1_000} seconds"
        )
    return Every(step_ms, request.now_ms + step_ms)


def _every_days(match: re.Match[str], request: _TimeRequest) -> Times:
    """`every 3 days at 9`, `every other Friday at 17:00`, `every 2 weeks on Monday at 10`."""
    groups = match.groupdict()
    weekday = groups.get("day")
    number = groups.get("number") or "1"
    step = {"other": 2, "second": 2}.get(number) or int(number)
    if groups.get("unit") != "day":
        step *= 7
    if not 1 <= step <= 3_660:
        raise InvalidInput(f"{match[0]!r} is out of bounds", hint="use one day to ten years")
    if step == 1:
        return request.cron()
    if weekday is None and step == 7:
        raise InvalidInput("the day of the week is missing", hint="use a time such as: every Monday at 9:00")
    first = request.next_day(lambda wall: weekday is None or _cron_day(wall) == WEEKDAYS.index(weekday))
    if step == 7:
        return request.cron(weekday=str(_cron_day(first)))
    return Days(step, first, request.zone)


def _weekdays(match: re.Match[str], request: _TimeRequest) -> Times:
    days: set[int] = set()
    for word in re.findall(rf"weekday|weekend|{_DAY}", match["days"]):
        days |= _DAY_SETS.get(word) or {WEEKDAYS.index(word)}
    if days == _DAY_SETS["weekday"]:
        return request.cron(weekday="1-5")
    return request.cron(weekday=",".join(map(str, sorted(days))))


def _next_weekday(match: re.Match[str], request: _TimeRequest) -> Times:
    return _once(request.next_day(lambda wall: _cron_day(wall) == WEEKDAYS.index(match["day"])), request)


def _nth_weekday(match: re.Match[str], request: _TimeRequest) -> Times:
    day = WEEKDAYS.index(match["day"])
    if match["which"] == "last":
        return request.cron(weekday=f"{day}L")
    return request.cron(weekday=f"{day}#{ORDINALS[match['which']]}")


def _monthly(match: re.Match[str], request: _TimeRequest) -> Times:
    if "weekday" in match[0]:
        return request.cron(day="LW")
    if "last" in match[0]:
        return request.cron(day="L")
    days = sorted({int(day) for day in re.findall(r"\d+", match["days"])})
    if not all(1 <= day <= 31 for day in days):
        raise InvalidInput(f"no month has this day: {match[0]!r}", hint="days go from 1 to 31")
    return request.cron(day=",".join(map(str, days)))


def _date(match: re.Match[str], request: _TimeRequest) -> Times:
    """`on 3 May 2027`, `May 3`, `every year on 3 May`."""
    groups = match.groupdict()
    day, month = int(groups["date"]), MONTHS.index(groups["month"]) + 1
    if groups.get("every"):
        return request.cron(day=str(day), month=str(month))
    if not groups.get("year"):
        return _once(request.next_day(lambda wall: (wall.day, wall.month) == (day, month)), request)
    return _on_day(int(groups["year"]), month, day, request)


def _iso_date(match: re.Match[str], request: _TimeRequest) -> Times:
    return _on_day(int(match[1]), int(match[2]), int(match[3]), request)


def _on_day(year: int, month: int, day: int, request: _TimeRequest) -> Once:
    try:
        return _once(request.at_time(datetime(year, month, day)), request)  # noqa: DTZ001 - a wall time, given its zone next
    except ValueError as error:
        raise InvalidInput(f"there is no such day: {request.text!r}", hint=EXAMPLES) from error


def _soon(match: re.Match[str], request: _TimeRequest) -> Times:
    if match[0] == "":
        return _once(request.next_day(lambda _wall: True), request)
    days_ahead = {"today": 0, "tomorrow": 1, "the day after tomorrow": 2}[match[0].removeprefix("on ")]
    return _once(request.at_time(request.now_wall() + timedelta(days=days_ahead)), request)


def _once(wall: datetime, request: _TimeRequest) -> Once:
    return Once(moment_ms(wall, zone(request.zone)))


def _too_wide(match: re.Match[str], _request: _TimeRequest) -> Times:
    raise InvalidInput(
        f"{match[0]!r} has no day",
        hint=f"use: every month on the 1st at 9:00; every year on 3 May at 9:00; or as cron: 0 9 1 */{2} *",
    )


def _cron_day(wall: datetime) -> int:
    return wall.isoweekday() % 7


_RULES: tuple[tuple[str, Callable[[re.Match[str], _TimeRequest], Times]], ...] = (
    (r"|today|tomorrow|(?:on )?the day after tomorrow", _soon),
    (r"every (?:(\d+) )?(second|minute|hour)s?", _every_step),
    (rf"every (?P<number>other|second|\d+)? ?(?P<unit>day|week)s?(?: on (?:every )?(?P<day>{_DAY})s?)?", _every_days),
    (rf"every (?P<number>other|second) (?P<day>{_DAY})", _every_days),
    (rf"(?:on )?(?:the |every )?(?P<which>{'|'.join(ORDINALS)}|last) (?P<day>{_DAY}){_OF_MONTH}", _nth_weekday),
    (rf"every month on the (?P<which>{'|'.join(ORDINALS)}|last) (?P<day>{_DAY})", _nth_weekday),
    (rf"(?:on )?(?:every |the )?last (?:week)?day{_OF_MONTH}|every month on the last (?:week)?day", _monthly),
    (rf"(?:on )?(?:every |the )?(?P<days>{_NTH}(?:(?:,| and|, and) (?:the )?{_NTH})*){_OF_MONTH}", _monthly),
    (rf"every month on (?:the )?(?P<days>{_NTH}(?:(?:,| and|, and) (?:the )?{_NTH})*)", _monthly),
    (rf"(?:on )?every (?P<days>{_DAY_LIST})", _weekdays),
    (rf"(?:on )?(?P<days>(?:{_DAY}|weekday|weekend)s(?:(?:,| and|, and) (?:on )?(?:{_DAY}|weekend)s)*)", _weekdays),
    (rf"(?:on )?(?:next |this )?(?P<day>{_DAY})", _next_weekday),
    (rf"{_YEARLY}(?:on )?(?:the )?(?P<date>\d\d?)(?:st|nd|rd|th)?(?: of)? (?P<month>{_MONTH}){_YEAR}", _date),
    (rf"{_YEARLY}(?:on )?(?P<month>{_MONTH}) (?:the )?(?P<date>\d\d?)(?:st|nd|rd|th)?{_YEAR}", _date),
    (r"(?:on )?(\d{4})-(\d\d)-(\d\d)", _iso_date),
    (r"every (?:\d+ )?(?:month|year)s?", _too_wide),
)  # fmt: skip
