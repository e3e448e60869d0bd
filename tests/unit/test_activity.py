"""When a rendered page counts as ready."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.browser.render.activity import BUSY_S, THIN_QUIET, PageActivity, PageSample
from wellread.errors import InvalidInput
from wellread.wait_condition import WaitCondition, parse_wait

QUIET = 0.2
FULL = PageSample(chars=2000, useful=1500, nodes=100)


def activity() -> PageActivity:
    return PageActivity(quiet_s=QUIET, began=0.0)


def test_a_page_is_ready_when_nothing_has_happened_for_the_quiet() -> None:
    page = activity()
    page.looked(FULL, 1.0)
    assert not page.is_ready(1.05)
    assert page.is_ready(1.0 + QUIET)


def test_page_is_not_ready_during_a_relevant_request() -> None:
    page = activity()
    page.looked(FULL, 0.1)
    page.request(1, "fetch", "https://a.example/data", 0.2)
    assert not page.is_ready(1.2)
    page.ended(1, 1.3)
    assert not page.is_ready(1.35)
    assert page.is_ready(1.6)


@pytest.mark.parametrize(
    ("kind", "url"),
    [
        ("image", "https://a.example/p.png"),
        ("websocket", "wss://a.example/"),
        ("fetch", "https://a.example/analytics/event"),
        ("xhr", "https://a.example/collect?v=1"),
        ("ping", "https://a.example/"),
    ],
)
def test_what_only_reports_or_decorates_is_not_waited_for(kind: str, url: str) -> None:
    page = activity()
    page.looked(FULL, 0.1)
    page.request(1, kind, url, 0.2)
    assert page.is_ready(1.0)


def test_an_address_that_is_asked_again_and_again_is_polled() -> None:
    page = activity()
    page.looked(FULL, 0.1)
    for turn in range(10):
        page.request(turn, "fetch", f"https://a.example/poll?n={turn}", 1 + turn / 10)
        page.ended(turn, 1.05 + turn / 10) if turn < 9 else None
    assert page.is_ready(2.0)


def test_an_answer_that_never_comes_is_given_up_once_there_is_text() -> None:
    page = activity()
    page.request(1, "fetch", "https://a.example/wait", 0.0)
    page.looked(PageSample(chars=10, useful=0, nodes=5), 0.1)
    assert not page.is_ready(3.0)
    page.looked(FULL, 3.1)
    assert page.is_ready(3.1 + QUIET)


def test_a_page_with_little_text_is_given_more_time() -> None:
    page = activity()
    page.looked(PageSample(chars=300, useful=20, nodes=10), 0.0)
    assert not page.is_ready(QUIET * THIN_QUIET - 0.05)
    assert page.is_ready(QUIET * THIN_QUIET + 0.05)


def test_a_page_that_says_nothing_yet_is_not_ready() -> None:
    page = activity()
    page.looked(PageSample(chars=10, useful=10, nodes=10, waits=True), 0.1)
    assert not page.is_ready(60.0)
    page.looked(FULL, 60.0)
    assert page.is_ready(60.0 + QUIET)


def test_a_page_that_says_it_is_busy_is_believed_for_a_while() -> None:
    page = activity()
    page.looked(PageSample(chars=900, useful=900, nodes=10, busy=True), 0.1)
    assert not page.is_ready(BUSY_S - 0.1)
    assert page.is_ready(BUSY_S + 0.1)


def test_a_clock_that_ticks_is_no_growth() -> None:
    page = activity()
    for tick in range(20):
        page.looked(PageSample(chars=2000 + tick % 2, useful=1500, nodes=100 + tick % 2), tick / 20)
    assert page.is_ready(1.0)


@given(
    st.lists(
        st.tuples(st.sampled_from(["request", "ended", "looked", "stirred"]), st.integers(0, 5), st.floats(0, 0.3)),
        max_size=40,
    )
)
def test_whatever_happened_a_silent_page_becomes_ready_in_the_end(events: list[tuple[str, int, float]]) -> None:
    page, now = activity(), 0.0
    for what, key, later in events:
        now += later
        if what == "request":
            page.request(key, "fetch", f"https://a.example/{key}", now)
        elif what == "ended":
            page.ended(key, now)
        elif what == "stirred":
            page.stirred(now)
        else:
            page.looked(FULL, now)
    page.looked(FULL, now)
    assert page.is_ready(now + 10)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("adaptive", WaitCondition()),
        ("load", WaitCondition(kind="load")),
        ("networkidle", WaitCondition(kind="networkidle", idle_ms=500)),
        ("networkidle:250", WaitCondition(kind="networkidle", idle_ms=250)),
        ("selector:main > h1", WaitCondition(kind="selector", selector="main > h1")),
    ],
)
def test_a_way_of_waiting_is_read_from_the_settings(text: str, meant: WaitCondition) -> None:
    assert parse_wait(text) == meant


@pytest.mark.parametrize("text", ["", "forever", "networkidle:", "selector:", "load:3"])
def test_what_is_no_way_of_waiting_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="not a valid wait"):
        parse_wait(text)
