"""A web on loopback for crawls: hosts with site maps, delays, redirects, twins, traps and failures, made from a seed.

Each host has an address of its own (127.0.0.1, 127.0.0.2 and so on) at one port, so that a process of its own can crawl
it without any names. `CrawlWeb` knows what a crawl must ask for, and notes what it was asked and when.
"""

from __future__ import annotations

import random
import threading
import time
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from itertools import pairwise
from typing import TYPE_CHECKING

from sites import HttpServer
from wellread.config import CacheSettings, ExtractSettings, FetchSettings, NetSettings, Settings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

WORDS = [
    "tide",
    "harbour",
    "lamp",
    "keeper",
    "petrel",
    "shore",
    "weed",
    "pool",
    "rock",
    "gull",
    "ferry",
    "rope",
    "anchor",
    "mast",
    "sail",
    "storm",
    "calm",
    "fog",
    "bell",
    "light",
    "stone",
    "sand",
    "shell",
    "crab",
    "whelk",
    "limpet",
    "kelp",
    "spray",
    "wave",
    "swell",
    "current",
    "channel",
    "buoy",
    "pier",
    "quay",
    "net",
    "line",
    "hook",
    "bait",
    "catch",
]
DELAY_S = 0.2
"""What the robots.txt of one host asks for between two requests."""


class _Server(HttpServer):
    def handle_error(self, request: object, client_address: object) -> None:
        """A crawl that is killed is no error of the server."""


@dataclass
class Reply:
    """An answer to a path."""

    status: int = 200
    body: str = ""
    headers: dict[str, str] = field(default_factory=dict)
    pause_s: float = 0.0


@dataclass
class CrawlWeb:
    """The hosts by number; `pages` are the URLs that a crawl must find, as the page of that URL."""

    page_count: int
    seed: int = 1
    port: int = 0
    more_links: dict[str, list[str]] = field(default_factory=dict)
    """Links of a URL, besides those that the seed makes."""
    requests: list[tuple[float, str]] = field(default_factory=list)
    """When each URL was asked for, robots.txt aside."""
    robots_requests: list[int] = field(default_factory=list)
    """The hosts whose robots.txt was asked for."""
    conditional: int = 0
    """Requests that asked whether a page has changed."""
    versions: dict[str, int] = field(default_factory=dict)
    """URL -> how often its text was changed."""
    gone: set[str] = field(default_factory=set)
    busy: dict[str, int] = field(default_factory=dict)
    """URL -> how often it answers 429 yet."""
    redirects: dict[str, str] = field(default_factory=dict)
    """URL -> where it redirects to, as it is written in the answer."""
    canonicals: dict[str, str] = field(default_factory=dict)
    """URL -> the canonical URL that its page names."""
    texts: dict[str, str] = field(default_factory=dict)
    """URL -> the URL whose text its page has."""
    emptied: set[str] = field(default_factory=set)
    """URLs whose page has one sentence alone."""
    restless: set[str] = field(default_factory=set)
    """URLs whose page names another missing canonical URL each time."""

    def __post_init__(self) -> None:
        """Note which page is linked from which: a tree, in which each page has a few children."""
        self.children: dict[tuple[int, int], list[int]] = {}
        rng = random.Random(self.seed)
        for host in self.normal_hosts:
            for page in range(1, self.page_count):
                parent = rng.randrange(page // 4, max(page // 4 + 1, page // 2))
                self.children.setdefault((host, parent), []).append(page)

    normal_hosts = (1, 2, 3, 4, 5)
    """1: links alone; 2: half of its pages in nested site maps; 3: a crawl delay; 4: twins; 5: traps and 429."""
    slow_host = 6
    moved_host = 7
    """Redirects each page to host 1."""
    dead_host = 8
    """Closes each connection without an answer."""

    def url(self, host: int, path: str = "/") -> str:
        return f"http://127.0.0.{host}:{self.port}{path}"

    def starts(self) -> list[str]:
        return [self.url(host) for host in range(1, 9)]

    def path(self, page: int) -> str:
        return f"/page/{page:04}" if page else "/"

    def expected(self) -> set[str]:
        """Return the URLs of pages that a crawl must have read, each text once."""
        urls = {self.url(host, self.path(page)) for host in self.normal_hosts for page in range(self.page_count)}
        return urls | {self.url(self.slow_host), self.url(self.slow_host, "/end")}

    def settings(self, folder: Path) -> Settings:
        """Return settings that reach these hosts; pages are read in this process, which the tests measure."""
        return Settings(
            net=NetSettings(allow_hosts=tuple(f"127.0.0.{host}:{self.port}" for host in range(1, 9))),
            cache=CacheSettings(dir=folder),
            fetch=FetchSettings(timeout_s=60),
            extract=ExtractSettings(processes=0),
        )

    def gaps_s(self, host: int) -> list[float]:
        """Return the seconds between the requests to a host."""
        times = [at for at, url in self.requests if url.startswith(self.url(host, ""))]
        return [later - earlier for earlier, later in pairwise(times)]

    def requests_of(self, host: int) -> list[str]:
        """Return the URLs that a host was asked for."""
        return [url for _, url in self.requests if url.startswith(self.url(host, ""))]

    def start(self) -> HttpServer:
        """Serve in threads; the caller shuts it down."""
        web = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                host = int(self.connection.getsockname()[0].rpartition(".")[2])
                if host == web.dead_host:
                    web.robots_requests += [host] * (self.path == "/robots.txt")
                    self.close_connection = True
                    return
                reply = web.reply(host, self.path, dict(self.headers))
                time.sleep(reply.pause_s)  # a slow server is what is crawled
                body = reply.body.encode()
                self.send_response(reply.status)
                headers = {"Content-Type": "text/html", "Content-Length": str(len(body))} | reply.headers
                for name, text in headers.items():
                    self.send_header(name, text)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        server = _Server(("0.0.0.0", self.port), Handler)
        self.port = server.server_address[1]
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        return server

    def reply(self, host: int, path: str, headers: dict[str, str]) -> Reply:
        """Return the answer of a host to a path."""
        if path == "/robots.txt":
            self.robots_requests.append(host)
            return Reply(body=self._robots(host), headers={"Content-Type": "text/plain"})
        if path.startswith("/sitemap"):
            return self._site_map(host, path)
        url = self.url(host, path)
        self.requests.append((time.monotonic(), url))
        reply = self._page(host, path)
        if reply.status != 200:
            return reply
        etag = f'"{sha256(reply.body.encode()).hexdigest()[:16]}"'
        reply.headers["ETag"] = etag
        if "If-None-Match" in headers:
            self.conditional += 1
        if headers.get("If-None-Match") == etag:
            return Reply(304, headers={"ETag": etag})
        return reply

    def _robots(self, host: int) -> str:
        lines = ["User-agent: *", "Disallow: /private/"]
        if host == 2:
            lines.append(f"Sitemap: {self.url(2, '/sitemap.xml')}")
        if host == 3:
            lines.append(f"Crawl-delay: {DELAY_S}")
        return "\n".join(lines)

    def _site_map(self, host: int, path: str) -> Reply:
        if host != 2:
            return Reply(404)
        pages = [f"<url><loc>{self.url(2, self.path(page))}</loc></url>" for page in range(self.page_count // 2)]
        if path == "/sitemap.xml":
            inner = f"<sitemap><loc>{self.url(2, '/sitemap-1.xml')}</loc></sitemap>"
            return Reply(body=f"<sitemapindex>{inner}</sitemapindex>", headers={"Content-Type": "application/xml"})
        return Reply(body=f"<urlset>{''.join(pages)}</urlset>", headers={"Content-Type": "application/xml"})

    def _page(self, host: int, path: str) -> Reply:
        url = self.url(host, path)
        plain = path.partition("?")[0]
        moved_to = self.redirects.get(url, self.url(1, path) if host == self.moved_host else None)
        if moved_to is not None:
            return Reply(301, headers={"Location": moved_to})
        if host == self.slow_host:
            return Reply(body=self._html(url, ["/end"]), pause_s=0.05) if path in {"/", "/end"} else Reply(404)
        if plain.startswith(("/old/", "/calendar/", "/loop/", "/noindex/")):
            return self._odd_page(url, plain)
        page = 0 if plain == "/" else self._number(plain)
        if page is None or page >= self.page_count or url in self.gone:
            return Reply(404)
        if self.busy.get(url, 0):
            self.busy[url] -= 1
            return Reply(429, headers={"Retry-After": "0"})
        links = [*self._links(host, page), *self.more_links.get(url, ())]
        canonical = self.canonicals.get(url, self.url(host, plain) if "view=" in path else None)
        if url in self.restless:
            canonical = self.url(host, f"/missing/{len(self.requests)}")
        body = self._html(self.texts.get(url, self.url(host, plain)), links, canonical=canonical)
        if url in self.emptied:
            body = "<title>Moved</title><main><p>The keeper of this page has moved it.</p></main>"
        return Reply(body=body)

    def _odd_page(self, url: str, path: str) -> Reply:
        """Return a redirect, a page of a trap, or one that is not to be indexed."""
        if path.startswith("/old/"):
            return Reply(302, headers={"Location": path.removeprefix("/old")})
        if path.startswith("/noindex/"):
            return Reply(body=self._html(url, []), headers={"X-Robots-Tag": "noindex"})
        if path.startswith("/loop/"):
            return Reply(body=self._html(url, [f"{path}a/b/"]))
        year, month = map(int, path.split("/")[2:4])
        after = f"/calendar/{year + month // 12}/{month % 12 + 1:02}"
        return Reply(body=self._html(url, [after]))

    @staticmethod
    def _number(path: str) -> int | None:
        name, _, digits = path.rpartition("/")
        return int(digits) if name == "/page" and digits.isdigit() else None

    def _links(self, host: int, page: int) -> Iterator[str]:
        for child in self.children.get((host, page), ()):
            yield self.path(child)
        if page:
            yield "/"
        if host == 4:
            yield f"{self.path(page)}?view=print"  # a canonical twin
            yield f"/old{self.path(page)}"
        if host == 5:
            yield f"{self.path(page)}?sid={page:08}a{page}"  # the same page in another session
        if page == 0:
            yield "/private/rota"
            if host == 5:
                yield from ("/calendar/2026/01", "/loop/", "/noindex/x")

    def _html(self, url: str, links: list[str], *, canonical: str | None = None) -> str:
        name = url.partition("://")[2].partition("?")[0].replace(f":{self.port}", "")
        rng = random.Random(f"{self.seed} {name} {self.versions.get(url, 0)}")
        paragraphs = "".join(f"<p>{' '.join(rng.choice(WORDS) for _ in range(60)).capitalize()}.</p>" for _ in range(3))
        menu = "".join(f"<li><a href='{link}'>{link}</a></li>" for link in links)
        head = f"<link rel=canonical href='{canonical}'>" if canonical else ""
        title = " ".join(rng.sample(WORDS, 3)).title()
        return (
            f"<html lang=en><head><title>{title}</title>{head}</head><body><nav><ul>{menu}</ul></nav>"
            f"<main><article><h1>{title}</h1>{paragraphs}</article></main></body></html>"
        )


@contextmanager
def serving(web: CrawlWeb) -> Iterator[CrawlWeb]:
    """Serve the hosts while the block runs."""
    server = web.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
