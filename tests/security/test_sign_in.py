"""Signed-in reads: interface x way x redirect. A canary on another host sees no secret, and no store shows one."""

from __future__ import annotations

import base64
import json
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.types import TextContent

from scenario.interfaces import serving as serving_interfaces
from sites import Site, serving, settings_for
from wellread import Settings, Web
from wellread.apps import profile_files
from wellread.apps.cli import app
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.apps.system_clock import SystemClock
from wellread.browser.storage_state import validated
from wellread.config import SearchSettings
from wellread.credentials import Credentials, StoredCookie
from wellread.errors import InvalidCursor, InvalidInput, WellreadError
from wellread.net import cookie_files, credential_scope, guard, redirects
from wellread.net.cookies import CookieJar
from wellread.net.transport import Hop
from wellread.sections import BrowseSettings, RenderSettings, ServerSettings
from wellread.types import Page, Request

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sites import Answer, Asked

pytestmark = pytest.mark.anyio

SECRET = "s3cret-of-tidewater"
BASIC = base64.b64encode(f"ann:{SECRET}".encode()).decode()
TRACES = (SECRET, BASIC)
WORDS = "The tide pools open at seven in the morning and close when the water has come back to the wall. " * 12
PATHS = ("/page", "/away", "/round", "/refresh")


def shown(asked: Asked) -> Answer:
    """Return the private page to a request with a secret, and the public one to any other."""
    fields = " ".join(asked.headers.values())
    is_private = any(trace in fields for trace in TRACES)
    words = f"Ledger of Ann. {WORDS}" if is_private else f"Notice for everybody. {WORDS}"
    body = f"<html><title>Tides</title><body><article><h1>Tides</h1><p>{words}</p></article></body></html>"
    return 200, {"Content-Type": "text/html; charset=utf-8"}, body.encode()


def moved(place: str) -> Answer:
    return 302, {"Location": place}, b""


@dataclass
class Coast:
    """The site that the secrets are for, and the canary."""

    home: Site
    canary: Site
    folder: Path
    settings: Settings

    def url(self, path: str = "/page") -> str:
        return self.home.url(path)

    def cookie_file(self) -> Path:
        path = self.folder / "cookies.txt"
        path.write_text(f"# Netscape HTTP Cookie File\n127.0.0.1\tFALSE\t/\tFALSE\t0\tsession\t{SECRET}\n")
        return path

    def profile(self, name: str = "shop", *, login: bool = False) -> str:
        cookies = [{"name": "session", "value": SECRET, "domain": "127.0.0.1", "path": "/", "sameSite": "Lax"}]
        logins = [{"origin": f"http://127.0.0.1:{self.home.port}", "username": "ann", "password": SECRET}]
        state: dict[str, Any] = {"cookies": cookies, "origins": []}
        if login:
            state = {"cookies": [], "origins": [], "httpCredentials": logins}
        folder = self.folder / "cache" / "profiles"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.json").write_text(json.dumps(state))
        return name

    def options(self, way: str) -> dict[str, Any]:
        ways: dict[str, dict[str, Any]] = {
            "headers": {"headers": {"X-Team-Key": SECRET}},
            "cookies": {"cookies": {"session": SECRET}},
            "cookie file": {"cookies": self.cookie_file()},
            "auth": {"auth": ("ann", SECRET)},
            "bearer": {"bearer": SECRET},
            "profile": {"profile": self.profile()},
            "profile login": {"profile": self.profile("desk", login=True)},
        }
        return ways[way]

    def saw(self, site: Site) -> str:
        return " ".join(f"{asked.path} {asked.headers} {asked.body!r}" for asked in site.asked)

    def assert_nothing_leaked(self, *texts: str) -> None:
        stored = [
            path for path in (self.folder / "cache").rglob("*") if path.is_file() and "profiles" not in path.parts
        ]
        contents = [path.read_bytes().decode("latin-1") for path in stored]
        for trace in TRACES:
            assert trace not in self.saw(self.canary)
            assert not any(trace in text for text in (*texts, *contents))


@pytest.fixture
def coast(tmp_path: Path) -> Iterator[Coast]:
    home, canary = Site(), Site()
    with ExitStack() as stack:
        for site, address in ((home, "127.0.0.1"), (canary, "127.0.0.2")):
            server = serving(site, address)
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
        far = canary.url("/trap", host="127.0.0.2")
        home.pages.update({
            "/page": shown,
            "/away": lambda _: moved(far),
            "/round": lambda _: moved(canary.url("/back", host="127.0.0.2")),
            "/refresh": lambda _: (
                200, {"Content-Type": "text/html"}, f'<meta http-equiv="refresh" content="0; url={far}">'.encode(),
            ),
        })  # fmt: skip
        canary.pages.update({"/trap": shown, "/back": lambda _: moved(home.url("/page"))})
        base = settings_for(home, tmp_path / "cache")
        net = replace(base.net, allow_hosts=(f"127.0.0.1:{home.port}", f"127.0.0.2:{canary.port}"))
        settings = replace(
            base,
            net=net,
            render=RenderSettings(enabled=False),
            search=SearchSettings(providers=("local",)),
            browse=BrowseSettings(profiles=("http:shop", "mcp:shop")),
            server=ServerSettings(port=0),
        )
        yield Coast(home, canary, tmp_path, settings)


WAYS = ("headers", "cookies", "cookie file", "auth", "bearer", "profile", "profile login")


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("way", WAYS)
async def test_secret_stays_at_its_host_in_python(
    coast: Coast, caplog: pytest.LogCaptureFixture, way: str, path: str
) -> None:
    caplog.set_level(0)
    options = coast.options(way)
    async with Web(coast.settings) as web:
        page = await web.read(coast.url(path), **options)
        matches = await web.find(coast.url(path), "tide pools", **options)
        file = await web.download(coast.url(path), to=coast.folder, **options)
    assert any(trace in coast.saw(coast.home) for trace in TRACES)
    assert ("Ledger of Ann" in page.text) is (path == "/page" or (path == "/round" and is_kept(way)))
    assert matches.total
    coast.assert_nothing_leaked(caplog.text, repr(page), repr(file), repr(matches))


def is_kept(way: str) -> bool:
    """Return whether the secret is sent again after the way back: headers stay behind at the first other host."""
    return "cookie" in way or "profile" in way


async def test_public_names_of_secret_headers_stay_at_their_host(coast: Coast) -> None:
    names = ("User-Agent", "Accept", "Accept-Language", "If-Range", "Range", "Content-Type")
    async with Web(coast.settings) as web:
        await web.read(coast.url("/away"), headers=dict.fromkeys(names, SECRET))
    assert SECRET in coast.saw(coast.home)
    coast.assert_nothing_leaked()
    headers = coast.canary.asked[-1].headers
    assert headers["User-Agent"] == coast.settings.net.user_agent
    assert headers["Accept"].startswith("text/html")
    assert headers["Accept-Language"] == "en;q=0.8,*;q=0.5"
    assert headers.get("If-Range") is None


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    "flags", ["--headers=X-Team-Key: {}", "--cookies=file", "--auth=ann:{}", "--bearer={}", "--profile=shop"]
)
def test_secret_stays_at_its_host_on_the_command_line(coast: Coast, flags: str, path: str) -> None:
    coast.profile()
    flag = flags.format(SECRET).replace("=file", f"={coast.cookie_file()}")
    listed = json.dumps(list(coast.settings.net.allow_hosts))
    settings = [
        f"net.allow_hosts={listed}",
        "net.robots=false",
        f"cache.dir={coast.folder / 'cache'}",
        "render.enabled=false",
    ]
    before = [part for setting in settings for part in ("--set", setting)]
    outputs = []
    for command in (["read"], ["find"], ["download", "--to", f"{coast.folder}/files/"]):
        words = ["tide pools"] if command == ["find"] else []
        result = CliRunner().invoke(app, [*before, *command, coast.url(path), *words, flag, "--json"])
        assert result.exit_code == 0, result.output
        outputs.append(result.output + result.stderr)
    assert any(trace in coast.saw(coast.home) for trace in TRACES)
    coast.assert_nothing_leaked(*outputs)


@pytest.mark.parametrize("path", PATHS)
async def test_secret_stays_at_its_host_over_http_and_mcp(coast: Coast, path: str) -> None:
    coast.profile()
    arguments = {"url": coast.url(path), "profile": "shop"}
    async with (
        serving_interfaces(coast.settings, web=Web(coast.settings)) as root,
        httpx2.AsyncClient(base_url=root, timeout=60) as client,
        Client(f"{root}/mcp") as mcp,
    ):
        answers = [
            await client.post("/v1/read", json=arguments),
            await client.post("/v1/read/many", json={"urls": [coast.url(path)], "profile": "shop"}),
            await client.post("/v1/find", json=arguments | {"pattern": "tide pools"}),
            await client.post("/v1/download", json=arguments),
        ]
        result = await mcp.call_tool("web_read", arguments)
    assert [answer.status_code for answer in answers] == [200] * 4
    text = " ".join(part.text for part in result.content if isinstance(part, TextContent))
    assert SECRET in coast.saw(coast.home)
    coast.assert_nothing_leaked(text, *(answer.text for answer in answers))


@pytest.mark.parametrize("interface", ["http", "tools"])
async def test_ungranted_profile_is_refused(coast: Coast, interface: Any) -> None:
    coast.profile("desk")
    async with Web(coast.settings) as web:
        dispatcher = open_dispatcher(coast.settings, web, SystemClock())
        calls: dict[str, dict[str, Any]] = {
            "web_read": {"url": coast.url()},
            "web_read_many": {"urls": [coast.url()]},
            "web_find": {"url": coast.url(), "pattern": "tide"},
            "web_download": {"url": coast.url()},
            "web_gather": {"question": "When do the tide pools open?"},
        }
        for name, more in calls.items():
            with pytest.raises(InvalidInput, match="not allowed here"):
                await dispatcher.do(name, {**more, "profile": "desk"}, interface=interface)
        await dispatcher.aclose()
    assert not coast.home.asked


# ------------------------------------------------------------------------------------- stores and other callers


async def test_signed_in_page_is_served_to_its_identity_alone(coast: Coast) -> None:
    async with Web(coast.settings) as web:
        private = await web.read(coast.url(), max_length=200, cookies={"session": SECRET})
        assert private.cursor is not None
        again = await web.read(coast.url(), cookies={"session": SECRET})
        assert again.cached
        rest = await web.read(coast.url(), cursor=private.cursor, cookies={"session": SECRET})
        assert rest.start == private.end
        public = await web.read(coast.url())
        assert "Notice for everybody" in public.text
        assert not public.cached
        with pytest.raises(InvalidCursor):
            await web.read(coast.url(), cursor=private.cursor)
        with pytest.raises(InvalidCursor):
            await web.read(coast.url(), cursor=private.cursor, cookies={"session": "another"})
        assert web.parts.store.by_id(private.snapshot_id) is None
        dispatcher = open_dispatcher(coast.settings, web, SystemClock())
        with pytest.raises(WellreadError):
            dispatcher.snapshot_text(private.snapshot_id, max_chars=100_000)
        await dispatcher.aclose()


async def test_next_account_of_a_profile_gets_no_page_of_the_former(coast: Coast) -> None:
    cookie = {"name": "session", "value": SECRET, "domain": "127.0.0.1", "path": "/", "sameSite": "Lax"}
    async with Web(coast.settings) as web:
        profile_files.import_profile(coast.settings, "shop", validated({"cookies": [cookie]}), [])
        assert "Ledger of Ann" in (await web.read(coast.url(), profile="shop")).text
        assert (await web.read(coast.url(), profile="shop")).cached
        other = validated({"cookies": [cookie | {"value": "another"}]})
        profile_files.import_profile(coast.settings, "shop", other, [])
        assert "Notice for everybody" in (await web.read(coast.url(), profile="shop")).text
        profile_files.delete(coast.settings, "shop")
        profile_files.import_profile(coast.settings, "shop", other, [])
        assert not (await web.read(coast.url(), profile="shop")).cached


async def test_cookie_of_the_former_account_stays_out_of_the_next(coast: Coast) -> None:
    cookie = {"name": "session", "value": SECRET, "domain": "127.0.0.1", "path": "/", "sameSite": "Lax"}
    other = validated({"cookies": [cookie | {"value": "another"}]})
    profile_files.import_profile(coast.settings, "shop", validated({"cookies": [cookie]}), [])

    def signing_in(asked: Asked) -> Answer:
        profile_files.import_profile(coast.settings, "shop", other, [])
        status, headers, body = shown(asked)
        return status, headers | {"Set-Cookie": f"session={SECRET}-2; Path=/"}, body

    coast.home.pages["/page"] = signing_in
    async with Web(coast.settings) as web:
        assert "Ledger of Ann" in (await web.read(coast.url(), profile="shop")).text
    assert [row["value"] for row in profile_files.stored(coast.settings, "shop")["cookies"]] == ["another"]


async def test_rotated_cookie_goes_back_to_the_profile(coast: Coast) -> None:
    cookies = [{"name": name, "value": SECRET, "domain": "127.0.0.1", "path": "/"} for name in ("session", "other")]
    profile_files.import_profile(coast.settings, "shop", validated({"cookies": cookies}), [])
    valid = [SECRET]

    def rotating(asked: Asked) -> Answer:
        if f"session={valid[-1]}" not in asked.headers.get("Cookie", ""):
            return 403, {"Content-Type": "text/html", "Set-Cookie": "session=nobody"}, b"<p>Sign in</p>"
        valid.append(f"{SECRET}-{len(valid)}")
        status, headers, body = shown(asked)
        return status, headers | {"Set-Cookie": f"session={valid[-1]}; Path=/; HttpOnly"}, body

    coast.home.pages["/page"] = rotating
    for _ in range(3):
        async with Web(coast.settings) as web:
            page = await web.read(coast.url(), profile="shop", fresh=True)
            assert "Ledger of Ann" in page.text
    async with Web(coast.settings) as web:
        assert (await web.read(coast.url(), profile="shop")).cached
    assert len(valid) == 4
    valid.append("another")
    async with Web(coast.settings) as web:
        with pytest.raises(WellreadError):
            await web.read(coast.url(), profile="shop", fresh=True)
    stored = profile_files.stored(coast.settings, "shop")
    assert {row["name"]: row["value"] for row in stored["cookies"]} == {"session": f"{SECRET}-3", "other": SECRET}


async def test_parallel_reads_where_each_answer_replaces_the_cookie(coast: Coast) -> None:
    cookie = {"name": "session", "value": SECRET, "domain": "127.0.0.1", "path": "/"}
    profile_files.import_profile(coast.settings, "shop", validated({"cookies": [cookie]}), [])
    valid = [SECRET]

    def rotating(asked: Asked) -> Answer:
        if f"session={valid[-1]}" not in asked.headers.get("Cookie", ""):
            return 401, {"Content-Type": "text/html"}, b"<p>Sign in</p>"
        valid.append(f"{SECRET}-{len(valid)}")
        status, headers, body = shown(asked)
        return status, headers | {"Set-Cookie": f"session={valid[-1]}; Path=/"}, body

    paths = [f"/page{number}" for number in range(6)]
    coast.home.pages |= dict.fromkeys(paths, rotating)
    async with Web(coast.settings) as web:
        results = [result async for result in web.read_many(map(coast.url, paths), profile="shop")]
        assert [isinstance(result, Page) for result in results] == [True] * 6
    assert len(valid) == 7


async def test_public_page_is_not_hidden_by_a_signed_in_one(coast: Coast) -> None:
    coast.home.pages["/page"] = f"<article><h1>Tides</h1><p>{WORDS}</p></article>"
    async with Web(coast.settings) as web:
        public = await web.read(coast.url(), max_length=200)
        private = await web.read(coast.url(), bearer=SECRET)
        assert private.snapshot_id == public.snapshot_id
        assert web.parts.store.by_id(public.snapshot_id) is not None
        assert (await web.read(coast.url(), cursor=public.cursor)).start == public.end


async def test_many_urls_take_values_for_one_host(coast: Coast) -> None:
    urls = [coast.url(), coast.canary.url("/trap", host="127.0.0.2"), coast.url("/away")]
    async with Web(coast.settings) as web:
        results = [result async for result in web.read_many(urls, bearer=SECRET)]
    assert [isinstance(result, Page) for result in results] == [True, False, True]
    assert isinstance(results[1], InvalidInput)
    coast.assert_nothing_leaked()


async def test_gather_signs_in_only_where_the_profile_is_for(coast: Coast) -> None:
    async with Web(coast.settings) as web:
        for url in (coast.url(), coast.canary.url("/trap", host="127.0.0.2")):
            await web.index(url)
        evidence = await web.gather("When do the tide pools open?", profile=coast.profile())
    assert SECRET in coast.saw(coast.home)
    assert any("Ledger of Ann" in page.text for page in evidence.pages)
    coast.assert_nothing_leaked()


async def test_citation_of_a_signed_in_page_needs_its_profile(coast: Coast) -> None:
    profile = coast.profile()
    async with Web(coast.settings) as web:
        evidence = await web.gather("When do the tide pools open?", urls=[coast.url()], profile=profile)
        assert evidence.passages
        assert all(verdict.ok for verdict in await web.verify(evidence, profile=profile))
        assert not any(verdict.ok for verdict in await web.verify(evidence))


async def test_recording_has_no_secret(coast: Coast) -> None:
    async with Web(coast.settings, record=coast.folder / "run.warc") as web:
        for way in WAYS:
            await web.read(coast.url(), fresh=True, **coast.options(way))
    recorded = (coast.folder / "run.warc").read_text("latin-1")
    assert "GET /page" in recorded
    assert not any(trace in recorded for trace in TRACES)


async def test_url_without_a_scheme_never_falls_back_to_http(coast: Coast) -> None:
    async with Web(coast.settings) as web:
        with pytest.raises(WellreadError):
            await web.read(f"127.0.0.1:{coast.home.port}/page", bearer=SECRET)
    assert not any(asked.path == "/page" for asked in coast.home.asked)


# --------------------------------------------------------------------------------------------- decisions, pure


COOKIES = cookie_files.parse_cookies(
    ".tides.example\tTRUE\t/\tFALSE\t0\twide\t1\nwww.tides.example\tFALSE\t/a\tTRUE\t0\tnarrow\t2\n"
)
CREDENTIALS = Credentials(
    identity="i",
    origin="https://www.tides.example:443",
    headers=(("X-Key", SECRET),),
    cookies=COOKIES,
    logins=(("https://desk.tides.example:443", "Basic x"),),
)
POLICY = guard.Policy()


def carried(*places: str) -> tuple[bool, str | None, bool]:
    """Return what the last hop of a chain carries: the header, the cookies, the login."""
    target = guard.parse_url(places[0])
    jar = CookieJar(CREDENTIALS.cookies, is_https=target.scheme == "https")
    first = credential_scope.with_login(credential_scope.with_headers(Hop(target=target), CREDENTIALS), CREDENTIALS)
    hops = [redirects.with_cookies(first, jar)]
    for place in places[1:]:
        hop = redirects.follow(hops, 302, place, POLICY, jar=jar, credentials=CREDENTIALS, limit=9, replayed=False)
        hops.append(hop)
    names = {name.lower() for name, _ in hops[-1].headers}
    return "x-key" in names, hops[-1].cookies, "authorization" in names


@pytest.mark.parametrize(
    ("places", "expected"),
    [
        (["https://www.tides.example/a"], (True, "narrow=2; wide=1", False)),
        (["https://www.tides.example/b"], (True, "wide=1", False)),
        (["http://www.tides.example/a"], (False, "wide=1", False)),
        (["https://tides.example/a"], (False, "wide=1", False)),
        (["https://nottides.example/a"], (False, None, False)),
        (["https://www.tides.example:8443/a"], (False, "narrow=2; wide=1", False)),
        (["https://desk.tides.example/"], (False, "wide=1", True)),
        (["https://www.tides.example/a", "http://www.tides.example/b"], (False, None, False)),
        (["https://www.tides.example/a", "https://evil.example/"], (False, None, False)),
        (["https://www.tides.example/a", "https://desk.tides.example/"], (False, "wide=1", True)),
        (["https://desk.tides.example/", "http://desk.tides.example/"], (False, None, False)),
        (
            ["https://www.tides.example/a", "https://evil.example/", "https://www.tides.example/c"],
            (False, "wide=1", False),
        ),
    ],
)
def test_which_hop_carries_which_secret(places: list[str], expected: tuple[bool, str | None, bool]) -> None:
    assert carried(*places) == expected


async def test_cookie_that_is_over_is_not_sent(coast: Coast) -> None:
    file = coast.folder / "old.txt"
    file.write_text(f"127.0.0.1\tFALSE\t/\tFALSE\t1000000000\tsession\t{SECRET}\n")
    async with Web(coast.settings) as web:
        page = await web.read(coast.url(), cookies=file)
    assert "Notice for everybody" in page.text


@pytest.mark.parametrize(
    "text",
    [
        '{"cookies": [{"name": "a", "value": "v", "domain": ".tides.example", "secure": true, "httpOnly": true}]}',
        '[{"name": "a", "value": "v", "domain": "tides.example", "hostOnly": false, "secure": true}]',
        "#HttpOnly_.tides.example\tTRUE\t/\tTRUE\t0\ta\tv",
    ],
)
def test_forms_of_cookie_files(text: str) -> None:
    expected = StoredCookie(name="a", value="v", domain="tides.example", is_host_only=False, is_secure=True)
    assert cookie_files.parse_cookies(text) == (expected,)


@pytest.mark.parametrize(
    "text",
    [
        f"a b {SECRET}",
        f'{{"cookies": "{SECRET}"}}',
        f'{{"cookies": [{{"value": "{SECRET}"}}]}}',
        f"{{{SECRET}",
        f".com\tTRUE\t/\tFALSE\t0\ta\t{SECRET}",
        f"tides.example\tFALSE\t/\tFALSE\t0\ta\t{SECRET};b",
        f"tides.example\tFALSE\t/\tFALSE\t0\ta\x01\t{SECRET}",
        f"tides.example\tFALSE\t/\tFALSE\ta\t{SECRET}",
        f"tides.example\tFALSE\t/\tFALSE\ta\t{SECRET} b",
        f"tides.example\tFALSE\t/\tFALSE\t0\t{SECRET} b\t",
        f"tides.example\tFALSE\t/\tFALSE\t0\t{SECRET} b",
    ],
)
def test_wrong_cookie_file_is_refused_without_its_values(text: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        cookie_files.parse_cookies(text)
    assert SECRET not in f"{caught.value.message} {caught.value.hint}"


@pytest.mark.parametrize(
    "options",
    [
        {"headers": {"X": f"{SECRET}\r\nY: 1"}},
        {"headers": [SECRET]},
        {"cookies": {"a": f"{SECRET};"}},
        {"auth": SECRET},
        {"bearer": f"{SECRET}\n"},
        {"bearer": SECRET, "auth": ("ann", SECRET)},
        {"headers": {"Host": SECRET}},
        {"profile": "../x"},
    ],
)
async def test_wrong_option_is_refused_without_its_value(coast: Coast, options: Any) -> None:
    async with Web(coast.settings) as web:
        with pytest.raises(InvalidInput) as caught:
            await web.read(coast.url(), **options)
    assert SECRET not in f"{caught.value.message} {caught.value.hint}"
    assert not coast.home.asked


def test_values_have_no_secret_in_their_repr() -> None:
    request = Request(url="https://www.tides.example/", headers=(("X", SECRET),), credentials=CREDENTIALS)
    assert SECRET not in repr(request)
    assert SECRET not in repr(Hop(target=guard.parse_url(request.url), headers=(("X", SECRET),), cookies=SECRET))
