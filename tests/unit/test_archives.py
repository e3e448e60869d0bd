"""Archives are listed, and their members are read as files of their names."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import unicodedata
import zipfile
from typing import TYPE_CHECKING

import pytest
import zstandard

from unit.archive_files import TEXT, RawEntry, raw_zip, special, tar_file, zip_file
from unit.office import docx, paragraph, run
from wellread import extract
from wellread.documents import archive_urls
from wellread.documents.archive import MAX_LISTED
from wellread.documents.archive import tar_file as tar_file_module
from wellread.documents.archive.members import FREE_BYTES
from wellread.documents.archive.tar_file import TarArchive
from wellread.documents.archive_urls import ArchiveUrl
from wellread.errors import Empty, Gone, InvalidInput, TooLarge, UnreadableError, Unsupported
from wellread.net.media_types import sniff

if TYPE_CHECKING:
    from collections.abc import Callable

    from wellread.types import Page

URL = "https://files.example/tides.zip"
MARKDOWN = f"# Tides\n\n{TEXT * 5}[next](next.md)\n"
MEMBERS = {
    "docs/tides.md": MARKDOWN,
    "table.csv": "day,height\n1,2.4\n2,2.6\n",
    "code/run.py": "import os\nos.sync()\n",
}
COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    ".tar": bytes,
    ".tar.gz": gzip.compress,
    ".tar.bz2": bz2.compress,
    ".tar.xz": lzma.compress,
    ".tar.zst": zstandard.ZstdCompressor().compress,
}


def codes(page: Page) -> list[str]:
    return [warning.code for warning in page.notices]


def refused(body: bytes, member: str = "") -> UnreadableError:
    with pytest.raises(UnreadableError) as caught:
        extract(body, url=URL, member=member)
    assert caught.value.hint
    return caught.value


# --------------------------------------------------------------------------------------------- lists and members


def test_zip_members_are_listed() -> None:
    page = extract(zip_file(MEMBERS), url=URL)
    assert "| Name | Bytes | Modified |" in page.text
    assert f"| docs/tides.md | {len(MARKDOWN)} | 2024-01-31 12:05 |" in page.text
    assert page.extraction_method == "archive"
    assert "archive_listed" in codes(page)


@pytest.mark.parametrize("suffix", COMPRESSIONS)
def test_tar_members_are_listed_and_read(suffix: str) -> None:
    body = COMPRESSIONS[suffix](tar_file(MEMBERS))
    url = f"https://files.example/tides{suffix}"
    assert "| table.csv | 23 | 2024-01-31 12:05 UTC |" in extract(body, url=url).text
    page = extract(body, url=url, member="code/run.py")
    assert page.text.startswith("```python\nimport os")
    assert page.final_url == f"{url}!/code/run.py"


def test_member_goes_to_its_own_extractor() -> None:
    body = zip_file({**MEMBERS, "report.docx": docx(paragraph(run(TEXT)))})
    assert extract(body, url=URL, member="docs/tides.md").title == "Tides"
    assert extract(body, url=URL, member="docs/tides.md").links == (f"{URL}!/docs/next.md",)
    assert extract(body, url=URL, member="table.csv").text.startswith("| day | height |")
    assert TEXT.strip() in extract(body, url=URL, member="report.docx").text


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_archive_that_holds_an_office_file_is_listed(method: int) -> None:
    body = zip_file({"report.docx": docx(paragraph(run(TEXT)))}, method=method)
    assert "| report.docx |" in extract(body, url=URL).text


def test_office_file_is_no_archive() -> None:
    body = docx(paragraph(run(TEXT)))
    assert extract(body, url="https://files.example/report.zip").extraction_method == "docx"
    with pytest.raises(InvalidInput, match="no members"):
        extract(body, url=URL, member="word/document.xml")


def test_folder_is_listed_alone() -> None:
    page = extract(zip_file(MEMBERS), url=URL, member="docs")
    assert ("docs/tides.md" in page.text, "table.csv" in page.text) == (True, False)


@pytest.mark.parametrize(
    ("suffix", "compress"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".xz", lzma.compress)]
)
def test_file_compressed_alone_is_read_as_itself(suffix: str, compress: Callable[[bytes], bytes]) -> None:
    page = extract(compress(MEMBERS["table.csv"].encode()), url=f"https://files.example/table.csv{suffix}")
    assert page.text.startswith("| day | height |")
    assert page.final_url == f"https://files.example/table.csv{suffix}"


def test_long_list_is_cut_and_counted() -> None:
    body = zip_file({f"file{number:05}.txt": b"" for number in range(MAX_LISTED + 7)}, method=zipfile.ZIP_STORED)
    (notice,) = [warning for warning in extract(body, url=URL).notices if warning.code == "members_cut"]
    assert notice.count == 7
    assert "no member" in str(refused(body, "file99999.txt"))


def test_tar_of_too_many_members(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tar_file_module, "MAX_HEADERS", 2)
    archive = TarArchive(tar_file(MEMBERS), "the archive")
    assert (len(archive.members()), "2 members" in archive.cut) == (2, True)
    with pytest.raises(TooLarge):
        archive.read("code/run.py")


def test_member_that_is_not_there() -> None:
    error = refused(zip_file(MEMBERS), "docs/tide.md")
    assert isinstance(error, Gone)
    assert "docs/tides.md" in error.hint


@pytest.mark.parametrize("member", ["inner.zip", "inner.zip!/a.txt", "inner.tar.gz"])
def test_nested_archive_is_not_opened(member: str) -> None:
    body = zip_file({"inner.zip": zip_file({"a.txt": TEXT}), "inner.tar.gz": gzip.compress(tar_file({"a.txt": TEXT}))})
    error = refused(body, member)
    assert isinstance(error, Unsupported)
    assert "download" in error.hint


def test_gzip_within_gzip_is_not_opened() -> None:
    assert "inside an archive" in str(refused(gzip.compress(gzip.compress(TEXT.encode()))))


def test_archive_without_files() -> None:
    assert isinstance(refused_empty(zip_file({})), Empty)


def refused_empty(body: bytes) -> UnreadableError:
    with pytest.raises(UnreadableError) as caught:
        extract(body, url=URL)
    return caught.value


# --------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize("name", ["../../etc/passwd", "/etc/passwd", "./notes.txt", "a b/100%?#.txt", "C:\\notes.txt"])
@pytest.mark.parametrize("build", [zip_file, tar_file])
def test_strange_name_is_listed_and_read(name: str, build: Callable[[dict[str, str]], bytes]) -> None:
    url = "https://files.example/x.zip" if build is zip_file else "https://files.example/x.tar"
    body = build({name: TEXT * 5})
    page = extract(body, url=url, member=name)
    assert page.text.startswith("Low water")
    assert archive_urls.split(page.final_url) == ArchiveUrl(url, name)


@pytest.mark.parametrize(
    ("raw", "flags", "name"),
    [
        ("Ebbe für Föhr.txt".encode(), 0x800, "Ebbe für Föhr.txt"),
        ("Ebbe für Föhr.txt".encode(), 0, "Ebbe für Föhr.txt"),
        ("Ebbe für Föhr.txt".encode("cp437"), 0, "Ebbe für Föhr.txt"),
        (unicodedata.normalize("NFD", "Föhr.txt").encode(), 0x800, "Föhr.txt"),
    ],
    ids=["UTF-8", "UTF-8 without its flag", "code page 437", "decomposed"],
)
def test_name_in_its_encoding(raw: bytes, flags: int, name: str) -> None:
    body = raw_zip([RawEntry(raw, TEXT.encode(), flags=flags)])
    assert unicodedata.normalize("NFC", extract(body, url=URL).text).count(name) == 1
    assert extract(body, url=URL, member=name).text.startswith("Low water")


def test_last_of_several_members_of_one_name() -> None:
    for body in (raw_zip([RawEntry(b"a.txt", b"first"), RawEntry(b"a.txt", TEXT.encode())]), doubled_tar()):
        page = extract(body, url=URL, member="a.txt")
        assert page.text.startswith("Low water")
        assert "same_name_members" in codes(page)


def doubled_tar() -> bytes:
    first, second = tar_file({"a.txt": "first"}), tar_file({"a.txt": TEXT})
    return first[:1024] + second


# --------------------------------------------------------------------------------------------- forms of ZIP


def test_data_descriptor() -> None:
    body = raw_zip([RawEntry(b"a.txt", TEXT.encode(), flags=8), RawEntry(b"b.txt", b"second")])
    assert extract(body, url=URL, member="a.txt").text.startswith("Low water")


def test_self_extracting_archive() -> None:
    body = b"#!/bin/sh\nexit 0\n" + zip_file({"a.txt": TEXT})
    assert extract(body, url=URL, member="a.txt").text.startswith("Low water")


@pytest.mark.parametrize("name", ["a.txt", "word/document.xml"])
def test_zip64_end_of_the_directory(name: str) -> None:
    body = zip_file({name: TEXT})
    end = body.rfind(b"PK\x05\x06")
    directory_bytes, offset = struct.unpack_from("<II", body, end + 12)
    record = struct.pack("<4sQHHIIQQQQ", b"PK\x06\x06", 44, 45, 45, 0, 0, 1, 1, directory_bytes, offset)
    locator = struct.pack("<4sIQI", b"PK\x06\x07", 0, end, 1)
    last = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, directory_bytes, 0xFFFFFFFF, 0)
    body = body[:end] + record + locator + last
    if name == "a.txt":
        assert extract(body, url=URL, member="a.txt").text.startswith("Low water")
    else:
        assert sniff(body, None) == "application/vnd.openxmlformats-officedocument.wordprocessingml.document"


def test_zip64_archive() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive, archive.open("a.txt", "w", force_zip64=True) as member:
        member.write(TEXT.encode())
    assert extract(out.getvalue(), url=URL, member="a.txt").text.startswith("Low water")


# --------------------------------------------------------------------------------------------- hostile archives


def test_encrypted_member() -> None:
    error = refused(raw_zip([RawEntry(b"a.txt", TEXT.encode(), flags=1)]), "a.txt")
    assert "password" in str(error)


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.CHRTYPE, tarfile.FIFOTYPE])
def test_link_or_device_is_listed_and_not_read(kind: bytes) -> None:
    body = tar_file(MEMBERS, [special("passwords", kind, "/etc/passwd")])
    assert "passwords" in extract(body, url="https://files.example/a.tar").text
    assert isinstance(refused(body, "passwords"), Unsupported)


def test_zip_bomb_by_ratio() -> None:
    body = zip_file({"zeros.txt": bytes(FREE_BYTES * 4)})
    assert isinstance(refused(body, "zeros.txt"), TooLarge)


def test_tar_bomb_by_ratio() -> None:
    body = lzma.compress(tar_file({"zeros.txt": bytes(FREE_BYTES * 2), "a.txt": TEXT}))
    page = extract(body, url="https://files.example/a.tar.xz")
    assert "members_cut" in codes(page)
    assert isinstance(refused(body, "a.txt"), TooLarge)


@pytest.mark.parametrize("compress", [gzip.compress, bz2.compress, lzma.compress])
def test_bomb_of_one_compressed_file(compress: Callable[[bytes], bytes]) -> None:
    assert isinstance(refused(compress(bytes(FREE_BYTES * 2))), TooLarge)


def test_overlapping_entries() -> None:
    kernel = RawEntry(b"a.txt", TEXT.encode())
    body = raw_zip([kernel, RawEntry(b"a.txt", TEXT.encode(), offset=0), RawEntry(b"c.txt", b"c")])
    assert "other members" in str(refused(body, "a.txt"))
    assert extract(body, url=URL, member="c.txt").text == "c"


def test_directory_and_file_give_different_names() -> None:
    body = raw_zip([RawEntry(b"a.txt", TEXT.encode(), local_name=b"b.txt")])
    assert "different names" in str(refused(body, "a.txt"))


@pytest.mark.parametrize("claimed", [0, 5, 10_000])
def test_wrong_size_in_the_directory(claimed: int) -> None:
    assert "damaged" in str(refused(raw_zip([RawEntry(b"a.txt", TEXT.encode(), claimed_bytes=claimed)]), "a.txt"))


def test_method_that_is_not_read() -> None:
    assert "method" in str(refused(raw_zip([RawEntry(b"a.txt", TEXT.encode(), method=14)]), "a.txt"))


@pytest.mark.parametrize("name", ["a.7z", "a.rar"])
def test_format_that_is_not_read(name: str) -> None:
    magic = b"7z\xbc\xaf\x27\x1c\0\4" if name.endswith("7z") else b"Rar!\x1a\x07\1\0"
    with pytest.raises(Unsupported) as caught:
        extract(magic + bytes(99), url=f"https://files.example/{name}")
    assert "unpack" in caught.value.hint


@pytest.mark.parametrize("member", ["", "docs/tides.md"])
@pytest.mark.parametrize("build", [zip_file, tar_file, lambda members: gzip.compress(tar_file(members))])
def test_damage_ends_in_a_typed_error_or_in_text(build: Callable[[dict[str, str]], bytes], member: str) -> None:
    body = build(MEMBERS)
    for at in range(0, len(body), max(1, len(body) // 40)):
        for broken in (body[:at], body[:at] + bytes([body[at] ^ 0xFF]) + body[at + 1 :]):
            try:
                extract(broken, url=URL, member=member)
            except (UnreadableError, InvalidInput):
                continue


# --------------------------------------------------------------------------------------------- addresses


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("https://a.example/x.zip!/b/c.txt", ("https://a.example/x.zip", "b/c.txt")),
        ("https://a.example/x.TAR.GZ!/b%20c.txt?v=1", ("https://a.example/x.TAR.GZ?v=1", "b c.txt")),
        ("https://a.example/x.zip!/y.zip!/z", ("https://a.example/x.zip", "y.zip!/z")),
        ("https://a.example/wow!/x.zip!/z", ("https://a.example/wow!/x.zip", "z")),
        ("https://a.example/get?id=5#archive-member=b.txt", ("https://a.example/get?id=5", "b.txt")),
        ("https://a.example/wow!/page", ("https://a.example/wow!/page", "")),
        ("https://a.example/x.zip%21/page", ("https://a.example/x.zip%21/page", "")),
        ("https://a.example/?file=x.zip!/page", ("https://a.example/?file=x.zip!/page", "")),
        ("https://a.example/#x.zip!/page", ("https://a.example/#x.zip!/page", "")),
    ],
)
def test_url_of_a_member(url: str, parts: tuple[str, str]) -> None:
    assert archive_urls.split(url) == parts
    if parts[1]:
        assert archive_urls.split(archive_urls.join(*parts)) == parts
