"""Reads a page of 15,000 characters with MCP clients of many makers, and prints what their models see of it.

    python benchmarks/mcp_clients/run.py [--environments FOLDER] [--record] [CLIENT ...]

Each client runs in an environment of its own, made by pip from `requirements-CLIENT.txt` in the folder (a temporary one
by default; environments that are there already are used again). Each connects to a real `wellread mcp` over stdio, and
to `wellread serve` over HTTP where it speaks that. `--record` writes the messages over stdio, in both directions, to
tests/contract/mcp_exchanges/, which the default test run plays against the server.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from long_page import write_warc

if TYPE_CHECKING:
    from collections.abc import Iterator

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
EXCHANGES = ROOT / "tests" / "contract" / "mcp_exchanges"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT / "src")}
MAX_STRING_CHARS = 400
"""Of a string in a recording; the middle of longer ones is left out, for no test reads it."""
LEGACY, MODERN = "2025-11-25", "2026-07-28"


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One way to read the page."""

    name: str
    """Of the recording."""
    client: str
    """Of the script and the requirements."""
    transport: str = "stdio"
    revision: str = ""
    variant: str = ""


RUNS = (
    Run(name="langchain", client="langchain"),
    Run(name="langchain", client="langchain", transport="http"),
    Run(name="openai_agents", client="openai_agents"),
    Run(name="openai_agents", client="openai_agents", transport="http"),
    Run(name="openai_agents_structured", client="openai_agents", variant="structured"),
    Run(name="pydantic_ai", client="pydantic_ai"),
    Run(name="pydantic_ai", client="pydantic_ai", transport="http"),
    Run(name="fastmcp", client="fastmcp"),
    Run(name="fastmcp", client="fastmcp", transport="http"),
    Run(name="llama_index", client="llama_index"),
    Run(name="llama_index", client="llama_index", transport="http"),
    Run(name="sdk_2025_11_25", client="sdk", revision=LEGACY),
    Run(name="sdk_2025_11_25", client="sdk", revision=LEGACY, transport="http"),
    Run(name="sdk_2026_07_28", client="sdk", revision=MODERN),
    Run(name="sdk_2026_07_28", client="sdk", revision=MODERN, transport="http"),
    Run(name="structured_only_2025_11_25", client="plain_json", revision=LEGACY, variant="structured"),
    Run(name="structured_only_2026_07_28", client="plain_json", revision=MODERN, variant="structured"),
    Run(name="shows_both_2025_11_25", client="plain_json", revision=LEGACY, variant="both"),
    Run(name="shows_both_2026_07_28", client="plain_json", revision=MODERN, variant="both"),
)


def python_of(client: str, folder: Path) -> str:
    """Return the interpreter of a client's environment, which is made where it is missing."""
    place = folder / client
    python = place / "bin" / "python"
    if not python.exists():
        venv.create(place, with_pip=True)
        requirements = HERE / f"requirements-{client}.txt"
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "-r", str(requirements)], check=True)
    return str(python)


def server(folder: Path, warc: Path, *words: str) -> list[str]:
    """Return the command line of a server over the recording."""
    settings = {"cache.dir": str(folder / "cache"), "search.providers": "local", "server.logs": "none"}
    options = [word for name, value in settings.items() for word in ("--set", f"{name}={value}")]
    return [sys.executable, "-m", "wellread", *options, *words, "--replay", str(warc)]


@contextmanager
def connection(run: Run, folder: Path, warc: Path) -> Iterator[list[str]]:
    """Yield what the client connects to: a command line, or the URL of a server that runs meanwhile."""
    if run.transport == "stdio":
        yield [sys.executable, str(HERE / "tee.py"), str(folder / "exchange.jsonl"), *server(folder, warc, "mcp")]
        return
    command = server(folder, warc, "serve", "--port", "0")
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=folder, env=ENVIRONMENT) as process:
        assert process.stderr is not None
        yield [process.stderr.readline().removeprefix("listening on ").strip() + "/mcp"]
        process.terminate()


def read(run: Run, python: str, folder: Path, warc: Path) -> dict[str, Any]:
    """Let one client read the page; return its report."""
    with connection(run, folder, warc) as words:
        command = [python, str(HERE / f"read_with_{run.client}.py"), run.transport, run.revision, json.dumps(words)]
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            timeout=180,
            check=False,
            cwd=folder,
            env=environment | {"VARIANT": run.variant, "PYTHONDONTWRITEBYTECODE": "1"},
        )
    reports = [line for line in done.stdout.splitlines() if line.startswith('{"client"')]
    if done.returncode or not reports:
        sys.stderr.write(done.stderr[-2_000:])
    report: dict[str, Any] = json.loads(reports[-1]) if reports else {"client": run.client, "last_sentence": False}
    return report


def record(run: Run, report: dict[str, Any], folder: Path) -> None:
    """Keep the messages of the client and the server, with the version of the client."""
    lines = (folder / "exchange.jsonl").read_text(encoding="utf-8").splitlines()
    head = {name: report[name] for name in ("client", "version", "shows")}
    short = [head, *(_shortened(json.loads(line)) for line in lines)]
    EXCHANGES.mkdir(exist_ok=True)
    path = EXCHANGES / f"{run.name}.jsonl"
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in short), encoding="utf-8")


def _shortened(value: Any) -> Any:
    """Return JSON without the middle of long strings, and of lists of tools their names."""
    if isinstance(value, dict) and isinstance(value.get("tools"), list):
        return value | {"tools": [{"name": tool["name"]} for tool in value["tools"]]}
    if isinstance(value, dict):
        return {name: _shortened(part) for name, part in value.items()}
    if isinstance(value, list):
        return [_shortened(part) for part in value]
    if isinstance(value, str) and len(value) > MAX_STRING_CHARS:
        half = MAX_STRING_CHARS // 2
        return f"{value[:half]} [{len(value) - 2 * half:,} characters] {value[-half:]}"
    return value


def main() -> int:
    """Print the table; return 1 where a model has not seen the end of the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("clients", nargs="*", help="all by default")
    parser.add_argument("--environments", type=Path, help="where they are made and kept; else a temporary folder")
    parser.add_argument("--record", action="store_true", help="write tests/contract/mcp_exchanges/")
    options = parser.parse_args()
    runs = [run for run in RUNS if not options.clients or run.client in options.clients]
    seen = []
    with tempfile.TemporaryDirectory() as scratch:
        warc = Path(scratch) / "log.warc"
        write_warc(warc)
        environments = options.environments or Path(scratch) / "environments"
        print("| client | version | revision | transport | model sees | characters | copies | last sentence |")
        print("|---|---|---|---|---|---|---|---|", flush=True)
        for run in runs:
            python = python_of(run.client, environments.absolute())
            with tempfile.TemporaryDirectory(dir=scratch) as folder:
                report = read(run, python, Path(folder), warc)
                seen.append(report["last_sentence"])
                if report["last_sentence"] and run.transport == "stdio":
                    report["revision"] = revision_of(Path(folder) / "exchange.jsonl")
                    if options.record:
                        record(run, report, Path(folder))
            cells = [str(report.get(name) or "-") for name in ("client", "version", "revision")]
            cells += [run.transport, *(str(report.get(name, "-")) for name in ("shows", "chars", "copies"))]
            print(f"| {' | '.join(cells)} | {'yes' if report['last_sentence'] else 'NO'} |", flush=True)
    return 0 if all(seen) else 1


def revision_of(exchange: Path) -> str:
    """Return the protocol revision that a session came to."""
    messages = [json.loads(line)["message"] for line in exchange.read_text(encoding="utf-8").splitlines()]
    agreed = [
        message["result"]["protocolVersion"] for message in messages if "protocolVersion" in message.get("result", {})
    ]
    return agreed[0] if agreed else MODERN


if __name__ == "__main__":
    sys.exit(main())
