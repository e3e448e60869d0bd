"""What tests of browsing share: a page that changes when it is worked, and interfaces that open it."""

from __future__ import annotations

import sys
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
from mcp import Client, StdioServerParameters

from scenario import interfaces
from sites import SANDBOX, settings_for
from wellread.apps.build import Web
from wellread.sections import ServerSettings

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator

    from sites import Site
    from wellread.apps.operations.dispatcher import OperationDispatcher
    from wellread.config import Settings

SHOP = """<!DOCTYPE html><title>Harbour shop</title><h1>Harbour shop</h1>
<label>Name <input id=who></label> <button onclick="said.textContent = 'Good day, ' + who.value
+ (event.isTrusted ? '' : ' (forged)'); this.remove()">Greet</button> <a href=/terms>Terms</a><p id=said></p>"""
TERMS = "<!DOCTYPE html><title>Terms</title><h1>Terms</h1><p>Boats are lent by the day.</p><button>Agree</button>"
SETTLE_S = 30.0


def stock(site: Site) -> None:
    site.pages |= {"/shop": SHOP, "/terms": TERMS}


def settings(site: Site, folder: Path, **server: Any) -> Settings:  # Any: fields of the section, each of its type
    return replace(settings_for(site, folder), server=replace(ServerSettings(port=0), **server))


@asynccontextmanager
async def http(given: Settings, key: str | None = None) -> AsyncGenerator[httpx2.AsyncClient, None]:
    """Serve, and yield a client that shows `key`."""
    headers = {"authorization": f"Bearer {key}"} if key else {}
    async with (
        interfaces.serving(given, web=Web(given)) as root,
        httpx2.AsyncClient(base_url=root, timeout=60, headers=headers) as client,
    ):
        yield client


def options(site: Site, folder: Path) -> list[str]:
    """Return what a command is told so that it may open the site."""
    chosen = {
        "cache.dir": folder, "net.allow_hosts": f"127.0.0.1:{site.port}", "net.robots": "false",
        "browser.sandbox": str(SANDBOX).lower(),
    }  # fmt: skip
    return [part for name, value in chosen.items() for part in ("--set", f"{name}={value}")]


@asynccontextmanager
async def connected(site: Site, folder: Path, transport: str, era: str) -> AsyncGenerator[Client, None]:
    """Connect the SDK's own client, by `stdio` to a process or by `http` to a server."""
    if transport == "stdio":
        command = StdioServerParameters(
            command=sys.executable, args=["-m", "wellread", *options(site, folder), "mcp"], env={"HOME": str(folder)}
        )
        async with Client(command, mode=era) as client:
            yield client
    else:
        given = settings(site, folder)
        async with interfaces.serving(given, web=Web(given)) as root, Client(f"{root}/mcp", mode=era) as client:
            yield client


async def ask(client: httpx2.AsyncClient, path: str, **arguments: object) -> dict[str, Any]:  # Any: JSON
    answer = await client.post(f"/v1/browse{path}", json=arguments)
    assert answer.status_code == 200, answer.text
    data = answer.json()
    assert isinstance(data, dict)
    return data


async def opened(desk: OperationDispatcher, url: str, caller: str | None = None) -> str:
    answer = await desk.do("browse_url", {"url": url}, caller=caller)
    return str(answer.data()["session"])


# ---------------------------------------------------------------------------------------------- processes


def descendants(pid: int) -> set[int]:
    """Return the processes that `pid` has started, and theirs (proc(5)).

    Processes that have ended are left out, and workers, which all tests of a run share.
    """
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                state, parent = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()[:2]
                is_worker = b"wellread.worker.child" in (entry / "cmdline").read_bytes()
            except (FileNotFoundError, ProcessLookupError):
                continue
            if state not in {"Z", "X"} and not is_worker:
                parents.setdefault(int(parent), []).append(int(entry.name))
    found: set[int] = set()
    rest = [pid]
    while rest:
        children = parents.get(rest.pop(), [])
        found.update(children)
        rest += children
    return found


def alive(pids: set[int]) -> set[int]:
    """Return those that still run, whoever has become their parent."""
    left = set()
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if state not in {"Z", "X"}:
            left.add(pid)
    return left


async def all_gone(pids: set[int]) -> bool:
    """Wait until none of them runs; the system tells nobody who is not their parent."""
    for _ in range(round(SETTLE_S / 0.02)):
        if not alive(pids):
            return True
        await anyio.sleep(0.02)  # there is nothing to wait for: see above
    return False
