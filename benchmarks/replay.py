"""Real pages through the front door: all pages of WCXB replayed at their own URLs from one WARC.

    python benchmarks/replay.py --data DIR [--door library|cli] [--limit N]

DIR holds `wcxb/html/NNNN.html.gz` and `wcxb/ground-truth/NNNN.json` (Web Content Extraction Benchmark v1.0,
CC-BY-4.0). Prints a table of outcomes, and the time from URL to page.
"""

from __future__ import annotations

import argparse
import collections
import gzip
import io
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import anyio
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from wellread import Settings, Web
from wellread.config import CacheSettings
from wellread.errors import WellreadError


def record(data: Path, warc: Path, limit: int | None) -> list[str]:
    """Write the pages as another tool would have recorded them; return their URLs."""
    urls = []
    with warc.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
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
    """Run `wellread read URL --replay WARC --json` once per URL."""
    outcomes, times = [], []
    for url in urls:
        began = time.perf_counter()
        command = [sys.executable, "-m", "wellread", "read", url, "--replay", str(warc), "--json"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        times.append(time.perf_counter() - began)
        try:
            answer = json.loads(done.stdout)
            outcomes.append(answer["error"]["code"] if "error" in answer else "read")
        except ValueError:
            outcomes.append(f"crash, exit {done.returncode}")
            print(url, done.stderr[-400:], file=sys.stderr)
    return outcomes, times


def main() -> None:
    """Record, read, and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--door", choices=["library", "cli"], default="library")
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        warc = folder / "pages.warc.gz"
        urls = record(given.data, warc, given.limit)
        print(f"{len(urls)} pages, {warc.stat().st_size / 1e6:.1f} MB of WARC")
        if given.door == "cli":
            outcomes, times = by_cli(warc, urls)
        else:
            outcomes, times = anyio.run(by_library, warc, urls, folder)
    for outcome, count in collections.Counter(outcomes).most_common():
        print(f"{count:6} {outcome}")
    print(f"seconds: median {statistics.median(times):.3f}, slowest {max(times):.3f}, all {sum(times):.1f}")


if __name__ == "__main__":
    main()
