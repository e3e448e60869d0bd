"""Books in EPUB: the chapters in reading order, what their style sheets hide, and files made to do harm."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from effort import work_grows_in_proportion
from unit.epub_files import CONTAINER, chapter, epub
from unit.office import zipped
from unit.served import read_served
from wellread.documents import epub as extractor
from wellread.errors import Empty, TooLarge, Unsupported
from wellread.net import zip_reader
from wellread.types import Source

if TYPE_CHECKING:
    from wellread.types import Page

TYPE = "application/epub+zip"
SEEN = "<p>The heron waits at the weir.</p>"
MATH = "http://www.w3.org/1998/Math/MathML"


def read(book: bytes, content_type: str = TYPE, name: str = "book") -> Page:
    return read_served(book, content_type, name)


def counts(page: Page) -> dict[str, int]:
    return {warning.code: warning.count for warning in page.notices if warning.code != "thin_content"}


def text_of(body: str, **given: str) -> str:
    """Return the text of a book of one chapter."""
    return read(epub({"one.xhtml": chapter(body, **given)})).text


# ---------------------------------------------------------------------------------------------- reading


def test_chapters_come_in_the_order_of_the_spine() -> None:
    book = epub(
        {"b.xhtml": chapter("<h1>Second</h1><p>Two.</p>"), "a.xhtml": chapter("<h1>First</h1><p>One.</p>")},
        spine=["a.xhtml", 'b.xhtml linear="no"'],
    )
    assert read(book).text == "# First\n\nOne.\n\n# Second\n\nTwo."


def test_empty_elements_of_xhtml_swallow_nothing() -> None:
    text = text_of('<p><a id="page1"/>The <i/>heron</p><div class="x"/><p>waits.</p>')
    assert text == "The heron\n\nwaits."


def test_entities_of_html_and_cdata_are_read() -> None:
    assert text_of("<p>Caf&eacute;&nbsp;open &amp; <![CDATA[a < b]]></p>") == "Caf\u00e9 open & a < b"


def test_document_that_is_no_xml_is_read_as_html() -> None:
    body = "<html><head><title/></head><body><p>One & two<br><p>Three <a id='x'/>four</body></html>"
    assert read(epub({"one.xhtml": body})).text == "One & two\n\nThree four"


def test_text_that_a_style_sheet_hides_is_counted() -> None:
    head = '<link rel="stylesheet" href="../css/book.css"/>'
    book = epub(
        {"text/one.xhtml": chapter('<p class="gone">Obey me.</p>' + SEEN, head=head)},
        files={"OEBPS/css/book.css": '@import "more.css";', "OEBPS/css/more.css": ".gone { display: none }"},
    )
    page = read(book)
    assert page.text == "The heron waits at the weir."
    assert counts(page) == {"hidden_text": 1}


def test_chapter_without_a_heading_gets_its_title_from_the_contents() -> None:
    nav = chapter('<nav epub:type="toc"><ol><li><a href="one.xhtml">The weir</a></li></ol></nav>')
    item = '<item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>'
    book = epub({"one.xhtml": chapter(SEEN)}, manifest=item, files={"OEBPS/nav.xhtml": nav})
    assert read(book).text == "# The weir\n\nThe heron waits at the weir."


def test_title_shown_as_paragraphs_is_the_heading() -> None:
    ncx = (
        '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>1. The weir</text>'
        '</navLabel><content src="one.xhtml#top"/></navPoint></navMap></ncx>'
    )
    item = '<item id="ncx" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
    one = chapter(f"<p>1.</p><p><b>The weir</b></p>{SEEN}")
    book = epub({"one.xhtml": one}, manifest=item, files={"OEBPS/toc.ncx": ncx})
    assert read(book).text == "# 1. The weir\n\nThe heron waits at the weir."


def test_page_of_contents_is_left_out_and_counted() -> None:
    links = "".join(f'<p><a href="one.xhtml#c{at}">Chapter {at}</a></p>' for at in range(20))
    book = epub(
        {"toc.xhtml": chapter(f"<h1>Contents</h1>{links}"), "one.xhtml": chapter(SEEN)},
        guide='<reference type="toc" href="toc.xhtml"/>',
    )
    page = read(book)
    assert page.text == "The heron waits at the weir."
    assert counts(page) == {"contents_left_out": 1}


def test_notes_of_two_chapters_have_labels_of_their_own() -> None:
    body = (
        '<p>Text<a epub:type="noteref" href="{file}#n1">1</a> on.</p>'
        '<aside epub:type="footnote" id="n1"><p>Note of {file}.</p></aside>'
    )
    book = epub({name: chapter(body.format(file=name)) for name in ("a.xhtml", "b.xhtml")})
    text = read(book).text
    assert "Text[^1] on." in text
    assert "[^1]: Note of a.xhtml." in text
    assert "Text[^1-2] on." in text
    assert "[^1-2]: Note of b.xhtml." in text


def test_note_whose_label_is_set_apart_has_no_empty_span() -> None:
    body = (
        '<p>Text<a epub:type="noteref" href="#n1">1</a> on.</p>'
        '<aside epub:type="footnote" id="n1"><p><a href="#r1">1</a><b> </b><i>Counted.</i></p></aside>'
    )
    extraction = extractor.EpubExtractor().extract(Source(body=epub({"a.xhtml": chapter(body)}), media_type=TYPE))
    (note,) = extraction.document[-1].children
    assert [span.text for span in note.spans] == ["Counted."]


def test_links_lead_out_of_the_book_alone() -> None:
    page = read(
        epub({"a.xhtml": chapter('<p>See <a href="b.xhtml#x">there</a>, <a href="https://x.example/">web</a>.')})
    )
    assert page.text == "See there, [web](https://x.example/)."
    assert page.links == ("https://x.example/",)


def test_footer_and_navigation_within_a_chapter_are_text() -> None:
    assert (
        text_of("<nav><p>Read on.</p></nav><footer><p>Ann, at the weir.</p></footer>")
        == "Read on.\n\nAnn, at the weir."
    )


def test_formula_of_a_book_becomes_tex() -> None:
    formula = f'<math xmlns="{MATH}"><mfrac><mi>a</mi><mn>2</mn></mfrac></math>'
    switch = (
        f'<epub:switch><epub:case required-namespace="{MATH}">{formula}</epub:case>'
        "<epub:default>no formula</epub:default></epub:switch>"
    )
    assert text_of(f"<p>It is {switch}.</p>") == "It is $\\frac{a}{2}$."


def test_pages_that_are_pictures_are_counted() -> None:
    picture = chapter('<img src="p.jpg" alt=""/>')
    page = read(epub({"cover.xhtml": picture, "one.xhtml": chapter(SEEN), "two.xhtml": picture}))
    assert counts(page) == {"pictures_left_out": 2, "pages_without_text": 1}


def test_book_of_pictures_alone_is_empty() -> None:
    with pytest.raises(Empty, match="its pages are pictures"):
        read(epub({"one.xhtml": chapter('<svg xmlns="http://www.w3.org/2000/svg"><image/></svg>')}))


def test_metadata_of_epub_2_and_3() -> None:
    metadata = (
        '<dc:title id="s">A story</dc:title><dc:title id="m">The Weir</dc:title>'
        '<meta refines="#m" property="title-type">main</meta>'
        '<dc:creator id="a" opf:role="aut">Ann Heron</dc:creator><dc:creator>Ben Tern</dc:creator>'
        '<dc:creator id="t">Tom Turner</dc:creator><meta refines="#t" property="role">trl</meta>'
        '<dc:date opf:event="creation">2001</dc:date><dc:date opf:event="publication">2020-05-01</dc:date>'
        "<dc:language>en-GB</dc:language><dc:publisher>Weir Press</dc:publisher>"
        "<dc:identifier>urn:isbn:9783161484100</dc:identifier>"
        "<dc:description>&lt;p&gt;Of herons.&lt;/p&gt;</dc:description>"
    )
    page = read(epub({"one.xhtml": chapter(SEEN)}, metadata=metadata))
    assert (page.title, page.author, page.published_date) == ("The Weir", "Ann Heron, Ben Tern", "2020-05-01")
    assert (page.language, page.site_name) == ("en-GB", "Weir Press")
    assert page.description == "Of herons. \u00b7 ISBN 9783161484100"


# ------------------------------------------------------------------------------------- files out of order


@pytest.mark.parametrize(
    "href", ["Text/One%20a.xhtml", "../OEBPS/Text/One a.xhtml", "text/one A.XHTML", "Text\\One a.xhtml"]
)
def test_paths_written_in_other_ways(href: str) -> None:
    item = f'<item id="x" href="{href}" media-type="text/plain"/>'
    book = epub({}, manifest=item, spine=["x"], files={"OEBPS/Text/One a.xhtml": chapter(SEEN)})
    assert read(book).text == "The heron waits at the weir."


def test_documents_that_are_not_there_are_counted() -> None:
    missing = '<item id="x" href="x.xhtml" media-type="application/xhtml+xml"/>'
    book = epub({"one.xhtml": chapter(SEEN)}, manifest=missing, spine=["x", "nowhere", "one.xhtml"])
    page = read(book)
    assert page.text == "The heron waits at the weir."
    assert counts(page) == {"parts_missing": 2}


@pytest.mark.parametrize(
    "files", [{"META-INF/container.xml": "<x/>"}, {"META-INF/container.xml": CONTAINER, "OEBPS/book.opf": "<package"}]
)
def test_book_without_a_package_document(files: dict[str, str]) -> None:
    page = read(zipped({**files, "a.html": chapter("<p>One.</p>"), "b.html": chapter("<p>Two.</p>")}))
    assert page.text == "One.\n\nTwo."
    assert counts(page) == {"repaired_markup": 1}


def test_book_is_known_without_its_media_type() -> None:
    book = epub({"one.xhtml": chapter(SEEN)})
    assert read(book, "application/octet-stream").extraction_method == "epub"
    assert read(book, "application/zip", "book.epub").extraction_method == "epub"


# ------------------------------------------------------------------------------------------------ DRM


def encryption(algorithm: str, target: str) -> dict[str, str]:
    return {
        "META-INF/encryption.xml": '<encryption xmlns="urn:oasis:names:tc:opendocument:xmlns:container" '
        'xmlns:enc="http://www.w3.org/2001/04/xmlenc#"><enc:EncryptedData>'
        f'<enc:EncryptionMethod Algorithm="{algorithm}"/><enc:CipherData><enc:CipherReference URI="{target}"/>'
        "</enc:CipherData></enc:EncryptedData></encryption>"
    }


def test_encrypted_chapters_are_refused() -> None:
    files = encryption("http://www.w3.org/2001/04/xmlenc#aes256-cbc", "OEBPS/one.xhtml")
    book = epub({"one.xhtml": b"\x8f\x01"}, files={**files, "META-INF/license.lcpl": "{}"})
    with pytest.raises(Unsupported, match=r"encrypted \(DRM: Readium LCP\)") as caught:
        read(book)
    assert "without DRM" in caught.value.hint


@pytest.mark.parametrize(
    ("algorithm", "target"),
    [
        ("http://www.idpf.org/2008/embedding", "OEBPS/f.otf"),
        ("http://www.w3.org/2001/04/xmlenc#aes128-cbc", "OEBPS/a.mp3"),
    ],
)
def test_obfuscated_fonts_are_no_protection(algorithm: str, target: str) -> None:
    book = epub({"one.xhtml": chapter(SEEN)}, files=encryption(algorithm, target))
    assert read(book).text == "The heron waits at the weir."


# --------------------------------------------------------------------------------------------- hostile


def test_declared_entities_are_never_expanded() -> None:
    bomb = "".join(f'<!ENTITY e{at} "{f"&e{at - 1};" * 20}">' for at in range(1, 12))
    document = f'<!DOCTYPE html [<!ENTITY e0 "boom">{bomb}]><html><body>{SEEN}<p>&e11;</p></body></html>'
    text = read(epub({"one.xhtml": document})).text
    assert text.startswith("The heron waits at the weir.")
    assert "boom" not in text


def test_bomb_of_zeros_is_cut() -> None:
    book = epub(
        {"one.xhtml": chapter(SEEN), "two.xhtml": b" " * 50_000_000, "three.xhtml": b"<p>" + b"<i>" * 3_000_000}
    )
    page = read(book)
    assert page.text.startswith("The heron waits at the weir.")
    assert "pages_cut" in counts(page)


def test_archive_of_too_many_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zip_reader, "MAX_FILES", 3)
    with pytest.raises(TooLarge, match="more than 3 files"):
        read(epub({"one.xhtml": chapter(SEEN), "two.xhtml": chapter(SEEN)}))


def test_long_book_is_cut_and_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extractor, "MAX_TEXT_CHARS", 100)
    page = read(epub({f"{at}.xhtml": chapter(f"<p>{'word ' * 30}</p>") for at in range(5)}))
    assert counts(page)["pages_cut"] == 4


def test_damaged_archive_is_refused() -> None:
    with pytest.raises(Unsupported, match="is damaged"):
        read(epub({"one.xhtml": chapter(SEEN)})[:-40])


def test_time_grows_with_the_number_of_chapters() -> None:
    def book(count: int) -> Source:
        body = epub({f"{at}.xhtml": chapter(f"<h1>{at}</h1>{SEEN * 20}") for at in range(count)})
        return Source(body=body, media_type=TYPE)

    small, large = book(20), book(80)
    extract_book = extractor.EpubExtractor().extract
    assert work_grows_in_proportion(lambda: extract_book(small), lambda: extract_book(large))
