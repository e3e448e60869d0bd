"""What other tools recorded replays too: warcio's records of every shape, and wget's."""

from __future__ import annotations

import io
import os
import shutil
import subprocess
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from wellread.errors import Unreachable, Unrecorded
from wellread.net.guard import Policy, Target, check_url
from wellread.net.recording import ReplayTransport
from wellread.net.transport import Hop, HopResponse

if TYPE_CHECKING:
    from pathlib import Path

    from anyio.abc import SocketStream

    from wellread.net.transport import Transport

pytestmark = pytest.mark.anyio

PAGE = "http://pages.example/one"


def hop(url: str = PAGE, method: str = "GET", body: bytes = b"") -> Hop:
    return Hop(target=check_url(url, Policy()), method=method, body=body)


def loopback(port: int, path: str) -> Hop:
    url = f"http://127.0.0.1:{port}{path}"
    return Hop(target=Target("http", "127.0.0.1", port, path, url))


async def ask(transport: Transport, asked: Hop) -> tuple[HopResponse, bytes]:
    async with transport.send(asked) as answer:
        return answer, b"".join([chunk async for chunk in answer.chunks])


@pytest.fixture(params=["run.warc", "run.warc.gz"])
def path(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    return tmp_path / str(request.param)


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
    with pytest.raises(Unreachable, match="not recorded completely"):
        await ask(ReplayTransport(tool.path), hop())


@settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
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
