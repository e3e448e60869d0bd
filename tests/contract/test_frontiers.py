"""The contract of a frontier: no URL is lost, none comes twice, and a host has one worker at a time.

A frontier over another database is one more entry of `FRONTIERS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wellread.crawl.frontier import FrontierUrl, LeaseLost, UrlOutcome
from wellread.crawl.sqlite_frontier import SqliteFrontier
from wellread.crawl.traps import TrapGroup

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.crawl.frontier import Frontier, HostLease

FRONTIERS: dict[str, Callable[[], Frontier]] = {"sqlite": lambda: SqliteFrontier(None)}
DONE = UrlOutcome(state="new")
AGAIN = UrlOutcome(state=None)


@pytest.fixture(params=FRONTIERS)
def frontier(request: pytest.FixtureRequest) -> Frontier:
    return FRONTIERS[request.param]()


def url(path: str, host: str = "a.example", **fields: object) -> FrontierUrl:
    return FrontierUrl(url=f"https://{host}{path}", key=f"{host}{path}", host=host, **fields)  # type: ignore[arg-type]  # of one field each


def leased(frontier: Frontier, now: float = 0.0) -> HostLease:
    lease = frontier.lease(now, until=now + 60)
    assert lease is not None
    return lease


def order(frontier: Frontier) -> list[str]:
    """Work all URLs off, and return them in their order."""
    urls = []
    while (lease := frontier.lease(0, until=60)) is not None:
        urls.append(lease.url.url.removeprefix("https://"))
        frontier.finish(lease, DONE, next_at=0)
    return urls


def test_known_urls_are_not_added_again(frontier: Frontier) -> None:
    assert frontier.add([url("/1"), url("/2"), url("/1")]) == 2
    assert frontier.add([url("/2")]) == 0
    assert order(frontier) == ["a.example/1", "a.example/2"]


def test_urls_come_by_depth_priority_and_links(frontier: Frontier) -> None:
    frontier.add([url("/deep", depth=2), url("/b", depth=1), url("/c", depth=1), url("/a", depth=1, priority=0.9)])
    frontier.add([url("/c", depth=3)])
    assert order(frontier) == ["a.example/a", "a.example/c", "a.example/b", "a.example/deep"]


def test_hosts_take_turns(frontier: Frontier) -> None:
    frontier.add([url("/1"), url("/2"), url("/1", "b.example"), url("/2", "b.example"), url("/1", "c.example")])
    assert order(frontier) == ["a.example/1", "b.example/1", "c.example/1", "a.example/2", "b.example/2"]


def test_a_leased_host_is_leased_to_nobody_else(frontier: Frontier) -> None:
    frontier.add([url("/1"), url("/2")])
    lease = leased(frontier)
    assert frontier.lease(0, until=60) is None
    assert frontier.next_start() is None
    frontier.finish(lease, DONE, next_at=0)
    assert leased(frontier).url.url == "https://a.example/2"


def test_a_host_rests_until_its_next_start(frontier: Frontier) -> None:
    frontier.add([url("/1"), url("/2")])
    frontier.finish(leased(frontier), DONE, next_at=5)
    assert frontier.next_start() == 5
    assert frontier.lease(4.9, until=60) is None
    assert leased(frontier, 5).url.url == "https://a.example/2"


def test_a_url_that_failed_comes_again_with_its_attempts(frontier: Frontier) -> None:
    frontier.add([url("/1")])
    frontier.finish(leased(frontier), AGAIN, next_at=3, failures=1)
    lease = leased(frontier, 3)
    assert (lease.url.url, lease.url.attempts, lease.failures) == ("https://a.example/1", 1, 1)


def test_a_lease_that_ended_is_void(frontier: Frontier) -> None:
    frontier.add([url("/1")])
    lost = leased(frontier)
    lease = leased(frontier, 60)
    assert lease.url == lost.url
    with pytest.raises(LeaseLost):
        frontier.finish(lost, DONE, next_at=0)
    with pytest.raises(LeaseLost):
        frontier.prepare(lost, delay_s=1, next_at=0)
    frontier.finish(lease, DONE, next_at=0)
    assert frontier.lease(120, until=180) is None


def test_a_host_is_prepared_once(frontier: Frontier) -> None:
    frontier.add([url("/1"), url("/2")])
    lease = leased(frontier)
    assert not lease.is_prepared
    frontier.prepare(lease, delay_s=2.5, next_at=0)
    frontier.finish(lease, DONE, next_at=0)
    lease = leased(frontier)
    assert (lease.is_prepared, lease.delay_s) == (True, 2.5)


def test_a_host_rests_after_a_lease_that_ended(frontier: Frontier) -> None:
    frontier.add([url("/1")])
    frontier.prepare(leased(frontier), delay_s=90, next_at=90)
    assert frontier.lease(80, until=140) is None
    assert leased(frontier, 90).url.url == "https://a.example/1"


def test_a_trap_admits_as_many_as_its_bound(frontier: Frontier) -> None:
    trap = TrapGroup("calendar", "a.example/0", 2)
    assert frontier.add([url(f"/{day}", trap=trap) for day in range(5)]) == 2
    (count,) = frontier.traps()
    assert (count.name, count.admitted, count.refused) == ("calendar", 2, 3)


def test_counts_by_state(frontier: Frontier) -> None:
    frontier.add([url("/1"), url("/2"), url("/3"), url("/1", "b.example")])
    frontier.finish(leased(frontier), DONE, next_at=0)
    frontier.finish(leased(frontier), UrlOutcome(state="skipped", was_asked=False), next_at=0)
    leased(frontier)
    counts = frontier.counts()
    assert (counts.waiting, counts.leased, counts.asked_count, counts.hosts) == (1, 1, 1, 2)
    assert (counts.states["new"], counts.states["skipped"], counts.states["failed"]) == (1, 1, 0)


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 3), st.integers(0, 9)),
        st.tuples(st.just("lease"), st.integers(1, 3), st.integers(0, 4)),
        st.tuples(st.just("finish"), st.integers(0, 3), st.booleans()),
    ),
    max_size=60,
)


@pytest.mark.parametrize("name", FRONTIERS)
@given(steps=STEPS)
def test_no_url_is_lost_and_none_comes_twice(name: str, steps: list[tuple[str, int, int]]) -> None:
    """Whatever is added, leased, finished, failed and let go, in whatever order, each URL is done once in the end."""
    frontier, now = FRONTIERS[name](), 0.0
    added: set[str] = set()
    done: list[str] = []
    leases: list[tuple[HostLease, float]] = []

    def finish(lease: HostLease, outcome: UrlOutcome, until: float) -> None:
        is_void = any(other.host == lease.host and other is not lease for other, _ in leases) and until <= now
        try:
            frontier.finish(lease, outcome, next_at=now)
        except LeaseLost:
            assert until <= now
        else:
            assert not is_void
            done.extend([lease.url.url] if outcome.state else [])

    for step, number, more in steps:
        if step == "add":
            new_url = url(f"/{more}", f"{number}.example")
            frontier.add([new_url])
            added.add(new_url.url)
        elif step == "lease":
            now += more
            lease = frontier.lease(now, until=now + number)
            if lease is not None:
                assert all(other.host != lease.host or until <= now for other, until in leases)
                leases.append((lease, now + number))
        elif leases:
            lease, until = leases.pop(number % len(leases))
            finish(lease, DONE if more else AGAIN, until)
    now += 1_000
    while (lease := frontier.lease(now, until=now + 1)) is not None:
        finish(lease, DONE, now + 1)
    assert sorted(done) == sorted(added)
