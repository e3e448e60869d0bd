"""Signed-in reads in a browser: a page gets the secrets of its call, and a page of another site sees none of them."""

from __future__ import annotations

import base64
import json
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from sites import Names, Reading, Site, need_browser, serving, settings_for
from wellread import Settings, Web
from wellread.errors import Empty

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sites import Answer, Asked
    from wellread.types import Page

ANN, BOB = "s3cret-of-ann", "s3cret-of-bob"
BASIC = base64.b64encode(f"ann:{ANN}".encode()).decode()
WORDS = "The tide pools open at seven in the morning and close when the water has come back to the wall. " * 12
HOST, OTHER = "www.tides.example", "ads.example"
OPAQUE_FRAMES = ("sandbox", "data", "policy")
WAYS = ("headers", "cookie header", "cookies", "cookie file", "auth", "bearer", "profile and cookies")


def secrets_in(asked: Asked) -> str:
    return " ".join([asked.path, *asked.headers.values(), asked.body.decode("latin-1")])


def is_secret(text: str) -> bool:
    return any(trace in text for trace in (ANN, BOB, BASIC))


def ledger(asked: Asked) -> Answer:
    """Return the words of the person whose secret a request carries."""
    fields = secrets_in(asked)
    if BOB in fields:
        return 200, {"Content-Type": "text/plain"}, f"Ledger of Bob. {WORDS}".encode()
    if is_secret(fields):
        return 200, {"Content-Type": "text/plain"}, f"Ledger of Ann. {WORDS}".encode()
    return 401, {"Content-Type": "text/plain"}, f"Sign in, stranger. {WORDS}".encode()


def opaque_frames(home: str, far: str) -> tuple[str, bytes]:
    """Return a page with three frames that have no origin, and the document of the one that its server sandboxes."""

    def document(name: str) -> str:
        relay = f"fetch('{far}/relay?{name}', {{mode: 'no-cors'}})"
        blind = f"fetch('{home}/from?{name}-blind', {{mode: 'no-cors'}})"
        return f"<script>{blind}; fetch('{home}/from?{name}').then(() => {relay})</script>"

    page = f"""<!DOCTYPE html><title>Frames</title><p>{WORDS}</p>
        <iframe sandbox=allow-scripts srcdoc="{document("sandbox")}"></iframe>
        <iframe src="data:text/html,{document("data")}"></iframe><iframe src=/policy></iframe>"""
    return page, document("policy").encode()


@dataclass
class Coast:
    """The site that the secrets are for, another one, and a `Web` with a browser that reads both."""

    home: Site
    canary: Site
    folder: Path
    reading: Reading = field(init=False)
    settings: Settings = field(init=False)

    def url(self, path: str) -> str:
        return self.home.url(path, HOST)

    def read(self, path: str, **options: Any) -> Page:
        return self.reading.run(lambda: self.reading.web.read(self.url(path), **options))

    def options(self, way: str) -> dict[str, Any]:
        file = self.folder / "cookies.txt"
        file.write_text(f"{HOST}\tFALSE\t/\tFALSE\t0\tsession\t{ANN}\n")
        ways: dict[str, dict[str, Any]] = {
            "headers": {"headers": {"X-Team-Key": ANN}},
            "cookie header": {"headers": {"Cookie": f"session={ANN}; theme=dark"}},
            "cookies": {"cookies": {"session": ANN}},
            "cookie file": {"cookies": file},
            "auth": {"auth": ("ann", ANN)},
            "bearer": {"bearer": ANN},
            "profile and cookies": {"profile": self.profile(), "cookies": {"session": ANN}},
        }
        return ways[way]

    def profile(self) -> str:
        folder = self.folder / "cache" / "profiles"
        folder.mkdir(parents=True, exist_ok=True)
        cookies = [{"name": "theme", "value": "dark", "domain": HOST, "path": "/", "sameSite": "Lax"}]
        (folder / "shop.json").write_text(json.dumps({"cookies": cookies, "origins": []}))
        return "shop"

    def assert_nothing_leaked(self) -> None:
        stored = [path for path in (self.folder / "cache").rglob("*") if path.is_file()]
        assert not any(is_secret(path.read_bytes().decode("latin-1")) for path in stored)
        assert not any(is_secret(secrets_in(asked)) for asked in self.canary.asked)


@pytest.fixture(scope="module")
def shared_coast(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Coast]:
    need_browser()
    coast = Coast(Site(), Site(), tmp_path_factory.mktemp("coast"))
    with ExitStack() as stack:
        for site in (coast.home, coast.canary):
            server = serving(site)
            stack.callback(server.server_close)
            stack.callback(server.shutdown)
        settings = settings_for(coast.home, coast.folder / "cache", hosts=(HOST,))
        allowed = (*settings.net.allow_hosts, *(f"{host}:{coast.canary.port}" for host in (OTHER, HOST)))
        settings = replace(settings, net=replace(settings.net, allow_hosts=allowed))
        portal = stack.enter_context(start_blocking_portal())

        async def opened() -> Web:
            return Web(settings, resolver=Names())

        web = portal.call(opened)
        stack.callback(lambda: portal.call(web.aclose))
        coast.reading = Reading(portal, coast.home, web)
        far = coast.canary.url("", OTHER)
        fetching = f"<script>fetch('{coast.url('/by-frame')}', {{mode: 'no-cors'}})</script>"
        frame = f"<script src={coast.url('/from-frame')}></script>{fetching}"
        shell = f"""<!DOCTYPE html><title>Tides</title><div id=app></div><script src={far}/pixel></script>
            <script src={far}/led-back></script>
            <iframe src={far}/frame width=5 height=5></iframe><iframe src=/inner width=900 height=90></iframe>
            <script>fetch('{far}/beacon', {{mode: 'no-cors', credentials: 'include'}});
            fetch('/moved', {{mode: 'no-cors'}}); fetch('/api').then(answer => answer.text()).then(text =>
              document.getElementById('app').innerHTML = '<h1>Tides</h1><p>' + text + '</p>')</script>"""
        away = f"<!DOCTYPE html><title>Away</title><script>location.href = '{far}/back'</script>"
        reader = f"""<!DOCTYPE html><title>Cookies</title><p id=cookies></p><p>{WORDS}</p><iframe src=/inner></iframe>
            <script>document.getElementById('cookies').textContent = `Scripts read: ${{document.cookie}}.`</script>"""
        sheet = f"@import '{coast.url('/from-sheet')}'; body {{ color: black }}"
        coast.canary.pages["/sheet"] = (200, {"Content-Type": "text/css"}, sheet.encode())
        sources = f"""<!DOCTYPE html><title>Sources</title><link rel=stylesheet href={far}/sheet><p>{WORDS}</p>
            <script>new Worker(URL.createObjectURL(new Blob(["fetch('{coast.url("/from-worker")}')"])));
            new SharedWorker('/shared.js')</script>"""
        shared = f"fetch('{coast.url('/from-shared')}')".encode()
        port = f"{HOST}:{coast.canary.port}"
        ports = f"""<!DOCTYPE html><title>Ports</title><p>{WORDS}</p><iframe src=http://{port}/frame></iframe>
            <script>fetch('http://{port}/script', {{mode: 'no-cors', credentials: 'include'}})
            .catch(() => fetch('/inner'))</script>"""
        frames, sandboxed = opaque_frames(coast.url(""), far)
        coast.home.pages |= {
            "/opaque": frames,
            "/ports": ports,
            "/sources": sources,
            "/shared.js": (200, {"Content-Type": "text/javascript"}, shared),
            "/script-cookies": reader,
            "/policy": (
                200,
                {"Content-Type": "text/html", "Content-Security-Policy": "sandbox allow-scripts"},
                sandboxed,
            ),
            "/from": (200, {"Content-Type": "text/plain", "Access-Control-Allow-Origin": "*"}, b"ok"),
            "/app": shell,
            "/api": ledger,
            "/inner": ledger,
            "/leaves": away,
            "/moved": (302, {"Location": f"{far}/moved"}, b""),
            "/away": (302, {"Location": f"{far}/page"}, b""),
        }
        back = f"<!DOCTYPE html><title>Back</title><script>location.href = '{coast.url('/app')}'</script>"
        page = f"<!DOCTYPE html><title>Far</title><script src={coast.url('/from-page')}></script><p>Far. {WORDS}</p>"
        coast.canary.pages["/led-back"] = (302, {"Location": coast.url("/by-redirect")}, b"")
        coast.canary.pages |= {"/frame": frame, "/back": back, "/page": page}
        coast.settings = settings
        yield coast


@pytest.fixture
def coast(shared_coast: Coast) -> Coast:
    shared_coast.home.asked.clear()
    shared_coast.canary.asked.clear()
    return shared_coast


@pytest.mark.parametrize("way", WAYS)
def test_rendered_page_gets_the_secret_and_others_none(coast: Coast, way: str) -> None:
    page = coast.read("/app", fresh=True, **coast.options(way))
    assert page.rendered
    assert "Ledger of Ann" in page.text
    assert {notice.code for notice in page.notices}.isdisjoint({"not_rendered"})
    assert {"/pixel", "/frame", "/beacon", "/moved"} <= set(coast.canary.paths())
    by_path = {asked.path: asked for asked in coast.home.asked}
    assert is_secret(secrets_in(by_path["/inner"]))
    for path in ("/from-frame", "/by-frame"):
        assert not is_secret(secrets_in(by_path[path]))
    if "cookie" not in way:
        assert not is_secret(secrets_in(by_path["/by-redirect"]))
    coast.assert_nothing_leaked()  # not in the file of the profile either


def test_documents_without_an_origin_get_no_headers(coast: Coast) -> None:
    coast.read("/opaque", render="always", fresh=True, headers={"X-Team-Key": ANN})
    by_path = {asked.path: asked for asked in coast.home.asked}
    assert is_secret(secrets_in(by_path["/policy"]))
    for name in OPAQUE_FRAMES:
        assert not is_secret(secrets_in(by_path[f"/from?{name}"]))
        assert not is_secret(secrets_in(by_path[f"/from?{name}-blind"]))
    assert {f"/relay?{name}" for name in OPAQUE_FRAMES} <= set(coast.canary.paths())


def test_workers_get_headers_and_foreign_style_sheets_none(coast: Coast) -> None:
    coast.read("/sources", render="always", fresh=True, headers={"X-Team-Key": ANN})
    carries = {asked.path: is_secret(secrets_in(asked)) for asked in coast.home.asked}
    assert carries["/from-worker"]
    assert not carries["/from-sheet"]
    assert not carries.get("/from-shared", False)


def test_header_cookie_goes_to_no_other_port_of_its_host(coast: Coast) -> None:
    coast.read("/ports", render="always", fresh=True, **coast.options("cookie header"))
    (asked,) = [asked for asked in coast.home.asked if asked.path == "/inner"]
    assert is_secret(secrets_in(asked))
    coast.assert_nothing_leaked()


@pytest.mark.parametrize("way", ["headers", "cookies", "auth"])
def test_redirect_to_another_origin_carries_no_secret(coast: Coast, way: str) -> None:
    page = coast.read("/away", render="always", fresh=True, **coast.options(way))
    assert page.rendered
    assert "Far." in page.text
    (asked,) = [asked for asked in coast.home.asked if asked.path == "/from-page"]
    assert not is_secret(secrets_in(asked))
    coast.assert_nothing_leaked()


@pytest.mark.parametrize(
    ("way", "person"), [("headers", "stranger"), ("auth", "stranger"), ("cookies", "Ledger of Ann")]
)
def test_headers_stay_behind_at_the_first_other_origin(coast: Coast, way: str, person: str) -> None:
    page = coast.read("/leaves", render="always", fresh=True, **coast.options(way))
    assert person in page.text
    assert is_secret(secrets_in(coast.home.asked[0]))
    coast.assert_nothing_leaked()


def test_calls_at_once_have_a_context_and_a_cache_each(coast: Coast) -> None:
    web = coast.reading.web
    calls: dict[str, dict[str, Any]] = {
        "Ledger of Ann": {"cookies": {"session": ANN}},
        "Ledger of Bob": {"headers": {"X-Team-Key": BOB}},
        "Sign in, stranger": {},
    }
    pages: dict[str, Page] = {}

    async def read(words: str) -> None:
        pages[words] = await web.read(coast.url("/app"), max_length=200, render="always", **calls[words])

    async def read_all() -> None:
        async with anyio.create_task_group() as tasks:
            for words in calls:
                tasks.start_soon(read, words)

    coast.reading.run(read_all)
    assert all(words in page.text and page.rendered for words, page in pages.items())
    asked = len(coast.home.asked)
    coast.reading.run(read_all)
    assert all(words in page.text and page.cached for words, page in pages.items())
    assert len(coast.home.asked) == asked
    for words in ("Ledger of Ann", "Ledger of Bob"):
        assert web.parts.store.by_id(pages[words].snapshot_id) is None


def test_cookies_of_a_file_go_to_their_domains_and_paths(coast: Coast) -> None:
    rows = [
        ".tides.example\tTRUE\t/\tFALSE\t0\twide\t1",
        "tides.example\tFALSE\t/\tFALSE\t0\tparent\t1",
        f"{HOST}\tFALSE\t/inn\tFALSE\t0\telsewhere\t1",
        f"{HOST}\tFALSE\t/api\tFALSE\t0\tnarrow\t1",
        f"{HOST}\tFALSE\t/\tTRUE\t0\tsecure\t1",
        f"{HOST}\tFALSE\t/\tFALSE\t1000000000\told\t1",
        f"{HOST}\tFALSE\t/\tTRUE\t0\t__Host-id\t1",
        f"{HOST}\tFALSE\t/\tFALSE\t0\t__Secure-id\t1",
        "[::1]\tFALSE\t/\tFALSE\t0\taddress\t1",
        f"{OTHER}\tFALSE\t/\tFALSE\t0\tother\t1",
    ]
    file = coast.folder / "domains.txt"
    file.write_text("\n".join(rows))
    coast.read("/app", render="always", fresh=True, cookies=file)
    (api,) = [asked for asked in coast.home.asked if asked.path == "/api"]
    assert sorted(api.headers["Cookie"].split("; ")) == ["narrow=1", "wide=1"]


def test_scripts_read_no_cookies_that_are_http_only(coast: Coast) -> None:
    file = coast.folder / "readable.txt"
    file.write_text(f"#HttpOnly_{HOST}\tFALSE\t/\tFALSE\t0\tsession\t{ANN}\n{HOST}\tFALSE\t/\tFALSE\t0\ttheme\tdark")
    ways: tuple[dict[str, Any], ...] = ({"cookies": file}, coast.options("cookies"), coast.options("cookie header"))
    pages = [coast.read("/script-cookies", render="always", fresh=True, **way) for way in ways]
    assert all("Ledger of Ann" in page.text and "session=" not in page.text for page in pages)
    assert ["theme=dark" in page.text for page in pages] == [True, False, False]


def test_recorded_run_renders_no_page_with_headers(coast: Coast) -> None:
    record = coast.folder / "run.warc"

    async def read() -> Page:
        async with Web(coast.settings, resolver=Names(), record=record) as web:
            return await web.read(coast.url("/app"), render="always", fresh=True, headers={"X-Team": ANN})

    with pytest.raises(Empty, match="no text") as caught:
        coast.reading.run(read)
    assert "in a recorded or replayed run" in caught.value.hint
    assert ANN not in record.read_text("latin-1")
