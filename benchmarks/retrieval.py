"""Retrieval through the local index and the passage ranker: XQuAD, question -> its paragraph among 240.

    python benchmarks/retrieval.py --data DIR [--pages]

DIR holds `xquad/LANG.json` (SQuAD format, CC-BY-SA-4.0, https://github.com/google-deepmind/xquad), any languages.
`--pages` also looks for known items in the pages of `wcxb/ground-truth` (Web Content Extraction Benchmark v1.0,
CC-BY-4.0): six to eight words of a sentence find their page among all. Exits with 1 when a target is missed.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import statistics
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from wellread.index.local_index import LocalIndex
from wellread.rank.bm25 import score_bm25
from wellread.rank.diversify import PassageLimits
from wellread.rank.ranking import rank_passages
from wellread.types import Extraction, Metadata, Passage, Snapshot, snapshot_id

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

TARGETS = {"en": 0.96, "de": 0.92, "zh": 0.90}
PAGE_TARGET = 0.97


def snapshot(url: str, text: str, title: str | None) -> Snapshot:
    """Return what a reading of `text` would have left."""
    extraction = Extraction(document=(), metadata=Metadata(title=title), method="benchmark")
    return Snapshot(
        id=snapshot_id(text),
        url=url,
        final_url=url,
        status=200,
        content_type=None,
        fetched_at=0.0,
        fetch_time_ms=0,
        extraction_time_ms=0,
        extraction=extraction,
        confidence=1.0,
    )


def questions(file: Path) -> tuple[list[str], list[tuple[str, str]]]:
    """Return the paragraphs, and each question with the address of its paragraph."""
    paragraphs: list[str] = []
    asked: list[tuple[str, str]] = []
    for article in json.loads(file.read_text(encoding="utf-8"))["data"]:
        for paragraph in article["paragraphs"]:
            asked += [(row["question"], f"http://xquad.example/{len(paragraphs)}") for row in paragraph["qas"]]
            paragraphs.append(paragraph["context"])
    return paragraphs, asked


def rate(name: str, asked: Sequence[tuple[str, str]], search: Callable[[str], list[str]]) -> tuple[float, float]:
    """Ask everything; print and return MRR@10 and recall@5."""
    ranks, times = [], []
    for query, wanted in asked:
        began = time.process_time()
        found = search(query)
        times.append((time.process_time() - began) * 1000)
        ranks.append(found.index(wanted) + 1 if wanted in found else 0)
    mrr = statistics.mean(1 / rank if rank else 0.0 for rank in ranks)
    first, fifth = (statistics.mean(0 < rank <= most for rank in ranks) for most in (1, 5))
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(f"{name:18} {mrr:6.4f} {first:6.4f} {fifth:6.4f} {p50:7.2f} {p95:7.2f}")
    return mrr, fifth


def languages(folder: Path) -> bool:
    """Rate every language there is; tell whether all targets are met."""
    met = True
    for file in sorted(folder.glob("*.json")):
        paragraphs, asked = questions(file)
        index = LocalIndex(None)
        addresses = [f"http://xquad.example/{number}" for number in range(len(paragraphs))]
        for url, paragraph in zip(addresses, paragraphs, strict=True):
            index.add(snapshot(url, paragraph, None), paragraph)
        mrr, _ = rate(f"{file.stem} index", asked, partial(_pages, index))
        index.close()
        passages = [
            Passage(text=text, url=url, title=None, snapshot_id="", start=0, end=len(text))
            for url, text in zip(addresses, paragraphs, strict=True)
        ]
        rank_passages, _ = rate(f"{file.stem} passages", asked, partial(_sources, passages))
        met &= min(mrr, rank_passages) >= TARGETS.get(file.stem, 0.0)
    return met


def _pages(index: LocalIndex, query: str) -> list[str]:
    return [hit.url for hit in index.search(query, 10)]


def _sources(passages: Sequence[Passage], query: str) -> list[str]:
    told = rank_passages(passages, score_bm25(query, passages), PassageLimits(10, len(passages)))
    return [passage.url for passage in told.passages]


def known_items(folder: Path) -> bool:
    """Look for 200 pages by six to eight words of one of their sentences."""
    chance = random.Random(7)
    with tempfile.TemporaryDirectory() as name:
        index = LocalIndex(Path(name))
        began = time.process_time()
        texts = {}
        for file in sorted(folder.glob("*.json")):
            truth = json.loads(file.read_text(encoding="utf-8"))
            truth = truth | truth.get("ground_truth", {})
            text = truth.get("main_content") or ""
            url = truth.get("url", file.stem)
            texts[url] = text
            index.add(snapshot(url, text, truth.get("title")), text)
        took = time.process_time() - began
        index.close()
        size = sum(part.stat().st_size for part in Path(name).rglob("*") if part.is_file())
        chars = sum(map(len, texts.values()))
        print(
            f"{len(texts)} pages, {chars / 1e6:.1f} M characters, {size / 1e6:.1f} MB, {len(texts) / took:.0f} pages/s"
        )
        _, fifth = rate(
            "known items",
            choose_known_items(texts, chance, 200),
            lambda query: [hit.url for hit in index.search(query, 10)],
        )
        index.close()
    return fifth >= PAGE_TARGET


def choose_known_items(texts: dict[str, str], chance: random.Random, count: int) -> list[tuple[str, str]]:
    """Return at most `count` queries, each with the URL of the page that it was taken from."""
    items = []
    for url in chance.sample(sorted(texts), len(texts)):
        sentences = [words for part in re.split(r"[.!?\n]+", texts[url]) if len(words := part.split()) >= 8]
        if sentences:
            words = chance.choice(sentences)
            length = chance.randint(6, 8)
            start = chance.randrange(len(words) - length + 1)
            items.append((" ".join(words[start : start + length]), url))
    return items[:count]


def main() -> None:
    """Print one line per language and interface."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--pages", action="store_true", help="known items among real pages, too")
    given = parser.parse_args()
    print(f"{'':18} {'MRR@10':>6} {'top 1':>6} {'top 5':>6} {'p50 ms':>7} {'p95 ms':>7}")
    met = languages(given.data / "xquad")
    if given.pages:
        met &= known_items(given.data / "wcxb" / "ground-truth")
    sys.exit(0 if met else 1)


if __name__ == "__main__":
    main()
