"""Which process of a browser is ended when it takes too much for all tabs."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import anyio
import pytest

from wellread.browser import tab as tab_module
from wellread.browser.launch import Running
from wellread.browser.process_watch import ProcessUse, ProcessWatch, Sample
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
