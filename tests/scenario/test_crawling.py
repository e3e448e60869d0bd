"""A crawl finds what robots.txt allows and nothing else, keeps its pace, goes on after a kill, and sees changes."""

from __future__ import annotations

import io
import json
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import aclosing
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import anyio.lowlevel
import pytest

from crawl_web import DELAY_S, CrawlWeb, serving
from parts import replace_parts
from processes import started
from scenario import loopback
from warm import environment, run
from wellread import Web
from wellread.apps.commands.demo import HOME, SITE
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.apps.serialize import error_json
from wellread.apps.system_clock import SystemClock
from wellread.config import CacheSettings, ExtractSettings, FetchSettings, NetSettings, Settings
from wellread.crawl import crawler, pacing
from wellread.crawl import linked_document as linked_documents
from wellread.crawl.sqlite_frontier import SqliteFrontier
from wellread.crawl.traps import trap_group
from wellread.errors import InvalidInput, RedirectLoop, UnavailableError
from wellread.ports import Rendering
from wellread.sections import CrawlSettings
from wellread.types import Request, Response
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wellread.crawl.crawler import CrawlProgress
    from wellread.crawl.frontier import HostLease
    from wellread.crawl.linked_document import LinkedDocument
    from wellread.types import CrawlRecord, Render

pytestmark = pytest.mark.anyio

KILLED = """
import sys, anyio
from pathlib import Path
from crawl_web import CrawlWeb
from wellread import Web

async def main():
    web = CrawlWeb(int(sys.argv[2]), port=int(sys.argv[3]))
    async with Web(web.settings(Path(sys.argv[1]) / "cache")) as crawling:
        async for record in crawling.crawl(web.starts(), out=Path(sys.argv[1]) / "out", limit=100_000, depth=50):
            print(record.url, flush=True)

anyio.run(main)
"""


@pytest.fixture
def web() -> Iterator[CrawlWeb]:
    with serving(CrawlWeb(6)) as web:
        yield web


Crawled = tuple[list["CrawlRecord"], "CrawlProgress"]


async def crawl(
    web: CrawlWeb, folder: Path, *hosts: int, replay: Path | None = None, **options: Any
) -> Crawled:  # Any: of one option each
    starts = [web.url(host) for host in hosts] or web.starts()
    async with Web(web.settings(folder / "cache"), replay=replay) as crawling:
        crawled = crawling.crawl(starts, out=folder / "out", **{"limit": 10_000, "depth": 50, **options})
        records = [record async for record in crawled]
        progress = crawled.progress()
    assert progress is not None
    return records, progress


def lines(folder: Path, name: str = "pages.jsonl") -> list[dict[str, Any]]:  # Any: JSON
    return [json.loads(line) for line in (folder / "out" / name).read_text(encoding="utf-8").splitlines()]


def without_traps(urls: set[str]) -> set[str]:
    return {url for url in urls if "/calendar/" not in url and "/loop/" not in url}


# ------------------------------------------------------------------------------------------- one whole crawl


async def test_crawl_reads_each_allowed_page_once(tmp_path: Path, web: CrawlWeb) -> None:
    web.busy[web.url(5, "/page/0001")] = 1
    records, progress = await crawl(web, tmp_path)
    read = {record.url for record in records if record.page is not None}
    assert without_traps(read) == web.expected()
    assert len({record.url for record in records}) == len(records)
    assert not [url for _, url in web.requests if "/private/" in url]
    states = {record.url: (record.state, record.reason or (record.error and record.error.code)) for record in records}
    assert states[web.url(1, "/private/rota")] == ("skipped", "robots")
    assert states[web.url(5, "/noindex/x")] == ("skipped", "noindex")
    assert states[web.url(4, "/page/0001?view=print")] == ("duplicate", "canonical")
    assert states[web.url(7)] == ("duplicate", "redirect")
    assert states[web.url(8)] == ("failed", "unreachable")
    assert web.robots_requests.count(8) <= pacing.MAX_ATTEMPTS * FetchSettings().attempts
    assert min(web.gaps_s(3)) >= DELAY_S
    assert [trap.name for trap in progress.traps] == ["repeated_segments"]
    assert sorted(line["url"] for line in lines(tmp_path)) == sorted(record.url for record in records)


async def test_robots_txt_is_asked_for_once(tmp_path: Path, web: CrawlWeb) -> None:
    await crawl(web, tmp_path, 1, 3)
    assert sorted(web.robots_requests) == [1, 3]


async def test_a_start_without_a_scheme_falls_back_to_http(tmp_path: Path, web: CrawlWeb) -> None:
    start = web.url(1).partition("://")[2]
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        first = [record async for record in crawling.crawl(start, out=tmp_path / "out", limit=1)]
        again = [record async for record in crawling.crawl(start, out=tmp_path / "out", limit=2)]
    assert [record.url for record in first] == [web.url(1)]
    assert len(again) == 1


async def test_frontier_of_the_settings_is_for_the_owner(tmp_path: Path, web: CrawlWeb) -> None:
    frontier = Address("postgresql://crawler:hidden@127.0.0.1:9/crawls")
    settings = replace(web.settings(tmp_path / "cache"), crawl=CrawlSettings(frontier=frontier))
    async with Web(settings) as crawling:
        with pytest.raises(UnavailableError, match=r"127\.0\.0\.1"):
            [_ async for _ in crawling.crawl(web.url(1), out=tmp_path / "shared", limit=1)]
        alone = crawling.crawl(web.url(1), out=tmp_path / "alone", limit=1, frontier=None)
        assert [record.url async for record in alone] == [web.url(1)]
        dispatcher = open_dispatcher(settings, crawling, SystemClock())
        result = (await dispatcher.do("web_crawl", {"url": web.url(1), "limit": 1})).data()
        await dispatcher.aclose()
    assert [row["url"] for row in result["urls"]] == [web.url(1)]


@pytest.mark.parametrize("words", [("crawl", "http://tides.example/"), ("crawl-worker",)])
def test_frontier_in_a_file(tmp_path: Path, words: tuple[str, ...]) -> None:
    (tmp_path / "address").write_text("postgresql://crawler:hidden@127.0.0.1:9/crawls\n", encoding="utf-8")
    ended = run(*words, "--out", "shard", "--frontier", "@address", home=tmp_path, folder=tmp_path)
    assert ended.code == 5
    assert "127.0.0.1" in ended.err
    assert "hidden" not in ended.err


async def test_errors_have_the_form_of_every_interface(tmp_path: Path, web: CrawlWeb) -> None:
    web.busy[web.url(1)] = 9
    records, _ = await crawl(web, tmp_path, 1, limit=1)
    assert records[0].error is not None
    error = lines(tmp_path)[0]["error"]
    assert error == error_json(records[0].error)["error"]
    assert (error["code"], error["retry_after_s"]) == ("rate_limited", 0.0)


async def test_lines_have_the_fields_of_the_page(tmp_path: Path, web: CrawlWeb) -> None:
    records, _ = await crawl(web, tmp_path, 1, limit=2)
    first, second = lines(tmp_path)
    assert (first["url"], first["state"], first["depth"], first["parent"]) == (web.url(1), "new", 0, None)
    assert (second["depth"], second["parent"]) == (1, web.url(1))
    page = records[0].page
    assert page is not None
    assert (first["text"], first["snapshot_id"], first["complete"]) == (page.text, page.snapshot_id, True)


async def test_scope_and_bounds_of_a_crawl(tmp_path: Path, web: CrawlWeb) -> None:
    records, progress = await crawl(web, tmp_path / "limit", 1, limit=3)
    assert (len(records), progress.stopped_by) == (3, "limit")
    _, progress = await crawl(web, tmp_path / "bytes", 1, max_bytes=1)
    assert (progress.counts.asked_count, progress.stopped_by) == (1, "bytes")
    records, _ = await crawl(web, tmp_path / "glob", 1, include=("*/", "/page/*"), exclude=("*2",))
    assert {record.url.rpartition("/")[2] for record in records} == {"", "0001", "0003", "0004", "0005"}
    records, _ = await crawl(web, tmp_path / "depth", 2, sitemap="skip", depth=0)
    assert [record.url for record in records] == [web.url(2)]
    records, _ = await crawl(web, tmp_path / "maps", 2, sitemap="only")
    assert {record.url for record in records} == {web.url(2), web.url(2, "/page/0001"), web.url(2, "/page/0002")}


def test_a_larger_depth_continues_a_crawl(tmp_path: Path) -> None:
    words = ["crawl", HOME, "--out", "out", "--sitemap", "skip", "--replay", str(SITE), "--depth"]
    first = run(*words, "0", home=tmp_path, folder=tmp_path)
    assert (first.code, len(lines(tmp_path))) == (0, 1), first.err
    assert re.search(r"^! \d+ links? deeper than --depth 0; a higher one continues$", first.err, re.MULTILINE)
    second = run(*words, "1", home=tmp_path, folder=tmp_path)
    assert second.code == 0, second.err
    whole = run(*["whole" if word == "out" else word for word in words], "1", home=tmp_path, folder=tmp_path)
    assert whole.err.splitlines()[1:] == second.err.splitlines()[1:]
    urls = {json.loads(line)["url"] for line in (tmp_path / "whole" / "pages.jsonl").read_text("utf-8").splitlines()}
    assert {line["url"] for line in lines(tmp_path)} == urls


async def test_a_start_leads_to_one_other_site(tmp_path: Path, web: CrawlWeb) -> None:
    web.redirects[web.url(1)] = "/page/0001"
    web.redirects[web.url(1, "/page/0001")] = web.url(2)
    web.redirects[web.url(2)] = web.url(4)
    records, _ = await crawl(web, tmp_path, 1, sitemap="skip")
    assert [(record.url, record.reason) for record in records] == [
        (web.url(1), "redirect"),
        (web.url(1, "/page/0001"), "redirect"),
        (web.url(2), "redirect out of scope"),
    ]


@pytest.mark.parametrize("limit", [1, 2, 3])
async def test_a_site_that_a_start_leads_to_stays(tmp_path: Path, web: CrawlWeb, limit: int) -> None:
    web.redirects[web.url(1)] = "/page/0001"
    web.redirects[web.url(1, "/page/0001")] = web.url(2)
    await crawl(web, tmp_path, 1, limit=limit)
    await crawl(web, tmp_path, 1)
    assert {line["url"] for line in lines(tmp_path) if line["state"] == "new"} >= {
        url for url in web.expected() if url.startswith(web.url(2, ""))
    }


async def test_a_canonical_that_redirects_adds_no_site(tmp_path: Path, web: CrawlWeb) -> None:
    twin, target = web.url(4, "/page/0001?view=print"), web.url(4, "/page/0001")
    web.redirects[target] = web.url(1)
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        crawled = crawling.crawl([twin], out=tmp_path / "out", sitemap="skip", limit=50)
        states = {record.url: (record.state, record.reason) async for record in crawled}
    assert states[twin] == ("new", "")  # nobody else has its text
    assert states[target] == ("skipped", "redirect out of scope")
    assert not [url for url in states if url.startswith(web.url(1, ""))]


@pytest.mark.parametrize(
    ("canonicals", "redirects", "missing"),
    [
        ({1: 2, 2: 1}, {}, ()),
        ({1: 2, 2: 3, 3: 1}, {}, ()),
        ({1: 2}, {}, (2,)),
        ({1: 2}, {2: 3}, (3,)),
        ({1: 2}, {2: 1}, ()),
        ({1: 2, 3: 2}, {2: 4}, (4,)),
    ],
    ids=["loop of two", "loop of three", "missing", "redirect to missing", "redirect back", "two of one missing"],
)
async def test_a_page_is_read_if_its_canonical_is_not(
    tmp_path: Path, web: CrawlWeb, canonicals: dict[int, int], redirects: dict[int, int], missing: tuple[int, ...]
) -> None:
    def url(page: int) -> str:
        return web.url(1, web.path(page))

    web.canonicals = {url(page): url(other) for page, other in canonicals.items()}
    web.redirects = {url(page): url(other) for page, other in redirects.items()}
    web.gone = {url(page) for page in missing}
    starts = [url(page) for page in range(5)]
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        crawled = crawling.crawl(starts, out=tmp_path / "out", sitemap="skip", limit=500)
        records = {record.url: record async for record in crawled}
    states = {line["url"]: line["state"] for line in lines(tmp_path) if line["url"] in starts}
    assert len(lines(tmp_path)) == len(records)
    assert [page for page in canonicals if states[url(page)] == "new"]
    if missing or redirects:
        assert {page for page in range(5) if states[url(page)] == "new"} == {*range(5)} - {*redirects, *missing}
    progress = crawled.progress()
    assert progress is not None
    assert sum(progress.counts.states.values()) == len(records)


@pytest.mark.parametrize("limit", [4, 500])
async def test_a_page_is_asked_for_again_once(tmp_path: Path, web: CrawlWeb, limit: int) -> None:
    page = web.url(1, web.path(5))
    web.restless = {page}
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        crawled = crawling.crawl(page, out=tmp_path / "out", sitemap="skip", depth=0, limit=limit)
        records = [record async for record in crawled]
    assert [(record.url == page, record.state) for record in records] == [
        (True, "duplicate"), (False, "failed"), (True, "new"), (False, "failed"),
    ]  # fmt: skip
    assert [line["state"] for line in lines(tmp_path)] == ["failed", "new", "failed"]


async def test_a_page_with_a_missing_canonical_is_unchanged(tmp_path: Path, web: CrawlWeb) -> None:
    page, other = web.url(1, web.path(1)), web.url(1, web.path(2))
    web.canonicals, web.gone = {page: other}, {other}
    states = []
    for _ in range(2):
        async with Web(web.settings(tmp_path / "cache")) as crawling:
            crawled = crawling.crawl(page, out=tmp_path / "out", sitemap="skip", depth=0, recrawl="changed")
            assert [record.url async for record in crawled]
        states.append({line["url"]: line["state"] for line in lines(tmp_path)})
    assert [(state[page], state[other]) for state in states] == [("new", "failed"), ("unchanged", "failed")]


@pytest.mark.parametrize("loss", ["gone", "another text", "canonical", "redirect"])
@pytest.mark.parametrize("is_first", [True, False])
async def test_a_text_that_moves_between_rounds(tmp_path: Path, web: CrawlWeb, loss: str, *, is_first: bool) -> None:
    """The URL that had the text is asked before or after the one that has it now."""
    old, new = web.url(1, web.path(3)), web.url(1, web.path(4))
    starts = [old, new] if is_first else [new, old]
    options: dict[str, Any] = {
        "out": tmp_path / "out",
        "sitemap": "skip",
        "depth": 0,
        "recrawl": "changed",
    }  # Any: options
    web.gone = {new}
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        assert [record.url async for record in crawling.crawl(starts, **options)] == starts
    (before,) = [line for line in lines(tmp_path) if line["url"] == old]
    web.gone = {old} if loss == "gone" else set()
    web.versions = {old: 1} if loss == "another text" else {}
    web.canonicals = {old: new} if loss == "canonical" else {}
    web.redirects = {old: new} if loss == "redirect" else {}
    web.texts = {new: f"{old}?"}
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        assert {record.url async for record in crawling.crawl(starts, **options)} == {*starts}
    after = {line["url"]: line for line in lines(tmp_path)}
    if loss == "canonical" and not is_first:  # of two that name each other, the last one is read
        old, new = new, old
    assert after[new]["text"] == before["text"]
    assert after[new]["state"] == ("new" if new == starts[is_first] else "unchanged")
    assert after[old]["state"] == {"gone": "gone", "another text": "changed"}.get(loss, "duplicate")


async def test_texts_that_move_on_by_one_page(tmp_path: Path, web: CrawlWeb) -> None:
    """A list whose first entry is removed: each page has the text that the next one had."""
    pages = [web.url(1, web.path(page)) for page in range(1, 6)]
    texts = []
    for shift in (0, 1):
        web.texts = {page: f"{web.url(2, web.path(number + shift))}?" for number, page in enumerate(pages)}
        async with Web(web.settings(tmp_path / "cache")) as crawling:
            crawled = crawling.crawl(pages, out=tmp_path / "out", sitemap="skip", depth=0, recrawl="changed")
            assert {record.url async for record in crawled} == {*pages}
        texts.append({line["url"]: line["text"] for line in lines(tmp_path)})
    before, after = texts
    assert [after[page] for page in pages[:-1]] == [before[page] for page in pages[1:]]


async def test_a_text_that_moves_two_rounds_later(tmp_path: Path, web: CrawlWeb) -> None:
    old, new = web.url(1, web.path(3)), web.url(1, web.path(4))
    states = []
    for number in range(4):
        web.gone = {new} if number < 2 else set()
        web.emptied = {old} if number else set()
        web.texts = {new: f"{old}?"}
        async with Web(web.settings(tmp_path / "cache")) as crawling:
            crawled = crawling.crawl([old, new], out=tmp_path / "out", sitemap="skip", depth=0, recrawl="changed")
            assert [record.url async for record in crawled] == [old, new]
        states.append(tuple(line["state"] for line in lines(tmp_path)))
    assert states == [("new", "failed"), ("changed", "failed"), ("unchanged", "new"), ("unchanged", "unchanged")]


async def test_a_copy_stays_a_copy_in_each_round(tmp_path: Path, web: CrawlWeb) -> None:
    page, copy = web.url(1, web.path(3)), web.url(1, web.path(4))
    web.texts = {copy: f"{page}?"}
    for _ in range(3):
        async with Web(web.settings(tmp_path / "cache")) as crawling:
            crawled = crawling.crawl([page, copy], out=tmp_path / "out", sitemap="skip", depth=0, recrawl="changed")
            assert [record.url async for record in crawled] == [page, copy]
        assert [line["state"] for line in lines(tmp_path)][1] == "duplicate"
    assert len(web.requests) == 6


async def test_a_redirect_loop_fails(tmp_path: Path, web: CrawlWeb) -> None:
    pages = [web.url(1, web.path(page)) for page in (1, 2, 3)]
    web.redirects = dict(zip(pages, [*pages[1:], pages[0]], strict=True))
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        crawled = crawling.crawl(pages, out=tmp_path / "out", sitemap="skip", limit=50)
        records = {record.url: record async for record in crawled}
    assert [records[page].state for page in pages] == ["duplicate", "duplicate", "failed"]
    assert isinstance(records[pages[2]].error, RedirectLoop)


async def test_a_failed_canonical_is_found_after_a_stop(tmp_path: Path, web: CrawlWeb) -> None:
    page, other = web.url(1, web.path(1)), web.url(1, web.path(2))
    web.canonicals, web.gone = {page: other}, {other}
    for limit in (1, 2):
        async with Web(web.settings(tmp_path / "cache")) as crawling:
            crawled = crawling.crawl(page, out=tmp_path / "out", sitemap="skip", limit=limit, depth=0)
            assert [record.url async for record in crawled]
    assert [(line["url"], line["state"]) for line in lines(tmp_path)] == [(other, "failed"), (page, "new")]


async def test_a_folder_holds_one_crawl(tmp_path: Path, web: CrawlWeb) -> None:
    await crawl(web, tmp_path, 1, limit=1)
    with pytest.raises(InvalidInput, match="holds the crawl of"):
        await crawl(web, tmp_path, 2, limit=1)
    with pytest.raises(InvalidInput, match="no option"):
        await crawl(web, tmp_path, 1, dept=1)


def test_the_command_writes_parquet_and_events(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    words = [
        "crawl",
        HOME.removeprefix("http://"),
        "--out",
        "out",
        "--depth",
        "1",
        "--limit",
        "5",
        "--replay",
        str(SITE),
    ]
    done = run(*words, "--parquet", "--events", "events.jsonl", home=tmp_path, folder=tmp_path)
    assert done.code == 0, done.err
    rows = parquet.read_table(tmp_path / "out" / "pages.parquet").to_pylist()
    written = lines(tmp_path)
    assert [(row["url"], row["state"], row["depth"], row["text"]) for row in rows] == [
        (line["url"], line["state"], line["depth"], line.get("text")) for line in written
    ]
    events = [json.loads(line) for line in (tmp_path / "events.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [event["url"] for event in events] == [line["url"] for line in written]


async def test_neither_frontier_nor_links_block_the_loop(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls_on_loop: list[str] = []

    def watched(name: str, method: Callable[..., Any]) -> Callable[..., Any]:  # Any: of any method
        def call(*args: object, **options: object) -> Any:  # Any: as above
            if threading.current_thread() is threading.main_thread():
                calls_on_loop.append(name)
            return method(*args, **options)

        return call

    for name, method in [entry for entry in vars(SqliteFrontier).items() if not entry[0].startswith("_")]:
        if callable(method):
            monkeypatch.setattr(SqliteFrontier, name, watched(name, method))
    monkeypatch.setattr("wellread.crawl.crawler.trap_group", watched("trap_group", trap_group))  # for each link
    web.redirects[web.url(1)] = web.url(2)
    await crawl(web, tmp_path, 1, limit=5)
    assert not calls_on_loop


async def test_frontier_rests_where_the_limit_has_no_room(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks_at: list[float] = []
    has_looked = threading.Event()
    lease_host, finish_url = SqliteFrontier.lease, SqliteFrontier.finish

    def lease(frontier: SqliteFrontier, now: float, **bounds: Any) -> HostLease | None:  # Any: as in the port
        leased = lease_host(frontier, now, **bounds)
        if leased is None:
            looks_at.append(time.monotonic())
        if len(looks_at) == 3:
            has_looked.set()
        return leased

    def finish(*arguments: Any, **options: Any) -> None:  # Any: as in the port
        assert has_looked.wait(20)
        finish_url(*arguments, **options)

    monkeypatch.setattr(crawler, "_POLL_S", 0.2)
    monkeypatch.setattr(SqliteFrontier, "lease", lease)
    monkeypatch.setattr(SqliteFrontier, "finish", finish)
    records, progress = await crawl(web, tmp_path, 1, 4, limit=1)  # the other host is due all the time
    assert (len(records), progress.stopped_by) == (1, "limit")
    assert min(later - earlier for earlier, later in pairwise(looks_at)) >= 0.15


async def test_first_error_of_a_crawl_is_raised(tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(message: str) -> Callable[..., None]:
        def call(*_: object, **_options: object) -> None:
            raise sqlite3.OperationalError(message)

        return call

    monkeypatch.setattr(SqliteFrontier, "lease", failing("first"))
    monkeypatch.setattr(SqliteFrontier, "counts", failing("later"))
    with pytest.raises(sqlite3.OperationalError, match="first"):
        await crawl(web, tmp_path, 1)
    monkeypatch.undo()
    records, _ = await crawl(web, tmp_path, 1, limit=1)  # the folder is free again
    assert records


async def test_one_hostile_redirect_ends_no_crawl(tmp_path: Path, web: CrawlWeb) -> None:
    web.redirects[web.url(2)] = f"http://google.com{'/s/google.com' * 1_200}/x"
    web.redirects[web.url(4)] = f"http://google.com/{'x' * 20_000}"
    records, _ = await crawl(web, tmp_path, 1, 2, 4)
    outcomes = {record.url: (record.state, record.error and record.error.code) for record in records}
    assert outcomes[web.url(2)] == ("duplicate", None)
    assert outcomes[web.url(4)] == ("failed", "invalid_url")
    assert {web.url(1, web.path(page)) for page in range(6)} <= outcomes.keys()


async def test_a_bug_fails_one_url_of_a_crawl(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bad_url = web.url(1, web.path(1))
    linked_document = linked_documents.linked_document

    def with_bug(response: Response, *, max_links: int) -> LinkedDocument:
        if response.url == bad_url:
            raise RecursionError(bad_url)
        return linked_document(response, max_links=max_links)

    monkeypatch.setattr(crawler, "linked_document", with_bug)
    records, progress = await crawl(web, tmp_path, 1)
    errors = {record.url: record.error for record in records if record.error and record.state == "failed"}
    error = errors[bad_url]
    assert (error.code, error.retryable, progress.counts.states["failed"]) == ("error", False, len(errors))
    assert web.url(1, web.path(2)) in {record.url for record in records if record.page is not None}
    assert "RecursionError" in caplog.text
    assert "in with_bug" in caplog.text  # the frames, to mend the bug by
    assert bad_url not in caplog.text
    again, _ = await crawl(web, tmp_path, 1)  # goes on, and ends
    assert again == []


async def test_lines_are_whole_where_writes_are_short(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    class ShortFile(io.FileIO):
        def write(self, text: Any) -> int:  # Any: of any buffer
            return super().write(memoryview(text)[:100])

    open_file = Path.open

    def opened(path: Path, mode: str = "r", **options: Any) -> Any:  # Any: as `open` has them
        if path.name == "pages.jsonl" and mode == "ab":
            return ShortFile(path, "a")
        return open_file(path, mode, **options)

    monkeypatch.setattr(Path, "open", opened)
    records, _ = await crawl(web, tmp_path, 1)
    assert sorted(line["url"] for line in lines(tmp_path)) == sorted(record.url for record in records)


# ------------------------------------------------------------------------------------------- again


async def test_an_index_that_fails_is_no_failure_of_a_page(
    tmp_path: Path, web: CrawlWeb, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object) -> None:
        raise UnavailableError("the index does not answer")

    monkeypatch.setattr("wellread.index.local_index.LocalIndex.add", failing)
    records, _ = await crawl(web, tmp_path, 1, index=True)
    pages = [record.page for record in records if record.page is not None]
    assert len(pages) == len({page.url for page in pages}) == web.page_count
    assert all([notice.code for notice in page.notices] == ["not_indexed"] for page in pages)
    assert len(web.requests) == len({url for _, url in web.requests})


async def test_a_crawl_goes_on_where_it_was_left(tmp_path: Path, web: CrawlWeb) -> None:
    starts = [web.url(1), web.url(4)]
    async with (
        Web(web.settings(tmp_path / "cache")) as crawling,
        aclosing(crawling.crawl(starts, out=tmp_path / "out", depth=50)) as begun,
    ):
        await anext(begun)
    with (tmp_path / "out" / "pages.jsonl").open("ab") as file:
        file.write(b'{"url": "half a li')
    await crawl(web, tmp_path, 1, 4)
    urls = [line["url"] for line in lines(tmp_path)]
    assert len(set(urls)) == len(urls)
    expected = {url for url in web.expected() if url.startswith((web.url(1, ""), web.url(4, "")))}
    assert {line["url"] for line in lines(tmp_path) if "text" in line} == expected


async def test_bounds_hold_for_all_runs_of_a_crawl(tmp_path: Path, web: CrawlWeb) -> None:
    _, first = await crawl(web, tmp_path, 1, max_bytes=1)
    with pytest.raises(InvalidInput):
        await crawl(web, tmp_path, 2)
    records, progress = await crawl(web, tmp_path, 1, max_bytes=first.bytes_read)
    assert (records, progress.stopped_by, progress.bytes_read) == ([], "bytes", first.bytes_read)
    records, progress = await crawl(web, tmp_path, 1, max_time_s=0)
    assert (records, progress.stopped_by) == ([], "time")
    records, progress = await crawl(web, tmp_path, 1, max_bytes=10**9, max_time_s=1_000)
    assert progress.bytes_read > first.bytes_read
    records, progress = await crawl(web, tmp_path, 1, recrawl="changed", max_bytes=first.bytes_read)
    assert records, "each round begins anew"


async def test_time_of_a_crawl_goes_on_after_a_break(tmp_path: Path, web: CrawlWeb) -> None:
    async with (
        Web(web.settings(tmp_path / "cache")) as crawling,
        aclosing(crawling.crawl(web.url(3), out=tmp_path / "out")) as begun,
    ):
        for _ in range(3):
            await anext(begun)
    records, progress = await crawl(web, tmp_path, 3, max_time_s=DELAY_S)
    assert (records, progress.stopped_by) == ([], "time")


async def test_crawl_ended_while_it_begins_closes_its_folder(tmp_path: Path, web: CrawlWeb) -> None:
    async with Web(web.settings(tmp_path / "cache")) as crawling:
        ended = crawling.crawl(web.url(1), out=tmp_path / "out")
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(anext, ended)
                while not (tmp_path / "out").exists():
                    await anyio.lowlevel.checkpoint()
                scope.cancel()
        await ended.aclose()
        again = [record async for record in crawling.crawl(web.url(1), out=tmp_path / "out", limit=1)]
    assert [record.url for record in again] == [web.url(1)]


async def test_failures_of_settings_are_asked_again(tmp_path: Path, web: CrawlWeb) -> None:
    starts = [web.url(1), web.url(4)]
    web.gone.add(web.url(4, "/page/0005"))
    settings = web.settings(tmp_path / "cache")
    hosts = tuple(host for host in settings.net.allow_hosts if not host.startswith("127.0.0.1:"))
    blocked = replace(settings, net=replace(settings.net, allow_hosts=hosts))
    async with Web(blocked) as crawling:
        records = [record async for record in crawling.crawl(starts, out=tmp_path / "out", depth=50)]
    failures = {record.url: record.error.code for record in records if record.error and record.state == "failed"}
    assert failures == {web.url(1): "blocked_address", web.url(4, "/page/0005"): "gone"}
    asked = len(web.requests)
    await crawl(web, tmp_path, 1, 4)
    assert not [url for _, url in web.requests[asked:] if not url.startswith(web.url(1, ""))]
    urls = [line["url"] for line in lines(tmp_path)]
    assert len(set(urls)) == len(urls)
    expected = {url for url in web.expected() if url.startswith((web.url(1, ""), web.url(4, "")))}
    assert {line["url"] for line in lines(tmp_path) if "text" in line} == expected - {web.url(4, "/page/0005")}


async def test_last_lines_that_failed_are_replaced(tmp_path: Path, web: CrawlWeb) -> None:
    starts = [web.url(1), web.url(4)]
    settings = web.settings(tmp_path / "cache")
    blocked = replace(settings, net=replace(settings.net, allow_hosts=()))
    for run_settings, limit in ((blocked, 10), (blocked, 10), (settings, 1), (settings, 2), (settings, 2)):
        async with Web(run_settings) as crawling:
            crawled = crawling.crawl(starts, out=tmp_path / "out", depth=0, sitemap="skip", limit=limit)
            assert [record async for record in crawled] or run_settings is settings
        written = (tmp_path / "out" / "pages.jsonl").read_text(encoding="utf-8").splitlines()
        urls = [json.loads(line)["url"] for line in written if line.strip()]
        assert sorted(urls) == sorted(set(urls))
    assert {line["url"]: line["state"] for line in lines(tmp_path)} == dict.fromkeys(starts, "new")


@dataclass
class ShownText:
    """A renderer that shows the same text on every page."""

    text: str = ""

    async def render(self, request: Request) -> Rendering:
        body = f"<html><body><main><p>{self.text}</p></main></body></html>".encode()
        response = Response(url=request.url, status=200, headers=(("Content-Type", "text/html"),), body=body)
        return Rendering(response=response)


async def test_page_that_needs_a_browser_is_asked_again(tmp_path: Path) -> None:
    async with loopback.serving() as server:
        net = NetSettings(allow_hosts=(f"127.0.0.1:{server.port}",))
        settings = Settings(net=net, cache=CacheSettings(dir=tmp_path), extract=ExtractSettings(processes=0))
        server.paths["/"] = loopback.whole(
            b"<div id=root></div><script src=/app.js></script>", Content_Type="text/html"
        )

        async def states(render: Render, text: str, folder: str) -> list[str]:
            async with Web(settings) as crawling:
                replace_parts(crawling, renderer=ShownText(text))
                crawled = crawling.crawl(server.url("/"), out=tmp_path / folder, render=render)
                return [record.state async for record in crawled]

        for folder, text, state in (("a", "The lamp is blue, and boats leave at nine.", "new"), ("b", "", "failed")):
            assert await states("never", text, folder) == ["failed"]
            assert await states("never", text, folder) == []
            assert await states("always", text, folder) == [state]
            assert await states("always", text, folder) == []
            (line,) = (tmp_path / folder / "pages.jsonl").read_text("utf-8").splitlines()
            assert json.loads(line)["state"] == state


def test_a_crawl_names_its_most_frequent_failure(tmp_path: Path, web: CrawlWeb) -> None:
    words = ["crawl", web.url(1), "--out", "out", "--limit", "3"]
    blocked = run(*words, home=tmp_path, folder=tmp_path)
    assert blocked.code == 1
    assert blocked.out.startswith(f"failed\t{web.url(1)}\tblocked_address: ")
    assert "net.allow_hosts=HOST:PORT" in blocked.out
    step = "! blocked_address (1 of 1 failure): to allow a private address, set net.allow_hosts=HOST:PORT, then run"
    assert step in blocked.err
    allowed = ["--set", f"net.allow_hosts=127.0.0.1:{web.port}"]
    mended = run(*allowed, *words, home=tmp_path, folder=tmp_path)
    assert mended.code == 0, mended.err
    assert "— out: 3 new" in mended.err
    assert "! ended by --limit 3, which counts all runs; a higher one continues" in mended.err
    more = run(*allowed, *words[:-1], "4", home=tmp_path, folder=tmp_path)
    assert "— out: this run: 1 new; in all: 4 new" in more.err
    nothing = run(*allowed, *words[:-1], "4", home=tmp_path, folder=tmp_path)
    assert "— out: this run: no URL; in all: 4 new" in nothing.err
    ended = run(*allowed, *words[:-1], "100", home=tmp_path, folder=tmp_path)
    assert "finished" not in ended.err
    finished = run(*allowed, *words[:-1], "100", home=tmp_path, folder=tmp_path)
    assert "! finished; --recrawl changed asks again" in finished.err


async def test_recrawl_tells_what_has_changed(tmp_path: Path, web: CrawlWeb) -> None:
    await crawl(web, tmp_path, 1, 4)
    web.versions[web.url(1, "/page/0002")] = 1
    web.gone.add(web.url(4, "/page/0005"))
    records, _ = await crawl(web, tmp_path, 1, 4, recrawl="changed")
    states = {record.url: record.state for record in records if record.state not in {"duplicate", "skipped"}}
    assert states.pop(web.url(1, "/page/0002")) == "changed"
    assert states.pop(web.url(4, "/page/0005")) == "gone"
    assert states.pop(web.url(4, "/page/0005?view=print")) == "new"  # its canonical URL is gone
    assert set(states.values()) == {"unchanged"}
    assert web.conditional >= len(states)
    first, second = lines(tmp_path, "pages-1.jsonl"), lines(tmp_path)
    texts = {line["url"]: line.get("text") for line in first}
    assert all(line["text"] == texts[line["url"]] for line in second if line["state"] == "unchanged")


async def test_lines_that_a_power_cut_cost_are_read_again(tmp_path: Path, web: CrawlWeb) -> None:
    await crawl(web, tmp_path, 1)
    texts = {line["url"]: line.get("text") for line in lines(tmp_path)}
    await crawl(web, tmp_path, 1, recrawl="changed", limit=2)
    for name, size in (("pages.jsonl", 10), ("pages-1.jsonl", 3_000)):
        with (tmp_path / "out" / name).open("ab") as file:
            file.truncate(size)
    await crawl(web, tmp_path, 1)
    assert {line["url"]: line.get("text") for line in lines(tmp_path)} == texts


async def test_the_recording_replays_to_the_same_lines(tmp_path: Path, web: CrawlWeb) -> None:
    await crawl(web, tmp_path, 2)
    joined = tmp_path / "all.warc.gz"
    joined.write_bytes(b"".join(path.read_bytes() for path in sorted((tmp_path / "out").glob("*.warc.gz"))))
    requests = len(web.requests)
    await crawl(web, tmp_path / "again", 2, replay=joined)
    assert len(web.requests) == requests

    def facts(folder: Path) -> list[tuple[object, ...]]:
        names = ("url", "state", "depth", "parent", "text", "title", "snapshot_id", "status")
        return [tuple(line.get(name) for name in names) for line in lines(folder)]

    assert facts(tmp_path / "again") == facts(tmp_path)


def killed_after(count: int, folder: Path, web: CrawlWeb) -> bool:
    """Crawl in a process that is killed after `count` records; return whether it came to its end before."""
    command = [sys.executable, "-c", KILLED, str(folder), str(web.page_count), str(web.port)]
    env = environment(folder)
    env["PYTHONPATH"] = ":".join(sys.path)
    with started(command, stdout=subprocess.PIPE, text=True, env=env) as process:
        assert process.stdout is not None
        for _ in range(count):
            if not process.stdout.readline():
                return process.wait() == 0
        process.send_signal(signal.SIGKILL)
    return False


def killed_and_continued(web: CrawlWeb, folder: Path, counts: list[int]) -> None:
    """Kill a crawl after each of the counts, let it end, and check that its union is that of one whole run."""
    for count in counts:
        killed_after(count, folder, web)
    assert killed_after(1_000_000, folder, web)
    urls = [line["url"] for line in lines(folder)]
    assert len(set(urls)) == len(urls)
    assert without_traps({line["url"] for line in lines(folder) if "text" in line}) == web.expected()
    twice = len(web.requests) - len({url for _, url in web.requests})
    assert twice <= (len(counts) + 3) * len(web.starts()), "one in flight for each host and kill, and the failing ones"
    assert min(web.gaps_s(3)) >= DELAY_S


def test_an_interrupted_crawl_says_how_to_continue(tmp_path: Path, web: CrawlWeb) -> None:
    settings = ["--set", f"net.allow_hosts=127.0.0.1:{web.port}"]
    command = [sys.executable, "-m", "wellread", *settings, "crawl", web.url(1), "--out", "out", "--jsonl"]
    env = environment(tmp_path)
    env["PYTHONPATH"] = ":".join(sys.path)
    pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}  # Any: of Popen
    with started(command, cwd=tmp_path, env=env, **pipes) as process:
        assert process.stdout is not None
        assert process.stdout.readline()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert re.search(
        r"^\u2014 out: \d+ new.*, \d+ not asked for yet; interrupted: run the same command to go on$",
        errors,
        re.MULTILINE,
    )


def test_a_killed_crawl_loses_nothing(tmp_path: Path, web: CrawlWeb) -> None:
    killed_and_continued(web, tmp_path, [7])


@pytest.mark.slow
def test_a_large_crawl_killed_often_loses_nothing(tmp_path: Path) -> None:
    with serving(CrawlWeb(600)) as web:
        killed_and_continued(web, tmp_path, [20, 150, 3, 90, 400, 1, 60, 200, 10, 30])
