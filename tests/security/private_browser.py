"""Runs inside namespaces of its own, where every address is this machine, and lets a browser of ours walk into attacks.

Started by test_browser_namespace.py; network, servers and watch are those of private_internet.py. The answer is one
JSON object on stdout: what was begun or sent on the wire besides the browser's connections to its own gates.
"""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import anyio

from security.private_internet import PUBLIC_4, PUBLIC_6, Wire, breaches, build_network, corpus, serve, watch_works
from wellread.browser.browser_pool import BrowserPool
from wellread.browser.launch import NOWHERE
from wellread.config import NetSettings
from wellread.net import guard
from wellread.net.dial import SystemDialler
from wellread.net.proxy import EgressProxy
from wellread.sections import BrowserSettings

if TYPE_CHECKING:
    from anyio.abc import ByteStream

    from wellread.browser.tab import BrowserTab

EVERY = 30
"""Of the attacks in the corpus so many-th is tried: the guard is the same, what is new is the way."""
STAY_S = 0.15


class Ours(SystemDialler):
    """Notes what is dialled for the browser."""

    def __init__(self) -> None:
        self.dialled: set[tuple[str, int]] = set()

    async def dial(self, address: str, port: int) -> ByteStream:
        self.dialled.add((address, port))
        return await super().dial(address, port)


async def visit(tab: BrowserTab, url: str) -> bool:
    """Open a page and let it try; False when it could not be opened."""
    from playwright.async_api import Error

    try:
        await tab.page.goto(url, wait_until="commit", timeout=3000)
    except Error:
        return False  # a redirect to where nothing may go
    await anyio.sleep(STAY_S)  # nothing tells when the page has tried
    return True


async def main() -> dict[str, object]:
    ipv6 = build_network()
    serve(ipv6=ipv6)
    wire = Wire()
    wire.start()
    watched = watch_works(wire, ipv6=ipv6)
    attacks = [url for _, url in corpus("attacks.txt") if not any(ord(char) < 33 for char in url)][::EVERY]
    ours = Ours()
    egress = EgressProxy(guard.read_policy(NetSettings()), dialler=ours)
    pool = BrowserPool(BrowserSettings(sandbox=False), egress=egress, profiles=Path(tempfile.mkdtemp()))
    gates = {f"tcp 127.0.0.1 {NOWHERE.rpartition(':')[2]}"}
    seen = refused = 0
    for url in attacks:
        async with pool.tab() as tab:
            assert tab.gate is not None
            gates.add(f"tcp 127.0.0.1 {tab.gate.port}")
            goal = quote(url.encode("utf-8", "surrogatepass"), safe="")
            seen += await visit(tab, f"http://hop.example.com/refresh?{goal}")
            await visit(tab, f"http://hop.example.com/to/302?{goal}")
            refused += len(tab.gate.refusals)
    await pool.aclose()
    # A browser reads http://1.1/ as 1.0.0.1, which is public: what the guard has checked may be dialled.
    checked = {f"tcp {address} {port}" for address, port in ours.dialled if guard.is_public(address)}
    found = set(breaches(wire, {PUBLIC_4, PUBLIC_6})) - gates - checked
    return {
        "watch_works": watched,
        "attacks": len(attacks),
        "pages_seen": seen,
        "refused": refused,
        "breaches": sorted(found),
        "public": sum(wire.begun[address, 80] for address in (PUBLIC_4, PUBLIC_6)),
    }


if __name__ == "__main__":
    json.dump(anyio.run(main), sys.stdout, indent=1)
