"""Measures crawls on the web of `tests/crawl_web.py`: what is found, how politely, and what a kill costs.

    PYTHONPATH=src:tests python benchmarks/crawling.py [--pages N] [--kills N] [--changes N]
    PYTHONPATH=src:tests python benchmarks/crawling.py --workers 3 [--pages N]
    PYTHONPATH=src:tests python benchmarks/crawling.py --stored-urls 20000

One whole run; then a run that is killed by SIGKILL at random moments; then a second round over planted changes. With
`--workers`: one crawl of so many processes that share a frontier in PostgreSQL, of which one is killed. With
`--stored-urls`: the cost of a frontier in PostgreSQL for so many URLs, without any page. One figure a line. `--pages`
is the number of pages of each of five hosts: 600 make a web of more than 3,000 URLs.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import anyio

import postgres
from crawl_web import DELAY_S, CrawlWeb
from wellread import Web
from wellread.crawl.frontier import FrontierUrl, UrlOutcome
from wellread.crawl.postgres_frontier import SCHEMA, PostgresFrontier
from wellread.net.postgres import PostgresConnection, parse_address
from wellread.rank.near_duplicate import text_signature
from wellread.sections import CrawlSettings
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Iterator

TRAPS = ("/calendar/", "/loop/")
LEASE_S = 5.0
KILLED_AFTER = 20
"""Pages of the worker that is killed."""


@contextmanager
def serving(web: CrawlWeb) -> Iterator[CrawlWeb]:
    """Serve the web while the block lasts."""
    server = web.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()


async def crawl(folder: Path, page_count: int, port: int, *, again: bool = False) -> None:
    """Crawl the whole web into a folder."""
    web = CrawlWeb(page_count, port=port)
    recrawl: Literal["changed"] | None = "changed" if again else None
    async with Web(web.settings(folder / "cache")) as crawling:
        records = crawling.crawl(web.starts(), out=folder / "out", limit=1_000_000, depth=100, recrawl=recrawl)
        async for _ in records:
            pass


def run(folder: Path, web: CrawlWeb, *, kill_after_s: float | None = None, again: bool = False) -> bool:
    """Crawl in a process of its own; return whether it came to its end before it was killed."""
    command = [
        sys.executable,
        __file__,
        "--folder",
        str(folder),
        "--port",
        str(web.port),
        "--pages",
        str(web.page_count),
    ]
    with subprocess.Popen([*command, *(["--again"] if again else [])]) as process:
        try:
            return process.wait(kill_after_s) == 0
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
    return False


def lines(folder: Path) -> list[dict[str, str]]:
    """Return the lines of a crawl."""
    return [json.loads(line) for line in (folder / "out" / "pages.jsonl").read_text(encoding="utf-8").splitlines()]


def read_urls(folder: Path) -> set[str]:
    """Return the URLs of the pages that were read, traps aside."""
    return {line["url"] for line in lines(folder) if "text" in line and not any(trap in line["url"] for trap in TRAPS)}


def report(name: str, figure: object) -> None:
    """Print a figure."""
    sys.stdout.write(f"{name}: {figure}\n")
    sys.stdout.flush()


def refuse_some(web: CrawlWeb) -> int:
    """Let some pages of one host answer 429 once, and return their number."""
    pages = [web.url(5, web.path(page)) for page in range(1, web.page_count, 40)]
    web.busy.update(dict.fromkeys(pages, 1))
    return len(pages)


def whole_run(folder: Path, web: CrawlWeb) -> float:
    """Crawl once, report what was found, and return the seconds."""
    refuse_some(web)
    started_at, cpu_s = time.monotonic(), _cpu_s()
    run(folder, web)
    seconds = time.monotonic() - started_at
    urls = [line["url"] for line in lines(folder)]
    expected = web.expected()
    report("URLs", len(urls))
    report("pages per second", f"{len(urls) / seconds:.1f}")
    report("CPU per URL, ms", f"{(_cpu_s() - cpu_s) / len(urls) * 1000:.0f}")
    report("recall of what robots.txt allows", f"{len(read_urls(folder) & expected) / len(expected):.4f}")
    report("pages beyond it", len(read_urls(folder) - expected))
    report("forbidden URLs that were asked for", sum("/private/" in url for _, url in web.requests))
    report("URLs with two lines", len(urls) - len(set(urls)))
    report(f"shortest gap of the host with a delay of {DELAY_S} s", f"{min(web.gaps_s(3)):.3f}")
    report("states", dict(Counter(line["state"] for line in lines(folder))))
    return seconds


def killed_run(folder: Path, web: CrawlWeb, kills: int, seconds: float) -> None:
    """Crawl with kills at random moments, and report what they cost."""
    rng = random.Random(web.seed)
    web.requests.clear()
    refused = refuse_some(web)
    for _ in range(kills):
        run(folder, web, kill_after_s=rng.uniform(0.5, 2 * seconds / kills + 2))
    while not run(folder, web):
        pass
    urls = [line["url"] for line in lines(folder)]
    expected = web.expected()
    report("kills", kills)
    report("recall after kills", f"{len(read_urls(folder) & expected) / len(expected):.4f}")
    report("pages beyond it after kills", len(read_urls(folder) - expected))
    report("URLs with two lines after kills", len(urls) - len(set(urls)))
    sent = [url for _, url in web.requests]
    report("requests sent twice, 429 aside", len(sent) - len(set(sent)) - refused)
    report("shortest gap over kills", f"{min(web.gaps_s(3)):.3f}")


async def work(folder: Path, page_count: int, port: int, frontier: str, *, joins: bool) -> None:
    """Begin or join a crawl whose frontier is in PostgreSQL."""
    web = CrawlWeb(page_count, port=port)
    settings = replace(web.settings(folder / "cache"), crawl=CrawlSettings(frontier=Address(frontier), lease_s=LEASE_S))
    async with Web(settings) as crawling:
        if joins:
            records = crawling.crawl_worker(out=folder / "out", concurrency=3)
        else:
            address, starts = Address(frontier), web.starts()
            records = crawling.crawl(
                starts, out=folder / "out", limit=1_000_000, depth=100, concurrency=3, frontier=address
            )
        async for record in records:
            print(record.url, flush=True)


def run_workers(folder: Path, web: CrawlWeb, count: int) -> None:
    """Crawl with several workers, kill the last one after some pages, and report what was read."""
    command = [sys.executable, __file__, "--port", str(web.port), "--pages", str(web.page_count)]
    folders = [folder / str(number) for number in range(count)]
    with postgres.serving() as server, server.database() as frontier, ExitStack() as stack:
        started_at, cpu_s = time.monotonic(), _cpu_s()
        processes: list[subprocess.Popen[str]] = []
        for path in folders:
            words = [*command, "--folder", str(path), "--frontier", frontier, *(["--join"] if processes else [])]
            process = stack.enter_context(subprocess.Popen(words, stdout=subprocess.PIPE, text=True))
            assert process.stdout is not None
            process.stdout.readline()  # its first page: what comes now may join
            processes.append(process)
        last = processes.pop()
        assert last.stdout is not None
        for _ in range(KILLED_AFTER):
            last.stdout.readline()
        last.send_signal(signal.SIGKILL)
        for process in processes:
            process.communicate()
        seconds = time.monotonic() - started_at
    whole = [text for path in folders for text in (path / "out/pages.jsonl").read_text().splitlines(keepends=True)]
    rows = [json.loads(line) for line in whole if line.endswith("\n")]
    urls = [row["url"] for row in rows]
    read = {row["url"] for row in rows if "text" in row and not any(trap in row["url"] for trap in TRAPS)}
    sent = [url for _, url in web.requests]
    report("workers", count)
    report("URLs by worker", [len((path / "out/pages.jsonl").read_text().splitlines()) for path in folders])
    report("URLs per second", f"{len(urls) / seconds:.1f}")
    report("CPU per URL, ms, with the starts and without the database", f"{(_cpu_s() - cpu_s) / len(urls) * 1000:.0f}")
    report("recall of what robots.txt allows", f"{len(read & web.expected()) / len(web.expected()):.4f}")
    report("URLs with two lines", len(urls) - len(set(urls)))
    report("requests sent twice", len(sent) - len(set(sent)))
    report(f"shortest gap of the host with a delay of {DELAY_S} s", f"{min(web.gaps_s(3)):.3f}")


def frontier_cost(count: int) -> None:
    """Add, lease and finish URLs of a frontier in PostgreSQL, with ten links of each page, and report the cost."""
    hosts = [f"host{number}.example" for number in range(200)]
    with postgres.serving() as server, server.database() as url:
        frontier = PostgresFrontier(Address(url), worker="one", lease_s=60)
        connection = PostgresConnection(parse_address(Address(url), "url", schema=SCHEMA), {})
        frontier.add([_made_url(host, 0) for host in hosts])
        pid = connection.run(
            "select pid from pg_stat_activity where application_name = 'wellread' and pid <> pg_backend_pid()"
        )[0][0]
        started_at, client_s, server_s = time.monotonic(), time.process_time(), _process_s(pid)
        for number in range(count):
            now = frontier.now()
            lease = frontier.lease(now, until=now + 60)
            assert lease is not None
            first = number // len(hosts) + 1
            frontier.add([_made_url(lease.host, page) for page in range(first, first + 10)])
            signature = text_signature(" ".join(f"word{number * 7 + word}" for word in range(100)))
            frontier.claim_text(lease.url.url, f"sha256:{number}", signature)
            outcome = UrlOutcome(state="new", etag='"1"', snapshot_id=f"sha256:{number:064}", line=(number, number + 1))
            frontier.finish(lease, outcome, next_at=0)
        seconds = time.monotonic() - started_at
        client_s, server_s = time.process_time() - client_s, _process_s(pid) - server_s
        known = frontier.counts().waiting + count
        (size,) = connection.run(
            "select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r' "
            "and relnamespace = 'wellread_crawl'::regnamespace"
        )[0]
        report("URLs done per second by one worker", f"{count / seconds:.0f}")
        report("CPU of the worker per URL, ms", f"{client_s / count * 1000:.2f}")
        report("CPU of the database per URL, ms", f"{server_s / count * 1000:.2f}")
        report("bytes of the database per known URL", f"{int(size) / known:.0f}")
        connection.close()
        frontier.close()


def _made_url(host: str, page: int) -> FrontierUrl:
    path = f"/section/{page % 7}/article-number-{page}.html"
    return FrontierUrl(url=f"https://{host}{path}", key=f"{host}{path}", host=host, depth=1, parent=f"https://{host}/")


def _process_s(pid: int) -> float:
    """Return the CPU seconds of a process (Linux)."""
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def second_round(folder: Path, web: CrawlWeb, changes: int) -> None:
    """Change some pages, crawl again, and report what was told of them."""
    rng = random.Random(web.seed)
    normal = [url for url in sorted(read_urls(folder) & web.expected()) if "127.0.0.6" not in url]
    changed = set(rng.sample(normal, changes))
    web.versions.update(dict.fromkeys(changed, 1))
    web.conditional = 0
    run(folder, web, again=True)
    states = {line["url"]: line["state"] for line in lines(folder)}
    report("planted changes that were told", f"{sum(states[url] == 'changed' for url in changed)} of {changes}")
    report(
        "pages wrongly called changed", sum(state == "changed" for url, state in states.items() if url not in changed)
    )
    report("conditional requests", web.conditional)


def _cpu_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    """Run all parts, or one crawl in a process of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--changes", type=int, default=50)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--port", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--again", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--workers", type=int, default=0, help="processes that share a frontier in PostgreSQL")
    parser.add_argument("--frontier", help=argparse.SUPPRESS)
    parser.add_argument("--join", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--stored-urls", type=int, default=0, help="URLs of a frontier in PostgreSQL")
    words = parser.parse_args()
    if words.stored_urls:
        frontier_cost(words.stored_urls)
        return
    if words.frontier is not None:
        anyio.run(lambda: work(words.folder, words.pages, words.port, words.frontier, joins=words.join))
        return
    if words.workers:
        with tempfile.TemporaryDirectory() as temporary, serving(CrawlWeb(words.pages)) as web:
            run_workers(Path(temporary), web, words.workers)
        return
    if words.folder is not None:
        anyio.run(lambda: crawl(words.folder, words.pages, words.port, again=words.again))
        return
    with tempfile.TemporaryDirectory() as temporary, serving(CrawlWeb(words.pages)) as web:
        folder = Path(temporary)
        seconds = whole_run(folder / "whole", web)
        killed_run(folder / "killed", web, words.kills, seconds)
        second_round(folder / "whole", web, words.changes)


if __name__ == "__main__":
    main()
