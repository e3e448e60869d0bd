"""Shards of a batch: ranges of WARC files, and worker processes that crash over a page."""

from __future__ import annotations

import errno
import json
import os
from collections import Counter
from contextlib import closing
from itertools import count, islice
from pathlib import Path
from threading import Event, Thread
from typing import IO, TYPE_CHECKING, Any, Self

import pytest

from wellread import Settings
from wellread.apps import batch, shard_run
from wellread.apps.local_inputs import Input
from wellread.apps.page_rows import BatchOptions
from wellread.apps.shards import FileShard, RecordShard
from wellread.apps.system_clock import SystemClock
from wellread.net import warc, warc_ranges
from wellread.worker.worker_pool import ChildDeath, TaskLimits, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from wellread.apps.shard_run import PageRow

FAKE = b"\r\n\r\nWARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://fake.example/\r\nContent-Length: 30\r\n\r\n"
RESPONSE = "application/http;msgtype=response"


def write_warc(path: Path, names: list[str], *, padding: bytes = b"", compress: bool = False) -> Path:
    with path.open("wb") as file:
        for name in names:
            fields = (("WARC-Type", "response"), ("WARC-Target-URI", f"http://pools.example/{name}"))
            page = f"<h1>Pool {name}</h1><p>The pool {name} lies dry at half past nine.</p><!--".encode()
            body = page + padding + b"-->"
            file.write(warc.record_bytes(fields, RESPONSE, b"HTTP/1.1 200 OK\r\n\r\n", body, compress=compress))
    return path


def read(path: Path, *, skipped_records: Counter[str] | None = None) -> list[PageRow]:
    counts = Counter() if skipped_records is None else skipped_records
    return list(batch.rows([path], BatchOptions(), Settings(), processes=1, output=None, skipped_records=counts))


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    """Worker processes that some pages crash."""
    workers = WorkerPool("crashing_child:answer", TaskLimits(timeout_s=20, children=1), SystemClock())
    yield workers
    workers.close()


def outcomes(run: shard_run.ShardRun) -> list[tuple[str, str]]:
    run.read()
    rows = [result for result in run.results() if isinstance(result, shard_run.PageRow)]
    fields = [json.loads(row.content) for row in rows]
    codes = ["error" in row and row["error"]["code"] for row in fields]
    return [(row.source.rpartition("/")[2], code or "ok") for row, code in zip(rows, codes, strict=True)]


def test_page_that_looks_like_records_ends_no_range(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shard_run, "MAX_WAITING_BYTES", 1)  # so that other shards wait for the end of a turn
    names = [f"{number:02}" for number in range(12)]
    path = write_warc(tmp_path / "pools.warc", names, padding=(FAKE + b"x" * 900) * 80)
    ranges = list(warc_ranges.record_ranges(path, 1 << 18))
    assert len(ranges) > 3
    rows = read(path)
    assert [row.source for row in rows] == [f"http://pools.example/{name}" for name in names]
    assert all(f"pool {name} lies".encode() in row.content for name, row in zip(names, rows, strict=True))


def test_ranges_of_a_compressed_file_begin_with_its_records(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "pools.warc.gz", [str(number) for number in range(50)], compress=True)
    offsets = {record.offset for record in warc.RecordIterator(path)}
    ranges = list(warc_ranges.record_ranges(path, 1_000))
    assert {start for start, _ in ranges} < offsets
    assert [end for _, end in ranges] == [*(start for start, _ in ranges[1:]), None]
    in_ranges = [record.offset for start, end in ranges for record in warc.RecordIterator(path, start=start, end=end)]
    assert in_ranges == sorted(offsets)


def test_damage_in_a_range_drops_the_ranges_after_it(tmp_path: Path) -> None:
    path = write_warc(tmp_path / "pools.warc", [str(number) for number in range(8)], padding=b"x" * 80_000)
    content = bytearray(path.read_bytes())
    third = [record.offset for record in warc.RecordIterator(path)][2]
    content[third : third + 4] = b"gone"
    path.write_bytes(content)
    rows = read(path)
    assert [row.source for row in rows[:2]] == ["http://pools.example/0", "http://pools.example/1"]
    assert (rows[2].source, len(rows)) == (str(path), 3)
    assert f"no WARC record begins at byte {third}".encode() in rows[2].content


@pytest.mark.parametrize("recorded", [False, True])
def test_crash_is_tried_once_more_before_it_is_deadly(tmp_path: Path, pool: WorkerPool, recorded: bool) -> None:
    names = ["a", "deadly", "b", "deadly2"] if recorded else ["a", "weak", "deadly", "b", "deadly2"]
    shard: FileShard | RecordShard
    if recorded:
        shard = RecordShard(str(write_warc(tmp_path / "pools.warc", names)), 0, None, "pools.warc")
    else:
        for name in names:
            (tmp_path / name).write_text(f"<h1>Pool {name}</h1><p>The pool lies dry.</p>", encoding="utf-8")
        shard = FileShard(tuple(Input(str(tmp_path / name), str(tmp_path / name)) for name in names))
    expected = [(name, "unreadable" if name.startswith("deadly") else "ok") for name in names]
    assert outcomes(shard_run.ShardRun(shard, BatchOptions(), pool)) == expected


INPUT = Input("a.html", "a.html")
BEGIN = ["B", "0\na.html"]
END = ["E", "{}"]


@pytest.mark.parametrize(
    "script",
    [
        [["B", "Infinity\na.html"]],
        [["B", "0 " + "[" * 100_000 + "\na.html"]],
        [["B", "1\na.html"]],
        [["B", "0 5\na.html"]],
        [["B", "0"]],
        [["B", "9" * 10_000 + "\na.html"]],
        [BEGIN, BEGIN],
        [BEGIN, ["A", "no row"], END],
        [BEGIN, ["A", '{"source": "b.html", "text": ""}'], END],
        [BEGIN, ["A", '{"error": 1}'], END],
        [BEGIN, END],
        [END],
    ],
)
def test_wrong_frames_are_an_error_row(script: list[list[str]]) -> None:
    options = BatchOptions(member=json.dumps(script))
    with closing(WorkerPool("scripted_child:answer", TaskLimits(timeout_s=20, children=1), SystemClock())) as pool:
        assert outcomes(shard_run.ShardRun(FileShard((INPUT,)), options, pool)) == [("a.html", "unreadable")]


@pytest.mark.parametrize(
    "row", ['{"text": ""}\n{"source": "b.html"}', '{"text": "', '{"source": "b.html"}', '{"error": {"code": 1}}', "{}"]
)
def test_wrong_row_costs_its_own_page_alone(row: str) -> None:
    script = [BEGIN, ["A", row], ["B", "1\nb.html"], ["A", '{"text": ""}'], END]
    with closing(WorkerPool("scripted_child:answer", TaskLimits(timeout_s=20, children=1), SystemClock())) as pool:
        shard = FileShard((INPUT, Input("b.html", "b.html")))
        run = shard_run.ShardRun(shard, BatchOptions(member=json.dumps(script)), pool)
        assert outcomes(run) == [("a.html", "unreadable"), ("b.html", "ok")]


@pytest.mark.parametrize("content", ["3\nhttp://pools.example/", "70\nhttp://pools.example/"])
def test_record_outside_of_its_range_is_an_error_row(content: str) -> None:
    options = BatchOptions(member=json.dumps([["B", content]]))
    with closing(WorkerPool("scripted_child:answer", TaskLimits(timeout_s=20, children=1), SystemClock())) as pool:
        run = shard_run.ShardRun(RecordShard("pools.warc", 10, 70, "pools.warc"), options, pool)
        assert (outcomes(run), run.is_broken) == ([("pools.warc", "unreadable")], True)


def test_files_have_the_names_of_the_parent() -> None:
    options = BatchOptions(member=json.dumps([["B", "0\nb.html"], ["A", '{"text": ""}'], ["E", "{}"]]))
    with closing(WorkerPool("scripted_child:answer", TaskLimits(timeout_s=20, children=1), SystemClock())) as pool:
        assert outcomes(shard_run.ShardRun(FileShard((INPUT,)), options, pool)) == [("a.html", "ok")]


def test_lack_of_file_descriptors_is_an_error_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_pipe() -> tuple[int, int]:
        raise OSError(errno.EMFILE, "Too many open files")

    (tmp_path / "a.html").write_text("<p>The pool lies dry.</p>", encoding="utf-8")
    monkeypatch.setattr(os, "pipe", no_pipe)
    (row,) = read(tmp_path / "a.html")
    assert (row.source, b"Too many open files" in row.content) == (str(tmp_path / "a.html"), True)


class FramesPool(WorkerPool):
    """Worker processes whose frames are those of a generator; without one, no thread can be started."""

    def __init__(self, frames: Generator[tuple[bytes, bytes] | ChildDeath] | None = None) -> None:
        super().__init__(shard_run.WORK, TaskLimits(children=1), SystemClock())
        self._frames = frames

    def stream(self, task: bytes) -> Generator[tuple[bytes, bytes] | ChildDeath]:
        """Yield the frames."""
        del task
        if self._frames is None:
            raise RuntimeError("can't start new thread")
        yield from self._frames


def test_lack_of_threads_ends_a_batch() -> None:
    run = shard_run.ShardRun(FileShard((INPUT,)), BatchOptions(), FramesPool())
    run.read()
    with pytest.raises(RuntimeError, match="new thread"):
        list(run.results())


def test_rows_that_wait_are_bounded() -> None:
    row_count = 0
    is_full = Event()

    def frames() -> Generator[tuple[bytes, bytes] | ChildDeath]:
        nonlocal row_count
        for row_count in count(1):  # without an end
            yield b"B", b"%d\nhttp://pools.example/" % row_count
            if row_count == 9:
                is_full.set()
            yield b"A", json.dumps({"text": "x" * (1 << 20)}).encode()

    run = shard_run.ShardRun(RecordShard("pools.warc", 0, None, "pools.warc"), BatchOptions(), FramesPool(frames()))
    thread = Thread(target=run.read)
    thread.start()
    assert is_full.wait(20)
    assert len(list(islice(run.results(), 5))) == 5
    run.abandon()
    thread.join(20)
    assert (thread.is_alive(), row_count <= 15) == (False, True)


def test_answer_that_comes_at_the_deadline_counts() -> None:
    with closing(WorkerPool("scripted_child:stuck", TaskLimits(timeout_s=0.5, children=1), SystemClock())) as pool:
        frames = pool.stream(b"")
        first = next(frames)
        (child,) = pool._all
        os.waitid(os.P_PID, child._process.pid, os.WEXITED | os.WNOWAIT)  # the deadline kills it before the row is met
        assert [first, *frames] == [(b"B", b"1"), (b"A", b"the row"), (b"B", b"2"), ChildDeath(-9, False, False)]


class _FailingFile:
    """A file whose end cannot be read."""

    def __init__(self, file: IO[bytes], readable_bytes: int) -> None:
        self._file = file
        self._readable_bytes = readable_bytes

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def __getattr__(self, name: str) -> Any:  # Any: attributes of a file
        return getattr(self._file, name)

    def read(self, size: int) -> bytes:
        """Return bytes, or raise the error of a damaged disk."""
        if self._file.tell() >= self._readable_bytes:
            raise OSError(errno.EIO, "Input/output error")
        return self._file.read(size)


class FailingPath(type(Path())):  # type: ignore[misc]  # the class of this system
    """A file on a damaged disk, for this process only."""

    def open(self, mode: str = "r", *_: object, **_options: object) -> Any:  # Any: a file
        """Open the file."""
        return _FailingFile(Path(self).open(mode), 600_000)


def test_disk_that_fails_later_gives_no_row_twice(tmp_path: Path) -> None:
    names = [str(number) for number in range(12)]
    path = write_warc(tmp_path / "pools.warc", names, padding=b"x" * 80_000)
    assert [row.source for row in read(FailingPath(path))] == [f"http://pools.example/{name}" for name in names]
