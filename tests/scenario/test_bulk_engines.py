"""Pages in datatrove and Ray Data: rows are distinct and complete, also where a worker is killed.

Neither engine is a part of the development environment. Install them and run this file:
`pip install 'wellread[datatrove,ray]'`, then `pytest -m slow tests/scenario/test_bulk_engines.py`. Without the other
dependencies of development, add `--noconftest -p no:asyncio`.
"""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import wellread
from wellread.net import warc

pytestmark = pytest.mark.slow

PIPELINE = """
import os, sys
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.writers import JsonlWriter
from wellread.bulk.datatrove import PageExtractor, WarcPageReader

class Crash(PipelineStep):
    name = "crash"
    type = "test"
    def run(self, data, rank=0, world_size=1):
        for number, document in enumerate(data):
            if rank == 1 and number == 2 and not os.path.exists("crashed"):
                open("crashed", "w").close()
                os._exit(9)
            yield document

steps = [WarcPageReader("warcs"), PageExtractor(format="text"), Crash(), JsonlWriter("out")]
LocalPipelineExecutor(steps, tasks=2, workers=1, logging_dir="logs").run()
"""

CRASHING_READER = """
import os
from wellread.reading import sandbox

prepare = sandbox.prepare

def answer(task):
    if b"deadly" in task:
        with open("deaths", "a") as file:
            file.write("x")
        os._exit(9)
    return sandbox.answer(task)
"""

DATASET = """
import json, os, ray, ray.data
from wellread.bulk import ray as bulk_ray

class Crashing(bulk_ray.ReadPages):
    def __call__(self, batch):
        from wellread.apps import local_reading
        os.chdir(os.path.dirname(CRASHED))
        local_reading.WORK = "crashing_reader:answer"
        if "pool-5" in list(batch["source"]) and not os.path.exists(CRASHED):
            open(CRASHED, "w").close()
            os._exit(9)
        return super().__call__(batch)

CRASHED = os.path.abspath("crashed")
bulk_ray.ReadPages = Crashing
ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100_000_000)
page = "<title>Pool {0}</title><h1>Pool {0}</h1><p>The pool with the number {0} lies dry."
rows = [{"source": f"pool-{i}", "body": page.format(i).encode()} for i in range(12)]
rows.append({"source": "scan", "body": b"7z\\xbc\\xaf\\x27\\x1c\\0\\4"})
rows.append({"source": "deadly", "body": b"<p>This page is deadly to its reader."})
rows.append({"source": "null", "body": None})
found = bulk_ray.read_pages(ray.data.from_items(rows), batch_size=4, options={"format": "text"}).take_all()
with open("rows.json", "w") as file:
    json.dump([found, os.environ["RAY_USAGE_STATS_ENABLED"]], file)
"""


def run(code: str, folder: Path) -> tuple[int, str]:
    """Run a program to its end; return its exit code and its output: orphans of an engine may hold a pipe open."""
    with (folder / "output.txt").open("w+") as output:
        # On a busy machine, Ray's own limits for its start are too short.
        environment = {**os.environ, "HOME": str(folder), "RAY_raylet_start_wait_time_s": "300"}
        environment["PYTHONPATH"] = os.pathsep.join([str(folder), str(Path(wellread.__file__).parents[1])])
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=folder,
            env=environment,
            stdout=output,
            stderr=output,
            timeout=400,
            check=False,
        )
        output.seek(0)
        return done.returncode, output.read()


@pytest.mark.skipif(find_spec("datatrove") is None, reason="needs the extra datatrove")
def test_datatrove_continues_after_a_killed_worker(tmp_path: Path) -> None:
    (tmp_path / "warcs").mkdir()
    for name in ("a", "b"):
        with (tmp_path / "warcs" / f"{name}.warc.gz").open("wb") as file:
            for number in range(5):
                body = f"<title>Pool</title><p>The pool {name}{number} lies dry at half past nine.".encode()
                fields = (("WARC-Type", "response"), ("WARC-Target-URI", f"http://pools.example/{name}{number}"))
                head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
                file.write(warc.record_bytes(fields, "application/http;msgtype=response", head, body, compress=True))
            file.write(b"no record" if name == "b" else b"")
    code, output = run(PIPELINE, tmp_path)
    assert (code, (tmp_path / "crashed").exists()) == (9, True), output[-3000:]
    code, output = run(PIPELINE, tmp_path)
    assert code == 0, output[-3000:]
    rows: list[dict[str, Any]] = []
    for path in sorted((tmp_path / "out").iterdir()):
        rows += map(json.loads, gzip.decompress(path.read_bytes()).decode().splitlines())
    (failed,) = [row for row in rows if row["metadata"]["error"]]
    assert ("text" not in failed, failed["metadata"]["url"]) == (True, "b.warc.gz")
    assert (failed["metadata"]["error"], failed["metadata"]["complete"]) == ("invalid_input", False)
    rows.remove(failed)
    names = [row["metadata"]["url"].rpartition("/")[2] for row in rows]
    assert sorted(names) == [f"{name}{number}" for name in "ab" for number in range(5)]
    assert all(f"pool {name} lies dry" in row["text"] for name, row in zip(names, rows, strict=True))
    assert all(row["metadata"]["title"] == "Pool" and "body" not in row["metadata"] for row in rows)


@pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra ray")
def test_ray_has_every_row_once_after_a_killed_worker(tmp_path: Path) -> None:
    (tmp_path / "crashing_reader.py").write_text(CRASHING_READER, encoding="utf-8")
    code, output = run(DATASET, tmp_path)
    assert code == 0, output[-3000:]
    rows, usage_reports = json.loads((tmp_path / "rows.json").read_text(encoding="utf-8"))
    assert usage_reports == "0"
    assert (tmp_path / "crashed").exists()
    assert (tmp_path / "deaths").read_text(encoding="utf-8") == "xx"
    errors = {"scan": "unsupported", "deadly": "unreadable", "null": "invalid_input"}
    assert sorted(row["source"] for row in rows) == sorted([*(f"pool-{number}" for number in range(12)), *errors])
    assert {row["source"]: row["error"] for row in rows if row["error"]} == errors
    assert all(f"number {row['source'][5:]} lies dry" in row["text"] for row in rows if not row["error"])
