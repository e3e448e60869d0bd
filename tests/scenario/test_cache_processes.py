"""One folder, many processes: nothing is lost, nothing is torn, whoever is killed and whenever.

Run as a script, this file is one of those processes: `test_cache_processes.py DOING FOLDER SEED COUNT`.
"""

from __future__ import annotations

import hashlib
import random
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from wellread.store.cache import SnapshotCache
from wellread.testing import FakeClock
from wellread.types import Block, Extraction, Kind, Metadata, Snapshot, Span

KEYS = 40
SMALL_BYTES = 60_000
LARGE_BYTES = 100_000_000
PATIENCE_S = 60.0


def told(key: str, edition: int) -> Snapshot:
    """Make a snapshot whose every part follows from its key and edition, so that a torn one shows."""
    rng = random.Random(f"{key} {edition}")
    text = "".join(rng.choices("abcdefghij klmnop", k=rng.randrange(200, 4_000)))
    return Snapshot(
        id=f"sha256:{hashlib.sha256(text.encode()).hexdigest()}",
        url=f"https://example.org/{key}/{edition}",
        final_url=f"https://example.org/{key}/{edition}",
        status=200,
        content_type="text/html",
        fetched_at=float(edition),
        fetch_time_ms=1,
        extraction_time_ms=1,
        extraction=Extraction(
            document=(Block(Kind.PARAGRAPH, (Span(text),)),), metadata=Metadata(title=text[:20]), method="density"
        ),
        confidence=0.5,
    )


def opened(folder: Path, max_bytes: int = LARGE_BYTES) -> SnapshotCache:
    return SnapshotCache(folder, clock=FakeClock(), ttl_s=3600, max_bytes=max_bytes)


def whole(found: Snapshot, key: str) -> bool:
    return found == told(key, int(found.fetched_at))


# ------------------------------------------------------------------------------ what the processes do


def hammer(folder: Path, seed: int, count: int) -> None:
    """Put, get, renew and continue at random in a small cache, so that eviction never rests."""
    rng = random.Random(seed)
    cache = opened(folder, SMALL_BYTES)
    hits = 0
    for step in range(count):
        key = f"k{rng.randrange(KEYS)}"
        if rng.random() < 0.5:
            cache.put(key, told(key, seed * count + step), etag=key)
        elif (found := cache.get(key)) is not None:
            hits += 1
            assert whole(found.snapshot, key), found
            assert found.etag == key
            cache.renew(key)
            again = cache.by_id(found.snapshot.id)
            assert again is None or again.id == found.snapshot.id
        assert cache.stats().bytes <= SMALL_BYTES
        assert cache.last_problem is None, cache.last_problem
    cache.close()
    sys.stdout.write(f"{hits}\n")


def fill(folder: Path, seed: int, count: int) -> None:
    """Put without end, or `count` times, and say so after each."""
    cache = opened(folder)
    for edition in range(count):
        key = f"p{seed}k{edition % KEYS}"
        cache.put(key, told(key, edition))
        assert cache.last_problem is None, cache.last_problem
        sys.stdout.write(f"{edition}\n")
        sys.stdout.flush()
    cache.close()


def mend(folder: Path, seed: int, count: int) -> None:
    """Use a cache whose file may be damaged."""
    cache = opened(folder)
    for number in range(count):
        key = f"p{seed}k{number}"
        cache.put(key, told(key, number))
        found = cache.get(key)
        assert found is None or whole(found.snapshot, key)
        if seed == 0 and number % 10 == 0:
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()
    cache.close()


# ---------------------------------------------------------------------------------------------- tests


def started(doing: str, folder: Path, seed: int, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, doing, str(folder), str(seed), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(processes: list[subprocess.Popen[str]]) -> list[str]:
    """Wait for all, and return what they wrote; a failure of any is a failure of the test."""
    try:
        wrote = [process.communicate(timeout=PATIENCE_S) for process in processes]
    finally:
        for process in processes:
            process.kill()
    for process, (_, complaint) in zip(processes, wrote, strict=True):
        assert process.returncode == 0, complaint
    return [out for out, _ in wrote]


def assert_sound(folder: Path) -> None:
    database = sqlite3.connect(folder / "cache.db")
    assert database.execute("pragma integrity_check").fetchall() == [("ok",)]
    orphans = "select count(*) from entries where snapshot_id not in (select id from snapshots)"
    assert database.execute(orphans).fetchone() == (0,)
    database.close()
    assert not list(folder.glob("*.damaged-*"))


def all_entries(folder: Path) -> dict[str, Snapshot]:
    """Read every entry through the library; each must be whole."""
    database = sqlite3.connect(folder / "cache.db")
    keys = [row[0] for row in database.execute("select key from entries")]
    database.close()
    cache = opened(folder)
    found = {key: cache.get(key) for key in keys}
    assert cache.last_problem is None
    cache.close()
    kept = {key: entry.snapshot for key, entry in found.items() if entry is not None}
    assert len(kept) == len(keys)
    assert all(whole(snapshot, key) for key, snapshot in kept.items())
    return kept


def hammered(folder: Path, processes: int, count: int) -> None:
    hits = sum(map(int, ended([started("hammer", folder, seed, count) for seed in range(processes)])))
    assert hits > count // 10
    assert_sound(folder)
    assert all_entries(folder)


def killed(folder: Path, rounds: int, rng: random.Random) -> None:
    """Kill a writer at a random moment, again and again on the same folder, and look at what it left."""
    for seed in range(rounds):
        process = started("fill", folder, seed, 10**9)
        assert process.stdout is not None
        assert process.stderr is not None
        until = rng.randrange(1, 60)
        said = [int(process.stdout.readline()) for _ in range(until)]
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate(timeout=PATIENCE_S)
        said += [int(line) for line in rest.split("\n")[:-1]]
        assert process.returncode == -signal.SIGKILL
        assert_sound(folder)
        kept = all_entries(folder)
        last = {f"p{seed}k{edition % KEYS}": edition for edition in said}
        # What was reported as kept is kept; the one put that was under way may have been kept too.
        assert all(kept[key].fetched_at >= edition for key, edition in last.items())


def test_processes_share_one_cache_folder(tmp_path: Path) -> None:
    hammered(tmp_path, processes=4, count=150)


def test_a_killed_writer_leaves_every_entry_whole(tmp_path: Path) -> None:
    killed(tmp_path, rounds=3, rng=random.Random(1))


def test_processes_that_open_a_new_cache_at_once_all_get_it(tmp_path: Path) -> None:
    ended([started("fill", tmp_path / "new", seed, 5) for seed in range(6)])
    assert_sound(tmp_path / "new")
    assert len(all_entries(tmp_path / "new")) == 30


def test_processes_that_find_the_same_damaged_file_move_it_aside_once(tmp_path: Path) -> None:
    (tmp_path / "cache.db").write_bytes(b"not a database" * 1000)
    ended([started("fill", tmp_path, seed, 5) for seed in range(4)])
    assert [path.name for path in tmp_path.glob("*.damaged-*")] == ["cache.db.damaged-1"]
    assert len(all_entries(tmp_path)) == 20


@pytest.mark.slow
def test_many_processes_share_one_folder_for_a_long_time(tmp_path: Path) -> None:
    hammered(tmp_path, processes=8, count=1_000)


@pytest.mark.slow
def test_writers_killed_thirty_times_leave_every_entry_whole(tmp_path: Path) -> None:
    killed(tmp_path, rounds=30, rng=random.Random(2))


@pytest.mark.slow
def test_file_damaged_repeatedly_under_running_processes(tmp_path: Path) -> None:
    rng = random.Random(3)
    processes = [started("mend", tmp_path, seed, 600) for seed in range(3)]
    assert processes[0].stdout is not None
    for _ in processes[0].stdout:
        path = tmp_path / "cache.db"
        if path.exists() and path.stat().st_size > 8192:
            with path.open("r+b") as file:
                file.seek(rng.randrange(path.stat().st_size))
                file.write(rng.randbytes(64))
    ended(processes)


if __name__ == "__main__":
    {"hammer": hammer, "fill": fill, "mend": mend}[sys.argv[1]](Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
