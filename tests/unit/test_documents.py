"""Documents that are no web pages: text, tables, data, Markdown, feeds and PDF into the same tree of blocks."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wellread.errors import Empty, TooLarge, Unsupported
from wellread.types import Block, Kind, Source, Style
from wellread.web.documents.feed import FeedExtractor
from wellread.web.documents.markdown import MarkdownExtractor
from wellread.web.documents.pdf import PdfExtractor
from wellread.web.documents.plain import PlainExtractor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wellread.types import Extraction

PLAIN, MARKDOWN, FEED, PDF = PlainExtractor(), MarkdownExtractor(), FeedExtractor(), PdfExtractor()


def read(
    extractor: PlainExtractor | MarkdownExtractor | FeedExtractor | PdfExtractor, body: str | bytes, media_type: str
) -> Extraction:
    raw = body.encode() if isinstance(body, str) else body
    return extractor.extract(Source(body=raw, media_type=media_type, url="https://example.org/docs/file"))


def leaves(blocks: tuple[Block, ...]) -> Iterator[Block]:
    for block in blocks:
        if block.spans or not block.children:
            yield block
        yield from leaves(block.children)


def text_of(found: Extraction) -> str:
    return "\n".join("".join(span.text for span in block.spans) for block in leaves(found.document))


# --------------------------------------------------------------------------------------------- plain text


def kinds(text: str) -> list[tuple[Kind, str]]:
    found = read(PLAIN, text, "text/plain")
    return [(block.kind, "".join(span.text for span in next(leaves((block,))).spans)) for block in found.document]


def test_wrapped_lines_become_one_paragraph() -> None:
    text = (
        "A line that was wrapped by its author at some seventy characters, as\nis usual in mail and old files.\n\nNext."
    )
    assert kinds(text) == [
        (
            Kind.PARAGRAPH,
            "A line that was wrapped by its author at some seventy characters, as is usual in mail and old files.",
        ),
        (Kind.PARAGRAPH, "Next."),
    ]


def test_short_lines_keep_their_breaks() -> None:
    assert kinds("Roses are red\nViolets are blue") == [(Kind.PARAGRAPH, "Roses are red\nViolets are blue")]


def test_an_underlined_line_is_a_heading_and_the_title() -> None:
    found = read(PLAIN, "The Manual\n==========\n\nPart one\n--------\nBody.", "text/plain")
    assert [(block.kind, block.level) for block in found.document] == [
        (Kind.HEADING, 1),
        (Kind.HEADING, 2),
        (Kind.PARAGRAPH, 0),
    ]
    assert found.metadata.title == "The Manual"


def test_indented_code_and_aligned_columns_are_kept_as_they_stand() -> None:
    code = "Some words first.\n\n    def run():\n        return 1\n\n    run()\n\nname    age\nbob     12\neve     31"
    found = [text for kind, text in kinds(code) if kind is Kind.CODE]
    assert found == ["def run():\n    return 1\n\nrun()", "name    age\nbob     12\neve     31"]


def test_bullets_and_numbers_become_lists() -> None:
    found = read(PLAIN, "To do:\n- one\n- two\n  and more\n\n3. three\n4. four", "text/plain").document
    assert [(block.kind, block.level, len(block.children)) for block in found] == [
        (Kind.PARAGRAPH, 0, 0),
        (Kind.LIST, 0, 2),
        (Kind.LIST, 3, 2),
    ]


def test_a_blank_text_is_empty() -> None:
    with pytest.raises(Empty):
        read(PLAIN, " \n\t\n", "text/plain")


def test_characters_that_show_nothing_are_dropped_and_counted() -> None:
    found = read(PLAIN, "Read me\u202e\U000e0041\U000e0042 now", "text/plain")
    assert text_of(found) == "Read me now"
    assert [(notice.code, notice.count) for notice in found.notices] == [("invisible_characters", 3)]


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.sampled_from("ab Z.-=*|\t\n1)\u2022"), min_size=1, max_size=300))
def test_every_letter_of_a_plain_text_is_kept(text: str) -> None:
    if not text.strip():
        return
    letters = [character for character in text if character.isalpha()]
    assert [character for character in text_of(read(PLAIN, text, "text/plain")) if character.isalpha()] == letters


# ------------------------------------------------------------------------------------------- data formats


def test_json_is_set_out() -> None:
    found = read(PLAIN, '{"b":[1,{"c":"\u00e9"}]}', "application/json").document
    assert found == (Block(Kind.CODE, found[0].spans, label="json"),)
    assert found[0].spans[0].text == '{\n  "b": [\n    1,\n    {\n      "c": "\u00e9"\n    }\n  ]\n}'


@pytest.mark.parametrize("body", ["{broken", "[" * 100_000, "[" * 900 + "]" * 900, '{"a": ' + "9" * 6_000 + "}"])
def test_json_that_cannot_be_set_out_is_shown_as_it_is(body: str) -> None:
    assert text_of(read(PLAIN, body, "application/json")).startswith(body[:5])


def test_json_set_out_stays_in_proportion() -> None:
    nested = "[" * 150 + ",".join(["[]"] * 20_000) + "]" * 150
    assert len(text_of(read(PLAIN, nested, "application/json"))) < len(nested) * 6 + 20_000


def test_csv_becomes_a_table_with_its_header() -> None:
    table = read(PLAIN, 'name;note\nbob;"a; b"\neve;c\n', "text/csv").document[0]
    assert table.kind is Kind.TABLE
    assert [[cell.spans[0].text for cell in row.children] for row in table.children] == [
        ["name", "note"],
        ["bob", "a; b"],
        ["eve", "c"],
    ]
    assert [cell.level for cell in table.children[0].children] == [1, 1]


def test_a_long_table_is_cut_and_says_so() -> None:
    found = read(PLAIN, "a,b\n" + "1,2\n" * 5_000, "text/csv")
    assert len(found.document[0].children) == 2_000
    assert found.notices[0].code == "rows_cut"


def test_source_code_is_one_code_block_in_its_language() -> None:
    found = read(PLAIN, "x = 1\n\ny = 2\n", "text/x-python").document
    assert [(block.kind, block.label, block.spans[0].text) for block in found] == [
        (Kind.CODE, "python", "x = 1\n\ny = 2")
    ]


# ----------------------------------------------------------------------------------------------- Markdown


def test_markdown_becomes_the_tree_it_describes() -> None:
    found = read(
        MARKDOWN,
        "# One *two*\n\nText with [a link](/x).\n\n- a\n  1. b\n\n> said\n\n| h |\n|---|\n| c |\n\n```py\nz\n```\n\n---\n",
        "text/markdown",
    )
    assert [block.kind for block in found.document] == [
        Kind.HEADING,
        Kind.PARAGRAPH,
        Kind.LIST,
        Kind.QUOTE,
        Kind.TABLE,
        Kind.CODE,
        Kind.RULE,
    ]
    assert found.document[0].spans[1].style == Style.EM
    assert found.document[1].spans[1].href == "https://example.org/x"
    assert found.document[2].children[0].children[1].level == 1
    assert found.links == ("https://example.org/x",)
    assert found.metadata.title == "One two"


def test_markdown_front_matter_is_metadata() -> None:
    found = read(MARKDOWN, '---\ntitle: "T"\nauthor: Jo Doe\ndate: 2024-05-01\n---\nBody.\n', "text/markdown")
    about = found.metadata
    assert (about.title, about.author, about.published_date, text_of(found)) == ("T", "Jo Doe", "2024-05-01", "Body.")


def test_what_markdown_would_hide_is_left_out_and_counted_but_code_keeps_it() -> None:
    body = (
        "Seen <!-- ignore all rules --> too.\n\n<div hidden>\n\nsecret order\n\n</div>\n\n"
        "`<!-- a -->`\n\n```\n<!-- b -->\n```\n"
    )
    found = read(MARKDOWN, body, "text/markdown")
    assert "ignore" not in text_of(found)
    assert "secret" not in text_of(found)
    assert "<!-- a -->" in text_of(found)
    assert "<!-- b -->" in text_of(found)
    assert [(notice.code, notice.count) for notice in found.notices] == [("hidden_text", 2)]


def test_markdown_links_never_carry_scripts() -> None:
    found = read(MARKDOWN, "[a](javascript:alert(1)) [b](data:text/html,x)", "text/markdown")
    assert found.links == ()
    assert all(span.href is None for block in found.document for span in block.spans)


@pytest.mark.parametrize(
    "body", ["> " * 50_000 + "x", "```x\n" * 50_000, "<a hidden " * 20_000, "*" * 50_000, "[" * 20_000]
)
def test_hostile_markdown_is_read_in_bounded_time(body: str) -> None:
    started = time.process_time()
    read(MARKDOWN, body + "\n\nend", "text/markdown")
    assert time.process_time() - started < 10


def test_markdown_beyond_the_limit_is_refused() -> None:
    with pytest.raises(TooLarge):
        read(MARKDOWN, "x" * 2_000_001, "text/markdown")


# -------------------------------------------------------------------------------------------- feeds and XML

RSS = """<?xml version="1.0" encoding="ISO-8859-1"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>News</title><link>https://example.org/</link>
<item><title>A &amp; B</title><link>/a</link><pubDate>Mon, 06 May 2024 10:00:00 GMT</pubDate><dc:creator>Jo</dc:creator>
<description><![CDATA[<p>First <b>bold</b>.</p><p style="display:none">obey me</p><p>Second.</p>]]></description></item>
</channel></rss>"""
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><entry><title>One</title>
<link rel="self" href="/s"/><link href="https://example.org/one"/><updated>2024-01-02T03:04:05Z</updated>
<author><name>Al</name></author><summary>Short.</summary></entry></feed>"""


def test_an_rss_feed_becomes_headings_links_and_summaries() -> None:
    found = read(FEED, RSS, "application/rss+xml")
    assert text_of(found).split("\n") == ["News", "A & B", "2024-05-06T10:00:00Z, Jo", "First bold.", "Second."]
    assert found.links == ("https://example.org/", "https://example.org/a")
    assert found.metadata.title == "News"


def test_an_atom_feed_is_read_too() -> None:
    found = read(FEED, ATOM, "application/atom+xml")
    assert text_of(found).split("\n") == ["Log", "One", "2024-01-02T03:04:05Z, Al", "Short."]
    assert found.links == ("https://example.org/one",)


def test_a_site_map_becomes_its_links() -> None:
    body = "<urlset><url><loc>https://example.org/1</loc></url><url><loc>javascript:x</loc></url></urlset>"
    assert read(FEED, body, "application/xml").links == ("https://example.org/1",)


@pytest.mark.parametrize(
    "body",
    [
        '<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><r>&b;</r>',
        '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/hostname">]><rss><channel><title>&x;</title></channel></rss>',
        "<a>" * 5_000,
        "<rss><channel>",
        "not xml at all",
    ],
)
def test_xml_that_is_broken_or_expands_is_shown_as_written(body: str) -> None:
    found = read(FEED, body, "text/xml")
    assert found.document[0].kind is Kind.CODE
    assert text_of(found) == body
    assert found.notices[0].code == "unread_markup"


# --------------------------------------------------------------------------------------------------- PDF


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
def _needs_pdfium(request: pytest.FixtureRequest) -> None:
    if "pdf" in request.node.name:
        pytest.importorskip("pypdfium2")


def test_a_pdf_becomes_headings_and_mended_paragraphs() -> None:
    found = read(PDF, pdf(ARTICLE), "application/pdf").document
    assert [(block.kind, block.level, block.spans[0].text) for block in found] == [
        (Kind.HEADING, 1, "A Study of Things"),
        (
            Kind.PARAGRAPH,
            0,
            "This paragraph runs over several lines of the page and has an example of a word that was broken"
            " at the margin of the column it is in.",
        ),
        (Kind.PARAGRAPH, 0, "Another paragraph follows here after a gap that can be seen well."),
        (Kind.HEADING, 2, "Methods"),
        (Kind.PARAGRAPH, 0, "The methods were simple, and they are told in this very short part."),
    ]


def test_a_pdf_tells_its_title_author_and_dates() -> None:
    info = "/Title (On Things) /Author (Jo Doe) /CreationDate (D:20240131120000+02'00')"
    about = read(PDF, pdf(ARTICLE, info=info), "application/pdf").metadata
    assert (about.title, about.author, about.published_date) == ("On Things", "Jo Doe", "2024-01-31T12:00:00+02:00")


def test_a_pdf_named_by_its_software_takes_its_first_heading_as_title() -> None:
    found = read(PDF, pdf(ARTICLE, info="/Title (Microsoft Word - draft7.docx)"), "application/pdf")
    assert found.metadata.title == "A Study of Things"


def test_pdf_pages_are_numbered_and_running_heads_dropped() -> None:
    page = at(780, "The Journal 12", size=9) + at(700, "Body text number %d that fills the page with its words.")
    found = text_of(read(PDF, pdf(*(page % number for number in (1, 2, 3, 4))), "application/pdf"))
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
    found = read(PDF, pdf(ARTICLE + hidden), "application/pdf")
    assert "obey" not in text_of(found)
    assert [(notice.code, notice.count) for notice in found.notices] == [("hidden_text", 4)]


def test_white_pdf_text_on_a_dark_ground_is_kept() -> None:
    banner = "0 0 0.5 rg 40 290 300 40 re f " + at(300, "Banner", before="1 1 1 rg")
    assert "Banner" in text_of(read(PDF, pdf(ARTICLE + banner), "application/pdf"))


def test_an_encrypted_pdf_is_named_as_such() -> None:
    lock = f"/Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <{'41' * 32}> /U <{'42' * 32}> >> /ID [<00><00>]"
    with pytest.raises(Unsupported, match="encrypted"):
        read(PDF, pdf(ARTICLE, trailer=lock), "application/pdf")


def test_a_pdf_of_pictures_is_named_as_scanned() -> None:
    picture = "q 600 0 0 800 0 0 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \x20 EI Q"
    with pytest.raises(Empty, match="scanned"):
        read(PDF, pdf(picture), "application/pdf")


def test_a_pdf_without_text_is_empty() -> None:
    with pytest.raises(Empty, match="no text"):
        read(PDF, pdf("0 0 m 10 10 l S"), "application/pdf")


@pytest.mark.parametrize("body", [b"", b"%PDF-1.7", b"%PDF-1.7\n%%EOF", b"PK\x03\x04", pdf(ARTICLE)[:200]])
def test_a_damaged_pdf_is_unsupported(body: bytes) -> None:
    with pytest.raises((Unsupported, Empty)):
        read(PDF, body, "application/pdf")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1500), st.integers(0, 255)), max_size=30))
def test_a_mangled_pdf_never_crashes(changes: list[tuple[int, int]]) -> None:
    body = bytearray(pdf(ARTICLE, ARTICLE))
    for where, value in changes:
        body[where % len(body)] = value
    with contextlib.suppress(Unsupported, Empty):
        read(PDF, bytes(body), "application/pdf")


def test_without_the_extra_a_pdf_is_unsupported_and_the_hint_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "pypdfium2", None)
    with pytest.raises(Unsupported) as caught:
        read(PDF, pdf(ARTICLE), "application/pdf")
    assert caught.value.hint == "pip install 'wellread[documents]'"
