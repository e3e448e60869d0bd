"""One browser for all jobs: it comes when it is needed, comes again when it is lost, and leaves nothing behind."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import sys
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import pytest
from anyio.abc import SocketAttribute

from processes import started
from sites import PATIENCE_S, SANDBOX, Site, need_browser, serving, settings_for
from wellread.apps.build import Web
from wellread.browser import launch
from wellread.browser import tab as tab_module
from wellread.browser.browser_executable import find_executable
from wellread.browser.browser_pool import BrowserPool
from wellread.browser.launch import check_sandbox
from wellread.browser.process_watch import ProcessUse, Sample, busiest, memory_and_threads, resident_bytes
from wellread.browser.tab import TabOptions
from wellread.config import NetSettings
from wellread.errors import BrowserFailed, ConfigError, InvalidInput, Timeout
from wellread.net import guard
from wellread.net.proxy import EgressProxy
from wellread.sections import BrowserSettings
from wellread.values import Secret

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterator

    from anyio.abc import SocketStream

    from wellread.browser.tab import BrowserTab

SETTLE_S = 30.0


@pytest.fixture
def site() -> Iterator[Site]:
    need_browser()
    site = Site()
    server = serving(site)
    site.pages["/"] = "<title>A page</title>"
    site.pages["/cookie"] = lambda asked: (
        200,
        {"Content-Type": "text/html", "Set-Cookie": "known=yes; Max-Age=900"},
        asked.headers.get("Cookie", "stranger").encode(),
    )
    yield site
    server.shutdown()
    server.server_close()


@asynccontextmanager
async def pool_for(site: Site, folder: Path, **browser: object) -> AsyncGenerator[BrowserPool, None]:
    net = NetSettings(allow_hosts=(f"127.0.0.1:{site.port}",))
    given = {"timeout_s": PATIENCE_S} | browser
    settings = BrowserSettings(sandbox=SANDBOX, **given)  # type: ignore[arg-type]  # names checked there
    pool = BrowserPool(settings, egress=EgressProxy(guard.read_policy(net)), profiles=folder)
    try:
        yield pool
    finally:
        await pool.aclose()


async def visit(pool: BrowserPool, site: Site) -> str:
    async def work(tab: BrowserTab) -> str:
        await tab.page.goto(site.url())
        return await tab.page.title()

    return await pool.run(work)


def alive(pid: int) -> bool:
    """Say whether a process runs; one that has ended and was not yet buried does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in {"Z", "X"}


async def gone(pids: tuple[int, ...]) -> bool:
    for _ in range(round(SETTLE_S / 0.02)):
        if not any(alive(pid) for pid in pids):
            return True
        await anyio.sleep(0.02)  # the system tells nobody who is not their parent
    return False


async def test_no_browser_before_the_first_or_after_the_last_job(site: Site, tmp_path: Path) -> None:
    async with pool_for(site, tmp_path) as pool:
        before = pool._running
        assert before is None
        assert await visit(pool, site) == "A page"
        assert pool._running is not None
        pids = pool._running.processes()
        assert sum(map(alive, pids)) >= 3  # a helper process may just have ended
    assert await gone(pids)


async def test_jobs_share_one_browser_until_it_is_worn(site: Site, tmp_path: Path) -> None:
    async with pool_for(site, tmp_path, restart_after=2) as pool:
        pids = []
        for _ in range(3):
            await visit(pool, site)
            assert pool._running is not None
            pids.append(pool._running.pid)
        assert pids[0] == pids[1] != pids[2]
        assert await gone((pids[0],))


async def test_worn_browser_is_closed_while_the_next_one_starts(site: Site, tmp_path: Path) -> None:
    began, go_on = anyio.Event(), anyio.Event()
    worn: list[tuple[int, ...]] = []

    async def work(tab: BrowserTab) -> None:
        worn.append(tab.running.processes())
        began.set()
        await go_on.wait()

    async with pool_for(site, tmp_path, restart_after=1) as pool:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pool.run, work)
            await began.wait()
            tasks.start_soon(visit, pool, site)
            await anyio.wait_all_tasks_blocked()
            go_on.set()
        assert await gone(worn[0])


async def test_a_browser_that_was_killed_is_replaced_and_the_job_done_again(site: Site, tmp_path: Path) -> None:
    tries: list[int] = []

    async def work(tab: BrowserTab) -> str:
        tries.append(tab.running.pid)
        await tab.page.goto(site.url())
        if len(tries) == 1:
            os.kill(tab.running.pid, signal.SIGKILL)
        return await tab.page.title()

    async with pool_for(site, tmp_path) as pool:
        assert await pool.run(work) == "A page"
    assert len(set(tries)) == 2


async def test_a_page_whose_process_crashes_twice_is_a_failure_that_says_so(site: Site, tmp_path: Path) -> None:
    tries = 0

    async def work(tab: BrowserTab) -> None:
        nonlocal tries
        tries += 1
        await tab.page.goto(site.url())
        await tab.devtools.send("Page.crash")

    async with pool_for(site, tmp_path) as pool:
        with pytest.raises(BrowserFailed, match="lost"):
            await pool.run(work)
        assert tries == 2
        assert await visit(pool, site) == "A page"


async def test_a_browser_that_hangs_is_killed_and_the_job_done_again(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "PING_S", 0.3)
    stopped: list[int] = []

    async def work(tab: BrowserTab) -> str:
        if not stopped:
            stopped.append(tab.running.pid)
            os.kill(tab.running.pid, signal.SIGSTOP)
        await tab.page.goto(site.url())
        return await tab.page.title()

    async with pool_for(site, tmp_path) as pool:
        await visit(pool, site)
        assert await pool.run(work, timeout_s=10) == "A page"  # in which a slow machine starts another
        assert pool._running is not None
        assert pool._running.pid != stopped[0]
    assert await gone(tuple(stopped))


async def test_a_page_that_never_ends_costs_its_time_and_not_the_browser(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launch, "PING_S", 60.0)  # a browser that hangs never answers, one that is slow does
    site.pages["/busy"] = "<script>for (;;);</script>"

    async def work(tab: BrowserTab) -> None:
        await tab.page.goto(site.url("/busy"))

    async with pool_for(site, tmp_path) as pool:
        await visit(pool, site)
        first = pool._running
        with pytest.raises(Timeout):
            await pool.run(work, timeout_s=1)
        assert await visit(pool, site) == "A page"
        assert pool._running is first


async def test_a_browser_that_holds_too_much_is_ended(site: Site, tmp_path: Path) -> None:
    async with pool_for(site, tmp_path, max_memory_mb=1) as pool:
        with pytest.raises(BrowserFailed, match="max_memory_mb"):
            await pool.run(lambda tab: anyio.sleep_forever())


async def test_jobs_are_done_again_when_the_browser_is_ended_for_memory(site: Site, tmp_path: Path) -> None:
    tries: list[int] = []
    are_both_here = anyio.Event()

    async def work(tab: BrowserTab) -> None:
        tries.append(tab.running.pid)
        if len(tries) == 2:
            tab.running.kill("it used 1,210 MiB, more than browser.max_memory_mb")
            are_both_here.set()
        await are_both_here.wait()
        await tab.page.goto(site.url())

    async with pool_for(site, tmp_path) as pool:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(pool.run, work)
            tasks.start_soon(pool.run, work)
        assert len(tries) == 4

        async def fail(tab: BrowserTab) -> None:
            tab.running.end_renderer(2**30, "the page of another tab was closed")
            await tab.page.evaluate("missing()")

        with pytest.raises(BrowserFailed) as failed:
            await pool.run(fail)
        assert "missing is not defined" in failed.value.owner_detail


async def wait_in(web: Web, url: str) -> None:
    async with web.browse(url) as tab:
        await tab.wait(text="never there", timeout_s=PATIENCE_S)


HOARDING = {
    "buffers": "const all = []; setInterval(() => all.push(new Uint8Array(4e7).fill(1)), 5)",
    "workers": "const code = URL.createObjectURL(new Blob(['const all = []; setInterval(() => "
    "all.push(new Uint8Array(4e6).fill(1)), 5)'])); setInterval(() => new Worker(code), 20)",
}


async def ends_beside_another_session(web: Web, site: Site, bad_url: str, message: str) -> None:
    """Check that a page ends its session with an error of `message`, and another session works on meanwhile."""
    site.pages["/other"] = "<title>Other</title><button onclick=\"document.title = 'Works'\">Go</button>"
    async with web.browse(site.url("/other")) as other:
        with anyio.fail_after(60), pytest.raises(BrowserFailed, match=message) as caught:
            await wait_in(web, bad_url)
        assert not caught.value.is_lost
        assert (await other.click(1)).title == "Works"


@pytest.mark.parametrize("kind", HOARDING)
async def test_page_that_hoards_memory_ends_typed(site: Site, tmp_path: Path, kind: str) -> None:
    site.pages["/hoards"] = f"<p>Hello<script>{HOARDING[kind]}</script>"
    message = r"the page was closed: it used \d+ MiB, (soon )?more than browser.max_memory_mb"
    async with Web(settings_for(site, tmp_path, max_memory_mb=400)) as web:
        await ends_beside_another_session(web, site, site.url("/hoards"), message)


DROWNING = {
    "errors": "const fail = () => { throw new Error('x'.repeat(1000)) }; "
    "setInterval(() => { for (let i = 0; i < 5000; i++) queueMicrotask(fail) }, 1)",
    "workers": "const code = URL.createObjectURL(new Blob(['for (;;) console.log(\"x\".repeat(1e5))'])); "
    "for (let i = 0; i < 4; i++) new Worker(code)",
}


@pytest.mark.slow  # the driver works off the messages before anything else
@pytest.mark.parametrize("kind", DROWNING)
async def test_page_that_drowns_the_browser_ends_typed(site: Site, tmp_path: Path, kind: str) -> None:
    site.pages["/drowns"] = f"<p>Hello<script>{DROWNING[kind]}</script>"
    message = "kept the browser busy for all tabs|used .* browser.max_memory_mb"
    async with Web(settings_for(site, tmp_path)) as web:
        await ends_beside_another_session(web, site, site.url("/drowns"), message)


async def test_reports_are_bounded_whatever_the_page_replaces(site: Site, tmp_path: Path) -> None:
    site.pages["/fails"] = """<p>Hello<script>
Event.prototype.preventDefault = () => {};
Object.prototype.apply = Reflect.apply = (write, self, words) => { for (let i = 0; i < 3; i++) write(...words) };
addEventListener('error', (event) => event.stopImmediatePropagation(), true);
for (let i = 0; i < 400; i++) { reportError(new Error(i)); console.log(i) }</script>"""
    errors: list[str] = []
    messages: list[str] = []

    async def count(tab: BrowserTab) -> None:
        tab.page.on("pageerror", lambda error: errors.append(str(error)))
        tab.page.on("console", lambda message: messages.append(message.type))
        await tab.page.goto(site.url("/fails"))
        await tab.page.evaluate("new Promise((done) => setTimeout(done))")

    async with pool_for(site, tmp_path) as pool:
        await pool.run(count)
    assert (len(errors), messages.count("log")) == (200, 200)


def starting_workers(count: int) -> str:
    """Return a page whose workers each report that they run."""
    return f"""<title>Workers</title><h1>Workers</h1><script>
        const code = URL.createObjectURL(new Blob(['postMessage(1)'])); let running = 0;
        for (let i = 0; i < {count}; i++) {{ class Mine extends Worker {{}}; const worker = new Mine(code);
          worker.onmessage = () => {{ if (++running == {count}) document.title = running + ' run'; }} }}</script>"""


async def test_page_that_starts_many_workers_ends_typed(site: Site, tmp_path: Path) -> None:
    site.pages["/idle"] = starting_workers(2_000)
    async with Web(settings_for(site, tmp_path)) as web:
        await ends_beside_another_session(web, site, site.url("/idle"), r"the page started \d+ workers")


async def test_workers_started_by_a_worker_end_typed(site: Site, tmp_path: Path) -> None:
    code = "const idle = URL.createObjectURL(new Blob(['setInterval(() => 0, 1000)']));"
    nested = "`for (let i = 0; i < 500; i++) new Worker('${idle}')`"
    site.pages["/nested"] = f"<p>Hello<script>{code} new Worker(URL.createObjectURL(new Blob([{nested}])))</script>"
    async with Web(settings_for(site, tmp_path)) as web:
        await ends_beside_another_session(web, site, site.url("/nested"), r"the page started (more than )?\d+ workers")


async def test_page_with_as_many_workers_as_apps_use_works(site: Site, tmp_path: Path) -> None:
    site.pages["/app"] = starting_workers(32)
    async with Web(settings_for(site, tmp_path)) as web, web.browse(site.url("/app")) as tab:
        with anyio.fail_after(PATIENCE_S):
            while tab.snapshot.title != "32 run":
                await tab.look()


def test_busiest_renderer_is_the_one_that_stands_out() -> None:
    def sample(**cpu_s: float) -> Sample:
        uses = {int(name[1:]): ProcessUse(0, seconds) for name, seconds in cpu_s.items()}
        return Sample(0.0, uses, 0, 0)

    assert busiest(sample(p1=9.0, p2=1.0), sample(p1=9.1, p2=2.0, p3=0.2)) == 2
    assert busiest(sample(), sample(p1=1.0)) == 1
    assert busiest(sample(), sample(p1=1.0, p2=1.0, p3=1.0)) == 0
    assert busiest(sample(p1=5.0), sample(p1=5.1)) == 0
    assert busiest(sample(), sample()) == 0


@pytest.mark.slow  # the driver takes half a minute for its messages of a flood
@pytest.mark.parametrize("kind", ["fetch('/x?' + i)", "new Image().src = '/x?' + i"])
async def test_page_that_floods_with_requests_ends_typed(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(tab_module, "FLOOD_REQUESTS", 200)
    site.pages["/floods"] = f"<p>Hello<script>for (let i = 0; i < 1500; i++) {kind}</script>"
    async with Web(settings_for(site, tmp_path)) as web:
        site.pages["/other"] = "<title>Other</title><h1>Still open</h1><p>Another session reads on.</p>"
        async with web.browse(site.url("/other")) as other:
            with pytest.raises(BrowserFailed, match="the page made 200 requests within"):
                await wait_in(web, site.url("/floods"))
            assert "Another session reads on." in (await other.read()).text
        page = await web.read(site.url("/floods"), render="always")
        assert "not_rendered" in {notice.code for notice in page.notices}
        async with web.browse(site.url("/")) as tab:
            assert tab.snapshot.title == "A page"


async def test_an_idle_browser_is_closed(site: Site, tmp_path: Path) -> None:
    async def work(tab: BrowserTab) -> tuple[int, ...]:
        await tab.page.goto(site.url())
        return tab.running.processes()

    async with pool_for(site, tmp_path, idle_s=0.1) as pool:
        pids = await pool.run(work)
        assert pids
        assert await gone(pids)
        assert pool._running is None
        assert await visit(pool, site) == "A page"


async def test_no_more_tabs_are_lent_than_the_setting_allows(site: Site, tmp_path: Path) -> None:
    at_once = most = 0
    met = anyio.Event()

    async def work(tab: BrowserTab) -> None:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        if at_once == 2:
            met.set()
        await met.wait()
        await tab.page.goto(site.url())
        at_once -= 1

    with anyio.fail_after(2 * PATIENCE_S):
        async with pool_for(site, tmp_path, pages=2) as pool, anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(pool.run, work)
    assert most == 2


async def test_jobs_share_nothing_unless_they_name_a_profile(site: Site, tmp_path: Path) -> None:
    async def greeting(tab: BrowserTab) -> str:
        await tab.page.goto(site.url("/cookie"))
        return await tab.page.inner_text("body")

    async with pool_for(site, tmp_path) as pool:
        assert [await pool.run(greeting) for _ in range(2)] == ["stranger", "stranger"]
        named = [await pool.run(greeting, wish=TabOptions(profile="mine")) for _ in range(2)]
        assert named == ["stranger", "known=yes"]
        assert await pool.run(greeting) == "stranger"
        with pytest.raises(InvalidInput):
            await pool.run(greeting, wish=TabOptions(profile="../mine"))
    (kept,) = os.scandir(tmp_path)
    assert kept.stat().st_mode & 0o077 == 0


async def test_pages_are_told_of_the_browser_what_the_settings_say(site: Site, tmp_path: Path) -> None:
    async def told(tab: BrowserTab) -> object:
        await tab.page.goto(site.url())
        return await tab.page.evaluate("[navigator.language, navigator.userAgent, innerWidth, innerHeight]")

    async with pool_for(site, tmp_path, locale="sv-SE", user_agent="Boats/1", viewport="900x700") as pool:
        assert await pool.run(told) == ["sv-SE", "Boats/1", 900, 700]
    asked = site.asked[0].headers
    assert asked["User-Agent"] == "Boats/1"
    assert asked["Accept-Language"].startswith("sv-SE")


async def test_all_that_a_page_asks_for_goes_by_the_users_own_proxy(site: Site, tmp_path: Path) -> None:
    tunnels: list[bytes] = []

    async def beyond(near: SocketStream) -> None:
        """Connect, as a proxy does, whoever says who he is."""
        async with near, await anyio.connect_tcp("127.0.0.1", site.port) as far, anyio.create_task_group() as tasks:
            tunnels.append(await near.receive())
            await near.send(b"HTTP/1.1 200 Connected\r\n\r\n")
            tasks.start_soon(carry, near, far)
            await carry(far, near)
            tasks.cancel_scope.cancel()

    async def carry(one: SocketStream, other: SocketStream) -> None:
        with suppress(anyio.EndOfStream, anyio.BrokenResourceError):
            while True:
                await other.send(await one.receive())

    listener = await anyio.create_tcp_listener(local_host="127.0.0.1")
    port = listener.extra(SocketAttribute.local_port)
    settings = settings_for(site, tmp_path, upstream=Secret(f"http://me:pass@127.0.0.1:{port}"))
    site.pages["/"] = "<title>A page</title><img src=/boat.png>"
    async with listener, anyio.create_task_group() as tasks, Web(settings) as web:
        tasks.start_soon(listener.serve, beyond)
        async with web.browse(site.url()) as tab:
            assert tab.snapshot.title == "A page"
        tasks.cancel_scope.cancel()
    assert {"/", "/boat.png"} <= set(site.paths())
    assert len(tunnels) >= 2
    assert all(tunnel.startswith(b"CONNECT 127.0.0.1:%d HTTP/1.1" % site.port) for tunnel in tunnels)
    assert all(base64.b64encode(b"me:pass") in tunnel for tunnel in tunnels)


def visited(address: str, site: Site, folder: Path) -> bool:
    """Visit the site in a browser that was joined; say whether a gate stood before it."""

    async def visit_there() -> bool:
        async with pool_for(site, folder, connect=Secret(address)) as pool, pool.tab() as tab:
            await tab.page.goto(site.url())
            assert await tab.page.title() == "A page"
            return tab.gate is not None

    return anyio.run(visit_there)


def test_a_browser_that_was_joined_is_not_closed_and_has_no_gate(site: Site, tmp_path: Path) -> None:
    command: list[str | Path] = [
        find_executable(None, headed=False, own=None),
        "--headless",
        "--remote-debugging-port=0",
    ]
    command += [f"--user-data-dir={tmp_path / 'profile'}", *([] if SANDBOX else ["--no-sandbox"])]
    # In a group of its own: what is started may be a script around the browser, and ends together with it.
    with subprocess.Popen(
        [*command, "about:blank"], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as theirs:
        try:
            assert theirs.stderr is not None
            address = next(line.split()[-1] for line in theirs.stderr if "DevTools listening on" in line)
            gates = [visited(place, site, tmp_path) for place in (address, "http://" + address.split("/")[2])]
            assert theirs.poll() is None
        finally:
            os.killpg(theirs.pid, signal.SIGKILL)
    assert gates == [False, False]


async def test_an_address_where_no_browser_answers_is_not_shown(site: Site, tmp_path: Path) -> None:
    async with pool_for(site, tmp_path, connect=Secret("ws://127.0.0.1:9/devtools?token=hush")) as pool:
        with pytest.raises(BrowserFailed) as caught:
            await visit(pool, site)
    assert "hush" not in str(caught.value)
    assert "hush" not in repr(pool._settings)


async def test_program_that_is_no_browser_is_named(site: Site, tmp_path: Path) -> None:
    program = tmp_path / "editor"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    async with pool_for(site, tmp_path, executable=program) as pool:
        with pytest.raises(ConfigError, match="does not start as a browser") as caught:
            await visit(pool, site)
    assert "set browser.executable to a Chromium" in caught.value.hint


@pytest.mark.parametrize(
    "words",
    [
        "[1:1:0101/000000.0:ERROR:ui/ozone/platform/x11/ozone_platform_x11.cc:249] Missing X server or $DISPLAY",
        "[1:1:0101/000000.0:ERROR:ui/aura/env.cc:257] The platform failed to initialize.  Exiting.",
    ],
)
async def test_window_without_a_display_has_a_hint(site: Site, tmp_path: Path, words: str) -> None:
    program = tmp_path / "chrome"
    program.write_text(f"#!/bin/sh\necho '{words}' >&2\nexit 1\n")
    program.chmod(0o755)
    async with pool_for(site, tmp_path, executable=program, headed=True) as pool:
        with pytest.raises(BrowserFailed, match="cannot be started") as caught:
            await visit(pool, site)
    assert "there is no display for a window" in caught.value.hint


def test_root_is_told_that_the_sandbox_needs_a_setting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    with pytest.raises(ConfigError) as caught:
        check_sandbox(BrowserSettings())
    assert "browser.sandbox=false" in caught.value.hint
    check_sandbox(BrowserSettings(sandbox=False))


LEFT = """
import sys, anyio
from pathlib import Path
from wellread.browser.browser_pool import BrowserPool
from wellread.config import NetSettings
from wellread.sections import BrowserSettings
from wellread.net import guard
from wellread.net.proxy import EgressProxy

async def main():
    egress = EgressProxy(guard.read_policy(NetSettings()))
    pool = BrowserPool(BrowserSettings(sandbox=%r), egress=egress, profiles=Path("."))
    async with pool.tab() as tab:
        print(*tab.running.processes(), flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts processes by /proc")
def test_a_process_that_is_killed_leaves_no_browser_behind(site: Site, tmp_path: Path) -> None:
    with started([sys.executable, "-c", LEFT % SANDBOX], stdout=subprocess.PIPE, text=True, cwd=tmp_path) as process:
        assert process.stdout is not None
        pids = tuple(int(pid) for pid in process.stdout.readline().split())
        assert len(pids) >= 3
        process.kill()
    assert anyio.run(gone, pids)


def test_memory_is_counted_where_the_system_tells() -> None:
    assert resident_bytes(os.getpid()) > 1 << 20 or sys.platform != "linux"
    assert resident_bytes(2**30) == 0
    assert memory_and_threads(os.getpid())[1] >= 1 or sys.platform != "linux"
