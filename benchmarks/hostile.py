"""What hostile pages cost: every page of tests/security/hostile at 50 KB and at 200 KB, worst first.

    python benchmarks/hostile.py [--mode precision|balanced|recall] [--only WORD] [--limit N] [--jobs N] [--json]

Prints for each page the CPU seconds at both sizes, their ratio (4 is linear, 16 the square), and how the larger read
ended. Seconds are those of the machine that the bounds were set on: the CPU time divided by how many times longer a
fixed loop takes here and now (column `slow`). Small fixed pages have one size. The last line has the worst cost, the
worst ratio of those pages that take more than 0.2 s, and how many take more than 2 s. A page is killed after 60 s of
CPU. All pages take about ten minutes of two cores. Exits with 1 when a page costs too much.
"""

from __future__ import annotations

import argparse
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from security.hostile.cost import MAX_RATIO, NOISE_S, Cost, Growth, Reader
from security.hostile.pages import ALL

if TYPE_CHECKING:
    from security.hostile.cost import Mode

SMALL_BYTES = 50_000
MAX_CPU_S = 2.0
MAX_FIXED_CPU_S = 0.5


@dataclass(frozen=True)
class Row:
    """One page and its costs; a fixed page has one cost."""

    name: str
    fixed: bool
    small: Cost
    large: Cost

    @property
    def growth(self) -> Growth:
        """Return the costs as those of two sizes."""
        return Growth(self.small, self.large)

    @property
    def ratio(self) -> float | None:
        """Return the ratio of the costs, if there is one that means something."""
        return None if self.fixed or self.large.usual_s < NOISE_S else self.growth.ratio

    @property
    def faults(self) -> list[str]:
        """Return what is wrong with these costs."""
        limit = MAX_FIXED_CPU_S if self.fixed else MAX_CPU_S
        return [
            *(["outcome"] if not self.large.is_typed or not self.small.is_typed else []),
            *(["cpu"] if self.large.usual_s > limit else []),
            *(["ratio"] if self.ratio is not None and self.ratio > MAX_RATIO else []),
        ]


def measured(reader: Reader, name: str, mode: Mode) -> Row:
    """Read one page at each of its sizes."""
    if ALL[name].fixed:
        cost = reader.read(name, 0, mode=mode)
        return Row(name, fixed=True, small=cost, large=cost)
    growth = reader.growth(name, SMALL_BYTES, mode=mode)
    return Row(name, fixed=False, small=growth.small, large=growth.large)


def rows(names: list[str], mode: Mode, jobs: int) -> list[Row]:
    """Read all pages, several at a time, each by a process that has read others before; the worst comes first."""
    idle: SimpleQueue[Reader] = SimpleQueue()
    readers = [Reader() for _ in range(jobs)]
    for reader in readers:
        idle.put(reader)

    def measure(name: str) -> Row:
        reader = idle.get()
        try:
            return measured(reader, name, mode)
        finally:
            idle.put(reader)
            print(".", end="", file=sys.stderr, flush=True)

    try:
        with ThreadPoolExecutor(jobs) as pool:
            return sorted(pool.map(measure, names), key=lambda row: -row.large.usual_s)
    finally:
        for reader in readers:
            reader.__exit__(None, None, None)
        print(file=sys.stderr)


def table(shown: list[Row]) -> str:
    """Return the rows as text."""
    lines = [f"{'page':44} {'50 KB s':>8} {'200 KB s':>8} {'ratio':>6} {'text KB':>8} {'slow':>5}  outcome"]
    for row in shown:
        small = "" if row.fixed else f"{row.small.usual_s:.3f}"
        ratio = "" if row.ratio is None else f"{row.ratio:.1f}"
        faults = f"  ! {', '.join(row.faults)}" if row.faults else ""
        text = row.large.text_bytes // 1000
        lines.append(
            f"{row.name:44} {small:>8} {row.large.usual_s:8.3f} {ratio:>6} {text:8} {row.large.slowness:5.2f}  "
            f"{row.large.outcome}{faults}"
        )
    return "\n".join(lines)


def summary(all_rows: list[Row]) -> str:
    """Return one line on all rows."""
    worst = max(all_rows, key=lambda row: row.large.usual_s)
    steep = max(all_rows, key=lambda row: row.ratio or 0.0)
    over = sum("cpu" in row.faults and not row.fixed for row in all_rows)
    fixed = sum("cpu" in row.faults and row.fixed for row in all_rows)
    ratios = sum("ratio" in row.faults for row in all_rows)
    outcomes = sum("outcome" in row.faults for row in all_rows)
    return (
        f"{len(all_rows)} pages: worst {worst.large.usual_s:.2f} s ({worst.name}), "
        f"worst ratio {steep.ratio or 0.0:.1f} ({steep.name}), {over} over {MAX_CPU_S:.0f} s, "
        f"{ratios} with a ratio over {MAX_RATIO:.0f}, {fixed} fixed over {MAX_FIXED_CPU_S} s, "
        f"{outcomes} without a typed outcome"
    )


def main() -> int:
    """Measure and print; return 1 when a page costs too much or ends without a typed outcome."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mode", choices=("precision", "balanced", "recall"), default="balanced")
    parser.add_argument("--only", default="", help="pages with this in their name")
    parser.add_argument("--limit", type=int, help="rows to print")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    names = [name for name in ALL if options.only in name]
    if not names:
        parser.error(f"no page has {options.only!r} in its name")
    all_rows = rows(names, options.mode, options.jobs)
    if options.json:
        print(json.dumps([asdict(row) | {"ratio": row.ratio, "faults": row.faults} for row in all_rows], indent=1))
    else:
        print(table(all_rows[: options.limit]))
        print(summary(all_rows))
    return int(any(row.faults for row in all_rows))


if __name__ == "__main__":
    sys.exit(main())
