"""Which browser is started, and what is said where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wellread.browser import browser_executable
from wellread.browser.browser_executable import find_executable, install_line
from wellread.errors import BrowserFailed, ConfigError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(browser_executable, "_ELSEWHERE", ())


def having(*names: str) -> Callable[[str], str | None]:
    return lambda name: f"/bin/{name}" if name in names else None


def test_the_settings_go_first(tmp_path: Path) -> None:
    mine = tmp_path / "chrome"
    mine.touch(mode=0o755)
    assert find_executable(mine, headed=False, own=None, which=having("chromium")) == mine


def test_a_browser_that_the_settings_name_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="gone"):
        find_executable(tmp_path / "gone", headed=False, own=None, which=having("chromium"))


def test_setting_that_names_no_program_says_why(tmp_path: Path) -> None:
    plain = tmp_path / "notes.txt"
    plain.touch(mode=0o644)
    for path, reason in ((plain, "is not executable"), (tmp_path, "is a folder")):
        with pytest.raises(ConfigError, match=reason) as caught:
            find_executable(path, headed=False, own=None, which=having("chromium"))
        assert "set browser.executable to a Chromium" in caught.value.hint


@pytest.mark.parametrize(("headed", "name"), [(False, "chromium-headless-shell"), (True, "chromium")])
def test_headless_shell_is_preferred_unless_headed(headed: bool, name: str) -> None:
    found = find_executable(None, headed=headed, own=None, which=having("chromium", "chromium-headless-shell"))
    assert found.name == name


def test_playwrights_own_browser_comes_last(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.touch()
    assert find_executable(None, headed=False, own=own, which=having("google-chrome")).name == "google-chrome"
    assert find_executable(None, headed=False, own=own, which=having()) == own


def test_without_any_the_line_that_installs_one_is_said(tmp_path: Path) -> None:
    with pytest.raises(BrowserFailed) as caught:
        find_executable(None, headed=False, own=tmp_path / "gone", which=having("apt-get"))
    assert "apt-get install chromium-headless-shell" in caught.value.hint
    assert "playwright install" in install_line(having())


def test_a_browser_with_windows_is_another_package() -> None:
    with pytest.raises(BrowserFailed, match="open windows") as caught:
        find_executable(None, headed=True, own=None, which=having("chromium-headless-shell", "apt-get"))
    assert "apt-get install chromium" in caught.value.hint
    assert "headless" not in caught.value.hint
