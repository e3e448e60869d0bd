"""What a hostile page in a browser costs the session beside it: time, memory, and how both end.

    python benchmarks/hostile_sessions.py [--kinds loop,workers] [--ways session,read] [--no-sandbox]

Every page is made here and served from loopback. For each kind of page, one browser session clicks a button of a good
page twice a second. Meanwhile the hostile page is opened in a session that clicks its button (`session`), is looked at
again after 10 s (`long-session`), or is read with a browser (`read`). Prints for each: the seconds until the hostile
page was open (0 if it never was), and until it has ended; the most proportional memory (PSS) of all child processes;
its result or error, and the notices; how the other session ended, and its slowest click.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import ThreadingHTTPServer
from pathlib import Path

import anyio
from page_handler import PageHandler

from wellread.apps.build import Web
from wellread.browser.process_watch import process_tree
from wellread.config import CacheSettings, NetSettings, Settings
from wellread.errors import WellreadError
from wellread.sections import BrowserSettings

DEADLINE_S = 60.0
"""For a session with a hostile page."""
LONG_S = 10.0
CLICK_INTERVAL_S = 0.5
SAMPLE_INTERVAL_S = 0.15
GOOD = "<title>Good</title><h1>Good</h1><button onclick=\"document.title = 'done ' + Date.now()\">Send</button>"
HEAD = "<title>Bad</title><h1>Bad page</h1><p>Some words to read here.</p><button>Go</button>"
WORKER = "URL.createObjectURL(new Blob(['{code}']))"


def _worker_page(code: str, script: str) -> str:
    """Return a script with the URL `u` of a worker that runs `code`."""
    return f"const u = {WORKER.format(code=code)}; {script}"


SCRIPTS = {
    "loop": "while (true);",
    "loop-later": "setTimeout(() => { while (true); }, 50)",
    "loop-click": "document.querySelector('button').onclick = () => { while (true); }",
    "microtasks": "const f = () => Promise.resolve().then(f); setTimeout(f, 50)",
    "console": "setInterval(() => { for (let i = 0; i < 20000; i++) console.log('x'.repeat(1000) + i) }, 1)",
    "console-loop": "for (;;) console.log('x'.repeat(100000))",
    "console-workers": _worker_page(
        'for (;;) console.log("x".repeat(100000))', "for (let i = 0; i < 8; i++) new Worker(u)"
    ),
    "console-frames": "setInterval(() => { const f = document.createElement('iframe'); document.body.append(f); "
    "for (let i = 0; i < 5000; i++) f.contentWindow.console.log('x'.repeat(1000)); f.remove() }, 1)",
    "errors": "setInterval(() => { for (let i = 0; i < 5000; i++) "
    "queueMicrotask(() => { throw new Error('x'.repeat(1000)) }) }, 1)",
    "errors-reported": "onerror = () => false; setInterval(() => { for (let i = 0; i < 5000; i++) "
    "reportError(new Error('x'.repeat(1000))) }, 1)",
    "errors-timers": "for (let i = 0; i < 500; i++) setInterval(() => { throw new Error('x'.repeat(1000)) }, 1)",
    "rejections": "setInterval(() => { for (let i = 0; i < 5000; i++) "
    "Promise.reject(new Error('x'.repeat(1000))) }, 1)",
    "dialogs": "setInterval(() => { alert('x'.repeat(1000)); confirm('y') }, 1)",
    "titles": "setInterval(() => { for (let i = 0; i < 5000; i++) document.title = 'x'.repeat(1000) + i }, 1)",
    "history": "setInterval(() => { for (let i = 0; i < 5000; i++) "
    "history.pushState({}, '', '?' + Math.random()) }, 1)",
    "hashes": "setInterval(() => { for (let i = 0; i < 5000; i++) location.hash = Math.random() }, 1)",
    "messages": "onmessage = () => { postMessage('x'.repeat(1000)); postMessage('y') }; postMessage('x')",
    "mutations": "setInterval(() => { for (let i = 0; i < 5000; i++) { const d = document.createElement('div'); "
    "document.body.append(d); d.className = 'c' + i; d.remove() } }, 1)",
    "mutations-microtask": "new MutationObserver(() => document.body.setAttribute('x', Math.random()))"
    ".observe(document.body, {attributes: true}); setTimeout(() => document.body.setAttribute('x', 1), 50)",
    "workers": _worker_page("for (;;);", "setInterval(() => new Worker(u), 1)"),
    "workers-at-once": _worker_page("for (;;);", "for (let i = 0; i < 2000; i++) new Worker(u)"),
    "workers-idle": _worker_page("1", "for (let i = 0; i < 2000; i++) new Worker(u)"),
    "workers-memory": _worker_page(
        "const a = []; setInterval(() => a.push(new Uint8Array(4e6).fill(1)), 5)",
        "setInterval(() => new Worker(u), 20)",
    ),
    "images": "for (let i = 0; i < 10000; i++) new Image().src = '/x?' + i",
    "fetches": "for (let i = 0; i < 10000; i++) fetch('/x?' + i)",
    "frames": "setInterval(() => { const f = document.createElement('iframe'); f.src = '/frame?' + Math.random(); "
    "document.body.append(f) }, 1)",
    "big-responses": "setInterval(() => fetch('/big?' + Math.random()).then(r => r.arrayBuffer())"
    ".then(b => (window.all = window.all || []).push(b)), 20)",
    "memory": "const all = []; setInterval(() => all.push(new Uint8Array(4e7).fill(1)), 5)",
    "memory-heap": "const all = []; setInterval(() => { for (let i = 0; i < 1e5; i++) all.push({a: i, b: [i]}) }, 1)",
    "memory-at-once": "const all = []; for (;;) all.push(new Uint8Array(4e7).fill(1))",
    "nodes": "setInterval(() => { for (let i = 0; i < 10000; i++) { const d = document.createElement('div'); "
    "d.textContent = 'x' + i; document.body.append(d) } }, 1)",
}
PAGES = {kind: f"{HEAD}<script>{script}</script>" for kind, script in SCRIPTS.items()}
PAGES["image-elements"] = HEAD + "".join(f"<img src='/x?{number}'>" for number in range(10_000))
RESPONSES = {**PAGES, "good": GOOD, "frame": "<p>frame", "big": "x" * 2_000_000}
WAYS = ("session", "long-session", "read")


class _Handler(PageHandler):
    def page(self) -> bytes:
        return RESPONSES.get(self.path.strip("/").partition("?")[0], "x").encode()


class _Server(ThreadingHTTPServer):
    request_queue_size = 256
    daemon_threads = True


class MemorySampler(threading.Thread):
    """Measures the proportional memory of all child processes until it is stopped."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak_mb = 0.0
        self._is_stopped = threading.Event()

    def run(self) -> None:
        while not self._is_stopped.wait(SAMPLE_INTERVAL_S):
            self.peak_mb = max(self.peak_mb, _proportional_mb(process_tree(os.getpid())[1:]))

    def stop(self) -> None:
        self._is_stopped.set()


def _proportional_mb(pids: tuple[int, ...]) -> float:
    total_kib = 0
    for pid in pids:
        with suppress(OSError):  # the process has ended
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines():
                if line.startswith("Pss:"):
                    total_kib += int(line.split()[1])
    return total_kib / 1024


@dataclass
class Trial:
    """How a hostile page and the session beside it ended."""

    hostile_result: str = ""
    hostile_s: float = 0.0
    opened_s: float = 0.0
    """Of `hostile_s`, until the page was open."""
    other_result: str = "open"
    clicks_s: list[float] = field(default_factory=list)
    is_ready: anyio.Event = field(default_factory=anyio.Event)
    is_done: anyio.Event = field(default_factory=anyio.Event)


async def click_beside(web: Web, url: str, trial: Trial) -> None:
    """Click on a good page until the hostile page has ended, and once more."""
    try:
        async with web.browse(url) as tab:
            trial.is_ready.set()
            is_last = False
            while not is_last:
                is_last = trial.is_done.is_set()
                begin = time.monotonic()
                await tab.click(1)
                trial.clicks_s.append(time.monotonic() - begin)
                with anyio.move_on_after(CLICK_INTERVAL_S):
                    await trial.is_done.wait()
    except WellreadError as error:
        trial.other_result = f"stopped: {error.code}"
        trial.is_ready.set()


async def open_hostile(web: Web, url: str, way: str, trial: Trial) -> None:
    """Open the hostile page, and note how that ends."""
    begin = time.monotonic()
    try:
        if way == "read":
            page = await web.read(url, render="always")
            notices = page.notices
        else:
            async with web.browse(url) as tab:
                trial.opened_s = time.monotonic() - begin
                with anyio.move_on_after(DEADLINE_S):
                    await tab.click(1)
                    await tab.look()
                    if way == "long-session":
                        await anyio.sleep(LONG_S)
                        await tab.look()
                notices = tab.snapshot.notices
        trial.hostile_result = " ".join(("ok", *(notice.code for notice in notices)))
    except WellreadError as error:
        trial.hostile_result = f"{error.code}: {error.message[:80]}"
    trial.hostile_s = time.monotonic() - begin
    trial.is_done.set()


async def measure(kind: str, way: str, port: int, browser: BrowserSettings) -> None:
    """Open one kind of page beside a good session, and print a row."""
    with tempfile.TemporaryDirectory() as folder:
        net = NetSettings(allow_hosts=(f"127.0.0.1:{port}",), robots=False, per_host=16)
        settings = Settings(net=net, cache=CacheSettings(dir=Path(folder)), browser=browser)
        trial, sampler = Trial(), MemorySampler()
        async with Web(settings) as web, anyio.create_task_group() as group:
            group.start_soon(click_beside, web, f"http://127.0.0.1:{port}/good", trial)
            await trial.is_ready.wait()
            sampler.start()
            group.start_soon(open_hostile, web, f"http://127.0.0.1:{port}/{kind}", way, trial)
        sampler.stop()
    print(
        f"| {kind} | {way} | {trial.opened_s:.1f} | {trial.hostile_s:.1f} | {sampler.peak_mb:.0f} |"
        f" {trial.hostile_result} | {trial.other_result} | {max(trial.clicks_s, default=0):.1f} |",
        flush=True,
    )


async def measure_all(kinds: list[str], ways: list[str], port: int, browser: BrowserSettings) -> None:
    """Print a table of all kinds and ways, each in a browser of its own."""
    print("| page | way | open, s | s | MiB | result | other session | its slowest click, s |\n" + "|---" * 8 + "|")
    for kind in kinds:
        for way in ways:
            await measure(kind, way, port, browser)


def main() -> None:
    """Serve the pages, and measure the kinds that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kinds", default=",".join(PAGES))
    parser.add_argument("--ways", default="session,read", help=f"some of {', '.join(WAYS)}")
    parser.add_argument("--no-sandbox", action="store_true")
    options = parser.parse_args()
    server = _Server(("127.0.0.1", 0), _Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browser = BrowserSettings(sandbox=not options.no_sandbox)
    anyio.run(measure_all, options.kinds.split(","), options.ways.split(","), server.server_address[1], browser)
    server.shutdown()


if __name__ == "__main__":
    main()
