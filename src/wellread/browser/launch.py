"""Starts a Chromium whose only way to the network is the proxy, or connects to one that runs already."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from wellread.browser.browser_executable import EXECUTABLE_HINT, find_executable, install_line
from wellread.browser.process_watch import ProcessWatch, process_tree
from wellread.errors import BrowserFailed, ConfigError, WellreadError
from wellread.net.background_tasks import on_asyncio

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Playwright

    from wellread.sections import BrowserSettings

START_S = 30.0
CLOSE_S = 5.0
KILLED_S = 0.5
"""For the driver to notice that a browser was killed."""
PING_S = 2.0
CRASH_NOTICE_S = 15.0
"""In which a tab notices that the process of its page was ended."""
# Nothing listens there: requests that belong to no job (the browser's own) end here.
_NO_DISPLAY = ("x server", "$display", "ozone_platform_x11", "platform failed to initialize")
_NO_BROWSER = ("ENOEXEC", "EACCES", "Target page, context or browser has been closed")
"""In what the driver says: the system refuses the file, or the file ends without answering as a browser."""
NOWHERE = "http://127.0.0.1:9"
MAX_SCRIPT_HEAP_MB = 1_024
FLAGS = (
    # WebRTC would send datagrams past any proxy; without "force-" it does.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--proxy-bypass-list=<-loopback>",
    "--disable-quic",
    # The proxy resolves names. The browser's own resolver is left with none but the proxy's address.
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--dns-prefetch-disable",
    "--no-pings",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-notifications",
    "--deny-permission-prompts",
    "--mute-audio",
    "--hide-scrollbars",
    f"--js-flags=--max-old-space-size={MAX_SCRIPT_HEAP_MB}",
)

_LEFT_OUT = ("--disable-ipc-flooding-protection",)
"""Flags of the driver that are not given: without this one, a page may navigate within its document 200 times in 10 s
(`history.pushState`, `location.hash`), and not so often that the browser has no time for other pages."""


@dataclass(slots=True)
class Running:
    """One browser process and the count of its jobs."""

    playwright: Playwright
    browser: Browser
    is_ours: bool
    """We started it, so we end it."""
    root: CDPSession | None = None
    pid: int = 0
    jobs: int = 0
    """Begun so far."""
    active: int = 0
    spoilt: str = ""
    """Why it takes no more jobs."""
    watch: ProcessWatch | None = None
    """None for a browser that is not ours."""
    closing: anyio.Lock = field(default_factory=anyio.Lock)
    closed: bool = False
    kill_reason: str = ""
    """Why all its processes were ended by us."""
    _ended_page: tuple[float, str] = (0.0, "")
    """When a page was last ended by the watch, and why, until its tab takes the reason."""

    @property
    def usable(self) -> bool:
        """Return whether it can take a job."""
        return not self.spoilt and not self.closed and self.browser.is_connected()

    async def answers(self) -> bool:
        """Return whether the browser process itself still reacts."""
        if self.root is None or not self.browser.is_connected():
            return self.browser.is_connected()
        from playwright.async_api import Error

        with anyio.move_on_after(PING_S), suppress(Error):
            await self.root.send("Browser.getVersion")
            return True
        return False

    def processes(self) -> tuple[int, ...]:
        """Return the ids of its processes, none for a browser that is not ours."""
        return process_tree(self.pid) if self.is_ours and self.pid else ()

    def end_renderer(self, pid: int, reason: str) -> None:
        """End the process of a page, and note why for the tab that will see it crash."""
        self._ended_page = (anyio.current_time(), reason)
        with suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)

    def take_ended_page_reason(self) -> str:
        """Return why the process of a page was ended a moment ago, once; empty if none was."""
        (ended, reason), self._ended_page = self._ended_page, (0.0, "")
        if anyio.current_time() - ended > CRASH_NOTICE_S:
            return ""
        return reason

    def kill(self, why: str) -> None:
        """End every process of a browser of our own at once; its jobs then fail."""
        self.spoilt = self.spoilt or why
        self.kill_reason = self.kill_reason or why
        if self.is_ours and self.pid and hasattr(os, "killpg"):
            with suppress(ProcessLookupError, PermissionError):
                group = os.getpgid(self.pid)
                if group != os.getpgrp():
                    os.killpg(group, signal.SIGKILL)

    async def close(self) -> None:
        """End a browser of our own, leave another's as it was, and let the driver go."""
        from playwright.async_api import Error

        async with self.closing:
            if self.closed:
                return
            self.closed = True
            if self.watch is not None:
                self.watch.stop()
            limit_s = CLOSE_S
            if self.spoilt:
                self.kill(self.spoilt)  # it would take its time to close, if it closes at all
                limit_s = KILLED_S
            with anyio.CancelScope(shield=True):
                with anyio.move_on_after(limit_s) as scope, suppress(Error):
                    await self.browser.close()
                if scope.cancelled_caught:
                    self.kill("it does not close")
                with anyio.move_on_after(CLOSE_S):
                    await self.playwright.stop()


def is_installed() -> bool:
    """Return whether Playwright is there; whether a browser is, shows when one is started."""
    return find_spec("playwright") is not None


async def start_browser(settings: BrowserSettings) -> Running:
    """Start a browser, or join the one that `browser.connect` names.

    Raises:
        ConfigError: Playwright is not installed, or a setting cannot work here.
        BrowserFailed: there is no browser, or it does not start.
    """
    playwright = await _driver(settings)
    from playwright.async_api import Error

    try:
        if settings.connect is not None:
            return await _joined(playwright, settings.connect.reveal())
        return await _started(playwright, settings)
    except BaseException as error:
        with anyio.CancelScope(shield=True), anyio.move_on_after(CLOSE_S):
            await playwright.stop()
        if isinstance(error, Error):
            raise _not_started(error, settings) from error
        raise


async def _driver(settings: BrowserSettings) -> Playwright:
    try:
        from playwright.async_api import async_playwright
    except ImportError as error:
        hint = f"pip install 'wellread[browser]', and a Chromium where there is none: {install_line()}"
        raise ConfigError("rendering needs Playwright, which is not installed", hint=hint) from error
    check_sandbox(settings)
    if not on_asyncio():
        hint = "run on asyncio, or set render.enabled=false"
        raise ConfigError("rendering needs the event loop asyncio", hint=hint)
    return await async_playwright().start()


async def _joined(playwright: Playwright, url: str) -> Running:
    browser = await playwright.chromium.connect_over_cdp(url, timeout=START_S * 1000)
    return Running(playwright, browser, is_ours=False)


async def _started(playwright: Playwright, settings: BrowserSettings) -> Running:
    bundled_path = Path(playwright.chromium.executable_path)
    path = find_executable(settings.executable, headed=settings.headed, own=bundled_path)
    browser = await playwright.chromium.launch(
        executable_path=path,
        headless=not settings.headed,
        chromium_sandbox=settings.sandbox,
        args=list(FLAGS),
        ignore_default_args=list(_LEFT_OUT),
        proxy={"server": NOWHERE},
        timeout=START_S * 1000,
    )
    root = await browser.new_browser_cdp_session()
    answer: dict[str, Any] = await root.send("SystemInfo.getProcessInfo")  # Any: the protocol's own shape
    pid = next((int(process["id"]) for process in answer["processInfo"] if process["type"] == "browser"), 0)
    running = Running(playwright, browser, is_ours=True, root=root, pid=pid)
    running.watch = ProcessWatch(running, settings.max_memory_mb)
    running.watch.start()
    return running


def check_sandbox(settings: BrowserSettings) -> None:
    """Refuse a sandbox for root, as Chromium does.

    Raises:
        ConfigError: we are root, and browser.sandbox is on.
    """
    root = hasattr(os, "geteuid") and os.geteuid() == 0
    if root and settings.sandbox and settings.connect is None:
        raise ConfigError(
            "Chromium's sandbox does not work for the user root",
            hint="run as another user; in a container, set browser.sandbox=false",
        )


def _not_started(error: Exception, settings: BrowserSettings) -> WellreadError:
    if settings.connect is not None:  # what the driver says quotes the address, which may hold a key
        return BrowserFailed(
            "no browser answers at browser.connect", hint="start the browser with --remote-debugging-port"
        )
    # The command line is left out: its flags name the sandbox whatever the cause.
    lines = [line for line in str(error).splitlines() if "<launching>" not in line]
    message = " ".join(" ".join(lines).split())
    hint = None
    if settings.sandbox and "sandbox" in message.lower():
        hint = "the system does not allow Chromium's sandbox; allow user namespaces, or set browser.sandbox=false"
    if any(words in message.lower() for words in _NO_DISPLAY):
        hint = "there is no display for a window; use `wellread login ... --do STEPS`, or set browser.headed=false"
    elif hint is None and settings.executable is not None and any(words in message for words in _NO_BROWSER):
        name = settings.executable
        return ConfigError(f"browser.executable names {name}, which does not start as a browser", hint=EXECUTABLE_HINT)
    return BrowserFailed(f"the browser cannot be started: {message[:300]}", hint=hint)
