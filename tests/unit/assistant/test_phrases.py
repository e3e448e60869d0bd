"""When, in plain English: what is understood, what is refused with a hint, and nothing in between."""

from __future__ import annotations

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.assistant.schedule.phrases import parse_times, times_text
from wellread.assistant.schedule.time_words import EXAMPLES
from wellread.assistant.schedule.times import Cron, Days, Every, Once
from wellread.assistant.schedule.zones import moment_ms, wall_at, zone
from wellread.errors import InvalidInput

BERLIN = "Europe/Berlin"


def wall(text: str) -> datetime:
    """What a clock shows, whatever its zone."""
    return datetime.fromisoformat(text)


NOW = moment_ms(wall("2026-11-21 16:30"), zone(BERLIN))  # a Saturday
MINUTE = 60_000


@pytest.mark.parametrize(
    ("phrase", "expression"),
    [
        ("every weekday at 9", "0 9 * * 1-5"),
        ("weekdays at 9:15", "15 9 * * 1-5"),
        ("every day at 9 and 17", "0 9,17 * * *"),
        ("daily at 9am", "0 9 * * *"),
        ("at 7 every day", "0 7 * * *"),
        ("every day at noon", "0 12 * * *"),
        ("every morning at 8", "0 8 * * *"),
        ("every evening at 7", "0 19 * * *"),
        ("every night at 2", "0 2 * * *"),
        ("every night at 11", "0 23 * * *"),
        ("every day at 12am", "0 0 * * *"),
        ("every day at 12:30 p.m.", "30 12 * * *"),
        ("every Sunday at 10", "0 10 * * 0"),
        ("every Monday, Wednesday and Friday at 7:15", "15 7 * * 1,3,5"),
        ("Tuesdays and Thursdays at 18:00", "0 18 * * 2,4"),
        ("every Sat at 10", "0 10 * * 6"),
        ("every weekend at 10:30", "30 10 * * 0,6"),
        ("weekly on Monday at 9", "0 9 * * 1"),
        ("every first Monday of the month at 10", "0 10 * * 1#1"),
        ("every 2nd Tuesday of the month at 9", "0 9 * * 2#2"),
        ("on the last Friday of every month at 16:00", "0 16 * * 5L"),
        ("the last day of the month at noon", "0 12 L * *"),
        ("every last weekday of the month at 17", "0 17 LW * *"),
        ("on the 1st and 15th of every month at 9", "0 9 1,15 * *"),
        ("every month on the 3rd at 8", "0 8 3 * *"),
        ("every year on 3 May at 9", "0 9 3 5 *"),
        ("every December 24th at 18:00", "0 18 24 12 *"),
        ("0 9 * * 1-5", "0 9 * * 1-5"),
        ("cron: */5 9-17 * jan-mar mon,fri", "*/5 9-17 * jan-mar mon,fri"),
        ("0 9 * * 7", "0 9 * * 7"),
        ("@daily", "0 0 * * *"),
    ],
)
def test_what_comes_again_by_the_clock_is_a_cron_expression(phrase: str, expression: str) -> None:
    assert parse_times(phrase, BERLIN, NOW) == Cron(expression, BERLIN)


@pytest.mark.parametrize(
    ("phrase", "shows"),
    [
        ("in two minutes", wall("2026-11-21 16:32")),
        ("in an hour and 30 minutes", wall("2026-11-21 18:00")),
        ("in half an hour", wall("2026-11-21 17:00")),
        ("in a week", wall("2026-11-28 16:30")),
        ("at 17:30", wall("2026-11-21 17:30")),
        ("at 9", wall("2026-11-22 09:00")),
        ("at midnight", wall("2026-11-22 00:00")),
        ("tonight at 9", wall("2026-11-21 21:00")),
        ("tomorrow at 8:30", wall("2026-11-22 08:30")),
        ("tomorrow 8:30", wall("2026-11-22 08:30")),
        ("tomorrow morning at 8", wall("2026-11-22 08:00")),
        ("tomorrow afternoon at 3", wall("2026-11-22 15:00")),
        ("the day after tomorrow at 9", wall("2026-11-23 09:00")),
        ("on Friday at 9", wall("2026-11-27 09:00")),
        ("next Saturday at 17", wall("2026-11-21 17:00")),
        ("Saturday at 9", wall("2026-11-28 09:00")),
        ("on 3 May 2027 at 14:00", wall("2027-05-03 14:00")),
        ("May 3rd, 2027 at 2pm", wall("2027-05-03 14:00")),
        ("on the 3rd of May at 14:00", wall("2027-05-03 14:00")),
        ("on 29 February at 9", wall("2028-02-29 09:00")),
        ("2027-05-03 14:00", wall("2027-05-03 14:00")),
        ("2027-05-03 at 9:05", wall("2027-05-03 09:05")),
        ("2027-05-03T14:00:00+02:00", wall("2027-05-03 14:00")),
        ("2027-05-03T12:00Z", wall("2027-05-03 14:00")),
        ("on 3 May 2027 at 21:00 Asia/Tokyo", wall("2027-05-03 14:00")),
        ("2027-05-03 12:00 UTC", wall("2027-05-03 14:00")),
    ],
)
def test_what_comes_once_is_a_moment(phrase: str, shows: datetime) -> None:
    times = parse_times(phrase, BERLIN, NOW)
    assert isinstance(times, Once)
    assert wall_at(times.at_ms, zone(BERLIN)) == shows


@pytest.mark.parametrize(
    ("phrase", "minutes"),
    [("every minute", 1), ("every 15 minutes", 15), ("every half hour", 30), ("hourly", 60), ("every 2 hours", 120)],
)
def test_steps_of_time_count_from_now(phrase: str, minutes: int) -> None:
    assert parse_times(phrase, BERLIN, NOW) == Every(minutes * MINUTE, NOW + minutes * MINUTE)


@pytest.mark.parametrize(
    ("phrase", "days", "first"),
    [
        ("every 3 days at 9", 3, wall("2026-11-22 09:00")),
        ("every other Friday at 17:00", 14, wall("2026-11-27 17:00")),
        ("every 2 weeks on Monday at 10", 14, wall("2026-11-23 10:00")),
        ("every second day at 18", 2, wall("2026-11-21 18:00")),
    ],
)
def test_steps_of_days_count_from_the_next_such_day(phrase: str, days: int, first: datetime) -> None:
    assert parse_times(phrase, BERLIN, NOW) == Days(days, first, BERLIN)


def test_a_phrase_may_name_its_own_zone() -> None:
    assert parse_times("every weekday at 9 in America/New_York", BERLIN, NOW) == Cron("0 9 * * 1-5", "America/New_York")
    assert parse_times("every weekday at 9 america/new_york time", BERLIN, NOW) == Cron(
        "0 9 * * 1-5", "America/New_York"
    )


@pytest.mark.parametrize(
    ("phrase", "says", "hints"),
    [
        ("", "the time is empty", "every weekday at 9"),
        ("every blue moon", "cannot understand the time", "every weekday at 9"),
        ("every weekday at 9 sharp", "cannot understand the time", "every weekday at 9"),
        ("every day", "has no time of day", "every day at 9:00"),
        ("on Friday", "has no time of day", "friday at 9:00"),
        ("every month at 9", "has no day", "every month on the 1st"),
        ("every week at 9", "day of the week is missing", "every Monday"),
        ("every day at 9:00 and 17:30", "different minutes", "one schedule for each"),
        ("every 5 seconds", "out of bounds", "at least 10 seconds"),
        ("every 0 days at 9", "out of bounds", "one day to ten years"),
        ("every 3 hours at 9", "no time of day", "every day at 9"),
        ("at 13pm", "not a time of day", "1 to 12"),
        ("every day at 24", "24:00 is ambiguous", "midnight"),
        ("on 30 February at 9", "no such day", "every weekday at 9"),
        ("on 31 April 2027 at 9", "no such day", "every weekday at 9"),
        ("2027-13-01 10:00", "no such day or time", "every weekday at 9"),
        ("on the 32nd of every month at 9", "no month has this day", "1 to 31"),
        ("today at 9", "has passed", "in the future"),
        ("on 3 May 2020 at 14:00", "has passed", "in the future"),
        ("every weekday at 9 Mars/Olympus", "no time zone 'Mars/Olympus'", "Europe/Berlin"),
        ("61 9 * * *", "not a cron expression", "minute hour day month weekday"),
        ("0 9 * * 8", "not a cron expression", "0 and 7 are Sunday"),
        ("0 0 30 2 *", "not a cron expression", "minute hour day month weekday"),
        ("@reboot", "not a cron expression", "minute hour day month weekday"),
        ("in 99999999999 weeks", "beyond the year 9999", "every weekday at 9"),
        ("x" * 201, "too long", "every weekday at 9"),
    ],
)
def test_what_is_not_understood_is_refused_with_a_hint(phrase: str, says: str, hints: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_times(phrase, BERLIN, NOW)
    assert says in caught.value.message
    assert hints in caught.value.hint


def test_every_example_of_the_hint_is_understood() -> None:
    listed = EXAMPLES.removeprefix("use a time such as: ").replace("or as cron: ", "").split(", ")
    assert len(listed) > 5
    for phrase in listed:
        assert times_text(parse_times(phrase, BERLIN, NOW))


WORDS = st.sampled_from(
    ["every", "at", "on", "in", "the", "first", "second", "last", "day", "days", "weekday", "week", "month", "year",
     "hour", "minutes", "1", "2", "15", "31st", "3rd", "9", "9:30", "25:99", "am", "pm", "noon", "midnight", "monday",
     "fridays", "may", "december", "2027", "and", ",", "other", "of", "tomorrow", "today", "next", "UTC",
     "Europe/Berlin", "*", "*/5", "1-5", "0", "1#1", "5L", "L", "LW", "@daily", "9" * 30, "-1", "\u0663"]
)  # fmt: skip


@given(st.one_of(st.lists(WORDS, max_size=9).map(" ".join), st.text(max_size=40)))
def test_any_words_are_understood_whole_or_refused(phrase: str) -> None:
    try:
        times = parse_times(phrase, BERLIN, NOW)
    except InvalidInput as error:
        assert error.hint  # noqa: PT017 - most phrases are refused; those that are not have an assertion of their own
        return
    due = times.next_ms(NOW)
    assert due is None or due > NOW
    assert times_text(times)
