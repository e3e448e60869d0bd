"""Text that servers call by types nobody knows, files that are no archives, and what is said of damaged ones."""

from __future__ import annotations

import io
import tarfile

import pytest

import wellread
from effort import work_grows_in_proportion
from unit.served import read_served
from wellread.documents.archive import ArchiveExtractor
from wellread.documents.mail import MailExtractor
from wellread.documents.rtf import RtfExtractor
from wellread.errors import InvalidInput, Unsupported
from wellread.types import Source

CUES = "1\n00:00:01,000 --> 00:00:02,000\nLow water.\n"


@pytest.mark.parametrize(
    ("media_type", "name", "text", "language"),
    [
        ("chemical/x-xyz", "water.xyz", "3\nwater\nO  0.0  0.0  0.1\nH  0.7  0.0 -0.5\n", "xyz"),
        ("chemical/x-pdb", "a.pdb", "ATOM      1  N   MET A   1\n", "pdb"),
        ("application/x-subrip", "a.srt", CUES, "srt"),
        ("application/x-subrip", "a", CUES, "subrip"),
        ("application/x-tex", "a", "A plain \\emph{word}.\n", "tex"),
        ("application/x-tex", "a.tex", "\\section{One}\nA_b.\n", "latex"),
        ("application/x-bibtex", "a.bib", "@book{a, title={B_c}}\n", "bibtex"),
        ("text/vtt", "a.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\nLow *water*.\n", "vtt"),
        ("application/vnd.apple.mpegurl", "a.m3u8", "#EXTM3U\n#EXTINF:10,\na_1.ts\n", "apple"),
        ("audio/x-mpegurl", "a.m3u", "#EXTM3U\na_1.mp3\n", "mpegurl"),
        ("model/obj", "a.obj", "v 0.1 0.2 0.3\nv 1.1 1.2 1.3\n", "obj"),
    ],
)
def test_text_of_unknown_media_type(media_type: str, name: str, text: str, language: str) -> None:
    page = read_served(text, media_type, name)
    assert page.text == f"```{language}\n{text.rstrip()}\n```"


@pytest.mark.parametrize("media_type", ["chemical/x-cdx", "application/x-foo", "video/mp4", "font/woff2"])
def test_bytes_of_unknown_media_type(media_type: str) -> None:
    with pytest.raises(Unsupported, match="no extractor reads"):
        read_served(bytes(range(256)) * 4, media_type, "a")


@pytest.mark.parametrize(
    ("body", "named"),
    [(b"# Tides\n\nWords.\n", "text/html"), (b"%PDF-1.4\n", "application/pdf"), (b"{\\rtf1 a}", "application/rtf")],
)
def test_member_of_file_that_is_no_archive(body: bytes, named: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        wellread.extract(body, member="a.txt")
    assert str(caught.value).startswith("the file is not an archive but ")
    assert named == "text/html" or named in str(caught.value)
    assert caught.value.hint == "leave out the member"


def test_long_name_of_tar_member() -> None:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=tarfile.PAX_FORMAT) as archive:
        archive.addfile(tarfile.TarInfo("a" * 100_000 + ".txt"))
    extraction = ArchiveExtractor().extract(Source(body=file.getvalue(), media_type="application/x-tar"))
    name = extraction.document[0].children[1].children[0].spans[0].text
    assert len(name) == 1_024


@pytest.mark.parametrize(
    ("body", "media_type", "kind"),
    [
        (b"PK\x03\x04 word/document.xml", "application/zip", "Word"),
        (b"PK\x03\x04 xl/workbook.xml", "application/zip", "Excel"),
        (b"PK\x03\x04 ppt/presentation.xml", "application/zip", "PowerPoint"),
        (b"PK\x03\x04 mimetypeapplication/vnd.oasis.opendocument.text", "application/zip", "OpenDocument"),
        (b"PK\x03\x04 mimetypeapplication/epub+zip", "application/zip", "EPUB"),
        (b"%PDF-1.4\nnothing", "application/pdf", "PDF"),
        (b"text", "application/rtf", "RTF"),
        (b"PK\x03\x04", "application/zip", "archive"),
    ],
)  # fmt: skip
def test_message_for_damaged_file(body: bytes, media_type: str, kind: str) -> None:
    with pytest.raises(Unsupported, match=rf"https://files.example/a is damaged \({kind}[\w ]*\): ") as caught:
        read_served(body, media_type, "a")
    assert caught.value.hint == "download the file again, or open it in the program that created it and save it again"


def test_growth_with_related_parts_of_mail() -> None:
    def read(count: int) -> object:
        part = "--b\r\nContent-Type: image/png\r\nContent-ID: <{}@x>\r\n\r\nx\r\n"
        html = "<p>" + "words <img src='cid:other'> " * (count * 10) + "</p>"
        head = "From: a@b.example\r\nContent-Type: multipart/related; boundary=b\r\n\r\n"
        head += "--b\r\nContent-Type: text/html\r\n\r\n"
        body = (head + html + "\r\n" + "".join(map(part.format, range(count))) + "--b--\r\n").encode()
        return MailExtractor().extract(Source(body=body, media_type="message/rfc822"))

    assert work_grows_in_proportion(lambda: read(200), lambda: read(800))


def test_related_picture_with_encoded_id() -> None:
    mail = (
        "From: a@b.example\r\nContent-Type: multipart/related; boundary=b\r\n\r\n--b\r\nContent-Type: text/html\r\n\r\n"
        "<p>Low water.<img src='CID:pic%201@x'></p>\r\n--b\r\nContent-Type: image/png\r\nContent-ID: <pic 1@x>\r\n"
        "\r\nx\r\n--b--\r\n"
    )
    page = read_served(mail, "message/rfc822", "a.eml")
    assert "Attachments" not in page.text


@pytest.mark.parametrize(
    "shape",
    [
        lambda count: "{\\field{\\*\\fldinst X}{\\fldrslt " * (count // 2) + "a {b}" * count * 20 + "}}" * (count // 2),
        lambda count: "{" + "\\field " * count * 20 + "a}",
    ],
)
def test_growth_with_nested_fields_of_rtf(shape: object) -> None:
    assert callable(shape)

    def read(count: int) -> object:
        body = ("{\\rtf1 Text " + shape(count) + "\\par}").encode()
        return RtfExtractor().extract(Source(body=body, media_type="application/rtf"))

    assert work_grows_in_proportion(lambda: read(475), lambda: read(1_900))


PANDOC = rb"""{\rtf1\ansi\deff0{\fonttbl{\f0 \fswiss Helvetica;}{\f1 \fmodern Courier;}}
{\pard \ql \f0 \sa180 \li0 \fi0 Text {\f1 run(a)} here.\par}
{\pard \ql \f0 \sa180 \li720 \fi0 A quotation.\par}
{\pard \ql \f0 \sa180 \li0 \fi0 \f1 def run(a):\line
    return  a\par}
{\pard \ql \f0 \sa180 \li360 \fi-360 \bullet \tx360\tab item\par}
{\pard \ql \f0 \sa180 \li360 \fi0 Of the item.\par}
}"""
PANDOC_READ = """Text `run(a)` here.

> A quotation.

```
def run(a):
    return  a
```

- item

  Of the item."""


def test_code_and_quotations_of_pandoc_in_rtf() -> None:
    assert read_served(PANDOC, "application/rtf", "a.rtf").text == PANDOC_READ


def test_rtf_set_in_one_font_of_fixed_width() -> None:
    fonts = rb"{\rtf1\ansi\deff0{\fonttbl{\f0 Times;}{\f1\fmodern Courier New;}}"
    body = fonts + rb"\f1 First words of it.\par Second line.\par}"
    assert read_served(body, "application/rtf", "a.rtf").text == "First words of it.\n\nSecond line."
