"""Signed in once, signed in from then on: profiles at every interface, HTTP authentication, and one's own browser."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import anyio
import httpx2
import pytest
from click.testing import CliRunner
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from scenario import browsing_interfaces, interfaces
from sites import SANDBOX, settings_for
from wellread import tools
from wellread.apps.build import Web
from wellread.apps.cli import app
from wellread.apps.http.api_keys import new_key
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.apps.profile_files import drop_http_login, keep_http_login
from wellread.apps.system_clock import SystemClock
from wellread.browser import profile_keeper, profiles
from wellread.browser.browser_executable import find_executable
from wellread.config import CacheSettings, Settings
from wellread.errors import BrowserFailed, ConfigError, InvalidInput
from wellread.sections import BrowseSettings, ServerSettings
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from sites import Answer, Asked, Site

ENTER = """<title>Entering</title><script>
localStorage.tok = 'L1'
const r = indexedDB.open('auth', 1)
r.onupgradeneeded = () => r.result.createObjectStore('t')
r.onsuccess = () => {
  const t = r.result.transaction('t', 'readwrite')
  t.objectStore('t').put('I1', 'tok')
  t.oncomplete = () => { r.result.close(); document.body.append('entered'); fetch('/entered') }
}
</script><body>"""
STATE = """<title>State</title><p id=o></p><script>
const r = indexedDB.open('auth', 1)
r.onupgradeneeded = () => r.result.createObjectStore('t')
r.onsuccess = () => {
  const q = r.result.transaction('t').objectStore('t').get('tok')
  q.onsuccess = () => { o.textContent = `local=${localStorage.tok} idb=${q.result}` }
}
</script>"""
FORM = "<title>Login</title><form action=/done><label>User <input name=u></label><button>Log in</button></form>"
HANGS = "<title>Hangs</title><button onclick='for (;;);'>Hang</button>"
ENTERED = threading.Event()
"""Set when a page has stored all that it stores."""
BASIC = "Basic " + base64.b64encode(b"ann:hush-basic").decode()


def greeting(asked: Asked) -> Answer:
    name = "Welcome Ann" if "sid=hush-sid" in asked.headers.get("Cookie", "") else "Who are you?"
    return 200, {"Content-Type": "text/html"}, f"<title>Me</title><p>{name}</p>".encode()


def entering(body: str) -> Answer:
    fields = {"Content-Type": "text/html", "Set-Cookie": "sid=hush-sid; Path=/; Max-Age=99999; HttpOnly"}
    return 200, fields, body.encode()


def entered(_: Asked) -> Answer:
    ENTERED.set()
    return 204, {}, b""


def guarded(asked: Asked) -> Answer:
    if asked.headers.get("Authorization") == BASIC:
        return 200, {"Content-Type": "text/html"}, b"<title>Inside</title><p>Inside</p>"
    challenge = {"Content-Type": "text/html", "WWW-Authenticate": 'Basic realm="the \tlighthouse"'}
    return 401, challenge, b"" if asked.path.endswith("empty") else b"<title>No</title>denied"


@pytest.fixture(scope="module")
def site(harbour: Site) -> Site:
    harbour.pages |= {
        "/enter": entering(ENTER), "/done": entering("<title>Done</title>in"), "/me": greeting, "/state": STATE,
        "/form": FORM, "/hangs": HANGS, "/guarded": guarded, "/guarded/empty": guarded, "/entered": entered,
    }  # fmt: skip
    harbour.pages["/away"] = lambda _: (302, {"Location": harbour.url("/guarded", "localhost")}, b"")
    return harbour


def chosen(site: Site, folder: Path, **browse: Any) -> Settings:  # Any: fields of the section, each of its type
    return replace(settings_for(site, folder, hosts=("localhost",)), browse=BrowseSettings(**browse))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("profiles")


@pytest.fixture(scope="module")
async def web(site: Site, folder: Path) -> AsyncIterator[Web]:
    granted = ("tools:tools", "mcp:mcp", "http:http", "http.alice:alice")
    async with Web(chosen(site, folder, profiles=granted)) as opened:
        yield opened


def stored(folder: Path, name: str) -> dict[str, Any]:  # Any: JSON
    state = profiles.load(profiles.profile_path(folder / "profiles", name))
    assert state is not None
    return state


def keep(folder: Path, name: str) -> None:
    """Keep a sign-in as if a session had."""
    shape = {"path": "/", "expires": -1, "httpOnly": True, "secure": False, "sameSite": "Lax"}
    cookie = {"name": "sid", "value": "hush-sid", "domain": "127.0.0.1", **shape}
    profiles.update(profiles.profile_path(folder / "profiles", name), lambda _: {"cookies": [cookie], "origins": []})


async def enter(web: Web, site: Site, profile: str) -> None:
    async with web.browse(site.url("/enter"), profile=profile) as tab:
        await tab.wait(text="entered")


async def shown(web: Web, url: str, profile: str | None = None) -> str:
    async with web.browse(url, profile=profile) as tab:
        return tab.snapshot.content


# ------------------------------------------------------------------------------------------------- what is kept


async def test_cookies_storage_and_databases_are_there_again(web: Web, site: Site, folder: Path) -> None:
    await enter(web, site, "all")
    assert "Welcome Ann" in await shown(web, site.url("/me"), "all")
    async with web.browse(site.url("/state"), profile="all") as tab:
        assert "local=L1 idb=I1" in (await tab.wait(text="idb=")).content
    assert "Who are you?" in await shown(web, site.url("/me"))
    assert (folder / "profiles" / "all.json").stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("failure", [InvalidInput("no such element"), ValueError("a bug"), None], ids=str)
async def test_a_sign_in_is_kept_whatever_ends_the_session(
    web: Web, site: Site, failure: Exception | None, tmp_path: Path
) -> None:
    name = f"failed{type(failure).__name__}"
    with anyio.CancelScope() as scope:
        try:
            async with web.browse(site.url("/enter"), profile=name) as tab:
                await tab.wait(text="entered")
                if failure is not None:
                    raise failure
                scope.cancel()
                await anyio.sleep_forever()
        except (InvalidInput, ValueError) as error:
            assert error is failure  # noqa: PT017 - it may also be cancelled
    async with web.browse(site.url("/state"), profile=name) as tab:
        assert "local=L1 idb=I1" in (await tab.wait(text="idb=")).content


async def test_a_session_that_ends_later_wipes_nothing(web: Web, site: Site) -> None:
    async with web.browse(site.url("/state"), profile="two") as other:
        await other.wait(text="idb=undefined")
        await enter(web, site, "two")
    async with web.browse(site.url("/state"), profile="two") as tab:
        assert "local=L1 idb=I1" in (await tab.wait(text="idb=")).content
    assert "Welcome Ann" in await shown(web, site.url("/me"), "two")


async def test_a_page_that_hangs_loses_no_sign_in(web: Web, site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profile_keeper, "COLLECT_S", 0.3)
    await enter(web, site, "hangs")
    async with web.browse(site.url("/done"), profile="hangs") as tab:
        await tab.go(site.url("/hangs"))
        page = tab._tabs.current.tab.page
        await page.evaluate("setTimeout(() => { for (;;); })")
    async with web.browse(site.url("/state"), profile="hangs") as tab:
        assert "local=L1 idb=I1" in (await tab.wait(text="idb=")).content


async def test_a_browser_that_is_lost_loses_no_sign_in(web: Web, site: Site) -> None:
    with pytest.raises(BrowserFailed):  # noqa: PT012 - the block is what fails
        async with web.browse(site.url("/done"), profile="lost") as tab:
            tab._tabs.current.tab.running.kill("the test ends it")
            await anyio.sleep_forever()
    assert "Welcome Ann" in await shown(web, site.url("/me"), "lost")


async def test_a_database_that_cannot_be_restored_is_told_and_stays(web: Web, site: Site, folder: Path) -> None:
    await enter(web, site, "damaged")
    state = stored(folder, "damaged")
    state["origins"][0]["indexedDB"][0]["version"] = 0
    profiles.update(profiles.profile_path(folder / "profiles", "damaged"), lambda _: state)
    async with web.browse(site.url("/me"), profile="damaged") as tab:
        assert [notice.code for notice in tab.snapshot.notices] == ["profile_incomplete"]
        assert "Welcome Ann" in tab.snapshot.content
    assert stored(folder, "damaged") == state


async def test_a_profile_that_is_damaged_is_named_without_its_content(web: Web, site: Site, folder: Path) -> None:
    (folder / "profiles").mkdir(exist_ok=True)
    (folder / "profiles" / "torn.json").write_text('{"cookies": [{"value": "hush-torn"', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"torn\.json is not a storage state") as caught:
        await shown(web, site.url("/me"), "torn")
    assert "hush" not in f"{caught.value} {caught.value.hint}"


# ------------------------------------------------------------------------------------------------- the interfaces


async def test_a_tool_set_names_only_what_is_granted_to_it(web: Web, site: Site, folder: Path) -> None:
    keep(folder, "tools")
    async with tools.openai(web) as kit:
        url = site.url("/me")
        assert "Who are you?" in await kit.call("browse_url", {"url": url})
        answer = await kit.call("browse_url", {"url": url, "profile": "tools"})
        assert "Welcome Ann" in answer
        session = answer.split()[1].rstrip(":")
        for name in ("mcp", "alice", "missing", "../tools"):
            refused = await kit.call("browse_url", {"url": url, "profile": name})
            assert "is not allowed here" in refused
            assert "one of tools" in refused
        assert "cannot be changed" in await kit.call("browse_url", {"url": url, "profile": "tools", "session": session})


async def test_servers_lend_profiles_by_interface_and_key(site: Site, tmp_path: Path) -> None:
    keys = {name: new_key(name) for name in ("alice", "bob")}
    server = ServerSettings(port=0, keys={name: kept for name, (_, kept) in keys.items()})
    given = replace(chosen(site, tmp_path, profiles=("mcp:mcp", "http:http", "http.alice:alice")), server=server)
    for name in ("mcp", "http", "alice"):
        keep(tmp_path, name)

    def headers(name: str) -> dict[str, str]:
        return {"authorization": f"Bearer {keys[name][0]}"}

    async with (
        interfaces.serving(given, web=Web(given)) as root,
        httpx2.AsyncClient(base_url=root, timeout=60) as http,
    ):

        async def ask(who: str, profile: str) -> Any:  # Any: JSON
            asked = {"url": site.url("/me"), "profile": profile}
            return (await http.post("/v1/browse", json=asked, headers=headers(who))).json()

        names = [(await http.get("/v1/profiles", headers=headers(name))).json() for name in ("alice", "bob")]
        assert names == [{"profiles": ["alice", "http"]}, {"profiles": ["http"]}]
        assert "Welcome Ann" in (await ask("bob", "http"))["content"]
        assert "Welcome Ann" in (await ask("alice", "alice"))["content"]
        assert (await ask("bob", "alice"))["code"] == "invalid_input"
        assert (await ask("alice", "mcp"))["hint"] == "one of alice, http"
        document = (await http.get("/openapi.json", headers=headers("bob"))).json()
        assert "profile" in json.dumps(document["paths"]["/v1/browse"])
        async with (
            httpx2.AsyncClient(timeout=60, headers=headers("bob")) as bob,
            Client(streamable_http_client(f"{root}/mcp", http_client=bob), mode="auto") as client,
        ):
            named = await client.call_tool("browse_url", {"url": site.url("/me"), "profile": "mcp"})
            assert "Welcome Ann" in named.structured_content["content"]
            refused = await client.call_tool("browse_url", {"url": site.url("/me"), "profile": "http"})
            assert refused.structured_content["error"]["code"] == "invalid_input"


@pytest.mark.parametrize("entry", ["shop", "mcp:", "web:shop", "tools.alice:shop", "mcp.:shop"])
async def test_a_grant_that_names_nobody_is_refused(web: Web, entry: str) -> None:
    given = web.parts.settings
    with pytest.raises(ConfigError, match=r"browse\.profiles"):
        open_dispatcher(replace(given, browse=BrowseSettings(profiles=(entry,))), web, SystemClock())


# --------------------------------------------------------------------------------------------- HTTP authentication


async def test_a_page_that_asks_for_a_password_is_named(web: Web, site: Site) -> None:
    async with web.browse(site.url("/guarded")) as tab:
        (notice,) = tab.snapshot.notices
        assert (notice.code, notice.level) == ("auth_required", "warning")
        assert notice.detail.startswith(f"http://127.0.0.1:{site.port} answered 401 and asks for a user name")
        assert 'Basic, realm "the lighthouse"' in notice.detail
        assert not (await tab.go(site.url("/me"))).notices
        assert [notice.code for notice in (await tab.go(site.url("/guarded/empty"))).notices] == ["auth_required"]


async def test_credentials_go_to_their_origin_alone(site: Site, tmp_path: Path) -> None:
    given = chosen(site, tmp_path)
    logins = {f"http://127.0.0.1:{site.port}": Secret("ann:hush-basic"), "https://other.example": Secret("x:hush-x")}
    given = replace(given, browser=replace(given.browser, http_credentials=logins))
    assert "hush" not in repr(given)
    async with Web(given) as own:
        assert "Inside" in await shown(own, site.url("/guarded"))
        site.asked.clear()
        async with own.browse(site.url("/away")) as tab:
            assert [notice.code for notice in tab.snapshot.notices] == ["auth_required"]
        assert [asked.headers.get("Authorization") for asked in site.asked if asked.path == "/guarded"] == [None]


@pytest.mark.parametrize("login", [{"example.com": Secret("a:b")}, {"https://example.com": Secret("hush")}])
def test_credentials_that_are_none_are_refused(site: Site, tmp_path: Path, login: dict[str, Secret]) -> None:
    given = chosen(site, tmp_path)
    with pytest.raises(ConfigError, match=r"browser\.http_credentials") as caught:
        Web(replace(given, browser=replace(given.browser, http_credentials=login)))
    assert "hush" not in str(caught.value)


# --------------------------------------------------------------------------------------------------- the commands


def typed(site: Site, folder: Path, *words: str, typed: str = "") -> Any:  # Any: what the runner returns
    """Run a command in a thread of its own: an event loop runs in this one."""
    command = [*browsing_interfaces.options(site, folder), *words]
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(CliRunner().invoke, app, command, input=typed).result()


def test_sign_in_form_that_is_shown_again_is_a_failure(site: Site, tmp_path: Path) -> None:
    site.pages["/again"] = "<form action=/again><input name=user><input type=password name=word><button>Sign in</form>"
    steps = "type 1 ann; type 2 wrong-word; click 3"
    done = typed(site, tmp_path, "login", site.url("/again"), "--profile", "shop", "--do", steps)
    assert done.exit_code == 5
    assert "still asks for a password" in " ".join(done.output.split())


def test_a_script_signs_in_and_the_profile_goes_elsewhere(site: Site, tmp_path: Path) -> None:
    done = typed(
        site, tmp_path, "login", site.url("/form"), "--profile", "shop", "--do", "-", typed="type 1 ann\nclick 2\n"
    )
    assert (done.exit_code, done.stdout) == (0, "shop 1 cookie, storage of 0 sites: 127.0.0.1\n")
    path = profiles.profile_path(tmp_path / "profiles", "shop")
    former = profiles.load_profile(path)
    assert typed(site, tmp_path, "login", site.url("/form"), "--profile", "shop", "--do", "click 2").exit_code == 0
    current = profiles.load_profile(path)
    assert former is not None
    assert current is not None
    assert current.id != former.id
    assert '"sid"' in typed(site, tmp_path, "profile", "show", "shop", "--json").stdout
    shown = typed(site, tmp_path, "profile", "show", "shop")
    assert "127.0.0.1/  sid  until " in shown.stdout
    file = tmp_path / "state.json"
    assert typed(site, tmp_path, "profile", "export", "shop", str(file)).exit_code == 0
    assert file.stat().st_mode & 0o077 == 0
    assert typed(site, tmp_path, "profile", "import", "copy", str(file), "--host", "127.0.0.1").exit_code == 0
    assert typed(site, tmp_path, "profile", "import", "copy", "-", typed=file.read_text()).exit_code == 0
    listed = json.loads(typed(site, tmp_path, "profile", "--json").stdout)["profiles"]
    assert [row["name"] for row in listed] == ["copy", "shop"]
    assert (
        "Welcome Ann"
        in typed(site, tmp_path, "browse", site.url("/me"), "--profile", "copy", "--do", "snapshot").stdout
    )
    assert typed(site, tmp_path, "profile", "delete", "copy").exit_code == 0
    again = typed(site, tmp_path, "profile", "delete", "copy")
    assert again.exit_code == 4
    assert "existing profiles: shop" in again.stderr
    assert "hush" not in shown.stdout + done.output + again.output + json.dumps(listed)


def test_a_password_of_http_is_kept_once_it_is_accepted(site: Site, tmp_path: Path) -> None:
    words = ("login", site.url("/guarded"), "--profile", "lamp", "--http-user", "ann")
    wrong = typed(site, tmp_path, *words, typed="hush-wrong\n")
    assert wrong.exit_code == 5
    assert "did not accept" in wrong.stderr
    assert "httpCredentials" not in stored(tmp_path, "lamp")
    right = typed(site, tmp_path, *words, typed="hush-basic\n")
    assert right.exit_code == 0
    assert (
        "Inside"
        in typed(site, tmp_path, "browse", site.url("/guarded"), "--profile", "lamp", "--do", "snapshot").stdout
    )
    exported = tmp_path / "state.json"
    assert typed(site, tmp_path, "profile", "export", "lamp", str(exported)).exit_code == 0
    assert "hush" not in exported.read_text() + right.output + wrong.output


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("show",), "show takes NAME"), (("show", "a", "b"), "show takes NAME"),
        (("import", "a"), "takes NAME and FILE"),
        (("show", "a", "--host", "x"), "does not take --host"), (("import", "a", "missing.json"), "there is no file"),
        (("import", "a", "-"), "is not a storage state"), (("show", "../a"), "cannot be the name"),
        (("import", "a", "-", "--host", "x.example"), "is not a storage state"),
    ],
)  # fmt: skip
def test_a_profile_command_that_cannot_be_done(site: Site, tmp_path: Path, words: tuple[str, ...], why: str) -> None:
    done = typed(site, tmp_path, "profile", *words, typed="[]")
    assert done.exit_code == 4
    assert why in done.stderr


async def test_a_person_signs_in_by_hand(web: Web, site: Site) -> None:
    """As in a window that is shown, which machines that test have none of."""

    ENTERED.clear()

    async def enter_pressed() -> None:
        await anyio.to_thread.run_sync(ENTERED.wait, 60)

    assert await web.sign_in(site.url("/enter"), profile="hand", done=enter_pressed)
    assert "Welcome Ann" in await shown(web, site.url("/me"), "hand")


# ------------------------------------------------------------------------------------------------ one's own browser


@contextmanager
def running_chrome(folder: Path, url: str) -> Iterator[str]:
    """Start a browser of one's own at `url`, and yield the address of its debugging port."""
    command: list[str | Path] = [
        find_executable(None, headed=False, own=None),
        "--headless",
        "--remote-debugging-port=0",
    ]
    command += [f"--user-data-dir={folder}", *([] if SANDBOX else ["--no-sandbox"]), url]
    ENTERED.clear()
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as theirs:
        try:
            assert theirs.stderr is not None
            address = next(line.split()[-1] for line in theirs.stderr if "DevTools listening on" in line)
            assert ENTERED.wait(60)
            yield address
            assert theirs.poll() is None
        finally:
            os.killpg(theirs.pid, signal.SIGKILL)


async def test_ones_own_browser_is_joined_with_its_logins(site: Site, tmp_path: Path) -> None:
    with running_chrome(tmp_path / "own", site.url("/enter")) as address:
        given = chosen(site, tmp_path / "cache")
        given = replace(given, browser=replace(given.browser, connect=Secret(address)))
        async with Web(given) as own:
            async with own.browse(site.url("/me")) as tab:
                assert "Welcome Ann" in tab.snapshot.content
                page = tab._tabs.current.tab
                stranger = await page.context.new_page()  # the owner opens a tab meanwhile
                assert (await tab.look()).tabs == ()
                assert [notice.code for notice in tab.snapshot.notices] == ["unguarded_browser"]
                assert len(page.context.pages) == 3
            async with own.browse(site.url("/me")) as tab:
                context = tab._tabs.current.tab.context
                assert len(context.pages) == 3  # theirs, the stranger, and this one
                await stranger.close()
            assert "Who are you?" in await shown_apart(own, site)
            lent = open_dispatcher(given, own, SystemClock())
            answer = await lent.do("browse_url", {"url": site.url("/me")})
            assert "Who are you?" in answer.data()["content"]
            await lent.aclose()
            lent = open_dispatcher(replace(given, browse=BrowseSettings(default_context=True)), own, SystemClock())
            answer = await lent.do("browse_url", {"url": site.url("/me")})
            assert "Welcome Ann" in answer.data()["content"]
            await lent.aclose()
        done = typed(site, tmp_path / "cache", "profile", "import", "mine", "--cdp", address, "--host", "127.0.0.1")
        assert done.exit_code == 0, done.output
    state = stored(tmp_path / "cache", "mine")
    assert [row["name"] for row in state["cookies"]] == ["sid"]
    assert state["origins"][0]["indexedDB"][0]["name"] == "auth"


async def shown_apart(web: Web, site: Site) -> str:
    async with web.browse(site.url("/me"), default_context=False) as tab:
        return tab.snapshot.content


def test_a_browser_that_does_not_answer_is_not_named(site: Site, tmp_path: Path) -> None:
    done = typed(site, tmp_path, "profile", "import", "mine", "--cdp", "http://127.0.0.1:9/?token=hush-cdp")
    assert done.exit_code == 5
    assert "hush" not in done.output


@pytest.mark.parametrize("url", ["https://Example.com:443/x?y", "https://ann@example.com/"])
def test_login_belongs_to_the_origin_of_its_url(tmp_path: Path, url: str) -> None:
    settings = Settings(cache=CacheSettings(dir=tmp_path))
    keep_http_login(settings, "lamp", url, "ann", "s3cret")
    assert [login["origin"] for login in stored(tmp_path, "lamp")["httpCredentials"]] == ["https://example.com"]
    drop_http_login(settings, "lamp", url)
    assert not stored(tmp_path, "lamp").get("httpCredentials")
