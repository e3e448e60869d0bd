"""Reads pages through real proxies on loopback: mitmproxy (HTTP, CONNECT, SOCKS5) and tinyproxy (HTTP, CONNECT).

    python benchmarks/proxies.py [--mitmdump PATH] [--tinyproxy PATH]

Starts a site over HTTP and one over HTTPS (a certificate by `openssl`), and each proxy with a user name and a password.
The proxies must resolve the name of the site: it is the name of this machine. For each proxy and protocol a page is
read with the right password, with a wrong one, and from a port on which nothing listens. Printed is how each read
ended. mitmproxy is installed by `pip install mitmproxy` in an environment of its own, tinyproxy by a
package of the system.
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack, contextmanager
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

from page_handler import PageHandler

from wellread import Settings, Web
from wellread.config import CacheSettings, NetSettings
from wellread.errors import WellreadError
from wellread.sections import RenderSettings
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import Iterator

HOST = socket.gethostname()
TEXT = "<p>The tide pools open at seven in the morning and close when the water is back at the wall.</p>" * 20
START_S = 30.0


class Handler(PageHandler):
    """Answers every path with one page, and notes whether a credential for a proxy came with it."""

    leaked = 0

    def page(self) -> bytes:
        Handler.leaked += "Proxy-Authorization" in self.headers
        return f"<title>Tides</title><main><h1>Tides</h1>{TEXT}</main>".encode()


@contextmanager
def site(context: ssl.SSLContext | None = None) -> Iterator[int]:
    server = ThreadingHTTPServer(("", 0), Handler)
    if context is not None:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()


@contextmanager
def running(command: list[str], ports: list[int]) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        deadline = time.monotonic() + START_S
        for port in ports:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), 1).close()
                    break
                except OSError:
                    if time.monotonic() > deadline:
                        raise
                    time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait(10)


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


def certificate(folder: Path) -> Path:
    path = folder / "site.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={HOST}"]
    command += ["-addext", f"subjectAltName=DNS:{HOST}", "-keyout", str(path), "-out", str(folder / "only.pem")]
    subprocess.run(command, check=True, capture_output=True)
    path.write_text(path.read_text() + (folder / "only.pem").read_text())
    return path


def start_proxies(stack: ExitStack, folder: Path, mitmdump: str | None, tinyproxy: str | None) -> dict[str, str]:
    """Start the proxies that are installed; return name -> address with a place for the password."""
    addresses = {}
    if mitmdump:
        http_port, socks_port = free_port(), free_port()
        command = [mitmdump, "-q", "--mode", f"regular@{http_port}", "--mode", f"socks5@{socks_port}"]
        command += ["--proxyauth", "ann:secret", "--ignore-hosts", ".*", "--set", f"confdir={folder}"]
        stack.enter_context(running(command, [http_port, socks_port]))
        addresses["mitmproxy http"] = f"http://ann:%s@127.0.0.1:{http_port}"
        addresses["mitmproxy socks5"] = f"socks5h://ann:%s@127.0.0.1:{socks_port}"
    if tinyproxy:
        port = free_port()
        config = folder / "tinyproxy.conf"
        config.write_text(f"Port {port}\nListen 127.0.0.1\nBasicAuth ann secret\nMaxClients 20\n")
        stack.enter_context(running([tinyproxy, "-d", "-c", str(config)], [port]))
        addresses["tinyproxy"] = f"http://ann:%s@127.0.0.1:{port}"
    return addresses


async def outcome(url: str, proxy: str, ports: list[int], folder: Path, ca_file: Path) -> str:
    net = NetSettings(
        proxy=Address(proxy), allow_hosts=tuple(f"{HOST}:{port}" for port in ports), ca_file=ca_file, robots=False
    )
    store = CacheSettings(dir=Path(tempfile.mkdtemp(dir=folder)))
    async with Web(Settings(net=net, cache=store, render=RenderSettings(enabled=False))) as web:
        try:
            page = await web.read(url)
        except WellreadError as error:
            return f"{error.code}: {error.message}"
        return f"page of {page.word_count} words"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mitmdump", default=shutil.which("mitmdump"))
    parser.add_argument("--tinyproxy", default=shutil.which("tinyproxy"))
    options = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        ca_file = certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(ca_file)
        plain, secure, dead = stack.enter_context(site()), stack.enter_context(site(context)), free_port()
        urls = {"http": f"http://{HOST}:{plain}/", "https": f"https://{HOST}:{secure}/"}
        for name, address in start_proxies(stack, folder, options.mitmdump, options.tinyproxy).items():
            for scheme, url in urls.items():
                dead_url = f"{scheme}://{HOST}:{dead}/"
                for case, target, password in (
                    ("page", url, "secret"),
                    ("wrong password", url, "wrong"),
                    ("dead server", dead_url, "secret"),
                ):
                    result = asyncio.run(outcome(target, address % password, [plain, secure, dead], folder, ca_file))
                    print(f"{name:17}  {scheme:6}  {case:15}  {result}")
    print(f"requests of the site with a credential for a proxy: {Handler.leaked}")


if __name__ == "__main__":
    main()
