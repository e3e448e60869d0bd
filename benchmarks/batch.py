"""Measures `wellread extract --jobs N --out` over a WARC file of saved pages, beside a loop over `wellread.extract`.

    python benchmarks/batch.py --data DIR [--jobs N] [--limit N] [--copies N] [--baseline SRC]

DIR holds saved pages, `.gz` or not, such as WCXB's `html/`; each is in the WARC file `--copies` times. Runs follow one
another: the loop, the command of this tree, the command of the tree SRC (another checkout's `src`). The CPU time of the
parent for one page is that from the first row on: its start takes as much as some thousand pages, and varies more than
they do. Then the command is killed in the middle and continued, and what it wrote is compared.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import wellread
from wellread.errors import WellreadError
from wellread.net import warc

TREE = Path(wellread.__file__).parents[1]
# The parent's own CPU time, that until its first row, and that of its worker processes, which it has waited for. `main`
# ends the process by `_end`, in earlier versions by SystemExit.
MEASURED = """
import json, resource
from wellread.apps import cli
from wellread.apps.commands.page_results import ResultPrinter

def cpu_s(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime

first_row_s = []
add = ResultPrinter.add

def timed_add(*arguments):
    if not first_row_s:
        first_row_s.append(cpu_s(resource.RUSAGE_SELF))
    add(*arguments)

ResultPrinter.add = timed_add

def report(_code):
    print(json.dumps([cpu_s(resource.RUSAGE_SELF), *first_row_s, cpu_s(resource.RUSAGE_CHILDREN)]))

cli._end = report
try:
    cli.main()
except SystemExit:
    report(0)
"""


class Run(NamedTuple):
    """One run of the command, in seconds."""

    wall_s: float
    parent_cpu_s: float
    first_row_cpu_s: float
    """CPU time of the parent until its first row."""
    workers_cpu_s: float


def body(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def looped(paths: list[Path]) -> float:
    start = time.perf_counter()
    for path in paths:
        try:
            wellread.extract(body(path))
        except WellreadError as error:
            print(f"{path.name}: {error.code}", file=sys.stderr)
    return time.perf_counter() - start


def write_warc(paths: list[Path], copies: int, to: Path) -> Path:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    with to.open("wb") as file:
        for copy in range(copies):
            for path in paths:
                fields = (("WARC-Type", "response"), ("WARC-Target-URI", f"http://{copy}.example/{path.name}"))
                media_type = "application/http;msgtype=response"
                file.write(warc.record_bytes(fields, media_type, head, body(path), compress=True))
    return to


def command(recording: Path, out: Path, jobs: int) -> list[str]:
    return [sys.executable, "-c", MEASURED, "extract", str(recording), "--jobs", str(jobs), "--out", str(out)]


def measured(recording: Path, out: Path, jobs: int, tree: Path) -> Run:
    out.unlink(missing_ok=True)
    start = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    done = subprocess.run(
        command(recording, out, jobs), env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    return Run(time.perf_counter() - start, *json.loads(done.stdout))


def sources(out: Path) -> list[str]:
    return [json.loads(line)["source"] for line in out.read_text(encoding="utf-8").splitlines()]


def interrupted(recording: Path, out: Path, jobs: int, page_count: int) -> int:
    """Kill the command when about half is written; return how many lines were."""
    with subprocess.Popen(command(recording, out, jobs), stderr=subprocess.DEVNULL) as running:
        while running.poll() is None and (not out.exists() or lines(out) < page_count // 2):
            time.sleep(0.2)
        running.kill()
    return lines(out)


def lines(out: Path) -> int:
    return out.read_bytes().count(b"\n")


def report(name: str, run: Run, page_count: int, jobs: int) -> None:
    parent_ms = 1000 * (run.parent_cpu_s - run.first_row_cpu_s) / page_count
    rate = page_count / run.wall_s
    cpu_ms = 1000 * (run.parent_cpu_s + run.workers_cpu_s) / page_count
    print(
        f"{name:12} {rate:7.1f} pages/s, {rate / jobs:6.1f} for each of {jobs} processes; CPU of a page: "
        f"{cpu_ms:.1f} ms in all, {parent_ms:.2f} ms in the parent"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--baseline", type=Path)
    arguments = parser.parse_args()
    paths = sorted(path for path in arguments.data.iterdir() if path.is_file())[: arguments.limit]
    page_count = len(paths) * arguments.copies
    loop_s = looped(paths)
    print(f"{page_count} pages; a loop over wellread.extract in one process: {len(paths) / loop_s:.1f} pages/s")
    trees = {"this tree": TREE, **({"baseline": arguments.baseline} if arguments.baseline else {})}
    with tempfile.TemporaryDirectory() as folder:
        recording = write_warc(paths, arguments.copies, Path(folder) / "pages.warc.gz")
        outputs: dict[str, list[str]] = {}
        for name, tree in trees.items():
            out = Path(folder) / f"{len(outputs)}.jsonl"
            report(name, measured(recording, out, arguments.jobs, tree), page_count, arguments.jobs)
            outputs[name] = sources(out)
        again = Path(folder) / "again.jsonl"
        half = interrupted(recording, again, arguments.jobs, page_count)
        measured_after = subprocess.run(command(recording, again, arguments.jobs), capture_output=True, check=False)
        resumed = sorted(sources(again)) == sorted(outputs["this tree"])  # errors are tried again, and come last
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    same = all(output == outputs["this tree"] for output in outputs.values())
    print(f"peak {peak_mb:.0f} MiB (largest process); the same pages in the same order: {same}")
    print(f"killed after {half} lines, continued to the same lines: {resumed} (exit code {measured_after.returncode})")


if __name__ == "__main__":
    main()
