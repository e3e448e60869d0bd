"""Sessions that callers hold by a handle: whose they are, how many, how long, and what becomes of them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import httpx2
import pytest

from scenario import browsing_interfaces as interfaces
from scenario.browsing_interfaces import ask, opened
from wellread.apps.build import Web
from wellread.apps.http.api_keys import new_key
from wellread.apps.operations.dispatcher import open_dispatcher
from wellread.apps.system_clock import SystemClock
from wellread.errors import BrowserFailed, Gone, InvalidInput, Unrecorded
from wellread.sections import BrowserSettings

if TYPE_CHECKING:
    from pathlib import Path

    from sites import Site
    from wellread.apps.operations.dispatcher import OperationDispatcher


async def ended(desk: OperationDispatcher, session: str) -> None:
    with anyio.fail_after(60):
        await desk.sessions._open[session].held_tab.ended.wait()


async def test_session_of_another_caller_does_not_exist(harbour: Site, tmp_path: Path) -> None:
    keys = {name: new_key(name) for name in ("ann", "bo")}
    given = interfaces.settings(
        harbour, tmp_path, keys={name: kept for name, (_, kept) in keys.items()}, key_sessions=1
    )
    async with interfaces.http(given, keys["ann"][0]) as client:
        session = (await ask(client, "", url=harbour.url("/shop")))["session"]
        theirs = {"authorization": f"Bearer {keys['bo'][0]}"}
        unknown = "tab_" + "0" * 32
        problems = []
        for name in (session, unknown):
            answer = await client.post("/v1/browse/read", json={"session": name}, headers=theirs)
            problems.append((answer.status_code, answer.json()["detail"].replace(name, "?"), answer.json()["hint"]))
        assert problems[0] == problems[1]
        assert problems[0] == (404, "there is no browser session '?'", "open the page again with browse_url")
        foreign = await client.post("/v1/browse/close", json={"session": session}, headers=theirs)
        assert foreign.json()["outcome"] == "not there"
        more = await client.post("/v1/browse", json={"url": harbour.url("/shop")})
        assert (more.status_code, more.json()["code"]) == (429, "rate_limited")
        assert 1 <= int(more.headers["retry-after"]) <= 300
        assert "page_close" in more.json()["hint"]
        assert (await ask(client, "/read", session=session))["title"] == "Harbour shop"


async def test_limit_of_open_sessions(harbour: Site, tmp_path: Path) -> None:
    async with interfaces.http(interfaces.settings(harbour, tmp_path, sessions=1)) as client:
        session = (await ask(client, "", url=harbour.url("/shop")))["session"]
        full = await client.post("/v1/browse", json={"url": harbour.url("/shop")})
        assert (full.status_code, "retry-after" in full.headers) == (429, True)
        assert "wellread_browser_sessions 1.0" in (await client.get("/metrics")).text
        failed = await client.post("/v1/browse", json={"url": "http://127.0.0.1:1/"})
        assert failed.status_code == 429
        await ask(client, "/close", session=session)
        refused = await client.post("/v1/browse", json={"url": "http://127.0.0.1:1/"})
        assert refused.json()["code"] == "blocked_address"
        await ask(client, "", url=harbour.url("/shop"))  # what failed to open takes no place


async def test_a_session_that_is_left_alone_is_closed_and_says_so(harbour: Site, tmp_path: Path) -> None:
    given = interfaces.settings(harbour, tmp_path, session_idle_s=0.05)
    async with Web(given) as web:
        desk = open_dispatcher(given, web, SystemClock())
        session = await opened(desk, harbour.url("/shop"))
        await ended(desk, session)
        with pytest.raises(Gone, match=r"has ended: it was closed after 0\.05 s without a step") as caught:
            await desk.do("page_click", {"session": session, "index": 1})
        assert "browse_url" in caught.value.hint
        assert (await desk.do("page_close", {"session": session})).data()["outcome"] == "not there"


async def test_concurrent_steps_never_click_a_renumbered_element(harbour: Site, tmp_path: Path) -> None:
    harbour.pages["/first"] = "<title>First</title><a href=/second>On</a><button>No</button>"
    harbour.pages["/second"] = "<title>Second</title><button>A</button><button onclick=\"fetch('/bad')\">Bad</button>"
    given = interfaces.settings(harbour, tmp_path)
    async with Web(given) as web:
        desk = open_dispatcher(given, web, SystemClock())
        session = await opened(desk, harbour.url("/first"))
        failures: list[str] = []

        async def click(index: int) -> None:
            try:
                await desk.do("page_click", {"session": session, "index": index})
            except InvalidInput as error:
                failures.append(error.message)

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(click, 1)
            tasks.start_soon(click, 2)
        assert (await desk.do("page_read", {"session": session})).data()["title"] == "Second"
        await desk.aclose()
    assert failures == ["an earlier step opened another page, where elements have other numbers"]
    assert "/bad" not in harbour.paths()


async def test_lost_browser_ends_the_step_and_the_session(harbour: Site, tmp_path: Path) -> None:
    given = interfaces.settings(harbour, tmp_path)
    async with Web(given) as web:
        desk = open_dispatcher(given, web, SystemClock())
        session = await opened(desk, harbour.url("/shop"))
        running = web._network.browsers.resolve()._running
        assert running is not None
        async with anyio.create_task_group() as tasks:

            async def wait() -> None:
                with pytest.raises(BrowserFailed, match="the browser was lost"):
                    await desk.do("page_wait", {"session": session, "text": "what never comes", "most_s": 60})

            tasks.start_soon(wait)
            await anyio.wait_all_tasks_blocked()
            os.kill(running.pid, signal.SIGKILL)
        with pytest.raises(Gone, match="has ended: the browser was lost"):
            await desk.do("page_read", {"session": session})
        await opened(desk, harbour.url("/shop"))  # another browser is started for the next
        await desk.aclose()


@pytest.mark.parametrize(("how", "code"), [(signal.SIGTERM, 0), (signal.SIGKILL, -9)])
async def test_a_server_that_ends_leaves_no_browser_behind(
    harbour: Site, tmp_path: Path, how: signal.Signals, code: int
) -> None:
    command = [sys.executable, "-m", "wellread", *interfaces.options(harbour, tmp_path), "serve", "--port", "0"]
    async with await anyio.open_process(command, stdout=None, stderr=subprocess.PIPE) as process:
        assert process.stderr is not None
        root = (await process.stderr.receive()).decode().removeprefix("listening on ").strip()
        async with httpx2.AsyncClient(base_url=root, timeout=60) as client:
            await ask(client, "", url=harbour.url("/shop"))
        started = interfaces.descendants(process.pid)
        assert len(started) >= 3
        process.send_signal(how)
        with anyio.fail_after(60):
            assert await process.wait() == code
    assert await interfaces.all_gone(started)


async def test_an_opening_that_is_given_up_leaves_no_session(harbour: Site, tmp_path: Path) -> None:
    given = interfaces.settings(harbour, tmp_path)
    async with Web(given) as web:
        desk = open_dispatcher(given, web, SystemClock())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(opened, desk, harbour.url("/shop"))
            await anyio.wait_all_tasks_blocked()
            assert desk.sessions.count() == 1
            tasks.cancel_scope.cancel()
        assert desk.sessions.count() == 0
        session = await opened(desk, harbour.url("/shop"))
        with anyio.move_on_after(0.05):
            await desk.do("page_wait", {"session": session, "text": "what never comes"})
        assert (await desk.do("page_read", {"session": session})).data()["title"] == "Harbour shop"
        await desk.aclose()


async def test_browser_tools_without_a_browser(harbour: Site, tmp_path: Path) -> None:
    given = replace(
        interfaces.settings(harbour, tmp_path), browser=BrowserSettings(executable=tmp_path / "none", sandbox=False)
    )
    async with interfaces.http(given) as client:
        assert "/v1/browse/click" in (await client.get("/openapi.json")).json()["paths"]
        answer = await client.post("/v1/browse", json={"url": harbour.url("/shop")})
    assert (answer.status_code, answer.json()["code"]) == (500, "config")
    assert "browser.executable" in answer.json()["detail"]
    assert answer.json()["hint"]


# --------------------------------------------------------------------------------------- record and replay

TIDES = """<!DOCTYPE html><title>Tides</title><link rel=stylesheet href=/tides.css><label>Port <input id=port></label>
<button onclick="ask()">Ask</button><p id=told></p><a href=/shop>Shop</a><script>
async function ask() {
  const answer = await fetch('/tide', {method: 'POST', body: JSON.stringify({port: port.value})});
  told.textContent = (await answer.json()).said;
}</script>"""


async def test_replayed_session_needs_no_network(harbour: Site, tmp_path: Path) -> None:
    harbour.pages["/tides"] = TIDES
    harbour.pages["/tides.css"] = (200, {"Content-Type": "text/css"}, b"p { color: #123 }")
    harbour.pages["/tide"] = lambda asked: (
        200, {"Content-Type": "application/json"}, b'{"said": "Low at nine in %s"}' % asked.body[9:-2],
    )  # fmt: skip
    given = interfaces.settings(harbour, tmp_path)
    tape = tmp_path / "session.warc.gz"
    shown, asked = [], []
    for how in ("record", "replay"):
        async with Web(given, record=tape) if how == "record" else Web(given, replay=tape) as web:
            desk = open_dispatcher(given, web, SystemClock())
            session = await opened(desk, harbour.url("/tides"))
            steps: list[tuple[str, dict[str, object]]] = [
                ("page_type", {"index": 1, "text": "Bergen"}),
                ("page_click", {"index": 2}),
                ("page_click", {"index": 3}),
                ("page_back", {}),
            ]
            answers = [(await desk.do(name, {"session": session, **rest})).data() for name, rest in steps]
            shown.append([(answer["title"], answer["content"], answer["changes"]) for answer in answers])
            if how == "replay":
                with pytest.raises(Unrecorded):
                    await desk.do("browse_url", {"url": harbour.url("/terms"), "session": session})
            await desk.aclose()
        asked.append(len(harbour.asked))
    assert "Low at nine in Bergen" in shown[0][1][1]
    assert shown[0][2][0] == "Harbour shop"
    assert shown[1] == shown[0]
    assert asked[1] == asked[0]


@pytest.mark.parametrize("place", ["/deep/desk", "javascript:document.body.append('obeyed')", "/login?again"])
async def test_replayed_redirect_keeps_its_cookies(harbour: Site, tmp_path: Path, place: str) -> None:
    harbour.pages["/gate"] = "<title>Gate</title><form method=post action=/login><button>Enter</button></form>"
    harbour.pages["/login"] = lambda asked: (
        302, {"Location": place, "Set-Cookie": "who=Ann; Path=/\r\nSet-Cookie: what=key; Path=/"}, b"",
    )  # fmt: skip
    harbour.pages["/deep/desk"] = lambda asked: (
        200, {"Content-Type": "text/html"},
        b"<title>Desk</title><p>%s</p><a href=more>More</a><script src=say.js></script>"
        % asked.headers.get("Cookie", "").encode(),
    )  # fmt: skip
    harbour.pages["/deep/say.js"] = (200, {"Content-Type": "text/javascript"}, b"document.body.append('Here')")
    given = interfaces.settings(harbour, tmp_path)
    tape = tmp_path / "session.warc.gz"
    before = len(harbour.asked)
    for how in ("record", "replay"):
        web = Web(given, record=tape) if how == "record" else Web(given, replay=tape)
        async with web, web.browse(harbour.url("/gate")) as tab:
            shown = await tab.click(1)
            if place == "/deep/desk":
                assert shown.url == harbour.url("/deep/desk")
                assert "who=Ann; what=key" in shown.content
                assert "Here" in shown.content
            else:
                assert "obeyed" not in shown.content
                # On a slow machine twenty redirects may take longer than an action waits, and the page says so.
                assert {notice.code for notice in shown.notices} - {"still_loading"} == {"refused_requests"}
    assert len(harbour.asked) - before <= len(["/gate", "/login"]) + 20, "no redirect is followed without end"
