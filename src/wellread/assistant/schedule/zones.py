"""Time zones, and the one rule by which a wall time becomes a moment.

A wall time that does not exist (the clock was put forward over it) stands for the first moment after the gap; one that
exists twice (the clock was put back) stands for the first of the two. So every wall time is one moment, and later wall
times are never earlier moments.
"""

from datetime import UTC, datetime, timedelta
from functools import cache, lru_cache
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError, available_timezones

import tzdata

from wellread.errors import ConfigError, InvalidInput

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MS = timedelta(milliseconds=1)
_LOCALTIME = Path("/etc/localtime")


@lru_cache(maxsize=1_000)
def zone(name: str) -> ZoneInfo:
    """Return the zone of an IANA name, whatever its case: `Europe/Berlin`, `europe/berlin`, `UTC`.

    Raises:
        InvalidInput: there is none of this name.
    """
    try:
        return ZoneInfo(_spelled(name))
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:  # OSError: the name of a folder, or too long a name
        raise InvalidInput(
            f"there is no time zone {name[:60]!r} (IANA {tzdata.IANA_VERSION})",
            hint="use a name of the IANA database: Europe/Berlin, America/New_York, Asia/Tokyo, UTC",
        ) from error


def _spelled(name: str) -> str:
    return _spellings().get(name.lower(), name)


@cache
def _spellings() -> dict[str, str]:
    """Every name in small letters, and as it is written; looked up once, for it reads a tree of folders."""
    return {name.lower(): name for name in available_timezones()}


def home_zone(zone_name: str | None) -> str:
    """Return the user's zone: the one that is set, else the machine's.

    Raises:
        InvalidInput: there is none of this name.
        ConfigError: none is set, and the machine does not tell its own.
    """
    return zone(zone_name or machine_zone()).key


def machine_zone(localtime: Path = _LOCALTIME) -> str:
    """Return the IANA name of this machine's zone, from the link that systems keep; UTC where there is none.

    Raises:
        ConfigError: the machine has a zone whose name it does not tell.
    """
    if not localtime.is_symlink():
        if not localtime.exists():
            return "UTC"
        raise ConfigError(f"{localtime} does not give the name of its time zone", hint="set schedule.timezone")
    name = str(localtime.resolve()).partition("zoneinfo/")[2].removeprefix("posix/").removeprefix("right/")
    return {"Etc/UTC": "UTC", "": "UTC"}.get(name, name)


def moment_ms(wall: datetime, where: ZoneInfo) -> int:
    """Return the moment at which clocks in the zone show the naive `wall`, by the rule above; milliseconds UTC."""
    first = to_ms(wall.replace(tzinfo=where, fold=0))
    if wall_at(first, where) == wall:
        return first
    # In a gap the offset before it (fold=0) lands behind the gap, the offset behind it (fold=1) before it (PEP 495).
    return _change_ms(to_ms(wall.replace(tzinfo=where, fold=1)), first, where)


def _change_ms(before: int, behind: int, where: ZoneInfo) -> int:
    """Return the first moment after `before` with the offset of `behind`; zones change on whole seconds."""
    then = _aware(behind, where).utcoffset()
    while behind - before > 1:
        middle = (before + behind) // 2
        if _aware(middle, where).utcoffset() == then:
            behind = middle
        else:
            before = middle
    return behind


def wall_at(at_ms: int, where: ZoneInfo) -> datetime:
    """Return the wall time of the zone's clocks at a moment, naive; `fold` marks the second of two."""
    return _aware(at_ms, where).replace(tzinfo=None)


def latest_wall(at_ms: int, where: ZoneInfo) -> datetime:
    """Return the latest time that clocks in the zone have shown up to a moment, since they were last put back."""
    now = _aware(at_ms, where)
    if not now.fold:
        return now.replace(tzinfo=None)
    first, second = (now.replace(fold=fold).utcoffset() or timedelta() for fold in (0, 1))
    return now.replace(tzinfo=None, fold=0) + max(first - second, timedelta())


def to_ms(when: datetime) -> int:
    """Return an aware time in milliseconds since 1970-01-01 UTC."""
    return (when - EPOCH) // _MS


def local_time_text(at_ms: int, zone_name: str) -> str:
    """Return a moment as a person reads it: `Mon 23 Nov 2026, 09:00 (Europe/Berlin)`."""
    when = _aware(at_ms, zone(zone_name))
    return f"{when:%a} {when.day} {when:%b %Y, %H:%M} ({zone_name})"


def _aware(at_ms: int, where: ZoneInfo) -> datetime:
    return (EPOCH + at_ms * _MS).astimezone(where)
