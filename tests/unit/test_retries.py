"""When asking again may help, and how long to wait."""

from __future__ import annotations

import math
from datetime import UTC, datetime

import pytest

from wellread.net.http_dates import retry_after_s
from wellread.net.retries import TryAgain, attempts, retry_decision

NOW = datetime(2026, 1, 1, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("Thu, 01 Jan 2026 12:01:30 GMT", 90),
        ("Thursday, 01-Jan-26 12:01:30 GMT", 90),
        ("Thu Jan  1 12:01:30 2026", 90),
        ("Thu, 01 Jan 2026 13:01:30 +0100", 90),
        ("Thu, 01 Jan 2026 11:00:00 GMT", 0),
        ("9" * 5_000, 999_999_999),
        ("soon", None),
        ("-5", None),
        ("1.5", 1.5),
        ("\u0661", None),
        ("Thu, 99 Foo 2026 99:99:99 GMT", None),
        ("", None),
    ],
)
def test_retry_after_is_read_in_every_form(value: str, seconds: float | None) -> None:
    assert retry_after_s((("retry-AFTER", value),), NOW) == seconds


def test_without_the_field_there_is_no_figure() -> None:
    assert retry_after_s((), NOW) is None


def test_a_wait_that_does_not_fit_is_not_begun() -> None:
    def wait(status: int, value: str, left_s: float = 5) -> object:
        found = retry_decision(status, (("Retry-After", value),), now=NOW, left_s=left_s)
        return found and found.wait_s

    assert wait(503, "4") == 4
    assert wait(429, "5") is None
    assert wait(429, "999", math.inf) == 999
    assert wait(404, "1") is None
    assert retry_decision(404, (), now=NOW, left_s=5) is None
    patient = retry_decision(500, (), now=NOW, left_s=5)
    assert patient is not None
    assert patient.wait_s is None


def test_a_date_beyond_all_calendars_asks_for_nothing() -> None:
    headers = (("Retry-After", "Mon, 01 Jan 99999999999 00:00:00 GMT"),)
    assert retry_after_s(headers, datetime(2026, 1, 1, tzinfo=UTC)) is None


async def test_a_retry_is_told_to_nobody_since_its_error_names_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    tries = 0
    async for attempt in attempts(2, "GET"):
        with attempt:
            tries += 1
            if tries == 1:
                raise TryAgain(0.0)
    assert tries == 2
    assert capsys.readouterr() == ("", "")
