"""Due times: what cron says, what clocks do, against an oracle that walks through every minute."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from clocks import Fields, due_times, fields, near_a_change
from wellread.assistant.schedule.jobs import times_from_json, times_to_json
from wellread.assistant.schedule.times import MAX_COUNTED, Cron, Days, Every, Once, cron, due_until
from wellread.assistant.schedule.zones import local_time_text, machine_zone, moment_ms, wall_at, zone
from wellread.errors import ConfigError, InvalidInput

if TYPE_CHECKING:
    from pathlib import Path

    from wellread.assistant.schedule.times import Times

HOUR = 3_600_000
DAY = 24 * HOUR
NEW_YORK = "America/New_York"


def at(text: str, where: str = NEW_YORK) -> int:
    return moment_ms(datetime.fromisoformat(text), zone(where))


def following(times: Times, after_ms: int, count: int) -> list[str]:
    found = []
    for _ in range(count):
        due = times.next_ms(after_ms)
        assert due is not None
        after_ms = due
        found.append(local_time_text(due, getattr(times, "zone", NEW_YORK)).partition(" (")[0])
    return found


def test_a_time_that_the_clock_jumps_over_runs_once_when_the_gap_ends() -> None:
    assert following(cron("0,30 2 * * *", NEW_YORK), at("2026-03-07 12:00"), 2) == [
        "Sun 8 Mar 2026, 03:00",
        "Mon 9 Mar 2026, 02:00",
    ]


def test_a_time_that_comes_twice_runs_the_first_time() -> None:
    times = cron("30 1 * * *", NEW_YORK)
    first = times.next_ms(at("2026-11-01 00:00"))
    assert first == at("2026-11-01 01:30")
    assert times.next_ms(first) == at("2026-11-02 01:30")
    assert times.next_ms(first + HOUR // 2) == at("2026-11-02 01:30")


def test_time_zone_that_skipped_a_whole_day() -> None:
    assert following(cron("0 9,17 * * *", "Pacific/Apia"), at("2011-12-29 12:00", "Pacific/Apia"), 3) == [
        "Thu 29 Dec 2011, 17:00",
        "Sat 31 Dec 2011, 00:00",
        "Sat 31 Dec 2011, 09:00",
    ]


@pytest.mark.parametrize("number", ["0", "7", "sun"])
def test_sunday_is_nought_and_seven(number: str) -> None:
    assert following(cron(f"0 9 * * {number}", "UTC"), at("2026-11-21 12:00", "UTC"), 1) == ["Sun 22 Nov 2026, 09:00"]


def test_day_and_weekday_together_mean_either_as_in_cron() -> None:
    assert following(cron("0 9 13 * 5", "UTC"), at("2026-11-01 00:00", "UTC"), 3) == [
        "Fri 6 Nov 2026, 09:00",
        "Fri 13 Nov 2026, 09:00",
        "Fri 20 Nov 2026, 09:00",
    ]


@settings(max_examples=150, deadline=None)
@given(fields, near_a_change())
@example(Fields(frozenset({15}), frozenset({2}), None, None, None), ("Australia/Lord_Howe", 1_759_500_000_000))
def test_due_times_are_those_that_a_patient_man_would_find(each: Fields, place: tuple[str, int]) -> None:
    where, after_ms = place
    until_ms = after_ms + 3 * DAY
    expected = due_times(each, where, after_ms, until_ms)
    times = cron(each.expression(), where)
    found = []
    due = times.next_ms(after_ms)
    while due is not None and due <= until_ms:
        found.append(due)
        due = times.next_ms(due)
    assert found == expected
    assert times.last_ms(until_ms) == expected[-1] if expected else (times.last_ms(until_ms) or 0) <= after_ms
    # Looking back from any moment in between finds what looking ahead has found.
    for index, each_due in enumerate(expected[:50]):
        assert times.last_ms(each_due) == each_due
        if index:
            assert times.last_ms(each_due - 1) == expected[index - 1]
            assert times.next_ms(each_due - 1) == each_due


@given(near_a_change(), st.integers(-3 * 24 * 60, 3 * 24 * 60))
def test_local_times_map_to_ordered_moments(place: tuple[str, int], minutes: int) -> None:
    where = zone(place[0])
    at_ms = (place[1] // 60_000 + minutes) * 60_000
    wall = wall_at(at_ms, where).replace(fold=0)
    moment = moment_ms(wall, where)
    assert moment <= at_ms
    assert wall_at(moment, where).replace(fold=0) == wall


@given(st.integers(10_000, 30 * DAY), st.integers(0, 2**41), st.integers(-DAY, 400 * DAY))
def test_steps_of_time_never_drift(step_ms: int, start_ms: int, later: int) -> None:
    times = Every(step_ms, start_ms)
    due, last = times.next_ms(start_ms + later), times.last_ms(start_ms + later)
    assert due is not None
    assert due > start_ms + later
    assert (due - start_ms) % step_ms == 0
    assert last is None if later < 0 else last is not None
    assert last is None or due - last == step_ms


def test_steps_of_days_keep_the_time_of_day_when_clocks_change() -> None:
    times = Days(2, datetime.fromisoformat("2026-03-06 02:30"), NEW_YORK)
    assert following(times, at("2026-03-05 00:00"), 3) == [
        "Fri 6 Mar 2026, 02:30",
        "Sun 8 Mar 2026, 03:00",
        "Tue 10 Mar 2026, 02:30",
    ]
    assert times.last_ms(at("2026-03-10 02:29")) == at("2026-03-08 03:00")
    assert times.last_ms(at("2026-03-06 02:29")) is None


def test_what_is_due_once_is_due_once() -> None:
    times = Once(5)
    assert (times.next_ms(4), times.next_ms(5), times.last_ms(4), times.last_ms(5)) == (5, None, None, 5)


@pytest.mark.parametrize(
    "times",
    [Cron("0 9 * * *", "UTC"), Every(5, 6), Days(3, datetime.fromisoformat("2026-03-06 02:30"), NEW_YORK), Once(7)],
)
def test_times_are_written_down_and_read_again(times: Times) -> None:
    assert times_from_json(times_to_json(times)) == times


def test_a_year_of_missed_minutes_is_summed_up_without_counting_each() -> None:
    times = cron("* * * * *", NEW_YORK)
    first = at("2026-01-01 00:00")
    due = due_until(times, first, first + 365 * DAY)
    assert due is not None
    assert (due.first_ms, due.last_ms) == (first, first + 365 * DAY)
    assert due.count == MAX_COUNTED + 1


def test_the_zone_of_the_machine_is_what_its_link_names(tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    assert machine_zone(link) == "UTC"
    link.symlink_to("/usr/share/zoneinfo/Europe/Berlin")
    assert machine_zone(link) == "Europe/Berlin"
    link.unlink()
    link.write_bytes(b"TZif2")
    with pytest.raises(ConfigError, match="does not give"):
        machine_zone(link)


@pytest.mark.parametrize("name", ["Nowhere/Town", "../etc/passwd", "Europe", "", "x" * 500])
def test_a_zone_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(InvalidInput, match="no time zone"):
        zone(name)
