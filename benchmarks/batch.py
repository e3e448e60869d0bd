"""Measures `wellread extract --jobs N --out` over a folder of pages, beside a loop over `wellread.extract`, in one run.

    python benchmarks/batch.py --data DIR [--jobs N] [--limit N]

DIR holds saved pages, `.gz` or not, such as WCXB's `html/`. The command runs in a process of its own; its peak memory
is the largest of any process in it. Then it is killed in the middle, and continued, and what it wrote is compared.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import wellread
from wellread.errors import WellreadError


def body(path: Path) -> bytes:
    return gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def looped(paths: list[Path]) -> float:
    began = time.perf_counter()
    for path in paths:
        try:
            wellread.extract(body(path))
        except WellreadError as error:
            print(f"{path.name}: {error.code}", file=sys.stderr)
    return time.perf_counter() - began


def command(paths: list[Path], out: Path, jobs: int) -> list[str]:
    return [sys.executable, "-m", "wellread", "extract", *map(str, paths), "--jobs", str(jobs), "--out", str(out)]


def written(out: Path) -> list[str]:
    return [json.loads(line)["source"] for line in out.read_text(encoding="utf-8").splitlines() if line.endswith("}")]


def interrupted(paths: list[Path], out: Path, jobs: int) -> int:
    """Kill the command when about half is written; return how many lines were."""
    with subprocess.Popen(command(paths, out, jobs)) as running:
        while running.poll() is None and (not out.exists() or out.stat().st_size < 1 or lines(out) < len(paths) // 2):
            time.sleep(0.2)
        running.kill()
    return lines(out)


def lines(out: Path) -> int:
    return out.read_bytes().count(b"\n")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    paths = sorted(path for path in given.data.iterdir() if path.is_file())[: given.limit]
    alone = looped(paths)
    loop_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pages.jsonl"
        began = time.perf_counter()
        subprocess.run(command(paths, out, given.jobs), check=False)
        together = time.perf_counter() - began
        in_order = written(out) == list(map(str, paths))
        again = Path(folder) / "again.jsonl"
        half = interrupted(paths, again, given.jobs)
        subprocess.run(command(paths, again, given.jobs), check=False)
        resumed = written(again) == list(map(str, paths))
    peak_mb = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{len(paths)} pages")
    print(f"for loop, one process      {len(paths) / alone:7.1f} pages/s   peak {loop_mb:.0f} MiB")
    print(
        f"wellread extract --jobs {given.jobs}  {len(paths) / together:7.1f} pages/s   peak {peak_mb:.0f} MiB (largest)"
    )
    print(f"in order: {in_order}; killed after {half} lines, continued to the same lines: {resumed}")


if __name__ == "__main__":
    main()
