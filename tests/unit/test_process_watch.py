"""Which process of a browser is ended when it takes too much for all tabs."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import anyio
import pytest

from wellread.browser import tab as tab_module
from wellread.browser.process_watch import ProcessUse, ProcessWatch, Sample
from wellread.browser.request_routing import Traffic
from wellread.browser.tab import BrowserTab

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page

    from wellread.browser.launch import Running
    from wellread.browser.sign_in import SignIn

MAX_MEMORY_MB = 1_000
MIB = 1 << 20


class FakeBrowser:
    """A browser whose processes are made up; lists what the watch ends."""

    root = None
    pid = 0
    active = 3

    def __init__(self) -> None:
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


async def test_slow_crash_command_ends_no_page_of_another_tab(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("playwright")
    monkeypatch.setattr(tab_module, "CRASH_S", 0.01)
    browser = FakeBrowser()

    async def send(_: str) -> None:
        await anyio.sleep_forever()

    tab = BrowserTab(
        cast("Page", None),
        cast("BrowserContext", None),
        cast("CDPSession", SimpleNamespace(send=send)),
        None,
        cast("Running", browser),
        anyio.CancelScope(),
        Traffic(fetcher=None, images=True),
        cast("SignIn", None),
    )
    browser.judge_cpu(0.0, p1=5.0, p2=1.0)
    browser.judge_cpu(0.4, p1=5.0, p2=1.3)
    await tab.end_process()
    assert browser.ended == []
    browser.judge_cpu(0.8, p1=5.0, p2=1.7)
    browser.judge_cpu(1.2, p1=5.0, p2=2.1)
    assert browser.watch.is_stalled
    await tab.end_process()
    assert browser.ended == ["renderer 2"]
