"""Due times: cron expressions, steps of time, steps of days, and single moments; pure, no clock."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import islice

from cronsim import CronSim, CronSimError

from wellread.assistant.schedule.zones import latest_wall, moment_ms, wall_at, zone
from wellread.errors import InvalidInput

SECOND, MINUTE, HOUR, DAY = 1_000, 60_000, 3_600_000, 86_400_000
MIN_STEP_MS = 10 * SECOND
MAX_TIME_MS = 253_370_764_800_000
"""The year 9999: beyond it there are no dates."""

MAX_COUNTED = 1_000
"""Due times that were missed are counted one by one up to here."""

_ALIASES = {
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *", "@weekly": "0 0 * * 0",
    "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *",
}  # fmt: skip
_ORIGIN = datetime(2000, 1, 1)  # noqa: DTZ001 - a wall time: cron expressions know no zone


@dataclass(frozen=True, slots=True)
class Cron:
    """A cron expression on the clocks of a zone: minute, hour, day, month, weekday (0 and 7 are Sunday)."""

    expression: str
    zone: str

    def next_ms(self, after_ms: int) -> int | None:
        """Return the first due time after a moment; None when none is left."""
        zone_info = zone(self.zone)
        wall_times = CronSim(self.expression, wall_at(after_ms, zone_info).replace(fold=0))
        # When the clocks go back, an hour comes twice: its due times are in the first pass, so in the second pass they
        # precede `after_ms`. Due times in a gap map to one moment.
        return next((due for wall_time in wall_times if (due := moment_ms(wall_time, zone_info)) > after_ms), None)

    def last_ms(self, until_ms: int) -> int | None:
        """Return the last due time up to and including a moment; None when there was none."""
        zone_info = zone(self.zone)
        latest = latest_wall(until_ms, zone_info) + timedelta(seconds=1)
        wall_times = CronSim(self.expression, latest.replace(microsecond=0), reverse=True)
        return next((due for wall_time in wall_times if (due := moment_ms(wall_time, zone_info)) <= until_ms), None)


@dataclass(frozen=True, slots=True)
class Every:
    """Steps of elapsed time from a start: no zone, no change of clocks touches them."""

    step_ms: int
    start_ms: int

    def next_ms(self, after_ms: int) -> int | None:
        """Return the first due time after a moment; the start itself is the first of all."""
        steps = max(0, (after_ms - self.start_ms) // self.step_ms + 1)
        due = self.start_ms + steps * self.step_ms
        if due >= MAX_TIME_MS:
            return None
        return due

    def last_ms(self, until_ms: int) -> int | None:
        """Return the last due time up to and including a moment."""
        steps = (until_ms - self.start_ms) // self.step_ms
        if steps < 0:
            return None
        return self.start_ms + steps * self.step_ms


@dataclass(frozen=True, slots=True)
class Days:
    """Steps of whole days on the clocks of a zone, from a first day: every second Monday at ten."""

    step_days: int
    first: datetime
    """Naive: the wall time of the first run."""
    zone: str

    def next_ms(self, after_ms: int) -> int | None:
        """Return the first due time after a moment."""
        zone_info = zone(self.zone)
        # Two steps back: a change of clocks moves a due time by a day at the very most.
        steps = max(0, (wall_at(after_ms, zone_info) - self.first) // timedelta(days=self.step_days) - 2)
        while (due := self._due(steps)) is not None and due <= after_ms:
            steps += 1
        return due

    def last_ms(self, until_ms: int) -> int | None:
        """Return the last due time up to and including a moment."""
        steps = (wall_at(until_ms, zone(self.zone)) - self.first) // timedelta(days=self.step_days) + 2
        while steps >= 0 and ((due := self._due(steps)) is None or due > until_ms):
            steps -= 1
        if steps < 0:
            return None
        return self._due(steps)

    def _due(self, steps: int) -> int | None:
        try:
            return moment_ms(self.first + timedelta(days=steps * self.step_days), zone(self.zone))
        except OverflowError:  # beyond the year 9999
            return None


@dataclass(frozen=True, slots=True)
class Once:
    """One moment."""

    at_ms: int

    def next_ms(self, after_ms: int) -> int | None:
        """Return the moment while it is still to come."""
        return self.at_ms if self.at_ms > after_ms else None

    def last_ms(self, until_ms: int) -> int | None:
        """Return the moment once it has come."""
        return self.at_ms if self.at_ms <= until_ms else None


Times = Cron | Every | Days | Once


@dataclass(frozen=True, slots=True)
class Due:
    """All due times that have come since a job was last looked at."""

    first_ms: int
    last_ms: int
    count: int
    """Exact up to `MAX_COUNTED`; a figure beyond means that there were more."""


def cron(expression: str, zone_name: str) -> Cron:
    """Return the due times of a cron expression of five fields, or of `@daily` and its like.

    Raises:
        InvalidInput: it is none, or no day ever fits it.
    """
    text = " ".join(expression.split())
    fields = _ALIASES.get(text.lower(), text)
    hint = "use five fields: minute hour day month weekday, such as `30 8 * * 1-5`; 0 and 7 are Sunday"
    if len(fields) > 200 or len(fields.split()) != 5:
        raise InvalidInput(f"not a cron expression: {text[:200]!r}", hint=hint)
    try:
        next(CronSim(fields, _ORIGIN))
    except (CronSimError, AssertionError, ValueError, TypeError) as error:
        raise InvalidInput(f"not a cron expression: {text!r}: {str(error) or 'out of shape'}", hint=hint) from error
    except StopIteration as error:
        raise InvalidInput(f"no day matches the cron expression {text!r}", hint=hint) from error
    return Cron(fields, zone(zone_name).key)


def due_until(times: Times, next_ms: int, now_ms: int) -> Due | None:
    """Return the due times from `next_ms`, itself one, to now; None while it is still to come."""
    if next_ms > now_ms:
        return None
    last = times.last_ms(now_ms)
    if last is None or last <= next_ms:
        return Due(next_ms, next_ms, 1)
    if isinstance(times, Every):
        return Due(next_ms, last, (last - next_ms) // times.step_ms + 1)
    return Due(next_ms, last, 1 + sum(1 for _ in islice(_between(times, next_ms, last), MAX_COUNTED)))


def _between(times: Times, after_ms: int, last_ms: int) -> Iterator[int]:
    due = times.next_ms(after_ms)
    while due is not None and due <= last_ms:
        yield due
        due = times.next_ms(due)
