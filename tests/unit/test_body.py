"""Bodies: every content coding in any pieces, and limits that no bomb passes."""

from __future__ import annotations

import gzip
import subprocess
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import anyio
import brotli  # type: ignore[import-untyped]  # the package has no annotations
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

from wellread.errors import Timeout, TooLarge, Unreachable, Unsupported, Upstream
from wellread.net.body import BodyDecoder, BodyLimits, read
from wellread.net.content_codings import DamagedBody, content_codings
from wellread.net.guard import Target
from wellread.net.transport import Hop, HopResponse

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from wellread.types import Headers

pytestmark = pytest.mark.anyio

URL = "http://example.com/"
HOP = Hop(target=Target("http", "example.com", 80, "/", URL))
LIMIT = 4_000


def raw_deflate(data: bytes) -> bytes:
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


ENCODERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "x-gzip": gzip.compress,
    "deflate": zlib.compress,
    "br": lambda data: bytes(brotli.compress(data, quality=2)),
    "zstd": zstandard.ZstdCompressor().compress,
}


def encoded(data: bytes, codings: tuple[str, ...]) -> bytes:
    for coding in codings:
        data = ENCODERS[coding](data)
    return data


def decoded(wire: bytes, *codings: str, step: int = 10_000, limit: int = 1_000_000) -> bytes:
    body = BodyDecoder(codings, limit, URL)
    for at in range(0, len(wire), step):
        body.feed(wire[at : at + step])
    body.finish(None)
    return body.decoded()


def answer(*chunks: bytes | Exception, status: int = 200, headers: Headers = ()) -> HopResponse:
    async def flow() -> AsyncIterator[bytes]:
        for chunk in chunks:
            if isinstance(chunk, Exception):
                raise chunk
            yield chunk

    return HopResponse(status=status, reason="", http_version="1.1", headers=headers, chunks=flow())


async def received(
    *chunks: bytes | Exception, status: int = 200, cut: bool = False, **headers: str
) -> tuple[bytes, str | None]:
    fields = tuple((name.replace("_", "-"), value) for name, value in headers.items())
    limits = BodyLimits(max_bytes=LIMIT, idle_s=20, cut=cut)
    return await read(answer(*chunks, status=status, headers=fields), HOP, limits)


# ------------------------------------------------------------------------------------------------- codings


@given(
    data=st.binary(max_size=6_000) | st.integers(0, 200_000).map(bytes),
    codings=st.lists(st.sampled_from(sorted(ENCODERS)), max_size=3).map(tuple),
    step=st.integers(1, 700),
)
def test_body_at_the_size_limit(data: bytes, codings: tuple[str, ...], step: int) -> None:
    """Property 2 of seed 001: a body larger than the limit ends the transfer with an error."""
    wire = encoded(data, codings)
    sizes = [len(encoded(data, codings[:depth])) for depth in range(len(codings) + 1)]
    body = BodyDecoder(codings, LIMIT, URL)
    try:
        for at in range(0, len(wire), step):
            body.feed(wire[at : at + step])
            assert body.size <= LIMIT
        body.finish(len(wire))
    except TooLarge:
        assert max(sizes) > LIMIT
        assert len(body.decoded()) <= LIMIT
    else:
        assert max(sizes) <= LIMIT
        assert body.decoded() == data


@given(garbage=st.binary(max_size=2_000), coding=st.sampled_from(sorted(ENCODERS)), cut=st.integers(1, 40))
def test_garbage_and_cut_streams_are_called_damaged_and_never_crash(garbage: bytes, coding: str, cut: int) -> None:
    whole = ENCODERS[coding](b"some text that is long enough to be cut somewhere" * 3)
    for wire in (garbage, whole[:-cut], whole[: len(whole) // 2] + garbage):
        body = BodyDecoder((coding,), LIMIT, URL)
        try:
            body.feed(wire)
            body.finish(None)
        except (DamagedBody, TooLarge):
            assert body.size <= LIMIT


@pytest.mark.parametrize("step", [1, 3, 10_000])
def test_several_gzip_members_are_one_body(step: int) -> None:
    assert decoded(gzip.compress(b"one ") + gzip.compress(b"") + gzip.compress(b"two"), "gzip", step=step) == b"one two"


@pytest.mark.parametrize("step", [1, 3, 10_000])
@pytest.mark.parametrize("garbage", [b"\0", b"\0" * 512, b"trailing garbage", b"\x1f", b"\x1fnot gzip"])
def test_what_follows_the_last_gzip_member_is_ignored(step: int, garbage: bytes) -> None:
    assert decoded(gzip.compress(b"text") + garbage, "gzip", step=step) == b"text"


@pytest.mark.parametrize("step", [1, 5, 10_000])
def test_several_zstd_frames_with_skippable_ones_between_are_one_body(step: int) -> None:
    pack = zstandard.ZstdCompressor().compress
    skippable = b"\x5a\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"notes"
    assert decoded(skippable + pack(b"one ") + skippable + pack(b"two"), "zstd", step=step) == b"one two"


@pytest.mark.parametrize("step", [1, 2, 10_000])
def test_deflate_is_read_with_and_without_the_zlib_header(step: int) -> None:
    assert decoded(zlib.compress(b"text" * 50), "deflate", step=step) == b"text" * 50
    assert decoded(raw_deflate(b"text" * 50), "deflate", step=step) == b"text" * 50


def test_codings_in_several_header_fields() -> None:
    headers = (("Content-Encoding", "GZip, identity"), ("content-encoding", "br"), ("Content-Encoding", ""))
    assert content_codings(headers, URL) == ("gzip", "br")


@pytest.mark.parametrize("value", ["compress", "gzip, exi", "gzip, gzip, gzip, gzip"])
def test_unknown_and_too_many_codings_are_unsupported(value: str) -> None:
    with pytest.raises(Unsupported):
        content_codings((("Content-Encoding", value),), URL)


def test_an_empty_body_is_empty_in_every_coding() -> None:
    assert all(decoded(b"", coding) == b"" for coding in ENCODERS)
    assert decoded(gzip.compress(b""), "br", "gzip") == b""


def test_a_zstd_window_beyond_the_web_limit_is_damage() -> None:
    frame = b"\x28\xb5\x2f\xfd\x00" + bytes([(27 - 10) << 3]) + b"\x00" * 20
    with pytest.raises(DamagedBody, match="memory"):
        decoded(frame, "zstd")


# ---------------------------------------------------------------------------------------------- whole or partial


async def test_a_whole_body_is_not_partial() -> None:
    assert await received(gzip.compress(b"text"), Content_Encoding="gzip") == (b"text", None)


async def test_a_body_shorter_than_announced_is_partial() -> None:
    assert await received(b"text", Content_Length="9") == (b"text", "only 4 of 9 bytes arrived")


async def test_a_body_that_breaks_off_is_partial_with_the_reason() -> None:
    assert await received(b"text", Unreachable("the line broke")) == (b"text", "the line broke")


async def test_a_body_that_breaks_off_before_its_first_byte_is_unreachable() -> None:
    with pytest.raises(Unreachable, match="the line broke"):
        await received(Unreachable("the line broke"))


async def test_a_failing_status_is_an_answer_even_when_its_body_breaks_off() -> None:
    assert await received(Unreachable("the line broke"), status=404) == (b"", "the line broke")


@pytest.mark.parametrize("coding", ["gzip", "deflate", "br", "zstd"])
async def test_a_coding_that_breaks_off_is_partial(coding: str) -> None:
    first = ENCODERS[coding](b"") if coding in {"gzip", "zstd"} else b""
    wire = first + ENCODERS[coding](bytes(i * i % 251 for i in range(3_000)))
    _, partial = await received(wire[:-9], status=404, Content_Encoding=coding)
    assert partial == f"the {coding} coding breaks off"


async def test_a_wrong_checksum_is_partial() -> None:
    wire = gzip.compress(bytes(i * i % 251 for i in range(3_000)))
    body, partial = await received(wire[:-8] + b"\0" * 8, Content_Encoding="gzip")
    assert body
    assert partial is not None
    assert "damaged" in partial


async def test_what_is_not_in_its_coding_at_all_is_the_server_s_failure() -> None:
    with pytest.raises(Upstream, match="not gzip"):
        await received(b"<html>plain</html>", Content_Encoding="gzip")


async def test_silence_after_some_bytes_and_from_the_start() -> None:
    async def drip(*chunks: bytes) -> AsyncIterator[bytes]:
        for chunk in chunks:
            yield chunk
        await anyio.sleep_forever()

    def silent(*chunks: bytes) -> HopResponse:
        return HopResponse(status=200, reason="", http_version="1.1", headers=(), chunks=drip(*chunks))

    limits = BodyLimits(max_bytes=LIMIT, idle_s=0.05)
    assert await read(silent(b"text"), HOP, limits) == (b"text", "example.com sent nothing for 0.05 s")
    with pytest.raises(Timeout, match="sent nothing"):
        await read(silent(), HOP, limits)


# ----------------------------------------------------------------------------------------------------- limits


@pytest.mark.parametrize("status", [200, 404, 500])
async def test_a_body_beyond_the_limit_is_too_large_for_every_status(status: int) -> None:
    with pytest.raises(TooLarge, match="4,000"):
        await received(b"a" * 3_000, b"a" * 3_000, status=status)


async def test_a_body_of_exactly_the_limit_is_read() -> None:
    assert await received(b"a" * LIMIT, Content_Length=str(LIMIT)) == (b"a" * LIMIT, None)


async def test_a_length_beyond_the_limit_is_refused_before_a_byte_is_read() -> None:
    with pytest.raises(TooLarge, match="has 9,000 bytes"):
        await received(AssertionError("was read"), Content_Length="9000")


async def test_stream_of_empty_members_ends_at_the_limit() -> None:
    with pytest.raises(TooLarge, match="sends more"):
        await received(gzip.compress(b"") * 300, Content_Encoding="gzip")


async def test_a_cut_body_ends_at_the_limit() -> None:
    whole = (b"a" * 3_000 + b"b" * 1_000, "cut at 4,000 bytes")
    assert await received(b"a" * 3_000, b"b" * 3_000, cut=True) == whole
    packed = gzip.compress(b"a" * 3_000 + b"b" * 30_000)
    assert await received(packed, cut=True, Content_Encoding="gzip") == whole


async def test_the_length_of_an_answer_to_head_is_no_promise() -> None:
    hop = Hop(target=HOP.target, method="HEAD")
    limits = BodyLimits(max_bytes=10, idle_s=1)
    assert await read(answer(headers=(("Content-Length", "999"),)), hop, limits) == (b"", None)


def zeros(packer: zlib._Compress | zstandard.ZstdCompressionObj, megabytes: int) -> bytes:
    return b"".join(packer.compress(bytes(1_000_000)) for _ in range(megabytes)) + packer.flush()


GZIP_BOMB = zeros(zlib.compressobj(9, wbits=31), 60)
ZSTD_BOMB = b"\x28\xb5\x2f\xfd\x00" + bytes([(23 - 10) << 3])
ZSTD_BOMB += (((131_072 << 3) | 2).to_bytes(3, "little") + b"A") * 20_000  # run-length blocks: 2.6 GB in 80 KB
BOMBS = {
    "gzip": GZIP_BOMB,
    "gzip gzip": gzip.compress(GZIP_BOMB),
    "deflate": zeros(zlib.compressobj(9), 60),
    "br": brotli.compress(bytes(40_000_000), quality=4),
    "br zstd": zstandard.ZstdCompressor().compress(brotli.compress(bytes(40_000_000), quality=4)),
    "zstd": ZSTD_BOMB,
    "zstd br": brotli.compress(ZSTD_BOMB, quality=4),
}
DEFUSED = """
import re, sys
from pathlib import Path
from wellread.errors import TooLarge
from wellread.net.body import BodyDecoder

def peak_kib():
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])

wire = sys.stdin.buffer.read()
before, body = peak_kib(), BodyDecoder(tuple(sys.argv[1:]), 10_000_000, "u")
try:
    body.feed(wire)
except TooLarge:
    print(len(body.decoded()), peak_kib() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="only Linux tells the peak of one process")
@pytest.mark.parametrize("codings", BOMBS)
def test_a_bomb_stops_at_the_limit_and_costs_less_than_64_mib(codings: str) -> None:
    command = [sys.executable, "-c", DEFUSED, *codings.split()]
    done = subprocess.run(command, input=BOMBS[codings], check=True, capture_output=True)
    kept, grown_kib = map(int, done.stdout.split())
    assert kept <= 10_000_000
    assert 0 < grown_kib < 64 * 1024
