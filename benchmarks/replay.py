"""Real pages through the library: all pages of WCXB replayed at their own URLs from one WARC.

    python benchmarks/replay.py --data DIR [--interface library|cli|search] [--limit N]

DIR holds `wcxb/html/NNNN.html.gz` and `wcxb/ground-truth/NNNN.json` (Web Content Extraction Benchmark v1.0,
CC-BY-4.0). Prints a table of outcomes, and the time from URL to page. `--interface search` indexes every page, then
looks for 200 of them by six to eight words of a sentence in their ground truth, and gathers evidence with the same
words.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gzip
import io
import json
import random
import re
import statistics
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import anyio
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from wellread import Settings, Web
from wellread.config import CacheSettings, SearchSettings
from wellread.errors import WellreadError


def record(data: Path, warc: Path, limit: int | None) -> list[str]:
    """Write the pages as another tool would have recorded them; return their URLs."""
    urls = []
    with warc.open("wb") as file:
        writer = WARCWriter(file, gzip=warc.suffix == ".gz")
        for truth in sorted((data / "wcxb" / "ground-truth").glob("*.json"))[:limit]:
            url = json.loads(truth.read_text(encoding="utf-8")).get("url") or f"http://no-url.example/{truth.stem}"
            body = gzip.decompress((data / "wcxb" / "html" / f"{truth.stem}.html.gz").read_bytes())
            fields = [("Content-Type", "text/html"), ("Content-Length", str(len(body)))]
            head = StatusAndHeaders("200 OK", fields, protocol="HTTP/1.1")
            writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=head))
            urls.append(url)
    return urls


async def by_library(warc: Path, urls: list[str], folder: Path) -> tuple[list[str], list[float]]:
    """Read every URL in one process, one after the other."""
    outcomes, times = [], []
    async with Web(Settings(cache=CacheSettings(dir=folder)), replay=warc) as web:
        for url in urls:
            began = time.perf_counter()
            try:
                page = await web.read(url)
                outcomes.append("read" if page.word_count >= 120 else "read, under 120 words")
            except WellreadError as error:
                outcomes.append(error.code)
            times.append(time.perf_counter() - began)
    return outcomes, times


def by_cli(warc: Path, urls: list[str]) -> tuple[list[str], list[float]]:
    """Run `wellread read URL --replay WARC --json` once per URL, two at a time."""
    with ThreadPoolExecutor(2) as pool:
        ended = list(pool.map(partial(one_by_cli, warc), urls))
    return [outcome for outcome, _ in ended], [took for _, took in ended]


def one_by_cli(warc: Path, url: str) -> tuple[str, float]:
    """Read one URL in a process of its own."""
    began = time.perf_counter()
    command = [sys.executable, "-m", "wellread", "read", url, "--replay", str(warc), "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    took = time.perf_counter() - began
    try:
        answer = json.loads(done.stdout)
    except ValueError:
        print(url, done.stderr[-400:], file=sys.stderr)
        return f"crash, exit {done.returncode}", took
    return (answer["error"]["code"] if "error" in answer else "read"), took


def known_items(data: Path, urls: list[str], count: int = 200) -> list[tuple[str, str, str]]:
    """Return (URL, sentence, query) for pages drawn by chance: words from the middle of a sentence in their truth."""
    chance = random.Random(7)
    items = []
    truths = sorted((data / "wcxb" / "ground-truth").glob("*.json"))[: len(urls)]
    for url, truth in chance.sample(list(zip(urls, truths, strict=True)), len(urls)):
        text = json.loads(truth.read_text(encoding="utf-8"))["ground_truth"].get("main_content") or ""
        sentences = [s for s in re.split(r"(?<=[.!?])\s+", text) if 10 <= len(s.split()) <= 30 and "\n" not in s]
        if sentences:
            sentence = chance.choice(sentences)
            words = re.findall(r"\w+", sentence)
            size = chance.randint(6, 8)
            at = chance.randint(0, max(0, len(words) - size))
            items.append((url, sentence, " ".join(words[at : at + size])))
    return items[:count]


async def by_search(data: Path, warc: Path, urls: list[str], folder: Path) -> None:
    """Index all pages, search for known items, gather evidence for them."""
    settings = Settings(cache=CacheSettings(dir=folder), search=SearchSettings(providers=("local",)))
    async with Web(settings, replay=warc) as web:
        began = time.perf_counter()
        for url in urls:
            with contextlib.suppress(WellreadError):
                await web.index(url)
        took = time.perf_counter() - began
        speed = f"{len(urls) / took:.0f} pages/s from URL to index"
        print(f"indexed {web.parts.index.count()} pages, {speed}, {_size(folder)}")
        times, ranks, held = [], [], []
        for url, sentence, query in known_items(data, urls):
            began = time.perf_counter()
            found = await web.search(query, count=10)
            times.append(time.perf_counter() - began)
            ranks.append(next((hit.rank for hit in found.hits if hit.url == url), 99))
            told = await web.gather(query)
            wanted = re.findall(r"\w+", sentence.lower())
            held.append(any(_holds(passage.text, wanted) for passage in told.passages))
        print(f"{len(ranks)} known items: top 1 {_share(ranks, 1):.3f}, top 5 {_share(ranks, 5):.3f}")
        print(f"gather's passages hold the sentence: {sum(held) / len(held):.3f}")
        ordered = sorted(times)
        print(
            f"query ms: p50 {ordered[len(ordered) // 2] * 1000:.0f}, p95 {ordered[len(ordered) * 95 // 100] * 1000:.0f}"
        )


def _size(folder: Path) -> str:
    return f"{sum(file.stat().st_size for file in folder.glob('index*')) / 1e6:.0f} MB"


def _share(ranks: list[int], limit: int) -> float:
    return sum(rank <= limit for rank in ranks) / len(ranks)


def _holds(text: str, words: list[str]) -> bool:
    """Say whether the words stand in the text in order, links and emphasis set aside."""
    plain = re.sub(r"\]\([^)]*\)", "", text)
    return " ".join(words) in " ".join(re.findall(r"\w+", plain.lower()))


def main() -> None:
    """Record, read, and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--interface", choices=["library", "cli", "search"], default="library")
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # Every run of the command opens the recording anew, which is quickest when it is not compressed.
        warc = folder / ("pages.warc" if given.interface == "cli" else "pages.warc.gz")
        urls = record(given.data, warc, given.limit)
        print(f"{len(urls)} pages, {warc.stat().st_size / 1e6:.1f} MB of WARC")
        if given.interface == "search":
            anyio.run(by_search, given.data, warc, urls, folder)
            return
        if given.interface == "cli":
            outcomes, times = by_cli(warc, urls)
        else:
            outcomes, times = anyio.run(by_library, warc, urls, folder)
    for outcome, count in collections.Counter(outcomes).most_common():
        print(f"{count:6} {outcome}")
    print(f"seconds: median {statistics.median(times):.3f}, slowest {max(times):.3f}, all {sum(times):.1f}")


if __name__ == "__main__":
    main()
