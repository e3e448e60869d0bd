"""The cache in trouble: a full, locked, damaged or foreign database costs a hit, and never the reading."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from unit.caches import HOUR_S, Opener, noise, snapshot
from wellread.errors import ConfigError, UnavailableError
from wellread.store import db
from wellread.store.cache import SnapshotCache
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from pathlib import Path


def filled(cache: SnapshotCache, count: int, size: int = 500) -> None:
    for number in range(count):
        cache.put(f"k{number}", snapshot(f"s{number}", noise(number, size)))


def held(cache: SnapshotCache, count: int) -> list[int]:
    return [number for number in range(count) if cache.by_id(snapshot(f"s{number}").id) is not None]


def test_unusable_folder_makes_a_cache_in_memory(opened: Opener, tmp_path: Path) -> None:
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


def test_lone_surrogate_in_a_validator(opened: Opener) -> None:
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


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("sound")
    cache = SnapshotCache(folder, clock=FakeClock(), ttl_s=HOUR_S, max_bytes=10**7)
    filled(cache, 6, 400)
    cache.close()
    return (folder / "cache.db").read_bytes()


def test_a_file_whose_schema_is_no_text_any_more_is_moved_aside(tmp_path: Path, sound: bytes) -> None:
    harmed = next(harmed for at in range(100, 4_096) if is_unreadable(harmed := sound[:at] + b"\xff" + sound[at + 1 :]))
    (tmp_path / "cache.db").write_bytes(harmed)
    cache = SnapshotCache(tmp_path, clock=FakeClock(), ttl_s=HOUR_S, max_bytes=10**7)
    cache.put("k", snapshot("a"))
    assert cache.get("k") is not None
    cache.close()
    assert (tmp_path / "cache.db.damaged-1").read_bytes() == harmed


def is_unreadable(body: bytes) -> bool:
    """Tell whether SQLite quotes what is damaged in a message that Python cannot read."""
    with closing(sqlite3.connect(":memory:")) as connection, suppress(sqlite3.Error):
        connection.deserialize(body[:18] + b"\1\1" + body[20:])  # a database in memory has no write-ahead log
        try:
            connection.execute("select * from snapshots").fetchall()
        except UnicodeDecodeError:
            return True
    return False


PLACES = st.floats(0, 1, exclude_max=True)
"""Of a file, as a share of it."""
HARM = st.tuples(PLACES, st.sampled_from([1, 4, 100, 4096]), st.sampled_from([b"\0", b"\xff", b"a"]))


@settings(max_examples=100, deadline=None)
@given(st.lists(HARM, min_size=1, max_size=4), st.none() | PLACES)
def test_randomly_damaged_cache_file_never_fails(
    tmp_path_factory: pytest.TempPathFactory, sound: bytes, harm: list[tuple[float, int, bytes]], cut: float | None
) -> None:
    folder = tmp_path_factory.mktemp("cache")
    body = bytearray(sound)
    for place, size, byte in harm:
        at = int(place * len(body))
        body[at : at + size] = byte * size
    (folder / "cache.db").write_bytes(body if cut is None else body[: int(cut * len(body))])
    try:
        cache = SnapshotCache(folder, clock=FakeClock(), ttl_s=HOUR_S, max_bytes=10**7)
    except ConfigError:
        assert 1 < int.from_bytes(body[60:64]) <= 1_000  # by chance it reads as the schema of a newer wellread
        return
    for number in range(6):
        expected = snapshot(f"s{number}", noise(number, 400))
        found = cache.get(f"k{number}")
        assert found is None or found.snapshot == expected
        assert cache.by_id(expected.id) in {None, expected}
    cache.put("new", snapshot("new"))
    cache.stats()
    cache.close()


def test_database_that_breaks_in_use_is_replaced(opened: Opener, tmp_path: Path) -> None:
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


@pytest.mark.parametrize("number", [1627389953, -1])
def test_a_schema_number_that_nobody_wrote_is_damage(opened: Opener, tmp_path: Path, number: int) -> None:
    opened().close()
    with sqlite3.connect(tmp_path / "cache.db") as other:
        other.execute(f"pragma user_version = {number}")
    other.close()
    cache = opened()
    cache.put("k", snapshot("a"))
    assert cache.get("k") is not None
    assert (tmp_path / "cache.db.damaged-1").exists()


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
