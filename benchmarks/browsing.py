"""How many kinds of controls are worked, and how long a step takes: action, wait and snapshot together.

    python benchmarks/browsing.py [--rounds N] [--kinds] [--frameworks] [--mcp COMMAND] [--agent-browser COMMAND]
        [--executable PATH] [--no-sandbox]

Every page is served from loopback. A step is timed from the call until the snapshot of what the page then shows is
there; each click changes a number on the page, and `shown` counts the snapshots that have it.

`--kinds` works each of the controls of tests/controls.html once and prints which handler got a trusted event.
`--frameworks` does the same with pages of React, Vue, Svelte, Solid, Lit and jQuery UI; build them first:
`cd benchmarks/frameworks && npm install && npm run build`.

Peers are timed on the same pages in the same run. `--mcp` is a server of the Model Context Protocol that has Playwright
MCP's tools, as `--mcp "npx @playwright/mcp --headless --isolated"`. `--agent-browser` is its command: a click by
reference and a snapshot with the page's text are two commands, as its guide has it, and then once more one batch. It
takes its browser from `AGENT_BROWSER_EXECUTABLE_PATH` and `AGENT_BROWSER_ARGS`. `--executable` has ours use the same.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import statistics
import sys
import tempfile
import threading
import time
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import unquote

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream
from page_handler import PageHandler

from wellread import __version__
from wellread.apps.build import Web
from wellread.config import CacheSettings, NetSettings, Settings
from wellread.errors import WellreadError
from wellread.sections import BrowserSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from anyio.abc import Process

    from wellread.browser.browse.browse_session import BrowseSession

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
from controls import INNER, KINDS, NESTED, SAY, STYLE, click, drag, fill, number, press_keys, select


async def hover_and_wait(tab: BrowseSession) -> None:
    """Open a menu, which jQuery UI does after a while, and click what is in it."""
    await tab.hover(number(tab, "Products"))
    await tab.wait(text="Ropes")
    await tab.click(number(tab, "Ropes"))


BUILT = sorted((Path(__file__).parent / "frameworks" / "built").glob("*.html"))
FRAMEWORK_STEPS = (
    ("div with a handler", click("Plain div"), "div true"),
    ("row of a list", click("Two"), "row Two true"),
    ("controlled text", fill("Name", "Ann"), "name Ann true"),
    ("checkbox", click("Agree"), "agree true"),
    ("select", select("Port", "Bergen"), "port Bergen true"),
    ("radio", click("Sail"), "sail true"),
    ("date", fill("Day", "2026-03-15"), "day 2026-03-15 true"),
    ("double click", lambda tab: tab.click(number(tab, "Twice"), count=2), "twice true"),
    ("key handler", press_keys, "knob ArrowRight true"),
    ("drag and drop", drag("Parcel", "Van"), "van true"),
    ("menu that opens by hovering", hover_and_wait, "ropes true"),
    ("dialog", click("More", "Confirm"), "confirm true"),
)
HEAD = "<!DOCTYPE html><title>Desk</title><style>body { font: 15px sans-serif }</style><script>n = 0</script>"
SAVE = '<p id=out>none</p><button onclick="out.textContent = `done ${++n};`">Save</button>'
ROW = "<tr><td>Boat {n}<td><a href='#b{n}'>open {n}</a><td><button onclick='out.textContent = {n}'>mark {n}</button>"
PAGES = {
    "form, 12 controls": HEAD
    + SAVE
    + "".join(f"<p><label>Field {n} <input></label>" for n in range(10))
    + "<select aria-label=Port><option>Oslo<option>Bergen</select>",
    "table, 200 controls": HEAD + SAVE + "<table>" + "".join(ROW.format(n=n) for n in range(100)) + "</table>",
    "list fetched, 50 controls": HEAD
    + "<p id=out>none</p><button onclick=\"fetch('/rows').then((r) => r.text()).then((t) => {"
    + 'out.innerHTML = `<p>done ${++n};` + t })">Save</button>'
    + "".join(f"<p><a href='#{n}'>link {n}</a>" for n in range(49)),
    "long page, 3,000 paragraphs": HEAD
    + SAVE
    + "".join(f"<p>Paragraph {n} of the long tale.</p>" for n in range(3_000)),
}


class _Handler(PageHandler):
    pages: dict[str, str]
    hits: list[str]

    def page(self) -> bytes:
        """Return the page of this path."""
        if self.path.startswith("/hit?"):
            self.hits.append(unquote(self.path[5:]))
        return self.pages.get(self.path.partition("?")[0], "").encode()


class _Names:
    async def resolve(self, host: str, port: int) -> list[str]:
        """Every name is this machine."""
        del host, port
        return ["127.0.0.1"]


def served() -> tuple[ThreadingHTTPServer, list[str], int]:
    """Serve the pages; returns the server, what handlers said, and the port."""
    hits: list[str] = []
    pages = {f"/{n}": html for n, html in enumerate(PAGES.values())} | {"/rows": "<p>a row</p>" * 20}
    handler = type("Handler", (_Handler,), {"pages": pages, "hits": hits})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    port = server.server_address[1]
    pages |= {"/inner": INNER, "/nested": NESTED.replace("THIRD", f"http://third.example:{port}")}
    for n, (name, kind) in enumerate(KINDS.items()):
        html = kind.html.replace("OTHER", f"http://other.example:{port}")
        pages[f"/kind{n}"] = f"<!DOCTYPE html><title>{name}</title>{STYLE}{SAY}{html}"
    pages |= {f"/{path.stem}": path.read_text(encoding="utf-8") for path in BUILT}
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, hits, port


async def kinds(web: Web, hits: list[str], port: int) -> None:
    """Work every control once."""
    reached = 0
    for n, (name, kind) in enumerate(KINDS.items()):
        hits.clear()
        why = ""
        try:
            async with web.browse(f"http://127.0.0.1:{port}/kind{n}") as tab:
                await kind.steps(tab)
        except (WellreadError, AssertionError) as error:
            why = str(error).splitlines()[0]
        reached += kind.wanted in hits
        print(f"{'hit ' if kind.wanted in hits else 'MISS'} {name} {why}")
    print(f"{reached} of {len(KINDS)} kinds: the page's own handler got a trusted event")


async def frameworks(web: Web, hits: list[str], port: int) -> None:
    """Work the same twelve controls in every framework."""
    reached = count = 0
    for path in BUILT:
        async with web.browse(f"http://127.0.0.1:{port}/{path.stem}") as tab:
            for name, steps, wanted in FRAMEWORK_STEPS:
                hits.clear()
                why = ""
                try:
                    await steps(tab)
                except (WellreadError, AssertionError) as error:
                    why = str(error).splitlines()[0]
                count += 1
                reached += wanted in hits
                print(f"{'hit ' if wanted in hits else 'MISS'} {path.stem}: {name} {why}")
    print(f"{reached} of {count} controls of {len(BUILT)} frameworks got a trusted event")


class Step(NamedTuple):
    """A click, the wait and the snapshot."""

    seconds: float
    shown: bool
    """The snapshot has what the click did."""


async def timed(step: Callable[[], Awaitable[str]], count: int) -> Step:
    """Do a step that returns the snapshot's text; `count` is which click of this page it is."""
    began = time.perf_counter()
    told = await step()
    return Step(time.perf_counter() - began, f"done {count};" in told)


async def ours(web: Web, port: int, rounds: int) -> dict[str, list[Step]]:
    """Time clicks on Save."""
    steps: dict[str, list[Step]] = {}
    for n, name in enumerate(PAGES):
        async with web.browse(f"http://127.0.0.1:{port}/{n}") as tab:
            index = next(each.index for each in tab.snapshot.elements if each.name == "Save")

            async def step(tab: BrowseSession = tab, index: int = index) -> str:
                return (await tab.click(index)).content

            steps[name] = [await timed(step, count) for count in range(1, rounds + 1)]
    return steps


class Server:
    """A server of the Model Context Protocol on the other end of a pipe."""

    def __init__(self, process: Process) -> None:
        """Take the process."""
        assert process.stdin is not None
        assert process.stdout is not None
        self._in = process.stdin
        self._out = BufferedByteReceiveStream(process.stdout)
        self._count = 0

    async def ask(self, method: str, params: dict[str, object]) -> dict[str, Any]:  # Any: JSON
        """Send a request and return its result."""
        self._count += 1
        message = {"jsonrpc": "2.0", "id": self._count, "method": method, "params": params}
        await self._in.send(json.dumps(message).encode() + b"\n")
        while True:
            told = json.loads(await self._out.receive_until(b"\n", 50_000_000))
            if told.get("id") == self._count and "method" not in told:
                result: dict[str, Any] = told.get("result") or {"error": told.get("error")}
                return result

    async def call(self, tool: str, **given: object) -> str:
        """Call a tool and return its text."""
        told = await self.ask("tools/call", {"name": tool, "arguments": given})
        return "\n".join(each.get("text", "") for each in told.get("content", ()))

    async def start(self) -> str:
        """Shake hands; returns the server's name and version."""
        client = {"name": "benchmark", "version": "1"}
        told = await self.ask("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        await self._in.send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
        return " ".join(str(told.get("serverInfo", {}).get(each, "")) for each in ("name", "version"))


def reference(told: str) -> str:
    """Return the peers' reference of the button in a snapshot."""
    found = re.search(r'button "Save"[^\n]*\[ref=(\w+)\]', told)
    if found is None:
        raise SystemExit(f"no reference for the button in:\n{told[:500]}")
    return found[1]


async def by_protocol(command: str, port: int, rounds: int) -> tuple[str, dict[str, list[Step]]]:
    """Time the same clicks, and a snapshot after each where the click returns none; says whose they are, too."""
    steps: dict[str, list[Step]] = {}
    async with await anyio.open_process(shlex.split(command), stderr=None) as process:
        server = Server(process)
        title = await server.start()
        for n, name in enumerate(PAGES):
            await server.call("browser_navigate", url=f"http://127.0.0.1:{port}/{n}")
            ref = reference(await server.call("browser_snapshot"))

            async def step(ref: str = ref) -> str:
                told = await server.call("browser_click", element="Save", target=ref, ref=ref)
                return told if "[ref=" in told else await server.call("browser_snapshot")

            steps[name] = [await timed(step, count) for count in range(1, rounds + 1)]
        process.terminate()
    return title, steps


async def by_command(command: str, port: int, rounds: int, *, batch: bool) -> tuple[str, dict[str, list[Step]]]:
    """Time the same clicks through agent-browser, whose browser stays between its commands."""

    async def run(*words: str) -> str:
        done = await anyio.run_process([*shlex.split(command), "--session", "benchmark", *words], check=False)
        if done.returncode:
            raise SystemExit(f"{words}: {done.stdout.decode()}{done.stderr.decode()}")
        return done.stdout.decode()

    steps: dict[str, list[Step]] = {}
    title = f"{(await run('--version')).strip()}, {'a batch' if batch else 'two commands'}"
    for n, name in enumerate(PAGES):
        await run("open", f"http://127.0.0.1:{port}/{n}")
        told = await run("snapshot")
        for count in range(1, rounds + 1):

            async def step(ref: str = reference(told)) -> str:
                nonlocal told
                if batch:
                    told = await run("batch", f"click @{ref}", "snapshot")
                else:
                    await run("click", f"@{ref}")
                    told = await run("snapshot")
                return told

            steps.setdefault(name, []).append(await timed(step, count))
    await run("close")
    return title, steps


def table(title: str, steps: dict[str, list[Step]]) -> None:
    """Print median and 95th percentile in milliseconds, and how many snapshots had what the click did."""
    print(f"\n{title:<40} median ms   p95 ms   steps   shown")
    for name, each in [*steps.items(), ("all", [one for some in steps.values() for one in some])]:
        times = [one.seconds for one in each]
        high = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
        median = 1000 * statistics.median(times)
        shown = sum(one.shown for one in each)
        print(f"  {name:<38} {median:>9.0f} {1000 * high:>8.0f} {len(times):>7} {shown:>7}")


async def main(chosen: argparse.Namespace) -> None:
    """Run what was asked for."""
    server, hits, port = served()
    listed = tuple(f"{host}:{port}" for host in ("127.0.0.1", "other.example", "third.example"))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(
            net=NetSettings(allow_hosts=listed, robots=False),
            cache=CacheSettings(dir=Path(folder)),
            browser=BrowserSettings(sandbox=chosen.sandbox, executable=chosen.executable),
        )
        async with Web(settings, resolver=_Names()) as web:
            if chosen.kinds:
                await kinds(web, hits, port)
            if chosen.frameworks:
                await frameworks(web, hits, port)
            table(f"wellread {__version__}", await ours(web, port, chosen.rounds))
    if chosen.mcp:
        table(*await by_protocol(chosen.mcp, port, chosen.rounds))
    if chosen.agent_browser:
        for batch in (False, True):
            table(*await by_command(chosen.agent_browser, port, chosen.rounds, batch=batch))
    server.shutdown()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--kinds", action="store_true")
    parser.add_argument("--frameworks", action="store_true")
    parser.add_argument("--mcp", help="a command that starts another server")
    parser.add_argument("--agent-browser", help="the command of that name")
    parser.add_argument("--executable", type=Path, help="the browser that ours starts")
    parser.add_argument("--no-sandbox", dest="sandbox", action="store_false")
    anyio.run(main, parser.parse_args())
