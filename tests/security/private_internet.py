"""Runs inside namespaces of its own, where every address is this machine, and attacks the guard's default policy there.

Started by test_namespace.py. The name server, the web servers and the watch on the wire are all here; the answer is one
JSON object on stdout. What is watched is the wire itself: every TCP connection that is begun and every datagram that is
sent, whatever the port and whether or not somebody listens.
"""

from __future__ import annotations

import json
import queue
import re
import socket
import socketserver
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from ipaddress import IPv4Address, IPv6Address, ip_address
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote, unquote

import anyio

from wellread.config import FetchSettings, NetSettings, Settings
from wellread.errors import RefusedError, WellreadError
from wellread.net import guard
from wellread.net.client import Client
from wellread.net.dial import NetworkTransport
from wellread.testing import FakeClock
from wellread.types import Request

HERE = Path(__file__).parent
PUBLIC_4, PUBLIC_6 = "93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"
WEB_PORTS = (80, 8080, 3000, 8000, 8888)
TLS_PORTS = (443, 8443)
OTHER_PORTS = (21, 22, 25, 2375, 5000, 6379, 9200, 10250, 11211)
LOCAL = ("localhost", "local", "internal", "lan", "home", "corp", "private", "intranet", "home.arpa", "localdomain")
ASKED_TIMES = 4
Place = tuple[str, int]
MARK = ("127.0.0.2", 9)


# ------------------------------------------------------------------------------------------ the network itself


def build_network() -> bool:
    """Make every address local and every name ours; say whether there is IPv6."""
    run("ip", "link", "set", "lo", "up")
    run("ip", "route", "add", "local", "0.0.0.0/1", "dev", "lo")
    run("ip", "route", "add", "local", "128.0.0.0/1", "dev", "lo")
    folder = Path(tempfile.mkdtemp())
    files = {
        "/etc/resolv.conf": "nameserver 127.0.0.1\noptions timeout:1 attempts:2\n",
        "/etc/hosts": "127.0.0.1 localhost\n::1 localhost ip6-localhost\n",
        "/etc/nsswitch.conf": "hosts: files dns\n",
    }
    for place, text in files.items():
        if Path(place).exists():
            ours = folder / Path(place).name
            ours.write_text(text, encoding="ascii")
            run("mount", "--bind", str(ours), place)
    return subprocess.run(["ip", "-6", "route", "add", "local", "::/0", "dev", "lo"], check=False).returncode == 0


def run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=sys.stderr)


class Wire(threading.Thread):
    """Sees every packet: `begun` are the far ends of TCP connections, `sent` those of datagrams not to or from DNS."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.begun: Counter[Place] = Counter()
        self.sent: Counter[Place] = Counter()
        self._caught_up: queue.Queue[None] = queue.Queue()
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(3))
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 23)
        self._socket.bind(("lo", 0))

    def run(self) -> None:
        while True:
            packet, (_, _, direction, *_) = self._socket.recvfrom(65_536)
            if direction == socket.PACKET_OUTGOING:
                self._note(packet)

    def catch_up(self) -> None:
        """Wait until everything that was sent so far has been seen: a mark sent now comes last."""
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
            sender.sendto(b"", MARK)
        self._caught_up.get(timeout=10)

    def _note(self, packet: bytes) -> None:
        if packet[0] >> 4 == 4:
            protocol, source, target = packet[9], IPv4Address(packet[12:16]), IPv4Address(packet[16:20])
            rest: bytes = packet[(packet[0] & 15) * 4 :]
        else:
            protocol = packet[6]
            source, target = IPv6Address(packet[8:24]), IPv6Address(packet[24:40])  # type: ignore[assignment]  # both kinds print alike
            rest = packet[40:]
        if protocol == socket.IPPROTO_TCP and rest[13] & 0x12 == 0x02:  # SYN without ACK
            self.begun[str(target), int.from_bytes(rest[2:4], "big")] += 1
        elif protocol == socket.IPPROTO_UDP:
            ends = {(str(source), int.from_bytes(rest[:2], "big")), (str(target), int.from_bytes(rest[2:4], "big"))}
            if MARK in ends:
                self._caught_up.put(None)
            elif ("127.0.0.1", 53) not in ends:
                self.sent[str(target), int.from_bytes(rest[2:4], "big")] += 1


# --------------------------------------------------------------------------------------------- the name server


class Names(socketserver.BaseRequestHandler):
    """Answers what a name spells; see attacks.txt. Every other name is public, and every local one this machine."""

    asked: ClassVar[Counter[tuple[str, int]]] = Counter()

    def handle(self) -> None:
        question, reply = self.request
        labels, at = [], 12
        while size := question[at]:
            labels.append(question[at + 1 : at + 1 + size].decode("ascii"))
            at += size + 1
        kind = int.from_bytes(question[at + 1 : at + 3], "big")
        name = ".".join(labels).lower()
        records, owner = b"", b"\xc0\x0c"
        alias, addresses = self._look_up(name, kind)
        count = 0
        if alias:
            target = b"".join(bytes([len(label)]) + label.encode() for label in alias.split(".")) + b"\0"
            records, owner, count = record(owner, 5, target), target, 1
        for address in addresses:
            packed = ip_address(address).packed
            if len(packed) == {1: 4, 28: 16}.get(kind):
                records, count = records + record(owner, kind, packed), count + 1
        head = question[:2] + struct.pack(">HHHHH", 0x8580, 1, count, 0, 0)
        reply.sendto(head + question[12 : at + 5] + records, self.client_address)

    def _look_up(self, name: str, kind: int) -> tuple[str, list[str]]:
        first, _, zone = name.partition(".")
        spelled = [address_of(part) for part in first.split("_")]
        if zone == "a.evil.example":
            return "", spelled
        if zone == "flip.evil.example":
            self.asked[name, kind] += 1
            return "", [spelled[(self.asked[name, kind] - 1) % len(spelled)]]
        if zone == "cname.evil.example":
            alias = {"localhost": "localhost", "metadata": "metadata.google.internal"}
            return alias.get(first, f"{first}.a.evil.example"), spelled
        if "." not in name or name.endswith(tuple("." + local for local in LOCAL)):
            return "", ["127.0.0.1", "::1"]
        return "", [PUBLIC_4, PUBLIC_6]


def record(owner: bytes, kind: int, data: bytes) -> bytes:
    return owner + struct.pack(">HHIH", kind, 1, 0, len(data)) + data


def address_of(label: str) -> str:
    """Read 10-0-0-1 and fe80--1; any other label stands for this machine."""
    for text in (label.replace("-", "."), label.replace("-", ":")):
        try:
            return str(ip_address(text))
        except ValueError:
            continue
    return "127.0.0.1"


class NameServer(socketserver.ThreadingUDPServer):
    allow_reuse_address = True


# ---------------------------------------------------------------------------------------------- the web servers


class Web(socketserver.BaseRequestHandler):
    """Serves a page at every address and port, or redirects to where the path says."""

    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def handle(self) -> None:
        try:
            self._serve(self.request)
        except (OSError, IndexError, ValueError):
            return  # a client that leaves is not this test's concern

    def _serve(self, wire: socket.socket) -> None:
        if wire.getsockname()[1] in TLS_PORTS:
            wire = self.trust.wrap_socket(wire, server_side=True)
        head = b""
        while b"\r\n\r\n" not in head and (data := wire.recv(65_536)):
            head += data
        path = head.split(b" ")[1].decode("ascii")
        host = head.lower().split(b"host: ")[1].split(b"\r\n")[0].decode("ascii")
        wire.sendall(page(path, host))
        wire.close()


def page(path: str, host: str) -> bytes:
    place, _, query = path.partition("?")
    if re.fullmatch(r"/to/30\d", place):
        return answer(place[4:], f"Location: {unquote(query)}")
    if place == "/twice":
        return answer("302", f"Location: http://second.example.net/to/302?{query}")
    if place == "/refresh":
        url = unquote(query)
        return answer(
            "200", f"Refresh: 0; url={url}", f'<meta http-equiv="refresh" content="0; url={url}"><img src="{url}">'
        )
    if place == "/robots.txt" and host.startswith("robots-"):
        return answer("302", f"Location: http://{address_of(host[7:].partition('.')[0])}/")
    return answer("404" if place == "/robots.txt" else "200", "X-Page: yes")


def answer(status: str, field: str, body: str = "<p>A page.</p>") -> bytes:
    content = body.encode()
    head = f"HTTP/1.1 {status} X\r\nContent-Type: text/html\r\nContent-Length: {len(content)}\r\nConnection: close\r\n"
    return head.encode() + field.encode() + b"\r\n\r\n" + content


class WebServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128


class DualStackServer(WebServer):
    address_family = socket.AF_INET6


def serve(ipv6: bool) -> None:
    Web.trust.load_cert_chain(HERE / "server.pem")
    servers: list[socketserver.BaseServer] = [NameServer(("127.0.0.1", 53), Names)]
    ports = (*WEB_PORTS, *TLS_PORTS, *OTHER_PORTS)
    servers += [DualStackServer(("::", port), Web) if ipv6 else WebServer(("0.0.0.0", port), Web) for port in ports]
    for server in servers:
        threading.Thread(target=server.serve_forever, daemon=True).start()


# ----------------------------------------------------------------------------------------------------- the run


def corpus(name: str) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    section = ""
    for line in (HERE / name).read_text(encoding="utf-8").split("\n"):
        if line.startswith("["):
            section = line[1:-1]
        elif line and not line.startswith("#"):
            pairs.append((section, json.loads(line) if line.startswith('"') else line))
    return pairs


def start_of(section: str, url: str) -> str:
    """Return where to begin: redirects begin at a public server."""
    ways = {"twice": "/twice", "refresh": "/refresh"}
    if not section.startswith("redirect"):
        return url
    way = section.split()[1]
    return f"http://hop.example.com{ways.get(way, '/to/' + way)}?{quote(url, safe='')}"


def one_hop_later(url: str) -> str:
    """Return the same attack, one redirect later."""
    return f"http://hop.example.com/to/302?{quote(url.encode('utf-8', 'surrogatepass'), safe='')}"


async def outcome(client: Client, url: str) -> str:
    try:
        response = await client.fetch(Request(url=url))
    except RefusedError as error:
        return f"refused: {error.code}"
    except WellreadError as error:
        return error.code
    return str(response.status)


async def attack(client: Client, outcomes: dict[str, Counter[str]]) -> int:
    """Try every attack as it stands and once more behind a redirect."""
    attacks = corpus("attacks.txt")
    limiter = anyio.CapacityLimiter(16)

    async def one(section: str, url: str) -> None:
        async with limiter:
            for _ in range(ASKED_TIMES if section == "rebinding" else 1):
                outcomes[section][await outcome(client, start_of(section, url))] += 1
            if not section.startswith("redirect") and "\n" not in url and "\r" not in url:
                outcomes["behind a redirect: " + section][await outcome(client, one_hop_later(url))] += 1

    async with anyio.create_task_group() as tasks:
        for section, url in attacks:
            tasks.start_soon(one, section, url)
    return len(attacks)


async def visit(client: Client, ipv6: bool) -> tuple[int, dict[str, str]]:
    """Read every honest URL; return how many, and those that gave no page."""
    honest = [(section, url) for section, url in corpus("honest.txt") if ipv6 or not needs_ipv6(url)]
    ends = {url: await outcome(client, start_of(section, url)) for section, url in honest}
    return len(honest), {url: end for url, end in ends.items() if end != "200"}


def needs_ipv6(url: str) -> bool:
    return "[2" in url or "[3" in url or "//2606" in url


def watch_works(wire: Wire, ipv6: bool) -> bool:
    """Begin connections to private addresses, as an attack that succeeds would; the watch must see them all."""
    places = [("127.0.0.1", 80), ("10.0.0.1", 8080), ("169.254.169.254", 80), ("192.168.1.1", 7777), ("8.8.8.8", 22)]
    places += [("::1", 80), ("fd00::1", 8080)] if ipv6 else []
    for place in places:
        with socket.socket(socket.AF_INET6 if ":" in place[0] else socket.AF_INET) as probe:
            probe.settimeout(2)
            probe.connect_ex(place)
    wire.catch_up()
    seen = all(wire.begun[place] for place in places)
    wire.begun.clear()
    return seen


def breaches(wire: Wire, public: set[str]) -> list[str]:
    wire.catch_up()
    allowed = guard.PORTS
    bad = [f"tcp {address} {port}" for address, port in wire.begun if address not in public or port not in allowed]
    return bad + [f"udp {address} {port}" for address, port in wire.sent]


def literals() -> set[str]:
    """Return the addresses that honest URLs spell out."""
    hosts = [re.match(r"https?://(?:\[([^]]+)\]|([0-9.]+)(?=[:/]))", url) for _, url in corpus("honest.txt")]
    return {str(ip_address(host[1] or host[2])) for host in hosts if host}


async def main() -> dict[str, object]:
    started = time.monotonic()
    ipv6 = build_network()
    serve(ipv6=ipv6)
    wire = Wire()
    wire.start()
    watched = watch_works(wire, ipv6=ipv6)
    settings = Settings(
        net=NetSettings(ca_file=HERE / "authority.pem", per_host=64), fetch=FetchSettings(timeout_s=8.0, idle_s=4.0)
    )
    transport = NetworkTransport(settings, policy=guard.read_policy(settings.net))
    client = Client(settings, transport, clock=FakeClock())
    outcomes: dict[str, Counter[str]] = defaultdict(Counter)
    attacks = await attack(client, outcomes)
    found = breaches(wire, {PUBLIC_4, PUBLIC_6})
    reached = sum(wire.begun.values())
    honest, failed = await visit(client, ipv6=ipv6)
    found += breaches(wire, {PUBLIC_4, PUBLIC_6, "8.8.8.8", "1.1.1.1", *literals()})
    await client.aclose()
    return {
        "watch_works": watched,
        "ipv6": ipv6,
        "attacks": attacks,
        "attempts": sum(sum(ends.values()) for ends in outcomes.values()),
        "breaches": sorted(set(found)),
        "connections_to_public_servers": reached,
        "honest": honest,
        "honest_without_a_page": failed,
        "outcomes": outcomes,
        "seconds": round(time.monotonic() - started, 1),
    }


if __name__ == "__main__":
    json.dump(anyio.run(main), sys.stdout, indent=1)
