"""An oracle for due times that shares no code with the package: it walks through every minute, as a patient man would.

It holds a cron expression as sets of numbers, and looks at what a clock in the zone shows, minute by minute. What the
clock shows for the first time since it was last put back is due if it fits; what the clock has jumped over is due at
the moment of the jump.
"""

from __future__ import annotations

import calendar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from hypothesis import strategies as st

MINUTE_MS = 60_000
ZONES = [
    "America/New_York", "Europe/Berlin", "Europe/London", "Australia/Lord_Howe", "Asia/Beirut", "Africa/Cairo",
    "America/Sao_Paulo", "Pacific/Apia", "Africa/Casablanca", "America/Havana", "Antarctica/Troll", "Asia/Tehran",
    "America/St_Johns", "Asia/Kathmandu", "Pacific/Chatham", "UTC",
]  # fmt: skip
"""Gaps of 30 minutes, an hour, two hours and a whole day; at midnight too; and zones that never change."""


@dataclass(frozen=True)
class Fields:
    """A cron expression as what it means; None stands for a star."""

    minutes: frozenset[int] | None
    hours: frozenset[int] | None
    days: frozenset[int] | None
    months: frozenset[int] | None
    weekdays: frozenset[int] | None
    """0 to 7 as cron numbers them: 0 and 7 are Sunday."""

    def expression(self) -> str:
        """Return it as cron writes it."""
        fields = (self.minutes, self.hours, self.days, self.months, self.weekdays)
        return " ".join("*" if each is None else ",".join(map(str, sorted(each))) for each in fields)

    def fits(self, wall: datetime) -> bool:
        """Tell whether a clock that shows this time is at one of its times."""
        return (
            (self.minutes is None or wall.minute in self.minutes)
            and (self.hours is None or wall.hour in self.hours)
            and (self.months is None or wall.month in self.months)
            and self._day(wall)
        )

    def _day(self, wall: datetime) -> bool:
        number = (calendar.weekday(wall.year, wall.month, wall.day) + 1) % 7
        of_month = self.days is None or wall.day in self.days
        of_week = self.weekdays is None or number in {each % 7 for each in self.weekdays}
        # crontab(5): if both are given, either is enough.
        return of_month or of_week if self.days is not None and self.weekdays is not None else of_month and of_week


def due_times(fields: Fields, zone: str, after_ms: int, until_ms: int) -> list[int]:
    """Return every due time after a moment, up to and including another, in milliseconds."""
    where = ZoneInfo(zone)
    minute = timedelta(minutes=1)
    # It begins some hours before, to know what the clock has shown: none of these has been put back further.
    at = after_ms // MINUTE_MS * MINUTE_MS - 4 * 60 * MINUTE_MS
    latest = _wall(at, where)
    found = []
    while (at := at + MINUTE_MS) <= until_ms:
        wall = _wall(at, where)
        due = False
        while latest < wall:
            latest += minute
            due = due or fields.fits(latest)
        if due and at > after_ms:
            found.append(at)
    return found


def _wall(at_ms: int, where: ZoneInfo) -> datetime:
    return datetime.fromtimestamp(at_ms // 1_000, tz=UTC).astimezone(where).replace(tzinfo=None)


@cache
def changes(zone: str) -> list[int]:
    """Return about when the clocks of a zone change from 2005 to 2029, to a day."""
    where = ZoneInfo(zone)
    days = [datetime(2005, 1, 1, tzinfo=UTC) + timedelta(days=number) for number in range(25 * 365)]
    offsets = [day.astimezone(where).utcoffset() for day in days]
    return [
        int(day.timestamp()) * 1_000
        for day, before, behind in zip(days[1:], offsets, offsets[1:], strict=False)
        if before != behind
    ]


def _some(low: int, high: int, most: int) -> st.SearchStrategy[frozenset[int] | None]:
    return st.one_of(st.none(), st.frozensets(st.integers(low, high), min_size=1, max_size=most))


minutes = st.one_of(
    st.frozensets(st.sampled_from([0, 1, 15, 29, 30, 31, 45, 59]), min_size=1, max_size=3),
    st.frozensets(st.integers(0, 59), min_size=1, max_size=2),
)
hours = st.one_of(st.frozensets(st.integers(0, 4), min_size=1, max_size=3), _some(0, 23, 3))
daily = st.builds(
    Fields,
    minutes=minutes,
    hours=st.frozensets(st.one_of(st.integers(0, 4), st.integers(0, 23)), min_size=1, max_size=2),
    days=st.none(),
    months=st.none(),
    weekdays=st.one_of(st.none(), _some(0, 7, 6)),
)
"""Due on most days, so that changes of clocks are met."""

fields = st.builds(
    Fields,
    minutes=st.one_of(minutes, minutes, st.none()),
    hours=hours,
    days=st.one_of(st.none(), _some(1, 31, 8)),
    months=st.one_of(st.none(), _some(1, 12, 9)),
    weekdays=st.one_of(st.none(), _some(0, 7, 4)),
).filter(lambda each: each.days is None or min(each.days) <= 28)
"""Every kind of expression."""


@st.composite
def near_a_change(draw: st.DrawFn) -> tuple[str, int]:
    """Draw a zone, and a moment within two days before its clocks change, or any if they never do."""
    zone = draw(st.sampled_from(ZONES))
    anchor = draw(st.sampled_from(changes(zone) or [1_700_000_000_000]))
    return zone, anchor - draw(st.integers(0, 2 * 24 * 60)) * MINUTE_MS + draw(st.sampled_from([0, 1, 999, 30_500]))
