"""Downloads that break off: what came is kept, and goes on only if it is still the same file."""

from __future__ import annotations

import gzip
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import anyio
import pytest

from scenario.downloads import DATA, DIGEST, Archive, brought, cut_after, left
from scenario.loopback import FETCH, HASTY, Server, head, moved, then_closes, then_silence, whole
from wellread.errors import InvalidInput, Timeout, TooLarge, Unreachable, Upstream
from wellread.net.downloads import strong_validator

if TYPE_CHECKING:
    from pathlib import Path


pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("no_pauses")]


def kept(folder: Path, kind: str) -> Path:
    return next(folder.glob(f".wellread-*.{kind}"))


def written(folder: Path) -> int:
    return sum(part.stat().st_size for part in folder.glob(".wellread-*.part"))


async def test_what_broke_off_goes_on_where_it_stopped(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    assert not (tmp_path / "file.bin").exists()
    done = await brought(server, tmp_path, sha256=DIGEST)
    assert (done.resumed, done.bytes, done.sha256) == (True, len(DATA), DIGEST)
    assert done.path.read_bytes() == DATA
    assert archive.asked == [None, "bytes=100000-"]
    assert left(tmp_path) == ["file.bin"]


async def test_it_may_break_off_again_and_again(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    for size in (100_000, 200_000):
        server.paths["/file.bin"] = archive
        archive.cut = 100_000
        with pytest.raises(Unreachable, match=f"broke off after {size:,} bytes") as caught:
            await brought(server, tmp_path)
        assert f"{size:,} bytes are saved" in caught.value.hint
        archive.cut = None
    assert (await brought(server, tmp_path)).path.read_bytes() == DATA
    assert archive.asked == [None, "bytes=100000-", "bytes=200000-"]


async def test_a_file_that_changed_meanwhile_is_brought_anew(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    archive.data, archive.etag = DATA[::-1], '"v2"'
    done = await brought(server, tmp_path)
    assert (done.resumed, done.path.read_bytes()) == (False, DATA[::-1])
    assert left(tmp_path) == ["file.bin"]


@pytest.mark.parametrize("etag", [None, 'W/"v1"', "bare"])
async def test_what_the_server_gives_no_strong_name_is_not_kept(
    server: Server, tmp_path: Path, etag: str | None
) -> None:
    archive = Archive(etag=etag)
    await cut_after(100_000, server, tmp_path, archive)
    assert left(tmp_path) == []
    assert (await brought(server, tmp_path)).path.read_bytes() == DATA
    assert archive.asked == [None, None]


@pytest.mark.parametrize(
    "wrong",
    [
        "bytes 0-299999/300000",
        "bytes 100001-299999/300000",
        "bytes 100000-99999/300000",
        "lines 100000-299999/300000",
        "x",
    ],
)
async def test_a_range_that_was_not_asked_for_is_refused(server: Server, tmp_path: Path, wrong: str) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    archive.content_range = wrong
    with pytest.raises(Upstream, match="another range"):
        await brought(server, tmp_path)
    assert left(tmp_path) == []


async def test_a_range_of_another_version_is_refused(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    wrong = {"Content_Range": f"bytes 100000-{len(DATA) - 1}/{len(DATA)}", "ETag": '"v2"'}
    server.paths["/file.bin"] = whole(DATA[100_000:], "206 Partial Content", **wrong)
    with pytest.raises(Upstream, match="another range"):
        await brought(server, tmp_path)


async def test_a_range_that_nobody_asked_for_is_refused(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(b"x" * 10, "206 Partial Content", Content_Range="bytes 0-9/10")
    with pytest.raises(Upstream, match="another range"):
        await brought(server, tmp_path)
    assert left(tmp_path) == []


async def test_a_range_shorter_than_the_rest_is_kept_as_far_as_it_goes(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    fields = {"Content_Range": f"bytes 100000-199999/{len(DATA)}", "ETag": '"v1"'}
    server.paths["/file.bin"] = whole(DATA[100_000:200_000], "206 Partial Content", **fields)
    with pytest.raises(Unreachable, match="only 200,000 of 300,000 bytes came"):
        await brought(server, tmp_path)
    server.paths["/file.bin"] = archive
    assert (await brought(server, tmp_path)).path.read_bytes() == DATA


async def test_a_range_that_cannot_be_had_starts_anew(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    server.paths["/file.bin"] = [whole(b"", "416 Range Not Satisfiable"), whole(DATA)]
    done = await brought(server, tmp_path)
    assert (done.resumed, done.path.read_bytes()) == (False, DATA)


async def test_a_server_in_trouble_costs_nothing_of_what_is_kept(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    for answer in (whole(b"oops", "500 Oops"), then_closes(b""), then_closes(head(Content_Length="9", ETag='"v3"'))):
        server.paths["/file.bin"] = answer
        with pytest.raises((Upstream, Unreachable)):
            await brought(server, tmp_path)
    server.paths["/file.bin"] = archive
    assert (await brought(server, tmp_path)).resumed


async def test_a_range_is_asked_for_beyond_a_redirect_too(server: Server, other: Server, tmp_path: Path) -> None:
    archive = Archive(cut=100_000)
    server.paths["/file.bin"] = moved(other.url("/mirror.bin"))
    other.paths["/mirror.bin"] = archive
    with pytest.raises(Unreachable):
        await brought(server, tmp_path, also=(other,))
    archive.cut = None
    assert (await brought(server, tmp_path, also=(other,))).resumed


async def test_a_packed_answer_that_broke_off_is_not_kept(server: Server, tmp_path: Path) -> None:
    packed = gzip.compress(DATA)
    server.paths["/file.bin"] = whole(packed[: len(packed) // 2], Content_Encoding="gzip", ETag='"v1"')
    with pytest.raises(Unreachable, match="gzip coding breaks off"):
        await brought(server, tmp_path)
    assert left(tmp_path) == []


async def test_silence_ends_a_download_and_keeps_what_came(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = then_silence(head(Content_Length="5000", ETag='"v1"') + b"hello")
    with pytest.raises(Unreachable, match="sent nothing for") as caught:
        await brought(server, tmp_path, fetch=HASTY)
    assert "5 bytes are saved" in caught.value.hint


async def test_the_deadline_of_the_body_is_its_own(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = then_silence(head(Content_Length="5000", ETag='"v1"') + b"hello")
    with pytest.raises(Timeout, match="longer than 1 s") as caught:
        await brought(server, tmp_path, timeout_s=1)  # the first bytes come at once, or soon on a slow machine
    assert "5 bytes are saved" in caught.value.hint
    server.paths["/file.bin"] = then_silence(b"")
    with pytest.raises(Timeout, match=r"longer than 0\.3 s"):
        await brought(server, tmp_path, fetch=replace(FETCH, timeout_s=0.3), timeout_s=None)


async def test_what_is_cancelled_is_kept(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = then_silence(head(Content_Length="300000", ETag='"v1"') + DATA[:100_000])
    with anyio.fail_after(60):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(brought, server, tmp_path))
            while written(tmp_path) < 100_000:
                await anyio.lowlevel.checkpoint()
            tasks.cancel_scope.cancel()
    server.paths["/file.bin"] = Archive()
    assert (await brought(server, tmp_path, sha256=DIGEST)).resumed


@pytest.mark.parametrize(
    "note", [b"", b"\xff", b"[]", b'{"validator": 5}', b'{"validator": "\\"v1\\"\\r\\nX: y"}', b"[" * 9_999]
)
async def test_a_damaged_note_of_what_is_kept_starts_anew(server: Server, tmp_path: Path, note: bytes) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    kept(tmp_path, "json").write_bytes(note)
    done = await brought(server, tmp_path)
    assert (done.resumed, done.path.read_bytes(), left(tmp_path)) == (False, DATA, ["file.bin"])


async def test_the_limit_counts_what_is_kept_already(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    with pytest.raises(TooLarge):
        await brought(server, tmp_path, max_bytes=len(DATA) - 1)
    await cut_after(100_000, server, tmp_path, archive)
    assert (await brought(server, tmp_path, max_bytes=len(DATA))).resumed


async def test_a_link_planted_in_place_of_the_part_is_not_followed(server: Server, tmp_path: Path) -> None:
    archive = Archive()
    await cut_after(100_000, server, tmp_path, archive)
    part = kept(tmp_path, "part")
    victim = tmp_path / "victim"
    victim.write_bytes(b"precious")
    part.unlink()
    part.symlink_to(victim)
    with pytest.raises(InvalidInput):
        await brought(server, tmp_path)
    assert victim.read_bytes() == b"precious"


# -------------------------------------------------------------------------------------------------------- validators

DAY = "Tue, 01 Jul 2025 12:00:0"


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ((("ETag", '"v1"'),), '"v1"'),
        ((("etag", 'W/"v1"'), ("Last-Modified", f"{DAY}0 GMT"), ("Date", f"{DAY}9 GMT")), None),
        ((("Last-Modified", f"{DAY}0 GMT"), ("Date", f"{DAY}1 GMT")), f"{DAY}0 GMT"),
        ((("Last-Modified", f"{DAY}0 GMT"), ("Date", f"{DAY}0 GMT")), None),
        ((("Last-Modified", f"{DAY}0 GMT"),), None),
        ((("Last-Modified", "yesterday"), ("Date", f"{DAY}0 GMT")), None),
        ((), None),
    ],
)
def test_only_a_strong_validator_names_a_version(headers: tuple[tuple[str, str], ...], expected: str | None) -> None:
    assert strong_validator(headers) == expected
