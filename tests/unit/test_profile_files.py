"""A profile is one private file, changed under a lock and replaced in one step."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from wellread.browser import profiles
from wellread.errors import InvalidInput

if TYPE_CHECKING:
    from pathlib import Path


def cookie(name: str) -> dict[str, Any]:  # Any: JSON
    shape = {"value": "hush", "domain": "a.example", "path": "/", "expires": -1, "httpOnly": False, "secure": False}
    return {"name": name, **shape, "sameSite": "Lax"}


def adding(name: str) -> Any:  # Any: a change of a state
    return lambda state: {"cookies": [*state.get("cookies", []), cookie(name)], "origins": []}


def test_a_profile_is_its_owners_alone_and_comes_back(tmp_path: Path) -> None:
    path = profiles.profile_path(tmp_path / "profiles", "work-1")
    assert profiles.load(path) is None
    assert profiles.names(path.parent) == ()
    assert profiles.update(path, adding("a")) == profiles.load(path)
    profiles.update(path, adding("b"))
    state = profiles.load(path)
    assert state is not None
    assert [row["name"] for row in state["cookies"]] == ["a", "b"]
    assert (stat.S_IMODE(path.stat().st_mode), stat.S_IMODE(path.parent.stat().st_mode)) == (0o600, 0o700)
    assert list(path.parent.iterdir()) == [path]
    assert profiles.names(path.parent) == ("work-1",)
    assert profiles.delete(path.parent, "work-1")
    assert not profiles.delete(path.parent, "work-1")


def profile_id(path: Path) -> str:
    profile = profiles.load_profile(path)
    assert profile is not None
    return profile.id


def test_id_stays_until_the_next_sign_in(tmp_path: Path) -> None:
    path = profiles.profile_path(tmp_path, "shop")
    profiles.renew_id(path)
    assert profiles.load_profile(path) is None
    profiles.update(path, adding("a"))
    first = profile_id(path)
    profiles.update(path, adding("b"))
    assert profile_id(path) == first
    profiles.update(path, adding("c"), is_sign_in=True)
    second = profile_id(path)
    profiles.renew_id(path)
    third = profile_id(path)
    profiles.delete(tmp_path, "shop")
    profiles.update(path, adding("a"))
    assert len({first, second, third, profile_id(path)}) == 4


def test_file_without_an_id_keeps_that_of_its_content(tmp_path: Path) -> None:
    path = profiles.profile_path(tmp_path, "old")
    path.write_text(json.dumps({"cookies": [cookie("a")]}), encoding="utf-8")
    first = profile_id(path)
    profiles.update(path, adding("b"))
    assert profile_id(path) == first
    path.unlink()
    path.write_text(json.dumps({"cookies": [cookie("other")]}), encoding="utf-8")
    assert profile_id(path) != first


def test_changes_at_the_same_time_are_all_made(tmp_path: Path) -> None:
    path = profiles.profile_path(tmp_path, "shared")
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: profiles.update(path, adding(f"c{number}")), range(40)))
    state = profiles.load(path)
    assert state is not None
    assert {row["name"] for row in state["cookies"]} == {f"c{number}" for number in range(40)}


def test_a_change_that_fails_leaves_the_profile_as_it_was(tmp_path: Path) -> None:
    path = profiles.profile_path(tmp_path, "mine")
    before = profiles.update(path, adding("a"))
    with pytest.raises(TypeError):
        profiles.update(path, lambda state: {**state, "cookies": [object()]})
    assert profiles.load(path) == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("name", ["", "..", "a/b", "a\\b", ".hidden", "x" * 65, "nul\0"])
def test_a_name_that_could_mean_another_file_is_no_profile(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput):
        profiles.profile_path(tmp_path, name)


@pytest.mark.parametrize("text", ["", "[", "[]", "\udcff", '{"cookies": [{"value": "hush"}]}', "[" * 100_000])
def test_a_damaged_profile_says_what_to_do(tmp_path: Path, text: str) -> None:
    path = profiles.profile_path(tmp_path, "mine")
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InvalidInput, match="not a storage state") as caught:
        profiles.load(path)
    assert "wellread profile delete" in caught.value.hint
    assert "hush" not in f"{caught.value} {caught.value.__cause__}"
    with pytest.raises(InvalidInput):
        profiles.update(path, adding("a"))


def test_a_profile_that_is_too_large_is_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = profiles.profile_path(tmp_path, "mine")
    path.write_text(json.dumps({"cookies": [cookie("a")]}), encoding="utf-8")
    monkeypatch.setattr(profiles, "MAX_BYTES", 10)
    with pytest.raises(InvalidInput, match="larger than"):
        profiles.load(path)


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InvalidInput, match="cannot be written"):
        profiles.update(tmp_path / "file" / "mine.json", adding("a"))
