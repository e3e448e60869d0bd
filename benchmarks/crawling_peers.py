"""Crawls the web of `tests/crawl_web.py` with wellread, Scrapy, Crawlee and Crawl4AI side by side.

    PYTHONPATH=src:tests python benchmarks/crawling_peers.py --scrapy PYTHON --crawlee PYTHON --crawl4ai PYTHON

Each PYTHON is an interpreter that has the peer installed. Every crawler obeys robots.txt by its own option, keeps
its state by its own option, and else has its defaults. One table row for each: the pages of the web that it read, pages
per second, CPU per page, requests that robots.txt forbids, the shortest gap between two requests to the host with a
crawl delay; then the same after a kill -9 at half of the requests and a second start: pages read in total, and
requests that were sent twice. Scrapy and Crawlee only follow links; wellread and Crawl4AI make markdown of each page.
"""

from __future__ import annotations

import argparse
import resource
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from crawling import TRAPS, report, serving

from crawl_web import DELAY_S, CrawlWeb

MAX_S = 600.0
SCRIPTS = {
    "scrapy": """
import sys
import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor
folder, *starts = sys.argv[1:]
class Pages(scrapy.Spider):
    name = "pages"
    start_urls = starts
    allowed_domains = [start.split("/")[2].split(":")[0] for start in starts]
    def parse(self, response):
        with open(folder + "/pages.txt", "a") as file:
            file.write(response.url + "\\n")
        for link in LinkExtractor().extract_links(response):
            yield response.follow(link, self.parse)
process = CrawlerProcess({"ROBOTSTXT_OBEY": True, "JOBDIR": folder + "/job", "LOG_LEVEL": "ERROR", "DEPTH_LIMIT": 60})
process.crawl(Pages)
process.start()
""",
    "crawlee": """
import asyncio, sys
from crawlee.configuration import Configuration
from crawlee.crawlers import BeautifulSoupCrawler
from crawlee import service_locator
folder, *starts = sys.argv[1:]
async def main():
    settings = Configuration(storage_dir=folder + "/storage", purge_on_start=False, log_level="ERROR")
    service_locator.set_configuration(settings)
    crawler = BeautifulSoupCrawler(respect_robots_txt_file=True, max_crawl_depth=60, configure_logging=False)
    @crawler.router.default_handler
    async def handle(context):
        with open(folder + "/pages.txt", "a") as file:
            file.write(context.request.url + "\\n")
        await context.enqueue_links(strategy="same-hostname")
    await crawler.run(starts)
asyncio.run(main())
""",
    "crawl4ai": """
import asyncio, json, os, sys
from urllib.parse import urlsplit
from crawl4ai import AsyncWebCrawler, CacheMode, CrawlerRunConfig
from crawl4ai.async_crawler_strategy import AsyncHTTPCrawlerStrategy
from crawl4ai.deep_crawling import BFSDeepCrawlStrategy
folder, *starts = sys.argv[1:]
async def crawl(crawler, number, start):
    place = f"{folder}/state-{number}.json"
    state = json.load(open(place)) if os.path.exists(place) else None
    async def save(state):
        with open(place + ".half", "w") as file:
            json.dump(state, file)
        os.replace(place + ".half", place)
    strategy = BFSDeepCrawlStrategy(max_depth=60, include_external=False, resume_state=state, on_state_change=save)
    config = CrawlerRunConfig(
        deep_crawl_strategy=strategy, check_robots_txt=True, cache_mode=CacheMode.BYPASS, stream=True, verbose=False
    )
    async for result in await crawler.arun(start, config=config):
        if result.success:
            with open(folder + "/pages.txt", "a") as file:
                file.write(result.url + "\\n")
async def main():
    async with AsyncWebCrawler(crawler_strategy=AsyncHTTPCrawlerStrategy(), verbose=False) as crawler:
        await asyncio.gather(*(crawl(crawler, number, start) for number, start in enumerate(starts)))
asyncio.run(main())
""",
    "wellread": """
import sys
from pathlib import Path
import anyio
from crawl_web import CrawlWeb
from wellread import Web
folder, *starts = sys.argv[1:]
async def main():
    web = CrawlWeb(0, port=int(starts[0].rpartition(":")[2].rstrip("/")))
    async with Web(web.settings(Path(folder) / "cache")) as crawling:
        async for record in crawling.crawl(starts, out=Path(folder) / "out", limit=1_000_000, depth=60):
            if record.page is not None:
                with open(folder + "/pages.txt", "a") as file:
                    file.write(record.url + "\\n")
anyio.run(main)
""",
}


def start(name: str, python: str, folder: Path, web: CrawlWeb) -> subprocess.Popen[bytes]:
    """Start a crawler in a process of its own; it writes each URL that it has read into `pages.txt`."""
    folder.mkdir(parents=True, exist_ok=True)
    script = folder / "crawl.py"
    script.write_text(SCRIPTS[name], encoding="utf-8")
    log = (folder / "log.txt").open("ab")
    return subprocess.Popen([python, str(script), str(folder), *web.starts()], stdout=log, stderr=log, cwd=folder)


def finished(process: subprocess.Popen[bytes]) -> bool:
    """Wait for a crawler's end; return whether it came within the time."""
    try:
        process.wait(MAX_S)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGKILL)
        process.wait()
        return False
    return True


def pages_read(folder: Path, web: CrawlWeb) -> set[str]:
    """Return the pages of the web that were read, traps aside."""
    path = folder / "pages.txt"
    urls = set(path.read_text(encoding="utf-8").split()) if path.exists() else set()
    return {url for url in urls if not any(trap in url for trap in TRAPS)} & web.expected()


def whole_run(name: str, python: str, folder: Path, web: CrawlWeb) -> int:
    """Crawl once, report, and return the number of requests."""
    web.requests.clear()
    usage, started_at = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    ended = finished(start(name, python, folder, web))
    seconds = time.monotonic() - started_at
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = used.ru_utime + used.ru_stime - usage.ru_utime - usage.ru_stime
    count = len(pages_read(folder, web))
    report(f"{name}: pages read", f"{count} of {len(web.expected())}{'' if ended else ', not ended'}")
    report(f"{name}: pages per second", f"{count / seconds:.1f}")
    report(f"{name}: CPU per page, ms", f"{cpu_s / max(count, 1) * 1000:.0f}")
    report(f"{name}: forbidden URLs asked for", sum("/private/" in url for _, url in web.requests))
    gaps = web.gaps_s(3)
    report(f"{name}: shortest gap of the host with {DELAY_S} s", f"{min(gaps):.3f}" if gaps else "none")
    report(f"{name}: requests", len(web.requests))
    return len(web.requests)


def killed_run(name: str, python: str, folder: Path, web: CrawlWeb, requests: int) -> None:
    """Kill a crawl when half of the requests were sent, start it again, and report what that costs."""
    web.requests.clear()
    process = start(name, python, folder, web)
    deadline = time.monotonic() + MAX_S
    while len(web.requests) < requests // 2 and process.poll() is None and time.monotonic() < deadline:
        try:
            process.wait(0.05)
        except subprocess.TimeoutExpired:
            continue
    process.send_signal(signal.SIGKILL)
    process.wait()
    finished(start(name, python, folder, web))
    sent = [url for _, url in web.requests]
    lost = web.expected() - pages_read(folder, web)
    report(f"{name}: pages lost after kill -9 and a second start", len(lost))
    report(f"{name}: requests sent twice", len(sent) - len(set(sent)))


def main() -> None:
    """Run all crawlers, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=40)
    for name in ("scrapy", "crawlee", "crawl4ai"):
        parser.add_argument(f"--{name}")
    words = vars(parser.parse_args())
    pythons = {name: words.get(name) or "" for name in SCRIPTS} | {"wellread": sys.executable}
    with tempfile.TemporaryDirectory() as temporary, serving(CrawlWeb(words["pages"])) as web:
        for name, python in pythons.items():
            if python:
                requests = whole_run(name, python, Path(temporary) / name / "whole", web)
                killed_run(name, python, Path(temporary) / name / "killed", web, requests)


if __name__ == "__main__":
    main()
