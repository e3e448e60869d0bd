"""What a read that is kept costs at each interface, beside mcp-server-fetch on the same local page in the same run.

    python benchmarks/interfaces.py [ENV/bin/mcp-server-fetch]

Prints the median and the slowest of 95 in 100 of a warm call, and the time from starting a server to its first list of
tools. All servers run on this machine, one after the other, against one page on loopback.
"""

from __future__ import annotations

import http.server
import statistics
import sys
import tempfile
import threading
import time
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters

from wellread import Settings, Web
from wellread.config import CacheSettings, NetSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable

CALLS = 200
SLOW_CALLS = 20
STARTS = 5
CHARS = 5_000
SENTENCE = "The keeper of the light at Sandle Point writes the height of each tide into a book that nobody has closed. "
PAGE = (
    "<html><head><title>Tides</title></head><body><nav><a href='/'>Home</a></nav><main><h1>Tides</h1>{}</main></body>"
)


class Page(http.server.BaseHTTPRequestHandler):
    """One page of about 60,000 characters, whatever is asked; no robots.txt."""

    def do_GET(self) -> None:
        """Answer."""
        body = PAGE.format("".join(f"<h2>Day {day}</h2><p>{SENTENCE * 6}</p>" for day in range(90))).encode()
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


async def timed(call: Callable[[], Awaitable[Any]], count: int) -> list[float]:
    """Return the milliseconds of `count` calls, after one that does not count."""
    await call()
    told = []
    for _ in range(count):
        began = time.perf_counter()
        await call()
        told.append((time.perf_counter() - began) * 1000)
    return told


def row(name: str, told: list[float], against: float | None = None) -> str:
    """Return a line of the table."""
    median, slow = statistics.median(told), sorted(told)[int(len(told) * 0.95)]
    times = f"{against / median:.0f}x" if against else ""
    return f"| {name} | {median:.2f} | {slow:.2f} | {times} |"


async def first_list(server: StdioServerParameters) -> float:
    """Return the milliseconds from starting a server to its list of tools."""
    began = time.perf_counter()
    async with Client(server) as client:
        await client.list_tools()
        return (time.perf_counter() - began) * 1000


async def fetch_calls(server: StdioServerParameters, url: str) -> list[float]:
    """Return the milliseconds of mcp-server-fetch."""
    async with Client(server) as client:
        assert not (await client.call_tool("fetch", {"url": url, "max_length": CHARS})).is_error
        return await timed(lambda: client.call_tool("fetch", {"url": url, "max_length": CHARS}), SLOW_CALLS)


async def mcp_calls(where: Any, url: str, mode: str) -> list[float]:
    """Return the milliseconds of `web_read` by MCP."""
    given = {"url": url, "max_length": CHARS}
    async with Client(where, mode=mode) as client:
        told = await client.call_tool("web_read", given)
        assert not told.is_error, told
        return await timed(lambda: client.call_tool("web_read", given), CALLS)


@asynccontextmanager
async def served(command: list[str]) -> AsyncGenerator[str, None]:
    """Run `wellread serve` and yield its URL."""
    async with await anyio.open_process(
        [*command, "--set", "server.logs=none", "serve", "--port", "0"], stdout=None
    ) as process:
        assert process.stderr is not None
        yield (await process.stderr.receive()).decode().removeprefix("listening on ").strip()
        process.terminate()


async def main(fetch: str | None) -> None:
    """Measure and print."""
    page = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    threading.Thread(target=page.serve_forever, daemon=True).start()
    place = f"127.0.0.1:{page.server_port}"
    theirs = StdioServerParameters(command=fetch, args=["--allow-private-ips"]) if fetch else None
    with tempfile.TemporaryDirectory() as folder:
        command = [
            sys.executable,
            "-m",
            "wellread",
            "--set",
            f"cache.dir={folder}",
            "--set",
            f"net.allow_hosts={place}",
        ]
        ours = StdioServerParameters(command=command[0], args=[*command[1:], "mcp"])
        settings = Settings(cache=CacheSettings(dir=Path(folder)), net=NetSettings(allow_hosts=(place,)))
        fetched = await fetch_calls(theirs, f"http://{place}/tides") if theirs else []
        rows = await our_calls(settings, command, f"http://{place}/tides")
        print("| interface | median ms | 95% ms | against mcp-server-fetch |\n|---|---|---|---|")
        for name, told in ([("mcp-server-fetch, stdio", fetched)] if fetched else []) + rows:
            print(row(name, told, statistics.median(fetched) if fetched else None))
        print("\n| start to first tools/list | median ms |\n|---|---|")
        for name, server in (("wellread mcp", ours), ("mcp-server-fetch", theirs)):
            if server:
                print(f"| {name} | {statistics.median([await first_list(server) for _ in range(STARTS)]):.0f} |")
    page.shutdown()


async def our_calls(settings: Settings, command: list[str], url: str) -> list[tuple[str, list[float]]]:
    """Return the milliseconds of a kept read at each of our interfaces."""
    rows: list[tuple[str, list[float]]] = []
    ours = StdioServerParameters(command=command[0], args=[*command[1:], "mcp"])
    async with Web(settings) as web:
        rows.append(("library", await timed(lambda: web.read(url, max_length=CHARS), CALLS)))
    rows.append(("MCP, stdio, 2026-07-28", await mcp_calls(ours, url, "auto")))
    rows.append(("MCP, stdio, 2025-11-25", await mcp_calls(ours, url, "legacy")))
    async with served(command) as root:
        async with httpx2.AsyncClient(base_url=root) as client:
            given = {"url": url, "max_length": CHARS}
            rows.append(("HTTP API", await timed(lambda: client.post("/v1/read", json=given), CALLS)))
        rows.append(("MCP, HTTP, 2026-07-28", await mcp_calls(f"{root}/mcp", url, "auto")))
        rows.append(("MCP, HTTP, 2025-11-25", await mcp_calls(f"{root}/mcp", url, "legacy")))
    return rows


if __name__ == "__main__":
    anyio.run(main, sys.argv[1] if len(sys.argv) > 1 else None)
