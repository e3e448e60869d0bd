"""Times of events, in pure code: what a model writes, what Google's API takes, and what a person reads.

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

    from wellread.assistant.integrations.wire import Json

HINT = "write 2026-11-24T09:00 for a time on the wall, or 2026-11-24 for a whole day"
DAY = timedelta(days=1)
HOUR_MS = 3_600_000


@dataclass(frozen=True, slots=True)
class Span:
    """When an event is: aware times in one zone, or dates, the last one included."""

    start: datetime | date
    end: datetime | date
    zone: str

    @property
    def whole_days(self) -> bool:
        """Tell whether it has no times."""
        return not isinstance(self.start, datetime)

    def within(self, zone_name: str) -> Span:
        """Return the same times on the clocks of another zone; whole days are the same everywhere."""
        if not isinstance(self.start, datetime) or not isinstance(self.end, datetime):
            return self
        where = zone(zone_name)
        return Span(self.start.astimezone(where), self.end.astimezone(where), where.key)

    @property
    def days(self) -> int:
        """How many days it touches."""
        return self.end.toordinal() - self.start.toordinal() + 1

    def fields(self) -> Json:
        """Return `start` and `end` as the API takes them; what one kind does not have is taken away."""
        return {"start": self._field(self.start, ends=False), "end": self._field(self.end, ends=True)}

    def _field(self, at: datetime | date, *, ends: bool) -> dict[str, str | None]:
        if isinstance(at, datetime):
            return {"dateTime": at.isoformat(timespec="seconds"), "timeZone": self.zone, "date": None}
        return {"date": (at + DAY if ends else at).isoformat(), "dateTime": None, "timeZone": None}

    def told(self, home: str) -> str:
        """Return it on the clocks at home, and its own beginning where it is kept by others."""
        own = "" if self.whole_days or self.zone == home else f" [{self.start:%H:%M} {self.zone}]"
        return f"{self.within(home).shown()}{own}"

    def shown(self) -> str:
        """Return it as a person reads it: `Tue 2026-11-24, 09:00-10:00 (Europe/Berlin)`."""
        if not isinstance(self.start, datetime) or not isinstance(self.end, datetime):
            days = f"{self.start:%a %Y-%m-%d}"
            return f"{days}, all day" if self.start == self.end else f"{days} to {self.end:%a %Y-%m-%d}, all day"
        last = f"{self.end:%H:%M}" if self.start.date() == self.end.date() else f"{self.end:%a %Y-%m-%d, %H:%M}"
        return f"{self.start:%a %Y-%m-%d, %H:%M}-{last} ({self.zone})"


def span(start: str, end: str, zone_name: str, before: Span | None = None) -> Span:
    """Read a start and an end; without an end it lasts as long as `before`, or else an hour, or that day.

    Raises:
        InvalidInput: one of them cannot be read, they do not fit together, or the end is not after the start.
    """
    where = zone(zone_name)
    first = _read(start, where)
    last = _read(end, where) if end else _after(first, before)
    if isinstance(first, datetime) and isinstance(last, datetime):
        backwards = to_ms(last) <= to_ms(first)
    elif isinstance(first, datetime) or isinstance(last, datetime):
        raise InvalidInput("start and end must both be times, or both be days", hint=HINT)
    else:
        backwards = last < first
    if backwards:
        raise InvalidInput(f"the end {end!r} is not after the start", hint=HINT)
    return Span(first, last, where.key)


def _after(first: datetime | date, before: Span | None) -> datetime | date:
    """Return the end of what begins at `first` and lasts as long as `before`; lengths of times are true ones."""
    if not isinstance(first, datetime):
        return first + timedelta(days=before.days - 1) if before and before.whole_days else first
    length_ms = HOUR_MS
    if before and isinstance(before.start, datetime) and isinstance(before.end, datetime):
        length_ms = to_ms(before.end) - to_ms(before.start)
    return (first.astimezone(UTC) + timedelta(milliseconds=length_ms)).astimezone(first.tzinfo)


def _read(text: str, where: ZoneInfo) -> datetime | date:
    """Read a day, a time on the wall, or a time with an offset."""
    try:
        if len(text) <= len("2026-11-24"):
            return date.fromisoformat(text)
        found = datetime.fromisoformat(text)
        return _at(to_ms(found) if found.tzinfo else moment_ms(found, where), where)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(f"{text[:60]!r} is no time", hint=HINT) from error


def _at(at_ms: int, where: ZoneInfo) -> datetime:
    return (EPOCH + timedelta(milliseconds=at_ms)).astimezone(where)


def bound(text: str, where: str, *, ends: bool) -> str:
    """Return a border of a search as the API takes it, with its offset; a day that ends it is searched whole.

    Raises:
        InvalidInput: it cannot be read.
    """
    found = _read(text, zone(where))
    if not isinstance(found, datetime):
        day = found + DAY if ends else found
        found = _at(moment_ms(datetime(day.year, day.month, day.day), zone(where)), zone(where))  # noqa: DTZ001 - a wall
    return found.isoformat(timespec="seconds")


def today(now_ms: int, where: str) -> date:
    """Return the day that it is in a zone."""
    return _at(now_ms, zone(where)).date()


def of_event(event: Mapping[str, object], otherwise: str) -> Span | None:
    """Return when an event of the API is, in its own zone or else in `otherwise`; None where it does not say."""
    start, end = event.get("start"), event.get("end")
    if not isinstance(start, dict) or not isinstance(end, dict):
        return None
    try:
        if start.get("date"):
            first, after = date.fromisoformat(start["date"]), date.fromisoformat(end["date"])
            return Span(first, max(first, after - DAY), otherwise)
        where = _known(start.get("timeZone"), otherwise)
        times = [datetime.fromisoformat(it["dateTime"]).astimezone(where) for it in (start, end)]
    except (KeyError, TypeError, ValueError):
        return None
    return Span(times[0], times[1], where.key)


def _known(name: object, otherwise: str) -> ZoneInfo:
    try:
        return zone(name) if isinstance(name, str) else zone(otherwise)
    except (InvalidInput, ZoneInfoNotFoundError):
        return zone(otherwise)  # a calendar may name a zone of its own
