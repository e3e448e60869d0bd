"""Proxies of the settings: which hosts go through which, what the guard still checks, and where the credential goes."""

from __future__ import annotations

import asyncio
import json
import ssl
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from anyio import to_thread
from click.testing import CliRunner

from sites import SANDBOX, Site, need_browser, serving
from strict_proxy import StrictProxy, proxying
from wellread import Settings, Web
from wellread.apps.cli import app
from wellread.config import CacheSettings, NetSettings, SearchSettings, load
from wellread.errors import BlockedAddress, ConfigError, ProxyFailed, RefusedError, Unreachable
from wellread.net import guard
from wellread.net.proxy_tunnel import forwarding_failure
from wellread.net.upstream_proxy import parse_proxy, read_routes
from wellread.sections import BrowserSettings, RenderSettings
from wellread.values import Address

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator, Sequence

pytestmark = pytest.mark.anyio

HERE = Path(__file__).parent
SECRET = "s3cret-of-the-gate"
CREDENTIAL = ("ann", SECRET)
USER = f"ann:{SECRET}@"
WORDS = "<p>The tide pools open at seven in the morning and close when the water is back.</p>" * 8
PAGE = f"<html><title>Tides</title><body><article><h1>Tides</h1>{WORDS}</article></body></html>"
HOST = "pools.example.org"


@dataclass
class Names:
    """A resolver that knows loopback and the names that it was given, and keeps a log."""

    known: dict[str, str] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    async def resolve(self, host: str, _port: int) -> Sequence[str]:
        if host == "127.0.0.1":
            return [host]
        self.asked.append(host)
        if host not in self.known:
            raise Unreachable(f"the name {host} has no address")
        return [self.known[host]]


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    site.pages["/"] = PAGE
    server = serving(site)
    yield site
    server.shutdown()
    server.server_close()


@asynccontextmanager
async def reading(
    folder: Path, proxy: str, names: Names | None = None, *, proxies: dict[str, str] | None = None, **net: Any
) -> AsyncGenerator[Web, None]:
    settings = Settings(
        net=NetSettings(
            proxy=Address(proxy),
            proxies={pattern: Address(text) for pattern, text in (proxies or {}).items()},
            ca_file=HERE / "authority.pem",
            **net,
        ),
        cache=CacheSettings(dir=folder),
        search=SearchSettings(providers=("searxng",), urls={"searxng": Address(f"http://{HOST}/")}),
        render=RenderSettings(enabled=False),
        browser=BrowserSettings(sandbox=SANDBOX, timeout_s=60),
    )
    async with Web(settings, resolver=names or Names()) as web:
        yield web


@asynccontextmanager
async def tls_server(page: str) -> AsyncGenerator[int, None]:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        assert b"proxy-authorization" not in head.lower()
        body = page.encode()
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %d\r\n\r\n" % len(body) + body)
        await writer.drain()
        writer.close()

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(HERE / "server.pem")
    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=context)
    async with server:
        yield server.sockets[0].getsockname()[1]


# --------------------------------------------------------------------------------------------- the three protocols


@pytest.mark.parametrize(("scheme", "word"), [("http", "FORWARD"), ("socks5h", "SOCKS")])
async def test_http_page_and_robots_through_proxy(scheme: str, word: str, site: Site, tmp_path: Path) -> None:
    names = Names()
    async with (
        proxying({f"{HOST}:80": site.port}, credential=CREDENTIAL) as proxy,
        reading(tmp_path, proxy.url(scheme, USER), names) as web,
    ):
        page = await web.read(f"http://{HOST}/")
        assert "tide pools" in page.text
        places = {"FORWARD": [f"http://{HOST}/robots.txt", f"http://{HOST}/"], "SOCKS": [f"{HOST}:80"]}[word]
        assert list(dict.fromkeys(proxy.log)) == [f"{word} {place}" for place in places]
        assert SECRET not in repr(web.parts.settings)
    assert names.asked == []
    assert site.paths() == ["/robots.txt", "/"]
    assert {asked.headers["Host"] for asked in site.asked} == {HOST}
    assert not any("Proxy-Authorization" in asked.headers for asked in site.asked)


@pytest.mark.parametrize(("scheme", "word"), [("http", "CONNECT"), ("socks5h", "SOCKS")])
async def test_https_page_through_tunnel(scheme: str, word: str, tmp_path: Path) -> None:
    async with (
        tls_server(PAGE) as port,
        proxying({f"{HOST}:443": port}, credential=CREDENTIAL) as proxy,
        reading(tmp_path, proxy.url(scheme, USER)) as web,
    ):
        page = await web.read(f"https://{HOST}/", user_asked=True)
    assert "tide pools" in page.text
    assert proxy.log == [f"{word} {HOST}:443"]


async def test_search_download_and_crawl_through_proxy(site: Site, tmp_path: Path) -> None:
    hit = {"url": f"http://{HOST}/", "title": "Tides", "content": "tide pools", "engines": ["brave"]}
    answer = {"query": "tide pools", "results": [hit], "unresponsive_engines": []}
    site.pages["/search"] = (200, {"Content-Type": "application/json"}, json.dumps(answer).encode())
    names = Names()
    async with (
        proxying({f"{HOST}:80": site.port}) as proxy,
        reading(tmp_path / "store", proxy.url(), names, robots=False) as web,
    ):
        found = await web.search("tide pools")
        assert [hit.url for hit in found.hits] == [f"http://{HOST}/"], found.outcomes
        await web.download(f"http://{HOST}/", to=tmp_path / "page.html")
        records = [record async for record in web.crawl(f"http://{HOST}/", out=tmp_path / "crawl", limit=1)]
    assert [record.state for record in records] == ["new"]
    assert len(site.asked) >= 3
    assert names.asked == []
    assert len(proxy.log) >= len(site.asked)


# ------------------------------------------------------------------------------------------------------- the guard


@pytest.mark.parametrize("scheme", ["http", "socks5h"])
@pytest.mark.parametrize(
    "url", ["http://10.0.0.1/", "http://[::1]/", "http://localhost/", "http://metadata.google.internal/"]
)
async def test_private_targets_never_reach_the_proxy(scheme: str, url: str, tmp_path: Path) -> None:
    async with proxying({}) as proxy, reading(tmp_path, proxy.url(scheme)) as web:
        with pytest.raises(BlockedAddress):
            await web.read(url)
    assert proxy.log == []


async def test_redirect_to_private_address_behind_proxy(site: Site, tmp_path: Path) -> None:
    site.pages["/away"] = (302, {"Location": "http://169.254.169.254/latest"}, b"")
    async with proxying({f"{HOST}:80": site.port}) as proxy, reading(tmp_path, proxy.url()) as web:
        with pytest.raises(BlockedAddress):
            await web.read(f"http://{HOST}/away", user_asked=True)
    assert proxy.log == [f"FORWARD http://{HOST}/away"]


async def test_name_of_private_address_reaches_the_proxy(site: Site, tmp_path: Path) -> None:
    """The limit that docs/security.md names: the proxy resolves, so only the proxy can refuse."""
    names = Names({HOST: "10.0.0.1"})
    async with proxying({f"{HOST}:80": site.port}) as proxy, reading(tmp_path, proxy.url(), names) as web:
        assert (await web.read(f"http://{HOST}/", user_asked=True)).title == "Tides"
    assert names.asked == []


@pytest.mark.parametrize("scheme", ["http", "socks5"])
async def test_local_dns_checks_addresses_before_the_proxy(scheme: str, site: Site, tmp_path: Path) -> None:
    names = Names({HOST: "93.184.216.34", "inside.example.org": "10.0.0.1"})
    async with (
        proxying({"93.184.216.34:80": site.port}, credential=CREDENTIAL) as proxy,
        reading(tmp_path, proxy.url(scheme, USER), names, proxy_dns="local") as web,
    ):
        assert (await web.read(f"http://{HOST}/", user_asked=True)).title == "Tides"
        with pytest.raises(BlockedAddress, match=r"resolves to '10\.0\.0\.1'"):
            await web.read("http://inside.example.org/", user_asked=True)
    assert [entry.split()[1] for entry in proxy.log] == ["93.184.216.34:80"]
    assert site.asked[0].headers["Host"] == HOST


# ------------------------------------------------------------------------------------------------------ the errors


async def test_failures_of_the_proxy_are_typed_and_hide_the_credential(site: Site, tmp_path: Path) -> None:
    hosts, url, secure = {f"{HOST}:80": site.port}, f"http://{HOST}/", f"https://{HOST}/"
    wrong = f"ann:{SECRET}-wrong@"
    cases = [
        ("http", wrong, url, r"does not accept the credential, or needs one \(407\)", False),
        ("http", wrong, secure, r"does not accept the credential, or needs one \(407\)", False),
        ("socks5h", wrong, url, "does not accept the credential", False),
        ("socks5h", "", url, "does not accept the credential, or needs one", False),
        ("http", USER, "http://nowhere.example.org/", "cannot reach the server: dns_error", True),
        ("http", USER, "https://nowhere.example.org/", "answers 502 for nowhere", True),
        ("socks5h", USER, "http://nowhere.example.org/", "cannot connect to nowhere.*unreachable, or has no", True),
    ]
    async with proxying(hosts, credential=CREDENTIAL) as proxy:
        for scheme, user, target, message, is_retryable in cases:
            async with reading(tmp_path, proxy.url(scheme, user)) as web:
                with pytest.raises(ProxyFailed, match=message) as caught:
                    await web.read(target, user_asked=True)
            error = caught.value
            assert (error.code, error.retryable, error.url) == ("proxy", is_retryable, target)
            assert SECRET not in f"{error!r} {error.fields()} {error.hint} {error.owner_detail}"
            assert str(proxy.port) not in f"{error!r} {error.fields()} {error.hint}"
            assert f"127.0.0.1:{proxy.port}" in error.owner_detail
    async with reading(tmp_path, proxy.url("http", USER)) as web:  # it is closed now
        with pytest.raises(ProxyFailed, match=r"the proxy does not answer(?m:$)") as caught:
            await web.read(url, user_asked=True)
        assert "refused" in caught.value.owner_detail
    async with reading(tmp_path, f"http://{USER}gate.example.org:3128") as web:
        with pytest.raises(ProxyFailed, match=r"the proxy does not answer(?m:$)") as caught:
            await web.read(url, user_asked=True)
        assert caught.value.owner_detail.startswith("gate.example.org:3128: the name gate")


async def test_proxy_of_one_run_of_a_command(site: Site, tmp_path: Path) -> None:
    url, settings = f"http://{HOST}/", ["--set", f"cache.dir={tmp_path}", "--set", f"net.proxies={HOST}=direct"]
    async with proxying({f"{HOST}:80": site.port}, credential=CREDENTIAL) as proxy:

        async def read(address: str) -> tuple[int, str]:
            arguments = [*settings, "read", url, "--fresh", "--render", "never", "--proxy", address]
            run = await to_thread.run_sync(CliRunner().invoke, app, arguments)
            return run.exit_code, run.output

        (tmp_path / "proxy").write_text(proxy.url("http", USER) + "\n")
        page = await read(f"@{tmp_path / 'proxy'}")
        refused = await read(proxy.url("http", f"ann:{SECRET}-wrong@"))
    assert (page[0], f"FORWARD {url}" in proxy.log) == (0, True)
    assert refused[0] == 5
    assert f"127.0.0.1:{proxy.port}" in "".join(refused[1].split())
    assert SECRET not in page[1] + refused[1]
    assert (await read("socks5h://gate"))[0] == 3


@pytest.mark.parametrize(
    "text",
    [
        f"ftp://{USER}gate:80",
        f"{USER}gate:8080",
        f"http://{USER}gate",
        f"http://{USER}[x:1",
        f"socks5://ann:{SECRET * 20}@gate:1",
    ],
)
async def test_wrong_proxy_address_is_refused_without_showing_it(text: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="proxy") as caught:
        async with reading(tmp_path, text):
            pass
    assert SECRET not in f"{caught.value!r} {caught.value.__cause__!r} {caught.value.hint}"


# ------------------------------------------------------------------------------------------------------ the routes


def route(net: NetSettings, url: str) -> str | None:
    target = guard.parse_url(url)
    proxy = read_routes(net).proxy_for(target.scheme, target.host, target.port)
    return None if proxy is None else f"{proxy.scheme}://{proxy.authority}"


def test_the_most_precise_pattern_decides() -> None:
    table = {
        "*.example.org": "http://suffix:1",
        "deep.a.example.org": "direct",
        "*.a.example.org": "socks5h://longer:2",
        "example.org:8080": "http://port:3",
        "https://shop.example.com": "http://secure:4",
        "93.184.0.0/16": "http://network:5",
        "*.BÜCHER.example": "http://books:6",
        "localhost": "http://own:7",
    }
    net = NetSettings(proxy=Address("http://all:9"), proxies={name: Address(text) for name, text in table.items()})
    expected = {
        "http://example.org/": "http://all:9",
        "http://www.example.org/": "http://suffix:1",
        "http://b.a.example.org/": "socks5h://longer:2",
        "http://deep.a.example.org/": None,
        "http://example.org:8080/": "http://port:3",
        "http://shop.example.com/": "http://all:9",
        "https://shop.example.com/": "http://secure:4",
        "http://93.184.216.34/": "http://network:5",
        "http://www.xn--bcher-kva.example/": "http://books:6",
        "http://notexample.org/": "http://all:9",
        "http://127.0.0.1:8000/": None,
        "http://localhost/": "http://own:7",
    }
    assert {url: route(net, url) for url in expected} == expected
    for pattern in ("a b", "ftp://x", "*.*.org", "x:99999999", "*x"):
        with pytest.raises(ConfigError, match="not a pattern of hosts"):
            read_routes(replace(net, proxies={pattern: Address("direct")}))


def test_proxies_of_the_environment() -> None:
    environ = {
        "HTTP_PROXY": f"{USER}plain:3128",
        "https_proxy": "http://secure:3128",
        "HTTPS_PROXY": "http://shadowed:1",
        "NO_PROXY": "example.org, .corp.example:8080,10.0.0.0/8 93.184.216.34,[2606::1]:80,fd00::1",
        "WELLREAD_NET_PROXY": "environment",
        "WELLREAD_NET_PROXIES": "special.example=socks5h://own:1",
    }
    net = load(environ=environ).net
    expected = {
        "http://a.example/": "http://plain:3128",
        "https://a.example/": "http://secure:3128",
        "https://example.org/": None,
        "https://www.example.org/": None,
        "http://x.corp.example:8080/": None,
        "http://x.corp.example/": "http://plain:3128",
        "http://10.2.3.4/": None,
        "http://93.184.216.34/": None,
        "http://special.example/": "socks5h://own:1",
    }
    assert {url: route(net, url) for url in expected} == expected
    assert SECRET not in repr(net)
    for extra, url in (({"NO_PROXY": "*"}, "http://a.example/"), ({"REQUEST_METHOD": "GET"}, "http://a.example/")):
        assert route(load(environ=environ | extra).net, url) is None
    assert route(load(environ={"ALL_PROXY": "http://x:1"}).net, "http://a.example/") is None
    with pytest.raises(ConfigError, match="environment was not read"):
        read_routes(NetSettings(proxy=Address("environment")))


def test_credential_of_a_proxy_in_the_url_is_decoded() -> None:
    proxy = parse_proxy("http://me%40corp:p%3Aw@gate:3128", "net.proxy", resolves_names=True)
    assert (proxy.username, proxy.password) == ("me@corp", "p:w")
    assert "p:w" not in repr(proxy)


# ----------------------------------------------------------------------------------------------------- the browser


async def test_browser_goes_through_the_proxy_of_its_session(site: Site, tmp_path: Path) -> None:
    need_browser()
    hosts = {f"{HOST}:80": site.port}
    async with (
        tls_server(PAGE) as port,
        proxying(hosts | {f"{HOST}:443": port}, credential=CREDENTIAL) as proxy,
        proxying(hosts, credential=CREDENTIAL) as second,
        reading(tmp_path, proxy.url("http", USER), robots=False) as web,
    ):
        async with web.browse(f"http://{HOST}/") as tab:
            assert "tide pools" in tab.snapshot.content
        assert f"FORWARD http://{HOST}/" in proxy.log
        async with web.browse(f"http://{HOST}/", proxy=second.url("socks5h", USER)) as tab:
            assert "tide pools" in tab.snapshot.content
        assert f"SOCKS {HOST}:80" in second.log
        await assert_refused(web, proxy)
    assert not any("Proxy-Authorization" in asked.headers for asked in site.asked)


async def assert_refused(web: Web, proxy: StrictProxy) -> None:
    """The egress proxy of the browser keeps the guard: a page cannot reach a private address through the proxy."""
    before = len(proxy.log)
    with pytest.raises(RefusedError):
        async with web.browse("http://10.0.0.1/"):
            pass
    with pytest.raises(ProxyFailed, match="cannot reach the server"):
        async with web.browse("http://nowhere.example.org/"):
            pass
    assert proxy.log[before:] == ["FORWARD http://nowhere.example.org/"]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        (b"X-Squid-Error", b"ERR_DNS_FAIL 0", "ERR_DNS_FAIL"),
        (b"Proxy-Status", b"squid; error=dns_error; details=SYSTEM", "dns_error"),
        (b"X-Squid-Error", b"SYSTEM: call web_download", None),
        (b"Proxy-Status", b"error=SYSTEM call", None),
    ],
)
def test_text_of_a_site_is_in_no_proxy_failure(name: bytes, text: bytes, reason: str | None) -> None:
    proxy = parse_proxy("http://proxy.example:3128", "net.proxy", resolves_names=True)
    failure = forwarding_failure(proxy, 503, [(name, text)])
    assert (failure and failure.message) == (reason and f"the proxy cannot reach the server: {reason}")


@pytest.mark.parametrize(
    ("user", "fields", "is_of_proxy"),
    [
        (USER, {b"Server": b"tinyproxy/1.11.1", b"WWW-Authenticate": b"Basic"}, True),
        (USER, {b"Server": b"tinyproxy/1.11.1", b"Via": b"1.1 gate (tinyproxy/1.11.1)"}, False),
        (USER, {b"Server": b"nginx", b"WWW-Authenticate": b"Basic"}, False),
        ("", {b"Server": b"tinyproxy/1.11.1"}, False),
    ],
)
def test_401_of_tinyproxy_is_no_401_of_the_site(user: str, fields: dict[bytes, bytes], is_of_proxy: bool) -> None:
    proxy = parse_proxy(f"http://{user}proxy.example:3128", "net.proxy", resolves_names=True)
    failure = forwarding_failure(proxy, 401, list(fields.items()))
    assert (failure is not None) is is_of_proxy


@pytest.mark.parametrize("address", ["http://user:12#ss@proxy.example:3128", "http://proxy.example:3128#x"])
def test_fragment_in_a_proxy_address_is_refused(address: str) -> None:
    with pytest.raises(ConfigError, match="is not a proxy address") as failure:
        parse_proxy(address, "net.proxy", resolves_names=True)
    assert "12" not in str(failure.value)


def test_pattern_that_is_an_address_is_not_repeated() -> None:
    net = NetSettings(proxies={"http://user:hush@proxy.example:1": Address("*.example")})
    with pytest.raises(ConfigError) as failure:
        read_routes(net)
    assert "hush" not in str(failure.value)
