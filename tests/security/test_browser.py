"""Every way known to us by which a page reaches a private address, tried in a browser of our own: none arrives.

Each way has a port of its own, on which anything that arrives is seen. A browser started without the proxy walks the
same page, so that it is known which ways work where nothing is in the way.
"""

from __future__ import annotations

import json
import selectors
import socket
import threading
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest

from sites import SANDBOX, Site, need_browser, serving, settings_for
from wellread.apps.build import Web
from wellread.browser import process_watch
from wellread.browser.browser_executable import find_executable
from wellread.errors import BlockedAddress, BrowserFailed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from sites import Reading

JS = "<script>{}</script>"
# PORT stands for the way's own port; HOST for where it leads.
WAYS = {
    "fetch": JS.format("fetch('http://HOST:PORT/', {mode: 'no-cors'}).catch(() => 0)"),
    "fetch keepalive": JS.format("fetch('http://HOST:PORT/', {mode: 'no-cors', keepalive: true}).catch(() => 0)"),
    "xhr": JS.format("x = new XMLHttpRequest(); x.open('GET', 'http://HOST:PORT/'); x.send()"),
    "image": "<img src='http://HOST:PORT/'>",
    "picture": "<picture><source srcset='http://HOST:PORT/a.png'><img src='data:,'></picture>",
    "script": "<script src='http://HOST:PORT/'></script>",
    "module": "<script type=module>import('http://HOST:PORT/a.js').catch(() => 0)</script>",
    "import map": (
        '<script type=importmap>{"imports": {"a": "http://HOST:PORT/a.js"}}</script>'
        "<script type=module>import('a').catch(() => 0)</script>"
    ),
    "stylesheet": "<link rel=stylesheet href='http://HOST:PORT/'>",
    "css import": "<style>@import url('http://HOST:PORT/');</style>",
    "css background": "<style>body {background: url('http://HOST:PORT/')}</style><body>x",
    "font": "<style>@font-face {font-family: f; src: url('http://HOST:PORT/')} p {font-family: f}</style><p>x",
    "svg use": "<svg><image href='http://HOST:PORT/a.png' width=9 height=9></image></svg>",
    "video": "<video src='http://HOST:PORT/' preload=auto autoplay muted></video>",
    "audio": "<audio src='http://HOST:PORT/' preload=auto></audio>",
    "track": "<video preload=auto src='data:video/mp4,'><track default src='http://HOST:PORT/'></video>",
    "frame": "<iframe src='http://HOST:PORT/'></iframe>",
    "object": "<object data='http://HOST:PORT/' type='text/html'></object>",
    "embed": "<embed src='http://HOST:PORT/' type='text/html'>",
    "meta refresh": "<meta http-equiv=refresh content='0; url=http://HOST:PORT/'>",
    "location": JS.format("location = 'http://HOST:PORT/'"),
    "form get": "<form action='http://HOST:PORT/'></form>" + JS.format("document.forms[0].submit()"),
    "form post": "<form method=post action='http://HOST:PORT/'></form>" + JS.format("document.forms[0].submit()"),
    "popup": JS.format("open('http://HOST:PORT/')"),
    "download": "<a download href='http://HOST:PORT/f.zip'>x</a>" + JS.format("document.links[0].click()"),
    "ping": "<a ping='http://HOST:PORT/' href='#x'>x</a>" + JS.format("document.links[0].click()"),
    "beacon": JS.format("navigator.sendBeacon('http://HOST:PORT/', 'x')"),
    "event source": JS.format("new EventSource('http://HOST:PORT/')"),
    "web socket": JS.format("new WebSocket('ws://HOST:PORT/')"),
    "web transport": JS.format("new WebTransport('https://HOST:PORT/').ready.catch(() => 0)"),
    "preconnect": "<link rel=preconnect href='http://HOST:PORT/'>",
    "prefetch": "<link rel=prefetch href='http://HOST:PORT/'>",
    "preload": "<link rel=preload as=script href='http://HOST:PORT/'>",
    "module preload": "<link rel=modulepreload href='http://HOST:PORT/'>",
    "dns prefetch": "<link rel=dns-prefetch href='http://HOST:PORT/'>",
    "icon": "<link rel=icon href='http://HOST:PORT/'>",
    "manifest": "<link rel=manifest href='http://HOST:PORT/'>",
    "speculation": (
        '<script type=speculationrules>{"prefetch": [{"urls": ["http://HOST:PORT/"], "eagerness": "immediate"}],'
        '"prerender": [{"urls": ["http://HOST:PORT/b"], "eagerness": "immediate"}]}</script>'
    ),
    "worker": JS.format(
        "new Worker(URL.createObjectURL(new Blob([\"fetch('http://HOST:PORT/', {mode: 'no-cors'}).catch(() => 0)\"])))"
    ),
    "worker import": JS.format(
        "new Worker(URL.createObjectURL(new Blob([\"importScripts('http://HOST:PORT/')\"]))).onerror = () => 0"
    ),
    "shared worker": JS.format(
        "new SharedWorker(URL.createObjectURL("
        "new Blob([\"fetch('http://HOST:PORT/', {mode: 'no-cors'}).catch(() => 0)\"])))"
    ),
    "service worker": JS.format("navigator.serviceWorker.register('/sw.js?PORT').catch(() => 0)"),
    "redirect": JS.format("fetch('/to?http://HOST:PORT/', {mode: 'no-cors'}).catch(() => 0)"),
    "frame redirect": "<iframe src='/to?http://HOST:PORT/'></iframe>",
    "image redirect": "<img src='/to?http://HOST:PORT/'>",
    "webrtc stun": JS.format(
        "c = new RTCPeerConnection({iceServers: [{urls: 'stun:HOST:PORT'}]}); c.createDataChannel('x');"
        "c.createOffer().then((o) => c.setLocalDescription(o))"
    ),
    "webrtc turn tcp": JS.format(
        "c = new RTCPeerConnection({iceServers: [{urls: 'turn:HOST:PORT?transport=tcp', username: 'u',"
        "credential: 'c'}]}); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))"
    ),
    "paint worklet": JS.format("CSS.paintWorklet.addModule('http://HOST:PORT/').catch(() => 0)"),
    "audio worklet": JS.format("new OfflineAudioContext(1, 1, 8000).audioWorklet.addModule('http://HOST:PORT/')"),
    "decimal address": "<img src='http://2130706433:PORT/'>",
    "short address": "<img src='http://127.1:PORT/'>",
    "octal address": "<img src='http://0177.0.0.1:PORT/'>",
    "hex address": "<img src='http://0x7f.0.0.1:PORT/'>",
    "zero address": "<img src='http://0.0.0.0:PORT/'>",
    "mapped address": "<img src='http://[::ffff:127.0.0.1]:PORT/'>",
    "ipv6 address": "<img src='http://[::1]:PORT/'>",
    "localhost": "<img src='http://localhost:PORT/'>",
    "name below localhost": "<img src='http://a.localhost:PORT/'>",
    "trailing dot": "<img src='http://localhost.:PORT/'>",
    "another loopback": "<img src='http://127.9.9.9:PORT/'>",
}
NAMED = {
    "private name": "<img src='http://private.example:PORT/'>",
    "rebound name": JS.format(
        "n = 0; t = setInterval(() => { fetch('http://flip.example:PORT/' + n, {mode: 'no-cors'}).catch(() => 0);"
        "if (++n > 6) clearInterval(t); }, 100)"
    ),
    "socket to a name": JS.format("new WebSocket('ws://private.example:PORT/')"),
}
STAY_S = 2.5
LEAST = 45
MOST_STAYS = 24


class Canaries:
    """Listens for each way on a port of its own, by TCP on every address and by UDP, and notes which were reached."""

    def __init__(self, ways: list[str]) -> None:
        self.ports: dict[str, int] = {}
        self.reached: set[str] = set()
        self._selector = selectors.DefaultSelector()
        self._stack = ExitStack()
        self._over = threading.Event()
        for way in ways:
            self._listen(way)
        threading.Thread(target=self._watch, daemon=True).start()

    def _listen(self, way: str) -> None:
        stream = self._stack.enter_context(socket.create_server(("", 0), family=socket.AF_INET6, dualstack_ipv6=True))
        self.ports[way] = stream.getsockname()[1]
        datagrams = self._stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        datagrams.bind(("127.0.0.1", self.ports[way]))
        for each in (stream, datagrams):
            each.setblocking(False)
            self._selector.register(each, selectors.EVENT_READ, way)

    def _watch(self) -> None:
        while not self._over.is_set():
            for key, _ in self._selector.select(0.1):
                self.reached.add(key.data)
                heard = key.fileobj
                assert isinstance(heard, socket.socket)
                if heard.type == socket.SOCK_STREAM:
                    heard.accept()[0].close()
                else:
                    heard.recv(2048)

    def close(self) -> None:
        self._over.set()
        self._stack.close()


class TwoFaces:
    """`flip.example` is public and private by turns; `private.example` is this machine; the rest is ours."""

    def __init__(self) -> None:
        self.asked = 0

    async def resolve(self, host: str, port: int) -> list[str]:
        self.asked += host == "flip.example"
        return ["93.184.216.34" if host == "flip.example" and self.asked % 2 else "127.0.0.1"]


class NoPublicNetwork:
    """Dials loopback alone: in a test nothing public is there to be reached."""

    async def dial(self, address: str, port: int) -> anyio.abc.ByteStream:
        if address != "127.0.0.1":
            raise ConnectionRefusedError(f"{address} is not here")
        return await anyio.connect_tcp(address, port)


@pytest.fixture
def trap() -> Iterator[tuple[Site, Canaries]]:
    """A site with one frame for each way, and what listens at their ends."""
    ways = WAYS | NAMED
    canaries = Canaries(list(ways))
    site = Site()
    server = serving(site)
    for number, (way, html) in enumerate(ways.items()):
        port = str(canaries.ports[way])
        page = html.replace("HOST", "127.0.0.1").replace("PORT", port)
        site.pages[f"/way{number}"] = f"<!DOCTYPE html><title>{way}</title>{page}"
    site.pages["/"] = "".join(f"<iframe src='/way{number}' width=50 height=50></iframe>" for number in range(len(ways)))
    site.pages["/to"] = lambda asked: (302, {"Location": asked.path.partition("?")[2]}, b"")
    site.pages["/sw.js"] = lambda asked: (
        200,
        {"Content-Type": "text/javascript"},
        f"fetch('http://127.0.0.1:{asked.path.partition('?')[2]}/', {{mode: 'no-cors'}}).catch(() => 0)".encode(),
    )
    yield site, canaries
    canaries.close()
    server.shutdown()
    server.server_close()


async def stay(tried: Callable[[], int]) -> None:
    """Stay on a page, on a busy machine for longer: nothing tells when it has tried everything."""
    for _ in range(MOST_STAYS):
        await anyio.sleep(STAY_S)  # nothing tells when a page has tried everything
        if tried() >= LEAST:
            break


async def test_of_all_ways_to_a_private_address_none_arrives(
    trap: tuple[Site, Canaries], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    need_browser()
    monkeypatch.setattr(process_watch, "STALLED_S", 60.0)  # on a busy machine, the page would be closed halfway
    site, canaries = trap
    settings = settings_for(site, tmp_path)
    # Their ports are open, so that it is the address alone that stands in the way.
    settings = replace(settings, net=replace(settings.net, allow_ports=tuple(canaries.ports.values())))
    web = Web(settings, resolver=TwoFaces(), dialler=NoPublicNetwork())
    tried: set[str] = set()
    try:
        for _ in range(2):  # on a busy machine, so many ways at once can crash the process of the page
            with suppress(BrowserFailed):
                await try_all_ways(web, site, canaries, tried)
            if len(tried) >= LEAST:
                break
    finally:
        await web.aclose()
    assert canaries.reached == set()
    assert len(tried) >= LEAST, sorted(set(canaries.ports) - tried)


async def try_all_ways(web: Web, site: Site, canaries: Canaries, tried: set[str]) -> None:
    """Open the page, and add the ways that the gate has refused to `tried`."""
    async with web._network.browsers.resolve().tab() as tab:
        gate = tab.gate
        assert gate is not None

        def count_tried() -> int:
            refused = {int(place.rpartition(":")[2].strip("/").partition("/")[0]) for place in gate.refusals}
            tried.update(way for way, port in canaries.ports.items() if port in refused)
            return len(tried)

        await tab.page.goto(site.url(), wait_until="commit")
        await stay(count_tried)


async def test_without_the_proxy_most_of_these_ways_arrive(trap: tuple[Site, Canaries]) -> None:
    need_browser()
    from playwright.async_api import async_playwright

    site, canaries = trap
    path = find_executable(None, headed=False, own=None)
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=path, chromium_sandbox=SANDBOX)
        page = await browser.new_page()
        await page.goto(site.url(), wait_until="load")
        await stay(lambda: len(canaries.reached))
        await browser.close()
    missed = set(WAYS) - canaries.reached
    assert len(WAYS) - len(missed) >= LEAST, sorted(missed)


@pytest.mark.parametrize("start", ["/away", "/refresh", "/script"])
def test_a_page_that_leads_to_a_private_address_is_refused(reading: Reading, start: str) -> None:
    goal = f"http://10.0.0.1:{reading.site.port}/"
    reading.site.pages |= {
        "/away": (302, {"Location": goal}, b""),
        "/refresh": f"<meta http-equiv=refresh content='0; url={goal}'>",
        "/script": f"<script>location = {json.dumps(goal)}</script>",
    }
    with pytest.raises(BlockedAddress):
        reading.read(start, render="always")
