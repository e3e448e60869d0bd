"""A profile is one private file, changed under a lock and replaced in one step."""

from __future__ import annotations

import json
import stat
import sys
from concurrent.futures import ThreadPoolExecutor
from subprocess import PIPE
from typing import TYPE_CHECKING, Any

import anyio
import pytest

from wellread.browser import profiles
from wellread.credentials import Credentials, StoredCookie
from wellread.errors import InvalidInput
from wellread.net.guard import parse_url
from wellread.net.profile_cookies import ProfileCookies

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from contextlib import ExitStack
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


HOLDER = (
    "import sys; from pathlib import Path; from wellread.browser import profiles; "
    "lock = profiles.try_turn(Path(sys.argv[1]), 'shop', 'a.example'); print(lock is not None, flush=True); "
    "sys.stdin.read()"
)


@pytest.mark.skipif(sys.platform == "win32", reason="has no such locks")
async def test_reads_of_two_processes_take_turns_at_a_site(tmp_path: Path) -> None:
    cookie = StoredCookie(name="session", value="1", domain="a.example", is_host_only=True)
    credentials = Credentials(identity="ann", cookies=(cookie,), profile="shop", profile_id="1")
    order: list[str] = []

    refused = anyio.Event()

    class Store:
        def load(self, profile: str, profile_id: str) -> tuple[StoredCookie, ...]:
            assert (profile, profile_id) == ("shop", "1")
            return (cookie,)

        def save(self, profile: str, profile_id: str, rows: Sequence[Mapping[str, object]]) -> None:
            raise AssertionError(profile, profile_id, rows)

        def try_turn(self, profile: str, domain: str) -> ExitStack | None:
            lock = profiles.try_turn(tmp_path, profile, domain)
            if lock is None:
                anyio.from_thread.run_sync(refused.set)
            return lock

    async def read() -> None:
        async with ProfileCookies(Store()).turn(credentials, parse_url("http://a.example/")):
            order.append("read here")

    async with await anyio.open_process([sys.executable, "-c", HOLDER, str(tmp_path)], stdin=PIPE) as holder:
        assert holder.stdin is not None
        assert holder.stdout is not None
        assert (await holder.stdout.receive()).strip() == b"True"
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(read)
            with anyio.fail_after(30):
                await refused.wait()
            other_site = profiles.try_turn(tmp_path, "shop", "b.example")
            assert other_site is not None
            other_site.close()
            order.append("read there")
            await holder.stdin.aclose()
    assert order == ["read there", "read here"]
