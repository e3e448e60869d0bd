"""What tests with a real browser share: a site on loopback, and one browser for the whole run."""

from __future__ import annotations

import _thread
import os
import threading
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import pytest

from wellread.browser.browser_executable import find_executable
from wellread.config import CacheSettings, FetchSettings, NetSettings, Settings
from wellread.errors import WellreadError
from wellread.sections import BrowserSettings, RenderSettings

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from pathlib import Path
    from typing import Unpack

    from anyio.from_thread import BlockingPortal

    from wellread.apps.build import Web
    from wellread.browser.browser_pool import BrowserPool
    from wellread.reading.read_options import ReadOptions
    from wellread.types import Page

T = TypeVar("T")

# Tests run as root in containers, where Chromium cannot have its sandbox; as anybody else they keep it.
SANDBOX = not hasattr(os, "geteuid") or os.geteuid() != 0

PATIENCE_S = 60.0
"""For what a browser is asked: on a machine that is busy elsewhere a tab alone may take seconds to open."""


@cache
def need_browser() -> None:
    """Skip where no browser can be started; in CI there must be one."""
    why = ""
    if find_spec("playwright") is None:
        why = "the extra `browser` is not installed"
    else:
        try:
            find_executable(None, headed=False, own=None)
        except WellreadError as error:
            why = f"{error.message} ({error.hint})"
    if why:
        skip_or_fail(why)


def skip_or_fail(why: str) -> NoReturn:
    """Skip for a reason of the machine; fail in CI, where everything is there."""
    if "CI" in os.environ:
        pytest.fail(f"{why}; in CI this test must run")
    pytest.skip(why)


Answer = tuple[int, dict[str, str], bytes]


@dataclass
class Asked:
    """A request as the site saw it."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Site:
    """Answers paths from a dictionary; anything else is 404. `asked` lists the requests."""

    port: int = 0
    pages: dict[str, str | Answer | Callable[[Asked], Answer | None]] = field(default_factory=dict)
    asked: list[Asked] = field(default_factory=list)

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def paths(self) -> list[str]:
        return [asked.path for asked in self.asked]

    def answer(self, asked: Asked) -> Answer | None:
        self.asked.append(asked)
        said = self.pages.get(asked.path) or self.pages.get(asked.path.partition("?")[0])
        if callable(said):
            return said(asked)
        if isinstance(said, str):
            return 200, {"Content-Type": "text/html; charset=utf-8"}, said.encode()
        return said or (404, {"Content-Type": "text/plain"}, b"nothing here")


class HttpServer(ThreadingHTTPServer):
    """A server whose threads are not measured: where many start at once, their tracers would trip over each other."""

    daemon_threads = True

    def process_request(self, request: Any, client_address: Any) -> None:  # Any: as the library has it
        _thread.start_new_thread(self.process_request_thread, (request, client_address))


class _Server(HttpServer):
    site: Site

    def handle_error(self, request: object, client_address: object) -> None:
        """A browser that goes away is no error."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def _do(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        said = self.server.site.answer(
            Asked(self.command, self.path, {name.title(): value for name, value in self.headers.items()}, body)
        )
        if said is None:  # the connection just ends
            self.close_connection = True
            return
        status, headers, content = said
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), "Cache-Control": "no-store", **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    do_GET = do_POST = do_HEAD = do_PUT = do_OPTIONS = _do  # noqa: N815 - the library's names

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def serving(site: Site, address: str = "127.0.0.1") -> _Server:
    """Start serving `site` in threads; the caller shuts it down."""
    server = _Server((address, 0), _Handler)
    server.site = site
    site.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    return server


def settings_for(site: Site, folder: Path, *, hosts: tuple[str, ...] = (), **browser: object) -> Settings:
    """Settings under which the site may be reached, and nothing else that is private."""
    listed = tuple(f"{host}:{site.port}" for host in ("127.0.0.1", *hosts))
    given = {"timeout_s": PATIENCE_S} | browser
    chosen = BrowserSettings(sandbox=SANDBOX, **given)  # type: ignore[arg-type]  # names checked there
    return Settings(
        net=NetSettings(allow_hosts=listed, robots=False, per_host=16),
        fetch=FetchSettings(timeout_s=PATIENCE_S),
        cache=CacheSettings(dir=folder),
        browser=chosen,
        render=RenderSettings(),
    )


class Names:
    """Every name below .example is this machine."""

    async def resolve(self, host: str, port: int) -> list[str]:
        return ["127.0.0.1"]


class Reading:
    """A `Web` with a browser in a thread of its own, and the site that it reads."""

    def __init__(self, portal: BlockingPortal, site: Site, web: Web) -> None:
        self._portal = portal
        self.site = site
        self.web = web

    @property
    def pool(self) -> BrowserPool:
        return self.web._network.browsers.resolve()

    def show(self, html: str, **options: Unpack[ReadOptions]) -> Page:
        """Serve one page and read it through the browser."""
        path = f"/page{len(self.site.pages)}"
        self.site.pages[path] = html
        asked: ReadOptions = {"render": "always", **options}
        return self.read(path, **asked)

    def read(self, path: str, host: str = "127.0.0.1", **options: Unpack[ReadOptions]) -> Page:
        return self.run(lambda: self.web.read(self.site.url(path, host), **options))

    def run(self, work: Callable[[], Awaitable[T]]) -> T:
        return self._portal.call(work)
