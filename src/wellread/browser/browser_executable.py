"""Which Chromium is started: the one that the settings name, one in a usual place, or one that Playwright brought."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from wellread.errors import BrowserFailed, ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Which = Callable[[str], str | None]

_SHELLS = ("chromium-headless-shell", "chrome-headless-shell", "headless_shell")
"""Chromium without any window: smaller and quicker to start."""
_BROWSERS = (
    *("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome", "microsoft-edge-stable"),
    *("microsoft-edge", "msedge", "brave-browser"),
)
_ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
    "/usr/lib/chromium/chromium",
    "/snap/bin/chromium",
)
_INSTALLERS = (
    ("apt-get", "apt-get install chromium-headless-shell"),
    ("dnf", "dnf install chromium-headless"),
    ("pacman", "pacman -S chromium"),
    ("apk", "apk add chromium"),
    ("zypper", "zypper install chromium"),
    ("brew", "brew install --cask google-chrome"),
    ("winget", "winget install Google.Chrome"),
)

EXECUTABLE_HINT = "set browser.executable to a Chromium, or remove the setting so that wellread finds one"


def find_executable(chosen: Path | None, *, headed: bool, own: Path | None, which: Which = shutil.which) -> Path:
    """Return the browser to start. `own` is where Playwright would have put its own.

    Raises:
        ConfigError: the one that the settings name is not there, or cannot be executed.
        BrowserFailed: there is none; the hint says how to install one here.
    """
    if chosen is not None:
        reason = _unusable(chosen)
        if reason:
            raise ConfigError(f"browser.executable names {chosen}, which {reason}", hint=EXECUTABLE_HINT)
        return chosen
    path = next(_usual(headed=headed, which=which), own if own is not None and own.is_file() else None)
    if path is None:
        message = "no Chromium that can open windows was found" if headed else "no Chromium was found"
        raise BrowserFailed(message, hint=f"install a browser: {install_line(which, headed=headed)}")
    return path


def _unusable(path: Path) -> str:
    if path.is_dir():
        return "is a folder"
    if not path.is_file():
        return "does not exist"
    return "" if os.access(path, os.X_OK) else "is not executable"


def _usual(*, headed: bool, which: Which) -> Iterator[Path]:
    for name in (*(() if headed else _SHELLS), *_BROWSERS):
        path = which(name)
        if path is not None:
            yield Path(path)
    yield from (Path(path) for path in _ELSEWHERE if Path(path).is_file())


def install_line(which: Which = shutil.which, *, headed: bool = False) -> str:
    """Return the command that installs a browser on this system; `headed`: one that has windows."""
    playwright_line = f"{Path(sys.executable).name} -m playwright install chromium-headless-shell"
    line = next((line for tool, line in _INSTALLERS if which(tool) is not None), playwright_line)
    if not headed:
        return line
    return line.replace("-headless-shell", "").replace("-headless", "")
