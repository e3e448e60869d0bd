"""How long a rendered page is waited for, and whether all of it is there then: 21 small apps of different habits.

    python benchmarks/rendering.py [--rounds N] [--tuned | --apart] [--no-sandbox]

Every app is served from loopback and rendered in four ways in the same run: waiting for a selector that its author
knows, by the adaptive rule, for 3 seconds, and for a silent network. The rule was tuned on the apps of TUNED alone;
`--apart` shows only those of APART. Prints the share of pages that were complete, and the mean seconds.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import statistics
import threading
import time
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import anyio

from wellread.apps.browsers import BrowserNetwork, pool
from wellread.apps.system_clock import SystemClock
from wellread.browser.render.renderer import BrowserRenderer
from wellread.config import NetSettings, Settings
from wellread.sections import BrowserSettings, RenderSettings
from wellread.testing import DictWeb
from wellread.types import Request

WORDS = "Between the two weirs the river slows, and the ferrywoman knows every stone that the flood has moved. "
LAST = "The last line of the tale stands here."
HEAD = "<!DOCTYPE html><title>An app</title><style>body { font: 16px/1.5 serif }</style>"
MENU = f"<nav>{'<a href=/>Places of the river</a> ' * 12}</nav>"
APP = "<main id=app></main>"
TALE = f"<h1>The ferry</h1>{''.join(f'<p>{WORDS * 3}</p>' for _ in range(4))}<p id=end>{LAST}</p>"
GET = "const get = (ms, what) => fetch(`/${what || 'tale'}?ms=${ms}`).then((answer) => answer.text());"
SHOW = "const show = (html) => { document.getElementById('app').innerHTML = html; };"


def app(script: str, *, before: str = "", after: str = "") -> str:
    """Return a page whose content comes by `script`."""
    return f"{HEAD}{MENU}{before}{APP}{after}<script>{GET}{SHOW}{script}</script>"


TUNED = {
    "fetch, then render": app("get(250).then(show)"),
    "chained fetches": app("get(150, 'x').then(() => get(150, 'y')).then(() => get(150)).then(show)"),
    "timer": app("setTimeout(() => get(50).then(show), 250)"),
    "endless polling": app("get(250).then(show); setInterval(() => get(20, 'poll'), 120)"),
    "web socket": app("new WebSocket(`ws://${location.host}/socket?ms=300`).onmessage = (e) => show(e.data)"),
    "lazy pictures": app(f"show(`{TALE}` + '<img loading=lazy src=/slow.png?ms=3000 width=9 height=9>'.repeat(20))"),
    "web component": app(
        "customElements.define('a-tale', class extends HTMLElement { connectedCallback() {"
        "const root = this.attachShadow({mode: 'open'}); get(300).then((html) => { root.innerHTML = html }) } });"
        "show('<a-tale></a-tale>')"
    ),
    "frame": app("show('<iframe width=900 height=700 src=/frame></iframe>')"),
    "skeleton": app(
        "show('<div class=skeleton>' + '<p>&nbsp;</p>'.repeat(9) + '</div>'); setTimeout(() => get(300)"
        ".then(show), 500)"
    ),
    "analytics": app(
        "get(250).then(show); fetch('/collect?ms=6000'); setInterval(() => "
        "navigator.sendBeacon('/analytics/beat'), 150)"
    ),
    "lazy list": app(
        "let n = 0; new IntersectionObserver((seen) => {"
        " if (seen[0].isIntersecting && n++ < 3) get(80, n == 3 ? 'tale'"
        f": 'part').then((html) => app.insertAdjacentHTML('beforeend', html)) }}).observe(foot);"
        f"show(`<p>{WORDS * 60}`)",
        after="<footer id=foot>Foot</footer>",
    ),
    "module graph": f"{HEAD}{MENU}{APP}<script type=module src='/m.js?n=5&ms=60'></script>",
    "slow script": f"{HEAD}{MENU}{APP}<script src='/slow.js?ms=500'></script><script>{SHOW}show(window.tale)</script>",
    "slow stream": "/stream",
    "moves on": app("location.replace('/moved')"),
}
APART = {
    "two waves and a long poll": app(
        "fetch('/poll?ms=8000'); get(350).then((html) => { show(html.replace(/<p id=end.*/, ''));"
        "setTimeout(() => fetch('/tale?ms=250', {method: 'POST', body: '{}'}).then((r) => r.text()).then(show), 60) })"
    ),
    "worker": app(
        "new Worker(URL.createObjectURL(new Blob([`fetch('${location.origin}/tale?ms=450').then((r) => r.text())"
        ".then((t) => postMessage(t))`]))).onmessage = (e) => show(e.data)"
    ),
    "late hydration": app(
        "requestIdleCallback(() => setTimeout(() => get(250).then(show), 120))",
        before=f"<header><p>{WORDS * 2}</p></header>",
        after=f"<footer><p>{WORDS * 3}</p></footer>",
    ),
    "event stream": app("new EventSource('/events?ms=400').onmessage = (e) => show(e.data)"),
    "ticker and spinner": app(
        "setInterval(() => { clock.textContent = Date.now() }, 50);"
        "get(250, 'x').then(() => get(250)).then((html) => { show(html); spin.remove() })",
        before="<p id=clock>0</p><div id=spin class=spinner style='width:20px;height:20px'></div>",
    ),
    "slow answer": app("show('<div aria-busy=true><p>Loading</p></div>'); get(1600).then(show)"),
}
SELECTORS = {"moves on": "#end"}
WAYS = ("known selector", "adaptive", "fixed 3 s", "network idle")


class Handler(BaseHTTPRequestHandler):
    """Serves the apps, and what they ask for, each answer as late as it says."""

    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        place = urlsplit(self.path)
        query = parse_qs(place.query)
        late_s = int(query.get("ms", ["0"])[0]) / 1000
        if place.path == "/stream":
            self._stream()
            return
        threading.Event().wait(late_s)
        if place.path == "/socket":
            self._socket()
        elif place.path == "/events":
            self._say("text/event-stream", f"data: {TALE}\n\n", length=False)
            threading.Event().wait(6)
        else:
            self._say(*content(place.path, int(query.get("n", ["0"])[0]), late_s))

    def _say(self, kind: str, text: str, *, length: bool = True) -> None:
        body = text.encode()
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if length:
            self.send_header("Content-Length", str(len(body)))
        else:
            self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
        self.close_connection = not length

    def _stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Connection", "close")
        self.end_headers()
        for piece in (f"{HEAD}{MENU}", *TALE.split("<p>")):
            self.wfile.write(f"<p>{piece}".encode())
            self.wfile.flush()
            threading.Event().wait(0.12)
        self.close_connection = True

    def _socket(self) -> None:
        key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
        accept = base64.b64encode(hashlib.sha1(key.encode(), usedforsecurity=False).digest()).decode()
        self.send_response(101)
        for name, value in {"Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Accept": accept}.items():
            self.send_header(name, value)
        self.end_headers()
        told = TALE.encode()
        self.wfile.write(b"\x81\x7e" + len(told).to_bytes(2, "big") + told)
        self.wfile.flush()
        threading.Event().wait(6)
        self.close_connection = True

    do_GET = do_POST = _answer  # noqa: N815 - the library's names

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def content(path: str, number: int, late_s: float) -> tuple[str, str]:
    """Return media type and text of what is at `path`."""
    if path.startswith("/app/"):
        return "text/html", list({**TUNED, **APART}.values())[int(path[5:])]
    if path == "/m.js":
        following = f"import '/m.js?n={number - 1}&ms={round(late_s * 1000)}';" if number else ""
        return "text/javascript", following or f"document.getElementById('app').innerHTML = `{TALE}`"
    fixed = {
        "/tale": ("text/html", TALE),
        "/frame": ("text/html", app("get(300).then(show)")),
        "/moved": ("text/html", app("get(200).then(show)")),
        "/slow.js": ("text/javascript", f"window.tale = `{TALE}`"),
        "/part": ("text/html", f"<p>{WORDS * 4}</p>" * 8),
    }
    return fixed.get(path, ("text/plain", "ok"))


class Server(ThreadingHTTPServer):
    """Threads that do not hold up the end."""

    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """A browser that goes away is no error."""


def settings_for(way: str, name: str) -> RenderSettings:
    """Return how a page is waited for."""
    if way == "known selector":
        return RenderSettings(wait=f"selector:{SELECTORS.get(name, '#end')}")
    if way == "fixed 3 s":
        return RenderSettings(wait="selector:#never", max_wait_s=3.0)
    return RenderSettings(wait="networkidle" if way == "network idle" else "adaptive")


async def anyone(_: Request) -> None:
    """Permit every page."""


async def measure(names: list[str], rounds: int, *, sandbox: bool) -> dict[str, dict[str, list[tuple[bool, float]]]]:
    """Render every app in every way."""
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = server.server_address[1]
    settings = Settings(
        net=NetSettings(allow_hosts=(f"127.0.0.1:{port}",)),
        browser=BrowserSettings(sandbox=sandbox, restart_after=100_000),
    )
    told: dict[str, dict[str, list[tuple[bool, float]]]] = defaultdict(lambda: defaultdict(list))
    lent = pool(BrowserNetwork(settings=settings), DictWeb({}))
    pages = {name: f"/app/{number}" for number, name in enumerate({**TUNED, **APART})} | {"slow stream": "/stream"}
    await lent.run(lambda tab: tab.page.title())  # the browser's own start is not what is measured
    for _ in range(rounds):
        for name in names:
            for way in WAYS:
                renderer = BrowserRenderer(settings_for(way, name), lent, permit=anyone, clock=SystemClock())
                began = time.perf_counter()
                page = await renderer.render(Request(url=f"http://127.0.0.1:{port}{pages[name]}"))
                whole = LAST.encode() in page.response.body
                told[name][way].append((whole, time.perf_counter() - began))
    await lent.aclose()
    server.shutdown()
    return told


def main() -> None:
    """Print one line per app and the means."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--tuned", action="store_true", help="only the apps that the rule was tuned on")
    parser.add_argument("--apart", action="store_true", help="only the apps that were kept out of tuning")
    parser.add_argument("--no-sandbox", action="store_true", help="for root in a container")
    given = parser.parse_args()
    names = list(TUNED) * (not given.apart) + list(APART) * (not given.tuned)
    told = anyio.run(lambda: measure(names, given.rounds, sandbox=not given.no_sandbox))
    print(f"{'':28}" + "".join(f"{way:>20}" for way in WAYS))
    for group, members in (("tuned", TUNED), ("apart", APART)):
        inside = [name for name in members if name in told]
        for name in inside:
            cells = [cell(told, name, way) for way in WAYS]
            print(f"{name:28}" + "".join(f"{cell:>20}" for cell in cells))
        if inside:
            known = mean(told, inside, WAYS[0])
            for way in WAYS:
                each = [whole for name in inside for whole, _ in told[name][way]]
                spent = mean(told, inside, way)
                print(f"{group}: {way:16} complete {sum(each)}/{len(each)}, {spent:.2f} s, {spent / known:.2f}x")


def cell(told: dict[str, dict[str, list[tuple[bool, float]]]], name: str, way: str) -> str:
    """Return what stands in the table for one app in one way."""
    whole = all(each for each, _ in told[name][way])
    return f"{'' if whole else 'INCOMPLETE '}{mean(told, [name], way):.2f} s"


def mean(told: dict[str, dict[str, list[tuple[bool, float]]]], names: list[str], way: str) -> float:
    """Return the mean seconds of these apps."""
    return statistics.mean(spent for name in names for _, spent in told[name][way])


if __name__ == "__main__":
    main()
