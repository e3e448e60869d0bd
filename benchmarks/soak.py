"""Whether the browser stands a long day: many pages, a tenth of them crashing, hanging, hoarding, or storming.

    python benchmarks/soak.py [--pages N] [--batch N] [--no-sandbox]

Every page is served from loopback. Pages are taken in turns by a rendered read and by an agent's session that
opens the page, types, clicks, looks for what the click did, and closes. In every ten there is one that crashes its
process, never ends its script, hoards memory, raises alerts without end, or opens window after window.

Answered is a result before the deadline, or for a page that makes trouble also a typed error that is not about a
setting. After each batch, with nothing under way, the memory that Python and the browser's processes hold for
themselves is summed up. At the end every process that was started must be gone. Exits with 1 where something is not
answered, memory grows by more than 20 % from the first third of the batches to the last, or a process is left.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import suppress
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio
from page_handler import PageHandler

from wellread.apps.build import Web
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.apps.system_clock import SystemClock
from wellread.config import CacheSettings, FetchSettings, NetSettings, Settings
from wellread.errors import WellreadError
from wellread.sections import BrowserSettings, ServerSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from wellread.apps.operations.dispatcher import OperationDispatcher
    from wellread.browser.tab import BrowserTab

AT_ONCE = 3
MOST_S = 40.0
"""In which a page must be answered, whatever it does; a job that loses its browser is done twice."""
GROWTH = 1.2
PAGE_BYTES = os.sysconf("SC_PAGE_SIZE")

FORM = """<!DOCTYPE html><title>Page {n}</title><h1>Page {n}</h1><p>{words}</p><label>Name <input id=who></label>
<button onclick="said.textContent = 'Done, ' + who.value">Send</button><p id=said></p>"""
WORDS = (
    "The pilots of the outer roads keep a book of every ship, its master, its draught and the hour of the tide. " * 8
)
TROUBLE = {
    "crash": "",
    "hang": "<script>setTimeout(() => { while (true); }, 50)</script>",
    "hoard": "<script>const all = []; setInterval(() => all.push(new Uint8Array(4e7).fill(1)), 5)</script>",
    "alerts": "<script>setInterval(() => alert('Look ' + Math.random()), 1)</script>",
    "popups": "<script>setInterval(() => window.open('/1?' + Math.random()), 5);"
    "document.onclick = () => { for (let i = 0; i < 50; i++) window.open('/1?c' + i) }</script>",
}
KINDS = tuple(TROUBLE)


def kind(number: int) -> str:
    """Return what page `number` does: every tenth makes trouble, of each kind in turn."""
    return "good" if number % 10 != 9 else KINDS[number // 10 % len(KINDS)]


class _Handler(PageHandler):
    def page(self) -> bytes:
        """Return the page of this number."""
        digits = "".join(char for char in self.path.partition("?")[0] if char.isdigit())
        number = int(digits or 0)
        extra = TROUBLE.get(kind(number), "")
        return (FORM.format(n=number, words=WORDS) + extra).encode()


class Ended(NamedTuple):
    """How one page ended."""

    kind: str
    way: str
    code: str
    seconds: float


# ------------------------------------------------------------------------------------------------ two ways


async def read(web: Web, url: str, what: str) -> None:
    """Read a page through the browser; one that is to crash does so under the pool's own eyes."""
    if what == "crash":
        await web._network.browsers.resolve().run(_crashing(url))  # noqa: SLF001 - no page can crash its process by itself
        return
    page = await web.read(url, render="always", fresh=True)
    assert "pilots of the outer roads" in page.text


def _crashing(url: str) -> Callable[[BrowserTab], Awaitable[None]]:
    async def work(tab: BrowserTab) -> None:
        await tab.page.goto(url)
        await tab.devtools.send("Page.crash")

    return work


async def browse(desk: OperationDispatcher, url: str, what: str) -> None:
    """Work a page as an agent does."""
    session = (await desk.do("browse_url", {"url": url})).data()["session"]
    try:
        if what == "crash":
            entry = desk.sessions._open[session]  # noqa: SLF001 - the same
            tabs = entry.held_tab.value._tabs  # noqa: SLF001 - the same
            with anyio.move_on_after(1), suppress(Exception):
                await tabs.current.tab.devtools.send("Page.crash")
        await desk.do("page_type", {"session": session, "index": 1, "text": "Ann"})
        shown = (await desk.do("page_click", {"session": session, "index": 2})).data()
        if what == "good":
            assert "Done, Ann" in shown["content"]
    finally:
        with anyio.CancelScope(shield=True):
            await desk.do("page_close", {"session": session})


def is_answered(ended: Ended) -> bool:
    """Return whether a page ended as it must: a good one with its text, another one also with a typed error."""
    if ended.kind == "good":
        return ended.code == "ok"
    return not ended.code.startswith(("!", "unanswered", "config"))


async def done(work: Awaitable[None], what: str, way: str) -> Ended:
    """Let a page be worked, and say how it ended."""
    began = time.monotonic()
    code = "unanswered"
    with anyio.move_on_after(MOST_S):
        try:
            await work
            code = "ok"
        except WellreadError as error:
            code = error.code
        except Exception as error:  # noqa: BLE001 - told at the end
            code = f"! {type(error).__name__}: {str(error)[:80]}"
    return Ended(what, way, code, time.monotonic() - began)


# ------------------------------------------------------------------------------------------------- memory


def family(pid: int) -> set[int]:
    """Return the processes that `pid` has started, and theirs (proc(5))."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with suppress(OSError):
                state, parent = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
                if state not in {"Z", "X"}:
                    parents.setdefault(int(parent), []).append(int(entry.name))
    found: set[int] = set()
    rest = [pid]
    while rest:
        children = parents.get(rest.pop(), [])
        found.update(children)
        rest += children
    return found


def held_mb(pids: set[int]) -> float:
    """Return what processes hold for themselves, in MiB: resident less shared."""
    total = 0
    for pid in pids:
        with suppress(OSError, IndexError):
            fields = Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()
            total += (int(fields[1]) - int(fields[2])) * PAGE_BYTES
    return total / 2**20


# -------------------------------------------------------------------------------------------------- a day


async def soak(port: int, options: argparse.Namespace, folder: Path) -> tuple[list[Ended], list[tuple[float, float]]]:
    """Work all pages, batch by batch; return how each ended, and the memory of Python and of the rest after each."""
    settings = Settings(
        net=NetSettings(allow_hosts=(f"127.0.0.1:{port}",), robots=False, per_host=16),
        fetch=FetchSettings(timeout_s=10),
        cache=CacheSettings(dir=folder),
        browser=BrowserSettings(sandbox=not options.no_sandbox, timeout_s=8, max_memory_mb=900),
        server=ServerSettings(),
    )
    ended: list[Ended] = []
    memory: list[tuple[float, float]] = []
    async with Web(settings) as web:
        desk = open_dispatcher(settings, web, SystemClock())
        for first in range(0, options.pages, options.batch):
            places = anyio.Semaphore(AT_ONCE)

            async def one(number: int, places: anyio.Semaphore = places) -> None:
                url, what = f"http://127.0.0.1:{port}/{number}", kind(number)
                # Trouble is met by both ways in turn, too.
                way = "read" if (number + number // 10) % 2 else "session"
                async with places:
                    work = read(web, url, what) if way == "read" else browse(desk, url, what)
                    ended.append(await done(work, what, way))

            async with anyio.create_task_group() as tasks:
                for number in range(first, min(first + options.batch, options.pages)):
                    tasks.start_soon(one, number)
            gc.collect()
            memory.append((held_mb({os.getpid()}), held_mb(family(os.getpid()))))
        await desk.aclose()
    return ended, memory


def left(before: set[int]) -> int:
    """Return how many processes remain of those that were started; they get five seconds to be gone."""
    until = time.monotonic() + 5
    while (rest := family(os.getpid()) - before) and time.monotonic() < until:
        threading.Event().wait(0.1)
    return len(rest)


def report(ended: list[Ended], memory: list[tuple[float, float]], remaining: int, whole_s: float) -> bool:
    """Print tables; say whether all is well."""
    print("| page | way | pages | answered | ends | median s | slowest s |\n|---|---|---|---|---|---|---|")
    bad = [each for each in ended if not is_answered(each)]
    for what in ("good", *KINDS):
        for way in ("read", "session"):
            some = [each for each in ended if (each.kind, each.way) == (what, way)]
            if some:
                codes = ", ".join(f"{code} {count}" for code, count in Counter(e.code for e in some).most_common())
                times = [each.seconds for each in some]
                answered = len(some) - sum(each in bad for each in some)
                print(
                    f"| {what} | {way} | {len(some)} | {answered} | {codes} |"
                    f" {statistics.median(times):.1f} | {max(times):.1f} |"
                )
    third = max(1, len(memory) // 3)
    python = [mine for mine, _ in memory]
    every = [mine + others for mine, others in memory]
    print("\n| MiB held | first third | last third | change |\n|---|---|---|---|")
    grown = 1.0
    for name, figures in (("Python", python), ("Python and the browser", every)):
        early, late = statistics.median(figures[:third]), statistics.median(figures[-third:])
        grown = max(grown, late / early)
        print(f"| {name} | {early:.0f} | {late:.0f} | {late / early - 1:+.0%} |")
    print(f"\n{len(ended)} pages in {whole_s:.0f} s, {len(bad)} without an answer, {remaining} processes left")
    return not bad and not remaining and grown <= GROWTH


def main() -> int:
    """Run the soak; return 0 when all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=500)
    parser.add_argument("--batch", type=int, default=20)
    parser.add_argument("--no-sandbox", action="store_true")
    options = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    before = family(os.getpid())
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        ended, memory = anyio.run(soak, server.server_address[1], options, Path(folder))
    fine = report(ended, memory, left(before), time.monotonic() - began)
    server.shutdown()
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
