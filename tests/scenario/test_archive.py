"""What was recorded replays alike, whichever tool recorded it, and no secret or half a record gets in the way."""

from __future__ import annotations

import gzip
import io
import os
import shutil
import signal
import subprocess
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from wellread.errors import InvalidInput, TooLarge, Unreachable, Unrecorded, WellreadError
from wellread.net.archive import RecordingTransport, ReplayTransport
from wellread.net.guard import Policy, Target, target
from wellread.net.wire import Answer, Hop
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Sequence
    from pathlib import Path

    from anyio.abc import SocketStream

    from wellread.net.wire import Transport
    from wellread.types import Headers

pytestmark = pytest.mark.anyio

PAGE = "http://pages.example/one"
HTML = (("Content-Type", "text/html; charset=utf-8"),)


@dataclass(frozen=True)
class Says:
    """One answer of a server that needs no network."""

    body: Sequence[bytes] = (b"<p>hello</p>",)
    status: int = 200
    reason: str = "OK"
    version: str = "1.1"
    headers: Headers = HTML
    breaks: WellreadError | None = None
    stalls: bool = False


@dataclass
class Server:
    """A transport over a list of answers, given in order."""

    answers: list[Says]
    asked: list[Hop] = field(default_factory=list)

    @asynccontextmanager
    async def send(self, hop: Hop) -> AsyncGenerator[Answer, None]:
        says = self.answers[len(self.asked)]
        self.asked.append(hop)
        yield Answer(
            status=says.status,
            reason=says.reason,
            http_version=says.version,
            headers=says.headers,
            chunks=self._chunks(says),
        )

    async def _chunks(self, says: Says) -> AsyncIterator[bytes]:
        for piece in says.body:
            await anyio.lowlevel.checkpoint()
            yield piece
        if says.stalls:
            await anyio.sleep_forever()
        if says.breaks:
            raise says.breaks

    async def aclose(self) -> None: ...


def hop(url: str = PAGE, method: str = "GET", headers: Headers = (), body: bytes = b"") -> Hop:
    found = target(url, Policy())
    return Hop(target=found, method=method, headers=(("Host", found.authority), *headers), body=body)


def loopback(port: int, path: str) -> Hop:
    url = f"http://127.0.0.1:{port}{path}"
    return Hop(target=Target("http", "127.0.0.1", port, path, url))


async def ask(transport: Transport, asked: Hop) -> tuple[Answer, bytes]:
    async with transport.send(asked) as answer:
        return answer, b"".join([chunk async for chunk in answer.chunks])


async def record(path: Path, *answers: Says, hops: Sequence[Hop] = ()) -> None:
    recorder = RecordingTransport(Server(list(answers)), path, FakeClock())
    for asked in hops or [hop()] * len(answers):
        try:
            await ask(recorder, asked)
        except Unreachable:
            continue
    await recorder.aclose()


def content(path: Path) -> bytes:
    return path.read_bytes()


def vanish(path: Path) -> None:
    path.unlink()


def keep(path: Path, content: bytes) -> None:
    path.write_bytes(content)


def records(path: Path) -> list[tuple[str, dict[str, str], bytes]]:
    """Read a file as another tool does: with warcio, checking every digest."""
    with path.open("rb") as file:
        return [
            (one.rec_type, dict(one.rec_headers.headers), one.raw_stream.read())
            for one in ArchiveIterator(file, verify_http=True, check_digests="raise")
        ]


@pytest.fixture(params=["run.warc", "run.warc.gz"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return tmp_path / str(request.param)


# -------------------------------------------------------------------------------------------- our own recordings


async def test_an_answer_replays_as_it_came(path: Path) -> None:
    body = gzip.compress(b"<p>packed</p>", mtime=0)
    headers = (
        *HTML,
        ("Content-Encoding", "gzip"),
        ("Content-Length", str(len(body))),
        ("X-Name", "caf\xe9"),
        ("X-Name", "b"),
    )
    await record(path, Says(body=[body[:9], body[9:]], status=203, reason="Hm", headers=headers))
    answer, replayed = await ask(ReplayTransport(path), hop())
    assert replayed == body
    assert (answer.status, answer.reason, answer.http_version, answer.headers) == (203, "Hm", "1.1", headers)
    assert answer.replayed


async def test_http_2_and_an_empty_reason_survive(path: Path) -> None:
    await record(path, Says(version="2", reason="", headers=(("content-type", "text/html"),)))
    answer, _ = await ask(ReplayTransport(path), hop())
    assert (answer.http_version, answer.reason, answer.headers) == ("2", "", (("content-type", "text/html"),))


async def test_an_undone_transfer_coding_is_recorded_as_a_length(path: Path) -> None:
    await record(path, Says(body=[b"abc", b"def"], headers=(*HTML, ("Transfer-Encoding", "chunked"))))
    answer, body = await ask(ReplayTransport(path), hop())
    assert (answer.headers, body) == ((*HTML, ("Content-Length", "6")), b"abcdef")


async def test_another_tool_finds_every_digest_right_and_the_records_linked(path: Path) -> None:
    await record(path, Says(), Says(status=404), hops=[hop(), hop(method="POST", body=b"q=1")])
    found = records(path)
    assert [kind for kind, _, _ in found] == ["warcinfo", "response", "request", "response", "request"]
    assert found[2][1]["WARC-Concurrent-To"] == found[1][1]["WARC-Record-ID"]
    assert found[1][1]["WARC-Date"] == "2026-01-01T00:00:00.000000Z"
    assert [body for _, _, body in found[1:]] == [b"<p>hello</p>", b"", b"<p>hello</p>", b"q=1"]
    assert content(path).startswith(b"\x1f\x8b") == path.name.endswith(".gz")


token = st.from_regex(r"X-[a-z]{1,8}", fullmatch=True)
value = st.text(st.characters(min_codepoint=0x21, max_codepoint=0xFF, exclude_characters="\x7f"), max_size=30)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    bodies=st.lists(st.lists(st.binary(max_size=300), max_size=3), min_size=1, max_size=4),
    headers=st.lists(st.tuples(token, value), max_size=4),
    status=st.sampled_from([200, 302, 404, 500]),
    compressed=st.booleans(),
)
async def test_whatever_was_recorded_replays_byte_for_byte(
    tmp_path: Path, bodies: list[list[bytes]], headers: list[tuple[str, str]], status: int, compressed: bool
) -> None:
    path = tmp_path / ("any.warc.gz" if compressed else "any.warc")
    path.unlink(missing_ok=True)
    hops = [hop(f"http://pages.example/{number}?x=%20#top") for number in range(len(bodies))]
    await record(path, *(Says(body=body, headers=tuple(headers), status=status) for body in bodies), hops=hops)
    replay = ReplayTransport(path)
    for asked, body in zip(hops, bodies, strict=True):
        answer, replayed = await ask(replay, asked)
        kept = [(name, text.strip("\xa0\x85")) for name, text in answer.headers]
        assert (replayed, answer.status) == (b"".join(body), status)
        assert kept == [(name, text.strip("\xa0\x85")) for name, text in headers]


async def test_a_retry_replays_as_it_went_and_then_keeps_its_last_answer(path: Path) -> None:
    await record(path, Says(status=429), Says(body=[b"second"]))
    replay = ReplayTransport(path)
    assert [(await ask(replay, hop()))[0].status for _ in range(4)] == [429, 200, 200, 200]


async def test_the_method_and_the_body_of_a_request_matter(path: Path) -> None:
    hops = [hop(method="POST", body=b"a"), hop(method="POST", body=b"b"), hop(), hop(method="HEAD")]
    answers = [Says(body=[b"to a"]), Says(body=[b"to b"]), Says(body=[b"got"]), Says(body=[], status=405)]
    await record(path, *answers, hops=hops)
    replay = ReplayTransport(path)
    assert [(await ask(replay, asked))[1] for asked in reversed(hops)] == [b"", b"got", b"to b", b"to a"]
    assert (await ask(replay, hops[3]))[0].status == 405
    with pytest.raises(Unrecorded, match="the answer to POST"):
        await ask(replay, hop(method="POST", body=b"c"))


async def test_a_head_request_is_answered_by_the_head_of_a_get(path: Path) -> None:
    await record(path, Says(headers=(*HTML, ("Content-Length", "12"))))
    answer, body = await ask(ReplayTransport(path), hop(method="HEAD"))
    assert (answer.headers[1], body) == (("Content-Length", "12"), b"")


async def test_not_modified_answers_only_those_who_asked_whether_it_is(path: Path) -> None:
    asking = hop(headers=(("If-None-Match", '"1"'),))
    await record(path, Says(), Says(status=304, body=[]), hops=[hop(), asking])
    replay = ReplayTransport(path)
    assert [(await ask(replay, hop()))[0].status for _ in range(3)] == [200, 200, 200]
    assert [(await ask(replay, asking))[0].status for _ in range(3)] == [200, 304, 304]


@pytest.mark.parametrize(
    "url",
    [
        "http://pages.example:80/one",
        "HTTP://PAGES.example/a/../one#part",
        "http://pages.example/%6Fne".replace("%6F", "o"),
    ],
)
async def test_a_url_is_found_however_it_is_written(path: Path, url: str) -> None:
    await record(path, Says())
    assert (await ask(ReplayTransport(path), hop(url)))[0].status == 200


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("https://www.pages.example/one/", "it holds http://pages.example/one"),
        ("http://pages.example/onne", "it holds http://pages.example/one"),
        ("http://elsewhere.example/", "record the run again"),
        ("http://pages.example/robots.txt", "record the run again"),
    ],
)
async def test_a_missing_url_is_named_and_a_near_one_offered(path: Path, url: str, hint: str) -> None:
    await record(path, Says())
    with pytest.raises(Unrecorded) as failure:
        await ask(ReplayTransport(path), hop(url))
    assert url in failure.value.message
    assert failure.value.hint.startswith(hint)


async def test_replay_makes_no_connection_and_resolves_nothing(path: Path) -> None:
    await record(path, Says())
    replay = ReplayTransport(path)
    events: list[str] = []
    watching = [True]
    sys.addaudithook(lambda event, _: events.append(event) if watching and event.startswith("socket.") else None)
    await ask(replay, hop())
    with pytest.raises(Unrecorded):
        await ask(replay, hop("http://never.example/"))
    watching.clear()
    assert not [event for event in events if event in {"socket.connect", "socket.getaddrinfo", "socket.bind"}]


# ---------------------------------------------------------------------------------------- bodies that are not whole


def cut(path: Path) -> str | None:
    return next(fields.get("WARC-Truncated") for kind, fields, _ in records(path) if kind == "response")


async def test_a_body_that_broke_off_breaks_off_again_after_the_same_bytes(path: Path) -> None:
    await record(path, Says(body=[b"first", b"second"], breaks=Unreachable("reset")))
    async with ReplayTransport(path).send(hop()) as answer:
        assert await anext(answer.chunks) == b"firstsecond"
        with pytest.raises(Unreachable, match="only in part"):
            await anext(answer.chunks)
    assert cut(path) == "disconnect"


async def read_one_piece(transport: Transport) -> None:
    async with transport.send(hop()) as answer:
        async for _ in answer.chunks:
            raise TooLarge("enough")


async def test_a_body_over_the_limit_is_kept_as_far_as_it_was_read(path: Path) -> None:
    recorder = RecordingTransport(Server([Says(body=[b"x" * 50] * 9)]), path, FakeClock())
    with pytest.raises(TooLarge):
        await read_one_piece(recorder)
    assert cut(path) == "length"
    assert records(path)[1][2].endswith(b"x" * 50)


async def test_a_body_nobody_wanted_is_marked_so_and_its_head_replays(path: Path) -> None:
    recorder = RecordingTransport(Server([Says(status=302, headers=(("Location", "/two"),))]), path, FakeClock())
    async with recorder.send(hop()):
        pass
    assert cut(path) == "unspecified"
    async with ReplayTransport(path).send(hop()) as answer:
        assert answer.headers == (("Location", "/two"),)


async def test_a_deadline_in_the_middle_leaves_what_had_come(path: Path) -> None:
    recorder = RecordingTransport(Server([Says(body=[b"first"], stalls=True)]), path, FakeClock())
    with anyio.move_on_after(0.02):
        await ask(recorder, hop())
    assert cut(path) == "time"


@pytest.mark.parametrize("says", [Says(status=204, body=[]), Says(headers=(("Content-Length", "0"),), body=[])])
async def test_an_answer_without_a_body_is_whole_unread(path: Path, says: Says) -> None:
    recorder = RecordingTransport(Server([says]), path, FakeClock())
    async with recorder.send(hop()):
        pass
    assert cut(path) is None


async def test_a_body_shorter_than_its_length_is_not_passed_off_as_whole(path: Path) -> None:
    await record(path, Says(headers=(("Content-Length", "999"),)))
    with pytest.raises(Unreachable, match="only in part"):
        await ask(ReplayTransport(path), hop())


# ------------------------------------------------------------------------------------------------- the file itself


async def test_secrets_in_headers_are_not_written(tmp_path: Path) -> None:
    names = [
        "Authorization",
        "Proxy-Authorization",
        "Cookie",
        "X-Api-Key",
        "X-Subscription-Token",
        "apikey",
        "X-Secret",
    ]
    path = tmp_path / "run.warc"
    sent = hop(headers=(*((name, "hush-hush") for name in names), ("Accept", "text/html")))
    await record(path, Says(headers=(*HTML, ("Set-Cookie", "sid=hush-hush"))), hops=[sent])
    assert b"hush" not in content(path)
    assert b"Accept: text/html" in content(path)


async def test_hops_at_the_same_time_do_not_mix(path: Path) -> None:
    hops = [hop(f"http://pages.example/{number}") for number in range(40)]
    bodies = [[b"%d " % number] * 200 for number in range(40)]
    recorder = RecordingTransport(Server([Says(body=body) for body in bodies]), path, FakeClock())
    async with anyio.create_task_group() as group:
        for asked in hops:
            group.start_soon(ask, recorder, asked)
    replay = ReplayTransport(path)
    got = [(await ask(replay, asked))[1] for asked in hops]
    assert sorted(got) == sorted(b"".join(body) for body in bodies)
    assert len(records(path)) == 81


async def test_a_second_run_continues_the_recording(path: Path) -> None:
    await record(path, Says(body=[b"one"]))
    await record(path, Says(body=[b"two"]))
    replay = ReplayTransport(path)
    assert [(await ask(replay, hop()))[1] for _ in range(2)] == [b"one", b"two"]


async def test_a_file_goes_on_as_it_began_whatever_its_name(tmp_path: Path) -> None:
    await record(tmp_path / "run.warc.gz", Says(body=[b"one"]))
    path = (tmp_path / "run.warc.gz").rename(tmp_path / "run.warc")
    await record(path, Says(body=[b"two"]))
    assert len(records(path)) == 6


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"Dear diary,\nnothing happened.\n", "no WARC record begins at byte 0"),
        (b"\x00" * 5000, "no WARC record begins"),
        (gzip.compress(b"not a record"), "no WARC record begins"),
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
        await record(path, Says(), hops=[asked])
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
            assert (await ask(replay, asked))[1] == b"<p>hello</p>"
    assert capsys.readouterr() == ("", "")


async def test_a_torn_recording_is_replayed_but_not_continued(path: Path) -> None:
    await record(path, Says())
    whole = content(path)
    keep(path, whole[:-30])
    assert (await ask(ReplayTransport(path), hop()))[0].status == 200
    with pytest.raises(InvalidInput, match="ends in the middle of a record"):
        await record(path, Says())
    assert content(path) == whole[:-30]


async def test_damage_in_the_middle_is_told_from_a_cut(tmp_path: Path) -> None:
    path = tmp_path / "run.warc.gz"
    await record(path, Says(body=[os.urandom(3000)]), Says())
    whole = bytearray(content(path))
    whole[1500:1600] = bytes(100)
    keep(path, bytes(whole))
    with pytest.raises(InvalidInput, match="compressed data is broken"):
        ReplayTransport(path)


async def test_a_recording_compressed_as_a_whole_says_what_to_do(tmp_path: Path) -> None:
    await record(tmp_path / "run.warc", Says(), Says())
    path = tmp_path / "run.warc.gz"
    keep(path, gzip.compress(content(tmp_path / "run.warc")))
    with pytest.raises(InvalidInput, match="compressed as a whole") as failure:
        ReplayTransport(path)
    assert "gunzip" in failure.value.hint


async def test_a_recording_that_vanished_meanwhile_is_a_clear_error(path: Path) -> None:
    await record(path, Says())
    replay = ReplayTransport(path)
    vanish(path)
    with pytest.raises(InvalidInput, match="No such file"):
        await ask(replay, hop())


KILLED = """
import os, signal, sys
from contextlib import asynccontextmanager
from pathlib import Path
import anyio
from wellread.net.archive import RecordingTransport
from wellread.net.guard import Policy, target
from wellread.net.wire import Answer, Hop
from wellread.testing import FakeClock

class Server:
    @asynccontextmanager
    async def send(self, hop):
        async def chunks():
            yield b"x" * 100_000
            if hop.target.path == "/2":
                os.kill(os.getpid(), signal.SIGKILL)
        yield Answer(status=200, reason="OK", http_version="1.1", headers=(), chunks=chunks())

async def main():
    recorder = RecordingTransport(Server(), Path(sys.argv[1]), FakeClock())
    for number in range(3):
        async with recorder.send(Hop(target=target(f"http://pages.example/{number}", Policy()))) as answer:
            async for _ in answer.chunks:
                pass

anyio.run(main)
"""


async def test_a_killed_run_leaves_every_finished_hop_readable(path: Path) -> None:
    done = await anyio.run_process([sys.executable, "-c", KILLED, str(path)], check=False)
    assert done.returncode == -signal.SIGKILL
    replay = ReplayTransport(path)
    assert [len((await ask(replay, hop(f"http://pages.example/{n}")))[1]) for n in range(2)] == [100_000] * 2
    with pytest.raises(Unrecorded):
        await ask(replay, hop("http://pages.example/2"))


# -------------------------------------------------------------------------------------------- other tools' recordings


@dataclass
class Tool:
    """Writes records as warcio's users do."""

    path: Path
    out: io.BytesIO = field(default_factory=io.BytesIO)

    def write(self, kind: str, url: str, head: str | None, body: bytes, **fields: str) -> None:
        writer = WARCWriter(self.out, gzip=self.path.name.endswith(".gz"))
        http = None
        if head is not None:
            first, *rest = head.split("\n")
            protocol, _, status = first.partition(" ")
            http = StatusAndHeaders(status, [tuple(line.split(": ")) for line in rest], protocol=protocol)
        named = {name.replace("_", "-"): value for name, value in fields.items()}
        one = writer.create_warc_record(
            url, kind, payload=io.BytesIO(body), length=len(body), http_headers=http, warc_headers_dict=named
        )
        writer.write_record(one)
        self.path.write_bytes(self.out.getvalue())


@pytest.fixture
def tool(path: Path) -> Tool:
    return Tool(path)


async def test_a_chunked_body_stored_as_it_was_sent_is_put_together(tool: Tool) -> None:
    raw = b"5;note=1\r\nhello\r\n6\r\n world\r\n0\r\nX-Trailer: 1\r\n\r\n"
    tool.write("response", PAGE, "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nX-A: 1", raw)
    answer, body = await ask(ReplayTransport(tool.path), hop())
    assert (body, answer.headers) == (b"hello world", (("X-A", "1"),))


async def test_a_body_that_only_claims_to_be_chunked_is_taken_as_it_is(tool: Tool) -> None:
    tool.write("response", PAGE, "HTTP/1.1 200 OK\nTransfer-Encoding: chunked", b"<p>undone already</p>")
    assert (await ask(ReplayTransport(tool.path), hop()))[1] == b"<p>undone already</p>"


@pytest.mark.parametrize("raw", [b"5\r\nhel", b"5\r\nhello\r\n", b"5\r\nhello\r\nzz\r\n"])
async def test_a_chunked_body_without_its_end_is_not_whole(tool: Tool, raw: bytes) -> None:
    tool.write("response", PAGE, "HTTP/1.1 200 OK\nTransfer-Encoding: chunked", raw)
    with pytest.raises(Unreachable, match="only in part"):
        await ask(ReplayTransport(tool.path), hop())


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(chunks=st.lists(st.binary(min_size=1, max_size=200), max_size=6), upper=st.booleans())
async def test_any_chunking_of_a_body_gives_the_body_back(tmp_path: Path, chunks: list[bytes], upper: bool) -> None:
    tool = Tool(tmp_path / "chunks.warc")
    sizes = [f"{len(chunk):X}" if upper else f"{len(chunk):x}" for chunk in chunks]
    raw = b"".join(size.encode() + b"\r\n" + chunk + b"\r\n" for size, chunk in zip(sizes, chunks, strict=True))
    tool.write("response", PAGE, "HTTP/1.1 200 OK\nTransfer-Encoding: chunked", raw + b"0\r\n\r\n")
    assert (await ask(ReplayTransport(tool.path), hop()))[1] == b"".join(chunks)


@pytest.mark.parametrize(
    ("line", "version", "reason"),
    [("HTTP/2 200", "2", ""), ("HTTP/2.0 200 OK", "2", "OK"), ("HTTP/1.0 200 All right", "1.0", "All right")],
)
async def test_any_version_of_http_is_read(tool: Tool, line: str, version: str, reason: str) -> None:
    tool.write("response", PAGE, line, b"x")
    answer, _ = await ask(ReplayTransport(tool.path), hop())
    assert (answer.status, answer.http_version, answer.reason) == (200, version, reason)


async def test_urls_in_angle_brackets_and_unwritten_slashes_are_found(tool: Tool) -> None:
    tool.write("response", "<http://pages.example>", "HTTP/1.1 200 OK", b"root")
    assert (await ask(ReplayTransport(tool.path), hop("http://pages.example/")))[1] == b"root"


async def test_a_resource_record_is_a_page_of_its_own_type(tool: Tool) -> None:
    tool.write("resource", PAGE, None, b"%PDF-", Content_Type="application/pdf")
    answer, body = await ask(ReplayTransport(tool.path), hop())
    assert (answer.status, body, answer.headers[0]) == (200, b"%PDF-", ("Content-Type", "application/pdf"))


@pytest.mark.parametrize(
    "link",
    [
        {"WARC_Refers_To": "<urn:uuid:1>"},
        {"WARC_Refers_To_Target_URI": PAGE, "WARC_Refers_To_Date": "2026-01-01T00:00:00Z"},
        {"WARC_Payload_Digest": "sha1:AAAA"},
    ],
)
async def test_a_revisit_takes_its_body_from_the_record_it_names(tool: Tool, link: dict[str, str]) -> None:
    known = {"WARC_Record_ID": "<urn:uuid:1>", "WARC_Date": "2026-01-01T00:00:00Z", "WARC_Payload_Digest": "sha1:AAAA"}
    tool.write("response", PAGE, "HTTP/1.1 200 OK\nX-At: one", b"the same", **known)
    tool.write("revisit", "http://pages.example/two", "HTTP/1.1 203 Again\nX-At: two", b"", **link)
    tool.write("revisit", "http://pages.example/three", "HTTP/1.1 304 Not Modified", b"", **link)
    tool.write("revisit", "http://pages.example/four", "HTTP/1.1 200 OK", b"", WARC_Refers_To="<urn:uuid:9>")
    replay = ReplayTransport(tool.path)
    answer, body = await ask(replay, hop("http://pages.example/two"))
    assert (answer.status, answer.headers, body) == (203, (("X-At", "two"),), b"the same")
    answer, body = await ask(replay, hop("http://pages.example/three"))
    assert (answer.status, answer.headers, body) == (200, (("X-At", "one"),), b"the same")
    with pytest.raises(Unrecorded):
        await ask(replay, hop("http://pages.example/four"))


@pytest.mark.parametrize("by", ["answer", "request", "date"])
async def test_a_request_is_joined_to_its_answer_however_they_are_linked(tool: Tool, by: str) -> None:
    linked = {"answer": {"WARC_Concurrent_To": "<urn:uuid:2>"}}.get(by, {})
    tool.write("response", PAGE, "HTTP/1.1 200 OK", b"to post", WARC_Record_ID="<urn:uuid:1>", WARC_Date="d", **linked)
    linked = {"request": {"WARC_Concurrent_To": "<urn:uuid:1>"}}.get(by, {})
    date = "d" if by == "date" else "e"
    request = b"POST /one HTTP/1.1\r\nHost: pages.example\r\n\r\nq=1"
    tool.write("request", PAGE, None, request, WARC_Record_ID="<urn:uuid:2>", WARC_Date=date, **linked)
    replay = ReplayTransport(tool.path)
    assert (await ask(replay, hop(method="POST", body=b"q=1")))[1] == b"to post"
    with pytest.raises(Unrecorded):
        await ask(replay, hop())


async def test_records_that_answer_nothing_are_passed_over(tool: Tool) -> None:
    tool.write("metadata", PAGE, None, b"fetchTimeMs: 3")
    tool.write("response", "dns:pages.example", None, b"203.0.113.1")
    tool.write("resource", "http://[bad/", None, b"x")
    tool.write("response", PAGE, "HTTP/1.1 200 OK\nX-Long: a\n  b: c", b"here")
    answer, body = await ask(ReplayTransport(tool.path), hop())
    assert (answer.headers, body) == ((("X-Long", "a b: c"),), b"here")


async def serve_pages(stream: SocketStream) -> None:
    async with stream:
        asked = b""
        while not asked.endswith(b"\r\n\r\n"):
            asked += await stream.receive()
        path = asked.split(b" ")[1]
        answers = {
            b"/chunked": b"HTTP/1.1 200 OK\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
            b"4\r\nwget\r\n3\r\n it\r\n0\r\n\r\n",
            b"/moved": b"HTTP/1.1 302 Found\r\nLocation: /chunked\r\nConnection: close\r\nContent-Length: 0\r\n\r\n",
        }
        await stream.send(answers.get(path, b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\n\r\ngone"))


@pytest.mark.skipif(shutil.which("wget") is None, reason="wget is not installed")
@pytest.mark.parametrize("options", [[], ["--no-warc-compression"]])
async def test_what_wget_recorded_replays(tmp_path: Path, options: list[str]) -> None:
    async with await anyio.create_tcp_listener(local_host="127.0.0.1") as listener, anyio.create_task_group() as group:
        port = listener.extra(anyio.abc.SocketAttribute.local_port)
        group.start_soon(listener.serve, serve_pages)
        urls = [f"http://127.0.0.1:{port}{path}" for path in ("/moved", "/missing")]
        command = ["wget", "-q", "--no-proxy", "--tries=1", "-O", os.devnull, "--warc-file=run", *options, *urls]
        await anyio.run_process(command, cwd=tmp_path, check=False, stderr=subprocess.DEVNULL)
        group.cancel_scope.cancel()
    replay = ReplayTransport(tmp_path / ("run.warc" if options else "run.warc.gz"))
    answer, _ = await ask(replay, loopback(port, "/moved"))
    assert (answer.status, dict(answer.headers)["Location"]) == (302, "/chunked")
    assert (await ask(replay, loopback(port, "/chunked")))[1] == b"wget it"
    answer, body = await ask(replay, loopback(port, "/missing"))
    assert (answer.status, body) == (404, b"gone")
