"""The file of a recording: continued, cut short, damaged, killed, not a recording at all."""

from __future__ import annotations

import gzip
import os
import signal
import sys
import tracemalloc
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import anyio
import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.bufferedreaders import BufferedReader

from wellread.errors import InvalidInput, Unrecorded
from wellread.net import warc
from wellread.net.guard import Policy, check_url
from wellread.net.recording import RecordingTransport, ReplayTransport
from wellread.net.transport import Hop, HopResponse
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Callable
    from pathlib import Path

    from wellread.net.transport import Transport

pytestmark = pytest.mark.anyio

HELLO = b"<p>hello</p>"


@dataclass
class Server:
    """A transport over bodies, given in order."""

    bodies: list[bytes]

    @asynccontextmanager
    async def send(self, hop: Hop) -> AsyncGenerator[HopResponse, None]:
        async def chunks() -> AsyncIterator[bytes]:
            yield self.bodies.pop(0)

        yield HopResponse(status=200, reason="OK", http_version="1.1", headers=(), chunks=chunks())

    async def aclose(self) -> None: ...


def hop(url: str = "http://pages.example/one") -> Hop:
    return Hop(target=check_url(url, Policy()))


async def ask(transport: Transport, asked: Hop) -> bytes:
    async with transport.send(asked) as answer:
        return b"".join([chunk async for chunk in answer.chunks])


async def record(path: Path, *bodies: bytes, asked: Hop | None = None) -> None:
    recorder = RecordingTransport(Server(list(bodies)), path, FakeClock())
    for _ in range(len(bodies)):
        await ask(recorder, asked or hop())


def content(path: Path) -> bytes:
    return path.read_bytes()


def vanish(path: Path) -> None:
    path.unlink()


def keep(path: Path, content: bytes) -> None:
    path.write_bytes(content)


@pytest.fixture(params=["run.warc", "run.warc.gz"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return tmp_path / str(request.param)


async def test_a_second_run_continues_the_recording(path: Path) -> None:
    await record(path, b"one")
    await record(path, b"two")
    replay = ReplayTransport(path)
    assert [await ask(replay, hop()) for _ in range(2)] == [b"one", b"two"]


async def test_a_file_goes_on_as_it_began_whatever_its_name(tmp_path: Path) -> None:
    await record(tmp_path / "run.warc.gz", b"one")
    path = (tmp_path / "run.warc.gz").rename(tmp_path / "run.warc")
    await record(path, b"two")
    with path.open("rb") as file:
        assert len(list(ArchiveIterator(file))) == 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"Dear diary,\nnothing happened.\n", "no WARC record begins at byte 0"),
        (b"\x00" * 5000, "no WARC record begins"),
        (gzip.compress(b"not a record", mtime=0), "no WARC record begins"),
        (b"\x1f\x8b\x08garbage that does not inflate", "compressed data is broken"),
        (b"WARC/1.1\r\nWARC-Type: response\r\nContent-Length: many\r\n\r\nxxx", "no WARC record begins"),
    ],
)
async def test_a_file_that_is_no_recording_is_refused_and_left_alone(tmp_path: Path, text: bytes, reason: str) -> None:
    path = tmp_path / "diary.txt"
    keep(path, text)
    for opening in (lambda: ReplayTransport(path), lambda: RecordingTransport(Server([]), path, FakeClock())):
        with pytest.raises(InvalidInput, match=reason) as failure:
            opening()
        assert str(path) in failure.value.message
    assert content(path) == text


async def test_a_missing_or_empty_recording_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"none\.warc.*No such file"):
        ReplayTransport(tmp_path / "none.warc")
    (tmp_path / "empty.warc").touch()
    with pytest.raises(InvalidInput, match="it is empty"):
        ReplayTransport(tmp_path / "empty.warc")
    with pytest.raises(InvalidInput, match="cannot write the recording"):
        RecordingTransport(Server([]), tmp_path / "no" / "folder" / "run.warc", FakeClock())


async def test_a_recording_cut_anywhere_replays_what_precedes_the_cut(
    path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ends, hops = [], [hop(f"http://pages.example/{number}") for number in range(3)]
    for asked in hops:
        await record(path, HELLO, asked=asked)
        ends.append(len(content(path)))
    whole = content(path)
    for at in range(0, len(whole), 7):
        keep(path, whole[:at])
        expected = [asked for asked, end in zip(hops, ends, strict=True) if end <= at]
        try:
            replay = ReplayTransport(path)
        except InvalidInput:
            assert not expected
            continue
        for asked in expected:
            assert await ask(replay, asked) == HELLO
    assert capsys.readouterr() == ("", "")


async def test_a_torn_recording_is_replayed_but_not_continued(path: Path) -> None:
    await record(path, HELLO)
    whole = content(path)
    keep(path, whole[:-30])
    assert await ask(ReplayTransport(path), hop()) == HELLO
    with pytest.raises(InvalidInput, match="ends in the middle of a record"):
        await record(path, HELLO)
    assert content(path) == whole[:-30]


async def test_damage_in_the_middle_is_told_from_a_cut(tmp_path: Path) -> None:
    path = tmp_path / "run.warc.gz"
    await record(path, os.urandom(3000), HELLO)
    whole = bytearray(content(path))
    whole[1500:1600] = bytes(100)
    keep(path, bytes(whole))
    with pytest.raises(InvalidInput, match="compressed data is broken"):
        ReplayTransport(path)


@pytest.mark.parametrize(
    ("head", "reason"),
    [
        (b"a:b\r\n" * 500_000, "the head of the record at byte 0 has more than 1,000 lines"),
        (b"A: " + b"b" * 2_000_000, "the head of the record at byte 0 has more"),
        (b"A: b\r\n" + b" b\r\n" * 500_000, "the head of the record at byte 0 has more"),
        ((b"A: " + b"b" * 60_000 + b"\r\n") * 10, "the head of the record at byte 0 has more"),
        (b"Content-Length: 0\r\n\r\n" + b"\r\n" * 500_000, "empty lines follow the record at byte 0"),
    ],
    ids=["fields", "line", "folded", "bytes", "blank"],
)
@pytest.mark.parametrize("pack", [gzip.compress, bytes], ids=["packed", "plain"])
async def test_a_record_without_end_is_damaged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pack: Callable[[bytes], bytes], head: bytes, reason: str
) -> None:
    """A packed head of half a megabyte once took minutes and 900 MB to replay."""
    path = tmp_path / "run.warc.gz"
    path.write_bytes(pack(b"WARC/1.0\r\nWARC-Type: response\r\n" + head + b"\r\nContent-Length: 0\r\n\r\n\r\n\r\n"))
    lines = 0
    readline = BufferedReader.readline

    def counted(reader: object, length: int | None = None) -> bytes:
        nonlocal lines
        lines += 1
        line: bytes = readline(reader, length)
        assert len(line) <= warc.MAX_LINE
        return line

    monkeypatch.setattr(BufferedReader, "readline", counted)
    with pytest.raises(InvalidInput, match=reason):
        ReplayTransport(path)
    assert lines <= 2 * warc.MAX_HEAD_LINES


async def test_index_of_a_recording_keeps_no_bodies(path: Path) -> None:
    asked = replace(hop(), method="POST", body=b"q" * 1_000_000)
    await record(path, *[HELLO] * 4, asked=asked)
    tracemalloc.start()
    try:
        replay = ReplayTransport(path)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert await ask(replay, asked) == HELLO
    assert peak_bytes < 3_800_000  # of four bodies, one at a time, with its copies


async def test_a_recording_compressed_as_a_whole_says_what_to_do(tmp_path: Path) -> None:
    await record(tmp_path / "run.warc", HELLO, HELLO)
    path = tmp_path / "run.warc.gz"
    keep(path, gzip.compress(content(tmp_path / "run.warc")))
    with pytest.raises(InvalidInput, match="compressed as a whole") as failure:
        ReplayTransport(path)
    assert "gunzip" in failure.value.hint


async def test_a_recording_that_vanished_meanwhile_is_a_clear_error(path: Path) -> None:
    await record(path, HELLO)
    replay = ReplayTransport(path)
    vanish(path)
    with pytest.raises(InvalidInput, match="No such file"):
        await ask(replay, hop())


KILLED = """
import os, signal, sys
from contextlib import asynccontextmanager
from pathlib import Path
import anyio
from wellread.net.recording import RecordingTransport
from wellread.net.guard import Policy, check_url
from wellread.net.transport import Hop, HopResponse
from wellread.testing import FakeClock

class Server:
    @asynccontextmanager
    async def send(self, hop):
        async def chunks():
            yield b"x" * 100_000
            if hop.target.path == "/2":
                os.kill(os.getpid(), signal.SIGKILL)
        yield HopResponse(status=200, reason="OK", http_version="1.1", headers=(), chunks=chunks())

async def main():
    recorder = RecordingTransport(Server(), Path(sys.argv[1]), FakeClock())
    for number in range(3):
        async with recorder.send(Hop(target=check_url(f"http://pages.example/{number}", Policy()))) as answer:
            async for _ in answer.chunks:
                pass

anyio.run(main)
"""


async def test_a_killed_run_leaves_every_finished_hop_readable(path: Path) -> None:
    done = await anyio.run_process([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    replay = ReplayTransport(path)
    assert [len(await ask(replay, hop(f"http://pages.example/{n}"))) for n in range(2)] == [100_000] * 2
    with pytest.raises(Unrecorded):
        await ask(replay, hop("http://pages.example/2"))
