"""Workers that share a frontier in PostgreSQL: each URL once, no host too often, whatever dies."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from contextlib import ExitStack
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from crawl_web import DELAY_S, CrawlWeb, serving
from processes import started
from warm import environment
from wellread import Web
from wellread.crawl.crawl_folder import CrawlFolder
from wellread.errors import ConfigError, InvalidInput, UnavailableError
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from postgres import Postgres
    from wellread.crawl.crawl import Crawl
    from wellread.crawl.crawl_folder import GainedScope
    from wellread.types import CrawlRecord

pytestmark = pytest.mark.anyio

PAGES_OF_KILLED = 5
SECRET_USER = "postgresql://wellread:hunter2@"


@pytest.fixture
def frontier(postgres_server: Postgres) -> Iterator[str]:
    with postgres_server.database() as url:
        yield url.replace("postgresql://wellread@", SECRET_USER)


@pytest.fixture
def web() -> Iterator[CrawlWeb]:
    with serving(CrawlWeb(6)) as web:
        yield web


def lines(folder: Path, name: str = "pages.jsonl") -> list[dict[str, Any]]:  # Any: JSON
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


async def records_of(crawl: Crawl) -> list[CrawlRecord]:
    return [record async for record in crawl]


async def crawled(web: CrawlWeb, folder: Path, frontier: str, name: str, **options: Any) -> list[CrawlRecord]:
    """Crawl host 1 and 4 from the folder of a worker; options as `Web.crawl` has them."""  # Any: of one option each
    async with Web(web.settings(folder / "cache")) as crawling:
        starts = [web.url(1), web.url(4)]
        return await records_of(crawling.crawl(starts, out=folder / name, frontier=Address(frontier), **options))


async def helped(web: CrawlWeb, folder: Path, frontier: str, name: str, **options: Any) -> list[CrawlRecord]:
    async with Web(web.settings(folder / "cache")) as crawling:  # Any: as above
        return await records_of(crawling.crawl_worker(out=folder / name, frontier=Address(frontier), **options))


def config(web: CrawlWeb, folder: Path, frontier: str) -> Path:
    """Write settings for processes: the frontier stands in a file, not in their arguments."""
    path = folder / "fleet.toml"
    hosts = json.dumps(list(web.settings(folder).net.allow_hosts))
    path.write_text(
        f"[net]\nallow_hosts = {hosts}\n[extract]\nprocesses = 0\n[crawl]\nlease_s = 3\nfrontier = '{frontier}'\n",
        encoding="utf-8",
    )
    return path


def begun(stack: ExitStack, folder: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "wellread", "--config", str(folder / "fleet.toml"), *words, "--jsonl"]
    env = environment(folder) | {"PYTHONPATH": os.pathsep.join(sys.path)}
    return stack.enter_context(started(command, stdout=subprocess.PIPE, text=True, env=env))


@pytest.mark.slow
def test_three_workers_one_of_them_killed(tmp_path: Path, web: CrawlWeb, frontier: str) -> None:
    web.page_count = 20
    web.__post_init__()
    config(web, tmp_path, frontier)
    crawl = ("crawl", *web.starts(), "--out", str(tmp_path / "1"), "--limit", "100000", "--concurrency", "3")
    with ExitStack() as stack:
        begun(stack, tmp_path, *crawl, "--max-bytes", "1").communicate(timeout=60)  # the frontier holds the crawl
        first = begun(stack, tmp_path, *crawl)
        killed, other = (begun(stack, tmp_path, "crawl-worker", "--out", str(tmp_path / name)) for name in ("2", "3"))
        assert killed.stdout is not None
        for _ in range(PAGES_OF_KILLED):
            killed.stdout.readline()
        killed.send_signal(signal.SIGKILL)
        for process in (first, other):
            process.communicate(timeout=120)
            assert process.returncode == 0
    by_worker = [lines(tmp_path / name) for name in ("1", "3")]
    assert all(by_worker)
    assert "hunter2" not in "".join(path.read_text(errors="replace") for path in (tmp_path / "1").glob("*.json*"))
    read_by_killed = counted_lines(tmp_path / "2")
    assert len(read_by_killed) >= PAGES_OF_KILLED
    every = [*by_worker[0], *by_worker[1], *read_by_killed]
    urls = [line["url"] for line in every]
    assert len(set(urls)) == len(urls)
    read = {line["url"] for line in every if "text" in line}
    assert {url for url in read if "/calendar/" not in url and "/loop/" not in url} == web.expected()
    assert min(web.gaps_s(3)) >= DELAY_S
    for host in range(1, 8):
        assert len(web.requests_of(host)) - len(set(web.requests_of(host))) <= 1, "the request of the killed worker"


def counted_lines(folder: Path) -> list[dict[str, Any]]:  # Any: JSON
    """Return the whole lines of a worker that was killed."""
    text = (folder / "pages.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


async def test_a_worker_takes_what_is_left_of_a_crawl(tmp_path: Path, web: CrawlWeb, frontier: str) -> None:
    first = await crawled(web, tmp_path, frontier, "1", limit=4)
    assert len(first) == 4
    assert not await helped(web, tmp_path, frontier, "2"), "the limit is that of all workers"
    await crawled(web, tmp_path, frontier, "1", limit=6)
    again = await crawled(web, tmp_path, frontier, "3", limit=10_000)
    urls = [line["url"] for name in ("1", "3") for line in lines(tmp_path / name)]
    assert len(set(urls)) == len(urls) > len(again) > 0
    assert {url for url in web.expected() if url.startswith((web.url(1, ""), web.url(4, "")))} <= set(urls)


async def test_a_second_round_of_workers(tmp_path: Path, web: CrawlWeb, frontier: str) -> None:
    await crawled(web, tmp_path, frontier, "1", limit=5)
    await crawled(web, tmp_path, frontier, "2", limit=10_000)
    before = {line["url"]: line.get("text") for name in ("1", "2") for line in lines(tmp_path / name)}
    web.versions[web.url(1, "/page/0002")] = 1
    web.gone.add(web.url(4, "/page/0005"))
    await crawled(web, tmp_path, frontier, "2", recrawl="changed", limit=12)
    await crawled(web, tmp_path, frontier, "1", limit=10_000)
    after = [line for name in ("1", "2") for line in lines(tmp_path / name)]
    states = {line["url"]: line["state"] for line in after}
    assert len(states) == len(after) == len(before)
    assert states.pop(web.url(1, "/page/0002")) == "changed"
    assert states.pop(web.url(4, "/page/0005")) == "gone"
    assert states.pop(web.url(4, "/page/0005?view=print")) in {"duplicate", "new"}  # its canonical URL is gone
    assert {state for state in states.values() if state not in {"duplicate", "skipped"}} == {"unchanged"}
    assert all(line["text"] == before[line["url"]] for line in after if line["state"] == "unchanged")
    assert web.conditional
    assert len(lines(tmp_path / "1", "pages-1.jsonl")) + len(lines(tmp_path / "2", "pages-1.jsonl")) == len(before)


async def test_folders_and_frontiers_are_not_mixed(tmp_path: Path, web: CrawlWeb, frontier: str) -> None:
    with pytest.raises(UnavailableError, match="no crawl"):
        await helped(web, tmp_path, frontier, "early")
    await crawled(web, tmp_path, frontier, "1", limit=1)
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        with pytest.raises(InvalidInput, match="lines of a worker"):
            await records_of(crawling.crawl(web.url(1), out=tmp_path / "1", limit=1))
        await records_of(crawling.crawl(web.url(1), out=tmp_path / "alone", limit=1))
        with pytest.raises(ConfigError, match="needs the frontier"):
            crawling.crawl_worker(out=tmp_path / "3")
    for name, address in (("alone", frontier), ("1", f"{frontier}?schema=another")):
        with pytest.raises(InvalidInput, match="holds another crawl"):
            await crawled(web, tmp_path, address, name, limit=1)
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        with pytest.raises(InvalidInput, match="the frontier holds the crawl of"):
            await records_of(crawling.crawl(web.url(2), out=tmp_path / "4", frontier=Address(frontier)))


async def test_a_site_that_another_worker_was_led_to(tmp_path: Path, web: CrawlWeb, frontier: str) -> None:
    web.redirects[web.url(1)] = web.url(2)
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        await records_of(crawling.crawl(web.url(1), out=tmp_path / "1", frontier=Address(frontier), limit=1))
        await records_of(crawling.crawl(web.url(1), out=tmp_path / "2", frontier=Address(frontier), limit=100))
    assert {line["url"] for line in lines(tmp_path / "2")} >= {
        url for url in web.expected() if url.startswith(web.url(2, ""))
    }


async def test_sites_that_two_workers_are_led_to_at_once(
    tmp_path: Path, web: CrawlWeb, frontier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    web.redirects |= {web.url(1): web.url(2), web.url(4): web.url(5)}
    read_scope, together = CrawlFolder.gained_scope, threading.Barrier(2)
    reads: Counter[Path] = Counter()

    def read_together(folder: CrawlFolder) -> GainedScope | None:
        """Let both workers read the scope before one of them stores its site."""
        scope = read_scope(folder)
        reads[folder.path] += 1
        if reads[folder.path] == 2:  # the first one is at the start
            together.wait(30)
        return scope

    monkeypatch.setattr(CrawlFolder, "gained_scope", read_together)
    async with anyio.create_task_group() as tasks:
        for name in ("1", "2"):
            tasks.start_soon(partial(crawled, web, tmp_path, frontier, name, limit=2, concurrency=1))
    monkeypatch.undo()
    await crawled(web, tmp_path, frontier, "3", limit=10_000)
    urls = {line["url"] for name in ("1", "2", "3") for line in lines(tmp_path / name)}
    assert urls >= {url for url in web.expected() if url.startswith((web.url(2, ""), web.url(5, "")))}


async def test_no_link_ends_a_worker(tmp_path: Path, web: CrawlWeb, frontier: str) -> None:
    """No index has room for the long ones, and jsonb no character for the NUL."""
    noise = "".join(sha256(bytes([number])).hexdigest() for number in range(100))
    web.redirects[web.url(2)] = f"/{noise}"
    web.more_links[web.url(1)] = ["/a%00b", "/page/0001?a%00b=1&date=1"]
    starts = (web.url(1), web.url(2), web.url(4, f"/page/0001?{noise}"))
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        crawl = crawling.crawl(starts, out=tmp_path / "1", frontier=Address(frontier))
        await records_of(crawl)
    states = {line["url"]: line["state"] for line in lines(tmp_path / "1")}
    assert states[web.url(1, "/a%00b")] == "failed"
    for url in (web.url(1, "/page/0001?a%00b=1&date=1"), web.url(4, f"/page/0001?{noise}")):
        assert states[url] in {"new", "duplicate"}
    progress = crawl.progress()
    assert progress is not None
    assert [(trap.name, trap.refused) for trap in progress.traps] == [("long_url", 1)]
