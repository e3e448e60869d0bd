"""The contract of a frontier: no URL is lost, none comes twice, and a host has one worker at a time.

A frontier over another database is one more name in `FRONTIERS`, and one more case of `opened`.
"""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.crawl.frontier import FrontierUrl, LeasedUrl, LeaseLost, UrlOutcome
from wellread.crawl.postgres_frontier import PostgresFrontier
from wellread.crawl.sqlite_frontier import SqliteFrontier
from wellread.crawl.traps import TrapGroup
from wellread.crawl.url_targets import UrlTarget, UrlTargets
from wellread.errors import ConfigError, UnavailableError
from wellread.rank.near_duplicate import text_signature
from wellread.testing import FakeClock
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Iterator

    from postgres import Postgres
    from wellread.crawl.frontier import CrawlStore, Frontier, HostLease
    from wellread.crawl.url_targets import TargetReason

FRONTIERS = ("sqlite", "postgresql")
DONE = UrlOutcome(state="new")
AGAIN = UrlOutcome(state=None)


@pytest.fixture(scope="module")
def database(postgres_server: Postgres) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


@contextmanager
def opened(name: str, request: pytest.FixtureRequest) -> Iterator[CrawlStore]:
    """Open an empty frontier of a kind."""
    store: CrawlStore = SqliteFrontier(None, FakeClock())
    if name == "postgresql":
        store = worker(new_schema(request.getfixturevalue("database")))
    yield store
    store.close()


def new_schema(url: str) -> Address:
    return Address(f"{url}?schema=s{uuid4().hex}")


def worker(url: Address, name: str = "one") -> PostgresFrontier:
    return PostgresFrontier(url, worker=name, lease_s=60)


@pytest.fixture(params=FRONTIERS)
def frontier(request: pytest.FixtureRequest) -> Iterator[CrawlStore]:
    with opened(request.param, request) as store:
        yield store


@pytest.fixture
def workers(database: str) -> Iterator[list[PostgresFrontier]]:
    """Open a frontier for three workers."""
    url = new_schema(database)
    workers = [worker(url, name) for name in ("one", "two", "three")]
    yield workers
    for opened_worker in workers:
        opened_worker.close()


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


def test_deep_urls_wait_for_a_larger_depth(frontier: Frontier) -> None:
    frontier.add([url("/1")])
    trap = TrapGroup("calendar", "a.example/", 1)
    frontier.add_deep([url("/1", depth=3), url("/4", depth=4), url("/3", depth=3, trap=trap), url("/4", depth=3)])
    frontier.add_deep([url("/5", depth=5), url("/4", depth=6)])
    assert (frontier.deep_count(), order(frontier)) == (3, ["a.example/1"])
    frontier.add_up_to_depth(3)
    assert (frontier.deep_count(), sorted(order(frontier))) == (1, ["a.example/3", "a.example/4"])
    frontier.add([url("/5", depth=1)])
    assert frontier.deep_count() == 0


def test_known_states_of_urls(frontier: CrawlStore) -> None:
    frontier.add([url("/1"), url("/2"), url("/%")])
    frontier.finish(leased(frontier), UrlOutcome(state="duplicate"), next_at=0)
    leased(frontier)
    with_nul = FrontierUrl(url="https://a.example/%00", key="a.example/\0", host="a.example")
    frontier.add([with_nul])
    keys = [f"a.example{path}" for path in ("/1", "/2", "/%", "/\0", "/unknown")]
    assert frontier.known_states(keys) == {keys[0]: "duplicate", **dict.fromkeys(keys[1:4])}
    frontier.end_leases()
    frontier.start_round(1)
    assert frontier.known_states(keys[:1]) == {keys[0]: None}


@pytest.mark.parametrize("reason", ["canonical", "redirect"])
def test_a_long_loop_of_targets_is_lost_once(frontier: CrawlStore, reason: TargetReason) -> None:
    pages = [url(f"/{number}") for number in range(60)]
    frontier.add(pages)
    targets = UrlTargets(frontier)
    for page, other in zip(pages, [*pages[1:], pages[0]], strict=True):
        lease = leased(frontier)
        targets.store(UrlTarget(lease.url.id, page.key, other.key, reason))
        frontier.finish(lease, UrlOutcome(state="duplicate"), next_at=0)
    lost = targets.lost()
    assert {target.url_key for target in lost} == {page.key for page in pages}
    for target in lost:
        targets.store(replace(target, is_second=True))
    assert targets.lost() == []


def test_a_worker_of_an_ended_round_drops_no_target(workers: list[PostgresFrontier]) -> None:
    late, early, _ = workers
    early.add([url("/1"), url("/2")])
    early.start_round(1)
    target = UrlTarget(1, url("/1").key, url("/2").key, "canonical")
    UrlTargets(early).store(target)
    assert UrlTargets(late).lost() == []
    assert UrlTargets(early).find(url("/1").key) == target


def test_lines_of_some_urls(frontier: CrawlStore) -> None:
    frontier.add([url("/1"), url("/2"), url("/3")])
    leases = []
    for start in (0, 10):
        leases.append(leased(frontier))
        frontier.finish(leases[-1], UrlOutcome(state="duplicate", line=(start, start + 10)), next_at=0)
    waiting = leased(frontier)
    ids = [lease.url.id for lease in (*leases[1:], waiting)]
    assert [(line.url_id, line.start, line.end) for line in frontier.lines(ids)] == [(ids[0], 10, 20)]


def test_facts_by_the_beginning_of_their_names(frontier: CrawlStore) -> None:
    for name in ("target of b", "target of a", "target_of c", "totals"):
        frontier.set_fact(name, name[-1])
    assert frontier.facts("target of ") == {"target of a": "a", "target of b": "b"}


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
    assert leased(frontier, 150).url.url == "https://a.example/1"


def test_a_renewed_lease_goes_on(frontier: Frontier) -> None:
    frontier.add([url("/1")])
    lease = leased(frontier)
    frontier.renew([lease], until=100)
    assert frontier.lease(99, until=200) is None
    frontier.finish(lease, DONE, next_at=0)


def test_no_more_urls_are_leased_than_the_limit(frontier: Frontier) -> None:
    frontier.add([url("/1"), url("/2"), url("/1", "b.example")])
    first = frontier.lease(0, until=60, limit=2)
    second = frontier.lease(0, until=60, limit=2)
    assert first is not None
    assert second is not None
    frontier.finish(first, DONE, next_at=0)
    assert frontier.lease(0, until=60, limit=2) is None
    frontier.finish(second, UrlOutcome(state="skipped", was_asked=False), next_at=0)
    assert frontier.asked_count() == 1
    assert frontier.lease(0, until=60, limit=2) is not None


def test_a_frontier_is_done_when_nothing_can_come(frontier: Frontier) -> None:
    assert frontier.is_done()
    frontier.add([url("/1")])
    assert not frontier.is_done()
    lease = leased(frontier)
    assert not frontier.is_done()
    frontier.finish(lease, DONE, next_at=9)
    assert frontier.is_done()


def test_a_round_asks_for_all_urls_again(frontier: CrawlStore) -> None:
    frontier.add([url("/1"), url("/2")])
    outcome = UrlOutcome(state="new", etag='"1"', snapshot_id="sha256:1", line=(0, 10))
    frontier.finish(leased(frontier), outcome, next_at=0)
    assert frontier.written_bytes() == 10
    frontier.start_round(1)
    assert (frontier.written_bytes(), frontier.counts().waiting, frontier.asked_count()) == (0, 2, 0)
    lease = leased(frontier)
    assert (lease.url.state, lease.url.etag, lease.url.line) == ("new", '"1"', (0, 10))
    frontier.finish(lease, outcome, next_at=0)
    frontier.start_round(2)  # /2 has no line in the file of round 1
    leases = [leased(frontier)]
    frontier.finish(leases[0], outcome, next_at=0)
    leases.append(leased(frontier))
    assert [lease.url.line for lease in leases] == [(0, 10), None]


def test_lines_that_were_lost_are_written_again(frontier: CrawlStore) -> None:
    frontier.add([url("/1"), url("/2")])
    for line in ((0, 10), (10, 25)):
        outcome = UrlOutcome(state="new", etag='"1"', last_modified="now", snapshot_id="sha256:1", line=line)
        frontier.finish(leased(frontier), outcome, next_at=0)
    frontier.forget_lines_after(20)
    counts = frontier.counts()
    assert (frontier.written_bytes(), counts.waiting, counts.asked_count, counts.states["new"]) == (10, 1, 1, 1)
    lost_url = leased(frontier).url
    assert lost_url == LeasedUrl(id=lost_url.id, url="https://a.example/2", depth=0, parent=None, attempts=0)


def test_failed_urls_are_asked_again(frontier: CrawlStore) -> None:
    frontier.add([url("/1"), url("/2"), url("/1", "b.example")])
    first = leased(frontier)
    frontier.prepare(first, delay_s=0, next_at=0)
    frontier.finish(first, UrlOutcome(state="failed", line=(0, 10)), next_at=0)
    other = leased(frontier)
    frontier.prepare(other, delay_s=0, next_at=0)
    frontier.finish(other, UrlOutcome(state="new", snapshot_id="sha256:1", line=(10, 30)), next_at=0)
    second = leased(frontier)
    frontier.finish(second, UrlOutcome(state="failed", line=(30, 40)), next_at=0)
    failed = sorted(frontier.failed_lines(), key=lambda line: line.start)
    assert [(line.url_id, line.start, line.end) for line in failed] == [(first.url.id, 0, 10), (second.url.id, 30, 40)]
    frontier.ask_again([first.url.id, second.url.id])
    counts = frontier.counts()
    assert (counts.waiting, counts.asked_count, counts.states["failed"], counts.states["new"]) == (2, 1, 0, 1)
    assert frontier.written_bytes() == 30
    again = leased(frontier)
    assert (again.url.url, again.url.attempts, again.is_prepared) == (first.url.url, 0, False)


def test_a_text_belongs_to_its_first_url(frontier: CrawlStore) -> None:
    words = [f"word{number}" for number in range(200)]
    signature, near = text_signature(" ".join(words)), text_signature(" ".join([*words, "more"]))
    assert frontier.claim_text("a", "1", signature) == "a"
    assert frontier.claim_text("a", "1", signature) == "a"
    assert frontier.claim_text("b", "1", signature) == "a"
    assert frontier.claim_text("c", "2", near) == "a"
    assert frontier.claim_text("d", "3", b"") == "d"
    frontier.release_text("a")
    frontier.release_text("unknown")
    assert frontier.claim_text("c", "2", near) == "c"
    assert frontier.claim_text("b", "1", signature) == "c"


def test_a_url_has_its_last_text_alone(frontier: CrawlStore) -> None:
    texts = [" ".join(f"{word}{number}" for number in range(300)) for word in ("tide", "lamp")]
    signatures = [text_signature(text) for text in texts]
    for number, signature in enumerate(signatures):
        assert frontier.claim_text("a", str(number), signature) == "a"
    assert frontier.claim_text("b", "0", signatures[0]) == "b"
    assert frontier.claim_text("c", "1", signatures[1]) == "a"


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


def test_a_fact_is_swapped_only_for_the_earlier_one(frontier: CrawlStore) -> None:
    assert frontier.swap_fact("scope", None, "1")
    assert not frontier.swap_fact("scope", None, "2")
    assert not frontier.swap_fact("scope", "0", "2")
    assert frontier.swap_fact("scope", "1", "3")
    assert frontier.fact("scope") == "3"


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("add"), st.integers(0, 3), st.integers(0, 9)),
        st.tuples(st.just("lease"), st.integers(1, 3), st.integers(0, 4)),
        st.tuples(st.just("finish"), st.integers(0, 3), st.booleans()),
    ),
    max_size=60,
)


@given(steps=STEPS)
def test_no_url_is_lost_and_none_comes_twice(steps: list[tuple[str, int, int]]) -> None:
    check_steps(SqliteFrontier(None, FakeClock()), steps)


@given(steps=STEPS)
@settings(max_examples=15)
def test_workers_lose_no_url(database: str, steps: list[tuple[str, int, int]]) -> None:
    frontier = worker(new_schema(database))
    try:
        check_steps(frontier, steps)
    finally:
        frontier.close()


def check_steps(frontier: Frontier, steps: list[tuple[str, int, int]]) -> None:
    """Whatever is added, leased, finished, failed and let go, in whatever order, each URL is done once in the end."""
    now = 0.0
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


# ------------------------------------------------------------------------------------------- several workers


def test_workers_in_a_race_do_each_url_once(workers: list[PostgresFrontier]) -> None:
    hosts = [f"{number}.example" for number in range(6)]
    workers[0].add([url("/0", host) for host in hosts])
    done: list[str] = []
    errors: list[Exception] = []

    def work(frontier: PostgresFrontier) -> None:
        try:
            while not frontier.is_done():
                now = frontier.now()
                lease = frontier.lease(now, until=now + 60)
                if lease is None:
                    continue
                if lease.url.depth < 8:  # each page links to the next page of all hosts: the same keys in a race
                    depth = lease.url.depth + 1
                    frontier.add([url(f"/{depth}", host, depth=depth) for host in hosts])
                done.append(lease.url.url)
                frontier.finish(lease, DONE, next_at=0)
        except Exception as error:  # noqa: BLE001 - shown by the test
            errors.append(error)

    threads = [threading.Thread(target=work, args=(frontier,)) for frontier in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not errors
    assert sorted(done) == sorted(f"https://{host}/{depth}" for host in hosts for depth in range(9))
    assert workers[0].counts().states["new"] == len(done)


def test_workers_share_the_limit(workers: list[PostgresFrontier]) -> None:
    workers[0].add([url("/", f"{number}.example") for number in range(8)])
    leases = [frontier.lease(0, until=60, limit=5) for _ in range(3) for frontier in workers]
    assert len([lease for lease in leases if lease is not None]) == 5


def test_only_the_worker_with_the_line_sends_validators(workers: list[PostgresFrontier]) -> None:
    first, other, _ = workers
    first.add([url("/1")])
    outcome = UrlOutcome(state="new", etag='"1"', snapshot_id="sha256:1", line=(0, 10))
    first.finish(leased(first), outcome, next_at=0)
    first.start_round(1)
    assert other.lease(0, until=60) is None, "it works for the last round"
    assert other.is_done()
    other.start_round(1)  # and now joins the one that has begun
    lease = leased(other)
    assert (lease.url.state, lease.url.etag, lease.url.line) == ("new", None, None)


def test_a_round_that_is_started_twice_goes_on(workers: list[PostgresFrontier]) -> None:
    first, other, late = workers
    first.add([url("/1"), url("/2")])
    for frontier in (first, other, first):  # the last one repeats a call whose answer was lost
        frontier.start_round(1)
        lease = frontier.lease(0, until=60)
        if lease is not None:
            frontier.finish(lease, DONE, next_at=0)
    assert first.counts().states["new"] == 2
    first.start_round(2)
    late.start_round(1)
    assert (late.round_number(), late.counts().waiting) == (2, 2)


def test_a_dead_worker_gives_its_hosts_back(workers: list[PostgresFrontier]) -> None:
    first, other, _ = workers
    first.add([url("/1")])
    lease = leased(first)
    first.prepare(lease, delay_s=5, next_at=0)
    assert other.lease(59, until=120) is None
    assert other.lease(64, until=120) is None, "the host rests for its delay after the lease"
    assert leased(other, 65).url.url == lease.url.url
    with pytest.raises(LeaseLost):
        first.finish(lease, DONE, next_at=0)


def test_an_address_never_shows_its_password() -> None:
    with pytest.raises(ConfigError) as refused:
        worker(Address("postgresql://user:hunter2@127.0.0.1/name?sslmod=require"))
    with pytest.raises(UnavailableError) as unreachable:
        worker(Address("postgresql://user:hunter2@127.0.0.1:1/name"))
    for error in (refused.value, unreachable.value):
        assert "hunter2" not in repr((error.fields(), error.__cause__))
