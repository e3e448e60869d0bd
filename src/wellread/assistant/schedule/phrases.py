"""Reads when something is to happen: cron expressions, and plain English such as `every weekday at 9`.

A phrase is never guessed at: what is not understood whole is refused, with examples of what is.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from cronsim import CronSim

from wellread.assistant.schedule.times import (
    DAY,
    LATEST_MS,
    SHORTEST_STEP_MS,
    Cron,
    Days,
    Every,
    Once,
    Times,
    cron,
)
from wellread.assistant.schedule.words import (
    EXAMPLES,
    MONTHS,
    ORDINALS,
    UNITS,
    WEEKDAYS,
    OfDay,
    plain,
    split_times,
)
from wellread.assistant.schedule.zones import moment_ms, shown, to_ms, wall_at, zone
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


@dataclass(frozen=True, slots=True)
class _Asked:
    """A phrase on its way: what says the day, the times of day, the zone, and now."""

    text: str
    times: tuple[OfDay, ...]
    zone: str
    now_ms: int

    def hours(self) -> tuple[int, str]:
        """Return the minute and the hours, as cron writes them."""
        if not self.times:
            raise InvalidInput(f"{self.text!r} does not say at what time", hint=f"add it: {self.text} at 9:00")
        if len(minutes := {each.minute for each in self.times}) > 1:
            raise InvalidInput(
                "one schedule cannot run at different minutes of different hours",
                hint="make one schedule for each time of day",
            )
        return minutes.pop(), ",".join(str(each.hour) for each in self.times)

    def one(self) -> OfDay:
        """Return the only time of day."""
        if len(self.times) > 1:
            raise InvalidInput("this can have one time of day only", hint="make one schedule for each time of day")
        return OfDay(int(self.hours()[1]), self.hours()[0])

    def cron(self, day: str = "*", month: str = "*", weekday: str = "*") -> Cron:
        minute, hours = self.hours()
        return cron(f"{minute} {hours} {day} {month} {weekday}", self.zone)

    def wall(self) -> datetime:
        return wall_at(self.now_ms, zone(self.zone))

    def at(self, day: datetime) -> datetime:
        of_day = self.one()
        return day.replace(hour=of_day.hour, minute=of_day.minute, second=0, microsecond=0, fold=0)

    def first(self, days: Callable[[datetime], bool]) -> datetime:
        """Return the next day that fits, at the time of day; it lies in the future."""
        for ahead in range(366 * 8 + 2):
            wall = self.at(self.wall() + timedelta(days=ahead))
            if days(wall) and moment_ms(wall, zone(self.zone)) > self.now_ms:
                return wall
        raise InvalidInput(f"there is no such day: {self.text!r}", hint=EXAMPLES)


def read(text: str, zone_name: str, now_ms: int) -> Times:
    """Return the due times that `text` names, on the clocks of a zone unless it names another: `... Asia/Tokyo`.

    Raises:
        InvalidInput: it is not understood, has passed, or comes too often.
    """
    told = " ".join(text.split())
    if not told or len(told) > MAX_CHARS:
        raise InvalidInput("when is it to run?" if not told else "too long a phrase for a time", hint=EXAMPLES)
    if found := _CRON.fullmatch(told):
        return cron(found[1], zone_name)
    if (named := _ZONE.search(told)) and named.end() == len(told):
        return read(told[: named.start()], named[1], now_ms)
    times = _iso(told, zone_name) or _phrase(plain(told), zone_name, now_ms)
    if times is None:
        raise InvalidInput(f"no time is understood from {told!r}", hint=EXAMPLES)
    if isinstance(times, Once) and times.at_ms <= now_ms:
        raise InvalidInput(f"{shown(times.at_ms, zone_name)} has passed", hint="name a time that is still to come")
    return times


def explained(times: Times) -> str:
    """Return due times in words, for receipts and lists."""
    if isinstance(times, Cron):
        words = CronSim(times.expression, datetime(2000, 1, 1, tzinfo=UTC)).explain()
        return f"{words[0].lower()}{words[1:]} ({times.zone})"
    if isinstance(times, Days):
        weeks, rest = divmod(times.step_days, 7)
        step = f"{times.step_days} days" if rest else f"{weeks} weeks"
        return f"every {step} from {times.first:%a} {times.first.day} {times.first:%b %Y, %H:%M} ({times.zone})"
    if isinstance(times, Every):
        unit, ms = next((unit, ms) for unit, ms in reversed(UNITS.items()) if times.step_ms % ms == 0)
        steps = times.step_ms // ms
        return f"every {steps} {unit}s" if steps > 1 else f"every {unit}"
    return "once"


def _iso(told: str, zone_name: str) -> Once | None:
    found = _ISO.fullmatch(told)
    if found is None:
        return None
    try:
        hour = found[2].zfill(5) if found[2].count(":") == 1 else found[2].zfill(8)
        when = datetime.fromisoformat(f"{found[1]}T{hour}{(found[3] or '').upper()}")
    except ValueError as error:
        raise InvalidInput(f"there is no such day or time: {told!r}", hint=EXAMPLES) from error
    return Once(to_ms(when) if when.tzinfo else moment_ms(when, zone(zone_name)))


def _phrase(told: str, zone_name: str, now_ms: int) -> Times | None:
    if found := re.fullmatch(rf"in ((?:(?:an?|\d+) (?:{_UNIT})s?(?:,| and|, and)? ?)+)", told):
        return _ahead(found[1], now_ms)
    head, times = split_times(told)
    asked = _Asked(head, times, zone(zone_name).key, now_ms)
    for pattern, rule in _RULES:
        if found := re.fullmatch(pattern, head):  # a key of _RULES, on at most MAX_CHARS
            return rule(found, asked)
    return None


def _ahead(parts: str, now_ms: int) -> Once:
    spans = re.findall(rf"(an?|\d+) ({_UNIT})", parts)
    at_ms = now_ms + sum((int(number) if number.isdigit() else 1) * UNITS[unit] for number, unit in spans)
    if at_ms >= LATEST_MS:
        raise InvalidInput("that is beyond the year 9999", hint=EXAMPLES)
    return Once(at_ms)


def _every_step(found: re.Match[str], asked: _Asked) -> Times:
    step_ms = int(found[1] or 1) * UNITS[found[2]]
    if asked.times:
        raise InvalidInput(f"{found[0]!r} has no time of day", hint="leave it away, or say: every day at 9")
    if not SHORTEST_STEP_MS <= step_ms < 1_000 * 366 * DAY:
        raise InvalidInput(f"{found[0]!r} is out of bounds", hint=f"at least every {SHORTEST_STEP_MS // 1_000} seconds")
    return Every(step_ms, asked.now_ms + step_ms)


def _every_days(found: re.Match[str], asked: _Asked) -> Times:
    """`every 3 days at 9`, `every other Friday at 17:00`, `every 2 weeks on Monday at 10`."""
    groups = found.groupdict()
    weekday = groups.get("day")
    number = groups.get("number") or "1"
    step = 2 if number in {"other", "second"} else int(number)
    if groups.get("unit") != "day":
        step *= 7
    if not 1 <= step <= 3_660:
        raise InvalidInput(f"{found[0]!r} is out of bounds", hint="from one day to ten years")
    if step == 1:
        return asked.cron()
    if weekday is None and step == 7:
        raise InvalidInput("which day of the week?", hint="say it like: every Monday at 9:00")
    first = asked.first(lambda wall: weekday is None or _cron_day(wall) == WEEKDAYS.index(weekday))
    return Cron(*_weekly(first, asked)) if step == 7 else Days(step, first, asked.zone)


def _weekly(first: datetime, asked: _Asked) -> tuple[str, str]:
    return asked.cron(weekday=str(_cron_day(first))).expression, asked.zone


def _weekdays(found: re.Match[str], asked: _Asked) -> Times:
    days: set[int] = set()
    for word in re.findall(rf"weekday|weekend|{_DAY}", found["days"]):
        days |= {1, 2, 3, 4, 5} if word == "weekday" else {0, 6} if word == "weekend" else {WEEKDAYS.index(word)}
    return asked.cron(weekday="1-5" if days == {1, 2, 3, 4, 5} else ",".join(map(str, sorted(days))))


def _next_weekday(found: re.Match[str], asked: _Asked) -> Times:
    return _once(asked.first(lambda wall: _cron_day(wall) == WEEKDAYS.index(found["day"])), asked)


def _nth_weekday(found: re.Match[str], asked: _Asked) -> Times:
    which = found["which"]
    day = WEEKDAYS.index(found["day"])
    return asked.cron(weekday=f"{day}L" if which == "last" else f"{day}#{ORDINALS[which]}")


def _monthly(found: re.Match[str], asked: _Asked) -> Times:
    if "weekday" in found[0]:
        return asked.cron(day="LW")
    if "last" in found[0]:
        return asked.cron(day="L")
    days = sorted({int(day) for day in re.findall(r"\d+", found["days"])})
    if not all(1 <= day <= 31 for day in days):
        raise InvalidInput(f"no month has such a day: {found[0]!r}", hint="days go from 1 to 31")
    return asked.cron(day=",".join(map(str, days)))


def _date(found: re.Match[str], asked: _Asked) -> Times:
    """`on 3 May 2027`, `May 3`, `every year on 3 May`."""
    groups = found.groupdict()
    day, month = int(groups["date"]), MONTHS.index(groups["month"]) + 1
    if groups.get("every"):
        return asked.cron(day=str(day), month=str(month))
    if not groups.get("year"):
        return _once(asked.first(lambda wall: (wall.day, wall.month) == (day, month)), asked)
    return _on_day(int(groups["year"]), month, day, asked)


def _iso_date(found: re.Match[str], asked: _Asked) -> Times:
    return _on_day(int(found[1]), int(found[2]), int(found[3]), asked)


def _on_day(year: int, month: int, day: int, asked: _Asked) -> Once:
    try:
        return _once(asked.at(datetime(year, month, day)), asked)  # noqa: DTZ001 - a wall time, given its zone next
    except ValueError as error:
        raise InvalidInput(f"there is no such day: {asked.text!r}", hint=EXAMPLES) from error


def _soon(found: re.Match[str], asked: _Asked) -> Times:
    if found[0] == "":
        return _once(asked.first(lambda _wall: True), asked)
    ahead = {"today": 0, "tomorrow": 1, "the day after tomorrow": 2}[found[0].removeprefix("on ")]
    return _once(asked.at(asked.wall() + timedelta(days=ahead)), asked)


def _once(wall: datetime, asked: _Asked) -> Once:
    return Once(moment_ms(wall, zone(asked.zone)))


def _too_wide(found: re.Match[str], _asked: _Asked) -> Times:
    raise InvalidInput(
        f"{found[0]!r} does not say on which day",
        hint=f"say it like: every month on the 1st at 9:00; every year on 3 May at 9:00; or as cron: 0 9 1 */{2} *",
    )


def _cron_day(wall: datetime) -> int:
    return wall.isoweekday() % 7


_RULES: tuple[tuple[str, Callable[[re.Match[str], _Asked], Times]], ...] = (
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
