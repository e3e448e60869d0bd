"""Times of events, in pure code: reads the model's text, writes the API's fields, prints for a person.

A timed event is sent with its offset and its IANA zone, so that one that repeats keeps its time on the wall. An all-day
event has dates and no zone; Google counts its end as the first day after it, people as its last day.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfoNotFoundError

from wellread.assistant.schedule.zones import EPOCH, moment_ms, to_ms, zone
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Mapping
    from zoneinfo import ZoneInfo

    from wellread.assistant.integrations.service_client import Json

HINT = "use 2026-11-24T09:00 for a local time, or 2026-11-24 for a whole day"
DAY = timedelta(days=1)
HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class EventTime:
    """The time of an event: aware times in one zone, or dates, the last one included."""

    start: datetime | date
    end: datetime | date
    zone: str

    @property
    def whole_days(self) -> bool:
        """Tell whether the event has dates and no times."""
        return not isinstance(self.start, datetime)

    def within(self, zone_name: str) -> EventTime:
        """Return the same times on the clocks of another zone; whole days are the same everywhere."""
        if not isinstance(self.start, datetime) or not isinstance(self.end, datetime):
            return self
        where = zone(zone_name)
        return EventTime(self.start.astimezone(where), self.end.astimezone(where), where.key)

    @property
    def days(self) -> int:
        """The number of days it touches."""
        return self.end.toordinal() - self.start.toordinal() + 1

    def fields(self) -> Json:
        """Return `start` and `end` as the API takes them; fields of the other kind are None, which deletes them."""
        return {"start": self._field(self.start, ends=False), "end": self._field(self.end, ends=True)}

    def _field(self, at: datetime | date, *, ends: bool) -> dict[str, str | None]:
        if isinstance(at, datetime):
            return {"dateTime": at.isoformat(timespec="seconds"), "timeZone": self.zone, "date": None}
        if ends:
            at += DAY
        return {"date": at.isoformat(), "dateTime": None, "timeZone": None}

    def describe(self, home: str) -> str:
        """Return it on the clocks at home, followed by its own start where its zone differs."""
        shown = self.within(home).shown()
        if self.whole_days or self.zone == home:
            return shown
        return f"{shown} [{self.start:%H:%M} {self.zone}]"

    def shown(self) -> str:
        """Return it for a person: `Tue 2026-11-24, 09:00-10:00 (Europe/Berlin)`."""
        if not isinstance(self.start, datetime) or not isinstance(self.end, datetime):
            days = f"{self.start:%a %Y-%m-%d}"
            if self.start != self.end:
                days += f" to {self.end:%a %Y-%m-%d}"
            return f"{days}, all day"
        last = f"{self.end:%a %Y-%m-%d, %H:%M}"
        if self.start.date() == self.end.date():
            last = f"{self.end:%H:%M}"
        return f"{self.start:%a %Y-%m-%d, %H:%M}-{last} ({self.zone})"


def parse_event_time(start: str, end: str, zone_name: str, before: EventTime | None = None) -> EventTime:
    """Read a start and an end; without an end it lasts as long as `before`, or else an hour, or that day.

    Raises:
        InvalidInput: one of them cannot be read, they do not fit together, or the end is not after the start.
    """
    zone_info = zone(zone_name)
    start_at = _parse_time(start, zone_info)
    end_at = _parse_time(end, zone_info) if end else _after(start_at, before)
    if isinstance(start_at, datetime) and isinstance(end_at, datetime):
        backwards = to_ms(end_at) <= to_ms(start_at)
    elif isinstance(start_at, datetime) or isinstance(end_at, datetime):
        raise InvalidInput("start and end must both be times, or both be days", hint=HINT)
    else:
        backwards = end_at < start_at
    if backwards:
        raise InvalidInput(f"the end {end!r} is not after the start", hint=HINT)
    return EventTime(start_at, end_at, zone_info.key)


def _after(first: datetime | date, before: EventTime | None) -> datetime | date:
    """Return the end of an event that starts at `first` and lasts as long as `before`, in elapsed time."""
    if not isinstance(first, datetime):
        if before and before.whole_days:
            return first + timedelta(days=before.days - 1)
        return first
    length_ms = HOUR_MS
    if before and isinstance(before.start, datetime) and isinstance(before.end, datetime):
        length_ms = to_ms(before.end) - to_ms(before.start)
    return (first.astimezone(UTC) + timedelta(milliseconds=length_ms)).astimezone(first.tzinfo)


def _parse_time(text: str, zone_info: ZoneInfo) -> datetime | date:
    """Read a day, a time on the wall, or a time with an offset."""
    try:
        if len(text) <= len("2026-11-24"):
            return date.fromisoformat(text)
        time = datetime.fromisoformat(text)
        at_ms = to_ms(time) if time.tzinfo else moment_ms(time, zone_info)
        return _aware_time(at_ms, zone_info)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{text[:60]!r} is not a time", hint=HINT) from error


def _aware_time(at_ms: int, zone_info: ZoneInfo) -> datetime:
    return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(zone_info)


def search_bound(text: str, zone_name: str, *, ends: bool) -> str:
    """Return a bound of a search as the API takes it, with its offset; a day as the end is searched whole.

    Raises:
        InvalidInput: it cannot be read.
    """
    parsed = _parse_time(text, zone(zone_name))
    if not isinstance(parsed, datetime):
        day = parsed + DAY if ends else parsed
        midnight = datetime(day.year, day.month, day.day)  # noqa: DTZ001 - a wall time, given its zone next
        parsed = _aware_time(moment_ms(midnight, zone(zone_name)), zone(zone_name))
    return parsed.isoformat(timespec="seconds")


def today(now_ms: int, zone_name: str) -> date:
    """Return the current day in a zone."""
    return _aware_time(now_ms, zone(zone_name)).date()


def event_time(event: Mapping[str, object], otherwise: str) -> EventTime | None:
    """Return the time of an API event, in its own zone or else in `otherwise`; None where it has none."""
    start, end = event.get("start"), event.get("end")
    if not isinstance(start, dict) or not isinstance(end, dict):
        return None
    try:
        if start.get("date"):
            first, after = date.fromisoformat(start["date"]), date.fromisoformat(end["date"])
            return EventTime(first, max(first, after - DAY), otherwise)
        zone_info = _known(start.get("timeZone"), otherwise)
        times = [datetime.fromisoformat(part["dateTime"]).astimezone(zone_info) for part in (start, end)]
    except (KeyError, TypeError, ValueError):
        return None
    return EventTime(times[0], times[1], zone_info.key)


def _known(name: object, otherwise: str) -> ZoneInfo:
    if not isinstance(name, str):
        return zone(otherwise)
    try:
        return zone(name)
    except (InvalidInput, ZoneInfoNotFoundError):
        return zone(otherwise)  # a calendar may name a zone of its own
