"""Links as references, or as labels alone: the words stay, pieces join, and offsets count in the canonical text."""

from __future__ import annotations

import re
from functools import partial
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import wellread
from unit.test_paging import DOCUMENTS, LENGTHS, table
from unit.test_printed_links import SPANS, seen, wanted
from wellread.citations import cursors
from wellread.errors import InvalidInput
from wellread.output import DocumentPrints, print_document
from wellread.output.link_styles import link_view
from wellread.reading.page_printing import estimated_tokens, printed_page
from wellread.reading.read_result import ReadResult
from wellread.types import Block, Document, Extraction, Kind, LinkStyle, Metadata, Page, Snapshot, Span

STYLES: tuple[LinkStyle, ...] = ("reference", "none")
DEFINITIONS = re.compile(r"\n(?:\n\[[A-Za-z]+\d+\]: \S*)+\Z")


def snapshot(document: Document) -> Snapshot:
    extraction = Extraction(document=document, metadata=Metadata(), method="test")
    url = "https://a.example/"
    return Snapshot(
        id="sha256:" + "0" * 64, url=url, final_url=url, status=200, content_type=None, confidence=1.0,
        fetched_at=0.0, fetch_time_ms=0, extraction_time_ms=0, extraction=extraction,
    )  # fmt: skip


def pieces(
    document: Document, links: LinkStyle, *, max_length: int | None = None, max_tokens: int | None = None
) -> list[Page]:
    """Return all pieces of a document, each continued from the cursor of the one before."""
    result = ReadResult(snapshot(document), DocumentPrints(document))
    print_piece = partial(printed_page, result, links=links, max_length=max_length, max_tokens=max_tokens)
    found = [print_piece()]
    while found[-1].cursor is not None:
        cursor = cursors.decode(found[-1].cursor)
        assert cursor.links == links
        found.append(print_piece(start=cursor.start))
    return found


def paragraph(*spans: Span) -> Document:
    return (Block(Kind.PARAGRAPH, spans),)


@settings(max_examples=150, deadline=None)
@given(DOCUMENTS, LENGTHS, st.sampled_from(STYLES))
def test_pieces_join_in_every_style(document: Document, length: int, links: LinkStyle) -> None:
    canonical = print_document(document, "markdown").text
    if not canonical:
        return
    found = pieces(document, links, max_length=length)
    texts = [DEFINITIONS.sub("", page.text) if links == "reference" else page.text for page in found]
    assert "".join(texts) == link_view(document, links, images=False).printed.text
    assert [page.end for page in found[:-1]] == [page.start for page in found[1:]]
    assert (found[0].start, found[-1].end) == (0, len(canonical))
    assert all(one.start < one.end for one in found)
    assert {page.total_chars for page in found} == {len(canonical)}


@pytest.mark.parametrize("links", STYLES)
@pytest.mark.parametrize("length", [10, 11, 12, 18])
def test_pieces_of_a_table_without_links(links: LinkStyle, length: int) -> None:
    document = (table([[(), (Span("0 0"),)]]),)
    texts = [page.text for page in pieces(document, links, max_length=length)]
    assert texts == [page.text for page in pieces(document, "inline", max_length=length)]


@settings(max_examples=300, deadline=None)
@given(SPANS, st.booleans())
def test_labels_alone_hold_no_link_and_forge_none(spans: list[Span], images: bool) -> None:
    shown = link_view(paragraph(*spans), "none", images=images).printed.text
    unlinked = [span if span.style & 128 else span._replace(href=None) for span in spans]
    assert seen(shown) == wanted(unlinked, images=images)


@settings(max_examples=300, deadline=None)
@given(SPANS, st.booleans())
@example(spans=[Span(" ", 64, "http://good.test/")], images=False)
@example(spans=[Span("", 0), Span(" ", 64, "http://good.test/")], images=False)
@example(spans=[Span(" ", 256, "http://good.test/")], images=False)
def test_references_lead_where_the_links_led(spans: list[Span], images: bool) -> None:
    view = link_view(paragraph(*spans), "reference", images=images)
    text = view.printed.text
    assert seen(text + view.definitions(0, len(text))) == wanted(spans, images=images)


def test_the_three_styles_of_a_paragraph() -> None:
    html = (
        "<article><p>See <a href='https://a.example/one'>the first</a>, <a href='https://a.example/two'>the second</a> "
        "and <a href='https://a.example/one'>the first</a> once more [2].</p></article>"
    )
    inline = wellread.extract(html)
    reference = wellread.extract(html, links="reference")
    none = wellread.extract(html, links="none")
    assert "See [the first](https://a.example/one), [the second](https://a.example/two)" in inline.text
    assert reference.text == (
        "See [the first][L1], [the second][L2] and [the first][L1] once more [2].\n\n"
        "[L1]: https://a.example/one\n[L2]: https://a.example/two"
    )
    assert none.text == "See the first, the second and the first once more [2]."
    assert inline.word_count == reference.word_count == none.word_count
    assert inline.snapshot_id == reference.snapshot_id == none.snapshot_id
    assert inline.links == none.links
    assert {(page.start, page.end, page.total_chars) for page in (inline, reference, none)} == {
        (0, len(inline.text), len(inline.text))
    }


@pytest.mark.parametrize("links", STYLES)
@pytest.mark.parametrize(
    "spans",
    [
        (Span("One " + ". " * 300 + "12 and so on"),),
        (
            *(Span(number, 16, f"https://x.example/{number}") for number in "123"),
            Span(",", 16),
            Span("4", 16, "https://x.example/4"),
            Span(" word" * 400),
        ),
    ],
)
def test_pieces_keep_to_the_length(links: LinkStyle, spans: tuple[Span, ...]) -> None:
    found = pieces(paragraph(*spans), links, max_length=120)
    assert all(len(page.text) <= 120 for page in found)
    assert len(found) > 4


def test_labels_of_references_are_not_words_of_the_page() -> None:
    text = pieces(paragraph(Span("See [L1] and "), Span("this", 0, "https://a.example/")), "reference")[0].text
    assert text == "See [L1] and [this][Link1]\n\n[Link1]: https://a.example/"


def test_definitions_count_in_the_length() -> None:
    links = [Span(f"entry number {n}", 0, f"https://a.example/{'x' * 40}/{n}") for n in range(60)]
    document = tuple(Block(Kind.PARAGRAPH, (link,)) for link in links)
    found = pieces(document, "reference", max_length=500)
    assert all(len(page.text) <= 500 for page in found)
    assert sum(page.text.count("\n[L") for page in found) == 60
    assert len(found) < 20


@pytest.mark.parametrize("links", ["inline", *STYLES])
def test_max_tokens_bounds_each_piece(links: LinkStyle) -> None:
    words = " ".join(f"word{n} и слово {n} 言葉" for n in range(400))
    document = (*paragraph(Span(words)), *paragraph(Span("a link", 0, "https://a.example/" + "y" * 60), Span(words)))
    found = pieces(document, links, max_tokens=300)
    assert len(found) > 10
    assert all(estimated_tokens(page.text) <= 300 for page in found)
    assert all(later.start == earlier.end for earlier, later in pairwise(found))


def test_links_of_html_are_not_changed() -> None:
    with pytest.raises(InvalidInput, match="does not apply"):
        wellread.extract("<p>Words enough to be read as a page.</p>", format="html", links="none")
