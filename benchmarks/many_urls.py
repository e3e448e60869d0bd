"""A run of many URLs that is killed and continued, measured: order, completeness and memory.

    python benchmarks/many_urls.py [--urls 1000] [--failing 200] [--kills 3]

Starts a site on loopback, `wellread read - --out pages.jsonl` over its URLs, kills it (SIGKILL) after each share of the
lines, and starts it again until it ends. Then every URL must have one result: a page, or the error of a page that fails
(404, 500, a broken connection). Printed are the runs, the lines, and the highest memory of the process (Linux).
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

TEXT = "The tide pools open at seven in the morning and close when the water is back at the wall. "


class Handler(BaseHTTPRequestHandler):
    """Answers `/page/N`, and fails for `/fail/N`, in three ways."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        kind, _, number = self.path.strip("/").partition("/")
        if kind == "fail" and int(number) % 3 == 0:
            self.close_connection = True
            return
        status = 200
        if kind == "fail":
            status = (404, 500)[int(number) % 2]
        body = f"<title>Page {number}</title><main><h1>Page {number}</h1><p>{TEXT * 60}{number}</p></main>".encode()
        self.send_response(status if kind in {"page", "fail"} else 404)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def peak_mb(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1_000 for line in lines if line.startswith("VmHWM")), 0.0)


def line_count(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def run(command: list[str], urls: list[str], out: Path, stop_at: int | None) -> tuple[bool, float]:
    """Run the command; kill it when the file has `stop_at` lines. Return whether it ended, and its highest memory."""
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    assert process.stdin is not None
    process.stdin.write("\n".join(urls).encode())
    process.stdin.close()
    memory_mb = 0.0
    while process.poll() is None:
        memory_mb = max(memory_mb, peak_mb(process.pid))
        if stop_at is not None and line_count(out) >= stop_at:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            return False, memory_mb
        time.sleep(0.02)
    return True, memory_mb


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--urls", type=int, default=1_000)
    parser.add_argument("--failing", type=int, default=200)
    parser.add_argument("--kills", type=int, default=3)
    arguments = parser.parse_args()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    authority = f"127.0.0.1:{server.server_address[1]}"
    every = arguments.urls // arguments.failing
    urls = [
        f"http://{authority}/{'fail' if number % every == 0 else 'page'}/{number}" for number in range(arguments.urls)
    ]
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "pages.jsonl"
        options: tuple[str, ...] = (
            f'net.allow_hosts=["{authority}"]',
            "net.robots=false",
            "net.per_host=16",
            "fetch.attempts=1",
        )
        options += (f"cache.dir={folder}/cache", "render.enabled=false", "fetch.timeout_s=300", "extract.timeout_s=120")
        command = [sys.executable, "-m", "wellread", *(part for option in options for part in ("--set", option))]
        command += ["read", "-", "--out", str(out), "--concurrency", "16"]
        began = time.monotonic()
        stops: list[int | None] = [arguments.urls * (at + 1) // (arguments.kills + 1) for at in range(arguments.kills)]
        memory_mb, runs = 0.0, 0
        for stop_at in [*stops, None]:
            ended, peak = run(command, urls, out, stop_at)
            memory_mb, runs = max(memory_mb, peak), runs + 1
            if ended:
                break
        elapsed_s = time.monotonic() - began
        rows = [json.loads(line) for line in out.read_text(encoding="utf-8").splitlines()]
    server.shutdown()
    last = {row["source"]: row for row in rows}
    pages = [row["source"] for row in rows if "error" not in row]
    ordered = pages == [url for url in urls if "/page/" in url]
    failed = sum("error" in row for row in last.values())
    print(f"{runs} runs in {elapsed_s:.0f} s, {len(rows)} lines, {memory_mb:.0f} MB at most")
    print(f"{len(last)} of {len(urls)} URLs have a result, {failed} of {arguments.failing} failing ones an error")
    print(f"pages in the order of the URLs, each once: {ordered}")
    if len(last) != len(urls) or failed != arguments.failing or not ordered:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
