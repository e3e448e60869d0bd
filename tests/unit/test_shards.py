"""Shards of a batch: ranges of WARC files, and worker processes that crash over a page."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

import pytest

from wellread import Settings
from wellread.apps import batch, shard_run
from wellread.apps.local_inputs import Input
from wellread.apps.page_rows import BatchOptions
from wellread.apps.shards import FileShard, RecordShard
from wellread.net import warc, warc_ranges
from wellread.worker.worker_pool import TaskLimits, WorkerPool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

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


def read(path: Path, *, passed: Counter[str] | None = None) -> list[PageRow]:
    counts = Counter() if passed is None else passed
    return list(batch.rows([path], BatchOptions(), Settings(), processes=1, ledger=None, passed=counts))


@pytest.fixture
def pool() -> Iterator[WorkerPool]:
    """Worker processes that some pages crash."""
    workers = WorkerPool("crashing_child:answer", TaskLimits(timeout_s=20, children=1))
    yield workers
    workers.close()


def outcomes(run: shard_run.ShardRun) -> list[tuple[str, str]]:
    run.read()
    rows = [result for result in run.results() if isinstance(result, shard_run.PageRow)]
    fields = [json.loads(row.line) for row in rows]
    codes = ["error" in row and row["error"]["code"] for row in fields]
    return [(row.source.rpartition("/")[2], code or "ok") for row, code in zip(rows, codes, strict=True)]


def test_page_that_looks_like_records_ends_no_range(tmp_path: Path) -> None:
    names = [f"{number:02}" for number in range(12)]
    path = write_warc(tmp_path / "pools.warc", names, padding=(FAKE + b"x" * 900) * 80)
    ranges = list(warc_ranges.record_ranges(path, 1 << 18))
    assert len(ranges) > 3
    rows = read(path)
    assert [row.source for row in rows] == [f"http://pools.example/{name}" for name in names]
    assert all(f"pool {name} lies" in row.line for name, row in zip(names, rows, strict=True))


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
    assert f"no WARC record begins at byte {third}" in rows[2].line


@pytest.mark.parametrize("recorded", [False, True])
def test_crash_is_tried_once_more_before_it_is_deadly(tmp_path: Path, pool: WorkerPool, recorded: bool) -> None:
    names = ["a", "deadly", "b", "deadly2"] if recorded else ["a", "weak", "deadly", "b", "deadly2"]
    shard: FileShard | RecordShard
    if recorded:
        shard = RecordShard(str(write_warc(tmp_path / "pools.warc", names)), 0, None)
    else:
        for name in names:
            (tmp_path / name).write_text(f"<h1>Pool {name}</h1><p>The pool lies dry.</p>", encoding="utf-8")
        shard = FileShard(tuple(Input(str(tmp_path / name), str(tmp_path / name)) for name in names))
    expected = [(name, "unreadable" if name.startswith("deadly") else "ok") for name in names]
    assert outcomes(shard_run.ShardRun(shard, BatchOptions(), pool)) == expected
