"""Which process of a browser is ended when it takes too much for all tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import anyio
import pytest

from wellread.browser import tab as tab_module
from wellread.browser.launch import Running
from wellread.browser.process_watch import MAX_THREADS, ProcessUse, ProcessWatch, Sample
from wellread.browser.request_routing import Traffic
from wellread.browser.tab import BrowserTab

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, CDPSession, Page, Playwright

    from wellread.browser.sign_in import SignIn

MAX_MEMORY_MB = 1_000
NO_PID = 2**30


class FakeBrowser:
    """A browser whose processes are made up; lists what the watch ends."""

    pid = 0
    active = 3

    def __init__(self) -> None:
        self.root: CDPSession | None = None
        self.ended: list[str] = []
        self.watch = ProcessWatch(self, MAX_MEMORY_MB)

    def end_renderer(self, pid: int, reason: str) -> None:
        """List the renderer."""
        assert reason
        self.ended.append(f"renderer {pid}")

    def kill(self, why: str) -> None:
        """List the browser."""
        assert why
        self.ended.append("browser")

    def judge_memory(self, time: float, others_mib: int, **memory_mib: int) -> None:
        """Let the watch judge a sample of renderers with so much memory."""
        uses = {int(name[1:]): ProcessUse(mib << 20, 0.0) for name, mib in memory_mib.items()}
        self.watch.judge(Sample(time, uses, others_mib << 20, 0))

    def judge_cpu(self, time: float, **cpu_s: float) -> None:
        """Let the watch judge a sample of renderers with so much CPU time."""
        uses = {int(name[1:]): ProcessUse(0, seconds) for name, seconds in cpu_s.items()}
        self.watch.judge(Sample(time, uses, 0, 0))


class SilentSession:
    """A protocol session that never answers."""

    async def send(self, _: str) -> None:
        """Wait without end."""
        await anyio.sleep_forever()


def tab_of(running: Running) -> BrowserTab:
    """Return a tab without a page."""
    return BrowserTab(
        cast("Page", None),
        cast("BrowserContext", None),
        cast("CDPSession", SilentSession()),
        None,
        running,
        anyio.CancelScope(),
        Traffic(fetcher=None, images=True),
        cast("SignIn", None),
    )


async def test_slow_crash_command_ends_no_page_of_another_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright")
    monkeypatch.setattr(tab_module, "CRASH_S", 0.01)
    browser = FakeBrowser()
    tab = tab_of(cast("Running", browser))
    browser.judge_cpu(0.0, p1=5.0, p2=1.0)
    browser.judge_cpu(0.4, p1=5.0, p2=1.3)
    await tab.end_process()
    assert browser.ended == []
    browser.judge_cpu(0.8, p1=5.0, p2=1.7)
    browser.judge_cpu(1.2, p1=5.0, p2=2.1)
    assert browser.watch.is_stalled
    await tab.end_process()
    assert browser.ended == ["renderer 2"]


def test_pause_of_our_own_event_loop_ends_no_page() -> None:
    browser = FakeBrowser()
    browser.judge_cpu(0.0, p1=0.0)
    browser.judge_cpu(30.0, p1=9.0)
    assert browser.ended == []


async def test_reason_of_an_ended_page_is_that_of_one_tab() -> None:
    running = Running(cast("Playwright", None), cast("Browser", None), is_ours=True)
    hostile, neighbour, third = (tab_of(running) for _ in range(3))
    running.end_renderer(NO_PID, "the page was closed")
    hostile.on_crash()
    neighbour.on_crash()
    assert hostile.loss is not None
    assert (str(hostile.loss), hostile.loss.is_lost) == ("the page was closed", False)
    assert neighbour.loss is not None
    assert neighbour.loss.is_lost
    running.kill("it used 1,210 MiB")
    third.on_disconnect()
    assert third.loss is not None
    assert (str(third.loss), third.loss.is_lost) == ("the browser was lost: it used 1,210 MiB", True)


def test_largest_page_is_ended_and_its_memory_has_time_to_be_freed() -> None:
    browser = FakeBrowser()
    browser.judge_memory(0.0, 200, p1=100, p2=300)
    browser.judge_memory(0.1, 200, p1=100, p2=900)
    browser.judge_memory(0.2, 200, p1=100, p2=850)
    assert browser.ended == ["renderer 2"]
    browser.judge_memory(0.7, 200, p1=100)
    browser.judge_memory(0.8, 200, p1=850)
    assert browser.ended == ["renderer 2", "renderer 1"]


def test_page_that_fills_up_fast_is_ended_before_the_limit() -> None:
    browser = FakeBrowser()
    for tenth, mib in enumerate((100, 250, 400, 550)):
        browser.judge_memory(tenth / 10, 200, p1=300, p2=mib)
    assert browser.ended == ["renderer 2"]


def test_page_that_grows_slowly_or_once_stays_open() -> None:
    browser = FakeBrowser()
    for tenth in range(20):
        browser.judge_memory(tenth / 10 - 9, 200, p1=90, p2=100 if tenth < 10 else 440)
    for tenth in range(60):
        browser.judge_memory(tenth / 10, 200, p1=90, p2=150 + 10 * tenth)
    for tenth in range(60, 80):
        browser.judge_memory(tenth / 10, 200, p1=400, p2=760)
    assert browser.ended == []


def test_page_that_fills_the_driver_is_ended_not_the_largest() -> None:
    browser = FakeBrowser()
    for tenth in range(60):
        uses = {1: ProcessUse(620 << 20, 1.0)}
        if not browser.ended:
            uses[2] = ProcessUse(60 << 20, tenth / 10)
        driver_mib = min(200 + 25 * tenth, 450)  # keeps the memory once the page is gone
        browser.watch.judge(Sample(tenth / 10, uses, 200 << 20, driver_mib << 20))
    assert browser.ended == ["renderer 2"]


def test_browser_whose_driver_fills_for_no_page_is_ended() -> None:
    browser = FakeBrowser()
    for tenth in range(60):
        uses = {pid: ProcessUse(100 << 20, tenth / 10) for pid in (1, 2, 3)}
        browser.watch.judge(Sample(tenth / 10, uses, 200 << 20, (200 + 50 * tenth) << 20))
        if browser.ended:
            break
    assert browser.ended == ["browser"]


def test_page_with_too_many_threads_is_ended_once() -> None:
    browser = FakeBrowser()
    for tenth, thread_count in enumerate((12, MAX_THREADS, MAX_THREADS + 1, MAX_THREADS + 1)):
        uses = {1: ProcessUse(0, 0.0, 40), 2: ProcessUse(0, 0.0, thread_count)}
        browser.watch.judge(Sample(tenth / 10, uses, 0, 0))
    assert browser.ended == ["renderer 2"]


def test_large_page_stays_open_beside_page_of_many_renderers() -> None:
    for growing in (True, False):
        browser = FakeBrowser()
        for tenth in range(12):
            spread_mib = min(300 + 20 * tenth, 460) if growing else 460
            uses = {pid: ProcessUse(spread_mib << 20, tenth / 10) for pid in (2, 3, 4)}
            large_mib = 480 if tenth < 10 else 505
            browser.watch.judge(Sample(tenth / 10, uses | {1: ProcessUse(large_mib << 20, 1.0)}, 130 << 20, 0))
            if browser.ended:
                break
        assert len(browser.ended) == 1
        assert browser.ended[0] in {"renderer 2", "renderer 3", "renderer 4"}


def test_browser_is_ended_where_a_page_was_ended_in_vain() -> None:
    browser = FakeBrowser()
    for tenth in range(6):
        browser.judge_memory(tenth / 10, 960, p1=90, p2=300, p3=250)
    assert browser.ended == ["renderer 2", "browser"]


def test_no_page_is_ended_for_memory_of_other_processes() -> None:
    browser = FakeBrowser()
    browser.judge_memory(0.0, 200, p1=90, p2=300)
    browser.judge_memory(0.1, 800, p1=90, p2=310)
    assert browser.ended == ["browser"]


def test_browser_stalled_by_a_page_of_three_processes_is_ended() -> None:
    browser = FakeBrowser()
    for tenth in range(120):
        cpu_s = tenth / 10
        browser.judge_cpu(cpu_s, p1=cpu_s, p2=cpu_s, p3=cpu_s)
    assert browser.ended == ["browser"]
