"""Reads a page whose reader never ends while other pages are read beside it, through the library, `serve` and `mcp`.

    python benchmarks/deadline.py [--timeout S] [--only library|serve|mcp] [--json]

The benchmark installs an extractor of its own for HTML, which reads one page by a regular expression that holds the
interpreter lock and would take years, and leaves all other pages to the usual extractor. So the figures tell what an
overlooked fault of the reader costs, and do not depend on a fault of today. Times are wall seconds: of the endless
read, which must end soon after `--timeout` (`fetch.timeout_s`), and medians of ordinary reads, before it and while it
runs. Three reads at once begin, so that no figure holds the start of a worker process.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import anyio
import httpx2
from mcp import Client, StdioServerParameters

from wellread import Settings, Web
from wellread.config import CacheSettings, FetchSettings, NetSettings
from wellread.errors import WellreadError

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Coroutine, Iterator

    Read = Callable[[str], Coroutine[Any, Any, str]]  # Any: what a coroutine is sent
    """Reads a URL afresh; returns `ok` or the code of the error."""

MARK: Final = "<!-- endless -->"
PLUGIN: Final = f"""
import re

from wellread.extraction.html import HtmlExtractor

class EndlessExtractor(HtmlExtractor):
    name = "endless"  # before `html` in the alphabet: the first extractor of a media type reads it
    media_types = ("text/html",)

    def extract(self, source):
        if b"{MARK}" in source.body:
            re.fullmatch(r"(?:a|aa)+b", "a" * 200)
        return super().extract(source)
"""
ORDINARY: Final = "<title>Tide table</title><main><h1>Tide table</h1>" + "".join(
    f"<p>On day {day} the water is low at nine, and the wardens count the pools below the lighthouse.</p>"
    for day in range(200)
)
BEFORE: Final = 9
"""Ordinary reads before the endless one."""


class Site(BaseHTTPRequestHandler):
    """Serves the endless page at /endless, and an ordinary one at every other path."""

    def do_GET(self) -> None:
        endless = self.path.startswith("/endless")
        body = (MARK * endless + ORDINARY).encode()
        found = self.path != "/robots.txt"
        self.send_response(200 if found else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_arguments: object) -> None:
        """Write no log."""


@contextlib.contextmanager
def site() -> Iterator[str]:
    """Serve the pages on loopback; yield `host:port`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def install(folder: Path) -> None:
    """Write the endless extractor and its entry point into `folder`, which is to be on the path."""
    (folder / "endless_extractor.py").write_text(PLUGIN, encoding="utf-8")
    about = folder / "endless_extractor-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: endless-extractor\nVersion: 1.0\n", encoding="utf-8")
    points = "[wellread.extractors]\nendless = endless_extractor:EndlessExtractor\n"
    (about / "entry_points.txt").write_text(points, encoding="utf-8")


async def measured(read: Read, host: str) -> dict[str, Any]:  # Any: JSON
    """Time ordinary reads alone, then the endless read with ordinary reads beside it."""
    async with anyio.create_task_group() as tasks:
        for count in range(3):
            tasks.start_soon(read, f"http://{host}/first-{count}")
    alone = [(await _timed(read, f"http://{host}/alone-{count}"))[0] for count in range(BEFORE)]
    beside: list[float] = []
    failed = 0
    endless: dict[str, Any] = {}

    async def read_endless() -> None:
        start = time.perf_counter()
        endless["outcome"] = await read(f"http://{host}/endless")
        endless["seconds"] = time.perf_counter() - start

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(read_endless)
        await anyio.sleep(0.5)  # until the endless page is being read, which nothing outside can see
        while not endless:
            seconds, outcome = await _timed(read, f"http://{host}/beside-{len(beside)}")
            beside.append(seconds)
            failed += outcome != "ok"
    return {
        "endless_s": round(endless["seconds"], 2),
        "outcome": endless["outcome"],
        "alone_s": round(statistics.median(alone), 3),
        "beside_s": round(statistics.median(beside), 3),
        "slowest_beside_s": round(max(beside), 3),
        "reads_beside": len(beside),
        "failed_beside": failed,
    }


async def _timed(read: Read, url: str) -> tuple[float, str]:
    start = time.perf_counter()
    outcome = await read(url)
    return time.perf_counter() - start, outcome


@contextlib.asynccontextmanager
async def library(host: str, timeout_s: float, folder: Path) -> AsyncIterator[Read]:
    """Read in this process, by `Web`."""
    sys.path.insert(0, str(folder))
    settings = Settings(
        cache=CacheSettings(dir=folder / "library"),
        fetch=FetchSettings(timeout_s=timeout_s),
        net=NetSettings(allow_hosts=(host,)),
    )
    async with Web(settings) as web:

        async def read(url: str) -> str:
            try:
                await web.read(url, fresh=True)
            except WellreadError as error:
                return error.code
            return "ok"

        yield read


def _command(host: str, timeout_s: float, folder: Path, name: str) -> list[str]:
    settings = {"cache.dir": folder / name, "fetch.timeout_s": timeout_s, "net.allow_hosts": host}
    options = [word for key, text in settings.items() for word in ("--set", f"{key}={text}")]
    return ["-m", "wellread", *options, name]


def _environment(folder: Path) -> dict[str, str]:
    path = os.pathsep.join(word for word in (str(folder), os.environ.get("PYTHONPATH")) if word)
    return {**os.environ, "PYTHONPATH": path, "HOME": str(folder)}


@contextlib.asynccontextmanager
async def serve(host: str, timeout_s: float, folder: Path) -> AsyncIterator[Read]:
    """Read through a process of `wellread serve`."""
    command = [sys.executable, *_command(host, timeout_s, folder, "serve"), "--port", "0"]
    async with await anyio.open_process(
        command, stdout=None, stderr=subprocess.PIPE, env=_environment(folder)
    ) as process:
        assert process.stderr is not None
        text = ""
        while "listening on" not in text or not text.endswith("\n"):
            text += (await process.stderr.receive()).decode()
        try:
            async with httpx2.AsyncClient(base_url=text.split()[-1], timeout=60) as client:

                async def read(url: str) -> str:
                    answer = await client.post("/v1/read", json={"url": url})
                    return "ok" if answer.status_code == 200 else str(answer.json()["code"])

                yield read
        finally:
            process.terminate()


@contextlib.asynccontextmanager
async def mcp(host: str, timeout_s: float, folder: Path) -> AsyncIterator[Read]:
    """Read through a process of `wellread mcp`."""
    command = _command(host, timeout_s, folder, "mcp")
    parameters = StdioServerParameters(command=sys.executable, args=command, env=_environment(folder))
    async with Client(parameters) as client:

        async def read(url: str) -> str:
            answer = await client.call_tool("web_read", {"url": url})
            data = answer.structured_content
            return str(data["error"]["code"]) if answer.is_error and isinstance(data, dict) else "ok"

        yield read


INTERFACES: Final = {"library": library, "serve": serve, "mcp": mcp}


async def run(host: str, timeout_s: float, names: list[str]) -> dict[str, Any]:  # Any: JSON
    """Measure each interface in turn."""
    figures = {}
    for name in names:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            install(folder)
            async with INTERFACES[name](host, timeout_s, folder) as read:
                figures[name] = await measured(read, host)
    return figures


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--timeout", type=float, default=5.0, help="fetch.timeout_s")
    parser.add_argument("--only", choices=INTERFACES, action="append", help="one interface; may be repeated")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    with site() as host:
        figures = anyio.run(run, host, options.timeout, options.only or list(INTERFACES))
    if options.json:
        json.dump(figures, sys.stdout)
        return
    print(
        f"{'interface':10}{'endless s':>10}{'outcome':>10}{'alone s':>9}{'beside s':>10}{'slowest s':>11}{'reads':>7}"
    )
    for name, row in figures.items():
        print(
            f"{name:10}{row['endless_s']:>10}{row['outcome']:>10}{row['alone_s']:>9}{row['beside_s']:>10}"
            f"{row['slowest_beside_s']:>11}{row['reads_beside']:>7}"
        )


if __name__ == "__main__":
    main()
