"""The cache of snapshots: it gives back what it was given, for as long as it may, and never stands in the way."""

from __future__ import annotations

import json
import sqlite3
import stat
import zlib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.errors import ConfigError, UnavailableError
from wellread.store import codec, db
from wellread.store.cache import SnapshotCache, cache_key
from wellread.testing import FakeClock
from wellread.types import Block, Document, Extraction, Kind, Metadata, Notice, Snapshot, Span, Style

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    Opener = Callable[..., SnapshotCache]

HOUR_S = 3600.0


def snapshot(name: str, text: str = "text", **changes: object) -> Snapshot:
    digest = name.encode().hex()[:64].rjust(64, "0")
    base = Snapshot(
        id=f"sha256:{digest}",
        url=f"https://{name}.example/",
        final_url=f"https://{name}.example/",
        status=200,
        content_type="text/html",
        fetched_at=1.0,
        fetch_time_ms=2,
        extraction_time_ms=3,
        extraction=Extraction(
            document=(Block(Kind.PARAGRAPH, (Span(text),)),), metadata=Metadata(title=name), method="density"
        ),
        confidence=0.5,
    )
    return replace(base, **changes)  # type: ignore[arg-type] # each test names fields that exist


def noise(seed: int, size: int) -> str:
    """Return text that does not compress well, always the same for a seed."""
    state, found = seed + 1, []
    for _ in range(size):
        state = state * 6364136223846793005 + 1442695040888963407 & 0xFFFFFFFFFFFFFFFF
        found.append(chr(0x4E00 + (state >> 40) % 20_000))
    return "".join(found)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def opened(tmp_path: Path, clock: FakeClock) -> Iterator[Opener]:
    caches: list[SnapshotCache] = []

    def opener(folder: Path | None = tmp_path, *, ttl_s: float = HOUR_S, max_bytes: int = 10**8) -> SnapshotCache:
        caches.append(SnapshotCache(folder, clock=clock, ttl_s=ttl_s, max_bytes=max_bytes))
        return caches[-1]

    yield opener
    for cache in caches:
        cache.close()


# ------------------------------------------------------------------------------------------ what is kept

TEXTS = st.text(max_size=20) | st.sampled_from(["\ud83d", "a\x00b", "\n"])  # half a pair, a zero byte
SPANS = st.lists(
    st.builds(Span, TEXTS, st.integers(0, 511) | st.sampled_from(Style), st.none() | TEXTS), max_size=4
).map(tuple)
LEAVES = st.builds(Block, st.sampled_from(Kind), SPANS, st.just(()), st.integers(0, 99), TEXTS)
DOCUMENTS = st.lists(
    st.recursive(
        LEAVES,
        lambda inner: st.builds(
            Block, st.sampled_from(Kind), SPANS, st.lists(inner, max_size=3).map(tuple), st.integers(0, 9), TEXTS
        ),
        max_leaves=12,
    ),
    max_size=4,
).map(tuple)
NAMES = st.lists(TEXTS, max_size=3).map(tuple)
METADATA = st.builds(Metadata, title=st.none() | TEXTS, author=st.none() | TEXTS, images=NAMES)
EXTRACTIONS = st.builds(
    Extraction,
    document=DOCUMENTS,
    metadata=METADATA,
    method=TEXTS,
    page_type=st.sampled_from(["article", "forum", "unknown"]),
    links=NAMES,
    notices=st.lists(st.builds(Notice, TEXTS, TEXTS, st.integers(0, 10**6)), max_size=3).map(tuple),
    source_chars=st.integers(0, 10**9),
)
SNAPSHOTS = st.builds(
    Snapshot,
    id=st.binary(min_size=32, max_size=32).map(lambda digest: f"sha256:{digest.hex()}"),
    url=TEXTS,
    final_url=TEXTS,
    status=st.integers(100, 599),
    content_type=st.none() | TEXTS,
    fetched_at=st.floats(0, 2**40),
    fetch_time_ms=st.integers(0, 10**6),
    extraction_time_ms=st.integers(0, 10**6),
    extraction=EXTRACTIONS,
    confidence=st.floats(0, 1),
    rendered=st.booleans(),
)


@settings(max_examples=150, deadline=None)
@given(SNAPSHOTS)
def test_a_snapshot_comes_back_from_its_bytes_as_it_was(kept: Snapshot) -> None:
    assert codec.unpack(codec.pack(kept)) == kept


@settings(max_examples=100, deadline=None)
@given(SNAPSHOTS, st.data())
def test_damaged_bytes_are_noticed(kept: Snapshot, data: st.DataObject) -> None:
    packed = codec.pack(kept)
    part = data.draw(st.sampled_from(["about", "document"]))
    whole: bytes = getattr(packed, part)
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = bytes([whole[at] ^ data.draw(st.integers(1, 255))])
    for damaged in (whole[:at], whole + b"\0", whole[:at] + flipped + whole[at + 1 :]):
        try:
            read = codec.unpack(packed._replace(**{part: damaged}))
        except ValueError:
            continue
        assert read == kept  # a flip in a header bit that means nothing


@pytest.mark.parametrize(
    "change",
    [
        {"kinds": ["essay"]},
        {"children": [1]},
        {"children": [-1]},
        {"spans": [0]},
        {"spans": [2]},
        {"texts": [1]},
        {"styles": ["1"]},
        {"styles": [True]},
        {"styles": []},
        {"labels": [None]},
        {"levels": "0"},
        {"hrefs": [0]},
    ],
)
def test_well_formed_bytes_that_are_no_document_are_refused(change: dict[str, object]) -> None:
    packed = codec.pack(snapshot("a"))
    columns = json.loads(zlib.decompress(packed.document[1:]))
    document = codec.VERSION + zlib.compress(json.dumps(columns | change).encode())
    with pytest.raises(ValueError, match=r"."):
        codec.unpack(packed._replace(document=document))


@pytest.mark.parametrize(
    ("section", "change"),
    [
        ("snapshot", {"status": "200"}),
        ("snapshot", {"rendered": 1}),
        ("snapshot", {"fetched_at": None}),
        ("snapshot", {"colour": "red"}),
        ("extraction", {"page_type": "poem"}),
        ("extraction", {"links": [1]}),
        ("extraction", {"links": "abc"}),
        ("metadata", {"title": 7}),
        ("notices", [["code", "detail"]]),
        ("notices", [["code", "detail", "many"]]),
        ("metadata", ["title"]),
    ],
)
def test_well_formed_bytes_that_are_no_snapshot_are_refused(section: str, change: object) -> None:
    packed = codec.pack(snapshot("a"))
    about = json.loads(zlib.decompress(packed.about[1:]))
    about[section] = about[section] | change if isinstance(change, dict) else change
    damaged = codec.VERSION + zlib.compress(json.dumps(about).encode())
    with pytest.raises(ValueError, match=r"."):
        codec.unpack(packed._replace(about=damaged))


def test_bytes_of_another_version_are_refused() -> None:
    packed = codec.pack(snapshot("a"))
    with pytest.raises(ValueError, match="version"):
        codec.unpack(packed._replace(about=b"\x7f" + packed.about[1:]))


def test_a_tree_of_any_depth_is_kept(opened: Opener) -> None:
    block = Block(Kind.PARAGRAPH, (Span("bottom"),))
    for _ in range(20_000):
        block = Block(Kind.QUOTE, children=(block,))
    cache = opened()
    deep = snapshot("deep")
    cache.put("k", replace(deep, extraction=replace(deep.extraction, document=(block,))))
    found = cache.get("k")
    assert found is not None
    document: Document = found.snapshot.extraction.document
    while document[0].children:
        document = document[0].children
    assert document[0].spans == (Span("bottom"),)


def test_what_was_put_is_found_by_key_and_by_id_with_its_validators(opened: Opener) -> None:
    cache = opened()
    cache.put("k", snapshot("a"), etag='"1"', last_modified="Thu, 01 Jan 2026 00:00:00 GMT")
    found = cache.get("k")
    assert found == (snapshot("a"), True, '"1"', "Thu, 01 Jan 2026 00:00:00 GMT")
    assert cache.by_id(snapshot("a").id) == snapshot("a")
    assert cache.get("other") is None
    assert cache.by_id("sha256:other") is None
    assert cache.last_problem is None


def test_a_new_reading_replaces_the_old_one_which_stays_within_reach_of_its_cursors(opened: Opener) -> None:
    cache = opened()
    cache.put("k", snapshot("a"), etag="old")
    cache.put("k", snapshot("b"))
    found = cache.get("k")
    assert found is not None
    assert (found.snapshot, found.etag) == (snapshot("b"), None)
    assert cache.by_id(snapshot("a").id) == snapshot("a")


def test_two_pages_with_the_same_text_share_it_and_keep_their_own_addresses(opened: Opener) -> None:
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


def test_what_was_kept_is_there_after_reopening_and_nobody_else_may_read_it(opened: Opener, tmp_path: Path) -> None:
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
def test_property_14_a_page_is_fresh_for_sixty_minutes_after_it_was_kept_or_renewed(
    first: float, second: float, url: str
) -> None:
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
def test_property_14_a_page_is_stale_after_sixty_minutes_and_still_there_to_be_asked_about(later: float) -> None:
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


def test_the_least_recently_used_goes_first_even_when_the_clock_stands_still(opened: Opener) -> None:
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


def test_uses_count_across_reopening(opened: Opener) -> None:
    first = opened(max_bytes=14_000)
    filled(first, 5)
    first.get("k0")
    first.close()
    second = opened(max_bytes=14_000)
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


def test_a_snapshot_larger_than_the_whole_limit_is_not_kept_and_drives_nothing_out(opened: Opener) -> None:
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


# ------------------------------------------------------------------------------------------ when it goes wrong


def test_a_folder_that_cannot_be_used_turns_the_cache_into_memory_and_is_told(opened: Opener, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    cache = opened(tmp_path / "file" / "cache")
    cache.put("k", snapshot("a"))
    assert cache.get("k") is not None
    assert cache.last_problem is not None
    assert "memory" in cache.last_problem


def test_a_database_locked_by_another_costs_a_put_and_never_an_error(opened: Opener, tmp_path: Path) -> None:
    cache = opened()
    cache.put("k", snapshot("a"))
    cache._connection.execute("pragma busy_timeout = 20")
    blocker = sqlite3.connect(tmp_path / "cache.db", isolation_level=None)
    blocker.execute("begin exclusive")
    cache.put("k2", snapshot("b"))
    cache.renew("k")
    assert cache.get("k") is not None
    assert cache.get("k2") is None
    assert cache.last_problem is not None
    assert "locked" in cache.last_problem
    with pytest.raises(UnavailableError, match="locked"):
        cache.clear()
    blocker.close()
    cache.put("k2", snapshot("b"))
    assert cache.get("k2") is not None


@pytest.mark.parametrize("pragma", ["max_page_count = 12", "query_only = 1"])
def test_a_full_or_read_only_disk_costs_a_put_and_never_an_error(opened: Opener, pragma: str) -> None:
    cache = opened()
    cache.put("k", snapshot("a"))
    cache._connection.execute(f"pragma {pragma}")
    cache.put("k2", snapshot("b", noise(1, 50_000)))
    assert cache.get("k2") is None
    assert cache.get("k") is not None
    assert cache.last_problem is not None


def test_half_a_surrogate_pair_in_a_validator_costs_a_put_and_never_an_error(opened: Opener) -> None:
    cache = opened()
    cache.put("k", snapshot("a"), etag="\ud83d")
    assert cache.get("k") is None
    cache.put("k", snapshot("a"), etag="1")
    assert cache.get("k") is not None


def test_a_closed_cache_misses(opened: Opener) -> None:
    cache = opened()
    cache.put("k", snapshot("a"))
    cache.close()
    cache.close()
    cache.put("k2", snapshot("b"))
    assert cache.get("k") is None
    assert cache.by_id(snapshot("a").id) is None


@pytest.mark.parametrize("column", ["snapshots.document", "snapshots.about", "entries.about"])
def test_a_garbled_snapshot_is_a_miss_and_is_deleted(opened: Opener, tmp_path: Path, column: str) -> None:
    cache = opened()
    cache.put("k", snapshot("a"))
    table, _, name = column.partition(".")
    with sqlite3.connect(tmp_path / "cache.db") as other:
        other.execute(f"update {table} set {name} = x'0102'")
    other.close()
    found = (cache.get("k"), cache.by_id(snapshot("a").id))
    assert None in found
    assert cache.stats()[:3] == (0, 0, 0)
    assert cache.last_problem is not None
    cache.put("k", snapshot("a"))
    assert cache.get("k") is not None


def test_a_snapshot_under_the_wrong_id_is_not_believed(opened: Opener, tmp_path: Path) -> None:
    cache = opened()
    cache.put("k", snapshot("a"))
    with sqlite3.connect(tmp_path / "cache.db") as other:
        other.execute("update snapshots set id = 'sha256:b'")
    other.close()
    assert cache.by_id("sha256:b") is None


def test_a_file_that_is_no_database_is_moved_aside(opened: Opener, tmp_path: Path) -> None:
    for number in (1, 2):
        (tmp_path / "cache.db").write_bytes(b"not a database" * 1000)
        cache = opened()
        cache.put("k", snapshot("a"))
        assert cache.get("k") is not None
        cache.close()
        assert (tmp_path / f"cache.db.damaged-{number}").read_bytes() == b"not a database" * 1000


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_whatever_happens_to_the_file_the_cache_never_fails_and_never_gives_something_else(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    cache = SnapshotCache(folder, clock=FakeClock(), ttl_s=HOUR_S, max_bytes=10**7)
    filled(cache, 6, 400)
    cache.close()
    path = folder / "cache.db"
    body = bytearray(path.read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(body) - 1))
        size = data.draw(st.sampled_from([1, 4, 100, 4096]))
        body[at : at + size] = data.draw(st.sampled_from([b"\0", b"\xff", b"a"])) * size
    path.write_bytes(body[: data.draw(st.integers(0, len(body)) | st.just(len(body)))])
    cache = SnapshotCache(folder, clock=FakeClock(), ttl_s=HOUR_S, max_bytes=10**7)
    for number in range(6):
        expected = snapshot(f"s{number}", noise(number, 400))
        found = cache.get(f"k{number}")
        assert found is None or found.snapshot == expected
        assert cache.by_id(expected.id) in {None, expected}
    cache.put("new", snapshot("new"))
    cache.stats()
    cache.close()


def test_a_database_that_breaks_while_in_use_is_moved_aside_and_begun_afresh(opened: Opener, tmp_path: Path) -> None:
    first = opened()
    filled(first, 20, 2_000)
    first.close()
    path = tmp_path / "cache.db"
    body = path.read_bytes()
    path.write_bytes(body[:8192] + b"\xff" * (len(body) - 8192))
    cache = opened()
    for number in range(20):
        assert cache.get(f"k{number}") is None
    filled(cache, 3)
    assert held(cache, 3) == [0, 1, 2]
    assert cache.last_problem is not None
    assert "cache.db.damaged-1" in cache.last_problem
    assert (tmp_path / "cache.db.damaged-1").exists()


def test_a_cache_of_a_newer_wellread_is_left_alone_and_said_so(opened: Opener, tmp_path: Path) -> None:
    opened().close()
    with sqlite3.connect(tmp_path / "cache.db") as other:
        other.execute("pragma user_version = 99")
    other.close()
    with pytest.raises(ConfigError, match="newer wellread") as caught:
        opened()
    assert "upgrade" in caught.value.hint
    assert not (tmp_path / "cache.db.damaged-1").exists()


# --------------------------------------------------------------------------------------------- the database


def test_migrations_run_once_each_and_a_failing_one_leaves_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    first = "create table a (x); insert into a values (';'); -- a remark; with a semicolon"
    db.connect(path, (first,)).close()
    with pytest.raises(sqlite3.OperationalError):
        db.connect(path, (first, "create table b (x); create table a (x);"))
    trigger = "create trigger t after insert on a begin delete from a; insert into a values (2); end;"
    connection = db.connect(path, (first, trigger))
    assert connection.execute("select x from a").fetchall() == [(";",)]
    assert {row[0] for row in connection.execute("select name from sqlite_master")} == {"a", "t"}
    assert connection.execute("pragma user_version").fetchone() == (2,)
    assert connection.execute("pragma journal_mode").fetchone() == ("wal",)
    connection.close()


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
