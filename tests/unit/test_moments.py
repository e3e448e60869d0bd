"""Times of events: what is written, what the API takes, and that the two are the same moment whatever clocks do."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.assistant.integrations.google import event_times
from wellread.errors import InvalidInput

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "Pacific/Apia"]
BEGIN = datetime.fromisoformat("2026-01-01T00:00")
WALLS = st.integers(0, 5 * 365 * 24 * 60).map(lambda minutes: BEGIN + timedelta(minutes=minutes))
"""Times on a wall."""


@given(WALLS, st.sampled_from(ZONES))
def test_an_event_lasts_an_hour_whatever_the_clocks_do(wall: datetime, zone: str) -> None:
    made = event_times.parse_event_time(wall.isoformat(), "", zone)
    assert isinstance(made.start, datetime)
    assert isinstance(made.end, datetime)
    assert made.end.astimezone(UTC) - made.start.astimezone(UTC) == timedelta(hours=1)


@given(WALLS, st.sampled_from(ZONES))
def test_what_the_api_takes_is_read_back_as_the_same_time(wall: datetime, zone: str) -> None:
    made = event_times.parse_event_time(wall.isoformat(), "", zone)
    back = event_times.event_time(made.fields(), "UTC")
    assert back is not None
    assert (back.zone, back.shown()) == (made.zone, made.shown())


@given(st.dates(min_value=date(2000, 1, 1), max_value=date(2100, 1, 1)), st.integers(0, 40))
def test_whole_days_end_with_their_last_day(first: date, more: int) -> None:
    made = event_times.parse_event_time(first.isoformat(), (first + timedelta(days=more)).isoformat(), "Europe/Berlin")
    fields = made.fields()
    assert fields["end"]["date"] == (first + timedelta(days=more + 1)).isoformat()
    back = event_times.event_time({name: {"date": at["date"]} for name, at in fields.items()}, "Europe/Berlin")
    assert back == made


@pytest.mark.parametrize(
    ("start", "end", "told"),
    [
        ("2026-03-29T02:30", "", "Sun 2026-03-29, 03:00-04:00 (Europe/Berlin)"),
        ("2026-10-25T02:30", "", "Sun 2026-10-25, 02:30-02:30 (Europe/Berlin)"),
        ("2026-11-24T09:00-05:00", "", "Tue 2026-11-24, 15:00-16:00 (Europe/Berlin)"),
        ("2026-11-24T08:00:00Z", "2026-11-24T10:30", "Tue 2026-11-24, 09:00-10:30 (Europe/Berlin)"),
        ("2026-11-24T23:30", "", "Tue 2026-11-24, 23:30-Wed 2026-11-25, 00:30 (Europe/Berlin)"),
        ("2026-11-24", "", "Tue 2026-11-24, all day"),
    ],
)
def test_times_are_understood_and_shown(start: str, end: str, told: str) -> None:
    assert event_times.parse_event_time(start, end, "Europe/Berlin").shown() == told


def test_an_event_that_is_moved_stays_as_long() -> None:
    before = event_times.parse_event_time("2026-11-24T09:00", "2026-11-24T11:30", "Europe/Berlin")
    assert (
        event_times.parse_event_time("2026-12-01T10:00", "", "Europe/Berlin", before)
        .shown()
        .endswith("10:00-12:30 (Europe/Berlin)")
    )
    days = event_times.parse_event_time("2026-11-24", "2026-11-26", "Europe/Berlin")
    assert event_times.parse_event_time("2026-12-01", "", "Europe/Berlin", days).end == date(2026, 12, 3)


@pytest.mark.parametrize(
    ("text", "ends", "told"),
    [
        ("2026-11-24", False, "2026-11-24T00:00:00+01:00"),
        ("2026-11-24", True, "2026-11-25T00:00:00+01:00"),
        ("2026-03-29", True, "2026-03-30T00:00:00+02:00"),
        ("2026-07-01T12:00", True, "2026-07-01T12:00:00+02:00"),
    ],
)
def test_a_search_has_the_offset_of_its_day(text: str, ends: bool, told: str) -> None:
    assert event_times.search_bound(text, "Europe/Berlin", ends=ends) == told


@pytest.mark.parametrize(
    "text", ["", "soon", "2026-13-01", "2026-11-24T25:00", "9" * 40, "0001-01-01T00:00", "9999-12-31T23:59"]
)
def test_what_is_no_time_is_told_so(text: str) -> None:
    with pytest.raises(InvalidInput):
        event_times.parse_event_time(text, "2026-11-24", "Asia/Tokyo")


@pytest.mark.parametrize(
    "event",
    [
        {},
        {"start": {}, "end": {}},
        {"start": {"date": "x"}, "end": {"date": "y"}},
        {"start": {"dateTime": 5}, "end": {"dateTime": "z"}},
    ],
)
def test_an_event_without_a_sound_time_has_none(event: dict[str, object]) -> None:
    assert event_times.event_time(event, "UTC") is None
