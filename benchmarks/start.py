"""The CPU time of short commands, from their start to their end, beside trafilatura's command and an earlier version.

    python benchmarks/start.py --data DIR [--trafilatura PYTHON] [--before SRC] [--pages 10] [--rounds 3]

DIR holds `wcxb/html` (Web Content Extraction Benchmark v1.0, CC-BY-4.0). PYTHON is an interpreter whose environment has
trafilatura; SRC is the `src` folder of another checkout. All commands run one after another for each page and round,
so that noise falls on all alike; child processes count. A ratio is that of the means over pages and rounds. A target
that this tree misses is printed below the table.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.metadata
import os
import statistics
import subprocess
import sys
import tempfile
import threading
from collections import defaultdict
from http.server import ThreadingHTTPServer
from pathlib import Path

from page_handler import PageHandler

TREE = Path(__file__).resolve().parents[1]
FIRST_EXTRACT = "import sys, wellread; wellread.extract(open(sys.argv[1], 'rb').read())"
TRAFILATURA_EXTRACT = (
    "import sys, trafilatura; trafilatura.extract(open(sys.argv[1], 'rb').read(), output_format='markdown', "
    "with_metadata=True, include_links=True)"
)
MAX_MS = {"--help": 150.0, "read, from the cache": 300.0}
MAX_RATIO = 1.5
"""Of the mean CPU time of `extract FILE` to that of trafilatura's command."""


class SavedPage(PageHandler):
    """Serves the page that is measured."""

    body = b""

    def page(self) -> bytes:
        """Return the page."""
        return self.body


def cpu_ms(command: list[str], source: Path | None, stdin: Path | None = None) -> float:
    """Run a command and return the CPU time of it and its children, in ms."""
    environment = {name: text for name, text in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    if source is not None:
        environment["PYTHONPATH"] = str(source)
    with (stdin or Path(os.devnull)).open("rb") as page:
        process = subprocess.Popen(
            command, env=environment, stdin=page, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        assert process.stderr is not None
        complaint = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
    if process.returncode:
        sys.exit(f"{' '.join(command)}: exit code {process.returncode}\n{complaint.decode()[-1000:]}")
    return (usage.ru_utime + usage.ru_stime) * 1000


def own_commands(page: Path, url: str, cache: Path) -> dict[str, list[str]]:
    """Return the measured commands of wellread, by name."""
    wellread = [sys.executable, "-m", "wellread"]
    host = url.split("/")[2]
    return {
        "--version": [*wellread, "--version"],
        "--help": [*wellread, "--help"],
        "extract FILE": [*wellread, "extract", str(page)],
        "first extract in Python": [sys.executable, "-c", FIRST_EXTRACT, str(page)],
        "read, from the cache": [
            *wellread, "--set", f"net.allow_hosts={host}", "--set", f"cache.dir={cache}", "read", url,
        ],
    }  # fmt: skip


def measure(
    bodies: list[bytes], rounds: int, sources: dict[str, Path], trafilatura: str | None
) -> dict[str, list[float]]:
    """Return the CPU times in ms of each command, whose name begins with the version."""
    times: dict[str, list[float]] = defaultdict(list)
    server = ThreadingHTTPServer(("127.0.0.1", 0), SavedPage)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as folder:
        for number, body in enumerate(bodies):
            page = Path(folder) / f"{number}.html"
            page.write_bytes(body)
            SavedPage.body = body
            url = f"http://127.0.0.1:{server.server_port}/{number}"
            for version, source in sources.items():
                # The first reading fills the cache, and writes bytecode where there is none.
                for command in own_commands(page, url, Path(folder) / version).values():
                    cpu_ms(command, source)
            for _ in range(rounds):
                for version, source in sources.items():
                    for name, command in own_commands(page, url, Path(folder) / version).items():
                        times[f"{version}: {name}"].append(cpu_ms(command, source))
                if trafilatura:
                    script = str(Path(trafilatura).with_name("trafilatura"))
                    times["trafilatura: command"].append(cpu_ms([script], None, page))
                    flags = ["--markdown", "--with-metadata", "--links"]
                    times["trafilatura: command, markdown"].append(cpu_ms([script, *flags], None, page))
                    times["trafilatura: first extract in Python"].append(
                        cpu_ms([trafilatura, "-c", TRAFILATURA_EXTRACT, str(page)], None)
                    )
    server.shutdown()
    return times


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--trafilatura", metavar="PYTHON")
    parser.add_argument("--before", type=Path, metavar="SRC")
    parser.add_argument("--pages", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    files = sorted((options.data / "wcxb" / "html").glob("*.html.gz"))
    bodies = [gzip.decompress(file.read_bytes()) for file in files[:: max(1, len(files) // options.pages)]]
    sources = {"wellread": TREE / "src"}
    if options.before:
        sources["before"] = options.before
    times = measure(bodies[: options.pages], options.rounds, sources, options.trafilatura)
    print(f"CPU ms, {options.pages} pages, {options.rounds} rounds; Python {sys.version.split()[0]}, wellread "
          f"{importlib.metadata.version('wellread')}")  # fmt: skip
    means = {name: statistics.mean(samples) for name, samples in times.items()}
    for name, samples in times.items():
        print(f"{name:40} mean {means[name]:6.0f}   median {statistics.median(samples):6.0f}")
    for name, limit in MAX_MS.items():
        if means[f"wellread: {name}"] > limit:
            print(f"missed: {name} takes {means[f'wellread: {name}']:.0f} ms of {limit:.0f}")
    if options.trafilatura:
        ratio = means["wellread: extract FILE"] / means["trafilatura: command"]
        verdict = "missed" if ratio > MAX_RATIO else "met"
        print(f"{verdict}: extract FILE takes {ratio:.2f} times trafilatura's command, of {MAX_RATIO}")


if __name__ == "__main__":
    main()
