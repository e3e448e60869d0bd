"""PDF: text with page numbers, what no one can see left out, and every broken file named for what it is."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.documents.pdf import PdfExtractor
from wellread.errors import Empty, Unsupported
from wellread.types import Kind, Source

if TYPE_CHECKING:
    from wellread.types import Extraction


def read(body: bytes) -> Extraction:
    return PdfExtractor().extract(Source(body=body, media_type="application/pdf", url="https://example.org/a.pdf"))


def text_of(found: Extraction) -> str:
    return "\n".join("".join(span.text for span in block.spans) for block in found.document)


def pdf(*pages: str, info: str = "", trailer: str = "") -> bytes:
    """Make a PDF from content streams; fonts F1 (Helvetica)."""
    count = len(pages)
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {count} /Kids [{' '.join(f'{5 + 2 * at} 0 R' for at in range(count))}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        f"<< {info} >>",
    ]
    for at, content in enumerate(pages):
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Resources << /Font << /F1 3 0 R >> >>"
            f" /Contents {6 + 2 * at} 0 R >>"
        )
        objects.append(f"<< /Length {len(content)} >>\nstream\n{content}\nendstream")
    out, offsets = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    start = len(out)
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    head = f"xref\n0 {len(objects) + 1}\n0000000000 65535 f \n{table}"
    tail = f"trailer << /Size {len(objects) + 1} /Root 1 0 R /Info 4 0 R {trailer} >>\nstartxref\n{start}\n%%EOF"
    return out + (head + tail).encode()


def at(y: int, text: str, *, size: int = 12, before: str = "", x: int = 50) -> str:
    return f"BT {before} /F1 {size} Tf {x} {y} Td ({text}) Tj ET "


ARTICLE = (
    at(750, "A Study of Things", size=24)
    + at(700, "This paragraph runs over several lines of the page and has an exam-")
    + at(686, "ple of a word that was broken at the margin of the column it is in.")
    + at(650, "Another paragraph follows here after a gap that can be seen well.")
    + at(610, "Methods", size=16)
    + at(580, "The methods were simple, and they are told in this very short part.")
)


@pytest.fixture(autouse=True)
def _needs_pdfium() -> None:
    pytest.importorskip("pypdfium2")


def test_a_pdf_becomes_headings_and_mended_paragraphs() -> None:
    found = read(pdf(ARTICLE)).document
    assert [(block.kind, block.level, block.spans[0].text) for block in found] == [
        (Kind.HEADING, 1, "A Study of Things"),
        (
            Kind.PARAGRAPH,
            0,
            (
                "This paragraph runs over several lines of the page and has an example of a word that was broken"
                " at the margin of the column it is in."
            ),
        ),
        (Kind.PARAGRAPH, 0, "Another paragraph follows here after a gap that can be seen well."),
        (Kind.HEADING, 2, "Methods"),
        (Kind.PARAGRAPH, 0, "The methods were simple, and they are told in this very short part."),
    ]


def test_a_pdf_tells_its_title_author_and_dates() -> None:
    info = "/Title (On Things) /Author (Jo Doe) /CreationDate (D:20240131120000+02'00')"
    about = read(pdf(ARTICLE, info=info)).metadata
    assert (about.title, about.author, about.published_date) == ("On Things", "Jo Doe", "2024-01-31T12:00:00+02:00")


def test_a_pdf_named_by_its_software_takes_its_first_heading_as_title() -> None:
    found = read(pdf(ARTICLE, info="/Title (Microsoft Word - draft7.docx)"))
    assert found.metadata.title == "A Study of Things"


def test_pdf_pages_are_numbered_and_running_heads_dropped() -> None:
    page = at(780, "The Journal 12", size=9) + at(700, "Body text number %d that fills the page with its words.")
    found = text_of(read(pdf(*(page % number for number in (1, 2, 3, 4)))))
    assert found.split("\n")[:4] == [
        "Page 1",
        "Body text number 1 that fills the page with its words.",
        "Page 2",
        "Body text number 2 that fills the page with its words.",
    ]
    assert "Journal" not in found


@pytest.mark.parametrize(
    "trick", ["3 Tr", "1 1 1 rg", "0.1 0 0 0.1 0 0 cm /F1 1 Tf"], ids=["unpainted", "white", "tiny"]
)
def test_pdf_text_that_cannot_be_seen_is_dropped_and_counted(trick: str) -> None:
    size = 1 if "cm" in trick else 12
    hidden = (
        f"q {trick if 'cm' in trick else ''} "
        + at(300, "obey", size=size, before="" if "cm" in trick else trick)
        + "Q "
    )
    found = read(pdf(ARTICLE + hidden))
    assert "obey" not in text_of(found)
    assert [(notice.code, notice.count) for notice in found.notices] == [("hidden_text", 4)]


def test_white_pdf_text_on_a_dark_ground_is_kept() -> None:
    banner = "0 0 0.5 rg 40 290 300 40 re f " + at(300, "Banner", before="1 1 1 rg")
    assert "Banner" in text_of(read(pdf(ARTICLE + banner)))


def test_an_encrypted_pdf_is_named_as_such() -> None:
    lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'41' * 32}> /U <{'42' * 32}> >> /ID [<00><00>]"
    with pytest.raises(Unsupported, match="encrypted"):
        read(pdf(ARTICLE, trailer=lock))


def test_a_pdf_of_pictures_is_named_as_scanned() -> None:
    picture = "q 600 0 0 800 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x20 EI Q"
    with pytest.raises(Empty, match="scanned"):
        read(pdf(picture))


def test_a_pdf_without_text_is_empty() -> None:
    with pytest.raises(Empty, match="no text"):
        read(pdf("0 0 m 10 10 l S"))


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7", b"%PDF-1.7\n%%EOF", b"PK\x03\x04", pdf(ARTICLE)[:200]])
def test_a_damaged_pdf_is_unsupported(body: bytes) -> None:
    with pytest.raises((Unsupported, Empty)):
        read(body)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 255)), max_size=30))
def test_a_mangled_pdf_never_crashes(changes: list[tuple[int, int]]) -> None:
    body = bytearray(pdf(ARTICLE, ARTICLE))
    for where, value in changes:
        body[where % len(body)] = value
    with contextlib.suppress(Unsupported, Empty):
        read(bytes(body))


def test_pdf_without_the_extra(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(Unsupported) as caught:
        read(pdf(ARTICLE))
    assert caught.value.hint == "pip install 'wellread[documents]'"


def test_pdf_bullets_become_one_list() -> None:
    body = (
        at(700, "What there is:") + at(680, "- first thing") + at(666, "- second thing") + at(630, "And so on it goes.")
    )
    found = read(pdf(body)).document
    assert [(block.kind, len(block.children)) for block in found] == [
        (Kind.PARAGRAPH, 0),
        (Kind.LIST, 2),
        (Kind.PARAGRAPH, 0),
    ]


@pytest.mark.parametrize(
    "unseen",
    [
        at(640, "Obey the margin", before="0.95 g"),
        at(640, "Obey the margin", x=700),
        at(-40, "Obey the margin"),
        at(640, "Obey the margin") + "0 0 0 rg 40 630 300 30 re f ",
        at(640, "Obey the margin") + "1 1 1 rg 40 630 300 30 re f ",
    ],
    ids=["nearly white", "right of the page", "below the page", "under a black box", "under a white box"],
)
def test_text_that_cannot_be_seen_on_the_page_is_left_out(unseen: str) -> None:
    found = read(pdf(at(700, "What everybody can see on this page.") + unseen))
    assert "Obey" not in text_of(found)
    assert "everybody" in text_of(found)
    assert [notice.code for notice in found.notices] == ["hidden_text"]


@pytest.mark.parametrize(
    "seen",
    [
        "0.2 0.2 0.2 rg 40 630 300 30 re f " + at(640, "White on dark", before="1 g"),
        at(640, "White on dark") + "0 0 0 rg 40 500 300 30 re f ",
        at(640, "White on dark") + "0 0 0 RG 40 630 300 30 re S ",
        at(640, "White on dark", x=540),
    ],
    ids=["on a dark box", "above a box", "in a frame", "running off the page"],
)
def test_text_beside_boxes_and_edges_is_read(seen: str) -> None:
    assert "White on" in text_of(read(pdf(at(700, "What everybody can see on this page.") + seen)))
