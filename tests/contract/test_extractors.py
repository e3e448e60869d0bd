"""Every installed extractor, by name, keeps the promises of its port; so does the one that CONTRIBUTING.md teaches."""

from __future__ import annotations

import gzip
import re
import socket
from itertools import count
from textwrap import dedent
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from architecture.sources import ROOT
from contract.extractor_contract import SENTENCE, check_declaration, check_reading, check_sentence, check_tree, no_world
from unit.archive_files import tar_file, zip_file
from unit.epub_files import chapter, epub
from unit.odf_files import flat, odf
from unit.office import docx, paragraph, pptx, run, shape, xlsx
from unit.scans import png
from wellread import plugins
from wellread.apps.system_clock import SystemClock
from wellread.documents.archive import ArchiveExtractor
from wellread.documents.image import ImageExtractor
from wellread.reading.sandbox import SandboxedReader
from wellread.reading.snapshot_building import DocumentReader
from wellread.types import Block, Extraction, Kind, Metadata, Recognition, RecognizedWord, Response, Source, Span

if TYPE_CHECKING:
    import threading

    from wellread.ports import Extractor

NAMES = plugins.names("extractors")


def pdf() -> bytes:
    """Return the smallest PDF that shows the sentence; readers rebuild the missing table of offsets."""
    drawing = f"BT /F1 12 Tf 72 700 Td ({SENTENCE}) Tj ET".encode()
    return (
        b"%%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
        b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>endobj\n"
        b"4 0 obj<</Length %d>>stream\n%s\nendstream endobj\n"
        b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\ntrailer<</Root 1 0 R/Size 6>>\n%%%%EOF\n"
        % (len(drawing), drawing)
    )


MARKUP = f"""<!doctype html><html lang="en"><head><title>Weir</title></head><body><main><article><h1>The weir</h1>
<p>{SENTENCE} {"It has stood there since the mist rose from the river, and it does not move at all. " * 6}</p>
</article></main></body></html>"""
FEED = f"""<?xml version="1.0"?><rss version="2.0"><channel><title>River</title><link>https://river.example/</link>
<item><title>Heron</title><link>https://river.example/1</link><description>{SENTENCE}</description></item></channel></rss>"""
ATOM = f"""<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>River</title><id>urn:x:1</id>
<entry><title>Heron</title><id>urn:x:2</id><summary>{SENTENCE}</summary></entry></feed>"""
JSON_FEED = f"""{{"version": "https://jsonfeed.org/version/1.1", "title": "River",
"items": [{{"id": "1", "url": "https://river.example/1", "title": "Heron", "content_text": "{SENTENCE}"}}]}}"""
NOTEBOOK = f"""{{"nbformat": 4, "nbformat_minor": 5, "metadata": {{}}, "cells": [
{{"cell_type": "markdown", "metadata": {{}}, "source": ["{SENTENCE}"]}}]}}"""
DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
ODF = "application/vnd.oasis.opendocument."
MAIL = f"From: heron@weir.example\nTo: tern@weir.example\nSubject: The weir\n\n{SENTENCE}\n"
WORKBOOK = xlsx(f'<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>{SENTENCE}</t></is></c></row></sheetData>')
WORKBOOKS = (
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.template",
    "application/vnd.ms-excel.sheet.macroenabled.12",
    "application/vnd.ms-excel.template.macroenabled.12",
)
PRESENTATIONS = (
    "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    "application/vnd.openxmlformats-officedocument.presentationml.slideshow",
    "application/vnd.openxmlformats-officedocument.presentationml.template",
    "application/vnd.ms-powerpoint.presentation.macroenabled.12",
    "application/vnd.ms-powerpoint.slideshow.macroenabled.12",
    "application/vnd.ms-powerpoint.template.macroenabled.12",
)
RTF = rf"{{\rtf1\ansi {SENTENCE}\par}}".encode()
SOUND = {
    "application/epub+zip": epub({"one.xhtml": chapter(f"<p>{SENTENCE}</p>")}),
    **{
        f"{ODF}{kind}{variant}": odf(f"<text:p>{SENTENCE}</text:p>", kind=kind)
        for kind in ("text", "spreadsheet", "presentation", "graphics")
        for variant in ("", "-template", "-master", "-web")
    },
    **{
        f"{ODF}{kind}-flat-xml": flat(f"<text:p>{SENTENCE}</text:p>", kind=kind)
        for kind in ("text", "spreadsheet", "presentation", "graphics")
    },
    "message/rfc822": MAIL.encode(),
    "message/global": MAIL.encode(),
    "application/mbox": f"From heron Wed Nov 25 21:16:05 2026\n{MAIL}".encode(),
    "application/pdf": pdf(),
    "application/x-pdf": pdf(),
    "application/rss+xml": FEED.encode(),
    "application/atom+xml": ATOM.encode(),
    "application/feed+json": JSON_FEED.encode(),
    DOCX: docx(paragraph(run(SENTENCE))),
    **dict.fromkeys(WORKBOOKS, WORKBOOK),
    **dict.fromkeys(PRESENTATIONS, pptx(shape(SENTENCE))),
    "application/rtf": RTF,
    "text/rtf": RTF,
    "application/x-ipynb+json": NOTEBOOK.encode(),
    "application/json": f'{{"says": "{SENTENCE}"}}'.encode(),
    "text/html": MARKUP.encode(),
    "application/xhtml+xml": MARKUP.encode(),
    **dict.fromkeys(ImageExtractor.media_types, png(np.zeros((9, 9), np.uint8))),
    **dict.fromkeys(ArchiveExtractor.media_types, zip_file({SENTENCE: SENTENCE})),
    "application/x-tar": tar_file({SENTENCE: SENTENCE}),
    "application/gzip": gzip.compress(tar_file({SENTENCE: SENTENCE})),
    "text/csv": f'bird,says\nheron,"{SENTENCE}"\n'.encode(),
}


class SentenceRecognizer:
    """Recognises the sentence in every picture."""

    def recognize(
        self, picture: bytes, *, page: int = 0, dpi: int = 0, stop: threading.Event | None = None
    ) -> Recognition:
        return Recognition(tuple(RecognizedWord(word, 96.0, 1, 1, 1) for word in SENTENCE.split()))


def sound(media_type: str) -> Source:
    """Return a sound file of a media type: its own sample, or the sentence alone, which suits every kind of text."""
    body = SOUND.get(media_type, f"{SENTENCE}\n".encode())
    return Source(body=body, media_type=media_type, recognizer=SentenceRecognizer())


def extractor(name: str) -> Extractor:
    made: Extractor = plugins.load("extractors", name)()
    return made


@pytest.mark.parametrize("name", NAMES)
def test_it_declares_its_name_and_what_it_reads(name: str) -> None:
    check_declaration(extractor(name), name)


@pytest.mark.parametrize("name", NAMES)
def test_it_reads_a_sound_file_of_every_type_it_names(name: str) -> None:
    reader = extractor(name)
    for media_type in reader.media_types:
        check_sentence(reader, sound(media_type))


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_whatever_the_bytes_it_reads_them_or_says_why_not(name: str, data: st.DataObject) -> None:
    reader = extractor(name)
    media_type = data.draw(st.sampled_from(reader.media_types))
    sample = sound(media_type).body
    at = data.draw(st.integers(0, len(sample)))
    body = data.draw(
        st.binary(max_size=200) | st.binary(max_size=20).map(lambda noise: sample[:at] + noise + sample[at:])
    )
    source = Source(
        body=body,
        media_type=media_type,
        url=data.draw(st.none() | st.just("https://weir.example/a")),
        charset=data.draw(st.none() | st.sampled_from(["utf-8", "latin-1", "utf-16", "no-such-charset"])),
        mode=data.draw(st.sampled_from(["balanced", "precision", "recall"])),
    )
    check_reading(reader, source)


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_is_no_reading(name: str) -> None:
    reader = extractor(name)
    for media_type in reader.media_types:
        assert check_reading(reader, Source(body=b"", media_type=media_type)) is None


def test_no_two_extractors_read_the_same_type() -> None:
    claims = [media_type for name in NAMES for media_type in extractor(name).media_types]
    assert len(set(claims)) == len(claims)


# ---------------------------------------------------------------------- the example in CONTRIBUTING.md


SUBTITLES = (
    f"1\n00:00:01,000 --> 00:00:04,000\n<i>{SENTENCE}</i>\n\n2\n00:00:05,000 --> 00:00:06,000\nIt goes.\n".encode()
)


@pytest.fixture(scope="module")
def example() -> Extractor:
    """The extractor of CONTRIBUTING.md, made from its own text."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.search(r"^ *```python\n(.*?class \w+Extractor:.*?)```", text, re.DOTALL | re.MULTILINE)
    assert code, "CONTRIBUTING.md shows no extractor"
    rooms: dict[str, object] = {"__name__": "contributed"}
    exec(compile(dedent(code[1]), "CONTRIBUTING.md", "exec"), rooms)  # our own text, proven to work
    entry = re.search(r"^ *(\w+) = \"wellread_\w+:(\w+)\"", text, re.MULTILINE)
    assert entry, "CONTRIBUTING.md shows no entry point"
    made = rooms[entry[2]]
    assert callable(made)
    reader: Extractor = made()
    assert reader.name == entry[1]
    return reader


def test_the_example_for_contributors_keeps_the_contract(example: Extractor) -> None:
    check_declaration(example, example.name)
    body = (
        f"1\n00:00:01,000 --> 00:00:04,000\n<i>{SENTENCE}</i>\n\n2\n00:00:05,000 --> 00:00:06,000\nIt goes.\n".encode()
    )
    check_sentence(example, Source(body=body, media_type=example.media_types[0]))
    assert check_reading(example, Source(body=b"", media_type=example.media_types[0])) is None


def test_extractor_of_the_contributing_guide(example: Extractor) -> None:
    headers = (("content-type", example.media_types[0]),)
    response = Response(url="https://weir.example/film.srt", status=200, headers=headers, body=SUBTITLES)
    reader = SandboxedReader(DocumentReader([*map(extractor, NAMES), example]), SystemClock())
    assert reader.extract(response, "balanced").extraction.method == example.name


@given(body=st.binary(max_size=200))
def test_the_example_for_contributors_reads_anything_or_says_why_not(example: Extractor, body: bytes) -> None:
    check_reading(example, Source(body=body, media_type=example.media_types[0]))


# ---------------------------------------------------------------------------- the contract, able to fail

CELL = Block(Kind.CELL, (Span("x"),))
HERE = Metadata()
BAD_DOCUMENTS = [
    Block(Kind.LIST, children=(Block(Kind.PARAGRAPH, (Span("x"),)),)),
    Block(Kind.ITEM, children=(Block(Kind.PARAGRAPH, (Span("x"),)),)),
    Block(Kind.TABLE, children=(CELL,)),
    Block(Kind.QUOTE, (Span("x"),)),
    Block(Kind.PARAGRAPH, children=(CELL,)),
    Block(Kind.HEADING, (Span("x"),), level=7),
    Block(Kind.PARAGRAPH, (Span(""),)),
    Block(Kind.PARAGRAPH, (Span("pay \U000e0070"),)),
]


@pytest.mark.parametrize("block", BAD_DOCUMENTS)
def test_the_contract_sees_a_tree_out_of_shape(block: Block) -> None:
    with pytest.raises(AssertionError):
        check_tree(Extraction(document=(block,), metadata=HERE, method="bad"))


@pytest.mark.parametrize("links", [("/relative",), ("javascript:x",), ("https://a.example/", "https://a.example/")])
def test_the_contract_sees_links_that_lead_nowhere(links: tuple[str, ...]) -> None:
    with pytest.raises(AssertionError):
        check_tree(Extraction(document=(), metadata=HERE, method="bad", links=links))


@pytest.mark.parametrize("media_types", [(), ("Text/HTML",), ("text/html; charset=utf-8",), ("a/b", "a/b"), ["a/b"]])
def test_the_contract_sees_a_declaration_out_of_shape(media_types: tuple[str, ...]) -> None:
    with pytest.raises(AssertionError):
        check_declaration(Wilful(media_types), "wilful")


def test_the_contract_sees_an_extractor_that_changes_its_mind() -> None:
    with pytest.raises(AssertionError, match="two ways"):
        check_reading(Wilful(("a/b",)), Source(body=b"", media_type="a/b"))


def test_the_contract_sees_an_extractor_that_reaches_out() -> None:
    with pytest.raises(AssertionError, match="is pure"), no_world():
        socket.socket().close()


class Wilful:
    """Reads the same bytes differently each time."""

    name = "wilful"

    def __init__(self, media_types: tuple[str, ...]) -> None:
        self.media_types = media_types
        self._count = count()

    def extract(self, source: Source) -> Extraction:
        document = (Block(Kind.PARAGRAPH, (Span(f"{source.media_type} {next(self._count)}"),)),)
        return Extraction(document=document, metadata=HERE, method=self.name)
