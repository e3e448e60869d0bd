"""Measures what two replicas share, as processes: with nothing in common, and with `shared.url`.

    PYTHONPATH=src:tests python benchmarks/replicas.py

Prints one table: nothing shared, paces and leases in Redis with snapshots in PostgreSQL, and all of it in PostgreSQL.
The site, whose robots.txt asks for a delay, and the servers are on loopback. One replica is killed by SIGKILL while it
reads a page that the other one wants.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import httpx2

import postgres
import redis_server
from scenario import loopback
from scenario.replica_processes import PAGE, serving_replica
from wellread.apps.http import api_keys

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping

    from anyio.abc import Process, SocketStream

DELAY_S = 0.5
SLOW_S = 1.0
QUOTA_PER_MIN = 30
QUOTA_REQUESTS = 100
READERS = 8


@dataclass
class Site:
    """Answers every path with a page, and notes when it was asked for it."""

    starts: list[tuple[str, float]] = field(default_factory=list)
    hanging: anyio.Event = field(default_factory=anyio.Event)

    async def __call__(self, stream: SocketStream, head: bytes) -> None:
        path = head.split(b" ", 2)[1].decode()
        self.starts.append((path, time.monotonic()))
        if path == "/hang" and not self.hanging.is_set():
            self.hanging.set()
            await stream.receive()
            return
        if path == "/slow":
            await anyio.sleep(SLOW_S)
        page = PAGE.replace("Tides", f"Tides {path}").replace("twice a day", f"twice a day at {path}")
        await stream.send(loopback.whole(page.encode(), Content_Type="text/html", Connection="close"))

    def count(self, path: str) -> int:
        """Return how often a path was asked for."""
        return sum(start == path for start, _ in self.starts)


@dataclass
class Replicas:
    """Two running replicas."""

    first: httpx2.AsyncClient
    second: httpx2.AsyncClient
    first_process: Process
    second_options: list[str]
    site: Site
    root: str
    quota_key: str

    async def shortest_gap(self) -> str:
        """Return the shortest time between two requests to the host, of pages that both read at once."""
        before = len(self.site.starts)
        async with anyio.create_task_group() as tasks:
            for number in range(3):
                for name, client in (("a", self.first), ("b", self.second)):
                    tasks.start_soon(self._post, client, "/v1/read", {"url": f"{self.root}/gap/{name}{number}"})
        times = [at for path, at in self.site.starts[before:] if path != "/robots.txt"]
        return f"{min(later - earlier for earlier, later in pairwise(times)):.2f} s"

    async def granted_requests(self) -> str:
        """Return how many requests of one caller are granted, and how many the quota was refilled by meanwhile."""
        headers = {"authorization": f"Bearer {self.quota_key}"}
        began_at, granted = time.monotonic(), 0
        for number in range(QUOTA_REQUESTS):
            client = self.second if number % 2 else self.first
            granted += (await client.get("/v1/none", headers=headers)).status_code == 404
        refilled = int((time.monotonic() - began_at) * QUOTA_PER_MIN / 60)
        return f"{granted} ({refilled} refilled)"

    async def requests_of_one_page(self) -> str:
        """Return how often a page was requested that READERS callers of both replicas read at once."""
        async with anyio.create_task_group() as tasks:
            for client in (self.first, self.second) * (READERS // 2):
                tasks.start_soon(self._post, client, "/v1/read", {"url": f"{self.root}/slow"})
        return str(self.site.count("/slow"))

    async def cursor_of_the_other(self) -> str:
        """Return how the second replica answers a cursor of the first."""
        url = f"{self.root}/cursor"
        page = (await self._post(self.first, "/v1/read", {"url": url, "max_length": 200})).json()
        response = await self._post(self.second, "/v1/read", {"url": url, "cursor": page["cursor"]})
        if response.status_code != 200:
            return f"refused: {response.json()['code']}"
        return f"{self.site.count('/cursor') - 1} new requests"

    async def citation_of_the_other(self, folder: Path) -> str:
        """Return whether the citations of a gather of the first replica are verified at the second."""
        request = {"question": "When does the tide come in?", "urls": [f"{self.root}/cited"]}
        gathered = (await self._post(self.first, "/v1/gather", request)).json()
        evidence = folder / "evidence.json"
        evidence.write_text(json.dumps(gathered), encoding="utf-8")
        command = [sys.executable, "-m", "wellread", *self.second_options, "verify", str(evidence), "--json"]
        verified = await anyio.run_process(command, check=False, stderr=subprocess.DEVNULL)
        verdicts = json.loads(verified.stdout)
        return f"{sum(verdict['ok'] for verdict in verdicts)} of {len(verdicts)} verified"

    async def search_of_the_other(self, page_count: int = 5) -> str:
        """Return how many pages the second replica finds that the first has indexed."""
        for number in range(page_count):
            await self._post(self.first, "/v1/index/add", {"url": f"{self.root}/indexed{number}"})
        await anyio.sleep(1.0)  # as late as a change may be seen
        response = await self._post(self.second, "/v1/search", {"query": "tide indexed", "provider": "local"})
        return f"{len(response.json()['hits'])} of {page_count}"

    async def read_after_a_kill(self) -> str:
        """Kill the first replica while it reads a page; return when the second has it, and the requests for it."""
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(self._post, self.first, "/v1/read", {"url": f"{self.root}/hang"})
            await self.site.hanging.wait()
            self.first_process.send_signal(signal.SIGKILL)
            began_at = time.monotonic()
            response = await self._post(self.second, "/v1/read", {"url": f"{self.root}/hang"})
            assert response is not None
            seconds = time.monotonic() - began_at
        return f"{response.status_code} after {seconds:.1f} s, {self.site.count('/hang')} requests"

    async def _post(self, client: httpx2.AsyncClient, path: str, body: Mapping[str, object]) -> httpx2.Response:
        try:
            return await client.post(path, json=body)
        except httpx2.TransportError:
            return httpx2.Response(503)  # the replica was killed


@asynccontextmanager
async def running(folder: Path, shared: dict[str, str]) -> AsyncIterator[Replicas]:
    """Start the site and two replicas with the settings `shared`."""
    (key, key_hash), (quota_key, quota_hash) = api_keys.new_key("alice"), api_keys.new_key("bob")
    site = Site()
    async with loopback.serving() as server:
        server.paths["/robots.txt"] = loopback.whole(f"User-agent: *\nCrawl-delay: {DELAY_S}\n".encode())
        server.anything = site
        settings = {
            "net.allow_hosts": f"127.0.0.1:{server.port}", "net.per_host": "8", "render.enabled": "false",
            "server.keys": f"alice={key_hash},bob={quota_hash}", "server.key_per_min": str(QUOTA_PER_MIN),
            "server.logs": "none", "extract.processes": "0", "search.providers": "local", **shared,
        }  # fmt: skip
        common = [word for name, setting in settings.items() for word in ("--set", f"{name}={setting}")]
        first_options, second_options = ([*common, "--set", f"cache.dir={folder / name}"] for name in "ab")
        async with (
            serving_replica(first_options, key) as (process, first),
            serving_replica(second_options, key) as (_, second),
        ):
            yield Replicas(first, second, process, second_options, site, server.url("").rstrip("/"), quota_key)


async def measure(folder: Path, shared: dict[str, str]) -> list[str]:
    """Return the figures of two replicas, in the order of ROWS."""
    await anyio.Path(folder).mkdir()
    async with running(folder, shared) as replicas:
        return [
            await replicas.shortest_gap(),
            await replicas.granted_requests(),
            await replicas.requests_of_one_page(),
            await replicas.cursor_of_the_other(),
            await replicas.citation_of_the_other(folder),
            await replicas.search_of_the_other(),
            await replicas.read_after_a_kill(),
        ]


ROWS = (
    f"shortest time between two requests to a host with a delay of {DELAY_S} s",
    f"{QUOTA_REQUESTS} requests of a caller who may send {QUOTA_PER_MIN} per minute: granted",
    f"requests for a page that {READERS} callers read at once",
    "a page that is continued by a cursor of the other replica",
    "citations of the other replica",
    "pages found that the other replica has indexed",
    "a page that the other replica was reading when it was killed",
)


def main() -> None:
    """Print the table."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        database = stack.enter_context(stack.enter_context(postgres.serving()).database())
        other_database = stack.enter_context(stack.enter_context(postgres.serving()).database())
        redis_url = stack.enter_context(redis_server.serving()).url
        settings: list[dict[str, str]] = [
            {}, {"shared.url": redis_url, "shared.snapshots": database}, {"shared.url": other_database},
        ]  # fmt: skip
        columns = [anyio.run(measure, folder / str(number), shared) for number, shared in enumerate(settings)]
    print("| two replicas | nothing shared | Redis, and PostgreSQL for snapshots | PostgreSQL |\n|---|---|---|---|")
    for row in zip(ROWS, *columns, strict=True):
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
