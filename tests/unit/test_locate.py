"""Which browser is started, and what is said where there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wellread.browser import locate, profiles
from wellread.browser.locate import executable, install_line
from wellread.errors import BrowserFailed, ConfigError, InvalidInput

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.fixture(autouse=True)
def nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locate, "_ELSEWHERE", ())


def having(*names: str) -> Callable[[str], str | None]:
    return lambda name: f"/bin/{name}" if name in names else None


def test_the_settings_go_first(tmp_path: Path) -> None:
    mine = tmp_path / "chrome"
    mine.touch()
    assert executable(mine, headed=False, own=None, which=having("chromium")) == mine


def test_a_browser_that_the_settings_name_must_be_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="gone"):
        executable(tmp_path / "gone", headed=False, own=None, which=having("chromium"))


@pytest.mark.parametrize(("headed", "name"), [(False, "chromium-headless-shell"), (True, "chromium")])
def test_the_shell_without_windows_is_preferred_unless_windows_are_wanted(headed: bool, name: str) -> None:
    found = executable(None, headed=headed, own=None, which=having("chromium", "chromium-headless-shell"))
    assert found.name == name


def test_playwrights_own_browser_comes_last(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.touch()
    assert executable(None, headed=False, own=own, which=having("google-chrome")).name == "google-chrome"
    assert executable(None, headed=False, own=own, which=having()) == own


def test_without_any_the_line_that_installs_one_is_said(tmp_path: Path) -> None:
    with pytest.raises(BrowserFailed) as caught:
        executable(None, headed=False, own=tmp_path / "gone", which=having("apt-get"))
    assert "apt-get install chromium-headless-shell" in caught.value.hint
    assert "playwright install" in install_line(having())


def test_a_profile_is_kept_for_its_owner_alone_and_comes_back(tmp_path: Path) -> None:
    path = profiles.place(tmp_path / "profiles", "work-1")
    assert profiles.load(path) is None
    profiles.save(path, {"cookies": [1]})
    profiles.save(path, {"cookies": [2]})
    assert profiles.load(path) == {"cookies": [2]}
    assert path.stat().st_mode & 0o077 == 0
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", ".hidden", "x" * 65, "nul\0"])
def test_a_name_that_could_mean_another_file_is_no_profile(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        profiles.place(tmp_path, name)


@pytest.mark.parametrize("text", ["", "[", "[]", "\udcff"])
def test_a_damaged_profile_says_what_to_do(tmp_path: Path, text: str) -> None:
    path = profiles.place(tmp_path, "mine")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InvalidInput) as caught:
        profiles.load(path)
    assert caught.value.hint == "remove the file"
