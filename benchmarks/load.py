"""Many readers at once at the HTTP door, with and without hostile pages among those that they ask for.

    python benchmarks/load.py [--seconds 60] [--readers 200] [--hostile 0.3] [--kept]

A site on loopback replays the pages of the demo, each under ever new addresses, so that nothing comes from the cache
and no two readers share a fetch; with `--kept`, under one address, so that honest pages do. Two runs: honest pages
alone, then with the given share of requests to pages that send a byte now and then, never end, or reset the connection.
Prints throughput and percentiles of honest reads, how all requests ended, and the memory of the server. Readers, site
and server share this machine.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import random
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2

from wellread.apps.build import recording
from wellread.apps.commands.demo import HOME, SITE
from wellread.config import Settings
from wellread.types import Request

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

PAGES = ("lamp", "faq", "reference", "tide-api", "walks", "library", "tide-pools", "hostile")
HOSTILE = ("slow", "huge", "reset")
PLACES = 64
"""Work at a time; the other readers wait in the queue, where no deadline runs."""
PATIENCE_S = 60.0


@dataclass
class Told:
    """How one run went."""

    honest_ms: list[float] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    memory: list[int] = field(default_factory=list)
    seconds: float = 0.0

    def row(self, name: str) -> str:
        """Return a line of the table."""
        cut = statistics.quantiles(self.honest_ms, n=100)
        told = [f"{len(self.honest_ms) / self.seconds:.1f}", *(f"{cut[at]:.0f}" for at in (49, 94, 98))]
        ends = ", ".join(f"{end} {count}" for end, count in self.ends.most_common())
        memory = " ".join(f"{held >> 20}" for held in self.memory)
        return f"| {name} | {' | '.join(told)} | {ends} | {memory} |"


# ------------------------------------------------------------------------------------------------------- the site


async def bodies() -> dict[str, bytes]:
    """Return the pages of the demo by their names."""
    client, _ = recording(Settings(), SITE)
    return {name: (await client.fetch(Request(url=HOME + name))).body for name in PAGES}


async def site() -> None:
    """Serve the pages, and the hostile ones, until ended; says its port first."""
    pages = await bodies()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                name = head.split(b" ", 2)[1].decode().strip("/").partition("?")[0]
                if name in HOSTILE:
                    await misbehave(name, writer)
                    break
                body = pages.get(name, b"")
                status = "200 OK" if name in pages else "404 Not Found"
                kind = "Content-Type: text/html; charset=utf-8"
                writer.write(f"HTTP/1.1 {status}\r\n{kind}\r\nContent-Length: {len(body)}\r\n\r\n".encode() + body)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1_000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


async def misbehave(name: str, writer: asyncio.StreamWriter) -> None:
    """Answer as a hostile page does."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
    await writer.drain()
    if name == "reset":
        place = writer.get_extra_info("socket")
        place.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return
    piece, pause_s = (b"x" * 65_536, 0.0) if name == "huge" else (b"x", 0.5)
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause_s)


# ---------------------------------------------------------------------------------------------------- the readers


@asynccontextmanager
async def server(port: str, readers: int) -> AsyncGenerator[str, None]:
    """Run a server in whose queue all readers have room, and yield its URL."""
    with tempfile.TemporaryDirectory() as folder:
        given = {
            "cache.dir": folder, "net.allow_hosts": f"127.0.0.1:{port},localhost:{port}", "net.per_host": "1000",
            "server.concurrency": str(PLACES), "server.queue": str(readers), "server.logs": "none",
            "render.enabled": "false",
        }  # fmt: skip
        options = [word for name, value in given.items() for word in ("--set", f"{name}={value}")]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "wellread", *options, "serve", "--port", "0", stderr=subprocess.PIPE
        )
        assert process.stderr is not None
        yield (await process.stderr.readline()).decode().removeprefix("listening on ").strip()
        process.terminate()
        await process.wait()


async def run(root: str, port: str, arguments: argparse.Namespace, hostile: float) -> Told:
    """Let the readers read until the time is over; requests that have begun are waited for."""
    told = Told()
    numbers = itertools.count()
    chance = random.Random(7)
    limits = httpx2.Limits(max_connections=None)
    began = time.perf_counter()

    async def reader(client: httpx2.AsyncClient) -> None:
        while time.perf_counter() - began < arguments.seconds:
            bad = chance.random() < hostile
            name = chance.choice(HOSTILE if bad else PAGES)
            host = "localhost" if bad else "127.0.0.1"
            since = time.perf_counter()
            try:
                query = "" if arguments.kept and not bad else f"?{next(numbers)}"
                given = {"url": f"http://{host}:{port}/{name}{query}"}
                answer = await client.post("/v1/read", json=given)
                end = "ok" if answer.status_code == 200 else answer.json()["code"]
            except httpx2.HTTPError as error:
                end = type(error).__name__
            told.ends[f"{'hostile ' if bad else ''}{end}"] += 1
            if not bad:
                told.honest_ms.append((time.perf_counter() - since) * 1000)

    async with httpx2.AsyncClient(base_url=root, timeout=PATIENCE_S, limits=limits) as client:
        told.memory.append(await memory(client))
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(watch(client, told, arguments.seconds))
            for _ in range(arguments.readers):
                tasks.create_task(reader(client))
        told.seconds = time.perf_counter() - began
        told.memory.append(await memory(client))
    return told


async def memory(client: httpx2.AsyncClient) -> int:
    """Return the bytes that the server holds."""
    counted = (await client.get("/metrics")).text
    return int(float(counted.partition("\nwellread_resident_bytes ")[2].partition("\n")[0]))


async def watch(client: httpx2.AsyncClient, told: Told, seconds: float) -> None:
    """Note the memory of the server at every quarter of the time."""
    for _ in range(3):
        await asyncio.sleep(seconds / 4)
        told.memory.append(await memory(client))


async def main(arguments: argparse.Namespace) -> None:
    """Run both, and print."""
    command = [sys.executable, str(Path(__file__)), "--site"]
    process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    port = (await process.stdout.readline()).decode().strip()
    print("| pages | honest reads/s | p50 ms | p95 ms | p99 ms | ends | server MiB over time |")
    print("|---|---|---|---|---|---|---|")
    for name, share in (("honest", 0.0), (f"{arguments.hostile:.0%} hostile", arguments.hostile)):
        async with server(port, arguments.readers) as root:
            print((await run(root, port, arguments, share)).row(name), flush=True)
    process.terminate()
    await process.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--hostile", type=float, default=0.3)
    parser.add_argument("--kept", action="store_true")
    parser.add_argument("--site", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args()
    asyncio.run(site() if given.site else main(given))
