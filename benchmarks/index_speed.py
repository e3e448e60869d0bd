"""The local index on many pages: hits, CPU of a query and of adding, size; beside an earlier commit in the same run.

    python benchmarks/index_speed.py --data DIR [--pages 1494 20000] [--queries 200] [--before COMMIT] [--rounds 3]

DIR holds `wcxb/ground-truth` (Web Content Extraction Benchmark v1.0, CC-BY-4.0). More pages than it has are made of it:
four in ten words of a page are replaced by words of other pages, as often as they stand there. A known item is six to
eight words of a sentence, and the page that they are from. Queries run in another process than the one that added the
pages. The versions take turns for the given rounds, and the least CPU time of each query, and of adding all pages,
counts: neighbours on the machine only add to it. A target that this tree misses is printed below its row.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from retrieval import choose_known_items, snapshot

from wellread.index.local_index import LocalIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

TREE = Path(__file__).resolve().parents[1]
REPLACED_SHARE = 0.4
MAX_QUERY_MS = {1_494: 5.0, 20_000: 20.0}
"""The 95th percentile of the CPU of a query, by pages."""
MAX_ADDING_MS = 6.0


def page_texts(folder: Path, page_count: int) -> Iterator[tuple[str, str, str | None]]:
    """Yield URL, text and title of `page_count` pages."""
    originals = []
    for file in sorted(folder.glob("*.json")):
        truth = json.loads(file.read_text(encoding="utf-8"))
        truth = truth | truth.get("ground_truth", {})
        originals.append((truth.get("url", file.stem), truth.get("main_content") or "", truth.get("title")))
    originals = list({url: (url, text, title) for url, text, title in originals}.values())
    yield from originals[:page_count]
    words = [word for _, text, _ in originals for word in text.split()]
    chance = random.Random(11)
    for number in range(len(originals), page_count):
        url, text, title = originals[number % len(originals)]
        varied = re.sub(
            r"\S+", lambda word: chance.choice(words) if chance.random() < REPLACED_SHARE else word.group(), text
        )
        yield f"{url}#{number}", varied, title


def measure_adding(folder: Path, page_count: int, index_folder: Path) -> dict[str, float]:
    """Add the pages to the index that is imported; return the CPU of it in ms a page, and the size."""
    index = LocalIndex(index_folder)
    adding_s = 0.0
    for url, text, title in page_texts(folder, page_count):
        page = snapshot(url, text, title)
        began = time.process_time()
        index.add(page, text)
        adding_s += time.process_time() - began
    began = time.process_time()
    index.close()
    adding_s += time.process_time() - began
    size = sum(file.stat().st_size for file in index_folder.rglob("*") if file.is_file())
    return {"adding": adding_s * 1000 / page_count, "megabytes": size / 1e6}


def measure_queries(
    folder: Path, page_count: int, index_folder: Path, query_count: int
) -> dict[str, list[float] | list[int]]:
    """Return the rank of each known item, 0 for none, and the CPU of its query in ms."""
    texts = {url: text for url, text, _ in page_texts(folder, page_count)}
    index = LocalIndex(index_folder)
    index.search("warm", 10)
    times, ranks = [], []
    for query, url in choose_known_items(texts, random.Random(7), query_count):
        began = time.process_time()
        urls = [hit.url for hit in index.search(query, 10)]
        times.append((time.process_time() - began) * 1000)
        ranks.append(urls.index(url) + 1 if url in urls else 0)
    index.close()
    return {"query_ms": times, "ranks": ranks}


def measure_versions(
    trees: dict[str, Path], arguments: argparse.Namespace, page_count: int
) -> dict[str, dict[str, float]]:
    """Return the figures of the package in each tree, by its label: one process adds pages, another one searches."""
    rounds: dict[str, list[dict[str, Any]]] = {label: [] for label in trees}
    for _ in range(arguments.rounds):
        for label, tree in trees.items():
            rounds[label].append(measure_round(tree, arguments, page_count))
    return {label: summarise(rows) | {"pages": page_count} for label, rows in rounds.items()}


def measure_round(tree: Path, arguments: argparse.Namespace, page_count: int) -> dict[str, Any]:
    """Add all pages to a new index, and search it."""
    figures: dict[str, Any] = {}
    environment = os.environ | {"PYTHONPATH": str(tree / "src")}
    with tempfile.TemporaryDirectory() as index_folder:
        command = [sys.executable, str(Path(__file__).resolve()), "--data", str(arguments.data)]
        command += ["--pages", str(page_count), "--queries", str(arguments.queries), "--index", index_folder]
        for step in ("add", "search"):
            done = subprocess.run([*command, "--step", step], env=environment, check=True, stdout=subprocess.PIPE)
            figures |= json.loads(done.stdout)
    return figures


def summarise(rows: list[dict[str, Any]]) -> dict[str, float]:
    """Return the shares of hits, and the least CPU times of the rounds."""
    times = [min(samples) for samples in zip(*(row["query_ms"] for row in rows), strict=True)]
    ranks = rows[0]["ranks"]
    return {
        "top1": statistics.mean(rank == 1 for rank in ranks),
        "top5": statistics.mean(0 < rank <= 5 for rank in ranks),
        "p50": statistics.median(times),
        "p95": statistics.quantiles(times, n=20)[-1],
        "adding": min(row["adding"] for row in rows),
        "megabytes": rows[0]["megabytes"],
    }


def missed_targets(figures: dict[str, float]) -> list[str]:
    """Return a line for each target that is missed."""
    max_query_ms = MAX_QUERY_MS.get(int(figures["pages"]), float("inf"))
    targets = (("p95 ms", figures["p95"], max_query_ms), ("ms/page", figures["adding"], MAX_ADDING_MS))
    return [f"missed: {name} {figure:.1f}, target {target:g}" for name, figure, target in targets if figure > target]


def main() -> None:
    """Print a row per implementation and number of pages."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", type=int, nargs="+", default=sorted(MAX_QUERY_MS))
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--before", help="a commit whose index is measured, too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--step", choices=["add", "search"], help=argparse.SUPPRESS)
    parser.add_argument("--index", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    folder = arguments.data / "wcxb" / "ground-truth"
    if arguments.step == "add":
        print(json.dumps(measure_adding(folder, arguments.pages[0], arguments.index)))
        return
    if arguments.step == "search":
        print(json.dumps(measure_queries(folder, arguments.pages[0], arguments.index, arguments.queries)))
        return
    print(f"{'index':12} {'pages':>6} {'top 1':>6} {'top 5':>6} {'p50 ms':>7} {'p95 ms':>7} {'ms/page':>7} {'MB':>6}")
    with tempfile.TemporaryDirectory() as name:
        trees = {"this tree": TREE}
        if arguments.before:
            archive = subprocess.run(
                ["git", "-C", str(TREE), "archive", arguments.before, "src"], check=True, capture_output=True
            )
            subprocess.run(["tar", "-x", "-C", name], input=archive.stdout, check=True)
            trees = {arguments.before[:12]: Path(name), **trees}
        for page_count in arguments.pages:
            for label, row in measure_versions(trees, arguments, page_count).items():
                print(
                    f"{label:12} {row['pages']:6.0f} {row['top1']:6.3f} {row['top5']:6.3f} {row['p50']:7.2f}"
                    f" {row['p95']:7.2f} {row['adding']:7.2f} {row['megabytes']:6.1f}",
                    flush=True,
                )
                for line in missed_targets(row) if trees[label] is TREE else ():
                    print(line, flush=True)


if __name__ == "__main__":
    main()
