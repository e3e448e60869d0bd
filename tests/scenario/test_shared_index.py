"""The index that replicas share: each has a local index, fed from one log in a real PostgreSQL database."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

from unit.test_index import snapshot
from wellread.errors import SharedStateFailed
from wellread.index import shared_index
from wellread.index.local_index import LocalIndex, index_row
from wellread.index.postgres_index_log import PostgresIndexLog
from wellread.index.shared_index import SharedIndex
from wellread.net.postgres import postgres_engine
from wellread.ports import IndexChange, Query
from wellread.search.local_search import LocalSearch
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from postgres import Postgres
    from wellread.ports import IndexRow


@pytest.fixture
def database(postgres_server: Postgres) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url


@contextmanager
def replica(database: str, folder: Path | None, clock: FakeClock | None = None) -> Iterator[SharedIndex]:
    engine = postgres_engine(database, setting="shared.url", timeout_s=5)
    index = SharedIndex(LocalIndex(folder), PostgresIndexLog(engine), clock=clock or FakeClock())
    try:
        yield index
    finally:
        index.close()


def add(index: SharedIndex, name: str, text: str, mark: str = "") -> bool:
    url = f"http://a.example/{name}"
    return index.add(snapshot(url, text, title="Shore"), text, mark=mark)


def test_changes_of_one_replica_reach_the_other(database: str, tmp_path: Path) -> None:
    clock = FakeClock()
    with replica(database, tmp_path / "a", clock) as first, replica(database, tmp_path / "b", clock) as second:
        assert add(first, "1", "Whelks\0 and limpets.", mark="m")
        assert not add(first, "1", "Whelks\0 and limpets.", mark="n")
        assert [hit.url for hit in second.search("whelks", 9)] == ["http://a.example/1"]
        assert second.stored_snapshot("http://a.example/1") == first.stored_snapshot("http://a.example/1")
        assert (second.holds("http://a.example/1", "n"), second.holds("http://a.example/1", "m")) == (True, False)
        add(first, "1", "Mussels.")
        assert second.missing_words("mussels") == ("mussels",)  # asked for changes a moment ago
        clock.advance(shared_index.CHECK_S)
        assert (second.missing_words("mussels"), second.missing_words("whelks")) == ((), ("whelks",))
        assert second.remove("http://a.example/1")
        assert not second.remove("http://a.example/1")
        assert second.urls() == ()
        clock.advance(shared_index.CHECK_S)
        assert (first.count(), first.search("mussels", 9)) == (0, [])
        add(second, "1", "Mussels.")
        assert second.urls() == ("http://a.example/1",)


def test_replica_that_was_away_catches_up(
    database: str, postgres_server: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_index, "BATCH", 3)
    with replica(database, None) as other:
        add(other, "0", "Whelks zero.")
        with replica(database, tmp_path) as index:
            assert index.count() == 1
        other.remove("http://a.example/0")
        for number in range(1, 8):
            add(other, str(number), f"Limpets, number page{number}.")
        with replica(database, tmp_path) as index:
            assert index.urls() == other.urls()
            assert [hit.url for hit in index.search("page7", 1)] == ["http://a.example/7"]
            assert index.search("whelks", 9) == []
    with postgres_server.database() as new_database, replica(new_database, tmp_path) as index:
        assert (index.count(), index.search("limpets", 9)) == (0, [])


class HurriedClock(FakeClock):
    """A clock that goes on by two seconds with every look at it."""

    def monotonic(self) -> float:
        self.advance(2.0)
        return self.elapsed_s


def test_catching_up_is_bounded_and_goes_on(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_index, "BATCH", 2)
    with replica(database, None) as other, replica(database, None, HurriedClock()) as index:
        for number in range(9):
            add(other, str(number), "Whelks.")
        counts: list[int] = []
        problems: list[str | None] = []
        while index.last_problem or not counts:
            counts.append(index.count())
            problems.append(index.last_problem)
    assert 0 < counts[0] < counts[-1] == 9
    assert "still catching up" in (problems[0] or "")


class InterruptedLog:
    """A log in memory; while it is read for the first time, another process with the same folder applies a part."""

    def __init__(self, folder: Path) -> None:
        self.changes_of_all: list[IndexChange] = []
        self.folder = folder

    def log_id(self) -> str:
        return "log"

    def put(self, page: IndexRow) -> bool:
        self.changes_of_all.append(IndexChange(len(self.changes_of_all) + 1, page.url, page))
        return True

    def remove(self, url: str) -> bool:
        raise NotImplementedError

    def changes(self, after: int, limit: int) -> list[IndexChange]:
        changes = self.changes_of_all[after : after + limit]
        if after == 0:
            other = LocalIndex(self.folder)
            assert other.apply("log", other.log_sequence("log"), changes[:1])
            assert not other.apply("log", 0, changes)
            other.close()
        return changes

    def close(self) -> None:
        """Close nothing."""


def test_page_is_searched_at_once_beside_another_process(tmp_path: Path) -> None:
    log = InterruptedLog(tmp_path)
    log.put(index_row(snapshot("http://a.example/0", "Whelks."), "Whelks.", ""))
    index = SharedIndex(LocalIndex(tmp_path), log, clock=FakeClock())
    add(index, "1", "Limpets.")
    assert [hit.url for hit in index.search("limpets", 9)] == ["http://a.example/1"]
    index.close()


def test_no_change_is_missed_while_replicas_add_at_once(database: str, tmp_path: Path) -> None:
    """Numbers are visible in their order: a reader never passes one that is committed later."""
    with (
        replica(database, None) as first,
        replica(database, None) as second,
        replica(database, tmp_path) as reader,
        ThreadPoolExecutor(8) as threads,
    ):
        writers = [first, second] * 60
        adding = [threads.submit(add, index, str(number), "Whelks.") for number, index in enumerate(writers)]
        while not all(future.done() for future in adding):
            reader.count()
            reader._next_check_s = 0.0
        assert all(future.result() for future in adding)
        reader._next_check_s = 0.0
        assert reader.count() == len(writers)


def test_nothing_is_lost_when_a_replica_is_killed_while_adding(database: str, tmp_path: Path) -> None:
    script = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[3:]
from scenario import test_shared_index
with test_shared_index.replica(sys.argv[1], Path(sys.argv[2])) as index:
    for number in range(10_000):
        test_shared_index.add(index, str(number), f"Whelks and page{number}.")
        index.count()
        print(number, flush=True)
"""
    command = [sys.executable, "-c", script, database, str(tmp_path), *sys.path]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as adding:
        assert adding.stdout is not None
        for line in adding.stdout:
            if int(line) == 10:
                break
        adding.kill()
    with replica(database, tmp_path) as same, replica(database, None) as other:
        assert same.count() >= 11
        assert same.urls() == other.urls()
        for number in (0, 10):
            assert [hit.url for hit in other.search(f"page{number}", 1)] == [f"http://a.example/{number}"]


@pytest.mark.anyio
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # pg8000 leaves the socket of a failed connection open
async def test_index_while_its_database_is_away(postgres_server: Postgres, tmp_path: Path) -> None:
    with postgres_server.database() as database, replica(database, tmp_path) as index:
        add(index, "1", "Whelks.")
    clock = FakeClock()
    with replica(database, tmp_path, clock) as index:  # the database is gone
        found = await LocalSearch(index, clock=clock).search(Query(text="whelks"))
        assert [hit.url for hit in found.hits] == ["http://a.example/1"]
        assert found.outcomes[0].detail.startswith("the index may lack changes of other replicas")
        with pytest.raises(SharedStateFailed):
            add(index, "2", "Limpets.")
