"""The cache of snapshots: it gives back what it was given, for as long as it may, within its limit."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from effort import TRIES, spent
from unit.caches import HOUR_S, Opener, noise, snapshot
from wellread.store.cache import SnapshotCache, cache_key
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from pathlib import Path


# ------------------------------------------------------------------------------------------ what is kept


def test_what_was_put_is_found_by_key_and_by_id_with_its_validators(opened: Opener) -> None:
    cache = opened()
    cache.put("k", snapshot("a"), etag='"1"', last_modified="Thu, 01 Jan 2026 00:00:00 GMT")
    found = cache.get("k")
    assert found == (snapshot("a"), True, '"1"', "Thu, 01 Jan 2026 00:00:00 GMT")
    assert cache.by_id(snapshot("a").id) == snapshot("a")
    assert cache.get("other") is None
    assert cache.by_id("sha256:other") is None
    assert cache.last_problem is None


def test_replaced_snapshot_is_still_found_by_its_id(opened: Opener) -> None:
    cache = opened()
    cache.put("k", snapshot("a"), etag="old")
    cache.put("k", snapshot("b"))
    found = cache.get("k")
    assert found is not None
    assert (found.snapshot, found.etag) == (snapshot("b"), None)
    assert cache.by_id(snapshot("a").id) == snapshot("a")


def test_two_pages_with_the_same_text(opened: Opener) -> None:
    cache = opened()
    text = noise(1, 20_000)
    one = snapshot("a", text)
    other = replace(one, url="https://mirror.example/", final_url="https://mirror.example/")
    cache.put("one", one)
    alone = cache.stats().bytes
    cache.put("other", other)
    assert [found and found.snapshot for found in (cache.get("one"), cache.get("other"))] == [one, other]
    assert cache.stats().snapshots == 1
    assert cache.stats().bytes < alone * 1.1


def test_keys_are_sha256_and_tell_circumstances_apart() -> None:
    given_keys = [
        cache_key("https://a.example/", "balanced", 1, 1),
        cache_key("https://a.example/", "recall", 1, 1),
        cache_key("https://a.example/", "balanced", 2, 1),
        cache_key("https://a.example/", "balanced", 1, 2),
        cache_key("https://a.example/", "balanced", 11),
        cache_key("https://a.example/b\ud83d", "balanced", 1, 1),
    ]
    assert len(set(given_keys)) == len(given_keys)
    assert all(len(key) == 64 and int(key, 16) for key in given_keys)
    assert given_keys[0] == cache_key("https://a.example/", "balanced", 1, 1)


def test_a_cache_without_a_folder_lives_in_memory(opened: Opener, tmp_path: Path) -> None:
    cache = opened(None)
    cache.put("k", snapshot("a"))
    assert cache.get("k") is not None
    assert list(tmp_path.iterdir()) == []


def test_reopened_cache_and_its_file_permissions(opened: Opener, tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "down"
    first = opened(folder)
    first.put("k", snapshot("a"))
    first.close()
    assert opened(folder).get("k") is not None
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "cache.db").stat().st_mode) == 0o600


# ------------------------------------------------------------------------------------------------ time


@settings(max_examples=100, deadline=None)
@given(st.floats(0, HOUR_S, exclude_max=True), st.floats(0, HOUR_S, exclude_max=True), st.text(max_size=20))
def test_page_is_fresh_for_an_hour(first: float, second: float, url: str) -> None:
    """Property 14 of seed 001: a page is fresh for 60 minutes."""
    clock = FakeClock()
    cache = SnapshotCache(None, clock=clock, ttl_s=HOUR_S, max_bytes=10**7)
    key = cache_key(url, "balanced")
    cache.put(key, snapshot("a"))
    clock.advance(min(first, HOUR_S - 0.001))
    kept = cache.get(key)
    assert kept is not None
    assert kept.fresh
    cache.renew(key)
    clock.advance(min(second, HOUR_S - 0.001))
    kept = cache.get(key)
    assert kept is not None
    assert kept.fresh
    cache.close()


@settings(max_examples=100, deadline=None)
@given(st.floats(HOUR_S, 10**8))
def test_page_is_stale_after_an_hour(later: float) -> None:
    """Property 14 of seed 001: a page is fresh for no more than 60 minutes."""
    clock = FakeClock()
    cache = SnapshotCache(None, clock=clock, ttl_s=HOUR_S, max_bytes=10**7)
    cache.put("k", snapshot("a"), etag='"1"')
    clock.advance(later)
    assert cache.get("k") == (snapshot("a"), False, '"1"', None)
    assert cache.by_id(snapshot("a").id) == snapshot("a")
    cache.renew("k")
    assert cache.get("k") == (snapshot("a"), True, '"1"', None)
    cache.close()


def test_an_entry_from_the_future_is_not_fresh_forever(opened: Opener, clock: FakeClock) -> None:
    cache = opened()
    clock.advance(10 * HOUR_S)
    cache.put("k", snapshot("a"))
    clock.advance(-10 * HOUR_S)
    kept = cache.get("k")
    assert kept is not None
    assert not kept.fresh


def test_renewing_what_is_not_there_does_nothing(opened: Opener) -> None:
    cache = opened()
    cache.renew("k")
    assert cache.get("k") is None
    assert cache.last_problem is None


# ----------------------------------------------------------------------------------------------- space


def filled(cache: SnapshotCache, count: int, size: int = 500) -> None:
    for number in range(count):
        cache.put(f"k{number}", snapshot(f"s{number}", noise(number, size)))


def held(cache: SnapshotCache, count: int) -> list[int]:
    return [number for number in range(count) if cache.by_id(snapshot(f"s{number}").id) is not None]


def test_least_recently_used_with_a_stopped_clock(opened: Opener) -> None:
    cache = opened(max_bytes=14_000)
    filled(cache, 5)
    assert cache.stats().snapshots == 5
    cache.get("k0")
    cache.by_id(snapshot("s1").id)
    cache.put("k5", snapshot("s5", noise(5, 500)))
    cache.put("k6", snapshot("s6", noise(6, 500)))
    assert cache.get("k2") is None
    assert cache.get("k3") is None
    assert held(cache, 7) == [0, 1, 4, 5, 6]


def test_cost_of_a_put_into_a_full_cache(opened: Opener) -> None:
    def put_cost_s(count: int) -> float:
        cache = opened(None)
        filled(cache, 1)
        full_cache = opened(None, max_bytes=count * cache.stats().bytes)
        filled(full_cache, count)
        snapshots = [(f"k{number}", snapshot(f"s{number}", noise(number, 500))) for number in range(count, count + 200)]

        def put_all() -> None:
            for numbered_snapshot in snapshots:
                full_cache.put(*numbered_snapshot)

        return spent(put_all)

    assert any(put_cost_s(4_000) < 2 * put_cost_s(250) for _ in range(TRIES))


def test_uses_count_across_reopening(opened: Opener) -> None:
    first = opened(max_bytes=14_500)
    filled(first, 5)
    first.get("k0")
    first.close()
    second = opened(max_bytes=14_500)
    second.put("k5", snapshot("s5", noise(5, 500)))
    assert held(second, 6) == [0, 2, 3, 4, 5]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from("pgi"), st.integers(0, 7), st.integers(0, 3)), max_size=40),
    st.integers(0, 12_000),
)
def test_the_limit_holds_whatever_is_asked_and_the_last_put_is_kept(
    steps: list[tuple[str, int, int]], max_bytes: int
) -> None:
    cache = SnapshotCache(None, clock=FakeClock(), ttl_s=1, max_bytes=max_bytes)
    for step, key, name in steps:
        if step == "p":
            cache.put(f"k{key}", snapshot(f"s{name}", noise(name, 300 * name)))
            stats = cache.stats()
            assert stats.bytes <= max_bytes
            assert (cache.get(f"k{key}") is not None) or max_bytes < 5_000
        elif step == "g":
            cache.get(f"k{key}")
        else:
            cache.by_id(snapshot(f"s{name}").id)
    assert cache.last_problem is None
    assert cache.stats().snapshots <= cache.stats().entries + 4
    cache.close()


def test_snapshot_larger_than_the_whole_cache(opened: Opener) -> None:
    cache = opened(max_bytes=14_000)
    filled(cache, 3)
    cache.put("k0", snapshot("huge", noise(9, 20_000)))
    assert cache.by_id(snapshot("huge").id) is None
    assert cache.get("k0") is None  # what it replaced is out of date
    assert held(cache, 3) == [0, 1, 2]


def test_many_addresses_of_one_text_do_not_drive_out_everything_else(opened: Opener) -> None:
    cache = opened(max_bytes=30_000)
    filled(cache, 3)
    wall = snapshot("wall")
    for number in range(60):
        cache.put(f"w{number}", wall)
        filled(cache, 3)
    stats = cache.stats()
    assert held(cache, 3) == [0, 1, 2]
    assert stats.snapshots == 4
    assert 10 < stats.entries < 60
    assert cache.get("w59") is not None
    assert cache.get("w0") is None


def test_clearing_forgets_everything_and_gives_the_space_back(opened: Opener, tmp_path: Path) -> None:
    cache = opened()
    filled(cache, 40, 3_000)
    assert cache.clear() == 40
    assert cache.stats() == (0, 0, 0, 10**8)
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) < 100_000
    assert cache.clear() == 0


def test_threads_share_one_cache(opened: Opener) -> None:
    cache = opened(max_bytes=30_000)

    def work(seed: int) -> None:
        for step in range(40):
            number = (seed * 7 + step) % 10
            cache.put(f"k{number}", snapshot(f"s{number}", noise(number, 300)))
            found = cache.get(f"k{number}")
            assert found is None or found.snapshot == snapshot(f"s{number}", noise(number, 300))
            cache.renew(f"k{number}")
            cache.stats()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(work, range(8)))
    assert cache.last_problem is None
