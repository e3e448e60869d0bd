"""What a downloaded file is called, holds and says of itself."""

from __future__ import annotations

import gzip
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from scenario.downloads import brought
from scenario.loopback import FETCH, Server, client_for, head, whole
from wellread.apps.build import Web
from wellread.config import CacheSettings, NetSettings, Settings
from wellread.errors import TooLarge

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.usefixtures("no_pauses"),
]

PDF = b"%PDF-1.4 bytes"
LOGIN = b"<html><title>Sign in</title><body><form>Please sign in to read</form></body></html>"


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="=?UTF-8?B?5L2g5aW9LnR4dA==?="', "\u4f60\u597d.txt"),
        ('attachment; filename="=?iso-8859-1?Q?r=E9sum=E9?= 2024.pdf"', "r\u00e9sum\u00e9 2024.pdf"),
        ('attachment; filename="=?utf-8?q?caf=C3=A9_men?= =?utf-8?q?u.pdf?="', "caf\u00e9 menu.pdf"),
        ("attachment; filename==?UTF-8?Q?a_b.txt?=", "a b.txt"),
        ('attachment; filename="=?no-such-charset?B?aaaa?="', "=_no-such-charset_B_aaaa_="),
        ("attachment; filename=My Report 2024.pdf", "My Report 2024.pdf"),
        ("attachment; filename=Jahres bericht.xlsx ; size=12", "Jahres bericht.xlsx"),
        ("attachment;filename=na\u00efve plan.txt", "na\u00efve plan.txt"),
        ('attachment; filename="a;b.txt"', "a;b.txt"),
    ],
)
async def test_name_in_content_disposition(server: Server, tmp_path: Path, disposition: str, name: str) -> None:
    answer = whole(PDF, Content_Type="application/octet-stream", Content_Disposition="WHAT")
    server.paths["/get"] = answer.replace(b"WHAT", disposition.encode("utf-8"))
    assert (await brought(server, tmp_path, "/get")).path.name == name


@pytest.mark.parametrize(
    ("path", "content_type", "name"),
    [
        ("/get?id=5", "application/pdf", "get.pdf"),
        ("/export", "text/csv; charset=utf-8", "export.csv"),
        ("/download.php?f=1", "application/zip", "download.zip"),
        ("/report.aspx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "report.docx"),
        ("/photo", "image/jpeg", "photo.jpg"),
        ("/v1.2", "application/pdf", "v1.2.pdf"),
        ("/paper.PDF", "application/pdf", "paper.PDF"),
        ("/archive.tar.gz", "application/gzip", "archive.tar.gz"),
        ("/data.bin", "application/octet-stream", "data.bin"),
        ("/LICENSE", "text/plain", "LICENSE"),
        ("/data.geojson", "application/json", "data.geojson"),
        ("/index.php", "text/html", "index.html"),
    ],
)
async def test_extension_of_a_name(server: Server, tmp_path: Path, path: str, content_type: str, name: str) -> None:
    server.paths[path] = whole(PDF, Content_Type=content_type)
    assert (await brought(server, tmp_path, path)).path.name == name


@pytest.mark.parametrize(
    ("path", "disposition", "content_type", "name"),
    [
        ("/get", 'attachment; filename="wellread.toml"', "text/plain", "_wellread.toml"),
        ("/get", "attachment; filename*=UTF-8''../WellRead.TOML", "text/plain", "_WellRead.TOML"),
        ("/get", 'attachment; filename=".wellread.toml . "', "text/plain", "_wellread.toml"),
        ("/wellread.toml", "attachment", "application/octet-stream", "_wellread.toml"),
        ("/get", "attachment; filename=package", "application/json", "_package.json"),
        ("/pyproject.toml", "", "text/plain", "_pyproject.toml"),
        ("/get", "attachment; filename*=UTF-8''%C5%BFetup.cfg", "text/plain", "_\u017fetup.cfg"),
        ("/get", "attachment; filename=.env", "text/plain", "env"),
        ("/get", "attachment; filename=my-wellread.toml", "text/plain", "my-wellread.toml"),
    ],
)
async def test_no_name_that_programs_obey(
    server: Server, tmp_path: Path, path: str, disposition: str, content_type: str, name: str
) -> None:
    server.paths[path] = whole(PDF, Content_Type=content_type, Content_Disposition=disposition)
    assert (await brought(server, tmp_path, path)).path.name == name


async def test_name_that_programs_obey_as_the_user_gives_it(server: Server, tmp_path: Path) -> None:
    server.paths["/get"] = whole(b"[fetch]")
    assert (await brought(server, tmp_path / "wellread.toml", "/get")).path.name == "wellread.toml"


@pytest.mark.parametrize("path", ["/a.tar.gz", "/b.tgz", "/c.svgz"])
async def test_packed_file_labelled_twice(server: Server, tmp_path: Path, path: str) -> None:
    packed = gzip.compress(b"a tar file" * 100)
    server.paths[path] = whole(packed, Content_Type="application/x-gzip", Content_Encoding="gzip")
    assert (await brought(server, tmp_path, path)).path.read_bytes() == packed


async def test_packed_transfer_of_plain_data(server: Server, tmp_path: Path) -> None:
    server.paths["/a.csv"] = whole(gzip.compress(b"a,b"), Content_Type="text/csv", Content_Encoding="gzip")
    assert (await brought(server, tmp_path, "/a.csv")).path.read_bytes() == b"a,b"


@pytest.mark.parametrize(
    ("path", "content_type", "body", "is_named"),
    [
        ("/paper.pdf", "text/html", LOGIN, True),
        ("/data.zip", "text/html; charset=utf-8", LOGIN, True),
        ("/table.xlsx", "application/xhtml+xml", LOGIN, True),
        ("/paper.pdf", "application/pdf", LOGIN, True),
        ("/paper.pdf", "application/pdf", PDF, False),
        ("/page.html", "text/html", LOGIN, False),
        ("/page", "text/html", LOGIN, False),
    ],
)
async def test_web_page_where_a_file_was_asked_for(
    server: Server, tmp_path: Path, path: str, content_type: str, body: bytes, *, is_named: bool
) -> None:
    server.paths[path] = whole(body, Content_Type=content_type)
    done = await brought(server, tmp_path, path)
    assert [notice.code for notice in done.notices] == ["web_page"] * is_named


async def test_limit_of_a_download_is_a_setting(server: Server, tmp_path: Path) -> None:
    server.paths["/d.bin"] = head(Content_Length="3000")
    settings = Settings(
        net=replace(NetSettings(), allow_hosts=(f"127.0.0.1:{server.port}",), robots=False),
        fetch=replace(FETCH, download_max_bytes=2_000),
        cache=CacheSettings(dir=tmp_path / "cache"),
    )
    async with Web(settings) as web:
        with pytest.raises(TooLarge) as caught:
            await web.download(server.url("/d.bin"), to=tmp_path)
    assert caught.value.hint == "raise fetch.download_max_bytes"
    assert caught.value.limit_bytes == 2_000


async def test_no_setting_is_named_where_the_caller_set_the_limit(server: Server, tmp_path: Path) -> None:
    server.paths["/d.bin"] = head(Content_Length="3000")
    async with client_for(server) as _:
        with pytest.raises(TooLarge) as caught:
            await brought(server, tmp_path, "/d.bin", max_bytes=2_000)
    assert caught.value.limit_bytes == 2_000
