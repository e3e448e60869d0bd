"""Pages that a browser saved as one file (MHTML) are read as the pages they are."""

from __future__ import annotations

import base64
import json
import quopri
from typing import TYPE_CHECKING, Any

import pytest
from click.testing import CliRunner

from wellread.apps.cli import app

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

SAID = "<p>The limpet keeps to the lower shore, säumig, where the <a href='/weed'>weed</a> is thick.</p>"
HTML = f"<meta charset=utf-8><title>Shore</title><main><h1>Shore</h1>{SAID * 5}</main>".encode()
HEAD = """From: <Saved by Blink>
Snapshot-Content-Location: https://shore.example/low/
Subject: Shore
MIME-Version: 1.0
Content-Type: multipart/related;
	type="text/html";
	boundary="----MultipartBoundary--kQ8x----"

"""
PART = """
------MultipartBoundary--kQ8x----
Content-Type: {kind}
Content-Transfer-Encoding: {coding}
Content-Location: {place}

"""
END = b"\n------MultipartBoundary--kQ8x------\n"


def part(kind: str, body: bytes, coding: str = "quoted-printable", place: str = "https://shore.example/low/") -> bytes:
    packed = {"quoted-printable": quopri.encodestring, "base64": base64.encodebytes}.get(coding, bytes)(body)
    return PART.format(kind=kind, coding=coding, place=place).encode() + packed


def mhtml(*parts: bytes, end: bytes = END) -> bytes:
    return (HEAD.encode() + b"".join(parts) + end).replace(b"\n", b"\r\n")


def extracted(place: Path, body: bytes, *options: str, name: str = "page.mhtml") -> tuple[int, dict[str, Any]]:
    (place / name).write_bytes(body)
    done: Result = CliRunner().invoke(app, ["extract", str(place / name), "--json", *options])
    return done.exit_code, json.loads(done.stdout)


@pytest.mark.parametrize("coding", ["quoted-printable", "base64", "8bit"])
def test_the_first_html_is_read_at_its_own_address(tmp_path: Path, coding: str) -> None:
    frame = part("text/html", b"<p>An advertisement.</p>", place="cid:frame@mhtml.blink")
    picture = part("image/png", b"\x89PNG" * 9, "base64")
    code, page = extracted(tmp_path, mhtml(picture, part("text/html", HTML, coding), frame))
    assert (code, page["title"], page["final_url"]) == (0, "Shore", "https://shore.example/low/")
    assert page["text"].startswith(
        "# Shore\n\nThe limpet keeps to the lower shore, säumig, where the [weed](https://shore."
    )
    assert "advertisement" not in page["text"]
    assert page["notices"] == []


def test_an_address_that_is_given_goes_before_the_saved_one(tmp_path: Path) -> None:
    _, page = extracted(tmp_path, mhtml(part("text/html", HTML)), "--url", "https://cliff.example/")
    assert page["links"] == ["https://cliff.example/weed"]


@pytest.mark.parametrize("coding", ["quoted-printable", "base64"])
def test_one_that_was_cut_off_in_the_page_says_so(tmp_path: Path, coding: str) -> None:
    code, page = extracted(tmp_path, mhtml(part("text/html", HTML, coding), end=b"")[:-301])
    assert (code, "limpet" in page["text"]) == (0, True)
    assert "partial_body" in [warning["code"] for warning in page["notices"]]


def test_one_without_html_is_told_as_such(tmp_path: Path) -> None:
    code, told = extracted(tmp_path, mhtml(part("image/png", b"\x89PNG", "base64")))
    assert (code, told["error"]["code"]) == (1, "unsupported")
    assert "is MHTML without an HTML page" in told["error"]["message"]


@pytest.mark.parametrize(
    "body", [HEAD.encode(), HEAD.encode()[:-40], b"Content-Type: multipart/related\n\n--\n--\nx: y"]
)
def test_the_beginning_of_one_is_no_page(tmp_path: Path, body: bytes) -> None:
    code, told = extracted(tmp_path, body)
    assert (code, told["error"]["code"]) == (1, "unsupported")


def test_a_text_that_begins_with_a_colon_stays_a_text(tmp_path: Path) -> None:
    _, page = extracted(tmp_path, b"Content: multipart/related is what this is about.\n\nAnd limpets.", name="a.txt")
    assert "And limpets." in page["text"]


def test_a_folder_of_them_is_indexed(tmp_path: Path) -> None:
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "page.mhtml").write_bytes(mhtml(part("text/html", HTML)))
    store = f"cache.dir={tmp_path / 'store'}"
    assert CliRunner().invoke(app, ["--set", store, "index", str(tmp_path / "saved")]).exit_code == 0
    found = CliRunner().invoke(app, ["--set", store, "search", "limpet", "--provider", "local", "--json"])
    assert [hit["title"] for hit in json.loads(found.stdout)["hits"]] == ["Shore"]


def test_mail_with_pictures_is_read_as_a_mail(tmp_path: Path) -> None:
    head = b"Message-ID: <1@shore.example>\r\nTo: ben@shore.example\r\n"
    code, page = extracted(
        tmp_path, head + mhtml(part("text/html", HTML)).replace(b"<Saved by Blink>", b"a@x.example"), name="a.eml"
    )
    assert (code, page["extraction_method"]) == (0, "mail")
    assert "**To:** ben@shore.example" in page["text"]
    assert "limpet" in page["text"]
