"""Files from servers that lie and trick: on the disk whole, under a safe name, or not at all."""

from __future__ import annotations

import gzip
import resource
from dataclasses import replace
from typing import TYPE_CHECKING

import anyio
import pytest

from scenario.downloads import DATA, DIGEST, Archive, brought, contents, left, refuse
from scenario.loopback import FETCH, Server, client_for, head, moved, whole
from wellread.errors import (
    BlockedAddress,
    Gone,
    InvalidInput,
    InvalidUrl,
    Robots,
    TooLarge,
    UnreadableError,
    Upstream,
    WellreadError,
)
from wellread.net.downloads import Download, DownloadRequest, download

if TYPE_CHECKING:
    from pathlib import Path

    from anyio.abc import SocketStream

    from wellread.net.client import Client
    from wellread.types import Response

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("no_pauses")]


async def bring(client: Client, order: DownloadRequest) -> None:
    await download(client, order, refuse=refuse)


# ------------------------------------------------------------------------------------------------------------ whole


async def test_a_file_is_brought_whole_with_its_checksum(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(DATA, Content_Type="application/zip")
    done = await brought(server, tmp_path, sha256=DIGEST.upper())
    assert done == Download(
        path=tmp_path / "file.bin",
        url=server.url("/file.bin"),
        bytes=len(DATA),
        sha256=DIGEST,
        content_type="application/zip",
        resumed=False,
    )
    assert done.path.read_bytes() == DATA
    assert left(tmp_path) == ["file.bin"]
    assert b"accept-encoding: identity" in server.requests[0].lower()


async def test_a_file_larger_than_any_page_may_be_is_brought(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(DATA)
    assert (await brought(server, tmp_path, fetch=replace(FETCH, max_bytes=1_000))).bytes == len(DATA)


async def test_an_empty_file_is_a_file(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(b"")
    done = await brought(server, tmp_path)
    assert (done.path.read_bytes(), done.bytes) == (b"", 0)


async def test_a_packed_answer_is_unpacked(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(gzip.compress(DATA), Content_Encoding="gzip")
    done = await brought(server, tmp_path, sha256=f"sha256:{DIGEST}")
    assert done.path.read_bytes() == DATA


async def test_a_body_of_unknown_length_is_brought(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = head(Transfer_Encoding="chunked") + b"5\r\nhello\r\n0\r\n\r\n"
    assert (await brought(server, tmp_path)).path.read_bytes() == b"hello"


async def test_a_redirect_is_followed_and_names_the_file(server: Server, other: Server, tmp_path: Path) -> None:
    server.paths["/latest"] = moved(other.url("/v2/tool%20kit.tar.gz"))
    other.paths["/v2/tool%20kit.tar.gz"] = whole(DATA)
    done = await brought(server, tmp_path, "/latest", also=(other,))
    assert (done.path.name, done.url) == ("tool kit.tar.gz", other.url("/v2/tool%20kit.tar.gz"))


async def test_a_path_names_the_file(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(DATA, Content_Disposition="attachment; filename=theirs.bin")
    done = await brought(server, tmp_path / "mine.bin")
    assert done.path == tmp_path / "mine.bin"


async def test_what_exists_is_never_overwritten_unless_that_is_wanted(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(DATA)
    (tmp_path / "file.bin").write_bytes(b"old")
    assert (await brought(server, tmp_path)).path.name == "file (2).bin"
    assert (await brought(server, tmp_path / "file.bin")).path.name == "file (3).bin"
    assert (tmp_path / "file.bin").read_bytes() == b"old"
    assert (await brought(server, tmp_path, overwrite=True)).path.name == "file.bin"
    assert (tmp_path / "file.bin").read_bytes() == DATA
    assert left(tmp_path) == ["file (2).bin", "file (3).bin", "file.bin"]


async def test_many_files_of_one_name_arrive_side_by_side(server: Server, tmp_path: Path) -> None:
    bodies = [bytes([number]) * 50_000 for number in range(8)]
    for number, body in enumerate(bodies):
        server.paths[f"/{number}/file.bin"] = whole(body)
    async with client_for(server) as client, anyio.create_task_group() as tasks:
        for number in range(8):
            order = DownloadRequest(url=server.url(f"/{number}/file.bin"), to=tmp_path, user_asked=True)
            tasks.start_soon(bring, client, order)
    assert contents(tmp_path) == bodies
    assert len(left(tmp_path)) == 8


async def test_one_file_brought_twice_at_a_time_arrives_twice(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(DATA, ETag='"v1"')
    async with client_for(server) as client, anyio.create_task_group() as tasks:
        for _ in range(4):
            order = DownloadRequest(url=server.url("/file.bin"), to=tmp_path, user_asked=True)
            tasks.start_soon(bring, client, order)
    assert left(tmp_path) == ["file (2).bin", "file (3).bin", "file (4).bin", "file.bin"]
    assert contents(tmp_path) == [DATA] * 4


async def test_a_body_may_take_longer_than_a_page_may(server: Server, tmp_path: Path) -> None:
    async def slowly(stream: SocketStream, _: bytes) -> None:
        await stream.send(head(Content_Length="4"))
        for letter in b"slow":
            await anyio.sleep(0.3)  # slowness is what is tested
            await stream.send(bytes([letter]))

    server.paths["/file.bin"] = slowly
    assert (await brought(server, tmp_path, fetch=replace(FETCH, timeout_s=1))).path.read_bytes() == b"slow"


# ---------------------------------------------------------------------------------------------------------- refused


async def test_a_file_with_another_checksum_is_removed(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(DATA, ETag='"v1"')
    with pytest.raises(Upstream, match=DIGEST):
        await brought(server, tmp_path, sha256="0" * 64)
    assert left(tmp_path) == []


async def test_a_checksum_that_is_none_is_refused_before_anything_is_asked(server: Server, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="SHA-256"):
        await brought(server, tmp_path, sha256="abc")
    assert server.requests == []


@pytest.mark.parametrize(
    "answer",
    [
        whole(DATA, ETag='"v1"'),
        head(Transfer_Encoding="chunked", ETag='"v1"') + b"%x\r\n%b\r\n0\r\n\r\n" % (len(DATA), DATA),
        whole(gzip.compress(bytes(2_000_000)), Content_Encoding="gzip"),
    ],
    ids=["says so", "does not say", "bomb"],
)
async def test_more_than_the_limit_is_refused_and_removed(server: Server, tmp_path: Path, answer: bytes) -> None:
    server.paths["/file.bin"] = answer
    with pytest.raises(TooLarge, match="250,000") as caught:
        await brought(server, tmp_path, max_bytes=250_000)
    assert caught.value.limit_bytes is not None
    assert left(tmp_path) == []


async def test_a_redirect_to_a_private_address_writes_nothing(server: Server, other: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = moved(other.url("/secret"))
    with pytest.raises(BlockedAddress):
        await brought(server, tmp_path)
    assert other.connections == 0
    assert left(tmp_path) == []


async def test_a_private_address_and_a_strange_scheme_are_refused(server: Server, tmp_path: Path) -> None:
    for url, error in (("http://127.0.0.1:80/x", BlockedAddress), ("file:///etc/passwd", InvalidUrl)):
        with pytest.raises(error):
            await brought(server, tmp_path, url=url)
    assert left(tmp_path) == []


async def test_robots_txt_is_obeyed_unless_a_person_asked(server: Server, tmp_path: Path) -> None:
    server.paths["/robots.txt"] = whole(b"User-agent: *\nDisallow: /")
    server.paths["/file.bin"] = whole(DATA)
    with pytest.raises(Robots):
        await brought(server, tmp_path, user_asked=False)
    assert server.asked() == ["/robots.txt"]
    await brought(server, tmp_path)


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (whole(b"no such file", "404 Not Found"), Gone),
        (whole(b"x" * 200_000, "403 Forbidden"), Upstream),
        (whole(b"", "304 Not Modified"), Upstream),
        (head("204 No Content"), Upstream),
        (whole(b"x", "206 Partial Content"), Upstream),
        (whole(b"x", "416 Range Not Satisfiable"), Upstream),
    ],
)
async def test_what_is_not_the_file_is_not_kept(
    server: Server, tmp_path: Path, answer: bytes, error: type[WellreadError]
) -> None:
    server.paths["/file.bin"] = answer
    with pytest.raises(error):
        await brought(server, tmp_path)
    assert left(tmp_path) == []


async def test_the_caller_may_refuse_an_answer_by_its_head(server: Server, tmp_path: Path) -> None:
    def challenged(response: Response) -> None:
        assert response.body == b""
        raise UnreadableError("a bot check")

    server.paths["/file.bin"] = whole(DATA)
    async with client_for(server) as client:
        with pytest.raises(UnreadableError, match="bot check"):
            await download(
                client, DownloadRequest(url=server.url("/file.bin"), to=tmp_path, user_asked=True), refuse=challenged
            )
    assert left(tmp_path) == []


async def test_a_failing_server_is_asked_again(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = [whole(b"busy", "503 Busy"), whole(DATA)]
    assert (await brought(server, tmp_path)).bytes == len(DATA)


# ------------------------------------------------------------------------------------------------------------ names


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("attachment; filename=report.pdf", "report.pdf"),
        ('attachment; filename="../../etc/passwd"', "passwd"),
        ('attachment; filename="..\\\\..\\\\evil.exe"', "evil.exe"),
        ("attachment; filename=.bashrc", "bashrc"),
        ("attachment; filename=CON", "_CON"),
        ('attachment; filename="nul.txt"', "_nul.txt"),
        ("attachment; filename*=UTF-8''%E2%80%AEcod.exe%00.txt", "cod.exe.txt"),
        ("attachment; filename=plain.txt; filename*=UTF-8''na%C3%AFve%20plan.txt", "naïve plan.txt"),
        ("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fshadow", "shadow"),
        ('attachment; filename="%s"' % ("long" * 100 + ".tar.gz"), "long" * 48 + "l.tar.gz"),
        ('attachment; filename="a: b|c?.txt . "', "a_ b_c_.txt"),
        ('attachment; filename="/"', "file.bin"),
        ("attachment; filename=..", "file.bin"),
        ("attachment", "file.bin"),
        ('filename="quo\\"ted.txt"', "quo_ted.txt"),
        ('attachment; filename="never closed', "file.bin"),
        ("attachment; name=\"; filename*=UTF-8''evil.sh\"; filename=good.sh", "good.sh"),
        ("attachment; filename*=EBCDIC''x; filename=y.txt", "y.txt"),
    ],
)
async def test_a_name_from_the_server_stays_in_the_folder(server: Server, tmp_path: Path, said: str, name: str) -> None:
    server.paths["/file.bin"] = whole(DATA, Content_Disposition=said)
    folder = tmp_path / "here"
    folder.mkdir()
    assert (await brought(server, folder)).path == folder / name
    assert left(folder) == [name]
    assert left(tmp_path) == ["here"]


@pytest.mark.parametrize(
    ("path", "name"),
    [
        ("/a/b/paper.pdf?version=2", "paper.pdf"),
        ("/", "download.html"),
        ("/%2e%2e%2f%2e%2e%2fetc%2fpasswd", "passwd.html"),
        ("/%E6%96%87.txt", "文.txt"),
        ("/a/..%5c..%5cwin.ini", "win.ini"),
        ("/%00%ff", "\ufffd.html"),
    ],
)
async def test_without_a_name_the_url_names_the_file(server: Server, tmp_path: Path, path: str, name: str) -> None:
    server.paths[path] = whole(DATA, Content_Type="text/html")
    assert (await brought(server, tmp_path, path)).path.name == name


# --------------------------------------------------------------------------------------------------------- the disk


async def test_a_place_that_is_none_is_refused_before_anything_is_asked(server: Server, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for place in (tmp_path / "file" / "x", tmp_path / "no" / "such" / "x", tmp_path / "nul\0l"):
        with pytest.raises(InvalidInput):
            await brought(server, place)
    assert server.requests == []


async def test_a_name_that_the_disk_refuses_is_told(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(DATA)
    with pytest.raises(InvalidInput, match="cannot write"):
        await brought(server, tmp_path / ("x" * 300))
    assert left(tmp_path) == []


async def test_a_folder_is_never_overwritten(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = whole(DATA)
    (tmp_path / "file.bin").mkdir()
    with pytest.raises(InvalidInput, match="cannot write"):
        await brought(server, tmp_path, overwrite=True)
    assert left(tmp_path) == ["file.bin"]


async def test_a_full_disk_is_told_and_costs_nothing_of_what_came(server: Server, tmp_path: Path) -> None:
    server.paths["/file.bin"] = Archive()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (150_000, limits[1]))
    try:
        with pytest.raises(InvalidInput, match="cannot write"):
            await brought(server, tmp_path)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert (await brought(server, tmp_path, sha256=DIGEST)).resumed
