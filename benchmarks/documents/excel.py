"""Measures the CPU time that a workbook of 2,000 rows and 5 columns takes, beside another version of wellread.

    PYTHONPATH=src python benchmarks/documents/excel.py [--before ANOTHER_TREE/src] [--runs 15]

The workbook is made here: dates, texts, whole numbers, prices and shares, as a library writes them. Each version runs
in a process of its own, and of all runs the fastest counts: other processes make work slower, never faster.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

TREE: Final = Path(__file__).parents[2]
sys.path.insert(0, str(TREE / "tests"))

from unit.office import Value, cells, formats, xlsx  # noqa: E402 - the path is set above

ROWS: Final = 2_000
TURNS: Final = 3
_MEASURE: Final = """
import pathlib, sys, time
from wellread.types import Source
from wellread.documents.xlsx import XlsxExtractor
source = Source(body=pathlib.Path(sys.argv[1]).read_bytes(), media_type="")
best = 1e9
for _ in range(int(sys.argv[2])):
    began = time.process_time()
    XlsxExtractor().extract(source)
    best = min(best, time.process_time() - began)
print(best)
"""


def workbook() -> bytes:
    """Return the workbook that is measured."""
    rng = random.Random(1)
    rows: list[tuple[Value, ...]] = [("day", "name", "count", "price", "share")]
    for at in range(1, ROWS):
        day = f'<c s="1"><v>{45_291 + at}</v></c>'
        price = f'<c s="2"><v>{rng.random() * 1_000!r}</v></c>'
        rows.append((day, f"name {at}", at, price, rng.random()))
    styles = formats("yyyy-mm-dd", "#,##0.00")
    styles = styles.replace("<fill/>", "<fill><patternFill/></fill>")
    styles = styles.replace("<cellXfs>", "<borders><border/></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs>")
    return xlsx(f"<sheetData>{cells(*rows)}</sheetData>", styles=styles)


def milliseconds(source_tree: Path, file: Path, runs: int) -> float:
    """Return the least CPU time of some runs of one version, in a process of its own."""
    command = [sys.executable, "-c", _MEASURE, str(file), str(runs)]
    environment = {**os.environ, "PYTHONPATH": str(source_tree)}
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return float(done.stdout) * 1_000


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", type=Path, help="the src of another version")
    parser.add_argument("--runs", type=int, default=15)
    chosen = parser.parse_args()
    trees = {"after": TREE / "src"} | ({"before": chosen.before} if chosen.before else {})
    with TemporaryDirectory() as folder:
        file = Path(folder) / "book.xlsx"
        file.write_bytes(workbook())
        measured = {name: [milliseconds(tree, file, chosen.runs) for _ in range(TURNS)] for name, tree in trees.items()}
    for name, times in measured.items():
        print(f"{name}: {min(times):.0f} ms CPU, {ROWS:,} rows of 5 cells")


if __name__ == "__main__":
    main()
