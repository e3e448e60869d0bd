"""Serves the task pages on loopback, and keeps the reports that they send."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FOLDER = Path(__file__).parent
HEAD = (
    "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>{title}</title>"
    "<link rel=stylesheet href=/kit.css><script src=/kit.js></script>"
)
TYPES = {".js": "text/javascript", ".css": "text/css"}


class TaskServer(ThreadingHTTPServer):
    """The server of one run; `reports` has what pages reported, by task."""

    daemon_threads = True

    def __init__(self) -> None:
        """Listen at a free port."""
        super().__init__(("127.0.0.1", 0), _Handler)
        self.reports: dict[str, list[str]] = {}
        self.port = self.server_address[1]
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, task: str) -> str:
        """Return the address of a task's page."""
        return f"http://127.0.0.1:{self.port}/t/{task}/"

    def report(self, task: str, text: str) -> None:
        """Keep a report."""
        self.reports.setdefault(task, []).append(text)


class _Handler(BaseHTTPRequestHandler):
    server: TaskServer

    def do_GET(self) -> None:
        """Answer with a page, a part of a page, or the file to download."""
        path = self.path.partition("?")[0]
        if path in {"/kit.js", "/kit.css"}:
            self._answer((FOLDER / path[1:]).read_bytes(), TYPES[path[path.index(".") :]])
            return
        _, _, task, part = [*path.split("/", 3), "", "", ""][:4]
        if part == "file/report.csv":
            self.server.report(task, "downloaded")
            self._answer(b"a,b\n1,2\n", "text/csv", ("Content-Disposition", 'attachment; filename="report.csv"'))
            return
        file = FOLDER / "pages" / (f"{task}.{part}.html" if part else f"{task}.html")
        if not path.startswith("/t/") or not file.is_file():
            self._answer(b"", "text/plain", status=404)
            return
        html = file.read_text(encoding="utf-8").replace("OTHER", f"http://localhost:{self.server.port}")
        head = "" if html.startswith("<title>") else HEAD.format(title=task)
        if not head:
            title, _, html = html.removeprefix("<title>").partition("</title>")
            head = HEAD.format(title=title)
        self._answer((head + html).encode(), "text/html; charset=utf-8")

    def do_POST(self) -> None:
        """Keep a report, or sign in."""
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        parts = self.path.split("/")
        if parts[1] == "report":
            self.server.report(parts[2], body)
            self._answer(b"", "text/plain")
        elif body == "user=ann&password=hunter22":
            self._answer(b"", "text/plain", ("Location", "home"), ("Set-Cookie", "sid=ok; Path=/"), status=303)
        else:
            self._answer(b"Wrong password", "text/plain", status=403)

    def _answer(self, body: bytes, media_type: str, *headers: tuple[str, str], status: int = 200) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        for name, text in headers:
            self.send_header(name, text)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Write no log."""
