"""What was recorded replays alike, whichever tool recorded it, and no secret or half a record gets in the way."""

from __future__ import annotations

import gzip
import sys
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from wellread.errors import TooLarge, Unreachable, Unrecorded, WellreadError
from wellread.net.guard import Policy, check_url
from wellread.net.recording import SECRET, RecordingTransport, ReplayTransport
from wellread.net.transport import Hop, HopResponse
from wellread.testing import FakeClock

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, AsyncIterator, Sequence
    from pathlib import Path

    from wellread.net.transport import Transport
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
    stalled: anyio.Event = field(default_factory=anyio.Event)

    @asynccontextmanager
    async def send(self, hop: Hop) -> AsyncGenerator[HopResponse, None]:
        says = self.answers[len(self.asked)]
        self.asked.append(hop)
        yield HopResponse(
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
            self.stalled.set()
            await anyio.sleep_forever()
        if says.breaks:
            raise says.breaks

    async def aclose(self) -> None: ...


def hop(url: str = PAGE, method: str = "GET", headers: Headers = (), body: bytes = b"") -> Hop:
    found = check_url(url, Policy())
    return Hop(target=found, method=method, headers=(("Host", found.authority), *headers), body=body)


async def ask(transport: Transport, asked: Hop) -> tuple[HopResponse, bytes]:
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


token = st.from_regex(r"X-[a-z]{1,8}", fullmatch=True).filter(lambda name: not SECRET.search(name))
value = st.text(st.characters(min_codepoint=0x21, max_codepoint=0xFF, exclude_characters="\x7f"), max_size=30)


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
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
        ("https://www.pages.example/one/", "the recording has http://pages.example/one"),
        ("http://pages.example/onne", "the recording has http://pages.example/one"),
        (
            "http://elsewhere.example/",
            "only recorded pages are read here, such as http://pages.example/one; the command",
        ),
        ("http://pages.example/robots.txt", "only recorded pages are read here, such as"),
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
        with pytest.raises(Unreachable, match="not recorded completely"):
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
    server = Server([Says(body=[b"first"], stalls=True)])
    recorder = RecordingTransport(server, path, FakeClock())
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(ask, recorder, hop())
        await server.stalled.wait()
        tasks.cancel_scope.cancel()
    assert cut(path) == "time"


@pytest.mark.parametrize("says", [Says(status=204, body=[]), Says(headers=(("Content-Length", "0"),), body=[])])
async def test_an_answer_without_a_body_is_whole_unread(path: Path, says: Says) -> None:
    recorder = RecordingTransport(Server([says]), path, FakeClock())
    async with recorder.send(hop()):
        pass
    assert cut(path) is None


async def test_a_body_shorter_than_its_length_is_not_passed_off_as_whole(path: Path) -> None:
    await record(path, Says(headers=(("Content-Length", "999"),)))
    with pytest.raises(Unreachable, match="not recorded completely"):
        await ask(ReplayTransport(path), hop())


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
