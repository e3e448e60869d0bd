"""Many readers at once at the HTTP interface, with and without hostile pages among those that they ask for.

    python benchmarks/load.py [--seconds 60] [--readers 200] [--hostile 0.3] [--cached] [--data WCXB]
                              [--processes 1 2] [--beside SRC ...] [--rounds 1] [--warm-up 3] [--stalls]

A site on loopback serves pages, each under ever new addresses, so that nothing comes from the cache and no two readers
share a fetch; with `--cached`, under one address, so that ordinary pages do. The pages are those of the demo; with
`--data`, 300 of the folder `html` of WCXB. Runs are interleaved, and each figure is the median of the rounds: ordinary
pages alone, then with the given share of requests to pages that send a byte now and then, never end, or reset the
connection, for each number of processes (above one, a `redis-server` is started) and each other version of wellread,
whose `src` is given with `--beside`.

Prints throughput and percentiles of ordinary reads, the CPU time of a read in the processes of the server and in their
worker processes, their share of the CPU time that readers and site leave of this machine's cores, how all requests
ended, and the memory of the processes of the server. With `--stalls`, it
prints the longest uses of the CPU by one callback of the event loop, each with the place where the time went; this
makes the server slower. Each run is also printed to stderr when it ends. Readers, site and server share this machine.
Linux.
"""

from __future__ import annotations

import argparse
import asyncio
import gzip
import itertools
import json
import math
import os
import random
import re
import runpy
import socket
import statistics
import struct
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Callable, Iterator, Sequence

DEMO_PAGES = ("lamp", "faq", "reference", "tide-api", "walks", "library", "tide-pools", "hostile")
HOSTILE = ("slow", "huge", "reset")
PAGE_COUNT = 300
MAX_RUNNING = 64
"""Operations at a time in all processes; the other readers wait in the queue, where no deadline runs."""
WARM_UP_S = 3.0
PATIENCE_S = 60.0
MIN_STALL_S = 0.003
"""CPU time of one callback from which it is reported."""
CORES = len(os.sched_getaffinity(0))
TICKS_S = 1 / os.sysconf("SC_CLK_TCK")


class Variant(NamedTuple):
    """A server to measure: a version of wellread, and its number of processes."""

    source: Path
    processes: int

    def __str__(self) -> str:
        """Return its name in the table."""
        version = "" if self.source == own_source() else f" of {self.source}"
        return f"{self.processes} process{'es' if self.processes > 1 else ''}{version}"


class Site(NamedTuple):
    """The site that is read."""

    port: int
    pages: Sequence[str]
    process_id: int


@dataclass
class Run:
    """The figures of one run."""

    ordinary_ms: list[float] = field(default_factory=list)
    ends: Counter[str] = field(default_factory=Counter)
    memory_bytes: list[int] = field(default_factory=list)
    seconds: float = 0.0
    server_cpu_s: float = 0.0
    worker_cpu_s: float = 0.0
    other_cpu_s: float = 0.0
    """CPU time of the readers and of the site."""

    @property
    def figures(self) -> tuple[float, ...]:
        """Return reads per second, p50, p95 and p99 in ms, the CPU time of a read in ms, and the share of the cores.

        The CPU time is that of the server, and that of its workers.
        """
        cuts = statistics.quantiles(self.ordinary_ms, n=100) if len(self.ordinary_ms) > 1 else [math.nan] * 99
        reads = max(self.ends.total(), 1)
        cpu_ms = (self.server_cpu_s / reads * 1000, self.worker_cpu_s / reads * 1000)
        share = (self.server_cpu_s + self.worker_cpu_s) / (CORES * self.seconds - self.other_cpu_s)
        return (len(self.ordinary_ms) / self.seconds, *(cuts[index] for index in (49, 94, 98)), *cpu_ms, share * 100)


def row(name: str, runs: Sequence[Run]) -> str:
    """Return a line of the table, with the medians of the runs."""
    medians = [statistics.median(figures) for figures in zip(*(run.figures for run in runs), strict=True)]
    ends = sum((run.ends for run in runs), Counter[str]())
    words = ", ".join(f"{end} {count}" for end, count in ends.most_common())
    memory = " ".join(f"{size >> 20}" for size in runs[-1].memory_bytes)
    figures = " | ".join(
        f"{median:.1f}" if index in {0, 4, 5} else f"{median:.0f}" for index, median in enumerate(medians)
    )
    return f"| {name} | {figures} | {words} | {memory} |"


def own_source() -> Path:
    """Return the `src` of this version."""
    return Path(__file__).resolve().parents[1] / "src"


# ------------------------------------------------------------------------------------------------------- the site


async def bodies(folder: Path | None) -> dict[str, bytes]:
    """Return pages by their names: those of WCXB in `folder`, or those of the demo."""
    if folder is not None:
        paths = sorted((folder / "html").glob("*.html.gz"))
        return {path.name.partition(".")[0]: gzip.decompress(path.read_bytes()) for path in sample(paths)}
    from wellread.apps.commands.demo import HOME, SITE
    from wellread.apps.network_parts import recording
    from wellread.config import Settings
    from wellread.types import Request

    client, _ = recording(Settings(), SITE)
    return {name: (await client.fetch(Request(url=HOME + name))).body for name in DEMO_PAGES}


def sample(paths: list[Path]) -> list[Path]:
    """Return the pages that are served."""
    return random.Random(7).sample(paths, min(PAGE_COUNT, len(paths)))


async def site(folder: Path | None) -> None:
    """Serve the pages, and the hostile ones, until ended; prints the port and the names first."""
    pages = await bodies(folder)

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while head := await reader.readuntil(b"\r\n\r\n"):
                name = head.split(b" ", 2)[1].decode().strip("/").partition("?")[0]
                if name in HOSTILE:
                    await misbehave(name, writer)
                    break
                body = pages.get(name, b"")
                status = "200 OK" if name in pages else "404 Not Found"
                head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n\r\n".encode()
                writer.write(head + body)
                await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1_000)
    print(json.dumps([server.sockets[0].getsockname()[1], sorted(pages)]), flush=True)
    await server.serve_forever()


async def misbehave(name: str, writer: asyncio.StreamWriter) -> None:
    """Answer as a hostile page does."""
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>")
    await writer.drain()
    if name == "reset":
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        return
    piece, pause_s = (b"x" * 65_536, 0.0) if name == "huge" else (b"x", 0.5)
    while True:
        writer.write(piece)
        await writer.drain()
        await asyncio.sleep(pause_s)


# ---------------------------------------------------------------------------------------------------- the server


@asynccontextmanager
async def server(variant: Variant, port: int, readers: int, stalls: Path | None) -> AsyncGenerator[tuple[int, int]]:
    """Run a server in whose queue all readers have room, and yield its port and its process id."""
    with tempfile.TemporaryDirectory() as folder:
        settings = {
            "cache.dir": folder, "net.allow_hosts": f"127.0.0.1:{port},localhost:{port}", "net.per_host": "1000",
            "server.concurrency": str(MAX_RUNNING // variant.processes), "server.queue": str(readers),
            "server.logs": "none", "render.enabled": "false",
        }  # fmt: skip
        redis = None
        if variant.processes > 1:
            redis_port = free_port()
            command = ["redis-server", "--bind", "127.0.0.1", "--port", str(redis_port), "--save", "", "--dir", folder]
            redis = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
            settings |= {"server.processes": str(variant.processes), "shared.url": f"redis://127.0.0.1:{redis_port}/0"}
        options = [word for name, text in settings.items() for word in ("--set", f"{name}={text}")]
        start = ["-m", "wellread"] if stalls is None else [__file__, "--watched", str(stalls)]
        process = await asyncio.create_subprocess_exec(
            sys.executable, *start, *options, "serve", "--port", "0",
            stderr=subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(variant.source)},
        )  # fmt: skip
        assert process.stderr is not None
        url = (await process.stderr.readline()).decode()
        try:
            yield int(url.rpartition(":")[2]), process.pid
        finally:
            process.terminate()
            await process.wait()
            if redis is not None:
                redis.terminate()
                await redis.wait()


def free_port() -> int:
    """Return a port that nothing listens at."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def cpu_seconds(process_id: int) -> tuple[float, float]:
    """Return the CPU time of the processes of a server, and of their worker processes."""
    children: dict[int, list[int]] = {}
    times: dict[int, float] = {}
    ended_times: dict[int, float] = {}
    """CPU time of workers that have ended, by the process that waited for them."""
    workers: set[int] = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            child = int(folder.name)
            children.setdefault(int(fields[1]), []).append(child)
            times[child] = sum(map(int, fields[11:13])) * TICKS_S
            ended_times[child] = sum(map(int, fields[13:15])) * TICKS_S
            if b"wellread.worker.child" in (folder / "cmdline").read_bytes():
                workers.add(child)

    def below(parent: int) -> Iterator[int]:
        yield parent
        for child in children.get(parent, []):
            yield from below(child)

    tree = set(below(process_id))
    worker_s = sum(times[each] for each in tree & workers) + sum(ended_times[each] for each in tree)
    return sum(times[each] for each in tree - workers), worker_s


class StallWatch:
    """Notes the callbacks of an event loop that take much CPU time, with the place where most of it went."""

    def __init__(self, path: Path) -> None:
        """Append the callbacks to `path`."""
        self._path = path
        self._began_s = 0.0
        """CPU time of the main thread when the callback began; 0 between callbacks."""
        self._stacks: list[str] = []
        self._process_id = 0
        self._run_callback: Callable[[asyncio.Handle], None] = getattr(asyncio.Handle, "_run")  # noqa: B009 - private

    def install(self) -> None:
        """Watch all callbacks from now on, also in processes that are forked."""
        watch = self

        def run(handle: asyncio.Handle) -> None:
            if threading.current_thread() is threading.main_thread():
                watch.run(handle)
            else:
                watch._run_callback(handle)

        setattr(asyncio.Handle, "_run", run)  # noqa: B010 - private
        sys.setswitchinterval(0.0005)

    def run(self, handle: asyncio.Handle) -> None:
        """Run a callback."""
        if self._process_id != os.getpid():  # a process that was forked has no thread yet
            self._process_id = os.getpid()
            threading.Thread(target=self._sample, args=(threading.get_ident(),), daemon=True).start()
        self._stacks.clear()
        self._began_s = time.thread_time()
        self._run_callback(handle)
        taken_s, self._began_s = time.thread_time() - self._began_s, 0.0
        if taken_s > MIN_STALL_S:
            stack = self._stacks[len(self._stacks) // 2] if self._stacks else repr(handle)[:200]
            with self._path.open("a", encoding="utf-8") as file:
                file.write(json.dumps((taken_s, stack)) + "\n")

    def _sample(self, thread: int) -> None:
        clock = time.pthread_getcpuclockid(thread)
        while True:
            time.sleep(0.001)
            if self._began_s and time.clock_gettime(clock) - self._began_s > MIN_STALL_S / 2:
                frames = traceback.extract_stack(getattr(sys, "_current_frames")()[thread])  # noqa: B009 - private
                self._stacks.append("  ".join(map(_place, reversed(frames[-12:]))))


def _place(frame: traceback.FrameSummary) -> str:
    return f"{'/'.join(Path(frame.filename).parts[-2:])}:{frame.lineno} {frame.name}"


def print_stalls(path: Path) -> None:
    """Print the longest callbacks of the event loop, by the place where the CPU time went."""
    places: dict[str, list[float]] = {}
    for text in path.read_text(encoding="utf-8").splitlines():
        taken_s, place = json.loads(text)
        places.setdefault(place, []).append(taken_s * 1000)
    for place, times in sorted(places.items(), key=lambda entry: -max(entry[1]))[:25]:
        print(f"{max(times):6.1f} ms at most, {len(times):4} times: {place}")
    path.write_text("", encoding="utf-8")


# ---------------------------------------------------------------------------------------------------- the readers


async def post(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, url: str) -> tuple[int, bytes, bool]:
    """Return the status and the body of the answer to a read of `url`, and whether the server ends the connection."""
    body = json.dumps({"url": url}).encode()
    head = f"POST /v1/read HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}"
    writer.write(head.encode() + b"\r\n\r\n" + body)
    answer = (await reader.readuntil(b"\r\n\r\n")).lower()
    length = int(answer.partition(b"content-length:")[2].partition(b"\r\n")[0])
    answer_body = await reader.readexactly(length)
    is_last = b"\r\nconnection: close\r\n" in answer
    if is_last:
        writer.close()
    return int(answer.split(b" ", 2)[1]), answer_body, is_last


async def read_all(port: int, process_id: int, site: Site, arguments: argparse.Namespace, hostile: float) -> Run:
    """Let the readers read until the time is over; what ends after the warm-up is counted."""
    run = Run()
    numbers = itertools.count()
    chance = random.Random(7)
    began = time.perf_counter() + arguments.warm_up

    async def read_pages() -> None:
        connection = None
        while time.perf_counter() - began < arguments.seconds:
            is_hostile = chance.random() < hostile
            name = chance.choice(HOSTILE if is_hostile else site.pages)
            host = "localhost" if is_hostile else "127.0.0.1"
            query = "" if arguments.cached and not is_hostile else f"?{next(numbers)}"
            since = time.perf_counter()
            try:
                connection = connection or await asyncio.open_connection("127.0.0.1", port)
                url = f"http://{host}:{site.port}/{name}{query}"
                status, body, is_last = await asyncio.wait_for(post(*connection, url), PATIENCE_S)
                connection = None if is_last else connection
                end = "ok" if status == 200 else json.loads(body)["code"]
            except (OSError, asyncio.IncompleteReadError, TimeoutError) as error:
                end, connection = type(error).__name__, None
            if since < began or time.perf_counter() - began > arguments.seconds:
                continue
            run.ends[f"{'hostile ' if is_hostile else ''}{end}"] += 1
            if not is_hostile:
                run.ordinary_ms.append((time.perf_counter() - since) * 1000)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(arguments.readers):
            tasks.create_task(read_pages())
        await asyncio.sleep(arguments.warm_up)
        cpu_before = used_cpu_s(process_id, site)
        for _ in range(4):
            run.memory_bytes.append(await resident_bytes(port))
            await asyncio.sleep(arguments.seconds / 4)
        run.seconds = time.perf_counter() - began
        cpu_after = used_cpu_s(process_id, site)
        run.server_cpu_s, run.worker_cpu_s, run.other_cpu_s = (
            after - before for before, after in zip(cpu_before, cpu_after, strict=True)
        )
    run.memory_bytes.append(await resident_bytes(port))
    return run


def used_cpu_s(process_id: int, site: Site) -> tuple[float, float, float]:
    """Return the CPU time of the server, of its workers, and of readers and site."""
    return (*cpu_seconds(process_id), time.process_time() + sum(cpu_seconds(site.process_id)))


async def resident_bytes(port: int) -> int:
    """Return the memory that the server reports, that of all its processes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(b"GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
    text = (await reader.read()).decode()
    writer.close()
    samples = re.findall(r"^wellread_resident_bytes(?:{[^}\n]*})? (\S+)", text, re.MULTILINE)
    return sum(int(float(sample)) for sample in samples)


async def main(arguments: argparse.Namespace) -> None:
    """Start the site, and measure."""
    command = [sys.executable, __file__, "--site", *(["--data", str(arguments.data)] if arguments.data else [])]
    process = await asyncio.create_subprocess_exec(
        *command, stdout=subprocess.PIPE, limit=1 << 20, env={**os.environ, "PYTHONPATH": str(own_source())}
    )
    assert process.stdout is not None
    site_port, pages = json.loads(await process.stdout.readline())
    try:
        await measure(arguments, Site(site_port, pages, process.pid))
    finally:
        process.terminate()
        await process.wait()


async def measure(arguments: argparse.Namespace, site: Site) -> None:
    """Measure all variants in turns, and print."""
    variants = [Variant(source.resolve(), 1) for source in arguments.beside]
    variants += [Variant(own_source(), count) for count in arguments.processes]
    runs: dict[tuple[Variant, float], list[Run]] = {}
    stalls = Path(tempfile.mkdtemp()) / "stalls" if arguments.stalls else None
    shares = (0.0, arguments.hostile) if arguments.hostile else (0.0,)
    for _, variant, share in itertools.product(range(arguments.rounds), variants, shares):
        async with server(variant, site.port, arguments.readers, stalls) as (port, process_id):
            run = await read_all(port, process_id, site, arguments, share)
        runs.setdefault((variant, share), []).append(run)
        print(row(f"{variant} | {share:.0%}", [run]), file=sys.stderr, flush=True)
        if stalls is not None and stalls.exists():
            print(f"{variant}, {share:.0%} hostile:")
            print_stalls(stalls)
    figures = "reads/s | p50 ms | p95 ms | p99 ms | server CPU ms | worker CPU ms | cores %"
    print(f"| server | hostile | {figures} | ends | MiB |")
    print("|---" * 11 + "|")
    for (variant, share), measured in runs.items():
        print(row(f"{variant} | {share:.0%}", measured), flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--watched"]:
        StallWatch(Path(sys.argv[2])).install()
        sys.argv = ["wellread", *sys.argv[3:]]
        runpy.run_module("wellread", run_name="__main__")
        sys.exit()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--readers", type=int, default=200)
    parser.add_argument("--hostile", type=float, default=0.3)
    parser.add_argument("--cached", action="store_true")
    parser.add_argument("--data", type=Path, help="folder of WCXB")
    parser.add_argument("--processes", type=int, nargs="*", default=[1])
    parser.add_argument("--beside", type=Path, nargs="*", default=[], help="src of other versions")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--warm-up", type=float, default=WARM_UP_S, help="seconds that are not counted")
    parser.add_argument("--stalls", action="store_true")
    parser.add_argument("--site", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    asyncio.run(site(options.data) if options.site else main(options))
