"""Calls the tools of the MCP interface with MCP clients of many makers, by stdio and HTTP, and prints who could.

    python benchmarks/clients.py sdk session=ENV/bin/python fastmcp=ENV/bin/python adapters=ENV/bin/python \
        inspector=NODE_FOLDER

Each client lives in an environment of its own: `mcp==1.30.*` (session), `fastmcp>=4`, `langchain-mcp-adapters`, and for
the inspector a folder with `npm i node@22 @modelcontextprotocol/inspector@2.12`. The SDK's client and the inspector
speak either era of the protocol in turn. `tools/list` is what the inspector's `--strict` says of all schemas.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).parent
SITE = HERE.parent / "src" / "wellread" / "apps" / "demo_site.warc.gz"
HOME = "http://www.tidewater.example/"
CALLS: list[tuple[str, dict[str, object]]] = [
    ("index_add", {"url": HOME + "faq"}),
    ("index_list", {"limit": 5}),
    ("web_search", {"query": "lamp", "count": 3}),
    ("web_read", {"url": HOME + "reference", "max_length": 2_000}),
    ("web_gather", {"question": "Why was the lamp of the lighthouse changed?"}),
    ("web_find", {"url": HOME + "faq", "pattern": "petrel"}),
    ("web_download", {"url": HOME + "reports/petrel-count-2024.pdf"}),
    ("index_remove", {"url": HOME + "faq"}),
    ("browse_url", {"url": HOME + "faq"}),
    ("page_click", {"session": "SESSION", "index": 1}),
    ("page_screenshot", {"session": "SESSION"}),
    ("page_read", {"session": "SESSION", "form": "markdown"}),
    ("page_close", {"session": "SESSION"}),
]
"""SESSION stands for the one that browse_url gave. The other page tools look no different to a client."""
ERAS = {"sdk": ("auto", "legacy"), "inspector": ("modern", "legacy")}
SANDBOX = "true" if os.geteuid() else "false"


def wellread(folder: str, *words: str) -> list[str]:
    """Return the command line of a server over the recorded site."""
    chosen = {"cache.dir": folder, "search.providers": "local", "browser.sandbox": SANDBOX, "server.logs": "none"}
    settings = [word for name, value in chosen.items() for word in ("--set", f"{name}={value}")]
    return [sys.executable, "-m", "wellread", *settings, *words, "--replay", str(SITE)]


@contextmanager
def target(transport: str, folder: str) -> Iterator[list[str]]:
    """Yield what a client connects to: a command line, or the URL of a server that runs meanwhile."""
    if transport == "stdio":
        yield wellread(folder, "mcp")
        return
    with subprocess.Popen(
        wellread(folder, "serve", "--port", "0"), stderr=subprocess.PIPE, text=True, cwd=folder
    ) as server:
        assert server.stderr is not None
        yield [server.stderr.readline().removeprefix("listening on ").strip() + "/mcp"]
        server.terminate()


def by_script(script: str, python: str, transport: str, where: list[str]) -> dict[str, str]:
    """Let a client in its own environment call all tools."""
    path = HERE / "interface_clients" / f"{script}.py"
    command = [python, str(path), transport, json.dumps(where), json.dumps(CALLS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode:
        return {"revision": done.stderr.strip().splitlines()[-1][:100] if done.stderr.strip() else "failed"}
    told: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return told


def by_inspector(folder: str, transport: str, where: list[str]) -> dict[str, str]:
    """Let the inspector's command line list all tools, strictly, and call each; it starts anew for each."""
    era = os.environ["MODE"]
    strictly = inspected(folder, transport, where, ["tools/list", "--strict"])
    told = {"revision": era, "tools/list": f"{len(strictly['tools'])} tools" if "tools" in strictly else "failed"}
    browsing = ""
    for name, asked in CALLS:
        if transport == "stdio" and ("SESSION" in asked.values() or name == "browse_url"):
            continue  # a session would end with each server that it starts
        arguments = {key: browsing if value == "SESSION" else value for key, value in asked.items()}
        given = [part for key, value in arguments.items() for part in ("--tool-arg", f"{key}={value}")]
        answer = inspected(folder, transport, where, ["tools/call", "--tool-name", name, *given])
        browsing = (answer.get("structuredContent") or {}).get("session", browsing)
        told[name] = "failed" if answer.get("isError") or not answer.get("structuredContent") else "ok"
    return told


def inspected(folder: str, transport: str, where: list[str], asked: list[str]) -> dict[str, Any]:
    """Return what the inspector prints of one method, or nothing where it found something to complain of."""
    node = Path(folder) / "node_modules" / ".bin"
    environment = os.environ | {"PATH": f"{node}:{os.environ['PATH']}"}
    options = ["--protocol-era", os.environ["MODE"], *(["--transport", "http"] if transport == "http" else [])]
    command = [str(node / "mcp-inspector"), "--cli", *options, *where, "--method", *asked]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, env=environment)
    try:
        answer: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        answer = {}
    if done.returncode or not answer:
        sys.stderr.write(f"inspector {asked[0]}: {done.returncode}: {(done.stderr or done.stdout)[:400]}\n")
        return {}
    return answer


def main() -> None:
    """Print the table."""
    names = ["tools/list", *(name for name, _ in CALLS)]
    print("| client | transport | revision | " + " | ".join(names) + " |")
    print("|---" * (len(names) + 3) + "|")
    for client in sys.argv[1:]:
        name, _, place = client.partition("=")
        for transport in ("stdio", "http"):
            for mode in ERAS.get(name, ("",)):
                os.environ["MODE"] = mode
                with tempfile.TemporaryDirectory() as folder, target(transport, folder) as where:
                    if name == "inspector":
                        told = by_inspector(place, transport, where)
                    else:
                        told = by_script(name, place or sys.executable, transport, where)
                cells = [told.get(tool, "-") for tool in names]
                print(f"| {name} | {transport} | {told['revision']} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
